"""One function's statements in the order they run, each with the conditions under which it is reached."""

import ast

from formulas import conjunction, negation, unknown

BROAD = {"Exception", "BaseException", "AssertionError"}
LEAVES = (ast.Name, ast.Constant)
TURN = 'unknown("a turn of a loop")'
HANDLER = 'unknown("an exception that is caught here")'


class Listener:
    """What Flow tells; a handler overrides what it wants to hear."""

    reads_handlers = False  # whether the bodies of except clauses are told too

    def turn(self, node):
        """The condition under which the body of a for loop runs."""
        return "True"

    def call(self, node, guard):
        pass

    def assign(self, target, value, guard):
        """An attribute or item is assigned; value is None where it is one of several, an AugAssign for +=."""

    def bind(self, target, text, guard):
        """A local name is assigned; returns what the name stands for from now on."""
        return text

    check = throw = leave = call


class Flow:
    """Walks a body and tells `handler` of calls, assignments, asserts, raises and returns.

    The handler is a Listener: each guard it is given is one condition, "True" when the statement always runs.
    """

    def __init__(self, translator, handler):
        self.translator, self.handler = translator, handler
        self.guards = []
        self.swallowed = 0  # depth of try blocks whose handler would swallow an assertion

    def guard(self):
        return conjunction(self.guards)

    def run(self, function):
        self.block(function.body)

    def block(self, body):
        """Returns the conditions, seen from the block's start, under which it leaves the function (or the loop)."""
        depth, exits = len(self.guards), []
        for statement in body:
            found = self._statement(statement)
            exits += [conjunction(self.guards[depth:] + [f]) for f in found]
            if "True" in found:
                break
            self.guards += [negation(f) for f in found]
        del self.guards[depth:]
        return exits

    def _statement(self, node):
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method:
            return method(node) or []
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child)
        return []

    def _functiondef(self, node):
        pass

    _asyncfunctiondef = _classdef = _import = _functiondef

    def _importfrom(self, node):
        from syntax import import_targets
        for name, target in import_targets(node).items():
            self.translator.module.imports.setdefault(name, target)

    def _if(self, node):
        self.expression(node.test)
        test = self.translator.condition(node.test)
        exits = [conjunction([test, e]) for e in self._under(test, node.body)]
        if node.orelse:
            opposite = negation(test)
            exits += [conjunction([opposite, e]) for e in self._under(opposite, node.orelse)]
        return exits

    def _under(self, test, body):
        self.guards.append(test)
        exits = self.block(body)
        self.guards.pop()
        return exits

    def _for(self, node):
        self.expression(node.iter)
        for name in ast.walk(node.target):
            if isinstance(name, ast.Name):
                self.translator.locals[name.id] = unknown(name)
        self._under(self.handler.turn(node), node.body)
        self.block(node.orelse)

    _asyncfor = _for

    def _while(self, node):
        self.expression(node.test)
        self._under(self.translator.condition(node.test), node.body)

    def _with(self, node):
        for item in node.items:
            self.expression(item.context_expr)
        return self.block(node.body)

    _asyncwith = _with

    def _try(self, node):
        swallows = any(self._swallows(h) for h in node.handlers)
        self.swallowed += swallows
        exits = self.block(node.body)
        self.swallowed -= swallows
        exits += self.block(node.orelse)
        for handler in node.handlers if self.handler.reads_handlers else ():
            self._under(HANDLER, handler.body)
        self.block(node.finalbody)
        return exits

    @staticmethod
    def _swallows(handler):
        names = {n.id for n in ast.walk(handler.type) if isinstance(n, ast.Name)} if handler.type else BROAD
        return bool(names & BROAD) and not any(isinstance(n, ast.Raise) for n in ast.walk(handler))

    def _return(self, node):
        if node.value is not None:
            self.expression(node.value)
        self.handler.leave(node, self.guard())
        return ["True"]

    def _continue(self, node):
        return ["True"]

    _break = _continue

    def _assert(self, node):
        self.expression(node.test)
        if not self.swallowed:
            self.handler.check(node, self.guard())

    def _raise(self, node):
        if not self.swallowed:
            self.handler.throw(node, self.guard())

    def _assign(self, node):
        self.expression(node.value)
        for target in node.targets:
            self._bind(target, node.value)

    def _annassign(self, node):
        if node.value is not None:
            self.expression(node.value)
            self._bind(node.target, node.value)

    def _augassign(self, node):
        self.expression(node.value)
        if isinstance(node.target, ast.Name):
            self.translator.locals[node.target.id] = unknown(node.target)
        else:
            self.handler.assign(node.target, node, self.guard())

    def _bind(self, target, value):
        if isinstance(target, ast.Name):
            guard = self.guard()
            text = self.handler.bind(target, self.translator.condition(value), guard)
            known = self.translator.locals.get(target.id)
            if guard != "True" and known is not None and known != text:
                text = "(%s) if (%s) else (%s)" % (text, guard, known)
            self.translator.locals[target.id] = text if len(text) < 1000 else unknown(target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = self.translator.parts(value, len(target.elts))
            for element, part in zip(target.elts, parts):
                if isinstance(element, ast.Name):
                    self.translator.locals[element.id] = part or unknown(element)
                elif isinstance(element, ast.Attribute):
                    self.handler.assign(element, None, self.guard())
        else:
            self.handler.assign(target, value, self.guard())

    def expression(self, node):
        """Visits the calls in an expression, inner ones first, each under the conditions of the expression."""
        kind = type(node)
        if kind in LEAVES:
            return
        if kind is ast.Attribute:
            self.expression(node.value)
        elif kind is ast.Call:
            self.expression(node.func)
            for argument in node.args:
                self.expression(argument)
            for keyword in node.keywords:
                self.expression(keyword.value)
            self.handler.call(node, self.guard())
        elif kind is ast.IfExp:
            self.expression(node.test)
            test = self.translator.condition(node.test)
            self._expression_under(test, node.body)
            self._expression_under(negation(test), node.orelse)
        elif kind is ast.BoolOp:
            self.expression(node.values[0])
            depth = len(self.guards)
            for before, value in zip(node.values, node.values[1:]):
                test = self.translator.condition(before)
                self.guards.append(test if isinstance(node.op, ast.And) else negation(test))
                self.expression(value)
            del self.guards[depth:]
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, (ast.expr, ast.keyword, ast.comprehension)):
                    self.expression(child)

    def _expression_under(self, test, node):
        self.guards.append(test)
        self.expression(node)
        self.guards.pop()
