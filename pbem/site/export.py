"""Export of a verified campaign as a site. The site is written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.records import CloseRecord, EndRecord
from pbem.campaign.ledger.replaying import Reading
from pbem.campaign.proof.verification import sound_verification
from pbem.faults.wrong import wrong
from pbem.report.account import Passage
from pbem.report.letters.entries import facts_of, motion_named
from pbem.report.short_rules import short_rules
from pbem.site import content
from pbem.site.archive import (
    Accounts,
    Archive,
    SiteWords,
    Theme,
    VerifiedFolder,
    accounts_of,
    is_closed,
    letters_at_close,
    opened_letters,
    public_letters,
    secrets_by_stage,
    verify_for_site,
)
from pbem.site.pages import page
from pbem.site.story import Story, ToldPassage, rules_for, story_of

MARKER = "export.txt"
"""Name of a file that marks a folder as an export. It has the names of all other files in the folder."""

_FIRST = "A site written by `pbem {by}`, which the next one replaces. It holds this file and these:"
_MOST = 1024 * 1024


def write_site(target: Path, files: Mapping[str, bytes], command: str = "export") -> None:
    """Write the files of a site into a folder. An earlier site that was written by the same command is replaced. If
    anything fails, the old folder is kept and `StorageFault` is raised."""
    target = Path(os.path.abspath(target))
    check_target(target, command)
    token = secrets.token_hex(8)
    new, old = (target.with_name(f".pbem-{token}.{what}") for what in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fill(new, {**files, MARKER: marker(files, command)})
        put_in_place(new, target, old)
    except OSError as error:
        raise fault_of(error, target, "write") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check_target(target: Path, command: str = "export") -> None:
    """Raise `StorageFault` if the target is a link or is no folder. Also raise it if the folder has a file that
    `command` did not write."""
    if target.is_symlink():
        raise StorageFault(wrong("E-DISK-LINK.site", path=short_path(target)))
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise StorageFault(wrong("E-DISK-KIND.site", path=short_path(target)))
    there = sorted(
        str(path.relative_to(target)) for path in target.rglob("*") if path.is_symlink() or not path.is_dir()
    )
    strange = [name for name in there if name not in exported_files(target, command)]
    if strange:
        raise StorageFault(wrong("E-EXPORT-TAKEN", path=short_path(target), name=strange[0]))


def exported_files(target: Path, command: str) -> set[str]:
    """Return the names of the files that `command` has written into this folder, as listed in the marker file."""
    path = target / MARKER
    if path.is_symlink() or not path.is_file():
        return set()
    with path.open("rb") as file:
        first, *names = file.read(_MOST).decode("utf-8", "replace").splitlines()
    return {MARKER, *names} if first == _FIRST.format(by=command) else set()


def marker(files: Mapping[str, bytes], command: str) -> bytes:
    return "".join(f"{line}\n" for line in (_FIRST.format(by=command), *sorted(files))).encode()


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)


def put_in_place(new: Path, target: Path, old: Path) -> None:
    """Rename the new folder to the name of the target, and delete the earlier folder. If this fails, put the earlier
    folder back and raise the error."""
    if target.is_dir():
        # If the command is killed between this line and the next rename, the earlier export still exists under the name
        # `old`.
        target.rename(old)
        try:
            new.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old)
    else:
        new.rename(target)


class Site(Struct, frozen=True):
    """Files of a site. `figures` has the names and numbers that the command prints."""

    files: dict[str, bytes]
    figures: dict[str, int | str]


def site_of(
    root: Path, now: datetime, language: str = "en", theme: Theme = "auto", seen: VerifiedFolder | None = None
) -> Site:
    """Verify a campaign's folder, and return its site. `seen` is the result of an earlier verification; if it is given,
    the folder is not verified again. Raises `Refused` if anything is wrong."""
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


def archive_of(root: Path, now: datetime, language: str, theme: Theme, seen: VerifiedFolder) -> Archive:
    """Return the data of a verified folder for its site. Raises `Refused` if the verification has found a fault."""
    found = sound_verification(root, seen.verification)
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
    if ending := ending_of(reading, say, story):
        story, accounts = story_with(ending, story), accounts_with(ending, story, accounts)
    return Archive(reading, rules, story, say, letters, texts, opened, hidden, seen.figures, accounts, found, theme)


class Ending(NamedTuple):
    """End of a war that was not played to its end, and the ledger entry with which it ended."""

    entry: int
    told: str


def ending_of(reading: Reading, say: SiteWords, story: Story) -> Ending | None:
    """Return the end of a war by agreement of the players or by closing of the campaign. Return None if the game was
    played to its end or has not ended."""
    kind = EndRecord if reading.public.ended else CloseRecord
    records = {entry.number: record for entry, record in reading.entries}
    number = max((number for number, record in records.items() if isinstance(record, kind)), default=0)
    if not number or (story.result and kind is CloseRecord):
        return None
    record = records[number]
    facts = facts_of(record, reading.settings.clock) | motion_named(record, records.__getitem__)
    return Ending(number, say.entry(facts, reading.people[number - 1]))


def story_with(ending: Ending, story: Story) -> Story:
    """Return the story with an ending added. The ending is the result, and the last passage."""
    if not story.stages:
        return story
    last, told = story.stages[-1], ToldPassage(Passage(ending.told))
    told_last = replace(last, told=(*last.told, told), entries=(*last.entries, ending.entry))
    stage_of = story.stage_of | {ending.entry: last.number}
    return replace(story, stages=(*story.stages[:-1], told_last), result=ending.told, stage_of=stage_of)


def accounts_with(ending: Ending, story: Story, accounts: Accounts) -> Accounts:
    """Return the accounts that the seats read with an ending added as the last passage."""
    last = len(story.stages) - 1
    read = {seat: (*passages, Passage(ending.told)) for seat, passages in accounts.get(last, {}).items()}
    return {**accounts, last: read} if read else accounts


def pages_of(archive: Archive) -> dict[str, bytes]:
    """Return every page as HTML. The key is the name of its file."""
    common = content.common_data(archive) | content.map_data(archive)
    pages = {
        "index.html": page("index", common | content.index_data(archive)),
        "stages.html": page("stages", common | content.stages_data(archive) | {"scripted": True}),
        "story.html": page("story", common | content.story_data(archive)),
        "battles.html": page("battles", common | content.battles_data(archive)),
        "log.html": page("log", common | content.log_data(archive) | {"scripted": True}),
    }
    if is_closed(archive.reading):
        pages["hands.html"] = page("hands", common | content.hands_data(archive))
    if rules := short_rules(archive.rules.terms.game, archive.say.language):
        pages["rules.html"] = page("rules", common | content.rules_data(rules))
    return pages
