"""Checks of a closed campaign, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import hmac
import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.protocol import second_bots, second_masks
from tests.protocol.second_entries import Entry, Finding, Wrong, need, sha256
from tests.protocol.second_keys import Unsound
from tests.protocol.second_letters import Letter, digest_of, letter_of
from tests.seal.second import canonical, commitment, hkdf, lot, position_hash, salt_of, shuffle

if TYPE_CHECKING:
    from tests.protocol.second import Campaign

OTHER_CARDS, HANDS = 1000, 2000
"""From these numbers on shuffles are of other cards than tactical ones, and of hands."""


def verify(root: Path, campaign: Campaign, entries: list[Entry]) -> list[Finding]:
    """Everything that is found wrong with what was published at the close."""
    assert campaign.closed
    path = root / "opened.json"
    if not path.is_file() or digest_of(path.read_bytes()) != campaign.closed.body["opened"]:
        return [Finding("opened.json", "this is not the file that was published")]
    secret = bytes.fromhex(campaign.closed.body["secret"])
    try:
        held = held_in(path, campaign)
    except Wrong as wrong:
        return [wrong.finding("opened.json")]
    found = second_bots.closed(campaign, entries, secret)
    letters: dict[int, Letter] = {}
    complete = 0
    for entry in entries:
        try:
            complete = entered(entry, letters, complete)
            if entry.number in held:
                letters[entry.number] = letter_of(held[entry.number]["text"])
                opened = held[entry.number].get("opened", {})
                if entry.number in campaign.masked:
                    need(not opened, "nothing of this letter was sealed")
                    second_masks.shown(campaign, entry.number, letters[entry.number])
                    invited(secret, entry, letters[entry.number])
                    marked(secret, entry, letters[entry.number])
                    continue
                accepted(campaign, entry, letters[entry.number], opened)
                parts = letters[entry.number].body if entry.body["kind"] == "reveal" else opened
                second_bots.wrote(campaign, secret, entry, letters[entry.number], parts)
                marked(secret, entry, letters[entry.number])
                if is_last(campaign, entry, letters[entry.number]):
                    complete = entry.number
            elif entry.number in campaign.inner:
                marked(secret, entry, campaign.inner[entry.number])
                invited(secret, entry, campaign.inner[entry.number])
            elif entry.kind == "agreement":
                agreed(entry, letters)
        except (Wrong, Unsound) as wrong:
            found.append(Finding(f"ledger/{entry.file}", str(wrong)))
    return found or second_masks.names(campaign, letters) or deal(campaign, entries, secret)


def held_in(path: Path, campaign: Campaign) -> dict[int, Any]:
    """The letters in the file: those that were accepted and are not private."""
    try:
        document = json.loads(path.read_bytes(), object_pairs_hook=once)
        need(list(document) == ["campaign", "letters"], "the file has other keys")
        need(all(str(int(number)) == number for number in document["letters"]), "a number is not written so")
        held = {int(number): letter for number, letter in document["letters"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Wrong(f"the file cannot be read: {error}") from None
    need(document["campaign"] == campaign.name, "the file is of another campaign")
    public = {number for number, entry in campaign.letters.items() if entry.body["kind"] not in campaign.PRIVATE}
    need(set(held) == public | set(campaign.masked), "these are not the letters that were accepted")
    for number, letter in held.items():
        need(isinstance(letter, dict) and isinstance(letter.get("text"), str), f"letter {number} is malformed")
        need(list(letter) in (["text"], ["text", "opened"]), f"letter {number} has other keys")
        for part in letter.get("opened", {}).values():
            need(set(part) == {"salt", "body"} and sha256(part["salt"]), f"letter {number} is opened badly")
    return held


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping, of which each key stands there once."""
    need(len(dict(pairs)) == len(pairs), "a key stands there twice")
    return dict(pairs)


def marked(secret: bytes, entry: Entry, letter: Letter) -> None:
    """A letter must be the one whose mark the entry bears."""
    mark = hmac.digest(secret, letter.id.encode(), "sha256").hex()
    need(mark == entry.body["mark"], "the letter is not the one that was accepted")


def invited(secret: bytes, entry: Entry, letter: Letter) -> None:
    """Check that a player was invited to this seat, or that it was offered to anybody."""
    names = [f"seat/{letter.sender}", *(f"open/{letter.sender}/{number}" for number in range(1, entry.number))]
    tokens = (hmac.digest(secret, name.encode(), "sha256").hex()[:16] for name in names)
    need(letter.kind != "join" or letter.body.get("token") in tokens, "the letter does not show that it was invited")


def accepted(campaign: Campaign, entry: Entry, letter: Letter, opened: dict[str, Any]) -> None:
    """A letter must say what its entry says, be signed by its player, and keep to what it committed to."""
    body = entry.body
    told = (letter.kind, letter.campaign, letter.sender, letter.seq, letter.stage)
    need(told == (body["kind"], campaign.name, body["player"], int(body["seq"]), body["stage"]), "the letter differs")
    campaign.signed(letter, campaign.keys[entry.number])
    if letter.kind in campaign.STAGED:
        need(letter.basis == campaign.bases[entry.number], "the letter was written behind another entry")
    slots = body.get("slots", {})
    if letter.kind in ("orders", "plan"):
        announced = letter.body.get("sealed") or {}
        need({slot: part.get("commitment") for slot, part in announced.items()} == slots, "other parts were sealed")
        need(set(opened) == (set() if campaign.reveals else set(slots)), "what is opened is not what was sealed")
    else:
        need(not opened, "nothing of this letter was sealed")
    if letter.kind == "orders":
        draft = letter.body.get("final", "").casefold() in ("no", "false")
        need(draft == (body.get("status") == "draft") or body.get("status") == "partial", "it is or is not a draft")
        wait = letter.body.get("wait", "").casefold() in ("yes", "true")
        need(wait == (body.get("wait", "false") == "true"), "its player did or did not ask to wait")
    if letter.kind == "reveal":
        opened = letter.body
        need(set(opened) == set(slots), "what is revealed is not what the entry says")
    for slot, part in opened.items():
        salt = bytes.fromhex(part["salt"])
        stage = campaign.stages.get(entry.number, {}).get(slot, letter.stage)
        made = commitment(campaign.name, stage, letter.sender, slot, salt, canonical(part["body"]).encode())
        need(made == slots[slot], f"the part {slot} is not what was committed to")
    if letter.kind == "agreement":
        assert campaign.closed
        made = words_mark(bytes.fromhex(campaign.closed.body["secret"]), letter)
        need(made == slots["words"], "the mark is of other words")


def holds(campaign: Campaign, message: dict[str, str]) -> bool:
    """Truth of a message that somebody shows: the ledger of the closed campaign holds it."""
    entry = campaign.letters.get(int(message["entry"]))
    if not campaign.closed or not entry or (entry.body["kind"], entry.body["player"]) != ("message", message["from"]):
        return False
    said = canonical({"text": message["text"], "to": message["to"]}).encode()
    made = commitment(campaign.name, "", message["from"], "message", bytes.fromhex(message["salt"]), said)
    secret = bytes.fromhex(campaign.closed.body["secret"])
    return hmac.digest(secret, made.encode(), "sha256").hex() == entry.body.get("slots", {}).get("message")


def parties(letter: Letter) -> list[str]:
    """Players who must sign the same words."""
    return sorted({letter.sender, *filter(None, (name.strip() for name in letter.body["with"].split(",")))})


def words_mark(secret: bytes, letter: Letter) -> str:
    """Mark of the words of an agreement."""
    tree = {"players": parties(letter), "words": " ".join(letter.body["words"].split()), **bound(letter)}
    return hmac.digest(secret, canonical(tree).encode(), "sha256").hex()


def bound(letter: Letter) -> dict[str, Any]:
    """Names that an agreement binds, by kind, and until when."""
    until, binds = letter.body.get("until", "").strip(), letter.body.get("binds", {})
    named = {
        kind: [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]
        for kind, names in binds.items()
    }
    return ({"until": until} if until else {}) | ({"binds": named} if named else {})


def agreed(entry: Entry, letters: dict[int, Letter]) -> None:
    """An agreement must be what its letters say, in the words of the last, and between all whom they name."""
    numbers = [int(number) for number in entry.body["letters"]]
    for number in numbers:
        need(parties(letters[number]) == entry.body["powers"], "the letters name others")
    need(letters[max(numbers)].body["words"] == entry.body["words"], "the letters have other words")
    said = {key: entry.body[key] for key in ("until", "binds") if key in entry.body}
    need(bound(letters[max(numbers)]) == said, "the letters bind something else")


def is_last(campaign: Campaign, entry: Entry, letter: Letter) -> bool:
    """True if a letter completes an agreement; older programs could leave the entry out if they were killed."""
    signed = campaign.signers.get(entry.number)
    return signed is not None and campaign.protocol >= 4 and signed == parties(letter)


def entered(entry: Entry, letters: dict[int, Letter], complete: int) -> int:
    """Give the letter that makes an agreement complete, as long as that is still to be entered: only a `clock` may come
    between the two.
    """
    if complete and entry.kind == "clock":
        back = entry.body.get("next", {"stage": letters[complete].stage})["stage"]
        return complete if back.split("/")[0] == letters[complete].stage.split("/")[0] else 0
    is_it = entry.kind == "agreement" and str(complete) in entry.body["letters"]
    need(not complete or is_it, "an agreement was complete and is not entered")
    return 0


def deal(campaign: Campaign, entries: list[Entry], secret: bytes) -> list[Finding]:
    """Every shuffle, every hash and every opening, once more."""
    own = campaign.settings["moderator"].get("seat", "")
    giving = [seat for seat in sorted(campaign.settings["seats"]) if seat != own]
    chance = b"".join(bytes.fromhex(campaign.entropy[seat]) for seat in giving)
    root = hkdf(secret, chance, campaign.name.encode(), 32)
    if campaign.drawn and campaign.drawn != lot_of(root, sorted(campaign.settings["seats"])):
        first = next(entry for entry in entries if entry.kind == "adjudication")
        return [Finding(f"ledger/{first.file}", "the lot gives people other seats")]
    orders: dict[int, list[int]] = {}
    moments: dict[int, dict[int, list[int]]] = {}
    at_once = campaign.settings["conduct"]["proofs"] == "at once"
    for entry in entries:
        try:
            if entry.kind == "rollback":
                orders = dict(moments[max(number for number in moments if number <= int(entry.body["to"]))])
            if entry.kind == "adjudication":
                dealt_again(campaign, entry, root, orders)
                shown = [tuple(opening[key] for key in OPENING) for opening in entry.body.get("openings", [])]
                made = openings(root, orders, entry.body["events"]) if at_once else []
                need(shown == made, "these are not the proofs of what showed")
            if entry.kind in ("adjudication", "rollback"):
                moments[entry.number] = dict(orders)
        except Wrong as wrong:
            return [Finding(f"ledger/{entry.file}", f"the deal: {wrong}")]
    return []


def lot_of(root: bytes, seats: list[str]) -> dict[str, str]:
    """Seats by lot."""
    return {seat: seats[place] for seat, place in zip(seats, lot(root, len(seats)), strict=True)}


def dealt_again(campaign: Campaign, entry: Entry, root: bytes, orders: dict[int, list[int]]) -> None:
    """Make the shuffles of an adjudication once more."""
    for dealt in entry.body.get("dealt", []):
        number = int(dealt["number"])
        orders[number] = order_of(root, number, tuple(dealt["hashes"]))
        from_start = bool(campaign.settings["position"]) and number == 0
        need(orders[number] == shuffle(root, number, laid(orders[number], from_start)), "another order")


OPENING = ("shuffle", "position", "card", "salt")


def laid(cards: list[int], deck_by_deck: bool) -> list[int]:
    """The cards in the order in which they are given to a shuffle."""
    return sorted(cards, key=lambda card: (card % 4 + card // 512 * 4, card)) if deck_by_deck else sorted(cards)


@lru_cache(maxsize=256)
def order_of(root: bytes, number: int, hashes: tuple[str, ...]) -> list[int]:
    """The cards that lie under the hashes of a shuffle; nobody changes them."""
    left = [*range(320), *range(512, 832)]
    found = []
    for place, wanted in enumerate(hashes):
        fits = (
            card for card in left if position_hash(number, place, salt_of(root, number, place, card), card) == wanted
        )
        card = next(fits, None)
        if card is None:
            raise Wrong(f"no card lies at {place} of shuffle {number}")
        left.remove(card)
        found.append(card)
    return found


def openings(root: bytes, orders: dict[int, list[int]], events: list[Any]) -> list[tuple[str, ...]]:
    """The proofs that an entry must give: of every card that its events show, in the order of the events."""
    behind = {int(event["number"]) - 1 for event in events if event["type"] == "DeckShuffled"}
    before = {number for number in orders if number < OTHER_CARDS and number not in behind}
    others = {number for number in orders if OTHER_CARDS <= number < HANDS}
    tactical: list[tuple[int, int]] = []
    further: list[tuple[int, int]] = []
    for event in events:
        if event["type"] == "DeckShuffled":
            before.add(int(event["number"]) - 1)
        cards = event.get("cards")
        shown = [event["card"]] if "card" in event else cards if isinstance(cards, list) else []
        tactical += [latest(orders, before, int(card)) for card in shown]
        shown = [event["fate"]] if "fate" in event else event.get("politics", [])
        further += [latest(orders, others, int(card)) for card in shown]
    found: list[tuple[str, ...]] = []
    for number, card in (*dict.fromkeys(tactical), *dict.fromkeys(further)):
        if number >= 0:
            place = orders[number].index(card)
            found.append((str(number), str(place), str(card), salt_of(root, number, place, card).hex()))
    return found


def latest(orders: dict[int, list[int]], among: set[int], card: int) -> tuple[int, int]:
    """The latest of these shuffles that holds a card, and the card; -1 if none does."""
    return max((number for number in among if card in orders[number]), default=-1), card
