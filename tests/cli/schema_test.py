"""What --json writes fits the published schema, also of what an earlier version wrote."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from support import document_schema

RINGSIDE = os.environ["RINGSIDE_BINARY"]
SOURCE = pathlib.Path(os.environ["RINGSIDE_SOURCE"])


def ringside(*arguments: str) -> str:
    run = subprocess.run([RINGSIDE, *arguments], capture_output=True, text=True, timeout=120)
    if run.returncode != 0:
        raise AssertionError(run.stderr)
    return run.stdout


class Json(unittest.TestCase):
    def probe(self, *arguments: str) -> str:
        return ringside("probe-comm", *arguments)

    def assert_fits(self, text: str) -> dict:
        document = document_schema.parse(text)
        self.assertEqual(document_schema.violations(document), [])
        return document

    def test_of_a_sweep_on_the_standard_output(self):
        document = self.assert_fits(self.probe(
            "--device", "host", "--ranks", "2", "--sizes", "1K,6K", "--launches", "1", "--rounds", "10",
            "--budget", "90", "--json", "-"))
        self.assertTrue(document["complete"])
        self.assertEqual(document["command"], "probe-comm")
        self.assertEqual({row["params"]["bytes"] for row in document["rows"]}, {1024, 6144})
        for row in document["rows"]:
            with self.subTest(row["params"]["strategy"]):
                self.assertEqual(row["status"], "pass")
                all_samples = sum(len(launch["samples_ns"]) for launch in row["launches"])
                self.assertLessEqual(row["time"]["samples"], all_samples)
                if not any(launch["disturbed_rounds"] for launch in row["launches"]):
                    self.assertEqual(row["time"]["samples"], all_samples)
                self.assertGreater(row["verification"]["calls"], 0)
        took = {row["params"]["strategy"]: (row["ran"], row["chosen_by"]) for row in document["rows"]}
        self.assertEqual(took["ring"], (None, None))
        self.assertEqual(took["symmetric"], ("direct", "size"))
        self.assertEqual(took["custom"][1], "trial")

    def test_of_a_described_machine_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "result.json"
            self.probe("--device", "model", "--machine", "h200x2-nvlink", "--sizes", "2K", "--json", str(path))
            document = self.assert_fits(path.read_text(encoding="utf-8"))
        self.assertEqual({row["origin"] for row in document["rows"]}, {"modelled"})


def times(document: dict) -> list:
    """Of each row: its case, how it ended, its median, and how many samples each launch has."""
    return [(row["params"]["strategy"], row["params"]["bytes"], row["status"], (row["time"] or {}).get("median_ns"),
             [len(launch["samples_ns"]) for launch in row["launches"]]) for row in document["rows"]]


class EarlierVersions(unittest.TestCase):
    """What earlier versions wrote is read, and written again in today's form."""

    def read_again(self, path: pathlib.Path) -> tuple[dict, dict]:
        before = document_schema.parse(path.read_text(encoding="utf-8"))
        run = subprocess.run([RINGSIDE, "report", str(path), "--json", "-"], capture_output=True, text=True, timeout=120)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        after = document_schema.parse(run.stdout)
        self.assertEqual(document_schema.violations(after), [])
        self.assertEqual(times(after), times(before))
        return before, after

    def test_a_document_of_each_version_that_shows_every_field_is_read(self):
        seen, today = {}, set()
        for path in sorted((SOURCE / "tests/data/documents").glob("*.json")):
            with self.subTest(path.name):
                before, after = self.read_again(path)
                self.assertEqual(f"{before['schema_version']}.json", path.name)
                self.assertGreaterEqual(len(after["findings"]), 1)
                seen[tuple(map(int, before["schema_version"].split(".")[:2]))] = path.name
                today.add(after["schema_version"])
        self.assertEqual(len(today), 1)
        major, minor, _ = map(int, today.pop().split("."))
        for earlier in range(minor):
            self.assertIn((major, earlier), seen, "tests/data/documents needs a document of each earlier version")

    def test_the_recorded_results_are_read(self):
        versions = set()
        for path in sorted((SOURCE / "docs/results").rglob("*.json")):
            if '"ringside.document"' in path.read_text(encoding="utf-8")[:200]:
                with self.subTest(path.name):
                    before, _ = self.read_again(path)
                    versions.add(before["schema_version"])
        self.assertIn("1.0.0", versions)

    def test_the_schema_itself(self):
        printed = ringside("list", "schema")
        self.assertEqual(json.loads(printed), document_schema.schema())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "schema.json"
            self.assertEqual(ringside("list", "schema", "--json", str(path)), "")
            self.assertEqual(path.read_text(encoding="utf-8"), printed)


if __name__ == "__main__":
    unittest.main()
