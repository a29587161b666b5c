"""Text of a file from its bytes, with the place of a byte that is not UTF-8."""

from __future__ import annotations

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault, Refused


def as_utf8(content: bytes, source: str, most: int) -> str:
    """Return the text of a file; its lines end in a line feed. Raises `Refused` for more than `most` bytes, and for
    what is not UTF-8."""
    if len(content) > most:
        raise Refused(source, [wrong("E-YAML-SIZE", most=most)])
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Refused(source, [Fault.at(1, 1, wrong("E-YAML-ENCODING.utf16"))])
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(source, [_undecodable(content, error.start)]) from None
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def _undecodable(content: bytes, start: int) -> Fault:
    before = content[:start].replace(b"\r\n", b"\n")
    line = before.count(b"\n") + 1
    column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8").removeprefix("\ufeff")) + 1
    guess = content[start : start + 1].decode("windows-1252", "replace")
    byte = f"{content[start]:02X}"
    if guess.isalpha():
        return Fault.at(line, column, wrong("E-YAML-ENCODING.letter", byte=byte, letter=repr(guess)))
    return Fault.at(line, column, wrong("E-YAML-ENCODING.byte", byte=byte))
