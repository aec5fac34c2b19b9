"""trace-init --live on a small package of the shape of SGLang, with really spawned processes."""

import json
import os
import pathlib
import signal
import subprocess
import time
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
        self.assertEqual(trace["outcome"], "no-failure-found")
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
        trace = json.loads(result.stdout)["trace"]
        self.assertEqual((trace["title"], trace["outcome"]), ("a live run", "unknown-death"))
        self.assertIn("the command exited with status 127", trace["summary"])

    def ended(self, script, **options):
        result = run("trace-init", "--live", "--json", "-", "--", "sh", "-c", script, env=HOOKED, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["trace"]

    def test_an_end_that_no_log_tells_of_is_a_death_with_its_status(self):
        for script, how in (("kill -9 $$", "the command was killed by signal 9 (Killed)"),
                            ("echo loading; exit 3", "the command exited with status 3")):
            trace = self.ended(script)
            self.assertEqual(trace["outcome"], "unknown-death")
            self.assertIn(f"died: {how} (no traceback)", trace["summary"])
        came_up = self.ended("echo 'The server is fired up and ready to roll!'; kill -9 $$")
        self.assertEqual(came_up["outcome"], "unknown-death")
        self.assertIn("it had come up before", came_up["summary"])

    def test_an_end_in_order_is_no_death(self):
        self.assertEqual(self.ended("echo done")["outcome"], "unknown")
        self.assertEqual(self.ended("echo 'The server is fired up and ready to roll!'")["outcome"], "no-failure-found")

    def test_a_stderr_that_cannot_be_written_costs_nothing(self):
        done = self.folder / "done"
        script = f"for i in 1 2 3; do echo line $i; sleep 0.05; done; touch {done}"
        for redirection in ("2>&-", "2>/dev/full"):
            result = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", RINGSIDE, "trace-init", "--live", "--json", "-",
                                     "--", "sh", "-c", script], capture_output=True, text=True, timeout=60, env=HOOKED, check=False)
            self.assertEqual(result.returncode, 0)
            self.assertEqual(json.loads(result.stdout)["trace"]["title"], "a live run")
            done.unlink()  # it was not killed

    def test_what_is_no_text_ends_no_server(self):
        done = self.folder / "done"
        trace = self.ended(f"printf 'a\\0b\\n'; sleep 0.2; echo 'The server is fired up and ready to roll!'; touch {done}")
        self.assertTrue(done.exists())
        self.assertEqual(trace["outcome"], "no-failure-found")

    def test_a_missing_folder_for_temporary_files_is_one_clear_line(self):
        result = run("trace-init", "--live", "--", "true", env=environment(TMPDIR=str(self.folder / "none")))
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertEqual(result.stderr, f"ringside: no folder for temporary files: {self.folder}/none is none; set TMPDIR to one\n")

    def start_workers(self):
        """ringside with a server, one of whose workers has left its session; its folder for temporary files."""
        temporary = self.folder / "tmp"
        temporary.mkdir()
        script = ('cd "$0"; setsid sh -c \'echo $$ > a; mv a worker; trap "" INT TERM HUP; while :; do sleep 0.05; done\' & '
                  'while ! [ -e worker ]; do sleep 0.01; done; echo $$ > b; mv b pid; trap "" INT; while :; do sleep 0.05; done')
        process = subprocess.Popen([RINGSIDE, "trace-init", "--live", "--json", str(self.folder / "trace.json"), "--", "sh", "-c",
                                    script, str(self.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment(TMPDIR=str(temporary)))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until((self.folder / "pid").exists, "the start of the server")
        return process, [int((self.folder / name).read_text()) for name in ("pid", "worker")], temporary

    def test_neither_a_worker_nor_a_folder_survives_ringside(self):
        for signals in ((signal.SIGKILL,), (signal.SIGTERM, signal.SIGTERM), (signal.SIGINT, signal.SIGINT)):
            with self.subTest(signals):
                process, pids, temporary = self.start_workers()
                self.assertEqual(len(list(temporary.iterdir())), 1)
                for number in signals:
                    process.send_signal(number)
                    time.sleep(0.1)
                self.assertIn(process.wait(5), (130, -signal.SIGKILL))
                wait_until(lambda: not any(map(is_running, pids)), "the end of server and worker", 2)
                wait_until(lambda: not list(temporary.iterdir()), "the end of the folder", 2)
                for name in ("tmp", "pid", "worker"):
                    path = self.folder / name
                    path.rmdir() if path.is_dir() else path.unlink()

    def test_a_folder_that_two_dead_processes_left_goes_with_the_next_run(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        left = self.folder / f"ringside-live-{gone.pid}-abcdef"
        left.mkdir()
        (left / "events").touch()
        run("trace-init", "--live", "--", "true", env=environment(TMPDIR=str(self.folder)))
        self.assertEqual(list(self.folder.iterdir()), [])

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
        self.assertEqual(process.wait(20), 130)
        self.assertFalse(is_running(command))

    def test_an_interrupted_run_keeps_its_trace(self):
        path = self.folder / "trace.json"
        process = subprocess.Popen([RINGSIDE, "trace-init", "--live", "--expect", "pass", "--json", str(path), "--", "sh", "-c",
                                    "echo 'The server is fired up and ready to roll!'; exec sleep 60"], text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130)
        document = json.loads(path.read_text())
        self.assertEqual((document["complete"], document["trace"]["outcome"]), (False, "no-failure-found"))


if __name__ == "__main__":
    unittest.main()
