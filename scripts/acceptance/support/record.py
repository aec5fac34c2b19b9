"""The record of one acceptance run: machine, versions, commit, numbers."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re

from .number import Number
from .ringside import Ringside


def cpu_model() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def machine() -> dict:
    release = platform.freedesktop_os_release()
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "system": f"{release['PRETTY_NAME']}, Linux {platform.release()}, glibc {platform.libc_ver()[1]}",
    }


def commit(version: str) -> str:
    """The commit that the measured binary was built from, with "-dirty" when tracked files were changed: the one in
    brackets of "ringside 0.1.0 (8973af81ec9f), GNU-12.2.0 ..."."""
    found = re.search(r"\(([0-9a-f]+(?:-dirty)?)\)", version)
    return found[1] if found else "unknown"


class Record:
    def __init__(self, area: str, ringside: Ringside,
                 options: argparse.Namespace = argparse.Namespace()):
        self.options = options  # of the command line, for parts that need more than the tool
        self._started = datetime.datetime.now(datetime.timezone.utc)
        self._numbers: list[Number] = []
        self._head = {
            "area": area,
            "date": self._started.isoformat(timespec="seconds"),
            "commit": commit(ringside.version()),
            "machine": machine(),
            "load_average": os.getloadavg()[0],
            "versions": {"ringside": ringside.version(), "preset": ringside.preset},
        }

    def note_version(self, what: str, version: str) -> None:
        self._head["versions"][what] = version

    def add(self, number: Number) -> None:
        self._numbers.append(number)

    def passed(self) -> int:
        return sum(number.passed() for number in self._numbers)

    def missed(self) -> int:
        return len(self._numbers) - self.passed()

    def write(self, folder: pathlib.Path) -> pathlib.Path:
        """One file for each area, day and commit; numbers of an earlier run with the same head stay unless measured again."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self._head['area']}-{self._started:%Y-%m-%d}-{self._head['commit']}.json"
        numbers = {}
        if path.exists():
            earlier = json.loads(path.read_text(encoding="utf-8"))
            if earlier["machine"] == self._head["machine"]:
                numbers = {number["name"]: number for number in earlier["numbers"]}
                self._head["versions"] = {**earlier["versions"], **self._head["versions"]}
        for number in self._numbers:
            numbers[number.name] = {
                "name": number.name, "limit": f"{number.comparison} {number.limit:g}", "unit": number.unit,
                "measured": number.measured, "passed": number.passed(), "detail": number.detail}
        path.write_text(json.dumps({**self._head, "numbers": list(numbers.values())}, indent=2) + "\n", encoding="utf-8")
        return path
