"""One family, one file: a file of strategy/ that registers strategies names one family, a file of report/ that registers
writers registers one. So a new one is one new file, and what a file holds can be told from its name. No family is lost on
the way into the binary."""

import json
import os
import pathlib
import re
import subprocess

import tree

# A family is named by the method, or by a field of a table that a base class returns.
FAMILY = re.compile(r'\bfamily\(\)\s*const\s*(?:override|final)\s*\{\s*return\s+"([^"]+)";|\.family\s*=\s*"([^"]+)"')
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


def families(text: str) -> set[str]:
    return {method or field for method, field in FAMILY.findall(text)}


def listed_families(binary: str) -> set[str]:
    """The families that the binary knows."""
    listing = subprocess.run([binary, "list", "strategies", "--json", "-"], check=True, capture_output=True, text=True)
    return {strategy["family"] for strategy in json.loads(listing.stdout)["strategies"]}


def violations(root: pathlib.Path) -> list[str]:
    found = []
    for name, text in sources(root, "strategy"):
        named = families(text)
        if STRATEGY.search(text) and len(named) != 1:
            found.append(f"{name}:1: a file that registers strategies has one family, this one has "
                         f"{', '.join(sorted(named)) or 'none'}")
        if name.endswith(".cpp") and named and not STRATEGY.search(text):
            found.append(f"{name}:1: the family {', '.join(sorted(named))} is never registered")
    for name, text in sources(root, "report"):
        writers = WRITER.findall(text)
        if len(writers) > 1:
            found.append(f"{name}:1: a file registers one writer, this one registers {', '.join(writers)}")
        if name.endswith(".cpp") and re.search(r":\s*public\s+Writer\b", text) and not writers:
            found.append(f"{name}:1: its writer is never registered")
    return found


def lost_families(root: pathlib.Path, known: set[str]) -> list[str]:
    """Families of the host device, which every build has, that `known` lacks: their objects were not linked."""
    return [f"{name}:1: the family {family} is registered here, but the binary does not list it"
            for name, text in sources(root, "strategy/host") if STRATEGY.search(text)
            for family in sorted(families(text) - known)]


def everything(root: pathlib.Path) -> list[str]:
    return violations(root) + lost_families(root, listed_families(os.environ["RINGSIDE_BINARY"]))


if __name__ == "__main__":
    tree.run(everything)
