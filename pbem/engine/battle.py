"""A combat from its opening to its outcome, as both games tell it (MARIA §11.1, §11.2; FRIEDRICH §7, §8)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.engine import duel as duels
from pbem.engine import events as e
from pbem.engine.conquest import control_of
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Fight, Pairing
from pbem.engine.duel import Duel
from pbem.engine.errors import IllegalOrder
from pbem.engine.field import Field, remove, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.retreat import Retreat, Way, best_ends
from pbem.engine.rules import Rules
from pbem.engine.standing import standing_of
from pbem.faults.wrong import wrong


class Outcome(Struct, frozen=True):
    """How a decided combat ended, before the loser bears it."""

    winners: tuple[Piece, ...]
    losers: tuple[Piece, ...]
    winner: Power
    loser: Power
    start: City
    """Where the losers stand."""
    from_city: City
    """Where the winners stand."""
    score: int
    """By how much it was lost."""
    lost: int
    """How many troops that costs."""
    strength: int
    """How many the losers had."""

    @property
    def event(self) -> e.BattleWon:
        """What is told of it."""
        return e.BattleWon(self.winners, self.losers, self.winner, self.loser, self.score, self.lost)


def check_due(rules: Rules, decision: ChooseBattle, answer: Fight, rule: str) -> None:
    """Refuse an attack that is not among those to choose from; `rule` is the § of combat."""
    if answer.battle not in decision.battles:
        attack, due = duels.listed(rules, [answer.battle]), duels.listed(rules, decision.battles)
        raise IllegalOrder(wrong("E-BATTLE", rule=rule, attack=attack, due=due), where=("battle",))


def join(rules: Rules, field: Field, battle: Pairing) -> tuple[Duel, e.BattleJoined]:
    """Both sides state their troops, and one of them has the right to play."""
    duel = duels.open_duel(rules, field, battle)
    attackers, defenders = duels.sides(rules, field, duel)
    ours, theirs = (sum(field.pieces[g].troops for g in stack) for stack in (attackers, defenders))
    return duel, e.BattleJoined(attackers, defenders, battle.attacker, battle.defender, ours, theirs, duel.score)


def tie(rules: Rules, field: Field, duel: Duel) -> e.BattleTied:
    """A combat that ends at zero: nobody loses anything."""
    return e.BattleTied(*duels.sides(rules, field, duel))


def outcome(rules: Rules, field: Field, duel: Duel, score: int) -> Outcome:
    """The side with the right to play stops and is beaten by this score."""
    attackers, defenders = duels.sides(rules, field, duel)
    attacker_lost = duel.turn == "attacker"
    losers, winners = (attackers, defenders) if attacker_lost else (defenders, attackers)
    cities = (duel.attacking_city, duel.defending_city)
    start, from_city = cities if attacker_lost else cities[::-1]
    winner = duel.defender if attacker_lost else duel.attacker
    strength = sum(field.pieces[general].troops for general in losers)
    lost = min(score, strength)
    return Outcome(winners, losers, winner, duels.player(duel), start, from_city, score, lost, strength)


def way_of(rules: Rules, field: Field, retreat: Retreat) -> Way:
    """The ways open to the beaten stack."""
    losers = stack_at(rules, field, retreat.start)
    key = ("way", retreat.start, retreat.length, retreat.from_city, control_of(rules, field).stance)
    return standing_of(rules, field).once(key, Way, rules, field, retreat, losers)


def retreat_choice(rules: Rules, field: Field, retreat: Retreat) -> ChooseRetreat:
    """The path that the winner has to choose."""
    losers = tuple(stack_at(rules, field, retreat.start))
    ends = tuple(sorted(best_ends(way_of(rules, field, retreat))))
    return ChooseRetreat(retreat.winner, losers, retreat.start, retreat.length, ends)


def destroy(rules: Rules, field: Field, city: City) -> list[e.Event]:
    """A beaten stack without a way back of the full length is gone with all its troops."""
    losers = stack_at(rules, field, city)
    troops = sum(field.pieces[general].troops for general in losers)
    events: list[e.Event] = [e.RetreatImpossible(tuple(losers), city, troops)]
    for general in losers:
        remove(field, general)
        events.append(e.GeneralRemoved(general, city))
    return events


def without(battles: Iterable[Pairing], city: City) -> list[Pairing]:
    """The attacks that are left once whoever stood in the city fights no more in this phase."""
    return [battle for battle in battles if city not in (battle.attacker, battle.defender)]
