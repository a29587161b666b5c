"""Nobody looks first and chooses afterwards: every way to act behind a lock knowing what others have shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.briefing import briefings, in_language
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import AdjudicationRecord, ClockRecord, RollbackRecord, goes_back
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.letters.arrivals import Reply
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import SealedPart, boxed_part, orders_letter, reveal_letter, sealed_part
from pbem.campaign.settings import Conduct
from pbem.moderator.letters import answer_line
from pbem.moderator.public_view import entry_lines
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import sign_letter
from pbem.post.parcels import receipt_parcel
from pbem.post.reports import report_parcel
from pbem.report.language.templates import template
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.campaign.simulated import DAY, SimulatedTable, codes
from tests.campaign.test_moderating_carried import COMBAT, HOLD
from tests.protocol import second
from tests.protocol.reports import found_in, reports

PRUSSIA, FRANCE, AUSTRIA = "frederick", "louis", "maria-theresa"


class Sealed(SimulatedTable):
    """A campaign in which players commit to what they like, and show it."""

    parts: dict[str, dict[str, SealedPart]]

    def commit(self, player: str, shown: dict[str, Tree] | None = None, **slots: Tree) -> adjudicating.Receipt:
        """Orders of which parts are sealed, and some stand in the open."""
        occasion = self.occasion(player)
        parts = {slot: sealed_part(occasion, slot, body) for slot, body in slots.items()}
        self.parts = {**getattr(self, "parts", {}), player: parts}
        sealed = {slot: boxed_part(part, None) for slot, part in parts.items()}
        text = orders_letter(occasion, self.players[player].next_seq(), shown or {}, sealed)
        receipt = self.send(sign_letter(text, self.players[player].key))
        assert receipt.status == "final", codes(receipt)
        return receipt

    def decided(self, player: str) -> dict[str, Any]:
        """Good orders."""
        with self.open() as campaign:
            return self.players[player].decide(campaign.state)

    def reveal(self, player: str) -> adjudicating.Receipt:
        """Everything that was committed to is shown."""
        return self.send(self.reveal_text(player))

    def reveal_text(self, player: str) -> str:
        """The letter that shows it."""
        text = reveal_letter(self.occasion(player), self.players[player].next_seq(), self.parts[player])
        return sign_letter(text, self.players[player].key)

    def lock(self, force: bool = False) -> int:
        """Everything is fixed."""
        done = self.adjudicate(force)
        assert isinstance(done, adjudicating.Lock)
        return done.entry

    def work(self, what: Callable[[Campaign], Any]) -> Any:
        """One command of the moderator."""
        with self.open() as campaign:
            found = what(campaign)
            campaign.save()
        return found

    def verified(self) -> None:
        """Both verifiers find nothing wrong."""
        self.close("far enough")
        self.assert_verified()
        assert second.verify(self.root) == []


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """Everybody is asked for the set-up, all at the same time."""
    root = tmp_path_factory.mktemp("sealed") / "campaign"
    return Sealed(root, conduct=Conduct(sealing="reveal", misorders="return"), scenario="introductory").begun()


@pytest.fixture
def table(begun: Sealed, tmp_path: Path) -> Sealed:
    found = begun.copied(tmp_path / "campaign")
    assert isinstance(found, Sealed)
    return found


@pytest.fixture
def shown(table: Sealed) -> Sealed:
    """All have committed, and Prussia and France have shown theirs."""
    for player in table.players:
        table.commit(player, orders=table.decided(player))
    table.lock()
    for player in (PRUSSIA, FRANCE):
        assert table.reveal(player).status == "final"
    return table


def too_many(orders: dict[str, Any]) -> dict[str, Any]:
    """The same allotment with a troop more than there are."""
    power = next(iter(orders))
    allot = dict(orders[power]["allot"])
    general = min(allot, key=lambda name: int(allot[name]))
    return {**orders, power: {**orders[power], "allot": {**allot, general: str(int(allot[general]) + 1)}}}


def test_what_is_impossible_behind_a_lock_is_held_and_does_not_come_back(table: Sealed) -> None:
    for player in (PRUSSIA, FRANCE):
        table.commit(player, orders=table.decided(player))
    table.commit(AUSTRIA, orders=too_many(table.decided(AUSTRIA)))
    table.lock()
    for player in table.players:
        assert table.reveal(player).status == "final"
    done = table.carried_out()
    assert [slip.player for slip in done.outcome.slips] == [AUSTRIA]
    assert done.record.returned == ()
    assert {answer.power for answer in done.outcome.answers if answer.by == "default"} == {"austria"}
    with table.open() as campaign:
        assert AUSTRIA not in campaign.public.next.owing or campaign.state.stage != done.record.stage  # type: ignore[union-attr]
    table.verified()


def test_in_an_older_campaign_orders_went_back_behind_a_lock_and_still_do(tmp_path: Path) -> None:
    conduct = Conduct(sealing="reveal", misorders="return")
    table = Sealed(tmp_path / "c", conduct=conduct, position=COMBAT, scenario="introductory").begun()
    with table.open() as campaign:
        state = campaign.state
        state.public.locked = True
        found = {}
        for protocol in (1, 2):
            state.public.protocol = protocol
            found[protocol] = state.misorders
    assert found == {1: "return", 2: "hold"}


def test_a_lock_on_what_has_been_shown_already_is_not_repeated(tmp_path: Path) -> None:
    table = Sealed(tmp_path / "c", conduct=Conduct(sealing="reveal"), position=COMBAT, scenario="introductory").begun()
    table.commit(PRUSSIA, orders={**HOLD, "prussia": {"move": [], "plans": [{"for": "battle", "tactic": "hold"}]}})
    table.lock()
    table.reveal(PRUSSIA)
    table.carried_out()
    with table.open() as campaign:
        if campaign.public.pending:
            assert not adjudicating.must_lock(campaign)
    while table.occasion(PRUSSIA).stage == "2/prussia":
        done = table.adjudicate(force=True)
        assert isinstance(done, adjudicating.Adjudication), "an empty lock"
    table.verified()


@pytest.mark.parametrize("kind", ["orders", "plan"])
def test_no_second_letter_and_none_by_the_moderator_counts_behind_a_lock(shown: Sealed, kind: str) -> None:
    orders: Any = shown.decided(AUSTRIA) if kind == "orders" else {"austria": {"plans": []}}
    text = shown.other_letter(AUSTRIA, kind, {"orders": orders})
    assert codes(shown.send(text)) == ["E-LETTER-LOCKED"]
    acted = shown.other_letter(AUSTRIA, kind, {"orders": orders}, key=shown.moderator)
    assert codes(shown.send(acted, acted="by telephone")) == ["E-LETTER-LOCKED"]


def test_a_draft_binds_like_everything_else_once_it_is_locked(table: Sealed) -> None:
    for player in (PRUSSIA, FRANCE):
        table.commit(player, orders=table.decided(player))
    occasion, body = table.occasion(AUSTRIA), table.decided(AUSTRIA)
    part = sealed_part(occasion, "orders", body)
    draft = orders_letter(
        occasion, table.players[AUSTRIA].next_seq(), {}, {"orders": boxed_part(part, None)}, final=False
    )
    assert table.send(sign_letter(draft, table.players[AUSTRIA].key)).status == "draft"
    table.parts[AUSTRIA] = {"orders": part}
    table.now += 5 * DAY
    table.lock()
    for player in (PRUSSIA, FRANCE):
        table.reveal(player)
    other = table.other_letter(AUSTRIA, "orders", {"orders": body})
    assert codes(table.send(other)) == ["E-LETTER-LOCKED"]
    assert table.reveal(AUSTRIA).status == "final"
    assert {answer.by for answer in table.carried_out().outcome.answers} == {"orders"}
    table.verified()


def test_who_forfeits_a_part_has_no_open_part_nor_plan_to_fall_back_on(table: Sealed) -> None:
    good = table.decided(AUSTRIA)
    for player in (PRUSSIA, FRANCE):
        table.commit(player, orders=table.decided(player))
    assert table.commit(AUSTRIA, good, other={"austria": {"say": "anything"}}).status == "final"
    table.lock()
    for player in (PRUSSIA, FRANCE):
        table.reveal(player)
    done = table.carried_out(after=9 * DAY)
    assert done.record.forfeited == {AUSTRIA: ("other",)}
    assert done.record.absent == {AUSTRIA: adjudicating.NOT_REVEALED}
    assert {answer.by for answer in done.outcome.answers if answer.power == "austria"} == {"default"}
    table.verified()


def test_a_substitute_behind_a_lock_takes_over_what_was_committed_to_and_shown(shown: Sealed) -> None:
    key = new_key("a friend, or the same player")
    shown.work(lambda campaign: rulings.substitute(campaign, PRUSSIA, key.public.text, "ill"))
    shown.players[PRUSSIA].key = key
    other = shown.other_letter(PRUSSIA, "orders", {"orders": shown.decided(PRUSSIA)})
    assert codes(shown.send(other)) == ["E-LETTER-LOCKED"]
    shown.reveal(AUSTRIA)
    done = shown.carried_out()
    assert done.record.absent == {}
    assert {answer.by for answer in done.outcome.answers} == {"orders"}
    shown.verified()


def test_a_substitute_shows_what_the_player_had_sealed_or_forfeits_it(shown: Sealed) -> None:
    key = new_key("substitute")
    shown.work(lambda campaign: rulings.substitute(campaign, AUSTRIA, key.public.text, "ill"))
    shown.players[AUSTRIA].key = key
    forfeiting = shown.copied(shown.root.with_name("forfeiting"))
    done = forfeiting.carried_out(after=9 * DAY)
    assert (done.record.absent, done.record.forfeited) == (
        {AUSTRIA: adjudicating.NOT_REVEALED},
        {AUSTRIA: ("orders",)},
    )
    assert shown.reveal(AUSTRIA).status == "final"
    assert shown.carried_out().record.absent == {}
    shown.verified()


def test_before_a_lock_a_substitute_begins_anew_as_ever(table: Sealed) -> None:
    table.commit(AUSTRIA, orders=table.decided(AUSTRIA))
    key = new_key("substitute")
    table.work(lambda campaign: rulings.substitute(campaign, AUSTRIA, key.public.text, "ill"))
    with table.open() as campaign:
        assert AUSTRIA not in campaign.public.pending
        assert AUSTRIA not in campaign.state.orders_in_force


def last_position(table: SimulatedTable) -> int:
    with table.open() as campaign:
        return campaign.public.since


def test_what_was_shown_cannot_be_rolled_back_before_the_lock(shown: Sealed) -> None:
    to = last_position(shown)
    with pytest.raises(Refused, match="E-ROLLBACK-SHOWN"):
        shown.work(lambda campaign: rulings.rollback(campaign, to, "I had not seen a letter"))
    shown.reveal(AUSTRIA)
    behind = shown.carried_out().entry
    with pytest.raises(Refused, match="E-ROLLBACK-SHOWN") as refused:
        shown.work(lambda campaign: rulings.rollback(campaign, behind - 1, "I had not seen a letter"))
    assert f"rollback to {behind - 1}" in str(refused.value.faults[0].hint)
    shown.work(lambda campaign: rulings.rollback(campaign, behind, "nothing is lost"))
    shown.verified()


def repaired(table: SimulatedTable, back: timedelta) -> ClockRecord:
    """The moderator's clock goes back to the right time, and the moderator says so."""
    table.now -= back
    with table.open() as campaign:
        campaign.clock_is_right = True
        entry = rulings.repair_clock(campaign, "the battery was empty")
        record = record_in(campaign.ledger.read(entry))
        campaign.save()
    assert isinstance(record, ClockRecord)
    return record


AHEAD = timedelta(seconds=90)


def test_a_clock_ahead_while_all_reveal_does_not_let_them_choose_again(table: Sealed) -> None:
    for player in table.players:
        table.commit(player, orders=table.decided(player))
    table.now += AHEAD
    table.lock()
    for player in (PRUSSIA, FRANCE):
        table.reveal(player)
    assert not goes_back(repaired(table, AHEAD))
    with table.open() as campaign:
        public = campaign.public
        assert public.locked
        assert stamp(table.now + DAY) < public.deadline < stamp(table.now + 9 * DAY)
        assert public.began <= stamp(table.now)
    assert codes(table.send(table.other_letter(FRANCE, "orders", {"orders": table.decided(FRANCE)}))) == [
        "E-LETTER-LOCKED"
    ]
    assert table.reveal(AUSTRIA).status == "final"
    assert {answer.by for answer in table.carried_out().outcome.answers} == {"orders"}
    table.verified()


def test_a_clock_far_ahead_behind_a_lock_leaves_no_deadline_far_off(shown: Sealed) -> None:
    with shown.open() as campaign:
        promised = campaign.public.deadline
    shown.now += 39 * DAY
    shown.work(lambda campaign: rulings.extend(campaign, campaign.now + DAY, "I was late"))
    repaired(shown, 39 * DAY)
    with shown.open() as campaign:
        assert promised <= campaign.public.deadline < stamp(shown.now + 9 * DAY)
    done = shown.carried_out(after=9 * DAY)
    assert done.record.forfeited == {AUSTRIA: ("orders",)}
    shown.verified()


def test_what_all_have_shown_stays_carried_out_when_a_clock_is_repaired(shown: Sealed) -> None:
    shown.now += AHEAD
    shown.reveal(AUSTRIA)
    done = shown.carried_out()
    shown.now += 9 * DAY
    later = shown.work(lambda campaign: adjudicating.adjudicate(campaign, force=True))
    record = repaired(shown, AHEAD + 9 * DAY)
    assert later.entry > record.to == done.entry
    with shown.open() as campaign:
        assert campaign.public.next is not None
        assert campaign.public.next.digest == done.record.next.digest
    shown.verified()


def test_a_report_is_true_behind_a_lock_that_a_repair_kept(shown: Sealed) -> None:
    shown.now += AHEAD
    shown.work(lambda campaign: rulings.rule(campaign, "Be kind."))
    repaired(shown, AHEAD)
    assert found_in(shown.root, shown, *reports(shown).values()) == []
    assert "letters, lock and what was shown stay" in said(shown, PRUSSIA)


def test_before_anything_was_shown_a_lock_can_be_rolled_back(table: Sealed) -> None:
    to = last_position(table)
    for player in table.players:
        table.commit(player, orders=table.decided(player))
    table.lock(force=True)
    table.work(lambda campaign: rulings.rollback(campaign, to, "the lock came too early"))
    with table.open() as campaign:
        assert not campaign.public.locked
    table.verified()


def test_if_all_whose_secrets_were_shown_agree_the_game_goes_back(shown: Sealed) -> None:
    to = last_position(shown)

    def agree(words: str, *players: str) -> None:
        for player in players:
            others = ", ".join(other for other in players if other != player)
            letter = shown.other_letter(player, "agreement", {"with": others, "words": words})
            assert shown.send(letter).status == "final"

    agree(f"rollback to {to}", PRUSSIA, FRANCE)
    agree(f"rollback to {to + 1}", PRUSSIA, FRANCE, AUSTRIA)
    with pytest.raises(Refused, match="E-ROLLBACK-SHOWN"):
        shown.work(lambda campaign: rulings.rollback(campaign, to, "two have agreed, and all to something else"))
    agree(f"rollback  to {to}", PRUSSIA, FRANCE, AUSTRIA)
    entry = shown.work(lambda campaign: rulings.rollback(campaign, to, "all have agreed"))
    with shown.open() as campaign:
        assert isinstance(record_in(campaign.ledger.read(entry)), RollbackRecord)
    shown.verified()


def test_a_moderator_who_goes_on_behind_a_lock_calls_nobody_late(shown: Sealed) -> None:
    done = shown.carried_out(force=True)
    assert done.record.forced
    assert done.record.absent == {AUSTRIA: adjudicating.WENT_ON_HIDDEN}
    assert done.record.forfeited == {AUSTRIA: ("orders",)}
    shown.verified()


def test_nothing_of_several_parts_can_be_left_out(table: Sealed) -> None:
    table.commit(PRUSSIA, orders=table.decided(PRUSSIA))
    table.commit(FRANCE, one=table.decided(FRANCE), two={"france": {"say": "otherwise"}})
    table.commit(AUSTRIA, orders=table.decided(AUSTRIA))
    table.lock()
    one = {"one": table.parts[FRANCE]["one"]}
    text = reveal_letter(table.occasion(FRANCE), table.players[FRANCE].next_seq(), one)
    assert codes(table.send(sign_letter(text, table.players[FRANCE].key))) == ["E-REVEAL-MISSING"]


def said(table: SimulatedTable, reader: str, language: str = "en") -> str:
    """The report of a reader, its line ends made blanks."""
    with table.open() as campaign:
        told = in_language(briefings(campaign)[reader], language)
        return " ".join(report_parcel(campaign, told, {}).text.split())


def test_a_commitment_is_told_as_one(table: Sealed) -> None:
    receipt = table.commit(AUSTRIA, orders=table.decided(AUSTRIA))
    assert receipt.verdict.missing == []
    assert "still to answer" not in answer_line("a.eml", receipt, True, "en")
    with table.open() as campaign:
        answer = " ".join(receipt_parcel(campaign, Reply(receipt), {}).text.split())
    assert "Your orders are committed to" in answer
    assert "final" not in answer


def test_reports_behind_a_lock_contradict_nothing(shown: Sealed) -> None:
    text = said(shown, AUSTRIA)
    assert "Reveal what you have sealed by" in text
    assert "can no longer be changed" in text
    assert "what was sealed is not revealed yet" in said(shown, PRUSSIA)
    assert "no orders yet" not in text + said(shown, PRUSSIA)
    shown.reveal(AUSTRIA)
    shown.carried_out()
    text = said(shown, AUSTRIA)
    assert "can no longer be changed" not in text
    assert "then it was revealed" in text


LATE = {"en": "in time", "de": "rechtzeitig", "es": "a tiempo", "it": "in tempo"}


@pytest.mark.parametrize("language", LATE)
def test_who_is_passed_over_behind_a_lock_is_not_called_late(shown: Sealed, language: str) -> None:
    late = shown.copied(shown.root.with_name("late"))
    late.carried_out(after=9 * DAY)
    shown.carried_out(force=True)
    assert LATE[language] in said(late, AUSTRIA, language)
    assert LATE[language] not in said(shown, AUSTRIA, language)
    read = read_folder(shown.root, shown.now)
    log = entry_lines(read, [record for _, record in read.entries if isinstance(record, AdjudicationRecord)], "en")
    assert "in time" not in log[-1]
    assert "the moderator went on" in log[-1]


def test_a_lock_that_came_before_its_time_is_told_so(table: Sealed) -> None:
    table.commit(PRUSSIA, orders=table.decided(PRUSSIA))
    table.lock(force=True)
    assert "The moderator has gone on before the clock allowed it" in said(table, PRUSSIA)
    text = said(table, FRANCE)
    assert "Reveal what you have sealed by" not in text
    assert "nothing of yours is in" in text
    table.reveal(PRUSSIA)
    done = table.carried_out(after=9 * DAY)
    assert not done.record.forced
    assert done.record.absent == dict.fromkeys((FRANCE, AUSTRIA), adjudicating.WENT_ON)
    table.verified()


def test_a_playing_moderator_sees_nothing_sealed_before_it_is_revealed_and_reports_say_so() -> None:
    words = template("en", "maria", "campaign_words.txt.j2").module
    conduct = {"sealing": "reveal", "proofs": "at once", "signing": "on"}
    told = str(words.conduct(conduct, {"seat": "louis", "name": "Max"}, {}, lambda text, most=0: text))  # type: ignore[attr-defined]
    assert "not even the moderator" in told
    assert "every sealed part" not in told
    assert "what is sealed once it is revealed" in told


def test_what_is_revealed_otherwise_than_sealed_is_refused_with_a_way_out(table: Sealed) -> None:
    for player in table.players:
        table.commit(player, orders=table.decided(player))
    table.lock()
    mine = table.parts[FRANCE]["orders"]
    table.parts[FRANCE] = {"orders": SealedPart("orders", mine.salt, {"france": {}}, mine.commitment)}
    (fault,) = table.reveal(FRANCE).verdict.faults
    assert (fault.code, "`pbem reveal`" in str(fault.hint)) == ("E-SEAL-COMMITMENT", True)
