"""run-spec through the real binary: answers, bad input, replay on the host."""

import json
import os
import pathlib
import re
import signal
import tempfile
import time
import unittest

from support import document_schema
from support.ringside import FolderTestCase, least, run

CONFIG = {"architectures": ["LlamaForCausalLM"], "num_hidden_layers": 80, "hidden_size": 8192,
          "intermediate_size": 28672, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256,
          "torch_dtype": "bfloat16"}


def sglang_line(second, running, tokens_s, length=None, tokens=16000, rank="TP0"):
    accepted = "" if length is None else f"accept len: {length:.2f}, accept rate: {(length - 1) / 3:.2f}, "
    return (f"[2026-05-04 10:{second // 60:02}:{second % 60:02} {rank}] Decode batch, #running-req: {running}, "
            f"#token: {tokens}, token usage: 0.03, {accepted}cuda graph: True, "
            f"gen throughput (token/s): {tokens_s:.2f}, #queue-req: 0, \n")


def sglang_log(running, tokens_s, length=None, windows=10, tokens=16000, start=0):
    """Windows of 5 s whose speeds scatter by 1 %."""
    return "".join(sglang_line(start + 5 * window, running, tokens_s * (1 + 0.01 * ((window % 3) - 1)), length, tokens)
                   for window in range(windows))


def answer(*arguments, code=0):
    result = run("run-spec", "--device", "model", "--json", "-", *arguments)
    assert result.returncode == code, result.stderr
    document = document_schema.parse(result.stdout)
    assert document_schema.violations(document) == [], document_schema.violations(document)
    return document


def estimate(*arguments, code=0):
    return answer(*arguments, code=code)["spec"]["estimate"]


class WithFiles(FolderTestCase):
    def file(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        return str(path)

    def text(self, *arguments):
        result = run("run-spec", "--device", "model", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout


class MeasuredFirst(WithFiles):
    """What was measured binds the answer."""

    def logs(self, plain=252, speculative=199, plain_tokens=16000, speculative_tokens=16000):
        return ("--from-log", self.file("plain.log", sglang_log(8, plain, tokens=plain_tokens)),
                "--from-log", self.file("spec.log", sglang_log(8, speculative, 2.4, tokens=speculative_tokens)))

    def test_two_logs_of_one_server_are_set_beside_each_other_in_the_first_line(self):
        for model in ((), ("kimi-k2.5-eagle3",), ("llama-3-70b-eagle", "--drafts", "3")):
            with self.subTest(model):
                first = self.text(*model, *self.logs()).splitlines()[0]
                self.assertRegex(first, r"^measured here at batch 8: 199 tok/s with, 252 without: 0\.79x \(0\.7\d to 0\.8\d\)")
                found = estimate(*model, *self.logs())
                self.assertEqual((found["verdict"], found["certainty"]), ("loses", "measured"))
                ratio = found["measured"][0]["ratio"]
                self.assertLessEqual(ratio["low"], 199 / 252)
                self.assertGreaterEqual(ratio["high"], 199 / 252)

    def test_the_opposite_is_measured_as_plainly(self):
        found = estimate("llama-3-70b-eagle", "--drafts", "3", *self.logs(plain=199, speculative=252))
        self.assertEqual((found["verdict"], found["certainty"]), ("pays", "measured"))

    def test_no_line_contradicts_what_was_measured(self):
        text = self.text("llama-3-70b-eagle", "--drafts", "3", *self.logs())
        self.assertNotRegex(text.splitlines()[0], r"\bspeculate\b")
        row = next(line for line in text.splitlines() if re.match(r"\s*\*?3 ", line) and "measured" in line)
        self.assertIn("0.79x", row)

    def test_far_contexts_are_not_compared(self):
        arguments = self.logs(plain_tokens=16000, speculative_tokens=240000)
        self.assertRegex(self.text(*arguments).splitlines()[0], r"^not comparable: context 2K and 30K")
        self.assertNotEqual(estimate(*arguments)["certainty"], "measured")

    def test_a_speed_beyond_the_memory_s_bandwidth_is_shown_and_opens_the_verdict(self):
        document = answer("llama-3-70b-eagle", "--acceptance", "3.3", "--observe", "batch=1,tokens_s=1e9")
        found = document["spec"]["estimate"]
        self.assertEqual((found["verdict"], found["certainty"]), ("open", "open"))
        self.assertEqual([observed["used"] for observed in found["observations"]], [False])
        self.assertIn("impossible-speed", {finding["kind"] for finding in document["findings"]})

    def test_without_a_model_only_what_was_measured_is_answered(self):
        document = answer(*self.logs())
        self.assertIn("no-model", {finding["kind"] for finding in document["findings"]})
        spec = document["spec"]
        self.assertEqual(spec["candidates"], [])
        self.assertIsNone(spec["estimate"]["plain_tokens_s"])
        self.assertIn("--from-config", spec["estimate"]["missing"])

    def test_typed_speeds_are_observations_too(self):
        found = estimate("--observe", "batch=8,tokens_s=455", "--observe", "batch=8,drafts=3,tokens_s=372,length=2.4")
        self.assertEqual((found["verdict"], found["certainty"], found["drafts"]), ("loses", "measured", 3))

    def test_expectations_end_the_run(self):
        arguments = self.logs()
        self.assertEqual(estimate(*arguments, "--expect", "loses")["verdict"], "loses")
        self.assertEqual(estimate(*arguments, "--expect", "pays", code=6)["verdict"], "loses")
        open_question = ("llama-3-70b-eagle", "--observe", "batch=1,tokens_s=1e9")
        self.assertEqual(estimate(*open_question, "--expect", "pays", code=7)["verdict"], "open")

    def test_the_model_s_disagreement_is_a_finding_about_the_model(self):
        observed = ("--observe", "batch=1,tokens_s=30", "--observe", "batch=1,drafts=3,tokens_s=6,length=3.2")
        document = answer("llama-3-70b-eagle", "--drafts", "3", *observed)
        self.assertEqual(document["spec"]["estimate"]["verdict"], "loses")
        self.assertIn("model-disagrees", {finding["kind"] for finding in document["findings"]})


class Intake(WithFiles):
    def test_ranks_of_data_parallelism_are_added_up(self):
        log = "".join(sglang_line(20 + 5 * window, 32, 690, tokens=64000, rank=f"DP{rank} TP{rank} EP{rank}")
                      for window in range(6) for rank in range(8))
        found = estimate("--from-log", self.file("dp.log", log))
        self.assertEqual(found["batch"], 256)
        self.assertAlmostEqual(found["observations"][0]["tokens_s"], 5520, delta=60)

    def test_plain_and_speculative_windows_of_one_log_are_kept_apart(self):
        log = sglang_log(1, 97, windows=12) + sglang_log(1, 131, 2.2, windows=6, start=60)
        found = estimate("--from-log", self.file("mixed.log", log))
        speeds = {observed["speculative"]: observed["tokens_s"] for observed in found["observations"]}
        self.assertAlmostEqual(speeds[False], 97, delta=2)
        self.assertAlmostEqual(speeds[True], 131, delta=2)
        self.assertEqual(found["certainty"], "measured")

    def test_every_batch_of_a_log_is_an_observation_and_has_a_row(self):
        log = (sglang_log(1, 88, 2.6, tokens=2000) + sglang_log(8, 402, 2.6, start=60)
               + sglang_log(16, 640, 2.6, tokens=32000, start=120))
        arguments = ("llama-3-70b-eagle", "--drafts", "3", "--from-log", self.file("batches.log", log))
        found = estimate(*arguments)
        self.assertEqual([round(observed["batch"]) for observed in found["observations"]], [1, 8, 16])
        self.assertEqual(sorted({cell["batch"] for cell in found["table"]}), [1, 8, 16])
        self.assertEqual(estimate(*arguments, "--set", "speculation.batch=8")["batch"], 8)
        self.assertEqual(estimate(*arguments, "--batch", "8")["batch"], 8)

    def test_an_allreduce_file_is_the_server_s_own(self):
        times = self.file("allreduce.csv", "bytes,us\n16384,30\n65536,197\n262144,400\n")
        document = answer("kimi-k2.5-eagle3", "--allreduce", times)
        candidate = next(c for c in document["spec"]["candidates"] if c["strategy"] == "as measured")
        self.assertGreater(candidate["call_ns"], 150e3)
        self.assertIn("slower-than-published", {finding["kind"] for finding in document["findings"]})


class OnADescribedMachine(WithFiles):
    def test_the_story_s_reported_speeds_come_first_and_the_answer_says_why(self):
        document = answer()
        spec = document["spec"]
        self.assertEqual(spec["allreduces"], 122)
        self.assertRegex(spec["estimate"]["decision"], r"^reported at batch 1: 54\.0 tok/s with, 89\.0 without: 0\.61x")
        self.assertEqual((spec["estimate"]["verdict"], spec["estimate"]["certainty"]), ("loses", "measured"))
        reported = next(c for c in spec["candidates"] if c["strategy"] == "as reported")
        self.assertAlmostEqual(reported["call_ns"], 24e6 / 122, delta=1)
        ids = {finding["id"] for finding in document["findings"]}
        self.assertIn("observed-consistent:kimi-k2.5-eagle3", ids)
        self.assertIn("slower-than-published:as reported", ids)
        self.assertRegex(" ".join(spec["decides"]), r"197 us as reported; published for 8 GPUs of this kind")
        self.assertEqual({memory["layout"] for memory in spec["memory"]}, {"tp", "tp+ep"})

    def test_unknown_acceptance_gives_the_length_to_break_even_and_no_speed(self):
        found = estimate("--set", "speculation.batch=4")
        self.assertIsNone(found["speedup"])
        self.assertIsNone(found["speculative_tokens_s"])
        self.assertGreater(found["break_even_length"]["median"], 1)
        self.assertIn("acceptance", found["missing"])

    def test_every_number_says_where_it_comes_from(self):
        inputs = {entry["key"]: entry["origin"] for entry in answer()["spec"]["inputs"]}
        self.assertEqual(inputs["observed.plain_tokens_s"], "reported")
        self.assertEqual(inputs["model.layers"], "reported")

    def test_the_out_of_memory_step_of_the_story(self):
        result = run("run-spec", "--device", "model", "--set", "memory.fraction=0.8")
        self.assertEqual(result.returncode, 0)
        self.assertIn("with tp+ep the weights leave no room for a KV pool", result.stdout.replace("\n         ", " "))

    def test_a_longer_acceptance_is_never_slower(self):
        question = ("llama-3-70b-eagle", "--drafts", "3")
        long = estimate(*question, "--acceptance", "3.9")
        short = estimate(*question, "--acceptance", "1")
        self.assertGreater(long["speedup"]["median"], short["speedup"]["median"])
        self.assertEqual(short["verdict"], "loses")

    def test_it_answers_in_less_than_150_ms(self):
        def seconds():
            start = time.perf_counter()
            run("run-spec", "--device", "model")
            return time.perf_counter() - start

        limit = 4 if os.environ.get("RINGSIDE_SANITIZE") else 0.15
        self.assertLess(least(seconds, below=limit, attempts=100), limit)

    def test_a_config_and_a_log_make_the_question(self):
        config = self.file("config.json", CONFIG)
        log = self.file("server.log", sglang_log(1, 54.1, 2.2))
        spec = answer("--from-config", config, "--from-log", log, "--drafts", "3")["spec"]
        self.assertEqual(spec["model"], "LlamaForCausalLM")
        self.assertEqual(spec["allreduces"], 160)
        self.assertIn("2.20", spec["estimate"]["acceptance"])
        self.assertIn("GPUs not known", spec["estimate"]["rests_on"])

    def test_what_set_gives_wins_over_config_and_log(self):
        config = self.file("config.json", CONFIG)
        log = self.file("server.log", sglang_log(1, 54.1, 2.2))
        spec = answer("--from-config", config, "--from-log", log, "--set", "model.hidden=2048", "--set",
                      "acceptance.length=3")["spec"]
        inputs = {entry["key"]: entry for entry in spec["inputs"]}
        self.assertEqual(inputs["model.hidden"]["value"], 2048)
        self.assertEqual(inputs["model.layers"]["value"], 80)
        self.assertEqual(inputs["acceptance.length"]["value"], 3)

    def test_one_gpu_can_be_asked_about(self):
        found = answer("llama-3-70b-eagle", "--tp", "1", "--acceptance", "2.5", "--drafts", "3")
        self.assertEqual(found["spec"]["estimate"]["layout"], "TP1")
        self.assertIsNotNone(found["spec"]["estimate"]["speedup"])

    def test_layouts_change_the_calls_and_the_memory(self):
        plain = answer("deepseek-v3-mtp")["spec"]
        attention = answer("deepseek-v3-mtp", "--dp-attention")["spec"]
        experts = answer("deepseek-v3-mtp", "--ep", "8")["spec"]
        alltoall = answer("deepseek-v3-mtp", "--ep", "8", "--alltoall")["spec"]
        self.assertEqual(plain["allreduces"], 122)
        self.assertEqual(attention["allreduces"], 61)
        self.assertEqual({c["layout"] for c in experts["candidates"]}, {"tp+ep"})
        self.assertFalse(any("+" in c["strategy"] for c in experts["candidates"]))
        self.assertTrue(all("+" in c["strategy"] for c in alltoall["candidates"]))
        self.assertGreater(attention["memory"][0]["weights_bytes"], plain["memory"][0]["weights_bytes"])

    def test_batches_and_contexts_give_a_table_with_its_crossover_and_lines_to_paste(self):
        found = estimate("llama-3-70b-eagle", "--drafts", "3", "--acceptance", "2.2", "--batch", "1:64:x4", "--context",
                         "1K,8K")
        self.assertEqual(len(found["table"]), 2 * 4 * 9)
        self.assertEqual(len(found["crossover"]), 2)
        for batch in (1, 4, 16, 64):
            marked = [cell for cell in found["table"] if cell["best"] and cell["batch"] == batch and cell["context"] == 1024]
            self.assertEqual(len(marked), 1)
        if found["paste"]:
            self.assertIn("num_speculative_tokens", found["paste"][0]["lines"][0])

    def test_csv_has_tokens_a_second(self):
        result = run("run-spec", "--device", "model", "llama-3-70b-eagle", "--drafts", "3", "--csv", "-")
        lines = result.stdout.splitlines()
        head = lines[0].split(",")
        self.assertIn("tokens_s", head)
        last = dict(zip(head, lines[-1].split(",")))
        self.assertGreater(float(last["tokens_s"]), 0)
        self.assertEqual(len(lines[-1].split(",")), len(head))

    def test_the_command_to_measure_names_the_server_that_is_known(self):
        log = self.file("plain.log", sglang_log(8, 455))
        commands = estimate("llama-3-70b-eagle", "--drafts", "3", "--from-log", log, "--server", "sglang@0.5.9")["commands"]
        self.assertEqual([command["server"] for command in commands], ["SGLang"])
        self.assertIn("SGLANG_SIMULATE_ACC_LEN", commands[0]["lines"][0])
        every = estimate("llama-3-70b-eagle", "--drafts", "3", "--observe", "batch=8,tokens_s=455")["commands"]
        self.assertEqual([command["server"] for command in every], ["vLLM", "SGLang", "TensorRT-LLM"])

    def test_published_acceptance_is_a_prior_and_never_firm(self):
        found = estimate("kimi-k2.5-eagle3", "--set", "speculation.batch=2", "--acceptance", "golden:kimi-k2.5")
        self.assertNotEqual(found["certainty"], "firm")
        self.assertIn("prior", found["acceptance"])

    def test_what_was_reported_of_another_layout_is_left_out_and_said(self):
        document = answer("--set", "parallel.tp=4")
        self.assertIn("reported-for-another:kimi-k2.5-eagle3", {finding["id"] for finding in document["findings"]})
        self.assertNotIn("as reported", {c["strategy"] for c in document["spec"]["candidates"]})
        for memory in document["spec"]["memory"]:
            self.assertEqual(memory["origin"], "modelled")
            self.assertLess(memory["kv_pool_bytes"], 0)

    def test_presets_all_answer(self):
        for name in ("deepseek-v3-mtp", "qwen3-235b-a22b", "glm-4.5-mtp", "llama-3-70b-eagle", "template"):
            with self.subTest(name):
                self.assertGreater(len(answer(name)["spec"]["candidates"]), 2)

    def test_every_row_of_a_described_machine_is_modelled(self):
        for name in ("kimi-k2.5-eagle3", "llama-3-70b-eagle"):
            self.assertEqual({row["origin"] for row in answer(name)["rows"]}, {"modelled"})

    def test_the_same_question_has_the_same_answer(self):
        question = ("llama-3-70b-eagle", "--drafts", "3", "--observe", "batch=1,tokens_s=40")
        self.assertEqual(estimate(*question), estimate(*question))

    def test_markdown_holds_the_verdict(self):
        result = run("run-spec", "--device", "model", "--md", "-")
        self.assertIn("**verdict**", result.stdout)


class BadInput(WithFiles):
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
            self.assertIn("'Nothing'", self.refused("--from-config", str(path)))

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

    def test_options_that_can_not_be(self):
        missing = str(pathlib.Path(self.folder, "nothing"))
        for arguments, said in (
                (("--batch", "0"), "--batch"), (("--batch", "8,4"), "--batch"), (("--batch", "x"), "--batch"),
                (("--context", "0"), "--context"), (("--acceptance", "9"), "--acceptance"),
                (("--acceptance", "0.5,0.6"), "never rise"), (("--acceptance", "golden:nothing"), "no published"),
                (("--gpu", "h100_sxn"), "h100_sxm"), (("--server", "nothing@1"), "--server"),
                (("--tp", "0"), "--tp"), (("--drafts", "0"), "--drafts"), (("--alltoall",), "--ep"),
                (("--ep", "3"), "parallel.ep"), (("--expect", "wins"), "pays or loses"),
                (("--observe", "tokens_s=4"), "batch"), (("--observe", "batch=8,tokens_s=-1"), "tokens_s"),
                (("--metrics", missing), "two values"), (("--metrics", missing, missing), "nothing"),
                (("--from-bench", missing), "nothing"), (("--allreduce", missing), "nothing"),
                (("--from-config", missing), "nothing"), (("--draft-config", missing), "nothing")):
            with self.subTest(arguments):
                self.assertIn(said, self.refused(*arguments))

    def test_files_that_say_something_else(self):
        text = self.file("notes.txt", "hello\n")
        for option in ("--from-bench", "--allreduce", "--from-config", "--from-log"):
            with self.subTest(option):
                self.assertIn(text, self.refused(option, text))

    def test_a_length_that_so_few_drafts_can_not_have(self):
        log = self.file("spec.log", sglang_log(8, 199, 3.9))
        self.assertIn("--drafts", self.refused("--from-log", log, "--drafts", "1"))

    def test_a_model_of_several_kinds_of_layers_takes_no_override(self):
        config = dict(CONFIG, architectures=["Gemma3ForCausalLM"], model_type="gemma3_text", sliding_window=1024,
                      sliding_window_pattern=6, head_dim=128)
        path = self.file("config.json", config)
        self.assertIn("config.json", self.refused("--from-config", path, "--set", "model.hidden=2048"))

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
