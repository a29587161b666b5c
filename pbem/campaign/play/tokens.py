"""Tokens of invitations: whoever has the token of a seat may take the seat. Tokens are computed from the moderator's
secret."""

from __future__ import annotations

from pbem.campaign.play.secret_state import SecretState

DIGITS = 16


def token_of(state: SecretState, seat: str) -> str:
    """Return the token that proves an invitation to a seat."""
    return state.keyed_fingerprint(f"seat/{seat}".encode())[:DIGITS]


def open_token(state: SecretState, seat: str, entry: int) -> str:
    """Return the token by which anybody may take a seat. `entry` was the last entry when the seat was offered."""
    return state.keyed_fingerprint(f"open/{seat}/{entry}".encode())[:DIGITS]


def offer_meant(state: SecretState, seat: str, token: str) -> int:
    """Return the number of the last entry at the time when a seat was offered with this token. Return 0 if the token
    belongs to no offer."""
    return next((n for n in range(state.public.entry, 0, -1) if open_token(state, seat, n) == token), 0)
