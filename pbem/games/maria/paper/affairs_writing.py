"""Writes what only the advanced game and the Silesia Gambit keep, for position files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.board import SUITS
from pbem.games.maria.paper.tasks import task_document
from pbem.games.maria.rules.opening import new_field
from pbem.games.maria.rules.state import Affairs, Contract
from pbem.games.maria.rules.table import Table
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import card_text
from pbem.paper.positions.writing import without_empty


def affairs_of(table: Table) -> dict[str, Value]:
    """Affairs, gambit, changed alliances and tasks, as far as there are any."""
    state = table.state
    document: dict[str, Value] = {}
    if state.affairs is not None:
        document["affairs"] = affairs_document(table, state.affairs)
    if state.gambit is not None:
        gambit = state.gambit
        document["gambit"] = without_empty(
            {
                "laid aside": hands(gambit.laid_aside),
                "ceded": "yes" if gambit.ceded else "no",
                "lacking": dict(gambit.lacking),
                "held": dict(gambit.held),
            }
        )
    if state.affairs is not None or state.gambit is not None:
        document["alliances"] = alliances_document(table)
    document["tasks"] = [task_document(table.rules, task) for task in state.tasks]
    return document


def affairs_document(table: Table, affairs: Affairs) -> dict[str, Value]:
    """The affairs; what is empty is left out, but never the deck and the open cards."""
    pieces = table.rules.common.pieces
    written: dict[str, Value] = {
        "battle": dict(affairs.battle),
        "boxes": dict(affairs.special),
        "markers set aside": dict(affairs.set_aside),
        "scores": [dict(score) for score in affairs.scores],
        "tracks": {name: box + 1 for name, box in affairs.tracks.items()},
        "election": flag(affairs.election),
        "victor": affairs.victor or "",
        "trump": "" if affairs.trump is None else SUITS[affairs.trump],
        "display": hands(affairs.display),
        "covered": hands(affairs.covered),
        "order": list(affairs.order),
        "shifts": dict(affairs.shifts),
        "executed": list(affairs.executed),
        "income": dict(affairs.income),
        "lasting": dict(affairs.lasting),
        "drawn": list(affairs.drawn),
        "annexed": affairs.annexed or "",
        "offered": flag(affairs.offered),
        "reduced": flag(affairs.reduced),
        "votes": dict(affairs.votes),
        "offers": [contract_document(contract) for contract in affairs.offers],
        "cancelling": list(affairs.cancelling),
        "agreements": [
            {"powers": list(promise.powers), "words": promise.words, "turn": promise.turn}
            for promise in affairs.agreements
        ],
    }
    always: dict[str, Value] = {
        "deck": list(reversed(affairs.deck)),
        "open": list(affairs.open),
        "corps": {power: [pieces[general].name for general in corps] for power, corps in affairs.corps.items()},
        "contracts": [contract_document(contract) for contract in affairs.contracts],
    }
    return {**without_empty(written), **always}


def flag(value: bool) -> str:
    """A truth value where what is left out is no."""
    return "yes" if value else ""


def hands(cards: Mapping[str, Iterable[int]]) -> dict[str, Value]:
    """Cards of some powers."""
    return {power: [card_text(card, deck=True) for card in hand] for power, hand in cards.items()}


def contract_document(contract: Contract) -> dict[str, Value]:
    document: dict[str, Value] = {"giver": contract.giver, "receiver": contract.receiver, "turns": contract.turns}
    document |= {"fixed": "yes"} if contract.fixed else {}
    return document | ({"by": contract.by} if contract.by else {})


def alliances_document(table: Table) -> dict[str, Value]:
    """What has changed in the alliances since the start."""
    now, start = table.state.field.alliances, new_field(table.rules).alliances
    document: dict[str, Value] = {}
    for name in ("side", "group", "principal", "home", "player", "stage"):
        before, after = getattr(start, name), getattr(now, name)
        changes: dict[str, Value] = {key: word or "neutral" for key, word in after.items() if before.get(key) != word}
        changes |= {key: "none" for key in before if key not in after}
        if changes:
            document[name] = changes
    if now.stacking:
        document["stacking"] = list(now.stacking)
    return document
