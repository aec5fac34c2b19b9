"""Planted faults: strategies that are wrong now and then, too late, or where nobody looks."""

import re
import subprocess
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside

TAG = "[planted]"


def plants(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Each test plants faults of one kind and asks that they are caught."""
    answer = subprocess.run([ringside.binary.parent / "ringside_unit", TAG], capture_output=True, text=True, check=False)
    passed = re.search(r"\((\d+) assertions? in (\d+) test cases?\)", answer.stdout)
    count = int(passed.group(2)) if answer.returncode == 0 and passed else 0
    yield Number("kinds of planted faults that are caught", "at least", 7, count, "kinds",
                 answer.stdout.strip().splitlines()[-1] if answer.stdout.strip() else "no output")


PARTS = {"plants": plants}
