"""The report of one reader as data (docs/reports.md): everything that any dress of it says, and nothing else.

Names stand in the place of numbers, moments in the campaign's time zone. What is told in words is told in the reader's
language; the same facts stand beside it for programs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from pbem.campaign.ledger.records import Opening
from pbem.campaign.letters.key_holders import Shared
from pbem.campaign.letters.order_states import OrderState
from pbem.campaign.news import MODERATOR, OBSERVER, Tidings
from pbem.campaign.play.resolving import PlanNote, Slip
from pbem.paper.library import find_board
from pbem.paper.positions.knowledge import known_document
from pbem.paper.terms import STANDARD_GAME
from pbem.report import naming
from pbem.report.account import account_blocks, chapters
from pbem.report.blocks import Block
from pbem.report.language.templates import languages
from pbem.report.letters.notes import fingerprint, notes_data
from pbem.report.letters.sheet import held_section, sheet_text
from pbem.report.letters.times import when
from pbem.report.maps import Request, picture_png
from pbem.report.picture.theme import ThemeName
from pbem.report.position import position_blocks, view_data
from pbem.report.questions import question
from pbem.report.telling import decision_data, event_data

FORMAT = 1
"""The format of this data, and of the letters that are made of it."""


def report_data(tidings: Tidings) -> dict[str, object]:
    """The report of a reader."""
    language = spoken(tidings.language)
    return {
        **head_data(tidings, language),
        "owing": owing_data(tidings),
        "asked": asked_data(tidings, language),
        "notes": notes_data(tidings.notes, tidings.settings.clock, tidings.locked),
        "account": account_data(tidings, language),
        "events": [event_data(tidings.table.rules, event) for event in tidings.events],
        "messages": [{"from": each.sender, "to": each.to, "text": each.text} for each in tidings.messages],
        "slips": [mishap_data(slip) for slip in tidings.slips],
        "plan_notes": [{"about": note.about, **mishap_data(note)} for note in tidings.plan_notes],
        "position": position_data(tidings, language),
        "known": known_data(tidings),
        "secrets": secrets_data(tidings),
        "proofs": proofs_data(tidings.proofs),
        "hand_proofs": proofs_data(tidings.held),
        "sheet": sheet_text(tidings, language),
    }


def spoken(language: str) -> str:
    """The language of a report: the reader's, or English where there are no templates for that one yet."""
    return language if language in languages() else "en"


def game_of_terms(terms: Mapping[str, object]) -> str:
    """The game that a campaign plays."""
    return str(terms.get("game", STANDARD_GAME))


def plain_data(value: object) -> Any:
    """A value as JSON has it: mappings, lists, texts, numbers."""
    return msgspec.json.decode(msgspec.json.encode(value))


def head_data(tidings: Tidings, language: str) -> dict[str, object]:
    """For whom and about what the report is, and how far it reaches."""
    settings = tidings.settings
    return {
        "format": FORMAT,
        "kind": "report",
        "language": language,
        "reader": tidings.reader,
        "role": tidings.reader if tidings.reader in (OBSERVER, MODERATOR) else "player",
        "powers": list(tidings.powers),
        "campaign": settings.campaign,
        "terms": dict(settings.terms),
        "game": game_of_terms(settings.terms),
        "title": tidings.table.rules.scenario.title if tidings.table else "",
        "players": {seat: tidings.players.get(seat, "") for seat in settings.seats},
        "joined": list(tidings.players),
        "shared_keys": [shared_data(shared) for shared in tidings.shared_keys],
        "moderator": moderator_data(settings, tidings.moderator),
        "conduct": plain_data(settings.conduct),
        "version": tidings.version,
        "head": {"entry": tidings.head.number, "hash": tidings.head.hash},
        "phase": tidings.phase,
        "stage": tidings.stage,
        "digest": tidings.digest,
        "basis": tidings.basis,
        "seq": tidings.seq,
        "deadline": when(tidings.deadline, settings.clock) if tidings.deadline else None,
        "locked": tidings.locked,
    }


def shared_data(shared: Shared) -> dict[str, object]:
    """Seats that sign with one and the same key."""
    return {"players": list(shared.players), "key": fingerprint(shared.key)}


def moderator_data(settings: Any, key: str) -> dict[str, object]:
    """Who runs the campaign, and with which key."""
    who = settings.moderator
    return {"name": who.name, "seat": who.seat, "key": key, "fingerprint": fingerprint(key)}


def owing_data(tidings: Tidings) -> list[dict[str, object]]:
    """Who is asked something, for which powers, and how far their orders are."""
    powers: dict[str, list[str]] = {}
    states: dict[str, OrderState] = {}
    for owed in tidings.owed:
        powers.setdefault(owed.player, []).append(owed.power)
        states[owed.player] = owed.state
    return [{"player": player, "powers": powers[player], "state": states[player]} for player in powers]


def asked_data(tidings: Tidings, language: str) -> list[dict[str, object]]:
    """What the reader is asked, in words and as data, and the section of the orders that answers it."""
    table = tidings.table
    if table is None or tidings.phase != "running":
        return []
    places = {index: piece.city for index, piece in enumerate(tidings.view.pieces) if piece.city >= 0}
    return [
        {
            "power": decision.power,
            "section": held_section(table, decision, language)[0],
            "question": question(table.rules, decision, places, language, brief=True),
            "decision": decision_data(table.rules, decision),
        }
        for decision in tidings.asked
    ]


def account_data(tidings: Tidings, language: str) -> list[dict[str, object]]:
    """What happened, told."""
    if not tidings.events:
        return []
    return blocks_data(account_blocks(chapters(tidings.table.rules, tidings.events, language)))


def blocks_data(blocks: Sequence[Block]) -> list[dict[str, object]]:
    """Blocks as JSON has them."""
    found: list[dict[str, object]] = plain_data(blocks)
    return found


def picture_of(public: Tidings, language: str, folder: Path | None = None, theme: ThemeName = "light") -> bytes:
    """The map of a report as a PNG, with the ways of what it tells; `folder` is where a board of the campaign's own is.

    It shows what everybody may know, and so is made of what observers are told. Nothing before the game has begun.
    """
    if public.view is None:
        return b""
    rules = public.table.rules
    board = find_board(rules.terms.board, folder)
    moves = tuple((rules.common, event) for event in public.events)
    return picture_png(Request(board, public.view, moves, spoken(language), theme, folder=folder))


def mishap_data(mishap: Slip | PlanNote) -> dict[str, object]:
    """Something in orders that could not be carried out, or that a plan could not do."""
    return {"player": mishap.player, "power": mishap.power, **plain_data(mishap.fault)}


def position_data(tidings: Tidings, language: str) -> dict[str, object] | None:
    """The position as the reader may know it; what is to be decided stands elsewhere in a report."""
    if tidings.view is None:
        return None
    rules = tidings.table.rules
    return {
        "data": view_data(rules, tidings.view),
        "blocks": blocks_data(position_blocks(rules, replace(tidings.view, decisions=()), language)),
    }


def known_data(tidings: Tidings) -> dict[str, object] | None:
    """The position as the reader may know it, as a document that programs can judge moves on.

    Its keys are sorted, so that not even their order tells how the position came about.
    """
    if tidings.table is None:
        return None
    known = known_document(tidings.table, tidings.powers)
    found: dict[str, object] = msgspec.json.decode(msgspec.json.encode(known, order="sorted"))
    return found


def secrets_data(tidings: Tidings) -> dict[str, object]:
    """What only the reader knows: cards, the troops of each general, and what of the orders is sealed."""
    pending = tidings.pending
    letter = None
    if pending:
        sealed = [{"slot": slot, "commitment": commitment} for slot, commitment in pending.slots.items()]
        letter = {
            "entry": pending.entry,
            "status": pending.status,
            "wait": pending.wait,
            "sealed": sealed,
            "revealed": list(pending.revealed),
        }
    plans = plain_data(tidings.plans) if tidings.plans else None
    return {"hands": hands(tidings), "troops": allotments(tidings), "letter": letter, "plans": plans}


def hands(tidings: Tidings) -> dict[str, list[str]]:
    """The cards of the reader's powers, with their decks."""
    if tidings.view is None:
        return {}
    return {power: naming.held(tidings.view.hands[power]) for power in tidings.powers if power in tidings.view.hands}


def allotments(tidings: Tidings) -> dict[str, dict[str, int]]:
    """The troops of every general of the reader's powers."""
    found: dict[str, dict[str, int]] = {}
    for piece in tidings.view.pieces if tidings.view else ():
        if piece.power in tidings.powers and piece.troops:
            found.setdefault(piece.power, {})[piece.name] = piece.troops
    return found


def proofs_data(proofs: Sequence[Opening]) -> list[dict[str, object]]:
    """The proofs that cards are those that were dealt."""
    return [
        {
            "card": proof.card,
            "name": naming.held([proof.card])[0],
            "shuffle": proof.shuffle,
            "position": proof.position,
            "salt": proof.salt,
        }
        for proof in proofs
    ]
