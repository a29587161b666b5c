"""Seats that a player can take: invitations, and reports for a seat that was somebody else's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pbem.campaign.players.campaign_notes import last_report
from pbem.campaign.players.guidance import Guidance
from pbem.faults.wrong import Words, printable, shell_word, words
from pbem.office.addressing import Addressing
from pbem.office.filing import TO_JOIN, addressee, guidance_in, is_letter_of, is_sound
from pbem.office.moderator_addresses import ModeratorAddresses
from pbem.office.receipts import filed_losses
from pbem.paper.letters import Letter


class Offers:
    """Seats that were offered to a player, as the filed mails tell."""

    def __init__(self, moderators: ModeratorAddresses, addressing: Addressing) -> None:
        self.moderators, self.addressing = moderators, addressing
        self.reports = addressing.reports

    def open_advice(self) -> list[Words]:
        """Return advice on all offers that are filed and still open."""
        names, root = self.reports.seats(), self.reports.root
        invitations = sorted(root.glob("*/[0-9]*/invitation.yaml"))
        reports = sorted(root.glob(f"*/{TO_JOIN}*/report.yaml"))
        came = [*invitations, *(path for path in reports if is_sound(path, path.parent.parent.name))]
        return self.advice_on(path for path in came if path.parent.parent.name not in names or self.is_to_join(path))

    def is_to_join(self, path: Path) -> bool:
        """Return whether a file is an invitation to a seat that the player has not taken, or the report for a seat that
        the player has not taken over yet."""
        campaign = path.parent.parent.name
        if not is_sound(path, campaign):
            return False
        seat = guidance_in(path).seat
        if path.name == "report.yaml":
            return not self.reports.is_mine(campaign, seat)
        return seat not in self.reports.seats().get(campaign, ()) and not self.addressing.has_begun(campaign)

    def advice_on(self, came: Iterable[Path]) -> list[Words]:
        """Return advice on each invitation, and on the newest report that each key has signed for each seat."""
        # Anybody can sign a newer report with a key of their own, which shall not hide the moderator's.
        newest: dict[tuple[str, ...], Words] = {}
        for path in came:
            campaign = path.parent.parent.name
            if path.name != "report.yaml":
                newest[campaign, str(path)] = advice_on_invitation(path)
                continue
            guide = guidance_in(path)
            if not self.is_given_away(guide):
                address = self.moderators.address_for_joining(campaign, guide.moderator)
                advice = advice_on_report(path, guide, address)
                newest[campaign, guide.seat, guide.moderator.fingerprint] = advice
        return [*newest.values()]

    def is_given_away(self, guide: Guidance) -> bool:
        """Return whether the moderator who has signed a report has since given the seat of the report to somebody
        else."""

        def own(letter: Letter | None, source: str) -> Letter | None:
            is_own = letter and (letter.campaign, addressee(letter)) == (guide.campaign, guide.seat)
            return letter if is_own and letter and is_letter_of(letter, guide.moderator, source) else None

        since = last_report(guide).entry
        return any(each.entry > since for each in filed_losses(self.reports.root / guide.campaign, own))


def advice_on_invitation(path: Path) -> Words:
    """Return a line on how to accept the invitation in a file."""
    campaign, join = path.parent.parent.name, shell_word(str(path.parent / "join.yaml"))
    return words("office-invited", campaign=campaign, file=shell_word(str(path)), join=join)


def advice_on_report(path: Path, guide: Guidance, address: str) -> Words:
    """Return a line on how to take over the seat of a report. The line names the address to which letters go, if there
    is one."""
    about = {
        "campaign": path.parent.parent.name,
        "seat": guide.seat,
        "key": guide.moderator.fingerprint,
        "file": shell_word(str(path)),
    }
    to = printable(address)
    return words("office-substitute", address=to, **about) if to else words("office-substitute.key", **about)
