"""Targets: letters as they come in by mail, as the moderator judges them, and reports as players use them."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import msgspec

from pbem.campaign.campaign import opened_by_moderator
from pbem.campaign.letters.judging import judge
from pbem.paper.letters import letter_id, read_letter, sign_letter, signed_bytes
from pbem.post.extract import extract
from pbem.post.mailbox import split_mailbox
from pbem.seal.keys import new_key
from tests.post.copies import copies
from tests.post.test_extract import check

from .watching import Target, check_faults
from .world import NAME, SEAT, signed, tree_of, world

STRANGER = new_key("stranger")


def read_mail(data: bytes) -> None:
    """Check that every arrival is answered, and that a letter found alone is found again unchanged."""
    for message in split_mailbox(BytesIO(data).getvalue(), "mail"):
        got = extract(message.data)
        check(got)
        check_faults(got.faults) if got.faults else None
        for found in got.letters:
            again = extract(found.text.encode(), "letter.yaml")
            assert [each.text for each in again.letters] == [found.text]
            assert found.letter is not None
            same = read_letter(found.letter.text.encode(), "again", may_lack=True)
            assert letter_id(same) == letter_id(found.letter)


def read_one(data: bytes) -> None:
    """A letter that can be read has one identity, and signing it changes nothing that it says."""
    letter = read_letter(data, "letter")
    letter_id(letter)
    again = read_letter(sign_letter(letter.text, STRANGER).encode(), "signed")
    assert signed_bytes(again) == signed_bytes(letter)


def read_intake(data: bytes) -> None:
    """The moderator judges a letter of a player's own, and nothing of the campaign changes by that."""
    here = world()
    letter = read_letter(signed(tree_of(data), here.key), "letter")
    with opened_by_moderator(here.table.folder, here.moderator, "fuzz", here.table.now) as campaign:
        before = msgspec.json.encode(campaign.state.snapshot())
        verdict = judge(campaign.state, letter, campaign.open_box)
        assert msgspec.json.encode(campaign.state.snapshot()) == before
        assert verdict.record is not None or verdict.is_refused
        if verdict.faults:
            check_faults(tuple(verdict.faults))


def read_report(data: bytes) -> None:
    """A report of a moderator who is none: every command of a player's answers it."""
    here = world()
    tree = tree_of(data)
    if isinstance(tree, dict) and isinstance(tree.get("body"), dict):
        tree["body"]["moderator"] = STRANGER.public.text
        data = signed(tree, STRANGER)
    (here.root / "report.yaml").write_bytes(data)
    (here.root / "letter.yaml").write_bytes(here.sheet)
    here.run("check", "letter.yaml", "--report", "report.yaml", as_=here.seat)
    here.run("legal", "report.yaml")
    here.run("show", "report.yaml", "--json")
    here.run("try", "report.yaml", "letter.yaml")
    here.run("position", "save", "known.yaml", "--from", "report.yaml")
    here.run("message", "all", "hello", "--report", "report.yaml", "-o", "out.yaml", as_="moderator")
    here.run("verify", NAME, "--report", "report.yaml")


def read_true_report(data: bytes) -> None:
    """The same, signed by the moderator: a moderator may err, or cheat."""
    here = world()
    tree = tree_of(data)
    (here.root / "report.yaml").write_bytes(signed(tree, here.moderator))
    (here.root / "letter.yaml").write_bytes(here.sheet)
    here.run("check", "letter.yaml", "--report", "report.yaml", as_=here.seat)
    here.run("seal", "letter.yaml", "--report", "report.yaml", "-o", "out.yaml", as_=here.seat)
    here.run("verify", NAME, "--report", "report.yaml")


def read_invitation(data: bytes) -> None:
    """An invitation of a moderator whom nobody has met."""
    here = world()
    tree = tree_of(data)
    if isinstance(tree, dict) and isinstance(tree.get("body"), dict):
        if isinstance(known := tree["body"].get("moderator"), dict):
            known["key"] = STRANGER.public.text
        data = signed(tree, STRANGER)
    (here.root / "invitation.yaml").write_bytes(data)
    here.run("join", "invitation.yaml", "-o", "out.yaml", as_="moderator")


def read_notes(data: bytes) -> None:
    """Notes that somebody has written in."""
    here = world()
    folder = here.root / "noted"
    path = folder / "key.campaigns" / f"{NAME}.{here.seat}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    for name in ("key", "key.pub"):
        (folder / name).write_bytes((here.root / here.seat / name).read_bytes())
    path.write_bytes(data)
    (here.root / "letter.yaml").write_bytes(here.sheet)
    here.run("check", "letter.yaml", as_="noted")
    here.run("sign", "letter.yaml", "-o", "out.yaml", as_="noted")
    here.run("seal", "letter.yaml", "-o", "out.yaml", as_="noted")
    here.run("reveal", "letter.yaml", "-o", "out.yaml", as_="noted")


def rewritten(tree: Any) -> bytes:
    """A letter as the program writes it."""
    from .documents import rewritten as in_yaml

    return in_yaml(tree)


def letters() -> Iterator[Target]:
    """The targets of this module."""
    here = world()
    bare = {"pbem": "1", "kind": "message", "campaign": NAME, "from": here.seat, "seq": "90"}
    others: list[Any] = [
        {**bare, "body": {"to": "all, moderator", "text": "hello"}},
        {**bare, "kind": "key-change", "body": {"key": STRANGER.public.text}},
        {**bare, "kind": "join", "body": {"deal": "0" * 64, "token": "0" * 16, "key": STRANGER.public.text,
                                          "entropy": "x", "name": "Anna", "language": "de"}},
    ]  # fmt: skip
    staged = {**tree_of(here.sheet), "seq": "91"}
    others += [
        staged,
        {**staged, "kind": "agreement", "body": {"with": SEAT, "words": "peace"}},
        {**staged, "kind": "plan", "body": {"orders": {"prussia": {"plans": [{"for": "battle", "tactic": "hold"}]}}}},
        {**staged, "kind": "reveal", "body": {"orders": {"salt": "0" * 64, "body": {}}}},
        {**staged, "body": {"sealed": {"orders": {"commitment": "0" * 64, "box": "x"}}, "final": "no", "wait": "yes"}},
    ]
    mails = tuple(copy.raw for copy in copies() if len(copy.raw) < 50_000)
    yield Target("mail", mails, read_mail, weight=10)
    every = [tree_of(data) for data in (here.report, here.sheet, here.invitation)] + others
    yield Target("letter", tuple(map(rewritten, every)), read_one, rewritten, tuple(every), 10)
    yield Target("intake", tuple(map(rewritten, others)), read_intake, rewritten, tuple(others))
    yield Target("report", (here.report,), read_report, rewritten, (tree_of(here.report),))
    yield Target("true report", (here.report,), read_true_report, rewritten, (tree_of(here.report),))
    yield Target("invitation", (here.invitation,), read_invitation, rewritten, (tree_of(here.invitation),))
    notes = msgspec.json.decode(here.notes)
    yield Target("notes", (here.notes, b"[" * 9000, b"\xff"), read_notes, msgspec.json.encode, (notes,))
