"""Standing plans that not even the moderator can read: committed to once, shown once, and then they stand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from pbem.campaign.clock import timing
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AdjudicationRecord, LetterRecord
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import SealedPart, reveal_letter, sealed_part
from pbem.campaign.settings import Conduct
from pbem.engine.decisions import Play, Stop
from pbem.paper.letters import sign_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.campaign.fights import OWN, PLAYER, Fight, battle, begin, cards, results, standing
from tests.campaign.simulated import DAY, NAME, codes
from tests.campaign.test_leaks import assert_alike
from tests.campaign.test_plans_properties import position, random_hand, random_plan
from tests.protocol import second

REVEAL = Conduct(sealing="reveal")
GAMES = ("maria", "friedrich")


class Sealer:
    """A combat in a campaign where nobody opens anything early, and what its players have sealed."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.parts: dict[str, SealedPart] = {}
        """The part of each player's latest sealed plans."""
        self.orders: dict[str, SealedPart] = {}

    def commit(self, player: str, *plans: Tree) -> adjudicating.Receipt:
        """Standing plans of which only the commitment is sent."""
        orders: dict[str, Tree] = {self.fight.power_of(player): {"plans": list(plans)}}
        self.parts[player] = sealed_part(self.fight.table.occasion(player), "plans", orders)
        body: Tree = {"sealed": {"plans": {"commitment": self.parts[player].commitment}}}
        receipt = self.fight.table.send(self.fight.table.other_letter(player, "plan", body))
        assert receipt.status in ("partial", "final"), codes(receipt)
        return receipt

    def seal_orders(self, player: str, sections: dict[str, Tree]) -> None:
        """Orders of which only the commitment is sent."""
        orders: dict[str, Tree] = {self.fight.power_of(player): sections}
        self.orders[player] = sealed_part(self.fight.table.occasion(player), "orders", orders)
        body: Tree = {"sealed": {"orders": {"commitment": self.orders[player].commitment}}}
        assert self.fight.table.send(self.fight.table.other_letter(player, "orders", body)).status == "final"

    def lock(self) -> None:
        assert isinstance(self.fight.table.adjudicate(), adjudicating.Lock)

    def reveal(self, player: str, *parts: SealedPart) -> adjudicating.Receipt:
        """A letter that shows what its player has sealed, or something else."""
        table = self.fight.table
        own = [each[player] for each in (self.parts, self.orders) if player in each]
        body = {part.slot: part for part in parts or own}
        text = reveal_letter(table.occasion(player), table.players[player].next_seq(), body)
        return table.send(sign_letter(text, table.players[player].key))

    def hidden(self) -> set[str]:
        """Players whose plans nobody can read."""
        with self.fight.table.open() as campaign:
            return set(campaign.public.unshown)


@pytest.fixture(scope="module", params=GAMES)
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fight:
    """Austria is attacked at zero: who attacks must play."""
    return begin(tmp_path_factory.mktemp("hidden") / "campaign", request.param, conduct=REVEAL)


@pytest.fixture
def sealer(begun: Fight, tmp_path: Path) -> Iterator[Sealer]:
    """A table whose campaign is verified by both verifiers after the test."""
    found = Sealer(begun.copied(tmp_path / "campaign"))
    yield found
    found.fight.close()
    assert second.verify(found.fight.table.root) == []


def by_whom(done: adjudicating.Adjudication) -> set[str]:
    """Source of each play or stop."""
    return {answer.by for answer in done.outcome.answers if isinstance(answer.answer, Play | Stop)}


def test_plans_that_both_sides_have_sealed_fight_as_the_same_plans_do_in_the_open(
    sealer: Sealer, tmp_path: Path
) -> None:
    fight = sealer.fight
    openly = fight.copied(tmp_path / "open")
    plans = {PLAYER: standing(tactic="win"), fight.foe: standing(play=["♠5"], tactic="lose-least")}
    for player, plan in plans.items():
        openly.plan(player, plan)
        sealer.commit(player, plan)
    sealer.seal_orders(fight.foe, {"plans": []})
    sealer.lock()
    for player in plans:
        assert sealer.reveal(player).status == "final"
    done = fight.table.carried_out()
    assert cards(done.outcome.events) == cards(openly.table.carried_out().outcome.events)
    assert by_whom(done) == {"orders"}
    assert done.record.forfeited == {}


def test_not_even_the_moderator_has_a_plan_before_it_is_shown(sealer: Sealer) -> None:
    receipt = sealer.commit(PLAYER, standing(tactic="lose-least"))
    assert sealer.hidden() == {PLAYER}
    with sealer.fight.table.open() as campaign:
        held = campaign.held_letter(receipt.entry)
    assert held.opened == {}
    assert "lose-least" not in held.text


def test_a_plan_that_nobody_can_read_answers_nothing_and_shown_to_the_moderator_it_does(sealer: Sealer) -> None:
    fight = sealer.fight
    assert sealer.commit(fight.foe, standing(play=["♠7"], tactic="decline")).status == "partial"
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    assert sealer.reveal(fight.foe).status == "final"
    assert fight.owing() == {}
    done = fight.table.carried_out()
    assert cards(done.outcome.events)[0] == (fight.enemy, 7)
    assert by_whom(done) == {"orders"}


def test_who_shows_a_plan_that_asks_goes_on_card_by_card(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(fight.foe, standing(when={"score": "-6 or less"}, tactic="win"))
    assert sealer.reveal(fight.foe).status == "partial"
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events) == [(fight.enemy, 7)]


def test_a_plan_shown_before_it_is_needed_waits_until_it_is(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(play=["♦9"], tactic="decline"))
    assert sealer.reveal(PLAYER).status == "partial"
    done = fight.card(fight.foe, "♠7")
    assert cards(done.outcome.events)[:2] == [(fight.enemy, 7), (OWN, 9)]


def test_once_shown_a_plan_answers_in_later_stages_without_another_letter(tmp_path: Path) -> None:
    for game in GAMES:
        fight = begin(tmp_path / game, game, hand="d7 R", enemy_hand="s7 h2", conduct=REVEAL)
        sealer = Sealer(fight)
        for player in (PLAYER, fight.foe):
            sealer.commit(player, standing(tactic="tie", else_="stop"))
        sealer.seal_orders(fight.foe, {"plans": []})
        sealer.lock()
        for player in (PLAYER, fight.foe):
            sealer.reveal(player)
        assert results(fight.table.carried_out().outcome.events) == ["BattleTied"]
        fight.go_on_to(OWN)
        assert by_whom(fight.table.carried_out(force=True)) == {"orders"}
        fight.close()
        assert second.verify(fight.table.root) == []


def test_a_plan_is_shown_in_a_later_stage_than_it_was_sealed_for(tmp_path: Path) -> None:
    for game in GAMES:
        fight = begin(tmp_path / game, game, hand="d7 R", enemy_hand="s7 h2", conduct=REVEAL)
        sealer = Sealer(fight)
        sealer.commit(PLAYER, standing(tactic="win"))
        stage = fight.stage
        fight.plan(fight.foe, standing(tactic="tie", else_="stop"))
        fight.table.carried_out()
        fight.orders(PLAYER, {"plans": [battle(tactic="decline", else_="stop")]})
        fight.table.carried_out()
        fight.go_on_to(OWN)
        assert fight.stage != stage
        assert sealer.hidden() == {PLAYER}
        assert sealer.reveal(PLAYER).status in ("partial", "final")
        assert sealer.hidden() == set()
        fight.close()
        assert second.verify(fight.table.root) == []


def test_a_lock_waits_for_the_plans_of_who_is_asked_nothing_too(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(tactic="win"))
    sealer.seal_orders(fight.foe, {"play": ["♠7"]})
    sealer.lock()
    assert sealer.reveal(fight.foe).status == "final"
    with fight.table.open() as campaign:
        allowed = timing.permission(campaign)
        assert (allowed.may, allowed.absent) == (False, (PLAYER,))
    owed = {(each.power, each.player, each.state) for each in fight.news()[PLAYER].owed}
    assert {(OWN, PLAYER, "not revealed"), (fight.enemy, fight.foe, "final")} <= owed
    assert {player for _, player, _ in owed} == {PLAYER, fight.foe}
    assert sealer.reveal(PLAYER).status == "final"
    done = fight.table.carried_out()
    assert cards(done.outcome.events)[:2] == [(fight.enemy, 7), (OWN, 9)]


def test_who_does_not_show_a_plan_in_time_loses_it_and_plays_no_further_card(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(tactic="win"))
    sealer.seal_orders(fight.foe, {"play": ["♠7"]})
    sealer.lock()
    sealer.reveal(fight.foe)
    done = fight.table.carried_out(after=6 * DAY)
    assert done.record.forfeited == {PLAYER: ("plans",)}
    assert done.record.absent == {}
    assert cards(done.outcome.events) == [(fight.enemy, 7)]
    assert [(answer.power, answer.by) for answer in done.outcome.answers[:2]] == [
        (fight.enemy, "orders"),
        (OWN, "default"),
    ]
    with fight.table.open() as campaign:
        assert PLAYER not in campaign.state.plans
        assert campaign.public.unshown == {}


def test_orders_and_plans_are_shown_in_one_letter(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(fight.foe, standing(tactic="decline"))
    sealer.seal_orders(fight.foe, {"play": ["♠7"]})
    sealer.lock()
    assert codes(sealer.reveal(fight.foe, sealer.orders[fight.foe])) == ["E-REVEAL-MISSING"]
    assert codes(sealer.reveal(fight.foe, sealer.parts[fight.foe])) == ["E-REVEAL-MISSING"]
    assert sealer.reveal(fight.foe).status == "final"
    assert cards(fight.table.carried_out().outcome.events) == [(fight.enemy, 7)]


def test_without_a_lock_sealed_orders_are_not_shown_with_plans(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(fight.foe, standing(tactic="decline"))
    sealer.seal_orders(fight.foe, {"play": ["♠7"]})
    assert codes(sealer.reveal(fight.foe)) == ["E-REVEAL-SLOT"]
    assert sealer.reveal(fight.foe, sealer.parts[fight.foe]).status == "final"
    sealer.lock()
    assert codes(sealer.reveal(fight.foe)) == ["E-REVEAL-SLOT"], "the plans were shown before"
    assert sealer.reveal(fight.foe, sealer.orders[fight.foe]).status == "final"
    fight.table.carried_out()


def test_only_the_plans_that_were_committed_to_last_can_be_shown(sealer: Sealer) -> None:
    sealer.commit(PLAYER, standing(tactic="win"))
    older = sealer.parts[PLAYER]
    sealer.commit(PLAYER, standing(tactic="decline"))
    other = SealedPart("plans", older.salt, {OWN: {"plans": []}}, older.commitment)
    for part in (older, other):
        assert codes(sealer.reveal(PLAYER, part)) == ["E-SEAL-COMMITMENT"]
    assert sealer.hidden() == {PLAYER}
    assert sealer.reveal(PLAYER).status == "partial"
    assert codes(sealer.reveal(PLAYER)) == ["E-REVEAL-NOW"]


def test_nobody_can_take_over_the_commitment_of_somebody_else(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(tactic="win"))
    taken: Tree = {"sealed": {"plans": {"commitment": sealer.parts[PLAYER].commitment}}}
    assert fight.table.send(fight.table.other_letter(fight.foe, "plan", taken)).status == "partial"
    assert codes(sealer.reveal(fight.foe, sealer.parts[PLAYER])) == ["E-SEAL-COMMITMENT"]


@pytest.mark.parametrize(("kind", "slot"), [("plan", "orders"), ("orders", "plans"), ("orders", "plans-2")])
def test_the_names_of_sealed_parts_tell_plans_from_orders(sealer: Sealer, kind: str, slot: str) -> None:
    body: Tree = {"sealed": {slot: {"commitment": "0" * 64}}}
    assert codes(sealer.fight.table.send(sealer.fight.table.other_letter(PLAYER, kind, body))) == ["E-SEAL-SLOT"]


def test_open_plans_and_withdrawal_take_the_place_of_sealed_ones(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(tactic="win"))
    fight.plan(PLAYER, standing(play=["♦9"], tactic="decline"))
    assert sealer.hidden() == set()
    sealer.commit(PLAYER, standing(tactic="win"))
    fight.plan(PLAYER)
    assert sealer.hidden() == set()
    assert codes(sealer.reveal(PLAYER)) == ["E-REVEAL-NOW"]
    with fight.table.open() as campaign:
        assert not adjudicating.must_lock(campaign)


def test_sealed_plans_in_the_place_of_some_that_answered_answer_no_more(sealer: Sealer) -> None:
    fight = sealer.fight
    assert fight.plan(fight.foe, standing(tactic="win")).status == "final"
    assert fight.owing() == {}
    sealer.commit(fight.foe, standing(tactic="hold"))
    assert fight.owing() == {fight.foe: (fight.enemy,)}


def test_plans_that_turn_out_to_be_none_count_as_nothing(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(fight.foe, {"for": "battel", "tactic": "win"})
    assert sealer.reveal(fight.foe).status == "partial"
    assert fight.owing() == {fight.foe: (fight.enemy,)}
    assert cards(fight.card(fight.foe, "♠7").outcome.events) == [(fight.enemy, 7)]


def test_a_rollback_forgets_plans_that_nobody_had_seen_and_keeps_those_that_were_shown(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(play=["♦9"], tactic="decline"))
    sealer.reveal(PLAYER)
    sealer.commit(fight.foe, standing(tactic="win"))
    done = fight.card(fight.foe, "♠7")
    hidden = sealer.fight.table.other_letter(PLAYER, "plan", {"sealed": {"plans": {"commitment": "0" * 64}}})
    fight.table.send(hidden)
    with fight.table.open() as campaign:
        rulings.rollback(campaign, done.entry, "a card was read wrongly")
        campaign.save()
        assert set(campaign.state.plans) == {PLAYER}
        assert campaign.public.unshown == {}
    assert codes(fight.table.send(hidden)) == ["E-LETTER-OLD"]
    fight.card(fight.foe, "♠5")


def test_a_substitute_behind_a_lock_has_to_show_the_plans_of_who_went_like_anybody(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(PLAYER, standing(tactic="win"))
    sealer.seal_orders(fight.foe, {"play": ["♠7"]})
    sealer.lock()
    sealer.reveal(fight.foe)
    with fight.table.open() as campaign:
        rulings.substitute(campaign, PLAYER, new_key("somebody").public.text, "ill")
        campaign.save()
    assert sealer.hidden() == {PLAYER}
    assert fight.table.carried_out(after=6 * DAY).record.forfeited == {PLAYER: ("plans",)}


def test_the_ledger_says_what_was_committed_to_and_when_it_was_shown(sealer: Sealer) -> None:
    fight = sealer.fight
    sealer.commit(fight.foe, standing(play=["♠7"], tactic="decline"))
    sealer.reveal(fight.foe)
    fight.table.carried_out()
    records = [record_in(entry) for entry in Ledger(fight.table.root / "ledger", NAME).entries()]
    sealed, shown = [each for each in records if isinstance(each, LetterRecord)]
    assert (sealed.kind, sealed.status) == ("plan", "partial")
    assert (shown.kind, shown.status) == ("reveal", "final")
    assert sealed.slots == shown.slots == {"plans": sealer.parts[fight.foe].commitment}
    assert isinstance(records[-1], AdjudicationRecord)


TWINS: list[tuple[Tree, Tree]] = [
    (standing(play=["♦7", "♦9"], tactic="win", keep=["R"]), standing(play=["♦7"], tactic="decline")),
    (standing(play=["♦7"], accept="2", spend="1"), standing(play=["♦7", "R3", "stop"], points="30")),
]


@pytest.mark.parametrize("locked", [False, True], ids=["asked", "locked"])
@pytest.mark.parametrize(("one_plan", "other_plan"), TWINS)
def test_others_see_the_same_of_different_sealed_plans_until_a_card_differs(
    begun: Fight, tmp_path: Path, one_plan: Tree, other_plan: Tree, locked: bool
) -> None:
    twins = [Sealer(begun.copied(tmp_path / name)) for name in ("one", "other")]
    for twin, plan in zip(twins, (one_plan, other_plan), strict=True):
        twin.commit(PLAYER, plan)
    for twin in twins:
        if locked:
            twin.seal_orders(twin.fight.foe, {"play": ["♠7"]})
            twin.lock()
            twin.reveal(twin.fight.foe)
        else:
            twin.fight.orders(twin.fight.foe, {"play": ["♠7"]})
            twin.fight.table.carried_out()
        twin.reveal(PLAYER)
    assert_alike(twins[0].fight.table, twins[1].fight.table, PLAYER)
    for twin in twins:
        assert cards(twin.fight.table.carried_out().outcome.events)[-1] == (OWN, 7)
    assert_alike(twins[0].fight.table, twins[1].fight.table, PLAYER)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_sealed_plans_lead_where_open_ones_do_in_whatever_order_they_are_shown(
    tmp_path: Path, game: str, seed: int
) -> None:
    chance = Random(f"hidden/{game}/{seed}")
    hands = random_hand(chance, "d"), random_hand(chance, "s")
    openly = begin(tmp_path / "open", game, chance.randint(-5, 5), *hands, conduct=REVEAL)
    plans = {player: random_plan(chance) for player in (PLAYER, openly.foe)}
    twins = [Sealer(openly.copied(tmp_path / name)) for name in ("one", "other")]
    for player, plan in plans.items():
        openly.plan(player, plan)
    reached = [played_at_once(openly)]
    for twin, order in zip(twins, (list(plans), list(plans)[::-1]), strict=True):
        for player in order:
            twin.commit(player, plans[player])
        twin.seal_orders(twin.fight.foe, {"plans": []})
        twin.seal_orders(PLAYER, {"plans": []})
        twin.lock()
        for player in order[::-1]:
            assert twin.reveal(player).status == "final"
        reached.append(played_at_once(twin.fight))
        twin.fight.close()
        assert second.verify(twin.fight.table.root) == []
    assert reached[1:] == reached[:1] * 2


def played_at_once(fight: Fight) -> tuple[list[tuple[str, int]], bytes]:
    """The cards of the next adjudication, and the position that it leads to."""
    return cards(fight.table.carried_out().outcome.events), position(fight)
