"""The damaged copies under `corpus/`: what each file says of itself, and the bytes that came.

A file has a head of `key: value` lines, a line `----`, and the message. Keys: `about`; `expect`, as often as needed;
`ends` (`crlf`, `cr`, `crcrlf`: the ends of its lines, which are line feeds here so that they survive); `hint`.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).parent / "corpus"
LETTERS = {path.stem: path.read_text("utf-8") for path in sorted((FOLDER / "letters").glob("*.yaml"))}
_ENDS = {"crlf": b"\r\n", "cr": b"\r", "crcrlf": b"\r\r\n"}


class Copy(Struct, frozen=True):
    """One copy of a letter, as it came."""

    name: str
    about: str
    expected: tuple[str, ...]
    raw: bytes
    hint: str = ""


def copies() -> list[Copy]:
    """All copies, by name."""
    return [_copy(path) for path in sorted(FOLDER.glob("*.txt"))]


def _copy(path: Path) -> Copy:
    head, _, raw = path.read_bytes().partition(b"----\n")
    lines = [line.partition(": ") for line in head.decode("utf-8").splitlines()]
    facts = {key: value for key, _, value in lines}
    assert facts.keys() <= {"about", "expect", "ends", "hint"}, path
    expected = tuple(value for key, _, value in lines if key == "expect")
    ends = _ENDS[facts["ends"]] if "ends" in facts else b"\n"
    return Copy(path.stem, facts["about"], expected, raw.replace(b"\n", ends), facts.get("hint", ""))
