"""Commitments, and the provable deal. Each shuffle is computed from random bytes of all players and from a secret of
the moderator. The moderator commits to this secret before any player joins."""

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
    """Return 32 random bytes from the secure source of the system."""
    return secrets.token_bytes(SALT_SIZE)


class Slot(Struct, frozen=True):
    """Thing that a commitment is about: one choice of one power or player, in one stage of one campaign."""

    campaign: str
    stage: str
    power: str
    name: str


def commit(slot: Slot, salt: bytes, body: bytes) -> str:
    """Return the commitment to `body` in this slot, as 64 lower-case hexadecimal digits. Raises `CommitmentFault` if
    the salt is not `SALT_SIZE` bytes long."""
    if len(salt) != SALT_SIZE:
        raise CommitmentFault(wrong("E-COMMIT-SALT", length=len(salt), wanted=SALT_SIZE))
    return digest(DOMAIN, slot.campaign, slot.stage, slot.power, slot.name, salt, body).hex()


def check(commitment: str, slot: Slot, salt: bytes, body: bytes) -> bool:
    """True if the commitment was made to this body, in this slot and with this salt."""
    if len(salt) != SALT_SIZE:
        return False
    return commit(slot, salt, body) == commitment


SECRET_DOMAIN = "pbem/secret/1"  # noqa: S105 - the name of a hash, no password
CARD_DOMAIN = "pbem/card/1"
LOT = "seats"
"""Label with which the bytes for drawing the seats by lot are derived."""

SIZE = 32
"""Size of the secret, of each player's random bytes, of the root and of each salt, in bytes."""

_BLOCK = 64
"""Size of one block of ChaCha20, in bytes."""

NumberT = TypeVar("NumberT", bound=int)


class ProvableDealer:
    """Dealer of a campaign. All shuffles are computed from one root. Those that were made are listed in `made`."""

    def __init__(self, root: bytes) -> None:
        self._root = _check_size(root, Words("deal-root"))
        self.made: list[tuple[int, list[int]]] = []

    def shuffle(self, number: int, cards: Sequence[NumberT]) -> list[NumberT]:
        """Return the cards in the order that follows from the root and the number of the shuffle. The top card is the
        first. The shuffle is added to `made`."""
        order = shuffle_cards(cards, _stream(shuffle_key(self._root, number, cards)))
        self.made.append((number, [*order]))
        return order


def secret_commitment(secret: bytes) -> str:
    """Return the commitment to the moderator's secret, as 64 hexadecimal digits. Raises `DealFault` if the secret is
    not `SIZE` bytes long."""
    return digest(SECRET_DOMAIN, _check_size(secret, Words("deal-secret"))).hex()


def root_of(secret: bytes, entropies: Sequence[bytes], campaign: str) -> bytes:
    """Return the root, from which all chance in a campaign is computed. The root is computed from the moderator's
    secret and from `entropies`, the random bytes of the players in order. Raises `DealFault` if there are no such
    bytes, or if any of them are not `SIZE` bytes long."""
    if not entropies:
        raise DealFault(wrong("E-DEAL-ENTROPY"))
    salt = b"".join(_check_size(entropy, Words("deal-contribution")) for entropy in entropies)
    return _hkdf(_check_size(secret, Words("deal-secret")), salt, campaign.encode(), SIZE)


def derive(root: bytes, label: str, size: int) -> bytes:
    """Return bytes that are derived from the root for one purpose. The label names the purpose. It begins with
    `shuffle/`, `card/`, `seats`, `record/` or `state/`."""
    return _hkdf(_check_size(root, Words("deal-root")), b"", label.encode(), size)


def shuffle_key(root: bytes, number: int, cards: Sequence[int]) -> bytes:
    """Return the key of the random stream for one shuffle. After a rollback a shuffle can come again: equal cards then
    get an equal order. Other cards get an order that shows nothing of the earlier one."""
    # The cards are part of the label, because a rollback can repeat the number. Nobody shall get a new deal of the same
    # cards by a rollback.
    return derive(root, f"shuffle/{number}/" + ".".join(map(str, cards)), SIZE)


def draw_lot(root: bytes, names: Sequence[str]) -> list[str]:
    """Return the names in a random order, which is computed from the root."""
    return [names[place] for place in shuffle_cards(range(len(names)), _stream(derive(root, LOT, SIZE)))]


def position_hashes(root: bytes, number: int, order: Sequence[int]) -> list[str]:
    """Return the hash of the card at each position after the shuffle `number`, from the top of the deck to the bottom.
    `order` has the cards. The ledger publishes these hashes."""
    return [
        position_hash(number, position, opening(root, number, position, card), card)
        for position, card in enumerate(order)
    ]


def position_hash(number: int, position: int, salt: bytes, card: int) -> str:
    """Return the hash of one card at one position after one shuffle."""
    return digest(CARD_DOMAIN, str(number), str(position), salt, str(card)).hex()


def opening(root: bytes, number: int, position: int, card: int) -> bytes:
    """Return the salt that was hashed together with the card at this position. Anybody who has the salt can check the
    published hash."""
    return derive(root, f"card/{number}/{position}/{card}", SIZE)


def check_opening(published: str, number: int, position: int, salt: bytes, card: int) -> bool:
    """True if `published` is the hash of this card at this position after this shuffle, with this salt."""
    return position_hash(number, position, salt, card) == published


def _stream(key: bytes) -> Iterator[int]:
    """Yield the output of ChaCha20 (RFC 8439) as 32-bit numbers. The nonce is zero, and blocks are counted from 0."""
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
