"""Every example file is used: positions load, orders do what their comments say, campaigns verify, commands run."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from pbem.engine.events import BattleWon, Conquered, Event, GeneralRemoved, SupplyLost
from pbem.games.maria.rules.events import PoliticsSelected
from pbem.paper import lexicon
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letters import letter_id, read_letter
from pbem.paper.orders import trial
from pbem.paper.orders.files import load_orders
from pbem.paper.positions.files import load_position
from pbem.post.extract import extract
from tests import forum_thread
from tests.cli.correspondence import NAME, Correspondence, working_in

EXAMPLES = Path(__file__).parents[1] / "examples"
TRIALS = {
    "neipperg.yaml": ["neipperg-orders.yaml", "neipperg-retreat.yaml"],
    "first-march.yaml": ["first-march-orders.yaml"],
}
REFUSED = {("first-march.yaml", "mistakes.yaml"): ["E-MARCH-LENGTH", "E-MARCH-POWER"]}
CAMPAIGNS = {"vienna-1741": "closed", "potsdam-1756": "running", "forum/silesia-forum": "closed"}
PAGES = ("thread-1.txt", "thread-2.md")
PUZZLES = EXAMPLES / "puzzles"
MOST_BYTES = 6 * 1024 * 1024


class Tried:
    """Result of order files, by the names that people use."""

    def __init__(self, folder: Path, position: str, orders: Iterable[str]) -> None:
        """Carry them out; nothing may be wrong with any of them."""
        self.table: Any = load_position((folder / position).read_bytes(), position)
        self.events: list[Event] = trial.begin(self.table)
        for name in orders:
            result = trial.run(self.table, load_orders((folder / name).read_bytes(), name, self.table.rules))
            assert result.faults == [], [fault.message_line(name) for fault in result.faults]
            assert result.events
            self.table, self.events = result.table, self.events + result.events

    def name(self, piece: int) -> str:
        """Name of a piece."""
        return str(self.table.rules.common.pieces[piece].name)

    def city(self, city: int) -> str:
        """Name of a city."""
        return str(self.table.rules.common.board.cities[city].name)

    def all(self, kind: type[Event]) -> list[Any]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def removed(self) -> set[str]:
        """Pieces that have left the map."""
        return {self.name(event.piece) for event in self.all(GeneralRemoved)}

    def hungry(self) -> set[str]:
        """Generals that have lost supply."""
        return {self.name(event.piece) for event in self.all(SupplyLost)}

    def conquests(self, power: str) -> set[str]:
        """Cities that a power has conquered."""
        return {self.city(event.city) for event in self.all(Conquered) if event.by == power}

    def selections(self) -> dict[int, tuple[str, bool]]:
        """The political cards that were selected: by whom, and whether their instruction was carried out."""
        return {event.political: (event.power, event.instruction) for event in self.all(PoliticsSelected)}

    def holds(self, power: str, card: str) -> bool:
        """True if a power has kept a card."""
        hand = self.table.state.cards.hands[power]
        return any(lexicon.card_text(held) == card for held in hand)

    def victories(self, power: str) -> int:
        """Number of battles that a power has won."""
        return sum(event.winner == power for event in self.all(BattleWon))


GOALS: Mapping[str, Callable[[Tried], bool]] = {
    "neipperg-cut-off": lambda tried: tried.hungry() == {"Neipperg"} and not tried.all(BattleWon),
    "habelschwerdt": lambda tried: tried.removed() == {"Schwerin", "Erbprinz Leopold"},
    "hussars": lambda tried: bool(tried.hungry() & {"Friedrich der Große", "Schwerin"}),
    "naples": lambda tried: (
        tried.selections() == {3: ("austria", False), 5: ("pragmatic", True)}
        and tried.holds("austria", "♠10")
        and tried.holds("pragmatic", "♠9")
    ),
    "nine-of-spades": lambda tried: tried.victories("austria") == 1,
    "schweidnitz": lambda tried: tried.conquests("austria") == {"Schweidnitz"},
    "prag": lambda tried: tried.victories("prussia") == 2 and "Karl" in tried.removed(),
    "dohna": lambda tried: not tried.conquests("russia"),
}
"""Solutions of the puzzles, as their heads ask for."""

PLANNED = "rearguard"
"""The puzzle that a plan solves: it is to lose one troop and one card, and no general."""


@pytest.mark.parametrize("position", TRIALS)
def test_trials_run(position: str) -> None:
    assert Tried(EXAMPLES, position, TRIALS[position]).events


@pytest.mark.parametrize(("position", "orders"), REFUSED)
def test_mistakes_are_refused(position: str, orders: str) -> None:
    table = load_position((EXAMPLES / position).read_bytes(), position)
    trial.begin(table)
    result = trial.run(table, load_orders((EXAMPLES / orders).read_bytes(), orders, table.rules))
    assert [fault.code for fault in result.faults] == REFUSED[position, orders]


@pytest.mark.parametrize("puzzle", GOALS)
def test_puzzles_are_solved_by_their_solutions_and_not_by_what_tempts(puzzle: str) -> None:
    assert GOALS[puzzle](Tried(PUZZLES, f"{puzzle}.yaml", [f"{puzzle}.solution.yaml"]))
    assert not GOALS[puzzle](Tried(PUZZLES, f"{puzzle}.yaml", [f"{puzzle}.tempting.yaml"]))


@pytest.mark.parametrize(("plan", "costs"), [("solution", ["CardPlayed", 1]), ("tempting", ["CardPlayed"] * 3 + [3])])
def test_the_plan_that_solves_a_puzzle_knows_when_to_stop(plan: str, costs: list[str | int]) -> None:
    words = ["plan", "try", f"{PUZZLES}/{PLANNED}.{plan}.yaml", "--position", f"{PUZZLES}/{PLANNED}.yaml", "--json"]
    events = json.loads(CliRunner().invoke(main, words, catch_exceptions=False).stdout)["events"]
    played = [event["type"] for event in events if event["type"] == "CardPlayed"]
    assert [*played, *(event["troops"] for event in events if event["type"] == "BattleWon")] == costs
    assert any(event["type"] == "GeneralRemoved" for event in events) == (plan == "tempting")


@pytest.mark.parametrize("puzzle", [*GOALS, PLANNED])
def test_puzzles_ask_a_question_and_do_not_answer_it(puzzle: str) -> None:
    question = re.match(r"(#.*\n)+", (PUZZLES / f"{puzzle}.yaml").read_text("utf-8"))
    assert question
    assert f"{puzzle}.solution.yaml" in question.group()
    assert f"{puzzle}.tempting.yaml" in question.group()


def test_no_example_is_left_out() -> None:
    used = set(TRIALS) | {name for names in TRIALS.values() for name in names} | {name for _, name in REFUSED}
    assert {path.name for path in EXAMPLES.glob("*.yaml")} == used
    parts = {f"{puzzle}{part}.yaml" for puzzle in [*GOALS, PLANNED] for part in ("", ".solution", ".tempting")}
    assert {path.name for path in PUZZLES.iterdir()} == parts
    folders = {name.split("/")[0] for name in CAMPAIGNS} | {"puzzles", "mid-war", "office", "research"}
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == folders


@cache
def files() -> dict[Path, bytes]:
    """Everything in the folder."""
    return {path.relative_to(EXAMPLES): path.read_bytes() for path in EXAMPLES.rglob("*") if path.is_file()}


def test_examples_are_small_and_tell_nothing_of_whoever_made_them() -> None:
    assert sum(map(len, files().values())) <= MOST_BYTES
    for path, data in files().items():
        assert not {"outbox", "letters", "raw"} & set(path.parts), path
        assert path.name not in ("secret.age", ".lock")
        assert b"PRIVATE KEY" not in data, path
        assert all(host.endswith(b"example.org") for host in re.findall(rb"[\w.]@([\w.-]+)", data)), path
        assert not re.search(rb"(?<![\w.:/+-])/(home|tmp|work|root|usr|Users)/", data), path


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_campaigns_verify(campaign: str) -> None:
    found = verify(EXAMPLES / campaign)
    assert found.is_good, found.findings
    assert found.figures.entries == len(list((EXAMPLES / campaign / "ledger").iterdir()))
    assert bare(read_yaml((EXAMPLES / campaign / "state.yaml").read_bytes(), "state"))["phase"] == CAMPAIGNS[campaign]


def test_a_changed_word_is_noticed(tmp_path: Path) -> None:
    copy = tmp_path / "campaign"
    for path, data in files().items():
        if path.is_relative_to("potsdam-1756"):
            target = copy / path.relative_to("potsdam-1756")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.replace(b"name: Fritz", b"name: Franz"))
    assert not verify(copy).is_good


def test_what_happens_among_people_stands_in_the_ledger_of_vienna() -> None:
    kinds = {path.stem.partition("-")[2] for path in (EXAMPLES / "vienna-1741/ledger").iterdir()}
    wanted = {"agreement", "ruling", "reminder", "absence", "rollback", "substitute", "close"}
    assert wanted <= kinds
    ledger = b"".join(data for path, data in files().items() if path.is_relative_to("vienna-1741/ledger"))
    for told in (b"kind: message", b"kind: plan", b"no orders by the deadline"):
        assert told in ledger


def archived(campaign: Path) -> set[str]:
    """The identities of the letters in a closed campaign: the opened ones, and those with which seats were taken."""
    opened = json.loads((campaign / "opened.json").read_bytes())
    texts = [held["text"] for held in opened["letters"].values()]
    for path in (campaign / "ledger").glob("*-join.yaml"):
        texts.append(bare(read_yaml(path.read_bytes(), path.name))["body"]["letter"])
    return {letter_id(read_letter(text.encode(), "letter")) for text in texts}


def posted(pages: Iterable[Path]) -> set[str]:
    """The identities of the letters that are found in pages; nothing may be wrong with any."""
    found: set[str] = set()
    for page in pages:
        extraction = extract(page.read_bytes(), page.name)
        assert extraction.faults == ()
        found |= {letter_id(read_letter(letter.text.encode(), page.name)) for letter in extraction.letters}
    return found


def test_every_letter_of_the_thread_is_in_the_archive_and_no_other() -> None:
    pages = [EXAMPLES / "forum" / page for page in PAGES]
    assert all(len(posted([page])) >= 10 for page in pages)
    assert posted(pages) == archived(EXAMPLES / "forum" / forum_thread.NAME)


def test_a_new_campaign_takes_its_letters_from_a_page(tmp_path: Path) -> None:
    club = forum_thread.Club(tmp_path)
    club.join()
    club.write()
    assert club.evening() == ["final"] * 3
    club.write()
    club.answer("Lou", "So soon?")
    accepted = club.evening()
    assert accepted
    assert set(accepted) == {"final"}
    written = [post.letter.encode() for post in club.posts if post.letter]
    assert posted([club.page]) == {letter_id(read_letter(letter, "post")) for letter in written}


def test_a_campaign_begins_in_mid_war(tmp_path: Path) -> None:
    table = Correspondence(tmp_path)
    position = EXAMPLES / "mid-war/position.yaml"
    table.begin("--position", str(position))
    table.join()
    assert table.json("status", NAME)["stage"] == "4/prussia"
    assert table.owing() == ["frederick"]
    table.moderate("act", "frederick", str(EXAMPLES / "mid-war/prussia.yaml"), "--why", "Fritz has telephoned")
    table.moderate("adjudicate", "--force")
    told = table.run("log", NAME, "--events").output
    assert "Battle of Czaslau" in told
    assert table.json("verify", NAME)["good"]


def commands() -> list[str]:
    """The commands that the page of the examples, and those beside the campaigns, ask to be tried."""
    pages = [EXAMPLES / "README.md", *sorted(EXAMPLES.glob("*/README.md"))]
    blocks = [block for page in pages for block in re.findall(r"(?ms)^```console\n(.*?)^```", page.read_text("utf-8"))]
    return list(
        dict.fromkeys(line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ pbem "))
    )


@pytest.mark.parametrize("command", commands())
def test_every_command_of_the_pages_runs(command: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES, target_is_directory=True)
    Correspondence(tmp_path, ())
    words = shlex.split(command)[1:]
    with working_in(tmp_path):
        if "battle.yaml" in words and words[0] != "try":
            saving = next(other for other in commands() if other.endswith("--save battle.yaml"))
            CliRunner().invoke(main, shlex.split(saving)[1:], catch_exceptions=False)
        key = ["--key", "moderator/key"] if words[0] == "new" else []
        done = CliRunner().invoke(main, [*words, *key], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert done.stdout
