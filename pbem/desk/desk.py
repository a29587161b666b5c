"""Desk of a player, without its page: open files, write answers into a letter, take changes back, sign.

The text of the letter is the only record of the orders: a click writes into it, and all that the page shows is computed
from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from pbem.campaign.players.guidance import KINDS, Guidance, rules_of
from pbem.campaign.players.letters import Invitation, join_letter
from pbem.campaign.settings import Newcomer
from pbem.desk.asking import Asked, questions_at
from pbem.desk.board import DeskBoard, Standing, standing
from pbem.desk.draft import LETTER, Draft, bare_of, is_plan, orders_with_answer, refusals_of_writing
from pbem.desk.drafts import ORDERS, PLANS, Drafts
from pbem.desk.dropping import document_in, is_saved_game, mistake_in
from pbem.desk.fortresses import fortresses
from pbem.desk.going import Going, march_line, orders_without_last
from pbem.desk.judging import Judge, Judgement
from pbem.desk.keeping import KeptWork, drafts_of, restore
from pbem.desk.lessons import Lesson
from pbem.desk.long_acts import Question
from pbem.desk.moderators import Moderators, Stranger
from pbem.desk.motions import motions_in, time_in_bank
from pbem.desk.opened import LoadedDraft, Offer, SealedFile, Sitting
from pbem.desk.outlook import Outlook, outlook
from pbem.desk.planning import PlanSheet, battle_on_ground, plan_sheet
from pbem.desk.practice import Practice, title_in
from pbem.desk.puzzles import answer_text, file_of
from pbem.desk.steps import Course, Walk, reported_course
from pbem.engine.events import Event, Marched, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import Table, stage_of
from pbem.faults.wrong import Wrong, told_kind
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.writing import write
from pbem.paper.orders.moves import MOVE
from pbem.paper.orders.section import ending_value, only_value
from pbem.paper.orders.trial import Trial
from pbem.paper.plans.data import Tactic
from pbem.plans.practice import PracticeWish
from pbem.player.files import GivenFile
from pbem.player.letters import plan_head
from pbem.player.tables import FoundTable, kind_of, reported_table, table_in, trusted_guide
from pbem.player.trying import remembered_position
from pbem.player.writing import check_offer
from pbem.post.boxes import only_boxes, unsealed_content
from pbem.report import blocks
from pbem.report.account import account_blocks, chapters
from pbem.report.blocks import parsed_blocks
from pbem.report.language.options import open_options
from pbem.report.language.templates import macros_of
from pbem.report.letters.report import blocks_data
from pbem.report.letters.sheet import preset_text
from pbem.report.maps import foes_beside
from pbem.report.short_rules import short_rules, topics_meant
from pbem.report.telling import game_report, view_data
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey, load_private, new_key, save_private
from pbem.site.archive import SiteWords, bare_text, capital


class Desk:
    """Desk of one player: the opened table, the drafts of letters, the key and the known moderators."""

    def __init__(self, language: str) -> None:
        """Begin with an empty desk that speaks a language."""
        self.language = language
        self.found: FoundTable | None = None
        self.seen: Guidance | None = None
        self.practice: Practice | None = None
        self.lesson: Lesson | None = None
        """The lesson on the desk; None for any other game."""
        self.key: PrivateKey | None = None
        """The private key by which letters are signed."""
        self.invited: Guidance | None = None
        self.moderators = Moderators()
        self.drafts = Drafts(Draft(None, ""), None)
        self.drawn: DeskBoard | None = None
        self.course: Course | None = None
        self.walk: Walk | None = None
        """Steps of the account; None if the opened file tells no events."""

    def open(self, data: bytes, name: str) -> Sitting | Offer | SealedFile | Stranger | LoadedDraft:
        """Open a report or an invitation, also within its mail, a position, a saved game, or a letter of orders or
        plans for the open table.

        Return `SealedFile` for a file that the key does not open, and `Stranger` for a letter whose moderator's key the
        player has yet to accept. Raises `Refused`; for a file of another kind, the fault says what to give instead.
        """
        if boxes := only_boxes(data):
            if self.key is None:
                return SealedFile()
            try:
                documents = [unsealed_content(box, self.key) for box in boxes]
            except BoxFault as fault:
                return SealedFile(fault.wrong)
            data = next((each for each in documents if kind_of(each) in KINDS), documents[-1])
        if kind_of(data) not in KINDS:
            return self.open_other(data, name)
        seen = trusted_guide(GivenFile(name, data))
        if seen.kind == "invitation":
            check_offer(seen, seen.seat, name)
        # Whoever takes the seat of an invitation says with it whose the key is: only another one than before waits.
        is_new_invitation = seen.kind == "invitation" and seen.campaign not in self.moderators.met
        if self.moderators.is_met(seen) or is_new_invitation:
            return self.welcome(seen)
        return self.moderators.keep_waiting(seen)

    def accept(self) -> Sitting | Offer:
        """Accept the key of the waiting letter as the moderator's, and open the letter. Raises `Refused` if the key may
        not be accepted."""
        return self.welcome(self.moderators.accept())

    def welcome(self, seen: Guidance) -> Sitting | Offer:
        """Lay a report on the desk, or describe an invitation, whatever key has signed it. Raises `Refused` for a
        faulty report."""
        if seen.kind == "invitation":
            self.invited = seen
            who = SiteWords(self.language, rules_of(seen.terms).terms.game)
            met = self.moderators.met.get(seen.campaign)
            key = seen.moderator.fingerprint
            return Offer(seen.campaign, who.player(seen.seat), seen.is_open, seen.host, seen.address, key, met)
        return self.lay_out(reported_table(seen, seen.kind), seen, Draft.of_report(seen))

    def open_other(self, data: bytes, name: str) -> Sitting | LoadedDraft:
        """Open a file that bears no key of a moderator: a saved game, a letter of orders or plans for the open table,
        or a position. Raises `Refused` for other files."""
        if is_saved_game(data):
            return self.lay_out_practice(Practice.from_file(data, name))
        if draft := self.draft_meant(document_in(data)):
            self.drafts.take_up(draft)
            self.draft.become(data.decode())
            return LoadedDraft()
        if mistake := mistake_in(data):
            raise Refused(name, [mistake])
        return self.open_position(data, name)

    def draft_meant(self, document: Mapping[str, AnyTree]) -> str:
        """Return the name of the draft that a letter of orders or plans replaces; empty if the letter is not for the
        open table."""
        draft = {"orders": ORDERS, "plan": PLANS}.get(str(document.get("kind")), "")
        if not draft or self.found is None or (draft == PLANS and self.practice):
            return ""
        meant = (document.get("campaign"), document.get("from"))
        here = (self.seen.campaign, self.seen.seat) if self.seen else (None, None)
        return draft if meant == here else ""

    def open_position(self, data: bytes, name: str = "position") -> Sitting:
        """Open a position file, in which the reader may order all powers."""
        return self.lay_out(table_in(GivenFile(name, data)), None, Draft.of_orders())

    def pose(self, name: str) -> Sitting:
        """Open the position of a puzzle."""
        return self.open_position(file_of(name).read_bytes(), name)

    def answer_puzzle(self, name: str, part: str) -> None:
        """Replace the draft of orders or of plans by an answer of a puzzle."""
        text = answer_text(name, part)
        answer = Draft(None, text)
        self.drafts.take_up(PLANS if is_plan(bare_of(answer.document())) else ORDERS)
        self.draft.become(text)

    def rule(self, section: str) -> list[dict[str, object]]:
        """Return the short rules of a §, as blocks; empty if no table is open."""
        if self.found is None:
            return []
        rules = short_rules(self.table.rules.terms.game, self.language)
        found = topics_meant(rules, section) if rules else {}
        return blocks_data(parsed_blocks("\n".join(f"- {each}" for topic in found.values() for each in topic.says)))

    def kept_work(self) -> KeptWork | None:
        """Return the game or the letters for the browser to keep; None for a position or a lesson."""
        drafts, chosen, stage = drafts_of(self.drafts), self.drafts.chosen, self.stage_name(self.table)
        words = SiteWords(self.language, self.table.rules.terms.game)
        if self.lesson:
            return None
        if self.practice:
            terms, seed = self.table.rules.terms, self.practice.game.setup.seed
            scenario = title_in(self.language, terms.game, terms.scenario).partition(":")[0]
            title = f"{terms.game.upper()}, {scenario}: {words.player(self.seat)}"
            is_over = self.practice.game.is_over
            return KeptWork(seed, "game", title, stage, is_over, drafts, chosen, self.practice.text())
        if self.seen and self.seen.seat:
            name = ".".join((self.seen.campaign, self.seen.seat, self.seen.stage, self.seen.basis))
            title = f"{self.seen.campaign}: {words.player(self.seat)}"
            return KeptWork(name, "report", title, stage, False, drafts, chosen)
        return None

    def restore(self, texts: dict[str, str], chosen: str) -> None:
        """Restore the drafts from the texts that the browser has kept."""
        restore(self.drafts, texts, chosen)

    def lay_out_practice(self, practice: Practice) -> Sitting:
        """Lay a game against bots on the desk, in its present position."""
        game = practice.game
        found = FoundTable(game.table, game.powers, memory=game.memory)
        return self.lay_out(found, None, Draft.of_orders(), practice)

    def speak(self, language: str) -> None:
        """Use another language from now on."""
        self.language, self.drawn = language, None
        self.walk = self.walked() if self.found else None

    def lay_out(
        self, found: FoundTable, seen: Guidance | None, draft: Draft, practice: Practice | None = None
    ) -> Sitting:
        """Lay an opened table on the desk, with a new draft of its letter."""
        course = practice.course if practice else reported_course(seen, found.table.rules, seen.kind) if seen else None
        before = self.walk if practice and practice is self.practice else None
        if practice is None or practice is not self.practice:
            self.lesson = None
        self.practice, self.course = practice, course
        self.found, self.seen, self.drawn = found, seen, None
        self.walk = self.walked(before)
        self.drafts = Drafts(draft, seen)
        return self.sitting()

    @property
    def draft(self) -> Draft:
        """Return the draft on top."""
        return self.drafts.top

    @draft.setter
    def draft(self, draft: Draft) -> None:
        self.drafts.top = draft

    def other_state(self) -> dict[str, object]:
        """Return the name, the account, the board and the faults of the other draft of orders."""
        self.drafts.switch()
        try:
            state = self.state()
        finally:
            self.drafts.switch()
        return {key: state[key] for key in ("draft", "told", "over", "faults")}

    def take_preset(self, preset: str) -> None:
        """Replace the draft by the plans of a preset, for all powers of the reader."""
        seen, rules, head = self.seen, self.table.rules, None
        if seen:
            head = plan_head(seen.campaign, seen.seat, seen.stage, seen.basis, self.draft.letter().seq)
        self.draft.become(preset_text(rules, preset, self.powers, self.language, head))

    def plans(self) -> PlanSheet | None:
        """Return the plans of the draft on top; None if the draft is no letter of plans or cannot be read."""
        if self.drafts.chosen != PLANS:
            return None
        try:
            return plan_sheet(self.table.rules, self.draft, self.powers, self.language)
        except Refused:
            return None

    def try_plans(self, power: Power, ground: PracticeWish, against: Tactic) -> list[dict[str, object]]:
        """Fight a practice battle by a power's plans against an enemy's tactic, and return its account; raises
        `Refused` for faulty plans."""
        rules, played = battle_on_ground(self.table.rules, self.draft, power, ground, against)
        return blocks_data(account_blocks(chapters(rules, played.events, self.language)))

    def question(self) -> Question:
        """Return the question for the chances of the drafts: it holds nothing that the reader may not know. Raises
        `Refused` for plans that cannot be read."""
        assert self.found
        known = FoundTable(self.table, self.powers, memory=self.found.memory)
        orders, plans = self.drafts.orders_and_plans()
        return Question(self.language, write(remembered_position(known)), self.powers, orders, plans)

    def warm(self) -> None:
        """Fill the caches for the first orders: judge one march, then restore the draft."""
        before = self.draft.copy()
        self.board().sheet()
        self.state()
        for asked in self.asked(self.judgement()):
            ways: AnyTree = asked.data.get("marches") or ()
            if march := next((march for march in ways if march["to"]), None):
                self.put(asked.power, {asked.form.section: [{" + ".join(march["pieces"]): march["to"][0]["city"]}]})
                self.state()
                break
        self.draft = before

    def sitting(self) -> Sitting:
        """Describe the opened table for the page."""
        table, seen = self.table, self.seen
        words = SiteWords(self.language, table.rules.terms.game)
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
            stage=self.stage_name(table),
            motions=motions_in(seen, words) if seen else None,
            bank=time_in_bank(seen, words) if seen else "",
            deadline=seen.deadline if seen else "",
            owing=tuple(words.player(seat) for seat in seen.owing) if seen else (),
            mine=seen is None or seen.seat in seen.owing,
            steps=self.walk.steps if self.walk else [],
            over=self.practice is not None and self.practice.game.is_over,
            won=self.practice.is_won if self.practice else None,
            address=seen.address if seen else "",
            moderator=seen.moderator.fingerprint if seen else "",
            met=self.moderators.met.get(seen.campaign) if seen else None,
            signing=seen.signing if seen else "",
            sealing=seen.sealing if seen else "",
            locked=bool(seen and seen.locked),
        )

    @property
    def seat(self) -> str:
        """The reader's seat; empty for a position."""
        return self.seen.seat if self.seen else self.practice.seat if self.practice else ""

    def outlook(self) -> Outlook:
        """Return the reader's goal, and the sides of the war, in the opened position."""
        return outlook(self.table, self.powers, self.board(), self.language)

    def walked(self, before: Walk | None = None) -> Walk | None:
        """Return the steps of the account up to the opened position; None if no events are known. Passages of an
        earlier walk through the same game are reused."""
        homes = self.table.state.field.alliances.home
        return Walk(self.table.rules, self.course, self.language, before, homes) if self.course else None

    def step(self, number: int) -> dict[str, object]:
        """Return the picture of the board after a step, and the cities where the step happened."""
        assert self.walk
        return {"picture": self.walk.picture(number, self.board()), "cities": self.walk.cities(number)}

    def stage_name(self, table: Table) -> str:
        """Return the turn and stage of a table in the reader's language."""
        words = macros_of(self.language, table.rules.terms.game, "stages.txt.j2")
        return capital(bare_text(str(words.named(stage_of(table)))))

    @property
    def table(self) -> Table:
        """The opened table, before the orders of any draft."""
        assert self.found, "nothing lies on the desk"
        return self.found.table

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers whose secrets the reader knows."""
        assert self.found
        return tuple(self.table.rules.powers) if self.found.known_to is None else self.found.known_to

    def board(self) -> DeskBoard:
        """Return the board, laid out once for the opened position."""
        if self.drawn is None:
            self.drawn = DeskBoard(self.table, self.powers, self.language)
        return self.drawn

    def put(self, power: Power, sections: Mapping[str, Tree]) -> None:
        """Write an answer of a power into the orders. Raises `Refused`, and changes nothing, if the orders answer its
        section already, or are refused for the answer."""
        trial = self.draft.copy()
        trial.put(self.table, {power: dict(sections)})
        self.keep(trial)

    def keep(self, trial: Draft) -> None:
        """Lay a changed copy of the draft on top in its place. Raises `Refused` if it is refused for something for
        which the draft was not."""
        if refused := refusals(self.judge.judge(trial)):
            before = Counter(fault.code for fault in refusals(self.judgement()))
            if added := [fault for fault in refused if not before[fault.code]]:
                raise Refused(LETTER, added)
        self.draft = trial

    def mended(self, tried: Judgement) -> Draft | None:
        """Return a copy of the draft without the order that is refused first; None if nothing is refused, or something
        else than an order."""
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
        """Take the order that is refused first out of the orders, as a change that can be undone."""
        self.draft = self.mended(self.judgement()) or self.draft

    def march(self, power: Power, pieces: Sequence[str], stops: Sequence[str], path: Sequence[str]) -> None:
        """Write a march into the orders. A march that continues the last march, or leads to its end by another way,
        replaces the line of the last march. A line names the cities of `stops`, or those of `path` in a game whose
        orders name every city."""
        before, is_found = self.going(power), self.table.rules.common.ways == "found"
        way = stops if is_found else path
        goes_on = before and (before.stops == tuple(way[: len(before.stops)]) or before.path[-1] == way[-1])
        if before and before.pieces == tuple(pieces) and goes_on:
            orders = orders_with_answer(
                self.table, orders_without_last(self.draft, power), {power: {MOVE.name: [march_line(pieces, way)]}}
            )
            trial = self.draft.copy()
            trial.become(trial.text_with_orders(orders))
            self.keep(trial)
        else:
            self.put(power, {MOVE.name: [march_line(pieces, way)]})

    def take_back(self, power: Power) -> None:
        """Take the last march of a power out of the orders; raises `Refused` if the letter cannot be read."""
        if self.going(power):
            self.draft.become(self.draft.text_with_orders(orders_without_last(self.draft, power)))

    def going(self, power: Power) -> Going | None:
        """Return the last march of a power, with the cities to which it can go on; None if there is no such march."""
        return self.judge.last_march(self.draft, power) if self.drafts.takes_orders else None

    def close(self) -> None:
        """End every open decision that may be ended without a further order, as one change of the letter; raises
        `Refused` if the letter cannot be read."""
        trial = self.draft.copy()
        for asked in self.asked(self.judgement()):
            ending = ending_value(asked.form.input)
            if ending is not None and not asked.free and not asked.more:
                trial.put(self.table, {asked.power: {asked.form.section: ending}})
        self.draft.become(trial.text)

    def load_key(self, data: bytes, passphrase: str) -> PublicKey:
        """Load the private key of an OpenSSH file, and return its public half. Raises `KeyFault` for another file or a
        wrong passphrase."""
        self.key = load_private(data, passphrase or None)
        return self.key.public

    def make_key(self, comment: str, passphrase: str) -> bytes:
        """Make a new private key, and return its OpenSSH file; an empty passphrase leaves the file unlocked."""
        self.key = new_key(comment)
        return save_private(self.key, passphrase or None)

    def locked_key(self, passphrase: str) -> bytes:
        """Return the OpenSSH file of the private key, locked by a passphrase."""
        assert self.key
        return save_private(self.key, passphrase)

    def sign(self) -> None:
        """Sign the draft on top. Raises `Refused` if the reader's seat may not send it."""
        assert self.key, "there is a key to sign with"
        self.drafts.sign(self.key)

    def join(self, name: str, language: str) -> str:
        """Return the letter that takes the offered seat, as `pbem join` writes it. From then on, the key of the
        invitation is known as the moderator's."""
        assert self.key
        assert self.invited
        seen = self.invited
        offer = Invitation(seen.campaign, seen.seat, seen.deal, seen.token)
        with refusals_of_writing():
            text = join_letter(offer, self.key, seen.next_seq, Newcomer(name, language))
        if not self.moderators.is_met(seen):
            self.moderators.note_moderator(seen, "invitation")
        return text

    def settle(self) -> dict[str, object]:
        """Answer every question that has a single answer, as part of the last change; return the new state."""
        tried, given = self.judgement(), []
        questions = self.asked(tried)
        while not is_refused(tried) and (asked := next(filter(has_one_answer, questions), None)):
            before, only = self.draft.copy(), only_value(asked.form.input)
            assert only is not None
            try:
                self.draft.add(self.table, {asked.power: {asked.form.section: only}})
            except Refused:
                break
            if is_refused(after := self.judgement()):
                self.draft = before
                break
            tried, questions = after, self.asked(after)
            given.append({"question": asked.question, "write": only})
        return {**self.state_of(tried, questions), "given": given}

    def state(self) -> dict[str, object]:
        """Return the state of the draft on top, as the page shows it."""
        tried = self.judgement()
        return self.state_of(tried, self.asked(tried))

    def state_of(self, tried: Judgement, questions: Sequence[Asked]) -> dict[str, object]:
        """Return the state of the draft on top, from the judgement of its text and the questions that are then open."""
        return {
            "draft": self.drafts.chosen,
            "drafts": list(self.drafts.lying),
            "sealed": self.draft.is_sealed,
            "stage": self.stage_name(tried.trial.table),
            "kind": self.draft.kind,
            "kind_name": told_kind(self.draft.kind, "", self.language),
            "plans": self.plans(),
            "text": self.draft.text,
            "signed": self.draft.signature_by(self.key),
            "undo": self.draft.is_changed,
            "redo": self.draft.is_taken_back,
            "faults": [fault.data(self.language) for fault in tried.faults],
            "mends": self.mended(tried) is not None,
            "missing": list(tried.missing),
            "told": blocks_data(tried.told),
            "hidden": tried.trial.hidden,
            "given": [],
            "asked": [msgspec.to_builtins(each) for each in questions],
            "orders": tried.orders,
            "over": self.board().over(tried.trial.table, self.seen_events(tried.trial) or self.news),
            "pieces": msgspec.to_builtins(standing(tried.trial.table, self.powers)),
            "went": self.marches(tried.trial),
            "fortresses": fortresses(tried.trial.table),
            "hussars": self.hussars(tried.trial.table),
            "hands": self.hands(tried.trial.table),
        }

    def marches(self, trial: Trial) -> list[dict[str, object]]:
        """Return the power, the pieces and the cities of each march in a trial."""
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

    def hands(self, table: Table) -> dict[str, object]:
        """Return the cards of the hands that the reader knows, and the size of every hand."""
        data = view_data(table.rules, game_of(table).view(table, self.powers))
        return {"hands": data["hands"], "sizes": data["hand_sizes"]}

    def hussars(self, table: Table) -> list[str]:
        """Cities where hussars stand."""
        view = game_of(table).view(table, self.powers)
        return blocks.cities(table.rules.common, game_report(table.rules.terms.game).hussars(view))

    def seen_events(self, trial: Trial) -> list[Event]:
        """Return the events of a trial that the reader sees."""
        return list(all_seen_by(trial.events, self.powers))

    @property
    def news(self) -> Sequence[Event]:
        """Events since the reader's last orders, as far as they are known."""
        return self.walk.course.news if self.walk else ()

    def reach(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Return the cities that pieces of any power can reach after the orders; raises `Refused` for unknown names."""
        assert self.found
        return open_options(self.judgement().trial.table, self.powers, names, self.found.memory)

    def asked(self, tried: Judgement) -> list[Asked]:
        """Return the questions that are open after the orders, and questions for marches that would continue a written
        march. Open questions are left out if the orders lead to an event that the reader cannot know."""
        if not self.drafts.takes_orders:
            return []
        asked = [] if tried.trial.hidden else self.asked_at(tried.trial)
        marching = {each.power for each in asked if "marches" in each.data}
        further = self.asked_at(tried.marching) if tried.marching else []
        added = [
            replace(each, more=True) for each in further if each.data.get("marches") and each.power not in marching
        ]
        return [*added, *asked]

    def asked_at(self, trial: Trial) -> list[Asked]:
        """Return the questions that are open after a trial."""
        assert self.found
        events = (*(self.course.events if self.course else ()), *self.seen_events(trial))
        return questions_at(trial.table, self.powers, self.found.memory, self.language, events)

    def account_of_answer(self, power: Power, sections: Mapping[str, Tree]) -> list[dict[str, object]]:
        """Return the account of the events that an answer would add to those of the orders; raises `Refused` if the
        answer has a fault."""
        before, draft = self.judgement(), self.draft
        self.draft = draft.copy()
        try:
            self.put(power, sections)
            after = self.judgement()
        finally:
            self.draft = draft
        if refused := refusals(after):
            raise Refused(LETTER, refused)
        news = self.seen_events(after.trial)[len(self.seen_events(before.trial)) :]
        return blocks_data(account_blocks(chapters(self.table.rules, news, self.language)))

    def judgement(self) -> Judgement:
        """Return the judgement of the draft on top."""
        return self.judge.judge(self.draft)

    @property
    def judge(self) -> Judge:
        """Judge of the drafts on the desk."""
        assert self.found
        notes, is_practice = self.drafts.notes, self.practice is not None
        return Judge(self.found, self.powers, self.seen, notes, is_practice, self.language)

    def standing(self) -> tuple[Standing, ...]:
        """Return the pieces on the map of the opened position."""
        return standing(self.table, self.powers)


def is_refused(tried: Judgement) -> bool:
    """Return whether a judged letter has a fault that is no warning."""
    return bool(refusals(tried))


def refusals(tried: Judgement) -> list[Wrong]:
    """Return the faults of a judged letter that are no warnings."""
    return [fault for fault in tried.faults if not fault.is_warning]


def has_one_answer(asked: Asked) -> bool:
    """Return whether a question must be answered and has a single answer."""
    return not asked.free and not asked.more and only_value(asked.form.input) is not None
