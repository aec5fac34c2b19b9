"""What reads the outputs: parsers of each destination, which say what they would do with a text beyond showing it."""

import csv
import html.parser
import io
import json
import re
import unicodedata
import xml.etree.ElementTree as ElementTree

TURNS = {0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def controls(text: str, allowed: str = "\n") -> list[str]:
    """Characters that steer a terminal, or turn what stands beside them."""
    return [f"U+{ord(c):04X}" for c in sorted(set(text)) if c not in allowed and
            (unicodedata.category(c) == "Cc" or ord(c) in TURNS)]


def commands(text: str) -> list[str]:
    """Lines that a runner of GitHub Actions executes."""
    lines = re.split(r"[\r\n\u2028\u2029]", text)
    return [line[:60] for line in lines if line.strip().startswith("::") or "##[" in line]


def terminal(text: str) -> list[str]:
    problems = [f"terminal: {found}" for found in controls(text)]
    return problems + [f"a command: {line}" for line in commands(text)]


def strict_json(text: str) -> list[str]:
    def unique(pairs: list) -> dict:
        keys = [key for key, _ in pairs]
        if len(set(keys)) != len(keys):
            raise ValueError("a key comes twice")
        return dict(pairs)

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is no JSON")
    try:
        json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except ValueError as problem:
        return [f"JSON: {problem}"]
    return terminal(text)


def table(text: str) -> list[str]:
    """CSV, as a spreadsheet opens it."""
    lines = list(csv.reader(io.StringIO(text), strict=True))
    problems = terminal(text)
    if len({len(line) for line in lines}) != 1:
        problems.append("CSV: lines have different numbers of cells")
    for cell in (cell for line in lines for cell in line):
        if cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
            try:
                float(cell)
            except ValueError:
                problems.append(f"CSV: a formula: {cell[:40]!r}")
    return problems


class _Page(html.parser.HTMLParser):
    VOID = {"meta", "link", "input", "br", "img"}
    TAGS = {"html", "head", "meta", "link", "title", "style", "body", "a", "header", "p", "b", "h1", "h2", "h3", "h4", "nav", "main",
            "section", "div", "span", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "dl", "dt", "dd", "details",
            "summary", "code", "pre", "footer", "script", "noscript", "figure", "figcaption", "canvas", "input", "label"}
    ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "rel", "href", "class", "id", "aria-label", "aria-labelledby",
                  "role", "tabindex", "scope", "style", "type", "nonce", "for", "open"}

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.scripts, self.texts = [], [], [], []

    def handle_starttag(self, tag, attrs):
        if tag not in self.TAGS:
            self.problems.append(f"HTML: an element {tag}")
        for name, value in attrs:
            if name not in self.ATTRIBUTES:
                self.problems.append(f"HTML: an attribute {name} of {tag}")
            if name == "href" and not (value.startswith("#") or value == "data:,"):
                self.problems.append(f"HTML: a link to {value[:40]}")
            if name == "style" and not re.fullmatch(r"--depth:\d+", value):
                self.problems.append(f"HTML: a style {value[:40]}")
            if controls(value or "", ""):
                self.problems.append(f"HTML: {name} holds {controls(value, '')}")
        if tag == "script":
            self.scripts.append([])
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"HTML: {tag} ends where it does not begin")

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            self.scripts[-1].append(data)
        else:
            self.texts.append(data)

    def handle_comment(self, data):
        self.problems.append(f"HTML: a comment {data[:40]}")


def page(text: str) -> list[str]:
    """HTML: elements and attributes are ours, scripts are the page's own, and its data are JSON."""
    parts = text.split("<script nonce=")
    if len(parts) != 3:
        return [f"HTML: {len(parts) - 1} scripts that may run, not two"]
    # The two scripts are the binary's own and the same for all pages: they are not looked at.
    parser = _Page()
    parser.feed(parts[0] + "</body></html>")
    parser.close()
    problems = list(parser.problems)
    if parser.open:
        problems.append(f"HTML: {parser.open} are not closed")
    if len(parser.scripts) != 1:
        problems.append(f"HTML: {len(parser.scripts)} elements of data, not one")
    else:
        problems += strict_json("".join(parser.scripts[0]))
    return problems + [f"HTML: {found}" for found in controls("".join(parser.texts))]


# The schema of Jenkins' JUnit reports: attributes (required ones with a *), and elements inside.
JUNIT = {
    "testsuites": ("name time tests failures errors", "testsuite"),
    "testsuite": ("name* tests* failures* errors* group time skipped timestamp hostname id package file log url",
                  "testsuite properties testcase system-out system-err"),
    "properties": ("", "property"),
    "property": ("name* value*", ""),
    "testcase": ("name* time classname group", "skipped error failure system-out system-err"),
    "skipped": ("type message", ""), "error": ("type message", ""), "failure": ("type message", ""),
    "system-out": ("", ""), "system-err": ("", ""),
}
SUREFIRE_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def _junit(element: ElementTree.Element) -> list[str]:
    if element.tag not in JUNIT:
        return [f"JUnit: an element {element.tag}"]
    attributes, inside = JUNIT[element.tag]
    known = {name.rstrip("*") for name in attributes.split()}
    problems = [f"JUnit: {element.tag} has no attribute {name}" for name in element.attrib if name not in known]
    problems += [f"JUnit: {element.tag} lacks {name[:-1]}" for name in attributes.split()
                 if name.endswith("*") and name[:-1] not in element.attrib]
    if element.tag in ("testsuite", "testsuites") and not SUREFIRE_TIME.fullmatch(element.get("time", "")):
        problems.append(f"JUnit: {element.get('time')} is no time")
    for child in element:
        problems += _junit(child) if child.tag in inside.split() else [f"JUnit: {child.tag} inside {element.tag}"]
    return problems


def test_report(text: str) -> list[str]:
    try:
        root = ElementTree.fromstring(text.encode("utf-8"))
    except ElementTree.ParseError as problem:
        return [f"XML: {problem}"]
    problems = _junit(root) if root.tag == "testsuites" else [f"JUnit: begins with {root.tag}"]
    for element in root.iter():
        for value in [element.text or "", *element.attrib.values()]:
            problems += [f"XML: {found}" for found in controls(value)]
    return problems + [f"a command: {line}" for line in commands(text)]


def markdown(text: str) -> list[str]:
    """GitHub's Markdown, by hand: blocks of code are closed, tables have their cells, and outside of code nothing is an
    element, a link, an image, a mention or an address."""
    problems, fence, cells = terminal(text), "", 0
    for line in text.split("\n"):
        opened = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            if opened and opened[1].startswith(fence) and line.strip() == opened[1]:
                fence = ""
            continue
        if opened:
            fence = opened[1]
            continue
        bare = re.sub(r"\\[!-/:-@\[-`{-~]", "\ufffc", line)  # an escaped character is a character
        for what, pattern in (("an element", r"<"), ("a link", r"\]\s?[(\[:]"), ("an image", r"!\["), ("a code span", r"`"),
                              ("an entity", r"&(?!amp;)")):
            if re.search(pattern, bare):
                problems.append(f"Markdown: {what}: {line[:60]!r}")
        shown = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", line)  # addresses are looked for in what is shown
        for what, pattern in (("a mention", r"(?<!\w)@\w"), ("an address", r"\w@\w+\.\w"), ("an address", r"\w://\S"),
                              ("an address", r"(?i)\bwww\.\w"), ("an issue", r"(?<!\w)#\d")):
            if re.search(pattern, shown):
                problems.append(f"Markdown: {what}: {line[:60]!r}")
        if bare.startswith("|"):
            count = bare.count("|")
            if cells and count != cells:
                problems.append(f"Markdown: a line of {count} bars in a table of {cells}")
            cells = count
        else:
            cells = 0
    return problems + (["Markdown: a block of code is not closed"] if fence else [])


def annotations(text: str) -> list[str]:
    """What the runner makes of stderr: our own errors and warnings, ten at most, and messages."""
    problems, count = [f"terminal: {found}" for found in controls(text)], 0
    for line in text.split("\n"):
        if re.match(r"::(error|warning) title=[^:,]*::", line):
            count += 1
        elif commands(line):
            problems.append(f"a command: {line[:60]}")
    return problems + ([f"{count} annotations"] if count > 10 else [])


def shell(text: str) -> list[str]:
    """Settings that a shell reads, or a CSV with comments: lines of data hold no text of the document."""
    problems = terminal(text)
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if not re.fullmatch(r"[A-Za-z0-9_,.:;=\" +/-]*", line):
            problems.append(f"export: {line[:60]!r}")
    return problems


WRITERS = {"json": strict_json, "csv": table, "md": markdown, "html": page, "junit": test_report, "gab": strict_json,
           "bmf": strict_json, "chrome": strict_json}
EXPORTS = ("nccl-tuner", "env", "sglang", "vllm")
