"""Rules for every text file: it names no path of the machine that it was written on, it leaves no work for later, code
stays short enough to be read in one go, the tests have names that ctest can ask for, and a header may be included twice."""

import os
import pathlib
import re

import tree

CODE = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake"}
HEADERS = {".hpp", ".cuh"}
MOST_LINES = 400
LOOSE_END = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
SPLIT_NAME = re.compile(r'\bTEST_CASE\("[^"]*;')
BARE_KIND = re.compile(r'(?:\.kind = |\bkind == )"[a-z]+(?:-[a-z]+)*"')  # of a finding; see model/finding_kinds.hpp
HOME = re.compile(r"(?<![\w.])/(work|home/\w+|Users/\w+)/")


def violations(root: pathlib.Path) -> list[str]:
    found = []
    places = {str(root.resolve()), os.path.expanduser("~") + "/"} - {"/"}
    for path in tree.files(root):
        name = path.relative_to(root)
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        if path.suffix in CODE and len(lines) > MOST_LINES:
            found.append(f"{name}:{MOST_LINES + 1}: {len(lines)} lines; split it (at most {MOST_LINES})")
        if path.suffix in HEADERS and "#pragma once" not in lines:
            found.append(f"{name}:1: a header without '#pragma once'")
        for number, line in enumerate(lines, 1):
            if HOME.search(line) or any(place in line for place in places):
                found.append(f"{name}:{number}: names a path of this machine: {line.strip()}")
            if path.suffix in CODE and LOOSE_END.search(line):
                found.append(f"{name}:{number}: leaves something for later: {line.strip()}")
            if name.parts[0] in ("libcore", "tools") and BARE_KIND.search(line) and "event.kind" not in line:
                found.append(f"{name}:{number}: a kind of finding is taken from the list, finding_kind(...): {line.strip()}")
            if path.suffix == ".cpp" and SPLIT_NAME.search(line):
                found.append(f"{name}:{number}: ctest takes the ';' for the end of a test's name: {line.strip()}")
    return found


if __name__ == "__main__":
    tree.run(violations)
