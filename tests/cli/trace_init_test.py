"""trace-init on commands, source trees and pipelines: outcomes, exit codes, and what bad input gets."""

import json
import os
import pathlib
import shutil

from support.ringside import FolderTestCase, run

SHAPES = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/support/sglang_shapes/basic"
SRT = "python/sglang/srt"
KIMI = ("--", "python", "-m", "sglang.launch_server", "--model-path", "moonshotai/Kimi-K2.5", "--tp", "8", "--quantization",
        "modelopt_fp4", "--moe-runner-backend", "flashinfer_cutlass")
A2A = (*KIMI, "--moe-a2a-backend", "flashinfer")


class Commands(FolderTestCase):
    def trace(self, *arguments, code=0):
        result = run("trace-init", "--json", "-", *arguments)
        self.assertEqual((result.returncode, result.stderr), (code, ""))
        return json.loads(result.stdout)["trace"]

    def test_the_assert_and_what_mends_it(self):
        trace = self.trace("--sglang", "0.5.9", "--what-if", *A2A)
        self.assertEqual(trace["outcome"], "expert-location-assert")
        best = trace["counterfactuals"][0]
        self.assertEqual((best["changes"], best["outcome"]), (["--moe-a2a-backend none"], "pass"))
        marks = [step["mark"] for step in trace["steps"] if step["mark"] != "none"]
        self.assertEqual(marks, ["should-have-set", "set-to-none", "died"])

    def test_an_expectation_decides_the_exit_code(self):
        self.trace("--sglang", "0.5.9", "--expect", "expert-location-assert", *A2A)
        self.trace("--sglang", "0.5.9", "--expect", "pass", *A2A, code=6)
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

    def outcome(self, *flags):
        command = ("--", "python", "-m", "sglang.launch_server", "--model-path", "m", "--tp", "2", *flags)
        config = self.folder / "config.json"
        config.write_text('{"architectures": ["RingVLForConditionalGeneration"], "num_experts": 8, "num_experts_per_tok": 2}',
                          encoding="utf-8")
        result = run("trace-init", "--source", str(SHAPES), "--model-config", str(config), "--json", "-", *command)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_actions_of_the_tree_take_what_their_classes_say(self):
        plain = self.outcome("--enable-old-moe", "--disable-cuda-graph", "--moe-a2a-backend", "none")
        self.assertEqual((plain["trace"]["outcome"], plain["findings"]), ("pass", []))
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
        self.assertRegex(result.stderr, r"\Aringside: .*: not a whole SGLang tree: server_args.py has no class ServerArgs.*\n\Z")


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
