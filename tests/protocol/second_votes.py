"""Proposals and votes as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.protocol import second_asked, second_bank, second_clock
from tests.protocol.second_entries import Entry, need
from tests.protocol.second_letters import Letter
from tests.protocol.second_seats import counted

if TYPE_CHECKING:
    from tests.protocol.second import Campaign

ENDS = ("draw", "standing", "concede")
SUBJECTS = (*ENDS, "resign", "time", "replace", "clock")


class Past(NamedTuple):
    """A position that the game has left, and when."""

    at: datetime
    stage: str
    basis: str


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
    need(player not in campaign.resigned, "this player has resigned")
    now = (campaign.next["stage"], campaign.basis)
    is_known = (letter.stage, letter.basis) in [now, *positions_before(campaign, entry.tree["time"])]
    need(is_known, "it was written on another entry")
    said: dict[str, Any] = dict(letter.body)
    others = [seat for seat in campaign.players if seat != player]
    subject, about, days = said.pop("subject", ""), said.pop("about", ""), said.pop("days", "") or "7"
    need(not said and subject in SUBJECTS, "this is no proposal")
    if subject == "concede":
        about = about or (others[0] if len(others) == 1 else "")
    need(subject not in ("time", "replace", "clock") or rule(campaign) != "none", "nobody has agreed on votes")
    need(is_about(campaign, subject, about, others), "it is about nothing of the kind")
    if subject == "replace":
        need(is_silent(campaign, about, entry.tree["time"]), "this seat is not late")
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
    heard(campaign, player)
    campaign.proposals = [each for each in campaign.proposals if each.player != player] + [mine]
    if subject == "resign" and not bot_that_follows(campaign):
        campaign.resigned.add(player)
        dropped(campaign, player)


def left(campaign: Campaign, entry: Entry, before: dict[str, Any]) -> None:
    """The game leaves a position, and forgets all if it goes back."""
    if before and entry.kind == "adjudication":
        campaign.past.append(Past(second_clock.moment(entry.tree["time"]), before["stage"], campaign.basis))
    else:
        campaign.past = []


def positions_before(campaign: Campaign, now: str) -> list[tuple[str, str]]:
    """Stage and basis of the positions on which something may still be proposed."""
    if campaign.protocol < 7:
        return []
    first = second_clock.moment(now) - timedelta(days=7)
    return [(each.stage, each.basis) for each in campaign.past if each.at >= first]


def is_about(campaign: Campaign, subject: str, about: str, others: list[str]) -> bool:
    """True if a proposal names what its subject needs."""
    if subject == "concede":
        return about in others
    if subject == "time":
        return about.isdecimal() and str(int(about)) == about and 1 <= int(about) <= 30
    if subject == "replace":
        people = counted(campaign)
        return len(people) > 2 and about in others and about in people and about != campaign.host_seat
    if subject == "clock":
        if not re.fullmatch("[1-9][0-9]{0,2}h|[1-9][0-9]?d", about):
            return False
        now = second_clock.span(campaign.settings["clock"]["next"])
        return timedelta(hours=12) <= second_clock.span(about) <= timedelta(days=30) and second_clock.span(about) != now
    return not about


def is_silent(campaign: Campaign, seat: str, now: str) -> bool:
    """True if a seat has let the deadline and its bank pass, and has not answered."""
    if campaign.locked or not campaign.deadline or seat not in campaign.next.get("owing", {}):
        return False
    mine = second_asked.owed(campaign, seat)
    until = second_clock.moment(campaign.deadline) + timedelta(seconds=second_bank.left(campaign, seat))
    return second_clock.moment(now) >= until and not (mine and mine.is_whole)


def heard(campaign: Campaign, seat: str) -> None:
    """Something has come from a seat, which nobody wants to replace any more."""
    campaign.proposals = [each for each in campaign.proposals if (each.subject, each.about) != ("replace", seat)]


def voters(campaign: Campaign, proposal: Proposal) -> list[str]:
    """Seats whose votes on a proposal count."""
    excluded = proposal.about if proposal.subject == "replace" else ""
    return [seat for seat in counted(campaign) if seat != excluded]


def rule(campaign: Campaign) -> str:
    """The agreed rule by which votes carry something."""
    return str(campaign.settings["conduct"].get("votes", "none"))


def bot_that_follows(campaign: Campaign) -> str:
    """The bot that takes the seat of who resigns."""
    conduct = campaign.settings["conduct"]
    follows = conduct.get("resigned") == "bot" and not campaign.host_seat
    return str(conduct.get("stand_in", "")) if follows else ""


def voted(campaign: Campaign, entry: Entry) -> None:
    """Somebody votes."""
    player, says = entry.body["player"], entry.body["says"]
    letter = letter_of_entry(campaign, entry)
    number = int(entry.body["proposal"])
    found = next((each for each in campaign.proposals if each.entry == number), None)
    need(found is not None, "nothing of the kind is open")
    assert found
    need(player in voters(campaign, found), "this seat does not count")
    need(letter.body == {"proposal": found.name, "says": says}, "the letter says something else")
    votes = {**found.votes, player: says}
    hopeful = found._replace(votes=dict.fromkeys(voters(campaign, found), "yes") | votes)
    is_over = votes[found.player] == "no" or not is_carried(campaign, hopeful)
    kept = [] if is_over else [found._replace(votes=votes)]
    place = campaign.proposals.index(found)
    campaign.proposals[place : place + 1] = kept
    heard(campaign, player)


def is_carried(campaign: Campaign, proposal: Proposal) -> bool:
    """True if as many agree as must."""
    people = voters(campaign, proposal)
    yes = sum(proposal.votes.get(seat) == "yes" for seat in people)
    if proposal.subject == "resign":
        return True
    if proposal.subject in ENDS:
        return yes == len(people)
    every = len(people)
    if proposal.subject == "replace" and yes < 2:
        return False
    if proposal.subject != "replace":
        every, yes = every + len(campaign.bots), yes + len(campaign.bots)
    return {"majority": yes * 2 > every, "two thirds": yes * 3 >= every * 2, "all": yes == every}[rule(campaign)]


def due(campaign: Campaign) -> Proposal | None:
    """The first proposal that is carried, and does not wait."""
    carried = (each for each in campaign.proposals if is_carried(campaign, each))
    return next((each for each in carried if not waits(campaign, each)), None)


def waits(campaign: Campaign, proposal: Proposal) -> bool:
    """True if a bot would get a seat that has something to reveal behind a lock."""
    seat = {"resign": proposal.player, "replace": proposal.about}.get(proposal.subject, "")
    is_for_bot = bool(seat and bot_that_follows(campaign))
    return is_for_bot and campaign.locked and bool(second_asked.hidden_of(campaign, seat))


def before(campaign: Campaign, entry: Entry) -> None:
    """Refuse an entry that does not carry out what is carried; forget what is too old."""
    found = due(campaign)
    if found and entry.kind != "clock":
        kind, body = kind_that_carries(campaign, found), entry.body
        need(entry.kind == kind and body.get("proposal") == str(found.entry), "what was agreed comes next")
        if kind == "extension":
            then = datetime.fromisoformat(campaign.deadline).astimezone(UTC) + timedelta(days=int(found.about))
            need(body["until"] == f"{then:%Y-%m-%dT%H:%M:%SZ}", "another deadline was agreed")
            campaign.proposals.remove(found)
        if kind == "substitute":
            bot = bot_that_follows(campaign)
            told = (body["player"], body.get("bot"), body.get("name"))
            seat = found.about if found.subject == "replace" else found.player
            need(told == (seat, bot, f"Bot {bot.partition('/')[0]}"), "another one follows")
            why = "the seats have voted for it" if found.subject == "replace" else "the player has resigned"
            need(body["why"] == why, "this is not why")
        return
    need("proposal" not in entry.body or entry.kind == "vote", "nobody has agreed on this")
    now = entry.tree["time"]
    campaign.proposals = [
        each
        for each in campaign.proposals
        if each.until >= now or (waits(campaign, each) and is_carried(campaign, each))
    ]


def kind_that_carries(campaign: Campaign, proposal: Proposal) -> str:
    """Kind of the entry that carries out what is agreed."""
    given = "substitute" if bot_that_follows(campaign) else "resolution"
    kinds = {"resign": "substitute", "time": "extension", "replace": given, "clock": "resolution"}
    return kinds.get(proposal.subject, "end")


def resolved(campaign: Campaign, entry: Entry) -> None:
    """A seat is vacant, or each stage has another time from now on."""
    found, body = due(campaign), entry.body
    need(found is not None, "nobody has agreed on this")
    assert found
    need((body["subject"], body["about"]) == (found.subject, found.about), "something else was agreed")
    campaign.proposals.remove(found)
    if found.subject == "replace":
        campaign.resigned.add(found.about)
        dropped(campaign, found.about)
    else:
        clock = {**campaign.settings["clock"], "next": found.about}
        campaign.settings = {**campaign.settings, "clock": clock}


def ended(campaign: Campaign, entry: Entry) -> None:
    """The game is over."""
    found = due(campaign)
    need(found is not None, "nobody has agreed on this")
    assert found
    winners = [found.about] if found.subject == "concede" else []
    need(entry.body["how"] == found.subject, "something else was agreed")
    need(entry.body.get("winners", []) == winners, "others have won")
    campaign.phase, campaign.proposals, campaign.deadline = "over", [], ""
    kept = ("stage", "phase", "digest", "deadline", "over")
    campaign.next = {key: campaign.next[key] for key in kept if key in campaign.next}


def dropped(campaign: Campaign, seat: str) -> None:
    """The seat goes to somebody else."""
    heard(campaign, seat)
    kept = [each for each in campaign.proposals if each.player != seat]
    for each in kept:
        each.votes.pop(seat, None)
    campaign.proposals = kept
