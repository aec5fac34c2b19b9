"""Which files of models can matter, told from their text: parsing all of them would take too long."""

import re

MODEL_IMPORT = re.compile(rb"from\s+sglang\.srt\.((?:models|layers)[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)")
IMPORTED = re.compile(rb"(\w+|\*)(?:\s+as\s+(\w+))?")
IMPORTED_WHOLE = re.compile(rb"^[ \t]*import\s+sglang\.srt\.((?:models|layers)[\w.]*)\s+as\s+(\w+)", re.M)
DEFINITION = re.compile(rb"^(?:class|def|async def)\s+(\w+)", re.M)


class _File:
    """One file as pieces of text: what stands before the first definition, then each class and function."""

    def __init__(self, text, exists):
        self.aliases = {}  # local name -> path of a module that is imported whole
        self.imports = {}  # local name -> (path, name there); for each module whose names are all imported: path -> None
        for module, names in MODEL_IMPORT.findall(text):
            folder = path = module.decode().replace(".", "/")
            path += ".py" if exists(path + ".py") else "/__init__.py"
            for name, other in IMPORTED.findall(re.sub(rb"#[^\n]*", b"", names)):
                inside = "%s/%s.py" % (folder, name.decode())
                if exists(inside):
                    self.aliases[other or name] = inside
                self.imports[path if name == b"*" else other or name] = None if name == b"*" else (path, name)
        self.aliases.update((name, module.decode().replace(".", "/") + ".py") for module, name in IMPORTED_WHOLE.findall(text))
        starts = [(0, b"")] + [(m.start(), m.group(1)) for m in DEFINITION.finditer(text)]
        self.pieces = [(name, text[at:end]) for (at, name), (end, _) in zip(starts, starts[1:] + [(None, b"")])]

    def matters_through(self, path, matters):
        """Names in this file's text that stand for definitions which matter."""
        names = set(matters.get(path, ()))
        for name, target in self.imports.items():
            if target is None:
                names |= matters.get(name, set())
            elif target[1] in matters.get(target[0], ()):
                names.add(name)
        for alias, path in self.aliases.items():
            names |= {alias + b"." + name for name in matters.get(path, ())}
        return names - {b""}


class Relevance:
    """The files with a class or function that has one of the marks in its text, or the name of another that does."""

    def __init__(self, tree, paths, marks):
        known = set(paths)
        self._files = {path: _File(tree.read(path), known.__contains__) for path in paths}
        self._matters = {}  # path -> names of definitions
        for path, file in self._files.items():
            here = [m for m in marks if m in tree.read(path)]
            for name, text in file.pieces if here else ():
                if any(m in text for m in here):
                    self._matters.setdefault(path, set()).add(name)
        self._follow_names()
        self.files = set(self._matters)

    def _follow_names(self):
        searched = {}  # path -> the names that its pieces were searched for
        changed = True
        while changed:
            changed = False
            for path, file in self._files.items():
                names = file.matters_through(path, self._matters)
                if names <= searched.get(path, set()):
                    continue
                searched[path] = names
                found = {n for n, text in file.pieces if _mentions(text, names - {n})}
                if path.endswith("__init__.py"):  # it hands on what it imports
                    found |= names
                if found - self._matters.get(path, set()):
                    self._matters[path] = self._matters.get(path, set()) | found
                    changed = True

    def apart(self):
        """The relevant files that share none with the others: all but the largest group that imports connect."""
        beside = {path: set() for path in self.files}
        for path in self.files:
            imports = self._files[path].imports
            others = [target[0] if target else name for name, target in imports.items()]
            for other in [*others, *self._files[path].aliases.values()]:
                if other in beside:
                    beside[path].add(other)
                    beside[other].add(path)
        groups, left = [], set(self.files)
        while left:
            group, pending = set(), [left.pop()]
            while pending:
                path = pending.pop()
                if path not in group:
                    group.add(path)
                    pending += beside[path]
            groups.append(group)
            left -= group
        groups.sort(key=len)
        return sorted(path for group in groups[:-1] for path in group)


def _mentions(text, names):
    """Whether one of the names is a word of the text; looking for it as bytes first is what makes this quick."""
    found = [n for n in names if n in text]
    return bool(found) and re.search(rb"\b(?:" + b"|".join(found) + rb")\b", text) is not None
