"""What --json writes fits the published schema."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from support import document_schema

RINGSIDE = os.environ["RINGSIDE_BINARY"]
TODAY = "1.5"  # of schema/document-1.json; earlier minor versions have files of their own


class Json(unittest.TestCase):
    def probe(self, *arguments: str) -> str:
        run = subprocess.run([RINGSIDE, "probe-comm", *arguments], capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

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

    def test_of_results_that_earlier_versions_wrote(self):
        results = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results"
        versions = set()
        for path in results.rglob("*.json"):
            document = document_schema.parse(path.read_text(encoding="utf-8"))
            if document.get("schema") != "ringside.document":
                continue
            version = document["schema_version"]
            with self.subTest(path.name):
                minor = version.rpartition(".")[0]
                name = "document-1" if minor == TODAY else f"document-{minor}"
                self.assertEqual(document_schema.violations(document, name), [])
            versions.add(version)
        self.assertIn("1.0.0", versions)


if __name__ == "__main__":
    unittest.main()
