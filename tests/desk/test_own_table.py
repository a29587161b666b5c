"""Moderator who plays at the page where the table is kept."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from tests.desk.keeper import Keeper
from tests.desk.sitting import Sitter
from tests.desk.test_desk import ask
from tests.desk.test_hosting import PLAN, Friends


class OwnTable(Friends):
    """Table whose moderator plays Prussia by the key that signs for the moderator."""

    def __init__(self) -> None:
        people = {"frederick": {"name": "Max"}, "louis": {"name": "Ben", "address": "ben@example.org"}}
        moderator = {**PLAN["moderator"], "seat": "frederick"}
        super().__init__({**PLAN, "moderator": moderator, "seats": {**PLAN["seats"], **people}})
        ask(self.pages["frederick"], "key", base64.b64encode(self.key.encode()).decode(), "")
        joins = {}
        for seat, name in {"frederick": "Max", "louis": "Ben"}.items():
            ask(self.pages[seat], "open", *self.letter_to(seat))
            joins[f"{seat}.yaml"] = ask(self.pages[seat], "join", name, "en")["letter"]
        assert self.evening(joins)["stages"] == 1

    def to_prussia(self) -> None:
        """Play until Prussia may march."""
        while not ask(self.host, "host_view")["stage"].endswith("Prussia"):
            self.stage()

    def propose(self) -> Any:
        """Ben proposes to end the game as a draw."""
        ask(self.pages["louis"], "open", *self.letter_to("louis"))
        ask(self.pages["louis"], "propose", "draw", "", 3)
        return self.evening({"draw.yaml": ask(self.pages["louis"], "sign")["text"]})

    def laid_out(self, sitter: Sitter, downloads: Path) -> Keeper:
        """The same table at a real page."""
        sitter.home()
        keeper = Keeper(sitter, downloads)
        (downloads / "table.zip").write_bytes(base64.b64decode(ask(self.host, "host_zip")))
        (downloads / "pbem-key").write_text(self.key)
        sitter.reader.run("indexedDB.deleteDatabase('pbem-tables')")
        sitter.find("#table-zip").send_keys(str(downloads / "table.zip"))
        keeper.give_key()
        keeper.wait("#table-out")
        return keeper


@pytest.fixture
def table() -> OwnTable:
    return OwnTable()


def test_a_moderator_who_plays_gives_a_vote_to_the_table_and_is_told_nothing_of_sending(
    sitter: Sitter, tmp_path: Path, table: OwnTable
) -> None:
    table.to_prussia()
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
    told = "This letter gives no orders: give it to the table. Your orders lie beside it."
    assert sitter.find("#prompt").text == told
    assert sitter.find("#motions .voted").text == "Your letter votes: Yes. It is not given yet: give it to the table."
    assert sitter.find("#given-draft").text == "Vote"
    sitter.find("#done").click()
    assert sitter.find("#prompt").text == "Your vote is written: now give the letter to the table."
    sitter.find("#sign").click()
    keeper.wait("#evening")
    assert "letters taken: 1" in sitter.find("#evening").text
    assert not sitter.reader.complaints()
