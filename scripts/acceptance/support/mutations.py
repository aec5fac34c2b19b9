"""Documents as somebody hostile, or a broken disk, would hand them over: seeded, from the documents of this repository."""

import copy
import json
import pathlib
import random
from typing import Iterable, Iterator

# What each destination would take for more than text.
HOSTILE = [
    "\x1b[2J\x1b[31mred\x1b[0m", "\x9b31mred", "a\x07b\x00c\x7f", "\u009b2J\u0085next", "\u202eevil\u2066x\u2069\u200f\u061c",
    "two\u2028lines\u2029here", "::error title=x::y", "\n::stop-commands::z\n", "  ::warning::w", "\u00a0::error::x", "\u3000\u2003\ufeff::warning::y",
    "##[error]boom", "a##[group]b",
    "```\n# out of the fence\n", "`````", "@everyone", "mail me@example.org", "[link](https://evil.example/)",
    "![image](http://evil.example/x.png)", "https://evil.example/path", "www.evil.example", "<https://evil.example>", "#123 org/repo#45",
    "<script>alert(1)</script>", "</script><script>alert(2)</script>", "\"><img src=x onerror=alert(3)>", "' onmouseover='x",
    "<!-- comment", "]]>&amp;<![CDATA[", "&lt;b&gt;&#60;", "a | b | c", "\\| \\`", "* item\n# heading\n", "=1+1", "+1", "-2+3", "@SUM(A1)",
    "\t=1+1", "\r=cmd|'/c calc'!A0", "=HYPERLINK(\"http://evil.example\")", "a,b;c\"d\"\r\ne", "%0A::error::x", "\ufffe\uffff\ufeff",
    "", " ", "x" * 5000, "\n" * 50, "{{body}}", "{} {0} %s %n", "../../etc/passwd", "nan", "-1", "\U0001f600", "\u0301" * 20, "null",
]
NUMBERS = [0, -1, 1, 2, 0.0, -0.0, 1e-300, 1e300, -1e300, 1e18, 2**31 - 1, 2**31, 2**48, 2**48 + 1, 2**53, 2**63, 2**64, 3.6e12,
           3.6e12 + 1, 0.5, -5, 1024, 1025, None]
OTHERS = [None, True, [], {}, "text", 7, [[]], [{}], {"a": 1}, -3.5]


def seeds(root: pathlib.Path) -> list[dict]:
    """Small documents of all kinds: of the tests, and slices of recorded results."""
    paths = [*sorted((root / "tests/data/documents").glob("*.json")), root / "tests/data/golden/model/full.json",
             root / "tests/data/fuzz/document/sweep.json"]
    found = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    folder = root / "docs/results/2026-11-30-h200x2"
    for name, step in (("allreduce-small.json", 3), ("default-sweep.json", 40), ("alltoall-graph.json", 4)):
        document = json.loads((folder / name).read_text(encoding="utf-8"))
        rows = [row for i, row in enumerate(document["rows"]) if i % step == 0 or
                (row["params"]["strategy"] in ("nccl-auto", "custom", "nccl-ring") and row["params"]["mode"] == "graph")]
        for row in rows:
            for launch in row["launches"]:
                launch["samples_ns"] = launch["samples_ns"][:8]
        found.append({**document, "rows": rows[:40]})
    return found


def _places(value: object, place: tuple = ()) -> Iterator[tuple]:
    """The paths of all values below `value`."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        yield (*place, key)
        yield from _places(inside, (*place, key))


def _mutate_value(document: dict, chance: random.Random) -> None:
    places = list(_places(document))
    if not places:
        return
    place = chance.choice(places)
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    key, value = place[-1], holder[place[-1]]
    if isinstance(value, str):
        holder[key] = chance.choice(HOSTILE) if chance.random() < 0.9 else chance.choice(OTHERS)
        if chance.random() < 0.3:
            holder[key] = value + str(holder[key])
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        holder[key] = chance.choice(NUMBERS) if chance.random() < 0.9 else chance.choice(OTHERS)
    elif isinstance(value, list) and value:
        action = chance.randrange(5)
        if action == 0:
            holder[key] = []
        elif action == 1:
            holder[key] = value[:-1]
        elif action == 2:
            holder[key] = value + [copy.deepcopy(chance.choice(value)) for _ in range(chance.choice((1, 3, 30)))]
        elif action == 3:
            chance.shuffle(value)
        else:
            holder[key] = chance.choice(OTHERS)
    elif isinstance(value, dict) and value:
        action = chance.randrange(4)
        inner = chance.choice(list(value))
        if action == 0:
            del value[inner]
        elif action == 1:
            value[chance.choice(HOSTILE)] = value[inner]
        elif action == 2:
            holder[key] = None
        else:
            holder[key] = chance.choice(OTHERS)
    else:
        holder[key] = chance.choice(OTHERS)


def _hostile_everywhere(value: object, chance: random.Random, share: float) -> object:
    """Texts replaced, all else as it is: such a document is read to its end, and shown."""
    if isinstance(value, dict):
        return {key: _hostile_everywhere(inside, chance, share) for key, inside in value.items()}
    if isinstance(value, list):
        return [_hostile_everywhere(inside, chance, share) for inside in value]
    if isinstance(value, str) and chance.random() < share:
        return chance.choice(HOSTILE) + chance.choice(("", value))
    return value


# Words that are checked: with another one nothing would be shown.
_WORDS = {"schema", "schema_version", "collective", "mode", "modes", "dtype", "dtypes", "device", "described", "status", "origin",
          "severity", "result", "mark", "threshold_origin", "layout"}


def _with_words(document: object, model: object) -> object:
    """`document` with the words of `model`, which has the same form."""
    if isinstance(document, dict):
        return {key: model[key] if key in _WORDS else _with_words(inside, model[key]) for key, inside in document.items()}
    if isinstance(document, list):
        return [_with_words(inside, other) for inside, other in zip(document, model)]
    return document


def _damage(text: str, chance: random.Random) -> bytes:
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    action = chance.randrange(6)
    at = chance.randrange(len(data))
    if action == 0:
        del data[at:]
    elif action == 1:
        for _ in range(chance.choice((1, 5, 50))):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif action == 2:
        data[at:at] = b"[" * chance.choice((10, 100000))
    elif action == 3:  # a key twice
        key = text.find('": ', at % max(1, len(text) - 1))
        start = text.rfind('"', 0, key) if key > 0 else -1
        if start >= 0:
            return (text[:start] + text[start:key + 3] + "1, " + text[start:]).encode("utf-8", "surrogatepass")
    elif action == 4:
        data[at:at] = bytes(chance.randrange(256) for _ in range(20))
    else:
        data[at:at] = data[chance.randrange(len(data)):][:200]
    return bytes(data)


def documents(root: pathlib.Path, numbers: Iterable[int], seed: int = 1) -> Iterator[tuple[int, bytes]]:
    """The documents of these numbers as the bytes of their files: one in four has hostile texts in all places, one in eight
    is no JSON."""
    models = seeds(root)
    for number in numbers:
        chance = random.Random(f"{seed}:{number}")
        model = models[number % len(models)]
        document = copy.deepcopy(model)
        if number % 4 == 0:
            document = _with_words(_hostile_everywhere(document, chance, chance.choice((0.1, 0.5, 1))), model)
        else:
            for _ in range(chance.choice((1, 1, 2, 5))):
                _mutate_value(document, chance)
        text = json.dumps(document, indent=chance.choice((None, 2)), ensure_ascii=chance.random() < 0.5)
        yield number, _damage(text, chance) if number % 8 == 1 else text.encode("utf-8", "surrogatepass")
