"""Forms filled in by small choices: every word that is offered leads on, and what is written fits."""

from __future__ import annotations

import pytest

from pbem.env.filling import PASS, Filling, Offer, fill, texts_in
from pbem.kit import game_of
from pbem.paper.orders.files import form_of
from pbem.paper.orders.forms import (
    Either,
    Input,
    Lines,
    Number,
    Numbers,
    Option,
    Part,
    Path,
    Payment,
    Record,
    Several,
    choice,
)
from pbem.paper.positions.files import load_position
from pbem.seal.canonical import Tree


def every(form: Input, purse: int = 10**6) -> set[str]:
    """All that can be filled in, each as it is printed; no choice may lead nowhere."""
    found: set[str] = set()
    ahead: list[list[str]] = [[]]
    while ahead:
        said = ahead.pop()
        offer, written = gone(fill(form, purse), said)
        if offer is None:
            found.add(str(written))
        else:
            assert offer, f"nothing goes on from {said}"
            ahead += [[*said, word] for word in offer]
    return found


def gone(filling: Filling, said: list[str]) -> tuple[Offer | None, Tree | None]:
    """Offers behind some words, or the text that is complete then."""
    try:
        offer = next(filling)
        for word in said:
            offer = filling.send(word)
    except StopIteration as stop:
        return None, stop.value.write
    return offer, None


def test_a_choice_of_which_one_begins_as_another() -> None:
    form = choice(["Karl"], ["Karl", "Browne"], ["Daun"])
    assert every(form) == {"['Karl']", "['Karl', 'Browne']", "['Daun']"}
    assert gone(fill(form), ["Karl"])[0] == {PASS, "Browne"}


def test_a_way_is_named_by_its_goal() -> None:
    form = Path("Wien", (Option(["Krems", "Linz"]), Option(["Krems"]), Option(["Graz", "Linz"])))
    assert gone(fill(form), [])[0] == {"Linz", "Krems"}
    assert every(form) == {"['Krems', 'Linz']", "['Krems']", "['Graz', 'Linz']"}


def test_several_are_named_in_one_order_alone() -> None:
    form = Several(tuple(map(Option, "abc")), 1, 2)
    assert every(form) == {"['a']", "['b']", "['c']", "['a', 'b']", "['a', 'c']", "['b', 'c']"}
    assert gone(fill(Several(tuple(map(Option, "abc")), 3, 3)), [])[0] == {"a"}


def test_numbers_reach_their_total() -> None:
    of = {"Karl": Number(2, 4), "Daun": Number(1, 2)}
    assert every(Numbers(of, 5, 5, all=True)) == {"{'Karl': '3', 'Daun': '2'}", "{'Karl': '4', 'Daun': '1'}"}
    assert every(Numbers(of, 0, 2)) == {"{}", "{'Karl': '2'}", "{'Daun': '1'}", "{'Daun': '2'}"}


def test_nothing_is_bought_that_cannot_be_paid() -> None:
    cards = Payment((Option("♣7", worth=7), Option("♦2", worth=2)))
    troops = Numbers({"Karl": Number(1, 8, price=4)}, 0, 8)
    form = Record({"troops": Part(troops, optional=True), "pay": Part(cards, optional=True)})
    assert every(form) == {
        "{}",
        "{'troops': {'Karl': '1'}, 'pay': ['♣7']}",
        "{'troops': {'Karl': '1'}, 'pay': ['♦2', '♣7']}",
        "{'troops': {'Karl': '2'}, 'pay': ['♣7', '♦2']}",
        "{'troops': {'Karl': '2'}, 'pay': ['♦2', '♣7']}",
    }


def test_what_goes_together_is_filled_in_together() -> None:
    troops = Numbers({"Karl": Number(1, 1), "Daun": Number(1, 1)}, 0, 2)
    enter = Record({"Karl": Part(choice("Wien", "Linz"), optional=True)})
    parts = {"troops": Part(troops, optional=True), "enter": Part(enter, optional=True)}
    form = Record(parts, ((("troops", "Karl"), ("enter", "Karl")),))
    assert every(form) == {
        "{}",
        "{'troops': {'Daun': '1'}}",
        *(
            f"{{'troops': {{'Karl': '1'{more}}}, 'enter': {{'Karl': '{city}'}}}}"
            for more in ("", ", 'Daun': '1'")
            for city in ("Wien", "Linz")
        ),
    }


def test_every_lost_piece_may_stay_off_the_map() -> None:
    lost = "pieces: {Ehrensvärd: off, sweden train 1: off}\nhands: {sweden: [♠13]}"
    position = f"game: friedrich\nturn: 2\nstage: sweden\nphase: recruiting\n{lost}"
    table = load_position(position.encode(), "position")
    game_of(table).advance(table)
    (levy,) = game_of(table).decisions(table)
    assert every(form_of(table, levy).input) == {
        "{}",
        "{'enter': {'sweden train 1': 'Stralsund'}, 'pay': ['♠13/1']}",
        "{'troops': {'Ehrensvärd': '1'}, 'enter': {'Ehrensvärd': 'Stralsund'}, 'pay': ['♠13/1']}",
        "{'troops': {'Ehrensvärd': '2'}, 'enter': {'Ehrensvärd': 'Stralsund'}, 'pay': ['♠13/1']}",
        "{'troops': {'Ehrensvärd': '1'}, "
        "'enter': {'Ehrensvärd': 'Stralsund', 'sweden train 1': 'Stralsund'}, 'pay': ['♠13/1']}",
    }


def test_one_of_several_ways_is_told_apart_by_its_words() -> None:
    alone = Record({"march": Part(choice(["Karl"])), "to": Part(choice("Linz"))})
    together = Record({"march": Part(choice(["Karl", "Daun"])), "to": Part(choice("Linz", "Graz"))})
    empty = Record({"recruit": Part(Record({}))})
    form = Lines(Either((alone, together, empty)), least=0)
    assert gone(fill(form), [])[0] == {PASS, "Karl"}
    assert gone(fill(form), ["Karl"])[0] == {"Linz", "Daun"}
    assert every(form) == {
        "[]",
        "[{'march': ['Karl'], 'to': 'Linz'}]",
        "[{'march': ['Karl', 'Daun'], 'to': 'Linz'}]",
        "[{'march': ['Karl', 'Daun'], 'to': 'Graz'}]",
    }


@pytest.mark.parametrize(("tree", "said"), [({"a": {}}, []), ([{"a": ["b"]}], ["b"]), ("c", ["c"]), (None, [])])
def test_where_nothing_stands(tree: Tree | None, said: list[str]) -> None:
    assert list(texts_in(tree)) == said
