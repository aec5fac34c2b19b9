"""The published speeds that the estimate is judged by (tests/data/speculation/measured.tsv)."""

import csv
import dataclasses
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
MEASURED = ROOT / "tests/data/speculation/measured.tsv"


@dataclasses.dataclass(frozen=True)
class Row:
    box: str
    given: bool  # with the task; else found
    source: str
    server: str
    gpu: str
    gpus: int
    model: str
    method: str
    steps: int
    top_k: int
    candidates: int
    batch: int
    context: int
    plain: float  # tokens a second of the whole server
    speculative: float
    acceptance: str  # a length, or a published curve
    slow: bool  # the source says so
    note: str

    @property
    def truth(self) -> float:
        return self.speculative / self.plain

    @property
    def length(self) -> float | None:
        """Tokens a verify pass, where they were measured."""
        return None if self.acceptance.startswith("golden:") else float(self.acceptance)

    @property
    def tree(self) -> bool:
        return self.candidates != self.steps + 1

    @property
    def ordinary(self) -> bool:
        return not self.slow and self.length is not None

    def formula(self) -> float | None:
        """The speed-up by two numbers that know no hardware."""
        return None if self.length is None else 0.74 * self.length / (1 + 0.08 * self.steps)


def lines() -> list[dict[str, str]]:
    text = [line for line in MEASURED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(text, delimiter="\t"))


def judged() -> list[Row]:
    return [Row(line["box"], line["set"] == "given", line["source"], line["server"], line["gpu"], int(line["gpus"]),
                line["model"], line["method"], int(line["steps"]), int(line["top_k"]), int(line["candidates"]),
                int(line["batch"]), int(line["context"]), float(line["plain_tok_s"]), float(line["spec_tok_s"]),
                line["length"], line["slow"] == "yes", line["note"])
            for line in lines() if line["use"] == "yes"]
