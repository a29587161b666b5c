"""Refusals and warnings of commands, one code after the other, at a table where a game has begun."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from string import Formatter

import pytest

from pbem.faults.wrong import ENGLISH, printable, rows
from pbem.paper.letters import sign_letter
from pbem.seal.keys import load_private
from tests.protocol.reports import changed
from tests.setups import with_more

from .correspondence import NAME, Correspondence


@pytest.fixture
def table(begun: Correspondence) -> Correspondence:
    """The campaign, for one test alone."""
    return begun


def write(table: Correspondence, name: str, text: str | bytes) -> str:
    """A file in the folder of the table."""
    (table.root / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def sheet_with(table: Correspondence, old: str, new: str) -> str:
    """Louis' sheet with a change, signed."""
    path = Path(table.sheet("louis"))
    path.write_text(re.sub(old, new, path.read_text(), count=1, flags=re.MULTILINE))
    return str(path)


Refusal = Callable[[Correspondence], str]

REFUSED: dict[str, Refusal] = {
    "E-FILE-SIZE": lambda table: table.run("show", write(table, "big", b" " * (8 * 1024 * 1024 + 1)), code=1).output,
    "E-FILE-UTF8": lambda table: table.run("board", "import", write(table, "b.js", b"\xff"), code=1).output,
    "E-FORM-ORDERS": lambda table: table.moderate(
        "act", "louis", write(table, "o.yaml", "power: x\n"), "--why", "x", code=1).output,
    "E-FORM-TRUTH": lambda table: signed(table, sheet_with(table, "^body:$", "body:\n  wait: maybe")),
    "E-SEAL-KIND": lambda table: table.run(
        "seal", sheet_with(table, "^kind: orders", "kind: message"), as_="louis", code=1).output,
    "E-SEAL-NOTHING": lambda table: table.run(
        "seal", sheet_with(table, r"^body:\n(.|\n)*", "body:\n  note: nothing\n"), as_="louis", code=1).output,
    "E-SEAL-TWICE": lambda table: table.run(
        "seal", sheet_with(table, "^body:$", "body:\n  sealed: {}"), as_="louis", code=1).output,
    "E-NOTES-WHICH.seq": lambda table: table.run(
        "sign", table.sheet("louis"), "--renumber", as_="moderator", code=1).output,
    "E-KEY-OTHER.given": lambda table: table.run("adjudicate", "-C", NAME, as_="louis", code=1).output,
    "E-GUIDE-KIND": lambda table: table.run(
        "check", table.sheet("louis"), "--report", table.sheet("louis", "copy.yaml"), code=1).output,
    "W-CHECK-RULES": lambda table: table.run("check", table.sheet("louis"), as_="moderator", code=None).output,
    "E-LETTER-BASIS.letter": lambda table: checked(table, "^basis: .*", "basis: 000000000000"),
    "E-LETTER-CAMPAIGN.letter": lambda table: checked(table, "^campaign: .*", "campaign: prague"),
    "E-LETTER-KIND.letter": lambda table: checked(table, "^kind: .*", "kind: report"),
    "E-LETTER-MISSING.letter": lambda table: checked(table, "^basis: .*\n", ""),
    "E-LETTER-FROM.letter": lambda table: checked(table, "^from: .*", "from: frederick"),
    "E-LETTER-SEQ.used": lambda table: checked(table, "^seq: .*", "seq: 1"),
    "E-LETTER-STAGE.other": lambda table: checked(table, "^stage: .*", "stage: 9/prussia"),
    "W-LETTER-UNSIGNED": lambda table: table.run("check", table.sheet("louis"), as_="louis", code=None).output,
    "W-MAIL-SENDER": lambda table: played(table),
    "W-CHECK-POSITION": lambda table: table.run(
        "check", own(table), "--report", without_sense(table), as_="louis", code=None).output,
    "E-SEAL-NONE": lambda table: table.run("open", table.sheet("louis"), as_="louis", code=1).output,
    "E-REVEAL-NOTHING": lambda table: table.run("reveal", own(table), as_="louis", code=1).output,
    "E-TEXT-PAGE": lambda table: table.moderate("accept", page(table), code=None).output,
    "W-LETTER-SIGNATURE": lambda table: table.run("check", own(table), as_="nobody", code=None).output,
    "W-CHECK-SEALED": lambda table: table.run(
        "check", sealed(table), "--report", table.sent("louis.report.yaml"), as_="frederick", code=None).output,
}  # fmt: skip


def checked(table: Correspondence, old: str, new: str) -> str:
    """Output of `check` for Louis' sheet with a change, beside his report."""
    return table.run(
        "check", sheet_with(table, old, new), "--report", table.sent("louis.report.yaml"), code=None
    ).output


def own(table: Correspondence) -> str:
    """Louis' sheet, signed."""
    path = table.sheet("louis")
    table.run("sign", path, as_="louis")
    return path


def played(table: Correspondence) -> str:
    """Output about the reports after a stage."""
    for seat in table.owing():
        table.order(seat)
    table.now += timedelta(hours=1)
    table.moderate("adjudicate")
    return table.moderate("post", "--no-pictures").output


def without_sense(table: Correspondence) -> str:
    """Louis' report with a turn that the game does not have, signed by the moderator."""
    key = load_private((table.root / "moderator/key").read_bytes(), None)
    report = Path(table.sent("louis.report.yaml")).read_text()
    return write(table, "report.yaml", changed(report, key, lambda body: body["position"].update(turn="99")))


def sealed(table: Correspondence) -> str:
    """Louis' sheet, sealed and signed."""
    path = table.sheet("louis")
    table.run("seal", path, "-o", path, as_="louis")
    return path


def page(table: Correspondence) -> str:
    """A page of a forum on which somebody has put Louis' sheet as it came."""
    return write(table, "page.html", f"<html><body><pre>{Path(table.sheet('louis')).read_text()}</pre></body></html>")


def signed(table: Correspondence, path: str) -> str:
    """The moderator's answer to a letter once it is signed."""
    table.run("sign", path, as_="louis")
    return table.moderate("accept", path, code=None).output


def pattern(key: str) -> str:
    """One of several wordings with anything in its gaps, or the code that has but one."""
    parts = Formatter().parse(rows(ENGLISH)[key].says)
    said = "".join(re.escape(text) + (".*" if gap else "") for text, gap, _, _ in parts)
    return f"{key.partition('.')[0]} {said}" if "." in key else key


@pytest.mark.parametrize("key", REFUSED)
def test_a_command_says_why(table: Correspondence, key: str) -> None:
    told = REFUSED[key](table)
    assert re.search(pattern(key), told), told


@pytest.mark.parametrize(
    ("old", "new"),
    [("^basis: (.{12}).*", r"basis: \1"), ("^stage: .*", "stage: 9/prussia"), ("^seq: .*", "seq: 1")],
    ids=["a basis cut short", "another stage", "the number of the join"],
)
def test_check_says_of_a_head_what_the_receipt_says(table: Correspondence, old: str, new: str) -> None:
    path, report = sheet_with(table, old, new), table.sent("louis.report.yaml")
    checked = table.run("check", path, "--report", report, as_="louis", code=1).output
    # Not by the command, which gives the next number.
    key = load_private((table.root / "louis/key").read_bytes(), None)
    Path(path).write_text(sign_letter(Path(path).read_text(), key))
    answered = table.moderate("accept", "--show", path, code=None).output
    wording = re.compile(r"E-LETTER-.*?(?= — |$)", re.MULTILINE)
    assert wording.findall(checked) == wording.findall(answered) != []


def test_a_wrong_key_of_the_body_hides_no_fault_of_the_orders(begun: Correspondence) -> None:
    letter = sheet_with(begun, "^body:$", "body:\n  wait: maybe\n  final: perhaps")
    path = Path(letter)
    path.write_text(with_more(path.read_text(), Törring=1).replace("Broglie:", "Brogly:"))
    report = begun.sent("louis.report.yaml")
    codes = ("E-FORM-TRUTH `wait`", "E-FORM-TRUTH `final`", "E-NAME-UNKNOWN")
    told = begun.run("check", letter, "--report", report, as_="louis", code=1).output
    assert [code for code in codes if code in told] == list(codes), told
    begun.run("sign", letter, as_="louis")
    (answer,) = begun.accept(letter)
    assert {fault["code"] for fault in answer["faults"]} >= {"E-FORM-TRUTH", "E-NAME-UNKNOWN"}
    path.write_text(with_more(path.read_text().replace("Brogly:", "Broglie:"), Törring=-1))
    assert "E-FORM-TRUTH" in begun.run("seal", letter, as_="louis", code=1).output, "sealed it would be lost"


def test_a_refusal_quotes_the_no_break_spaces_of_names_as_they_are(begun: Correspondence) -> None:
    letter = sheet_with(begun, "Broglie:", "Brogly\N{NO-BREAK SPACE}train\N{NO-BREAK SPACE}1:")
    told = begun.run("check", letter, "--report", begun.sent("louis.report.yaml"), as_="louis", code=1).output
    assert "E-NAME-UNKNOWN" in told
    assert "\\u{a0}" not in told
    begun.run("sign", letter, as_="louis")
    begun.accept(letter)
    assert "\\u{a0}" not in begun.run("log", NAME).output
    assert printable("a\N{NO-BREAK SPACE}b\N{ZERO WIDTH SPACE}\x1b") == "a\N{NO-BREAK SPACE}b\\u{200b}\\u{1b}"


@pytest.mark.parametrize(
    ("language", "about"), [("en", "agreement"), ("de", "Vereinbarung"), ("es", "acuerdo"), ("it", "accordo")]
)
def test_what_is_refused_has_a_name_in_the_reader_s_language(
    begun: Correspondence, monkeypatch: pytest.MonkeyPatch, language: str, about: str
) -> None:
    monkeypatch.setenv("PBEM_LANGUAGE", language)
    report = begun.sent("louis.report.yaml")
    told = begun.run(
        "agree", "frederick", "Peace.", "--cities", "Atlantis", "--report", report, as_="louis", code=1
    ).output
    assert told.startswith(f"{about}:"), told
