"""A campaign as it is really played: letters come in as they like, people fail, commands are killed and run again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import timing
from pbem.campaign.clock.clock import Clock
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.ledger.public_state import PublicState, unrevealed_parts
from pbem.campaign.letters.judging import judge
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import Conduct, Seat
from pbem.moderator.letters import tray_of
from pbem.moderator.mails import write_reminders, write_reports
from pbem.paper.documents.faults import Refused
from pbem.post.boxes import arrival_of
from pbem.post.mailbox import RawMessage
from pbem.post.sheets import SentSheets
from tests.campaign.simulated import DAY, HOUR, SimulatedTable
from tests.endurance.crashing import Runner
from tests.endurance.mail import Postman
from tests.endurance.rulings import befall
from tests.endurance.writing import Writers, some_manner
from tests.report.campaign_table import joining

Sealing = Literal["moderator", "reveal"]

SCENARIOS = {"maria": ("advanced",), "friedrich": ("four",)}
"""Scenarios that are played."""


class Year:
    """One campaign, from the first letter to the close."""

    def __init__(
        self, root: Path, seed: int, game: str, sealing: Sealing, often: float = 0.3, scenario: str = ""
    ) -> None:
        """Begin a campaign; commands are killed so often."""
        self.chance = Random(f"{seed}/{game}/{sealing}")
        scenario = scenario or self.chance.choice(SCENARIOS[game])
        self.table = campaign_of(root, seed, {"game": game, "scenario": scenario}, sealing, self.chance)
        self.runner = Runner(self.table, Random(f"{seed}/disk"), often)
        self.writers = Writers(self.table, self.chance)
        self.postman = Postman()
        self.away: dict[str, datetime] = {}
        """Ends of absences, by player."""
        self.rollbacks = 4
        self.acted: list[str] = []
        """Letters that the moderator wrote."""
        self.told: dict[int, dict[str, Briefing]] = {}
        """Briefings of the reports that were written at an entry."""
        self.seen: Counter[str] = Counter()

    def run(self, letters: int) -> None:
        """Play until so many letters were sent, or to the end; then deliver what is under way, and close."""
        self.join()
        while len(self.postman.sent) < letters and self.public().phase == "running":
            self.day()
        self.table.now += 30 * DAY
        self.accept()
        self.post()
        why = "" if self.public().phase == "over" else "the year is over"
        self.runner.run("close", lambda campaign: judging_again.close(campaign, why), ("close",))
        self.post()

    def join(self) -> None:
        """Everybody takes their seat, and the moderator deals."""
        with self.table.open() as campaign:
            for seat, bot_player in self.table.players.items():
                text = joining(campaign, seat, bot_player.key, f"Player {seat}")
                bot_player.seq = 1
                self.postman.send(seat, text, self.table.now, "join", "taken")
        self.accept()
        self.adjudicate(force=False)
        self.post()

    def day(self) -> None:
        """One day: something happens, players write, the moderator reads the mail and goes on if it is time."""
        if self.chance.random() < 0.5:
            befall(self)
        self.write()
        self.accept()
        self.table.now += timedelta(hours=self.chance.randint(3, 20), minutes=self.chance.randint(0, 59))
        self.accept()
        self.go_on()
        if self.chance.random() < 0.4:
            self.post()

    def write(self) -> None:
        """Everybody writes who is asked something and is there."""
        with self.table.open() as campaign:
            public = campaign.public
            if public.phase != "running" or public.next is None:
                return
            if public.locked:
                self.show(campaign)
                return
            for seat in public.next.owing:
                pending = public.pending.get(seat)
                is_done = seat in public.next.answered or (pending is not None and pending.status == "final")
                if is_done or self.is_away(seat):
                    continue
                manner = some_manner(self.chance)
                self.seen[manner.__name__] += 1
                for text, after, fate in manner(self.writers, campaign, seat):
                    self.postman.send(seat, text, self.table.now + after, manner.__name__, fate)

    def show(self, campaign: Campaign) -> None:
        """Let everybody reveal what they have sealed, unless they forget."""
        for seat in unrevealed_parts(campaign.public):
            if not self.is_away(seat) and self.chance.random() < 0.85:
                text = self.writers.reveal(campaign, seat)
                self.postman.send(seat, text, self.table.now, "reveal", "taken")

    def accept(self) -> None:
        """The moderator takes what has come in, in any order, and a mail of long ago that comes again."""
        mails = list(self.postman.arriving(self.table.now))
        self.chance.shuffle(mails)
        again = self.chance.sample(self.postman.delivered, 1) if self.postman.delivered else []
        messages = [mail.message for mail in [*mails, *again]]
        if not mails:
            return
        self.runner.run("accept", lambda campaign: tray_of(campaign, iter(messages)))
        self.postman.delivered += mails
        with self.table.open() as campaign:
            for mail in mails:
                entry = mail.entry_in(campaign)
                wrong = (mail.fate == "taken" and not entry) or (mail.fate == "refused" and entry)
                assert not wrong, (mail.manner, mail.player, entry, faults_of(campaign, mail.message))

    def go_on(self) -> None:
        """The moderator goes on if the clock allows it, and now and then when it does not."""
        with self.table.open() as campaign:
            may = campaign.public.phase == "running" and timing.permission(campaign).may
            is_running = campaign.public.phase == "running"
        is_forced = self.chance.random() < 0.03
        if is_running and (may or is_forced):
            self.adjudicate(is_forced)

    def adjudicate(self, force: bool) -> None:
        """Carry orders out, or lock."""

        def work(campaign: Campaign) -> None:
            try:
                adjudicating.adjudicate(campaign, force)
            except Refused as refused:
                if refused.faults[0].code != "E-CAMPAIGN-WAITING":
                    raise

        self.runner.run("adjudicate", work, ("adjudication", "lock"))

    def post(self) -> None:
        """Write everybody's report."""

        def work(campaign: Campaign) -> None:
            if campaign.vault.posted.public.entry != campaign.vault.entry:
                self.told[campaign.vault.entry] = briefings(campaign)
                write_reports(campaign, with_pictures=False)
                campaign.vault.posted = campaign.state.snapshot()

        self.runner.run("post", work)

    def remind(self) -> None:
        """Write the reminders that are due."""

        def work(campaign: Campaign) -> None:
            write_reminders(campaign, timing.due_reminders(campaign))
            rulings.remind(campaign)

        self.runner.run("remind", work)

    def public(self) -> PublicState:
        """Public state of the ledger."""
        with self.table.open() as campaign:
            return campaign.public

    def adjudications(self) -> list[int]:
        """The entries of all adjudications."""
        return sorted(int(path.name[:4]) for path in (self.table.root / "ledger").glob("*-adjudication.yaml"))

    def is_away(self, seat: str) -> bool:
        """True if somebody is away."""
        return seat in self.away and self.table.now < self.away[seat]

    def some_seat(self) -> str:
        """Any seat."""
        return self.chance.choice(sorted(self.table.players))

    def two_seats(self) -> Sequence[str]:
        """Two seats."""
        return self.chance.sample(sorted(self.table.players), 2)

    def doubt(self, seat: str) -> None:
        """Letters of this seat that are under way may now be refused, or taken."""
        for mail in self.postman.sent:
            if mail.player == seat and mail not in self.postman.delivered:
                mail.fate = "either"


def faults_of(campaign: Campaign, message: RawMessage) -> list[Any]:
    """Reasons why a letter is refused, for finding the cause of a failure."""
    return [
        (each.faults, each.letter and judge(campaign.state, each.letter, campaign.open_box).faults)
        for found in [arrival_of(message, campaign.settings.campaign, SentSheets(campaign.folder.outbox))]
        for each in (*found.letters, *found.unread)
    ]


def campaign_of(root: Path, seed: int, terms: dict[str, str], sealing: Sealing, chance: Random) -> SimulatedTable:
    """A campaign in which reports to one seat are sealed, and everybody has an address."""
    conduct = Conduct(sealing=sealing, misorders=chance.choice(["hold", "return"]))
    clock = Clock(delay="30m", next="48h", grace="12h", at_deadline="hold", remind=("24h", "6h"), absences=60)
    chosen: Any = terms
    pattern = root.with_name(f"{root.name}-pattern")
    table = SimulatedTable(pattern, seed, conduct, clock=clock, **chosen)
    seats = {seat: Seat(reports="plain" if number else "sealed") for number, seat in enumerate(table.players)}
    addresses = {seat: f"{seat}@example.org" for seat in (*seats, "moderator")}
    table.root, table.settings = root, replace(table.settings, seats=seats)
    begin(root, NewCampaign(table.settings, {}, addresses, "test"), b"\x07" * 32, table.moderator, table.now)
    table.now += HOUR
    return table
