"""A demonstration: bot players play a campaign by letters, each long step in a process of its own."""

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
from pbem.campaign.campaign import Campaign, NewCampaign, begin, opened_by_moderator
from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating
from pbem.campaign.proof import judging_again
from pbem.campaign.proof.judging_again import Verification
from pbem.engine.table import GameRules, StageName, Table
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
"""Is told what is being done, and how many turns are over."""


@dataclass(frozen=True)
class Doing:
    """Progress of a step: its name, and the number of turns that are over."""

    what: str
    over: int


@dataclass(frozen=True)
class Done(Generic[MadeT]):
    """Result of a step."""

    made: MadeT


Step = Callable[[KnownT], Iterator[Doing | Done[MadeT]]]
"""A step, which tells what it is doing and at last what it has come to; it stands in a module."""


def result_of_step(step: Step[KnownT, MadeT], known: KnownT, watch: Watch) -> MadeT:
    """Result of a step in a process of its own; raises the step's errors, and `WorkFault` if the process was killed."""
    told = Processes(1).results(begin_step, (step, known), repeat(None))
    for each in told:
        if isinstance(each, Done):
            return each.made
        if each:
            watch(each.what, each.over)
    raise AssertionError("a step tells what it has come to")


def begin_step(what: tuple[Step[KnownT, MadeT], KnownT]) -> Callable[[None], Doing | Done[MadeT] | None]:
    """Start a step, and return a function that goes on to the next thing the step tells; it gives nothing after the
    end."""
    step, known = what
    going = step(known)
    return lambda _: next(going, None)


MODERATOR = "moderator"
PEOPLE = ("Anna", "Fritz", "Lou", "Elsa")
"""Names of the players."""

PAUSE = timedelta(hours=3)
"""Time for a round of letters, if nothing is left out."""

PART = 8
"""No round takes more than this part of the time that is left until now."""

LONGEST = 60
DAYS_OF_A_TURN = 1
"""Days that a turn takes: the game begins so long ago that it ends about now, and can still be answered in time."""


@dataclass(frozen=True)
class DemoWish:
    """Options of a demonstration: game, seed, length, and its time."""

    terms: dict[str, str]
    seed: str
    turns: int | None
    """After how many turns to stop; nothing means at the end of the game."""
    language: str
    now: datetime
    bots: Mapping[str, str]
    """The bot of every seat."""


@dataclass(frozen=True)
class DemoPlaces:
    """Paths of a demonstration below one folder."""

    root: Path

    @property
    def campaign(self) -> Path:
        """The campaign's folder, its moderator's."""
        return self.root / "campaign"

    @property
    def keys(self) -> Path:
        """The keys of everybody."""
        return self.root / "keys"

    @property
    def pictures(self) -> Path:
        """The map after every turn."""
        return self.root / "pictures"

    @property
    def site(self) -> Path:
        """The campaign for readers without the program."""
        return self.root / "site"

    @property
    def account(self) -> Path:
        """Account of the game for everybody."""
        return self.root / "account.txt"

    @property
    def position(self) -> Path:
        """The last position, with all that is secret."""
        return self.root / "position.yaml"

    @property
    def read_me(self) -> Path:
        """List of the files."""
        return self.root / "READ-ME.txt"

    def key(self, who: str) -> Path:
        """The key of a player, or of the moderator."""
        return self.keys / who


@dataclass(frozen=True)
class DemoResult:
    """Result of a demonstration, for the summary."""

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
    """The one with most cards, told."""
    outbox: Path
    """The last reports."""
    owing: tuple[str, ...]
    """The players whose orders are waited for."""
    now: datetime
    """Time at which the last round of letters was over."""
    board: Request
    """The last picture."""
    verification: Verification = field(default_factory=Verification)


def demonstrate(places: DemoPlaces, wish: DemoWish, watch: Watch) -> DemoResult:
    """Play a campaign and write everything; raises `StorageFault` for a folder with anything in it."""
    make_room(places)
    shown = result_of_step(play_campaign, (places, wish), watch)
    shown = result_of_step(write_last_reports, shown, watch)
    shown = result_of_step(verify_and_make_site, (shown, wish), watch)
    watch("Drawing", shown.turns)
    board = places.pictures / "board.png"
    write_file(board, picture_file(board, shown.board))
    return shown


def play_campaign(known: tuple[DemoPlaces, DemoWish]) -> Iterator[Doing | Done[DemoResult]]:
    """Play the campaign to the end of the game or of the last turn that is wished for, and write what happened."""
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
    disk, began = QuickDisk(), wish.now - timedelta(days=days_of(wish))
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
    yield Done(
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


def write_last_reports(shown: DemoResult) -> Iterator[Doing | Done[DemoResult]]:
    """Write the last reports of a campaign that was played, with pictures, as its moderator would by a command."""
    places = shown.places
    yield Doing("Writing reports", shown.turns)
    moderator = load_private(places.key(MODERATOR).read_bytes(), None)
    with opened_by_moderator(places.campaign, moderator, "pbem demo", shown.now, QuickDisk()) as campaign:
        post(campaign, pictures=True)
        campaign.save()
    yield Done(replace(shown, outbox=max(campaign.folder.outbox.iterdir())))


def verify_and_make_site(known: tuple[DemoResult, DemoWish]) -> Iterator[Doing | Done[DemoResult]]:
    """Verify the campaign, and write its site."""
    shown, wish = known
    places = shown.places
    yield Doing("Verifying", shown.turns)
    seen = verify_for_site(places.campaign)
    yield Doing("Writing the site", shown.turns)
    write_site(places.site, site_of(places.campaign, wish.now, wish.language, seen=seen).files)
    yield Done(replace(shown, verification=seen.verification))


def make_room(places: DemoPlaces) -> None:
    """Make the demonstration's folder, which must be new or empty, with its folders of pictures and of keys, which
    nobody else may read; raises `StorageFault`."""
    root = places.root
    try:
        root.mkdir(parents=True, exist_ok=True)
        if there := sorted(os.listdir(root)):
            raise StorageFault(wrong("E-FOLDER-TAKEN.demonstration", path=short_path(root), name=there[0]))
        places.keys.mkdir(mode=0o700)
        places.pictures.mkdir()
    except OSError as error:
        raise fault_of(error, root, "make") from None


def plan_of(wish: DemoWish) -> NewCampaign:
    """A campaign like many: sealed orders, a report to everybody's address, nobody in a hurry."""
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
    """Write a key, unprotected but for the mode of its file: it is good for nothing but this campaign."""
    write_pair(places.key(who), save_private(key, None), key.public)


def table_of(campaign: Campaign) -> Table:
    """The table of the game, which has begun."""
    assert campaign.state.table is not None
    return campaign.state.table


def days_of(wish: DemoWish) -> int:
    """Number of days since the campaign began."""
    return min(LONGEST, DAYS_OF_A_TURN * wish.turns) if wish.turns else LONGEST


def begin_play(
    campaign: Campaign, bot_players: Mapping[str, BotPlayer], places: DemoPlaces, wish: DemoWish
) -> Chronicle:
    """Begin with the invitations, and play to the first reports."""
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
) -> Iterator[Doing]:
    """Play to the end of the game or of the last turn that is wished for."""
    while goes_on(campaign, chronicle, wish):
        stage = campaign.state.stage
        yield Doing(stage_words(stage), chronicle.turns)
        done = play_round(campaign, bot_players, pause(wish.now - campaign.now))
        campaign.state.news.clear()
        is_turn_over = chronicle.take(table_of(campaign), done.outcome.events)
        in_first_turn = not chronicle.turns and campaign.state.stage != stage
        if (is_turn_over or in_first_turn) and goes_on(campaign, chronicle, wish):
            post(campaign)


def pause(left: timedelta) -> timedelta:
    """Time for the next round of letters, in whole seconds, if so much time is left."""
    return min(PAUSE, timedelta(seconds=left.total_seconds() // PART))


def stage_words(stage: str) -> str:
    """A stage as letters name it, for people."""
    found = StageName.read(stage)
    assert found
    return f"Turn {found.turn}, {found.stage}"


def goes_on(campaign: Campaign, chronicle: Chronicle, wish: DemoWish) -> bool:
    """Return whether there is more to play and to show."""
    return campaign.public.phase == "running" and (wish.turns is None or chronicle.turns < wish.turns)


def post(campaign: Campaign, pictures: bool = False) -> None:
    """Write everybody's report, as the moderator would after every adjudication.

    Here that is done after every stage of the first turn, and then after every turn; pictures stand in the last alone.
    """
    write_reports(campaign, pictures)
    campaign.vault.posted = campaign.state.snapshot()


def end(campaign: Campaign) -> None:
    """Close the campaign if its game is over."""
    if campaign.public.phase == "over":
        judging_again.close(campaign)
