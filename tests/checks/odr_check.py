"""A qualified name has one definition: no type is defined in two files, and no function of a namespace with the same
parameters. Two that differ violate the One Definition Rule; neither the compiler nor a plain link finds that (`scripts/accept
build odr` links with -Wodr). Names of an unnamed namespace belong to their file."""

import pathlib
import re
from typing import Iterator, NamedTuple

import tree

FOLDERS = ("libcore", "tools", "kernels")
SUFFIXES = (".cpp", ".hpp", ".cu", ".cuh")
# Comments, literals, directives: what may hold a brace that is none.
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![\w])\'(?:[^\'\\\n]|\\.)+\''
                     r'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r"(?:inline\s+)?namespace(?:\s+([\w:]+))?$")
TYPE = re.compile(r"(?:^|\s)(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:alignas\s*\(.*?\)\s*)?(?:\[\[.*?\]\]\s*)?"
                  r"([\w:]+)(?:\s+final)?\s*(?::[^:].*)?$", re.DOTALL)
FUNCTION = re.compile(r"[\w>*&\]]\s+[*&]*(\w+)\s*\((.*)\)\s*(?:noexcept)?\s*(?:->.*)?$", re.DOTALL)
TEMPLATE = re.compile(r"^template\s*<.*?>\s*(?=struct|class|union)", re.DOTALL)


class Definition(NamedTuple):
    name: str  # qualified; of a function with the types of its parameters
    line: int


class Scope(NamedTuple):
    """What a brace opens."""
    kind: str  # "namespace", "type", "function"; "": nothing that has a name
    name: str

    def named(self) -> bool:
        """Whether definitions inside belong to the program, not to this file or function."""
        return self.kind == "namespace" and self.name != "" or self.kind == "type"

    @staticmethod
    def of(head: str) -> "Scope":
        """`head`: what stands between the brace and what came before."""
        if namespace := NAMESPACE.search(head):
            return Scope("namespace", namespace[1] or "")
        function = FUNCTION.search(head)
        if function and not re.search(r"\bstatic\b|\boperator\b", head):
            return Scope("function", f"{function[1]}({parameter_types(function[2])})")
        kind = TYPE.search(TEMPLATE.sub("", head))
        return Scope("type", kind[1]) if kind and not function else Scope("", "")


def blank(match: re.Match) -> str:
    """As many lines, without the text."""
    return '""' + "\n" * match[0].count("\n") if match[0][0] in "\"'R" else "\n" * match[0].count("\n")


def parameter_types(text: str) -> str:
    types = []
    depth = 0
    parameters = [""]
    for character in text:
        depth += (character in "<({[") - (character in ">)}]")
        if character == "," and depth == 0:
            parameters.append("")
        else:
            parameters[-1] += character
    for parameter in parameters:
        words = re.sub(r"\s*=.*", "", parameter, flags=re.DOTALL)
        types.append("".join(re.sub(r"(?<=[\s*&>])\w+(?:\s*\[\w*\])?\s*$", "", words.strip()).split()))
    return ", ".join(types)


def definitions(source: str) -> Iterator[Definition]:
    """Of types and of a namespace's functions, where each name around them is one; function bodies are left out."""
    text = NO_CODE.sub(blank, source)
    scopes: list[Scope] = []  # of the open braces
    start = 0  # of the text that leads to the next brace
    parentheses = 0
    for match in re.finditer(r"[{};()]", text):
        mark = match[0]
        if mark in "()":
            parentheses += 1 if mark == "(" else -1
        elif mark == "{":
            head = "" if parentheses else text[start:match.start()].strip()
            scope = Scope.of(head) if all(outer.named() for outer in scopes) else Scope("", "")
            if scope.kind == "type" or scope.kind == "function" and all(outer.kind == "namespace" for outer in scopes):
                yield Definition("::".join([*(outer.name for outer in scopes), scope.name]), text.count("\n", 0, match.start()) + 1)
            scopes.append(scope)
        elif mark == "}" and scopes:
            scopes.pop()
        if mark in "{};" and not parentheses:
            start = match.end()


def violations(root: pathlib.Path) -> list[str]:
    places: dict[str, str] = {}  # name -> where it was defined first
    found = []
    for folder in FOLDERS:
        for path in tree.files(root, folder, SUFFIXES):
            here = str(path.relative_to(root))
            for definition in definitions(path.read_text(encoding="utf-8")):
                first = places.setdefault(definition.name, f"{here}:{definition.line}")
                if first.rsplit(":", 1)[0] != here:
                    found.append(f"{here}:{definition.line}: {definition.name} is also defined at {first}")
    return found


if __name__ == "__main__":
    tree.run(violations)
