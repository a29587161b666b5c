"""Games against bots at the desk, and answers that the best bot gives in the player's place."""

from __future__ import annotations

from collections.abc import Collection

from pbem.desk.advising import Counsel, dealings
from pbem.desk.desk import Desk
from pbem.desk.draft import LETTER
from pbem.desk.lessons import lessons, steps_done, taken_lesson
from pbem.desk.opened import Sitting
from pbem.desk.practice import USUAL, Practice, first_seat, titles
from pbem.paper.orders.files import read_orders
from pbem.paper.orders.moves import MOVE


def practise(desk: Desk, game: str, scenario: str, seat: str, bot: str) -> Sitting:
    """Begin a game against bots of a level."""
    return desk.lay_out_practice(Practice.new(game, scenario, seat, bot))


def play_now(desk: Desk, game: str, seat: str = "") -> Sitting:
    """Begin the first scenario of a game in a seat; with an empty `seat`, in the seat that acts first. A bot deals out
    the troops of the seat."""
    return begin_dealt(desk, Practice.new(game, next(iter(titles(game))), seat, USUAL))


def play_again(desk: Desk) -> Sitting:
    """Begin another game with the terms, seat and bots of the game on the desk. A bot deals out the troops of the
    seat."""
    practice = desk.opened.practice
    assert practice
    return begin_dealt(desk, practice.again())


def begin_dealt(desk: Desk, practice: Practice) -> Sitting:
    """Lay a new game on the desk, after a bot has dealt out the troops of the player's seat. If this seat acts first,
    nothing counts as news yet."""
    practice.deal()
    if practice.seat == first_seat(practice.game.rules):
        practice.game.news.clear()
    return desk.lay_out_practice(practice)


def learn(desk: Desk, game: str, name: str) -> Sitting:
    """Begin a lesson."""
    sitting = desk.lay_out_practice(taken_lesson(game, name))
    desk.lesson = lessons(game)[name]
    return sitting


def lesson_progress(desk: Desk) -> list[bool]:
    """Return for each step of the lesson whether it has been done, and last whether the lesson is over."""
    practice, trial = desk.opened.practice, desk.judgement().trial
    assert desk.lesson
    assert practice
    return steps_done(desk.lesson, practice, trial.table, trial.events)


def resume(desk: Desk, data: bytes, name: str) -> Sitting:
    """Continue a saved game; raises `Refused` for a faulty file."""
    return desk.lay_out_practice(Practice.from_file(data, name))


def deal(desk: Desk) -> None:
    """Write orders that deal out the troops as the best bot would, if there are troops to deal out."""
    if dealt := dealings(desk.judgement().trial.table, desk.powers):
        desk.draft.put(desk.table, dealt)


def advice(desk: Desk, pieces: Collection[str] = ()) -> list[Counsel]:
    """Return the best bot's answers to the open questions, and to those that would continue a written march.

    Marches are those of the named pieces, if any are named. Answers to open questions are left out if the orders lead
    to an event that the reader cannot know. There is no advice on a draft that takes no orders.
    """
    if not desk.drafts.takes_orders:
        return []
    tried, adviser = desk.judgement(), desk.opened.adviser()
    adviser.hear(tried.marching or tried.trial, tried.orders)
    asked = [] if tried.trial.hidden else [*adviser.counsels(tried.trial.table, desk.language, pieces)]
    further = [*adviser.counsels(tried.marching.table, desk.language, pieces)] if tried.marching else []
    marching = {each.power for each in asked if MOVE.name in each.sections}
    return [*asked, *(each for each in further if MOVE.name in each.sections and each.power not in marching)]


def go_on(desk: Desk) -> Sitting:
    """Carry out the orders of a game against bots, and let the bots play; raises `Refused` if an order is illegal."""
    practice = desk.opened.practice
    assert practice
    practice.go_on(read_orders(desk.draft.document(), LETTER, desk.table.rules))
    return lay_out_further(desk, practice)


def lay_out_further(desk: Desk, practice: Practice) -> Sitting:
    """Lay the game on the desk in its new position, with the same board."""
    board = desk.opened.board()
    sitting = desk.lay_out_practice(practice)
    desk.opened.drawn, board.powers = board, desk.powers
    return sitting
