"""Plain decoding as measured on whole servers: rows of AIConfigurator's silicon_sample.csv (Apache License 2.0), read from a
clone of github.com/ai-dynamo/aiconfigurator. Nothing of it is kept here."""

import collections
import csv
import dataclasses
import io
import json
import pathlib
import re
import statistics
import subprocess

from ..support.ringside import Unusable

COMMIT = "095f58a51c4ca8e61b66ec108d86f223f8d559ce"  # that these rules were written for
FOLDER = "aic-core/src/aiconfigurator_core"
FP8_BLOCK = {"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["lm_head"]}
NVFP4 = {"quantization": {"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "group_size": 16, "exclude_modules": ["lm_head"]}}
# (model, precision) -> file of model_configs; what is changed in it.
CONFIGS = {
    ("openai/gpt-oss-120b", "fp4"): "openai--gpt-oss-120b",
    ("meta-llama/Llama-3.1-70B", "fp8"): "nvidia--Llama-3.1-70B-Instruct-FP8",
    ("meta-llama/Llama-3.1-70B", "fp4"): "meta-llama--Meta-Llama-3.1-70B",
    ("meta-llama/Llama-3.1-8B-Instruct", ""): "meta-llama--Meta-Llama-3.1-8B",
    ("MiniMaxAI/MiniMax-M2.5", "fp8"): "MiniMaxAI--MiniMax-M2.5",
    ("MiniMaxAI/MiniMax-M2.5", "fp4"): "nvidia--MiniMax-M2.5-NVFP4",
    ("Qwen/Qwen3.5-397B-A17B", "fp8"): "Qwen--Qwen3.5-397B-A17B",
    ("Qwen/Qwen3.5-397B-A17B", "bf16"): "Qwen--Qwen3.5-397B-A17B",
    ("Qwen/Qwen3.5-397B-A17B", "fp4"): "nvidia--Qwen3.5-397B-A17B-NVFP4",
    ("deepseek-ai/DeepSeek-R1", "fp8"): "deepseek-ai--DeepSeek-R1",
    ("deepseek-ai/DeepSeek-R1", "fp4"): "nvidia--DeepSeek-V3.1-NVFP4",
    ("deepseek-ai/DeepSeek-V3", "fp8"): "deepseek-ai--DeepSeek-V3",
    ("deepseek-ai/DeepSeek-V3", "fp4"): "nvidia--DeepSeek-V3.1-NVFP4",
    ("moonshotai/Kimi-K2.5", "int4"): "moonshotai--Kimi-K2.5",
    ("moonshotai/Kimi-K2.5", "fp4"): "nvidia--Kimi-K2.5-NVFP4",
    ("zhipuai/GLM-5", "fp8"): "zai-org--GLM-5-FP8",
    ("zhipuai/GLM-5", "fp4"): "nvidia--GLM-5-NVFP4",
    ("Qwen/Qwen3-235B-A22B-FP8", "fp8"): "Qwen--Qwen3-235B-A22B-FP8",
    ("Qwen/Qwen3-32B", ""): "Qwen--Qwen3-32B",
    ("Qwen/Qwen3-32B", "fp8"): "Qwen--Qwen3-32B-FP8-Static-PerTensor",
}
DENSE = ("meta-llama", "Qwen/Qwen3-32B")
WITH_MTP = ("deepseek-ai", "Qwen/Qwen3.5", "zhipuai")
# Versions whose rows have no date.
DATES = {("trtllm", "1.0.0rc3"): "2025-07", ("sglang", "0.5.1.post1"): "2025-08", ("vllm", "0.12.0"): "2025-12",
         ("sglang", "0.5.6.post2"): "2025-12", ("sglang", "0.5.8.post1"): "2026-02", ("sglang", "0.5.9"): "2026-03",
         ("sglang", "nightly-dev"): "2026-03", ("vllm", "0.15.1"): "2026-02", ("vllm", "0.16.0"): "2026-03",
         ("vllm", "0.17.0"): "2026-03"}


@dataclasses.dataclass(frozen=True)
class Sample:
    model: str
    precision: str
    gpu: str
    backend: str
    date: str  # year and month
    tp: int
    ep: int
    batch: int
    isl: int
    osl: int
    tpot_ms: float
    series: str  # a sweep over batches by one configuration

    @property
    def place(self) -> tuple:
        return (self.model, self.precision, self.gpu, self.backend, self.tp, self.ep, self.isl, self.osl)

    @property
    def kind(self) -> tuple[str, str, bool]:
        """What fixed times go by: software, half year, simple layers."""
        half = f"{self.date[:4]} H{1 if self.date[5:7] <= '06' else 2}"
        return self.backend, half, self.model.startswith(DENSE)


class Clone:
    """A clone, bare or not."""

    def __init__(self, path: pathlib.Path | None):
        if path is None:
            raise Unusable("a clone of github.com/ai-dynamo/aiconfigurator is needed: --aiconfigurator FOLDER")
        self._path = path

    def git(self, *arguments: str) -> str:
        result = subprocess.run(["git", "-C", self._path, *arguments], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Unusable(f"{self._path}: {result.stderr.strip()}")
        return result.stdout

    def commit(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def read(self, path: str) -> str:
        return self.git("show", f"HEAD:{FOLDER}/{path}")

    def has(self, path: str) -> bool:
        return bool(self.git("ls-tree", "HEAD", f"{FOLDER}/{path}"))


def sample(line: dict[str, str], left_out: collections.Counter) -> Sample | None:
    """None, and why in `left_out`, for a row that is not taken."""
    decode = "" if line["mode"] == "agg" else "decode_"

    def number(key: str) -> int:
        return int(float(line[decode + key] or 0))

    isl, osl, batch = int(line["isl"]), int(line["osl"]), number("batch_size")
    dp, tp, ep = max(1, number("attention_dp_size")), number("tp_size"), max(1, number("moe_ep_size"))
    dated = re.search(r"measured=([0-9]{4}-[0-9]{2})", line["silicon_data_source"])
    date = dated[1] if dated else DATES.get((line["backend"], line["backend_version"]), "")
    reasons = {"more than 2,048 tokens in, or fewer than 512 out": isl > 2048 or osl < 512,
               "batch of the decoding server not told": not batch,
               "batch above 64": batch > 64,
               "DP attention": dp > 1,
               "more than 8 GPUs": tp * dp > 8,
               "precision without a model's file": (line["model_path"], line["precision"]) not in CONFIGS,
               "date of the software not known": not date}
    reason = next((text for text, holds in reasons.items() if holds), None)
    if reason:
        left_out[reason] += 1
        return None
    found = re.search(r"cfg\d+", line["id"])
    series = found[0] if found else line["silicon_data_source"].split(";")[0] + (dated[0] if dated else "")
    return Sample(line["model_path"], line["precision"], line["system"], line["backend"], date, tp, ep, batch, isl, osl,
                  float(line["silicon_tpot_ms"]), series)


def speculating(samples: list[Sample]) -> set[tuple]:
    """Sweeps that look like speculation, which the file does not mark: of a model with MTP layers, and at the same places by a
    fifth or more faster than another sweep."""
    sweeps = collections.defaultdict(lambda: collections.defaultdict(dict))
    for item in samples:
        if item.model.startswith(WITH_MTP):
            sweeps[item.place][item.series][item.batch] = item.tpot_ms
    found = set()
    for place, of in sweeps.items():
        for series, times in of.items():
            for other in of.values():
                shared = times.keys() & other.keys()
                if shared and statistics.median(times[b] / other[b] for b in shared) < 0.8:
                    found.add((place[0], place[2], place[3], series))
    return found


def select(clone: Clone) -> tuple[list[Sample], collections.Counter]:
    """The rows to judge by, and how many were left out why."""
    left_out: collections.Counter = collections.Counter()
    lines = csv.DictReader(io.StringIO(clone.read("systems/silicon_sample.csv")))
    taken = [item for line in lines if (item := sample(line, left_out))]
    suspects = speculating(taken)
    once: dict[tuple, Sample] = {}
    for item in taken:
        if (item.model, item.gpu, item.backend, item.series) in suspects:
            left_out["looks like speculation"] += 1
        elif (key := (*item.place, item.batch, round(item.tpot_ms, 3))) in once:
            left_out["recorded twice"] += 1
        else:
            once[key] = item
    return list(once.values()), left_out


def model_files(clone: Clone, folder: pathlib.Path, model: str, precision: str) -> pathlib.Path:
    """A folder with the model's config.json and its quantisation's description."""
    path = folder / f"{model.replace('/', '--')}-{precision or 'bf16'}"
    if path.exists():
        return path
    name = f"model_configs/{CONFIGS[model, precision]}"
    config = json.loads(clone.read(f"{name}_config.json"))
    if (model, precision) == ("Qwen/Qwen3.5-397B-A17B", "fp8"):
        config["quantization_config"] = FP8_BLOCK
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if clone.has(f"{name}_hf_quant_config.json"):
        (path / "hf_quant_config.json").write_text(clone.read(f"{name}_hf_quant_config.json"), encoding="utf-8")
    elif precision == "fp4" and name.endswith("Meta-Llama-3.1-70B"):
        (path / "hf_quant_config.json").write_text(json.dumps(NVFP4), encoding="utf-8")
    return path
