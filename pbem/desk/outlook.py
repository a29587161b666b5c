"""Outlook of a player: the goal, and the sides of the war."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from pbem.desk.board import LaidBoard
from pbem.engine.field import are_allied, are_enemies
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of
from pbem.kit import game_of
from pbem.report.blocks import table_in_words
from pbem.report.language.templates import macros_of
from pbem.report.picture.theme import hue_of, hues
from pbem.report.printed import PoliticalDisplay
from pbem.report.telling import game_report, view_data
from pbem.report.victory import TEMPLATE
from pbem.site.archive import SiteWords, bare_text, capital


class Member(Struct, frozen=True):
    """Power on one side of the war."""

    power: Power
    name: str
    player: str
    """Player of the power, as the reader's language calls the seat; empty for a power of the reader."""
    ink: str
    """Colour of the power's pieces on paper."""
    sign: str
    """Mark on the power's generals."""
    progress: str
    """Progress towards the power's goal, as two numbers such as `3/8`: the goal cities that it holds, and those that it
    needs to win. In a game that counts markers instead, these are the markers that it has laid out, and all its
    markers. Empty for a power without such a goal."""
    counts_for: str
    """Mark of the power that gains by this power's conquests; empty for a power that conquers for itself."""


class Camp(Struct, frozen=True):
    """Powers of the reader on one side of the war, with allies and enemies."""

    own: list[Member]
    allies: list[Member]
    enemies: list[Member]


class Outlook(Struct, frozen=True):
    """Goal of a player, and the sides on which the player's powers fight."""

    aim: str
    """The goal in words."""
    camps: list[Camp]
    standing: tuple[str, ...]
    """Lines on the markers and tracks of the position."""
    display: PoliticalDisplay
    """The political tracks."""


def camps_of(table: Table, powers: Collection[Power], board: LaidBoard, language: str) -> list[Camp]:
    """Return the sides on which some powers fight, with their allies and enemies."""
    spoken, field = SiteWords(language, table.rules.terms.game), table.state.field
    sides, colours = field.alliances.side, hues(board.data)
    report = game_report(table.rules.terms.game)
    goals = report.progress(game_of(table).view(table, tuple(powers)))
    known = [power for power in table.rules.powers if power in sides]

    def member(power: Power) -> Member:
        name, player = spoken.power(power), "" if power in powers else spoken.player(player_of(table, power))
        progress = "/".join(map(str, goals.get(power, ())))
        ink, sign = hue_of(colours, power).hatch, board.chart.marks.get(power, "")
        principal = field.alliances.principal[power]
        counts_for = board.chart.marks.get(principal, "") if principal != power and principal in goals else ""
        return Member(power, capital(name), player, ink, sign, progress, counts_for)

    own = [power for power in known if power in powers]
    camps = []
    for side in dict.fromkeys(sides[power] for power in own):
        mine = [power for power in own if sides[power] == side]
        others = [power for power in known if power not in mine]
        allied = [power for power in others if are_allied(field, mine[0], power)]
        hostile = [power for power in others if are_enemies(field, mine[0], power)]
        camps.append(Camp([*map(member, mine)], [*map(member, allied)], [*map(member, hostile)]))
    return camps


def counts_in(camps: Iterable[Camp]) -> tuple[str, ...]:
    """Return the progress of each power that has a goal, behind the power's sign, as `P 3/8`. The reader's powers come
    first."""
    members = (each for camp in camps for each in (*camp.own, *camp.allies, *camp.enemies))
    return tuple(dict.fromkeys(f"{each.sign}\u00a0{each.progress}" for each in members if each.progress))


def outlook(table: Table, powers: Collection[Power], board: LaidBoard, language: str) -> Outlook:
    camps = camps_of(table, powers, board, language)
    aim = aim_of(table, powers, language, any(camp.allies for camp in camps))
    named = table_in_words(table, language)
    report = game_report(table.rules.terms.game)
    told = report.standing(named, language)
    marks = {power: board.chart.marks[power] for power in table.rules.powers if power in board.chart.marks}
    display = report.display(named, language, marks)
    return Outlook(aim, camps, tuple(line.removeprefix("- ") for line in told), display)


def aim_of(table: Table, powers: Collection[Power], language: str, has_allies: bool) -> str:
    """Return the goal of a player's powers in words, with the progress. With `has_allies` the words may warn that
    allies play for themselves."""
    data = view_data(table.rules, game_of(table).view(table, tuple(powers)))
    words = macros_of(language, table.rules.terms.game, TEMPLATE)
    return bare_text(str(words.aim(list(powers), data["goals"], table.rules, data.get("last_turn"), has_allies)))
