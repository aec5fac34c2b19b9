"""Enumerations of the tree whose methods are questions, such as backend.is_deepep()."""

import ast

from syntax import dotted, methods


class Enumeration:
    """A class of named values with is_x() methods that compare self with them: {method: [values]}. An Enum, or a class whose
    module registers the values, some under further names and with flags that methods ask for."""

    def __init__(self, node, value_of, registered_members=()):
        self.members, self.aliases, self.flags, self.tests = {}, {}, {}, {}
        self.makers = set()  # methods that give None for the member that stands for none, and something for the others
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
            return self._flagged(node) if node.args else self.tests.get(node.func.attr)
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
    """Whether a method begins with `if self.x is None: return None`, where x is what a member was registered with."""
    first = method.body[0]
    if not isinstance(first, ast.If) or not isinstance(first.test, ast.Compare) or len(first.body) != 1:
        return False
    given, nothing = first.test.left, first.test.comparators[0]
    return dotted(given)[:1] == ["self"] and isinstance(first.test.ops[0], ast.Is) and _is_none(nothing) and \
        isinstance(first.body[0], ast.Return) and (first.body[0].value is None or _is_none(first.body[0].value))


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None


def registered(module, class_name):
    """[(name, aliases, flags)] of the members that a module registers at top level, by a method of the class or by a function
    of the module that is about the class."""
    found = []
    for call in module.calls:
        chain = dotted(call.func)
        own = len(chain) == 1 and chain[0] in module.functions and \
            class_name.encode() in module.text(module.functions[chain[0]])
        if not (own or chain == [class_name, "register"]) or "register" not in chain[-1]:
            continue
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
            words = {k.arg: _words(k.value) for k in call.keywords}
            found.append((call.args[0].value, words.get("aliases", []), words.get("flags", [])))
    return found


def _words(node):
    items = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return [i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)]
