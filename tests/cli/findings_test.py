"""docs/findings.md is made from the list of kinds in the binary. With RINGSIDE_REWRITE_GOLDEN set it is written anew."""

import json
import os
import pathlib
import unittest

from support.ringside import run

PAGE = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/findings.md"
HEAD = """# Kinds of findings

What `ringside` concludes is a finding: `kind:subject`, a severity, one sentence, its evidence, and a remedy where there is one.
The kind decides what a run ends with and what JUnit makes of it. This page is made from `ringside list findings`.

| kind | severity, as a rule | exit status | JUnit | what it says |
|---|---|---|---|---|
"""


def page(kinds):
    def line(kind):
        status = "" if kind["exit_status"] == "0" else kind["exit_status"]
        junit = "" if kind["junit"] == "none" else kind["junit"]
        return f"| `{kind['name']}` | {kind['severity']} | {status} | {junit} | {kind['summary']} |\n"
    return HEAD + "".join(map(line, kinds))


class Findings(unittest.TestCase):
    def test_the_page_is_the_list(self):
        result = run("list", "findings", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        made = page(json.loads(result.stdout)["findings"])
        if os.environ.get("RINGSIDE_REWRITE_GOLDEN"):
            PAGE.write_text(made, encoding="utf-8")
        self.assertEqual(PAGE.read_text(encoding="utf-8"), made)

    def test_statuses_are_those_of_the_readme(self):
        kinds = {kind["name"]: kind for kind in json.loads(run("list", "findings", "--json", "-").stdout)["findings"]}
        self.assertGreater(len(kinds), 50)
        self.assertEqual({name: kinds[name]["exit_status"] for name in ("wrong-data", "timeout", "regression", "tie")},
                         {"wrong-data": "4", "timeout": "5", "regression": "6", "tie": "0"})


if __name__ == "__main__":
    unittest.main()
