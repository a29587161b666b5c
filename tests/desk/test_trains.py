"""Supply trains at the desk: which ones enemies could take, and how lost ones come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.bridge import Bridge
from pbem.paper.documents.writing import write
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask, marches
from tests.desk.test_hunger import placed

RAIDED = {"Traun": "Passau, 5", "france train 2": "Straubing", "bavaria train 1": "off"}
"""A train of France beside an enemy, and one of Bavaria lost."""


def test_a_train_in_reach_of_enemies_is_named_until_it_has_gone() -> None:
    bridge = Bridge("en")
    state = placed(bridge, "maria", "france", RAIDED)
    (danger,) = (each for each in state["dangers"] if each["pieces"] == ["france train 2"])
    assert danger["says"].startswith("France's train\N{NO-BREAK SPACE}2 in Straubing: in reach of Traun")
    (march,) = (each for each in marches(state) if each["pieces"] == ["france train 2"])
    safe = False
    for end in march["to"]:
        dangers = ask(bridge, "march", "france", ["france train 2"], [end["city"]], end["path"])["dangers"]
        told = " ".join(each["says"] for each in dangers if each["pieces"] == ["france train 2"])
        assert "Straubing" not in told
        safe = safe or not told
        ask(bridge, "undo")
    assert safe


def test_advice_tells_of_trains_that_stay_in_danger() -> None:
    bridge = Bridge("en")
    placed(bridge, "maria", "france", RAIDED)
    train = next(each for each in ask(bridge, "advise", ["france train 2"]) if "move" in each["sections"])
    if not train["sections"]["move"]:
        assert "Straubing" in str(train["dangers"])
    other = next(each for each in ask(bridge, "advise", ["Belle-Isle"]) if "move" in each["sections"])
    plan = {piece for counsel in (train, other) for line in counsel["sections"]["move"] for piece in line}
    assert ("Straubing" in str(other["dangers"])) is ("france train 2" not in plan)


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
@pytest.mark.parametrize(
    ("game", "stage", "train", "price"), [("maria", "france", "bavaria", 4), ("friedrich", "prussia", "prussia", 6)]
)
def test_how_lost_trains_come_back_is_told_with_their_price(
    language: str, game: str, stage: str, train: str, price: int
) -> None:
    lost = placed(Bridge(language), game, stage, {f"{train} train 1": "off"})["trains_lost"]
    (told,) = lost
    assert f" {price}" in told
    assert train not in told
    assert placed(Bridge(language), game, stage, {})["trains_lost"] == []
    if language == "en" and game == "maria":
        assert told == (
            "Bavaria's train\N{NO-BREAK SPACE}1: lost. They come back by an order beside the marches of Bavaria,"
            " each for cards worth at least 4, in a free major fortress at home."
        )


def test_the_page_tells_both_beside_the_question_and_with_the_train(sitter: Sitter, tmp_path: Path) -> None:
    place = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": RAIDED}
    (tmp_path / "raided.yaml").write_bytes(write(place).encode())
    sitter.open(str(tmp_path / "raided.yaml"))
    told = sitter.find("#came").text
    assert "lost if one of them marches there" in told
    assert "lost. They come back" in told
    sitter.reader.run("clickCity('Straubing')")
    assert "in reach of Traun" in sitter.find("#chosen").text.replace("\N{NO-BREAK SPACE}", " ")
