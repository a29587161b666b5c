"""A brute-force oracle for FRIEDRICH: marches, conquests, supply, attacks, retreats and re-entry.

As for MARIA (brute.py, from which the walks and distances come) every answer is found by listing all walks and then
throwing away those that break a rule; nothing is shared with the program, and the rules were taken from the book alone.
The numbers in brackets (§) are sections of FRIEDRICH's rule book.

`python -m tests.oracle.friedrich` prints the counts of the situations below; with `--write` it rewrites
`friedrich_counts.yaml`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .brute import Board, Piece, WalkPath, by_length, distances, load, read_board, simple_paths, steps_of, walks

HERE = Path(__file__).resolve().parent
BOARD = HERE.parents[1] / "rules" / "friedrich" / "boards" / "friedrich.yaml"
COUNTS = HERE / "friedrich_counts.yaml"

DEFENDERS = frozenset({"prussia", "hanover"})  # §1: one side; everybody else is the other
GUARD_OF_LAND = {"prussia": "prussia", "saxony": "prussia", "hanover": "hanover", "austria": "austria"}  # §5


@dataclass(frozen=True)
class Facts:
    """The board and what is printed on it."""

    board: Board
    objectives: Mapping[str, str]  # city -> the power whose colour it has
    depots: Mapping[str, frozenset[str]]
    setup: Mapping[str, Piece]


@cache
def facts() -> Facts:
    return read_facts(load(BOARD))


def read_facts(data: Mapping[str, Any]) -> Facts:
    objectives = {
        str(city): str(power)
        for power, orders in data["objectives"].items()
        for cities in orders.values()
        for city in cities
    }
    pieces: dict[str, Piece] = {}
    for power, army in data["setup"].items():
        for row in army["generals"]:
            pieces[row["name"]] = Piece(row["name"], power, "general", int(row["rank"]), row["city"])
        for number, row in enumerate(army["trains"], start=1):
            name = f"{power} train {number}"
            pieces[name] = Piece(name, power, "train", 0, row["city"])
    depots = {str(power): frozenset(cities) for power, cities in data["depots"].items()}
    return Facts(read_board(data), objectives, depots, pieces)


@dataclass(frozen=True)
class Situation:
    facts: Facts
    pieces: Mapping[str, Piece]
    markers: Mapping[str, str] = field(default_factory=dict)

    def standing_in(self, city: str, ignoring: Iterable[str] = ()) -> list[Piece]:
        gone = set(ignoring)
        return [piece for piece in self.pieces.values() if piece.city == city and piece.name not in gone]

    def on_board(self) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.city is not None]

    def city_of(self, movers: Sequence[str]) -> str:
        cities = {self.pieces[name].city for name in movers}
        if len(cities) != 1 or None in cities:
            raise ValueError(f"{', '.join(movers)}: not together on the board")
        return str(cities.pop())


def enemies(one: str, other: str) -> bool:
    return (one in DEFENDERS) != (other in DEFENDERS)


# -------- §4 movement


def march_fault(situation: Situation, movers: Sequence[str], path: WalkPath) -> str:
    """Reason why this is no legal march of a train or of one to three generals of a city; "" if it is one."""
    board = situation.facts.board
    power, kind = situation.pieces[movers[0]].power, situation.pieces[movers[0]].kind
    roads = [frozenset(step) for step in steps_of(situation.city_of(movers), path)]
    if not path or not all(road in board.roads for road in roads):
        return "no road"
    by_main_roads = all(road in board.main_roads for road in roads)
    if len(path) > (3 if kind == "general" else 2) + (1 if by_main_roads else 0):
        return "too far"
    for number, city in enumerate(path, start=1):
        met = situation.standing_in(city, ignoring=movers)
        if not met:
            continue
        if kind == "train" or number != len(path):
            return f"{city} is taken"
        prey = all(other.kind == "train" and enemies(other.power, power) for other in met)
        mates = all(other.kind == "general" and other.power == power for other in met)
        if not prey and not (mates and len(met) + len(movers) <= 3):
            return f"{city} is taken"
    return ""


def marches(situation: Situation, movers: Sequence[str]) -> list[WalkPath]:
    """All legal marches, those back and forth included."""
    start = situation.city_of(movers)
    return [path for path in walks(situation.facts.board, start, 4) if not march_fault(situation, movers, path)]


# -------- §5 conquest


def stake(situation: Situation, city: str, power: str) -> tuple[str, bool] | None:
    """Against whom the power takes this objective, and whether it is taken back; None if it has nothing to take."""
    owner = situation.facts.objectives.get(city)
    if owner is None:
        return None
    guard = GUARD_OF_LAND[situation.facts.board.cities[city].land]
    taken = situation.markers.get(city) == owner
    if power == owner and not taken:
        return guard, False
    if power == guard and taken:
        return owner, True
    return None


def protected(situation: Situation, city: str, holder: str, taken_back: bool) -> bool:
    """True if a general of the holder is one to three cities away; against reconquest the Imperial train counts."""
    away = distances(situation.facts.board, city)
    return any(
        away.get(str(piece.city)) in (1, 2, 3)
        for piece in situation.on_board()
        if piece.power == holder and (piece.kind == "general" or (taken_back and piece.power == "imperial"))
    )


def conquered(situation: Situation, movers: Sequence[str], path: WalkPath) -> tuple[set[str], set[str]]:
    """The objectives that fall at once to a legal march, and those that are put in question."""
    mover = situation.pieces[movers[0]]
    fallen: set[str] = set()
    questioned: set[str] = set()
    if mover.kind == "train":
        return fallen, questioned
    for city in (situation.city_of(movers), *path[:-1]):
        at_stake = stake(situation, city, mover.power)
        if at_stake is not None:
            (questioned if protected(situation, city, *at_stake) else fallen).add(city)
    return fallen, questioned


# -------- §7 attacks


def attacks(situation: Situation, power: str) -> set[tuple[str, str]]:
    """The cities from which, and those in which, generals of this power must attack."""
    generals = [piece for piece in situation.on_board() if piece.kind == "general"]
    roads = situation.facts.board.roads
    return {
        (str(ours.city), str(theirs.city))
        for ours in generals
        for theirs in generals
        if ours.power == power and enemies(power, theirs.power) and frozenset((ours.city, theirs.city)) in roads
    }


# -------- §8 retreat


def retreats(situation: Situation, start: str, winner_city: str, length: int) -> tuple[list[WalkPath], list[WalkPath]]:
    """The paths of exactly this length, and those of them that end as far from the winner as any."""
    board = situation.facts.board
    closed = {str(piece.city) for piece in situation.on_board() if piece.city != start}
    possible = [path for path in simple_paths(board, start, length, closed) if len(path) == length]
    away = distances(board, winner_city)
    farthest = max((away[path[-1]] for path in possible), default=0)
    return possible, [path for path in possible if away[path[-1]] == farthest]


# -------- §9 supply


def at_home(situation: Situation, general: str) -> bool:
    """Home country, or for Russia and France, which have none, one of their depots."""
    piece = situation.pieces[general]
    lands = situation.facts.board.homes[piece.power]
    if lands:
        return situation.facts.board.cities[str(piece.city)].land in lands
    return piece.city in situation.facts.depots[piece.power]


def supply_paths(situation: Situation, general: str) -> list[WalkPath]:
    """All ways of at most six cities to a train of his own, round enemy pieces."""
    piece = situation.pieces[general]
    goals = {other.city for other in situation.on_board() if other.kind == "train" and other.power == piece.power}
    closed = {str(other.city) for other in situation.on_board() if enemies(other.power, piece.power)}
    return [path for path in simple_paths(situation.facts.board, str(piece.city), 6, closed) if path[-1] in goals]


# -------- §10 re-entry


def is_cut_off(situation: Situation, power: str) -> bool:
    """True if an enemy piece stands in every depot."""
    return all(
        any(enemies(piece.power, power) for piece in situation.standing_in(depot))
        for depot in situation.facts.depots[power]
    )


def reentry_cities(situation: Situation, name: str) -> set[str]:
    """The depots where a lost piece can come back now."""
    piece = situation.pieces[name]
    found = set()
    for depot in situation.facts.depots[piece.power]:
        met = situation.standing_in(depot)
        mates = all(other.kind == "general" and other.power == piece.power for other in met)
        if not met or (piece.kind == "general" and mates and len(met) < 3):
            found.add(depot)
    return found


# -------- the situations of the tests


@dataclass(frozen=True)
class Case:
    """A situation that begins with the set-up, and the stacks besides single pieces that are asked for."""

    about: str
    moved: Mapping[str, str | None]
    markers: Mapping[str, str] = field(default_factory=dict)
    retreats: tuple[tuple[str, str, int], ...] = ()

    def situation(self) -> Situation:
        pieces = {name: replace(piece, city=self.moved.get(name, piece.city)) for name, piece in facts().setup.items()}
        return Situation(facts(), pieces, self.markers)


CASES = {
    "set-up": Case("The board as it is set up.", {}, retreats=(("Oschatz", "Torgau", 3), ("Melnik", "Prag", 8))),
    "silesia": Case(
        "Three Austrians on Breslau, three Prussians before them, trains within reach of both.",
        {
            "Daun": "Breslau", "Browne": "Breslau", "Laudon": "Breslau", "Lacy": "Waldenburg", "Karl": "Glatz",
            "austria train 1": "Schweidnitz", "austria train 2": "Glogau",
            "Keith": "Neumarkt", "Schwerin": "Neumarkt", "Heinrich": "Neumarkt", "Winterfeldt": "Oels",
            "prussia train 1": "Liegnitz", "prussia train 2": "Brieg", "Friedrich": None,
        },
        {"Schweidnitz": "austria", "Liegnitz": "austria", "Prag": "prussia"},
        (("Neumarkt", "Breslau", 2), ("Neumarkt", "Breslau", 6), ("Breslau", "Oels", 4), ("Glatz", "Neisse", 5)),
    ),
    "saxony": Case(
        "The Imperial Army has Leipzig and Dresden; its train protects them.",
        {
            "Friedrich": "Leipzig", "Winterfeldt": "Dresden", "Heinrich": "Torgau", "Seydlitz": "Pirna",
            "Hildburghausen": "Bayreuth", "imperial train 1": "Altenburg", "Lacy": "Zittau", "prussia train 2": "Halle",
            "Soubise": "Naumburg", "france train 1": "Erfurt",
        },
        {"Leipzig": "imperial", "Dresden": "imperial", "Zittau": "austria"},
        (("Leipzig", "Naumburg", 3), ("Naumburg", "Leipzig", 4)),
    ),
    "far east": Case(
        "Russia and Sweden press on East Prussia and Pomerania.",
        {
            "Saltikov": "Küstrin", "Fermor": "Küstrin", "Apraxin": "Königsberg (Ostpreußen)", "Tottleben": "Rastenburg",
            "russia train 1": "Landsberg", "russia train 2": "Ortelsburg", "Ehrensvärd": "Stettin",
            "sweden train 1": "Anklam", "Dohna": "Stargard", "Lehwaldt": "Tilsit", "Heinrich": "Frankfurt (Oder)",
        },
        {"Küstrin": "russia", "Rastenburg": "russia", "Anklam": "sweden"},
        (("Stettin", "Stargard", 3), ("Küstrin", "Frankfurt (Oder)", 7)),
    ),
}  # fmt: skip


def groups(situation: Situation) -> list[tuple[str, ...]]:
    """Everything that may march: every piece, and of every stack each two and all."""
    found: list[tuple[str, ...]] = []
    cities: dict[str, list[str]] = {}
    for piece in situation.on_board():
        found.append((piece.name,))
        cities.setdefault(str(piece.city), []).append(piece.name)
    for names in cities.values():
        found += [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
        found += [tuple(names)] if len(names) == 3 else []
    return found


def counts_of(case: Case) -> dict[str, Any]:
    """Counts of one situation."""
    situation = case.situation()
    march: dict[str, Any] = {}
    for movers in groups(situation):
        paths = marches(situation, movers)
        outcomes = [conquered(situation, movers, path) for path in paths]
        march[" + ".join(movers)] = {
            "lengths": by_length(paths, 4),
            "ends": len({path[-1] for path in paths}),
            "fallen": sorted(set().union(*(fallen for fallen, _ in outcomes))),
            "questioned": sorted(set().union(*(questioned for _, questioned in outcomes))),
        }
    supply = {
        piece.name: {"home": at_home(situation, piece.name), "paths": by_length(supply_paths(situation, piece.name), 6)}
        for piece in situation.on_board()
        if piece.kind == "general"
    }
    back = {
        f"{start}, {length} from {winner}": retreat_counts(situation, start, winner, length)
        for start, winner, length in case.retreats
    }
    return {"march": march, "supply": supply, "retreat": back}


def retreat_counts(situation: Situation, start: str, winner: str, length: int) -> dict[str, Any]:
    possible, legal = retreats(situation, start, winner, length)
    return {"possible": len(possible), "legal": len(legal), "ends": sorted({path[-1] for path in legal})}


def main() -> None:
    parser = argparse.ArgumentParser(description="The counts of the fixed situations of FRIEDRICH.")
    parser.add_argument("--write", action="store_true", help=f"write them to {COUNTS.name}")
    counted = {name: counts_of(case) for name, case in CASES.items()}
    text = yaml.safe_dump(counted, allow_unicode=True, sort_keys=False, default_flow_style=None, width=120)
    text = "# Made by `python -m tests.oracle.friedrich --write`.\n" + text
    if parser.parse_args().write:
        COUNTS.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
