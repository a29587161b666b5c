"""Sections of MARIA's orders: the sections that all games have, and those on hussars, subsidies, tolls, politics and
peace."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.engine.board import SUITS
from pbem.engine.decisions import Answer, Decision, March, Reenter
from pbem.engine.field import OFF, by_command, pieces_at
from pbem.engine.nouns import City, Piece
from pbem.engine.table import player_of
from pbem.engine.troops import highest_of, needs_commander
from pbem.faults.wrong import words, wrong
from pbem.games.maria.paper.selecting import POLITICS
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.data import is_winter
from pbem.games.maria.rules.decisions import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.hussars import total_toll, unsupplied_groups
from pbem.games.maria.rules.sequence import stages_now
from pbem.games.maria.rules.state import Table
from pbem.games.maria.rules.winter import entry_cities
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import MappingNode, Node
from pbem.paper.lexicon import SIGNS
from pbem.paper.orders.forms import YES_OR_NO, Choice, Each, Input, Number, Option, Part, Record, choice
from pbem.paper.orders.moves import MOVE, move
from pbem.paper.orders.names import (
    NONE,
    NamedThing,
    SectionReader,
    SectionWriter,
    WrittenOrder,
    is_word,
    numbers,
    places_of,
)
from pbem.paper.orders.section import (
    AnswerDraft,
    AnySection,
    Section,
    as_said,
    in_readers_words,
    nothing,
    one_or_more,
    payment,
    single,
    truth,
)
from pbem.paper.orders.sections import ALLOT, BATTLES, PLAY, RECRUIT, RETREAT, TRANSFER, Recruits, recruits_form
from pbem.seal.canonical import Tree


def march(asked: AnswerDraft[Table, March, Answer]) -> Answer:
    """Return the answer that is made of a line of the moves, and add warnings to `asked`."""
    answer = move(asked)
    if isinstance(answer, Reenter):
        asked.warnings.extend(closed_city_warnings(asked.table, answer, asked.places["city",]))
    return answer


def closed_city_warnings(table: Table, answer: Reenter, node: Node) -> Iterator[Fault]:
    """Yield a warning if a train comes back in the only city where generals of its player can come back in the winter
    of this turn: they cannot come back where it stands (§13)."""
    rules, pieces = table.rules.common, table.state.field.pieces
    player = player_of(table, rules.pieces[answer.train].power)
    own = [power for power in table.rules.powers if player_of(table, power) == player]
    lost = [general for power in own for general in rules.generals(power) if pieces[general].city == OFF]
    closed = [general for general in lost if entry_cities(table, general) == [answer.city]]
    if closed and any(map(is_winter, stages_now(table))):
        city, train = rules.board.cities[answer.city].name, rules.pieces[answer.train].name
        told = wrong("W-ENTER-WINTER", train=train, city=city, generals=rules.names(closed))
        yield Fault.at(node.line, node.column, in_readers_words(told, rules.board))


def read_subsidy(self: SectionReader, node: Node) -> WrittenOrder[Answer] | None:
    """Read an order about a subsidy contract: to offer it, accept it, or cancel it. Return None after a fault."""
    entries = self.keys(node, ("to", "from", "turns", "accept", "cancel"), words("a-subsidy"))
    if "cancel" in entries:
        partner = self.power_named(entries["cancel"])
        return WrittenOrder(CancelSubsidy(partner), node) if partner else None
    end = next((key for key in ("to", "from") if key in entries), None)
    if end is None or "turns" not in entries:
        self.reader.note(node, wrong("E-FORM-MISSING.subsidy"))
        return None
    other = self.power_named(entries[end])
    turns = self.reader.number(entries["turns"], "turns", 0, 99)
    accept = self.flag(entries, "accept")
    if other is None or turns is None:
        return None
    giver, receiver = (self.power, other) if end == "to" else (other, self.power)
    return WrittenOrder(OfferSubsidy(giver, receiver, turns, accept), node)


def write_subsidy(pen: SectionWriter, answer: Answer) -> Tree:
    """Return the order about a subsidy contract, from the side of the power that writes it. Other answers give an empty
    list."""
    match answer:
        case OfferSubsidy(giver, receiver, turns, accept):
            end, other = ("to", receiver) if giver == pen.power else ("from", giver)
            return [{end: other, "turns": str(turns), "accept": pen.flag(accept)}]
        case CancelSubsidy(partner):
            return [{"cancel": partner}]
    return []


SUBSIDIES: AnySection = Section(
    "subsidies", "§20", (), (OfferSubsidy, CancelSubsidy), one_or_more(read_subsidy), as_said, write_subsidy,
    is_free=True, joins="lines",
)  # fmt: skip


def read_stacking(self: SectionReader, node: Node) -> WrittenOrder[AllowStacking] | None:
    answer = self.reader.truth(node, "stacking")
    return None if answer is None else WrittenOrder(AllowStacking(answer), node)


STACKING: AnySection = Section(
    "stacking", "§10.1", (), AllowStacking, single(read_stacking), as_said, lambda pen, answer: pen.flag(answer.yes),
    is_free=True,
)  # fmt: skip


def read_agreement(self: SectionReader, node: Node) -> WrittenOrder[MakeAgreement] | None:
    """Read an agreement: its words, and the partners of the power that writes. Return None if either is missing."""
    entries = self.keys(node, ("with", "words"), words("an-agreement"))
    if not {"with", "words"} <= set(entries):
        self.reader.note(node, wrong("E-FORM-MISSING.promise"))
        return None
    others = self.reader.names(entries["with"], words("a-power"), self.lexicon.power)
    text = self.reader.text(entries["words"], "words") or ""
    return WrittenOrder(MakeAgreement((self.power, *others), text), node)


def write_agreement(pen: SectionWriter, answer: MakeAgreement) -> Tree:
    others: list[Tree] = [other for other in answer.powers if other != pen.power]
    return [{"with": others, "words": answer.words}]


AGREEMENTS: AnySection = Section(
    "agreements", "§21", (), MakeAgreement, one_or_more(read_agreement), as_said, write_agreement,
    is_free=True, joins="lines",
)  # fmt: skip


def read_hussars(self: SectionReader, node: Node) -> WrittenOrder[d.HussarPlacement]:
    """Read one city, or `off`, for each hussar."""
    places = self.each(node, "hussars", lambda item: NamedThing(OFF, item) if is_word(item, "off") else self.city(item))
    return WrittenOrder(d.HussarPlacement(numbers(places)), node, places_of("cities", places))


def place(pen: SectionWriter, city: City) -> str:
    return "off" if city == OFF else pen.city(city)


def hussars_form(pen: SectionWriter, table: Table, decision: d.PlaceHussars) -> Input:
    """Return the form, for programs, of a placement of hussars. Each hussar stays, leaves the board, or goes to an open
    city."""
    cities = [dict.fromkeys([now, OFF, *decision.cities]) for now in decision.standing]
    return Each(tuple(choice(*(place(pen, city) for city in open_to)) for open_to in cities))


HUSSARS: AnySection = Section(
    "hussars", "§7", d.PlaceHussars, d.HussarPlacement, single(read_hussars), as_said,
    lambda pen, answer: [place(pen, city) for city in answer.cities], hussars_form,
)  # fmt: skip

SUBSIDY: AnySection = Section(
    "subsidy", "§8", d.Subsidy, d.GiveSubsidy, truth("subsidy"), lambda asked: d.GiveSubsidy(asked.said),
    lambda pen, answer: pen.flag(answer.give), lambda pen, table, decision: YES_OR_NO,
)  # fmt: skip

ALL = "all"
"""Word in orders for paying the whole hand."""


def read_toll(self: SectionReader, node: Node) -> WrittenOrder[tuple[bool, tuple[Piece, ...]]] | None:
    """Read the payment of a toll. The order has two values: True if the whole hand is paid, and the generals who go
    unsupplied. If single cards are paid, they are in the order's field `cards`. Return None after a fault."""
    mapping = self.reader.mapping(node, "toll")
    if mapping is None:
        return None
    entries = self.reader.known_entries(mapping, ("pay", "unsupplied"), "toll")
    is_whole = "pay" in entries and is_word(entries["pay"], ALL)
    cards = self.cards(entries["pay"]) if "pay" in entries and not is_whole else ()
    unsupplied = self.pieces(entries["unsupplied"], words("generals")) if "unsupplied" in entries else ()
    return WrittenOrder((is_whole, numbers(unsupplied)), node, places_of("unsupplied", unsupplied), cards)


def toll(asked: AnswerDraft[Table, d.Toll, tuple[bool, tuple[Piece, ...]]]) -> d.PayToll:
    """Return the answer of an order to pay a toll with certain cards or the whole hand."""
    is_whole, unsupplied = asked.said
    return d.PayToll(asked.decision.hand if is_whole else asked.cards(), unsupplied)


def write_toll(pen: SectionWriter, answer: d.PayToll) -> Tree:
    paid: dict[str, Tree] = {"pay": pen.cards(answer.cards)}
    return paid | ({"unsupplied": pen.pieces(answer.unsupplied)} if answer.unsupplied else {})


def toll_form(pen: SectionWriter, table: Table, decision: d.Toll) -> Input:
    """Return the form, for programs, of the payment of a toll. If the hand is worth too little, the form offers the
    groups of generals who may go unsupplied."""
    rules, hand = table.rules.common, decision.hand
    groups = unsupplied_groups(rules, decision.claims, hand)
    if groups == [()]:
        return Record({"pay": Part(payment(pen, hand), price=total_toll(decision.claims))})
    if rules.unpaid == "pay all":  # The whole hand is lost: only the group is chosen.
        return Choice(tuple(Option(write_toll(pen, d.PayToll(hand, group))) for group in groups))
    options = [Option(pen.pieces(group), total_toll(decision.claims, group)) for group in groups]
    return Record({"unsupplied": Part(Choice(tuple(options))), "pay": Part(payment(pen, hand), optional=True)})


TOLL: AnySection = Section(
    "toll", "§9", d.Toll, d.PayToll, single(read_toll), toll, write_toll, toll_form,
    price=lambda table, decision, answer: 0 if answer.unsupplied else total_toll(decision.claims),
)  # fmt: skip
"""Section for payment of supply through hussars."""


def read_trump(self: SectionReader, node: Node) -> WrittenOrder[d.NameTrump] | None:
    suit = self.reader.word(node, "trump", SIGNS)
    return None if suit is None else WrittenOrder(d.NameTrump(suit), node)


TRUMP: AnySection = Section(
    "trump", "§17.2", d.ChooseTrump, d.NameTrump, single(read_trump), as_said, lambda pen, answer: SUITS[answer.suit],
    lambda pen, table, decision: choice(*SUITS),
)  # fmt: skip

INFLUENCE: AnySection = Section(
    "influence", "§17.3", d.PlaceInfluence, d.Influence, single(SectionReader.card_or_none),
    lambda asked: d.Influence(*asked.cards()), lambda pen, answer: pen.card_or_none(answer.card),
    lambda pen, table, decision: choice(NONE, *pen.cards(decision.hand)),
)  # fmt: skip


def read_corps(self: SectionReader, node: Node) -> WrittenOrder[Piece] | None:
    """Read the general who goes to the off-map box, and the cards that pay for him. Return None after a fault."""
    entries = self.reader.known_entries(node, ("general", "pay"), "corps") if isinstance(node, MappingNode) else {}
    cards = self.cards(entries["pay"]) if "pay" in entries else ()
    general = self.piece(entries.get("general", node))
    return None if general is None else WrittenOrder(general.number, node, {("general",): general.node}, cards)


def corps(asked: AnswerDraft[Table, d.SendCorps, Piece]) -> d.Corps:
    return d.Corps(asked.said, asked.cards())


def corps_price(table: Table, decision: d.SendCorps, answer: d.Corps) -> int:
    """Return the price of the troops of a general off the map, in points of cards; 0 for a general on the map."""
    return table.rules.game.advanced.corps_price if answer.general in decision.recruits else 0


def write_corps(pen: SectionWriter, answer: d.Corps) -> Tree:
    """Return the order that sends a general to the off-map box, with the cards that pay for him."""
    general: dict[str, Tree] = {"general": pen.piece(answer.general)}
    return general | ({"pay": pen.cards(answer.cards)} if answer.cards else {})


def corps_form(pen: SectionWriter, table: Table, decision: d.SendCorps) -> Input:
    """Return the form, for programs, of sending a general to the off-map box. He is paid for if he is off the map."""
    generals = [
        Option(pen.piece(general), price=corps_price(table, decision, d.Corps(general)))
        for general in decision.generals
    ]
    pay = Part(payment(pen, decision.hand), optional=True)
    return Record({"general": Part(Choice(tuple(generals)))} | ({"pay": pay} if decision.recruits else {}))


CORPS: AnySection = Section(
    "corps", "§17.5", d.SendCorps, d.Corps, single(read_corps), corps,
    write_corps, corps_form, price=corps_price,
)  # fmt: skip


REINFORCE: AnySection = replace(
    RECRUIT, rule="§17.5", asks=(d.Reinforce,), price=nothing,
    form=lambda pen, table, decision: recruits_form(pen, Recruits(decision.room, decision.entries, decision.troops, 0)),
)  # fmt: skip
"""Section for free troops. Its form is that of recruits in winter."""


def read_relocations(self: SectionReader, node: Node) -> list[WrittenOrder[d.GoTo]]:
    """Read the entries `piece: city`, or `piece: {to: city, commander: general}` for a stack of equal ranks."""
    found = []
    for name, value in self.reader.pairs(node, "relocate"):
        piece = self.piece(name)
        entries = (
            self.reader.known_entries(value, ("to", "commander"), "relocate") if isinstance(value, MappingNode) else {}
        )
        commander = self.piece(entries["commander"]) if "commander" in entries else None
        city = self.city(entries.get("to", value))
        if piece and city:
            answer = d.GoTo(city.number, commander.number if commander else None)
            about = self.lexicon.rules.common.pieces[piece.number].name
            found.append(WrittenOrder(answer, value, {("city",): city.node}, about=about))
    return found


def write_goal(pen: SectionWriter, answer: d.GoTo) -> Tree:
    """Return the city to which a piece goes, and the stack's commander if the answer names one."""
    city = pen.city(answer.city)
    return city if answer.commander is None else {"to": city, "commander": pen.piece(answer.commander)}


def relocation_form(pen: SectionWriter, table: Table, decision: d.Relocate) -> Input:
    """Return the form, for programs, of the city for a piece, and of the commander where one may be chosen."""
    rules, field = table.rules.common, table.state.field
    goals: list[Tree] = []
    for city in decision.cities:
        mates = [piece for piece in pieces_at(field, city) if piece != decision.piece]
        stack = by_command(rules, field, [*mates, decision.piece]) if mates else []
        leaders = highest_of(rules, stack) if needs_commander(rules, stack) else [None]
        goals += [write_goal(pen, d.GoTo(city, leader)) for leader in leaders]
    return Record({pen.piece(decision.piece): Part(choice(*goals))})


RELOCATE: AnySection = Section(
    "relocate", "§17.5, §19", d.Relocate, d.GoTo, read_relocations, as_said, write_goal, relocation_form,
    about=lambda pen, decision: pen.piece(decision.piece), joins="by name",
)  # fmt: skip


def consent_section(section: str, rule: str, *asks: type[Decision]) -> AnySection:
    """Return a section whose order is yes or no."""
    return Section(
        section, rule, asks, d.Consent, truth(section), lambda asked: d.Consent(asked.said),
        lambda pen, answer: pen.flag(answer.yes), lambda pen, table, decision: YES_OR_NO,
    )  # fmt: skip


def read_vote(self: SectionReader, node: Node) -> WrittenOrder[int | bool] | None:
    """Read the number of votes for Charles. The result is True if Charles gets all votes, False if Francis does, and
    None after a fault."""
    if isinstance(node, MappingNode):
        entries = self.reader.known_entries(node, ("charles",), "vote")
        count = self.reader.number(entries["charles"], "votes", 0, 9) if "charles" in entries else None
        return None if count is None else WrittenOrder(count, node)
    word = self.reader.word(node, "vote", {"charles": True, "francis": False})
    return None if word is None else WrittenOrder(word, node)


def vote(asked: AnswerDraft[Table, d.Vote, int | bool]) -> d.Votes:
    """Return the answer for a number of votes for Charles, or for a candidate who gets all votes."""
    said = asked.said
    return d.Votes(said if not isinstance(said, bool) else asked.decision.votes if said else 0)


VOTE: AnySection = Section(
    "vote", "§18", d.Vote, d.Votes, single(read_vote), vote, lambda pen, answer: {"charles": str(answer.charles)},
    lambda pen, table, decision: Record({"charles": Part(Number(0, decision.votes))}),
)  # fmt: skip

SECTIONS: tuple[AnySection, ...] = (
    ALLOT,
    TRANSFER,
    replace(MOVE, answer=march),
    BATTLES,
    PLAY,
    RETREAT,
    RECRUIT,
    REINFORCE,
    HUSSARS,
    SUBSIDY,
    TOLL,
    TRUMP,
    INFLUENCE,
    POLITICS,
    CORPS,
    RELOCATE,
    consent_section("shift", "§19.3", d.ShiftSaxony),
    consent_section("peace", "§19.1", d.OfferPeace, d.AcceptPeace),
    consent_section("peace", "Silesia Gambit §2.2", d.CedeSilesia),
    consent_section("reduce", "§19.2", d.ReduceObjectives),
    VOTE,
    SUBSIDIES,
    STACKING,
    AGREEMENTS,
)
