"""Refusals: they say for whom the game waits, and show what would be right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.letters.answering import receipt_with_quotes
from pbem.campaign.play import adjudicating
from pbem.campaign.settings import Conduct
from pbem.faults.wrong import wrong
from pbem.moderator.public_view import rows_owed
from pbem.office.summary import awaited_by
from pbem.paper.documents.strict import bare
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.post.extract import extract
from pbem.report.language.templates import languages
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.report import report_data
from tests.campaign.simulated import NAME
from tests.report.plain import body_text, letter_text

from .campaign_table import OpenTable, send


@pytest.fixture
def table(tmp_path: Path) -> OpenTable:
    """A campaign in which all three players are to allot their troops."""
    found = OpenTable(tmp_path, scenario="introductory")
    found.join()
    with found.open() as campaign:
        adjudicating.adjudicate(campaign)
        campaign.save()
    return found


def sheet_of(campaign: Campaign, player: str) -> str:
    return str(report_data(briefings(campaign)[player])["sheet"])


def receipt_of(table: OpenTable, campaign: Campaign, text: str, player: str, *held_for: str) -> dict[str, Any]:
    """Return the data of the receipt of a signed letter. The stage waits for corrections of the players `held_for`."""
    letter = read_letter(sign_letter(text, table.players[player].key).encode(), "letter")
    receipt = adjudicating.take_letter(campaign, letter, adjudicating.Delivery("ab" * 32))
    return receipt_data(campaign, receipt, held_for=held_for)


def told(data: dict[str, Any], language: str) -> str:
    return " ".join(letter_text(data | {"language": language}).split())


def with_too_many_troops(sheet: str) -> str:
    return re.sub(r"(?m)^( +[A-Z][^:#]*: )\d+$", r"\g<1>99", sheet, count=1)


WAITING = {
    "de": ("Gewartet wird auf Ludwig, Friedrich und Maria Theresia.", "Gewartet wird auf Ludwig."),
    "en": ("Waiting for Louis, Frederick and Maria Theresa.", "Waiting for Louis."),
    "es": ("Se espera a Luis XV, Federico y María Teresa.", "Se espera a Luis XV."),
    "it": ("La partita attende Luigi XV, Federico e Maria Teresa.", "La partita attende Luigi XV."),
}


@pytest.mark.parametrize("language", languages())
def test_a_refusal_names_all_for_whom_the_stage_waits(table: OpenTable, language: str) -> None:
    everybody, louis = WAITING[language]
    with table.open() as campaign:
        sheet = sheet_of(campaign, "louis")
        wrong = with_too_many_troops(sheet)
        assert everybody in told(receipt_of(table, campaign, wrong, "louis"), language)
        for player in ("frederick", "maria-theresa"):
            receipt_of(table, campaign, sheet_of(campaign, player), player)
        assert louis in told(receipt_of(table, campaign, wrong, "louis"), language)
        receipt_of(table, campaign, sheet, "louis")
        assert louis in told(
            receipt_of(table, campaign, re.sub("seq: .*", "seq: 7", wrong), "louis", "louis"), language
        )
        other = receipt_of(table, campaign, re.sub("seq: .*", "seq: 7", sheet), "louis")
        assert not other["waited_for"]


def test_those_for_whom_the_stage_waits_stand_in_the_order_of_play_in_all_that_is_told(table: OpenTable) -> None:
    order = ["louis", "frederick", "maria-theresa"]
    with table.open() as campaign:
        refused = receipt_of(table, campaign, with_too_many_troops(sheet_of(campaign, "louis")), "louis")
        (line,) = awaited_by(campaign.public)
        owing: Any = report_data(briefings(campaign)["observer"])["owing"]
        for rows in (refused["waited_for"], owing, rows_owed(CampaignTime(campaign.public, campaign.now))):
            assert [each["player"] for each in rows] == order
        assert ", ".join(order) in line.text("en")


HEAD = f"pbem: 1\nkind: message\ncampaign: {NAME}\nfrom: louis\n"
NEXT_REPORT = {
    "de": ("geht jedem mit dem nächsten Bericht zu", "bekommt sie mit dem nächsten Bericht"),
    "en": ("goes to each of them with the next report", "Each reader gets it with the next report"),
    "es": ("llega a cada uno con su próximo informe", "lo recibe con su próximo informe"),
    "it": ("arriva a ciascuno con il suo prossimo rapporto", "riceve il messaggio con il prossimo rapporto"),
}


def shown_lines(text: str) -> str:
    """Return the lines of a message by hand in a mail, as somebody copies them."""
    lines = text.split("\n")
    first = max(at for at, line in enumerate(lines) if line == "    kind: message") - 1
    end = lines.index("    ...", first)
    return "\n".join(lines[first : end + 1])


def refused_message(table: OpenTable, campaign: Campaign, body: dict[str, str]) -> dict[str, Any]:
    text = write_letter({"kind": "message", "campaign": NAME, "from": "louis", "seq": 4}, body)
    return receipt_of(table, campaign, text, "louis")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    ("body", "to", "blank"),
    [
        ({"to": "ludwig", "text": "Hello"}, "SEAT", True),
        ({"to": "frederick, maria-theresa"}, "frederick,maria-theresa", False),
    ],
)
def test_the_refusal_of_a_message_shows_the_lines_of_one(
    table: OpenTable, language: str, body: dict[str, str], to: str, *, blank: bool
) -> None:
    with table.open() as campaign:
        data = refused_message(table, campaign, body) | {"language": language}
        assert NEXT_REPORT[language][0] in told(data, language)
        assert ("`maria-theresa`, `frederick`" in told(data, language)) is blank
        lines = shown_lines(letter_text(data))
        assert f"      to: {to}\n" in lines
        assert "    seq: 1\n" in lines, "messages are counted apart"
        written = lines.replace("SEAT", "all").replace("WORDS", "Hello: it is I.\n        Louis # the king")
        (found,) = extract(f"Dear all,\n\n{written}\n\nBye\n".encode()).letters
        assert found.letter
        assert bare(found.letter.body)["text"] == "Hello: it is I.\nLouis # the king\n"  # type: ignore[index,call-overload]
        signed = sign_letter("\n".join(line[4:] for line in written.split("\n")), table.players["louis"].key)
        assert not read_letter(signed.encode(), "letter").missing_keys


def test_a_message_that_cannot_be_read_is_shown_as_it_should_be(table: OpenTable) -> None:
    (found,) = extract(f"{HEAD}body:\n  to: all\n  text: I say: hello\n".encode()).unread
    with table.open() as campaign:
        receipt = adjudicating.refuse_raw(campaign, "cd" * 32, list(found.faults), "louis", "x")
        data = receipt_data(campaign, receipt_with_quotes(receipt, found))
        assert "      to: SEAT\n" in shown_lines(letter_text(data))


def test_a_message_with_a_wrong_number_is_not_shown_anew(table: OpenTable) -> None:
    with table.open() as campaign:
        send(table, campaign, "louis", "message", {"to": "all", "text": "Hello"})
        old = write_letter(
            {"kind": "message", "campaign": NAME, "from": "louis", "seq": 1}, {"to": "all", "text": "Other"}
        )
        data = receipt_of(table, campaign, old, "louis")
        assert [fault["code"] for fault in data["faults"]] == ["E-LETTER-OLD"]
        assert not data["message_lines"]


@pytest.mark.parametrize("language", languages())
def test_where_nobody_signs_words_and_reports_have_the_lines_of_a_message(tmp_path: Path, language: str) -> None:
    table = OpenTable(tmp_path, Conduct(signing="off"), scenario="introductory")
    table.join()
    with table.open() as campaign:
        adjudicating.adjudicate(campaign)
        briefing = replace(in_language(briefings(campaign)["louis"], language), key="")
        report = body_text(report_data(briefing))
        words = adjudicating.refuse_raw(campaign, "cd" * 32, [wrong("E-TEXT-NONE")], "louis")
        answer = letter_text(receipt_data(campaign, words) | {"language": language})
        taken = receipt_data(campaign, send(table, campaign, "louis", "message", {"to": "all", "text": "Hello"}))
        assert NEXT_REPORT[language][1] in told(taken, language)
    for mail in (report, answer):
        lines = shown_lines(mail)
        assert "seq" not in lines
        (found,) = extract(lines.replace("SEAT", "all").replace("WORDS", "Hello").encode()).letters
        assert found.letter
        assert found.letter.kind == "message"
        quoted = "\n".join(f"> {line}" for line in mail.split("\n"))
        for text in (mail, quoted):
            read = extract(f"From: a@b.example\n\nI agree.\n\n{text}\n".encode()).letters
            assert not [each for each in read if each.letter and each.letter.kind == "message"]
