"""What mail programs and forums make of letters: one damaged copy a file, and what must come of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.paper.faults import Refused
from pbem.paper.letters import check_signature, letter_id, read_letter
from pbem.post.extract import Extraction, FoundLetter, extract
from pbem.seal.keys import PublicKey
from tests.post.copies import FOLDER, LETTERS, Copy, copies

COPIES = copies()


def named(found: FoundLetter) -> str:
    """Which of the known letters this is: the same text, or at least the same words."""
    for name, text in LETTERS.items():
        if found.text == text:
            return f"letter {name}"
    try:
        says = letter_id(read_letter(found.text.encode(), "found"))
    except Refused as refused:
        return f"unreadable {refused.faults[0].code}"
    known = {letter_id(read_letter(text.encode(), name)): name for name, text in LETTERS.items()}
    return f"same {known[says]}" if says in known else "found"


def told(got: Extraction) -> Iterator[str]:
    """The outcome in the words of the files; notes are compared apart."""
    yield from ["preview"] * got.is_preview_only
    yield from ["automatic"] * got.envelope.is_automatic
    yield from (named(letter) for letter in got.letters)
    yield from (named(letter).replace("letter", "older") for letter in got.older)
    yield from (f"fault {fault.code} {fault.line}:{fault.column}" for fault in got.faults)


@pytest.mark.parametrize("copy", COPIES, ids=[copy.name for copy in COPIES])
def test_copy(copy: Copy) -> None:
    got = extract(copy.raw, copy.hint)
    assert list(told(got)) == [line for line in copy.expected if not line.startswith("note ")]
    notes = " ".join(note for letter in got.letters for note in letter.notes)
    for line in copy.expected:
        assert not line.startswith("note ") or line.removeprefix("note ") in notes


def test_what_is_found_signed_verifies() -> None:
    louis = PublicKey.parse((FOLDER / "letters" / "louis.pub").read_text())
    found = [letter for copy in COPIES for letter in extract(copy.raw).letters if letter.is_signed]
    signed = [letter for letter in found if named(letter).startswith(("letter", "same"))]
    assert len(signed) > 60
    for letter in signed:
        check_signature(read_letter(letter.text.encode(), "found"), louis)


def test_every_fault_says_what_to_do() -> None:
    faults = [fault for copy in COPIES for fault in extract(copy.raw).faults]
    assert len({fault.code for fault in faults}) > 12
    for fault in faults:
        assert fault.hint, fault
        assert fault.line > 0, fault
        assert fault.column > 0, fault
