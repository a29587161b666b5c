"""Moderator who plays at the page where the table is kept."""

from __future__ import annotations

import base64
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from pbem.desk.bridge import Bridge
from tests.desk.keeper import Keeper
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_hosting import PLAN, Friends


class OwnTable(Friends):
    """Table of three people, whose moderator Max plays Prussia by the key that signs for the moderator."""

    def __init__(self) -> None:
        names = {"frederick": "Max", "louis": "Ben", "maria-theresa": "Anna"}
        people = {seat: {"name": name, "address": f"{name.lower()}@example.org"} for seat, name in names.items()}
        moderator = {**PLAN["moderator"], "seat": "frederick"}
        super().__init__({**PLAN, "moderator": moderator, "seats": people})
        self.pages["maria-theresa"] = Bridge("en")
        ask(self.pages["maria-theresa"], "new_key", "")
        ask(self.pages["frederick"], "key", base64.b64encode(self.key.encode()).decode(), "")
        joins = {}
        for seat, name in names.items():
            ask(self.pages[seat], "open", *self.letter_to(seat))
            joins[f"{seat}.yaml"] = ask(self.pages[seat], "join", name, "en")["letter"]
        assert self.evening(joins)["stages"] == 1

    def to_prussia(self) -> None:
        """Play until Prussia may march; whoever has to place hussars leaves that to the default orders."""
        for _ in range(4):
            if not self.stage()["stages"]:
                ask(self.host, "host_act", "force", {})
            if ask(self.host, "host_view")["stage"].endswith("Prussia"):
                return
        raise AssertionError("Prussia does not come")

    def propose(self) -> Any:
        """Ben proposes to end the game as a draw."""
        ask(self.pages["louis"], "open", *self.letter_to("louis"))
        ask(self.pages["louis"], "propose", "draw", "", 3)
        return self.evening({"draw.yaml": ask(self.pages["louis"], "sign")["text"]})

    def laid_out(self, sitter: Sitter, downloads: Path) -> Keeper:
        """The same table at a real page."""
        sitter.home()
        keeper = Keeper(sitter, downloads)
        copy(ask(self.host, "host_zip"), downloads / "table.zip")
        (downloads / "pbem-key").write_text(self.key)
        sitter.reader.run("indexedDB.deleteDatabase('pbem-tables')")
        sitter.find("#table-zip").send_keys(str(downloads / "table.zip"))
        keeper.give_key()
        keeper.wait("#table-out")
        return keeper


@pytest.fixture(scope="module")
def dealt() -> OwnTable:
    """The table when the cards are dealt; only copies of it are played on."""
    return OwnTable()


@pytest.fixture
def table(dealt: OwnTable) -> OwnTable:
    """The same for one test."""
    return dealt.copied()


@pytest.fixture(scope="module")
def before_march(dealt: OwnTable) -> OwnTable:
    """The table when Prussia may march; only copies of it are played on."""
    table = dealt.copied()
    table.to_prussia()
    return table


@pytest.fixture
def marching(before_march: OwnTable) -> OwnTable:
    """The same for one test."""
    return before_march.copied()


def titles(table: OwnTable, seat: str) -> list[str]:
    """Titles of the letters to a seat that are to be sent, or to be read here."""
    found = [each for each in ask(table.host, "host_view")["letters"] if each["seat"] == seat]
    return [each["title"] for each in found if each["standing"] in ("own", "open")]


@pytest.mark.parametrize("is_read", [False, True])
def test_a_letter_asks_for_no_vote_that_has_come_in(marching: OwnTable, is_read: bool) -> None:
    table = marching
    table.propose()
    (before,) = titles(table, "frederick")
    assert before.endswith("your vote is asked")
    page = table.pages["frederick"]
    ask(page, "open", *table.letter_to("frederick"))
    if is_read:
        letters = ask(table.host, "host_view")["letters"]
        ask(table.host, "host_sent", next(each["name"] for each in letters if each["title"] == before), True)
    (to_ben,) = titles(table, "louis")
    (open,) = page.desk.sitting().motions.open
    ask(page, "vote", open.name, "yes")
    assert table.evening({"vote.yaml": ask(page, "sign")["text"]})["taken"] == 1
    (after,) = titles(table, "frederick")
    assert "vote" not in after
    assert after.split(": ")[1:] == before.removesuffix("; your vote is asked").split(": ")[1:]
    ask(page, "open", *table.letter_to("frederick"))
    (told,) = page.desk.sitting().motions.open
    assert told.vote == "yes"
    assert titles(table, "louis") == [to_ben], "nothing is asked in it that has come in"


def test_a_moderator_who_plays_gives_a_vote_to_the_table_and_is_told_nothing_of_sending(
    sitter: Sitter, tmp_path: Path, marching: OwnTable
) -> None:
    table = marching
    assert table.propose()["taken"] == 1
    keeper = table.laid_out(sitter, tmp_path)
    keeper.click("#table-own .here")
    sitter.until("return Boolean(sitting)")
    went = sitter.march()
    marched = sitter.reader.run("return state.pieces")
    sitter.find("#voting button").click()
    keeper.click("#motions .says")
    sitter.until("return state.kind === 'vote'")
    assert sitter.reader.run("return state.pieces") == marched, went
    told = "This letter gives no orders: give it to the table.\nBack to your orders"
    assert sitter.find("#prompt").text == told
    assert sitter.find("#motions .voted").text == "Your letter votes: Yes. It is not given yet: give it to the table."
    assert sitter.find("#given-draft").text == "Vote"
    sitter.find("#done").click()
    assert sitter.find("#prompt").text == "Your vote is written: now give the letter to the table.\nBack to your orders"
    sitter.find("#sign").click()
    keeper.wait("#evening")
    assert "letters taken: 1" in sitter.find("#evening").text
    assert not sitter.reader.complaints()


def test_what_the_table_tells_names_the_players_and_the_code_last(
    sitter: Sitter, tmp_path: Path, table: OwnTable
) -> None:
    page = table.pages["louis"]
    ask(page, "open", *table.letter_to("louis"))
    letter = tmp_path / "late.yaml"
    letter.write_text(table.signed(page).replace("Maillebois", "Nobody"))
    keeper = table.laid_out(sitter, tmp_path)
    told = keeper.give(letter).splitlines()
    assert told[0] == "refused: 1"
    assert told[1].startswith("refused, from Ben (Louis): orders")
    assert told[1].endswith("W-OFFICE-TURNED")
    small, ordinary = sitter.reader.run(
        "return ['small code', ':scope > li'].map((each) => parseFloat(getComputedStyle("
        "document.getElementById('evening').querySelector(each)).fontSize))"
    )
    assert small < ordinary


def test_what_has_ended_stands_apart_on_the_first_page_and_does_not_stand_out(
    sitter: Sitter, tmp_path: Path, table: OwnTable
) -> None:
    keeper = table.laid_out(sitter, tmp_path)
    keeper.click(".open + .buttons button")
    keeper.wait("[data-table]")
    assert sitter.find(".kept > ul:nth-of-type(1) [data-table]").get_attribute("class") == "take"
    assert not sitter.find(".kept h3").is_displayed()
    keeper.choose()
    keeper.give_key()
    keeper.wait("#table-why")
    sitter.find("#table-why").send_keys("enough")
    for _ in range(2):
        keeper.click("#table-close")
    sitter.until("return table.phase === 'closed' && !document.getElementById('busy')")
    assert "Save the archive and send it to everybody" in sitter.find("#table-ending").text
    keeper.click(".open + .buttons button")
    keeper.wait("[data-table]")
    assert sitter.find(".kept h3").text.upper() == "ENDED"
    ended = sitter.reader.run(
        "return [...document.querySelectorAll('.kept > ul:nth-of-type(2) button:first-child')]"
        ".map((each) => each.classList.contains('take'))"
    )
    assert ended == [False]
    assert not sitter.find(".kept h2").is_displayed()


def test_a_kept_report_says_whether_the_game_has_ended(table: OwnTable) -> None:
    page = table.pages["louis"]
    for is_over in (False, True):
        ask(page, "open", *table.letter_to("louis"))
        assert ask(page, "kept")["over"] == is_over
        if not is_over:
            ask(table.host, "host_close", "enough")


def test_hussars_stand_on_the_board_as_soon_as_they_are_ordered(table: OwnTable) -> None:
    table.stage()
    page = table.pages["maria-theresa"]
    before = ask(page, "open", *table.letter_to("maria-theresa"))["state"]
    assert [each["form"]["section"] for each in before["asked"]] == ["hussars"]
    placed = ask(page, "put", "austria", {"hussars": ["Glatz", "off"]})
    assert (before["hussars"], placed["hussars"]) == ([], ["Glatz"])
    assert placed["hidden"]
    assert placed["over"] != before["over"]
    # A vote that is written meanwhile leaves them there.
    assert ask(page, "propose", "draw", "", 3)["hussars"] == ["Glatz"]
    assert ask(page, "drop")["over"] == placed["over"]
    assert ask(page, "undo")["hussars"] == []


def test_the_headline_says_that_orders_are_written_and_what_comes_next(
    sitter: Sitter, tmp_path: Path, marching: OwnTable
) -> None:
    table = marching
    keeper = table.laid_out(sitter, tmp_path)
    keeper.click("#table-own .here")
    sitter.until("return Boolean(sitting)")
    stage = sitter.find("#bar h1").text
    assert stage == "Turn 1, stage of Prussia"
    assert sitter.find("#left").text.startswith("Still to order:")
    sitter.march()
    assert sitter.find("#left").text.startswith("Still to order:")
    sitter.end()
    assert sitter.find("#bar h1").text == stage
    assert sitter.find("#left").text.startswith("Without orders so far:")
    assert sitter.find("#prompt").text == "Your orders are written: now give the letter to the table."
    # Without that sentence, as after a reload, the headline says it.
    sitter.reader.run("isDone = false; tellBar()")
    assert sitter.find("#left").text == "Written; next give it to the table."
