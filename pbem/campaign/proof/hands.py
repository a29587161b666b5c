"""The hands that a report tells, held against the deal and the draws: each card proved once, and drawn by its power."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from pbem.campaign.ledger.records import CardProof
from pbem.campaign.letters.letterbox import is_salt
from pbem.campaign.players.guidance import Guidance, Proof
from pbem.campaign.proof.drawing import Draws
from pbem.campaign.proof.evidence import Evidence
from pbem.engine.cards import deck_cards
from pbem.engine.nouns import Card, Power
from pbem.engine.table import Table
from pbem.faults.words import words
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.lexicon import card_text
from pbem.seal.deal import check_opening

TakeFault = Callable[[Wrong], None]
"""Takes what is wrong."""


def check_hands(evidence: Evidence, report: Guidance, table: Table, note: TakeFault) -> dict[Power, list[str]]:
    """Note what is wrong with the hands and the proofs of a report; `table` is its position.

    Gives the cards that nothing in the report proves, by power, where their power has drawn them.
    """
    facts = table.rules.common.decks
    every = {card for deck in range(facts.decks) for card in deck_cards(facts, deck)}
    proofs = proved(evidence, report, every, note)
    draws = evidence.now.draws
    for proof in proofs.values():
        drawers = set(draws.drawers((proof.shuffle, proof.position)))
        if not drawers & {*report.powers, *evidence.played.get(report.seat, ()), ""}:
            note(wrong("E-VERIFY-CARD.reader", card=proof.name or words("a-card")))
    written = report.position.get("hands") or {}
    said = report.said.get("hand") or {}
    if listed(said) != listed(written):
        note(wrong("E-VERIFY-HAND.other"))
    if lacking := [power for power in report.powers if power not in written]:
        note(wrong("E-VERIFY-HAND.untold", powers=tuple(lacking)))
    return {
        power: named(unproved(evidence.now.draws, power, table.state.cards.hands[power], proofs, note))
        for power in report.powers
        if power in written
    }


def proved(evidence: Evidence, report: Guidance, every: Collection[int], note: TakeFault) -> dict[int, Proof]:
    """The proofs that hold, by card, of every card that there is: of one drawn twice, that of the later shuffle."""
    places: set[tuple[int, int]] = set()
    cards: set[tuple[int, int]] = set()
    found: dict[int, Proof] = {}
    for proof in report.proofs:
        place, what = (proof.shuffle, proof.position), proof.name or words("a-card")
        if proof.card not in every or not holds(proof, evidence.now.published):
            note(wrong("E-VERIFY-CARD.dealt", card=what, place=proof.position, shuffle=proof.shuffle))
        elif alike(proof.name) != named([Card(proof.card)])[0]:
            note(wrong("E-VERIFY-CARD.other", card=named([Card(proof.card)])[0], said=what))
        elif place in places or (proof.shuffle, proof.card) in cards:
            note(wrong("E-VERIFY-CARD.twice", card=what))
        elif not list(evidence.now.draws.drawers(place)):
            note(wrong("E-VERIFY-CARD.undrawn", card=what, place=proof.position, shuffle=proof.shuffle))
        elif proof.card not in found or found[proof.card].shuffle < proof.shuffle:
            found[proof.card] = proof
        places.add(place)
        cards.add((proof.shuffle, proof.card))
    return found


def holds(proof: CardProof, published: Mapping[int, tuple[str, ...]]) -> bool:
    """Whether the published hash of this place stands for this card."""
    hashes = published.get(proof.shuffle, ())
    if not is_salt(proof.salt) or not 0 <= proof.position < len(hashes):
        return False
    salt = bytes.fromhex(proof.salt)
    return check_opening(hashes[proof.position], proof.shuffle, proof.position, salt, proof.card)


def unproved(
    draws: Draws, power: Power, hand: Collection[Card], proofs: Mapping[int, Proof], note: TakeFault
) -> list[Card]:
    """The cards of a hand that nothing proves, more than have come into it without having been drawn."""
    lacking = []
    laid_out = draws.laid_out.get(power, ())
    for card in hand:
        proof, what = proofs.get(card), named([card])[0]
        if draws.is_spent(card, proof.shuffle if proof else None):
            note(wrong("E-VERIFY-HAND.spent", card=what, power=power))
        elif proof is None:
            lacking += [] if card in laid_out else [card]
        elif not draws.has_drawn(power, (proof.shuffle, proof.position)):
            others = tuple(filter(None, draws.drawers((proof.shuffle, proof.position))))
            which = "E-VERIFY-HAND.drawn" if others else "E-VERIFY-HAND.aside"
            note(wrong(which, card=what, power=power, others=others))
    return lacking if len(lacking) > draws.uncounted.get(power, 0) else []


def named(cards: Collection[Card]) -> list[str]:
    """Cards as reports write them."""
    return [alike(card_text(card, deck=True)) for card in cards]


def alike(card: str) -> str:
    """A card as a hand lists it: there the two Reserves of a deck, `R/1` and `R/1b`, are called the same."""
    return card.removesuffix("b")


def listed(hands: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Hands as they are compared, in whatever order their cards stand."""
    return {power: sorted(map(alike, cards)) for power, cards in hands.items()}
