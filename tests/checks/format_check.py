"""Sources look as .clang-format says. Other versions of clang-format than 14 format differently, so they don't count."""

import pathlib
import re
import shutil
import subprocess

import tree

VERSION = 14


def formatter() -> str:
    """The command of the right version, or ''."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        command = shutil.which(name)
        if command:
            text = subprocess.run([command, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {VERSION}\.", text):
                return command
    return ""


def violations(root: pathlib.Path) -> list[str]:
    command = formatter()
    if not command:
        tree.skip(f"no clang-format {VERSION} here")
    sources = tree.files(root, suffixes=(".cpp", ".hpp", ".cu", ".cuh"))
    result = subprocess.run([command, "--dry-run", *sources], cwd=root, capture_output=True, text=True)
    lines = [line for line in result.stderr.splitlines() if "[-Wclang-format-violations]" in line]
    first_of_file = {line.split(":")[0]: line for line in reversed(lines)}
    return [line.removeprefix(f"{root}/").replace("warning: code should be clang-formatted", "run clang-format -i")
            for line in sorted(first_of_file.values())]


if __name__ == "__main__":
    tree.run(violations)
