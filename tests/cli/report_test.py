"""Saved results again, in every format, also side by side."""

import json
import os
import pathlib
import re
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from support.ringside import RINGSIDE, SHORT, FolderTestCase, cpu_seconds_of_children, environment, run

RESULTS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results"
SWEEP = RESULTS / "2026-11-30-h200x2/allreduce-graph.json"
SMALL = RESULTS / "2026-11-30-h200x2/allreduce-small.json"
ANOTHER = RESULTS / "2026-11-30-h200x2/allreduce-kimi-sizes.json"
DEFAULT = RESULTS / "2026-11-30-h200x2/default-sweep.json"
SPEC = RESULTS / "2026-11-30-h200x2/run-spec-kimi.json"
TRACE = ("trace-init", "kimi-k2.5-ep8-flashinfer")


class OneResult(FolderTestCase):
    def test_a_report_is_what_the_run_itself_wrote(self):
        saved = self.folder / "saved.json"
        formats = ("csv", "md", "junit", "gab", "bmf")
        arguments = [word for name in formats for word in (f"--{name}", str(self.folder / f"run.{name}"))]
        first = run("probe-comm", *SHORT, "--json", str(saved), *arguments)
        self.assertEqual(first.returncode, 0, first.stderr)
        arguments = [word for name in formats for word in (f"--{name}", str(self.folder / f"report.{name}"))]
        again = run("report", str(saved), "--json", str(self.folder / "again.json"), *arguments)
        self.assertEqual((again.returncode, again.stderr, again.stdout), (0, "", first.stdout))
        for name in formats:
            self.assertEqual((self.folder / f"run.{name}").read_text(), (self.folder / f"report.{name}").read_text())
        self.assertEqual(saved.read_text(), (self.folder / "again.json").read_text())

    def test_a_format_with_nothing_to_show_says_so_in_one_line(self):
        result = run("report", str(SWEEP), "--chrome", "-")
        self.assertEqual((result.returncode, json.loads(result.stdout)["traceEvents"]), (0, []))
        self.assertEqual(result.stderr, "ringside: --chrome shows a timeline, and this result has none\n")
        self.assertEqual(run("report", str(SWEEP), "--chrome", "-", "--quiet").stderr, "")
        result = run(*TRACE, "--gab", "-", "--chrome", str(self.folder / "trace.json"))
        self.assertEqual((result.returncode, result.stdout), (0, "[]\n"))
        self.assertEqual(result.stderr, "ringside: --gab shows numbers to follow, and this result has none\n")

    def test_stdin_is_a_file(self):
        with open(SWEEP, "rb") as source:
            result = subprocess.run([RINGSIDE, "report", "-"], stdin=source, capture_output=True, text=True, timeout=60,
                                    check=False, env=environment())
        self.assertEqual((result.returncode, result.stdout), (0, run("report", str(SWEEP)).stdout))

    def test_junit_of_a_sweep_names_every_case_once(self):
        rows = json.loads(SWEEP.read_text())["rows"]
        suite = ElementTree.fromstring(run("report", str(SWEEP), "--junit", "-").stdout).find("testsuite")
        names = [(test.get("classname"), test.get("name")) for test in suite.findall("testcase")]
        self.assertEqual(len(names), len(rows) + 1)
        self.assertEqual(len(set(names)), len(names))
        self.assertIn(("ringside.probe-comm.allreduce.cuda", "nccl-ring:ll 2K bf16 graph, 2 ranks"), names)
        skipped = sum(row["status"] == "skipped" for row in rows)
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")),
                         (str(len(names)), "0", "0", str(skipped)))
        for element in suite.iter("skipped"):
            self.assertIn("multicast", element.get("message"))

    def test_junit_of_wrong_data_of_a_crash_and_of_hostile_words(self):
        document = json.loads(SWEEP.read_text())
        hostile = "a \u0001\u001b[31m <![CDATA[ ]]> & \uffff \" ' end"
        for index, (kind, status) in enumerate((("wrong-data", "failed"), ("rank-lost", "timeout"))):
            document["rows"][index].update(status=status, findings=[f"{kind}:x"])
            document["findings"].append({"kind": kind, "severity": "error", "subject": "x", "message": hostile,
                                         "evidence": [hostile], "remedy": "", "id": f"{kind}:x"})
        path = self.folder / "bad.json"
        path.write_text(json.dumps(document))
        suite = ElementTree.fromstring(run("report", str(path), "--junit", "-").stdout).find("testsuite")
        self.assertEqual((suite.get("failures"), suite.get("errors")), ("1", "1"))
        self.assertEqual(suite.find("testcase/failure").get("type"), "wrong-data")
        self.assertEqual(suite.find("testcase/error").get("type"), "rank-lost")
        self.assertEqual(suite.find("testcase/failure").get("message"),
                         "a \\x01\\x1b[31m <![CDATA[ ]]> & \\uffff \" ' end")

    def test_trackers_get_json_of_every_case_with_a_time(self):
        timed = sum(row["time"] is not None for row in json.loads(SWEEP.read_text())["rows"])
        gab = json.loads(run("report", str(SWEEP), "--gab", "-").stdout)
        bmf = json.loads(run("report", str(SWEEP), "--bmf", "-").stdout)
        self.assertEqual((len(gab), len(bmf)), (timed + 1, timed + 1))  # and the number of failed cases
        for entry in gab[:-1]:
            self.assertGreater(entry["value"], 0)
            self.assertEqual(bmf[entry["name"]]["latency"]["value"], entry["value"])

    def test_traces_and_specs_have_their_formats_too(self):
        path = self.folder / "trace.json"
        self.assertEqual(run(*TRACE, "--json", str(path)).returncode, 0)
        self.assertEqual(run("report", str(path)).stdout, run(*TRACE).stdout)
        suite = ElementTree.fromstring(run("report", str(path), "--junit", "-").stdout).find("testsuite")
        self.assertEqual(suite.get("failures"), "0")
        self.assertIn("recommendation", json.loads(SPEC.read_text())["spec"])
        self.assertIn("run-spec/custom/tp/graph", json.loads(run("report", str(SPEC), "--bmf", "-").stdout))

    def test_a_trace_with_another_end_fails_in_junit(self):
        path = self.folder / "trace.xml"
        self.assertEqual(run(*TRACE, "--expect", "pass", "--junit", str(path)).returncode, 6)
        failure = ElementTree.parse(path).find("testsuite/testcase/failure")
        self.assertEqual(failure.get("type"), "unexpected-outcome")


class Github(FolderTestCase):
    def report(self, *arguments, **changes):
        return run("report", *arguments, "--github", env=environment(**changes))

    def test_annotations_on_stderr_and_the_rest_in_the_summary(self):
        summary = self.folder / "summary.md"
        summary.write_text("before\n")
        document = json.loads(SWEEP.read_text())
        document["findings"].append({"kind": "wrong-data", "severity": "error", "subject": "ring", "message": "100 %\nx",
                                     "evidence": [], "remedy": "", "id": "wrong-data:ring"})
        path = self.folder / "bad.json"
        path.write_text(json.dumps(document))
        result = self.report(str(path), "--csv", "-", GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stderr, "::error title=ringside probe-comm%3A wrong-data::ring: 100 %25%0Ax\n")
        self.assertTrue(result.stdout.startswith("strategy,"))
        self.assertTrue(summary.read_text().startswith("before\n### ringside probe-comm\n"))

    def test_without_a_summary_there_are_annotations_alone(self):
        self.assertEqual(self.report(str(SWEEP), GITHUB_STEP_SUMMARY=None).returncode, 0)

    def test_a_summary_that_can_not_be_written_is_said(self):
        result = self.report(str(SWEEP), GITHUB_STEP_SUMMARY=str(self.folder / "none/x"))
        self.assertEqual((result.returncode, result.stderr), (
            3, f"ringside: cannot write '{self.folder}/none/x' (GITHUB_STEP_SUMMARY): No such file or directory\n"))


class SeveralResults(FolderTestCase):
    def test_they_stand_beside_one_another(self):
        result = run("report", str(SWEEP), str(ANOTHER))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"size +strategy +allreduce-graph.json +allreduce-kimi-sizes.json")
        markdown = run("report", str(SWEEP), str(ANOTHER), "--md", "-").stdout
        self.assertIn("| allreduce-kimi-sizes.json / allreduce-graph.json |", markdown)
        lines = run("report", str(SWEEP), str(ANOTHER), "--csv", "-").stdout.splitlines()
        self.assertTrue(lines[0].endswith(",result"))
        self.assertEqual({line.rsplit(",", 1)[1] for line in lines[1:]}, {SWEEP.name, ANOTHER.name})

    def test_where_a_format_holds_one_the_rest_is_not_written_either(self):
        path = self.folder / "x.md"
        result = run("report", str(SWEEP), str(ANOTHER), "--md", str(path), "--junit", str(self.folder / "x.xml"))
        self.assertEqual((result.returncode, result.stderr), (2, "ringside: --junit takes one result; 2 were given\n"))
        self.assertEqual(list(self.folder.iterdir()), [])


class Warnings(FolderTestCase):
    def setUp(self):
        super().setUp()
        document = json.loads(SWEEP.read_text())
        for kind, severity, subject in (("pinning", "warning", "host"), ("pinning", "warning", "rank 1"),
                                        ("noise", "warning", "host"), ("no-memory", "error", "host")):
            document["findings"].append({"id": f"{kind}:{subject}", "kind": kind, "severity": severity, "subject": subject,
                                         "message": f"about {kind} of {subject}", "evidence": [], "remedy": ""})
        self.path = self.folder / "warned.json"
        self.path.write_text(json.dumps(document))

    def told(self, *arguments, **changes):
        result = run("report", str(self.path), *arguments, env=environment(**changes))
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.findall(r"about ([\w-]+ of \w+)", result.stdout + result.stderr)

    def test_a_warning_is_silenced_by_its_kind_or_its_id_and_an_error_is_not(self):
        everything = ["no-memory of host", "pinning of host", "pinning of rank", "noise of host"]
        self.assertEqual(self.told(), everything)
        self.assertEqual(self.told("--silence", "pinning"), ["no-memory of host", "noise of host"])
        self.assertEqual(self.told("--silence", "pinning:host", "--silence", "noise"),
                         ["no-memory of host", "pinning of rank"])
        self.assertEqual(self.told("--silence", "no-memory"), everything)
        self.assertEqual(self.told("--silence", "pinning", "--md", "-"), ["no-memory of host", "noise of host"])

    def test_the_json_keeps_what_is_silenced(self):
        self.assertEqual(len(set(self.told("--silence", "pinning", "--json", "-"))), 4)

    def test_verbose_says_how_to_silence_it(self):
        result = run("report", str(self.path), "--verbose")
        self.assertEqual(result.stdout.count("hide: --silence pinning"), 2)

    def test_github_actions_get_their_annotations_by_themselves_unless_quiet(self):
        self.assertIn("::error title=ringside", run("report", str(self.path), env=environment(GITHUB_ACTIONS="true")).stderr)
        self.assertEqual(run("report", str(self.path), "--quiet", env=environment(GITHUB_ACTIONS="true")).stderr, "")
        self.assertEqual(run("report", str(self.path)).stderr, "")


class BadInput(FolderTestCase):
    def refused(self, arguments, message):
        result = run("report", *arguments)
        self.assertEqual((result.returncode, result.stderr, result.stdout), (2, f"ringside: {message}\n", ""))

    def test_nothing_to_read(self):
        self.refused([], "nothing to report: give a FILE that --json wrote (- is stdin)")
        self.refused(["-", "-"], "stdin ('-') can be read once")
        self.refused(["none.json"], "cannot read 'none.json': No such file or directory")

    def test_no_document(self):
        path = self.folder / "x.json"
        for text, problem in (("{}", "$: the key 'schema' is missing"),
                              ("", "1:1: expected a value, found the end of the text"),
                              ('{"schema": "x"}', "$.schema: expected 'ringside.document', found 'x'")):
            path.write_text(text)
            result = run("report", str(path))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"{path}: {problem}" if problem[0] == "$" else f"{path}:{problem}", result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)

    def test_what_is_hostile_costs_neither_time_nor_a_screenful(self):
        path = self.folder / "x.json"
        members = ",".join(f'"{i}":0' for i in range(200_000))
        for text, problem in (("[" * 5_000_000, ":1:65: nested deeper than 64 levels"),
                              ('{"a":' * 1_000_000, ":1:321: nested deeper than 64 levels"),
                              ("{" + members + "}", ": an object of more than 1000 members"),
                              ('{"schema": "' + "x" * 10_000_000 + '"}', "$.schema: expected 'ringside.document', found 'xxx"),
                              ("\0" * 1_000_000, ":1:1: expected a value, found the byte 0x00")):
            path.write_text(text)
            begun = cpu_seconds_of_children()
            result = run("report", str(path))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(problem, result.stderr)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertLess(len(result.stderr), 1000)
            self.assertLess(cpu_seconds_of_children() - begun, 5)

    def test_a_file_cut_anywhere_is_refused_in_one_line(self):
        whole = SWEEP.read_bytes()
        path = self.folder / "cut.json"
        for part in range(1, 24):
            path.write_bytes(whole[:len(whole) * part // 24])
            result = run("report", str(path))
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertRegex(result.stderr, r"\Aringside: .*cut\.json:\d+:\d+: .*\n\Z")


class Decisions(FolderTestCase):
    def test_a_sweep_without_channels_gives_no_tuner_file_that_would_slow_nccl_down(self):
        path = self.folder / "nccl_tuner.conf"
        result = run("report", str(DEFAULT), "--export", "nccl-tuner", "-o", str(path))
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        text = path.read_text()
        self.assertEqual([line for line in text.splitlines() if not line.startswith("#")], [])
        self.assertIn("the channels that it used are not known: no line", text)
        self.assertIn("# machine  2 x NVIDIA H200", text)

    def test_a_tuner_file_with_channels(self):
        document = json.loads(DEFAULT.read_text())
        for row in document["rows"]:
            row["channels"] = 16
        path = self.folder / "sweep.json"
        path.write_text(json.dumps(document))
        text = run("report", str(path), "--export", "nccl-tuner").stdout
        self.assertTrue(all(len(line.encode()) < 255 for line in text.splitlines()))
        lines = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(len(lines), 14)
        for line in lines:
            self.assertEqual((len(line), line[0], line[5]), (10, "allreduce", "16"))
        for before, after in zip(lines, lines[1:]):
            self.assertEqual(int(before[2]) + 1, int(after[1]))  # no gap and no overlap

    def test_every_form_says_what_it_is_valid_for(self):
        for form in ("nccl-tuner", "env", "sglang", "vllm"):
            text = run("report", str(SWEEP), "--export", form).stdout
            self.assertIn("# nccl     2.28", text)
            for line in text.splitlines():
                self.assertRegex(line, r"\A(#|allreduce,|[A-Z0-9_]+=)")

    def test_the_screen_of_the_readme_has_nothing_to_set_for_a_server(self):
        for form in ("sglang", "vllm", "sglang@0.5.9", "vllm@0.12.0", "vllm@2026-03-01", "vllm@2027-01-01"):
            text = run("report", str(SMALL), "--export", form).stdout
            self.assertEqual([line for line in text.splitlines() if not line.startswith("#")], [], form)
            self.assertIn("# nothing to set, because ", text)
        text = run("report", str(SMALL), "--export", "sglang").stdout
        self.assertIn("# 2K to 64K: custom-v2 (one-shot push); custom-push stands for it\n", text)
        self.assertIn("the newest that was read", text)
        self.assertIn("yours is newer: not checked", run("report", str(SMALL), "--export", "vllm@2027-01-01").stdout)

    def test_what_can_not_be_decided(self):
        host = str(RESULTS / "2026-11-30-2-cores/allreduce-fp32.json")
        for arguments, message in (
                ([host, "--export", "env"],
                 f"{host}: there is nothing to decide: no allreduce was measured with nccl-auto beside others"),
                ([host, "--export", "tuner"],
                 "--export: unknown form 'tuner'; valid: nccl-tuner, env, sglang, vllm"),
                ([host, "--export", "env@2.28"], "--export: env takes no version"),
                ([host, "--export", "vllm@"], "--export: no version behind vllm@"),
                ([str(SWEEP), "--export", "vllm@latest"],
                 f"{SWEEP}: 'latest' is neither a version nor a day (YYYY-MM-DD); known are 0.11.0, 0.12.0, main"),
                ([host, host, "--export", "env"], "--export decides by one result"),
                ([host, "--export", "env", "--md", "-"],
                 "--export writes decisions alone; other formats need a report of their own"),
                ([host, "-o", "x"], "-o FILE belongs to --export FORM")):
            result = run("report", *arguments)
            self.assertEqual((result.returncode, result.stderr, result.stdout), (2, f"ringside: {message}\n", ""))


class Plots(FolderTestCase):
    def test_the_curves_below_the_table(self):
        text = run("report", str(SWEEP), "--plot", env=environment(LC_ALL="C.UTF-8")).stdout
        self.assertIn("┤", text)
        self.assertIn("allreduce bf16 graph, 2 ranks on cuda: latency", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))
        text = run("report", str(SWEEP), "--plot", env=environment(LC_ALL="C")).stdout
        self.assertNotIn("┤", text)
        self.assertRegex(text, r"10\.0 us \+")

    def test_of_speculation(self):
        text = run("run-spec", "--device", "model", "--plot", env=environment(LC_ALL="C.UTF-8")).stdout
        self.assertIn("does speculation pay: break-even acceptance length", text)


if __name__ == "__main__":
    unittest.main()
