"""A second verifier of archives, written from `docs/protocol.md` alone: nothing of `pbem`, and no rule of any game.

It tells whether an archive says what it says soundly: entries, signatures, letters, commitments, the deal. Whether the
orders lead to the positions is for a program that knows the rules.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from tests.protocol import second_close
from tests.protocol.second_entries import Entry, Finding, Wrong, entries_of, need
from tests.protocol.second_keys import Unsound, check, key_of
from tests.protocol.second_letters import Letter, digest_of, letter_of
from tests.protocol.second_text import ordered, write
from tests.seal.second import canonical, fields, position_hash

STAGED = ("orders", "reveal", "agreement")


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
        self.phase = "joining"
        self.version = 0
        self.next: dict[str, Any] = {}
        self.deadline = ""
        self.locked = False
        self.pending: dict[str, dict[str, Any]] = {}
        self.newest: dict[str, int] = {}
        """Each player's latest letter with orders, until it is taken back."""
        self.published: dict[int, list[str]] = {}
        self.moments: list[tuple[int, dict[str, Any], dict[int, list[str]]]] = []
        self.bases: dict[int, str] = {}
        """The digest of the public state when the letter of an entry came in."""
        self.agreed: set[int] = set()
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

    def player(self, name: str) -> dict[str, str]:
        """Somebody who plays."""
        need(name in self.players, f"nobody plays {name}")
        return self.players[name]

    def note(self, entry: Entry) -> None:
        """A letter was accepted: newer than all of its player's before, and another one."""
        player, seq, mark = entry.body["player"], int(entry.body["seq"]), entry.body["mark"]
        need(seq > self.seqs.get(player, 0), "a letter with this seq or a later one came in before")
        need(mark not in self.marks, "the same letter was taken before")
        self.seqs[player], self.marks[mark] = seq, entry.number

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
        need(body["entropy"] == own, "the letter brings other chance")
        need(said.get("key", "") == body["key"], "the letter names another key")
        need(said.get("name", "") == body.get("name", ""), "the letter names another name")
        need(said.get("language", "") in ("", body.get("language", "")), "the letter names another language")
        self.players[player] = {"name": body.get("name", ""), "key": body["key"]}
        self.entropy[player] = own
        self.note(entry)

    def letter_in(self, entry: Entry, kind: str, key: str) -> Letter:
        """The letter that stands in an entry, which it must agree with, signed with this key."""
        letter = letter_of(entry.body["letter"])
        self.inner[entry.number] = letter
        told = (letter.kind, letter.campaign, letter.sender, letter.seq)
        body = entry.body
        need(told == (kind, self.name, body["player"], int(body["seq"])), "the letter does not say this")
        self.signed(letter, key_of(key) if key else None)
        return letter

    def signed(self, letter: Letter, key: bytes | None) -> None:
        """The letter must be signed with this key, if letters are signed."""
        if not letter.signature:
            need(not self.signs, "the letter is not signed")
            return
        need(key is not None, "nobody can sign for this seat")
        check(key or b"", letter.signed, letter.signature)

    def letter(self, entry: Entry) -> None:
        """A letter was accepted."""
        body, kind, player = entry.body, entry.body["kind"], entry.body["player"]
        key = self.player(player)["key"]
        acting = self.moderator if body.get("acted") else key_of(key) if key else None
        need(kind in ("orders", "reveal", "message", "agreement"), "no such letter is accepted")
        self.keys[entry.number], self.bases[entry.number] = acting, self.next.get("digest", "")
        self.note(entry)
        self.letters[entry.number] = entry
        slots = body.get("slots", {})
        if kind in STAGED:
            need(self.phase == "running" and body["stage"] == self.next["stage"], "it is not the time for this")
        if kind == "orders":
            need(not self.locked, "nothing can be changed behind a lock")
            status, wait = body.get("status", "final"), body.get("wait", "false")
            made = {"entry": str(entry.number), "status": status, "wait": wait, "slots": slots, "revealed": []}
            self.pending[player], self.newest[player] = made, entry.number
        elif kind == "reveal":
            pending = self.pending.get(player)
            need(self.reveals and self.locked and pending is not None, "nothing is to be revealed now")
            assert pending is not None
            need(all(pending["slots"].get(slot) == slots[slot] for slot in slots), "nobody has committed to this")
            pending["revealed"] += sorted(slots, key=lambda key: key.encode("utf-16-be"))
        elif kind == "agreement":
            need(list(slots) == ["words"], "an agreement has the mark of its words")

    def adjudicated(self, entry: Entry) -> None:
        """Orders were carried out, or the game begins."""
        body = entry.body
        seats = self.settings["seats"]
        may = self.phase == "running" or (self.phase == "joining" and set(seats) == set(self.players))
        need(may, "the game does not run")
        need(int(body["version"]) == self.version + 1, "the version is not the next one")
        need(body["stage"] == self.next.get("stage", ""), "it is another stage")
        absent = body.get("absent", {})
        need(set(absent) <= set(self.next.get("owing", {})), "somebody is absent who is not asked")
        early = entry.tree["time"] < self.deadline
        need(not early or "no orders by the deadline" not in absent.values(), "it was before the deadline")
        used = {int(number) for number in body["used"]}
        need(used <= set(self.newest.values()), "a letter was used that is not in force")
        need({int(p["entry"]) for p in self.pending.values()} <= used, "a letter that is in was passed over")
        need(all(self.letters[number].body["stage"] == body["stage"] for number in used), "a letter of another stage")
        sealed = any(waiting["slots"] for waiting in self.pending.values())
        need(self.locked or not (self.reveals and sealed), "what was sealed was not locked first")
        if not self.locked:
            need("forfeited" not in body, "nothing can be forfeited without a lock")
        else:
            hidden = {p: sorted(set(w["slots"]) - set(w["revealed"])) for p, w in self.pending.items()}
            need(body.get("forfeited", {}) == {p: s for p, s in hidden.items() if s}, "what is forfeited is not this")
        for dealt in body.get("dealt", []):
            self.published[int(dealt["number"])] = dealt["hashes"]
        for shown in body.get("openings", []):
            self.shown(shown)
        self.version += 1
        for player in body.get("returned", []):
            self.newest.pop(player, None)
        self.follow(entry)

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
        self.locked = False
        if entry.kind == "rollback" or self.next["stage"] != before.get("stage"):
            self.newest = {}
        self.moments.append((entry.number, self.next, dict(self.published)))

    def rolled_back(self, entry: Entry) -> None:
        """An earlier position counts again."""
        to = int(entry.body["to"])
        earlier = [moment for moment in self.moments if moment[0] <= to]
        need(bool(earlier) and to < entry.number, "there was no position to go back to")
        _, then, published = earlier[-1]
        same = ("stage", "phase", "digest", "owing", "over")
        found = entry.body["next"]
        need([found.get(key) for key in same] == [then.get(key) for key in same], "the game stood otherwise then")
        need(not found.get("answered"), "letters do not come back")
        self.published = dict(published)
        self.follow(entry)

    def locking(self, entry: Entry) -> None:
        """What was committed to is fixed."""
        need(self.reveals and self.phase == "running" and not self.locked, "there is nothing to lock now")
        letters = sorted(int(pending["entry"]) for pending in self.pending.values())
        need([int(number) for number in entry.body["letters"]] == letters, "other letters are in")
        need(entry.body["stage"] == self.next["stage"], "it is another stage")
        self.locked, self.deadline = True, entry.body.get("deadline", "")

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
            self.note(entry)
        else:
            need(bool(body.get("why")), "a ruling says why")
        known["key"] = body["key"]

    def replaced(self, entry: Entry) -> None:
        """Somebody else plays a seat."""
        player = entry.body["player"]
        known = self.player(player)
        self.players[player] = {"name": entry.body.get("name") or known["name"], "key": entry.body["key"]}
        self.pending.pop(player, None)
        self.newest.pop(player, None)

    def agreement(self, entry: Entry) -> None:
        """Everybody named has signed the same words."""
        numbers = [int(number) for number in entry.body["letters"]]
        letters = [self.letters.get(number) for number in numbers]
        bodies = [letter.body for letter in letters if letter and letter.body["kind"] == "agreement"]
        need(len(bodies) == len(numbers) == len(entry.body["powers"]), "these are not letters that agree")
        need(sorted(body["player"] for body in bodies) == sorted(entry.body["powers"]), "others have agreed")
        need(len({body["slots"]["words"] for body in bodies}) == 1, "they have agreed on different words")
        need(not self.agreed & set(numbers), "these letters have been counted before")
        self.agreed |= set(numbers)

    def extended(self, entry: Entry) -> None:
        """More time."""
        need(self.phase == "running" and entry.body["until"] > self.deadline, "a deadline is only made later")
        self.deadline = entry.body["until"]

    def away(self, entry: Entry) -> None:
        """Words about players."""
        for player in entry.body.get("players", [entry.body.get("player")]):
            self.player(player)

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
    "refused": Campaign.anything,
    "lock": Campaign.locking,
    "adjudication": Campaign.adjudicated,
    "ruling": Campaign.anything,
    "extension": Campaign.extended,
    "absence": Campaign.away,
    "reminder": Campaign.away,
    "rollback": Campaign.rolled_back,
    "substitute": Campaign.replaced,
    "key-change": Campaign.rekeyed,
    "agreement": Campaign.agreement,
    "close": Campaign.close,
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
