"""What --version says."""

import os
import subprocess
import unittest

RINGSIDE = os.environ["RINGSIDE_BINARY"]


class Version(unittest.TestCase):
    def test_names_the_version_of_the_source_tree_and_a_commit(self):
        with open(os.path.join(os.environ["RINGSIDE_SOURCE"], "VERSION"), encoding="utf-8") as file:
            version = file.read().strip()
        run = subprocess.run([RINGSIDE, "--version"], capture_output=True, text=True, timeout=60)
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, rf"^ringside {version} \(([0-9a-f]{{12}}(-dirty)?|unknown)\)")
        self.assertEqual(run.stderr, "")


if __name__ == "__main__":
    unittest.main()
