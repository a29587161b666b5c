"""`pbem report`: what a reader would get now, in every dress; and templates of a campaign's own."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from .correspondence import NAME, Correspondence

GUIDE = Path(__file__).parents[2] / "docs" / "reports.md"
OLD = Path(__file__).parent / "own_templates_of_0_1"
OLD_REPORT = "en/campaign_report.txt.j2"
OF_0_1 = sorted(path.relative_to(OLD).as_posix() for path in OLD.rglob("*.j2"))
"""Templates of the program as they were in 0.1, such as campaigns have copied and changed."""
OF_0_2 = Path(__file__).parent / "own_templates_of_0_2"
"""Templates with what others use, as they were in 0.2: all of it stood in themselves, and they imported one another."""


def join(table: Correspondence) -> None:
    """Everybody takes their seat, and the cards are dealt; reports have no maps, which take time to draw."""
    for seat in table.seats:
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    table.moderate("adjudicate")
    table.moderate("post", "--no-pictures")


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose cards are dealt, with something to report; nobody changes it."""
    table = Correspondence(tmp_path_factory.mktemp("dealt"))
    table.begin()
    join(table)
    table.moderate("rule", "Arenberg may stay")
    return table


@pytest.fixture
def begun(dealt: Correspondence, tmp_path: Path) -> Correspondence:
    """The same in a folder of its own."""
    return dealt.copied(tmp_path / "table")


def own(table: Correspondence, name: str, text: str) -> None:
    """Write a template of the campaign's own."""
    path = table.folder / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def told(table: Correspondence, *words: str) -> str:
    """A report that the moderator prints."""
    return table.moderate("report", *words).stdout


def test_a_report_is_what_the_next_post_sends_and_changes_nothing(begun: Correspondence) -> None:
    before = begun.files()
    seen = {reader: told(begun, reader) for reader in ("observer", "louis", "moderator")}
    assert told(begun) == seen["observer"]
    assert begun.files() == before
    begun.moderate("post", "--no-pictures")
    for reader, text in seen.items():
        assert text == Path(begun.sent(f"{reader}.txt")).read_text()
    assert "Arenberg may stay" in seen["observer"]
    assert "your move" in told(begun, "louis")


def test_every_dress(begun: Correspondence) -> None:
    page = told(begun, "frederick", "--as", "html")
    assert re.search(r'<img src="data:image/png;base64,[A-Za-z0-9+/=]{1000,}"', page)
    assert "Arenberg may stay" in page
    bare = told(begun, "frederick", "--as", "html", "--no-picture")
    assert "<img" not in bare
    assert told(begun, "--as", "bbcode").startswith("[b][u]")
    assert told(begun, "--as", "markdown").startswith("# ")
    data = json.loads(told(begun, "louis", "--as", "json"))
    assert data == json.loads(told(begun, "louis", "--json"))
    assert (data["kind"], data["reader"]) == ("report", "louis")
    begun.moderate("report", "louis", "--as", "json", "-o", "report.json")
    assert json.loads((begun.root / "report.json").read_text()) == data


def test_another_language_and_one_that_there_is_not(begun: Correspondence) -> None:
    assert "Du bist am Zug" in told(begun, "louis", "--language", "de")
    assert begun.moderate("report", "--language", "xx", code=2)
    assert "did you mean" in begun.moderate("report", "luis", code=2).output
    assert "E-KEY-OTHER" in begun.run("report", "-C", NAME, as_="louis", code=1).output


def test_a_moderator_who_plays_reads_only_what_they_may(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--moderator-seat", "louis")
    join(table)
    assert "your move" in told(table, "louis")
    told(table, "observer")
    for reader in ("moderator", "frederick"):
        assert "E-REPORT-PLAYS" in table.moderate("report", reader, code=1).output


def test_a_seat_speaks_its_language_unless_its_player_wants_another(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    seats = "{louis: {language: es}, frederick: {language: de}, maria-theresa: {}}"
    (tmp_path / "settings.yaml").write_text(f"campaign: {NAME}\nscenario: introductory\nseats: {seats}\n")
    table.run("new", NAME, "--from", "settings.yaml", "--delay", "0m", as_="moderator")
    table.moderate("invite")
    for seat, words in (("louis", []), ("frederick", ["--language", "it"]), ("maria-theresa", [])):
        table.run("join", table.sent(f"{seat}-invitation.invitation.yaml"), *words, as_=seat)
    table.accept(*(f"join-{NAME}-{seat}.yaml" for seat in table.seats))
    table.moderate("adjudicate")
    heads = {seat: told(table, seat).splitlines()[0] for seat in table.seats}
    assert "te toca" in heads["louis"]
    assert "tocca a te" in heads["frederick"]
    assert "your move" in heads["maria-theresa"]
    assert table.json("verify", NAME)["good"]


def test_reports_without_pictures(begun: Correspondence) -> None:
    begun.moderate("post", "--no-pictures")
    newest = Path(begun.sent("louis.txt")).parent
    assert not list(newest.glob("*.png"))
    assert not [page for page in newest.glob("*.html") if "<img" in page.read_text("utf-8")]
    begun.moderate("rule", "once more")
    begun.moderate("post")
    assert "<img" in Path(begun.sent("louis.html")).read_text("utf-8")


def test_the_example_of_own_templates_in_the_guide(begun: Correspondence) -> None:
    section = GUIDE.read_text("utf-8").split("## Own templates")[1]
    examples = re.findall(r"```jinja\n\{# ([\w/.]+) #\}\n(.*?)```", section, re.DOTALL)
    assert examples
    for name, text in examples:
        own(begun, name, text)
    seen = told(begun, "louis")
    assert "Gazette of vienna-1741" in seen
    assert "Arenberg may stay" in seen
    begun.moderate("post", "--no-pictures")
    assert Path(begun.sent("louis.txt")).read_text() == seen


FAILING = {
    "syntax": ("en/campaign_report.txt.j2", "# {{ campaign }}\n{% if %}\n", 2),
    "undefined": ("en/campaign_report.txt.j2", "# {{ campaign }}\n\n{{ campain }}\n", 3),
    "sandbox": ("en/campaign_report.txt.j2", "\n\n\n{{ campaign.__class__.__mro__ }}\n", 4),
    "arithmetic": ("en/campaign_report.txt.j2", "{{ 1 // 0 }}\n", 1),
    "no such template": ("en/campaign_raport.txt.j2", "# x\n", 0),
    "lacks a macro": ("en/words.txt.j2", "{% macro power(key) %}{% endmacro %}\n", 0),
    "calls what is no macro": ("en/campaign_report.txt.j2", "\n{{ [1]|each(line) }}\n", 2),
    "lacks a word": ("en/picture_words.txt.j2", '{% set SIGNS = {"city": "Town"} %}\n', 0),
    "the site's": ("site/page.html.j2", "x", 0),
    "a dress": ("dress/forum.bbcode.j2", "{{ blocks.nothing.at_all }}\n", 0),
}


@pytest.mark.parametrize("case", FAILING)
def test_a_template_that_fails_is_refused_with_its_place_and_nothing_has_changed(
    begun: Correspondence, case: str
) -> None:
    name, text, line = FAILING[case]
    place = f":{line}:1" if line else ""
    own(begun, name, text)
    before = begun.files()
    for words in (["post", "--no-pictures"], ["report", "--as", "bbcode"]):
        answer = begun.moderate(*words, code=1).output
        assert answer.startswith(f"templates/{name}{place}: E-TEMPLATE "), answer
    assert begun.files() == before
    (begun.folder / "templates" / name).unlink()
    begun.moderate("post", "--no-pictures")


def test_a_template_that_cannot_be_read_stops_letters_before_they_are_entered(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    own(begun, "en/campaign_receipt.txt.j2", "{{ campaign ")
    before = begun.files()
    assert "templates/en/campaign_receipt.txt.j2:1:1: E-TEMPLATE" in begun.moderate("accept", sheet, code=1).output
    assert begun.files() == before


def test_a_receipt_that_fails_only_now_is_written_by_the_program(begun: Correspondence) -> None:
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    own(begun, "en/campaign_receipt.txt.j2", "# {{ nobody_knows_this }}\n")
    told = begun.moderate("accept", sheet)
    assert "templates/en/campaign_receipt.txt.j2:1:1: W-TEMPLATE" in told.output
    assert "final" in told.output
    assert "your letter is in" in Path(begun.sent("louis-receipt-*.txt")).read_text()


def test_nobody_who_reads_a_campaign_runs_its_templates(begun: Correspondence) -> None:
    plain = begun.run("log", NAME, "--events").output
    own(begun, "en/account.txt.j2", "{{ this fails }}")
    own(begun, "en/site_words.txt.j2", "{{ 1 // 0 }}")
    assert begun.run("log", NAME, "--events").output == plain
    assert begun.json("verify", NAME)["good"]
    begun.run("status", NAME)
    begun.run("export", "site", "-C", NAME)
    assert "Arenberg may stay" in (begun.root / "site" / "log.html").read_text()


def test_own_templates_reach_receipts_invitations_and_reminders(begun: Correspondence) -> None:
    own(begun, "en/campaign_receipt.txt.j2", "# Thanks\n\n{% include 'thanks.txt.j2' %}\n")
    own(begun, "en/thanks.txt.j2", "from {{ moderator.name }}\n")
    own(begun, "en/campaign_reminder.txt.j2", "# Hurry\n")
    begun.order("louis")
    assert Path(begun.sent("louis-receipt-*.txt")).read_text() == "Thanks\n======\nfrom the moderator\n"
    begun.now += timedelta(days=3)
    begun.moderate("remind")
    assert Path(begun.sent("frederick-reminder.txt")).read_text() == "Hurry\n=====\n"
    assert begun.json("verify", NAME)["good"]


def test_the_log_is_filtered(begun: Correspondence) -> None:
    begun.order("louis")
    entries = begun.json("log", NAME)
    kinds = begun.json("log", NAME, "--kind", "joi", "--kind", "ruling")
    assert {entry["kind"] for entry in kinds} == {"join", "ruling"}
    assert kinds == [entry for entry in entries if entry["kind"] in ("join", "ruling")]
    of_louis = begun.json("log", NAME, "--player", "louis")
    assert [entry["kind"] for entry in of_louis] == ["join", "letter"]
    assert begun.json("log", NAME, "--turn", "1") == entries[4:]
    assert begun.json("log", NAME, "--turn", "7") == []
    assert "did you mean" in begun.run("log", NAME, "--kind", "jion", code=2).output
    assert "Invalid value for --player" in begun.run("log", NAME, "--player", "sweden", code=2).output
    assert begun.run("log", NAME, "--events", "--language", "it").output != begun.run("log", NAME, "--events").output


def test_the_log_speaks_the_language_that_is_wanted(begun: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    english = begun.run("log", NAME).output
    assert "somebody plays louis" in english
    german = begun.run("log", NAME, "--language", "de").output
    assert "jemand spielt louis" in german
    assert "plays" not in german
    assert begun.json("log", NAME, "--language", "de")[1]["words"].startswith("jemand spielt")
    monkeypatch.setenv("PBEM_LANGUAGE", "it")
    assert "qualcuno gioca come louis" in begun.run("log", NAME).output
    own(begun, "en/campaign_entries.txt.j2", "{{ 1 // 0 }}")
    assert begun.run("log", NAME, "--language", "en").output == english


@pytest.mark.parametrize("name", [*OF_0_1, "all"])
def test_own_templates_written_for_0_1_go_on_working(begun: Correspondence, name: str) -> None:
    ours = told(begun, "louis")
    for each in OF_0_1 if name == "all" else [name]:
        text = (OLD / each).read_text("utf-8")
        own(begun, each, text.replace("report for ", "gazette for ").replace("face-down", "upside down"))
    seen = told(begun, "louis")
    assert ("gazette for" in seen) == (name in ("all", OLD_REPORT))
    if name in ("all", OLD_REPORT):
        assert re.search(
            r"YOU OWE ORDERS.*The game also waits for.*The position.*What only you know.*(Order sheet|Orders \()",
            seen,
            re.DOTALL,
        )
    else:
        assert seen == ours
    sheet = begun.sheet("louis")
    begun.run("sign", sheet, as_="louis")
    begun.moderate("accept", sheet)
    assert "your letter is in" in Path(begun.sent("louis-receipt-*.txt")).read_text()


def test_one_own_layout_stands_before_that_of_all_languages(begun: Correspondence) -> None:
    own(begun, "shared/campaign_report.txt.j2", "# {{ campaign }} {{ language }}\n\n{{ insert('position') }}\n")
    assert told(begun, "louis").startswith(f"{NAME} en\n")
    assert told(begun, "louis", "--language", "de").startswith(f"{NAME} de\n")
    own(begun, "de/campaign_report.txt.j2", "# Zeitung\n")
    assert told(begun, "louis", "--language", "de").startswith("Zeitung\n")
    own(begun, "shared/standing.txt.j2", "{% macro heading(title, level=3) %}{% endmacro %}\n")
    answer = begun.moderate("report", "louis", code=1).output
    assert "templates/shared/standing.txt.j2: E-TEMPLATE" in answer
    assert "it has no macro" in answer


LEAST_TROOPS = (
    "to a general{% set more = [] %}"
    "{% for name, least in e.least.items() if least > 1 %}{{ more.append(name ~ no_break ~ least) or '' }}{% endfor %}"
    "{{ '; the least for each: ' if more else ', at least ' }}"
    "{{ (more + (['all others 1'] if more|length < e.least|length else []))|join(', ') if more else 1 }}."
    "{% if e.idle is defined and e.idle %} {{ say.listed(e.idle) }} {{ 'take' if e.idle|length > 1 else 'takes' }} "
    "no part in this game; troops allotted to {{ 'them' if e.idle|length > 1 else 'him' }} do not come into play: "
    "at least {{ e.lost }} of the {{ e.troops }}.{% endif %}"
)
SAID_OTHERWISE_SINCE = {
    "dealing out": "allocating",
    "deal out": "allocate",
    "dealt out": "allocated",
    "deals out": "allocates",
    "{% if e.short %}each{% else %}to a general; at least\n{{ say.each_gets(e.least) }}{% endif %}.": LEAST_TROOPS,
}


def test_copies_of_what_others_use_in_0_2_change_nothing(begun: Correspondence) -> None:
    ours = [told(begun, reader) for reader in ("louis", "moderator", "observer")]
    for path in OF_0_2.rglob("*.j2"):
        text = path.read_text("utf-8")
        for old, new in SAID_OTHERWISE_SINCE.items():
            text = text.replace(old, new)
        own(begun, path.relative_to(OF_0_2).as_posix(), text)
    assert [told(begun, reader) for reader in ("louis", "moderator", "observer")] == ours
