"""Reader of politics files: the political display and its cards, as `PoliticsData` (§17 to §19). Every fault names its
line.

A file may differ from the standard file in everything that is printed as a picture. It may not differ in what the texts
of the rules state: three tracks, six cards a year and the election, and the way Saxony changes sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise

from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong, words, wrong
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
from pbem.paper.documents.strict import KeyPath, Node, place_of, read_yaml
from pbem.paper.library import load_data

TRACKS = ("saxony", "russia", "italy")
SAXON = "saxony"
"""Name of the track that shows whose ally Saxony is."""

STATUSES = ("prussian ally", "neutral", "austrian ally")
"""Possible statuses of Saxony, from left to right on its track (§19.3)."""

ANNEXATION = "S"
"""Sign printed in the neutral box to which an annexation of Silesia moves Saxony's marker (§19.1)."""

YEARS = {1741: (1, 2, 3), 1742: (4, 5, 6), 1743: (7, 8, 9), 1744: (10, 11, 12)}
CARDS_A_TURN = 2
ELECTION_YEAR = 1742
EXECUTING = "executing"


def load_politics(content: bytes, source: str) -> PoliticsData:
    """Read the political display and its cards from the bytes of a file. Raises `Refused` with all faults."""
    node = read_yaml(content, source)
    politics, faults = attempt(node, PoliticsData)
    if politics is not None:
        faults += check_politics(politics, node)
    if politics is None or faults:
        raise Refused(source, faults)
    return politics


def check_politics(politics: PoliticsData, node: Node | None = None) -> list[Fault]:
    """Return all faults of the data. `node` is the document from which the data were read; each fault gets its line
    from there."""
    check = _Check(politics, node)
    check.check_display()
    check.check_tracks()
    check.check_deck()
    for number in range(len(politics.cards)):
        check.check_card(number)
    return check.faults


@lru_cache(maxsize=1)
def _powers() -> dict[Power, PowerFacts]:
    return load_data("maria", "game.yaml", GameData).powers


class _Check:
    """Check of a politics file. Each method notes the faults of one part of the file in `faults`."""

    def __init__(self, politics: PoliticsData, node: Node | None) -> None:
        self.politics = politics
        self.node = node
        self.faults: list[Fault] = []
        powers = _powers()
        self.powers = Names(powers, words("politics-power"))
        self.major = Names([power for power, facts in powers.items() if facts.major], words("politics-major"))
        self.track_names = Names(TRACKS, words("politics-track"))
        self.statuses = Names(STATUSES, words("politics-status"))

    def note(self, fault: Wrong, path: KeyPath) -> None:
        self.faults.append(Fault.at(*place_of(self.node, path), fault))

    def check_word(self, word: str, names: Names, path: KeyPath, code: str) -> None:
        """Note a fault with the code `code` at `path` if the word is not one of these names."""
        if word not in names:
            fault = wrong(code, hint=names.suggestion(word), what=names.what, written=as_quoted(word))
            self.note(fault, path)

    def check_major_powers(self, powers: Iterable[Power], path: KeyPath) -> None:
        """Note a fault for each power that is not major, and for each power that is named twice."""
        seen: set[str] = set()
        for place, power in enumerate(powers):
            self.check_word(power, self.major, (*path, place), "E-POLITICS-POWER")
            if power in seen:
                self.note(wrong("E-POLITICS-POWER.twice", power=power), (*path, place))
            seen.add(power)

    def check_display(self) -> None:
        """Note the faults of the political display. Each major power must have one square, a Reserve must count at
        least one point, and the years must have the turns that the rules give them."""
        self.check_major_powers(self.politics.squares, ("squares",))
        if missing := [power for power in self.major.names if power not in self.politics.squares]:
            self.note(wrong("E-POLITICS-SQUARES", powers=tuple(missing)), ("squares",))
        if self.politics.reserve < 1:
            self.note(wrong("E-POLITICS-RESERVE"), ("reserve",))
        if self.politics.years != YEARS:
            wanted = tuple(f"{year}: {list(turns)}" for year, turns in YEARS.items())
            self.note(wrong("E-POLITICS-YEARS", years=wanted), ("years",))

    def check_tracks(self) -> None:
        """Check that the file has exactly the tracks in `TRACKS`, and check each track."""
        tracks = self.politics.tracks
        for name, track in tracks.items():
            path: KeyPath = ("tracks", name)
            self.check_word(name, self.track_names, path, "E-POLITICS-TRACK")
            self.check_title(track.title, (*path, "title"))
            self.check_stars(track, (*path, "boxes"))
            for place, box in enumerate(track.boxes):
                for number, icon in enumerate(box.icons):
                    self.check_icon(icon, (*path, "boxes", place, "icons", number))
            if name == SAXON:
                self.check_saxon_track(track, (*path, "boxes"))
            else:
                self.check_plain_track(track, (*path, "boxes"))
        for name in TRACKS:
            if name not in tracks:
                self.note(wrong("E-POLITICS-TRACK.missing", track=name), ("tracks",))

    def check_title(self, title: str, path: KeyPath) -> None:
        if not title.strip():
            self.note(wrong("E-POLITICS-TITLE"), path)
        elif "\n" in title:
            self.note(wrong("E-POLITICS-TITLE.lines", title=as_quoted(title)), path)

    def check_stars(self, track: TrackFacts, path: KeyPath) -> None:
        """Check that exactly one box has the star, on which the marker begins."""
        stars = [place for place, box in enumerate(track.boxes) if box.star]
        if not stars:
            self.note(wrong("E-POLITICS-STAR"), path)
        for place in stars[1:]:
            self.note(wrong("E-POLITICS-STAR.second", box=place + 1), (*path, place, "star"))

    def check_icon(self, icon: Icon, path: KeyPath) -> None:
        """Note a fault for an icon of a wrong power or with a wrong number of cards. An income has cards, and may be of
        any power; other icons have no cards, and are of major powers."""
        names = self.powers if icon.kind == "income" else self.major
        self.check_word(icon.power, names, (*path, "power"), "E-POLITICS-POWER")
        if icon.kind == "income" and not icon.cards:
            self.note(wrong("E-POLITICS-ICON"), path)
        if icon.kind != "income" and icon.cards:
            self.note(wrong("E-POLITICS-ICON.cards", kind=icon.kind), (*path, "cards"))

    def check_saxon_track(self, track: TrackFacts, path: KeyPath) -> None:
        """Note the faults of Saxony's track. Its boxes, from left to right, must be ally of Prussia, neutral, then ally
        of Austria, with none of the three missing. The marker begins as ally of Prussia."""
        known = [(place, STATUSES.index(box.status)) for place, box in enumerate(track.boxes) if box.status]
        for place, box in enumerate(track.boxes):
            if not box.status:
                fault = wrong("E-POLITICS-STATUS.missing", box=place + 1, statuses=STATUSES)
                self.note(fault, (*path, place))
            if box.star and box.status != STATUSES[0]:
                self.note(wrong("E-POLITICS-STATUS.begin", status=STATUSES[0]), (*path, place, "star"))
        for (_, left), (place, right) in pairwise(known):
            if right < left:
                fault = wrong("E-POLITICS-STATUS.order", right=STATUSES[right], left=STATUSES[left], statuses=STATUSES)
                self.note(fault, (*path, place, "status"))
        for number, status in enumerate(STATUSES):
            if number not in {index for _, index in known}:
                self.note(wrong("E-POLITICS-STATUS.nobody", status=status), path)
        self.check_annexation(track, path)

    def check_annexation(self, track: TrackFacts, path: KeyPath) -> None:
        """Note the faults of the sign S on a track. Exactly one box must have the sign, and this box must be neutral.
        There must be no other sign."""
        marked = [place for place, box in enumerate(track.boxes) if box.mark == ANNEXATION]
        if len(marked) != 1:
            self.note(wrong("E-POLITICS-MARK", count=len(marked), mark=ANNEXATION), (*path, *marked[1:2]))
        for place, box in enumerate(track.boxes):
            if box.mark not in ("", ANNEXATION):
                self.note(wrong("E-POLITICS-MARK.unknown", mark=as_quoted(box.mark)), (*path, place, "mark"))
            if box.mark == ANNEXATION and box.status not in ("", STATUSES[1]):
                fault = wrong("E-POLITICS-MARK.neutral", mark=ANNEXATION, status=box.status)
                self.note(fault, (*path, place, "status"))

    def check_plain_track(self, track: TrackFacts, path: KeyPath) -> None:
        """Check that a track other than Saxony's has no statuses and no signs in its boxes."""
        for place, box in enumerate(track.boxes):
            if box.status:
                self.note(wrong("E-POLITICS-STATUS.plain"), (*path, place, "status"))
            if box.mark:
                self.note(wrong("E-POLITICS-MARK.unknown", mark=as_quoted(box.mark)), (*path, place, "mark"))

    def check_deck(self) -> None:
        """Check that the deck has six cards a year and one election, and no number twice (§18)."""
        cards = self.politics.cards
        first: dict[int, int] = {}
        for place, card in enumerate(cards):
            before = first.setdefault(card.number, place)
            if before != place:
                fault = wrong("E-POLITICS-NUMBER", title=cards[before].title, number=card.number)
                self.note(fault, ("cards", place, "number"))
        count = Counter(card.year for card in cards if not card.election)
        for year, turns in YEARS.items():
            wanted = CARDS_A_TURN * len(turns)
            if count[year] != wanted:
                self.note(wrong("E-POLITICS-COUNT", year=year, count=count[year], wanted=wanted), ("cards",))
        elections = [place for place, card in enumerate(cards) if card.election]
        if len(elections) != 1:
            self.note(wrong("E-POLITICS-ELECTION", count=len(elections)), ("cards", *elections[1:2]))

    def check_card(self, place: int) -> None:
        """Note the faults of one card: number, title, year, powers that may select it, arrows and instructions."""
        card = self.politics.cards[place]
        path: KeyPath = ("cards", place)
        self.check_title(card.title, (*path, "title"))
        if card.number < 1:
            self.note(wrong("E-POLITICS-NUMBER.least"), (*path, "number"))
        if card.year not in YEARS:
            self.note(wrong("E-POLITICS-YEAR", year=card.year, years=tuple(map(str, YEARS))), (*path, "year"))
        if card.election:
            self.check_election(card, path)
            return
        if not card.arms:
            self.note(wrong("E-POLITICS-ARMS"), path)
        if not (card.shifts or card.effects):
            self.note(wrong("E-POLITICS-CARD.empty"), path)
        self.check_major_powers(card.arms, (*path, "arms"))
        self.check_shifts(card, (*path, "shifts"))
        for number, effect in enumerate(card.effects):
            self.check_effect(effect, (*path, "effects", number))

    def check_election(self, card: PoliticalCard, path: KeyPath) -> None:
        """Check the card of the election, and note its faults: it must come in the right year, name no power that may
        select it, and have neither arrow nor instruction."""
        if card.year != ELECTION_YEAR:
            self.note(wrong("E-POLITICS-ELECTION.year", year=ELECTION_YEAR), (*path, "year"))
        for key in ("arms", "shifts", "effects"):
            if getattr(card, key):
                self.note(wrong("E-POLITICS-ELECTION.key", key=key), (*path, key))

    def check_shifts(self, card: PoliticalCard, path: KeyPath) -> None:
        """Note the faults of a card's arrows: two arrows on one track, an unknown status, or a wrong number of steps.
        An arrow that can be followed in both directions must be written to the right."""
        seen: set[str] = set()
        for number, shift in enumerate(card.shifts):
            here: KeyPath = (*path, number)
            self.check_word(shift.track, self.track_names, (*here, "track"), "E-POLITICS-TRACK")
            if shift.track in seen:
                self.note(wrong("E-POLITICS-SHIFT.twice", track=shift.track), (*here, "track"))
            seen.add(shift.track)
            if shift.while_status:
                self.check_word(shift.while_status, self.statuses, (*here, "while_status"), "E-POLITICS-STATUS")
            if not shift.steps:
                self.note(wrong("E-POLITICS-SHIFT.none"), (*here, "steps"))
            elif shift.either and shift.steps < 0:
                self.note(wrong("E-POLITICS-SHIFT.direction", steps=-shift.steps), (*here, "steps"))
            self.check_steps(shift.track, shift.steps, (*here, "steps"))

    def check_steps(self, name: str, steps: int, path: KeyPath) -> None:
        """Note a fault at `path` if a shift of the track `name` by `steps`, in either direction, is as long as the
        track or longer."""
        tracks: Mapping[str, TrackFacts] = self.politics.tracks
        if name in tracks and abs(steps) >= max(len(tracks[name].boxes), 1):
            boxes = len(tracks[name].boxes)
            self.note(wrong("E-POLITICS-SHIFT.far", steps=abs(steps), boxes=boxes), path)

    def check_effect(self, effect: Effects, path: KeyPath) -> None:
        """Check that an instruction names powers that exist, and changes something."""
        match effect:
            case Grant():
                self.check_grant(effect, path)
            case Income():
                self.check_word(effect.power, self.powers, (*path, "power"), "E-POLITICS-POWER")
                if not effect.cards:
                    self.note(wrong("E-POLITICS-EFFECT.income"), (*path, "cards"))
            case Seize():
                self.check_word(effect.power, self.major, (*path, "power"), "E-POLITICS-POWER")
                if not effect.city.strip():
                    self.note(wrong("E-POLITICS-EFFECT.city"), (*path, "city"))
            case Expedition():
                self.check_word(effect.power, self.major, (*path, "power"), "E-POLITICS-POWER")

    def check_grant(self, effect: Grant, path: KeyPath) -> None:
        """Note the faults of a grant: receivers are unknown, named twice or missing, `executing` is named with another
        receiver, or there is nothing to give."""
        for number, power in enumerate(effect.to):
            if power != EXECUTING:
                self.check_word(power, self.powers, (*path, "to", number), "E-POLITICS-POWER")
        if len(set(effect.to)) != len(effect.to) or not effect.to or (EXECUTING in effect.to and len(effect.to) > 1):
            self.note(wrong("E-POLITICS-EFFECT.to", executing=EXECUTING), (*path, "to"))
        if min(effect.cards, effect.troops) < 0 or not (effect.cards or effect.troops):
            self.note(wrong("E-POLITICS-EFFECT"), path)
