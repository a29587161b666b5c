"""Opened files as the page shows them: a table with account and board, or an offered seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.imagining import KnownFacts
from pbem.campaign.players.guidance import Guidance
from pbem.desk.advising import Adviser
from pbem.desk.asking import Asked, questions_at
from pbem.desk.board import DeskBoard, fortresses, seen_pieces
from pbem.desk.last_answer import table_after
from pbem.desk.moderators import Acquaintance
from pbem.desk.motions import Motions, motions_in, result_in, time_in_bank, told_move
from pbem.desk.outlook import Outlook, camps_of, counts_in, outlook
from pbem.desk.practice import Practice
from pbem.desk.steps import Course, Step, Walk, reported_course, told_before
from pbem.engine.events import Event, Marched, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import Table, stage_of
from pbem.faults.nouns import nouns
from pbem.faults.wrong import Wrong
from pbem.kit import game_of
from pbem.paper.orders.trial import Trial
from pbem.player.notebook import counted, facts_of, read_report
from pbem.player.tables import FoundTable
from pbem.report import blocks
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.blocks import blocks_data, parsed_blocks
from pbem.report.language.options import open_options
from pbem.report.language.templates import macros_of
from pbem.report.maps import foes_beside
from pbem.report.short_rules import short_rules, topics_meant
from pbem.report.telling import game_report, view_data
from pbem.site.archive import SiteWords, bare_text, capital


class BranchPlace(Struct, frozen=True):
    """Place in a branch from a report, and whether its reader can go back or forth."""

    label: str
    """Identity of the branch."""
    report: str
    """Identity of the report."""
    has_earlier: bool
    has_later: bool


class Sitting(Struct, frozen=True):
    """Description of an opened table, apart from the orders."""

    kind: str
    """`report`, `practice` (a game against bots) or `position`."""
    campaign: str
    seat: str
    name: str
    """Name of the seat."""
    powers: tuple[Power, ...]
    power_names: dict[Power, str]
    called: dict[str, str]
    """Names of pieces in the reader's language, keyed by the names in orders. Pieces with the same name in both are
    left out."""
    sections: dict[str, str]
    """Names of the sections of orders in the reader's language."""
    down_conquer: bool
    """True if generals who are out of supply conquer fortresses."""
    stage: str
    phase: str
    """Phase of the campaign; empty without a report."""
    result: str
    """Sentence on the end of the game; empty as long as the report tells none."""
    motions: Motions | None
    """Open proposals, and subjects that the reader may propose; None if nobody can propose anything at this table."""
    bank: str
    """Time that the reader has in the bank, in words; empty without a bank."""
    deadline: str
    """The moment until which orders are taken, in universal time; empty if there is none."""
    moved: str
    """Sentence on why the deadline was moved; empty if the report tells nothing of it."""
    owing: tuple[str, ...]
    """Names of the seats whose orders are awaited."""
    mine: bool
    """True if there is no report, or if the report awaits orders of the reader's seat."""
    steps: list[Step]
    """Steps of the account, as far as the opened file tells them."""
    over: bool
    """True for a game that is over."""
    won: bool | None
    """True if the reader has won, perhaps with others. None if nobody has won, or as long as the game goes on."""
    branch: BranchPlace | None
    """Branch on the desk; None for any other table."""
    address: str
    """Address of the moderator; empty if the report names none."""
    moderator: str
    """The fingerprint of the moderator's key; empty for an unsigned file."""
    met: Acquaintance | None
    """The moderator's key as the player has accepted it; None if it is unknown."""
    seat_key: str
    """Fingerprint of the key with which the reader's seat signs; empty if the report does not tell it."""
    signing: str
    """`on` if letters have to be signed, else `off`; empty without a report."""
    sealing: str
    """`moderator` if the moderator may open sealed parts, `reveal` if their player does; empty without a report."""
    locked: bool
    """True while the sealed orders of the stage are being revealed."""


class Offer(Struct, frozen=True):
    """Seat that an invitation offers."""

    label: str
    """Identity of the invitation. The browser stores the letter that takes the seat under it."""
    campaign: str
    seat: str
    name: str
    """Name of the seat."""
    open: bool
    """True if anybody may take the seat."""
    choice: bool
    """True if anybody may ask for the seat, and the moderator chooses."""
    lot: bool
    """True if a lot decides later who plays which seat."""
    host: str
    """Name of the moderator; empty if the invitation gives none."""
    address: str
    """Address to which the letter that takes the seat is sent; empty if the invitation names none."""
    moderator: str
    """The fingerprint of the moderator's key."""
    met: Acquaintance | None
    """The moderator's key as the player has accepted it; None for a new campaign."""


class Joining(Struct, frozen=True):
    letter: str
    warnings: tuple[Wrong, ...]


class LoadedDraft(Struct, frozen=True):
    """Result of opening a letter for the open table, such as orders, plans or an agreement. The text of the letter has
    become the draft on top."""


class SealedFile(Struct, frozen=True):
    """Result of opening a sealed file for which the desk has no key."""

    why: Wrong | None = None
    """Reason for which the loaded key does not open the file; None if no key is loaded."""


class OpenedTable:
    """Table that lies open for a reader, before any orders."""

    def __init__(
        self,
        found: FoundTable,
        seen: Guidance | None,
        practice: Practice | None,
        language: str,
        before: Walk | None = None,
    ) -> None:
        """Open the table of a report (`seen`), of a game against bots (`practice`), or of a position. `before` is an
        earlier table of the same game, whose steps are reused."""
        self.found = found
        self.seen = seen
        self.practice = practice
        self.language = language
        self.course: Course | None = None
        if practice:
            self.course = practice.course
        elif seen:
            self.course = reported_course(seen, found.table.rules, seen.kind)
        self.walk = self.new_walk(before)
        """Steps of the account; None if the opened file tells no events."""
        self.drawn: DeskBoard | None = None
        self.arrows_since: int | None = None
        """Index of the first event whose march the board shows as an arrow; None to show the marches since the reader's
        last orders."""
        self.advises: Adviser | None = None
        """The adviser; None until advice is asked for."""
        self.facts: KnownFacts | None = None
        """Facts that surely follow from the reports up to the opened report; None as long as they have not been
        computed."""

    def speak(self, language: str) -> None:
        self.language, self.drawn = language, None
        self.walk = self.new_walk(None)

    def count_from(self, earlier: Guidance) -> bool:
        """Show only events after an earlier report to the reader as new. Return whether the opened report repeats any
        event of the earlier report."""
        if not (self.seen and self.seen.course and self.course and earlier.course):
            return False
        told = told_before(self.seen.course.events, earlier.course.events)
        self.course = replace(self.course, told=told)
        self.walk = self.new_walk(self.walk)
        return told > 0

    def new_walk(self, before: Walk | None) -> Walk | None:
        """Return the steps of the account; None if no events are known. Steps of `before` are reused."""
        alliances = self.table.state.field.alliances
        return Walk(self.table.rules, self.course, self.language, before, alliances) if self.course else None

    @property
    def table(self) -> Table:
        return self.found.table

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers whose secrets the reader knows."""
        return tuple(self.table.rules.powers) if self.found.known_to is None else self.found.known_to

    @property
    def seat(self) -> str:
        """The reader's seat; empty for a position."""
        return self.seen.seat if self.seen else self.practice.seat if self.practice else ""

    @property
    def words(self) -> SiteWords:
        """Names of seats, powers and pieces in the reader's language."""
        return SiteWords(self.language, self.table.rules.terms.game)

    @property
    def news(self) -> Sequence[Event]:
        """Known events since the reader's last orders."""
        return self.walk.course.news if self.walk else ()

    @property
    def marches_shown(self) -> Sequence[Event]:
        """Events whose marches the board shows as arrows while the reader has ordered no march."""
        return self.news if self.arrows_since is None or not self.course else self.course.events[self.arrows_since :]

    def show_arrows_from(self, number: int) -> None:
        """Show as arrows all marches from the step with this index on."""
        self.arrows_since = self.walk.ends[number - 1] if self.walk and number else 0

    def stage_name(self, table: Table) -> str:
        """Return a table's turn and stage in the reader's language."""
        words = macros_of(self.language, table.rules.terms.game, "stages.txt.j2")
        return capital(bare_text(str(words.named(stage_of(table)))))

    def board(self) -> DeskBoard:
        """Return the board, laid out once for the opened position."""
        if self.drawn is None:
            self.drawn = DeskBoard(self.table, self.powers, self.language)
        return self.drawn

    def sitting(self, met: Mapping[str, Acquaintance]) -> Sitting:
        """Return the description of the table. `met` has the known moderators, keyed by campaign."""
        table, seen, words = self.table, self.seen, self.words
        powers = tuple(table.rules.powers)
        return Sitting(
            kind=seen.kind if seen else "practice" if self.practice else "position",
            campaign=seen.campaign if seen else "",
            seat=seen.seat if seen else "",
            name=words.player(seat) if (seat := self.seat) else "",
            powers=self.powers,
            power_names={power: words.power(power) for power in powers},
            called={
                each.name: named
                for each in table.rules.common.pieces
                if (named := capital(words.piece(each.name))) != each.name
            },
            sections=nouns(self.language)["sections"],
            down_conquer=table.rules.common.down_conquer,
            stage=self.stage_name(table),
            phase=seen.phase if seen else "",
            result=result_in(seen, table, words) if seen else "",
            motions=motions_in(seen, words) if seen else None,
            bank=time_in_bank(seen, words) if seen else "",
            deadline=seen.deadline if seen else "",
            moved=told_move(seen, words) if seen and seen.moved else "",
            owing=tuple(words.player(seat) for seat in seen.owing) if seen else (),
            mine=seen is None or seen.seat in seen.owing,
            steps=self.walk.steps if self.walk else [],
            over=self.is_over,
            won=self.practice.is_won if self.practice else None,
            branch=self.branch_place(),
            address=seen.address if seen else "",
            moderator=seen.moderator.fingerprint if seen else "",
            met=met.get(seen.campaign) if seen else None,
            seat_key=seen.key if seen else "",
            signing=seen.signing if seen else "",
            sealing=seen.sealing if seen else "",
            locked=bool(seen and seen.locked),
        )

    @property
    def is_over(self) -> bool:
        """True if the game of the table is over."""
        return self.practice.game.is_over if self.practice else bool(self.seen and self.seen.is_over)

    def branch_place(self) -> BranchPlace | None:
        """Return the place in the branch; None if the table is no branch."""
        branch = self.practice.branch if self.practice else None
        if branch is None or (world := branch.setup.world) is None:
            return None
        return BranchPlace(world.label, world.report, branch.has_earlier, bool(branch.ahead))

    def known_facts(self) -> KnownFacts | None:
        """Return the facts that surely follow from the reports up to the opened report. If earlier reports were not
        counted, use the opened report alone. Return None if no report is open."""
        if self.facts is None and self.seen:
            self.facts = facts_of(counted([read_report(self.seen, self.seen.kind)]))
        return self.facts

    def adviser(self) -> Adviser:
        """Return the reader's adviser. The same adviser, with his plan, stays as long as the table is open."""
        if self.advises is None:
            self.advises = Adviser(self.powers, self.course.events if self.course else (), self.found.memory)
        return self.advises

    def outlook(self) -> Outlook:
        """Return the reader's goal and the sides of the war."""
        return outlook(self.table, self.powers, self.board(), self.language)

    def step(self, number: int, is_before: bool = False) -> dict[str, object]:
        """Return the board and the cities of the step with the index `number`. The board is shown as it was after the
        step, or with `is_before` before it."""
        assert self.walk
        picture = self.walk.picture(number, self.board(), self.table, is_before)
        return {"picture": picture, "cities": self.walk.cities(number)}

    def rule(self, section: str) -> list[dict[str, object]]:
        """Return the short rules of a §, as blocks; empty if there are none."""
        rules = short_rules(self.table.rules.terms.game, self.language)
        found = topics_meant(rules, section) if rules else {}
        return blocks_data(parsed_blocks("\n".join(f"- {each}" for topic in found.values() for each in topic.says)))

    def account(self, events: Sequence[Event]) -> list[dict[str, object]]:
        return blocks_data(account_blocks(chapters(Voice(self.table.rules, self.language, own=self.powers), events)))

    def position_after(self, trial: Trial, asked: Trial | None = None) -> dict[str, object]:
        """Return the position after a trial, as data for the page. The trial may have left a stage for which the page
        still asks for marches. Then `asked` is the trial in which that stage goes on."""
        table = table_after(trial)
        view, seen = game_of(table).view(table, self.powers), self.seen_events(trial)
        has_marched = any(isinstance(event, Marched) for event in seen)
        return {
            "stage": self.stage_name(table),
            "marching": self.stage_name(asked.table) if asked else "",
            "over": self.board().over(table, seen if has_marched else [*self.marches_shown, *seen]),
            "is_news": not has_marched,
            "pieces": msgspec.to_builtins(seen_pieces(table, self.powers)),
            "went": self.marches(trial),
            "fortresses": fortresses(table),
            "hussars": blocks.cities(table.rules.common, game_report(table.rules.terms.game).hussars(view)),
            "hands": self.hands(table),
            "counts": counts_in(camps_of(table, self.powers, self.board(), self.language)),
        }

    def hands(self, table: Table) -> dict[str, object]:
        """Return the cards that the reader knows, and the size of every hand."""
        data = view_data(table.rules, game_of(table).view(table, self.powers))
        return {"hands": data["hands"], "sizes": data["hand_sizes"]}

    def marches(self, trial: Trial) -> list[dict[str, object]]:
        """Return each march of a trial: power, pieces, cities, and cities of enemies next to its end."""
        rules = self.table.rules.common
        return [
            {
                "power": rules.pieces[event.pieces[0]].power,
                "pieces": blocks.pieces(rules, event.pieces),
                "from": blocks.city(rules, event.start),
                "path": blocks.cities(rules, event.path),
                "foes": blocks.cities(rules, foes_beside(trial.table, event.pieces[0], event.path[-1])),
            }
            for event in trial.events
            if isinstance(event, Marched)
        ]

    def seen_events(self, trial: Trial) -> list[Event]:
        """Return the events of a trial that the reader sees."""
        return list(all_seen_by(trial.events, self.powers))

    def questions(self, trial: Trial) -> list[Asked]:
        """Return the open questions after a trial; none if the trial has left the report's stage."""
        if self.seen and stage_of(trial.table) != stage_of(self.table):
            return []
        events = (*(self.course.events if self.course else ()), *self.seen_events(trial))
        return questions_at(trial.table, self.powers, self.found.memory, self.language, events)

    def reach(self, trial: Trial, names: Sequence[str]) -> list[dict[str, object]]:
        """Return the cities that pieces of any power can reach after a trial; raises `Refused` for unknown names."""
        return open_options(trial.table, self.powers, names, self.found.memory)
