"""Pictures of boards: SVG drawn from a board's data, its scenery and a position, and PNG made of it."""

from pbem.report.picture.draw import MAIL_WIDTH, board_labels, crop_around, draw_board, readable_width
from pbem.report.picture.labels import Label
from pbem.report.picture.png import to_png
from pbem.report.picture.position import AbsentPiece, Move, Piece, Position, Tallies, Track, Words
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import ThemeName

__all__ = [
    "MAIL_WIDTH",
    "AbsentPiece",
    "Label",
    "Move",
    "Piece",
    "Position",
    "Scenery",
    "Tallies",
    "ThemeName",
    "Track",
    "Words",
    "board_labels",
    "crop_around",
    "draw_board",
    "readable_width",
    "to_png",
]
