"""Reports for all readers as parcels. A parcel has the letter, the map and the sheet; at the end of the game it also
has charts of the war."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, partial
from pathlib import Path

from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings
from pbem.campaign.bundles import bundle_due, ledger_of_heir
from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.ledger.replaying import ReplayedEntry
from pbem.campaign.letters.provable import write_messages
from pbem.campaign.proof.verification import Verification
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.faults.wrong import Wrong
from pbem.paper.library import find_board, load_board_file
from pbem.post.outbox import leaving_out, parcels_of
from pbem.post.outgoing import Enclosure
from pbem.post.parcels import (
    MAP,
    PNG,
    Parcel,
    appointment,
    enclosures_of,
    note_reply_address,
    parcel_of,
    with_address,
)
from pbem.report.course import Figures, charts_of, figures_of, picture, turn_in
from pbem.report.language.templates import begin_letter
from pbem.report.letters.entries import report_language
from pbem.report.letters.pictures import board_png, theatre_picture
from pbem.report.letters.reader import is_picture_wanted
from pbem.report.letters.report import report_data
from pbem.report.letters.signed import report_letter
from pbem.report.picture import put_away
from pbem.report.picture.theme import ThemeName, hue_of, hues

COURSE = "course.svg"


def figures_by_turn(campaign: Campaign) -> dict[int, Figures]:
    """Return the figures of a campaign at the end of each turn, if the campaign is closed. To count them, the campaign
    is played again. If it is not closed, return an empty mapping."""
    found: dict[int, Figures] = {}

    def look(played: ReplayedEntry) -> None:
        if isinstance(played.record, AdjudicationRecord) and played.state.table is not None:
            found[played.state.table.state.turn] = figures_of(played.state.table)

    if campaign.public.phase == "closed":
        walk_through(Verifier(campaign.folder, Verification(), look))
    return found


def course(campaign: Campaign, turns: dict[int, Figures], language: str) -> str:
    """Return charts of the war's course as one SVG. Return an empty text if `turns` is empty, or if the campaign has no
    position."""
    if not turns or campaign.state.table is None:
        return ""
    rules = campaign.state.table.rules
    board = hues(load_board_file(find_board(rules.terms.board, campaign.folder.rules)))
    colours = [hue_of(board, power) for power in rules.powers]
    return picture(charts_of(turns, rules, language), turn_in(rules, language), colours)


SVG = "image/svg+xml"
ZIP = "application/zip"
NO_MAP = Enclosure(MAP, PNG, b"")


def report_parcels(
    campaign: Campaign, addresses: Mapping[str, str], with_pictures: bool = True, only: Collection[str] = ()
) -> list[Parcel]:
    """Return the reports on everything since the last reports. They are for all readers, or only for those in `only`.
    If `with_pictures` is false, they have no maps and charts. A report that fails is left out, and noted in the
    campaign."""
    told = briefings(campaign)
    public = told[OBSERVER]
    if only:
        told = {reader: each for reader, each in told.items() if reader in only}
    if campaign.settings.moderator.seat:
        # The report for moderators shows every hand. A moderator who plays must not see it.
        told.pop(MODERATOR, None)
    drawn = {reader: each for reader, each in told.items() if is_picture_wanted(each)}
    maps = pictures_of(drawn, public, campaign.folder.rules, campaign.left_out) if with_pictures else {}
    turns, bundle = figures_by_turn(campaign) if with_pictures else {}, bundle_due(campaign, only)
    # If no bundle for an heir is due, the whole ledger may be sent instead, but only once. Players' programs find the
    # key of the new moderator in it, if this is an heir.
    sent = bundle or ledger_of_heir(campaign)

    def parcel_for(reader: str, each: Briefing) -> Parcel:
        charts, map_of_reader = course(campaign, turns, report_language(each.language)), maps.get(reader, NO_MAP)
        if not sent or (bundle and not each.heirloom) or reader not in each.players:
            return report_parcel(campaign, each, addresses, map_of_reader, charts)
        made = report_parcel(campaign, replace(each, bundle=sent[0]), addresses, map_of_reader, charts)
        return replace(made, files=(*made.files, Enclosure(sent[0], ZIP, sent[1])))

    return parcels_of([(reader, partial(parcel_for, reader, each)) for reader, each in told.items()], campaign.left_out)


def pictures_of(
    briefings: dict[str, Briefing], public: Briefing, folder: Path, left_out: list[Wrong]
) -> dict[str, Enclosure]:
    """Return the map for each reader. It shows the theatre of war, or the whole board if the reader has no theatre.
    `briefings` has the briefing of each reader, and `public` is that of the observer. A map that cannot be drawn is
    left out, and noted in `left_out`."""
    found: dict[str, Enclosure] = {}

    @cache
    def board(language: str, theme: ThemeName) -> Enclosure:
        name = f"map.{language}.png" if theme == "light" else f"map.{language}.{theme}.png"
        return Enclosure(name, PNG, board_png(public, language, folder, theme))

    def map_of(reader: str, briefing: Briefing) -> Enclosure:
        seat = briefing.settings.seats.get(reader)
        theme = seat.pictures if seat else "light"
        picture = theatre_picture(briefing, briefing.language, folder, theme)
        return (
            Enclosure(f"{reader}.{MAP}", PNG, picture) if picture else board(report_language(briefing.language), theme)
        )

    # The whole board is drawn first because it needs the most memory. The maps for the players then use the same memory
    # again.
    for reader in reversed(briefings):
        with leaving_out(f"{reader}.{MAP}", left_out):
            found[reader] = map_of(reader, briefings[reader])
    put_away()
    return found


def report_parcel(
    campaign: Campaign, briefing: Briefing, addresses: Mapping[str, str], picture: Enclosure = NO_MAP, charts: str = ""
) -> Parcel:
    """Return the report for one reader: the signed letter, the map, the sheet, and the plans that are offered at the
    set-up. At the end of the game, it also has the charts."""
    begin_letter()
    data = report_data(briefing)
    note_reply_address(data, campaign, briefing.reader, addresses)
    own = {"plan.yaml": str(data["preset"] or ""), "orders.yaml": str(data["sheet"] or "")}
    shown = write_messages(briefing.campaign, briefing.news.proofs_of_messages)
    texts = {"report.yaml": report_letter(data, campaign.key), **own, str(data["messages_file"]): shown}
    files = enclosures_of(texts)
    if charts:
        files += (Enclosure(COURSE, SVG, charts.encode()),)
    parcel = replace(parcel_of(briefing.reader, data, files, picture.data), map_file=picture.name)
    if data["is_asked"]:
        parcel = replace(parcel, appointment=appointment(campaign, briefing.reader, parcel.subject))
    return with_address(campaign, parcel, briefing.reader, addresses)
