"""The init pipeline of a tree: from ServerArgs to the first forward, as procedures made of steps.

A procedure is one function of the tree. A step has the place it stands at, the condition under which it runs and one
effect. Functions without any step of interest leave no trace.
"""

import ast
import re

from conditions import METADATA, Translator, conjunction, defaults_of
from flow import Flow, Listener
from models import DISPATCH, EAGLE3, HOOK
from owners import Owner
from syntax import call_name, dotted, mentions, methods

# Server arguments that decide this matter: where they are set or checked, the line becomes a step.
CORE = {
    "moe_a2a_backend", "ep_size", "enable_eplb", "ep_dispatch_algorithm", "init_expert_location", "moe_runner_backend",
    "expert_distribution_recorder_mode", "deepep_mode", "enable_dp_attention", "elastic_ep_backend",
    "disable_cuda_graph", "speculative_algorithm", "speculative_moe_a2a_backend", "ep_num_redundant_experts",
    "enable_deepep_moe", "enable_ep_moe", "enable_flashinfer_moe", "enable_two_batch_overlap", "moe_dp_size",
    "disable_shared_experts_fusion", "dp_size",
}
# A check that mentions none of these is about something else.
CHECKED = {"moe_a2a_backend", "ep_size", "enable_eplb", "ep_dispatch_algorithm", "init_expert_location", "dp_size",
           "expert_distribution_recorder_mode", "elastic_ep_backend", "enable_deepep_moe", "enable_ep_moe"}
# A file without any of these can hold no step.
INTEREST = re.compile(rb"set_global_expert_location_metadata|initialize_moe_config|set_eagle3_layers_to_capture|"
                      rb"is_draft_worker=True|expert_distribution_recorder_mode|_dummy_run|self\.capture\(|"
                      rb"def (?:load_model|init_memory_pool|init_tp_model_worker|init_cuda_graphs)\(|ModelRunner\(")
DRAFT_FILES = ("speculative/eagle_worker.py", "speculative/eagle_worker_v2.py", "speculative/standalone_worker_v2.py")
OTHER_HARDWARE = ("Mlx", "NPU", "Npu", "CPU", "XPU", "HPU")  # classes that stand in for the CUDA ones elsewhere
SAVES = ("backup", "saved", "old", "orig", "prev")
MAX_FUNCTION_DEPTH = 40


CONFIG = "state.expert_location_config"  # what from_model_config gives


class Step:
    def __init__(self, path, line, function, guard, effect):
        self.path, self.line, self.function, self.guard, self.effect = path, line, function, guard, effect


class Pipeline:
    """Builds the procedures; `problems` names what an expected tree has and this one lacks."""

    def __init__(self, tree, facts):
        self.tree, self.facts = tree, facts
        self.procedures = {}   # name -> [Step]; in order of completion
        self.problems = []
        self.made = {}         # (file, class, attribute) -> Owner or None
        self._owners = {}
        self._active = []

    def build(self):
        launch = self.procedures["launch"] = []
        self._server_args(launch)
        self._scheduler(launch)
        self._dispatch()

    def _server_args(self, launch):
        owner = self._class("server_args.py", "ServerArgs")
        if owner is None:
            self.problems.append("server_args.py has no class ServerArgs")
            return
        module, function = owner.method("__post_init__")
        name = self.procedure(owner, module, function, ServerArgsSteps) if function else None
        if name:
            launch.append(Step(module.path, function.lineno, "ServerArgs", "True", {"call": name, "worker": "main"}))

    def _scheduler(self, launch):
        owner = self._class("managers/scheduler.py", "Scheduler")
        if owner is None:
            self.problems.append("managers/scheduler.py has no class Scheduler")
            return
        module, function = owner.method("__init__")
        name = self.procedure(owner, module, function) if function else None
        where = _line_of_call(module, "run_scheduler_process", "Scheduler") or (function.lineno if function else 1)
        if name:
            launch.append(Step(module.path, where, "run_scheduler_process", "True", {"call": name, "worker": "target"}))
        loop = _line_of_call(module, "run_scheduler_process", "event_loop_overlap", "dispatch_event_loop",
                             "run_event_loop", "event_loop_normal") or where
        launch.append(Step(module.path, loop, "run_scheduler_process", "True",
                           {"forward": "the first request (the server's own warm-up)", "worker": "target"}))

    def _dispatch(self):
        owner = self._class("eplb/expert_location_dispatch.py", DISPATCH)
        if owner is None:
            self.problems.append("eplb/expert_location_dispatch.py has no class " + DISPATCH)
            return
        module, function = owner.method("init_new")
        steps = self.procedures["dispatch"] = []
        handler = DispatchSteps(self, owner, module, function, steps)
        Flow(handler.translator, handler).run(function)

    def may_hold_steps(self, path):
        text = self.tree.read(path) or self.tree.read(path[:-3] + "/__init__.py")
        return INTEREST.search(text) is not None

    def _class(self, path, name):
        module = self.tree.module(path)
        return self.owner(module, module.classes[name]) if module and name in module.classes else None

    def owner(self, module, node):
        key = (module.path, node.name)
        if key not in self._owners:
            self._owners[key] = Owner(self.tree, self.facts, module, node, self.may_hold_steps)
        return self._owners[key]

    def procedure(self, owner, module, function, kind=None, given=None):
        """The name of the procedure that a function is; None when nothing of interest happens in it.

        `given` holds the arguments of this call that differ from the parameters' defaults: they make it another
        procedure.
        """
        label = (owner.name + "." if owner is not None else "") + function.name
        key = label.replace(".__init__", "") if function.name == "__init__" else label
        if given:
            key += "(" + ", ".join("%s=%s" % pair for pair in sorted(given.items())) + ")"
        if key in self._active or len(self._active) > MAX_FUNCTION_DEPTH:
            return None
        if key not in self.procedures:
            self._active.append(key)
            steps = []
            handler = (kind or Steps)(self, owner, module, function, steps)
            handler.translator.bindings.update(given or {})
            Flow(handler.translator, handler).run(function)
            self._active.pop()
            self.procedures[key] = steps
        return key if self.procedures[key] else None

    def draft_worker(self):
        """The Owner of the class that runs the draft model, or None."""
        for path in DRAFT_FILES:
            module = self.tree.module(path)
            for node in module.classes.values() if module else []:
                if node.name.lower().startswith(("eagleworker", "standaloneworker")) and "__init__" in methods(node):
                    return self.owner(module, node)
        return None


class Steps(Listener):
    """Turns one function into steps."""

    def __init__(self, pipeline, owner, module, function, steps):
        self.pipeline, self.owner, self.module, self.function, self.steps = pipeline, owner, module, function, steps
        self.translator = Translator(pipeline.tree, pipeline.facts, module, owner, function)
        self.label = (owner.name + "." if owner is not None else "") + function.name

    def add(self, node, guard, **effect):
        self.steps.append(Step(self.module.path, node.lineno, self.label, guard, effect))

    # What Flow tells.

    def call(self, node, guard):
        name = call_name(node)
        chain = dotted(node.func)
        anchor = getattr(self, "_at_" + name, None) if name in ANCHORS else None
        if anchor is not None:
            anchor(node, chain, guard)
            return
        owner, module, function = self._callee(node, chain)
        if function is not None:
            worker = {"worker": "draft"} if any(k.arg == "is_draft_worker" and isinstance(k.value, ast.Constant) and
                                                k.value.value is True for k in node.keywords) else {}
            given = self._arguments(node, owner, function)
            procedure = self.pipeline.procedure(owner, module, function, given=given)
            if procedure:
                self.add(node, guard, call=procedure, **worker)

    def _arguments(self, node, owner, function):
        """{parameter: condition} of the arguments given for parameters that have a constant default."""
        defaults = defaults_of(function)
        names = [a.arg for a in function.args.posonlyargs + function.args.args]
        if owner is not None and names[:1] in (["self"], ["cls"]):
            names = names[1:]
        given = {name: value for name, value in zip(names, node.args) if not isinstance(value, ast.Starred)}
        given.update({k.arg: k.value for k in node.keywords if k.arg})
        texts = {n: self.translator.condition(v) for n, v in given.items() if n in defaults}
        return {n: t for n, t in texts.items() if t != defaults[n] and not self.pipeline.facts.is_field(n)}

    def assign(self, target, value, guard):
        chain = dotted(target)
        if chain == ["self", "draft_worker"] and isinstance(value, ast.Call):
            draft = self.pipeline.draft_worker()
            module, function = draft.method("__init__") if draft else (None, None)
            procedure = self.pipeline.procedure(draft, module, function) if function else None
            if procedure:
                self.add(target, guard, call=procedure, worker="draft")
        elif len(chain) > 1 and chain[-2] in ("server_args", "global_server_args") and chain[-1] in CORE:
            self._set(target, "args." + chain[-1], value, guard)

    def bind(self, target, text, guard):
        """A local that keeps a flag's value of this moment (to restore it later)."""
        if text.startswith("args.") and text[5:] in CORE and target.id.startswith(SAVES):
            name = "state.saved_" + target.id
            self.add(target, guard, set=name, to=text)
            return name
        return text

    def _set(self, target, name, value, guard):
        text = self.translator.condition(value) if isinstance(value, ast.expr) and not isinstance(value, ast.AugAssign) \
            else 'unknown("%s")' % name
        self.add(target, guard, set=name, to=text)

    def check(self, node, guard):
        if self._concerns(node.test, guard):
            self.add(node, guard, check=self.translator.condition(node.test), error="AssertionError",
                     message=message_of(node.msg, self.translator))

    def throw(self, node, guard):
        error, message = _raised(node, self.translator)
        if error and self._concerns(node, guard) and guard != "True":
            self.add(node, guard, throw=error, message=message)

    def _concerns(self, node, guard):
        text = guard + " " + (self.translator.condition(node) if isinstance(node, ast.expr) else "")
        return METADATA in text or self.module.path.startswith("eplb/") and ".moe_a2a_backend" in text

    # Whom a call calls.

    def _callee(self, node, chain):
        tree, pipeline = self.pipeline.tree, self.pipeline
        if isinstance(node.func, ast.Subscript):
            return self._constructor(self._default_class(node.func))
        if not chain:
            return None, None, None
        if chain[0] == "super()" and len(chain) == 2 and self.owner is not None:
            return self._inherited(chain[1])
        if chain[0] == "self" and len(chain) == 2 and self.owner is not None:
            module, function = self.owner.method(chain[1])
            if function is not None:
                return self.owner, module, function
            return None, None, None
        if len(chain) == 1 and not chain[0].startswith(OTHER_HARDWARE) and self._of_interest(chain[0]):
            module, found = tree.resolve(self.module, chain[0])
            if isinstance(found, ast.ClassDef):
                return self._constructor((module, found))
            return (None, module, found) if isinstance(found, ast.FunctionDef) else (None, None, None)
        if len(chain) == 2 and chain[0] != "self" and self._of_interest(chain[0]):
            module, found = tree.resolve(self.module, chain[0])
            if isinstance(found, ast.ClassDef):
                owner = pipeline.owner(module, found)
                where, function = owner.method(chain[1])
                return owner, where, function
        if chain[0] == "self" and self.owner is not None:
            owner = self.owner
            for attribute in chain[1:-1]:
                owner = self._attribute_class(owner, attribute) if owner is not None else None
            if owner is not None:
                where, function = owner.method(chain[-1])
                return owner, where, function
        return None, None, None

    def _of_interest(self, name):
        """Whether the file that defines a name can hold a step."""
        if name in self.module.imports:
            path = self.module.imports[name][0]
            if path == "eplb/expert_location.py":  # read on its own, see _at_set_global_expert_location_metadata
                return False
            return self.pipeline.may_hold_steps(path)
        return name in self.module.classes or name in self.module.functions

    def _inherited(self, name):
        for module, node in self.owner.lineage:
            if node is not self._holder() and name in methods(node):
                return self.pipeline.owner(module, node), module, methods(node)[name]
        return None, None, None

    def _holder(self):
        for _, node in self.owner.lineage:
            if self.function in node.body:
                return node
        return None

    def _constructor(self, found):
        module, node = found
        if node is None:
            return None, None, None
        owner = self.pipeline.owner(module, node)
        where, function = owner.method("__init__")
        return owner, where, function

    def _default_class(self, subscript):
        """The class that a local table of classes by device gives for CUDA."""
        if isinstance(subscript.value, ast.Name):
            for statement in ast.walk(self.function):
                if isinstance(statement, ast.Assign) and dotted(statement.targets[0]) == [subscript.value.id]:
                    for child in ast.walk(statement.value):
                        name = self._cuda_entry(child)
                        if name:
                            module, node = self.pipeline.tree.resolve(self.module, name)
                            return (module, node) if isinstance(node, ast.ClassDef) else (None, None)
        return None, None

    @staticmethod
    def _cuda_entry(node):
        if isinstance(node, ast.Lambda) and isinstance(node.body, ast.Name):
            return node.body.id
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                if isinstance(key, ast.Constant) and key.value == "cuda" and isinstance(value, ast.Name):
                    return value.id
        return None

    def _attribute_class(self, owner, attribute):
        if attribute in ("draft_worker", "_draft_worker"):
            return self.pipeline.draft_worker() if attribute == "draft_worker" else self._made(owner, attribute)
        module, function = owner.method(attribute)
        if function is not None:  # a property that returns another attribute
            for node in ast.walk(function):
                chain = dotted(node.value) if isinstance(node, ast.Return) and node.value is not None else []
                if len(chain) == 2 and chain[0] == "self" and chain[1] != attribute:
                    return self._attribute_class(owner, chain[1])
            return None
        return self._made(owner, attribute)

    def _made(self, owner, attribute):
        """The class of `self.attribute = Class(...)` in any method, found in the text: a walk would cost too much."""
        key = (owner.module.path, owner.name, attribute)
        if key not in self.pipeline.made:
            self.pipeline.made[key] = self._find_made(owner, attribute)
        return self.pipeline.made[key]

    def _find_made(self, owner, attribute):
        made = re.compile(rb"self\.%s\s*(?::[^=\n]*)?=\s*(\w+)\(" % attribute.encode())
        for module, node in owner.lineage:
            for name in [m.decode() for m in made.findall(module.text(node))]:
                if name.startswith(OTHER_HARDWARE):
                    continue
                if name not in module.classes and name not in module.imports:
                    _import_inside(module, name)
                where, found = self.pipeline.tree.resolve(module, name)
                if isinstance(found, ast.ClassDef):
                    return self.pipeline.owner(where, found)
        return None

    # Calls that matter by themselves.

    def _at_set_global_expert_location_metadata(self, node, chain, guard):
        line_of_check, check = _divisibility(self.pipeline)
        line, otherwise = _without_hook(self.pipeline)
        self.steps.append(Step("eplb/expert_location.py", line, "ModelConfigForExpertLocation.from_model_config", guard,
                               {"set": CONFIG, "to": '("present") if (class.has_hook) else (%s)' % otherwise}))
        if check:
            self.steps.append(Step("eplb/expert_location.py", line_of_check, "ExpertLocationMetadata._init_common",
                                   conjunction([guard, check[0]]),
                                   {"check": check[1], "error": "AssertionError", "message": ""}))
        self.add(node, guard, set=METADATA, to='("present") if (%s is not None) else (None)' % CONFIG)

    def _at_initialize_moe_config(self, node, chain, guard):
        self.add(node, guard, set="state.moe_a2a_backend", to="args.moe_a2a_backend")
        if self.pipeline.facts.is_field("speculative_moe_a2a_backend"):
            self.add(node, guard, set="state.draft_moe_a2a_backend",
                     to="(args.moe_a2a_backend) if (args.speculative_moe_a2a_backend is None) else "
                        "(args.speculative_moe_a2a_backend)")

    def _at_set_eagle3_layers_to_capture(self, node, chain, guard):
        if chain[-2:-1] == ["model"]:
            self.add(node, guard, check="class." + EAGLE3, error="AttributeError",
                     message="'{class.name}' object has no attribute '%s'" % EAGLE3)

    def _at_load_model(self, node, chain, guard):
        if chain[:1] == ["self"]:
            self.add(node, guard, milestone="weights are loaded", id="load-weights")

    def _at_init_memory_pool(self, node, chain, guard):
        if chain[:1] == ["self"] and self.owner is not None and "Runner" in self.owner.name:
            self.add(node, guard, memory="the KV pool is sized from what the weights left free", id="memory-pool")

    def _at__dummy_run(self, node, chain, guard):
        self.add(node, guard, forward="a dummy run that warms up kernels")

    def _at_capture(self, node, chain, guard):
        if chain == ["self", "capture"] and self.owner is not None and "Runner" in self.owner.name:
            prefill = "prefill " if "Prefill" in self.owner.name or "Piecewise" in self.owner.name else ""
            self.add(node, guard, forward="warm-up before the capture of a %sCUDA graph" % prefill)


ANCHORS = {n[len("_at_"):] for n in vars(Steps) if n.startswith("_at_")}


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
        error, message = _raised(node, self.translator)
        self.add(node, guard, throw=error or "Exception", message=message)

    def leave(self, node, guard):
        self.add(node, guard, leave="nothing to dispatch" if isinstance(node.value, ast.Constant) else "the dispatch table")


def message_of(node, translator):
    """The text of a message, with {name} where a value that is known by name is filled in."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts.append(str(value.value))
            else:
                name = translator.condition(value.value)
                parts.append("{%s}" % name if name.replace(".", "").replace("_", "").isalnum() else "...")
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return message_of(node.left, translator) + message_of(node.right, translator)
    return ""


def _raised(node, translator):
    raised = node.exc
    if isinstance(raised, ast.Call):
        return call_name(raised), message_of(raised.args[0] if raised.args else None, translator)
    return (dotted(raised) or [""])[-1] if raised is not None else "", ""


def _line_of_call(module, function, *names):
    node = module.functions.get(function)
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
    for name in names:
        for call in calls:
            if call_name(call) == name:
                return call.lineno
    return None


def _without_hook(pipeline):
    """(line, what from_model_config gives for a class that has no hook): None, a dummy, or unknown."""
    module = pipeline.tree.module("eplb/expert_location.py")
    node = module.classes.get("ModelConfigForExpertLocation") if module else None
    function = methods(node).get("from_model_config") if node is not None else None
    for statement in ast.walk(function) if function is not None else []:
        if isinstance(statement, ast.If) and mentions_text(statement.test, HOOK):
            other = [s for s in statement.orelse if isinstance(s, ast.Return)] or \
                [s for s in function.body if isinstance(s, ast.Return)]
            value = other[0].value if other else None
            if value is None or isinstance(value, ast.Constant) and value.value is None:
                return statement.lineno, "None"
            if isinstance(value, ast.Call) and "dummy" in call_name(value):
                return statement.lineno, '"dummy"'
    return function.lineno if function is not None else 0, 'unknown("what a class without the hook gives")'


def _import_inside(module, name):
    """Notes the import of a name that a method makes for itself."""
    text = b"\n".join(module.lines)
    match = re.search(rb"from\s+sglang\.srt\.([\w.]+)\s+import\s+(?:\([^)]*\b%s\b|[^\n(]*\b%s\b)" % (2 * (name.encode(),)), text)
    if match:
        module.imports[name] = (match.group(1).decode().replace(".", "/") + ".py", name)


def mentions_text(node, text):
    return any(isinstance(n, ast.Constant) and n.value == text for n in ast.walk(node))


def _divisibility(pipeline):
    """(line, (guard, check)) of the assert that physical experts divide evenly over the expert-parallel ranks."""
    module = pipeline.tree.module("eplb/expert_location.py")
    node = module.classes.get("ExpertLocationMetadata") if module else None
    function = methods(node).get("_init_common") if node is not None else None
    for statement in function.body if function is not None else []:
        if isinstance(statement, ast.Assert) and "num_physical_experts % ep_size == 0" in ast.unparse(statement.test):
            experts = "model.num_experts"
            if _without_hook(pipeline)[1] == '"dummy"':
                return statement.lineno, ("True", "(((%s) if (class.has_hook) else (1)) + args.ep_num_redundant_experts) "
                                                  "%% args.ep_size == 0" % experts)
            return statement.lineno, ("class.has_hook", "(%s + args.ep_num_redundant_experts) %% args.ep_size == 0" % experts)
    return 0, None
