"""Political cards and tracks (§17) as text, as data, and as a drawing of the political display. Signs in the text tell
how certain each part of a card is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from pbem.engine.nouns import Power
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.defection import box_reached, helped_by, status
from pbem.games.maria.rules.politics_data import CardShift, Grant, PoliticalCard, PoliticsData, TrackBox, TrackFacts
from pbem.games.maria.rules.state import Table, affairs_of
from pbem.report.language.templates import NO_BREAK, Macros, capital, macros_of, squeeze, with_gaps
from pbem.report.printed import BoxEffect, DrawnBox, DrawnTrack, PoliticalDisplay, PrintedCard, TrackMove

GAME = "maria"
TEMPLATE = "politics.txt.j2"
TRACKS = "tracks.txt.j2"

WIDTH = 100
"""Greatest length of a line in the texts of this module."""

GAP = "  "
LEAST_COLUMN = 8
BOXES_IN_A_ROW = 6
WIDEST_BOX = 17


class CardRow(Struct, frozen=True):
    """Texts about a political card, one for each column of the list of cards."""

    number: str
    title: str
    arms: str
    shifts: str
    instruction: str
    note: str


def cards_data(politics: PoliticsData, years: Sequence[int]) -> dict[str, object]:
    cards = [asdict(card) for card in politics.cards if card.year in years]
    return {"name": politics.name, "note": politics.note, "cards": msgspec.to_builtins(cards)}


def tracks_data(politics: PoliticsData) -> dict[str, object]:
    wanted = ("name", "note", "squares", "squares_provenance", "reserve", "tracks")
    return {key: msgspec.to_builtins(getattr(politics, key)) for key in wanted}


def cards_text(politics: PoliticsData, years: Sequence[int], language: str = "en") -> str:
    blocks = [opening(politics, "cards", language)]
    rows = {year: card_rows(politics, year, language) for year in years}
    widths = column_widths([_cells(row) for cards in rows.values() for row in cards])
    for year, cards in rows.items():
        lines = [line for row in cards for line in _card_lines(row, widths)]
        blocks.append("\n".join([*_underline(year_title(politics, year, language), "-"), *lines]))
    return with_gaps([*blocks, closing(politics, "cards", language)])


def tracks_text(politics: PoliticsData, language: str = "en") -> str:
    """Return the political display as plain text, with each track drawn as a row of boxes."""
    blocks = [opening(politics, "tracks", language), *_paragraphs([_say(language, "squares", politics)])]
    for track in politics.tracks.values():
        lines = [_say(language, "track", track), *_draw_track(track, language)]
        blocks.append("\n".join([*lines, *_paragraphs([track.note])]))
    return with_gaps([*blocks, closing(politics, "tracks", language)])


def opening(politics: PoliticsData, part: str, language: str = "en") -> str:
    """Return the beginning of a text about the cards or the tracks: its heading, and the note of the politics file."""
    heading = "\n".join(_underline(_say(language, f"{part}_title", politics), "="))
    return "\n\n".join([heading, *_paragraphs([politics.note])])


def closing(politics: PoliticsData, part: str, language: str = "en") -> str:
    """Return the last paragraphs of the text on "cards" or "tracks". They explain the cards' arrows or the tracks'
    icons, then the signs of certainty, and tell how to correct a reconstructed politics file."""
    kinds = ["arrows" if part == "cards" else "icons", "legend", *(["correct"] if is_reconstructed(politics) else [])]
    return "\n\n".join(_paragraphs([_say(language, kind, politics) for kind in kinds]))


def headings(language: str = "en") -> list[str]:
    return list(_words(language).HEADINGS)


def year_title(politics: PoliticsData, year: int, language: str = "en") -> str:
    """Return the title above the cards of a year, with the turns in which these cards come."""
    return _say(language, "year", {"year": year, "turns": politics.years[year]})


def card_rows(politics: PoliticsData, year: int, language: str = "en") -> list[CardRow]:
    titles = {name: track.title for name, track in politics.tracks.items()}
    return [_card_row(card, titles, language) for card in politics.cards if card.year == year]


def offer_in_words(
    politics: PoliticsData, number: int, language: str = "en", arms: bool = False, arrows: bool = True
) -> str:
    """Return the arrows and the instruction of a political card in words. With `arms` the powers that may select the
    card are named; without `arrows` the arrows are left out."""
    card = politics.card_by_number[number]
    card = card if arrows else replace(card, shifts=())
    sentences = [_say(language, type(effect).__name__.lower(), effect) for effect in card.effects]
    titles = {name: track.title for name, track in politics.tracks.items()}
    return _say(language, "offer", {"card": card, "titles": titles, "sentences": sentences, "arms": arms})


def printed_card(
    politics: PoliticsData, number: int, language: str, arrows: Sequence[tuple[CardShift, str, str]]
) -> PrintedCard:
    """Return a political card as a report draws it, without signs of uncertainty. `arrows` has, for each arrow of the
    card, the words on who gains by it and a sentence on the box to which it leads."""
    found = politics.card_by_number[number]
    sure = replace(found, arms_provenance="certain", shifts_provenance="certain", effects_provenance="certain")
    titles = {name: track.title for name, track in politics.tracks.items()}
    row = _card_row(sure, titles, language)
    lines = [": ".join(filter(None, (arrow_drawn(sure, shift, titles, language), gains))) for shift, gains, _ in arrows]
    told = offer_in_words(politics, number, language, arms=True, arrows=False)
    said = " ".join([capital(told), *(capital(way) for _, _, way in arrows if way)])
    return PrintedCard(row.number, row.title, (row.arms, *lines), squeeze(row.instruction), said)


def arrow_drawn(card: PoliticalCard, shift: CardShift, titles: dict[str, str], language: str) -> str:
    return _say(language, "shifts", {"card": replace(card, shifts=(shift,)), "titles": titles})


def display_legend(politics: PoliticsData, language: str) -> str:
    """Return the sentences that explain the icons of the tracks."""
    return _say(language, "icons", politics)


def words_of_card(politics: PoliticsData, number: int, language: str) -> dict[str, str]:
    """Return the words for a political card's title, its instruction, and the powers that may receive its grant. The
    keys are those of `GameReport.option_words`."""
    card = politics.card_by_number[number]
    sentences = [capital(_say(language, type(effect).__name__.lower(), effect)) for effect in card.effects]
    grants = {power for effect in card.effects if isinstance(effect, Grant) for power in effect.to}
    return {
        f"{number}/card/{number}": squeeze(_say(language, "card_title", card)),
        **({f"{number}/instruction/yes": " ".join(sentences)} if sentences else {}),
        **{f"{number}/for/{power}": _say(language, "name", power) for power in sorted(grants)},
    }


def is_reconstructed(politics: PoliticsData) -> bool:
    """True if any part of the politics file is a reconstruction, not taken from the printed game."""
    marks = [politics.squares_provenance, *(track.provenance for track in politics.tracks.values())]
    for card in politics.cards:
        marks += [card.arms_provenance, card.shifts_provenance, card.effects_provenance]
    return "reconstruction" in marks


def _card_row(card: PoliticalCard, titles: dict[str, str], language: str) -> CardRow:
    sentences = [_say(language, type(effect).__name__.lower(), effect) for effect in card.effects]
    data = {"card": card, "titles": titles, "sentences": sentences}
    arms, shifts, instruction = (_say(language, kind, data) for kind in ("arms", "shifts", "instruction"))
    return CardRow(
        str(card.number), squeeze(_say(language, "card_title", card)), arms, shifts, instruction, squeeze(card.note)
    )


def _cells(row: CardRow) -> tuple[str, ...]:
    return row.number, row.title, row.arms, row.shifts


def _card_lines(row: CardRow, widths: Sequence[int]) -> Iterator[str]:
    """Yield the lines of text for one card: first its columns, then its instruction and note."""
    cells = [textwrap.wrap(cell, width) for cell, width in zip(_cells(row), widths, strict=True)]
    cells[0] = [number.rjust(widths[0]) for number in cells[0]]
    for parts in zip_longest(*cells, fillvalue=""):
        line = GAP.join(part.ljust(width) for part, width in zip(parts, widths, strict=True))
        yield line.replace(NO_BREAK, " ").rstrip()
    indent = " " * (widths[0] + len(GAP))
    yield from _wrap(row.instruction, indent)
    yield from _wrap(f"({row.note})" if row.note else "", indent)


def column_widths(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column, in characters. Columns are as wide as their longest cell; if lines would be too
    long, the widest columns are narrowed."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = WIDTH - len(GAP) * (len(widths) - 1)
    while sum(widths) > room and max(widths) > LEAST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _draw_track(track: TrackFacts, language: str) -> Iterator[str]:
    """Yield the lines of text that draw the boxes of a track side by side."""
    for first in range(0, len(track.boxes), BOXES_IN_A_ROW):
        boxes = track.boxes[first : first + BOXES_IN_A_ROW]
        inner = min(WIDEST_BOX, (WIDTH - len(boxes) - 1) // len(boxes) - 1)
        texts = [_box_lines(first + place + 1, box, inner, language) for place, box in enumerate(boxes)]
        line = "─" * (inner + 1)
        yield f"┌{'┬'.join([line] * len(boxes))}┐"
        for parts in zip_longest(*texts, fillvalue=""):
            yield f"│{'│'.join(f' {part.ljust(inner)}' for part in parts)}│".replace(NO_BREAK, " ")
        yield f"└{'┴'.join([line] * len(boxes))}┘"


def _box_lines(number: int, box: TrackBox, width: int, language: str) -> list[str]:
    """Return the lines of text in a box of a track: number, star and printed sign, then status and icons."""
    head = [str(number), _words(language).STAR if box.star else "", box.mark]
    things = [_say(language, "status", box)] if box.status else []
    things += [_say(language, "icon", icon) for icon in box.icons]
    return [" ".join(filter(None, head)), *(line for thing in things for line in textwrap.wrap(thing, width))]


def _words(language: str) -> Macros:
    return macros_of(language, GAME, TEMPLATE)


def _say(language: str, kind: str, data: object) -> str:
    return squeeze(str(getattr(_words(language), kind)(data)))


def _paragraphs(texts: Sequence[str]) -> list[str]:
    return ["\n".join(_wrap(squeeze(text))) for text in texts if text.strip()]


def _wrap(text: str, indent: str = "") -> list[str]:
    lines = textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in lines]


def _underline(title: str, line: str) -> list[str]:
    return [title, line * min(len(title), WIDTH)]


STAR = "★"


def display_of(table: Table, language: str, marks: Mapping[Power, str]) -> PoliticalDisplay:
    """Return the political display as it is drawn in a language. `marks` has the signs that stand for the powers on the
    board. Return an empty display if the scenario has no politics."""
    if table.state.affairs is None:
        return PoliticalDisplay()
    tracks = tuple(drawn_track(table, track, language, marks) for track in table.rules.politics.tracks)
    return PoliticalDisplay(tracks, display_legend(table.rules.politics, language))


def drawn_track(table: Table, track: str, language: str, marks: Mapping[Power, str]) -> DrawnTrack:
    words, boxes = macros_of(language, GAME, TRACKS), table.rules.politics.tracks[track].boxes
    drawn = tuple(
        DrawnBox(effects_of(table.rules, box, language, marks), (STAR if box.star else "") + box.mark) for box in boxes
    )
    at = affairs_of(table).tracks[track] + 1
    return DrawnTrack(squeeze(str(words.track_title(track))), drawn, at, tuple(moves_on(table, track, language)))


NO_MARKS: Mapping[Power, str] = {}


def effects_of(
    rules: MariaRules, box: TrackBox, language: str, marks: Mapping[Power, str] = NO_MARKS
) -> tuple[BoxEffect, ...]:
    """Return the effects of a box, the status first. Each has words, short words with the marks of powers, and a value.
    The value is True if the effect is good for its power, and None for the status of Saxony as a neutral power."""
    words, short = (macros_of(language, GAME, name) for name in (TRACKS, "picture_game.txt.j2"))
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
    """Return the gain that an icon brings its power: the cards in a turn for an income, 1 for a victory marker, -1 for
    an expedition."""
    return cards if kind == "income" else -1 if kind == "expedition" else 1


def gains_in(rules: MariaRules, box: TrackBox) -> dict[Power, int]:
    """Return the gain of each power while a track's marker stands in this box: the gains by its icons, and 1 for the
    help of Saxony. Powers without either are left out."""
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
    """Return the powers that gain, and those that lose, if a track's marker comes to the box with the index `end`,
    compared with the box that it reaches by the announced shifts."""
    boxes = table.rules.politics.tracks[track].boxes
    before, after = (gains_in(table.rules, boxes[at]) for at in (announced_box(table, track), end))
    by = {power: after.get(power, 0) - before.get(power, 0) for power in table.rules.powers}
    return Change([power for power in by if by[power] > 0], [power for power in by if by[power] < 0])


def announced_box(table: Table, track: str, further: int = 0) -> int:
    """Return the index of the box that a track's marker reaches by the announced shifts and `further` steps."""
    steps = affairs_of(table).shifts.get(track, 0) + further
    return box_reached(table, track, steps, table.rules.edition.beyond_end == "stay")


def shift_words(table: Table, track: str, steps: int, language: str) -> str:
    """Return the words for a further shift of a track: the box that the marker reaches, its effects, the effects that
    end, and the powers that gain or lose."""
    words, boxes = macros_of(language, GAME, TRACKS), table.rules.politics.tracks[track].boxes
    start, end = announced_box(table, track), announced_box(table, track, steps)
    told = [each.says for each in effects_of(table.rules, boxes[end], language)]
    staying = {(icon.kind, icon.power) for icon in boxes[end].icons}
    ending = [icon for icon in boxes[start].icons if (icon.kind, icon.power) not in staying]
    told += [squeeze(str(words.no_longer(icon))) for icon in ending]
    return squeeze(str(words.shift(end + 1, told, end == start, *changed_by(table, track, end))))


def gain_words(table: Table, shift: CardShift, language: str) -> str:
    """Return words for the powers that gain and lose by a card's arrow, in each direction that the arrow may have. The
    text is empty if no power gains or loses, or if Saxony's status forbids the arrow."""
    words, told = macros_of(language, GAME, TRACKS), []
    for steps in ways_of(shift) if is_open(table, shift) else ():
        found = squeeze(str(words.changed(*changed_by(table, shift.track, announced_box(table, shift.track, steps)))))
        told += [f"{'→' if steps > 0 else '←'} {found}" if shift.either else found] if found else []
    return " · ".join(told)


def ways_of(shift: CardShift) -> tuple[int, ...]:
    """Return the steps by which an arrow may be followed, those to the left first."""
    return (-abs(shift.steps), abs(shift.steps)) if shift.either else (shift.steps,)


def is_open(table: Table, shift: CardShift) -> bool:
    """True if the present status of Saxony allows an arrow to be followed."""
    return not shift.while_status or shift.while_status == status(table)


def way_words(table: Table, shift: CardShift, language: str) -> str:
    """Return a sentence on the box to which a card's arrow leads, in each direction. The text is empty if the arrow may
    not be followed now."""
    if not is_open(table, shift):
        return ""
    ways = [shift_words(table, shift.track, steps, language) for steps in ways_of(shift)]
    return squeeze(str(macros_of(language, GAME, TRACKS).ways(shift.track, ways, True)))


def moves_on(table: Table, track: str, language: str) -> Iterator[TrackMove]:
    """Yield each shift of a track that a face-up political card offers."""
    words = macros_of(language, GAME, TRACKS)
    for number in affairs_of(table).open:
        card = table.rules.politics.card_by_number[number]
        for shift in card.shifts:
            for steps in ways_of(shift) if shift.track == track and is_open(table, shift) else ():
                title = squeeze(str(words.card_title(card)))
                box = announced_box(table, track, steps) + 1
                yield TrackMove(number, title, box, shift_words(table, track, steps, language))
