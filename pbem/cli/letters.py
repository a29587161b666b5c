"""Commands for a player's letters: signing, sealing, revealing, opening, writing to others, agreeing, proposing, voting
and joining."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.language import language_wanted
from pbem.console.options import FileToWrite, gather_options, json_option, line, lines
from pbem.console.printing import print_json, say_words, show_text, warn
from pbem.console.refusals import misuse, refusals
from pbem.console.surroundings import given_file, key_options, private_key, signing_key
from pbem.faults.wrong import Gap, shell_word, words, wrong
from pbem.player.keyring import place_of

if TYPE_CHECKING:
    from pbem.paper.agreements import BindingTerms
    from pbem.player.letters import Pen
    from pbem.player.writing import SeatChoice, WrittenLetter


Command = TypeVar("Command", bound=Callable[..., object])

out_option = click.option("-o", "--out", type=FileToWrite(), help="The file to write.")


def campaign_options(command: Command) -> Command:
    """Add the options for a letter's campaign and seat, and for the player's last report."""
    texts = {
        "--campaign": "Which campaign; left out: the only one you play in.",
        "--seat": "Which seat of it; left out: the only one you have.",
    }
    report = click.option("--report", metavar="FILE", help="The report.yaml or invitation.yaml that you had last.")
    command = report(command)
    for name, text in reversed(texts.items()):
        command = click.option(name, type=line, help=text)(command)
    return command


@dataclass(frozen=True)
class WritingOptions:
    """Options of a command that writes a letter."""

    out: Path | None
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool

    def pen(self, file: str = "-") -> Pen:
        """Return the command's `Pen`. It writes to the path of `--out`, or else to the path `file`. If `file` is `-`,
        it writes no file."""
        from pbem.player.letters import Pen

        key = partial(signing_key, self.key_path, self.passphrase_file)
        return Pen(place_of(self.key_path), key, self.out or (None if file == "-" else Path(file)))


@dataclass(frozen=True)
class LetterChoice:
    """Options for the campaign and the seat of a letter."""

    campaign: str | None
    seat: str | None
    report: str | None

    @property
    def seat_choice(self) -> SeatChoice:
        """Return the campaign and the seat, with the report's content."""
        from pbem.player.writing import SeatChoice

        return SeatChoice(self.campaign, self.seat, given_file(self.report) if self.report else None)


def writing_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command that writes a letter. The command gets them as `how`."""
    return out_option(key_options(json_option(gather_options("how", WritingOptions)(command))))


def whole_letter_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command that writes a whole letter. The command gets the options for writing as `how`, and
    those for campaign and seat as `wanted`."""
    return campaign_options(writing_options(gather_options("wanted", LetterChoice)(command)))


@click.command("sign")
@click.argument("file")
@click.option("--renumber", is_flag=True, help="First give the letter the next free seq.")
@writing_options
def sign_command(file: str, renumber: bool, how: WritingOptions) -> None:
    """Sign a letter in its file, in place of any signature it has; `-` reads from and prints to the terminal.

    A letter that cannot be read is not signed, nor is a letter of the moderator or of another seat.
    """
    from pbem.player.letters import sign

    with refusals(how.json_wanted):
        pen = how.pen(file)
        signed = sign(given_file(file), pen, language_wanted(), renumber=renumber)
        letter, by = signed.letter, signed.key.fingerprint
        if how.json_wanted:
            said = [warning.sentence(language_wanted()) for warning in signed.warnings]
            found = {"file": str(pen.out or ""), "kind": letter.kind, "seq": letter.seq, "warnings": said}
            found |= {"preset": str(signed.along)} if signed.along else {}
            print_json({**found, "key": by} | ({} if pen.out else {"letter": signed.text}))
            return
        for warning in signed.warnings:
            warn(warning)
        if pen.out:
            kind, seat = words(f"letter-{letter.kind}"), letter.sender
            say_words("sign-done", file=str(pen.out), kind=kind, seat=seat, seq=letter.seq, key=by)
        else:
            click.echo(signed.text, nl=False)
        if signed.along:
            say_words("sign-along", err=True, file=str(signed.along))


@click.command("message")
@click.argument("to", type=line)
@click.argument("words", type=lines)
@whole_letter_options
def message_command(to: str, words: str, wanted: LetterChoice, how: WritingOptions) -> None:
    """Write a signed letter with WORDS to others. TO is a list of seats or names with commas between them, `moderator`,
    or `all`.

    The moderator passes the letter on with the next reports. Only its readers get it; `all` are also those who read
    along, as in a forum. A seat's new player gets nothing that was written to the former player.
    """
    from pbem.player.writing import write_message

    with refusals(how.json_wanted):
        tell_sent(write_message(to, words, wanted.seat_choice, how.pen()), "message", "to", how.json_wanted)


def tell_sent(sent: WrittenLetter, kind: str, key: str, json_wanted: bool) -> None:
    """Print the path and the readers of a letter. In JSON the readers are under the key `key`."""
    if json_wanted:
        print_json({"file": str(sent.file), "kind": kind, "seq": sent.seq, key: sent.whom})
    else:
        say_words("send-it.message" if key == "to" else "send-it.agreement", file=str(sent.file), people=sent.people)


@dataclass(frozen=True)
class Binding:
    """Options for an agreement's binding terms, and for the turn or stage of its end."""

    until: str
    stages: str
    powers: str
    cities: str
    cards: str

    @property
    def terms(self) -> BindingTerms:
        """Return the binding terms. Each text of names is split at its commas."""
        from pbem.paper.agreements import BindingTerms

        said = {"stages": self.stages, "powers": self.powers, "cities": self.cities, "cards": self.cards}
        split = {kind: tuple(name.strip() for name in names.split(",")) for kind, names in said.items() if names}
        return BindingTerms(split, self.until)


def binding_options(command: Command) -> Command:
    texts = {
        "--until": "The turn or stage to the end of which it holds: `3`, `3/prussia`.",
        "--stages": "Stages that it is about: `prussia`, or `3/prussia`; with commas between them.",
        "--powers": "Powers that it binds, or protects.",
        "--cities": "Cities that it is about.",
        "--cards": "Cards that it is about.",
    }
    for name, text in reversed(texts.items()):
        command = click.option(name, type=line, default="", help=text)(command)
    return command


@click.command("agree")
@click.argument("partners", type=line)
@click.argument("words", type=line)
@binding_options
@whole_letter_options
@gather_options("binding", Binding)
def agree_command(partners: str, words: str, binding: Binding, wanted: LetterChoice, how: WritingOptions) -> None:
    """Write a signed letter that agrees with PARTNERS on WORDS; it is for the stage of the --report.

    The agreement counts once everybody named has signed the same words and terms. Reports list its terms and its end,
    and `pbem check` and receipts remind its parties when an order touches it. Nothing is enforced.
    """
    from pbem.player.writing import write_agreement

    with refusals(how.json_wanted):
        if wanted.report is None:
            raise click.UsageError(misuse("use-report"))
        sent = write_agreement(partners, words, binding.terms, wanted.seat_choice, how.pen())
        tell_sent(sent, "agreement", "with", how.json_wanted)


@click.command("propose")
@click.argument("subject", type=click.Choice(("draw", "standing", "concede", "resign", "time", "replace", "clock")))
@click.argument("about", type=line, default="")
@click.option("--days", type=click.IntRange(1, 60), help="How long seats may vote; left out: 7 days.")
@whole_letter_options
def propose_command(subject: str, about: str, days: int | None, wanted: LetterChoice, how: WritingOptions) -> None:
    """Write a signed letter that proposes SUBJECT to all seats; it is for the stage of the --report.

    `draw` ends the game as a draw, `standing` as it stands, `concede` gives it to the seat ABOUT: all people who play
    must agree. Other subjects need as many votes as the campaign has agreed on: `time` moves the deadline by ABOUT
    days; `clock` gives each later stage the time ABOUT, such as 5d; `replace` gives away the seat ABOUT, if its player
    is late and silent. `resign` needs no vote: it gives your seat up at once, to a substitute or the agreed bot. A
    newer proposal of yours replaces this proposal, and your own vote against it withdraws it. A proposal neither shows
    your orders nor takes them back.
    """
    from pbem.player.writing import write_proposal

    with refusals(how.json_wanted):
        if wanted.report is None:
            raise click.UsageError(misuse("use-report"))
        tell_alone(write_proposal(subject, about, days or 0, wanted.seat_choice, how.pen()), "send-it.proposal", how)


@click.command("vote")
@click.argument("proposal", type=line)
@click.argument("says", type=click.Choice(("yes", "no")))
@whole_letter_options
def vote_command(proposal: str, says: str, wanted: LetterChoice, how: WritingOptions) -> None:
    """Write a signed letter that votes on a PROPOSAL, which the --report names: by its name, or its entry alone.

    The newest vote of a seat counts, as long as the proposal is open.
    """
    from pbem.player.writing import write_vote

    with refusals(how.json_wanted):
        if wanted.report is None:
            raise click.UsageError(misuse("use-report"))
        tell_alone(write_vote(proposal, says, wanted.seat_choice, how.pen()), "send-it.vote", how)


def tell_alone(sent: WrittenLetter, key: str, how: WritingOptions) -> None:
    """Print the path of a letter that names no readers, and its effect if it needs no vote."""
    if how.json_wanted:
        print_json({"file": str(sent.file), "kind": key.rpartition(".")[2], "seq": sent.seq})
    else:
        say_words("send-it" if sent.follows else key, file=str(sent.file))
        if sent.follows:
            say_words(sent.follows)


@dataclass(frozen=True)
class JoinOptions:
    """Options of joining: seat, name, language and preset plans."""

    seat: str
    name: str
    language: str
    preset: str


@click.command("join")
@click.argument("invitation")
@click.option("--seat", type=line, default="", help="The seat to take; left out: the one that the invitation is for.")
@click.option("--name", type=line, default="", help="How others shall call you.")
@click.option("--language", type=line, default="", help="The language of your reports; left out: as you are invited.")
@click.option("--preset", default="", help="Plans that answer for you from your first orders on: careful, bold, away.")
@gather_options("wish", JoinOptions)
@writing_options
def join_command(invitation: str, wish: JoinOptions, how: WritingOptions) -> None:
    """Write the letter that takes a seat in the campaign of an INVITATION.

    Compare the fingerprint of the moderator's key with the fingerprint that the moderator tells you in another way:
    then nobody else can pretend to be the moderator.

    To take over a seat from somebody else, give your first report in place of an INVITATION. Then there is no letter to
    send.
    """
    from pbem.player.letters import guide
    from pbem.player.writing import JoinWish, take_over, write_join
    from pbem.seal.keys import PublicKey

    with refusals(how.json_wanted):
        came = given_file(invitation)
        if guide(came).kind == "report":
            notes = take_over(came, wish.seat, how.pen().place)
            key = PublicKey.parse(notes.moderator).fingerprint
            if how.json_wanted:
                print_json({"file": "", "campaign": notes.campaign, "seat": notes.seat, "seq": 0, "moderator": key})
                return
            say_words("join-over", campaign=notes.campaign, seat=notes.seat)
            say_words("join-moderator", key=key)
            return
        joining = JoinWish(wish.seat, wish.name, wish.language, wish.preset)
        joined = write_join(came, joining, how.pen())
        file, moderator = joined.file, joined.moderator.fingerprint
        if how.json_wanted:
            said = {"file": str(file), "campaign": joined.campaign, "seat": joined.seat, "seq": joined.seq}
            told = [warning.sentence(language_wanted()) for warning in joined.warnings]
            print_json({**said, "moderator": moderator, "warnings": told})
            return
        for warning in joined.warnings:
            warn(warning)
        say_words("send-it", file=str(file))
        say_words("join-moderator", key=moderator)


@click.command("seal")
@click.argument("file")
@click.option("--only", type=line, help="Only these sections of the orders, with commas between them.")
@click.option("--report", metavar="FILE", help="A report.yaml or invitation.yaml; left out: your notes say whom to.")
@writing_options
def seal_command(file: str, only: str | None, report: str | None, how: WritingOptions) -> None:
    """Seal the orders or plans of a letter, so that everybody may see it and only the moderator can read them.

    In a campaign with `sealing: reveal` not even the moderator can: your notes beside the key keep what `pbem reveal`
    shows later. Sign the letter before you send it.
    """
    from pbem.player.sealing import seal

    with refusals(how.json_wanted):
        path, made = seal(given_file(file), only, given_file(report) if report else None, how.pen())
        if how.json_wanted:
            said = {"file": str(path), "commitment": made.part.commitment}
            print_json({**said, "sections": made.sections, "to": made.to})
            return
        sections: Gap = tuple(made.sections) or words("seal-done.nothing")
        key, name = "seal-done" if made.to else "seal-done.nobody", shell_word(str(path))
        say_words(key, file=str(path), sections=sections, whom=made.to, name=name)


@click.command("reveal")
@click.argument("letters", nargs=-1, required=True, metavar="LETTER...")
@click.option("--report", metavar="FILE", help="The last report.yaml: is it time? Plans of an earlier stage need it.")
@writing_options
def reveal_command(letters: tuple[str, ...], report: str | None, how: WritingOptions) -> None:
    """Write the signed letter that reveals the orders in a sealed LETTER, or in several if plans are sealed, too.

    Send it once all commitments are in, and not before. The notes beside your key have the parts to show.
    """
    from pbem.player.sealing import parts_to_reveal, reveal

    with refusals(how.json_wanted):
        pen = how.pen()
        found = parts_to_reveal(
            [given_file(letter) for letter in letters], given_file(report) if report else None, pen.place
        )
        if found.warning:
            warn(found.warning)
        path = reveal(found, pen)
        if how.json_wanted:
            print_json({"file": str(path), "seq": found.seq, "slots": sorted(found.parts)})
        else:
            say_words("send-it", file=str(path))


@click.command("open")
@click.argument("file")
@click.option("-o", "--out", type=FileToWrite(), help="The file to write; left out: it is printed.")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="Write each file under its own name here."
)
@key_options
def open_command(
    file: str, out: Path | None, into: Path | None, key_path: Path | None, passphrase_file: Path | None
) -> None:
    """Open a file that is sealed to you: a report, or the mail that it came in.

    With --into every file is written under its own name. Without it the texts are printed, or written to --out; of
    several files, pages (HTML) are left out.
    """
    from pbem.campaign.disk.atomic import PRIVATE, write_whole
    from pbem.paper.documents.faults import Refused
    from pbem.player.sealing import opened_files, texts_of, write_all

    with refusals(False):
        files = opened_files(given_file(file), partial(private_key, key_path, passphrase_file))
        if into:
            for path in write_all(into, files):
                click.echo(str(path))
        elif out:
            write_whole(out, texts_of(files), mode=PRIVATE)
        else:
            text = texts_of(files)
            if b"\0" in text:
                raise Refused(file, [wrong("E-OPEN-BINARY")])
            show_text(text.decode("utf-8", "replace") + "\n")
