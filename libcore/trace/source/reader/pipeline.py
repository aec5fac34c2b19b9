"""The init pipeline of a tree: from ServerArgs to the first forward, as procedures made of steps.

A procedure is one function of the tree. A step has the place it stands at, the condition under which it runs and one
effect. Functions without any step of interest leave no trace.
"""

import ast
import re

from argument_steps import ArgumentSteps
from close_steps import DispatchSteps
from conditions import METADATA
from flow import Flow
from models import DISPATCH
from owners import Owner
from steps import Step, Steps
from syntax import call_name, methods

# A file without any of these can hold no step.
INTEREST = re.compile(rb"set_global_expert_location_metadata|initialize_moe_config|set_eagle3_layers_to_capture|"
                      rb"is_draft_worker=True|expert_distribution_recorder_mode|_dummy_run|self\.capture\(|"
                      rb"def (?:load_model|init_memory_pool|init_tp_model_worker|init_cuda_graphs)\(|ModelRunner\(")
DRAFT_FILES = ("speculative/eagle_worker.py", "speculative/eagle_worker_v2.py", "speculative/standalone_worker_v2.py")
MAX_FUNCTION_DEPTH = 40


class Pipeline:
    """Builds the procedures; `problems` names what an expected tree has and this one lacks."""

    def __init__(self, tree, facts):
        self.tree, self.facts = tree, facts
        self.procedures = {}   # name -> [Step]; in order of completion
        self.problems = []
        self.arguments = "lost"  # until a step of the argument stage is found
        self.absent = []         # checks that an expected tree has and this one lacks
        self.made = {}         # (file, class, attribute) -> Owner or None
        self._owners = {}
        self._interest = {}
        self._active = []

    def build(self):
        launch = self.procedures["launch"] = []
        self._server_args(launch)
        self._engine(launch)
        self._scheduler(launch)
        self._dispatch()
        if launch and not self._target_sets_metadata("launch", set()):
            self.problems.append("no step was found that sets the expert-location metadata")
            launch.insert(0, Step("managers/scheduler.py", 1, "Scheduler", "True",
                                  {"set": METADATA, "to": 'unknown("the step that sets it was not found")'}))

    def _target_sets_metadata(self, name, seen):
        """Whether the target's own way through the procedures comes by a step that sets the metadata."""
        if name in seen:
            return False
        seen.add(name)
        return any(step.effect.get("set") == METADATA or
                   step.effect.get("worker") != "draft" and self._target_sets_metadata(step.effect.get("call"), seen)
                   for step in self.procedures.get(name, []))

    def _server_args(self, launch):
        owner = self._class("server_args.py", "ServerArgs")
        if owner is None:
            self.problems.append("nothing of the argument stage was found: server_args.py has no class ServerArgs")
            return
        module, function = owner.method("__post_init__")
        name = self.procedure(owner, module, function, ArgumentSteps) if function else None
        if name:
            self.arguments = "read"
            launch.append(Step(module.path, function.lineno, "ServerArgs", "True", {"call": name, "worker": "main"}))
        else:
            self.problems.append("nothing of the argument stage was found: ServerArgs.__post_init__ %s"
                                 % ("holds no step that can be read" if function else "is missing"))

    def _engine(self, launch):
        """What the engine checks before it starts a process."""
        for module, owner, function in self._engine_starts():
            name = self.procedure(owner, module, function, ArgumentSteps)
            if name:
                launch.append(Step(module.path, function.lineno, "launch_server", "True", {"call": name, "worker": "main"}))
                return
        self.absent.append("the engine's own checks of the arguments (check_server_args): not in this tree")

    def _engine_starts(self):
        module = self.tree.module("entrypoints/engine.py")
        names = ("_launch_subprocesses", "launch_subprocesses", "_launch_engine")
        for name in names if module else ():
            if name in module.functions:
                yield module, None, module.functions[name]
            for node in module.classes.values():
                if name in methods(node):
                    yield module, self.owner(module, node), methods(node)[name]
        owner = self.server_args()
        where, function = owner.method("check_server_args") if owner else (None, None)
        if function is not None:
            yield where, owner, function

    def server_args(self):
        """The Owner of ServerArgs, or None."""
        return self._class("server_args.py", "ServerArgs")

    def add_end(self, steps, path, line, label, guard, effect):
        """A step that can end the server."""
        steps.append(Step(path, line, label, guard, effect))

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
        if path not in self._interest:
            text = self.tree.read(path) or self.tree.read(path[:-3] + "/__init__.py")
            self._interest[path] = INTEREST.search(text) is not None
        return self._interest[path]

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


def _line_of_call(module, function, *names):
    node = module.functions.get(function)
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
    for name in names:
        for call in calls:
            if call_name(call) == name:
                return call.lineno
    return None
