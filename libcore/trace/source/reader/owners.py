"""Classes with their bases resolved, and what their attributes mean."""

import ast

from conditions import Translator
from flow import Flow, Listener
from formulas import unknown
from syntax import dotted, methods


class Owner:
    """A class of the tree: its methods and attributes through inheritance.

    `worth_reading` says of a base's file whether it can matter; without it every base is read.
    """

    def __init__(self, tree, facts, module, node, worth_reading=None):
        self.worth_reading = worth_reading
        self.tree, self.facts, self.module, self.node = tree, facts, module, node
        self.is_server_args = node.name in facts.ARGUMENT_CLASSES
        self.lineage = self._lineage(module, node, [])
        self._attributes = {}

    @property
    def name(self):
        return self.node.name

    def _lineage(self, module, node, seen):
        """[(module, class)] in resolution order; depth first is close enough for the trees at hand."""
        if any(node is s for _, s in seen):
            return seen
        seen.append((module, node))
        for base in node.bases:
            name = ".".join(dotted(base))
            if name and self._worth(module, name):
                base_module, base_node = self.tree.resolve(module, name)
                if isinstance(base_node, ast.ClassDef):
                    self._lineage(base_module, base_node, seen)
        return seen

    def _worth(self, module, name):
        first = name.split(".")[0]
        path = self.tree.alias(module, first) if "." in name else module.imports.get(name, (None,))[0]
        return path is None or self.worth_reading is None or self.worth_reading(path)

    def method(self, name):
        """(module, function) of a method, own or inherited, or (None, None)."""
        for module, node in self.lineage:
            found = methods(node).get(name)
            if found is not None:
                return module, found
        return None, None

    def is_property(self, name):
        function = self.method(name)[1]
        return function is not None and any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list)

    def attribute(self, name):
        """The condition that `self.name` stands for, from the assignments in __init__; None when there is none."""
        if name not in self._attributes:
            self._attributes[name] = None  # an attribute that depends on itself stays unread
            self._attributes[name] = self._read_attribute(name)
        return self._attributes[name]

    def _read_attribute(self, name):
        for module, node in self.lineage:
            own = methods(node)
            if name in own and any(isinstance(d, ast.Name) and d.id == "property" for d in own[name].decorator_list):
                call = ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=[], keywords=[])
                return Translator(self.tree, self.facts, module, self).condition(call)
            if "__init__" in own:
                collector = _AttributeCollector(name)
                translator = Translator(self.tree, self.facts, module, self, own["__init__"])
                collector.translator = translator
                Flow(translator, collector).run(own["__init__"])
                if collector.value is not None:
                    return collector.value
        return None


class _AttributeCollector(Listener):
    """Folds the assignments of one attribute into one expression."""

    def __init__(self, name):
        self.name, self.value, self.translator = name, None, None

    def assign(self, target, value, guard):
        if not (isinstance(target, ast.Attribute) and target.attr == self.name and
                isinstance(target.value, ast.Name) and target.value.id == "self"):
            return
        text = self.translator.condition(value) if isinstance(value, ast.expr) else unknown(target)
        if isinstance(value, ast.Call):
            text = _draft_setting(value) or text
        if guard != "True" and self.value is not None:
            text = "(%s) if (%s) else (%s)" % (text, guard, self.value)
        self.value = text if len(text) < 1000 else unknown(target)


def _draft_setting(call):
    """`eagle_config.get("name", default)`: a setting of the draft model's own configuration."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "get" and isinstance(function.value, ast.Name) and \
            function.value.id == "eagle_config" and call.args and isinstance(call.args[0], ast.Constant):
        return "draft.%s" % call.args[0].value
    return None
