"""The source reader's second process says nothing of its own when the first one has ended."""

import os
import pathlib
import subprocess
import sys
import unittest

READER = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "libcore/trace/source/reader"


def read(script: str) -> subprocess.CompletedProcess:
    program = f"import os, sys, time\nsys.path.insert(0, {str(READER)!r})\nfrom beside import beside\n" + script
    return subprocess.run([sys.executable, "-B", "-I", "-S", "-c", program], capture_output=True, text=True, timeout=60)


class Beside(unittest.TestCase):
    def test_a_result_comes_back(self):
        self.assertEqual(read("print(beside(lambda: [1, 'two'])())").stdout, "[1, 'two']\n")

    def test_a_failure_ends_the_reader(self):
        result = read("beside(lambda: 1 / 0)()")
        self.assertEqual(result.returncode, 1)
        self.assertIn("ZeroDivisionError", result.stderr)

    def test_nothing_is_added_to_the_reason_that_the_first_process_gave(self):
        result = read("beside(lambda: time.sleep(0.3))\nprint('no tree', file=sys.stderr, flush=True)\nos._exit(2)")
        self.assertEqual((result.returncode, result.stderr), (2, "no tree\n"))


if __name__ == "__main__":
    unittest.main()
