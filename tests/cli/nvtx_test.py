"""NVTX ranges as a profiler sees them: a library is injected into the real binary and writes down each call."""

import json
import os
import pathlib
import unittest

from support.ringside import FolderTestCase, environment, run

TAP = pathlib.Path(os.environ["RINGSIDE_FAKES_DIR"]) / "nvtx_tap.so"


class Nvtx(FolderTestCase):
    def calls(self, *arguments):
        """(domains, [("push", text, payload) or ("pop",)]) of a trace-init with the tap, and its trace."""
        calls = self.folder / "calls"
        calls.touch()
        result = run("trace-init", "kimi-k2.5-ep8-flashinfer", "--json", "-", *arguments,
                     env=environment(NVTX_INJECTION64_PATH=str(TAP), NVTX_TAP_FILE=str(calls)))
        self.assertEqual(result.returncode, 0, result.stderr)
        if "no nvtx3 headers" in result.stderr:
            self.skipTest("this build has no NVTX")
        domains, strings, ranges = [], {}, []
        for line in calls.read_text(encoding="utf-8").splitlines():
            kind, _, rest = line.partition(" ")
            first, _, more = rest.partition(" ")
            if kind == "domain":
                domains.append(rest)
            elif kind == "string":
                strings[first] = more
            else:
                ranges.append((kind, strings[first], int(more)) if kind == "push" else (kind,))
        return domains, strings, ranges, json.loads(result.stdout)["trace"]

    def test_a_range_for_each_step_registered_and_closed(self):
        domains, strings, ranges, trace = self.calls("--nvtx")
        self.assertEqual(domains, ["ringside"])
        pushed = [entry for entry in ranges if entry[0] == "push"]
        self.assertEqual(pushed[0][1], f"trace-init: {trace['title']}")
        self.assertEqual([text for _, text, _ in pushed[1:]],
                         [f"{step['worker']} {step['ranks']} {step['file']}:{step['line']} {step['effect']}"
                          for step in trace["steps"]])
        self.assertEqual([payload for _, _, payload in pushed[1:]], [step["line"] for step in trace["steps"]])
        self.assertEqual(len(set(strings.values())), len(strings))
        depth, deepest = 0, 0
        for entry in ranges:
            depth += 1 if entry[0] == "push" else -1
            self.assertGreaterEqual(depth, 0)
            deepest = max(deepest, depth)
        self.assertEqual((depth, deepest), (0, 2 + max(step["depth"] for step in trace["steps"])))

    def test_none_unless_asked_for(self):
        self.calls("--nvtx")  # skips where there is none
        (self.folder / "calls").unlink()
        self.assertEqual(self.calls()[:3], ([], {}, []))


if __name__ == "__main__":
    unittest.main()
