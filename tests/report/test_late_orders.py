"""Orders that come too late: receipt and report say so, what was done instead, and what can be done now."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.clock.clock import Bank, Clock, parse_moment
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.arrived import taken_in
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.play import rulings
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.settings import Conduct
from pbem.faults.wrong import wrong
from pbem.report.formats.pages import subject
from pbem.report.language.templates import languages
from pbem.report.letters import late as late_orders
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_behind_a_lock import Sealed
from tests.campaign.test_misorders import in_combat
from tests.campaign.test_moderating_carried import prussia
from tests.report.plain import body_text, letter_text

WORDS = {
    "en": ("orders came too late", "turn 1 (stage of France) was carried out on Monday, 30 November 2026"),
    "de": ("Befehle kamen zu spät", "Runde 1 (Zug Frankreichs) wurde am Montag, 30. November 2026"),
    "es": ("órdenes", "el turno 1 (etapa de Francia) se resolvió sin ellas el lunes 30 de noviembre de 2026"),
    "it": (
        "ordini arrivati tardi",
        "il turno 1 (fase della Francia) si è svolto senza di essi, lunedì 30 novembre 2026",
    ),
}
INSTEAD = {
    "en": ("default orders answered", "What you had sent before was carried out", "Nothing is asked of you now"),
    "de": ("galten die Ersatzbefehle", "was du vorher geschickt hattest", "Du bist gerade nicht am Zug"),
    "es": ("las órdenes por defecto", "lo que habías mandado antes", "Ahora no te toca"),
    "it": ("gli ordini predefiniti", "ciò che avevi mandato prima", "Per ora non hai ordini da dare"),
}
OLD = {
    "en": ("sheet out of date", "Your orders are on a sheet of turn 1 (stage of France), which is over"),
    "de": ("Bogen überholt", "Dein Bogen ist der für Runde 1 (Zug Frankreichs), und das ist vorbei"),
    "es": ("hoja anticuada", "Tu hoja es para el turno 1 (etapa de Francia), que ya ha pasado"),
    "it": ("foglio superato", "Il tuo foglio è per il turno 1 (fase della Francia): la fase è finita"),
}
ANEW = {"en": "Write it anew", "de": "Schreib ihn", "es": "Escríbelo de nuevo", "it": "Scrivila di nuovo"}
ORDERED = {
    "en": ("- The default orders were: ", "and France do not march"),
    "de": ("- Die Ersatzbefehle waren: ", "und Frankreich marschieren nicht"),
    "es": ("- Las órdenes por defecto fueron: ", "y Francia no marchan"),
    "it": ("- Gli ordini predefiniti sono stati: ", "e la Francia non marciano"),
}
IN_TIME = {
    "en": "no orders came in time",
    "de": "rechtzeitig kamen keine Befehle",
    "es": "no llegaron órdenes a tiempo",
    "it": "nessun ordine è arrivato in tempo",
}
LATE_AT = {
    "en": "(Turn 1, stage of France)",
    "de": "(Runde 1, Zug Frankreichs)",
    "es": "(Turno 1, etapa de Francia)",
    "it": "(Turno 1, fase della Francia)",
}
NOW_ON = {
    "en": "The game is now in turn 1 (stage of Prussia). Nothing is asked of you now",
    "de": "Das Spiel steht jetzt in Runde 1 (Zug Preußens). Du bist gerade nicht am Zug",
    "es": "La partida está en el turno 1 (etapa de Prusia). Ahora no te toca",
    "it": "Ora si gioca il turno 1 (fase della Prussia). Per ora non hai ordini da dare",
}
TO_SELF = {"en": "answered for you", "de": "galten für dich", "es": "se te aplicaron", "it": "risposto per te"}


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign in which Louis is to move, and default orders answer for the late."""
    clock = Clock(at_deadline="hold", grace="24h")
    root = tmp_path_factory.mktemp("late") / "campaign"
    table = SimulatedTable(root, clock=clock, scenario="introductory").begun()
    table.play(2)
    return table


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def orders_of_louis(table: SimulatedTable) -> str:
    with table.open() as campaign:
        assert campaign.state.stage == "1/france"
        orders = table.players["louis"].decide(campaign.state)
    return table.letter("louis", orders)


def told(table: SimulatedTable, receipt: Receipt, language: str) -> tuple[str, str, str]:
    """The subject and the body of a receipt, and the body of the report to its writer, each on one line."""
    with table.open() as campaign:
        data = receipt_data(campaign, receipt) | {"language": language}
        report = report_data(in_language(briefings(campaign)["louis"], language))
    return subject(data), " ".join(body_text(data).split()), " ".join(body_text(report).split())


GOES_ON = {
    "en": "came too late: what they answer was carried out on",
    "de": "kamen zu spät: Was sie beantworten, wurde am",
    "es": "llegaron tarde: lo que respondían se resolvió sin ellas",
    "it": "arrivati tardi: si è già deciso senza di essi",
}


@pytest.mark.parametrize("language", languages())
def test_a_stage_that_goes_on_is_not_told_as_over_to_whom_is_late(table: SimulatedTable, language: str) -> None:
    newer = orders_of_louis(table)
    table.now += timedelta(days=9)
    table.carried_out()
    receipt = table.send(newer)
    with table.open() as campaign:
        data = receipt_data(campaign, receipt) | {"language": language}
    data["late"] = {**data["late"], "is_past": False}
    assert GOES_ON[language] in " ".join(body_text(data).split())


@pytest.mark.parametrize("language", languages())
def test_late_orders_are_said_to_be_late_and_what_answered_is_told(table: SimulatedTable, language: str) -> None:
    newer = orders_of_louis(table)
    table.now += timedelta(days=9)
    table.carried_out()
    title, body, report = told(table, table.send(newer), language)
    (called, when), (defaults, _, now) = WORDS[language], INSTEAD[language]
    assert called in title
    assert when in body
    assert defaults in body
    assert now in body
    assert "`pbem plan preset`" in body
    assert "20:00" not in body, "nothing is asked, so no deadline is told"
    assert LATE_AT[language] in title
    assert NOW_ON[language] in body
    assert "E-LETTER-STAGE" not in body, "the stage that was on when the letter came in is no news"
    assert TO_SELF[language] in report
    assert f": {IN_TIME[language]}. " in report
    assert all(words in report for words in ORDERED[language])


@pytest.mark.parametrize("language", languages())
def test_behind_orders_that_were_carried_out_newer_ones_are_late(table: SimulatedTable, language: str) -> None:
    table.send(orders_of_louis(table))
    newer = orders_of_louis(table)
    table.now += timedelta(days=1)
    table.carried_out()
    title, body, report = told(table, table.send(newer), language)
    defaults, before, _ = INSTEAD[language]
    (called, sheet), (too_late, _) = OLD[language], WORDS[language]
    assert called in title
    assert too_late not in title
    assert sheet in body
    assert before in body
    assert defaults not in body
    assert TO_SELF[language] not in report
    assert ORDERED[language][0] not in report


IN_PART = {
    "en": "What you had sent before was carried out in part; the rest came back.",
    "de": "Ausgeführt wurde ein Teil dessen, was du vorher geschickt hattest; der Rest ist zurückgekommen.",
    "es": "Se ejecutó una parte de lo que habías mandado antes; el resto ha vuelto.",
    "it": "Si è eseguita una parte di ciò che avevi mandato prima; il resto è tornato indietro.",
}


def test_orders_of_which_some_came_back_are_not_told_as_carried_out(tmp_path: Path) -> None:
    table = in_combat(tmp_path, "return", "♥2", "♠5")
    newer = table.letter("frederick", prussia("♠5"))
    table.carried_out()
    receipt = table.send(newer)
    for language in languages():
        _, body, _ = told(table, receipt, language)
        assert IN_PART[language] in body


def test_only_orders_that_were_asked_and_missed_are_late(table: SimulatedTable) -> None:
    newer = orders_of_louis(table)
    future = newer.replace("stage: 1/france", "stage: 2/france")
    with table.open() as campaign:
        before = campaign.vault.entry
    table.now += timedelta(days=9)
    table.carried_out()
    with table.open() as campaign:
        rulings.rollback(campaign, before, "a mistake")
        campaign.save()
    for letter in (newer, future):
        receipt = table.send(letter)
        assert receipt.status == "refused"
        with table.open() as campaign:
            data = receipt_data(campaign, receipt)
        assert data["late"] == {}
        assert "too late" not in body_text(data)


def test_two_late_letters_of_one_number_are_told_apart_first(table: SimulatedTable) -> None:
    newer = orders_of_louis(table)
    table.now += timedelta(days=9)
    table.carried_out()
    receipt = table.send(newer)
    faults = [*receipt.verdict.faults, wrong("E-LETTER-TWICE", seat="louis", seq=2)]
    with table.open() as campaign:
        assert receipt_data(campaign, receipt)["late"]
        twice = replace(receipt, verdict=replace(receipt.verdict, faults=faults))
        assert receipt_data(campaign, twice)["late"] == {}


@pytest.mark.parametrize("language", languages())
def test_what_is_revealed_too_late_is_not_to_be_written_anew(tmp_path: Path, language: str) -> None:
    clock = Clock(at_deadline="hold", grace="24h")
    conduct = Conduct(sealing="reveal")
    table = Sealed(tmp_path / "campaign", conduct=conduct, clock=clock, scenario="introductory").begun()
    for player in table.players:
        table.commit(player, orders=table.decided(player))
    table.lock()
    newer = table.reveal_text("louis")
    for player in ("frederick", "maria-theresa"):
        table.reveal(player)
    table.now += timedelta(days=9)
    table.carried_out()
    with table.open() as campaign:
        assert campaign.state.stage != "1/setup"
    title, body, _ = told(table, table.send(newer), language)
    assert WORDS[language][0] in title
    assert INSTEAD[language][0] in body
    assert ANEW[language] not in body


@pytest.mark.parametrize("is_standing", [True, False])
@pytest.mark.parametrize("language", languages())
def test_only_who_has_plans_that_may_still_answer_is_not_told_that_plans_could_answer(
    table: SimulatedTable, language: str, is_standing: bool
) -> None:
    newer = orders_of_louis(table)
    plan: dict[str, Tree] = {"for": "battle", "tactic": "win-cheaply"} | ({"standing": "yes"} if is_standing else {})
    plans: Tree = {"france": {"plans": [plan]}}
    assert table.send(table.other_letter("louis", "plan", {"orders": plans})).status != "refused"
    table.now += timedelta(days=9)
    table.carried_out()
    _, body, report = told(table, table.send(newer), language)
    assert INSTEAD[language][0] in body
    assert TO_SELF[language] in report
    assert ("pbem plan preset" in body, "pbem plan preset" in report) == (not is_standing, not is_standing)
    with table.open() as campaign:
        data = report_data(in_language(briefings(campaign)["louis"], language))
    assert (STANDING_PLANS[language] in letter_text(data)) == is_standing, "of a stage that is over they are no news"


STANDING_PLANS = {
    "en": "Your standing plans are entry",
    "de": "Deine Dauerpläne sind Eintrag",
    "es": "Tus planes permanentes son la",
    "it": "I tuoi piani permanenti sono",
}


PAST = {
    "en": ("The deadline (Turn 1, stage of France) was ", " Late letters are taken until ", "Deadline (Turn 1"),
    "de": (
        "Die Frist für Runde 1, Zug Frankreichs endete am ",
        " Nachfrist bis ",
        ". Frist für Runde 1, Zug Frankreichs: ",
    ),
    "es": (
        "El plazo (turno 1, etapa de Francia) acabó el ",
        " Las órdenes con retraso se aceptan hasta ",
        "Plazo (turno",
    ),
    "it": ("Turno 1, fase della Francia: la scadenza della fase era ", " Le lettere in ritardo si ", "della fase è"),
}


@pytest.mark.parametrize("language", languages())
def test_the_answer_to_a_letter_behind_the_deadline_says_that_it_is_past(table: SimulatedTable, language: str) -> None:
    past, late, coming = PAST[language]
    with table.open() as campaign:
        deadline = parse_moment(campaign.public.deadline)
    wrong_orders = table.letter("louis", {"france": {"move": [{"Belle-Isle": "Wien"}]}})
    for then, tells, leaves_out in (
        (-2, (coming,), (past, late)),
        (2, (past, late), (coming,)),
        (48, (past,), (late,)),
    ):
        table.now = deadline + timedelta(hours=then)
        _, body, _ = told(table, table.send(wrong_orders), language)
        assert all(words in body for words in tells), body
        assert not any(words in body for words in leaves_out), body


IS_OVER = {
    "en": "===== Turn 1 (stage of France) is over. The game is now in turn 1 (stage of Prussia). ",
    "de": "===== Runde 1 (Zug Frankreichs) ist vorbei. Das Spiel steht jetzt in Runde 1 (Zug Preußens). ",
    "es": "===== El turno 1 (etapa de Francia) ya ha pasado. La partida está en el turno 1 (etapa de Prusia). ",
    "it": "===== Il turno 1 (fase della Francia) si è già svolto. Ora si gioca il turno 1 (fase della Prussia). ",
}


@pytest.mark.parametrize("language", languages())
def test_a_refusal_says_first_that_the_stage_of_the_letter_is_over(table: SimulatedTable, language: str) -> None:
    with table.open() as campaign:
        taken = taken_in(campaign.public, "louis")
        deadline = parse_moment(campaign.public.deadline)
    faulty, cut = missed(table), LetterVerdict(faults=[wrong("E-LETTER-MISSING.letter", key="stage")])
    unread = Receipt("louis", "", 0, cut, "", "refused", claimed_kind="orders")
    plans: Tree = {"france": {"plans": [{"for": "battle", "tactic": "win-cheaply"}]}}
    plan = table.other_letter("louis", "plan", {"orders": plans})
    table.now = deadline + timedelta(hours=2)
    with table.open() as campaign:
        body = " ".join(body_text(receipt_data(campaign, faulty, taken) | {"language": language}).split())
    assert f"===== {PAST[language][0].removeprefix('. ')}" in body
    table.now += timedelta(days=9)
    table.carried_out()
    for receipt, came in ((faulty, taken), (unread, taken), (table.send(plan), None)):
        with table.open() as campaign:
            body = " ".join(body_text(receipt_data(campaign, receipt, came) | {"language": language}).split())
        assert IS_OVER[language] in body
        assert AGAIN[language] not in body


AGAIN = {"en": "send it again", "de": "schick ihn noch einmal", "es": "mándalo otra vez", "it": "mandala di nuovo"}
LOCKED = {
    "en": "In turn 1 (set-up) orders can no longer be changed: what was sealed is being revealed. ",
    "de": "In Runde 1 (Aufstellung) sind keine Befehle mehr zu ändern: Was versiegelt war, wird offengelegt. ",
    "es": "Ya no se pueden cambiar órdenes para el turno 1 (despliegue inicial): se está revelando lo que se selló. ",
    "it": "Per il turno 1 (preparazione) gli ordini non si possono più cambiare: si sta svelando ciò che era ",
}


@pytest.mark.parametrize("language", languages())
def test_orders_behind_a_lock_are_not_to_be_corrected(tmp_path: Path, language: str) -> None:
    table = Sealed(tmp_path / "campaign", conduct=Conduct(sealing="reveal"), scenario="introductory").begun()
    orders = {player: table.decided(player) for player in table.players}
    for player in table.players:
        table.commit(player, orders=orders[player])
    table.lock()
    receipt = table.send(table.letter("louis", orders["louis"]))
    assert [fault.code for fault in receipt.verdict.faults] == ["E-LETTER-LOCKED"]
    body = told(table, receipt, language)[1]
    assert f"===== {LOCKED[language]}" in body
    assert AGAIN[language] not in body
    assert "`pbem reveal`" in body
    table.reveal("louis")
    body = told(table, receipt, language)[1]
    assert AGAIN[language] not in body
    assert "`pbem reveal`" not in body.partition("E-LETTER-LOCKED")[0]


def missed(table: SimulatedTable) -> Receipt:
    """The receipt of orders of Louis that are refused: a general is sent beyond all roads."""
    orders = {"france": {"move": [{"Broglie": "Wien"}]}, "bavaria": {"move": []}}
    receipt = table.send(table.letter("louis", orders))
    assert receipt.status == "refused"
    return receipt


def test_a_refused_letter_is_waited_for_till_the_end_of_the_grace_where_orders_are_missing(
    table: SimulatedTable,
) -> None:
    receipt = missed(table)
    with table.open() as campaign:
        data = receipt_data(campaign, receipt, held_for=("louis",))
    end, deadline = data["awaited_until"], data["deadline"]
    assert isinstance(end, dict)
    assert isinstance(deadline, dict)
    assert str(end["utc"]) > str(deadline["utc"]), "a day of grace"
    assert "The stage waits for that letter, until " in body_text(data).replace("\n", " ")
    part = table.send(table.letter("louis", {"france": {"move": []}}))
    assert part.status == "partial", "it leaves orders missing"
    again = missed(table)
    with table.open() as campaign:
        assert receipt_data(campaign, again, held_for=("louis",))["awaited_until"] == end
    table.send(orders_of_louis(table))
    again = missed(table)
    with table.open() as campaign:
        assert receipt_data(campaign, again, held_for=("louis",))["awaited_until"] == deadline
    vote = table.send(table.other_letter("louis", "vote", {"proposal": "1-0123456789abcdef", "says": "yes"}))
    assert vote.status == "refused"
    with table.open() as campaign:
        text = body_text(receipt_data(campaign, vote, held_for=("louis",)))
    assert "The stage waits for that letter" not in " ".join(text.split()), "the stage waits for the orders alone"


BANKED = {
    "en": ", the end of the bank of time and of the grace",
    "de": ", mit Zeitkonto und Nachfrist",
    "es": ", reserva de tiempo y margen incluidos",
    "it": ", riserva di tempo e proroga comprese",
}


def test_a_refused_letter_is_waited_for_beyond_the_bank_of_time_and_the_grace(tmp_path: Path) -> None:
    clock = Clock(at_deadline="hold", grace="1d", bank=Bank(start="2d", add="1d", most="4d"))
    table = SimulatedTable(tmp_path / "campaign", clock=clock, scenario="introductory").begun()
    table.play(2)
    receipt = missed(table)
    with table.open() as campaign:
        data = receipt_data(campaign, receipt, held_for=("louis",))
    for language, words in BANKED.items():
        assert words in body_text(data | {"language": language}).replace("\n", " ")


def test_everybody_waits_without_end_where_that_is_agreed(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", clock=Clock(at_deadline="wait"), scenario="introductory").begun()
    table.play(2)
    receipt = missed(table)
    with table.open() as campaign:
        data = receipt_data(campaign, receipt, held_for=("louis",))
    assert data["awaited_until"] is None
    assert "The stage waits for that letter." in body_text(data).replace("\n", " ")


@pytest.mark.parametrize(
    ("used", "answered"),
    [
        ({2: "orders"}, "orders"),
        ({6: "orders"}, "orders"),
        ({2: "plan"}, "plans"),
        ({2: "orders", 6: "plan"}, "plans"),
        ({2: "plan", 6: "orders"}, "orders"),
        ({}, ""),
    ],
)
def test_orders_that_an_earlier_adjudication_has_carried_out_answer_no_more_where_plans_do(
    monkeypatch: pytest.MonkeyPatch, used: dict[int, str], answered: str
) -> None:
    """Entries 5 and 8 are adjudications of one stage."""
    letters = {at: LetterRecord("louis", kind, "", "1/france", 1) for at, kind in used.items()}
    monkeypatch.setattr(late_orders, "record_in", letters.get)
    moving = [SimpleNamespace(number=8), SimpleNamespace(number=5)]
    ledger = SimpleNamespace(read=lambda number: number, latest_entries=lambda *_: iter(moving))
    record: Any = SimpleNamespace(absent={}, used=(*used,))
    campaign: Any = SimpleNamespace(ledger=ledger)
    entry: Any = moving[0]
    assert late_orders.answered_instead(campaign, "louis", entry, record) == answered


VOTE_OPEN = {
    "en": ("but your vote is", "Your vote on more time, 2 days (proposed by Frederick) is still asked until"),
    "de": ("aber deine Stimme fehlt noch", "Zur Abstimmung steht: mehr Zeit, 2 Tage (vorgeschlagen von Friedrich)."),
    "es": ("pero falta tu voto", "Se vota: más tiempo, 2 días (propuesta de Federico)."),
    "it": ("ma manca il tuo voto", "Si vota: più tempo, 2 giorni (proposta di Federico)."),
}


@pytest.mark.parametrize("language", languages())
def test_who_has_a_vote_open_is_never_told_that_nothing_is_asked(tmp_path: Path, language: str) -> None:
    clock = Clock(at_deadline="hold", grace="24h")
    conduct = Conduct(votes="majority")
    table = SimulatedTable(tmp_path / "campaign", clock=clock, conduct=conduct, scenario="introductory").begun()
    table.play(2)
    late = orders_of_louis(table)
    table.now += timedelta(days=9)
    table.carried_out()
    while "louis" in asked_now(table):
        table.carried_out(force=True, after=timedelta(days=9))
    table.send(table.other_letter("frederick", "proposal", {"subject": "time", "about": "2"}))
    is_open, on_what = VOTE_OPEN[language]
    *_, nothing = INSTEAD[language]
    _, body, _ = told(table, table.send(late), language)
    assert is_open in body
    assert on_what in body
    assert f"{nothing}." not in body
    message = table.other_letter("louis", "message", {"to": "frederick", "text": "How long?"})
    _, taken, _ = told(table, table.send(message), language)
    assert on_what in taken
    with table.open() as campaign:
        name = campaign.public.proposals[0].name
    table.send(table.other_letter("louis", "vote", {"proposal": name, "says": "no"}))
    _, body, _ = told(table, table.send(late + "\n"), language)
    assert on_what not in body


def asked_now(table: SimulatedTable) -> list[str]:
    with table.open() as campaign:
        assert campaign.public.next
        return [*campaign.public.next.owing]
