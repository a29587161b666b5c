"""Letters. A letter has a fixed head, a body that depends on its kind, and a signature over the content, independent of
layout.

The signature covers the tree of texts that the strict reader finds, in canonical form. So a copy that is indented,
quoted, wrapped or ordered differently is the same letter, and a copy with another content is another letter. The
program must not read anything from a letter that is not in this tree. Therefore the keys of `Letter.body` are in
canonical order, and an empty text in quotes is the same as nothing.

A letter that was signed by hand (`as_written.py`) has the whole text of the file in its tree."""

from __future__ import annotations

import hashlib
import re
import typing
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.faults.wrong import Words, words, wrong
from pbem.paper import as_written
from pbem.paper.documents.characters import SPACES, as_utf8
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import Names, as_quoted
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import (
    DocumentLimits,
    MappingNode,
    Node,
    SequenceNode,
    Text,
    plain_mapping,
    read_yaml,
    with_offset,
)
from pbem.paper.documents.writing import WIDTH, Value, write
from pbem.paper.letter_kinds import KINDS, STAGED, Kind
from pbem.seal.canonical import Tree, canonical, utf16_order
from pbem.seal.faults import BadSignature, SealFault

if TYPE_CHECKING:
    from pbem.seal.keys import PublicKey, Signer

LETTER = DocumentLimits(nodes=20_000, takes_spaces=True)
"""Limits of size and depth for every letter."""


class _Form(Struct, frozen=True):
    """Form that the value under one key of the head must have."""

    code: str
    pattern: re.Pattern[str]

    @property
    def hint(self) -> Words:
        """Words with which a fault describes the form."""
        return Words(self.code, (("kinds", KINDS),), "hint")


_NAME = re.compile("[a-z0-9][a-z0-9-]{0,39}")
_FORMS = {
    "pbem": _Form("E-LETTER-FORMAT", re.compile("1")),
    "kind": _Form("E-LETTER-KIND", re.compile("|".join(KINDS))),
    "campaign": _Form("E-LETTER-CAMPAIGN", _NAME),
    "from": _Form("E-LETTER-FROM", _NAME),
    "stage": _Form("E-LETTER-STAGE", re.compile(r"[a-z0-9][a-z0-9./_-]{0,79}")),
    "basis": _Form("E-LETTER-BASIS", re.compile("[0-9a-f]{8,64}")),
    "seq": _Form("E-LETTER-SEQ", re.compile("[1-9][0-9]{0,9}")),
}
_NAMES = {key: _FORMS[key].pattern for key in ("kind", "campaign", "from")}
_ALWAYS = ("pbem", "kind", "campaign", "from", "seq", "body")
_FROM_SHEET = ("seq", "basis")
"""Keys that may be missing in an unsigned letter, because they can be taken from the sheet that it answers."""
_KEYS = (*_FORMS, "body", "signature")

WIDE = 72
"""Greatest width, in characters, of a letter with encrypted parts. The lines of these parts have 64 characters and are
indented by 8. They must not be broken."""

_ARMOR = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----\s([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*")
_ARMOR_WIDTH = 64
_WRITTEN = ("pbem", "written", "signature")
"""Keys of a letter whose signature covers the text as it is written."""

_SMALL = 8 * 1024
"""Greatest size, in bytes, of a letter that is cached. Larger letters are not cached, so that an attacker cannot fill
the memory with them."""


class Letter(Struct, frozen=True):
    """Letter that could be read. Its signature has not been checked; see `check_signature`."""

    kind: Kind
    campaign: str
    sender: str
    seq: int
    """Number of the letter; 0 if it has none."""
    stage: str
    """Stage for which the letter is written; empty if it names none."""
    basis: str
    """Digest of the public state that the letter's writer saw; empty if it names none."""
    body: Node
    signature: str
    """Armor of the signature, in lines of the usual width. It is empty for an unsigned letter."""
    tree: dict[str, Tree]
    """Content that the signature covers: all but the signature itself, as plain texts."""
    text: str
    """Text of the letter as it came, but with ordinary spaces. If keys were corrected or added, the text was written
    anew by the program."""
    line: int = 1
    column: int = 1
    """Column at which the letter begins in the text around it, counted from 1."""
    places: dict[str, tuple[int, int]] = {}
    """Line and column of each key, in the text around the letter."""

    @property
    def is_as_written(self) -> bool:
        """True if the signature covers the text of the letter, byte for byte."""
        return "written" in self.tree

    def with_offset(self, lines: int, columns: int = 0) -> Letter:
        """Return the letter with its places in a longer text. In this text it begins `lines` further down and `columns`
        further right."""
        body, places = with_offset(self.body, lines, columns), self.places.items()
        moved = {key: (line + lines, column + columns) for key, (line, column) in places}
        return replace(self, body=body, line=self.line + lines, column=self.column + columns, places=moved)

    @property
    def missing_keys(self) -> tuple[str, ...]:
        """Keys that are missing in the head and can be taken from the sheet."""
        given = {"seq": self.seq, "basis": self.basis or self.kind not in STAGED}
        return tuple(key for key in _FROM_SHEET if not given[key])


def read_letter(content: bytes, name: str, *, may_lack: bool = False) -> Letter:
    """Parse a letter, and return it. Callers must not change it, because it may be cached. Raises `Refused` with all
    faults of its head. If `may_lack` is true, the keys that can be taken from the sheet may be missing in an unsigned
    letter (see `Letter.missing_keys`)."""
    if len(content) > _SMALL:
        return _read(content, name, may_lack)
    try:
        return _cached_letter(content, may_lack)
    except Refused as refused:
        raise Refused(name, refused.faults) from None


def _read(content: bytes, name: str, may_lack: bool = False) -> Letter:
    is_armored = as_written.BEGIN.encode() in content
    if is_armored and (parts := as_written.text_and_armor(as_utf8(content, name, LETTER.size))):
        return _read_as_written(name, *parts)
    came = read_yaml(content, name, LETTER)
    if isinstance(came, MappingNode) and set(came.items) == set(_WRITTEN):
        tree = plain_mapping(came)
        if isinstance(text := tree["written"], str) and isinstance(armor := tree["signature"], str):
            return _read_as_written(name, text, armor)
    node = as_written.with_small_keys(came, _NAMES)
    if not isinstance(node, MappingNode):
        raise Refused(name, [Fault.at(node.line, node.column, wrong("E-LETTER-FORM"))])
    reader = Reader(name)
    _check_keys(reader, node, () if "signature" in node.items or not may_lack else _FROM_SHEET)
    head = {key: _value(reader, key, node.items[key]) for key in _FORMS if key in node.items}
    signature = _armor(reader, node.items.get("signature"))
    reader.refuse()
    tree = plain_mapping(node)
    tree.pop("signature", None)
    return Letter(
        kind=typing.cast(Kind, head["kind"]),
        campaign=head["campaign"],
        sender=head["from"],
        seq=int(head.get("seq", 0)),
        stage=head.get("stage", ""),
        basis=head.get("basis", ""),
        body=as_signed(node.items["body"]),
        signature=signature,
        tree=tree,
        text=SPACES.sub(" ", as_utf8(content, name, LETTER.size)) if node is came else write(tree),
        places=dict(node.places),
    )


def _read_nameless(content: bytes, may_lack: bool) -> Letter:
    return _read(content, "letter", may_lack)


_cached_letter = lru_cache(maxsize=64)(_read_nameless)


def _read_as_written(name: str, text: str, armor: str) -> Letter:
    """Parse a letter whose signature `armor` covers its text, byte for byte. Raises `Refused` if the text had to be
    corrected, or could also be read as another letter."""
    letter = read_letter(text.encode(), name)
    found = _ARMOR.fullmatch(armor)
    signature = normal_armor(armor) if found else ""
    tree: dict[str, Tree] = {"pbem": "1", "written": text}
    kept = as_written.faithful_file({**tree, "signature": signature}, WIDE, LETTER)
    # If the text began with a bracket, it could be the canonical form of another letter, and the signature would be
    # valid for that letter as well.
    if not found or not kept or text[0] == "{" or letter.signature or text != as_written.normal_text(letter.text):
        raise Refused(name, [Fault.at(letter.line, letter.column, wrong("E-LETTER-WRITTEN"))])
    return replace(letter, signature=signature, tree=tree, text=kept)


def completed_tree(letter: Letter, seq: int, basis: str) -> dict[str, Tree]:
    """Return the content of a letter, with the missing keys of its head filled in. `seq` and `basis` are the values for
    the keys of these names."""
    given = _given(letter, seq, basis)
    return {key: {**letter.tree, **given}[key] for key in _KEYS if key in letter.tree or key in given}


def _given(letter: Letter, seq: int, basis: str) -> dict[str, Tree]:
    given: dict[str, Tree] = {"seq": str(seq)} if not letter.seq else {}
    return given | ({"basis": basis} if letter.kind in STAGED and not letter.basis else {})


def completed_letter(letter: Letter, seq: int, basis: str) -> Letter:
    """Return the letter with the missing keys of its head filled in, as by `completed_tree`. In the text these keys
    stand behind the body if possible, so that faults name the lines of the text that was sent."""
    if not letter.missing_keys:
        return letter
    tree = completed_tree(letter, seq, basis)
    text = f"{letter.text.rstrip()}\n{write(_given(letter, seq, basis))}"
    if not _is_text_of(text, tree):
        text = write(tree)
    return replace(letter, seq=letter.seq or seq, basis=str(tree.get("basis", "")), tree=tree, text=text)


def _is_text_of(text: str, tree: Mapping[str, Tree]) -> bool:
    try:
        return read_letter(text.encode(), "letter").tree == tree
    except Refused:
        return False


def signed_bytes(letter: Letter) -> bytes:
    """Return the bytes that the letter's signature covers."""
    text = letter.tree.get("written")
    return text.encode() if isinstance(text, str) else canonical(letter.tree)


def letter_id(letter: Letter) -> str:
    """Return the SHA-256 of the letter and its signature. It is the same for all copies."""
    return hashlib.sha256(canonical(whole_tree(letter))).hexdigest()


def whole_tree(letter: Letter) -> dict[str, Tree]:
    """Return the content of the letter together with its signature, in the form in which another letter can contain
    it."""
    return {**letter.tree, "signature": letter.signature} if letter.signature else letter.tree


def file_digest(content: bytes) -> str:
    """Return the SHA-256 of a text file. It is the same for line ends of Windows and of Unix."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()


def write_letter(head: Mapping[str, str | int], body: Value, width: int = WIDTH) -> str:
    """Return the text of an unsigned letter. The keys of `head` must be spelt as in the file (`from`, not `sender`).
    Raises `Refused` if the head cannot be read back, and `ValueError` for text that no file may contain."""
    return _unsigned_letter(head, body, width).text


def write_signed(head: Mapping[str, str | int], body: Value, key: Signer) -> str:
    """Return the text of a signed letter, made of a head and body that come from the program. A long letter is read
    back to check it. A short one cannot exceed the limits of letters, and needs no check."""
    return _signed_text(_unsigned_letter(head, body), key, is_ours=True)


def _unsigned_letter(head: Mapping[str, str | int], body: Value, width: int = WIDTH) -> Letter:
    given: dict[str, Value] = {"pbem": 1, **head}
    document = {key: given[key] for key in _FORMS if given.get(key, "") != ""}
    document |= {key: value for key, value in given.items() if key not in _FORMS}
    return read_letter(write({**document, "body": body}, width).encode("utf-8"), "letter")


def sign_letter(text: str, key: Signer) -> str:
    """Return a letter with its signature, which is the last key. An earlier signature is replaced. If possible, the
    layout is not changed."""
    letter = read_letter(text.encode("utf-8"), "letter")
    return _signed_text(read_letter(signed_bytes(letter), "letter") if letter.is_as_written else letter, key)


def _signed_text(letter: Letter, key: Signer, is_ours: bool = False) -> str:
    from pbem.seal.signature import sign

    signature = normal_armor(sign(key, signed_bytes(letter)))
    # In a letter that the program writes, the signature is the last key.
    kept = re.split(r"(?m)^signature:", letter.text, maxsplit=1)[0]
    signed = (kept if kept.endswith("\n") else kept + "\n") + write({"signature": signature})
    # A text that comes from the program can only exceed the limits of size. A short text does not.
    is_sound = (is_ours and len(signed) < LETTER.nodes) or _is_same_letter(signed, letter, signature)
    return signed if is_sound else write({**letter.tree, "signature": signature}, WIDE)


def check_signature(letter: Letter, public: PublicKey) -> None:
    """Check that this key has signed the letter. Raises `BadSignature` if the letter is unsigned, was altered, or is
    signed by another key."""
    from pbem.seal.signature import verify

    if not letter.signature:
        raise BadSignature(wrong("E-LETTER-UNSIGNED.join" if letter.kind == "join" else "E-LETTER-UNSIGNED"))
    text = letter.tree.get("written")
    *others, usual = [*as_written.signed_forms(text)][::-1] if isinstance(text, str) else [signed_bytes(letter)]
    for form in others:
        with suppress(BadSignature):
            return verify(public, form, letter.signature)
    return verify(public, usual, letter.signature)


def has_signed(public: PublicKey, letter: Letter) -> bool:
    try:
        check_signature(letter, public)
    except SealFault:
        return False
    return True


def was_damaged(codes: Collection[str], kind: str) -> bool:
    """True if faults with these codes show that a letter was damaged on its way. Then it only has to be sent again.
    `kind` is empty for a letter that could not be read."""
    return bool({"E-TEXT-ARMOR", "E-TEXT-CUT"} & set(codes)) or (kind == "join" and "E-LETTER-UNSIGNED" in codes)


def _check_keys(reader: Reader, node: MappingNode, may_lack: tuple[str, ...]) -> None:
    """Add a fault for each unknown key of a head, and for each key that is missing although letters of this kind need
    it. The keys in `may_lack` may be missing."""
    known = Names(_KEYS)
    for key in node.items:
        if key not in known:
            what = wrong("E-LETTER-KEY", hint=known.suggestion(key) or None, key=as_quoted(key))
            reader.add(Fault.at(*node.places[key], what))
    kind = node.items.get("kind")
    staged = isinstance(kind, Text) and kind.value in STAGED
    for key in (*_ALWAYS, *(("stage", "basis") if staged else ())):
        if key not in node.items and key not in may_lack:
            hint = _FORMS[key].hint if key in _FORMS else None
            reader.note(node, wrong("E-LETTER-MISSING", hint=hint, key=key))


def _value(reader: Reader, key: str, node: Node) -> str:
    """Return the value under one key of the head. If it has a wrong form, add a fault and return an empty text."""
    form = _FORMS[key]
    if isinstance(node, Text) and form.pattern.fullmatch(node.value):
        return node.value
    what = as_quoted(node.value) if isinstance(node, Text) and node.value else words("written-here")
    reader.note(node, wrong(form.code, hint=form.hint, what=what, key=key))
    return ""


def _armor(reader: Reader, node: Node | None) -> str:
    """Return the armor of the signature, in lines of the usual width. Return an empty text if there is no signature, or
    after a fault."""
    if node is None or (isinstance(node, Text) and not node.value):
        return ""
    if isinstance(node, Text) and _ARMOR.fullmatch(node.value):
        return normal_armor(node.value)
    reader.note(node, wrong("E-LETTER-SIGNATURE"))
    return ""


def normal_armor(armored: str) -> str:
    """Return an armor in lines of the usual width. So copies with other line breaks become equal."""
    found = _ARMOR.fullmatch(armored)
    assert found, "a signature is armored"
    code = "".join(found[1].split())
    lines = [code[at : at + _ARMOR_WIDTH] for at in range(0, len(code), _ARMOR_WIDTH)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def as_signed(node: Node) -> Node:
    """Return a document as a signature covers it: the keys are sorted, and an empty text in quotes becomes an empty
    value. Places do not change."""
    match node:
        case Text():
            return node if node.value or not node.quoted else Text("", node.line, node.column)
        case SequenceNode():
            return SequenceNode(tuple(as_signed(item) for item in node.items), node.line, node.column)
        case MappingNode():
            keys = utf16_order(node.items)
            items = {key: as_signed(node.items[key]) for key in keys}
            return MappingNode(items, {key: node.places[key] for key in keys}, node.line, node.column)


def _is_same_letter(text: str, letter: Letter, signature: str) -> bool:
    try:
        found = read_letter(text.encode("utf-8"), "letter")
    except Refused:
        return False
    return found.tree == letter.tree and found.signature == signature
