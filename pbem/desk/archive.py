"""Archive on the desk: files of a campaign, verified and then shown as on the campaign's site."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from msgspec import Struct

from pbem.campaign.players.guidance import Guidance
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verification import Verification
from pbem.campaign.proof.verifying import moderator_keys, verification_steps
from pbem.desk.board import LaidBoard
from pbem.engine.nouns import each_piece
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.library import find_board
from pbem.report import blocks
from pbem.report.picture.position import words_in
from pbem.report.telling import game_report
from pbem.seal.keys import PublicKey
from pbem.site.archive import Archive, SiteVerification
from pbem.site.atlas import joint_position, position_of, whole_turn
from pbem.site.content import index_data, seats_seen, seen_by_stage, stage_data
from pbem.site.export import archive_of
from pbem.site.story import Stage

FILES = ("campaign.yaml", "state.yaml", "opened.json")
FOLDERS = ("ledger", "rules")
"""Folders that `pbem verify` reads. Nothing in them is secret, and an archive on the desk takes no other folder."""

MOST_FILES, MOST_BYTES = 20_000, 96 * 1024 * 1024
"""Largest number of files and of bytes in an archive that the page takes."""

SLICE = 0.1
"""Length, in seconds, of one step of verification. The page cannot react during a step."""

_DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, OSError, EOFError)


class VerificationProgress(Struct, frozen=True):
    """Progress of a verification: the number of steps done, the number of all steps (`of`), and whether the
    verification is over."""

    done: int
    of: int
    over: bool


class Shelf:
    """Archive on the desk: takes in the files, verifies them, and returns data of the campaign."""

    def __init__(self, names: Sequence[str]) -> None:
        """Choose the wanted files out of `names`: a single zip, or the files of a campaign. Raises `Refused` as
        `campaign_files` does."""
        self.wanted = list(names) if len(names) == 1 else list(campaign_files(names))
        self.place = TemporaryDirectory()
        self.root = Path(self.place.name, "campaign")
        self.files: dict[str, Path] = {}
        self.looking: SiteVerification | None = None
        self.steps: Iterator[None] = iter(())
        self.done = 0
        self.archive: Archive | None = None
        self.board: LaidBoard | None = None

    def give(self, name: str, file: Path) -> None:
        """Move the wanted file `name` from the path `file` into a temporary folder."""
        self.files[name] = file.replace(Path(self.place.name, f"given-{len(self.files)}"))

    def go_on(self) -> VerificationProgress:
        """Verify for a moment and return the progress. The first call also lays out the files, and raises `Refused` as
        `lay_out` does."""
        if self.looking is None:
            self.looking = self.lay_out()
            self.steps = verification_steps(self.looking.walk)
        end = monotonic() + SLICE
        for _ in self.steps:
            self.done += 1
            if monotonic() > end:
                return VerificationProgress(self.done, max(self.done, self.expected_steps), over=False)
        return VerificationProgress(self.done, self.done, over=True)

    @property
    def expected_steps(self) -> int:
        """Number of steps of the verification: one for each entry, or two with published secrets."""
        entries = sum(1 for _ in (self.root / "ledger").iterdir())
        return entries * (2 if (self.root / "opened.json").exists() else 1)

    def lay_out(self) -> SiteVerification:
        """Write the campaign's files into a folder, and return the folder's verifier. Raises `Refused` as
        `campaign_files`, `unzip` and `fill_folder` do."""
        given, self.files = self.files, {}
        if len(given) == 1:
            ((name, file),) = given.items()
            unzip(name, file, self.root)
            file.unlink()
        else:
            fill_folder(self.root, ((where, given[name]) for name, where in campaign_files(list(given)).items()))
        return SiteVerification(self.root)

    @property
    def verification(self) -> Verification:
        assert self.looking
        return self.looking.result.verification

    def keys_of_moderator(self) -> list[PublicKey]:
        """Return the moderator's keys, the oldest first. Raises `Refused` if the verification has findings."""
        assert self.looking
        if not self.verification.is_good:
            raise Refused("archive", [wrong("E-DESK-COMPARE.archive")])
        return moderator_keys(self.looking.walk.entries)

    def campaign_data(self, language: str) -> dict[str, object]:
        """Return the findings of the verification. Without findings, also return the campaign's data, board and stage
        titles."""
        assert self.looking
        found = self.verification
        told = {"campaign": found.campaign, "good": found.is_good, "findings": findings(found, language)}
        if not found.is_good:
            return told
        self.archive = archive = archive_of(self.root, now(), language, "auto", self.looking.result)
        about = index_data(archive)
        kept = ("game", "scenario", "result", "seats", "moderator", "waiting", "owing", "figures", "head")
        return told | {name: about[name] for name in kept} | {
            "words": archive.say.fixed,
            "phase": archive.reading.public.phase,

            "views": {seat: archive.say.player(seat) for seat in seats_seen(archive)},
            "turns": [
                {"title": archive.say.say("turn", turn), "stages": {stage.number: stage.title for stage in group}}
                for turn, group in groupby(archive.story.stages, lambda stage: stage.turn)
            ],
            "begins": begin_of(archive),
            "board": self.lay_out_board(archive).sheet() if archive.story.stages else None,
        }  # fmt: skip

    def lay_out_board(self, archive: Archive) -> LaidBoard:
        rules = archive.rules
        stages, words = archive.story.stages, words_in(archive.say.language)
        self.maps = game_report(rules.terms.game).maps(rules.terms)
        positions = [position_of(rules.common, stage, self.maps, words) for stage in stages]
        everything = joint_position(positions, self.maps)
        self.board = LaidBoard(find_board(rules.terms.board, self.root / "rules"), everything, archive.say.language)
        return self.board

    def stages(self, numbers: Sequence[int]) -> dict[str, object]:
        """Return the data of consecutive stages, with the board, cards and troops after the last of them."""
        assert self.archive
        assert self.board
        archive, rules = self.archive, self.archive.rules.common
        group = [archive.story.stages[number] for number in numbers]
        last = group[-1]
        shown = position_of(rules, whole_turn(group), self.maps, self.board.words)
        return {
            "told": [stage_data(archive, stage) for stage in group],
            "over": self.board.signs(shown),
            "pieces": pieces_in(archive, last),
            "seen": seen_by_stage(archive)[last.number],
        }

    def compare_report(self, report: Guidance, source: str, language: str) -> dict[str, object]:
        """Compare a report with the archive, as `pbem verify --report` does, and return the result with its
        findings."""
        assert self.archive
        found = Verification()
        check_report(self.archive.reading, report, source, found)
        return {
            "good": found.is_good,
            "findings": findings(found, language),
            "cards": found.figures.cards,
            "moderator": report.moderator.fingerprint,
        }


def begin_of(archive: Archive) -> int:
    """Return the stage where a reader begins: the first with an account if the campaign is over, else the last."""
    told = [stage.number for stage in archive.story.stages if stage.told]
    is_over = archive.reading.public.phase in ("over", "closed")
    return told[0 if is_over else -1] if told else 0


def pieces_in(archive: Archive, stage: Stage) -> list[dict[str, object]]:
    """Return the pieces on the map at the end of a stage, with their cities."""
    rules, on_map = archive.rules.common, stage.on_map
    return [
        {
            "name": archive.say.piece(rules.pieces[piece].name),
            "power": archive.say.power(rules.pieces[piece].power),
            "city": blocks.city(rules, city),
            "down": on_map.down[piece],
        }
        for piece, city in each_piece(on_map.places)
        if city >= 0
    ]


def findings(found: Verification, language: str) -> list[dict[str, str | int]]:
    return [{"file": each.file, **each.fault.data(language)} for each in found.findings]


def now() -> datetime:
    return datetime.now(UTC)


def fill_folder(root: Path, files: Iterable[tuple[str, bytes | Path]]) -> None:
    """Fill a new folder with files, keyed by path. Each file is given as bytes, or as a path from which it is moved.
    Raises `Refused` for names that cannot lie in one folder."""
    made = set[Path]()
    for name, given in files:
        path = root / name
        try:
            if path.parent not in made:
                path.parent.mkdir(parents=True, exist_ok=True)
                made.add(path.parent)
            if isinstance(given, Path):
                given.replace(path)
            else:
                path.write_bytes(given)
        except (OSError, ValueError):
            raise Refused("archive", [wrong("E-DESK-ARCHIVE.names", name=as_quoted(name))]) from None


def campaign_files(names: Iterable[str], is_secret: bool = False) -> Mapping[str, str]:
    """Map the given name of each file of a campaign to its path in the campaign's folder. Unless `is_secret` is true,
    only files in `FILES` and `FOLDERS` are taken. If there are several campaigns, the one whose folder lies highest is
    taken. Raises `Refused` unless there is exactly one such campaign, and for too many files."""
    named = [name for name in names if name and not {"", ".", ".."} & set(name.split("/"))]
    roots = [name.removesuffix(FILES[0]) for name in named if name.split("/")[-1] == FILES[0]]
    least = min((root.count("/") for root in roots), default=0)
    nearest = [root for root in roots if root.count("/") == least]
    if len(nearest) != 1:
        raise Refused("archive", [wrong("E-DESK-ARCHIVE.several" if nearest else "E-DESK-ARCHIVE.none")])
    (root,) = nearest
    found = {name: name.removeprefix(root) for name in named if name.startswith(root)}
    wanted = {
        name: place for name, place in found.items() if is_secret or place in FILES or place.split("/")[0] in FOLDERS
    }
    if len(wanted) > MOST_FILES:
        raise Refused("archive", [wrong("E-DESK-ARCHIVE.large", files=MOST_FILES, megabytes=MOST_BYTES >> 20)])
    return wanted


def unzip(name: str, file: Path, root: Path, is_secret: bool = False) -> None:
    """Write the campaign's files in a zip into a new folder. Secret files are left out unless `is_secret` is true.
    Raises `Refused` for a damaged or too large zip, and as `campaign_files` and `fill_folder` do."""
    try:
        with zipfile.ZipFile(file) as packed:
            found = campaign_files(packed.namelist(), is_secret)
            told = [packed.getinfo(each) for each in found]
            if not {each.compress_type for each in told} <= {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise Refused(name, [wrong("E-DESK-ARCHIVE.damaged")])
            if sum(each.file_size for each in told) > MOST_BYTES:
                raise Refused(name, [wrong("E-DESK-ARCHIVE.large", files=MOST_FILES, megabytes=MOST_BYTES >> 20)])
            # One file at a time, because Python's memory never shrinks in the page.
            fill_folder(root, ((place, content(packed, each)) for each, place in found.items()))
    except _DAMAGED:
        raise Refused(name, [wrong("E-DESK-ARCHIVE.damaged")]) from None


def content(packed: zipfile.ZipFile, name: str) -> bytes:
    """Return a file's content from a zip, no longer than the zip states."""
    with packed.open(name) as file:
        return file.read(packed.getinfo(name).file_size)
