"""What trace-init says of input that it can't use: one clear line, exit 2 or 3, and nothing hangs."""

import os
import pathlib
import shutil

from support.ringside import FolderTestCase, cpu_seconds_of_children, environment, run

SHAPES = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/sglang_shapes/basic"
SRT = "python/sglang/srt"
DEATH = (b"[2026-02-20 10:02:09 TP0 EP0] Scheduler hit an exception: Traceback (most recent call last):\n"
         b'  File "/x/srt/eplb/expert_location_dispatch.py", line 39, in init_new\n'
         b"    assert expert_location_metadata is not None\nAssertionError\n")


class BadInput(FolderTestCase):
    def refused(self, code, part, *arguments, **options):
        result = run("trace-init", *arguments, **options)
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (code, "", 1), result.stderr)
        self.assertIn(part, result.stderr)

    def test_a_tree_that_is_none(self):
        self.refused(2, "No such file", "--source", str(self.folder / "nowhere"), "--all-models")
        self.refused(2, "not an SGLang tree", "--source", str(self.folder), "--all-models")

    def test_half_a_tree(self):
        tree = self.folder / "tree"
        shutil.copytree(SHAPES, tree)
        (tree / SRT / "managers/scheduler.py").unlink()
        result = run("trace-init", "--source", str(tree), "--all-models")
        self.assertEqual((result.returncode, result.stdout.count("will assert")), (0, 1))
        self.assertIn("managers/scheduler.py has no class Scheduler", result.stderr)
        (tree / SRT / "server_args.py").unlink()
        self.refused(2, "not a whole SGLang tree", "--source", str(tree), "--all-models")

    def test_no_python(self):
        self.refused(3, "needs python3", "--source", str(SHAPES), "--all-models", env=environment(PATH=str(self.folder)))

    def test_a_tree_that_would_keep_the_parser_busy(self):
        tree = self.folder / "tree"
        shutil.copytree(SHAPES, tree)
        (tree / SRT / "models/plain.py").write_text("EntryClass = Deep\nget_model_config_for_expert_location = " +
                                                    "(" * 100_000 + ")" * 100_000, encoding="utf-8")
        with open(tree / SRT / "models/huge.py", "wb") as file:
            file.write(b"EntryClass = Huge\n")
            file.truncate(1 << 33)
        start = cpu_seconds_of_children()
        result = run("trace-init", "--source", str(tree), "--all-models")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(cpu_seconds_of_children() - start, 30)
        self.assertIn("models/huge.py: is larger than 8 MiB", result.stderr)
        self.assertIn("models/plain.py: ", result.stderr)

    def test_a_log_that_can_not_be_read(self):
        self.refused(2, "No such file", "--log", str(self.folder / "nowhere"))
        self.refused(2, "is a directory", "--log", str(self.folder))

    def test_a_log_that_is_no_text(self):
        path = self.folder / "binary.log"
        path.write_bytes(bytes(range(256)) * 64)
        self.refused(2, "binary.log", "--log", str(path))

    def test_an_endless_line(self):
        path = self.folder / "endless.log"
        path.write_bytes(b"x" * (32 << 20) + b"\n" + DEATH)
        result = run("trace-init", "--log", str(path), "--expect", "expert-location-assert")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_pipelines(self):
        path = self.folder / "p.toml"
        head = 'kind = "init-pipeline"\ntitle = "x"\nentry = "launch"\n[[procedure]]\nname = "launch"\n'
        for step, part in (('call = "launch"', "in a circle"), ('explode = "x"', "a step needs an effect"),
                           ('set = "args.x", to = "("', "p.toml:6"), ("", "a step needs an effect")):
            with self.subTest(step):
                path.write_text(f'{head}step = [{{at = "a.py:1"{", " + step if step else ""}}}]\n', encoding="utf-8")
                self.refused(2, part, str(path))
        path.write_text(head + "step = [", encoding="utf-8")
        self.refused(2, "not valid TOML", str(path))
