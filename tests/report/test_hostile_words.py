"""Hostile words in everything that people write: all posts come out, all signatures hold, words stay in their place."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar
from markdown_it import MarkdownIt

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.letters.arrived import Reply
from pbem.campaign.play import rulings
from pbem.campaign.settings import Moderator, Newcomer, Seat
from pbem.paper.letters import check_signature, read_letter
from pbem.post.extract import extract
from pbem.post.outbox import Posting, write_outbox
from pbem.post.outgoing import Correspondent
from pbem.post.parcels import invitation_parcel, receipt_parcel
from pbem.post.reports import report_parcels
from pbem.seal.keys import PublicKey
from pbem.site.export import site_of
from tests.campaign.simulated import NAME, new_key
from tests.report.campaign_table import SEATS, OpenTable, send
from tests.report.test_dresses import Page
from tests.site.browsing import BROWSER, DRIVER, reader
from tests.site.reading import NOW
from tests.trying import IS_LONG

LETTER = f"pbem: 1\nkind: message\ncampaign: {NAME}\nfrom: frederick\nseq: 99\nbody: {{to: all, text: I give up}}\n"
IN_BRACES = f"{{pbem: 1, kind: message, campaign: {NAME}, from: frederick, seq: 99, body: {{to: all, text: no}}}}"
WORDS = (
    "Bob [/code] [code=x]",
    "[/quote][/list][/spoiler][url=http://evil.example]x[/url]",
    "```\n~~~~\n`````` `code` ```",
    f"Read this:\n{LETTER}",
    f"{'x' * 30} {IN_BRACES}",
    IN_BRACES,
    "</pre></blockquote></body></html><script>alert(1)</script><!--",
    "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n...\n---",
    "`\n# Turn 9\n- you have lost\n    x",
    "{{ secrets }} {% raw %} {# x #}",
    "x\nEND:VEVENT\nBEGIN:VALARM;\\n\\",
    "From eve\n.\n=?utf-8?q?Bcc:?= \nBcc: eve@example.org\n\n--=_pbem_0",
    "evil.рф www.evil.example mailto:eve@evil.example u/eve @everybody :smile:",
    "x" * 900,
    "|{}[]&*!%@`'\"\\#: - ? ,=~<<",
)


class Everywhere:
    """Hostile words for one field after the other, beginning somewhere else each time."""

    def __init__(self, first: int) -> None:
        self.at = first

    def next(self, most: int = 1000) -> str:
        self.at += 1
        return WORDS[self.at % len(WORDS)][:most]

    def line(self, most: int = 75) -> str:
        """As much of them as a name may have."""
        return f"n{self.at} {' '.join(self.next().split())[:most]}"


@pytest.fixture(scope="module", params=[0, 11] if IS_LONG else [0])
def table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OpenTable:
    """A campaign in which people write nothing else, wherever they can."""
    hostile = Everywhere(request.param)
    seats = {
        "louis": Seat(name=hostile.line(), language="es"),
        "frederick": Seat(language="de"),
        "maria-theresa": Seat(language="it"),
    }
    found = OpenTable(
        tmp_path_factory.mktemp("hostile"), seats=seats, moderator=Moderator(hostile.next(80)), scenario="introductory"
    )
    found.join({"frederick": hostile.line(), "maria-theresa": hostile.line()})
    found.play(1)
    with found.open() as campaign:
        # Nobody else signs it: the report of whoever has offered it repeats its words.
        body = {"with": "louis", "words": hostile.next()}
        assert send(found, campaign, "frederick", "agreement", body).status == "final"
        campaign.save()
    found.play(1)
    with found.open() as campaign:
        for to in ("all", "moderator", "louis"):
            assert send(found, campaign, "frederick", "message", {"to": to, "text": hostile.next()}).status == "final"
        words = hostile.next()
        for seat, other in (("frederick", "louis"), ("louis", "frederick")):
            assert send(found, campaign, seat, "agreement", {"with": other, "words": words}).status == "final"
        rulings.rule(campaign, hostile.next(), hostile.next())
        rulings.extend(campaign, campaign.now + timedelta(days=20), hostile.next())
        day = (campaign.now + timedelta(days=3)).date()
        rulings.enter_absence(campaign, Absence("louis", day, day, hostile.next()))
        rulings.substitute(
            campaign, "maria-theresa", new_key("eve").public.text, hostile.next(), Newcomer(hostile.line())
        )
        campaign.save()
    return found


@pytest.fixture(scope="module")
def posted(table: OpenTable) -> dict[str, bytes]:
    """Everything that is written of it."""
    with table.open() as campaign:
        return written(campaign)


def written(campaign: Campaign) -> dict[str, bytes]:
    addresses = {seat: f"{seat}@example.org" for seat in (*SEATS, "moderator")}
    posting = Posting(9, Correspondent("max@example.org", campaign.settings.moderator.name), campaign.now)
    parcels = report_parcels(campaign, addresses, with_pictures=False)
    parcels += [invitation_parcel(campaign, seat, campaign.rules.seats, addresses) for seat in ("", *SEATS)]
    files = write_outbox(campaign.folder.outbox, parcels, posting)
    assert campaign.left_out + posting.left_out == []
    return {path.name: path.read_bytes() for path in files}


def letters_in(page: bytes, key: PublicKey) -> int:
    """Return how many letters of the moderator somebody reads out of a page; all others must be quotations, or ours."""
    found = extract(page)
    for each in (*found.letters, *(scrap for scrap in found.unread if scrap.faults[0].code != "E-TEXT-HEAD")):
        if each.letter and each.letter.signature:
            check_signature(each.letter, key)
        elif not (each.letter and is_ours(each.text)):
            assert each.is_quoted, each.text
    return sum(1 for each in found.letters if each.letter and each.letter.signature)


def is_ours(text: str) -> bool:
    """Return whether a letter without a signature is a sheet that goes along to be signed."""
    return "seq: 99" not in text


def test_everybody_gets_everything(posted: dict[str, bytes]) -> None:
    for who in (*SEATS, "observer", "moderator"):
        assert {f"{who}.txt", f"{who}.report.yaml"} <= {*posted}
    assert {f"{seat}.eml" for seat in SEATS} | {"forum.md", "forum.bbcode.txt"} <= {*posted}


def test_signed_files_are_read(table: OpenTable, posted: dict[str, bytes]) -> None:
    names = [name for name in posted if name.endswith(("report.yaml", "invitation.yaml"))]
    assert len(names) == 9
    for name in names:
        check_signature(read_letter(posted[name], name), table.moderator.public)


def test_a_mail_brings_no_other_letters_and_no_other_headers(table: OpenTable, posted: dict[str, bytes]) -> None:
    for name in (name for name in posted if name.endswith(".eml")):
        mail = email.message_from_bytes(posted[name], policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        assert mail["Bcc"] is None
        assert not mail.defects
        assert letters_in(posted[name], table.moderator.public) == 1
        for part in mail.iter_attachments():
            if part.get_content_type() == "text/calendar":
                (event,) = Calendar.from_ical(part.get_content()).events
                assert event["SUMMARY"]


def test_texts_hold_no_letter_but_ours(table: OpenTable, posted: dict[str, bytes]) -> None:
    for name in (name for name in posted if name.endswith(".txt") and "forum" not in name):
        assert letters_in(posted[name], table.moderator.public) == 0


def test_posts_hold_the_signed_report_and_no_other_letter(table: OpenTable, posted: dict[str, bytes]) -> None:
    shown = MarkdownIt("commonmark").enable("table").render(posted["forum.md"].decode())
    for post in (posted["forum.bbcode.txt"], posted["forum.md"], f"<html>{shown}</html>".encode()):
        assert letters_in(post, table.moderator.public) == 1


def test_posts_hold_no_tag_and_no_link_of_theirs(posted: dict[str, bytes]) -> None:
    shown = Page(MarkdownIt("commonmark").enable("table").render(posted["forum.md"].decode()))
    assert not {"script", "a", "img"} & shown.tags
    prose = posted["forum.md"].decode().partition("```yaml")[0]
    assert not re.search(r"\w\.рф|www\.|://|@\w|\bu/", prose)
    code = posted["forum.bbcode.txt"].decode()
    assert code.count("[code]") == code.count("[/code]")
    assert not re.search(r"\[url|\[code=|://|www\.", re.sub(r"\[code\].*?\[/code\]", "", code, flags=re.DOTALL))


def test_pages_hold_only_our_own_tags(posted: dict[str, bytes]) -> None:
    for name in (name for name in posted if name.endswith(".html")):
        page = Page(posted[name].decode())
        assert page.open == []
        assert not {"script", "a"} & page.tags


@pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no chromium with its driver on this machine")
def test_pages_are_no_wider_than_the_screen(posted: dict[str, bytes], tmp_path: Path) -> None:
    pytest.importorskip("selenium", reason="selenium drives the browser")
    (tmp_path / "pages").mkdir()
    names = [name for name in posted if name.endswith(".html")]
    with reader(tmp_path / "profile") as person:
        for width in (360, 670):
            person.look(width)
            for name in names:
                (tmp_path / "pages" / name).write_bytes(posted[name])
                person.open(tmp_path / "pages", name)
                assert person.run("return document.documentElement.scrollWidth") <= width, (name, width)


def test_data_are_what_was_told(table: OpenTable) -> None:
    with table.open() as campaign:
        for parcel in report_parcels(campaign, {}, with_pictures=False):
            assert json.loads(json.dumps(parcel.data, ensure_ascii=False)) == json.loads(json.dumps(parcel.data))


def test_letters_that_are_refused_are_answered(table: OpenTable) -> None:
    """Receipts repeat what is wrong, and what was understood."""
    hostile = Everywhere(0)
    with table.open() as campaign:
        posting = Posting(10, Correspondent("max@example.org"), campaign.now)
        for number in range(len(WORDS)):
            body: dict[str, Any] = {"to": hostile.line(), "text": "x", hostile.line(): hostile.line()}
            kinds = (body, {"to": "all", "text": hostile.line(900)})
            receipts = [send(table, campaign, "louis", "message", each) for each in kinds]
            assert [each.status for each in receipts] == ["refused", "final"]
            parcels = [receipt_parcel(campaign, Reply(each), {"louis": "louis@example.org"}) for each in receipts]
            for path in write_outbox(campaign.folder.outbox, parcels, posting):
                if path.suffix in (".eml", ".txt"):
                    assert letters_in(path.read_bytes(), table.moderator.public) == int(path.suffix == ".eml"), number
        assert posting.left_out == []


def test_the_last_reports_and_the_site_come_out(table: OpenTable) -> None:
    table.close("\n".join(WORDS))
    with table.open() as campaign:
        assert "louis.report.yaml" in written(campaign)
    files = site_of(table.root, NOW)
    for page in pages(files):
        assert "alert(1)" not in "".join(script for script in re.findall(r"<script.*?</script>", page, re.DOTALL))


def pages(site: Any) -> Iterator[str]:
    return (data.decode() for name, data in site.files.items() if name.endswith(".html"))
