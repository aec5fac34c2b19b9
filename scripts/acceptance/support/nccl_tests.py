"""nccl-tests' all_reduce_perf with one process for each GPU: what NCCL's own benchmark says of the same calls."""

import os
import shlex

from .ringside import run


class NcclTests:
    """`command` starts the program with its ranks: "mpirun -np 2 .../all_reduce_perf"."""

    def __init__(self, command: str):
        self._command = shlex.split(command)

    def graph_us(self, sizes: list[int], environment: dict[str, str], symmetric: bool) -> dict[int, float]:
        """Time of a call inside a graph of 122, in us, slowest rank, by bytes; bf16, out of place. Each size has a run of
        its own: where the buffers of a run lie depends on its largest message, and that alone can make 10 %."""
        return self._times_us(sizes, environment, symmetric, ["-n", "122", "-G", "40"])

    def eager_us(self, sizes: list[int], environment: dict[str, str], symmetric: bool) -> dict[int, float]:
        """The same of calls that are launched one by one, 4,880 of them."""
        return self._times_us(sizes, environment, symmetric, ["-n", str(40 * 122)])

    def _times_us(self, sizes: list[int], environment: dict[str, str], symmetric: bool, calls: list[str]) -> dict[int, float]:
        times = {}
        for size in sizes:
            arguments = ["-b", str(size), "-e", str(size), "-d", "bfloat16", "-g", "1", *calls, "-w", "5",
                         "-c", "0", "-a", "3", *(["-R", "2"] if symmetric else [])]
            output = run([*self._command, *arguments], env={**os.environ, **environment}).stdout
            for line in output.splitlines():
                columns = line.split()
                if len(columns) > 6 and columns[0] == str(size) and columns[2] == "bfloat16":
                    times[size] = float(columns[5])
        return times
