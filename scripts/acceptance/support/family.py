"""The processes that a command has started: all that have its mark in their environment, wherever they went."""

import os
import pathlib
import signal


class Family:
    """`mark`: "NAME=value", in the environment of the command."""

    def __init__(self, mark: str):
        self._mark = mark.encode()

    def running(self) -> dict[int, str]:
        """pid -> its command line."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if self._mark not in (entry / "environ").read_bytes().split(b"\0"):
                    continue
                state = (entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:  # it is gone
                continue
            if state not in "ZX":
                found[int(entry.name)] = words.strip()
        return found

    def end(self) -> None:
        for pid in self.running():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
