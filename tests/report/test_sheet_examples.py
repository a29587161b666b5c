"""Everything that an order sheet shows can be sent: as it stands, each comment line alone, each `or:` in its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, in_language
from pbem.campaign.settings import Conduct
from pbem.engine.cards import card_of
from pbem.engine.combat import pairings
from pbem.engine.decisions import ChooseRetreat, Decision, March, PlayCard, Recruit
from pbem.engine.events import BattleJoined, BattleWon, Conquered, Questioned, TrainTaken
from pbem.engine.nouns import Power, Suit
from pbem.engine.supply import assess
from pbem.engine.table import Table, player_of, powers_of_player, stage_of
from pbem.faults.nouns import power_noun
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.friedrich.rules.recruiting import early_levies
from pbem.games.maria.report.position import numbers_of
from pbem.games.maria.rules.decisions import PlaceHussars, PlaceInfluence
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.letters import read_letter
from pbem.paper.orders.files import load_orders
from pbem.paper.orders.trial import run
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.language.templates import WIDTH, languages, macros_of
from pbem.report.letters import sheet as letter_sheet
from pbem.report.letters.in_reach import MarchResults, fights_now, in_reach
from pbem.report.letters.sheet import MOST_MARCHES, chief_marches, sheet_text, sheet_texts
from pbem.report.letters.sheet_lines import MOST, examples_of, held_section, in_short, is_only_answer, orders_of
from pbem.report.letters.unsettled import ForcedAttack
from pbem.report.telling import game_report
from pbem.site.archive import capital
from tests import play
from tests.campaign.fights import begin
from tests.campaign.simulated import SimulatedTable
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.paper.test_forms import tables
from tests.raider import raid
from tests.trying import IS_LONG

from .campaign_table import OpenTable
from .script import RESERVE_CARD

OFTEN_ENOUGH = 3
"""So many sheets are looked at for each kind of question."""

ADVANCED = next(terms for terms in play.EVERY if terms.scenario == "advanced")
GAMBIT = next(terms for terms in play.EVERY if terms.scenario == "silesia-gambit")
FOUR = random_play.EVERY[0]

GAMES: dict[str, tuple[Any, Any, Any]] = {
    "advanced": (play, ADVANCED, raid),
    "gambit": (play, GAMBIT, raid),
    "friedrich": (random_play, FOUR, strive),
}
"""Module, terms and player of each game at random."""

LEFT_OUT = re.compile(r"^( +)# ((?:- |plans: |final: |wait: |ahead: |[a-z]+: {ahead: ).*)$", re.MULTILINE)
STACKS = re.compile(r"^( +)# (transfer:.*\n)((?: +#   - .*\n)+)", re.MULTILINE)
OR = re.compile(r"(?:# |  # )(?:or|oder|o bien|oppure): (.*)$")
SECTION = re.compile(r"^ {6}([a-z][a-z ]*:)")


def variants(sheet: str) -> Iterator[str]:
    """The sheet as it is, with all of its marches, and with each of its examples used."""
    yield sheet
    yield re.sub(r"^( {8})# (- [^{])", r"\1\2", sheet, flags=re.MULTILINE)
    for found in LEFT_OUT.finditer(sheet):
        yield sheet[: found.start()] + found[1] + found[2] + sheet[found.end() :]
    for found in STACKS.finditer(sheet):
        stacks = found[3].replace("#   ", "  ")
        yield sheet[: found.start()] + found[1] + found[2] + stacks + sheet[found.end() :]
    yield from replaced(sheet.split("\n"))


def replaced(lines: list[str]) -> Iterator[str]:
    """Texts behind `or:`, each in the place of the text above it."""
    section = 0
    for number, line in enumerate(lines):
        section = number if SECTION.match(line) else section
        if found := OR.search(line):
            end = next(i for i in range(section + 1, len(lines) + 1) if not lines[i : i + 1] or lines[i][:8] != " " * 8)
            head = SECTION.match(lines[section])
            assert head, line
            more = takewhile(lambda each: each.startswith("      #   "), lines[number + 1 :])
            for value in " ".join([found[1], *(each[8:].strip() for each in more)]).split(" | "):
                yield "\n".join([*lines[:section], f"      {head[1]} {value}", *lines[end:]])


def about(briefing: Briefing, table: Table, powers: Sequence[Power]) -> Briefing:
    """A briefing of somebody who is asked by another table."""
    asked = tuple(decision for decision in game_of(table).decisions(table) if decision.power in powers)
    view = game_of(table).view(table, powers)
    return replace(
        briefing,
        table=table,
        orders=replace(briefing.orders, asked=asked),
        view=view,
        stage=stage_of(table),
        powers=tuple(powers),
    )


class Marches(NamedTuple):
    """Possible results of the marches of a power in one position."""

    table: Table
    march: March
    found: list[MarchResults]
    done: Table
    """The table on which the examples were carried out."""


def marches_on(tables: Iterable[Table]) -> Iterator[Marches]:
    for table in tables:
        for march in game_of(table).decisions(table):
            if isinstance(march, March):
                done = copy_of(table)
                yield Marches(table, march, in_reach(table, march, done), done)


@cache
def marches_of(game: str) -> list[Marches]:
    """The marches of a game at random. Many tests look at them; nobody changes them."""
    return list(marches_on(map(copy_of, tables(*GAMES[game], 600 if IS_LONG else 400))))


def is_of_plans(fault: Fault) -> bool:
    """True if a trial says that it does not ask plans, which only a campaign does."""
    return fault.code == "W-ORDER-UNUSED" and ("section", "plans") in fault.message.gaps


def is_asked_for_cards(powers: Sequence[Power], decisions: Sequence[Decision]) -> bool:
    """True if one of these powers is asked to play a card, or to stop."""
    return any(isinstance(each, PlayCard) and each.power in powers for each in decisions)


def check(briefing: Briefing, tables: Iterator[Table]) -> Counter[str]:
    """No sheet and no example of it is refused; gives how often each section was looked at."""
    kinds: Counter[str] = Counter()
    for table in tables:
        decisions = game_of(table).decisions(table)
        wanted = [each for each in decisions if kinds[type(each).__name__] < OFTEN_ENOUGH]
        if not wanted:
            continue
        kinds.update({type(each).__name__ for each in decisions})
        player = player_of(table, wanted[0].power)
        powers = [power for power in table.rules.powers if player_of(table, power) == player]
        language = languages()[sum(kinds.values()) % len(languages())]
        sheet = sheet_text(about(briefing, table, powers), language)
        assert language == "en" or not re.search(r"\btrain \d", sheet), sheet
        assert max(map(len, sheet.split("\n"))) <= WIDTH, sheet
        for text in variants(sheet):
            read_letter(text.encode(), "sheet")
            trial = run(table, load_orders(text.encode(), "sheet", table.rules))
            faults = [fault for fault in trial.faults if fault.code != "W-MARCH-WAY" and not is_of_plans(fault)]
            assert not faults, (faults, text)
            assert not is_asked_for_cards(powers, decisions) or not is_asked_for_cards(powers, trial.waiting), text
    return kinds


@pytest.mark.parametrize(
    ("game", "module", "terms", "player", "most"),
    [("maria", play, ADVANCED, raid, play.LONGEST), ("friedrich", random_play, FOUR, strive, 3000)],
    ids=["maria", "friedrich"],
)
def test_every_example_of_a_sheet_is_legal_as_it_stands(
    tmp_path: Path, game: str, module: Any, terms: Any, player: Any, most: int
) -> None:
    campaign = SimulatedTable(tmp_path / "campaign", game=game).begun()
    with campaign.open() as opened:
        briefing = next(each for each in briefings(opened).values() if each.orders.asked)
    kinds = check(briefing, tables(module, terms, player, most))
    assert len(kinds) >= 8, kinds


@pytest.mark.parametrize("game", ["advanced", "gambit"])
def test_an_enemy_whom_a_march_is_said_to_meet_is_attacked_at_its_end(game: str) -> None:
    met = 0
    for table, march, found, _ in marches_of(game):
        for each in found:
            for enemy in each.meets[:2]:
                orders = orders_of(table, march.power, {"move": [{each.written: enemy.end}]})
                trial = run(table, orders)
                if any(not fault.is_warning for fault in trial.faults):
                    continue  # the way leads over a city that must be named, or what stays behind forbids it
                rules = trial.table.rules.common
                attacks = {
                    tuple(blocks.cities(rules, (battle.attacker, battle.defender)))
                    for battle in pairings(rules, trial.table.state.field, [march.power])
                }
                met += 1
                named = {(other.end, other.city) for other in each.meets}
                assert {attack for attack in attacks if attack[0] == enemy.end} <= named, (each, enemy)
                assert (enemy.end, enemy.city) in attacks, (each, enemy)
    assert met > 20


def battles_told(table: Table, power: Power, at: str = "") -> set[tuple[object, ...]]:
    """The battles that a power must fight, with the strengths that `check` tells; of one city, if it is given."""
    rules = table.rules.common
    prospects = Prospects(table, powers_of_player(table, player_of(table, power)), (power,))
    found = set()
    for battle in pairings(rules, table.state.field, [power]):
        enemy, city = prospects.stack(battle.defender), blocks.city(rules, battle.attacker)
        if city == at or not at:
            suit, names = blocks.city_suit(rules, battle.attacker), blocks.pieces(rules, enemy.generals)
            found.add((suit, *names, blocks.city(rules, enemy.city), enemy.least, enemy.most))
    return found


def as_told(fights: Sequence[ForcedAttack]) -> set[tuple[object, ...]]:
    return {(each.own_suit, *each.enemies, each.city, each.least, each.most) for each in fights}


@pytest.mark.parametrize("game", ["advanced", "friedrich"])
def test_a_march_that_begins_a_battle_tells_it_as_check_does(game: str) -> None:
    begun = stays = 0
    for table, march, found, _ in marches_of(game):
        now = fights_now(table, march.power)
        assert as_told(now) == battles_told(table, march.power)
        stays += len(now)
        for each in found:
            trial = run(table, orders_of(table, march.power, {"move": [{each.written: each.goal}]}))
            is_fought = any(isinstance(event, BattleWon) for event in trial.events)
            if is_fought or any(not fault.is_warning for fault in trial.faults):
                continue  # nobody stands there any more, or the example needs another one before it
            goal = each.goal.split(", ")[-1]
            told = set() if " train " in each.pieces[0] else battles_told(trial.table, march.power, goal)
            assert as_told(each.fights) == told, each
            begun += len(told)
    assert min(begun, stays) > 3, (begun, stays)


BESIDE = """\
game: friedrich
turn: 2
stage: prussia
phase: movement
pieces: {Keith: "Neisse, 4", Schwerin: "Waldenburg, 2", Browne: "Trautenau, 5"}
hands: {prussia: [R]}
"""


@pytest.mark.parametrize(
    ("language", "marching", "staying"),
    [
        ("en", "battle: ♦ against Browne (", "Those who stay fight: Schwerin ♥ against Browne ("),
        ("de", "Schlacht: ♦ gegen Browne (", "Wer bleibt, kämpft: Schwerin ♥ gegen Browne ("),
        ("es", "batalla: ♦ contra Browne (", "Quien se queda combate: Schwerin ♥ contra Browne ("),
        ("it", "battaglia: ♦ contro Browne (", "Chi resta combatte: Schwerin ♥ contro Browne ("),
    ],
)
def test_both_sheets_say_which_battles_begin(tmp_path: Path, language: str, marching: str, staying: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=BESIDE).begun()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
    told.table_in_play.state.cards.hands["prussia"] = [RESERVE_CARD]
    for sheet in sheet_texts(told, language)[:2]:
        words = " ".join(sheet.replace("\n", " ").replace("#", " ").split())
        assert marching in words, sheet
        assert staying in words, sheet


HEARTS = Suit(2)

NO_CARD = {
    "en": ("♦ (no ♦ in hand) against", "Glatz ♦ (no ♦ in hand) against", "Schwerin ♥ against"),
    "de": ("♦ (kein ♦ auf der Hand) gegen", "Glatz ♦ (kein ♦ auf der Hand) gegen", "Schwerin ♥ gegen"),
    "es": ("♦ (sin ♦ en la mano) contra", "Glatz ♦ (sin ♦ en la mano) contra", "Schwerin ♥ contra"),
    "it": ("♦ (nessun ♦ in mano) contro", "Glatz ♦ (nessun ♦ in mano) contro", "Schwerin ♥ contro"),
}


@pytest.mark.parametrize("language", languages())
def test_beside_an_attack_stands_that_the_reader_has_no_card_of_its_suit(tmp_path: Path, language: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=BESIDE).begun()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
    hands = told.table_in_play.state.cards.hands
    for hand, is_said in (([card_of(HEARTS, 5, 0)], True), ([card_of(HEARTS, 5, 0), RESERVE_CARD], False)):
        hands["prussia"] = hand
        for sheet in sheet_texts(told, language)[:2]:
            words = " ".join(sheet.replace("#", " ").split())
            lacking, elsewhere, having = NO_CARD[language]
            assert (lacking in words, elsewhere in words, having in words) == (is_said, is_said, True), sheet


def test_a_piece_that_enemies_could_attack_is_not_left_out() -> None:
    quiet = MarchResults(
        pieces=["Traun"],
        written="Traun",
        start="Tabor",
        goal="Iglau",
        line="Traun: Iglau",
        takes=[],
        open=[],
        questions=[],
        guarded=[],
        takes_train="",
        trains=[],
        unfed=[],
        meets=[],
        enters="",
        is_guarded=False,
        is_idle=False,
        uncovers=[],
        sweeps=[],
        is_forced=False,
        forced_goal="",
        forced_steps=0,
        towards="",
        left=0,
        comers=[],
        new_comers=[],
        of_own=False,
        is_hungry=False,
        may_be_fed=False,
        hungry=[],
        is_down=False,
        down=[],
        fights=[],
        is_threatened=False,
        is_starving=False,
    )
    marches = [replace(quiet, written=f"{number}") for number in range(7)]
    marches[-1] = replace(marches[-1], is_threatened=True)
    assert chief_marches(marches) == [*marches[:3], marches[-1]]


STARVING = """\
game: friedrich
turn: 4
stage: prussia
phase: movement
pieces: {Friedrich: "Trübau, 4, face-down", Winterfeldt: "Trübau, 1, face-down", Heinrich: "Pritzwalk, 3",
  Seydlitz: "Döbeln, 1", Lehwaldt: "Ortelsburg, 5", Schwerin: "Velten, 6", Keith: "Berlin, 5",
  prussia train 1: Grünberg, prussia train 2: Bautzen, Ehrensvärd: "Fehrbellin, 3", Apraxin: "Chorzele, 5",
  Hildburghausen: "Riesa, 6", Browne: "Löbau, 8", Karl: "Löbau, 5", Soubise: "Halberstadt, 6", Tottleben: "Mława, 4",
  Daun: off, Laudon: off, Lacy: off, austria train 1: off, austria train 2: off}
"""


@pytest.mark.parametrize(("down", "is_first"), [(", face-down", True), ("", False)])
def test_the_sheet_in_a_mail_has_the_marches_of_generals_who_are_lost_if_they_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, down: str, is_first: bool
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    position = STARVING.replace(", face-down", down)
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun().open() as campaign:
        whole, short = sheet_texts(briefings(campaign)["frederick"], "en")[:2]
    example = "- Friedrich + Winterfeldt: "
    assert example in whole
    assert (example in short) is is_first, short


TWO_BESIDE = """\
game: friedrich
turn: 2
stage: prussia
phase: combat
pieces: {Keith: "Neisse, 4", Schwerin: "Waldenburg, 2", Browne: "Trautenau, 5", Daun: "Patschkau, 3"}
hands: {prussia: [R]}
"""


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Battles: Keith ♦ against Daun (1–"),
        ("de", "Schlachten: Keith ♦ gegen Daun (1–"),
        ("es", "Batallas: Keith ♦ contra Daun (1–"),
        ("it", "Battaglie: Keith ♦ contro Daun (1–"),
    ],
)
def test_where_an_attack_is_chosen_both_sheets_name_who_fights(tmp_path: Path, language: str, told: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=TWO_BESIDE).begun()
    with table.open() as campaign:
        sheets = sheet_texts(briefings(campaign)["frederick"], language)
    for sheet in sheets[:2]:
        words = " ".join(sheet.replace("\n", " ").replace("#", " ").split())
        assert told in words, sheet
        assert "Schwerin ♥" in words, sheet


REST = {"en": "# and 2 more", "de": "# und 2 weitere", "es": "# y 2 más", "it": "# altre possibilità, non elencate: 2"}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("length", [4, 5])
def test_of_a_retreat_a_sheet_has_all_ends_and_a_body_as_many_as_it_has_room_for(
    tmp_path: Path, length: int, language: str
) -> None:
    fight = begin(tmp_path / "campaign", "friedrich", score=-length)
    for _ in range(3):
        with fight.table.open() as campaign:
            told = next(each for each in briefings(campaign).values() if each.orders.asked and each.powers)
        if isinstance(told.orders.asked[0], ChooseRetreat):
            break
        fight.orders(told.reader, {"play": ["stop"]})
        fight.table.carried_out()
    (asked,) = told.orders.asked
    assert isinstance(asked, ChooseRetreat)
    whole, short = sheet_texts(in_language(told, language), language)[:2]
    assert max(map(len, [*whole.split("\n"), *short.split("\n")])) <= WIDTH
    assert whole.count(OR_ELSE[language]) == len(asked.ends) - 1
    assert all(WHOLE_WAY[language] in each for each in (whole, short))
    for text in variants(whole):
        assert not run(told.table_in_play, load_orders(text.encode(), "sheet", told.table_in_play.rules)).faults
    assert short.count(" |") == min(len(asked.ends) - 1, 8) - 1
    assert short.count("\n") <= letter_sheet.MOST_LINES + 4
    assert (REST[language] in short) == (len(asked.ends) == 11)


WHOLE_WAY = {
    "en": "Write every city of the way; the goal alone is not enough.",
    "de": "Jede Stadt des Wegs schreiben; das Ziel allein reicht nicht.",
    "es": "Escribe todas las ciudades del camino; no basta con la última.",
    "it": "Scrivi tutte le città del percorso; la sola meta non basta.",
}
OR_ELSE = {"en": "# or: ", "de": "# oder: ", "es": "# o bien: ", "it": "# o: "}


def test_what_decides_stands_in_both_sheets(tmp_path: Path) -> None:
    told = {
        "en": ("Naples", "Italy ←1", "Italy · □ □ ■ □ □ · box 3", "You can add orders for turn 1 (stage of France)"),
        "de": ("Neapel", "Italien ←1", "Italien · □ □ ■ □ □ · Feld 3", "Auch Befehle für Runde 1 (Zug Frankreichs)"),
        "es": (
            "Nápoles",
            "Italia ←1",
            "Italia · □ □ ■ □ □ · casilla 3",
            "Ya puedes dar órdenes para el turno 1 (etapa de Francia)",
        ),
        "it": (
            "Napoli",
            "Italia ←1",
            "Italia · □ □ ■ □ □ · casella 3",
            "Si possono già dare ordini anche per il turno 1 (fase della Francia)",
        ),
    }
    table = OpenTable(tmp_path, scenario="advanced")
    table.join()
    table.play(2)
    with table.open() as campaign:
        louis = briefings(campaign)["louis"]
    for language, (*facts, ahead) in told.items():
        whole, short = (" ".join(text.replace("#", " ").split()) for text in sheet_texts(louis, language)[:2])
        for fact in facts:
            assert fact in whole
            assert fact in short
        assert ahead in whole
        assert "ahead: [{stage: 1/france, move: [{Belle-Isle: Eger}]}]" in whole


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            ("Objectives · Russia 10 (now", "Clock of Fate · Cards in the deck: 18", "Prussia holds", "Latest card: “"),
        ),
        ("de", ("Zielstädte · Russland 10 (jetzt", "Karten im Stapel: 18", "Preußen kontrolliert", "Letzte Karte: „")),
        ("es", ("Objetivos · Rusia 10 (ahora", "Cartas en el mazo: 18", "Prusia controla", "Última carta: «")),
        ("it", ("Obiettivi · Russia 10 (ora", "Carte nel mazzo: 18", "La Prussia controlla", "Ultima carta: «")),
    ],
)
def test_what_decides_stands_before_recruiting_and_before_what_fate_asks(
    tmp_path: Path, expert: list[Table], language: str, told: tuple[str, ...]
) -> None:
    campaign = SimulatedTable(tmp_path / "campaign", game="friedrich").begun()
    with campaign.open() as opened:
        briefing = next(each for each in briefings(opened).values() if each.orders.asked)
    sheets = ""
    for table in expert:
        power = game_of(table).decisions(table)[0].power
        texts = sheet_texts(about(briefing, table, [power]), language)[:2]
        assert [fact for text in texts for fact in told if fact in " ".join(text.replace("#", " ").split())]
        sheets += " ".join(texts[0].replace("#", " ").split())
    assert [fact for fact in told if fact not in sheets] == []


@pytest.fixture(scope="module")
def expert() -> list[Table]:
    """Positions of the expert game: the Offensive Option, recruiting, and one in which a Card of Fate was read."""
    found: dict[object, Table] = {}
    for table in tables(random_play, random_play.EVERY[1], strive, 700):
        for each in game_of(table).decisions(table):
            if isinstance(each, Levy) or getattr(each, "reason", "") in ("offensive", "blockade"):
                found.setdefault(type(each), copy_of(table))
        if len(found) == 3:
            return list(found.values())
    raise AssertionError(found.keys())


def test_options_that_stop_say_so(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        briefing = next(each for each in briefings(campaign).values() if each.orders.asked)
    for table in tables(play, ADVANCED, raid, play.LONGEST):
        asked = next((each for each in game_of(table).decisions(table) if isinstance(each, PlaceInfluence)), None)
        if asked and len(asked.hand) > MOST:
            short = sheet_texts(about(briefing, table, [asked.power]), "en")[1]
            line = next(line for line in short.split("\n") if line.startswith("  influence: none"))
            assert line.endswith(" | …")
            assert len(line) <= WIDTH
            return
    raise AssertionError("nobody had a hand that is long enough")


def test_winter_tells_what_is_at_stake(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", scenario="advanced").begun().open() as campaign:
        briefing = next(each for each in briefings(campaign).values() if each.orders.asked)
    for table in tables(play, ADVANCED, raid, play.LONGEST):
        recruits = [each for each in game_of(table).decisions(table) if isinstance(each, Recruit)]
        if recruits:
            texts = sheet_texts(about(briefing, table, [recruits[0].power]), "de")[:2]
            assert all(re.search(r"(?m)^ *# Preußen hat \d+ von 13 Markern übrig", text) for text in texts)
            return
    raise AssertionError("winter did not come")


def test_what_an_example_is_said_to_take_falls_to_it_and_nothing_else_that_is_open(tmp_path: Path) -> None:
    position = "turn: 1\nstage: prussia\nphase: movement\npieces: {Schwerin: Brieg, Rutowski: Dresden}\n"
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        table = campaign.state.table
        assert table is not None
        taken, others, _ = taken_by_examples(marches_on([table]))
    assert taken
    assert others


def test_recruiting_stands_once_in_a_mail_and_between_the_moves_it_is_marked(tmp_path: Path) -> None:
    with SimulatedTable(tmp_path / "campaign", game="friedrich").begun().open() as campaign:
        pattern = next(each for each in briefings(campaign).values() if each.orders.asked)
    looked = 0
    for table in tables(random_play, FOUR, strive, 3000):
        levies = early_levies(table)
        for march in game_of(table).decisions(table) if levies and looked < 20 else ():
            if march.power == levies[0].power and isinstance(march, March):
                orders = replace(pattern.orders, asked=(march,), planned=())
                told = replace(pattern, table=table, powers=(march.power,), orders=orders)
                whole, short = sheet_texts(told)[:2]
                assert short.count("recruit: {") == 1, short
                assert whole.count("- {recruit:") == whole.count("between the moves"), whole
                looked += whole.count("- {recruit:")
    assert looked > 2


TAKES = {
    "en": ("takes ", "or instead: take "),
    "de": ("erobert ", "oder: "),
    "es": ("conquista ", "o bien: conquistar "),
    "it": ("conquista ", "in alternativa: conquistare "),
}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_says_what_the_march_takes_apart_from_what_another_may_take(tmp_path: Path, language: str) -> None:
    position = "turn: 1\nstage: prussia\nphase: movement\npieces: {Schwerin: Brieg, Rutowski: Dresden}\n"
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        whole, short = sheet_texts(briefings(campaign)["frederick"], language)[:2]
    takes, others = TAKES[language]
    assert f"{takes}Brieg" in " ".join(short.replace("#", " ").split()), short
    thoughts = re.sub(r"\n +#     ", " ", whole)
    assert re.search(rf"{takes}Brieg;\n +#   .*Bresla.*\n +#   .*Neipperg.*\n +#   {others}(?!Brieg)", thoughts), whole


@pytest.mark.parametrize("language", languages())
def test_a_note_above_an_example_names_the_pieces_of_this_example(tmp_path: Path, language: str) -> None:
    """Else it reads as if it belonged to the example above it."""
    position = "turn: 1\nstage: prussia\nphase: movement\npieces: {Schwerin: Brieg, Rutowski: Dresden}\n"
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        sheets = sheet_texts(briefings(campaign)["frederick"], language)
    for sheet in sheets[:2]:
        notes = re.findall(r"(?m)^ +# (?!- )(\S.*)\n(?: +#   .*\n)* +# - ([^{:]+): ", sheet)
        assert len(notes) > 1, sheet
        for note, pieces in notes[sheet is sheets.whole :]:
            assert note.startswith(f"{pieces} – "), sheet


@pytest.mark.parametrize("game", ["advanced", "friedrich"])
def test_examples_take_what_they_say_in_games(game: str) -> None:
    assert min(taken_by_examples(marches_of(game))) > 3


def taken_by_examples(some: Iterable[Marches]) -> tuple[int, int, int]:
    """Check what each example of a march takes and puts in question, and count the cities and trains that examples
    take, the open cities that take another march, and the cities that examples put in question."""
    taken = others = questioned = 0
    for table, march, found, _ in some:
        common = table.rules.common
        for each in found:
            trial = run(table, orders_of(table, march.power, {"move": [{each.written: each.goal}]}))
            if any(not fault.is_warning for fault in trial.faults):
                continue  # the example needs another one before it
            moved = takewhile(lambda event: not isinstance(event, BattleJoined), trial.events)
            events = [event for event in moved if isinstance(event, Conquered | TrainTaken | Questioned)]
            fallen = blocks.cities(
                common, [event.city for event in events if isinstance(event, Conquered) and event.by == march.power]
            )
            trains = blocks.cities(common, [event.city for event in events if isinstance(event, TrainTaken)])
            assert set(each.takes) <= set(fallen), each
            assert set(each.open) & set(fallen) == set(each.takes), each
            assert [each.takes_train] * bool(each.takes_train) == trains, each
            before = {*blocks.cities(common, table.state.field.questions)}
            marked = {*blocks.cities(common, [event.city for event in events if isinstance(event, Questioned)])}
            assert {*each.questions} <= marked | before, each
            assert marked.isdisjoint(each.guarded), each
            questioned += len(each.questions)
            taken += len(each.takes) + len(trains)
            others += len(each.open) - len(each.takes)
    return taken, others, questioned


OPEN_CITIES = {
    "en": "{} cities are open to them",
    "de": "Erlaubt sind {} Städte",
    "es": "Pueden ir a {} ciudades",
    "it": "Le città possibili sono {}",
}


@pytest.mark.parametrize("language", languages())
def test_a_body_counts_the_cities_open_to_hussars_and_names_some_of_use(tmp_path: Path, language: str) -> None:
    """In the first turn no enemy depends on a train yet: the examples lie where they will."""
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.ordered(*table.players)
    table.carried_out()
    with table.open() as campaign:
        told = in_language(briefings(campaign)["maria-theresa"], language)
    (asked,) = told.orders.asked
    assert isinstance(asked, PlaceHussars)
    short = sheet_texts(told, language)[1]
    assert OPEN_CITIES[language].format(len(asked.cities)) in " ".join(short.replace("#", "").split())
    for sheet in (short, sheet_text(told, language)):
        examples = re.findall(r"\[([^\],{]+), ([^\]{]+)\]", sheet.partition("hussars:")[2])
        assert len([each for each in examples if "off" not in each]) in (2, 3), sheet


WITHDRAWN = {
    "en": "Austria may withdraw trains 2 and 3 and bring them back in Brünn or Prague; each train costs "
    "cards totalling at least 4 points (no change is given).",
    "de": "Österreich kann die Trosse 2 und 3 entfernen und in Brünn oder Prag neu einsetzen; Preis je Tross: "
    "Karten im Wert von mindestens 4 Punkten (kein Wechselgeld).",
    "es": "Austria puede recolocar los trenes 2 y 3 en Brünn o Praga; cada tren cuesta cartas que sumen al "
    "menos 4 puntos (no se da cambio).",
    "it": "L'Austria può rimuovere i treni 2 e 3 e farli rientrare a Brünn o Praga; ogni treno costa carte "
    "per almeno 4 punti (senza resto).",
}
MORE_LINES = {
    "en": "# orders.yaml has {} more lines",
    "de": "# Nur in orders.yaml: {} weitere Zeilen",
    "es": "# orders.yaml tiene {} líneas más",
    "it": "# Solo in orders.yaml: altre {} righe",
}


@pytest.mark.parametrize("language", languages())
def test_a_body_has_every_march_if_there_is_room_and_else_counts_those_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    while True:
        table.ordered(*table.players)
        table.carried_out()
        with table.open() as campaign:
            told = in_language(briefings(campaign)["maria-theresa"], language)
        if any(isinstance(asked, March) for asked in told.orders.asked):
            break
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 30)
    whole, short = (sheet.replace("#", " ") for sheet in sheet_texts(told, language)[:2])
    listed = re.findall(r"(?m)^ +- ([^:{]+):", whole)
    assert len(listed) > MOST_MARCHES
    assert re.findall(r"(?m)^ +- ([^:{]+):", short) == listed
    assert WITHDRAWN[language] in " ".join(short.split()), "its trains stand on the map"
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    # Without any room the return of a train is left out too.
    assert MORE_LINES[language].format(len(listed) - MOST_MARCHES + 1) in sheet_texts(told, language)[1]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "or instead: to Glatz ♦ against Browne (Trautenau ♥); or to Schönberg (Moravia) ♦ against "
            "Laudon (Olmütz ♦), but no supply in Schönberg (Moravia)",
        ),
        (
            "de",
            "oder: nach Glatz ♦ gegen Browne in Trautenau ♥; "
            "oder nach Schönberg (Mähren) ♦ gegen Laudon in Olmütz ♦, in Schönberg (Mähren) unversorgt",
        ),
        (
            "es",
            "o bien: a Glatz ♦ contra Browne en Trautenau ♥; o a Schönberg (Moravia) ♦ "
            "contra Laudon en Olmütz ♦, sin suministro en Schönberg (Moravia)",
        ),
        (
            "it",
            "in alternativa: a Glatz ♦ contro Browne (Trautenau ♥); o a Schönberg (Moravia) ♦ "
            "contro Laudon (Olmütz ♦), senza rifornimento a Schönberg (Moravia)",
        ),
    ],
)
def test_a_body_tells_all_that_may_come_of_a_march_if_there_is_room(tmp_path: Path, language: str, told: str) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=BESIDE).begun()
    with table.open() as campaign:
        short = sheet_texts(briefings(campaign)["frederick"], language)[1]
    pattern = re.escape(told).replace(r"\{\}", "[^:;]+")
    assert re.search(pattern, " ".join(short.replace("#", "").split())), short


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_the_sheet_in_a_mail_names_an_enemy_whom_a_march_can_attack(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conquest by the same march leaves the attack in, also in a sheet that must be as short as it can be."""
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    with SimulatedTable(tmp_path / "campaign", game=game).begun().open() as campaign:
        pattern = next(each for each in briefings(campaign).values() if each.orders.asked)
    looked, played = 0, (play, ADVANCED, raid) if game == "maria" else (random_play, FOUR, strive)
    for table in tables(*played, 1500):
        if looked >= (60 if IS_LONG else 15):
            break
        for asked in game_of(table).decisions(table):
            if not isinstance(asked, March):
                continue
            named = blocks.table_in_words(table, "en")
            wanted = []
            for march in chief_marches(in_reach(named, asked, copy_of(named))):
                first = {each.end: each for each in reversed(march.meets)}.values()
                foes = [
                    f"to {each.end} {each.own_suit} against {each.name} ({each.city} {each.suit})" for each in first
                ]
                if foes and (march.open or march.guarded or march.takes or march.questions):
                    wanted.append(foes)
            if not wanted:
                continue
            short = " ".join(sheet_texts(about(pattern, table, [asked.power]), "en")[1].replace("#", " ").split())
            for foes in wanted:
                looked += 1
                assert any(foe in short for foe in foes), (foes, short)
    assert looked > 5


def test_progress_counts_no_question_marks() -> None:
    """A power whose pool is empty only for question marks has not won, and the page does not say so. The numbers beside
    the map and in the words of the position agree with that, and add up."""
    looked = 0
    for table in tables(play, ADVANCED, raid, 1500):
        view = game_of(table).view(table, ())
        if not (view.affairs and view.questions):
            continue
        told, lines = game_report("maria").progress(view), game_report("maria").standing(table, "en")
        beside = numbers_of(view, macros_of("en", "maria", "picture_game.txt.j2"))["pools"]
        powers = {power: capital(power_noun(power, "the", "en")) for power in view.affairs.markers}
        for power, of in view.affairs.markers.items():
            assert told[power] == (of.total - max(0, of.pool) - of.questions, of.total)
            left = of.total - told[power][0]
            assert beside[power] == f"{left} of {of.total}"
            said = next(line for line in lines if line.removeprefix("- ").startswith(powers[power]) and "left" in line)
            first, total, *laid = map(int, re.findall("[0-9]+", re.sub("“.*?”", "", said).replace("none", "0")))
            assert (first, total) == (left, of.total)
            assert sum(laid) + first == total, said
            looked += of.questions
        assert sum(of.questions for of in view.affairs.markers.values()) == len(view.questions)
        if looked > 10:
            return
    raise AssertionError(looked)


SHORT_FORM = {"en": "In short; ", "de": "Kurz gefasst; ", "es": "Hoja abreviada; ", "it": "In breve; "}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_in_a_mail_says_once_that_the_attached_one_has_more(tmp_path: Path, language: str) -> None:
    table = OpenTable(tmp_path, Conduct(signing="off"), scenario="introductory")
    table.join()
    table.play(3)
    with table.open() as campaign:
        told = replace(briefings(campaign)["frederick"], key="")
    told, ordered = (replace(told, orders=replace(told.orders, has_sealed=has)) for has in (None, False))
    for each, is_attached, is_said in ((told, True, True), (ordered, True, False), (ordered, False, True)):
        short = sheet_texts(each, language, is_attached)[1]
        assert (SHORT_FORM[language] in short, "pbem: 1" in short) == (is_said, True)
        if is_said:
            notes = short.partition("pbem: 1")[0].split("\n")
            assert notes[-2].startswith(f"# {SHORT_FORM[language]}"), "after all that is to be done"


def test_a_march_into_hunger_is_offered_only_if_no_other_is_sensible(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=BESIDE).begun()
    with table.open() as campaign:
        told = briefings(campaign)["frederick"]
        (asked,) = (each for each in told.orders.asked if isinstance(each, March))
        marches = in_reach(told.table_in_play, asked, copy_of(told.table_in_play))
    (lehwaldt,) = (each for each in marches if each.pieces == ["Lehwaldt"])
    assert not lehwaldt.is_hungry, "he could go elsewhere"
    assert not lehwaldt.fights


ATTACKED = {
    "en": "to Glatz ♦ against Browne (Trautenau ♥); or to Schönberg (Moravia) ♦ against Laudon",
    "de": "nach Glatz ♦ gegen Browne in Trautenau ♥; oder nach Schönberg (Mähren) ♦ gegen Laudon in Olmütz ♦",
    "es": "a Glatz ♦ contra Browne en Trautenau ♥; o a Schönberg (Moravia) ♦ contra Laudon en Olmütz ♦",
    "it": "a Glatz ♦ contro Browne (Trautenau ♥); o a Schönberg (Moravia) ♦ contro Laudon",
}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_without_room_names_every_enemy_whom_a_march_can_attack(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letter_sheet, "MOST_LINES", 1)
    with SimulatedTable(tmp_path / "campaign", game="friedrich", position=BESIDE).begun().open() as campaign:
        short = sheet_texts(briefings(campaign)["frederick"], language)[1]
    words = " ".join(short.replace("#", "").split())
    assert ATTACKED[language] in words, words


@pytest.mark.parametrize("game", ["advanced", "friedrich"])
def test_all_examples_together_leave_only_those_hungry_of_whom_the_sheet_says_so(game: str) -> None:
    trains = 0
    for table, march, found, done in marches_of(game):
        common = table.rules.common
        hungry = set(assess(common, table.state.field, march.power).cut_off)
        after = set(assess(common, done.state.field, march.power).cut_off) - hungry
        said = {piece for each in found if each.is_hungry for piece in each.pieces}
        assert {common.pieces[piece].name for piece in after} <= said, found
        trains += sum(" train " in each.pieces[0] for each in found)
    assert trains > 50


ONLY = {
    "en": "Only one answer is possible: send `orders.yaml` unchanged, as a file.",
    "de": "Nur eine Antwort ist möglich; schick `orders.yaml` unverändert, als Datei.",
    "es": "Solo es posible una respuesta: manda `orders.yaml` sin cambios, como archivo.",
    "it": "È possibile una sola risposta: spedisci `orders.yaml` senza cambiarlo, come file.",
}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_says_that_only_one_answer_is_possible_and_gives_it(tmp_path: Path, language: str) -> None:
    """Of cards, Austria has none of the suit that she needs, and must stop; or she has one and may play it."""
    for name, hand, is_only in (("none", "h2", True), ("one", "d9", False)):
        fight = begin(tmp_path / name, "maria", score=-2, hand=hand)
        told = fight.news()["maria-theresa"]
        sheets = sheet_texts(in_language(told, language), language)
        for sheet in sheets[:2]:
            assert (ONLY[language] in " ".join(sheet.replace("#", " ").split())) is is_only, sheet
        if is_only:
            receipt = fight.orders("maria-theresa", {"play": ["stop"]})
            assert receipt.status == "final"
            assert "play: [stop]" in sheets.whole
        # No plan is of use for the only answer.
        assert ("{for: battle" in " ".join(sheets.whole.replace("#", " ").split())) is not is_only


def test_of_an_only_answer_the_sheet_shows_no_other() -> None:
    seen = 0
    for module, terms, player in ((play, ADVANCED, raid), (random_play, FOUR, strive)):
        for table in tables(module, terms, player, 600):
            for asked in game_of(table).decisions(table):
                section, held = held_section(table, asked, "en")
                if is_only_answer(blocks.table_in_words(table, "en"), asked, held):
                    assert examples_of(table, asked, section, held).values in ((), (in_short(held),))
                    seen += 1
    assert seen > 5


RECRUITING = """\
game: friedrich
turn: 2
stage: {stage}
phase: recruiting
pieces: {{Ferdinand: "Lehrte, 7", Cumberland: off, Ehrensvärd: off, sweden train 1: Stralsund}}
hands: {{hanover: [♣10, ♦8], sweden: [♦2, ♦13]}}
"""


def recruiting_sheets(folder: Path, stage: str, seat: str) -> list[str]:
    table = SimulatedTable(folder / "campaign", game="friedrich", position=RECRUITING.format(stage=stage)).begun()
    with table.open() as campaign:
        return [" ".join(each.replace("#", " ").split()) for each in sheet_texts(briefings(campaign)[seat], "en")[:2]]


def test_recruits_have_an_example_also_if_a_general_may_come_back(tmp_path: Path) -> None:
    for sheet in recruiting_sheets(tmp_path, "hanover", "frederick"):
        assert "Cumberland (up to 5) may come back in Stade" in sheet.replace("\u00a0", " ")
        assert "or: {troops: {Cumberland: 1}, enter: {Cumberland: Stade}, pay: [♦8]}" in sheet.replace("\u00a0", " ")


@pytest.mark.parametrize("phase", ["movement", "recruiting"])
def test_no_example_gives_troops_to_a_general_out_of_supply_if_another_can_have_them(
    tmp_path: Path, phase: str
) -> None:
    at_home, away = '"Lehrte, 3"', '"Dresden, 3, face-down"'
    for fed, (ferdinand, cumberland) in {"Ferdinand": (at_home, away), "Cumberland": (away, at_home)}.items():
        position = RECRUITING.format(stage="hanover").replace("phase: recruiting", f"phase: {phase}")
        position = position.replace('"Lehrte, 7", Cumberland: off', f"{ferdinand}, Cumberland: {cumberland}")
        table = SimulatedTable(tmp_path / fed, game="friedrich", position=position).begun()
        with table.open() as campaign:
            sheet = sheet_text(briefings(campaign)["frederick"], "en").replace("\u00a0", " ")
        assert f"or: {{troops: {{{fed}: 1}}" in sheet, sheet


def test_no_room_for_troops_is_told_of_a_general_who_cannot_come_back(tmp_path: Path) -> None:
    for sheet in recruiting_sheets(tmp_path, "sweden", "elisabeth"):
        assert "Sweden may recruit" in sheet
        assert "Ehrensvärd" not in sheet[sheet.index("Sweden may recruit") :]


def test_recruits_that_no_card_can_pay_are_told_as_the_only_answer(tmp_path: Path) -> None:
    position = RECRUITING.format(stage="hanover").replace("phase: recruiting", "phase: movement")
    for number, (cards, is_only) in enumerate((("♣10, ♦8", False), ("♦5", True))):
        written = position.replace("♣10, ♦8", cards)
        table = SimulatedTable(tmp_path / str(number), game="friedrich", position=written).begun()
        plan = {"for": "recruit", "give": "even", "troops": "1", "standing": "yes"}
        table.send(table.other_letter("frederick", "plan", {"orders": {"hanover": {"plans": [plan]}}}))
        with table.open() as campaign:
            told = briefings(campaign)["frederick"]
        for sheet in sheet_texts(told)[:2]:
            assert ("Only one answer is possible here" in sheet) is is_only, sheet
            assert ("# recruit: {}" in sheet) is not is_only, sheet
            assert ("troops: {" in sheet) is not is_only, sheet


ASKED_LATER = {
    "en": "`{}` means no new troops. If you delete the line `recruit`, you are asked after the marches.",
    "de": "`{}` heißt: keine neuen Truppen. Löschst du die Zeile `recruit`, wirst du nach den Märschen gefragt.",
    "es": "`{}` significa ninguna tropa nueva. Si borras la línea `recruit`, se te preguntará después de los "
    "movimientos.",
    "it": "`{}` significa nessuna nuova truppa. Se togli la riga `recruit`, te lo si chiede dopo le mosse.",
}


@pytest.mark.parametrize("language", languages())
def test_a_sheet_of_marches_says_what_the_line_for_recruits_is_good_for(tmp_path: Path, language: str) -> None:
    position = RECRUITING.format(stage="hanover").replace("phase: recruiting", "phase: movement")
    table = SimulatedTable(tmp_path / "campaign", game="friedrich", position=position).begun()
    with table.open() as campaign:
        told = in_language(briefings(campaign)["frederick"], language)
    for sheet in sheet_texts(told, language)[:2]:
        assert ASKED_LATER[language] in " ".join(sheet.replace("#", " ").split())
    receipt = table.send(table.letter("frederick", {"hanover": {"move": []}}))
    assert receipt.status == "final"
    assert table.carried_out().record.next.phase == "recruiting"


RETURNING = """\
game: friedrich
turn: 2
stage: russia
phase: recruiting
pieces: {{Saltikov: "{}, 3", Tottleben: "{}, 2", Fermor: off, Apraxin: off, russia train 1: {}, russia train 2: Lublin}}
hands: {{russia: [♦12, ♦8]}}
"""
ROOM = {
    "en": ("Room in Sierpc: for at most 1 more general.", "A train comes back only where no other piece stands"),
    "de": ("Platz in Sierpc: für höchstens 1 General.", "Ein Tross kommt nur dort wieder ins Spiel, wo keine andere"),
    "es": ("Sitio en Sierpc: para un máximo de 1 general más.", "Un tren solo vuelve donde ninguna otra pieza está"),
    "it": ("Posto a Sierpc: al massimo per 1 generale.", "Un treno rientra solo dove nessun altro pezzo si trova"),
}


@pytest.mark.parametrize("language", languages())
def test_a_city_without_room_for_all_who_may_come_back_is_told(tmp_path: Path, language: str) -> None:
    cases = {
        "full": (("Sierpc", "Sierpc", "Thorn"), (True, False)),
        "free": (("Sierpc", "Thorn", "Płock"), (False, False)),
        "train": (("Thorn", "Thorn", "off"), (False, True)),
    }
    for case, (places, told) in cases.items():
        position = RETURNING.format(*places)
        with SimulatedTable(tmp_path / case, game="friedrich", position=position).begun().open() as campaign:
            briefing = in_language(briefings(campaign)["elisabeth"], language)
        for sheet in sheet_texts(briefing, language)[:2]:
            words = " ".join(sheet.replace("#", " ").split())
            assert tuple(each in words for each in ROOM[language]) == told, sheet


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_sheet_offers_no_cards_before_a_stop_that_save_no_troops(tmp_path: Path, game: str) -> None:
    """Six troops are lost by a score of −10 as by −7."""
    told = begin(tmp_path, game, score=-10, hand="d3 d9").news()["maria-theresa"]
    for sheet in sheet_texts(told)[:2]:
        assert "♦9, stop]" in sheet
        assert "♦3" not in sheet.partition("play:")[2].partition("\n")[0]


MAKING_ROOM = {
    "en": "Own pieces that march out first make room in Warsaw for Fermor and Apraxin.",
    "de": "Eigene Figuren, die vorher abmarschieren, machen in Warschau Platz für Fermor und Apraxin.",
    "es": "Las piezas propias que salgan antes dejan sitio en Varsovia para Fermor y Apraxin.",
    "it": "I pezzi propri che partono prima lasciano posto a Varsavia per Fermor e Apraxin.",
}
ROOM_FOR_A_TRAIN = {
    "en": ("recruit troops and trains at", "make room in Warsaw for Russia's train 1."),
    "de": ("neue Truppen und Trosse zu je", "machen in Warschau Platz für Tross 1 Russlands."),
    "es": ("reclutar tropas y trenes a", "dejan sitio en Varsovia para el tren 1 de Rusia."),
    "it": ("reclutare truppe e treni a", "lasciano posto a Varsavia per il treno 1 della Russia."),
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("phase", ["movement", "recruiting"])
def test_a_depot_that_own_marches_make_free_is_told_before_them(tmp_path: Path, language: str, phase: str) -> None:
    cases = {"train": ("Thorn", "Thorn", "Warszawa"), "general": ("Sierpc", "Warszawa", "off")}
    for case, places in cases.items():
        position = RETURNING.format(*places).replace("phase: recruiting", f"phase: {phase}")
        position = position.replace("Lublin", "Sierpc" if case == "train" else "Lublin")
        with SimulatedTable(tmp_path / case, game="friedrich", position=position).begun().open() as campaign:
            briefing = in_language(briefings(campaign)["elisabeth"], language)
        words = (MAKING_ROOM[language],) if case == "train" else ROOM_FOR_A_TRAIN[language]
        for sheet in sheet_texts(briefing, language)[:2]:
            told = " ".join(sheet.replace("#", " ").split())
            assert all((each in told) == (phase == "movement") for each in words), sheet


def test_recruits_for_whom_own_marches_make_room_are_more_than_one_answer(tmp_path: Path) -> None:
    position = RECRUITING.format(stage="hanover").replace("phase: recruiting", "phase: movement")
    position = position.replace('"Lehrte, 7"', "off, hanover train 1: Stade")
    for number, (cards, is_only) in enumerate((("♣10, ♦8", False), ("♦5", True))):
        written = position.replace("♣10, ♦8", cards)
        table = SimulatedTable(tmp_path / str(number), game="friedrich", position=written).begun()
        with table.open() as campaign:
            told = briefings(campaign)["frederick"]
        for sheet in sheet_texts(told)[:2]:
            assert "make room in Stade for Ferdinand and Cumberland." in " ".join(sheet.replace("#", " ").split())
            assert ("Only one answer is possible here" in sheet) is is_only, sheet


BESIDE_A_DEPOT = {
    "en": ("Beside Stade: Richelieu + Chevert (Winsen)", "; a general who comes back there must attack in this stage."),
    "de": (
        "Neben Stade: Richelieu + Chevert (Winsen)",
        "; ein General, der dort wieder ins Spiel kommt, muss in diesem Zug angreifen.",
    ),
    "es": ("Junto a Stade: Richelieu + Chevert (Winsen)", "; un general que vuelva allí debe atacar en esta etapa."),
    "it": (
        "Accanto a Stade: Richelieu + Chevert (Winsen)",
        "; un generale che vi rientra deve attaccare in questa fase.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_enemies_beside_a_city_where_generals_may_come_back_are_named(tmp_path: Path, language: str) -> None:
    position = RECRUITING.format(stage="hanover").replace('Ferdinand: "Lehrte, 7"', "Ferdinand: off, {}")
    for place, phase in (("Winsen", "movement"), ("Winsen", "recruiting"), ("Lüneburg", "movement")):
        enemies = f'Richelieu: "{place}, 8", Chevert: "{place}, 5"'
        written = position.replace("{}", enemies).replace("phase: recruiting", f"phase: {phase}")
        table = SimulatedTable(tmp_path / f"{place}-{phase}", game="friedrich", position=written).begun()
        with table.open() as campaign:
            briefing = in_language(briefings(campaign)["frederick"], language)
        for sheet in sheet_texts(briefing, language)[:2]:
            told = " ".join(sheet.replace("#", " ").split())
            assert ("".join(BESIDE_A_DEPOT[language]) in told) is (place == "Winsen"), sheet


@pytest.mark.parametrize("language", languages())
def test_in_winter_enemies_beside_such_a_city_are_named_without_a_battle(tmp_path: Path, language: str) -> None:
    position = """\
turn: 3
stage: winter-prussia
pieces: {Erbprinz Leopold: off, Neipperg: "Potsdam, 4"}
hands: {prussia: [♠4, ♥2]}
"""
    with SimulatedTable(tmp_path / "campaign", position=position).begun().open() as campaign:
        briefing = in_language(briefings(campaign)["frederick"], language)
    named, fought = BESIDE_A_DEPOT[language]
    for sheet in sheet_texts(briefing, language)[:2]:
        told = " ".join(sheet.replace("#", " ").split())
        assert f"{named.split()[0]} " in told
        assert "Neipperg (Potsdam)." in told
        assert fought not in told
