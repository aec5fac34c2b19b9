"""The model classes of a tree: which have the expert-location hook, which reach the dispatch, under what conditions."""

import ast
import re

from conditions import Translator
from flow import Flow, Listener
from formulas import conjunction, quote
from owners import Owner
from relevance import Relevance
from syntax import call_name, dotted, methods

HOOK = "get_model_config_for_expert_location"
DISPATCH = "ExpertLocationDispatchInfo"
EAGLE3 = "set_eagle3_layers_to_capture"
ENTRY = re.compile(rb"^EntryClass\s*=\s*(\[[^\]]*\]|\w+)", re.M)
DYNAMIC = {"get_model_architecture", "resolve_model_cls", "load_model_cls", "get_model_cls"}
NOT_CONSTRUCTION = {"load_weights", "load_kv_cache_scales", HOOK}
MAX_PATHS = 48


class Site:
    """One place that asks for the dispatch table: the frames that lead there from forward, and the condition."""

    def __init__(self, frames, guard):
        self.frames, self.guard = frames, guard

    def key(self):
        return (tuple(self.frames), self.guard)


class Models:
    def __init__(self, tree, facts):
        self.tree, self.facts = tree, facts
        self.paths = [p for p in tree.files("models")]
        self._owners, self._sites, self._reach, self._candidates = {}, {}, {}, {}
        self.dispatch_files = {p for p in self.paths + tree.files("layers/moe") if
                               (DISPATCH + ".init_new").encode() in tree.read(p)}
        marks = {HOOK, EAGLE3, DISPATCH + ".init_new"} | DYNAMIC
        relevance = Relevance(tree, sorted({*self.paths, *self.dispatch_files}), [m.encode() for m in marks])
        self.relevant = relevance.files
        self.apart = set(relevance.apart()).intersection(self.paths)

    def entries(self, wanted, paths):
        """[(class name, path, line, Owner or None)] of the architectures (None: all) that these files register.

        The Owner is None for a class of a file that has nothing to do with the matter (it is not even parsed) or
        that does not parse.
        """
        found = []
        for path in paths:
            text = self.tree.read(path)
            match = None
            for match in ENTRY.finditer(text):
                pass
            if match is None:
                continue
            names = [n.decode() for n in re.findall(rb"\w+", re.sub(rb"#[^\n]*", b"", match.group(1)))]
            names = [n for n in names if wanted is None or n in wanted]
            if not names:
                continue
            module = self.tree.module(path) if path in self.relevant else None
            for name in names:
                found.append(self._entry(path, text, module, name))
        return found

    def _entry(self, path, text, module, name):
        if module is not None:
            where, node = self.tree.resolve(module, name)
            if isinstance(node, ast.ClassDef):
                return name, where.path, node.lineno, self.owner(where, node)
        position = re.search(rb"^class\s+" + re.escape(name.encode()) + rb"\b", text, re.M)
        line = text.count(b"\n", 0, position.start()) + 1 if position else 0
        return name, path, line, None

    def owner(self, module, node):
        key = (module.path, node.name)
        if key not in self._owners:
            self._owners[key] = Owner(self.tree, self.facts, module, node)
        return self._owners[key]

    def hook(self, owner):
        """("yes" | "no" | "unknown", where it is defined or "")"""
        module, function = owner.method(HOOK)
        if function is None:
            return ("unknown" if self._has_unresolved_base(owner) else "no"), ""
        where = "%s:%d" % (module.path, function.lineno)
        returns = [n.value for n in ast.walk(function) if isinstance(n, ast.Return)]
        some = [r for r in returns if r is not None and not (isinstance(r, ast.Constant) and r.value is None)]
        if not some:
            return "no", where
        swallows = any(isinstance(n, ast.Try) for n in ast.walk(function))
        return ("unknown" if len(some) < len(returns) or swallows else "yes"), where

    def _has_unresolved_base(self, owner):
        """A base that is a class of the tree's models which did not parse."""
        for module, node in owner.lineage:
            for base in node.bases:
                if isinstance(base, ast.Name) and base.id in module.imports:
                    if self.tree.resolve(module, base.id)[1] is None and \
                            module.imports[base.id][0] in {p for p, _ in self.tree.problems}:
                        return True
        return False

    def has_method(self, owner, name):
        module, function = owner.method(name)
        return "%s:%d" % (module.path, function.lineno) if function is not None else ""

    def sites(self, owner):
        """Sites that an entry class reaches, and whether the answer may be incomplete."""
        seen, pending, sites, dynamic = set(), [owner], {}, False
        while pending:
            current = pending.pop()
            key = (current.module.path, current.name)
            if key in seen:
                continue
            seen.add(key)
            for site in self._own_sites(current):
                sites[site.key()] = site
            uses, chooses = self._constructs(current)
            dynamic = dynamic or chooses
            pending += uses
        return list(sites.values()), dynamic

    def _constructs(self, owner):
        """Owners of the classes that this one makes (names it calls or passes on), and whether it also picks at run time."""
        key = (owner.module.path, owner.name)
        if key in self._reach:
            return self._reach[key]
        names, dynamic = {}, False
        for module, function in self._effective_methods(owner):
            if not self._may_construct(module, function):
                continue
            for name in _value_names(function):
                dynamic = dynamic or name in DYNAMIC
                names[(module.path, name)] = module
        uses = []
        for (_, name), module in names.items():
            first = name.split(".")[0]
            target = self.tree.alias(module, first) if "." in name else module.imports.get(name, (module.path,))[0]
            if name not in module.classes and target not in self.relevant:
                continue
            where, node = self.tree.resolve(module, name)
            if isinstance(node, ast.ClassDef) and where.path in self.relevant:
                uses.append(self.owner(where, node))
        self._reach[key] = (uses, dynamic)
        return self._reach[key]

    def _may_construct(self, module, function):
        """Whether the function's text has a name of a class of this matter: most have not, and need no walk."""
        if module.path not in self._candidates:
            names = [n for n, (path, _) in module.imports.items() if path in self.relevant and n[:1].isupper()]
            names += [n for n in [*module.imports, *module.aliases] if self.tree.alias(module, n) in self.relevant]
            names += list(module.classes) + sorted(DYNAMIC)
            self._candidates[module.path] = re.compile(rb"\b(?:" + b"|".join(n.encode() for n in names) + rb")\b")
        return self._candidates[module.path].search(module.text(function)) is not None

    @staticmethod
    def _effective_methods(owner):
        """[(module, function)]: a base's version of an overridden method counts only where it is called through super()."""
        seen, result = {}, []
        for module, node in owner.lineage:
            for name, function in methods(node).items():
                if name in NOT_CONSTRUCTION or (name in seen and not seen[name]):
                    continue
                seen[name] = re.search(rb"super\([^)]*\)\." + name.encode() + rb"\b", module.text(function)) is not None
                result.append((module, function))
            for statement in node.body:
                if isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                    result.append((module, statement))
        return result

    def _own_sites(self, owner):
        """Sites in the methods of this class, or in module functions that they call."""
        if owner.module.path not in self.dispatch_files and \
                not any(m.path in self.dispatch_files for m, _ in owner.lineage) and \
                not any(t in self.dispatch_files for t, _ in owner.module.imports.values()):
            return []
        key = (owner.module.path, owner.name)
        if key not in self._sites:
            self._sites[key] = _SiteFinder(self, owner).find()
        return self._sites[key]


def _value_names(function):
    """Names used as values in a function: not in annotations, and not as the class of isinstance()."""
    names, pending = set(), [function]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            if node.attr in DYNAMIC:
                names.add(node.attr)
            if isinstance(node.value, ast.Name) and node.attr[:1].isupper():
                names.add(node.value.id + "." + node.attr)
        if isinstance(node, ast.Call) and call_name(node) in ("isinstance", "issubclass"):
            pending += node.args[:1]
            continue
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns"):
                continue
            children = value if isinstance(value, list) else [value]
            pending += [c for c in children if isinstance(c, ast.AST)]
    return names


class _SiteFinder:
    """Paths from a class's forward to the calls of ExpertLocationDispatchInfo.init_new."""

    def __init__(self, models, owner):
        self.models, self.owner = models, owner
        self.edges = {}

    def find(self):
        names = self._on_the_way()
        if not any(self._edges_of(n)["sites"] for n in names):
            return []
        called = {target for n in names for target, _, _ in self._edges_of(n)["calls"]}
        roots = [n for n in names if n == "forward"] + \
                [n for n in names if n != "forward" and n not in called and n != "__init__"]
        sites = []
        for root in roots:
            start = "True"
            if root.startswith("op_"):
                start = "args.enable_two_batch_overlap"
            elif root != "forward":
                start = "unknown(%s)" % quote("whether %s is called" % root)
            self._follow(root, [], [start], sites, set())
        reached = {s.frames[-1] for s in sites if not s.guard.startswith("unknown")}
        return [s for s in sites if not s.guard.startswith("unknown") or s.frames[-1] not in reached]

    def _on_the_way(self):
        """Methods whose text asks for the dispatch, directly or through another such method of the class."""
        texts = {}
        for module, node in self.owner.lineage:
            for name, function in methods(node).items():
                texts.setdefault(name, (module, module.text(function)))
        names, wanted = [], [DISPATCH.encode() + b".init_new"]
        for module in {m.path: m for m, _ in self.owner.lineage}.values():
            wanted += [n.encode() + b"(" for n, (path, _) in module.imports.items() if path in self.models.dispatch_files]
        while wanted:
            found = [n for n, (_, text) in texts.items() if n not in names and any(w in text for w in wanted)]
            names += found
            wanted = [b"self." + n.encode() + b"(" for n in found]
        return names

    def _follow(self, name, frames, guards, sites, active):
        if name in active or len(sites) >= MAX_PATHS:
            return
        edges = self._edges_of(name)
        for line, guard, path, label, way in edges["sites"]:
            sites.append(Site(frames + way + [(path, line, label)], conjunction(guards + [guard])))
        for target, line, guard in edges["calls"]:
            self._follow(target, frames + [(edges["path"], line, edges["label"])], guards + [guard], sites, active | {name})

    def _edges_of(self, name):
        if name not in self.edges:
            module, function = self.owner.method(name)
            edges = _Edges(self.models, self.owner, module, function)
            self.edges[name] = {"sites": [], "calls": [], "path": "", "label": ""}
            if function is not None:
                self.edges[name] = edges.read(self.owner.name + "." + name)
        return self.edges[name]


class _Edges(Listener):
    """Dispatch calls and calls of own methods in one function."""

    def __init__(self, models, owner, module, function):
        self.models, self.owner, self.module, self.function = models, owner, module, function

    def read(self, label):
        self.label, self.sites, self.calls = label, [], []
        translator = Translator(self.models.tree, self.models.facts, self.module, self.owner, self.function)
        Flow(translator, self).run(self.function)
        return {"sites": self.sites, "calls": self.calls, "path": self.module.path, "label": label}

    def call(self, node, guard):
        chain = dotted(node.func)
        if chain[-2:] == [DISPATCH, "init_new"]:
            self.sites.append((node.lineno, guard, self.module.path, self.label, []))
        elif len(chain) == 2 and chain[0] == "self":
            self.calls.append((chain[1], node.lineno, guard))
        elif len(chain) in (1, 2):
            self._function(chain, node, guard)

    def _function(self, chain, node, guard):
        """A module function that holds the dispatch call itself, such as layers/moe/mega_moe.py's."""
        tree = self.models.tree
        path = tree.alias(self.module, chain[0]) if len(chain) == 2 else self.module.imports.get(chain[0], (self.module.path,))[0]
        if path not in self.models.dispatch_files:
            return
        module, function = tree.resolve(self.module, ".".join(chain))
        if isinstance(function, ast.FunctionDef):
            way = [(self.module.path, node.lineno, self.label)]
            for line, inner, label, more in _function_sites(self.models, module, function, set()):
                self.sites.append((line, conjunction([guard, inner]), module.path, label, way + more))


def _function_sites(models, module, function, active):
    """[(line, guard, function, frames before it)] of dispatch calls in a module function and those of its file that it calls."""
    if function.name in active:
        return []
    finder = _Edges(models, None, module, function)
    found = finder.read(function.name)
    return [(line, guard, label, way) for line, guard, _, label, way in found["sites"]]
