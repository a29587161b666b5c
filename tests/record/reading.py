"""Records as tests read them: whole, and held against the schema line by line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from jsonschema import Draft202012Validator

from pbem.cli import main

SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs/record.schema.json").read_text("utf-8"))


@cache
def validator(name: str) -> Draft202012Validator:
    """Checks what the schema describes under a name; events and decisions are checked under their own."""
    part = SCHEMA["$defs"][name]
    if name in ("Happened", "Decided"):
        part = part | {"properties": part["properties"] | {"events": {}, "decision": {}}}
    return Draft202012Validator(part | {"$defs": SCHEMA["$defs"]})


def check(line: dict[str, Any]) -> None:
    """A line must be as the schema says, by the name of its type; so must all that it tells."""
    validator(line["type"]).validate(line)
    for told in (*line.get("events", ()), line.get("decision")):
        if told is not None:
            validator(told["type"]).validate(told)


def recorded(*words: str, code: int = 0) -> list[dict[str, Any]]:
    """The lines that `pbem record` writes."""
    done = CliRunner().invoke(main, ["record", *words], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]
