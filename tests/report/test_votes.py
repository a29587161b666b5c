"""Reports name a proposal by its proposer and subject, and tell whom it needs and the vote that ends it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.letters.arrived import taken_in
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.settings import Conduct
from pbem.faults.wrong import wrong
from pbem.moderator.public_view import entry_line
from pbem.post.extract import extract
from pbem.report.formats.pages import subject
from pbem.report.language.templates import languages, macros_of
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.report.plain import body_text

WORDS = {
    "en": ("your vote is asked", "All must agree", "the proposal of Frederick", "the proposal has failed"),
    "de": ("deine Stimme ist gefragt", "Alle müssen", "den Vorschlag von Friedrich", "gescheitert"),
    "es": ("se pide tu voto", "Todos deben", "la propuesta de Federico", "la propuesta queda rechazada"),
    "it": ("si chiede il tuo voto", "Tutti devono", "alla proposta di Federico", "La proposta è quindi respinta"),
}


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    return SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()


def told(table: SimulatedTable, seat: str, language: str) -> tuple[str, str]:
    """The subject and the body of a report, each on one line."""
    with table.open() as campaign:
        data = report_data(in_language(briefings(campaign)[seat], language))
    return " ".join(subject(data).split()), " ".join(body_text(data).split())


def propose(table: SimulatedTable, body: dict[str, Tree]) -> str:
    """Propose something as Frederick, and return the proposal's name."""
    table.send(table.other_letter("frederick", "proposal", body))
    with table.open() as campaign:
        return campaign.public.proposals[0].name


@pytest.mark.parametrize("language", languages())
def test_a_vote_that_is_asked_beside_orders_stands_in_the_subject_and_above_the_news(
    table: SimulatedTable, language: str
) -> None:
    vote, needed, _, _ = WORDS[language]
    before, body = told(table, "louis", language)
    assert vote not in before
    assert needed not in body
    propose(table, {"subject": "draw"})
    title, body = told(table, "louis", language)
    assert vote in title
    assert len(title) > len(before), "what else is asked stays"
    assert needed in body
    with table.open() as campaign:
        assert not report_data(briefings(campaign)["frederick"])["is_vote_asked"]


@pytest.mark.parametrize("language", languages())
def test_the_vote_that_ends_a_proposal_names_it_and_says_so(table: SimulatedTable, language: str) -> None:
    *_, named, failed = WORDS[language]
    name = propose(table, {"subject": "draw"})
    table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "no"}))
    _, body = told(table, "maria-theresa", language)
    assert named in body
    assert failed in body


OWN = {
    "en": ("Your proposal", "Proposals to vote on"),
    "de": ("Dein Vorschlag", "Vorschläge, über die"),
    "es": ("Tu propuesta", "Propuestas en votación"),
    "it": ("La tua proposta", "Proposte su cui si vota"),
}


@pytest.mark.parametrize("language", languages())
def test_ones_own_proposal_is_called_so(table: SimulatedTable, language: str) -> None:
    propose(table, {"subject": "draw"})
    for seat, is_own in (("frederick", True), ("louis", False)):
        _, body = told(table, seat, language)
        assert [heading in body for heading in OWN[language]] == [is_own, not is_own]


VOTED = {
    "en": (
        "You voted no on the proposal of Frederick to end the game as a draw.",
        "louis: no (frederick: to end the game",
    ),
    "de": ("Nein zu dem Vorschlag von Friedrich, ", "louis: nein (frederick: "),
    "es": ("Has votado en contra de la propuesta de Federico (", "louis: en contra (frederick: "),
    "it": ("No alla proposta di Federico ", "louis: no (frederick: "),
}


STILL = {"de": "Noch nicht abgestimmt", "en": "Still to vote", "es": "Aún sin votar", "it": "Manca"}


@pytest.mark.parametrize("language", languages())
def test_the_receipt_of_a_vote_and_the_log_name_the_proposal(table: SimulatedTable, language: str) -> None:
    name = propose(table, {"subject": "draw"})
    receipt = table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "no"}))
    with table.open() as campaign:
        text = body_text(receipt_data(campaign, receipt) | {"language": language})
        line = entry_line(campaign, receipt.entry, language)
    said, logged = VOTED[language]
    assert said in " ".join(text.split())
    assert name not in text
    assert STILL[language] not in " ".join(text.split()), "nobody votes on a proposal that has failed"
    assert line.startswith(logged)


def test_a_vote_that_leaves_a_proposal_open_ends_nothing(table: SimulatedTable) -> None:
    name = propose(table, {"subject": "draw"})
    table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    _, body = told(table, "maria-theresa", "en")
    assert "voted yes on the proposal of Frederick" in body
    assert "has failed" not in body


COUNTED = {
    "en": (
        "2 of 3 votes are needed. Yes: Frederick. Still to vote: Maria Theresa and Louis.",
        "The proposal is carried. Yes: Frederick and Louis. The deadline of what is asked now",
    ),
    "de": (
        "Nötig sind 2 von 3 Stimmen. Ja: Friedrich. Noch nicht abgestimmt haben: Maria Theresia und Ludwig.",
        "Der Vorschlag ist angenommen. Ja: Friedrich und Ludwig. Die Frist für das, was jetzt",
    ),
    "es": (
        "Hacen falta 2 de 3 votos. A favor: Federico. Aún sin votar: María Teresa y Luis XV.",
        "La propuesta queda aprobada. A favor: Federico y Luis XV. El plazo de lo que se pregunta ahora",
    ),
    "it": (
        "Servono 2 voti su 3. Sì: Federico. Mancano ancora: Maria Teresa e Luigi XV.",
        "La proposta è approvata. Sì: Federico e Luigi XV. La scadenza di ciò che si chiede ora",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_the_votes_are_counted_where_one_is_asked_and_the_one_that_decides_is_told_what_it_decides(
    tmp_path: Path, language: str
) -> None:
    conduct = Conduct(votes="majority")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, scenario="introductory").begun()
    counted, carried = COUNTED[language]
    proposed = table.send(table.other_letter("frederick", "proposal", {"subject": "time", "about": "2"}))
    _, body = told(table, "louis", language)
    assert counted in body
    with table.open() as campaign:
        name = campaign.public.proposals[0].name
        own = receipt_data(campaign, proposed) | {"language": language}
        words = adjudicating.refuse_raw(campaign, "cd" * 32, [wrong("E-TEXT-NONE")], "louis")
        reminded = receipt_data(campaign, words) | {"language": language, "is_words": True}
    assert counted in " ".join(body_text(own).split())
    assert counted in " ".join(body_text(reminded).split())
    decisive = table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    with table.open() as campaign:
        said = body_text(receipt_data(campaign, decisive) | {"language": language})
    assert carried in " ".join(said.split())


def test_the_receipt_of_a_vote_follows_the_proposal_until_its_end(table: SimulatedTable) -> None:
    name = propose(table, {"subject": "draw"})
    first = table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    states = []
    for answered in ("", "no"):
        if answered:
            table.send(table.other_letter("maria-theresa", "vote", {"proposal": name, "says": answered}))
        with table.open() as campaign:
            data = receipt_data(campaign, first)
        states.append(" ".join(body_text(data).split()))
    needed = "All must agree (3 votes): a single no defeats the proposal."
    assert f"{needed} Yes: Frederick and Louis. Still to vote: Maria" in states[0]
    assert "The proposal has failed. Yes: Frederick and Louis. No: Maria Theresa." in states[1]


AWAY = {
    "en": ("Louis is away", "louis is away"),
    "de": ("Ludwig ist abwesend", "louis ist abwesend"),
    "es": ("Luis XV se ausenta", "louis se ausenta"),
    "it": ("Luigi XV è assente", "louis è assente"),
}


@pytest.mark.parametrize("language", languages())
def test_the_absence_that_moves_a_deadline_is_told_in_the_reader_s_language(
    table: SimulatedTable, language: str
) -> None:
    with table.open() as campaign:
        day = campaign.now.date()
        rulings.enter_absence(campaign, Absence("louis", day, day + timedelta(days=9)))
        campaign.save()
        line = entry_line(campaign, campaign.vault.entry, language)
    _, body = told(table, "frederick", language)
    moved, logged = AWAY[language]
    assert f": {moved}. " in body
    assert line.endswith(f": {logged}")
    assert language == "en" or "is away" not in body


def test_more_time_names_its_days_and_the_deadline_for_which_it_helps(tmp_path: Path) -> None:
    conduct = Conduct(votes="majority")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, scenario="introductory").begun()
    propose(table, {"subject": "time", "about": "2"})
    _, body = told(table, "louis", "en")
    assert "to move the deadline by 2 days" in body
    assert "To move this deadline it must be carried by Tuesday, 24 November 2026, 20:00 (UTC)." in body
    assert "Votes count until" not in body


TIME_VOTED = {
    "en": "A vote on more time is open already",
    "de": "Über mehr Zeit wird schon abgestimmt",
    "es": "Ya hay una votación abierta para pedir más tiempo",
    "it": "È già aperta una votazione per avere più tempo",
}
VOTED_UNTIL = {
    "en": "Votes count until Saturday, 28 November 2026, 12:00",
    "de": "Abgestimmt wird bis Samstag, 28. November 2026, 12:00",
    "es": "Se vota hasta el sábado 28 de noviembre de 2026, 12:00",
    "it": "Si vota fino a sabato 28 novembre 2026, ore 12:00",
}


@pytest.mark.parametrize("language", languages())
def test_receipts_say_until_when_votes_on_more_time_count_also_beyond_the_deadline(
    tmp_path: Path, language: str
) -> None:
    conduct = Conduct(votes="majority")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, scenario="introductory").begun()
    proposed = table.send(table.other_letter("frederick", "proposal", {"subject": "time", "about": "2"}))
    with table.open() as campaign:
        own = receipt_data(campaign, proposed) | {"language": language}
        words = adjudicating.refuse_raw(campaign, "cd" * 32, [wrong("E-TEXT-NONE")], "louis")
        told = receipt_data(campaign, words) | {"language": language, "signing": "off"}
        asked, (open_now,) = told["votes"], campaign.public.proposals
        until = open_now.until
        assert until > campaign.public.deadline
    assert VOTED_UNTIL[language] in " ".join(body_text(own).split())
    said = body_text(told)
    assert f"{TIME_VOTED[language]}: `{open_now.name}`." in " ".join(said.split())
    assert "kind: proposal" not in said, "the same proposal is not offered a second time"
    assert "kind: proposal" in body_text(told | {"time_vote": ""})
    assert isinstance(asked, list)
    assert [each["until"]["utc"] for each in asked] == [until]


OVER = {
    "en": ("The game is over: your newest report", "The game has gone on"),
    "de": ("Das Spiel ist zu Ende: Dein neuester Bericht", "das Spiel weitergegangen"),
    "es": ("La partida ha terminado: tu último informe", "la partida ha seguido"),
    "it": ("La partita è finita: il tuo ultimo rapporto", "la partita è andata avanti"),
}


@pytest.mark.parametrize("language", languages())
def test_the_vote_that_ends_the_game_is_told_that_it_is_over(table: SimulatedTable, language: str) -> None:
    name = propose(table, {"subject": "draw"})
    table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    vote = table.other_letter("maria-theresa", "vote", {"proposal": name, "says": "yes"})
    with table.open() as campaign:
        taken = taken_in(campaign.public, "maria-theresa")
    receipt = table.send(vote)
    with table.open() as campaign:
        body = " ".join(body_text(receipt_data(campaign, receipt, taken) | {"language": language}).split())
    over, gone_on = OVER[language]
    assert over in body
    assert gone_on not in body


YOU_ARE_AWAY = {
    "en": ("You are away from", ": you are away.", "the grace does not"),
    "de": ("Du bist abwesend von", ": du bist abwesend.", "die Nachfrist nicht"),
    "es": ("Te ausentas del", ": te ausentas.", "el margen, no"),
    "it": ("Sei assente da", ": sei assente.", "la proroga no"),
}


@pytest.mark.parametrize("language", languages())
def test_who_is_away_is_told_so_as_you(table: SimulatedTable, language: str) -> None:
    with table.open() as campaign:
        day = campaign.now.date()
        rulings.enter_absence(campaign, Absence("louis", day, day + timedelta(days=9)))
        campaign.save()
    _, body = told(table, "louis", language)
    for words in YOU_ARE_AWAY[language]:
        assert words in body
    _, body = told(table, "frederick", language)
    for words in YOU_ARE_AWAY[language]:
        assert words not in body


YOU_VOTE = {
    "en": ("You voted no on", "You propose to"),
    "de": ("Du hast den Vorschlag aus", "Du schlägst vor, "),
    "es": ("Has votado en contra de", "Propones "),
    "it": ("Hai votato no alla", "Proponi di"),
}


@pytest.mark.parametrize("language", languages())
def test_who_votes_or_proposes_is_told_so_as_you(language: str) -> None:
    entries: Any = macros_of(language, "maria", "campaign_entries.txt.j2")
    vote = {"player": "louis", "says": "no", "proposal": 7}
    proposal = {"player": "louis", "subject": "time", "about": "48h"}
    for macro, data, said in zip((entries.vote, entries.proposal), (vote, proposal), YOU_VOTE[language], strict=True):
        assert str(macro(data, {}, str, "louis")).startswith(said)
        assert said not in str(macro(data, {}, str, "frederick"))
        assert said not in str(macro(data, {}, str)), "the site has no reader"


AS_PROPOSED = {
    "en": "72 hours, as proposed by Louis.",
    "de": "72 Stunden, wie von Ludwig vorgeschlagen.",
    "es": "72 horas, según la propuesta de Luis XV.",
    "it": "72 ore, come proposto da Luigi XV.",
}


@pytest.mark.parametrize("language", languages())
def test_what_a_proposal_brought_about_is_told_once(language: str) -> None:
    entries: Any = macros_of(language, "maria", "campaign_entries.txt.j2")
    motion = {"player": "louis", "subject": "clock", "about": "72h"}
    said = str(entries.resolution({"subject": "clock", "about": "72h", "proposal": 7, "motion": motion}, {}, str))
    assert re.sub(r"\s", " ", said).endswith(AS_PROPOSED[language])


ENDED = {
    "en": ("(nobody has won)", "Result, by agreement: "),
    "de": ("(niemand hat gewonnen)", "Ergebnis, nach Übereinkunft: "),
    "es": ("(nadie ha ganado)", "Resultado, por acuerdo: "),
    "it": ("(nessuno ha vinto)", "Risultato, per accordo: "),
}


@pytest.mark.parametrize("language", languages())
def test_an_agreed_end_stands_in_subject_heading_and_first_line_until_the_close(
    table: SimulatedTable, language: str
) -> None:
    won, ended = ENDED[language]
    table.agree_on_end({"subject": "standing"})
    for is_closed in (False, True):
        if is_closed:
            table.close()
        title, body = told(table, "louis", language)
        head, found, rest = body.partition(ended)
        assert won in title
        assert won in head
        assert found
        assert ended not in rest, "it is told once"
        assert len(head) < len(title) + 60, "nothing stands before it but the heading"


def test_who_was_conceded_the_game_stands_in_the_subject(table: SimulatedTable) -> None:
    table.agree_on_end({"subject": "concede", "about": "louis"})
    title, body = told(table, "maria-theresa", "en")
    assert title.endswith("the game is over (won by Louis)")
    assert "Result, by agreement: it is conceded. Won by Louis." in body


def test_an_end_that_was_undone_is_told_among_the_news_alone(table: SimulatedTable) -> None:
    with table.open() as campaign:
        before = campaign.vault.entry
    table.agree_on_end({"subject": "draw"})
    with table.open() as campaign:
        rulings.rollback(campaign, before, "a mistake")
        campaign.save()
    title, body = told(table, "louis", "en")
    assert "a draw" not in title
    assert "Result, by agreement" not in body
    assert "The game is over by agreement" in body


def test_german_receipts_name_the_letter_in_the_nominative_and_say_that_orders_were_carried_out(
    table: SimulatedTable,
) -> None:
    vote = table.send(
        table.other_letter("louis", "vote", {"proposal": propose(table, {"subject": "draw"}), "says": "yes"})
    )
    with table.open() as campaign:
        assert "Angenommen: eine Stimme." in body_text(receipt_data(campaign, vote) | {"language": "de"})
        taken = taken_in(campaign.public, "louis")
    (orders,) = table.ordered("louis")
    with table.open() as campaign:
        assert "Diese Befehle gelten bei der Auswertung." in body_text(
            receipt_data(campaign, orders) | {"language": "de"}
        )
    table.ordered("frederick", "maria-theresa")
    table.carried_out()
    with table.open() as campaign:
        body = body_text(receipt_data(campaign, orders, taken) | {"language": "de"})
    assert "Deine Befehle sind ausgeführt" in body
    assert "bei der Auswertung" not in body


MOVES = {
    "en": "moves the deadline of turn 1 (set-up) to {}; carried later, the deadline that runs then.",
    "de": "endet die Frist für Runde 1 (Aufstellung) erst am {}; später angenommen, verlängert er die Frist",
    "es": "el plazo para el turno 1 (despliegue inicial) acabará el {}; si se aprueba después",
    "it": "la scadenza per il turno 1 (preparazione) diventa {}; se lo è dopo, sposta la scadenza",
}


@pytest.mark.parametrize("language", languages())
def test_more_time_that_is_proposed_or_voted_on_names_the_deadline_that_it_moves(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(votes="all"), scenario="introductory").begun()
    receipt = table.send(table.other_letter("frederick", "proposal", {"subject": "time", "about": "2"}))
    with table.open() as campaign:
        data = receipt_data(campaign, receipt) | {"language": language}
        name = campaign.public.proposals[0].name
    begins, _, ends = MOVES[language].partition("{}")
    voted = table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    with table.open() as campaign:
        vote = receipt_data(campaign, voted) | {"language": language}
    _, report = told(table, "louis", language)
    for text in (body_text(data), body_text(vote), report):
        text = " ".join(text.split())
        assert begins in text
        assert ends in text


MOVED = {
    "en": (
        "The deadline of what is asked now, in turn 1 (set-up), is moved to",
        "The deadline of an earlier question in turn 1",
    ),
    "de": (
        "Die Frist für das, was jetzt in Runde 1 (Aufstellung) gefragt ist, wird verschoben",
        "Die Frist einer früheren Frage in Runde 1",
    ),
    "es": (
        "El plazo de lo que se pregunta ahora en el turno 1 (despliegue inicial) se aplaza",
        "El plazo de una pregunta anterior, en el turno 1",
    ),
    "it": (
        "La scadenza di ciò che si chiede ora, durante il turno 1 (preparazione), è spostata",
        "La scadenza di una domanda precedente, durante il turno 1",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_more_time_for_a_stage_that_is_over_is_not_told_as_the_present_deadline(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(votes="majority"), scenario="introductory").begun()
    now, before = MOVED[language]
    name = propose(table, {"subject": "time", "about": "2"})
    receipt = table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    _, body = told(table, "louis", language)
    assert now in body
    assert before not in body
    table.ordered()
    table.carried_out()
    _, body = told(table, "louis", language)
    assert now not in body
    assert before in body
    with table.open() as campaign:
        text = " ".join(body_text(receipt_data(campaign, receipt) | {"language": language}).split())
    assert now not in text
    assert before in text


BY_HAND = {
    "en": "To vote without the program",
    "de": "Ohne Programm stimmst du",
    "es": "Sin el programa se vota",
    "it": "Senza programma si vota",
}


@pytest.mark.parametrize("language", languages())
def test_where_nobody_signs_a_vote_can_be_written_by_hand_and_a_quoted_report_is_none(
    tmp_path: Path, language: str
) -> None:
    conduct = Conduct(votes="majority", signing="off")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, scenario="introductory").begun()
    name = propose(table, {"subject": "time", "about": "2"})
    with table.open() as campaign:
        briefing = replace(in_language(briefings(campaign)["louis"], language), key="")
        text = body_text(report_data(briefing))
    body = " ".join(text.split())
    assert BY_HAND[language] in body
    shown = [line for line in text.splitlines() if re.match("    (pbem|kind|campaign|from|body): ", line)]
    shown = shown[shown.index("    kind: vote") - 1 :]
    assert len(shown) == 5, "a line each, to copy"
    letter = "\n".join(shown).replace("yes/no", "yes")
    (found,) = extract(f"From: a@b.example\n\n{letter}\n".encode()).letters
    assert found.letter
    assert (found.letter.kind, found.letter.sender) == ("vote", "louis")
    assert f"proposal: {name}" in letter
    quoted_mail = "\n".join(f"> {line}" for line in text.splitlines())
    for answer in (text, quoted_mail):
        read = extract(f"From: a@b.example\n\nI agree.\n\n{answer}\n".encode()).letters
        assert not [each for each in read if each.letter and each.letter.kind == "vote"]
    assert [fault.code for fault in extract(f"From: a@b.example\n\n{chr(10).join(shown)}\n".encode()).faults] == [
        "E-TEXT-NONE"
    ]


VOTE = ("pbem: 1", "kind: vote", "campaign: krieg", "from: louis", "body: {proposal: 41-0a, says: yes}")


@pytest.mark.parametrize(
    "pattern", ["- `{}`", "- {}", "`{}`", "    {}", "* {}", "\u2022 {}", "  - `{}`", "\u201c{}\u201d", "\u2013 `{}` "]
)
def test_the_lines_of_a_vote_may_have_dashes_and_quotes(pattern: str) -> None:
    dressed = "\n".join(pattern.format(line) for line in VOTE)
    for text in (
        dressed,
        f"I agree:\n\n{dressed}\n\nBest,\nLou",
        f"{dressed}\nBest, Lou",
        dressed.replace("\n", "\n\n"),
    ):
        (found,) = extract(f"From: a@b.example\n\n{text}\n".encode()).letters
        assert found.letter, text
        assert (found.letter.kind, found.letter.sender, found.is_quoted) == ("vote", "louis", False)
    quoted = "\n".join(f"> {line}" for line in dressed.splitlines())
    answered = f"No.\n\nFrom: The moderator\nSent: Monday\n\n{dressed}"
    for text in (quoted, answered):
        assert all(each.is_quoted for each in extract(f"From: a@b.example\n\n{text}\n".encode()).letters)


def test_what_dashes_do_to_lines_that_are_no_whole_vote_is_said() -> None:
    dressed = "\n".join(f"- `{line}`" for line in VOTE[:-1])
    (scrap,) = extract(f"From: a@b.example\n\n{dressed}\n".encode()).unread
    assert "with a dash or quotes" in scrap.faults[0].sentence("en")


UNCONCERNED = {
    "en": "It does not concern you: nothing is awaited from you.",
    "de": "Dich betrifft das nicht: Von dir wird nichts erwartet.",
    "es": "No te afecta: de ti no se espera nada.",
    "it": "Non ti riguarda: da te non si attende nulla.",
}


@pytest.mark.parametrize("language", languages())
def test_more_time_is_told_as_none_of_theirs_to_players_of_whom_nothing_is_awaited(
    tmp_path: Path, language: str
) -> None:
    table = SimulatedTable(tmp_path / "campaign", conduct=Conduct(votes="majority"), scenario="introductory").begun()
    name = propose(table, {"subject": "time", "about": "2"})
    table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "yes"}))
    said = UNCONCERNED[language]
    with table.open() as campaign:
        states = {each.player: each.state for each in briefings(campaign)["louis"].owed}
    assert any(state == "none yet" for state in states.values())
    for seat in ("louis", "frederick", "maria-theresa"):
        assert (said in told(table, seat, language)[1]) == (states.get(seat, "nothing required") != "none yet"), seat
    asked = next(seat for seat, state in states.items() if state == "none yet")
    table.ordered(asked)
    assert said in told(table, asked, language)[1]


TOO_LATE = {
    "en": ("The vote changes nothing", "comes too late and changes nothing"),
    "de": ("Die Stimme ändert nichts", "kommt zu spät und ändert nichts"),
    "es": ("El voto no cambia nada", "llega tarde y no cambia nada"),
    "it": ("Il voto non cambia nulla", "arriva troppo tardi e non cambia nulla"),
}


@pytest.mark.parametrize("language", languages())
def test_a_vote_on_a_deadline_that_is_over_is_told_that_it_changes_nothing(language: str) -> None:
    gone, late = TOO_LATE[language]
    votes: Any = macros_of(language, "maria", "campaign_votes_words.txt.j2")
    assert gone in votes.STATES["gone"]
    for key in ("E-VOTE-LATE", "E-VOTE-PROPOSAL.lapsed"):
        assert late in wrong(key, name="6-a950", until="").data(language)["message"]
