"""trace-init: what a verdict rests on, what the server's own checks refuse, and which options a way in can use."""

import json
import os
import pathlib
import shutil

from support.ringside import FolderTestCase, run

SHAPES = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/sglang_shapes/basic"
SRT = "python/sglang/srt"
LAUNCH = ("--", "python", "-m", "sglang.launch_server", "--model-path")
DEEPSEEK = (*LAUNCH, "deepseek-ai/DeepSeek-V3", "--tp", "8")
HANDLER = """
    def _handle_a2a(self):
"""


class TreeTestCase(FolderTestCase):
    def tree(self, **changes):
        """A copy of the small tree, its server_args.py with these replacements."""
        tree = self.folder / "tree"
        shutil.copytree(SHAPES, tree, dirs_exist_ok=True)
        path = tree / SRT / "server_args.py"
        text = path.read_text(encoding="utf-8")
        for old, new in changes.get("replace", ()):
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        path.write_text(text, encoding="utf-8")
        return tree

    def trace(self, tree, *flags, code=0, options=()):
        config = self.folder / "config.json"
        config.write_text('{"architectures": ["RingVLForConditionalGeneration"], "num_experts": 8, "num_experts_per_tok": 2}',
                          encoding="utf-8")
        result = run("trace-init", "--source", str(tree), "--model-config", str(config), "--json", "-", *options, *LAUNCH, "m",
                     "--tp", "2", *flags)
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        return json.loads(result.stdout)["trace"]

    def checking(self, body):
        """The tree with a handler of these lines in front of the others."""
        lines = "".join("        %s\n" % line for line in body)
        return self.tree(replace=[("        self._handle_a2a()\n", "        self._handle_new()\n        self._handle_a2a()\n"),
                                  (HANDLER, "\n    def _handle_new(self):\n" + lines + HANDLER)])


class Checks(TreeTestCase):
    def test_a_check_of_any_field_refuses(self):
        tree = self.checking(["if self.tp_size % 4:", "    raise ValueError(f'no {self.tp_size}')"])
        trace = self.trace(tree)
        self.assertEqual((trace["outcome"], trace["death"]["error"], trace["death"]["message"]), ("refused", "ValueError", "no 2"))

    def test_handlers_behind_a_call_that_names_no_field(self):
        tree = self.tree(replace=[("    def __post_init__(self):\n",
                                   "    def __post_init__(self):\n        self._run()\n\n    def _run(self):\n")])
        trace = self.trace(tree, "--moe-a2a-backend", "ring")
        self.assertEqual((trace["facts"]["args.ep_size"], trace["outcome"]), ("2", "expert-location-assert"))

    def test_a_tree_without_the_stage_is_unknown(self):
        tree = self.tree(replace=[("def __post_init__(self):", "def post_init(self):")])
        trace = self.trace(tree)
        self.assertEqual(trace["outcome"], "unknown")
        self.assertFalse(trace["scopes"][0]["covered"])
        self.assertIn("nothing of the server's own checks", trace["scopes"][0]["text"])

    def test_what_is_not_evaluated_is_named_and_refuses_nothing(self):
        bodies = {
            "the file system": ["if os.path.exists(self.model_path):", "    raise ValueError('x')"],
            "a loop": ["for name in self.cuda_graph_names():", "    raise ValueError('x')"],
            "a caught exception": ["try:", "    int(self.model_path)", "except ValueError:", "    raise ValueError('x')"],
            "a list that grows": ["bad = []", "self.look(bad)", "bad.append(1)", "if bad:", "    raise ValueError('x')"],
        }
        for name, body in bodies.items():
            with self.subTest(name):
                scope = self.trace(self.checking(body))["scopes"][0]
                self.assertEqual(scope["checks"] - scope["evaluated"], 1, scope)
                self.assertRegex(scope["not_evaluated"][0], r"^server_args\.py:\d+ \(ServerArgs\._handle_new\)")

    def test_a_loop_over_nothing_is_evaluated(self):
        tree = self.checking(["for name in self.speculative_algorithm or []:", "    raise ValueError('x')"])
        scope = self.trace(tree)["scopes"][0]
        self.assertEqual((scope["checks"], scope["not_evaluated"]), (scope["evaluated"], []))

    def test_an_exit_is_an_end(self):
        trace = self.trace(self.checking(["if self.pp_size == 1:", "    sys.exit('no pipeline')"]))
        self.assertEqual((trace["outcome"], trace["death"]["error"]), ("refused", "SystemExit"))

    def test_a_value_that_is_not_known_leaves_the_outcome_unknown(self):
        script = self.folder / "launch.sh"
        script.write_text("python -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tp 8 --nnodes $N\n", encoding="utf-8")
        result = run("trace-init", "--sglang", "0.5.9", "--command-file", str(script), "--json", "-")
        self.assertEqual(json.loads(result.stdout)["trace"]["outcome"], "unknown")


class Versions(FolderTestCase):
    def trace(self, *command, options=()):
        result = run("trace-init", "--sglang", "0.5.9", "--json", "-", *options, *command)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)["trace"]

    def test_what_0_5_9_refuses(self):
        for flags, said in ((("--moe-dense-tp-size", "2"), "moe_dense_tp_size"),
                            (("--nnodes", "3"), "number of nodes"),
                            (("--dp-size", "2", "--nnodes", "2"), "multi-node data parallel"),
                            (("--base-gpu-id", "-1"), "base_gpu_id"),
                            (("--served-model-name", "a:b"), "served_model_name")):
            with self.subTest(flags):
                trace = self.trace(*DEEPSEEK, *flags)
                self.assertEqual(trace["outcome"], "refused", trace["summary"])
                self.assertIn(said, trace["death"]["message"])

    def test_four_fifths_of_the_checks_are_evaluated(self):
        trace = self.trace(*DEEPSEEK)
        scope = trace["scopes"][0]
        self.assertEqual(trace["outcome"], "no-failure-found")
        self.assertGreaterEqual(scope["evaluated"], 0.8 * scope["checks"])
        self.assertEqual(len(scope["not_evaluated"]), scope["checks"] - scope["evaluated"])

    def test_shapes_of_quantised_experts(self):
        config = self.folder / "config.json"
        config.write_text('{"architectures": ["DeepseekV3ForCausalLM"], "n_routed_experts": 256, "num_experts_per_tok": 8,'
                          '"moe_intermediate_size": 2048, "num_hidden_layers": 61,'
                          '"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}', encoding="utf-8")
        refused = self.trace(*LAUNCH, "m", "--tp", "32", options=("--model-config", str(config)))
        self.assertEqual(refused["outcome"], "refused")
        self.assertIn("quantized MoE models", refused["death"]["message"])
        self.assertEqual(self.trace(*LAUNCH, "m", "--tp", "16", options=("--model-config", str(config)))["outcome"],
                         "no-failure-found")

    def test_names_of_models_count_whole(self):
        for name, outcome in (("zai-org/GLM-4.5V", "expert-location-assert"), ("zai-org/GLM-4.6V", "expert-location-assert"),
                              ("moonshotai/Kimi-K2.6", "expert-location-assert"),
                              ("moonshotai/KIMI-K2.5", "expert-location-assert"),
                              ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "unknown")):
            with self.subTest(name):
                trace = self.trace(*LAUNCH, name, "--tp", "8", "--ep", "8", "--moe-a2a-backend", "deepep")
                self.assertEqual(trace["outcome"], outcome)


class Scopes(FolderTestCase):
    def code(self, *options):
        result = run("trace-init", "--sglang", "0.5.9", "--expect", "no-failure-found", "--json", "-", *options, *DEEPSEEK)
        return result.returncode, {s["scope"]: s["covered"] for s in json.loads(result.stdout)["trace"]["scopes"]}

    def test_what_was_not_looked_at_is_no_success(self):
        self.assertEqual(self.code(), (0, {"arguments": True, "experts": True, "memory": False}))
        self.assertEqual(self.code("--scope", "arguments,experts,memory")[0], 7)
        memory = ("--gpu-memory", "80", "--free-after-weights", "30", "--scope", "memory")
        self.assertEqual(self.code(*memory), (0, {"arguments": True, "experts": True, "memory": True}))

    def test_options_that_a_way_in_can_t_use_are_refused_in_a_line(self):
        log = self.folder / "a.log"
        log.write_text("The server is fired up and ready to roll!\n", encoding="utf-8")
        for options in (("--log", str(log), "--gpu", "sm90"), ("--log", str(log), "--what-if"), ("--log", str(log), "--gpu-memory", "80"),
                        ("--sglang", "0.5.9", "--all-models", "--log", str(log)), ("--sglang", "0.5.9", "--all-models", "--what-if"),
                        ("--sglang", "0.5.9", "--all-models", *DEEPSEEK), ("--live", "--sglang", "0.5.9", *DEEPSEEK),
                        ("--live", "--gpu", "sm90", *DEEPSEEK), ("--sglang", "0.5.9", "--scope", "memory", *DEEPSEEK)):
            with self.subTest(options):
                result = run("trace-init", *options)
                self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)

    def test_a_log_and_its_command_give_one_answer(self):
        log = self.folder / "a.log"
        log.write_text("[2026-02-20 10:00:00] server_args=ServerArgs(model_path='deepseek-ai/DeepSeek-V3', tp_size=4)\n", encoding="utf-8")
        alone = run("trace-init", "--log", str(log), "--json", "-")
        both = run("trace-init", "--log", str(log), "--sglang", "0.5.9", "--json", "-", *DEEPSEEK, "--moe-dense-tp-size", "2")
        self.assertEqual(json.loads(alone.stdout)["trace"]["outcome"], "unknown")
        document = json.loads(both.stdout)
        self.assertEqual(document["trace"]["outcome"], "refused")
        differs = [f for f in document["findings"] if f["kind"] == "log-differs"]
        self.assertEqual([f["evidence"] for f in differs], [["tp_size: 8 in the command, 4 in the log"]])


class Modules(TreeTestCase):
    def test_a_class_made_through_its_module_is_followed(self):
        imports = {"from the package": "from sglang.srt.models import ring_moe",
                   "under another name": "import sglang.srt.models.ring_moe as ring_moe"}
        for name, line in imports.items():
            with self.subTest(name):
                tree = self.tree()
                (tree / SRT / "models/ring_vl.py").write_text(
                    line + "\n\n\nclass RingVLForConditionalGeneration:\n    def __init__(self, config):\n"
                    "        self.language_model = ring_moe.RingMoeForCausalLM(config.text_config)\n\n\n"
                    "EntryClass = RingVLForConditionalGeneration\n", encoding="utf-8")
                result = run("trace-init", "--source", str(tree), "--all-models")
                self.assertRegex(result.stdout, r"RingVLForConditionalGeneration .* no hook: will assert with --moe-a2a-backend ring, star")

    def test_a_base_named_through_its_module_hands_on_its_hook(self):
        tree = self.tree()
        (tree / SRT / "models/ring_vl.py").write_text(
            "from sglang.srt.models import ring_moe\n\n\nclass RingVLForConditionalGeneration(ring_moe.RingMoeForCausalLM):\n"
            "    pass\n\n\nEntryClass = RingVLForConditionalGeneration\n", encoding="utf-8")
        result = run("trace-init", "--source", str(tree), "--all-models")
        self.assertRegex(result.stdout, r"RingVLForConditionalGeneration .* has the hook \(models/ring_moe\.py")
