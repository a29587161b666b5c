"""Receipts, invitations and reminders: golden ones, and what must never stand in them."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.timing import due_reminders
from pbem.campaign.letters.arrived import taken_in
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.judging import judge
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.play.tokens import token_of
from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.settings import Conduct, Moderator, Seat
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letters import check_signature, letter_id, read_letter, sign_letter
from pbem.paper.plans.data import Tactic
from pbem.report.blocks import THEIRS
from pbem.report.formats.pages import cover_blocks, line, subject
from pbem.report.language.templates import WIDTH, languages, macros_of
from pbem.report.letters.agreed import offers_data
from pbem.report.letters.invitations import invitation_data, join_sheet, reminder_data
from pbem.report.letters.plan_words import own_plan_words
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.repeated import as_understood
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import preset_text
from pbem.report.letters.signed import invitation_letter, receipt_letter
from pbem.seal.keys import new_key
from tests.campaign.simulated import NAME, SimulatedTable
from tests.campaign.test_misorders import FLANDERS, table_with
from tests.report.plain import letter_text

from .campaign_table import OpenTable, joining, send, steady
from .golden import check_golden


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> OpenTable:
    """A campaign in which Prussia and Saxony are to move; only copies of it are played on."""
    found = OpenTable(tmp_path_factory.mktemp("moving"), scenario="introductory")
    found.join()
    found.play(3)
    return found


@pytest.fixture
def table(moving: OpenTable, tmp_path: Path) -> OpenTable:
    """The same for one test."""
    found = moving.copied(tmp_path / "campaign")
    for player in found.players.values():
        player.chance = deepcopy(player.chance)
    return found


def sheet_of(campaign: Campaign, player: str = "frederick") -> str:
    return str(report_data(briefings(campaign)[player])["sheet"])


def answered(campaign: Campaign, table: OpenTable, text: str, player: str = "frederick") -> dict[str, Any]:
    """The receipt of a letter that its player has signed."""
    letter = read_letter(sign_letter(text, table.players[player].key).encode(), "letter")
    data = receipt_data(campaign, adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32)))
    assert json.loads(json.dumps(data)) == data
    assert all(len(line) <= WIDTH for line in letter_text(data).splitlines())
    return data


def test_the_receipt_of_a_join_in_spanish_says_that_the_seat_is_taken(table: OpenTable) -> None:
    with table.open() as campaign:
        other = receipt_data(campaign, send(table, campaign, "louis", "message", {"to": "frederick", "text": "Sí."}))
    told = " ".join(letter_text(other | {"language": "es", "letter_kind": "join"}).split())
    assert "tu inscripción: ya tienes puesto. El próximo informe te dirá qué se te pide." in told
    assert "inscripción" not in letter_text(other | {"language": "es"})


def test_what_is_not_from_its_seat_says_so_and_what_is_says_nothing_of_it(table: OpenTable) -> None:
    said = {"en": "wrote in your name", "de": "in deinem Namen", "es": "en tu nombre", "it": "a tuo nome"}
    assert set(said) == set(languages())
    with table.open() as campaign:
        text = sheet_of(campaign)
        letter = read_letter(sign_letter(text, table.players["louis"].key).encode(), "letter")
        forged = adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32))
        unread = adjudicating.refuse_raw(campaign, "cd" * 32, [wrong("E-TEXT-NONE")], "frederick")
        own = answered(campaign, table, re.sub(r"(?m)^seq: .*$", "seq: 1", text))
        assert own["status"] == "refused"
        for language, sentence in said.items():
            for receipt in (forged, unread):
                data = receipt_data(campaign, receipt) | {"language": language}
                assert sentence in " ".join(letter_text(data).split())
                assert sentence not in letter_text(data | {"player": ""})
            assert sentence not in " ".join(letter_text(own | {"language": language}).split())


def test_orders_that_are_taken(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        final = answered(campaign, table, sheet)
        assert (final["status"], final["missing"], final["faults"]) == ("final", [], [])
        check_golden("campaign-receipt-final.txt", steady(letter_text(final)))
        again = answered(campaign, table, sheet)
        assert (again["status"], again["entry"]) == ("known", final["entry"])
        check_golden("campaign-receipt-known.txt", steady(letter_text(again)))
        owed = letter_text({**again, "owes": "orders"})
        assert "Your orders are still owed: fill in the sheet of your newest report" in " ".join(owed.split())
        later = (
            sheet.replace("seq: 3", "seq: 4").replace("  # final", "  final").replace("    saxony:", "    # saxony:")
        )
        lines = [line for line in later.splitlines() if not line.startswith("      move:") or "prussia" in later]
        draft = answered(campaign, table, "\n".join(lines).split("    # saxony:")[0])
        assert (draft["status"], draft["missing"]) == ("partial", ["saxony"])
        check_golden("campaign-receipt-partial.txt", steady(letter_text(draft)))
        for language in languages():
            assert "`saxony: {move: []}`." in " ".join(letter_text(draft | {"language": language}).split())
            other = letter_text(draft | {"language": language, "sections": {"saxony": "play"}})
            assert "{move: []}" not in other, "a battle cannot be left out"


def test_orders_that_are_refused_tell_every_fault_and_its_place(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        wrong = sheet.replace(
            "      move:\n", "      move:\n        - Friedrich: Jauer\n        - Schwerin: Paris\n", 1
        )
        refused = answered(campaign, table, wrong)
        assert (refused["status"], refused["echo"]) == ("refused", {})
        assert {fault["code"] for fault in refused["faults"]} == {"E-NAME-UNKNOWN"}
        line = wrong.splitlines().index("        - Schwerin: Paris") + 1
        assert line in {fault["line"] for fault in refused["faults"]}
        check_golden("campaign-receipt-refused.txt", steady(letter_text(refused)))
        assert "refused" in subject(refused)


GOES_ON = {"en": "goes on counting", "de": "gilt weiter", "es": "sigue en vigor", "it": "resta valido"}
AGAIN = {"en": "send it again", "de": "schick ihn noch einmal", "es": "mándalo otra vez", "it": "mandala di nuovo"}
REPLACE = {"en": "you can replace", "de": "ersetzen;", "es": "puedes sustituirlas", "it": "puoi sostituirli"}


def test_a_refusal_says_what_counts_only_where_something_does(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        first = answered(campaign, table, wrong)
        answered(campaign, table, sheet)
        second = answered(campaign, table, wrong.replace("seq: 3", "seq: 4"))
        assert (first["status"], second["status"]) == ("refused", "refused")
        for language in languages():
            texts = [" ".join(letter_text(each | {"language": language}).split()) for each in (first, second)]
            assert [GOES_ON[language] in text for text in texts] == [False, True]
            assert all(AGAIN[language] in text for text in texts)
            settled = " ".join(letter_text(second | {"language": language, "is_settled": True}).split())
            assert AGAIN[language] not in settled


def test_orders_that_are_carried_out_next_offer_no_replacement_by_a_deadline(table: OpenTable) -> None:
    with table.open() as campaign:
        final = answered(campaign, table, sheet_of(campaign))
        assert final["is_due"]
        assert final["ready"]["is_past"]
        still_open = {"is_due": False, "ready": None}
        for language in languages():
            due, open_still = (
                " ".join(letter_text(final | {"language": language} | state).split()) for state in ({}, still_open)
            )
            year = str(final["deadline"]["year"])
            assert [each in due for each in (REPLACE[language], year)] == [False, False]
            assert [each in open_still for each in (REPLACE[language], year)] == [True, True]


UNTIL = {"en": "until", "de": "bis", "es": "hasta el", "it": "fino a"}


def agree_on_a_delay(campaign: Campaign) -> None:
    """Let orders be changed for half an hour after the last ones."""
    settings = campaign.public.settings
    campaign.public.settings = replace(settings, clock=replace(settings.clock, delay="30m"))


def test_orders_that_can_be_changed_for_the_agreed_delay_say_until_when(table: OpenTable) -> None:
    with table.open() as campaign:
        agree_on_a_delay(campaign)
        final = answered(campaign, table, sheet_of(campaign))
        assert final["ready"]["moment"]["utc"] == stamp(campaign.now + timedelta(minutes=30))
        assert not final["ready"]["is_past"]
        campaign.now += timedelta(minutes=10)
        later = answered(campaign, table, re.sub(r"(?m)^seq: .*$", "seq: 4", sheet_of(campaign)))
        assert later["ready"] == final["ready"], "a letter that replaces another does not begin the delay anew"
        for language in languages():
            text = " ".join(letter_text(final | {"language": language}).split())
            assert f"{UNTIL[language]} " in text.partition(final["ready"]["moment"]["time"])[0]
            assert final["ready"]["moment"]["time"] in text


def report_to(campaign: Campaign, player: str, language: str) -> str:
    return " ".join(letter_text(report_data(replace(briefings(campaign)[player], language=language))).split())


ALL_IN = {"en": "so are all others", "de": "alle anderen auch", "es": "demás también", "it": "quelli degli altri"}


@pytest.mark.parametrize("language", languages())
def test_a_report_promises_changes_no_longer_than_the_stage_waits(tmp_path: Path, language: str) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        agree_on_a_delay(campaign)
        answered(campaign, table, sheet_of(campaign, "louis"), "louis")
        early = report_to(campaign, "louis", language)
        assert ALL_IN[language] not in early
        assert ALSO[language][1] in early
        assert ALSO[language][0] not in early, "nothing is asked of the reader"
        for player in ("frederick", "maria-theresa"):
            answered(campaign, table, sheet_of(campaign, player), player)
        moment = report_data(briefings(campaign)["louis"])["ready"]["moment"]
        assert moment["utc"] == stamp(campaign.now + timedelta(minutes=30))
        delayed = report_to(campaign, "louis", language)
        assert ALL_IN[language] in delayed
        assert moment["time"] in delayed
        campaign.now += timedelta(minutes=30)
        over = report_to(campaign, "louis", language)
        assert ALL_IN[language] in over
        assert moment["time"] not in over


ALSO = {
    "en": ("Also waiting for", "Waiting for"),
    "de": ("Gewartet wird auch auf", "Gewartet wird auf"),
    "es": ("También se espera a", "Se espera a"),
    "it": ("attende anche", "attende"),
}


VOTES_OPEN = {
    "en": ("put to the vote", "every deadline stands", "no longer open"),
    "de": ("abgestimmt", "jede Frist bleibt", "nicht mehr zur Abstimmung"),
    "es": ("votación", "todos los plazos siguen", "ya no está abierta"),
    "it": ("ai voti", "tutte le scadenze restano", "non è più aperta"),
}


@pytest.mark.parametrize("language", languages())
def test_a_proposal_is_put_to_the_vote_and_nothing_is_granted(table: OpenTable, language: str) -> None:
    put, stands, decided = VOTES_OPEN[language]
    with table.open() as campaign:
        proposed = receipt_data(campaign, send(table, campaign, "louis", "proposal", {"subject": "draw"}))
        proposed["language"] = language
        text = " ".join(letter_text(proposed).split())
        assert put in text.partition("=")[0]
        assert stands in text
        assert put in subject(proposed).lower().replace("abstimmung", "abgestimmt")
        over = " ".join(letter_text(proposed | {"is_open": False}).split())
        assert decided in over
        assert stands not in over


OLD_SHEET = {
    "en": "still owed: fill in the sheet of your newest report",
    "de": "stehen noch aus: Fülle den Befehlsbogen aus deinem neuesten Bericht aus",
    "es": "faltan tus órdenes: rellena la hoja de tu último informe",
    "it": "mancano ancora: compila il foglio del tuo ultimo rapporto",
}


@pytest.mark.parametrize("language", languages())
def test_an_old_sheet_is_not_to_be_corrected_and_what_is_owed_is_told(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        basis = re.sub(r"(?m)^basis: .*$", f"basis: {'0' * 24}", sheet)
        stage = re.sub(r"(?m)^stage: .*$", "stage: 1/setup", sheet)
        for old in (basis, stage):
            refused = answered(campaign, table, old) | {"language": language}
            assert refused["faults"][-1]["code"] in ("E-LETTER-BASIS", "E-LETTER-STAGE")
            text = " ".join(letter_text(refused).split())
            assert AGAIN[language] not in text
            assert OLD_SHEET[language] in text
            assert refused["deadline"]["time"] in text
        answered(campaign, table, sheet)
        again = answered(campaign, table, re.sub(r"(?m)^seq: .*$", "seq: 9", stage)) | {"language": language}
        text = " ".join(letter_text(again).split())
        assert AGAIN[language] not in text
        assert OLD_SHEET[language] not in text, "the orders are in"


NOTHING = {
    "en": "unchanged, it orders what stands in it without a `#`",
    "de": "unverändert befiehlt sie, was darin ohne `#` steht",
    "es": "tal cual, ordena lo que figura en él sin `#`",
    "it": "se lo mandi così com'è, valgono le sue righe senza `#`",
}


TO_ONE = {
    "en": "with a seat in place of `all` to one",
    "de": "einem einzelnen derselbe Befehl mit dessen Platz statt `all`",
    "es": "con un puesto en lugar de `all`, a uno solo",
    "it": "con un posto in luogo di `all`, a uno solo",
}


def no_letter_from(campaign: Campaign, player: str, language: str) -> dict[str, Any]:
    """Return the answer to a mail of a player without a letter."""
    verdict = LetterVerdict(faults=[wrong("E-TEXT-NONE")])
    return receipt_data(campaign, Receipt(player, "", 0, verdict, "ab" * 32, "refused")) | {"language": language}


@pytest.mark.parametrize("language", languages())
def test_a_mail_without_a_letter_is_told_that_the_game_is_over(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        before = letter_text(no_letter_from(campaign, "louis", language))
        assert campaign.state.table
        campaign.state.table.state.phase = campaign.state.public.phase = "over"
        told = " ".join(letter_text(no_letter_from(campaign, "louis", language)).split())
    over = macros_of(language, "", "campaign_report_words.txt.j2").over().split(".")[0]
    assert over in told
    assert over not in " ".join(before.split())


@pytest.mark.parametrize("language", languages())
def test_a_mail_without_a_letter_is_told_what_is_asked_and_no_more(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        owing, idle = (no_letter_from(campaign, player, language) for player in ("frederick", "louis"))
        assert (owing["owes"], idle["owes"]) == ("orders", "")
        texts = {"owing": letter_text(owing), "idle": letter_text(idle)}
        answered(campaign, table, sheet_of(campaign))
        done = no_letter_from(campaign, "frederick", language)
        texts["done"] = letter_text(done)
        assert done["owes"] == ""
        stranger = letter_text(no_letter_from(campaign, "", language))
        assert [name for name, text in texts.items() if "orders.yaml" in text] == ["owing"]
        assert "orders.yaml" not in stranger
        assert "pbem reveal" in letter_text(owing | {"owes": "reveal"})
        for text in (texts["owing"], texts["idle"]):
            assert "`pbem message all" in " ".join(text.split())
            assert TO_ONE[language] in " ".join(text.split())
            assert "pbem propose" not in text, "nobody agreed on votes"
        assert "`pbem propose time`" in " ".join(letter_text(idle | {"has_votes": True}).split())
        cast = {
            "player": "louis",
            "subject": "time",
            "about": "3",
            "must_all": False,
            "needed": 2,
            "voters": 3,
            "yes": ["frederick"],
            "no": [],
            "awaited": ["louis"],
        }
        asked = idle | {"votes": [{"name": "7-ab", "until": idle["deadline"], **cast}], "signing": "off"}
        assert "7-ab" in letter_text(asked)
        assert ".  " not in letter_text(asked)
        assert "    kind: vote" in letter_text(asked).splitlines()
        assert "`pbem message all" not in stranger
        assert "pbem propose" not in stranger
        assert NOTHING[language] in " ".join(texts["owing"].split())
        assert owing["deadline"]["time"] in texts["owing"]
        assert idle["deadline"]["time"] not in texts["idle"], "others have to answer by then"


SEND = {
    "en": "sign it, and send",
    "de": "signiere ihn und schick",
    "es": "fírmala y envíala",
    "it": "firmalo e invialo",
}


@pytest.mark.parametrize("language", languages())
def test_a_reminder_says_what_to_do_with_its_sheet(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        campaign.now = parse_moment(campaign.public.deadline)
        (reminder,) = due_reminders(campaign)
        sheet = sheet_of(campaign)
        data = reminder_data(campaign, reminder, sheet) | {"language": language}
        text = " ".join(letter_text(data).split())
        assert text.index(SEND[language]) < text.index("pbem: 1")
        assert SEND[language] not in " ".join(letter_text(data | {"key": ""}).split())
        counted = letter_text(data | {"is_counted": True, "why": "draft"})
        assert SEND[language] not in " ".join(counted.split())


AS_IT_IS = {"en": "as it is", "de": "unverändert", "es": "tal cual", "it": "così com'è"}


@pytest.mark.parametrize("language", languages())
def test_a_reminder_asks_for_no_sheet_whose_number_is_used(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        campaign.vault.posted = campaign.state.snapshot()
        for number in (0, 4):
            campaign.now = parse_moment(campaign.public.deadline)
            (reminder,) = due_reminders(campaign)
            data = reminder_data(campaign, reminder, "the sheet") | {"language": language}
            text = " ".join(letter_text(data).split())
            assert data["next_seq"] == number
            assert (AS_IT_IS[language] in text, f"`seq: {number}`" in text) == (not number, bool(number))
            if not number:
                part = sheet.replace("    saxony:", "    # saxony:").partition("    # saxony:")[0]
                assert answered(campaign, table, part)["status"] == "partial"
        assert answered(campaign, table, sheet)["status"] == "refused"
        assert answered(campaign, table, sheet.replace("seq: 3", "seq: 4"))["status"] == "final"


@pytest.mark.parametrize("language", languages())
def test_a_warning_is_not_told_as_wrong(table: OpenTable, language: str) -> None:
    headings = {
        "de": ("Was falsch ist", "Was auffällt"),
        "en": ("What is wrong", "Warnings"),
        "es": ("Lo que está mal", "Observaciones"),
        "it": ("Che cosa è sbagliato", "Avvertenze"),
    }[language]
    warning = wrong("W-MARCH-WAY.conquers", way=("Jauer", "Glatz"), other=("Jauer",), cities=("Jauer",))
    faults = (
        Fault.at(20, 1, warning),
        Fault.at(21, 1, wrong("E-NAME-UNKNOWN.train", power="x", written="y", names=())),
    )
    with table.open() as campaign:
        receipt = adjudicating.refuse_raw(campaign, "ab" * 32, list(faults), "louis")
        for status, shown in (("refused", headings), ("final", headings[1:])):
            told = faults if status == "refused" else faults[:1]
            verdict = replace(receipt.verdict, faults=list(told))
            data = receipt_data(campaign, replace(receipt, verdict=verdict, status=status))
            text = letter_text(data | {"language": language})
            lines = [line.partition(" (")[0] for line in text.split("\n")]
            assert [line for line in lines if line in headings] == list(shown)
            below = text.partition(headings[1])[2]
            assert "W-MARCH-WAY" in below
            assert "E-NAME-UNKNOWN" not in below


def test_a_receipt_does_not_repeat_keys_and_random_bytes(tmp_path: Path) -> None:
    table = OpenTable(tmp_path)
    with table.open() as campaign:
        text = joining(campaign, "louis", table.players["louis"].key, "Lou")
        joined = answered(campaign, table, text, "louis")
        assert (joined["status"], joined["echo"]) == ("final", {"name": "Lou"})
        table.players["louis"].seq = 1
        new = new_key("new")
        changed = answered(campaign, table, table.key_change("louis", new), "louis")
        assert (changed["status"], changed["echo"]) == ("final", {"key": new.public.text})


CHEAPLY = {
    "de": (
        "Jede Schlacht dieses Zuges: auf Sieg spielen, wenn die Karten reichen, von einer Reserve nur, was nötig ist."
    ),
    "en": "Every battle of this stage: play to win if the cards suffice, and of a Reserve no more than it takes.",
    "es": "Cada batalla de esta etapa: jugar a ganar si las cartas alcanzan, y de una Reserva, solo lo necesario.",
    "it": "Ogni battaglia di questa fase: giocare per vincere se le carte bastano, di una Reserve solo quanto basta.",
}


OF_SCHWERIN = {
    "de": "Jede Schlacht dieses Zuges mit Schwerin: zuerst ♠7, danach: keine Karte.",
    "en": "Every battle of this stage with Schwerin: first ♠7, then: no card.",
    "es": "Cada batalla de esta etapa con Schwerin: primero ♠7, después: ninguna carta.",
    "it": "Ogni battaglia di questa fase con Schwerin: prima ♠7, poi: nessuna carta.",
}


@pytest.mark.parametrize("language", languages())
def test_every_tactic_has_words(language: str) -> None:
    for tactic in get_args(Tactic):
        assert own_plan_words("maria", language, {"for": "battle", "tactic": tactic, "standing": "yes"})


NEEDED = {
    "en": "Your sheet `orders.yaml` now needs `seq: {}`",
    "de": "In deinem Bogen `orders.yaml` muss jetzt `seq: {}` stehen",
    "es": "Tu hoja `orders.yaml` necesita ahora `seq: {}`",
    "it": "Nel tuo foglio `orders.yaml` deve ora stare `seq: {}`",
}


@pytest.mark.parametrize("language", languages())
def test_a_receipt_tells_plans_in_words_a_line_each(tmp_path: Path, language: str) -> None:
    said = {
        "de": "- Preußen, 1: Eine Schlacht, die meine Karten in mindestens drei von zehn Fällen gewinnen",
        "en": "- Prussia, 1: A battle that my cards would win at least three times of ten",
        "es": "- Prusia, 1: Una batalla que mis cartas ganarían al menos tres veces de cada diez",
        "it": "- Prussia, 1: Una battaglia che le mie carte vincerebbero almeno tre volte su dieci",
    }[language]
    table = OpenTable(tmp_path, seats={"frederick": Seat(language=language)}, scenario="introductory")
    table.join()
    table.play(3)
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
        head = {"campaign": NAME, "from": "frederick", "stage": told.stage, "basis": told.basis, "seq": told.seq}
        preset = preset_text(told.table_in_play.rules, "careful", told.powers, language, head)
        own = "        - {for: battle, tactic: win-cheaply, keep: [R]}\n        - {for: battle, tactic: win-cheaply}\n"
        data = answered(campaign, table, preset.rstrip("\n") + "\n" + own)
        assert (data["status"], data["letter_kind"]) == ("partial", "plan")
        text = letter_text(data)
        assert said in " ".join(text.split()), text
        assert "{for: battle, keep: [R], tactic: win-cheaply}" in " ".join(text.split()), (
            "what has no words stands as written"
        )
        assert CHEAPLY[language] in " ".join(text.split()), "a tactic for all battles has words"
        assert text.count("for:") == 1
        assert len(text.splitlines()) < 60
        assert NEEDED[language].format(told.seq + 1) in " ".join(text.split()), "its sheet has the same number"
        assert NEEDED[language].partition(" `")[0] not in letter_text(data | {"owes": ""})


def test_what_could_not_be_read_is_answered(table: OpenTable) -> None:
    with table.open() as campaign:
        strange = "there is no letter here \x1b[2J\u202e\npbem: 1"
        fault = Fault.at(3, 1, wrong("E-NAME-UNKNOWN.train", power=strange, written="x", names=("y",)))
        data = receipt_data(campaign, adjudicating.refuse_raw(campaign, "cd" * 32, [fault]))
        text = letter_text(data)
        letter = read_letter(receipt_letter(data, table.moderator).encode(), "receipt")
    assert "no letter could be read" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\npbem: 1" not in text
    check_signature(letter, table.moderator.public)


def test_the_signed_receipt_names_the_letter_and_what_was_understood(table: OpenTable) -> None:
    with table.open() as campaign:
        signed = sign_letter(sheet_of(campaign), table.players["frederick"].key)
        letter = read_letter(signed.encode(), "letter")
        data = receipt_data(campaign, adjudicating.take_letter(campaign, letter))
        receipt = read_letter(receipt_letter(data, table.moderator).encode(), "receipt")
        head = campaign.vault.hash
    check_signature(receipt, table.moderator.public)
    body: Any = bare(receipt.body)
    assert (receipt.kind, receipt.sender, body["to"]) == ("receipt", "moderator", "frederick")
    assert (body["letter"], body["status"], body["head"]["hash"]) == (letter_id(letter), "final", head)
    assert body["understood"]["orders"] == {"prussia": {"move": ""}, "saxony": {"move": ""}}


def test_a_receipt_has_the_names_as_they_were_understood(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        sheet = sheet.replace("# - Friedrich der Große: Breslau, Trebnitz", '- friedrich d: "bresl, trebnitz"')
        sheet = sheet.replace("# - Rutowski: Leitmeritz, Welwarn", "- rutow: [leitm, WELWARN]")
        sheet = sheet.replace("# - train 1: Döbeln", "- train 1: doebeln")
        data = answered(campaign, table, sheet)
    assert data["status"] == "final"
    assert data["echo"]["orders"] == {
        "prussia": {"move": [{"Friedrich der Große": "Breslau, Trebnitz"}]},
        "saxony": {"move": [{"Rutowski": ["Leitmeritz", "Welwarn"]}, {"train 1": "Döbeln"}]},
    }


def test_two_spellings_of_one_name_are_both_repeated() -> None:
    node = read_yaml(b"leitm: 1\nleitme: 2\n", "letter")
    names = {(1, 1): ("leitm", "Leitmeritz"), (2, 1): ("leitme", "Leitmeritz")}
    assert as_understood(node, names) == {"leitm": "1", "leitme": "2"}
    assert as_understood(node, {(1, 1): names[1, 1]}) == {"Leitmeritz": "1", "leitme": "2"}


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
def test_sealed_parts_are_not_repeated(tmp_path: Path, sealing: Any) -> None:
    table = OpenTable(tmp_path, Conduct(sealing=sealing), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        receipts = []
        for player in campaign.public.next.owing if campaign.public.next else ():
            bot_player = table.players[player]
            key = table.moderator.public if sealing == "moderator" else None
            text = bot_player.orders(campaign.state, key, commit_only=key is None)
            receipts.append(
                receipt_data(campaign, adjudicating.take_letter(campaign, read_letter(text.encode(), "letter")))
            )
        if sealing == "reveal":
            adjudicating.adjudicate(campaign)
            for player in table.players:
                text = table.players[player].reveal(campaign.state)
                receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
                receipts.append(receipt_data(campaign, receipt))
    secrets = [table.players[player].committed for player in table.players]
    for data in receipts:
        written = letter_text(data) + receipt_letter(data, table.moderator)
        assert "allot" not in written
        assert "BEGIN AGE" not in written
        assert not any(part and part.salt.hex() in written for part in secrets)
    commitment = table.players["louis"].committed
    assert commitment
    assert commitment.commitment in "".join(letter_text(data) for data in receipts)


def test_a_forged_letter_learns_nothing(table: OpenTable) -> None:
    """A writer without the key is told that it is missing, and neither the real hand nor the real orders."""
    with table.open() as campaign:
        real = sheet_of(campaign)
        table.deliver(campaign, sign_letter(real, table.players["frederick"].key))
        forged = real.replace("seq: 3", "seq: 8").replace("      move:\n", "      play: [♠7, stop]\n      move:\n", 1)
        letter = read_letter(sign_letter(forged, new_key("thief")).encode(), "letter")
        data = receipt_data(campaign, adjudicating.take_letter(campaign, letter))
    assert (data["status"], data["echo"], data["missing"]) == ("refused", {}, [])
    assert [fault["code"] for fault in data["faults"]] == ["E-SIGNATURE-KEY"]


@pytest.mark.parametrize("language", languages())
def test_an_invitation_to_a_game_that_begins_in_the_middle(tmp_path: Path, language: str) -> None:
    table = OpenTable(tmp_path, scenario="advanced")
    with table.open() as campaign:
        data = invitation_data(campaign.public, "louis") | {"position": "silesia.yaml", "language": language}
    data["terms"] |= {"players": "3", "edition": "2.0", "placing": "simultaneous", "rulings": {"beyond_end": "none"}}
    told = letter_text(data)
    assert "silesia.yaml" in told
    assert not [key for key in data["terms"] if f"- {key}" in told], "no key of the terms stands in place of words"
    assert "beyond_end: none" in told


def test_the_golden_invitation(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, moderator=Moderator("Anna", seat="louis"), scenario="advanced")
    with table.open() as campaign:
        data = invitation_data(campaign.public, "frederick", campaign.rules.seats, "0123456789abcdef")
        letter = read_letter(invitation_letter(data, table.moderator).encode(), "invitation")
    check_golden("campaign-invitation.txt", steady(letter_text(data)))
    found = guidance_of(letter, "invitation")
    assert found.moderator == table.moderator.public
    assert (found.seats, found.seat) == (("frederick", "louis", "maria-theresa"), "frederick")


def test_a_join_sheet_that_is_filled_in_takes_the_seat(tmp_path: Path) -> None:
    table = OpenTable(tmp_path, scenario="introductory")
    key = new_key("louis")
    with table.open() as campaign:
        sheet = join_sheet(campaign.public, "louis", token_of(campaign.state, "louis"))
        empty = judge(campaign.state, read_letter(sheet.encode(), "sheet"), campaign.open_box)
        filled = sheet.replace("  key:", f"  key: {key.public.text}").replace("entropy:", "entropy: many long words")
        receipt = adjudicating.take_letter(campaign, read_letter(sign_letter(filled, key).encode(), "letter"))
    assert {fault.code for fault in empty.faults} >= {"E-JOIN-ENTROPY"}
    assert receipt.status == "final"
    assert not receipt.verdict.faults


def test_the_golden_reminders(table: OpenTable) -> None:
    texts = []
    with table.open() as campaign:
        for _ in range(5):
            campaign.now += timedelta(hours=24)
            for reminder in rulings.remind(campaign):
                texts.append(letter_text(reminder_data(campaign, reminder)))
    check_golden("campaign-reminders.txt", "\n".join(texts))


SAID_OF_WAITING = {
    "en": ("Your letter 3 no longer counts", "You ask to wait"),
    "de": ("Dein Brief 3 gilt nicht mehr", "Du bittest zu warten"),
    "es": ("Tu envío 3 ya no vale", "Pides esperar"),
    "it": ("La tua lettera 3 non vale più", "Chiedi di aspettare"),
}


def test_a_letter_that_replaces_another_and_asks_to_wait_is_told_so(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        first = answered(campaign, table, sheet)
        assert (first["replaces"], first["is_waiting"]) == (0, False)
        second = answered(campaign, table, sheet.replace("seq: 3", "seq: 4").replace("body:\n", "body:\n  wait: yes\n"))
        assert (second["replaces"], second["is_waiting"]) == (3, True)
        for language, sentences in SAID_OF_WAITING.items():
            said = " ".join(letter_text(second | {"language": language}).split())
            assert [each for each in sentences if each in said] == [*sentences]
        again = answered(campaign, table, sheet)
        assert (again["status"], again["replaces"], again["is_waiting"]) == ("known", 0, False)


LEFT_OUT = {
    "en": "What stood only in that one no longer counts: Prussia (`plans`).",
    "de": "Was nur in jenem stand, gilt nicht mehr: Preußen (`plans`).",
    "es": "Lo que solo estaba en aquel ya no vale: Prusia (`plans`).",
    "it": "Ciò che era solo in quella non vale più: Prussia (`plans`).",
}


def test_what_a_newer_letter_leaves_out_is_named(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        plans = "    prussia:\n      plans: [{for: battle, tactic: win-cheaply}]\n"
        assert answered(campaign, table, sheet.replace("    prussia:\n", plans))["left_out"] == []
        newer = answered(campaign, table, sheet.replace("seq: 3", "seq: 4"))
        assert newer["left_out"] == [{"power": "prussia", "sections": ["plans"]}]
        for language, sentence in LEFT_OUT.items():
            said = " ".join(letter_text(newer | {"language": language}).split())
            assert sentence in said
            held = " ".join(letter_text(newer | {"language": language, "has_plans": True}).split())
            assert "`kind: plan`" in held or "kind `plan`" in held
        again = answered(campaign, table, sheet.replace("seq: 3", "seq: 5"))
        assert (again["replaces"], again["left_out"]) == (4, [])


def test_what_was_sent_before_counts_only_if_it_answers_what_is_asked(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        assert not answered(campaign, table, wrong)["is_counting"]
        answered(campaign, table, sheet.replace("seq: 3", "seq: 4"))
        assert answered(campaign, table, wrong.replace("seq: 3", "seq: 5"))["is_counting"]


@pytest.mark.parametrize(
    ("plan", "is_in_force"),
    [
        ("{for: battle, tactic: win, standing: yes}", True),
        ("{for: battle, tactic: win}", True),
        ("{for: battle, tactic: win, standing: yes, until: NOW}", True),
        ("", False),
    ],
)
def test_plans_in_force_are_no_orders_that_were_sent_before(table: OpenTable, plan: str, is_in_force: bool) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        answered(campaign, table, letter_of_plans(sheet, plan.replace("NOW", campaign.state.stage)))
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        data = answered(campaign, table, wrong.replace("seq: 3", "seq: 4"))
    assert (data["is_counting"], data["has_plans"]) == (False, is_in_force)
    told = " ".join(letter_text(data).split())
    assert ("Nothing of it counts; your plans stay in force." in told) == is_in_force
    assert "what you sent before" not in told


@pytest.mark.parametrize(
    ("plan", "is_in_force"),
    [
        ("{for: battle, tactic: win}", False),
        ("{for: battle, tactic: win, standing: yes, until: NOW}", False),
        ("{for: battle, tactic: win, standing: yes}", True),
    ],
)
def test_plans_of_a_stage_that_is_over_do_not_stay_in_force(table: OpenTable, plan: str, is_in_force: bool) -> None:
    with table.open() as campaign:
        stage = campaign.state.stage
        answered(campaign, table, letter_of_plans(sheet_of(campaign), plan.replace("NOW", stage)))
        table.players["frederick"].next_seq()
        while campaign.state.stage == stage:
            table.round(campaign)
        words = adjudicating.refuse_raw(campaign, "cd" * 32, [wrong("E-TEXT-NONE")], "frederick")
        data = receipt_data(campaign, words)
    assert data["has_plans"] == is_in_force
    assert ("your plans stay in force" in " ".join(letter_text(data).split())) == is_in_force


def letter_of_plans(sheet: str, plan: str) -> str:
    """A letter of plans of Prussia, under the head of an order sheet."""
    head = re.sub(r"(?ms)^body:.*", "", sheet).replace("kind: orders", "kind: plan")
    return f"{head}body:\n  orders:\n    prussia:\n      plans: [{plan}]\n"


NUMBER = {
    "en": "send it again, with `seq: 4`.",
    "de": "schick ihn noch einmal, mit `seq: 4`.",
    "es": "mándalo otra vez, con `seq: 4`.",
    "it": "mandala di nuovo, con `seq: 4`.",
}
ONCE_MORE = {"en": "send that once more", "de": "schick das noch", "es": "con lo que mandaste", "it": "con ciò che hai"}


@pytest.mark.parametrize("language", languages())
def test_a_refused_letter_is_told_the_number_to_be_sent_again_with(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        assert answered(campaign, table, wrong)["next_seq"] == 0
        answered(campaign, table, sheet)
        data = answered(campaign, table, wrong)
    assert data["next_seq"] == 4
    assert NUMBER[language] in " ".join(letter_text(data | {"language": language}).split())


@pytest.mark.parametrize("language", languages())
def test_only_what_came_in_for_the_present_position_is_to_be_sent_once_more(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        answered(campaign, table, sheet)
        data = answered(campaign, table, wrong.replace("seq: 3", "seq: 4")) | {"is_awaited": True, "language": language}
        assert (data["is_counting"], data["may_repeat"]) == (True, True)
        assert ONCE_MORE[language] in " ".join(letter_text(data).split())
        campaign.public.since = campaign.public.pending["frederick"].entry
        again = answered(campaign, table, wrong.replace("seq: 3", "seq: 5")) | {
            "is_awaited": True,
            "language": language,
        }
        assert (again["is_counting"], again["may_repeat"]) == (True, False)
        assert ONCE_MORE[language] not in " ".join(letter_text(again).split())
        campaign.public.pending.clear()


def test_a_letter_that_comes_again_is_called_by_its_own_stage_and_tells_the_deadline(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        answered(campaign, table, sheet)
        again = answered(campaign, table, sheet) | {"stage": "2/austria"}
        assert again["letter_stage"] in sheet
        assert "Turn 2" not in subject(again)
        assert "Deadline (Turn 2" in letter_text(again)


AGREED = (
    "pbem: 1\nkind: agreement\ncampaign: {name}\nfrom: {seat}\nstage: {stage}\nbasis: {basis}\nseq: {seq}\n"
    "body:\n  with: {partner}\n  words: Leave it\n  binds: {{cities: [{city}]}}\n  until: 3\n"
)

SENDS = {
    "en": ("frederick sends the same", "has sent almost the same", "all have sent the same"),
    "de": ("dasselbe schickt", "fast dasselbe geschickt", "alle haben dasselbe geschickt"),
    "es": ("federico mande lo mismo", "ha mandado casi lo mismo", "todos han mandado lo mismo"),
    "it": ("manda lo stesso testo anche", "ha mandato quasi", "tutti hanno mandato lo stesso"),
}
SIGNING = ("sign the", "signs the", "signed", "signiert", "firme", "firmado", "firma lo", "firmato")

SAID_OF_AGREEMENTS = {
    "en": (
        "counts once Frederick signs the same",
        "to the end of turn 3",
        "Only the spelling of a city differs",
        "All",
    ),
    "de": ("erst, wenn auch Friedrich dasselbe signiert", "bis zum Ende der Runde 3", "Nur eine Stadt", "Alle haben"),
    "es": ("en cuanto Federico firme lo mismo", "hasta el final del turno 3", "Solo una ciudad", "Todos han"),
    "it": ("firma lo stesso testo anche Federico", "fino alla fine del turno 3", "Solo una città", "Tutti hanno"),
}


def test_the_receipt_of_an_agreement_says_who_has_to_sign_it_and_what_differs(table: OpenTable) -> None:
    with table.open() as campaign:
        head = {"name": NAME, "stage": campaign.state.stage, "basis": campaign.public.basis[:24]}

        def signed(seat: str, partner: str, city: str, seq: int) -> dict[str, Any]:
            text = AGREED.format(**head, seat=seat, partner=partner, city=city, seq=seq)
            return answered(campaign, table, text, seat)

        offered = signed("louis", "frederick", "Prag", 5)
        assert offered["agreement"]["missing"] == ["frederick"]
        assert offered["agreement"]["cities"] == ["Prague"]
        otherwise = signed("frederick", "louis", "Prague", 5)
        assert otherwise["agreement"]["near"] == [
            {"player": "louis", "entry": offered["entry"], "differs": ["binds"], "is_spelling": True}
        ]
        done = signed("frederick", "louis", "Prag", 6)
        assert (done["agreement"]["missing"], done["agreement"]["near"]) == ([], [])
        for language, (waits, until, spelling, counts) in SAID_OF_AGREEMENTS.items():
            texts = [
                " ".join(letter_text(each | {"language": language}).split()) for each in (offered, otherwise, done)
            ]
            assert waits in texts[0]
            assert until in texts[0]
            assert spelling in texts[1]
            assert counts in texts[2]
        for language, sends in SENDS.items():
            unsigned = {"language": language, "signing": "off"}
            told = " ".join(letter_text(each | unsigned) for each in (offered, otherwise, done)).casefold()
            assert [word for word in sends if word in " ".join(told.split())] == [*sends]
            assert not [word for word in SIGNING if word in told]
        other = signed("maria-theresa", "louis, frederick", "Prag", 5)
        assert other["agreement"]["near"] == [], "between other players"


SAID_OF_OFFERS = {
    "en": (
        "Maria Theresa offers you an agreement; it holds to the end of turn 3 and binds the city Prague:",
        "Louis has yet to agree, too",
        "or sooner: the offer lapses as soon as all orders are in",
        '`pbem message maria-theresa "No."`. Until all have agreed, only the players whom it names and the moderator',
        "then everybody is told its words",
    ),
    "de": (
        "bietet dir eine Vereinbarung an; sie gilt bis zum Ende der Runde 3 (betrifft: Stadt Prague):",
        "auch Ludwig muss noch",
        "besser früher: Das Angebot verfällt",
        "danach erfahren ihn alle",
    ),
    "es": (
        "te ofrece un acuerdo (ciudad Pra",
        "también falta por aceptarlo Luis",
        "mejor antes, porque la oferta caduca",
        "después, todos conocen su texto",
    ),
    "it": (
        "ti offre un accordo; vale fino alla fine del turno 3 e riguarda la città di Pra",
        "deve ancora accettarlo anche Luigi",
        "o prima: l'offerta decade",
        "poi tutti leggono il testo dell'accordo",
    ),
}


def test_an_agreement_that_one_party_signs_is_offered_to_all_others(table: OpenTable) -> None:
    def offers() -> dict[str, dict[str, Any]]:
        return {each["player"]: each for each in offers_data(campaign)}

    with table.open() as campaign:
        head = {"name": NAME, "stage": campaign.state.stage, "basis": campaign.public.basis[:24], "seq": 5}
        text = AGREED.format(**head, seat="maria-theresa", partner="louis, frederick", city="Prag")
        answered(campaign, table, text, "maria-theresa")
        offered = offers()
        assert [*offered] == ["frederick", "louis"]
        for language, sentences in SAID_OF_OFFERS.items():
            offer = offered["frederick"] | {"language": language}
            said = " ".join(letter_text(offer).split())
            assert subject(offer).startswith(f"[{NAME}] ")
            assert [each for each in sentences if each in said] == [*sentences]
            assert "pbem sign agreement.yaml" in said
            assert "pbem: 1" not in said, "quoted, it would agree"
            cover = str(cover_blocks(offer, ["offer.yaml.age"]))
            assert "offer.yaml.age" in cover
            assert str(offer["words"]) not in cover
        answered(campaign, table, offered["frederick"]["letter"], "frederick")
        assert [*offers()] == ["louis"]
        answered(campaign, table, offered["louis"]["letter"], "louis")
        assert not offers()
        assert campaign.public.deals, "all have signed the same"


LAPSED_OFFERS = {
    "en": ("the offer has lapsed", "it has lapsed", "Correct it"),
    "de": ("es ist verfallen", "das Angebot ist verfallen", "Berichtige"),
    "es": ("la oferta ha caducado", "la oferta ha caducado", "Corrígelo"),
    "it": ("l'offerta è decaduta", "l'offerta è decaduta", "Correggila"),
}


def test_who_signs_an_offer_that_has_lapsed_is_told_that_and_nothing_of_orders(table: OpenTable) -> None:
    with table.open() as campaign:
        head = {"name": NAME, "stage": campaign.state.stage, "basis": campaign.public.basis[:24], "seq": 5}
        text = AGREED.format(**head, seat="maria-theresa", partner="louis, frederick", city="Prag")
        answered(campaign, table, text, "maria-theresa")
        offer = next(str(each["letter"]) for each in offers_data(campaign) if each["player"] == "frederick")
        early = offer.replace(head["basis"], "0" * 24)
        for is_late in (False, True):
            if is_late:
                table.round(campaign)
                assert campaign.public.promises, "the turn goes on"
                assert not [*offers_data(campaign)], "the enclosed letter could not be taken"
            for language, sentences in LAPSED_OFFERS.items():
                campaign.public.players["frederick"].language = language
                receipt = answered(campaign, table, offer if is_late else early)
                said = " ".join(letter_text(receipt).split())
                assert receipt["status"] == "refused"
                assert sentences[is_late] in said
                assert "`pbem agree`" in said
                assert sentences[2] not in said


TERMS = "campaign_terms.txt.j2"
TERMS_IN_WORDS = {
    "en": "; it holds to the end of turn 1 and binds the powers Bavaria and Saxony; the city Prag",
    "de": "; sie gilt bis zum Ende der Runde 1 (betrifft: Mächte Bayern und Sachsen; Stadt Prag)",
    "es": "(potencias Baviera y Sajonia; ciudad Prag) que rige hasta el final del turno 1",
    "it": "; vale fino alla fine del turno 1 e riguarda le potenze Baviera e Sassonia; la città di Prag",
}


@pytest.mark.parametrize("language", languages())
def test_the_terms_of_an_agreement_go_on_a_sentence(language: str) -> None:
    binds, terms = {"powers": ["bavaria", "saxony"], "cities": ["Prag"]}, macros_of(language, "maria", TERMS).terms
    assert terms(binds, "1").replace(THEIRS, "") == TERMS_IN_WORDS[language]
    assert terms({}, "") == ""


LINES_ON_AGREEMENTS = {
    "en": (
        "Agreement with X, in force to the end of stage 2/france: “Peace.” (entry 7).",
        "Ended: your agreement with X, “Peace.” (entry 7).",
        "And 1 more agreement of yours.",
        "An offer of Louis is open",
    ),
    "de": (
        "Vereinbarung mit X, in Kraft bis zum Ende des Zuges 2/france: „Peace.“ (Eintrag 7).",
        "Ausgelaufen: deine Vereinbarung mit X, „Peace.“ (Eintrag 7).",
        "Und 1 weitere Vereinbarung von dir.",
        "Ein Angebot von Ludwig ist offen",
    ),
    "es": (
        "Acuerdo con X, en vigor hasta el final de la etapa 2/france: «Peace.» (entrada 7).",
        "Ha terminado tu acuerdo con X: «Peace.» (entrada 7).",
        "Y 1 acuerdo tuyo más.",
        "Hay una oferta abierta de Luis",
    ),
    "it": (
        "Accordo con X, in vigore fino alla fine della fase 2/france: «Peace.» (voce 7).",
        "È finito il tuo accordo con X: «Peace.» (voce 7).",
        "E 1 altro tuo accordo.",
        "C'è un'offerta aperta di Luigi",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_lines_on_agreements_in_every_language(language: str) -> None:
    words = macros_of(language, "maria", "campaign_terms_words.txt.j2")
    deal = {"entry": 7, "words": "Peace.", "until": "2/france"}
    said = [words.in_force(deal, "X", line), words.ended(deal, "X", line), words.left(1), words.answers("louis")]
    plain = [each.replace(THEIRS, "").replace("\u00a0", " ") for each in said]
    assert [told for told in LINES_ON_AGREEMENTS[language] if any(told in each for each in plain)] == [
        *LINES_ON_AGREEMENTS[language]
    ]


DONE = {
    "en": "your orders have been carried out Your newest report (0017) tells how the game stands.",
    "de": "Deine Befehle sind ausgeführt Dein neuester Bericht (0017)",
    "es": "tus órdenes se han ejecutado Tu último informe (0017)",
    "it": "i tuoi ordini sono stati eseguiti Il tuo ultimo rapporto (0017)",
}
BEGUN = {
    "en": ("your orders have been carried out in part", "The attacks in it that have not been begun yet still count"),
    "de": (
        "Deine Befehle sind zum Teil ausgeführt",
        "Die Angriffe darin, die noch nicht begonnen haben, gelten weiter",
    ),
    "es": ("tus órdenes se han ejecutado en parte", "Los ataques que aún no han empezado siguen contando"),
    "it": ("i tuoi ordini sono stati eseguiti in parte", "Gli attacchi non ancora cominciati valgono ancora"),
}
SEATED = {
    "en": "You have taken your seat. The next report",
    "de": "Du hast deinen Platz eingenommen. Was du zu tun hast, sagt der nächste Bericht",
    "es": "ya tienes puesto. El próximo informe",
    "it": "Hai preso il tuo posto. Il prossimo rapporto",
}
PROOF = {"en": "and proves what was", "de": "beweist, was angekommen", "es": "prueba lo que se", "it": "prova che cosa"}


@pytest.mark.parametrize("language", languages())
def test_orders_that_have_been_carried_out_are_told_so_in_one_passage(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        data = answered(campaign, table, sheet_of(campaign)) | {"language": language}
    over = {"has_gone_on": True, "deadline": None, "owed": [], "newest": 17}
    done, fixed = (
        " ".join(letter_text(data | over | {"is_carried_out": is_out}).replace("=", "").split())
        for is_out in (True, False)
    )
    begun = " ".join(letter_text(data | over | {"is_carried_out": True, "has_attacks_left": True}).split())
    assert [told in begun for told in BEGUN[language]] == [True, True]
    assert DONE[language] in done
    assert DONE[language] not in fixed, "orders are fixed before they are carried out, behind a lock"
    assert "(0017)" in fixed


def test_orders_that_wait_because_those_of_another_went_back_are_not_told_as_carried_out(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return", FLANDERS)
    with table.open() as campaign:
        taken = taken_in(campaign.public, "frederick")
    table.send(table.letter("maria-theresa", {"austria": {"move": [{"Arenberg": ["Brüssel", "Gent"]}]}}))
    waiting = table.send(table.letter("frederick", {"pragmatic": {"move": []}}))
    assert table.carried_out().record.returned == ("maria-theresa",)
    with table.open() as campaign:
        data = receipt_data(campaign, waiting, taken)
    assert (data["has_gone_on"], data["is_carried_out"], data["is_sent_back"]) == (False, False, False)
    told = " ".join(letter_text(data).split())
    assert "your letter is in" in told
    assert "Until the stage is adjudicated you can replace them" in told
    assert "The Pragmatic Army: orders are in" in told


DRAFT = {
    "en": "The stage has been carried out, and they counted as final.",
    "de": "Der Zug ist ausgewertet, und sie galten so, wie sie waren.",
    "es": "La etapa se ha ejecutado, y contaron como definitivas.",
    "it": "La fase è stata risolta, ed essi sono valsi come definitivi.",
}
INCOMPLETE = {
    "en": "does not answer all that is asked, and does not end the wait",
    "de": "beantwortet nicht alles, was gefragt ist, und beendet das Warten nicht",
    "es": "no responde a todo lo que se pide y no pone fin a la espera",
    "it": "non risponde a tutto ciò che è chiesto e non mette fine all'attesa",
}


@pytest.mark.parametrize("language", languages())
def test_a_draft_that_was_carried_out_is_told_to_have_counted(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign).replace("body:\n", "body:\n  final: no\n", 1)
        data = answered(campaign, table, sheet) | {"language": language}
    assert data["status"] == "draft"
    before, after = (
        " ".join(letter_text(data | {"has_gone_on": is_out, "is_carried_out": is_out, "owed": []}).split())
        for is_out in (False, True)
    )
    assert DRAFT[language] not in before
    assert DRAFT[language] in after


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("is_incomplete", [False, True])
def test_what_was_sent_before_is_told_to_be_incomplete(table: OpenTable, language: str, is_incomplete: bool) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        answered(campaign, table, sheet.split("    saxony:")[0] if is_incomplete else sheet)
        wrong = sheet.replace("      move:\n", "      move:\n        - Schwerin: Paris\n", 1)
        letter = read_letter(
            sign_letter(wrong.replace("seq: 3", "seq: 4"), table.players["frederick"].key).encode(), "letter"
        )
        receipt = adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32))
        data = receipt_data(campaign, receipt, held_for=["frederick"]) | {"language": language}
    assert data["is_incomplete"] == is_incomplete
    assert (INCOMPLETE[language] in " ".join(letter_text(data).split())) == is_incomplete


@pytest.mark.parametrize("language", languages())
def test_who_has_taken_a_seat_is_told_so_and_what_the_receipt_proves(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        data = answered(campaign, table, sheet_of(campaign)) | {"language": language}
    seated, gone_on, orders = (
        " ".join(letter_text(data | changed).split())
        for changed in (
            {"letter_kind": "join"},
            {"letter_kind": "join", "has_gone_on": True, "newest": 17},
            {},
        )
    )
    assert SEATED[language] in seated
    assert SEATED[language].split(".")[0] in gone_on
    assert SEATED[language] not in gone_on, "the next report has come"
    assert [PROOF[language] in text for text in (seated, gone_on, orders)] == [True, True, False]
    assert f"{data['letter'][:24]}…" in orders
    assert "receipt.yaml" in orders


BOTH = {"en": "Prussia and Saxony", "de": "Preußen und Sachsen", "es": "Prusia y Sajonia", "it": "Prussia e Sassonia"}


@pytest.mark.parametrize("language", languages())
def test_powers_with_the_same_plans_are_named_together(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
        assert told.table_in_play
        head = {"campaign": NAME, "from": "frederick", "stage": told.stage, "basis": told.basis, "seq": told.seq}
        preset = preset_text(told.table_in_play.rules, "careful", told.powers, language, head)
        data = answered(campaign, table, preset) | {"language": language}
    of_prussia, of_saxony = data["plans"]
    assert of_prussia["lines"] == of_saxony["lines"]
    text = letter_text(data)
    assert text.count(f"- {BOTH[language]}, ") == len(of_prussia["lines"])
    other = data | {"plans": [of_prussia, of_saxony | {"lines": of_saxony["lines"][1:]}]}
    assert BOTH[language] not in letter_text(other)
    assert len(re.findall(r"(?m)^- [^,\n]+, \d+: ", letter_text(other))) == len(of_prussia["lines"]) * 2 - 1


DEFAULTS = {
    "en": "missing even after this time, the default orders",
    "de": "auch nach der Nachfrist noch Befehle, gelten die Ersatzbefehle",
    "es": "después de ese margen aún faltan órdenes, se aplican las órdenes por defecto",
    "it": "anche dopo questo tempo, rispondono gli ordini predefiniti",
}


@pytest.mark.parametrize("language", languages())
def test_an_invitation_tells_the_grace_and_behind_it_the_default_orders(tmp_path: Path, language: str) -> None:
    with OpenTable(tmp_path, scenario="introductory").open() as campaign:
        data = invitation_data(campaign.public, "louis") | {"language": language}
    data["clock"] |= {"at_deadline": "hold", "grace": "24h"}
    told = " ".join(letter_text(data).split())
    assert told.index("24") < told.index(DEFAULTS[language]) < told.index("SHA256:")
    following = told[told.index("20:00") : told.index(DEFAULTS[language])]
    assert following.count(" - ") == 1, "nothing stands between the grace and what comes after it"


def test_a_refused_letter_is_not_said_to_take_another_out_of_force(table: OpenTable) -> None:
    replaced = Fault.at(1, 1, wrong("W-PLAN-REPLACED", powers=("prussia",), entry=14))
    verdict = LetterVerdict(faults=[wrong("E-LETTER-UNSIGNED"), replaced])
    with table.open() as campaign:
        for status, codes in (("refused", ["E-LETTER-UNSIGNED"]), ("final", ["E-LETTER-UNSIGNED", replaced.code])):
            data = receipt_data(campaign, Receipt("frederick", "", 0, verdict, "ab" * 32, status))
            assert [fault["code"] for fault in data["faults"]] == codes  # type: ignore[attr-defined]


def test_what_is_wrong_with_a_head_is_told_at_its_line(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        answered(campaign, table, sheet)
        lines = sheet.splitlines()
        for key, other in (("seq", "2"), ("stage", "1/austria"), ("basis", "0" * 24)):
            text = re.sub(rf"(?m)^{key}: .*$", f"{key}: {other}", re.sub(r"(?m)^seq: .*$", "seq: 5", sheet))
            (fault,) = answered(campaign, table, text)["faults"]
            place = next(number for number, line in enumerate(lines, 1) if line.startswith(f"{key}:"))
            assert fault["line"] == place, fault


PLANS_LATE = {
    "en": "where the file has no `basis`, `stage: 1/setup` in it is enough",
    "de": "hat die Datei keine `basis`, genügt darin `stage: 1/setup`",
    "es": "si el archivo no tiene `basis`, basta con `stage: 1/setup`",
    "it": "se il file non ha `basis`, basta scriverci `stage: 1/setup`",
}


@pytest.mark.parametrize("language", languages())
def test_a_file_of_plans_for_another_stage_is_told_how_to_be_renewed(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        head = re.sub(r"(?ms)^body:.*", "", sheet_of(campaign)).replace("kind: orders", "kind: plan")
        plan = f"{head}body:\n  orders:\n    prussia:\n      plans: [{{for: battle, tactic: win-cheaply}}]\n"
        late = answered(campaign, table, re.sub(r"(?m)^stage: .*$", "stage: 1/austria", plan))
        old = answered(campaign, table, re.sub(r"(?m)^basis: .*$", f"basis: {'0' * 24}", plan))
        assert answered(campaign, table, plan)["status"] in ("final", "partial")
    for data, code in ((late, "E-LETTER-STAGE"), (old, "E-LETTER-BASIS")):
        (fault,) = data["faults"]
        assert fault["code"] == code
        assert "pbem plan preset" in fault["hint"]
    stage = late | {
        "faults": [wrong("E-LETTER-STAGE.plan", stage="1/austria", now="1/setup", key="1/setup").data(language)]
    }
    assert PLANS_LATE[language] in str(stage["faults"])


def test_a_letter_of_plans_refused_in_a_stage_that_is_over_names_no_stage_to_write(table: OpenTable) -> None:
    with table.open() as campaign:
        plan = letter_of_plans(re.sub(r"(?m)^stage: .*$", "stage: 1/austria", sheet_of(campaign)), "")
        letter = read_letter(sign_letter(plan, table.players["frederick"].key).encode(), "letter")
        taken = taken_in(campaign.public, "frederick")
        refused = adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32))
        assert "is enough" in letter_text(receipt_data(campaign, refused, taken))
        table.round(campaign)
        told = letter_text(receipt_data(campaign, refused, taken))
    assert "is enough" not in told
    assert "with your newest report" in " ".join(told.split())


WITH_ORDERS = {
    "de": ", bis zu deinen nächsten Befehlen für diesen Zug.",
    "en": ", until your next orders for this stage.",
    "es": ", hasta tus próximas órdenes para esta etapa.",
    "it": ", fino ai tuoi prossimi ordini per questa fase.",
}


@pytest.mark.parametrize("language", languages())
def test_plans_in_orders_are_told_to_end_with_the_stage(tmp_path: Path, language: str) -> None:
    """Orders may call a plan standing: it ends with their stage all the same."""
    table = OpenTable(tmp_path, seats={"frederick": Seat(language=language)}, scenario="introductory")
    table.join()
    table.play(3)
    plans = """    prussia:
      plans:
        - {for: battle, of: [Schwerin], play: [♠7], tactic: decline}
        - {for: battle, of: [Schwerin], play: [suit to 0], tactic: decline}
        - {for: battle, tactic: win-cheaply, standing: yes}
"""
    with table.open() as campaign:
        data = answered(campaign, table, sheet_of(campaign).replace("    prussia:\n", plans, 1))
        told = " ".join(letter_text(data).split())
    assert CHEAPLY[language][:-1] + WITH_ORDERS[language] in told
    assert OF_SCHWERIN[language][:-1] + WITH_ORDERS[language] in told
    assert "suit to 0" in told, "a script with a goal stands as written"


ENDING = {
    "en": ("until your next orders for this stage", "`standing: yes`"),
    "de": ("bis du für diesen Zug neue Befehle schickst", "`standing: yes`"),
    "es": ("hasta tus próximas órdenes para esta etapa", "`standing: yes`"),
    "it": ("fino ai tuoi prossimi ordini per questa fase", "`standing: yes`"),
}


def test_orders_with_plans_tell_when_the_plans_end(table: OpenTable) -> None:
    with table.open() as campaign:
        sheet = sheet_of(campaign)
        assert not answered(campaign, table, sheet)["ends_with_stage"]
        more = "    prussia:\n      plans: [{for: battle, tactic: hold}]\n"
        data = answered(campaign, table, sheet.replace("seq: 3", "seq: 4").replace("    prussia:\n", more, 1))
    assert data["ends_with_stage"]
    for language in languages():
        told = " ".join(letter_text(data | {"language": language}).split())
        assert all(words in told for words in ENDING[language]), told


@pytest.mark.parametrize("language", languages())
def test_plans_are_not_told_that_they_leave_something_unanswered(table: OpenTable, language: str) -> None:
    with table.open() as campaign:
        data = no_letter_from(campaign, "frederick", language)
    data |= {"status": "partial", "is_words": False, "faults": [], "letter": "orders", "letter_kind": "orders"}
    said = letter_text(data).splitlines()[0]
    plans = letter_text(data | {"letter_kind": "plan"}).splitlines()[0]
    assert said != plans
    assert plans == letter_text(data | {"status": "final"}).splitlines()[0]


def test_a_higher_number_is_advised_only_where_the_letter_can_be_sent_again(table: OpenTable) -> None:
    with table.open() as campaign:
        used = re.sub(r"(?m)^seq: .*$", "seq: 1", sheet_of(campaign))
        of_now, of_then = (
            answered(campaign, table, used),
            answered(campaign, table, re.sub(r"(?m)^stage: .*$", "stage: 1/austria", used)),
        )
    for data, is_of_use in ((of_now, True), (of_then, False)):
        (hint,) = [fault["hint"] for fault in data["faults"] if fault["code"] in ("E-LETTER-SEQ", "E-LETTER-OLD")]
        assert bool(hint) == is_of_use


SENT_BACK = {
    "en": ("Some of these orders could not be carried out, and came back", "your orders have been carried out"),
    "de": ("Ein Teil dieser Befehle war nicht auszuführen und ist zurückgekommen", "Deine Befehle sind ausgeführt"),
    "es": ("Algunas de estas órdenes no se han podido ejecutar y han vuelto", "tus órdenes se han ejecutado"),
    "it": ("Alcuni di questi ordini non si sono potuti eseguire e sono tornati", "i tuoi ordini sono stati eseguiti"),
}


def once_carried_out(table: SimulatedTable, cards: list[str]) -> dict[str, Any]:
    """The receipt of Prussia's letter with these cards for its battle, written when it has been carried out."""
    orders: dict[str, Any] = {"prussia": {"move": [], "play": cards}, "saxony": {"move": []}}
    receipt = table.send(table.letter("frederick", orders))
    with table.open() as campaign:
        taken = taken_in(campaign.public, "frederick")
    table.carried_out()
    with table.open() as campaign:
        return receipt_data(campaign, receipt, taken)


@pytest.mark.parametrize("misorders", ["return", "hold"])
def test_orders_of_which_some_came_back_are_not_told_as_carried_out(tmp_path: Path, misorders: Any) -> None:
    assert set(SENT_BACK) == set(languages())
    data = once_carried_out(table_with(tmp_path, misorders), ["♥2", "♠5"])
    for language, (back, done) in SENT_BACK.items():
        said = " ".join(letter_text(data | {"language": language}).split())
        assert (back in said) == (misorders == "return")
        assert (done in said) == (misorders == "hold")


def test_the_receipt_of_a_letter_for_another_stage_names_the_stage_that_runs_when_it_is_written(tmp_path: Path) -> None:
    table = table_with(tmp_path, "return", FLANDERS)
    of_setup = replace(table.occasion("maria-theresa"), stage="1/setup")
    receipt = table.send(table.letter("maria-theresa", {"austria": {"move": []}}, occasion=of_setup))
    with table.open() as campaign:
        taken = taken_in(campaign.public, "maria-theresa")
        (fault,) = receipt_data(campaign, receipt, taken)["faults"]
    assert fault["message"].endswith("not for turn 4 (stage of Austria)")
    table.send(table.letter("maria-theresa", {"austria": {"move": []}}))
    table.send(table.letter("frederick", {"pragmatic": {"move": []}}))
    assert table.carried_out().record.next.stage == "5/politics"
    with table.open() as campaign:
        (fault,) = receipt_data(campaign, receipt, taken)["faults"]
    assert fault["message"].endswith("not for turn 5 (politics)")


CAME_BACK_TOO = {
    "en": "The other orders of the same letter that were still to be carried out came back with it.",
    "de": "Was aus demselben Brief sonst noch auszuführen war, ist mit zurückgekommen.",
    "es": "Las demás órdenes del mismo envío que quedaban por ejecutar también se te devuelven.",
    "it": "Gli altri ordini della stessa lettera che restavano da eseguire sono tornati anch'essi.",
}


@pytest.mark.parametrize("misorders", ["return", "hold"])
def test_the_report_tells_that_all_orders_behind_the_one_that_failed_came_back(tmp_path: Path, misorders: Any) -> None:
    table = table_with(tmp_path, misorders)
    once_carried_out(table, ["♥2", "♠5"])
    with table.open() as campaign:
        told = briefings(campaign)
    for language, too in CAME_BACK_TOO.items():
        mine, others = (
            " ".join(letter_text(report_data(in_language(told[seat], language))).split())
            for seat in ("frederick", "maria-theresa")
        )
        assert "E-CARD-SUIT" in mine
        assert (too in mine) == (misorders == "return")
        assert too not in others


@pytest.mark.parametrize("language", languages())
def test_cards_that_have_not_been_played_are_told_to_answer_in_the_same_battle(tmp_path: Path, language: str) -> None:
    said = {
        "en": "until this battle is over",
        "de": "bis diese Schlacht vorbei ist",
        "es": "hasta que acabe esta batalla",
        "it": "fino alla fine di questa battaglia",
    }
    table = table_with(tmp_path, "return")
    told = []
    for cards in (["♠5", "♠6"], ["♠5"]):
        data = once_carried_out(table.copied(tmp_path / f"with-{len(cards)}"), cards)
        told.append(said[language] in " ".join(letter_text(data | {"language": language}).split()))
    assert told == [True, False]
