"""Keys: OpenSSH's Ed25519 pairs, read from and written to the files that ssh-keygen makes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from dataclasses import dataclass, field

from pbem.seal.armor import Unreadable, from_armor
from pbem.seal.curve import is_sound
from pbem.seal.faults import KeyFault
from pbem.seal.wire import Malformed, first, packed, unpacked

KIND = "ssh-ed25519"
_LABEL = "OPENSSH PRIVATE KEY"
_MAGIC = b"openssh-key-v1\0"
_LONGEST_LINE = 1000
_LARGEST_FILE = 16_384
_MOST_ROUNDS = 2000
"""Of bcrypt, at some milliseconds each; ssh-keygen takes 16 if it is not told otherwise."""

_MAKE_ONE = "make one with `pbem key new` or `ssh-keygen -t ed25519`"


@dataclass(frozen=True)
class PublicKey:
    """A player's public key; keys are equal whatever their comments say."""

    raw: bytes
    """The 32 bytes of the point."""
    comment: str = field(default="", compare=False)

    @classmethod
    def parse(cls, line: str) -> PublicKey:
        """The key of a line `ssh-ed25519 AAAA… comment`, as in a `.pub` file; raises `KeyFault`."""
        if "PRIVATE KEY" in line:
            message = "this is a private key; give the line of the file that ends in .pub, and show this one to nobody"
            raise KeyFault("E-KEY-PRIVATE", message)
        if len(line) > _LONGEST_LINE:
            raise KeyFault("E-KEY-SIZE", f"the line of a public key has at most {_LONGEST_LINE} characters")
        kind, _, rest = line.strip(" \t\r\n").partition(" ")
        if kind != KIND:
            raise _other_kind(kind) if _is_kind(kind) else _no_line()
        written, _, comment = rest.strip(" ").partition(" ")
        try:
            blob = base64.b64decode(written, validate=True)
        except (binascii.Error, ValueError):
            raise _no_line() from None
        if base64.b64encode(blob).decode() != written:
            raise _no_line()
        return cls.from_blob(blob, _checked(comment.strip(" ")))

    @classmethod
    def from_blob(cls, blob: bytes, comment: str = "") -> PublicKey:
        """The key in the binary form of SSH, which signatures hold; raises `KeyFault`."""
        try:
            kind, _ = first(blob)
        except Malformed:
            raise _damaged("the public key") from None
        if kind != KIND.encode():
            raise _other_kind(kind.decode("ascii", "replace"))
        try:
            _, raw = unpacked(blob, 2)
        except Malformed:
            raise _damaged("the public key") from None
        if len(raw) != 32:
            raise _damaged("the public key")
        if not is_sound(raw):
            raise KeyFault("E-KEY-WEAK", f"the public key is no sound point of the curve; {_MAKE_ONE}")
        return cls(raw, comment)

    @property
    def blob(self) -> bytes:
        """The key in the binary form of SSH."""
        return packed(KIND.encode(), self.raw)

    @property
    def text(self) -> str:
        """The key as a line of a `.pub` file, without line feed."""
        return f"{KIND} {base64.b64encode(self.blob).decode()} {self.comment}".rstrip(" ")

    @property
    def fingerprint(self) -> str:
        """`SHA256:…`, as ssh-keygen prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")


@dataclass(frozen=True)
class PrivateKey:
    """A player's key pair in memory, out of its passphrase; never printed."""

    seed: bytes = field(repr=False)
    """The 32 secret bytes."""
    public: PublicKey


def new_key(comment: str) -> PrivateKey:
    """A new key pair from the system's secure source of chance."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _pair(Ed25519PrivateKey.generate().private_bytes_raw(), _checked(comment))


def load_private(data: bytes, passphrase: str | None) -> PrivateKey:
    """The pair in an OpenSSH private key file; raises `KeyFault`.

    The comment stands in the `.pub` file only. A passphrase for a file that has none is not used.
    """
    public, is_encrypted = _outside(data)
    if is_encrypted and not passphrase:
        raise KeyFault("E-KEY-PASSPHRASE-MISSING", "the private key is kept under a passphrase, and none was given")
    key = _pair(_seed(data, passphrase if is_encrypted else None))
    # The public half stands outside of what the passphrase protects: somebody may have exchanged it.
    if key.public != public:
        raise _damaged("the private key")
    return key


def save_private(key: PrivateKey, passphrase: str | None) -> bytes:
    """The pair as an OpenSSH private key file; without a passphrase it is not encrypted."""
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


def _outside(data: bytes) -> tuple[PublicKey, bool]:
    """What a private key file tells without its passphrase: the public key, and whether there is a passphrase."""
    if len(data) > _LARGEST_FILE:
        raise KeyFault("E-KEY-SIZE", f"the file is larger than the {_LARGEST_FILE} bytes of any private key")
    text = data.decode("ascii", "replace")
    if text.startswith("ssh-"):
        raise KeyFault("E-KEY-PUBLIC", "this is a public key; give the file of the same name without .pub")
    if f"BEGIN {_LABEL}" not in text:
        other = "it is a key in another format; " if "PRIVATE KEY" in text or text.startswith("PuTTY") else ""
        raise KeyFault("E-KEY-FORMAT", f"the file is no OpenSSH private key; {other}{_MAKE_ONE}")
    try:
        content = from_armor(text, _LABEL)
        if not content.startswith(_MAGIC):
            raise Malformed
        cipher, rest = first(content.removeprefix(_MAGIC))
        _, rest = first(rest)
        settings, rest = first(rest)
        # Behind 4 bytes with the number of keys.
        blob, _ = first(rest[4:])
        # The settings of bcrypt are a salt and, in 4 bytes, how many rounds.
        if cipher != b"none" and int.from_bytes(settings[-4:], "big") > _MOST_ROUNDS:
            raise Malformed
    except (Unreadable, Malformed):
        raise _damaged("the private key") from None
    return PublicKey.from_blob(blob), cipher != b"none"


def _seed(data: bytes, passphrase: str | None) -> bytes:
    """The secret bytes, by the library's reader of the format."""
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        pair = load_ssh_private_key(data, _secret(passphrase) if passphrase else None)
    except UnsupportedAlgorithm:
        message = (
            "the private key is encrypted in a way that cannot be read; run `ssh-keygen -p -Z aes256-ctr -f` on it"
        )
        raise KeyFault("E-KEY-CIPHER", message) from None
    except (InvalidTag, ValueError, TypeError):
        if passphrase is None:
            raise _damaged("the private key") from None
        message = "the passphrase is wrong (or the file of the private key is damaged)"
        raise KeyFault("E-KEY-PASSPHRASE-WRONG", message) from None
    if not isinstance(pair, Ed25519PrivateKey):
        raise _damaged("the private key")
    return pair.private_bytes_raw()


def _secret(passphrase: str) -> bytes:
    """The passphrase as ssh-keygen would read it, with what a terminal could not decode."""
    return passphrase.encode("utf-8", "surrogateescape")


def _checked(comment: str) -> str:
    """The comment, if it can stand in a line, in a letter and under a signature."""
    usable = unicodedata.is_normalized("NFC", comment) and comment.isprintable() and comment == comment.strip()
    if not usable or len(comment) > 200:
        raise KeyFault("E-KEY-COMMENT", "the comment of a key is one line of at most 200 printable characters (NFC)")
    return comment


def _is_kind(word: str) -> bool:
    return word.startswith(("ssh-", "ecdsa-", "sk-"))


def _other_kind(kind: str) -> KeyFault:
    return KeyFault("E-KEY-KIND", f"the key is of the kind {kind[:40]!r}; only {KIND} can sign and unseal: {_MAKE_ONE}")


def _no_line() -> KeyFault:
    return KeyFault("E-KEY-FORMAT", f"this is no public key; it is one line that begins with `{KIND} AAAA`")


def _damaged(what: str) -> KeyFault:
    return KeyFault("E-KEY-DAMAGED", f"{what} is damaged; copy it again")
