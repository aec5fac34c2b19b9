"""nccl-tests' all_reduce_perf with one process for each GPU: what NCCL's own benchmark says of the same calls."""

import os
import shlex

from .ringside import run


class NcclTests:
    """`command` starts the program with its ranks: "mpirun -np 2 .../all_reduce_perf"."""

    def __init__(self, command: str):
        self._command = shlex.split(command)

    def graph_us(self, sizes: list[int], environment: dict[str, str], symmetric: bool) -> dict[int, float]:
        """Time of a call inside a graph of 122, in us, slowest rank, by bytes; bf16, out of place."""
        step = sizes[1] // sizes[0]
        arguments = ["-b", str(sizes[0]), "-e", str(sizes[-1]), "-f", str(step), "-d", "bfloat16", "-g", "1",
                     "-n", "122", "-w", "5", "-G", "40", "-c", "0", "-a", "3", *(["-R", "2"] if symmetric else [])]
        output = run([*self._command, *arguments], env={**os.environ, **environment}).stdout
        times = {}
        for line in output.splitlines():
            columns = line.split()
            if len(columns) > 6 and columns[0].isdigit() and columns[2] == "bfloat16":
                times[int(columns[0])] = float(columns[5])
        return times
