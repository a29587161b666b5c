"""`pbem notebook`: reports that were kept are counted, and own notes are kept beside the key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.paper.documents.faults import Refused
from pbem.player.own_notes import notes_file
from tests.cli.correspondence import NAME, Correspondence


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign of some rounds, in which Louis has kept every report."""
    table = Correspondence(tmp_path_factory.mktemp("table"))
    table.begin()
    table.join()
    for _ in range(9):
        table.round()
    for number, path in enumerate(sorted((table.folder / "outbox").glob("*/louis.report.yaml"))):
        place = table.root / "louis" / "kept" / f"{number:04}"
        place.mkdir(parents=True)
        shutil.copy(path, place / "report.yaml")
    return table


def test_the_notebook_counts_every_report_of_a_folder(kept: Correspondence) -> None:
    told = kept.json("notebook", "louis/kept", as_="louis")
    assert (told["campaign"], told["seat"]) == (NAME, "louis")
    assert told["reports"] > 5
    assert told["gaps"] == []
    hands = {each["power"]: each["hand"] for each in told["powers"]}
    draw = told["draw"]
    assert draw["shuffled"] == draw["cards"] + sum(draw["taken"].values()) == 38
    assert (
        0
        < draw["least"]
        == len(draw["fresh"]) - draw["taken"]["prussia"] - draw["taken"]["saxony"] - draw["taken"]["austria"]
    )
    own = [card for each in told["powers"] if each["is_own"] for card in each["known"]]
    assert len(own) == hands["france"] + hands["bavaria"]
    in_use = [deck for deck in told["decks"] if deck["in_use"]]
    assert sum(len(deck["hidden"]) for deck in in_use) + len(own) == 38 * len(in_use)


def test_a_missing_report_leaves_a_gap(kept: Correspondence) -> None:
    paths = sorted(str(path) for path in (kept.root / "louis" / "kept").glob("*/report.yaml"))
    told = kept.json("notebook", *paths[:3], *paths[4:], as_="louis")
    assert len(told["gaps"]) == 1
    text = kept.run("notebook", *paths[:3], *paths[4:], as_="louis").stdout
    assert str(told["gaps"][0]["after"]) in text


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_it_is_told_in_words(kept: Correspondence, language: str) -> None:
    told = kept.json("notebook", "louis/kept", as_="louis")
    text = kept.run("notebook", "louis/kept", "--language", language, as_="louis").stdout
    assert NAME in text
    assert f" {told['draw']['least']} " in text
    clubs = [card.removeprefix("♣").partition("/")[0] for card in told["decks"][0]["hidden"] if card.startswith("♣")]
    assert f"♣ {' '.join(clubs)} ·" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 72


def test_own_notes_lie_beside_the_key_and_are_told(kept: Correspondence) -> None:
    said = kept.run(
        "notebook",
        "louis/kept",
        "--note",
        "prag",
        "weak, I think",
        "--note",
        "3",
        "Go!",
        "--note",
        "austria",
        "x",
        as_="louis",
    )
    assert "weak, I think" in said.stdout
    notes = {"Prag": "weak, I think", "turn 3": "Go!", "austria": "x"}
    assert kept.json("notebook", "louis/kept", as_="louis")["notes"] == notes
    (path,) = (kept.root / "louis" / "key.campaigns").glob("*.notes.yaml")
    assert path.stat().st_mode & 0o77 == 0
    kept.run("notebook", "louis/kept", "--note", "AUSTRIA", "", as_="louis")
    del notes["austria"]
    assert kept.json("notebook", "louis/kept", as_="louis")["notes"] == notes
    assert "weak, I think" in kept.run("notebook", "louis/kept", as_="louis").stdout


def test_a_note_on_nothing_is_refused(kept: Correspondence) -> None:
    before = kept.json("notebook", "louis/kept", as_="louis")["notes"]
    for about in ("Atlantis", "99", "turn 0"):
        refused = kept.run("notebook", "louis/kept", "--note", "Prag", "y", "--note", about, "x", as_="louis", code=1)
        assert "E-NOTEBOOK-ABOUT" in refused.stderr
    refused = kept.run("notebook", "louis/kept", "--note", "Prag", "x" * 1001, as_="louis", code=1)
    assert "E-NOTEBOOK-NOTES" in refused.stderr
    assert kept.json("notebook", "louis/kept", as_="louis")["notes"] == before


def test_reports_of_several_seats_are_not_mixed(kept: Correspondence) -> None:
    refused = kept.run("notebook", str(kept.folder / "outbox"), as_="louis", code=1)
    assert "E-NOTEBOOK-REPORTS" in refused.stderr
    assert "frederick" in refused.stderr
    told = kept.json("notebook", str(kept.folder / "outbox"), "--seat", "frederick", as_="frederick")
    assert told["seat"] == "frederick"
    assert "E-NOTEBOOK-REPORTS" in kept.run("notebook", "moderator", as_="louis", code=1).stderr
    assert kept.run("notebook", "louis/key", as_="louis", code=1).stderr


def test_too_many_reports_and_too_many_notes_are_refused(kept: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.player.report_files.MOST_REPORTS", 3)
    refused = kept.run("notebook", "louis/kept", as_="louis", code=1)
    assert "E-NOTEBOOK-REPORTS" in refused.stderr
    assert "more than 3 reports" in refused.stderr
    monkeypatch.undo()
    monkeypatch.setattr("pbem.player.own_notes.MOST", 0)
    assert "E-NOTEBOOK-NOTES" in kept.run("notebook", "louis/kept", "--note", "5", "x", as_="louis", code=1).stderr


def test_notes_that_are_damaged_are_refused(kept: Correspondence, tmp_path: Path) -> None:
    table = kept.copied(tmp_path / "damaged")
    table.run("notebook", "louis/kept", "--note", "Wien", "x", as_="louis")
    (path,) = (table.root / "louis" / "key.campaigns").glob("*.notes.yaml")
    path.write_text("pbem: 1\nkind: orders\nnotes: []\n", "utf-8")
    for words in ((), ("--note", "Wien", "y")):
        refused = table.run("notebook", "louis/kept", *words, as_="louis", code=1)
        assert path.name in refused.stderr
    assert "kind: orders" in path.read_text("utf-8")


def test_a_changed_report_in_a_folder_is_named_and_left_out(kept: Correspondence, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    shutil.copytree(kept.root / "louis" / "kept", folder)
    path = sorted(folder.glob("*/report.yaml"))[4]
    path.write_text(path.read_text("utf-8").replace("digest: ", "digest: 0"), "utf-8")
    told = kept.run("notebook", str(folder), as_="louis")
    assert str(path) in told.stderr
    assert len(kept.json("notebook", str(folder), as_="louis")["gaps"]) == 1
    assert kept.run("notebook", str(path), as_="louis", code=1).stderr


def test_reports_of_another_moderator_are_refused(kept: Correspondence, tmp_path: Path) -> None:
    other = Correspondence(tmp_path)
    other.begin()
    other.join()
    mine = sorted((kept.root / "louis" / "kept").glob("*/report.yaml"))[0]
    theirs = other.root / other.sent("louis.report.yaml")
    assert "E-GUIDE-MODERATOR" in kept.run("notebook", str(mine), str(theirs), as_="louis", code=1).stderr
    assert "E-GUIDE-MODERATOR" in kept.run("notebook", str(mine), str(theirs), as_="moderator", code=1).stderr


def test_after_a_rollback_the_notebook_begins_anew_and_the_report_verifies(
    kept: Correspondence, tmp_path: Path
) -> None:
    table = kept.copied(tmp_path / "back")
    table.moderate("rollback", "--to", "15", "--why", "a slip")
    table.post()
    report = table.sent("louis.report.yaml")
    assert "turned-back: 26" in Path(report).read_text("utf-8")
    table.run("verify", NAME, "--report", report)
    told = table.json("notebook", "louis/kept", report, as_="louis")
    assert told["gaps"] == [{"after": 25, "before": 26}]
    assert told["draw"]["shuffle"] == 0
    assert [deck["in_use"] for deck in told["decks"]] == [True, False, False, False]


def test_worlds_are_dealt_by_what_earlier_reports_tell(kept: Correspondence) -> None:
    report = sorted((kept.root / "louis" / "kept").glob("*/report.yaml"))[-1]
    (kept.root / "still.yaml").write_text("orders:\n  france:\n    move: []\n", "utf-8")
    words = ("try", str(report), "still.yaml", "--worlds", "20", "--far", "round")
    alone, beside, again = (
        kept.json(*words, *more)["chances"] for more in ((), ("--reports", "louis/kept"), ("--reports", "louis/kept"))
    )
    assert beside == again
    assert alone["worlds"] == beside["worlds"] == 20
    assert kept.run("try", str(report), "still.yaml", "--reports", "louis/kept", code=2).stderr
    assert "E-NOTEBOOK-REPORTS" in kept.run(*words, "--reports", "moderator", code=1).stderr


def test_a_note_with_a_sign_that_no_document_may_contain_is_refused_at_the_desk() -> None:
    with pytest.raises(Refused, match="E-YAML-CHARACTER"):
        notes_file({"Prag": "we\u200bak"}, "notes")
