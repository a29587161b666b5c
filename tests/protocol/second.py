"""A second verifier of archives, written from `docs/protocol.md` alone: nothing of `pbem`, and no rule of any game.

It tells whether an archive says what it says soundly: entries, signatures, letters, commitments, the deal. Only a
program that knows the rules can tell whether the orders lead to the positions.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from tests.protocol import (
    second_asked,
    second_bank,
    second_beside,
    second_board,
    second_bots,
    second_clock,
    second_close,
    second_heirs,
    second_masks,
    second_stand_in,
    second_votes,
)
from tests.protocol.second_entries import Entry, Finding, Wrong, entries_of, need
from tests.protocol.second_keys import Unsound, check, check_any, key_of
from tests.protocol.second_letters import Letter, files_of, letter_of
from tests.seal.second import blob, canonical, fields, position_hash

MOST = 800
"""Limit of needless entries of a seat, and of refusals."""


class Moment(NamedTuple):
    """A moment that the game can go back to."""

    entry: int
    next: dict[str, Any]
    published: dict[int, list[str]]
    plans: dict[str, int]


class Campaign:
    """State that follows from the entries read so far."""

    STAGED = ("orders", "reveal", "agreement", "plan", "proposal")
    APART = ("message", "agreement", "succession", "proposal", "vote")
    """Kinds of letters that are numbered for themselves."""
    PRIVATE = ("message",)
    """Kinds that nobody opens, ever."""

    def __init__(self, first: Entry) -> None:
        body = first.body
        self.settings: Any = body["settings"]
        """Settings that hold now: votes can change the clock."""
        self.founding: Any = body["settings"]
        self.drawn: dict[str, str] = {}
        """The seats that a lot has given, by the seats joined."""
        self.name = first.campaign
        self.moderator = key_of(body["moderator"])
        self.secret: str = body["secret"]
        self.protocol = int(body.get("protocol", "1"))
        self.players: dict[str, dict[str, str]] = {}
        self.entropy: dict[str, str] = {}
        self.seqs: dict[str, int] = {}
        self.marks: dict[str, int] = {}
        self.letters: dict[int, Entry] = {}
        self.keys: dict[int, bytes | None] = {}
        """The key with which the letter of an entry must be signed."""
        self.inner: dict[int, Letter] = {}
        """The letters that stand in entries themselves."""
        self.phase, self.time = "joining", first.tree["time"]
        self.times: list[str] = [self.time]
        """Of all entries so far, by every clock."""
        self.deadlines = [""]
        """As they were behind these entries."""
        self.version = 0
        self.next: dict[str, Any] = {}
        self.deadline = self.began = self.last_needed = ""
        self.basis = ""
        """The beginning of the hash of the entry on which letters are written."""
        self.locked = self.hurried = False
        self.pending: dict[str, dict[str, Any]] = {}
        self.newest: dict[str, int] = {}
        """Each player's latest letter with orders, until it is taken back."""
        self.plans: dict[str, int] = {}
        """Each player's letter with standing plans."""
        self.unshown: dict[str, Entry] = {}
        """Those of them that were committed to, and that nobody can read yet."""
        self.masked: dict[int, tuple[Entry, str]] = {}
        """Entries of sealed letters that tell who somebody is, with the key that must have signed."""
        self.stages: dict[int, dict[str, str]] = {}
        """Of letters that reveal: the stage to which the commitment of each part is bound."""
        self.since: dict[str, int] = {}
        """Since which entry somebody else plays a seat."""
        self.published: dict[int, list[str]] = {}
        self.protocol = int(body.get("protocol", "1"))
        self.shown_at = 0
        """The latest letter that showed something behind a lock."""
        self.consents: set[int] = set()
        """Entries to which all seats have agreed to go back."""
        self.moments: list[Moment] = []
        self.bases: dict[int, str] = {}
        """The basis when the letter of an entry came in."""
        self.promises: dict[str, dict[str, int]] = {}
        """Of agreements that are not complete: the mark of the words, and the letters that say them."""
        self.signers: dict[int, list[str]] = {}
        """Of letters of agreements: who has signed these words by then."""
        self.refused: set[str] = set()
        self.spare: dict[str, int] = {}
        """Numbers of needless entries from each seat's letters."""
        self.absences: list[tuple[str, str, str]] = []
        """Those that move deadlines: the others have a bot that stands in."""
        self.announced: list[tuple[str, str, str]] = []
        """All of them, which together may have so many days."""
        self.stand_ins: list[second_stand_in.StandIn] = []
        self.stood_in: list[second_stand_in.StandIn] = []
        """Those whose players have come back."""
        self.bots: dict[str, int] = {}
        """The seats that bots have, and since which entry."""
        self.by_bot: dict[int, str] = {}
        """The letters that bots wrote, and the whole hash of the entry on which each is written."""
        self.whole_basis = ""
        self.by_bots: dict[str, int] = {}
        """The latest orders of a bot that stood in."""
        self.host_seat: str = self.settings["moderator"].get("seat", "")
        """Seat of a moderator who plays."""
        self.holders: dict[str, str] = {}
        """Seats with parts of the key for an heir, and the keys that they had then."""
        self.resigned: set[str] = set()
        """Seats that nobody has taken since their players resigned."""
        self.past: list[second_votes.Past] = []
        """Positions that the game has left: when, and their stage and basis."""
        self.proposals: list[second_votes.Proposal] = []
        """Proposals that are open."""
        self.rows: list[second_bank.Row] = []
        """Time that seats have saved, or by which they were late."""
        self.whole: dict[str, str] = {}
        """Since when the letters of a seat answer all that is asked now."""
        self.final: dict[str, str] = {}
        """Since when they are final, too; since protocol 6 also unchanged, and without a wish to wait."""
        self.stands: dict[str, str] = {}
        """Since when each held seat is held."""
        self.clock_end = ""
        """The deadline of this stage if nobody were away and no more time given; with a bank of time alone."""
        self.closed: Entry | None = None

    @property
    def agreed(self) -> str:
        """The deadline of this stage without what was given on top, which protocol 1 counts too."""
        return self.next.get("deadline", "") if self.protocol > 1 else self.deadline

    @property
    def signs(self) -> bool:
        """True if letters must be signed."""
        return bool(self.settings["conduct"]["signing"] == "on")

    @property
    def bound(self) -> bool:
        """True if a lock binds everybody to what they have sealed."""
        return self.locked and self.protocol >= 2

    @property
    def reveals(self) -> bool:
        """True if only their players open sealed parts."""
        return bool(self.settings["conduct"]["sealing"] == "reveal")

    def take(self, entry: Entry) -> None:
        """Add an entry; raises `Wrong` if it must not stand here."""
        need(self.closed is None, "nothing follows the close")
        need(entry.kind in TAKERS, "an entry of this kind cannot stand here")
        second_votes.before(self, entry)
        rows = second_bank.rows_of(self, entry)
        TAKERS[entry.kind](self, entry)
        self.rows += rows
        second_bank.note(self, entry)
        self.time = entry.tree["time"]
        self.times.append(self.time)
        self.deadlines.append(self.deadline)

    def player(self, name: str) -> dict[str, str]:
        """Somebody who plays."""
        need(name in self.players, f"nobody plays {name}")
        return self.players[name]

    def note(self, entry: Entry, kind: str) -> None:
        """A letter was accepted: newer than all of its player's before, and another one."""
        player, seq, mark = entry.body["player"], int(entry.body["seq"]), entry.body["mark"]
        counted = f"{player}/{kind}" if kind in self.APART else player
        counted = f"{player}/stand-in" if "bot" in entry.body and entry.kind == "letter" else counted
        need(seq > self.seqs.get(counted, 0), "a letter with this seq or a later one came in before")
        need(mark not in self.marks, "the same letter was taken before")
        self.seqs[counted], self.marks[mark] = seq, entry.number

    def joined(self, entry: Entry) -> None:
        """A player takes a seat."""
        body, player = entry.body, entry.body["player"]
        need(self.phase == "joining", "the game has begun")
        need(player in self.settings["seats"] and player not in self.players, "there is no such free seat")
        if not second_masks.silent(self, entry):
            need("letter" in body, "the letter is hidden")
            letter = self.letter_in(entry, "join", body["key"])
            self.taking(letter, body)
            need(letter.body.get("key", "") == body["key"], "the letter names another key")
            need(letter.body.get("name", "") == body.get("name", ""), "the letter names another name")
            language = letter.body.get("language") or self.settings["seats"][player].get("language", "en")
            need(language == body.get("language", ""), "the letter names another language")
        planned = self.settings["seats"][player]
        need(self.protocol < 2 or body["key"] or planned.get("reports") != "sealed", "a sealed seat needs a key")
        otherwise = planned.get("name", "") if self.protocol >= 2 else ""
        self.players[player] = {"name": body.get("name") or otherwise, "key": body["key"]}
        self.entropy[player] = body["entropy"]
        if planned.get("bot"):
            self.bots[player] = entry.number
            need(body["seq"] == "1", "a bot leaves out no number")
        self.note(entry, "join")

    def taking(self, letter: Letter, body: dict[str, Any]) -> None:
        """A letter that takes a seat must bring the chance of the entry, for this deal."""
        chance = letter.body.get("entropy", "")
        is_hex = len(chance) == 64 and not set(chance) - set("0123456789abcdef")
        own = chance if is_hex else hashlib.sha256(chance.encode()).hexdigest()
        need(bool(chance) and body["entropy"] == own, "the letter brings other chance")
        need(letter.body.get("deal") == self.secret, "the letter is for another deal")

    def letter_in(self, entry: Entry, kind: str, key: str) -> Letter:
        """The letter that stands in an entry, which it must agree with, signed with this key."""
        letter = letter_of(entry.body["letter"])
        self.inner[entry.number] = letter
        told = (letter.kind, letter.campaign, letter.sender, letter.seq)
        body = entry.body
        need(told == (kind, self.name, body["player"], int(body["seq"])), "the letter does not say this")
        need(letter.tidy == body["letter"], "the letter is not written in the one way")
        self.signed(letter, key_of(key) if key else None)
        return letter

    def signed(self, letter: Letter, key: bytes | None) -> None:
        """The letter must be signed with this key; without one, nobody can sign."""
        if key is None:
            need(not self.signs and not letter.signature, "nobody can sign for this seat")
            return
        need(bool(letter.signature), "the letter is not signed")
        check_any(key, files_of(letter), letter.signature)

    def letter(self, entry: Entry) -> None:
        """A letter was accepted."""
        body, kind, player = entry.body, entry.body["kind"], entry.body["player"]
        key = self.player(player)["key"]
        acted = bool(body.get("acted"))
        if not acted and (player in self.bots or "bot" in body):
            second_bots.owed(self, entry)
            self.by_bot[entry.number] = self.whole_basis
        if "bot" in body:
            key = second_stand_in.writing(self, entry)
        elif not acted:
            second_stand_in.come_back(self, player, entry.tree["time"])
        acting = self.moderator if acted else key_of(key) if key else None
        need(kind in TAKERS_OF_LETTERS, "no such letter is accepted")
        need(not acted or kind in ("orders", "reveal", "plan"), "nobody writes such a letter for somebody else")
        self.keys[entry.number], self.bases[entry.number] = acting, self.basis
        self.note(entry, kind)
        self.letters[entry.number] = entry
        if kind in self.STAGED:
            need(self.phase == "running" and body["stage"] == self.next["stage"], "it is not the time for this")
        need(kind == "orders" or "wait" not in body, "only orders ask to wait")
        need(kind in ("orders", "plan", "reveal") or "status" not in body, "such a letter is never a draft")
        if not acted and kind != "reveal" and (kind != "orders" or player in self.pending):
            self.spend(player)
        TAKERS_OF_LETTERS[kind](self, entry, body.get("slots", {}))
        if not acted and "bot" not in body:
            second_votes.heard(self, player)

    def spend(self, player: str) -> None:
        """One more entry of a seat that the game could do without."""
        self.spare[player] = self.spare.get(player, 0) + 1
        need(self.protocol < 2 or self.spare[player] <= MOST, "this seat has had too many letters")

    def message(self, entry: Entry, slots: dict[str, str]) -> None:
        """Words to others."""
        proved = ["message"] if self.settings["conduct"].get("messages") == "at the close" else []
        need(list(slots) == proved and not entry.body["stage"], "a message has no stage, and no part but its proof")

    def orders(self, entry: Entry, slots: dict[str, str]) -> None:
        """Orders for this stage."""
        need(not self.locked, "nothing can be changed behind a lock")
        need(not (self.reveals and any(map(of_plans, slots))), "orders are sealed under the name of plans")
        player, status = entry.body["player"], entry.body.get("status", "final")
        made = {"entry": str(entry.number), "status": status, "wait": entry.body.get("wait", "false")}
        self.pending[player] = {**made, "slots": slots, "revealed": []}
        self.newest[player], self.last_needed = entry.number, entry.tree["time"]

    def plan(self, entry: Entry, slots: dict[str, str]) -> None:
        """Standing plans: with the orders that are in they answer all that is asked, or no more."""
        player, status = entry.body["player"], entry.body.get("status", "final")
        need(status != "draft" and not self.locked, "plans are no draft, and nothing can be changed behind a lock")
        need(not self.reveals or all(map(of_plans, slots)), "plans are sealed under the name of orders")
        self.plans[player] = entry.number
        self.unshown.pop(player, None)
        if self.reveals and slots:
            self.unshown[player] = entry
        self.now_answering(entry, player, status)

    def now_answering(self, entry: Entry, player: str, status: str) -> None:
        """Standing plans that can be read answer with the orders that are in, or do not."""
        if player not in self.next.get("owing", {}):
            return
        pending = self.pending.get(player)
        if pending is None:
            is_new = self.answers(player, status == "final")
        elif is_new := (pending["status"] == "partial") != (status == "partial"):
            pending["status"] = status
        if is_new:
            self.last_needed = entry.tree["time"]

    def answers(self, player: str, does: bool) -> bool:
        """Note whether letters that are no orders of this stage answer for a player; whether that is new."""
        before = self.next.get("answered", [])
        after = [one for one in self.next.get("owing", {}) if (does if one == player else one in before)]
        self.next = {key: value for key, value in self.next.items() if key != "answered"}
        self.next |= {"answered": after} if after else {}
        return bool(after != before)

    def reveal(self, entry: Entry, slots: dict[str, str]) -> None:
        """Take a reveal of everything that was committed to; without a lock, of plans alone."""
        player, status = entry.body["player"], entry.body.get("status", "final")
        self.shown_at = entry.number if self.locked else self.shown_at
        pending = self.pending.get(player) if self.locked else None
        plans = self.unshown.pop(player, None)
        committed = dict(plans.body["slots"]) if plans else {}
        self.stages[entry.number] = dict.fromkeys(committed, plans.body["stage"] if plans else "")
        if pending:
            left = [slot for slot in pending["slots"] if slot not in pending["revealed"]]
            committed |= {slot: pending["slots"][slot] for slot in left}
            self.stages[entry.number] |= dict.fromkeys(left, self.next["stage"])
            pending["revealed"] += sorted(left, key=lambda key: key.encode("utf-16-be"))
        need(bool(committed) and slots == committed, "what is revealed is not what was committed to, and hidden")
        need(status == "final" or (status == "partial" and not self.locked), "what is revealed is never a draft")
        if self.locked:
            self.last_needed = entry.tree["time"]
        else:
            self.now_answering(entry, player, status)

    def promise(self, entry: Entry, slots: dict[str, str]) -> None:
        """Somebody agrees."""
        need(list(slots) == ["words"], "an agreement has the mark of its words")
        signed = self.promises.setdefault(slots["words"], {})
        signed[entry.body["player"]] = entry.number
        self.signers[entry.number] = sorted(signed)

    def adjudicated(self, entry: Entry) -> None:
        """Orders were carried out, or the game begins."""
        body = entry.body
        seats = self.settings["seats"]
        may = self.phase == "running" or (self.phase == "joining" and set(seats) == set(self.players))
        need(may, "the game does not run")
        need(int(body["version"]) == self.version + 1, "the version is not the next one")
        need(body["stage"] == self.next.get("stage", ""), "it is another stage")
        self.draw(body.get("drawn", {}))
        second_asked.those_in_force(self, {int(number) for number in body["used"]})
        second_asked.defaults(self, entry)
        for dealt in body.get("dealt", []):
            self.published[int(dealt["number"])] = dealt["hashes"]
        shown = body.get("openings", [])
        need(not shown or self.settings["conduct"]["proofs"] == "at once", "proofs were not to be shown yet")
        need(not self.bound or "returned" not in body, "nothing goes back behind a lock")
        for opening in shown:
            self.shown(opening)
        self.version += 1
        for player in body.get("returned", []):
            self.newest.pop(player, None)
        for player in list(self.unshown) if self.locked else []:
            del self.unshown[player], self.plans[player]
        second_asked.deadline_is(self, entry, body["next"], self.agreed)
        self.follow(entry)

    def draw(self, lot: dict[str, str]) -> None:
        """Everybody goes over to the seat that a lot has given, once, if that was agreed."""
        seats = sorted(self.settings["seats"])
        due = self.settings["conduct"].get("seats") == "drawn" and not self.version
        need((sorted(lot), sorted(lot.values())) == ((seats, seats) if due else ([], [])), "seats are not drawn so now")
        if not due:
            return
        self.drawn, self.host_seat = lot, lot.get(self.host_seat, "")
        self.players = {lot[seat]: who for seat, who in self.players.items()}
        self.spare = {lot[seat]: count for seat, count in self.spare.items()}
        self.absences = [(lot[seat], first, last) for seat, first, last in self.absences]
        self.announced = [(lot[seat], first, last) for seat, first, last in self.announced]
        counted = ((key.partition("/"), seq) for key, seq in self.seqs.items())
        self.seqs = {lot[seat] + mark + kind: seq for (seat, mark, kind), seq in counted}

    def shown(self, opening: dict[str, str]) -> None:
        """A card that shows must be the one that was dealt."""
        number, place, card = (int(opening[key]) for key in ("shuffle", "position", "card"))
        hashes = self.published.get(number, [])
        made = position_hash(number, place, bytes.fromhex(opening["salt"]), card)
        need(place < len(hashes) and hashes[place] == made, f"the card {card} was not dealt at {place} of {number}")

    def follow(self, entry: Entry) -> None:
        """The game waits for something new."""
        before, self.next = self.next, entry.body["next"]
        self.phase = "over" if self.next.get("over") == "true" else "running"
        self.deadline = self.next.get("deadline", "")
        answered = self.next.get("answered", [])
        self.pending = {player: self.pending[player] for player in answered if player in self.pending}
        self.locked, self.last_needed, self.consents = False, "", set()
        second_votes.left(self, entry, before)
        self.began, self.basis, self.whole_basis = entry.tree["time"], entry.hash[:24], entry.hash
        if entry.kind in ("rollback", "clock") or self.phase == "over":
            self.proposals = []
        if entry.kind in ("rollback", "clock") or self.next["stage"] != before.get("stage"):
            self.newest = {}
        if before and self.next["stage"].partition("/")[0] != before["stage"].partition("/")[0]:
            self.promises = {}
        readable = {player: number for player, number in self.plans.items() if player not in self.unshown}
        self.moments.append(Moment(entry.number, self.next, dict(self.published), readable))

    def repaired(self, entry: Entry) -> None:
        """The time was that of a wrong clock: what was done by it does not count."""
        now, to = entry.tree["time"], int(entry.body["to"])
        need(now < self.times[-1], "the time does not go back")
        right = max((number for number, time in enumerate(self.times, 1) if time <= now), default=0)
        began = self.moments[0].entry if self.moments else 0
        back = max(right, began)
        later = [moment.entry for moment in self.moments if moment.entry > self.shown_at]
        if began and not self.may_go_back(back):
            back = later[0] if later else len(self.times)
        need(to == back, "this is not where the clock began to be wrong, or what was shown could be chosen again")
        goes = bool(began) and self.may_go_back(to)
        need(("next" in entry.body) == goes, "the game goes back, or has not begun")
        need(("deadline" in entry.body) == (bool(began) and not goes), "what is locked goes on")
        if began and not goes:
            said = {"owing": {*self.pending, *self.unshown}, "deadline": entry.body["deadline"]}
            self.go_on(entry, said, self.deadlines[right - 1] if right else "")
        if goes:
            position = [moment for moment in self.moments if moment.entry <= to][-1]
            promised = self.times[position.entry - 1] <= now
            self.rolled_back(entry, position.next.get("deadline", "") if promised else "")
        farthest = second_clock.year_behind(self.settings["clock"], now)
        self.absences = [away for away in self.absences if away[2] <= farthest]
        self.announced = [away for away in self.announced if away[2] <= farthest]
        self.stand_ins = [away for away in self.stand_ins if away.last <= farthest]

    def may_go_back(self, to: int) -> bool:
        """True if the position of an entry may count again: not if something was revealed behind a lock after it."""
        position = [moment.entry for moment in self.moments if moment.entry <= to][-1]
        return self.protocol < 2 or position > self.shown_at or to in self.consents

    def go_on(self, entry: Entry, said: dict[str, Any], before: str) -> None:
        """All stays as it is behind a lock, but for the time."""
        second_asked.deadline_is(self, entry, said, before)
        now, self.deadline = entry.tree["time"], said["deadline"]
        self.next = self.next | {"deadline": min(self.next["deadline"], self.deadline)}
        self.began, self.last_needed = min(self.began, now), min(self.last_needed, now)

    def rolled_back(self, entry: Entry, before: str = "") -> None:
        """An earlier position counts again."""
        to = int(entry.body["to"])
        earlier = [moment for moment in self.moments if moment.entry <= to]
        need(bool(earlier) and to < entry.number, "there was no position to go back to")
        _, then, published, plans = earlier[-1]
        need(self.may_go_back(to), "what was shown behind a lock could be chosen again")
        same = ("stage", "phase", "digest", "owing", "over")
        found = entry.body["next"]
        need([found.get(key) for key in same] == [then.get(key) for key in same], "the game stood otherwise then")
        need(not found.get("answered"), "letters do not come back")
        self.published = dict(published)
        self.plans = {player: number for player, number in plans.items() if number > self.since.get(player, 0)}
        self.unshown = {}
        self.rows = [row for row in self.rows if row.entry <= to]
        second_asked.deadline_is(self, entry, found, before)
        self.follow(entry)

    def locking(self, entry: Entry) -> None:
        """Fix what was committed to."""
        need(self.reveals and self.phase == "running" and not self.locked, "there is nothing to lock now")
        need(second_asked.is_sealed(self), "nothing is sealed")
        letters = sorted(int(pending["entry"]) for pending in self.pending.values())
        letters = sorted([*letters, *(plans.number for plans in self.unshown.values())])
        need([int(number) for number in entry.body["letters"]] == letters, "other letters are in")
        need(entry.body["stage"] == self.next["stage"], "it is another stage")
        forced = entry.body.get("forced", "false") == "true"
        need(forced == (not second_asked.allowed(self, entry.tree["time"])), "the clock allowed it, or did not")
        said = {"owing": {*self.pending, *self.unshown}, "deadline": entry.body.get("deadline", "")}
        second_asked.deadline_is(self, entry, said, self.agreed)
        self.locked, self.hurried, self.deadline = True, forced, said["deadline"]

    def rekeyed(self, entry: Entry) -> None:
        """Somebody signs with another key from now on."""
        body, player = entry.body, entry.body["player"]
        key_of(body["key"])
        if not player:
            self.moderator = key_of(body["key"])
            return
        known = self.player(player)
        need(player not in self.bots, "a bot keeps its key")
        is_masked = second_masks.silent(self, entry)
        if "letter" in body or (is_masked and "mark" in body):
            need(
                {"seq", "mark"} <= set(body) and "why" not in body,
                "a letter has its number and its mark, and no reason",
            )
            if not is_masked:
                letter = self.letter_in(entry, "key-change", known["key"])
                need(bool(letter.signature) and letter.body.get("key") == body["key"], "the letter names another key")
                self.proved(letter, key_of(known["key"]), key_of(body["key"]))
            self.note(entry, "key-change")
            self.spend(player)
        else:
            need(bool(body.get("why")) and "mark" not in body and "seq" not in body, "a ruling says why, and no more")
        known["key"] = body["key"]

    def proved(self, letter: Letter, old: bytes, new: bytes) -> None:
        """Check the proof that the writer has the key that is named; older campaigns need none, but one that is there
        must be true."""
        proof = letter.body.get("proof", "")
        if self.protocol < 2 and not proof:
            return
        words = {"pbem": "1", "kind": "key-proof", "campaign": self.name, "from": letter.sender}
        words |= {"seq": str(letter.seq), "old": f"ssh-ed25519 {base64.b64encode(blob(old)).decode()}"}
        check(new, canonical(words).encode(), proof)

    def replaced(self, entry: Entry) -> None:
        """Somebody else plays a seat."""
        player = entry.body["player"]
        known = self.player(player)
        if entry.body["key"]:
            key_of(entry.body["key"])
        second_stand_in.agreed(self, entry.body)
        second_masks.silent(self, entry)
        second_stand_in.come_back(self, player, "")
        name = entry.body.get("name") or ("" if self.protocol >= 2 else known["name"])
        self.players[player] = {"name": name, "key": entry.body["key"]}
        self.since[player] = entry.number
        for signed in self.promises.values():
            signed.pop(player, None)
        second_votes.dropped(self, player)
        self.resigned.discard(player)
        self.bots.pop(player, None)
        if "bot" in entry.body:
            self.bots[player] = entry.number
        if self.bound:
            return
        for mine in (self.pending, self.newest, self.plans, self.unshown):
            mine.pop(player, None)
        if self.next:
            self.answers(player, False)

    def agreement(self, entry: Entry) -> None:
        """Everybody named has signed the same words."""
        numbers = [int(number) for number in entry.body["letters"]]
        last = self.letters.get(max(numbers, default=0))
        need(last is not None and last.body["kind"] == "agreement", "these are not letters that agree")
        assert last is not None
        signed = self.promises.pop(last.body["slots"]["words"], {})
        need(numbers == sorted(signed.values()), "these are not the letters with these words")
        need(entry.body["powers"] == sorted(signed), "others have agreed")
        *consent, to = entry.body["words"].split() or [""]
        if consent == ["rollback", "to"] and to.isdecimal() and set(signed) == set(self.settings["seats"]):
            self.consents.add(int(to))

    def extended(self, entry: Entry) -> None:
        """More time."""
        need(self.phase == "running" and entry.body["until"] > self.deadline, "a deadline is only made later")
        self.deadline = entry.body["until"]

    def away(self, entry: Entry) -> None:
        """Somebody will be away."""
        body = entry.body
        self.player(body["player"])
        self.granted(body["player"], body["first"], body["last"], entry.tree["time"])
        second_stand_in.agreed(self, body)
        if "bot" in body:
            found = second_stand_in.StandIn(body["player"], body["first"], body["last"], body["bot"], body["key"])
            self.stand_ins.append(found)
            return
        self.absences.append((body["player"], body["first"], body["last"]))

    def granted(self, player: str, first: str, last: str, now: str) -> None:
        """An absence is one that could be announced then, within the days that were agreed."""
        clock = self.settings["clock"]
        need(second_clock.is_day(first) and second_clock.is_day(last), "an absence is of days")
        need(first <= last, "an absence ends before it begins")
        need(second_clock.local_day(clock, now) <= first, "an absence begins before it is announced")
        need(last <= second_clock.year_behind(clock, now), "an absence is too far ahead")
        own = [(begins, ends) for other, begins, ends in self.announced if other == player]
        added = second_clock.days_in_all([*own, (first, last)]) - second_clock.days_in_all(own)
        left = int(clock["absences"]) - second_clock.days_in_all(own)
        need(added <= left, "an absence has more days than are left")
        self.announced.append((player, first, last))

    def reminded(self, entry: Entry) -> None:
        """Words to players."""
        for player in entry.body["players"]:
            self.player(player)
        is_late = entry.tree["time"] >= self.deadline
        need(self.phase == "running" and bool(entry.body["players"]), "nobody is waited for")
        need(is_late == (entry.body["kind"] != "before"), "this is not the time for such a reminder")

    def turned(self, entry: Entry) -> None:
        """Something was refused, which is entered once."""
        need(entry.body["mark"] not in self.refused, "this was refused before")
        need(entry.body.get("player", "") in ("", *self.settings["seats"]), "there is no such seat")
        need(self.protocol < 2 or len(self.refused) < MOST, "too much was refused already")
        self.refused.add(entry.body["mark"])

    def anything(self, entry: Entry) -> None:
        """Words from which nothing follows."""

    def close(self, entry: Entry) -> None:
        """The secret is published."""
        need(self.phase == "over" or bool(entry.body.get("why")), "an unfinished game is closed with a reason")
        secret = fields(b"pbem/secret/1", bytes.fromhex(entry.body["secret"]))
        need(hashlib.sha256(secret).hexdigest() == self.secret, "the secret is not the one committed to")
        second_masks.fallen(self, entry)
        self.phase, self.closed = "closed", entry


TAKERS = {
    "join": Campaign.joined,
    "letter": Campaign.letter,
    "refused": Campaign.turned,
    "lock": Campaign.locking,
    "adjudication": Campaign.adjudicated,
    "ruling": Campaign.anything,
    "extension": Campaign.extended,
    "absence": Campaign.away,
    "reminder": Campaign.reminded,
    "rollback": Campaign.rolled_back,
    "clock": Campaign.repaired,
    "substitute": Campaign.replaced,
    "key-change": Campaign.rekeyed,
    "agreement": Campaign.agreement,
    "heirloom": second_heirs.split,
    "succession": second_heirs.succeeded,
    "proposal": second_votes.proposed,
    "vote": second_votes.voted,
    "end": second_votes.ended,
    "resolution": second_votes.resolved,
    "close": Campaign.close,
}

TAKERS_OF_LETTERS = {
    "orders": Campaign.orders,
    "plan": Campaign.plan,
    "reveal": Campaign.reveal,
    "agreement": Campaign.promise,
    "message": Campaign.message,
}


def of_plans(slot: str) -> bool:
    """True if a slot is named like those of standing plans."""
    return slot == "plans" or slot.startswith("plans-")


def verify(root: Path) -> list[Finding]:
    """Everything that is found wrong with an archive, up to the first entry that is not true."""
    entries, found = entries_of(root / "ledger")
    if not entries or entries[0].kind != "new":
        return found
    campaign: Campaign | None = None
    for entry in entries:
        try:
            campaign = campaign or Campaign(entry)
            check(second_heirs.signer(campaign, entry), canonical(entry.tree).encode(), entry.signature)
            if not found and entry.number > 1:
                campaign.take(entry)
            if entry.kind == "adjudication" and not found:
                second_board.on_the_board(entry, root, campaign.settings["terms"])
        except (Wrong, Unsound) as wrong:
            found.append(Finding(f"ledger/{entry.file}", str(wrong)))
    if found or campaign is None:
        return found
    found = second_beside.beside(root, campaign, entries)
    return found if found or not campaign.closed else second_close.verify(root, campaign, entries)
