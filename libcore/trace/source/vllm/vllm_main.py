"""Reads a vLLM tree and prints, in the form of ringside's trace scenarios, what of its start can be told from the arguments: the
checks of its configurations, and what expert load balancing does to each model class.

Arguments: the vllm folder, then the architectures of interest, or --all.
"""

import ast
import os
import re
import sys

import conditions
from argument_steps import ArgumentSteps
from facts import Flag
from main import Output, inline, put_flags, toml_string
from owners import Owner
from pipeline import Pipeline
from steps import Step
from syntax import Tree, call_name, methods, use_package
from vllm_facts import CONFIGS, VllmFacts
from vllm_models import Models

FRONTEND = "entrypoints/openai/cli_args.py"
RUNNER = "v1/worker/gpu_model_runner.py"
ROUTER = "model_executor/layers/fused_moe/router/base_router.py"
# The checks of a start, in their order: class and method.
STAGE = (("EPLBConfig", "_validate_eplb_config"), ("ParallelConfig", "_validate_parallel_config"), ("ParallelConfig", "__post_init__"),
         ("ModelConfig", "verify_with_parallel_config"), ("ModelConfig", "_verify_with_expert_parallelism"))
V2_RUNNER = re.compile(rb"DEFAULT_V2_MODEL_RUNNER_ARCHITECTURES\s*=\s*frozenset\(([^)]*)\)")


class VllmPipeline(Pipeline):
    def build(self):
        launch = self.procedures["launch"] = []
        for name, method in STAGE:
            owner = self._class(CONFIGS[name], name)
            module, function = owner.method(method) if owner else (None, None)
            if function is None or method == "_verify_with_expert_parallelism" and self._called(owner, method):
                continue
            procedure = self.procedure(owner, module, function, ArgumentSteps)
            if procedure:
                self.arguments = "read"
                launch.append(Step(module.path, function.lineno, name, "True", {"call": procedure, "worker": "main"}))
        if self.arguments != "read":
            self.problems.append("nothing of the argument stage was found: no check of config/parallel.py and config/model.py")
        runner = self.tree.module(RUNNER)
        line = _line_of(runner, "GPUModelRunner", "_dummy_run")
        launch.append(Step(RUNNER, line, "GPUModelRunner._dummy_run", "True",
                           {"forward": "the profile run, and the step of EPLB behind it", "worker": "target"}))
        self._dispatch(runner)

    def _called(self, owner, method):
        return any(("self.%s(" % method).encode() in m.text(f) for m, n in owner.lineage for name, f in methods(n).items() if name != method)

    def _dispatch(self, runner):
        """What happens to a model with experts that is no MixtureOfExperts: in its layers, or in the step behind the forward."""
        steps = self.procedures["dispatch"] = []
        line, message = _raised(self.tree.module(ROUTER), b"expert_load_view")
        steps.append(Step(ROUTER, line, "BaseRouter._validate_eplb_state", "class.trait_passes_eplb",
                          {"throw": "ValueError", "message": message}))
        steps.append(Step(RUNNER, _assert_line(runner, "GPUModelRunner", "eplb_step"), "GPUModelRunner.eplb_step", "True",
                          {"throw": "AssertionError", "message": ""}))


def _line_of(module, owner, method):
    node = module.classes.get(owner) if module else None
    function = methods(node).get(method) if node is not None else None
    return function.lineno if function is not None else 1


def _assert_line(module, owner, method):
    node = module.classes.get(owner) if module else None
    function = methods(node).get(method) if node is not None else None
    lines = [n.lineno for n in ast.walk(function) if isinstance(n, ast.Assert)] if function is not None else []
    return lines[-1] if lines else 1


def _raised(module, word):
    for node in module.classes.values() if module else ():
        for function in methods(node).values():
            for child in ast.walk(function):
                if isinstance(child, ast.Raise) and isinstance(child.exc, ast.Call) and child.exc.args and \
                        isinstance(child.exc.args[0], ast.Constant) and word.decode() in str(child.exc.args[0].value):
                    return child.lineno, child.exc.args[0].value
    return 1, ""


def read_flags(tree, facts):
    flags = {}
    node = facts.server_args
    for call in ast.walk(node) if node is not None else ():
        if isinstance(call, ast.Call) and call_name(call) == "add_argument":
            names = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            long = next((n for n in names if n.startswith("--")), None)
            if long is None:
                continue
            field = long[2:].replace("-", "_")
            takes = "switch" if facts.is_switch(field) else "value"
            flags.setdefault(long, Flag([long] + [n for n in names if n != long], field, takes, facts.choices(field),
                                        "engine/arg_utils.py:%d" % call.lineno))
    for name in facts.fields:
        if "." in name:
            option = "--" + name.split(".")[0].replace("_", "-") + "." + name.split(".")[1]
            flags.setdefault(option, Flag([option], name, "value", None, "config/parallel.py:1"))
    for flag in _frontend_flags(tree):
        flags.setdefault(flag.names[0], flag)
    return list(flags.values())


def _frontend_flags(tree):
    """Options of the HTTP server: fields of its argument classes, and what is added by hand."""
    module = tree.module(FRONTEND)
    for node in module.classes.values() if module else ():
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                name = statement.target.id
                takes = "switch" if ast.unparse(statement.annotation).startswith("bool") else "value"
                yield Flag(["--" + name.replace("_", "-")], name, takes, None, "%s:%d" % (FRONTEND, statement.lineno))
    for node in module.functions.values() if module else ():
        for call in ast.walk(node):
            names = [a.value for a in getattr(call, "args", ()) if isinstance(a, ast.Constant) and isinstance(a.value, str)] \
                if isinstance(call, ast.Call) and call_name(call) == "add_argument" else []
            if any(n.startswith("--") for n in names):
                actions = [k.value.value for k in call.keywords if k.arg == "action" and isinstance(k.value, ast.Constant)]
                long = next(n for n in names if n.startswith("--"))
                yield Flag([long] + [n for n in names if n != long], long[2:].replace("-", "_"),
                           "true" if "store_true" in actions else "value", None, "%s:%d" % (FRONTEND, call.lineno))


def v2_runner(tree):
    match = V2_RUNNER.search(tree.read("config/vllm.py"))
    return set(re.findall(r"\w+", match.group(1).decode())) if match else set()


def class_row(models, name, v2, delegates):
    """The line of an architecture: its hook is the protocol that EPLB needs."""
    found = models.judge(name)
    inner = found["inner"]
    row = {"name": toml_string(name), "at": toml_string("%s:%d" % found["at"])}
    has = found["protocol"] or bool(delegates and inner and inner["protocol"])
    unknown = found.get("unread") or not has and found["chosen"]
    row["hook"] = toml_string("unknown" if unknown else "yes" if has else "no")
    if has:
        row["hook_at"] = toml_string("%s:%d" % (found["at"] if found["protocol"] else inner["at"]))
    experts = found["experts"] or bool(inner and inner["experts"])
    traits = ["experts"] if experts else []
    if found["passes"] or inner and (inner["passes"] or inner["protocol"]):
        traits.append("passes_eplb")
    if name in v2:
        traits.append("v2_runner")
    row["traits"] = "[" + ", ".join(toml_string(t) for t in traits) + "]"
    if experts and not has and name not in v2 or unknown:
        guard = 'args.enable_eplb and unknown("%s")' % ("its inner model is chosen at run time") if unknown else "args.enable_eplb"
        frame = inline({"at": toml_string(RUNNER + ":1"), "in": toml_string("GPUModelRunner._dummy_run")})
        row["sites"] = "[" + inline({"guard": toml_string(guard), "frames": "[%s]" % frame}) + "]"
    return "  " + inline(row) + ","


def main(folder, wanted):
    use_package("vllm.")
    conditions.ARGS_OWNERS.update({"parallel_config", "engine_args"})
    tree = Tree(folder)
    facts = VllmFacts(tree)
    models = Models(tree)
    pipeline = VllmPipeline(tree, facts)
    pipeline.build()
    if facts.server_args is None:
        print("not a whole vLLM tree: engine/arg_utils.py has no class EngineArgs", file=sys.stderr)
        sys.stderr.flush()
        os._exit(2)
    output = Output()
    output.put('kind = "init-pipeline"')
    output.put('server = "vllm"')
    output.put('entry = "launch"')
    every = "--all" in wanted
    output.put("all_classes = " + ("true" if every else "false"))
    put_flags(output, read_flags(tree, facts))
    v2, delegates = v2_runner(tree), b"def get_mixture_of_experts_model" in tree.read("model_executor/models/interfaces.py") or \
        b"def _moe_model" in tree.read(RUNNER)
    output.put("class = [")
    for name in sorted(models.registry):
        if every or name in wanted:
            output.put(class_row(models, name, v2, delegates))
    output.put("]")
    output.put("arguments = " + toml_string(pipeline.arguments))
    output.put("[fields]")
    for name in facts.fields:
        default = facts.default_of(name)
        if default is not None and not default.startswith("unknown("):
            output.put("%s = %s" % (toml_string(name), toml_string(default)))
    output.put("[environment]")
    for name, default in facts.environment_defaults().items():
        output.put("%s = %s" % (name, toml_string(default)))
    for name, steps in pipeline.procedures.items():
        if steps:
            output.put("[[procedure]]")
            output.put("name = " + toml_string(name))
            output.put("step = [")
            for step in steps:
                output.step(step)
            output.put("]")
    for path, what in tree.problems + [("", w) for w in pipeline.problems]:
        output.put("[[problem]]")
        if path:
            output.put("file = " + toml_string(path))
        output.put("what = " + toml_string(what))
    sys.stdout.buffer.write(("\n".join(output.lines) + "\n").encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    os._exit(0)
