"""Sheets for selecting a political card: examples that serve the power, and what each box in reach brings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.engine.combat import Duel
from pbem.engine.decisions import PlayCard
from pbem.engine.field import alter
from pbem.engine.nouns import Power, Suit
from pbem.faults.nouns import nouns
from pbem.games.maria.report.account import worth_knowing
from pbem.games.maria.report.position import at_stake
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import ChooseTrump, PlaceInfluence, Politics, SelectPolitics, ShiftSaxony
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import CorpsTask, ShiftTask, Table, affairs_of
from pbem.paper.documents.writing import on_one_line
from pbem.paper.orders.files import sections_of
from pbem.report.formats.pages import subject
from pbem.report.language.templates import languages
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import ROOM
from pbem.report.letters.sheet_lines import in_short
from pbem.report.telling import question
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

from .campaign_moments import told_at
from .test_position import ADVANCED, start, with_affairs

CHARLES_EMMANUEL = Political(4)


def with_markers() -> Table:
    """A table at which a political card is selected, with Saxony as Prussia's ally."""
    table, _ = start(ADVANCED, "golden")
    assert isinstance(table.rules, MariaRules)
    table.state.stage, table.state.phase = "politics", "selecting"
    affairs_of(table).tracks = {"saxony": 1, "russia": 1, "italy": 2}
    return table


@pytest.mark.parametrize(
    ("power", "shifts"),
    [
        ("prussia", {"italy": -1}),
        ("france", {"italy": -1}),
        ("austria", {"italy": 1, "saxony": 1}),
        ("pragmatic", {"italy": 1}),
    ],
)
def test_an_example_moves_markers_only_as_it_serves_the_power(power: Power, shifts: dict[str, int]) -> None:
    """Saxony under Prussia is no enemy of the Pragmatic Army."""
    decision = SelectPolitics(power, (CHARLES_EMMANUEL,), may_execute=True)
    assert worth_knowing(with_markers(), decision).answers == (Politics(CHARLES_EMMANUEL, shifts=shifts),)


def test_who_may_execute_no_card_discards_it() -> None:
    decision = SelectPolitics(Power("prussia"), (CHARLES_EMMANUEL,), may_execute=False)
    assert worth_knowing(with_markers(), decision).answers == (Politics(CHARLES_EMMANUEL),)


DISCARDED = Political(8)


def test_the_first_example_executes_something() -> None:
    table = with_markers()
    decision = SelectPolitics(Power("prussia"), (DISCARDED, CHARLES_EMMANUEL), may_execute=True)
    answers = worth_knowing(table, decision).answers
    assert [each.card for each in answers] == [CHARLES_EMMANUEL, DISCARDED]
    assert answers[0].shifts


def test_an_example_with_shifts_has_room_on_its_line() -> None:
    table = with_markers()
    decision = SelectPolitics(Power("prussia"), (CHARLES_EMMANUEL,), may_execute=True)
    (answer,) = worth_knowing(table, decision).answers
    told = in_short(sections_of(table, decision.power, decision, answer)["politics"])
    assert isinstance(told, dict)
    assert told.keys() == {"card", "shifts"}
    assert len(on_one_line(told)) <= ROOM


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Italy, if carried out: to box\xa02 (Austria's expedition; bad for Austria);"),
        ("de", "Italien, bei Ausführung: auf Feld\xa02 ("),
        ("es", "Italia, si se ejecuta: a la casilla\xa02 ("),
        ("it", "Italia, se eseguita: alla casella\xa02 ("),
    ],
)
def test_a_sheet_tells_what_each_box_in_reach_brings(language: str, told: str) -> None:
    table = with_markers()
    affairs_of(table).open = [CHARLES_EMMANUEL]
    for decision in (
        SelectPolitics(Power("prussia"), (CHARLES_EMMANUEL,), may_execute=True),
        PlaceInfluence(Power("prussia"), ()),
    ):
        lines = at_stake(table, decision, language)
        assert any(told.replace("\xa0", " ") in line.replace("\xa0", " ") for line in lines), lines


def test_who_names_trump_is_told_what_the_open_cards_do() -> None:
    table = with_markers()
    affairs_of(table).open = [CHARLES_EMMANUEL]
    (line,) = at_stake(table, ChooseTrump(Power("prussia")), "en")
    assert line.replace("\xa0", " ").startswith("“Charles Emmanuel” (4) for Prussia, France or Austria: Italy ↔1")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Influence: France 11 (♠2 and ♠9), Austria 16 (a Reserve)."),
        ("de", "Einfluss: Frankreich 11 (♠2 und ♠9), Österreich 16 (eine Reserve)."),
        ("es", "Influencia: Francia 11 (♠2 y ♠9), Austria 16 (una Reserva)."),
        ("it", "Influenza: Francia 11 (♠2 e ♠9), Austria 16 (una Reserve)."),
    ],
)
def test_who_places_influence_is_told_the_cards_that_lie_on_the_display_already(language: str, told: str) -> None:
    lines = at_stake(with_affairs(), PlaceInfluence(Power("prussia"), ()), language)
    assert told in [line.replace("\xa0", " ").replace("\u2060", "") for line in lines]


@pytest.mark.parametrize("language", languages())
def test_who_gives_out_troops_of_a_card_is_not_said_to_select_one(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        told = in_language(briefings(campaign)["frederick"], language)
    phases = nouns(language)["phases"]
    data: dict[str, Any] = report_data(told)
    for piece in data["position"]["blocks"][0]["line"]:
        piece["text"] = piece["text"].replace(phases["allotment"], phases["selecting"])
    (asked, *_) = data["asked"]
    recruits, selecting = phases["recruiting"], phases["selecting"]
    for section, (named, other) in {"recruit": (recruits, selecting), "politics": (selecting, recruits)}.items():
        head = " ".join(body_text(data | {"asked": [{**asked, "section": section}]}).split())[:200]
        assert (named in head, other in head) == (True, False), head


@pytest.mark.parametrize("language", languages())
def test_all_are_told_that_an_expedition_corps_is_awaited(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        table = with_markers()
        table.state.tasks = [CorpsTask(Power("austria"))]
        told = [told_at(each, table, each.powers, seat) for seat, each in briefings(campaign).items() if each.powers]
    names = nouns(language)
    for each in told:
        data: dict[str, Any] = report_data(in_language(each, language))
        head = " ".join(body_text(data).split())[:200]
        assert (names["sections"]["corps"] in head, names["phases"]["selecting"] in head) == (True, False), head
        is_named = names["sections"]["corps"] in subject(data)
        assert is_named == (each.reader == "maria-theresa"), subject(data)


def saxons_beaten(markers: int) -> tuple[Table, PlayCard]:
    """A combat in which 5 Saxons are at −3 against Austrians. Prussia has `markers` in its battle boxes."""
    table = with_markers()
    rules, field = table.rules.common, table.state.field
    cities = [rules.board.index[name] for name in ("Beraun", "Prag")]
    for power, city, troops in ((Power("saxony"), cities[0], 5), (Power("austria"), cities[1], 8)):
        alter(field, rules.generals(power)[0], city=city, troops=troops)
    table.state.duel = Duel(cities[0], cities[1], Power("saxony"), Power("austria"), -3, "attacker")
    affairs_of(table).battle[Power("prussia")] = markers
    return table, PlayCard(Power("saxony"), -3, Suit(2), (), must=False)


@pytest.mark.parametrize(
    ("language", "markers", "told"),
    [
        ("en", 1, "If Saxony stops: Austria puts 1 victory marker into its battle boxes. "
         "Prussia takes 1 victory marker back from its battle boxes. Austria may move "
         "Saxony's marker 1 box to the right, for the points that were lost."),
        ("en", 0, "If Saxony stops: Austria puts 1 victory marker into its battle boxes. Austria may move"),
        ("de", 1, "Wenn Sachsen die Schlacht aufgibt: Österreich legt 1 Siegmarker"),
        ("es", 1, "Si Sajonia abandona la batalla: Austria"),
        ("it", 1, "Se la Sassonia abbandona la battaglia: L'Austria"),
    ],
)  # fmt: skip
def test_who_may_stop_is_told_the_markers_and_the_side_that_a_defeat_costs(
    language: str, markers: int, told: str
) -> None:
    lines = at_stake(*saxons_beaten(markers), language)
    plain = [line.replace("\xa0", " ") for line in lines]
    assert plain[0].startswith(told), plain
    assert plain[1:] == [line.replace("\xa0", " ") for line in shifted(1, language)]


def test_who_wins_or_must_play_is_told_of_no_defeat() -> None:
    table, asked = saxons_beaten(1)
    assert not at_stake(table, replace(asked, score=2), "en")
    assert not at_stake(table, replace(asked, must=True), "en")


def shifted(steps: int, language: str) -> tuple[str, ...]:
    return at_stake(with_markers(), ShiftSaxony(Power("austria"), steps), language)


@pytest.mark.parametrize(
    ("language", "steps", "told"),
    [
        ("en", 1, "Saxony: to box 3 (neutral; bad for Prussia). Saxony is neutral then: Maria Theresa (Austria) "
         "leads it and has its cards; its pieces on the map return to their set-up cities, foreign pieces leave its "
         "land, and victory markers there go back."),
        ("en", 3, "Saxony: to box 5 (Austria's ally, Saxony +1 card a turn; good for Saxony and Austria, bad for "
         "Prussia). Saxony is Austria's ally then: Maria Theresa (Austria) leads it and has its cards; its pieces stay "
         "where they are."),
        ("de", 1, "Sachsen: auf Feld 3 (neutral; schlecht für Preußen). Sachsen ist dann neutral: Maria Theresia"),
        ("es", 1, "Sajonia: a la casilla 3 (neutral; desventaja para Prusia). Sajonia es entonces neutral: la dirige"),
        ("it", 1, "Sassonia: alla casella 3 (neutrale; svantaggio per la Prussia). La Sassonia è allora neutrale: la"),
    ],
)  # fmt: skip
def test_who_may_move_saxonys_marker_is_told_what_it_brings(language: str, steps: int, told: str) -> None:
    lines = " ".join(shifted(steps, language)).replace("\xa0", " ")
    assert lines.startswith(told), lines


@pytest.mark.parametrize("language", languages())
def test_the_subject_names_saxonys_marker(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        table = with_markers()
        table.state.tasks = [ShiftTask(Power("austria"), 1)]
        (told,) = (
            told_at(each, table, each.powers, seat)
            for seat, each in briefings(campaign).items()
            if seat == "maria-theresa"
        )
    named = in_language(told, language)
    assert nouns(language)["sections"]["shift"] in subject(report_data(named))


INSTRUCTION = {
    "en": "`instruction: yes` carries out what the card says, `no` leaves it out; a card with neither",
    "de": "`instruction: yes` führt aus, was auf der Karte steht, `no` lässt es weg; eine Karte ohne",
    "es": "`instruction: yes` ejecuta lo que dice la carta; `no`, no.",
    "it": "`instruction: yes` esegue ciò che dice la carta, `no` lo tralascia; una carta senza",
}


SUM_OF_SHIFTS = {
    "en": "The markers move once the selecting is over, each by the sum of its shifts; 1 is a step to",
    "de": "Die Marker rücken erst nach der letzten Wahl, jeder um die Summe seiner Verschiebungen; 1 ist",
    "es": "Los marcadores se desplazan tras la última selección, cada uno según la suma de sus desplazamientos; 1",
    "it": "I segnalini si spostano dopo l'ultima scelta, ciascuno della somma dei suoi spostamenti; 1 è un passo a",
}


@pytest.mark.parametrize("language", languages())
def test_cards_with_arrows_are_said_to_move_markers_once_all_have_selected(language: str) -> None:
    rules = with_markers().rules
    naples = 3
    without = next(card.number for card in rules.politics.cards if card.effects and not card.shifts)
    for cards, has_one in (((naples,), True), ((without,), False), ((naples, without), True)):
        for may_execute in (True, False):
            decision = SelectPolitics(Power("austria"), cards, may_execute=may_execute)
            said = question(rules, decision, {}, language, {"brief": True})
            assert (SUM_OF_SHIFTS[language] in said) == (has_one and may_execute), said


COUNTING = {
    "en": "Of the cards placed this turn only those of that suit count, and a Reserve as 16.",
    "de": "Von den Karten dieser Runde zählen nur die in dieser Farbe, und eine Reserve als 16.",
    "es": "De las cartas colocadas este turno solo cuentan las de ese palo, y una Reserva como 16.",
    "it": "Delle carte piazzate in questo turno contano solo quelle di quel seme, e una Reserve come 16.",
}


@pytest.mark.parametrize("language", languages())
def test_who_names_the_trump_is_told_which_cards_it_makes_count(language: str) -> None:
    said = question(with_markers().rules, ChooseTrump(Power("austria")), {}, language, {"brief": True})
    assert COUNTING[language] in said, said


@pytest.mark.parametrize("language", languages())
def test_only_a_card_with_an_instruction_is_said_to_have_one(language: str) -> None:
    rules = with_markers().rules
    denmark, naples = 6, 3
    for cards, has_one in (((naples,), False), ((denmark,), True), ((naples, denmark), True)):
        decision = SelectPolitics(Power("austria"), cards, may_execute=True)
        said = question(rules, decision, {}, language, {"brief": True})
        assert (INSTRUCTION[language] in said, "`shifts`" in said) == (has_one, True), said
