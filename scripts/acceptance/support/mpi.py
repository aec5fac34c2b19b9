"""MPI_Allreduce between two processes of this machine, timed by tests/acceptance/mpi_allreduce.cpp."""

import json
import os
import pathlib
import shutil
import tempfile

from .ringside import Unusable, run


class MpiAllreduce:
    def __init__(self, source: pathlib.Path):
        if not (shutil.which("mpicxx") and shutil.which("mpirun")):
            raise Unusable("no MPI here (scripts/setup installs Open MPI)")
        self._folder = tempfile.TemporaryDirectory()
        self._program = pathlib.Path(self._folder.name, "mpi_allreduce")
        run(["mpicxx", "-std=c++20", "-O3", source, "-o", self._program])

    def measure(self, size: int, calls: int, seconds: float) -> dict:
        """{"library", "median_ns", "samples"}; fp32, two ranks, each bound to a core."""
        root = ["--allow-run-as-root"] if os.getuid() == 0 else []
        command = ["mpirun", *root, "-np", "2", "--bind-to", "core", self._program, str(size), str(calls), str(seconds)]
        return json.loads(run(command).stdout)
