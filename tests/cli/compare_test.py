"""ringside compare and the gate around it, through the real binary."""

import copy
import json
import subprocess
import time
import unittest

from support import document_schema
from support.ringside import FolderTestCase, RINGSIDE, environment, run, wait_until

SMALL = ("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "1K,4K", "--rounds", "10",
         "--launches", "3", "--budget", "30", "--quiet")
QUIET = [100.0, 100.2, 100.4, 100.6, 100.8]


class CompareCase(FolderTestCase):
    """`write` makes results by hand out of one real one, so that their times are known."""

    @classmethod
    def setUpClass(cls):
        made = run(*SMALL[:-1], "--launches", "1", "--json", "-")
        assert made.returncode == 0, made.stderr
        cls.template = json.loads(made.stdout)

    def setUp(self):
        super().setUp()
        self.env = environment(XDG_DATA_HOME=str(self.folder / "data"))

    def write(self, name, factor=1.0, change=lambda document: None, medians=tuple(QUIET)):
        """The path of a result in which each case has launches of these medians (us), times `factor`."""
        document = copy.deepcopy(self.template)
        for row in document["rows"]:
            launch = row["launches"][0]
            row["launches"] = [
                {**launch, "launch": i, "samples_ns": [median * factor * 1e3] * 24} for i, median in enumerate(medians)]
        document["method"]["launches"] = len(medians)
        change(document)
        path = self.folder / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return str(path)

    def compare(self, *arguments, status=0):
        result = run("compare", *arguments, "--json", "-", env=self.env)
        self.assertEqual(result.returncode, status, result.stderr)
        document = document_schema.parse(result.stdout)
        self.assertEqual(document_schema.violations(document), [])
        return document

    def refused(self, *arguments):
        result = run("compare", *arguments, env=self.env)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr


class Verdicts(CompareCase):
    def statuses(self, document):
        return {row["status"] for row in document["rows"]}

    def test_the_same_times_pass(self):
        document = self.compare(self.write("a.json"), self.write("b.json", 1.001))
        self.assertEqual(self.statuses(document), {"pass"})
        self.assertEqual(document["command"], "compare")

    def test_a_slowdown_beyond_twice_the_threshold_ends_with_6_and_a_speed_up_with_0(self):
        slow = self.compare(self.write("a.json"), self.write("b.json", 1.1), status=6)
        self.assertEqual(self.statuses(slow), {"regress"})
        self.assertIn("regression:ring 1K bf16 eager", [finding["id"] for finding in slow["findings"]])
        fast = self.compare(self.write("a.json"), self.write("b.json", 0.9))
        self.assertEqual(self.statuses(fast), {"improve"})

    def test_what_nobody_confirmed_is_ambiguous_and_fails_only_when_asked(self):
        files = (self.write("a.json"), self.write("b.json", 1.05))
        self.assertEqual(self.statuses(self.compare(*files, "--no-confirm")), {"ambiguous"})
        self.compare(*files, "--no-confirm", "--fail-on", "ambiguous", status=7)
        self.compare(self.write("a.json"), self.write("b.json", 1.1), "--no-confirm", "--fail-on", "none")

    def test_two_files_are_read_and_nothing_is_measured_unless_asked(self):
        files = (self.write("a.json"), self.write("b.json", 1.1))
        for option in ((), ("--no-confirm",)):
            with self.subTest(option):
                document = self.compare(*files, *option, status=6)
                self.assertEqual(document["comparison"]["confirmation"], "not measured again: --confirm was not given")
        self.assertIn("contradict", self.refused(*files, "--confirm", "--no-confirm"))

    def test_a_result_that_cannot_be_measured_again_says_why(self):
        def other_build(document):
            document["tool"]["commit"] = "000000000000"

        def no_request(document):
            document["request"] = None

        def described(document):
            document["request"]["device"] = "model"

        def no_cases(document):
            document["request"]["cases"] = []

        def many_calls(document):
            document["request"]["calls_per_sample"] = 10000

        def cold(document):
            document["request"]["cold_input"] = True

        def slowed(document):
            document["request"]["slowdowns"] = [{"strategy": "all", "factor": 50}]

        def many_ranks(document):
            document["request"]["ranks"] = 1000

        def profiled(document):
            document["request"]["profile"] = True
        for change, why in ((no_cases, "has no cases"), (other_build, "another build"),
                            (no_request, "does not hold its request"), (described, "calculated, not measured"),
                            (many_calls, "not 122: give --ops-per-graph 10000"), (cold, "give --input cold"),
                            (slowed, "made slower on purpose"), (many_ranks, "1000 ranks"), (profiled, "for a profiler")):
            with self.subTest(why):
                document = self.compare(self.write("a.json"), self.write("b.json", 1.1, change), "--confirm", status=6)
                self.assertIn(why, document["comparison"]["confirmation"])
                self.assertEqual({len(row["comparison"]["stages"]) for row in document["rows"]}, {1})

    def test_a_result_names_cases_and_nothing_else_of_what_is_measured_again(self):
        """A budget of a week, a library and a time-out of a day are data: neither is taken, and it is said."""
        def greedy(document):
            request = document["request"]
            request.update(budget_ns=604_800_000_000_000, turn_timeout_ns=86_400_000_000_000, min_rounds=100_000,
                           max_rounds=100_000, nccl_library=str(self.folder / "evil.so"), launches=100, seed=7)
        files = (self.write("a.json", 1e4), self.write("b.json", 2e4, greedy))
        document = self.compare(*files, "--confirm", "--budget", "20", "--rounds", "12")
        self.assertIn("fresh launches of the new side", document["comparison"]["confirmation"])
        said = {finding["kind"]: finding["message"] for finding in document["findings"]}["request-differs"]
        for difference in ("time-out of a turn 30 s, recorded ", "rounds at least 10, recorded 100000",
                           "rounds at most 12, recorded 100000", "no NCCL library, recorded '"):
            self.assertIn(difference, said)

    def test_how_suspects_are_measured_again_needs_confirm(self):
        files = (self.write("a.json"), self.write("b.json"))
        for option in (("--budget", "5"), ("--timeout", "5"), ("--rounds", "5"), ("--nccl-lib", "x.so"), ("--input", "warm")):
            self.assertIn("--confirm", self.refused(*files, *option))

    def test_suspects_are_measured_again_by_the_build_that_made_them(self):
        """The file says twice as slow as the base; this box now says something else altogether."""
        document = self.compare(self.write("a.json", 1e4), self.write("b.json", 2e4), "--confirm")
        self.assertIn("fresh launches of the new side", document["comparison"]["confirmation"])
        self.assertEqual({len(row["comparison"]["stages"]) for row in document["rows"]}, {2})
        self.assertEqual(self.statuses(document), {"ambiguous"})

    def test_several_files_of_a_side(self):
        document = self.compare(self.write("a.json", medians=QUIET[:2]), self.write("b.json"),
                                "--base", self.write("c.json", medians=QUIET[2:]))
        self.assertEqual(self.statuses(document), {"pass"})
        self.assertEqual([len(row["comparison"]["stages"][0]["base_ns"]) for row in document["rows"]], [5, 5])

    def test_a_case_that_is_missing_is_said(self):
        def drop(document):
            del document["rows"][0]
        files = (self.write("a.json"), self.write("b.json", change=drop))
        document = self.compare(*files, status=7)
        self.assertEqual([row["status"] for row in document["rows"]], ["pass", "skipped"])
        self.compare(*files, "--fail-on", "none")
        result = run("compare", *files, "--junit", "-", env=self.env)
        self.assertIn('<error type="no-longer-measured"', result.stdout)
        table = run("compare", *files, env=self.env)
        self.assertRegex(table.stdout, r"verdict +1 of the base without a new time, 1 pass")
        self.assertIn("no-longer-measured:new result", [finding["id"] for finding in document["findings"]])

    def test_the_table_names_what_became_slower(self):
        result = run("compare", self.write("a.json"), self.write("b.json", 1.1), "--no-confirm", env=self.env)
        self.assertIn("ring 1K bf16 eager is 10.0 % slower than before, where 3.0 % counts", result.stdout)
        self.assertRegex(result.stdout, r"verdict +2 regress")

    def test_a_calibration_in_a_file_raises_the_threshold(self):
        calibration = self.folder / "calibration.toml"
        calibration.write_text('measured = ["today"]\nlaunches = 5\nmachine = "box"\n[facts]\n[[case]]\n'
                               'case = "allreduce ring 0 host eager 1024 bf16 2 "\n'
                               'ratio99 = [0.2]\nmiddle_ns = [1000]\nfloor_ns = [0]\n')
        document = self.compare(self.write("a.json"), self.write("b.json", 1.1), "--no-confirm", "--calibration",
                                str(calibration), status=6)
        self.assertEqual([row["status"] for row in document["rows"]], ["pass", "regress"])
        self.assertEqual(document["rows"][0]["comparison"]["threshold_origin"], "calibration")


class Request(CompareCase):
    """What was asked is in the result: neither the folder nor a scenario file that has changed since has a part."""

    SCENARIO = ('title = "two sizes"\nranks = 2\nstrategies = ["ring"]\nsizes = [{}]\nmax_rounds = 10\nbudget = "30s"\n'
                'launches = 1\n')

    def probed(self, folder):
        folder.mkdir()
        scenario = folder / "sweep.toml"
        scenario.write_text(self.SCENARIO.format("1024, 4096"))
        result = run("probe-comm", "sweep.toml", "--device", "host", "--quiet", "--json", "-", cwd=folder, env=self.env)
        self.assertEqual(result.returncode, 0, result.stderr)
        return scenario, json.loads(result.stdout)

    def test_a_result_holds_its_request_and_the_text_of_its_scenario(self):
        scenario, document = self.probed(self.folder / "there")
        self.assertEqual(document_schema.violations(document), [])
        request = document["request"]
        self.assertEqual(request["cases"], [{"collective": "allreduce", "strategies": ["ring"], "bytes": [1024, 4096],
                                             "dtypes": ["bf16"], "modes": ["eager"], "load": []}])
        self.assertEqual((request["ranks"], request["max_rounds"], request["budget_ns"]), (2, 10, 30_000_000_000))
        self.assertEqual([(text["role"], text["origin"], text["text"]) for text in document["inputs"]],
                         [("scenario", "sweep.toml", scenario.read_text())])

    def test_suspects_are_measured_by_the_request_wherever_compare_stands(self):
        scenario, self.template = self.probed(self.folder / "there")
        files = (self.write("a.json", 1e4), self.write("b.json", 2.9e4))
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for folder, text in ((scenario.parent, self.SCENARIO.format("1024, 4096")), (elsewhere, None),
                             (scenario.parent, self.SCENARIO.format("65536")), (scenario.parent, "not even TOML")):
            if text:
                scenario.write_text(text)
            with self.subTest(folder=folder.name, text=text):
                result = run("compare", *files, "--confirm", "--json", "-", env=self.env, cwd=folder)
                document = json.loads(result.stdout)
                self.assertIn("fresh launches of the new side", document["comparison"]["confirmation"])
                self.assertEqual([len(row["comparison"]["stages"]) for row in document["rows"]], [2, 2])

    def test_both_builds_of_a_comparison_get_the_request(self):
        folder = self.folder / "there"
        folder.mkdir()
        (folder / "sweep.toml").write_text(self.SCENARIO.format("1024"))
        result = run("probe-comm", "sweep.toml", "--device", "host", "--against", RINGSIDE, "--no-confirm", "--launches", "3",
                     "--quiet", "--json", "-", cwd=folder, env=self.env, timeout=300)
        document = json.loads(result.stdout)
        self.assertEqual(document_schema.violations(document), [])
        self.assertEqual(document["request"]["cases"][0]["bytes"], [1024])
        self.assertEqual([row["params"]["bytes"] for row in document["rows"]], [1024])


class Outputs(CompareCase):
    FORMS = ("csv", "md", "html", "junit", "gab", "bmf")

    def shown(self, *arguments, folder, status):
        (self.folder / folder).mkdir()
        paths = {form: self.folder / folder / form for form in self.FORMS}
        options = [word for form, path in paths.items() for word in (f"--{form}", str(path))]
        summary = self.folder / folder / "summary"
        result = run(*arguments, *options, "--github",
                     env={**self.env, "GITHUB_STEP_SUMMARY": str(summary)})
        self.assertEqual(result.returncode, status, result.stderr)
        return {"stdout": result.stdout, "annotations": result.stderr, "summary": summary.read_text(),
                **{form: path.read_text() for form, path in paths.items()}}

    def test_compare_has_every_form_and_report_gives_them_again_from_the_saved_json(self):
        saved = str(self.folder / "comparison.json")
        first = self.shown("compare", self.write("a.json"), self.write("b.json", 1.1), "--no-confirm", "--json", saved,
                           folder="first", status=6)
        again = self.shown("report", saved, folder="again", status=0)
        self.assertEqual(again, first)
        self.assertIn('failures="2"', first["junit"])
        self.assertEqual(first["csv"].count(",regress,"), 2)
        self.assertIn("- **verdict**: 2 regress", first["summary"])
        self.assertRegex(first["annotations"], r"::error title=ringside compare%3A regression::ring 1K")

    def test_the_launches_of_both_builds_have_every_form_too(self):
        result = run(*SMALL, "--against", RINGSIDE, "--csv", "-", env=self.env, timeout=300)
        self.assertIn(result.returncode, (0, 6), result.stderr)
        head, *lines = result.stdout.splitlines()
        self.assertIn(",base_ns,new_ns,", head)
        self.assertEqual(len(lines), 2)


class Refusals(CompareCase):
    def test_of_what_is_no_result(self):
        good = self.write("good.json")
        self.assertIn("cannot read", self.refused(good, str(self.folder / "none.json")))
        bad = self.folder / "bad.json"
        for text in ("", "{", "[]", "[" * 100000, "{\"schema\": \"ringside.document\", \"schema_version\": \"2.0.0\"}"):
            with self.subTest(text[:20]):
                bad.write_text(text, encoding="utf-8")
                self.assertIn("bad.json", self.refused(good, str(bad)))

    def test_of_one_file_alone(self):
        self.assertIn("BASE NEW", self.refused(self.write("a.json")))

    def test_of_results_from_different_machines_unless_asked(self):
        def other_machine(document):
            document["machine"]["facts"]["cpu"] = "Abacus"
        files = (self.write("a.json"), self.write("b.json", 2, other_machine))
        self.assertRegex(self.refused(*files), r"cpu: .* and Abacus")
        document = self.compare(*files, "--across-machines")
        self.assertFalse(document["comparison"]["judged"])
        self.assertEqual({row["status"] for row in document["rows"]}, {"ambiguous"})
        self.assertAlmostEqual(document["rows"][0]["comparison"]["stages"][0]["ratio"], 2, places=2)


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
