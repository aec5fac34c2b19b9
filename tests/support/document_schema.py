"""Validation of ringside's JSON against docs/schema."""

import json
import os
import pathlib

import jsonschema

SCHEMA = pathlib.Path(os.environ["RINGSIDE_SOURCE"]) / "docs/schema/document-1.json"


def schema() -> dict:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def violations(document: object) -> list[str]:
    """One line per violation: the JSON path and what is wrong there."""
    errors = jsonschema.Draft202012Validator(schema()).iter_errors(document)
    return [f"{error.json_path}: {error.message}" for error in errors]


def parse(text: str) -> object:
    """Strict JSON: NaN and Infinity, which Python would take, are refused."""
    def refuse(name: str):
        raise ValueError(f"{name} is no JSON")
    return json.loads(text, parse_constant=refuse)
