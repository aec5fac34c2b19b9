"""trace-init on commands, source trees and pipelines: outcomes, exit codes, and what bad input gets."""

import json
import os
import pathlib
import shutil

from support.ringside import FolderTestCase, run

SHAPES = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/sglang_shapes/basic"
SRT = "python/sglang/srt"
KIMI = ("--", "python", "-m", "sglang.launch_server", "--model-path", "moonshotai/Kimi-K2.5", "--tp", "8", "--quantization",
        "modelopt_fp4", "--moe-runner-backend", "flashinfer_cutlass")
A2A = (*KIMI, "--moe-a2a-backend", "flashinfer")


# Algorithms in the form of SGLang 0.5.4: a class with a registry in the place of an Enum.
REGISTRY = """
class SpeculativeAlgorithm:
    def is_none(self):
        return self is SpeculativeAlgorithm.NONE

    def is_eagle3(self):
        return self._has_flag("EAGLE3")

    def is_ngram(self):
        return self._has_flag("NGRAM")

    def create_draft_worker(self, **factory_kwargs):
        if self._draft_worker_factory is None:
            return None
        return self._draft_worker_factory(self, **factory_kwargs)


def register_speculative_algorithm(name, worker_cls, aliases=None, flags=None):
    SpeculativeAlgorithm.register(name, aliases=aliases)


SpeculativeAlgorithm.register("NONE")
register_speculative_algorithm("EAGLE", worker_cls=make_eagle, aliases=("NEXTN",), flags=("EAGLE",))
register_speculative_algorithm("NGRAM", worker_cls=make_ngram, flags=("NGRAM",))
register_speculative_algorithm("EAGLE3", worker_cls=make_eagle, aliases=("AHEAD",), flags=("EAGLE", "EAGLE3"))
"""


class Commands(FolderTestCase):
    def trace(self, *arguments, code=0):
        result = run("trace-init", "--json", "-", *arguments)
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        return json.loads(result.stdout)["trace"]

    def test_the_assert_and_what_mends_it(self):
        trace = self.trace("--sglang", "0.5.9", "--what-if", *A2A)
        self.assertEqual(trace["outcome"], "expert-location-assert")
        best = trace["counterfactuals"][0]
        self.assertEqual((best["changes"], best["outcome"]), (["--moe-a2a-backend none"], "no-failure-found"))
        marks = [step["mark"] for step in trace["steps"] if step["mark"] != "none"]
        self.assertEqual(marks, ["should-have-set", "set-to-none", "died"])

    def test_an_expectation_decides_the_exit_code(self):
        self.trace("--sglang", "0.5.9", "--expect", "expert-location-assert", *A2A)
        self.trace("--sglang", "0.5.9", "--expect", "no-failure-found", *A2A, code=6)
        self.trace("--sglang", "0.5.10.post1", "--expect", "pass", *A2A)

    def test_nothing_is_wider_than_a_hundred_columns(self):
        lines = run("trace-init", "--sglang", "0.5.9", "--what-if", *A2A).stdout.splitlines()
        self.assertEqual([line for line in lines if len(line) > 100], [])

    def test_a_script_with_a_missing_backslash(self):
        script = self.folder / "launch.sh"
        script.write_text("sglang serve --model-path moonshotai/Kimi-K2.5 \\\n  --tp $TP\n  --moe-a2a-backend flashinfer\n",
                          encoding="utf-8")
        result = run("trace-init", "--sglang", "0.5.9", "--command-file", str(script))
        self.assertEqual(result.returncode, 0)
        self.assertIn("launch.sh:3: --moe-a2a-backend", " ".join(result.stdout.split()))
        self.assertIn("$TP is not set in the script", " ".join(result.stdout.split()))


class Trees(FolderTestCase):
    def models(self, tree):
        return run("trace-init", "--source", str(tree), "--all-models")

    def copy(self):
        tree = self.folder / "tree"
        shutil.copytree(SHAPES, tree)
        return tree, tree / SRT

    def test_the_class_that_lacks_the_hook(self):
        result = self.models(SHAPES)
        self.assertEqual((result.returncode, result.stderr, result.stdout.count("will assert")), (0, "", 1))
        self.assertRegex(result.stdout, r"RingVLForConditionalGeneration .* no hook: will assert with --moe-a2a-backend ring, star")

    def outcome(self, *flags, tree=SHAPES, config_values=""):
        command = ("--", "python", "-m", "sglang.launch_server", "--model-path", "m", "--tp", "2", *flags)
        config = self.folder / "config.json"
        config.write_text('{"architectures": ["RingVLForConditionalGeneration"], "num_experts": 8, "num_experts_per_tok": 2%s}' %
                          config_values, encoding="utf-8")
        result = run("trace-init", "--source", str(tree), "--model-config", str(config), "--json", "-", *command)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_actions_of_the_tree_take_what_their_classes_say(self):
        plain = self.outcome("--enable-old-moe", "--disable-cuda-graph", "--moe-a2a-backend", "none")
        self.assertEqual((plain["trace"]["outcome"], plain["findings"]), ("no-failure-found", []))
        self.assertEqual(plain["trace"]["facts"]["args.disable_cuda_graph"], "True")
        gone = self.outcome("--enable-ring-moe")["trace"]
        self.assertEqual(gone["outcome"], "arguments-refused")

    def test_a_value_that_the_tree_does_not_take(self):
        document = self.outcome("--moe-a2a-backend", "rong")
        death = document["trace"]["death"]
        self.assertEqual(document["trace"]["outcome"], "arguments-refused")
        self.assertEqual(death["message"], "argument --moe-a2a-backend: invalid choice: 'rong' (did you mean 'ring'?)"
                                           " (it takes none, ring, star)")
        lines = (SHAPES / SRT / "server_args.py").read_text(encoding="utf-8").splitlines()
        self.assertIn("--moe-a2a-backend", lines[death["frames"][-1]["line"] - 1])

    def test_algorithms_that_their_module_registers(self):
        tree, srt = self.copy()
        (srt / "speculative/spec_info.py").write_text(REGISTRY, encoding="utf-8")
        scheduler = (srt / "managers/scheduler.py").read_text(encoding="utf-8")
        asks = scheduler.index("        if self.spec_algorithm.is_none()")
        ends = scheduler.index("        self.draft_worker = self.spec")
        (srt / "managers/scheduler.py").write_text(
            scheduler[:asks] + scheduler[ends:].replace("create_worker(self.server_args)", "create_draft_worker(a=1)"),
            encoding="utf-8")
        workers = {algorithm: {step["worker"] for step in self.outcome(*flags, tree=tree)["trace"]["steps"]}
                   for algorithm, flags in (("none", ()), ("NEXTN", ("--speculative-algorithm", "NEXTN")),
                                            ("NGRAM", ("--speculative-algorithm", "NGRAM")))}
        self.assertEqual({algorithm for algorithm, found in workers.items() if "draft" in found}, {"NEXTN"})
        written = self.folder / "pipeline.toml"
        run("trace-init", "--source", str(tree), "--write-pipeline", str(written), "--quiet")
        self.assertIn(r'args.speculative_algorithm in [\"EAGLE3\", \"AHEAD\"]', written.read_text(encoding="utf-8"))
        for unread in ('flags=FLAGS', 'flags=("EAGLE", *MORE)', '**more'):
            with self.subTest(unread):  # then nothing is claimed of any algorithm
                (srt / "speculative/spec_info.py").write_text(REGISTRY.replace('flags=("EAGLE",)', unread), encoding="utf-8")
                run("trace-init", "--source", str(tree), "--write-pipeline", str(written), "--quiet")
                self.assertNotIn("args.speculative_algorithm in", written.read_text(encoding="utf-8"))

    def test_a_question_about_the_model_that_a_function_answers(self):
        tree, srt = self.copy()
        arguments = (srt / "server_args.py").read_text(encoding="utf-8")
        arguments = arguments.replace("import argparse\n", "import argparse\nfrom sglang.srt.configs.model_config import is_starry\n")
        arguments = arguments.replace("    def _handle_a2a(self):\n", "    def _handle_a2a(self):\n        if is_starry(hf_config):\n"
                                                                      "            self.ep_size = self.tp_size\n")
        (srt / "server_args.py").write_text(arguments, encoding="utf-8")
        (srt / "configs").mkdir()
        (srt / "configs/model_config.py").write_text(
            "def is_starry(config):\n    return (\n        config.architectures is not None\n"
            "        and config.architectures[0] in ['RingVLForConditionalGeneration']\n"
            "        and getattr(config, 'star_topk', None) is not None\n    )\n", encoding="utf-8")
        def ep_size(values):
            return self.outcome(tree=tree, config_values=values)["trace"]["facts"]["args.ep_size"]
        self.assertEqual((ep_size(""), ep_size(', "star_topk": 4')), ("1", "2"))
        self.assertIn("unknown", ep_size(', "star_topk": {"a": 1}'))  # it is there, but no value to compare
        (srt / "server_args.py").write_text(arguments.replace("is_starry(hf_config)", "is_starry(quant_config)"), encoding="utf-8")
        self.assertIn("unknown", ep_size(', "star_topk": 4'))  # another config than the model's

    def test_an_address_in_the_place_of_a_path_and_a_member_in_the_dictionary(self):
        tree, srt = self.copy()
        arguments = (srt / "server_args.py").read_text(encoding="utf-8")
        (srt / "server_args.py").write_text(arguments.replace(
            "    def _handle_a2a(self):\n",
            "    def _handle_a2a(self):\n        if parse_connector_type(self.model_path) != 'instance':\n"
            "            self.ep_size = self.tp_size\n"), encoding="utf-8")
        block = (srt / "models/ring_moe.py").read_text(encoding="utf-8")
        asked = "get_moe_a2a_backend().is_ring()"
        self.assertIn(asked, block)
        (srt / "models/ring_moe.py").write_text(block.replace(asked, 'global_server_args_dict["moe_a2a_backend"].is_ring()'),
                                                encoding="utf-8")
        trace = self.outcome("--moe-a2a-backend", "ring", tree=tree)["trace"]
        self.assertEqual((trace["facts"]["args.ep_size"], trace["outcome"]), ("2", "expert-location-assert"))
        self.assertEqual(self.outcome("--moe-a2a-backend", "none", tree=tree)["trace"]["outcome"], "no-failure-found")

    def test_a_file_that_grows_while_it_is_read_is_not_taken_for_whole(self):
        tree, srt = self.copy()
        (srt / "models/plain.py").unlink()
        (srt / "models/plain.py").symlink_to("/proc/version")  # as such a file: there is more than its size says
        self.assertIn("models/plain.py: changed while it was read", self.models(tree).stderr)

    def test_a_file_that_does_not_parse_makes_its_facts_unknown(self):
        tree, srt = self.copy()
        (srt / "server_args.py").write_text("def f(:\n", encoding="utf-8")
        result = self.models(tree)
        self.assertEqual((result.returncode, result.stdout.count("will assert")), (0, 0))
        self.assertIn("server_args.py: line 1: invalid syntax", result.stderr)
        self.assertRegex(result.stdout, r"RingVLForConditionalGeneration .* not known with which --moe-a2a-backend")

    def test_a_hostile_tree_is_only_read(self):
        tree, srt = self.copy()
        marker = self.folder / "executed"
        (srt / "models/evil.py").write_text(f"open({str(marker)!r}, 'w')\nclass Evil: pass\nEntryClass = [Evil]\n", encoding="utf-8")
        (srt / "models/plain.py").unlink()
        os.mkfifo(srt / "models/plain.py")
        result = self.models(tree)
        self.assertEqual((result.returncode, marker.exists()), (0, False))
        self.assertIn("models/plain.py: is not a regular file", result.stderr)

    def test_what_is_no_tree(self):
        result = self.models(self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\Aringside: .*: not an SGLang tree .*\n\Z")
        (self.folder / SRT / "model_executor").mkdir(parents=True)
        result = self.models(self.folder)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\Aringside: .*: not a whole SGLang tree: .*server_args.py has no class ServerArgs.*\n\Z")


class Pipelines(FolderTestCase):
    def refused(self, step, part):
        path = self.folder / "p.toml"
        path.write_text('kind = "init-pipeline"\ntitle = "x"\nentry = "launch"\n[[procedure]]\nname = "launch"\n'
                        f'step = [{{at = "a.py:1", in = "f", {step}}}]\n', encoding="utf-8")
        result = run("trace-init", str(path))
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1))
        self.assertIn(part, result.stderr)

    def test_a_circle_and_an_unknown_effect(self):
        self.refused('call = "launch"', "procedures call each other in a circle: launch > launch")
        self.refused('explode = "x"', "p.toml:6:15: a step needs an effect")
