"""Keys: Ed25519 key pairs in files of OpenSSH. The module also reads and writes the armor and the binary fields that
all formats of SSH use."""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

from pbem.faults.wrong import Words, words, wrong
from pbem.seal.faults import KeyFault

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_WIDTH = 64


class Unreadable(Exception):
    """Exception for a text that has no armor, or has armor with another label."""

    def __init__(self, why: Words) -> None:
        self.why = why
        super().__init__(why)


def to_armor(content: bytes, label: str) -> str:
    """Return bytes as armor: lines of 64 characters of Base64 between `-----BEGIN label-----` and `-----END
    label-----`."""
    text = base64.b64encode(content).decode()
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def from_armor(text: str, label: str) -> bytes:
    """Return the bytes in an armored text. Raises `Unreadable` if the text has no armor with this label."""
    lines = [line.strip(" \t\r") for line in text.split("\n")]
    lines = [line for line in lines if line]
    if not lines or lines[0] != f"-----BEGIN {label}-----":
        raise Unreadable(words("armor-begin", label=label))
    if lines[-1] != f"-----END {label}-----":
        raise Unreadable(words("armor-end", label=label))
    written = "".join(lines[1:-1])
    try:
        data = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable(words("armor-base64")) from None
    if base64.b64encode(data).decode() != written:
        raise Unreadable(words("armor-rest"))
    return data


class Malformed(Exception):
    """Exception for bytes that do not have the expected fields. Callers turn it into a fault with words."""


def pack(*fields: bytes) -> bytes:
    """Return the fields joined. Before each is its length, in 4 bytes."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def first(packed: bytes) -> tuple[bytes, bytes]:
    """Split off the first field. Return its content, and the bytes after it. Raises `Malformed` if the bytes end too
    early."""
    size = int.from_bytes(packed[:4], "big")
    if len(packed) < 4 + size:
        raise Malformed
    return packed[4 : 4 + size], packed[4 + size :]


def unpack(packed: bytes, count: int) -> list[bytes]:
    """Return the fields into which the bytes are split. Raises `Malformed` if there are not exactly `count` fields."""
    fields = []
    for _ in range(count):
        field, packed = first(packed)
        fields.append(field)
    if packed:
        raise Malformed
    return fields


def length_prefixed(*fields: str | bytes) -> bytes:
    """Return the fields joined. Before each is its length, in 8 bytes (big-endian). Texts are encoded as UTF-8."""
    found = []
    for each in fields:
        data = each.encode() if isinstance(each, str) else each
        found.append(len(data).to_bytes(8, "big") + data)
    return b"".join(found)


def digest(*fields: str | bytes) -> bytes:
    """Return the SHA-256 of the joined fields (`length_prefixed`). The first field must name the subject and its
    version."""
    return hashlib.sha256(length_prefixed(*fields)).digest()


_PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME
_ORDER_EIGHT = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL = {0, 1, _PRIME - 1, _ORDER_EIGHT, _PRIME - _ORDER_EIGHT}
"""The y coordinates of the eight points of the curve whose order divides 8. A key at one of these points is weak."""


@lru_cache(maxsize=256)
def is_sound(key: bytes) -> bool:
    """True if these 32 bytes are a point of the curve, and no weak key."""
    y = int.from_bytes(key, "little") & (2**255 - 1)
    if y >= _PRIME or y in _SMALL:
        return False
    numerator, denominator = y * y - 1, _D * y * y + 1
    # The curve has a point with this y if numerator / denominator is a square. This is so exactly if numerator *
    # denominator is a square (Euler's criterion).
    return pow(numerator * denominator, (_PRIME - 1) // 2, _PRIME) == 1


KIND = "ssh-ed25519"
_LABEL = "OPENSSH PRIVATE KEY"
_MAGIC = b"openssh-key-v1\0"
_LONGEST_LINE = 1000
_LARGEST_FILE = 16_384
_LONGEST_PASSPHRASE = 1023
"""Largest length of a passphrase, in bytes. Neither ssh-keygen nor the library accepts a longer one."""

_MOST_ROUNDS = 256
"""Largest number of rounds of bcrypt that is accepted. A round takes about 7 milliseconds, and 30 in a browser.
ssh-keygen uses 24 rounds by default."""


@dataclass(frozen=True)
class PublicKey:
    """Public key of a player. Two keys are equal even if their comments are different."""

    raw: bytes
    """Point of the curve, in 32 bytes."""
    comment: str = field(default="", compare=False)

    @classmethod
    def parse(cls, line: str) -> PublicKey:
        """Return the key in a line `ssh-ed25519 AAAA… comment`, as in a `.pub` file. Raises `KeyFault` if the line has
        another form, or if the key is weak or of another kind."""
        if "PRIVATE KEY" in line:
            raise KeyFault(wrong("E-KEY-PRIVATE"))
        if len(line) > _LONGEST_LINE:
            raise KeyFault(wrong("E-KEY-SIZE.line", most=_LONGEST_LINE))
        kind, _, rest = line.strip(" \t\r\n").partition(" ")
        if kind != KIND:
            raise _other_kind(kind) if kind.startswith(("ssh-", "ecdsa-", "sk-")) else _no_line()
        written, _, comment = rest.strip(" ").partition(" ")
        try:
            blob = base64.b64decode(written, validate=True)
        except (binascii.Error, ValueError):
            raise _no_line() from None
        if base64.b64encode(blob).decode() != written:
            raise _no_line()
        return cls.from_blob(blob, _check_comment(comment.strip(" ")))

    @classmethod
    def from_blob(cls, blob: bytes, comment: str = "") -> PublicKey:
        """Return the key in the binary form of SSH, as in a signature. Raises `KeyFault` if the bytes are damaged, or
        if the key is weak or of another kind."""
        try:
            kind, _ = first(blob)
        except Malformed:
            raise KeyFault(wrong("E-KEY-DAMAGED.public")) from None
        if kind != KIND.encode():
            raise _other_kind(kind.decode("ascii", "replace"))
        try:
            _, raw = unpack(blob, 2)
        except Malformed:
            raise KeyFault(wrong("E-KEY-DAMAGED.public")) from None
        if len(raw) != 32:
            raise KeyFault(wrong("E-KEY-DAMAGED.public"))
        if not is_sound(raw):
            raise KeyFault(wrong("E-KEY-WEAK"))
        return cls(raw, comment)

    @property
    def bare(self) -> PublicKey:
        """Return the same key without its comment. The comment could show whose key it is."""
        return PublicKey(self.raw)

    @property
    def blob(self) -> bytes:
        """Return the key in the binary form of SSH."""
        return pack(KIND.encode(), self.raw)

    @property
    def text(self) -> str:
        """Return the key as a line of a `.pub` file, without a line feed."""
        return f"{KIND} {base64.b64encode(self.blob).decode()} {self.comment}".rstrip(" ")

    @property
    def fingerprint(self) -> str:
        """Return the short name of the key, `SHA256:…`, as ssh-keygen prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")


def without_comment(line: str) -> str:
    """Return the line of a public key without the comment. The key itself is not checked."""
    return " ".join(line.split()[:2])


class Signer(Protocol):
    """Holder of a private key who signs with it. It is either a key pair in memory, or a key pair in an agent."""

    @property
    def public(self) -> PublicKey: ...

    def sign(self, content: bytes) -> bytes:
        """Return the Ed25519 signature of `content`, in 64 bytes."""


@dataclass(frozen=True)
class PrivateKey:
    """Key pair of a player in memory, not encrypted. Its secret half is never printed."""

    seed: bytes = field(repr=False)
    """Secret half of the pair, in 32 bytes."""
    public: PublicKey

    def sign(self, content: bytes) -> bytes:
        """Return the Ed25519 signature of `content`, in 64 bytes."""
        return _signing_key(self.seed).sign(content)

    @cached_property
    def openssh(self) -> bytes:
        """Return the content of an OpenSSH key file with this pair, without a passphrase. It is needed for opening
        boxes."""
        return save_private(self, None)


@lru_cache(maxsize=16)  # making this object takes as long as a signature
def _signing_key(seed: bytes) -> Ed25519PrivateKey:
    """Return the library's object for signing with this key."""
    # In all modules of this package, this library is imported late, so that commands that need no keys start faster.
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


def new_key(comment: str) -> PrivateKey:
    """Return a new key pair, made from the secure random source of the system."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _pair(Ed25519PrivateKey.generate().private_bytes_raw(), _check_comment(comment))


def key_of(seed: bytes, comment: str) -> PrivateKey:
    """Return the key pair that has these 32 bytes as its secret half."""
    return _pair(seed, _check_comment(comment))


def load_private(key_file: bytes, passphrase: str | None) -> PrivateKey:
    """Return the key pair in an OpenSSH private key file, without its comment. If the file is not encrypted, the
    passphrase is ignored. Raises `KeyFault` if the file is damaged or of another kind, and if the passphrase is missing
    or wrong."""
    public, is_encrypted = _public_part(key_file)
    if is_encrypted and not passphrase:
        raise KeyFault(wrong("E-KEY-PASSPHRASE-MISSING"))
    key = _pair(_seed(key_file, passphrase if is_encrypted else None))
    # The public half is not protected by the passphrase, so somebody may have replaced it.
    if key.public != public:
        raise _damaged_key()
    return key


def locked_public(key_file: bytes) -> PublicKey | None:
    """Return the public key in a private key file, if the file has a passphrase. Return None if it has none. Raises
    `KeyFault` if the file is damaged or of another kind."""
    public, is_encrypted = _public_part(key_file)
    return public if is_encrypted else None


def save_private(key: PrivateKey, passphrase: str | None) -> bytes:
    """Return the content of an OpenSSH private key file. If there is no passphrase, the file is not encrypted."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        encryption = serialization.BestAvailableEncryption(_secret(passphrase))
    pair = Ed25519PrivateKey.from_private_bytes(key.seed)
    return pair.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, encryption)


def _pair(seed: bytes, comment: str = "") -> PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    raw = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return PrivateKey(seed, PublicKey(raw, comment))


def _public_part(key_file: bytes) -> tuple[PublicKey, bool]:
    """Return the public key in a private key file. Also return True if the private half is encrypted. Raises `KeyFault`
    if the file is damaged or of another kind."""
    if len(key_file) > _LARGEST_FILE:
        raise KeyFault(wrong("E-KEY-SIZE.file", most=_LARGEST_FILE))
    text = key_file.decode("ascii", "replace")
    if text.startswith("ssh-"):
        raise KeyFault(wrong("E-KEY-PUBLIC"))
    if f"BEGIN {_LABEL}" not in text:
        is_other = "PRIVATE KEY" in text or text.startswith("PuTTY")
        raise KeyFault(wrong("E-KEY-FORMAT.other" if is_other else "E-KEY-FORMAT.file"))
    try:
        content = from_armor(text, _LABEL)
        if not content.startswith(_MAGIC):
            raise Malformed
        cipher, rest = first(content.removeprefix(_MAGIC))
        _, rest = first(rest)
        settings, rest = first(rest)
        # The first 4 bytes give the number of keys.
        blob, _ = first(rest[4:])
        # The settings of bcrypt are a salt and the number of rounds, in 4 bytes. A huge number of rounds would keep the
        # program busy for ever.
        rounds = first(settings)[1] if cipher != b"none" else bytes(4)
        if len(rounds) != 4:
            raise Malformed
    except (Unreadable, Malformed):
        raise _damaged_key() from None
    if (count := int.from_bytes(rounds, "big")) > _MOST_ROUNDS:
        raise KeyFault(wrong("E-KEY-ROUNDS", rounds=count, most=_MOST_ROUNDS))
    return PublicKey.from_blob(blob), cipher != b"none"


def _seed(key_file: bytes, passphrase: str | None) -> bytes:
    """Return the secret half of the pair in a private key file, decrypted with the passphrase. Raises `KeyFault` if the
    passphrase is wrong, the cipher unknown, or the file damaged."""
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        pair = load_ssh_private_key(key_file, _secret(passphrase) if passphrase else None)
    except UnsupportedAlgorithm:
        raise KeyFault(wrong("E-KEY-CIPHER")) from None
    except (InvalidTag, ValueError, TypeError):
        if passphrase is None:
            raise _damaged_key() from None
        raise KeyFault(wrong("E-KEY-PASSPHRASE-WRONG")) from None
    if not isinstance(pair, Ed25519PrivateKey):
        raise _damaged_key()
    return pair.private_bytes_raw()


def _secret(passphrase: str) -> bytes:
    """Return the bytes that ssh-keygen would read for this passphrase. Raises `KeyFault` if the passphrase is too
    long."""
    # A byte that the terminal could not decode is a special character in the text. It becomes the same byte again.
    secret = passphrase.encode("utf-8", "surrogateescape")
    if len(secret) > _LONGEST_PASSPHRASE:
        raise KeyFault(wrong("E-KEY-PASSPHRASE-LONG", most=_LONGEST_PASSPHRASE))
    return secret


def _check_comment(comment: str) -> str:
    """Return the comment unchanged. Raises `KeyFault` if it does not fit into one line."""
    usable = unicodedata.is_normalized("NFC", comment) and comment.isprintable() and comment == comment.strip()
    if not usable or len(comment) > 200:
        raise KeyFault(wrong("E-KEY-COMMENT"))
    return comment


def _other_kind(kind: str) -> KeyFault:
    return KeyFault(wrong("E-KEY-KIND", kind=repr(kind[:40])))


def _no_line() -> KeyFault:
    return KeyFault(wrong("E-KEY-FORMAT.line"))


def _damaged_key() -> KeyFault:
    return KeyFault(wrong("E-KEY-DAMAGED.private"))
