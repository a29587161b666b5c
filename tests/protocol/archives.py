"""Archives to verify: whole campaigns by letter, in which everything that a ledger can tell happens."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from pbem.campaign.clock.clock import Clock
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.founding import NewCampaign, begin
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.players.letters import SealedPart, reveal_letter, sealed_part
from pbem.campaign.settings import Conduct, Moderator, Newcomer
from pbem.engine.table import player_of
from pbem.paper.letters import read_letter, sign_letter
from pbem.seal.canonical import Tree
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
        rulings.rollback(campaign, campaign.public.since - 3, "a general marched by mistake")
        campaign.save()
    table.play(3)
    table.close("the players have moved away")
    return table


def lock(table: SimulatedTable) -> None:
    """Everybody who is asked commits to orders, and the moderator locks them."""
    with table.open() as campaign:
        assert campaign.public.next is not None
        for player in campaign.public.next.owing:
            table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign, force=True)
        assert campaign.public.locked
        campaign.save()


def revealing(root: Path) -> SimulatedTable:
    """Some turns in which everything is committed to, locked and revealed."""
    table = SimulatedTable(root, conduct=Conduct(sealing="reveal"), scenario="introductory")
    table.join()
    table.play(2)
    first = sealed_plan(table, FRANCE, {"for": "retreat", "towards": "trains", "standing": "yes"})
    show(table, FRANCE, first)
    for player in (PRUSSIA, AUSTRIA):
        part = sealed_plan(table, player, {"for": "battle", "tactic": "hold", "standing": "yes"})
    lock(table)
    show(table, AUSTRIA, part)
    table.adjudicate(after=timedelta(days=9))
    sealed_plan(table, FRANCE, {"for": "battle", "tactic": "win", "standing": "yes"})
    with table.open() as campaign:
        to = campaign.public.since - 2
    for player in table.players:
        others = ", ".join(other for other in table.players if other != player)
        table.send(table.other_letter(player, "agreement", {"with": others, "words": f"rollback to {to}"}))
    with table.open() as campaign:
        rulings.rollback(campaign, to, "a commitment was lost")
        campaign.save()
    table.play(4)
    table.close("far enough")
    return table


def sealed_plan(table: SimulatedTable, player: str, plan: Tree) -> SealedPart:
    """A standing plan of which only the commitment is sent."""
    part = sealed_part(
        table.occasion(player), "plans", {power: {"plans": [plan]} for power in powers_of(table, player)}
    )
    body: Tree = {"sealed": {"plans": {"commitment": part.commitment}}}
    assert table.send(table.other_letter(player, "plan", body)).status == "partial"
    return part


def show(table: SimulatedTable, player: str, part: SealedPart) -> None:
    """The letter that shows what its player has sealed last: plans, and behind a lock orders, too."""
    bot_player = table.players[player]
    parts = {"plans": part}
    with table.open() as campaign:
        pending = campaign.public.pending.get(player)
        if campaign.public.locked and pending and bot_player.committed:
            parts["orders"] = bot_player.committed
    text = reveal_letter(table.occasion(player), bot_player.next_seq(), parts)
    assert table.send(sign_letter(text, bot_player.key)).status in ("partial", "final")


def planned(root: Path) -> SimulatedTable:
    """Standing plans that answer, are replaced and sealed; the moderator plays, and cards are proved at the close."""
    table = seated(root, PRUSSIA, Conduct(proofs="at the close"))
    table.join()
    table.play(0)
    table.send(plan(table, PRUSSIA, {"for": "allot", "give": "even", "standing": "yes"}))
    table.send(plan(table, FRANCE, {"for": "battle", "tactic": "hold", "standing": "yes"}))
    with table.open() as campaign:
        for player in (FRANCE, AUSTRIA):
            table.deliver(campaign, table.write(campaign, player))
        adjudicating.adjudicate(campaign)
        campaign.save()
    table.play(4)
    table.send(plan(table, FRANCE, {"for": "battle", "tactic": "win", "standing": "yes"}, sealed=True))
    table.send(plan(table, PRUSSIA))
    table.play(4)
    with table.open() as campaign:
        rulings.rollback(campaign, campaign.public.since - 2, "a plan was read wrongly")
        campaign.save()
    table.play(4)
    table.close("far enough")
    return table


def fated(root: Path) -> SimulatedTable:
    """FRIEDRICH with five decks into the turns of the Clock of Fate, somebody having run out of time."""
    clock = Clock(delay="0m", at_deadline="hold")
    table = SimulatedTable(root, clock=clock, game="friedrich", scenario="four", decks="5")
    table.join()
    table.play(1)
    table.adjudicate(after=timedelta(days=6))
    table.adjudicate(force=True)
    while not fate_cards(table, 3):
        table.play(5)
    table.close("far enough")
    return table


def fate_cards(table: SimulatedTable, wanted: int) -> bool:
    """True if so many Cards of Fate have been read."""
    texts = [path.read_text("utf-8") for path in (table.root / "ledger").glob("*-adjudication.yaml")]
    return sum(text.count("type: FateDrawn") for text in texts) >= wanted


def seated(root: Path, seat: str, conduct: Conduct) -> SimulatedTable:
    """A campaign whose moderator plays."""
    table = SimulatedTable(root.with_name("before"), conduct=conduct, scenario="introductory")
    table.settings = replace(table.settings, moderator=Moderator(seat=seat))
    table.root = root
    begin(table.root, NewCampaign(table.settings, {}, {}, "test"), b"\x07" * 32, table.moderator, table.now)
    return table


def plan(table: SimulatedTable, player: str, *plans: Tree, sealed: bool = False) -> str:
    """A letter with the same standing plans for all powers of a player; with none it withdraws them."""
    orders: dict[str, Tree] = {power: {"plans": list(plans)} for power in powers_of(table, player) if plans}
    if not sealed:
        return table.other_letter(player, "plan", {"orders": orders})
    part = sealed_part(table.occasion(player), "plans", orders)
    return table.other_letter(player, "plan", {"sealed": {"plans": table.boxed(part)}})


def powers_of(table: SimulatedTable, player: str) -> list[str]:
    """The powers of a player."""
    with table.open() as campaign:
        game = campaign.state.table
        assert game is not None
        return [power for power in game.rules.powers if player_of(game, power) == player]


def chat(table: SimulatedTable) -> None:
    """A message, an agreement, and something that is no letter."""
    table.send(table.other_letter(PRUSSIA, "message", {"to": "all", "text": "Good morning."}))
    words = "Nobody enters Saxony before turn 3."
    bound: dict[str, Tree] = {
        "words": words,
        "until": "3",
        "binds": {"cities": "Wien , Berlin", "stages": ["setup"]},
    }
    table.send(table.other_letter(PRUSSIA, "agreement", {"with": AUSTRIA, **bound}))
    table.send(table.other_letter(AUSTRIA, "agreement", {"with": PRUSSIA, **bound}))
    table.send("Dear moderator, I shall be late.")


def new_keys(table: SimulatedTable) -> None:
    """One player changes keys by a letter, one by a ruling, and one is replaced."""
    key = new_key("new")
    table.send(table.key_change(PRUSSIA, key))
    table.players[PRUSSIA].key = key
    lost, substitute = new_key("lost and found"), new_key("substitute")
    with table.open() as campaign:
        rulings.rekey(campaign, FRANCE, lost.public.text, "a disk has failed")
        rulings.substitute(campaign, AUSTRIA, substitute.public.text, "gone to sea", Newcomer("Kaunitz"))
        campaign.save()
    table.players[FRANCE].key, table.players[AUSTRIA].key = lost, substitute


def desk_work(table: SimulatedTable) -> None:
    """A ruling, more time, and an absence."""
    with table.open() as campaign:
        rulings.rule(campaign, "A late letter counts if its postmark was in time.")
        rulings.extend(campaign, campaign.now + timedelta(days=20), "holidays")
        rulings.enter_absence(
            campaign,
            Absence(PRUSSIA, (campaign.now + timedelta(days=39)).date(), (campaign.now + timedelta(days=40)).date()),
        )
        campaign.save()


def acting(table: SimulatedTable) -> None:
    """The moderator writes a letter in the place of the first player who owes one."""
    with table.open() as campaign:
        assert campaign.public.next is not None
        player = next(iter(campaign.public.next.owing))
        text = sign_letter(table.write(campaign, player), table.moderator)
        receipt = adjudicating.take_letter(campaign, read_letter(text.encode(), "letter"), acted="ill, by telephone")
        assert receipt.status == "final"
        campaign.save()
