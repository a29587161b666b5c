"""The question on a subsidy: it tells what each power draws, and whoever decides it for two powers sees the cards of
both."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.engine.nouns import Power
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Subsidy
from pbem.games.maria.rules.events import SubsidyAgreed
from pbem.paper.library import load_rules
from pbem.paper.orders.trial import run
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts
from pbem.report.letters.sheet_lines import orders_of
from pbem.report.telling import question
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

POSITION = """\
turn: 4
stage: france
phase: cards
pieces: {Broglie: "Eger, 5"}
hands: {france: [d5, c9], bavaria: [h7], prussia: [s3]}
"""


def test_who_decides_on_a_subsidy_sees_the_cards_of_who_gets_it(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", position=POSITION).begun().open() as campaign:
        told = briefings(campaign)
    body = body_text(report_data(told["louis"]))
    assert "subsidy this turn" in " ".join(body.replace("#", " ").split())
    assert "- France: ♣ 9 · ♦ 5" in body
    assert "- Bavaria: ♥ 7" in body
    for reader in ("maria-theresa", "frederick"):
        assert "♥ 7" not in body_text(report_data(told[reader]))


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "de",
            "Mit `yes` zieht Frankreich 2 Karten und Bayern 2, wie in den Runden 1–3; mit `no` zieht Frankreich 3 und",
        ),
        (
            "en",
            "with `yes`, France draws 2 cards and Bavaria 2, as in turns 1–3; with `no`, France draws 3 and Bavaria 1",
        ),
        ("es", "con `yes`, Francia roba 2 cartas y Baviera 2, como en los turnos 1–3; con `no`, Francia roba 3"),
        (
            "it",
            "con `yes`, la Francia pesca 2 carte e la Baviera 2, come nei turni 1–3; con `no`, la Francia pesca 3 e",
        ),
    ],
)
def test_the_question_tells_how_many_cards_each_power_draws(language: str, told: str) -> None:
    rules = load_rules(Terms(scenario="introductory"))
    assert told in question(rules, Subsidy("france", "bavaria"), {}, language).replace("\N{NO-BREAK SPACE}", " ")


CONTRACTS = """\
scenario: advanced
turn: 4
stage: france
phase: movement
affairs: {contracts: [], offers: [{giver: prussia, receiver: france, turns: 2}]}
"""

ENDED = """\
scenario: advanced
turn: 3
stage: france
affairs: {contracts: [{giver: france, receiver: bavaria, turns: 1, fixed: yes}]}
"""

WAYS = {
    "en": (
        "Subsidy for Bavaria",
        "under `france`.",
        "accepts it, under `france`.",
        "at an end; allies can order a new one:",
    ),
    "de": ("Subsidien für Bayern", "unter `france`.", "nimmt es an, unter `france`.", "können einen neuen befehlen:"),
    "es": ("Subsidio para Baviera", "bajo `france`.", "lo acepta, bajo `france`.", "los aliados pueden acordar otro:"),
    "it": (
        "Sovvenzione per la Baviera",
        "sotto `france`.",
        "l'accetta, sotto `france`.",
        "possono ordinarne un altro:",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_sheets_and_news_tell_how_a_subsidy_is_renewed_and_the_order_is_carried_out(
    tmp_path: Path, language: str
) -> None:
    given, under, accepting, renewed = WAYS[language]
    with SimulatedTable(tmp_path / "open", scenario="advanced", position=CONTRACTS).begun().open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    for sheet in sheet_texts(told, language)[:2]:
        words = " ".join(sheet.replace("#", " ").split())
        assert given in words
        assert f"`subsidies: [{{to: bavaria, turns: 3}}]` {under}" in words
        assert f"`subsidies: [{{from: prussia, turns: 2, accept: yes}}]` {accepting}" in words
        assert words.count("`subsidies:") == 2, words
    lines: list[Tree] = [
        {"to": "bavaria", "turns": "3"},
        {"from": "prussia", "turns": "2", "accept": "yes"},
    ]
    after = run(told.table_in_play, orders_of(told.table_in_play, Power("france"), {"subsidies": lines}))
    assert not after.faults
    assert [type(event) for event in after.events] == [SubsidyAgreed, SubsidyAgreed]
    with SimulatedTable(tmp_path / "ended", scenario="advanced", position=ENDED).begun().open() as campaign:
        ended = briefings(campaign)
    for seat in ("louis", "frederick", "maria-theresa", "observer"):
        words = " ".join(body_text(report_data(in_language(ended[seat], language))).replace("#", " ").split())
        is_told = f"{renewed} `subsidies: [{{to: bavaria, turns: 3}}]` {under}" in words
        assert (is_told, "`subsidies: [{to: bavaria" in words) == (seat == "louis", seat == "louis"), seat
