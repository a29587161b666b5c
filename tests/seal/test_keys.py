"""Keys: vectors, files of the real ssh-keygen in both directions, and every key that is refused."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.seal.faults import KeyFault
from pbem.seal.keys import PublicKey, is_sound, load_private, new_key, save_private
from tests.seal import second
from tests.seal.tools import LOUIS, key_of, program, run, vectors, write_private

VECTORS = vectors("keys")
PASSPHRASE = "Königgrätz 1866"


def code_of(data: bytes, passphrase: str | None = None) -> str:
    with pytest.raises(KeyFault) as refusal:
        load_private(data, passphrase)
    return refusal.value.code


@pytest.mark.parametrize("vector", VECTORS["good"], ids=lambda vector: vector["comment"])
def test_vectors(vector: Any) -> None:
    key = PublicKey.parse(vector["line"])
    assert (key.raw.hex(), key.comment) == (vector["public"], vector["comment"])
    assert (key.text, key.fingerprint) == (vector["line"], vector["fingerprint"])
    pair = load_private(save_private(key_of(bytes.fromhex(vector["seed"])), None), None)
    assert pair.public == key


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda vector: vector["name"])
def test_refused_lines(vector: Any) -> None:
    with pytest.raises(KeyFault) as refusal:
        PublicKey.parse(vector["line"])
    assert refusal.value.code == vector["expect"]


@pytest.mark.parametrize("vector", VECTORS["weak"], ids=lambda vector: vector["name"])
def test_weak_keys(vector: Any) -> None:
    with pytest.raises(KeyFault) as refusal:
        PublicKey.parse(second.line(bytes.fromhex(vector["public"]), ""))
    assert refusal.value.code == "E-KEY-WEAK"


def test_all_points_of_small_order_are_in_the_vectors() -> None:
    small = {vector["public"] for vector in VECTORS["weak"] if "order" in vector["name"] or "neutral" in vector["name"]}
    points = {bytes.fromhex(public) for public in small}
    assert len(points) == 9  # the eight, and the neutral one with the other sign


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=15)
def test_honest_keys_are_sound(seed: bytes) -> None:
    public = second.public_of(seed)
    assert PublicKey.parse(second.line(public, "x")).raw == public


@given(st.binary(min_size=32, max_size=32))
def test_sound_keys_are_the_points_of_large_order(raw: bytes) -> None:
    y = int.from_bytes(raw, "little") % 2**255
    x = second.x_of(y, 0)
    is_large = y < second.PRIME and x is not None and second.times(8, (x, y)) != second.NEUTRAL
    assert is_sound(raw) == is_large


def test_comments_do_not_make_another_key() -> None:
    line = LOUIS.public.text
    assert PublicKey.parse(line) == PublicKey.parse(line + " XV") == PublicKey.parse(line.removesuffix(" louis"))
    assert PublicKey.parse(f"  {line} \r\n").text == line
    assert len({PublicKey.parse(line), PublicKey.parse(line + " XV")}) == 1


@pytest.mark.parametrize("comment", ["a\nb", "a\u202eb", "Ko\u0308nig", " a", "x" * 201, "a\0b"])
def test_comments_that_cannot_be_used(comment: str) -> None:
    with pytest.raises(KeyFault) as refusal:
        new_key(comment)
    assert refusal.value.code == "E-KEY-COMMENT"


@pytest.mark.parametrize("passphrase", [None, "", "x", PASSPHRASE, "two\nlines"])
def test_saved_keys_are_read_back(passphrase: str | None) -> None:
    key = new_key("louis@versailles")
    data = save_private(key, passphrase)
    again = load_private(data, passphrase)
    assert (again.seed, again.public) == (key.seed, key.public)
    assert key.public.comment == "louis@versailles"
    if passphrase:
        assert code_of(data) == code_of(data, "") == "E-KEY-PASSPHRASE-MISSING"
        assert code_of(data, passphrase + " ") == "E-KEY-PASSPHRASE-WRONG"
    else:
        assert load_private(data, "a needless passphrase") == again


def test_keys_are_new_and_not_printed() -> None:
    one, two = new_key("a"), new_key("a")
    assert one.seed != two.seed
    assert one.public != two.public
    shown = repr(one) + str(one)
    assert one.seed.hex() not in shown
    assert repr(one.seed) not in shown


def test_files_that_editors_have_touched() -> None:
    data = save_private(LOUIS, PASSPHRASE)
    for touched in (data.replace(b"\n", b"\r\n"), b"\n\n" + data + b"\n", b"  " + data.replace(b"\n", b"\n  ")):
        assert load_private(touched, PASSPHRASE) == LOUIS


@pytest.mark.parametrize("passphrase", [None, "x"])
def test_every_damaged_byte_is_found(passphrase: str | None) -> None:
    lines = save_private(LOUIS, passphrase).split(b"\n")
    for row in range(1, len(lines) - 2):
        for place in range(3, len(lines[row]), 23):
            other = bytearray(lines[row])
            other[place] = ord("A") if other[place] != ord("A") else ord("B")
            data = b"\n".join([*lines[:row], bytes(other), *lines[row + 1 :]])
            assert code_of(data, passphrase).startswith("E-KEY-"), (row, place)


@pytest.mark.parametrize(
    ("rounds", "code"),
    [
        (b"\0\0\0\2", "E-KEY-PASSPHRASE-WRONG"),
        (b"\0\0\1\1", "E-KEY-ROUNDS"),
        (b"\0\1\0\1", "E-KEY-ROUNDS"),
        (b"\0\0\0\1\0\0\0\1", "E-KEY-DAMAGED"),
        (b"", "E-KEY-DAMAGED"),
    ],
)
def test_a_number_of_rounds_that_would_take_long_is_refused(rounds: bytes, code: str) -> None:
    data = save_private(LOUIS, "x")
    content = base64.b64decode(b"".join(data.split(b"\n")[1:-2]))
    at = content.index(b"bcrypt") + 6
    salt = content[at + 4 : at + 24]
    settings = salt + rounds
    changed = content[:at] + len(settings).to_bytes(4, "big") + settings + content[at + 28 :]
    assert code_of(second.armored(changed, "OPENSSH PRIVATE KEY").encode(), "x") == code


def test_a_passphrase_that_no_program_takes_is_refused() -> None:
    with pytest.raises(KeyFault) as refusal:
        save_private(LOUIS, "x" * 1024)
    assert refusal.value.code == "E-KEY-PASSPHRASE-LONG"
    assert code_of(save_private(LOUIS, "x" * 1023), "x" * 1024) == "E-KEY-PASSPHRASE-LONG"


def test_what_is_no_private_key() -> None:
    data = save_private(LOUIS, None)
    assert code_of(b"") == "E-KEY-FORMAT"
    assert code_of(b"\xff\xfe\0\x01") == "E-KEY-FORMAT"
    assert code_of(b"PuTTY-User-Key-File-3: ssh-ed25519\n") == "E-KEY-FORMAT"
    assert code_of(b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n") == "E-KEY-FORMAT"
    assert code_of(LOUIS.public.text.encode()) == "E-KEY-PUBLIC"
    assert code_of(data[:100]) == "E-KEY-DAMAGED"
    assert code_of(data.replace(b"AAAA", b"BBBB")) == "E-KEY-DAMAGED"
    assert code_of(data + bytes(20_000)) == "E-KEY-SIZE"


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_words(data: bytes) -> None:
    assert code_of(data, "x").startswith("E-KEY-")
    inside = b"openssh-key-v1\0" + data
    assert code_of(second.armored(inside, "OPENSSH PRIVATE KEY").encode(), "x").startswith("E-KEY-")


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_ssh_keygen_makes_keys_that_we_read(tmp_path: Path, passphrase: str) -> None:
    tool = program("ssh-keygen")
    path = tmp_path / "id_ed25519"
    done = run(tool, "-q", "-t", "ed25519", "-N", passphrase, "-C", "louis@versailles", "-f", path)
    assert done.returncode == 0, done.stderr
    key = load_private(path.read_bytes(), passphrase or None)
    line = path.with_suffix(".pub").read_text("utf-8").strip()
    assert key.public == PublicKey.parse(line)
    assert PublicKey.parse(line).text == line
    assert key.public.fingerprint in run(tool, "-l", "-f", path.with_suffix(".pub")).stdout.decode()


@pytest.mark.parametrize("passphrase", ["", PASSPHRASE])
def test_ssh_keygen_reads_the_keys_that_we_make(tmp_path: Path, passphrase: str) -> None:
    tool = program("ssh-keygen")
    key = new_key("")
    path = write_private(tmp_path / "id_ed25519", save_private(key, passphrase or None))
    done = run(tool, "-y", "-P", passphrase, "-f", path)
    assert done.stdout.decode().strip() == key.public.text
    assert bool(run(tool, "-y", "-P", "wrong", "-f", path).returncode) == bool(passphrase)


@pytest.mark.parametrize(
    ("cipher", "expect"),
    [
        ("aes256-ctr", ""),
        ("aes256-cbc", ""),
        ("aes256-gcm@openssh.com", ""),
        ("chacha20-poly1305@openssh.com", "CIPHER"),
    ],
)
def test_ciphers_of_ssh_keygen(tmp_path: Path, cipher: str, expect: str) -> None:
    path = tmp_path / "key"
    done = run(program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "secret", "-Z", cipher, "-a", "2", "-f", path)
    assert done.returncode == 0, done.stderr
    if expect:
        assert code_of(path.read_bytes(), "secret") == f"E-KEY-{expect}"
    else:
        assert load_private(path.read_bytes(), "secret").public.text in path.with_suffix(".pub").read_text("utf-8")
        assert code_of(path.read_bytes(), "Secret") == "E-KEY-PASSPHRASE-WRONG"


@pytest.mark.parametrize("kind", ["rsa", "ecdsa"])
@pytest.mark.parametrize("passphrase", ["", "secret"])
def test_other_kinds_of_ssh_keygen(tmp_path: Path, kind: str, passphrase: str) -> None:
    path = tmp_path / "key"
    bits = ["-b", "1024"] if kind == "rsa" else []
    done = run(program("ssh-keygen"), "-q", "-t", kind, *bits, "-N", passphrase, "-a", "2", "-f", path)
    assert done.returncode == 0, done.stderr
    assert code_of(path.read_bytes(), None) == "E-KEY-KIND"
    with pytest.raises(KeyFault) as refusal:
        PublicKey.parse(path.with_suffix(".pub").read_text("utf-8"))
    assert refusal.value.code == "E-KEY-KIND"


def test_messages_hold_nothing_secret() -> None:
    data = save_private(LOUIS, "secret words")
    for given_data, passphrase in ((data, "other words"), (data, None), (data[:200], "secret words")):
        with pytest.raises(KeyFault) as refusal:
            load_private(given_data, passphrase)
        told = str(refusal.value)
        assert "words" not in told
        assert not any(row.decode() in told for row in data.split(b"\n")[1:-2])
        assert refusal.value.__suppress_context__ or refusal.value.__context__ is None
