"""Files of an SGLang tree as syntax trees. Nothing of the tree is imported or executed: bytes go to ast.parse."""

import ast
import os
import re
import stat
import sys

MAX_FILE_BYTES = 8 << 20
PACKAGE = "sglang.srt."
GLOBAL = re.compile(rb"^\s+global\s+([\w, ]+)", re.M)


class Module:
    """One parsed file: what it defines at top level and what it imports from the package."""

    def __init__(self, path, tree, text):
        self.path = path
        self.lines = text.split(b"\n")
        self.variables = {n.decode() for m in GLOBAL.findall(text) for n in re.findall(rb"\w+", m)}
        self.classes, self.functions, self.constants, self.imports = {}, {}, {}, {}
        self.aliases = {}  # local name -> path of a module that is imported whole
        self.stars = []  # modules whose names are all imported
        self.calls = []  # that stand by themselves at top level
        self._collect(tree.body)

    def text(self, node):
        """The source lines of a node, as bytes."""
        return b"\n".join(self.lines[node.lineno - 1:node.end_lineno])

    def _collect(self, body):
        for node in body:
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._assign(target.id, node.value)
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self._assign(node.target.id, node.value)
            elif isinstance(node, ast.ImportFrom):
                self._add_import(node)
            elif isinstance(node, ast.Import):
                self.aliases.update(module_targets(node))
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                self.calls.append(node.value)
            elif isinstance(node, ast.If):
                self._collect(node.body)
                self._collect(node.orelse)
            elif isinstance(node, ast.Try):
                self._collect(node.body)
                for handler in node.handlers:
                    self._collect([s for s in handler.body if isinstance(s, (ast.Assign, ast.AnnAssign))])

    def _assign(self, name, value):
        """A name that gets two values is no constant: which one it has is decided at run time."""
        if name in self.constants:
            self.variables.add(name)
        self.constants.setdefault(name, value)

    def _add_import(self, node):
        targets = import_targets(node)
        if "*" in targets:
            self.stars.append(targets.pop("*")[0])
        self.imports.update(targets)


def use_package(name):
    """What the tree's own modules are imported from: "sglang.srt." unless it is another server's tree."""
    global PACKAGE
    PACKAGE = name


def import_targets(node):
    """{local name: (path of the module under srt/, name there)} of a `from sglang.srt.x import y`."""
    if node.level or not node.module or not node.module.startswith(PACKAGE):
        return {}
    path = node.module[len(PACKAGE):].replace(".", "/") + ".py"
    return {alias.asname or alias.name: (path, alias.name) for alias in node.names}


def module_targets(node):
    """{local name: path} of an `import sglang.srt.x.y as z`."""
    return {alias.asname: alias.name[len(PACKAGE):].replace(".", "/") + ".py" for alias in node.names
            if alias.asname and alias.name.startswith(PACKAGE)}


class Tree:
    """The srt/ folder of an SGLang source tree."""

    def __init__(self, srt):
        self.srt = srt
        self.problems = []  # (path, what) of files that could not be read or parsed
        self._modules = {}
        self._bytes = {}

    def exists(self, path):
        return os.path.isfile(os.path.join(self.srt, path))

    def read(self, path):
        """The file's bytes, or b"" when it is not a readable regular file of a sane size."""
        if path not in self._bytes:
            self._bytes[path] = self._read(path)
        return self._bytes[path]

    def _read(self, path):
        try:
            fd = os.open(os.path.join(self.srt, path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return b""
        except OSError as error:
            self.problems.append((path, "can't be read: " + (error.strerror or "error")))
            return b""
        with open(fd, "rb") as file:
            info = os.fstat(fd)
            if not stat.S_ISREG(info.st_mode):
                self.problems.append((path, "is not a regular file"))
                return b""
            if info.st_size > MAX_FILE_BYTES:
                self.problems.append((path, "is larger than 8 MiB"))
                return b""
            text = file.read(info.st_size)  # as much as a limit allows would be allocated each time
            if len(text) != info.st_size or file.read(1):
                self.problems.append((path, "changed while it was read"))
                return b""
            return text

    def module(self, path):
        """The parsed file, or None when it is absent or does not parse (then it is among the problems)."""
        if path not in self._modules:
            self._modules[path] = self._parse(path)
        return self._modules[path]

    def parsed(self, path):
        return self._modules.get(path) is not None

    def _parse(self, path):
        text = self.read(path)
        if not text:
            package = path[:-3] + "/__init__.py"
            if path.endswith("__init__.py") or not self.exists(package):
                return None
            return self.module(package)
        print("reading " + path, file=sys.stderr)  # the last line names the file if the parser dies
        try:
            return Module(path, ast.parse(text), text)
        except SyntaxError as error:
            where = "line %s: " % error.lineno if error.lineno else ""
            self.problems.append((path, where + (error.msg or "invalid syntax")))
        except (ValueError, RecursionError, MemoryError) as error:
            self.problems.append((path, str(error) or type(error).__name__))
        return None

    def files(self, folder):
        """Paths of the .py files under a folder of srt/, sorted."""
        found = []
        for where, folders, names in os.walk(os.path.join(self.srt, folder)):
            folders.sort()
            relative = os.path.relpath(where, self.srt)
            found += [os.path.normpath(os.path.join(relative, n)) for n in sorted(names) if n.endswith(".py")]
        return found

    def alias(self, module, name):
        """The path of the module of the tree that a local name means; None for any other name."""
        if name in module.aliases:
            return module.aliases[name]
        if name in module.imports:
            folder, inside = module.imports[name]
            path = "%s/%s.py" % (folder[:-3], inside)
            if self.exists(path):
                return path
        return None

    def resolve(self, module, name, depth=0):
        """(module, node) of the class or function that `name` (or `module.name`) means in `module`, or (None, None)."""
        if module is None or depth > 5:
            return None, None
        if "." in name:
            first, rest = name.split(".", 1)
            path = self.alias(module, first)
            return self.resolve(self.module(path), rest, depth + 1) if path else (None, None)
        if name in module.classes:
            return module, module.classes[name]
        if name in module.functions:
            return module, module.functions[name]
        if name in module.imports:
            path, original = module.imports[name]
            return self.resolve(self.module(path), original, depth + 1)
        for path in module.stars:
            found = self.resolve(self.module(path), name, depth + 1)
            if found[1] is not None:
                return found
        return None, None


def methods(node):
    """{name: function} of a class body."""
    return {n.name: n for n in node.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}


def defaults(function):
    """{parameter: constant} of the parameters that have a constant as default."""
    arguments = function.args
    positional = arguments.posonlyargs + arguments.args
    pairs = list(zip(positional[len(positional) - len(arguments.defaults):], arguments.defaults))
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None]
    return {a.arg: d.value for a, d in pairs if isinstance(d, ast.Constant)}


def dotted(node):
    """["self", "server_args", "tp_size"] of an attribute chain; a call in it shows as "name()"; [] if it is none."""
    parts = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            inner = dotted(node.func)
            if not inner:
                return []
            inner[-1] += "()"
            return inner + parts[::-1]
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            return parts[::-1]
        else:
            return []


def call_name(node):
    """The last name of what is called: "f" of f(), "m" of a.b.m()."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def mentions(node, names):
    """Whether any name or attribute below node is in `names`."""
    for child in ast.walk(node):
        if isinstance(child, ast.Attribute) and child.attr in names:
            return True
        if isinstance(child, ast.Name) and child.id in names:
            return True
    return False
