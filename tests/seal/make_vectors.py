"""The vectors of `tests/seal/vectors/`, made by the second implementation: `python -m tests.seal.make_vectors`."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from tests.seal import second

VECTORS = Path(__file__).parent / "vectors"
SEEDS = {"louis": bytes(range(32)), "maria": bytes(range(32, 64))}
MESSAGE = b'{"campaign":"vienna-1741","kind":"orders","pbem":"1"}'
ROOT = bytes.fromhex("a0" * 32)


def canonical() -> Any:
    """Trees with their canonical form, and trees that have none."""
    trees = {
        "a text": "Schweidnitz",
        "nothing": {"list": [], "mapping": {}, "text": ""},
        "what is escaped": '\b\t\n\f\r"\\/\x00\x1f\x7f\x85\u2028€',
        "words and numbers stay texts": {"no": "no", "time": "12:30", "zeros": "010", "none": "null", "minus": "-0"},
        "keys by UTF-16, not by code point": {"＃": "FF03", "😀": "D83D DE00", "ö": "F6", "1": "31", "": "empty"},
        "keys of capitals, digits and signs": {
            "b": "",
            "B": "",
            "a/b": "",
            "a": "",
            "10": "",
            "9": "",
            "_": "",
            "-": "",
        },
        "a letter": {
            "pbem": "1",
            "kind": "orders",
            "campaign": "vienna-1741",
            "body": {"marches": [{"Friedrich": ["Jauer", "Schweidnitz"]}, {"Königgrätz": "♠7"}]},
        },
    }
    good = [{"name": name, "tree": tree, "canonical": second.canonical(tree)} for name, tree in trees.items()]
    refused: list[dict[str, Any]] = [
        {"name": "a number", "tree": {"a": 1}, "expect": "E-CANONICAL-KIND"},
        {"name": "a truth value", "tree": [True], "expect": "E-CANONICAL-KIND"},
        {"name": "nothing", "tree": {"a": None}, "expect": "E-CANONICAL-KIND"},
        {"name": "a decomposed text", "tree": ["Ko\u0308nig"], "expect": "E-CANONICAL-NFC"},
        {"name": "a decomposed key", "tree": {"Ko\u0308nig": ""}, "expect": "E-CANONICAL-NFC"},
        {"name": "a letter that NFC takes apart", "tree": {"\ufb33": ""}, "expect": "E-CANONICAL-NFC"},
        {"name": "half a character", "tree": "\ud83d", "expect": "E-CANONICAL-TEXT"},
    ]
    return {"good": good, "refused": refused}


def keys() -> Any:
    """Lines of public keys, and lines that are none."""
    good = []
    for name, seed in SEEDS.items():
        public = second.public_of(seed)
        entry = {"seed": seed.hex(), "public": public.hex(), "comment": name}
        good.append(entry | {"line": second.line(public, name), "fingerprint": second.fingerprint(public)})
    written = second.line(second.public_of(SEEDS["louis"]), "")
    rsa = base64.b64encode(second.string(b"ssh-rsa") + second.string(b"\1\0\1") + second.string(b"\1" * 64)).decode()
    longer = base64.b64encode(second.blob(second.public_of(SEEDS["louis"])) + b"\0").decode()
    shorter = base64.b64encode(second.blob(bytes(31))).decode()
    refused = {
        "nothing": ("", "E-KEY-FORMAT"),
        "a word": ("louis", "E-KEY-FORMAT"),
        "no base64": ("ssh-ed25519 AAAA-_==", "E-KEY-FORMAT"),
        "options before it": ("no-pty " + written, "E-KEY-FORMAT"),
        "another kind": (f"ssh-rsa {rsa} louis", "E-KEY-KIND"),
        "another kind inside": (f"ssh-ed25519 {rsa}", "E-KEY-KIND"),
        "a hardware key": ("sk-ssh-ed25519@openssh.com AAAA", "E-KEY-KIND"),
        "a byte more": (f"ssh-ed25519 {longer}", "E-KEY-DAMAGED"),
        "a byte less": (f"ssh-ed25519 {shorter}", "E-KEY-DAMAGED"),
        "cut": (written[:-8], "E-KEY-DAMAGED"),
        "two lines": (written + " louis\n" + written, "E-KEY-COMMENT"),
        "a private key": ("-----BEGIN OPENSSH PRIVATE KEY-----", "E-KEY-PRIVATE"),
    }
    refusals = [{"name": name, "line": text, "expect": code} for name, (text, code) in refused.items()]
    weak = [
        {"name": "the neutral point", "public": second.encoded(second.NEUTRAL).hex()},
        {"name": "order 2", "public": (second.PRIME - 1).to_bytes(32, "little").hex()},
        {"name": "order 4", "public": bytes(32).hex()},
        {"name": "order 4, other sign", "public": (1 << 255).to_bytes(32, "little").hex()},
        *({"name": "order 8", "public": second.encoded(point).hex()} for point in points_of_order_eight()),
        {"name": "the neutral point, other sign", "public": (1 | 1 << 255).to_bytes(32, "little").hex()},
        {"name": "the prime for 0", "public": second.PRIME.to_bytes(32, "little").hex()},
        {"name": "all bits", "public": "ff" * 32},
        {"name": "no point of the curve", "public": (2).to_bytes(32, "little").hex()},
    ]
    return {"good": good, "refused": refusals, "weak": weak}


def points_of_order_eight() -> list[tuple[int, int]]:
    """The four points that have to be added to themselves eight times."""
    y = next(y for y in range(2, 100) if second.x_of(y, 0) is not None and has_order_eight(torsion(y)))
    start = torsion(y)
    return [second.times(factor, start) for factor in (1, 3, 5, 7)]


def torsion(y: int) -> tuple[int, int]:
    """Rest of a point without its part of large order."""
    return second.times(second.ORDER, (second.x_of(y, 0) or 0, y))


def has_order_eight(point: tuple[int, int]) -> bool:
    """True if not even four times the point is the neutral one."""
    return second.times(4, point) != second.NEUTRAL


def signatures() -> Any:
    """Good signatures of both hashes, and one fault in each of the others."""
    seed = SEEDS["louis"]
    label = "SSH SIGNATURE"
    good = [
        {"hash": name, "signature": second.armored(second.content(seed, MESSAGE, hash=name.encode()), label)}
        for name in ("sha512", "sha256")
    ]
    pure = second.content(seed, MESSAGE)
    ecdsa = second.string(b"ecdsa-sha2-nistp256") + second.string(b"nistp256") + second.string(b"\4" * 65)
    short = second.string(b"ssh-ed25519") + second.string(bytes(63))
    rsa = second.string(b"rsa-sha2-512") + second.string(bytes(64))
    high = second.ed25519(seed, signed(MESSAGE))
    high = high[:32] + (int.from_bytes(high[32:], "little") + second.ORDER).to_bytes(32, "little")
    contents = {
        "another namespace": (second.content(seed, MESSAGE, namespace=b"git"), "E-SIGNATURE-NAMESPACE"),
        "no namespace": (second.content(seed, MESSAGE, namespace=b""), "E-SIGNATURE-NAMESPACE"),
        "the namespace and a null": (second.content(seed, MESSAGE, namespace=b"pbem\0"), "E-SIGNATURE-NAMESPACE"),
        "another magic": (second.content(seed, MESSAGE, magic=b"SSHSIH"), "E-SIGNATURE-FORMAT"),
        "version 2": (second.content(seed, MESSAGE, version=b"\0\0\0\2"), "E-SIGNATURE-FORMAT"),
        "something reserved": (second.content(seed, MESSAGE, reserved=b"x"), "E-SIGNATURE-FORMAT"),
        "another hash": (second.content(seed, MESSAGE, hash=b"sha1"), "E-SIGNATURE-HASH"),
        "a hash nobody knows": (second.content(seed, MESSAGE, hash=b"SHA512"), "E-SIGNATURE-HASH"),
        "a byte more": (second.content(seed, MESSAGE, more=b"\0"), "E-SIGNATURE-FORMAT"),
        "a field more": (second.content(seed, MESSAGE, more=second.string(b"")), "E-SIGNATURE-FORMAT"),
        "a byte less": (pure[:-1], "E-SIGNATURE-FORMAT"),
        "nothing but the magic": (pure[:10], "E-SIGNATURE-FORMAT"),
        "a length beyond the end": (pure[:10] + b"\xff\xff\xff\xff" + pure[14:], "E-SIGNATURE-FORMAT"),
        "a short Ed25519": (second.content(seed, MESSAGE, made=short), "E-SIGNATURE-FORMAT"),
        "a signature of another kind": (second.content(seed, MESSAGE, made=rsa), "E-SIGNATURE-FORMAT"),
        "a key of another kind": (second.content(seed, MESSAGE, signer=ecdsa), "E-SIGNATURE-SIGNER"),
        "a weak key": (second.content(seed, MESSAGE, signer=second.blob(second.encoded((0, 1)))), "E-SIGNATURE-SIGNER"),
        "another player's": (second.content(SEEDS["maria"], MESSAGE), "E-SIGNATURE-KEY"),
        "another's under this name": (
            second.content(SEEDS["maria"], MESSAGE, signer=second.blob(second.public_of(seed))),
            "E-SIGNATURE-WRONG",
        ),
        "another message": (second.content(seed, MESSAGE + b" "), "E-SIGNATURE-WRONG"),
        "the order of the group added to s": (
            second.content(seed, MESSAGE, made=second.string(b"ssh-ed25519") + second.string(high)),
            "E-SIGNATURE-WRONG",
        ),
    }
    refused = [
        {"name": name, "signature": second.armored(data, label), "expect": code}
        for name, (data, code) in contents.items()
    ]
    text = second.armored(pure, label)
    armors = {
        "nothing": "",
        "no armor": base64.b64encode(pure).decode(),
        "no end": text.replace("-----END SSH SIGNATURE-----", ""),
        "another armor": second.armored(pure, "PGP SIGNATURE"),
        "text before it": "Dear moderator,\n" + text,
        "text behind it": text + "-- \nLouis\n",
        "twice": text + text,
        "quoted": text.replace("\n", "\n> "),
        "a lost letter": text.replace("U1NIU0lH", "U1NIU0l"),
        "padding in the middle": text.replace("U1NIU0lH", "U1NI===="),
        "the other alphabet": text.replace("U1NIU0lH", "U1NIU0l_"),
        "a no-break space": text.replace("\nU1NI", "\n\u00a0U1NI"),
        "very long": text + "\n" * 5000,
    }
    refused += [{"name": name, "signature": armor, "expect": "E-SIGNATURE-ARMOR"} for name, armor in armors.items()]
    return {"seed": seed.hex(), "message": MESSAGE.decode(), "good": good, "refused": refused}


def signed(message: bytes) -> bytes:
    """Bytes that Ed25519 signs for a message, under SHA-512."""
    parts = [b"pbem", b"", b"sha512", hashlib.sha512(message).digest()]
    return b"SSHSIG" + b"".join(second.string(part) for part in parts)


def commitments() -> Any:
    """Commitments whose fields could be mistaken for each other."""
    slots = [
        ("vienna-1741", "3/prussia", "prussia", "politics", "11" * 32, '{"card":"♠7"}'),
        ("vienna-1741", "3/prussia", "prussia", "politics", "12" * 32, '{"card":"♠7"}'),
        ("vienna-1741", "3/prussiap", "russia", "politics", "11" * 32, '{"card":"♠7"}'),
        ("vienna-1741", "3/prussia", "prussiapolitics", "", "11" * 32, '{"card":"♠7"}'),
        ("", "", "", "", "00" * 32, ""),
        ("Königgrätz", "winter", "österreich", "battle/4", "ff" * 32, "[]"),
    ]
    names = ("campaign", "stage", "power", "slot", "salt", "body")
    return [
        dict(zip(names, slot, strict=True))
        | {"commitment": second.commitment(*slot[:4], bytes.fromhex(slot[4]), slot[5].encode())}
        for slot in slots
    ]


def deal() -> Any:
    """Roots, shuffles and their hashes."""
    roots = []
    for campaign, secret, entropies in (
        ("vienna-1741", "01" * 32, ["02" * 32, "03" * 32, "04" * 32]),
        ("vienna-1741", "01" * 32, ["03" * 32, "02" * 32, "04" * 32]),
        ("königgrätz", "ff" * 32, ["00" * 32]),
    ):
        salt = bytes.fromhex("".join(entropies))
        commitment = second.sha256(second.fields(b"pbem/secret/1", bytes.fromhex(secret)))
        root = second.hkdf(bytes.fromhex(secret), salt, campaign.encode(), 32).hex()
        entry = {"campaign": campaign, "secret": secret, "entropies": entropies}
        roots.append(entry | {"commitment": commitment, "root": root})
    shuffles = []
    for number, cards in ((0, list(range(38))), (1, list(range(38))), (1741, [7, 3, 11]), (2, [5]), (3, [])):
        order = second.shuffle(ROOT, number, cards)
        salts = [second.salt_of(ROOT, number, place, card) for place, card in enumerate(order)]
        hashes = [second.position_hash(number, place, salts[place], card) for place, card in enumerate(order)]
        texts = {"salts": [salt.hex() for salt in salts], "hashes": hashes}
        shuffles.append({"number": number, "cards": cards, "order": order, **texts})
    labels = [("picture", 16), ("picture", 40), ("", 32), ("reports/österreich", 32)]
    derived = [
        {"label": label, "size": size, "derived": second.hkdf(ROOT, b"", label.encode(), size).hex()}
        for label, size in labels
    ]
    return {"roots": roots, "root": ROOT.hex(), "shuffles": shuffles, "derived": derived}


def shares() -> Any:
    """Keys in parts, and points and parts that are none."""
    good = []
    for seed, others, people in (("11" * 32, [5], 3), ("fe" * 32, [second.ORDER - 1, 7], 4), ("00" * 32, [1, 2, 3], 9)):
        good.append(
            {"seed": seed, "others": list(map(str, others))} | second.key_in_parts(bytes.fromhex(seed), others, people)
        )
    points = {
        "the neutral point": second.encoded(second.NEUTRAL).hex(),
        "a point of order two": (second.PRIME - 1).to_bytes(32, "little").hex(),
        "a point of another group": second.encoded(second.add(second.BASE, (0, second.PRIME - 1))).hex(),
        "off the curve": (2).to_bytes(32, "little").hex(),
        "y not below the prime": (second.PRIME + 1).to_bytes(32, "little").hex(),
    }
    refused = [{"name": name, "point": point, "expect": "E-SHARE-POINT"} for name, point in points.items()]
    return {"good": good, "refused": refused}


def made() -> dict[str, str]:
    """Every file with its text."""
    found = {
        "canonical": canonical(),
        "keys": keys(),
        "signature": signatures(),
        "commitment": commitments(),
        "deal": deal(),
        "shares": shares(),
    }
    return {f"{name}.json": json.dumps(data, indent=1) + "\n" for name, data in found.items()}


if __name__ == "__main__":
    for name, text in made().items():
        (VECTORS / name).write_text(text, "utf-8")
