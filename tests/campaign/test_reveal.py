"""Sealing that not even the moderator can open early: commit, lock, reveal; and what becomes of who does not reveal."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.clock.clock import Clock
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.play import adjudicating
from pbem.campaign.players.letters import SealedPart, boxed_part, orders_letter, reveal_letter, sealed_part
from pbem.campaign.settings import Conduct
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import sign_letter
from pbem.seal.canonical import Tree
from tests.campaign.simulated import DAY, HOUR, SimulatedTable, codes
from tests.campaign.test_moderating_carried import COMBAT, WHOLE, austria


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """Everybody has committed to the set-up."""
    root = tmp_path_factory.mktemp("reveal") / "campaign"
    table = SimulatedTable(root, conduct=Conduct(sealing="reveal"), scenario="introductory").begun()
    assert {receipt.status for receipt in table.ordered()} == {"final"}
    return table


@pytest.fixture
def table(committed: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    return committed.copied(tmp_path / "campaign")


def lock(table: SimulatedTable) -> int:
    done = table.adjudicate()
    assert isinstance(done, adjudicating.Lock)
    return done.entry


def reveal(table: SimulatedTable, player: str) -> str:
    with table.open() as campaign:
        return table.players[player].reveal(campaign.state)


def reveal_other(table: SimulatedTable, player: str, **parts: SealedPart) -> str:
    """A letter that reveals what it likes."""
    bot_player = table.players[player]
    return sign_letter(reveal_letter(table.occasion(player), bot_player.next_seq(), parts), bot_player.key)


def test_all_commit_then_all_reveal_then_it_is_carried_out(table: SimulatedTable) -> None:
    lock(table)
    for player in table.players:
        assert table.send(reveal(table, player)).status == "final"
    done = table.carried_out()
    assert {answer.by for answer in done.outcome.answers} == {"orders"}
    assert done.record.forfeited == {}
    table.close("far enough")
    table.assert_verified()


def test_not_even_the_moderator_has_it_before_it_is_revealed(table: SimulatedTable) -> None:
    with table.open() as campaign:
        for pending in campaign.public.pending.values():
            held = campaign.held_letter(pending.entry)
            assert held.opened == {}
            assert "allot" not in held.text
            assert "box" not in held.text


def test_a_box_for_the_moderator_is_refused(table: SimulatedTable) -> None:
    part = sealed_part(table.occasion("louis"), "orders", {})
    bot_player = table.players["louis"]
    text = orders_letter(
        table.occasion("louis"), bot_player.next_seq(), {}, {"orders": boxed_part(part, table.moderator.public)}
    )
    assert codes(table.send(sign_letter(text, bot_player.key))) == ["E-SEAL-BOX"]


def test_nothing_is_revealed_before_the_lock_and_nothing_changed_behind_it(table: SimulatedTable) -> None:
    assert codes(table.send(reveal(table, "louis"))) == ["E-REVEAL-NOW"]
    (amended,) = table.ordered("louis")
    assert amended.status == "final"
    lock(table)
    with table.open() as campaign:
        late = table.write(campaign, "frederick")
        orders = campaign.public.pending["frederick"]
    assert codes(table.send(late)) == ["E-LETTER-LOCKED"]
    with table.open() as campaign:
        assert campaign.public.pending["frederick"] == orders


def test_only_what_was_committed_to_can_be_revealed(table: SimulatedTable) -> None:
    lock(table)
    mine, other = table.players["louis"].committed, table.players["frederick"].committed
    assert mine is not None
    assert other is not None
    changed = SealedPart("orders", mine.salt, {"france": {"move": []}}, mine.commitment)
    assert codes(table.send(reveal_other(table, "louis", orders=other))) == ["E-SEAL-COMMITMENT"]
    assert codes(table.send(reveal_other(table, "louis", orders=changed))) == ["E-SEAL-COMMITMENT"]
    assert codes(table.send(reveal_other(table, "louis"))) == ["E-REVEAL-MISSING"]
    both = reveal_other(table, "louis", orders=mine, battle=mine)
    assert codes(table.send(both)) == ["E-REVEAL-SLOT"]
    with table.open() as campaign:
        assert campaign.public.pending["louis"].revealed == []
    assert table.send(reveal(table, "louis")).status == "final"


def test_it_waits_for_who_has_not_revealed_until_the_deadline(table: SimulatedTable) -> None:
    lock(table)
    for player in ("louis", "frederick"):
        table.send(reveal(table, player))
    with pytest.raises(Refused, match="E-CAMPAIGN-WAITING"):
        table.adjudicate()
    with table.open() as campaign:
        until = campaign.public.deadline
        assert until
    done = table.carried_out(after=6 * DAY)
    assert done.record.forfeited == {"maria-theresa": ("orders",)}
    assert done.record.absent == {"maria-theresa": "not revealed in time"}
    assert {answer.power for answer in done.outcome.answers if answer.by == "default"} == {"austria"}
    table.close("far enough")
    table.assert_verified()


def test_who_never_committed_is_answered_for_by_defaults(tmp_path: Path) -> None:
    conduct, clock = Conduct(sealing="reveal"), Clock(delay="0m", at_deadline="hold")
    table = SimulatedTable(tmp_path / "c", conduct=conduct, clock=clock, scenario="introductory").begun()
    table.ordered("louis")
    table.now += 5 * DAY
    lock(table)
    table.send(reveal(table, "louis"))
    done = table.carried_out(after=5 * DAY)
    assert set(done.record.absent) == {"frederick", "maria-theresa"}
    assert done.record.forfeited == {}
    assert {answer.power for answer in done.outcome.answers if answer.by == "orders"} == {"france", "bavaria"}


def test_what_is_revealed_and_cannot_be_read_counts_as_nothing(tmp_path: Path) -> None:
    table = SimulatedTable(
        tmp_path / "campaign", conduct=Conduct(sealing="reveal"), position=COMBAT, scenario="introductory"
    ).begun()
    nonsense: dict[str, Tree] = {"prussia": {"move": [{"nobody": ["nowhere"]}]}}
    part = sealed_part(table.occasion("frederick"), "orders", nonsense)
    table.send(table.letter("frederick", sealed={"orders": nonsense}))
    with table.open() as campaign:
        assert campaign.public.pending["frederick"].slots != {"orders": part.commitment}  # another salt
    bot_player = table.players["frederick"]
    own = orders_letter(table.occasion("frederick"), bot_player.next_seq(), {}, {"orders": boxed_part(part, None)})
    table.send(sign_letter(own, bot_player.key))
    lock(table)
    assert table.send(reveal_other(table, "frederick", orders=part)).status == "final"
    done = table.carried_out()
    assert done.record.absent == {"frederick": "what was revealed does not answer"}
    assert {answer.by for answer in done.outcome.answers} == {"default"}
    table.close("far enough")
    table.assert_verified()


def test_a_draft_that_was_locked_need_not_wait_any_longer(tmp_path: Path) -> None:
    table = SimulatedTable(
        tmp_path / "campaign", conduct=Conduct(sealing="reveal"), position=COMBAT, scenario="introductory"
    ).begun()
    part = sealed_part(table.occasion("frederick"), "orders", WHOLE)
    bot_player = table.players["frederick"]
    draft = orders_letter(
        table.occasion("frederick"), bot_player.next_seq(), {}, {"orders": boxed_part(part, None)}, final=False
    )
    table.send(sign_letter(draft, bot_player.key))
    table.now += 4 * DAY
    lock(table)
    table.send(reveal_other(table, "frederick", orders=part))
    assert table.carried_out(after=HOUR).record.absent == {}


def test_orders_that_nobody_asked_for_are_waited_for_and_if_not_revealed_make_nobody_absent(tmp_path: Path) -> None:
    table = SimulatedTable(
        tmp_path / "campaign", conduct=Conduct(sealing="reveal"), position=COMBAT, scenario="introductory"
    ).begun()
    table.send(table.letter("maria-theresa", sealed={"orders": austria("♦7")}))
    table.send(table.letter("frederick", WHOLE))
    lock(table)
    with pytest.raises(Refused, match="E-CAMPAIGN-WAITING"):
        table.adjudicate()
    done = table.carried_out(after=6 * DAY)
    assert done.record.forfeited == {"maria-theresa": ("orders",)}
    assert done.record.absent == {}
    assert done.record.next.owing == {"maria-theresa": ("austria",)}
    table.close("far enough")
    table.assert_verified()


def test_after_a_lock_the_deadline_is_a_new_one(table: SimulatedTable) -> None:
    with table.open() as campaign:
        before = campaign.public.deadline
    table.now += 2 * DAY
    entry = lock(table)
    with table.open() as campaign:
        assert campaign.public.deadline > before
        assert campaign.public.reminded == []
        assert not isinstance(record_in(campaign.ledger.read(entry)), AdjudicationRecord)
        with pytest.raises(Refused):
            adjudicating.adjudicate(campaign)


def test_a_plan_revealed_goes_on_after_the_others_have_answered(tmp_path: Path) -> None:
    table = SimulatedTable(
        tmp_path / "campaign", conduct=Conduct(sealing="reveal"), position=COMBAT, scenario="introductory"
    ).begun()
    part = sealed_part(table.occasion("frederick"), "orders", WHOLE)
    bot_player = table.players["frederick"]
    text = orders_letter(table.occasion("frederick"), bot_player.next_seq(), {}, {"orders": boxed_part(part, None)})
    table.send(sign_letter(text, bot_player.key))
    lock(table)
    table.send(reveal_other(table, "frederick", orders=part))
    table.carried_out()
    for card in ("♦7", "♦9"):
        assert table.send(table.letter("maria-theresa", austria(card))).status == "final"
        done = table.carried_out()
        assert {answer.by for answer in done.outcome.answers} == {"orders"}
    assert done.record.next.stage == "2/austria"
    table.close("far enough")
    table.assert_verified()
