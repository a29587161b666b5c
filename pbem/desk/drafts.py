"""Drafts on the desk: two sets of orders, plans, the letter that reveals sealed parts, a proposal, a vote, and an
agreement."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.campaign.ledger.public_state import PLANS_SLOT
from pbem.campaign.letters.heads import LONGEST_JUMP
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.campaign_notes import FORMAT, CampaignNotes
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.letters import LetterContext, SealedPart, reveal_letter
from pbem.desk.draft import LETTER, Draft, mapping
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.player.letters import with_seq
from pbem.player.sealing import sealed_copy
from pbem.seal.keys import PrivateKey, PublicKey

ORDERS, SECOND, PLANS, REVEAL = "orders", "second", "plans", "reveal"
PROPOSAL, VOTE, AGREEMENT = "proposal", "vote", "agreement"


class Drafts:
    """Drafts of letters, keyed by name. The page shows and changes the draft on top."""

    def __init__(self, orders: Draft, seen: Guidance | None) -> None:
        """Begin with a draft of orders on top. A reader with a seat also gets empty notes."""
        self.seen = seen
        self.lying = {ORDERS: orders}
        self.chosen = ORDERS
        self.orders_last_on_top = ORDERS
        """Name of the draft of orders that lies on top, or lay there last."""
        self.sent: set[int] = set()
        """Numbers (`seq`) of the letters that may have been sent, because they were signed here or came here signed."""
        self.last_before = 0
        """Highest number of the letters by which this seat answered other reports."""
        self.gone: set[str] = set()
        """Names of the drafts that the player has marked as sent. These drafts keep their numbers."""
        self.notes: CampaignNotes | None = None
        """The player's notes, which have each sealed part and the values that prove its content. None for a reader
        without a seat, who cannot seal."""
        if seen and seen.seat:
            self.notes = CampaignNotes(FORMAT, seen.campaign, seen.seat, seen.moderator.text, seen.sealing, seen.terms)

    @property
    def top(self) -> Draft:
        return self.lying[self.chosen]

    @top.setter
    def top(self, draft: Draft) -> None:
        self.lying[self.chosen] = draft

    @property
    def takes_orders(self) -> bool:
        """Return whether the draft on top takes orders."""
        return self.chosen in (ORDERS, SECOND) and not self.top.is_sealed

    @property
    def draft_on_board(self) -> Draft:
        """The draft whose orders the board shows. If a proposal, a vote or an agreement lies on top, the board shows
        the draft of orders that lay on top last. Otherwise the board shows the draft on top."""
        return self.lying[self.orders_last_on_top] if self.chosen in (PROPOSAL, VOTE, AGREEMENT) else self.top

    def take_up(self, name: str) -> None:
        """Lay the draft `name` on top. If it does not exist yet, begin it. Raises `Refused` if it cannot be begun."""
        if name not in self.lying:
            self.lying[name] = self.new_draft(name)
            self.raise_number(name)
        self.chosen = name
        if name in (ORDERS, SECOND):
            self.orders_last_on_top = name

    def lay(self, name: str, text: str) -> None:
        """Lay a text on top, as the draft `name`. Raises `Refused` for a proposal, vote or agreement of a reader
        without a seat."""
        if name in (PROPOSAL, VOTE, AGREEMENT):
            if not self.notes:
                raise Refused(LETTER, [wrong("E-DESK-SEATLESS")])
            self.lying.setdefault(name, Draft(self.seen, text))
        self.take_up(name)
        self.top.become(text)
        self.raise_number(name)
        self.note_sent()

    def drop(self) -> None:
        """Delete the draft on top. The first draft of orders then lies on top."""
        del self.lying[self.chosen]
        self.take_up(ORDERS)

    def note_sent(self) -> None:
        """Note the number of the draft on top if it is signed, because it may have been sent."""
        if self.top.is_signed:
            self.sent.add(self.top.letter().seq)

    def number_from(self, last: int, gone: Iterable[str] = ()) -> None:
        """Number unsigned letters higher than `last`, the highest number of the letters by which the seat answered
        other reports. Drafts named in `gone` were sent, and keep their numbers. If `last` is too high, it is
        ignored."""
        self.gone.update(gone)
        if self.seen and last < self.seen.next_seq - 1 + LONGEST_JUMP:
            self.last_before = max(self.last_before, last)
        for name in self.lying:
            self.raise_number(name)

    def raise_number(self, name: str) -> None:
        """Number an unsigned draft higher than the seat's answers to other reports. A draft that is marked as sent
        keeps its number."""
        draft = self.lying[name]
        if 0 < draft.number <= self.last_before and not draft.is_signed and name not in self.gone:
            draft.text = with_seq(draft.letter(), self.last_before + 1)

    @property
    def last_number(self) -> int:
        """The highest number of this seat's letters that may have been sent."""
        return max(self.last_before, *self.sent, 0)

    def file_name(self) -> str:
        """Return the file name of the letter on top: campaign, seat, stage, draft and number; empty for other texts."""
        if not self.seen:
            return ""
        try:
            letter = self.top.letter()
        except Refused:
            return ""
        parts = (letter.campaign, letter.sender, self.seen.stage.replace("/", "-"), self.chosen, str(letter.seq))
        return f"{'-'.join(filter(None, parts))}.yaml" if not letter.missing_keys else ""

    def number_faults(self) -> list[Wrong]:
        """Return a warning if the unsigned letter on top has the number of a letter that may have been sent. Return an
        empty list if signing will change the number."""
        if not self.seen or self.seen.is_over or self.top.is_signed:
            return []
        try:
            letter = self.top.letter()
        except Refused:
            return []
        signed = [draft.letter() for draft in self.lying.values() if draft.is_signed]
        is_of_another = any(each.seq == letter.seq and each.kind != letter.kind for each in signed)
        if letter.seq not in self.sent or is_of_another:
            return []
        return [wrong("W-LETTER-SEQ.again", number=letter.seq, next=self.last_number + 1)]

    def new_draft(self, name: str) -> Draft:
        """Return a new draft, chosen by `name`: `SECOND` is a copy of the orders, `PLANS` is empty plans, any other
        name is the letter that reveals sealed parts. Raises `Refused` if there is no seat, or no part to reveal."""
        if name == SECOND:
            return self.lying[ORDERS].copy()
        if name == PLANS:
            return Draft.of_plans(self.seen)
        if not self.seen or not self.notes:
            raise Refused(LETTER, [wrong("E-DESK-SEATLESS")])
        parts = parts_to_reveal(self.seen, self.notes)
        if not parts:
            raise Refused(LETTER, [wrong("E-REVEAL-NOTHING")])
        occasion = LetterContext(self.seen.campaign, self.seen.seat, self.seen.stage, self.seen.basis)
        return Draft(self.seen, reveal_letter(occasion, self.seen.next_seq, parts))

    def orders_to_try(self) -> str:
        """Return the text of the second draft of orders if it lies on top, otherwise the text of the first."""
        return self.lying[self.chosen if self.chosen in (ORDERS, SECOND) else ORDERS].text

    def plans_to_try(self) -> str:
        """Return the plans as a file; empty without plans. Raises `Refused` for plans that cannot be read."""
        planned = self.lying[PLANS].orders() if PLANS in self.lying else {}
        plans = {power: found for power, sections in planned.items() if (found := mapping(sections).get("plans"))}
        return write({"pbem": 1, "kind": "plan", "plans": plans}) if plans else ""

    def switch(self) -> None:
        """Lay the second draft of orders on top, or the first if the second lies there."""
        self.take_up(SECOND if self.chosen == ORDERS else ORDERS)

    def keep(self) -> None:
        """Delete all drafts but the draft on top, which becomes the draft of orders."""
        self.lying[ORDERS] = self.lying.pop(self.chosen)
        self.lying.pop(SECOND, None)
        self.take_up(ORDERS)

    def sign(self, key: PrivateKey) -> None:
        """Sign the draft on top, with a number that no sent letter has. Do nothing if the key has signed it already.
        Raises `Refused` as `Draft.sign` does."""
        if not self.top.signature_by(key):
            self.top.sign(key, {*self.sent, self.last_before})
            self.note_sent()

    def seal(self) -> None:
        """Seal the draft on top, as `pbem seal` does, and note the sealed part; raises `Refused` if there is nothing to
        seal."""
        assert self.notes
        made = sealed_copy(self.top.letter(), self.notes, None, LETTER)
        campaign_notes.note_part(self.notes, made.occasion, made.part)
        self.top.become(made.text)

    def take_notes(self, data: bytes, source: str) -> None:
        """Load the player's notes from a file. Raises `Refused` if they are damaged, or belong to another campaign,
        seat or moderator."""
        assert self.seen
        notes = campaign_notes.read(data, source)
        if (notes.campaign, notes.seat) != (self.seen.campaign, self.seen.seat):
            raise Refused(source, [wrong("E-NOTES-FORM.other")])
        met = PublicKey.parse(notes.moderator)
        if met != self.seen.moderator:
            signer = self.seen.moderator.fingerprint
            raise Refused(source, [wrong("E-GUIDE-MODERATOR.met", signer=signer, met=met.fingerprint)])
        self.notes = notes


def parts_to_reveal(seen: Guidance, notes: CampaignNotes) -> dict[str, SealedPart]:
    """Return the sealed parts that a player can reveal, keyed by slot: the parts of the report's stage, and the plans
    if the report asks for them. If the notes have several parts for a slot, the last is returned."""
    found: dict[str, SealedPart] = {}
    for commitment, noted in notes.sealed.items():
        plans_wait = noted.slot == PLANS_SLOT and seen.plans is not None and seen.plans.hidden == "yes"
        if noted.stage == seen.stage or plans_wait:
            found[noted.slot] = campaign_notes.part_of(commitment, noted)
    return found
