"""Bridge between the page's script and the desk: a function's name and its values in JSON come in, JSON goes out."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence

import msgspec

from pbem.campaign.players.campaign_notes import notes_text
from pbem.desk.archive_bridge import ArchiveBridge
from pbem.desk.desk import Desk
from pbem.desk.drafts import PLANS, REVEAL
from pbem.desk.game_bridge import GameBridge
from pbem.desk.host_bridge import HostBridge
from pbem.desk.keeping import restore
from pbem.desk.moderators import Stranger
from pbem.desk.motions import propose, vote
from pbem.desk.notebook_bridge import NotebookBridge
from pbem.desk.opened import LoadedDraft, SealedFile
from pbem.desk.opening import open_file
from pbem.desk.openssh import lock_of, new_lock
from pbem.desk.planning import add_plan, battle_account, change_plan, move_plan, plan_battle
from pbem.engine.nouns import Power, Suit
from pbem.faults.wrong import PbemError
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import ROLES
from pbem.plans.practice import PracticeWish
from pbem.player.plans import cards_of
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import locked_public


class Bridge(HostBridge, GameBridge, ArchiveBridge, NotebookBridge):
    """Functions of one desk that the page calls."""

    def __init__(self, language: str) -> None:
        """Begin with an empty desk."""
        self.desk = Desk(language)

    def call(self, name: str, given: str) -> str:
        """Call the function `do_NAME` with a JSON list of values. Return JSON with its result under `done`, or with the
        faults under `refused`."""
        asked: Callable[..., object] = getattr(self, f"do_{name}")
        try:
            answer: dict[str, object] = {"done": asked(*values_in(given))}
        except PbemError as error:
            answer = {"refused": [self.fault_data(fault) for fault in error.faults]}
        return msgspec.json.encode(answer).decode()

    def call_in(self, language: str, name: str, given: str) -> str:
        """Call a function as `call` does, in a language."""
        self.desk.language = language
        return self.call(name, given)

    def do_folder_ready(self) -> object:
        """Load the modules for campaigns and archives, so that the first act that needs them does not wait."""
        from pbem.desk import archive, hosting

        return bool(archive and hosting)

    def do_open(self, data: str, name: str) -> object:
        """Open a file that is given in base 64. Return the data of the opened table or invitation, of the moderator
        whose key is to be accepted, or of the draft that the file replaced; or the reason why the file stays sealed."""
        found = open_file(self.desk, base64.b64decode(data), name)
        if isinstance(found, SealedFile):
            return {"closed": [self.fault_data(found.why)] if found.why else []}
        if isinstance(found, LoadedDraft):
            return {"written": self.desk.state()}
        return self.stranger_data(found) if isinstance(found, Stranger) else self.opened_data(found)

    def do_join(self, name: str, language: str) -> object:
        """Write the letter that takes a seat; return it with its warnings, and with the known moderators, which the
        browser keeps."""
        done = self.desk.join(name, language)
        warnings = [self.fault_data(each) for each in done.warnings]
        return {"letter": done.letter, "warnings": warnings, "moderators": self.desk.moderators.text()}

    def do_warm(self) -> object:
        """Fill the caches for the first orders."""
        self.desk.warm()
        return True

    def do_rule(self, section: str) -> object:
        """Return the short rules of a §, as blocks; none on an empty desk."""
        return self.desk.opened.rule(section) if self.desk.laid else []

    def do_restore(self, texts: dict[str, str], chosen: str, sent: Sequence[int] = (), last: int = 0) -> object:
        """Restore the drafts from the texts that the browser has kept. `sent` has the number (`seq`) of each letter
        that may have been sent, `last` the highest number of the letters that answered other reports."""
        restore(self.desk.drafts, texts, chosen, sent, last)
        return self.desk.state()

    def do_lock_key(self, passphrase: str) -> object:
        """Return the file of the private key, locked by a passphrase."""
        return self.desk.locked_key(passphrase).decode()

    def do_speak(self, language: str) -> object:
        """Use another language from now on. Return the data of the opened table in that language; None for an empty
        desk."""
        self.desk.speak(language)
        return None if self.desk.laid is None else self.opened_data(self.desk.sitting())

    def do_put(self, power: Power, sections: dict[str, Tree]) -> object:
        """Write an answer of a power into the orders of the draft on top."""
        self.desk.put(power, sections)
        return self.desk.settle()

    def do_close(self) -> object:
        """End every open decision that may be ended without a further order."""
        self.desk.close()
        return self.desk.settle()

    def do_mend(self) -> object:
        """Take the order that is refused first out of the orders, if the refusal then ends."""
        self.desk.mend()
        return self.desk.state()

    def do_would(self, power: Power, sections: dict[str, Tree]) -> object:
        """Return the account of the events that an answer would add."""
        return self.desk.account_of_answer(power, sections)

    def do_march(self, power: Power, pieces: list[str], stops: list[str], path: list[str]) -> object:
        """Write a march into the orders, or continue one."""
        self.desk.march(power, pieces, stops, path)
        return self.desk.settle()

    def do_going(self, power: Power, pieces: Sequence[str] = ()) -> object:
        """Return the march of some pieces, or the last of their power, with the cities to which it can go on; None
        without such a march."""
        return self.desk.going(power, pieces)

    def do_take_back(self, power: Power, pieces: Sequence[str] = ()) -> object:
        """Take the march of some pieces, or the last of their power, out of the orders."""
        self.desk.take_back(power, pieces)
        return self.desk.state()

    def do_take_up(self, name: str) -> object:
        """Lay the named draft on top, and begin it if it is missing."""
        self.desk.drafts.take_up(name)
        return self.desk.state()

    def do_propose(self, subject: str, about: str, days: int) -> object:
        """Lay a letter on top that proposes something to all seats."""
        propose(self.desk.drafts, subject, about, days)
        return self.desk.state()

    def do_vote(self, name: str, says: str) -> object:
        """Lay a letter on top that votes on an open proposal."""
        vote(self.desk.drafts, name, says)
        return self.desk.state()

    def do_drop(self) -> object:
        """Throw the draft on top away."""
        self.desk.drafts.drop()
        return self.desk.state()

    def do_keep(self) -> object:
        """Replace the orders by the draft on top, and delete the other draft of orders."""
        self.desk.drafts.keep()
        return self.desk.state()

    def do_other(self) -> object:
        """Return the name, the account, the board and the faults of the other draft of orders."""
        return self.desk.other_state()

    def do_seal(self) -> object:
        """Seal the draft on top. Return the new state of the desk, and the text of the notes, which the player keeps as
        a file. Notes must be loaded. Raises `Refused` if there is nothing to seal."""
        self.desk.drafts.seal()
        assert self.desk.drafts.notes
        return {"state": self.desk.state(), "notes": notes_text(self.desk.drafts.notes).decode()}

    def do_notes(self, data: str, name: str) -> object:
        """Take the player's notes from a file that is given in base 64, and begin the letter that reveals the sealed
        parts."""
        self.desk.drafts.take_notes(base64.b64decode(data), name)
        self.desk.drafts.take_up(REVEAL)
        return self.desk.state()

    def do_preset(self, preset: str) -> object:
        """Replace the draft on top by the plans of a preset."""
        self.desk.take_preset(preset)
        return self.desk.state()

    def do_plan_add(self, power: Power, kind: str) -> object:
        """Add a plan of a kind for a power to the draft on top."""
        add_plan(self.desk.draft, power, kind)
        return self.desk.state()

    def do_plan_battle(self, power: Power, city: str) -> object:
        """Lay the plans on top, with a plan for the battle that a power fights from a city."""
        self.desk.drafts.take_up(PLANS)
        plan_battle(self.desk.draft, power, city)
        return self.desk.state()

    def do_plan_change(self, power: Power, number: int, key: str, text: str) -> object:
        """Write a text under a key of a plan."""
        change_plan(self.desk.draft, power, number, key, text)
        return self.desk.state()

    def do_plan_move(self, power: Power, number: int, to: int) -> object:
        """Move a plan to another place in the list; a place outside of the list deletes it."""
        move_plan(self.desk.draft, power, number, to)
        return self.desk.state()

    def do_plan_try(self, power: Power, wishes: dict[str, str]) -> object:
        """Fight a practice battle by the plans of a power, and return its account."""
        own, enemy = (Suit(int(wishes[key])) for key in ("suit", "enemy_suit"))
        hand, held = (cards_of(wishes[key]) for key in ("hand", "enemy_hand"))
        attacks = wishes["role"] == ROLES[0]
        ground = PracticeWish(int(wishes["score"] or 0), own, enemy, hand, held, power, attacks)
        against = msgspec.convert(wishes["against"], Tactic)
        return battle_account(self.desk.opened, self.desk.draft, ground, against)

    def do_write(self, text: str) -> object:
        """Replace the text of the draft on top, and return the state of the desk."""
        self.desk.draft.become(text)
        return self.desk.state()

    def do_undo(self) -> object:
        """Undo the last change of the draft on top."""
        self.desk.draft.undo()
        return self.desk.state()

    def do_redo(self) -> object:
        """Make the change again that was undone last."""
        self.desk.draft.redo()
        return self.desk.state()

    def do_key(self, data: str, passphrase: str) -> object:
        """Load the private key of a file that is given in base 64, and return its fingerprint. From a locked file
        without a passphrase nothing is loaded: return the file's lock."""
        file = base64.b64decode(data)
        if not passphrase and locked_public(file):
            return {"lock": lock_of(file)}
        return {"key": self.desk.load_key(file, passphrase).fingerprint}

    def do_new_lock(self) -> object:
        """Return the lock of a key's file that is yet to be written. With it the page can begin bcrypt, which takes
        long, ahead of time."""
        return new_lock()

    def do_question(self) -> object:
        """Return the question for the chances of the drafts, as a long act takes it."""
        return self.desk.question()

    def do_forget_key(self) -> object:
        self.desk.key = None
        return True

    def do_new_key(self, passphrase: str) -> object:
        """Make a private key; return its file, its fingerprint and its public half."""
        file = self.desk.make_key("", passphrase)
        assert self.desk.key
        public = self.desk.key.public
        return {"key": public.fingerprint, "file": file.decode(), "public": public.text}

    def do_sign(self) -> object:
        """Sign the draft on top."""
        self.desk.sign()
        return self.desk.state()

    def do_outlook(self) -> object:
        """Return the reader's goal, and the sides of the war."""
        return self.desk.opened.outlook()

    def do_before(self) -> object:
        """Return the picture of the board before the orders."""
        return self.desk.opened.board().over(self.desk.table)

    def do_step(self, number: int) -> object:
        """Return the picture of the board after the step with this index, and the cities where the step happened."""
        return self.desk.opened.step(number)

    def do_reach(self, names: list[str]) -> object:
        """Return the cities that pieces can reach."""
        return self.desk.opened.reach(self.desk.judgement().trial, names)


def values_in(given: str) -> list[AnyTree]:
    """Return the values of a JSON list. Half of a surrogate pair, which a browser's text can hold, becomes a
    question mark."""
    try:
        return msgspec.json.decode(given, type=list[AnyTree])
    except msgspec.DecodeError:
        whole = json.dumps(json.loads(given), ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.decode(whole, type=list[AnyTree])
