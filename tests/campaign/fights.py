"""Campaigns of both games that begin with a combat due, for tests of plans: Austria is attacked, and who attacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.play.adjudicating import Adjudication, Receipt
from pbem.campaign.players.letters import sealed_part
from pbem.campaign.settings import Conduct
from pbem.engine.events import BattleTied, BattleWon, CardPlayed, Event
from pbem.paper.documents.writing import write
from pbem.paper.lexicon import SIGNS
from pbem.plans.practice import PracticeWish, practice_position
from pbem.seal.canonical import Tree
from tests.campaign.simulated import SimulatedTable, codes
from tests.plans.ground import empty

OWN, PLAYER = "austria", "maria-theresa"
HAND, ENEMY_HAND = "d10 d9 d7 d4 d3 R", "s10 s9 s7 s5 s2"


class Fight(Struct):
    """A campaign in which Austria is attacked."""

    table: SimulatedTable
    enemy: str
    foe: str
    """The player of the power that attacks."""

    def copied(self, root: Path) -> Fight:
        """The same campaign once more."""
        return Fight(self.table.copied(root), self.enemy, self.foe)

    def power_of(self, player: str) -> str:
        """The power of a player that fights."""
        return OWN if player == PLAYER else self.enemy

    def plan_text(self, player: str, *plans: Tree, sealed: bool = False) -> str:
        """A letter with standing plans for the power that fights; with none it withdraws them."""
        orders: dict[str, Tree] = {self.power_of(player): {"plans": list(plans)}} if plans else {}
        if not sealed:
            return self.table.other_letter(player, "plan", {"orders": orders})
        part = sealed_part(self.table.occasion(player), "plans", orders)
        return self.table.other_letter(player, "plan", {"sealed": {"plans": self.table.boxed(part)}})

    def plan(self, player: str, *plans: Tree, sealed: bool = False) -> Receipt:
        """Standing plans arrive and are taken."""
        receipt = self.table.send(self.plan_text(player, *plans, sealed=sealed))
        assert receipt.status in ("partial", "final"), codes(receipt)
        return receipt

    def orders_text(self, player: str, sections: dict[str, Tree], sealed: bool = False) -> str:
        """A letter with orders for the power that fights."""
        orders: dict[str, Tree] = {self.power_of(player): sections}
        if sealed:
            return self.table.letter(player, sealed={"orders": orders})
        return self.table.letter(player, orders)

    def orders(self, player: str, sections: dict[str, Tree], sealed: bool = False) -> Receipt:
        """Orders arrive and are taken."""
        receipt = self.table.send(self.orders_text(player, sections, sealed))
        assert receipt.status in ("partial", "final", "draft"), codes(receipt)
        return receipt

    def card(self, player: str, card: str) -> Adjudication:
        """One card, and an adjudication."""
        self.orders(player, {"play": [card]})
        return self.table.carried_out()

    def go_on_to(self, power: str) -> list[Adjudication]:
        """Nobody writes, until the stage of a power has come: defaults answer for who has no plans."""
        done: list[Adjudication] = []
        while self.stage.split("/")[1] != power:
            done.append(self.table.carried_out(force=True))
        return done

    @property
    def stage(self) -> str:
        """Present stage of the game."""
        with self.table.open() as campaign:
            return campaign.state.stage

    def owing(self) -> dict[str, tuple[str, ...]]:
        """Players who are asked, and have not answered."""
        with self.table.open() as campaign:
            waiting = campaign.public.next
            assert waiting is not None
            return {player: powers for player, powers in waiting.owing.items() if player not in waiting.answered}

    def news(self) -> dict[str, Briefing]:
        """News for everybody."""
        with self.table.open() as campaign:
            return briefings(campaign)

    def close(self) -> None:
        """Publish everything, and carry it out again."""
        self.table.close("far enough")
        self.table.assert_verified()


def begin(
    root: Path,
    game: str,
    score: int = 0,
    hand: str = HAND,
    enemy_hand: str = ENEMY_HAND,
    conduct: Conduct | None = None,
) -> Fight:
    """A campaign in which a combat is due in which Austria, who plays ♦, is attacked by who plays ♠."""
    ground = PracticeWish(score, SIGNS["d"], SIGNS["s"], tuple(hand.split()), tuple(enemy_hand.split()), OWN, False, 6)
    sides, document = practice_position(empty(game), ground)
    assert sides.own == OWN
    text = write({"game": game, **document})
    table = SimulatedTable(root, conduct=conduct, position=text, game=game).begun()
    foe = {"france": "louis", "prussia": "frederick"}[sides.enemy]
    return Fight(table, sides.enemy, foe)


def cards(events: Sequence[Event]) -> list[tuple[str, int]]:
    """The cards that were played: by whom, and what each counted."""
    return [(event.power, event.value) for event in events if isinstance(event, CardPlayed)]


def results(events: Sequence[Event]) -> list[str]:
    """Results of combats."""
    return [type(event).__name__ for event in events if isinstance(event, BattleWon | BattleTied)]


def battle(**keys: Tree) -> dict[str, Tree]:
    """A plan for a battle."""
    return {"for": "battle", **{key.rstrip("_"): value for key, value in keys.items()}}


def standing(**keys: Tree) -> dict[str, Tree]:
    """A standing plan for a battle."""
    return battle(standing="yes", **keys)
