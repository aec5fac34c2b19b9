"""The steps of one function: what it does to the flags and the metadata of this matter, and whom it calls."""

import ast

from callees import Callees
from conditions import METADATA, Translator, defaults_of
from flow import Listener
from formulas import conjunction, negation, one_of
from messages import message_of, raised_by
from metadata import PATH as LOCATION, divisibility, without_hook
from models import EAGLE3
from syntax import call_name, dotted

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
SAVES = ("backup", "saved", "old", "orig", "prev")
CONFIG = "state.expert_location_config"  # what from_model_config gives


class Step:
    def __init__(self, path, line, function, guard, effect):
        self.path, self.line, self.function, self.guard, self.effect = path, line, function, guard, effect


class Steps(Listener):
    """Turns one function into steps."""

    def __init__(self, pipeline, owner, module, function, steps):
        self.pipeline, self.owner, self.module, self.function, self.steps = pipeline, owner, module, function, steps
        self.callees = Callees(pipeline, owner, module, function)
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
        owner, module, function = self.callees.of(node, chain)
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
                self.add(target, conjunction([guard, *self._drafting(value)]), call=procedure, worker="draft")
        elif len(chain) > 1 and chain[-2] in ("server_args", "global_server_args") and chain[-1] in CORE:
            self._set(target, "args." + chain[-1], value, guard)

    def _drafting(self, value):
        """When a draft worker that is made by `value` has a model: a maker gives none where there is no algorithm, and drafts
        from n-grams need none."""
        made = self.translator.condition(value)
        if made == "args.speculative_algorithm":
            yield made
        ngram = self.pipeline.facts.speculative.tests.get("is_ngram")
        if ngram:
            yield negation("args.speculative_algorithm" + one_of(ngram))

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
        error, message = raised_by(node, self.translator)
        if error and self._concerns(node, guard) and guard != "True":
            self.add(node, guard, throw=error, message=message)

    def _concerns(self, node, guard):
        text = guard + " " + (self.translator.condition(node) if isinstance(node, ast.expr) else "")
        return METADATA in text or self.module.path.startswith("eplb/") and ".moe_a2a_backend" in text

    # Calls that matter by themselves.

    def _at_set_global_expert_location_metadata(self, node, chain, guard):
        line_of_check, check = divisibility(self.pipeline)
        line, otherwise = without_hook(self.pipeline)
        self.steps.append(Step(LOCATION, line, "ModelConfigForExpertLocation.from_model_config", guard,
                               {"set": CONFIG, "to": '("present") if (class.has_hook) else (%s)' % otherwise}))
        if check:
            self.steps.append(Step(LOCATION, line_of_check, "ExpertLocationMetadata._init_common",
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

    def _at_check_quantized_moe_compatibility(self, node, chain, guard):
        """The last of the server's own checks: of the shapes of quantised experts, before any weight is loaded."""
        from argument_steps import ArgumentSteps
        owner, module, function = self.callees.of(node, chain)
        procedure = self.pipeline.procedure(owner, module, function, ArgumentSteps) if function is not None else None
        if procedure:
            self.add(node, guard, call=procedure)

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
