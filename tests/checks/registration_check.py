"""One family, one file: a file of strategy/ that registers strategies names one family, a file of report/ that registers
a writer or a kind of result registers one. So a new one is one new file, and what a file holds can be told from its name. No family is lost on
the way into the binary. A format knows Views alone, and what makes a View knows no format."""

import json
import os
import pathlib
import re
import subprocess

import tree

# A family is named by the method, or by a field of a table that a base class returns.
FAMILY = re.compile(r'\bfamily\(\)\s*const\s*(?:override|final)\s*\{\s*return\s+"([^"]+)";|\.family\s*=\s*"([^"]+)"')
STRATEGY = re.compile(r"\bRegisterStrategy<\s*([\w:<>, ]+?)\s*>\s+\w+")
# What it is called -> what registers it, and the classes that one is derived from.
REPORTS = {"writer": (re.compile(r"\bRegisterWriter<\s*([\w:<>, ]+?)\s*>\s+\w+"), r"Writer|Renderer"),
           "kind of result": (re.compile(r"\bRegisterKind<\s*([\w:<>, ]+?)\s*>\s+\w+"), r"ResultKind")}
REGISTRY = {"libcore/strategy/registry.hpp", "libcore/report/writer.hpp", "libcore/report/views/result_kind.hpp"}

# Folder of report/ -> what its files know nothing of.
APART = {"render": ("report/views/", "model/document.hpp", "model/row.hpp", "model/spec_result.hpp", "model/init_trace.hpp"),
         "views": ("report/render/",)}


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
        for what, (registers, base) in REPORTS.items():
            registered = registers.findall(text)
            if len(registered) > 1:
                found.append(f"{name}:1: a file registers one {what}, this one registers {', '.join(registered)}")
            if name.endswith(".cpp") and re.search(rf":\s*public\s+({base})\b", text) and not registered:
                found.append(f"{name}:1: its {what} is never registered")
    return found + [f"{path.relative_to(root)}:{number}: a file of {folder}/ includes {target}"
                    for folder, others in APART.items() for path in tree.files(root, f"libcore/report/{folder}", (".cpp", ".hpp"))
                    for number, target in tree.includes(path) if target.strip('"').startswith(others)]


def lost_families(root: pathlib.Path, known: set[str]) -> list[str]:
    """Families of the host device, which every build has, that `known` lacks: their objects were not linked."""
    return [f"{name}:1: the family {family} is registered here, but the binary does not list it"
            for name, text in sources(root, "strategy/host") if STRATEGY.search(text)
            for family in sorted(families(text) - known)]


def everything(root: pathlib.Path) -> list[str]:
    return violations(root) + lost_families(root, listed_families(os.environ["RINGSIDE_BINARY"]))


if __name__ == "__main__":
    tree.run(everything)
