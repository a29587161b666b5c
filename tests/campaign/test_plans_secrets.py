"""Others learn of plans only whether their sender is waited for, and the cards that are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AdjudicationRecord, LetterRecord
from pbem.campaign.play import adjudicating
from pbem.campaign.settings import Conduct
from pbem.report.letters.report import report_data
from pbem.seal.canonical import Tree
from tests.campaign.fights import OWN, PLAYER, Fight, battle, begin, cards, standing
from tests.campaign.simulated import DAY, NAME, SimulatedTable, codes
from tests.campaign.test_leaks import assert_alike

GAMES = ("maria", "friedrich")

TWINS: list[tuple[list[Tree], list[Tree]]] = [
    ([standing(play=["♦7", "♦9"], tactic="win", keep=["R"])], [standing(play=["♦7"], tactic="decline")]),
    ([standing(play=["♦7"], accept="2", spend="1")], [standing(play=["♦7", "R3", "stop"], points="30")]),
    ([standing(tactic="hold")], [battle(when={"score": "-6 or less"}, tactic="tie"), standing(tactic="decline")]),
    (
        [standing(play=["♦7", "♦10"], else_="stop")],
        [{"for": "retreat", "towards": "trains"}, standing(play=["any to 0"])],
    ),
    (
        [standing(play=["♦7"], tactic="decline")],
        [standing(role="defender", play=["♦7"]), {"for": "recruit", "give": "even", "standing": "yes"}],
    ),
]
"""Plans that differ, and that all play ♦7 first against ♠7."""


@pytest.fixture(scope="module", params=GAMES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fight:
    """Austria is attacked at zero."""
    return begin(tmp_path_factory.mktemp("secrets") / "campaign", request.param)


def arrive(fight: Fight, text: str) -> None:
    """A letter comes in with the bytes around it."""
    with fight.table.open() as campaign:
        campaign.keep_raw(text.encode())
        campaign.save()
    assert fight.table.send(text).status in ("partial", "final")


@pytest.mark.parametrize(("one_plan", "other_plan"), TWINS)
def test_others_see_the_same_of_different_plans_until_a_card_differs(
    begun: Fight, tmp_path: Path, one_plan: list[Tree], other_plan: list[Tree]
) -> None:
    one, other = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    for fight, plans in ((one, one_plan), (other, other_plan)):
        arrive(fight, fight.plan_text(PLAYER, *plans, sealed=True))
    assert_alike(one.table, other.table, PLAYER)
    for fight in (one, other):
        arrive(fight, fight.orders_text(fight.foe, {"play": ["♠7"]}))
        assert cards(fight.table.carried_out().outcome.events) == [(fight.enemy, 7), (OWN, 7)]
    assert_alike(one.table, other.table, PLAYER)


def test_others_see_the_same_of_a_plan_as_of_the_card_it_plays_but_for_whose_letter_it_was(
    begun: Fight, tmp_path: Path
) -> None:
    one, other = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    plans: list[dict[str, Tree]] = [
        {"plans": [battle(play=["♦7", "♦10"], tactic="win")]},
        {"play": ["♦7", "♦9", "♦4"]},
    ]
    for fight, sections in zip((one, other), plans, strict=True):
        arrive(fight, fight.orders_text(PLAYER, sections, sealed=True))
        arrive(fight, fight.orders_text(fight.foe, {"play": ["♠7"]}))
        fight.table.carried_out()
    assert_alike(one.table, other.table, PLAYER)


def test_others_see_the_same_whether_a_plan_has_something_to_tell_its_player_or_not(
    begun: Fight, tmp_path: Path
) -> None:
    one, other = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    for fight, plan in ((one, standing(play=["♦8"])), (other, standing(when={"score": "5 or more"}, tactic="win"))):
        arrive(fight, fight.plan_text(PLAYER, plan, sealed=True))
        arrive(fight, fight.orders_text(fight.foe, {"play": ["♠7"]}))
        fight.table.carried_out()
    assert_alike(one.table, other.table, PLAYER)
    noted = [report_data(fight.news()[PLAYER])["plan_notes"] for fight in (one, other)]
    assert [len(notes) for notes in noted] == [1, 0]
    assert report_data(one.news()[one.foe])["plan_notes"] == []


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_plans_and_their_withdrawal_look_alike(begun: Fight, tmp_path: Path, sealed: bool) -> None:
    one, other = begun.copied(tmp_path / "one"), begun.copied(tmp_path / "other")
    for fight in (one, other):
        arrive(fight, fight.plan_text(PLAYER, standing(tactic="win"), sealed=sealed))
    for fight, plans in ((one, [standing(tactic="hold")]), (other, [])):
        arrive(fight, fight.plan_text(PLAYER, *plans, sealed=sealed))
    assert_alike(one.table, other.table, PLAYER)


def test_the_ledger_says_of_plans_only_that_nobody_waits_for_their_player(begun: Fight, tmp_path: Path) -> None:
    fight = begun.copied(tmp_path / "campaign")
    fight.plan(PLAYER, standing(tactic="win"))
    fight.plan(fight.foe, standing(play=["♠7"]))
    fight.table.carried_out()
    records = [record_in(entry) for entry in Ledger(fight.table.root / "ledger", NAME).entries()]
    early, asked = [each for each in records if isinstance(each, LetterRecord) and each.kind == "plan"]
    assert (early.player, early.status) == (PLAYER, "partial"), "nothing is asked of who sends plans ahead"
    assert (asked.player, asked.status) == (fight.foe, "final")
    for record in (early, asked):
        assert record.slots == {}
        assert not record.wait
    last = records[-1]
    assert isinstance(last, AdjudicationRecord)
    assert (last.next.owing, last.next.answered) == ({fight.foe: (fight.enemy,)}, ())


def test_who_has_plans_that_answer_need_not_be_waited_for_while_another_decides(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    allot: dict[str, Tree] = {"for": "allot", "give": "even", "standing": "yes"}
    powers: dict[str, Tree] = {power: {"plans": [allot]} for power in ("prussia", "saxony")}
    receipt = table.send(table.other_letter("frederick", "plan", {"orders": powers}))
    with table.open() as campaign:
        assert campaign.public.next is not None
        assert campaign.public.next.answered == ("frederick",)
        assert campaign.public.pending == {}
    assert receipt.status == "final", codes(receipt)
    table.ordered("louis", "maria-theresa")
    assert {answer.by for answer in table.carried_out().outcome.answers} == {"orders"}


REVEAL = Conduct(sealing="reveal")


@pytest.fixture(scope="module", params=GAMES)
def revealing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fight:
    """The same where nobody opens anything early."""
    return begin(tmp_path_factory.mktemp("reveal") / "campaign", request.param, conduct=REVEAL)


def test_a_plan_that_was_sealed_and_is_not_revealed_in_time_plays_no_further_card(
    revealing: Fight, tmp_path: Path
) -> None:
    fight = revealing.copied(tmp_path / "campaign")
    fight.orders(PLAYER, {"plans": [battle(tactic="win")]}, sealed=True)
    fight.orders(fight.foe, {"play": ["♠7"]})
    assert isinstance(fight.table.adjudicate(), adjudicating.Lock)
    done = fight.table.carried_out(after=6 * DAY)
    assert done.record.forfeited == {PLAYER: ("orders",)}
    assert done.record.absent == {}
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert [(answer.power, answer.by) for answer in done.outcome.answers][:2] == [
        (fight.enemy, "orders"),
        (OWN, "default"),
    ]
    fight.close()


def test_who_forfeits_a_plan_plays_no_card_in_the_rest_of_the_stage_either(tmp_path: Path) -> None:
    for game in GAMES:
        fight = begin(tmp_path / game, game, score=-2, conduct=REVEAL, hand="d7 d4", enemy_hand="s7 s2")
        fight.plan(PLAYER, standing(tactic="win"))
        fight.orders(fight.foe, {"plans": [battle(tactic="win")]}, sealed=True)
        fight.table.adjudicate()
        done = fight.table.carried_out(after=6 * DAY)
        assert fight.foe in done.record.forfeited
        mine = [answer for answer in done.outcome.answers if answer.power == fight.enemy]
        assert {answer.by for answer in mine} <= {"default"}
        assert cards(done.outcome.events)[0][0] == OWN
        assert all(power == OWN for power, _ in cards(done.outcome.events))
        fight.close()


def test_standing_plans_are_not_changed_behind_a_lock(revealing: Fight, tmp_path: Path) -> None:
    fight = revealing.copied(tmp_path / "campaign")
    fight.orders(fight.foe, {"play": ["♠7"]}, sealed=True)
    fight.table.adjudicate()
    late = fight.table.send(fight.plan_text(PLAYER, standing(tactic="win")))
    assert codes(late) == ["E-LETTER-LOCKED"]
    with fight.table.open() as campaign:
        assert campaign.state.plans == {}


def test_standing_plans_do_not_unsettle_orders_that_nobody_can_look_into(revealing: Fight, tmp_path: Path) -> None:
    fight = revealing.copied(tmp_path / "campaign")
    fight.orders(fight.foe, {"play": ["♠7"]}, sealed=True)
    fight.plan(fight.foe, {"for": "retreat", "towards": "trains", "standing": "yes"})
    with fight.table.open() as campaign:
        assert campaign.public.pending[fight.foe].status == "final"
