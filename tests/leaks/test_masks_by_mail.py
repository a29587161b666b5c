"""Masked players and a post office: all that an office sends to a seat, or for everybody, is the same byte by byte
whoever the others are, with heads, names and order of mails, and short lines."""

from __future__ import annotations

import email.utils
import re
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from pbem.campaign.play.tokens import open_token, token_of
from pbem.campaign.players.letters import key_change_letter
from pbem.cli import main
from pbem.console.surroundings import Surroundings
from pbem.seal.box import unpad, unseal
from pbem.seal.keys import key_of, save_private
from tests.campaign.simulated import DAY, HOUR, NAME
from tests.cli.correspondence import working_in
from tests.leaks.artefacts import Artefact, Artefacts, mail_parts, public
from tests.leaks.test_masks import CAST, OTHERS, SEATS, Masked, Person, all_but, assert_same, same_for_all, words_of
from tests.office.post import bounce, read_mail

SETTINGS = """\
campaigns: campaign
in: {maildir: inbox}
out: {sendmail: sh send.sh}
key: moderator.key
state: state
address: max@club.example
adjudicate: deadline
pictures: no
post-command: sh post.sh
notify:
"""

SEND = """\
# A program that sends mails: it keeps them, and refuses an address that does not exist.
set -- sent/*
[ -e "$1" ] || shift
name=sent/$((10000 + $#))
cat > $name
if grep -q '^To:.*@nowhere.example' $name; then rm $name; exit 67; fi
"""

POST = """\
# A program that posts in a forum.
set -- posted/*
[ -e "$1" ] || shift
{ echo "$PBEM_CAMPAIGN $PBEM_ENTRY"; exec cat - "$PBEM_BBCODE"; } > posted/$((10000 + $#))
"""

AWKWARD = OTHERS | {
    "maria-theresa": replace(OTHERS["maria-theresa"], address="the.family@x.example"),
    "louis": replace(OTHERS["louis"], address="the.family@x.example"),
    "successor": replace(OTHERS["successor"], address="nobody@nowhere.example"),
}
"""Others of whom two share a mailbox, and the third has an address that does not exist."""


RAW = re.compile(r'raw: "?([0-9a-f]{64})"?')


class ByMail(Masked):
    """A masked campaign that an office keeps."""

    def __init__(self, root: Path, cast: dict[str, Person]) -> None:
        self.place = root.parent
        self.number = 0
        self.dropped: list[bytes] = []
        for each in ("inbox/new", "sent", "posted", "told"):
            (self.place / each).mkdir(parents=True)
        super().__init__(root, cast)
        (self.place / "moderator.key").write_bytes(save_private(self.table.moderator, None))
        (self.place / "moderator.key").chmod(0o600)
        targets = "".join(f"  {NAME}/{seat}: {{command: sh tell.sh {seat}}}\n" for seat in SEATS)
        (self.place / "mail.yaml").write_text(SETTINGS + targets)
        (self.place / "send.sh").write_text(SEND)
        (self.place / "post.sh").write_text(POST)
        (self.place / "tell.sh").write_text("exec cat >> told/$1\n")

    def run(self, *words: str, code: int | None = 0) -> str:
        """A command of the moderator."""
        with working_in(self.place):
            surroundings = Surroundings(lambda: self.table.now)
            done = CliRunner().invoke(main, [*words], obj=surroundings, catch_exceptions=False)
        assert code in (None, done.exit_code), (words, done.output)
        return done.output

    def moderate(self, *words: str) -> str:
        return self.run(*words, "-C", "campaign", "--key", "moderator.key")

    def evening(self, after: timedelta = HOUR) -> str:
        """Next round of the office."""
        self.table.now += after
        return self.run("evening", "--settings", "mail.yaml")

    def drop(self, data: bytes) -> None:
        """A mail comes into the moderator's mailbox."""
        self.number += 1
        self.dropped.append(data)
        (self.place / "inbox/new" / f"{self.number:04d}").write_bytes(data)

    def mail(self, who: str, text: str, name: str, **head: str) -> None:
        """A mail of somebody comes in."""
        person = self.cast[who]
        domain = person.address.partition("@")[2]
        name = f"{name}-{who}"
        lines = {
            "From": email.utils.formataddr((person.name, person.address)),
            "To": "max@club.example",
            "Subject": f"from {person.comment}",
            "Message-ID": f"<{name}@{domain}>",
            "Date": email.utils.format_datetime(self.table.now),
            "User-Agent": person.comment,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
            **head,
        }
        data = ("".join(f"{key}: {value}\n" for key, value in lines.items()) + f"\n{text}").encode()
        if "\nkind: " in text:
            self.letters[name] = data
        self.drop(data)

    def orders_of_all(self) -> None:
        """All who owe orders send some, in one order whoever they are."""
        with self.table.open() as campaign:
            owing = list(campaign.public.next.owing) if campaign.public.next else []
            stage = campaign.state.stage.replace("/", "-")
        for seat in owing:
            self.orders(seat, f"orders-{stage}-{self.number}")

    def played(self) -> ByMail:
        """Everything that an office sends: invitations, an open seat, receipts, refusals, reports, reminders, answers
        to copies and strangers, another address, another key, a substitute, an absence, votes."""
        table = self.table
        self.run("mail", "status", "--settings", "mail.yaml")
        self.moderate("invite")
        self.moderate("invite", "--open", "frederick")
        self.evening()
        with table.open() as campaign:
            tokens = {seat: token_of(campaign.state, seat) for seat in SEATS}
            tokens["frederick"] = open_token(campaign.state, "frederick", campaign.vault.offers["frederick"].entry)
        for number, seat in enumerate(SEATS):
            self.join(seat, seat, tokens[seat], bytes([number]) * 32)
            table.players[seat].seq = 1
            self.evening()
        self.join("successor", "louis", tokens["louis"], b"\x09" * 32)  # too late
        self.evening()
        self.mail("louis", table.other_letter("louis", "message", {"to": "all", "text": "Good day"}), "message")
        self.mail("frederick", table.other_letter("frederick", "agreement", {"with": "louis", "words": "peace"}), "one")
        self.mail("louis", table.other_letter("louis", "agreement", {"with": "frederick", "words": "peace"}), "two")
        self.mail("frederick", table.other_letter("frederick", "orders", {"orders": {"prussia": {"x": "y"}}}), "no")
        self.evening()
        for who in SEATS:
            self.mail(who, "Thank you!\n", "thanks", **{"In-Reply-To": self.last_mail(who)})
        self.evening()
        # Copies, from the right address and from another one; a letter in somebody's name; a mailing list.
        message = self.letters["message-louis"].partition(b"\n\n")[2].decode()
        self.mail("louis", message, "copy")
        self.mail("frederick", message, "foreign")
        self.mail("maria-theresa", message.replace("Good day", "Bad day"), "forged")
        self.mail("louis", message, "list", **{"List-Id": "<games.club.example>"})
        self.evening()
        new = key_of(b"\x20" * 32, self.cast["maria-theresa"].comment)
        seq = table.players["maria-theresa"].next_seq()
        changed = key_change_letter(NAME, "maria-theresa", seq, new, self.keys["maria-theresa"])
        self.mail("maria-theresa", changed, "key")
        self.evening()
        (number,) = re.findall(r"pbem mail release (\d+)", self.run("mail", "status", "--settings", "mail.yaml"))
        self.run("mail", "release", number, "--settings", "mail.yaml")
        table.players["maria-theresa"].key = new
        self.mail("louis", table.other_letter("louis", "proposal", {"subject": "time", "about": "3"}), "more")
        self.drop(bounce(self.last_mail("louis"), self.cast["louis"].address))
        self.evening()
        self.orders_of_all()
        self.evening()
        self.evening()
        self.replaced()
        table.now += 2 * DAY
        for _ in range(4):
            self.evening(DAY)
        self.orders_of_all()
        self.evening()
        self.evening()
        return self

    def replaced(self) -> None:
        """A seat changes hands, another moves and is away, and one is offered in vain."""
        table, who = self.table, self.cast["successor"]
        person = ("--name", who.name, "--language", who.language, "--address", who.address, "--why", "he has no time")
        self.moderate("substitute", "frederick", "--new-key", self.keys["successor"].public.text, *person)
        table.players["frederick"].key = self.keys["successor"]
        self.evening()
        moved = self.cast["maria-theresa"].address.replace("@", ".moved@")
        self.moderate("invite", "--address", f"maria-theresa={moved}")
        away = table.now.date() + timedelta(days=1)
        self.moderate("absent", "louis", f"{away}", f"{away + timedelta(days=1)}", "--why", "away")
        self.moderate("invite", "--open", "louis", "--choose", "--why", "perhaps")
        self.evening()
        self.moderate("invite", "--withdraw", "louis")
        self.evening()

    def mails(self, *addresses: str) -> list[bytes]:
        """Mails to these addresses, in the order in which they were sent."""
        found = [path.read_bytes() for path in sorted((self.place / "sent").iterdir())]
        return [data for data in found if any(f"<{each}>" in f"<{read_mail(data)['To']}>" for each in addresses)]

    def last_mail(self, who: str) -> str:
        """Name of the newest mail to somebody."""
        return str(read_mail(self.mails(self.cast[who].address)[-1])["Message-ID"])

    def everything_for(self, seat: str, *people: str) -> dict[str, tuple[str, int]]:
        """All mails and lines for people on a seat, in their order, with each mail as it was sent and taken apart."""
        addresses = [self.cast[who].address for who in people]
        addresses += [each.replace("@", ".moved@") for each in addresses]
        key, found = self.table.players[seat].key, Artefacts()
        for number, data in enumerate(self.mails(*addresses)):
            found[f"mail {number}.head"] = Artefact(data.partition(b"\n\n")[0])
            for part, content in mail_parts(data):
                found[f"mail {number}.{part}"] = Artefact(content)
                if content.startswith(b"-----BEGIN AGE") and seat == "louis":
                    found[f"mail {number}.{part}.opened"] = Artefact(unpad(unseal(key, content.decode())))
        found["lines"] = Artefact((self.place / "told" / seat).read_bytes())
        # A mail that answers another one names its message-id, and so has other bytes.
        answers = [data for data in self.dropped if any(f"<{each}>".encode() in data for each in addresses)]
        raws = {sha256(data).hexdigest(): f"raw of answer {number}" for number, data in enumerate(answers)}
        settled = same_for_all(self, found, seat)
        return {
            name: (RAW.sub(lambda match: f"raw: {raws.get(match[1], match[1])}", text), mode)
            for name, (text, mode) in settled.items()
        }

    def order(self) -> list[str]:
        """Readers of all mails in the order in which they were sent, by who they are in the cast."""
        names = {each.address: who for who, each in self.cast.items()}
        sent = (f"{read_mail(path.read_bytes())['To']}" for path in sorted((self.place / "sent").iterdir()))
        return [next((names[each] for each in names if f"<{each}>" in f"<{to}>"), "") for to in sent]

    def everything_public(self) -> dict[str, tuple[str, int]]:
        """All posts for a forum, and the published folder."""
        posts = {f"post {each.name}": Artefact(each.read_bytes()) for each in (self.place / "posted").iterdir()}
        return same_for_all(self, {**public(self.table, with_site=False), **posts})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> ByMail:
    return ByMail(tmp_path_factory.mktemp("base") / "campaign", CAST).played()


def assert_nobody_else(found: dict[str, tuple[str, int]], strangers: list[Person]) -> None:
    for name, (text, _) in found.items():
        assert not [word for word in words_of(strangers) if word in text], name


@pytest.mark.parametrize("who", CAST)
def test_what_an_office_sends_to_a_seat_tells_it_nothing_of_the_others(base: ByMail, tmp_path: Path, who: str) -> None:
    seat = "frederick" if who == "successor" else who
    other = ByMail(tmp_path / "campaign", all_but(who)).played()
    one = base.everything_for(seat, who)
    assert len([name for name in one if name.endswith(".0.head")]) > 3
    assert_same(one, other.everything_for(seat, who))
    assert_nobody_else(one, [person for name, person in CAST.items() if name != who])


def test_what_is_public_tells_nobody_who_plays(base: ByMail, tmp_path: Path) -> None:
    other = ByMail(tmp_path / "campaign", OTHERS).played()
    one = base.everything_public()
    assert len([name for name in one if name.startswith("post ")]) > 4
    assert_same(one, other.everything_public())
    assert_nobody_else(one, [*CAST.values()])
    assert base.order() == other.order()


def test_whose_mailbox_is_shared_or_missing_is_nobody_elses_business(base: ByMail, tmp_path: Path) -> None:
    other = ByMail(tmp_path / "campaign", {**AWKWARD, "frederick": CAST["frederick"]}).played()
    assert_same(base.everything_for("frederick", "frederick"), other.everything_for("frederick", "frederick"))
    assert_same(base.everything_public(), other.everything_public())
