"""Standing of each of a player's seats: what the seat owes. Lines about it name the file or the command with which the
player answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from pbem.campaign.clock.clock import stamp
from pbem.campaign.letters.letterbox import parts_of
from pbem.campaign.players.campaign_notes import LastSigned, last_report
from pbem.campaign.players.guidance import Guidance, OwedPowers
from pbem.campaign.players.standing import OWED, SeatStanding, Standing, signed_number, store_standing
from pbem.faults.wrong import Gap, Words, printable, shell_word, words, wrong
from pbem.office.addressing import Addressing
from pbem.office.counter import HALF, SWAPPED
from pbem.office.cut_mails import CUT
from pbem.office.doubts import Doubts
from pbem.office.filing import DAMAGED, SHEET, guidance_in
from pbem.office.notifying import DueLine, OwedLetter
from pbem.office.own_letters import OwnLetters
from pbem.office.receipts import FiledLoss, FiledReceipt, filed_losses, filed_receipts, standing_after
from pbem.office.settings import ME
from pbem.office.shared_folder import digits_of_key
from pbem.office.signed_letters import SignedLetter

SEALED = "W-OFFICE-SEALED"
"""Code of the notice that files for a seat of the player are sealed to an unknown key."""

STANDINGS: dict[Standing, str] = {
    "orders": "office-owed",
    "refused": "office-owed.refused",
    "partly": "office-owed.partly",
    "draft": "office-draft",
    "refused change": "office-change-refused",
    "reveal": "office-reveal",
    "refused reveal": "office-reveal-refused",
    "reveal lost": "office-reveal-lost",
    "shut out": "office-shut-out",
    "in": "office-ordered",
    "nothing": "office-awaits",
    "closed": "office-closed",
    "seat lost": "office-seat-lost",
}
"""Dict from each standing to the wording of the line about a seat. A standing is what the newest report asks for, or
how far the player has answered."""

ELSEWHERE = {
    "office-reveal": "office-reveal.elsewhere",
    "office-reveal-refused": "office-reveal-refused.elsewhere",
}
"""Dict from some wordings to those that replace them if the sealed letter that must be revealed is not among the
office's files."""


def standing_line(campaign: str, found: SeatStanding, report: Path, letters: Iterable[SignedLetter]) -> Words:
    """Return the line about the standing of a seat. It names the file or the command with which the player answers the
    report."""
    key = STANDINGS[found.standing]
    gaps: dict[str, Gap] = {"campaign": campaign, "stage": found.came.stage, "sheet": str(report.parent / SHEET)}
    if found.standing in ("reveal", "refused reveal"):
        # The orders that were fixed by the lock are those of the newest letter with sealed parts.
        sealed = [each for each in letters if parts_of(each.letter)]
        sealed = [each for each in sealed if each.letter.stage == found.came.stage and each.is_sound]
        path = max(sealed, key=lambda each: each.letter.seq).path if sealed else None
        files = {"sealed": path, "report": report, "letter": report.parent / "reveal.yaml"}
        gaps |= {name: shell_word(str(file)) for name, file in files.items()}
        key = key if path else ELSEWHERE[key]
    if found.standing == "seat lost":
        gaps |= {"name": printable(found.successor) or words("somebody-else"), "why": printable(found.why)}
    if found.missing:
        gaps["missing"] = found.missing
    return words(key, **gaps)


class SeatStandings:
    """Judge of the standing of each of a player's seats."""

    def __init__(self, own_letters: OwnLetters, addressing: Addressing, doubts: Doubts) -> None:
        self.own_letters, self.addressing, self.doubts = own_letters, addressing, doubts
        self.reports = addressing.reports

    def standing_of(self, campaign: str, seat: str, report: Path) -> SeatStanding:
        """Return the standing of a seat after this report: what the report asks for, and how far the player has
        answered. The standing also says whether the player has lost the seat since then."""
        guide, notes = guidance_in(report), self.reports.notes(campaign, seat)
        came, own_letter = last_report(guide), self.addressing.own_of(campaign, seat)
        if loss := self.loss_of(campaign, seat, came.entry):
            return SeatStanding(came, "seat lost", successor=loss.name, why=loss.why)
        receipts = [*filed_receipts(self.reports.root / campaign, own_letter)]
        signed = notes.signed if notes else None
        standing, missing = standing_after(guide, self.own_letters.letters(), receipts, signed)
        if standing == "reveal" and notes and not notes.sealed:
            standing = "reveal lost"
        own = guide.owing.get(guide.seat, OwedPowers()).powers
        # If a report says that the orders have come, it asks nothing of any power.
        is_asked = standing == "partly" or (not came.powers and standing in (*OWED, "draft", "refused change"))
        powers = tuple(power for power in own if power in missing) or own if is_asked else ()
        is_sure = not any(self.doubts.subjects(campaign, code) for code in (CUT, HALF, SWAPPED, SEALED))
        counting = self.counting_number(guide, receipts, signed) if signed and standing == "refused change" else 0
        number = signed_number(notes) if notes else 0
        return SeatStanding(came, standing, number, powers, is_sure=is_sure, counting=counting)

    def counting_number(self, guide: Guidance, receipts: Iterable[FiledReceipt], signed: LastSigned) -> int:
        """Return the number of the newest letter of this office that a receipt accepts. Return 0 if there is none, or
        if that letter is `signed`, the one that was signed last."""
        head = (guide.campaign, guide.seat, guide.stage, guide.basis, signed.kind)
        for each in sorted(receipts, key=lambda each: each.entry, reverse=True):
            letter = None if each.is_refused or each.status == "known" else self.own_letters.sent_letter(each.letter)
            if letter and head == (letter.campaign, letter.sender, letter.stage, letter.basis, letter.kind):
                return letter.seq if letter.seq != signed.seq else 0
        return 0

    def loss_of(self, campaign: str, seat: str, since: int) -> FiledLoss | None:
        """Return the newest ruling after the entry `since` by which somebody else got the player's seat. Return None if
        there is none."""
        losses = [
            each
            for each in filed_losses(self.reports.root / campaign, self.addressing.own_of(campaign, seat))
            if each.entry > since
        ]
        return max(losses, key=lambda each: each.entry, default=None)

    def oldest_report(self, campaign: str) -> Path | None:
        """Return the oldest among the newest reports of the player's seats. Lost seats are left out, unless all seats
        are lost."""
        seats = self.reports.seats().get(campaign, ("",))
        found = {seat: self.reports.last_report(campaign, seat).path for seat in seats}
        # No more reports come for a lost seat.
        still = [path for seat, path in found.items() if not self.is_lost(campaign, seat, path)]
        return min(still or found.values(), key=lambda path: path.parent.name if path else "")

    def is_lost(self, campaign: str, seat: str, report: Path | None) -> bool:
        """True if the player has lost a seat since this report was written."""
        return report is not None and bool(self.loss_of(campaign, seat, last_report(guidance_in(report)).entry))

    def store_standings(self) -> None:
        """Store the standing of every seat beside the notes on it, so that `pbem status` can show it. Seats whose
        newest report is missing or damaged are left out."""
        for campaign, seats in self.reports.seats().items():
            for seat in seats:
                path, damaged = self.reports.last_report(campaign, seat)
                for place, notes in self.reports.keys_in_turn(campaign, seat)[-1:]:
                    if path and path.name == "report.yaml" and not damaged:
                        store_standing(place, notes, self.standing_of(campaign, seat, path))

    def due_lines(self) -> list[DueLine]:
        """Return a short line for the player about each seat that owes something. Seats whose newest report is missing
        or damaged are left out."""
        found, language = [], self.doubts.settings.language
        for campaign, seats in self.reports.seats().items():
            for seat in seats:
                path, damaged = self.reports.last_report(campaign, seat)
                if not path or damaged:
                    continue
                standing = self.standing_of(campaign, seat, path)
                if standing.standing in OWED:
                    came, label = standing.came, self.reports.label(campaign, seat)
                    asked = "reveal" if "reveal" in standing.standing else "orders"
                    said = OwedLetter(label, asked, came.deadline).line(self.doubts.now(), None, language)
                    is_late = came.deadline and stamp(self.doubts.now()) >= came.deadline
                    occasion = f"{seat} {came.basis} {came.stage} {asked} {came.deadline} {bool(is_late)}"
                    found.append(DueLine(ME, campaign, occasion, said))
        return found

    def awaited_lines_of(self, campaign: str, seat: str) -> list[Words]:
        """Return lines about what the newest report for a seat asks for. Further lines tell of missing or damaged
        reports, and of a letter that is missing in the shared folder."""
        path, damaged = self.reports.last_report(campaign, seat)
        label = self.reports.label(campaign, seat)
        noted = self.doubts.subjects(campaign, DAMAGED)
        told = [words("office-damaged", campaign=label, file=str(each)) for each in damaged if str(each) not in noted]
        if path is None:
            return told if damaged else [words("office-begins", campaign=label)]
        found = self.standing_of(campaign, seat, path)
        if (damaged or not found.is_sure) and found.standing not in OWED:
            key = "office-unsure.ordered" if found.standing in ("in", "draft", "refused change") else "office-unsure"
            return [*told, words(key, campaign=label, stage=found.came.stage)]
        if damaged:
            return [*told, words("office-unsure.owed", campaign=label, stage=found.came.stage)]
        if found.standing in ("in", "draft") and self.own_letters.is_unlaid(campaign, seat):
            return [*told, words("office-unlaid", campaign=label, stage=found.came.stage)]
        return [*told, standing_line(label, found, path, self.own_letters.letters_for(campaign, seat))]

    def owed_lines(self, campaign: str) -> list[Words]:
        """Return a line about each of the player's seats in a campaign that owes a letter, or whose last change to a
        letter was refused."""
        found = []
        for seat in self.reports.seats()[campaign]:
            path = self.reports.last_report(campaign, seat).path
            if path and (standing := self.standing_of(campaign, seat, path)).standing in (*OWED, "refused change"):
                letters = self.own_letters.letters_for(campaign, seat)
                found.append(standing_line(self.reports.label(campaign, seat), standing, path, letters))
        return found

    def notice_sealed(self, others: Collection[tuple[str, str, str]]) -> None:
        """Add a notice about each seat for which files have come that are sealed to an unknown key. Files from before
        the office began do not count. `others` has campaign, seat and digits of the key for each file that the office
        cannot open."""
        for row in self.doubts.store.rows("SELECT campaign, about FROM doubts WHERE code = ?", SEALED):
            self.doubts.settle(row["campaign"], about=row["about"])
        own = {digits_of_key(key.public) for key in self.reports.keys.opening}
        for campaign, seats in self.reports.seats().items():
            for seat in [] if self.reports.awaits_lot(campaign) else seats:
                fact = f"sealed {campaign} {seat}"
                found = {key for name, whose, key in others if (name, whose) == (campaign, seat)}
                noted = set((self.doubts.store.fact(fact) or " ".join(own | found)).split()) | own
                with self.doubts.store.step():
                    self.doubts.store.note(fact, " ".join(sorted(noted)))
                newest = self.reports.last_report(campaign, seat).path
                if found - noted and not self.is_lost(campaign, seat, newest):
                    self.doubts.notice(campaign, wrong(SEALED, seat=seat), f"sealed {seat}")
