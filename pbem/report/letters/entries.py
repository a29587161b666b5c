"""Entries of the ledger in words; receipts, invitations and reminders as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import msgspec
from msgspec.structs import asdict

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.bank import accounts, time_parts
from pbem.campaign.clock.clock import Clock, parse_moment, stamp, zone_named
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.clock.owing import orders_now
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.letters.joining import MODERATOR, SharedKey, wrong_with_language
from pbem.campaign.letters.letterbox import HeldLetter, ahead_summaries, entry_of, state_of
from pbem.campaign.news import EntryNote
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.settings import NOBODY, Seat, Settings
from pbem.paper.documents.faults import MOST_FAULTS
from pbem.paper.documents.strict import Text, bare
from pbem.paper.documents.writing import on_one_line
from pbem.paper.letters import Letter
from pbem.paper.library import game_of_terms
from pbem.report.language.templates import TemplateData, languages, template
from pbem.report.letters.plan_words import plan_words
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


def local_time(moment: datetime, clock: Clock) -> dict[str, object]:
    """Return a moment as data: in universal time, and by calendar and clock of the campaign's time zone."""
    local = moment.astimezone(zone_named(clock.zone))
    return {"utc": stamp(moment), **day_data(local.date()), "time": local.strftime("%H:%M"), "zone": clock.zone}


def day_data(of: date) -> dict[str, object]:
    """Return a day as data. Weekdays are counted from Monday, which is 0."""
    return {"year": of.year, "month": of.month, "day": of.day, "weekday": of.weekday()}


FORMAT = 1
"""Version of the format of reports and other letters of the moderator, and of their data."""


def report_language(language: str) -> str:
    """Return the language of a report: the reader's language, or English if there are no templates in it."""
    return language if language in languages() else "en"


def plain_data(value: object) -> AnyTree:
    """Convert a value to mappings, lists, texts and numbers, as JSON has them."""
    return msgspec.json.decode(msgspec.json.encode(value))


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
    """Descriptions of the ledger's entries in one language. A campaign's own templates are not used."""

    def __init__(self, language: str, game: str) -> None:
        self.words: Any = template(language, game, TEMPLATE).module

    def line(self, facts: Facts) -> str:
        """Describe an entry in a few words. Words of people in it are left as they are."""
        return str(self.words.short(facts, str))

    def sentence(self, facts: Facts, people: Mapping[str, str], guarded: Callable[..., str]) -> str:
        """Describe an entry in whole sentences. `people` are the names of the players in the seats at the time of the
        entry; `guarded` makes words of people harmless."""
        return str(self.words.sentence(facts, people, guarded))


def notes_data(notes: Sequence[EntryNote], clock: Clock, locked: bool) -> list[Facts]:
    """Return the data of the entries of which a report tells, in the order of the ledger. The data of a lock have
    `is_on`, which is True only for the last lock, and only if the campaign is still locked."""
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
            found.append(head | facts_of(note.record, clock) | motion_facts(note) | is_on)
    return found


def motion_facts(note: EntryNote) -> Facts:
    """Return the data of the proposal on which an entry is a vote, or that it carries out, as `motion`. The result is
    empty for other entries."""
    if note.proposal is None:
        return {}
    motion = {"player": note.proposal.player, "subject": note.proposal.subject, "about": note.proposal.about}
    return {"motion": motion, "has_failed": note.has_failed}


def is_silent(record: r.Record) -> bool:
    """True for an adjudication that carried out everybody's own orders. A report does not mention it."""
    return isinstance(record, r.AdjudicationRecord) and not (
        record.absent or record.returned or record.forfeited or record.drawn
    )


def seats_of(record: r.Record) -> tuple[str, ...]:
    """Return the seats that have written an entry or are concerned by it."""
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
    """Return the kind of an entry, and the data that its description needs."""
    return {"kind": r.NAMES[type(record)], **(facts_of_players(record, clock) or facts_of_moderator(record, clock))}


def facts_of_players(record: r.Record, clock: Clock) -> Facts:
    """Return the data of an entry about players: their letters and acts, and changes of seats. The result is empty for
    other entries."""
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
            return {"players": list(record.powers), "words": record.words}
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
    """Return the data of an entry about an act of the moderator. The result is empty for other entries."""
    match record:
        case r.NewRecord():
            settings = record.settings
            return {"campaign": settings.campaign, "seats": list(settings.seats), "key": fingerprint(record.moderator)}
        case r.LockRecord():
            until = local_time(parse_moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case r.AdjudicationRecord():
            return adjudication_facts(record)
        case r.RulingRecord():
            return {"words": record.words, "rule": record.rule}
        case r.ExtensionRecord():
            until = local_time(parse_moment(record.until), clock)
            return {"until": until, "why": record.why, **proposal_fact(record.proposal)}
        case r.ReminderRecord():
            return {"players": list(record.players), "occasion": record.kind}
        case r.ClockRecord():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case r.RollbackRecord():
            return {"to": record.to, "stage": record.next.stage, "why": record.why}
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
    """Return the number of the proposal's entry, under the key `proposal`, for an entry that carries out a proposal.
    Without a proposal the result is empty."""
    return {"proposal": entry} if entry else {}


def adjudication_facts(record: r.AdjudicationRecord) -> Facts:
    """Return the data of an adjudication, without its events."""
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


def fingerprint(key: str) -> str:
    """Return the fingerprint of a public key; empty if the text is no key."""
    try:
        return PublicKey.parse(key).fingerprint if key else ""
    except SealFault:
        return ""


UNREPEATED = {"join": ("deal", "token", "key", "entropy"), "key-change": ("proof",)}
"""Keys of a letter's body that a receipt does not repeat, by the kind of letter. The values of these keys tell the
letter's writer nothing."""

OF_PLANS = ("plan", "reveal")
"""Kinds of letters that a seat may send although nothing is asked of it. The status of such a letter is then `final` in
place of `partial`."""

SECRET_KINDS = ("reveal",)
"""Kinds of letters whose body a receipt does not repeat. Such letters reveal what was sealed, and a receipt may be sent
unsealed."""


def receipt_data(campaign: Campaign, receipt: Receipt) -> dict[str, object]:
    public, verdict = campaign.public, receipt.verdict
    is_player = receipt.player in public.players
    who = campaign.person(receipt.player) if is_player else NOBODY
    held, letter = verdict.held, verdict.letter
    language = report_language(who.language or "en" if is_player else language_of_stranger(letter))
    sealed = sealed_parts_in(letter, held) if held and letter else []
    owed, status = order_states(campaign, receipt.player), receipt.status
    if status == "partial" and letter and letter.kind in OF_PLANS and not owed:
        # The ledger says only that plans do not answer what is asked; of this seat nothing is.
        status = "final"
    return {
        "format": FORMAT,
        "kind": "receipt",
        "language": language,
        "campaign": public.settings.campaign,
        "game": game_of_terms(public.settings.terms),
        "player": receipt.player,
        "name": who.name,
        "moderator": moderator_data(public.settings, public.moderator),
        "letter": receipt.letter,
        "raw": receipt.raw,
        "letter_kind": letter.kind if held and letter else "",
        "seq": letter.seq if held and letter else 0,
        "stage": public.next.stage if public.next else "",
        "status": status,
        "acted": verdict.acted,
        "entry": receipt.entry,
        "head": {"entry": campaign.vault.entry, "hash": campaign.vault.hash},
        "deadline": local_time(parse_moment(public.deadline), public.settings.clock) if public.deadline else None,
        "missing": list(verdict.missing),
        "is_hidden": public.settings.conduct.sealing == "reveal" and bool(sealed),
        "owed": owed,
        "is_counting": receipt.player in campaign.state.orders_in_force or receipt.player in campaign.state.plans,
        "is_settled": False,
        "is_due": is_due(campaign),
        "echo": (echo := echo_of(letter) if held and letter else {}),
        "plans": plans_told(echo, game_of_terms(public.settings.terms), language),
        "ahead": ahead_in_open(letter) if held and letter else [],
        "sealed": sealed,
        "faults": [fault.data(language) | {"warns": fault.is_warning} for fault in verdict.faults[:MOST_FAULTS]],
    }


def is_due(campaign: Campaign) -> bool:
    """True if all orders are in and nobody asks to wait, or if the deadline has passed: the next command or the office
    carries the stage out."""
    public = campaign.public
    if public.deadline and campaign.now >= parse_moment(public.deadline):
        return True
    states = {state_of(orders) for orders in orders_now(public)} - {"nothing required"}
    return states == {"final"} and not any(each.wait for each in public.pending.values())


def language_of_stranger(letter: Letter | None) -> str:
    """Return the language that somebody without a seat names in a letter that asks for one, or `en`."""
    node = entry_of(letter.body, "language") if letter and letter.kind == "join" else None
    return node.value if isinstance(node, Text) and not wrong_with_language(node.value) else "en"


def order_states(campaign: Campaign, player: str) -> list[dict[str, str]]:
    return [
        {"power": orders.power, "state": state_of(orders)}
        for orders in orders_now(campaign.public)
        if orders.player == player
    ]


def echo_of(letter: Letter) -> dict[str, Tree]:
    """Return the body of a letter as the moderator's program read it, without sealed parts and without keys that a
    receipt does not repeat. The result is empty for `SECRET_KINDS`."""
    body = bare(letter.body)
    if letter.kind in SECRET_KINDS or not isinstance(body, dict):
        return {}
    left_out = ("sealed", *UNREPEATED.get(letter.kind, ()))
    return {key: value for key, value in body.items() if key not in left_out}


def plans_told(echo: Mapping[str, Tree], game: str, language: str) -> list[dict[str, object]]:
    """Return the standing plans of each power, one line for each plan. A plan from a preset is told in words, any other
    plan as it is written."""
    orders = echo.get("orders")
    found: list[dict[str, object]] = []
    for power, block in orders.items() if isinstance(orders, dict) else ():
        plans = block.get("plans") if isinstance(block, dict) else None
        each = [plan for plan in plans if isinstance(plan, dict)] if isinstance(plans, list) else []
        if each:
            lines = [plan_words(game, language, plan) or on_one_line(plan) for plan in each]
            found.append({"power": power, "lines": lines})
    return found


def ahead_in_open(letter: Letter) -> list[dict[str, object]]:
    """Return a summary of the unsealed orders ahead in a letter."""
    blocks = ahead_summaries(entry_of(letter.body, "orders")) if letter.kind in ("orders", "plan") else []
    return [asdict(block) | {"sections": list(block.sections)} for block in blocks]


def sealed_parts_in(letter: Letter, held: HeldLetter) -> list[dict[str, object]]:
    """Return the name and the commitment of each sealed part of a letter, and True if the moderator could open it."""
    body = bare(letter.body)
    parts = body.get("sealed", {}) if isinstance(body, dict) else {}
    return [
        {"slot": slot, "commitment": part.get("commitment", ""), "opened": slot in held.opened}
        for slot, part in (parts.items() if isinstance(parts, dict) else ())
        if isinstance(part, dict)
    ]


def invitation_data(
    public: PublicState,
    seat: str = "",
    powers: Mapping[str, Sequence[str]] | None = None,
    token: str = "",
    language: str = "",
) -> TemplateData:
    """Return the data of an invitation to a seat. Without a seat, return the data of the public announcement.

    `powers` has the powers of each seat at the start, if the caller knows the rules; `token` is the secret by which a
    person proves to be invited. `language` is that person's, by default that of the seat.
    """
    settings = public.settings
    language = language or settings.seats.get(seat, Seat()).language
    return {
        "format": FORMAT,
        "kind": "invitation",
        "language": report_language(language),
        "campaign": settings.campaign,
        "game": game_of_terms(settings.terms),
        "terms": dict(settings.terms),
        "position": settings.position,
        "seat": seat,
        "seats": {
            each: {
                "name": who.name,
                "taken": each in public.players,
                "powers": list((powers or {}).get(each, ())),
                "bot": who.bot,
            }
            for each, who in settings.seats.items()
        },
        "moderator": moderator_data(settings, public.moderator),
        "conduct": plain_data(settings.conduct),
        "clock": plain_data(settings.clock),
        "secret": public.secret,
        "files": dict(public.files),
        "token": token,
        "open": None,
        "sheet": join_sheet(public, seat, token, language=language) if seat else "",
    }


def join_sheet(public: PublicState, seat: str, token: str, seq: int = 1, language: str = "") -> str:
    """Return the letter by which somebody takes a seat, with gaps that its writer has to fill in. `language` is that
    of this person, by default that of the seat."""
    settings = public.settings
    language = language or settings.seats[seat].language
    data = {
        "campaign": settings.campaign,
        "seat": seat,
        "seq": seq,
        "signing": "on" if settings.seats[seat].reports == "sealed" else settings.conduct.signing,
        "deal": public.secret,
        "token": token,
        "language": language,
    }
    return template(report_language(language), game_of_terms(settings.terms), "campaign_join.txt.j2").render(data)


def bank_left(public: PublicState, reminder: Reminder) -> tuple[str, ...]:
    """Return the time that a late player has left in the bank, in parts; empty if no time is being drawn."""
    account = accounts(public).get(reminder.player)
    if account is None or public.locked or reminder.occasion == "before":
        return ()
    late = int((reminder.mark - parse_moment(public.deadline)).total_seconds())
    return time_parts(max(0, account.left - late))


def reminder_data(campaign: Campaign, reminder: Reminder, sheet: str = "") -> dict[str, object]:
    """Return the data of a reminder. Its body contains the order sheet `sheet`."""
    public = campaign.public
    settings = public.settings
    who, pending = public.players.get(reminder.player), public.pending.get(reminder.player)
    person = campaign.person(reminder.player)
    return {
        "format": FORMAT,
        "kind": "reminder",
        "language": report_language(person.language or "en"),
        "campaign": settings.campaign,
        "game": game_of_terms(settings.terms),
        "player": reminder.player,
        "name": person.name,
        "moderator": moderator_data(settings, public.moderator),
        "stage": public.next.stage if public.next else "",
        "locked": public.locked,
        "is_formers": bool(who and pending and pending.entry < who.since),
        "occasion": reminder.occasion,
        "why": reminder.why,
        "powers": list(reminder.powers),
        "deadline": local_time(parse_moment(public.deadline), settings.clock),
        "grace": settings.clock.grace,
        "at_deadline": settings.clock.at_deadline,
        "bank": bank_left(public, reminder),
        "sheet": sheet,
    }
