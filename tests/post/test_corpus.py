"""Letters as mail programs and forums change them: one damaged copy a file, and its expected reading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.paper.letters import check_signature, letter_id, read_letter
from pbem.post.extract import Extraction, extract
from pbem.seal.keys import PublicKey
from tests.post.copies import FOLDER, LETTERS, Copy, copies

COPIES = copies()


def named(found: FoundLetter) -> str:
    """The known letter that this is, by its text or at least its words; and whether it is quoted."""
    how = "quoted" if found.is_quoted else "letter"
    for name, text in LETTERS.items():
        if found.text == text:
            return f"{how} {name}"
    known = {letter_id(read_letter(text.encode(), name)): name for name, text in LETTERS.items()}
    return f"same {known[found.identity]}" if found.identity in known else "found"


def told(got: Extraction) -> Iterator[str]:
    """The outcome in the words of the files; notes are compared apart."""
    yield from ["automatic"] * got.envelope.is_automatic
    for letter in got.letters:
        yield from ["preview"] * letter.is_of_page
        yield named(letter)
    faults = [*(fault for letter in got.unread for fault in letter.faults), *got.faults]
    yield from (f"fault {fault.code} {fault.place.removeprefix(':')}".rstrip() for fault in faults)


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
    signed = [letter.letter for letter in found if named(letter) != "found" and letter.letter]
    assert len(signed) > 60
    for letter in signed:
        if letter.kind != "report":
            check_signature(letter, louis)


def test_every_fault_says_what_to_do() -> None:
    read = [extract(copy.raw) for copy in COPIES]
    faults = [fault for got in read for each in (got, *got.unread) for fault in each.faults]
    assert len({fault.code for fault in faults}) > 12
    for fault in faults:
        assert fault.hint, fault
        assert not isinstance(fault, Fault) or (fault.line > 0 and fault.column > 0), fault
