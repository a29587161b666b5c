"""Things that a reader knows, as data for a report: the position, all that is remembered of earlier positions, the
reader's pieces and cards, and other secrets."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from pbem.campaign.briefing import Briefing
from pbem.campaign.ledger.records import CardProof
from pbem.engine.nouns import Card, City, each_piece
from pbem.engine.supply import raiding_hussars
from pbem.kit import with_parts
from pbem.paper.documents.writing import on_one_line
from pbem.paper.positions.files import known_document, remembered_document
from pbem.report import blocks
from pbem.report.blocks import blocks_data, plain_data
from pbem.report.telling import game_report, piece_data, position_blocks, view_data


def position_data(briefing: Briefing, language: str) -> dict[str, object] | None:
    """Return the position as the reader may know it, as data and in words. Its decisions are left out, because a report
    lists them elsewhere. Return None before the game has begun."""
    if briefing.view is None:
        return None
    rules = briefing.table_in_play.rules
    return {
        "data": view_data(rules, briefing.view, briefing.memory),
        "blocks": blocks_data(
            position_blocks(rules, with_parts(briefing.view, decisions=()), language, briefing.memory)
        ),
    }


def known_data(briefing: Briefing) -> dict[str, object] | None:
    """Return the position as the reader may know it, as a document for programs; None before the game. Its keys are
    sorted, so that they do not reveal how it was reached."""
    if briefing.table is None:
        return None
    known = known_document(briefing.table, briefing.powers)
    found: dict[str, object] = msgspec.json.decode(msgspec.json.encode(known, order="sorted"))
    return found


def remembered_data(briefing: Briefing) -> dict[str, object] | None:
    """Return a document of what all can remember of past moves, or None."""
    if briefing.table is None or briefing.memory is None:
        return None
    return {**remembered_document(briefing.table.rules.common, briefing.memory)}


def holdings_data(briefing: Briefing, language: str) -> list[dict[str, object]]:
    """Return the reader's pieces on the map and cards in hand. Cities have their names in this language."""
    view = briefing.view
    if view is None:
        return []
    rules = blocks.in_words(briefing.table_in_play.rules, language)
    return [
        {
            "power": power,
            "hand": blocks.notations(view.hands[power], with_deck=True),
            "pieces": [
                piece_data(rules, view, index, briefing.memory)
                for index, piece in each_piece(view.pieces)
                if piece.power == power and piece.city >= 0
            ],
        }
        for power in briefing.powers
        if power in view.hands
    ]


def hussars_data(briefing: Briefing, language: str) -> list[str]:
    """Return the cities of the reader's hussars, with their names in this language."""
    view = briefing.view
    if view is None or briefing.table_in_play.rules.common.raiders not in briefing.powers:
        return []
    rules = blocks.in_words(briefing.table_in_play.rules, language)
    return blocks.cities(rules.common, game_report(rules.terms.game).hussars(view))


def enemy_hussars_data(briefing: Briefing, language: str) -> list[str]:
    """Return the cities of the hussars who levy a toll on one of the reader's powers, with their names in this
    language."""
    if not (raided := raided_cities(briefing)):
        return []
    return blocks.cities(blocks.common_in_words(briefing.table_in_play.rules.common, language), raided)


def raided_cities(briefing: Briefing) -> list[City]:
    """Return the cities of the hussars who levy a toll on one of the reader's powers."""
    table, view = briefing.table, briefing.view
    if table is None or view is None or briefing.phase != "running":
        return []
    common, field = table.rules.common, table.state.field
    return sorted(set[City]().union(*(raiding_hussars(common, field, power) for power in briefing.powers)))


def secrets_data(briefing: Briefing) -> dict[str, object]:
    """Return the data that only the reader may know: cards, the troops of each general, the letter in force with its
    sealed parts, plans, and orders ahead."""
    pending = briefing.orders.pending
    letter = None
    if pending:
        sealed = [{"slot": slot, "commitment": commitment} for slot, commitment in pending.slots.items()]
        orders = briefing.orders.draft
        written = on_one_line(orders) if orders else ""
        letter = {
            "entry": pending.entry,
            "status": pending.status,
            "wait": pending.wait,
            "orders": written if len(written) <= LONGEST_DRAFT else written[: LONGEST_DRAFT - 1] + "…",
            "sealed": sealed,
            "revealed": list(pending.revealed),
        }
    plans = plain_data(briefing.orders.plans) if briefing.orders.plans else None
    ahead = plain_data(briefing.orders.ahead)
    found: dict[str, dict[str, int]] = {}
    for piece in briefing.view.pieces if briefing.view else ():
        if piece.power in briefing.powers and piece.troops:
            found.setdefault(piece.power, {})[piece.name] = piece.troops
    return {"hands": hands(briefing), "troops": found, "letter": letter, "plans": plans, "ahead": ahead}


LONGEST_DRAFT = 150
"""Greatest length of a draft in a report, in characters."""


def hands(briefing: Briefing) -> dict[str, list[str]]:
    if briefing.view is None:
        return {}
    return {
        power: blocks.hand_notation(briefing.view.hands[power])
        for power in briefing.powers
        if power in briefing.view.hands
    }


def proofs_data(proofs: Sequence[CardProof]) -> list[dict[str, object]]:
    """Convert proofs of cards to data. With them readers can check that their cards are those that were dealt."""
    return [
        {
            "card": proof.card,
            "name": blocks.hand_notation([Card(proof.card)])[0],
            "shuffle": proof.shuffle,
            "position": proof.position,
            "salt": proof.salt,
        }
        for proof in proofs
    ]
