"""Combat from its opening to its outcome, the same in both games (MARIA §11.1, §11.2; FRIEDRICH §7, §8)."""

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
from pbem.engine.pieces_by_city import pieces_by_city
from pbem.engine.retreat import Retreat, Way, best_ends
from pbem.engine.rules import Rules
from pbem.faults.wrong import wrong


class Outcome(Struct, frozen=True):
    """Result of a decided combat, before losses and retreat are carried out."""

    winners: tuple[Piece, ...]
    losers: tuple[Piece, ...]
    winner: Power
    loser: Power
    start: City
    """City of the losers."""
    from_city: City
    """City of the winners."""
    score: int
    """Margin of the defeat."""
    lost: int
    """Troops that the losers lose."""
    strength: int
    """Troops that the losers had."""

    @property
    def event(self) -> e.BattleWon:
        """Event that reports this outcome."""
        return e.BattleWon(self.winners, self.losers, self.winner, self.loser, self.score, self.lost)


def check_due(rules: Rules, decision: ChooseBattle, answer: Fight, rule: str) -> None:
    """Refuse an attack that is not among those offered. `rule` is the § of combat."""
    if answer.battle not in decision.battles:
        attack, due = duels.attack_names(rules, [answer.battle]), duels.attack_names(rules, decision.battles)
        raise IllegalOrder(wrong("E-BATTLE", rule=rule, attack=attack, due=due), where=("battle",))


def join(rules: Rules, field: Field, battle: Pairing) -> tuple[Duel, e.BattleJoined]:
    """Open the duel: both sides state their troops, and the weaker one has the right to play."""
    duel = duels.open_duel(rules, field, battle)
    attackers, defenders = duels.sides(rules, field, duel)
    ours, theirs = (sum(field.pieces[g].troops for g in stack) for stack in (attackers, defenders))
    return duel, e.BattleJoined(attackers, defenders, battle.attacker, battle.defender, ours, theirs, duel.score)


def tie(rules: Rules, field: Field, duel: Duel) -> e.BattleTied:
    """Event of a combat that ends at zero: nobody loses troops."""
    return e.BattleTied(*duels.sides(rules, field, duel))


def outcome(rules: Rules, field: Field, duel: Duel, score: int) -> Outcome:
    """Return the outcome when the side with the right to play stops and is beaten by this score."""
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
    """Roads open to the beaten stack; kept while no piece moves."""
    losers = stack_at(rules, field, retreat.start)
    key = ("way", retreat.start, retreat.length, retreat.from_city, control_of(rules, field).stance)
    return pieces_by_city(rules, field).once(key, Way, rules, field, retreat, losers)


def retreat_choice(rules: Rules, field: Field, retreat: Retreat) -> ChooseRetreat:
    """Decision of the winner: the path of the beaten stack."""
    losers = tuple(stack_at(rules, field, retreat.start))
    ends = tuple(sorted(best_ends(way_of(rules, field, retreat))))
    return ChooseRetreat(retreat.winner, losers, retreat.start, retreat.length, ends)


def destroy(rules: Rules, field: Field, city: City) -> list[e.Event]:
    """Remove a beaten stack, with all its troops, that cannot retreat the full length."""
    losers = stack_at(rules, field, city)
    troops = sum(field.pieces[general].troops for general in losers)
    events: list[e.Event] = [e.RetreatImpossible(tuple(losers), city, troops)]
    for general in losers:
        remove(field, general)
        events.append(e.GeneralRemoved(general, city))
    return events


def remaining_battles(battles: Iterable[Pairing], city: City) -> list[Pairing]:
    """Attacks that are left when the stack in this city takes part in no more."""
    return [battle for battle in battles if city not in (battle.attacker, battle.defender)]
