"""Games that hypothesis plays: any legal answer, any transfer, any wrong answer, in any order."""

from __future__ import annotations

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbem.bots import plain
from pbem.engine.table import digest
from pbem.games.maria.rules import game
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.invariants import problems
from tests.play import EVERY, Player, position, transfer, turn_to_answer, twin
from tests.properties.chronicle import carry_out
from tests.properties.mutants import mutants
from tests.properties.offers import check_offers
from tests.properties.refusals import refused_or_sound
from tests.raider import raid

THROWS = st.integers(0, 2**32)


class Game(RuleBasedStateMachine):
    """One game, from any point on."""

    @initialize(terms=st.sampled_from(EVERY), seed=st.integers(0, 10_000), steps=st.integers(0, 250))
    def sit_down(self, terms: Terms, seed: int, steps: int) -> None:
        """Begin in mid-game, so that late turns are seen too."""
        self.table = position(terms, seed, steps)

    @precondition(lambda self: self.table.state.phase != "over")
    @rule(throw=THROWS, player=st.sampled_from([plain.choose, raid]))
    def answer(self, throw: int, player: Player) -> None:
        """Somebody answers."""
        chance = Random(throw)
        decision = turn_to_answer(self.table, chance)
        carry_out(self.table, decision.power, player(self.table, decision, chance))

    @precondition(lambda self: bool(game.anytime(self.table)))
    @rule(throw=THROWS)
    def arrange(self, throw: int) -> None:
        """Somebody moves troops within a stack."""
        chance = Random(throw)
        arrange = chance.choice(game.anytime(self.table))
        carry_out(self.table, arrange.power, transfer(arrange, self.table, chance))

    @precondition(lambda self: self.table.state.phase != "over")
    @rule(throw=THROWS)
    def answer_wrongly(self, throw: int) -> None:
        """Somebody answers with a legal answer bent out of shape, or out of turn."""
        chance = Random(throw)
        decision = turn_to_answer(self.table, chance)
        legal = raid(self.table, decision, chance)
        for wrong in mutants(legal, chance, 8):
            refused_or_sound(self.table, decision.power, wrong)
        for power in (*self.table.rules.powers, "nobody"):
            refused_or_sound(self.table, power, legal)

    @precondition(lambda self: self.table.state.phase != "over")
    @rule(throw=THROWS)
    def look(self, throw: int) -> None:
        """Check that everything offered is legal."""
        check_offers(self.table, Random(throw))

    @rule()
    def write_down(self) -> None:
        """The game goes on from its text."""
        copy = twin(self.table)
        assert copy.state == self.table.state
        assert digest(copy.state) == digest(self.table.state)
        self.table = copy

    @invariant()
    def is_sound(self) -> None:
        """The position is sound, and the game waits for somebody or is over."""
        if hasattr(self, "table"):
            assert problems(self.table) == []
            powers = [decision.power for decision in game.decisions(self.table)]
            assert len(set(powers)) == len(powers)
            assert bool(powers) == (self.table.state.phase != "over")


TestGame = Game.TestCase
TestGame.settings = settings(max_examples=15, stateful_step_count=30)
