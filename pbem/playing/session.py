"""The conversation with whoever plays: what happened, what is asked, what they type, until the game is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from pbem.cli.common import language_wanted, say, tell, write_file
from pbem.cli.mine import Names
from pbem.engine.decisions import Decision
from pbem.engine.nouns import City
from pbem.engine.stages import stage_of
from pbem.engine.table import Table, digest
from pbem.faults.words import Gap, words
from pbem.faults.wrong import Wrong, printable, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Refused
from pbem.paper.library import find_board
from pbem.paper.orders.answer_writing import sections_of
from pbem.playing.choices import Choice, choices, item, only_choice
from pbem.playing.game import PlayedGame
from pbem.playing.reading import replied
from pbem.playing.saved import Entry, save
from pbem.report import naming
from pbem.report.account import Voice, account_blocks, chapters
from pbem.report.language.options import options_blocks, pieces_together
from pbem.report.letters.sheet import question_for
from pbem.report.maps import Request, picture_file
from pbem.report.overlays import overlay_of
from pbem.report.position import position_blocks

QUIT = "quit"


def places_of(table: Table) -> tuple[City, ...]:
    """Where every piece stands."""
    return tuple(piece.city for piece in table.state.field.pieces)


class Session:
    """A game at the terminal."""

    def __init__(self, game: PlayedGame, file: Path, picture: Path, language: str) -> None:
        """Take the game, where it is saved, and where its map is drawn."""
        self.game = game
        self.file = file
        self.picture = picture
        self.language = language
        self.names = Names(language, game.rules.terms.game)
        self.offered: list[Choice] = []
        self.drawn: tuple[City, ...] = ()
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.hint,
            "show": self.show,
            "map": self.map,
            "undo": self.undo,
            "save": self.save_as,
        }

    def run(self) -> None:
        """Ask and answer until the game is over, or whoever plays has had enough."""
        self.say("play-saved", file=printable(str(self.file)))
        self.say("play-map", file=printable(str(self.picture)))
        self.say("play-help")
        click.echo()
        if self.game.entries and self.game.stage:
            say(Voice(self.game.rules, self.language).heading(self.game.stage, in_turn=False))
        while (decision := self.game.question()) is not None:
            self.look_up()
            if only := only_choice(self.game.table, decision):
                self.answer(decision, only)
            elif not self.asked(decision):
                return
        self.look_up()
        self.say("play-over")

    def say(self, key: str, **gaps: Gap) -> None:
        """One of the sentences of this room."""
        say(words(key, **gaps).told(self.language))

    def look_up(self) -> None:
        """Before anything is asked: the game is saved, what happened is told, the map is drawn anew."""
        self.save()
        if self.game.news:
            tell(account_blocks(chapters(self.game.rules, self.game.news, self.language)))
            self.game.news.clear()
        if self.drawn != places_of(self.game.table):
            self.draw()

    def save(self) -> None:
        save(self.file, self.game.setup, self.game.entries, digest(self.game.table.state))

    def draw(self, pieces: Sequence[str] = ()) -> None:
        """The map as one may know it, with how far pieces reach."""
        game, table = self.game, self.game.table
        overlay = overlay_of(table, game.memory, pieces_together(table, game.powers, pieces), self.language)
        board, seen = find_board(table.rules.terms.board), game.game.view(table, game.powers)
        wanted = Request(board, seen, overlay=overlay, language=self.language)
        write_file(self.picture, picture_file(self.picture, wanted))
        self.drawn = () if pieces else places_of(table)

    def asked(self, decision: Decision) -> bool:
        """Ask, until there is an answer, or one was taken back; whether the game goes on."""
        self.ask(decision)
        while True:
            typed = self.typed(f"{stage_of(self.game.table)}> ")
            if typed == QUIT:
                self.say("play-go-on", file=printable(str(self.file)))
                return False
            try:
                if not typed:
                    self.ask(decision)
                elif self.replied(decision, typed):
                    return True
            except Refused as refused:
                self.refuse(refused.faults)

    def typed(self, prompt: str) -> str:
        """What is typed next; the end of everything is the end of playing."""
        try:
            return input(prompt).strip().encode(errors="replace").decode()
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return QUIT
        except UnicodeDecodeError:
            raise Refused("", [wrong("E-FILE-UTF8")]) from None

    def ask(self, decision: Decision) -> None:
        """The question, the hand, and the choices with their numbers."""
        table = self.game.table
        self.offered = choices(table, decision, self.language)
        if question := question_for(table, decision, self.language, {"in_lines": True}):
            say(question)
        if hand := table.state.cards.hands.get(decision.power):
            self.say("play-hand", power=self.names.powers((decision.power,)), cards=tuple(naming.notations(hand)))
        for number, choice in enumerate(self.offered, 1):
            say(f"{number:3}  {choice.text}{f'  # {choice.note}' if choice.note else ''}")

    def replied(self, decision: Decision, typed: str) -> bool:
        """Do what was typed; whether there is another question now."""
        word, _, rest = typed.partition(" ")
        before = len(self.game.entries)
        if word in self.commands:
            self.commands[word](rest.strip())
            return len(self.game.entries) != before
        if typed.isdecimal():
            if not 1 <= int(typed) <= len(self.offered):
                raise Refused("", [wrong("E-PLAY-CHOICE", number=typed, most=len(self.offered))])
            typed = self.offered[int(typed) - 1].text
        self.answer(decision, typed)
        return True

    def answer(self, decision: Decision, typed: str) -> None:
        """Answer with what was typed."""
        reply = replied(self.game.table, decision, self.game.powers, typed, lambda: self.typed("... "))
        self.tell_faults(reply.warnings)
        for entry in reply.entries:
            self.game.take(entry.power, entry.answer)

    def refuse(self, faults: Sequence[Wrong]) -> None:
        """Tell what is wrong; nothing has changed."""
        self.tell_faults(faults[:MOST_FAULTS])

    def tell_faults(self, faults: Sequence[Wrong]) -> None:
        for fault in faults:
            say(fault.said(language_wanted()))

    def hint(self, about: str) -> None:
        """Help; or how far pieces reach."""
        if not about:
            self.say("play-commands")
        pieces = [name.strip() for name in about.split("+")] if about else []
        tell(options_blocks(self.game.table, self.game.powers, pieces, self.language, self.game.memory))

    def show(self, about: str) -> None:
        """Everything that one may know."""
        seen = self.game.game.view(self.game.table, self.game.powers)
        tell(position_blocks(self.game.rules, seen, self.language, self.game.memory))

    def map(self, about: str) -> None:
        """The map once more, with how far pieces reach."""
        self.draw([name.strip() for name in about.split("+")] if about else [])
        self.say("play-map", file=printable(str(self.picture)))

    def undo(self, about: str) -> None:
        """Take the last answer back."""
        taken = self.game.undo()
        if taken is None:
            raise Refused("", [wrong("E-PLAY-UNDO")])
        self.say("play-undone", answer=self.written(taken))

    def written(self, entry: Entry) -> str:
        """An answer, as it might have been typed."""
        named = naming.table_in_words(self.game.table, self.language)
        asked = next((each for each in self.game.game.decisions(named) if each.power == entry.power), None)
        ((section, tree),) = sections_of(named, entry.power, asked, entry.answer).items()
        return f"{section}: {item(tree)}"

    def save_as(self, about: str) -> None:
        """Go on in another file."""
        if about:
            self.file = Path(about)
        self.save()
        self.say("play-saved", file=printable(str(self.file)))
