"""Names of files on the command line: quoted where they are told, and never written over where nobody typed them."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.faults.wrong import shell_word
from pbem.paper.documents.faults import Refused
from pbem.player.sealing import write_all
from tests.cli.correspondence import Correspondence

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = [
    "a.yaml",
    "report (1).yaml",
    "$(touch x).yaml",
    "it's.yaml",
    "-rf",
    "a&b.yaml",
    "ä ö.yaml",
    "`id`",
    'a"b',
    "a\\b",
    "%PATH%",
    "a;b",
    "!x",
]


@pytest.mark.skipif(sys.platform == "win32", reason="asks a POSIX shell")
@pytest.mark.parametrize("name", NAMES)
def test_a_shell_reads_the_name_that_was_meant(name: str) -> None:
    done = subprocess.run(["sh", "-c", f"printf %s {shell_word(name)}"], capture_output=True, text=True, check=True)
    assert done.stdout.removeprefix("./") == name


def test_names_with_blanks_are_quoted_as_every_system_reads_it() -> None:
    assert shell_word("report (1).yaml") == '"report (1).yaml"'


@pytest.mark.parametrize("name", NAMES)
def test_commands_about_a_file_can_be_pasted(tmp_path: Path, name: str) -> None:
    if "/" in name or name.startswith("-"):
        return
    shutil.copy(EXAMPLES / "first-march.yaml", tmp_path / name)
    table = Correspondence(tmp_path, seats=())
    found = json.loads(table.run(name, "--json").output)
    assert [shlex.split(command)[1] for command in found["next"]] == [name] * 3
    assert f"$ pbem show {shell_word(name)}" in table.run(name).output


def test_orders_without_a_head_are_told_as_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "o.yaml").write_text("stage: 2/prussia\norders: {prussia: {move: []}}\n")
    told = Correspondence(tmp_path, seats=()).run("o.yaml").output
    assert "without the head of a letter" in told
    assert "pbem try POSITION o.yaml" in told


def test_what_is_opened_is_written_over_nothing(tmp_path: Path) -> None:
    files = [("report.yaml", b"1"), ("report.yaml", b"2"), ("", b"3")]
    write_all(tmp_path / "new", files)
    names = {path.name: path.read_bytes() for path in (tmp_path / "new").iterdir()}
    assert names == {"report.yaml": b"1", "report-2.yaml": b"2", "opened-3": b"3"}
    write_all(tmp_path / "new", files)
    (tmp_path / "new/report-2.yaml").write_bytes(b"mine")
    (tmp_path / "new/report.yaml").unlink()
    with pytest.raises(Refused, match="E-FILE-EXISTS"):
        write_all(tmp_path / "new", files)
    assert not (tmp_path / "new/report.yaml").exists(), "nothing is written where one name is taken"


@pytest.mark.parametrize("command", ["map position.yaml", "board draw theatrum-belli"])
def test_a_picture_takes_the_place_of_none_that_is_foreign(tmp_path: Path, command: str) -> None:
    shutil.copy(EXAMPLES / "first-march.yaml", tmp_path / "position.yaml")
    table = Correspondence(tmp_path, seats=())
    target = tmp_path / table.run(*command.split()).output.strip()
    first = target.read_bytes()
    table.run(*command.split())
    target.write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert "E-FILE-EXISTS" in table.run(*command.split(), code=1).output
    assert target.read_bytes() != first
    table.run(*command.split(), "-o", target.name)
    assert target.read_bytes() == first


def test_the_map_of_a_game_takes_the_place_of_none_that_is_foreign(tmp_path: Path) -> None:
    table = Correspondence(tmp_path, seats=())
    (tmp_path / "maria.svg").write_text("<svg/>")
    begin = ("play", "--game", "maria", "--scenario", "introductory", "--seat", "louis")
    told = table.run(*begin, given="quit\n").output
    assert "the map is not drawn any more" in told
    assert (tmp_path / "maria.svg").read_text() == "<svg/>"


def test_a_sealed_letter_takes_the_place_of_none_that_is_foreign(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    beside = begun.root / "louis/orders.sealed.yaml"
    beside.write_text("notes of mine\n")
    assert "E-FILE-EXISTS" in begun.run("seal", sheet, as_="louis", code=1).output
    assert beside.read_text() == "notes of mine\n"
    beside.unlink()
    begun.run("seal", sheet, as_="louis")
    begun.run("seal", sheet, as_="louis")
