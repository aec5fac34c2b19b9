"""A room of libcore includes only itself and rooms earlier in the list of CMakeLists.txt; the heavy libraries stay where
that list allows them; device code sees only CUDA, NCCL's device header and the standard library."""

import pathlib
import re

import tree

# The rooms that link a heavy library say so in CMakeLists.txt by this word; its header may appear nowhere else.
LIBRARIES = {"JSON": "nlohmann/", "TOML": "toml++/"}
STANDARD = re.compile(r"<[a-z_0-9]+>")
VENDOR = re.compile(r"<(cuda|cuda_\w+|cooperative_groups\w*|mma|math_constants|vector_types|nccl|nccl_device)\.h>|<(cuda|nv)/.+>")
KERNEL_ROOMS = {"device", "strategy", "measure"}


def rooms(root: pathlib.Path) -> dict[str, set[str]]:
    """Room -> libraries it may include, in order."""
    text = (root / "CMakeLists.txt").read_text(encoding="utf-8")
    calls = re.findall(r"^ringside_room\((\w+)([^)]*)\)", text, re.MULTILINE)
    return {name: set(LIBRARIES) & set(rest.split()) for name, rest in calls}


def room_violations(root: pathlib.Path) -> list[str]:
    found = []
    allowed = rooms(root)
    order = list(allowed)
    toml_files = {}  # in order
    for path in tree.files(root, "libcore", (".cpp", ".hpp")):
        room = path.relative_to(root / "libcore").parts[0]
        if room not in allowed:
            found.append(f"{path.relative_to(root)}:1: the room '{room}' is not in CMakeLists.txt")
            continue
        earlier = order[: order.index(room) + 1]
        for number, target in tree.includes(path):
            where = f"{path.relative_to(root)}:{number}:"
            if target.startswith('"'):
                other = target.strip('"').split("/")[0]
                if other in order and other not in earlier:
                    found.append(f"{where} {room} includes {target}, but {other} comes later")
                elif other == "kernels" and room not in KERNEL_ROOMS:
                    found.append(f"{where} {room} includes {target}; kernels are for {', '.join(sorted(KERNEL_ROOMS))}")
                elif other not in order and other != "kernels":
                    found.append(f"{where} {target} is not named from libcore/ (include \"room/file.hpp\")")
            for library, prefix in LIBRARIES.items():
                if target[1:].startswith(prefix):
                    if library not in allowed[room] or path.suffix != ".cpp":
                        found.append(f"{where} {target} belongs in a .cpp of a room that links {library}")
                    elif library == "TOML":
                        toml_files[str(path.relative_to(root))] = True
            if target[1:].startswith("CLI/"):
                found.append(f"{where} {target} belongs in tools/")
    if len(toml_files) > 1:
        first, second = list(toml_files)[:2]
        found.append(f"{second}:1: toml++ is included by one file only, and {first} does")
    return found


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
