"""Letters as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import hashlib
import re
from typing import Any, NamedTuple

from tests.protocol.second_entries import NAME, Wrong, need
from tests.protocol.second_keys import Unsound, normal
from tests.protocol.second_text import Unreadable, read, write
from tests.seal.second import canonical

HEAD = {
    "pbem": re.compile("1"),
    "kind": re.compile("[a-z]+(-[a-z]+)*"),
    "campaign": NAME,
    "from": NAME,
    "stage": re.compile("[a-z0-9][a-z0-9./_-]{0,79}"),
    "basis": re.compile("[0-9a-f]{8,64}"),
    "seq": re.compile("[1-9][0-9]{0,9}"),
}


class Letter(NamedTuple):
    """A letter that could be read."""

    kind: str
    campaign: str
    sender: str
    seq: int
    stage: str
    basis: str
    body: dict[str, Any]
    signature: str
    signed: bytes
    """Signed bytes; of a letter signed as it is written, the first file that may have been the signed one."""
    id: str
    tidy: str
    """Form of the letter in an entry."""


def digest_of(data: bytes) -> str:
    """The SHA-256."""
    return hashlib.sha256(data).hexdigest()


def letter_of(text: str) -> Letter:
    """The letter in this text; raises `Wrong`."""
    try:
        tree = read(text.encode())
        need(isinstance(tree, dict), "this is no letter")
        if set(tree) == {"pbem", "written", "signature"}:
            return as_written(tree["written"], normal(tree["signature"]))
        need(set(tree) <= {*HEAD, "body", "signature"}, "the head of the letter has a key too many")
        needed = {*HEAD, "body"} - {"stage", "basis"}
        need(needed <= set(tree), "the head of the letter lacks a key")
        for key, form in HEAD.items():
            fits = isinstance(tree.get(key, ""), str) and (key not in tree or form.fullmatch(tree[key]))
            need(bool(fits), f"`{key}` of the letter is malformed")
        armor = tree.pop("signature", "")
        signature = normal(armor) if armor else ""
    except (Unreadable, Unsound) as fault:
        raise Wrong(f"the letter: {fault}") from None
    whole = {**tree, "signature": signature} if signature else tree
    return Letter(
        tree["kind"],
        tree["campaign"],
        tree["from"],
        int(tree["seq"]),
        tree.get("stage", ""),
        tree.get("basis", ""),
        tree["body"] if isinstance(tree["body"], dict) else {},
        signature,
        canonical(tree).encode(),
        digest_of(canonical(whole).encode()),
        write({key: whole[key] for key in sorted(whole)}, 66).decode(),
    )


def as_written(text: str, signature: str) -> Letter:
    """A letter that is signed as it is written."""
    plain = letter_of(text)
    need(not plain.signature and text[0] != "{" and text.rstrip("\n") + "\n" == text, "this is not as it was written")
    whole = {"pbem": "1", "signature": signature, "written": text}
    tidy = write(whole, 66).decode()
    return plain._replace(signature=signature, signed=text.encode(), id=digest_of(canonical(whole).encode()), tidy=tidy)


def files_of(letter: Letter) -> list[bytes]:
    """Files that may have been signed."""
    if letter.signed.startswith(b"{"):
        return [letter.signed]
    bare = letter.signed.decode().rstrip("\n")
    files = [bare + end for end in ("\n", "", "\n\n")]
    broken = [file.replace("\n", breaks) for file in files for breaks in ("\n", "\r\n")]
    return [(mark + file).encode() for file in broken for mark in ("", "\ufeff")]
