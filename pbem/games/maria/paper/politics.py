"""Files of the political display and its cards: read into `PoliticsData`, every fault with its place (§17 to §19).

A file may differ from the standard one in everything that is printed as a picture. What the rule texts state stays:
three tracks, 6 cards a year and the election, how Saxony changes sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from pbem.faults.words import Words
from pbem.games.maria.rules.data import GameData, PowerFacts
from pbem.games.maria.rules.politics_data import (
    Effects,
    Expedition,
    Grant,
    Icon,
    Income,
    PoliticalCard,
    PoliticsData,
    Seize,
    TrackFacts,
)
from pbem.paper.documents.convert import attempt
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import Names, as_quoted
from pbem.paper.documents.strict import Node, Path, place_of, read
from pbem.paper.library import load_data

TRACKS = ("saxony", "russia", "italy")
SAXON = "saxony"
"""The track that tells whose ally Saxony is."""

STATUSES = ("prussian ally", "neutral", "austrian ally")
"""How Saxony may stand, from left to right (§19.3)."""

ANNEXATION = "S"
"""The letter in the neutral box where an annexation of Silesia puts Saxony's marker (§19.1)."""

YEARS = {1741: (1, 2, 3), 1742: (4, 5, 6), 1743: (7, 8, 9), 1744: (10, 11, 12)}
CARDS_A_TURN = 2
ELECTION_YEAR = 1742
EXECUTING = "executing"


def load_politics(data: bytes, source: str) -> PoliticsData:
    """The display and the cards in a file; raises `Refused` with every fault."""
    node = read(data, source)
    politics, faults = attempt(node, PoliticsData)
    if politics is not None:
        faults += check_politics(politics, node)
    if politics is None or faults:
        raise Refused(source, faults)
    return politics


def check_politics(politics: PoliticsData, node: Node | None = None) -> list[Fault]:
    """Everything that is wrong; `node` is the document it was read from, for the places."""
    check = _Check(politics, node)
    check.display()
    check.tracks()
    check.deck()
    for number in range(len(politics.cards)):
        check.card(number)
    return check.faults


@lru_cache(maxsize=1)
def _powers() -> dict[str, PowerFacts]:
    """The powers of the game."""
    return load_data("maria", "game.yaml", GameData).powers


class _Check:
    """One pass over a file, noting faults as it goes."""

    def __init__(self, politics: PoliticsData, node: Node | None) -> None:
        self.politics = politics
        self.node = node
        self.faults: list[Fault] = []
        powers = _powers()
        self.powers = Names(powers, "power")
        self.major = Names([power for power, facts in powers.items() if facts.major], "major power")
        self.track_names = Names(TRACKS, "track")
        self.statuses = Names(STATUSES, "status")

    def fault(self, code: str, message: str, path: Path, hint: Words | str = "", rule: str = "") -> None:
        self.faults.append(Fault(code, message, *place_of(self.node, path), rule=rule, hint=hint))

    def known(self, word: str, names: Names, path: Path, code: str) -> None:
        """A word must be one of these."""
        if word not in names:
            self.fault(code, f"there is no {names.what} {as_quoted(word)}", path, names.suggestion(word))

    def all_major(self, powers: Iterable[str], path: Path) -> None:
        """Each is a major power, and named once."""
        seen: set[str] = set()
        for place, power in enumerate(powers):
            self.known(power, self.major, (*path, place), "E-POLITICS-POWER")
            if power in seen:
                self.fault("E-POLITICS-POWER", f"{power} stands here twice", (*path, place))
            seen.add(power)

    def display(self) -> None:
        """The squares, the worth of a Reserve, the years."""
        self.all_major(self.politics.squares, ("squares",))
        if missing := [power for power in self.major.names if power not in self.politics.squares]:
            message = f"{', '.join(missing)}: every major power has a square"
            self.fault("E-POLITICS-SQUARES", message, ("squares",), rule="§17.3")
        if self.politics.reserve < 1:
            self.fault("E-POLITICS-RESERVE", "a Reserve counts more than nothing", ("reserve",), rule="§17.4")
        if self.politics.years != YEARS:
            wanted = ", ".join(f"{year}: {list(turns)}" for year, turns in YEARS.items())
            message = "each year has three turns of the twelve"
            self.fault("E-POLITICS-YEARS", message, ("years",), f"write {wanted}", "§18")

    def tracks(self) -> None:
        """There are the three tracks, each with one star; Saxony's also tells how it stands."""
        tracks = self.politics.tracks
        for name, track in tracks.items():
            path: Path = ("tracks", name)
            self.known(name, self.track_names, path, "E-POLITICS-TRACK")
            self.title(track.title, (*path, "title"))
            self.stars(track, (*path, "boxes"))
            for place, box in enumerate(track.boxes):
                for number, icon in enumerate(box.icons):
                    self.icon(icon, (*path, "boxes", place, "icons", number))
            if name == SAXON:
                self.saxony(track, (*path, "boxes"))
            else:
                self.plain(track, (*path, "boxes"))
        for name in TRACKS:
            if name not in tracks:
                self.fault("E-POLITICS-TRACK", f"the track {name} is missing", ("tracks",), rule="§4")

    def title(self, title: str, path: Path) -> None:
        if not title.strip():
            self.fault("E-POLITICS-TITLE", "the title is empty", path)
        elif "\n" in title:
            self.fault("E-POLITICS-TITLE", f"the title {as_quoted(title)} must stand on one line", path)

    def stars(self, track: TrackFacts, path: Path) -> None:
        """A marker begins on the one star."""
        stars = [place for place, box in enumerate(track.boxes) if box.star]
        if not stars:
            self.fault("E-POLITICS-STAR", "no box has the star", path, "mark the box of the start star: true", "§4")
        for place in stars[1:]:
            message = f"box {place + 1} is the second with a star; a track has one"
            self.fault("E-POLITICS-STAR", message, (*path, place, "star"), rule="§4")

    def icon(self, icon: Icon, path: Path) -> None:
        """Incomes may be anybody's; expeditions and victory markers belong to major powers."""
        names = self.powers if icon.kind == "income" else self.major
        self.known(icon.power, names, (*path, "power"), "E-POLITICS-POWER")
        if icon.kind == "income" and not icon.cards:
            self.fault("E-POLITICS-ICON", "an income icon changes the number of cards", path, "write cards: 1 or -1")
        if icon.kind != "income" and icon.cards:
            message = f"an icon for {icon.kind} has no cards"
            self.fault("E-POLITICS-ICON", message, (*path, "cards"), "leave cards out")

    def saxony(self, track: TrackFacts, path: Path) -> None:
        """From Prussia's ally at the left over neutral to Austria's ally at the right."""
        known = [(place, STATUSES.index(box.status)) for place, box in enumerate(track.boxes) if box.status]
        for place, box in enumerate(track.boxes):
            if not box.status:
                message = f"box {place + 1} does not say how Saxony stands"
                self.fault("E-POLITICS-STATUS", message, (*path, place), f"write status: {', '.join(STATUSES)}")
            if box.star and box.status != STATUSES[0]:
                message = f"Saxony begins as {STATUSES[0]}, but the star is elsewhere"
                self.fault("E-POLITICS-STATUS", message, (*path, place, "star"), rule="§4")
        for (_, left), (place, right) in pairwise(known):
            if right < left:
                message = f"{STATUSES[right]} stands to the right of {STATUSES[left]}"
                hint = f"the order is {', '.join(STATUSES)}"
                self.fault("E-POLITICS-STATUS", message, (*path, place, "status"), hint, "§19.3")
        for number, status in enumerate(STATUSES):
            if number not in {index for _, index in known}:
                self.fault("E-POLITICS-STATUS", f"no box is {status}", path, rule="§19.3")
        self.annexation(track, path)

    def annexation(self, track: TrackFacts, path: Path) -> None:
        """One box is marked S, and it is neutral."""
        marked = [place for place, box in enumerate(track.boxes) if box.mark == ANNEXATION]
        if len(marked) != 1:
            message = f"{len(marked)} boxes are marked {ANNEXATION}; there is one"
            self.fault("E-POLITICS-MARK", message, (*path, *marked[1:2]), rule="§19.1")
        for place, box in enumerate(track.boxes):
            if box.mark not in ("", ANNEXATION):
                self.fault("E-POLITICS-MARK", f"the mark {as_quoted(box.mark)} means nothing", (*path, place, "mark"))
            if box.mark == ANNEXATION and box.status not in ("", STATUSES[1]):
                message = f"the box {ANNEXATION} makes Saxony neutral, but is {box.status}"
                self.fault("E-POLITICS-MARK", message, (*path, place, "status"), rule="§19.1")

    def plain(self, track: TrackFacts, path: Path) -> None:
        """Only Saxony's track has statuses and marks."""
        for place, box in enumerate(track.boxes):
            if box.status:
                message = "only Saxony's track says how Saxony stands"
                self.fault("E-POLITICS-STATUS", message, (*path, place, "status"))
            if box.mark:
                self.fault("E-POLITICS-MARK", f"the mark {as_quoted(box.mark)} means nothing", (*path, place, "mark"))

    def deck(self) -> None:
        """Six real cards a year, one election in its year, numbers of their own (§18)."""
        cards = self.politics.cards
        first: dict[int, int] = {}
        for place, card in enumerate(cards):
            before = first.setdefault(card.number, place)
            if before != place:
                message = f"{cards[before].title} has the number {card.number} already"
                self.fault("E-POLITICS-NUMBER", message, ("cards", place, "number"))
        count = Counter(card.year for card in cards if not card.election)
        for year, turns in YEARS.items():
            wanted = CARDS_A_TURN * len(turns)
            if count[year] != wanted:
                message = f"{year} has {count[year]} cards; it takes {wanted}, the election not counted"
                self.fault("E-POLITICS-COUNT", message, ("cards",), rule="§18")
        elections = [place for place, card in enumerate(cards) if card.election]
        if len(elections) != 1:
            message = f"there are {len(elections)} elections; there must be one"
            self.fault("E-POLITICS-ELECTION", message, ("cards", *elections[1:2]), rule="§18")

    def card(self, place: int) -> None:
        """What one card shows and does."""
        card = self.politics.cards[place]
        path: Path = ("cards", place)
        self.title(card.title, (*path, "title"))
        if card.number < 1:
            self.fault("E-POLITICS-NUMBER", "numbers begin with 1", (*path, "number"))
        if card.year not in YEARS:
            hint = f"write one of {', '.join(map(str, YEARS))}"
            self.fault("E-POLITICS-YEAR", f"there are no cards for {card.year}", (*path, "year"), hint)
        if card.election:
            self.election(card, path)
            return
        if not card.arms:
            self.fault("E-POLITICS-ARMS", "nobody may select this card", path, "write arms: [france, …]", "§17.5")
        if not (card.shifts or card.effects):
            self.fault("E-POLITICS-CARD", "this card does nothing", path, "write shifts or effects")
        self.all_major(card.arms, (*path, "arms"))
        self.shifts(card, (*path, "shifts"))
        for number, effect in enumerate(card.effects):
            self.effect(effect, (*path, "effects", number))

    def election(self, card: PoliticalCard, path: Path) -> None:
        """The election is selected by nobody, and has no arrow and no instruction of its own."""
        if card.year != ELECTION_YEAR:
            message = f"the election is among the cards of {ELECTION_YEAR}"
            self.fault("E-POLITICS-ELECTION", message, (*path, "year"), rule="§18")
        for key in ("arms", "shifts", "effects"):
            if getattr(card, key):
                self.fault("E-POLITICS-ELECTION", f"the election has no {key}", (*path, key), rule="§18")

    def shifts(self, card: PoliticalCard, path: Path) -> None:
        """Each arrow goes some way along its track, and there is one for a track."""
        seen: set[str] = set()
        for number, shift in enumerate(card.shifts):
            here: Path = (*path, number)
            self.known(shift.track, self.track_names, (*here, "track"), "E-POLITICS-TRACK")
            if shift.track in seen:
                self.fault("E-POLITICS-SHIFT", f"there is already an arrow for {shift.track}", (*here, "track"))
            seen.add(shift.track)
            if shift.while_status:
                self.known(shift.while_status, self.statuses, (*here, "while_status"), "E-POLITICS-STATUS")
            if not shift.steps:
                self.fault("E-POLITICS-SHIFT", "a marker is shifted by one box at least", (*here, "steps"))
            elif shift.either and shift.steps < 0:
                message = "the chooser picks the direction"
                self.fault("E-POLITICS-SHIFT", message, (*here, "steps"), f"write steps: {-shift.steps}")
            self.possible(shift.track, shift.steps, (*here, "steps"))

    def possible(self, name: str, steps: int, path: Path) -> None:
        """No shift is longer than its track."""
        tracks: Mapping[str, TrackFacts] = self.politics.tracks
        if name in tracks and abs(steps) >= max(len(tracks[name].boxes), 1):
            boxes = len(tracks[name].boxes)
            message = f"no marker goes {abs(steps)} boxes along a track of {boxes}"
            self.fault("E-POLITICS-SHIFT", message, path)

    def effect(self, effect: Effects, path: Path) -> None:
        """An instruction names powers that exist, and changes something."""
        match effect:
            case Grant():
                self.grant(effect, path)
            case Income():
                self.known(effect.power, self.powers, (*path, "power"), "E-POLITICS-POWER")
                if not effect.cards:
                    message = "the income changes by one card at least"
                    self.fault("E-POLITICS-EFFECT", message, (*path, "cards"))
            case Seize():
                self.known(effect.power, self.major, (*path, "power"), "E-POLITICS-POWER")
                if not effect.city.strip():
                    self.fault("E-POLITICS-EFFECT", "no fortress is named", (*path, "city"))
            case Expedition():
                self.known(effect.power, self.major, (*path, "power"), "E-POLITICS-POWER")

    def grant(self, effect: Grant, path: Path) -> None:
        """Somebody gets something."""
        for number, power in enumerate(effect.to):
            if power != EXECUTING:
                self.known(power, self.powers, (*path, "to", number), "E-POLITICS-POWER")
        if len(set(effect.to)) != len(effect.to) or not effect.to or (EXECUTING in effect.to and len(effect.to) > 1):
            message = f"one power gets it, one of several, or the {EXECUTING} one"
            self.fault("E-POLITICS-EFFECT", message, (*path, "to"))
        if min(effect.cards, effect.troops) < 0 or not (effect.cards or effect.troops):
            message = "nobody gets anything here"
            self.fault("E-POLITICS-EFFECT", message, path, "write cards: 1 or troops: 2 or both")
