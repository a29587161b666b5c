"""Keys and signatures in the page are those of `pbem` and ssh-keygen; its primitives are lent by the usual library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import bcrypt
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from pbem.desk.stand_in import BASE, stand_in
from pbem.seal.deal import ProvableDealer, derived
from pbem.seal.faults import BadSignature, KeyFault
from pbem.seal.keys import load_private, new_key, save_private
from pbem.seal.signature import sign, verify
from tests.seal import second
from tests.seal.tools import vectors

PASSPHRASE = "Kürassier 1741"


class Lent:
    """What the page's library of cryptography does."""

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

    def stretched(self, passphrase: str, salt: str, rounds: int, size: int) -> str:
        return bcrypt.kdf(bytes.fromhex(passphrase), bytes.fromhex(salt), size, rounds, True).hex()

    def counted(self, key: str, nonce: str, data: str) -> str:
        made = Cipher(algorithms.AES(bytes.fromhex(key)), modes.CTR(bytes.fromhex(nonce))).encryptor()
        return made.update(bytes.fromhex(data)).hex()

    def streamed(self, key: str, nonce: str, data: str, counter: int) -> str:
        assert bytes.fromhex(nonce) == bytes(12)
        stream = second.chacha20(bytes.fromhex(key), counter)
        return bytes(one ^ other for one, other in zip(bytes.fromhex(data), stream, strict=True)).hex()

    def derived(self, secret: str, salt: str, info: str, size: int) -> str:
        return second.hkdf(bytes.fromhex(secret), bytes.fromhex(salt), bytes.fromhex(info), size).hex()


@pytest.fixture(scope="module")
def usual() -> dict[str, bytes]:
    """A key, and its files as the usual library writes them."""
    key = new_key("")
    return {"seed": key.seed, "open": save_private(key, None), "locked": save_private(key, PASSPHRASE)}


@contextmanager
def in_the_page() -> Iterator[None]:
    """As in the page: no other library answers to the names of the usual one."""
    before = dict(sys.modules)
    stand_in(Lent())
    try:
        yield
    finally:
        for name in [each for each in sys.modules if each.partition(".")[0] == BASE]:
            del sys.modules[name]
        sys.modules.update({name: module for name, module in before.items() if name.partition(".")[0] == BASE})


def test_a_key_file_is_read_with_and_without_a_passphrase(usual: dict[str, bytes]) -> None:
    with in_the_page():
        assert load_private(usual["open"], None).seed == usual["seed"]
        assert load_private(usual["locked"], PASSPHRASE).seed == usual["seed"]


@pytest.mark.parametrize(
    ("change", "passphrase", "code"),
    [
        (lambda data: data, "wrong", "E-KEY-PASSPHRASE-WRONG"),
        (lambda data: data, None, "E-KEY-PASSPHRASE-MISSING"),
        (lambda data: data[:200] + b"\n-----END OPENSSH PRIVATE KEY-----\n", PASSPHRASE, "E-KEY-DAMAGED"),
    ],
)
def test_a_key_that_cannot_be_read_is_refused(
    usual: dict[str, bytes], change: Callable[[bytes], bytes], passphrase: str | None, code: str
) -> None:
    with in_the_page(), pytest.raises(KeyFault) as refused:
        load_private(change(usual["locked"]), passphrase)
    assert refused.value.code == code


def test_a_key_made_in_the_page_is_read_outside_of_it() -> None:
    with in_the_page():
        key = new_key("")
        files = [save_private(key, None), save_private(key, PASSPHRASE)]
    assert [load_private(file, PASSPHRASE).seed for file in files] == [key.seed, key.seed]


def test_a_signature_is_the_same_bytes(usual: dict[str, bytes]) -> None:
    with in_the_page():
        key = load_private(usual["open"], None)
        made = sign(key, b"the letter")
        verify(key.public, b"the letter", made)
        with pytest.raises(BadSignature):
            verify(key.public, b"another letter", made)
    assert sign(key, b"the letter") == made


def test_the_deal_follows_the_vectors_of_the_protocol() -> None:
    found = vectors("deal")
    root = bytes.fromhex(found["root"])
    with in_the_page():
        for vector in found["shuffles"]:
            assert ProvableDealer(root).shuffle(vector["number"], vector["cards"]) == vector["order"]
        for vector in found["derived"]:
            assert derived(root, vector["label"], vector["size"]).hex() == vector["derived"]
