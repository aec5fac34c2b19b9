"""The build itself: one definition for each name in the whole program."""

import pathlib
import re
import shutil
import subprocess
import sys
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build" / "odr"
CONFLICT = re.compile(r"warning: .*(?:\[-Wodr\]|\[-Wlto-type-mismatch\])")


def odr(_ringside: Ringside, record: Record) -> Iterator[Number]:
    """All sources, compiled for link-time optimisation by g++, linked with -Wodr."""
    compiler = shutil.which("g++")
    if not compiler or not shutil.which("gcc-ar"):
        raise Unusable("-Wodr is a warning of GCC, and there is no g++ with its gcc-ar here")
    record.note_version("g++", run([compiler, "-dumpfullversion"]).stdout.strip())
    run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", FOLDER, f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=",
         f"-DCMAKE_AR={shutil.which('gcc-ar')}", f"-DCMAKE_RANLIB={shutil.which('gcc-ranlib')}", "-DRINGSIDE_CUDA=OFF",
         "-DRINGSIDE_TESTS=OFF", "-DCMAKE_CXX_FLAGS=-O0 -flto", "-DCMAKE_EXE_LINKER_FLAGS=-flto -Wodr"])
    (FOLDER / "bin" / "ringside").unlink(missing_ok=True)  # the link is what is looked at
    build = subprocess.run(["cmake", "--build", FOLDER, "--target", "ringside"], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    sys.stderr.write(build.stdout)
    if build.returncode != 0:
        raise Unusable("the build for -Wodr failed")
    found = CONFLICT.findall(build.stdout)
    yield Number("definitions that differ, by a link of the whole program with -Wodr", "at most", 0, len(found), "",
                 "; ".join(found[:4]))


PARTS = {"odr": odr}
ON_DEMAND: list[str] = []
