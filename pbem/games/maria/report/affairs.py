"""Parts of a position that only MARIA has, as its viewer may know them: goals, hussars, affairs of longer games."""

from __future__ import annotations

import msgspec

from pbem.engine.nouns import City, Power
from pbem.games.maria.paper.library import scenarios
from pbem.games.maria.report.politics import offer_in_words
from pbem.games.maria.rules.affairs import AffairsView, ContractView, DisplayView
from pbem.games.maria.rules.data import MariaRules, Terms
from pbem.games.maria.rules.view import GambitView, View
from pbem.report import naming


def view_data(rules: MariaRules, view: View) -> dict[str, object]:
    """Parts of a position that only MARIA has, as plain data."""
    terms, result = view.terms, view.result
    return {
        "terms": {
            "game": terms.game,
            "scenario": terms.scenario,
            "title": rules.scenario.title,
            "players": terms.players,
            "edition": terms.edition,
            "board": terms.board,
        },
        "allegiances": allegiances_data(view),
        "stacking": list(view.stacking),
        "last_turn": view.last_turn,
        "goals": goals_data(rules, view),
        "hussars": naming.places(rules.common, view.hussars),
        "affairs": affairs_data(rules, view.affairs) if view.affairs else None,
        "gambit": gambit_data(view.gambit) if view.gambit else None,
        "result": {"winner": result.winner, "how": result.how, "held": result.held} if result else None,
    }


def goals_data(rules: MariaRules, view: View) -> dict[str, object]:
    """Progress of each power towards its goal."""
    lands = {power: list(goal.lands) for power, goal in rules.scenario.goals.items()}
    return {
        power: {"held": held, "needed": needed, "lands": lands[power]} for power, (held, needed) in view.goals.items()
    }


def affairs_data(rules: MariaRules, seen: AffairsView) -> dict[str, object]:
    """Victory markers, electors, the political display, contracts and agreements, as plain data."""
    return {
        "markers": as_json(seen.markers),
        "electors": {naming.city(rules.common, city): power for city, power in seen.electors.items()},
        "votes": dict(seen.votes),
        "votes_cast": {power: {"francis": f, "charles": c} for power, (f, c) in seen.votes_cast.items()},
        "votes_to_win": rules.game.advanced.votes_to_win,
        "election": seen.election,
        "tracks": {track: track_data(rules, track, box) for track, box in seen.tracks.items()},
        "open": [card_data(rules, number) for number in seen.open],
        "deck": {str(year): count for year, count in seen.deck.items()},
        "victor": seen.victor,
        "trump": None if seen.trump is None else naming.suit(seen.trump),
        "display": {power: display_data(display) for power, display in seen.display.items()},
        "order": list(seen.order),
        "shifts": dict(seen.shifts),
        "income": dict(seen.income),
        "drawn": list(seen.drawn),
        "contracts": [contract_data(contract) for contract in seen.contracts],
        "offers": [contract_data(contract) for contract in seen.offers],
        "cancelling": [{"power": power, "partner": partner} for power, partner in seen.cancelling],
        "agreements": as_json(seen.agreements),
        "corps": {power: naming.pieces(rules.common, generals) for power, generals in seen.corps.items()},
        "annexed": seen.annexed or None,
        "offered": seen.offered,
        "reduced": seen.reduced,
        "winters": seen.winters,
        "scores": [dict(scores) for scores in seen.scores],
    }


def as_json(value: object) -> object:
    """Structs converted to JSON objects and lists."""
    return msgspec.json.decode(msgspec.json.encode(value))


def track_data(rules: MariaRules, track: str, box: int) -> dict[str, object]:
    """Box of a track's marker, and its effects."""
    boxes = rules.politics.tracks[track].boxes
    now = boxes[box - 1]
    return {"box": box, "boxes": len(boxes), "status": now.status or None, "icons": as_json(now.icons)}


def card_data(rules: MariaRules, number: int) -> dict[str, object]:
    """Facts printed on a political card."""
    card = rules.politics.card_by_number[number]
    return {
        "number": number,
        "title": card.title,
        "arms": list(card.arms),
        "shifts": as_json(card.shifts),
        "effects": as_json(card.effects),
    }


def display_data(display: DisplayView) -> dict[str, object]:
    """Cards of a power on the political display."""
    own = display.own_covered
    return {
        "cards": naming.notations(display.cards, with_deck=True),
        "influence": display.influence,
        "covered": display.covered,
        "own_covered": None if own is None else naming.notations(own, with_deck=True),
    }


def contract_data(contract: ContractView) -> dict[str, object]:
    return {
        "giver": contract.giver,
        "receiver": contract.receiver,
        "turns": contract.turns,
        "fixed": contract.fixed,
    }


def gambit_data(seen: GambitView) -> dict[str, object]:
    """Silesia Gambit: cards laid aside, and the goals after peace."""
    return {
        "ceded": seen.ceded,
        "laid_aside": dict(seen.laid_aside),
        "goals": [
            {"power": goal.power, "needed": goal.needed, "held": goal.held, "lands": list(goal.lands)}
            for goal in seen.goals
        ],
    }


def allegiances_data(view: View) -> dict[str, object]:
    """Player, stage and side of each power; null for neutral, and for a power that has left."""
    return {
        power: {
            "player": now.player,
            "stage": now.stage or None,
            "side": now.side or None,
            "group": now.group,
        }
        for power, now in view.allegiances.items()
    }


def seats(view: View) -> dict[str, list[str]]:
    """Players, and the powers they have now."""
    found: dict[str, list[str]] = {}
    for power, now in view.allegiances.items():
        if now.stage:
            found.setdefault(now.player, []).append(power)
    return found


def acting_elsewhere(rules: MariaRules, view: View) -> dict[str, str]:
    """Powers that act in another stage than in the rule book's table, with that stage (§19.3)."""
    return {
        power: now.stage
        for power, now in view.allegiances.items()
        if now.stage and power not in rules.game.action_stages[now.stage]
    }


def hussars_of(view: View) -> tuple[City, ...]:
    """Cities of the hussars, without those beside the board."""
    return tuple(city for city in view.hussars if city >= 0)


def maps_of(terms: Terms) -> tuple[str, ...]:
    """Maps that the scenario uses."""
    return tuple(scenarios()[terms.scenario].maps)


def words_of(rules: MariaRules, view: View, language: str) -> dict[str, object]:
    """Additional data for the text of a position on politics."""
    opened = view.affairs.open if view.affairs else ()
    return {
        "offers": [offer_in_words(rules.politics, number, language, arms=True) for number in opened],
        "seats": seats(view),
        "acting_elsewhere": acting_elsewhere(rules, view),
    }


def counts_by_power(view: View) -> dict[str, dict[Power, int]]:
    """Fortresses towards goals, and in longer games the victory markers left and the votes."""
    found = {"objectives": {power: held for power, (held, _) in view.goals.items()}}
    if view.affairs:
        found["pools"] = {power: markers.pool for power, markers in view.affairs.markers.items()}
        found["votes"] = dict(view.affairs.votes)
    return found
