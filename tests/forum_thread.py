"""Makes a campaign that is played in a forum: players post letters into a thread, the moderator copies its pages.

The thread moves once, from a forum whose pages are copied as text (as phpBB shows them) to one that hands out what was
written (as Discourse does). The moderator gives the whole page to `pbem accept` every evening.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from click.testing import CliRunner
from msgspec import Struct

from pbem import __version__
from pbem.bots.table import sensible_policy
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.founding import begin
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.players.letters import orders_letter
from pbem.cli import main
from pbem.console.surroundings import Surroundings
from pbem.lab.bot_campaign import BotPlayer, QuickDisk, bot_players_of, secret_of
from pbem.paper.documents import strict
from pbem.paper.letters import read_letter, write_letter
from pbem.player.keyring import write_pair
from pbem.post.calendar import markdown_block
from pbem.seal.keys import PrivateKey, new_key, save_private

NAME, SEED = "silesia-forum", "chotusitz"
PEOPLE = {"maria-theresa": "Anna", "frederick": "Fritz", "louis": "Lou"}
SIGNING = "maria-theresa"
"""The one seat with a key: her letters are signed and sealed, those of the others stand as they are."""

END = "...\n"
"""The line with which a letter without a signature ends, so that the words of a copied page are not taken for its."""

MODERATOR = "Max"
BEGIN = datetime(2026, 3, 2, 19, tzinfo=UTC)
EVENING = timedelta(hours=4)


class Post(Struct, frozen=True):
    """A post of somebody in the thread."""

    author: str
    time: datetime
    words: str
    letter: str = ""
    cites: str = ""
    """Writer of a letter that is repeated in it, as forums do for an answer."""
    repeated: str = ""


def phpbb(posts: Sequence[Post]) -> str:
    """A page of phpBB, selected and copied as text."""
    parts = ["Silesia by post\nPost a reply\nSearch this topic…\nPage 1 of 1\n"]
    for post in posts:
        body = post.words + "\n"
        if post.repeated:
            body = f"{post.cites} wrote: ↑\n\n{post.repeated}\n\n{body}"
        if post.letter:
            body += f"\nCode: Select all\n\n{post.letter}\n"
        parts.append(f"Re: Silesia by post\nPost by {post.author} » {post.time:%a %b %d, %Y %I:%M %p}\n\n{body}\nTop\n")
    return "\n".join(parts) + "\nReturn to “Games by post”\nPowered by phpBB® Forum Software © phpBB Limited\n"


def discourse(posts: Sequence[Post]) -> str:
    """A topic of Discourse as it was written, in Markdown."""
    parts = []
    for number, post in enumerate(posts, 1):
        body = post.words + "\n"
        if post.repeated:
            quotation = "".join(f"> {line}".rstrip() + "\n" for line in post.repeated.split("\n"))
            body = f'[quote="{post.cites}, post:{number - 1}, topic:1741"]\n{quotation}[/quote]\n\n{body}'
        if post.letter:
            body += "\n" + markdown_block(post.letter)
        parts.append(f"{post.author} | {post.time:%Y-%m-%d %H:%M:%S} UTC | #{number}\n\n{body}")
    return "\n-------------------------\n\n".join(parts)


class Club:
    """People who play in a forum, each evening one round."""

    def __init__(self, root: Path) -> None:
        """Begin a campaign whose letters need no signatures."""
        self.root, self.folder = root, root / NAME
        self.now = BEGIN
        self.key: PrivateKey = new_key("moderator")
        write_pair(root / "key", save_private(self.key, None), self.key.public)
        self.players = bot_players_of(PEOPLE, sensible_policy("maria"), SEED)
        self.posts: list[Post] = []
        self.page, self.dress = root / "thread-1.txt", phpbb
        told = {
            "campaign": NAME,
            "game": "maria",
            "moderator": {"name": MODERATOR},
            "conduct": {"signing": "off"},
            "clock": {"next": "24h", "delay": "0m"},
            "seats": {seat: {"name": name} for seat, name in PEOPLE.items()},
        }
        plan = complete_plan(read_plan(b"", "plan", Path(), told), "plan", __version__)
        begin(self.folder, plan, secret_of(SEED), self.key, BEGIN, QuickDisk())

    def moderate(self, *words: str, may_refuse: bool = False) -> str:
        """A command of the moderator."""
        return self.run(*words, "-C", str(self.folder), "--key", str(self.root / "key"), may_refuse=may_refuse)

    def run(self, *words: str, may_refuse: bool = False) -> str:
        """A command, which must do what it is told; `accept` may have refused a letter."""
        done = CliRunner().invoke(main, words, obj=Surroundings(lambda: self.now), catch_exceptions=False)
        assert done.exit_code in (0, int(may_refuse)), (words, done.output)
        return done.stdout

    @contextmanager
    def at_work(self) -> Iterator[Campaign]:
        """The campaign between two commands."""
        with opened_by_moderator(self.folder, self.key, "make", self.now) as campaign:
            yield campaign

    def post(self, author: str, words: str, letter: str = "", repeats: Post | None = None) -> None:
        """Somebody writes into the thread, some minutes after whoever wrote last."""
        self.now += timedelta(minutes=17)
        cited = (repeats.author, repeats.letter) if repeats else ("", "")
        self.posts.append(Post(author, self.now, words, letter, *cited))

    def save_page(self) -> None:
        """The moderator copies the page as it stands."""
        self.page.write_bytes(self.dress(self.posts).encode())

    def evening(self) -> list[str]:
        """The moderator copies the page and adjudicates; gives what became of the letters that were new in it."""
        self.save_page()
        found = json.loads(self.moderate("accept", str(self.page), "--json", may_refuse=True))
        self.now += timedelta(minutes=30)
        self.moderate("adjudicate")
        self.post(MODERATOR, self.news())
        self.now += EVENING
        return [letter["status"] for letter in found["letters"] if letter["status"] != "known"]

    def news(self) -> str:
        """Output of `pbem log` about the latest entry, and the players who are asked now."""
        told = self.run("log", str(self.folder), "--events")
        latest = told[told.rindex(" adjudication ") :].strip()
        with self.at_work() as campaign:
            waiting = campaign.public.next
            asked = ", ".join(PEOPLE[seat] for seat in (waiting.owing if waiting else ()))
        return f"{latest}\n\nNow it is for {asked} to write."

    def move(self) -> None:
        """The club has a new forum; the thread goes on there."""
        self.post(MODERATOR, "The club has a new forum. Let us go on there; this thread is closed.")
        self.save_page()
        self.posts = []
        self.page, self.dress = self.root / "thread-2.md", discourse
        self.post(MODERATOR, "Here we go on. Letters between two lines of three backticks, please.")

    def join(self) -> None:
        """Everybody takes a seat; only one has made a key."""
        self.post(
            MODERATOR,
            "Who plays? Take a seat with the letter sent to you. Unsigned letters end with three dots, please.",
        )
        with self.at_work() as campaign:
            letters = {seat: joining(campaign, self.players[seat]) for seat in PEOPLE}
        for seat, letter in letters.items():
            self.post(PEOPLE[seat], f"I take {seat}.", letter)
        self.evening()

    def answer(self, author: str, words: str) -> None:
        """Somebody answers the latest letter, which the forum repeats above the words."""
        self.post(author, words, repeats=next(post for post in reversed(self.posts) if post.letter))

    def write(self) -> None:
        """Everybody who is asked posts a letter."""
        with self.at_work() as campaign:
            waiting = campaign.public.next
            assert waiting
            letters = {
                seat: ordering(campaign, self.players[seat]) for seat in waiting.owing if seat not in waiting.answered
            }
        for seat, letter in letters.items():
            self.post(PEOPLE[seat], f"For {waiting.stage}.", letter)

    def close(self) -> None:
        """The last page, and everything that was sealed."""
        self.save_page()
        self.moderate("close", "--why", "two turns were all that we had time for")


def joining(campaign: Campaign, bot_player: BotPlayer) -> str:
    """The letter that takes a seat, with a key or without."""
    bot_player.name = PEOPLE[bot_player.player]
    signed = bot_player.join(campaign.state)
    if bot_player.player == SIGNING:
        return signed
    letter = read_letter(signed.encode(), "letter")
    body = {key: value for key, value in strict.bare(letter.body).items() if key != "key"}
    return write_letter({"kind": "join", "campaign": NAME, "from": bot_player.player, "seq": letter.seq}, body) + END


def ordering(campaign: Campaign, bot_player: BotPlayer) -> str:
    """Orders: signed and sealed of who has a key, in the open of the others."""
    if bot_player.player == SIGNING:
        return bot_player.orders(campaign.state, campaign.key.public)
    orders = bot_player.decide(campaign.state)
    return orders_letter(bot_player.occasion(campaign.state), bot_player.next_seq(), orders) + END


def played(root: Path) -> Club:
    """Two turns in two threads."""
    club = Club(root)
    club.join()
    played_to(club, "1/prussia")
    club.write()
    club.answer("Lou", "So that is what you call a friend.")
    played_to(club, "2/hussars")
    club.move()
    played_to(club, "2/prussia")
    club.write()
    club.answer("Anna", "Leave my Silesia alone!")
    played_to(club, "3/hussars")
    club.close()
    return club


def played_to(club: Club, stage: str) -> None:
    """Evening for evening, until a stage is reached."""
    while stage_of(club) != stage:
        if not club.posts[-1].letter and not club.posts[-1].repeated:
            club.write()
        club.evening()


def stage_of(club: Club) -> str:
    """Present stage of the game."""
    with club.at_work() as campaign:
        return campaign.state.stage
