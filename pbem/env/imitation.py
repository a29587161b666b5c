"""Choices of players in closed campaigns, as programs that learn to imitate them need them (docs/env.md)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from pbem.engine.decisions import Answer, Decision, Move
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.env.asking import Row, Sight, Vocabulary, answer_in
from pbem.env.filling import PASS, fill, words_of
from pbem.kit import game_of
from pbem.paper.orders.files import form_of, sections_of
from pbem.paper.orders.forms import Form, Input, Numbers, Payment, Record
from pbem.record.recorder import By, Put, Recorder, record_campaign
from pbem.seal.canonical import Tree

MOST_TRIED = 2000
"""Largest number of beginnings that are tried to find the words of an answer."""


FEW = 3
"""Number of offered words that are tried if the answer contains none of the offered words."""


class Choice(Struct, frozen=True):
    """One small choice: the seat's observation, the words that it could choose, and the word that it chose."""

    number: int
    """Number of the decision in the record of the campaign."""
    seat: str
    power: Power
    bot: str
    """Level and version of the bot that chose; empty for a person."""
    observation: Row
    action_mask: np.ndarray
    action: int


class WordedAnswer(Struct, frozen=True):
    """Answer as the numbers of its words. `offers` has the numbers of all words that were offered at each step. A word
    without a number has -1."""

    numbers: tuple[int, ...]
    offers: tuple[tuple[int, ...], ...]


class PartialAnswer(Struct, frozen=True):
    """Beginning of an answer: the words chosen so far, all words that were offered at each step, and the words that are
    offered next. `written` is the complete answer as a tree; None until the answer is complete."""

    words: tuple[str, ...]
    offers: tuple[frozenset[str], ...]
    offered: frozenset[str]
    written: Tree | None


def walk(form: Form, chosen: Sequence[str]) -> PartialAnswer:
    """Fill in a form with the words of `chosen`, and return the beginning of the answer that they make. Where only one
    word is offered, this word is added, and no word of `chosen` is used up."""
    filling, left = fill(form.input), list(chosen)
    words: list[str] = []
    offers: list[frozenset[str]] = []
    try:
        offered = next(filling)
        while True:
            if len(offered) == 1:
                (word,) = offered
            elif left:
                word = left.pop(0)
            else:
                return PartialAnswer((*words,), (*offers,), offered, None)
            words.append(word)
            offers.append(offered)
            offered = filling.send(word)
    except StopIteration as stop:
        return PartialAnswer((*words,), (*offers,), frozenset(), stop.value.write)


def worded_answer(table: Table, decision: Decision, answer: Answer, vocabulary: Vocabulary) -> WordedAnswer | None:
    """Return the words that fill in the form of a decision with this answer; None if `MOST_TRIED` tries do not find
    them. If the form does not offer the path of a march, another march of the same pieces to the same city will do."""
    form = form_of(table, decision)
    written = sections_of(table, decision.power, decision, answer).get(form.section)
    if written is None:
        return None
    # Orders name pieces that march together in one word; the form asks for the pieces one by one.
    told = [
        part
        for word in words_of(in_form_order(written, form.input))
        for part in dict.fromkeys((word, *word.split(" + ")))
    ]
    ahead: list[tuple[str, ...]] = [()]
    alike: PartialAnswer | None = None
    for _ in range(MOST_TRIED):
        if not ahead:
            break
        chosen = ahead.pop()
        found = walk(form, chosen)
        if found.offered:
            ahead += [(*chosen, word) for word in reversed(likely_words(told, found))]
        elif found.written is not None and (made := answer_in(table, decision, form, found.written)):
            if made == answer:
                return numbered(found, vocabulary)
            alike = alike or (found if is_alike(made, answer) else None)
    return numbered(alike, vocabulary) if alike else None


def is_alike(first: Answer, second: Answer) -> bool:
    """True if both answers are marches of the same pieces to the same city."""
    if not isinstance(first, Move) or not isinstance(second, Move):
        return False
    return (sorted(first.pieces), first.path[-1:]) == (sorted(second.pieces), second.path[-1:])


def numbered(found: PartialAnswer, vocabulary: Vocabulary) -> WordedAnswer:
    """Return a complete answer as numbers in the vocabulary."""
    offers = [vocabulary.offered_words(offered) for offered in found.offers]
    named = [{word: number for number, word in offered.items()} for offered in offers]
    numbers = (names.get(word, -1) for names, word in zip(named, found.words, strict=True))
    return WordedAnswer((*numbers,), tuple(map(tuple, offers)))


def in_form_order(written: Tree, form: Input) -> Tree:
    """Return a written answer with its parts in the sequence of the form, payments last. A number that was left out
    becomes 0."""
    if not isinstance(written, dict):
        return written
    match form:
        case Numbers(of):
            return {name: written.get(name, "0") for name in of}
        case Record(parts):
            asked = sorted(parts, key=lambda key: isinstance(parts[key].input, Payment))
            return {key: in_form_order(written[key], parts[key].input) for key in asked if key in written}
    return written


def likely_words(answer_words: Sequence[str], found: PartialAnswer) -> list[str]:
    """Return the offered words that may lead to an answer, the likeliest first: words of `answer_words`, then PASS and
    0. If none is offered, return the first `FEW` offered words."""
    cursor = 0
    for word in found.words:
        cursor = answer_words.index(word, cursor) + 1 if word in answer_words[cursor:] else cursor
    in_turn = dict.fromkeys((*answer_words[cursor:], *answer_words, PASS, "0"))
    return [word for word in in_turn if word in found.offered] or sorted(found.offered)[:FEW]


class ChoiceRecorder(Recorder):
    """Recorder that stores the small choices of players' answers."""

    def __init__(self, table: Table, put: Put) -> None:
        self.choices: list[Choice] = []
        self.vocabulary = Vocabulary(table.rules)
        self.sight = Sight(table.rules, self.vocabulary)
        super().__init__(table, put)

    def set_table(self, table: Table) -> None:
        """Set the position after a rollback, and forget the choices that the rollback has cancelled."""
        self.choices = [choice for choice in self.choices if choice.number <= self.number]
        super().set_table(table)

    def answer(self, entry: int, power: Power, answer: Answer, source: By = "player", bot: str = "") -> None:
        """Carry out an answer, and store its small choices if a player gave it."""
        asked = self.decision_answered(power, answer)
        if asked and source == "player":
            found = worded_answer(self.table, asked, answer, self.vocabulary)
            self.choices += self.choices_of(asked, found, bot) if found else ()
        super().answer(entry, power, answer, source, bot)

    def choices_of(self, asked: Decision, found: WordedAnswer, bot: str) -> Iterator[Choice]:
        """Yield the choices that make an answer. A word that was offered alone is no choice."""
        seat = player_of(self.table, asked.power)
        row = self.sight.position(game_of(self.table).view(self.table, powers_of_player(self.table, seat)))
        self.sight.ask(row, asked)
        for number, offered in zip(found.numbers, found.offers, strict=True):
            if len(offered) > 1 and number >= 0:
                mask: np.ndarray = np.zeros(self.vocabulary.size, dtype=np.int8)
                mask[list(offered)] = 1
                yield Choice(self.number + 1, seat, asked.power, bot, row.copy(), mask, number)
            if number >= 0:
                self.sight.tick(row, [number])


def choices_in(archive: Path, seats: Collection[str] = ()) -> list[Choice]:
    """Return the small choices of the given seats (by default of all seats) in a closed campaign, the earliest first.
    The campaign is verified. Raises `Refused` if the campaign has a fault, and `ValueError` if it is not closed."""
    made: list[ChoiceRecorder] = []

    def recorder(table: Table, put: Put) -> Recorder:
        made.append(ChoiceRecorder(table, put))
        return made[-1]

    record_campaign(archive, lambda line: None, recorder)
    if not made:
        raise ValueError(f"{archive} is not closed: nobody may know what was chosen")
    return [choice for choice in made[-1].choices if not seats or choice.seat in seats]
