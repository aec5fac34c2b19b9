"""One family, one file: a file of strategy/ that registers strategies names one family, a file of report/ that registers
writers registers one. So a new one is one new file, and what a file holds can be told from its name."""

import pathlib
import re

import tree

FAMILY = re.compile(r"\bfamily\(\)\s*const\s*(?:override|final)\s*\{\s*return\s+([^;]+);")
STRATEGY = re.compile(r"\bRegisterStrategy<\s*([\w:<>, ]+?)\s*>\s+\w+")
WRITER = re.compile(r"\bRegisterWriter<\s*([\w:<>, ]+?)\s*>\s+\w+")
REGISTRY = {"libcore/strategy/registry.hpp", "libcore/report/writer.hpp"}


def sources(root: pathlib.Path, room: str) -> list[tuple[str, str]]:
    """(path, text without comments) of the room's files but the registry itself."""
    found = []
    for path in tree.files(root, f"libcore/{room}", (".cpp", ".hpp")):
        name = str(path.relative_to(root))
        if name not in REGISTRY:
            found.append((name, re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))))
    return found


def violations(root: pathlib.Path) -> list[str]:
    found = []
    for name, text in sources(root, "strategy"):
        families = set(FAMILY.findall(text))
        if STRATEGY.search(text) and len(families) != 1:
            named = ", ".join(sorted(families)) or "none"
            found.append(f"{name}:1: a file that registers strategies has one family(), this one has {named}")
        if name.endswith(".cpp") and families and not STRATEGY.search(text):
            found.append(f"{name}:1: the family {', '.join(sorted(families))} is never registered")
    for name, text in sources(root, "report"):
        writers = WRITER.findall(text)
        if len(writers) > 1:
            found.append(f"{name}:1: a file registers one writer, this one registers {', '.join(writers)}")
        if name.endswith(".cpp") and re.search(r":\s*public\s+Writer\b", text) and not writers:
            found.append(f"{name}:1: its writer is never registered")
    return found


if __name__ == "__main__":
    tree.run(violations)
