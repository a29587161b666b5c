"""Branches at the desk: begun from the report that lies open and its drafts, gone through by steps, and copied."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_hex

from pbem.desk.bot_games import lay_out_further
from pbem.desk.desk import Desk
from pbem.desk.draft import LETTER
from pbem.desk.opened import Sitting
from pbem.desk.practice import Practice
from pbem.player.chances import written_in
from pbem.player.files import GivenFile
from pbem.player.tables import identity_of
from pbem.playing.branches import MINE, BranchGame, BranchWish, copy_of_branch, new_branch


def play_on(desk: Desk, level: str) -> Sitting:
    """Begin a branch from the report and its drafts. The others play by a level of bots, stand still, or are played by
    the player, too. Raises `Refused` if an order or plan has a fault."""
    opened = desk.opened
    assert opened.seen
    found = replace(opened.found, facts=opened.known_facts())
    orders, plans = desk.drafts.orders_and_plans()
    files = [GivenFile(LETTER, each.encode()) for each in (orders, plans) if each]
    others = [seat for seat in opened.table.rules.seats if seat != opened.seen.seat]
    wish = BranchWish({} if level == MINE else dict.fromkeys(others, level), token_hex(8))
    game = new_branch(found, identity_of(opened.seen), opened.seen.seat, written_in(found, files), wish)
    return desk.lay_out_practice(Practice(game))


def branch_on(desk: Desk) -> tuple[Practice, BranchGame]:
    """Return the branch that lies on the desk, as a game at the desk and as a branch."""
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
    """Go forth by a step that was taken back; raises `Refused` if this version of the program would not take it."""
    practice, branch = branch_on(desk)
    branch.forth()
    return lay_out_further(desk, practice)


def copy_branch(desk: Desk) -> Sitting:
    """Lay a copy of the branch on the desk, which goes on by itself."""
    _, branch = branch_on(desk)
    return desk.lay_out_practice(Practice(copy_of_branch(branch)))
