"""What --json writes fits the published schema."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from support import document_schema

RINGSIDE = os.environ["RINGSIDE_BINARY"]


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
            "--budget", "30", "--json", "-"))
        self.assertTrue(document["complete"])
        self.assertEqual(document["command"], "probe-comm")
        self.assertEqual({row["params"]["bytes"] for row in document["rows"]}, {1024, 6144})
        for row in document["rows"]:
            with self.subTest(row["params"]["strategy"]):
                self.assertEqual(row["status"], "pass")
                self.assertEqual(row["time"]["samples"], sum(len(launch["samples_ns"]) for launch in row["launches"]))
                self.assertGreater(row["verification"]["calls"], 0)

    def test_of_a_described_machine_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "result.json"
            self.probe("--device", "model", "--machine", "h200x2-nvlink", "--sizes", "2K", "--json", str(path))
            document = self.assert_fits(path.read_text(encoding="utf-8"))
        self.assertEqual({row["origin"] for row in document["rows"]}, {"modelled"})

    def test_of_results_that_earlier_versions_wrote(self):
        """They are read and written as today's."""
        results = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results"
        versions = set()
        for path in results.rglob("*.json"):
            recorded = document_schema.parse(path.read_text(encoding="utf-8"))
            if recorded.get("schema") != "ringside.document":
                continue
            with self.subTest(path.name):
                document = self.assert_fits(ringside("report", str(path), "--json", "-"))
                for key, value in recorded.items():
                    if key != "schema_version" and not isinstance(value, (dict, list)):
                        self.assertEqual(document[key], value)
                self.assertEqual(len(document["rows"]), len(recorded["rows"]))
            versions.add(recorded["schema_version"])
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
