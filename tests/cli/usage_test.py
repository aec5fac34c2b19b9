"""Bad input: one clear line on stderr, the right exit status, and nothing on stdout."""

import time
import unittest

from support.ringside import WITHOUT_GPUS, FolderTestCase, run


class BadInput(FolderTestCase):
    def refused(self, arguments, message, code=2):
        with self.subTest(arguments=arguments):
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr, result.stdout), (code, f"ringside: {message}\n", ""))

    def test_a_command_that_does_not_exist(self):
        self.refused(["prob-comm"], "unknown command 'prob-comm' (did you mean 'probe-comm'?); see ringside --help")
        self.refused(["xyzzy"], "unknown command 'xyzzy'; see ringside --help")
        self.refused(["--versio"], "unknown option '--versio' (did you mean '--version'?); see ringside --help")
        self.refused(["a\nb\xff"], "unknown command 'a\\nb\xff'; see ringside --help")

    def test_no_command_at_all(self):
        result = run()
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertTrue(result.stderr.startswith("Usage: ringside COMMAND [OPTIONS]\n"))

    def test_options_that_do_not_exist(self):
        self.refused(["probe-comm", "--rank", "4"],
                     "unknown option '--rank' for probe-comm (did you mean '--ranks'?)")
        self.refused(["probe-comm", "--rank=4"],
                     "unknown option '--rank' for probe-comm (did you mean '--ranks'?)")
        self.refused(["probe-comm", "-x"], "unknown option '-x' for probe-comm (did you mean '-o'?)")
        self.refused(["list", "--jsno", "-"], "unknown option '--jsno' for list (did you mean '--json'?)")
        self.refused(["probe-comm", "smoke", "decode"], "unexpected argument 'decode' for probe-comm")

    def test_what_only_ringside_itself_calls(self):
        self.refused(["__rank"], "__rank is started by ringside itself")

    def test_behind_two_dashes_nothing_is_an_option(self):
        self.refused(["probe-comm", "--", "--ranks.toml"],
                     "cannot read scenario '--ranks.toml': No such file or directory")

    def test_an_option_without_its_value(self):
        self.refused(["probe-comm", "--ranks"], "--ranks needs a value")
        self.refused(["probe-comm", "--ranks", "--plan"], "--ranks needs a value, but '--plan' follows")
        self.refused(["probe-comm", "--sizes="], "--sizes needs a value")

    def test_numbers_of_ranks(self):
        self.refused(["probe-comm", "--ranks", "0"], "--ranks: expected a whole number from 2 to 1024, not '0'")
        self.refused(["probe-comm", "--ranks", "1"], "--ranks: expected a whole number from 2 to 1024, not '1'")
        self.refused(["probe-comm", "--ranks", "-2"], "--ranks: expected a whole number from 2 to 1024, not '-2'")
        self.refused(["probe-comm", "--ranks", "two"], "--ranks: expected a whole number from 2 to 1024, not 'two'")
        self.refused(["probe-comm", "--ranks", "1000", "--device", "host"], "1000 ranks: the host device takes 2 to 16")
        self.refused(["probe-comm", "--device", "model", "--machine", "h200x2-nvlink", "--ranks", "4"],
                     "4 ranks, but the machine h200x2-nvlink has 2")

    def test_sizes(self):
        for sizes, problem in [
                ("16M:2K:x2", "the range '16M:2K:x2' descends"),
                ("4K,2K", "sizes must ascend, but 2K follows 4K"),
                ("2K,2048", "size 2K comes twice"),
                ("0", "a message of 0 bytes can't be measured"),
                ("2Q", "'2Q' is not a size: its unit is unknown (sizes read 2K, 2KiB, 1.5M, 14336)"),
                ("-2K", "'-2K' is not a size: it is negative (sizes read 2K, 2KiB, 1.5M, 14336)"),
                ("", "'' is not a size: it does not begin with a number (sizes read 2K, 2KiB, 1.5M, 14336)"),
                ("1:1G:+1", "'1:1G:+1' gives more than 1000 sizes"),
                ("99999999999999999999", "'99999999999999999999' is not a size: it is too large (sizes read 2K, 2KiB, "
                                         "1.5M, 14336)"),
        ]:
            self.refused(["probe-comm", "--sizes", sizes], f"--sizes: {problem}")

    def test_a_size_that_cuts_an_element(self):
        self.refused(["probe-comm", "--sizes", "3"],
                     "a message of 3 bytes holds no whole number of bf16 elements (2 bytes each)")
        self.refused(["probe-comm", "--sizes", "2K,4098", "--dtype", "bf16,fp32"],
                     "a message of 4098 bytes holds no whole number of fp32 elements (4 bytes each)")

    def test_names(self):
        self.refused(["probe-comm", "--dtype", "bf17"],
                     "--dtype: unknown dtype 'bf17' (did you mean 'bf16'?); valid: bf16, fp16, fp32")
        self.refused(["probe-comm", "--device", "hots"],
                     "--device: unknown device 'hots' (did you mean 'host'?); valid: auto, host, cuda, model")
        self.refused(["probe-comm", "--mode", "egaer"],
                     "--mode: unknown mode 'egaer' (did you mean 'eager'?); valid: eager, graph")
        self.refused(["probe-comm", "--collective", "allredcue"],
                     "--collective: unknown collective 'allredcue' (did you mean 'allreduce'?); valid: allreduce, alltoall")
        self.refused(["probe-comm", "--color", "alway"],
                     "--color: unknown choice 'alway' (did you mean 'always'?); valid: auto, always, never")
        self.refused(["list", "machine"],
                     "nothing named 'machine' to list (did you mean 'machines'?); "
                     "valid: strategies, scenarios, specs, machines, published, traces, pipelines, signatures, findings, checks, "
                     "schema")

    def test_an_unknown_strategy_names_the_nearest(self):
        result = run("probe-comm", "--device", "host", "--strategy", "rign")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\Aringside: unknown strategy 'rign' \(did you mean 'ring'\?\).*\n\Z")

    def test_times(self):
        self.refused(["probe-comm", "--budget", "0"], "--budget: expected a duration from 0.1 to 604800 seconds, not '0'")
        self.refused(["probe-comm", "--budget", "soon"],
                     "--budget: 'soon' is not a duration: it does not begin with a number (durations read 45, 45s, "
                     "500ms, 2m, 1h)")
        self.refused(["probe-comm", "--timeout", "3d"],
                     "--timeout: '3d' is not a duration: its unit is unknown (durations read 45, 45s, 500ms, 2m, 1h)")

    def test_what_contradicts_itself(self):
        self.refused(["probe-comm", "--quiet", "--verbose"], "--quiet and --verbose contradict each other")
        self.refused(["probe-comm", "--rounds", "20", "--min-rounds", "30"],
                     "30 rounds at least and 20 at most contradict each other")
        self.refused(["probe-comm", "--plan", "--json", "-"],
                     "--plan runs nothing, so there is nothing to write to a file")
        self.refused(["probe-comm", "--mode", "graph", "--device", "host"],
                     "mode graph needs the cuda device; the host device runs eager")
        self.refused(["probe-comm", "--machine", "h200x2-nvlink", "--device", "host"],
                     "--machine describes a machine to the model device; add --device model")
        self.refused(["probe-comm", "--tune", "--device", "host"],
                     "--tune is for device cuda; custom on device host needs no table")
        self.refused(["probe-comm", "--fit", "result.json"], "--fit FILE and -o FILE belong together")

    def test_absurd_totals(self):
        self.refused(["probe-comm", "--device", "host", "--sizes", "2:2000:+2", "--dtype", "bf16,fp16",
                      "--strategy", ",".join(["ring"] * 6)],
                     "the sweep would have 12000 cases, at most 10000 can be run at once")

    def test_scenarios_and_machines_by_name(self):
        result = run("probe-comm", "decod")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertRegex(result.stderr, r"\Aringside: unknown scenario 'decod' \(did you mean 'decode'\?\); sweeps in "
                                        r"this binary: .*\n\Z")
        self.refused(["probe-comm", "none/there.toml"],
                     "cannot read scenario 'none/there.toml': No such file or directory")

    def test_a_scenario_file_with_mistakes(self):
        for text, problem in [
                ('title = "x"\nranks = 1\n',
                 "2:9: 'ranks' must be a whole number from 2 to 1024, not the number 1"),
                ('title = "x"\nbugdet = 5\n',
                 "2:1: unknown key 'bugdet' in the document (did you mean 'budget'?); valid: budget, collective, device, "
                 "dtypes, input, launches, load, machine, max_rounds, min_rounds, modes, ops_per_graph, ranks, seed, "
                 "sizes, skew_us, strategies, timeout, title, verify_calls"),
                ("", "1:1: 'title' is missing in the document"),
                ('title = "x"\nsizes = ["4K", "2K"]\n', "2:9: sizes must ascend, but 2K follows 4K"),
        ]:
            path = self.folder / "bad.toml"
            path.write_text(text)
            self.refused(["probe-comm", str(path)], f"{path}:{problem}")

    def test_a_scenario_file_that_leaves_nothing_to_run(self):
        path = self.folder / "empty.toml"
        for key, problem in (("dtypes", "no dtype is given"), ("modes", "no mode is given")):
            path.write_text(f'title = "x"\n{key} = []\n')
            self.refused(["probe-comm", str(path)], problem)

    def test_a_device_that_is_not_here(self):
        result = run("probe-comm", "--device", "cuda", env=WITHOUT_GPUS)
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aringside: --device cuda: .*\n\Z")

    def test_more_memory_than_there_is_is_said_before_anything_runs(self):
        begun = time.monotonic()
        result = run("probe-comm", "--device", "host", "--ranks", "16", "--sizes", "1T", "--strategy", "ring")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, r"\Aringside: not enough memory: the buffers of 16 ranks take 160 TiB, and .* are "
                                        r"available; use smaller messages or fewer --ranks\n\Z")
        self.assertLess(time.monotonic() - begun, 5)


if __name__ == "__main__":
    unittest.main()
