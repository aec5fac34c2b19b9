"""Strategies that need another environment have ranks of their own beside the others: they take turns in each round, one
group's loss leaves the other as it is, and where memory is short they run one after the other and are not compared."""

import os
import pathlib
import re
import signal
import subprocess
import unittest

from support import ringside as tool
from support.ringside import FolderTestCase, finished, is_running, stop_waited_for, wait_until

tool.RINGSIDE = str(pathlib.Path(tool.RINGSIDE).parent / "ringside_two_groups")  # with strategies for tests
PLAIN, OTHER = "environment-ring", "environment-ring:on"
SETTING = "RINGSIDE_TEST_SETTING=on"
BOTH = ("--device", "host", "--ranks", "2", "--strategy", f"ring,{PLAIN},{OTHER}", "--budget", "300")


def rank_processes(coordinator):
    """Its rank processes, by whether they have the variable."""
    groups = {False: set(), True: set()}
    for entry in pathlib.Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if len(words) > 3 and words[1] == b"__rank" and words[3] == str(coordinator).encode():
                groups[SETTING.encode() in (entry / "environ").read_bytes().split(b"\0")].add(int(entry.name))
        except OSError:
            continue
    return groups


def rows_of(document, strategy):
    return [row for row in document["rows"] if row["params"]["strategy"] == strategy]


def kinds(document):
    return [finding["kind"] for finding in document["findings"]]


class Turns(FolderTestCase):
    def test_both_groups_take_turns_in_each_round(self):
        sweep = self.start(*BOTH, "--sizes", "4K", "--launches", "3", "--rounds", "12", "--min-rounds", "12")
        self.assertEqual(sweep.end(), 0)
        document = sweep.document()
        self.assertEqual(len(finished(document)), 3)
        self.assertEqual([row["setting"] for row in document["rows"]], [None, None, SETTING])
        turns = re.findall(r"launch (\d): (\S+) 4K bf16 eager, round (\d+)", sweep.log())
        self.assertEqual(len(turns), 3 * 3 * 12)
        for at in range(0, len(turns), 3):
            self.assertEqual(len({(launch, number) for launch, _, number in turns[at:at + 3]}), 1)
            self.assertEqual({name for _, name, _ in turns[at:at + 3]}, {"ring", PLAIN, OTHER})
        self.assertEqual({launch["turn_group"] for row in document["rows"] for launch in row["launches"]}, {0})
        other = rows_of(document, OTHER)[0]
        self.assertEqual((other["to_reference"]["to"], other["to_reference"]["launches"]), ("ring", 3))
        undisturbed = [12 - len(launch["disturbed_rounds"]) for row in document["rows"] for launch in row["launches"]]
        if min(undisturbed) >= 6:  # fewer give no interval, and other tests may have the cores
            self.assertIsNotNone(other["to_reference"]["interval95"])
        self.assertIsNone(rows_of(document, "ring")[0]["to_reference"])
        self.assertIsNone(other["to_best_nccl"])
        self.assertNotIn("measured-apart", kinds(document))

    def test_one_group_alone_is_started_where_all_need_the_same(self):
        sweep = self.start("--device", "host", "--ranks", "2", "--strategy", OTHER, "--sizes", "4K", "--launches", "1",
                           "--rounds", "40", "--min-rounds", "40", "--budget", "300")
        sweep.wait_for_round("round 2")
        self.assertEqual(len(rank_processes(sweep.pid)[False]), 0)
        self.assertEqual(sweep.end(), 0)
        self.assertEqual(len(finished(sweep.document())), 1)


class Loss(FolderTestCase):
    def test_a_rank_that_is_lost_in_the_second_group_costs_its_case_alone(self):
        sweep = self.start(*BOTH, "--sizes", "4K,8K", "--launches", "1", "--rounds", "60", "--min-rounds", "60", "--timeout",
                           "600")
        sweep.wait_for_round(f"{OTHER} 4K bf16 eager, round 2")
        groups = rank_processes(sweep.pid)
        self.assertEqual((len(groups[False]), len(groups[True])), (2, 2))
        stopped, killed = sorted(groups[True])
        stop_waited_for(stopped, killed)
        os.kill(killed, signal.SIGKILL)
        sweep.wait_for_round("ring 8K bf16 eager, round 2", 240)
        after = rank_processes(sweep.pid)
        self.assertEqual(after[False], groups[False])  # the first group goes on as it was
        self.assertTrue(after[True].isdisjoint(groups[True]))
        self.assertEqual(sweep.end(240), 5)
        document = sweep.document()
        lost = [row for row in document["rows"] if row["status"] != "pass"]
        self.assertEqual([(row["params"]["strategy"], row["params"]["bytes"], row["status"]) for row in lost],
                         [(OTHER, 4096, "failed")])
        self.assertIn("rank-lost", kinds(document))
        self.assertEqual(len(finished(document)), 5)
        self.assertIs(document["complete"], True)

    def test_ctrl_c_ends_both_groups_and_keeps_what_is_finished(self):
        sweep = self.start(*BOTH, "--sizes", "4K:256K:+4K", "--launches", "1", "--rounds", "5")
        sweep.wait_for_rows()
        groups = rank_processes(sweep.pid)
        os.kill(sweep.pid, signal.SIGINT)
        self.assertEqual(sweep.end(), 130)
        document = sweep.document()
        self.assertIs(document["complete"], False)
        self.assertGreaterEqual(len(finished(document)), 3)
        self.assertEqual((len(groups[False]), len(groups[True])), (2, 2))
        wait_until(lambda: not any(is_running(pid) for pid in groups[False] | groups[True]), "the end of the ranks")


class ShortMemory(FolderTestCase):
    CASES = (*BOTH, "--sizes", "4K,64K", "--launches", "3", "--rounds", "8", "--min-rounds", "8")

    def run_with(self, share):
        """With this share of the memory that both groups need."""
        plan = tool.run("probe-comm", *self.CASES, "--plan").stdout
        number, unit = re.search(r"memory: ([\d.]+) ([KMG])iB for 2 ranks", plan).groups()
        need = float(number) * {"K": 2**10, "M": 2**20, "G": 2**30}[unit]
        path = self.folder / "result.json"
        environment = tool.environment(RINGSIDE_TEST_AVAILABLE=str(int(share * need)))
        result = tool.run("probe-comm", *self.CASES, "--verbose", "--json", str(path), env=environment,
                          stdout=subprocess.DEVNULL)
        return result, path

    def test_they_run_one_after_the_other_and_no_winner_is_named_between_them(self):
        result, path = self.run_with(0.8)
        self.assertEqual(result.returncode, 0, result.stderr)
        document = tool.json.loads(path.read_text())
        self.assertEqual(len(finished(document)), 6)
        self.assertIs(document["complete"], True)
        self.assertEqual([{launch["turn_group"] for launch in row["launches"]} for row in document["rows"]],
                         [{0}, {0}, {1}] * 2)
        apart = [finding for finding in document["findings"] if finding["kind"] == "measured-apart"]
        self.assertEqual([finding["evidence"] for finding in apart], [[f"after the others: {OTHER}"]])
        self.assertEqual([verdict["bytes"] for verdict in document["verdicts"]], [4096, 65536])
        for verdict in document["verdicts"]:
            self.assertEqual((verdict["winner"], verdict["tied"]), (None, []))
            self.assertIn("took no turns with", verdict["reason"])
        self.assertEqual([row["to_reference"] for row in rows_of(document, OTHER)], [None, None])
        self.assertEqual([row["to_reference"]["to"] for row in rows_of(document, PLAIN)], ["ring", "ring"])
        turns = re.findall(r"launch 1: (\S+) \d+K bf16 eager, round", result.stderr)
        self.assertEqual(set(turns[:turns.index(OTHER)]), {"ring", PLAIN})
        self.assertEqual(set(turns[turns.index(OTHER):]), {OTHER})

    def test_memory_that_holds_not_even_one_group_is_refused(self):
        result, path = self.run_with(0.3)
        self.assertEqual(result.returncode, 3)
        self.assertIn("not enough memory", result.stderr)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
