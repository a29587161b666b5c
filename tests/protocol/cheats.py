"""Moderators who cheat: each plays with a program of their own, and closes the campaign as if all were well.

Every one of these archives is consistent: the letters and the deal that it claims do lead to the positions that it
shows. Only the writers of the letters are wrong, or the times at which they were chosen.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.records import NewRecord as Begun
from pbem.campaign.ledger.seats import lot_of
from pbem.campaign.letters.joining import entry_text, proof_of_key, salt_and_content
from pbem.campaign.letters.judging import judge
from pbem.campaign.letters.letterbox import HeldLetter, OpenedPart
from pbem.campaign.play import adjudicating
from pbem.campaign.players.letters import LetterContext, orders_letter, reveal_letter, sealed_part
from pbem.campaign.settings import Conduct, Settings
from pbem.paper.letters import Letter, read_letter, sign_letter
from pbem.seal.canonical import Tree
from pbem.seal.deal import secret_commitment
from pbem.seal.keys import new_key
from pbem.seal.signature import sign
from tests.campaign.simulated import SimulatedTable
from tests.protocol.archives import AUSTRIA, FRANCE, PRUSSIA, sealed_plan
from tests.protocol.forging import write_state


def begun(root: Path, **conduct: Any) -> SimulatedTable:
    """A campaign whose players have joined."""
    table = SimulatedTable(root, conduct=Conduct(**conduct), scenario="introductory")
    table.join()
    return table


def played(root: Path, **conduct: Any) -> SimulatedTable:
    """A campaign whose players have joined, and whose first stage is over."""
    table = begun(root, **conduct)
    table.play(1)
    return table


def enter(table: SimulatedTable, record: r.Record, held: HeldLetter | None = None) -> None:
    """Write an entry, whatever it says."""
    with table.open() as campaign:
        campaign.add(record, held)
        campaign.save()


def read(text: str) -> Letter:
    """A letter."""
    return read_letter(text.encode(), "letter")


def finished(table: SimulatedTable, rounds: int = 2) -> None:
    """Play on and close."""
    table.play(rounds)
    table.close("that is enough")


@contextmanager
def tampered(table: SimulatedTable, finish: Callable[[SimulatedTable], None] = finished) -> Iterator[Campaign]:
    """Open the campaign for a change that nobody checks, save it, play on and close."""
    with table.open() as campaign:
        yield campaign
        campaign.save()
    finish(table)


def joining(table: SimulatedTable, player: str) -> str:
    """A letter that takes a seat."""
    with table.open() as campaign:
        return table.players[player].join(campaign.state)


def believing(cheat: Callable[[Path], None]) -> Callable[[Path], None]:
    """Carry a cheat out with a program that does not look whether what was opened was committed to."""

    @wraps(cheat)
    def believed(root: Path) -> None:
        with patch("pbem.campaign.campaign.false_parts", return_value=()):
            cheat(root)

    return believed


def first_owing(campaign: Campaign) -> str:
    """A player who is asked something."""
    assert campaign.public.next is not None
    return next(iter(campaign.public.next.owing))


def other_chance(root: Path) -> None:
    """The last player's random bytes are replaced by better ones, which the moderator has looked for."""
    table = SimulatedTable(root, scenario="introductory")
    *others, last = table.players
    for player in others:
        table.send(joining(table, player))
    text = joining(table, last)
    with tampered(table) as campaign:
        verdict = judge(campaign.state, read(text), campaign.open_box)
        assert isinstance(verdict.record, r.JoinRecord)
        campaign.add(replace(verdict.record, entropy=secrets.token_hex(32)), verdict.held)


def second_beginning(root: Path) -> None:
    """The secret of the deal was another one, and a second first entry commits to it in the end."""
    table = begun(root)
    better = b"\x08" * 32
    with table.open() as campaign:
        campaign.state.secret = better.hex()
        campaign.save()
    table.play(2)
    enter(table, Begun(table.settings, table.moderator.public.text, secret_commitment(better), "test"))
    table.close("that is enough")
    write_state(root)


@believing
def invented_part(root: Path) -> None:
    """The moderator adds orders to a letter as if they had been sealed in it."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        orders = table.players[player].decide(campaign.state)
        empty = sign_letter(
            orders_letter(table.players[player].occasion(campaign.state), table.players[player].next_seq(), {}),
            table.players[player].key,
        )
        record = r.LetterRecord(
            player, "orders", campaign.state.mark(read(empty)), campaign.state.stage, read(empty).seq
        )
        campaign.add(record, HeldLetter(empty, {"invented": OpenedPart("00" * 32, orders)}))


@believing
def part_replaced(root: Path) -> None:
    """A sealed part is opened as something else, and the entry does not name the commitment."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        text = table.write(campaign, player)
        verdict = judge(campaign.state, read(text), campaign.open_box)
        assert isinstance(verdict.record, r.LetterRecord)
        assert verdict.held is not None
        other: Tree = table.players[player].decide(campaign.state)
        campaign.add(replace(verdict.record, slots={}), HeldLetter(text, {"orders": OpenedPart("00" * 32, other)}))


def part_left_out(root: Path) -> None:
    """A sealed part is not opened, and the player is called absent."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        text = table.write(campaign, player)
        verdict = judge(campaign.state, read(text), campaign.open_box)
        assert verdict.record is not None
        campaign.add(verdict.record, HeldLetter(text))
        campaign.add(campaign.state.adjudication(campaign.public.entry + 1, {player: "no orders"}, {})[0])


def letter_of_another_campaign(root: Path) -> None:
    """A letter that a player signed for another campaign, in the same stage, is counted here."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        bot_player = table.players[player]
        occasion = bot_player.occasion(campaign.state)
        elsewhere = LetterContext("prague-1742", player, occasion.stage, occasion.basis)
        text = sign_letter(
            orders_letter(elsewhere, bot_player.next_seq(), bot_player.decide(campaign.state)), bot_player.key
        )
        mark = campaign.state.mark(read(text))
        campaign.add(r.LetterRecord(player, "orders", mark, occasion.stage, read(text).seq), HeldLetter(text))


def draft_as_final(root: Path) -> None:
    """A draft is carried out at once as if it were final."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        bot_player = table.players[player]
        orders = bot_player.decide(campaign.state)
        text = orders_letter(bot_player.occasion(campaign.state), bot_player.next_seq(), orders, final=False)
        text = sign_letter(text, bot_player.key)
        verdict = judge(campaign.state, read(text), campaign.open_box)
        assert isinstance(verdict.record, r.LetterRecord)
        campaign.add(replace(verdict.record, status="final"), verdict.held)


def older_letter(root: Path) -> None:
    """A letter that its player has replaced by a newer one is brought in again."""
    table = played(root)
    with tampered(table) as campaign:
        player = first_owing(campaign)
        older, newer = table.write(campaign, player), table.write(campaign, player)
        for text in (newer, older):
            slots = {slot: str(part["commitment"]) for slot, part in parts(text).items()}
            mark, stage = campaign.state.mark(read(text)), campaign.state.stage
            record = r.LetterRecord(player, "orders", mark, stage, read(text).seq, slots=slots)
            campaign.add(record, HeldLetter(text, opened_parts(campaign, text)))


def parts(text: str) -> dict[str, Any]:
    """The sealed parts of a letter."""
    body: Any = read(text).tree["body"]
    found: dict[str, Any] = body["sealed"]
    return found


def opened_parts(campaign: Campaign, text: str) -> dict[str, OpenedPart]:
    """Content of the sealed parts of a letter."""
    return {slot: salt_and_content(campaign.open_box(part["box"])) for slot, part in parts(text).items()}


def taken_over(root: Path) -> None:
    """A player's seat is taken over by a second letter that joins, signed with the moderator's own key."""
    table = played(root)
    bot_player = table.players[FRANCE]
    bot_player.key = new_key("stolen")
    text = joining(table, FRANCE)
    with tampered(table) as campaign:
        mark = campaign.state.mark(read(text))
        campaign.add(
            r.JoinRecord(FRANCE, bot_player.key.public.text, "00" * 32, read(text).seq, mark, text), HeldLetter(text)
        )


def key_from_orders(root: Path) -> None:
    """A letter with orders is shown as the letter that changes its player's key."""
    table = played(root)
    bot_player = table.players[FRANCE]
    text = table.other_letter(FRANCE, "message", {"to": "all", "text": "Hello."})
    bot_player.key = new_key("stolen")
    with tampered(table) as campaign:
        mark = campaign.state.mark(read(text))
        campaign.add(
            r.KeyChangeRecord(FRANCE, bot_player.key.public.text, read(text).seq, mark, text), HeldLetter(text)
        )


def key_of_somebody_else(root: Path) -> None:
    """In league with the moderator, a player names another's key, with a proof that is of another letter."""
    table = played(root)
    france, prussia = table.players[FRANCE], table.players[PRUSSIA]
    old_proof = proof_of_key(table.settings.campaign, PRUSSIA, 1, prussia.key.public)
    body = {"key": prussia.key.public.text, "proof": sign(prussia.key, old_proof)}
    text = table.other_letter(FRANCE, "key-change", body)
    with table.open() as campaign:
        mark, letter = campaign.state.mark(read(text)), entry_text(read(text))
        campaign.add(r.KeyChangeRecord(FRANCE, body["key"], read(text).seq, mark, letter), HeldLetter(text))
        campaign.save()
    france.key = prussia.key
    finished(table)


def forged_agreement(root: Path) -> None:
    """Players are said to have agreed on something that they never signed."""
    table = played(root)
    table.send(table.other_letter(PRUSSIA, "agreement", {"with": AUSTRIA, "words": "Peace until turn 3."}))
    table.send(table.other_letter(AUSTRIA, "agreement", {"with": FRANCE, "words": "War upon Prussia."}))
    with tampered(table) as campaign:
        letters = tuple(sorted(campaign.public.letters.values())[-2:])
        campaign.add(r.AgreementRecord((PRUSSIA, AUSTRIA), "Prussia gives Silesia back.", letters))


def changed_behind_the_lock(root: Path) -> None:
    """In league with the moderator, a player who has seen what others revealed commits to something else."""
    table = played(root, sealing="reveal")
    with table.open() as campaign:
        player = first_owing(campaign)
        table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign, force=True)
        text = table.write(campaign, player)
        slots = {slot: str(each["commitment"]) for slot, each in parts(text).items()}
        mark = campaign.state.mark(read(text))
        campaign.add(
            r.LetterRecord(player, "orders", mark, campaign.state.stage, read(text).seq, slots=slots), HeldLetter(text)
        )
        table.deliver(campaign, table.players[player].reveal(campaign.state))
        adjudicating.adjudicate(campaign)
        campaign.save()
    finished(table, 1)


def other_part_revealed(root: Path) -> None:
    """In league with the moderator, a player reveals something else than what was committed to."""
    table = played(root, sealing="reveal")
    with table.open() as campaign:
        player = first_owing(campaign)
        table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign, force=True)
        bot_player = table.players[player]
        occasion = bot_player.occasion(campaign.state)
        other = sealed_part(occasion, "orders", bot_player.decide(campaign.state))
        text = sign_letter(reveal_letter(occasion, bot_player.next_seq(), {"orders": other}), bot_player.key)
        mark = campaign.state.mark(read(text))
        campaign.add(
            r.LetterRecord(player, "reveal", mark, occasion.stage, read(text).seq, slots={"orders": other.commitment}),
            HeldLetter(text),
        )
        adjudicating.adjudicate(campaign)
        campaign.save()
    finished(table, 1)


def other_plan_shown(root: Path) -> None:
    """In league with the moderator, a player who is asked shows another plan than the one committed to."""
    table = played(root, sealing="reveal")
    with table.open() as campaign:
        player = first_owing(campaign)
    sealed_plan(table, player, {"for": "battle", "tactic": "hold", "standing": "yes"})
    bot_player = table.players[player]
    occasion = table.occasion(player)
    other = sealed_part(occasion, "plans", {})
    text = sign_letter(reveal_letter(occasion, bot_player.next_seq(), {"plans": other}), bot_player.key)
    with tampered(table) as campaign:
        mark, slots = campaign.state.mark(read(text)), {"plans": other.commitment}
        campaign.add(
            r.LetterRecord(player, "reveal", mark, occasion.stage, read(text).seq, "partial", slots=slots),
            HeldLetter(text),
        )


def played_on_after_the_close(root: Path) -> None:
    """Something is added when everybody knows the secret."""
    table = begun(root)
    finished(table)
    with table.open() as campaign:
        campaign.add(r.RulingRecord("It was a good game."))
        campaign.save()


def friends_first(settings: Settings, root: bytes) -> dict[str, str]:
    """A lot in which two have exchanged what chance has given them."""
    one, other, *_ = lot = lot_of(replace(settings, conduct=Conduct(seats="drawn")), root)
    return lot | {one: lot[other], other: lot[one]}


def better_seat(root: Path) -> None:
    """Seats are to be drawn, and the moderator gives a friend the one that somebody else has drawn."""
    table = begun(root, seats="drawn")
    with patch("pbem.campaign.play.secret_state.lot_of", friends_first):
        table.play(0)
    finished(table)


def no_lot(root: Path) -> None:
    """Seats are to be drawn, and everybody plays the one that the moderator has invited them to."""
    table = begun(root, seats="drawn")
    with patch("pbem.campaign.play.secret_state.is_lot_due", return_value=False):
        table.play(0)
    finished(table)


def lot_that_nobody_wanted(root: Path) -> None:
    """Seats were chosen, and the moderator exchanges two players."""
    table = begun(root)
    with (
        patch("pbem.campaign.play.secret_state.lot_of", friends_first),
        patch("pbem.campaign.play.secret_state.is_lot_due", return_value=True),
    ):
        table.play(0)
    finished(table)


CHEATS = (
    other_chance,
    second_beginning,
    invented_part,
    part_replaced,
    part_left_out,
    letter_of_another_campaign,
    draft_as_final,
    older_letter,
    taken_over,
    key_from_orders,
    key_of_somebody_else,
    forged_agreement,
    changed_behind_the_lock,
    other_part_revealed,
    other_plan_shown,
    played_on_after_the_close,
    better_seat,
    no_lot,
    lot_that_nobody_wanted,
)
