"""Makes the campaigns in `examples/` anew: `python -m tests.make_examples`, or with the names of some of them.

Games, orders and words follow from seeds; keys and seals are new every time, and so are signatures and hashes. The keys
are thrown away: nobody can carry these campaigns on. Positions, orders and puzzles are written by hand, and not made.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem import __version__
from pbem.bots.table import sensible_policy
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.founding import begin
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import head_of
from pbem.campaign.proof import judging_again
from pbem.campaign.settings import Newcomer
from pbem.lab.bot_campaign import (
    BotPlayer,
    QuickDisk,
    bot_players_of,
    deliver,
    letter_of,
    play_round,
    secret_of,
    take_seats,
)
from pbem.paper.documents.writing import Value
from pbem.paper.letters import sign_letter, write_letter
from pbem.seal.keys import new_key
from tests import forum_thread

EXAMPLES = Path(__file__).parents[1] / "examples"
PUBLIC = ("campaign.yaml", "state.yaml", "opened.json", "ledger", "rules")
"""Public files of a campaign's folder; only its moderator can open the others."""

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PAUSE = 5 * HOUR
"""Time for a round of letters where nobody is late."""

BEGIN = datetime(2026, 1, 5, 18, tzinfo=UTC)
CLOCK = {
    "next": "48h",
    "at": "20:00",
    "zone": "Europe/Madrid",
    "days": ["mon", "wed", "fri", "sun"],
    "at_deadline": "hold",
}
PEOPLE = {"maria-theresa": "Anna", "frederick": "Fritz", "louis": "Lou", "elisabeth": "Elsa", "pompadour": "Jeanne"}


class Scene:
    """A campaign that is made: its moderator's view, and the players."""

    def __init__(self, campaign: Campaign, players: dict[str, BotPlayer]) -> None:
        """Begin to play."""
        self.campaign = campaign
        self.players = players

    def send(self, player: str, kind: str, body: Value, staged: bool = True) -> adjudicating.Receipt:
        """A player writes a letter that is no orders."""
        bot_player = self.players[player]
        head: dict[str, str | int] = {"kind": kind, "campaign": self.campaign.state.name, "from": player}
        if staged:
            head = head_of(bot_player.occasion(self.campaign.state), kind, 0)
        head["seq"] = bot_player.next_seq()
        return deliver(self.campaign, sign_letter(write_letter(head, body), bot_player.key))

    def is_running(self) -> bool:
        """True if the game goes on."""
        return self.campaign.public.phase == "running"

    def round(self) -> None:
        """Everybody sends what is owed, and it is adjudicated."""
        play_round(self.campaign, self.players, PAUSE)

    def play_to(self, stage: str) -> None:
        """Play until a stage is reached."""
        while self.campaign.state.stage != stage:
            self.round()

    def last(self) -> int:
        """The entry of the latest adjudication."""
        return max(entry.number for entry in self.campaign.ledger.entries() if entry.kind == "adjudication")


def made(name: str, seed: str, play: Callable[[Scene], None], **terms: Any) -> None:
    """Play a campaign by letters, and keep what everybody may see of it."""
    told: dict[str, Any] = {"campaign": name, "moderator": {"name": "Max"}, "clock": CLOCK, **terms}
    seats = complete_plan(read_plan(b"", "plan", Path(), told), "plan", __version__).settings.seats
    told["seats"] = {seat: {"name": PEOPLE[seat]} for seat in seats}
    plan = complete_plan(read_plan(b"", "plan", Path(), told), "plan", __version__)
    players = bot_players_of(seats, sensible_policy(str(plan.settings.terms["game"])), seed)
    for seat, bot_player in players.items():
        bot_player.name = PEOPLE[seat]
    key, disk = new_key("moderator"), QuickDisk()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / name
        begin(root, plan, secret_of(seed), key, BEGIN, disk)
        with opened_by_moderator(root, key, "make", BEGIN, disk) as campaign:
            take_seats(campaign, players)
            campaign.now += DAY
            adjudicating.adjudicate(campaign)
            play(Scene(campaign, players))
            campaign.save()
        publish(root, EXAMPLES / name)


def publish(campaign: Path, target: Path) -> None:
    """Put what is public of a campaign into the place of an older making; other files there stay."""
    target.mkdir(parents=True, exist_ok=True)
    for name in PUBLIC:
        old, new = target / name, campaign / name
        if old.is_dir():
            shutil.rmtree(old)
        if new.is_dir() and any(new.iterdir()):
            shutil.copytree(new, old)
        elif new.is_file():
            shutil.copyfile(new, old)


def vienna(scene: Scene) -> None:
    """The introductory game of MARIA to its end, with what happens among people."""
    campaign = scene.campaign
    scene.play_to("1/prussia")
    scene.send("frederick", "message", {"to": "louis", "text": "Silesia for me, Bohemia for you?"}, staged=False)
    scene.send("louis", "message", {"to": "frederick", "text": "Gladly, as long as you keep her busy."}, staged=False)
    pact = "Prussia takes no fortress in Bohemia before the first winter"
    scene.send("frederick", "agreement", {"with": "louis", "words": pact})
    scene.send("louis", "agreement", {"with": "frederick", "words": pact})
    scene.play_to("1/austria")
    retreats: dict[str, Value] = {"for": "retreat", "cut-off-from": "trains", "away-from": "home", "standing": "yes"}
    scene.send("maria-theresa", "plan", {"orders": {"austria": {"plans": [retreats]}}})
    rulings.rule(campaign, "A letter counts by the time at which it was posted, not at which it was read.")
    scene.play_to("2/france")
    late(scene)
    scene.play_to("3/austria")
    away = campaign.now.date() + DAY
    rulings.enter_absence(campaign, Absence("frederick", away, away + 3 * DAY, "a wedding"))
    scene.play_to("4/prussia")
    before = scene.last()
    scene.round()
    why = "Fritz had posted other orders in time, and they had been overlooked"
    rulings.rollback(campaign, before, why)
    scene.play_to("5/hussars")
    substituted(scene, "louis", "Elsa")
    while scene.is_running():
        scene.round()
    judging_again.close(campaign)


def late(scene: Scene) -> None:
    """One player is reminded and then answered for; the others are in time."""
    campaign = scene.campaign
    waiting = campaign.public.next
    assert waiting
    missing = next(iter(waiting.owing))
    for player in waiting.owing:
        if player != missing:
            deliver(campaign, letter_of(campaign, scene.players[player]))
    deadline = parse_moment(campaign.public.deadline)
    for when in (deadline - 12 * HOUR, deadline + HOUR):
        campaign.now = when
        rulings.remind(campaign)
    campaign.now = deadline + 25 * HOUR
    adjudicating.adjudicate(campaign)


def substituted(scene: Scene, seat: str, name: str) -> None:
    """Somebody else takes a seat over."""
    bot_player = scene.players[seat]
    bot_player.key, bot_player.name = new_key(seat), name
    rulings.substitute(scene.campaign, seat, bot_player.key.public.text, "Lou has moved house", Newcomer(name))


def potsdam(scene: Scene) -> None:
    """The first two turns of FRIEDRICH; the campaign goes on."""
    scene.send("frederick", "message", {"to": "all", "text": "It was not me who began."}, staged=False)
    scene.play_to("3/prussia")


def forum() -> None:
    """A campaign in the threads of a forum, and their pages."""
    target = EXAMPLES / "forum"
    with tempfile.TemporaryDirectory() as folder:
        club = forum_thread.played(Path(folder))
        publish(club.folder, target / forum_thread.NAME)
        for page in club.root.glob("thread-*"):
            shutil.copyfile(page, target / page.name)


MADE: Mapping[str, Callable[[], None]] = {
    "vienna-1741": lambda: made("vienna-1741", "mollwitz", vienna, game="maria", scenario="introductory"),
    "potsdam-1756": lambda: made("potsdam-1756", "1756", potsdam, game="friedrich", scenario="four"),
    "forum": forum,
}


def main(names: list[str]) -> None:
    """Make some campaigns, or all."""
    for name in names or MADE:
        MADE[name]()
        print(EXAMPLES / name)


if __name__ == "__main__":
    main(sys.argv[1:])
