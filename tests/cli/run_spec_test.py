"""run-spec through the real binary: answers, bad input, replay on the host."""

import json
import os
import pathlib
import signal
import tempfile
import time
import unittest

from support import document_schema
from support.ringside import FolderTestCase, least, run

SGLANG_LOG = """[2026-01-05 09:30:00 TP0] Decode batch. #running-req: 1, #token: 96, token usage: 0.01, accept len: 2.20, \
accept rate: 0.55, cuda graph: True, gen throughput (token/s): 54.10, #queue-req: 0
"""
CONFIG = {"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 80, "hidden_size": 8192,
          "intermediate_size": 28672, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256,
          "torch_dtype": "bfloat16"}


def answer(*arguments):
    result = run("run-spec", "--device", "model", "--json", "-", *arguments)
    assert result.returncode == 0, result.stderr
    document = document_schema.parse(result.stdout)
    assert document_schema.violations(document) == [], document_schema.violations(document)
    return document


class OnADescribedMachine(unittest.TestCase):
    def test_the_story_is_answered_and_found_consistent(self):
        document = answer()
        spec = document["spec"]
        self.assertEqual(spec["allreduces"], 122)
        reported = next(c for c in spec["candidates"] if c["strategy"] == "as reported")
        self.assertAlmostEqual(reported["tokens_s"], 54, delta=1)
        self.assertAlmostEqual(reported["plain_tokens_s"], 89, delta=1)
        self.assertAlmostEqual(reported["call_ns"], 24e6 / 122, delta=1)
        self.assertIn("observed-consistent:kimi-k2.5-eagle3", {finding["id"] for finding in document["findings"]})
        self.assertTrue(spec["recommendation"].startswith(("speculate", "don't speculate", "tie")))
        self.assertEqual({memory["layout"] for memory in spec["memory"]}, {"tp", "tp+ep"})

    def test_every_number_says_where_it_comes_from(self):
        inputs = {entry["key"]: entry["origin"] for entry in answer()["spec"]["inputs"]}
        self.assertEqual(inputs["observed.plain_tokens_s"], "reported")
        self.assertEqual(inputs["acceptance.length"], "modelled")
        self.assertEqual(inputs["compute.plain_ms"], "modelled")

    def test_the_out_of_memory_step_of_the_story(self):
        result = run("run-spec", "--device", "model", "--set", "memory.fraction=0.8")
        self.assertEqual(result.returncode, 0)
        self.assertIn("with tp+ep the weights leave no room for a KV pool", result.stdout.replace("\n         ", " "))

    def test_an_override_changes_the_answer(self):
        long = answer("--set", "acceptance.length=3.9")["spec"]
        short = answer("--set", "acceptance.length=1.0")["spec"]
        self.assertTrue(long["recommendation"].startswith("speculate"), long["recommendation"])
        self.assertFalse(short["recommendation"].startswith("speculate"), short["recommendation"])

    def test_it_answers_in_less_than_50_ms(self):
        def seconds():
            start = time.perf_counter()
            run("run-spec", "--device", "model")
            return time.perf_counter() - start

        limit = 2 if os.environ.get("RINGSIDE_SANITIZE") else 0.05
        self.assertLess(least(seconds, below=limit, attempts=100), limit)

    def test_a_config_and_a_log_take_the_place_of_the_scenario_s_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "config.json")
            config.write_text(json.dumps(CONFIG))
            log = pathlib.Path(folder, "server.log")
            log.write_text(SGLANG_LOG)
            spec = answer("--from-config", str(config), "--from-log", str(log))["spec"]
        self.assertEqual(spec["model"], "LlamaForCausalLM")
        self.assertEqual(spec["allreduces"], 160)
        inputs = {entry["key"]: entry for entry in spec["inputs"]}
        self.assertEqual(inputs["acceptance.length"]["value"], 2.2)
        self.assertEqual(inputs["acceptance.length"]["origin"], "measured")
        self.assertEqual(inputs["observed.spec_tokens_s"]["value"], 54.1)

    def test_what_set_gives_wins_over_config_and_log(self):
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "config.json")
            config.write_text(json.dumps(CONFIG))
            log = pathlib.Path(folder, "server.log")
            log.write_text(SGLANG_LOG)
            spec = answer("--from-config", str(config), "--from-log", str(log), "--set", "model.hidden=2048",
                          "--set", "acceptance.length=3")["spec"]
        inputs = {entry["key"]: entry for entry in spec["inputs"]}
        self.assertEqual(inputs["model.hidden"]["value"], 2048)
        self.assertEqual(inputs["model.layers"]["value"], 80)
        self.assertEqual(inputs["acceptance.length"]["value"], 3)

    def test_what_was_read_of_a_log_is_said_and_its_spread_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "server.log")
            busier = SGLANG_LOG.replace("#running-req: 1", "#running-req: 9")
            log.write_text(SGLANG_LOG + SGLANG_LOG.replace("2.20", "2.30") + busier)
            result = run("run-spec", "--device", "model", "--from-log", str(log))
            document = answer("--from-log", str(log))
        self.assertIn("2 of 3 lines of SGLang, 1 running, 2.25 tokens a step (2.2 to 2.3)", result.stderr)
        length = next(entry for entry in document["spec"]["inputs"] if entry["key"] == "acceptance.length")
        self.assertEqual(length["range"], {"low": 2.2, "high": 2.3})

    def test_what_was_reported_of_another_layout_is_left_out_and_said(self):
        document = answer("--set", "parallel.tp=4")
        self.assertIn("reported-for-another:kimi-k2.5-eagle3", {finding["id"] for finding in document["findings"]})
        self.assertNotIn("as reported", {c["strategy"] for c in document["spec"]["candidates"]})
        for memory in document["spec"]["memory"]:
            self.assertEqual(memory["origin"], "modelled")
            self.assertLess(memory["kv_pool_bytes"], 0)
        self.assertIn("at 4 draft tokens", document["spec"]["decides"][1])

    def test_presets_all_answer(self):
        for name in ("deepseek-v3-mtp", "qwen3-235b-a22b", "glm-4.5-mtp", "llama-3-70b-eagle", "template"):
            with self.subTest(name):
                self.assertGreater(len(answer(name)["spec"]["candidates"]), 2)

    def test_every_row_of_a_described_machine_is_modelled(self):
        for name in ("kimi-k2.5-eagle3", "llama-3-70b-eagle"):
            self.assertEqual({row["origin"] for row in answer(name)["rows"]}, {"modelled"})

    def test_the_verdict_s_draft_tokens_are_the_best_of_its_row(self):
        spec = answer("llama-3-70b-eagle")["spec"]
        best = max(spec["candidates"], key=lambda candidate: candidate["best_tokens_s"])
        self.assertIn(f": {best['best_draft_tokens']} draft tokens over", spec["recommendation"])

    def test_markdown_holds_the_verdict(self):
        result = run("run-spec", "--device", "model", "--md", "-")
        self.assertIn("**verdict**", result.stdout)


class BadInput(unittest.TestCase):
    def refused(self, *arguments):
        result = run("run-spec", "--device", "model", *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def test_numbers_that_can_not_be(self):
        for bad in ("speculation.batch=0", "speculation.batch=-3", "model.hidden=-1", "model.layers=0", "parallel.ep=7",
                    "acceptance.length=0.5", "acceptance.rate=2", "speculation.draft_tokens=0",
                    "speculation.batch=999999", "memory.fraction=1.5", "observed.plain_tokens_s=-89"):
            with self.subTest(bad):
                extra = ("--set", "model.hidden=999999") if bad == "speculation.batch=999999" else ()
                self.refused("--set", bad, *extra)

    def test_a_wrong_key_names_the_nearest(self):
        self.assertIn("draft_tokens", self.refused("--set", "speculation.draft_tokns=5"))
        self.assertIn("kimi-k2.5-eagle3", self.refused("kimi-k2.5-eagel3"))

    def test_a_wrong_key_in_a_file_has_line_and_column(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mine.toml")
            path.write_text('title = "mine"\n[model]\nname = "m"\nlayers = 2\nhiden = 64\n[parallel]\ntp = 2\n')
            self.assertRegex(self.refused(str(path)), r"mine\.toml:5:1: 'hidden' is missing .*'hiden'")

    def test_idle_time_on_a_described_machine(self):
        self.assertIn("--compute and --skew are of a replay", self.refused("--compute", "100"))

    def test_a_machine_of_an_unknown_architecture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "box.toml")
            path.write_text('title = "x"\nranks = 8\narchitecture = "sm12"\nsource = "x"\n')
            self.assertRegex(self.refused("--machine", str(path)), r"box\.toml:3:16: unknown architecture 'sm12'")

    def test_a_config_of_an_unknown_architecture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "config.json")
            path.write_text('{"architectures": ["Nothing"], "hidden_size": 5}')
            self.assertIn("unknown architecture 'Nothing'", self.refused("--from-config", str(path)))

    def test_a_log_without_the_lines_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "server.log")
            path.write_text("INFO: Application startup complete.\n")
            self.assertIn("no line of an SGLang server", self.refused("--from-log", str(path)))

    def test_a_log_that_is_no_text(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "server.log.gz")
            path.write_bytes(b"\x1f\x8b\x08\0\0\0")
            self.assertIn(f"{path}: it is no text", self.refused("--from-log", str(path)))

    def test_no_acceptance_anywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mine.toml")
            path.write_text('title = "mine"\n[model]\nname = "m"\nlayers = 2\nhidden = 64\n[parallel]\ntp = 2\n'
                            '[speculation]\nalgorithm = "x"\nsteps = 3\n')
            self.assertIn("says nothing about acceptance", self.refused(str(path), "--machine", "h200x2-nvlink"))

    def test_more_ranks_than_the_machine_has(self):
        self.assertIn("the machine h200x2-nvlink has 2", self.refused("--machine", "h200x2-nvlink"))


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
