"""Report for one reader as data (docs/reports.md): exactly what the report says in any of its formats.

Names are given in place of numbers, and moments in the campaign's time zone. Beside each sentence, the data have its
facts for programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat

from msgspec.structs import asdict

from pbem.campaign.briefing import Briefing
from pbem.campaign.clock.bank import time_parts
from pbem.campaign.clock.clock import span
from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.ledger.records import AdjudicationRecord, AgreementRecord, ExtensionRecord
from pbem.campaign.letters.provable import messages_name
from pbem.campaign.own_affairs import LapsedOffer, PlannedAnswer
from pbem.campaign.play.resolving import PlanAnswer
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.campaign.succession import terms_of
from pbem.engine.decisions import Allotment, Answer, Decision
from pbem.engine.memory import follow
from pbem.engine.nouns import Power, each_piece
from pbem.engine.table import Table, deep_copy
from pbem.kit import game_named
from pbem.paper.agreements import Deal
from pbem.paper.documents.writing import on_one_line
from pbem.paper.library import USUAL, game_of_terms, preset_names
from pbem.paper.positions.files import map_document
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.blocks import blocks_data, plain_data
from pbem.report.digest import MOST, DigestReader, cities_in_question, digest
from pbem.report.language.templates import WIDTH
from pbem.report.letters import entries
from pbem.report.letters.agreed import binds_in_words
from pbem.report.letters.dangers import (
    Dangers,
    danger_lines,
    dangers_of,
    deciding_sentences,
    generals_fought,
    near_own_generals,
)
from pbem.report.letters.pictures import picture_words
from pbem.report.letters.plan_words import answers_in_words, marches_in_words, mishap_data, own_plan_words
from pbem.report.letters.reader import (
    enemy_hussars_data,
    holdings_data,
    hussars_data,
    known_data,
    owing_data,
    position_data,
    proofs_data,
    raided_cities,
    remembered_data,
    secrets_data,
    standing_for_mail,
    swept_hussars_data,
)
from pbem.report.letters.sheet import NO_PLAN, preset_text, sheet_texts
from pbem.report.letters.sheet_lines import held_section
from pbem.report.letters.shortages import shortages, toll_payers
from pbem.report.letters.unsettled import entered_cities, fights_data, section_told
from pbem.report.letters.votes import proposals_data
from pbem.report.retreats import retreat_facts
from pbem.report.telling import battle_facts, fields_data, question, told_data


def report_data(briefing: Briefing) -> dict[str, object]:
    language = entries.report_language(briefing.language)
    sheets = sheet_texts(briefing, language)
    dangers = dangers_of(briefing)
    return {
        **head_data(briefing, language),
        **asdict(standing_for_mail(briefing)),
        "owing": owing_data(briefing.owed),
        "asked": asked_data(briefing, language),
        "notes": notes_in_words(briefing, language),
        "agreements": plain_data(briefing.deals),
        "own_agreements": own_agreements_data(briefing),
        "proposals": proposals_data(briefing),
        "settled": list(briefing.settled),
        "moved": briefing.moved,
        "voting": briefing.voting,
        "ended": entries.ended_data(briefing.phase, briefing.agreed_end, briefing.table),
        "news": digest_data(briefing, language, dangers, sheets.short.count("\n")),
        "account": account_data(briefing, language),
        "events": [told_data(briefing.table_in_play.rules, event) for event in briefing.news.events],
        "course": course_data(briefing),
        "since": briefing.news.since,
        "turned_back": briefing.news.turned_back,
        "bank": bank_data(briefing),
        "heirloom": briefing.heirloom,
        "succession": succession_data(briefing),
        "messages": [{"from": each.sender, "to": each.to, "text": each.text} for each in briefing.news.messages],
        "messages_file": messages_name(briefing.head.number) if briefing.news.proofs_of_messages else "",
        "slips": [
            {"brings_back_others": slip.brings_back_others, **mishap_data(briefing.table_in_play, slip, language)}
            for slip in briefing.news.slips
        ],
        "answered": answered_data(briefing, briefing.news.planned, language),
        "defaulted": answered_data(briefing, briefing.news.defaulted, language),
        "plan_notes": [
            {"about": note.about, **mishap_data(briefing.table_in_play, note, language)}
            for note in briefing.news.plan_notes
        ],
        "position": position_data(briefing, language),
        "picture": picture_words(briefing, language, dangers),
        "known": known_data(briefing),
        "remembered": remembered_data(briefing),
        "has": holdings_data(briefing, language),
        "hussars": hussars_data(briefing, language),
        "swept_hussars": swept_hussars_data(briefing, language),
        "enemy_hussars": enemy_hussars_data(briefing, language),
        "fights": fights_data(briefing, language),
        "section_told": section_told(briefing),
        "unsupplied": [asdict(each) for each in shortages(briefing, language)],
        "tolled": [asdict(each) for each in toll_payers(briefing, language)],
        "entered": [asdict(each) for each in entered_cities(briefing, language)],
        "near_victory": [each.power for each in dangers.winning],
        "deciding": deciding_sentences(briefing, dangers, language),
        "dangers": danger_lines(dangers, briefing.table.rules, language) if briefing.table else [],
        "secrets": secrets_data(briefing),
        "proofs": proofs_data(briefing.news.proofs),
        "hand_proofs": proofs_data(briefing.held),
        "sheet": sheets.whole,
        "short_sheet": sheets.short,
        "shorter_sheets": list(sheets.shorter),
        "preset": preset_offered(briefing, language),
    }


def notes_in_words(briefing: Briefing, language: str) -> list[entries.Facts]:
    """Return the data of the entries that the report tells. Cities have their names in the reader's language.

    Adjudications have `has_plans`, which is true if the reader has plans. Extensions have `is_concerned`, which is
    false if nothing is awaited of the reader.
    """
    found = entries.notes_data(briefing.news.notes, briefing.settings.clock, briefing.locked, briefing.deadline)
    by_entry = {note.entry: note.record for note in briefing.news.notes}
    for facts in found:
        record = by_entry[int(str(facts["entry"]))]
        if isinstance(record, AgreementRecord) and briefing.table:
            facts["binds"] = binds_in_words(briefing.table, language, record.binds)
        if isinstance(record, AdjudicationRecord):
            facts["has_plans"] = bool(briefing.orders.plans and briefing.orders.plans.may_answer)
        if isinstance(record, ExtensionRecord):
            mine = [each.state for each in briefing.owed if each.player == briefing.reader]
            facts["is_concerned"] = briefing.reader in (OBSERVER, MODERATOR) or not set(mine) <= {
                "final",
                "nothing required",
            }
    return found


MOST_AGREEMENTS = 3
"""Largest number of agreements that a report lists of each kind. The kinds are: agreements that apply, agreements that
have ended, and offers that have lapsed."""


def own_agreements_data(briefing: Briefing) -> dict[str, object]:
    """Return data about the reader's agreements that apply or have ended, and about offers that have lapsed. Only the
    newest `MOST_AGREEMENTS` of each kind are returned. `left` is the number of all others."""
    found = briefing.own_agreements
    every: dict[str, tuple[Deal | LapsedOffer, ...]]
    every = {"in_force": found.in_force, "ended": found.ended, "lapsed": found.lapsed}
    told = {
        key: [facts_of_own(briefing.reader, each) for each in some[-MOST_AGREEMENTS:]] for key, some in every.items()
    }
    return {**told, "left": sum(max(0, len(some) - MOST_AGREEMENTS) for some in every.values())}


def facts_of_own(reader: str, agreed: Deal | LapsedOffer) -> entries.Facts:
    """Return the data of an agreement of the reader, or of an offer that has lapsed. `players` are the other parties of
    the agreement, or the players who did not sign the offer.

    If another player made the offer, the key with this player's name is `accepted_from` if the reader signed the offer,
    else `offered_by`.
    """
    head: entries.Facts = {"entry": agreed.entry, "words": agreed.words}
    if isinstance(agreed, Deal):
        return head | {"players": [each for each in agreed.players if each != reader], "until": agreed.until}
    maker = "" if agreed.offered_by == reader else agreed.offered_by
    has_signed = reader not in agreed.missing
    of_others: entries.Facts = {"offered_by": "" if has_signed else maker, "accepted_from": maker if has_signed else ""}
    return head | of_others | {"players": list(agreed.missing), "is_unsent": agreed.is_unsent}


def preset_offered(briefing: Briefing, language: str) -> str:
    """Return the letter of plans that is sent with the first report to a player. Return an empty text if the player
    already has plans, or if the game has no preset for this."""
    rules = briefing.table.rules if briefing.table else None
    if rules is None or not briefing.is_first or briefing.orders.plans or briefing.reader not in briefing.players:
        return ""
    if USUAL not in preset_names(rules.terms.game):
        return ""
    head: dict[str, str | int] = {"campaign": briefing.campaign, "from": briefing.reader, "stage": briefing.stage}
    if briefing.key or briefing.settings.conduct.signing == "on":
        head |= {"basis": briefing.basis, "seq": briefing.seq}
    return preset_text(rules, USUAL, briefing.powers, language, head)


def bank_data(briefing: Briefing) -> dict[str, object]:
    """Return the time that each seat has in the bank, if there is a bank of time. `changed` is true for a seat that was
    late or away since the last report to the reader."""
    found: dict[str, object] = {}
    for seat, account in briefing.accounts.items():
        before = briefing.accounts_told.get(seat)
        parts = {"parts_left": time_parts(account.left), "parts_late": time_parts(account.seconds)}
        changed = (account.late, account.away) != ((before.late, before.away) if before else (0, 0))
        found[seat] = {**asdict(account), **parts, "changed": changed}
    return found


def succession_data(briefing: Briefing) -> dict[str, object] | None:
    """Return the terms on which an heir can take over, the number of people who can have parts of the heirloom, and the
    name of the bundle that is sent with the report. Return None if no heir can take over."""
    terms = terms_of(briefing.settings)
    if terms is None or briefing.phase not in ("running", "over"):
        return None
    return {"seats": terms.seats, "days": terms.days, "holders": briefing.holders, "bundle": briefing.bundle}


def head_data(briefing: Briefing, language: str) -> dict[str, object]:
    """Return the data of a report's head: its reader, the campaign and stage, and the last ledger entry that it
    covers."""
    settings = briefing.settings
    return {
        "format": entries.FORMAT,
        "kind": "report",
        "language": language,
        "reader": briefing.reader,
        "role": briefing.reader if briefing.reader in (OBSERVER, MODERATOR) else "player",
        "powers": list(briefing.powers),
        "campaign": settings.campaign,
        "terms": dict(settings.terms),
        "game": game_of_terms(settings.terms),
        "title": briefing.table.rules.scenario.title if briefing.table else "",
        "players": {seat: briefing.people.get(seat, "") for seat in settings.seats},
        "signed_players": {seat: briefing.players.get(seat, "") for seat in settings.seats},
        "joined": list(briefing.players),
        "key": entries.fingerprint(briefing.key),
        "shared_keys": [entries.shared_data(shared) for shared in briefing.shared_keys],
        "moderator": entries.moderator_data(settings, briefing.moderator),
        "conduct": plain_data(settings.conduct),
        "version": briefing.version,
        "head": {"entry": briefing.head.number, "hash": briefing.head.hash},
        "phase": briefing.phase,
        "stage": briefing.stage,
        "digest": briefing.digest,
        "basis": briefing.basis,
        "seq": briefing.seq,
        "deadline": entries.local_time(briefing.deadline, settings.clock) if briefing.deadline else None,
        "ready": entries.ready_data(briefing.ready, settings.clock),
        "at_deadline": settings.clock.at_deadline,
        "grace": settings.clock.grace,
        "late_until": late_until_of(briefing),
        "has_ordered": briefing.orders.has_sealed is not None,
        "locked": briefing.locked,
    }


def late_until_of(briefing: Briefing) -> dict[str, object] | None:
    """Return the moment until which late orders are accepted. After that, plans or default orders take their place.
    Return None if there is no deadline, if the game waits without end, or if the campaign has a bank of time."""
    clock = briefing.settings.clock
    if briefing.deadline is None or briefing.phase != "running" or clock.at_deadline == "wait" or clock.bank:
        return None
    return entries.local_time(briefing.deadline + span(clock.grace), clock)


def asked_data(briefing: Briefing, language: str) -> list[dict[str, object]]:
    """Return the decisions that the reader must make, in words and as data. Each has the section of orders that answers
    it."""
    table = briefing.table
    if table is None or briefing.view is None or briefing.phase != "running":
        return []
    places = {index: piece.city for index, piece in each_piece(briefing.view.pieces) if piece.city >= 0}
    return [
        {
            "power": decision.power,
            "section": held_section(table, decision, language)[0],
            "receivers": own_receivers(briefing, decision),
            "is_on_map": decision.is_on_map,
            "question": question(
                table.rules,
                decision,
                places,
                language,
                {"brief": True, **battle_facts(briefing.view), **retreat_facts(table, decision, language), **given},
            ),
            "decision": told_data(table.rules, decision),
            **answer_data(planned, table.rules.terms.game, language),
            **given,
        }
        for decision, planned in zip(
            briefing.orders.asked, chain(briefing.orders.planned, repeat(NO_PLAN)), strict=False
        )
        for given in ({"gives": troops_given(table, planned.answer)},)
    ]


def troops_given(table: Table, answer: Answer | None) -> object:
    """Return the number of troops that an allotment gives to each general, and nothing for any other answer."""
    return fields_data(table.rules.common, answer)["troops"] if isinstance(answer, Allotment) else {}


def own_receivers(briefing: Briefing, decision: Decision) -> list[Power]:
    """Return the power of the reader that gets something by a decision, such as a subsidy, as the only element of a
    list. Return an empty list if there is none."""
    return [power for power in briefing.powers if power == getattr(decision, "receiver", "")]


def answer_data(planned: PlannedAnswer, game: str, language: str) -> dict[str, object]:
    """Return the answer to a decision by a plan or by an order given in advance: its `words`, and a description
    (`told`) if it is a preset, a tactic or a march. Sealed texts are left out."""
    plan = planned.written if isinstance(planned.written, dict) else {}
    written = {key: each for key, each in plan.items() if (key, bool(planned.ahead)) != ("stage", True)}
    plan_told = own_plan_words(game, language, plan) if plan and not planned.ahead else ""
    return {
        "line": planned.line,
        "ahead": planned.ahead,
        "words": on_one_line(written) if written else "",
        "told": plan_told or (marches_in_words(written, language) if planned.ahead else ""),
    }


def account_data(briefing: Briefing, language: str) -> list[dict[str, object]]:
    if not briefing.news.events:
        return []
    rules, duel = briefing.table_in_play.rules, briefing.view.duel if briefing.view else None
    own = () if briefing.reader == MODERATOR else briefing.powers
    return blocks_data(account_blocks(chapters(Voice(rules, language, duel=duel, own=own), briefing.news.events)))


MOST_EVENTS = 60
"""Number of events in a signed report. The latest are taken. They need seven kilobytes at most."""


def course_data(briefing: Briefing) -> dict[str, object] | None:
    """Return the latest events with the reader's secrets, and the public map before them. Return None if there are no
    events."""
    if briefing.news.before is None or not briefing.news.events:
        return None
    rules, on_map = briefing.table_in_play.rules, deep_copy(briefing.news.before)
    earlier, latest = briefing.news.events[:-MOST_EVENTS], briefing.news.events[-MOST_EVENTS:]
    follow(on_map, game_named(rules.terms.game).on_map, rules.common, earlier)
    return {"map": map_document(on_map), "events": [as_texts(event) for event in latest]}


USUAL_SHEET = 18
"""Number of lines of a short sheet beside which the mail has room for others' marches. For each further line, the news
have a line less for them."""

USUAL_HAND = 20
"""Number of cards in hand with which a short account has its usual length. The account is two characters shorter for
each further card."""


def digest_data(briefing: Briefing, language: str, dangers: Dangers, of_sheet: int = 0) -> dict[str, object]:
    """Return the short account of events: lines about the reader's powers, lines about others, and the number of those
    left out. `of_sheet` is the number of lines of the sheet in the same mail."""
    if not briefing.news.events:
        return {"mine": [], "others": [], "left": 0}
    hands = briefing.view.hands if briefing.view else {}
    cards = sum(len(hands[power]) for power in briefing.powers if power in hands)
    most = MOST - 2 * max(0, cards - USUAL_HAND)
    powers = () if briefing.reader == MODERATOR else briefing.powers
    table, events = briefing.table_in_play, briefing.news.events
    duel = briefing.view.duel if briefing.view else None
    questioned = cities_in_question(table.rules.common, table.state.field, events, powers)
    foes, near = generals_fought(table, powers) | dangers.generals, near_own_generals(table, powers)
    raided = raided_cities(briefing) if powers else ()
    sizes = {power: len(hands[power]) for power in powers_with_hand(briefing)}
    without = WIDTH * max(0, of_sheet - USUAL_SHEET)
    reader = DigestReader(powers, questioned, most, duel, foes, near, raided, sizes, briefing.news.first_stage, without)
    short = digest(table.rules, events, reader, language)
    return {"mine": list(short.mine), "others": list(short.others), "left": short.left}


def powers_with_hand(briefing: Briefing) -> list[Power]:
    """Return the player's powers whose cards are shown below the news: those that must decide something, and those that
    get something by such a decision. If nothing is asked of the player, return all the player's powers."""
    is_player = briefing.reader not in (OBSERVER, MODERATOR)
    if briefing.view is None or briefing.phase != "running" or not is_player or standing_for_mail(briefing).is_short:
        return []
    asked = {power for each in briefing.orders.asked for power in (each.power, *own_receivers(briefing, each))}
    shown = asked or set(briefing.powers)
    return [power for power in briefing.powers if power in shown and power in briefing.view.hands]


def answered_data(briefing: Briefing, answers: Sequence[PlanAnswer], language: str) -> list[dict[str, object]]:
    """Return in words the answers that were given for the reader by plans, by orders given in advance or by default
    orders."""
    if not answers:
        return []
    return [asdict(each) for each in answers_in_words(briefing.table_in_play, answers, language)]
