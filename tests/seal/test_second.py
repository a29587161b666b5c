"""The second implementation against the published vectors of its parts, and our vectors against it."""

from __future__ import annotations

from tests.seal import make_vectors, second
from tests.seal.tools import VECTORS


def test_hkdf_of_rfc_5869() -> None:
    made = second.hkdf(b"\x0b" * 22, bytes(range(13)), bytes(range(0xF0, 0xFA)), 42)
    assert made.hex() == ("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    made = second.hkdf(b"\x0b" * 22, b"", b"", 42)
    assert made.hex() == ("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")


def test_chacha20_of_rfc_8439() -> None:
    assert second.chacha20(bytes(32), 0).hex() == (
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    )
    assert second.chacha20(bytes(32), 1).hex() == (
        "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
        "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
    )


def test_ed25519_of_rfc_8032() -> None:
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert second.public_of(seed).hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert second.ed25519(seed, b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd"
        "25bf5f0595bbe24655141438e7a100b"
    )


def test_the_files_are_what_the_second_implementation_makes() -> None:
    made = make_vectors.made()
    assert {name: (VECTORS / name).read_text("utf-8") for name in made} == made
