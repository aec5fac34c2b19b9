"""No child outlives a command, whatever ends it; one that dies or hangs costs what it was to do, and no more."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from support.ringside import RINGSIDE, SHORT, FolderTestCase, default_signals, environment, finished, run, wait_until

sys.path.insert(0, str(pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "scripts"))

from acceptance.support.family import Family as Processes  # noqa: E402

LOSE_RANK = pathlib.Path(os.environ["RINGSIDE_FAKES_DIR"]) / "lose_rank.so"
CASES = ("--device", "host", "--ranks", "2", "--strategy", "ring", "--sizes", "4K:64K:+4K", "--rounds", "20",
         "--min-rounds", "20", "--launches", "3", "--budget", "60")
GONE_WITHIN_S = 2


def is_rank(pid):
    try:
        return b"__rank" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


class Family(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.mark = f"RINGSIDE_TEST_FAMILY={self.folder.name}"
        self.environment = environment(**dict([self.mark.split("=")]))
        self.addCleanup(self.end_family)

    def end_family(self):
        Processes(self.mark).end()

    def family(self):
        return list(Processes(self.mark).running())

    def script(self, text):
        path = self.folder / "build.sh"
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def against(self, build, *arguments):
        self.log = open(self.folder / "log.txt", "w+", encoding="utf-8")
        self.addCleanup(self.log.close)
        process = subprocess.Popen([RINGSIDE, "probe-comm", *CASES, "--against", build, "--json",
                                    str(self.folder / "result.json"), *arguments], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=self.log, env=self.environment, preexec_fn=default_signals)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def logged(self):
        return (self.folder / "log.txt").read_text(encoding="utf-8")

    def document(self):
        return json.loads((self.folder / "result.json").read_text(encoding="utf-8"))

    def all_gone(self):
        wait_until(lambda: not self.family(), "the end of the family", GONE_WITHIN_S)


class Against(Family):
    def started(self, build=RINGSIDE, *arguments):
        process = self.against(build, *arguments)
        wait_until(lambda: sum(map(is_rank, self.family())) == 2, "ranks of a build")
        return process

    def test_no_build_and_no_rank_survives_a_killed_parent(self):
        process = self.started()
        process.kill()
        self.all_gone()

    def test_nor_does_a_build_behind_a_script(self):
        process = self.started(self.script(f'{RINGSIDE} "$@"\n'))
        process.kill()
        self.all_gone()

    def test_one_signal_ends_it_at_once(self):
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            with self.subTest(number):
                process = self.started()
                begun = time.monotonic()
                process.send_signal(number)
                self.assertEqual(process.wait(10), 130)
                self.assertLess(time.monotonic() - begun, 5)
                self.all_gone()
                self.assertIs(self.document()["complete"], False)

    def test_two_signals_leave_nobody(self):
        process = self.started()
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 130)
        self.all_gone()

    def test_an_interruption_keeps_the_launches_that_both_builds_have_ended(self):
        process = self.against(RINGSIDE, "--launches", "50", "--sizes", "4K")
        wait_until(lambda: "launch 3 of 50" in self.logged(), "the third launch")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(10), 130)
        document = self.document()
        self.assertIs(document["complete"], False)
        self.assertEqual({len(row["launches"]) for row in document["rows"]}, {2})

    def lost(self, script, message):
        process = self.against(self.script(script), "--timeout", "0.5")
        self.assertEqual(process.wait(60), 5)
        self.assertRegex(self.logged(), message)
        self.assertIs(self.document()["complete"], False)
        self.all_gone()

    def test_a_build_that_hangs_is_ended_by_the_time_out(self):
        self.lost("setsid sleep 600 & wait\n", r"build.sh probe-comm hung: it said nothing for 2\d s")

    def test_a_build_that_is_killed_is_a_loss(self):
        self.lost("kill -9 $$\n", r"build.sh probe-comm was killed by signal 9 \(Killed\)")

    def test_a_build_that_dies_later_costs_the_launches_to_come_alone(self):
        count = self.folder / "count"
        count.touch()
        script = f'echo >> {count}; [ $(wc -l < {count}) -gt 2 ] && kill -9 $$; exec {RINGSIDE} "$@"\n'
        process = self.against(self.script(script), "--launches", "4", "--sizes", "4K")
        self.assertEqual(process.wait(120), 5)
        document = self.document()
        self.assertEqual({len(row["launches"]) for row in document["rows"]}, {2})
        self.assertIn("was killed by signal 9", json.dumps(document["findings"]))


@unittest.skipIf(os.environ["RINGSIDE_SANITIZE"], "a sanitizer wants to be preloaded first")
class LostAtTheStart(Family):
    def run_with(self, times, number, *arguments):
        tokens = self.folder / "tokens"
        tokens.mkdir()
        for token in range(times):
            (tokens / str(token)).touch()
        path = self.folder / "result.json"
        env = environment(LD_PRELOAD=str(LOSE_RANK), RINGSIDE_LOSE_RANK="1", RINGSIDE_LOSE_SIGNAL=str(int(number)),
                          RINGSIDE_LOSE_FOLDER=str(tokens))
        result = run("probe-comm", *SHORT, "--launches", "3", "--json", str(path), *arguments, env=env)
        self.assertEqual(result.returncode, 5, result.stderr)
        document = json.loads(path.read_text())
        self.assertIs(document["complete"], True)
        return document

    def test_one_rank_once_costs_no_launch(self):
        document = self.run_with(1, signal.SIGKILL)
        self.assertEqual([len(row["launches"]) for row in finished(document)], [3])
        restarted = [finding for finding in document["findings"] if finding["kind"] == "ranks-restarted"]
        self.assertRegex(restarted[0]["evidence"][0], r"rank 1 was killed by signal 9 \(Killed\)")

    def test_one_that_never_starts_fails_its_case(self):
        document = self.run_with(100, signal.SIGKILL)
        self.assertEqual([row["status"] for row in document["rows"]], ["failed"])
        self.assertIn("rank-lost", {finding["kind"] for finding in document["findings"]})

    def test_one_that_hangs_is_ended_by_the_time_out(self):
        begun = time.monotonic()
        document = self.run_with(1, signal.SIGSTOP, "--timeout", "5")
        self.assertLess(time.monotonic() - begun, 40)
        self.assertEqual(len(finished(document)), 1)
        self.assertIn("rank 1 is stopped", json.dumps(document["findings"]))


if __name__ == "__main__":
    unittest.main()
