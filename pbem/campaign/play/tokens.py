"""Tokens of invitations: a token lets its holder take one seat. Tokens are computed from the moderator's secret."""

from __future__ import annotations

from pbem.campaign.play.secret_state import SecretState

DIGITS = 16


def token_of(state: SecretState, seat: str) -> str:
    """Return the token with which the invited person takes a seat."""
    return state.keyed_fingerprint(f"seat/{seat}".encode())[:DIGITS]


def open_token(state: SecretState, seat: str, entry: int) -> str:
    """Return the token with which anybody may take an offered seat. `entry` is the last entry at the time of the
    offer."""
    return state.keyed_fingerprint(f"open/{seat}/{entry}".encode())[:DIGITS]


def offer_meant(state: SecretState, seat: str, token: str) -> int:
    """Return the entry at which a seat was offered with this token (`open_token`), or 0 if no offer had this token."""
    return next((n for n in range(state.public.entry, 0, -1) if open_token(state, seat, n) == token), 0)
