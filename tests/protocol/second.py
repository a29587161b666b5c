"""A second verifier of archives, written from `docs/protocol.md` alone: nothing of `pbem`, and no rule of any game.

It tells whether an archive says what it says soundly: entries, signatures, letters, commitments, the deal. Whether the
orders lead to the positions is for a program that knows the rules.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, NamedTuple

from tests.protocol import second_clock, second_close
from tests.protocol.second_entries import Entry, Finding, Wrong, entries_of, need
from tests.protocol.second_keys import Unsound, check, key_of
from tests.protocol.second_letters import Letter, digest_of, letter_of
from tests.protocol.second_text import ordered, write
from tests.seal.second import canonical, fields, position_hash

STAGED = ("orders", "reveal", "agreement", "plan")
APART = ("message", "agreement")
"""Kinds of letters that are numbered for themselves."""


class Moment(NamedTuple):
    """What can be gone back to."""

    entry: int
    next: dict[str, Any]
    published: dict[int, list[str]]
    plans: dict[str, int]


class Campaign:
    """What the entries read so far say, added up."""

    def __init__(self, first: Entry) -> None:
        body = first.body
        self.settings: Any = body["settings"]
        self.name = first.campaign
        self.moderator = key_of(body["moderator"])
        self.secret: str = body["secret"]
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
        self.version = 0
        self.next: dict[str, Any] = {}
        self.deadline = self.began = self.last_needed = ""
        self.basis = ""
        """The beginning of the hash of the entry on which letters are written."""
        self.locked = False
        self.pending: dict[str, dict[str, Any]] = {}
        self.newest: dict[str, int] = {}
        """Each player's latest letter with orders, until it is taken back."""
        self.plans: dict[str, int] = {}
        """Each player's letter with standing plans."""
        self.published: dict[int, list[str]] = {}
        self.moments: list[Moment] = []
        self.bases: dict[int, str] = {}
        """The basis when the letter of an entry came in."""
        self.promises: dict[str, dict[str, int]] = {}
        """Of agreements that are not complete: the mark of the words, and the letters that say them."""
        self.refused: set[str] = set()
        self.absences: list[tuple[str, str, str]] = []
        self.closed: Entry | None = None

    @property
    def signs(self) -> bool:
        """Whether letters must be signed."""
        return bool(self.settings["conduct"]["signing"] == "on")

    @property
    def reveals(self) -> bool:
        """Whether sealed parts are opened by their players only."""
        return bool(self.settings["conduct"]["sealing"] == "reveal")

    def take(self, entry: Entry) -> None:
        """Add an entry; raises `Wrong` if it must not stand here."""
        need(self.closed is None, "nothing follows the close")
        need(entry.kind in TAKERS, "an entry of this kind cannot stand here")
        TAKERS[entry.kind](self, entry)
        self.time = entry.tree["time"]

    def player(self, name: str) -> dict[str, str]:
        """Somebody who plays."""
        need(name in self.players, f"nobody plays {name}")
        return self.players[name]

    def note(self, entry: Entry, kind: str) -> None:
        """A letter was accepted: newer than all of its player's before, and another one."""
        player, seq, mark = entry.body["player"], int(entry.body["seq"]), entry.body["mark"]
        counted = f"{player}/{kind}" if kind in APART else player
        need(seq > self.seqs.get(counted, 0), "a letter with this seq or a later one came in before")
        need(mark not in self.marks, "the same letter was taken before")
        self.seqs[counted], self.marks[mark] = seq, entry.number

    def joined(self, entry: Entry) -> None:
        """A player takes a seat."""
        body, player = entry.body, entry.body["player"]
        need(self.phase == "joining", "the game has begun")
        need(player in self.settings["seats"] and player not in self.players, "there is no such free seat")
        letter = self.letter_in(entry, "join", body["key"])
        said = letter.body
        chance = said.get("entropy", "")
        is_hex = len(chance) == 64 and not set(chance) - set("0123456789abcdef")
        own = chance if is_hex else hashlib.sha256(chance.encode()).hexdigest()
        need(bool(chance) and body["entropy"] == own, "the letter brings other chance")
        need(said.get("deal") == self.secret, "the letter is for another deal")
        need(said.get("key", "") == body["key"], "the letter names another key")
        need(said.get("name", "") == body.get("name", ""), "the letter names another name")
        need((said.get("language") or "en") == body.get("language", ""), "the letter names another language")
        self.players[player] = {"name": body.get("name", ""), "key": body["key"]}
        self.entropy[player] = own
        self.note(entry, "join")

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
        check(key, letter.signed, letter.signature)

    def letter(self, entry: Entry) -> None:
        """A letter was accepted."""
        body, kind, player = entry.body, entry.body["kind"], entry.body["player"]
        key = self.player(player)["key"]
        acted = bool(body.get("acted"))
        acting = self.moderator if acted else key_of(key) if key else None
        need(kind in (*STAGED, "message"), "no such letter is accepted")
        need(not acted or kind in ("orders", "reveal", "plan"), "nobody writes such a letter for somebody else")
        self.keys[entry.number], self.bases[entry.number] = acting, self.basis
        self.note(entry, kind)
        self.letters[entry.number] = entry
        if kind in STAGED:
            need(self.phase == "running" and body["stage"] == self.next["stage"], "it is not the time for this")
        need(kind == "orders" or "wait" not in body, "only orders ask to wait")
        need(kind in ("orders", "plan") or "status" not in body, "such a letter is never a draft")
        TAKERS_OF_LETTERS[kind](self, entry, body.get("slots", {}))

    def message(self, entry: Entry, slots: dict[str, str]) -> None:
        """Words to others."""
        need(not slots and not entry.body["stage"], "a message has no stage, and nothing is sealed in it")

    def orders(self, entry: Entry, slots: dict[str, str]) -> None:
        """Orders for this stage."""
        need(not self.locked, "nothing can be changed behind a lock")
        player, status = entry.body["player"], entry.body.get("status", "final")
        made = {"entry": str(entry.number), "status": status, "wait": entry.body.get("wait", "false")}
        self.pending[player] = {**made, "slots": slots, "revealed": []}
        self.newest[player], self.last_needed = entry.number, entry.tree["time"]

    def plan(self, entry: Entry, slots: dict[str, str]) -> None:
        """Standing plans; they are in if they answer all that is asked."""
        player, status = entry.body["player"], entry.body.get("status", "final")
        need(status != "draft", "plans are no draft")
        need(not (self.reveals and slots), "nothing in plans can be sealed here")
        self.plans[player] = entry.number
        if status == "final" and player not in self.pending:
            made: dict[str, Any] = {"entry": str(entry.number), "status": "final", "wait": "false"}
            self.pending[player] = {**made, "slots": {}, "revealed": []}
            self.last_needed = entry.tree["time"]

    def reveal(self, entry: Entry, slots: dict[str, str]) -> None:
        """What was committed to is shown, all of it."""
        pending = self.pending.get(entry.body["player"])
        need(self.reveals and self.locked and pending is not None, "nothing is to be revealed now")
        assert pending is not None
        need(all(pending["slots"].get(slot) == slots[slot] for slot in slots), "nobody has committed to this")
        need(set(pending["slots"]) <= {*slots, *pending["revealed"]}, "not everything is revealed")
        pending["revealed"] += sorted(slots, key=lambda key: key.encode("utf-16-be"))
        self.last_needed = entry.tree["time"]

    def promise(self, entry: Entry, slots: dict[str, str]) -> None:
        """Somebody agrees."""
        need(list(slots) == ["words"], "an agreement has the mark of its words")
        self.promises.setdefault(slots["words"], {})[entry.body["player"]] = entry.number

    def adjudicated(self, entry: Entry) -> None:
        """Orders were carried out, or the game begins."""
        body = entry.body
        seats = self.settings["seats"]
        may = self.phase == "running" or (self.phase == "joining" and set(seats) == set(self.players))
        need(may, "the game does not run")
        need(int(body["version"]) == self.version + 1, "the version is not the next one")
        need(body["stage"] == self.next.get("stage", ""), "it is another stage")
        self.those_in_force({int(number) for number in body["used"]})
        self.defaults(entry)
        for dealt in body.get("dealt", []):
            self.published[int(dealt["number"])] = dealt["hashes"]
        shown = body.get("openings", [])
        need(not shown or self.settings["conduct"]["proofs"] == "at once", "proofs were not to be shown yet")
        for opening in shown:
            self.shown(opening)
        self.version += 1
        for player in body.get("returned", []):
            self.newest.pop(player, None)
        self.deadline_is(entry, body["next"], self.deadline)
        self.follow(entry)

    def those_in_force(self, used: set[int]) -> None:
        """Exactly the letters in force were used; of those revealed before, some may have been unreadable."""
        need(set(self.plans.values()) <= used, "standing plans were passed over")
        need(used <= {*self.newest.values(), *self.plans.values()}, "a letter was used that is not in force")
        must = {int(waiting["entry"]) for waiting in self.pending.values()}
        must = must & set(self.newest.values()) if self.reveals else set(self.newest.values())
        need(must <= used, "a letter that is in was passed over")

    def defaults(self, entry: Entry) -> None:
        """Nobody is passed over before the time, and for the reason that is given."""
        body = entry.body
        absent, forfeited = body.get("absent", {}), body.get("forfeited", {})
        if not self.next:
            need(not absent and not forfeited and "forced" not in body, "nobody was asked yet")
            return
        allowed, forced = self.allowed(entry.tree["time"]), body.get("forced", "false") == "true"
        need(forced == (not allowed), "the clock allowed it, or did not")
        hidden = {p: sorted(set(w["slots"]) - set(w["revealed"])) for p, w in self.pending.items()}
        hidden = {p: slots for p, slots in hidden.items() if slots}
        need(self.locked or not (self.reveals and hidden), "what was sealed was not locked first")
        need(forfeited == (hidden if self.locked else {}), "what is forfeited is not this")
        need(set(absent) <= set(self.next.get("owing", {})), "somebody is absent who is not asked")
        if not self.locked and allowed == "orders":
            need(not absent, "all orders were in")
            return
        heard = {*self.newest, *self.plans}
        need(set(self.next.get("owing", {})) - heard <= set(absent), "somebody who said nothing is not absent")
        for player, why in absent.items():
            went_on = "the moderator went on" if forced else "no orders by the deadline"
            mute = "what was revealed does not answer" if self.locked and player in self.newest else went_on
            need(why == ("not revealed in time" if player in forfeited else mute), "somebody is absent for no reason")

    def allowed(self, now: str) -> str:
        """Why the clock allows an adjudication now, if it does."""
        clock = self.settings["clock"]
        if self.locked:
            clock = {**clock, "at_deadline": "hold"}
        owed = [self.owed(player) for player in self.next.get("owing", {})]
        waiting = any(pending["wait"] == "true" for pending in self.pending.values())
        return second_clock.permitted(clock, now, self.deadline, owed, waiting, self.began)

    def owed(self, player: str) -> second_clock.Owed | None:
        """What is in from somebody who is asked."""
        pending = self.pending.get(player)
        if pending is None:
            is_answered = player in self.next.get("answered", [])
            return second_clock.Owed(second_clock.moment(self.began), False, True) if is_answered else None
        if self.locked and set(pending["slots"]) - set(pending["revealed"]):
            return None
        since = second_clock.moment(self.last_needed or self.time)
        is_whole = pending["status"] != "partial"
        return second_clock.Owed(since, not is_whole or (pending["status"] == "draft" and not self.locked), is_whole)

    def deadline_is(self, entry: Entry, said: dict[str, Any], before: str) -> None:
        """The deadline must be the one that the clock sets."""
        if said.get("over") == "true":
            need("deadline" not in said, "a game that is over has no deadline")
            return
        away = [(first, last) for player, first, last in self.absences if player in said.get("owing", {})]
        expected = second_clock.deadline(self.settings["clock"], entry.tree["time"], before, away)
        need(said.get("deadline", "") == expected, "the clock sets another deadline")

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
        self.locked, self.last_needed = False, ""
        self.began, self.basis = entry.tree["time"], entry.hash[:24]
        if entry.kind == "rollback" or self.next["stage"] != before.get("stage"):
            self.newest = {}
        if before and self.next["stage"].partition("/")[0] != before["stage"].partition("/")[0]:
            self.promises = {}
        self.moments.append(Moment(entry.number, self.next, dict(self.published), dict(self.plans)))

    def rolled_back(self, entry: Entry) -> None:
        """An earlier position counts again."""
        to = int(entry.body["to"])
        earlier = [moment for moment in self.moments if moment.entry <= to]
        need(bool(earlier) and to < entry.number, "there was no position to go back to")
        _, then, published, plans = earlier[-1]
        same = ("stage", "phase", "digest", "owing", "over")
        found = entry.body["next"]
        need([found.get(key) for key in same] == [then.get(key) for key in same], "the game stood otherwise then")
        need(not found.get("answered"), "letters do not come back")
        self.published, self.plans = dict(published), dict(plans)
        self.deadline_is(entry, found, "")
        self.follow(entry)

    def locking(self, entry: Entry) -> None:
        """What was committed to is fixed."""
        need(self.reveals and self.phase == "running" and not self.locked, "there is nothing to lock now")
        need(any(pending["slots"] for pending in self.pending.values()), "nothing is sealed")
        letters = sorted(int(pending["entry"]) for pending in self.pending.values())
        need([int(number) for number in entry.body["letters"]] == letters, "other letters are in")
        need(entry.body["stage"] == self.next["stage"], "it is another stage")
        said = {"owing": self.pending, "deadline": entry.body.get("deadline", "")}
        self.deadline_is(entry, said, self.deadline)
        self.locked, self.deadline = True, said["deadline"]

    def rekeyed(self, entry: Entry) -> None:
        """Somebody signs with another key from now on."""
        body, player = entry.body, entry.body["player"]
        key_of(body["key"])
        if not player:
            self.moderator = key_of(body["key"])
            return
        known = self.player(player)
        if "letter" in body:
            letter = self.letter_in(entry, "key-change", known["key"])
            need(bool(letter.signature) and letter.body.get("key") == body["key"], "the letter names another key")
            self.note(entry, "key-change")
        else:
            need(bool(body.get("why")) and "mark" not in body and "seq" not in body, "a ruling says why, and no more")
        known["key"] = body["key"]

    def replaced(self, entry: Entry) -> None:
        """Somebody else plays a seat."""
        player = entry.body["player"]
        known = self.player(player)
        self.players[player] = {"name": entry.body.get("name") or known["name"], "key": entry.body["key"]}
        for mine in (self.pending, self.newest, self.plans):
            mine.pop(player, None)

    def agreement(self, entry: Entry) -> None:
        """Everybody named has signed the same words."""
        numbers = [int(number) for number in entry.body["letters"]]
        last = self.letters.get(max(numbers, default=0))
        need(last is not None and last.body["kind"] == "agreement", "these are not letters that agree")
        assert last is not None
        signed = self.promises.pop(last.body["slots"]["words"], {})
        need(numbers == sorted(signed.values()), "these are not the letters with these words")
        need(entry.body["powers"] == sorted(signed), "others have agreed")

    def extended(self, entry: Entry) -> None:
        """More time."""
        need(self.phase == "running" and entry.body["until"] > self.deadline, "a deadline is only made later")
        self.deadline = entry.body["until"]

    def away(self, entry: Entry) -> None:
        """Somebody will be away."""
        body = entry.body
        self.player(body["player"])
        need(body["first"] <= body["last"], "an absence ends before it begins")
        self.absences.append((body["player"], body["first"], body["last"]))

    def reminded(self, entry: Entry) -> None:
        """Words to players."""
        for player in entry.body["players"]:
            self.player(player)

    def turned(self, entry: Entry) -> None:
        """Something was refused, which is entered once."""
        need(entry.body["mark"] not in self.refused, "this was refused before")
        need(entry.body.get("player", "") in ("", *self.settings["seats"]), "there is no such seat")
        self.refused.add(entry.body["mark"])

    def anything(self, entry: Entry) -> None:
        """Words from which nothing follows."""

    def close(self, entry: Entry) -> None:
        """The secret is published."""
        need(self.phase == "over" or bool(entry.body.get("why")), "an unfinished game is closed with a reason")
        secret = fields(b"pbem/secret/1", bytes.fromhex(entry.body["secret"]))
        need(hashlib.sha256(secret).hexdigest() == self.secret, "the secret is not the one committed to")
        self.phase, self.closed = "closed", entry

    def state_file(self, last: Entry) -> bytes:
        """What `state.yaml` must say."""
        document: dict[str, Any] = {"pbem": "1", "kind": "state", "format": "1", "campaign": self.name}
        document["version"] = str(self.version)
        document["head"] = {"entry": str(last.number), "hash": last.hash}
        document["phase"] = self.phase
        document["players"] = self.players
        if self.next:
            order = ("stage", "phase", "digest", "owing", "answered", "deadline", "over")
            document["next"] = {key: self.next[key] for key in order if key in self.next}
            document["deadline"], document["letters"] = self.deadline, self.pending
        return write(document, 66)


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
    "substitute": Campaign.replaced,
    "key-change": Campaign.rekeyed,
    "agreement": Campaign.agreement,
    "close": Campaign.close,
}

TAKERS_OF_LETTERS = {
    "orders": Campaign.orders,
    "plan": Campaign.plan,
    "reveal": Campaign.reveal,
    "agreement": Campaign.promise,
    "message": Campaign.message,
}


def verify(root: Path) -> list[Finding]:
    """Everything that is found wrong with an archive, up to the first entry that is not true."""
    entries, found = entries_of(root / "ledger")
    if not entries or entries[0].kind != "new":
        return found
    campaign: Campaign | None = None
    for entry in entries:
        try:
            campaign = campaign or Campaign(entry)
            check(campaign.moderator, canonical(entry.tree).encode(), entry.signature)
            if not found and entry.number > 1:
                campaign.take(entry)
        except (Wrong, Unsound) as wrong:
            found.append(Finding(f"ledger/{entry.file}", str(wrong)))
    if found or campaign is None:
        return found
    found = beside(root, campaign, entries)
    return found if found or not campaign.closed else second_close.verify(root, campaign, entries)


def beside(root: Path, campaign: Campaign, entries: list[Entry]) -> list[Finding]:
    """What lies beside the ledger and follows from it."""
    found = []
    words = b"# What was agreed; the ledger's first entry says the same, signed.\n"
    expected = {
        "state.yaml": campaign.state_file(entries[-1]),
        "campaign.yaml": words + write(ordered(campaign.settings), 66),
    }
    for name, data in expected.items():
        if not (root / name).is_file() or (root / name).read_bytes() != data:
            found.append(Finding(name, "this does not follow from the ledger"))
    for name, digest in entries[0].body.get("files", {}).items():
        path = root / "rules" / name
        if not path.is_file() or digest_of(path.read_bytes()) != digest:
            found.append(Finding(f"rules/{name}", "this is not the file that was agreed on"))
    return found
