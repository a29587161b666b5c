"""Archives to verify: whole campaigns by letter, in which everything that a ledger can tell happens."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from pbem.campaign import desk
from pbem.campaign.absences import Absence
from pbem.campaign.settings import Conduct
from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.keys import new_key
from tests.campaign.simulated import SimulatedTable

PRUSSIA, FRANCE, AUSTRIA = "frederick", "louis", "maria-theresa"


def advanced(root: Path) -> SimulatedTable:
    """The advanced game to its end, every order sealed."""
    table = SimulatedTable(root, scenario="advanced")
    table.join()
    table.play()
    table.close()
    return table


def eventful(root: Path) -> SimulatedTable:
    """Some turns of the introductory game, with one of everything."""
    table = SimulatedTable(root, scenario="introductory")
    table.join()
    table.play(3)
    chat(table)
    new_keys(table)
    desk_work(table)
    acting(table)
    table.play(4)
    with table.open() as campaign:
        desk.rollback(campaign, campaign.register.since - 3, "a general marched by mistake")
        campaign.save()
    table.play(3)
    table.close("the players have moved away")
    return table


def revealing(root: Path) -> SimulatedTable:
    """Some turns in which everything is committed to, locked and revealed."""
    table = SimulatedTable(root, conduct=Conduct(sealing="reveal"), scenario="introductory")
    table.join()
    table.play(8)
    table.close("far enough")
    return table


def chat(table: SimulatedTable) -> None:
    """A message, an agreement, and something that is no letter."""
    table.send(table.other_letter(PRUSSIA, "message", {"to": "all", "text": "Good morning."}))
    words = "Nobody enters Saxony before turn 3."
    table.send(table.other_letter(PRUSSIA, "agreement", {"with": AUSTRIA, "words": words}))
    table.send(table.other_letter(AUSTRIA, "agreement", {"with": PRUSSIA, "words": words}))
    table.send("Dear moderator, I shall be late.")


def new_keys(table: SimulatedTable) -> None:
    """One player changes keys by a letter, one by a ruling, and one is replaced."""
    key = new_key("new")
    table.send(table.other_letter(PRUSSIA, "key-change", {"key": key.public.text}))
    table.players[PRUSSIA].key = key
    lost, substitute = new_key("lost and found"), new_key("substitute")
    with table.open() as campaign:
        desk.rekey(campaign, FRANCE, lost.public.text, "a disk has failed")
        desk.substitute(campaign, AUSTRIA, substitute.public.text, "gone to sea", "Kaunitz")
        campaign.save()
    table.players[FRANCE].key, table.players[AUSTRIA].key = lost, substitute


def desk_work(table: SimulatedTable) -> None:
    """A ruling, more time, and an absence."""
    with table.open() as campaign:
        desk.rule(campaign, "A late letter counts if its postmark was in time.")
        desk.extend(campaign, campaign.now + timedelta(days=20), "holidays")
        desk.absence(campaign, Absence(PRUSSIA, date(2026, 12, 30), date(2026, 12, 31)))
        campaign.save()


def acting(table: SimulatedTable) -> None:
    """The moderator writes a letter in the place of the first player who owes one."""
    with table.open() as campaign:
        assert campaign.register.next is not None
        player = next(iter(campaign.register.next.owing))
        text = sign_letter(table.write(campaign, player), table.moderator)
        receipt = desk.take_letter(campaign, read_letter(text.encode(), "letter"), acted="ill, by telephone")
        assert receipt.status == "final"
        campaign.save()
