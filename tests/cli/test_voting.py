"""Votes on a silent seat and on another clock, by the commands, told in every language."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.campaign.proof.verifying import verify
from tests.cli.correspondence import NAME, Correspondence
from tests.protocol.second import verify as second


@pytest.fixture(scope="module")
def voted(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose seats have given the seat of Maria Theresa away, and agreed on another clock."""
    table = Correspondence(tmp_path_factory.mktemp("voted"))
    table.begin("--votes", "majority", "--resigned", "hold")
    table.join()
    table.now += timedelta(days=4)
    for subject in (("replace", "maria-theresa"), ("clock", "5d")):
        report = table.sent("frederick.report.yaml")
        table.run("propose", *subject, "--report", report, "-o", "p.yaml", as_="frederick")
        (letter,) = table.accept("p.yaml")
        table.post()
        report = table.sent("louis.report.yaml")
        table.run("vote", str(letter["entry"]), "yes", "--report", report, "-o", "v.yaml", as_="louis")
        table.accept("v.yaml")
    table.post()
    return table


TOLD = {
    "en": ("The seat Maria Theresa is taken from its player, and is vacant", "From the next stage on each has 5 days"),
    "de": ("Der Platz Maria Theresia ist frei", "Vom nächsten Zug an gilt für jeden Zug die Zeit 5 Tage"),
    "es": ("El puesto María Teresa queda libre", "Desde la próxima etapa, cada una tiene 5 días"),
    "it": ("Il posto Maria Teresa è libero", "Dalla prossima fase ognuna ha 5 giorni"),
}


@pytest.mark.parametrize("language", TOLD)
def test_what_was_voted_is_told_in_every_language(voted: Correspondence, tmp_path: Path, language: str) -> None:
    log = voted.run("log", NAME, "--language", language).output
    assert "resolution" in log
    table = voted.copied(tmp_path / "table")
    table.run("export", "site", "-C", NAME, "--language", language)
    said = " ".join((table.root / "site" / "log.html").read_text("utf-8").split())
    for sentence in TOLD[language]:
        assert sentence in said


def test_reports_tell_it_and_the_game_goes_on_without_the_seat(voted: Correspondence, tmp_path: Path) -> None:
    said = " ".join(Path(voted.sent("frederick.txt")).read_text("utf-8").split())
    assert TOLD["en"][1] in said
    assert "waiting for Louis" in said
    assert "with Austria" not in said
    assert "nothing is required" in next(
        line for line in voted.run("status", NAME).output.splitlines() if "maria-theresa" in line
    )
    table = voted.copied(tmp_path / "table")
    assert table.owing() == ["frederick", "louis"], "nobody waits for Maria Theresa"
    for seat in table.owing():
        table.order(seat)
    done = table.json("adjudicate", "-C", NAME, as_="moderator")
    assert done["absent"] == {"maria-theresa": "nobody plays the seat any more"}
    assert done["deadline"] >= f"{table.now + timedelta(days=5):%Y-%m-%d}"
    table.post()
    assert "defaults answered for" in " ".join(Path(table.sent("louis.txt")).read_text("utf-8").split())
    table.moderate("close", "--why", "enough")
    assert verify(table.folder).is_good
    assert second(table.folder) == []
