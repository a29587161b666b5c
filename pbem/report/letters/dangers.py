"""Dangers: pieces of the reader that enemies could attack or take, and cities of the reader that they could conquer.

All this is computed from public facts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.conquest import control_of
from pbem.engine.field import OFF, alter, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import cut
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects, Threat
from pbem.report.language.templates import TemplateData, macros_of, squeeze, wrap_paragraph
from pbem.report.letters.shortages import lost_in_stage
from pbem.report.letters.unsettled import FallingCity, falling_cities
from pbem.report.stacks import Stack
from pbem.report.telling import fields_data
from pbem.report.victory import NearVictory, goals_reached, near_victory

TEMPLATE = "dangers.txt.j2"

FORMS = ("suits", "enemies", "bare")
"""Ways to word a threat to a city, the longest first: `suits` names the enemies and the suits of their cities,
`enemies` only the enemies, `bare` neither."""

RESTS = ("with_others", "with_number")
"""Macros that word the threat to one of several stacks on one line, the longest first: both name the stack's strongest
enemy with his strength and count the others, `with_number` in fewer words."""

MOST_LINES = 9
"""Largest number of lines for all threats together. If these leave no room for the cities that fall with their
protectors, there is one line more."""

MOST_OF_CITIES = 2
"""Largest number of lines for threatened cities, if pieces are threatened as well."""

MOST_OF_MANY = 4
"""Largest number of lines for threatened cities, if there are so many different enemies that they do not fit into fewer
lines."""

MOST_OF_FALLING = 2
"""Largest number of lines for cities that fall if their protectors are beaten. The protectors are named in these
lines."""

MOST_COMERS = 3
"""Largest number of enemy stacks that are named beside one stack of the reader, or beside cities. Of further enemy
stacks, only the number is told; a single one more is named if there is room."""


Tell = Callable[..., str]
"""Function that is called with the name of a macro and with values for it. It returns the text that the macro makes of
them."""


class Dangers(Struct, frozen=True):
    """Threats to the reader's pieces and cities, and powers that are about to win."""

    pieces: tuple[Threat, ...] = ()
    """Stacks that enemies could attack, and after them trains that they could take. Within each group, pieces of powers
    that must decide now come first. Next come the pieces with the nearest enemies, and at equal distance those with the
    strongest. The enemies of each threat are sorted by their strength, the strongest first."""
    open: tuple[Threat, ...] = ()
    """Cities that enemies could conquer because nobody protects them. Those of powers that must decide now come first;
    of these, and of the others, first major fortresses, then the cities with the nearest enemies."""
    falling: tuple[FallingCity, ...] = ()
    """Cities that enemies could conquer if their protectors, one or two stacks, are beaten. They are sorted as `open`
    are."""
    troops: dict[City, int] = {}
    """Number of troops of each threatened stack. The key is the stack's city."""
    retreating: tuple[Piece, ...] = ()
    """Beaten enemy stack that must retreat before it can march. The threats by this stack are left out, because nobody
    knows yet where it will be."""
    winning: tuple[NearVictory, ...] = ()
    """Powers that are about to win."""

    @property
    def cities(self) -> frozenset[City]:
        """Return the cities of the enemies who threaten the reader."""
        return frozenset(stack.city for stack in self.stacks)

    @property
    def generals(self) -> frozenset[Piece]:
        """Return the enemy generals who threaten the reader."""
        return frozenset(general for stack in self.stacks for general in stack.generals)

    @property
    def stacks(self) -> Iterator[Stack]:
        """Yield the enemy stacks that threaten the reader. A stack comes once for each threat."""
        return (comer.stack for each in (*self.pieces, *self.open) for comer in each.comers)


def dangers_of(briefing: Briefing) -> Dangers:
    """Return the dangers for a player in a running game. Observers and the moderator have none. Generals who are
    removed in the present stage for lack of supply are in no danger, and protect nothing (`lost_in_stage`)."""
    table = briefing.table
    if table is None or briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return Dangers()
    if lost := [*lost_in_stage(briefing)]:
        table = copy_of(table)
        for general in lost:
            alter(table.state.field, general, city=OFF)
    declared = briefing.memory.strengths if briefing.memory else ()
    prospects = Prospects(table, briefing.powers, briefing.powers, declared)
    rules = prospects.rules
    majors = rules.board.major_fortresses
    pieces = [strongest_first(rules, after_recruits(prospects, each)) for each in prospects.attackable_pieces()]
    cities = [nearest_first(rules, each) for each in prospects.open_cities()]
    asked, holders = {each.power for each in briefing.orders.asked}, control_of(rules, prospects.field).holder

    def rank(threat: Threat) -> tuple[bool, bool, int, int]:
        piece = threat.pieces[0]
        return not rules.is_general(piece), rules.pieces[piece].power not in asked, *urgency(rules, threat)

    def rank_of_city(each: Threat | FallingCity) -> tuple[bool, bool, int, int]:
        return holders[each.city] not in asked, each.city not in majors, *urgency(rules, each)

    return Dangers(
        tuple(sorted(pieces, key=rank)),
        tuple(sorted(cities, key=rank_of_city)),
        tuple(sorted(falling_cities(prospects), key=rank_of_city)),
        {each.city: sum(prospects.view.pieces[piece].troops or 0 for piece in each.pieces) for each in pieces},
        prospects.retreating() if pieces or cities else (),
        tuple(near_victory(prospects)),
    )


def after_recruits(prospects: Prospects, threat: Threat) -> Threat:
    """Return a threat with the troops that the enemies can have in the battle: their powers may give them new troops
    before. It is assumed that the powers can pay for these, because nobody knows their cards."""
    table, most = prospects.table, prospects.rules.limits.troops

    def reinforced(stack: Stack) -> Stack:
        more = game_of(table).recruits_before_combat(table, stack.power) if table.state.stage != "setup" else 0
        return replace(stack, most=max(stack.most, min(stack.most + more, most * len(stack.generals))))

    return replace(threat, comers=tuple(replace(each, stack=reinforced(each.stack)) for each in threat.comers))


def nearest_first(rules: Rules, threat: Threat) -> Threat:
    """Return a threat with its enemies sorted: the nearest by road come first, and at equal distance the strongest."""
    far = rules.board.distance(threat.city)
    comers = sorted(threat.comers, key=lambda each: (far[each.stack.city], -each.stack.most))
    return replace(threat, comers=tuple(comers))


def strongest_first(rules: Rules, threat: Threat) -> Threat:
    """Return a threat with its enemies sorted: those that may have most troops come first, and at equal strength the
    nearest by road."""
    comers = nearest_first(rules, threat).comers
    return replace(threat, comers=tuple(sorted(comers, key=lambda each: (-each.stack.most, -each.stack.least))))


def urgency(rules: Rules, threat: Threat | FallingCity) -> tuple[int, int]:
    """Return the key by which threats are sorted: the distance of the nearest enemy, and the strength of the
    strongest."""
    far = rules.board.distance(threat.city)
    return min(far[each.stack.city] for each in threat.comers), -max(each.stack.most for each in threat.comers)


def danger_lines(found: Dangers, rules: GameRules, language: str) -> list[str]:
    """Tell each power that is about to win, if no city falls to it in the present stage, then threats in at most
    `MOST_LINES` lines: the threatened stacks, each with its enemies and their strengths, then all threatened cities
    together. The last sentence names beaten enemies who must retreat now, because their threats are left out."""
    say, common = macros_of(language, rules.terms.game, TEMPLATE), blocks.common_in_words(rules.common, language)

    def tell(macro: str, *given: object) -> str:
        return squeeze(str(getattr(say, macro)(*given)))

    told = tell("uncounted", blocks.pieces(common, found.retreating)) if found.retreating else ""
    left_out = [told] if told else []
    winning = [each.sentence(rules, language) for each in found.winning if not each.falling]
    most = MOST_LINES - height(left_out)
    cities = city_lines(tell, common, found.open, MOST_OF_CITIES if found.pieces else most)
    left = most - height(cities) - height(piece_lines(tell, common, found, 0))
    cities += falling_lines(tell, common, found.falling, min(left, MOST_OF_FALLING))
    return [*winning, *piece_lines(tell, common, found, most - height(cities)), *cities, *left_out]


def deciding_sentences(briefing: Briefing, found: Dangers, language: str) -> list[str]:
    """Tell each power whose goal is reached, and each power about to win by cities that can fall in the present
    stage."""
    if briefing.table is None or briefing.phase != "running":
        return []
    now = (each.sentence(briefing.table.rules, language) for each in found.winning if each.falling)
    return [*goals_reached(briefing.table, briefing.powers, language), *now]


def piece_lines(tell: Tell, common: Rules, found: Dangers, most: int) -> list[str]:
    """Tell threats to pieces in at most `most` lines, if this is possible. To save room, first fewer enemies are named,
    then several stacks share a line. At last, stacks with the same strongest enemy are named together, with only the
    first general of this enemy."""
    threats = [fields_data(common, each) | {"troops": found.troops.get(each.city, 0)} for each in found.pieces]
    if len(threats) < 2:
        return [tell("alone", *threats, len(cut(each.comers, MOST_COMERS))) for each in found.pieces]
    whole, short = ([f"- {stack_line(tell, each, lines)}" for each in threats] for lines in (most, 1))
    shorter = [whole, short]
    for form in (*RESTS, ""):
        for told in range(len(threats) - 1, 0, -1):
            left = threats[told:]
            rest = [tell(form, each) for each in left] if form else by_strongest(tell, left)
            shorter.append([*short[:told], f"- {tell('rest', left, rest, not form)}"])
    head = tell("by_whom")
    return next(([head, *items] for items in shorter if height([head, *items]) <= most), [head, *shorter[-1]])


def by_strongest(tell: Tell, threats: Sequence[TemplateData]) -> list[str]:
    """Tell threats to pieces, each with the first general of its strongest enemy stack. Pieces with the same such
    general are named together."""
    alike: dict[str, list[str]] = {}
    for threat in threats:
        alike.setdefault(threat["comers"][0]["stack"]["generals"][0], []).append(tell("names", threat))
    return [tell("guarded", names, [general]) for general, names in alike.items()]


def falling_lines(tell: Tell, common: Rules, cities: Sequence[FallingCity], most: int) -> list[str]:
    """Tell the cities that fall, with their protectors, in at most `most` lines. Cities with the same protectors are
    named together. If there is too little room, the last cities are named without protectors."""
    by_protectors: dict[tuple[tuple[Piece, ...], ...], list[City]] = {}
    for each in cities:
        by_protectors.setdefault(each.protectors, []).append(each.city)
    told = [
        tell("guarded", blocks.cities(common, fallen), stacks_in_words(common, protectors))
        for protectors, fallen in by_protectors.items()
    ]
    lines: list[str] = []
    for named in range(len(told), -1, -1):
        left = [each.city for each in cities if each.protectors not in [*by_protectors][:named]]
        lines.append(tell("falling", [*told[:named], *blocks.cities(common, left)]))
    room = max(most, height(lines[-1:]))
    return [line for line in lines if height([line]) <= room][:1] if cities and lines[-1] else []


def stack_line(tell: Tell, threat: TemplateData, most: int) -> str:
    """Tell the threat to one stack in at most `most` lines. It names as many enemies as there is room for, but at least
    one."""
    most_named = len(cut(threat["comers"], MOST_COMERS))
    told = [tell("stack", threat, named) for named in range(most_named, 0, -1)]
    return next((line for line in told if height([f"- {line}"]) <= most), told[-1])


def city_lines(tell: Tell, common: Rules, threats: Sequence[Threat], most: int) -> list[str]:
    """Tell threats to cities in one paragraph of at most `most` lines, if this is possible.

    To save room, first the suits are left out, then some of the enemies. If this is not enough, up to `MOST_OF_MANY`
    lines are used. If there are still too many, the last cities are counted, and their enemies named together.
    """
    if not threats:
        return []
    data = [fields_data(common, each) for each in threats]
    bare = [tell("one", [each], FORMS[-1]) for each in data]
    full, plain = (by_enemies(tell, data, bare, form) for form in FORMS[:-1])
    shared = [by_all_comers(threats, named) for named in (None, *range(MOST_COMERS, 0, -1))]
    nearest = by_nearest_comer(threats)

    def line(groups: Sequence[Group], left: Sequence[Group] = ()) -> str:
        told = [group_in_words(tell, common, group) for group in groups]
        return tell("line", "open", told, *rest_in_words(common, [each for group in left for each in group.threats]))

    shorter = [
        *((most, tell("line", "open", told, 0, (), 0)) for told in (full, plain)),
        *((most, line(groups)) for groups in shared),
        *((max(most, MOST_OF_MANY), line(groups)) for groups in shared),
        *((max(most, MOST_OF_MANY), line(nearest[:some], nearest[some:])) for some in range(len(nearest), 0, -1)),
    ]
    return [next((told for room, told in shorter if height([told]) <= room), shorter[-1][1])]


class Group(Struct, frozen=True):
    """Cities that are told together because they have the same enemies."""

    threats: list[Threat]
    named: int
    """Largest number of enemies that are named. The nearest to the first city are named; of the others only the number
    is told."""


def by_all_comers(threats: Sequence[Threat], named: int | None) -> list[Group]:
    """Group cities that have exactly the same enemies. If `named` is None, up to `MOST_COMERS` are named (`cut`)."""
    return grouped(threats, named, lambda threat: frozenset(comer.stack.generals for comer in threat.comers))


def by_nearest_comer(threats: Sequence[Threat]) -> list[Group]:
    """Group cities that have the same nearest enemy and the same number of enemies."""
    return grouped(threats, 1, lambda threat: (threat.comers[0].stack.generals, len(threat.comers)))


def grouped(threats: Sequence[Threat], named: int | None, alike: Callable[[Threat], Hashable]) -> list[Group]:
    found: dict[Hashable, list[Threat]] = {}
    for threat in threats:
        found.setdefault(alike(threat), []).append(threat)
    return [Group(each, named or len(cut(each[0].comers, MOST_COMERS))) for each in found.values()]


def group_in_words(tell: Tell, common: Rules, group: Group) -> str:
    comers = group.threats[0].comers
    cities = blocks.cities(common, [threat.city for threat in group.threats])
    return tell("together", cities, names_of_stacks(common, comers[: group.named]), len(comers[group.named :]))


def rest_in_words(common: Rules, threats: Sequence[Threat]) -> tuple[int, list[str], int]:
    """Return the data by which a paragraph sums up the threats that it has no room to tell: the number of threatened
    cities, the names of up to `MOST_COMERS` nearest enemies, and the number of nearest enemies that are not named."""
    enemies = names_of_stacks(common, dict.fromkeys(each.comers[0] for each in threats))
    named = cut(enemies, MOST_COMERS)
    return len(threats), [*named], len(enemies) - len(named)


def names_of_stacks(common: Rules, comers: Iterable[Comer]) -> list[str]:
    return stacks_in_words(common, (comer.stack.generals for comer in comers))


def stacks_in_words(common: Rules, stacks: Iterable[Sequence[Piece]]) -> list[str]:
    return [*dict.fromkeys(" + ".join(blocks.pieces(common, stack)) for stack in stacks)]


def by_enemies(tell: Tell, threats: Sequence[object], cities: Sequence[str], form: str) -> list[str]:
    """Tell threats to cities in one of the `FORMS`. Cities that have the same enemies are named together."""
    alike: dict[str, list[object]] = {}
    for threat, city in zip(threats, cities, strict=True):
        alike.setdefault(tell("one", [threat], form).removeprefix(city), []).append(threat)
    return [tell("one", each, form) for each in alike.values()]


def height(lines: Sequence[str]) -> int:
    """Return the number of lines that these texts take in a letter."""
    return sum(1 + wrap_paragraph(line).count("\n") for line in lines)


def near_own_generals(table: Table, powers: Collection[Power]) -> frozenset[City]:
    """Return the cities beside generals of these powers."""
    rules, pieces = table.rules.common, table.state.field.pieces
    places = [pieces[general].city for power in powers for general in rules.generals(power)]
    return frozenset(city for place in places if place >= 0 for city in rules.board.near[place])


def generals_fought(table: Table, powers: Collection[Power]) -> frozenset[Piece]:
    """Return the generals whom generals of `powers` fight in the present stage, or will have to fight in it."""
    rules, state = table.rules.common, table.state
    fights = [(each.attacker, each.defender) for each in state.battles]
    if state.duel:
        fights.append((state.duel.attacking_city, state.duel.defending_city))
    found: set[Piece] = set()
    for cities in fights:
        stacks = [stack_at(rules, state.field, city) for city in cities]
        for own, others in (stacks, stacks[::-1]):
            found.update(others if any(rules.pieces[each].power in powers for each in own) else ())
    return frozenset(found)
