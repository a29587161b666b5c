"""Answers of plans and of orders ahead: the body says in words what was answered for the reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import asdict

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.play.resolving import PlanAnswer
from pbem.engine import decisions as d
from pbem.engine.field import OFF
from pbem.engine.nouns import Suit
from pbem.faults.nouns import nouns
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import (
    ChooseTrump,
    Consent,
    HussarPlacement,
    NameTrump,
    OfferPeace,
    PlaceHussars,
    Vote,
    Votes,
)
from pbem.kit import part
from pbem.paper.library import GamePaper
from pbem.report.language.templates import languages
from pbem.report.letters.plan_words import AnsweredInWords, answers_in_words, marches_in_words
from pbem.report.letters.report import report_data
from pbem.resources import games
from pbem.seal.canonical import Tree
from tests import play
from tests.campaign.fights import PLAYER, begin
from tests.campaign.simulated import SimulatedTable
from tests.report import script
from tests.report.plain import body_text

PLAYED, BACK, NO_PEACE, VOTES = (
    {"en": "battle", "de": "Schlacht", "es": "batalla", "it": "battaglia"},
    {"en": "retreat", "de": "Rückzug", "es": "retirada", "it": "ritirata"},
    {"en": "no", "de": "nein", "es": "no", "it": "no"},
    {"en": "Charles Albert 2", "de": "Karl Albrecht 2", "es": "Carlos Alberto 2", "it": "Carlo Alberto 2"},
)
STOPPED = {"en": "stop", "de": "Schlacht aufgegeben", "es": "batalla abandonada", "it": "battaglia abbandonata"}


@pytest.mark.parametrize("language", languages())
def test_every_section_of_orders_has_a_name(language: str) -> None:
    for game in games():
        for row in part(game, "paper", GamePaper).sections:
            assert nouns(language)["sections"][row.name]


@pytest.mark.parametrize("language", languages())
def test_answers_are_told_in_words_and_those_of_one_battle_together(language: str) -> None:
    table = play.start(Terms(), 1)[0]
    hand = script.cards("♥3", "♥8")
    asked = d.PlayCard("prussia", -1, Suit(2), hand, must=False)
    said = [
        PlanAnswer("frederick", asked, d.Play(hand[0]), False),
        PlanAnswer("frederick", asked, d.Stop(), False),
        PlanAnswer(
            "frederick",
            d.ChooseRetreat("prussia", (script.TRAUN,), script.city("Glatz"), 2, (script.city("Nachod"),)),
            d.RetreatAlong(script.way("Reichenau", "Nachod")),
            False,
        ),
        PlanAnswer("maria-theresa", PlaceHussars("austria", (OFF, OFF), ()), HussarPlacement((OFF, OFF)), False),
        PlanAnswer("frederick", OfferPeace("prussia"), Consent(yes=False), False),
        PlanAnswer("frederick", Vote("prussia", 2), Votes(2), False),
        PlanAnswer("frederick", d.March("prussia", (), {}), d.Done(), True),
        PlanAnswer("frederick", d.Recruit("prussia", hand, {}, {}), d.Recruitment(), False),
        PlanAnswer("maria-theresa", ChooseTrump("austria"), NameTrump(Suit(3)), False),
    ]
    battle, back, hussars, peace, vote, march, recruits, trump = answers_in_words(table, said, language)
    assert battle == AnsweredInWords("prussia", False, "play", PLAYED[language], ["♥3", STOPPED[language]])
    assert (back.section, len(back.said)) == (BACK[language], 1)
    assert hussars.said == [nouns(language)["answers"]["all off"]], "both hussars go there"
    assert peace.said == [NO_PEACE[language]]
    assert vote.said == [VOTES[language]]
    assert (march.is_ahead, march.section, march.said) == (True, nouns(language)["answers"]["no march"], [])
    assert trump.said == ["♠"]
    assert (recruits.section, recruits.said) == (nouns(language)["answers"]["no recruits"], [])


def test_marches_ahead_are_told_in_words_if_nothing_else_is_ordered() -> None:
    marches: list[Tree] = [{"Traun": "Passau"}, {"austria train 1": "Linz, Wels"}]
    assert marches_in_words({"move": marches}, "en") == "Traun → Passau; Austria's train\xa01 → Linz, Wels."
    for other in ({"move": marches, "when": "yes"}, {"move": []}, {"move": [{"Traun": ["Passau"]}]}, {"else": "hold"}):
        assert marches_in_words(other, "en") == ""


ALLOTTED = {
    "en": "Bavaria and France allot their troops.",
    "de": "Bayern und Frankreich verteilen die Truppen.",
    "es": "Baviera y Francia reparten sus tropas.",
    "it": "la Baviera e la Francia assegnano le loro truppe.",
}


@pytest.mark.parametrize("language", languages())
def test_a_plan_that_has_played_is_told_to_its_player_alone(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    troops = {power: {"plans": [{"for": "allot", "give": "even"}]} for power in ("france", "bavaria")}
    table.send(table.other_letter("louis", "plan", {"orders": troops}))
    with table.open() as campaign:
        table.round(campaign)
        told = {seat: body_text(report_data(in_language(each, language))) for seat, each in briefings(campaign).items()}
    wanted = ALLOTTED[language]
    bodies = {seat: " ".join(body.split()) for seat, body in told.items()}
    assert [seat for seat, body in bodies.items() if wanted in body] == ["louis"], bodies


EVEN = {
    "en": "do not come into play: by your plan 15 of the 26. Line 1 of your plans for France allocates the 26 thus:",
    "de": "nach deinem Plan 15 von 26. Zeile 1 deiner Pläne für Frankreich verteilt die 26 Truppen so:",
    "es": "no entran en juego: según tu plan, 15 de las 26. La línea 1 de tus planes para Francia reparte las 26 así:",
    "it": "(15 su 26 secondo il tuo piano) non entrano in gioco. La riga 1 dei tuoi piani per la Francia assegna:",
}


@pytest.mark.parametrize("language", languages())
def test_a_plan_that_will_allot_troops_is_told_with_the_troops_and_the_exact_loss(
    tmp_path: Path, language: str
) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    even: dict[str, Tree] = {"france": {"plans": [{"for": "allot", "give": "even"}]}}
    table.send(table.other_letter("louis", "plan", {"orders": even}))
    with table.open() as campaign:
        told = report_data(in_language(briefings(campaign)["louis"], language)) | {"standing": "planned"}
    body = " ".join(body_text(told | {"is_asked": False}).split())
    assert f"{EVEN[language]} Moritz von Sachsen 7, Belle-Isle 6, Broglie 5, Maillebois 4, Noailles 4." in body


DONE = {
    "en": "Austria plays cards at Prag. Austria plays no card at Olmütz and chooses the retreat of Traun."
    " Austria fights the attack from Prag on Tabor next and plays cards. Austria"
    " leaves its hussars off the map and answers “election” with no",
    "de": "Österreich spielt bei Prag Karten. Österreich spielt bei Olmütz keine Karte und wählt den Rückzug für Traun."
    " Österreich wählt als nächste Schlacht den Angriff von Prag auf Tabor und spielt Karten. Österreich lässt"
    " die Husaren neben dem Spielplan und beantwortet „Kaiserwahl“ mit nein",
    "es": "Austria juega cartas en Prag. Austria no juega ninguna carta en Olmütz y elige la retirada de Traun."
    " Austria resuelve a continuación el ataque desde Prag contra Tabor y juega cartas. Austria deja sus húsares fuera"
    " del mapa y responde a «elección» con no",
    "it": "Austria gioca carte a Prag. L'Austria non gioca carte a Olmütz e sceglie la ritirata di Traun. L'Austria"
    " risolve poi l'attacco da Prag contro Tabor e gioca carte. L'Austria tiene i suoi"
    " ussari fuori dalla mappa e risponde"
    " a «elezione» con no",
}


@pytest.mark.parametrize("language", languages())
def test_what_plans_did_is_told_with_verbs_and_with_the_battle_and_who_retreats(tmp_path: Path, language: str) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    names = nouns(language)
    stop, off = names["answers"]["stop"], names["answers"]["all off"]
    rows = (
        ("play", ["♣6", "R8", stop], "Prag", []),
        ("play", [stop], "Olmütz", []),
        ("retreat", ["Olmütz"], "", ["Traun"]),
        ("battles", ["Prag → Tabor"], "", []),
        ("play", ["♣7"], "Tabor", []),
        ("hussars", [off], "", []),
        ("vote", [names["answers"]["no"]], "", []),
    )
    given = [
        AnsweredInWords("austria", False, key, names["sections"][key], said, city, pieces)
        for key, said, city, pieces in rows
    ]
    body = " ".join(body_text(report_data(told) | {"answered": [asdict(each) for each in given]}).split())
    assert DONE[language] in body


SPENT = {
    "en": (
        "plays cards at Prag (no ♣ or Reserve was left).",
        "plays no card at Prag (had neither ♣ nor a Reserve).",
    ),
    "de": (
        "spielt bei Prag Karten (danach weder ♣ noch Reserve).",
        "spielt bei Prag keine Karte (hatte weder ♣ noch eine Reserve).",
    ),
    "es": (
        "juega cartas en Prag (se quedó sin ♣ ni Reservas).",
        "no juega ninguna carta en Prag (no tenía cartas de ♣ ni Reservas).",
    ),
    "it": (
        "gioca carte a Prag (restava senza ♣ e senza Reserve).",
        "non gioca carte a Prag (non aveva né carte di ♣ né Reserve).",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_who_had_no_card_left_is_not_said_to_have_stopped(tmp_path: Path, language: str) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    card = script.cards("♣6")[0]
    stops = [
        PlanAnswer("louis", d.PlayCard("austria", score, Suit(0), hand, must=False), answer, False)
        for score, hand, answer in ((-2, (card,), d.Play(card)), (-1, (), d.Stop()))
    ]
    for answers, words in zip((stops, stops[1:]), SPENT[language], strict=True):
        given = [asdict(each) for each in answers_in_words(told.table_in_play, answers, language)]
        assert [each["spent"] for each in given] == ["♣"]
        body = body_text(report_data(told) | {"answered": [{**given[0], "fight": "Prag"}]})
        assert words in " ".join(body.split())


def test_each_answer_of_a_plan_knows_its_battle_and_who_retreats(tmp_path: Path) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    fight.plan(PLAYER, {"for": "battle", "play": ["stop"], "standing": "yes"})
    fight.plan(fight.foe, {"for": "retreat", "towards": "trains", "standing": "yes"})
    fight.table.carried_out(force=True)
    told = {seat: " ".join(body_text(report_data(each)).split()) for seat, each in fight.news().items()}
    assert "Retreat to Cosel." in told[fight.foe], "told once, by the news"
    assert "Your plans answered: Austria plays no card at Olkusz." in told[PLAYER]
    assert "Your plans answered: France chooses the retreat of Karl von Lothringen." in told[fight.foe]


def test_a_retreat_is_asked_for_as_a_retreat(tmp_path: Path) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    for _ in range(3):
        with fight.table.open() as campaign:
            told = next(
                each for each in briefings(campaign).values() if each.orders.asked and each.players[each.reader]
            )
        if isinstance(told.orders.asked[0], d.ChooseRetreat):
            break
        fight.orders(told.reader, {"play": ["stop"]})
        fight.table.carried_out()
    for language in languages():
        heading = body_text(report_data(in_language(told, language))).split("\n==")[0]
        names = nouns(language)
        assert names["sections"]["retreat"] in heading, heading
        assert names["phases"]["combat"] not in heading


SWEDEN_NEXT = (
    "game: friedrich\nturn: 2\nstage: russia\nphase: movement\nbegun: yes\nowing: [russia]\n"
    "hands: {sweden: [♠6, ♠9], russia: []}\npieces: {Ehrensvärd: 'Stralsund, 2'}\n"
)


def test_what_is_ordered_ahead_and_carried_out_is_no_longer_to_come(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=SWEDEN_NEXT, game="friedrich").begun()
    marches: Tree = {"ahead": [{"stage": "2/sweden", "move": []}]}
    table.send(table.letter("elisabeth", {"russia": {"move": []}, "sweden": marches}))
    with table.open() as campaign:
        assert len(briefings(campaign)["elisabeth"].orders.to_come) == 1
    table.carried_out()
    with table.open() as campaign:
        news = briefings(campaign)["elisabeth"]
    assert [type(decision).__name__ for decision in news.orders.asked] == ["Levy"]
    assert (len(news.orders.ahead), news.orders.to_come) == (1, ())
    assert "Still ordered ahead" not in body_text(report_data(news))
