"""Entries of the ledger in words, and data that are used in several kinds of letters of the moderator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from pbem.campaign.briefing import AgreedEnd
from pbem.campaign.clock.clock import Clock, parse_moment, stamp, zone_named
from pbem.campaign.clock.deadlines import away_in
from pbem.campaign.clock.timing import Readiness
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import proposal_named
from pbem.campaign.ledger.seats import SharedKey
from pbem.campaign.news import EntryNote
from pbem.campaign.settings import MODERATOR, Settings
from pbem.engine.table import Table
from pbem.kit import game_of
from pbem.report.language.templates import languages, template
from pbem.report.telling import view_data
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


def local_time(moment: datetime, clock: Clock) -> dict[str, object]:
    """Return a moment as data: in universal time, and with date and time in the time zone of the campaign."""
    local = moment.astimezone(zone_named(clock.zone))
    return {"utc": stamp(moment), **day_data(local.date()), "time": local.strftime("%H:%M"), "zone": clock.zone}


def ready_data(ready: Readiness | None, clock: Clock) -> dict[str, object] | None:
    """Return as data the moment from which a stage may be adjudicated. `is_past` is true if this moment has passed.
    Return None if `ready` is None."""
    return {"moment": local_time(ready.moment, clock), "is_past": ready.is_past} if ready else None


def day_data(day: date) -> dict[str, object]:
    """Return a day as data. Its weekday is a number, from 0 for Monday."""
    return {"year": day.year, "month": day.month, "day": day.day, "weekday": day.weekday()}


FORMAT = 1
"""Version of the format of reports and other letters of the moderator, and of the data in them."""


def report_language(language: str) -> str:
    """Return the language, or English if there are no templates in this language."""
    return language if language in languages() else "en"


def moderator_data(settings: Settings, key: str) -> dict[str, object]:
    who = settings.moderator
    return {
        "name": who.name,
        "seat": who.seat,
        "desk": who.desk,
        "address": "",
        "key": key,
        "fingerprint": fingerprint(key),
    }


def shared_data(shared: SharedKey) -> dict[str, object]:
    found: dict[str, object] = {"players": list(shared.players), "key": fingerprint(shared.key)}
    return found | {"moderator": True} if shared.is_moderators else found


TEMPLATE = "campaign_telling.txt.j2"

Facts = dict[str, object]


class Teller:
    """Writer of descriptions of the ledger's entries, in one language. It does not use templates that a campaign brings
    itself."""

    def __init__(self, language: str, game: str) -> None:
        self.words: Any = template(language, game, TEMPLATE).module

    def line(self, facts: Facts) -> str:
        """Return a description of an entry in a few words. Words of people are quoted as they are."""
        return str(self.words.short(facts, str))

    def sentence(self, facts: Facts, people: Mapping[str, str], guarded: Callable[..., str]) -> str:
        """Return a description of an entry in whole sentences. `people` has the players of the seats at the time of the
        entry. `guarded` is a function that makes words of people harmless."""
        return str(self.words.sentence(facts, people, guarded))


def notes_data(notes: Sequence[EntryNote], clock: Clock, locked: bool, deadline: datetime | None) -> list[Facts]:
    """Return the data of the entries that a report tells. Adjudications that are silent (`is_silent`) are left out.

    `is_on` is true for an entry that is still in effect: the last lock if the campaign is `locked`, and the extension
    with the present `deadline`.
    """
    lock = max((note.entry for note in notes if isinstance(note.record, r.LockRecord)), default=0) if locked else 0
    found: list[Facts] = []
    for note in notes:
        if not is_silent(note.record):
            head: Facts = {
                "kind": r.NAMES[type(note.record)],
                "entry": note.entry,
                "time": local_time(note.time, clock),
            }
            is_on: Facts = {"is_on": note.entry == lock} if isinstance(note.record, r.LockRecord) else {}
            if isinstance(note.record, r.ExtensionRecord):
                is_on = {"is_on": parse_moment(note.record.until) == deadline, "stage": note.stage}
            undone: Facts = (
                {"undone": [*note.undone], "withdrawn": [*note.withdrawn]} if r.goes_back(note.record) else {}
            )
            found.append(head | facts_of(note.record, clock) | motion_facts(note) | is_on | undone)
    return found


def motion_facts(note: EntryNote) -> Facts:
    """Return the data of the proposal on which an entry votes, or which it carries out, as `motion`. Return an empty
    dict for any other entry.

    `has_failed` is true if the proposal has failed because of this entry.
    """
    if note.proposal is None:
        return {}
    return {"motion": motion_data(note.proposal), "has_failed": note.has_failed}


def motion_named(record: r.Record, known: Callable[[int], r.Record]) -> Facts:
    """Return the data of the proposal on which an entry votes, or which it carries out, as `motion`. Return an empty
    dict for any other entry. `known` is a function that returns the body of the entry with a number."""
    motion = motion_in(record, known)
    return {"motion": motion_data(motion)} if motion else {}


def motion_in(record: r.Record, known: Callable[[int], r.Record]) -> r.ProposalRecord | None:
    """Return the proposal on which an entry votes, or which it carries out. Return None for any other entry. `known` is
    a function that returns the body of the entry with a number."""
    number = record.proposal if isinstance(record, r.VoteRecord) else proposal_named(record)
    motion = known(number) if number else None
    return motion if isinstance(motion, r.ProposalRecord) else None


def motion_data(motion: Proposal | r.ProposalRecord) -> dict[str, str]:
    return {"player": motion.player, "subject": motion.subject, "about": motion.about}


def ended_data(phase: str, agreed: AgreedEnd | None, table: Table | None) -> Facts | None:
    """Return data about the end of the game: `how` it ended, the winners, and the proposal (`motion`) if the players
    agreed to end it. Return None if the game has not ended."""
    if table is None or phase not in ("over", "closed"):
        return None
    if agreed:
        motion = motion_data(agreed.proposal)
        return {"how": agreed.record.how, "winners": list(agreed.record.winners), "motion": motion}
    result = view_data(table.rules, game_of(table).view(table, ()))["result"]
    if not isinstance(result, Mapping):
        return None
    return {"how": "rules", "winners": [seat for seat in (result["winner"], *result.get("others", ())) if seat]}


def is_silent(record: r.Record) -> bool:
    """True for an adjudication that carried out the own orders of all players, and in which nothing was drawn by lot. A
    report does not mention it."""
    return isinstance(record, r.AdjudicationRecord) and not (
        record.absent or record.returned or record.forfeited or record.drawn
    )


def seats_of(record: r.Record) -> tuple[str, ...]:
    """Return the seats that caused an entry or are concerned by it. Return none if the entry concerns everybody."""
    match record:
        case r.AdjudicationRecord():
            return tuple(sorted({*record.absent, *record.returned, *record.forfeited}))
        case r.AgreementRecord():
            return record.powers
        case r.ReminderRecord():
            return record.players
        case (
            r.JoinRecord()
            | r.LetterRecord()
            | r.RefusedRecord()
            | r.AbsenceRecord()
            | r.SubstituteRecord()
            | r.KeyChangeRecord()
            | r.ProposalRecord()
            | r.VoteRecord()
        ):
            return (record.player,) if record.player else ()
    return ()


def facts_of(record: r.Record, clock: Clock) -> Facts:
    """Return the kind of an entry, and the data with which it is described."""
    return {"kind": r.NAMES[type(record)], **(facts_of_players(record, clock) or facts_of_moderator(record, clock))}


def facts_of_players(record: r.Record, clock: Clock) -> Facts:
    """Return the data of an entry about players: letters, acts, agreements, results of votes, and changes of seats.
    Return an empty dict for any other entry."""
    match record:
        case r.JoinRecord():
            return {"player": record.player, "name": record.name, "key": fingerprint(record.key)}
        case r.SubstituteRecord():
            key = fingerprint(record.key)
            said = {"player": record.player, "name": record.name, "key": key, "why": record.why}
            return {**said, **proposal_fact(record.proposal)}
        case r.KeyChangeRecord():
            key = fingerprint(record.key)
            return {"player": record.player, "key": key, "by_letter": bool(record.seq), "why": record.why}
        case r.LetterRecord():
            return {
                "player": record.player,
                "letter": record.kind,
                "stage": record.stage,
                "seq": record.seq,
                "status": record.status,
                "slots": sorted(record.slots),
                "why": record.acted,
                "bot": record.bot.partition("/")[0],
            }
        case r.RefusedRecord():
            return {"player": record.player}
        case r.AbsenceRecord():
            first, last = (day_data(date.fromisoformat(written)) for written in (record.first, record.last))
            level = record.bot.partition("/")[0]
            return {"player": record.player, "first": first, "last": last, "why": record.why, "bot": level}
        case r.AgreementRecord():
            binds = {kind: list(names) for kind, names in record.binds.items()}
            return {"players": list(record.powers), "words": record.words, "binds": binds, "until": record.until}
        case r.ProposalRecord():
            return {"player": record.player, "subject": record.subject, "about": record.about}
        case r.VoteRecord():
            return {"player": record.player, "proposal": record.proposal, "says": record.says}
        case r.ResolutionRecord():
            return {"proposal": record.proposal, "subject": record.subject, "about": record.about}
        case r.EndRecord():
            return {"proposal": record.proposal, "how": record.how, "winners": list(record.winners)}
    return {}


def facts_of_moderator(record: r.Record, clock: Clock) -> Facts:
    """Return the data of an entry about an act of the moderator or of an heir. Return an empty dict for any other
    entry."""
    match record:
        case r.NewRecord():
            settings = record.settings
            return {"campaign": settings.campaign, "seats": list(settings.seats), "key": fingerprint(record.moderator)}
        case r.LockRecord():
            until = local_time(parse_moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case r.AdjudicationRecord():
            return {
                "version": record.version,
                "stage": record.stage,
                "next": record.next.stage,
                "over": record.next.over,
                "absent": dict(record.absent),
                "returned": list(record.returned),
                "forfeited": {player: list(slots) for player, slots in record.forfeited.items()},
                "forced": record.forced,
                "happened": len(record.events),
                "cards": len(record.openings),
                "shuffles": len(record.dealt),
                "drawn": dict(record.drawn),
            }
        case r.RulingRecord():
            return {"words": record.words, "rule": record.rule}
        case r.ExtensionRecord():
            until = local_time(parse_moment(record.until), clock)
            return {"until": until, "why": record.why, "away": away_in(record.why), **proposal_fact(record.proposal)}
        case r.ReminderRecord():
            return {"players": list(record.players), "occasion": record.kind}
        case r.ClockRecord():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case r.RollbackRecord():
            asked = [seat for seat in record.next.owing if seat not in record.next.answered]
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "asked": asked}
        case r.HeirloomRecord():
            return {"players": list(record.parts), "wanted": len(record.points)}
        case r.SuccessionRecord():
            key = fingerprint(record.key)
            handed = [*record.letters] == [MODERATOR]
            players = [] if handed else list(record.letters)
            return {"name": record.name, "key": key, "seat": record.seat, "players": players, "handed": handed}
        case r.CloseRecord():
            return {"why": record.why}
    return {}


def proposal_fact(entry: int) -> Facts:
    """Return as `proposal` the number of the proposal that is carried out. Return an empty dict if there is none."""
    return {"proposal": entry} if entry else {}


def fingerprint(key: str) -> str:
    """Return the fingerprint of a public key. Return an empty text if `key` is no public key."""
    try:
        return PublicKey.parse(key).fingerprint if key else ""
    except SealFault:
        return ""
