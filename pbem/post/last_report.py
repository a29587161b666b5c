"""What goes with the reports of a closed campaign: the course of the war as charts."""

from __future__ import annotations

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.ledger.replaying import ReplayedEntry
from pbem.campaign.proof.findings import Verification
from pbem.campaign.proof.verifying import Verifier, walked
from pbem.paper.library import find_board, load_board_file
from pbem.report.course import Figures, charts_of, figures_of, picture, turn_in
from pbem.report.picture.theme import hue_of, hues

COURSE = "course.svg"


def counted(campaign: Campaign) -> dict[int, Figures]:
    """The figures at the end of each turn of a closed campaign, which is played again to find them; else nothing."""
    found: dict[int, Figures] = {}

    def look(played: ReplayedEntry) -> None:
        if isinstance(played.record, AdjudicationRecord) and played.state.table is not None:
            found[played.state.table.state.turn] = figures_of(played.state.table)

    if campaign.public.phase == "closed":
        walked(Verifier(campaign.folder, Verification(), look))
    return found


def course(campaign: Campaign, turns: dict[int, Figures], language: str) -> str:
    """The course of the war in a language; nothing where nothing was counted."""
    if not turns or campaign.state.table is None:
        return ""
    rules = campaign.state.table.rules
    board = hues(load_board_file(find_board(rules.terms.board, campaign.folder.rules)))
    colours = [hue_of(board, power) for power in rules.powers]
    return picture(charts_of(turns, rules, language), turn_in(rules, language), colours)
