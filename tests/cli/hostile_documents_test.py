"""What somebody changed in a result gives one line of refusal or a clean output in every format; scripts/accept documents
tries 15,000 of them."""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import unittest

from support.ringside import FolderTestCase, RINGSIDE, environment, run

SOURCE = pathlib.Path(os.environ["RINGSIDE_SOURCE"])
sys.path.insert(0, str(SOURCE / "scripts"))

from acceptance import documents  # noqa: E402
from acceptance.support import destinations  # noqa: E402

MIB = 1 << 20
SANITIZED = bool(os.environ.get("RINGSIDE_SANITIZE"))


class Mutated(unittest.TestCase):
    def test_nothing_crashes_and_nothing_gets_through(self):
        count = 20 if SANITIZED else 120  # sanitizers are slow
        found, longest, shown = documents.check(pathlib.Path(RINGSIDE), 0, 1, count)
        self.assertEqual(found, [])
        self.assertGreater(shown, count // 4)
        self.assertLess(longest, 10 * documents.LONGEST_S)

    def test_the_parsers_of_the_destinations_see_what_would_get_through(self):
        seen = {
            "terminal": (destinations.terminal, ["a\x1b[1m", "a\x9bm", "\u202e", "a\u2028b", "::error::x", "  ::x", "a ##[b]"]),
            "table": (destinations.table, ["a\n=1+1\n", "a\n@x\n", "a\n-x\n", "a\n\"\t=1\"\n", "a,b\nc\n"]),
            "markdown": (destinations.markdown, ["<b>", "a [b](c)", "![a](b)", "@me", "x https://a.b", "www.a.b", "```\n", "#12",
                                                 "| a | b |\n| - | - |\n| a | b | c |\n", "a@b.org"]),
            "test report": (destinations.test_report, ["<a/>", "<testsuites skipped='1'/>", "<testsuites>&#x9b;</testsuites>",
                                                       "<testsuites><testsuite/></testsuites>", "<testsuites"]),
            "json": (destinations.strict_json, ["{\"a\": 1, \"a\": 2}", "NaN", "\"\u009b\"", "\"##[x]\""]),
        }
        for name, (parser, texts) in seen.items():
            for text in texts:
                with self.subTest(name, text=text):
                    self.assertNotEqual(parser(text), [])


class Refused(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.document = json.loads((SOURCE / "tests/data/golden/model/full.json").read_text(encoding="utf-8"))

    def refusal(self, text):
        path = self.folder / "document.json"
        path.write_text(text, encoding="utf-8")
        result = run("report", str(path))
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def with_change(self, change):
        document = json.loads(json.dumps(self.document))
        change(document)
        return self.refusal(json.dumps(document))

    def test_a_key_that_comes_twice(self):
        text = json.dumps(self.document, indent=2).replace('"command":', '"command": "x",\n  "command":', 1)
        self.assertRegex(self.refusal(text), r"document\.json:\d+:3: the key 'command' comes twice")

    def test_numbers_outside_of_their_range(self):
        def launches(document):
            document["request"]["launches"] = 101

        def size(document):
            document["rows"][0]["params"]["bytes"] = 2**48 + 1

        def no_time(document):
            document["rows"][0]["launches"][0]["samples_ns"] = [0]

        def an_hour(document):
            document["rows"][0]["time"]["median_ns"] = 3.6e12

        def ranks(document):
            document["rows"][0]["params"]["ranks"] = 1025
        for change, place in ((launches, r"\$\.request\.launches: expected a whole number from 1 to 100"),
                              (size, r"\$\.rows\[0\]\.params\.bytes: expected a whole number from 1 to 281474976710656"),
                              (no_time, r"\$\.rows\[0\]\.launches\[0\]\.samples_ns\[0\]: expected a number above 0"),
                              (an_hour, r"\$\.rows\[0\]\.time\.median_ns: expected a number above 0 and below"),
                              (ranks, r"\$\.rows\[0\]\.params\.ranks: ")):
            with self.subTest(change.__name__):
                self.assertRegex(self.with_change(change), place)


@unittest.skipIf(SANITIZED, "a sanitizer takes memory of its own")
class Memory(FolderTestCase):
    """Reading takes at most 64 MiB and ten times the file, whatever is in it."""

    def peak(self, text):
        path = self.folder / "large.json"
        path.write_text(text, encoding="utf-8")
        messages = self.folder / "messages"
        with messages.open("wb") as file:
            child = subprocess.Popen([RINGSIDE, "report", str(path), "--gab", "/dev/null", "--quiet"], env=environment(),
                                     stdout=subprocess.DEVNULL, stderr=file)
        limit = threading.Timer(120, child.kill)
        limit.start()
        _, status, usage = os.wait4(child.pid, 0)  # what this one child took
        limit.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        stderr = messages.read_text(encoding="utf-8")
        self.assertIn(child.returncode, (0, 2), stderr)
        self.assertLess(usage.ru_maxrss * 1024, 64 * MIB + 10 * len(text), stderr)  # KiB
        return subprocess.CompletedProcess(child.args, child.returncode, "", stderr)

    def test_of_values_as_small_as_they_can_be(self):
        full = json.loads((SOURCE / "tests/data/golden/model/full.json").read_text(encoding="utf-8"))
        for key, value in (("argv", '"",'), ("findings", "{},"), ("verdicts", "0,"), ("unknown", "[],")):
            with self.subTest(key):
                text = json.dumps({**full, key: "HERE"}).replace('"HERE"', "[" + value * 3_000_000 + value[:-1] + "]")
                result = self.peak(text)
                self.assertIn("too many small values", result.stderr)

    def test_of_a_large_result(self):
        full = json.loads((SOURCE / "tests/data/golden/model/full.json").read_text(encoding="utf-8"))
        row = json.dumps(full["rows"][0])
        text = json.dumps({**full, "rows": "HERE"}).replace('"HERE"', "[" + ", ".join([row] * 8000) + "]")
        self.assertEqual(self.peak(text).returncode, 0)


class Trace(FolderTestCase):
    """What a log or a step says, through all that shows it."""

    LOG = ("Traceback (most recent call last):\n"
           "  File \"/a\x9b31m/```x.py\", line 3, in run\n    ::error title=source::x @everyone\n"
           "  File \"::stop-commands::t\", line 4, in \u202erun\n    pass\n"
           "RuntimeError: ```\x1b]0;title\x07 <script>alert(1)</script> @everyone https://evil.example ##[error]x\u2028y\n")

    def check(self, *arguments):
        files = {name: self.folder / name for name in destinations.WRITERS}
        summary = self.folder / "summary"
        options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
        result = run(*arguments, *options, "--verbose", "--github", env=environment(GITHUB_STEP_SUMMARY=str(summary)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(destinations.terminal(result.stdout), [])
        self.assertEqual(destinations.annotations(result.stderr), [])
        for name, path in files.items():
            with self.subTest(name):
                self.assertEqual(destinations.WRITERS[name](path.read_text(encoding="utf-8")), [])
        self.assertEqual(destinations.markdown(summary.read_text(encoding="utf-8")), [])
        return result

    def test_frames_of_a_plain_log(self):
        log = self.folder / "server.log"
        log.write_text(self.LOG, encoding="utf-8")
        result = self.check("trace-init", "--log", str(log))
        self.assertIn("\\u009b31m", result.stdout)
        self.assertIn("RuntimeError", result.stdout)

    def test_steps_of_a_saved_result(self):
        document = json.loads((SOURCE / "tests/data/golden/model/full.json").read_text(encoding="utf-8"))
        for step in document["trace"]["steps"]:
            step["worker"] = "\n::error::w\x9b"
            step["file"] = "\n##[error]f\u202e\x1b[2J"
        path = self.folder / "trace.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        result = self.check("report", str(path))
        self.assertIn("\\n::error::w\\u009b", result.stdout)

    def test_a_live_command_shows_what_it_prints_as_text(self):
        script = self.folder / "server.sh"
        script.write_text("printf 'a\\033[31mred\\033[0m\\n::error::x\\r\\nb\\233c ##[error]y\\n no end'; exit 0\n")
        result = run("trace-init", "--live", "--", "bash", str(script))
        self.assertEqual(destinations.annotations(result.stderr), [])
        self.assertIn("ared\n\\::error::x\nb\\x9bc #\\x23[error]y\n no end\n", result.stderr)

    def test_a_message_on_stderr_is_one_line_of_text(self):
        result = run("report", "/none/\x9b31m\u202e::x ##[error]y\n::error::z")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(destinations.terminal(result.stderr), [])
        self.assertEqual(len(result.stderr.splitlines()), 1)


class Csv(FolderTestCase):
    def test_texts_are_no_formulas_and_numbers_stay_numbers(self):
        document = json.loads((SOURCE / "tests/data/golden/model/full.json").read_text(encoding="utf-8"))
        row = document["rows"][0]
        row["params"]["strategy"] = "=1+1"
        row["params"]["family"] = "@SUM(A1)"
        row["asked"], row["ran"], row["chosen_by"] = "+1", "-1x", "\t=1"
        row["findings"] = ["=2", "b"]
        path = self.folder / "result.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        text = run("report", str(path), "--csv", "-").stdout
        self.assertEqual(destinations.table(text), [])
        for cell in ("'=1+1", "'@SUM(A1)", "'+1", "'-1x", "'\\t=1", "'=2;b"):
            self.assertIn(f",{cell},", f",{text.replace(chr(10), ',')},")
        median = row["time"]["median_ns"]
        self.assertRegex(text, rf",{re.escape(f'{median:g}')},")


if __name__ == "__main__":
    unittest.main()
