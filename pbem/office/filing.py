"""Files of a mail that a player's office keeps: what the moderator has signed, what that vouches for, and texts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.players.guidance import KINDS, Guidance, guidance_of
from pbem.campaign.players.letters import LetterContext, orders_letter
from pbem.faults.wrong import PbemError
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import Text
from pbem.paper.letters import MODERATORS, Letter, check_signature, file_digest, read_letter
from pbem.post.extract import extract
from pbem.seal.keys import PublicKey

SHEET = "orders.yaml"


class Came(Struct, frozen=True):
    """A file of a mail, plain or opened."""

    name: str
    data: bytes
    letter: Letter | None = None
    """The moderator's letter for the seat that is played, if the file is that and nothing else."""


class Filing(Struct, frozen=True):
    """Files of a mail that are filed."""

    files: dict[str, bytes]
    guide: Guidance | None = None
    """The report or the invitation among them."""
    unsigned: tuple[str, ...] = ()
    """The files that are left out, for nothing signed vouches for them."""


def filing_of(came: Sequence[Came]) -> Filing:
    """Return what is filed of a mail; an order sheet for which nobody vouches is made anew of the report."""
    guide = next(
        (guidance_of(each.letter, each.name) for each in came if each.letter and each.letter.kind in KINDS), None
    )
    files: dict[str, bytes] = {}
    unsigned = []
    for each in came:
        if each.letter:
            files.setdefault(f"{each.letter.kind}.yaml", each.data)
        elif not is_for_programs(each.name) or (guide and guide.sheets.get(each.name) == file_digest(each.data)):
            files.setdefault(each.name, each.data)
        else:
            unsigned.append(each.name)
    if guide and guide.seat in guide.owing and not guide.locked and SHEET not in files:
        occasion = LetterContext(guide.campaign, guide.seat, guide.stage, guide.basis)
        files[SHEET] = orders_letter(occasion, guide.next_seq, {}).encode()
    return Filing(files, guide, tuple(unsigned))


def is_for_programs(name: str) -> bool:
    """Return whether programs look for letters in a file of this name."""
    return name.casefold().endswith((".yaml", ".yml", ".json"))


def letters_in(data: bytes, name: str, campaign: str) -> list[Letter]:
    """Return the moderators' letters of a campaign in a file, whatever else stands there."""
    found = [each.letter for each in extract(data, name).letters] if is_for_programs(name) else []
    return [each for each in found if each and each.kind in MODERATORS and each.campaign == campaign]


def whole_letter(data: bytes, name: str, campaign: str) -> Letter | None:
    """Return the moderator's letter of a campaign that a file is; none if anything stands beside it."""
    try:
        letter = read_letter(data, name)
    except Refused:
        return None
    return letter if letter.kind in MODERATORS and letter.campaign == campaign else None


def is_letter_of(letter: Letter, moderator: PublicKey | None, source: str) -> bool:
    """Return whether a moderator's letter is signed by this one; before anybody is known, by the one whom it names."""
    try:
        if moderator:
            check_signature(letter, moderator)
        elif letter.kind in KINDS:
            guidance_of(letter, source)
    except PbemError:
        return False
    return True


def is_of_another(letter: Letter, moderator: PublicKey | None) -> bool:
    """Return whether the signature of a letter holds, under another key than the moderator's."""
    from pbem.seal.signature import signer_of

    try:
        signer = signer_of(letter.signature)
        check_signature(letter, signer)
    except PbemError:
        return False
    return signer != moderator


def addressee(letter: Letter) -> str:
    """Return the seat for which a letter of the moderator is."""
    node = entry_of(letter.body, "seat" if letter.kind == "invitation" else "to")
    return node.value if isinstance(node, Text) else ""
