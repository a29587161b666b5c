"""Masked players: everything that leaves the office for a seat, or is public, is the same byte by byte whoever the
others are, until the close."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from datetime import timedelta
from difflib import unified_diff
from io import BytesIO
from pathlib import Path

import pytest
from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import timing
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.founding import begin
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.tokens import open_token, token_of
from pbem.campaign.players.letters import Invitation, join_letter, key_change_letter
from pbem.campaign.settings import Newcomer
from pbem.moderator.acts import Successor, substitute
from pbem.moderator.addresses import tell_former
from pbem.moderator.letters import tray_of
from pbem.moderator.mails import write_invitations, write_reminders, write_reports
from pbem.moderator.open_seats import withdraw_offers, write_offers
from pbem.office.notifying import seat_lines
from pbem.post.mailbox import RawMessage
from pbem.post.outgoing import TO_FORMER, name_and_recipient
from pbem.record.recorder import record_campaign
from pbem.seal.keys import key_of
from pbem.site.export import site_of
from tests.campaign.simulated import DAY, HOUR, NAME, SimulatedTable
from tests.leaks.artefacts import NOW, Artefact, Artefacts, private, public
from tests.leaks.roles import leaves, roles_of, settled
from tests.protocol.second import verify as second

SEATS = ("maria-theresa", "frederick", "louis")


class Person(Struct, frozen=True):
    """Somebody who plays, by everything that could give them away."""

    name: str
    address: str
    language: str
    comment: str


CAST = {
    "maria-theresa": Person("Zofia R.", "zofia@example.org", "de", "zofia@laptop"),
    "frederick": Person("Fritz W.", "fritz@web.example", "en", "fritz@home"),
    "louis": Person("Lou", "lou@example.fr", "es", "lou@home"),
    "successor": Person("Ada L.", "ada@example.net", "it", "ada@home"),
}
OTHERS = {
    "maria-theresa": Person("Wilhelmine von Bayreuth", "w.v.b@mail.bayreuth.example", "it", "wilhelmine@palace"),
    "frederick": Person("Ōoka Tadasuke", "ooka@edo.example.jp", "es", "ooka tadasuke (edo)"),
    "louis": Person("Bo", "b@x.example", "en", "b"),
    "successor": Person("Katharina", "katharina-the-second@winter.example", "de", "k2@winterpalace"),
}

PLAN = """
campaign: vienna-1741
game: maria
scenario: introductory
moderator: {name: Max, address: max@club.example}
conduct: {masks: until the close, succession: 2 after 14d, votes: majority, messages: at the close}
clock: {next: 72h, delay: 0m, remind: [24h], at_deadline: hold}
seats:
"""


class Masked:
    """A campaign of one cast."""

    def __init__(self, root: Path, cast: dict[str, Person]) -> None:
        """Keys, chance and everything else but the cast are always the same."""
        self.cast = cast
        self.table = SimulatedTable(root.with_name(f"{root.name}-pattern"), scenario="introductory")
        self.table.root, self.table.moderator = root, key_of(b"\x01" * 32, "moderator")
        self.letters: dict[str, bytes] = {}
        self.keys = {
            name: key_of(bytes([number] * 32), cast[name].comment)
            for number, name in enumerate((*SEATS, "successor"), 2)
        }
        rows = [
            f"  {seat}: {{name: {who.name}, address: {who.address}, language: {who.language}"
            f"{', reports: sealed' if seat == 'louis' else ''}}}"
            for seat, who in cast.items()
            # The third seat is taken by whoever reads of it in public.
            if seat in ("maria-theresa", "louis")
        ]
        plan = complete_plan(read_plan((PLAN + "\n".join(rows)).encode(), "plan", root.parent, {}), "plan", "test")
        begin(root, plan, b"\x07" * 32, self.table.moderator, self.table.now)
        self.table.settings = plan.settings
        for seat in SEATS:
            self.table.players[seat].key = self.keys[seat]

    def mail(self, who: str, text: str, name: str) -> None:
        """A mail of somebody comes in."""
        person = self.cast[who]
        head = f"From: {person.name} <{person.address}>\nSubject: from {person.name}\nMIME-Version: 1.0\n"
        name = f"{name}-{who}"
        head += f"Message-ID: <{name}@{person.address.partition('@')[2]}>\nUser-Agent: {person.comment}\n"
        head += "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
        data = f"{head}\n{text}".encode()
        self.letters[name] = data

        with self.table.open() as campaign:
            tray_of(campaign, iter([RawMessage(data, name)]))
            campaign.save()

    def join(self, who: str, seat: str, token: str, entropy: bytes) -> None:
        person = self.cast[who]
        with self.table.open() as campaign:
            offer = Invitation(NAME, seat, campaign.public.secret, token)
        text = join_letter(offer, self.keys[who], 1, Newcomer(person.name, person.language), entropy)
        self.mail(who, text, "join")

    def work(self) -> Iterator[Campaign]:
        """One command of the moderator."""
        with self.table.open() as campaign:
            yield campaign
            campaign.save()

    def post(self) -> None:
        for campaign in self.work():
            write_reports(campaign, with_pictures=False)
            campaign.vault.posted = campaign.state.snapshot()
            campaign.vault.told.clear()

    def orders(self, seat: str, name: str) -> None:
        with self.table.open() as campaign:
            text = self.table.players[seat].orders(campaign.state)
        self.mail(self.sitting(seat), text, name)

    def sitting(self, seat: str) -> str:
        """Name in the cast of the player of a seat, which from the middle of the campaign on can be the successor."""
        return "successor" if seat == "frederick" and self.table.players[seat].key == self.keys["successor"] else seat

    def played(self) -> Masked:
        """Everything that leaves an office, once: invitations, an open seat, joins, receipts, refusals, reports,
        reminders, messages, an agreement, votes, another key, a substitute, an absence."""
        for campaign in self.work():
            write_invitations(campaign)
            write_offers(campaign, ["frederick"], "", is_choice=False)
            tokens = {seat: token_of(campaign.state, seat) for seat in SEATS}
            tokens["frederick"] = open_token(campaign.state, "frederick", campaign.vault.offers["frederick"].entry)
        for number, seat in enumerate(SEATS):
            self.join(seat, seat, tokens[seat], bytes([number]) * 32)
            self.table.players[seat].seq = 1
        self.join("successor", "louis", tokens["louis"], b"\x09" * 32)  # too late
        self.go_on()
        table = self.table
        self.mail("louis", table.other_letter("louis", "message", {"to": "all", "text": "Good day"}), "message")
        self.mail("frederick", table.other_letter("frederick", "agreement", {"with": "louis", "words": "peace"}), "one")
        self.mail("louis", table.other_letter("louis", "agreement", {"with": "frederick", "words": "peace"}), "two")
        self.mail("frederick", table.other_letter("frederick", "orders", {"orders": {"prussia": {"x": "y"}}}), "no")
        new = key_of(b"\x20" * 32, self.cast["maria-theresa"].comment)
        seq = table.players["maria-theresa"].next_seq()
        changed = key_change_letter(NAME, "maria-theresa", seq, new, self.keys["maria-theresa"])
        self.mail("maria-theresa", changed, "key")
        table.players["maria-theresa"].key = new
        self.mail("louis", table.other_letter("louis", "proposal", {"subject": "time", "about": "3"}), "more")
        self.go_on()
        for campaign in self.work():
            who, key = self.cast["successor"], self.keys["successor"].public.text
            newcomer = Newcomer(who.name, who.language, who.address)
            substitute(campaign, "frederick", Successor(key, newcomer), "he has no time")
            tell_former(campaign)
            away = table.now.date() + timedelta(days=1)
            rulings.enter_absence(campaign, Absence("louis", away, away + timedelta(days=1), "away"))
            write_offers(campaign, ["louis"], "perhaps", is_choice=True)
            withdraw_offers(campaign, ["louis"])
        table.players["frederick"].key = self.keys["successor"]
        table.now += 2 * DAY
        for campaign in self.work():
            write_reminders(campaign, timing.due_reminders(campaign))
            rulings.remind(campaign)
        self.go_on()
        return self

    def go_on(self) -> None:
        """Orders of all who owe some, an adjudication, and reports."""
        with self.table.open() as campaign:
            owing = list(campaign.public.next.owing) if campaign.public.next else []
            stage = campaign.state.stage.replace("/", "-")
        for seat in owing:
            self.orders(seat, f"orders-{stage}")
        self.table.now += HOUR
        for campaign in self.work():
            adjudicating.adjudicate(campaign, force=True)
        self.post()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Masked:
    return Masked(tmp_path_factory.mktemp("base") / "campaign", CAST).played()


def all_but(*known: str) -> dict[str, Person]:
    return {who: CAST[who] if who in known else OTHERS[who] for who in CAST}


SALT = re.compile(r'(salt: "?)[0-9a-f]{64}')


def unpacked(artefacts: Artefacts) -> Artefacts:
    """The artefacts, with every file of a zip in place of it; of what is sealed for an heir, its length."""
    found: Artefacts = {}
    for name, artefact in artefacts.items():
        if not artefact.data.startswith(b"PK\x03\x04"):
            found[name] = artefact
            continue
        with zipfile.ZipFile(BytesIO(artefact.data)) as archive:
            for each in archive.namelist():
                data = archive.read(each)
                data = b"%d" % len(data.partition(b"\n--- ")[2]) if each.endswith(".age") else data
                found[f"{name}!{each}"] = Artefact(data, artefact.mode)
    return found


def allowed(masked: Masked, seat: str) -> dict[str, str]:
    """Every value that may differ, and its role. `seat` is that of a reader, who knows what was written in its name."""
    letters = {name: data for name, data in masked.letters.items() if seat and f"from: {seat}\n".encode() in data}
    found = roles_of(masked.table, letters)
    for entry in Ledger(masked.table.root / "ledger", NAME).entries():
        found[f"{entry.number}-{entry.hash[:16]}"] = f"name of the proposal {entry.number}"
        for path, _, value in leaves(entry.body):
            if "/points/" in path:
                found[value] = f"point of {entry.number}{path}"
    return found


def same_for_all(masked: Masked, artefacts: Artefacts, seat: str = "") -> dict[str, tuple[str, int]]:
    """The artefacts with a name in place of every value that may differ."""
    found = settled(unpacked(artefacts), allowed(masked, seat))
    return {name: (SALT.sub(r"\1#salt#", text), mode) for name, (text, mode) in found.items()}


def public_of(masked: Masked) -> dict[str, tuple[str, int]]:
    """Everything public, with the lines of notifiers and the record."""
    artefacts = public(masked.table)
    with masked.table.open() as campaign:
        for line in seat_lines(campaign.public, masked.table.now):
            artefacts[f"notify/{line.who}"] = Artefact(f"{line}".encode())
    lines: list[bytes] = []
    record_campaign(masked.table.root, lines.append)
    artefacts["record"] = Artefact(b"".join(lines))
    return same_for_all(masked, artefacts)


def private_of(masked: Masked, seat: str) -> dict[str, tuple[str, int]]:
    return same_for_all(masked, private(masked.table, seat, masked.table.players[seat].key), seat)


def assert_same(one: dict[str, tuple[str, int]], other: dict[str, tuple[str, int]]) -> None:
    assert one.keys() == other.keys()
    for name, (text, mode) in one.items():
        there, its_mode = other[name]
        assert not [*unified_diff(text.splitlines(), there.splitlines(), n=0, lineterm="")], name
        assert (text, mode) == (there, its_mode), name


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Masked:
    """The same campaign, played by other people."""
    return Masked(tmp_path_factory.mktemp("others") / "campaign", OTHERS).played()


def test_what_is_public_tells_nobody_who_plays(base: Masked, others: Masked) -> None:
    one = public_of(base)
    assert len(one) > 50
    assert any(name.startswith("notify/") for name in one)
    assert_same(one, public_of(others))
    for masked in (base, others):
        for name, artefact in public(masked.table).items():
            assert not [word for word in words_of(masked.cast.values()) if word.encode() in artefact.data], name


def words_of(people: Iterable[Person]) -> list[str]:
    return [word for who in people for word in (who.name, who.address, who.comment) if len(word) > 3]


@pytest.mark.parametrize("seat", SEATS)
def test_what_a_seat_gets_tells_it_nothing_of_the_others(base: Masked, seat: str, tmp_path: Path) -> None:
    own = [seat, *(["successor"] if seat == "frederick" else [])]
    other = Masked(tmp_path / "campaign", all_but(*own)).played()
    one = private_of(base, seat)
    assert len(one) > 30
    assert_same(one, private_of(other, seat))
    strangers = [who for name, who in base.cast.items() if name not in own]
    for name, artefact in private(base.table, seat, base.table.players[seat].key).items():
        assert not [word for word in words_of(strangers) if word.encode() in artefact.data], name


def test_a_former_player_learns_nothing_of_the_next(base: Masked, tmp_path: Path) -> None:
    other = Masked(tmp_path / "campaign", all_but("frederick")).played()
    found, wanted = (mails_to(masked, CAST["frederick"].address) for masked in (base, other))
    assert any(TO_FORMER in name for name in found)
    assert_same(same_for_all(base, found, "frederick"), same_for_all(other, wanted, "frederick"))


def mails_to(masked: Masked, address: str) -> Artefacts:
    """All mails for an address, taken apart."""
    mails = (masked.table.root / "outbox").rglob("*.eml")
    mine = [path for path in mails if name_and_recipient(path.read_bytes())[1] == address]
    names = tuple(f"outbox/{path.parent.name}/{path.name}!" for path in mine)
    return {name: each for name, each in private(masked.table, "frederick").items() if name.startswith(names)}


def test_the_close_shows_all_names(base: Masked) -> None:
    table = base.table.copied(base.table.root.with_name("closed"))
    table.close("enough")
    table.assert_verified()
    assert second(table.root) == []
    site = site_of(table.root, NOW).files["index.html"].decode()
    for who in ("maria-theresa", "successor", "louis"):
        assert base.cast[who].name in site
