"""Subject, heading, calendar file, sheet, picture and pages of a mail follow from the standing of its reader's seat."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.clock.clock import AtDeadline, Bank
from pbem.campaign.ledger.records import SubstituteRecord
from pbem.campaign.letters.judging import judge
from pbem.campaign.play import adjudicating
from pbem.campaign.players.letters import sealed_part
from pbem.campaign.settings import Conduct, Seat
from pbem.engine.nouns import Power
from pbem.faults.nouns import nouns
from pbem.games.maria.rules.decisions import PlaceInfluence
from pbem.paper.letters import read_letter, sign_letter
from pbem.post.finding import candidates
from pbem.post.outbox import Posting, mail, sealed_parcel
from pbem.post.outgoing import Correspondent
from pbem.post.parcels import Parcel
from pbem.post.reports import report_parcel, report_parcels
from pbem.report.formats.pages import subject, text
from pbem.report.language.templates import languages
from pbem.report.letters.reader import ASKING, is_picture_wanted
from pbem.report.letters.report import report_data
from pbem.report.letters.sheet import sheet_texts
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.campaign.simulated import BEGIN, SimulatedTable
from tests.report.plain import body_text, letter_text

PRUSSIA = "scenario: advanced\nturn: 2\nstage: prussia\nphase: movement\nbegun: yes\nowing: [prussia, saxony]\n"
GIVE: dict[str, Tree] = {"for": "allot", "give": "even"}
FRANCE: dict[str, Tree] = {"france": {"plans": [GIVE]}, "bavaria": {"plans": [GIVE]}}
AHEAD: dict[str, Tree] = {"pragmatic": {"ahead": [{"stage": "2/austria", "move": []}]}}
STILL: dict[str, Tree] = {"prussia": {"move": []}, "saxony": {"move": []}}


def asked(table: SimulatedTable) -> str:
    return "louis"


def answered_by_a_plan(table: SimulatedTable) -> str:
    table.send(table.other_letter("louis", "plan", {"orders": FRANCE}))
    return "louis"


def answered_by_a_sealed_plan(table: SimulatedTable) -> str:
    part = sealed_part(table.occasion("louis"), "plans", FRANCE)
    table.send(table.other_letter("louis", "plan", {"sealed": {"plans": table.boxed(part)}}))
    return "louis"


def in_(table: SimulatedTable) -> str:
    table.ordered("louis")
    return "louis"


def partly(table: SimulatedTable) -> str:
    with table.open() as campaign:
        orders = table.players["frederick"].decide(campaign.state)
    orders.pop("saxony")
    table.send(table.letter("frederick", orders))
    return "frederick"


def draft(table: SimulatedTable) -> str:
    with table.open() as campaign:
        orders = table.players["frederick"].decide(campaign.state)
    table.send(table.letter("frederick", orders, final=False))
    return "frederick"


def answered_by_orders_ahead(table: SimulatedTable) -> str:
    table.send(table.letter("frederick", STILL | AHEAD))
    table.adjudicate()
    return "frederick"


def waiting(table: SimulatedTable) -> str:
    return "louis"


def locked(table: SimulatedTable) -> None:
    with table.open() as campaign:
        for player in ("frederick", "louis"):
            table.deliver(campaign, table.players[player].orders(campaign.state, commit_only=True))
        campaign.save()
    assert isinstance(table.adjudicate(force=True), adjudicating.Lock)


def asked_to_vote(table: SimulatedTable) -> str:
    table.send(table.other_letter("frederick", "proposal", {"subject": "draw"}))
    return waiting(table)


def owing_a_reveal(table: SimulatedTable) -> str:
    locked(table)
    return "louis"


def owing_what_another_has_sealed(table: SimulatedTable) -> str:
    """A substitute behind the lock, to whom the letter of before says nothing."""
    locked(table)
    with table.open() as campaign:
        key = new_key("").public
        campaign.add(SubstituteRecord("louis", key.text, "gone", "Gus"))
        campaign.save()
    return "louis"


def shut_out(table: SimulatedTable) -> str:
    locked(table)
    return "maria-theresa"


def revealed(table: SimulatedTable) -> str:
    locked(table)
    with table.open() as campaign:
        table.deliver(campaign, table.players["louis"].reveal(campaign.state))
        campaign.save()
    return "louis"


def closed(table: SimulatedTable) -> str:
    table.close("far enough")
    return "louis"


SETTING_UP, MOVING, HIDING = "setting up", "moving", "hiding"
STATES: list[Any] = [
    pytest.param(SETTING_UP, asked, "orders", "your move", id="asked"),
    pytest.param(SETTING_UP, partly, "partly", "your letter leaves something open", id="partly"),
    pytest.param(SETTING_UP, draft, "draft", "your draft is in", id="draft"),
    pytest.param(SETTING_UP, in_, "in", "your orders are in", id="in"),
    pytest.param(SETTING_UP, answered_by_a_plan, "planned", "your plans answer", id="plan"),
    pytest.param(SETTING_UP, answered_by_a_sealed_plan, "planned", "your plans answer", id="sealed plan"),
    pytest.param(MOVING, answered_by_orders_ahead, "ahead", "your orders ahead answer", id="ahead"),
    pytest.param(MOVING, waiting, "nothing", "nothing is asked of you", id="waiting"),
    pytest.param(HIDING, owing_a_reveal, "reveal", "reveal what you sealed", id="locked"),
    pytest.param(MOVING, asked_to_vote, "vote", "your vote is asked", id="vote"),
    pytest.param(
        HIDING, owing_what_another_has_sealed, "former reveal", "reveal what was sealed before you", id="substitute"
    ),
    pytest.param(HIDING, shut_out, "shut out", "the default orders answer for you", id="shut out"),
    pytest.param(HIDING, revealed, "in", "your orders are in", id="revealed"),
    pytest.param(SETTING_UP, closed, "closed", "the campaign is closed", id="closed"),
]


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], SimulatedTable]:
    """A table in each of the moments from which the states come about."""
    root = tmp_path_factory.mktemp("standings")
    begun = {
        SETTING_UP: SimulatedTable(root / SETTING_UP, scenario="introductory"),
        MOVING: SimulatedTable(root / MOVING, position=PRUSSIA, scenario="advanced"),
        HIDING: SimulatedTable(root / HIDING, conduct=Conduct(sealing="reveal"), scenario="introductory"),
    }
    return {moment: table.begun() for moment, table in begun.items()}.__getitem__


def as_mail(parcel: Parcel) -> bytes:
    """A parcel as a mail of Max."""
    posting = Posting(1, Correspondent("max@example.org"), BEGIN)
    return mail(replace(parcel, address="player@example.org"), posting)


def parts(parcel: Parcel) -> tuple[str, dict[str, str]]:
    """The subject of a mail, and the text of its parts by file name or media type."""
    found = email.message_from_bytes(as_mail(parcel), policy=email.policy.default)
    leaves = [each for each in found.walk() if isinstance(each, EmailMessage) and not each.is_multipart()]
    return str(found["Subject"]), {
        each.get_filename() or each.get_content_type(): str(each.get_content()) for each in leaves
    }


@pytest.mark.parametrize(("moment", "reach", "standing", "words"), STATES)
def test_a_mail_says_in_all_its_parts_what_is_asked(
    tmp_path: Path, tables: Callable[[str], SimulatedTable], moment: str, reach: Any, standing: str, words: str
) -> None:
    table = tables(moment).copied(tmp_path / "campaign")
    seat = reach(table)
    with table.open() as campaign:
        (parcel,) = report_parcels(campaign, {"moderator": "max@example.org"}, only=[seat])
    assert parcel.data["standing"] == standing
    is_asked = standing in ASKING
    title, files = parts(parcel)
    body = files["text/plain"]
    heading = " ".join(body.partition("\n\n")[0].split())
    assert words in title
    assert words in heading
    assert ("your move" in title + heading) == (standing == "orders")
    assert (", by " in title) == is_asked
    assert ("deadline.ics" in files) == is_asked
    may_order = standing in ("orders", "partly", "draft", "planned", "ahead") or reach is in_
    assert ("orders.yaml" in files) == may_order
    assert ("Orders (`orders.yaml`)" in body) == (is_asked and "reveal" not in standing)
    assert ("kind: orders" in files.get("orders.yaml", "")) == may_order
    assert "kind: orders" not in body, "what is to be signed is the file"
    assert "report.yaml" in files, "programs are told all, whatever the mail shows"
    is_whole = is_asked or standing == "closed"
    assert ("map.png" in files) == is_whole
    assert ("report.html" in files) == is_whole
    assert ("You have" in body) == is_asked
    assert "You have" in text(parcel.whole) or standing == "closed"


def test_where_letters_are_not_signed_the_body_has_the_whole_letter(
    tables: Callable[[str], SimulatedTable],
) -> None:
    table = tables(SETTING_UP)
    with table.open() as campaign:
        told = briefings(campaign)["louis"]
        unsigned = replace(told.settings, conduct=Conduct(signing="off"))
        body = body_text(report_data(replace(told, key="", settings=unsigned)))
        example, found = candidates(body)
        assert "kind: message" in example.text, "the lines of a message are there to be copied"
        letter = read_letter(sign_letter(found.text, table.players["louis"].key).encode(), "body")
        verdict = judge(campaign.state, letter, campaign.open_box)
    assert not verdict.faults
    assert not verdict.missing


LATE = {
    "en": (
        "20:00 (UTC). If nothing comes, all wait for you.",
        "20:00 (UTC). If nothing comes, your plans or the default orders answer on Wed 25 Nov, 20:00.",
        "20:00 (UTC). If nothing comes, the default orders answer on Wed 25 Nov, 20:00.",
    ),
    "de": (
        "20:00 (UTC). Kommt nichts, warten alle auf dich.",
        "20:00 (UTC). Sonst gelten ab Mi 25.11., 20:00 deine Pläne oder die Ersatzbefehle.",
        "20:00 (UTC). Sonst gelten ab Mi 25.11., 20:00 die Ersatzbefehle.",
    ),
    "es": (
        "20:00 (UTC). Mientras no llegue nada tuyo, todos seguirán esperándote.",
        "20:00 (UTC). Si no llega nada tuyo antes del mié 25 nov, 20:00, responden tus planes o se aplican las órdenes"
        " por defecto.",
        "20:00 (UTC). Si no llega nada tuyo antes del mié 25 nov, 20:00, se aplican las órdenes por defecto.",
    ),
    "it": (
        "20:00 (UTC). Se non arriva nulla, la partita resta ferma.",
        "20:00 (UTC). Se non arriva nulla entro mer 25 nov, 20:00, rispondono i tuoi piani o gli ordini predefiniti.",
        "20:00 (UTC). Se non arriva nulla entro mer 25 nov, 20:00, rispondono gli ordini predefiniti.",
    ),
}
LATE_UNTIL = {
    "en": "20:00 (UTC). Late orders are taken until Wed 25 Nov, 20:00.",
    "de": "20:00 (UTC). Nachfrist bis Mi 25.11., 20:00.",
    "es": "20:00 (UTC). Margen: mié 25 nov, 20:00.",
    "it": "20:00 (UTC). Proroga fino a mer 25 nov, 20:00.",
}
AT_DEADLINE: tuple[AtDeadline, ...] = ("wait", "standing", "hold")


@pytest.mark.parametrize("language", languages())
def test_a_mail_that_asks_says_until_when_and_at_what_moment_something_else_answers(
    tables: Callable[[str], SimulatedTable], language: str
) -> None:
    with tables(SETTING_UP).open() as campaign:
        told = in_language(briefings(campaign)["louis"], language)
    for at_deadline, late in zip(AT_DEADLINE, LATE[language], strict=True):
        clock = replace(told.settings.clock, at_deadline=at_deadline, grace="1d")
        data = report_data(replace(told, settings=replace(told.settings, clock=clock)))
        # Its moment is another one in each stage: who has ordered before is told it, too.
        for has_ordered in (False, True):
            head = " ".join(body_text(data | {"has_ordered": has_ordered}).split("\n\n")[0].split())
            assert (late in head) == (not has_ordered), head
            assert (LATE_UNTIL[language] in head) == (at_deadline != "wait" and has_ordered), head
            assert ("`pbem desk`" in head) == (not has_ordered)
        if at_deadline != "wait":
            follows = body_text(data | {"has_ordered": True, "marches_follow": True})
            assert late[:-1] in " ".join(follows.split()), "what answers for the marches is told"
    banked = replace(clock, bank=Bank("3d", "1d", "9d"))
    data = report_data(replace(told, settings=replace(told.settings, clock=banked)))
    with_bank: dict[str, Any] = data | {
        "bank": {"louis": {"parts_left": ["3d"], "late": 0, "away": 0, "changed": False}}
    }
    assert data["late_until"] is None, "a bank of time comes first"
    assert "25" not in body_text(with_bank).split("\n\n")[0]


NOTHING = {
    "en": (
        "# Sign orders.yaml with pbem and send it, even if you order nothing.",
        "# Then send it; if you order nothing, the file orders.yaml as it is.",
    ),
    "de": (
        "# Signiere die Datei mit pbem und schick sie, auch ohne Befehle.",
        "# Dann abschicken; willst du nichts befehlen, die Datei unverändert.",
    ),
    "es": (
        "# Firma orders.yaml con pbem y envíalo, aunque no ordenes nada.",
        "# Después envíala; si no ordenas nada, envía el archivo tal cual.",
    ),
    "it": (
        "# Firma orders.yaml con pbem e invialo, anche se non ordini nulla.",
        "# Poi invialo; se non ordini nulla, invia il file così com'è.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_who_has_ordered_before_is_told_too_how_nothing_is_ordered(
    tables: Callable[[str], SimulatedTable], language: str
) -> None:
    with tables(MOVING).open() as campaign:
        told = in_language(briefings(campaign)["frederick"], language)
    signed, unsigned = NOTHING[language]
    for has_sealed in (False, True):
        used = replace(told, orders=replace(told.orders, has_sealed=has_sealed))
        assert signed in sheet_texts(used, language)[1].splitlines()
        keyless = replace(used, key="", settings=replace(used.settings, conduct=Conduct(signing="off")))
        assert unsigned in sheet_texts(keyless, language)[1].partition("body:")[0]
    assert "wenn du nichts befiehlst" not in sheet_texts(used, "de", is_attached=False)[1], (
        "a reminder says so above the sheet"
    )


def test_only_who_is_waited_for_is_named(tables: Callable[[str], SimulatedTable], tmp_path: Path) -> None:
    table = tables(SETTING_UP).copied(tmp_path / "campaign")
    table.ordered("frederick")
    with table.open() as campaign:
        told = briefings(campaign)["louis"]
    assert "Also waiting for Maria Theresa." in body_text(report_data(told))


ALL_IN = {
    "en": "All orders are in",
    "de": "Alle Befehle liegen vor",
    "es": "todas las órdenes",
    "it": "tutti gli ordini",
}


@pytest.mark.parametrize("language", languages())
def test_nobody_is_waited_for_once_all_orders_are_in(tables: Callable[[str], SimulatedTable], language: str) -> None:
    with tables(SETTING_UP).open() as campaign:
        data = report_data(in_language(briefings(campaign)["louis"], language))
    waits = [{"player": "frederick", "powers": ["prussia"], "state": "none yet"}]
    idle: dict[str, Any] = data | {"is_asked": False, "standing": "nothing", "owing": waits}
    head, done = (body_text(each) for each in (idle, idle | {"owing": [waits[0] | {"state": "final"}]}))
    assert (ALL_IN[language] in done, ALL_IN[language] in head) == (True, False)
    name = nouns(language)["players"]["frederick"]
    assert (name in head, name in done.split("\n\n")[0]) == (True, False)


def test_what_is_decided_without_the_map_comes_without_it(tables: Callable[[str], SimulatedTable]) -> None:
    with tables(SETTING_UP).open() as campaign:
        told = briefings(campaign)["louis"]
    politics = replace(told, orders=replace(told.orders, asked=(PlaceInfluence(Power("france"), ()),)))
    full = replace(told.settings, seats={"louis": Seat(news="full")})
    assert [is_picture_wanted(each) for each in (told, politics, replace(politics, settings=full))] == [
        True,
        False,
        True,
    ]


PLANNED = [
    (SETTING_UP, answered_by_a_plan, "Line 1 of your plans for France allocates the 26 thus: "),
    (MOVING, answered_by_orders_ahead, "Ordered ahead in entry 6: `{move: []}`"),
    (SETTING_UP, answered_by_a_sealed_plan, "Line 1 of your plans for France."),
]


@pytest.mark.parametrize(("moment", "reach", "words"), PLANNED)
def test_the_body_says_which_plan_or_block_plays(
    tmp_path: Path, tables: Callable[[str], SimulatedTable], moment: str, reach: Any, words: str
) -> None:
    table = tables(moment).copied(tmp_path / "campaign")
    seat = reach(table)
    with table.open() as campaign:
        told = briefings(campaign)[seat]
    body = " ".join(letter_text(report_data(told)).split())
    assert "You need not write: the answers below hold, unless you send other orders" in body
    assert words in body


def test_every_language_has_words_for_each_standing(tables: Callable[[str], SimulatedTable]) -> None:
    with tables(SETTING_UP).open() as campaign:
        told = briefings(campaign)["louis"]
    for language in languages():
        data = report_data(in_language(told, language))
        every = [report_data(in_language(told, language)) | {"standing": state.values[2]} for state in STATES]
        over = report_data(in_language(replace(told, phase="over", owed=()), language))
        heads = {subject(each): letter_text(each).partition("\n==")[0] for each in [data, *every, over]}
        assert len(heads) == len({state.values[2] for state in STATES}) + 1, "each standing has a subject of its own"
        assert len(set(heads.values())) == len(heads)


def test_a_seat_may_wish_for_full_mails(tmp_path: Path, tables: Callable[[str], SimulatedTable]) -> None:
    table = tables(MOVING).copied(tmp_path / "campaign")
    with table.open() as campaign:
        told = briefings(campaign)["louis"]
        seats = {seat: replace(each, news="full") for seat, each in told.settings.seats.items()}
        full = report_parcel(campaign, replace(told, settings=replace(told.settings, seats=seats)), {})
        (short,) = report_parcels(campaign, {}, only=["louis"])
    assert "You have" in full.text
    assert "`report.html`" in full.text
    assert "report.html" in parts(full)[1]
    assert "`report.yaml`" in short.text.splitlines()[-1]
    assert len(as_mail(short)) < len(as_mail(full)) * 2 / 3


def test_a_sealed_short_mail_has_no_page_either(tmp_path: Path, tables: Callable[[str], SimulatedTable]) -> None:
    table = tables(MOVING).copied(tmp_path / "campaign")
    with table.open() as campaign:
        (short,) = report_parcels(campaign, {}, only=["louis"])
    closed = sealed_parcel(replace(short, seal_to=table.players["louis"].key.public))
    assert {each.name for each in closed.files} == {"report.txt.age", "report.yaml.age", "plan.yaml.age"}
    assert "24 Nov" not in text(closed.blocks), "a deadline of others is none of the reader's"
