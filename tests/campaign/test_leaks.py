"""Campaigns that differ in one secret look alike to everybody who may not know it."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from pbem.campaign.briefing import briefings
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AdjudicationRecord, CardProof
from pbem.engine.events import CardsDrawn, DeckShuffled
from pbem.paper.lexicon import card_text
from pbem.seal.canonical import Tree
from tests.campaign.simulated import NAME, SimulatedTable
from tests.campaign.test_intake import ALLOT
from tests.campaign.test_moderating_carried import COMBAT, HOLD, austria

OTHER_ALLOT: dict[str, Tree] = {
    "france": {"allot": {"Moritz": "8", "Belle-Isle": "7", "Broglie": "6", "Maillebois": "2", "Noailles": "3"}},
    "bavaria": {"allot": {"Törring": "5"}},
}

RANDOM_LOOKING = re.compile(r"[0-9a-f]{64}")
"""Hashes with a salt or a key tell nothing by themselves, and differ with everything before them."""


def public_files(table: SimulatedTable) -> dict[str, Any]:
    """Everything of the folder that is published while the game runs: the ledger's text, the rest's names and sizes."""
    found: dict[str, Any] = {}
    for entry in Ledger(table.root / "ledger", NAME).entries():
        body = RANDOM_LOOKING.sub("#", msgspec.json.encode(entry.body).decode())
        found[f"{entry.number:04d}-{entry.kind}"] = (entry.time, body)
    for name in ("state.yaml", "campaign.yaml"):
        tree = yaml.load((table.root / name).read_text(), yaml.BaseLoader)
        found[name] = RANDOM_LOOKING.sub("#", msgspec.json.encode(tree).decode())
    found["letters"] = sorted((path.name, sealed_size(path)) for path in (table.root / "letters").iterdir())
    found["raw"] = sorted(sealed_size(path) for path in (table.root / "raw").iterdir())
    return found


def sealed_size(path: Path) -> int:
    """Length of the sealed content of a box; its header has an ornament of random length."""
    lines = path.read_text().strip().split("\n")
    return len(base64.b64decode("".join(lines[1:-1])).partition(b"\n--- ")[2])


def digests(table: SimulatedTable) -> list[tuple[str, object]]:
    """Values that are hashed without a salt, or deal cards: they must not depend on the secret at all."""
    records = [record_in(entry) for entry in Ledger(table.root / "ledger", NAME).entries()]
    return [(each.next.digest, each.dealt) for each in records if isinstance(each, AdjudicationRecord)]


def told(table: SimulatedTable, but: str) -> dict[str, object]:
    """Reports of everybody but the moderator and the owner of the secret."""
    with table.open() as campaign:
        found = briefings(campaign)
    hidden = ("head", "table", "notes", "basis", "pending", "orders", "news")
    return {
        reader: [
            repr(getattr(part, name))
            for part in (told, told.orders, told.news)
            for name in part.__struct_fields__
            if name not in hidden
        ]
        for reader, told in found.items()
        if reader not in (but, "moderator")
    }


def assert_alike(one: SimulatedTable, other: SimulatedTable, but: str) -> None:
    assert public_files(one) == public_files(other)
    assert digests(one) == digests(other)
    assert told(one, but) == told(other, but)


def own_news(table: SimulatedTable, player: str) -> str:
    with table.open() as campaign:
        return repr(briefings(campaign)[player].view)


def deliver(table: SimulatedTable, text: str) -> None:
    """A letter comes in with the bytes around it."""
    with table.open() as campaign:
        campaign.keep_raw(text.encode())
        campaign.save()
    assert table.send(text).status == "final"


def twins(begun: SimulatedTable, root: Path) -> tuple[SimulatedTable, SimulatedTable]:
    return begun.copied(root / "one"), begun.copied(root / "other")


def test_nobody_sees_how_troops_are_allotted(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", scenario="introductory").begun()
    begun.ordered("frederick", "maria-theresa")
    one, other = twins(begun, tmp_path)
    for table, orders in ((one, ALLOT), (other, OTHER_ALLOT)):
        deliver(table, table.letter("louis", sealed={"orders": orders}))
    assert_alike(one, other, "louis")
    one.adjudicate()
    other.adjudicate()
    assert_alike(one, other, "louis")
    assert own_news(one, "louis") != own_news(other, "louis")
    hussars: dict[str, Tree] = {"austria": {"hussars": ["off", "off"]}}
    still: dict[str, Tree] = {"france": {"move": []}, "bavaria": {"move": []}}
    for player, orders in (("maria-theresa", hussars), ("louis", still)):
        for table in (one, other):
            deliver(table, table.letter(player, sealed={"orders": orders}))
            table.adjudicate()
    assert_alike(one, other, "louis")


def test_nobody_sees_troops_passed_within_a_stack(tmp_path: Path) -> None:
    stack = COMBAT.replace("  Neipperg: Königgrätz, 4\n", "  Schwerin: Trautenau, 2\n  Neipperg: Pardubitz, 4\n")
    begun = SimulatedTable(tmp_path / "begun", position=stack, scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    passed: dict[str, Tree] = {"prussia": {"transfer": {"Friedrich": "4", "Schwerin": "1"}}}
    for table, orders in ((one, HOLD), (other, {**HOLD, "prussia": {**passed["prussia"], "move": []}})):  # type: ignore[dict-item]
        deliver(table, table.letter("frederick", sealed={"orders": orders}))
        table.adjudicate()
    assert_alike(one, other, "frederick")
    assert own_news(one, "frederick") != own_news(other, "frederick")


def test_nobody_sees_the_cards_of_a_plan_that_are_not_played_yet(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", position=COMBAT, scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    for table, cards in ((one, ["♠5", "♠4", "stop"]), (other, ["♠5", "♠3", "♠2"])):
        plan: dict[str, Tree] = {"prussia": {"move": [], "play": list(cards)}, "saxony": {"move": []}}
        deliver(table, table.letter("frederick", sealed={"orders": plan}))
        table.adjudicate()
    assert_alike(one, other, "frederick")


def test_nobody_sees_a_plan_sent_ahead(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", position=COMBAT, scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    for table, cards in ((one, ("♦7", "♦9")), (other, ("♦10", "stop"))):
        deliver(table, table.letter("maria-theresa", sealed={"orders": austria(*cards)}))
        deliver(table, table.letter("frederick", HOLD))
        table.adjudicate()
    assert_alike(one, other, "maria-theresa")


def test_nobody_sees_which_card_was_placed_as_influence(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", scenario="advanced", placing="simultaneous").begun()
    begun.play(1)
    with begun.open() as campaign:
        assert campaign.state.table
        (first, second, *_) = campaign.state.table.state.cards.hands["austria"]
        written = [card_text(card) for card in (first, second)]
    one, other = twins(begun, tmp_path)
    for table, card in zip((one, other), written, strict=True):
        deliver(table, table.letter("maria-theresa", sealed={"orders": {"austria": {"influence": card}}}))
    assert_alike(one, other, "maria-theresa")


def test_nobody_but_those_it_is_for_sees_a_message(tmp_path: Path) -> None:
    begun = SimulatedTable(tmp_path / "begun", scenario="introductory").begun()
    one, other = twins(begun, tmp_path)
    for table, words in ((one, "Attack Austria at once."), (other, "Make peace with her.")):
        deliver(table, table.other_letter("louis", "message", {"to": "frederick", "text": words}))
    assert public_files(one) == public_files(other)
    seen, other_seen = told(one, "louis"), told(other, "louis")
    assert seen.pop("frederick") != other_seen.pop("frederick")
    assert seen == other_seen


RESHUFFLED = """\
turn: 2
stage: prussia
phase: movement
begun: yes
owing: [prussia, saxony]
pieces: {Friedrich: "Trautenau, 3", Neipperg: "Königgrätz, 4"}
hands:
  france: [♣2]
  bavaria: [♣3]
  saxony: [♣4]
  prussia: [♠5/1, ♠4/2, ♠3/3, ♠2/4]
  austria: [♦10/1, ♦9/2, ♦7/3, ♠10/4]
draw: []
unused: []
"""
"""Cards that are played in this combat go into the shuffle behind it."""


def fought(table: SimulatedTable) -> None:
    """A combat of two cards, behind which Austria draws."""
    plan: dict[str, Tree] = {"prussia": {"move": [], "play": ["♠5", "stop"]}, "saxony": {"move": []}}
    table.send(table.letter("frederick", plan))
    table.send(table.letter("maria-theresa", austria("♦7")))
    table.adjudicate()


@pytest.fixture(scope="module")
def reshuffled(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    root = tmp_path_factory.mktemp("reshuffled") / "campaign"
    table = SimulatedTable(root, position=RESHUFFLED, scenario="introductory").begun()
    fought(table)
    while not any(dealt for _, dealt in digests(table)):
        table.play(1)
    return table


def proofs_in(table: SimulatedTable) -> list[tuple[AdjudicationRecord, CardProof]]:
    """The proofs in the entries that tell of a shuffle."""
    records = [record_in(entry) for entry in Ledger(table.root / "ledger", NAME).entries()]
    shuffling = [each for each in records if isinstance(each, AdjudicationRecord) and each.dealt]
    return [(each, proof) for each in shuffling for proof in each.openings]


def test_no_proof_tells_where_a_card_lies_that_was_played_and_shuffled_in_again(reshuffled: SimulatedTable) -> None:
    for record, proof in proofs_in(reshuffled):
        kinds = [event["type"] for event in record.events]
        before = kinds[: kinds.index(DeckShuffled.__name__)]
        played = {int(str(event["card"])) for event in record.events[: len(before)] if "card" in event}
        assert proof.card not in played or proof.shuffle not in {dealt.number for dealt in record.dealt}


def test_a_player_gets_proofs_of_what_was_drawn_and_of_nothing_else(reshuffled: SimulatedTable) -> None:
    with reshuffled.open() as campaign:
        news = briefings(campaign)
    for reader, each in news.items():
        drawn = {
            card
            for event in each.news.events
            if isinstance(event, CardsDrawn) and event.power in each.powers
            for card in event.cards or ()
        }
        assert {proof.card for proof in each.news.proofs} <= drawn, reader
    assert news["observer"].news.proofs == ()
    assert news["maria-theresa"].news.proofs
