"""Functions that the page calls for a campaign that its reader moderates.

The campaign lies in a worker of the page, with a bridge of its own. Files pass through the worker's file system, each
given by its path, because Python's own memory never shrinks.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from pbem.desk.desk import Desk
from pbem.desk.moderators import Stranger
from pbem.desk.motions import topic_of
from pbem.desk.opened import Sitting
from pbem.desk.opening import accept, open_file
from pbem.desk.shared_bridge import SharedBridge
from pbem.faults.wrong import Wrong, told_kind
from pbem.post.mailbox import RawMessage, split_mailbox
from pbem.report.language.templates import macros_of
from pbem.seal.canonical import AnyTree
from pbem.seal.keys import PrivateKey, save_private
from pbem.site.archive import SiteWords, bare_text, capital, make_harmless

if TYPE_CHECKING:
    from pbem.desk.hosting import HostedCampaign


OF_MAILBOXES = ("W-OFFICE-SEATS", "W-MAIL-SENDER")
"""Codes of faults about missing addresses. The page does not show these faults, because its user can send every letter
by hand."""


class HostBridge(SharedBridge):
    """Part of the bridge: functions for a moderator."""

    hosted: HostedCampaign | None = None
    moderator_key: PrivateKey | None = None
    """The moderator's key, in the page. While another player at this screen uses the desk, the desk has that player's
    key."""

    @property
    def host(self) -> HostedCampaign:
        assert self.hosted, "no campaign lies open"
        return self.hosted

    def do_host_key(self) -> object:
        """Note the desk's key as the moderator's, and return its file in base 64."""
        assert self.desk.key
        self.moderator_key = self.desk.key
        return base64.b64encode(save_private(self.desk.key, None)).decode()

    def do_host_sit(self, seat: str, report: str, key: str, last: int) -> object:
        """Open a report (in base 64) to a seat at this screen, and accept its moderator. `key` is the file of the
        seat's key, or empty if the seat uses the moderator's key. Letters get numbers above `last`."""
        if key:
            self.desk.load_key(key.encode(), "")
        found = open_file(self.desk, base64.b64decode(report), f"{seat}.report.yaml")
        opened = accept(self.desk) if isinstance(found, Stranger) else found
        assert isinstance(opened, Sitting)
        self.desk.drafts.number_from(last)
        return self.opened_data(opened)

    def do_host_letter(self) -> object:
        """Return the letter on the desk, signed, in base 64, and the name of its file."""
        if not self.desk.draft.signature_by(self.desk.key):
            self.desk.sign()
        return f"{self.desk.opened.seat}.yaml", base64.b64encode(self.desk.draft.text.encode()).decode()

    def do_host_rise(self) -> object:
        """Remove from the desk all that the seat's player has seen, and load the moderator's key again."""
        met = self.desk.moderators
        self.desk = Desk(self.desk.language)
        self.desk.moderators, self.desk.key = met, self.moderator_key
        return True

    def do_host_found(self, plan: dict[str, AnyTree], is_hot_seat: bool = False) -> object:
        """Found a campaign. `plan` has the same keys as the file of a plan for `pbem new`. Write the invitations, or
        with `is_hot_seat` let all players join at this screen."""
        from pbem.desk.hosting import HostedCampaign  # loads much that no player needs

        assert self.desk.key
        self.hosted = HostedCampaign.founded(plan, self.desk.key, is_hot_seat)
        return self.do_host_view()

    def do_host_open(self, files: dict[str, str]) -> object:
        """Open a campaign from the browser's files. `files` has the path of each file, keyed by its name in the
        campaign's folder."""
        from pbem.desk.hosting import HostedCampaign

        assert self.desk.key
        self.hosted = HostedCampaign.opened(by_path(files), self.desk.key)
        self.hosted.stored = dict(self.hosted.files())
        return self.do_host_view()

    def do_host_view(self) -> object:
        """Return the state of the campaign, in the reader's language."""
        view = self.host.view()
        said = SiteWords(self.desk.language, view.game)
        stage = self.stage_namer()(view.stage) if view.stage else ""
        people = {seat: make_harmless(who.name) for seat, who in view.seats.items()}
        result = said.entry({"kind": "ended", **view.ended}, people) if view.ended else ""
        labels = {seat: said.player(seat) for seat in view.seats}
        seats = {
            seat: asdict(who) | {"owes_votes": [topic_of(each, said.language, view.game) for each in who.owes_votes]}
            for seat, who in view.seats.items()
        }
        return {**asdict(view), "stage": stage, "labels": labels, "result": result, "seats": seats}

    def stage_namer(self) -> Callable[[str], str]:
        """Return a function that names a stage in the reader's language."""
        stages = macros_of(self.desk.language, self.host.game, "stages.txt.j2")
        return lambda stage: capital(bare_text(str(stages.named(stage))))

    def do_host_evening(self, files: list[tuple[str, str]]) -> object:
        """Take the letters in some files, and let the game go on; return the result. `files` has the name and the path
        of each file."""
        return self.evening([each for name, place in files for each in split_mailbox(Path(place).read_bytes(), name)])

    def evening(self, mails: list[RawMessage], told_before: Sequence[Wrong] = ()) -> object:
        """Take letters, let the game go on, and return the result. `told_before` are the warnings of an act before the
        evening; they come first among the faults in the result."""
        done = self.host.evening(mails, self.desk.language)
        faults = [*told_before, *done.doubts, *(fault for _, fault in done.warnings)]
        faults += [*([done.waits] if done.waits else []), *chain.from_iterable(done.notices.values())]
        faults = [each for each in faults if each.code not in OF_MAILBOXES]
        counts = {
            "taken": len(done.taken),
            "refused": done.refused,
            # Files that came before are not read again.
            "known": done.known or max(0, len(mails) - len(done.taken) - done.refused - done.without_letter),
            "stages": len(done.adjudicated),
        }
        took = [(seat, told_kind(kind, "", self.desk.language)) for seat, kind in done.taken]
        people = self.people() if faults else {}
        return {**counts, "took": took, "faults": [self.fault_data(each.with_names(people)) for each in faults]}

    def people(self) -> dict[str, str]:
        """Return each player's name and seat in words, keyed by seat."""
        view = self.host.view()
        said = SiteWords(self.desk.language, view.game)
        return {seat: f"{make_harmless(who.name)} ({said.player(seat)})".strip() for seat, who in view.seats.items()}

    def do_host_plan(self) -> object:
        """Return the campaign's plan, with the keys of the form for a new campaign."""
        return self.host.plan()

    def do_host_turns(self) -> object:
        """Return each entry to which the game can be turned back: the entry's number, the stage that follows it, and
        its time."""
        named = self.stage_namer()
        return [(number, named(stage), time) for number, stage, time in self.host.turning_points()]

    def do_host_act(self, name: str, given: dict[str, str]) -> object:
        """Carry out an act of the moderator. Then hold an evening, so that the players are told of the act, and return
        the evening's result."""
        return self.evening([], self.host.act(name, given))

    def do_host_report(self, seat: str) -> object:
        """Return the newest report to a seat in base 64, the file of the seat's key, and the highest number of the
        seat's letters. The key is empty unless all players sit at this screen."""
        key = save_private(self.host.seat_key(seat), None).decode() if self.host.memory().is_hot_seat else ""
        report = base64.b64encode(self.host.report_to(seat)).decode()
        return {"report": report, "key": key, "last": self.host.last_number(seat)}

    def do_host_close(self, why: str) -> object:
        """End the campaign, and publish its secrets."""
        self.host.close(why)
        return True

    def do_host_sent(self, name: str, is_sent: bool) -> object:
        self.host.mark_sent(name, is_sent)
        return True

    def do_host_file(self, name: str) -> object:
        return str(self.host.file(name))

    def do_host_changes(self) -> object:
        """Return the path of each changed file, so that the browser can store it, keyed by the file's name. The path of
        a deleted file is None."""
        return {name: file and str(file) for name, file in self.host.changes().items()}

    def do_host_stored(self) -> object:
        """Note that the browser has stored the last changes."""
        self.host.note_stored()
        return True

    def do_host_zip(self) -> object:
        """Write a zip of the campaign's folder, and return the path of the zip."""
        return str(self.host.zip_folder())

    def do_host_unzip(self, place: str) -> object:
        """Open a campaign from a zip of its folder, which lies at the path `place`."""
        from pbem.desk.hosting import HostedCampaign

        assert self.desk.key
        self.hosted = HostedCampaign.unzipped(Path(place), self.desk.key)
        return self.do_host_view()

    def do_host_beside(self, files: dict[str, str]) -> object:
        """Compare the campaign with the campaign of the same name that the browser has stored. Return the result, and a
        fault for each entry that was changed after it was made. `files` has the paths of the stored ledger and
        `campaign.yaml`, keyed by name. It is empty if nothing is stored."""
        from pbem.desk.taking import compare_with_kept  # loads much that no player needs

        beside = asdict(compare_with_kept(self.host.root, by_path(files))) if files else None
        return {"beside": beside, "faults": [self.fault_data(each) for each in self.host.changed_entries()]}

    def do_host_kept_zip(self, campaign: str, files: dict[str, str]) -> object:
        """Write a zip of the folder of a campaign that the browser has stored, and return the path of the zip. The
        moderator's key is not needed. `files` has the path of each file, keyed by its name in the folder."""
        from pbem.desk.hosting import write_zip

        return str(write_zip(Path(mkdtemp(), "zip"), campaign, by_path(files)))


def by_path(places: Mapping[str, str]) -> dict[str, Path]:
    return {name: Path(place) for name, place in places.items()}
