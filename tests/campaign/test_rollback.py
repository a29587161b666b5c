"""Repairs of a campaign: rollbacks, substitutes, other keys, rulings, agreements, messages, and the end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AgreementRecord, RollbackRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof import judging_again
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Newcomer
from pbem.paper.documents.faults import Refused
from pbem.report.letters.report import report_data
from pbem.seal.canonical import Tree
from pbem.seal.faults import SealFault
from pbem.seal.keys import new_key
from tests.campaign.simulated import DAY, SimulatedTable, codes
from tests.campaign.test_intake import ALLOT
from tests.campaign.test_leaks import RESHUFFLED, digests, fought
from tests.report.plain import letter_text

T = TypeVar("T")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign four adjudications into the game."""
    table = SimulatedTable(tmp_path_factory.mktemp("rollback") / "campaign", scenario="introductory").begun()
    table.play(3)
    return table


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return begun.copied(tmp_path / "campaign")


def work(table: SimulatedTable, do: Callable[[Campaign], T]) -> T:
    with table.open() as campaign:
        found = do(campaign)
        campaign.save()
    return found


def adjudications(table: SimulatedTable) -> list[int]:
    with table.open() as campaign:
        return [entry.number for entry in campaign.ledger.entries() if entry.kind == "adjudication"]


def owing(table: SimulatedTable) -> str:
    """Somebody who owes orders."""
    with table.open() as campaign:
        assert campaign.public.next
        return next(iter(campaign.public.next.owing))


def orders(table: SimulatedTable, player: str) -> str:
    with table.open() as campaign:
        return table.write(campaign, player)


def rolled_back(table: SimulatedTable, to: int) -> int:
    return work(table, lambda campaign: rulings.rollback(campaign, to, "a rule was overlooked"))


def position(table: SimulatedTable) -> bytes:
    with table.open() as campaign:
        return bytes(campaign.state.snapshot().state)


def test_the_position_is_again_as_it_was_and_nothing_is_deleted(table: SimulatedTable) -> None:
    before = sorted(path.name for path in (table.root / "ledger").iterdir())
    to = adjudications(table)[1]
    with table.open() as campaign:
        then = campaign.snapshot_at(to)
    entry = rolled_back(table, to)
    assert position(table) == bytes(then.state)
    with table.open() as campaign:
        assert campaign.public.next
        assert then.public.next
        assert campaign.public.next.digest == then.public.next.digest
        assert campaign.public.version == 4
        assert campaign.public.pending == {}
        assert campaign.state.orders_in_force == {}
        told = briefings(campaign)
    names = sorted(path.name for path in (table.root / "ledger").iterdir())
    assert names == [*before, f"{entry:04d}-rollback.yaml"]
    for news in told.values():
        assert [note.entry for note in news.news.notes if isinstance(note.record, RollbackRecord)] == [entry]
    table.assert_verified()


def test_after_a_rollback_the_game_goes_on_and_the_archive_verifies(table: SimulatedTable) -> None:
    rolled_back(table, adjudications(table)[1])
    table.play(3)
    rolled_back(table, adjudications(table)[0])
    table.play(2)
    table.assert_verified()
    table.close("far enough")
    table.assert_verified()


def test_one_can_roll_back_to_before_a_rollback_and_to_behind_it(table: SimulatedTable) -> None:
    first, *_ = adjudications(table)
    newest = position(table)
    last = adjudications(table)[-1]
    back = rolled_back(table, first)
    early = position(table)
    rolled_back(table, last)
    assert position(table) == newest
    rolled_back(table, back)
    assert position(table) == early
    table.play(2)
    table.close("far enough")
    table.assert_verified()


def test_nobody_gets_another_deal_by_a_rollback(table: SimulatedTable) -> None:
    to = adjudications(table)[-1]
    table.adjudicate(force=True)
    table.adjudicate(force=True)
    first = position(table)
    rolled_back(table, to)
    table.adjudicate(force=True)
    table.adjudicate(force=True)
    assert position(table) == first


def test_cards_are_proved_by_the_shuffle_of_the_branch_that_counts(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=RESHUFFLED, scenario="introductory").begun()
    start = adjudications(table)[-1]
    fought(table)
    behind = adjudications(table)[-1]
    dealt = [each for _, each in digests(table)]
    rolled_back(table, start)
    stop: dict[str, Tree] = {"prussia": {"move": [], "play": ["stop"]}, "saxony": {"move": []}}
    table.send(table.letter("frederick", stop))
    table.adjudicate()
    while digests(table)[-1][1] == ():
        table.adjudicate(force=True)
    assert digests(table)[-1][1] != dealt[-1]
    rolled_back(table, behind)
    for _ in range(15):
        table.play(1)
    table.assert_verified()
    assert verify(table.root).figures.cards > 0


def test_a_letter_from_before_a_rollback_does_not_come_into_force_again(table: SimulatedTable) -> None:
    player = owing(table)
    text = orders(table, player)
    assert table.send(text).status == "final"
    rolled_back(table, adjudications(table)[-1])
    receipt = table.send(text)
    assert (receipt.status, codes(receipt)) == ("refused", ["E-LETTER-OLD"])
    with table.open() as campaign:
        assert campaign.public.pending == {}
    assert table.send(orders(table, player)).status == "final"


def test_there_must_be_something_to_roll_back_to(table: SimulatedTable) -> None:
    for to in (0, 999, 1, 4):
        with pytest.raises(Refused, match="E-ROLLBACK-"):
            rolled_back(table, to)


def test_a_substitute_signs_with_a_key_of_their_own(table: SimulatedTable) -> None:
    player = owing(table)
    old = orders(table, player)
    table.send(old)
    key = new_key("substitute")
    work(
        table, lambda campaign: rulings.substitute(campaign, player, key.public.text, "ill", Newcomer("Somebody", "de"))
    )
    with table.open() as campaign:
        assert campaign.public.pending == {}
        assert campaign.state.orders_in_force == {}
        assert campaign.public.players[player].name == "Somebody"
    assert codes(table.send(orders(table, player))) == ["E-SIGNATURE-KEY"]
    table.players[player].key = key
    assert table.send(orders(table, player)).status == "final"
    table.adjudicate()
    table.close("far enough")
    table.assert_verified()


def test_a_substitute_without_a_key_orders_once_one_is_named(table: SimulatedTable) -> None:
    player = owing(table)
    work(table, lambda campaign: rulings.substitute(campaign, player, "", "ill"))
    assert codes(table.send(orders(table, player))) == ["E-LETTER-KEY-UNKNOWN"]
    key = new_key("substitute")
    work(table, lambda campaign: rulings.rekey(campaign, player, key.public.text, "told by telephone"))
    table.players[player].key = key
    assert table.send(orders(table, player)).status == "final"
    table.adjudicate()
    table.close("far enough")
    table.assert_verified()


def test_the_moderator_can_write_for_a_player_and_everybody_is_told(table: SimulatedTable) -> None:
    player = owing(table)
    bot_player = table.players[player]
    own, bot_player.key = bot_player.key, table.moderator
    text = orders(table, player)
    bot_player.key = own
    assert codes(table.send(text)) == ["E-SIGNATURE-KEY"]
    assert table.send(text, acted="she telephoned").status == "final"
    with table.open() as campaign:
        told = briefings(campaign)
    assert any(getattr(note.record, "acted", "") == "she telephoned" for note in told[player].news.notes)
    table.adjudicate()
    table.close("far enough")
    table.assert_verified()


def test_a_player_changes_keys_by_a_letter_signed_with_the_old_one(table: SimulatedTable) -> None:
    player = owing(table)
    key, bot_player = new_key("next"), table.players[player]
    change = table.key_change(player, key)
    by_the_new = table.other_letter(player, "key-change", {"key": key.public.text}, key=key)
    assert codes(table.send(by_the_new)) == ["E-SIGNATURE-KEY"]
    assert table.send(change).status == "final"
    assert codes(table.send(orders(table, player))) == ["E-SIGNATURE-KEY"]
    bot_player.key = key
    assert table.send(orders(table, player)).status == "final"
    assert table.send(change).status == "known"
    table.adjudicate()
    table.close("far enough")
    table.assert_verified()


def test_what_is_no_key_is_refused(table: SimulatedTable) -> None:
    for key in ("ssh-rsa AAAA", "nonsense"):
        with pytest.raises(SealFault):
            work(table, lambda campaign, key=key: rulings.rekey(campaign, "louis", key, "lost"))  # type: ignore[misc]
        with pytest.raises(SealFault):
            work(table, lambda campaign, key=key: rulings.substitute(campaign, "louis", key, "ill"))  # type: ignore[misc]
    with pytest.raises(Refused, match="E-PLAYER-UNKNOWN"):
        work(table, lambda campaign: rulings.substitute(campaign, "fritz", "", "ill"))
    table.assert_verified()


def test_an_agreement_counts_once_the_last_has_signed_the_same_words(table: SimulatedTable) -> None:
    def promise(player: str, partners: str, words: str) -> int:
        return table.send(table.other_letter(player, "agreement", {"with": partners, "words": words})).entry

    def agreed() -> list[AgreementRecord]:
        with table.open() as campaign:
            records = [record_in(entry) for entry in campaign.ledger.entries()]
        return [record for record in records if isinstance(record, AgreementRecord)]

    first = promise("louis", "frederick", "Bavaria stays out of Bohemia.")
    promise("frederick", "louis", "Bavaria stays in Bohemia.")
    promise("frederick", "louis, maria-theresa", "Bavaria stays out of Bohemia.")
    assert agreed() == []
    last = promise("frederick", "louis", "Bavaria  stays out\nof Bohemia.")
    assert [(each.powers, each.letters) for each in agreed()] == [(("frederick", "louis"), (first, last))]
    promise("louis", "frederick", "Bavaria stays out of Bohemia.")
    assert len(agreed()) == 1
    table.close("far enough")
    table.assert_verified()


def test_an_agreement_that_binds_is_remembered_while_it_is_in_force(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()

    def promise(player: str, partner: str, bound: dict[str, Tree]) -> None:
        assert not table.send(
            table.other_letter(player, "agreement", {"with": partner, "words": "Sit still.", **bound})
        ).verdict.faults

    def in_force() -> list[tuple[tuple[str, ...], str]]:
        with table.open() as campaign:
            told = [[(deal.players, deal.until) for deal in each.deals] for each in briefings(campaign).values()]
        assert all(deals == told[0] for deals in told)
        return told[0]

    promise("louis", "frederick", {"until": "1", "binds": {"powers": ["france"], "cities": "Prag, Pilsen"}})
    promise("frederick", "louis", {"until": "1"})
    assert in_force() == []
    promise("frederick", "louis", {"until": "1", "binds": {"powers": ["france"], "cities": ["Prag", "Pilsen"]}})
    for one, other in (("louis", "maria-theresa"), ("maria-theresa", "louis")):
        promise(one, other, {"until": "1/setup", "binds": {"stages": ["setup"]}})
    assert in_force() == [(("frederick", "louis"), "1"), (("louis", "maria-theresa"), "1/setup")]
    with table.open() as campaign:
        text = " ".join(letter_text(report_data(in_language(briefings(campaign)["observer"], "de"))).split())
    assert "bis zum Ende der Runde 1; Städte Prag und Pilsen; Mächte Frankreich:" in text
    assert "bis zum Ende des Zuges 1/setup; Züge setup:" in text
    letters = [table.letter("louis", sealed={"orders": ALLOT}), table.letter("louis", ALLOT)]
    receipts = [*map(table.send, letters), *table.ordered("frederick", "maria-theresa")]
    sealed, *faults = [receipt.verdict.faults for receipt in receipts]
    assert not sealed, "a receipt may travel in the open"
    told = [[fault.message.text() for fault in each if fault.code == "W-AGREEMENT"] for each in faults]
    assert ["with Maria Theresa speaks of turn 1 (set-up)" in each for each in told[0]] == [True], (
        "allotting breaks no other"
    )
    assert told[1:] == [[], []], "what is sealed is told by check alone"
    table.carried_out()
    assert in_force() == [(("frederick", "louis"), "1")]
    table.close("far enough")
    table.assert_verified()


def test_a_message_reaches_whom_it_is_for_and_nobody_else(table: SimulatedTable) -> None:
    table.send(table.other_letter("louis", "message", {"to": "frederick", "text": "Let us share Bohemia."}))
    table.send(table.other_letter("louis", "message", {"to": "all", "text": "Peace to everybody."}))
    table.send(table.other_letter("louis", "message", {"to": "moderator", "text": "Is this legal?"}))
    with table.open() as campaign:
        told = {
            reader: [message.text for message in news.news.messages] for reader, news in briefings(campaign).items()
        }
    assert told["frederick"] == ["Let us share Bohemia.", "Peace to everybody."]
    assert told["maria-theresa"] == told["observer"] == ["Peace to everybody."]
    assert told["louis"] == []
    assert "Is this legal?" in told["moderator"]
    table.close("far enough")
    assert "Bohemia" not in (table.root / "opened.json").read_text()
    table.assert_verified()


def test_who_takes_a_seat_gets_no_message_that_was_written_to_the_player_before(table: SimulatedTable) -> None:
    for to in ("frederick", "all"):
        table.send(table.other_letter("louis", "message", {"to": to, "text": f"For {to}."}))
    key = new_key("new").public.text
    work(table, lambda campaign: rulings.substitute(campaign, "frederick", key, "ill", Newcomer("Somebody", "de")))
    table.send(table.other_letter("louis", "message", {"to": "frederick", "text": "Welcome."}))
    with table.open() as campaign:
        told = {
            reader: [message.text for message in news.news.messages] for reader, news in briefings(campaign).items()
        }
    assert told["frederick"] == ["For all.", "Welcome."]
    assert "For frederick." not in str(told)


def test_a_ruling_is_told_to_everybody(table: SimulatedTable) -> None:
    entry = work(table, lambda campaign: rulings.rule(campaign, "The train may move.", "§10.2"))
    with table.open() as campaign:
        assert all(entry in [note.entry for note in news.news.notes] for news in briefings(campaign).values())
    table.assert_verified()


def test_a_game_that_is_not_over_is_closed_only_for_a_reason(table: SimulatedTable) -> None:
    with pytest.raises(Refused, match="E-CAMPAIGN-PHASE"):
        table.close()
    assert not (table.root / "opened.json").exists()
    table.close("two players have left")
    table.assert_verified()


AFTERWARDS: dict[str, Callable[[Campaign], object]] = {
    "adjudicate": lambda campaign: adjudicating.adjudicate(campaign, force=True),
    "rollback": lambda campaign: rulings.rollback(campaign, 5, "once more"),
    "rule": lambda campaign: rulings.rule(campaign, "It does not count."),
    "substitute": lambda campaign: rulings.substitute(campaign, "louis", "", "late"),
    "rekey": lambda campaign: rulings.rekey(campaign, "louis", campaign.public.moderator, "late"),
    "extend": lambda campaign: rulings.extend(campaign, campaign.now + DAY, "late"),
    "absence": lambda campaign: rulings.enter_absence(campaign, Absence("louis", date(2026, 12, 1), date(2026, 12, 2))),
    "close": lambda campaign: judging_again.close(campaign, "again"),
}


@pytest.mark.parametrize("command", AFTERWARDS)
def test_nothing_is_done_in_a_closed_campaign(table: SimulatedTable, command: str) -> None:
    table.close("far enough")
    before = {path.name: path.read_bytes() for path in table.root.rglob("*.yaml")}
    with table.open() as campaign, pytest.raises(Refused, match="E-CAMPAIGN-"):
        AFTERWARDS[command](campaign)
    with table.open() as campaign:
        assert rulings.remind(campaign) == []
    assert {path.name: path.read_bytes() for path in table.root.rglob("*.yaml")} == before


def test_no_letter_is_taken_in_a_closed_campaign_and_none_adds_an_entry(table: SimulatedTable) -> None:
    player = owing(table)
    late = orders(table, player)
    known = table.other_letter("louis", "message", {"to": "all", "text": "Farewell."})
    assert table.send(known).status == "final"
    table.close("far enough")
    with table.open() as campaign:
        head = campaign.ledger.head
    assert codes(table.send(late)) == ["E-CAMPAIGN-PHASE"]
    assert codes(table.send(table.other_letter("louis", "message", {"to": "all", "text": "?"}))) == ["E-CAMPAIGN-PHASE"]
    change = table.key_change("louis", new_key("next"))
    assert codes(table.send(change)) == ["E-CAMPAIGN-PHASE"]
    assert table.send("nonsense").status == "refused"
    assert table.send(known).status == "known"
    with table.open() as campaign:
        assert campaign.ledger.head == head
    table.assert_verified()
