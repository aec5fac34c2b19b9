"""The cuda device through the command line: what it says where there is no GPU, and what it does where there are two."""

import functools
import json
import os
import pathlib
import signal
import unittest

from support.ringside import WITHOUT_GPUS, FolderTestCase, environment, finished, is_running, run, wait_until

TWO = ("--device", "cuda", "--ranks", "2", "--launches", "1")
QUICK = (*TWO, "--sizes", "4K,1M", "--rounds", "10", "--budget", "30")


@functools.cache
def refusal():
    """Why the cuda device can't be used here, or "" when it can."""
    result = run("probe-comm", "--device", "cuda", "--plan")
    return result.stderr if result.returncode == 3 else ""


class WithoutGpus(unittest.TestCase):
    def test_cuda_is_refused_in_one_line_that_says_why_and_what_to_do(self):
        result = run("probe-comm", "--device", "cuda", env=WITHOUT_GPUS)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr,
                         r"\Aringside: --device cuda: [^\n]+; use --device host or --device model\n\Z")

    def test_auto_takes_the_host_and_says_why(self):
        result = run("probe-comm", "--device", "auto", "--ranks", "2", "--strategy", "ring", "--sizes", "4K",
                     "--launches", "1", "--rounds", "3", "--budget", "60", env=WITHOUT_GPUS)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"ringside: device host: [^\n]+; ranks run on CPU cores\n")


class Usage(unittest.TestCase):
    def test_gpus_without_the_cuda_device_is_a_contradiction(self):
        result = run("probe-comm", "--device", "host", "--gpus", "0,1")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("--gpus", result.stderr)

    def test_cold_inputs_are_refused_on_the_host(self):
        result = run("probe-comm", "--device", "host", "--input", "cold", "--ranks", "2", "--sizes", "4K")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cold inputs need the cuda device", result.stderr)

    def test_an_unknown_input_names_the_nearest(self):
        result = run("probe-comm", "--input", "colt")
        self.assertEqual(result.returncode, 2)
        self.assertIn("did you mean 'cold'?", result.stderr)


class WithGpus(FolderTestCase):
    def setUp(self):
        if refusal():
            self.skipTest("no two GPUs here")
        super().setUp()

    def probe(self, *arguments, **options):
        result = run("probe-comm", *arguments, "--json", "-", timeout=180, **options)
        return result, json.loads(result.stdout) if result.stdout else None

    def test_every_strategy_passes_verified_or_says_why_not(self):
        result, document = self.probe(*QUICK)
        self.assertEqual(result.returncode, 0, result.stderr)
        for row in document["rows"]:
            name = f"{row['params']['strategy']} {row['params']['bytes']} {row['params']['mode']}"
            if row["status"] == "skipped":
                kinds = [finding["kind"] for finding in document["findings"] if finding["id"] in row["findings"]]
                self.assertTrue(set(kinds) & {"not-admitted", "not-available"}, name)
                continue
            self.assertEqual(row["status"], "pass", name)
            self.assertGreater(row["verification"]["calls"], 0, name)
            self.assertTrue(row["verification"]["bitwise_across_ranks"], name)
            self.assertLessEqual(row["of_floor"], 1.0, name)
            if row["params"]["strategy"].startswith("nccl-"):
                self.assertIsNotNone(row["asked"], name)
                self.assertIsNotNone(row["ran"], name)
            if row["params"]["strategy"] == "custom":
                self.assertIn(row["ran"], {"custom-push-ll", "custom-push", "custom-two-shot", "custom-pull"}, name)
                self.assertRegex(row["chosen_by"], r"^(built-in table|/.*\.toml) fnv1a:[0-9a-f]{16}$", name)
        passed = {row["params"]["strategy"] for row in finished(document)}
        self.assertLessEqual({"nccl-auto", "nccl-ring:ll", "nccl-tree:simple", "custom-pull"}, passed)
        self.assertEqual([link["bytes"] for link in document["links"]], [4096, 1048576])

    def test_every_dtype_is_right(self):
        result, document = self.probe(*TWO, "--strategy", "custom-pull,nccl-ring", "--dtype", "bf16,fp16,fp32", "--sizes",
                                      "4K,100004", "--rounds", "3", "--min-rounds", "3", "--budget", "20")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({row["status"] for row in document["rows"]}, {"pass"})

    def test_nccl_tells_what_it_does_before_the_first_result_unless_a_profiler_listens(self):
        few = (*TWO, "--strategy", "nccl-ring,custom-pull", "--mode", "graph", "--sizes", "4K", "--rounds", "3",
               "--min-rounds", "3")
        result, document = self.probe(*few)
        self.assertEqual(result.returncode, 0, result.stderr)
        calls = {row["params"]["strategy"]: row["launches"][0]["nccl_calls"] for row in document["rows"]
                 if row["launches"]}
        self.assertEqual(calls["custom-pull"], [])
        self.assertEqual({call["name"]: call["count"] for call in calls["nccl-ring"]},
                         {"ncclCommInitRank": 1, "ncclAllReduce": 1})
        for call in calls["nccl-ring"]:
            self.assertGreater(call["time_ns"], 0)
        tap = pathlib.Path(os.environ["RINGSIDE_FAKES_DIR"]) / "nvtx_tap.so"
        _, document = self.probe(*few, env=environment(NVTX_INJECTION64_PATH=str(tap),
                                                       NVTX_TAP_FILE=str(self.folder / "%p")))
        self.assertEqual([launch["nccl_calls"] for row in document["rows"] for launch in row["launches"]], [[], []])

    def test_the_machine_is_described(self):
        _, document = self.probe(*TWO, "--strategy", "custom-pull", "--sizes", "4K", "--rounds", "3", "--min-rounds", "3")
        facts = document["machine"]["facts"]
        for fact in ("driver", "cuda_driver", "gpu0_uuid", "gpu1_pci_address", "gpu0_to_gpu1", "gpu0_memory_sharing", "nccl"):
            self.assertIn(fact, facts)
        self.assertGreater(finished(document)[0]["clocks"]["sm_mhz_min"], 0)

    def test_gpus_are_taken_in_the_order_that_is_asked_for(self):
        few = ("--launches", "1", "--strategy", "custom-pull", "--sizes", "4K", "--rounds", "3", "--min-rounds", "3")
        _, forward = self.probe("--device", "cuda", "--gpus", "0,1", *few)
        _, backward = self.probe("--device", "cuda", "--gpus", "1,0", *few)
        uuids = [forward["machine"]["facts"][f"gpu{index}_uuid"] for index in (0, 1)]
        self.assertEqual([backward["machine"]["facts"][f"gpu{index}_uuid"] for index in (1, 0)], uuids)
        result, _ = self.probe("--device", "cuda", "--gpus", "0,0", *few)
        self.assertEqual(result.returncode, 2)
        self.assertIn("named twice", result.stderr)

    def test_a_late_rank_is_told_with_what_the_others_waited(self):
        _, document = self.probe(*TWO, "--strategy", "custom-pull,nccl-ring:ll,custom", "--sizes", "64K", "--mode", "graph,eager",
                                 "--rounds", "10", "--skew", "50")
        rows = finished(document)
        self.assertEqual(len(rows), 6)
        for row in rows:
            name = f"{row['params']['strategy']} {row['params']['mode']}"
            self.assertEqual(row["skew"]["delay_ns"], 50000, name)
            self.assertGreater(row["skew"]["others_ns"], 50000, name)
            self.assertLess(row["skew"]["after_arrival_ns"], 50000, name)
            self.assertLess(row["time"]["median_ns"], 50000, name)  # nobody is late where the row is timed
        told = [finding for finding in document["findings"] if finding["kind"] == "skew"]
        self.assertTrue(all("one rank comes 50.0 us late" in finding["message"] for finding in told), told)

    def test_inputs_that_are_in_no_cache_are_right_and_take_longer(self):
        few = (*TWO, "--strategy", "custom-push", "--sizes", "256K", "--mode", "graph", "--rounds", "20")
        medians = {}
        for temperature in ("warm", "cold"):
            result, document = self.probe(*few, "--input", temperature)
            self.assertEqual(result.returncode, 0, result.stderr)
            row, = finished(document)
            self.assertTrue(row["verification"]["bitwise_across_ranks"])
            medians[temperature] = row["time"]["median_ns"]
        self.assertGreater(medians["cold"], medians["warm"])

    def test_skew_and_cold_inputs_go_together(self):
        _, document = self.probe(*TWO, "--strategy", "custom-pull", "--sizes", "64K", "--mode", "graph", "--rounds", "10",
                                 "--skew", "50", "--input", "cold")
        self.assertEqual(finished(document)[0]["skew"]["delay_ns"], 50000)

    def test_a_library_that_is_no_nccl_skips_its_strategies_with_the_reason(self):
        result, document = self.probe(*TWO, "--strategy", "nccl-auto,custom-pull", "--sizes", "4K", "--rounds", "3",
                                      "--min-rounds", "3", "--nccl-lib", "/nonexistent/libnccl.so")
        self.assertEqual(result.returncode, 0, result.stderr)
        by_strategy = {row["params"]["strategy"]: row["status"] for row in document["rows"]}
        self.assertEqual(by_strategy, {"nccl-auto": "skipped", "custom-pull": "pass"})
        self.assertTrue(any("/nonexistent/libnccl.so" in finding["message"] for finding in document["findings"]))

    def test_a_rank_that_is_killed_inside_a_nccl_call_costs_one_case_and_leaves_no_process(self):
        sweep = self.start(*TWO, "--strategy", "nccl-ring:simple,custom-pull", "--mode", "eager", "--sizes", "16M",
                           "--rounds", "500", "--min-rounds", "500", "--budget", "60")
        ranks = sweep.wait_for_round("nccl-ring:simple 16M bf16 eager, round 3", 120)
        os.kill(ranks[1], signal.SIGKILL)
        self.assertEqual(sweep.end(180), 5)
        self.assertFalse(any(is_running(pid) for pid in ranks.values()))
        document = sweep.document()
        self.assertEqual(sorted(row["status"] for row in document["rows"]), ["failed", "pass"])
        self.assertTrue(any("rank 1" in finding["message"] for finding in document["findings"]
                            if finding["kind"] == "rank-lost"))

    def test_no_rank_survives_the_coordinator(self):
        sweep = self.start(*TWO, "--strategy", "nccl-auto", "--mode", "eager", "--sizes", "1M", "--rounds", "100000",
                           "--min-rounds", "100000", "--budget", "300")
        ranks = sweep.wait_for_round("nccl-auto 1M bf16 eager, round 3", 120)
        os.kill(sweep.pid, signal.SIGKILL)
        sweep.end()
        wait_until(lambda: not any(is_running(pid) for pid in ranks.values()), "the end of the ranks", 20)


if __name__ == "__main__":
    unittest.main()
