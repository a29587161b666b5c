"""Output for the person in the terminal: news, questions, the position, and the file with the map."""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import click
from msgspec.structs import replace

from pbem.console.printing import LEAST_ROOM, on_terminal, tell
from pbem.engine.decisions import Decision, March
from pbem.engine.events import all_seen_by
from pbem.engine.nouns import City, Power
from pbem.engine.table import Table, stage_of
from pbem.faults.wrong import words
from pbem.kit import copy_of
from pbem.paper.documents import names as n
from pbem.paper.documents.faults import Refused
from pbem.paper.library import find_board
from pbem.player.files import is_drawn, write_file, write_unnamed
from pbem.playing.aims import aim_sentences
from pbem.playing.game import Advice, PlayedGame, TypedChoice
from pbem.report import blocks
from pbem.report import blocks as b
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.consequences import consequences, consequences_blocks
from pbem.report.language.options import options_blocks, pieces_together
from pbem.report.language.templates import NO_BREAK, WIDTH, GameNames, capital, template
from pbem.report.letters.sheet import question_for
from pbem.report.maps import Request, overlay_of, picture_file, picture_png
from pbem.report.short_rules import rules_and_topics, rules_blocks
from pbem.report.telling import position_blocks

KITTY = ("xterm-kitty", "xterm-ghostty")
ITERM = ("iTerm.app", "WezTerm", "mintty")
CHUNK = 4096
"""Largest number of characters of a picture that the terminal kitty takes at once."""

SHOWN_WIDTH = 1600


class Picture:
    """File with the map of a game. The map shows only what the person may see."""

    def __init__(self, game: PlayedGame, path: Path, language: str, *, is_named: bool) -> None:
        """Set the path of the map. Nothing is drawn yet. `is_named` is true if the person has typed the path."""
        self.game = game
        self.path = path
        self.is_named = is_named
        self.language = language
        self.drawn: tuple[City, ...] = ()
        """Cities in which pieces stand on the map that was drawn last."""

    def follow(self) -> None:
        """Draw the map again if pieces have moved since it was drawn."""
        if self.drawn != (places := self.places()):
            self.draw(())
            self.drawn = places

    def show(self, pieces: Sequence[str]) -> None:
        """Draw the map, and mark the cities that these pieces can reach. Show the map if the terminal can show
        pictures."""
        wanted = self.draw(pieces)
        self.drawn = () if pieces else self.places()
        if on_terminal() and (put := way_to_put(os.environ)):
            for part in put(picture_png(replace(wanted, width=SHOWN_WIDTH))):
                click.echo(part, nl=False)
            click.echo()

    def draw(self, pieces: Sequence[str]) -> Request:
        """Write the file with the map. Return the request from which its picture was drawn."""
        table = self.game.table
        movers = pieces_together(table, self.game.powers, pieces)
        overlay = overlay_of(table, self.game.memory, movers, self.language)
        board = find_board(table.rules.terms.board)
        wanted = Request(board, self.game.view(), overlay=overlay, language=self.language)
        picture = picture_file(self.path, wanted)
        write_file(self.path, picture) if self.is_named else write_unnamed(self.path, picture, is_drawn)
        return wanted

    def places(self) -> tuple[City, ...]:
        return tuple(piece.city for piece in self.game.table.state.field.pieces)


def way_to_put(environment: Mapping[str, str]) -> Callable[[bytes], Iterator[str]] | None:
    """Return a function that makes text of a PNG, with which this terminal shows the picture. Return None if the
    terminal is unknown, or if tmux or screen is running in it."""
    if environment.get("TMUX") or environment.get("STY"):
        return None
    if environment.get("TERM") in KITTY:
        return kitty_output
    return iterm_output if environment.get("TERM_PROGRAM") in ITERM else None


def kitty_output(png: bytes) -> Iterator[str]:
    """Yield the parts of a text with which the terminal kitty shows a picture, at the picture's own width."""
    data = b64encode(png).decode()
    for at in range(0, len(data), CHUNK):
        head = "f=100,a=T," if at == 0 else ""
        yield f"\x1b_G{head}m={int(at + CHUNK < len(data))};{data[at : at + CHUNK]}\x1b\\"


def iterm_output(png: bytes) -> Iterator[str]:
    """Yield the text with which the terminal iTerm shows a picture as wide as the window."""
    yield f"\x1b]1337;File=inline=1;size={len(png)};width=100%:{b64encode(png).decode()}\x07"


SHORT = 14
"""Largest number of characters of a choice that shares a line with other choices."""

TEMPLATE = "play.txt.j2"


class Page:
    """Output for the person, in the person's language. It tells no secrets."""

    def __init__(self, game: PlayedGame, language: str) -> None:
        """Set the game and the language."""
        self.game = game
        self.language = language
        self.names = GameNames(language, game.rules.terms.game)
        self.asked: tuple[object, ...] = ()
        """Stage, power and kind of the decision that was last asked."""
        self.explains = False
        """True if the consequences of new events are told with the events."""
        self.before: Table | None = None
        """Table at the time when news were told last."""

    def tell_stage(self) -> None:
        if self.game.stage:
            title = Voice(self.game.rules, self.language).heading(self.game.stage, in_turn=False)
            tell([b.Heading(3, b.line_of(b.plain_words(title)))])

    def tell_news(self) -> None:
        """Tell the new events, and the aims of bots in stages that have ended. If `explains` is true, also tell the
        consequences of the events. Then empty the news."""
        game = self.game
        told = chapters(Voice(game.rules, self.language, duel=game.view().duel, own=game.powers), game.news)
        if blocks := account_blocks(told):
            tell(blocks)
            if aims := [*aim_sentences(self.game.rules, self.game.new_aims, self.language)]:
                tell([b.Paragraph(tuple(b.line_of(b.plain_words(aim)) for aim in aims))])
            if self.explains and self.before:
                self.tell_change(self.before, self.game.table, self.game.powers)
        self.game.news.clear()
        self.before = copy_of(self.game.table) if self.explains else None

    def tell_change(self, before: Table, after: Table, powers: Collection[Power]) -> None:
        """Tell the consequences of the change from the table `before` to the table `after`. They are told for some
        powers, as far as the person can know them."""
        found = consequences(before, after, self.game.powers, powers, self.game.memory.declared)
        tell(consequences_blocks(self.game.rules, found, self.language))

    def prompt(self, decision: Decision) -> str:
        """Return the text in front of the line that the person types. It names the stage, and the power if the stage
        does not name it. In a branch, it begins with `what if`."""
        begun = f"{words('play-branch-prompt').text(self.language)} " if self.game.setup.world else ""
        stage = begun + stage_of(self.game.table)
        return f"{stage}> " if stage.endswith(f"/{decision.power}") else f"{stage} {decision.power}> "

    def ask(self, decision: Decision, offered: Mapping[int, TypedChoice], is_new: bool) -> None:
        """Print the question, the cards in hand and the choices. If `is_new`, and the power has just marched and may
        march again, print only the choices."""
        table = self.game.table
        about = (stage_of(table), decision.power, type(decision))
        if not (is_new and isinstance(decision, March) and about == self.asked):
            hand = words(
                "play-hand",
                power=capital(self.names.powers((decision.power,))),
                cards=tuple(blocks.notations(table.state.cards.hands[decision.power])) or words("play-no-card"),
            )
            question = question_for(table, decision, self.language, {"in_lines": True})
            lines = [question, hand.text(self.language)]
            tell([b.Paragraph(tuple(b.line_of(b.plain_words(line)) for line in lines if line))], gap=False)
        self.asked = about
        for block in choice_blocks(offered):
            tell([block], gap=False)

    def hint(self, pieces: Sequence[str]) -> None:
        """Show the commands and the open decisions. If pieces are given, show only the cities that they can reach."""
        if not pieces:
            tell(
                b.parsed_blocks(
                    template(self.language, self.names.game, TEMPLATE).render(branch=bool(self.game.setup.world))
                )
            )
            tell([b.Paragraph(tuple(b.line_of(b.plain_words(question)) for question in self.questions()))])
            return
        tell(options_blocks(self.game.table, self.game.powers, pieces, self.language, self.game.memory))

    def questions(self) -> list[str]:
        """Return all open decisions of the person, as questions. Decisions that the rules allow at any time are among
        them."""
        game, table = self.game.game, self.game.table
        asked = (*game.decisions(table), *game.anytime(table))
        return [question_for(table, each, self.language) for each in asked if each.power in self.game.powers]

    def show(self, about: str) -> None:
        """Print the position as far as the person knows it. If `about` names a heading, print only what stands under
        it. Raises `Refused` for an unknown heading."""
        found = position_blocks(self.game.rules, self.game.view(), self.language, self.game.memory)
        tell(blocks_under(found, about) if about else found)

    def tell_rules(self, about: str) -> None:
        """Print the short rules of the game. If `about` names a topic, print only this topic."""
        rules, topics = rules_and_topics(self.names.game, self.language, about)
        tell(rules_blocks(rules, topics))

    def tell_outcome(self, advice: Advice) -> None:
        """Tell the outcome of a bot's advice, as far as the person can know it."""
        game, language = self.game, self.language
        tell(account_blocks(chapters(Voice(game.rules, language), all_seen_by(advice.events, game.powers))))
        self.tell_change(game.table, advice.after, [advice.power])


def blocks_under(blocks: Sequence[b.Block], about: str) -> list[b.Block]:
    """Return the block of the heading that `about` names, and the blocks under it. Raises `Refused` for an unknown
    heading."""
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


def choice_blocks(offered: Mapping[int, TypedChoice]) -> list[b.Block]:
    """Return the numbered choices as blocks. If there are three or more short choices without notes, they share a line.
    Other choices have a line each."""
    if len(offered) > 2 and all(len(choice.text) <= SHORT and not choice.note for choice in offered.values()):
        cells = [span(f"{number:2}  {choice.text}") for number, choice in offered.items()]
        room = shutil.get_terminal_size().columns if on_terminal() else WIDTH
        across = max(2, max(room, LEAST_ROOM) // (SHORT + 6))
        cells += [()] * (-len(cells) % across)
        return [b.TableBlock(tuple(tuple(cells[at : at + across]) for at in range(0, len(cells), across)))]
    found: list[b.Block] = []
    for is_noted, group in groupby(offered.items(), lambda each: bool(each[1].note)):
        rows = tuple(
            (span(f"{number:2}"), span(choice.text), *((span(choice.note),) if is_noted else ()))
            for number, choice in group
        )
        found.append(b.TableBlock(rows))
    return found


def span(text: str) -> b.Line:
    return (b.TextSpan(text),)
