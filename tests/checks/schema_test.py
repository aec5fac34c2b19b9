"""The published schema is valid, describes every field, and fits what the engine writes: the golden files that the unit
tests compare with its output byte by byte."""

import copy
import os
import pathlib
import unittest

import jsonschema

from support import document_schema

GOLDEN = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/golden/model"


def full() -> dict:
    return document_schema.parse((GOLDEN / "full.json").read_text(encoding="utf-8"))


def objects(node, path="$"):
    """(path, node) of every object schema below `node`."""
    if isinstance(node, dict):
        if "properties" in node:
            yield path, node
        for key, value in node.items():
            yield from objects(value, f"{path}.{key}")


class Schema(unittest.TestCase):
    def test_it_is_a_valid_schema(self):
        jsonschema.Draft202012Validator.check_schema(document_schema.schema())

    def test_it_describes_every_field_and_allows_no_other(self):
        found = list(objects(document_schema.schema()))
        self.assertGreater(len(found), 8)
        for path, node in found:
            with self.subTest(path):
                self.assertIs(node["additionalProperties"], False)
                self.assertEqual(sorted(node["required"]), sorted(node["properties"]))
                self.assertTrue(node.get("description"))
                for name, field in node["properties"].items():
                    self.assertTrue(field.get("description"), name)

    def test_what_the_engine_writes_fits(self):
        golden = sorted(GOLDEN.glob("*.json"))
        self.assertGreaterEqual(len(golden), 2)
        for path in golden:
            with self.subTest(path.name):
                document = document_schema.parse(path.read_text(encoding="utf-8"))
                self.assertEqual(document_schema.violations(document), [])

    def test_every_field_that_may_be_null_is_there_with_a_value(self):
        """So that the golden file shows the form of every field once."""
        def nulls(node, path):
            values = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
            for key, value in values:
                yield from ([f"{path}.{key}"] if value is None else nulls(value, f"{path}.{key}"))
        document = full()
        last = "row.launches.1"
        self.assertEqual(list(nulls(document["rows"][0], "row")),
                         ["row.to_best_nccl.interval95", "row.comparison.stages.1.ratio",
                          "row.comparison.stages.1.ratio_interval90", f"{last}.first_call_ns", f"{last}.floor_ns",
                          f"{last}.touch_ns", f"{last}.touch_interval95_ns", f"{last}.core_wait", f"{last}.ran"])
        self.assertEqual(list(nulls(document["verdicts"][0], "verdict")), [])
        self.assertIsNotNone(document["method"])
        self.assertIsNotNone(document["comparison"])


class Violations(unittest.TestCase):
    def assert_refused(self, change, part):
        document = copy.deepcopy(full())
        change(document)
        found = document_schema.violations(document)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_a_field_that_is_not_described(self):
        self.assert_refused(lambda d: d["rows"][0].update(color="red"), "'color' was unexpected")

    def test_a_field_that_is_missing(self):
        self.assert_refused(lambda d: d["rows"][0]["params"].pop("entry"), "'entry' is a required property")

    def test_a_value_of_the_wrong_type(self):
        self.assert_refused(lambda d: d["rows"][0]["params"].update(bytes="2K"), "$.rows[0].params.bytes")
        self.assert_refused(lambda d: d["rows"][0]["launches"][0]["samples_ns"].append("x"), "samples_ns[4]")

    def test_a_number_outside_its_range(self):
        self.assert_refused(lambda d: d["rows"][0].update(floor_ns=-1), "less than the minimum")
        self.assert_refused(lambda d: d["rows"][0]["launches"][0]["samples_ns"].append(1e15), "samples_ns[4]")
        self.assert_refused(lambda d: d["rows"][0]["params"].update(ranks=1025), "greater than the maximum")

    def test_a_word_that_is_not_on_the_list(self):
        self.assert_refused(lambda d: d["rows"][0].update(status="ok"), "'ok' is not one of")

    def test_another_major_version(self):
        self.assert_refused(lambda d: d.update(schema_version="2.0.0"), "$.schema_version")

    def test_a_number_that_is_no_json(self):
        with self.assertRaises(ValueError):
            document_schema.parse('{"median_ns": NaN}')


if __name__ == "__main__":
    unittest.main()
