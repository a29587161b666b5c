"""Defection of Saxony, and the effects of Saxony's neutrality on pieces in its land (§19.3, §19.4)."""

from __future__ import annotations

from typing import Literal, cast

from pbem.engine.conquest import lift_questions
from pbem.engine.events import Event
from pbem.engine.field import (
    ASIDE,
    OFF,
    Alliances,
    alliances_with,
    alter,
    home_of,
    pieces_at,
    release_command,
    stack_at,
)
from pbem.engine.nouns import City, Power, each_piece
from pbem.games.maria.rules.data import Defection, MariaRules
from pbem.games.maria.rules.decisions import Consent, ShiftSaxony
from pbem.games.maria.rules.events import ShiftDeclined, StatusChanged, TrackShifted
from pbem.games.maria.rules.points import take_markers
from pbem.games.maria.rules.relocation import evacuate
from pbem.games.maria.rules.state import (
    ArriveTask,
    RecruitTask,
    RelocateTask,
    ShiftTask,
    Table,
    affairs_of,
    start_city,
    start_places,
)

Status = Literal["prussian ally", "neutral", "austrian ally"]


def facts(table: Table) -> Defection:
    """Return the data of the defection: the power that may change sides (the defector), its old ally (the patron), and
    its new ally (the suitor)."""
    return table.rules.game.advanced.defection


def status(table: Table) -> Status:
    """Return the status of the power that may change sides. It depends on the box in which the power's marker
    stands."""
    defection = facts(table)
    box = affairs_of(table).tracks[defection.track]
    return cast(Status, table.rules.politics.tracks[defection.track].boxes[box].status)


def helped_by(rules: MariaRules, status: str) -> Power | None:
    """Return the power that the defector helps if its status is `status`. Return None for the status "neutral"."""
    defection = rules.game.advanced.defection
    return {"prussian ally": defection.patron, "austrian ally": defection.suitor}.get(status)


def box_reached(table: Table, track: str, steps: int, whole: bool = False) -> int:
    """Return the index of the box that a track's marker reaches when it moves by `steps` boxes (§17.5). The marker
    stops at the end of the track. If `whole` is true, the marker does not move unless it can move all the steps.
    Saxony's marker never goes back to the boxes of its old ally (§19.3)."""
    start, boxes, least = affairs_of(table).tracks[track], table.rules.politics.tracks[track].boxes, 0
    if track == facts(table).track:
        before = status(table)
        least = next(index for index, box in enumerate(boxes) if before == box.status or box.status != "prussian ally")
    end = max(least, min(len(boxes) - 1, start + steps))
    return start if whole and end != start + steps else end


def shift_marker(table: Table, track: str, steps: int, whole: bool = False) -> list[Event]:
    """Move the marker of a track by `steps` boxes, and return the event. Return an empty list if the marker stays. If
    `whole` is true, the marker moves all the steps or none."""
    tracks = affairs_of(table).tracks
    start, end = tracks[track], box_reached(table, track, steps, whole)
    tracks[track] = end
    return [TrackShifted(track, start + 1, end + 1)] if end != start else []


def move_to(table: Table, box: int) -> list[Event]:
    """Move Saxony's marker to the box with this index, with all consequences of its new status. The marker never goes
    back to the boxes of the old ally (§19.3)."""
    track = facts(table).track
    return shift_defector(table, box - affairs_of(table).tracks[track])


def shift_defector(table: Table, steps: int, whole: bool = False) -> list[Event]:
    """Move Saxony's marker by `steps` boxes, with all consequences of its new status. If `whole` is true, the marker
    moves all the steps or none."""
    before = status(table)
    events = shift_marker(table, facts(table).track, steps, whole)
    after = status(table)
    if after == before:
        return events
    events.append(StatusChanged(facts(table).power, after))
    if after == "neutral":
        events += become_neutral(table)
    elif after == "austrian ally":
        change_sides(table)
    retreat = table.state.retreat
    if retreat and not stack_at(table.rules.common, table.state.field, retreat.start):
        table.state.retreat = None  # The beaten stack has been sent home (§19.3, edition 1.0).
    return [*events, *lift_questions(table.rules.common, table.state.field)]


def leader_of(rules: MariaRules, status: str) -> Power | None:
    """Return the power whose player plays the defector while its status is `status`. Return None if the defector is an
    ally of its old ally: the player who played the defector at first then plays it again."""
    defection = rules.game.advanced.defection
    neutral = defection.suitor if rules.edition.neutral_played_by == "suitor" else defection.patron
    return {"neutral": neutral, "austrian ally": defection.suitor}.get(status)


def defector_alliances(table: Table, now: Alliances) -> Alliances:
    """Return a copy of the alliances `now` in which Saxony's side, partners, player and stage are those that its status
    demands (§19.3)."""
    defection = facts(table)
    power, suitor = defection.power, defection.suitor
    match status(table):
        case "neutral":
            side, group, principal = "", str(power), power
        case "austrian ally":
            side, group, principal = now.side[suitor], now.group[suitor], suitor
        case _:
            return now
    played_by = leader_of(table.rules, status(table))
    assert played_by
    # Saxony acts in the stage of another power, and that power's player plays it.
    player, stage = now.player[played_by], now.stage[played_by]
    return alliances_with(
        now, side={power: side}, group={power: group}, principal={power: principal}, player={power: player},
        stage={power: stage},
    )  # fmt: skip


def become_neutral(table: Table) -> list[Event]:
    """Make Saxony neutral: its pieces go home, foreign pieces leave its land, and markers in its land are removed
    (§19.3)."""
    rules, field, defection = table.rules, table.state.field, facts(table)
    power = defection.power
    alliances = field.alliances = defector_alliances(table, field.alliances)
    foreign = [
        piece
        for piece, now in each_piece(field.pieces)
        if now.city >= 0
        and home_of(rules.common, field, now.city) == power
        and rules.common.pieces[piece].power != power
    ]
    events: list[Event] = []
    lands = [land for land, home in alliances.home.items() if home == power]
    cities = [city for city in field.markers if rules.common.board.land[city] in lands]
    for holder in sorted(set(field.markers.values())):
        events += take_markers(table, holder, cities, half_aside=False)
    if rules.edition.displaced == "at once":
        evacuate(table, foreign, defection.also_home)
    send_home(table, power)
    return events


def send_home(table: Table, power: Power) -> None:
    """Take the power's pieces off the map, and add a task for each of them to return to its set-up city (§19.3). In
    edition 1.0 a lost train also comes back."""
    rules, field = table.rules, table.state.field
    lost_too = rules.edition.saxons_return == "all"
    mine = [piece for piece, printed in each_piece(rules.common.pieces) if printed.power == power]
    places = [start_city(rules, power, start) for start in start_places(rules.common.board.data.setup[power])]
    for piece, city in zip(mine, places, strict=True):
        now = field.pieces[piece]
        if now.city >= 0 or (lost_too and not rules.common.is_general(piece)):
            alter(field, piece, city=ASIDE, on_top=False)
            if now.city >= 0:
                release_command(rules.common, field, now.city)
            table.state.tasks.append(ArriveTask(power, piece, city))


def change_sides(table: Table) -> None:
    """Make Saxony an ally and partner of Austria (§19.3). Add two kinds of tasks: each Saxon general who stands in a
    stack must leave it, and Saxony may recruit for each of its generals off the map."""
    rules, field, defection = table.rules, table.state.field, facts(table)
    power = defection.power
    field.alliances = defector_alliances(table, field.alliances)
    for general in rules.common.generals(power):
        city = field.pieces[general].city
        if city >= 0 and len(pieces_at(field, city)) > 1:
            table.state.tasks.append(RelocateTask(power, general, empty=True))
        elif city == OFF:
            table.state.tasks.append(RecruitTask(power))


def ask_about_losses(table: Table, power: Power, lost: int, city: City) -> None:
    """Add the task by which Austria decides whether a loss of victory points moves Saxony's marker (§19.3, §24).
    `power` has lost `lost` points in `city`. Add no task if the marker is at the end of its track. With some numbers of
    players, only losses of certain powers count, or only those on one map. Add no task for any other loss."""
    rules = table.rules
    seats = rules.scenario.players[rules.terms.players]
    if power not in seats.shifts_by or lost <= 0:
        return
    if seats.shifts_on and rules.common.board.map[city] != seats.shifts_on:
        return
    if not is_at_end(table):
        table.state.tasks.append(ShiftTask(facts(table).suitor, lost))


def is_at_end(table: Table) -> bool:
    """True if Saxony's marker is in the last box of its track."""
    track = facts(table).track
    return affairs_of(table).tracks[track] == len(table.rules.politics.tracks[track].boxes) - 1


def decision(task: ShiftTask) -> ShiftSaxony:
    return ShiftSaxony(task.power, task.steps)


def decide(table: Table, decision: ShiftSaxony, answer: Consent) -> list[Event]:
    """Move Saxony's marker, or leave it where it is, as Austria decides. Tasks that the move causes come before the
    tasks that were already waiting."""
    if not answer.yes:
        return [ShiftDeclined(decision.power, decision.steps)]
    state = table.state
    # The move appends its tasks to `state.tasks`. The list is emptied before the move, so that the new tasks come
    # first.
    waiting, state.tasks = state.tasks, []
    events = shift_defector(table, decision.steps)
    state.tasks += waiting
    return events
