"""Shell scripts are clean under shellcheck."""

import pathlib
import re
import shutil
import subprocess

import tree


def scripts(root: pathlib.Path) -> list[pathlib.Path]:
    """Files whose first line names a shell."""
    found = []
    for path in tree.files(root):
        with open(path, "rb") as file:
            if re.match(rb"#!.*\b(ba|da)?sh\b", file.readline()):
                found.append(path)
    return found


def violations(root: pathlib.Path) -> list[str]:
    command = shutil.which("shellcheck")
    if not command:
        tree.skip("no shellcheck here")
    names = [path.relative_to(root) for path in scripts(root)]
    if not names:
        return []
    result = subprocess.run([command, "--format=gcc", "--external-sources", *names], cwd=root, capture_output=True,
                            text=True)
    return result.stdout.splitlines() + result.stderr.splitlines()


if __name__ == "__main__":
    tree.run(violations)
