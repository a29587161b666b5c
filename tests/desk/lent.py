"""The page without a browser: its primitives are lent by the usual libraries, under which the stand-in answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import bcrypt
import cryptography.hazmat.backends.openssl.backend  # noqa: F401 - asked for later, when others answer to the name
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from pbem.desk import stand_in
from pbem.seal import signature
from tests.seal import second

# The usual library looks for its own faults when it first needs them: before others answer to their names.
with suppress(InvalidSignature):
    Ed25519PrivateKey.generate().public_key().verify(bytes(64), b"")
with suppress(InvalidTag):
    ChaCha20Poly1305(bytes(32)).decrypt(bytes(12), bytes(16), None)

PRIME = 2**255 - 19


class Lent:
    """Stand-in for the page's library of cryptography."""

    def public(self, seed: str) -> str:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).public_key().public_bytes_raw().hex()

    def sign(self, seed: str, data: str) -> str:
        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).sign(bytes.fromhex(data)).hex()

    def verify(self, public: str, signature: str, data: str) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
                bytes.fromhex(signature), bytes.fromhex(data)
            )
        except InvalidSignature:
            return False
        return True

    def bcrypt_key(self, passphrase: str, salt: str, rounds: int, size: int) -> str:
        return bcrypt.kdf(bytes.fromhex(passphrase), bytes.fromhex(salt), size, rounds, True).hex()

    def salt_ahead(self, passphrase: str) -> str:
        return ""

    def aes_ctr(self, key: str, nonce: str, data: str) -> str:
        made = Cipher(algorithms.AES(bytes.fromhex(key)), modes.CTR(bytes.fromhex(nonce))).encryptor()
        return made.update(bytes.fromhex(data)).hex()

    def chacha20(self, key: str, nonce: str, data: str, counter: int) -> str:
        assert bytes.fromhex(nonce) == bytes(12)
        stream = second.chacha20(bytes.fromhex(key), counter)
        return bytes(one ^ other for one, other in zip(bytes.fromhex(data), stream, strict=True)).hex()

    def hkdf(self, secret: str, salt: str, info: str, size: int) -> str:
        return second.hkdf(bytes.fromhex(secret), bytes.fromhex(salt), bytes.fromhex(info), size).hex()

    def x25519(self, secret: str, point: str) -> str | None:
        try:
            other = X25519PublicKey.from_public_bytes(bytes.fromhex(point))
            return X25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).exchange(other).hex()
        except ValueError:
            return None

    def montgomery_point(self, public: str) -> str:
        y = int.from_bytes(bytes.fromhex(public), "little") % 2**255
        return ((1 + y) * pow(1 - y, -1, PRIME) % PRIME).to_bytes(32, "little").hex()

    def chacha_lock(self, key: str, nonce: str, data: str) -> str:
        return ChaCha20Poly1305(bytes.fromhex(key)).encrypt(bytes.fromhex(nonce), bytes.fromhex(data), None).hex()

    def chacha_open(self, key: str, nonce: str, data: str) -> str | None:
        try:
            return ChaCha20Poly1305(bytes.fromhex(key)).decrypt(bytes.fromhex(nonce), bytes.fromhex(data), None).hex()
        except (InvalidTag, stand_in.InvalidTag):
            return None


@contextmanager
def in_the_page() -> Iterator[None]:
    """As in the page: no other library answers to the names of the usual one, and none is remembered afterwards."""
    before = dict(sys.modules)
    signature._verifying_key.cache_clear()
    stand_in.stand_in(Lent())
    made = [name for name, module in sys.modules.items() if module is not before.get(name)]
    try:
        yield
    finally:
        for name in made:
            del sys.modules[name]
        sys.modules.update({name: before[name] for name in made if name in before})
        signature._verifying_key.cache_clear()
