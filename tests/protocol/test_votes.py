"""Proposals and votes: what seats agree on is carried out at once, told, and verified by both verifiers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem import __version__
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.bank import accounts
from pbem.campaign.clock.clock import Bank, Clock, parse_moment
from pbem.campaign.clock.timing import CampaignTime, deadline_for, due_reminders, permission
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import Entry, as_texts, record_in
from pbem.campaign.ledger.proposals import VOTED, proposals_told
from pbem.campaign.ledger.records import (
    NAMES,
    EndRecord,
    ProposalRecord,
    Record,
    ResolutionRecord,
    SubstituteRecord,
    VoteRecord,
)
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating, rulings, seated_bots
from pbem.campaign.players.letters import sealed_part
from pbem.campaign.settings import Conduct
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import read_letter, sign_letter
from pbem.record.recorder import record_campaign
from pbem.seal.canonical import Tree
from pbem.seal.keys import new_key
from tests.campaign.fights import standing
from tests.campaign.simulated import DAY, NAME, SimulatedTable, codes
from tests.campaign.test_behind_a_lock import Sealed
from tests.campaign.test_seated_bots import begun as with_bots
from tests.protocol.forging import write_state
from tests.protocol.reports import Body, changed, found_in, reports
from tests.protocol.second import verify as second
from tests.protocol.together import verified

PRUSSIA, FRANCE, AUSTRIA = "frederick", "louis", "maria-theresa"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign that runs."""
    return SimulatedTable(tmp_path_factory.mktemp("begun") / "campaign", scenario="introductory").begun()


@pytest.fixture
def table(begun: SimulatedTable, tmp_path: Path) -> SimulatedTable:
    """A copy of it."""
    return begun.copied(tmp_path / "campaign")


def propose(table: SimulatedTable, seat: str, subject: str, about: str = "", days: str = "") -> str:
    """Somebody proposes something; gives its name."""
    said = {"subject": subject, "about": about, "days": days}
    receipt = table.send(table.other_letter(seat, "proposal", {key: value for key, value in said.items() if value}))
    assert not codes(receipt)
    with table.open() as campaign:
        found = [each.name for each in campaign.public.proposals if each.player == seat]
    return found[0] if found else ""


def vote(table: SimulatedTable, seat: str, name: str, says: str = "yes") -> list[str]:
    """Somebody votes; gives what is wrong with it."""
    return codes(table.send(table.other_letter(seat, "vote", {"proposal": name, "says": says})))


def last(table: SimulatedTable) -> Entry:
    """The last entry."""
    ledger = Ledger(table.root / "ledger", NAME)
    return ledger.read(ledger.head.number)


def phase(table: SimulatedTable) -> str:
    """The phase of the campaign."""
    with table.open() as campaign:
        return campaign.public.phase


def is_sound(table: SimulatedTable) -> None:
    """Neither verifier finds anything."""
    assert not verified(table.root).findings
    assert not second(table.root)


@pytest.mark.parametrize(
    ("subject", "about", "winners", "won"),
    [("draw", "", (), ["nobody"]), ("standing", "", (), []), ("concede", FRANCE, (FRANCE,), [FRANCE])],
)
def test_an_end_that_all_accept(
    table: SimulatedTable, subject: str, about: str, winners: tuple[str, ...], won: Sequence[str]
) -> None:
    name = propose(table, PRUSSIA, subject, about)
    assert not vote(table, FRANCE, name)
    assert phase(table) == "running"
    assert not vote(table, AUSTRIA, name)
    assert record_in(last(table)) == EndRecord(int(name.partition("-")[0]), subject, winners)  # type: ignore[arg-type]
    with table.open() as campaign:
        public = campaign.public
        assert (public.phase, public.deadline, public.proposals) == ("over", "", [])
        assert public.next
        assert not public.next.owing
    is_sound(table)
    lines: list[bytes] = []
    record_campaign(table.root, lines.append)
    assert json.loads(lines[-1])["how"] == subject
    table.close()
    is_sound(table)
    lines.clear()
    record_campaign(table.root, lines.append)
    ends = json.loads(lines[-1])
    assert (ends["over"], ends["winners"], ends["how"]) == (True, won, subject)
    assert all((ends["points"][seat] == 100) == (seat in winners) for seat in table.players)


def test_nothing_is_adjudicated_and_no_letter_taken_behind_the_end(table: SimulatedTable) -> None:
    orders = {seat: table.letter(seat) for seat in table.players}
    name = propose(table, PRUSSIA, "draw")
    vote(table, FRANCE, name), vote(table, AUSTRIA, name)
    assert codes(table.send(orders[PRUSSIA]))
    assert vote(table, FRANCE, name) == ["E-VOTE-PROPOSAL"]
    with table.open() as campaign, pytest.raises(Exception, match="over"):
        adjudicating.adjudicate(campaign, force=True)


def test_a_no_a_withdrawal_and_a_newer_proposal_drop_it(table: SimulatedTable) -> None:
    first = propose(table, PRUSSIA, "draw")
    assert not vote(table, FRANCE, first, "no")
    assert vote(table, AUSTRIA, first) == ["E-VOTE-PROPOSAL"]
    second_one = propose(table, PRUSSIA, "draw")
    assert not vote(table, PRUSSIA, second_one, "no")
    assert vote(table, FRANCE, second_one) == ["E-VOTE-PROPOSAL"]
    third = propose(table, PRUSSIA, "draw")
    fourth = propose(table, PRUSSIA, "concede", FRANCE)
    assert vote(table, FRANCE, third) == ["E-VOTE-PROPOSAL"]
    assert not vote(table, FRANCE, fourth)
    assert phase(table) == "running"
    is_sound(table)


def fault_of(table: SimulatedTable, seat: str, name: str) -> str:
    """The fault of a vote that is refused, with the end of its key."""
    receipt = table.send(table.other_letter(seat, "vote", {"proposal": name, "says": "yes"}))
    (fault,) = receipt.verdict.faults
    return fault.message.key


def test_a_vote_on_a_settled_proposal_is_told_how_it_was_settled(table: SimulatedTable) -> None:
    failed = propose(table, PRUSSIA, "draw")
    assert not vote(table, FRANCE, failed, "no")
    replaced = propose(table, PRUSSIA, "standing")
    lapsed = propose(table, PRUSSIA, "concede", FRANCE, days="1")
    table.now += 2 * DAY
    with table.open() as campaign:
        rulings.rule(campaign, "on with it")
        campaign.save()
    for name, key in ((failed, "failed"), (replaced, "dropped"), (lapsed, "lapsed"), ("3-0123456789abcdef", "none")):
        assert fault_of(table, AUSTRIA, name) == f"E-VOTE-PROPOSAL.{key}"
    with table.open() as campaign:
        assert [(each.how, each.by) for each in campaign.public.settled] == [
            ("failed", FRANCE),
            ("dropped", ""),
            ("lapsed", ""),
        ]
    true = reports(table)[AUSTRIA]
    assert not found_in(table.root, table, true)

    def lie(body: Body) -> None:
        body["settled"][0]["by"] = PRUSSIA

    def leave_out(body: Body) -> None:
        del body["settled"][1]

    with table.open() as campaign:
        for change in (lie, leave_out):
            assert found_in(table.root, table, changed(true, campaign.key, change))
    is_sound(table)


def test_a_proposal_lapses(table: SimulatedTable) -> None:
    name = propose(table, PRUSSIA, "draw", days="2")
    table.now += 2 * DAY
    assert not vote(table, FRANCE, name)
    table.now += timedelta(seconds=1)
    assert vote(table, AUSTRIA, name) == ["E-VOTE-LATE"]
    with table.open() as campaign:
        rulings.rule(campaign, "on with it")
        assert not campaign.public.proposals
        campaign.save()
    is_sound(table)


def test_what_is_written_wrongly_is_refused(table: SimulatedTable) -> None:
    def told(kind: str, **body: str) -> list[str]:
        return codes(table.send(table.other_letter(PRUSSIA, kind, body)))

    assert told("proposal", subject="war") == ["E-PROPOSAL-SUBJECT"]
    assert told("proposal", subject="draw", days="61") == ["E-PROPOSAL-DAYS"]
    assert told("proposal", subject="draw", about=FRANCE) == ["E-PROPOSAL-ABOUT"]
    assert told("proposal", subject="concede", about=PRUSSIA) == ["E-PROPOSAL-ABOUT"]
    assert told("proposal", subject="concede") == ["E-PROPOSAL-ABOUT"]
    name = propose(table, FRANCE, "draw")
    assert told("vote", proposal=name, says="perhaps") == ["E-VOTE-SAYS"]
    assert told("vote", proposal=name.partition("-")[0], says="yes") == ["E-VOTE-PROPOSAL"]
    stranger = table.other_letter(PRUSSIA, "vote", {"proposal": name, "says": "yes"}, key=new_key("x"))
    assert codes(table.send(stranger)) == ["E-SIGNATURE-KEY"]


def test_a_rollback_undoes_an_end_and_drops_proposals(table: SimulatedTable) -> None:
    with table.open() as campaign:
        to = campaign.public.since
    name = propose(table, PRUSSIA, "draw")
    vote(table, FRANCE, name), vote(table, AUSTRIA, name)
    with table.open() as campaign:
        rulings.rollback(campaign, to, "it was a mistake")
        assert (campaign.public.phase, campaign.public.ended) == ("running", None)
        campaign.save()
    name = propose(table, PRUSSIA, "draw")
    with table.open() as campaign:
        rulings.rollback(campaign, to, "once more")
        campaign.save()
    assert vote(table, FRANCE, name) == ["E-VOTE-PROPOSAL"]
    table.play(1)
    is_sound(table)
    table.close("enough")
    is_sound(table)


def test_a_substitute_votes_anew(table: SimulatedTable) -> None:
    name = propose(table, PRUSSIA, "draw")
    vote(table, FRANCE, name)
    new = new_key("new")
    with table.open() as campaign:
        rulings.substitute(campaign, FRANCE, new.public.text, "Louis has left")
        campaign.save()
    table.players[FRANCE].key = new
    vote(table, AUSTRIA, name)
    assert phase(table) == "running"
    assert not vote(table, FRANCE, name)
    assert phase(table) == "over"
    is_sound(table)


def test_a_killed_command_leaves_the_end_to_the_next(table: SimulatedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    name = propose(table, PRUSSIA, "draw")
    vote(table, FRANCE, name)
    with monkeypatch.context() as patch:
        patch.setattr(Campaign, "carry_out_proposals", lambda self: False)
        vote(table, AUSTRIA, name)
    assert last(table).kind == "vote"
    assert phase(table) == "over"
    assert last(table).kind == "end"
    is_sound(table)


def mark_of(text: str) -> str:
    """A mark as a verifier without the secret has to believe it."""
    return hashlib.sha256(text.encode()).hexdigest()


class Forger:
    """Entries of a moderator who cheats, behind a proposal with one vote."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.name = propose(table, PRUSSIA, "concede", FRANCE)
        self.number = int(self.name.partition("-")[0])

    def letter(self, seat: str, kind: str, body: dict[str, str]) -> tuple[str, int]:
        letter = read_letter(self.table.other_letter(seat, kind, body).encode(), seat)
        return entry_text(letter), letter.seq

    def vote(self, seat: str, says: str = "yes", name: str = "") -> VoteRecord:
        text, seq = self.letter(seat, "vote", {"proposal": name or self.name, "says": says})
        return VoteRecord(seat, self.number, says, seq, mark_of(text), text)  # type: ignore[arg-type]

    def proposal(self, seat: str, subject: str, about: str = "") -> ProposalRecord:
        body = {"subject": subject} | ({"about": about} if about else {})
        text, seq = self.letter(seat, "proposal", body)
        return ProposalRecord(seat, subject, seq, mark_of(text), text, about)  # type: ignore[arg-type]

    def end(self) -> EndRecord:
        return EndRecord(self.number, "concede", (FRANCE,))


FORGERIES: dict[str, tuple[Callable[[Forger], list[Record]], str]] = {
    "as it should be": (lambda by: [by.vote(FRANCE), by.vote(AUSTRIA), by.end()], ""),
    "an end that not all accept": (lambda by: [by.vote(FRANCE), by.end()], "E-VERIFY-PROPOSAL.not-carried"),
    "an end that is left out": (
        lambda by: [by.vote(FRANCE), by.vote(AUSTRIA), by.vote(FRANCE)],
        "E-VERIFY-PROPOSAL.due",
    ),
    "another winner": (
        lambda by: [by.vote(FRANCE), by.vote(AUSTRIA), replace(by.end(), winners=(AUSTRIA,))],
        "E-VERIFY-PROPOSAL.due",
    ),
    "another vote than the letter's": (lambda by: [replace(by.vote(FRANCE, "no"), says="yes")], "E-VERIFY-PROPOSAL"),
    "a vote on another proposal": (lambda by: [by.vote(FRANCE, name="3-0123456789abcdef")], "E-VERIFY-PROPOSAL"),
    "the vote of another seat": (lambda by: [replace(by.vote(FRANCE), player=AUSTRIA)], "letter-of-entry"),
    "another subject": (lambda by: [replace(by.proposal(FRANCE, "draw"), subject="standing")], "E-VERIFY-PROPOSAL"),
    "conceded to another": (
        lambda by: [replace(by.proposal(FRANCE, "concede", AUSTRIA), about=PRUSSIA)],
        "E-VERIFY-PROPOSAL",
    ),
    "an end of no proposal": (lambda by: [replace(by.end(), proposal=0)], "E-VERIFY-PROPOSAL.not-carried"),
    "a seat that nobody has given away": (
        lambda by: [ResolutionRecord(by.number, "replace", AUSTRIA)],
        "E-VERIFY-PROPOSAL.not-carried",
    ),
    "another clock that nobody wants": (
        lambda by: [ResolutionRecord(0, "clock", "5d")],
        "E-VERIFY-PROPOSAL.not-carried",
    ),
    "another seat given away than all want": (
        lambda by: [by.vote(FRANCE), by.vote(AUSTRIA), ResolutionRecord(by.number, "replace", AUSTRIA)],
        "E-VERIFY-PROPOSAL.due",
    ),
    "open for longer": (lambda by: [replace(by.proposal(FRANCE, "draw"), days=30)], "E-VERIFY-PROPOSAL"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_both_verifiers_count(table: SimulatedTable, name: str) -> None:
    make, told = FORGERIES[name]
    ledger = Ledger(table.root / "ledger", NAME)
    for record in make(Forger(table)):
        entry = ledger.append(NAMES[type(record)], as_texts(record), last(table).time, table.moderator)
    write_state(table.root)
    ours = [each.fault.message.key for each in verified(table.root).findings if not each.fault.is_warning]
    blamed = f"{entry.number:04d}-{entry.kind}.yaml"
    assert ours[:1] == ([told] if told else [])
    assert [each.file for each in second(table.root)][:1] == ([f"ledger/{blamed}"] if told else [])


def test_bots_neither_vote_nor_count(tmp_path: Path) -> None:
    bot = f"random/{__version__}"
    table = with_bots(tmp_path / "campaign", bots={AUSTRIA: bot})
    with table.open() as campaign:
        key = seated_bots.bot_key(campaign.state, AUSTRIA, bot)

    def forged(kind: str, **body: str) -> list[str]:
        text = table.other_letter(PRUSSIA, kind, body).replace(f"from: {PRUSSIA}", f"from: {AUSTRIA}")
        return codes(table.send(sign_letter(text.partition("signature:")[0], key)))

    name = propose(table, PRUSSIA, "draw")
    assert forged("vote", proposal=name, says="yes") == ["E-VOTE-SEAT"]
    assert forged("proposal", subject="draw") == ["E-LETTER-BOT"]
    assert not vote(table, FRANCE, name)
    assert phase(table) == "over"
    is_sound(table)


def test_an_older_campaign_knows_no_proposals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.campaign.campaign.r.PROTOCOL", 4)
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", {"subject": "draw"}))) == ["E-PROPOSAL-NEW"]


BOT = f"random/{__version__}"


def agreed_on(root: Path, bots: dict[str, str] | None = None, **conduct: str) -> SimulatedTable:
    """A campaign that runs, in which this was agreed."""
    agreed = Conduct(**conduct)  # type: ignore[arg-type]
    if bots:
        return with_bots(root, bots=bots, conduct=agreed)
    return SimulatedTable(root, conduct=agreed, scenario="introductory").begun()


def test_more_time_by_a_majority(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", votes="majority")
    with table.open() as campaign:
        before = campaign.public.deadline
    name = propose(table, PRUSSIA, "time", "3")
    assert not vote(table, FRANCE, name)
    with table.open() as campaign:
        later = campaign.public.deadline
        assert not campaign.public.proposals
    assert parse_moment(later) - parse_moment(before) == 3 * DAY
    assert last(table).kind == "extension"
    true = reports(table)[AUSTRIA]
    moved = read_letter(true.encode(), "report").tree["body"]["moved"]
    assert moved == {"until": later, "why": VOTED, "player": PRUSSIA}
    assert not found_in(table.root, table, true)

    def lie(body: Body) -> None:
        body["moved"]["player"] = FRANCE

    with table.open() as campaign:
        assert found_in(table.root, table, changed(true, campaign.key, lie))
    assert vote(table, AUSTRIA, name) == ["E-VOTE-PROPOSAL"]
    for about in ("", "0", "31", "soon"):
        said = {"subject": "time", "about": about}
        assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-ABOUT"]
    is_sound(table)
    table.play(1)
    table.close("enough")
    is_sound(table)


@pytest.mark.parametrize(
    ("rule", "votes", "is_given"),
    [
        ("majority", 1, True),
        ("two thirds", 1, True),
        ("all", 1, False),
        ("all", 2, True),
        ("majority", 0, False),
    ],
)
def test_as_many_as_were_agreed(tmp_path: Path, rule: str, votes: int, is_given: bool) -> None:
    table = agreed_on(tmp_path / "campaign", votes=rule)
    name = propose(table, PRUSSIA, "time", "3")
    for seat in (FRANCE, AUSTRIA)[:votes]:
        assert not vote(table, seat, name)
    assert (last(table).kind == "extension") == is_given
    is_sound(table)


def test_a_bot_is_for_more_time(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", {AUSTRIA: BOT}, votes="majority")
    propose(table, PRUSSIA, "time", "3")
    assert last(table).kind == "extension"
    is_sound(table)


def test_nobody_votes_on_time_where_that_was_not_agreed(table: SimulatedTable) -> None:
    said = {"subject": "time", "about": "3"}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-AGREED"]


def test_who_resigns_counts_no_more_until_a_substitute_comes(table: SimulatedTable) -> None:
    draw = propose(table, PRUSSIA, "draw")
    vote(table, FRANCE, draw)
    propose(table, AUSTRIA, "resign")
    assert phase(table) == "over"
    with table.open() as campaign:
        rulings.rollback(campaign, campaign.public.since, "not so")
        assert campaign.public.resigned == [AUSTRIA]
        campaign.save()
    for subject in ("resign", "draw"):
        said = {"subject": subject}
        assert codes(table.send(table.other_letter(AUSTRIA, "proposal", said))) == ["E-PROPOSAL-RESIGNED"]
    new = new_key("new")
    with table.open() as campaign:
        rulings.substitute(campaign, AUSTRIA, new.public.text, "she has resigned")
        assert not campaign.public.resigned
        campaign.save()
    table.players[AUSTRIA].key = new
    is_sound(table)


def test_the_bot_that_was_agreed_follows_who_resigns(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", resigned="bot", stand_in=BOT)
    propose(table, AUSTRIA, "resign")
    entry = record_in(last(table))
    assert isinstance(entry, SubstituteRecord)
    assert (entry.player, entry.bot, entry.name) == (AUSTRIA, BOT, "Bot random")
    with table.open() as campaign:
        assert seated_bots.is_bots(campaign.state, AUSTRIA)
        assert not campaign.public.resigned
        assert not seated_bots.play_bots(campaign)
        campaign.save()
    is_sound(table)
    table.close("enough")
    is_sound(table)


def test_a_bot_that_nobody_agreed_on_follows_nobody(tmp_path: Path) -> None:
    plan = "campaign: vienna-1741\ngame: maria\nscenario: introductory\nconduct: {resigned: bot}\n"
    with pytest.raises(Refused) as refused:
        complete_plan(read_plan(plan.encode(), "plan.yaml", tmp_path, {}), "plan.yaml", __version__)
    assert [fault.code for fault in refused.value.faults] == ["E-NEW-RESIGNED"]


def test_nobody_waits_for_a_resigned_seat_that_is_held(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", resigned="hold")
    propose(table, AUSTRIA, "resign")
    for _ in range(6):
        with table.open() as campaign:
            asked = set(campaign.public.next.owing) if campaign.public.next else set()
            deadline = parse_moment(campaign.public.deadline)
            assert not [
                each for each in due_reminders(CampaignTime(campaign.public, deadline)) if each.player == AUSTRIA
            ]
        if others := asked - {AUSTRIA}:
            table.ordered(*others)
        done = table.carried_out()
        assert table.now < deadline
        assert done.record.absent == ({AUSTRIA: "nobody plays the seat any more"} if AUSTRIA in asked else {})
        assert not done.record.forced
    is_sound(table)
    new = new_key("new")
    with table.open() as campaign:
        rulings.substitute(campaign, AUSTRIA, new.public.text, "somebody has been found")
        campaign.save()
    table.players[AUSTRIA].key = new
    while AUSTRIA not in asked_now(table):
        table.ordered(*asked_now(table))
        table.carried_out()
    if others := set(asked_now(table)) - {AUSTRIA}:
        table.ordered(*others)
    with table.open() as campaign, pytest.raises(Refused):
        adjudicating.adjudicate(campaign)
    table.ordered(AUSTRIA)
    assert not table.carried_out().record.absent
    is_sound(table)
    table.close("enough")
    is_sound(table)


def asked_now(table: SimulatedTable) -> list[str]:
    """Seats that are asked."""
    with table.open() as campaign:
        assert campaign.public.next
        return list(campaign.public.next.owing)


def test_what_a_resigned_player_has_left_answers_before_defaults(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", resigned="hold")
    seat = asked_now(table)[0]
    table.ordered(*asked_now(table))
    propose(table, seat, "resign")
    assert not table.carried_out().record.absent
    is_sound(table)


def test_a_held_seat_neither_saves_time_nor_draws_on_its_bank(tmp_path: Path) -> None:
    clock = Clock(delay="0m", at_deadline="hold", bank=Bank("2d", "1d", "5d"))
    conduct = Conduct(resigned="hold")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, clock=clock, scenario="introductory").begun()
    seat, *others = asked_now(table)
    propose(table, seat, "resign")
    with table.open() as campaign:
        table.now = parse_moment(campaign.public.deadline) + DAY
    table.ordered(*others)
    table.carried_out()
    with table.open() as campaign:
        left = {each: account.left for each, account in accounts(campaign.public).items()}
    assert left[seat] == 2 * 86_400
    assert {left[each] for each in others} == {86_400}
    is_sound(table)


def test_behind_a_lock_a_held_seat_is_waited_for_until_the_deadline(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", resigned="hold", sealing="reveal")
    seat = asked_now(table)[0]
    table.ordered(*asked_now(table))
    propose(table, seat, "resign")
    table.adjudicate()
    with table.open() as campaign:
        assert campaign.public.locked
        assert not permission(campaign).may
        table.now = parse_moment(campaign.public.deadline) + 2 * DAY
    done = table.carried_out()
    assert done.record.absent[seat] == "not revealed in time"
    assert seat in done.record.forfeited
    is_sound(table)


def locked_with_bot(root: Path) -> Sealed:
    """A campaign behind a lock, in which all but Austria have revealed, and Austria resigns; a bot is to follow."""
    conduct = Conduct(sealing="reveal", resigned="bot", stand_in=BOT)
    table = Sealed(root, conduct=conduct, scenario="introductory").begun()
    assert isinstance(table, Sealed)
    for seat in table.players:
        table.commit(seat, orders=table.decided(seat))
    table.lock()
    for seat in (PRUSSIA, FRANCE):
        table.reveal(seat)
    propose(table, AUSTRIA, "resign")
    assert last(table).kind == "proposal", "the bot could show nothing, and all would wait"
    with table.open() as campaign:
        (told,) = proposals_told(campaign.public)
        assert told["awaited"] == []
    is_sound(table)
    return table


def test_behind_a_lock_a_bot_follows_when_its_player_has_revealed(tmp_path: Path) -> None:
    table = locked_with_bot(tmp_path / "campaign")
    assert table.reveal(AUSTRIA).status == "final"
    entry = record_in(last(table))
    assert isinstance(entry, SubstituteRecord)
    assert (entry.player, entry.bot) == (AUSTRIA, BOT)
    is_sound(table)
    done = table.carried_out()
    assert not done.record.absent
    assert not done.record.forfeited
    table.close("enough")
    is_sound(table)


def test_behind_a_lock_a_bot_follows_when_what_was_sealed_is_forfeited(tmp_path: Path) -> None:
    table = locked_with_bot(tmp_path / "campaign")
    with table.open() as campaign:
        assert not permission(campaign).may
        # The proposal is older than its time, and counts still.
        table.now = parse_moment(campaign.public.deadline) + 9 * DAY
    done = table.carried_out()
    assert AUSTRIA in done.record.forfeited
    assert isinstance(record_in(last(table)), SubstituteRecord)
    with table.open() as campaign:
        assert seated_bots.is_bots(campaign.state, AUSTRIA)
    table.close("enough")
    is_sound(table)


def test_a_bot_that_follows_before_its_player_could_reveal_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = locked_with_bot(tmp_path / "campaign")
    with monkeypatch.context() as hasty:
        hasty.setattr("pbem.campaign.ledger.proposals.must_wait", lambda public, proposal: False)
        with table.open() as campaign:
            campaign.carry_out_proposals()
            campaign.save()
        assert last(table).kind == "substitute"
    assert verified(table.root).findings
    assert second(table.root)


def test_behind_a_lock_who_resigns_may_take_it_back(tmp_path: Path) -> None:
    table = locked_with_bot(tmp_path / "campaign")
    with table.open() as campaign:
        name = campaign.public.proposals[0].name
    assert not vote(table, AUSTRIA, name, "no")
    assert table.reveal(AUSTRIA).status == "final"
    assert last(table).kind == "letter"
    is_sound(table)


def test_if_everybody_has_resigned_the_clock_waits(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", resigned="hold")
    for seat in (AUSTRIA, PRUSSIA, FRANCE):
        propose(table, seat, "resign")
    with table.open() as campaign, pytest.raises(Refused):
        adjudicating.adjudicate(campaign)
    is_sound(table)


def test_who_has_not_resigned_is_not_passed_over_as_if(tmp_path: Path) -> None:
    """Nor is somebody who has resigned passed over where that was not agreed."""
    for resigned in ("hold", "substitute"):
        table = agreed_on(tmp_path / resigned, resigned=resigned)
        if resigned == "substitute":
            propose(table, AUSTRIA, "resign")
        with table.open() as campaign:
            assert not permission(campaign).may
            record, _ = campaign.state.adjudication(
                campaign.public.entry + 1,
                dict.fromkeys(campaign.public.next.owing, "nobody plays the seat any more"),
                {},  # type: ignore[union-attr]
            )
            campaign.add(replace(record, next=replace(record.next, deadline=deadline_for(campaign, record.next.owing))))
            campaign.save()
        table.close("enough")
        assert {"E-VERIFY-ABSENT", "E-VERIFY-EARLY"} <= {each.fault.code for each in verified(table.root).findings}
        assert second(table.root)


def with_silent(root: Path, bots: dict[str, str] | None = None, **conduct: str) -> SimulatedTable:
    """A campaign in which Austria alone has not ordered by the deadline."""
    table = agreed_on(root, bots, **({"votes": "majority"} | conduct))
    with table.open() as campaign:
        assert campaign.public.next
        others = [seat for seat in campaign.public.next.owing if seat != AUSTRIA and seat not in (bots or {})]
        until = parse_moment(campaign.public.deadline)
    table.ordered(*others)
    table.now = until
    return table


def test_the_others_give_a_silent_seat_away(tmp_path: Path) -> None:
    table = with_silent(tmp_path / "campaign")
    table.now -= DAY
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-SILENT"]
    table.now += DAY
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    with table.open() as campaign:
        (told,) = proposals_told(campaign.public)
        assert (told["yes"], told["awaited"]) == ([PRUSSIA], [FRANCE])
    assert vote(table, AUSTRIA, name) == ["E-VOTE-SEAT"]
    assert phase(table) == "running"
    assert not vote(table, FRANCE, name)
    assert record_in(last(table)) == ResolutionRecord(int(name.partition("-")[0]), "replace", AUSTRIA)
    with table.open() as campaign:
        assert (campaign.public.resigned, campaign.public.proposals) == ([AUSTRIA], [])
    assert vote(table, AUSTRIA, propose(table, PRUSSIA, "draw")) == ["E-VOTE-SEAT"]
    new = new_key("new")
    with table.open() as campaign:
        rulings.substitute(campaign, AUSTRIA, new.public.text, "voted for")
        assert not campaign.public.resigned
        campaign.save()
    is_sound(table)
    table.close("enough")
    is_sound(table)


def test_the_agreed_bot_follows_a_silent_player(tmp_path: Path) -> None:
    table = with_silent(tmp_path / "campaign", resigned="bot", stand_in=BOT)
    assert not vote(table, FRANCE, propose(table, PRUSSIA, "replace", AUSTRIA))
    entry = record_in(last(table))
    assert isinstance(entry, SubstituteRecord)
    assert (entry.player, entry.bot, entry.why) == (AUSTRIA, BOT, "the seats have voted for it")
    with table.open() as campaign:
        assert not campaign.public.proposals
        assert not seated_bots.play_bots(campaign)
        campaign.save()
    assert not table.carried_out().record.absent
    is_sound(table)
    table.close("enough")
    is_sound(table)


def test_a_seat_given_away_is_held_if_that_was_agreed(tmp_path: Path) -> None:
    table = with_silent(tmp_path / "campaign", resigned="hold")
    assert not vote(table, FRANCE, propose(table, PRUSSIA, "replace", AUSTRIA))
    assert table.carried_out().record.absent == {AUSTRIA: "nobody plays the seat any more"}
    is_sound(table)


def test_whatever_comes_from_the_seat_ends_the_proposal(tmp_path: Path) -> None:
    table = with_silent(tmp_path / "campaign")
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    assert not codes(table.send(table.other_letter(AUSTRIA, "message", {"to": "all", "text": "I am here."})))
    assert vote(table, FRANCE, name) == ["E-VOTE-PROPOSAL"]
    assert propose(table, PRUSSIA, "replace", AUSTRIA)
    table.ordered(AUSTRIA)
    with table.open() as campaign:
        assert not campaign.public.proposals
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(FRANCE, "proposal", said))) == ["E-PROPOSAL-SILENT"]
    is_sound(table)


def test_time_in_the_bank_is_no_silence(tmp_path: Path) -> None:
    clock = Clock(delay="0m", bank=Bank("2d", "1d", "5d"))
    conduct = Conduct(votes="majority")
    table = SimulatedTable(tmp_path / "campaign", conduct=conduct, clock=clock, scenario="introductory").begun()
    with table.open() as campaign:
        table.now = parse_moment(campaign.public.deadline) + DAY
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-SILENT"]
    table.now += DAY
    propose(table, PRUSSIA, "replace", AUSTRIA)
    is_sound(table)


@pytest.mark.parametrize(
    ("seat", "subject", "about", "told"),
    [
        (PRUSSIA, "replace", PRUSSIA, "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "replace", "", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "replace", "nobody", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "replace", FRANCE, "E-PROPOSAL-SILENT"),
        (PRUSSIA, "clock", "", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "72h", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "3d", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "11h", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "31d", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "five days", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "9999w", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "999d", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "999h", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "05d", "E-PROPOSAL-ABOUT"),
        (PRUSSIA, "clock", "-5d", "E-PROPOSAL-ABOUT"),
    ],
)
def test_what_makes_no_sense_cannot_be_proposed(
    silent: SimulatedTable, tmp_path: Path, seat: str, subject: str, about: str, told: str
) -> None:
    table = silent.copied(tmp_path / "campaign")
    said = {"subject": subject} | ({"about": about} if about else {})
    assert codes(table.send(table.other_letter(seat, "proposal", said))) == [told]


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign in which Austria is late."""
    return with_silent(tmp_path_factory.mktemp("silent") / "campaign")


def test_who_has_resigned_neither_votes_nor_is_voted_out(silent: SimulatedTable, tmp_path: Path) -> None:
    table = silent.copied(tmp_path / "campaign")
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    propose(table, FRANCE, "resign")
    assert vote(table, FRANCE, name) == ["E-VOTE-SEAT"]
    with table.open() as campaign:
        assert [each.name for each in campaign.public.proposals] == [name]
        assert not campaign.public.resigned.count(AUSTRIA)
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-AGREED"]  # .few
    is_sound(table)


def test_two_seats_give_no_third_away_alone(tmp_path: Path) -> None:
    table = with_silent(tmp_path / "campaign", {FRANCE: BOT})
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-AGREED"]  # .few


def test_nobody_is_voted_out_behind_a_lock(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", votes="majority", sealing="reveal")
    table.ordered()
    table.adjudicate()
    with table.open() as campaign:
        assert campaign.public.locked
        table.now = parse_moment(campaign.public.deadline)
    said = {"subject": "replace", "about": AUSTRIA}
    assert codes(table.send(table.other_letter(PRUSSIA, "proposal", said))) == ["E-PROPOSAL-SILENT"]


def test_behind_a_lock_a_seat_that_no_bot_takes_is_given_away_at_once(tmp_path: Path) -> None:
    table = Sealed(tmp_path / "campaign", conduct=Conduct(sealing="reveal", votes="majority"), scenario="introductory")
    table.begun()
    plans = sealed_part(table.occasion(AUSTRIA), "plans", {"austria": {"plans": [standing(tactic="win")]}})
    body: Tree = {"sealed": {"plans": {"commitment": plans.commitment}}}
    assert not codes(table.send(table.other_letter(AUSTRIA, "plan", body)))
    for seat in (PRUSSIA, FRANCE):
        table.commit(seat, orders=table.decided(seat))
    with table.open() as campaign:
        table.now = parse_moment(campaign.public.deadline)
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    table.lock(force=True)
    with table.open() as campaign:
        assert AUSTRIA in campaign.public.unshown
    assert not vote(table, FRANCE, name)
    assert isinstance(record_in(last(table)), ResolutionRecord)
    is_sound(table)


def test_the_seats_agree_on_another_clock(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", votes="two thirds")
    with table.open() as campaign:
        before = campaign.public.deadline
    assert not vote(table, FRANCE, propose(table, PRUSSIA, "clock", "5d"))
    assert record_in(last(table)).subject == "clock"  # type: ignore[attr-defined]
    with table.open() as campaign:
        assert campaign.public.deadline == before, "of this stage it stays"
    table.ordered()
    table.carried_out()
    with table.open() as campaign:
        assert parse_moment(campaign.public.deadline) >= table.now + 5 * DAY
        rulings.rollback(campaign, campaign.public.entry - 2, "a mistake")
        assert campaign.settings.clock.next == "5d", "a rollback does not undo it"
        campaign.save()
    with table.open() as campaign:
        assert campaign.settings.clock.next == "5d"
        assert parse_moment(campaign.public.deadline) >= table.now + 5 * DAY
    assert not vote(table, AUSTRIA, propose(table, FRANCE, "clock", "2d"))
    table.ordered()
    table.carried_out()
    is_sound(table)
    table.close("enough")
    is_sound(table)


def test_a_bot_is_for_another_clock(tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "campaign", {AUSTRIA: BOT}, votes="majority")
    propose(table, PRUSSIA, "clock", "36h")
    assert last(table).kind == "resolution"
    is_sound(table)


@pytest.mark.parametrize(("subject", "about"), [("replace", AUSTRIA), ("clock", "5d")])
def test_nothing_is_voted_on_where_that_was_not_agreed(table: SimulatedTable, subject: str, about: str) -> None:
    said = {"subject": subject, "about": about}
    assert "E-PROPOSAL-AGREED" in codes(table.send(table.other_letter(PRUSSIA, "proposal", said)))


def test_nobody_is_voted_out_when_the_game_is_over(silent: SimulatedTable, tmp_path: Path) -> None:
    table = silent.copied(tmp_path / "campaign")
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    draw = propose(table, FRANCE, "draw")
    for seat in (PRUSSIA, AUSTRIA):
        assert not vote(table, seat, draw)
    assert phase(table) == "over"
    assert vote(table, FRANCE, name)
    is_sound(table)


def test_a_killed_command_leaves_a_seat_given_away_to_the_next(
    silent: SimulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = silent.copied(tmp_path / "campaign")
    name = propose(table, PRUSSIA, "replace", AUSTRIA)
    with monkeypatch.context() as patch:
        patch.setattr(Campaign, "carry_out_proposals", lambda self: False)
        vote(table, FRANCE, name)
    assert last(table).kind == "vote"
    assert phase(table) == "running"
    assert last(table).kind == "resolution"
    is_sound(table)


def test_both_verifiers_see_that_a_seat_was_not_late(table: SimulatedTable, tmp_path: Path) -> None:
    table = agreed_on(tmp_path / "other", votes="majority")
    said = {"subject": "replace", "about": AUSTRIA}
    letter = read_letter(table.other_letter(PRUSSIA, "proposal", said).encode(), PRUSSIA)
    text = entry_text(letter)
    record = ProposalRecord(PRUSSIA, "replace", letter.seq, mark_of(text), text, AUSTRIA)
    ledger = Ledger(table.root / "ledger", NAME)
    entry = ledger.append("proposal", as_texts(record), last(table).time, table.moderator)
    write_state(table.root)
    assert [each.fault.code for each in verified(table.root).findings] == ["E-PROPOSAL-SILENT"]
    assert [each.file for each in second(table.root)] == [f"ledger/{entry.number:04d}-proposal.yaml"]


def test_a_proposal_written_before_others_moved_is_voted_on(table: SimulatedTable) -> None:
    late = table.other_letter(PRUSSIA, "proposal", {"subject": "draw"})
    table.play(2)
    table.now += 6 * DAY
    assert not codes(table.send(late))
    with table.open() as campaign:
        (found,) = campaign.public.proposals
    assert not vote(table, FRANCE, found.name)
    assert not vote(table, AUSTRIA, found.name)
    assert phase(table) == "over"
    is_sound(table)


def told_of_late(table: SimulatedTable, text: str) -> list[str]:
    return [fault.message.key for fault in table.send(text).verdict.faults]


def test_an_old_proposal_is_refused_and_told_so(table: SimulatedTable) -> None:
    late = table.other_letter(PRUSSIA, "proposal", {"subject": "draw"})
    table.play(1)
    table.now += 8 * DAY
    assert told_of_late(table, late) == ["E-LETTER-STAGE.proposal"]
    assert propose(table, PRUSSIA, "draw")


@pytest.mark.parametrize("days", [6, 8])
def test_both_verifiers_know_how_long_a_proposal_may_be_under_way(table: SimulatedTable, days: int) -> None:
    text = table.other_letter(PRUSSIA, "proposal", {"subject": "draw"})
    table.play(1)
    table.now += days * DAY
    letter = read_letter(text.encode(), PRUSSIA)
    record = ProposalRecord(PRUSSIA, "draw", letter.seq, mark_of(text), entry_text(letter))
    Ledger(table.root / "ledger", NAME).append("proposal", as_texts(record), table.now, table.moderator)
    write_state(table.root)
    ours = [each.fault.message.key for each in verified(table.root).findings if not each.fault.is_warning]
    is_late = days > 7
    assert ours == (["E-LETTER-STAGE.proposal"] if is_late else [])
    assert bool(second(table.root)) == is_late


def test_no_proposal_comes_in_from_before_a_rollback(table: SimulatedTable) -> None:
    with table.open() as campaign:
        to = campaign.public.since
    late = table.other_letter(PRUSSIA, "proposal", {"subject": "draw"})
    table.play(1)
    with table.open() as campaign:
        rulings.rollback(campaign, to, "it was a mistake")
        campaign.save()
    assert told_of_late(table, late) == ["E-LETTER-BASIS.proposal"]
    is_sound(table)


def test_in_an_older_campaign_a_proposal_lapses_with_its_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.campaign.campaign.r.PROTOCOL", 6)
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    late = table.other_letter(PRUSSIA, "proposal", {"subject": "draw"})
    table.play(1)
    assert told_of_late(table, late) == ["E-LETTER-STAGE.proposal"]
    is_sound(table)
