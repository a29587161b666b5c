"""Checks of the parts of a position that only the advanced game or the Silesia Gambit has, such as the tracks of
politics and the state of peace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.engine.field import ASIDE, home_of, is_neutral
from pbem.engine.invariants import Problem, impossible
from pbem.engine.nouns import Power, each_piece
from pbem.faults.wrong import Gap, words
from pbem.games.maria.rules import peace
from pbem.games.maria.rules.corps import powers_with_corps
from pbem.games.maria.rules.data import is_winter
from pbem.games.maria.rules.points import elector_holder
from pbem.games.maria.rules.politics import squares
from pbem.games.maria.rules.state import ArriveTask, Cancellation, CorpsTask, Table, affairs_of

WHOSE = {
    "side": "side-of",
    "group": "group-of",
    "principal": "principal-of",
    "home": "home-of",
    "player": "player-of",
    "stage": "stage-of",
}
"""Dict from each field of `Alliances` to the key of the wording by which problems name the field."""


def political_problems(table: Table) -> list[Problem]:
    """Return the problems of tasks, the Silesia Gambit, alliances and the advanced game. In the advanced game the
    tasks, the gambit, the tracks and the political deck are checked first. If they have problems, nothing else is
    checked."""
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
    """Yield a problem if the tracks are not those of the rules, and for each marker outside its track (§17.5)."""
    tracks, known = affairs_of(table).tracks, table.rules.politics.tracks
    if set(tracks) != set(known):
        yield impossible("E-POSITION.tracks", found=tuple(sorted(tracks)), tracks=tuple(sorted(known)))
        return
    for name, box in tracks.items():
        if not 0 <= box < len(known[name].boxes):
            yield impossible("E-POSITION.track-box", track=name, box=box + 1, boxes=len(known[name].boxes))


def deck_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem if a political card does not exist or occurs twice, or if the cards in the deck are not in the
    sequence of their years (§4)."""
    affairs = affairs_of(table)
    years = {card.number: card.year for card in table.rules.politics.cards}
    seen = (*affairs.deck, *affairs.open)
    if set(seen) - set(years) or len(set(seen)) < len(seen):
        yield impossible("E-POSITION.political-cards")
    elif [years[number] for number in affairs.deck] != sorted((years[n] for n in affairs.deck), reverse=True):
        yield impossible("E-POSITION.political-years")


def box_problems(table: Table) -> Iterator[Problem]:
    """Yield the problems of the boxes for victory markers (§16): wrong powers, wrong numbers of markers, or a wrong
    power in the box of the electors. The fortresses with elector markers decide which power has this box."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    if set(affairs.battle) != set(advanced.markers):
        yield impossible("E-POSITION.battle-powers")
    for power, count in affairs.battle.items():
        if not 0 <= count <= advanced.battle_boxes:
            yield impossible("E-POSITION.battle-boxes", count=count, power=power, boxes=advanced.battle_boxes)
    allowed: dict[str, set[Power]] = {
        "emperor": set(advanced.prizes.emperor.values()),
        "italy": {icon.power for track in table.rules.politics.tracks.values() for box in track.boxes
                  for icon in box.icons if icon.kind == "victory"},
        "electors": set(advanced.prizes.electors),
        advanced.annexation.land: {advanced.annexation.by} if affairs.annexed else set(),
    }  # fmt: skip
    for box, power in affairs.special.items():
        if power not in allowed.get(box, set()):
            yield impossible("E-POSITION.victory-box", power=power, box=box)
    if affairs.special.get("electors") != elector_holder(table):
        yield impossible("E-POSITION.electors")


def reserve_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each power with markers set aside without a reason, and for an annexation in a later turn
    than the present (§19.1, §19.2)."""
    affairs, advanced = affairs_of(table), table.rules.game.advanced
    reasons = {advanced.annexation.by: bool(affairs.annexed), advanced.reduction.power: affairs.reduced}
    for power, count in affairs.set_aside.items():
        if count < 0 or not reasons.get(power):
            yield impossible("E-POSITION.set-aside", count=count, power=power)
    if not 0 <= affairs.annexed <= table.state.turn:
        yield impossible("E-POSITION.peace", turn=affairs.annexed)


def display_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem if a power without a square on the political display has cards or a rank there. Yield a problem
    also for cards, ranks, shifts and votes that cannot exist in the present phase (§17, §25)."""
    affairs, state = affairs_of(table), table.state
    places = set(squares(table))
    if (set(affairs.display) | set(affairs.covered) | set(affairs.order)) - places:
        yield impossible("E-POSITION.squares")
    political = state.stage == "politics"
    placing = political and state.phase == "placing"
    if any(affairs.covered.values()) and not placing and not table.rules.terms.bluffing:
        yield impossible("E-POSITION.covered")
    if (affairs.order or affairs.shifts) and not (political and state.phase == "selecting"):
        yield impossible("E-POSITION.selecting")
    if affairs.open and not political:
        yield impossible("E-POSITION.open")
    if affairs.votes and state.phase != "election":
        yield impossible("E-POSITION.votes")


def alliance_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each wrong value of the alliances. The right values follow from Saxony's marker, the peace
    and the cession of Silesia (§2, §19)."""
    now, rightly = table.state.field.alliances, peace.alliances_due(table)
    game = table.rules.game.advanced
    rules = {game.defection.power: "§19.3", game.annexation.by: "§19.1", game.annexation.land: "§19.1"}
    for what, wording in WHOSE.items():
        found, wanted = getattr(now, what), getattr(rightly, what)
        for key in sorted({*found, *wanted}):
            is_so, should = found.get(key), wanted.get(key)
            if is_so != should:
                rule, what_of = rules.get(key, ""), words(wording, name=key)
                yield impossible(
                    "E-POSITION.alliance",
                    rule=rule,
                    what=what_of,
                    now=alliance_words(is_so),
                    rightly=alliance_words(should),
                )


def alliance_words(ally: str | None) -> Gap:
    """Return a value of the alliances in words. None and the empty value, which stands for neutral, have words of their
    own."""
    return ally or words("alliance-none" if ally is None else "alliance-neutral")


def neutrality_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each piece of a neutral power abroad, and for each foreign piece in a neutral land (§19.4).
    Nothing is checked while there are tasks, or in editions in which such pieces march out later."""
    rules, field = table.rules, table.state.field
    if table.state.tasks or rules.edition.displaced == "march out":
        return
    for piece, now in each_piece(field.pieces):
        facts = rules.common.pieces[piece]
        home = home_of(rules.common, field, now.city) if now.city >= 0 else facts.power
        if home == facts.power:
            continue
        if is_neutral(field, facts.power):
            yield impossible("E-POSITION.abroad", piece, now.city, piece=facts.name, power=facts.power)
        elif home is not None and is_neutral(field, home):
            yield impossible("E-POSITION.foreign", piece, now.city, piece=facts.name, power=facts.power)


def corps_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each power that has an expedition corps although no box of a track demands one (§17.5). Yield
    a problem also for each general of a corps who is not in his off-map box."""
    rules, state, affairs = table.rules, table.state, affairs_of(table)
    asked = set(powers_with_corps(table))
    for power, generals in affairs.corps.items():
        if generals and power not in asked:
            yield impossible("E-POSITION.corps", power=power)
        for general in generals:
            if general not in rules.common.generals(power) or state.field.pieces[general].city != ASIDE:
                yield impossible("E-POSITION.corps-box", general, power=power)


def contract_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each subsidy contract, offer of a contract, or wish to cancel a contract that the rules make
    impossible (§20)."""
    affairs, powers = affairs_of(table), table.rules.game.powers
    pairs = Counter(frozenset({contract.giver, contract.receiver}) for contract in affairs.contracts)
    if max(pairs.values(), default=1) > 1:
        yield impossible("E-POSITION.contracts")
    for contract in (*affairs.contracts, *affairs.offers):
        if not {contract.giver, contract.receiver} <= set(table.rules.powers) or contract.giver == contract.receiver:
            yield impossible("E-POSITION.contract", powers=(contract.giver, contract.receiver))
        elif not powers[contract.giver].major or contract.turns < 1:
            giver, receiver = contract.giver, contract.receiver
            yield impossible("E-POSITION.contract-turns", giver=giver, receiver=receiver, turns=contract.turns)
    for written in affairs.cancelling:
        if not set(Cancellation.read(written)) <= set(table.rules.powers):
            yield impossible("E-POSITION.cancelling", written=repr(written))


def score_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem if winter scores are negative or of wrong powers, or if there are more scores than winters so far
    (§13)."""
    scores, state = affairs_of(table).scores, table.state
    every = table.rules.scenario.winter_every
    due = (state.turn - 1) // every + is_winter(state.stage)
    if len(scores) > due:
        yield impossible("E-POSITION.scores", count=len(scores), due=due)
    if any(set(score) != set(table.rules.game.advanced.markers) or min(score.values()) < 0 for score in scores):
        yield impossible("E-POSITION.score")


def task_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each task whose power or piece does not exist, and for each arrival of a piece that is on the
    map already. Yield a problem also for a task about an expedition corps outside the advanced game (§17.5, §19)."""
    for task in table.state.tasks:
        if task.power not in table.rules.powers:
            yield impossible("E-POSITION.task-power", power=task.power)
        elif (piece := getattr(task, "piece", None)) is not None and not 0 <= piece < len(table.rules.common.pieces):
            yield impossible("E-POSITION.task-piece", number=piece)
        elif isinstance(task, ArriveTask) and table.state.field.pieces[task.piece].city >= 0:
            yield impossible("E-POSITION.arrived", task.piece, piece=table.rules.common.pieces[task.piece].name)
        elif isinstance(task, CorpsTask) and table.state.affairs is None:
            yield impossible("E-POSITION.corps-game")


def gambit_problems(table: Table) -> Iterator[Problem]:
    """Yield a problem for each fact that does not fit the peace of the Silesia Gambit. Some facts are possible only
    before it, such as cards laid aside, and others only after it."""
    rules, state = table.rules, table.state
    gambit, facts = state.gambit, rules.scenario.gambit
    assert gambit is not None
    assert facts is not None
    if (state.field.half_active == facts.half_active) == gambit.ceded:
        yield impossible("E-POSITION.half-active", map=facts.half_active)
    if gambit.ceded and gambit.laid_aside:
        yield impossible("E-POSITION.laid-aside")
    if set(gambit.laid_aside) - set(facts.laid_aside):
        yield impossible("E-POSITION.laid-aside-by")
    if gambit.lacking and not gambit.ceded:
        yield impossible("E-POSITION.lacking")
    for power in facts.leaving if gambit.ceded else ():
        if state.cards.hands.get(power):
            yield impossible("E-POSITION.left-cards", power=power)
