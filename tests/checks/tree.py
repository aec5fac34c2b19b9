"""What the checks share: the files of a source tree, and how a check ends. A check prints one line per violation,
`path:line: what is wrong`, and exits 1 when there is one; 77 means that it could not run here, with the reason."""

import os
import pathlib
import re
import subprocess
import sys
from typing import Callable, Iterator

SKIPPED = 77
NOT_SOURCE = {".git", "build", ".cache", "__pycache__"}


def files(root: pathlib.Path, under: str = "", suffixes: tuple[str, ...] = ()) -> list[pathlib.Path]:
    """The files of the tree below `under`, sorted; in a git checkout without the ignored ones."""
    if (root / ".git").exists():
        listing = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout
        paths = [root / name for name in listing.split("\0") if name]
    else:
        paths = [path for path in root.rglob("*") if not NOT_SOURCE & set(path.relative_to(root).parts)]
    start = root / under
    return sorted(path for path in set(paths)
                  if path.is_file() and path.is_relative_to(start)
                  and (not suffixes or path.suffix in suffixes))


def includes(path: pathlib.Path) -> Iterator[tuple[int, str]]:
    """(line number, target with its quotes or angle brackets) of each #include."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(<[^>]+>|"[^"]+")', line)
        if match:
            yield number, match[1]


def run(check: Callable[[pathlib.Path], list[str]]) -> None:
    """Ends the process with what `check` finds in the tree named by RINGSIDE_SOURCE."""
    violations = check(pathlib.Path(os.environ["RINGSIDE_SOURCE"]))
    for violation in violations:
        print(violation)
    sys.exit(1 if violations else 0)


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)
