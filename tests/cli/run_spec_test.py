"""run-spec through the real binary: what it answers."""

import os
import re
import time
import unittest

from support.ringside import least, run
from support.spec_questions import CONFIG, WithFiles, answer, estimate, sglang_log


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


if __name__ == "__main__":
    unittest.main()
