"""Tracks of the political display as they are drawn: each box with what it does, the marker, and where the face-up
cards would bring it (§17.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pbem.engine.nouns import Power
from pbem.games.maria.report.politics import display_legend
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.defection import box_reached, helped_by, status
from pbem.games.maria.rules.politics_data import CardShift, TrackBox
from pbem.games.maria.rules.state import Table, affairs_of
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.printed import BoxEffect, DrawnBox, DrawnTrack, PoliticalDisplay, TrackMove

TEMPLATE = "tracks.txt.j2"
STAR = "★"


def display_of(table: Table, language: str, marks: Mapping[Power, str]) -> PoliticalDisplay:
    """Return the political display as it is drawn in a language, with the marks of powers on the board; without tracks
    if the scenario has none."""
    if table.state.affairs is None:
        return PoliticalDisplay()
    tracks = tuple(drawn_track(table, track, language, marks) for track in table.rules.politics.tracks)
    return PoliticalDisplay(tracks, display_legend(table.rules.politics, language))


def drawn_track(table: Table, track: str, language: str, marks: Mapping[Power, str]) -> DrawnTrack:
    words, boxes = macros_of(language, "maria", TEMPLATE), table.rules.politics.tracks[track].boxes
    drawn = tuple(
        DrawnBox(effects_of(table.rules, box, language, marks), (STAR if box.star else "") + box.mark) for box in boxes
    )
    at = affairs_of(table).tracks[track] + 1
    return DrawnTrack(squeeze(str(words.track_title(track))), drawn, at, tuple(moves_on(table, track, language)))


NO_MARKS: Mapping[Power, str] = {}


def effects_of(
    rules: MariaRules, box: TrackBox, language: str, marks: Mapping[Power, str] = NO_MARKS
) -> tuple[BoxEffect, ...]:
    """Return the effects of a box in words, and in short with the marks of powers. The status comes first: its value is
    True if Saxony helps a power, None if Saxony is neutral. The value of each icon is True if it is good for its power,
    else False."""
    words, short = (macros_of(language, "maria", name) for name in (TEMPLATE, "picture_game.txt.j2"))
    told = squeeze(str(words.status(box))) if box.status else ""
    return (
        *([BoxEffect(told, told, True if helped_by(rules, box.status) else None)] if told else []),
        *(
            BoxEffect(
                squeeze(str(words.icon(icon))),
                squeeze(str(short.icon(icon.kind, marks.get(icon.power, ""), icon.cards))),
                gain_of(icon.kind, icon.cards) > 0,
            )
            for icon in box.icons
        ),
    )


def gain_of(kind: str, cards: int) -> int:
    """Return the gain of a power by an icon: for an income its cards in a turn, 1 for a victory marker, -1 for an
    expedition."""
    return cards if kind == "income" else -1 if kind == "expedition" else 1


def gains_in(rules: MariaRules, box: TrackBox) -> dict[Power, int]:
    """Return the gain of each power while a track's marker stands in this box. It is the sum of the gains of its icons
    (`gain_of`), and 1 for the help of Saxony. Powers without icon or help are left out."""
    found: dict[Power, int] = {}
    for icon in box.icons:
        found[icon.power] = found.get(icon.power, 0) + gain_of(icon.kind, icon.cards)
    if friend := helped_by(rules, box.status):
        found[friend] = found.get(friend, 0) + 1
    return found


class Change(NamedTuple):
    """Powers for which a change is good, and those for which it is bad."""

    gainers: list[Power]
    losers: list[Power]


def changed_by(table: Table, track: str, end: int) -> Change:
    """Return the powers that gain and those that lose if a track's marker comes to the box with the
    index `end`. It is compared with the box that the marker reaches by the shifts announced so far."""
    boxes = table.rules.politics.tracks[track].boxes
    before, after = (gains_in(table.rules, boxes[at]) for at in (announced_box(table, track), end))
    by = {power: after.get(power, 0) - before.get(power, 0) for power in table.rules.powers}
    return Change([power for power in by if by[power] > 0], [power for power in by if by[power] < 0])


def announced_box(table: Table, track: str, further: int = 0) -> int:
    """Return the index of the box that a track's marker reaches by the shifts announced so far, with `further` steps
    added."""
    steps = affairs_of(table).shifts.get(track, 0) + further
    return box_reached(table, track, steps, table.rules.edition.beyond_end == "stay")


def shift_words(table: Table, track: str, steps: int, language: str) -> str:
    """Return the words for a shift that a card would add to the announced shifts: the box that the marker reaches, the
    effect of that box, and the powers for whom the change is good or bad."""
    end = announced_box(table, track, steps)
    told = [each.says for each in effects_of(table.rules, table.rules.politics.tracks[track].boxes[end], language)]
    is_still = end == announced_box(table, track)
    return squeeze(
        str(macros_of(language, "maria", TEMPLATE).shift(end + 1, told, is_still, *changed_by(table, track, end)))
    )


def gain_words(table: Table, shift: CardShift, language: str) -> str:
    """Return words for the powers that gain and lose if a card's arrow is followed. It is compared with the shifts
    announced so far. If the arrow may be followed in either direction, each direction has words. The text is empty if
    nobody gains or loses, or if Saxony's status forbids the arrow."""
    words, told = macros_of(language, "maria", TEMPLATE), []
    for steps in ways_of(shift) if is_open(table, shift) else ():
        found = squeeze(str(words.changed(*changed_by(table, shift.track, announced_box(table, shift.track, steps)))))
        told += [f"{'→' if steps > 0 else '←'} {found}" if shift.either else found] if found else []
    return " · ".join(told)


def ways_of(shift: CardShift) -> tuple[int, ...]:
    """Return the steps by which an arrow may be followed, those to the left first."""
    return (-abs(shift.steps), abs(shift.steps)) if shift.either else (shift.steps,)


def is_open(table: Table, shift: CardShift) -> bool:
    """Return whether the present status of Saxony allows an arrow to be followed."""
    return not shift.while_status or shift.while_status == status(table)


def way_words(table: Table, shift: CardShift, language: str) -> str:
    """Return a sentence on where each way of a card's arrow leads; empty if it may not be followed now."""
    if not is_open(table, shift):
        return ""
    ways = [shift_words(table, shift.track, steps, language) for steps in ways_of(shift)]
    return squeeze(str(macros_of(language, "maria", TEMPLATE).ways(shift.track, ways)))


def moves_on(table: Table, track: str, language: str) -> Iterator[TrackMove]:
    """Yield the shifts of a track by the political cards that lie face-up."""
    words = macros_of(language, "maria", TEMPLATE)
    for number in affairs_of(table).open:
        card = table.rules.politics.card_by_number[number]
        for shift in card.shifts:
            for steps in ways_of(shift) if shift.track == track and is_open(table, shift) else ():
                title = squeeze(str(words.card_title(card)))
                box = announced_box(table, track, steps) + 1
                yield TrackMove(number, title, box, shift_words(table, track, steps, language))
