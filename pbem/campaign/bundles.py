"""Bundles: files with which an heir can carry a campaign on. Every seat gets one each turn.

A bundle is a zip of the entries since the previous bundle, and of `kept.age`, the moderator's secrets sealed to the
heirloom (the key in parts). The first bundle of a new heirloom begins with entry 1. It also has the settings, the
board, politics and position files, and the public state of the campaign.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.atomic import read_whole
from pbem.campaign.disk.vault import json_value
from pbem.campaign.ledger.chain import Head, state_text
from pbem.campaign.ledger.entries import FILE_NAME, Entry, file_name, parse_entry, record_in
from pbem.campaign.ledger.records import keeps_letter
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.settings import Newcomer
from pbem.campaign.succession import too_few_holders
from pbem.engine.table import turn_of
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import is_bare
from pbem.seal.box import pad, seal, seal_for_parts, unpad, unseal, unseal_by_parts
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.shares import recipient_of

KEPT = "kept.age"
ZIP = b"PK\x03\x04"
"""First bytes of a bundle."""
BESIDE = ("campaign.yaml", "state.yaml")
MOST_FILES, MOST_BYTES = 10_000, 64 * 1024 * 1024
"""Limits of a bundle that is read."""

_ALWAYS = (1980, 1, 1, 0, 0, 0)
"""Date of all files in a bundle, so that the same content always gives the same bytes."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, OSError, EOFError, LookupError)


class Kept(Struct, frozen=True):
    """Secrets, addresses and letters that only the moderator has, as a bundle keeps them."""

    secret: str
    addresses: dict[str, str]
    told: dict[str, int]
    """Dict from each reader to the last entry that a report has told this reader. The key `""` stands for all readers
    without a key of their own."""
    letters: dict[int, HeldLetter]
    """Dict from the number of an entry in the bundle to the letter that this entry accepts."""
    people: dict[str, Newcomer] = {}
    """Dict from each seat to the name and language of its player, if players are masked."""


class ReadBundle(Struct, frozen=True):
    """Content of a bundle that was read, with its secret part still sealed."""

    source: str
    """Name of the bundle's file, for faults."""
    entries: tuple[Entry, ...]
    ledger: dict[str, bytes]
    """Dict from the file name of each entry to its bytes."""
    own: dict[str, bytes]
    """Dict from the name of each of the campaign's board, politics and position files to its bytes. The names are
    without the folder `rules/`."""
    beside: dict[str, bytes]
    """Dict from the name of each file in the list `BESIDE` to its bytes; empty unless the bundle begins with entry
    1."""
    kept: bytes
    """The sealed `Kept`."""

    def unpack(self, root: Path) -> None:
        """Write the public files of the bundle into a folder, at their places in an archive."""
        files = {f"ledger/{name}": data for name, data in self.ledger.items()} | self.beside
        for name, data in (files | {f"rules/{name}": data for name, data in self.own.items()}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def is_bundle_due(campaign: Campaign) -> bool:
    """True if the next reports bring a bundle. There is one bundle a turn, from the beginning of the game to the close,
    as long as enough seats have parts of the heirloom."""
    kept, public = campaign.vault.heirloom, campaign.public
    if kept is None or public.heirloom is None or public.phase not in ("running", "over") or too_few_holders(public):
        return False
    return not kept.sent or kept.turn != turn_of(campaign.state.stage)


def bundle_due(campaign: Campaign, readers: Collection[str] = ()) -> tuple[str, bytes] | None:
    """Return the name and the bytes of the bundle that the next reports bring, or None if no bundle is due. `readers`
    are the seats that get a report now; if empty, all seats."""
    if not is_bundle_due(campaign):
        return None
    assert campaign.vault.heirloom
    first, last = campaign.vault.heirloom.sent + 1, campaign.vault.entry
    seats = campaign.settings.seats if readers else ()
    waiting = {each: campaign.vault.told_to(each).public.entry for each in seats if each not in readers}
    entries = list(campaign.ledger.entries(first))
    return f"succession-{first:04d}-{last:04d}.zip", bundle_of(campaign, entries, {"": last, **waiting})


def note_sent(campaign: Campaign) -> None:
    """Note that the bundle due in this turn was sent, with all entries so far. Do nothing if no bundle is due."""
    if is_bundle_due(campaign):
        assert campaign.vault.heirloom
        turn = turn_of(campaign.state.stage)
        campaign.vault.heirloom = replace(campaign.vault.heirloom, sent=campaign.vault.entry, turn=turn)


def bundle_of(
    campaign: Campaign, entries: list[Entry], last_told: dict[str, int], heir: PublicKey | None = None
) -> bytes:
    """Return a zip with the files of these entries, and one file (`Kept`) sealed to the key `heir`. Without `heir`,
    that file is sealed to the heirloom, which must exist. `last_told` maps each reader to the last entry that a report
    has told this reader."""
    letters = {each.number: campaign.held_letter(each.number) for each in entries if keeps_letter(record_in(each))}
    kept = Kept(campaign.state.secret, campaign.vault.addresses, last_told, letters, campaign.vault.people)
    pressed = zlib.compress(msgspec.json.encode(kept), 9)
    files = public_files(campaign, entries)
    if heir:
        files[KEPT] = seal([heir], pad(pressed)).encode()
    else:
        assert campaign.public.heirloom
        files[KEPT] = seal_for_parts(recipient_of(campaign.public.heirloom.points), pad(pressed))
    return zipped(files)


def public_files(campaign: Campaign, entries: list[Entry]) -> dict[str, bytes]:
    """Return the bytes of the file of each of these entries, keyed by the file's path in an archive. If the first is
    entry 1, add the campaign's settings, its rule files and its public state."""
    files = {f"ledger/{name}": read_whole(campaign.folder.ledger / name, MOST_BYTES) for name in map(name_of, entries)}
    if entries[0].number == 1:
        own = ("campaign.yaml", *(f"rules/{name}" for name in campaign.public.files))
        files |= {name: read_whole(campaign.folder.root / name, MOST_BYTES) for name in own}
        files["state.yaml"] = state_text(campaign.public, Head(entries[-1].number, entries[-1].hash)).encode()
    return files


def ledger_of_heir(campaign: Campaign) -> tuple[str, bytes] | None:
    """Return the name and the bytes of a bundle with the whole ledger, from which players' programs learn the heir's
    key. The bundle has no secrets, and comes with the first reports of an heir. Return None if these reports have been
    sent already."""
    if campaign.vault.posted.public.entry >= campaign.public.heir_since:
        return None
    files = public_files(campaign, list(campaign.ledger.entries()))
    return f"succession-0001-{campaign.vault.entry:04d}.zip", zipped(files | {KEPT: b""})


def name_of(entry: Entry) -> str:
    return file_name(entry.number, entry.kind)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip. The same files always give the same bytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, _ALWAYS), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def read_bundle(file_bytes: bytes, source: str) -> ReadBundle:
    """Read a bundle. Raises `Refused` for any other file, for a file that is too large, and for unreadable entries."""
    try:
        with zipfile.ZipFile(BytesIO(file_bytes)) as archive:
            inside = archive.infolist()
            if len(inside) > MOST_FILES or sum(each.file_size for each in inside) > MOST_BYTES:
                raise ValueError
            files = {each.filename: archive.read(each) for each in inside}
        kept = files.pop(KEPT)
    except _DAMAGED:
        raise Refused(source, [wrong("E-HEIR-BUNDLE")]) from None
    ledger, own = (
        {name.removeprefix(folder): content for name, content in files.items() if name.startswith(folder)}
        for folder in ("ledger/", "rules/")
    )
    beside = {name: files[name] for name in BESIDE if name in files}
    if not all(map(FILE_NAME.fullmatch, ledger)) or not all(map(is_bare, own)) or not ledger:
        raise Refused(source, [wrong("E-HEIR-BUNDLE")])
    entries = tuple(parse_entry(content, name) for name, content in sorted(ledger.items()))
    return ReadBundle(source, entries, ledger, own, beside, kept)


def opened_bundle(bundle: ReadBundle, key: str | PrivateKey) -> Kept:
    """Open the sealed content of a bundle with the heirloom or the successor's key. Raises `BoxFault` for a wrong
    key, and `Refused` for damaged content."""
    armored = bundle.kept.decode("ascii", "replace")
    plain = unpad(unseal_by_parts(key, bundle.kept) if isinstance(key, str) else unseal(key, armored))
    try:
        pressed = zlib.decompressobj()
        content = pressed.decompress(plain, MOST_BYTES)
    except _DAMAGED:
        raise Refused(bundle.source, [wrong("E-HEIR-BUNDLE")]) from None
    return json_value(content, Kept, bundle.source, "E-HEIR-BUNDLE.kept")
