"""Signatures: vectors, the real ssh-keygen in both directions, damage on the way, and forgeries."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.seal.faults import BadSignature
from pbem.seal.keys import PublicKey, new_key, save_private
from pbem.seal.signature import sign, verify
from tests.seal import second
from tests.seal.tools import LOUIS, MARIA, program, run, vectors, write_private

VECTORS = vectors("signature")
MESSAGE = VECTORS["message"].encode()
LABEL = "SSH SIGNATURE"


def code_of(message: bytes, armored: str, public: PublicKey = LOUIS.public) -> str:
    with pytest.raises(BadSignature) as refusal:
        verify(public, message, armored)
    return refusal.value.code


@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["hash"])
def test_vectors(vector: Any) -> None:
    verify(LOUIS.public, MESSAGE, vector["signature"])


def test_ours_is_the_vector_of_sha512() -> None:
    """Ed25519 needs no chance, so a signature is the same at every signing."""
    assert sign(LOUIS, MESSAGE) == VECTORS["good"][0]["signature"]


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["name"])
def test_refused(vector: Any) -> None:
    assert code_of(MESSAGE, vector["signature"]) == vector["expect"]


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=60))
@settings(max_examples=10)
def test_two_implementations_agree(seed: bytes, message: bytes) -> None:
    assert second.armored(second.content(LOUIS.seed, message), LABEL) == sign(LOUIS, message)
    theirs = second.armored(second.content(seed, message, hash=b"sha256"), LABEL)
    verify(PublicKey(second.public_of(seed)), message, theirs)


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_a_signature_is_for_one_message(one: bytes, two: bytes) -> None:
    signature = sign(LOUIS, one)
    verify(LOUIS.public, one, signature)
    if one != two:
        assert code_of(two, signature) == "E-SIGNATURE-WRONG"
    assert code_of(one, signature, MARIA.public) == "E-SIGNATURE-KEY"


def test_every_changed_bit_is_found() -> None:
    content = second.content(LOUIS.seed, MESSAGE)
    for place in range(len(content)):
        for bit in (1, 128):
            other = bytearray(content)
            other[place] ^= bit
            assert code_of(MESSAGE, second.armored(bytes(other), LABEL)).startswith("E-SIGNATURE-"), (place, bit)


def test_every_changed_letter_of_the_armor_is_found() -> None:
    """Also those that change only bits which base64 does not use."""
    signature = sign(LOUIS, MESSAGE)
    start, end = signature.index("\n") + 1, signature.index("\n-----END")
    for place in range(start, end):
        for letter in "A/=Zé":
            if signature[place] not in (letter, "\n"):
                assert code_of(MESSAGE, signature[:place] + letter + signature[place + 1 :]).startswith("E-SIGNATURE-")


@given(st.data())
def test_what_transport_does_to_lines_is_forgiven(data: st.DataObject) -> None:
    body = "".join(sign(LOUIS, MESSAGE).split("\n")[1:-2])
    width = data.draw(st.integers(20, 80))
    rows = [body[at : at + width] for at in range(0, len(body), width)]
    blanks = st.text(" \t", max_size=3)
    lines = [f"-----BEGIN {LABEL}-----", *rows, f"-----END {LABEL}-----"]
    ending = data.draw(st.sampled_from(["\n", "\r\n", "\n\n", " \r\n"]))
    text = ending.join(data.draw(blanks) + line + data.draw(blanks) for line in lines)
    verify(LOUIS.public, MESSAGE, data.draw(st.sampled_from(["", "\n", "\r\n"])) + text + data.draw(blanks))


@given(st.text(max_size=200), st.binary(max_size=200))
def test_any_text_is_refused_in_words(text: str, content: bytes) -> None:
    assert code_of(MESSAGE, text).startswith("E-SIGNATURE-")
    assert code_of(MESSAGE, second.armored(b"SSHSIG\0\0\0\1" + content, LABEL)).startswith("E-SIGNATURE-")


def test_lines_are_short_enough_for_mail() -> None:
    assert max(map(len, sign(LOUIS, MESSAGE).split("\n"))) <= 66


def test_one_signature_under_a_weak_key_would_fit_many_messages() -> None:
    """Weak keys are refused because s = 0 and the neutral point as R and key satisfy Ed25519 for every message."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    neutral = second.encoded(second.NEUTRAL)
    for message in (b"march", b"stand"):
        Ed25519PublicKey.from_public_bytes(neutral).verify(neutral + bytes(32), message)
    made = second.string(b"ssh-ed25519") + second.string(neutral + bytes(32))
    forged = second.armored(second.content(LOUIS.seed, MESSAGE, signer=second.blob(neutral), made=made), LABEL)
    assert code_of(MESSAGE, forged, PublicKey(neutral)) == "E-SIGNATURE-SIGNER"


def allowed(folder: Path, key: PublicKey) -> Path:
    path = folder / "allowed_signers"
    path.write_text(f'louis namespaces="pbem" {key.text}\n', "utf-8")
    return path


@pytest.mark.parametrize("message", [b"", MESSAGE, bytes(range(256)) * 300], ids=["empty", "letter", "bytes"])
def test_ssh_keygen_accepts_ours(tmp_path: Path, message: bytes) -> None:
    tool = program("ssh-keygen")
    path = tmp_path / "signature"
    path.write_text(sign(LOUIS, message), "utf-8")
    signers = allowed(tmp_path, LOUIS.public)
    done = run(tool, "-Y", "verify", "-n", "pbem", "-f", signers, "-I", "louis", "-s", path, given=message)
    assert done.returncode == 0, done.stderr
    assert LOUIS.public.fingerprint in done.stdout.decode()
    changed = run(tool, "-Y", "verify", "-n", "pbem", "-f", signers, "-I", "louis", "-s", path, given=message + b"x")
    assert changed.returncode != 0


@pytest.mark.parametrize("hash_name", ["sha512", "sha256"])
def test_we_accept_those_of_ssh_keygen(tmp_path: Path, hash_name: str) -> None:
    tool = program("ssh-keygen")
    key = new_key("louis")
    path = write_private(tmp_path / "id_ed25519", save_private(key, None))
    done = run(tool, "-Y", "sign", "-n", "pbem", "-O", f"hashalg={hash_name}", "-f", path, given=MESSAGE)
    assert done.returncode == 0, done.stderr
    signature = done.stdout.decode()
    verify(key.public, MESSAGE, signature)
    assert code_of(MESSAGE + b"\n", signature, key.public) == "E-SIGNATURE-WRONG"


def test_signatures_for_other_uses_are_refused(tmp_path: Path) -> None:
    path = write_private(tmp_path / "id_ed25519", save_private(LOUIS, None))
    done = run(program("ssh-keygen"), "-Y", "sign", "-n", "git", "-f", path, given=MESSAGE)
    assert code_of(MESSAGE, done.stdout.decode()) == "E-SIGNATURE-NAMESPACE"


def test_the_canonical_bytes_of_a_letter_are_the_message() -> None:
    assert base64.b64decode("".join(VECTORS["good"][0]["signature"].split("\n")[1:-2])) == second.content(
        LOUIS.seed, MESSAGE
    )
