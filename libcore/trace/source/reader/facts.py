"""What a tree says about its own flags, defaults and environment variables."""

import ast
import re

from conditions import Translator
from enumerations import Enumeration, registered
from formulas import literal, one_of
from models import EAGLE3, HOOK
from owners import Owner
from syntax import call_name, defaults, dotted, methods

ENVIRONMENT = re.compile(rb"^    (\w+)\s*=\s*Env\w+\((None|True|False|-?\d+|\"[^\"\n]*\"|'[^'\n]*')\)", re.M)


class Facts:
    """Fields of ServerArgs and enumerations that conditions refer to."""

    ARGUMENT_CLASSES = {"ServerArgs"}
    CLASS_METHODS = {HOOK, EAGLE3, "set_dflash_layers_to_capture", "set_dspark_layers_to_capture"}

    def __init__(self, tree):
        self.tree = tree
        self.environment = set()
        self.fields = {}  # name -> default expression or None
        self.module = tree.module("server_args.py")
        self.server_args = self.module.classes.get("ServerArgs") if self.module else None
        for statement in self.server_args.body if self.server_args else []:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self.fields[statement.target.id] = statement
        self.a2a = self._enumeration("layers/moe/utils.py", "MoeA2ABackend", lambda name, value: name.lower())
        self.speculative = self._enumeration("speculative/spec_info.py", "SpeculativeAlgorithm",
                                             lambda name, value: None if name == "NONE" else name)
        self._runner = None

    def _enumeration(self, path, name, fallback):
        module = self.tree.module(path)
        node = module.classes.get(name) if module else None

        def value_of(member, value):
            return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else fallback(member, value)
        return Enumeration(node, value_of, registered(module, name) if node else ())

    def own_field(self, class_name, name):
        """The argument that `self.name` is in a class of arguments; None where it is none."""
        return "args." + name if self.is_field(name) else None

    def special(self, chain):
        """What a chain of names means in this server alone; None for most."""

    def a2a_test(self, name):
        """The condition that a question of the all-to-all backend is; None where the tree has none of that name."""
        values = self.a2a.tests.get(name)
        return None if values is None else "state.moe_a2a_backend" + one_of(values)

    def is_field(self, name):
        return name in self.fields

    def runner_attribute(self, translator, name):
        """What `model_runner.name` stands for."""
        if self._runner is None:
            module = self.tree.module("model_executor/model_runner.py")
            node = module.classes.get("ModelRunner") if module else None
            self._runner = Owner(self.tree, self, module, node) if node else False
        return self._runner.attribute(name) if self._runner else None

    def default_of(self, name):
        """The default of a ServerArgs field as a literal's text; None when it is no plain literal."""
        statement = self.fields.get(name)
        return None if statement is None or statement.value is None else self.constant(statement.value)

    def constant(self, node):
        if isinstance(node, ast.Constant):
            return literal(node.value)
        if isinstance(node, (ast.List, ast.Tuple)) and all(isinstance(e, ast.Constant) for e in node.elts):
            return "[" + ", ".join(literal(e.value) or "None" for e in node.elts) + "]"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return literal(-node.operand.value) if isinstance(node.operand.value, (int, float)) else None
        chain = dotted(node)
        if len(chain) == 2 and chain[0] in ("ServerArgs", "cls"):
            return self.default_of(chain[1])
        if isinstance(node, ast.Name):
            return Translator(self.tree, self, self.module).condition(node) if node.id in self.module.constants else None
        return None

    def environment_defaults(self):
        """{variable: default literal} of the variables that conditions mention."""
        text = self.tree.read("environ.py")
        declared = {}
        for name, value in ENVIRONMENT.findall(text):
            declared[name.decode()] = value.decode().replace("'", '"')
        return {name: declared.get(name, "None") for name in sorted(self.environment)}


class Flag:
    """One option of the server's command line."""

    def __init__(self, names, field, takes, choices, place):
        self.names, self.field, self.takes, self.choices, self.place = names, field, takes, choices, place


def read_flags(tree, facts):
    """Every option that the tree's launch command accepts; [] when server_args.py can't be read."""
    flags = []
    paths = ["server_args.py"] + [p for p in tree.files("arg_groups") if b"add_argument(" in tree.read(p)]
    for path in paths:
        module = tree.module(path)
        for node in _add_argument_calls(module):
            flag = _from_call(facts, module, node)
            if flag:
                flags.append(flag)
    flags += _from_annotations(facts)
    known = {}
    for flag in flags:
        known.setdefault(flag.names[0], flag)
    return list(known.values())


def _add_argument_calls(module):
    if module is None:
        return
    for owner in list(module.classes.values()) + list(module.functions.values()):
        if b"add_argument" in module.text(owner):
            for node in ast.walk(owner):
                if isinstance(node, ast.Call) and call_name(node) == "add_argument":
                    yield node


def _from_call(facts, module, node):
    names = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    if not names or not names[0].startswith("-"):
        return None
    options = {k.arg: k.value for k in node.keywords}
    field = options["dest"].value if isinstance(options.get("dest"), ast.Constant) else _field_name(facts, names)
    action = options["action"].value if isinstance(options.get("action"), ast.Constant) else \
        (dotted(options["action"]) or [""])[-1] if "action" in options else ""
    takes = "value"
    if action in ("store_true", "store_false", "store_const", "count", "version", "help"):
        takes = {"store_true": "true", "store_false": "false"}.get(action, "none")
    elif action == "BooleanOptionalAction":
        takes = "switch"
    elif "nargs" in options:
        nargs = options["nargs"].value if isinstance(options["nargs"], ast.Constant) else "+"
        takes = "optional" if nargs == "?" else "list"
    elif action:
        takes = _own_action(facts.tree, module, action)
    choices = facts.constant(options["choices"]) if "choices" in options else None
    return Flag(names, field, takes, choices, "%s:%d" % (module.path, node.lineno))


def _own_action(tree, module, name):
    """What an option takes whose action is a class of the tree: nothing where `nargs` is 0 unless it is given."""
    _, node = tree.resolve(module, name)
    own = methods(node) if isinstance(node, ast.ClassDef) else {}
    if "__init__" not in own or defaults(own["__init__"]).get("nargs") != 0:
        return "value"
    body = own["__call__"].body if "__call__" in own else []
    if any(isinstance(statement, ast.Raise) for statement in body):
        return "refused"
    stores = [c for s in body for c in ast.walk(s) if isinstance(c, ast.Call) and call_name(c) == "setattr" and len(c.args) == 3]
    return "true" if any(isinstance(c.args[2], ast.Constant) and c.args[2].value is True for c in stores) else "none"


def _field_name(facts, names):
    """The field that an option sets: by its first name, or by an alias that is a field (--tensor-parallel-size, --tp-size)."""
    fields = [n.lstrip("-").replace("-", "_") for n in names if n.startswith("--")] or [names[0].lstrip("-")]
    return next((f for f in fields if facts.is_field(f)), fields[0])


def _from_annotations(facts):
    """Options of fields that are annotated with A[type, Arg(...)] or A[type, "help"]."""
    for name, statement in facts.fields.items():
        annotation = statement.annotation
        if not (isinstance(annotation, ast.Subscript) and dotted(annotation.value)[-1:] in (["A"], ["Annotated"])):
            continue
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        options = {}
        for part in parts[1:]:
            if isinstance(part, ast.Call) and call_name(part) == "Arg":
                options = {k.arg: k.value for k in part.keywords}
        if isinstance(options.get("no_cli"), ast.Constant) and options["no_cli"].value:
            continue
        yield _annotated_flag(facts, name, statement, parts[0], options)


def _annotated_flag(facts, name, statement, kind, options):
    own = options["cli_name"].value if isinstance(options.get("cli_name"), ast.Constant) else "--" + name.replace("_", "-")
    aliases = [e.value for e in options["aliases"].elts if isinstance(e, ast.Constant)] \
        if isinstance(options.get("aliases"), ast.List) else []
    takes = "value"
    action = (dotted(options["action"]) or [""])[-1] if "action" in options else ""
    if action == "BooleanOptionalAction":
        takes = "switch"
    elif isinstance(kind, ast.Name) and kind.id == "bool" and "action" not in options:
        takes = "false" if facts.default_of(name) == "True" else "true"
    elif "nargs" in options or any(w in ast.unparse(kind) for w in ("List[", "list[")):
        nargs = options["nargs"].value if isinstance(options.get("nargs"), ast.Constant) else "+"
        takes = "optional" if nargs == "?" else "list" if "nargs" in options else "value"
    choices = facts.constant(options["choices"]) if "choices" in options else _literal_choices(kind)
    return Flag([own if own.startswith("-") else "--" + own] + aliases, name, takes, choices,
                "%s:%d" % (facts.module.path, statement.lineno))


def _literal_choices(kind):
    for node in ast.walk(kind):
        if isinstance(node, ast.Subscript) and dotted(node.value)[-1:] == ["Literal"]:
            items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if all(isinstance(i, ast.Constant) for i in items):
                return "[" + ", ".join(literal(i.value) or "None" for i in items) + "]"
    return None
