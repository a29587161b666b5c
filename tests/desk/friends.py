"""Friends who play by mail from browsers that share nothing, through real servers: one keeps the table, the others
play, and everybody has a mail program. `python -m tests.desk.friends` plays to the end of the game (`--help`)."""

from __future__ import annotations

import argparse
import base64
import imaplib
import re
import smtplib
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from click.testing import CliRunner

from pbem.cli import main as pbem
from pbem.desk.page import words
from tests.desk.playing import LAYS, LOOK, PHONE, SCROLLS, SEEN, SLOW, WIDE, Player
from tests.desk.plays import page_in
from tests.desk.sitting import Sitter
from tests.office.servers import PASSWORD, Servers, safe, served
from tests.site.browsing import PATIENCE, reader

NAME = "silesia"
WIDEST = 1920

LONGEST_ADDRESS = 2048
"""Letters of an address that a browser hands to another program on Windows; it hands over no longer ones."""

LOGGED_IN = 235
"""Answer of a server to whom it knows."""

HANDED_OVER = """
window.handed = [];
const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () {
  if (this.href.startsWith('mailto:')) window.handed.push(this.href); else click.call(this);
};
"""
"""Notes what the browser would hand to the mail program, which no test has."""

WHERE = (
    SEEN
    + """
const [selector] = arguments, [one] = all(selector);
if (!one) return null;
const box = one.getBoundingClientRect(), x = box.left + Math.min(box.width / 2, 200), y = box.top + box.height / 2;
const hit = document.elementFromPoint(x, y);
return {x, y, hit: Boolean(hit) && (hit === one || one.contains(hit))};
"""
)
"""Place of the first element in sight, or behind some scrolling."""

UNSENT = """
return [...document.querySelectorAll('#table-out .letter:not(.is-sent)')].filter((each) => !each.querySelector('.here'))
  .map((each) => each.dataset.letter);
"""
"""Names of the letters to others that are to be sent."""


ATTACHED = [
    re.compile(re.escape(each[key]).replace(r"\{name\}", r"(\S+)").replace(r"\{page\}", r"\S+"))
    for each in words().values()
    for key in ("mail-attached", "letter-attached")
]
"""Sentences about the file that goes with a mail, in all languages."""


class MailProgram:
    """Mail program of one person, who has a mailbox at the servers."""

    def __init__(self, servers: Servers, who: str) -> None:
        self.servers, self.address = servers, f"{who}@example.org"

    def send(self, mail: EmailMessage) -> None:
        """Send a mail to whom it is addressed, from this person."""
        del mail["From"], mail["X-Unsent"]
        mail["From"] = self.address
        with smtplib.SMTP("127.0.0.1", self.servers.smtp, timeout=PATIENCE) as line:
            line.starttls(context=safe(self.servers.authority))
            line.ehlo()
            login = base64.b64encode(f"\0{self.address}\0{PASSWORD}".encode()).decode()
            assert line.docmd("AUTH", f"PLAIN {login}")[0] == LOGGED_IN
            line.send_message(mail)

    def send_draft(self, file: Path) -> None:
        """Open a file as the draft of a mail, and send it."""
        mail = message_from_bytes(file.read_bytes(), policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.send(mail)

    def send_handed(self, address: str, attached: Sequence[Path]) -> None:
        """Send the mail that a browser has begun, with files that its person attaches."""
        assert len(address) <= LONGEST_ADDRESS, f"no program would be handed {len(address)} letters: {address}"
        parts = urlsplit(address)
        fields, mail = parse_qs(parts.query, strict_parsing=True), EmailMessage()
        mail["To"], mail["Subject"] = unquote(parts.path), fields["subject"][0]
        mail.set_content(fields["body"][0])
        for file in attached:
            mail.add_attachment(file.read_bytes(), maintype="application", subtype="octet-stream", filename=file.name)
        self.send(mail)

    def fetch(self) -> list[bytes]:
        """New mails, as they came."""
        with imaplib.IMAP4_SSL("127.0.0.1", self.servers.imaps, ssl_context=safe(self.servers.authority)) as box:
            box.authenticate("PLAIN", lambda _: f"\0{self.address}\0{PASSWORD}".encode())
            box.select("INBOX")
            found = box.search(None, "UNSEEN")[1][0].split()
            # What a server answers is typed as anything.
            return [cast(Any, box.fetch(number, "(RFC822)"))[1][0][1] for number in found]


class Friend(Player):
    """Person with a browser and a mailbox."""

    def __init__(self, sitter: Sitter, width: int, mails: MailProgram, folder: Path) -> None:
        """Sit down before the first page; a narrow one is a phone."""
        sitter.reader.tell("Page.addScriptToEvaluateOnNewDocument", source=HANDED_OVER)
        sitter.reader.run(HANDED_OVER)
        super().__init__(sitter, width, width)
        self.mails, self.folder, self.downloads = mails, folder, folder / "downloads"
        self.marches = 0
        self.reader.tell("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.got = 0
        self.has_written = False

    # What hand and eye do anywhere on the page.

    def press(self, selector: str) -> None:
        """Click or tap something; scroll to it before, if it is out of sight."""
        self.tale.append(f"press {selector}")
        end = monotonic() + PATIENCE
        while (spot := self.reader.run(WHERE, selector)) is None or self.is_busy():
            if monotonic() > end:
                self.fail(f"nothing to press: {selector}")
            sleep(0.05)
        for _ in range(60):
            sleep(0.1)
            # What still moves, because a finger has drawn it along or something has opened, is not aimed at.
            before, spot = spot, self.reader.run(WHERE, selector)
            if spot and spot["hit"] and spot == before:
                self.click(spot["x"], spot["y"])
                return
            if spot and not spot["hit"]:
                self.scroll(selector)
        self.fail(f"no scrolling brings into sight: {selector}")

    def scroll(self, selector: str) -> None:
        """Scroll towards an element, as far as one move goes."""
        way = self.reader.run(SCROLLS, selector, 0)
        if self.touch:
            dx, dy = (
                max(-room * 0.4, min(room * 0.4, -way[far]))
                for room, far in zip(way["room"], ("along", "down"), strict=True)
            )
            if abs(dy) < 6 and abs(dx) < 6:
                dy = -30
            self.drag(way["x"] - dx / 2, way["y"] - dy / 2, dx, dy)
        else:
            self.mouse("mouseWheel", way["x"], way["y"], deltaX=way["along"], deltaY=way["down"])
        sleep(0.1)

    def is_busy(self) -> bool:
        return bool(self.reader.run("return Boolean(document.getElementById('busy'))"))

    def wait(self, selector: str) -> None:
        """Wait until something is there, and the page works no more."""
        self.sitter.until(f"return Boolean(document.querySelector({selector!r}) && !document.getElementById('busy'))")

    def type(self, selector: str, text: str) -> None:
        """Type a text into a field."""
        self.press(selector)
        self.reader.tell("Input.insertText", text=text)

    def choose(self, selector: str, file: Path) -> None:
        """Choose a file, by the button that is there for it."""
        self.wait(selector)
        label = self.sitter.find(f"label[for={selector.removeprefix('#')}]")
        assert label.is_displayed(), selector
        self.sitter.find(selector).send_keys(str(file))

    def saved(self, name: str) -> Path:
        """The file that the browser has saved, which then lies elsewhere."""
        end = monotonic() + PATIENCE
        while not (found := [path for path in self.downloads.glob(name) if path.suffix != ".crdownload"]):
            assert monotonic() < end, name
            sleep(0.05)
        return found[0].rename(self.folder / f"{len([*self.folder.iterdir()])}-{found[0].name}")

    def mail(self, selector: str) -> None:
        """Have a mail begun, attach what was saved with it, and send it."""
        self.press(selector)
        self.sitter.until("return handed.length > 0")
        (address,) = self.reader.run("return handed.splice(0)")
        attach = [self.saved(name) for name in self.names_in(address)]
        self.mails.send_handed(address, attach)

    def names_in(self, address: str) -> list[str]:
        """Names of the files that a mail says to be attached."""
        (body,) = parse_qs(urlsplit(address).query)["body"]
        return [found[1] for found in (pattern.search(body) for pattern in ATTACHED) if found]

    def fetch(self) -> list[Path]:
        """New mails, as files, sorted by their subjects as a mail program does it: they begin with a number."""
        self.mails.servers.delivered()
        found = []
        for data in sorted(self.mails.fetch(), key=lambda each: str(message_from_bytes(each)["Subject"])):
            self.got += 1
            found.append(self.folder / f"mail-{self.got:03d}.eml")
            found[-1].write_bytes(data)
        return found

    def make_key(self) -> None:
        """Make a key, and keep its file."""
        self.press("#new-key")
        self.press("#key form button")
        self.key = self.saved("pbem-key")

    # What a player does.

    def join(self, name: str) -> None:
        """Open the invitation, take the seat, and mail the letter."""
        (invitation,) = self.fetch()
        self.choose("#file", invitation)
        self.wait("#new-key")
        self.make_key()
        self.type("#name", name)
        self.press("#sign")
        self.mail("#mail")

    def open(self, mail: Path) -> None:
        """Open a report from the mail it came in; on a phone its text is pasted, where it can be read."""
        if self.reader.run("return !document.querySelector('#file')"):
            self.press("#another, .open + .buttons button")
            self.wait("#file")
        found = message_from_bytes(mail.read_bytes(), policy=policy.default)
        texts = [part.get_content() for part in found.walk() if part.get_filename("") == "report.yaml"]
        if texts and self.touch:
            self.press(".open summary")
            self.type(".open textarea", texts[0] if isinstance(texts[0], str) else texts[0].decode())
            self.most = LAYS
            self.press(".open details button")
            self.most = SLOW
        else:
            self.choose("#file", mail)
        self.sitter.until("return Boolean(sitting) && !document.querySelector('#busy, .open button:disabled')")

    def order(self, is_sealed: bool = False) -> None:
        """Write orders, and sign them."""
        self.tried.clear()
        self.marches, self.has_written = 2, False
        for _ in range(300):
            if self.has_written:
                break
            self.move(self.look())
        else:
            self.fail("this stage does not end")
        if is_sealed:
            self.press("#seal")
        self.press("#sign")

    def march(self, seen: dict[str, Any]) -> bool:
        """March two pieces at most."""
        self.marches -= 1
        return self.marches >= 0 and super().march(seen)

    def end(self, seen: dict[str, Any]) -> None:
        """Press *Done*, and again if it asks, until the letter lies there to be signed."""
        for _ in range(2):
            before = self.look()
            if done := self.button(before, id="done"):
                self.touch_on(done)
            if self.reader.run("return ['sign', 'key-file'].includes(document.activeElement.id)"):
                self.has_written = True
                return
            now = self.look()
            if now["letter"] != before["letter"]:
                return  # it has confirmed an answer
            if not self.button(now, id="stay"):
                break
        super().end(self.look())

    def propose_to_end(self) -> None:
        """Propose a draw to all, and mail the letter."""
        self.show_side()
        self.press("#propose summary")
        self.sitter.choose("#motion-subject", "draw")
        self.press("#propose .take")
        self.press("#sign")
        self.mail("#mail")

    def agree(self) -> None:
        """Vote for what is proposed, and mail the letter."""
        self.press("#voting button")
        self.press("#motions .says")
        self.press("#sign")
        self.mail("#mail")

    def show_side(self) -> None:
        """On a phone, bring up what stands beside the board elsewhere."""
        if self.touch and " up" not in self.reader.run(LOOK)["page"]:
            self.press("#details")
            sleep(0.4)


class Host(Friend):
    """Friend who keeps the table."""

    def found(self, people: dict[str, str], trust: str, mine: str) -> None:
        """Fill in the form of a new table, and write the invitations; seats without a person are a bot's."""
        self.press("#table-new")
        for field, text in {"table-name": NAME, "table-me": "Max", "table-address": self.mails.address}.items():
            self.type(f"#{field}", text)
        for field, value in {"delay": "0m", "trust": trust, "table-mine": mine}.items():
            self.sitter.choose(f"#{field}", value)
        for seat in ("maria-theresa", "frederick", "louis"):
            if seat not in people:
                self.sitter.choose(f"[data-seat={seat}] .bot", "sensible")
                continue
            if seat != mine:  # whose name and address stand above
                self.type(f"#called-{seat}", people[seat])
                self.type(f"#address-{seat}", f"{people[seat]}@example.org")
        self.press("#table-found")
        self.wait("#new-key")
        self.make_key()
        self.press("#sign")
        self.wait("#table-acts")

    def send_letters(self) -> int:
        """Send all letters that lie there, in turn as a saved draft and as a mail begun, and tick them off; returns
        their number."""
        sent = 0
        while names := self.reader.run(UNSENT):
            line = f"#table-out [data-letter='{names[0]}']"
            if sent % 2:
                self.mail(f"{line} .mail")
            else:
                self.press(f"{line} .save")
                self.mails.send_draft(self.saved(f"*-{names[0].rpartition('/')[2]}-*"))
            self.press(f"{line} .sent")
            self.sitter.until(f"return Boolean(document.querySelector({f'{line}.is-sent'!r}))")
            sent += 1
        return sent

    def take_letters(self) -> str:
        """Give the mails that came to the page; returns what is told of them."""
        files = self.fetch()
        self.reader.run("document.getElementById('evening')?.remove()")
        self.sitter.find("#table-letters").send_keys("\n".join(map(str, files)))
        self.wait("#evening")
        return str(self.sitter.find("#evening").text)

    def save_folder(self) -> Path:
        """Save the campaign as a zip, and unpack it; returns the folder."""
        is_closed = self.reader.run("return table.phase === 'closed'")
        self.press("#table-save")
        file = self.saved(f"{NAME}-archive.zip" if is_closed else f"{NAME}.zip")
        with zipfile.ZipFile(file) as packed:
            packed.extractall(file.with_suffix(""))
        return file.with_suffix("") / NAME

    def take_back(self, folder: Path) -> None:
        """Take the campaign from the folder, in place of what the browser keeps."""
        file = folder.with_suffix(".zip")
        with zipfile.ZipFile(file, "w") as packed:
            for path in sorted(folder.rglob("*")):
                packed.write(path, f"{NAME}/{path.relative_to(folder)}")
        self.press(".open + .buttons button")
        self.choose("#table-zip", file)
        if self.reader.run("return !key"):
            self.choose("#key-file", self.key)
        self.sitter.until("return document.getElementById('sign')?.disabled === false")
        self.sitter.find("#sign").click()
        self.press("#zip-take")
        self.wait("#table-acts")

    def close(self) -> None:
        """End the campaign, with a reason where the game goes on."""
        if self.reader.run("return !document.getElementById('table-why').hidden"):
            self.type("#table-why", "it is late")
        self.press("#table-close")
        self.press("#table-close")
        self.sitter.until("return table.phase === 'closed' && !document.getElementById('busy')")

    def play_too(self) -> None:
        """Open one's own letter, if one lies there, and answer it."""
        if not self.reader.run("return Boolean(document.querySelector('#table-own .here'))"):
            return
        self.press("#table-own .here")
        self.wait("#name, #bar")
        if self.reader.run("return !sitting"):
            self.press("#sign")
            self.press("#give")
        elif self.reader.run("return sitting.mine"):
            self.order()
        self.wait("#table-acts")


class Friends:
    """All friends, and their campaign."""

    def __init__(self, host: Host, players: dict[str, Friend]) -> None:
        self.host, self.players = host, players
        self.notes: dict[str, Path] = {}

    def begin(self, is_secret: bool = False, mine: str = "") -> None:
        """Invite everybody, and let them join."""
        names = {seat: player.mails.address.partition("@")[0] for seat, player in self.players.items()}
        host = names | ({mine: "max"} if mine else {})
        self.host.found(host, trust="reveal" if is_secret else "moderator", mine=mine)
        assert self.host.send_letters() == len(self.players)
        self.host.play_too()
        for seat, player in self.players.items():
            player.join(names[seat])
        assert f"letters taken: {len(self.players)}" in self.host.take_letters()

    def round(self, is_sealed: bool = False, is_secret: bool = False) -> str:
        """Send what lies there, let everybody answer, and take the answers; returns what is told of them."""
        self.host.send_letters()
        self.host.play_too()
        for seat, player in self.players.items():
            mails = player.fetch()
            if not mails:
                continue
            player.open(mails[-1])
            if self.reader_of(player, "return sitting.locked"):
                player.show_side()
                player.choose("#notes-file", self.notes.pop(seat))
                player.press("#sign")
            elif self.reader_of(player, "return sitting.mine"):
                player.order(is_sealed or is_secret)
                if is_secret:
                    self.notes[seat] = player.saved("*.json")
            else:
                continue
            player.mail("#mail")
        return self.host.take_letters()

    @staticmethod
    def reader_of(player: Friend, script: str) -> bool:
        return bool(player.reader.run(script))

    def visit_the_terminal(self) -> None:
        """Go on by commands, and come back into the page."""
        folder = self.host.save_folder()
        for command in (["verify"], ["extend", "1d", "--why", "a feast", "--key", str(self.host.key), "-C"]):
            done = CliRunner().invoke(pbem, [*command, str(folder)], catch_exceptions=False)
            assert done.exit_code == 0, done.output
        self.host.take_back(folder)

    def end(self) -> Path:
        """End the game by a vote where several play by mail, and publish everything; returns the folder."""
        first, *others = self.players.values()
        if others:
            first.propose_to_end()
            self.host.take_letters()
            self.host.send_letters()
        for player in others:
            player.open(player.fetch()[-1])
            player.agree()
            self.host.take_letters()
        self.host.close()
        return self.host.save_folder()


@contextmanager
def friends(page: Path, servers: Servers, folder: Path, seats: Sequence[str]) -> Iterator[Friends]:
    """Browsers of the host and of whoever sits on these seats: a wide one, and a phone for Louis."""
    people = {"frederick": ("fred", WIDEST), "louis": ("lou", PHONE)}
    with ExitStack() as stack:

        def seated(kind: type[Friend], who: str, width: int) -> Any:
            place = folder / who
            (place / "downloads").mkdir(parents=True)
            sitter = Sitter(stack.enter_context(reader(place / "profile")), page)
            mails = MailProgram(servers, who)
            mails.fetch()  # nobody reads the last mails of a campaign: those of an earlier one may lie there
            return kind(sitter, width, mails, place)

        servers.delivered()
        host = seated(Host, "max", WIDE)
        yield Friends(host, {seat: seated(Friend, *people[seat]) for seat in seats})


PEOPLE = ("max", "fred", "lou")


def main() -> int:
    """Play to the end of the game, with open orders, sealed ones, and a moderator who plays."""
    parser = argparse.ArgumentParser(prog="python -m tests.desk.friends", description=__doc__)
    parser.add_argument("--stages", type=int, default=1000, help="agree on the end after so many (the whole game)")
    parser.add_argument("--way", choices=WAYS, action="append", help="one way (all)")
    parser.add_argument("--page", type=Path, help="a page that is there already")
    given = parser.parse_args()
    with served(PEOPLE) as servers, TemporaryDirectory() as place:
        page = given.page.resolve() if given.page else page_in(Path(place))
        for way in given.way or WAYS:
            begun = monotonic()
            stages, folder = played(page, servers, Path(place, way), way, given.stages)
            done = CliRunner().invoke(pbem, ["verify", str(folder)], catch_exceptions=False)
            print(f"{way}: {stages} rounds in {monotonic() - begun:.0f} s\n{done.output}", flush=True)
            if done.exit_code:
                return 1
    return 0


WAYS = ("playing", "open", "secret")
"""Ways to play: a moderator who plays; orders that the moderator may open; orders that are secret until all are in."""


def played(page: Path, servers: Servers, folder: Path, way: str, rounds: int) -> tuple[int, Path]:
    """Play a campaign to its end, or so many rounds; returns the number of rounds, and the closed campaign's folder."""
    seats = ("louis",) if way == "playing" else ("frederick", "louis")
    with friends(page, servers, folder, seats) as table:
        table.begin(is_secret=way == "secret", mine="maria-theresa" if way == "playing" else "")
        for done in range(1, rounds + 1):
            told = table.round(is_sealed=way == "open" and done == 1, is_secret=way == "secret")
            assert "letters taken" in told, told
            if done == 1:
                table.visit_the_terminal()
            if table.host.reader.run("return table.phase") == "over":
                table.host.close()
                return done, table.host.save_folder()
        table.host.send_letters()
        table.host.play_too()
        for player in table.players.values():
            if mails := player.fetch():
                player.open(mails[-1])
        return rounds, table.end()


if __name__ == "__main__":
    sys.exit(main())
