"""Pictures of the games' boards for the first page, by day and by night."""

from __future__ import annotations

import re

from pbem.desk.board import BOTH
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.cards import SeededDealer
from pbem.engine.nouns import each_piece
from pbem.kit import game_named
from pbem.paper.library import find_board, load_board_file
from pbem.report.maps import Request, picture_svg
from pbem.report.picture.png import to_webp
from pbem.report.picture.theme import ThemeName
from pbem.resources import games

WIDTH, HEIGHT = 344, 215
"""Pixels of a picture."""

QUALITY = 36
"""Quality at which names can still be read. All pictures together have some 80 kilobytes."""

BOX = re.compile(r'(<svg\b[^>]*?) width="[^"]*" height="[^"]*" viewBox="[^"]*"')


def board_pictures(language: str) -> dict[str, dict[ThemeName, bytes]]:
    """Return pictures of every game's board at the beginning, by game and theme, as WebP."""
    return {game: board_picture(game, language) for game in games()}


def board_picture(game: str, language: str) -> dict[ThemeName, bytes]:
    """Return pictures of a game's board at the beginning, by theme. They show the part of the board in the middle of
    all pieces."""
    rules, started = rules_of(terms_of(game, "")), game_named(game)
    table, _ = started.start(rules, SeededDealer("a picture shows no card"))
    board, seen = find_board(rules.terms.board), started.view(table, ())
    cities = load_board_file(board).cities
    stand = [cities[piece.city] for _, piece in each_piece(seen.pieces) if piece.city >= 0]
    box = " ".join(f"{side:.1f}" for side in window_of([(city.x, city.y) for city in stand]))
    found = {}
    for theme in BOTH:
        svg = picture_svg(Request(board, seen, language=language, theme=theme, width=WIDTH))
        part, times = BOX.subn(rf'\1 viewBox="{box}"', svg, count=1)
        assert times, "a drawing begins with its size"
        found[theme] = to_webp(part, WIDTH, QUALITY)
    return found


PART = 0.7
"""Factor by which a picture shows less than the whole area with pieces."""


def window_of(stand: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Return the part of the board in the middle of some places, in the shape of a picture: left, top, width and
    height."""
    (left, right), (top, bottom) = ((min(line), max(line)) for line in zip(*stand, strict=True))
    width = max(right - left, (bottom - top) * WIDTH / HEIGHT) * PART
    height = width * HEIGHT / WIDTH
    return (left + right - width) / 2, (top + bottom - height) / 2, width, height
