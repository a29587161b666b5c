"""Export of a campaign as a site: checks its folder, tells its story, and renders every page."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.reading import Reading
from pbem.campaign.proof.findings import sound
from pbem.report.short_rules import short_rules
from pbem.site.accounts import accounts_of
from pbem.site.archive import Archive, Theme, is_closed
from pbem.site.content import battles_data, common_data, hands_data, index_data, log_data, rules_data
from pbem.site.content_stages import map_data, stages_data
from pbem.site.content_story import story_data
from pbem.site.hands import (
    Verified,
    letters_at_close,
    opened_letters,
    public_letters,
    secrets_by_stage,
    verify_for_site,
)
from pbem.site.pages import page
from pbem.site.story import rules_for, story_of
from pbem.site.words import SiteWords


class Site(Struct, frozen=True):
    """A site ready to be written, with figures for its reader."""

    files: dict[str, bytes]
    figures: dict[str, int | str]


def site_of(
    root: Path, now: datetime, language: str = "en", theme: Theme = "auto", seen: Verified | None = None
) -> Site:
    """Site of the campaign in a folder; raises `Refused` if anything in it is wrong.

    `seen` is the result of a verification that has just been made; without it the folder is verified here.
    """
    archive = archive_of(root, now, language, theme, seen or verify_for_site(root))
    texts = {archive.letters[entry]: text.encode() for entry, text in archive.texts.items()}
    files = pages_of(archive) | texts
    found, story, reading = archive.verification, archive.story, archive.reading
    figures: dict[str, int | str] = {
        "campaign": found.campaign,
        "phase": found.phase,
        "language": archive.say.language,
        "stages": len(story.stages),
        "battles": len(story.battles),
        "entries": len(reading.entries),
        "letters": len(texts),
        "files": len(files),
        "bytes": sum(map(len, files.values())),
    }
    return Site(files, figures)


def archive_of(root: Path, now: datetime, language: str, theme: Theme, seen: Verified) -> Archive:
    """Data of a verified folder; raises `Refused` if anything is wrong with it."""
    found = sound(root, seen.verification)
    reading = Reading(open_folder(root), now, seen.entries)
    rules = rules_for(reading)
    say = SiteWords(language, rules.terms.game)
    story = story_of(reading, rules, say.language)
    held = letters_at_close(reading)
    texts = public_letters(reading, held)
    letters = {entry: f"letters/{entry:04d}.txt" for entry in texts}
    hidden = tuple(secrets_by_stage(seen.holdings, story.stage_of))
    opened = tuple(opened_letters(reading, held, letters))
    accounts = accounts_of(rules, story, seen.news, say.language)
    return Archive(reading, rules, story, say, letters, texts, opened, hidden, seen.figures, accounts, found, theme)


def pages_of(archive: Archive) -> dict[str, bytes]:
    """Every page, by the name of its file."""
    common = common_data(archive) | map_data(archive)
    pages = {
        "index.html": page("index", common | index_data(archive)),
        "stages.html": page("stages", common | stages_data(archive) | {"scripted": True}),
        "story.html": page("story", common | story_data(archive)),
        "battles.html": page("battles", common | battles_data(archive)),
        "log.html": page("log", common | log_data(archive) | {"scripted": True}),
    }
    if is_closed(archive.reading):
        pages["hands.html"] = page("hands", common | hands_data(archive))
    if rules := short_rules(archive.rules.terms.game, archive.say.language):
        pages["rules.html"] = page("rules", common | rules_data(rules))
    return pages
