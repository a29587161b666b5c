"""Checks of hands and proofs in a report, and the evidence from the ledger that they need."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct, ValidationError, convert, field

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.folder import Folder
from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, events_in
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import CardProof
from pbem.campaign.letters.letterbox import is_salt
from pbem.campaign.players.guidance import Guidance, Proof
from pbem.campaign.proof.drawing import Draws, draws_at_start
from pbem.engine.cards import OTHER_DECKS, PICKS, deck_cards
from pbem.engine.nouns import Card, Power
from pbem.engine.table import Table, deep_copy
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.lexicon import card_text
from pbem.paper.library import game_of_terms
from pbem.seal.canonical import AnyTree
from pbem.seal.deal import check_opening


class DealState(Struct):
    """State of the provable deal after an entry of the ledger. A rollback to that entry restores this state."""

    published: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Dict from the number of each shuffle to its published hashes."""
    draws: Draws = field(default_factory=Draws)
    plans: dict[str, int] = field(default_factory=dict)
    """Dict from each player with valid standing plans to the entry of their letter."""
    hidden: tuple[str, ...] = ()
    """Players whose plans were still to be revealed."""

    @property
    def shuffles(self) -> int:
        """Return the number of shuffles so far, of all decks. A random pick from a hand counts as a shuffle, too."""
        count = self.draws.shuffles
        while any(base + count in self.published for base in (0, OTHER_DECKS, PICKS)):
            count += 1
        return count


class Evidence:
    """Facts from the ledger with which a report is compared."""

    def __init__(self, folder: Folder, entries: Sequence[tuple[Entry, r.Record]]) -> None:
        """Gather the facts of these verified entries, which begin with entry 1. `folder` has the campaign's own
        files."""
        self.folder, self.entries = folder, entries
        first = entries[0][1]
        assert isinstance(first, r.NewRecord)
        self.public: PublicState = public_state_at_start(first)
        self.now = DealState()
        self.then: dict[int, DealState] = {}
        """States of the deal to which the game can be turned back. The key is the entry after which the deal was in
        this state."""
        self.played: dict[str, set[str]] = {}
        """Dict from each player to the powers for which the player ever owed orders."""
        for entry, record in entries:
            self.take(entry, record)
            add_entry(self.public, entry.number, stamp(entry.time), record, entry.hash)

    @property
    def game(self) -> str:
        return game_of_terms(self.public.settings.terms)

    def take(self, entry: Entry, record: r.Record) -> None:
        """Add one entry to the evidence. This must be done before the entry changes the public state."""
        plans = self.now.plans
        match record:
            case r.AdjudicationRecord():
                self.add_adjudication(record)
            case r.RollbackRecord(to) if r.goes_back(record):
                self.go_back(to)
            case r.LetterRecord(player, "plan"):
                plans[player] = entry.number
            case r.SubstituteRecord(player):
                plans.pop(player, None)
        if isinstance(record, r.AdjudicationRecord):
            for player, powers in record.next.owing.items():
                self.played.setdefault(player, set()).update(powers)
        if r.is_position(record):
            # This is a copy, because `follow` changes lists in place. `go_back` copies it again, because two rollbacks
            # may use it.
            self.then[entry.number] = deep_copy(self.now)

    def add_adjudication(self, record: r.AdjudicationRecord) -> None:
        """Add the deals and draws of an adjudication. Forfeited plans are dropped."""
        public, now = self.public, self.now
        if not public.version and public.settings.position:
            rules = rules_of(self.folder, public.settings, public.protocol)
            now.draws = draws_at_start(opener_of(self.folder, public.settings), rules)
        now.published |= {dealt.number: dealt.hashes for dealt in record.dealt}
        now.draws.follow(events_in(self.game, record.events))
        forfeited = public.unshown if public.locked else {}
        now.plans = {player: entry for player, entry in now.plans.items() if player not in forfeited}
        now.hidden = tuple(player for player in public.unshown if player not in forfeited)

    def go_back(self, target: int) -> None:
        """Go back to the state after an earlier entry. Hidden plans are dropped, and also plans of players who do not
        have their seats any more."""
        self.now = deep_copy(self.then[max(number for number in self.then if number <= target)])
        taken = {player: who.since for player, who in self.public.players.items()}
        self.now.plans = {
            player: entry
            for player, entry in self.now.plans.items()
            if entry > taken[player] and player not in self.now.hidden
        }
        self.now.hidden = ()


TakeFault = Callable[[Wrong], None]
"""Function that notes a fault."""


def check_hands(evidence: Evidence, report: Guidance, table: Table, note: TakeFault) -> dict[Power, list[str]]:
    """Return those cards in the report's hands that need a proof but have none, by power. `note` is called with every
    other fault of hands and proofs. `table` has the report's position."""
    facts = table.rules.common.decks
    every = {card for deck in range(facts.decks) for card in deck_cards(facts, deck)}
    proofs = valid_proofs(evidence, report, every, note)
    draws = evidence.now.draws
    for proof in proofs.values():
        drawers = set(draws.drawers((proof.shuffle, proof.position)))
        if not drawers & {*report.powers, *evidence.played.get(report.seat, ()), ""}:
            note(wrong("E-VERIFY-CARD.reader", card=proof.name or words("a-card")))
    written = report.position.get("hands") or {}
    if comparable_hands(report.said.get("hand")) != comparable_hands(written):
        note(wrong("E-VERIFY-HAND.other"))
    if lacking := [power for power in report.powers if power not in written]:
        note(wrong("E-VERIFY-HAND.untold", powers=tuple(lacking)))
    return {
        power: card_texts(unproved_cards(evidence.now.draws, power, table.state.cards.hands[power], proofs, note))
        for power in report.powers
        if power in written
    }


def valid_proofs(evidence: Evidence, report: Guidance, every: Collection[int], note: TakeFault) -> dict[int, Proof]:
    """Return the valid proof of each card in a report. If a card has several, return the proof for the latest shuffle.
    `note` is called with the faults of other proofs. `every` has all tactical cards."""
    places: set[tuple[int, int]] = set()
    cards: set[tuple[int, int]] = set()
    found: dict[int, Proof] = {}
    for proof in report.proofs:
        place, what = (proof.shuffle, proof.position), proof.name or words("a-card")
        if proof.card not in every or not is_proven(proof, evidence.now.published):
            note(wrong("E-VERIFY-CARD.dealt", card=what, place=proof.position, shuffle=proof.shuffle))
        elif hand_text(proof.name) != card_texts([Card(proof.card)])[0]:
            note(wrong("E-VERIFY-CARD.other", card=card_texts([Card(proof.card)])[0], said=what))
        elif place in places or (proof.shuffle, proof.card) in cards:
            note(wrong("E-VERIFY-CARD.twice", card=what))
        elif not list(evidence.now.draws.drawers(place)):
            note(wrong("E-VERIFY-CARD.undrawn", card=what, place=proof.position, shuffle=proof.shuffle))
        else:
            found[proof.card] = max(found.get(proof.card, proof), proof, key=lambda each: each.shuffle)
        places.add(place)
        cards.add((proof.shuffle, proof.card))
    return found


def is_proven(proof: CardProof, published: Mapping[int, tuple[str, ...]]) -> bool:
    """True if a proof fits the hash that was published for its place."""
    hashes = published.get(proof.shuffle, ())
    if not is_salt(proof.salt) or not 0 <= proof.position < len(hashes):
        return False
    salt = bytes.fromhex(proof.salt)
    return check_opening(hashes[proof.position], proof.shuffle, proof.position, salt, proof.card)


def unproved_cards(
    draws: Draws, power: Power, hand: Collection[Card], proofs: Mapping[int, Proof], note: TakeFault
) -> list[Card]:
    """Return the cards of a hand that need a proof but have none. If all of these may have come from other hands,
    return no cards. `note` is called with a fault for each spent card, and for each card that the power has not
    drawn."""
    lacking = []
    laid_out = draws.laid_out.get(power, ())
    for card in hand:
        proof, what = proofs.get(card), card_texts([card])[0]
        if draws.is_spent(card, proof.shuffle if proof else None):
            note(wrong("E-VERIFY-HAND.spent", card=what, power=power))
        elif proof is None:
            lacking += [] if card in laid_out else [card]
        elif not draws.has_drawn(power, (proof.shuffle, proof.position)):
            others = tuple(filter(None, draws.drawers((proof.shuffle, proof.position))))
            which = "E-VERIFY-HAND.drawn" if others else "E-VERIFY-HAND.aside"
            note(wrong(which, card=what, power=power, others=others))
    # All of these may have come from other hands.
    return lacking if len(lacking) > draws.uncounted.get(power, 0) else []


def card_texts(cards: Collection[Card]) -> list[str]:
    """Return the texts of cards as a report's hands have them."""
    return [hand_text(card_text(card, deck=True)) for card in cards]


def hand_text(card: str) -> str:
    """Return a card's text as a report's hands have it: without the `b` of a second Reserve."""
    return card.removesuffix("b")


def comparable_hands(hands: AnyTree) -> dict[str, list[str]] | None:
    """Return hands with sorted cards, for comparing. Return None for a value of another form."""
    try:
        found = convert(hands or {}, dict[str, tuple[str, ...]])
    except ValidationError:
        return None
    return {power: sorted(map(hand_text, cards)) for power, cards in found.items()}
