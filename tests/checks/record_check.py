"""Every member of a struct of libcore/model that has a describe() is named in it: one that is not would be lost in a result
without a word."""

import pathlib
import re

import tree

DESCRIBED = re.compile(r"^void describe\(Fields& fields, const (\w+)\*\) \{(.*?)^\}", re.DOTALL | re.MULTILINE)
MEMBER = re.compile(r"^  (?!(?:return|using|static|friend|template)\b)[\w:<>,\s]*?[\w>]\s+(\w+)(?:\s*=\s*[^;()]*(?:\([^;]*\))?|\{[^;]*\})?;",
                    re.MULTILINE)


def violations(root: pathlib.Path) -> list[str]:
    found = []
    for path in tree.files(root, "libcore/model", (".hpp",)):
        text = path.read_text(encoding="utf-8")
        for name, body in DESCRIBED.findall(text):
            struct = re.search(rf"^struct {name} \{{\n(.*?)^\}};", text, re.DOTALL | re.MULTILINE)
            if struct is None:
                continue  # described beside its user
            for member in MEMBER.finditer(re.sub(r"//[^\n]*", "", struct[1])):
                if not re.search(rf"&\w+::{member[1]}\b", body):
                    line = text[: struct.start(1)].count("\n") + struct[1][: struct[1].find(member[1])].count("\n") + 1
                    found.append(f"{path.relative_to(root)}:{line}: {name}::{member[1]} is not in describe(): it would not be written")
    return found


if __name__ == "__main__":
    tree.run(violations)
