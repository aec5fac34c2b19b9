"""Plain decoding beside measured servers: how far the modelled time of a token is off where nothing is observed."""

import collections
import pathlib
import statistics
from typing import Callable, Iterator

from ..support.number import Number
from ..support.record import Record
from ..support.ringside import Ringside, Unusable
from .question import Asking, shared
from .silicon_rows import Clone, Sample, model_files, select

LEAST_OF_A_KIND = 5


def declare(parser) -> None:
    parser.add_argument("--aiconfigurator", type=pathlib.Path, metavar="FOLDER",
                        help="a clone of github.com/ai-dynamo/aiconfigurator, bare or not, for measured servers")


def question(asking: Asking, clone: Clone, item: Sample) -> tuple[str, ...]:
    files = model_files(clone, asking.folder, item.model, item.precision)
    experts = ("--ep", str(item.ep)) if item.ep > 1 else ()
    return ("--from-config", str(files), "--gpu", item.gpu, "--tp", str(item.tp), *experts, "--server",
            f"{item.backend}@{item.date}", "--batch", str(item.batch), "--context", str(item.isl + item.osl // 2))


class Judged:
    """A measured row beside the modelled time of a token, ms."""

    def __init__(self, item: Sample, speed: dict):
        per_token = 1e3 * item.batch
        self.item = item
        self.measured = item.tpot_ms
        self.median, self.low, self.high = (per_token / speed[key] for key in ("median", "high", "low"))

    def ratio(self, shift: float = 0) -> float:
        return self.measured / max(1e-3, self.median + shift)

    def inside(self, shift: float = 0) -> bool:
        return self.low + shift <= self.measured <= self.high + shift


def without_its_gpu(rows: list[Judged]) -> Callable[[Judged], float]:
    """What is to be added to a row's modelled time so that its fixed part is that of the other types of GPU: the median of what
    their rows of the same software, half year and kind of layers are off by."""
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row.item.kind].append(row)

    def shift(row: Judged) -> float:
        for others in (kinds[row.item.kind], [r for r in rows if r.item.kind[2] == row.item.kind[2]]):
            off = [r.measured - r.median for r in others if r.item.gpu != row.item.gpu and r.item.batch <= 16]
            if len(off) >= LEAST_OF_A_KIND:
                return statistics.median(off)
        return 0.0

    return shift


def near(ratios: list[float]) -> float:
    return sum(0.75 <= ratio <= 1.6 for ratio in ratios) / max(1, len(ratios))


def judged_by(rows: list[Judged], shift: Callable[[Judged], float], name: str) -> Iterator[Number]:
    ratios = sorted(row.ratio(shift(row)) for row in rows)
    middle = statistics.median(ratios) if ratios else 0.0
    by_gpu = collections.defaultdict(list)
    for row in rows:
        by_gpu[row.item.gpu].append(row.ratio(shift(row)))
    detail = ", ".join(f"{gpu} {statistics.median(of):.2f}, {100 * near(of):.0f} % within of {len(of)}"
                       for gpu, of in sorted(by_gpu.items()))
    yield Number(f"{name}: measured by modelled, median", "at least", 0.9, middle, "", detail)
    yield Number(f"{name}: measured by modelled, median, not above", "at most", 1.15, middle, "")
    yield Number(f"{name}: within 0.75 to 1.6", "at least", 90, 100 * near(ratios), "%")
    yield Number(f"{name}: inside the stated interval", "at least", 90,
                 100 * sum(row.inside(shift(row)) for row in rows) / max(1, len(rows)), "%")


def silicon(ringside: Ringside, record: Record) -> Iterator[Number]:
    """Measured servers of several models and types of GPU, nothing observed."""
    try:
        clone = Clone(record.options.aiconfigurator)
        samples, left_out = select(clone)
    except Unusable as error:
        yield Number("rows of measured servers", "at least", 300, 0, "rows", str(error))
        return
    record.note_version("aiconfigurator", clone.commit())
    yield Number("rows of measured servers", "at least", 300, len(samples), "rows",
                 "left out: " + ", ".join(f"{text} {count}" for text, count in left_out.most_common()))
    yield Number("their models", "at least", 8, len({item.model for item in samples}), "models")
    yield Number("their types of GPU", "at least", 6, len({item.gpu for item in samples}), "types")
    asking = shared(ringside)
    questions = [question(asking, clone, item) for item in samples]
    asking.all(questions)
    answers = [asking.estimate(words) for words in questions]
    rows = [Judged(item, answer["plain_tokens_s"]) for item, answer in zip(samples, answers) if answer and answer["plain_tokens_s"]]
    problems = collections.Counter(asking.problem(words) for words, answer in zip(questions, answers) if not answer)
    yield Number("rows without a modelled speed", "at most", 0, len(samples) - len(rows), "rows",
                 "; ".join(f"{count}: {text}" for text, count in problems.most_common(4)))
    write(record.options.table, rows)
    yield from judged_by(rows, lambda row: 0.0, "measured servers")
    yield from judged_by(rows, without_its_gpu(rows), "measured servers, fixed times without their type of GPU")


def write(path: pathlib.Path | None, rows: list[Judged]) -> None:
    """Each row, to see which fail."""
    if path:
        lines = [f"{r.item.model}\t{r.item.precision}\t{r.item.gpu}\t{r.item.backend}\t{r.item.date}\ttp{r.item.tp}\tep{r.item.ep}\t"
                 f"b{r.item.batch}\t{r.item.isl}+{r.item.osl}\t{r.measured:.2f}\t{r.median:.2f}\t{r.low:.2f}\t{r.high:.2f}\t"
                 f"{r.ratio():.2f}\n" for r in rows]
        path.with_suffix(".silicon.tsv").write_text("".join(lines), encoding="utf-8")


PARTS = {"silicon": silicon}
