"""The board tells: its frame is that of the position that lies there, and what happened is told step by step."""

from __future__ import annotations

import re

import pytest

from pbem.desk.desk import Desk
from pbem.report.picture.theme import ThemeName
from tests.desk.test_desk import order_like_a_bot

BY_DAY_AND_NIGHT: tuple[ThemeName, ...] = ("light", "dark")


def words_in(drawing: str) -> str:
    """The words of a drawing."""
    return " ".join(re.findall(r">([^<>]+)</text>", drawing))


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_the_frame_of_the_board_is_that_of_the_position_after_every_carrying_out(game: str) -> None:
    desk = Desk("en")
    seat = "frederick"
    desk.practise(game, "introductory" if game == "maria" else "", seat, "random")
    seen = set()
    for turn in range(12):
        order_like_a_bot(desk, turn)
        desk.go_on()
        told = desk.board().over(desk.table)
        caption = desk.board().scene_of(desk.table).caption
        assert caption
        assert all(caption in words_in(told.frames[theme]) for theme in BY_DAY_AND_NIGHT)
        assert caption not in "".join(ground.drawn for ground in desk.board().sheet().grounds)
        seen.add(caption)
    assert len(seen) > 1
    desk.speak("de")
    german = desk.board().scene_of(desk.table).caption
    assert german != caption
    assert german in words_in(desk.board().over(desk.table).frames["light"])
