"""The gate as CI runs it, through the real binary: builds side by side, calibrations."""

import json
import subprocess
import time
import unittest

from support import document_schema
from support.compare_case import CompareCase, SMALL
from support.ringside import RINGSIDE, environment, run, wait_until


class SelfTest(CompareCase):
    """The gate sees what it must see, and does not see what is not there: this build against itself."""

    def against(self, *arguments):
        result = run(*SMALL, "--launches", "5", "--against", RINGSIDE, "--json", "-", *arguments, env=self.env,
                     timeout=300)
        document = document_schema.parse(result.stdout)
        self.assertEqual(document_schema.violations(document), [])
        return result.returncode, document

    def test_unchanged_code_ends_with_0(self):
        status, document = self.against()
        self.assertEqual(status, 0, document["findings"])
        self.assertEqual({len(row["launches"]) for row in document["rows"]}, {5})

    def test_a_slowdown_by_100_percent_ends_with_6(self):
        """Where the launches of one build lie further apart than that, nobody can tell: then the machine is too busy."""
        for _ in range(3):
            status, document = self.against("--inject-slowdown", "ring=2")
            looks = [look for row in document["rows"] for look in row["comparison"]["stages"]]
            quiet = all(max(side) < 1.5 * min(side) for look in looks for side in (look["base_ns"], look["new_ns"]))
            if quiet or status == 6:
                self.assertEqual(status, 6, [row["comparison"] for row in document["rows"]])
                self.assertIn("regress", {row["status"] for row in document["rows"]})
                return
        self.skipTest("the machine is too busy for any comparison")


    def test_cases_that_neither_build_reached_are_no_pass(self):
        result = run("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "1K:16M:x2", "--launches",
                     "1", "--budget", "2", "--quiet", "--against", RINGSIDE, "--json", "-", env=self.env, timeout=300)
        document = json.loads(result.stdout)
        findings = [finding["id"] for finding in document["findings"]]
        self.assertIn("not-reached:sweep", findings)
        self.assertIs(document["complete"], False)
        # On a busy machine a second of each build may be too short for any case.
        self.assertEqual(result.returncode, 3 if "nothing-measured:sweep" in findings else 7, result.stderr)


class Calibrate(CompareCase):
    def calibrate(self, *arguments):
        """What is refused because the host moved this guest's cores meanwhile is done again."""
        for _ in range(3):
            result = run(*SMALL[:-1], "--calibrate", *arguments, env=self.env, timeout=300)
            if "the link itself changed" not in result.stderr:
                return result
        self.skipTest("the machine moves all the time")

    def test_its_thresholds_are_used_by_later_comparisons(self):
        result = self.calibrate("--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["method"]["launches"], 6)
        stored = list((self.folder / "data" / "ringside" / "calibration").iterdir())
        self.assertEqual(len(stored), 1)
        document = self.compare(self.write("a.json"), self.write("b.json"))
        self.assertEqual(document["comparison"]["calibration"], str(stored[0]))
        self.assertIn("calibrated 1 of the 5 times", result.stderr)
        stored[0].write_text("no calibration")  # must not be in the way of the next one
        self.assertEqual(self.calibrate("--quiet").returncode, 0)
        self.assertIn("[[case]]", stored[0].read_text())

    def stored(self):
        return [path for path in (self.folder / "data" / "ringside" / "calibration").iterdir()]

    def test_runs_at_the_same_time_add_up(self):
        def start(size):
            return subprocess.Popen([RINGSIDE, *SMALL[:-1], "--calibrate", "--sizes", size, "--budget", "60"], env=self.env,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

        sizes = ("1K", "2K", "3K", "5K")
        runs = [start(size) for size in sizes]
        told = [one.communicate(timeout=300)[1] for one in runs]
        if any("the link itself changed" in text for text in told):
            self.skipTest("the machine moves all the time")
        self.assertEqual([one.returncode for one in runs], [0] * len(sizes), told)
        self.assertEqual([path.suffix for path in self.stored()], [".toml"])
        text = self.stored()[0].read_text()
        self.assertEqual(text.count("[[case]]"), len(sizes))

    def test_a_place_that_cannot_be_written_is_known_before_anything_is_measured(self):
        (self.folder / "file").touch()
        self.env["XDG_DATA_HOME"] = str(self.folder / "file")
        begun = time.monotonic()
        result = self.calibrate("--rounds", "100000", "--min-rounds", "100000")
        self.assertLess(time.monotonic() - begun, 20)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aringside: can't store the calibration: can't make the folder .*\n\Z")

    def test_a_place_that_goes_meanwhile_costs_the_calibration_alone(self):
        paths = [self.folder / "x.json", self.folder / "x.md"]
        with open(self.folder / "log", "w+", encoding="utf-8") as log:
            process = subprocess.Popen([RINGSIDE, *SMALL[:-1], "--calibrate", "--json", str(paths[0]), "--md", str(paths[1])],
                                       env=self.env, stdout=subprocess.DEVNULL, stderr=log)
            wait_until(paths[0].exists, "a first result")
            data = self.folder / "data"
            data.rename(self.folder / "away")
            data.touch()
            self.assertEqual(process.wait(300), 3)
            log.seek(0)
            self.assertIn("can't store the calibration", log.read())
        self.assertTrue(json.loads(paths[0].read_text())["complete"])
        self.assertTrue(paths[1].exists())

    def test_too_few_launches_leave_the_result_and_what_was_stored(self):
        self.assertEqual(self.calibrate("--quiet").returncode, 0)
        before = self.stored()[0].read_text()
        path = self.folder / "x.json"
        result = run(*SMALL[:-1], "--calibrate", "--launches", "2", "--json", str(path), env=self.env)
        self.assertEqual(result.returncode, 3)
        self.assertIn("nothing to calibrate: no case has 6 launches", result.stderr)
        self.assertEqual({len(row["launches"]) for row in json.loads(path.read_text())["rows"]}, {4})
        self.assertEqual(self.stored()[0].read_text(), before)


class UnusedCalibration(CompareCase):
    def setUp(self):
        super().setUp()
        self.calibration = self.folder / "calibration.toml"
        self.calibration.write_text('measured = ["today"]\nlaunches = 5\nmachine = "box"\n[facts]\n[[case]]\n'
                                    'case = "of another sweep"\nratio99 = [0.1]\nmiddle_ns = [1]\nfloor_ns = [0]\n')

    def test_of_a_comparison_that_has_none_of_its_cases(self):
        self.assertEqual(self.refused(self.write("a.json"), self.write("b.json"), "--calibration", str(self.calibration)),
                         f"ringside: --calibration {self.calibration} would not be used: it has none of the cases that are "
                         "compared\n")

    def test_of_results_that_are_not_judged(self):
        def other_machine(document):
            document["machine"]["facts"]["cpu"] = "another"

        self.assertIn("would not be used: results of different machines are not judged",
                      self.refused(self.write("a.json"), self.write("b.json", change=other_machine), "--across-machines",
                                   "--calibration", str(self.calibration)))

    def test_of_a_sweep_that_compares_nothing_or_other_cases(self):
        for more, why in (((), "only --against compares anything"),
                          (("--against", RINGSIDE), "it has none of the cases that are compared")):
            begun = time.monotonic()
            result = run(*SMALL, "--rounds", "100000", "--min-rounds", "100000", *more, "--calibration", str(self.calibration),
                         env=self.env)
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"would not be used: {why}\n", result.stderr)
            self.assertLess(time.monotonic() - begun, 20)


if __name__ == "__main__":
    unittest.main()
