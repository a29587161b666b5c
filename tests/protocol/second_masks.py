"""Masks of players, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.protocol.second_entries import Entry, Finding, need
from tests.protocol.second_keys import key_of
from tests.protocol.second_letters import Letter

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


def are_worn(campaign: Campaign) -> bool:
    """True if nobody but the moderator may know who plays which seat."""
    return bool(campaign.settings["conduct"].get("masks") == "until the close")


def seats(settings: dict[str, Any]) -> list[Finding]:
    """Entry 1 names nobody who is masked, and tells of no more than one language."""
    is_masked = settings["conduct"].get("masks") == "until the close"
    people = [planned for planned in settings["seats"].values() if not planned.get("bot")]
    is_told = any(planned.get("name") for planned in people)
    is_told = is_told or len({planned.get("language", "en") for planned in people}) > 1
    return [Finding("ledger/0001-new.yaml", "a masked player is told of")] if is_masked and is_told else []


def silent(campaign: Campaign, entry: Entry) -> bool:
    """True where players are masked: then an entry by which somebody gets a seat or a key must tell nothing of them,
    and a letter that it accepts is looked at after the close."""
    if not are_worn(campaign):
        return False
    body = entry.body
    told = {"letter", "language"} & set(body) or ("name" in body and "bot" not in body)
    need(not told, "a masked player is told of")
    need(not body["key"] or len(body["key"].split(" ")) == 2, "the key of a masked player has a comment")
    if "mark" in body:
        before = campaign.players.get(body["player"], {"key": body["key"]})
        campaign.masked[entry.number] = (entry, before["key"])
    return True


def fallen(campaign: Campaign, entry: Entry) -> None:
    """The close names players who were masked, and nobody else."""
    people = entry.body.get("people", {})
    need(not people or (are_worn(campaign) and set(people) <= set(campaign.players)), "the close names others")
    for seat, name in people.items():
        campaign.players[seat]["name"] = name


def shown(campaign: Campaign, number: int, letter: Letter) -> None:
    """A letter that was sealed until the close says what its entry says, and is signed with the key of that time."""
    entry, key = campaign.masked[number]
    body = entry.body
    told = (letter.kind, letter.campaign, letter.sender, letter.seq)
    need(told == (entry.kind, campaign.name, body["player"], int(body["seq"])), "the letter does not say this")
    said = letter.body.get("key", "")
    need((key_of(said) if said else None) == (key_of(body["key"]) if body["key"] else None), "it names another key")
    campaign.signed(letter, key_of(key) if key else None)
    if entry.kind == "join":
        campaign.taking(letter, body)
    else:
        need(bool(letter.signature), "the letter is not signed")
        campaign.proved(letter, key_of(key), key_of(body["key"]))


def names(campaign: Campaign, letters: dict[int, Letter]) -> list[Finding]:
    """The close names each player as the letter did by which the seat was taken."""
    assert campaign.closed
    joins = [entry for entry, _ in campaign.masked.values() if entry.kind == "join" and entry.number in letters]
    joined = {entry.body["player"]: letters[entry.number] for entry in joins}
    found = {campaign.drawn.get(seat, seat): letter for seat, letter in joined.items()}
    people = campaign.closed.body.get("people", {})
    return [
        Finding(f"ledger/{campaign.closed.file}", f"the player of {seat} joined under another name")
        for seat, letter in found.items()
        if seat not in campaign.since and letter.body.get("name") and people.get(seat) != letter.body["name"]
    ]
