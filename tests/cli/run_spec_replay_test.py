"""run-spec's replay on the host through the real binary, all-to-alls, and machines fitted to results."""

import json
import os
import pathlib
import signal
import tempfile
import unittest

from support import document_schema
from support.ringside import FolderTestCase, run


class Replay(unittest.TestCase):
    def test_of_a_step_on_two_processes(self):
        for budget in ("6", "30", "90", "90"):  # a busy machine needs more than an idle one
            result = run("run-spec", "--device", "host", "--ranks", "2", "--strategy", "symmetric,custom,direct", "--budget",
                         budget, "--compute", "20", "--skew", "2", "--timeout", "300", "--json", "-", timeout=300)
            self.assertIn(result.returncode, (0, 3), result.stderr)
            document = document_schema.parse(result.stdout)
            self.assertEqual(document_schema.violations(document), [])
            statuses = {row["status"] for row in document["rows"]}
            if statuses == {"pass"}:
                break
        self.assertEqual(statuses, {"pass"})
        self.assertEqual({row["params"]["collective"] for row in document["rows"]}, {"allreduce", "alltoall"})
        replays = document["spec"]["replays"]
        verify = [replay for replay in replays if replay["step"] == "verify" and "+" not in replay["candidate"]]
        self.assertEqual({replay["calls"] for replay in verify}, {122})
        self.assertEqual({replay["candidate"] for replay in verify}, {"symmetric", "custom"})
        computing = [replay for replay in replays if replay["alone_ns"] is not None]
        self.assertGreater(len(computing), 1)
        for replay in computing:
            self.assertGreaterEqual(replay["exposed_ns"], 0)
            self.assertAlmostEqual(replay["compute_ns"], 61 * 20e3, delta=1e3)
            self.assertGreaterEqual(replay["alone_ns"], replay["compute_ns"])
        calls = {c["strategy"]: c["call_ns"] for c in document["spec"]["candidates"]}
        for replay in computing:
            if replay["step"] == "verify" and replay["candidate"] in calls and "+" not in replay["candidate"]:
                self.assertAlmostEqual(calls[replay["candidate"]], replay["exposed_ns"] / replay["calls"], delta=1)
        experts = [replay for replay in replays if replay["candidate"].endswith("+ direct")]
        self.assertEqual({replay["calls"] for replay in experts}, {62 + 2 * 60})
        self.assertIn("other-ranks:kimi-k2.5-eagle3", {finding["id"] for finding in document["findings"]})


class ReplayCutShort(FolderTestCase):
    def replaying(self, timeout="300"):
        """A run whose replay of whole steps is under way, and its ranks."""
        sweep = self.start("--device", "host", "--ranks", "2", "--strategy", "symmetric", "--launches", "1", "--budget",
                           "60", "--compute", "5000", "--timeout", timeout, command="run-spec")
        ranks = sweep.wait_for_round("step verify", 240)
        return sweep, ranks

    def test_ctrl_c_is_130_and_incomplete(self):
        sweep, _ranks = self.replaying()
        os.kill(sweep.pid, signal.SIGINT)
        self.assertEqual(sweep.end(), 130)
        self.assertIs(sweep.document()["complete"], False)

    def test_a_killed_rank_is_5(self):
        sweep, ranks = self.replaying()
        os.kill(ranks[1], signal.SIGKILL)
        self.assertEqual(sweep.end(), 5)
        kinds = [finding["kind"] for finding in sweep.document()["findings"] if finding["severity"] == "error"]
        self.assertEqual(kinds, ["replay-lost"])

    def test_a_stopped_rank_is_5(self):
        sweep, ranks = self.replaying(timeout="20")
        os.kill(ranks[0], signal.SIGSTOP)
        self.assertEqual(sweep.end(), 5)
        kinds = [finding["kind"] for finding in sweep.document()["findings"] if finding["severity"] == "error"]
        self.assertEqual(kinds, ["replay-timeout"])


class AllToAll(unittest.TestCase):
    def test_on_the_host_even_and_skewed(self):
        for extra in ((), ("--load", "3,1")):
            with self.subTest(extra):
                result = run("probe-comm", "--device", "host", "--ranks", "2", "--collective", "alltoall", "--sizes",
                             "4K,60K", "--launches", "1", "--rounds", "3", "--budget", "60", "--json", "-", *extra)
                self.assertEqual(result.returncode, 0, result.stderr)
                document = document_schema.parse(result.stdout)
                self.assertEqual(document_schema.violations(document), [])
                for row in document["rows"]:
                    self.assertEqual((row["params"]["strategy"], row["status"]), ("direct", "pass"))
                    self.assertGreater(row["verification"]["elements"], 0)

    def test_a_load_needs_the_collective_and_a_share_for_each_rank(self):
        for arguments in (("--load", "1,2"), ("--collective", "alltoall", "--ranks", "2", "--load", "1,2,3"),
                          ("--collective", "alltoall", "--load", "0,0"), ("--collective", "alltoall", "--load", "x")):
            result = run("probe-comm", "--device", "host", *arguments)
            self.assertEqual(result.returncode, 2, result.stderr)


def with_times_on_a_line(document):
    """Each row with the time of a line: 2 us and 0.1 ns a byte, so that what a busy machine did doesn't matter."""
    for row in document["rows"]:
        row_ns = 2000 + 0.1 * row["params"]["bytes"]
        factor = row_ns / row["time"]["median_ns"]
        row["time"] = {key: value * factor if key.endswith("_ns") and isinstance(value, float) else value
                       for key, value in row["time"].items()}
        for launch in row["launches"]:
            launch["samples_ns"] = [row_ns for _ in launch["samples_ns"]]
    return document


class Fit(unittest.TestCase):
    def test_a_profile_of_a_result_is_used_by_the_model_device(self):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder, "result.json")
            profile = pathlib.Path(folder, "profile.toml")
            measured = run("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "symmetric", "--sizes",
                           "2K:64K:x2", "--launches", "1", "--rounds", "5", "--budget", "60", "--json", str(result))
            self.assertEqual(measured.returncode, 0, measured.stderr)
            result.write_text(json.dumps(with_times_on_a_line(json.loads(result.read_text()))))
            fitted = run("probe-comm", "--fit", str(result), "-o", str(profile))
            self.assertEqual(fitted.returncode, 0, fitted.stderr)
            self.assertRegex(fitted.stdout, r"symmetric +allreduce eager +6 sizes +[0-9.]+ % median error")
            modelled = run("probe-comm", "--device", "model", "--machine", str(profile), "--mode", "eager",
                           "--strategy", "symmetric", "--dtype", "bf16", "--sizes", "16K", "--json", "-")
            self.assertEqual(modelled.returncode, 0, modelled.stderr)
            row = json.loads(modelled.stdout)["rows"][0]
            self.assertEqual(row["origin"], "modelled")
            self.assertAlmostEqual(row["time"]["median_ns"], 2000 + 0.1 * 16384, delta=200)

    def test_a_profile_has_what_was_measured_and_run_spec_takes_no_link_for_a_memory(self):
        recorded = pathlib.Path(os.environ["RINGSIDE_SOURCE"], "docs/results/2026-11-30-h200x2/allreduce-small.json")
        with tempfile.TemporaryDirectory() as folder:
            profile = pathlib.Path(folder, "box.toml")
            fitted = run("probe-comm", "--fit", str(recorded), "-o", str(profile))
            self.assertEqual(fitted.returncode, 0, fitted.stderr)
            text = profile.read_text()
            self.assertRegex(text, r"(?m)^peer_access = \"nvlink\"$")
            self.assertRegex(text, r"(?m)^gpu = \"NVIDIA H200\"$")
            self.assertRegex(text, r"(?m)^gib = 140$")
            self.assertNotRegex(text, r"(?m)^(local_bandwidth|read)_gbps")
            asked = ("run-spec", "llama-3-70b-eagle", "--tp", "2", "--acceptance", "2.5", "--json", "-")
            own = self.plain_speed(*asked, "--machine", str(profile))
            built_in = self.plain_speed(*asked, "--machine", "h200x2-nvlink")
            # The same GPUs: a link's 300 GB/s in the place of their memory's 3,800 would be ten times slower.
            self.assertGreater(own / built_in, 0.5)
            self.assertLess(own / built_in, 2)
            unknown = pathlib.Path(folder, "unknown.toml")
            unknown.write_text(text.replace("gib = 140", ""))
            asked = run("run-spec", "llama-3-70b-eagle", "--tp", "2", "--machine", str(unknown), "--verbose")
            self.assertEqual(asked.returncode, 0, asked.stderr)
            self.assertIn("not known: the profile of", asked.stdout)

    def plain_speed(self, *arguments):
        result = run(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["spec"]["estimate"]["plain_tokens_s"]["median"]

    def test_a_result_without_measured_rows_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder, "result.json")
            self.assertEqual(run("probe-comm", "--device", "model", "--json", str(result)).returncode, 0)
            fitted = run("probe-comm", "--fit", str(result), "-o", str(pathlib.Path(folder, "p.toml")))
            self.assertEqual(fitted.returncode, 2)
            self.assertIn("no measured row", fitted.stderr)
            self.assertEqual(run("probe-comm", "--fit", str(result)).returncode, 2)


if __name__ == "__main__":
    unittest.main()
