"""What is true of every position of the advanced game and of the Silesia Gambit: boxes, tracks, display, alliances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.engine.field import ASIDE, home_of, is_neutral
from pbem.engine.invariants import Problem
from pbem.engine.nouns import Piece, Power, each_piece
from pbem.games.maria.rules import allegiance
from pbem.games.maria.rules.corps import asked_by_tracks
from pbem.games.maria.rules.data import is_winter
from pbem.games.maria.rules.points import elector_holder
from pbem.games.maria.rules.politics import squares
from pbem.games.maria.rules.state import ArriveTask, CorpsTask, Tasks
from pbem.games.maria.rules.table import Table, affairs_of


def political_problems(table: Table) -> list[Problem]:
    """Everything wrong with what only the longer games have."""
    found = list(task_problems(table))
    if table.state.gambit is not None:
        found += gambit_problems(table)
    if table.state.affairs is None:
        return [*found, *alliance_problems(table)]
    found += [*track_problems(table), *deck_problems(table)]
    if found:
        return found
    return [
        *box_problems(table),
        *reserve_problems(table),
        *display_problems(table),
        *alliance_problems(table),
        *neutrality_problems(table),
        *corps_problems(table),
        *contract_problems(table),
        *score_problems(table),
    ]


def track_problems(table: Table) -> Iterator[Problem]:
    """Markers beside their tracks (§17.5)."""
    tracks, known = affairs_of(table).tracks, table.rules.politics.tracks
    if set(tracks) != set(known):
        yield Problem("§17", f"there are markers for {', '.join(sorted(tracks))}, tracks {', '.join(sorted(known))}")
        return
    for name, box in tracks.items():
        if not 0 <= box < len(known[name].boxes):
            yield Problem("§17", f"the marker of {name} is in box {box + 1} of {len(known[name].boxes)}")


def deck_problems(table: Table) -> Iterator[Problem]:
    """Political cards that do not exist or are there twice, and years out of order (§4)."""
    affairs = affairs_of(table)
    years = {card.number: card.year for card in table.rules.politics.cards}
    piles = (affairs.deck, affairs.open)
    if {*affairs.deck, *affairs.open} - set(years) or any(len(set(pile)) < len(pile) for pile in piles):
        yield Problem("§4", "a political card that does not exist, or is there twice")
    elif [years[number] for number in affairs.deck] != sorted((years[n] for n in affairs.deck), reverse=True):
        yield Problem("§4", "the years of the political deck are not in order")


def box_problems(table: Table) -> Iterator[Problem]:
    """Victory boxes that hold more than they can, or what they may not hold (§16)."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    if set(affairs.battle) != set(advanced.markers):
        yield Problem("§16", "the battle boxes are not those of the major powers")
    for power, count in affairs.battle.items():
        if not 0 <= count <= advanced.battle_boxes:
            yield Problem("§16", f"{count} markers of {power} in {advanced.battle_boxes} battle boxes")
    allowed: dict[str, set[Power]] = {
        "emperor": set(advanced.prizes.emperor.values()),
        "italy": {icon.power for track in table.rules.politics.tracks.values() for box in track.boxes
                  for icon in box.icons if icon.kind == "victory"},
        "electors": set(advanced.prizes.electors),
        advanced.annexation.land: {advanced.annexation.by} if affairs.annexed else set(),
    }  # fmt: skip
    for box, power in affairs.special.items():
        if power not in allowed.get(box, set()):
            yield Problem("§16", f"a marker of {power} in the victory box {box}")
    if affairs.special.get("electors") != elector_holder(table):
        yield Problem("§16", "the box of the electors does not show who holds three of the four fortresses")


def reserve_problems(table: Table) -> Iterator[Problem]:
    """Markers set aside without a peace or a reduction (§19.1, §19.2)."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    reasons = {advanced.annexation.by: bool(affairs.annexed), advanced.reduction.power: affairs.reduced}
    for power, count in affairs.set_aside.items():
        if count < 0 or not reasons.get(power):
            yield Problem("§19", f"{count} markers of {power} are set aside")
    if not 0 <= affairs.annexed <= table.state.turn:
        yield Problem("§19.1", f"peace was made in turn {affairs.annexed}")


def display_problems(table: Table) -> Iterator[Problem]:
    """Cards on no square, face-down ones without the optional rule, and choices out of time (§17, §25)."""
    affairs, state = affairs_of(table), table.state
    places = set(squares(table))
    if (set(affairs.display) | set(affairs.covered) | set(affairs.order)) - places:
        yield Problem("§17.3", "cards of a power without a square on the political display")
    political = state.stage == "politics"
    placing = political and state.phase == "placing"
    if any(affairs.covered.values()) and not placing and not table.rules.terms.bluffing:
        yield Problem("§17.4", "face-down cards lie on the display after they were turned up")
    if (affairs.order or affairs.shifts) and not (political and state.phase == "selecting"):
        yield Problem("§17.5", "political cards are being selected in another phase")
    if affairs.open and not political:
        yield Problem("§17.5", "political cards lie open after the political stage")
    if affairs.votes and state.phase != "election":
        yield Problem("§18", "votes have been cast before the election")


def alliance_problems(table: Table) -> Iterator[Problem]:
    """Alliances that are not those of Saxony's marker, of the peace and of the cession (§2, §19)."""
    now, rightly = table.state.field.alliances, allegiance.due(table)
    game = table.rules.game.advanced
    rules = {game.defection.power: "§19.3", game.annexation.by: "§19.1", game.annexation.land: "§19.1"}
    for what in ("side", "group", "principal", "home", "player", "stage"):
        found, wanted = getattr(now, what), getattr(rightly, what)
        for key in sorted({*found, *wanted}):
            is_so, should = found.get(key, "none") or "neutral", wanted.get(key, "none") or "neutral"
            if is_so != should:
                message = f"the {what} of {key} is {is_so}; by the rest of the position it is {should}"
                yield Problem(rules.get(key, "§2"), message)


def neutrality_problems(table: Table) -> Iterator[Problem]:
    """Neutral pieces abroad and foreign ones in neutral land, unless an edition leaves them there (§19.4)."""
    rules, field = table.rules, table.state.field
    if table.state.tasks or rules.edition.displaced == "march out":
        return
    for piece, now in each_piece(field.pieces):
        facts = rules.common.pieces[piece]
        home = home_of(rules.common, field, now.city) if now.city >= 0 else facts.power
        if home == facts.power:
            continue
        if is_neutral(field, facts.power):
            yield Problem("§19.4", f"{facts.name} of neutral {facts.power} is abroad", piece, now.city)
        elif home is not None and is_neutral(field, home):
            yield Problem("§19.4", f"{facts.name} of {facts.power} is in neutral land", piece, now.city)


def corps_problems(table: Table) -> Iterator[Problem]:
    """Expedition corps that nobody asks for, and generals in a box without one (§17.5)."""
    rules, state, affairs = table.rules, table.state, affairs_of(table)
    asked = set(asked_by_tracks(table))
    for power, generals in affairs.corps.items():
        if generals and power not in asked:
            yield Problem("§17.5", f"{power} keeps an expedition corps that nothing asks for")
        for general in generals:
            if general not in rules.common.generals(power) or state.field.pieces[general].city != ASIDE:
                yield Problem("§17.5", f"the expedition corps of {power} is not in its box", general)


def contract_problems(table: Table) -> Iterator[Problem]:
    """Contracts that are no contracts (§20)."""
    affairs, powers = affairs_of(table), table.rules.game.powers
    pairs = Counter(frozenset({contract.giver, contract.receiver}) for contract in affairs.contracts)
    if max(pairs.values(), default=1) > 1:
        yield Problem("§20", "two powers have more than one contract")
    for contract in (*affairs.contracts, *affairs.offers):
        if not {contract.giver, contract.receiver} <= set(table.rules.powers) or contract.giver == contract.receiver:
            yield Problem("§20", f"a contract of {contract.giver} and {contract.receiver}")
        elif not powers[contract.giver].major or contract.turns < 1:
            yield Problem("§20", f"{contract.giver} pays {contract.receiver} for {contract.turns} turns")


def score_problems(table: Table) -> Iterator[Problem]:
    """Winter scores of winters that have not been, or below zero (§13)."""
    scores, state = affairs_of(table).scores, table.state
    every = table.rules.scenario.winter_every
    due = (state.turn - 1) // every + is_winter(state.stage)
    if len(scores) > due:
        yield Problem("§13", f"{len(scores)} winter scores after {due} winters")
    if any(set(score) != set(table.rules.game.advanced.markers) or min(score.values()) < 0 for score in scores):
        yield Problem("§13", "a winter score is not one of the four major powers', or below zero")


def task_problems(table: Table) -> Iterator[Problem]:
    """Tasks of nobody, or about nothing (§17.5, §19)."""
    for task in table.state.tasks:
        if task.power not in table.rules.powers:
            yield Problem("§5", f"{task.power}, which takes no part, has something to settle")
        elif (piece := piece_of(task)) is not None and not 0 <= piece < len(table.rules.common.pieces):
            yield Problem("§3.1", f"there is no piece number {piece} to settle")
        elif isinstance(task, ArriveTask) and table.state.field.pieces[task.piece].city >= 0:
            yield Problem("§17.5", f"{table.rules.common.pieces[task.piece].name} is on the map already", task.piece)
        elif isinstance(task, CorpsTask) and table.state.affairs is None:
            yield Problem("§17.5", "an expedition corps in a game without politics")


def piece_of(task: Tasks) -> Piece | None:
    """The piece that a task is about."""
    return getattr(task, "piece", None)


def gambit_problems(table: Table) -> Iterator[Problem]:
    """Cards laid aside after the peace, a map that is still half-active then, and powers that have not left."""
    rules, state = table.rules, table.state
    gambit, facts = state.gambit, rules.scenario.gambit
    assert gambit is not None
    assert facts is not None
    rule = "Silesia Gambit §2.1"
    if (state.field.half_active == facts.half_active) == gambit.ceded:
        yield Problem(rule, f"the map {facts.half_active} is half-active exactly until peace is made")
    if gambit.ceded and gambit.laid_aside:
        yield Problem(rule, "cards are laid aside after the peace")
    if set(gambit.laid_aside) - set(facts.laid_aside):
        yield Problem(rule, "a power lays cards aside that need not")
    if gambit.lacking and not gambit.ceded:
        yield Problem("Silesia Gambit §2.2", "what is lacking is counted only when peace is made")
    for power in facts.leaving if gambit.ceded else ():
        if state.cards.hands.get(power):
            yield Problem("Silesia Gambit §2.2", f"{power} has left the game, and yet holds cards")
