"""Where results go: files, streams, full disks, closed pipes."""

import json
import os
import pathlib
import resource
import shutil
import subprocess
import time
import unittest

from support.ringside import RINGSIDE, SHORT, FolderTestCase, environment, run


RESULTS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/results/2026-11-30-h200x2"
SAVED = RESULTS / "allreduce-graph.json"


class Outputs(FolderTestCase):
    def test_several_outputs_at_once_beside_the_table(self):
        paths = {name: self.folder / f"result.{name}" for name in ("json", "csv", "md")}
        result = run("probe-comm", *SHORT, *[word for name in paths for word in (f"--{name}", str(paths[name]))])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ring", result.stdout)
        self.assertNotIn("\x1b", result.stdout)
        self.assertTrue(json.loads(paths["json"].read_text())["complete"])
        self.assertIn("ring", paths["csv"].read_text())
        self.assertIn("ring", paths["md"].read_text())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["result.csv", "result.json", "result.md"])

    def test_files_too_tell_more_when_verbose(self):
        paths = {name: self.folder / f"result.{name}" for name in ("md", "html")}
        outputs = [word for name, path in paths.items() for word in (f"--{name}", str(path))]
        for more in ((), ("--verbose",)):
            self.assertEqual(run("probe-comm", *SHORT, *more, *outputs).returncode, 0)
            self.assertEqual("what a process pays once" in paths["md"].read_text(), bool(more))
            self.assertIn("what a process pays once", paths["html"].read_text())

    def test_a_format_on_stdout_is_alone_there(self):
        result = run("probe-comm", *SHORT, "--json", "-", "--quiet")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        document = json.loads(result.stdout)
        self.assertEqual(document["command"], "probe-comm")
        self.assertEqual(len(document["rows"]), 1)

    def test_a_seed_that_was_not_given_is_recorded_and_can_be_given(self):
        drawn = json.loads(run("probe-comm", *SHORT, "--json", "-").stdout)["method"]["seed"]
        again = json.loads(run("probe-comm", *SHORT, "--json", "-", "--seed", str(drawn)).stdout)["method"]["seed"]
        self.assertEqual(drawn, again)

    def test_only_listed_variables_are_recorded(self):
        env = environment(NCCL_DEBUG="WARN", MY_PASSWORD="hunter2", NCCL_API_TOKEN="hunter2")
        result = run("probe-comm", *SHORT, "--json", "-", env=env)
        self.assertEqual(json.loads(result.stdout)["environment"]["NCCL_DEBUG"], "WARN")
        self.assertNotIn("hunter2", result.stdout)

    def test_colour_only_when_asked_for_or_on_a_terminal(self):
        self.assertIn("\x1b[", run("probe-comm", *SHORT, "--color", "always").stdout)
        self.assertNotIn("\x1b[", run("probe-comm", *SHORT, "--color", "never").stdout)


class RefusedBeforeTheRun(FolderTestCase):
    def refused(self, arguments, message):
        begun = time.monotonic()
        result = run("probe-comm", *SHORT, "--budget", "50", "--rounds", "100000", "--min-rounds", "100000", *arguments)
        self.assertEqual((result.returncode, result.stderr, result.stdout), (2, f"ringside: {message}\n", ""))
        self.assertLess(time.monotonic() - begun, 10)

    def test_a_folder_that_is_not_there(self):
        path = self.folder / "none" / "x.json"
        self.refused(["--json", str(path)], f"cannot write '{path}': No such file or directory")

    def test_a_folder_in_the_place_of_the_file(self):
        self.refused(["--csv", str(self.folder)], f"cannot write '{self.folder}': Is a directory")

    def test_an_empty_name(self):
        self.refused(["--json", ""], "an output needs a file name ('-' is stdout)")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_a_file_that_is_read_only(self):
        path = self.folder / "x.json"
        path.touch(0o444)
        self.refused(["--json", str(path)], f"cannot write '{path}': Permission denied")

    def test_a_summary_of_github_that_is_an_input_or_an_output(self):
        path = self.folder / "sweep.json"
        path.write_text(SAVED.read_text())
        other = self.folder / "other.md"
        for arguments, summary in (([], path), (["--md", str(other)], other)):
            result = run("report", str(path), "--github", *arguments, env=environment(GITHUB_STEP_SUMMARY=str(summary)))
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertIn("GITHUB_STEP_SUMMARY", result.stderr)
        self.assertEqual(path.read_text(), SAVED.read_text())

    def test_a_profile_and_another_output(self):
        result = run("probe-comm", "--fit", str(SAVED), "-o", str(self.folder / "m.toml"), "--json", "-")
        self.assertEqual((result.returncode, result.stdout), (2, ""))

    def test_two_outputs_in_one_place(self):
        self.refused(["--json", "-", "--csv", "-"], "--csv - and --json - would overwrite each other")
        path = self.folder / "x"
        link = self.folder / "link"
        link.symlink_to(path)
        self.refused(["--json", str(path), "--md", str(link)], f"--json {path} and --md {link} would overwrite each other")
        dotted = f"{self.folder}/./x"
        self.refused(["--json", str(path), "--csv", dotted], f"--csv {dotted} and --json {path} would overwrite each other")

    def test_stdout_by_another_name(self):
        self.refused(["--json", "-", "--csv", "/dev/stdout"], "--csv /dev/stdout and --json - would overwrite each other")
        result = subprocess.run([RINGSIDE, "probe-comm", *SHORT, "--json", "/dev/stdout"], text=True, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        json.loads(result.stdout)  # and no table behind it

    def test_two_outputs_that_are_one_file_however_it_is_named(self):
        path = self.folder / "x.json"
        path.write_text("old")
        (self.folder / "hard").hardlink_to(path)
        (self.folder / "deep").mkdir()
        for other in (self.folder / "hard", f"{self.folder}/deep/../x.json"):
            self.refused(["--json", str(path), "--md", str(other)],
                         f"--json {path} and --md {other} would overwrite each other")
        with open(path, "r+b") as file:
            other = f"/proc/self/fd/{file.fileno()}"
            result = run("probe-comm", *SHORT, "--json", str(path), "--md", other, pass_fds=[file.fileno()])
        self.assertEqual((result.returncode, result.stderr),
                         (2, f"ringside: --json {path} and --md {other} would overwrite each other\n"))
        self.assertEqual(path.read_text(), "old")

    def test_a_file_that_stdout_is(self):
        path = self.folder / "x.json"
        with open(path, "wb") as file:
            result = run("probe-comm", *SHORT, "--json", str(path), stdout=file)
        self.assertEqual((result.returncode, result.stderr),
                         (2, f"ringside: --json {path} and the table on stdout would overwrite each other\n"))
        self.assertEqual(run("probe-comm", *SHORT, "--json", "/dev/null", "--quiet", stdout=subprocess.DEVNULL).returncode, 0)

    def test_a_stdout_that_is_closed(self):
        result = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", RINGSIDE, "probe-comm", *SHORT], text=True,
                                stderr=subprocess.PIPE, timeout=60, env=environment(), check=False)
        self.assertEqual((result.returncode, result.stderr), (2, "ringside: cannot write 'stdout': it is closed\n"))


class OutputsThatAreInputs(FolderTestCase):
    """No command may replace what it reads."""

    def refused(self, *arguments, output, source, stdin=subprocess.DEVNULL):
        before = source.read_bytes()
        result = subprocess.run([RINGSIDE, *map(str, arguments)], stdin=stdin, capture_output=True, text=True, timeout=60,
                                env=environment(), cwd=self.folder, check=False)
        named = "on stdin" if stdin is not subprocess.DEVNULL else source
        self.assertEqual((result.returncode, result.stderr, result.stdout),
                         (2, f"ringside: {output} would overwrite the input {named}\n", ""))
        self.assertEqual(source.read_bytes(), before)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_of_any_command(self):
        result = self.folder / "a.json"
        self.assertEqual(run("probe-comm", *SHORT, "--quiet", "--json", str(result)).returncode, 0)
        other = self.write("b.json", result.read_text())
        link, hard = self.folder / "link", self.folder / "hard"
        link.symlink_to(result)
        hard.hardlink_to(result)
        for name in (result, "a.json", f"{self.folder}/../{self.folder.name}/a.json", link, hard):
            self.refused("report", result, "--json", name, output=f"--json {name}", source=result)
            self.refused("report", other, result, "--md", name, output=f"--md {name}", source=result)
            self.refused("compare", other, result, "--csv", name, output=f"--csv {name}", source=result)
        with open(result, "rb") as file:
            self.refused("report", "-", "--json", result, output=f"--json {result}", source=result, stdin=file)
        self.refused("report", result, "--export", "env", "-o", result, output=f"-o {result}", source=result)
        self.refused("probe-comm", "--fit", result, "-o", result, output=f"-o {result}", source=result)
        sweep = self.write("sweep.toml", 'title = "x"\nsizes = "4K"\n')
        self.refused("probe-comm", sweep, "--md", sweep, output=f"--md {sweep}", source=sweep)
        text = self.write("text", "python -m sglang.launch_server --model-path x\n")
        self.refused("trace-init", "--log", text, "--json", text, output=f"--json {text}", source=text)
        self.refused("trace-init", "--command-file", text, "--json", text, output=f"--json {text}", source=text)
        config = self.write("config.json", '{"architectures": ["KimiK25ForConditionalGeneration"]}')
        self.refused("trace-init", "--model-config", config, "--json", config, "kimi-k2.5-ep8-flashinfer",
                     output=f"--json {config}", source=config)
        log = self.write("log", "Decode batch, accept len: 2.50, gen throughput (token/s): 99.00\n")
        self.refused("run-spec", "--from-log", log, "--json", log, "--device", "model", output=f"--json {log}", source=log)

    def test_a_name_that_is_a_scenario_of_the_binary_is_no_file(self):
        self.write("decode", "mine")
        result = run("probe-comm", "decode", "--device", "model", "--quiet", "--json", "decode", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)


class FailingWrites(FolderTestCase):
    def test_a_file_beyond_its_limit_costs_its_output_alone(self):
        path = self.folder / "x.json"
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 12, 1 << 12))

        result = run("report", str(RESULTS / "allreduce-graph.json"), "--json", str(path), "--csv", "-", preexec_fn=limit)
        self.assertEqual((result.returncode, result.stderr), (3, f"ringside: cannot write '{path}': File too large\n"))
        self.assertIn("ring", result.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])
        result = run("probe-comm", *SHORT, preexec_fn=limit)  # ranks keep their messages in files of memory
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertRegex(result.stderr, "the ranks did not start: .*: File too large")

    def test_a_full_device_costs_its_output_alone(self):
        result = run("probe-comm", *SHORT, "--quiet", "--json", "/dev/full")
        self.assertEqual((result.returncode, result.stderr),
                         (3, "ringside: cannot write '/dev/full': No space left on device\n"))
        self.assertIn("ring", result.stdout)

    def test_a_full_stdout_costs_the_table_alone(self):
        path = self.folder / "x.json"
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = run("probe-comm", *SHORT, "--quiet", "--json", str(path), stdout=full)
        self.assertEqual((result.returncode, result.stderr), (3, "ringside: cannot write stdout: No space left on device\n"))
        self.assertTrue(json.loads(path.read_text())["complete"])

    def test_a_closed_pipe(self):
        for arguments in (["probe-comm", *SHORT, "--quiet"], ["--help"], ["list"], ["--version"]):
            with self.subTest(arguments=arguments):
                reader, writer = os.pipe()
                os.close(reader)
                result = run(*arguments, stdout=writer)
                os.close(writer)
                self.assertEqual((result.returncode, result.stderr), (3, "ringside: cannot write stdout: Broken pipe\n"))

    def test_a_full_disk_keeps_the_old_file_and_leaves_no_other(self):
        mount = 'mount -t tmpfs -o size=8k tmpfs "$1"'
        if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "sh", "-c", mount, "sh", str(self.folder)],
                                                         capture_output=True, check=False).returncode != 0:
            self.skipTest("a tmpfs can't be mounted here")
        script = mount + ' && echo old > "$1/x.json" && shift && "$@"; code=$?; ls -A "$0"; cat "$0/x.json"; exit $code'
        arguments = ["probe-comm", *SHORT, "--strategy", "all", "--sizes", "2K:64K:x2", "--quiet", "--csv", "-",
                     "--json", str(self.folder / "x.json")]
        result = subprocess.run(["unshare", "-rm", "sh", "-c", script, str(self.folder), str(self.folder), RINGSIDE, *arguments],
                                text=True, capture_output=True, timeout=240, env=environment(), check=False)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn(f"ringside: cannot write '{self.folder}/x.json': No space left on device", result.stderr)
        self.assertTrue(result.stdout.endswith("x.json\nold\n"), result.stdout[-300:])


if __name__ == "__main__":
    unittest.main()
