"""A second implementation of `docs/protocol-seal.md`, from its words: standard library only, nothing of `pbem`.

Slow and plain on purpose. It makes the vectors that the program is measured by.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
ESCAPED = {code: f"\\u{code:04x}" for code in range(32)} | SHORT
PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, PRIME - 2, PRIME) % PRIME
NEUTRAL = (0, 1)


def canonical(tree: Any) -> str:
    """RFC 8785 for texts, lists and mappings."""
    if isinstance(tree, str):
        return f'"{tree.translate(ESCAPED)}"'
    if isinstance(tree, list):
        return "[" + ",".join(canonical(item) for item in tree) + "]"
    keys = sorted(tree, key=units)
    return "{" + ",".join(canonical(key) + ":" + canonical(tree[key]) for key in keys) + "}"


def units(text: str) -> list[int]:
    """The UTF-16 code units."""
    found = []
    for point in map(ord, text):
        if point < 0x10000:
            found.append(point)
        else:
            found += [0xD800 + (point - 0x10000 >> 10), 0xDC00 + (point - 0x10000 & 0x3FF)]
    return found


def fields(*parts: bytes) -> bytes:
    """Each part behind its length in 8 bytes."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


def sha256(data: bytes) -> str:
    """The hash in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def commitment(campaign: str, stage: str, power: str, slot: str, salt: bytes, body: bytes) -> str:
    """A commitment."""
    texts = [text.encode() for text in ("pbem/commit/1", campaign, stage, power, slot)]
    return sha256(fields(*texts, salt, body))


@lru_cache(1 << 16)
def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """RFC 5869 with SHA-256."""
    key = hmac.digest(salt or bytes(32), secret, "sha256")
    made, last = b"", b""
    for number in range(1, -(-length // 32) + 1):
        last = hmac.digest(key, last + info + bytes([number]), "sha256")
        made += last
    return made[:length]


def chacha20(key: bytes, counter: int) -> bytes:
    """One block of RFC 8439 with a nonce of zeros."""
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574]
    start += [int.from_bytes(key[at : at + 4], "little") for at in range(0, 32, 4)] + [counter, 0, 0, 0]
    state = list(start)
    for _ in range(10):
        for column in range(4):
            quarter(state, column, column + 4, column + 8, column + 12)
        for column in range(4):
            quarter(state, column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return b"".join((x + y & 0xFFFFFFFF).to_bytes(4, "little") for x, y in zip(start, state, strict=True))


def quarter(state: list[int], a: int, b: int, c: int, d: int) -> None:
    """The quarter round."""
    for one, two, three, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[one] = state[one] + state[two] & 0xFFFFFFFF
        mixed = state[three] ^ state[one]
        state[three] = (mixed << bits | mixed >> 32 - bits) & 0xFFFFFFFF


def shuffle(root: bytes, number: int, cards: list[int]) -> list[int]:
    """The cards from the top."""
    key = hkdf(root, b"", f"shuffle/{number}/{'.'.join(str(card) for card in cards)}".encode(), 32)
    return mixed(key, cards)


def lot(root: bytes, count: int) -> list[int]:
    """Seats, in alphabetical order, that go to the player who has joined at the first, the second, and so on."""
    return mixed(hkdf(root, b"", b"seats", 32), list(range(count)))


def mixed(key: bytes, cards: list[int]) -> list[int]:
    """Cards in the order of the stream under a key."""
    stream = stream_of(key)
    deck = list(cards)
    for place in range(len(deck) - 1):
        left = len(deck) - place
        word = next(stream)
        while word >= 2**32 - 2**32 % left:
            word = next(stream)
        other = place + word % left
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def stream_of(key: bytes) -> Iterator[int]:
    """The words of a stream."""
    for counter in range(2**32):
        block = chacha20(key, counter)
        for at in range(0, 64, 4):
            yield block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3]


def salt_of(root: bytes, number: int, position: int, card: int) -> bytes:
    """The salt of a card at its position."""
    return hkdf(root, b"", f"card/{number}/{position}/{card}".encode(), 32)


def position_hash(number: int, position: int, salt: bytes, card: int) -> str:
    """The hash of a position."""
    return sha256(fields(b"pbem/card/1", b"%d" % number, b"%d" % position, salt, b"%d" % card))


def string(data: bytes) -> bytes:
    """A field of SSH."""
    return len(data).to_bytes(4, "big") + data


def add(one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of the curve of Ed25519."""
    (x1, y1), (x2, y2) = one, two
    product = D * x1 * x2 * y1 * y2 % PRIME
    above, below = 1 + product, 1 - product
    both = pow(above * below, -1, PRIME)
    return (x1 * y2 + x2 * y1) * below * both % PRIME, (y1 * y2 + x1 * x2) * above * both % PRIME


def times(factor: int, point: tuple[int, int]) -> tuple[int, int]:
    """A multiple of a point."""
    total = NEUTRAL
    while factor:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def x_of(y: int, odd: int) -> int | None:
    """The x of a point by its y, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if x * x % PRIME != square:
        x = x * pow(2, (PRIME - 1) // 4, PRIME) % PRIME
    if x * x % PRIME != square:
        return None
    return x if x % 2 == odd else -x % PRIME


BASE_Y = 4 * pow(5, -1, PRIME) % PRIME
BASE = (x_of(BASE_Y, 0) or 0, BASE_Y)


def encoded(point: tuple[int, int]) -> bytes:
    """A point in 32 bytes."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def halves(seed: bytes) -> tuple[int, bytes]:
    """The secret scalar and the prefix of RFC 8032."""
    data = hashlib.sha512(seed).digest()
    return int.from_bytes(data[:32], "little") & (2**254 - 8) | 2**254, data[32:]


@cache
def public_of(seed: bytes) -> bytes:
    """The public key of a seed."""
    return encoded(times(halves(seed)[0], BASE))


def ed25519(seed: bytes, message: bytes) -> bytes:
    """The signature of RFC 8032."""
    scalar, prefix = halves(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % ORDER
    start = encoded(times(nonce, BASE))
    challenge = int.from_bytes(hashlib.sha512(start + public_of(seed) + message).digest(), "little")
    return start + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def blob(public: bytes) -> bytes:
    """A public key in the binary form of SSH."""
    return string(b"ssh-ed25519") + string(public)


def line(public: bytes, comment: str) -> str:
    """A public key as a line."""
    return f"ssh-ed25519 {base64.b64encode(blob(public)).decode()} {comment}".rstrip()


def fingerprint(public: bytes) -> str:
    """A public key's fingerprint."""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob(public)).digest()).decode().rstrip("=")


def content(seed: bytes, message: bytes, **other: bytes) -> bytes:
    """A signature before it is armored; `other` replaces parts, to make bad ones."""
    part = {
        "magic": b"SSHSIG",
        "version": b"\0\0\0\1",
        "namespace": b"pbem",
        "reserved": b"",
        "hash": b"sha512",
    } | other
    name = part["hash"].decode()
    hashed = hashlib.new(name if name in hashlib.algorithms_available else "sha512", message).digest()
    middle = string(part["namespace"]) + string(part["reserved"]) + string(part["hash"])
    made = part.get("made") or string(b"ssh-ed25519") + string(ed25519(seed, b"SSHSIG" + middle + string(hashed)))
    signer = part.get("signer") or blob(public_of(seed))
    return part["magic"] + part["version"] + string(signer) + middle + string(made) + part.get("more", b"")


def armored(data: bytes, label: str) -> str:
    """Text armor."""
    text = base64.b64encode(data).decode()
    rows = [text[at : at + 64] for at in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *rows, f"-----END {label}-----"]) + "\n"


def padded_length(length: int) -> int:
    """To how many bytes so many are filled up."""
    for step in (1024, 2048, 4096, 8192, 16384, 32768, 65536):
        if length + 1 <= step:
            return step
    return (length + 1 + 65535) // 65536 * 65536


def key_in_parts(seed: bytes, others: list[int], people: int) -> dict[str, Any]:
    """A key in parts made of 32 bytes and of the other coefficients: its points, parts, recipient and identity."""
    whole = int.from_bytes(seed, "little") & (2**254 - 8) | 2**254
    numbers = [whole % ORDER, *others]
    parts = [sum(a * x**j for j, a in enumerate(numbers)) % ORDER for x in range(1, people + 1)]
    points = [times(a, BASE) for a in numbers]
    u = (1 + points[0][1]) * pow(1 - points[0][1], -1, PRIME) % PRIME
    return {
        "points": [encoded(point).hex() for point in points],
        "parts": [part.to_bytes(32, "little").hex() for part in parts],
        "recipient": bech32("age", u.to_bytes(32, "little")),
        "identity": bech32("age-secret-key-", whole.to_bytes(32, "little")).upper(),
    }


def bech32(prefix: str, data: bytes) -> str:
    """Bytes in Bech32 (BIP 173)."""
    letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    words = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)]
    codes = [ord(letter) for letter in prefix]
    values = [*(code >> 5 for code in codes), 0, *(code & 31 for code in codes), *words, 0, 0, 0, 0, 0, 0]
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, mask in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                check ^= mask
    words += [(check ^ 1) >> 5 * (5 - place) & 31 for place in range(6)]
    return f"{prefix}1{''.join(letters[word] for word in words)}"
