"""Sealed boxes: vectors of the real age, both programs in both directions, lengths, and everything tampered."""

from __future__ import annotations

import base64
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.seal import box
from pbem.seal.box import pad, seal, unpad, unseal
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, load_private, new_key, save_private
from tests.seal import second
from tests.seal.tools import LOUIS, MARIA, key_of, program, run, vectors, write_private

VECTORS = vectors("box")
PAIRS = {name: key_of(bytes.fromhex(seed), name) for name, seed in VECTORS["seeds"].items()}
PLAIN = "Schwerin marches at dawn. ♠7".encode()
LABEL = "AGE ENCRYPTED FILE"


def code_of(armored: str, key: PrivateKey = LOUIS) -> str:
    with pytest.raises(BoxFault) as refusal:
        unseal(key, armored)
    return refusal.value.code


def content_of(armored: str) -> bytes:
    return base64.b64decode("".join(armored.split("\n")[1:-2]))


@pytest.mark.parametrize("vector", VECTORS["boxes"], ids=lambda vector: vector["name"])
def test_vectors_of_age(vector: Any) -> None:
    for name, pair in PAIRS.items():
        if name in vector["recipients"]:
            assert unseal(pair, vector["sealed"]) == bytes.fromhex(vector["plain"])
        else:
            assert code_of(vector["sealed"], pair) == "E-SEAL-KEY"


@given(st.binary(max_size=3000))
def test_what_is_sealed_can_be_opened(plain: bytes) -> None:
    sealed = seal([LOUIS.public], plain)
    assert unseal(LOUIS, sealed) == plain
    assert max(map(len, sealed.split("\n"))) <= 66
    assert seal([LOUIS.public], plain) != sealed


def test_several_readers() -> None:
    sealed = seal([LOUIS.public, MARIA.public], PLAIN)
    assert unseal(LOUIS, sealed) == unseal(MARIA, sealed) == PLAIN
    assert code_of(sealed, new_key("spy")) == "E-SEAL-KEY"


def test_a_key_under_a_passphrase() -> None:
    key = load_private(save_private(LOUIS, "Königgrätz"), "Königgrätz")
    assert unseal(key, seal([key.public], PLAIN)) == PLAIN


def test_every_changed_byte_is_found() -> None:
    content = content_of(seal([LOUIS.public], PLAIN))
    for place in range(len(content)):
        other = bytearray(content)
        other[place] ^= 1
        assert code_of(second.armored(bytes(other), LABEL)) in {"E-SEAL-FORMAT", "E-SEAL-KEY", "E-SEAL-DAMAGED"}, place


def test_every_cut_is_found() -> None:
    content = content_of(seal([LOUIS.public], bytes(70_000)))
    for length in (*range(0, 400, 7), 65_536, len(content) - 17, len(content) - 16, len(content) - 1):
        code = code_of(second.armored(content[:length], LABEL))
        assert code in {"E-SEAL-FORMAT", "E-SEAL-KEY", "E-SEAL-DAMAGED"}, length
    assert code_of(second.armored(content + b"\0", LABEL)) == "E-SEAL-DAMAGED"


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("", "E-SEAL-ARMOR"),
        ("Dear Louis", "E-SEAL-ARMOR"),
        (second.armored(b"age", "PGP MESSAGE"), "E-SEAL-ARMOR"),
        (second.armored(b"", LABEL), "E-SEAL-FORMAT"),
        (second.armored(b"age-encryption.org/v2\n", LABEL), "E-SEAL-FORMAT"),
        (second.armored(b"age-encryption.org/v1\n", LABEL), "E-SEAL-KEY"),
        ("-----BEGIN AGE ENCRYPTED FILE-----\n" + " " * 7_000_000, "E-SEAL-SIZE"),
    ],
)
def test_what_is_no_box(text: str, expect: str) -> None:
    assert code_of(text) == expect


@given(st.binary(max_size=200))
@settings(max_examples=25)
def test_any_header_with_our_name_is_refused_in_words(rest: bytes) -> None:
    stanza = content_of(seal([LOUIS.public], PLAIN)).split(b"\n---")[0]
    for content in (stanza + rest, stanza + b"\n--- " + rest):
        assert code_of(second.armored(content, LABEL)) == "E-SEAL-DAMAGED"


def test_what_transport_does_to_lines_is_forgiven() -> None:
    sealed = seal([LOUIS.public], PLAIN)
    for touched in (sealed.replace("\n", "\r\n"), "    " + sealed.replace("\n", "\n    "), "\n\n" + sealed + "\n\n"):
        assert unseal(LOUIS, touched) == PLAIN


def test_limits() -> None:
    for keys in ([], [LOUIS.public] * 21):
        with pytest.raises(BoxFault) as refusal:
            seal(keys, PLAIN)
        assert refusal.value.code == "E-SEAL-RECIPIENTS"
    with pytest.raises(BoxFault) as refusal:
        seal([LOUIS.public], bytes(box.LARGEST + 1))
    assert refusal.value.code == "E-SEAL-SIZE"
    largest = bytes(box.LARGEST)
    assert unseal(LOUIS, seal([LOUIS.public], largest)) == largest


@pytest.mark.parametrize(("length", "expect"), VECTORS["lengths"])
def test_lengths(length: int, expect: int) -> None:
    assert second.padded_length(length) == expect
    made = pad(b"x" * length)
    assert (len(made), unpad(made)) == (expect, b"x" * length)


@given(st.one_of(st.binary(max_size=3000), st.text(" \n x", max_size=30).map(str.encode)))
def test_padding_is_undone(plain: bytes) -> None:
    made = pad(plain)
    assert unpad(made) == plain
    assert len(made) == second.padded_length(len(plain))


@given(st.binary(max_size=40).map(lambda start: start.ljust(1024)), st.integers(0, 1023))
def test_nothing_else_is_taken_for_padding(data: bytes, cut: int) -> None:
    for given_data in (data, data[:cut], data + b" " * 1024):
        with suppress(BoxFault):
            assert pad(unpad(given_data)) == given_data


@pytest.mark.parametrize("data", [b"", b"x", b"x\n", b" " * 1024, b"x\n".ljust(1023), b"x\n".ljust(2048)])
def test_what_is_not_padded(data: bytes) -> None:
    with pytest.raises(BoxFault) as refusal:
        unpad(data)
    assert refusal.value.code == "E-SEAL-PADDING"


def test_boxes_of_short_and_long_choices_are_equally_long() -> None:
    """age itself puts a stanza of random length into every header, which tells nothing."""
    lengths = {len(pad(plain)) for plain in (b"", b"no card", b"five cards " * 50)}
    assert lengths == {1024}


def test_age_opens_ours(tmp_path: Path) -> None:
    tool = program("age")
    for key, other in ((LOUIS, MARIA), (MARIA, LOUIS)):
        path = write_private(tmp_path / "id_ed25519", save_private(key, None))
        done = run(tool, "-d", "-i", path, given=seal([other.public, key.public], PLAIN).encode())
        assert done.stdout == PLAIN, done.stderr


def test_we_open_those_of_age() -> None:
    done = run(program("age"), "-a", "-r", MARIA.public.text, "-r", LOUIS.public.text, given=PLAIN)
    assert unseal(LOUIS, done.stdout.decode()) == unseal(MARIA, done.stdout.decode()) == PLAIN


def test_a_box_of_age_for_others_is_not_ours(tmp_path: Path) -> None:
    keygen = run(program("age-keygen"))
    recipient = next(line for line in keygen.stderr.decode().split() if line.startswith("age1"))
    done = run(program("age"), "-a", "-r", recipient, given=PLAIN)
    assert code_of(done.stdout.decode()) == "E-SEAL-KEY"
