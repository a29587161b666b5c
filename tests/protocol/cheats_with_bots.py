"""Moderators who make something of the seats of bots, of which they hold the keys."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pbem import __version__
from pbem.bots.plain import choose
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import local_day
from pbem.campaign.ledger.entry_checks import Writer
from pbem.campaign.ledger.records import AbsenceRecord, KeyChangeRecord, SubstituteRecord
from pbem.campaign.play import adjudicating, rulings, seated_bots
from pbem.campaign.play.seated_bots import bot_key, letter_due, next_seq, occasion_of, orders_part, play_bots
from pbem.campaign.players.letters import boxed_part, key_change_letter, orders_letter, sealed_part
from pbem.campaign.settings import Conduct
from pbem.lab.bot_campaign import bot_players_of
from pbem.paper.letters import read_letter, sign_letter, write_letter
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, new_key
from tests.campaign.simulated import DAY, HOUR, NAME, SimulatedTable
from tests.protocol.cheats import tampered
from tests.protocol.forging import Draft, rewritten

SEAT, PERSON = "frederick", "louis"
BOT, OTHER = f"sensible/{__version__}", f"strong:2/{__version__}"
BOTS = {SEAT: BOT, "maria-theresa": f"random/{__version__}"}


def begun(root: Path, bots: dict[str, str] = BOTS, **conduct: Any) -> SimulatedTable:
    """A campaign with bots, in which everybody is asked for the set-up, and no bot has answered yet."""
    table = SimulatedTable(root, conduct=Conduct(**conduct), bots=bots, scenario="introductory")
    table.join()
    with table.open() as campaign:
        play_bots(campaign)
        adjudicating.adjudicate(campaign)
        campaign.save()
    return table


def finished(table: SimulatedTable, rounds: int = 2) -> None:
    """Play on as if all were well, and close."""
    with table.open() as campaign:
        for _ in range(rounds):
            go_on(table, campaign)
        table.now = campaign.now
        campaign.save()
    table.close("that is enough")


def go_on(table: SimulatedTable, campaign: Campaign) -> None:
    """Bots and people answer, and the moderator goes on when the clock allows it."""
    play_bots(campaign)
    people_order(table, campaign)
    campaign.now += HOUR
    if isinstance(adjudicating.adjudicate(campaign, force=True), adjudicating.Lock):
        play_bots(campaign)
        for player in table.players:
            if player in campaign.public.pending and campaign.public.pending[player].slots:
                table.deliver(campaign, table.players[player].reveal(campaign.state))
        adjudicating.adjudicate(campaign, force=True)


def people_order(table: SimulatedTable, campaign: Campaign) -> None:
    """Everybody orders who owes something and has not ordered."""
    public = campaign.public
    for player in public.next.owing if public.next else ():
        if player in table.players and player not in (*public.pending, *public.next.answered):  # type: ignore[union-attr]
            table.deliver(campaign, table.write(campaign, player))


def unbound() -> AbstractContextManager[object]:
    """A program that takes of bots whatever is signed with their keys."""
    return patch("pbem.campaign.letters.judging.check_owed")


def key_of(campaign: Campaign) -> PrivateKey:
    """The key of the bot."""
    return bot_key(campaign.state, SEAT, BOT)


def deliver(campaign: Campaign, text: str) -> None:
    """A letter arrives, and is taken whether the bot owes it or not."""
    with unbound():
        receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"))
    assert not receipt.verdict.is_refused, receipt.verdict.faults


def ordered(campaign: Campaign, more: int = 0, **how: Any) -> None:
    """The bot sends what it orders, in its own words and otherwise than it does."""
    writer = Writer(SEAT, BOT)
    part = orders_part(campaign.state, writer)
    box = boxed_part(part, campaign.key.public if campaign.settings.conduct.sealing == "moderator" else None)
    seq = next_seq(campaign.state, writer, "orders") + more
    text = orders_letter(occasion_of(campaign.state, SEAT), seq, {}, {"orders": box}, **how)
    deliver(campaign, sign_letter(text, key_of(campaign)))


def thrown_again(root: Path, **conduct: Any) -> None:
    """The bot throws for its orders until they please: six sealed letters for one stage, of which the last counts."""
    table, drawn = begun(root, **conduct), seated_bots.bot_bytes
    with tampered(table, finished) as campaign:
        for number in range(5, -1, -1):

            def luck(state: Any, seat: str, what: str, which: str = "", number: int = number) -> bytes:
                return drawn(state, seat, what, which + (str(number) if number and what == "chance" else ""))

            with patch("pbem.campaign.play.seated_bots.bot_bytes", luck):
                deliver(campaign, letter_due(campaign.state, Writer(SEAT, BOT)))


def thrown_again_unseen(root: Path) -> None:
    """Likewise where nobody can look into what is sealed."""
    thrown_again(root, sealing="reveal")


def other_letter(kind: str, body: dict[str, Any], staged: bool = False, seq: int = 1) -> Callable[[Path], None]:
    """A cheat with a letter of another kind under the key of the bot."""

    def cheat(root: Path) -> None:
        table = begun(root)
        with table.open() as campaign:
            head: dict[str, Any] = {"kind": kind, "campaign": NAME, "from": SEAT, "seq": seq}
            if staged:
                occasion = occasion_of(campaign.state, SEAT)
                head |= {"stage": occasion.stage, "basis": occasion.basis}
            deliver(campaign, sign_letter(write_letter(head, body), key_of(campaign)))
            campaign.save()
        finished(table)

    cheat.__name__ = f"{kind}_of_a_bot"
    return cheat


def new_key_of_a_bot(root: Path) -> None:
    """The bot names another key, by which the moderator plays unseen from then on."""
    table = begun(root)
    with tampered(table, finished) as campaign:
        deliver(campaign, key_change_letter(NAME, SEAT, 9, new_key("mine"), key_of(campaign)))


def new_key_by_a_ruling(root: Path) -> None:
    """The moderator gives the bot another key, writes one letter, and gives it back its own."""
    table = begun(root)
    with tampered(table, finished) as campaign:
        (mine,) = bot_players_of([SEAT], choose, "mine").values()
        own = key_of(campaign).public.text
        campaign.add(KeyChangeRecord(SEAT, mine.key.public.text, why="a disk has failed"))
        mine.seq = 9
        deliver(campaign, mine.orders(campaign.state))
        campaign.add(KeyChangeRecord(SEAT, own, why="found again"))


def hesitating(**how: Any) -> Callable[[Path], None]:
    """A cheat with the bot's own orders, which are not to be carried out yet."""

    def cheat(root: Path) -> None:
        table = begun(root)
        with table.open() as campaign:
            ordered(campaign, **how)
            campaign.save()
        finished(table)

    cheat.__name__ = f"bot_with_{'_'.join(how)}"
    return cheat


def open_orders_of_a_bot(root: Path) -> None:
    """Orders of a bot are not sealed, but written by the moderator."""
    table = begun(root)
    with tampered(table, finished) as campaign:
        part = orders_part(campaign.state, Writer(SEAT, BOT))
        assert isinstance(part.body, dict)
        text = orders_letter(occasion_of(campaign.state, SEAT), 2, part.body)
        deliver(campaign, sign_letter(text, key_of(campaign)))


def open_part_of_a_bot(root: Path) -> None:
    """Beside what the bot seals stands another order in the open."""
    table = begun(root)
    with tampered(table, finished) as campaign:
        occasion, part = occasion_of(campaign.state, SEAT), orders_part(campaign.state, Writer(SEAT, BOT))
        body: Any = part.body
        power = next(iter(body))
        rest: Tree = {other: sections for other, sections in body.items() if other != power}
        box = boxed_part(sealed_part(occasion, "orders", rest, part.salt), campaign.key.public)
        text = orders_letter(occasion, 2, {power: body[power]}, {"orders": box})
        deliver(campaign, sign_letter(text, key_of(campaign)))


def other_salt(root: Path) -> None:
    """A bot whose commitments have salts that somebody has chosen."""
    drawn = seated_bots.bot_bytes

    def chosen(state: Any, seat: str, what: str, which: str = "") -> bytes:
        return drawn(state, seat, what, which * (what != "salt"))

    with patch("pbem.campaign.play.seated_bots.bot_bytes", chosen):
        finished(begun(root))


def other_part_in_the_deal(root: Path) -> None:
    """A bot that brings to the deal what the moderator likes."""
    drawn = seated_bots.bot_bytes

    def chosen(state: Any, seat: str, what: str, which: str = "") -> bytes:
        return bytes(31) + b"\1" if what == "entropy" else drawn(state, seat, what, which)

    with patch("pbem.campaign.play.seated_bots.bot_bytes", chosen):
        table = begun(root)
    finished(table)


def person_on_the_seat_of_a_bot(root: Path) -> None:
    """Somebody plays where all believe that a bot does."""
    table = SimulatedTable(root, bots=BOTS, scenario="introductory")
    table.players |= bot_players_of([SEAT], choose, "person")
    table.join()
    with tampered(table, finished) as campaign:
        play_bots(campaign)
        adjudicating.adjudicate(campaign)


def second_bot(root: Path) -> None:
    """A bot stands in for a bot, and so has a second throw."""
    table = begun(root, stand_in=OTHER)
    with tampered(table, finished) as campaign:
        days = [(local_day(campaign.now, campaign.settings.clock) + number * DAY).isoformat() for number in (0, 9)]
        key = bot_key(campaign.state, SEAT, OTHER).public.text
        campaign.add(AbsenceRecord(SEAT, *days, bot=OTHER, key=key))


def better_bot(root: Path) -> None:
    """A bot gives its seat to a better one."""
    table = begun(root, stand_in=OTHER)
    with tampered(table, finished) as campaign:
        key = bot_key(campaign.state, SEAT, OTHER).public.text
        campaign.add(SubstituteRecord(SEAT, key, "it plays badly", bot=OTHER))


def person_with_the_key_of_a_bot(root: Path) -> None:
    """A person is said to take the seat of a bot, with the key of the bot."""
    table = begun(root)
    with tampered(table, finished) as campaign:
        rulings.substitute(campaign, SEAT, key_of(campaign).public.text, "a person has come")


def over_its_player(root: Path) -> None:
    """A bot that stands in orders where its player has ordered."""
    table = begun(root, {}, stand_in=BOT)
    with tampered(table, finished) as campaign:
        table.deliver(campaign, table.write(campaign, SEAT))
        stand_in(campaign, 0, 9)
        with patch("pbem.campaign.letters.judging.check_bot"):
            deliver(campaign, letter_due(campaign.state, Writer(SEAT, BOT, stands_in=True)))


def outside_its_days(root: Path) -> None:
    """A bot that stands in orders before its player is away."""
    table = begun(root, {}, stand_in=BOT)
    with tampered(table, finished) as campaign:
        stand_in(campaign, 3, 9)
        deliver(campaign, letter_due(campaign.state, Writer(SEAT, BOT, stands_in=True)))


def stand_in(campaign: Campaign, first: int, last: int) -> None:
    """A player is away on days, counted from today, and a bot stands in."""
    today = local_day(campaign.now, campaign.settings.clock)
    days = [(today + number * DAY).isoformat() for number in (first, last)]
    campaign.add(AbsenceRecord(SEAT, *days, bot=BOT, key=key_of(campaign).public.text))


def foreseen(change: Callable[[Any], None]) -> Callable[[Path], None]:
    """A cheat with settings that let bots sit where their moderator could foresee, or choose, what they do."""

    def cheat(root: Path) -> None:
        table = begun(root)
        finished(table)

        def changed(draft: Draft) -> None:
            change(draft.body("new")["settings"])

        rewritten(root, table.moderator, changed)

    cheat.__name__ = change.__name__
    return cheat


def bot_where_seats_are_drawn(root: Path) -> None:
    """Somebody may draw the seat of a bot, and a bot that of somebody."""
    table = begun(root, seats="drawn")
    with table.open() as campaign:
        table.sit_down({joined: played for joined, played in campaign.public.drawn.items() if joined == PERSON})
    finished(table)


def bot_on_the_seat_of_the_moderator(settings: Any) -> None:
    settings["moderator"]["seat"] = SEAT


def stand_in_where_the_moderator_plays(settings: Any) -> None:
    settings["moderator"]["seat"], settings["conduct"]["stand_in"] = PERSON, BOT


PLAN = {"orders": {"prussia": {"plans": [{"for": "battle", "tactic": "hold", "standing": "yes"}]}}}

CHEATS = (
    thrown_again,
    thrown_again_unseen,
    other_letter("message", {"to": "all", "text": "I am a person."}),
    other_letter("plan", PLAN, staged=True, seq=2),
    other_letter("agreement", {"with": PERSON, "words": "Peace."}, staged=True),
    new_key_of_a_bot,
    new_key_by_a_ruling,
    hesitating(wait=True),
    hesitating(final=False),
    hesitating(more=1),
    open_orders_of_a_bot,
    open_part_of_a_bot,
    other_salt,
    other_part_in_the_deal,
    person_on_the_seat_of_a_bot,
    second_bot,
    better_bot,
    person_with_the_key_of_a_bot,
    over_its_player,
    outside_its_days,
    bot_where_seats_are_drawn,
    foreseen(bot_on_the_seat_of_the_moderator),
    foreseen(stand_in_where_the_moderator_plays),
)
