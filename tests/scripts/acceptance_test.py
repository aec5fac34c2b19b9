"""How scripts/accept decides and records, without measuring anything."""

import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(os.environ["RINGSIDE_SOURCE"])
sys.path.insert(0, str(ROOT / "scripts"))

from acceptance import exports, outputs  # noqa: E402
from acceptance.support.agreement import agreement  # noqa: E402
from acceptance.support.number import Number  # noqa: E402
from acceptance.support.record import Record  # noqa: E402
from acceptance.support.ringside import Ringside, Unusable  # noqa: E402

SWEEP = ROOT / "docs" / "results" / "2026-11-30-h200x2" / "default-sweep.json"


class Numbers(unittest.TestCase):
    def test_the_limit_itself_passes_unless_it_must_stay_below(self):
        self.assertTrue(Number("speed", "at least", 2, 2.0, "times").passed())
        self.assertFalse(Number("speed", "at least", 2, 1.999, "times").passed())
        self.assertTrue(Number("time", "at most", 60, 60, "s").passed())
        self.assertFalse(Number("time", "below", 60, 60, "s").passed())

    def test_a_line_has_verdict_limit_and_measured(self):
        self.assertEqual(Number("help", "below", 10, 3.21987, "ms", "median of 200").line(),
                         "pass  help: below 10 ms, measured 3.22 ms  (median of 200)")
        self.assertEqual(Number("help", "below", 10, 12, "ms").line(), "MISS  help: below 10 ms, measured 12 ms")


class Exports(unittest.TestCase):
    def test_what_needs_two_gpus_is_skipped_in_words_where_there_are_none(self):
        for part in ("tuner", "env"):
            with unittest.mock.patch.dict(os.environ, {"PATH": "/nonexistent"}):
                with self.assertRaisesRegex(Unusable, "^skipped: needs 2 GPUs$"):
                    list(exports.PARTS[part](Ringside(pathlib.Path("/nonexistent"), "none"), None))


class Records(unittest.TestCase):
    def record(self):
        return Record("host", types.SimpleNamespace(version=lambda: "ringside 0", preset="dev"))

    def test_a_later_part_joins_the_record_of_the_same_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            first = self.record()
            first.add(Number("a", "below", 10, 3, "ms"))
            first.add(Number("b", "below", 10, 30, "ms"))
            path = first.write(pathlib.Path(folder))
            second = self.record()
            second.add(Number("b", "below", 10, 4, "ms"))
            self.assertEqual(second.write(pathlib.Path(folder)), path)
            document = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual((first.passed(), first.missed()), (1, 1))
        self.assertEqual({number["name"]: number["passed"] for number in document["numbers"]}, {"a": True, "b": True})
        self.assertEqual(set(document), {"area", "date", "commit", "machine", "load_average", "versions", "numbers"})


class TwoSweeps(unittest.TestCase):
    """A part of a recorded sweep beside itself, with one case slower or faster."""

    def agreement(self, factor):
        document = json.loads(SWEEP.read_text(encoding="utf-8"))
        document["rows"] = [row for row in document["rows"] if row["status"] == "pass"][:20]
        document["verdicts"] = []
        with tempfile.TemporaryDirectory() as folder:
            first, second = pathlib.Path(folder, "first.json"), pathlib.Path(folder, "second.json")
            first.write_text(json.dumps(document), encoding="utf-8")
            for launch in document["rows"][7]["launches"]:
                launch["samples_ns"] = [factor * sample for sample in launch["samples_ns"]]
            second.write_text(json.dumps(document), encoding="utf-8")
            return agreement(Ringside(pathlib.Path(os.environ["RINGSIDE_BINARY"]), ""), first, second)

    def test_the_same_sweep_twice_is_all_ties(self):
        found = self.agreement(1)
        self.assertEqual((found.tied_percent(), found.not_tied(), found.apart, found.launches), (100, [], [], 3))
        self.assertIn("20 of 20", found.detail())

    def test_a_case_that_changed_is_no_tie_in_either_direction(self):
        for factor in (1.5, 1 / 1.5, 1.05, 1 / 1.05):
            found = self.agreement(factor)
            self.assertEqual((len(found.not_tied()), len(found.apart)), (1, 1), factor)
            self.assertEqual(found.tied_percent(), 95)
            self.assertIn(found.not_tied()[0], found.detail())


class Outputs(unittest.TestCase):
    """This build beside itself, and beside one that shows something else."""

    def number(self, change, *arguments, keep=None, width=None):
        binary = pathlib.Path(os.environ["RINGSIDE_BINARY"])
        with tempfile.TemporaryDirectory() as folder:
            changed = pathlib.Path(folder, "changed")
            changed.write_text(f'#!/bin/bash\n[ "$1" = --version ] && exec "{binary}" "$@"\n'
                               f'set -o pipefail\n(exec -a ringside "{binary}" "$@") {change}\n', encoding="utf-8")
            changed.chmod(0o755)
            record = types.SimpleNamespace(options=types.SimpleNamespace(base=binary, keep=keep),
                                           note_version=lambda *_: None)
            comparison = outputs.Comparison(Ringside(changed, ""), record)
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                number = comparison.number("a group", [outputs.Case(arguments, width)])
        return number.measured, shown.getvalue()

    def test_the_same_build_shows_the_same_in_spite_of_times_and_commits(self):
        for arguments in (["run-spec", "--device", "model", "--seed", "1", "--json", "-"], ["report", SWEEP, "--html", "-"],
                          ["trace-init", "kimi-k2.5-ep8-eplb", "--html", "-"]):
            self.assertEqual(self.number("", *arguments), (0, ""))
        self.assertEqual(self.number("", "report", SWEEP, width=60), (0, ""))

    def test_another_word_another_status_or_another_message_is_a_difference(self):
        for change in ("| sed 's/winner/best/'", "; exit 3", "; echo hint >&2"):
            measured, shown = self.number(change, "report", SWEEP, "--md", "-")
            self.assertEqual(measured, 1, change)
            self.assertIn("differs: report docs/results/", shown)

    def test_the_outputs_of_the_base_are_kept_for_the_next_run(self):
        with tempfile.TemporaryDirectory() as folder:
            keep = pathlib.Path(folder)
            self.assertEqual(self.number("", "report", SWEEP, "--md", "-", keep=keep)[0], 0)
            kept = list(keep.rglob("output-*.json"))
            self.assertEqual(len(kept), 1)
            kept[0].write_text(kept[0].read_text(encoding="utf-8").replace("winner", "best"), encoding="utf-8")
            self.assertEqual(self.number("", "report", SWEEP, "--md", "-", keep=keep)[0], 1)


class CommandLine(unittest.TestCase):
    def accept(self, *arguments):
        return subprocess.run([ROOT / "scripts" / "accept", *arguments], capture_output=True, text=True, timeout=60)

    def test_an_unknown_area_or_part_is_a_usage_error_that_names_the_known_ones(self):
        for arguments, known in ((["moon"], "host"), (["host", "moon"], "sweep"), ([], "AREA")):
            result = self.accept(*arguments)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(known, result.stderr)
            self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    unittest.main()
