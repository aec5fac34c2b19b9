"""Steps of the argument stage: all that the server's own checks of its arguments do before a rank does work.

Every assert, raise and exit that is reachable becomes a step, whatever it is about; one whose condition can't be read keeps its
place with an unknown condition, so that it can be named as not evaluated.
"""

import ast
import re

from conditions import ARGS_OWNERS, HARDWARE
from flow import TURN
from formulas import conjunction, literal, unknown
from messages import message_of, raised_by
from steps import CHECKED, CORE, Steps
from syntax import call_name, defaults, dotted

SCOPE = "arguments"
ENGINE = "entrypoints/"
# Functions of the engine that start what comes after its checks.
STARTS = re.compile(r"launch|wait|run_|start|_process|subscribe|init_tokenizer|load_")
CHECKING = re.compile(r"_?(?:assert|check|validate|verify|ensure)_")
ENDS = re.compile(rb"^[ \t]+(?:raise\b|assert\b|(?:sys|os)\._?exit\()", re.M)
CHANGES = {"append", "extend", "insert", "remove", "pop", "clear", "add", "discard", "update", "setdefault", "sort"}
MAX_GIVEN = 200


class ArgumentSteps(Steps):
    """A function of the argument stage."""

    reads_handlers = True

    def __init__(self, pipeline, owner, module, function, steps):
        Steps.__init__(self, pipeline, owner, module, function, steps)
        self.inner = {s.name: s for s in function.body if isinstance(s, ast.FunctionDef)}

    def turn(self, node):
        """A loop's body runs if there is anything to go over; of how often nothing is known."""
        items = self.translator.condition(node.iter)
        if items.startswith("[") and items != "[]":
            return "True"
        return conjunction([items, TURN]) if not items.startswith("unknown(") else TURN

    def call(self, node, guard):
        chain, name = dotted(node.func), call_name(node)
        if chain in (["sys", "exit"], ["os", "_exit"], ["exit"], ["quit"]):
            self._end(node, guard, throw="SystemExit", message=message_of(node.args[0] if node.args else None, self.translator))
        elif chain[:1] == ["envs"] and chain[-1] == "set" and len(chain) == 3 and node.args:
            self.pipeline.facts.environment.add(chain[1])
            self.add(node, guard, set="env." + chain[1], to=self.translator.condition(node.args[0]))
        elif chain == ["setattr"] and len(node.args) == 3 and self._is_arguments(node.args[0]):
            self._set_by_name(node, guard)
        elif chain[:1] == ["logger"] and name in ("warning", "info") and node.args:
            text = message_of(node.args[0], self.translator)
            if text and any("args." + c in guard for c in CHECKED):
                self.add(node, guard, warn=text)
        elif len(chain) == 2 and name in CHANGES and chain[0] in self.translator.locals:
            self.translator.locals[chain[0]] = unknown(node.func.value)
        else:
            self._follow(node, chain, name, guard)

    def _follow(self, node, chain, name, guard):
        owner, module, function = self._callee(node, chain, name)
        if not isinstance(function, ast.FunctionDef) or function.name in HARDWARE:
            return
        if self.module.path.startswith(ENGINE) and STARTS.search(function.name):
            return
        if not self._is_near(module, node):
            self._ends_inside(node, guard, module, function)
            return
        procedure = self.pipeline.procedure(owner, module, function, ArgumentSteps, self._given(node, owner, function))
        if procedure:
            self.add(node, guard, call=procedure)

    def _callee(self, node, chain, name):
        resolve = self.pipeline.tree.resolve
        if name == "run_post_process_pass" and len(node.args) == 2 and isinstance(node.args[1], ast.Name):
            return (None, *resolve(self.module, node.args[1].id))
        if len(chain) == 1 and chain[0] in self.inner:
            return self.owner, self.module, self.inner[chain[0]]
        if chain[:1] == ["self"] and len(chain) == 2 and self.owner is not None:
            return (self.owner, *self.owner.method(chain[1]))
        if len(chain) == 2 and chain[0] in ARGS_OWNERS:
            owner = self.pipeline.server_args()
            return (owner, *owner.method(chain[1])) if owner else (None, None, None)
        if len(chain) == 2 and chain[0] == "PortArgs":
            module, found = resolve(self.module, chain[0])
            owner = self.pipeline.owner(module, found) if isinstance(found, ast.ClassDef) else None
            return (owner, *owner.method(chain[1])) if owner else (None, None, None)
        if len(chain) == 1 and (chain[0] in self.module.functions or chain[0] in self.module.imports):
            path = self.module.imports.get(chain[0], (self.module.path,))[0]
            if self.pipeline.tree.parsed(path) or CHECKING.match(chain[0]) or self._hands_on(node):
                return (None, *resolve(self.module, chain[0]))
        return None, None, None

    def _is_arguments(self, node):
        chain = dotted(node)
        return chain == ["self"] and self.owner is not None and self.owner.is_server_args or \
            len(chain) == 1 and chain[0] in ARGS_OWNERS

    def _hands_on(self, node):
        return any(self._is_arguments(a) for a in [*node.args, *(k.value for k in node.keywords)])

    def _is_near(self, module, node):
        """Whether a function belongs to the checks: others are only searched for what can end the server."""
        if CHECKING.match(node.func.id if isinstance(node.func, ast.Name) else ""):
            return True
        return module.path in (self.module.path, "server_args.py") or module.path.startswith("arg_groups/") or self._hands_on(node)

    def _ends_inside(self, node, guard, module, function):
        """What can end the server in a function that is not read: named, not evaluated."""
        text = module.text(function)
        for match in ENDS.finditer(text):
            line = function.lineno + text.count(b"\n", 0, match.start()) - text.count(b"\n", 0, 0)
            what = 'unknown("%s is not read")' % function.name
            self._end_at(module, line, function.name, conjunction([guard, what]), throw="Exception", message="")

    def _given(self, node, owner, function):
        """{parameter: condition} of what a call hands on, constant defaults included."""
        names = [a.arg for a in function.args.posonlyargs + function.args.args]
        if names[:1] in (["self"], ["cls"]):
            names = names[1:]
        given = {name: value for name, value in zip(names, node.args) if not isinstance(value, ast.Starred)}
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        texts = {name: literal(value) for name, value in defaults(function).items() if literal(value) is not None}
        for name, value in given.items():
            texts[name] = self.translator.condition(value)
        return {n: t for n, t in texts.items() if n not in ARGS_OWNERS and not t.startswith("unknown(") and len(t) <= MAX_GIVEN
                and t != "args." + n}

    def assign(self, target, value, guard):
        chain, facts = dotted(target), self.pipeline.facts
        if len(chain) == 2 and chain[0] == "self" and self.owner is not None and self.owner.is_server_args:
            known = facts.own_field(self.owner.name, chain[1])
            if known is not None:
                self._set(target, known, value, guard)
        elif len(chain) == 2 and chain[1] in facts.fields and \
                (chain[0] in ARGS_OWNERS or chain[0] in ("self", "args") and self.owner is None):
            self._set(target, "args." + chain[1], value, guard)

    def _set_by_name(self, node, guard):
        name = node.args[1].value if isinstance(node.args[1], ast.Constant) else None
        if name in self.pipeline.facts.fields:
            self._set(node, "args." + name, node.args[2], guard)

    def _set(self, target, name, value, guard):
        if isinstance(value, ast.AugAssign):
            value = ast.BinOp(left=value.target, op=value.op, right=value.value)
        text = self.translator.condition(value) if isinstance(value, ast.expr) else 'unknown("%s")' % name
        aside = {} if name[5:] in CORE else {"scope": SCOPE}
        self.add(target, guard, set=name, to=text, **aside)

    def leave(self, node, guard):
        """A post-process pass returns the fields that it overrides as a dictionary."""
        if isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values):
                if isinstance(key, ast.Constant) and key.value in self.pipeline.facts.fields:
                    self._set(value, "args." + key.value, value, guard)

    def check(self, node, guard):
        self._end(node, guard, check=self.translator.condition(node.test), error="AssertionError",
                  message=message_of(node.msg, self.translator))

    def throw(self, node, guard):
        error, message = raised_by(node, self.translator)
        self._end(node, guard, throw=error or "Exception", message=message)

    def _end(self, node, guard, **effect):
        self._end_at(self.module, node.lineno, self.label, guard, **effect)

    def _end_at(self, module, line, label, guard, **effect):
        text = guard + " " + effect.get("check", "")
        effect["scope"] = SCOPE
        own = module.path == "server_args.py" or module.path.startswith("arg_groups/")
        if not own or not any("args." + name in text for name in CHECKED - {"dp_size"}):
            effect["undecided"] = "listed"
        self.pipeline.add_end(self.steps, module.path, line, label, guard, effect)
