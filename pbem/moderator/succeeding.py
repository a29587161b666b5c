"""Succession by an heir: a campaign's folder made again from bundles, and from the letters of the seats who want it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.campaign.bundles import KEPT, Kept, ReadBundle, opened_bundle, read_bundle
from pbem.campaign.campaign import campaign_text, opener_of, rules_of
from pbem.campaign.disk.atomic import DISK, PRIVATE, write_new, write_whole
from pbem.campaign.disk.folder import Folder, create
from pbem.campaign.disk.vault import FORMAT, Vault, lock_up
from pbem.campaign.ledger.chain import Head, Ledger, state_text
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import LetterRecord, SuccessionRecord, as_texts
from pbem.campaign.ledger.replaying import public_state_until, record_in, replay
from pbem.campaign.letters.joining import MODERATOR, entry_text, names_not_free, wrong_with_name
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.proof.judging_again import Verification, sound_verification
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.campaign.settings import NOBODY, Newcomer, Settings
from pbem.campaign.succession import opened_part, terms_of, text_in
from pbem.faults.wrong import PbemError, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter
from pbem.player.files import GivenFile
from pbem.player.letters import letter_at
from pbem.seal.box import pad, seal
from pbem.seal.deal import secret_commitment
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey
from pbem.seal.shares import joined_key

ZIP = b"PK\x03\x04"
"""First bytes of a bundle."""


class Heir(Struct, frozen=True):
    """Person who carries a campaign on."""

    key: PrivateKey
    who: Newcomer = NOBODY
    seat: str = ""
    """Seat of an heir who also plays."""


class Inheritance(Struct, frozen=True):
    """Entries and letters of a campaign that an heir carries on."""

    entries: tuple[Entry, ...]
    letters: dict[str, Letter]
    kept: tuple[Kept, ...]
    """Content of the bundles that the moderator had sealed, the newest first."""

    @property
    def held(self) -> dict[int, HeldLetter]:
        """Return the letters of all entries."""
        return {entry: letter for kept in reversed(self.kept) for entry, letter in kept.letters.items()}


def succeed(root: Path, given: Sequence[GivenFile], heir: Heir, now: datetime) -> SuccessionRecord:
    """Make a campaign's folder from bundles and letters, and enter that the heir carries the campaign on. Return that
    entry. Raises `PbemError` if anything is missing or false; then there is no folder."""
    if root.exists() and any(root.iterdir()):
        raise Refused(str(root), [wrong("E-HEIR-FOLDER")])
    bundles = [read_bundle(each.data, each.source) for each in given if each.data.startswith(ZIP)]
    letters = [letter_at(each.data, each.source) for each in given if not each.data.startswith(ZIP)]
    root.parent.mkdir(parents=True, exist_ok=True)
    # Made beside, and renamed when it is whole: a command that is killed leaves nothing in the way of the next one.
    made = root.with_name(f".pbem-{root.name}.tmp")
    shutil.rmtree(made, ignore_errors=True)
    try:
        record = make_folder(made, bundles, letters, heir, now.replace(microsecond=0))
        if root.exists():
            root.rmdir()
        os.replace(made, root)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return record


def make_folder(
    root: Path, bundles: Sequence[ReadBundle], letters: Sequence[Letter], heir: Heir, now: datetime
) -> SuccessionRecord:
    """Make the folder, with the entry of the succession. Raises `PbemError`."""
    entries = entries_until(bundles, letters)
    folder = create(root)
    public = write_public(folder, bundles, entries)
    left = inheritance(public, entries, bundles, letters, heir.key)
    for number, letter in left.held.items():
        sealed = seal([heir.key.public], pad(msgspec.json.encode(letter)))
        write_whole(folder.letter(number), sealed.encode(), DISK)
    if heir.who.name and (
        fault := wrong_with_name(heir.who.name, names_not_free(public.settings, heir.seat, public.players))
    ):
        raise Refused("--name", [fault])
    texts = {seat: entry_text(letter) for seat, letter in left.letters.items()}
    record = SuccessionRecord(heir.key.public.text, texts, heir.who.name, heir.seat)
    enter(folder, left, record, heir, now)
    return record


def entries_until(bundles: Sequence[ReadBundle], letters: Sequence[Letter]) -> tuple[Entry, ...]:
    """Return the entries up to the one that all letters name. Raises `Refused` if some are missing, or the letters name
    different ones."""
    heads = {text_in(letter, "head") for letter in letters if letter.kind == "succession"}
    known = {entry.number: entry for bundle in bundles for entry in bundle.entries}
    last = next((entry for entry in known.values() if {entry.hash} == heads), None)
    if last is None:
        raise Refused("letters", [wrong("E-HEIR-HEAD", count=len(heads))])
    missing = [number for number in range(1, last.number + 1) if number not in known]
    if missing:
        raise Refused("ledger", [wrong("E-HEIR-MISSING", entry=missing[0], last=last.number)])
    return tuple(known[number] for number in range(1, last.number + 1))


def write_public(folder: Folder, bundles: Sequence[ReadBundle], entries: tuple[Entry, ...]) -> PublicState:
    """Write everything that is public, verify it, and return the public state. Raises `PbemError`."""
    files = {name: data for bundle in bundles for name, data in bundle.ledger.items()}
    for name in (f"{entry.number:04d}-{entry.kind}.yaml" for entry in entries):
        write_new(folder.ledger / name, files[name], DISK)
    first = public_state_until(entries[:1])
    own = {name: data for bundle in bundles for name, data in bundle.own.items()}
    for name in first.files:
        write_new(folder.rules / name, own.get(name, b""), DISK)
    public, head = public_state_until(entries), Head(entries[-1].number, entries[-1].hash)
    write_whole(folder.state, state_text(public, head).encode(), DISK)
    write_new(folder.campaign, campaign_text(first.settings).encode(), DISK)
    sound_verification(folder.root, walk_through(Verifier(folder, Verification())).found)
    return public


def inheritance(
    public: PublicState,
    entries: tuple[Entry, ...],
    bundles: Sequence[ReadBundle],
    letters: Iterable[Letter],
    key: PrivateKey,
) -> Inheritance:
    """Open the parts in the letters and with them the bundles. Raises `PbemError` for too few or false parts, and if
    something is missing."""
    heirloom, terms = public.heirloom, terms_of(public.settings)
    if heirloom is None or terms is None:
        raise Refused("ledger", [wrong("E-VERIFY-HEIR.agreed")])
    giving = {each.sender: each for each in letters if each.sender in heirloom.numbers}
    if len(giving) < terms.seats:
        raise Refused("letters", [wrong("E-VERIFY-HEIR.few", count=len(giving), wanted=terms.seats)])
    parts = {}
    for seat, letter in giving.items():
        try:
            number = heirloom.numbers[seat]
            parts[number] = opened_part(heirloom.points, number, text_in(letter, "part"), key)
        except PbemError as error:
            raise Refused(seat, list(error.faults)) from None
    kept = opened_bundles(bundles, joined_key(heirloom.points, parts), entries[-1].number)
    left = Inheritance(entries, giving, kept)
    wanted = [entry.number for entry in entries if isinstance(record_in(entry), LetterRecord)]
    missing = [number for number in wanted if number not in left.held]
    if missing or not kept:
        raise Refused("letters", [wrong("E-HEIR-MISSING", entry=missing[0] if missing else 1, last=entries[-1].number)])
    if any(secret_commitment(bytes.fromhex(each.secret)) != public.secret for each in kept):
        raise Refused("ledger", [wrong("E-VERIFY-SECRET")])
    return left


def opened_bundles(bundles: Iterable[ReadBundle], key: str, last: int) -> tuple[Kept, ...]:
    """Open the bundles that the key opens, the newest first. Those of an earlier key have nothing that is missing."""
    found = []
    for bundle in sorted(bundles, key=lambda each: each.entries[-1].number, reverse=True):
        if bundle.entries[-1].number <= last:
            try:
                found.append(opened_bundle(bundle, key))
            except BoxFault:
                continue
    return tuple(found)


def enter(folder: Folder, left: Inheritance, record: SuccessionRecord, heir: Heir, now: datetime) -> None:
    """Enter the succession, carry all entries out with it, and write the heir's vault. Raises `PbemError`, also for an
    entry that verifiers would call false."""
    settings = public_state_until(left.entries[:1]).settings
    ledger = Ledger(folder.ledger, settings.campaign)
    entry = ledger.append("succession", as_texts(record), now, heir.key)
    walk = walk_through(Verifier(folder, Verification()))
    errors = [each for each in walk.found.findings if each.fault.code.startswith("E-")]
    if errors:
        raise Refused(errors[0].file, [each.fault for each in errors])
    newest, states = left.kept[0], states_of(folder, settings, left, (*left.entries, entry))
    if "" not in newest.told or not set(newest.told.values()) <= set(states):
        raise Refused(KEPT, [wrong("E-HEIR-BUNDLE")])
    told = {reader: states[number] for reader, number in newest.told.items()}
    addresses = {seat: address for seat, address in newest.addresses.items() if seat not in (MODERATOR, heir.seat)}
    own = {name: heir.who.address for name in (MODERATOR, heir.seat) if name and heir.who.address}
    kept = states[entry.number]
    vault = Vault(FORMAT, entry.number, entry.hash, kept, told.pop(""), addresses | own, told=told)
    write_whole(folder.secret, lock_up(vault, heir.key), DISK, PRIVATE)
    write_whole(folder.state, state_text(kept.public, Head(entry.number, entry.hash)).encode(), DISK)


def states_of(
    folder: Folder, settings: Settings, left: Inheritance, entries: Sequence[Entry]
) -> Mapping[int, Snapshot]:
    """Carry all entries out again, and return the state after each that somebody was told of, and after the last."""
    held, protocol = left.held, public_state_until(entries[:1]).protocol
    rules = rules_of(folder, settings, protocol)

    def state_from(kept: Snapshot) -> SecretState:
        return SecretState(kept, rules, held.__getitem__, opener_of(folder, kept.public.settings))

    wanted = {*left.kept[0].told.values(), entries[-1].number}
    first = Snapshot(public_state_until(entries[:1]), left.kept[0].secret)
    found = {1: first}
    for played in replay(entries, state_from, left.kept[0].secret):
        if played.entry.number in wanted:
            found[played.entry.number] = played.state.snapshot()
    return found
