"""Battles that a report named as still to be fought, and that the first battle of the stage has made lapse; and orders
for later battles of the stage, which new orders replace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.faults.wrong import ENGLISH, words_in_language
from pbem.paper.documents.writing import write
from pbem.paper.lexicon import SIGNS
from pbem.plans.practice import PracticeWish, practice_position
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts
from tests.campaign.simulated import SimulatedTable
from tests.plans.ground import empty
from tests.report.plain import body_text

TOLD = {
    "en": (
        "Still to be fought in this stage, unless one side is beaten first: ",
        "No longer fought: {}, after the {} of ",
    ),
    "de": (
        "In diesem Zug noch auszutragen, falls keine Seite vorher geschlagen wird: ",
        "Nicht mehr ausgetragen: {}, nach dem {} von ",
    ),
    "es": (
        "Aún por librar en esta etapa, salvo que un bando sea derrotado antes: ",
        "Ya no se libra: {}, tras la {} de ",
    ),
    "it": (
        "Ancora da combattere in questa fase, se nessuna parte viene prima sconfitta: ",
        "Non si combatte più: {}, dopo la {} di ",
    ),
}
FOUGHT = {
    "en": "Broglie against Karl von Lothringen at Olkusz",
    "de": "Broglie gegen Karl von Lothringen bei Olkusz",
    "es": "Broglie contra Karl von Lothringen en Olkusz",
    "it": "Broglie contro Karl von Lothringen a Olkusz",
}
ENDS = {
    "en": ("retreat", "loss"),
    "de": ("Rückzug", "Verlust"),
    "es": ("retirada", "pérdida"),
    "it": ("ritirata", "perdita"),
}


def two_battles(root: Path, troops: int, more: Mapping[str, str] | None = None) -> SimulatedTable:
    """Austria's one general is attacked from two sides, and France has the better of both. `more` has other pieces."""
    ground = PracticeWish(-2, SIGNS["d"], SIGNS["s"], ("h2",), ("s9",), "austria", False, troops)
    _, document = practice_position(empty("maria"), ground)
    pieces: Any = document["pieces"]
    pieces |= {"Broglie": "Gleiwitz, 3", **(more or {})}
    return SimulatedTable(root, position=write({"game": "maria", **document}), game="maria").begun()


def posted(table: SimulatedTable, language: str) -> dict[str, str]:
    """Bodies of everybody's reports on one line; the reports count as sent."""
    with table.open() as campaign:
        told = {reader: report_data(in_language(each, language)) for reader, each in briefings(campaign).items()}
        campaign.vault.posted = campaign.state.snapshot()
        campaign.save()
    return {reader: " ".join(body_text(data).split()) for reader, data in told.items()}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("troops", [6, 2], ids=["retreat", "loss"])
def test_a_battle_that_lapses_is_told_once_to_all_who_were_told_of_it(
    tmp_path: Path, language: str, troops: int
) -> None:
    table = two_battles(tmp_path / "campaign", troops)
    posted(table, language)
    table.send(table.letter("louis", {"france": {"battles": ["Krakau > Olkusz"]}}))
    table.carried_out()
    announced, lapsed = TOLD[language]
    assert all(announced in body for body in posted(table, language).values())
    table.carried_out(force=True)
    bodies = posted(table, language)
    if troops == 6:
        assert not any(announced in body for body in bodies.values()), "who must retreat is not fought again"
        table.carried_out(force=True)
        bodies = posted(table, language)
    told = lapsed.format(FOUGHT[language], ENDS[language][troops == 2])
    assert all(told in body for body in bodies.values())
    assert all(body.index("Karl von Lothringen") < body.index(told) for body in bodies.values()), "first why"
    assert not any(lapsed.partition("{}")[0] in body for body in posted(table, language).values())


UNUSED = {
    "en": (
        "New orders replace your orders of entry 6 entirely.",
        " Unused in them so far: France (`battles`).",
        " Their plans count until then: France.",
    ),
    "de": (
        "Neue Befehle ersetzen die aus Eintrag 6 ganz.",
        " Darin noch unbenutzt: Frankreich (`battles`).",
        " Pläne darin gelten bis dahin weiter: Frankreich.",
    ),
    "es": (
        "Las órdenes nuevas reemplazan por completo las de la entrada 6.",
        " Quedan en ellas sin usar: Francia (`battles`).",
        " Sus planes siguen contando hasta entonces: Francia.",
    ),
    "it": (
        "I nuovi ordini prendono per intero il posto di quelli della voce 6 del registro.",
        " Vi restano non usati: Francia (`battles`).",
        " I loro piani valgono fino ad allora: Francia.",
    ),
}

NOT_AHEAD = {
    "en": "New orders replace your orders of entry {}, but not what these order ahead.",
    "de": "Neue Befehle ersetzen die aus Eintrag {}, aber nicht die Befehle im Voraus.",
    "es": "Las órdenes nuevas reemplazan las de la entrada {}, pero no lo ordenado por adelantado.",
    "it": "I nuovi ordini prendono il posto di quelli della voce {} del registro, ma non di quelli in anticipo.",
}


def sheets_of(table: SimulatedTable, seat: str, language: str) -> list[str]:
    """Both sheets of a seat, each on one line."""
    with table.open() as campaign:
        sheets = sheet_texts(briefings(campaign)[seat], language)[:2]
    return [" ".join(each.replace("\n", " ").replace(" # ", " ").split()) for each in sheets]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("more", [{}, {"Traun": "Cosel, 3"}], ids=["plans", "attacks"])
def test_orders_that_new_ones_would_replace_are_named_beside_the_question(
    tmp_path: Path, language: str, more: dict[str, str]
) -> None:
    """Attacks are named only while a choice between them is left."""
    table = two_battles(tmp_path / "campaign", 6, more)
    attacks = ["Krakau > Olkusz", "Gleiwitz > Cosel", "Gleiwitz > Olkusz"]
    plan = {"for": "battle", "when": {"theirs": "12 or more"}, "tactic": "decline"}
    table.send(table.letter("louis", {"france": {"battles": attacks, "plans": [plan]}}))
    replaced, unused, planned = UNUSED[language]
    told = replaced + (unused if more else "") + planned
    assert not any(told in sheet for sheet in sheets_of(table, "louis", language)), "nothing of them is used"
    table.carried_out()
    table.carried_out(force=True)
    sheets = sheets_of(table, "louis", language)
    assert all("retreat:" in sheet and told in sheet for sheet in sheets), sheets
    table.send(table.letter("louis", {"france": {"retreat": "Czenstochau, Lublinitz"}}))
    table.carried_out()
    with table.open() as campaign:
        assert all(each.orders.unused is None for each in briefings(campaign).values())


BEATING = """\
game: friedrich
turn: 2
stage: prussia
phase: combat
begun: yes
battles: [Bautzen > Löbau]
pieces: {Heinrich: "Bautzen, 8", Browne: "Löbau, 5", Karl: off, Daun: off, Laudon: off}
hands: {austria: []}
"""


def test_orders_ahead_are_said_to_outlast_the_rest_of_their_letter(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=BEATING, game="friedrich").begun()
    orders: Any = {
        "prussia": {"battles": ["Bautzen > Löbau"], "plans": [{"for": "battle", "tactic": "decline"}]},
        "hanover": {"ahead": {"stage": "2/hanover", "move": []}},
    }
    entry = table.send(table.letter("frederick", orders)).entry
    table.carried_out(force=True)
    for language in languages():
        assert all(NOT_AHEAD[language].format(entry) in sheet for sheet in sheets_of(table, "frederick", language))
    receipt = table.send(table.letter("frederick", {"prussia": {}}))
    assert [words_in_language(fault.message, ENGLISH) for fault in receipt.verdict.faults] == [
        f"the plans in entry {entry} no longer count (Prussia), but what it orders ahead does:"
        " this letter takes the place of the rest"
    ]
