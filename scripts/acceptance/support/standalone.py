"""Small programs of tests/acceptance that share no code with the tool: beside it where they are built, else compiled here."""

import os
import pathlib
import shutil

from .ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "tests" / "acceptance"


def program(ringside: Ringside, source: str, folder: str) -> pathlib.Path:
    """`source`: a file name; `folder`: where it may be compiled to."""
    built = ringside.binary.parent / pathlib.Path(source).stem
    if built.exists():
        return built
    target = pathlib.Path(folder, built.name)
    if source.endswith(".cu"):
        compiler = shutil.which("nvcc", path=f"{os.environ.get('PATH', '')}:/usr/local/cuda/bin")
        options = ["-std=c++17", "-O3", "-arch=native"]
    else:
        compiler = shutil.which("c++")
        options = ["-std=c++20", "-O3", "-march=native", "-pthread"]
    if compiler is None:
        raise Unusable(f"{built.name} is not built, and there is no compiler for it")
    run([compiler, *options, SOURCES / source, "-o", target])
    return target
