"""Sections of FRIEDRICH's orders and plans: the sections that all games have, and those of the Clock of Fate."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.cards import is_reserve, value_of
from pbem.games.friedrich.rules import decisions as friedrich
from pbem.games.friedrich.rules.effects import may_play
from pbem.games.friedrich.rules.recruiting import early_levies, price, trains_bought
from pbem.games.friedrich.rules.state import Table
from pbem.paper.documents.strict import Node
from pbem.paper.orders.forms import Input, Lines, Option, Part, Record, Several, choice
from pbem.paper.orders.moves import MOVE, Line, move_form, read_moves
from pbem.paper.orders.names import NONE, SectionReader, SectionWriter, WrittenOrder, is_word, numbers, places_of
from pbem.paper.orders.section import AnswerDraft, AnySection, Section, as_said, single
from pbem.paper.orders.sections import (
    ALLOT,
    BATTLES,
    PLAY,
    RECRUIT,
    RETREAT,
    TRANSFER,
    Recruits,
    plays,
    plays_form,
    read_recruits,
    recruits_form,
)
from pbem.paper.plans.wishes import WishForm, card_reader
from pbem.seal.canonical import Tree

GIVEN_CARDS = ("swap", "plunder", "redraw", "offensive")
"""Reasons to give one card. The player may decline, except for a `redraw` (§11, §13)."""

PLANS: Mapping[str, WishForm] = {
    "set aside": WishForm(("card", "keep"), card_reader()),
    **{reason: WishForm(("card", "keep"), card_reader(), may_stop=True) for reason in GIVEN_CARDS},
}
"""Form of the wishes for each choice for which only FRIEDRICH has plans. A form has the keys of the wishes, and the
function that reads them."""


STAY = "stay"


def levy_price(table: Table, decision: d.Decision, answer: d.Recruitment) -> int:
    """Return the price of the recruited troops and trains, in points of tactical cards."""
    return (sum(answer.troops.values()) + trains_bought(table, answer)) * price(table, decision.power)


def levy_form(pen: SectionWriter, table: Table, decision: friedrich.Levy) -> Record:
    """Return the form, for programs, of an answer that recruits. Generals off the map are left out if no city is open
    to them."""
    pieces, entries = table.state.field.pieces, decision.entries
    room = {general: left for general, left in decision.room.items() if pieces[general].city >= 0 or general in entries}
    return recruits_form(pen, Recruits(room, entries, decision.most, decision.price, decision.hand))


LEVY: AnySection = replace(
    RECRUIT, rule="§10", asks=(friedrich.Levy,), when=lambda decision: not decision.early, form=levy_form,
    price=levy_price, beyond=("E-STACK-FULL", "E-RECRUIT-CITIES"), is_before_battles=True,
)  # fmt: skip


def read_march(self: SectionReader, node: Node) -> list[Line]:
    """Read the moves of a power, and its recruits between moves."""
    return read_moves(self, node, read_recruits)


def early_line(pen: SectionWriter, table: Table, decision: friedrich.Levy) -> Record:
    """Return the form, for programs, of recruits before the next march."""
    return Record({"recruit": Part(levy_form(pen, table, decision))})


def march_form(pen: SectionWriter, table: Table, decision: d.March) -> Input:
    """Return the form from which programs ask for marches, and for recruits between marches."""
    levies = [early_line(pen, table, levy) for levy in early_levies(table) if levy.power == decision.power]
    return move_form(pen, table, decision, levies)


MARCH: AnySection = replace(
    MOVE, rule="§4", gives=(d.Move, d.Done, d.Recruitment), read=read_march, form=march_form,
    beyond=LEVY.beyond,
    price=lambda table, asked, given: levy_price(table, asked, given) if isinstance(given, d.Recruitment) else 0,
)  # fmt: skip

EARLY: AnySection = replace(
    MARCH, asks=(friedrich.Levy,), when=lambda decision: decision.early,
    form=lambda pen, table, decision: Lines(early_line(pen, table, decision)),
)  # fmt: skip
"""Section for recruits before the next march. The decision is offered, but need not be answered."""


def play_form(pen: SectionWriter, table: Table, decision: d.PlayCard) -> Input:
    """Return the form, for programs, of a card to play. It offers only cards and declared values that the Card of Fate
    in force allows."""
    doubled = [d.Play(card, 2 * value_of(card)) for card in decision.cards if not is_reserve(card)]
    doubled = doubled if table.state.fate.in_force else []
    allowed = [one for one in (*plays(table, decision), *doubled) if may_play(table, one.card, one.value)]
    return plays_form(pen, decision, allowed)


def set_aside(asked: AnswerDraft[Table, friedrich.ReturnCards, None]) -> friedrich.CardsBack:
    """Return the answer that sets aside the cards named in an order. If an equal card was in the hand before, the card
    just drawn is set aside."""
    return friedrich.CardsBack(asked.cards(asked.decision.cards))


SET_ASIDE: AnySection = Section(
    "set aside", "§3", friedrich.ReturnCards, friedrich.CardsBack,
    single(lambda self, node: WrittenOrder(None, node, cards=self.cards(node))), set_aside,
    lambda pen, answer: pen.cards(answer.cards),
    lambda pen, table, decision: Several(
        tuple(Option(pen.card(card)) for card in decision.cards), decision.count, decision.count
    ),
)  # fmt: skip


def read_general(self: SectionReader, node: Node) -> WrittenOrder[friedrich.NamedGeneral] | None:
    named = self.piece(node)
    return None if named is None else WrittenOrder(friedrich.NamedGeneral(named.number), node)


def general_section(reason: friedrich.GeneralFor) -> AnySection:
    """Return the section of orders that name a general, for decisions with this reason."""
    return Section(
        reason, "§11", friedrich.ChooseGeneral, friedrich.NamedGeneral, single(read_general), as_said,
        lambda pen, answer: pen.piece(answer.general),
        lambda pen, table, decision: choice(*pen.pieces(decision.generals)),
        when=lambda decision: decision.reason == reason,
    )  # fmt: skip


def card_section(reason: friedrich.CardFor, rule: str = "§11") -> AnySection:
    """Return the section of orders that give a tactical card or `none`, for decisions with this reason."""
    return Section(
        reason, rule, friedrich.GiveCard, friedrich.GivenCard, single(SectionReader.card_or_none),
        lambda asked: friedrich.GivenCard(*asked.cards()), lambda pen, answer: pen.card_or_none(answer.card),
        lambda pen, table, decision: choice(
            *pen.cards(decision.cards), *((NONE,) if decision.may_decline else ())
        ),
        when=lambda decision: decision.reason == reason,
    )  # fmt: skip


def read_goal(self: SectionReader, node: Node) -> WrittenOrder[friedrich.Shift] | None:
    """Read the city to which pieces move. For `stay` the result has no city. Return None after a fault."""
    if is_word(node, STAY):
        return WrittenOrder(friedrich.Shift(), node)
    city = self.city(node)
    return None if city is None else WrittenOrder(friedrich.Shift(city.number), node)


def write_goal(pen: SectionWriter, answer: friedrich.Shift) -> Tree:
    return STAY if answer.city is None else pen.city(answer.city)


def shift_section(reason: friedrich.ShiftFor) -> AnySection:
    """Return the section of orders that move pieces to a city or say `stay`, for decisions with this reason."""
    return Section(
        reason, "§11", friedrich.ShiftPieces, friedrich.Shift, single(read_goal), as_said, write_goal,
        lambda pen, table, decision: choice(*pen.cities(decision.cities), STAY),
        when=lambda decision: decision.reason == reason,
    )  # fmt: skip


def read_sidesteps(self: SectionReader, node: Node) -> list[WrittenOrder[friedrich.Shift]]:
    """Read the entries `city: city` or `city: stay`: the first is the city of a stack, the second the city to which the
    stack moves."""
    found = []
    for name, value in self.reader.pairs(node, "sidestep"):
        start, going = self.city(name), read_goal(self, value)
        if start and going:
            about = self.lexicon.rules.common.board.cities[start.number].name
            found.append(replace(going, about=about))
    return found


SIDESTEP: AnySection = replace(
    shift_section("sidestep"), about=lambda pen, decision: pen.city(decision.start), read=read_sidesteps,
    form=lambda pen, table, decision: Record(
        {pen.city(decision.start): Part(choice(*pen.cities(decision.cities), STAY))}
    ),
    joins="by name",
)  # fmt: skip


def cities_section(reason: friedrich.CitiesFor, rule: str = "§11") -> AnySection:
    """Return the section of orders that name cities, for decisions with this reason."""

    def read(self: SectionReader, node: Node) -> WrittenOrder[friedrich.NamedCities]:
        named = self.cities(node, reason)
        return WrittenOrder(friedrich.NamedCities(numbers(named)), node, places_of("cities", named))

    return Section(
        reason, rule, friedrich.ChooseCities, friedrich.NamedCities, single(read), as_said,
        lambda pen, answer: pen.cities(answer.cities),
        lambda pen, table, decision: Several(
            tuple(Option(city) for city in pen.cities(decision.cities)), decision.count, decision.count
        ),
        when=lambda decision: decision.reason == reason,
    )  # fmt: skip


SECTIONS: tuple[AnySection, ...] = (
    replace(ALLOT, rule="§1"),
    TRANSFER,
    MARCH,
    EARLY,
    replace(BATTLES, rule="§7"),
    replace(PLAY, rule="§7", form=play_form),
    replace(RETREAT, rule="§8"),
    LEVY,
    SET_ASIDE,
    general_section("gain"),
    general_section("loss"),
    general_section("removal"),
    card_section("swap"),
    card_section("plunder"),
    card_section("redraw"),
    card_section("offensive", "§13"),
    shift_section("advance"),
    shift_section("rout"),
    SIDESTEP,
    cities_section("blockade"),
    cities_section("garrison", "§13"),
)
"""Sections of FRIEDRICH's orders. Each section of the Clock of Fate is named after the reason of its decision."""
