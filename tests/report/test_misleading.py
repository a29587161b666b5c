"""Sentences of reports, reminders and invitations that readers would act on: they hold for the reader who gets them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.clock.clock import Clock
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.play import rulings
from pbem.campaign.settings import Conduct
from pbem.report.language.templates import languages
from pbem.report.letters.invitations import invitation_data, reminder_data
from pbem.report.letters.report import report_data
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
    "es": ("Las órdenes con retraso se aceptan hasta el", "responden las órdenes por defecto"),
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


SENDING = {
    "en": ("(`orders.yaml`): fill in, sign, send", "(`orders.yaml`): fill in, send"),
    "de": ("(`orders.yaml`): ausfüllen, signieren, abschicken", "(`orders.yaml`): ausfüllen, abschicken"),
    "es": ("(`orders.yaml`): rellenar, firmar, enviar", "(`orders.yaml`): rellenar, enviar"),
    "it": ("(`orders.yaml`): compilare, firmare, inviare", "(`orders.yaml`): compilare, inviare"),
}


@pytest.mark.parametrize("language", languages())
def test_a_body_that_asks_says_how_to_answer(table: SimulatedTable, language: str) -> None:
    table.play(1)
    with table.open() as campaign:
        assert campaign.public.next
        told = in_language(briefings(campaign)[next(iter(campaign.public.next.owing))], language)
    unsigned = replace(told, key="", settings=replace(told.settings, conduct=Conduct(signing="off")))
    for each, words in zip((told, unsigned), SENDING[language], strict=True):
        assert f"{words}\n" in body_text(report_data(each))


STOOD = {
    "en": ("How it stood", "Prussia holds 2 of the 12"),
    "de": ("So stand es am Ende", "Preußen kontrolliert 2 der 12"),
    "es": ("Así quedó", "Prusia controla 2 de las 12"),
    "it": ("Com'è finita", "La Prussia controlla 2 delle 12"),
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
    "en": ("that you were sent", "No date is set for your answer"),
    "de": ("die du bekommen hast", "Für deine Antwort gibt es keine Frist"),
    "es": ("que te han mandado", "Tu respuesta no tiene fecha límite"),
    "it": ("che ti è stata mandata", "Per la tua risposta non c'è una data"),
}


@pytest.mark.parametrize("language", languages())
def test_an_invitation_says_where_the_page_is_from_and_when_the_game_begins(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="introductory").open() as campaign:
        data = invitation_data(campaign.public, "louis", language=language)
    sent, when = INVITED[language]
    text = flat(letter_text(data))
    assert sent not in text
    assert "`pbem desk`" in text
    assert when in text
