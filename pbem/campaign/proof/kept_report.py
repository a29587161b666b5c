"""Comparison of a player's old report with the ledger.

While a campaign runs, the report's position is compared with the published digest, and the hand with the deal. After
the close the whole report is compared with the game, which is played again (docs/protocol.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from msgspec import ValidationError, to_builtins
from msgspec.structs import replace

from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger.entries import as_texts, events_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import AdjudicationRecord, CloseRecord, LetterRecord
from pbem.campaign.ledger.replaying import MALFORMED, Reading, replay
from pbem.campaign.letters.replaced_orders import blocks_in_force
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import difference, public_digest
from pbem.campaign.players.guidance import Guidance, ReportedHead
from pbem.campaign.players.known_position import known_table
from pbem.campaign.proof.drawing import adjudications, first_memory, memory_after
from pbem.campaign.proof.hands import Evidence, check_hands
from pbem.campaign.proof.opened_letters import letters_opened
from pbem.campaign.proof.right_report import (
    campaign_words,
    names_of,
    owing_now,
    powers_of,
    says_deals,
    sections_asked,
    tells_owed,
)
from pbem.campaign.proof.verification import Verification
from pbem.campaign.settings import MODERATOR
from pbem.campaign.succession import public_part
from pbem.engine.events import all_seen_by
from pbem.engine.memory import follow
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.kit import game_named, game_of
from pbem.paper.agreements import in_force
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.strict import MappingNode, plain_mapping, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.letters import letter_id
from pbem.paper.library import read_terms, term_keys, terms_document
from pbem.paper.positions.files import known_document, map_document, remembered_document
from pbem.seal.canonical import AnyTree, Tree
from pbem.seal.keys import PublicKey

NAMES_RULINGS = 2
"""First protocol in which a position names all rulings by which the game is played."""
SAYS_ALL = 3
"""First protocol in which a report names the player in each seat, and the public memory."""
PROVES_HANDS = 2
"""First protocol in which a report proves every card of its hands, however long ago it was drawn."""


def check_report(reading: Reading, report: Guidance, source: str, found: Verification) -> None:
    """Compare a report with a ledger, and add the differences to `found`. `source` is the name of the report's file."""
    ReportCheck(reading, report, source, found).check()


class ReportCheck:
    """Comparison of one report with a verified ledger."""

    def __init__(self, reading: Reading, report: Guidance, source: str, found: Verification) -> None:
        """Store the report, the name of its file, and the verification that takes the findings."""
        self.reading = reading
        self.report = report
        self.source = source
        self.found = found

    def note(self, fault: Wrong) -> None:
        self.found.note(self.source, fault)

    def check(self) -> None:
        """Check the whole report. If its campaign, moderator or last entry is wrong, note this fault alone."""
        if self.report.campaign != self.reading.settings.campaign:
            ours = self.reading.settings.campaign
            self.note(wrong("E-VERIFY-REPORT.campaign", theirs=self.report.campaign, ours=ours))
        elif self.report.head is None:
            self.note(wrong("E-VERIFY-REPORT.head"))
        elif fault := self.wrong_with_head(self.report.head):
            self.note(fault)
        else:
            evidence = Evidence(self.reading.folder, self.reading.entries[: self.report.head.entry])
            if self.report.moderator != PublicKey.parse(evidence.public.moderator):
                self.note(wrong("E-VERIFY-REPORT.key"))
                return
            self.check_said(evidence)

    def wrong_with_head(self, head: ReportedHead) -> Wrong | None:
        """Return a fault if the report's last entry is missing in the ledger or has another hash, else None."""
        last = self.reading.head.number
        if not 1 <= head.entry <= last:
            return wrong("E-VERIFY-SHORT", entry=head.entry, last=last)
        is_changed = self.reading.entries[head.entry - 1][0].hash != head.hash
        return wrong("E-VERIFY-OTHER", entry=head.entry) if is_changed else None

    def check_said(self, evidence: Evidence) -> None:
        """Check what the report says of the campaign, then of the position, cards, plans and news. If the position is
        unreadable or has other terms, only the campaign is checked."""
        self.compare(campaign_words(evidence, self.report), self.report.said)
        self.check_part(evidence.public)
        if self.must_say("players"):
            self.compare({"players": names_of(evidence.public)}, self.report.said)
        rules = rules_of(self.reading.folder, evidence.public.settings, evidence.public.protocol)
        if fault := self.wrong_with_terms(rules):
            self.note(fault)
            return
        table = self.table_of_position(rules)
        if table is None:
            return
        self.check_position(evidence, table)
        for power, cards in check_hands(evidence, self.report, table, self.note).items():
            self.note_unproved(power, cards)
        self.found.figures.cards += len(self.report.proofs)
        self.check_plans(evidence)
        if self.must_say("remembered"):
            assert self.report.head is not None
            entries = self.reading.entries[: self.report.head.entry]
            memory = memory_after(entries, opener_of(self.reading.folder, self.reading.settings), rules)
            self.compare({"remembered": remembered_document(rules.common, memory)}, self.report.said)
            self.check_course(rules, adjudications(entries))
        if self.reading.public.phase == "closed":
            self.check_played(evidence, rules, table)

    def check_part(self, public: PublicState) -> None:
        """Check what the report says of the reader's part of the heirloom, except the sealed part itself."""
        said, right = self.report.heirloom, public_part(public, self.report.seat)
        told = {name: value for name, value in to_builtins(said).items() if name != "part"} if said else None
        if (told and {**told, "points": list(told["points"])} != right) or (right and not told):
            self.note(wrong("E-VERIFY-REPORT.part"))

    def check_course(self, rules: GameRules, played: Sequence[AdjudicationRecord]) -> None:
        """Check the events in the report and the map before them. When the reader's secrets are left out, the events
        must be the same as the latest events of the ledger."""
        course = self.report.course
        if course is None:
            return
        game, happened = rules.terms.game, [tree for each in played for tree in each.events]
        try:
            told = [as_texts(event) for event in all_seen_by(events_in(game, course.events), ())]
        except (*MALFORMED, ValidationError):
            self.note(wrong("E-GUIDE-FORM", kind=self.report.kind))
            return
        since = len(happened) - len(told)
        right = [as_texts(event) for event in events_in(game, happened[max(since, 0) :])]
        pairs: Iterable[tuple[Tree, Tree]] = zip_longest(told, right, fillvalue={})
        if differs := next(((said, expected) for said, expected in pairs if said != expected), None):
            said, expected = map(in_sentence, differs)
            self.note(wrong("E-VERIFY-REPORT", key="course", said=said, right=expected))
            return
        on_map = first_memory(opener_of(self.reading.folder, self.reading.settings), rules).on_map
        follow(on_map, game_named(game).on_map, rules.common, events_in(game, happened[:since]))
        document = plain_texts({"map": map_document(on_map)})["map"]
        if course.map != document:
            self.note(wrong("E-VERIFY-REPORT", key="course", said=in_sentence(course.map), right=in_sentence(document)))

    def compare(self, expected: Mapping[str, Value], said: Mapping[str, AnyTree]) -> None:
        """Note each key of `expected` for which `said`, the part of the report, has another value."""
        for key, value in plain_texts(expected).items():
            if said.get(key, "") != value:
                self.note(
                    wrong("E-VERIFY-REPORT", key=key, said=in_sentence(said.get(key, "")), right=in_sentence(value))
                )

    def wrong_with_terms(self, rules: GameRules) -> Wrong | None:
        """Return a fault if the report's position has other terms than the campaign, else None."""
        reader = Reader(self.source)
        node = node_of(self.report.position)
        assert isinstance(node, MappingNode)
        said = terms_document(read_terms(reader, node.items))
        agreed = terms_document(rules.terms)
        if self.reading.public.protocol < NAMES_RULINGS:
            said.pop("rulings", None), agreed.pop("rulings", None)
        return wrong("E-VERIFY-POSITION.terms") if reader.faults or said != agreed else None

    def table_of_position(self, rules: GameRules) -> Table | None:
        """Return a table with the report's position and the campaign's rules. If the position is unreadable, note this
        and return None."""
        keys = term_keys(rules.terms.game)
        rest = {key: value for key, value in self.report.position.items() if key not in keys}
        whole = plain_texts(terms_document(rules.terms)) | rest
        try:
            table: Table = known_table(replace(self.report, position=whole), self.source, self.reading.folder.rules)
        except Refused as refused:
            self.note(wrong("E-VERIFY-POSITION.sense", why=refused.faults[0].message))
            return None
        return table

    def check_position(self, evidence: Evidence, table: Table) -> None:
        """Check the public part of the position. If it is right, also check the facts that only the reader may know,
        and other parts of the report that repeat the position."""
        following = evidence.public.next
        if following and public_digest(table, evidence.public.protocol) != following.digest:
            self.note(wrong("E-VERIFY-POSITION.digest"))
            return
        powers = powers_of(table, self.report.seat)
        self.check_document(evidence, table, powers)
        if self.report.powers != powers:
            own = powers or words("no-powers")
            self.note(wrong("E-VERIFY-REPORT.secrets", shown=self.report.powers, seat=self.report.seat, own=own))
        pieces = zip(table.rules.common.pieces, table.state.field.pieces, strict=True)
        troops: dict[str, Value] = {}
        for facts, piece in pieces:
            if facts.power in powers and facts.kind == "general" and piece.troops:
                before = troops.setdefault(facts.power, {})
                assert isinstance(before, dict)
                before[facts.name] = piece.troops
        is_asked = self.report.seat != MODERATOR and evidence.public.phase == "running"
        self.compare(
            {
                "owing": owing_now(evidence, table) if tells_owed(evidence, self.report) else {},
                "asked": sections_asked(table, powers) if is_asked else {},
                "troops": {power: troops[power] for power in powers if power in troops},
            },
            self.report.said,
        )
        deals = in_force(table.rules, evidence.public.deals, self.report.stage)
        if not says_deals(self.report.agreements, deals):
            said, right = (", ".join(str(deal.entry) for deal in told) for told in (self.report.agreements, deals))
            self.note(wrong("E-VERIFY-REPORT", key="agreements", said=said, right=right))

    def check_document(self, evidence: Evidence, table: Table, powers: tuple[Power, ...]) -> None:
        """Check that the position in the report has exactly the facts that the reader may know."""
        of_terms = term_keys(table.rules.terms.game) if self.reading.public.protocol < NAMES_RULINGS else ()
        expected, said = (
            {key: value for key, value in document.items() if key not in of_terms}
            for document in (plain_texts(known_document(table, powers)), self.report.position)
        )
        # Both keys are written in a position that waits for answers, but the digest does not cover them.
        expected["begun"] = "yes"
        if isinstance(owing := expected.get("owing"), list):
            expected["owing"] = list(dict.fromkeys(map(str, owing)))
        if said != expected:
            what = difference(expected, said)
            self.note(wrong("E-VERIFY-POSITION.known", what=what))
        if table.state.cards.shuffles != evidence.now.shuffles:
            self.note(wrong("E-VERIFY-POSITION.shuffles"))

    def must_say(self, key: str) -> bool:
        """True if the report has this key or must have it."""
        return key in self.report.said or self.reading.public.protocol >= SAYS_ALL

    def check_plans(self, evidence: Evidence) -> None:
        """Note a fault if the report names other standing plans than those that are valid."""
        expected = words("no-plans")
        entry = evidence.now.plans.get(self.report.seat)
        if entry is not None:
            record = self.reading.entries[entry - 1][1]
            assert isinstance(record, LetterRecord)
            hidden = "yes" if self.report.seat in evidence.public.unshown else "no"
            expected = words("plans-named", seq=record.seq, stage=record.stage, hidden=hidden)
        plans = self.report.plans
        said = words("no-plans")
        if plans:
            said = words("plans-named", seq=plans.seq, stage=plans.stage, hidden=plans.hidden)
        if said != expected:
            self.note(wrong("E-VERIFY-REPORT.plans", said=said, right=expected))

    def note_unproved(self, power: Power, cards: list[str]) -> None:
        """Note the cards that have no proof. This is a fault in campaigns that prove whole hands. In other campaigns it
        is a warning, and after the close nothing is noted."""
        if cards and self.reading.public.protocol >= PROVES_HANDS:
            self.note(wrong("E-VERIFY-HAND.unproved", power=power, cards=tuple(cards)))
        elif cards and self.reading.public.phase != "closed":
            self.note(wrong("W-VERIFY-UNPROVED", power=power, cards=tuple(cards)))

    def check_played(self, evidence: Evidence, rules: GameRules, table: Table) -> None:
        """Note differences between a report and the closed game, which was played again. The position, the plans and
        the orders given in advance are compared."""
        assert self.report.head is not None
        state = played_until(self.reading, rules, self.report.head.entry)
        if state.table is None:
            return
        powers = powers_of(state.table, self.report.seat)
        view = game_of(state.table).view
        expected, said = as_texts(view(state.table, powers)), as_texts(view(table, powers))
        if expected != said:
            what = difference(expected, said)
            self.note(wrong("E-VERIFY-POSITION.played", what=what))
        force = state.plans.get(self.report.seat)
        if force and self.report.plans and self.report.plans.letter != letter_id(state.letters(force.entry).letter):
            self.note(wrong("E-VERIFY-REPORT.letter"))
        ahead = tuple(blocks_in_force(state, self.report.seat))
        if self.report.ahead != ahead:
            told, right = (
                in_sentence([as_texts(block) for block in blocks] or "") for blocks in (self.report.ahead, ahead)
            )
            self.note(wrong("E-VERIFY-REPORT", key="ahead", said=told, right=right))


def played_until(reading: Reading, rules: GameRules, number: int) -> SecretState:
    """Return the state after an entry of a closed and verified campaign, which is played again."""
    last = reading.entries[-1][1]
    assert isinstance(last, CloseRecord)
    letters, set_up = letters_opened(reading.folder), opener_of(reading.folder, reading.settings)
    entries = [entry for entry, _ in reading.entries[:number]]
    states = (
        played.state
        for played in replay(entries, lambda kept: SecretState(kept, rules, letters.__getitem__, set_up), last.secret)
    )
    return deque(states, maxlen=1)[0]


def plain_texts(value: Mapping[str, Value]) -> dict[str, Tree]:
    """Return a mapping as it is read from a file: all values are texts."""
    found = read_yaml(write(value).encode(), "report") if value else None
    return plain_mapping(found) if isinstance(found, MappingNode) else {}


def in_sentence(value: object) -> str | Words:
    """Return a value as text for the sentence of a fault, cut after 60 characters."""
    text = value if isinstance(value, str) else " ".join(str(value).replace("'", "").split())
    return f"{text[:60]}…" if len(text) > 60 else text or words("nothing")
