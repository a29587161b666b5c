"""`pbem play`: whole games, what is shown, what is refused, what is saved."""

from __future__ import annotations

import json
import re

import pytest

from pbem.playing.saved import load

from .conftest import ALWAYS_THE_FIRST, Person

pytestmark = pytest.mark.usefixtures("quick")

FREDERICK = ("--seat", "frederick", "--seed", "a")
FIRST_MARCH = ["1", "1"]
"""What leads Frederick to his first march: the troops of Prussia and of Saxony."""


def questions(shown: str) -> list[str]:
    """The stages in which something was asked."""
    return re.findall(r"^(\d+/[\w-]+)> ", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "most"), [(("--game", "maria", *FREDERICK), 100), (("--game", "friedrich", *FREDERICK), 250)]
)
def test_whoever_takes_the_first_choice_comes_to_the_end(person: Person, options: tuple[str, ...], most: int) -> None:
    shown = person.plays(*options, types=ALWAYS_THE_FIRST)
    assert shown.endswith("The game is over.\n")
    assert 20 < len(questions(shown)) < most
    assert not re.search(r"\b[EW]-[A-Z]", shown)
    assert person.plays().endswith("The game is over.\n")


def test_stopped_at_every_question_it_is_the_same_game(
    person: Person, tmp_path_factory: pytest.TempPathFactory
) -> None:
    person.plays(*FREDERICK, types=["1"] * 12)
    other = Person(tmp_path_factory.mktemp("other"))
    other.plays(*FREDERICK)
    for _ in range(12):
        other.plays(types=["1"])
    assert other.file.read_bytes() == person.file.read_bytes()


def test_the_first_question_has_hand_and_choices(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=FIRST_MARCH)
    assert "Prussia holds: ♣3, ♣4," in shown
    assert "  1  Friedrich der Große: Schweidnitz  # from Lüben; to take: Schweidnitz" in shown
    assert "  6  done" in shown
    assert str(person.file) in shown


def test_nothing_of_others_is_shown(person: Person) -> None:
    shown = " ".join(person.plays(*FREDERICK, types=[*FIRST_MARCH, "show", "?", *["done"] * 40]).split())
    assert "Others: France 4, Bavaria 7, Austria 5." in shown
    assert "Austria has dealt out its troops." in shown
    assert re.search(r"Prussia draws \d cards?:", shown)
    assert re.search(r"Austria draws \d cards?\.", shown)
    assert not re.search(r"(Austria|France|Bavaria) (draws \d cards?:|holds:|must|may)", shown)


def test_a_seat_is_asked_for(person: Person) -> None:
    shown = person.plays("--seed", "a", types=["2"])
    assert "  2  Frederick (Prussia, Saxony and the Pragmatic Army)" in shown
    assert load(person.file)[0].seat == "frederick"


def test_levels_of_bots(person: Person) -> None:
    person.plays(*FREDERICK, "--level", "random", "--bot", "louis=sensible")
    assert load(person.file)[0].bots == {"louis": "sensible", "maria-theresa": "random"}
    person.file.unlink()
    assert "there is no bot 'wise'" in person.plays(*FREDERICK, "--bot", "louis=wise", code=2)
    assert "did you mean louis?" in person.plays(*FREDERICK, "--bot", "louise=random", code=2)


@pytest.mark.parametrize(
    "typed",
    [
        "Friedrich der Große: Schweidnitz",
        "Friedrich: Schweidnitz",
        "p1:schweidnitz",
        "{march: Friedrich, to: Schweidnitz}",
        "1",
    ],
)
def test_a_march_is_typed_in_many_ways(person: Person, typed: str) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, typed])
    assert "Friedrich der Große marches from Lüben to Schweidnitz" in shown


def test_a_section_is_typed_as_in_an_order_file(person: Person) -> None:
    lines = ["move:", "  - Friedrich: Schweidnitz", "  - Schwerin: Breslau", "", "show"]
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, *lines])
    assert "Friedrich der Große marches" in shown
    assert "Schwerin marches" in shown
    assert "The game waits for Saxony." in shown


def test_what_is_wrong_is_told_and_asked_again(person: Person) -> None:
    wrongs = [
        "Friedrich: Wien",
        "Fridrich der Gr: Prag",
        "7",
        "fight",
        "undo",
        "orders: {austria: {move: []}}",
        "play: [♠2]",
        "orders: {}",
    ]
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, *wrongs])
    for code in (
        "E-MARCH-",
        "E-NAME-UNKNOWN",
        "E-PLAY-CHOICE",
        "E-FORM-",
        "E-PLAY-UNDO",
        "E-ORDER-FOREIGN",
        "W-ORDER-UNUSED",
        "E-PLAY-NOTHING",
    ):
        assert code in shown
    person.file.unlink()
    before = person.plays(*FREDERICK, types=FIRST_MARCH)
    assert questions(shown)[-1] == questions(before)[-1]


def test_what_came_of_nothing_can_be_taken_back(person: Person) -> None:
    moves = ["Friedrich: Schweidnitz", "Schwerin: Breslau"]
    person.plays(*FREDERICK, types=FIRST_MARCH)
    before = person.file.read_bytes()
    shown = person.plays(types=[*moves, "undo", "undo", "undo"])
    assert "Taken back: move: Schwerin: Steinau, Neumarkt, Breslau" in shown
    assert "Taken back: move: Friedrich der Große: Liegnitz, Jauer, Schweidnitz" in shown
    assert shown.count("E-PLAY-UNDO") == 1
    assert person.file.read_bytes() == before


def test_what_was_seen_cannot_be_taken_back(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "done", "done", "undo"])
    assert "E-PLAY-UNDO" in shown


def test_a_saved_game_is_not_overwritten(person: Person) -> None:
    person.plays(*FREDERICK)
    before = person.file.read_bytes()
    assert "E-PLAY-EXISTS" in person.plays(*FREDERICK, code=1)
    assert person.file.read_bytes() == before


def test_a_file_of_another_kind_is_refused(person: Person) -> None:
    person.plays(*FREDERICK, types=FIRST_MARCH)
    saved = json.loads(person.file.read_text("utf-8"))
    strange = [
        [],
        {**saved, "kind": "else"},
        {**saved, "answers": [{"power": "prussia", "answer": {"type": "Nothing"}}]},
        {**saved, "setup": {**saved["setup"], "seat": "nobody"}},
        {**saved, "setup": {**saved["setup"], "terms": {}}},
    ]
    for content in strange:
        person.file.write_text(json.dumps(content), "utf-8")
        assert "E-PLAY-FILE" in person.plays(code=1)
    person.file.write_bytes(b"\xff\xfe")
    assert "E-PLAY-FILE" in person.plays(code=1)


def test_answers_that_lead_elsewhere_are_refused(person: Person) -> None:
    person.plays(*FREDERICK, types=FIRST_MARCH)
    saved = json.loads(person.file.read_text("utf-8"))
    for change in ({"digest": "0"}, {"answers": saved["answers"][1:]}):
        person.file.write_text(json.dumps({**saved, **change}), "utf-8")
        assert "E-PLAY-VERSION" in person.plays(code=1)


@pytest.mark.parametrize(("language", "word"), [("de", "Wahl"), ("es", "opción"), ("it", "scelta")])
def test_in_every_language(person: Person, language: str, word: str) -> None:
    assert word in person.plays(*FREDERICK, "--language", language, types=[*FIRST_MARCH, "99", "?"])
