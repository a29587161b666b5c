"""Examples for selecting a political card (§17.5): each card is executed as it serves the power that selects it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.field import are_enemies
from pbem.engine.nouns import NO_POWER, Power
from pbem.engine.table import player_of, powers_of_player
from pbem.games.maria.report.tracks import announced_box, changed_by, is_open, ways_of
from pbem.games.maria.rules.decisions import Politics, SelectPolitics
from pbem.games.maria.rules.politics import card_facts
from pbem.games.maria.rules.politics_data import CardShift, Grant, PoliticalCard
from pbem.games.maria.rules.state import Table


def serving_answers(table: Table, decision: SelectPolitics) -> Iterator[Politics]:
    """Yield an answer for each card that may be selected. Arrows that serve enemies more than the selecting player are
    left out, unless the edition demands them; a card of which nothing is left is discarded."""
    for number in decision.cards:
        facts = card_facts(table, number)
        shifts = serving_shifts(table, decision.power, facts)
        is_whole = not table.rules.edition.partial_execution and len(facts.shifts) == 1
        if not decision.may_execute or (is_whole and not shifts):
            yield Politics(number)
        else:
            instruction = bool(facts.effects)
            yield Politics(number, instruction, shifts, grantee_of(table, decision.power, facts))


def serving_shifts(table: Table, power: Power, facts: PoliticalCard) -> dict[str, int]:
    """Return the steps of each arrow that serves the player of this power, by track."""
    best = {
        arrow.track: max((gain_by(table, power, arrow, steps), steps) for steps in ways_of(arrow))
        for arrow in facts.shifts
        if is_open(table, arrow)
    }
    return {track: steps for track, (gain, steps) in best.items() if gain > 0}


def gain_by(table: Table, power: Power, arrow: CardShift, steps: int) -> int:
    """Return how many of a player's powers gain and of the enemies lose by an arrow, less those of whom the opposite is
    true. `power` is a power of the player."""
    good, bad = changed_by(table, arrow.track, announced_box(table, arrow.track, steps))
    return sum(side_of(table, power, each) for each in good) - sum(side_of(table, power, each) for each in bad)


def side_of(table: Table, power: Power, other: Power) -> int:
    """Return 1 for a power of the same player, -1 for an enemy, and 0 for others."""
    if other in powers_of_player(table, player_of(table, power)):
        return 1
    return -1 if are_enemies(table.state.field, power, other) else 0


def grantee_of(table: Table, power: Power, facts: PoliticalCard) -> Power:
    """Return the power that receives what a card grants: `power`, which selects the card, if it may receive it; else
    another power of its player before other powers, and enemies last. Return an empty name if the receiver cannot be
    chosen."""
    grants = [set(effect.to) for effect in facts.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    able = sorted(set.intersection(*grants), key=lambda each: (-side_of(table, power, each), each)) if grants else []
    return power if power in able else able[0] if able else NO_POWER
