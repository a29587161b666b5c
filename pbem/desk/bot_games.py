"""Games at the desk: games and lessons against bots, the best bot's advice, and branches from the open report."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from secrets import token_hex

from pbem.desk.advising import Counsel, dealings
from pbem.desk.desk import Desk
from pbem.desk.draft import LETTER
from pbem.desk.lessons import begin_lesson, is_lesson_over, kinds_done, lessons
from pbem.desk.opened import Sitting
from pbem.desk.practice import USUAL, Practice, first_seat, titles
from pbem.engine.nouns import Power
from pbem.paper.orders.files import read_orders
from pbem.paper.orders.moves import MOVE
from pbem.player.chances import written_in
from pbem.player.files import GivenFile
from pbem.player.tables import identity_of
from pbem.playing.branches import MINE, BranchGame, BranchWish, copy_of_branch, new_branch


def practise(desk: Desk, game: str, scenario: str, seat: str, bot: str) -> Sitting:
    """Begin a game against bots of the level `bot`, with the player in `seat`."""
    return desk.lay_out_practice(Practice.new(game, scenario, seat, bot))


def play_now(desk: Desk, game: str, seat: str = "", scenario: str = "") -> Sitting:
    """Begin a game with the player in `seat`, whose troops a bot deals out. An empty `scenario` or `seat` means the
    first scenario or seat."""
    return begin_dealt(desk, Practice.new(game, scenario or next(iter(titles(game))), seat, USUAL))


def play_again(desk: Desk) -> Sitting:
    """Begin another game with the same terms, bots and seat of the player. A bot deals out the player's troops."""
    practice = desk.opened.practice
    assert practice
    return begin_dealt(desk, practice.again())


def begin_dealt(desk: Desk, practice: Practice) -> Sitting:
    """Let a bot deal out the troops of the player's seat, and lay the new game on the desk."""
    practice.deal()
    if practice.seat == first_seat(practice.game.rules):
        practice.game.news.clear()
    return desk.lay_out_practice(practice)


def learn(desk: Desk, game: str, name: str) -> Sitting:
    sitting = desk.lay_out_practice(begin_lesson(game, name))
    desk.lesson = lessons(game)[name]
    return sitting


def lesson_progress(desk: Desk) -> list[bool]:
    """Return for each step of the lesson whether it is done. The last item of the list tells whether the lesson is
    over."""
    practice, trial = desk.opened.practice, desk.judgement().trial
    assert desk.lesson
    assert practice
    done = kinds_done(desk.lesson, practice, trial.table, trial.events)
    return [*(done[step] for step in desk.lesson.steps), is_lesson_over(desk.lesson, practice, done)]


def resume(desk: Desk, data: bytes) -> Sitting:
    """Continue a saved game; raises `Refused` for a faulty file."""
    return desk.lay_out_practice(Practice.from_file(data, "game"))


def deal(desk: Desk, kept: Mapping[Power, Mapping[str, int]] | None = None) -> None:
    """Write orders that deal out the player's troops, if there are troops to deal out. `kept` has the numbers of troops
    that the player has fixed, keyed by power and general."""
    if dealt := dealings(desk.judgement().trial.table, desk.powers, kept):
        desk.draft.put(desk.table, dealt)


def advice(desk: Desk, pieces: Collection[str] = ()) -> list[Counsel]:
    """Return the best bot's answers to the open questions, then its advice on further marches. If `pieces` is given,
    marches are advised for these pieces alone. Return an empty list for a draft that takes no orders."""
    if not desk.drafts.takes_orders:
        return []
    tried, adviser = desk.judgement(), desk.opened.adviser()
    adviser.plan_marches(tried.marching or tried.trial, tried.orders)
    asked = [] if tried.trial.hidden else [*adviser.counsels(tried.trial.table, desk.language, pieces)]
    further = [*adviser.counsels(tried.marching.table, desk.language, pieces)] if tried.marching else []
    marching = {each.power for each in asked if MOVE.name in each.sections}
    return [*asked, *(each for each in further if MOVE.name in each.sections and each.power not in marching)]


def go_on(desk: Desk) -> Sitting:
    """Carry out the orders, and let the bots play; raises `Refused` for an illegal order."""
    practice = desk.opened.practice
    assert practice
    practice.go_on(read_orders(desk.draft.document(), LETTER, desk.table.rules))
    return lay_out_further(desk, practice)


def lay_out_further(desk: Desk, practice: Practice) -> Sitting:
    """Lay the game's new position on the desk, on the same board."""
    board = desk.opened.board()
    sitting = desk.lay_out_practice(practice)
    desk.opened.drawn, board.powers = board, desk.powers
    return sitting


def play_on(desk: Desk, level: str) -> Sitting:
    """Begin a branch from the report and from the drafts that answer it. `level` is the level of the bots on all other
    seats, or `MINE` if the player plays all seats. Raises `Refused` for faulty orders or plans."""
    opened = desk.opened
    assert opened.seen
    found = replace(opened.found, facts=opened.known_facts())
    texts = (desk.drafts.orders_to_try(), desk.drafts.plans_to_try())
    files = [GivenFile(LETTER, text.encode()) for text in texts if text]
    others = [seat for seat in opened.table.rules.seats if seat != opened.seen.seat]
    wish = BranchWish({} if level == MINE else dict.fromkeys(others, level), token_hex(8))
    game = new_branch(found, identity_of(opened.seen), opened.seen.seat, written_in(found, files), wish)
    return desk.lay_out_practice(Practice(game))


def branch_on(desk: Desk) -> tuple[Practice, BranchGame]:
    """Return the game on the desk, once as a practice game and once as a branch. The caller must make sure that it is a
    branch."""
    practice = desk.opened.practice
    assert practice
    assert practice.branch
    return practice, practice.branch


def go_back(desk: Desk) -> Sitting:
    practice, branch = branch_on(desk)
    branch.back()
    if desk.opened.walk:
        desk.opened.walk.forget_after(len(branch.heard))
    return lay_out_further(desk, practice)


def go_forth(desk: Desk) -> Sitting:
    """Repeat the step that was last taken back. Raises `Refused` if this version of the program refuses that step."""
    practice, branch = branch_on(desk)
    branch.forth()
    return lay_out_further(desk, practice)


def copy_branch(desk: Desk) -> Sitting:
    """Make a copy of the branch, independent of the original, and lay the copy on the desk."""
    _, branch = branch_on(desk)
    return desk.lay_out_practice(Practice(copy_of_branch(branch)))
