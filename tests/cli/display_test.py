"""What is shown while a sweep runs, and what help, lists and plans say."""

import json
import os
import pty
import re
import subprocess
import unittest

from support.ringside import (RINGSIDE, SHORT, WITHOUT_GPUS, FolderTestCase, cpu_seconds_of_children, environment, least,
                              run)


def on_a_terminal(*arguments, env=None, stream="stderr"):
    """What ringside writes to a stderr, or stdout, that is a terminal."""
    main, terminal = pty.openpty()
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, stream: terminal}
    process = subprocess.Popen([RINGSIDE, *arguments], stdin=subprocess.DEVNULL, env=env or environment(), **streams)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(main, 65536):
            shown += chunk
    except OSError:  # the terminal's other side is closed: the end
        pass
    os.close(main)
    process.wait(60)
    return shown.decode()


class Progress(FolderTestCase):
    SWEEP = ("probe-comm", *SHORT, "--rounds", "20", "--min-rounds", "20")

    def test_a_terminal_gets_one_line_that_is_overwritten_and_removed(self):
        shown = on_a_terminal(*self.SWEEP)
        self.assertRegex(shown, r"\r\x1b\[K +\d+%  launch 1/1  ring 4K bf16 eager, ")
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-80:]))

    def test_nothing_moves_in_ci_or_on_a_dumb_terminal_or_when_quiet(self):
        self.assertNotIn("\x1b", on_a_terminal(*self.SWEEP, env=environment(CI="true")))
        self.assertNotIn("\x1b", on_a_terminal(*self.SWEEP, env=environment(TERM="dumb")))
        self.assertEqual(on_a_terminal(*self.SWEEP, "--quiet"), "")

    def test_nothing_is_coloured_in_ci_unless_asked_for(self):
        report = ("probe-comm", "--device", "model", "--machine", "h200x2-nvlink", "--sizes", "2K")
        self.assertIn("\x1b[1m", on_a_terminal(*report, stream="stdout"))
        for variable in ("CI", "GITHUB_ACTIONS"):
            ci = environment(**{variable: "true"})
            self.assertNotIn("\x1b", on_a_terminal(*report, stream="stdout", env=ci))
            self.assertIn("\x1b[1m", on_a_terminal(*report, "--color", "always", stream="stdout", env=ci))

    def test_verbose_logs_lines_instead(self):
        result = run(*self.SWEEP, "--verbose")
        self.assertRegex(result.stderr, r"(?m)^\[ +\d+\.\d\d s\] launch 1: ring 4K bf16 eager, round 7$")
        self.assertNotIn("\x1b", result.stderr)

    def test_auto_says_what_it_chose_and_why(self):
        auto = (*SHORT, "--device", "auto")
        result = run("probe-comm", *auto, env=WITHOUT_GPUS)
        self.assertRegex(result.stderr, r"\Aringside: device host: .*\n")
        self.assertEqual(run("probe-comm", *auto, "--quiet", env=WITHOUT_GPUS).stderr, "")


class Help(unittest.TestCase):
    def test_help_names_every_command_and_the_exit_status(self):
        result = run("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for text in ("Usage: ringside COMMAND", "\n  probe-comm ", "\n  list ", "\n  5 ", "--version"):
            self.assertIn(text, result.stdout.replace("     5 ", "\n  5 "))

    def test_each_command_explains_itself_within_100_columns(self):
        for command in ("probe-comm", "list"):
            result = run(command, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout.startswith(f"Usage: ringside {command} "))
            for heading in ("\nExit status:\n", "\nExamples:\n"):
                self.assertIn(heading, result.stdout)
            self.assertLessEqual(max(map(len, result.stdout.splitlines())), 100)

    def test_every_option_of_the_sweep_is_in_its_help(self):
        text = run("probe-comm", "-h").stdout
        for option in ("--strategy", "--sizes", "--dtype", "--collective", "--device", "--machine", "--ranks", "--mode",
                       "--budget", "--launches", "--rounds", "--min-rounds", "--timeout", "--seed", "--json", "--csv",
                       "--md", "--tune", "--plan", "--color", "--quiet", "--verbose"):
            self.assertRegex(text, rf"(?m)^  {option}\b")

    def test_help_takes_hardly_any_time_of_a_core(self):
        def seconds():
            before = cpu_seconds_of_children()
            run("--help")
            return cpu_seconds_of_children() - before

        limit = 1 if os.environ.get("RINGSIDE_SANITIZE") else 0.1  # generous; scripts/accept has the real limit
        self.assertLess(least(seconds, below=limit), limit)


class Lists(unittest.TestCase):
    def test_everything_is_listed_as_text(self):
        text = run("list").stdout
        for line in (r"strategies:", r"  ring +host +\w", r"scenarios:", r"  decode +probe-comm +\w", r"machines:",
                     r"  h200x2-nvlink +measured +2 x H200 \(NVLink\)"):
            self.assertRegex(text, f"(?m)^{line}")

    def test_one_kind_alone_as_json(self):
        document = json.loads(run("list", "machines", "--json", "-").stdout)
        self.assertEqual(document["schema"], "ringside.list")
        self.assertEqual(set(document), {"schema", "schema_version", "machines"})
        names = [machine["name"] for machine in document["machines"]]
        self.assertEqual(names, sorted(names))
        self.assertIn("rtx-pro-6000-pcie-x8", names)

    def test_every_listed_scenario_and_machine_can_be_planned(self):
        document = json.loads(run("list", "--json", "-").stdout)
        for scenario in document["scenarios"]:
            for machine in document["machines"]:
                result = run("probe-comm", scenario["name"], "--device", "model", "--machine", machine["name"], "--plan")
                self.assertEqual((result.returncode, result.stderr), (0, ""))


class Plan(unittest.TestCase):
    def test_a_plan_shows_cases_memory_and_time_and_runs_nothing(self):
        result = run("probe-comm", "--device", "host", "--ranks", "2", "--strategy", "ring,tree,ring", "--sizes", "2K:8K",
                     "--dtype", "bf16,fp32", "--seed", "7", "--plan")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertEqual(lines[0], "allreduce on the host device, 2 ranks: 18 cases in 6 groups, seed 7")
        self.assertEqual(lines[1:7], [f"  {size}  {dtype} eager  ring, tree, ring#2" for size in ("2K", "4K", "8K")
                                      for dtype in ("bf16", "fp32")])
        self.assertRegex(lines[7], r"^memory: [\d.]+ [KM]iB for 2 ranks, [\d.]+ [GM]iB available$")
        self.assertRegex(lines[8], r"^time: about \d+ s \(3 launches, budget 50 s\)$")

    def test_flags_override_the_scenario(self):
        text = run("probe-comm", "smoke", "--device", "host", "--sizes", "2K", "--strategy", "ring", "--plan").stdout
        self.assertRegex(text, r"(?m)^  2K  bf16 eager  ring$")
        self.assertRegex(text, r"(?m)^time: about .* \(1 launch, budget 6 s\)$")


class Model(unittest.TestCase):
    def test_a_described_machine_gives_modelled_rows_without_running_anything(self):
        result = run("probe-comm", "--device", "model", "--machine", "h200x2-nvlink", "--sizes", "16K:16M:x32", "--json", "-")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        document = json.loads(result.stdout)
        modelled = [row for row in document["rows"] if row["status"] == "pass"]
        self.assertTrue(modelled)
        for row in modelled:
            self.assertEqual(row["origin"], "modelled")
            self.assertGreater(row["time"]["median_ns"], 0)
        self.assertTrue(re.search("described", json.dumps(document["machine"])))


if __name__ == "__main__":
    unittest.main()
