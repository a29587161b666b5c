"""Puppets write letters that a moderator can carry out, also the last ones of a game."""

from __future__ import annotations

from pathlib import Path
from random import Random

from pbem.bots.plain import hold
from pbem.engine.decisions import Answer, Decision, March, Move
from pbem.engine.table import Table
from pbem.paper.lexicon import Lexicon
from tests.campaign.simulated import SimulatedTable

NEARLY_WON = """\
scenario: introductory
turn: 5
stage: prussia
phase: movement
begun: yes
owing: [prussia, saxony]
pieces: {Friedrich: "Ratibor, 8", Neipperg: "Linz, 4", Karl: "Wels, 5"}
markers:
  prussia: [Glogau, Liegnitz, Schweidnitz, Breslau, Brieg, Neisse, Glatz, Königgrätz, Olmütz, Troppau, Pardubitz]
"""


def winning(table: Table, decision: Decision, chance: Random) -> Answer:
    """Friedrich takes the last fortress that Prussia needs; all others stay."""
    if isinstance(decision, March) and decision.power == "prussia":
        lexicon = Lexicon(table.rules)
        friedrich, way = lexicon.piece("Friedrich"), (lexicon.city("Cosel"), lexicon.city("Oppeln"))
        if table.state.field.pieces[friedrich].city not in way:
            return Move((friedrich,), way)
    return hold(table, decision, chance)


def test_a_march_that_wins_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", position=NEARLY_WON).begun()
    for bot_player in table.players.values():
        bot_player.policy = winning
    with table.open() as campaign:
        orders = table.players["frederick"].decide(campaign.state)
    assert set(orders) == {"prussia", "saxony"}
    table.play(1)
    with table.open() as campaign:
        assert campaign.public.phase == "over"
