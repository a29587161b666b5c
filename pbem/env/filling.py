"""Filling in of a form by small choices: the program offers some words, is given one of them, and offers the next
words.

Each generator yields the words that may come next, is sent one of these words, and at its end returns the filled-in
part and its price. The code names no game and no decision, so that a new game or decision needs no change here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbem.paper.orders import forms as f
from pbem.seal.canonical import Tree

PASS = "nothing"  # noqa: S105 - a word, and no secret
"""Word for leaving something out, and for the end of a list."""

ENDLESS = 10**6
"""Purse for a form without payment: more than any form can cost."""


class FilledPart(NamedTuple):
    """A filled-in part of a form."""

    write: Tree | None
    """Tree that the part becomes in the answer; None if the part is left out."""
    price: int = 0


Offer: TypeAlias = frozenset[str]
"""Words that may be taken next. If there are none, the answer cannot be completed."""

Filling: TypeAlias = Generator[Offer, str, FilledPart]

Forced: TypeAlias = Mapping[tuple[str, ...], bool]
"""Parts of a record that leave no choice. The key is the path of keys to a part. The value is True if the part must be
filled in, and False if it must be left out."""

FREE: Forced = {}


def fill(form: f.Input, purse: int = ENDLESS) -> Filling:
    """Fill in a form of any kind, which may cost at most `purse`."""
    match form:
        case f.Choice(options):
            return choose_word_by_word(
                [
                    (words_of(each.write), FilledPart(each.write, each.price))
                    for each in affordable_options(options, purse)
                ]
            )
        case f.Path(_, ways):
            # Offer the goal first, because it nearly always determines the path.
            return choose_word_by_word(
                [
                    (words_of(each.write)[::-1], FilledPart(each.write, each.price))
                    for each in affordable_options(ways, purse)
                ]
            )
        case f.Number(least, most, price):
            return choose_number(least, min(most, purse // price) if price else most, price)
        case f.Several(options, least, most):
            return choose_several(options, least, most)
        case f.Numbers():
            return choose_numbers(form, purse)
        case f.Each(forms):
            return fill_each(forms, purse)
        case f.Either(ways):
            return race([fill(way, purse) for way in ways])
        case f.Lines(of, least):
            line = fill_one_line(fill(of, purse), may_be_none=not least)
            return line if least else race([offer_pass(FilledPart([])), line])
        case f.Record():
            return fill_record(form, purse)
        case f.Payment(options):
            return choose_cards(options, purse)


def affordable_options(options: Iterable[f.Option], purse: int) -> Iterable[f.Option]:
    """Return the options that cost at most `purse`."""
    return (option for option in options if option.price <= purse)


def words_of(tree: Tree) -> tuple[str, ...]:
    """Return all words of a tree from the first to the last: its texts, and the keys of its mappings."""
    match tree:
        case str():
            return (tree,)
        case list():
            return tuple(word for part in tree for word in words_of(part))
    return tuple(word for key, part in tree.items() for word in (key, *words_of(part)))


def choose_word_by_word(options: list[tuple[tuple[str, ...], FilledPart]]) -> Filling:
    """Choose an option word by word. PASS chooses an option that is the beginning of a longer option."""
    place = 0
    while True:
        offered = frozenset(words[place] if place < len(words) else PASS for words, _ in options)
        if len(options) == 1 and place == len(options[0][0]):
            return options[0][1]
        word = yield offered
        ended = [each for each in options if len(each[0]) == place]
        if word == PASS and ended:
            return ended[0][1]
        options = [each for each in options if len(each[0]) > place and each[0][place] == word]
        place += 1


def offer_pass(filled: FilledPart) -> Filling:
    """Offer PASS as the only word, and return the part `filled`."""
    yield frozenset({PASS})
    return filled


def choose_number(least: int, most: int, price: int) -> Filling:
    """Choose a number from `least` to `most`; `price` is the price of one unit."""
    word = yield frozenset(map(str, range(least, most + 1)))
    return FilledPart(word, int(word) * price)


def choose_several(options: Sequence[f.Option], least: int, most: int) -> Filling:
    """Choose at least `least` and at most `most` of several options, in the sequence of the options."""
    found: list[Tree] = []
    place = 0
    while len(found) < most and place < len(options):
        lacking = least - len(found) - 1
        # Only later options are offered, so that each selection can be made in one way only.
        open_now = [(words_of(each.write), number) for number, each in enumerate(options)][place:]
        open_now = open_now[: len(open_now) - lacking] if lacking > 0 else open_now
        choice = yield from choose_or_pass(open_now, may_stop=len(found) >= least)
        if choice is None:
            break
        found.append(options[choice].write)
        place = choice + 1
    return FilledPart(found)


def choose_or_pass(open_now: list[tuple[tuple[str, ...], int]], may_stop: bool) -> Generator[Offer, str, int | None]:
    """Choose an option word by word, and return the option's number. With `may_stop`, PASS may be chosen instead; then
    return None."""
    place = 0
    while True:
        words = {words[place] for words, _ in open_now if len(words) > place}
        word = yield frozenset({*words, PASS} if may_stop and place == 0 else words)
        if word == PASS and place == 0:
            return None
        open_now = [each for each in open_now if each[0][place : place + 1] == (word,)]
        place += 1
        if ended := [number for words, number in open_now if len(words) == place]:
            return ended[0]


def choose_numbers(form: f.Numbers, purse: int) -> Filling:
    """Choose a number for each name, so that their total stays between the form's `least` and `most`."""
    names, found, price = list(form.of), dict[str, Tree](), 0
    open_totals = totals(form)
    total = 0
    for place, name in enumerate(names):
        one = form.of[name]
        most = min(one.most, (purse - price) // one.price) if one.price else one.most
        counts = [count for count in (0, *range(max(1, one.least), most + 1)) if count or not (form.all and one.least)]
        fitting = [
            count
            for count in counts
            if any(form.least <= total + count + rest <= form.most for rest in open_totals[place + 1])
        ]
        word = yield frozenset(map(str, fitting))
        if int(word) or form.all:
            found[name] = word
        total += int(word)
        price += int(word) * one.price
    return FilledPart(found, price)


def totals(form: f.Numbers) -> list[set[int]]:
    """Return the totals that can still be reached at each name of the form: all sums of at most `form.most` of the
    numbers of this name and of the names after it. The last set is {0}, for no further name."""
    found: list[set[int]] = [{0}]
    for one in reversed(form.of.values()):
        counts = {*range(max(1, one.least), one.most + 1), *(() if form.all and one.least else (0,))}
        found.append({count + rest for count in counts for rest in found[-1] if count + rest <= form.most})
    return found[::-1]


def fill_each(forms: Iterable[f.Input], purse: int) -> Filling:
    """Fill in all of these inputs, one after the other."""
    found: list[Tree] = []
    price = 0
    for form in forms:
        filled = yield from fill(form, purse - price)
        found.append(filled.write or "")
        price += filled.price
    return FilledPart(found, price)


def choose_cards(options: Sequence[f.Option], price: int) -> Filling:
    """Choose cards until the price is paid."""
    found: list[Tree] = []
    left, worth = list(options), 0
    while worth < price:
        choice = yield from choose_or_pass([(words_of(each.write), place) for place, each in enumerate(left)], False)
        assert choice is not None
        card = left.pop(choice)
        found.append(card.write)
        worth += card.worth
    return FilledPart(found)


def fill_record(form: f.Record, purse: int, forced: Forced = FREE) -> Filling:
    """Fill in the parts of a record one after the other, a payment last. If the record has a payment, its other parts
    may cost at most the worth of the cards offered for it; otherwise they may cost at most `purse`. `forced` has the
    parts that leave no choice."""
    paying = {key: part.input for key, part in form.parts.items() if isinstance(part.input, f.Payment)}
    price = sum(form.parts[key].price for key in paying)
    if paying:
        purse = sum(option.worth for payment in paying.values() for option in payment.options)
    found: dict[str, Tree] = {}
    for key, part in form.parts.items():
        if key in paying:
            continue
        below = {path[1:]: must for path, must in all_forced(form, found, forced).items() if path[0] == key}
        filled = yield from fill_part(part, purse - price, below)
        if filled.write is not None:
            found[key] = filled.write
            price += filled.price + part.price
    for key, payment in paying.items() if price else ():
        filled = yield from choose_cards(payment.options, price)
        found[key] = filled.write or []
    return FilledPart(found, 0 if paying else price)


def all_forced(form: f.Record, found: Mapping[str, Tree], forced: Forced) -> Forced:
    """Return the parts of a form that leave no choice: True for a part that must be filled in, False for a part that
    must be left out. These are the parts in `forced`, and parts that belong together with an earlier part. Such a part
    must be filled in exactly if the earlier part is in `found`."""
    return {**forced, **{other: tree_at(dict(found), one) is not None for one, other in form.together}}


def tree_at(tree: Tree, path: tuple[str, ...]) -> Tree | None:
    """Return the tree at a path of keys; None if there is none."""
    for key in path:
        if not isinstance(tree, dict) or key not in tree:
            return None
        tree = tree[key]
    return tree


def fill_part(part: f.Part, purse: int, forced: Forced) -> Filling:
    """Fill in a part of a form, or leave the part out. A part that `forced` forbids, or that costs more than `purse`,
    is left out. An optional part may be left out unless `forced` demands it."""
    must = forced.get(()) if () in forced else any(forced.values()) or None
    if must is False or part.price > purse:
        return FilledPart(None)
    if isinstance(part.input, f.Record):
        filling = fill_record(part.input, purse - part.price, {path: each for path, each in forced.items() if path})
    else:
        filling = fill(part.input, purse - part.price)
    if not part.optional or must:
        return (yield from filling)
    if not may_be_empty(part.input):
        # PASS leaves the part out.
        return (yield from race([offer_pass(FilledPart(None)), filling]))
    # The part itself can be filled in with nothing (PASS or 0 at every step). Then it is left out.
    filled = yield from filling
    return filled if filled.write else FilledPart(None)


def may_be_empty(form: f.Input) -> bool:
    """True if a form can be filled in with PASS or 0 at every step. If an optional part has such a form, filling it in
    like this means to leave it out."""
    match form:
        case f.Record(parts):
            return all(part.optional for part in parts.values())
        case f.Numbers(least=least) | f.Several(least=least):
            return least == 0
        case _:
            return False


def race(ways: Sequence[Filling]) -> Filling:
    """Offer the words of several ways to fill in a form, until only one way is left. PASS chooses a way that is
    complete while other ways go on."""
    going = list(ways)
    word: str | None = None
    while True:
        offers: list[tuple[Filling, Offer]] = []
        ended: FilledPart | None = None
        for way in going:
            try:
                offers.append((way, next(way) if word is None else way.send(word)))
            except StopIteration as stop:
                ended = ended or FilledPart(*stop.value)
        if ended and not offers:
            return ended
        if word is None:
            ended = None  # a way that ends without any choice does not count
        word = yield frozenset().union(*(offer for _, offer in offers), {PASS} if ended else ())
        if ended and word == PASS:
            return ended
        going = [way for way, offer in offers if word in offer]


def fill_one_line(filling: Filling, may_be_none: bool) -> Filling:
    """Fill in a list that has one entry. With `may_be_none`, leave the list empty if the entry has no text."""
    filled = yield from filling
    is_none = may_be_none and not any(texts_in(filled.write))
    return FilledPart([] if is_none else [filled.write or ""], filled.price)


def texts_in(tree: Tree | None) -> Iterator[str]:
    """Yield the texts of a tree, without the keys of its mappings."""
    match tree:
        case str():
            yield tree
        case list():
            for part in tree:
                yield from texts_in(part)
        case dict():
            for part in tree.values():
                yield from texts_in(part)
