"""A room of libcore includes only itself and the rooms that CMakeLists.txt says it links, all of them earlier in that list;
it links none that no file of it includes. The heavy libraries and the kernels stay where that list allows them; device code
sees only CUDA, NCCL's device header and the standard library. There are no exceptions."""

import pathlib
import re
from typing import NamedTuple

import tree

# The rooms that link a heavy library or the kernels say so in CMakeLists.txt by this word; its header may appear nowhere else.
LIBRARIES = {"JSON": "<nlohmann/", "TOML": "<toml++/", "KERNELS": '"kernels/'}
SOURCES_ONLY = {"JSON", "TOML"}
STANDARD = re.compile(r"<[a-z_0-9]+>")
VENDOR = re.compile(r"<(cuda|cuda_\w+|cooperative_groups\w*|mma|math_constants|vector_types|nccl|nccl_device)\.h>|<(cuda|nv)/.+>")


class Room(NamedTuple):
    line: int  # of CMakeLists.txt
    rooms: set[str]  # that it links
    libraries: set[str]  # that it links, by their words


def rooms(root: pathlib.Path) -> dict[str, Room]:
    """By name, in order."""
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    found = {}
    for call in re.finditer(r"^ringside_room\((\w+)([^)]*)\)", text, re.MULTILINE):
        links = set(call[2].split("SOURCES")[0].split())
        found[call[1]] = Room(text.count("\n", 0, call.start()) + 1, {link.removeprefix("ringside_") for link in links},
                              links & set(LIBRARIES))
    return {name: room._replace(rooms=room.rooms & set(found)) for name, room in found.items()}


def link_violations(known: dict[str, Room], included: dict[str, set[str]]) -> list[str]:
    """Links of later rooms, and of what no file of the room includes."""
    found = []
    order = list(known)
    for name, room in known.items():
        where = f"CMakeLists.txt:{room.line}: {name} links"
        for other in order:
            if other in room.rooms and order.index(other) >= order.index(name):
                found.append(f"{where} {other}, which is no earlier room")
        for other in [*order, *LIBRARIES]:
            if other in room.rooms | room.libraries and other not in included[name]:
                found.append(f"{where} {other}, which none of its files includes")
    return found


def room_violations(root: pathlib.Path) -> list[str]:
    found = []
    known = rooms(root)
    order = list(known)
    included: dict[str, set[str]] = {name: set() for name in known}  # rooms and libraries
    toml_files = {}  # in order
    for path in tree.files(root, "libcore", (".cpp", ".hpp")):
        name = path.relative_to(root / "libcore").parts[0]
        if name not in known:
            found.append(f"{path.relative_to(root)}:1: the room '{name}' is not in CMakeLists.txt")
            continue
        for number, target in tree.includes(path):
            where = f"{path.relative_to(root)}:{number}:"
            other = target.strip('"').split("/")[0] if target.startswith('"') else None
            if other in known:
                included[name].add(other)
                if order.index(other) > order.index(name):
                    found.append(f"{where} {name} includes {target}, but {other} comes later")
                elif other != name and other not in known[name].rooms:
                    found.append(f"{where} {name} includes {target}, but does not link {other}")
            elif other not in (None, "kernels"):
                found.append(f"{where} {target} is not named from libcore/ (include \"room/file.hpp\")")
            for library, prefix in LIBRARIES.items():
                if not target.startswith(prefix) and not target.startswith('"' + prefix[1:]):
                    continue
                included[name].add(library)
                if library not in known[name].libraries or (library in SOURCES_ONLY and path.suffix != ".cpp"):
                    kind = "a .cpp of a room" if library in SOURCES_ONLY else "a room"
                    found.append(f"{where} {target} belongs in {kind} that links {library}")
                elif library == "TOML":
                    toml_files[str(path.relative_to(root))] = True
            if target[1:].startswith("CLI/"):
                found.append(f"{where} {target} belongs in tools/")
    if len(toml_files) > 1:
        first, second = list(toml_files)[:2]
        found.append(f"{second}:1: toml++ is included by one file only, and {first} does")
    return found + link_violations(known, included)


def kernel_violations(root: pathlib.Path) -> list[str]:
    found = []
    for path in tree.files(root, "kernels"):
        for number, target in tree.includes(path):
            if not (STANDARD.fullmatch(target) or VENDOR.fullmatch(target) or target.startswith('"kernels/')):
                found.append(f"{path.relative_to(root)}:{number}: a kernel includes only CUDA and std, not {target}")
    return found


def violations(root: pathlib.Path) -> list[str]:
    return room_violations(root) + kernel_violations(root)


if __name__ == "__main__":
    tree.run(violations)
