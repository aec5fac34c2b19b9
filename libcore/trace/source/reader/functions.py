"""Python's own functions and methods of texts, as the condition language has them."""

import ast
import re

from formulas import atom, quote
from syntax import call_name

KINDS = {"list", "str", "dict", "int", "float", "bool", "tuple", "set"}
FACT = re.compile(r"model\.[\w.]+")
SIMPLE = {"len": 1, "int": 1, "float": 1, "min": 2, "max": 2}


def plain_call(translator, node):
    """The condition that a call of a function of Python is; None for any other call, and for what can't be read."""
    name = call_name(node)
    if isinstance(node.func, ast.Name):
        if name in SIMPLE and len(node.args) >= SIMPLE[name] and not node.keywords:
            return _applied(name, [translator.condition(a) for a in node.args])
        if name == "isinstance" and len(node.args) == 2:
            return _isinstance(translator.condition(node.args[0]), node.args[1])
        return None
    if not isinstance(node.func, ast.Attribute):
        return None
    word = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if name in ("startswith", "endswith") and len(node.args) == 1 and isinstance(word, str):
        return _applied(name, [translator.condition(node.func.value), quote(word)])
    if name == "get" and isinstance(word, str) and word.isidentifier():
        return fact_of(translator.condition(node.func.value), word)
    return None


def item_of(translator, node):
    """`x[0]`: a member of a list that is known by its place."""
    index = node.slice.value if isinstance(node.slice, ast.Constant) else None
    if not isinstance(index, int):
        return None
    text = translator.condition(node.value)
    return fact_of(text, str(index)) or _applied("item", [text, str(index)])


def members_of(text):
    """The texts of a list's members; [] for what is no list."""
    try:
        node = ast.parse(text, mode="eval").body if text.startswith("[") else None
    except SyntaxError:
        return []
    return [ast.get_source_segment(text, m) for m in node.elts] if isinstance(node, ast.List) else []


def fact_of(text, key):
    """A key of what a configuration has under another key; None unless `text` is such."""
    return "%s.%s" % (text, key) if FACT.fullmatch(text) else None


def _applied(name, arguments):
    return None if any("unknown(" in a for a in arguments) else "%s(%s)" % (name, ", ".join(arguments))


def _isinstance(text, kinds):
    items = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    names = [i.id for i in items if isinstance(i, ast.Name)]
    if len(names) != len(items) or not KINDS.issuperset(names) or "unknown(" in text:
        return None
    return " or ".join("isinstance(%s, %s)" % (atom(text), quote(n)) for n in names)
