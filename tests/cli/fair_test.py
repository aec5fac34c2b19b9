"""A busy machine and a short budget: what is noticed, what is kept, and what is said."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time
import unittest

from support.ringside import RINGSIDE, run

ALONE = ("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "ring,ring", "--timeout", "300", "--json", "-", "--quiet")


@contextlib.contextmanager
def busy_processes(count):
    """Processes that want all of a core each."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def on_one_core():
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])


def kinds(document):
    return {finding["kind"] for finding in document["findings"]}


class BusyMachine(unittest.TestCase):
    def test_other_work_on_the_ranks_cores_is_noticed_and_names_no_winner(self):
        with busy_processes(2 * len(os.sched_getaffinity(0))):
            result = run(*ALONE, "--sizes", "4K", "--rounds", "8", "--budget", "60", timeout=200)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = json.loads(result.stdout)
        self.assertIn("machine-busy", kinds(document))
        verdict, = document["verdicts"]
        self.assertIsNone(verdict["winner"])
        launches = [launch for row in document["rows"] for launch in row["launches"]]
        self.assertTrue(any(launch["disturbed_rounds"] for launch in launches))
        for launch in launches:
            rounds = len(launch["samples_ns"]) // launch["samples_per_round"]
            self.assertTrue(all(0 <= round_ < rounds for round_ in launch["disturbed_rounds"]))

    def test_ranks_beyond_cores_are_said(self):
        result = subprocess.run([RINGSIDE, *ALONE, "--sizes", "2K", "--launches", "1", "--rounds", "3", "--budget", "60"],
                                capture_output=True, text=True, check=False, timeout=200, preexec_fn=on_one_core)
        self.assertEqual(result.returncode, 0, result.stderr)
        finding, = (finding for finding in json.loads(result.stdout)["findings"] if finding["kind"] == "cores-shared")
        self.assertTrue(finding["message"].startswith("2 ranks share 1 core"), finding["message"])


class Budget(unittest.TestCase):
    def test_it_is_kept_beside_busy_processes(self):
        with busy_processes(4):
            begun = time.monotonic()
            result = run("probe-comm", "--device", "host", "--ranks", "2", "--budget", "4", "--json", "-", "--quiet", timeout=200)
            took = time.monotonic() - begun
        self.assertIn(result.returncode, (0, 3), result.stderr)
        self.assertLess(took, 7, "4 s and 3 more")
        document = json.loads(result.stdout)
        reached = {finding["kind"]: finding for finding in document["findings"]}
        if not document["complete"]:
            self.assertIn("budget of 4 s", reached["not-reached"]["message"])

    def test_one_that_is_too_small_ends_with_3_and_says_which_would_do(self):
        result = run("probe-comm", "--device", "host", "--ranks", "2", "--sizes", "64M", "--budget", "0.1", "--json", "-", "--quiet",
                     timeout=200)
        self.assertEqual(result.returncode, 3, result.stderr)
        nothing, = (finding for finding in json.loads(result.stdout)["findings"] if finding["kind"] == "nothing-measured")
        self.assertRegex(nothing["remedy"], r"--budget \d+, the smallest that would do")

    def test_a_plan_says_what_would_be_left_out(self):
        plan = run("probe-comm", "--device", "host", "--ranks", "2", "--sizes", "2K,64M", "--budget", "1", "--plan").stdout
        self.assertRegex(plan, r"(?m)^time: about .* \(3 launches, budget 1 s\)$")
        self.assertRegex(" ".join(plan.split()), r"left out: 64M bf16 eager, for want of time, by a guess")
        plan = run("probe-comm", "--device", "host", "--ranks", "2", "--sizes", "2K,4M", "--budget", "2", "--plan").stdout
        self.assertRegex(" ".join(plan.split()), r"cut: all launches with the fewest rounds take about \d+ s, by a guess")
        plan = run("probe-comm", "--device", "host", "--ranks", "2", "--sizes", "2K,64K", "--plan").stdout
        self.assertIsNone(re.search("left out", plan))


if __name__ == "__main__":
    unittest.main()
