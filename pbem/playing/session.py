"""Session at the terminal. It tells news, asks questions and reads lines until the game is over or the person
leaves."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

import click

from pbem.console.language import language_wanted
from pbem.console.printing import on_terminal, say, tell
from pbem.engine.decisions import Decision
from pbem.engine.table import digest, stage_of
from pbem.faults.wrong import Gap, Wrong, printable, shell_word, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Refused
from pbem.paper.lexicon import Lexicon
from pbem.playing.branches import BranchGame
from pbem.playing.game import PlayedGame, TypedChoice, choices, only_choice, reply_to, typed_form
from pbem.playing.page import Page, Picture
from pbem.playing.saved import GameFile
from pbem.report import blocks
from pbem.report import blocks as b
from pbem.report.language.options import own_piece

QUIT = ("quit", "exit")


class SessionEnd(Exception):
    """Exception that is raised when the person leaves."""


def typed_line(prompt: str) -> str:
    """Return the next line that the person types. Raises `SessionEnd` at the end of the input and for a word in `QUIT`.
    Raises `Refused` for a line that is not UTF-8."""
    try:
        line = input(prompt).strip().encode(errors="replace").decode()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        raise SessionEnd from None
    except UnicodeDecodeError:
        raise Refused("", [wrong("E-FILE-UTF8")]) from None
    if line in QUIT:
        raise SessionEnd
    return line


def choice_number(line: str, offered: Collection[int]) -> int:
    """Return the number of an offered choice that the person has typed. Raises `Refused` if the text is no such
    number."""
    if not line.isdecimal() or int(line) not in offered:
        raise Refused("", [wrong("E-PLAY-CHOICE", number=line, offered=tuple(map(str, offered)))])
    return int(line)


APART = ":,+[{"
"""Characters that separate names in a typed line."""


def complete_names(game: PlayedGame, commands: Sequence[str], language: str) -> None:
    """Set up the tab key, so that it completes commands and names of pieces and cities."""
    with suppress(ImportError):
        import readline

        common = blocks.in_words(game.rules, language).common
        names = (*commands, *(piece.name for piece in common.pieces), *(city.name for city in common.board.cities))
        readline.set_completer(lambda typed, state: completion(names, typed, state))
        readline.set_completer_delims(APART)
        readline.parse_and_bind("tab: complete")


def completion(names: Sequence[str], typed: str, state: int) -> str | None:
    """Return the completed text: of the names that begin with the typed text, the one with the index `state`. Question
    marks and blanks in front of the typed text are kept. Return None if there is no such name."""
    begun = typed.lstrip("? ")
    head = typed[: len(typed) - len(begun)]
    found = [name for name in names if begun and name.casefold().startswith(begun.casefold())]
    return head + found[state] if state < len(found) else None


class Session:
    """Session of one person at the terminal with one game."""

    def __init__(self, game: PlayedGame, file: GameFile, picture: Path | None, language: str) -> None:
        """Set the game, its file, and the path of the map. If the path is None, the map is written beside the game's
        file."""
        self.game = game
        self.file = file
        self.language = language
        self.again: list[str] = []
        """Options that the person must give again to continue this game in the same way."""
        self.picture = Picture(game, picture or file.path.with_suffix(".svg"), language, is_named=picture is not None)
        self.page = Page(game, language)
        self.offered: dict[int, TypedChoice] = {}
        """Choices that were shown last. The key is the number of the choice."""
        self.numbers: dict[str, int] = {}
        """Numbers of all choices that have been shown since the decision was first asked. The key is the text of the
        choice, or for a march the pieces that march."""
        self.asked: object = None
        self.is_answered = False
        self.is_drawn = True
        """False if the last attempt to draw the map failed."""
        self.unsaved: Refused | None = None
        """Fault with which saving the game was last refused. None if it was saved."""
        self.commands: dict[str, Callable[[str], None]] = {
            "?": self.hint,
            "advice": self.advise,
            "map": self.show_map,
            "rules": self.page.tell_rules,
            "save": self.save_as,
            "show": self.page.show,
            "undo": self.undo,
        }
        if isinstance(game, BranchGame):
            self.commands["redo"] = self.redo

    def run(self) -> None:
        """Ask for answers until the game is over or the person leaves. At the end, raises `Refused` if the game could
        not be saved."""
        self.save(self.file)
        self.say("play-saved", file=printable(str(self.file.path)))
        self.say("play-map", file=printable(str(self.picture.path)))
        self.say("play-help")
        if self.game.setup.world:
            self.say("play-branch", report=printable(self.game.setup.world.report))
        complete_names(self.game, (*self.commands, *QUIT), self.language)
        click.echo()
        if self.game.entries:
            self.page.tell_stage()
        try:
            while (decision := self.game.question()) is not None:
                self.look_up()
                if only := only_choice(self.game.table, decision):
                    self.answer(decision, only)
                else:
                    self.ask_until_answered(decision)
            self.look_up()
            self.say("play-over")
        except SessionEnd:
            if not self.unsaved:
                words_again = [each if each.startswith("--") else shell_word(each) for each in self.again]
                command = " ".join(("pbem", "play", shell_word(str(self.file.path)), *words_again))
                self.say("play-go-on", command=printable(command))
        if self.unsaved:
            raise self.unsaved

    def say(self, key: str, **gaps: Gap) -> None:
        """Print the sentence that has this key in the table of wordings."""
        line = words(key, **gaps).text(self.language)
        if on_terminal():
            tell([b.Paragraph((b.line_of(line),))], gap=False)
        else:
            click.echo(line)

    def look_up(self) -> None:
        """Save the game, tell the news and draw the map before the next question. If saving fails, the person is told
        each time. If drawing fails, the person is told only once."""
        self.keep()
        if self.unsaved:
            self.tell_faults(self.unsaved.faults)
        self.page.tell_news()
        try:
            self.picture.follow()
        except Refused as refused:
            if self.is_drawn:
                why = refused.faults[0].message
                self.tell_faults([wrong("W-PLAY-MAP", file=str(self.picture.path), why=why)])
            self.is_drawn = False

    def keep(self) -> None:
        """Save the game in its file. If this is refused, only note the refusal in `unsaved`, because the person can
        still save the game in another file."""
        try:
            self.save(self.file)
            self.unsaved = None
        except Refused as refused:
            self.unsaved = refused

    def save(self, file: GameFile) -> None:
        file.save(self.game.setup, self.game.answers, digest(self.game.table.state))

    def ask_until_answered(self, decision: Decision) -> None:
        """Ask until the decision is answered, or until an earlier answer is taken back. Faults of the answer are told.
        If the person types an empty line, the question is printed again."""
        self.ask(decision, is_new=True)
        self.is_answered = False
        while not self.is_answered:
            try:
                if line := typed_line(self.page.prompt(decision)):
                    self.do(decision, line)
                else:
                    self.ask(decision)
            except Refused as refused:
                self.tell_faults(refused.faults)

    def ask(self, decision: Decision, is_new: bool = False) -> None:
        """Print the question and the numbered choices. `is_new` is false when the question is printed again. If it is
        true, and the power has just marched and may march again, only the choices are printed."""
        asked = (stage_of(self.game.table), decision.power, type(decision))
        if asked != self.asked:
            self.asked = asked
            self.numbers.clear()
        self.offered = {}
        for choice in choices(self.game.table, decision, self.language, self.game.memory.declared):
            self.offer(choice)
        self.offered = dict(sorted(self.offered.items()))
        self.page.ask(decision, self.offered, is_new)

    def offer(self, choice: TypedChoice) -> int:
        """Give a choice its number, and return the number. Marches of the same pieces share a number, which stands for
        the latest of them."""
        number = self.numbers.setdefault(choice.pieces or choice.text, len(self.numbers) + 1)
        self.offered[number] = choice
        return number

    def do(self, decision: Decision, line: str) -> None:
        """Carry out a line that the person has typed: a command, the number of a choice, or an answer."""
        word, _, rest = line.partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())
        elif line.isdecimal():
            self.answer(decision, self.offered[choice_number(line, self.offered)].text)
        else:
            self.answer(decision, line)

    def answer(self, decision: Decision, line: str) -> None:
        """Carry out an answer that the person has typed or chosen, and save the game. If the answer is faulty or
        illegal, raises `Refused` and changes nothing."""
        reply = reply_to(self.game.table, decision, self.game.powers, line, lambda: typed_line("... "))
        self.tell_faults(reply.warnings)
        for entry in reply.entries:
            self.game.take(entry.power, entry.answer)
        self.is_answered = True
        self.keep()

    def tell_faults(self, faults: Sequence[Wrong]) -> None:
        """Print faults and warnings, but no more than `MOST_FAULTS`."""
        for fault in faults[:MOST_FAULTS]:
            say(fault.sentence(language_wanted()))

    def hint(self, about: str) -> None:
        """Show the commands and the open questions. If `about` names pieces, show only the cities that they can
        reach."""
        self.page.hint(self.pieces_in(about))

    def advise(self, about: str) -> None:
        """Print a bot's advice and the outcome of the advised answer. Offer this answer as a choice."""
        decision = self.game.question()
        assert decision is not None
        advice = self.game.advice(decision)
        text = typed_form(self.game.table, decision.power, advice.answer, self.language)
        known = next((number for number, choice in self.offered.items() if choice.text == text), None)
        self.say("play-advice", answer=text, number=known or self.offer(TypedChoice(text)))
        for reason in self.game.reasons(decision, advice, self.language):
            self.say("play-why", reason=reason)
        self.page.tell_outcome(advice)

    def show_map(self, about: str) -> None:
        """Show the map. If `about` names pieces, the map marks the cities that they can reach."""
        self.picture.show(self.pieces_in(about))
        self.say("play-map", file=printable(str(self.picture.path)))

    def undo(self, about: str) -> None:
        """Take the last answer back. Raises `Refused` if it cannot be taken back."""
        taken = self.game.undo()
        if taken is None:
            raise Refused("", [wrong("E-PLAY-UNDO.back" if isinstance(self.game, BranchGame) else "E-PLAY-UNDO")])
        self.is_answered = True
        self.say("play-undone", answer=typed_form(self.game.table, taken.power, taken.answer, self.language))

    def redo(self, about: str) -> None:
        """Go forward by a step that was taken back. Raises `Refused` if no step was taken back."""
        assert isinstance(self.game, BranchGame)
        if self.game.forth() is None:
            raise Refused("", [wrong("E-PLAY-UNDO.forth")])
        self.is_answered = True

    def save_as(self, about: str) -> None:
        """Save the game in the file `about`, and use this file from then on. If `about` is empty, use the game's
        present file. Raises `Refused` if `about` is another file that exists, if another program has changed the file,
        or if it cannot be written."""
        file = GameFile(Path(os.path.expanduser(about))) if about else self.file
        self.save(file)
        self.file, self.unsaved = file, None
        self.say("play-saved", file=printable(str(file.path)))

    def pieces_in(self, about: str) -> list[str]:
        """Return the names of the pieces in a text, in which they are joined by plus signs. If a piece is given only as
        a number, it is the train with this number of the deciding power."""
        decision = self.game.question()
        assert decision is not None
        lexicon, pieces = Lexicon(self.game.rules), self.game.rules.common.pieces
        names = [name.strip() for name in about.split("+")] if about else []
        own = [own_piece(lexicon, decision.power, name) for name in names]
        return [name if piece is None else pieces[piece].name for name, piece in zip(names, own, strict=True)]
