"""Keys and random bytes of bots, computed from the secrets of the moderator and of the deal."""

from __future__ import annotations

from pbem.campaign.play.secret_state import SecretState
from pbem.seal.keys import PrivateKey, digest, key_of

DOMAIN = "pbem/bot/1"

LUCK = "chance"
"""Purpose of the random bytes for a bot's orders."""


def bot_bytes(state: SecretState, seat: str, purpose: str, detail: str = "") -> bytes:
    """Return 32 bytes for one purpose of a seat's bot. They are computed from the moderator's secret, or for `LUCK`
    from the secret of the deal."""
    source = state.root if purpose == LUCK else bytes.fromhex(state.secret)
    return digest(DOMAIN, source, state.name, seat, purpose, detail)


def bot_key(state: SecretState, seat: str, bot: str) -> PrivateKey:
    """Return the private key of a seat's bot. The key's comment names level and version of the bot."""
    level, _, version = bot.partition("/")
    return key_of(bot_bytes(state, seat, "key"), f"bot {level} of pbem {version}")
