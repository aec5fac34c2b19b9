"""Reads an SGLang tree and prints its init pipeline as TOML, in the form of ringside's trace scenarios.

Arguments: the srt folder, then the architectures of interest, or --all for every architecture.
"""

import gc
import os
import re
import sys

from beside import beside
from formulas import quote
from facts import Facts, read_flags
from models import EAGLE3, Models
from pipeline import Pipeline
from syntax import Tree


def toml_string(text):
    out = []
    for letter in text:
        code = ord(letter)
        if letter in '"\\':
            out.append("\\" + letter)
        elif code < 32 or code == 127:
            out.append("\\u%04X" % code)
        elif 0xD800 <= code <= 0xDFFF:
            out.append("\\uFFFD")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'


def inline(table):
    return "{" + ", ".join("%s = %s" % (k, v) for k, v in table.items()) + "}"


class Output:
    def __init__(self):
        self.lines = []

    def put(self, line):
        self.lines.append(line)

    def step(self, step):
        row = {"at": "%s:%d" % (step.path, step.line), "in": step.function}
        if step.guard != "True":
            row["guard"] = step.guard
        row.update({k: v for k, v in step.effect.items() if v or k not in ("message",)})
        self.put("  " + inline({k: toml_string(v) for k, v in row.items()}) + ",")


def version_of(tree):
    text = tree.read("../version.py") + tree.read("../_version.py")
    match = re.search(rb"__version__\s*=\s*(?:version\s*=\s*)?[\"']([^\"']+)", text)
    return match.group(1).decode(errors="replace") if match else ""


def draft_renames(tree):
    """[(architectures of the target, architecture of its draft)] from the model configuration."""
    text = tree.read("configs/model_config.py")
    pattern = re.compile(rb"is_draft_model\s+and\s+self\.hf_config\.architectures\[0\]\s+(?:in\s+\[([^\]]*)\]|==\s+(\"\w+\")"
                         rb")\s*\)?:\s+self\.hf_config\.architectures\[0\]\s+=\s+\"(\w+)\"")
    renames = []
    for many, one, draft in pattern.findall(text):
        renames.append(([n.decode() for n in re.findall(rb"\w+", many or one)], draft.decode()))
    return renames


def class_row(models, name, path, line, owner):
    """The line that describes a model class."""
    row = {"name": toml_string(name), "at": toml_string("%s:%d" % (path, line))}
    sites, dynamic = models.sites(owner) if owner is not None else ([], False)
    if owner is not None:
        has, where = models.hook(owner)
        row["hook"] = toml_string(has)
        if where:
            row["hook_at"] = toml_string(where)
        eagle3 = models.has_method(owner, EAGLE3)
        if eagle3:
            row["eagle3_at"] = toml_string(eagle3)
        if dynamic:
            row["dynamic"] = "true"
    elif path in {p for p, _ in models.tree.problems}:
        row["hook"] = toml_string("unknown")
    else:
        row["hook"] = toml_string("no")
    if re.search(r"(NextN|MTP)$", name):
        row["nextn"] = "true"
    if sites:
        rows = []
        for site in sites:
            frames = ", ".join(inline({"at": toml_string("%s:%d" % (p, n)), "in": toml_string(f)}) for p, n, f in site.frames)
            rows.append(inline({"guard": toml_string(site.guard), "frames": "[%s]" % frames}))
        row["sites"] = "[" + ", ".join(rows) + "]"
    return "  " + inline(row) + ","


def class_rows(models, wanted, paths):
    """[(class, its line)] of the entry classes in these files."""
    return [(entry[0], class_row(models, *entry)) for entry in models.entries(wanted, paths)]


def put_flags(output, flags):
    output.put("flags = [")
    for flag in flags:
        row = {"names": "[" + ", ".join(toml_string(n) for n in flag.names) + "]"}
        if flag.field != flag.names[0].lstrip("-").replace("-", "_"):
            row["field"] = toml_string(flag.field)
        if flag.takes != "value":
            row["takes"] = toml_string(flag.takes)
        if flag.choices is not None and flag.choices.startswith("["):
            row["choices"] = toml_string(flag.choices)
        row["at"] = toml_string(flag.place)
        output.put("  " + inline(row) + ",")
    output.put("]")


def main(srt, wanted):
    tree = Tree(srt)
    facts = Facts(tree)
    wanted = None if "--all" in wanted else set(wanted)
    models = Models(tree, facts)
    own = sorted(models.apart) if wanted is None else []  # the others are read beside this process

    def others():
        rows = class_rows(models, wanted, sorted(set(models.paths) - set(own)))
        return rows, tree.problems, facts.environment
    rows_of_others = beside(others)

    output = Output()
    output.put("kind = \"init-pipeline\"")
    output.put("version = " + toml_string(version_of(tree)))
    output.put("entry = \"launch\"")
    output.put("all_classes = " + ("true" if wanted is None else "false"))
    put_flags(output, read_flags(tree, facts))
    pipeline = Pipeline(tree, facts)
    pipeline.build()
    if not pipeline.procedures["launch"]:
        rows_of_others()  # what the other process says of the files it reads must not come behind the verdict
        print("not a whole SGLang tree: " + "; ".join(pipeline.problems + ["%s: %s" % p for p in tree.problems]), file=sys.stderr)
        sys.stderr.flush()
        os._exit(2)
    rows = class_rows(models, wanted, own)
    more, problems, environment = rows_of_others()
    tree.problems += [p for p in problems if p not in tree.problems]
    facts.environment |= environment
    output.put("class = [")
    for _, row in sorted(rows + more):
        output.put(row)
    output.put("]")
    output.put("arguments = " + toml_string(pipeline.arguments))
    output.put("absent = [" + ", ".join(toml_string(a) for a in pipeline.absent) + "]")
    body = Output()
    body.put("[fields]")
    for name in facts.fields:
        default = facts.default_of(name)
        if default is not None and not default.startswith("unknown("):
            body.put("%s = %s" % (name, toml_string(default)))
    body.put("[environment]")
    for name, default in facts.environment_defaults().items():
        body.put("%s = %s" % (name, toml_string(default)))
    for architectures, draft in draft_renames(tree):
        body.put("[[draft]]")
        body.put("of = [" + ", ".join(toml_string(a) for a in architectures) + "]")
        body.put("architecture = " + toml_string(draft))
    for name, steps in pipeline.procedures.items():
        if steps:
            body.put("[[procedure]]")
            body.put("name = " + toml_string(name))
            body.put("step = [")
            for step in steps:
                body.step(step)
            body.put("]")
    for path, what in tree.problems:
        body.put("[[problem]]")
        body.put("file = " + toml_string(path))
        body.put("what = " + toml_string(what))
    for what in pipeline.problems:
        body.put("[[problem]]")
        body.put("what = " + toml_string(what))

    text = "\n".join(output.lines + body.lines) + "\n"
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    os._exit(0)  # skips the teardown of a few million syntax nodes


if __name__ == "__main__":
    gc.disable()  # trees are kept until the end; collecting would only walk them again and again
    sys.setrecursionlimit(4000)
    main(sys.argv[1], sys.argv[2:])
