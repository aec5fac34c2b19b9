"""scripts/setup against a scripted box: dpkg-query, apt-get, sudo and id are replaced by small scripts that log."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SETUP = os.path.join(os.environ["RINGSIDE_SOURCE"], "scripts", "setup")


class Setup(unittest.TestCase):
    def run_setup(self, missing=(), user=0, broken=()):
        """(result, log of privileged commands) on a box that lacks `missing` and whose archive lacks `broken`."""
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "log")
            log.touch()
            programs = {
                "dpkg-query": f'case " {" ".join(missing)} " in *" ${{@: -1}} "*) exit 1;; esac; echo -n installed',
                "apt-get": f'echo "apt-get $*" >> {log}; case " {" ".join(broken)} " in *" ${{@: -1}} "*) exit 100;; esac',
                "sudo": f'echo -n "sudo " >> {log}; exec "$@"',
                "id": f"echo {user}",
            }
            for name, body in programs.items():
                program = pathlib.Path(folder, name)
                program.write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
                program.chmod(0o755)
            environment = dict(os.environ, PATH=f"{folder}:/usr/bin:/bin")
            result = subprocess.run([SETUP], env=environment, capture_output=True, text=True, timeout=60)
            return result, log.read_text(encoding="utf-8").splitlines()

    def test_touches_nothing_when_everything_is_there(self):
        result, log = self.run_setup()
        self.assertEqual((result.returncode, log), (0, []))
        self.assertIn("setup: all packages are here", result.stdout)

    def test_installs_what_is_missing_and_only_that(self):
        result, log = self.run_setup(missing=["cmake", "catch2"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("setup: installing cmake catch2", result.stdout)
        self.assertEqual(log, ["apt-get update --quiet=2",
                               "apt-get install --yes --quiet=2 --no-install-recommends cmake catch2"])

    def test_asks_sudo_when_not_root(self):
        _, log = self.run_setup(missing=["cmake"], user=1000)
        self.assertEqual(len(log), 2)
        for line in log:
            self.assertTrue(line.startswith("sudo apt-get "), line)

    def test_goes_on_without_an_optional_package(self):
        result, log = self.run_setup(missing=["libjs-chart.js", "shellcheck"], broken=["libjs-chart.js"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("goes on without libjs-chart.js", result.stderr)
        self.assertTrue(any(line.endswith(" shellcheck") for line in log), log)

    def test_fails_without_a_required_one(self):
        result, _ = self.run_setup(missing=["catch2"], broken=["catch2"])
        self.assertNotEqual(result.returncode, 0)


if __name__ == "__main__":
    unittest.main()
