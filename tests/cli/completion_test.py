"""Completion and the manual page: what bash really completes, and that none of them falls behind the options."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from support.ringside import PATIENCE_S, RINGSIDE, FolderTestCase, run

COMMANDS = ("probe-comm", "trace-init", "run-spec", "doctor", "compare", "report", "list", "completion")
SHELLS = ("bash", "zsh", "fish", "man")


def text_for(shell):
    result = run("completion", shell)
    assert result.returncode == 0, result.stderr
    return result.stdout


def options_of(command):
    """Every option that the command's help names."""
    return set(re.findall(r"^  (-{1,2}[a-z][-a-z]*)", run(command, "--help").stdout, re.MULTILINE))


class Bash(FolderTestCase):
    def complete(self, *words):
        """What bash offers for the last of these words behind `ringside`."""
        script = self.folder / "completion.bash"
        if not script.exists():
            script.write_text(text_for("bash"))
        program = ('source "$1"; shift; COMP_WORDS=(ringside "$@"); COMP_CWORD=$(($# )); _ringside; '
                   'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", program, "bash", str(script), *words], capture_output=True, text=True,
                                cwd=self.folder, check=True, timeout=60)
        self.assertEqual(result.stderr, "")
        return sorted(line for line in result.stdout.splitlines() if line)

    def test_commands(self):
        self.assertEqual(self.complete(""), sorted([*COMMANDS, "--help", "--version"]))
        self.assertEqual(self.complete("re"), ["report"])

    def test_options_of_the_command(self):
        self.assertEqual(self.complete("compare", "--no"), ["--no-confirm"])
        self.assertEqual(self.complete("report", "--no"), [])
        for command in COMMANDS:
            short = {"-o", "-h", "--help"}
            self.assertEqual(set(self.complete(command, "--")) - short, options_of(command) - short)
            self.assertIn("--help", self.complete(command, "--"))

    def test_values_that_are_known_by_name(self):
        self.assertEqual(self.complete("compare", "--fail-on", ""), ["ambiguous", "none", "regress"])
        self.assertEqual(self.complete("compare", "--fail-on", "=", "r"), ["regress"])
        self.assertEqual(self.complete("compare", "--fail-on", "="), ["ambiguous", "none", "regress"])
        self.assertIn("h200x2-nvlink", self.complete("probe-comm", "--machine", "h2"))
        self.assertIn("ring", self.complete("probe-comm", "--strategy", "r"))
        self.assertEqual(self.complete("completion", "b"), ["bash"])
        self.assertIn("kimi-k2.5-ep8-flashinfer", self.complete("trace-init", "kimi-k2.5-ep8-f"))
        self.assertEqual(self.complete("probe-comm", "--ranks", ""), [])

    def test_files_where_files_belong(self):
        (self.folder / "a result.json").touch()
        self.assertEqual(self.complete("report", "a"), ["a result.json"])
        self.assertEqual(self.complete("probe-comm", "--json", "a"), ["a result.json"])
        self.assertEqual(self.complete("probe-comm", "--seed", "a"), [])


class Texts(FolderTestCase):
    def test_each_names_every_option_of_every_command(self):
        for shell in SHELLS:
            text = text_for(shell).replace("\\-", "-")
            for command in COMMANDS:
                self.assertIn(command, text)
                for option in options_of(command) - {"--help", "-h"}:
                    word = f"-l {option[2:]} " if shell == "fish" and option.startswith("--") else option
                    word = f"-s {option[1:]} " if shell == "fish" and not option.startswith("--") else word
                    with self.subTest(shell=shell, option=option):
                        self.assertIn(word, text)

    def test_the_shells_that_are_here_can_read_their_script(self):
        for shell in ("bash", "zsh", "fish"):
            path = self.folder / shell
            path.write_text(text_for(shell))
            if shutil.which(shell):
                subprocess.run([shell, "-n", str(path)], check=True, timeout=60)

    def test_zsh_really_completes_names(self):
        if not shutil.which("zsh"):
            self.skipTest("no zsh here")
        (self.folder / "_ringside").write_text(text_for("zsh"))
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "PS1": "% "})
        self.addCleanup(os.close, terminal)
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        os.write(terminal, b"fpath=($PWD $fpath); autoload -U compinit; compinit -u -D; echo rea''dy\n")
        self.assertIn("ready\r\n", self.shown(terminal, "ready\r\n"))
        strategy = (("nccl-tree:l", "nccl-tree:ll") if "nccl-tree:ll" in run("list", "strategies").stdout
                    else ("sy", "symmetric "))  # a build without CUDA knows no name with a colon
        for typed, wanted in ((f"probe-comm --strategy {strategy[0]}", strategy[1]),
                              ("probe-comm --machine h200x8", "h200x8-nvswitch "), ("run-spec deep", "deepseek-v3-mtp ")):
            with self.subTest(typed):
                os.write(terminal, f"\x15ringside {typed}\t".encode())
                self.assertIn(wanted, self.shown(terminal, wanted))

    def shown(self, terminal, wanted):
        """What a terminal shows until `wanted` is there."""
        text, end = "", time.monotonic() + PATIENCE_S
        while wanted not in text and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
        return text

    def test_man_shows_the_page_without_a_complaint(self):
        if not shutil.which("groff"):
            self.skipTest("no groff here")
        shown = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=text_for("man"), capture_output=True,
                               text=True, timeout=60, check=True)
        self.assertEqual(shown.stderr, "")
        for words in ("NAME", "probe-comm", "--fail-on", "EXIT STATUS", "source <(ringside completion bash)"):
            self.assertIn(words, shown.stdout.replace("−", "-").replace("‐", "-"))

    def test_another_shell_is_refused_with_the_nearest_name(self):
        result = run("completion", "bahs")
        self.assertEqual((result.returncode, result.stderr),
                         (2, "ringside: unknown shell 'bahs' (did you mean 'bash'?); valid: bash, zsh, fish, man\n"))
        self.assertEqual(run("completion").returncode, 2)

    def test_installing_puts_them_where_they_are_looked_for(self):
        build = pathlib.Path(RINGSIDE).resolve().parents[1]
        if not (build / "share/ringside.man").exists() or not shutil.which("cmake"):
            self.skipTest("not in a whole build folder")
        subprocess.run(["cmake", "--install", str(build), "--prefix", str(self.folder)], check=True, timeout=60,
                       stdout=subprocess.DEVNULL)
        for path, shell in (("share/bash-completion/completions/ringside", "bash"),
                            ("share/zsh/site-functions/_ringside", "zsh"),
                            ("share/fish/vendor_completions.d/ringside.fish", "fish"),
                            ("share/man/man1/ringside.1", "man")):
            self.assertEqual((self.folder / path).read_text(), text_for(shell))


if __name__ == "__main__":
    unittest.main()
