"""Secrets of commands, scripts, logs, configuration files, scenarios and the environment reach no output."""

import json
import os
import pathlib
import re
import shlex
import unittest

from support.ringside import FolderTestCase, environment, run

CORPUS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "tests/data/secrets/corpus.json"
FORMATS = ("json", "csv", "md", "html", "junit", "gab", "bmf", "chrome")


class Secrets(FolderTestCase):
    def outputs(self, *arguments, env=None):
        """All that a command says, by where it says it."""
        # Words behind -- are the server's command.
        own, rest = list(arguments), []
        if "--" in own:
            own, rest = own[:own.index("--")], own[own.index("--"):]
        files = {name: self.folder / f"out.{name}" for name in FORMATS}
        options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
        summary = self.folder / "summary"
        result = run(*own, *options, "--verbose", "--github", *rest,
                     env={**(env or environment()), "GITHUB_STEP_SUMMARY": str(summary)})
        said = {"stdout": result.stdout, "stderr": result.stderr}
        said |= {name: path.read_text(encoding="utf-8") for name, path in files.items() if path.exists()}
        if summary.exists():
            said["summary"] = summary.read_text(encoding="utf-8")
        return said

    def check(self, entry, said, where):
        for name, text in said.items():
            for secret in entry["secrets"]:
                escaped = json.dumps(secret)[1:-1]
                self.assertNotIn(secret, text, name)
                self.assertNotIn(escaped, text, name)
        self.assertIn("json", said, said["stderr"])
        document = json.loads(said["json"])
        notes = [finding for finding in document["findings"] if finding["kind"] == "secrets-left-out"]
        self.assertTrue(any(where in note["subject"] for note in notes), (notes, said["stderr"]))
        return document

    def check_facts(self, entry, document):
        """What must stay of a text that is not recorded itself: it was understood."""
        facts = document["trace"]["facts"]
        if "moonshotai/Kimi-K2.5" in entry["kept"]:
            self.assertEqual(facts["model"], "Kimi-K2.5")
        if re.search(r"--tp\b|\btp.size\b", entry["text"]):
            self.assertEqual(facts["args.tp_size"], "8")
        for text in (given["text"] for given in document["inputs"]):
            for kept in entry["kept"] if text else []:
                self.assertIn(kept, text)

    def entries(self, kind):
        found = [entry for entry in json.loads(CORPUS.read_text(encoding="utf-8")) if entry["kind"] == kind]
        self.assertGreater(len(found), 1)
        return found

    def test_of_a_command(self):
        for entry in self.entries("command"):
            with self.subTest(entry["text"]):
                words = shlex.split(entry["text"])
                document = self.check(entry, self.outputs("trace-init", "--sglang", "0.5.9", "--", *words), "the command line")
                recorded = " ".join(document["argv"])
                for kept in entry["kept"]:
                    self.assertIn(kept, recorded)

    def test_of_a_script(self):
        for entry in [*self.entries("script"), *self.entries("command")]:
            with self.subTest(entry["text"]):
                script = self.folder / "launch.sh"
                script.write_text(entry["text"], encoding="utf-8")
                said = self.outputs("trace-init", "--sglang", "0.5.9", "--command-file", str(script))
                self.check_facts(entry, self.check(entry, said, "the "))

    def test_of_a_configuration_file(self):
        for entry in self.entries("config"):
            with self.subTest(entry["text"]):
                config = self.folder / "server.yaml"
                config.write_text(entry["text"], encoding="utf-8")
                said = self.outputs("trace-init", "--sglang", "0.5.9", "--", "python", "-m", "sglang.launch_server", "--config",
                                    str(config))
                self.check_facts(entry, self.check(entry, said, "the command"))

    def test_of_a_scenario(self):
        for entry in self.entries("scenario"):
            with self.subTest(entry["text"]):
                scenario = self.folder / "launch.toml"
                scenario.write_text(entry["text"], encoding="utf-8")
                document = self.check(entry, self.outputs("trace-init", str(scenario)), "the inputs")
                for kept in entry["kept"]:
                    self.assertIn(kept, document["inputs"][0]["text"])

    def test_of_a_log(self):
        for entry in self.entries("log"):
            with self.subTest(entry["text"]):
                log = self.folder / "server.log"
                log.write_text(entry["text"], encoding="utf-8")
                said = self.outputs("trace-init", "--log", str(log), "--sglang", "0.5.9")
                self.check(entry, said, "the log")
                # Of a log only its traceback is recorded; the rest is looked at as a live run prints it.
                for kept in entry["kept"] if "Traceback" in entry["text"] else []:
                    self.assertIn(kept, said["json"])

    def test_of_what_a_live_run_prints(self):
        for entry in self.entries("log"):
            with self.subTest(entry["text"]):
                log = self.folder / "server.log"
                log.write_text(entry["text"], encoding="utf-8")
                said = self.outputs("trace-init", "--live", "--", "cat", str(log))
                self.check(entry, said, "the output")
                for kept in entry["kept"]:
                    self.assertIn(kept, said["stderr"])

    def test_of_the_environment(self):
        for entry in self.entries("environment"):
            with self.subTest(entry["text"]):
                variables = dict(line.split("=", 1) for line in entry["text"].splitlines())
                said = self.outputs("probe-comm", "--device", "model", "--machine", "h200x2-nvlink", "--sizes", "2K",
                                    env=environment(**variables))
                document = self.check(entry, said, "the environment")
                recorded = json.dumps(document["environment"])
                for kept in entry["kept"]:
                    self.assertIn(kept, recorded)

    def test_of_a_message_about_a_wrong_argument(self):
        for words in (("trace-init", "--api-key=hunter2-x"), ("probe-comm", "--api-key", "hunter2-x"),
                      ("report", "https://u:hunter2-x@host/x.json"), ("trace-init", "--", "ls", "--api-key=hunter2-x")):
            with self.subTest(words):
                result = run(*words)
                self.assertEqual(result.returncode, 2)
                self.assertNotIn("hunter2-x", result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main()
