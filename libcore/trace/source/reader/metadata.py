"""How a tree makes the expert-location metadata (eplb/expert_location.py)."""

import ast

from models import HOOK
from syntax import call_name, methods

PATH = "eplb/expert_location.py"


def without_hook(pipeline):
    """(line, what from_model_config gives for a class that has no hook): None, a dummy, or unknown."""
    module = pipeline.tree.module(PATH)
    node = module.classes.get("ModelConfigForExpertLocation") if module else None
    function = methods(node).get("from_model_config") if node is not None else None
    for statement in ast.walk(function) if function is not None else []:
        if isinstance(statement, ast.If) and _mentions_text(statement.test, HOOK):
            other = [s for s in statement.orelse if isinstance(s, ast.Return)] or \
                [s for s in function.body if isinstance(s, ast.Return)]
            value = other[0].value if other else None
            if value is None or isinstance(value, ast.Constant) and value.value is None:
                return statement.lineno, "None"
            if isinstance(value, ast.Call) and "dummy" in call_name(value):
                return statement.lineno, '"dummy"'
    return function.lineno if function is not None else 0, 'unknown("what a class without the hook gives")'


def _mentions_text(node, text):
    return any(isinstance(n, ast.Constant) and n.value == text for n in ast.walk(node))


def divisibility(pipeline):
    """(line, (guard, check)) of the assert that physical experts divide evenly over the expert-parallel ranks."""
    module = pipeline.tree.module(PATH)
    node = module.classes.get("ExpertLocationMetadata") if module else None
    function = methods(node).get("_init_common") if node is not None else None
    for statement in function.body if function is not None else []:
        if isinstance(statement, ast.Assert) and "num_physical_experts % ep_size == 0" in ast.unparse(statement.test):
            experts = "model.num_experts"
            if without_hook(pipeline)[1] == '"dummy"':
                return statement.lineno, ("True", "(((%s) if (class.has_hook) else (1)) + args.ep_num_redundant_experts) "
                                                  "%% args.ep_size == 0" % experts)
            return statement.lineno, ("class.has_hook", "(%s + args.ep_num_redundant_experts) %% args.ep_size == 0" % experts)
    return 0, None
