"""Bridge between the page's script and the desk: functions are called by name, with values and results in JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext

import msgspec

from pbem.bots.imagining import facts_text
from pbem.campaign.players.campaign_notes import notes_text
from pbem.desk.archive_bridge import ArchiveBridge
from pbem.desk.bot_games import (
    advice,
    copy_branch,
    deal,
    go_back,
    go_forth,
    go_on,
    lesson_progress,
    play_again,
    play_now,
    play_on,
    practise,
)
from pbem.desk.desk import Desk
from pbem.desk.drafts import PLANS, REVEAL
from pbem.desk.game_bridge import GameBridge
from pbem.desk.host_bridge import HostBridge
from pbem.desk.keeping import restore
from pbem.desk.long_acts import Question
from pbem.desk.moderators import Stranger
from pbem.desk.motions import propose, vote
from pbem.desk.notebook_bridge import NotebookBridge
from pbem.desk.opened import LoadedDraft, SealedFile, Sitting
from pbem.desk.opening import open_file
from pbem.desk.openssh import lock_of, new_lock
from pbem.desk.outlook import Outlook, outlook
from pbem.desk.planning import add_plan, battle_account, change_plan, move_plan, plan_battle
from pbem.desk.puzzles import answer_puzzle, pose
from pbem.desk.trains import cities_fed
from pbem.engine.nouns import Power, Suit
from pbem.faults.wrong import PbemError
from pbem.paper.documents.writing import write
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import ROLES
from pbem.plans.practice import PracticeWish
from pbem.player.plans import cards_of
from pbem.player.tables import FoundTable
from pbem.player.trying import remembered_position
from pbem.report.blocks import blocks_data
from pbem.seal.canonical import AnyTree
from pbem.seal.keys import locked_public

CHANGES: Mapping[str, Callable[..., object]] = {
    "mend": Desk.mend,
    "take_back": Desk.take_back,
    "take_up": lambda desk, name: desk.drafts.take_up(name),
    "propose": lambda desk, *motion: propose(desk.drafts, *motion),
    "vote": lambda desk, *said: vote(desk.drafts, *said),
    "drop": lambda desk: desk.drafts.drop(),
    "keep": lambda desk: desk.drafts.keep(),
    "preset": Desk.take_preset,
    "plan_add": lambda desk, *plan: add_plan(desk.draft, *plan),
    "plan_change": lambda desk, *change: change_plan(desk.draft, *change),
    "plan_move": lambda desk, *move: move_plan(desk.draft, *move),
    "write": lambda desk, text: desk.draft.become(text),
    "undo": lambda desk: desk.draft.undo(),
    "redo": lambda desk: desk.draft.redo(),
    "sign": Desk.sign,
    "answer": answer_puzzle,
    "arrows_from": lambda desk, number: desk.opened.show_arrows_from(number),
    "restore": lambda desk, *kept: restore(desk.drafts, *kept),
    "number_from": lambda desk, *known: desk.drafts.number_from(*known),
}
"""Functions that change the drafts, or change the part of them that the page shows. The page gets the new state of the
desk."""

ORDERS: Mapping[str, Callable[..., object]] = {"put": Desk.put, "close": Desk.close, "march": Desk.march, "deal": deal}
"""Functions that write orders. After each call, questions with a single possible answer are answered, and the page gets
the new state of the desk."""


def outlook_now(desk: Desk) -> Outlook:
    """Return the reader's goal and the sides of the war, as they will be when the orders in the draft have been carried
    out."""
    table = desk.judgement().trial.table
    return outlook(table, desk.opened.powers, desk.opened.board(), desk.language)


def question(desk: Desk, *answer: AnyTree) -> Question:
    """Return the question from which `play_out_drafts` computes the chances of the drafts or, if the power and the
    sections of an answer are given, of the drafts with this answer. The question contains no secrets that the reader
    does not know. Raises `Refused` for unreadable plans."""
    known = FoundTable(desk.table, desk.powers, memory=desk.opened.found.memory)
    with desk.answering(*answer) if answer else nullcontext():
        orders, plans = desk.drafts.orders_to_try(), desk.drafts.plans_to_try()
    facts = desk.opened.known_facts()
    told = facts_text(facts) if facts else ""
    return Question(desk.language, write(remembered_position(known)), desk.powers, orders, plans, told)


def reach(desk: Desk, names: Sequence[str], more: bool = False) -> object:
    """Return where the named pieces can march after the draft's orders, or with `more` before these end the marches."""
    tried = desk.judgement()
    return desk.opened.reach((tried.marching if more else None) or tried.trial, names)


ANSWERS: Mapping[str, Callable[..., object]] = {
    "would": Desk.account_of_answer,
    "going": Desk.going,
    "other": Desk.other_state,
    "outcome": lambda desk: blocks_data(desk.judge.account(desk.draft)),
    "question": question,
    "outlook": lambda desk: desk.opened.outlook(),
    "outlook_now": outlook_now,
    "before": lambda desk: desk.opened.board().over(desk.table),
    "step": lambda desk, number, is_before=False: desk.opened.step(number, is_before),
    "reach": reach,
    "fed": lambda desk, train: cities_fed(desk.judgement().trial.table, desk.opened.powers, train),
    "learnt": lesson_progress,
    "advise": advice,
}
"""Functions whose result the page gets."""

OPENINGS: Mapping[str, Callable[..., Sitting]] = {
    "practise": practise,
    "pose": pose,
    "play_now": play_now,
    "play_again": play_again,
    "play_on": play_on,
    "branch_copy": copy_branch,
}
"""Functions that lay a table on the desk. The page gets the data of that table."""

STEPS: Mapping[str, Callable[..., Sitting]] = {"go_on": go_on, "branch_back": go_back, "branch_forth": go_forth}
"""Functions that take a game forward or back. The page gets the table and the new state of the desk."""


class Bridge(HostBridge, GameBridge, ArchiveBridge, NotebookBridge):
    def __init__(self, language: str) -> None:
        self.desk = Desk(language)

    def call(self, name: str, given: str) -> str:
        """Call the named function with the values in the JSON list `given`. Return JSON: the result under `done`, or
        faults under `refused`. The function is `do_NAME`, or stands in `CHANGES`, `ORDERS`, `ANSWERS`, `OPENINGS` or
        `STEPS`."""
        try:
            answer: dict[str, object] = {"done": self.result(name, values_in(given))}
        except PbemError as error:
            answer = {"refused": [self.fault_data(fault) for fault in error.faults]}
        return msgspec.json.encode(answer).decode()

    def result(self, name: str, values: list[AnyTree]) -> object:
        """Call the function `name` with `values`, and return its result."""
        if change := CHANGES.get(name) or ORDERS.get(name):
            change(self.desk, *values)
            return self.desk.settle() if name in ORDERS else self.desk.state()
        if answer := ANSWERS.get(name):
            return answer(self.desk, *values)
        if opening := OPENINGS.get(name):
            return self.opened_data(opening(self.desk, *values))
        if step := STEPS.get(name):
            return {"sitting": step(self.desk, *values), "state": self.desk.settle()}
        asked: Callable[..., object] = getattr(self, f"do_{name}")
        return asked(*values)

    def call_in(self, language: str, name: str, given: str) -> str:
        """Call a function as `call` does, after changing the language."""
        self.desk.language = language
        return self.call(name, given)

    def do_folder_ready(self) -> object:
        """Load the modules for campaigns and archives before they are needed."""
        from pbem.desk import archive, hosting

        return bool(archive and hosting)

    def do_open(self, data: str, name: str) -> object:
        """Open a file, given in base 64.

        Return the data of the opened table, of the invitation, or of a moderator whom the player must accept. If the
        file was a letter that replaces a draft, return the new state. If the file could not be unsealed, return the
        reason, or no reason if no key is loaded.
        """
        found = open_file(self.desk, base64.b64decode(data), name)
        if isinstance(found, SealedFile):
            return {"closed": [self.fault_data(found.why)] if found.why else []}
        if isinstance(found, LoadedDraft):
            return {"written": self.desk.state()}
        return self.stranger_data(found) if isinstance(found, Stranger) else self.opened_data(found)

    def do_join(self, name: str, language: str) -> object:
        """Return the letter that takes a seat, its warnings, and the known moderators, which the browser should
        store."""
        done = self.desk.join(name, language)
        warnings = [self.fault_data(each) for each in done.warnings]
        return {"letter": done.letter, "warnings": warnings, "moderators": self.desk.moderators.text()}

    def do_warm(self) -> object:
        """Fill the caches for the first orders."""
        self.desk.warm()
        return True

    def do_rule(self, section: str) -> object:
        """Return a section (§) of the short rules, as blocks. Return an empty list if no table is open."""
        return self.desk.opened.rule(section) if self.desk.laid else []

    def do_lock_key(self, passphrase: str) -> object:
        """Return the file of the private key, locked by a passphrase."""
        return self.desk.locked_key(passphrase).decode()

    def do_speak(self, language: str) -> object:
        """Change the language. Return the opened table's data in that language; None for an empty desk."""
        self.desk.speak(language)
        return None if self.desk.laid is None else self.opened_data(self.desk.sitting())

    def do_seal(self) -> object:
        """Seal the draft on top. Return the new state, and the notes that the player must keep. The notes must be
        loaded before. Raises `Refused` if there is nothing to seal."""
        self.desk.drafts.seal()
        assert self.desk.drafts.notes
        return {"state": self.desk.state(), "notes": notes_text(self.desk.drafts.notes).decode()}

    def do_notes(self, data: str, name: str) -> object:
        """Load the player's notes from a file in base 64, and begin the letter that reveals sealed parts."""
        self.desk.drafts.take_notes(base64.b64decode(data), name)
        self.desk.drafts.take_up(REVEAL)
        return self.desk.state()

    def do_plan_battle(self, power: Power, city: str) -> object:
        """Lay the draft of plans on top, and add to it a plan for a battle that `power` fights from `city`."""
        self.desk.drafts.take_up(PLANS)
        plan_battle(self.desk.draft, power, city)
        return self.desk.state()

    def do_plan_try(self, power: Power, wishes: dict[str, str]) -> object:
        """Return the account of a practice battle that is fought with a power's plans. `wishes` has the values of the
        page's form: suits, hands, role, score and the enemy's tactic."""
        own, enemy = (Suit(int(wishes[key])) for key in ("suit", "enemy_suit"))
        hand, held = (cards_of(wishes[key]) for key in ("hand", "enemy_hand"))
        attacks = wishes["role"] == ROLES[0]
        ground = PracticeWish(int(wishes["score"] or 0), own, enemy, hand, held, power, attacks)
        against = msgspec.convert(wishes["against"], Tactic)
        return battle_account(self.desk.opened, self.desk.draft, ground, against)

    def do_key(self, data: str, passphrase: str) -> object:
        """Load the private key in `data`, a file in base 64, and return its fingerprint. If the file is locked and no
        passphrase is given, load nothing, and return the lock, with which the page can run bcrypt."""
        file = base64.b64decode(data)
        if not passphrase and locked_public(file):
            return {"lock": lock_of(file)}
        return {"key": self.desk.load_key(file, passphrase).fingerprint}

    def do_new_lock(self) -> object:
        """Return a lock for a new key file, so that the page can run bcrypt ahead of time."""
        return new_lock()

    def do_forget_key(self) -> object:
        self.desk.key = None
        return True

    def do_new_key(self, passphrase: str) -> object:
        """Make a private key; return its file, fingerprint and public half."""
        file = self.desk.make_key("", passphrase)
        assert self.desk.key
        public = self.desk.key.public
        return {"key": public.fingerprint, "file": file.decode(), "public": public.text}


def values_in(given: str) -> list[AnyTree]:
    """Return the values of a JSON list. Unpaired surrogates, which browsers can send, become question marks."""
    try:
        return msgspec.json.decode(given, type=list[AnyTree])
    except msgspec.DecodeError:
        whole = json.dumps(json.loads(given), ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.decode(whole, type=list[AnyTree])
