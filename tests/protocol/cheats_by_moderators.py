"""Moderators who cheat with what is no letter: the clock, locks, rulings, and words that nobody has written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import timing
from pbem.campaign.clock.clock import Clock, parse_moment, stamp
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.ledger.records import (
    AbsenceRecord,
    ClockRecord,
    CloseRecord,
    KeyChangeRecord,
    LetterRecord,
    LockRecord,
)
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import boxed_part, orders_letter, sealed_part
from pbem.campaign.proof.opened_letters import opened_file
from pbem.campaign.settings import Settings
from pbem.faults.wrong import Wrong
from pbem.paper.letters import sign_letter
from pbem.resources import resource
from tests.campaign.simulated import SimulatedTable
from tests.protocol.archives import AUSTRIA, FRANCE, PRUSSIA, sealed_plan
from tests.protocol.cheats import begun, enter, finished, first_owing, played, tampered


def locked_early(root: Path) -> None:
    """Players who have not sealed yet are shut out, and those who have get no time to reveal; nothing is called
    forced."""
    table = begun(root, sealing="reveal")
    table.play(0)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        table.deliver(campaign, table.write(campaign, player))
        campaign.add(LockRecord(campaign.state.stage, (campaign.public.pending[player].entry,), stamp(campaign.now)))
        campaign.now += timedelta(days=2)
        adjudicating.adjudicate(campaign)
        table.now = campaign.now


def plan_spared(root: Path) -> None:
    """All have to show what they have sealed, but for a friend of the moderator's, who keeps a plan hidden."""
    table = played(root, sealing="reveal")
    with table.open() as campaign:
        player = first_owing(campaign)
    friend = next(each for each in table.players if each != player)
    sealed_plan(table, friend, {"for": "battle", "tactic": "hold", "standing": "yes"})
    with table.open() as campaign:
        table.deliver(campaign, table.write(campaign, player))
        record = adjudicating.lock_record(campaign, False)
        campaign.add(replace(record, letters=(campaign.public.pending[player].entry,)))
        hidden = campaign.state.public.unshown.pop(friend)
        table.deliver(campaign, table.players[player].reveal(campaign.state))
        adjudicating.adjudicate(campaign)
        campaign.state.public.unshown[friend] = hidden
        campaign.save()
    finished(table, 0)


def like_an_old_one(campaign: Campaign) -> None:
    """Go on with a program that knows nothing of what binds behind a lock, though the campaign promises it."""
    campaign.state.public.protocol = 1


def revealed(root: Path, ahead: timedelta = timedelta()) -> SimulatedTable:
    """Everybody is asked for the set-up, and has shown what they had sealed behind a lock, maybe by a clock ahead."""
    table = begun(root, sealing="reveal")
    table.play(0)
    with table.open() as campaign:
        campaign.now += ahead
        for player in table.players:
            table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign)
        for bot_player in table.players.values():
            table.deliver(campaign, bot_player.reveal(campaign.state))
        campaign.save()
    return table


def chosen_again(root: Path) -> None:
    """The moderator goes back before the lock after all have revealed their orders, and a friend writes better ones."""
    table = revealed(root)
    with tampered(table) as campaign:
        like_an_old_one(campaign)
        rulings.rollback(campaign, campaign.public.since, "a letter had been overlooked")


def chosen_again_by_a_clock(root: Path) -> None:
    """The clock runs ahead while all show their orders, and repairing it brings the game back before the lock."""
    table = revealed(root, ahead=timedelta(seconds=90))
    with tampered(table) as campaign:
        campaign.now -= timedelta(seconds=90)
        campaign.clock_is_right = True
        like_an_old_one(campaign)
        rulings.repair_clock(campaign, "the battery was empty")


def freed_by_a_substitute(root: Path) -> None:
    """A player is replaced by himself after all have revealed their orders, and his bad orders are gone."""
    table = revealed(root)
    with tampered(table) as campaign:
        like_an_old_one(campaign)
        rulings.substitute(campaign, FRANCE, table.players[FRANCE].key.public.text, "another mind")
        campaign.now += timedelta(days=9)
        adjudicating.adjudicate(campaign)
        table.now = campaign.now


def sent_back(root: Path) -> None:
    """Behind a lock impossible orders go back to a friend, who now knows what the others have chosen."""
    table = begun(root, sealing="reveal")
    table.play(0)
    with table.open() as campaign:
        bot_player = table.players[FRANCE]
        orders: Any = bot_player.decide(campaign.state)
        allot = orders["bavaria"]["allot"]
        first = next(iter(allot))
        allot[first] = str(int(allot[first]) + 1)
        bot_player.committed = sealed_part(bot_player.occasion(campaign.state), "orders", orders)
        sealed = {"orders": boxed_part(bot_player.committed, None)}
        text = orders_letter(bot_player.occasion(campaign.state), bot_player.next_seq(), {}, sealed)
        table.deliver(campaign, sign_letter(text, bot_player.key))
        for player in (AUSTRIA, PRUSSIA):
            table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign)
        for player in table.players:
            table.deliver(campaign, table.players[player].reveal(campaign.state))
        like_an_old_one(campaign)
        done = adjudicating.adjudicate(campaign)
        assert isinstance(done, adjudicating.Adjudication)
        assert done.record.returned == (FRANCE,)
        campaign.save()
    finished(table, 0)


def deadline_at_once(root: Path) -> None:
    """The players of a stage get no time at all, and defaults answer for them."""
    table = SimulatedTable(root, clock=Clock(delay="0m", at_deadline="hold"), scenario="introductory")
    table.join()
    with tampered(table) as campaign:
        record, _ = campaign.state.adjudication(campaign.public.entry + 1, {}, {})
        campaign.add(replace(record, next=replace(record.next, deadline=stamp(campaign.now))))
        campaign.now += timedelta(days=2)
        adjudicating.adjudicate(campaign)
        table.now = campaign.now


def absent_before_the_game(root: Path) -> None:
    """Somebody is called absent from a game that had asked nobody yet."""
    table = begun(root)
    with tampered(table) as campaign:
        record, _ = campaign.state.adjudication(campaign.public.entry + 1, {FRANCE: "no orders by the deadline"}, {})
        until = timing.deadline_for(campaign, record.next.owing)
        campaign.add(replace(record, next=replace(record.next, deadline=until)))


def away(root: Path, first: int, last: int | str) -> None:
    """A friend of the moderator's is away on days, counted from today, that nobody could have announced."""
    table = played(root)
    today = table.now.date()
    days = [day if isinstance(day, str) else (today + timedelta(days=day)).isoformat() for day in (first, last)]
    enter(table, AbsenceRecord(FRANCE, *days))
    finished(table)


def away_for_ever(root: Path) -> None:
    """No deadline falls any more before the year 8900."""
    away(root, 1, "8900-01-01")


def away_next_year(root: Path) -> None:
    """A single day, but farther ahead than anybody may be away."""
    away(root, 367, 367)


def away_for_too_long(root: Path) -> None:
    """More days than were agreed."""
    away(root, 1, 22)


def away_yesterday(root: Path) -> None:
    """An absence for what was missed already."""
    away(root, -1, 3)


def unagreed(key: str, source: str, name: str = "own.yaml", position: str = "", **terms: str) -> Callable[[Path], None]:
    """A cheat with a file that the terms name and nobody has agreed on, so that it can be altered in mid-game."""

    def cheat(root: Path) -> None:
        terms_then: dict[str, str | dict[str, str]] = {"scenario": "introductory", **terms}
        table = SimulatedTable(root.with_name("before"), **terms_then)
        table.settings, table.root = replace(table.settings, terms={**table.terms, key: name}), root
        files = {"position.yaml": position.encode()} if position else {}
        table.settings = replace(table.settings, position="".join(files))

        def write(folder: Folder, settings: Settings) -> None:
            (folder.rules / name).write_bytes((resource("rules") / source).read_bytes())

        with (
            patch("pbem.campaign.founding.check_start", write),
            patch("pbem.campaign.campaign.unagreed_files", nothing),
        ):
            begin(root, NewCampaign(table.settings, files, {}, "test"), b"\x07" * 32, table.moderator, table.now)
            table.join()
            finished(table)

    cheat.__name__ = f"unagreed_{key}_{name}_{position[:5]}"
    return cheat


def nothing(*_: object) -> tuple[Wrong, ...]:
    """No findings: a program that does not look."""
    return ()


BOARD = "maria/boards/theatrum-belli.yaml"


def outrun(root: Path) -> None:
    """An invented message has so high a number that its player can send no more."""
    table = played(root)
    enter(table, LetterRecord(FRANCE, "message", "0" * 64, "", 5, slots={"orders": "0" * 64}))
    finished(table)


def renumbered(root: Path) -> None:
    """A ruling on a key brings a number with it."""
    table = played(root)
    player = table.players[FRANCE]
    enter(table, KeyChangeRecord(FRANCE, player.key.public.text, seq=player.seq + 5))
    finished(table)


def silenced(root: Path) -> None:
    """A ruling on a key claims a letter that nobody has written, so that older letters count no more."""
    table = played(root)
    player = table.players[FRANCE]
    enter(table, KeyChangeRecord(FRANCE, player.key.public.text, seq=player.seq + 5, mark="0" * 64))
    player.seq += 5
    table.play(2)
    # The moderator's own program opens only the letters that there are.
    with patch("pbem.campaign.proof.opened_letters.is_opened", lambda record: isinstance(record, LetterRecord)):
        table.close("that is enough")


def ended_without_a_word(root: Path) -> None:
    """A game that goes on is closed without a reason."""
    table = played(root)
    with table.open() as campaign:
        data = msgspec.json.encode(opened_file(campaign.ledger, campaign.held_letter))
        campaign.folder.opened.write_bytes(data)
        campaign.add(CloseRecord(campaign.state.secret, hashlib.sha256(data).hexdigest()))
        campaign.save()


def clock_repaired(root: Path, **changes: object) -> None:
    """An adjudication by a clock ten days ahead, after which the time goes back, and the entry lies."""
    table = played(root)
    with tampered(table) as campaign:
        before = campaign.public.entry
        campaign.now += timedelta(days=10)
        adjudicating.adjudicate(campaign, force=True)
        campaign.now -= timedelta(days=9)
        kept = campaign.snapshot_at(before)
        following = campaign.state_from(kept).next_awaited()
        until = timing.deadline_again(campaign, following.owing, kept.public.deadline)
        stays = replace(campaign.state.next_awaited(), deadline=until)
        said = {"to": before, "why": "the battery was empty", "next": replace(following, deadline=until)}
        if changes.pop("stays", False):
            said |= {"to": campaign.public.entry, "next": stays}
        if later := changes.pop("later", None):
            assert isinstance(later, timedelta)
            said["next"] = replace(following, deadline=stamp(parse_moment(until) + later))
        if changes.pop("honest", False):
            campaign.now += timedelta(days=9)
        campaign.add(ClockRecord(**said))  # type: ignore[arg-type]
        table.now = campaign.now


def kept_what_a_wrong_clock_did(root: Path) -> None:
    """The time goes back, but not what was done by it: who was passed over stays passed over."""
    clock_repaired(root, stays=True)


def more_time_by_a_clock(root: Path) -> None:
    """A repaired clock brings two days that nobody says were given."""
    clock_repaired(root, later=timedelta(days=2))


def less_time_by_a_clock(root: Path) -> None:
    """A repaired clock takes two days."""
    clock_repaired(root, later=timedelta(days=-2))


def repaired_what_was_right(root: Path) -> None:
    """A rollback is called the repair of a clock that never went wrong."""
    clock_repaired(root, honest=True)


CHEATS = (
    kept_what_a_wrong_clock_did,
    more_time_by_a_clock,
    less_time_by_a_clock,
    repaired_what_was_right,
    locked_early,
    plan_spared,
    chosen_again,
    chosen_again_by_a_clock,
    freed_by_a_substitute,
    sent_back,
    deadline_at_once,
    unagreed("board", BOARD),
    unagreed("board", BOARD, name="own"),
    unagreed("board", BOARD, position="game: maria\nscenario: introductory\nboard: own.yaml\nturn: 2\n"),
    unagreed("politics", "maria/politics.yaml", scenario="advanced"),
    unagreed("fate file", "friedrich/fate.yaml", game="friedrich", scenario="four"),
    away_for_ever,
    away_next_year,
    away_for_too_long,
    away_yesterday,
    absent_before_the_game,
    outrun,
    renumbered,
    silenced,
    ended_without_a_word,
)
