"""ringside compare through the real binary: two results, a second look, every form."""

import json
import unittest

from support import document_schema
from support.compare_case import CompareCase, QUIET, SMALL
from support.ringside import RINGSIDE, run


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
            document["request"]["input"] = "cold"

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


if __name__ == "__main__":
    unittest.main()
