"""Games against bots at the desk, and the answers of the best bot in the player's place."""

from __future__ import annotations

from pbem.desk.advising import Counsel, counsels, dealings
from pbem.desk.desk import Desk
from pbem.desk.draft import LETTER
from pbem.desk.lessons import lessons, steps_done, taken_lesson
from pbem.desk.opened import Sitting
from pbem.desk.practice import USUAL, Practice, titles
from pbem.paper.orders.files import read_orders
from pbem.paper.orders.moves import MOVE


def practise(desk: Desk, game: str, scenario: str, seat: str, bot: str) -> Sitting:
    """Begin a game against bots."""
    return desk.lay_out_practice(Practice.of(game, scenario, seat, bot))


def play_now(desk: Desk, game: str) -> Sitting:
    """Begin the first scenario of a game in the seat that acts first, with its troops dealt out by a bot."""
    practice = Practice.of(game, next(iter(titles(game))), "", USUAL)
    practice.deal()
    practice.game.news.clear()
    return desk.lay_out_practice(practice)


def learn(desk: Desk, game: str, name: str) -> Sitting:
    """Begin a lesson."""
    sitting = desk.lay_out_practice(taken_lesson(game, name))
    desk.lesson = lessons(game)[name]
    return sitting


def lesson_progress(desk: Desk) -> list[bool]:
    """Return for each step of the lesson whether it has been done."""
    assert desk.lesson
    assert desk.practice
    trial = desk.tried().trial
    return steps_done(desk.lesson, desk.practice, trial.table, trial.events)


def resume(desk: Desk, data: bytes, name: str) -> Sitting:
    """Go on with a saved game; raises `Refused`."""
    return desk.lay_out_practice(Practice.saved(data, name))


def deal(desk: Desk) -> None:
    """Write into the orders how the best bot would deal out the troops that are to be dealt."""
    if dealt := dealings(desk.tried().trial.table, desk.powers):
        desk.draft.put(desk.table, dealt)


def advice(desk: Desk) -> list[Counsel]:
    """Return the best bot's answers to the questions that are open, and to those by which marches go on.

    The list is empty where an answer could show the reader something secret.
    """
    if not desk.drafts.asks:
        return []
    tried = desk.tried()
    asked = [] if tried.trial.hidden else counsels(tried.trial.table, desk.powers, desk.language)
    further = counsels(tried.marching.table, desk.powers, desk.language) if tried.marching else []
    marching = {each.power for each in asked if MOVE.name in each.sections}
    return [*asked, *(each for each in further if MOVE.name in each.sections and each.power not in marching)]


def go_on(desk: Desk) -> Sitting:
    """Carry the orders of a practice game out, and let the bots play; raises `Refused`."""
    assert desk.practice
    desk.practice.go_on(read_orders(desk.draft.document(), LETTER, desk.table.rules))
    board = desk.board()
    sitting = desk.lay_out_practice(desk.practice)
    desk.drawn, board.powers = board, desk.powers
    return sitting
