"""Orders ahead: taken as a whole when their stage comes, or not at all; withdrawn, replaced, sealed, turned back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.replaced_orders import AheadOfReader
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import reveal_letter, sealed_part, with_ahead
from pbem.campaign.settings import Conduct
from pbem.engine.events import Marched
from pbem.paper.letters import sign_letter
from pbem.post.extract import extract
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text, standing_plans
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes
from tests.campaign.test_leaks import assert_alike, deliver
from tests.protocol import second
from tests.report.plain import letter_text

FRANCE = """\
turn: 2
stage: france
phase: movement
begun: yes
owing: [france, bavaria]
pieces:
  Friedrich: Trautenau, 3
  Schwerin: Glogau, 3
  Neipperg: Brünn, 4
  Karl: off
hands:
  prussia: [♠5, ♠4, ♠3, ♠2, ♥2, ♦3]
  austria: [♦10, ♦9, ♦7, ♠10, ♠9, ♥3]
"""
STILL: dict[str, Tree] = {"france": {"move": []}, "bavaria": {"move": []}}
SAXONY: dict[str, Tree] = {"saxony": {"ahead": {"stage": "2/prussia", "move": []}}}
MARCH: Tree = [{"Friedrich": "Königgrätz"}]
FAR: Tree = [{"Schwerin": "Lüben"}, {"Friedrich": "Wien"}]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    return SimulatedTable(tmp_path_factory.mktemp("ahead") / "campaign", position=FRANCE).begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> Iterator[SimulatedTable]:
    """A table whose game is verified from the published secrets after the test."""
    found = begun.copied(tmp_path / "campaign")
    yield found
    found.close("far enough")
    found.assert_verified()


def ahead(*blocks: Mapping[str, Tree]) -> dict[str, Tree]:
    """Orders for nothing but the stage of Prussia, which is the next."""
    given: list[Tree] = [{"stage": "2/prussia", **block} for block in blocks]
    return {"prussia": {"ahead": given}, **SAXONY}


def taken(table: SimulatedTable, player: str, orders: Mapping[str, Tree]) -> adjudicating.Receipt:
    receipt = table.send(table.letter(player, orders))
    assert receipt.status == "final", codes(receipt)
    return receipt


def france_done(table: SimulatedTable) -> adjudicating.Adjudication:
    """France moves nothing, and its stage is over."""
    taken(table, "louis", STILL)
    return table.carried_out()


def marched(done: adjudicating.Adjudication) -> int:
    return len([event for event in done.outcome.events if isinstance(event, Marched)])


def told(done: adjudicating.Adjudication) -> list[tuple[str, str]]:
    return [(note.player, note.fault.code) for note in done.outcome.notes]


def test_they_are_carried_out_when_their_stage_comes_without_another_letter(table: SimulatedTable) -> None:
    orders = with_ahead({}, "2/prussia", {"prussia": {"move": MARCH}, "saxony": {"move": []}})
    entry = taken(table, "frederick", orders).entry
    with table.open() as campaign:
        news = briefings(campaign)
    assert news["frederick"].orders.ahead == tuple(
        AheadOfReader("2/prussia", power, entry, ("move",), "orders") for power in ("prussia", "saxony")
    )
    assert news["observer"].orders.ahead == news["moderator"].orders.ahead == news["louis"].orders.ahead == ()
    done = france_done(table)
    assert (marched(done), told(done), done.record.next.stage) == (1, [], "2/austria")
    with table.open() as campaign:
        assert campaign.state.ahead == {}, "nothing is kept of what is over"
        assert briefings(campaign)["frederick"].orders.ahead == ()


def test_an_order_letter_holds_those_of_its_stage_and_later_ones(table: SimulatedTable) -> None:
    taken(table, "frederick", ahead({"move": MARCH}))
    taken(table, "maria-theresa", with_ahead({}, "2/austria", {"austria": {"move": [{"Neipperg": "Olmütz"}]}}))
    taken(table, "louis", with_ahead(STILL, "2/prussia", {}))
    done = table.carried_out()
    assert (marched(done), done.record.next.stage) == (2, "3/hussars")
    assert done.record.used == (6, 7, 8)
    assert second.verify(table.root) == []


@pytest.mark.parametrize("otherwise", ["ask", "hold"])
def test_of_what_cannot_be_carried_out_nothing_is_taken_and_its_player_is_told_why(
    table: SimulatedTable, otherwise: str
) -> None:
    taken(table, "frederick", ahead({"move": FAR, "else": otherwise}))
    done = france_done(table)
    assert (marched(done), told(done)) == (0, [("frederick", "W-AHEAD-REFUSED")])
    assert done.outcome.slips == []
    assert done.record.next.stage == ("2/prussia" if otherwise == "ask" else "2/austria")
    with table.open() as campaign:
        news = briefings(campaign)
    ((note,), others) = report_data(news["frederick"])["plan_notes"], report_data(news["louis"])["plan_notes"]  # type: ignore[misc]
    assert (note["line"], others) == (0, []), "the line would be one of an earlier letter"
    assert "nothing of the orders ahead for turn 2 (stage of Prussia) is taken: " in note["message"]
    if otherwise == "ask":
        assert done.record.next.owing == {"frederick": ("prussia", "saxony")}
        assert news["frederick"].orders.ahead == (AheadOfReader("2/prussia", "saxony", 6, ("move",)),)
        taken(table, "frederick", {"prussia": {"move": MARCH}})
        assert marched(table.carried_out()) == 1


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"where": {"Neipperg": "Brünn"}}, True),
        ({"where": {"Neipperg": ["Olmütz", "Brünn"], "Friedrich": "not Glogau"}}, True),
        ({"where": {"Neipperg": ["not Olmütz", "not Brünn"]}}, False),
        ({"where": {"Karl": "off"}}, True),
        ({"where": {"Friedrich": "off"}}, False),
        ({"conquered": "Glatz"}, False),
        ({"conquered": "not Glatz"}, True),
        ({"when": {"hand": "20 or more"}}, False),
        ({"when": {"turn": "2", "hand": "5 or more"}}, True),
    ],
)
def test_they_depend_on_numbers_places_and_conquests(
    begun: SimulatedTable, tmp_path: Path, condition: dict[str, Tree], holds: bool
) -> None:
    table = begun.copied(tmp_path / "campaign")
    taken(table, "frederick", ahead({**condition, "move": MARCH}))
    done = france_done(table)
    assert (marched(done), told(done)) == ((1, []) if holds else (0, [("frederick", "W-AHEAD-WHEN")]))


def test_the_first_block_whose_conditions_hold_is_taken_and_the_last_says_what_else(table: SimulatedTable) -> None:
    elsewhere: dict[str, Tree] = {"where": {"Neipperg": "Olmütz"}, "move": FAR}
    taken(table, "frederick", ahead(elsewhere, {"move": MARCH}))
    other = table.copied(table.root.with_name("other"))
    assert marched(france_done(table)) == 1
    taken(other, "frederick", ahead(elsewhere, {"where": {"Neipperg": "Wien"}, "move": MARCH, "else": "hold"}))
    done = france_done(other)
    assert (marched(done), told(done), done.record.next.stage) == (0, [("frederick", "W-AHEAD-WHEN")], "2/austria")


def test_a_newer_letter_takes_their_place_an_empty_block_withdraws_and_the_stages_own_letter_comes_first(
    table: SimulatedTable,
) -> None:
    taken(table, "frederick", ahead({"move": FAR}))
    taken(table, "frederick", ahead({"move": MARCH}))
    withdrawn, own = (table.copied(table.root.with_name(name)) for name in ("withdrawn", "own"))
    assert told(france_done(table)) == []
    taken(withdrawn, "frederick", ahead({}))
    done = france_done(withdrawn)
    assert (marched(done), told(done), done.record.next.stage) == (0, [], "2/prussia")
    taken(own, "frederick", {"prussia": {"ahead": {"stage": "2/prussia", "move": MARCH}}})
    france_done(own)
    taken(own, "frederick", {"prussia": {"move": []}, "saxony": {"move": []}})
    assert marched(own.carried_out()) == 0


def test_standing_plans_answer_what_they_leave_and_letters_of_plans_hold_them_too(table: SimulatedTable) -> None:
    toll: Tree = {"for": "toll", "pay": "cheapest", "standing": "yes"}
    block: Tree = {"stage": "2/prussia", "move": MARCH}
    plan: Tree = {"orders": {"prussia": {"plans": [toll], "ahead": block}, **SAXONY}}
    assert table.send(table.other_letter("frederick", "plan", plan)).status == "partial"
    done = france_done(table)
    assert (marched(done), done.record.next.stage, done.record.used) == (1, "2/austria", (6, 7))


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ({"prussia": {"ahead": {"stage": "2/france", "move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": {"stage": "2/hussars", "move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": {"stage": "3/prussia", "move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": {"stage": "2/austria", "move": []}}}, "E-AHEAD-STAGE"),
        ({"austria": {"ahead": {"stage": "2/austria", "move": []}}}, "E-ORDER-FOREIGN"),
        ({"prussia": {"ahead": {"stage": "2/russia", "move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": {"stage": "prussia", "move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": {"move": []}}}, "E-AHEAD-STAGE"),
        ({"prussia": {"ahead": "2/prussia"}}, "E-FORM-MAPPING"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "transfer": {"Friedrich": "3"}}}}, "E-FORM-KEY"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "ahead": [], "move": []}}}, "E-FORM-KEY"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "plans": [], "move": []}}}, "E-FORM-KEY"),
        ({"prussia": {"ahead": "null"}}, "E-FORM-MAPPING"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "when": {"turn": "٢"}, "move": []}}}, "E-PLAN-SPAN"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "else": "stop", "move": []}}}, "E-NAME-UNKNOWN"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "when": {"score": "3"}, "move": []}}}, "E-FORM-KEY"),
        (
            {"prussia": {"ahead": {"stage": "2/prussia", "move": [], "where": {"Karl": ["Prag", "not Linz"]}}}},
            "E-PLAN-WHERE",
        ),
        ({"prussia": {"ahead": {"stage": "2/prussia", "where": {"Karl": []}, "move": []}}}, "E-PLAN-WHERE"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "conquered": "Lüben", "move": []}}}, "E-PLAN-CONQUERED"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "conquered": "Glatz"}}}, "E-AHEAD-EMPTY"),
        ({"prussia": {"ahead": {"stage": "2/prussia", "else": "ask"}}}, "E-AHEAD-EMPTY"),
        ({"prussia": {"ahead": [{"stage": "2/prussia"}, {"stage": "2/prussia", "move": []}]}}, "E-AHEAD-EMPTY"),
    ],
)
def test_what_is_for_no_later_stage_of_ones_own_is_refused_at_its_place(
    begun: SimulatedTable, tmp_path: Path, orders: dict[str, Tree], code: str
) -> None:
    for table, letter in (
        (begun.copied(tmp_path / "orders"), lambda table: table.letter("frederick", orders)),
        (begun.copied(tmp_path / "plan"), lambda table: table.other_letter("frederick", "plan", {"orders": orders})),
    ):
        receipt = table.send(letter(table))
        assert (receipt.status, codes(receipt)) == ("refused", [code])
        (fault,) = receipt.verdict.faults
        assert fault.place
        assert len({fault.sentence(language) for language in ("en", "de", "es", "it")}) == 4


def test_a_receipt_says_what_is_for_which_stage_but_of_nothing_sealed(table: SimulatedTable) -> None:
    conditional: dict[str, Tree] = {"conquered": "Glatz", "move": MARCH}
    found, told_of = [], list[str]()
    for text in (
        table.letter("frederick", ahead(conditional, {"else": "hold"})),
        table.letter("frederick", {"prussia": {"ahead": {"stage": "2/prussia"}}}),
        table.letter("frederick", sealed={"orders": ahead({"move": MARCH})}),
    ):
        receipt = table.send(text)
        with table.open() as campaign:
            data = receipt_data(campaign, receipt)
        found.append([(each["power"], each["sections"], each["blocks"]) for each in data["ahead"]])  # type: ignore[attr-defined]
        told_of += [
            line for line in letter_text(data).splitlines() if line.startswith("- Turn 2, stage of Prussia: Pr")
        ]
    assert found == [[("prussia", ["move"], 2), ("saxony", ["move"], 1)], [("prussia", [], 1)], []]
    assert [line.partition(": ")[2] for line in told_of] == ["Prussia (march; 2 blocks)", "Prussia (withdrawn)"]


def test_a_receipt_leaves_out_orders_ahead_for_stages_that_are_over(table: SimulatedTable) -> None:
    receipt = taken(
        table, "frederick", with_ahead({}, "2/prussia", {"prussia": {"move": MARCH}, "saxony": {"move": []}})
    )
    found = []
    for go_on in (False, True):
        if go_on:
            france_done(table)
        with table.open() as campaign:
            data = receipt_data(campaign, receipt)
        found.append(
            (bool(data["ahead"]), "what they leave open, you are asked" in " ".join(letter_text(data).split()))
        )
    assert found == [(True, True), (False, False)]


def test_others_see_nothing_of_them_before_they_act(begun: SimulatedTable, tmp_path: Path) -> None:
    one, other = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    for table, orders in ((one, ahead({"move": MARCH})), (other, {"prussia": {}})):
        deliver(table, table.letter("frederick", sealed={"orders": orders}))
    assert_alike(one, other, "frederick")


def test_others_see_the_same_whether_they_could_not_be_taken_or_never_were(
    begun: SimulatedTable, tmp_path: Path
) -> None:
    one, other, third = (begun.copied(tmp_path / name) for name in ("one", "other", "third"))
    orders: list[dict[str, Tree]] = [
        ahead({"move": FAR}),
        ahead({"conquered": "Glatz", "move": MARCH}),
        {"prussia": {}},
    ]
    for table, given in zip((one, other, third), orders, strict=True):
        deliver(table, table.letter("frederick", sealed={"orders": {**given, "saxony": {}}}))
        deliver(table, table.letter("louis", STILL))
        assert table.carried_out().record.next.answered == ()
    assert_alike(one, other, "frederick")
    assert_alike(one, third, "frederick")


def test_a_rollback_brings_back_those_that_were_in_force(table: SimulatedTable) -> None:
    taken(table, "frederick", with_ahead({}, "2/prussia", {"prussia": {"move": MARCH}}))
    france_done(table)
    with table.open() as campaign:
        before, then = 5, campaign.public.since
    taken(table, "frederick", {"saxony": {"move": []}})
    assert marched(table.carried_out()) == 1
    turn_back(table, then)
    taken(table, "frederick", {"saxony": {"move": []}})
    assert marched(table.carried_out()) == 1
    turn_back(table, before)
    france_done(table)
    with table.open() as campaign:
        assert campaign.state.ahead == {}, "the letter came later"


def turn_back(table: SimulatedTable, to: int) -> None:
    with table.open() as campaign:
        rulings.rollback(campaign, to, "once more")
        campaign.save()


def test_a_substitute_is_not_bound_by_them(table: SimulatedTable) -> None:
    taken(table, "frederick", with_ahead({}, "2/prussia", {"prussia": {"move": MARCH}}))
    france_done(table)
    with table.open() as campaign:
        assert set(campaign.state.ahead) == {"frederick"}
        key = table.players["frederick"].key.public.text
        rulings.substitute(campaign, "frederick", key, "the same, back again")
        campaign.save()
        assert campaign.state.ahead == {}


UNSIGNED = """\
pbem: 1
kind: orders
campaign: c
from: frederick
stage: 2/france
body:
  orders:
    prussia:
      Ahead:
        - Stage: 2/prussia
          Move: []
"""
NETHERLANDS = """\
scenario: advanced
turn: 4
stage: prussia
phase: movement
begun: yes
owing: [prussia, saxony]
pieces: {Arenberg: "Löwen, 4", George: "Gent, 3", Friedrich: "Breslau, 3", Neipperg: "Olmütz, 4"}
"""
PRUSSIA: dict[str, Tree] = {"prussia": {"move": []}, "saxony": {"move": []}}


@pytest.mark.parametrize(("to", "moves", "codes_told"), [("Brügge", 2, []), ("Wien", 1, ["W-AHEAD-REFUSED"])])
def test_of_two_players_who_act_together_each_has_their_own(
    tmp_path: Path, to: str, moves: int, codes_told: list[str]
) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=NETHERLANDS, scenario="advanced").begun()
    austria: dict[str, Tree] = {"austria": {"move": [{"Arenberg": "Namur"}]}}
    pragmatic: dict[str, Tree] = {"pragmatic": {"move": [{"George": to}], "else": "hold"}}
    taken(table, "maria-theresa", with_ahead({}, "4/austria", austria))
    taken(table, "frederick", with_ahead(PRUSSIA, "4/austria", pragmatic))
    done = table.carried_out()
    assert (marched(done), [code for _, code in told(done)]) == (moves, codes_told)
    assert done.record.next.stage == "5/politics"
    table.close("far enough")
    table.assert_verified()


REVEAL = Conduct(sealing="reveal")


@pytest.mark.parametrize("kind", ["orders", "plan"])
def test_what_nobody_can_read_yet_is_shown_and_then_answers(tmp_path: Path, kind: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=REVEAL, position=FRANCE).begun()
    slot = "plans" if kind == "plan" else "orders"
    part = sealed_part(table.occasion("frederick"), slot, ahead({"move": MARCH}))
    body: Tree = {"sealed": {slot: {"commitment": part.commitment}}}
    table.send(table.other_letter("frederick", kind, body))
    taken(table, "louis", STILL)
    if kind == "orders":
        assert isinstance(table.adjudicate(), adjudicating.Lock)
    else:
        assert table.carried_out().record.next.stage == "2/prussia"
    text = reveal_letter(table.occasion("frederick"), table.players["frederick"].next_seq(), {slot: part})
    assert table.send(sign_letter(text, table.players["frederick"].key)).status == "final"
    done = table.carried_out()
    assert (marched(done), done.record.next.stage) == (1, "2/austria")
    table.close("far enough")
    table.assert_verified()


def test_who_does_not_show_them_in_time_has_forfeited_them(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=REVEAL, position=FRANCE).begun()
    text = table.letter("frederick", ahead({"move": MARCH}), sealed={"orders": {"prussia": {"move": []}}})
    assert table.send(text).status == "final"
    taken(table, "louis", STILL)
    assert isinstance(table.adjudicate(), adjudicating.Lock)
    done = table.carried_out(force=True)
    assert (done.record.forfeited, done.record.next.stage) == ({"frederick": ("orders",)}, "2/prussia")
    with table.open() as campaign:
        assert campaign.state.ahead == {}
    table.close("far enough")
    table.assert_verified()


def test_the_ledger_says_of_them_that_a_letter_came(table: SimulatedTable) -> None:
    entry = taken(table, "frederick", ahead({"move": MARCH})).entry
    with table.open() as campaign:
        record = record_in(campaign.ledger.read(entry))
    assert isinstance(record, LetterRecord)
    assert (record.kind, record.status, record.slots, record.wait) == ("orders", "final", {}, False)


def test_capitals_that_a_telephone_writes_are_understood() -> None:
    (letter,) = extract(UNSIGNED.encode(), "letter").letters
    assert letter.letter
    assert letter.letter.tree["body"] == {"orders": {"prussia": {"ahead": [{"stage": "2/prussia", "move": []}]}}}


def test_they_are_found_in_a_reply_and_in_a_thread() -> None:
    mail = "From: f@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8; format=flowed\n\n"
    page = f"<html><body><p>My move:</p><pre><code>{UNSIGNED}</code></pre></body></html>"
    for text, name in ((f"{mail}Here it is:\n\n{UNSIGNED}\n> pbem sent\n", "reply.eml"), (page, "thread.html")):
        (found,) = extract(text.encode(), name).letters
        assert found.letter
        assert "2/prussia" in str(found.letter.tree["body"])


def test_in_friedrich_one_player_orders_two_stages_at_once(tmp_path: Path) -> None:
    position = "game: friedrich\nturn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia]\n"
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    own: dict[str, Tree] = {"prussia": {"move": [], "recruit": "none"}}
    hanover: dict[str, Tree] = {"move": [{"Ferdinand": "Bremervörde"}], "recruit": "none"}
    taken(table, "frederick", with_ahead(own, "2/hanover", {"hanover": hanover}, otherwise="hold"))
    done = table.carried_out()
    assert (marched(done), told(done), done.record.next.stage) == (1, [], "2/russia")
    table.close("far enough")
    table.assert_verified()


def test_the_letter_for_the_battles_of_a_stage_leaves_what_its_marches_letter_ordered_ahead(tmp_path: Path) -> None:
    position = """\
game: friedrich
turn: 2
stage: austria
phase: movement
begun: yes
owing: [austria]
pieces:
  Daun: Olmütz, 6
  Laudon: Freiwaldau, 6
  Keith: Ziegenhals, 2
  Schwerin: off
"""
    table = SimulatedTable(tmp_path / "campaign", position=position, game="friedrich").begun()
    own: dict[str, Tree] = {"austria": {"move": [{"Daun": "Sternberg, Freudenthal"}], "recruit": "none"}}
    imperial: dict[str, Tree] = {"imperial": {"move": [{"Hildburghausen": "Meiningen"}], "recruit": "none"}}
    taken(table, "maria-theresa", with_ahead(own, "2/imperial", imperial))
    assert table.carried_out().record.next.stage == "2/austria"
    receipt = taken(table, "maria-theresa", {"austria": {"battles": ["Daun > Keith"]}})
    assert codes(receipt) == []
    table.carried_out()
    with table.open() as campaign:
        (left,) = briefings(campaign)["maria-theresa"].orders.ahead
    assert (left.stage, left.power, left.kind) == ("2/imperial", "imperial", "")
    table.close("far enough")
    table.assert_verified()


def sheet_of(table: SimulatedTable, player: str) -> str:
    with table.open() as campaign:
        return sheet_text(briefings(campaign)[player])


def told_to(receipt: adjudicating.Receipt) -> list[tuple[str, int]]:
    return [(fault.sentence("en"), fault.line) for fault in receipt.verdict.faults]


def test_what_is_ordered_ahead_is_not_overridden_by_the_sheet_as_it_stands(table: SimulatedTable) -> None:
    taken(table, "frederick", ahead({"move": FAR}))
    france_done(table)
    sheet = sheet_of(table, "frederick")
    note = "    saxony:\n      # Ordered ahead in entry 6, for turn 2 (stage of Prussia);"
    assert note in sheet
    with table.open() as campaign:
        (secret,) = report_data(briefings(campaign)["frederick"])["secrets"]["ahead"]  # type: ignore[index]
        text = letter_text(report_data(briefings(campaign)["frederick"]))
    assert secret == {"stage": "2/prussia", "power": "saxony", "entry": 6, "sections": ["move"], "kind": ""}
    assert "Still ordered ahead: Saxony: Turn 2, stage of Prussia (entry 6)" in " ".join(text.split())
    other = table.copied(table.root.with_name("other"))
    receipt = other.send(sign_letter(sheet, other.players["frederick"].key))
    assert (receipt.status, codes(receipt)) == ("final", ["W-AHEAD-COUNTS"])
    assert "As it stands, what you ordered ahead acts" in " ".join(sheet.replace("# ", "").split())
    assert told(other.carried_out()) == []
    receipt = taken(table, "frederick", {"prussia": {"move": []}, "saxony": {"move": []}})
    ((said, line),) = told_to(receipt)
    assert said.startswith(
        "W-AHEAD-REPLACED this takes the place of what Saxony has ordered ahead for turn 2 (stage of Prussia)"
    )
    assert line > 1


def test_where_all_is_ordered_ahead_the_sheet_as_it_stands_takes_nothing_away(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=NETHERLANDS, scenario="advanced").begun()
    pragmatic: dict[str, Tree] = {"pragmatic": {"move": [{"George": "Brügge"}]}}
    taken(table, "frederick", with_ahead(PRUSSIA, "4/austria", pragmatic))
    table.carried_out()
    receipt = table.send(sign_letter(sheet_of(table, "frederick"), table.players["frederick"].key))
    assert (receipt.status, codes(receipt)) == ("final", ["W-AHEAD-COUNTS"])
    taken(table, "maria-theresa", {"austria": {"move": []}})
    assert marched(table.carried_out()) == 1


def test_a_letter_that_does_away_with_blocks_in_force_says_so(table: SimulatedTable) -> None:
    plan: Tree = {"orders": {"prussia": {"ahead": {"stage": "2/prussia", "move": MARCH}}}}
    assert codes(table.send(table.other_letter("frederick", "plan", plan))) == []
    taken(table, "frederick", {"saxony": {"ahead": {"stage": "2/prussia", "move": []}}})
    receipt = taken(table, "frederick", {"prussia": {"ahead": {"stage": "2/prussia", "move": []}}})
    (dropped, at), (replaced, line) = told_to(receipt)
    assert dropped.startswith(
        "W-AHEAD-REPLACED what Saxony has ordered ahead for turn 2 (stage of Prussia) in entry 7 is dropped: "
    )
    assert replaced.startswith(
        "W-AHEAD-REPLACED this takes the place of all that Prussia has ordered ahead for turn 2 (stage of Prussia)"
    )
    assert at < line
    assert codes(taken(table, "frederick", {"prussia": {"ahead": {"stage": "2/prussia"}}})) == []
    toll: Tree = {"for": "toll", "pay": "cheapest", "standing": "yes"}
    again = table.other_letter("frederick", "plan", {"orders": {"prussia": {"plans": [toll]}}})
    assert codes(table.send(again)) == []


def test_the_sheet_lists_what_standing_plans_order_ahead_and_a_letter_that_drops_it_says_so(
    table: SimulatedTable,
) -> None:
    toll: Tree = {"for": "toll", "pay": "cheapest", "standing": "yes"}
    block: Tree = {"stage": "2/austria", "move": [{"Neipperg": "Olmütz"}]}
    plan: Tree = {"orders": {"austria": {"plans": [toll], "ahead": block}}}
    table.send(table.other_letter("maria-theresa", "plan", plan))
    with table.open() as campaign:
        plans = briefings(campaign)["maria-theresa"].orders.plans
    assert plans
    found = standing_plans(plans)["austria"]
    assert found.stages == ("2/austria",)
    assert (
        "      # ahead:\n      #   - move:\n      #       - Neipperg: Olmütz\n      #     stage: 2/austria"
        in found.lines
    )
    receipt = table.send(table.other_letter("maria-theresa", "plan", {"orders": {"austria": {"plans": [toll]}}}))
    assert codes(receipt) == ["W-AHEAD-REPLACED"]
    receipt = table.send(table.other_letter("maria-theresa", "plan", {"orders": {}}))
    assert codes(receipt) == []


def test_an_open_receipt_says_nothing_of_what_was_sealed(table: SimulatedTable) -> None:
    table.send(table.letter("frederick", sealed={"orders": ahead({"move": FAR})}))
    assert codes(table.send(table.letter("frederick", {"prussia": {}}))) == []


def test_a_block_that_only_says_hold_stays_put(table: SimulatedTable) -> None:
    taken(table, "frederick", ahead({"conquered": "Glatz", "move": MARCH}, {"else": "hold"}))
    done = france_done(table)
    assert (marched(done), told(done), done.record.next.stage) == (0, [], "2/austria")


def test_what_is_ordered_for_the_present_stage_can_be_withdrawn(table: SimulatedTable) -> None:
    taken(table, "frederick", ahead({"move": FAR}))
    france_done(table)
    receipt = table.send(table.letter("frederick", {"saxony": {"ahead": {"stage": "2/prussia"}}}))
    assert (receipt.status, codes(receipt)) == ("partial", [])
    with table.open() as campaign:
        assert briefings(campaign)["frederick"].orders.ahead == ()
        assert receipt.verdict.missing == ["prussia", "saxony"]


def test_orders_ahead_that_touch_an_agreement_are_told_in_the_receipt(table: SimulatedTable) -> None:
    binds: Tree = {"cities": "Königgrätz"}
    for player, other in (("frederick", "louis"), ("louis", "frederick")):
        table.send(table.other_letter(player, "agreement", {"with": other, "words": "Peace.", "binds": binds}))
    assert codes(taken(table, "frederick", ahead({"move": MARCH}))) == ["W-AGREEMENT"]
    sealed = table.letter("frederick", sealed={"orders": ahead({"move": MARCH})})
    assert codes(table.send(sealed)) == []
