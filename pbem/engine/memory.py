"""What whoever sits at a table remembers: from where pieces came, and what stacks declared when they last fought.

It follows from events as everybody sees them, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.map_state import Follower, MapState, follow
from pbem.engine.nouns import City, Piece, each_piece
from pbem.engine.roads import Road
from pbem.engine.rules import Rules

BEARS = (e.BattleWon, e.SupplyLost, e.GeneralRemoved)
"""What a stack bears before it is known who of it is left."""


class Declared(Struct, frozen=True):
    """What some generals have together, as they said in combat, less the losses that everybody saw since."""

    generals: tuple[Piece, ...]
    troops: int
    sure: bool = True
    """Whether nobody could have given them troops since, or taken some, unseen."""

    @property
    def strength(self) -> int:
        """How many troops that is: every general who is left has one at least (§6)."""
        return max(self.troops, len(self.generals))


class Memory(Struct):
    """What everybody remembers at one moment."""

    on_map: MapState
    declared: list[Declared] = []
    """No general is in two of them."""
    ways: dict[Piece, Road] = {}
    """The way of every piece that moved, from the city where it stood, in the latest stage in which any did."""
    is_past: bool = False
    """Whether another stage has begun since."""


def remember(memory: Memory, own: Follower, rules: Rules, events: Iterable[e.Event]) -> None:
    """Let it follow what happened; `own` knows what events of this game alone change on the map."""
    for event in events:
        if not isinstance(event, BEARS):
            count_the_living(memory)
        before = list(memory.on_map.places)
        follow(memory.on_map, own, rules, (event,))
        note_troops(memory, rules, event)
        if isinstance(event, e.StageBegan):
            memory.is_past = True
        if before != memory.on_map.places:
            note_ways(memory, before, event)
            if not isinstance(event, e.GeneralRemoved):
                note_leaving(memory, rules, before)
            mix(memory, rules)


def note_ways(memory: Memory, before: Sequence[City], event: e.Event) -> None:
    """Pieces stand somewhere else, or are gone."""
    places = memory.on_map.places
    for piece, then in each_piece(before):
        now = places[piece]
        if now == then:
            continue
        if now < 0 or then < 0:
            memory.ways.pop(piece, None)
            continue
        if memory.is_past:
            memory.ways, memory.is_past = {}, False
        path = event.path if isinstance(event, e.Marched | e.Retreated) else (now,)
        memory.ways[piece] = (*memory.ways.get(piece, (then,)), *path)


def note_troops(memory: Memory, rules: Rules, event: e.Event) -> None:
    """Troops were declared or lost, or came and went so that only their power knows where."""
    match event:
        case e.BattleJoined(attackers, defenders, _, _, ours, theirs):
            declare(memory, attackers, ours)
            declare(memory, defenders, theirs)
        case e.BattleWon(_, losers, _, _, _, lost):
            lose(memory, losers[0], lost)
        case e.SupplyLost(piece, lost):
            lose(memory, piece, lost)
        case e.GeneralRemoved(piece):
            # Who has troops while each could have one has taken some along.
            took = next((len(each.generals) <= each.troops for each in memory.declared if piece in each.generals), True)
            leave_out(memory, piece, is_sure=not took)
    if event.arms:
        doubt(memory, rules, {getattr(event, "power", "")})


def declare(memory: Memory, generals: Collection[Piece], troops: int) -> None:
    """A stack says what it has, and so what is left for those who had more together with it."""
    found = [Declared(tuple(sorted(generals)), troops)]
    for each in memory.declared:
        rest = tuple(general for general in each.generals if general not in generals)
        if len(rest) == len(each.generals):
            found.append(each)
        elif rest and each.sure and len(rest) + len(generals) == len(each.generals):
            found.append(Declared(rest, each.troops - troops))
    memory.declared = sorted(found, key=lambda each: each.generals)


def lose(memory: Memory, general: Piece, lost: int) -> None:
    """The stack of a general loses troops."""
    memory.declared = [
        replace(each, troops=each.troops - lost) if general in each.generals else each for each in memory.declared
    ]


def count_the_living(memory: Memory) -> None:
    """It is over who falls, and so no stack has fewer troops than generals."""
    if any(each.troops < each.strength for each in memory.declared):
        memory.declared = [replace(each, troops=each.strength) for each in memory.declared]


def leave_out(memory: Memory, general: Piece, is_sure: bool) -> None:
    """A general is gone; of those with whom he declared, it may not be known what he left them."""
    found = []
    for each in memory.declared:
        rest = tuple(other for other in each.generals if other != general)
        if rest:
            found.append(Declared(rest, each.troops, each.sure and (is_sure or rest == each.generals)))
    memory.declared = found


def doubt(memory: Memory, rules: Rules, powers: Collection[str]) -> None:
    """Of generals of these powers it is not sure any more."""
    memory.declared = [
        replace(each, sure=False) if any(rules.pieces[general].power in powers for general in each.generals) else each
        for each in memory.declared
    ]


def note_leaving(memory: Memory, rules: Rules, before: Sequence[City]) -> None:
    """Generals have left the map with their troops, which may have passed to others of their power."""
    places = memory.on_map.places
    left = [piece for piece, then in each_piece(before) if then >= 0 > places[piece] and rules.is_general(piece)]
    for general in left:
        leave_out(memory, general, is_sure=False)
    doubt(memory, rules, {rules.pieces[general].power for general in left})


def mix(memory: Memory, rules: Rules) -> None:
    """Between stacked generals of one power troops may pass unseen (§6): what they have is known only together."""
    for each in memory.declared:
        others = company(memory, rules, each.generals)
        joined = [other for other in memory.declared if not others.isdisjoint(other.generals)]
        if others and others <= {general for other in joined for general in other.generals}:
            merge(memory, [each, *joined])
            mix(memory, rules)
            return
        if others and each.sure:
            memory.declared = [replace(one, sure=False) if one is each else one for one in memory.declared]


def company(memory: Memory, rules: Rules, generals: Collection[Piece]) -> set[Piece]:
    """The other generals with whom some of these stand together as generals of one power."""
    at = {(memory.on_map.places[general], rules.pieces[general].power) for general in generals}
    return {
        piece
        for piece, city in each_piece(memory.on_map.places)
        if city >= 0 and (city, rules.pieces[piece].power) in at and rules.is_general(piece) and piece not in generals
    }


def merge(memory: Memory, several: Sequence[Declared]) -> None:
    """What was declared apart is known together."""
    whole = Declared(
        tuple(sorted(general for each in several for general in each.generals)),
        sum(each.troops for each in several),
        all(each.sure for each in several),
    )
    rest = [each for each in memory.declared if each not in several]
    memory.declared = sorted([*rest, whole], key=lambda each: each.generals)
