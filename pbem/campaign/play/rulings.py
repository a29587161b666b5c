"""Rulings of a moderator on time, absences, seats, keys and rollbacks. Also the restoring of a campaign to the state
after an earlier entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice

import msgspec
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import (
    Absence,
    Reminder,
    absences_to_wait_for,
    check_absence,
    deadline_with_absence,
    extended_deadline,
    reason_of_absence,
)
from pbem.campaign.clock.timing import (
    absences_of,
    deadline_again,
    due_reminders,
    last_right,
    promised_deadline,
    repair_target,
    turns_back,
)
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import Entry, record_in
from pbem.campaign.ledger.entry_checks import bot_agreed, bot_in
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.public_state import players_held_by_lock
from pbem.campaign.ledger.replaying import first_of, public_state_until, replay
from pbem.campaign.ledger.seats import entered_key
from pbem.campaign.letters.joining import names_not_free, wrong_with_name
from pbem.campaign.play.bot_keys import bot_key
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.players.campaign_notes import seat_called
from pbem.campaign.settings import MODERATOR, NOBODY, Newcomer
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.seal.keys import PublicKey


def remind(campaign: Campaign) -> list[Reminder]:
    """Enter the reminders that are due, and return them. The caller must write their mails first, because a reminder
    that is entered is not due again."""
    due = due_reminders(campaign)
    for occasion in dict.fromkeys(reminder.occasion for reminder in due):
        players = tuple(reminder.player for reminder in due if reminder.occasion == occasion)
        campaign.add(r.ReminderRecord(players, occasion))
    return due


def extend(campaign: Campaign, until: datetime, why: str) -> int:
    """Give more time for the present stage, and return the number of the entry. A deadline is never made earlier."""
    if done := campaign.entry_done("extension"):
        return done
    need_running(campaign)
    later = extended_deadline(parse_moment(campaign.public.deadline), until, campaign.now)
    return campaign.add(r.ExtensionRecord(stamp(later), why)).number


def enter_absence(campaign: Campaign, wish: Absence) -> int:
    """Enter an absence, and move the deadline if the player owes something now. Return the entry's number. An absence
    that is known already is not entered again."""
    need_open(campaign)
    known_player(campaign, wish.player)
    key = stand_in_key(campaign, wish.player, wish.bot) if wish.bot else ""
    record = r.AbsenceRecord(wish.player, wish.first.isoformat(), wish.last.isoformat(), wish.reason, wish.bot, key)
    # Two entries are made. If a command was killed between them, the absence is noted, but the deadline was not moved.
    if wish in absences_of(campaign):
        entries = (entry for entry in campaign.ledger.entries() if entry.kind == "absence")
        number = next(entry.number for entry in entries if record_in(entry) == record)
    else:
        check_absence(wish, absences_of(campaign), campaign.now, campaign.settings.clock)
        number = campaign.add(record).number
    public = campaign.public
    if public.phase == "running" and public.next and wish.player in public.next.owing:
        away = absences_to_wait_for(absences_of(campaign), public.next.owing)
        later = deadline_with_absence(parse_moment(public.deadline), campaign.now, campaign.settings.clock, away)
        if stamp(later) != public.deadline:
            campaign.add(r.ExtensionRecord(stamp(later), reason_of_absence(wish.player)))
    return number


def rule(campaign: Campaign, words: str, cited: str = "") -> int:
    """Enter a ruling in words, and return the number of the entry. Raises `Refused` for a closed campaign."""
    if done := campaign.entry_done("ruling"):
        return done
    need_open(campaign)
    return campaign.add(r.RulingRecord(words, cited)).number


def stand_in_key(campaign: Campaign, player: str, bot: str) -> str:
    """Return the public key of the bot that would take a player's place. Raises `Refused` if the campaign has not
    agreed on this bot, if the game does not run, or if a bot has the seat."""
    agreed = bot_agreed(campaign.settings)
    if not bot or bot != agreed:
        code = "E-BOT-AGREED" if agreed else "E-BOT-AGREED.none"
        raise Refused(player, [wrong(code, bot=as_quoted(bot), agreed=agreed)])
    need_running(campaign)
    if bot_in(campaign.public, player):
        raise Refused(player, [wrong("E-BOT-AGREED.bot", seat=player)])
    return bot_key(campaign.state, player, bot).public.text


def substitute_bot(campaign: Campaign, player: str, bot: str, why: str) -> int:
    """Give a seat to a bot, and return the number of the entry. Raises `Refused` as `stand_in_key` does."""
    need_open(campaign)
    known_player(campaign, player)
    key, level = stand_in_key(campaign, player, bot), bot.partition("/")[0]
    return campaign.add(r.SubstituteRecord(player, key, why, f"Bot {level}", bot=bot)).number


def substitute(campaign: Campaign, player: str, key: str, why: str, who: Newcomer = NOBODY) -> int:
    """Give the seat `player` to another person `who`, and return the number of the entry. If this person has the seat
    already, nothing is entered. `key` is the person's public key, `why` the reason for everybody to read. Raises
    `Refused` for a bad name or a missing key, and `KeyFault` for a faulty key."""
    need_open(campaign)
    known_player(campaign, player)
    if since := held_since(campaign, player, key, who):
        campaign.warnings.append(("", wrong("W-DONE-BEFORE.seat", seat=player, entry=since)))
        return since
    if key:
        PublicKey.parse(key)
    elif campaign.settings.seats[player].reports == "sealed":
        raise Refused(player, [wrong("E-KEY-MISSING.reports", seat=player)])
    others = names_not_free(campaign.settings, player, campaign.public.players)
    if fault := wrong_with_name(who.name, others):
        raise Refused(player, [fault])
    told = () if campaign.settings.is_masked else (who.name, who.language)
    record = r.SubstituteRecord(player, entered_key(campaign.settings, key), why, *told)
    return campaign.add(record, who=who).number


def held_since(campaign: Campaign, player: str, key: str, who: Newcomer) -> int:
    """Return the entry that gave a seat to the person with this key, name and language. Return 0 if this person does
    not have the seat. If `who` has no language, any language fits."""
    if player in campaign.public.resigned:
        return 0
    held, person = campaign.public.players[player], campaign.person(player)
    is_same_key = PublicKey.parse(key).blob == PublicKey.parse(held.key).blob if key and held.key else key == held.key
    is_same = is_same_key and who.name == person.name and who.language in ("", person.language)
    return held.since if is_same and (key or who.name) and not held.bot else 0


def rekey(campaign: Campaign, player: str, key: str, why: str) -> int:
    """Enter that a player signs with another key, and return the number of the entry. Raises `Refused` for a bot's
    seat, and `KeyFault` for a key that cannot be read."""
    if done := campaign.entry_done("key-change"):
        return done
    need_open(campaign)
    known_player(campaign, player)
    if bot_in(campaign.public, player):
        raise Refused(player, [wrong("E-BOT-AGREED.bot", seat=player)])
    PublicKey.parse(key)
    return campaign.add(r.KeyChangeRecord(player, entered_key(campaign.settings, key), why=why)).number


def rollback(campaign: Campaign, target: int, why: str) -> int:
    """Go back to the position after the entry `target`, and return the number of the new entry. Raises `Refused` for a
    closed campaign, a missing position, or a forbidden return (`check_shown`)."""
    if done := campaign.entry_done("rollback"):
        return done
    need_open(campaign)
    then = campaign.snapshot_at(target)
    check_shown(campaign, then.public.entry, target)
    state = campaign.state_from(then)
    record = r.RollbackRecord(target, why, state.next_awaited())
    until = deadline_again(campaign, record.next.owing)
    return campaign.add(replace(record, next=replace(record.next, deadline=until))).number


def check_shown(campaign: Campaign, position: int, target: int) -> None:
    """Raise `Refused` if players have revealed letters since `position`, unless all seats consent to go back. Older
    campaigns allow any return."""
    if campaign.public.may_turn_back(position, target):
        return
    raise Refused("rollback", [wrong("E-ROLLBACK-SHOWN", entry=target)])


def repair_clock(campaign: Campaign, why: str) -> int:
    """Enter the correction of a wrong clock, and return the number of the entry. The game goes back to `repair_target`.
    Raises `Refused` if the clock was right, or if the moderator does not vouch for the clock now."""
    if done := campaign.entry_done("clock"):
        return done
    need_open(campaign)
    entries = list(campaign.ledger.entries())
    times = [stamp(entry.time) for entry in entries]
    if stamp(campaign.now) >= times[-1]:
        raise Refused("repair-clock", [wrong("E-CLOCK-SOUND", then=times[-1])])
    positions = [entry.number for entry in entries if r.is_position(record_in(entry))]
    to = repair_target(campaign.public, positions, times, stamp(campaign.now))
    if not campaign.clock_is_right:
        doubt = wrong("E-CLOCK-REPAIR", now=stamp(campaign.now), then=times[-1], entry=to)
        raise Refused("repair-clock", [doubt])
    return campaign.add(repair_record(campaign, entries, positions, r.ClockRecord(to, why))).number


def repair_record(
    campaign: Campaign, entries: Sequence[Entry], positions: Sequence[int], record: r.ClockRecord
) -> r.ClockRecord:
    """Complete the record that corrects a clock, and return it. If the game goes back, add the stage, players and
    deadline of the position. If revealed letters forbid the return, add only a deadline."""
    to, now = record.to, stamp(campaign.now)
    if not positions:
        return record
    if not turns_back(campaign.public, positions, to):
        right = last_right([stamp(entry.time) for entry in entries], now)
        before = public_state_until(entries[:right]).deadline if right else ""
        return replace(record, deadline=deadline_again(campaign, players_held_by_lock(campaign.public), before))
    kept = campaign.snapshot_at(to)
    following = campaign.state_from(kept).next_awaited()
    until = deadline_again(campaign, following.owing, promised_deadline(kept.public, now))
    return replace(record, next=replace(following, deadline=until))


def known_player(campaign: Campaign, called: str) -> str:
    """Return the seat with this name, or with a player of this name; a unique beginning is enough. Raises `Refused` for
    any other name."""
    players = {seat: campaign.person(seat).name for seat in campaign.public.players}
    return seat_called(called, players, (*campaign.rules.powers, MODERATOR, "all"))


def need_open(campaign: Campaign) -> None:
    """Raise `Refused` for a closed campaign, to which nothing may be added."""
    if campaign.public.phase == "closed":
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE")])


def need_running(campaign: Campaign) -> None:
    """Raise `Refused` unless the game runs."""
    if campaign.public.phase != "running":
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE.idle")])


class LedgerUntil(Ledger):
    """A ledger that ends with the entry `last`."""

    last = 0

    def _file_names(self) -> dict[int, str]:
        return {number: name for number, name in super()._file_names().items() if number <= self.last}


def states_after(campaign: Campaign, numbers: set[int]) -> dict[int, Snapshot]:
    """Return the secret state after entry 1 and after each entry of `numbers`. The game is played again to find
    them."""
    entries = islice(campaign.ledger.entries(), max(numbers))
    entry, record = first_of(campaign.folder)
    public = public_state_at_start(record)
    add_entry(public, entry.number, stamp(entry.time), record)
    found = {1: Snapshot(public, campaign.vault.kept.secret)}
    for played in replay(entries, campaign.state_from, campaign.state.secret):
        if played.entry.number in numbers:
            found[played.entry.number] = msgspec.json.decode(
                msgspec.json.encode(played.state.snapshot()), type=Snapshot
            )
    for state in found.values():
        # Reports list the settings in the order of the campaign's plan. The ledger has them in another order.
        state.public.settings = campaign.settings
    return found


@contextmanager
def campaign_at(campaign: Campaign, entry: int, posted: int, now: datetime) -> Iterator[Campaign]:
    """Yield `campaign` in the state after the entry `entry`, at the time `now`. In this state, reports count as written
    for everything up to the entry `posted`. At the end of the `with` block the object is restored; nothing is
    stored."""
    then = states_after(campaign, {entry, posted})
    before = campaign.ledger, campaign.state, campaign.vault, campaign.now
    ledger = LedgerUntil(campaign.folder.ledger, campaign.ledger.campaign)
    ledger.last = entry
    campaign.ledger, campaign.now = ledger, now
    head = ledger.read(entry).hash
    campaign.vault = replace(campaign.vault, entry=entry, hash=head, kept=then[entry], posted=then[posted], told={})
    campaign.state = campaign.state_from(then[entry])
    try:
        yield campaign
    finally:
        campaign.ledger, campaign.state, campaign.vault, campaign.now = before
