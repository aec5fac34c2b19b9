"""Enumerations of the tree whose methods are questions, such as backend.is_deepep()."""

import ast

from syntax import dotted, methods


class Enumeration:
    """An Enum whose is_x() methods compare self with members: {method: [values]}."""

    def __init__(self, node, value_of):
        self.members, self.tests = {}, {}
        self.makers = set()  # methods that give None for the member that stands for none, and something for the others
        for statement in node.body if node else []:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                self.members[statement.targets[0].id] = value_of(statement.targets[0].id, statement.value)
        for name, method in (methods(node) if node else {}).items():
            test = self._members_of(method)
            if test is not None:
                self.tests[name] = test
            if _none_for_none(method):
                self.makers.add(name)

    def _members_of(self, method):
        returns = [n for n in method.body if isinstance(n, ast.Return)]
        if len(returns) != 1 or returns[0].value is None:
            return None
        return self._test(returns[0].value)

    def _test(self, node):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            parts = [self._test(v) for v in node.values]
            return None if None in parts else [m for p in parts for m in p]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and dotted(node.func)[:1] == ["self"]:
            return self.tests.get(node.func.attr)
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or dotted(node.left) != ["self"]:
            return None
        right = node.comparators[0]
        items = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
        names = [dotted(i)[-1] if dotted(i) else "" for i in items]
        if not all(n in self.members for n in names):
            return None
        values = [self.members[n] for n in names]
        if isinstance(node.ops[0], (ast.Eq, ast.Is, ast.In)):
            return values
        if isinstance(node.ops[0], (ast.NotEq, ast.IsNot)):
            return [v for v in self.members.values() if v not in values]
        return None


def _none_for_none(method):
    """Whether a method begins with `if self.is_none(): return None`, and nothing else in it returns None."""
    first, returns = method.body[0], [n for n in ast.walk(method) if isinstance(n, ast.Return)]
    nothing = [r for r in returns if r.value is None or isinstance(r.value, ast.Constant) and r.value.value is None]
    return isinstance(first, ast.If) and isinstance(first.test, ast.Call) and dotted(first.test.func) == ["self", "is_none"] \
        and nothing == first.body and len(returns) > 1
