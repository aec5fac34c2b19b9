"""Runs one unittest file; unlike `python3 -m unittest` it fails when no test ran, and exits 77 when all were skipped."""

import pathlib
import sys
import unittest

SKIPPED = 77


def main(path: str) -> int:
    file = pathlib.Path(path).resolve()
    sys.path.insert(0, str(file.parent))
    sys.path.insert(0, str(file.parent.parent))
    suite = unittest.defaultTestLoader.loadTestsFromName(file.stem)
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    if not result.wasSuccessful():
        return 1
    if result.testsRun == 0:
        print(f"{file.name}: no tests found")
        return 1
    return SKIPPED if len(result.skipped) == result.testsRun else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
