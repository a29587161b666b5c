"""Keys in parts. A key of age is split into parts for n people. Any k of them can put it together, but fewer cannot.
Each can check the own part.

The scheme is Feldman's, on the curve of Ed25519 (docs/protocol-seal.md, Keys in parts). The key is the value of a
polynomial of degree k - 1 at 0. Each part is the value of this polynomial at the number of the part. The published
points are the coefficients times the base point. The arithmetic does not take constant time. It need not, because keys
are made and put together only on computers whose owners may know them.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.seal.faults import ShareFault

SIZE = 32
"""Size of a part and of a point, in bytes."""

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_TOP = 1 << 254
"""Highest bit of an X25519 key. In every such key this bit is set, and the lowest three bits are not set."""

Point = tuple[int, int, int, int]
"""Point of the curve, with its coordinates X, Y, Z and T as in RFC 8032."""

_ZERO: Point = (0, 1, 1, 0)


class SplitKey(Struct, frozen=True):
    """Key of age in parts, with all secrets."""

    coefficients: tuple[int, ...]
    """Coefficients of the polynomial. The first of them is the key."""

    @property
    def points(self) -> tuple[str, ...]:
        """Return the published points, in hexadecimal, with which everybody can check a part of the key."""
        return tuple(_packed(_times(each, _BASE)).hex() for each in self.coefficients)

    def part(self, number: int) -> str:
        """Return the part that has this number, in hexadecimal."""
        value = reduce(lambda sum_, each: (sum_ * number + each) % _ORDER, reversed(self.coefficients), 0)
        return value.to_bytes(SIZE, "little").hex()


def new_split_key(threshold: int) -> SplitKey:
    """Return a random key of age. Any `threshold` of its parts are enough to put it together."""
    key = int.from_bytes(secrets.token_bytes(SIZE), "little") % _TOP // 8 * 8 + _TOP
    return SplitKey((key % _ORDER, *(secrets.randbelow(_ORDER) for _ in range(threshold - 1))))


def is_part(points: Sequence[str], number: int, part: str) -> bool:
    """True if `part` is the part with this number of the key that has these points. Raises `ShareFault` for a false
    point, and `ValueError` for a text that is not hexadecimal."""
    value = int.from_bytes(bytes.fromhex(part), "little")
    wanted = reduce(lambda sum_, each: _sum(_times(number, sum_), each), map(_point, reversed(points)), _ZERO)
    return len(part) == 2 * SIZE and value < _ORDER and _packed(_times(value, _BASE)) == _packed(wanted)


def joined_key(points: Sequence[str], parts: Mapping[int, str]) -> str:
    """Return the key of age (`AGE-SECRET-KEY-1…`) that is put together from these parts. `parts` has each part under
    its number. Raises `ShareFault` if parts are missing or wrong, or if the result is no key."""
    if len(parts) < len(points) or not all(is_part(points, number, part) for number, part in parts.items()):
        raise ShareFault(wrong("E-SHARE-PARTS", count=len(parts), wanted=len(points)))
    key = 0
    for number, part in parts.items():
        # Computes the value of the polynomial at 0 (Lagrange).
        share = int.from_bytes(bytes.fromhex(part), "little")
        for other in parts.keys() - {number}:
            share = share * other * pow(other - number, -1, _ORDER) % _ORDER
        key += share
    # An X25519 key is a number of 255 bits, with fixed bits at both ends. Only one number that has this remainder can
    # be such a key.
    keys = (key % _ORDER + turns * _ORDER for turns in range(16))
    if not (whole := next((each for each in keys if each % 8 == 0 and _TOP <= each < 2 * _TOP), 0)):
        raise ShareFault(wrong("E-SHARE-KEY"))
    return _bech32("age-secret-key-", whole.to_bytes(SIZE, "little")).upper()


def recipient_of(points: Sequence[str]) -> str:
    """Return the age recipient (`age1…`) of the key that has these points. Raises `ShareFault` if the first point
    belongs to no key, and `ValueError` if it is not hexadecimal."""
    _, y, z, _ = _point(points[0])
    if (z - y) % _P == 0:
        raise ShareFault(wrong("E-SHARE-POINT"))
    return _bech32("age", ((z + y) * pow(z - y, -1, _P) % _P).to_bytes(SIZE, "little"))


def _sum(first: Point, second: Point) -> Point:
    a = (first[1] - first[0]) * (second[1] - second[0]) % _P
    b = (first[1] + first[0]) * (second[1] + second[0]) % _P
    c = 2 * first[3] * second[3] * _D % _P
    d = 2 * first[2] * second[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(number: int, point: Point) -> Point:
    found = _ZERO
    while number:
        if number & 1:
            found = _sum(found, point)
        point, number = _sum(point, point), number >> 1
    return found


def _packed(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(SIZE, "little")


@lru_cache(maxsize=128)  # a campaign needs the same few points many times
def _point(written: str) -> Point:
    """Return the point that is given by these hexadecimal digits. Raises `ShareFault` if it is not in the group of the
    base point, and `ValueError` if the text is not hexadecimal."""
    value = int.from_bytes(bytes.fromhex(written), "little")
    y, sign = value % 2**255, value >> 255
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * pow(2, (_P - 1) // 4, _P) % _P
    x = x if x & 1 == sign else -x % _P
    found = (x, y, 1, x * y % _P)
    if len(written) != 2 * SIZE or y >= _P or (x * x - square) % _P or x & 1 != sign:
        raise ShareFault(wrong("E-SHARE-POINT"))
    if _packed(_times(_ORDER, found)) != _packed(_ZERO) or _packed(found) == _packed(_ZERO):
        raise ShareFault(wrong("E-SHARE-POINT"))
    return found


_BASE = _point("5866666666666666666666666666666666666666666666666666666666666666")


def _bech32(prefix: str, content: bytes) -> str:
    """Return bytes as Bech32 (BIP 173). This is the form in which age writes keys."""
    number, size = int.from_bytes(content, "big") << 4, (len(content) * 8 + 4) // 5
    words = [number >> 5 * (size - 1 - at) & 31 for at in range(size)]
    spread = [*(ord(letter) >> 5 for letter in prefix), 0, *(ord(letter) & 31 for letter in prefix)]
    check = _checksum([*spread, *words, *[0] * 6]) ^ 1
    return f"{prefix}1" + "".join(BECH32[each] for each in (*words, *(check >> 5 * (5 - at) & 31 for at in range(6))))


def _checksum(values: Sequence[int]) -> int:
    found = 1
    for value in values:
        top, found = found >> 25, (found & 0x1FFFFFF) << 5 ^ value
        for bit, mask in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            found ^= mask if top >> bit & 1 else 0
    return found
