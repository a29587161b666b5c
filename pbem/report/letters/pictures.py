"""Pictures of a report: the whole board, and the parts of the board that concern a player."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.paper.library import find_board
from pbem.report.letters.dangers import Dangers, dangers_of
from pbem.report.letters.entries import report_language
from pbem.report.maps import Request, picture_png
from pbem.report.picture import words_in
from pbem.report.picture.theme import ThemeName
from pbem.report.theatre import TheatreFacts, theatre_of, theatre_words


def board_png(public: Briefing, language: str, folder: Path | None = None, theme: ThemeName = "light") -> bytes:
    """Return a PNG of the whole board, with the moves that the report tells. Return no bytes if the game has not begun.

    Everybody may see this picture, so `public` must be the observer's briefing. If the campaign has a
    board of its own, it is in `folder`.
    """
    wanted = picture_request(public, report_language(language), folder, theme)
    return picture_png(wanted) if wanted else b""


def theatre_picture(briefing: Briefing, language: str, folder: Path | None = None, theme: ThemeName = "light") -> bytes:
    """Return a PNG of the parts of the board that concern a player, as far as the player knows them. Return no bytes
    for a reader who has no piece on the board."""
    wanted = picture_request(briefing, report_language(language), folder, theme)
    mine = picture_facts(briefing, dangers_of(briefing))
    theatre = mine and theatre_of(mine)
    if not (wanted and mine and theatre):
        return b""
    title = " · ".join(map(words_in(wanted.language).power, mine.powers))
    return picture_png(replace(wanted, theatre=replace(theatre, title=title)))


def picture_request(briefing: Briefing, language: str, folder: Path | None, theme: ThemeName) -> Request | None:
    """Return the request for the picture of a report. Return None if the game has not begun."""
    if briefing.view is None:
        return None
    rules = briefing.table_in_play.rules
    moves = tuple((rules.common, event) for event in (*briefing.news.earlier, *briefing.news.events))
    return Request(find_board(rules.terms.board, folder), briefing.view, moves, language, theme, folder=folder)


def picture_facts(briefing: Briefing, dangers: Dangers) -> TheatreFacts | None:
    """Return the facts that decide which parts of the board concern a player. Return None if the reader is not a
    player."""
    if briefing.view is None or briefing.reader in (OBSERVER, MODERATOR):
        return None
    events = (*briefing.news.earlier, *briefing.news.events)
    return TheatreFacts(briefing.table_in_play.rules.common, briefing.view, briefing.powers, events, dangers.cities)


def picture_words(briefing: Briefing, language: str, dangers: Dangers) -> str:
    """Describe the picture of the parts that concern a player, for people who cannot see it. Return an empty text if
    there is no such picture."""
    told = picture_facts(briefing, dangers)
    return theatre_words(told, language) if told else ""
