"""Pictures of boards. An SVG is made from a board's data, its scenery and a position, and a PNG is made from the
SVG."""

from pbem.report.picture.chart import MAIL_WIDTH, put_away
from pbem.report.picture.close_up import Theatre, chart_of_theatre, close_up, theatre_around
from pbem.report.picture.draw import board_labels, crop_around, draw_board, drawing_of, part_width, readable_width
from pbem.report.picture.drawing import Drawing
from pbem.report.picture.lettering import Label
from pbem.report.picture.palette import small_png
from pbem.report.picture.png import to_png
from pbem.report.picture.position import (
    AbsentPiece,
    DrawnFight,
    DrawnMarch,
    DrawnPiece,
    Fact,
    MapMargin,
    PictureWords,
    Position,
    Tallies,
    Track,
    words_in,
)
from pbem.report.picture.scenery import Scenery
from pbem.report.picture.theme import ThemeName

__all__ = [
    "MAIL_WIDTH",
    "AbsentPiece",
    "Drawing",
    "DrawnFight",
    "DrawnMarch",
    "DrawnPiece",
    "Fact",
    "Label",
    "MapMargin",
    "PictureWords",
    "Position",
    "Scenery",
    "Tallies",
    "Theatre",
    "ThemeName",
    "Track",
    "board_labels",
    "chart_of_theatre",
    "close_up",
    "crop_around",
    "draw_board",
    "drawing_of",
    "part_width",
    "put_away",
    "readable_width",
    "small_png",
    "theatre_around",
    "to_png",
    "words_in",
]
