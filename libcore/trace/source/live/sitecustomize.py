"""Reports, from every Python process of a server, each set, get and failed assert of the expert-location metadata.

Python imports this file by itself at start because its folder is on PYTHONPATH. Events are appended to the file that
RINGSIDE_LIVE_FILE names, one JSON object a line, each in a single write. Nothing else is changed: whatever goes wrong in
here is swallowed, and an exception of the server passes as it is.
"""

import functools
import importlib.abc
import importlib.util
import os
import sys
import time

MAX_REPEATS = 3  # of the same event at the same place in one process: a forward reads the metadata in every layer
MAX_STACK = 24
_seen = {}


def _report(kind, value, raised=None):
    try:
        _write(kind, value, raised)
    except Exception:
        pass


def _write(kind, value, raised):
    import json
    frame, stack, facts = sys._getframe(2), [], {}
    inner = raised.tb_next if raised else None  # the first is the function that called this
    while inner is not None:
        code = inner.tb_frame.f_code
        stack.insert(0, [code.co_filename, inner.tb_lineno, code.co_name])
        inner = inner.tb_next
    while frame is not None:
        path = frame.f_code.co_filename
        if path != __file__ and not path.startswith("<frozen"):
            stack.append([path, frame.f_lineno, frame.f_code.co_name])
            _note_owner(frame.f_locals.get("self"), facts)
        frame = frame.f_back
    place = stack[0] if stack else ["", 0, ""]
    key = (kind, value, place[0], place[1], facts.get("worker"))
    _seen[key] = _seen.get(key, 0) + 1
    if _seen[key] > MAX_REPEATS:
        return
    process = sys.modules.get("multiprocessing.process")
    event = {"time": time.time(), "pid": os.getpid(), "kind": kind, "value": value,
             "process": process.current_process().name if process else "MainProcess",
             "worker": facts.get("worker", ""), "rank": facts.get("rank", -1),
             "stack": stack[:MAX_STACK][::-1]}
    line = (json.dumps(event) + "\n").encode()
    fd = os.open(os.environ["RINGSIDE_LIVE_FILE"], os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
    try:
        os.write(fd, line)
    finally:
        os.close(fd)


def _note_owner(owner, facts):
    """The worker kind and the rank, from the innermost object on the stack that knows them."""
    state = getattr(owner, "__dict__", None)
    if not isinstance(state, dict):
        return
    if "worker" not in facts and isinstance(state.get("is_draft_worker"), bool):
        facts["worker"] = "draft" if state["is_draft_worker"] else "target"
    if "rank" not in facts and isinstance(state.get("tp_rank"), int):
        facts["rank"] = state["tp_rank"]


def _compiling():
    torch = sys.modules.get("torch")
    compiler = getattr(torch, "compiler", None)
    return bool(compiler is not None and compiler.is_compiling())


def _describe(value):
    return "None" if value is None else type(value).__name__


def _watch_set(function):
    @functools.wraps(function)
    def watched(*args, **kwargs):
        _report("set", _describe(args[0] if args else next(iter(kwargs.values()), None)))
        return function(*args, **kwargs)
    return watched


def _watch_get(function):
    @functools.wraps(function)
    def watched(*args, **kwargs):
        value = function(*args, **kwargs)
        if not _compiling():
            _report("get", _describe(value))
        return value
    return watched


def _watch_class_method(cls, name):
    inner = cls.__dict__[name].__func__

    @functools.wraps(inner)
    def watched(*args, **kwargs):
        if _compiling():
            return inner(*args, **kwargs)
        try:
            return inner(*args, **kwargs)
        except AssertionError as error:
            _report("assert", "AssertionError", error.__traceback__)
            raise
    setattr(cls, name, classmethod(watched))


def _patch(module):
    names = vars(module)
    for name, watch in (("set_global_expert_location_metadata", _watch_set),
                        ("get_global_expert_location_metadata", _watch_get)):
        function = names.get(name)
        if callable(function) and getattr(function, "__module__", None) == module.__name__:
            setattr(module, name, watch(function))
    info = names.get("ExpertLocationDispatchInfo")
    if isinstance(info, type) and isinstance(info.__dict__.get("init_new"), classmethod) and \
            info.__module__ == module.__name__:
        _watch_class_method(info, "init_new")


class _Loader(importlib.abc.Loader):
    def __init__(self, loader):
        self.loader = loader

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        try:
            _patch(module)
        except Exception:
            pass

    def __getattr__(self, name):
        return getattr(self.loader, name)


class _Finder(importlib.abc.MetaPathFinder):
    """Lets the other finders find the modules of interest and puts a loader around theirs."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith("sglang.") or \
                fullname.rpartition(".")[2] not in ("expert_location", "expert_location_dispatch"):
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if finder is not self and find else None
            if spec is not None and spec.loader is not None:
                spec.loader = _Loader(spec.loader)
                return spec
        return None


def _run_shadowed():
    """The sitecustomize that would have been found without this one."""
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in sys.path:
        path = os.path.join(folder or ".", "sitecustomize.py")
        if os.path.abspath(folder or ".") != here and os.path.isfile(path):
            spec = importlib.util.spec_from_file_location("sitecustomize", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return


if os.environ.get("RINGSIDE_LIVE_FILE"):
    sys.meta_path.insert(0, _Finder())
_run_shadowed()
