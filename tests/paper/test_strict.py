"""The strict reader: what it takes, what it refuses and where, and that nothing makes it stumble."""

from __future__ import annotations

import time

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.faults.wrong import words, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.strict import DocumentLimits, MappingNode, Node, SequenceNode, Text, bare, read_yaml

ACCEPTED = [
    ("a: 1", {"a": "1"}),
    ("a: no\nb: on\nc: ~\nd: null\ne: true", {"a": "no", "b": "on", "c": "~", "d": "null", "e": "true"}),
    ("t: 12:30\nn: 010\nd: 1741-05-01\nf: 1.10\nx: 0x1F\nu: 1_000", None),
    ("a:\nb: ''", {"a": "", "b": ""}),
    ("\ufeffa: 1\r\nb: 2\r\n", {"a": "1", "b": "2"}),
    ("---\na: 1\n...\n", {"a": "1"}),
    ("a: [b, c,\n    d]\ne: {f: g}", {"a": ["b", "c", "d"], "e": {"f": "g"}}),
    ("- a\n- - b\n  - c", ["a", ["b", "c"]]),
    ("just a word", "just a word"),
    ("a: O'Brien d’Argent – it’s “fine” here", {"a": "O'Brien d’Argent – it’s “fine” here"}),
    ("a: |\n  – a dialogue, “quoted” #5\n  second", {"a": "– a dialogue, “quoted” #5\nsecond"}),
    ("a: 'city #5'\nb: x#5", {"a": "city #5", "b": "x#5"}),
    ("a: 1  # a remark #5\n#a: 2\n  #- b\nc: 3 ##### row", {"a": "1", "c": "3"}),
    ("card: ♠7\nother: ♥️8", {"card": "♠7", "other": "♥8"}),
    ("a: Ko\u0308nigsberg", {"a": "Königsberg"}),
    ("a: Łódź, Ōsaka, Київ, 北京 🙂", {"a": "Łódź, Ōsaka, Київ, 北京 🙂"}),
    ("a: one\n  two", {"a": "one two"}),
    ('"<<": 1', {"<<": "1"}),
    ("'': 1", {"": "1"}),
]


@pytest.mark.parametrize(("text", "wanted"), ACCEPTED)
def test_accepted(text: str, wanted: object) -> None:
    got = bare(read_yaml(text.encode(), "a.yaml"))
    if wanted is None:
        wanted = {"t": "12:30", "n": "010", "d": "1741-05-01", "f": "1.10", "x": "0x1F", "u": "1_000"}
    assert got == wanted


# text, then code, line and column of every fault
REFUSED: list[tuple[str, list[tuple[str, int, int]]]] = [
    ("", [("E-YAML-EMPTY", 1, 1)]),
    ("# nothing\n", [("E-YAML-EMPTY", 1, 1)]),
    # characters
    ("a: b\u00a0c", [("E-YAML-CHARACTER", 1, 5)]),
    ("a:\n\u00a0\u00a0b: c", [("E-YAML-CHARACTER", 2, 1)]),
    ("a: b\nc: d\u200b", [("E-YAML-CHARACTER", 2, 5)]),
    ("a: x\u2028b: y", [("E-YAML-CHARACTER", 1, 5)]),
    ("a: x\u0085b: y", [("E-YAML-CHARACTER", 1, 5)]),
    ("a: \u202egro", [("E-YAML-CHARACTER", 1, 4)]),
    ("a: b\n\ufeffc: d", [("E-YAML-CHARACTER", 2, 1)]),
    ("a: b\tc", [("E-YAML-CHARACTER", 1, 5)]),
    ("a:\n\tb: c", [("E-YAML-CHARACTER", 2, 1)]),
    ("a: b\rc: d", [("E-YAML-CHARACTER", 1, 5)]),
    ("a: b\x00", [("E-YAML-CHARACTER", 1, 5)]),
    ("a: b\x07\nc: \x9fd", [("E-YAML-CHARACTER", 1, 5), ("E-YAML-CHARACTER", 2, 4)]),
    ("a: caf\ufffd", [("E-YAML-CHARACTER", 1, 7)]),
    ("a: \ue000", [("E-YAML-CHARACTER", 1, 4)]),
    ('a: "b\\u00a0c"', [("E-YAML-CHARACTER", 1, 4)]),
    ('a: "b\\tc"', [("E-YAML-CHARACTER", 1, 4)]),
    # what telephones do
    ("a: “b”", [("E-YAML-QUOTE", 1, 4)]),
    ("a: [„b“, «c»]", [("E-YAML-QUOTE", 1, 5), ("E-YAML-QUOTE", 1, 10)]),
    ("a: ‘b’", [("E-YAML-QUOTE", 1, 4)]),
    ("– a: b", [("E-YAML-DASH", 1, 1)]),
    ("a:\n  - b\n  – c", [("E-YAML-DASH", 3, 3)]),
    ("a:\n  • b\n  • c", [("E-YAML-DASH", 2, 3)]),
    # silent losses
    ("a: 1\nb: 2\na: 3", [("E-YAML-DUPLICATE", 3, 1)]),
    ("a: {b: 1, b: 2}\nc: {d: 1, d: 2}", [("E-YAML-DUPLICATE", 1, 11), ("E-YAML-DUPLICATE", 2, 11)]),
    ("K\u00f6ln: 1\nKo\u0308ln: 2", [("E-YAML-DUPLICATE", 2, 1)]),
    ("a: city #5", [("E-YAML-COMMENT", 1, 9)]),
    ("a:\n  - #5\n  - 'b' #c", [("E-YAML-COMMENT", 2, 5), ("E-YAML-COMMENT", 3, 9)]),
    ("a: 'x #y' #z # u", [("E-YAML-COMMENT", 1, 11)]),
    # parts of YAML that nobody needs
    ("a: *b", [("E-YAML-ALIAS", 1, 4)]),
    ("a: &b c", [("E-YAML-ANCHOR", 1, 4)]),
    ("a: &b [c]", [("E-YAML-ANCHOR", 1, 4)]),
    ("a: !!python/object/apply:os.system [ls]", [("E-YAML-TAG", 1, 4)]),
    ("a: ! b", [("E-YAML-TAG", 1, 4)]),
    ("a: !!str b\nc: *d\ne: 1\ne: 2", [("E-YAML-TAG", 1, 4), ("E-YAML-ALIAS", 2, 4), ("E-YAML-DUPLICATE", 4, 1)]),
    ("<<: {a: 1}", [("E-YAML-MERGE", 1, 1)]),
    ("a: 1\n---\nb: 2", [("E-YAML-DOCUMENTS", 2, 1)]),
    ("a: 1\n---\nb: *c\n---\nd: 1", [("E-YAML-DOCUMENTS", 2, 1)]),
    ("%YAML 1.1\n---\na: 1", [("E-YAML-DIRECTIVE", 1, 1)]),
    ("[a]: b", [("E-YAML-KEY", 1, 1)]),
    ("? a\n: b", [("E-YAML-KEY", 1, 1)]),
    ("a: b\n? c", [("E-YAML-KEY", 2, 1)]),
    ("{? a: b}", [("E-YAML-KEY", 1, 2)]),
    ("{: b}", [("E-YAML-KEY", 1, 2)]),
    # limits
    ("[" * 7 + "]" * 7, [("E-YAML-DEPTH", 1, 7)]),
    ("- " * 21 + "a", [("E-YAML-DEPTH", 1, 41)]),
    ("[" * 5000, [("E-YAML-DEPTH", 1, 7)]),
    ("{a: " * 5000, [("E-YAML-DEPTH", 1, 25)]),
    ("a: b\na: c\nd: " + "[" * 5000, [("E-YAML-DEPTH", 3, 10)]),
    # syntax
    ("a: b: c", [("E-YAML-SYNTAX", 1, 5)]),
    ("a: b\n  c: d", [("E-YAML-SYNTAX", 2, 4)]),
    ("a: [b\nc: d", [("E-YAML-SYNTAX", 2, 2)]),
    ("a: [b", [("E-YAML-SYNTAX", 1, 6)]),
    ("a: 'b", [("E-YAML-SYNTAX", 1, 4)]),
    ('a: "b\\q"', [("E-YAML-SYNTAX", 1, 6)]),
    ("a: @b", [("E-YAML-SYNTAX", 1, 4)]),
    ("a: - b", [("E-YAML-SYNTAX", 1, 4)]),
    ("- a\nb: c", [("E-YAML-SYNTAX", 2, 1)]),
    ("a: 1\na: 2\nb: [", [("E-YAML-SYNTAX", 3, 5)]),
    (": x", [("E-YAML-KEY", 1, 1)]),
    ("a: |x\n b", [("E-YAML-SYNTAX", 1, 5)]),
]


def faults_of(data: bytes, limits: DocumentLimits | None = None) -> tuple[Fault, ...]:
    with pytest.raises(Refused) as refused:
        read_yaml(data, "a.yaml", limits or DocumentLimits())
    return refused.value.faults


@pytest.mark.parametrize(("text", "wanted"), REFUSED)
def test_refused_with_code_and_place(text: str, wanted: list[tuple[str, int, int]]) -> None:
    assert [(fault.code, fault.line, fault.column) for fault in faults_of(text.encode())] == wanted


@pytest.mark.parametrize(("text", "_wanted"), REFUSED)
def test_every_sentence_is_for_people(text: str, _wanted: object) -> None:
    for fault in faults_of(text.encode()):
        told = fault.message_line("a.yaml").lower()
        assert "{" not in str(fault.message)
        for jargon in ("scalar", "token", "mapping values", "indicator", "flow", "node", "stream", "while parsing"):
            assert jargon not in told


SENTENCES = [
    ("a: 1\nb: 2\na: 3", "on line 1 and on line 3"),
    ("a: b\u00a0c\u00a0d", "U+00A0 (no-break space) must not be used, 2 times"),
    ("a: b\u00a0c", "type an ordinary space"),
    ("a: b\tc", "U+0009 (tab)"),
    ("a: [b\nc: d", "the bracket opened on line 1 is not closed"),
    ("a:\n  - b\n– c", "begins with the hyphen '-', not with U+2013 (en dash)"),
    ("a: “b\nc: 'd", "straight ones"),
    ("a: 'b “c”", "straight ones"),
    ("a: city #5", "'# ' with a space"),
]


@pytest.mark.parametrize(("text", "part"), SENTENCES)
def test_sentences(text: str, part: str) -> None:
    assert part in "\n".join(fault.message_line("a.yaml") for fault in faults_of(text.encode()))


def test_places_of_keys_and_values() -> None:
    node = read_yaml(b"a: b\nlist:\n  - {c: 'd'}\n  -\n", "a.yaml")
    assert isinstance(node, MappingNode)
    assert node.places == {"a": (1, 1), "list": (2, 1)}
    assert node.items["a"] == Text("b", 1, 4)
    items = node.items["list"]
    assert isinstance(items, SequenceNode)
    assert (items.line, items.column) == (3, 3)
    first, second = items.items
    assert isinstance(first, MappingNode)
    assert first.items["c"] == Text("d", 3, 9, quoted=True)
    assert isinstance(second, Text)
    assert second.is_nothing


def test_encoding() -> None:
    latin = faults_of(b"a: b\nc: Stra\xdfe")
    assert [(fault.code, fault.line, fault.column) for fault in latin] == [("E-YAML-ENCODING", 2, 8)]
    assert "'ß'" in str(latin[0].message)
    utf16 = faults_of("a: b".encode("utf-16"))
    assert (utf16[0].code, utf16[0].line, utf16[0].column) == ("E-YAML-ENCODING", 1, 1)
    assert "UTF-16" in str(utf16[0].message)


def test_limits_can_be_moved() -> None:
    assert faults_of(b"a: bcd", DocumentLimits(size=5))[0].code == "E-YAML-SIZE"
    assert faults_of(b"[a, b, c]", DocumentLimits(nodes=2))[0].code == "E-YAML-NODES"
    assert faults_of(b"[a, [b]]", DocumentLimits(flow_depth=1))[0].code == "E-YAML-DEPTH"
    assert bare(read_yaml(b"[[[[[[[a]]]]]]]", "a.yaml", DocumentLimits(flow_depth=7))) == [[[[[[["a"]]]]]]]


def test_all_faults_are_told_at_once_in_order() -> None:
    with pytest.raises(Refused) as refused:
        read_yaml(b"a: *b\nc: &d e\nf: 1\nf: 2\ng: h #i\n", "orders.yaml")
    lines = str(refused.value).split("\n")
    assert [line.split(" ")[:2] for line in lines] == [
        ["orders.yaml:1:4:", "E-YAML-ALIAS"],
        ["orders.yaml:2:4:", "E-YAML-ANCHOR"],
        ["orders.yaml:4:1:", "E-YAML-DUPLICATE"],
        ["orders.yaml:5:6:", "E-YAML-COMMENT"],
    ]


def test_many_faults_are_cut_short() -> None:
    assert len(faults_of(b"- *a\n" * 5000)) <= 100
    assert len(faults_of(b"- a #b\n" * 5000)) <= 100


def test_told_names_the_rule() -> None:
    fault = Fault.at(3, 4, wrong("E-YAML-TAG", rule="§10.1", hint=words("a-word")))
    assert fault.message_line("f") == "f:3:4: E-YAML-TAG tags (!…) are not allowed (§10.1) — a word"
    assert not fault.is_warning
    assert Fault.at(1, 1, wrong("W-BATTLE", due="")).is_warning


SIGNS = """a ♠ é - 0 , : ? ' " # | > [ ] { } \\ ` @ – “ %T <<: \u00a0 \x00 \ufeff \t"""
BEGINNINGS = ("- ", "b: ", "? ", "# ", "&a ", "*a", "!x ", "|\n", ">\n", "---\n", "...\n", "\n", "\r\n", "  ")
PIECES = st.sampled_from([*SIGNS.split(" "), *BEGINNINGS])


def check_survives(data: bytes) -> None:
    """Either a node with places inside the file, or `Refused` with places inside the file; nothing else."""
    lines = data.count(b"\n") + 1
    try:
        node = read_yaml(data, "f")
    except Refused as refused:
        faults = refused.faults
    else:
        check_places(node, lines)
        return
    assert faults
    assert all(1 <= fault.line <= lines and fault.column >= 1 for fault in faults)


def check_places(node: Node, lines: int) -> None:
    assert 1 <= node.line <= lines
    assert node.column >= 1
    if isinstance(node, SequenceNode):
        for item in node.items:
            check_places(item, lines)
    if isinstance(node, MappingNode):
        assert node.items.keys() == node.places.keys()
        for value in node.items.values():
            check_places(value, lines)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=1000)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_survives(data)


@given(st.lists(PIECES, max_size=60).map("".join))
@settings(max_examples=200, deadline=1000)
def test_any_mixture_of_signs_is_read_or_refused(text: str) -> None:
    check_survives(text.encode())


LETTER = b"""pbem: 1
kind: orders
body:
  - {piece: "Friedrich", to: [Jauer, 'Schweidnitz']}
  - march: Frankfurt (Oder)  # by main road
    troops: 3
note: |
  a word
  or two
"""


@given(st.integers(0, len(LETTER)), st.integers(0, 6), st.lists(PIECES, max_size=4).map("".join))
@settings(max_examples=150, deadline=1000)
def test_a_damaged_letter_is_read_or_refused(at: int, cut: int, put: str) -> None:
    check_survives(LETTER[:at] + put.encode() + LETTER[at + cut :])


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 250_000,
        b"- " * 120_000,
        b"a: " * 80_000,
        b"x" * 250_000,
        b"{a," * 80_000,
        b"- #b\n" * 50_000,
        b'"' + b"\\" * 250_000,
        b"? " * 120_000,
        b"a\n" * 120_000,
        b"a:\n" * 80_000,
        b"k: |\n" + b" \n" * 120_000,
        "é".encode() * 120_000,
        b"&a " * 80_000,
        b"[]," * 80_000,
        b"a" + b" #" * 120_000,
        b"{" + b"a: b, " * 40_000 + b"}",
        b"[" + b"'a #', " * 30_000 + b"]",
    ],
    ids=lambda data: repr(data[:6]),
)
def test_large_nonsense_is_dealt_with_quickly(data: bytes) -> None:
    start = time.process_time()
    check_survives(data)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(("text", "_wanted"), [*ACCEPTED, *REFUSED])
def test_without_the_fast_parser_the_same_is_read_and_refused(
    text: str, _wanted: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = outcome(text)
    monkeypatch.setattr(strict, "PARSER", yaml.SafeLoader)
    assert outcome(text) == fast


def outcome(text: str) -> object:
    """The document, or the codes and lines of its faults; the two parsers differ a little in the columns."""
    try:
        return bare(read_yaml(text.encode(), "a.yaml"))
    except Refused as refused:
        return [(fault.code, fault.line) for fault in refused.faults]
