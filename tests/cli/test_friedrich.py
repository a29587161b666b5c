"""The commands on positions of FRIEDRICH."""

from __future__ import annotations

import json
from pathlib import Path

from .test_commands import pbem

POSITION = """
game: friedrich
turn: 8
stage: austria
phase: movement
pieces: {Daun: "Prag, 7", Laudon: "Prag, 5"}
hands: {austria: [♥5, ♠12], prussia: [♦3, R]}
fate: {out: [elisabeth], deck: [sweden]}
"""

ORDERS = """
stage: 8/austria
orders:
  austria:
    transfer: {Daun: 8, Laudon: 4}
    move: [Daun + Laudon: Brandeis]
"""


def written(folder: Path) -> Path:
    """A folder with the position and the orders."""
    (folder / "position.yaml").write_text(POSITION, "utf-8")
    (folder / "orders.yaml").write_text(ORDERS.replace("Brandeis", neighbour(folder)), "utf-8")
    return folder


def neighbour(folder: Path) -> str:
    """A city beside Prag."""
    options = json.loads(pbem("legal", "position.yaml", "Daun", "--json", cwd=folder).stdout)
    return str(next(way["city"] for way in options[0]["marches"][0]["to"] if len(way["path"]) == 1))


def test_a_position_is_shown_to_everybody_as_he_may_see_it(tmp_path: Path) -> None:
    written(tmp_path)
    all_of_it = pbem("show", "position.yaml", cwd=tmp_path).stdout
    assert "Turn 8, stage of Austria, movement" in all_of_it
    assert "Out of the game: Russia." in all_of_it
    assert "♦ 3" in all_of_it
    own = pbem("show", "position.yaml", "--as", "maria-theresa", cwd=tmp_path).stdout
    assert "♠ 12" in own
    assert "♦ 3" not in own
    seen = json.loads(pbem("show", "position.yaml", "--as", "observer", "--json", cwd=tmp_path).stdout)
    assert (seen["hands"], seen["hand_sizes"]["prussia"], seen["fate"]["quit"]) == ({}, 2, ["russia"])


def test_orders_are_tried_and_the_position_saved(tmp_path: Path) -> None:
    written(tmp_path)
    done = pbem("try", "position.yaml", "orders.yaml", "--save", "after.yaml", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert [event["type"] for event in json.loads(done.stdout)["events"]][:2] == ["TroopsMoved", "Marched"]
    assert "to decide: Austria" in pbem("position", "load", "after.yaml", cwd=tmp_path).stdout


def test_a_position_is_drawn(tmp_path: Path) -> None:
    written(tmp_path)
    assert pbem("map", "position.yaml", "-o", "all.svg", cwd=tmp_path).returncode == 0
    assert pbem("map", "position.yaml", "-o", "part.png", "--around", "Prag", cwd=tmp_path).returncode == 0
    assert "Turn 8" in (tmp_path / "all.svg").read_text("utf-8")
    assert (tmp_path / "part.png").read_bytes().startswith(b"\x89PNG")


def test_a_new_game_is_saved_on_its_own_terms(tmp_path: Path) -> None:
    terms = ("--game", "friedrich", "--scenario", "three", "--expert", "yes", "--fate-order", "strokes later")
    terms += ("--decks", "5", "--east-prussia", "no")
    assert pbem("position", "save", "new.yaml", *terms, cwd=tmp_path).returncode == 0
    text = (tmp_path / "new.yaml").read_text("utf-8")
    for line in (
        "game: friedrich",
        "scenario: three",
        "expert: yes",
        "fate order: strokes later",
        "decks: 5",
        "east prussia: no",
    ):
        assert line in text.replace('"', "")


def test_terms_of_another_game_are_wrong_use() -> None:
    wrong = pbem("simulate", "--game", "friedrich", "--players", "2", "--games", "1")
    assert (wrong.returncode, "players" in wrong.stderr) == (2, True)
    wrong = pbem("simulate", "--game", "friedrich", "--scenario", "west", "--expert", "yes", "--games", "1")
    assert (wrong.returncode, "expert" in wrong.stderr) == (2, True)


def test_bots_play_it() -> None:
    figures = json.loads(pbem("simulate", "--game", "friedrich", "--scenario", "west", "--games", "2", "--json").stdout)
    assert figures["games"] == sum(figures["winners"].values()) == 2


def test_what_a_table_may_rule_otherwise_is_listed() -> None:
    listed = pbem("rules", "points", "--game", "friedrich").stdout.splitlines()
    assert "recruiting: during the moves, after the moves" in listed
    assert "annexer_moves: yes, no" in pbem("rules", "points").stdout.splitlines()
