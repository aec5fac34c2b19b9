"""Ctrl-C, SIGTERM and a terminal that goes: what is finished is kept; the second ends at once."""

import fcntl
import json
import os
import pty
import signal
import subprocess
import termios
import time
import unittest

from support.ringside import (LONG, RINGSIDE, FolderTestCase, environment, finished, is_running, ranks_of, wait_until)


class Interrupted(FolderTestCase):
    def interrupted_by(self, signal_number):
        sweep = self.start(*LONG)
        sweep.wait_for_rows()
        ranks = ranks_of(sweep.pid)
        os.kill(sweep.pid, signal_number)
        self.assertEqual(sweep.end(), 130)
        document = sweep.document()
        self.assertIs(document["complete"], False)
        self.assertEqual(document["method"]["stop_reason"], "interrupted")
        self.assertGreaterEqual(len(finished(document)), 2)
        self.assertLess(len(finished(document)), len(document["rows"]))
        wait_until(lambda: not any(is_running(pid) for pid in ranks.values()), "the end of the ranks")

    def test_ctrl_c_keeps_what_is_finished(self):
        self.interrupted_by(signal.SIGINT)

    def test_sigterm_is_ctrl_c(self):
        self.interrupted_by(signal.SIGTERM)

    def test_a_terminal_that_goes_is_ctrl_c(self):
        self.interrupted_by(signal.SIGHUP)

    def test_a_second_hangup_does_not_end_at_once(self):
        """A shell sends one to its jobs, and the kernel another."""
        sweep = self.start(*LONG)
        sweep.wait_for_rows()
        for _ in range(3):
            os.kill(sweep.pid, signal.SIGHUP)
        self.assertEqual(sweep.end(), 130)
        self.assertEqual(sweep.document()["method"]["stop_reason"], "interrupted")

    def test_one_on_a_terminal_that_goes_keeps_what_is_finished(self):
        master, terminal = pty.openpty()
        path = self.folder / "result.json"
        process = subprocess.Popen([RINGSIDE, "probe-comm", *LONG, "--json", str(path)], stdin=terminal, stdout=terminal,
                                   stderr=terminal, start_new_session=True, env=environment(),
                                   preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        os.close(terminal)
        wait_until(lambda: path.exists() and finished(json.loads(path.read_text())), "a finished row")
        os.close(master)
        self.assertEqual(process.wait(60), 130)
        self.assertEqual(json.loads(path.read_text())["method"]["stop_reason"], "interrupted")

    def test_the_second_ctrl_c_ends_at_once(self):
        sweep = self.start(*LONG, "--timeout", "600")
        ranks = sweep.wait_for_round("round 2")
        os.kill(ranks[0], signal.SIGSTOP)  # now no turn ends
        os.kill(sweep.pid, signal.SIGINT)
        wait_until(lambda: "once more ends at once" in sweep.log(), "the answer to the first Ctrl-C")
        time.sleep(1)
        self.assertIsNone(sweep.process.poll())
        os.kill(sweep.pid, signal.SIGINT)
        self.assertEqual(sweep.end(10), 130)
        wait_until(lambda: not any(is_running(pid) for pid in ranks.values()), "the end of the ranks")

    def test_a_ctrl_c_that_reaches_the_ranks_too_does_not_end_them(self):
        sweep = self.start(*LONG)
        ranks = sweep.wait_for_round("round 2")
        for pid in ranks.values():
            os.kill(pid, signal.SIGINT)
        seen = sweep.log().count("\n")
        wait_until(lambda: sweep.log().count("\n") > seen + 10, "more turns")
        self.assertTrue(all(is_running(pid) for pid in ranks.values()))


if __name__ == "__main__":
    unittest.main()
