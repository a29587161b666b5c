"""Letters come in: every one is answered, a wrong one changes nothing, and the next good one works."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import RefusedRecord
from pbem.campaign.letters.judging import judge
from pbem.campaign.play.tokens import token_of
from pbem.campaign.players.letters import (
    Invitation,
    LetterContext,
    SealedPart,
    boxed_part,
    head_of,
    join_letter,
    orders_letter,
    sealed_part,
)
from pbem.campaign.settings import Conduct
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import Value
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.box import pad, seal
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, new_key
from tests.campaign.simulated import NAME, SimulatedTable, codes

ALLOT: dict[str, Tree] = {
    "france": {"allot": {"Moritz": "8", "Belle-Isle": "8", "Broglie": "5", "Maillebois": "2", "Noailles": "3"}},
    "bavaria": {"allot": {"Törring": "5"}},
}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("intake") / "campaign", scenario="introductory").begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def good(table: SimulatedTable, player: str = "louis") -> str:
    """A letter that answers everything its player is asked, sealed."""
    with table.open() as campaign:
        return table.write(campaign, player)


def secret_state(campaign: Campaign) -> bytes:
    """Everything that a refused letter must leave as it was."""
    kept = campaign.state.snapshot()
    kept.public.entry, kept.public.time, kept.public.turned = 0, "", {}
    return msgspec.json.encode(kept)


def occasion(table: SimulatedTable, **other: str) -> LetterContext:
    """Head of a letter of Louis, with some values changed."""
    found = table.occasion("louis")
    return LetterContext(**{**{name: getattr(found, name) for name in found.__struct_fields__}, **other})


def own(table: SimulatedTable, body: Value, kind: str = "orders") -> str:
    """A letter of Louis with any body."""
    return table.other_letter("louis", kind, body)


def with_box(table: SimulatedTable, box: str, part: SealedPart | None = None, slot: str = "orders") -> str:
    """A letter of Louis with a sealed part of any kind."""
    commitment = part.commitment if part else "0" * 64
    return own(table, {"sealed": {slot: {"commitment": commitment, "box": box}}})


def boxed_bytes(table: SimulatedTable, plain: bytes) -> str:
    """Any bytes sealed to the moderator."""
    return seal([table.moderator.public], pad(plain))


def taken_over(table: SimulatedTable, slot: str = "orders", **other: str) -> str:
    """A sealed part of another letter, in a letter of Louis."""
    part = sealed_part(occasion(table, **other), "orders", ALLOT)
    return own(table, {"sealed": {slot: boxed_part(part, table.moderator.public)}})


def for_another_key(table: SimulatedTable) -> str:
    part = sealed_part(occasion(table), "orders", ALLOT)
    return own(table, {"sealed": {"orders": boxed_part(part, new_key("somebody").public)}})


def deep(table: SimulatedTable) -> str:
    part = sealed_part(occasion(table), "orders", ALLOT)
    body = b"body: " + b"[" * 400 + b"]" * 400 + b"\n"
    return with_box(table, boxed_bytes(table, b"salt: " + part.salt.hex().encode() + b"\n" + body), part)


def huge(table: SimulatedTable) -> str:
    """A box with more in it than anybody would read, in a letter that is not too large itself."""
    part = sealed_part(occasion(table), "orders", ["a"] * 22_000)
    plain = f"salt: {part.salt.hex()}\nbody:\n" + "- a\n" * 22_000
    return with_box(table, boxed_bytes(table, plain.encode()), part)


def unsigned(table: SimulatedTable) -> str:
    return orders_letter(occasion(table), 90, ALLOT)


def another_signature(table: SimulatedTable) -> str:
    """A letter under the signature of another one."""
    signature = good(table).partition("signature:")[2]
    return unsigned(table) + "signature:" + signature


def message(table: SimulatedTable, to: str, text: str = "greetings") -> str:
    return own(table, {"to": to, "text": text}, "message")


def of_stranger(table: SimulatedTable) -> str:
    head: dict[str, str | int] = {"kind": "message", "campaign": NAME, "from": "fritz", "seq": 1}
    return sign_letter(write_letter(head, {"to": "all", "text": "hello"}), new_key("fritz"))


def of_moderator(table: SimulatedTable) -> str:
    head: dict[str, str | int] = {"kind": "message", "campaign": NAME, "from": "moderator", "seq": 1}
    return sign_letter(write_letter(head, {"to": "all", "text": "hello"}), table.moderator)


WRONG: dict[str, tuple[str, Callable[[SimulatedTable], str]]] = {
    "nothing at all": ("E-YAML-EMPTY", lambda table: ""),
    "no letter": ("E-LETTER-MISSING", lambda table: "hello: world\n"),
    "the first half": ("E-", lambda table: good(table)[:900]),
    "another campaign": (
        "E-LETTER-CAMPAIGN",
        lambda table: table.letter("louis", ALLOT, occasion=occasion(table, campaign="berlin-1741")),
    ),
    "a stage that is past": (
        "E-LETTER-STAGE",
        lambda table: table.letter("louis", ALLOT, occasion=occasion(table, stage="0/france")),
    ),
    "a stage to come": (
        "E-LETTER-STAGE",
        lambda table: table.letter("louis", ALLOT, occasion=occasion(table, stage="1/france")),
    ),
    "another basis": (
        "E-LETTER-BASIS",
        lambda table: table.letter("louis", ALLOT, occasion=occasion(table, basis="0" * 24)),
    ),
    "too short a basis": (
        "E-LETTER-BASIS",
        lambda table: table.letter("louis", ALLOT, occasion=occasion(table, basis=occasion(table).basis[:8])),
    ),
    "a stranger": ("E-LETTER-FROM", of_stranger),
    "the moderator as sender": ("E-LETTER-FROM", of_moderator),
    "another player's key": (
        "E-SIGNATURE-KEY",
        lambda table: table.letter("louis", ALLOT, key=table.players["frederick"].key),
    ),
    "the moderator's key": ("E-SIGNATURE-KEY", lambda table: table.letter("louis", ALLOT, key=table.moderator)),
    "unsigned": ("E-LETTER-UNSIGNED", unsigned),
    "the signature of another letter": ("E-SIGNATURE", another_signature),
    "another's powers": (
        "E-ORDER-FOREIGN",
        lambda table: table.letter("louis", {"austria": {"allot": {"Traun": "5"}}}),
    ),
    "another's powers, sealed": (
        "E-ORDER-FOREIGN",
        lambda table: table.letter("louis", sealed={"orders": {**ALLOT, "austria": {"move": []}}}),
    ),
    "another's generals": (
        "E-TROOPS-POWER",
        lambda table: table.letter("louis", {"france": {"allot": {"Traun": "5"}}}),
    ),
    "an unknown power": ("E-NAME-UNKNOWN", lambda table: table.letter("louis", {"spain": {"move": []}})),
    "too many troops": (
        "E-TROOPS-SUM",
        lambda table: table.letter("louis", {"bavaria": {"allot": {"Törring": "8"}}}),
    ),
    "a strange key in the body": ("E-FORM-KEY", lambda table: own(table, {"orders": ALLOT, "also": "this"})),
    "a body that is a text": ("E-FORM-MAPPING", lambda table: own(table, "hold everything")),
    "a sealed part that is a text": ("E-SEAL-FORM", lambda table: own(table, {"sealed": "secret"})),
    "a sealed part that is a list": ("E-SEAL-FORM", lambda table: own(table, {"sealed": ["secret"]})),
    "a sealed part without a commitment": (
        "E-SEAL-FORM",
        lambda table: own(table, {"sealed": {"orders": {"box": "x"}}}),
    ),
    "a slot with a strange name": ("E-SEAL-FORM", lambda table: with_box(table, "x", slot="../../etc")),
    "no box at all": ("E-SEAL-ARMOR", lambda table: with_box(table, "x")),
    "a box for another key": ("E-SEAL-KEY", for_another_key),
    "a box of garbage": ("E-SEAL-FORM", lambda table: with_box(table, boxed_bytes(table, b"\x00\xff: ["))),
    "a box of a list": ("E-SEAL-FORM", lambda table: with_box(table, boxed_bytes(table, b"- a\n"))),
    "a box without salt": ("E-SEAL-FORM", lambda table: with_box(table, boxed_bytes(table, b"body: a\n"))),
    "a box too deep": ("E-SEAL-FORM", deep),
    "a box too large": ("E-FORM-MAPPING", huge),
    "a box that was not filled up": (
        "E-SEAL-PADDING",
        lambda table: with_box(table, seal([table.moderator.public], b"salt: a\nbody: b\n")),
    ),
    "a sealed part of another player": ("E-SEAL-COMMITMENT", lambda table: taken_over(table, player="frederick")),
    "a sealed part of another stage": ("E-SEAL-COMMITMENT", lambda table: taken_over(table, stage="1/france")),
    "a sealed part of another campaign": ("E-SEAL-COMMITMENT", lambda table: taken_over(table, campaign="berlin")),
    "a sealed part of another slot": ("E-SEAL-COMMITMENT", lambda table: taken_over(table, slot="battle")),
    "a commitment to something else": (
        "E-SEAL-COMMITMENT",
        lambda table: with_box(
            table,
            boxed_bytes(table, b"salt: " + b"ab" * 32 + b"\nbody: {}\n"),
            sealed_part(occasion(table), "orders", ALLOT),
        ),
    ),
    "the same in the open and sealed": (
        "E-FORM-TWICE",
        lambda table: table.letter("louis", ALLOT, sealed={"orders": ALLOT}),
    ),
    "nothing to reveal": ("E-REVEAL-NOW", lambda table: own(table, {"orders": {"salt": "a", "body": "b"}}, "reveal")),
    "a ruling": ("E-LETTER-KIND", lambda table: own(table, {"words": "I win"}, "ruling")),
    "a receipt": ("E-LETTER-KIND", lambda table: own(table, {"words": "I win"}, "receipt")),
    "a report": ("E-LETTER-KIND", lambda table: own(table, {"words": "I win"}, "report")),
    "an invitation": ("E-LETTER-KIND", lambda table: own(table, {"words": "come"}, "invitation")),
    "a seat that is taken": ("E-JOIN-TAKEN", lambda table: seat_wanted(table, "louis")),
    "a seat that there is not": ("E-JOIN-SEAT", lambda table: seat_wanted(table, "fritz")),
    "a message to nobody": ("E-MESSAGE-EMPTY", lambda table: message(table, " , ")),
    "a message to a stranger": ("E-MESSAGE-TO", lambda table: message(table, "frederick, fritz")),
    "a message without words": ("E-MESSAGE-EMPTY", lambda table: message(table, "frederick", "")),
    "an agreement with oneself": (
        "E-AGREEMENT-EMPTY",
        lambda table: own(table, {"with": "louis", "words": "peace"}, "agreement"),
    ),
    "an agreement with a stranger": (
        "E-AGREEMENT-WITH",
        lambda table: own(table, {"with": "fritz", "words": "peace"}, "agreement"),
    ),
    "an agreement that binds nothing known": ("E-FORM-KEY", lambda table: bound(table, binds={"hexes": ["Prag"]})),
    "an agreement on a city that there is not": (
        "E-NAME-UNKNOWN",
        lambda table: bound(table, binds={"cities": "Xyz"}),
    ),
    "an agreement on no cities": ("E-AGREEMENT-BINDS", lambda table: bound(table, binds={"cities": []})),
    "an agreement on no list": ("E-FORM-LIST", lambda table: bound(table, binds={"cards": {"♠7": "♠8"}})),
    "an agreement on a list of lists": ("E-FORM-TEXT", lambda table: bound(table, binds={"powers": [["france"]]})),
    "an agreement on a word": ("E-FORM-MAPPING", lambda table: bound(table, binds="Prag")),
    "an agreement on no stage": (
        "E-AGREEMENT-STAGE",
        lambda table: bound(table, binds={"stages": "may"}),
    ),
    "an agreement until a stage that there is not": ("E-AGREEMENT-STAGE", lambda table: bound(table, until="2/setup")),
    "an agreement until some day": ("E-AGREEMENT-UNTIL", lambda table: bound(table, until="Tuesday")),
    "an agreement until a list": ("E-AGREEMENT-UNTIL", lambda table: bound(table, until=["3"])),
    "an agreement until yesterday": ("E-AGREEMENT-UNTIL", lambda table: bound(table, until="0")),
    "a change to no key": ("E-KEY-FORMAT", lambda table: own(table, {}, "key-change")),
}


def bound(table: SimulatedTable, **said: Tree) -> str:
    """An agreement that says what it binds, or until when."""
    return own(table, {"with": "frederick", "words": "peace", **said}, "agreement")


def invitation(table: SimulatedTable, seat: str) -> Invitation:
    """Invitation by the moderator to a seat."""
    with table.open() as campaign:
        return Invitation(NAME, seat, campaign.public.secret, token_of(campaign.state, seat))


def seat_wanted(table: SimulatedTable, seat: str) -> str:
    """A letter that takes a seat."""
    return join_letter(invitation(table, seat), new_key(seat), 99)


def test_who_only_copies_the_key_of_a_seat_is_not_told_to_have_it(table: SimulatedTable) -> None:
    with table.open() as campaign:
        key = campaign.public.players["louis"].key
    forged, changes = re.subn(r"(?m)^  key: .*$", f"  key: {key}", seat_wanted(table, "louis"))
    assert changes == 1
    told = {fault.message.key for fault in table.send(forged).verdict.faults}
    assert {"E-JOIN-TAKEN", "E-SIGNATURE-KEY"} <= told
    assert "E-JOIN-TAKEN.own" not in told


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_letter_is_refused_with_its_own_code_and_changes_nothing(table: SimulatedTable, name: str) -> None:
    code, write = WRONG[name]
    text = write(table)
    with table.open() as campaign:
        before = secret_state(campaign)
    receipt = table.send(text)
    assert receipt.status == "refused"
    assert any(found.startswith(code) for found in codes(receipt)), codes(receipt)
    with table.open() as campaign:
        assert secret_state(campaign) == before
        entry = campaign.ledger.read(receipt.entry)
        assert isinstance(record_in(entry), RefusedRecord)
        assert not campaign.folder.letter(receipt.entry).exists()
    assert table.send(good(table)).status == "final"
    table.assert_verified()


def test_a_letter_sent_again_is_known_and_adds_no_entry(table: SimulatedTable) -> None:
    text = good(table)
    first = table.send(text)
    again = table.send(text)
    other_layout = table.send("# as my mail program likes it\r\n" + text.replace("\n", "\r\n"))
    assert [first.status, again.status, other_layout.status] == ["final", "known", "known"]
    assert first.entry == again.entry == other_layout.entry
    with table.open() as campaign:
        assert campaign.ledger.head.number == first.entry


@pytest.mark.parametrize("kind", ["a message to a stranger", "an agreement with a stranger"])
def test_who_names_no_seat_is_told_the_seats_with_their_players(table: SimulatedTable, kind: str) -> None:
    receipt = table.send(WRONG[kind][1](table))
    (told,) = {f"{fault.data('en')['hint']}" for fault in receipt.verdict.faults}
    with table.open() as campaign:
        named = {seat: who.name for seat, who in campaign.public.players.items()}
    assert all(named.values())
    assert all(f"{seat} ({name})" in told for seat, name in named.items()), told


NO_SEAT = {
    "en": ("'{}' is no seat", "write the seat, not the player: "),
    "de": ("'{}' ist hier kein Platz", "schreib den Platz, nicht den Spieler: "),
    "es": ("'{}' no es aquí ningún puesto", "escribe el puesto, no el jugador: "),
    "it": ("'{}' qui non è un posto", "scrivi il posto, non il giocatore: "),
}


def test_who_writes_to_no_seat_is_told_to_name_one_and_not_that_nobody_has_the_name(table: SimulatedTable) -> None:
    (fault,) = table.send(message(table, "Fritz")).verdict.faults
    for language, (says, hint) in NO_SEAT.items():
        assert says.format("Fritz") in fault.sentence(language)
        assert str(fault.data(language)["hint"]).startswith(hint)


def test_what_is_refused_again_is_answered_again_but_entered_once(table: SimulatedTable) -> None:
    for text in (unsigned(table), "nonsense"):
        first, again = table.send(text), table.send(text)
        assert (first.status, again.status, first.entry) == ("refused", "refused", again.entry)
        assert codes(first) == codes(again)
    with table.open() as campaign:
        assert [entry.kind for entry in campaign.ledger.entries()].count("refused") == 2


def test_a_letter_of_the_same_number_that_says_something_else_is_refused(table: SimulatedTable) -> None:
    first = table.letter("louis", ALLOT, seq=7)
    assert table.send(first).status == "final"
    assert codes(table.send(table.letter("louis", ALLOT, seq=7, wait=True))) == ["E-LETTER-SEQ"]
    assert codes(table.send(table.letter("louis", ALLOT, seq=6))) == ["E-LETTER-OLD"]
    with table.open() as campaign:
        assert not campaign.public.pending["louis"].wait


def test_letters_that_overtake_each_other_leave_the_newest_in_force(table: SimulatedTable) -> None:
    older, newer = table.letter("louis", ALLOT, seq=5), table.letter("louis", ALLOT, seq=6, wait=True)
    newest = table.send(newer)
    assert codes(table.send(older)) == ["E-LETTER-OLD"]
    assert table.send(newer).status == "known"
    with table.open() as campaign:
        assert campaign.public.pending["louis"].entry == newest.entry


def test_a_letter_carried_out_and_sent_again_is_known(table: SimulatedTable) -> None:
    letters = {player: good(table, player) for player in table.players}
    entries = {player: table.send(text).entry for player, text in letters.items()}
    table.adjudicate()
    for player, text in letters.items():
        again = table.send(text)
        assert (again.status, again.entry, codes(again)) == ("known", entries[player], [])


def test_of_a_letter_that_was_changed_anywhere_nothing_new_is_taken(begun: SimulatedTable, tmp_path: Path) -> None:
    table = begun.copied(tmp_path / "campaign")
    text = good(table)
    original = read_letter(text.encode(), "letter")
    data = text.encode()
    refused = 0
    with table.open() as campaign:
        for place in range(0, len(data), 3):
            changed = bytearray(data)
            changed[place] ^= 1 << (place % 7)
            try:
                letter = read_letter(bytes(changed), "letter")
            except Refused:
                refused += 1
                continue
            verdict = judge(campaign.state, letter, campaign.open_box)
            assert verdict.is_refused or letter.tree == original.tree, changed[max(0, place - 20) : place + 20]
            refused += verdict.is_refused
    assert refused > len(data) // 6


def test_of_a_letter_cut_short_nothing_is_taken(table: SimulatedTable) -> None:
    data = good(table).encode()
    with table.open() as campaign:
        for length in range(0, len(data) - 1, 17):
            try:
                letter = read_letter(data[:length], "letter")
            except Refused:
                continue
            assert judge(campaign.state, letter, campaign.open_box).is_refused


def test_only_who_owes_nothing_any_more_is_not_waited_for(table: SimulatedTable) -> None:
    partial = table.send(table.letter("louis", {"bavaria": ALLOT["bavaria"]}))
    assert (partial.status, partial.verdict.missing) == ("partial", ["france"])
    nothing = table.send(table.letter("louis", {}))
    assert (nothing.status, nothing.verdict.missing) == ("partial", ["france", "bavaria"])


def test_a_join_letter_must_prove_its_key_and_bring_chance(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    offer, other_offer = invitation(table, "louis"), invitation(table, "frederick")
    key, other = new_key("louis"), new_key("other")
    head: dict[str, str | int] = {"kind": "join", "campaign": NAME, "from": "louis", "seq": 1}
    mine: dict[str, Value] = {"key": key.public.text, "entropy": "some long line of my own"}
    mine |= {"deal": offer.deal, "token": offer.token}

    def join(signer: PrivateKey | None = key, /, **changes: str) -> list[str]:
        text = write_letter(head, {name: value for name, value in {**mine, **changes}.items() if value != "-"})
        return codes(table.send(sign_letter(text, signer) if signer else text))

    assert join(key=other.public.text) == ["E-SIGNATURE-KEY"]
    assert join(key="-") == ["E-KEY-FORMAT"]
    assert join(entropy="-") == ["E-JOIN-ENTROPY"]
    assert join(language="English") == ["E-JOIN-LANGUAGE"]
    assert join(name="x" * 81) == ["E-JOIN-NAME"]
    assert join(deal="0" * 64) == join(deal="-") == ["E-JOIN-DEAL"]
    with_blank = f"{offer.deal[:31]} {offer.deal[31:]}"
    text = write_letter(head, {**mine, "deal": with_blank})
    (fault,) = table.send(sign_letter(text, key)).verdict.faults
    assert fault.message == wrong("E-JOIN-DEAL.blanks").message
    assert join(token=other_offer.token) == join(token="-") == ["E-JOIN-TOKEN"]
    assert join(also="this") == ["E-FORM-KEY"]
    assert join(None) == ["E-LETTER-UNSIGNED"]
    assert join() == []
    table.assert_verified()


def test_before_the_game_nobody_orders_but_players_may_talk(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory")
    table.join()
    stage = LetterContext(NAME, "louis", "1/setup", "0" * 12)
    assert codes(table.send(table.letter("louis", ALLOT, occasion=stage))) == ["E-LETTER-STAGE"]
    head = head_of(stage, "agreement", 5)
    promise = sign_letter(write_letter(head, {"with": "frederick", "words": "peace"}), table.players["louis"].key)
    assert codes(table.send(promise)) == ["E-LETTER-STAGE"]
    assert table.send(message(table, "frederick")).status == "final"


def test_without_signatures_unsigned_letters_are_taken_of_who_named_no_key(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(signing="off"), scenario="introductory")
    offer = invitation(table, "louis")
    head: dict[str, str | int] = {"kind": "join", "campaign": NAME, "from": "louis", "seq": 1}
    body: dict[str, Value] = {"deal": offer.deal, "token": offer.token, "entropy": "a club night"}
    assert table.send(write_letter(head, body)).status == "final"
    for player in ("frederick", "maria-theresa"):
        with table.open() as campaign:
            text = table.players[player].join(campaign.state)
        table.send(text)
    table.play(0)
    signed_by_another = table.letter("louis", ALLOT, key=table.players["frederick"].key)
    assert table.send(signed_by_another).status == "refused"
    with_key = orders_letter(table.occasion("frederick"), 50, {})
    assert codes(table.send(with_key)) == ["E-LETTER-UNSIGNED"]
    assert table.send(orders_letter(table.occasion("louis"), 50, ALLOT)).status == "final"
    table.assert_verified()
