"""Seats that bots play: their keys, their letters, and what anybody can check of them once a campaign is closed.

All of it follows from the moderator's secret, to which the first entry is a commitment (ADR 30). A bot plays by one
version of the program, which that entry names; with another it stays silent.
"""

from __future__ import annotations

from random import Random

from pbem import __version__
from pbem.bots.table import bot_named
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import BASIS, seq_key
from pbem.campaign.letters.letterbox import entry_of, parts_of
from pbem.campaign.play.adjudicating import take_letter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.players.deciding import decided, unshuffled
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
from pbem.campaign.settings import Newcomer
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


def bot_key(state: SecretState, seat: str) -> PrivateKey:
    """The key of the bot that plays a seat: the moderator's, and its comment says whose it is."""
    level, _, version = state.public.settings.seats[seat].bot.partition("/")
    return key_of(drawn_from(state, seat, "key"), f"bot {level} of pbem {version}")


def is_bots(state: SecretState, seat: str) -> bool:
    """Whether a bot plays a seat, and nobody has taken its place."""
    settings, players = state.public.settings, state.public.players
    if seat not in settings.seats or not settings.seats[seat].bot:
        return False
    return seat not in players or players[seat].key == bot_key(state, seat).public.text


def is_ours(state: SecretState, seat: str) -> bool:
    """Whether this version of the program is the one by which a bot plays."""
    return state.public.settings.seats[seat].bot.partition("/")[2] == __version__


def play_bots(campaign: Campaign) -> list[Wrong]:
    """Let every bot that has something to answer write; gives what kept one from it."""
    found: list[Wrong] = []
    for seat in campaign.settings.seats:
        if not is_bots(campaign.state, seat) or not owes(campaign.state, seat):
            continue
        if not is_ours(campaign.state, seat):
            found.append(wrong("W-BOT-VERSION", seat=seat, bot=campaign.settings.seats[seat].bot, ours=__version__))
            continue
        receipt = take_letter(campaign, read_letter(letter_due(campaign.state, seat).encode(), f"bot of {seat}"))
        if receipt.verdict.is_refused:
            found += [wrong("W-BOT-REFUSED", seat=seat, code=fault.code) for fault in receipt.verdict.faults[:1]]
    return found


def owes(state: SecretState, seat: str) -> bool:
    """Whether a letter of a seat is awaited."""
    public = state.public
    if public.phase == "joining":
        return seat not in public.players
    if public.phase != "running" or public.next is None:
        return False
    pending = public.pending.get(seat)
    if public.locked:
        return pending is not None and not set(pending.slots) <= set(pending.revealed)
    return seat in public.next.owing and pending is None


def letter_due(state: SecretState, seat: str) -> str:
    """The letter that a bot owes."""
    public, key = state.public, bot_key(state, seat)
    if public.phase == "joining":
        offer = Invitation(state.name, seat, public.secret, state.token(seat))
        who = Newcomer(public.settings.seats[seat].name, public.settings.seats[seat].language)
        return join_letter(offer, key, 1, who, drawn_from(state, seat, "entropy"))
    seq, occasion = next_seq(state, seat, "orders"), occasion_of(state, seat)
    part = orders_part(state, seat, seq - 1 if public.locked else seq)
    if public.locked:
        return sign_letter(reveal_letter(occasion, next_seq(state, seat, "reveal"), {ORDERS_SLOT: part}), key)
    is_open = public.settings.conduct.sealing == "moderator"
    box = boxed(part, PublicKey.parse(public.moderator) if is_open else None)
    return sign_letter(orders_letter(occasion, seq, {}, {ORDERS_SLOT: box}), key)


def next_seq(state: SecretState, seat: str, kind: str) -> int:
    """The number of the next letter of a kind."""
    return state.public.seqs.get(seq_key(seat, kind), 0) + 1


def occasion_of(state: SecretState, seat: str) -> LetterContext:
    """What a letter now is for."""
    return LetterContext(state.name, seat, state.stage, state.public.basis[:BASIS])


def orders_part(state: SecretState, seat: str, seq: int) -> SealedPart:
    """What a bot orders in the letter of this number, sealed."""
    assert state.table is not None
    level = state.public.settings.seats[seat].bot.partition("/")[0]
    policy, chance = bot_named(level, state.rules.terms.game), Random(drawn_from(state, seat, "chance", f"{seq}").hex())  # noqa: S311
    orders = decided(unshuffled(state.table), seat, policy, chance)
    return sealed_part(
        occasion_of(state, seat), ORDERS_SLOT, orders, drawn_from(state, seat, "salt", state.public.basis)
    )


def wrong_with_join(state: SecretState, record: r.JoinRecord) -> Wrong | None:
    """What is wrong, or cannot be known, of who has taken a bot's seat."""
    seat = record.player
    if not is_bots(state, seat):
        return None
    if (record.key, record.entropy) != (bot_key(state, seat).public.text, drawn_from(state, seat, "entropy").hex()):
        return wrong("E-VERIFY-BOT.key", seat=seat)
    if not is_ours(state, seat):
        return wrong("W-VERIFY-BOT", seat=seat, bot=state.public.settings.seats[seat].bot, ours=__version__)
    return None


def wrong_with_key(state: SecretState, record: r.KeyChangeRecord) -> Wrong | None:
    """A bot asks for no new key: with one, nobody would look any more at what it does."""
    return wrong("E-VERIFY-BOT.key", seat=record.player) if is_bots(state, record.player) else None


def wrong_with_letter(state: SecretState, record: r.LetterRecord, letter: Letter) -> Wrong | None:
    """What is wrong with a letter of a bot: it had to commit to just what its version and its seed make it order."""
    seat = record.player
    if record.acted or not is_bots(state, seat) or not is_ours(state, seat):
        return None
    is_next = letter.seq == next_seq(state, seat, record.kind)
    if is_next and record.kind == "reveal":
        return None
    orders = orders_part(state, seat, next_seq(state, seat, "orders"))
    parts = {slot: part.get("commitment") for slot, part in parts_of(letter).items() if isinstance(part, dict)}
    is_alone = is_next and record.kind == "orders" and entry_of(letter.body, "orders") is None
    return None if is_alone and parts == {ORDERS_SLOT: orders.commitment} else wrong("E-VERIFY-BOT", seat=seat)


def wrong_with_absence(state: SecretState, record: r.AdjudicationRecord) -> list[Wrong]:
    """Bots for which defaults have answered."""
    return [
        wrong("W-VERIFY-BOT.silent", seat=seat)
        for seat in record.absent
        if is_bots(state, seat) and is_ours(state, seat)
    ]
