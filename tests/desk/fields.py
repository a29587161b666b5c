"""Positions to try things on at the desk."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pbem.bots.table import bot_named
from pbem.desk.practice import rules_of, terms_of
from pbem.engine.board import SUITS
from pbem.engine.cards import SeededDealer, discard, points
from pbem.engine.decisions import ChooseRetreat, Decision, March, PlayCard, Recruit
from pbem.engine.table import digest
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.maria.rules.decisions import PlaceHussars, PlaceInfluence, SelectPolitics, Subsidy, Toll
from pbem.games.maria.rules.state import CorpsTask
from pbem.kit import AnyTable, copy_of, game_named
from pbem.paper.documents.writing import write
from pbem.paper.orders.files import form_of
from pbem.paper.orders.forms import only_value
from pbem.paper.positions.files import write_position
from pbem.plans.practice import PracticeWish, practice_position
from pbem.player.names import new_table
from pbem.playing.game import PlayedGame
from pbem.playing.saved import Setup, saved_data
from pbem.report.language.options import open_options
from pbem.report.telling import game_report

Cards = tuple[str, ...]


def battlefield(
    game: str, score: int = -3, cards: Cards = ("♦5", "♦2", "♠7", "R"), against: Cards = ("♠4", "♠2")
) -> bytes:
    """A battle in which the attacker plays diamonds, and unless told otherwise is at −3 with cards to turn it."""
    suits = [SUITS.index(suit) for suit in ("diamonds", "spades")]
    wish = PracticeWish(score, suits[0], suits[1], cards, against)
    _, document = practice_position(new_table({"game": game}), wish)
    return write({"game": game, **document}).encode()


def at_pirna(browne: int) -> bytes:
    """A position of FRIEDRICH in which Prussia is as many points behind as Browne has troops. Two fortresses are in
    question: Zittau, and Schweidnitz, which nobody protects."""
    field = battlefield("friedrich").decode().replace("stage: prussia", "stage: austria")
    for old, new in (
        ("Dresden, 8", "Pirna, 8"),
        ("Pirna, 6", "off"),
        ("Pirna, 5", "off"),
        ("Daun: off", "Daun: Tetschen, 8"),
        ("Browne: off", f"Browne: Tetschen, {browne}"),
        ("\n  russia: [", "\n  austria: ["),
        ("R]", "♥3, R]"),
    ):
        field = field.replace(old, new)
    return f"{field}questions:\n  austria: [Schweidnitz, Zittau]\n".encode()


def game_until(
    fits: Callable[[AnyTable, Decision], bool], scenario: str = "introductory", seed: str = "a0"
) -> PlayedGame:
    """A game of MARIA against bots, played at random up to the first decision of France's player that fits, or to its
    end."""
    terms = terms_of("maria", scenario)
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "louis"), "random")
    game, chance = PlayedGame(rules, Setup(terms, seed, "louis", bots)), Random(int(seed[1:], 16))
    while (decision := game.question()) and not fits(game.table, decision):
        game.take(decision.power, bot_named("random", "maria")(copy_of(game.table), decision, chance))
    return game


def saved(game: PlayedGame) -> bytes:
    """The file of a game against bots."""
    return saved_data(game.setup, game.entries, digest(game.table.state))


def attacks() -> bytes:
    """A position of MARIA in which France and Bavaria can march up to one enemy from two sides."""
    pieces = {"Törring": "Pisek, 5", "Broglie": "Wels, 8", "Traun": "Freistadt, 5"}
    return write({"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}).encode()


def stand_off() -> bytes:
    """A position of MARIA in which Prussia is to march, and one of its generals stands beside an enemy."""
    pieces = {"Schwerin": "Frankenstein, 5", "Leopold": "Berlin, 5", "Neipperg": "Neisse, 5"}
    return write({"game": "maria", "turn": 2, "stage": "prussia", "phase": "movement", "pieces": pieces}).encode()


def starving(broglie: str = "Linz, 8, face-down", traun: str = "Brünn, 5") -> bytes:
    """A position of MARIA in which France has no trains, and a general out of supply in an enemy fortress."""
    pieces = {"Broglie": broglie, "Belle-Isle": "Bayreuth, 8", "Traun": traun}
    pieces |= dict.fromkeys(("france train 2", "bavaria train 1"), "off")
    return write({"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}).encode()


def joined() -> bytes:
    """A position of MARIA in which generals of France and Bavaria stand together, near an open fortress."""
    pieces = {"Broglie": "Linz, 5", "Törring": "Linz, 5", "Traun": "Brünn, 5", "Karl": "Brünn, 5"}
    return write({"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}).encode()


def politics() -> bytes:
    """A position of MARIA in which a power has bid highest, and may execute one of its political cards."""
    game = game_until(lambda _, asked: isinstance(asked, SelectPolitics) and asked.may_execute, "advanced")
    return write_position(game.table).encode()


def hussars() -> bytes:
    """A position of MARIA in which Austria may place its hussars, and may leave them beside the map."""
    terms = terms_of("maria", "advanced")
    game, chance, bot = game_named("maria"), Random(1), bot_named("random", "maria")
    table, _ = game.start(rules_of(terms), SeededDealer("hussars"))
    while not isinstance(decision := game.decisions(table)[0], PlaceHussars):
        game.apply(table, decision.power, bot(table, decision, chance))
    return write_position(table).encode()


def set_up() -> bytes:
    """A saved game of FRIEDRICH against bots, in which Prussia is to deal out its troops."""
    terms = terms_of("friedrich", "")
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "frederick"), "random")
    return saved(PlayedGame(rules, Setup(terms, "a0", "frederick", bots)))


def influence() -> bytes:
    """A position of MARIA in which a power may place a card of influence, and clubs are trump."""
    game = game_until(lambda _, asked: isinstance(asked, PlaceInfluence), "advanced")
    return write_position(game.table).encode()


def corps() -> bytes:
    """A position of MARIA in which a power has to send a general to its off-map box."""
    return write_position(table_with_corps()).encode()


def table_with_corps(*, lasting: bool = False) -> AnyTable:
    """A table at which Austria has to send a general to its off-map box, perhaps to the end of the game."""
    game, bot, chance = game_named("maria"), bot_named("random", "maria"), Random(3)
    table, _ = game.start(rules_of(terms_of("maria", "advanced")), SeededDealer("corps"))
    while not isinstance(decision := game.decisions(table)[0], March):
        game.apply(table, decision.power, bot(copy_of(table), decision, chance))
    table.state.tasks.append(CorpsTask("austria", lasting))
    return table


def assault(seed: str = "a0") -> bytes:
    """A saved game of MARIA against bots, in which a general of France can march up to an enemy."""

    def can_attack(table: AnyTable, asked: Decision) -> bool:
        return isinstance(asked, March) and any(
            end["foes"]
            for each in open_options(table, [asked.power])
            for march in each["marches"]
            for end in march["to"]
        )

    return saved(game_until(can_attack, seed=seed))


def duel() -> bytes:
    """A saved game of MARIA against bots, in which France is to play a card or to stop."""
    return saved(game_until(lambda _, asked: isinstance(asked, PlayCard) and not asked.must))


def duel_at_zero() -> bytes:
    """A saved game of MARIA against bots, in which France has to play a card."""
    return saved(game_until(lambda _, asked: isinstance(asked, PlayCard) and asked.must, "advanced", "a2"))


def long_duel() -> bytes:
    """A saved game of MARIA against bots, in which France can play a card and is still below zero."""
    return saved(game_until(lambda _, asked: isinstance(asked, PlayCard) and asked.score == -6, "advanced", "a2"))


def forced_retreat() -> bytes:
    """A saved game of MARIA against bots, in which France has won, and one way to retreat is left."""

    def is_forced(table: AnyTable, asked: Decision) -> bool:
        return isinstance(asked, ChooseRetreat) and only_value(form_of(table, asked).input) is not None

    return saved(game_until(is_forced, "advanced", "a5"))


def retreat() -> bytes:
    """A saved game of MARIA against bots, in which France has several ways to retreat."""

    def is_free(table: AnyTable, asked: Decision) -> bool:
        return isinstance(asked, ChooseRetreat) and only_value(form_of(table, asked).input) is None

    return saved(game_until(is_free, "advanced", "a2"))


def toll() -> bytes:
    """A saved game of MARIA against bots, in which France has to pay a toll and holds many cards."""
    return saved(tolled())


def toll_beyond(cards: int) -> bytes:
    """A position of MARIA in which France has to pay a toll, and holds only its first cards."""
    table = tolled().table
    power = table.state.owing[0]
    discard(table.state.cards, power, table.state.cards.hands[power][cards:])
    return write_position(table).encode()


def tolled() -> PlayedGame:
    """A game of MARIA in which France has to pay a toll."""
    return game_until(lambda _, asked: isinstance(asked, Toll), "advanced", "a3")


def subsidy() -> bytes:
    """A saved game of MARIA against bots, in which France decides on a subsidy."""
    return saved(game_until(lambda _, asked: isinstance(asked, Subsidy)))


def winter() -> bytes:
    """A saved game of MARIA against bots, in which France may buy troops."""
    return saved(game_until(lambda _, asked: isinstance(asked, Recruit) and bool(asked.hand)))


def parted() -> bytes:
    """A saved game of FRIEDRICH against bots, in which Sweden has just left the war, before Russia is to march."""
    terms = terms_of("friedrich", "")
    rules = rules_of(terms)
    bots = dict.fromkeys((seat for seat in rules.seats if seat != "elisabeth"), "random")
    game, chance, turns = (
        PlayedGame(rules, Setup(terms, "a1", "elisabeth", bots)),
        Random(0xA1),
        game_report("friedrich").turns_war,
    )
    while (decision := game.question()) and not any(map(turns, game.news)):
        game.take(decision.power, bot_named("random", "friedrich")(copy_of(game.table), decision, chance))
    return saved(game)


def over() -> bytes:
    """A saved game of MARIA against bots that is over."""
    return saved(game_until(lambda *_: False))


def exile() -> bytes:
    """A position of FRIEDRICH in which a general may come back, with troops that cards pay for."""
    terms = terms_of("friedrich", "")
    rules = rules_of(terms)
    seat, *others = rules.seats
    game, chance = PlayedGame(rules, Setup(terms, "a0", seat, dict.fromkeys(others, "random"))), Random(0)
    while (decision := game.question()) and not (isinstance(decision, Levy) and back(game, decision)):
        game.take(decision.power, bot_named("random", "friedrich")(copy_of(game.table), decision, chance))
    return write_position(game.table).encode()


def back(game: PlayedGame, decision: Levy) -> bool:
    """Return True if a general may come back, and can be paid for."""
    rules = game.table.rules.common
    return (
        any(map(rules.is_general, decision.entries)) and points(rules.decks, decision.hand) >= 6 and not decision.early
    )
