"""trace-init --live on a small package of the shape of SGLang, with really spawned processes."""

import json
import os
import pathlib
import signal
import subprocess
import unittest

from support.chrome_trace import violations
from support.ringside import RINGSIDE, FolderTestCase, environment, is_running, run, wait_until

STAND_IN = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/sglang_stand_in"
SERVER = ("/usr/bin/python3", "-m", "sglang.launch_server", "--tp", "2")
HOOKED = environment(PYTHONPATH=str(STAND_IN), PYTHONDONTWRITEBYTECODE="1")


class Live(FolderTestCase):
    def trace(self, *more, before=()):
        result = run("trace-init", "--live", "--json", "-", "--", *before, *SERVER, *more, env=HOOKED)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["trace"], result.stderr

    def test_a_server_that_dies_of_the_assert(self):
        trace, printed = self.trace()
        self.assertEqual(trace["outcome"], "expert-location-assert")
        self.assertIn("Scheduler hit an exception", printed)
        steps = trace["steps"]
        for mark, place in (("set-to-none", "launch_server.py:15"), ("died", "eplb/expert_location_dispatch.py:10")):
            marked = [step for step in steps if step["mark"] == mark]
            self.assertEqual({(step["worker"], step["ranks"]) for step in marked}, {("target", "0"), ("target", "1")})
            self.assertEqual({f"{step['file']}:{step['line']}" for step in marked}, {place})
            self.assertEqual(len({step["process"] for step in marked}), 2)
        times = [step["time_s"] for step in steps]
        self.assertEqual(times, sorted(times))
        self.assertNotIn("sitecustomize", json.dumps(trace))

    def test_what_the_hook_saw_as_a_chrome_trace(self):
        path = self.folder / "trace"
        self.assertEqual(run("trace-init", "--live", "--chrome", str(path), "--quiet", "--", *SERVER, env=HOOKED).returncode, 0)
        trace = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(violations(trace), [])
        self.assertGreater(len({event["tid"] for event in trace["traceEvents"] if event["ph"] == "i"}), 1)

    def test_a_server_that_comes_up_with_a_draft_worker(self):
        trace, _ = self.trace("--hook")
        self.assertEqual(trace["outcome"], "pass")
        self.assertEqual({step["worker"] for step in trace["steps"]} - {"log"}, {"target", "draft"})
        self.assertFalse([step for step in trace["steps"] if step["mark"] == "died"])

    def test_the_hook_changes_nothing_else(self):
        plain = subprocess.run([*SERVER, "--hook"], env=HOOKED, capture_output=True, text=True, check=True, timeout=60)
        _, printed = self.trace("--hook")
        self.assertEqual(printed.strip(), plain.stdout.strip())

    def test_a_command_that_cannot_be_started(self):
        result = run("trace-init", "--live", "--", str(self.folder / "no-such-program"))
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aringside: .*no-such-program.*\n\Z")

    def test_a_command_that_says_itself_that_something_was_not_found(self):
        result = run("trace-init", "--live", "--json", "-", "--", "sh", "-c", "echo 'no such server' >&2; exit 127")
        self.assertEqual((result.returncode, result.stderr), (0, "no such server\n"))
        self.assertEqual(json.loads(result.stdout)["trace"]["title"], "a live run")

    def start_sleeper(self):
        """ringside with a command that sleeps, and the command's process."""
        script = 'echo $$ > "$0/new"; mv "$0/new" "$0/pid"; exec sleep 60'
        process = subprocess.Popen([RINGSIDE, "trace-init", "--live", "--", "sh", "-c", script, str(self.folder)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until((self.folder / "pid").exists, "the start of the command")
        return process, int((self.folder / "pid").read_text())

    def test_no_command_survives_ringside(self):
        process, command = self.start_sleeper()
        self.assertTrue(is_running(command))
        process.kill()
        wait_until(lambda: not is_running(command), "the end of the command", 5)

    def test_ctrl_c_ends_the_command(self):
        process, command = self.start_sleeper()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 0)
        self.assertFalse(is_running(command))


if __name__ == "__main__":
    unittest.main()
