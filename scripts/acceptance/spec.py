"""run-spec: its arithmetic, its answers beside published speeds and measured servers, server logs, bad input, the replay of
steps, and fitted machines."""

import json
import pathlib
import subprocess
import tempfile
import time
from typing import Iterator

from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable, run
from .spec_parts import configs, measured, silicon, speed

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ["ringside", "ringside_unit"]
SWEEP = ROOT / "docs" / "results" / "2026-11-30-h200x2" / "allreduce-14-sizes.json"
ANSWERS = 21
SGLANG = ["Decode batch. #running-req: 1, #token: 108, token usage: 0.00, accept len: 2.40, gen throughput (token/s): "
          "140.25, #queue-req: 0",
          "[2026-01-05 09:30:00 TP0] Decode batch. #running-req: 1, #token: 96, token usage: 0.01, accept len: 2.40, "
          "accept rate: 0.46, cuda graph: True, gen throughput (token/s): 140.25, #queue-req: 0, "]
VLLM = ["(APIServer pid=7) INFO 02-01 12:00:10 [loggers.py:271] Engine 000: Avg prompt throughput: 1.0 tokens/s, Avg "
        "generation throughput: 140.25 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.4%\n"
        "(APIServer pid=7) INFO 02-01 12:00:10 [metrics.py:101] SpecDecoding metrics: Mean acceptance length: 2.40, "
        "Accepted throughput: 71.20 tokens/s, Drafted throughput: 147.00 tokens/s, Accepted: 712 tokens, Drafted: 1470 "
        "tokens, Per-position acceptance rate: 0.700, 0.450, 0.250, Avg Draft acceptance rate: 46.7%"]
BAD = [["--set", "speculation.batch=0"], ["--set", "speculation.batch=-1"], ["--set", "model.hidden=-7168"],
       ["--set", "speculation.draft_tokens=0"], ["--set", "acceptance.length=0.5"], ["--set", "acceptance.rate=2"],
       ["--set", "parallel.ep=7"], ["--set", "speculation.batch=999999", "--set", "model.hidden=999999"],
       ["--set", "parallel.ep=16"], ["--set", "speculation.draft_tokens=1"], ["--set", "acceptance.rates=[]"], ["--compute", "100"],
       ["--set", "observed.plain_tokens_s=-89"], ["--set", "model.layers=nan"], ["--set", "speculation.drafts=3"],
       ["--machine", "rtx-pro-9000"], ["no-such-scenario"], ["--from-log", "/dev/null"], ["--from-config", "/dev/null"]]


def declare(parser) -> None:
    parser.add_argument("--device", default="host", help="where steps are replayed: host or cuda (default: %(default)s)")
    parser.add_argument("--nccl-lib", metavar="FILE", help="the NCCL library")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="where what was predicted of each row is written")
    silicon.declare(parser)


def answer(ringside: Ringside, *arguments: str) -> dict:
    return json.loads(run([ringside.binary, "run-spec", "--device", "model", "--quiet", "--json", "-", *arguments]).stdout)


def arithmetic(ringside: Ringside, _record: Record) -> Iterator[Number]:
    unit = ringside.binary.with_name("ringside_unit")
    if not unit.exists():
        raise Unusable(f"no unit tests in {unit.parent}")
    files = sorted((ROOT / "tests" / "unit" / "spec").glob("*_test.cpp"))
    names = [line.split('"')[1] for path in files for line in path.read_text(encoding="utf-8").splitlines()
             if line.startswith("TEST_CASE(")]
    failed = [name for name in names
              if subprocess.run([unit, name.replace(",", "\\,")], capture_output=True, check=False).returncode != 0]
    yield Number("tests of the arithmetic from first principles that fail", "at most", 0, len(failed), "tests",
                 f"of {len(names)}" + "".join(f"; {name}" for name in failed))


def story(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """What was reported comes first and decides: 54 tok/s with speculation, 89 without."""
    estimate = answer(ringside)["spec"]["estimate"]
    pair = estimate["measured"][0]
    ratio = pair["ratio"]
    yield Number("the reported speeds stand in the answer, off by", "at most", 0,
                 abs(pair["speculative_tokens_s"] - 54) + abs(pair["plain_tokens_s"] - 89), "tok/s")
    yield Number("the reported ratio inside its own interval", "at least", 1, int(ratio["low"] <= 54 / 89 <= ratio["high"]), "",
                 f"{ratio['median']:.2f}, {ratio['low']:.2f} to {ratio['high']:.2f}")
    yield Number("verdicts that contradict it", "at most", 0, int(estimate["verdict"] != "loses"), "", estimate["decision"])


def answer_time(ringside: Ringside, _record: Record) -> Iterator[Number]:
    times = []
    for _ in range(ANSWERS):
        start = time.perf_counter()
        run([ringside.binary, "run-spec", "--device", "model"])
        times.append((time.perf_counter() - start) * 1e3)
    yield Number("run-spec on the model device", "below", 50, sorted(times)[ANSWERS // 2], "ms",
                 f"median of {ANSWERS}, starting the process included")


def logs(ringside: Ringside, _record: Record) -> Iterator[Number]:
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate([*SGLANG, *VLLM]):
            path = pathlib.Path(folder, f"server-{number}.log")
            path.write_text(text + "\n", encoding="utf-8")
            seen = [(one["length"], one["tokens_s"]) for one in
                    answer(ringside, "--from-log", str(path))["spec"]["estimate"]["observations"] if one["speculative"]]
            if len(seen) != 1 or abs((seen[0][0] or 0) - 2.4) > 1e-9 or seen[0][1] != 140.25:
                wrong.append(f"log {number}: {seen}")
    yield Number("server logs read wrong (SGLang twice, vLLM)", "at most", 0, len(wrong), "logs", "; ".join(wrong))


def bad_input(ringside: Ringside, _record: Record) -> Iterator[Number]:
    wrong = []
    for arguments in BAD:
        result = subprocess.run([ringside.binary, "run-spec", "--device", "model", *arguments], capture_output=True,
                                text=True, check=False)
        if result.returncode != 2 or result.stderr.count("\n") != 1 or result.stdout:
            wrong.append(" ".join(arguments))
    yield Number("bad input without one clear line and exit 2", "at most", 0, len(wrong), "of "
                 f"{len(BAD)}", "; ".join(wrong))


def library(record: Record) -> list[str]:
    return ["--nccl-lib", record.options.nccl_lib] if record.options.nccl_lib else []


def replay(ringside: Ringside, record: Record) -> Iterator[Number]:
    """The whole preset, with idle time between the calls, and its steps beside the rows of probe-comm."""
    device = record.options.device
    start = time.perf_counter()
    document = json.loads(run([ringside.binary, "run-spec", "--device", device, "--ranks", "2", "--compute", "50", "--skew",
                               "5", "--quiet", "--json", "-", *library(record)]).stdout)
    yield Number(f"the Kimi preset replayed on two ranks ({device})", "below", 60, time.perf_counter() - start, "s")
    replays = document["spec"]["replays"]
    exposed = [r["exposed_ns"] for r in replays if r["exposed_ns"] is not None]
    yield Number(f"least exposed communication ({device})", "at least", 0, min(exposed) / 1e3, "us", f"{len(exposed)} steps")
    if device == "cuda":  # on a host whatever else runs there takes a core away for longer than a step
        yield from steps_beside_rows(ringside, record, document)


def steps_beside_rows(ringside: Ringside, record: Record, document: dict) -> Iterator[Number]:
    """A verify pass without compute, against as many calls of probe-comm's row in a run of its own."""
    device = record.options.device
    mode = "graph" if device == "cuda" else "eager"
    bytes_ = document["spec"]["verify_message_bytes"]
    probe = ringside.probe("--device", device, "--ranks", "2", "--mode", mode, "--sizes", str(bytes_), "--budget", "15",
                           *library(record))
    rows = {row["params"]["strategy"]: row["time"]["median_ns"] for row in probe["rows"] if row["status"] == "pass"}
    for step in document["spec"]["replays"]:
        known = step["candidate"] in rows and step["step"] == "verify" and step["mode"] == mode and step["alone_ns"] is None
        if not known:
            continue
        expected = step["calls"] * rows[step["candidate"]]
        yield Number(f"a replayed step beside {step['calls']} x probe-comm, {step['candidate']} ({device}, {mode})", "at most",
                     3, 100 * abs(step["median_ns"] / expected - 1), "%",
                     f"{step['median_ns'] / 1e3:.1f} us, {expected / 1e3:.1f} us")


def fitted(ringside: Ringside, _record: Record) -> Iterator[Number]:
    with tempfile.TemporaryDirectory() as folder:
        output = run([ringside.binary, "probe-comm", "--fit", SWEEP, "-o", f"{folder}/profile.toml"]).stdout
    for line in output.splitlines():
        strategy, _collective, mode, sizes, _word, error = line.split()[:6]
        yield Number(f"fitted on half of {sizes} sizes of a sweep on 2 x H200, {strategy} ({mode})", "at most", 15,
                     float(error), "%", "median error at the other half")


PARTS = {"arithmetic": arithmetic, "story": story, "time": answer_time, "logs": logs, "bad-input": bad_input,
         "fit": fitted, "replay": replay, **measured.PARTS, **silicon.PARTS,
         **configs.PARTS, **speed.PARTS}
ON_DEMAND = []
