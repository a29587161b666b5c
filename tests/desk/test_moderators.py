"""The key of a report is asked for the first time; another one is refused later, unless the ledger leads to it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.ledger.records import KeyChangeRecord
from pbem.campaign.players import campaign_notes
from pbem.desk.bridge import Bridge
from pbem.desk.moderators import LARGEST, Moderators
from pbem.paper.documents.writing import WIDTH
from pbem.paper.letters import sign_letter, write_letter
from pbem.player.letters import letter_at
from pbem.seal.canonical import AnyTree
from pbem.seal.keys import PrivateKey, load_private, new_key
from tests.cli.correspondence import NAME, Correspondence
from tests.desk.test_archive import files_of, zipped
from tests.desk.test_desk import ask, file_with

STRANGER = new_key("a stranger")


def signed_by(file: str, key: PrivateKey) -> bytes:
    """A letter of the moderator as somebody with another key would write it."""
    letter = letter_at(Path(file).read_bytes(), file, of_moderator=True)
    head = {name: str(value) for name, value in letter.tree.items() if name not in ("pbem", "body")}
    body: AnyTree = letter.tree["body"]
    is_report = letter.kind == "report"
    moderator = key.public.text if is_report else {**body["moderator"], "key": key.public.text}
    return sign_letter(write_letter(head, {**body, "moderator": moderator}, WIDTH), key).encode()


def letters(data: bytes) -> str:
    return base64.b64encode(data).decode()


def opened(bridge: Bridge, data: bytes, name: str = "report.yaml") -> Any:
    return ask(bridge, "open", letters(data), name)


def codes(bridge: Bridge, name: str, *given: object) -> list[str]:
    """The codes of what is refused."""
    return [each["code"] for each in json.loads(bridge.call(name, json.dumps(given)))["refused"]]


@pytest.fixture
def report(table: Correspondence) -> bytes:
    return Path(table.sent("louis.report.yaml")).read_bytes()


@pytest.fixture
def foreign(table: Correspondence) -> bytes:
    """The same report, made by a stranger."""
    return signed_by(table.sent("louis.report.yaml"), STRANGER)


def moderator_of(table: Correspondence) -> str:
    return load_private((table.root / "moderator/key").read_bytes(), None).public.fingerprint


def give(bridge: Bridge, data: bytes) -> None:
    """An archive, verified."""
    ask(bridge, "archive", ["a.zip"])
    ask(bridge, "give", "a.zip", file_with(data))
    while not ask(bridge, "verify")["over"]:
        pass


def public_zip(folder: Path) -> bytes:
    return zipped({name: data for name, data in files_of(folder).items() if not name.startswith("outbox")})


def test_the_first_report_is_asked_about_and_the_second_is_not(table: Correspondence, report: bytes) -> None:
    bridge = Bridge("en")
    asked = opened(bridge, report)
    assert "sitting" not in asked
    assert asked["why"] == []
    assert asked["stranger"]["key"] == moderator_of(table)
    assert (asked["stranger"]["known"], asked["stranger"]["acceptable"]) == ("", True)
    assert bridge.desk.laid is None
    accepted = ask(bridge, "accept")
    assert accepted["opened"]["sitting"]["moderator"] == moderator_of(table)
    assert accepted["opened"]["sitting"]["met"]["ways"] == ["told"]
    later = Bridge("de")
    ask(later, "remember", accepted["moderators"])
    assert opened(later, report)["sitting"]["met"] == accepted["opened"]["sitting"]["met"]


def test_another_key_is_refused_later_and_nothing_of_it_is_opened(report: bytes, foreign: bytes) -> None:
    bridge = Bridge("en")
    opened(bridge, report)
    kept = ask(bridge, "accept")["moderators"]
    later = Bridge("en")
    ask(later, "remember", kept)
    asked = opened(later, foreign)
    assert [each["code"] for each in asked["why"]] == ["E-GUIDE-MODERATOR"]
    assert asked["stranger"]["key"] == STRANGER.public.fingerprint
    assert asked["stranger"]["known"] in asked["why"][0]["message"]
    assert not asked["stranger"]["acceptable"]
    assert codes(later, "accept") == ["E-GUIDE-MODERATOR"]
    assert later.desk.laid is None
    # What is forgotten is asked about as at the first time.
    ask(later, "remember", ask(later, "forget", NAME))
    assert opened(later, foreign)["stranger"]["acceptable"]


def test_it_is_compared_with_an_invitation_notes_and_the_archive(
    table: Correspondence, report: bytes, foreign: bytes
) -> None:
    invitation = Path(table.sent("louis-invitation.invitation.yaml")).read_bytes()
    notes = (table.root / f"louis/key.campaigns/{NAME}.louis.json").read_bytes()
    for data, same in ((report, True), (foreign, False)):
        bridge = Bridge("en")
        opened(bridge, data)
        ask(bridge, "compare", letters(invitation), "invitation.yaml")
        ask(bridge, "compare", letters(notes), "notes.json")
        give(bridge, public_zip(table.folder))
        found = ask(bridge, "compare_archive", *ask(bridge, "archive_keys").values())["stranger"]
        assert [each["way"] for each in found["compared"]] == ["invitation", "notes", "archive"]
        assert {(each["key"], each["same"]) for each in found["compared"]} == {(moderator_of(table), same)}
        assert found["acceptable"] == same
        if same:
            assert ask(bridge, "accept")["opened"]["sitting"]["met"]["ways"] == ["invitation", "notes", "archive"]
        else:
            assert codes(bridge, "accept") == ["E-GUIDE-MODERATOR"]


def test_what_cannot_be_compared_is_refused(table: Correspondence, report: bytes) -> None:
    bridge = Bridge("en")
    opened(bridge, report)
    notes = campaign_notes.read((table.root / f"louis/key.campaigns/{NAME}.louis.json").read_bytes(), "notes")
    notes.campaign = "potsdam-1756"
    assert codes(bridge, "compare", letters(report), "report") == ["E-DESK-COMPARE"]
    assert codes(bridge, "compare", letters(b"nothing"), "file") == ["E-DESK-COMPARE"]
    assert codes(bridge, "compare", letters(campaign_notes.notes_text(notes)), "notes") == ["E-DESK-COMPARE"]
    notes.moderator = "ssh-ed25519 AAAA"
    assert codes(bridge, "compare", letters(campaign_notes.notes_text(notes)), "notes") == ["E-KEY-DAMAGED"]
    files = files_of(table.folder)
    first = next(name for name in files if name.startswith("ledger/"))
    give(bridge, zipped({**files, first: files[first].replace(b"time: ", b"time:  ", 1)}))
    assert codes(bridge, "archive_keys") == ["E-DESK-COMPARE"]
    assert ask(bridge, "stranger")["stranger"]["compared"] == []


def test_whoever_takes_a_seat_has_met_the_moderator_who_invites(table: Correspondence, report: bytes) -> None:
    invitation = table.sent("louis-invitation.invitation.yaml")
    bridge = Bridge("en")
    assert opened(bridge, Path(invitation).read_bytes())["invited"]["met"] is None
    ask(bridge, "new_key", "")
    made = ask(bridge, "join", "Lou", "en")
    assert "kind: join" in made["letter"]
    later = Bridge("en")
    ask(later, "remember", made["moderators"])
    assert opened(later, report)["sitting"]["met"]["ways"] == ["invitation"]
    # Nor is another's invitation to the same campaign opened.
    assert opened(later, signed_by(invitation, STRANGER))["why"]
    assert later.desk.invited is None


def test_a_key_of_another_campaign_is_told_where_players_are_masked(
    table: Correspondence, report: bytes, tmp_path: Path
) -> None:
    for name, masks in (("paris-1742", "until the close"), ("berlin-1742", "none")):
        words = ("--masks", masks, "--moderator", "Max <max@example.org>")
        table.run("new", str(tmp_path / name), "--name", name, *words, as_="moderator")
        table.run("invite", "-C", str(tmp_path / name), as_="moderator")
    bridge = Bridge("en")

    def joined(name: str) -> list[Any]:
        """Warnings about the letter by which the key on the desk joins."""
        (invitation,) = (tmp_path / name / "outbox").glob("*/louis-invitation.invitation.yaml")
        assert "invited" in opened(bridge, invitation.read_bytes())
        warnings = ask(bridge, "join", "Lou", "en")["warnings"]
        assert isinstance(warnings, list)
        return warnings

    ask(bridge, "key", letters((table.root / "louis/key").read_bytes()), "")
    opened(bridge, report)
    ask(bridge, "accept")
    assert joined("paris-1742") == [], "nothing was signed by this key here"
    opened(bridge, report)
    ask(bridge, "sign")
    later = Bridge("en")
    ask(later, "remember", ask(bridge, "noted"))
    bridge, before = later, bridge
    ask(bridge, "key", letters((table.root / "louis/key").read_bytes()), "")
    (warning,) = joined("paris-1742")
    assert (warning["code"], NAME in warning["message"]) == ("W-JOIN-MASK", True)
    assert warning["hint"] == "make a new key on this page, and write the letter once more"
    assert joined("berlin-1742") == [], "there everybody is known"
    ask(bridge, "new_key", "")
    assert joined("paris-1742") == []
    assert NAME in ask(before, "noted")


def test_an_honest_change_is_shown_by_the_ledger(table: Correspondence, report: bytes, tmp_path: Path) -> None:
    """The protocol has the moderator's key changed by an entry that the key before has signed."""
    changed, other = table.copied(tmp_path / "changed"), table.copied(tmp_path / "other")
    new = new_key("the moderator's next")
    for folder, key in ((changed, new), (other, STRANGER)):
        old = load_private((folder.root / "moderator/key").read_bytes(), None)
        with opened_by_moderator(folder.folder, old, "test", folder.now) as campaign:
            if folder is changed:
                campaign.add(KeyChangeRecord("", key.public.text, why="a new computer"))
            campaign.save()
    bridge = Bridge("en")
    opened(bridge, report)
    ask(bridge, "accept")
    after = signed_by(table.sent("louis.report.yaml"), new)
    assert not opened(bridge, after)["stranger"]["acceptable"]
    give(bridge, public_zip(other.folder))
    assert not ask(bridge, "compare_archive", *ask(bridge, "archive_keys").values())["stranger"]["acceptable"]
    give(bridge, public_zip(changed.folder))
    assert ask(bridge, "compare_archive", *ask(bridge, "archive_keys").values())["stranger"]["acceptable"]
    done = ask(bridge, "accept")
    assert done["opened"]["sitting"]["met"]["ways"] == ["archive"]
    # From then on the key before is another one, and no ledger leads back to it.
    assert opened(bridge, report)["why"]
    give(bridge, public_zip(changed.folder))
    assert not ask(bridge, "compare_archive", *ask(bridge, "archive_keys").values())["stranger"]["acceptable"]


def test_the_same_moderator_is_known_from_another_campaign(report: bytes) -> None:
    bridge = Bridge("en")
    opened(bridge, report)
    ask(bridge, "accept")
    met = bridge.desk.moderators.met
    met["another"] = met.pop(NAME)
    assert opened(bridge, report)["stranger"]["also"] == ["another"]


def test_notes_of_another_moderator_are_not_taken(table: Correspondence, report: bytes) -> None:
    bridge = Bridge("en")
    opened(bridge, report)
    ask(bridge, "accept")
    notes = campaign_notes.read((table.root / f"louis/key.campaigns/{NAME}.louis.json").read_bytes(), "notes")
    notes.moderator = STRANGER.public.text
    assert codes(bridge, "notes", letters(campaign_notes.notes_text(notes)), "notes") == ["E-GUIDE-MODERATOR"]


@pytest.mark.parametrize(
    "kept",
    [
        "{",
        "[]",
        '{"x": 1}',
        '{"Vienna": {"key": "", "ways": [], "day": "2026-01-01"}}',
        '{"vienna": {"key": "ssh-ed25519 AAAA", "ways": [], "day": "2026-01-01"}}',
        '{"vienna": {"key": "", "ways": ["guessed"], "day": "2026-01-01"}}',
        "[" * 100_000,
        '"\ud800"',
        " " * (LARGEST + 1),
    ],
)
def test_what_a_browser_has_kept_and_somebody_has_altered_is_one_fault(kept: str, report: bytes) -> None:
    bridge = Bridge("en")
    assert codes(bridge, "remember", kept) == ["E-DESK-MODERATORS"]
    assert opened(bridge, report)["stranger"]["known"] == ""


def test_the_oldest_is_forgotten_where_there_are_too_many(report: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.desk.moderators.MOST", 2)
    found = Moderators()
    bridge = Bridge("en")
    opened(bridge, report)
    seen = bridge.desk.moderators.waiting_letter
    for name in ("one", "two", "three"):
        found.note_moderator(seen)
        found.met[name] = found.met.pop(seen.campaign)
    assert [*found.met] == ["two", "three"]
