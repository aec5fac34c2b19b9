"""Runs the real binary, and finds its rank processes."""

import contextlib
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest

RINGSIDE = os.environ["RINGSIDE_BINARY"]
PATIENCE_S = 60  # for anything that must happen; long, as the machine may be busy

# One small case, as short as a run can be: its rounds end it. Budgets are large, so that they end nothing on a busy machine.
SHORT = ("--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "4K", "--launches", "1", "--rounds", "3",
         "--budget", "60")

# Many cheap cases: there is something finished soon, and always more to come.
LONG = ("--device", "host", "--ranks", "2", "--strategy", "ring,tree", "--sizes", "4K:256K:+4K", "--launches", "1",
        "--rounds", "5", "--budget", "300")


def environment(**changes):
    """This process's environment without what changes the output; a value of None removes a variable."""
    merged = {**os.environ, "TERM": "xterm", "CI": None, "NO_COLOR": None, "GITHUB_ACTIONS": None,
              "GITHUB_STEP_SUMMARY": None, **changes}
    return {name: value for name, value in merged.items() if value is not None}


WITHOUT_GPUS = environment(CUDA_VISIBLE_DEVICES="")  # also on a box that has some


def default_signals():
    """For preexec_fn: a shell starts background jobs with SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(*arguments, timeout=PATIENCE_S, env=None, **options):
    """Runs ringside to its end; stdout and stderr are text."""
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.run([RINGSIDE, *arguments], text=True, timeout=timeout, env=env or environment(), check=False,
                          stdin=subprocess.DEVNULL, **options)


def ranks_of(coordinator):
    """The rank processes that a coordinator has now: {rank: pid}."""
    ranks = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError, IndexError):
            continue
        if parent == coordinator and len(words) > 2 and words[1] == b"__rank":
            ranks[int(words[2])] = int(entry.name)
    return ranks


def is_running(pid):
    """Whether a process is there and is no zombie."""
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def cpu_seconds(pid):
    """The time on a core that a process has used."""
    user, system = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def cpu_seconds_of_children():
    """The time on a core that finished children have used: what a busy machine leaves as it is, unlike the clock."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def least(measure, below, attempts=10):
    """The least of several measured times, the last of them the first below `below`: a busy machine is slow at times, a
    slow program always."""
    times = []
    for _ in range(attempts):
        times.append(measure())
        if times[-1] < below:
            break
    return min(times)


def wait_until(condition, what, timeout=PATIENCE_S):
    """Waits until condition() is true and returns what it returned."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"not within {timeout} s: {what}")


def stop_waited_for(stopped, waiting):
    """Stops a rank in the middle of a turn, so that the other spins and waits for it: between turns both sleep, and the
    first one goes on until the next try."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        os.kill(stopped, signal.SIGSTOP)
        before, end = cpu_seconds(waiting), time.monotonic() + 1
        while time.monotonic() < end:
            if cpu_seconds(waiting) > before + 0.1:
                return
            time.sleep(0.02)
        os.kill(stopped, signal.SIGCONT)
        time.sleep(random.uniform(0, 0.005))
    raise AssertionError(f"in {PATIENCE_S} s rank process {waiting} never waited for {stopped}")


class Sweep:
    """A `ringside probe-comm` (or another command) in the background, with its JSON file and its log."""

    def __init__(self, folder, *arguments, command="probe-comm"):
        self.json_path = folder / "result.json"
        self.log_path = folder / "log.txt"
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(
                [RINGSIDE, command, "--verbose", "--json", str(self.json_path), *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=environment(),
                preexec_fn=default_signals)

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        return self.log_path.read_text(errors="replace")

    def document(self):
        return json.loads(self.json_path.read_text())

    def wait_for_round(self, text, timeout=PATIENCE_S):
        """Waits until a turn whose log line holds `text` is under way, and returns the ranks."""
        wait_until(lambda: text in self.log() or self.process.poll() is not None, f"'{text}' in the log", timeout)
        return ranks_of(self.pid)

    def wait_for_rows(self, timeout=PATIENCE_S):
        """Waits until the file holds a finished row."""
        wait_until(lambda: self.json_path.exists() and finished(self.document()), "a finished row", timeout)

    def end(self, timeout=PATIENCE_S):
        """Waits for the end; returns the exit status."""
        return self.process.wait(timeout)


def finished(document):
    """The rows that have a time."""
    return [row for row in document["rows"] if row["status"] == "pass"]


class FolderTestCase(unittest.TestCase):
    """A fresh folder for each test, and no process left behind whatever happens."""

    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ringside-cli-")))

    def start(self, *arguments, **options):
        sweep = Sweep(self.folder, *arguments, **options)
        self.addCleanup(self._end, sweep)
        return sweep

    @staticmethod
    def _end(sweep):
        if sweep.process.poll() is None:
            sweep.process.kill()
            sweep.process.wait()
