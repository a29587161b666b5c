"""Keys in parts and heirs that are not as was agreed: both verifiers find each at its entry, at once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.ledger.records import NAMES, HeirloomRecord, Record, SuccessionRecord
from pbem.campaign.ledger.replaying import public_state_until
from pbem.campaign.letters.joining import entry_text
from pbem.campaign.settings import MODERATOR, Conduct
from pbem.campaign.succession import deadline_for_heir, renew_heirloom
from pbem.paper.letters import WIDE, read_letter, sign_letter, write_letter
from pbem.seal.box import seal
from pbem.seal.keys import PrivateKey, new_key
from pbem.seal.shares import new_split_key
from tests.campaign.simulated import NAME, SimulatedTable
from tests.protocol.forging import write_state
from tests.protocol.second import verify as second
from tests.protocol.together import verified

HEIR = new_key("heir")
STRANGER = new_key("stranger")
PEOPLE = ("frederick", "louis", "maria-theresa")
LONG = timedelta(days=14)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """A campaign that runs, and whose seats have no parts yet."""
    root = tmp_path_factory.mktemp("begun") / "campaign"
    return SimulatedTable(root, conduct=Conduct(succession="2 after 14d"), scenario="introductory").begun()


@pytest.fixture(scope="module")
def parted(begun: SimulatedTable, tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """The same with parts."""
    table = begun.copied(tmp_path_factory.mktemp("parted") / "campaign")
    with table.open() as campaign:
        renew_heirloom(campaign)
        campaign.save()
    return table


def found_in(
    table: SimulatedTable, root: Path, record: Record, key: PrivateKey, after: timedelta = LONG
) -> tuple[list[str], list[str]]:
    """Wordings of the program, and files that the second verifier blames, when this entry stands last in a copy."""
    copy = Path(shutil.copytree(table.root, root))
    ledger = Ledger(copy / "ledger", NAME)
    time = ledger.read(ledger.head.number).time + after
    if isinstance(record, SuccessionRecord) and not record.deadline:
        record = replace(record, deadline=deadline_for_heir(public_state_until([*ledger.entries()]), time))
    entry = ledger.append(NAMES[type(record)], as_texts(record), time, key)
    write_state(copy)
    faults = [each for each in verified(copy).findings if not each.fault.is_warning]
    blamed = f"{entry.number:04d}-{entry.kind}.yaml"
    assert {each.file for each in faults} <= {blamed}
    theirs = [each.file for each in second(copy)]
    assert set(theirs) <= {f"ledger/{blamed}"}
    return [each.fault.message.key for each in faults], theirs


def heirloom(seats: Iterable[str] = PEOPLE, points: int = 2) -> HeirloomRecord:
    """A key in parts for these seats."""
    return HeirloomRecord(new_split_key(points).points, {seat: number for number, seat in enumerate(seats, 1)})


EXCHANGED = {"louis": 1, "frederick": 2, "maria-theresa": 3}
ORDER_TWO = (2**255 - 20).to_bytes(32, "little").hex()


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (heirloom(), ""),
        (heirloom(points=3), "E-VERIFY-HEIRLOOM"),
        (heirloom(PEOPLE[:2]), "E-VERIFY-HEIRLOOM"),
        (replace(heirloom(), parts=EXCHANGED), "E-VERIFY-HEIRLOOM"),
        (replace(heirloom(), points=(heirloom().points[0], ORDER_TWO)), "E-SHARE-POINT"),
        (replace(heirloom(), points=(ORDER_TWO, heirloom().points[0])), "E-SHARE-POINT"),
    ],
    ids=["as agreed", "more points", "a seat left out", "numbers exchanged", "a weak point", "a weak key"],
)
def test_a_key_in_parts(begun: SimulatedTable, tmp_path: Path, record: HeirloomRecord, told: str) -> None:
    ours, theirs = found_in(begun, tmp_path / "copy", record, begun.moderator)
    assert ours == ([told] if told else [])
    assert bool(theirs) == bool(told)


def test_a_key_in_parts_is_not_made_anew_without_need(parted: SimulatedTable, tmp_path: Path) -> None:
    ours, theirs = found_in(parted, tmp_path / "copy", heirloom(), parted.moderator)
    assert ours == ["E-VERIFY-HEIRLOOM"]
    assert theirs


class Giving:
    """Letters by which seats give a campaign to an heir, and the heir's entry; each part can be false."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.head = Ledger(table.root / "ledger", NAME).head.hash

    def letter(
        self, seat: str, to: PrivateKey = HEIR, head: str = "", key: PrivateKey | None = None, campaign: str = NAME
    ) -> str:
        """A letter of a seat as an entry has it."""
        words: dict[str, str | int] = {"kind": "succession", "campaign": campaign, "from": seat, "seq": 9}
        body = {"to": to.public.text, "head": head or self.head, "part": seal([to.public], b"a part")}
        own = self.table.moderator if seat == MODERATOR else self.table.players[seat].key
        signed = sign_letter(write_letter(words, body, WIDE), key or own)
        return entry_text(read_letter(signed.encode(), seat))

    def record(self, **letters: str) -> SuccessionRecord:
        """The entry, with letters of two seats unless others are given."""
        given = {name.replace("_", "-"): text for name, text in letters.items()}
        usual = {seat: self.letter(seat) for seat in ("frederick", "louis")}
        return SuccessionRecord(HEIR.public.text, usual | given, "Wilhelmine")

    def handed_over(self, key: PrivateKey | None = None, head: str = "") -> SuccessionRecord:
        """The entry of a moderator who leaves in order, by one letter of the moderator's own."""
        return replace(self.record(), letters={MODERATOR: self.letter(MODERATOR, key=key, head=head)})


CHEATS: dict[str, tuple[Callable[[Giving], SuccessionRecord], str]] = {
    "as agreed": (lambda giving: giving.record(), ""),
    "one seat alone": (
        lambda giving: replace(giving.record(), letters={"louis": giving.letter("louis")}),
        "E-VERIFY-HEIR.few",
    ),
    "for another heir": (
        lambda giving: giving.record(louis=giving.letter("louis", STRANGER)),
        "E-VERIFY-HEIR.letter",
    ),
    "for another history": (
        lambda giving: giving.record(louis=giving.letter("louis", head="ab" * 32)),
        "E-VERIFY-HEIR.letter",
    ),
    "for another campaign": (
        lambda giving: giving.record(louis=giving.letter("louis", campaign="elsewhere")),
        "E-VERIFY-HEIR.letter",
    ),
    "signed by somebody else": (
        lambda giving: giving.record(louis=giving.letter("louis", key=STRANGER)),
        "E-SIGNATURE-KEY",
    ),
    "a letter of another seat": (
        lambda giving: giving.record(louis=giving.letter("frederick")),
        "E-VERIFY-HEIR.letter",
    ),
    "of nobody": (
        lambda giving: giving.record(nobody=giving.letter("louis")),
        "E-VERIFY-HEIR.letter",
    ),
    "written in another way": (
        lambda giving: giving.record(louis="# for you\n" + giving.letter("louis")),
        "E-VERIFY-HEIR.letter",
    ),
    "a seat that is none": (lambda giving: replace(giving.record(), seat="nobody"), "E-VERIFY-HEIR.nobody"),
    "a seat of another key": (lambda giving: replace(giving.record(), seat="louis"), "E-VERIFY-HEIR.other"),
    "the former moderator among the seats": (
        lambda giving: giving.record(moderator=giving.letter(MODERATOR)),
        "E-VERIFY-HEIR.letter",
    ),
    "another deadline": (
        lambda giving: replace(giving.record(), deadline="2027-01-01T12:00:00Z"),
        "E-VERIFY-DEADLINE",
    ),
}


@pytest.mark.parametrize("name", CHEATS)
def test_an_heir(parted: SimulatedTable, tmp_path: Path, name: str) -> None:
    make, told = CHEATS[name]
    ours, theirs = found_in(parted, tmp_path / "copy", make(Giving(parted)), HEIR)
    assert ours == ([told] if told else [])
    assert bool(theirs) == bool(told)


def test_an_heir_who_plays_says_so(parted: SimulatedTable, tmp_path: Path) -> None:
    giving, mine = Giving(parted), parted.players["maria-theresa"].key
    letters = {seat: giving.letter(seat, mine) for seat in ("frederick", "louis")}
    for seat, told in (("", ["E-VERIFY-HEIR.seat"]), ("louis", ["E-VERIFY-HEIR.seat"]), ("maria-theresa", [])):
        record = SuccessionRecord(mine.public.text, letters, "Maria", seat)
        ours, theirs = found_in(parted, tmp_path / f"as-{seat}", record, mine)
        assert ours == told
        assert bool(theirs) == bool(told)


HANDED: dict[str, tuple[Callable[[Giving], SuccessionRecord], str]] = {
    "by the moderator": (lambda giving: giving.handed_over(), ""),
    "by somebody else": (lambda giving: giving.handed_over(STRANGER), "E-SIGNATURE-KEY"),
    "behind another entry": (lambda giving: giving.handed_over(head="ab" * 32), "E-VERIFY-HEIR.letter"),
}


@pytest.mark.parametrize("name", HANDED)
def test_a_moderator_hands_over_at_once(begun: SimulatedTable, tmp_path: Path, name: str) -> None:
    make, told = HANDED[name]
    ours, theirs = found_in(begun, tmp_path / "copy", make(Giving(begun)), HEIR, timedelta(0))
    assert ours == ([told] if told else [])
    assert bool(theirs) == bool(told)


def test_an_heir_gives_time(parted: SimulatedTable, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(parted.root, tmp_path / "copy"))
    ledger = Ledger(copy / "ledger", NAME)
    time = ledger.read(ledger.head.number).time + LONG
    ledger.append("succession", as_texts(Giving(parted).record()), time, HEIR)
    write_state(copy)
    assert [each.fault.message.key for each in verified(copy).findings] == ["E-VERIFY-DEADLINE"]
    assert second(copy)


def test_an_heir_waits_as_long_as_was_agreed(parted: SimulatedTable, tmp_path: Path) -> None:
    record = Giving(parted).record()
    early = found_in(parted, tmp_path / "early", record, HEIR, LONG - timedelta(seconds=1))
    assert early[0] == ["E-VERIFY-HEIR.early"]
    assert early[1]
    assert found_in(parted, tmp_path / "late", record, HEIR, LONG) == ([], [])


def test_the_heirs_own_key_signs_the_entry(parted: SimulatedTable, tmp_path: Path) -> None:
    for number, key in enumerate((parted.moderator, STRANGER)):
        ours, theirs = found_in(parted, tmp_path / f"{number}", Giving(parted).record(), key)
        assert ours == ["E-SIGNATURE-KEY"]
        assert theirs


def test_the_former_moderator_enters_nothing_more(parted: SimulatedTable, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(parted.root, tmp_path / "copy"))
    ledger = Ledger(copy / "ledger", NAME)
    time: datetime = ledger.read(ledger.head.number).time + LONG
    deadline = deadline_for_heir(public_state_until([*ledger.entries()]), time)
    ledger.append("succession", as_texts(replace(Giving(parted).record(), deadline=deadline)), time, HEIR)
    ledger.append("ruling", {"words": "I am back."}, time, parted.moderator)
    write_state(copy)
    assert [each.fault.message.key for each in verified(copy).findings] == ["E-SIGNATURE-KEY"]
    assert second(copy)


def test_nobody_succeeds_before_there_are_parts(begun: SimulatedTable, tmp_path: Path) -> None:
    ours, theirs = found_in(begun, tmp_path / "copy", Giving(begun).record(), HEIR)
    assert ours == ["E-VERIFY-HEIR.agreed"]
    assert theirs
