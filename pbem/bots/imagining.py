"""Imagined worlds: positions in which everything that a player cannot know in the middle of a combat is dealt anew."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from pbem.bots.game_bots import game_bots
from pbem.engine.field import Field, alter, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.kit import copy_of


def imagine_world(table: Table, own: Collection[Power], seed: str) -> Table:
    """Copy of the position with all facts that the player of these powers knows, and chance for the rest."""
    chance = Random(seed)  # noqa: S311 - bots need no secrets
    world = copy_of(table, SeededDealer(seed))
    strangers = [power for power in table.rules.powers if power not in own]
    deal(world, strangers, chance)
    told = stated_cities(world)
    for power in strangers:
        share(world.rules.common, world.state.field, power, told, chance)
    return world


def stated_cities(world: Table) -> list[City]:
    """Cities of fighting stacks with troops of one power only: their strength was stated to both sides (§11.1)."""
    duel, rules, field = world.state.duel, world.rules.common, world.state.field
    cities = (duel.attacking_city, duel.defending_city) if duel else ()
    return [city for city in cities if len({rules.pieces[g].power for g in stack_at(rules, field, city)}) == 1]


def deal(world: Table, strangers: Sequence[Power], chance: Random) -> None:
    """Deal all unseen cards anew: other hands, other unseen places, the draw deck."""
    cards = world.state.cards
    places = [*(cards.hands[power] for power in strangers), *game_bots(world.rules.terms.game).unseen(world)]
    pool = sorted([*cards.draw, *(card for place in places for card in place)])
    chance.shuffle(pool)
    for place in places:
        place[:] = sorted(pool.pop() for _ in range(len(place)))
    cards.draw[:] = pool


def share(rules: Rules, field: Field, power: Power, told: Collection[City], chance: Random) -> None:
    """Distribute a power's troops among its generals by chance. The total is known, and that of each stated stack."""
    groups: dict[City | None, list[Piece]] = {}
    for general in rules.generals(power):
        city = field.pieces[general].city
        if city >= 0:
            groups.setdefault(city if city in told else None, []).append(general)
    for generals in groups.values():
        troops = dict.fromkeys(generals, 1)
        for _ in range(sum(field.pieces[general].troops for general in generals) - len(generals)):
            open_to = [general for general in generals if troops[general] < rules.limits.troops]
            troops[open_to[int(chance.random() * len(open_to))]] += 1
        for general, count in troops.items():
            alter(field, general, troops=count)
