"""The binary can be copied to another box as one file: it needs nothing but the C library, of glibc 2.35 or later, and it
starts with an empty environment, without driver, NCCL or MPI. It is stripped; symbols lie beside it. Needs
RINGSIDE_BINARY."""

import os
import pathlib
import platform
import re
import subprocess

import tree

LIBRARIES = re.compile(r"(libc|libm|libdl|libpthread|librt)\.so\.\d+|ld-linux[\w-]*\.so\.\d+")
GLIBC_LIMIT = (2, 35)  # Ubuntu 22.04
GLIBC_OF_RELEASE_BUILDS = (2, 36)  # Debian 12; a newer one cannot link against older symbols


def version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def readelf(option: str, binary: str) -> str:
    return subprocess.run(["readelf", "-W", option, binary], check=True, capture_output=True, text=True).stdout


def library_violations(binary: str) -> list[str]:
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("--dynamic", binary))
    return [f"{binary}: needs {library}, which another box may not have"
            for library in needed if not LIBRARIES.fullmatch(library)]


def glibc_violations(binary: str, limit: tuple[int, ...]) -> list[str]:
    symbols = re.findall(r"\bUND\s+(\w+)@GLIBC_([\d.]+)", readelf("--dyn-syms", binary))
    return sorted({f"{binary}: {name} needs glibc {since}, the limit is {'.'.join(map(str, limit))}"
                   for name, since in symbols if version(since) > limit})


def symbol_violations(binary: str) -> list[str]:
    sections = readelf("--section-headers", binary)
    found = [f"{binary}: is not stripped, it has {section}"
             for section in (".symtab", ".debug_info") if re.search(rf" {re.escape(section)} ", sections)]
    symbols = pathlib.Path(f"{binary}.debug")
    if ".gnu_debuglink" in sections and not (symbols.exists() and ".debug_line" in readelf("--section-headers", str(symbols))):
        found.append(f"{binary}: its symbols are not in {symbols}")
    return found


def start_violations(binary: str) -> list[str]:
    result = subprocess.run([binary, "--version"], env={}, capture_output=True, text=True, timeout=60)
    if result.returncode == 0 and result.stdout.startswith("ringside "):
        return []
    return [f"{binary}: --version in an empty environment gave {result.returncode}: {result.stdout}{result.stderr}"]


def violations(_root: pathlib.Path) -> list[str]:
    binary = os.environ["RINGSIDE_BINARY"]
    found = library_violations(binary) + symbol_violations(binary) + start_violations(binary)
    glibc = version(platform.libc_ver()[1])
    if glibc <= GLIBC_OF_RELEASE_BUILDS:
        found += glibc_violations(binary, GLIBC_LIMIT)
    else:
        print(f"glibc {platform.libc_ver()[1]} here: symbol versions are checked where releases are built")
    return found


if __name__ == "__main__":
    if os.environ.get("RINGSIDE_SANITIZE"):
        tree.skip("a sanitizer build needs the sanitizer's libraries")
    tree.run(violations)
