"""Dangers of a reader: who can be attacked by whom, what can be taken or entered, in few lines, from public facts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.conquest import control_of, controller, is_held_by_enemy, is_protected
from pbem.engine.decisions import March
from pbem.engine.events import Marched
from pbem.engine.field import OFF, alter, are_enemies, at_home, pieces_by_city
from pbem.engine.march import Column, destinations
from pbem.engine.nouns import City, Suit
from pbem.engine.roads import Road
from pbem.engine.rules import Rules
from pbem.engine.table import Table, powers_of_player
from pbem.engine.ways import is_open
from pbem.kit import copy_of, game_of
from pbem.paper.lexicon import Lexicon
from pbem.paper.positions.files import load_position
from pbem.report import blocks
from pbem.report.consequences import Comer, Prospects, Threat
from pbem.report.language.templates import languages, macros_of, squeeze, wrap_paragraph
from pbem.report.letters.dangers import (
    MOST_LINES,
    MOST_OF_CITIES,
    MOST_OF_MANY,
    RESTS,
    TEMPLATE,
    Dangers,
    danger_lines,
    dangers_of,
    falling_lines,
    height,
    strongest_first,
)
from pbem.report.letters.reader import marches_follow
from pbem.report.letters.report import report_data
from pbem.report.letters.unsettled import FallingCity
from pbem.report.stacks import Stack
from pbem.report.telling import fields_data
from tests.campaign.simulated import SimulatedTable
from tests.report import script
from tests.report.plain import letter_text
from tests.test_picture_scenes import GAMES, played

from .campaign_table import OpenTable

WITH = {"de": "mit", "en": "with", "es": "con", "it": "con"}
PLAYED = [(name, turn) for name in GAMES for turn in (1, 3, 5)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> OpenTable:
    found = OpenTable(tmp_path_factory.mktemp("dangers"), scenario="introductory")
    found.join()
    found.play(5)
    return found


@pytest.fixture(scope="module")
def told(table: OpenTable) -> dict[str, Briefing]:
    with table.open() as campaign:
        return briefings(campaign)


def of_position(pattern: Briefing, name: str, turn: int) -> list[Briefing]:
    """Briefings of all seats in a position of a game; only what dangers depend on is its own."""
    position, _ = played(name, turn)
    seats = position.rules.seats
    return [
        replace(pattern, table=position, reader=seat, powers=powers_of_player(position, seat), phase="running")
        for seat in seats
    ]


@pytest.mark.parametrize(("name", "turn"), PLAYED)
def test_every_threat_is_told_in_few_lines(told: dict[str, Briefing], name: str, turn: int) -> None:
    for briefing, language in product(of_position(told["louis"], name, turn), languages()):
        found, rules = dangers_of(briefing), briefing.table_in_play.rules
        lines = danger_lines(found, rules, language)
        height = sum(1 + wrap_paragraph(line).count("\n") for line in lines[len(found.winning) :])
        assert height <= MOST_LINES + bool(found.falling), lines
        assert bool(lines) == bool(found.pieces or found.open or found.winning)
        generals = [piece for each in found.pieces for piece in each.pieces if rules.common.is_general(piece)]
        text = "\n".join(lines)
        named = blocks.common_in_words(rules.common, language)
        assert all(general in text for general in blocks.pieces(named, generals)), lines
        falling = blocks.cities(named, [each.city for each in found.falling])
        assert all(city in lines[-1 - bool(found.retreating)] for city in falling), lines


ROOMY = ("introductory", 3)
"""Position in which threats told on one line have room for the enemies."""

ALSO = ("- also at risk", "- ebenfalls bedroht", "- también amenazado", "- inoltre: ", "- inoltre (")


@pytest.mark.parametrize(("name", "turn"), PLAYED)
def test_each_threatened_stack_has_a_line_with_its_strongest_enemies_and_their_strengths(
    told: dict[str, Briefing], name: str, turn: int
) -> None:
    told_beside = 0
    for briefing, language in product(of_position(told["louis"], name, turn), languages()):
        found, rules = dangers_of(briefing), briefing.table_in_play.rules
        named = blocks.common_in_words(rules.common, language)
        kinds = [rules.common.is_general(each.pieces[0]) for each in found.pieces]
        assert kinds == sorted(kinds, reverse=True), "trains come last"
        lines = danger_lines(found, rules, language)[len(found.winning) :]
        items = lines[: len(found.pieces)] if len(found.pieces) == 1 else [line for line in lines if line[:2] == "- "]
        assert len(items) == len(found.pieces) or ":" in items[-1]
        own_lines = [line for line in items if not line.startswith(ALSO)]
        for line in items[len(own_lines) :]:
            generals = [each for each in found.pieces[len(own_lines) :] if rules.common.is_general(each.pieces[0])]
            is_full = sum(1 + wrap_paragraph(each).count("\n") for each in lines) >= MOST_LINES - 1
            assert is_full or all(is_beside(named, each, line) for each in generals), lines
            first = {blocks.piece(named, each.comers[0].stack.generals[0]) for each in found.pieces[len(own_lines) :]}
            assert all(enemy[:8] in line for enemy in first), lines
            told_beside += "(" in line
        for line, each in zip(own_lines, found.pieces, strict=False):
            troops = [comer.stack.most for comer in each.comers]
            assert troops == sorted(troops, reverse=True)
            first = each.comers[0].stack
            strength = str(first.least) if first.least == first.most else f"{first.least}–{first.most}"
            names = " + ".join(blocks.pieces(named, first.generals))
            # How strong somebody is does not matter to a train.
            is_train = not rules.common.is_general(each.pieces[0])
            assert (names if is_train else f"{names} {WITH[language]}\u00a0{strength}") in line
            assert not is_train or not re.search(rf"{WITH[language]}\u00a0\d", line)
            own = sum(piece.troops for piece in map(briefing.table_in_play.state.field.pieces.__getitem__, each.pieces))
            assert not own or f" {WITH[language]}\u00a0{own}" in line
            assert f"{blocks.city(named, each.city)}\u00a0" in line or not own
    assert told_beside or (name, turn) != ROOMY


def is_beside(named: Rules, threat: Threat, line: str) -> bool:
    """True if the strongest enemy stands in a line beside the stack that it threatens, and the others are counted."""
    own = " + ".join(blocks.pieces(named, threat.pieces))
    # A name can stand in another case.
    enemy = "[^()]*".join(name[:8] for name in blocks.pieces(named, threat.comers[0].stack.generals))
    others = (
        ""
        if len(threat.comers) == 1
        else " (?:otro|da un'altra pila|another|ein weiteres)|(?:und|and|y|e|or|oder|o) (?:altri )?"
    )
    return re.search(rf"{re.escape(own)} \([^()]*{enemy}[^()]*(?:{others})[^()]*\)", line) is not None


def after_the_others(position: Table, movers: Sequence[int]) -> Table:
    """The position after all other pieces have gone that can march in the same stage."""
    common, field = position.rules.common, position.state.field
    stages = field.alliances.stage
    gone = [
        piece
        for city, there in pieces_by_city(common, field).at.items()
        if stages[common.pieces[there[0]].power] == stages[common.pieces[movers[0]].power]
        if city != field.pieces[movers[0]].city
        if destinations(game_of(position).column_of(position, there))
        for piece in there
    ]
    found = copy_of(position)
    for piece in gone:
        alter(found.state.field, piece, city=OFF)
    return found


def marches_first(position: Table, foe: str, own: str) -> bool:
    """True if `foe` marches, in this stage or a later one, before `own` does so in a later one."""
    acts_in, stage = position.state.field.alliances.stage, position.state.stage
    stages = game_of(position).stages(position.rules, position.state.turn)
    here = stages.index(stage)
    later = [*stages[here + 1 :], *stages[: here + 1]]
    if acts_in[foe] == stage:
        asked = [each.power for each in game_of(position).decisions(position) if isinstance(each, March)]
        return foe in asked or marches_follow(position, [foe])
    return later.index(acts_in[foe]) < later.index(acts_in[own])


def test_an_enemy_who_has_marched_threatens_nobody_who_marches_before_him(told: dict[str, Briefing]) -> None:
    """Prussia marches before Austria: what it can reach is a danger until it has marched, and again once Austria has
    its march before it."""
    position, _ = played("introductory", 3)
    briefing = replace(told["louis"], reader="maria", powers=["austria"], phase="running")
    threatening: dict[tuple[str, str], bool] = {}
    for stage, phase in (("prussia", "cards"), ("prussia", "combat"), ("austria", "cards")):
        later = copy_of(position)
        later.state.stage, later.state.phase, later.state.owing, later.state.moved = stage, phase, [], []
        foes = dangers_of(replace(briefing, table=later)).generals
        threatening[stage, phase] = not foes.isdisjoint(later.rules.common.generals("prussia"))
    assert threatening == {
        ("prussia", "cards"): True,
        ("prussia", "combat"): False,
        ("austria", "cards"): True,
    }


def test_after_the_peace_of_the_gambit_nobody_waits_for_marches_of_powers_that_have_left() -> None:
    peace = "gambit: {ceded: yes, lacking: {prussia: 3, france: 4}, held: {austria: 1}}"
    text = f"game: maria\nscenario: silesia-gambit\nturn: 7\nstage: france\nphase: movement\n{peace}\n"
    position = load_position(text.encode(), "position")
    gone = [power for power, stage in position.state.field.alliances.stage.items() if not stage]
    assert gone == ["prussia", "saxony"]
    found = Prospects(position, ["austria"], ["austria"]).until_march
    stages = game_of(position).stages(position.rules, position.state.turn)
    assert {found[each] for each in gone} == {len(stages)}
    assert found["austria"] < len(stages)


@pytest.mark.parametrize(("name", "turn"), PLAYED)
def test_who_is_threatened_is_whom_a_march_comes_to(told: dict[str, Briefing], name: str, turn: int) -> None:
    for briefing in of_position(told["louis"], name, turn):
        found, position = dangers_of(briefing), briefing.table_in_play
        common, field = position.rules.common, position.state.field
        threatened = {piece for each in found.pieces for piece in each.pieces}
        for power in briefing.powers:
            beside, entered = set[int](), set[int]()
            for city, standing in pieces_by_city(common, field).at.items():
                foe = common.pieces[standing[0]].power
                is_foe = are_enemies(field, foe, power)
                if is_foe and marches_first(position, foe, power) and common.is_general(standing[0]):
                    alone = after_the_others(position, standing)
                    ends = {city, *destinations(game_of(alone).column_of(alone, standing))}
                    entered |= ends
                    beside |= {near for end in ends for near in common.board.near[end]}
            for own in common.generals(power):
                assert (own in threatened) == (field.pieces[own].city in beside), blocks.piece(common, own)
            for own in common.trains(power):
                assert (own in threatened) == (field.pieces[own].city in entered), blocks.piece(common, own)


TAKERS = {
    "en": "Your fortresses at risk: Prague, Tabor and Brünn "
    "(by Schwerin, Friedrich der Große, Erbprinz Leopold or Der Alte Dessauer).",
    "de": "Deine bedrohten Festungen: Prag, Tabor und Brünn "
    "(durch Schwerin, Friedrich den Großen, Erbprinz Leopold oder den Alten Dessauer).",
    "es": "Tus fortalezas amenazadas: Praga, Tabor y Brünn "
    "(por Schwerin, Friedrich der Große, Erbprinz Leopold o Der Alte Dessauer).",
    "it": "Le tue fortezze minacciate: Praga, Tabor e Brünn "
    "(da Schwerin, Friedrich der Große, Erbprinz Leopold o Der Alte Dessauer).",
}
LONE = {
    "en": "Your fortresses at risk: Prague and Brünn (by Schwerin), Tabor (by Friedrich der Große).",
    "de": "Deine bedrohten Festungen: Prag und Brünn (durch Schwerin), Tabor (durch Friedrich den Großen).",
    "es": "Tus fortalezas amenazadas: Praga y Brünn (por Schwerin), Tabor (por Friedrich der Große).",
    "it": "Le tue fortezze minacciate: Praga e Brünn (da Schwerin), Tabor (da Friedrich der Große).",
}
SOME = {
    "en": "Your fortresses at risk: Prague and Brünn (by Schwerin, Friedrich der Große or Erbprinz Leopold), "
    "Tabor (by Friedrich der Große).",
    "de": "Deine bedrohten Festungen: Prag und Brünn (durch Schwerin, Friedrich den Großen oder Erbprinz Leopold), "
    "Tabor (durch Friedrich den Großen).",
    "es": "Tus fortalezas amenazadas: Praga y Brünn (por Schwerin, Friedrich der Große o Erbprinz Leopold), "
    "Tabor (por Friedrich der Große).",
    "it": "Le tue fortezze minacciate: Praga e Brünn (da Schwerin, Friedrich der Große o Erbprinz Leopold), "
    "Tabor (da Friedrich der Große).",
}


@pytest.mark.parametrize("language", languages())
def test_where_room_is_short_cities_are_told_with_all_who_could_take_them(language: str) -> None:
    rules = script.RULES

    def threat(name: str, *generals: int) -> Threat:
        comers = [Comer(Stack("prussia", (piece,), script.city(name), Suit(0), 1, 8)) for piece in generals]
        return Threat((), script.city(name), Suit(0), tuple(comers))

    def line(*found: Threat) -> str:
        own = Threat((script.TRAUN,), script.city("Kolin"), Suit(0), found[0].comers)
        return danger_lines(Dangers((own,), found), rules, language)[-1]

    schwerin, friedrich, leopold = script.SCHWERIN, script.FRIEDRICH, script.LEOPOLD
    (fourth,) = set(rules.common.generals("prussia")) - {schwerin, friedrich, leopold}
    by_all = [
        threat("Prag", schwerin, friedrich, leopold, fourth),
        threat("Tabor", friedrich, leopold, schwerin, fourth),
        threat("Brünn", schwerin, friedrich, leopold, fourth),
    ]
    assert line(*by_all) == TAKERS[language]
    by_some = [
        threat("Prag", schwerin, friedrich, leopold),
        threat("Tabor", friedrich),
        threat("Brünn", leopold, friedrich, schwerin),
    ]
    assert line(*by_some) == SOME[language]
    lone = (threat("Prag", schwerin), threat("Tabor", friedrich), threat("Brünn", schwerin))
    assert danger_lines(Dangers((), lone), rules, language) == [LONE[language]], "cities of one enemy stand together"


MANY = ("Prag", "Tabor", "Brünn", "Kolin", "Budweis", "Olmütz", "Pilsen", "Königgrätz", "Pardubitz")


OF_MANY = {
    "en": "Your fortresses at risk: Prague, Kolin and Pilsen (by Schwerin), Tabor, Budweis and Königgrätz "
    "(by Schwerin or Friedrich der Große), Brünn, Olmütz and Pardubitz (by Schwerin, Friedrich der Große or "
    "Erbprinz Leopold).",
    "de": "Deine bedrohten Festungen: Prag, Kolin und Pilsen (durch Schwerin), Tabor, Budweis und Königgrätz "
    "(durch Schwerin oder Friedrich den Großen), Brünn, Olmütz und Pardubitz (durch Schwerin, Friedrich den Großen "
    "oder Erbprinz Leopold).",
    "es": "Tus fortalezas amenazadas: Praga, Kolin y Pilsen (por Schwerin), Tabor, Budweis y Königgrätz "
    "(por Schwerin o Friedrich der Große), Brünn, Olmütz y Pardubitz (por Schwerin, Friedrich der Große o "
    "Erbprinz Leopold).",
    "it": "Le tue fortezze minacciate: Praga, Kolin e Pilsen (da Schwerin), Tabor, Budweis e Königgrätz "
    "(da Schwerin o Friedrich der Große), Brünn, Olmütz e Pardubitz (da Schwerin, Friedrich der Große o "
    "Erbprinz Leopold).",
}


@pytest.mark.parametrize("language", languages())
def test_many_cities_are_told_each_with_its_own_enemies(language: str) -> None:
    rules = script.RULES
    generals = [script.SCHWERIN, script.FRIEDRICH, script.LEOPOLD]

    def threat(at: int, name: str) -> Threat:
        stacks = [generals[0], *generals[1 : 1 + at % 3]]
        comers = [Comer(Stack("prussia", (piece,), script.city(name), Suit(0), 1, 8)) for piece in stacks]
        return Threat((), script.city(name), Suit(0), tuple(comers))

    found = tuple(threat(at, name) for at, name in enumerate(MANY))
    own = Threat((script.TRAUN,), script.city("Kolin"), Suit(0), found[0].comers)
    told = danger_lines(Dangers((own,), found), rules, language)[-1]
    assert told == OF_MANY[language]
    assert MOST_OF_CITIES < 1 + wrap_paragraph(told).count("\n") <= MOST_OF_MANY


BEYOND = {
    "en": r"and \d+ more \(by ",
    "de": r"und \d+ weitere \(durch ",
    "es": r"y \d+ más \(por ",
    "it": r"e altre \d+ \(da ",
}


@pytest.mark.parametrize("language", languages())
def test_cities_that_are_only_counted_are_told_with_those_who_could_take_them(language: str) -> None:
    """Every city has another set of enemies, so that none can stand together."""
    rules = script.RULES
    generals = [*rules.common.generals("prussia"), *rules.common.generals("france")]
    names = [*MANY, "Glatz", "Neisse", "Brieg", "Breslau", "Ratibor"]

    def threat(at: int, name: str) -> Threat:
        stacks = [generals[at % 4], *generals[4 : 4 + at // 4]]
        comers = [Comer(Stack("prussia", (piece,), script.city(name), Suit(0), 1, 8)) for piece in stacks]
        return Threat((), script.city(name), Suit(0), tuple(comers))

    found = tuple(threat(at, name) for at, name in enumerate(names))
    own = Threat((script.TRAUN,), script.city("Kolin"), Suit(0), found[0].comers)
    told = danger_lines(Dangers((own,), found), rules, language)[-1]
    takers = re.split(BEYOND[language], told)[1]
    assert all(name in takers for name in ("Schwerin", "Friedrich", "Leopold", "Alte")), told
    assert 1 + wrap_paragraph(told).count("\n") <= MOST_OF_MANY


def cities_left_behind(column: Column) -> set[City]:
    """The cities that some march leaves behind, found by trying every path."""
    found: set[City] = set()
    board = column.rules.board
    paths: list[Road] = [()]
    while paths:
        path = paths.pop()
        here = path[-1] if path else column.start
        if path and is_open(column, path):
            found |= {column.start, *path[:-1]}
        if len(path) < column.ranges[1]:
            paths += [(*path, city) for city in board.near[here]]
    return found


def will_be_down(position: Table, generals: Sequence[int]) -> bool:
    """True if generals cannot be face-up when they march next, wherever other powers march until then."""
    common, field, far = position.rules.common, position.state.field, position.rules.common.board.distance
    own = field.alliances.stage[common.pieces[generals[0]].power]
    if common.down_conquer or (own == position.state.stage and position.state.phase == "movement"):
        return not common.down_conquer and all(field.pieces[general].down for general in generals)
    trains = [field.pieces[train].city for general in generals for train in common.wagons[general]]
    near = {city for city in trains if city >= 0 and far(city)[field.pieces[generals[0]].city] <= common.limits.supply}
    return not near and not any(at_home(common, field, general) for general in generals)


@pytest.mark.parametrize(("name", "turn"), PLAYED)
def test_a_city_is_open_to_those_whose_march_can_leave_it_behind(
    told: dict[str, Briefing], name: str, turn: int
) -> None:
    """A march conquers no city in which it ends."""
    for briefing in of_position(told["louis"], name, turn):
        position = briefing.table_in_play
        common, field = position.rules.common, position.state.field
        found = {(comer.stack.city, each.city) for each in dangers_of(briefing).open for comer in each.comers}
        expected = set()
        for start, standing in pieces_by_city(common, field).at.items():
            column = game_of(position).column_of(position, standing)
            foes = [
                power
                for power in briefing.powers
                if are_enemies(field, column.power, power) and marches_first(position, column.power, power)
            ]
            if not foes or column.is_train or will_be_down(position, standing):
                continue
            held = {city for city in common.conquerable if controller(common, field, city) in foes}
            alone = after_the_others(position, standing)
            for city in held & cities_left_behind(game_of(alone).column_of(alone, standing)):
                is_claim = is_held_by_enemy(common, field, city, column.power)
                is_closed = city in column.circumstances.closed
                if is_claim and not is_closed and not is_protected(common, field, city, column.circumstances.reach):
                    expected.add((start, city))
        assert found == expected


LATEST = 12
"""Number of the latest events, so many that a report has room for all marches."""


def names_marching(names: Sequence[str], text: str) -> list[str]:
    """The generals of whose marches a text tells."""
    return [name for name in names if re.search(rf"\b{name}( and [^.]+?)?( by forced march)? to ", text)]


def test_no_march_of_those_who_threaten_the_reader_is_told_as_elsewhere(table: OpenTable, tmp_path: Path) -> None:
    """Törring who marches towards the reader's train is no news from elsewhere."""
    later, threatening = table.copied(tmp_path / "campaign"), 0
    for _ in range(6):
        with later.open() as campaign:
            every = briefings(campaign)
        for each in every.values():
            briefing = replace(each, news=replace(each.news, events=each.news.events[-LATEST:]))
            news, found = report_data(briefing)["news"], dangers_of(briefing)
            marched = {piece for event in briefing.news.events if isinstance(event, Marched) for piece in event.pieces}
            names = blocks.pieces(briefing.table_in_play.rules.common, sorted(marched & found.generals))
            assert isinstance(news, dict)
            told, away = (names_marching(names, str(news[part])) for part in ("mine", "others"))
            assert not away, news
            threatening += len(told)
        later.play(1)
    assert threatening > 1


def test_a_report_tells_them_to_who_plays_and_only_then(told: dict[str, Briefing]) -> None:
    texts = {reader: letter_text(report_data(each)) for reader, each in told.items()}
    shown = {
        reader for reader, text in texts.items() if re.search(r"\n(Open to attack|Your fortresses at risk)[:,] ", text)
    }
    assert shown == {reader for reader, each in told.items() if dangers_of(each) != Dangers()}
    assert shown
    assert not shown & {OBSERVER, MODERATOR}
    for reader in shown:
        assert report_data(replace(told[reader], phase="over"))["dangers"] == []
        assert re.search(
            r"\n(Bedroht|Deine bedrohten Festungen)[:,] ", letter_text(report_data(in_language(told[reader], "de")))
        )


def test_they_follow_from_public_facts_alone(told: dict[str, Briefing]) -> None:
    for briefing in of_position(told["louis"], "advanced", 3):
        twin = copy_of(briefing.table_in_play)
        for power in twin.rules.powers:
            pieces = [each for each in twin.rules.common.generals(power) if twin.state.field.pieces[each].city >= 0]
            troops = [twin.state.field.pieces[each].troops for each in pieces]
            if power not in briefing.powers:
                for piece, number in zip(pieces, troops[::-1], strict=True):  # the total is public
                    alter(twin.state.field, piece, troops=number)
        twin.state.cards.hands.update({power: [] for power in twin.state.cards.hands})
        rules = twin.rules
        one, other = (danger_lines(dangers_of(each), rules, "en") for each in (briefing, replace(briefing, table=twin)))
        assert one == other


ALSO_BY = {
    "de": "- ebenfalls bedroht: Neipperg (durch Friedrich den Großen mit 8 und 1 weiteren)",
    "en": "- also at risk: Neipperg (by Friedrich der Große with 8 and 1 more)",
    "es": "- también amenazado: Neipperg (por Friedrich der Große con 8 y por otro)",
    "it": "- inoltre: Neipperg (da Friedrich der Große con 8 e da un'altra pila)",
}


@pytest.mark.parametrize("language", languages())
def test_where_room_is_short_the_strongest_enemy_of_a_stack_is_named_and_the_others_are_counted(language: str) -> None:
    rules = script.RULES
    comers = tuple(
        Comer(Stack("prussia", (piece,), script.city("Kolin"), Suit(0), troops, troops), (Suit(0),))
        for piece, troops in ((script.SCHWERIN, 5), (script.FRIEDRICH, 8))
    )
    threat = strongest_first(rules.common, Threat((script.NEIPPERG,), script.city("Prag"), Suit(0), comers))
    lines = {form: squeeze(rest_line(threat, form, language)) for form in RESTS}
    assert f"- {lines['with_number']}".replace("\u00a0", " ") == ALSO_BY[language]


AFTER_SUPPLY = {
    "de": ("mit 5 aus ♥ nach Versorgungsverlust", "(durch Schwerin mit 5 nach Versorgungsverlust)"),
    "en": ("with 5 from ♥ after supply losses", "(by Schwerin with 5 after supply losses)"),
    "es": (
        "con 5 desde ♥ tras perder tropas por falta de suministro",
        "(por Schwerin con 5 tras perder tropas por falta de suministro)",
    ),
    "it": (
        "con 5 da ♥ dopo le perdite per mancato rifornimento",
        "(da Schwerin con 5 dopo le perdite per mancato rifornimento)",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_strength_that_an_enemy_will_have_after_supply_is_told_as_such(language: str) -> None:
    stack = Stack("prussia", (script.SCHWERIN,), script.city("Kolin"), Suit(2), 5, 5)
    threat = Threat((script.NEIPPERG,), script.city("Prag"), Suit(2), (Comer(stack, (Suit(2),), True),))
    data = fields_data(blocks.common_in_words(script.RULES.common, language), threat) | {"troops": 4}
    lines = (macros_of(language, "maria", TEMPLATE).stack(data, 1), rest_line(threat, RESTS[0], language))
    told = (squeeze(str(line)).replace("\u00a0", " ") for line in lines)
    assert all(words in line for words, line in zip(AFTER_SUPPLY[language], told, strict=True))


def test_in_spanish_another_enemy_is_no_part_of_the_strength_before_him() -> None:
    comers = tuple(
        Comer(Stack("prussia", (piece,), script.city("Kolin"), Suit(0), 8, 8), (Suit(0),))
        for piece in (script.FRIEDRICH, script.SCHWERIN, script.LEOPOLD)
    )
    named = blocks.common_in_words(script.RULES.common, "es")
    told = []
    for few in (comers[:2], comers):
        threat = Threat((script.NEIPPERG,), script.city("Prag"), Suit(0), few)
        line = macros_of("es", "maria", TEMPLATE).stack(fields_data(named, threat) | {"troops": 4}, 1)
        told.append(
            (str(line).partition(" con\u00a08")[2], rest_line(threat, "with_others", "es").partition(" con\u00a08")[2])
        )
    assert told == [
        (" desde\u00a0♣ y además otro apilamiento enemigo", " o por otro apilamiento enemigo)"),
        (" desde\u00a0♣ y además otros 2 apilamientos enemigos", " o por otros 2 apilamientos enemigos)"),
    ]


GUARDED_FIRST = {
    "en": "Can fall if protectors lose: Glatz and Neisse (Neipperg), Brieg",
    "de": "Mit Beschützer in Gefahr: Glatz und Neisse (Neipperg), Brieg",
    "es": "Pueden caer con su protector: Glatz y Neisse (Neipperg), Brieg",
    "it": "A rischio se i protettori perdono: Glatz e Neisse (Neipperg), Brieg",
}


@pytest.mark.parametrize("language", languages())
def test_protectors_of_the_first_cities_that_fall_are_named_without_a_further_line(language: str) -> None:
    common = blocks.common_in_words(script.RULES.common, language)
    say = macros_of(language, "maria", TEMPLATE)
    guards = {"Glatz": script.NEIPPERG, "Brieg": script.LEOPOLD, "Neisse": script.NEIPPERG}
    cities = [FallingCity(script.city(city), ((general,),), ()) for city, general in guards.items()]

    def told(macro: str, *given: object) -> str:
        return squeeze(str(getattr(say, macro)(*given)))

    (short,), (whole,) = (falling_lines(told, common, cities, most) for most in (1, 2))
    assert "(Erbprinz Leopold)" in whole
    assert "(Erbprinz Leopold)" not in short
    assert short.startswith(GUARDED_FIRST[language])
    assert height([short]) == 1


MORE_STACKS = {
    "en": ("one more enemy stack", "2 more enemy stacks"),
    "de": ("1 weiteres Heer", "2 weitere Heere"),
    "es": ("otro apilamiento enemigo", "otros 2 apilamientos enemigos"),
    "it": ("un'altra pila nemica", "altre 2 pile nemiche"),
}


@pytest.mark.parametrize("language", languages())
def test_enemies_without_a_name_are_counted_as_stacks(language: str) -> None:
    say = macros_of(language, "maria", TEMPLATE)
    told = [squeeze(str(say.among(["Karl"], number))).replace("\u00a0", " ") for number in (1, 2)]
    assert all(words in line for words, line in zip(MORE_STACKS[language], told, strict=True)), told


def rest_line(threat: Threat, form: str, language: str) -> str:
    say = macros_of(language, "maria", TEMPLATE)
    named = blocks.common_in_words(script.RULES.common, language)
    data = fields_data(named, threat) | {"troops": 4}
    return str(say.rest([data], [squeeze(str(getattr(say, form)(data)))]))


BEHIND = """\
turn: 3
stage: prussia
phase: movement
pieces: {Karl: "Habelschwerdt, 6", Neipperg: "Glatz, 5", Friedrich: "Schweidnitz, 8"}
"""


def test_an_enemy_behind_another_who_may_march_first_is_a_danger(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", position=BEHIND).begun().open() as campaign:
        briefing = briefings(campaign)["frederick"]
    (line,) = danger_lines(dangers_of(briefing), briefing.table_in_play.rules, "en")
    assert "Friedrich der Große" in line
    assert "Karl" in line
    assert "Neipperg" in line


AGAINST_KHEVENHUELLER = """\
scenario: advanced
turn: 2
stage: france
phase: combat
begun: yes
pieces: {Khevenhüller: "Tabor, 8", Belle-Isle: "Beneschau, 4", Rutowski: "Welwarn, 5"}
moved: [Belle-Isle]
retreat: {start: Beneschau, length: 4, winner: austria, from city: Tabor}
"""
AGAINST_MORITZ = """\
scenario: advanced
turn: 2
stage: france
phase: movement
pieces: {Moritz: "Brüssel, 5", Earl of Stair: "Breda, 5", austria train 1: Antwerpen,
  pragmatic train 1: Eindhoven, Arenberg: off}
"""


@pytest.mark.parametrize(
    ("position", "reader", "attacked", "enemy"),
    [
        (AGAINST_KHEVENHUELLER, "maria-theresa", "Khevenhüller", "Rutowski"),
        (AGAINST_MORITZ, "louis", "Moritz von Sachsen", "Earl of Stair"),
    ],
    ids=["behind the beaten", "behind an ally of the same stage"],
)
def test_an_enemy_is_a_danger_behind_pieces_that_go_before_he_marches(
    tmp_path: Path, position: str, reader: str, attacked: str, enemy: str
) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="advanced", position=position).begun()
    with table.open() as campaign:
        briefing = briefings(campaign)[reader]
    common = briefing.table_in_play.rules.common
    found = {
        (name, foe)
        for each in dangers_of(briefing).pieces
        for name in blocks.pieces(common, each.pieces)
        for comer in each.comers
        for foe in blocks.pieces(common, comer.stack.generals)
    }
    assert (attacked, enemy) in found


def test_at_the_set_up_the_least_troops_of_each_general_are_known(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        briefing = briefings(campaign)["louis"]
    prospects = Prospects(briefing.table_in_play, briefing.powers, briefing.powers)
    assert prospects.foes
    for stack in map(prospects.stack, prospects.foes):
        assert (stack.least, stack.most) == (sum(prospects.rules.pieces[each].least for each in stack.generals), 8)


BEATEN = """\
turn: 2
stage: austria
phase: combat
begun: yes
pieces: {Neipperg: "Königgrätz, 6", Friedrich: "Trautenau, 2", Schwerin: "Glatz, 5"}
retreat: {start: Trautenau, length: 1, winner: austria, from city: Königgrätz}
"""
UNCOUNTED = {
    "de": "Nicht als Angreifer mitgezählt, weil über ihren Rückzug noch entschieden wird: Friedrich der Große.",
    "en": "Not counted as attackers, because their retreat is still to be decided: Friedrich der Große.",
    "es": "No se cuentan como atacantes, porque su retirada está por decidir: Friedrich der Große.",
    "it": "Non contati tra gli attaccanti, perché devono ancora ritirarsi: Friedrich der Große.",
}


def test_an_enemy_whose_retreat_is_still_to_be_decided_is_named_as_not_counted(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", position=BEATEN).begun().open() as campaign:
        told = briefings(campaign)
    for language in languages():
        found, rules = dangers_of(told["maria-theresa"]), told["maria-theresa"].table_in_play.rules
        lines = danger_lines(found, rules, language)
        assert "Schwerin" in " ".join(lines)
        assert lines[-1] == UNCOUNTED[language]
        assert UNCOUNTED[language] not in danger_lines(dangers_of(told["frederick"]), rules, language)


def test_the_pieces_of_the_power_that_is_asked_come_first(tmp_path: Path) -> None:
    position = """\
game: friedrich
turn: 2
stage: hanover
phase: movement
pieces: {Friedrich: "Radeberg, 8", Browne: "Pirna, 6", Ferdinand: "Hameln, 6", Richelieu: "Bielefeld, 6"}
"""
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    named = [blocks.pieces(told.table_in_play.rules.common, each.pieces)[0] for each in dangers_of(told).pieces]
    assert "Friedrich" in named
    assert named[0] == "Ferdinand"


FALLING = """\
turn: 2
stage: austria
phase: cards
begun: yes
pieces: {Neipperg: "Königgrätz, 8", Karl: "Olmütz, 6", Friedrich: "Frankenstein, 2", Schwerin: off}
markers: {prussia: [Glatz]}
"""

FALLS = {
    "de": "Mit Beschützer in Gefahr: Glatz (Friedrich der Große).",
    "en": "Can fall if protectors lose: Glatz (Friedrich der Große).",
    "es": "Pueden caer con su protector: Glatz (Friedrich der Große).",
    "it": "A rischio se i protettori perdono: Glatz (Friedrich der Große).",
}


@pytest.mark.parametrize("language", languages())
def test_a_city_is_named_that_falls_with_the_only_stack_that_protects_it(tmp_path: Path, language: str) -> None:
    with SimulatedTable(tmp_path / "campaign", position=FALLING).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    found, rules = dangers_of(told), told.table_in_play.rules
    assert danger_lines(found, rules, language)[-1] == FALLS[language]
    away = copy_of(told.table_in_play)
    for general in rules.common.generals("austria"):
        alter(away.state.field, general, city=OFF)
    assert not dangers_of(replace(told, table=away)).falling


LEFT = {
    "de": "Preußen: noch 2 {} bis zum Sieg (jetzt {} von {}). Dafür kann schon ein Zug genügen.",
    "en": "Prussia is 2 {} short of winning: {} of {}. It could win in its next stage.",
    "es": "Prusia está a 2 {} de ganar (tiene {} de {}). Puede lograrlo en su próxima etapa.",
    "it": "La Prussia è a 2 {} dalla vittoria ({} su {}). Può raggiungerla nella sua prossima fase.",
}
PRIZES = {
    "de": ("Festungen", "Siegmarker"),
    "en": ("fortresses", "victory markers"),
    "es": ("fortalezas", "marcadores de victoria"),
    "it": ("fortezze", "segnalini vittoria"),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scenario", ["introductory", "advanced"])
def test_a_letter_says_that_an_enemy_is_about_to_win(tmp_path: Path, scenario: str, language: str) -> None:
    taken = "Neisse, Glatz, Olmütz, Königgrätz, Pardubitz, Leitmeritz, Tabor, Budweis"
    taken += ", Iglau" if scenario == "advanced" else ""
    position = f"scenario: {scenario}\nturn: 4\nstage: austria\nphase: movement\n"
    position += f"markers: {{prussia: [{taken}]}}\n"
    with SimulatedTable(tmp_path / "campaign", scenario=scenario, position=position).begun().open() as campaign:
        told = briefings(campaign)
    text = " ".join(letter_text(report_data(in_language(told["maria-theresa"], language))).split())
    cities, markers = PRIZES[language]
    count = {"introductory": (cities, 10, 12), "advanced": (markers, 11, 13)}[scenario]
    assert LEFT[language].format(*count) in text
    assert all(each.is_own for each in dangers_of(told["frederick"]).winning)


def test_a_city_is_named_that_falls_with_a_partner_who_protects_it(tmp_path: Path) -> None:
    position = """\
scenario: advanced
turn: 2
stage: france
phase: cards
begun: yes
pieces: {Earl of Stair: "Brussels, 2", Arenberg: off, Maillebois: "Valenciennes, 8", Moritz: "Charleroi, 8"}
"""
    with SimulatedTable(tmp_path / "campaign", scenario="advanced", position=position).begun().open() as campaign:
        told = briefings(campaign)["maria-theresa"]
    lines = danger_lines(dangers_of(told), told.table_in_play.rules, "en")
    assert lines[-1] == "Can fall if protectors lose: Tournai, Mons and Namur (Earl of Stair)."


FALLS_WITH_TWO = {
    "de": "Mit Beschützer in Gefahr: Glatz (Friedrich der Große und Schwerin).",
    "en": "Can fall if protectors lose: Glatz (Friedrich der Große and Schwerin).",
    "es": "Pueden caer con su protector: Glatz (Friedrich der Große y Schwerin).",
    "it": "A rischio se i protettori perdono: Glatz (Friedrich der Große e Schwerin).",
}


@pytest.mark.parametrize("language", languages())
def test_a_city_is_named_that_falls_with_two_stacks_that_the_same_enemies_can_attack(
    tmp_path: Path, language: str
) -> None:
    position = FALLING.replace("Schwerin: off", 'Schwerin: "Habelschwerdt, 2"')
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    assert danger_lines(dangers_of(told), told.table_in_play.rules, language)[-1] == FALLS_WITH_TWO[language]


RECRUITED = """\
game: friedrich
turn: 2
stage: hanover
phase: movement
pieces: {{Heinrich: "Kyritz, 4", {general}: "Malchin, {troops}", Saltikov: off, Fermor: off, Apraxin: off}}
"""


@pytest.mark.parametrize(
    ("general", "troops", "strength"),
    [("Ehrensvärd", 2, "2–4"), ("Ehrensvärd", 4, "4"), ("Tottleben", 3, "3–8"), ("Tottleben", 8, "8")],
)
def test_an_attacker_can_have_the_troops_that_his_power_can_recruit_before_the_battle(
    tmp_path: Path, general: str, troops: int, strength: str
) -> None:
    """Sweden can have 4 troops in play, Russia 16, and a general 8."""
    position = RECRUITED.format(general=general, troops=troops)
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    lines = danger_lines(dangers_of(told), told.table_in_play.rules, "en")
    assert f"{general} with\u00a0{strength} from" in " ".join(lines), lines


BACK = """\
game: friedrich
turn: 2
stage: prussia
phase: combat
begun: yes
pieces: {Heinrich: "Bautzen, 4", prussia train 1: Niesky, Browne: "Löbau, 8", Karl: off, Daun: off, Laudon: off}
"""


def test_a_city_can_fall_to_a_march_that_comes_back_over_the_same_road(tmp_path: Path) -> None:
    """Browne marches from Löbau to Görlitz and back. He passes no train."""
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=BACK).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    named = told.table_in_play.rules.common
    assert "Görlitz" in blocks.cities(named, [each.city for each in dangers_of(told).falling])


OF_BOTH = """\
game: friedrich
turn: 4
stage: hanover
phase: movement
pieces: {Ferdinand: "Fallingbostel, 7", Cumberland: "Verden, 5", Richelieu: "Lehrte, 8", Chevert: "Lehrte, 5",
  Soubise: "Halberstadt, 6"}
"""


def test_cities_of_the_power_that_is_asked_are_named_before_others(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=OF_BOTH).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    table = told.table_in_play
    holders = control_of(table.rules.common, table.state.field).holder
    of_asked = [holders[each.city] == "hanover" for each in dangers_of(told).open]
    assert {*of_asked} == {True, False}
    assert of_asked == sorted(of_asked, reverse=True)


PASSED = """\
game: friedrich
turn: 3
stage: prussia
phase: movement
pieces: {{Dohna: "Massow, 2", Saltikov: "Wangerin, 8", Fermor: "{fermor}", Apraxin: off, Tottleben: off,
  Ehrensvärd: off}}
"""


@pytest.mark.parametrize(("fermor", "is_lost"), [("Wangerin, 4", True), ("off", False)])
def test_a_city_can_fall_to_one_general_of_a_stack_while_the_other_attacks_its_protector(
    tmp_path: Path, fermor: str, is_lost: bool
) -> None:
    position = PASSED.format(fermor=fermor)
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    named = told.table_in_play.rules.common
    falling = blocks.cities(named, [each.city for each in dangers_of(told).falling])
    assert "Stargard" in falling
    assert ("Woldenberg" in falling) == is_lost


HUNGRY = """\
turn: {turn}
stage: {stage}
phase: movement
pieces: {{Karl: "Brünn, 6", Neipperg: off, Schwerin: "Freudenthal, {troops}", Friedrich: off, Erbprinz Leopold: off,
  prussia train 1: {train}}}
"""


@pytest.mark.parametrize(
    ("stage", "troops", "train", "strength", "takes"),
    [
        ("france", "4", "Jägerndorf", 4, True),
        ("france", "4", "off", 3, False),
        ("france", "4, face-down", "off", 2, False),
        ("france", "4, face-down", "Jägerndorf", 4, True),
        ("france", "1", "off", 0, False),
        ("austria", "4, face-down", "off", 4, True),
        ("austria", "4, face-down", "Berlin", 2, False),
        ("france", "2, face-down", "off", 0, False),
        ("prussia", "4, face-down", "off", 4, False),
    ],
)
def test_an_enemy_without_supply_is_a_danger_as_he_will_be_when_he_marches(
    tmp_path: Path, stage: str, troops: str, train: str, strength: int, takes: bool
) -> None:
    """Supply is tested before movement. In its own movement a power's test is over. Between the stages of Austria and
    of Prussia comes a winter, in which trains off the map are recruited."""
    position = HUNGRY.format(turn=3 if stage == "austria" else 2, stage=stage, troops=troops, train=train)
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        briefing = briefings(campaign)["maria-theresa"]
    found, schwerin = dangers_of(briefing), Lexicon(briefing.table_in_play.rules).piece("Schwerin")
    comers = [comer.stack for each in found.pieces for comer in each.comers if schwerin in comer.stack.generals]
    assert {each.most for each in comers} == ({strength} if strength else set())
    hungry = {comer.is_hungry for each in found.pieces for comer in each.comers if schwerin in comer.stack.generals}
    assert hungry <= {strength != int(troops[0])}
    assert any(schwerin in comer.stack.generals for each in found.open for comer in each.comers) == takes


STARVING = """\
game: friedrich
turn: 2
stage: prussia
phase: {phase}
begun: yes
pieces: {{Heinrich: "Bautzen, 8", Browne: "Löbau, 5", Schwerin: "Ostrau, 2{down}", Dohna: "Rostock, 3{down}",
  Laudon: "Brünn, 6", Ehrensvärd: "Jarmen, 4", Karl: off, Daun: off, prussia train 1: off, prussia train 2: off}}
"""


@pytest.mark.parametrize(
    ("phase", "down", "is_lost"),
    [("combat", ", face-down", True), ("combat", "", False), ("movement", ", face-down", False)],
)
def test_generals_who_are_removed_in_the_stage_are_in_no_danger_and_protect_nothing(
    tmp_path: Path, phase: str, down: str, is_lost: bool
) -> None:
    rest = "battles: [Bautzen > Löbau]\n" if phase == "combat" else "owing: [prussia]\n"
    position = STARVING.format(phase=phase, down=down) + rest
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        told = briefings(campaign)["frederick"]
    named, found = told.table_in_play.rules.common, dangers_of(told)
    threatened = {general for each in found.pieces for general in blocks.pieces(named, each.pieces)}
    assert is_lost == ("Schwerin" not in threatened) == ("Dohna" not in threatened)
    assert ("Malchin" in blocks.cities(named, [each.city for each in found.open])) == is_lost
    assert ("Malchin" in blocks.cities(named, [each.city for each in found.falling])) != is_lost
