"""The letter of a mail that its refusal is about."""

from __future__ import annotations

from pbem.campaign.letters.claims import letter_to_refuse
from pbem.paper.found import FoundLetter

OWN, OTHER = FoundLetter("own", "", 1), FoundLetter("other", "", 9)
QUOTED = FoundLetter("quoted", "", 20, is_quoted=True)


def test_a_letter_of_the_writer_is_refused_and_not_one_that_is_quoted_below_it() -> None:
    assert letter_to_refuse([OWN, QUOTED]) is OWN
    assert letter_to_refuse([OWN, OTHER, QUOTED]) is OTHER
    assert letter_to_refuse([QUOTED, OWN]) is OWN
    assert letter_to_refuse([QUOTED]) is QUOTED
