"""The closing line of scripts/test."""

import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["RINGSIDE_SOURCE"], "tests", "support"))
import ctest_summary  # noqa: E402

PASSED = '<testcase name="a" status="run"/>'
FAILED = '<testcase name="b" status="fail"><failure message=""/></testcase>'
SKIPPED = ('<testcase name="c" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
           "<system-out>skipped: no GPU\n</system-out></testcase>")
LOST = '<testcase name="d" status="notrun"><skipped message="Unable to find executable"/></testcase>'


class Summary(unittest.TestCase):
    def summarize(self, *suites):
        """(exit status, lines) for one result file per suite."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for index, suite in enumerate(suites):
                path = pathlib.Path(folder, f"preset{index}", "ctest.xml")
                path.parent.mkdir()
                path.write_text(f"<testsuite>{''.join(suite)}</testsuite>", encoding="utf-8")
                paths.append(str(path))
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = ctest_summary.main(paths)
            return status, output.getvalue().splitlines()

    def test_adds_up_all_suites(self):
        status, lines = self.summarize([PASSED, SKIPPED], [PASSED])
        self.assertEqual(status, 0)
        self.assertEqual(lines, ["skipped  preset0: c (no GPU)", "2 passed, 0 failed, 1 skipped"])

    def test_one_failure_fails_and_is_named(self):
        status, lines = self.summarize([PASSED], [FAILED])
        self.assertEqual(status, 1)
        self.assertEqual(lines, ["FAILED   preset1: b", "1 passed, 1 failed, 0 skipped"])

    def test_a_test_that_could_not_start_has_failed(self):
        status, lines = self.summarize([PASSED, LOST])
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed, 0 skipped"))

    def test_nothing_passed_is_no_success(self):
        self.assertEqual(self.summarize([SKIPPED])[0], 1)
        self.assertEqual(self.summarize([])[0], 1)

    def test_a_missing_result_file_is_a_failure(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(ctest_summary.main(["/nowhere/ci/ctest.xml"]), 1)
        self.assertIn("ci: ctest wrote no result", output.getvalue())


if __name__ == "__main__":
    unittest.main()
