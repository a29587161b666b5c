"""Keys and signatures in the page are those of `pbem` and ssh-keygen; its primitives are lent by the usual library."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest

from pbem.desk.openssh import lock_of, seed_in
from pbem.seal.deal import ProvableDealer, derive
from pbem.seal.faults import BadSignature, KeyFault
from pbem.seal.keys import load_private, new_key, save_private
from pbem.seal.signature import sign, verify
from tests.desk.lent import Lent, in_the_page
from tests.seal.tools import vectors

PASSPHRASE = "Kürassier 1741"


@pytest.fixture(scope="module")
def usual() -> dict[str, bytes]:
    """A key, and its files as the usual library writes them."""
    key = new_key("")
    return {"seed": key.seed, "open": save_private(key, None), "locked": save_private(key, PASSPHRASE)}


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


def test_the_lock_of_a_file_tells_what_is_made_of_the_passphrase(usual: dict[str, bytes]) -> None:
    lock = lock_of(usual["locked"])
    made: list[tuple[object, ...]] = []

    class Noting(Lent):
        def bcrypt_key(self, *given: object) -> str:
            made.append(given)
            return "0" * 96

    with suppress(ValueError):
        seed_in(usual["locked"], PASSPHRASE.encode(), Noting())
    assert made == [(PASSPHRASE.encode().hex(), lock.salt, lock.rounds, lock.size)]
    with pytest.raises(ValueError, match=r"^$"):
        lock_of(usual["open"][:100])


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
            assert derive(root, vector["label"], vector["size"]).hex() == vector["derived"]
