"""Proposals and votes as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.protocol.second_entries import Entry, need
from tests.protocol.second_letters import Letter

if TYPE_CHECKING:
    from tests.protocol.second import Campaign

ENDS = ("draw", "standing", "concede")


class Proposal(NamedTuple):
    """Something that is voted on."""

    entry: int
    name: str
    player: str
    subject: str
    about: str
    until: str
    votes: dict[str, str]


def letter_of_entry(campaign: Campaign, entry: Entry) -> Letter:
    """The letter that stands in the entry, of a person who plays."""
    player = entry.body["player"]
    need(campaign.protocol >= 5 and campaign.phase == "running", "nothing can be proposed now")
    need(player not in campaign.bots, "bots propose nothing")
    letter = campaign.letter_in(entry, entry.kind, campaign.player(player)["key"])
    campaign.note(entry, entry.kind)
    campaign.spend(player)
    return letter


def proposed(campaign: Campaign, entry: Entry) -> None:
    """Somebody proposes something."""
    body, player = entry.body, entry.body["player"]
    letter = letter_of_entry(campaign, entry)
    need((letter.stage, letter.basis) == (campaign.next["stage"], campaign.basis), "it was written on another entry")
    said: dict[str, Any] = dict(letter.body)
    others = [seat for seat in campaign.players if seat != player]
    subject, about, days = said.pop("subject", ""), said.pop("about", ""), said.pop("days", "") or "7"
    need(not said and subject in ENDS, "this is no proposal")
    if subject == "concede":
        about = about or (others[0] if len(others) == 1 else "")
    need((about in others) if subject == "concede" else not about, "it is about nothing of the kind")
    need(days.isdecimal() and str(int(days)) == days and 1 <= int(days) <= 60, "it is open for some days")
    told = (body["subject"], body.get("about", ""), body.get("days", "7"))
    need(told == (subject, about, days), "the letter proposes something else")
    until = datetime.fromisoformat(entry.tree["time"]).astimezone(UTC) + timedelta(days=int(days))
    mine = Proposal(
        entry.number,
        f"{entry.number}-{entry.hash[:16]}",
        player,
        subject,
        about,
        f"{until:%Y-%m-%dT%H:%M:%SZ}",
        {player: "yes"},
    )
    campaign.proposals = [each for each in campaign.proposals if each.player != player] + [mine]


def voted(campaign: Campaign, entry: Entry) -> None:
    """Somebody votes."""
    player, says = entry.body["player"], entry.body["says"]
    letter = letter_of_entry(campaign, entry)
    number = int(entry.body["proposal"])
    found = next((each for each in campaign.proposals if each.entry == number), None)
    need(found is not None, "nothing of the kind is open")
    assert found
    need(letter.body == {"proposal": found.name, "says": says}, "the letter says something else")
    votes = {**found.votes, player: says}
    is_over = votes[found.player] == "no" or "no" in [votes.get(seat) for seat in counted(campaign)]
    kept = [] if is_over else [found._replace(votes=votes)]
    place = campaign.proposals.index(found)
    campaign.proposals[place : place + 1] = kept


def counted(campaign: Campaign) -> list[str]:
    """Seats whose votes count."""
    return [seat for seat in campaign.players if seat not in campaign.bots]


def due(campaign: Campaign) -> Proposal | None:
    """The first proposal that is carried."""
    for each in campaign.proposals:
        if all(each.votes.get(seat) == "yes" for seat in counted(campaign)):
            return each
    return None


def before(campaign: Campaign, entry: Entry) -> None:
    """Refuse an entry that does not carry out what is carried; forget what is too old."""
    found = due(campaign)
    if found and entry.kind != "clock":
        need(entry.kind == "end" and entry.body["proposal"] == str(found.entry), "what was agreed comes next")
        return
    need(entry.kind != "end", "nobody has agreed on an end")
    now = entry.tree["time"]
    campaign.proposals = [each for each in campaign.proposals if each.until >= now]


def ended(campaign: Campaign, entry: Entry) -> None:
    """The game is over."""
    found = due(campaign)
    assert found
    winners = [found.about] if found.subject == "concede" else []
    need(entry.body["how"] == found.subject, "something else was agreed")
    need(entry.body.get("winners", []) == winners, "others have won")
    campaign.phase, campaign.proposals, campaign.deadline = "over", [], ""
    kept = ("stage", "phase", "digest", "deadline", "over")
    campaign.next = {key: campaign.next[key] for key in kept if key in campaign.next}


def dropped(campaign: Campaign, seat: str) -> None:
    """The seat goes to somebody else."""
    kept = [each for each in campaign.proposals if each.player != seat]
    for each in kept:
        each.votes.pop(seat, None)
    campaign.proposals = kept
