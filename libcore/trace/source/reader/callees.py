"""Whom a call calls: the function or constructor of the tree behind it."""

import ast
import re

from syntax import dotted, methods

OTHER_HARDWARE = ("Mlx", "NPU", "Npu", "CPU", "XPU", "HPU")  # classes that stand in for the CUDA ones elsewhere


class Callees:
    """Finds what the calls in one function mean."""

    def __init__(self, pipeline, owner, module, function):
        self.pipeline, self.owner, self.module, self.function = pipeline, owner, module, function

    def of(self, node, chain):
        """(owner, module, function) of a call; function is None where it is not known or of no interest."""
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
        name = self._class_behind(chain[0]) if len(chain) == 1 else chain[0]
        if len(chain) == 1 and not name.startswith(OTHER_HARDWARE) and self._of_interest(name):
            module, found = tree.resolve(self.module, name)
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

    def _class_behind(self, name):
        """The class that a local name stands for: of several, one that can hold steps (the others wrap it)."""
        if name in self.module.imports or name in self.module.classes or name in self.module.functions:
            return name
        for statement in ast.walk(self.function):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name) and \
                    dotted(statement.targets[0]) == [name] and self._of_interest(statement.value.id):
                return statement.value.id
        return name

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


def _import_inside(module, name):
    """Notes the import of a name that a method makes for itself."""
    text = b"\n".join(module.lines)
    match = re.search(rb"from\s+sglang\.srt\.([\w.]+)\s+import\s+(?:\([^)]*\b%s\b|[^\n(]*\b%s\b)" % (2 * (name.encode(),)), text)
    if match:
        module.imports[name] = (match.group(1).decode().replace(".", "/") + ".py", name)
