"""A report that a player has kept, held against the ledger: everything in it that its reader acts upon.

While a campaign runs its position is held against the digest of what everybody may know, its hand against the deal and
the draws; once it is closed, all of it against the game played again (docs/protocol.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from collections.abc import Mapping as Entries
from datetime import datetime

from msgspec.structs import replace

from pbem.campaign.campaign import opener_of, rules_of
from pbem.campaign.clock.timing import CampaignTime, orders_now
from pbem.campaign.ledger.public_state import BASIS
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.ledger.records import CloseRecord, LetterRecord, as_texts
from pbem.campaign.ledger.replaying import replay
from pbem.campaign.letters.letterbox import node_of
from pbem.campaign.letters.order_states import state_of
from pbem.campaign.letters.verdicts import MODERATOR
from pbem.campaign.play.secret_state import SecretState, difference, public_digest
from pbem.campaign.players.guidance import Guidance, known_table
from pbem.campaign.proof.evidence import Evidence
from pbem.campaign.proof.findings import Verification
from pbem.campaign.proof.hands import check_hands
from pbem.campaign.proof.opened_letters import letters_opened
from pbem.engine.table import GameRules, Table, player_of
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Mapping, plain_mapping, read
from pbem.paper.documents.writing import Value, write
from pbem.paper.letters import letter_id
from pbem.paper.orders.answers import section_of
from pbem.paper.positions.knowledge import known_document
from pbem.paper.terms import read_terms, term_keys, terms_document
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import PublicKey

OBSERVER = "observer"
NAMES_RULINGS = 2
"""The protocol from which on a position names all rulings by which the game is played."""
PROVES_HANDS = 2
"""The protocol from which on a report proves every card of its hands, however long ago it was drawn."""


def check_report(reading: Reading, report: Guidance, source: str, found: Verification) -> None:
    """Note everything of the report that the ledger does not say."""
    Remembered(reading, report, source, found).check()


class Remembered:
    """One report, held against a ledger that was found to be sound."""

    def __init__(self, reading: Reading, report: Guidance, source: str, found: Verification) -> None:
        """Take the report, and where to note what is wrong with it."""
        self.reading = reading
        self.report = report
        self.source = source
        self.found = found

    def note(self, what: str, code: str = "E-VERIFY-REPORT") -> None:
        """Note something that is wrong."""
        self.found.note(self.source, code, what)

    def check(self) -> None:
        """Everything; behind a head that is not in the ledger nothing more can be said."""
        if self.report.campaign != self.reading.settings.campaign:
            self.note(f"the report is of {self.report.campaign}, the folder of {self.reading.settings.campaign}")
        elif self.report.head is None:
            self.note("this is no report: it does not say how far it tells")
        elif self.is_there(self.report.head.entry, self.report.head.hash):
            evidence = Evidence(self.reading.folder, self.reading.entries[: self.report.head.entry])
            if self.report.moderator != PublicKey.parse(evidence.public.moderator):
                self.note("the report is signed with another key than the campaign's moderator had")
                return
            self.check_said(evidence)

    def is_there(self, number: int, fingerprint: str) -> bool:
        """The entry up to which the report tells must be there, unchanged."""
        last = self.reading.head.number
        if not 1 <= number <= last:
            self.note(f"the report tells of entry {number}, the ledger ends with {last}", "E-VERIFY-SHORT")
            return False
        if self.reading.entries[number - 1][0].hash != fingerprint:
            self.note(f"entry {number} is another than when the report was written", "E-VERIFY-OTHER")
            return False
        return True

    def check_said(self, evidence: Evidence) -> None:
        """What the report says of the campaign, then of the position, then of the cards."""
        self.compare(said_of_campaign(evidence, self.report), self.report.said)
        rules = rules_of(self.reading.folder, evidence.public.settings, evidence.public.protocol)
        if not self.names_terms(rules):
            return
        table = self.position(rules)
        if table is None:
            return
        self.check_position(evidence, table)
        for power, cards in check_hands(evidence, self.report, table, self.note).items():
            self.unproved(power, cards)
        self.found.figures.cards += len(self.report.proofs)
        self.check_plans(evidence)
        if self.reading.public.phase == "closed":
            self.check_played(evidence, rules, table)

    def compare(self, expected: Entries[str, Value], said: Entries[str, AnyTree]) -> None:
        """Note every key under which the report says something else than the ledger."""
        for key, value in as_read(expected).items():
            if said.get(key, "") != value:
                self.note(f"it says `{key}: {inline(said.get(key, ''))}`, by the ledger it was `{inline(value)}`")

    def names_terms(self, rules: GameRules) -> bool:
        """Whether the position is of the game that the campaign plays, on its terms."""
        reader = Reader(self.source)
        node = node_of(self.report.position, 1, 1)
        assert isinstance(node, Mapping)
        said = terms_document(read_terms(reader, node.items))
        agreed = terms_document(rules.terms)
        if self.reading.public.protocol < NAMES_RULINGS:
            said.pop("rulings", None), agreed.pop("rulings", None)
        if reader.faults or said != agreed:
            self.note("its position is of another game, or of other terms, than the campaign", "E-VERIFY-POSITION")
            return False
        return True

    def position(self, rules: GameRules) -> Table | None:
        """The position as the report tells it, by the rules that the campaign is played by."""
        keys = term_keys(rules.terms.game)
        rest = {key: value for key, value in self.report.position.items() if key not in keys}
        whole = as_read(terms_document(rules.terms)) | rest
        try:
            table: Table = known_table(replace(self.report, position=whole), self.source, self.reading.folder.rules)
        except Refused as refused:
            self.note(f"its position makes no sense: {refused.faults[0].message}", "E-VERIFY-POSITION")
            return None
        return table

    def check_position(self, evidence: Evidence, table: Table) -> None:
        """Everything in the position that is public, whose powers it shows, and what the rest repeats of it."""
        following = evidence.public.next
        if following and public_digest(table) != following.digest:
            message = "what everybody may know of its position is not what the ledger's digest stands for"
            self.note(message, "E-VERIFY-POSITION")
            return
        powers = powers_of(table, self.report.seat)
        self.check_document(evidence, table, powers)
        if self.report.powers != powers:
            shown, own = ", ".join(self.report.powers), ", ".join(powers) or "none"
            self.note(f"it shows the secrets of {shown}; the powers of {self.report.seat} are {own}")
        pieces = zip(table.rules.common.pieces, table.state.field.pieces, strict=True)
        troops: dict[str, Value] = {}
        for facts, piece in pieces:
            if facts.power in powers and facts.kind == "general" and piece.troops:
                before = troops.setdefault(facts.power, {})
                assert isinstance(before, dict)
                before[facts.name] = piece.troops
        self.compare(
            {
                "owing": owing(self.reading.now, evidence, table),
                "asked": asked(table, powers) if self.report.seat != MODERATOR else {},
                "troops": {power: troops[power] for power in powers if power in troops},
            },
            self.report.said,
        )

    def check_document(self, evidence: Evidence, table: Table, powers: tuple[str, ...]) -> None:
        """The position must be written in the one way: no secret of others, nothing left out, nothing added."""
        of_terms = term_keys(table.rules.terms.game) if self.reading.public.protocol < NAMES_RULINGS else ()
        expected, said = (
            {key: value for key, value in document.items() if key not in of_terms}
            for document in (as_read(known_document(table, powers)), self.report.position)
        )
        if said != expected:
            what = difference(expected, said)
            self.note(f"{what} in its position is not what its reader may know of it", "E-VERIFY-POSITION")
        if table.state.cards.shuffles != evidence.now.shuffles:
            self.note("there were more or fewer shuffles than its position says", "E-VERIFY-POSITION")

    def check_plans(self, evidence: Evidence) -> None:
        """The letter of standing plans that is said to be in force, as far as the ledger tells of it."""
        expected = ""
        entry = evidence.now.plans.get(self.report.seat)
        if entry is not None:
            record = self.reading.entries[entry - 1][1]
            assert isinstance(record, LetterRecord)
            hidden = "yes" if self.report.seat in evidence.public.unshown else "no"
            expected = f"seq {record.seq} of {record.stage}, hidden: {hidden}"
        plans = self.report.plans
        said = f"seq {plans.seq} of {plans.stage}, hidden: {plans.hidden}" if plans else ""
        if said != expected:
            self.note(f"it names as plans in force {said or 'none'}; by the ledger it was {expected or 'none'}")

    def unproved(self, power: str, cards: list[str]) -> None:
        """Cards without a proof: a fault where a campaign's reports prove all, else to be known until the close."""
        words = f"nothing in it proves that {power} has drawn {', '.join(cards)}"
        if cards and self.reading.public.protocol >= PROVES_HANDS:
            self.note(words, "E-VERIFY-HAND")
        elif cards and self.reading.public.phase != "closed":
            hint = "reports of that time prove only what was drawn since the one before; verify those, too"
            self.found.warn(self.source, "W-VERIFY-UNPROVED", words, hint)

    def check_played(self, evidence: Evidence, rules: GameRules, table: Table) -> None:
        """Once the campaign is closed: the position with all its secrets, as the game played again has it."""
        assert self.report.head is not None
        state = played_until(self.reading, rules, self.report.head.entry)
        if state.table is None:
            return
        powers = powers_of(state.table, self.report.seat)
        view = game_of(state.table).view
        expected, said = as_texts(view(state.table, powers)), as_texts(view(table, powers))
        if expected != said:
            what = difference(expected, said)
            self.note(f"{what} in its position is not what the letters and the deal lead to", "E-VERIFY-POSITION")
        self.check_plans_opened(state)

    def check_plans_opened(self, state: SecretState) -> None:
        """The letter of standing plans must be the one that it names."""
        force = state.plans.get(self.report.seat)
        if force and self.report.plans and self.report.plans.letter != letter_id(state.letters(force.entry).letter):
            self.note("the letter of plans that it names is another than the one that was opened")


def played_until(reading: Reading, rules: GameRules, number: int) -> SecretState:
    """The game of a closed campaign, which was verified, played again up to an entry."""
    last = reading.entries[-1][1]
    assert isinstance(last, CloseRecord)
    letters, set_up = letters_opened(reading.folder), opener_of(reading.folder, reading.settings)
    entries = [entry for entry, _ in reading.entries[:number]]
    courses = (
        played.state
        for played in replay(entries, lambda kept: SecretState(kept, rules, letters.__getitem__, set_up), last.secret)
    )
    return deque(courses, maxlen=1)[0]


def said_of_campaign(evidence: Evidence, report: Guidance) -> dict[str, Value]:
    """What a report has to say of the campaign itself, whoever reads it."""
    public = evidence.public
    settings, following = public.settings, public.next
    places = (*settings.seats, OBSERVER, MODERATOR)
    return {
        "to": report.seat if report.seat in places else "one of the players",
        "terms": dict(settings.terms),
        "signing": settings.conduct.signing,
        "sealing": settings.conduct.sealing,
        "version": public.version,
        "phase": public.phase,
        "digest": following.digest if following else "",
        "locked": public.locked,
        "deadline": public.deadline,
        "next-seq": public.seqs.get(report.seat, 0) + 1,
        "stage": following.stage if following else "",
        "basis": public.basis[:BASIS],
        "seq": public.entry,
    }


def powers_of(table: Table, reader: str) -> tuple[str, ...]:
    """The powers whose secrets a reader knows."""
    every = table.rules.powers
    return every if reader == MODERATOR else tuple(p for p in every if player_of(table, p) == reader)


def owing(now: datetime, evidence: Evidence, table: Table) -> dict[str, Value]:
    """Who is asked something, and how far their orders are; as `briefing.owed_now`."""
    powers: dict[str, list[Value]] = {}
    states: dict[str, str] = {}
    public = evidence.public
    for orders in orders_now(CampaignTime(public, now)):
        theirs = powers_of(table, orders.player) if orders.power in public.players else (orders.power,)
        powers.setdefault(orders.player, []).extend(theirs)
        states[orders.player] = state_of(orders)
    return {player: {"powers": powers[player], "state": states[player]} for player in powers if powers[player]}


def asked(table: Table, powers: Iterable[str]) -> dict[str, Value]:
    """The sections that each of these powers is asked for."""
    found: dict[str, list[Value]] = {}
    for decision in game_of(table).decisions(table):
        if decision.power in powers:
            found.setdefault(decision.power, []).append(section_of(table, decision))
    return {**found}


def as_read(value: Entries[str, Value]) -> dict[str, Tree]:
    """A mapping as it is read again from what is written: bare texts."""
    found = read(write(value).encode(), "report") if value else None
    return plain_mapping(found) if isinstance(found, Mapping) else {}


def inline(value: object) -> str:
    """A value in a sentence, cut where it is long."""
    text = value if isinstance(value, str) else " ".join(str(value).replace("'", "").split())
    return f"{text[:60]}…" if len(text) > 60 else text or "nothing"
