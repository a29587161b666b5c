"""Rulings at a table besides orders: absences, substitutes, keys, agreements, rollbacks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import ClockFault, parse_moment
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.letters.arrived import Reply
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.settings import Newcomer
from pbem.moderator.receipts import write_receipt
from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.keys import new_key
from tests.campaign.simulated import DAY

if TYPE_CHECKING:
    from tests.endurance.year import Year


def ruling(year: Year) -> None:
    """The moderator rules on something."""
    words = f"A late letter counts if its postmark was in time (case {year.chance.randint(1, 99)})."
    year.runner.run("rule", lambda campaign: rulings.rule(campaign, words, "§4"), ("ruling",))


def extension(year: Year) -> None:
    """Everybody gets another day."""

    def work(campaign: Campaign) -> None:
        later = max(campaign.now, parse_moment(campaign.public.deadline)) + DAY
        rulings.extend(campaign, later, "a holiday")

    if year.public().deadline:
        year.runner.run("extend", work, ("extension",))


def absence(year: Year) -> None:
    """Somebody is away for some days, and says so."""
    seat, first = year.some_seat(), year.table.now + year.chance.randint(0, 2) * DAY
    last = first + year.chance.randint(1, 3) * DAY
    away = Absence(seat, first.date(), last.date(), "a wedding")

    def work(campaign: Campaign) -> bool:
        try:
            rulings.enter_absence(campaign, away)
        except ClockFault:
            return False
        return True

    year.runner.run("absent", work)
    if any(each.player == seat and each.first == f"{away.first}" for each in year.public().absences):
        year.away[seat] = last


def substitute(year: Year) -> None:
    """Somebody else takes a seat, with a key of their own; what was under way is signed with the old one."""
    seat, key = year.some_seat(), new_key("substitute")
    who = Newcomer(f"Substitute {year.chance.randint(1, 99)}")
    year.runner.run(
        "substitute",
        lambda campaign: rulings.substitute(campaign, seat, key.public.text, "ill", who),
        ("substitute",),
    )
    year.table.players[seat].key = key
    year.doubt(seat)


def lost_key(year: Year) -> None:
    """A player has lost a key, and says so by telephone."""
    seat, key = year.some_seat(), new_key("found")
    year.runner.run("rekey", lambda campaign: rulings.rekey(campaign, seat, key.public.text, "a disk"), ("key-change",))
    year.table.players[seat].key = key
    year.doubt(seat)


def new_key_by_letter(year: Year) -> None:
    """A player changes keys."""
    seat, key = year.some_seat(), new_key("new")
    text = year.table.key_change(seat, key)
    year.postman.send(seat, text, year.table.now, "key-change", "taken")
    year.accept()
    year.table.players[seat].key = key
    year.doubt(seat)


def message(year: Year) -> None:
    """Somebody writes to somebody."""
    seat, to = year.two_seats()
    body = {"to": year.chance.choice([to, "all", "moderator"]), "text": f"Number {year.chance.randint(1, 10**9)}."}
    with year.table.open() as campaign:
        text = year.writers.other(campaign, seat, "message", body)
    year.postman.send(seat, text, year.table.now, "message", "taken")


def agreement(year: Year) -> None:
    """Two agree on something; now and then only one of them does."""
    one, other = year.two_seats()
    words, is_mutual = f"Peace until turn {year.chance.randint(2, 30)}.", year.chance.random() < 0.7
    with year.table.open() as campaign:
        for seat, partner in ((one, other), (other, one))[: 1 + is_mutual]:
            text = year.writers.other(campaign, seat, "agreement", {"with": partner, "words": words}, is_staged=True)
            year.postman.send(seat, text, year.table.now, "agreement", "taken")


def plan(year: Year) -> None:
    """Somebody sends standing plans, in place of those before, or withdraws them."""
    seat = year.some_seat()
    with year.table.open() as campaign:
        if not campaign.public.locked:
            text = year.writers.plan(campaign, seat)
            year.postman.send(seat, text, year.table.now, "plan", "taken")


def shown_plan(year: Year) -> None:
    """Reveal of sealed plans that nobody can read yet."""
    with year.table.open() as campaign:
        seats = [] if campaign.public.locked else sorted(campaign.public.unshown)
        texts = {seat: year.writers.reveal(campaign, seat) for seat in seats[:1]}
    for seat, text in texts.items():
        year.postman.send(seat, text, year.table.now, "shown plan", "taken")


def acting(year: Year) -> None:
    """The moderator gives orders in the place of somebody who owes them."""
    with year.table.open() as campaign:
        owing = list(campaign.public.next.owing) if campaign.public.next else []
        if campaign.public.locked or not owing:
            return
        seat = year.chance.choice(owing)
        text = sign_letter(year.writers.orders(campaign, seat, key=year.table.moderator), year.table.moderator)

    def work(campaign: Campaign) -> str:
        receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "orders"), acted="ill, by telephone")
        assert receipt.status != "refused", receipt.verdict.faults
        write_receipt(campaign, Reply(receipt))
        return receipt.status

    year.runner.run("act", work)
    year.acted.append(text)
    year.doubt(seat)


def rollback(year: Year) -> None:
    """Something was overlooked, and one or two adjudications are taken back."""
    public = year.public()
    back = [to for to in year.adjudications()[1:][-2:] if public.may_turn_back(to, to)]
    if year.rollbacks and back:
        year.rollbacks -= 1
        to = year.chance.choice(back)
        year.runner.run("rollback", lambda campaign: rulings.rollback(campaign, to, "a slip"), ("rollback",))
        for seat in year.table.players:
            year.doubt(seat)


def reminder(year: Year) -> None:
    """Remind players who owe orders, as far as that is due."""
    year.remind()


def holiday(year: Year) -> None:
    """Nobody writes anything for days, the moderator neither."""
    year.table.now += timedelta(days=year.chance.randint(2, 5))


EVENTS: tuple[tuple[Callable[[Year], None], int], ...] = (
    (ruling, 3),
    (extension, 3),
    (absence, 5),
    (substitute, 2),
    (lost_key, 2),
    (new_key_by_letter, 2),
    (message, 12),
    (agreement, 6),
    (plan, 9),
    (shown_plan, 3),
    (acting, 3),
    (rollback, 2),
    (reminder, 8),
    (holiday, 2),
)
"""Rulings on a table, and their frequency."""


def befall(year: Year) -> None:
    """Something happens."""
    events, weights = zip(*EVENTS, strict=True)
    event = year.chance.choices(events, weights)[0]
    event(year)
    year.seen[event.__name__] += 1
