"""The report for programs has exactly the keys that its page names, and so nothing by mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import AgreedEnd, Briefing, briefings
from pbem.campaign.ledger.proposals import VoteCount
from pbem.campaign.ledger.records import EndRecord, ProposalRecord
from pbem.campaign.ledger.seats import SharedKey
from pbem.campaign.letters.replaced_orders import AheadOfReader
from pbem.campaign.own_affairs import PlansOfReader
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.campaign.succession import SealedShare
from pbem.engine.nouns import Power
from pbem.paper.agreements import Deal
from pbem.paper.documents.writing import Value
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_body
from tests.report.campaign_table import OpenTable

PAGE = (Path(__file__).parents[2] / "docs" / "reports.md").read_text("utf-8")
SOMETIMES = {
    "agreements",
    "ahead",
    "course",
    "deadline",
    "ended",
    "heirloom",
    "key",
    "moved",
    "plans",
    "proposals",
    "settled",
    "sheets",
    "turned-back",
}
"""Keys of the signed report that it has only where there is something to say."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Briefing]:
    """Reports of everybody in both games: before they begin, while cards are drawn, and when plans are in force."""
    found: list[Briefing] = []
    for name, terms in {"maria": {"scenario": "introductory"}, "friedrich": {"game": "friedrich"}}.items():
        table = OpenTable(tmp_path_factory.mktemp(name), **terms)
        table.join()
        for rounds in (0, 1, 3):
            if rounds:
                table.play(rounds)
            with table.open() as campaign:
                found += briefings(campaign).values()
    plans = PlansOfReader(9, "a letter", 4, "1/prussia", True, {})
    ahead = (AheadOfReader("2/prussia", Power("prussia"), 8, ("move",)),)
    deal = Deal(8, ("france", "prussia"), "Peace.", {"cities": ("Prag",)}, "3")
    shared = (SharedKey(("elisabeth", "pompadour"), "SHA256:of-both"),)
    part: SealedShare = {
        "entry": 7,
        "number": 1,
        "points": ["ab" * 32] * 2,
        "days": 14,
        "last": "2026-12-01T12:00:00Z",
        "part": "sealed",
    }
    proposal: dict[str, Value] = {
        "name": "7-0123456789abcdef",
        "player": "louis",
        "subject": "concede",
        "about": "frederick",
        "until": "2026-12-08T12:00:00Z",
        "yes": ["louis"],
        "awaited": ["maria-theresa"],
    }
    settled: dict[str, Value] = {
        "name": "5-0123456789abcdef",
        "player": "louis",
        "subject": "draw",
        "about": "",
        "how": "failed",
        "entry": 6,
        "by": "maria-theresa",
    }
    last = replace(
        found[-1],
        orders=replace(found[-1].orders, plans=plans, ahead=ahead, to_come=ahead),
        news=replace(found[-1].news, turned_back=6),
        deals=(deal,),
        shared_keys=shared,
        heirloom=part,
        proposals=(proposal,),
        settled=(settled,),
        moved={"until": "2026-12-08T12:00:00Z", "why": "a feast"},
        votes=(VoteCount(yes=("louis",), no=(), awaited=("maria-theresa",), needed=2, voters=2),),
    )
    end = AgreedEnd(EndRecord(7, "concede", ("louis",)), ProposalRecord("frederick", "concede", 1, "", "", "louis"))
    return [*found, last, replace(found[-1], phase="over", agreed_end=end)]


def keys(found: Iterable[Any]) -> set[str]:
    """The keys of all these mappings."""
    return set(chain.from_iterable(found))


def documented(section: str, begin: str, end: str) -> set[str]:
    """The keys that a part of the page names, outside of brackets."""
    part = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0].split(begin)[1].split(end)[0]
    return set(re.findall(r"`([a-z-]+)`", re.sub(r"\([^()]*\)", "", part)))


def test_the_signed_report_has_the_keys_that_are_documented_and_no_others(told: list[Briefing]) -> None:
    bodies = [report_body(report_data(each)) for each in told if each.table]
    named = documented("The signed report", "Its body:", "what its")
    assert keys(bodies) == named
    assert all(named - body.keys() <= SOMETIMES for body in bodies)


def test_what_lies_deeper_in_it_is_closed_too(told: list[Briefing]) -> None:
    bodies: list[Any] = [report_body(report_data(each)) for each in told if each.table]
    deeper = {
        "head": keys(body["head"] for body in bodies),
        "owing": keys(owed for body in bodies for owed in body["owing"].values()),
        "proofs": keys(proof for body in bodies for proof in body["proofs"]),
        "plans": keys(body["plans"] for body in bodies if "plans" in body),
        "agreements": keys(deal for body in bodies for deal in body.get("agreements", ())),
        "proposals": keys(each for body in bodies for each in body.get("proposals", ())),
        "ended": keys(body["ended"] for body in bodies if "ended" in body),
        "motion": keys(body["ended"]["motion"] for body in bodies if "ended" in body),
        "course": keys(body["course"] for body in bodies if "course" in body),
        "map": keys(body["course"]["map"] for body in bodies if "course" in body),
    }
    assert deeper == {
        "head": {"entry", "hash"},
        "owing": {"powers", "state"},
        "proofs": {"card", "name", "shuffle", "position", "salt"},
        "plans": {"letter", "seq", "stage", "hidden"},
        "agreements": {"entry", "players", "words", "binds", "until"},
        "proposals": {"name", "player", "subject", "about", "until", "yes", "awaited"},
        "ended": {"how", "winners", "motion"},
        "motion": {"player", "subject", "about"},
        "course": {"map", "events"},
        "map": {"places", "down", "on-top", "hussars", "markers", "questions"},
    }


def test_the_position_in_it_has_only_fields_that_are_documented(told: list[Briefing]) -> None:
    page = PAGE + (Path(__file__).parents[2] / "docs" / "positions.md").read_text("utf-8")
    known = keys(data for each in told if (data := report_data(each)["known"]))
    assert {"troops", "hand sizes", "pile sizes", "powers"} <= known
    assert [key for key in sorted(known) if f"`{key}`" not in page] == []


def test_what_lies_deeper_in_the_data_is_closed_too(told: list[Briefing]) -> None:
    """The keys of the data itself are held to the page by `test_what_is_documented_is_what_a_report_has`."""
    data: list[Any] = [report_data(each) for each in told]
    deeper = {
        name: keys(each[name] for each in data if each[name])
        for name in ("moderator", "conduct", "head", "deadline", "position", "secrets")
    }
    deeper |= {name: keys(chain.from_iterable(each[name] for each in data)) for name in ("owing", "asked", "proofs")}
    deeper["plans"] = keys(each["secrets"]["plans"] for each in data if each["secrets"]["plans"])
    assert deeper == {
        "moderator": {"name", "seat", "desk", "address", "key", "fingerprint"},
        "conduct": {"signing", "sealing", "misorders", "proofs"},
        "head": {"entry", "hash"},
        "deadline": {"utc", "year", "month", "day", "weekday", "time", "zone"},
        "position": {"data", "blocks"},
        "secrets": {"hands", "troops", "letter", "plans", "ahead", "to_come"},
        "owing": {"player", "powers", "state"},
        "asked": {
            "power",
            "section",
            "receivers",
            "is_on_map",
            "question",
            "decision",
            "line",
            "ahead",
            "words",
            "told",
            "gives",
        },
        "proofs": {"card", "name", "shuffle", "position", "salt"},
        "plans": {"entry", "letter", "seq", "stage", "is_hidden", "open", "ahead", "may_answer"},
    }
    assert {each["reader"] for each in data} > {OBSERVER, MODERATOR}
