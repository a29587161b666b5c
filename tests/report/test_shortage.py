"""Generals out of supply as things stand: told in the body before they lose troops, with what follows and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.paper.letters import sign_letter
from pbem.report.language.templates import languages
from pbem.report.letters.dangers import shortages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_text
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

MARIA = """\
scenario: introductory
turn: 2
stage: austria
phase: movement
pieces: {Friedrich: Berlin, Leopold: "Brünn, 4", Schwerin: "Brünn, 3, face-down", Karl: "Schönberg, 4",
  prussia train 1: Olmütz}
"""
FRIEDRICH = """\
game: friedrich
turn: 2
stage: austria
phase: movement
pieces: {Daun: Prag, Keith: "Brünn, 4", Schwerin: "Brünn, 3", prussia train 1: Olmütz, Laudon: "Sternberg, 6"}
"""
TAKING = {"maria": (MARIA, "Karl: Olmütz"), "friedrich": (FRIEDRICH, "Laudon: Olmütz")}

NEWS = {
    ("maria", "en"): "- Out of supply as things stand; when their next stage begins: Schwerin −2, Erbprinz Leopold −1.",
    ("maria", "de"): "- Wenn sich nichts ändert, unversorgt zu Beginn ihres nächsten Zuges: Schwerin −2, Erbprinz "
    "Leopold −1.",
    ("maria", "es"): "- Si nada cambia, sin suministro al empezar su próxima etapa: Schwerin −2, Erbprinz Leopold −1.",
    ("maria", "it"): "- Senza rifornimento, se nulla cambia, all'inizio della propria prossima fase: Schwerin −2, "
    "Erbprinz Leopold −1.",
    ("friedrich", "en"): "- Out of supply as things stand; when their stage ends: Schwerin and Keith face-down.",
    ("friedrich", "de"): "- Wenn sich nichts ändert, unversorgt am Ende ihres Zuges: Schwerin und Keith verdeckt.",
    ("friedrich", "es"): "- Si nada cambia, sin suministro al acabar su etapa: Schwerin y Keith bocabajo.",
    ("friedrich", "it"): "- Senza rifornimento, se nulla cambia, alla fine della propria fase: Schwerin e Keith a "
    "faccia in giù.",
}


def after_the_train_is_taken(folder: Path, game: str) -> tuple[Briefing, Briefing]:
    """The briefings of the power whose train is taken: before that, and once it is out of supply."""
    position, march = TAKING[game]
    table = SimulatedTable(
        folder, game=game, position=position, **({"scenario": "introductory"} if game == "maria" else {})
    )
    table.begun()
    with table.open() as campaign:
        before = briefings(campaign)
        campaign.vault.posted = campaign.state.snapshot()
        campaign.save()
    sheet = sheet_text(before["maria-theresa"]).replace("\n      move:\n", f"\n      move:\n        - {march}\n", 1)
    assert march in sheet
    table.send(sign_letter(sheet, table.players["maria-theresa"].key))
    table.carried_out()
    with table.open() as campaign:
        return before["frederick"], briefings(campaign)["frederick"]


@pytest.mark.parametrize("game", TAKING)
def test_who_is_cut_off_is_told_at_once_and_beside_what_is_asked(tmp_path: Path, game: str) -> None:
    before, after = after_the_train_is_taken(tmp_path / "campaign", game)
    assert not shortages(before, "en")
    assert [each.is_new for each in shortages(after, "en")] == [True, True]
    for language in languages():
        data = report_data(in_language(after, language))
        wanted = NEWS[game, language]
        short = body_text(data | {"is_short": True, "is_asked": False})
        assert wanted in " ".join(short.split()), short
        known = [each | {"is_new": False} for each in data["unsupplied"]]
        quiet = body_text(data | {"is_short": True, "is_asked": False, "unsupplied": known})
        assert wanted[2:] not in " ".join(quiet.split()), "what has not changed is no news"
        asked = " ".join(body_text(data | {"is_short": False, "is_asked": True, "unsupplied": known}).split())
        assert wanted[2:] in asked
        assert wanted not in asked
