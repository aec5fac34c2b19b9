"""Ranks that die or stop answering cost one case, and a dead coordinator leaves nobody behind."""

import os
import signal
import subprocess
import time
import unittest

from support.ringside import (LONG, PATIENCE_S, RINGSIDE, SHORT, FolderTestCase, finished, is_running, least, ranks_of,
                              stop_waited_for, wait_until)

CASES = ("--device", "host", "--ranks", "2", "--strategy", "ring,tree", "--sizes", "4K,8K", "--launches", "1",
         "--rounds", "60", "--min-rounds", "60", "--budget", "300")


class LostRank(FolderTestCase):
    def one_row_lost(self, sweep, status, kind):
        """The row that was lost, its Finding, and that all others went on."""
        self.assertEqual(sweep.end(240), 5)
        document = sweep.document()
        lost = [row for row in document["rows"] if row["status"] != "pass"]
        self.assertEqual([row["status"] for row in lost], [status])
        self.assertIsNone(lost[0]["time"])
        self.assertEqual(len(finished(document)), 3)
        self.assertIs(document["complete"], True)
        findings = [finding for finding in document["findings"] if finding["id"] in lost[0]["findings"]]
        self.assertEqual([finding["kind"] for finding in findings], [kind])
        return findings[0]

    def test_a_rank_that_is_killed_fails_the_case_that_ran(self):
        sweep = self.start(*CASES, "--timeout", "600")
        ranks = sweep.wait_for_round("4K bf16 eager, round 2")
        stop_waited_for(ranks[0], ranks[1])
        os.kill(ranks[1], signal.SIGKILL)
        finding = self.one_row_lost(sweep, "failed", "rank-lost")
        self.assertRegex(finding["message"], r"^\w+ 4K bf16 eager lost a rank: rank 1 was killed by signal 9 \(Killed\) in "
                                             r"phase 'timing'")

    def test_a_rank_that_stops_answering_is_a_timeout(self):
        sweep = self.start(*CASES, "--timeout", "10")
        ranks = sweep.wait_for_round("4K bf16 eager, round 2")
        os.kill(ranks[0], signal.SIGSTOP)
        finding = self.one_row_lost(sweep, "timeout", "timeout")
        self.assertIn("rank 0", finding["message"])
        self.assertFalse(is_running(ranks[0]))

    def test_a_supervisor_that_ignores_its_children_delays_nothing(self):
        def seconds():
            begin = time.monotonic()
            result = subprocess.run([RINGSIDE, "probe-comm", *SHORT], capture_output=True, text=True, timeout=PATIENCE_S,
                                    preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
            self.assertEqual(result.returncode, 0, result.stderr)
            return time.monotonic() - begin

        self.assertLess(least(seconds, below=9), 9)  # a rank that seems alive is waited for 10 s

    def test_no_rank_survives_the_coordinator(self):
        sweep = self.start(*LONG)
        sweep.wait_for_rows()
        ranks = ranks_of(sweep.pid)
        self.assertEqual(len(ranks), 2)
        os.kill(sweep.pid, signal.SIGKILL)
        sweep.end()
        wait_until(lambda: not any(is_running(pid) for pid in ranks.values()), "the end of the ranks", 10)
        document = sweep.document()
        self.assertIs(document["complete"], False)
        self.assertGreaterEqual(len(finished(document)), 1)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["log.txt", "result.json"])


if __name__ == "__main__":
    unittest.main()
