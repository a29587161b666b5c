"""Letters that name the desk: invitations, reports and receipts, with a club's page where a campaign has one."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from pbem.campaign.settings import Moderator
from tests.cli.correspondence import NAME, Correspondence

PAGE = "https://club.example/desk/"


def test_a_campaign_names_its_page_in_every_letter(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin("--desk", PAGE)
    table.join()
    for letter in ("frederick-invitation.txt", "frederick.txt"):
        text = Path(table.sent(letter)).read_text("utf-8")
        assert PAGE in text
        assert "`pbem desk`" not in text


def test_a_campaign_without_a_page_names_the_page_that_was_sent_or_the_command(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    table.begin()
    table.join()
    invitation = Path(table.sent("frederick-invitation.txt")).read_text("utf-8")
    assert "in your browser, with nothing to install: ask the moderator for the page" in " ".join(invitation.split())
    assert "`pbem desk`" in Path(table.sent("frederick.txt")).read_text("utf-8")
    # What older campaigns agreed on is written to the same bytes as then.
    assert msgspec.json.encode(Moderator()) == b"{}"


@pytest.mark.parametrize("desk", [(), ("--desk", PAGE)])
def test_a_sealed_letter_names_the_page_before_the_command(tmp_path: Path, desk: tuple[str, ...]) -> None:
    (tmp_path / "plan.yaml").write_text(
        f"campaign: {NAME}\nseats: {{louis: {{reports: sealed, address: lou@example.org}}}}\n"
    )
    table = Correspondence(tmp_path)
    table.begin("--from", "plan.yaml", *desk)
    table.join()
    text = " ".join(Path(table.sent("louis.txt")).read_text("utf-8").split())
    page = PAGE if desk else "the page that you were sent"
    assert text.index(f"open {page}, give it the attached ") < text.index("pbem open ")
    (named,) = re.findall(r"give it the attached (\S+),", text)
    assert named == "`report.yaml.age`", "the file that the page reads, and not the one for eyes alone"


@pytest.mark.parametrize("address", ["http://club.example", "https://a b", "javascript:alert(1)", "https://x/<b>", "x"])
def test_an_address_that_is_none_of_a_page_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"desk": address}, Moderator)
    assert msgspec.convert({"desk": PAGE}, Moderator).desk == PAGE
