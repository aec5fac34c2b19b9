"""NVTX ranges as a profiler sees them: a library is injected into the real binary and writes down each call."""

import json
import os
import pathlib
import shlex
import unittest

from support import document_schema
from support.ringside import FolderTestCase, environment, run

TAP = pathlib.Path(os.environ["RINGSIDE_FAKES_DIR"]) / "nvtx_tap.so"


def read_calls(path):
    """(threads, domains, strings, [("push", text, payload) or ("pop",)]) of one process."""
    threads, domains, strings, ranges = [], [], {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        first, _, more = rest.partition(" ")
        if kind == "thread":
            threads.append(rest)
        elif kind == "domain":
            domains.append(rest)
        elif kind == "string":
            strings[first] = more
        else:
            ranges.append((kind, strings[first], int(more)) if kind == "push" else (kind,))
    return threads, domains, list(strings.values()), ranges


def tree(ranges):
    """[(text, payload, [inner ranges])]; an AssertionError when they are not balanced."""
    outermost = []
    open_ranges = [("", 0, outermost)]
    for entry in ranges:
        if entry[0] == "push":
            made = (entry[1], entry[2], [])
            open_ranges[-1][2].append(made)
            open_ranges.append(made)
        else:
            open_ranges.pop()
            assert open_ranges, "a range is closed that was not open"
    assert len(open_ranges) == 1, "a range is left open"
    return outermost


class TraceInit(FolderTestCase):
    def calls(self, *arguments):
        """(domains, [("push", text, payload) or ("pop",)]) of a trace-init with the tap, and its trace."""
        calls = self.folder / "calls"
        calls.touch()
        result = run("trace-init", "kimi-k2.5-ep8-flashinfer", "--json", "-", *arguments,
                     env=environment(NVTX_INJECTION64_PATH=str(TAP), NVTX_TAP_FILE=str(calls)))
        self.assertEqual(result.returncode, 0, result.stderr)
        if "no nvtx3 headers" in result.stderr:
            self.skipTest("this build has no NVTX")
        _, domains, strings, ranges = read_calls(calls)
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
        self.assertEqual(len(set(strings)), len(strings))
        depth, deepest = 0, 0
        for entry in ranges:
            depth += 1 if entry[0] == "push" else -1
            self.assertGreaterEqual(depth, 0)
            deepest = max(deepest, depth)
        self.assertEqual((depth, deepest), (0, 2 + max(step["depth"] for step in trace["steps"])))

    def test_none_unless_asked_for(self):
        self.calls("--nvtx")  # skips where there is none
        (self.folder / "calls").unlink()
        self.assertEqual(self.calls()[:3], ([], [], []))


CASES = ("--device", "host", "--ranks", "2", "--strategy", "ring,tree", "--dtype", "fp32", "--sizes")


class ProbeComm(FolderTestCase):
    def ranks(self, *arguments):
        """What each rank process did, by rank: (threads, strings, tree of ranges)."""
        taps = self.folder / "taps"
        taps.mkdir()
        result = run("probe-comm", *arguments, "--json", str(self.folder / "result.json"),
                     env=environment(NVTX_INJECTION64_PATH=str(TAP), NVTX_TAP_FILE=str(taps / "%p")))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.stderr = result.stderr
        if "no nvtx3 headers" in result.stderr or not list(taps.iterdir()):
            self.skipTest("this build has no NVTX")
        found = []
        for path in taps.iterdir():
            threads, domains, strings, ranges = read_calls(path)
            self.assertEqual(domains, ["ringside"])
            self.assertEqual(len(set(strings)), len(strings))  # each is registered once
            found.append((threads, strings, tree(ranges)))
        return sorted(found)

    def test_profile_runs_each_case_once_inside_one_range_that_rank_0_alone_opens(self):
        ranks = self.ranks(*CASES, "4K", "--profile")
        self.assertEqual([threads for threads, _, _ in ranks], [["rank 0"], ["rank 1"]])
        first, second = ("ring fp32 eager", 4096, []), ("tree fp32 eager", 4096, [])

        def phase(name, *cases):
            return (name, 0, list(cases))

        before = [phase("rendezvous"), phase("setup"), phase("init"), phase("init"), phase("init", first),
                  phase("init", second), phase("verify", first), phase("verify", second), phase("warmup", first),
                  phase("warmup", second)]
        measured = [phase("measure", first), phase("measure", second)]
        after = [phase("teardown")]
        self.assertEqual(ranks[0][2], [*before, phase("capture", *measured), *after])
        self.assertEqual(ranks[1][2], [*before, *measured, *after])

    def test_profile_gives_no_statistics_and_says_how_to_capture_it(self):
        self.ranks(*CASES, "4K,8K", "--profile")
        document = document_schema.parse((self.folder / "result.json").read_text())
        self.assertEqual(document_schema.violations(document), [])
        for row in document["rows"]:
            self.assertEqual((row["status"], row["time"], row["launches"]), ("pass", None, []))
            self.assertGreater(row["verification"]["calls"], 0)
        self.assertEqual(document["verdicts"], [])
        self.assertIn("profiled:sweep", [finding["id"] for finding in document["findings"]])
        command = next(line for line in self.stderr.splitlines() if line.startswith("nsys "))
        words = shlex.split(command)
        self.assertIn("--nvtx-capture=capture@ringside", words)
        self.assertIn("--capture-range-end=repeat:2", words)
        self.assertEqual(words[words.index("probe-comm") + 1:-2], [*CASES, "4K,8K", "--profile"])

    def test_a_sweep_has_its_phases_but_no_range_to_capture(self):
        for _, _, ranges in self.ranks(*CASES, "4K", "--launches", "1", "--rounds", "3"):
            phases = [text for text, _, _ in ranges]
            self.assertEqual(phases.count("measure"), 2 * 3)
            self.assertEqual(phases.count("warmup"), 2)
            self.assertEqual(phases.count("touch"), 2 * 3)
            self.assertNotIn("capture", phases)
            for text, _, cases in ranges:  # nothing is inside the timed calls
                self.assertTrue(all(not inner for _, _, inner in cases), text)

    def test_profile_excludes_what_measures(self):
        for more in (("--launches", "3"), ("--rounds", "9"), ("--calibrate",), ("--tune",), ("--skew", "5")):
            with self.subTest(more):
                result = run("probe-comm", *CASES, "4K", "--profile", *more)
                self.assertEqual(result.returncode, 2)
                self.assertIn("--profile", result.stderr)


if __name__ == "__main__":
    unittest.main()
