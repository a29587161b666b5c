"""What whoever plays is shown: what happened, the question with its choices, how things stand."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from itertools import groupby

from pbem.cli.common import LEAST_ROOM, on_terminal, tell
from pbem.cli.mine import Names
from pbem.cli.rules import rules_and_topics
from pbem.engine.decisions import Decision, March
from pbem.engine.events import all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.stages import stage_of
from pbem.engine.table import Table
from pbem.faults.words import words
from pbem.kit import copy_of
from pbem.paper.documents import names as n
from pbem.paper.documents.faults import Refused
from pbem.playing.choices import Choice
from pbem.playing.game import Advice, PlayedGame
from pbem.report import blocks as b
from pbem.report import naming
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.consequences import consequences, consequences_blocks
from pbem.report.language.options import options_blocks
from pbem.report.language.templates import NO_BREAK, WIDTH, capital, template
from pbem.report.letters.sheet import question_for
from pbem.report.position import position_blocks
from pbem.report.short_rules import rules_blocks

SHORT = 14
"""Choices no longer than this stand beside each other."""

TEMPLATE = "play.txt.j2"


class Page:
    """Tells of a game what its person may know, in a language."""

    def __init__(self, game: PlayedGame, language: str) -> None:
        """Nothing has been told yet."""
        self.game = game
        self.language = language
        self.names = Names(language, game.rules.terms.game)
        self.asked: tuple[object, ...] = ()
        """About what one was asked last."""
        self.explains = False
        """Whether news say what they lead to."""
        self.before: Table | None = None
        """How things stood when they were told last."""

    def where(self) -> None:
        """In which stage the game is."""
        if self.game.stage:
            title = Voice(self.game.rules, self.language).heading(self.game.stage, in_turn=False)
            tell([b.Heading(3, b.line_of(b.theirs(title)))])

    def news(self) -> None:
        """What has happened since it was told last."""
        if told := account_blocks(chapters(self.game.rules, self.game.news, self.language)):
            tell(told)
            if self.explains and self.before:
                self.tell_change(self.before, self.game.table, self.game.powers)
        self.game.news.clear()
        self.before = copy_of(self.game.table) if self.explains else None

    def tell_change(self, before: Table, after: Table, powers: Collection[Power]) -> None:
        """What a change leads to for some powers, as far as one can know."""
        found = consequences(before, after, self.game.powers, powers)
        tell(consequences_blocks(self.game.rules, found, self.language))

    def prompt(self, decision: Decision) -> str:
        """The stage, and who is asked if another gives it its name."""
        stage = stage_of(self.game.table)
        return f"{stage}> " if stage.endswith(f"/{decision.power}") else f"{stage} {decision.power}> "

    def ask(self, decision: Decision, offered: Sequence[Choice], is_new: bool) -> None:
        """The question, the hand and the choices; between the marches of a power only these."""
        table = self.game.table
        about = (stage_of(table), decision.power, type(decision))
        if not (is_new and isinstance(decision, March) and about == self.asked):
            hand = words(
                "play-hand",
                power=capital(self.names.powers((decision.power,))),
                cards=tuple(naming.notations(table.state.cards.hands[decision.power])) or words("play-no-card"),
            )
            question = question_for(table, decision, self.language, {"in_lines": True})
            lines = [question, hand.told(self.language)]
            tell([b.Paragraph(tuple(b.line_of(b.theirs(line)) for line in lines if line))], gap=False)
        self.asked = about
        for block in choice_blocks(offered):
            tell([block], gap=False)

    def hint(self, pieces: Sequence[str]) -> None:
        """What can be typed, and what is open; or how far pieces reach."""
        if not pieces:
            tell(b.parsed(template(self.language, self.names.game, TEMPLATE).render()))
            tell([b.Paragraph(tuple(b.line_of(b.theirs(question)) for question in self.questions()))])
            return
        tell(options_blocks(self.game.table, self.game.powers, pieces, self.language, self.game.memory))

    def questions(self) -> list[str]:
        """What one is asked, and what one may do besides."""
        game, table = self.game.game, self.game.table
        asked = (*game.decisions(table), *game.anytime(table))
        return [question_for(table, each, self.language) for each in asked if each.power in self.game.powers]

    def show(self, about: str) -> None:
        """Everything that one may know, or the part with a heading."""
        found = position_blocks(self.game.rules, self.game.view(), self.language, self.game.memory)
        tell(under(found, about) if about else found)

    def rules(self, about: str) -> None:
        """The rules of the game in short, or some topic of them."""
        rules, topics = rules_and_topics(self.names.game, self.language, about)
        tell(rules_blocks(rules, topics))

    def outcome(self, advice: Advice) -> None:
        """What would come of it, as far as one can know."""
        game, language = self.game, self.language
        tell(account_blocks(chapters(game.rules, all_seen_by(advice.events, game.powers), language)))
        self.tell_change(game.table, advice.after, [advice.power])


def under(blocks: Sequence[b.Block], about: str) -> list[b.Block]:
    """The blocks under the heading that is meant; raises `Refused` if none is."""
    parts: list[list[b.Block]] = []
    for block in blocks:
        if isinstance(block, b.Heading):
            parts.append([])
        if parts:
            parts[-1].append(block)
    titles = [b.line_text(part[0].line).replace(NO_BREAK, " ") for part in parts if isinstance(part[0], b.Heading)]
    try:
        return parts[n.Names(titles, words("play-part")).find(about)]
    except n.NameFault as fault:
        raise Refused("", [fault.wrong]) from None


def choice_blocks(offered: Sequence[Choice]) -> list[b.Block]:
    """The choices with their numbers: short ones beside each other, others in lines, with what is to be known."""
    if len(offered) > 2 and all(len(choice.text) <= SHORT and not choice.note for choice in offered):
        cells = [span(f"{number:2}  {choice.text}") for number, choice in enumerate(offered, 1)]
        room = shutil.get_terminal_size().columns if on_terminal() else WIDTH
        across = max(2, max(room, LEAST_ROOM) // (SHORT + 6))
        cells += [()] * (-len(cells) % across)
        return [b.TableBlock(tuple(tuple(cells[at : at + across]) for at in range(0, len(cells), across)))]
    found: list[b.Block] = []
    for is_noted, group in groupby(enumerate(offered, 1), lambda each: bool(each[1].note)):
        rows = tuple(
            (span(f"{number:2}"), span(choice.text), *((span(choice.note),) if is_noted else ()))
            for number, choice in group
        )
        found.append(b.TableBlock(rows))
    return found


def span(text: str) -> b.Line:
    """A cell with nothing but this."""
    return (b.TextSpan(text),)
