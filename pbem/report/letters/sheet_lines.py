"""Orders and comments in an order sheet: its orders, examples of other answers, and notes beside or above a line.

Examples are found in what the reader may know: they come from the form of the answers (`pbem/paper/orders/forms.py`),
and are tried on a copy of the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice
from random import Random

from msgspec import Struct

from pbem.bots.plain import hold
from pbem.campaign.letters.card_warnings import vain_card_warnings
from pbem.engine.decisions import Allot, ChooseRetreat, Decision, March, PlayCard
from pbem.engine.field import stack_at
from pbem.engine.nouns import Power
from pbem.engine.supply import assess
from pbem.engine.table import Table, player_of
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import node_of
from pbem.paper.orders import forms as f
from pbem.paper.orders.files import Orders, form_of, read_orders, sections_of
from pbem.paper.orders.trial import run
from pbem.report import blocks
from pbem.report.blocks import RESERVE_SIGN
from pbem.report.language.templates import NO_BREAK, WIDTH, TemplateData, squeeze, wrap_paragraph
from pbem.report.telling import game_report
from pbem.seal.canonical import Tree


def held_section(table: Table, decision: Decision, language: str) -> tuple[str, Tree]:
    """Return the section that answers a decision, and the orders that the sheet has in it. These are the default
    orders, or better orders if the game gives some (`GameReport.beginning`)."""
    better = game_report(table.rules.terms.game).beginning(table, decision)
    answer = better or hold(table, decision, Random(0))  # noqa: S311 - nothing is left to chance
    named = blocks.table_in_words(table, language)
    ((section, tree),) = sections_of(named, decision.power, decision, answer).items()
    if not isinstance(decision, March) or not decision.leaving:
        return section, tree
    game, after = game_of(table), copy_of(table)
    game.apply(after, decision.power, answer)
    _, more = held_section(after, game.decision_of(after, decision.power), language)
    assert isinstance(tree, list)
    assert isinstance(more, list)
    return section, [*tree, *more]


def other_by_default(named: Table, decision: Decision, section: str, held: Tree) -> str:
    """Return, in words, how many troops the default orders give to each general who has another number in the sheet's
    orders (`held`). Return an empty text if the decision is not an allotment of troops."""
    if not isinstance(decision, Allot):
        return ""
    answer = hold(named, decision, Random(0))  # noqa: S311 - nothing is left to chance
    by_default = sections_of(named, decision.power, decision, answer)[section]
    assert isinstance(by_default, dict)
    assert isinstance(held, dict)
    return ", ".join(f"{name}{NO_BREAK}{troops}" for name, troops in by_default.items() if troops != held[name])


MOST = 6
"""Largest number of examples that are shown for one decision. For a retreat, all possible ends are shown."""

MOST_TRIED = 60
"""Largest number of answers from a form that are tried."""

STOP = "stop"

CARD = re.compile(r"^([♣♦♥♠]\d+|R\d*)/\d+b?(?=$| )")
"""Pattern of a card that is written with its deck."""


class Examples(Struct, frozen=True):
    """Examples of legal answers to a decision. The answer that is already in the sheet is not among them."""

    values: tuple[Tree, ...]
    more: int
    """Number of examples that were found, but are not shown."""


class Filling(Struct, frozen=True):
    """Value for an input of a form, and the points of cards that it costs."""

    tree: Tree
    price: int = 0


def examples_of(table: Table, decision: Decision, section: str, held: Tree, first: Sequence[Tree] = ()) -> Examples:
    """Return examples of legal answers to a decision, as orders in `section`. `held`, the answer in the sheet, is left
    out. If `first` has answers, only these are tried. An example gives no troops to a general who is out of supply, if
    another can have them."""
    hungry = {*blocks.pieces(table.rules.common, assess(table.rules.common, table.state.field, decision.power).cut_off)}

    def is_example(tree: Tree) -> bool:
        return tree != in_short(held) and is_taken(table, decision.power, {section: tree})

    offered, is_march = offers(table, decision, first), isinstance(decision, March)
    found = longest_records(offered, is_example, is_march, lambda tree: has_key(tree, hungry))
    most = len(found) if isinstance(decision, ChooseRetreat) else MOST
    return Examples(tuple(found[:most]), len(found[most:]))


def is_only_answer(named: Table, decision: Decision, held: Tree) -> bool:
    """True if the rules allow no other answer to a decision than `held`, the answer in the sheet."""
    only = None if isinstance(decision, March) else f.only_value(form_of(named, decision).input)
    # The word `none` means a record with nothing in it.
    return only is not None and in_short(only) in (in_short(held), held or "none")


def marching_above(named: Table, decision: Decision, done: Table) -> dict[str, list[str]]:
    """Return facts on pieces that already march in an example for another power, as the table `done` shows. `above` has
    those pieces of the decision. `mates` has the other generals who stood in their cities."""
    if not isinstance(decision, March):
        return {}
    rules, field = named.rules.common, named.state.field
    above = [piece for piece in decision.pieces if piece in done.state.moved]
    stacks = {general for piece in above for general in stack_at(rules, field, field.pieces[piece].city)}
    return {"above": blocks.pieces(rules, above), "mates": blocks.pieces(rules, sorted(stacks.difference(above)))}


def offers(table: Table, decision: Decision, first: Sequence[Tree] = ()) -> list[Tree]:
    """Return answers that are worth trying, the most likely first. If there are answers in `first`, return these.
    Marches are left out."""
    form = form_of(table, decision).input
    if isinstance(decision, March):
        form = without_marches(form)
    offered = [in_short(tree) for tree in first or [one.tree for one in islice(fillings(form), MOST_TRIED)]]
    if isinstance(decision, PlayCard):
        offered = [whole_play(table, decision.power, line) for line in with_one_reserve(offered, decision.score)]
    return offered


def without_marches(form: f.Input) -> f.Input:
    """Return the form of the section `move` without the inputs for marches."""
    assert isinstance(form, f.Lines)
    assert isinstance(form.of, f.Either)
    ways = [way for way in form.of.ways if not (isinstance(way, f.Record) and "march" in way.parts)]
    return f.Lines(f.Either(tuple(ways)), form.least)


def whole_play(table: Table, power: Power, line: Tree) -> Tree:
    """Return a play of cards. If the player would have to decide again directly after it, `stop` is added."""
    if not isinstance(line, list) or line == [STOP]:
        return line
    waiting = run(table, orders_of(table, power, {"play": line})).waiting
    is_asked = any(isinstance(asked, PlayCard) and asked.power == power for asked in waiting)
    return [*line, STOP] if is_asked else line


def is_taken(table: Table, power: Power, sections: dict[str, Tree]) -> bool:
    """True if the orders in `sections` can be carried out without a fault and without a warning."""
    try:
        orders = orders_of(table, power, sections)
        return not (run(table, orders.copy()).faults or [*vain_card_warnings(table, player_of(table, power), orders)])
    except Refused:
        return False


def orders_of(table: Table, power: Power, sections: dict[str, Tree]) -> Orders:
    """Return orders of one power, read as if they came from a file. `sections` has the orders by section."""
    return read_orders(node_of({"orders": {power: sections}}), "example", table.rules)


def longest_records(
    trees: Iterable[Tree], is_fit: Callable[[Tree], bool], by_name: bool, last: Callable[[Tree], bool] = lambda _: False
) -> list[Tree]:
    """Return the trees that fit (`is_fit`). Of all records with one beginning (`beginning_of`), only the longest that
    fits is returned. A record for which `last` is true counts as shorter than all others. Other trees are returned once
    each."""
    alike: dict[str, list[Tree]] = {}
    for tree in filter(size, trees):
        record = tree[0] if isinstance(tree, list) and len(tree) == 1 else tree
        beginning = beginning_of(record, by_name) if isinstance(record, dict) and record else repr(tree)
        alike.setdefault(beginning, []).append(tree)
    longest_first = (sorted(each, key=lambda tree: (last(tree), -size(tree))) for each in alike.values())
    return list(chain.from_iterable(islice(filter(is_fit, each), 1) for each in longest_first))


def beginning_of(record: dict[str, Tree], by_name: bool) -> str:
    """Return the beginning of a record: the first key, and the value under it if this is a text. With `by_name`, return
    only the key. Records with the same beginning count as similar."""
    key, value = next(iter(record.items()))
    return f"{key}: {value}" if isinstance(value, str) and not by_name else key


def in_short(tree: Tree) -> Tree:
    """Return a tree as people write it: cards without decks, cities as one text, and no `instruction: no`."""
    match tree:
        case str():
            return CARD.sub(r"\1", tree)
        case [[*cities]] if all(isinstance(city, str) for city in cities):
            return ", ".join(map(str, cities))
        case list():
            return [in_short(item) for item in tree]
    return {key: in_short(item) for key, item in tree.items() if (key, item) != ("instruction", "no")}


def has_key(tree: Tree, keys: set[str]) -> bool:
    """True if a record in the tree has one of these keys."""
    if isinstance(tree, dict):
        return not keys.isdisjoint(tree) or has_key([*tree.values()], keys)
    return isinstance(tree, list) and any(has_key(each, keys) for each in tree)


def size(tree: Tree) -> int:
    """Return the number of texts in a tree, plus the number of its lists and records. Empty texts are not counted."""
    if isinstance(tree, str):
        return len(tree) > 0
    return 1 + sum(map(size, tree.values() if isinstance(tree, dict) else tree))


def with_one_reserve(offered: Sequence[Tree], score: int) -> list[Tree]:
    """Return the plays, but of those with a single Reserve only the plays with one declared value. This is the lowest
    value that brings the score above zero. If no value does, it is the highest."""
    values = [value for line in offered if (value := reserve_value(line))]
    wanted = min((value for value in values if score + value > 0), default=max(values, default=0))
    return [line for line in offered if reserve_value(line) in (0, wanted)]


def reserve_value(line: Tree) -> int:
    """Return the declared value of a Reserve that is played alone. Return 0 for any other play."""
    match line:
        case [str(card)] if card.startswith(RESERVE_SIGN) and card[1:].isdigit():
            return int(card[1:])
    return 0


def fillings(form: f.Input) -> Iterator[Filling]:
    """Yield some values that fit into an input, with the most likely first."""
    match form:
        case f.Choice(options) | f.Path(_, options):
            yield from (Filling(option.write, option.price) for option in options)
        case f.Several(options, least):
            for some in combinations(options, max(1, least)):
                yield Filling([option.write for option in some])
        case f.Number(least, most, price):
            yield from (Filling(str(number), number * price) for number in dict.fromkeys((most, least)))
        case f.Numbers(of, all=False):
            yield from (Filling({name: str(one.least)}, one.least * one.price) for name, one in of.items())
        case f.Each(each):
            yield from each_changed(each)
        case f.Either(ways):
            for way in ways:
                yield from fillings(way)
        case f.Lines(of):
            yield from (Filling([line.tree], line.price) for line in fillings(of))
        case f.Record():
            yield from records(form)


def each_changed(each: Sequence[f.Input]) -> Iterator[Filling]:
    """Yield lists with one answer to each input. In each list, one of the inputs has its second value, and all others
    have their first value."""
    ways = [[one.tree for one in islice(fillings(form), 2)] for form in each]
    for place, trees in enumerate(ways):
        for tree in trees[1:]:
            yield Filling([tree if number == place else others[0] for number, others in enumerate(ways)])


def records(form: f.Record) -> Iterator[Filling]:
    """Yield examples of a record: with all parts, with one of the optional parts, with no optional part, and with each
    pair of parts that belong together."""
    fixed = {key: part for key, part in form.parts.items() if not part.optional and not is_payment(part)}
    free = {key: part for key, part in form.parts.items() if part.optional and not is_payment(part)}
    for parts in ({**fixed, **free}, *({**fixed, key: part} for key, part in free.items()), fixed):
        yield from paid_records(form, varied_records(parts))
    for one, other in form.together:
        yield from paid_records(form, [Filling(both, price) for both, price in joint_records(form, one, other)])


def is_payment(part: f.Part) -> bool:
    """True for a part of a record that has the cards with which the other parts are paid."""
    return isinstance(part.input, f.Payment)


def varied_records(parts: dict[str, f.Part]) -> Iterator[Filling]:
    """Yield records of these parts. In each record, only one part has another value than its first."""
    ways = {key: list(islice(fillings(part.input), MOST_TRIED)) for key, part in parts.items()}
    if not parts or not all(ways.values()):
        return
    first = {key: found[0] for key, found in ways.items()}
    price = sum(part.price for part in parts.values())
    for key, found in ways.items():
        for one in found if key == next(iter(ways)) else found[1:]:
            chosen = first | {key: one}
            tree: dict[str, Tree] = {name: each.tree for name, each in chosen.items()}
            yield Filling(tree, price + sum(each.price for each in chosen.values()))


def joint_records(
    form: f.Record, first_part: tuple[str, ...], second_part: tuple[str, ...]
) -> Iterator[tuple[Tree, int]]:
    """Yield one pair: a record with values for these two parts only, and the cost of the record. A part is given by its
    two keys. Yield nothing if one of the parts has no possible value."""
    first, second = (next(place_in(form, path), None) for path in (first_part, second_part))
    if first and second:
        yield (
            {first_part[0]: {first_part[1]: first.tree}, second_part[0]: {second_part[1]: second.tree}},
            first.price + second.price,
        )


def place_in(form: f.Record, path: tuple[str, ...]) -> Iterator[Filling]:
    """Yield values for a part that is inside another part of a record. `path` has the keys of both, the outer first."""
    match form.parts[path[0]].input:
        case f.Record(parts) if path[1] in parts:
            part = parts[path[1]]
            yield from (Filling(one.tree, one.price + part.price) for one in fillings(part.input))
        case f.Numbers(of) if path[1] in of:
            yield from fillings(of[path[1]])


def paid_records(form: f.Record, found: Iterable[Filling]) -> Iterator[Filling]:
    """Add the cheapest payment to each record, if the form has a payment. Records that cannot be paid are left out."""
    payments = {key: part.input for key, part in form.parts.items() if isinstance(part.input, f.Payment)}
    for one in found:
        if not payments or not one.price:
            yield one
        elif isinstance(one.tree, dict):
            ((key, purse),) = payments.items()
            if cards := thriftiest_payment(purse.options, one.price):
                yield Filling(one.tree | {key: [card.write for card in cards]})


def thriftiest_payment(options: Sequence[f.Option], price: int) -> tuple[f.Option, ...]:
    """Return the cards that pay a price and waste the fewest points. If there are several such payments, return the one
    with the fewest cards. Return none if all cards together are not enough."""
    sums: dict[int, tuple[f.Option, ...]] = {0: ()}
    for option in options:
        for worth, cards in list(sums.items()):
            more = worth + option.worth
            if worth < price and len(cards) + 1 < len(sums.get(more, (*options, option))):
                sums[more] = (*cards, option)
    return sums[min((worth for worth in sums if worth >= price), default=0)]


THOUGHTS = "\N{SYMBOL FOR UNIT SEPARATOR}"
"""Sign between the parts of a note. Each part can have a line of its own."""


def line_beside_note(line: str, note: str, must: str, room: int, about: str = "") -> str:
    """Write a note behind a line if both together fit into `room` characters. If they do not, write only `must`, the
    most important part of the note, behind or above the line.

    If it is above the line, it begins with `about`, which says what the note is about.
    """
    for text in filter(None, map(squeeze, (note, must))):
        if len(short := f"{line}  # {in_a_row(text)}".replace(NO_BREAK, " ")) <= room:
            return short
    if not squeeze(must):
        return line
    indent = len(line) - len(line.lstrip())
    above = named_note(about, must)
    ways = thoughts_apart(above, indent, room), comment(in_a_row(above), indent, 2, width=room)
    shortest = min(ways, key=lambda text: text.count("\n"))
    return f"{shortest}\n{line}"


def line_with_note(line: str, note: str, indent: int, about: str = "") -> str:
    """Write a note behind a line, or above the line if there is no room behind it. A note above the line begins with
    `about`, which says what it is about."""
    short = f"{line}  # {in_a_row(squeeze(note))}".replace(NO_BREAK, " ")
    return short if len(short) <= WIDTH else f"{thoughts_apart(named_note(about, note), indent)}\n{line}"


def named_note(about: str, note: str) -> str:
    return f"{about} – {squeeze(note)}" if about else note


def in_a_row(note: str) -> str:
    return note.replace(THOUGHTS, "; ")


def thoughts_apart(note: str, indent: int, width: int = WIDTH) -> str:
    """Write each part of a note as a comment of its own. All but the first are indented."""
    first, *others = note.replace(THOUGHTS, f";{THOUGHTS}").split(THOUGHTS)
    above = comment(first, indent, 4 if others else 2, width=width)
    return "\n".join([above, *(comment(each, indent, 2, 2, width) for each in others)])


def comment(text: str, indent: int = 0, hang: int = 0, inset: int = 0, width: int = WIDTH) -> str:
    """Write a text as lines of comment, of at most `width` characters.

    `indent` is the indentation of the signs `#`,
    and `inset` that of the text behind them.
    All lines but the first are indented by `hang` more.
    """
    room = indent + 2
    lines = wrap_paragraph(squeeze(text), room + inset, hang, width).split("\n")
    return "\n".join(f"{' ' * indent}# {line[room:]}" for line in lines)


def noting(width: int) -> TemplateData:
    """Return the functions and the sign with which templates write notes, in lines of at most `width` characters."""
    written = partial(comment, width=width)
    return {"comment": written, "noted": line_with_note, "beside": line_beside_note, "apart": THOUGHTS}
