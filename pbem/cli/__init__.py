"""The commands of the program: they read options, call the other rooms, and print. No rule or file format lives here.

A command's module is imported only when used, so that `pbem --help` is quick.
"""

from __future__ import annotations

import errno
import sys
from importlib import import_module
from io import TextIOWrapper
from os.path import isfile

import click

from pbem import __version__
from pbem.console.frames import click_text, translate_click
from pbem.console.language import came, language_wanted, typed

translate_click()

GROUPS = {
    "Commands for players": {
        "agree": ("pbem.cli.letters", "Write a signed letter that agrees with others."),
        "check": ("pbem.cli.trying", "Tell every fault of a letter."),
        "desk": ("pbem.desk.command", "Write the page in which you see, order and sign."),
        "entrust": ("pbem.cli.succession", "Give a campaign whose moderator is silent to an heir."),
        "join": ("pbem.cli.letters", "Write the letter that takes a seat."),
        "key": ("pbem.cli.keys", "Make, show and change your key."),
        "message": ("pbem.cli.letters", "Write a signed letter to other players."),
        "notebook": ("pbem.cli.notebook", "All that your reports tell for sure, and your own notes."),
        "open": ("pbem.cli.letters", "Open what is sealed to you."),
        "propose": ("pbem.cli.letters", "Propose an end of the game or more time to all seats, or resign."),
        "reveal": ("pbem.cli.letters", "Write the letter that shows what was sealed."),
        "seal": ("pbem.cli.letters", "Seal the orders of a letter."),
        "sign": ("pbem.cli.letters", "Sign a letter."),
        "status": ("pbem.cli.read", "Who owes what until when; without a folder, all of your own campaigns."),
        "vote": ("pbem.cli.letters", "Vote on what a seat proposes."),
    },
    "Commands for the moderator": {
        "absent": ("pbem.cli.moderate", "Note that a player is away."),
        "accept": ("pbem.cli.accepting", "Take letters from mails, mailboxes and pages; each is answered."),
        "act": ("pbem.cli.accepting", "Give orders in a player's place."),
        "adjudicate": ("pbem.cli.moderate", "Carry orders out as far as they reach."),
        "choose": ("pbem.cli.founding", "Give an open seat to one of those who ask for it."),
        "close": ("pbem.cli.moderate", "End a campaign and publish its secrets."),
        "evening": ("pbem.office.commands", "The post office's round: letters in, the game on, mails out."),
        "extend": ("pbem.cli.moderate", "Give more time."),
        "hand-over": ("pbem.cli.succession", "Hand a campaign over to another moderator."),
        "invite": ("pbem.cli.founding", "Write invitations."),
        "mail": ("pbem.office.commands", "The post office: set it up, run it, ask it."),
        "new": ("pbem.cli.founding", "Begin a campaign."),
        "post": ("pbem.cli.moderate", "Write everybody's report."),
        "rekey": ("pbem.cli.moderate", "Let a player who has lost a key sign with another."),
        "remind": ("pbem.cli.moderate", "Write the reminders that are due."),
        "repair-clock": ("pbem.cli.moderate", "Go on after entries of a wrong clock."),
        "report": ("pbem.cli.read", "Print any reader's report as it stands."),
        "rollback": ("pbem.cli.moderate", "Go back to an earlier position."),
        "rule": ("pbem.cli.moderate", "Record a ruling."),
        "substitute": ("pbem.cli.moderate", "Give a seat to somebody else."),
        "succeed": ("pbem.cli.succession", "Carry a campaign on whose moderator is silent."),
    },
    "Commands to look and to try": {
        "arena": ("pbem.lab.arena", "Which of two bots is stronger, and in which seat."),
        "board": ("pbem.cli.board", "Check, draw and import boards."),
        "corpus": ("pbem.lab.corpus", "Whole campaigns of bots in numbers."),
        "demo": ("pbem.lab.demo", "Bots play a whole game; account and pictures are written."),
        "export": ("pbem.cli.verify", "Write a campaign as a static site."),
        "help": ("pbem.cli.rules", "How the program is used; a topic or a command."),
        "legal": ("pbem.cli.trying", "What may be done in a position."),
        "log": ("pbem.cli.read", "Tell the entries of a campaign's ledger."),
        "map": ("pbem.cli.board", "Draw a position or a board as SVG or PNG."),
        "play": ("pbem.playing.commands", "Play a whole game in the terminal, against bots."),
        "plan": ("pbem.cli.plans", "Try battle plans, and take standing plans that are ready."),
        "position": ("pbem.cli.position", "Save and check position files."),
        "record": ("pbem.lab.record", "Write a game as JSON lines, decision by decision."),
        "rules": ("pbem.cli.rules", "The rules of a game in short; its political cards; points of ruling."),
        "show": ("pbem.cli.trying", "Tell a position in words."),
        "simulate": ("pbem.lab.simulate", "Bots play many games; statistics."),
        "try": ("pbem.cli.trying", "Carry out orders on a position and see what comes of it."),
        "verify": ("pbem.cli.verify", "Check a campaign's folder, or many of them, without any key."),
        "what-if": ("pbem.playing.what_if", "Play on from a report, in a world dealt anew within what you know."),
    },
}
"""Dict from the heading of each group of commands to its commands. Each name of a command has its module, and its text
for `--help`."""

COMMANDS = dict(sorted(row for group in GROUPS.values() for row in group.items()))


class Commands(click.Group):
    """Group of all commands, each imported only when used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command and return it; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        found = getattr(import_module(module), f"{cmd_name.replace('-', '_')}_command")
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first word names. If the word is the path of a file, return the command that
        explains a file. Raises `UsageError` with a suggestion for an unknown name."""
        if args[0] in COMMANDS or args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        if isfile(args[0]):
            from pbem.cli.what import file_command

            return file_command.name, file_command, args
        raise click.UsageError(unknown_command_message(args[0]), ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Store the words of the command line, because they may name the language of messages. Then read them."""
        typed.set(tuple(args))
        came.set(())
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. Characters that the terminal cannot show are replaced. An error of the system that nobody has
        caught is told in one line."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            from pbem.console.refusals import misuse
            from pbem.faults.unforeseen import reason_of

            raise click.ClickException(misuse("use-output", why=reason_of(error))) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        for title, group in GROUPS.items():
            with formatter.section(click_text(title)):
                formatter.write_dl([(name, text) for name, (_, text) in group.items()])


def unknown_command_message(name: str) -> str:
    """Return a message about an unknown command, with a suggestion."""
    from pbem.faults.wrong import WrongUse, words, wrong
    from pbem.paper.documents.names import Names, as_quoted

    what = words("command")
    hint = Names(COMMANDS, what).suggestion(name)
    return WrongUse(wrong("E-NAME-UNKNOWN", hint=hint, what=what, written=as_quoted(name))).message_line(
        language_wanted()
    )


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Play MARIA and FRIEDRICH by mail. `pbem help` tells how to begin, `pbem FILE` what a file is and what to do
    with it."""
