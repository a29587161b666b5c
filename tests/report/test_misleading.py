"""Sentences of reports, reminders and invitations that readers would act on: they hold for the reader who gets them."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.campaign.clock.clock import Bank, Clock, parse_moment
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.play import rulings
from pbem.campaign.settings import MODERATOR, Conduct
from pbem.engine.cards import card_of
from pbem.engine.conquest import settle_questions
from pbem.engine.decisions import ChooseRetreat, Pairing
from pbem.engine.events import BattleJoined, CardPlayed, Conquered, HussarRemoved, Retreated
from pbem.engine.field import OFF, alter, mark, stack_at
from pbem.engine.nouns import Hussar, Power, Suit
from pbem.faults.nouns import nouns
from pbem.faults.wrong import rows, wrong
from pbem.games.friedrich.rules import recruiting
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects, Threat
from pbem.report.formats.pages import subject
from pbem.report.language.templates import languages, lead_in_words, wrap_paragraph
from pbem.report.letters.dangers import MOST_LINES, Dangers, danger_lines
from pbem.report.letters.invitations import invitation_data, reminder_data
from pbem.report.letters.reader import marches_follow
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import question_for
from pbem.report.letters.supply_ahead import is_test_to_come
from pbem.report.retreats import retreat_ends
from pbem.report.stacks import Stack
from tests.campaign.fights import begin
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text, letter_text


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign whose default orders answer for the late."""
    clock = Clock(at_deadline="hold", grace="24h")
    return SimulatedTable(
        tmp_path_factory.mktemp("misleading") / "campaign", clock=clock, scenario="introductory"
    ).begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def drafted(table: SimulatedTable) -> None:
    """Frederick sends a draft that answers everything."""
    with table.open() as campaign:
        orders = table.players["frederick"].decide(campaign.state)
    table.send(table.letter("frederick", orders, final=False))


DRAFT = {
    "en": ("Your draft counts at the deadline", "Your draft (entry 6): `{prussia: {allot: ", "the default orders"),
    "de": ("Dein Entwurf gilt mit Ablauf der Frist", "Dein Entwurf (Eintrag 6): `{prussia: {allot: ", "Ersatzbefehle"),
    "es": ("Tu borrador vale cuando acabe el plazo", "Tu borrador (entrada 6): `{prussia: {allot: ", "por defecto"),
    "it": ("La tua bozza vale alla scadenza", "La tua bozza (voce 6): `{prussia: {allot: ", "ordini predefiniti"),
}


@pytest.mark.parametrize("language", languages())
def test_a_draft_is_said_to_count_at_the_deadline_and_shown(table: SimulatedTable, language: str) -> None:
    counts, shown, default = DRAFT[language]
    with table.open() as campaign:
        before = flat(body_text(report_data(in_language(briefings(campaign)["frederick"], language))))
    assert default in before
    drafted(table)
    with table.open() as campaign:
        told = briefings(campaign)
        body = flat(body_text(report_data(in_language(told["frederick"], language))))
        reminder = Reminder("frederick", "before", campaign.now, "draft", ("prussia", "saxony"))
        data = reminder_data(campaign, reminder) | {"language": language}
    assert counts in body
    assert shown in body
    assert default not in body
    assert default not in flat(letter_text(data))
    assert told["louis"].orders.draft == {}


LATE_UNTIL = {
    "en": ("Late orders are taken until", "default orders answer"),
    "de": ("Nachfrist bis", "gelten die Ersatzbefehle"),
    "es": ("Las órdenes con retraso se aceptan hasta el", "se aplican las órdenes por defecto"),
    "it": ("Gli ordini in ritardo si accettano fino a", "rispondono gli ordini predefiniti"),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("occasion", ["before", "deadline", "late"])
def test_a_reminder_says_until_when_and_what_follows(table: SimulatedTable, language: str, occasion: Any) -> None:
    with table.open() as campaign:
        reminder = Reminder("louis", occasion, campaign.now, "none yet", ("france",))
        data: dict[str, Any] = reminder_data(campaign, reminder) | {"language": language}
    until, follows = LATE_UNTIL[language]
    text = flat(letter_text(data))
    assert until in text
    assert follows in text
    assert (data["late_until"]["day"], data["late_until"]["time"]) == (data["deadline"]["day"] + 1, "20:00")


DRAWN = (
    {"en": "Until", "de": "Nun", "es": "Hasta", "it": "Finché"},
    {"en": "From then on, until", "de": "Von da an", "es": "Desde entonces, y hasta", "it": "Da allora, finché"},
)
BANKED = {
    "en": "{} your letter comes, time is drawn from your bank: 3 days left.",
    "de": "{} geht, bis dein Brief kommt, die Zeit von deinem Zeitkonto ab: noch 3 Tage.",
    "es": "{} que llegue tu envío, se gasta tu reserva de tiempo (ahora, 3 días).",
    "it": "{} la tua lettera non arriva, si consuma la tua riserva di tempo: restano 3 giorni.",
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("occasion", ["before", "deadline", "late"])
def test_a_reminder_says_until_when_a_bank_of_time_lasts(tmp_path: Path, language: str, occasion: Any) -> None:
    clock = Clock(at_deadline="hold", grace="24h", bank=Bank("3d", "1d", "9d"))
    table = SimulatedTable(tmp_path / "campaign", clock=clock, scenario="introductory").begun()
    with table.open() as campaign:
        deadline = parse_moment(campaign.public.deadline)
        reminder = Reminder("louis", occasion, deadline, "none yet", ("france",))
        data: dict[str, Any] = reminder_data(campaign, reminder) | {"language": language}
    assert (data["late_until"]["day"], data["late_until"]["time"]) == (data["deadline"]["day"] + 4, "20:00")
    until, follows = LATE_UNTIL[language]
    text = flat(letter_text(data))
    told = BANKED[language].format(DRAWN[occasion == "before"][language])
    assert f"{told} {until}" in text, "the date stands beside what draws on the bank"
    assert follows in text[text.index(told) :]


BATTLE = {
    "en": "France (battle).",
    "de": "Frankreich (Schlacht).",
    "es": "Francia (batalla).",
    "it": "Francia (battaglia)",
}


@pytest.mark.parametrize("language", languages())
def test_what_is_missing_is_told_with_its_section(tmp_path: Path, language: str) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=2)
    with fight.table.open() as campaign:
        reminded: dict[str, Any] = reminder_data(
            campaign, Reminder("louis", "before", campaign.now, "draft", ("france",))
        )
    receipt = fight.table.send(fight.orders_text("louis", {"move": []}))
    assert receipt.status == "partial"
    with fight.table.open() as campaign:
        answered: dict[str, Any] = receipt_data(campaign, receipt)
    for data in (reminded, reminded | {"why": "none yet"}, answered):
        assert data["sections"] == {"france": "play"}
        assert BATTLE[language] in flat(letter_text(data | {"language": language}))


SENDING = {
    "en": ("change them or not, sign and send them", "send them changed, or unchanged as a file"),
    "de": ("ändern oder nicht, signieren, abschicken", "geändert schicken, oder unverändert als Datei"),
    "es": ("cámbialas o déjalas así, firma y envía", "envíalas con cambios, o tal cual como archivo"),
    "it": ("modificali o lasciali così, poi firma e invia", "inviali con le tue modifiche, o senza come file"),
}


@pytest.mark.parametrize("language", languages())
def test_a_body_that_asks_says_how_to_answer(table: SimulatedTable, language: str) -> None:
    table.play(1)
    with table.open() as campaign:
        assert campaign.public.next
        told = in_language(briefings(campaign)[next(iter(campaign.public.next.owing))], language)
    unsigned = replace(told, key="", settings=replace(told.settings, conduct=Conduct(signing="off")))
    for each, words in zip((told, unsigned), SENDING[language], strict=True):
        assert f"(`orders.yaml`): {words}\n" in body_text(report_data(each))


FILLING = {
    "en": "(`orders.yaml`): to activate a line `# -`, delete its first `# `",
    "de": "(`orders.yaml`): Damit eine Zeile gilt, mach aus `# -` ein `-`",
    "es": "(`orders.yaml`): activa una línea `# -` borrando su `# ` inicial",
    "it": "(`orders.yaml`): attiva una riga `# -` togliendo il primo `# `",
}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_of_lines_to_choose_from_says_how_to_fill_it_in_whenever_it_comes(
    table: SimulatedTable, language: str
) -> None:
    table.play(2)
    with table.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    orders = replace(told.orders, has_sealed=False)
    data = report_data(
        replace(told, key="", orders=orders, settings=replace(told.settings, conduct=Conduct(signing="off")))
    )
    assert FILLING[language] in flat(body_text(data))


HAS = {
    "en": "You have (without Prussia, whose turn it is not):",
    "de": "Du hast (ohne Preußen, das jetzt nicht am Zug ist):",
    "es": "Tienes (sin contar Prusia, que ahora no actúa):",
    "it": "Hai (senza la Prussia, a cui ora non tocca):",
}
HANOVER_MOVES = """\
game: friedrich
turn: 2
stage: hanover
phase: movement
begun: yes
owing: [hanover]
pieces: {Friedrich: "Oschatz, 2", Ferdinand: "Stade, 4", Cumberland: "Verden, 4"}
hands: {hanover: [♠5, ♥9]}
"""


@pytest.mark.parametrize("language", languages())
def test_a_body_names_the_powers_whose_cards_and_pieces_it_leaves_out(tmp_path: Path, language: str) -> None:
    friedrich = SimulatedTable(tmp_path / "friedrich", game="friedrich", position=HANOVER_MOVES).begun()
    with friedrich.open() as campaign:
        assert f"\n{HAS[language]}\n" in body_text(report_data(in_language(briefings(campaign)["frederick"], language)))
    left = HANOVER_MOVES.replace("stage: hanover", "stage: russia").replace("[hanover]", "[russia]").split("pieces:")[0]
    left += "fate: {out: [16], quit: [sweden]}\n"
    with SimulatedTable(tmp_path / "left", game="friedrich", position=left).begun().open() as campaign:
        told = report_data(in_language(briefings(campaign)["elisabeth"], language))
    assert f"\n{HAS[language].partition(' (')[0]}:\n" in body_text(told), "the other power has left the game"
    table = SimulatedTable(tmp_path / "maria", scenario="introductory").begun()
    with table.open() as campaign:
        told = report_data(in_language(briefings(campaign)["frederick"], language))
    assert HAS[language].partition(" (")[0] + ":" in body_text(told), "both powers are asked"


@pytest.mark.parametrize("language", languages())
def test_a_report_before_the_deadline_is_set_has_no_line_for_a_date(table: SimulatedTable, language: str) -> None:
    table.play(2)
    with table.open() as campaign:
        every = briefings(campaign)
    for told in every.values():
        undated = report_data(replace(in_language(told, language), deadline=None))
        lines = flat(body_text(undated).split("\n\n")[0].replace("\n", " ¶ "))
        assert not re.search(r"(?:^|¶ |, )(?:Reply by|Bis|bis|until|Plazo:|hasta el|Entro|fino a) ?[.,;]", lines), lines


RECRUITING = {
    "en": ("At most {}: all others are in play already.", "1 troop", "for these cards at most 1"),
    "de": ("Höchstens {}, denn alle anderen sind schon im Spiel.", "1 Truppe", "für diese Karten höchstens 1"),
    "es": ("Como mucho {}: las demás ya están en juego.", "1 tropa", "con estas cartas, 1 como mucho"),
    "it": ("Al massimo {}: tutte le altre sono già in gioco.", "1 truppa", "con queste carte al massimo 1"),
}


@pytest.mark.parametrize("language", languages())
def test_a_question_of_recruits_says_why_there_are_no_more_and_a_refusal_knows_no_plural(
    tmp_path: Path, language: str
) -> None:
    with SimulatedTable(tmp_path / "friedrich", game="friedrich", position=HANOVER_MOVES).begun().open() as campaign:
        table = copy_of(briefings(campaign)["frederick"].table_in_play)
    levy = replace(recruiting.decision(table, "hanover"), most=1)
    said, counted, most = RECRUITING[language]
    question = question_for(table, levy, language).replace("\u00a0", " ")
    assert said.format(counted) in question

    assert rows(language)["E-RECRUIT-PRICE"].hint.format(most=1) == most


STOOD = {
    "en": ("How it stood", "Prussia holds 2 of the 12"),
    "de": ("So stand es am Ende", "Preußen hält 2 der 12"),
    "es": ("Así quedó", "Prusia controla 2 de las 12"),
    "it": ("Com'è finita", "La Prussia ha 2 delle 12"),
}


@pytest.mark.parametrize("language", languages())
def test_the_closing_mail_has_the_hash_and_the_standings(table: SimulatedTable, language: str) -> None:
    table.close("far enough")
    with table.open() as campaign:
        data = report_data(in_language(briefings(campaign)["louis"], language))
        head = campaign.vault.hash
    body = body_text(data)
    assert f"    {head}\n" in body
    assert letter_text(data).count(head) == 1
    for words in STOOD[language]:
        assert words in flat(body)


BACK = {
    "en": ("everybody is asked anew", "Undone: ", "Asked anew: "),
    "de": ("alle werden neu gefragt", "Ungeschehen: ", "Neu gefragt: "),
    "es": ("se pregunta de nuevo a todos", "Queda anulado: ", "Se pregunta de nuevo: "),
    "it": ("si chiede di nuovo a tutti", "Annullato: ", "Si chiede di nuovo: "),
}


def test_a_rollback_names_what_is_undone_and_who_is_asked(table: SimulatedTable) -> None:
    table.play(1)
    with table.open() as campaign:
        to = campaign.vault.entry
        campaign.vault.posted = campaign.state.snapshot()
        assert campaign.public.next
        stage, asked = campaign.public.next.stage, list(campaign.public.next.owing)
        campaign.save()
    table.play(1)
    with table.open() as campaign:
        rulings.rollback(campaign, to, "the wrong map")
        told = briefings(campaign)
        campaign.save()
    data: dict[str, Any] = report_data(told["louis"])
    (note,) = [each for each in data["notes"] if each["kind"] == "rollback"]
    assert (note["undone"], note["withdrawn"], note["asked"]) == ([stage], asked, asked)
    for language in languages():
        for each in told.values():
            body = flat(letter_text(report_data(in_language(each, language))))
            everybody, undone, anew = BACK[language]
            assert everybody not in body
            assert undone in body
            assert anew in body


MOVED = {
    "en": "What is asked later, even in the same stage, has a deadline of its own.",
    "de": "Was später gefragt wird, auch im selben Zug, hat eine eigene Frist.",
    "es": "Lo que se pregunte después, aun en la misma etapa, tiene su propio plazo.",
    "it": "Ciò che si chiede dopo, anche nella stessa fase, ha una scadenza propria.",
}


@pytest.mark.parametrize("language", languages())
def test_more_time_is_said_to_be_for_what_is_asked_now(table: SimulatedTable, language: str) -> None:
    with table.open() as campaign:
        rulings.extend(campaign, campaign.now + timedelta(days=9), "everybody is hunting")
        body = flat(body_text(report_data(in_language(briefings(campaign)["louis"], language))))
    assert MOVED[language] in body


INVITED = {
    "en": ("ask the moderator for the page", "No date is set for your answer"),
    "de": ("die Seite, die dir der Spielleiter auf Wunsch schickt", "Für deine Antwort gibt es keine Frist"),
    "es": ("la página, que te manda el moderador si se la pides", "Tu respuesta no tiene fecha límite"),
    "it": ("la pagina che il moderatore ti manda se gliela chiedi", "La tua risposta non ha scadenza"),
}


@pytest.mark.parametrize("language", languages())
def test_an_invitation_says_where_the_page_is_from_and_when_the_game_begins(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="introductory").open() as campaign:
        data = invitation_data(campaign.public, "louis", language=language)
    text = flat(letter_text(data))
    assert all(words in text for words in INVITED[language])


@pytest.fixture(scope="module")
def retreating(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Briefing]:
    """Briefings of everybody while a retreat is awaited."""
    fight = begin(tmp_path_factory.mktemp("retreat") / "campaign", "maria", score=-2)
    for _ in range(3):
        with fight.table.open() as campaign:
            told = briefings(campaign)
        each = next(each for each in told.values() if each.orders.asked and each.players[each.reader])
        if isinstance(each.orders.asked[0], ChooseRetreat):
            return told
        fight.orders(each.reader, {"play": ["stop"]})
        fight.table.carried_out()
    raise AssertionError("nobody retreats")


FALLS = {
    "en": ("As things stand, Neisse falls if it ends in Lublinitz or Groß Strehlitz.", "Linz falls in any case."),
    "de": (
        "Nach Lage der Dinge fällt Neisse, wenn er in Lublinitz oder Groß Strehlitz endet.",
        "fällt Linz auf jeden Fall.",
    ),
    "es": (
        "Tal como están las cosas, Neisse cae si acaba en Lublinitz o Groß Strehlitz.",
        "Linz cae en cualquier caso.",
    ),
    "it": (
        "Per come stanno le cose, Neisse cade se finisce a Lublinitz o Groß Strehlitz.",
        "Linz cade in ogni caso.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_who_chooses_a_retreat_reads_what_falls_by_it(retreating: dict[str, Briefing], language: str) -> None:
    told = in_language(retreating["louis"], language)
    table = copy_of(told.table_in_play)
    common, field = table.rules.common, table.state.field
    (asked,) = told.orders.asked
    assert isinstance(asked, ChooseRetreat)

    def body(*in_question: str) -> str:
        field.questions = {common.board.index[name]: "france" for name in in_question}
        return flat(body_text(report_data(replace(told, table=table))).replace("# ", ""))

    some, every = FALLS[language]
    assert some in body("Neisse")
    assert some.split(",")[0] not in body(), "nothing is in question"
    for end in asked.ends:
        after = copy_of(table)
        for general in asked.pieces:
            alter(after.state.field, general, city=end)
        after.state.field.questions = {common.board.index["Neisse"]: "france"}
        falls = [type(event) for event in settle_questions(common, after.state.field)] == [Conquered]
        assert falls is (common.board.cities[end].name != "Cosel")
    assert every not in body("Neisse")
    assert every in body("Linz")


OPEN_TO_ATTACK = {
    "en": "Open to attack before its next march: in Cosel (Schwerin).",
    "de": "Vor dem nächsten eigenen Zug angreifbar: in Cosel (Schwerin).",
    "es": "Posible ataque antes de su próxima marcha: en Cosel (Schwerin).",
    "it": "Possibile attacco prima della sua prossima marcia: a Cosel (Schwerin).",
}


@pytest.mark.parametrize("language", languages())
def test_who_chooses_a_retreat_reads_where_others_can_attack_the_beaten_stack(
    retreating: dict[str, Briefing], language: str
) -> None:
    told = in_language(retreating["louis"], language)
    table = copy_of(told.table_in_play)
    common, field = table.rules.common, table.state.field

    def body() -> str:
        return flat(body_text(report_data(replace(told, table=table))).replace("# ", ""))

    for power in ("prussia", "saxony"):
        for piece in (*common.generals(power), *common.trains(power)):
            alter(field, piece, city=OFF)
    assert OPEN_TO_ATTACK[language].split(":")[0] not in body(), "nobody comes before its next march"
    schwerin = next(each for each in common.generals("prussia") if common.pieces[each].name == "Schwerin")
    alter(field, schwerin, city=common.board.index["Glatz"])
    assert OPEN_TO_ATTACK[language] in body()


TAKES_NEXT = {
    "en": "From there the beaten could take by their next march: Brieg.",
    "de": "Von dort könnten die Geschlagenen mit ihrem nächsten Marsch erobern: Brieg.",
    "es": "Desde allí, los vencidos podrían conquistar en su próxima marcha: Brieg.",
    "it": "Da lì, con la prossima marcia, gli sconfitti potrebbero conquistare: Brieg.",
}


@pytest.mark.parametrize("language", languages())
def test_each_end_of_a_retreat_tells_what_the_beaten_could_take_from_there(
    retreating: dict[str, Briefing], language: str
) -> None:
    table = copy_of(retreating["louis"].table_in_play)
    common, field = table.rules.common, table.state.field
    (asked,) = retreating["louis"].orders.asked
    for power in ("prussia", "saxony", "france", "bavaria"):
        for general in common.generals(power):
            alter(field, general, city=OFF)
    # Without supply the beaten would be face-down, and take nothing.
    for train in common.trains("austria"):
        alter(field, train, city=common.board.index["Ratibor"])
    held = retreat_ends(table, asked, language)
    mark(field, common.board.index["Brieg"], "france")
    taken = retreat_ends(table, asked, language)
    assert not any(TAKES_NEXT[language] in told for told in held.values())
    assert {city for city, told in taken.items() if TAKES_NEXT[language] in told} == {"Cosel", "Groß Strehlitz"}


UNFED_AT_END = {
    "en": "Without supply in Lublinitz, Cosel or Groß Strehlitz: ",
    "de": "Ohne Versorgung in Lublinitz, Cosel oder Groß Strehlitz: ",
    "es": "Sin suministro en Lublinitz, Cosel o Groß Strehlitz: ",
    "it": "Senza rifornimenti a Lublinitz, Cosel o Groß Strehlitz: ",
}


@pytest.mark.parametrize("language", languages())
def test_who_chooses_a_retreat_reads_where_the_beaten_are_without_supply(
    retreating: dict[str, Briefing], language: str
) -> None:
    told = in_language(retreating["louis"], language)
    table = copy_of(told.table_in_play)
    field = table.state.field

    def body() -> str:
        return flat(body_text(report_data(replace(told, table=table))).replace("# ", ""))

    for train in table.rules.common.trains("austria"):
        alter(field, train, city=table.rules.common.board.index["Cosel"])
    assert UNFED_AT_END[language].split(" Lub")[0] not in body()
    for train in table.rules.common.trains("austria"):
        alter(field, train, city=OFF)
    assert UNFED_AT_END[language] in body()


@pytest.mark.parametrize("language", languages())
def test_everybody_reads_that_a_retreat_is_awaited(retreating: dict[str, Briefing], language: str) -> None:
    names = nouns(language)
    for told in retreating.values():
        heading = body_text(report_data(in_language(told, language))).split("\n==")[0]
        assert names["sections"]["retreat"] in heading, heading
        assert names["phases"]["combat"] not in heading


@pytest.mark.parametrize("language", languages())
def test_the_subject_names_the_fight_that_is_asked(retreating: dict[str, Briefing], language: str) -> None:
    """March, battle and retreat may be asked in one stage, each by a mail."""
    retreat = f"({nouns(language)['sections']['retreat']}): "
    subjects = {reader: subject(report_data(in_language(told, language))) for reader, told in retreating.items()}
    asked = {reader for reader, told in retreating.items() if told.orders.asked}
    assert asked
    assert {reader for reader, text in subjects.items() if retreat in text} == asked


def test_a_stack_that_is_about_to_retreat_threatens_nobody(retreating: dict[str, Briefing]) -> None:
    for told in retreating.values():
        table = told.table_in_play
        assert table.state.retreat
        prospects = Prospects(table, told.powers, table.rules.powers)
        assert table.state.retreat.start not in prospects.foes
        assert table.state.retreat.start not in [each.city for each in prospects.attackable_pieces()]


HELD = {
    "en": "France has {} cards in hand.",
    "de": "Frankreich hat {} Karten auf der Hand.",
    "es": "Francia tiene {} cartas en la mano.",
    "it": "La Francia ha {} carte in mano.",
}
COSTS = {
    "en": ("which costs 1 troop and a retreat of 1 city,", "which destroys its general ({} troops)"),
    "de": ("was 1 Truppe und einen Rückzug um 1 Stadt kostet,", "was den General vernichtet ({} Truppen)"),
    "es": ("lo que cuesta 1 tropa y una retirada de 1 ciudad,", "lo que destruye a su general ({} tropas)"),
    "it": ("il che costa 1 truppa e una ritirata di 1 città,", "il che distrugge il suo generale ({} truppe)"),
}


@pytest.mark.parametrize("language", languages())
def test_who_decides_is_told_if_a_stop_destroys_the_stack_and_never_more_troops_than_it_has(
    tmp_path: Path, language: str
) -> None:
    with begin(tmp_path / "campaign", "maria", score=-2).table.open() as campaign:
        told = in_language(briefings(campaign)["maria-theresa"], language)
    table = copy_of(told.table_in_play)
    duel, pieces = table.state.duel, table.state.field.pieces
    assert duel
    troops = 0
    for general in table.rules.common.generals("austria"):
        if pieces[general].city == duel.defending_city:
            alter(table.state.field, general, troops=2)
            troops += 2
    costs, destroys = COSTS[language]
    for behind in (1, troops, troops + 9):
        duel.score, duel.turn = behind, "defender"
        view = game_of(table).view(table, told.powers)
        asked = tuple(view.decisions)
        data = report_data(replace(told, table=table, view=view, orders=replace(told.orders, asked=asked)))
        body = flat(body_text(data).replace("# ", ""))
        assert flat(lead_in_words(-behind, language)) in body
        assert HELD[language].format(view.hand_sizes["france"]) in body
        assert (costs in body) is (behind < troops)
        assert (destroys.format(troops) in body) is (behind >= troops)


FIGHTS = {
    "en": (
        "- Battle under way: {now} at ",
        "- Still to be fought in this stage, unless one side is beaten first: {next} at ",
    ),
    "de": (
        "- Kampf im Gange: {now} bei ",
        "- In diesem Zug noch auszutragen, falls keine Seite vorher geschlagen wird: {next} bei ",
    ),
    "es": (
        "- Batalla en curso: {now} en ",
        "- Aún por librar en esta etapa, salvo que un bando sea derrotado antes: {next} en ",
    ),
    "it": (
        "- Battaglia in corso: {now} a ",
        "- Ancora da combattere in questa fase, se nessuna parte viene prima sconfitta: {next} a ",
    ),
}
AGAINST = {"en": "against", "de": "gegen", "es": "contra", "it": "contro"}
STOPPING = {
    "en": ("If Austria stops now, {} loses 2.", "If Austria stops now, {} is destroyed."),
    "de": (
        "Gibt Österreich die Schlacht jetzt auf, verliert {} 2 Truppen.",
        "Gibt Österreich die Schlacht jetzt auf, ist {} vernichtet.",
    ),
    "es": (
        "Si Austria abandona ahora la batalla, {} pierde 2 tropas.",
        "Si Austria abandona ahora la batalla, {} queda destruido.",
    ),
    "it": (
        "Se l'Austria abbandona ora la battaglia, {} perde 2 truppe.",
        "Se l'Austria abbandona ora la battaglia, {} è distrutto.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_battles_under_way_and_to_come_are_named_with_strengths_and_what_a_stop_costs(
    tmp_path: Path, language: str
) -> None:
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    duel = told.table_in_play.state.duel
    assert duel
    twin = copy_of(told.table_in_play)
    twin.state.battles.append(Pairing(duel.attacking_city, duel.defending_city))
    news = replace(told.news, events=())
    told = replace(told, table=twin, orders=replace(told.orders, asked=()), news=news)
    data: dict[str, Any] = report_data(told)
    pair = data["fights"]["now"]
    ours, theirs = (" + ".join(pair[side]) for side in ("attackers", "defenders"))
    has, had = (pair["strengths"][side]["least"] for side in ("attackers", "defenders"))
    assert had > 2
    said = f"{ours} ({has}) {AGAINST[language]} {theirs} ({had})"
    for is_asked in (False, True):
        body = flat(body_text(data | {"is_asked": is_asked}))
        for words in FIGHTS[language]:
            assert words.format(now=said, next=said) in body
        assert STOPPING[language][0].format(theirs) in body
    duel = twin.state.duel
    assert duel
    duel.score = had + 1
    assert STOPPING[language][1].format(theirs) in flat(body_text(report_data(told)))


@pytest.mark.parametrize("language", languages())
def test_a_battle_that_the_news_tells_is_not_told_once_more(tmp_path: Path, language: str) -> None:
    """Readers: Louis, who has no part in the battle; Maria Theresa, who has; and the moderator."""
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = {reader: in_language(each, language) for reader, each in briefings(campaign).items()}
    duel = told["louis"].table_in_play.state.duel
    assert duel
    for reader in ("louis", "maria-theresa", MODERATOR):
        briefing = told[reader]
        field, rules = briefing.table_in_play.state.field, briefing.table_in_play.rules.common
        sides = [tuple(stack_at(rules, field, city)) for city in (duel.attacking_city, duel.defending_city)]
        joined = BattleJoined(*sides, duel.attacking_city, duel.defending_city, 4, 6, -2)
        news = replace(briefing.news, events=(joined,))
        data = report_data(replace(briefing, orders=replace(briefing.orders, asked=()), news=news))
        body = flat(body_text(data | {"account": [], "is_asked": False}))
        pair = data["fights"]["now"]
        names = " + ".join(pair["defenders"])
        assert FIGHTS[language][0].split("{")[0] not in body, body
        stop = STOPPING[language][0].format(names)
        assert body.count(stop) == 1
        news_of_it = [*data["news"]["mine"], *data["news"]["others"]]
        assert body.index(flat(news_of_it[0])) < body.index(stop)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("reader", ["louis", "maria-theresa", "frederick"])
def test_a_battle_that_goes_on_is_told_in_one_line(tmp_path: Path, reader: str, language: str) -> None:
    """Maria Theresa decides: her question tells what a stop costs. Frederick has no part in the battle."""
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = in_language(briefings(campaign)[reader], language)
    power = told.powers[0]
    played = CardPlayed(power, card_of(Suit(3), 7, 0), 7, 5)
    data: dict[str, Any] = report_data(replace(told, news=replace(told.news, events=(played,))))
    body = flat(body_text(data | {"account": []}))
    pair = data["fights"]["now"]
    assert body.count(pair["city"]) == 1
    (line,) = (line for line in body.split("- ") if "♠7 (" in line)
    assert FIGHTS[language][0].split("{")[0].removeprefix("- ") in body.split("♠7 (")[0]
    stop = STOPPING[language][0].format(" + ".join(pair["defenders"]))
    assert (stop in line) is (reader != "maria-theresa")
    assert body.count(stop) <= 1


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("reader", ["louis", "maria-theresa", "frederick", MODERATOR])
@pytest.mark.parametrize("card_of_power", ["france", "austria"])
def test_the_battle_under_way_stands_before_those_to_come(
    tmp_path: Path, reader: str, language: str, card_of_power: str
) -> None:
    """The enemy's card in one's own battle is one's own news, too. Frederick has no part in any of the battles."""
    fight = begin(tmp_path / "campaign", "maria", score=-2)
    with fight.table.open() as campaign:
        told = in_language(briefings(campaign)[reader], language)
    twin = copy_of(told.table_in_play)
    duel = twin.state.duel
    assert duel
    twin.state.battles.append(Pairing(duel.attacking_city, duel.defending_city))
    played = CardPlayed(Power(card_of_power), card_of(Suit(3), 7, 0), 7, 5)
    data = report_data(replace(told, table=twin, news=replace(told.news, events=(played,))))
    now, to_come = (words.split("{")[0].removeprefix("- ") for words in FIGHTS[language])
    body = flat(body_text(data))
    assert body.index(now) < body.index(to_come), body
    assert bool(data["news"]["mine"]) is (reader in ("louis", "maria-theresa"))


OF_ORDERS = {
    "en": ("About your orders", "What became of your plans"),
    "de": ("Zu deinen Befehlen", "Was aus deinen Plänen wurde"),
    "es": ("Sobre tus órdenes", "Qué fue de tus planes"),
    "it": ("Sui tuoi ordini", "Che cosa è stato dei tuoi piani"),
}


@pytest.mark.parametrize("language", languages())
def test_notes_on_marches_are_not_said_to_be_of_plans(begun: SimulatedTable, language: str) -> None:
    with begun.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    fault = wrong("W-MARCH-WAY.questions", way="Kolin", other="Kolin", cities=("Prag",)).data(language)
    note = {"player": "louis", "power": "france", "line": 7, "column": 9} | fault
    for topics, place in ((["move"], 0), (["move", "battle"], 1), (["retreat"], 1)):
        notes = [note | {"about": topic} for topic in topics]
        body = body_text(report_data(told) | {"plan_notes": notes})
        assert OF_ORDERS[language][place] in body
        assert OF_ORDERS[language][1 - place] not in body


NOW = {
    "en": "In the present stage of Prussia, Schwerin is turned face-down and loses 1 troop.",
    "de": "Noch im Zug Preußens wird Schwerin verdeckt und verliert 1 Truppe.",
    "es": "en esta misma etapa de Prusia, Schwerin queda bocabajo y pierde 1 tropa.",
    "it": "in questa fase della Prussia, Schwerin viene girato a faccia in giù e perde 1 truppa.",
}


def test_supply_that_is_tested_in_this_stage_is_said_to_be(begun: SimulatedTable) -> None:
    with begun.open() as campaign:
        told = briefings(campaign)["frederick"]
    table = copy_of(told.table_in_play)
    table.state.stage, found = "prussia", {}
    for table.state.begun in (False, True):
        for table.state.phase in ("cards", "supply", "movement", "combat"):
            found[table.state.phase, table.state.begun] = is_test_to_come(table, Power("prussia"))
    # While a toll is awaited, generals without any way of supply have lost their troops already.
    assert {each for each, is_to_come in found.items() if is_to_come} == {
        ("cards", False),
        ("cards", True),
        ("supply", False),
    }
    table.state.stage, table.state.phase, table.state.begun = "austria", "supply", False
    assert not is_test_to_come(table, Power("prussia"))
    for language in languages():
        lacking = [
            {
                "piece": "Schwerin",
                "is_down": False,
                "is_now": True,
                "is_new": True,
                "stage": "prussia",
                "is_last": False,
            }
        ]
        data: dict[str, Any] = report_data(in_language(told, language)) | {"unsupplied": lacking}
        assert NOW[language] in flat(letter_text(data))


def test_stacks_that_many_enemies_reach_each_name_some_and_count_the_rest(retreating: dict[str, Briefing]) -> None:
    rules = retreating["louis"].table_in_play.rules
    common = rules.common
    strong = {"de": "mit", "en": "with", "es": "con", "it": "con"}
    comers = tuple(
        Comer(Stack("prussia", (general,), 0, common.board.suit[0], 1, 8), (0, 1, 2, 3))
        for general in common.generals("prussia")
    )
    own = common.generals("austria")
    threats = tuple(Threat((general,), 0, common.board.suit[0], comers) for general in own)
    for language in languages():
        lines = danger_lines(Dangers(threats), rules, language)
        text, named = "\n".join(lines), blocks.common_in_words(common, language)
        assert sum(1 + wrap_paragraph(line).count("\n") for line in lines) <= MOST_LINES, lines
        for general in own:
            assert text.count(blocks.piece(named, general)) == 1, lines
        first = blocks.piece(named, common.generals("prussia")[0])
        for line in lines[1:-1]:
            assert f"{first} {strong[language]}\u00a01–8" in line, lines
            assert f" {len(comers) - 1}" in line or f" {len(comers) - 2}" in line, lines


SILENT = {
    "en": (
        "the default orders answer on Wed 25 Nov, 20:00, also for the marches that this stage asks next.",
        "for the marches of the stage, too.",
    ),
    "de": (
        " die Ersatzbefehle, auch für die Bewegungen, die in diesem Zug danach gefragt sind.",
        "auch für die Bewegungen des Zuges.",
    ),
    "es": (
        " se aplican las órdenes por defecto, también para los movimientos que esta etapa pide después.",
        "también para los movimientos de la etapa.",
    ),
    "it": (
        " rispondono gli ordini predefiniti, anche per i movimenti che questa fase chiede dopo.",
        "anche per i movimenti della fase.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_silence_before_the_marches_of_a_stage_is_said_to_answer_for_them_too(
    table: SimulatedTable, language: str
) -> None:
    drafted(table)
    with table.open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
        data: dict[str, Any] = report_data(told)
        reminder = reminder_data(campaign, Reminder("louis", "late", campaign.now, "none yet", ("france",)))
    twin, fronts = copy_of(told.table_in_play), told.table_in_play.state.field.alliances.stage
    twin.state.stage = fronts["france"]
    asked = [("france",), ("bavaria", "france"), ("prussia",)]
    for phase, follow in (("supply", [True, True, False]), ("movement", [False] * 3), ("combat", [False] * 3)):
        twin.state.phase = phase
        assert [marches_follow(twin, powers) for powers in asked] == follow
    mail, reminded = SILENT[language]
    for follows in (True, False):
        changed = {"marches_follow": follows, "has_ordered": True}
        assert (mail in flat(body_text(data | changed))) is follows
        assert (reminded in flat(letter_text(reminder | changed | {"language": language}))) is follows


@pytest.mark.parametrize(
    ("language", "sentence", "wanted"),
    [
        ("en", "The cards are shuffled.", "Meanwhile: the cards are shuffled."),
        ("de", "Die Karten werden gemischt.", "Außerdem: Die Karten werden gemischt."),
        ("es", "Se barajan las cartas.", "Lo demás: se barajan las cartas."),
        ("it", "L'Austria recluta.", "Inoltre: l'Austria recluta."),
        ("it", "Treno\xa01 della Prussia a Steinau.", "Inoltre: treno 1 della Prussia a Steinau."),
    ],
)
def test_behind_the_colon_of_other_news_a_sentence_begins_as_the_language_has_it(
    begun: SimulatedTable, language: str, sentence: str, wanted: str
) -> None:
    with begun.open() as campaign:
        told = report_data(in_language(briefings(campaign)["louis"], language))
    assert wanted in flat(body_text(told | {"news": told["news"] | {"mine": ["."], "others": [sentence], "left": 0}}))


TOGETHER = {
    "en": "stage of France and Bavaria, movement",
    "de": "Zug Frankreichs und Bayerns, Bewegung",
    "es": "etapa de Francia y de Baviera, movimiento",
    "it": "fase della Francia e della Baviera, movimento",
}


@pytest.mark.parametrize("language", languages())
def test_the_headline_names_all_powers_that_act_together(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", position="turn: 2\nstage: france\nphase: movement\n").begun()
    with table.open() as campaign:
        for reader in ("louis", "frederick"):
            told = in_language(briefings(campaign)[reader], language)
            assert TOGETHER[language] in flat(body_text(report_data(told)))


SWEEPS = {
    "en": ("are swept off the map: in Cosel.", "Hussars: Cosel.", "since your last report: the hussar in Lublinitz"),
    "de": ("werden vertrieben: in Cosel.", "Husaren: Cosel.", "Der Husar in Lublinitz wurde seit deinem letzten"),
    "es": ("son expulsados del mapa: en Cosel.", "Húsares: Cosel.", "ha sido expulsado el húsar de Lublinitz"),
    "it": ("sono rimossi dalla mappa: a Cosel.", "Ussari: Cosel.", "è stato rimosso l'ussaro a Lublinitz"),
}  # fmt: skip


@pytest.mark.parametrize("language", languages())
def test_hussars_whom_a_retreat_can_sweep_or_has_swept_off_are_told(
    retreating: dict[str, Briefing], language: str
) -> None:
    sweeps, out, gone = SWEEPS[language]
    told = in_language(retreating["louis"], language)
    table = copy_of(told.table_in_play)
    index = table.rules.common.board.index
    table.state.field.hussars = [index["Cosel"], OFF]
    question = flat(body_text(report_data(replace(told, table=table))).replace("# ", ""))
    assert sweeps in question
    table.state.field.hussars = [index["Wien"], OFF]
    assert sweeps[:20] not in flat(body_text(report_data(replace(told, table=table))).replace("# ", ""))
    own = in_language(retreating["maria-theresa"], language)
    assert own.view
    losers = (next(iter(table.rules.common.generals(Power("austria")))),)
    events = (
        Retreated(losers, index["Cosel"], (index["Lublinitz"],)),
        HussarRemoved(Hussar(1), index["Lublinitz"]),
    )
    view = replace(own.view, hussars=(index["Cosel"], OFF))
    data = report_data(replace(own, view=view, news=replace(own.news, events=events)))
    assert gone in flat(letter_text(data))
    assert out in flat(letter_text(data))
    moved = report_data(replace(own, view=view, news=replace(own.news, events=events[1:])))
    assert gone not in flat(letter_text(moved)), "its owner took it off"


OFF_MAP = {
    "en": ("off the map: ", "in the off-map box: Der Alte Dessauer"),
    "de": ("nicht auf dem Spielplan: ", "im Außenfeld: Der Alte Dessauer"),
    "es": ("fuera del mapa: ", "en la casilla fuera del mapa: Der Alte Dessauer"),
    "it": ("fuori dalla mappa: ", "nella casella fuori mappa: Der Alte Dessauer"),
}


@pytest.mark.parametrize("language", languages())
def test_generals_beside_the_map_who_can_come_in_are_among_what_one_has(tmp_path: Path, language: str) -> None:
    away, boxed = OFF_MAP[language]
    table = SimulatedTable(tmp_path / "campaign", scenario="advanced").begun()
    with table.open() as campaign:
        told = in_language(briefings(campaign)["frederick"], language)
    body = flat(body_text(report_data(told)))
    assert boxed in body
    assert away not in body.replace(boxed.partition(":")[0], "")
    general = next(iter(told.table_in_play.rules.common.generals(Power("prussia"))))
    gone = copy_of(told.table_in_play)
    alter(gone.state.field, general, city=OFF)
    assert told.view
    view = replace(
        told.view, pieces=[replace(p, city=OFF) if i == general else p for i, p in enumerate(told.view.pieces)]
    )
    assert away + told.table_in_play.rules.common.pieces[general].name in flat(
        body_text(report_data(replace(told, view=view)))
    )
