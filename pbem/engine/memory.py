"""Public memory of a game, made from its events: the map, the latest path of each piece, and the strengths that stacks
declared when they last fought. Everybody at the table could keep this memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.field import OFF, Field
from pbem.engine.nouns import City, Piece, each_piece
from pbem.engine.roads import Road
from pbem.engine.rules import Rules


class MapState(Struct):
    """Public facts of the map. Lists of places, facings and commands are indexed by piece."""

    places: list[City]
    """City of every piece; a number below 0 for pieces off the map."""
    down: list[bool]
    on_top: list[bool]
    """True for each general chosen as supreme commander over a general of equal rank (§6)."""
    markers: dict[City, str]
    questions: dict[City, str]
    hussars: list[City]


Follower = Callable[[MapState, Rules, e.Event], object]
"""Function that makes the change to a MapState that an event describes."""


def map_state_of(field: Field) -> MapState:
    """Return the public facts of the map in this position."""
    return MapState(
        places=[piece.city for piece in field.pieces],
        down=[piece.down for piece in field.pieces],
        on_top=[piece.on_top for piece in field.pieces],
        markers=dict(field.markers),
        questions=dict(field.questions),
        hussars=list(field.hussars),
    )


def follow(on_map: MapState, own: Follower, rules: Rules, events: Iterable[e.Event]) -> None:
    """Make the changes to `on_map` that the events describe. `own` carries out events that only this game has."""
    for event in events:
        apply_event(on_map, rules, event)
        own(on_map, rules, event)


def apply_event(on_map: MapState, rules: Rules, event: e.Event) -> None:
    """Make the change to `on_map` that an event describes. Events that only one game has are ignored."""
    match event:
        case e.Marched(pieces, _, path) | e.Retreated(pieces, _, path):
            move(on_map, pieces, path[-1])
        case e.GeneralEntered(piece, city) | e.TrainReentered(piece, city):
            move(on_map, (piece,), city)
            on_map.down[piece] = False
        case e.GeneralRemoved(piece) | e.TrainTaken(piece):
            remove(on_map, piece, OFF)
        case e.SupplyLost(piece):
            on_map.down[piece] = True
        case e.SupplyRestored(piece):
            on_map.down[piece] = False
        case e.Stacked(city, commander):
            stack(on_map, rules, city, commander)
        case e.HussarPlaced(hussar, city):
            on_map.hussars[hussar] = city
        case e.HussarRemoved(hussar):
            on_map.hussars[hussar] = OFF
        case e.Conquered(city, _, _, marker):
            on_map.questions.pop(city, None)
            on_map.markers.pop(city, None)
            if marker is not None:
                on_map.markers[city] = marker
        case e.Questioned(city, by):
            on_map.questions[city] = by
        case e.QuestionLifted(city):
            on_map.questions.pop(city, None)


def move(on_map: MapState, pieces: Iterable[Piece], city: City) -> None:
    for piece in pieces:
        on_map.places[piece] = city


def remove(on_map: MapState, piece: Piece, place: City) -> None:
    on_map.places[piece], on_map.down[piece], on_map.on_top[piece] = place, False, False


def stack(on_map: MapState, rules: Rules, city: City, commander: Piece) -> None:
    """Form a stack of all generals in a city under a commander (§6). In some games one face-down general turns all
    others face-down."""
    together = [piece for piece, at in each_piece(on_map.places) if at == city and rules.is_general(piece)]
    for general in together:
        on_map.on_top[general] = general == commander
    if rules.facing_spreads and any(on_map.down[general] for general in together):
        for general in together:
            on_map.down[general] = True


LOSSES = (e.BattleWon, e.SupplyLost, e.GeneralRemoved)
"""Events that report losses one after the other. Only after the last of these events is it known which generals
survive."""


class Declaration(Struct, frozen=True):
    """Strength that some generals declared together in combat, less all losses seen since."""

    generals: tuple[Piece, ...]
    troops: int
    sure: bool = True
    """False if the generals of the declaration may have gained or given away troops unseen since."""
    gained: int | None = None
    """Most troops that the generals may have gained unseen since. The number is set only if the declaration is not
    sure, and the generals cannot have given any troops away. Otherwise it is None. Reports of the memory leave it
    out."""

    @property
    def most_gained(self) -> int | None:
        """Most troops that the generals may have gained unseen; None if unknown."""
        return 0 if self.sure else self.gained

    @property
    def is_exact(self) -> bool:
        """True if the strength is known: the declaration is sure, or the generals had no room for more troops. `sure`
        does not say the latter, because reports of the memory are checked against those of earlier versions."""
        return self.most_gained == 0

    @property
    def strength(self) -> int:
        """Troops that are left of the declared strength. Each general counts for at least one troop (§6)."""
        return max(self.troops, len(self.generals))


class Memory(Struct):
    """Facts that everybody has seen in the game so far."""

    on_map: MapState
    declared: list[Declaration] = []
    """Declared strengths. No general is in two declarations."""
    ways: dict[Piece, Road] = {}
    """Path of every piece that moved in the latest stage in which pieces moved. It begins with the city where the piece
    stood."""
    is_past: bool = False
    """True if another stage has begun since the pieces of `ways` moved."""
    counted: list[Declaration] = []
    """Strengths that follow from `declared` and from each power's total of troops before each adjudication. Reports of
    the memory leave these strengths out. The list is empty if nobody has computed it."""

    @property
    def strengths(self) -> list[Declaration]:
        """All strengths that everybody can know."""
        return self.counted or self.declared


def remember(
    memory: Memory,
    own: Follower,
    rules: Rules,
    events: Iterable[e.Event],
    entering: Mapping[Piece, int] | None = None,
) -> None:
    """Add events to the memory. `own` carries out events that only this game has. For generals in `entering`, who come
    back to the map, note that they have no more troops than these."""
    for event in events:
        # Once all losses are reported, each general of a declaration has at least one troop: without troops he has left
        # the map.
        if not isinstance(event, LOSSES) and any(each.troops < each.strength for each in memory.declared):
            memory.declared = [replace(each, troops=each.strength) for each in memory.declared]
        before = list(memory.on_map.places)
        follow(memory.on_map, own, rules, (event,))
        note_troops(memory, rules, event)
        if entering and isinstance(event, e.GeneralEntered) and event.piece in entering:
            memory.declared = [*memory.declared, *first_strengths({event.piece: 1}, entering[event.piece])]
        if isinstance(event, e.StageBegan):
            memory.is_past = True
        if before != memory.on_map.places:
            note_ways(memory, before, event)
            if not isinstance(event, e.GeneralRemoved):
                # The troops of generals who left the map may have passed to other generals of their powers: to those of
                # the same stack, or to any of them.
                places = memory.on_map.places
                left = [
                    piece for piece, then in each_piece(before) if then >= 0 > places[piece] and rules.is_general(piece)
                ]
                for general in left:
                    leave_out(memory, general, is_sure=False)
                if not event.takes_troops:
                    doubt(memory, rules, {rules.pieces[general].power for general in left})
            mix(memory, rules)


def note_ways(memory: Memory, before: Sequence[City], event: e.Event) -> None:
    """Store the paths of pieces that have moved, and remove the paths of pieces that have left or entered the map.
    `before` has the place of every piece before the event."""
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
    """Update the declared strengths after an event in which troops are declared, lost, or changed in secret."""
    match event:
        case e.BattleJoined(attackers, defenders, _, _, ours, theirs):
            declare(memory, attackers, ours)
            declare(memory, defenders, theirs)
        case e.BattleWon(_, losers, _, _, _, lost):
            lose(memory, losers[0], lost)
        case e.SupplyLost(piece, lost):
            lose(memory, piece, lost)
        case e.GeneralRemoved(piece):
            # If every general could still have one troop, the removed general took at least one along.
            took = next((len(each.generals) <= each.troops for each in memory.declared if piece in each.generals), True)
            leave_out(memory, piece, is_sure=not took)
    if event.arms:
        doubt(memory, rules, {getattr(event, "power", "")}, getattr(event, "troops", None))


def most_on_entry(rules: Rules, events: Iterable[e.Event]) -> dict[Piece, int]:
    """Return the most troops of each general who comes back to the map: the new troops of his power, less one for each
    other general who comes back with them."""
    found: dict[Piece, int] = {}
    power, troops, together = "", 0, list[Piece]()
    for event in events:
        if event.arms:
            power, troops, together = getattr(event, "power", ""), getattr(event, "troops", 0), []
        elif isinstance(event, e.GeneralEntered) and rules.pieces[event.piece].power == power:
            together.append(event.piece)
            found |= dict.fromkeys(together, max(1, troops + 1 - len(together)))
    return found


def note_allotment(memory: Memory, rules: Rules, least: Mapping[Piece, int], most: int) -> None:
    """Note the limits of each general's troops after the first allotment: at least his number in `least`, and at most
    `most`. Do nothing if no number in `least` is above one, because every general has one troop anyway."""
    if all(number <= 1 for number in least.values()):
        return
    for each in first_strengths(least, most):
        (general,) = each.generals
        if memory.on_map.places[general] >= 0:
            declare(memory, each.generals, each.troops)
            memory.declared = [each if other.generals == each.generals else other for other in memory.declared]
    mix(memory, rules)


def first_strengths(least: Mapping[Piece, int], most: int) -> list[Declaration]:
    """Return a declaration for each general before the first allotment: he will have from `least[general]` to `most`
    troops."""
    return [Declaration((general,), number, number == most, most - number or None) for general, number in least.items()]


def declare(memory: Memory, generals: Collection[Piece], troops: int) -> None:
    """Store the strength that a stack declares, and remove older declarations of its generals. If a sure older
    declaration named all these generals and others, the others get a declaration of the difference."""
    found = [Declaration(tuple(sorted(generals)), troops)]
    for each in memory.declared:
        rest = tuple(general for general in each.generals if general not in generals)
        if len(rest) == len(each.generals):
            found.append(each)
        elif rest and each.sure and len(rest) + len(generals) == len(each.generals):
            found.append(Declaration(rest, each.troops - troops))
    memory.declared = sorted(found, key=lambda each: each.generals)


def lose(memory: Memory, general: Piece, lost: int) -> None:
    """Subtract losses from the declaration that names this general."""
    memory.declared = [
        replace(each, troops=each.troops - lost) if general in each.generals else each for each in memory.declared
    ]


def leave_out(memory: Memory, general: Piece, is_sure: bool) -> None:
    """Remove a general from the declaration that names him. If `is_sure` is false, he may have taken troops along, and
    the declaration becomes unsure."""
    found = []
    for each in memory.declared:
        rest = tuple(other for other in each.generals if other != general)
        if rest:
            is_kept = is_sure or rest == each.generals
            found.append(Declaration(rest, each.troops, each.sure and is_kept, each.gained if is_kept else None))
    memory.declared = found


def doubt(memory: Memory, rules: Rules, powers: Collection[str], most: int | None = None) -> None:
    """Make the declared strengths of generals of `powers` unsure. `most` is the greatest number of troops that these
    generals may have gained. It is None if there is no known limit, or if they may also have lost troops to others."""

    def doubted(each: Declaration) -> Declaration:
        known = each.most_gained
        if known is None or most is None:
            return replace(each, sure=False, gained=None)
        room = len(each.generals) * rules.limits.troops - each.strength
        return replace(each, sure=False, gained=min(known + most, room))

    memory.declared = [
        doubted(each) if any(rules.pieces[general].power in powers for general in each.generals) else each
        for each in memory.declared
    ]


def mix(memory: Memory, rules: Rules) -> None:
    """Merge declarations of generals of one power in one city, who may pass troops unseen (§6). If one of the generals
    there is in no declaration, make the declarations of the others unsure instead."""
    for each in memory.declared:
        others = company(memory, rules, each.generals)
        joined = [other for other in memory.declared if not others.isdisjoint(other.generals)]
        if others and others <= {general for other in joined for general in other.generals}:
            merge(memory, [each, *joined])
            mix(memory, rules)
            return
        if others and each.most_gained is not None:
            unsure = replace(each, sure=False, gained=None)
            memory.declared = [unsure if one is each else one for one in memory.declared]


def company(memory: Memory, rules: Rules, generals: Collection[Piece]) -> set[Piece]:
    """Return the generals who stand in one city with a general of `generals`, and belong to the same power. The
    generals in `generals` are left out."""
    at = {(memory.on_map.places[general], rules.pieces[general].power) for general in generals}
    return {
        piece
        for piece, city in each_piece(memory.on_map.places)
        if city >= 0 and (city, rules.pieces[piece].power) in at and rules.is_general(piece) and piece not in generals
    }


def merge(memory: Memory, several: Sequence[Declaration]) -> None:
    """Replace several declarations by a single declaration of all their generals."""
    gains = [each.most_gained for each in several]
    known = [gain for gain in gains if gain is not None]
    is_sure = all(each.sure for each in several)
    whole = Declaration(
        tuple(sorted(general for each in several for general in each.generals)),
        sum(each.troops for each in several),
        is_sure,
        sum(known) if len(known) == len(gains) and not is_sure else None,
    )
    rest = [each for each in memory.declared if each not in several]
    memory.declared = sorted([*rest, whole], key=lambda each: each.generals)
