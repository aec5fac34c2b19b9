"""What run-spec reads, through the real binary: measurements, and what can't be."""

import pathlib
import tempfile
import unittest

from support.ringside import run
from support.spec_questions import CONFIG, WithFiles, answer, estimate, sglang_line, sglang_log


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


if __name__ == "__main__":
    unittest.main()
