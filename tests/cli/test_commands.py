"""The commands as people use them: through the real command line, with exit codes and files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import COMMANDS, GROUPS, main
from pbem.games.friedrich.paper.library import load_fate_file, load_friedrich
from pbem.games.maria.paper.library import load_maria, load_politics_file
from pbem.paper.library import load_board_file
from pbem.report.language.templates import languages
from pbem.report.maps import scenery_of
from pbem.report.short_rules import guide

from .correspondence import working_in

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = (load_maria, load_friedrich, load_board_file, load_politics_file, load_fate_file, scenery_of)
"""Functions that remember files by their names."""


def pbem(*arguments: str, cwd: Path | None = None, given: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the program within this process, which takes a tenth of the time of one of its own.

    In a folder that is given, nothing is remembered of files that bore the same names in another.
    """
    for reader in FILES if cwd else ():
        reader.cache_clear()
    with working_in(cwd or Path.cwd()):
        done = CliRunner().invoke(main, arguments, input=given, prog_name="pbem", catch_exceptions=False)
    assert "Traceback" not in done.stderr, done.stderr
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def in_a_process(*arguments: str, cwd: Path | None = None, given: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the program as people do, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "pbem", *arguments], cwd=cwd, input=given, capture_output=True, env=environment
    )
    result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.stderr, result.stderr
    return result


def test_help_names_every_command() -> None:
    told = in_a_process("--help").stdout
    for command in ("board", "demo", "legal", "map", "position", "rules", "show", "simulate", "try"):
        assert f"  {command}" in told
        assert pbem(command, "--help").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "given", "code"),
    [
        (("try", str(EXAMPLES / "neipperg.yaml"), str(EXAMPLES / "neipperg-orders.yaml")), b"", 0),
        (("try", str(EXAMPLES / "first-march.yaml"), "-", "--json"), b"orders: {austria: {move: [x]}}", 1),
        (("show", "nowhere.yaml"), b"", 1),
        (("try", "only-one-file"), b"", 2),
    ],
)
def test_a_process_of_its_own_says_the_same(
    tmp_path: Path, arguments: tuple[str, ...], given: bytes, code: int
) -> None:
    """The tests below run commands in their own process, with the same results."""
    here, there = (run(*arguments, cwd=tmp_path, given=given) for run in (pbem, in_a_process))
    assert here.returncode == there.returncode == code
    assert (here.stdout, here.stderr) == (there.stdout, there.stderr)


def test_help_has_the_commands_in_three_groups_and_topics_in_the_reader_s_language() -> None:
    told = pbem("--help").stdout
    assert sum(len(group) for group in GROUPS.values()) == len(COMMANDS)
    assert all(f"{title}:\n" in told for title in GROUPS)
    assert "Usage: pbem key new" in pbem("help", "key", "new").stdout
    for language, topic in {"en": "moderating", "de": "Spielleiter", "es": "claves", "it": "chiavi"}.items():
        assert "`pbem " in pbem("help", topic, "--language", language).stdout
    refused = pbem("help", "chess").stderr
    assert "E-RULES-TOPIC" in refused
    assert refused.count("Keys and seals") == 1


def test_the_topics_of_help_are_the_same_in_every_language_and_name_commands_that_there_are() -> None:
    told = {language: guide(language) for language in languages()}
    topics = {language: {key: len(topic.says) for key, topic in each.topics.items()} for language, each in told.items()}
    assert len({str(each) for each in topics.values()}) == 1
    said = " ".join(each for guided in told.values() for topic in guided.topics.values() for each in topic.says)
    assert set(re.findall(r"`pbem ([a-z][\w-]*)", said)) <= set(COMMANDS)


def test_a_mistyped_command_is_told_what_may_have_been_meant() -> None:
    done = pbem("statsu")
    assert (done.returncode, "did you mean status?" in done.stderr) == (2, True)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands(shell: str) -> None:
    environment = {"_PBEM_COMPLETE": f"{shell}_complete", "COMP_WORDS": "pbem verif"}
    environment["COMP_CWORD"] = "verif" if shell == "fish" else "1"
    done = CliRunner().invoke(main, [], prog_name="pbem", env=environment)
    assert "verify" in done.output


def test_wrong_use_ends_with_two() -> None:
    assert pbem("fly").returncode == 2
    assert pbem("try", "only-one-file").returncode == 2
    assert pbem("show", str(EXAMPLES / "neipperg.yaml"), "--as", "sweden").returncode == 2


def test_a_trial_tells_events_and_position() -> None:
    done = pbem("try", str(EXAMPLES / "neipperg.yaml"), str(EXAMPLES / "neipperg-orders.yaml"))
    assert done.returncode == 0
    assert "Battle of Trautenau" in done.stdout
    assert "Schwerin has no troops left" in done.stdout.replace("\n", " ").replace("  ", " ")
    assert max(map(len, done.stdout.splitlines())) <= 72


def test_a_trial_as_json_reaches_a_position_that_can_be_used_again(tmp_path: Path) -> None:
    done = pbem(
        "try", str(EXAMPLES / "neipperg.yaml"), str(EXAMPLES / "neipperg-orders.yaml"), "--json", "--position",
        "--save", str(tmp_path / "after.yaml"),
    )  # fmt: skip
    result = json.loads(done.stdout)
    assert [event["type"] for event in result["events"]][-2:] == ["BattleWon", "GeneralRemoved"]
    assert result["position"]["pieces"]["Friedrich der Große"] == "Trautenau, 1"
    again = pbem("try", "after.yaml", str(EXAMPLES / "neipperg-retreat.yaml"), "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["events"][0]["path"] == ["Landeshut", "Jauer", "Liegnitz"]


def test_every_fault_of_a_file_is_told_with_its_place_and_nothing_is_written(tmp_path: Path) -> None:
    orders = tmp_path / "orders.yaml"
    orders.write_text(
        "orders:\n  prussia:\n    move:\n      - Schwerin: Wien\n      - Neipperg: Brieg\n      - train 1: Glogau\n"
    )
    done = pbem("try", str(EXAMPLES / "first-march.yaml"), str(orders), "--save", str(tmp_path / "after.yaml"))
    assert done.returncode == 1
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert [line.removeprefix(f"{orders}:").split(" ")[:2] for line in lines] == [
        ["4:19:", "E-MARCH-LENGTH"],
        ["5:9:", "E-MARCH-POWER"],
        ["6:18:", "E-MARCH-BLOCKED"],
    ]
    assert "is 13 cities long" in lines[0]
    assert "3 cities at most; 4 by main roads only; 8 as a forced march" in lines[0]
    assert "§10.1" in lines[0]
    assert not (tmp_path / "after.yaml").exists()


def test_refusals_as_json() -> None:
    done = pbem("try", str(EXAMPLES / "first-march.yaml"), "-", "--json", given=b"orders: {austria: {move: [x]}}")
    assert done.returncode == 1
    (fault,) = json.loads(done.stdout)["refused"]
    assert (fault["file"], fault["line"], fault["code"]) == ("-", 1, "E-FORM-MOVE")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"turn: 1\nturn: 2\n", "E-YAML-DUPLICATE"),
        (b"turn: \xff\xfe\n", "E-YAML-ENCODING"),
        (b"[" * 5000, "E-YAML-DEPTH"),
        (b"a: " + b"x" * 300_000, "E-YAML-SIZE"),
        ("turn:\u00a02\n".encode(), "E-YAML-CHARACTER"),
        (b"pieces: {Friedrik: Berlin}\n", "E-NAME-UNKNOWN"),
        (b"turn: 99\n", "E-FORM-NUMBER"),
        (b"turn: 2\nstage: france\npieces: {Friedrich: 'Prag, 9'}\n", "E-FORM-NUMBER"),
        (b"turn: 2\nstage: france\npieces: {Friedrich: Prag, Neipperg: Prag}\n", "E-POSITION"),
        (b"", "E-YAML-EMPTY"),
    ],
)
def test_bad_positions_get_a_clear_answer(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "position.yaml"
    path.write_bytes(content)
    done = pbem("position", "load", str(path))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{path}:")
    assert code in done.stderr


def test_a_missing_file_is_named() -> None:
    done = pbem("show", "nowhere.yaml")
    assert done.returncode == 1
    assert "nowhere.yaml" in done.stderr


def test_a_saved_position_reads_back_to_itself(tmp_path: Path) -> None:
    pbem("position", "save", "new.yaml", "--seed", "a seed", "--players", "2", cwd=tmp_path)
    first = json.loads(pbem("position", "load", "new.yaml", "--json", cwd=tmp_path).stdout)
    pbem("position", "save", "again.yaml", "--from", "new.yaml", cwd=tmp_path)
    assert json.loads(pbem("position", "load", "again.yaml", "--json", cwd=tmp_path).stdout) == first
    assert (tmp_path / "new.yaml").read_bytes() == (tmp_path / "again.yaml").read_bytes()
    assert first["owing"] == ["france", "bavaria", "prussia", "saxony", "austria"]


END = {"forced": False, "meets": False, "foes": [], "aim": False, "conquers": [], "questions": [], "starves": False}


def test_legal_lists_where_a_piece_may_march() -> None:
    position = str(EXAMPLES / "first-march.yaml")
    (options,) = json.loads(pbem("legal", position, "Schwerin", "--as", "prussia", "--json").stdout)
    (march,) = options["marches"]
    ways = {way["city"]: way for way in march["to"]}
    assert ways["Lissa"] == END | {"city": "Lissa", "suit": "♦", "path": ["Lissa"]}
    assert ways["Breslau"] == END | {
        "city": "Breslau",
        "suit": "♥",
        "path": ["Steinau", "Neumarkt", "Breslau"],
        "aim": True,
    }
    assert [card.split("/")[0] for card in options["in_hand"]] == [
        "♣6",
        "♦2",
        "♦3",
        "♦4",
        "♦10",
        "♥5",
        "♥7",
        "♠10",
        "R",
    ]
    assert march["from"] not in ways
    assert "form" not in options
    assert "Schwerin" in pbem("legal", position, "--as", "frederick").stdout


def test_legal_knows_a_player_s_own_trains_and_what_may_be_done_at_any_time() -> None:
    position = str(EXAMPLES / "first-march.yaml")
    (options,) = json.loads(pbem("legal", position, "train 1", "--as", "prussia", "--json").stdout)
    assert options["marches"][0]["pieces"] == ["prussia train 1"]
    unclear = pbem("legal", position, "train 1")
    assert unclear.returncode == 1
    assert "train 1" in unclear.stderr
    every = json.loads(pbem("legal", str(EXAMPLES / "neipperg.yaml"), "--json").stdout)
    assert [option["form"]["section"] for option in every] == ["play", "transfer"]
    stacks = [stack for option in every if option["type"] == "Arrange" for stack in option["stacks"]]
    assert all(len(stack) > 1 for stack in stacks)
    assert stacks
    told = pbem("legal", str(EXAMPLES / "neipperg.yaml")).stdout
    assert "may move troops within its stacks" in told


def test_show_keeps_secrets_of_others() -> None:
    position = str(EXAMPLES / "neipperg.yaml")
    everything = json.loads(pbem("show", position, "--json").stdout)
    prussia = json.loads(pbem("show", position, "--json", "--as", "prussia").stdout)
    observer = json.loads(pbem("show", position, "--json", "--as", "observer").stdout)
    assert set(everything["hands"]) == set(everything["hand_sizes"])
    assert set(prussia["hands"]) == {"prussia"}
    assert observer["hands"] == {}
    assert all(piece["troops"] is None for piece in observer["pieces"])


def test_a_trial_seen_as_a_player_hides_what_others_draw(tmp_path: Path) -> None:
    orders = tmp_path / "orders.yaml"
    orders.write_text("orders: {prussia: {move: []}, saxony: {move: []}}\n")
    done = pbem("try", str(EXAMPLES / "first-march.yaml"), str(orders), "--as", "prussia", "--json")
    drawn = [event for event in json.loads(done.stdout)["events"] if event["type"] == "CardsDrawn"]
    assert [(event["power"], event["count"], event["cards"]) for event in drawn] == [("austria", 5, None)]


def test_maps_are_written_as_svg_and_png(tmp_path: Path) -> None:
    position = str(EXAMPLES / "neipperg.yaml")
    svg, png = tmp_path / "map.svg", tmp_path / "map.png"
    assert pbem("map", position, "-o", str(svg)).returncode == 0
    assert pbem("map", position, "-o", str(png), "--width", "700", "--around", "trautenau").returncode == 0
    assert svg.read_text("utf-8").startswith("<svg")
    assert "not the published" in svg.read_text("utf-8").replace("\n", " ")
    assert png.read_bytes().startswith(b"\x89PNG")
    unknown = pbem("map", position, "-o", str(png), "--around", "Atlantis")
    assert unknown.returncode == 1
    assert "Atlantis" in unknown.stderr


def test_boards_are_listed_checked_and_drawn(tmp_path: Path) -> None:
    names = {board["name"] for board in json.loads(pbem("board", "list", "--json").stdout)}
    assert {"theatrum-belli", "friedrich"} <= names
    assert json.loads(pbem("board", "check", "friedrich", "--json").stdout)["cities"] == 672
    assert pbem("board", "draw", "theatrum-belli", "-o", "board.svg", cwd=tmp_path).returncode == 0
    broken = tmp_path / "broken.yaml"
    shipped = EXAMPLES.parent / "rules" / "maria" / "boards" / "theatrum-belli.yaml"
    broken.write_text(shipped.read_text("utf-8").replace("[Schweidnitz, Breslau]", "[Schweidnitz, Breslaw]"), "utf-8")
    done = pbem("board", "check", str(broken))
    assert done.returncode == 1
    assert "Breslaw" in done.stderr
    assert "Breslau" in done.stderr


def test_a_position_may_bring_its_own_board(tmp_path: Path) -> None:
    shipped = EXAMPLES.parent / "rules" / "maria" / "boards" / "theatrum-belli.yaml"
    (tmp_path / "mine.yaml").write_text(
        shipped.read_text("utf-8").replace("Theatrum Belli 1741", "My Board 1741"), "utf-8"
    )
    (tmp_path / "position.yaml").write_text("board: mine.yaml\nturn: 2\nstage: prussia\n")
    assert pbem("position", "load", "position.yaml", cwd=tmp_path).returncode == 0
    assert pbem("map", "position.yaml", "-o", "map.svg", cwd=tmp_path).returncode == 0
    assert "My Board" in (tmp_path / "map.svg").read_text("utf-8") or "MY BOARD" in (tmp_path / "map.svg").read_text(
        "utf-8"
    )


def test_a_board_of_another_program_is_imported(tmp_path: Path) -> None:
    (tmp_path / "data.js").write_text(
        'const data = { cities: { name: ["A","B","C"], x: [10,90,200], y: [10,90,40], adjacent: [[1],[0,2],[1]],'
        " main_roads: [[1],[0],[]], roads: [[],[2],[1]], suit: [0,1,2],"
        ' country: ["Austria","Austria","Prussia"], type: [["major"],[],[]] } }\n'
    )
    done = pbem("board", "import", "data.js", "-o", "board.yaml", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cities"] == 3
    assert pbem("board", "check", "board.yaml", cwd=tmp_path).returncode == 0


def test_simulations_are_the_same_for_the_same_seed() -> None:
    one = json.loads(pbem("simulate", "--games", "3", "--seed", "7", "--json").stdout)
    other = json.loads(pbem("simulate", "--games", "3", "--seed", "7", "--json").stdout)
    assert one == other
    assert one["games"] == sum(one["winners"].values()) == 3


def test_the_way_of_a_march_is_found_and_what_another_would_do_is_told(tmp_path: Path) -> None:
    (tmp_path / "position.yaml").write_text(
        "turn: 2\nstage: prussia\nphase: movement\npieces: {Friedrich: 'Mies, 4', Schwerin: 'Glogau, 1'}\n"
    )
    (tmp_path / "orders.yaml").write_text("orders: {prussia: {move: [Friedrich: Tirschenreuth]}, saxony: {move: []}}\n")
    done = pbem("try", "position.yaml", "orders.yaml", "--language", "de", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Friedrich der Große" in done.stdout
    assert "Pfraumberg" in done.stdout
    assert "orders.yaml:1:38: W-MARCH-WAY der Weg ist Pfraumberg, Tirschenreuth (§10.1)" in done.stderr
    assert "über Eger, Tirschenreuth würde der Marsch Eger erobern" in done.stderr


def test_how_far_an_enemy_reaches_is_told_as_things_stand() -> None:
    """Everybody sees it on the board: nobody's secrets are needed for it."""
    position = str(EXAMPLES / "first-march.yaml")
    told = pbem("legal", position, "Neipperg", "--as", "prussia")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("In reach of Neipperg, in Neisse, as things stand:\nNothing declared in battle yet; ")
    assert "\n- Frankenstein ♠: Frankenstein\n" in told.stdout
    assert "may move" not in told.stdout
    (reach,) = json.loads(pbem("legal", position, "Neipperg", "--as", "prussia", "--json").stdout)
    (asked,) = json.loads(pbem("legal", position, "Schwerin", "--as", "prussia", "--json").stdout)
    assert (reach["type"], reach["power"], asked["type"]) == ("Reach", "austria", "March")
    # His trains are not in this position.
    assert END | {"starves": True, "city": "Grottkau", "suit": "♥", "path": ["Grottkau"]} in reach["marches"][0]["to"]
    assert (reach["declared"], "in_hand" in reach, "in_hand" in asked) == ([], False, True)
    own = pbem("legal", position, "Schwerin", "--as", "austria")
    assert own.stdout.startswith("In reach of Schwerin, in Glogau")
    assert "E-MARCH-OFF" in pbem("legal", position, "austria train 1").stderr
    assert "E-MARCH-APART" in pbem("legal", position, "Neipperg", "Schwerin", "--as", "observer").stderr


def test_the_map_marks_where_a_piece_can_get_to(tmp_path: Path) -> None:
    position = str(EXAMPLES / "first-march.yaml")
    (options,) = json.loads(pbem("legal", position, "P2", "--as", "prussia", "--json").stdout)
    assert pbem("map", position, "--reach", "Schwerin", "-o", "map.svg", cwd=tmp_path).returncode == 0
    svg = (tmp_path / "map.svg").read_text()
    assert set(re.findall(r'class="end" data-city="([^"]*)"', svg)) == {
        way["city"] for way in options["marches"][0]["to"]
    }
    assert "a board alone has no pieces" in pbem("map", "friedrich", "--reach", "P1", cwd=tmp_path).stderr
    assert "E-MARCH-OFF" in pbem("map", position, "--reach", "austria train 1", cwd=tmp_path).stderr


def test_where_a_beaten_stack_may_be_sent_is_told_and_marked(tmp_path: Path) -> None:
    (tmp_path / "position.yaml").write_text(
        "game: friedrich\nturn: 2\nstage: prussia\nphase: combat\n"
        "pieces: {Schwerin: 'Ohlau, 8', Keith: 'Berlin, 1', Laudon: 'Breslau, 5, face-down'}\n"
    )
    (tmp_path / "orders.yaml").write_text("orders: {austria: {play: [stop]}}\n")
    pbem("try", "position.yaml", "orders.yaml", "--save", "beaten.yaml", cwd=tmp_path)
    (retreat,) = json.loads(pbem("legal", "beaten.yaml", "Laudon", "--as", "observer", "--json", cwd=tmp_path).stdout)
    assert (retreat["type"], retreat["power"]) == ("Retreat", "austria")
    ends = {way["city"]: len(way["path"]) for way in retreat["marches"][0]["to"]}
    assert set(ends.values()) == {3}
    told = pbem("legal", "beaten.yaml", "Laudon", "--language", "de", cwd=tmp_path).stdout
    assert told.startswith("Laudon, Rückzug aus Breslau; er kann enden in:")
    assert pbem("map", "beaten.yaml", "--reach", "Laudon", "-o", "map.svg", cwd=tmp_path).returncode == 0
    assert set(re.findall(r'class="end" data-city="([^"]*)"', (tmp_path / "map.svg").read_text())) == set(ends)
    for language, words in (
        ("en", "Last declared in battle: 5 (Laudon). Face-down: Laudon. Out of supply once more, the stack is gone"),
        ("de", "Zuletzt im Kampf angesagt: 5 (Laudon). Verdeckt: Laudon. Wer beim nächsten Mal noch unversorgt ist,"),
        ("es", "Última fuerza declarada en combate: 5 (Laudon). Bocabajo: Laudon. Otra vez sin suministro, pierde"),
        ("it", "Ultima dichiarazione in battaglia: 5 (Laudon). A faccia in giù: Laudon. Se resta senza"),
    ):
        foe = pbem("legal", "position.yaml", "Laudon", "--as", "prussia", "--language", language, cwd=tmp_path).stdout
        assert words in " ".join(foe.split())


def test_a_warning_names_the_rule_of_its_own_game(tmp_path: Path) -> None:
    (tmp_path / "position.yaml").write_text(
        "game: friedrich\nturn: 2\nstage: austria\nphase: movement\n"
        "pieces: {Daun: 'Königgrätz, 6', Schwerin: 'Berlin, 6', Keith: 'Küstrin, 3'}\n"
    )
    (tmp_path / "orders.yaml").write_text("orders: {austria: {move: [Daun: Habelschwerdt]}}\n")
    done = pbem("try", "position.yaml", "orders.yaml", cwd=tmp_path)
    assert "W-MARCH-WAY the way is" in done.stderr
    assert "(§4)" in done.stderr
