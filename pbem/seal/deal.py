"""Commitments, and the provable deal. Every shuffle follows from random bytes of all players and a secret of the
moderator, to which the moderator commits before anybody joins."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from pbem.engine.cards import shuffle_cards, stream_numbers
from pbem.faults.wrong import Words, wrong
from pbem.seal.faults import CommitmentFault, DealFault
from pbem.seal.keys import digest

DOMAIN = "pbem/commit/1"
SALT_SIZE = 32


def new_salt() -> bytes:
    """Return 32 bytes from the system's secure random source."""
    return secrets.token_bytes(SALT_SIZE)


class Slot(Struct, frozen=True):
    """Subject of a commitment: one choice of one power or player in one stage of one campaign."""

    campaign: str
    stage: str
    power: str
    name: str


def commit(slot: Slot, salt: bytes, body: bytes) -> str:
    """Return the commitment to `body` in this slot, as 64 lower-case hexadecimal digits. Raises `CommitmentFault` for a
    salt of another length than `SALT_SIZE`."""
    if len(salt) != SALT_SIZE:
        raise CommitmentFault(wrong("E-COMMIT-SALT", length=len(salt), wanted=SALT_SIZE))
    return digest(DOMAIN, slot.campaign, slot.stage, slot.power, slot.name, salt, body).hex()


def check(commitment: str, slot: Slot, salt: bytes, body: bytes) -> bool:
    """True if the commitment was made to this body, with this salt and in this slot."""
    if len(salt) != SALT_SIZE:
        return False
    return commit(slot, salt, body) == commitment


SECRET_DOMAIN = "pbem/secret/1"  # noqa: S105 - the name of a hash, no password
CARD_DOMAIN = "pbem/card/1"
LOT = "seats"
"""Label under which the bytes for drawing the seats are derived."""

SIZE = 32
"""Size in bytes of the secret, of every player's contribution, of the root and of every salt."""

_BLOCK = 64
"""Size in bytes of one ChaCha20 block."""

NumberT = TypeVar("NumberT", bound=int)


class ProvableDealer:
    """Dealer of a campaign. All shuffles follow from one root, and are listed in `made`."""

    def __init__(self, root: bytes) -> None:
        self._root = _check_size(root, Words("deal-root"))
        self.made: list[tuple[int, list[int]]] = []

    def shuffle(self, number: int, cards: Sequence[NumberT]) -> list[NumberT]:
        """Return the cards in the order that follows from the root and the number of the shuffle, top first. Add the
        shuffle to `made`."""
        order = shuffle_cards(cards, _stream(shuffle_key(self._root, number, cards)))
        self.made.append((number, [*order]))
        return order


def secret_commitment(secret: bytes) -> str:
    """Return the commitment to the moderator's secret, as 64 hexadecimal digits. Raises `DealFault` for a secret of
    another length than `SIZE`."""
    return digest(SECRET_DOMAIN, _check_size(secret, Words("deal-secret"))).hex()


def root_of(secret: bytes, entropies: Sequence[bytes], campaign: str) -> bytes:
    """Return the root of all chance in a campaign. It follows from the moderator's secret and `entropies`, the random
    bytes of the players in order. Raises `DealFault` without such bytes, and for a length other than `SIZE`."""
    if not entropies:
        raise DealFault(wrong("E-DEAL-ENTROPY"))
    salt = b"".join(_check_size(entropy, Words("deal-contribution")) for entropy in entropies)
    return _hkdf(_check_size(secret, Words("deal-secret")), salt, campaign.encode(), SIZE)


def derive(root: bytes, label: str, size: int) -> bytes:
    """Return bytes derived from the root for one purpose. Labels are `shuffle/…`, `card/…`, `seats`, `record/…` and
    `state/…`."""
    return _hkdf(_check_size(root, Words("deal-root")), b"", label.encode(), size)


def shuffle_key(root: bytes, number: int, cards: Sequence[int]) -> bytes:
    """Return the key of the random stream of one shuffle. After a rollback, a repeated shuffle of the same cards gives
    the same order. A shuffle of other cards gives an unrelated order."""
    # The cards count, too: a rollback can repeat the number, and nobody shall win a new deal by a rollback.
    return derive(root, f"shuffle/{number}/" + ".".join(map(str, cards)), SIZE)


def draw_lot(root: bytes, names: Sequence[str]) -> list[str]:
    """Return the names in a random order that the root decides."""
    return [names[place] for place in shuffle_cards(range(len(names)), _stream(derive(root, LOT, SIZE)))]


def position_hashes(root: bytes, number: int, order: Sequence[int]) -> list[str]:
    """Return the hash of the card at each position after a shuffle, from the top down. The ledger publishes these
    hashes."""
    return [
        position_hash(number, position, opening(root, number, position, card), card)
        for position, card in enumerate(order)
    ]


def position_hash(number: int, position: int, salt: bytes, card: int) -> str:
    """Return the hash of one card at one position of one shuffle."""
    return digest(CARD_DOMAIN, str(number), str(position), salt, str(card)).hex()


def opening(root: bytes, number: int, position: int, card: int) -> bytes:
    """Return the salt that was hashed with this card at this position. With the salt anybody can check the published
    hash."""
    return derive(root, f"card/{number}/{position}/{card}", SIZE)


def check_opening(published: str, number: int, position: int, salt: bytes, card: int) -> bool:
    """True if `published` is the hash of this card at this position of this shuffle, with this salt."""
    return position_hash(number, position, salt, card) == published


def _stream(key: bytes) -> Iterator[int]:
    """Yield the 32-bit numbers of ChaCha20 (RFC 8439), with a nonce of zeros and blocks counted from 0."""
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

    def block(count: int) -> bytes:
        counter_and_nonce = count.to_bytes(4, "little") + bytes(12)
        return Cipher(ChaCha20(key, counter_and_nonce), mode=None).encryptor().update(bytes(_BLOCK))

    return stream_numbers(block)


def _hkdf(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), size, salt, info).derive(secret)


def _check_size(data: bytes, label: Words) -> bytes:
    if len(data) != SIZE:
        raise DealFault(wrong("E-DEAL-SIZE", what=label, length=len(data), wanted=SIZE))
    return data
