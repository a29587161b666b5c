"""Data about the reader of a report: the state of the reader's seat, and what the reader knows of positions, pieces,
cards and secrets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

import msgspec
from msgspec import Struct

from pbem.campaign.briefing import Briefing, Owed
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.records import CardProof
from pbem.campaign.letters.letterbox import OrderState, request_behind
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.events import HussarPlaced, HussarRemoved
from pbem.engine.field import OFF
from pbem.engine.nouns import Card, City, Power, each_piece
from pbem.engine.supply import raiding_hussars
from pbem.engine.table import Table, player_of
from pbem.kit import game_of, with_parts
from pbem.paper.documents.writing import on_one_line
from pbem.paper.orders.files import row_of
from pbem.paper.positions.files import known_document, remembered_document
from pbem.report import blocks
from pbem.report.account import event_groups
from pbem.report.blocks import blocks_data, plain_data
from pbem.report.telling import game_report, piece_data, position_blocks, view_data

ASKING = ("orders", "partly", "draft", "reveal", "former reveal")
"""States of a seat from which a letter is awaited (see `standing_of`)."""


class MailStanding(Struct, frozen=True):
    """State of the reader's seat, in the form that templates of mails use."""

    standing: str
    is_asked: bool
    """True if something is asked of the reader."""
    is_short: bool
    """True if the mail contains only the short letter."""
    is_vote_asked: bool
    marches_follow: bool
    """True if something is asked of the reader now, and the reader's powers will march later in this stage."""


def standing_for_mail(briefing: Briefing) -> MailStanding:
    standing = standing_of(briefing)
    is_asked, seat = standing in ASKING, briefing.settings.seats.get(briefing.reader)
    is_running = briefing.phase == "running"
    return MailStanding(
        standing,
        is_asked,
        is_short=is_running and not is_asked and seat is not None and seat.news != "full",
        is_vote_asked=is_running and is_vote_awaited(briefing),
        marches_follow=bool(briefing.table and is_asked and marches_follow(briefing.table, briefing.powers)),
    )


def marches_follow(table: Table, powers: Collection[str]) -> bool:
    """True if one of `powers` acts in the present stage and will march later in it."""
    state, game = table.state, game_of(table)
    phases = list(game.phases_of(table.rules, state.stage))
    if not any(power in powers and own == state.stage for power, own in state.field.alliances.stage.items()):
        return False
    return "movement" in phases and state.phase in phases and phases.index(state.phase) < phases.index("movement")


def sections_asked(campaign: Campaign, player: str) -> dict[Power, str]:
    """Return the section of orders to fill in, for each power of the player that must decide now. Return an empty dict
    if the seat's reports are sealed."""
    table, seat = campaign.state.table, campaign.settings.seats.get(player)
    # Reminders and receipts to such a seat may be sent without a seal.
    if table is None or campaign.public.phase != "running" or (seat and seat.reports == "sealed"):
        return {}
    mine = [each for each in game_of(table).decisions(table) if player_of(table, each.power) == player]
    return {decision.power: row_of(table, decision).name for decision in mine}


def is_picture_wanted(briefing: Briefing) -> bool:
    """True if the report to a reader has a picture. In a running game, a short mail has a picture only if the map helps
    the reader to decide."""
    seat = briefing.settings.seats.get(briefing.reader)
    if briefing.phase != "running" or seat is None or seat.news == "full":
        return True
    return standing_for_mail(briefing).is_asked and any(asked.is_on_map for asked in briefing.orders.asked)


def standing_of(briefing: Briefing) -> str:
    """Return a word for the state of the reader's seat. In a running game it says what the seat must still send or has
    sent. After the game it is the campaign's phase. Else, and in a running game for readers without a seat, return an
    empty text."""
    if briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return briefing.phase if briefing.phase in ("over", "closed") else ""
    states = (owed.state for owed in briefing.owed if owed.player == briefing.reader)
    standing = request_behind(next(states, "nothing required"), is_locked=briefing.locked)
    if standing == "reveal" and briefing.orders.is_pending_formers:
        return "former reveal"
    if briefing.orders.pending and standing == "orders":
        return "partly" if briefing.orders.pending.status == "partial" else "draft"
    if standing == "nothing" and is_vote_awaited(briefing):
        return "vote"
    if briefing.orders.is_pending_now or briefing.locked or standing != "in":
        return standing
    return "ahead" if all(each.ahead for each in briefing.orders.planned) else "planned"


def is_vote_awaited(briefing: Briefing) -> bool:
    """True if the reader has not voted yet on an open proposal."""
    awaited = (each["awaited"] for each in briefing.proposals)
    return any(isinstance(seats, list) and briefing.reader in seats for seats in awaited)


def owing_data(every: Iterable[Owed]) -> list[dict[str, object]]:
    """Return the players of whom something is asked. Each has the player's powers, and the state of their orders.
    `every` has each power that owes orders."""
    powers: dict[str, list[str]] = {}
    states: dict[str, OrderState] = {}
    for owed in every:
        powers.setdefault(owed.player, []).append(owed.power)
        states[owed.player] = owed.state
    return [{"player": player, "powers": powers[player], "state": states[player]} for player in powers]


def position_data(briefing: Briefing, language: str) -> dict[str, object] | None:
    """Return the position as far as the reader may know it, as data and in words. Decisions are left out. Return None
    if the game has not begun."""
    if briefing.view is None:
        return None
    rules = briefing.table_in_play.rules
    # If a game ended by agreement, some players may still owe something. This is no longer told.
    owing = briefing.view.owing if briefing.phase == "running" else ()
    view = with_parts(briefing.view, decisions=(), owing=owing)
    return {
        "data": view_data(rules, briefing.view, briefing.memory),
        "blocks": blocks_data(position_blocks(rules, view, language, briefing.memory)),
    }


def known_data(briefing: Briefing) -> dict[str, object] | None:
    """Return the position as far as the reader may know it, as a document for programs. Return None if the game has not
    begun."""
    if briefing.table is None:
        return None
    known = known_document(briefing.table, briefing.powers)
    # The keys are sorted, because otherwise their order could reveal how the position came about.
    found: dict[str, object] = msgspec.json.decode(msgspec.json.encode(known, order="sorted"))
    return found


def remembered_data(briefing: Briefing) -> dict[str, object] | None:
    """Return a document with the facts about past moves that everybody can remember. Return None if the game has not
    begun, or if there are no such facts."""
    if briefing.table is None or briefing.memory is None:
        return None
    return {**remembered_document(briefing.table.rules.common, briefing.memory)}


def holdings_data(briefing: Briefing, language: str) -> list[dict[str, object]]:
    """Return the cards in the reader's hand, the reader's pieces on the map, and those off the map that may come back.
    Cities have their names in the given language."""
    view = briefing.view
    if view is None:
        return []
    rules = blocks.in_words(briefing.table_in_play.rules, language)

    def pieces(power: Power, is_there: Callable[[City], bool]) -> list[dict[str, object]]:
        return [
            piece_data(rules, view, index, briefing.memory)
            for index, piece in each_piece(view.pieces)
            if piece.power == power and is_there(piece.city)
        ]

    return [
        {
            "power": power,
            "hand": blocks.notations(view.hands[power], with_deck=True),
            "pieces": pieces(power, lambda city: city >= 0),
            "off_map": pieces(power, lambda city: city == OFF),
        }
        for power in briefing.powers
        if power in view.hands
    ]


def hussars_data(briefing: Briefing, language: str) -> list[str]:
    """Return the names, in the given language, of the cities where the reader's hussars are."""
    view = briefing.view
    if view is None or briefing.table_in_play.rules.common.raiders not in briefing.powers:
        return []
    rules = blocks.in_words(briefing.table_in_play.rules, language)
    return blocks.cities(rules.common, game_report(rules.terms.game).hussars(view))


def swept_hussars_data(briefing: Briefing, language: str) -> list[str]:
    """Return the cities, with their names in this language, where marches and retreats have swept the reader's hussars
    off the map since the report before."""
    if briefing.table is None or briefing.table.rules.common.raiders not in briefing.powers:
        return []
    rules = blocks.in_words(briefing.table.rules, language)
    swept = [
        event.city
        for group in event_groups(briefing.news.events, game_report(rules.terms.game))
        if not isinstance(group[0], HussarPlaced | HussarRemoved)
        for event in group
        if isinstance(event, HussarRemoved)
    ]
    return blocks.cities(rules.common, swept)


def enemy_hussars_data(briefing: Briefing, language: str) -> list[str]:
    """Return the names, in the given language, of the cities with hussars for whom the reader's powers must pay a
    toll."""
    if not (raided := raided_cities(briefing)):
        return []
    return blocks.cities(blocks.common_in_words(briefing.table_in_play.rules.common, language), raided)


def raided_cities(briefing: Briefing) -> list[City]:
    """Return the cities with hussars for whom the reader's powers must pay a toll."""
    table, view = briefing.table, briefing.view
    if table is None or view is None or briefing.phase != "running":
        return []
    common, field = table.rules.common, table.state.field
    return sorted(set[City]().union(*(raiding_hussars(common, field, power) for power in briefing.powers)))


def secrets_data(briefing: Briefing) -> dict[str, object]:
    """Return the data that only the reader may know: hands, troops, plans, and orders given in advance. They also have
    the reader's latest orders with their sealed parts."""
    pending = briefing.orders.pending
    letter = None
    if pending:
        sealed = [{"slot": slot, "commitment": commitment} for slot, commitment in pending.slots.items()]
        orders = briefing.orders.draft
        written = on_one_line(orders) if orders else ""
        letter = {
            "entry": pending.entry,
            "status": pending.status,
            "wait": pending.wait,
            "orders": written if len(written) <= LONGEST_DRAFT else written[: LONGEST_DRAFT - 1] + "…",
            "sealed": sealed,
            "revealed": list(pending.revealed),
        }
    plans = plain_data(briefing.orders.plans) if briefing.orders.plans else None
    ahead, to_come = plain_data(briefing.orders.ahead), plain_data(briefing.orders.to_come)
    found: dict[str, dict[str, int]] = {}
    for piece in briefing.view.pieces if briefing.view else ():
        if piece.power in briefing.powers and piece.troops:
            found.setdefault(piece.power, {})[piece.name] = piece.troops
    mine = {"letter": letter, "plans": plans, "ahead": ahead, "to_come": to_come}
    return {"hands": hands(briefing), "troops": found, **mine}


LONGEST_DRAFT = 150
"""Largest length of a draft that is repeated in a report, in characters."""


def hands(briefing: Briefing) -> dict[str, list[str]]:
    if briefing.view is None:
        return {}
    return {
        power: blocks.hand_notation(briefing.view.hands[power])
        for power in briefing.powers
        if power in briefing.view.hands
    }


def proofs_data(proofs: Sequence[CardProof]) -> list[dict[str, object]]:
    """Convert proofs of cards to data. With them, readers can check that they were dealt the right cards."""
    return [
        {
            "card": proof.card,
            "name": blocks.hand_notation([Card(proof.card)])[0],
            "shuffle": proof.shuffle,
            "position": proof.position,
            "salt": proof.salt,
        }
        for proof in proofs
    ]
