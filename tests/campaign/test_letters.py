"""Letters: a copy in another layout is the same letter, and a letter that says anything else is not."""

from __future__ import annotations

import json
import re
import unicodedata
from copy import deepcopy
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pbem.campaign.letters.joining import entry_text
from pbem.campaign.letters.letterbox import letter_to_hold
from pbem.paper.documents.characters import SMILEY_STYLE, UNWANTED
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import MappingNode, Text, bare
from pbem.paper.documents.writing import write
from pbem.paper.letter_kinds import KINDS, STAGED
from pbem.paper.letters import (
    Letter,
    check_signature,
    completed_letter,
    letter_id,
    read_letter,
    sign_letter,
    signed_bytes,
    write_letter,
    write_signed,
)
from pbem.post.extract import extract
from pbem.seal.faults import BadSignature
from pbem.seal.keys import new_key
from pbem.seal.signature import sign
from tests.protocol.second_keys import check_any
from tests.protocol.second_letters import files_of, letter_of

KEY, OTHER = new_key("louis"), new_key("frederick")
HEAD: dict[str, str | int] = {
    "kind": "orders",
    "campaign": "vienna-1741",
    "from": "louis",
    "stage": "3/prussia",
    "basis": "7d2f9c1e04b1",
    "seq": 12,
}
PLAIN = """\
# My orders.
pbem: 1
kind: orders
campaign: vienna-1741
from: louis
stage: 3/prussia
basis: 7d2f9c1e04b1
seq: 12
body:
  move:
    - Schwerin: Olmütz   # at last
  note: |
    Two lines,
    as they are.
"""


def letter(text: str | bytes) -> Letter:
    return read_letter(text.encode() if isinstance(text, str) else text, "letter")


def codes(text: str) -> list[tuple[str, int, int]]:
    """The faults of a letter: code, line, column."""
    with pytest.raises(Refused) as refused:
        letter(text)
    return [(fault.code, fault.line, fault.column) for fault in refused.value.faults]


@pytest.mark.parametrize("text", [PLAIN, PLAIN + "\n# The end.\n", PLAIN.replace("note: |", "note: |+") + "\n\n"])
def test_a_letter_to_which_number_and_basis_were_added_keeps_the_lines_that_were_sent(text: str) -> None:
    """Only where they cannot stand behind the body, the letter is written anew."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(("seq", "basis"))]
    sent = read_letter("".join(lines).encode(), "letter", may_lack=True)
    stored = letter_to_hold(completed_letter(sent, 12, "7d2f9c1e04b1")).letter
    assert stored.tree == letter(text).tree
    assert isinstance(sent.body, MappingNode)
    assert isinstance(stored.body, MappingNode)
    assert (stored.body.places == sent.body.places) == ("|+" not in text)


def test_a_letter_is_read() -> None:
    found = letter(PLAIN)
    assert (found.kind, found.campaign, found.sender, found.seq) == ("orders", "vienna-1741", "louis", 12)
    assert (found.stage, found.basis, found.signature) == ("3/prussia", "7d2f9c1e04b1", "")
    assert bare(found.body) == {"move": [{"Schwerin": "Olmütz"}], "note": "Two lines,\nas they are.\n"}
    assert isinstance(found.body, MappingNode)
    assert found.body.places["note"] == (12, 3)
    assert found.text == PLAIN


def test_the_head_may_stand_in_any_order() -> None:
    lines = PLAIN.splitlines(keepends=True)
    assert signed_bytes(letter("".join(lines[8:] + lines[1:8][::-1]))) == signed_bytes(letter(PLAIN))


def test_what_was_read_under_one_name_is_refused_under_another_by_that() -> None:
    for name in ("first.yaml", "second.yaml"):
        with pytest.raises(Refused) as refused:
            read_letter(b"pbem: 1\nkind: [\n", name)
        assert refused.value.source == name


def test_one_letter_under_two_names_is_read_once() -> None:
    assert read_letter(PLAIN.encode(), "first.yaml") is read_letter(PLAIN.encode(), "second.yaml")


def test_all_faults_of_a_head_at_once() -> None:
    text = "pbem: 2\nkind: odes\ncampaign: Vienna 1741\nform: louis\nstage: ''\nbasis: 7D2F9C1E\nseq: 012\nbody: x\n"
    assert codes(text) == [
        ("E-LETTER-MISSING", 1, 1),
        ("E-LETTER-FORMAT", 1, 7),
        ("E-LETTER-KIND", 2, 7),
        ("E-LETTER-CAMPAIGN", 3, 11),
        ("E-LETTER-KEY", 4, 1),
        ("E-LETTER-STAGE", 5, 8),
        ("E-LETTER-BASIS", 6, 8),
        ("E-LETTER-SEQ", 7, 6),
    ]


@pytest.mark.parametrize(
    "written", ["0", "-1", "10000000000", "1.5", "012", "1e3", "twelve", "", "[1]", "１２", "{a: 1}"]
)
def test_seq_is_a_whole_number_written_in_one_way(written: str) -> None:
    assert [code for code, *_ in codes(PLAIN.replace("seq: 12", f"seq: {written}"))] == ["E-LETTER-SEQ"]


@pytest.mark.parametrize("written", ["1", "9999999999"])
def test_seq_has_ten_digits_at_most(written: str) -> None:
    assert letter(PLAIN.replace("seq: 12", f"seq: {written}")).seq == int(written)


@pytest.mark.parametrize("key", ["pbem", "kind", "campaign", "from", "seq", "body", "stage", "basis"])
def test_a_key_that_is_missing(key: str) -> None:
    document = yaml.load(PLAIN, Loader=yaml.BaseLoader)
    del document[key]
    with pytest.raises(Refused, match=f"the key `{key}` is missing"):
        letter(json.dumps(document))


def test_what_an_unsigned_letter_leaves_to_its_sheet_is_empty() -> None:
    text = re.sub(r"(?m)^(seq|basis): .*\n", "", PLAIN)
    found = read_letter(text.encode(), "letter", may_lack=True)
    assert (found.seq, found.basis) == (0, "")


def test_a_letter_within_a_text_has_the_places_of_that_text() -> None:
    found = letter(PLAIN).with_offset(10, 4)
    assert (found.line, found.column) == (11, 5)
    assert isinstance(found.body, MappingNode)
    assert found.body.places["note"] == (22, 7)


@pytest.mark.parametrize("kind", KINDS)
def test_only_letters_for_a_stage_must_name_it(kind: str) -> None:
    text = f"pbem: 1\nkind: {kind}\ncampaign: a\nfrom: b\nseq: 1\nbody: text\n"
    if kind in STAGED:
        assert codes(text) == [("E-LETTER-MISSING", 1, 1)] * 2
    else:
        assert (letter(text).stage, letter(text).basis) == ("", "")


def test_a_wrong_key_is_guessed() -> None:
    with pytest.raises(Refused, match="did you mean signature"):
        letter(PLAIN + "signatur: x\n")


@pytest.mark.parametrize("written", ["x", "[]", "-----BEGIN SSH SIGNATURE-----", "{a: b}"])
def test_a_signature_that_is_none(written: str) -> None:
    assert [code for code, *_ in codes(PLAIN + f"signature: {written}\n")] == ["E-LETTER-SIGNATURE"]


@pytest.mark.parametrize("text", ["[]", "hello", "- pbem: 1"])
def test_what_is_no_letter_at_all(text: str) -> None:
    assert codes(text) == [("E-LETTER-FORM", 1, 1)]


def test_a_hostile_letter_is_refused_by_the_strict_reader() -> None:
    assert codes(PLAIN + "x: &a [*a]\n")[0][0] == "E-YAML-ANCHOR"
    assert codes("[" * 10_000)[0][0] == "E-YAML-DEPTH"
    assert codes(PLAIN + "seq: 13\n")[0][0] == "E-YAML-DUPLICATE"


def test_a_written_letter_is_short_in_lines_and_read_again() -> None:
    text = sign_letter(write_letter(HEAD, {"move": [{"Schwerin": "Olmütz"}], "why": "because " * 40}), KEY)
    assert max(map(len, text.splitlines())) <= 66
    assert text.startswith("pbem: 1\nkind: orders\ncampaign: vienna-1741\nfrom: louis\nstage: 3/prussia\n")
    check_signature(letter(text), KEY.public)
    assert bare(letter(text).body) == {"move": [{"Schwerin": "Olmütz"}], "why": "because " * 40}


def test_a_letter_that_could_not_be_read_is_not_written() -> None:
    with pytest.raises(Refused):
        write_letter({**HEAD, "seq": 0}, {})
    with pytest.raises(Refused):
        write_letter({key: value for key, value in HEAD.items() if key != "stage"}, {})


def test_signing_keeps_the_layout_and_the_comments() -> None:
    signed = sign_letter(PLAIN, KEY)
    assert signed.startswith(PLAIN + "signature: |\n  -----BEGIN SSH SIGNATURE-----\n")
    assert signed_bytes(letter(signed)) == signed_bytes(letter(PLAIN))
    check_signature(letter(signed), KEY.public)


def test_signing_again_replaces_the_signature() -> None:
    again = sign_letter(sign_letter(PLAIN, OTHER), KEY)
    assert again == sign_letter(PLAIN, KEY)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(yaml.load(PLAIN, Loader=yaml.BaseLoader)),
        "\n".join("  " + line for line in PLAIN.splitlines()),
        PLAIN.rstrip("\n"),
        PLAIN.replace("note: |\n", "note: |+\n").rstrip("\n"),
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN + "...\n",
        "---\n" + PLAIN,
    ],
)
def test_any_layout_can_be_signed(text: str) -> None:
    signed = letter(sign_letter(text, KEY))
    assert signed.tree == letter(text).tree
    check_signature(signed, KEY.public)


def below(file: str, text: str = "") -> str:
    """A text with the signature below it that `ssh-keygen -Y sign` makes of a file."""
    return (text or PLAIN) + sign(KEY, file.encode())


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("breaks", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["\n", "", "\n\n"])
def test_a_file_can_be_signed_as_it_is_written(mark: str, breaks: str, end: str) -> None:
    came = below(mark + (PLAIN.rstrip("\n") + end).replace("\n", breaks))
    (found,) = extract(f"Here it is:\n\n{came}\nBye\n".encode()).letters
    assert found.letter
    for read in (found.letter, letter(came), letter(came.replace("\n", "\r\n")), letter(found.letter.text)):
        check_signature(read, KEY.public)
        assert bare(read.body) == bare(letter(PLAIN).body)
        assert letter_id(read) == letter_id(found.letter)
    assert sign_letter(found.letter.text, KEY) == sign_letter(PLAIN, KEY)
    assert [each.identity for each in extract(found.letter.text.encode()).letters] == [letter_id(found.letter)]
    kept = letter_of(entry_text(found.letter))
    assert (kept.id, kept.tidy) == (letter_id(found.letter), entry_text(found.letter))
    check_any(KEY.public.raw, files_of(kept), kept.signature)


def test_nothing_but_what_was_written_has_the_signature_below_it() -> None:
    for text in (PLAIN.replace("at last", "at once"), PLAIN.replace("# My orders.\n", "")):
        with pytest.raises(BadSignature):
            check_signature(letter(below(PLAIN, text)), KEY.public)


def test_a_signature_makes_one_letter_only() -> None:
    """The signed text says the same as the letter, but is no letter with the signature below it."""
    signed = letter(sign_letter(PLAIN, KEY))
    canonical = signed_bytes(signed).decode() + "\n"
    others = (
        canonical,
        PLAIN.replace("  move", "\u00a0 move"),
        PLAIN.replace("kind", "Kind"),
        PLAIN.replace("7", "7\ufe0f"),
    )
    kept = write({"pbem": "1", "written": canonical, "signature": signed.signature})
    for again in (kept, *(below(text, text) for text in others)):
        with pytest.raises(Refused) as refused:
            letter(again)
        assert [fault.code for fault in refused.value.faults] == ["E-LETTER-WRITTEN"]


def test_a_signature_before_the_body_is_replaced() -> None:
    signed = sign_letter(PLAIN, OTHER)
    at, before = signed.index("signature:"), signed.index("body:")
    moved = signed[:before] + signed[at:] + signed[before:at]
    check_signature(letter(moved), OTHER.public)
    check_signature(letter(sign_letter(moved, KEY)), KEY.public)


def test_an_unsigned_letter_is_nobodys() -> None:
    with pytest.raises(BadSignature) as refused:
        check_signature(letter(PLAIN), KEY.public)
    assert refused.value.code == "E-LETTER-UNSIGNED"


def test_a_letter_of_another_is_not_accepted() -> None:
    with pytest.raises(BadSignature) as refused:
        check_signature(letter(sign_letter(PLAIN, OTHER)), KEY.public)
    assert refused.value.code == "E-SIGNATURE-KEY"


def test_nothing_is_read_that_is_not_signed() -> None:
    """The order of keys and empty quotes are layout; what is read from a letter must not depend on them."""
    one = letter(PLAIN.replace("  move:", "  b: ''\n  a: x\n  move:"))
    two = letter(PLAIN.replace("  move:", "  a: x\n  b:\n  move:"))
    assert signed_bytes(one) == signed_bytes(two)
    assert isinstance(one.body, MappingNode)
    assert isinstance(two.body, MappingNode)
    assert list(one.body.items) == list(two.body.items) == ["a", "b", "move", "note"]
    empty = one.body.items["b"]
    assert isinstance(empty, Text)
    assert empty.is_nothing


TEXTS = (
    st.text(max_size=40)
    .filter(lambda text: not UNWANTED.search(text) and not SMILEY_STYLE.search(text))
    .map(lambda text: unicodedata.normalize("NFC", text))
)
KEYS = TEXTS.filter(lambda key: bool(key) and "\n" not in key)
"""Libraries write a key of several lines behind a question mark, which the strict reader refuses."""
BODIES = st.recursive(
    TEXTS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(KEYS, inner, min_size=1, max_size=4),
    ),
    max_leaves=8,
).filter(lambda body: _depth(body) < 5)


def _depth(tree: Any) -> int:
    inner = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return 1 + max(map(_depth, inner), default=0)


@given(BODIES)
@example("\n")
@example("signature:\nbody: x\n\n")
@example({"signature": "-----BEGIN SSH SIGNATURE-----\nAA==\n-----END SSH SIGNATURE-----\n"})
def test_what_is_written_and_signed_at_once_is_the_signed_letter(body: Any) -> None:
    unsigned, signed = write_letter(HEAD, body), write_signed(HEAD, body, KEY)
    assert signed == sign_letter(unsigned, KEY)
    assert letter(signed).tree == letter(unsigned).tree


def copies(signed: str) -> list[bytes]:
    """The same letter in layouts that people, mail programs and libraries make of it."""
    tree = yaml.load(signed, Loader=yaml.BaseLoader)
    upside_down = dict(reversed(tree.items()))
    texts = [
        signed.replace("\n", "\r\n"),
        "\ufeff" + signed,
        "# a comment\n" + signed + "# and another\n",
        "\n".join("   " + line if line else line for line in signed.split("\n")),
        json.dumps(tree, ensure_ascii=False),
        json.dumps(upside_down, ensure_ascii=False, indent=3),
        yaml.dump(tree, default_style='"', indent=6, allow_unicode=True, width=40, sort_keys=True),
        yaml.dump(upside_down, default_style="'", allow_unicode=True, width=10_000, sort_keys=False),
        yaml.dump(tree, default_style='"', default_flow_style=True),
        unicodedata.normalize("NFD", signed),
    ]
    return [text.encode() for text in texts]


@settings(max_examples=20, deadline=None)
@given(BODIES)
def test_a_copy_in_another_layout_is_the_same_letter(body: Any) -> None:
    signed = sign_letter(write_letter(HEAD, body), KEY)
    original = letter(signed)
    for copy in copies(signed):
        found = letter(copy)
        check_signature(found, KEY.public)
        assert letter_id(found) == letter_id(original)
        assert bare(found.body) == bare(original.body)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Every container in a tree with every key or number in it."""
    if isinstance(tree, str):
        return []
    steps = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    return [(tree, step) for step in steps] + [place for step in steps for place in places(tree[step])]


@settings(max_examples=75, deadline=None)
@given(BODIES, st.data())
def test_a_copy_that_says_anything_else_is_not(body: Any, data: st.DataObject) -> None:
    signed = letter(sign_letter(write_letter(HEAD, body), KEY))
    tree: Any = deepcopy(signed.tree)
    container, step = data.draw(st.sampled_from(places(tree)))
    match data.draw(st.sampled_from(["drop", "change", "rename", "add"])):
        case "drop":
            del container[step]
        case "change":
            container[step] = data.draw(BODIES)
        case "rename" if isinstance(container, dict):
            container[data.draw(TEXTS.filter(bool))] = container.pop(step)
        case _:
            if isinstance(container, dict):
                container[data.draw(TEXTS.filter(bool))] = "more"
            else:
                container.insert(step, "more")
    assume({**tree, "signature": ""} != {**signed.tree, "signature": ""})
    try:
        changed = letter(json.dumps({**tree, "signature": signed.signature}, ensure_ascii=False))
    except Refused:
        return
    assert letter_id(changed) != letter_id(signed)
    with pytest.raises(BadSignature):
        check_signature(changed, KEY.public)
