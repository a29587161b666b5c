"""A moderator without a terminal: a campaign from its founding to its close by the room `moderator` alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.bots.plain import choose
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import span
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play.adjudicating import EnteredAdjudication
from pbem.campaign.proof.judging_again import close
from pbem.campaign.proof.verifying import verify
from pbem.faults.wrong import WrongUse
from pbem.lab.bot_campaign import bot_players_of
from pbem.moderator.acts import adjudicate, extend, note_absence, span_meant
from pbem.moderator.campaigns import Task, campaign_to_change, campaign_to_read, found_campaign
from pbem.moderator.letters import accept, tray_data
from pbem.moderator.mails import invite, note_addresses, post_news, remind, report_as_it_stands, report_text
from pbem.moderator.public_view import status_of
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import RawMessage
from pbem.seal.keys import PrivateKey, new_key


class Chair:
    """A moderator who has a folder, a key and a clock."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "vienna"
        self.keys: PrivateKey = new_key("moderator")
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def task(self, name: str) -> Task:
        """Something to do now."""
        return Task(name, self.folder, lambda: self.keys, lambda: self.now, False)

    @contextmanager
    def at(self, name: str) -> Iterator[Campaign]:
        """The campaign, open to be changed."""
        with campaign_to_change(self.task(name), name) as campaign:
            yield campaign


def test_a_campaign_needs_no_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chair = Chair(tmp_path)
    options = {"campaign": "vienna", "scenario": "introductory", "moderator": {"address": "chair@example.org"}}
    found_campaign(
        chair.folder,
        complete_plan(read_plan(b"", "options", tmp_path, options), "options", "test"),
        chair.keys,
        chair.now,
    )
    with chair.at("invite") as campaign:
        assert any(path.suffix == ".eml" for path in invite(campaign, [("loui", "louis@example.org")]))
        players = bot_players_of(campaign.settings.seats, choose, "1741")
        joins = [RawMessage(each.join(campaign.state).encode(), f"{seat}.yaml") for seat, each in players.items()]
    with chair.at("accept") as campaign:
        tray = accept(campaign, joins)
        assert not tray.is_in_vain
        letters = tray_data(tray, False, "en")["letters"]
        assert isinstance(letters, list)
        assert [letter["player"] for letter in letters] == list(players)
    with chair.at("adjudicate") as campaign:
        done = adjudicate(campaign)
        assert isinstance(done, EnteredAdjudication)
        assert done.record.next.owing
    with chair.at("post") as campaign:
        assert {"louis.orders.yaml", "observer.txt"} <= {path.name for path in post_news(campaign, with_pictures=False)}
    with campaign_to_read(chair.task("report")) as campaign:
        parcel = report_as_it_stands(campaign, "obs")
        assert report_text(campaign, parcel, "text", whole=False).strip()
    with chair.at("extend") as campaign:
        assert extend(campaign, "48h", "holidays") == campaign.vault.entry
        with pytest.raises(Refused, match="E-CLOCK-FORM"):
            extend(campaign, "soon", "holidays")
    with chair.at("absent") as campaign:
        entry, away = note_absence(campaign, "louis", ("2026-12-20", "2026-12-24"), "", None)
        assert (away.player, away.first.day, away.last.day) == ("louis", 20, 24)
        assert entry <= campaign.vault.entry
    status = status_of(open_folder(chair.folder), chair.now)
    assert {row["player"] for row in status.table} == set(players)
    chair.now = datetime.fromisoformat(campaign.public.deadline) - timedelta(hours=1)
    with chair.at("remind") as campaign:
        reminders, files = remind(campaign)
        assert reminders
        assert files
    with chair.at("close") as campaign:
        close(campaign, "enough")
    assert verify(chair.folder).is_good
    assert capsys.readouterr() == ("", "")


def test_what_people_type_is_wrong_use_for_whoever_asked(tmp_path: Path) -> None:
    chair = Chair(tmp_path)
    plan = complete_plan(read_plan(b"", "options", tmp_path, {"campaign": "vienna"}), "options", "test")
    found_campaign(chair.folder, plan, chair.keys, chair.now)
    with chair.at("invite") as campaign, pytest.raises(WrongUse) as wrong:
        note_addresses(campaign, [("nobody", "x@example.org")])
    assert wrong.value.option == "--address"


def test_no_key_is_asked_for_where_no_campaign_is(tmp_path: Path) -> None:
    def asked() -> PrivateKey:
        raise AssertionError("nobody should type a passphrase here")

    task = Task("post", tmp_path, asked, lambda: datetime.now(UTC))
    with pytest.raises(StorageFault, match="E-FOLDER-NONE"), campaign_to_read(task):
        pass


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("3 days", "3d"), ("2 Wochen", "2w"), ("1 día", "1d"), ("2 ore", "2h"), ("48 hours", "48h"), ("3 d", "3d")],
)
def test_a_span_of_time_may_be_typed_in_words(typed: str, meant: str) -> None:
    assert span_meant(typed) == meant
    assert span(meant)


@pytest.mark.parametrize("typed", ["soon", "3 moons", "days", "2026-12-01", "99999 days", "-3 days"])
def test_what_is_no_span_of_time_stays_as_it_is(typed: str) -> None:
    assert span_meant(typed) == typed
