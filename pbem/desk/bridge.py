"""Between the page and the desk: names of methods and texts in, JSON out; what is refused comes back in words."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from pbem.campaign.players.notebook import notes_text
from pbem.desk.bot_games import advice, deal, go_on, learn, lesson_progress, play_now, practise, resume
from pbem.desk.desk import Desk
from pbem.desk.drafts import REVEAL
from pbem.desk.lessons import lessons
from pbem.desk.moderators import Stranger
from pbem.desk.opened import Closed, Invited, Sitting, Written
from pbem.desk.openssh import lock_of
from pbem.desk.planning import add_plan, change_plan, move_plan
from pbem.desk.practice import first_seat, rules_of, scenarios, terms_of, titles
from pbem.desk.puzzles import puzzles
from pbem.engine.nouns import Power, Suit
from pbem.faults.wrong import PbemError, Wrong
from pbem.paper.plans.data import Tactic
from pbem.paper.plans.files import ROLES
from pbem.plans.practice import PracticeWish
from pbem.player.files import GivenFile
from pbem.player.plans import cards_of
from pbem.player.tables import trusted_guide
from pbem.resources import games
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import locked_public
from pbem.site.archive import SiteWords

if TYPE_CHECKING:
    from pbem.desk.archive import Shelf


class Bridge:
    """Functions of one desk that the page calls."""

    def __init__(self, language: str) -> None:
        """Lay an empty desk."""
        self.desk = Desk(language)
        self.shelf: Shelf | None = None

    def call(self, name: str, given: str) -> str:
        """Do one thing; the answer is a mapping with what is `done`, or what is `refused`."""
        asked: Callable[..., object] = getattr(self, f"do_{name}")
        try:
            answer: dict[str, object] = {"done": asked(*values_in(given))}
        except PbemError as error:
            answer = {"refused": [self.told(fault) for fault in error.faults]}
        return msgspec.json.encode(answer).decode()

    def told(self, fault: Wrong) -> dict[str, str | int]:
        """Fault in the language of the reader."""
        return fault.data(self.desk.language)

    def do_open(self, data: str, name: str) -> object:
        """Open a file, given as letters of base 64."""
        found = self.desk.open(base64.b64decode(data), name)
        if isinstance(found, Closed):
            return {"closed": [self.told(found.why)] if found.why else []}
        if isinstance(found, Written):
            return {"written": self.desk.state()}
        return self.answer_about(found) if isinstance(found, Stranger) else self.laid(found)

    def do_join(self, name: str, language: str) -> object:
        """Write the letter that takes a seat; with it come the moderators who are known, to be kept."""
        return {"letter": self.desk.join(name, language), "moderators": self.desk.moderators.text()}

    def do_remember(self, text: str) -> object:
        """Take the moderators who are known, as the browser has kept them."""
        self.desk.moderators.read(text)
        return True

    def do_moderators(self) -> object:
        """The moderators who are known, by their campaigns."""
        return {
            name: {"key": met.public.fingerprint, "met": met} for name, met in sorted(self.desk.moderators.met.items())
        }

    def do_moderators_in(self, text: str) -> object:
        """Campaigns in a text of known moderators that are not known here."""
        return sorted(self.desk.moderators.unknown_in(text))

    def do_take_moderators(self, text: str) -> object:
        """Take the moderators of campaigns that are not known here; return all that are known, to be kept."""
        self.desk.moderators.met |= self.desk.moderators.unknown_in(text)
        return self.desk.moderators.text()

    def do_forget(self, campaign: str) -> object:
        """Know the moderator of a campaign no longer; what is still known is to be kept."""
        self.desk.moderators.forget(campaign)
        return self.desk.moderators.text()

    def do_stranger(self) -> object:
        """Return the moderator whose letter waits."""
        return self.answer_about(self.desk.moderators.stranger())

    def do_compare(self, data: str, name: str) -> object:
        """Compare the key of who waits with a file, given as letters of base 64."""
        self.desk.moderators.compare(base64.b64decode(data), name)
        return self.do_stranger()

    def do_compare_archive(self) -> object:
        """Compare the key of the moderator who waits with the archive that was verified."""
        campaign, keys = self.archive.moderators()
        self.desk.moderators.compare_ledger(campaign, keys, "archive")
        return self.do_stranger()

    def do_accept(self) -> object:
        """Open the letter that waits; return it with the known moderators, which the browser keeps."""
        found = self.desk.accept()
        return {"moderators": self.desk.moderators.text(), "opened": self.laid(found)}

    def answer_about(self, stranger: Stranger) -> object:
        """Return the moderator whose letter waits, and the reason for a refusal if another key is known."""
        known = self.desk.moderators.another_known
        return {"stranger": stranger, "why": [self.told(self.desk.moderators.objection(known))] if known else []}

    def laid(self, found: Sitting | Invited) -> object:
        """All that is shown of what lies on the desk."""
        if isinstance(found, Invited):
            return {"invited": found}
        return {"sitting": found, "board": self.desk.board().sheet(), "state": self.desk.settle()}

    def do_warm(self) -> object:
        """Have at hand what is needed next, while the reader looks."""
        self.desk.warm()
        return True

    def do_starts(self) -> object:
        """Each game's first scenario, and the seat that acts first in it, as they are called."""
        return {game: self.start_of(game) for game in games()}

    def start_of(self, game: str) -> dict[str, str]:
        """The first scenario of a game, and the seat that acts first in it."""
        scenario = next(iter(titles(game)))
        seat = first_seat(rules_of(terms_of(game, scenario)))
        label = self.seats_of(game, scenario)[seat]
        return {"name": game.upper(), "scenario": scenario, "seat": seat, "label": label}

    def do_scenarios(self) -> object:
        """The games that can be practised."""
        return scenarios(self.desk.language)

    def do_seats(self, game: str, scenario: str) -> object:
        """The seats of a game, as they are called, each with its powers."""
        return self.seats_of(game, scenario)

    def seats_of(self, game: str, scenario: str) -> dict[str, str]:
        """The seats of a game, as they are called, each with those of its powers that take part."""
        words, rules = SiteWords(self.desk.language, game), rules_of(terms_of(game, scenario))
        return {seat: f"{words.player(seat)} ({', '.join(map(words.power, own))})" for seat, own in rules.seats.items()}

    def do_practise(self, game: str, scenario: str, seat: str, bot: str) -> object:
        """Begin a game against bots."""
        return self.laid(practise(self.desk, game, scenario, seat, bot))

    def do_puzzles(self) -> object:
        """The puzzles of every game, in words."""
        return puzzles(self.desk.language)

    def do_pose(self, name: str) -> object:
        """Open a puzzle."""
        return self.laid(self.desk.pose(name))

    def do_answer(self, name: str, part: str) -> object:
        """Lay an answer of a puzzle on top as the draft: the tempting orders, or the solution."""
        self.desk.answer_puzzle(name, part)
        return self.desk.state()

    def do_rule(self, section: str) -> object:
        """Short rules of a §."""
        return self.desk.rule(section)

    def do_lessons(self) -> object:
        """The lessons of every game, in their order."""
        return {game: list(found) for game in games() if (found := lessons(game))}

    def do_learn(self, game: str, name: str) -> object:
        """Begin a lesson; with it come its steps, and the names that its words leave open."""
        laid, lesson = self.laid(learn(self.desk, game, name)), lessons(game)[name]
        return {"laid": laid, "steps": lesson.steps, "names": lesson.names, "rules": lesson.rules}

    def do_learnt(self) -> object:
        """The steps of the lesson that have been done."""
        return lesson_progress(self.desk)

    def do_play_now(self, game: str) -> object:
        """Begin the first scenario of a game, in the seat that acts first. A bot deals out the troops."""
        return self.laid(play_now(self.desk, game))

    def do_kept(self) -> object:
        """Return the game or the letters on the desk, as the browser keeps them."""
        return None if self.desk.found is None else self.desk.kept()

    def do_resume(self, saved: str, texts: dict[str, str], chosen: str) -> object:
        """Go on with a game that was kept, and with the letter that lay there."""
        resume(self.desk, saved.encode(), "game")
        self.desk.restore(texts, chosen)
        return self.laid(self.desk.sitting())

    def do_restore(self, texts: dict[str, str], chosen: str) -> object:
        """Lay the letters that were kept on the desk."""
        self.desk.restore(texts, chosen)
        return self.desk.state()

    def do_lock_key(self, passphrase: str) -> object:
        """File of the key, locked by a passphrase, to be kept."""
        return self.desk.locked_key(passphrase).decode()

    def do_deal(self) -> object:
        """Write into the letter how a bot would deal out the troops."""
        deal(self.desk)
        return self.desk.settle()

    def do_advise(self) -> object:
        """Advice on the questions that are open: each with what is written for it, and why."""
        return advice(self.desk)

    def do_go_on(self) -> object:
        """Carry the orders out, and let the bots play."""
        return {"sitting": go_on(self.desk), "state": self.desk.settle()}

    def do_speak(self, language: str) -> object:
        """Go on in another language, with what lies on the desk as it is."""
        self.desk.speak(language)
        return None if self.desk.found is None else self.laid(self.desk.sitting())

    def do_put(self, power: Power, sections: dict[str, Tree]) -> object:
        """Write an answer into the orders of the draft on top."""
        self.desk.put(power, sections)
        return self.desk.settle()

    def do_close(self) -> object:
        """Order nothing more wherever that is an answer to what is open."""
        self.desk.close()
        return self.desk.settle()

    def do_would(self, power: Power, sections: dict[str, Tree]) -> object:
        """Outcome of an answer."""
        return self.desk.would(power, sections)

    def do_march(self, power: Power, pieces: list[str], stops: list[str], path: list[str]) -> object:
        """Write a march, or let the one that was written last go on."""
        self.desk.march(power, pieces, stops, path)
        return self.desk.settle()

    def do_going(self, power: Power) -> object:
        """Return the last march of a power, and where it can go on to."""
        return self.desk.going(power)

    def do_take_back(self, power: Power) -> object:
        """Take the last march of a power back."""
        self.desk.take_back(power)
        return self.desk.state()

    def do_take_up(self, name: str) -> object:
        """Lay another draft on top."""
        self.desk.drafts.take_up(name)
        return self.desk.state()

    def do_keep(self) -> object:
        """Let the draft on top be the orders."""
        self.desk.drafts.keep()
        return self.desk.state()

    def do_other(self) -> object:
        """Outcome of the other draft."""
        return self.desk.other()

    def do_seal(self) -> object:
        """Seal the letter; with it come the notes, which the player keeps where nobody else can open it."""
        self.desk.drafts.seal()
        assert self.desk.drafts.notes
        return {"state": self.desk.state(), "notes": notes_text(self.desk.drafts.notes).decode()}

    def do_notes(self, data: str, name: str) -> object:
        """Take the notes that were kept, in letters of base 64, and write the letter that shows what was sealed."""
        self.desk.drafts.take_notes(base64.b64decode(data), name)
        self.desk.drafts.take_up(REVEAL)
        return self.desk.state()

    def do_preset(self, preset: str) -> object:
        """Take plans that are ready."""
        self.desk.take_preset(preset)
        return self.desk.state()

    def do_plan_add(self, power: Power, kind: str) -> object:
        """Write a new plan of a kind for a power into the draft on top."""
        add_plan(self.desk.draft, power, kind)
        return self.desk.state()

    def do_plan_change(self, power: Power, number: int, key: str, text: str) -> object:
        """Write something under a key of a plan."""
        change_plan(self.desk.draft, power, number, key, text)
        return self.desk.state()

    def do_plan_move(self, power: Power, number: int, to: int) -> object:
        """Put a plan into another place, or take it out."""
        move_plan(self.desk.draft, power, number, to)
        return self.desk.state()

    def do_plan_try(self, power: Power, wishes: dict[str, str]) -> object:
        """Fight a battle by a power's plans."""
        own, enemy = (Suit(int(wishes[key])) for key in ("suit", "enemy_suit"))
        hand, held = (cards_of(wishes[key]) for key in ("hand", "enemy_hand"))
        attacks = wishes["role"] == ROLES[0]
        ground = PracticeWish(int(wishes["score"] or 0), own, enemy, hand, held, power, attacks)
        return self.desk.try_plans(power, ground, msgspec.convert(wishes["against"], Tactic))

    def do_write(self, text: str) -> object:
        """Take the letter as it was typed."""
        self.desk.draft.become(text)
        return self.desk.state()

    def do_undo(self) -> object:
        """Take the last change back."""
        self.desk.draft.undo()
        return self.desk.state()

    def do_redo(self) -> object:
        """Make the change again that was taken back last."""
        self.desk.draft.redo()
        return self.desk.state()

    def do_key(self, data: str, passphrase: str) -> object:
        """Take the key of a file, given as letters of base 64; tells its lock where a passphrase is wanted first."""
        file = base64.b64decode(data)
        if not passphrase and locked_public(file):
            return {"lock": lock_of(file)}
        return {"key": self.desk.load_key(file, passphrase).fingerprint}

    def do_forget_key(self) -> object:
        """Keep the key no longer."""
        self.desk.key = None
        return True

    def do_new_key(self, passphrase: str) -> object:
        """Make a key; its file is for the player to keep."""
        file = self.desk.make_key("", passphrase)
        assert self.desk.key
        public = self.desk.key.public
        return {"key": public.fingerprint, "file": file.decode(), "public": public.text}

    def do_sign(self) -> object:
        """Sign the letter."""
        self.desk.sign()
        return self.desk.state()

    def do_outlook(self) -> object:
        """The goal of the reader, and who stands with and against them."""
        return self.desk.outlook()

    def do_before(self) -> object:
        """Drawing of the board before any order."""
        return self.desk.board().over(self.desk.table)

    def do_step(self, number: int) -> object:
        """Board after a step of what happened."""
        return self.desk.step(number)

    def do_reach(self, names: list[str]) -> object:
        """Cities that pieces could reach."""
        return self.desk.reach(names)

    def do_archive(self, names: list[str]) -> object:
        """Begin with an archive, by the names of its files; tells which of them are wanted."""
        from pbem.desk.archive import Shelf  # loads much that nobody needs who opens none

        self.shelf = None
        self.shelf = Shelf(names)
        return self.shelf.wanted

    def do_give(self, name: str, data: str) -> object:
        """Take in the next bytes of one of the archive's files, given as letters of base 64."""
        self.archive.give(name, base64.b64decode(data))
        return True

    def do_verify(self) -> object:
        """Verify the archive for a moment; returns the progress of the verification."""
        return self.archive.go_on()

    def do_told(self) -> object:
        """Findings and the campaign."""
        return self.archive.told(self.desk.language)

    def do_stages(self, numbers: list[int]) -> object:
        """Return some stages of the archive's campaign."""
        return self.archive.stages(numbers)

    def do_hold(self, data: str, name: str) -> object:
        """Compare a report with the archive: a file, given as letters of base 64, or the report that lies on the
        desk."""
        report = trusted_guide(GivenFile(name, base64.b64decode(data))) if data else self.desk.seen
        assert report
        return self.archive.hold(report, name, self.desk.language)

    @property
    def archive(self) -> Shelf:
        """The archive that lies on the desk."""
        assert self.shelf, "no archive lies on the desk"
        return self.shelf


def values_in(given: str) -> list[AnyTree]:
    """Return the values of a JSON list. Half of a surrogate pair, which a browser's text can hold, becomes a
    question mark."""
    try:
        return msgspec.json.decode(given, type=list[AnyTree])
    except msgspec.DecodeError:
        whole = json.dumps(json.loads(given), ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.decode(whole, type=list[AnyTree])
