"""Logs of launches that died in public (data/trace/deaths): each gets its cause, or stays unknown with the true line named."""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "scripts"))

from acceptance.support import deaths  # noqa: E402
from acceptance.support.ringside import Ringside  # noqa: E402


class Deaths(unittest.TestCase):
    def test_every_log_of_the_table(self):
        ringside = Ringside(pathlib.Path(os.environ["RINGSIDE_BINARY"]), "test")
        good = 0
        for case in deaths.cases():
            with self.subTest(case.name):
                judgement = deaths.judge(case, deaths.document(ringside, "--log", str(case.path())))
                good += judgement.good()
                self.assertFalse(judgement.follow_up, judgement.detail)
                self.assertFalse(judgement.sure, judgement.detail)
        self.assertGreaterEqual(good / len(deaths.cases()), 0.9)

    def test_the_table_is_of_the_kinds_that_were_asked_for(self):
        cases = deaths.cases()
        self.assertEqual({case.path() for case in cases}, set(deaths.FOLDER.glob("*.log")))
        self.assertGreaterEqual(len(cases), 60)
        self.assertGreaterEqual(sum(case.source != "-" for case in cases), 40)
        self.assertGreaterEqual(len(deaths.rows("commands.tsv")), 30)
        for case in cases:
            self.assertFalse(case.lines and max(case.lines) > len(case.path().read_text(encoding="utf-8").splitlines()), case.name)
