"""Desk of a player, without the page: opens files, writes answers into a letter, and signs.

The text of the letter is the only record of the orders; all that the page shows is computed from the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.letters import Invitation, join_letter
from pbem.campaign.settings import Newcomer
from pbem.desk.alerts import alerts
from pbem.desk.asking import Asked, stand_offs, stop_of, told_defeat
from pbem.desk.draft import LETTER, Draft, refusals_of_writing
from pbem.desk.drafts import PLANS, Drafts
from pbem.desk.faults_on_page import fault_on_page
from pbem.desk.going import Going, march_line, orders_with_way, orders_without
from pbem.desk.judging import Judge, Judgement, refusals
from pbem.desk.last_answer import table_after
from pbem.desk.lessons import Lesson
from pbem.desk.moderators import Moderators
from pbem.desk.motions import votes_written
from pbem.desk.opened import Joining, OpenedTable, Sitting
from pbem.desk.planning import PlanSheet, plan_sheet
from pbem.desk.practice import Practice
from pbem.desk.trains import train_returns
from pbem.desk.unfallen import unfallen
from pbem.engine.events import Event, SupplyTraced
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import told_kind
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.orders.forms import ending_value, only_value
from pbem.paper.orders.moves import MOVE
from pbem.player.files import GivenFile
from pbem.player.letters import plan_head
from pbem.player.tables import FoundTable, table_in
from pbem.player.writing import mask_warning
from pbem.report.blocks import blocks_data, parsed_blocks
from pbem.report.letters.sheet import preset_text
from pbem.report.retreats import told_retreat
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import PrivateKey, PublicKey, load_private, new_key, save_private


class Desk:
    """Desk of one player: opened table, drafts of letters, key, and known moderators."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.laid: OpenedTable | None = None
        self.given = self.report = b""
        """Contents of two files, unsealed: the report or invitation that was opened last, and the report on the
        desk."""
        self.lesson: Lesson | None = None
        """The lesson on the desk; None for any other game."""
        self.key: PrivateKey | None = None
        """The private key with which letters are signed."""
        self.invited: Guidance | None = None
        self.came_sealed = False
        """True if the letter that was opened last came in a box sealed to the player's key."""
        self.moderators = Moderators()
        self.drafts = Drafts(Draft(None, ""), None)
        self.last_judge: Judge | None = None

    def open_position(self, data: bytes, name: str = "position") -> Sitting:
        """Open a position file. The reader may order all powers. Raises `Refused` for a faulty file."""
        opened = OpenedTable(table_in(GivenFile(name, data)), None, None, self.language)
        return self.lay_out(opened, Draft.of_orders())

    def lay_out_practice(self, practice: Practice) -> Sitting:
        """Lay a game against bots on the desk. If the same game lies there already, its lesson and the steps that the
        page already has stay."""
        game, before = practice.game, self.laid if self.laid and self.laid.practice is practice else None
        found = FoundTable(game.table, game.powers, memory=game.memory)
        walk, lesson = (before.walk, self.lesson) if before else (None, None)
        sitting = self.lay_out(OpenedTable(found, None, practice, self.language, walk), Draft.of_orders())
        self.lesson = lesson
        return sitting

    def lay_out(self, opened: OpenedTable, draft: Draft) -> Sitting:
        """Lay an opened table on the desk, in place of all drafts and of a lesson."""
        self.laid, self.lesson = opened, None
        self.drafts = Drafts(draft, opened.seen)
        return self.sitting()

    def sitting(self) -> Sitting:
        return self.opened.sitting(self.moderators.met)

    def speak(self, language: str) -> None:
        self.language = language
        if self.laid:
            self.laid.speak(language)

    @property
    def opened(self) -> OpenedTable:
        assert self.laid, "nothing lies on the desk"
        return self.laid

    @property
    def table(self) -> Table:
        """The opened table, before any orders."""
        return self.opened.table

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers whose secrets the reader knows."""
        return self.opened.powers

    @property
    def draft(self) -> Draft:
        return self.drafts.top

    @draft.setter
    def draft(self, draft: Draft) -> None:
        self.drafts.top = draft

    def other_state(self) -> dict[str, object]:
        """Return the name, account, board and faults of the draft of orders that is not on top."""
        self.drafts.switch()
        try:
            state = self.state()
            told = blocks_data(self.judge.account(self.draft))
            return {"told": told, **{key: state[key] for key in ("draft", "over", "faults")}}
        finally:
            self.drafts.switch()

    def take_preset(self, preset: str) -> None:
        """Replace the draft by the plans of a preset, written for all powers of the reader."""
        seen, rules, head = self.opened.seen, self.table.rules, None
        if seen:
            head = plan_head(seen.campaign, seen.seat, seen.stage, seen.basis, self.draft.letter().seq)
        self.draft.become(preset_text(rules, preset, self.powers, self.language, head))

    def plans(self) -> PlanSheet | None:
        """Return the form for the plans on top; None if the draft on top has none or cannot be read."""
        if self.drafts.chosen != PLANS:
            return None
        try:
            return plan_sheet(self.table.rules, self.draft, self.powers, self.language)
        except Refused:
            return None

    def warm(self) -> None:
        """Fill the caches for the first orders: try a march, judge it, and restore the draft."""
        before = self.draft.copy()
        self.opened.board().sheet()
        self.state()
        for asked in self.asked(self.judgement()):
            columns: AnyTree = asked.data.get("marches") or ()
            if column := next((each for each in columns if each["can_march"]), None):
                told: AnyTree = self.opened.reach(self.judgement().trial, column["pieces"])
                end = told[0]["marches"][0]["to"][0]["city"]
                self.put(asked.power, {asked.form.section: [{" + ".join(column["pieces"]): end}]})
                self.state()
                break
        self.draft = before

    def put(self, power: Power, sections: Mapping[str, Tree]) -> None:
        """Write an answer into the orders. Raises `Refused`, and changes nothing, if the section has an answer already,
        or if the answer adds a fault."""
        trial = self.draft.copy()
        trial.put(self.table, {power: dict(sections)})
        self.keep(trial)

    def keep(self, trial: Draft) -> None:
        """Replace the draft on top by its changed copy `trial`, in which refused lines stand behind those that make
        them legal. Raises `Refused`, and changes nothing, if the copy has a fault of a kind that the draft did not
        have."""
        trial = self.judge.resequenced(trial)
        if refused := refusals(self.judge.judge(trial)):
            before = Counter(fault.code for fault in refusals(self.judgement()))
            if added := [fault for fault in refused if not before[fault.code]]:
                raise Refused(LETTER, added)
        self.draft = trial

    def mended(self, tried: Judgement) -> Draft | None:
        """Return a copy of the draft without the first refused order. Return None if no order is refused, or if the
        copy is refused for the same reason."""
        refused = next(iter(refusals(tried)), None)
        if not isinstance(refused, Fault) or not self.drafts.takes_orders:
            return None
        trial = self.draft.copy()
        try:
            trial.take_away(refused.line)
        except Refused:
            return None
        left = {(fault.code, fault.message) for fault in refusals(self.judge.judge(trial))}
        return trial if (refused.code, refused.message) not in left else None

    def mend(self) -> None:
        """Remove the first refused order, unless the draft would then still be refused for the same reason."""
        self.draft = self.mended(self.judgement()) or self.draft

    def march(self, power: Power, pieces: Sequence[str], stops: Sequence[str], path: Sequence[str]) -> None:
        """Write a march into the orders; raises `Refused` as `put` does. An earlier march of these pieces is replaced
        if the march continues it or leads to the same city. `path` has every city of the march, `stops` only those that
        orders must name where the game finds ways. A march that enters a city twice is written as its `path`."""
        before, is_found = self.going(power, pieces), self.table.rules.common.ways == "found"
        way = stops if is_found and not (before and len({before.start, *path}) <= len(path)) else path
        goes_on = before and (before.stops == tuple(stops[: len(before.stops)]) or before.path[-1] == way[-1])
        if before and goes_on:
            trial = self.draft.copy()
            trial.become(trial.text_with_orders(orders_with_way(trial, before, way)))
            self.keep(trial)
        else:
            self.put(power, {MOVE.name: [march_line(pieces, way)]})

    def take_back(self, power: Power, pieces: Sequence[str] = ()) -> None:
        """Remove the march of these pieces from the orders; without pieces, the power's last march. Do nothing if there
        is no such march. Raises `Refused` if the letter cannot be read."""
        at = self.judge.place_of_march(self.draft, power, pieces) if self.drafts.takes_orders else None
        if at is not None:
            self.draft.become(self.draft.text_with_orders(orders_without(self.draft, power, at)))

    def going(self, power: Power, pieces: Sequence[str] = ()) -> Going | None:
        """Return the march of these pieces, or without pieces the power's last march. The result has the cities where
        the march can end if it goes on. Return None if there is no such march."""
        return self.judge.march_in(self.draft, power, pieces) if self.drafts.takes_orders else None

    def close(self) -> None:
        """End every open decision that may end now, as one change; raises `Refused` if the letter cannot be read."""
        trial = self.draft.copy()
        for asked in self.asked(self.judgement()):
            if (ending := ending_value(asked.form.input)) is not None and not asked.free and not asked.more:
                trial.put(self.table, {asked.power: {asked.form.section: ending}})
        self.draft.become(trial.text)

    def load_key(self, data: bytes, passphrase: str) -> PublicKey:
        """Load the private key of an OpenSSH file, and return its public half. Raises `KeyFault` for another file or a
        wrong passphrase."""
        self.key = load_private(data, passphrase or None)
        return self.key.public

    def make_key(self, comment: str, passphrase: str) -> bytes:
        """Make a private key, and return its OpenSSH file, unlocked if the passphrase is empty."""
        self.key = new_key(comment)
        return save_private(self.key, passphrase or None)

    def locked_key(self, passphrase: str) -> bytes:
        """Return the private key's OpenSSH file, locked by a passphrase."""
        assert self.key
        return save_private(self.key, passphrase)

    def sign(self) -> None:
        """Sign the draft on top, and note the key as the player's in this campaign. Raises `Refused` as `Draft.sign`
        does."""
        assert self.key, "there is a key to sign with"
        self.drafts.sign(self.key)
        if seen := self.opened.seen:
            self.moderators.note_own_key(seen.campaign, self.key.public)

    def join(self, name: str, language: str) -> Joining:
        """Return the letter that takes the offered seat, with its warnings. Note the invitation's key as the
        moderator's, and the loaded key as the player's. Raises `Refused` for a name that no letter can hold."""
        assert self.key
        assert self.invited
        seen = self.invited
        offer = Invitation(seen.campaign, seen.seat, seen.deal, seen.token)
        with refusals_of_writing():
            text = join_letter(offer, self.key, seen.next_seq, Newcomer(name, language))
        if not self.moderators.is_met(seen):
            self.moderators.note_moderator(seen, "invitation")
        warnings = mask_warning(seen, self.moderators.campaigns_of_key(self.key.public))
        self.moderators.note_own_key(seen.campaign, self.key.public)
        return Joining(text, warnings)

    def settle(self) -> dict[str, object]:
        """Answer the questions that have a single answer, until an answer would be refused. Return the new state, with
        these answers under `given`. The answers become part of the last change."""
        tried, given = self.judgement(), []
        questions = self.asked(tried)
        while not refusals(tried) and (asked := next(filter(has_one_answer, questions), None)):
            before, only = self.draft.copy(), only_value(asked.form.input)
            assert only is not None
            try:
                self.draft.add(self.table, {asked.power: {asked.form.section: only}})
            except Refused:
                break
            if refusals(after := self.judgement()):
                self.draft = before
                break
            came = self.added_events(tried, after)
            tried, questions = after, self.asked(after)
            plays_on = asked.fight is not None and only not in ("stop", ["stop"])
            stopped = stop_of(asked.fight) if asked.fight and not asked.fight.after else None
            if stopped and stopped.score:
                stopped = replace(stopped, then=told_defeat(after.trial.table, came, self.powers, self.language))
            given.append({"question": asked.question, "write": only, "plays_on": plays_on, "stopped": stopped})
        return {**self.state_of(tried, questions), "given": given}

    def state(self) -> dict[str, object]:
        """Return the state of the draft on top, as the page shows it."""
        tried = self.judgement()
        return self.state_of(tried, self.asked(tried))

    def state_of(self, tried: Judgement, questions: Sequence[Asked]) -> dict[str, object]:
        """Return the state of the draft on top. `tried` is the draft's judgement, and `questions` are its open
        questions."""
        below = self.drafts.draft_on_board
        judged = tried if below is self.draft else self.judge.judge(below)
        waits = below is not self.draft and not below.is_signed and bool(judged.orders or judged.missing)
        shown, marching = judged.trial, [each.power for each in questions if "marches" in each.data]
        return {
            "draft": self.drafts.chosen,
            "drafts": list(self.drafts.lying),
            "orders_below": self.drafts.orders_last_on_top if waits else "",
            "file": self.drafts.file_name(),
            "votes": votes_written(self.drafts),
            "sealed": self.draft.is_sealed,
            "kind": self.draft.kind,
            "kind_name": told_kind(self.draft.kind, "", self.language),
            "plans": self.plans(),
            "text": self.draft.text,
            "signed": self.draft.signature_by(self.key),
            "undo": self.draft.is_changed,
            "redo": self.draft.is_taken_back,
            "faults": [fault_on_page(fault, self.language) for fault in (*tried.faults, *self.drafts.number_faults())],
            "mends": self.mended(tried) is not None,
            "missing": list(tried.missing),
            "hidden": tried.trial.hidden,
            "given": [],
            "asked": [msgspec.to_builtins(each) for each in questions],
            "orders": tried.orders,
            "unfallen": msgspec.to_builtins([*unfallen(self.opened, shown, self.language)]),
            "trains_back": msgspec.to_builtins([*train_returns((tried.marching or tried.trial).table, marching)]),
            "coming": stand_offs(tried.trial.table, self.powers, marching),
            **alerts(table_after(shown), self.powers, self.opened.found, self.language),
            **self.opened.position_after(shown, next((tried.marching for each in questions if each.more), None)),
        }

    def asked(self, tried: Judgement) -> list[Asked]:
        """Return the questions that the page asks: questions for further marches first, then the open questions, unless
        something that the reader cannot know comes before them. None are asked after the end of the game."""
        if not self.drafts.takes_orders or self.opened.is_over:
            return []
        asked = [] if tried.trial.hidden else self.opened.questions(tried.trial)
        marching = {each.power for each in asked if "marches" in each.data}
        if not tried.marching:
            return asked
        back = {each.power for each in train_returns(tried.marching.table, self.powers)}
        further = [each for each in self.opened.questions(tried.marching) if each.power not in marching]
        added = [replace(each, more=True) for each in further if each.data.get("marches") or each.power in back]
        return [*added, *asked]

    @contextmanager
    def answering(self, power: Power, sections: Mapping[str, Tree]) -> Iterator[None]:
        """Have an answer in the draft for a while. Raises `Refused` for an answer that adds a fault."""
        draft = self.draft
        self.draft = draft.copy()
        try:
            self.put(power, sections)
            yield
        finally:
            self.draft = draft

    def account_of_answer(self, power: Power, sections: Mapping[str, Tree]) -> list[dict[str, object]]:
        """Return the account of events that the answer `sections` adds. Raises `Refused` for a faulty answer."""
        before = self.judgement()
        with self.answering(power, sections):
            after = self.judgement()
        if refused := refusals(after):
            raise Refused(LETTER, refused)
        events = [event for event in self.added_events(before, after) if not isinstance(event, SupplyTraced)]
        told = told_retreat(after.trial.table, events, self.powers, self.language)
        return [*self.opened.account(events), *(blocks_data(parsed_blocks(told)) if told else [])]

    def added_events(self, before: Judgement, after: Judgement) -> list[Event]:
        """Return the events that the reader sees in the trial of `after` beyond those in the trial of `before`."""
        return self.opened.seen_events(after.trial)[len(self.opened.seen_events(before.trial)) :]

    def judgement(self) -> Judgement:
        return self.judge.judge(self.draft)

    @property
    def judge(self) -> Judge:
        """Return the judge for the present table and notes. As long as these stay, the same judge is returned."""
        here, last = self.opened, self.last_judge
        new = Judge(here.found, self.powers, here.seen, self.drafts.notes, here.practice is not None, self.language)
        self.last_judge = last if last and last.judges_as(new) else new
        return self.last_judge


def has_one_answer(asked: Asked) -> bool:
    """Return whether a question must be answered and has a single answer."""
    return not asked.free and not asked.more and only_value(asked.form.input) is not None
