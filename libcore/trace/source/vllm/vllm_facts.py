"""What a vLLM tree says about its own flags and their defaults."""

import ast
import re

from facts import Facts
from formulas import literal
from syntax import call_name, dotted

CONFIGS = {"ParallelConfig": "config/parallel.py", "EPLBConfig": "config/parallel.py", "ModelConfig": "config/model.py"}
SECTIONS = {"eplb_config": "EPLBConfig"}
ENVIRONMENT = re.compile(rb"^    (VLLM_\w+): [^=\n]+ = (None|True|False|-?\d+|\"[^\"\n]*\")$", re.M)
# Facts of the model, under the names that the configuration's checks use.
MODEL = {
    "total_num_attention_heads": "model.num_attention_heads",
    "get_total_num_kv_heads()": "model.num_key_value_heads",
    "get_num_experts()": "model.num_experts",
    "num_experts": "model.num_experts",
}
PLATFORM = {"is_cuda": "gpu.is_cuda", "is_cuda_alike": "gpu.is_cuda or gpu.is_hip", "is_rocm": "gpu.is_hip", "is_xpu": "gpu.is_xpu",
            "is_cpu": "gpu.is_cpu"}


class NoEnumeration:
    tests, makers, members = {}, set(), {}


class VllmFacts(Facts):
    """Fields of EngineArgs and of the configurations that it makes."""

    ARGUMENT_CLASSES = {"EngineArgs", "ParallelConfig", "EPLBConfig", "ModelConfig"}
    CLASS_METHODS = set()

    def __init__(self, tree):
        self.tree, self.environment, self.fields = tree, set(), {}
        self.a2a = self.speculative = NoEnumeration()
        self.module = tree.module("engine/arg_utils.py")
        self.classes = {name: self._class(path, name) for name, path in CONFIGS.items()}
        self.server_args = self.module.classes.get("EngineArgs") if self.module else None
        for node in (self.server_args, self.classes.get("ParallelConfig")):
            for name, statement in self._fields(node).items():
                self.fields.setdefault(name, statement)
        for section, owner in SECTIONS.items():
            for name, statement in self._fields(self.classes.get(owner)).items():
                self.fields.setdefault(section + "." + name, statement)

    def _class(self, path, name):
        module = self.tree.module(path)
        return module.classes.get(name) if module else None

    @staticmethod
    def _fields(node):
        return {s.target.id: s for s in (node.body if node is not None else [])
                if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}

    def runner_attribute(self, translator, name):
        return None

    def own_field(self, class_name, name):
        section = next((s for s, owner in SECTIONS.items() if owner == class_name), None)
        if section is not None:
            return "args.%s.%s" % (section, name) if section + "." + name in self.fields else None
        return "args." + name if name in self.fields and name not in SECTIONS else None

    def special(self, chain):
        if len(chain) == 2 and chain[0] == "envs":
            self.environment.add(chain[1])
            return "env." + chain[1]
        if len(chain) > 1 and chain[-2] in SECTIONS and "%s.%s" % tuple(chain[-2:]) in self.fields:
            return "args.%s.%s" % tuple(chain[-2:])
        if chain[-1] == "()":
            if len(chain) == 3 and chain[0] == "current_platform":
                return PLATFORM.get(chain[1])
            return MODEL.get(chain[-2] + "()") if len(chain) > 1 else None
        if chain[-1] == "use_mla" and len(chain) > 1:
            return "model.kv_lora_rank is not None"
        return MODEL.get(chain[-1]) if len(chain) > 1 else None

    def constant(self, node):
        chain = dotted(node)
        if len(chain) == 2 and chain[0] in self.classes or len(chain) == 2 and chain[0][:1].isupper():
            statement = self._fields(self.classes.get(chain[0])).get(chain[1])
            return self.constant(statement.value) if statement is not None and statement.value is not None else None
        if isinstance(node, ast.Call) and call_name(node) in ("Field", "field"):
            given = {k.arg: k.value for k in node.keywords}
            inner = node.args[0] if node.args else given.get("default")
            return self.constant(inner) if inner is not None else None
        if isinstance(node, ast.Call) and call_name(node) == "get_field" and len(node.args) == 2 and isinstance(node.args[1], ast.Constant):
            return self.constant(ast.Attribute(value=node.args[0], attr=node.args[1].value))
        return Facts.constant(self, node)

    def environment_defaults(self):
        declared = {name.decode(): value.decode() for name, value in ENVIRONMENT.findall(self.tree.read("envs.py"))}
        return {name: declared.get(name, "None") for name in sorted(self.environment)}

    def annotation(self, name):
        """The annotation of a field, that of its configuration where it is the same there."""
        for owner in ("ParallelConfig", "ModelConfig"):
            statement = self._fields(self.classes.get(owner)).get(name)
            if statement is not None:
                return self.tree.module(CONFIGS[owner]), statement.annotation
        statement = self.fields.get(name)
        return (self.module, statement.annotation) if statement is not None else (None, None)

    def choices(self, name):
        module, node = self.annotation(name)
        literals = []
        pending = [node] if node is not None else []
        while pending:
            current = pending.pop()
            if isinstance(current, ast.Name) and module and isinstance(module.constants.get(current.id), ast.Subscript):
                current = module.constants[current.id]
            if isinstance(current, ast.BinOp):
                pending += [current.left, current.right]
            elif isinstance(current, ast.Subscript) and dotted(current.value)[-1:] == ["Literal"]:
                items = current.slice.elts if isinstance(current.slice, ast.Tuple) else [current.slice]
                literals += [i.value for i in items if isinstance(i, ast.Constant)]
            elif not (isinstance(current, ast.Constant) and current.value is None):
                return None  # it takes something else too
        return "[" + ", ".join(literal(v) for v in literals) + "]" if literals else None

    def is_switch(self, name):
        _, node = self.annotation(name)
        return node is not None and ast.unparse(node).split(" | ")[0] == "bool"
