"""Pictures of boards: SVG drawn from a board's data, its scenery and a position, and PNG made of it."""

from pbem.report.picture.draw import board_labels, crop_around, draw_board, readable_width
from pbem.report.picture.labels import Label
from pbem.report.picture.png import to_png
from pbem.report.picture.position import AbsentPiece, Move, Piece, Position, Words
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import ThemeName

__all__ = [
    "AbsentPiece",
    "Label",
    "Move",
    "Piece",
    "Position",
    "Scenery",
    "ThemeName",
    "Words",
    "board_labels",
    "crop_around",
    "draw_board",
    "readable_width",
    "to_png",
]
