"""Validation of ringside's JSON against docs/schema."""

import json
import os
import pathlib

import jsonschema

SCHEMAS = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/schema"


def schema(name: str = "document-1") -> dict:
    """Of today's version; `document-1.0`: of an earlier one."""
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def violations(document: object, name: str = "document-1") -> list[str]:
    """One line per violation: the JSON path and what is wrong there."""
    errors = jsonschema.Draft202012Validator(schema(name)).iter_errors(document)
    return [f"{error.json_path}: {error.message}" for error in errors]


def parse(text: str) -> object:
    """Strict JSON: NaN and Infinity, which Python would take, are refused."""
    def refuse(name: str):
        raise ValueError(f"{name} is no JSON")
    return json.loads(text, parse_constant=refuse)
