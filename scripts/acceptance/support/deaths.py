"""The table of logs of launches that died (tests/data/trace/deaths): what trace-init answers, judged.

A row of answers.tsv: name (its log is NAME.log), outcomes that are right, lines of the log that are the first of the death,
its ranks, its process, words that the answer must hold, words of follow-ups that must not be named as the death, the kind of
death, and the public report that it was rebuilt from, line by line and shortened ("-": composed). Several are separated by ";".
"""

import dataclasses
import json
import pathlib
import subprocess
import tempfile

from .ringside import Ringside, Unusable

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "tests/data/trace/deaths"
HONEST = ("unknown", "unknown-death")  # an outcome that claims no cause
ALIVE = ("no-failure-found", "unknown")


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    outcomes: tuple[str, ...]
    lines: tuple[int, ...]
    ranks: tuple[int, ...]
    process: str
    words: tuple[str, ...]
    never: tuple[str, ...]
    kind: str
    source: str

    def path(self) -> pathlib.Path:
        return FOLDER / f"{self.name}.log"


@dataclasses.dataclass(frozen=True)
class Judgement:
    right: bool
    named: bool  # unknown, but the true line is named
    follow_up: bool  # a follow-up is named as the death
    sure: bool  # wrong, and told as if it were known
    detail: str

    def good(self) -> bool:
        return (self.right or self.named) and not self.follow_up and not self.sure


def _parts(text: str, separator: str = ";") -> tuple[str, ...]:
    return () if text == "-" else tuple(part.strip() for part in text.split(separator))


def rows(name: str) -> list[list[str]]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def cases() -> list[Case]:
    return [Case(name, _parts(outcomes), tuple(map(int, _parts(lines))), tuple(map(int, _parts(ranks, ","))), process,
                 _parts(words), _parts(never), kind, source)
            for name, outcomes, lines, ranks, process, words, never, kind, source in rows("answers.tsv")]


def numbers(ranks: str) -> set[int]:
    """Of a text such as "0,3-5"."""
    found = set()
    for part in filter(None, ranks.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def judge(case: Case, document: dict) -> Judgement:
    trace = document["trace"]
    outcome = {"pass": "no-failure-found"}.get(trace["outcome"], trace["outcome"])
    death = trace["death"] or {"error": "", "message": "", "ranks": ""}
    named = f"{death['error']}: {death['message']}"
    told = "\n".join([named, trace["summary"], *(text for finding in document["findings"]
                                                 for text in (finding["message"], *finding["evidence"]))])
    line = death.get("log_line") or 0
    missing = [word for word in case.words if word not in told]
    wrong = ([f"not told: {missing}"] if missing else []) + \
            ([f"line {line}, not {case.lines}"] if line and case.lines and line not in case.lines else []) + \
            ([f"ranks '{death['ranks']}', not {case.ranks}"] if not set(case.ranks) <= numbers(death["ranks"]) else [])
    follow_up = any(words in named for words in case.never)
    expected = outcome in case.outcomes
    honest = outcome == "unknown-death" and not set(case.outcomes) <= set(ALIVE)
    return Judgement(expected and not wrong, honest and not wrong, follow_up, not expected and outcome not in HONEST,
                     f"{case.name}: {outcome}, {'; '.join(wrong) or 'as in the log'}{', a follow-up' if follow_up else ''}")


def document(ringside: Ringside, *arguments: str) -> dict:
    result = subprocess.run([ringside.binary, "trace-init", "--json", "-", *arguments], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 6, 7):
        raise Unusable(f"trace-init ended with {result.returncode}: {result.stderr.strip()}")
    return json.loads(result.stdout)


def command_outcomes(ringside: Ringside, trees: dict[str, pathlib.Path]) -> list[tuple[str, tuple[str, ...], str]]:
    """Name, right outcomes and outcome of each command whose version is built in or whose tree is given by its commit."""
    found = []
    for name, server, outcomes, command in rows("commands.tsv"):
        kind, version = server.split()
        if kind == "sglang":
            which = ("--sglang", version)
        elif version in trees:
            which = ("--server", kind, "--source", str(trees[version]))
        else:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as script:
            script.write(command + "\n")
            script.flush()
            outcome = document(ringside, *which, "--command-file", script.name)["trace"]["outcome"]
        found.append((name, _parts(outcomes), {"pass": "no-failure-found"}.get(outcome, outcome)))
    return found


def judgements(ringside: Ringside) -> list[Judgement]:
    return [judge(case, document(ringside, "--log", str(case.path()))) for case in cases()]
