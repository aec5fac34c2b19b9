"""A fair fight: NCCL at its best, as its own benchmark finds it."""

import os
from typing import Iterator

from ..support.nccl_tests import NcclTests
from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside, Unusable

KIB = 1024
RANKS = 2
NCCL_SIZES = [2 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, KIB * KIB]
NO_MIXING = {"NCCL_GRAPH_MIXING_SUPPORT": "0"}
# Strategy -> its modes, and what makes nccl-tests do the same: variables, symmetric registration.
NCCL_WAYS = {
    "nccl-auto": (("graph", "eager"), {}, False),
    "nccl-symmetric": (("graph", "eager"), {}, True),
    "nccl-auto:nomix": (("graph",), NO_MIXING, False),
    "nccl-symmetric:nomix": (("graph",), NO_MIXING, True),
}
DIFFERENCE_PERCENT = 5


def declare(parser) -> None:
    parser.add_argument("--nccl-tests", metavar="COMMAND",
                        help=f"starts nccl-tests' MPI build, one GPU a process: 'mpirun -np {RANKS} .../all_reduce_perf'")
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library, for ringside and nccl-tests alike")


def nccl(ringside: Ringside, record: Record) -> Iterator[Number]:
    """NCCL's rows beside nccl-tests: in graphs with and without graph mixing, and one by one."""
    if not record.options.nccl_tests:
        raise Unusable(f"nccl-tests is needed: --nccl-tests 'mpirun -np {RANKS} .../all_reduce_perf'")
    library = ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []
    document = ringside.probe("--device", "cuda", "--ranks", str(RANKS), "--mode", "graph,eager", "--strategy",
                              ",".join(NCCL_WAYS), "--sizes", ",".join(map(str, NCCL_SIZES)), "--budget", "90", *library)
    facts = document["machine"]["facts"]
    record.note_version("nccl", facts["nccl"])
    tests = NcclTests(record.options.nccl_tests)
    paths = {"LD_LIBRARY_PATH": os.path.dirname(facts["nccl_path"]) + ":" + os.environ.get("LD_LIBRARY_PATH", "")}
    for strategy, (modes, variables, symmetric) in NCCL_WAYS.items():
        for mode in modes:
            ours = {row["params"]["bytes"]: row["time"]["median_ns"] / 1e3 for row in document["rows"]
                    if (row["params"]["strategy"], row["params"]["mode"], row["status"]) == (strategy, mode, "pass")}
            measure = tests.graph_us if mode == "graph" else tests.eager_us
            theirs = measure(NCCL_SIZES, {**paths, **variables}, symmetric)
            yield Number(f"{strategy}, {mode}, sizes that both have a time of", "at least", len(NCCL_SIZES),
                         len(ours.keys() & theirs.keys()), "sizes")
            for size in sorted(ours.keys() & theirs.keys()):
                yield Number(f"{strategy}, {mode}, beside nccl-tests, {size // KIB}K", "at most", DIFFERENCE_PERCENT,
                             100 * abs(ours[size] / theirs[size] - 1), "%",
                             f"{ours[size]:.2f} us, nccl-tests {theirs[size]:.2f} us")
    unpaired = sum(row["to_reference"] is None for row in document["rows"]
                   if row["status"] == "pass" and row["params"]["strategy"] != "nccl-auto")
    yield Number("rows without a ratio to nccl-auto", "at most", 0, unpaired, "rows")


PARTS = {"nccl": nccl}
