"""Published times beside measured ones, and machines of the model device beside what they were fitted to."""

import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import tomllib
from typing import Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside, run

ROOT = pathlib.Path(__file__).resolve().parents[3]
SWEEP = ROOT / "docs/results/2026-11-30-h200x2/allreduce-small.json"
PUBLISHED = ROOT / "scenarios/published/allreduce.toml"
SIZES = "2K:16M:x2"
FORMATS = ("text", "md", "html")


def tables() -> dict:
    return tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))


def times_ns(gpu: str, gpus: int, library: str) -> dict[int, float]:
    """Bytes -> time."""
    for table in tables()["table"]:
        if (table["gpu"], table["gpus"], table["library"]) == (gpu, gpus, library):
            return {table["first"] << step: 1e3 * us for step, us in enumerate(table["us"])}
    return {}


def gpus_here() -> list[str]:
    if shutil.which("nvidia-smi") is None:
        return []
    answer = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True,
                            check=False)
    return answer.stdout.strip().splitlines() if answer.returncode == 0 else []


def published(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """The line in each format for people, of a recorded sweep beside the published times; on two GPUs or more a sweep of
    this box."""
    document = json.loads(SWEEP.read_text(encoding="utf-8"))
    theirs = times_ns("H200", 2, "NCCL")
    points = [{"bytes": row["params"]["bytes"], "published_ns": theirs[row["params"]["bytes"]], "interpolated": False,
               "here_ns": row["time"]["median_ns"]}
              for row in document["rows"] if row["status"] == "pass" and row["params"]["strategy"] == "nccl-auto"]
    document["published"] = [{"gpu": "H200", "gpus": 2, "library": "NCCL", "version": "2.29.2", "version_here": "2.28.9",
                              "source": "AIConfigurator", "strategy": "nccl-auto", "dtype": "bf16", "mode": "graph",
                              "points": points}]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "result.json")
        path.write_text(json.dumps(document), encoding="utf-8")
        texts = {"text": run([ringside.binary, "report", path]).stdout}
        for name in FORMATS[1:]:
            texts[name] = run([ringside.binary, "report", path, "--quiet", f"--{name}", "-"]).stdout
    shown = [name for name, text in texts.items() if "published for 2 x H200" in re.sub(r"\s+", " ", text)]
    yield Number("formats that show a recorded sweep beside published times", "at least", len(FORMATS), len(shown), "formats",
                 ", ".join(shown))
    names = gpus_here()
    if len(names) < 2:
        return
    found = ringside.probe("--device", "cuda", "--ranks", str(len(names)), "--mode", "graph", "--strategy", "nccl-auto",
                           "--sizes", "16K,1M", "--launches", "1", "--budget", "20")["published"]
    known = next((gpu["name"] for gpu in tables()["gpu"] if set(names) <= set(gpu["driver_names"])), "")
    theirs = times_ns(known, len(names), "NCCL")
    yield Number(f"sizes beside published times on {len(names)} x {names[0]}", "at least", 2 if theirs else 0,
                 sum(len(comparison["points"]) for comparison in found), "sizes")
    for comparison in found:
        for point in comparison["points"]:
            yield Number(f"a published time as this box shows it, {point['bytes']} bytes", "at most", 0,
                         abs(point["published_ns"] - theirs[point["bytes"]]), "ns", f"here {point['ratio']:.3g} times as long")


def modelled(ringside: Ringside, machine: str, ranks: int) -> dict:
    return ringside.probe("--device", "model", "--machine", machine, "--ranks", str(ranks), "--mode", "graph", "--sizes", SIZES)


def rows(document: dict) -> dict[str, dict[int, dict]]:
    found: dict[str, dict[int, dict]] = {}
    for row in document["rows"]:
        if row["status"] == "pass":
            found.setdefault(row["params"]["strategy"], {})[row["params"]["bytes"]] = row
    return found


def errors(model: dict[int, dict], truth: dict[int, float]) -> list[float]:
    return [100 * abs(row["time"]["median_ns"] / truth[size] - 1) for size, row in model.items() if size in truth]


def truth_of(source: str, strategy: str, ranks: int) -> dict[int, float]:
    """What an estimate was fitted to: a sweep in docs/results, or published times."""
    if source.startswith("docs/results/"):
        document = json.loads((ROOT / source).read_text(encoding="utf-8"))
        return {row["params"]["bytes"]: row["time"]["median_ns"] for row in document["rows"]
                if row["status"] == "pass" and (row["params"]["strategy"], row["params"]["mode"]) == (strategy, "graph")}
    library, gpu = re.match(r"(\S+) .* on (.*) \(published, ", source).groups()
    return times_ns(gpu, ranks, library)


def machines(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """Each shipped machine says in its output what it was fitted to; its errors are calculated again."""
    names = json.loads(run([ringside.binary, "list", "machines", "--json", "-"]).stdout)["machines"]
    silent, differing = [], []
    for machine in names:
        document = modelled(ringside, machine["name"], int(machine["ranks"]))
        found, fit = rows(document), document["machine"]["facts"].get("fit", "")
        if not fit:
            silent.append(machine["name"])
        for group in re.finditer(r"(?:^|; )(?P<names>[^;]*?) to (?P<to>[^;]*?): (?P<median>\d+) % off in the middle, "
                                 r"(?P<worst>\d+) % at most", fit):
            strategies = group["names"].split(", ")
            if group["names"].endswith("estimates"):
                strategies = [name for name in found if truth_of(group["to"], name, int(machine["ranks"]))]
            of = {name: errors(found[name], truth_of(group["to"], name, int(machine["ranks"]))) for name in strategies}
            worst = max(of, key=lambda name: max(of[name]))
            yield Number(f"{machine['name']}: off at most, beside what it says", "at most", int(group["worst"]) + 0.6,
                         max(of[worst]), "%", f"{worst}, of {len(of)} fitted to {group['to']}")
            yield Number(f"{machine['name']}: off in the middle, beside what it says", "at most", int(group["median"]) + 0.6,
                         max(statistics.median(values) for values in of.values()), "%")
        for size, row in found.get("custom", {}).items():
            if row["ran"] is None or row["time"] != found[row["ran"]][size]["time"]:
                differing.append(f"{machine['name']} {size}")
    yield Number("machines that do not say how they were fitted", "at most", 0, len(silent), "machines", ", ".join(silent))
    yield Number("modelled custom that is not the kernel its table takes", "at most", 0, len(differing), "rows",
                 ", ".join(differing[:5]))


PARTS = {"published": published, "machines": machines}
