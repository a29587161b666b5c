"""Orders that touch agreements, and the end of agreements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.reminding import RemindedPlayer, reminders, reminders_ahead, touched_names
from pbem.campaign.letters.trying_out import orders_tried_alone
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.agreements import Binds, Deal, in_force, read_binding_terms
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import read_yaml
from pbem.paper.orders.files import Orders, load_orders
from pbem.paper.positions.files import load_position
from pbem.report import blocks
from pbem.report.letters.sheet_lines import examples_of

MID_WAR = Path(__file__).parents[2] / "examples/mid-war"
KOLIN = "{prussia: {move: [{march: Friedrich, to: [Pardubitz, Kolin]}]}, saxony: {move: []}}"
STILL = "{prussia: {move: []}, saxony: {move: []}}"


@pytest.fixture(scope="module")
def table() -> Table:
    found: Table = load_position((MID_WAR / "position.yaml").read_bytes(), "position", MID_WAR)
    game_of(found).advance(found)
    return found


@pytest.mark.parametrize(
    ("orders", "binds", "told"),
    [
        (KOLIN, {"cities": ("Pardubitz", "Prague")}, "Pardubitz"),
        (KOLIN, {"cities": ("Kolin", "Pardubitz")}, "Kolin and Pardubitz"),
        (KOLIN, {"cities": ("Prag",)}, ""),
        (KOLIN, {"powers": ("austria",)}, "Austria"),
        (STILL, {"powers": ("prussia",)}, ""),
        (KOLIN, {"stages": ("prussia",)}, "turn 4 (stage of Prussia)"),
        (KOLIN, {"stages": ("5/prussia",)}, ""),
        (KOLIN, {"stages": ("4/prussia",), "cities": ("Prag",)}, ""),
        (KOLIN, {"cards": ("♦10",)}, ""),
        (KOLIN, {"powers": ("prussia",)}, "Prussia"),
        (KOLIN, {"powers": ("saxony",)}, ""),
        (KOLIN, {"powers": ("prussia",), "cities": ("Kolin",)}, "Kolin and Prussia"),
        (KOLIN, {"powers": ("prussia",), "cities": ("Prag",)}, ""),
        (KOLIN, {"powers": ("bavaria",), "cities": ("Kolin",)}, ""),
    ],
)
def test_an_order_that_touches_an_agreement_reminds_its_writer(
    table: Table, orders: str, binds: Binds, told: str
) -> None:
    alone = copy_of(table)
    found, verdict = load_orders(f"orders: {orders}".encode(), "orders", table.rules), LetterVerdict()
    carried = orders_tried_alone(alone, "frederick", found, verdict)
    assert not verdict.is_refused
    deals = (Deal(7, ("frederick", "louis"), "Peace.", binds), Deal(8, ("louis", "maria-theresa"), "War.", binds))
    faults = list(reminders(table, RemindedPlayer("frederick", "4/prussia", deals), carried))
    assert [fault.message.text() for fault in faults] == (
        [f"the agreement of entry 7 with Louis speaks of {told}: see if this keeps to it"] if told else []
    )
    assert not list(reminders(table, RemindedPlayer("nobody", "4/prussia", deals), carried))


def test_one_letter_reminds_of_an_agreement_once(table: Table) -> None:
    alone, deal = copy_of(table), Deal(7, ("frederick", "louis"), "Peace.", {"cities": ("Kolin",)})
    who = RemindedPlayer("frederick", "4/prussia", (deal,))
    ahead = load_orders(b"orders: {prussia: {ahead: [{stage: 5/prussia, move: [Friedrich: Kolin]}]}}", "o", table.rules)
    now = load_orders(f"orders: {KOLIN}".encode(), "orders", table.rules)
    assert len(list(reminders_ahead(table, who, ahead))) == 1
    assert not list(reminders(table, who, orders_tried_alone(alone, "frederick", now, LetterVerdict())))


@pytest.mark.parametrize(
    ("block", "binds", "until", "told"),
    [
        ("move: [Friedrich: Kolin]", {"cities": ("Kolin",)}, "", "Kolin"),
        ("move: [Friedrich: Kolin]", {"powers": ("austria",)}, "", "Austria"),
        ("move: [Friedrich: Kolin]", {"stages": ("prussia",)}, "", "turn 4 (stage of Prussia)"),
        ("move: [Friedrich: Kolin]", {"stages": ("4/france",)}, "", ""),
        ("move: [Friedrich: Kolin]", {"cities": ("Kolin",)}, "4/france", ""),
        ("move: []", {"stages": ("prussia",)}, "", ""),
    ],
)
def test_what_is_ordered_ahead_reminds_its_writer(
    table: Table, block: str, binds: Binds, until: str, told: str
) -> None:
    written = f"orders: {{prussia: {{ahead: [{{stage: 4/prussia, {block}}}]}}}}"
    orders = load_orders(written.encode(), "orders", table.rules)
    deal = Deal(7, ("frederick", "louis"), "Peace.", binds, until)
    faults = list(reminders_ahead(table, RemindedPlayer("frederick", "4/france", (deal,)), orders))
    assert [fault.message.text() for fault in faults] == (
        [f"the agreement of entry 7 with Louis speaks of {told}: see if this keeps to it"] if told else []
    )
    quiet = {(entry.node.line, entry.node.column) for entry in written_orders(orders)}
    assert not list(reminders_ahead(table, RemindedPlayer("frederick", "4/france", (deal,)), orders, quiet))


def written_orders(orders: Orders) -> list[Any]:
    (block,) = orders.powers[Power("prussia")].sections["ahead"]
    return list(block.wish.sections["move"])


@pytest.mark.parametrize(("card", "names"), [("♠13/1", ["♠13/1"]), ("♠13", ["♠13"]), ("♠13/2", []), ("♠9", [])])
def test_a_card_that_is_paid_is_told_by_its_deck_or_without(card: str, names: list[str]) -> None:
    written = "game: friedrich\nturn: 2\nstage: prussia\nphase: recruiting\n"
    written += "pieces: {Keith: 'Glogau, 2'}\nhands: {prussia: [♠13/1]}\n"
    table: Table = load_position(written.encode(), "position")
    game_of(table).advance(table)
    orders = load_orders(b"orders: {prussia: {recruit: {pay: [S13], troops: {Keith: 2}}}}", "orders", table.rules)
    (order,) = orders_tried_alone(copy_of(table), "frederick", orders, LetterVerdict())
    assert touched_names(table, Deal(7, ("a", "b"), "", {"cards": (card,)}), order, "2/prussia") == names


@pytest.mark.parametrize(("city", "names"), [("Strehlen", []), ("Neisse", ["prussia"])])
def test_a_march_of_a_bound_power_far_from_all_others_breaks_nothing(city: str, names: list[str]) -> None:
    written = "turn: 2\nstage: prussia\nphase: movement\npieces: {Friedrich: 'Brieg, 4', Neipperg: 'Neustadt, 4'}\n"
    table: Table = load_position(written.encode(), "position")
    game_of(table).advance(table)
    orders = load_orders(f"orders: {{prussia: {{move: [Friedrich: [{city}]]}}}}".encode(), "orders", table.rules)
    (order, *_) = orders_tried_alone(copy_of(table), "frederick", orders, LetterVerdict())
    assert touched_names(table, Deal(7, ("a", "b"), "", {"powers": ("prussia",)}), order, "2/prussia") == names


@pytest.mark.parametrize(("way", "codes"), [("Tirschenreuth", ["W-MARCH-WAY"]), ("Pfraumberg, Tirschenreuth", [])])
def test_a_way_that_was_found_is_told_where_another_would_do_more(way: str, codes: list[str]) -> None:
    written = "turn: 2\nstage: prussia\nphase: movement\npieces: {Friedrich: 'Mies, 4'}\n"
    table: Table = load_position(written.encode(), "position")
    game_of(table).advance(table)
    orders = load_orders(f"orders: {{prussia: {{move: [Friedrich: [{way}]]}}}}".encode(), "orders", table.rules)
    verdict = LetterVerdict()
    orders_tried_alone(table, "frederick", orders, verdict)
    assert [fault.code for fault in verdict.faults] == codes


@pytest.mark.parametrize(
    ("turn", "off", "codes"),
    [(3, "Törring: off, ", ["W-ENTER-WINTER"]), (2, "Törring: off, ", []), (3, "", [])],
)
def test_a_train_in_the_only_city_where_generals_come_back_in_this_winter_is_warned_of(
    turn: int, off: str, codes: list[str]
) -> None:
    written = f"turn: {turn}\nstage: france\nphase: movement\nhands: {{bavaria: [♠5]}}\n"
    table: Table = load_position(f"{written}pieces: {{{off}bavaria train 1: off}}\n".encode(), "position")
    game_of(table).advance(table)
    march = "{re-enter: train 1, at: München, pay: [♠5]}"
    orders = load_orders(f"orders: {{bavaria: {{move: [{march}]}}}}".encode(), "orders", table.rules)
    verdict = LetterVerdict()
    orders_tried_alone(copy_of(table), "louis", orders, verdict)
    assert [fault.code for fault in verdict.faults] == codes
    (asked,) = [each for each in game_of(table).decisions(table) if each.power == "bavaria"]
    shown = examples_of(blocks.table_in_words(table, "en"), asked, "move", []).values
    assert bool(shown) == (not codes), shown


def test_its_words_are_quoted_on_one_line_and_its_cities_named_in_the_readers_language(table: Table) -> None:
    orders = load_orders(b"orders: {prussia: {ahead: {stage: 4/prussia, move: [Friedrich: Prag]}}}", "o", table.rules)
    deal = Deal(7, ("frederick", "louis"), "Peace.\n\nIn " + "Bohemia, " * 40, {"cities": ("Prag",)})
    for language, city in (("it", "Praga"), ("de", "Prag")):
        (fault,) = reminders_ahead(table, RemindedPlayer("frederick", "4/france", (deal,), language), orders)
        said = fault.sentence(language)
        assert city in said.replace(":", " ").split()
        assert "“Peace. In Bohemia, Bohemia," in said
        assert "Bohemia, …”" in said


def test_an_agreement_ends_with_its_turn_or_stage(table: Table) -> None:
    def until(now: str) -> list[str]:
        deals = [Deal(1, (), "", {}, end) for end in ("3", "4/prussia", "4/austria", "4", "")]
        return [deal.until for deal in in_force(table.rules, deals, now)]

    assert until("3/prussia") == ["3", "4/prussia", "4/austria", "4", ""]
    assert until("4/france") == ["4/prussia", "4/austria", "4", ""]
    assert until("4/austria") == ["4/austria", "4", ""]
    assert until("5/prussia") == [""]


def test_what_is_over_is_refused_where_it_stands(table: Table) -> None:
    reader = Reader("letter")
    read_binding_terms(
        reader, read_yaml(b"binds: {stages: 4/prussia}\nuntil: 4/france", "letter"), table.rules, "4/austria"
    )
    assert [(fault.code, fault.place) for fault in reader.faults] == [("E-AGREEMENT-UNTIL", ":2:8")]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "with Louis and Maria Theresa speaks of Kolin and Prussia: see if this keeps to it"),
        ("de", "um Kolin und Preußen geht es auch in der Vereinbarung in Eintrag 7 mit Ludwig und Maria Theresia"),
        ("es", "con Luis\xa0XV y María Teresa habla de Kolin y Prusia"),
        ("it", "con Luigi XV e Maria Teresa riguarda Kolin e la Prussia"),
    ],
)
def test_a_reminder_names_players_and_powers_in_the_readers_language(table: Table, language: str, told: str) -> None:
    found, verdict = load_orders(f"orders: {KOLIN}".encode(), "orders", table.rules), LetterVerdict()
    carried = orders_tried_alone(copy_of(table), "frederick", found, verdict)
    deal = Deal(7, ("frederick", "louis", "maria-theresa"), "Peace.", {"powers": ("prussia",), "cities": ("Kolin",)})
    (fault,) = reminders(table, RemindedPlayer("frederick", "4/prussia", (deal,), language), carried)
    assert told in fault.message.text(language)
