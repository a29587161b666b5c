"""What the ledger tells everybody up to one of its entries: what a report of that entry is held against."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pbem.campaign.campaign import opener_of, rules_of
from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.adding_up import add_entry, public_state_at_start
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.past_events import events_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.proof.drawing import Draws, laid_out
from pbem.engine.cards import OTHER_DECKS, PICKS
from pbem.engine.copying import deep_copy
from pbem.paper.terms import game_of_terms


class DealState(Struct):
    """What a rollback turns back."""

    published: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The hashes published of every shuffle."""
    draws: Draws = field(default_factory=Draws)
    plans: dict[str, int] = field(default_factory=dict)
    """The letter with standing plans that is in force, by player."""
    hidden: tuple[str, ...] = ()
    """Whose plans were still to be revealed."""

    @property
    def shuffles(self) -> int:
        """How many there have been; other decks, and picks from hands, are counted with those of the draw deck."""
        count = self.draws.shuffles
        while any(base + count in self.published for base in (0, OTHER_DECKS, PICKS)):
            count += 1
        return count


class Evidence:
    """Entries of a ledger from the first on, added up."""

    def __init__(self, folder: Folder, entries: Sequence[tuple[Entry, r.Record]]) -> None:
        """Add up entries that have been verified before; in `folder` are the files of the campaign's own."""
        self.folder = folder
        first = entries[0][1]
        assert isinstance(first, r.NewRecord)
        self.public: PublicState = public_state_at_start(first)
        self.now = DealState()
        self.then: dict[int, DealState] = {}
        """The dealing as it was after every entry to which the game can be turned back."""
        self.played: dict[str, set[str]] = {}
        """The powers that each player was ever asked for."""
        for entry, record in entries:
            self.take(entry, record)
            add_entry(self.public, entry.number, stamp(entry.time), record, entry.hash)

    @property
    def game(self) -> str:
        """The game that is played."""
        return game_of_terms(self.public.settings.terms)

    def take(self, entry: Entry, record: r.Record) -> None:
        """Let what a report is held against follow one entry, which is not added to the public state yet."""
        plans = self.now.plans
        match record:
            case r.AdjudicationRecord():
                self.adjudicated(record)
            case r.RollbackRecord(to) if r.goes_back(record):
                self.turned_back(to)
            case r.LetterRecord(player, "plan"):
                plans[player] = entry.number
            case r.SubstituteRecord(player):
                plans.pop(player, None)
        if isinstance(record, r.AdjudicationRecord):
            for player, powers in record.next.owing.items():
                self.played.setdefault(player, set()).update(powers)
        if r.is_position(record):
            # Copied, for `follow` changes lists in place; and again when the game turns back, which it may do twice.
            self.then[entry.number] = deep_copy(self.now)

    def adjudicated(self, record: r.AdjudicationRecord) -> None:
        """Cards were dealt and drawn; behind a lock, plans that were not revealed are out of force."""
        public, now = self.public, self.now
        if not public.version and public.settings.position:
            rules = rules_of(self.folder, public.settings, public.protocol)
            now.draws = laid_out(opener_of(self.folder, public.settings), rules)
        now.published |= {dealt.number: dealt.hashes for dealt in record.dealt}
        now.draws.follow(events_in(self.game, record.events))
        forfeited = public.unshown if public.locked else {}
        now.plans = {player: entry for player, entry in now.plans.items() if player not in forfeited}
        now.hidden = tuple(player for player in public.unshown if player not in forfeited)

    def turned_back(self, to: int) -> None:
        """It is again as it was, but for the plans of who has left, and those that nobody had seen."""
        self.now = deep_copy(self.then[max(number for number in self.then if number <= to)])
        taken = {player: who.since for player, who in self.public.players.items()}
        self.now.plans = {
            player: entry
            for player, entry in self.now.plans.items()
            if entry > taken[player] and player not in self.now.hidden
        }
        self.now.hidden = ()
