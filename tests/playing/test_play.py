"""`pbem play`: whole games, what is shown, what is refused, what is saved."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.playing.saved import GameFile

from .conftest import FirstChoices, Person

pytestmark = pytest.mark.usefixtures("quick")

FREDERICK = ("--seat", "frederick", "--seed", "a")
FIRST_MARCH = ["1"]
"""Input up to Frederick's first march: the troops of Prussia; Saxony has one general, and is not asked."""


def questions(shown: str) -> list[str]:
    """The stages in which something was asked."""
    return re.findall(r"^(\d+/[\w-]+)(?: \w+)?> ", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "most"), [(("--game", "maria", *FREDERICK), 100), (("--game", "friedrich", *FREDERICK), 250)]
)
def test_whoever_takes_the_first_choice_comes_to_the_end(person: Person, options: tuple[str, ...], most: int) -> None:
    shown = person.plays(*options, types=FirstChoices(1000))
    assert shown.endswith("The game is over.\n")
    assert 20 < len(questions(shown)) < most
    assert not re.search(r"\b[EW]-[A-Z]", shown)
    assert person.plays().endswith("The game is over.\n")


def test_stopped_at_every_question_it_is_the_same_game(
    person: Person, tmp_path_factory: pytest.TempPathFactory
) -> None:
    person.plays(*FREDERICK, types=FirstChoices(12))
    other = Person(tmp_path_factory.mktemp("other"))
    other.plays(*FREDERICK)
    for _ in range(12):
        other.plays(types=FirstChoices(1))
    assert other.file.read_bytes() == person.file.read_bytes()


def test_the_first_question_has_hand_and_choices(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=FIRST_MARCH)
    assert "Prussia holds: ♣3, ♣4," in shown
    assert re.search(r"^   1  Friedrich der Große: Breslau, Trebnitz +from Lüben; takes Breslau$", shown, re.MULTILINE)
    assert "   6  done" in shown
    assert str(person.file) in shown


def test_a_number_keeps_its_meaning_while_a_power_marches(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "1", "1", "3", "undo", "6"])
    assert re.search(
        r"^   2  Schwerin.*\n( {9,}.*\n)*   3  Erbprinz Leopold(.*\n)+?   6  done\n1/prussia> E-PLAY-CHOICE",
        shown,
        re.M,
    )
    assert "there is no choice 1 — 2, 3, 4, 5, 6\n1/prussia> Erbprinz Leopold marches" in shown
    assert re.search(r"Taken back: Erbprinz Leopold.*\n+   2  Schwerin.*\n( {9,}.*\n)*   3  Erbprinz Leopold", shown)
    assert "   1  Rutowski" in shown.rpartition("Saxony holds")[2]


def test_nothing_of_others_is_shown(person: Person) -> None:
    shown = " ".join(person.plays(*FREDERICK, types=[*FIRST_MARCH, "show", "?", *["done"] * 40]).split())
    assert "Others: France 4, Bavaria 7, Austria 5." in shown
    assert "Austria has allocated its troops." in shown
    assert re.search(r"Prussia draws \d cards?:", shown)
    assert re.search(r"Austria draws \d cards?\.", shown)
    assert not re.search(r"(Austria|France|Bavaria) (draws \d cards?:|holds:|must|may)", shown)


def test_a_seat_is_asked_for(person: Person) -> None:
    assert "Whom do you play?" in person.plays()
    assert not person.file.exists()
    shown = person.plays("--seed", "a", types=["9", "two", "2"])
    assert shown.count("E-PLAY-CHOICE") == 2
    assert "  2  Frederick (Prussia and Saxony)" in shown
    assert GameFile(person.file).load()[0].seat == "frederick"


def test_levels_of_bots(person: Person) -> None:
    person.plays(*FREDERICK, "--level", "random", "--bot", "louis=strong:2")
    assert GameFile(person.file).load()[0].bots == {"louis": "strong:2", "maria-theresa": "random"}
    assert "is saved" in person.plays()
    person.file.write_bytes(person.file.read_bytes().replace(b"strong:2", b"strong:0"))
    assert "E-PLAY-FILE" in person.plays(code=1)
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
    goal = "Trebnitz" if typed == "1" else "Schweidnitz"
    assert f"Friedrich der Große marches from Lüben to {goal}" in shown


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
    assert "Taken back: Schwerin: Steinau, Neumarkt, Breslau" in shown
    assert "Taken back: Friedrich der Große: Liegnitz, Jauer, Schweidnitz" in shown
    assert shown.count("E-PLAY-UNDO") == 1
    assert person.file.read_bytes() == before


def test_what_was_seen_cannot_be_taken_back(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "done", "done", "undo"])
    assert "E-PLAY-UNDO" in shown


def test_no_undo_leads_to_a_question_that_no_choice_answers(person: Person) -> None:
    """If the last answer was the only one possible, it stays, and so does the question behind it."""
    chance = Random(3)
    lines = [chance.choice([*"123456789", *["undo"] * 3, "advice"]) for _ in range(200)]
    shown = person.plays("--scenario", "advanced", "--seat", "louis", "--seed", "r3", types=lines)
    assert "E-PLAY-UNDO" in shown
    assert {*re.findall(r"\bE-[A-Z-]+", shown)} <= {"E-PLAY-UNDO", "E-PLAY-CHOICE"}


def test_a_saved_game_is_not_overwritten(person: Person) -> None:
    person.plays(*FREDERICK)
    before = person.file.read_bytes()
    assert "E-PLAY-EXISTS" in person.plays(*FREDERICK, code=1)
    assert person.file.read_bytes() == before


def test_how_to_go_on_is_told_and_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def shown(*words: str) -> str:
        return CliRunner().invoke(main, ["play", *words], input="quit\n", catch_exceptions=False).output

    first = shown("--game", "friedrich", "--seat", "elisabeth", "--language", "it")
    assert first.endswith("`pbem play friedrich.play --language it`.\n")
    assert shown("--game", "friedrich") == shown("friedrich.play")
    assert "E-PLAY-EXISTS" in shown("friedrich.play", "--game", "friedrich")


def test_a_file_of_another_kind_is_refused(person: Person) -> None:
    person.plays(*FREDERICK, types=FIRST_MARCH)
    saved = json.loads(person.file.read_text("utf-8"))
    strange = [
        [],
        {**saved, "kind": "else"},
        {**saved, "answers": [{"power": "prussia", "answer": {"type": "Nothing"}}]},
        {**saved, "answers": [{"power": "nobody", "answer": {"type": "Done"}}]},
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
    strange = {"power": "prussia", "answer": {"type": "Move", "pieces": [999], "path": [-4]}}
    for change in ({"digest": "0"}, {"answers": saved["answers"][1:]}, {"answers": [*saved["answers"], strange]}):
        person.file.write_text(json.dumps({**saved, **change}), "utf-8")
        assert "E-PLAY-VERSION" in person.plays(code=1)


def test_a_bot_gives_advice(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "advice", "7"])
    advised = re.search(r"A bot would answer `(.*)`, which is choice 7 now\.", shown)
    assert advised
    march = advised[1].split(": ")[0]
    assert shown.count(f"{march} marches") == 2
    assert "What comes of it" in shown
    assert re.search(r"^– ", shown, re.MULTILINE)


def test_what_news_lead_to_is_explained_if_asked_for(person: Person) -> None:
    lines = [*FIRST_MARCH, "done", "done"]
    assert "What comes of it" not in person.plays(*FREDERICK, types=lines)
    person.file.unlink()
    shown = person.plays(*FREDERICK, "--explain", types=lines)
    assert re.search(r"now within reach|could now|can now|attack", shown.partition("What comes of it")[2])
    assert shown.endswith(" --explain` goes on with it.\n")


def test_parts_of_the_position_and_the_rules(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=["show tact", "show nonsense", "rules supply", "rules nonsense"])
    assert "Others: France" in shown
    assert "Belle-Isle" not in shown
    assert "E-NAME-UNKNOWN there is no part of the position 'nonsense'" in shown
    assert "§9" in shown
    assert "E-RULES-TOPIC" in shown


def test_one_goes_on_in_another_file(person: Person) -> None:
    other = person.folder / "other.play"
    person.plays(*FREDERICK, types=[f"save {other}", "1"])
    assert len(GameFile(other).load()[1]) > person.answers()
    assert "E-PLAY-EXISTS" in person.plays(types=[f"save {other}"])


def test_a_map_never_lies_where_a_game_does(person: Person, tmp_path: Path) -> None:
    for name in ("x.svg", "x.PNG"):
        done = CliRunner().invoke(main, ["play", str(tmp_path / name), *FREDERICK], input="1\n")
        assert (done.exit_code, "E-PLAY-PICTURE" in done.output) == (1, True)
        assert not list(tmp_path.iterdir())
    shown = person.plays(*FREDERICK, types=[f"save {person.file.with_suffix('.svg')}", "1"])
    assert "E-PLAY-PICTURE" in shown
    assert f"pbem play {person.file}" in shown
    assert person.answers() > 1


def test_one_saves_at_home_and_what_is_refused_changes_nothing(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(person.folder))
    (person.folder / "file").touch()
    refused = person.plays(*FREDERICK, types=[f"save {person.folder}/file/x.play", "1"])
    assert "E-FILE" in refused
    before = person.file.read_bytes()
    assert str(person.file) in refused.splitlines()[-1]
    assert str(person.folder / "x.play") in person.plays(types=["save ~/x.play", "save ~/x.play"])
    assert (person.folder / "x.play").read_bytes() == before


def test_without_a_map_the_game_goes_on(person: Person) -> None:
    person.file.with_suffix(".svg").mkdir()
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "Friedrich: Schweidnitz", "map"])
    assert shown.count("W-PLAY-MAP") == 1
    assert shown.count("E-FILE") == 1
    assert "Friedrich der Große marches" in shown


def test_what_another_has_saved_is_not_overwritten(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else goes on with the same file while a question waits."""
    person.plays(*FREDERICK)
    other = person.folder / "other.play"
    lines = iter(["else", "1", f"save {other}", "1", "quit"])

    def said(prompt: str) -> str:
        if (line := next(lines)) == "else":
            person.file.write_bytes(b"another game")
            return ""
        return line

    monkeypatch.setattr("builtins.input", said)
    shown = person.plays()
    assert "E-PLAY-CHANGED" in shown
    assert person.file.read_bytes() == b"another game"
    assert f"pbem play {other}" in shown.splitlines()[-1]
    assert len(GameFile(other).load()[1]) > 1


def test_who_quits_unsaved_is_told(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person.plays(*FREDERICK)
    lines = iter(["1", "quit"])

    def said(prompt: str) -> str:
        person.file.write_bytes(b"another game")
        return next(lines)

    monkeypatch.setattr("builtins.input", said)
    shown = person.plays(code=1)
    assert shown.splitlines()[-1].startswith(f"{person.file}: E-PLAY-CHANGED")


def test_nothing_is_told_of_a_file_that_a_saved_game_names(person: Person) -> None:
    person.plays(*FREDERICK)
    secret = person.folder / "secret"
    secret.write_text("token: hunter2\nhunter2: [", "utf-8")
    saved = json.loads(person.file.read_text("utf-8"))
    saved["setup"]["terms"]["board"] = str(secret)
    person.file.write_text(json.dumps(saved), "utf-8")
    shown = person.plays(code=1)
    assert "E-PLAY-FILE" in shown
    assert "hunter2" not in shown


@pytest.mark.parametrize(
    "options",
    [
        (*FREDERICK, "--bot", "frederick=random"),
        (*FREDERICK, "--bot", "louis=random", "--bot", "Louis=sensible"),
        ("--seat", "frederick", "--seed", "\udcff"),
    ],
)
def test_a_strange_beginning_is_wrong_use(person: Person, options: tuple[str, ...]) -> None:
    person.plays(*options, code=2)
    assert not person.file.exists()


def test_trains_are_called_as_choices_call_them(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "? train 1", "map train 1"])
    assert "E-NAME" not in shown


def test_suggestions_have_blanks(person: Person) -> None:
    shown = person.plays(*FREDERICK, types=[*FIRST_MARCH, "show Prusia, 26 troups"])
    assert re.search(r"did you mean [^?]*Prussia, \d+ troops", shown)


@pytest.mark.parametrize(("language", "word"), [("de", "Wahl"), ("es", "opción"), ("it", "scelta")])
def test_in_every_language(person: Person, language: str, word: str) -> None:
    assert word in person.plays(*FREDERICK, "--language", language, types=[*FIRST_MARCH, "99", "?"])


def test_a_bot_takes_up_a_subsidy(person: Person) -> None:
    offer = "subsidies: [{to: prussia, turns: 2}]"
    shown = person.plays("--scenario", "advanced", "--seat", "louis", "--seed", "5", types=["1", offer, "1", "1", "1"])
    assert "France and Prussia make a subsidy contract" in shown
