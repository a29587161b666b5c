"""Bots that have seats or stand in: their letters, and the checks of these letters after the close.

A bot plays by the version of the program that the bot's entry names. In any other version the bot stays silent.
"""

from __future__ import annotations

from datetime import datetime
from random import Random

from pbem import __version__
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entry_checks import Writer, bot_in, owes, stand_in_now
from pbem.campaign.ledger.public_state import BASIS, ORDERS_SLOT, seq_key
from pbem.campaign.letters.letterbox import entry_of, parts_of
from pbem.campaign.play.adjudicating import take_letter
from pbem.campaign.play.bot_keys import LUCK, bot_bytes, bot_key
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.tokens import token_of
from pbem.campaign.players import letters
from pbem.campaign.settings import Newcomer
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.letters import Letter, read_letter, sign_letter
from pbem.seal.keys import PublicKey, key_of


def bot_of(state: SecretState, seat: str) -> str:
    """Return the bot that has a seat. Return an empty text if a person has it."""
    player, bot = state.public.players.get(seat), bot_in(state.public, seat)
    is_its_own = player is None or (bot and player.key == bot_key(state, seat, bot).public.text)
    return bot if is_its_own else ""


def is_bots(state: SecretState, seat: str) -> bool:
    """True if a bot has a seat."""
    return bool(bot_of(state, seat))


def is_ours(bot: str) -> bool:
    """True if a bot plays by this version of the program."""
    return bot.partition("/")[2] == __version__


def writer_for(state: SecretState, seat: str, now: datetime) -> Writer | None:
    """Return the bot that writes for a seat now. Return None if no bot does. While the stage is locked, no bot stands
    in for a player, except the one that wrote the seat's sealed orders."""
    if bot := bot_of(state, seat):
        return Writer(seat, bot)
    public = state.public
    if public.locked:
        pending = public.pending.get(seat)
        sealed = [away.bot for away in public.absences if away.player == seat and away.bot]
        is_its_own = pending is not None and public.by_bots.get(seat) == pending.entry
        return Writer(seat, sealed[-1], True) if sealed and is_its_own else None
    bot = stand_in_now(public, seat, now)
    return Writer(seat, bot, True) if bot else None


def play_bots(campaign: Campaign) -> list[Wrong]:
    """Let every bot that owes a letter write it. Return warnings about silent bots of other versions, and about refused
    letters."""
    found: list[Wrong] = []
    for seat in campaign.settings.seats:
        writer = writer_for(campaign.state, seat, campaign.now)
        if writer is None or not owes(campaign.public, writer):
            continue
        if not is_ours(writer.bot):
            found.append(wrong("W-BOT-VERSION", seat=seat, bot=writer.bot, ours=__version__))
            continue
        receipt = take_letter(campaign, read_letter(letter_due(campaign.state, writer).encode(), f"bot of {seat}"))
        if receipt.verdict.is_refused:
            found += [wrong("W-BOT-REFUSED", seat=seat, code=fault.code) for fault in receipt.verdict.faults[:1]]
    return found


def letter_due(state: SecretState, writer: Writer) -> str:
    public, seat = state.public, writer.seat
    key = bot_key(state, seat, writer.bot)
    if public.phase == "joining":
        offer = letters.Invitation(state.name, seat, public.secret, token_of(state, seat))
        who = Newcomer(public.settings.seats[seat].name, public.settings.seats[seat].language)
        return letters.join_letter(offer, key, 1, who, bot_bytes(state, seat, "entropy"))
    seq, occasion = next_seq(state, writer, "orders"), occasion_of(state, seat)
    part = orders_part(state, writer)
    if public.locked:
        return sign_letter(letters.reveal_letter(occasion, next_seq(state, writer, "reveal"), {ORDERS_SLOT: part}), key)
    is_open = public.settings.conduct.sealing == "moderator"
    box = letters.boxed_part(part, PublicKey.parse(public.moderator) if is_open else None)
    return sign_letter(letters.orders_letter(occasion, seq, {}, {ORDERS_SLOT: box}), key)


def next_seq(state: SecretState, writer: Writer, kind: str) -> int:
    """Return the number of the bot's next letter of this kind."""
    return state.public.seqs.get(seq_key(writer.seat, kind, writer.bot if writer.stands_in else ""), 0) + 1


def occasion_of(state: SecretState, seat: str) -> letters.LetterContext:
    """Return the head of a letter from a seat for the present stage."""
    return letters.LetterContext(state.name, seat, state.stage, state.public.basis[:BASIS])


def orders_part(state: SecretState, writer: Writer) -> letters.SealedPart:
    """Return a bot's orders for the present stage as a sealed part. In a given position a bot always gives the same
    orders."""
    # Loaded here and not at the top, because most campaigns have no bots.
    from pbem.bots.table import bot_named
    from pbem.campaign.players.letters import orders_decided, table_to_look_ahead

    assert state.table is not None
    seat, level = writer.seat, writer.bot.partition("/")[0]
    times = state.public.asked[state.public.since].get(seat, 0)
    chance = Random(bot_bytes(state, seat, LUCK, f"{state.stage}/{times}").hex())  # noqa: S311 - as good as its seed
    policy = bot_named(level, state.rules.terms.game)
    orders = orders_decided(table_to_look_ahead(state.table), seat, policy, chance)
    return letters.sealed_part(
        occasion_of(state, seat), ORDERS_SLOT, orders, bot_bytes(state, seat, "salt", state.public.basis)
    )


def wrong_with_join(state: SecretState, record: r.JoinRecord) -> Wrong | None:
    """Return a fault if a bot joins with a wrong key or wrong random bytes. Return a warning if this version cannot
    check the bot's orders, else None."""
    seat, bot = record.player, bot_of(state, record.player)
    if not bot:
        return None
    if (record.key, record.entropy) != (bot_key(state, seat, bot).public.text, bot_bytes(state, seat, "entropy").hex()):
        return wrong("E-VERIFY-BOT.key", seat=seat)
    return unchecked_warning(seat, bot)


def unchecked_warning(seat: str, bot: str) -> Wrong | None:
    """Return a warning if this version of the program cannot check the orders of a bot; else None."""
    return None if is_ours(bot) else wrong("W-VERIFY-BOT", seat=seat, bot=bot, ours=__version__)


def wrong_with_stand_in(state: SecretState, record: r.AbsenceRecord | r.SubstituteRecord) -> Wrong | None:
    """Return a fault if a bot stands in with a wrong key, or if a person gets the bot's key. Return a warning if this
    version cannot check the bot's orders, else None."""
    seat, bot = record.player, record.bot
    if bot:
        is_its_own = record.key == bot_key(state, seat, bot).public.text
        return unchecked_warning(seat, bot) if is_its_own else wrong("E-VERIFY-BOT.key", seat=seat)
    own = key_of(bot_bytes(state, seat, "key"), "bot").public
    is_same = bool(record.key) and PublicKey.parse(record.key).blob == own.blob
    return wrong("E-VERIFY-BOT.key", seat=seat) if is_same else None


def wrong_with_letter(state: SecretState, record: r.LetterRecord, letter: Letter, now: datetime) -> Wrong | None:
    """Return a fault if a bot's letter has other orders than the bot would give, else None. Also return None for a
    letter that only reveals sealed parts, for a letter not written by a bot, and for a bot that this version cannot
    check."""
    seat = record.player
    writer = None if record.acted else writer_for(state, seat, now)
    if writer is None or writer.stands_in != bool(record.bot) or not is_ours(writer.bot):
        return None
    from pbem.bots.table import is_bot

    if not is_bot(writer.bot.partition("/")[0]):
        return wrong("E-VERIFY-BOT", seat=seat)
    if record.kind == "reveal":
        return None
    parts = {slot: part.get("commitment") for slot, part in parts_of(letter).items() if isinstance(part, dict)}
    is_alone = entry_of(letter.body, "orders") is None
    is_its_own = is_alone and parts == {ORDERS_SLOT: orders_part(state, writer).commitment}
    return None if is_its_own else wrong("E-VERIFY-BOT", seat=seat)


def wrong_with_absence(state: SecretState, record: r.AdjudicationRecord, now: datetime) -> list[Wrong]:
    """Return a warning for each bot that wrote nothing, so that a default has answered for it in an adjudication."""
    writers = [writer_for(state, seat, now) for seat in record.absent]
    return [wrong("W-VERIFY-BOT.silent", seat=each.seat) for each in writers if each]
