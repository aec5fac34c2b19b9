"""Files are written whole or not at all, whatever is killed when."""

import json
import os
import pathlib
import signal
import time
import unittest

from support.ringside import LONG, FolderTestCase, environment, run

RESULTS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results"
SWEEP = RESULTS / "2026-11-30-h200x2/allreduce-graph.json"
DIE_AT_CALL = pathlib.Path(os.environ["RINGSIDE_FAKES_DIR"]) / "die_at_call.so"
FORMATS = ("json", "csv", "md", "html", "junit")


class Death(FolderTestCase):
    @unittest.skipIf(os.environ["RINGSIDE_SANITIZE"], "a sanitizer wants to be preloaded first")
    def test_at_every_call_that_makes_a_file(self):
        paths = {name: self.folder / f"result.{name}" for name in FORMATS}
        arguments = ["report", str(SWEEP), *[word for name in FORMATS for word in (f"--{name}", str(paths[name]))]]
        self.assertEqual(run(*arguments).returncode, 0)
        whole = {name: path.read_bytes() for name, path in paths.items()}
        seen = {name: set() for name in FORMATS}
        for call in range(200):
            for name, path in paths.items():
                path.write_bytes(b"old")
            code = run(*arguments, env=environment(LD_PRELOAD=str(DIE_AT_CALL), RINGSIDE_DIE_AT=str(call))).returncode
            for name, path in paths.items():
                content = path.read_bytes()
                self.assertIn(content, (b"old", whole[name]), f"{name} after death at call {call}")
                seen[name].add(content)
            if code == 0:
                break
            self.assertEqual(code, -signal.SIGKILL)
        self.assertEqual(code, 0)
        self.assertEqual(list(self.folder.glob(".ringside-*.tmp")), [])  # the next one takes away what is left
        self.assertGreater(call, 4 * len(FORMATS))  # so many calls make the files, at least
        for name in FORMATS:
            self.assertEqual(len(seen[name]), 2, name)  # it died before and after the file was made

    def test_of_a_sweep_that_rewrites_its_files_as_it_goes(self):
        path = self.folder / "result.json"
        for delay in (0.05, 0.35, 0.6):
            sweep = self.start(*LONG)
            sweep.wait_for_rows()
            time.sleep(1 + delay)  # into the next rewriting, about
            sweep.process.kill()
            sweep.process.wait()
            self.assertFalse(json.loads(path.read_text())["complete"])


if __name__ == "__main__":
    unittest.main()
