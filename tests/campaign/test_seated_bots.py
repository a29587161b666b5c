"""Seats that bots play from the start: their letters, and what anybody finds out about them after the close."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem import __version__
from pbem.bots.plain import Policy, choose
from pbem.bots.table import bot_named
from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import DISK
from pbem.campaign.ledger.entry_checks import Writer
from pbem.campaign.ledger.seats import common_language
from pbem.campaign.letters import judging
from pbem.campaign.play import adjudicating, rulings, seated_bots
from pbem.campaign.play.seated_bots import is_bots, play_bots
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.players.letters import key_change_letter
from pbem.campaign.proof.sharing import verify_together
from pbem.campaign.proof.verifying import verify
from pbem.campaign.settings import Conduct
from pbem.engine.table import Table, digest
from pbem.lab import bot_campaign
from pbem.lab.bot_campaign import bot_players_of
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.keys import new_key
from tests.campaign.faulty import Faulty, Killed
from tests.campaign.simulated import HOUR, SimulatedTable
from tests.protocol import second
from tests.record.reading import recorded

BOTS = {"frederick": f"sensible/{__version__}", "maria-theresa": f"random/{__version__}"}


def begun(root: Path, **more: Any) -> SimulatedTable:
    """A campaign of one person and two bots, who have joined."""
    table = SimulatedTable(root, **{"bots": BOTS, **more})
    table.join()
    with table.open() as campaign:
        assert play_bots(campaign) == []
        adjudicating.adjudicate(campaign)
        assert play_bots(campaign) == []
        campaign.save()
    return table


def test_only_people_decide_which_language_all_share(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS)
    table.players["louis"].language = "de"
    table.join()
    with table.open() as campaign:
        assert common_language(campaign.public) == "de"


def adjudicated(table: SimulatedTable, campaign: Campaign) -> None:
    """The person orders if asked to, and the moderator goes on an hour later."""
    assert campaign.public.next is not None
    if "louis" in campaign.public.next.owing and "louis" not in campaign.public.pending:
        table.deliver(campaign, table.write(campaign, "louis"))
    campaign.now += HOUR
    if isinstance(adjudicating.adjudicate(campaign), adjudicating.Lock):
        if "louis" in campaign.public.pending and campaign.public.pending["louis"].slots:
            table.deliver(campaign, table.players["louis"].reveal(campaign.state))
        assert play_bots(campaign) == []
        adjudicating.adjudicate(campaign)


def played(table: SimulatedTable, rounds: int) -> SimulatedTable:
    """Some rounds, and everything published."""
    with table.open() as campaign:
        for _ in range(rounds):
            adjudicated(table, campaign)
            assert play_bots(campaign) == []
        table.now = campaign.now
        campaign.save()
    table.close("far enough")
    return table


def codes(table: SimulatedTable) -> set[str]:
    """Codes of the findings of verifying."""
    return {finding.fault.code for finding in verify(table.root).findings}


@pytest.mark.parametrize("sealing", ["moderator", "reveal"])
def test_bots_play_by_letters_and_are_verified(tmp_path: Path, sealing: Any) -> None:
    table = played(begun(tmp_path / "campaign", conduct=Conduct(sealing=sealing)), 6)
    found = verify(table.root)
    assert found.findings == []
    assert found.figures.letters > 9
    assert second.verify(table.root) == []


def test_a_bot_takes_up_a_subsidy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so in the letter that it owes next, and that is what it has to do."""
    offer, decided = {"subsidies": [{"to": "prussia", "turns": "2"}]}, bot_campaign.orders_decided

    def offering(table: Table, *how: Any) -> dict[str, Any]:
        orders = decided(table, *how)
        return {**orders, "france": {**orders["france"], **offer}} if table.state.phase == "allotment" else orders

    with monkeypatch.context() as offered:
        offered.setattr(bot_campaign, "orders_decided", offering)
        table = played(begun(tmp_path / "campaign", scenario="advanced"), 3)
    with table.open() as campaign:
        assert campaign.state.table is not None
        contracts = campaign.state.table.state.affairs.contracts
        assert [(each.giver, each.receiver) for each in contracts] == [("france", "bavaria"), ("france", "prussia")]
    assert verify(table.root).findings == []
    decisions = [line for line in recorded(str(table.root)) if line["type"] == "Decided" and line["power"] == "prussia"]
    assert {line["bot"] for line in decisions} == {BOTS["frederick"]}
    assert [line for line in decisions if "subsidies" in line["answer"]]


def test_bots_are_verified_by_several_processes(tmp_path: Path) -> None:
    assert verify_together(played(begun(tmp_path / "campaign"), 3).root, 2).findings == []


def test_whoever_writes_twice_writes_nothing_new(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        before = campaign.ledger.head.number
        assert play_bots(campaign) == []
        assert campaign.ledger.head.number == before
        assert set(campaign.public.pending) == set(BOTS)


def test_the_key_says_whose_it_is(tmp_path: Path) -> None:
    with begun(tmp_path / "campaign").open() as campaign:
        assert campaign.public.players["frederick"].key.endswith(f" bot sensible of pbem {__version__}")
        assert is_bots(campaign.state, "frederick")
        assert not is_bots(campaign.state, "louis")


def test_a_bot_that_was_played_otherwise_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as cheating:
        cheating.setattr("pbem.bots.table.bot_named", lambda level, game: choose)
        table = played(begun(tmp_path / "campaign"), 2)
    found = verify(table.root).findings
    assert {finding.fault.code for finding in found} == {"E-VERIFY-BOT"}
    assert {"frederick" in str(finding.fault.message) for finding in found} == {True}


def test_how_much_a_bot_thinks_is_agreed_on_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(begun(tmp_path / "campaign", bots=BOTS | {"frederick": f"strong:2/{__version__}"}), 1)
    asked: set[str] = set()

    def noted(name: str, game: str) -> Policy:
        asked.add(name)
        return bot_named(name, game)

    monkeypatch.setattr("pbem.bots.table.bot_named", noted)
    assert verify(table.root).findings == []
    assert asked == {"strong:2", "random"}


def test_a_bot_that_there_is_none_of_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moderator who writes the first entry by hand plays for it as they like."""
    with monkeypatch.context() as cheating:
        cheating.setattr("pbem.bots.table.bot_named", lambda level, game: choose)
        table = played(begun(tmp_path / "campaign", bots=BOTS | {"frederick": f"strong:65/{__version__}"}), 1)
    assert codes(table) == {"E-VERIFY-BOT"}


@pytest.mark.parametrize(
    ("what", "told"), [("chance", "maria-theresa has not done"), ("entropy", "maria-theresa, or its part in the deal")]
)
def test_a_bot_with_luck_of_its_own_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, told: str
) -> None:
    drawn = seated_bots.bot_bytes
    with monkeypatch.context() as cheating:
        cheating.setattr(
            seated_bots,
            "bot_bytes",
            lambda state, seat, this, which="": drawn(state, seat, "luck" if this == what else this, which),
        )
        table = played(begun(tmp_path / "campaign"), 2)
    found = verify(table.root).findings
    assert {finding.fault.code for finding in found} == {"E-VERIFY-BOT"}
    assert any(told in str(finding.fault.message) for finding in found)


@pytest.mark.parametrize("kind", ["orders", "reveal"])
def test_a_number_left_out_for_better_luck_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    number = seated_bots.next_seq
    with monkeypatch.context() as cheating:
        cheating.setattr(seated_bots, "next_seq", lambda *asked: number(*asked) + (asked[2] == kind))
        cheating.setattr(judging, "check_owed", lambda *given: None)
        conduct = Conduct(sealing="reveal" if kind == "reveal" else "moderator")
        table = played(begun(tmp_path / "campaign", conduct=conduct), 1)
    assert {finding.fault.code for finding in verify(table.root).findings} == {"E-VERIFY-BOT"}


def test_nobody_writes_anything_else_with_the_key_of_a_bot(tmp_path: Path) -> None:
    """The holder of its key could let it choose again, speak as a bot, or ask for a key by which to play unseen."""
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        key = seated_bots.bot_key(campaign.state, "frederick", BOTS["frederick"])
        again = seated_bots.letter_due(campaign.state, Writer("frederick", BOTS["frederick"]))
        head: dict[str, str | int] = {"kind": "message", "campaign": campaign.state.name, "from": "frederick", "seq": 1}
        said = sign_letter(write_letter(head, {"to": "all", "text": "I am a person."}), key)
        mine = key_change_letter(campaign.state.name, "frederick", 9, new_key("mine"), key)
        before = campaign.ledger.head.number
        for text in (again, said, mine):
            receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
            assert [fault.code for fault in receipt.verdict.faults] == ["E-LETTER-BOT"]
        with pytest.raises(Refused, match="E-BOT-AGREED"):
            rulings.rekey(campaign, "frederick", new_key("mine").public.text, "lost")
        assert {entry.kind for entry in campaign.ledger.entries(before + 1)} == {"refused"}
        campaign.save()
    assert verify(table.root).findings == []
    assert second.verify(table.root) == []


def ordered(campaign: Campaign, seat: str) -> str:
    """Orders of the bot of a seat, which its moderator can open."""
    assert play_bots(campaign) == []
    return str(campaign.held_letter(campaign.public.pending[seat].entry).opened["orders"].body)


def test_in_one_position_a_bot_orders_one_thing(tmp_path: Path) -> None:
    """It may be asked again by a rollback, by a person who takes its seat and leaves, by letters before."""
    table = begun(tmp_path / "campaign", conduct=Conduct(stand_in=BOTS["maria-theresa"]))
    seat = "maria-theresa"
    (person,) = bot_players_of([seat], choose, "person").values()
    with table.open() as campaign:
        position = campaign.public.since
        first = ordered(campaign, seat)
        for _ in range(3):
            adjudicated(table, campaign)
            assert play_bots(campaign) == []
        for number in range(3):
            rulings.rollback(campaign, position, "once more")
            if number == 1:
                rulings.substitute(campaign, seat, person.key.public.text, "a person has come")
                person.seq = 40
                table.deliver(campaign, person.orders(campaign.state))
                rulings.substitute_bot(campaign, seat, BOTS[seat], "and has gone")
            assert ordered(campaign, seat) == first
            position = campaign.public.since
        table.now = campaign.now
        campaign.save()
    table.close("far enough")
    assert verify(table.root).findings == []
    assert second.verify(table.root) == []


def test_a_bot_throws_anew_for_every_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, thrown = seated_bots.bot_bytes, []

    def noted(state: SecretState, seat: str, what: str, which: str = "") -> bytes:
        found = drawn(state, seat, what, which)
        thrown.extend([found] if what == "chance" else [])
        return found

    monkeypatch.setattr(seated_bots, "bot_bytes", noted)
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        for _ in range(12):
            adjudicated(table, campaign)
            assert play_bots(campaign) == []
    assert len(thrown) == len(set(thrown)) > 9


def test_the_secret_alone_tells_nothing_of_the_luck_of_a_bot(tmp_path: Path) -> None:
    """Or a moderator would try secrets until the first orders please: everybody's part in the deal is in it."""
    luck = set()
    for seed in range(2):
        table = begun(tmp_path / f"{seed}", seed=seed)
        with table.open() as campaign:
            assert campaign.state.secret == "07" * 32
            luck.add(seated_bots.bot_bytes(campaign.state, "frederick", "chance", "1/setup/1"))
    assert len(luck) == 2


def test_what_the_moderator_orders_for_a_bot_is_told(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS)
    table.join()
    (person,) = bot_players_of(["frederick"], choose, "person").values()
    with table.open() as campaign:
        play_bots(campaign)
        adjudicating.adjudicate(campaign)
        person.key, person.seq = table.moderator, 1
        text = person.orders(campaign.state)
        assert not adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"), acted="ill").verdict.faults
        campaign.save()
    found = verify(table.root)
    assert [finding.fault.message.key for finding in found.findings] == ["W-VERIFY-BOT.acted"]
    assert found.is_good


def test_bots_do_the_same_whenever_they_are_asked(tmp_path: Path) -> None:
    """Nobody gets other orders of them by trying another second."""
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS | {"louis": f"random/{__version__}"})
    with table.open() as campaign:
        assert play_bots(campaign) == []
        adjudicating.adjudicate(campaign)
        campaign.save()
    positions = set()
    for late in range(3):
        with table.copied(tmp_path / f"{late} s").open() as campaign:
            for _ in range(3):
                campaign.now += HOUR + timedelta(seconds=late)
                assert play_bots(campaign) == []
                adjudicating.adjudicate(campaign)
            assert campaign.state.table is not None
            positions.add(digest(campaign.state.table.state))
    assert len(positions) == 1


def test_a_person_on_the_seat_of_a_bot_is_found(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS)
    table.players |= bot_players_of(BOTS, choose, "people")
    table.join()
    table.play(1)
    table.close("far enough")
    found = verify(table.root).findings
    assert len(found) == len(BOTS)
    assert all(finding.fault.code == "E-VERIFY-BOT" and "key" in str(finding.fault.message) for finding in found)


def test_another_version_stays_silent_and_does_not_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        adjudicated(table, campaign)
        monkeypatch.setattr(seated_bots, "__version__", "0.3")
        (kept_back,) = {fault.code for fault in play_bots(campaign)}
        campaign.save()
        table.now = campaign.now
    assert kept_back == "W-BOT-VERSION"
    table.close("far enough")
    assert verify(table.root).is_good
    assert codes(table) == {"W-VERIFY-BOT"}


def test_a_bot_that_was_kept_silent_is_told(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        adjudicated(table, campaign)
        adjudicating.adjudicate(campaign, force=True)
        table.now = campaign.now
        campaign.save()
    table.close("far enough")
    found = verify(table.root)
    assert found.is_good
    assert all("defaults have answered" in str(finding.fault.message) for finding in found.findings)
    assert found.findings


def test_what_is_refused_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pbem.campaign.players.letters.orders_decided", lambda *given: {"prussia": {"move": "nonsense"}}
    )
    table = SimulatedTable(tmp_path / "campaign", bots=BOTS)
    table.join()
    with table.open() as campaign:
        play_bots(campaign)
        adjudicating.adjudicate(campaign)
        assert {fault.code for fault in play_bots(campaign)} == {"W-BOT-REFUSED"}


def test_who_takes_the_place_of_a_bot_plays(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    (person,) = bot_players_of(["frederick"], choose, "person").values()
    with table.open() as campaign:
        rulings.substitute(campaign, "frederick", person.key.public.text, "a person has come")
        assert not is_bots(campaign.state, "frederick")
        adjudicated_before = campaign.ledger.head.number
        assert play_bots(campaign) == []
        assert campaign.ledger.head.number == adjudicated_before
        assert read_letter(person.orders(campaign.state).encode(), "letter").sender == "frederick"


STRIDE = 7
"""Every so many steps of the command are tried."""


def going_on(table: SimulatedTable) -> list[str]:
    """Run `pbem adjudicate`, and return the kinds of the entries that there are then."""
    with table.open() as campaign:
        campaign.intend("adjudicate")
        play_bots(campaign)
        if not adjudicating.work_done_before(campaign):
            adjudicating.adjudicate(campaign)
        play_bots(campaign)
        campaign.save()
        return [entry.kind for entry in campaign.ledger.entries()]


def test_killed_between_any_two_writes_bots_write_once(tmp_path: Path) -> None:
    table = begun(tmp_path / "campaign")
    with table.open() as campaign:
        table.deliver(campaign, table.write(campaign, "louis"))
        campaign.save()
    table.now += HOUR
    whole = table.copied(tmp_path / "whole")
    counted = Faulty()
    whole.disk = counted
    kinds = going_on(whole)
    assert kinds[-2:] == ["adjudication", "letter"]
    for at in range(0, counted.count, STRIDE):
        struck = table.copied(tmp_path / f"{at}")
        struck.disk = Faulty(at, "behind")
        with pytest.raises(Killed):
            going_on(struck)
        struck.disk = DISK
        assert going_on(struck) == kinds, at
        assert verify(struck.root).findings == []
