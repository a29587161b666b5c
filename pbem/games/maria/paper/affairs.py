"""The part of a position file that only the advanced game and the Silesia Gambit have (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.games.maria.paper.tasks import read_task
from pbem.games.maria.rules.allegiance import due
from pbem.games.maria.rules.gambit import depart
from pbem.games.maria.rules.opening import shuffle_deck
from pbem.games.maria.rules.politics import OPEN_CARDS, card_facts
from pbem.games.maria.rules.state import Affairs, Agreement, Contract, Gambit
from pbem.games.maria.rules.table import Table
from pbem.paper.documents.strict import Mapping, Node
from pbem.paper.lexicon import SUIT_NAMES
from pbem.paper.orders.names import AnyEntry
from pbem.paper.positions.cards import CardReader

ALLIANCES = ("side", "group", "principal", "home", "player", "stage", "stacking")


class AffairsReader:
    """Writes what a file says of politics over the affairs at the start."""

    def __init__(self, table: Table, cards: CardReader) -> None:
        """Take the table to fill, and who places the cards of the file, with all that reading needs."""
        self.reader = cards.reader
        self.table = table
        self.lexicon = cards.lexicon
        self.entries = cards.entries
        self.cards = cards

    def read(self) -> None:
        """Read politics, the gambit, alliances and tasks."""
        state = self.table.state
        if state.affairs is not None:
            self.read_affairs(state.affairs)
        elif "affairs" in self.entries:
            self.reader.note(self.entries["affairs"], "E-POSITION", "this scenario has no affairs", rule="§15")
        if state.gambit is not None and "gambit" in self.entries:
            self.read_gambit(state.gambit, self.entries["gambit"])
        self.read_alliances()
        if "tasks" in self.entries:
            for node in self.reader.items(self.entries["tasks"], "tasks"):
                task = read_task(self.reader, self.lexicon, node)
                if task is not None:
                    state.tasks.append(task)

    def read_affairs(self, affairs: Affairs) -> None:
        """Every field of the affairs that is written."""
        node = self.entries.get("affairs")
        mapping = self.reader.mapping(node, "affairs") if node else None
        entries = self.reader.known(mapping, FIELDS, "affairs") if mapping else {}
        written = {FIELDS[name][0]: FIELDS[name][1](self, value) for name, value in entries.items()}
        if self.table.state.stage != "setup":
            shuffle_deck(self.table)
            self.take_past_cards(affairs, written.get("open", []))
        for field, value in written.items():
            setattr(affairs, field, value)

    def take_past_cards(self, affairs: Affairs, face_up: list[int]) -> None:
        """Without a deck in the file: the cards of the turns that are over have been drawn (§17.1)."""
        state = self.table.state
        affairs.deck = [number for number in affairs.deck if number not in face_up]
        begun = state.stage != "politics" or state.begun or state.phase != "trump" or bool(face_up)
        count = OPEN_CARDS * (state.turn - (0 if begun else 1)) - len(face_up)
        while count > 0 and affairs.deck:
            if not card_facts(self.table, affairs.deck.pop()).election:
                count -= 1

    def read_gambit(self, gambit: Gambit, node: Node) -> None:
        """What the gambit keeps."""
        mapping = self.reader.mapping(node, "gambit")
        entries = self.reader.known(mapping, ("laid aside", "ceded", "lacking", "held"), "gambit") if mapping else {}
        if "laid aside" in entries:
            gambit.laid_aside = take_cards(self, entries["laid aside"])
        if "ceded" in entries:
            gambit.ceded = self.reader.truth(entries["ceded"], "ceded") or False
        for name in ("lacking", "held"):
            if name in entries:
                setattr(gambit, name, take_numbers(self, entries[name]))
        if gambit.ceded:
            self.table.state.field.half_active = ""
            depart(self.table)

    def read_alliances(self) -> None:
        """As the tracks, the peace and the cession have them, and over that what is written."""
        alliances = self.table.state.field.alliances = due(self.table)
        if "alliances" not in self.entries:
            return
        mapping = self.reader.mapping(self.entries["alliances"], "alliances")
        entries = self.reader.known(mapping, ALLIANCES, "alliances") if mapping else {}
        for name, value in entries.items():
            if name == "stacking":
                alliances.stacking = self.reader.names(value, "a power", self.lexicon.power)
                continue
            changes = self.reader.mapping(value, name)
            now: dict[str, str] = getattr(alliances, name)
            for key, written in (changes.items if changes else {}).items():
                word = self.reader.text(written, name) or ""
                if word == "none":
                    now.pop(key, None)
                else:
                    now[key] = "" if word == "neutral" else word

    def powers(self, node: Node, what: str) -> dict[str, Node]:
        """A mapping whose keys are powers."""
        found = {}
        for name, value in self.reader.pairs(node, what):
            power = self.reader.name(name, "a power", self.lexicon.power)
            if power is not None:
                found[power] = value
        return found


def take_numbers(self: AffairsReader, node: Node) -> dict[str, int]:
    """A number for each of some powers."""
    found = {power: self.reader.number(value, power, -99, 99) for power, value in self.powers(node, "numbers").items()}
    return {power: number for power, number in found.items() if number is not None}


def take_keyed(self: AffairsReader, node: Node) -> dict[str, int]:
    """A number for each of some words."""
    mapping = self.reader.mapping(node, "numbers")
    found = {key: self.reader.number(value, key, -99, 99) for key, value in (mapping.items if mapping else {}).items()}
    return {key: number for key, number in found.items() if number is not None}


def take_battle(self: AffairsReader, node: Node) -> dict[str, int]:
    """The markers in the battle boxes; powers left out have none."""
    return dict.fromkeys(self.table.rules.game.advanced.markers, 0) | take_numbers(self, node)


def take_boxes(self: AffairsReader, node: Node) -> dict[str, str]:
    """The power whose marker lies in each of the other boxes."""
    mapping = self.reader.mapping(node, "boxes")
    items = (mapping.items if mapping else {}).items()
    found = {box: self.reader.name(value, "a power", self.lexicon.power) for box, value in items}
    return {box: power for box, power in found.items() if power is not None}


def take_scores(self: AffairsReader, node: Node) -> list[dict[str, int]]:
    """The winter scores, winter by winter."""
    return [take_numbers(self, item) for item in self.reader.items(node, "scores")]


def take_tracks(self: AffairsReader, node: Node) -> dict[str, int]:
    """The boxes of the markers, counted from 1; tracks left out are on their star."""
    tracks = dict(self.table.state.affairs.tracks) if self.table.state.affairs else {}
    mapping = self.reader.mapping(node, "tracks")
    known = self.reader.known(mapping, self.table.rules.politics.tracks, "tracks") if mapping else {}
    for name, value in known.items():
        last = len(self.table.rules.politics.tracks[name].boxes)
        box = self.reader.number(value, f"the box of {name}", 1, last)
        if box is not None:
            tracks[name] = box - 1
    return tracks


def take_politics(self: AffairsReader, node: Node) -> list[int]:
    """Political cards by their numbers."""
    known = {str(card.number): card.number for card in self.table.rules.politics.cards}
    found = [self.reader.word(item, "a political card", known) for item in self.reader.items(node, "cards")]
    return [number for number in found if number is not None]


def take_deck(self: AffairsReader, node: Node) -> list[int]:
    """The political deck, written from its top."""
    return take_politics(self, node)[::-1]


def take_truth(self: AffairsReader, node: Node) -> bool:
    """Yes or no."""
    return self.reader.truth(node, "this") or False


def take_player(self: AffairsReader, node: Node) -> str | None:
    return self.reader.word(node, "a player", {player: player for player in self.table.rules.seats})


def take_players(self: AffairsReader, node: Node) -> list[str]:
    """Several players."""
    found = [take_player(self, item) for item in self.reader.items(node, "players")]
    return [player for player in found if player is not None]


def take_suit(self: AffairsReader, node: Node) -> int | None:
    return self.reader.word(node, "a suit", SUIT_NAMES)


def take_cards(self: AffairsReader, node: Node) -> dict[str, list[int]]:
    """Tactical cards of some powers, which are nowhere else then; or how many, where they are not known."""
    powers = self.powers(node, "cards")
    return {power: self.cards.place_some(value) for power, value in powers.items()}


def take_powers(self: AffairsReader, node: Node) -> list[str]:
    """Several powers."""
    return self.reader.names(node, "a power", self.lexicon.power)


def take_corps(self: AffairsReader, node: Node) -> dict[str, list[int]]:
    """The generals in off-map boxes."""
    powers = self.powers(node, "corps")
    return {
        power: self.reader.names(value, "a general", lambda name: self.lexicon.piece(name))
        for power, value in powers.items()
    }


def take_turn(self: AffairsReader, node: Node) -> int:
    return self.reader.number(node, "a turn", 0, self.table.rules.scenario.turns) or 0


def take_contracts(self: AffairsReader, node: Node) -> list[Contract]:
    """Subsidy contracts: `giver > receiver, turns` with `, fixed` for one that cannot be cancelled."""
    found = []
    for item in self.reader.items(node, "contracts"):
        mapping = self.reader.mapping(item, "a contract")
        keys = ("giver", "receiver", "turns", "fixed", "by")
        entries = self.reader.known(mapping, keys, "a contract") if mapping else {}
        if not {"giver", "receiver", "turns"} <= set(entries):
            self.reader.note(item, "E-FORM-MISSING", "a contract has a giver, a receiver and turns")
            continue
        giver = self.reader.name(entries["giver"], "a power", self.lexicon.power)
        receiver = self.reader.name(entries["receiver"], "a power", self.lexicon.power)
        turns = self.reader.number(entries["turns"], "turns", 1, 99)
        fixed = "fixed" in entries and take_truth(self, entries["fixed"])
        by = self.reader.name(entries["by"], "a power", self.lexicon.power) if "by" in entries else None
        if giver and receiver and turns:
            found.append(Contract(giver, receiver, turns, fixed, by or ""))
    return found


def take_agreements(self: AffairsReader, node: Node) -> list[Agreement]:
    """Promises: the powers, the words, the turn."""
    found = []
    for item in self.reader.items(node, "agreements"):
        mapping = self.reader.mapping(item, "an agreement")
        if not isinstance(mapping, Mapping) or not {"powers", "words", "turn"} <= set(mapping.items):
            self.reader.note(item, "E-FORM-MISSING", "an agreement has powers, words and a turn")
            continue
        words = self.reader.text(mapping.items["words"], "words") or ""
        found.append(
            Agreement(tuple(take_powers(self, mapping.items["powers"])), words, take_turn(self, mapping.items["turn"]))
        )
    return found


def take_words(self: AffairsReader, node: Node) -> list[str]:
    """Several words."""
    found = [self.reader.text(item, "a word") for item in self.reader.items(node, "words")]
    return [word for word in found if word is not None]


FIELDS: dict[str, tuple[str, Callable[[AffairsReader, Node], AnyEntry]]] = {
    "battle": ("battle", take_battle),
    "boxes": ("special", take_boxes),
    "markers set aside": ("set_aside", take_numbers),
    "scores": ("scores", take_scores),
    "tracks": ("tracks", take_tracks),
    "deck": ("deck", take_deck),
    "open": ("open", take_politics),
    "election": ("election", take_truth),
    "victor": ("victor", take_player),
    "trump": ("trump", take_suit),
    "display": ("display", take_cards),
    "covered": ("covered", take_cards),
    "order": ("order", take_powers),
    "shifts": ("shifts", take_keyed),
    "executed": ("executed", take_players),
    "income": ("income", take_numbers),
    "lasting": ("lasting", take_numbers),
    "corps": ("corps", take_corps),
    "drawn": ("drawn", take_powers),
    "annexed": ("annexed", take_turn),
    "offered": ("offered", take_truth),
    "reduced": ("reduced", take_truth),
    "votes": ("votes", take_numbers),
    "contracts": ("contracts", take_contracts),
    "offers": ("offers", take_contracts),
    "cancelling": ("cancelling", take_words),
    "agreements": ("agreements", take_agreements),
}
"""What may stand under `affairs`: the field of the state, and how it is read."""
