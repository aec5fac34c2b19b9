"""trace-init: outcomes on known versions, and how fast trees and logs are read."""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time
from typing import Iterator

from .support import deaths as table
from .support.number import Number
from .support.record import Record
from .support.ringside import Ringside, Unusable

KIMI = ["python", "-m", "sglang.launch_server", "--model-path", "moonshotai/Kimi-K2.5", "--tp", "8",
        "--quantization", "modelopt_fp4", "--moe-runner-backend", "flashinfer_cutlass"]
A2A = ["--moe-a2a-backend", "flashinfer"]
EAGLE3 = ["--speculative-algorithm", "EAGLE3", "--speculative-draft-model-path", "lightseekorg/kimi-k2.5-eagle3"]
CAUSE = "KimiK25ForConditionalGeneration has no get_model_config_for_expert_location"
TWELVE = {
    "BailingMoeForCausalLMNextN", "DeepseekOCRForCausalLM", "DeepseekVL2ForCausalLM", "Glm4vMoeForConditionalGeneration",
    "InternS1ForConditionalGeneration", "InternVLChatModel", "KimiK25ForConditionalGeneration",
    "KimiVLForConditionalGeneration", "PixtralForConditionalGeneration", "Qwen3OmniMoeForConditionalGeneration",
    "Step3p5ForCausalLM", "Step3p5MTP"}
DEEPSEEK = ["python", "-m", "sglang.launch_server", "--model-path", "deepseek-ai/DeepSeek-V3", "--tp", "8"]
DEEPSEEK_VL2 = [*DEEPSEEK[:3], "--model-path", "deepseek-ai/deepseek-vl2", "--tp", "8"]
DEEPEP = ["--moe-a2a-backend", "deepep"]
# On trees named after their commit: what a person finds by reading that version, beyond what the tool was made from.
ELSEWHERE = {
    "f18a8fddd": [([*KIMI, "--ep-size", "8"], "experts-not-divisible"), ([*DEEPSEEK, "--enable-deepep-moe"], "no-failure-found")],
    "065e523d7": [([*DEEPSEEK, *DEEPEP], "no-failure-found"), ([*DEEPSEEK_VL2, *DEEPEP], "expert-location-assert")],
    "613052914": [([*DEEPSEEK, *DEEPEP], "no-failure-found"), ([*DEEPSEEK, *DEEPEP, "--enable-eplb"], "recorder-deepep-mode"),
                  ([*DEEPSEEK_VL2, *DEEPEP], "expert-location-assert")],
    "b58ae7a2a": [([*DEEPSEEK, *DEEPEP], "no-failure-found"), ([*DEEPSEEK_VL2, *DEEPEP], "expert-location-assert")],
    "4caca1ba0": [([*DEEPSEEK, *DEEPEP], "no-failure-found"), ([*DEEPSEEK_VL2, *DEEPEP], "expert-location-assert")],
    "59cce5941": [([*DEEPSEEK, *DEEPEP], "no-failure-found"), ([*DEEPSEEK_VL2, *DEEPEP], "expert-location-assert"),
                  ([*DEEPSEEK, *DEEPEP, "--speculative-algorithm", "NEXTN"], "no-failure-found")],
    "bbe9c7eeb": [([*KIMI, *DEEPEP], "expert-location-assert"), ([*KIMI, *A2A, *EAGLE3], "eagle3-hook-missing")],
    "5fa663348": [([*KIMI, *A2A], "no-failure-found"), ([*KIMI, *EAGLE3], "eagle3-hook-missing")],
    "87dad74b3": [([*KIMI, *A2A], "no-failure-found"), ([*KIMI, *EAGLE3], "no-failure-found")],
    "7c35342c1": [([*KIMI, *A2A], "no-failure-found"), ([*KIMI, *DEEPEP, "--enable-eplb"], "recorder-deepep-mode")],
    "41779d56f": [([*KIMI, *A2A], "flashinfer-a2a-needs-dp-attention"), ([*KIMI, *DEEPEP], "no-failure-found")],
}
# With the binary of 4c4046f, before the readers and signatures of this table were written.
FIRST_SCORE = "first 37 of 89 (19 of them right), 21 follow-ups as the cause"
FIRST_COMMANDS = "first 15 of 27 (SGLang's)"
LOG_BYTES = 100_000_000
TURNS = 5
SYSTEM_PYTHON = {**os.environ, "PATH": "/usr/bin:/bin"}  # a version manager's python3 is a script that starts another


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--tree", type=pathlib.Path, action="append", default=[], metavar="DIR",
                        help="an SGLang source tree (several may be given): outcomes on it, and the time it takes")


def trace(ringside: Ringside, *arguments: str) -> dict:
    result = subprocess.run([ringside.binary, "trace-init", "--json", "-", *arguments], capture_output=True, text=True)
    if result.returncode not in (0, 6):
        raise Unusable(f"trace-init ended with {result.returncode}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def holds(name: str, found: object, wanted: object) -> Number:
    return Number(name, "at least", 1, float(found == wanted), "", f"{found}")


def outcomes_with(ringside: Ringside, which: list[str], place: str) -> Iterator[Number]:
    document = trace(ringside, *which, "--", *KIMI, *A2A)
    frames = [f"{frame['file']}:{frame['line']}" for frame in (document["trace"]["death"] or {"frames": []})["frames"]]
    yield holds(f"{place}: flashinfer all-to-all without speculation", document["trace"]["outcome"], "expert-location-assert")
    yield holds(f"{place}: it ends at", frames[-1:], ["eplb/expert_location_dispatch.py:39"])
    yield holds(f"{place}: through", frames[-2:-1], ["models/deepseek_v2.py:788"])
    causes = [finding["message"] for finding in document["findings"] if finding["kind"] == "root-cause"]
    yield holds(f"{place}: cause", causes, [CAUSE])
    for name, flags, outcome in (("EAGLE3 on the untouched tree", [*A2A, *EAGLE3], "eagle3-hook-missing"),
                                 ("--moe-a2a-backend none", ["--moe-a2a-backend", "none"], "no-failure-found"),
                                 ("--enable-eplb", [*A2A, "--enable-eplb"], "recorder-needs-metadata")):
        yield holds(f"{place}: {name}", trace(ringside, *which, "--", *KIMI, *flags)["trace"]["outcome"], outcome)


def outcomes(ringside: Ringside, _record: Record) -> Iterator[Number]:
    yield from outcomes_with(ringside, ["--sglang", "82a0bafc1"], "82a0bafc1")
    document = trace(ringside, "--sglang", "0.5.10.post1", "--", *KIMI, *A2A)
    yield holds("v0.5.10.post1: flashinfer all-to-all", document["trace"]["outcome"], "no-failure-found")
    yield from classes_with(ringside, ["--sglang", "82a0bafc1"], "82a0bafc1")


def classes_with(ringside: Ringside, which: list[str], place: str) -> Iterator[Number]:
    listing = subprocess.run([ringside.binary, "trace-init", *which, "--all-models"], capture_output=True, text=True, check=True)
    listed = json.loads(subprocess.run([ringside.binary, "trace-init", *which, "--all-models", "--json", "-"],
                                       capture_output=True, text=True, check=True).stdout)["models"]
    found = {item["name"] for item in listed if "will assert" in item["summary"]}
    yield holds(f"{place}: classes that will assert", sorted(found), sorted(TWELVE))
    yield holds(f"{place}: 'will assert' is said once a class", listing.stdout.count("will assert"), len(found))


def trees(ringside: Ringside, record: Record) -> Iterator[Number]:
    for tree in record.options.tree:
        times = []
        for _ in range(TURNS):
            start = time.perf_counter()
            subprocess.run([ringside.binary, "trace-init", "--source", tree, "--all-models"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=SYSTEM_PYTHON)
            times.append(time.perf_counter() - start)
        files = list(tree.glob("python/**/*.py"))
        lines = sum(path.read_bytes().count(b"\n") for path in files)
        yield Number(f"{tree.name}: the whole tree is read", "below", 1.5, min(times), "s",
                     f"{len(files)} files, {lines} lines")
        if (tree / "python/sglang/srt/models/kimi_k25.py").exists() and tree.name.startswith("82a0bafc1"):
            yield from outcomes_with(ringside, ["--source", str(tree)], f"source {tree.name}")
            yield from classes_with(ringside, ["--source", str(tree)], f"source {tree.name}")
        for command, outcome in ELSEWHERE.get(tree.name, []):
            found = trace(ringside, "--source", str(tree), "--", *command)["trace"]["outcome"]
            yield holds(f"source {tree.name}: {' '.join(command[4:])}", found, outcome)


def logs(ringside: Ringside, _record: Record) -> Iterator[Number]:
    """100 MB of ordinary lines with the assert at the end."""
    line = b"[2026-02-20 10:00:00 TP0 EP0] Decode batch, #running-req: 12, #token: 34567, token usage: 0.12, gen throughput (token/s): 512.3\n"
    death = (b"[2026-02-20 10:00:01 TP3 EP3] Scheduler hit an exception: Traceback (most recent call last):\n"
             b'  File "/x/srt/eplb/expert_location_dispatch.py", line 39, in init_new\n'
             b"    assert expert_location_metadata is not None\nAssertionError\n")
    with tempfile.NamedTemporaryFile(suffix=".log") as file:
        block = line * (LOG_BYTES // len(line) // 1000)  # a child's peak counts what its parent held when it was forked
        for _ in range(1000):
            file.write(block)
        file.write(death)
        file.flush()
        times, peaks = [], []
        for _ in range(TURNS):
            start = time.perf_counter()
            process = subprocess.Popen([ringside.binary, "trace-init", "--log", file.name, "--expect", "expert-location-assert"],
                                       stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            times.append(time.perf_counter() - start)
            peaks.append(usage.ru_maxrss / 1024)
            if status != 0:
                raise Unusable("the assert at the end of a 100 MB log was not found")
        yield Number("a log of 100 MB is read", "below", 1, min(times), "s")
        yield Number("memory for a log of 100 MB", "below", 64, max(peaks), "MiB")


def deaths(ringside: Ringside, record: Record) -> Iterator[Number]:
    """The table of logs of launches that died."""
    judged = table.judgements(ringside)
    bad = "; ".join(one.detail for one in judged if not one.good()) or "none amiss"
    share = 100 * sum(one.right or one.named for one in judged) / len(judged)
    right = sum(one.right for one in judged)
    yield Number("deaths: right, or unknown with the true line named", "at least", 90, share, "%",
                 f"{right} of {len(judged)} right; {FIRST_SCORE}; {bad}")
    commands = table.command_outcomes(ringside, {tree.name: tree for tree in record.options.tree})
    wrong = ", ".join(f"{name}: {found}" for name, outcomes, found in commands if found not in outcomes)
    yield Number("deaths: commands answered right", "at least", 90,
                 100 * sum(found in outcomes for _, outcomes, found in commands) / len(commands), "%",
                 f"{len(commands)} commands; {FIRST_COMMANDS}; {wrong or 'none amiss'}")
    yield Number("deaths: a follow-up named as the cause", "at most", 0, sum(one.follow_up for one in judged), "logs")
    yield Number("deaths: wrong and sure", "at most", 0, sum(one.sure for one in judged), "logs")


PARTS = {"outcomes": outcomes, "trees": trees, "logs": logs, "deaths": deaths}
ON_DEMAND: list[str] = []
