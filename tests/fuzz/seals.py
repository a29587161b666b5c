"""Targets: keys, signatures, boxes and sealed files, whose every changed byte must be noticed and told in words."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.campaign.disk.vault import unlock
from pbem.paper.documents.strict import bare, read_yaml
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.keys import PublicKey, load_private, save_private
from pbem.seal.signature import sign, verify
from tests.seal.tools import LOUIS, MARIA

from .watching import Target

MESSAGE = '{"body":"Törring: Passau"}'.encode()
PLAIN = pad(b"salt: abc\nbody: {france: {move: []}}\n")
SIGNATURE = sign(LOUIS, MESSAGE)


def read_signature(data: bytes) -> None:
    """A signature verifies only if it says the same as the true one, however it is laid out."""
    text = data.decode("utf-8", "replace")
    verify(LOUIS.public, MESSAGE, text)
    assert "".join(text.split()) == "".join(SIGNATURE.split())


def read_message(data: bytes) -> None:
    """The true signature is of the true message alone."""
    verify(LOUIS.public, data, SIGNATURE)
    assert data == MESSAGE


def read_box(data: bytes) -> None:
    """A box opens to what was sealed or not at all."""
    opened = unseal(LOUIS, data.decode("utf-8", "replace"))
    assert opened == PLAIN


def read_padded(data: bytes) -> None:
    """Check that padded content is a document, or refused."""
    bare(read_yaml(unpad(data), "opened"))


def read_public(data: bytes) -> None:
    """A public key that can be read is written again as it is meant."""
    key = PublicKey.parse(data.decode("utf-8", "replace"))
    assert PublicKey.parse(key.text) == key


def read_private(data: bytes) -> None:
    """A private key that can be read is the true one."""
    assert load_private(data, "a passphrase").seed == LOUIS.seed


def read_vault(data: bytes) -> None:
    """Check that content that anybody can seal to the moderator's key is no vault."""
    unlock(seal([LOUIS.public], pad(data)).encode(), LOUIS)
    raise AssertionError("nobody but the moderator can sign a vault")


def seals() -> Iterator[Target]:
    """The targets of this module."""
    lines = (LOUIS.public.text.encode(), PublicKey(MARIA.public.raw, "Marie-Thérèse").text.encode())
    boxes = (seal([LOUIS.public], PLAIN).encode(), seal([MARIA.public, LOUIS.public], PLAIN).encode())
    armors = (SIGNATURE.encode(), SIGNATURE.replace("\n", "\r\n ").encode())
    yield Target("signature", armors, read_signature, weight=20)
    yield Target("message", (MESSAGE,), read_message, weight=10)
    yield Target("box", boxes, read_box, weight=10)
    yield Target("padded", (PLAIN,), read_padded, weight=10)
    yield Target("public key", lines, read_public, weight=20)
    yield Target("private key", (save_private(LOUIS, None),), read_private, weight=20)
    yield Target("vault", (b'{"signature": "x", "content": {"format": 1}}', b"[" * 5000, b'{"a":' * 3000), read_vault)
