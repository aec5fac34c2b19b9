"""scripts/accept faults sees what it looks for: a command that leaves, loses and says the wrong thing, and one that does not."""

import os
import pathlib
import random
import signal
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ["RINGSIDE_SOURCE"])
sys.path.insert(0, str(ROOT / "scripts"))

from acceptance.faults import Command, Fault, one_fault  # noqa: E402

WHOLE = '{"complete": true, "findings": [], "rows": [{"params": {"bytes": 1}, "launches": [1, 2]}]}'
FEWER = '{"complete": true, "findings": [], "rows": [{"params": {"bytes": 1}, "launches": [1]}]}'
STOP = '{"complete": false, "findings": [{"kind": "interrupted"}], "rows": [{"params": {"bytes": 1}, "launches": [1, 2]}]}'


class Told:
    """In the place of what the binary says of its findings."""

    def of(self, document):
        return 0 if document["complete"] else 130


class Faults(unittest.TestCase):
    def fault(self, at_start, at_end):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder, "ringside")
            script.write_text(f"#!/bin/sh\necho '{WHOLE}' > \"$3\"\n{at_start}\n"
                              f"trap '{at_end}' TERM\nwhile :; do sleep 0.02; done\n", encoding="utf-8")
            script.chmod(0o755)
            result = one_fault(script, Command("a command", ("word",), checkpoints=True),
                               Fault("SIGTERM", True, (signal.SIGTERM,)), 0.5, {}, Told(), random.Random(1))
        return [bool(text) for text in (result.orphans, result.lost, result.status, result.left)]

    def test_what_is_left_lost_or_wrong_is_seen(self):
        self.assertEqual(self.fault("setsid sleep 20 >&- 2>&- &", f'echo "{self.quoted(STOP)}" > "$3"; exit 130'),
                         [True, False, False, False])
        self.assertEqual(self.fault("", f'echo "{self.quoted(FEWER)}" > "$3"; exit 0'), [False, True, False, False])
        self.assertEqual(self.fault("", f'echo "{self.quoted(STOP)}" > "$3"; exit 0'), [False, False, True, False])
        self.assertEqual(self.fault('touch "$TMPDIR/left"', f'echo "{self.quoted(STOP)}" > "$3"; exit 130'),
                         [False, False, False, True])
        self.assertEqual(self.fault("", 'echo "{" > "$3"; exit 130'), [False, True, False, False])

    def test_a_command_that_keeps_its_promises_is_left_alone(self):
        self.assertEqual(self.fault("", f'echo "{self.quoted(STOP)}" > "$3"; exit 130'), [False] * 4)

    @staticmethod
    def quoted(text):
        return text.replace('"', '\\"')


if __name__ == "__main__":
    unittest.main()
