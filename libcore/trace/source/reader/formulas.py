"""Texts of ringside's condition language, and how they combine."""

import ast
import re

SIMPLE = re.compile(r'[\w.]+|"(?:[^"\\]|\\.)*"|\[[^\[\]]*\]')
MEMBERSHIP = re.compile(r'([\w.]+) in \[([^\[\]]*)\]')


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def one_of(values):
    """" in [...]" with these texts, to stand behind a name."""
    return " in [" + ", ".join("None" if v is None else quote(v) for v in values) + "]"


def unknown(node):
    try:
        text = " ".join(ast.unparse(node).split())
    except (RecursionError, ValueError):
        text = "?"
    return "unknown(" + quote(text if len(text) <= 100 else text[:97] + "...") + ")"


def literal(value):
    if value is None:
        return "None"
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, str):
        return quote(value)
    return repr(value) if isinstance(value, (int, float)) else None


def conjunction(parts):
    """All of `parts`, each a condition's text."""
    kept = [p for p in dict.fromkeys(parts) if p not in ("", "True")]
    if "False" in kept:
        return "False"
    if len(kept) < 2:
        return kept[0] if kept else "True"
    return " and ".join("(%s)" % p if " or " in p or " if " in p else p for p in kept)


def negation(text):
    if text.startswith("not (") and _closes_at_end(text, 4):
        return text[5:-1]
    return {"True": "False", "False": "True"}.get(text, "not (%s)" % text)


def _closes_at_end(text, start):
    """Whether the parenthesis at `start` is closed by the last character."""
    depth, quoted, escaped = 0, False, False
    for position in range(start, len(text)):
        letter = text[position]
        if quoted:
            quoted, escaped = letter != '"' or escaped, letter == "\\" and not escaped
        elif letter == '"':
            quoted = True
        elif letter in "()":
            depth += 1 if letter == "(" else -1
            if depth == 0:
                return position == len(text) - 1
    return False


def disjunction(parts):
    """Any of `parts`; several `x in [..]` of one x become one."""
    kept, lists = [], {}
    for part in parts:
        match = MEMBERSHIP.fullmatch(part)
        if match and match.group(1) in lists:
            lists[match.group(1)] += ", " + match.group(2)
        elif match:
            lists[match.group(1)] = match.group(2)
            kept.append((match.group(1),))
        elif part != "False" and part not in kept:
            kept.append(part)
    texts = ["%s in [%s]" % (k[0], lists[k[0]]) if isinstance(k, tuple) else k for k in kept]
    if "True" in texts:
        return "True"
    if len(texts) < 2:
        return texts[0] if texts else "False"
    return " or ".join("(%s)" % t if " " in t else t for t in texts)


def atom(text):
    """The text, in parentheses unless it binds tighter than any operator."""
    simple = SIMPLE.fullmatch(text) or text.startswith("unknown(") and _closes_at_end(text, 7) or \
        text.startswith("(") and _closes_at_end(text, 0)
    return text if simple else "(%s)" % text


def choice(test, value, rest):
    if value == "False":
        return conjunction([negation(test), rest])
    if value == "True":
        return disjunction([test, rest])
    return "(%s) if (%s) else (%s)" % (value, test, rest)
