"""Subsidy contracts that a power could make now, in words with the orders that make them (§20)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.nouns import Power
from pbem.engine.table import player_of
from pbem.games.maria.rules.contracts import contract_between, may_contract, offering_power
from pbem.games.maria.rules.state import Table, affairs_of
from pbem.report.language.templates import macros_of, squeeze


def contracts_open(table: Table, power: Power, language: str) -> Iterator[str]:
    """Yield a sentence for each contract by which a power could give a subsidy to another power of its player, and for
    each contract that another player has offered to it."""
    words, rules = macros_of(language, "maria", "affairs_words.txt.j2"), table.rules
    for other in rules.powers:
        if player_of(table, other) != player_of(table, power) or contract_between(table, power, other):
            continue
        if may_contract(table, power, other):
            yield squeeze(str(words.may_give(power, other)))
    for contract in affairs_of(table).offers:
        if power in (contract.giver, contract.receiver) and offering_power(contract) != power:
            other, side = (contract.giver, "from") if power == contract.receiver else (contract.receiver, "to")
            yield squeeze(str(words.may_accept(contract, power, side, other)))
