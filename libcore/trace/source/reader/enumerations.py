"""Enumerations of the tree whose methods are questions, such as backend.is_deepep()."""

import ast

from syntax import dotted, methods


HAS_FLAG = ("_has_flag", "has_flag")


class Enumeration:
    """A class of named values with is_x() methods that compare self with them: {method: [values]}. An Enum, or a class whose
    module registers the values, some under further names and with flags that methods ask for; `registered_members` is None
    where not all of that could be read: then nothing is claimed."""

    def __init__(self, node, value_of, registered_members=()):
        self.members, self.aliases, self.flags, self.tests = {}, {}, {}, {}
        self.makers = set()  # methods that give None for the member that stands for none, and something for the others
        if registered_members is None:
            return
        for statement in node.body if node else []:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.members[statement.targets[0].id] = value_of(statement.targets[0].id, statement.value)
        for name, aliases, flags in registered_members:
            self.members[name], self.aliases[name], self.flags[name] = value_of(name, None), aliases, flags
        for name, method in (methods(node) if node else {}).items():
            test = self._members_of(method)
            if test is not None:
                self.tests[name] = test
            if _none_for_none(method) or registered_members and _none_for_nothing(method):
                self.makers.add(name)

    def _values(self, names):
        return [value for name in names for value in [self.members[name], *self.aliases.get(name, ())]]

    def _members_of(self, method):
        returns = [n for n in method.body if isinstance(n, ast.Return)]
        if len(returns) != 1 or returns[0].value is None:
            return None
        return self._test(returns[0].value)

    def _flagged(self, call):
        """self.has("FLAG"): the members with that flag."""
        flag = call.args[0].value if len(call.args) == 1 and isinstance(call.args[0], ast.Constant) else None
        names = [name for name, flags in self.flags.items() if flag in flags]
        return self._values(names) if names else None

    def _test(self, node):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            parts = [self._test(v) for v in node.values]
            return None if None in parts else [m for p in parts for m in p]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and dotted(node.func)[:1] == ["self"]:
            return self._flagged(node) if node.func.attr in HAS_FLAG else self.tests.get(node.func.attr)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or dotted(node.left) != ["self"]:
            return None
        right = node.comparators[0]
        items = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
        names = [dotted(i)[-1] if dotted(i) else "" for i in items]
        if not all(n in self.members for n in names):
            return None
        if isinstance(node.ops[0], (ast.Eq, ast.Is, ast.In)):
            return self._values(names)
        if isinstance(node.ops[0], (ast.NotEq, ast.IsNot)):
            return self._values(n for n in self.members if n not in names)
        return None


def _none_for_none(method):
    """Whether a method begins with `if self.is_none(): return None`, and nothing else in it returns None."""
    first, returns = method.body[0], [n for n in ast.walk(method) if isinstance(n, ast.Return)]
    nothing = [r for r in returns if r.value is None or isinstance(r.value, ast.Constant) and r.value.value is None]
    return isinstance(first, ast.If) and isinstance(first.test, ast.Call) and dotted(first.test.func) == ["self", "is_none"] \
        and nothing == first.body and len(returns) > 1


def _none_for_nothing(method):
    """Whether a method is `if self.make is None: return None` and `return self.make(...)`, where a member that stands for none
    is registered without it."""
    if len(method.body) != 2 or not isinstance(method.body[0], ast.If) or not isinstance(method.body[1], ast.Return):
        return False
    test, leave, made = method.body[0].test, method.body[0].body, method.body[1].value
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Is) or not _is_none(test.comparators[0]):
        return False
    nothing = len(leave) == 1 and isinstance(leave[0], ast.Return) and (leave[0].value is None or _is_none(leave[0].value))
    return nothing and dotted(test.left)[:1] == ["self"] and isinstance(made, ast.Call) and dotted(made.func) == dotted(test.left)


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def registered(module, class_name):
    """[(name, aliases, flags)] of the members that a module registers at top level, by a method of the class or by a function
    of the module that is about the class; None where one of them can't be read."""
    found = []
    for call in module.calls:
        chain = dotted(call.func)
        own = len(chain) == 1 and chain[0] in module.functions and \
            class_name.encode() in module.text(module.functions[chain[0]])
        if not (own or chain == [class_name, "register"]) or "register" not in chain[-1]:
            continue
        words = {k.arg: _words(k.value) for k in call.keywords if k.arg in ("aliases", "flags")}
        names = [_words(a) for a in call.args]
        plain = len(names) == 1 or len(names) == 2 and own  # a name, and what makes its worker
        if not plain or len(names[0] or []) != 1 or None in words.values() or any(k.arg is None for k in call.keywords):
            return None
        found.append((names[0][0], words.get("aliases", []), words.get("flags", [])))
    return found


def _words(node):
    """The text or the texts that are written there; None for anything else."""
    items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    if all(isinstance(i, ast.Constant) and isinstance(i.value, str) for i in items):
        return [i.value for i in items]
    return [] if _is_none(node) else None
