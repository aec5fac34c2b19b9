"""Steps of the server's arguments and of the dispatch, which are read more closely than the rest."""

import ast

from messages import message_of, raised_by
from steps import CHECKED, CORE, Steps
from syntax import call_name, dotted, mentions


class ServerArgsSteps(Steps):
    """ServerArgs.__post_init__ and its handlers: what they do to the flags of this matter."""

    def call(self, node, guard):
        chain, name = dotted(node.func), call_name(node)
        if name == "run_post_process_pass" and len(node.args) == 2 and isinstance(node.args[1], ast.Name):
            module, function = self.pipeline.tree.resolve(self.module, node.args[1].id)
            self._enter(node, guard, None, module, function)
        elif chain[:1] == ["self"] and len(chain) == 2 and self.owner is not None:
            module, function = self.owner.method(chain[1])
            self._enter(node, guard, self.owner, module, function)
        elif len(chain) == 1 and any(dotted(a) == ["self"] for a in node.args):
            module, function = self.pipeline.tree.resolve(self.module, chain[0])
            self._enter(node, guard, None, module, function)
        elif chain[:1] == ["envs"] and chain[-1] == "set" and len(chain) == 3 and node.args:
            self.pipeline.facts.environment.add(chain[1])
            self.add(node, guard, set="env." + chain[1], to=self.translator.condition(node.args[0]))
        elif chain[:1] == ["logger"] and name in ("warning", "info") and node.args:
            text = message_of(node.args[0], self.translator)
            if text and any("args." + c in guard for c in CHECKED):
                self.add(node, guard, warn=text)

    def _enter(self, node, guard, owner, module, function):
        if isinstance(function, ast.FunctionDef) and mentions(function, CORE):
            procedure = self.pipeline.procedure(owner, module, function, ServerArgsSteps)
            if procedure:
                self.add(node, guard, call=procedure)

    def assign(self, target, value, guard):
        chain = dotted(target)
        if len(chain) == 2 and chain[0] in ("self", "server_args", "args") and chain[1] in CORE:
            self._set(target, "args." + chain[1], value, guard)

    def leave(self, node, guard):
        """A post-process pass returns the fields that it overrides as a dictionary."""
        if isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values):
                if isinstance(key, ast.Constant) and key.value in CORE:
                    self._set(value, "args." + key.value, value, guard)

    def _concerns(self, node, guard):
        text = guard + " " + (self.translator.condition(node) if isinstance(node, ast.expr) else "")
        return any("args." + name in text for name in CHECKED)


class DispatchSteps(Steps):
    """ExpertLocationDispatchInfo.init_new: which comes first, the assert or the early return."""

    def check(self, node, guard):
        self.add(node, guard, check=self.translator.condition(node.test), error="AssertionError",
                 message=message_of(node.msg, self.translator))

    def throw(self, node, guard):
        error, message = raised_by(node, self.translator)
        self.add(node, guard, throw=error or "Exception", message=message)

    def leave(self, node, guard):
        self.add(node, guard, leave="nothing to dispatch" if isinstance(node.value, ast.Constant) else "the dispatch table")
