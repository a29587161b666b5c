"""What unsigned letters may leave out of their heads, because their sheets had it there."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.public_state import BASIS, seq_key
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.ledger.replaying import record_in
from pbem.paper.letters import Letter, completed


class LetterCompleter:
    """Completes letters that leave to their sheet what a campaign without signatures lets them leave out.

    Such a letter has no number by which a copy of it could be told: one that says the same as an earlier one is a copy.
    """

    def __init__(self, campaign: Campaign) -> None:
        """Read nothing before it is needed."""
        self.campaign = campaign
        self.read_to = 0
        self.entries: dict[tuple[str, str, str], list[int]] = {}

    def completed(self, letter: Letter) -> Letter:
        """The letter with the number and the basis of the letter that it repeats, or else of the next one."""
        public = self.campaign.public
        is_open = public.settings.conduct.signing == "off" and not letter.signature
        if not letter.lacking or not is_open or letter.campaign != public.settings.campaign:
            return letter
        for before in self.before(letter):
            again = completed(letter, before.seq, before.basis)
            if again.tree == before.tree:
                return again
        seq = public.seqs.get(seq_key(letter.sender, letter.kind), 0) + 1
        return completed(letter, seq, public.basis[:BASIS])

    def before(self, letter: Letter) -> Iterator[Letter]:
        """The letters of the same seat and kind, for the same stage, that were taken before."""
        for entry in self.campaign.ledger.entries(self.read_to + 1):
            record = record_in(entry)
            if isinstance(record, LetterRecord) and not record.acted:
                self.entries.setdefault((record.player, record.kind, record.stage), []).append(entry.number)
            self.read_to = entry.number
        for number in reversed(self.entries.get((letter.sender, letter.kind, letter.stage), [])):
            yield self.campaign.held(number).letter
