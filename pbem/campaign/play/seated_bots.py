"""Bots that have seats or stand in: their keys, their letters, and what anybody can check of them after the close.

All of it follows from the moderator's secret, to which the first entry is a commitment (ADR 30, 34). A bot plays by one
version of the program, which that entry names; with another it stays silent.
"""

from __future__ import annotations

from datetime import datetime
from random import Random

from msgspec import Struct

from pbem import __version__
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import local_day
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import BASIS, seq_key, stands_in
from pbem.campaign.letters.letterbox import entry_of, parts_of
from pbem.campaign.play.adjudicating import take_letter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.players.letters import (
    ORDERS_SLOT,
    Invitation,
    LetterContext,
    SealedPart,
    boxed,
    join_letter,
    orders_letter,
    reveal_letter,
    sealed_part,
)
from pbem.campaign.settings import Newcomer, Settings
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.letters import Letter, read_letter, sign_letter
from pbem.seal.fields import digest
from pbem.seal.keys import PrivateKey, PublicKey, key_of

DOMAIN = "pbem/bot/1"


def drawn_from(state: SecretState, seat: str, what: str, which: str = "") -> bytes:
    """32 bytes for one purpose of a bot.

    Nothing goes into its luck that a moderator could change by trying: no time, and no hash that depends on one.
    """
    return digest(DOMAIN, bytes.fromhex(state.secret), state.name, seat, what, which)


def bot_key(state: SecretState, seat: str, bot: str) -> PrivateKey:
    """The key of the bot of a seat: the moderator's, and its comment says whose it is."""
    level, _, version = bot.partition("/")
    return key_of(drawn_from(state, seat, "key"), f"bot {level} of pbem {version}")


def bot_of(state: SecretState, seat: str) -> str:
    """The bot that has a seat, from the start or put there later; nothing if a person has taken its place."""
    settings, player = state.public.settings, state.public.players.get(seat)
    bot = (player.bot if player else "") or (settings.seats[seat].bot if seat in settings.seats else "")
    is_its_own = player is None or (bot and player.key == bot_key(state, seat, bot).public.text)
    return bot if is_its_own else ""


def is_bots(state: SecretState, seat: str) -> bool:
    """Whether a bot has a seat, and nobody has taken its place."""
    return bool(bot_of(state, seat))


def is_ours(bot: str) -> bool:
    """Whether this version of the program is the one by which a bot plays."""
    return bot.partition("/")[2] == __version__


class Writer(Struct, frozen=True):
    """A bot that may write for a seat."""

    seat: str
    bot: str
    stands_in: bool = False
    """Whether it only stands in for somebody who is away."""


def writer_for(state: SecretState, seat: str, now: datetime) -> Writer | None:
    """The bot that has a seat, or that stands in for its player on this day."""
    if bot := bot_of(state, seat):
        return Writer(seat, bot)
    public = state.public
    if public.locked:
        pending = public.pending.get(seat)
        sealed = [away.bot for away in public.absences if away.player == seat and away.bot]
        return Writer(seat, sealed[-1], True) if pending and public.by_bots.get(seat) == pending.entry else None
    today = local_day(now, public.settings.clock).isoformat()
    bots = [away.bot for away in stands_in(public, seat) if away.first <= today <= away.last]
    return Writer(seat, bots[0], True) if bots else None


def play_bots(campaign: Campaign) -> list[Wrong]:
    """Let every bot that has something to answer write; gives what kept one from it."""
    found: list[Wrong] = []
    for seat in campaign.settings.seats:
        writer = writer_for(campaign.state, seat, campaign.now)
        if writer is None or not owes(campaign.state, writer):
            continue
        if not is_ours(writer.bot):
            found.append(wrong("W-BOT-VERSION", seat=seat, bot=writer.bot, ours=__version__))
            continue
        receipt = take_letter(campaign, read_letter(letter_due(campaign.state, writer).encode(), f"bot of {seat}"))
        if receipt.verdict.is_refused:
            found += [wrong("W-BOT-REFUSED", seat=seat, code=fault.code) for fault in receipt.verdict.faults[:1]]
    return found


def owes(state: SecretState, writer: Writer) -> bool:
    """Whether a letter of a bot is awaited; not where those answer that its player has left behind."""
    public, seat = state.public, writer.seat
    if public.phase == "joining":
        return seat not in public.players
    if public.phase != "running" or public.next is None:
        return False
    pending = public.pending.get(seat)
    if public.locked:
        is_own = pending is not None and (writer.stands_in or pending.entry > public.players[seat].since)
        return pending is not None and is_own and not set(pending.slots) <= set(pending.revealed)
    is_answered = writer.stands_in and seat in public.next.answered
    return seat in public.next.owing and pending is None and not is_answered


def letter_due(state: SecretState, writer: Writer) -> str:
    """The letter that a bot owes."""
    public, seat = state.public, writer.seat
    key = bot_key(state, seat, writer.bot)
    if public.phase == "joining":
        offer = Invitation(state.name, seat, public.secret, state.token(seat))
        who = Newcomer(public.settings.seats[seat].name, public.settings.seats[seat].language)
        return join_letter(offer, key, 1, who, drawn_from(state, seat, "entropy"))
    seq, occasion = next_seq(state, writer, "orders"), occasion_of(state, seat)
    part = orders_part(state, writer, seq - 1 if public.locked else seq)
    if public.locked:
        return sign_letter(reveal_letter(occasion, next_seq(state, writer, "reveal"), {ORDERS_SLOT: part}), key)
    is_open = public.settings.conduct.sealing == "moderator"
    box = boxed(part, PublicKey.parse(public.moderator) if is_open else None)
    return sign_letter(orders_letter(occasion, seq, {}, {ORDERS_SLOT: box}), key)


def next_seq(state: SecretState, writer: Writer, kind: str) -> int:
    """The number of the next letter of a kind."""
    return state.public.seqs.get(seq_key(writer.seat, kind, writer.bot if writer.stands_in else ""), 0) + 1


def occasion_of(state: SecretState, seat: str) -> LetterContext:
    """What a letter now is for."""
    return LetterContext(state.name, seat, state.stage, state.public.basis[:BASIS])


def orders_part(state: SecretState, writer: Writer, seq: int) -> SealedPart:
    """What a bot orders in the letter of this number, sealed.

    Its luck hangs on how many letters it has written itself, which whoever had the seat before has no say in.
    """
    from pbem.bots.table import bot_named  # loaded where it is used: most campaigns have no bots
    from pbem.campaign.players.deciding import decided, unshuffled

    assert state.table is not None
    seat, level = writer.seat, writer.bot.partition("/")[0]
    number = seq if writer.stands_in else seq - state.public.players[seat].before
    chance = Random(drawn_from(state, seat, "chance", f"{number}").hex())  # noqa: S311 - as good as its seed
    policy = bot_named(level, state.rules.terms.game)
    orders = decided(unshuffled(state.table), seat, policy, chance)
    return sealed_part(
        occasion_of(state, seat), ORDERS_SLOT, orders, drawn_from(state, seat, "salt", state.public.basis)
    )


def bot_agreed(settings: Settings) -> str:
    """The bot that may stand in and fill empty seats, as all have agreed; nothing if none may."""
    return settings.conduct.stand_in or ""


def wrong_with_join(state: SecretState, record: r.JoinRecord) -> Wrong | None:
    """What is wrong, or cannot be known, of who has taken a bot's seat."""
    seat, bot = record.player, bot_of(state, record.player)
    if not bot:
        return None
    if (record.key, record.entropy) != (
        bot_key(state, seat, bot).public.text,
        drawn_from(state, seat, "entropy").hex(),
    ):
        return wrong("E-VERIFY-BOT.key", seat=seat)
    return unchecked(seat, bot)


def unchecked(seat: str, bot: str) -> Wrong | None:
    """That nobody can tell by this version of the program whether a bot did what it does."""
    return None if is_ours(bot) else wrong("W-VERIFY-BOT", seat=seat, bot=bot, ours=__version__)


def wrong_with_stand_in(state: SecretState, record: r.AbsenceRecord | r.SubstituteRecord) -> Wrong | None:
    """A bot stands in, or gets a seat, only if all have agreed to it, and with its own key."""
    if not record.bot:
        return None
    if record.bot != bot_agreed(state.public.settings):
        return wrong("E-VERIFY-BOT.agreed", seat=record.player)
    if record.key != bot_key(state, record.player, record.bot).public.text:
        return wrong("E-VERIFY-BOT.key", seat=record.player)
    return unchecked(record.player, record.bot)


def wrong_with_key(state: SecretState, record: r.KeyChangeRecord) -> Wrong | None:
    """A bot asks for no new key: with one, nobody would look any more at what it does."""
    return wrong("E-VERIFY-BOT.key", seat=record.player) if is_bots(state, record.player) else None


def wrong_with_letter(state: SecretState, record: r.LetterRecord, letter: Letter, now: datetime) -> Wrong | None:
    """What is wrong with a letter of a bot: it had to commit to just what its version and its seed make it order."""
    seat = record.player
    writer = None if record.acted else writer_for(state, seat, now)
    is_stand_in = writer is not None and writer.stands_in and writer.bot == record.bot and owes(state, writer)
    if record.bot and not is_stand_in:
        return wrong("E-VERIFY-BOT", seat=seat)
    if writer is None or writer.stands_in != bool(record.bot) or not is_ours(writer.bot):
        return None
    from pbem.bots.table import is_bot

    if not is_bot(writer.bot.partition("/")[0]):
        return wrong("E-VERIFY-BOT", seat=seat)
    is_next = letter.seq == next_seq(state, writer, record.kind)
    if is_next and record.kind == "reveal":
        return None
    orders = orders_part(state, writer, next_seq(state, writer, "orders"))
    parts = {slot: part.get("commitment") for slot, part in parts_of(letter).items() if isinstance(part, dict)}
    is_alone = is_next and record.kind == "orders" and entry_of(letter.body, "orders") is None
    return None if is_alone and parts == {ORDERS_SLOT: orders.commitment} else wrong("E-VERIFY-BOT", seat=seat)


def wrong_with_absence(state: SecretState, record: r.AdjudicationRecord, now: datetime) -> list[Wrong]:
    """Bots for which defaults have answered."""
    writers = [writer_for(state, seat, now) for seat in record.absent]
    return [wrong("W-VERIFY-BOT.silent", seat=each.seat) for each in writers if each and is_ours(each.bot)]
