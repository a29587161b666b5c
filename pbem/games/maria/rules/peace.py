"""Peace and alliances: annexation of Silesia, reduction of objectives, and their effects on markers (§2, §16, §19)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.conquest import controller, is_friendly
from pbem.engine.events import Conquered, Event, Marched, Retreated
from pbem.engine.field import Alliances, alliances_with, home_of, is_neutral, pieces_at
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.games.maria.rules.data import Annexation
from pbem.games.maria.rules.decisions import AcceptPeace, Consent, OfferPeace, ReduceObjectives, Relocate
from pbem.games.maria.rules.defection import defector_alliances, move_to, status
from pbem.games.maria.rules.defection import facts as defection_facts
from pbem.games.maria.rules.events import MarkersReleased, PeaceAnswered, PeaceOffered, StatusChanged
from pbem.games.maria.rules.gambit import alliances_without
from pbem.games.maria.rules.points import elector_holder, put_marker, take_markers
from pbem.games.maria.rules.relocation import evacuate
from pbem.games.maria.rules.state import PlaceTrainTask, RelocateTask, Table, affairs_of, new_field


def annexation_facts(table: Table) -> Annexation:
    return table.rules.game.advanced.annexation


def may_offer(table: Table) -> bool:
    """True if peace may be offered now (§19.1): Silesia is not annexed, and the annexing power controls all fortresses
    there."""
    rules, field, annexation = table.rules.common, table.state.field, annexation_facts(table)
    if affairs_of(table).annexed:
        return False
    wanted = [city for city in rules.board.fortresses if rules.board.land[city] == annexation.land]
    return bool(wanted) and all(controller(rules, field, city) == annexation.by for city in wanted)


def may_reduce(table: Table) -> bool:
    """True if the power that may reduce its objectives can do so now (§19.2). It can do so once in a game, if it has
    markers in the land that it would give up, and no general there."""
    generals = table.rules.common.generals(table.rules.game.advanced.reduction.power)
    there = {table.state.field.pieces[general].city for general in generals}
    has_markers = bool(reducible_fortresses(table))
    return not affairs_of(table).reduced and has_markers and there.isdisjoint(core_cities(table))


def core_cities(table: Table) -> list[City]:
    """Return the cities of the land in which the power may reduce its objectives."""
    board, reduction = table.rules.common.board, table.rules.game.advanced.reduction
    return [city for city in board.of_land[reduction.land] if board.map[city] == reduction.map]


def reducible_fortresses(table: Table) -> list[City]:
    """Return the fortresses that the power gives up if it reduces its objectives."""
    markers, power = table.state.field.markers, table.rules.game.advanced.reduction.power
    return [city for city in core_cities(table) if markers.get(city) == power]


def begin(table: Table) -> list[Event]:
    """Ask the powers that may offer peace or reduce objectives at the end of the present action stage."""
    state, rules = table.state, table.rules
    if state.stage == annexation_facts(table).by and may_offer(table):
        state.owing = [annexation_facts(table).by]
    reduction = rules.game.advanced.reduction
    when = rules.edition.reduction_when
    if (state.stage == reduction.power or when == "any stage") and may_reduce(table):
        state.owing = [*state.owing, reduction.power]
    return []


def decision(table: Table, power: Power) -> OfferPeace | AcceptPeace | ReduceObjectives:
    """Return the decision at the end of an action stage: to offer peace, to accept it, or to reduce objectives."""
    annexation = annexation_facts(table)
    if affairs_of(table).offered and power == annexation.victim:
        return AcceptPeace(power, annexation.by)
    if power == annexation.by:
        return OfferPeace(power)
    return ReduceObjectives(power, tuple(reducible_fortresses(table)))


def offer(table: Table, decision: OfferPeace, answer: Consent) -> list[Event]:
    """Carry out the answer of the power that may offer peace. If it offers peace, the power that loses the annexed land
    is asked next. If it does not, the war goes on."""
    state, affairs = table.state, affairs_of(table)
    state.owing.remove(decision.power)
    if not answer.yes:
        return []
    affairs.offered = True
    state.owing.insert(0, annexation_facts(table).victim)
    return [PeaceOffered(decision.power)]


def accept(table: Table, decision: AcceptPeace, answer: Consent) -> list[Event]:
    """Carry out the answer to an offer of peace (§19.1). If the offer is accepted, annex Silesia. If not, the war goes
    on."""
    state, affairs = table.state, affairs_of(table)
    state.owing.remove(decision.power)
    affairs.offered = False
    answered: list[Event] = [PeaceAnswered(decision.power, answer.yes)]
    return [*answered, *annex(table)] if answer.yes else answered


def annex(table: Table) -> list[Event]:
    """Annex Silesia by the seven steps of §19.1."""
    rules, field, affairs, annexation = table.rules, table.state.field, affairs_of(table), annexation_facts(table)
    board, power, victim = rules.common.board, annexation.by, annexation.victim
    field.alliances = alliances_with(field.alliances, home={annexation.land: power})
    affairs.annexed = table.state.turn
    events: list[Event] = []
    if status(table) == "prussian ally":
        boxes = rules.politics.tracks[defection_facts(table).track].boxes
        events += move_to(table, next(index for index, box in enumerate(boxes) if box.mark == "S"))
    home = [city for city in field.markers if home_of(rules.common, field, city) == power]
    abroad = [city for city in field.markers if home_of(rules.common, field, city) == victim]
    events += take_markers(table, victim, home, half_aside=False)
    events += take_markers(table, power, abroad, half_aside=True)
    field.alliances = alliances_with(field.alliances, side={power: ""})
    events.append(StatusChanged(power, "neutral"))
    # The annexation may have made Saxony neutral, so that pieces leave Saxony. These pieces are not moved a second
    # time.
    leaving = {task.piece for task in table.state.tasks if isinstance(task, RelocateTask)}
    as_from_saxony = rules.edition.peace_homes == "as from saxony"
    also_home = defection_facts(table).also_home if as_from_saxony else {}
    evacuate(table, [piece for piece in pieces_to_move(table) if piece not in leaving], also_home)
    events += put_marker(table, annexation.land, power)
    for train in rules.common.trains(power):
        if board.data.setup[power].trains[rules.common.trains(power).index(train)].box is not None:
            table.state.tasks.append(PlaceTrainTask(power, train))
    return events


def pieces_to_move(table: Table) -> list[Piece]:
    """Return the pieces that must leave their cities because of peace: foreign pieces in the annexing power's home
    country, and pieces of the power that lost Silesia in the lands that the rule names. In all editions but 1.0 the
    annexing power's pieces abroad must leave as well."""
    rules, field, annexation = table.rules, table.state.field, annexation_facts(table)
    found = []
    for piece, now in each_piece(field.pieces):
        if now.city < 0:
            continue
        power = rules.common.pieces[piece].power
        home = home_of(rules.common, field, now.city)
        land = rules.common.board.land[now.city]
        if power == annexation.by:
            if home != annexation.by and rules.edition.annexer_moves:
                found.append(piece)
        elif home == annexation.by or (power == annexation.victim and land in annexation.moved_out_of):
            found.append(piece)
    return found


def alliances_after_peace(table: Table, alliances: Alliances) -> Alliances:
    """Return a copy of the alliances with the changes that peace makes (§19.1): the annexed land is home country of the
    annexing power, and this power is neutral for some time. If there was no peace, return `alliances` unchanged."""
    annexation, annexed = annexation_facts(table), affairs_of(table).annexed
    if not annexed:
        return alliances
    alliances = alliances_with(alliances, home={annexation.land: annexation.by})
    order = list(table.rules.game.action_stages)
    earlier = ("politics", "hussars", *order[: order.index(annexation.by)])
    left = annexed + annexation.neutral_turns - table.state.turn
    resting = left > 0 or (left == 0 and table.state.stage in earlier)
    return alliances_with(alliances, side={annexation.by: ""}) if resting else alliances


def end_neutrality(table: Table) -> list[Event]:
    """End the neutrality of the annexing power, Prussia, in its second action stage after the peace (§19.1)."""
    affairs, annexation = affairs_of(table), annexation_facts(table)
    state = table.state
    field = state.field
    over = affairs.annexed and state.turn == affairs.annexed + annexation.neutral_turns
    if not over or state.stage != annexation.by or field.alliances.side[annexation.by]:
        return []
    side = table.rules.game.powers[annexation.by].side
    field.alliances = alliances_with(field.alliances, side={annexation.by: side})
    return [StatusChanged(annexation.by, "at war again")]


def release_annexer_markers(table: Table, events: Sequence[Event]) -> list[Event]:
    """Put the annexing power's set-aside markers back into its pool (§19.1), and return the events. This is done only
    if the power is not neutral, and one of its pieces stands abroad or has passed a city abroad in `events`."""
    rules, field, annexation = table.rules.common, table.state.field, annexation_facts(table)
    if annexation.by not in affairs_of(table).set_aside or is_neutral(field, annexation.by):
        return []
    own = {piece for piece, printed in each_piece(rules.pieces) if printed.power == annexation.by}
    moves = [event for event in events if isinstance(event, Marched | Retreated) and not own.isdisjoint(event.pieces)]
    walked = [city for event in moves for city in event.path]
    standing = [field.pieces[piece].city for piece in own]
    abroad = any(city >= 0 and home_of(rules, field, city) != annexation.by for city in (*walked, *standing))
    return release_markers(table, annexation.by) if abroad else []


def release_markers(table: Table, power: Power) -> list[Event]:
    """Put a power's set-aside markers back into its pool."""
    count = affairs_of(table).set_aside.pop(power, 0)
    return [MarkersReleased(power, count)] if count else []


def reduce(table: Table, decision: ReduceObjectives, answer: Consent) -> list[Event]:
    """Carry out the answer of the power that may reduce its objectives (§19.2). If it does so, its markers on the
    fortresses that it gives up are removed. Half of these markers, rounded up, are set aside."""
    table.state.owing.remove(decision.power)
    if not answer.yes:
        return []
    affairs_of(table).reduced = True
    return take_markers(table, decision.power, reducible_fortresses(table), half_aside=True)


def train_decision(table: Table, task: PlaceTrainTask) -> Relocate:
    """Return the decision about the empty major fortress in which the annexing power places its new train (§19.1)."""
    rules, field = table.rules.common, table.state.field
    cities = tuple(
        city
        for city in rules.board.major_fortresses
        if home_of(rules, field, city) == task.power
        and is_friendly(rules, field, city, task.power)
        and not pieces_at(field, city)
    )
    return Relocate(task.power, task.piece, cities)


def update_markers(table: Table, events: Sequence[Event]) -> list[Event]:
    """Make the changes to victory markers that follow from `events`, and return the events of these changes. The box of
    the electors may go to another power after a conquest. Markers that were set aside may come back after a conquest, a
    march or a retreat."""
    affairs = table.state.affairs
    if affairs is None or not events:
        return []
    conquests = [event for event in events if isinstance(event, Conquered)]
    if not (conquests or affairs.set_aside):
        return []
    electors = put_marker(table, "electors", elector_holder(table)) if conquests else []
    # Markers that were set aside when objectives were reduced come back as soon as the power or its minor partner makes
    # a new conquest (§19.2).
    rules, principal, board = table.rules, table.state.field.alliances.principal, table.rules.common.board
    reduction = rules.game.advanced.reduction
    again = any(principal[c.by] == reduction.power and board.map[c.city] == reduction.map for c in conquests)
    returned = release_annexer_markers(table, events)
    return [*electors, *returned, *(release_markers(table, reduction.power) if again else [])]


def alliances_due(table: Table) -> Alliances:
    """Return the alliances as they must be in this position, computed from its other parts. Permissions to stack are
    left out."""
    rules, state = table.rules, table.state
    alliances = new_field(rules).alliances
    if state.affairs is not None:
        alliances = alliances_after_peace(table, defector_alliances(table, alliances))
    if state.gambit is not None and state.gambit.ceded and rules.scenario.gambit is not None:
        alliances = alliances_without(alliances, rules.scenario.gambit.leaving)
    return alliances
