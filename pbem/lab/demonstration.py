"""Demonstration: bot players play a whole campaign by letters."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import repeat
from pathlib import Path
from typing import Generic, TypeVar

import pbem.post.reports  # noqa: F401 - all steps need it: loaded once, before they are apart
from pbem import __version__
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating
from pbem.campaign.proof import judging_again
from pbem.campaign.proof.verification import Verification
from pbem.campaign.settings import MODERATOR
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import wrong
from pbem.lab.bot_campaign import BotPlayer, QuickDisk, bot_players_of, play_round, secret_of, take_seats
from pbem.lab.chronicle import Chronicle, size
from pbem.lab.tables import policy_of
from pbem.moderator.mails import write_invitations, write_reports
from pbem.paper.positions.files import write_position
from pbem.player.files import write_file
from pbem.player.keyring import write_pair
from pbem.player.names import OPTIONS
from pbem.report.blocks import Block
from pbem.report.maps import Request, picture_file
from pbem.seal.keys import PrivateKey, load_private, new_key, save_private
from pbem.site.archive import verify_for_site
from pbem.site.export import site_of, write_site
from pbem.work.executors import Processes

KnownT = TypeVar("KnownT")
MadeT = TypeVar("MadeT")

Watch = Callable[[str, int], None]
"""Function that is called with the name of the present step and the number of finished turns."""


@dataclass(frozen=True)
class StepProgress:
    """Progress of a step: the step's name, and the number of finished turns."""

    what: str
    over: int


@dataclass(frozen=True)
class StepResult(Generic[MadeT]):
    """Result of a step. It is the last value that the step yields."""

    made: MadeT


Step = Callable[[KnownT], Iterator[StepProgress | StepResult[MadeT]]]
"""Step of the demonstration: a function at module level. It yields its progress several times, and then its result."""


def result_of_step(step: Step[KnownT, MadeT], known: KnownT, watch: Watch) -> MadeT:
    """Run a step with the argument `known` in a process of its own, and return its result. `watch` is called with the
    progress of the step. Raises the errors of the step, and `WorkFault` if the process was killed."""
    told = Processes(1).results(begin_step, (step, known), repeat(None))
    for each in told:
        if isinstance(each, StepResult):
            return each.made
        if each:
            watch(each.what, each.over)
    raise AssertionError("a step tells what it has come to")


def begin_step(
    step_and_known: tuple[Step[KnownT, MadeT], KnownT],
) -> Callable[[None], StepProgress | StepResult[MadeT] | None]:
    """Return a function that returns the next value of a step each time it is called, and None after the last value.
    `step_and_known` has the step and the step's argument."""
    step, known = step_and_known
    going = step(known)
    return lambda _: next(going, None)


PEOPLE = ("Anna", "Fritz", "Lou", "Elsa")

PAUSE = timedelta(hours=3)
"""Time between two rounds of letters, if there is enough time until the present."""

PART = 8
"""Number by which the time between the campaign's clock and the present is divided. The quotient is the longest time
that a round of letters may take."""

LONGEST = 60
DAYS_OF_A_TURN = 1
"""Number of days of the longest campaign, and number of days for one turn. By these numbers the first day of the
campaign is chosen so that the game ends about now. Then the last reports can still be answered before their
deadline."""


@dataclass(frozen=True)
class DemoWish:
    """Options of a demonstration: the game's terms, seed, length and language, the bots, and the present time."""

    terms: dict[str, str]
    seed: str
    turns: int | None
    """Number of turns to be played. If it is None, the game is played to its end."""
    language: str
    now: datetime
    bots: Mapping[str, str]
    """Level of the bot on every seat."""


@dataclass(frozen=True)
class DemoPlaces:
    """Paths of the files and folders of a demonstration, all in one folder."""

    root: Path

    @property
    def campaign(self) -> Path:
        """Folder of the campaign, with all files that the moderator has."""
        return self.root / "campaign"

    @property
    def keys(self) -> Path:
        """Folder with the keys of all players and of the moderator."""
        return self.root / "keys"

    @property
    def pictures(self) -> Path:
        """Folder with the map after every turn."""
        return self.root / "pictures"

    @property
    def site(self) -> Path:
        """Folder of the campaign's static web site."""
        return self.root / "site"

    @property
    def account(self) -> Path:
        """File with the account of the game that everybody may read."""
        return self.root / "account.txt"

    @property
    def position(self) -> Path:
        """File with the last position, including all secrets."""
        return self.root / "position.yaml"

    @property
    def read_me(self) -> Path:
        """File that explains the other files of the demonstration."""
        return self.root / "READ-ME.txt"

    def key(self, who: str) -> Path:
        """Return the path of the private key of a player, or of the moderator."""
        return self.keys / who


@dataclass(frozen=True)
class DemoResult:
    """Result of a demonstration, from which the summary is made."""

    places: DemoPlaces
    rules: GameRules
    phase: str
    stage: str
    turns: int
    winner: str
    ending: list[Block]
    letters: int
    """Number of letters that the players wrote."""
    battles: int
    battle: list[Block]
    """Account of the battle in which most cards were played; empty if there was no battle."""
    outbox: Path
    """Folder with the last reports."""
    owing: tuple[str, ...]
    """Players who owe orders."""
    now: datetime
    """Time at which the last round of letters ended."""
    board: Request
    """Picture of the last position."""
    verification: Verification = field(default_factory=Verification)


def demonstrate(places: DemoPlaces, wish: DemoWish, watch: Watch) -> DemoResult:
    """Play a campaign, and write all files of the demonstration. Raises `StorageFault` if the folder is not empty."""
    root = places.root
    try:
        root.mkdir(parents=True, exist_ok=True)
        if there := sorted(os.listdir(root)):
            raise StorageFault(wrong("E-FOLDER-TAKEN.demonstration", path=short_path(root), name=there[0]))
        places.keys.mkdir(mode=0o700)
        places.pictures.mkdir()
    except OSError as error:
        raise fault_of(error, root, "make") from None
    shown = result_of_step(play_campaign, (places, wish), watch)
    shown = result_of_step(write_last_reports, shown, watch)
    shown = result_of_step(verify_and_make_site, (shown, wish), watch)
    watch("Drawing", shown.turns)
    board = places.pictures / "board.png"
    write_file(board, picture_file(board, shown.board))
    return shown


def play_campaign(known: tuple[DemoPlaces, DemoWish]) -> Iterator[StepProgress | StepResult[DemoResult]]:
    """Write the keys, play the campaign, and write the account of the game and its last position."""
    places, wish = known
    plan = plan_of(wish)
    seats = plan.settings.seats
    moderator = new_key(f"{MODERATOR}, for demonstration only")
    bot_players = bot_players_of(seats, policy_of(wish.bots, str(plan.settings.terms["game"])), wish.seed)
    for seat, bot_player in bot_players.items():
        bot_player.name, bot_player.language = seats[seat].name, wish.language
        bot_player.key = new_key(f"{seat}, for demonstration only")
        keep_key(places, seat, bot_player.key)
    keep_key(places, MODERATOR, moderator)
    days = min(LONGEST, DAYS_OF_A_TURN * wish.turns) if wish.turns else LONGEST
    disk, began = QuickDisk(), wish.now - timedelta(days=days)
    begin(places.campaign, plan, secret_of(wish.seed), moderator, began, disk)
    with opened_by_moderator(places.campaign, moderator, "pbem demo", began, disk) as campaign:
        chronicle = begin_play(campaign, bot_players, places, wish)
        yield from play(campaign, bot_players, chronicle, wish)
        end(campaign)
        campaign.save()
    table = table_of(campaign)
    write_file(places.account, chronicle.account().encode())
    write_file(places.position, write_position(table).encode())
    battles = sorted(chronicle.battles(), key=size)
    yield StepResult(
        DemoResult(
            places=places,
            rules=chronicle.rules,
            phase=campaign.public.phase,
            stage=campaign.state.stage,
            turns=chronicle.turns,
            winner=(table.state.result and table.state.result.winner) or "",
            ending=chronicle.ending(),
            letters=sum(bot_player.seq for bot_player in bot_players.values()),
            battles=len(battles),
            battle=chronicle.blocks(battles[-1]) if battles else [],
            outbox=max(campaign.folder.outbox.iterdir()),
            owing=tuple(campaign.public.next.owing) if campaign.public.next else (),
            now=campaign.now,
            board=chronicle.picture(table),
        )
    )


def write_last_reports(shown: DemoResult) -> Iterator[StepProgress | StepResult[DemoResult]]:
    """Write the last reports of the campaign, with pictures."""
    places = shown.places
    yield StepProgress("Writing reports", shown.turns)
    moderator = load_private(places.key(MODERATOR).read_bytes(), None)
    with opened_by_moderator(places.campaign, moderator, "pbem demo", shown.now, QuickDisk()) as campaign:
        post(campaign, with_pictures=True)
        campaign.save()
    yield StepResult(replace(shown, outbox=max(campaign.folder.outbox.iterdir())))


def verify_and_make_site(known: tuple[DemoResult, DemoWish]) -> Iterator[StepProgress | StepResult[DemoResult]]:
    """Verify the campaign, and write its static web site."""
    shown, wish = known
    places = shown.places
    yield StepProgress("Verifying", shown.turns)
    seen = verify_for_site(places.campaign)
    yield StepProgress("Writing the site", shown.turns)
    write_site(places.site, site_of(places.campaign, wish.now, wish.language, seen=seen).files)
    yield StepResult(replace(shown, verification=seen.verification))


def plan_of(wish: DemoWish) -> NewCampaign:
    """Return the plan of a typical campaign: orders are sealed, every player has an address to which reports go, and no
    mail is delayed."""
    options: dict[str, object] = {
        **wish.terms,
        "campaign": "demo",
        "moderator": {"name": "Max", "address": "max@example.org"},
        "clock": {"delay": "0m"},
    }
    draft = read_plan(b"", OPTIONS, Path(), options)
    seats = complete_plan(draft, OPTIONS, __version__).settings.seats
    people = zip(seats, PEOPLE, strict=False)
    options["seats"] = {
        seat: {"name": name, "address": f"{name.lower()}@example.org", "language": wish.language}
        for seat, name in people
    }
    return complete_plan(read_plan(b"", OPTIONS, Path(), options), OPTIONS, __version__)


def keep_key(places: DemoPlaces, who: str, key: PrivateKey) -> None:
    """Write a key to a file that only its owner can read. The key has no passphrase."""
    write_pair(places.key(who), save_private(key, None), key.public)


def table_of(campaign: Campaign) -> Table:
    """Return the table of a campaign's game in its present position. The game must have begun."""
    assert campaign.state.table is not None
    return campaign.state.table


def begin_play(
    campaign: Campaign, bot_players: Mapping[str, BotPlayer], places: DemoPlaces, wish: DemoWish
) -> Chronicle:
    """Send the invitations, let the players join, and write the first reports. Return the chronicle of the game."""
    write_invitations(campaign)
    take_seats(campaign, bot_players)
    first = adjudicating.adjudicate(campaign)
    assert isinstance(first, adjudicating.Adjudication)
    chronicle = Chronicle(table_of(campaign), places.pictures, campaign.folder.rules, wish.language)
    chronicle.take(table_of(campaign), first.outcome.events)
    post(campaign)
    return chronicle


def play(
    campaign: Campaign, bot_players: Mapping[str, BotPlayer], chronicle: Chronicle, wish: DemoWish
) -> Iterator[StepProgress]:
    """Play to the end of the game, or to the last turn that is wanted. Yield the progress before each round of letters.
    Reports are written after each turn, and in the first turn after each stage."""
    while goes_on(campaign, chronicle, wish):
        stage = campaign.state.stage
        yield StepProgress(f"Turn {stage.replace('/', ', ')}", chronicle.turns)
        pause = timedelta(seconds=(wish.now - campaign.now).total_seconds() // PART)
        done = play_round(campaign, bot_players, min(PAUSE, pause))
        campaign.state.news.clear()
        is_turn_over = chronicle.take(table_of(campaign), done.outcome.events)
        in_first_turn = not chronicle.turns and campaign.state.stage != stage
        if (is_turn_over or in_first_turn) and goes_on(campaign, chronicle, wish):
            post(campaign)


def goes_on(campaign: Campaign, chronicle: Chronicle, wish: DemoWish) -> bool:
    """True if the game is not over, and fewer turns than wanted have been played."""
    return campaign.public.phase == "running" and (wish.turns is None or chronicle.turns < wish.turns)


def post(campaign: Campaign, with_pictures: bool = False) -> None:
    """Write the reports for all players, and note in the campaign that the present state is reported."""
    write_reports(campaign, with_pictures)
    campaign.vault.posted = campaign.state.snapshot()


def end(campaign: Campaign) -> None:
    if campaign.public.phase == "over":
        judging_again.close(campaign)
