"""Succession: a moderator hands a campaign over to an heir, or an heir makes its folder anew from bundles and
letters."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.campaign.bundles import KEPT, ZIP, Kept, ReadBundle, bundle_of, opened_bundle, read_bundle
from pbem.campaign.campaign import Campaign, handed_over
from pbem.campaign.disk.atomic import DISK, PRIVATE, write_new, write_whole
from pbem.campaign.disk.folder import Folder, create
from pbem.campaign.disk.vault import FORMAT, Vault, lock_up
from pbem.campaign.founding import campaign_text, opener_of, rules_of
from pbem.campaign.ledger.chain import Head, Ledger, state_text
from pbem.campaign.ledger.entries import Entry, as_texts, record_in
from pbem.campaign.ledger.public_state import SUCCEEDING, PublicState
from pbem.campaign.ledger.records import SuccessionRecord, keeps_letter
from pbem.campaign.ledger.replaying import public_state_until, replay
from pbem.campaign.ledger.seats import entered_key
from pbem.campaign.letters.joining import entry_text, names_not_free, wrong_with_name
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.proof.verification import Verification, sound_verification
from pbem.campaign.proof.verifying import Verifier, walk_through
from pbem.campaign.settings import MODERATOR, NOBODY, Newcomer, Settings
from pbem.campaign.succession import deadline_for_heir, is_same_key, opened_part, terms_of, text_in
from pbem.faults.wrong import PbemError, Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import WIDE, Letter, sign_letter, write_letter
from pbem.player.files import GivenFile
from pbem.player.letters import letter_at
from pbem.seal.box import pad, seal
from pbem.seal.deal import secret_commitment
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.shares import joined_key


class Heir(Struct, frozen=True):
    """Person who carries a campaign on."""

    key: PrivateKey
    who: Newcomer = NOBODY
    seat: str = ""
    """Seat of the heir; empty if the heir does not play."""


class Inheritance(Struct, frozen=True):
    """Entries and letters that an heir needs to continue a campaign."""

    entries: tuple[Entry, ...]
    letters: dict[str, Letter]
    kept: dict[str, Kept]
    """Dict from the name of each bundle's file to the content of the bundle, which the former moderator has sealed. The
    newest bundle comes first."""

    @property
    def contents(self) -> list[Kept]:
        return [*self.kept.values()]

    @property
    def held(self) -> dict[int, HeldLetter]:
        """Return a dict from the number of each entry to its letter, taken from the opened bundles. If several bundles
        have a letter of the same entry, the newest bundle counts."""
        return {entry: letter for kept in reversed(self.contents) for entry, letter in kept.letters.items()}


class Succession(Struct, frozen=True):
    """Entry of a succession, the present mail addresses, and the warnings for the heir."""

    record: SuccessionRecord
    addresses: dict[str, str]
    warnings: tuple[Wrong, ...]


def succeed(root: Path, files: Sequence[GivenFile], heir: Heir, now: datetime) -> Succession:
    """Make the folder of a campaign from bundles and letters, and enter the heir in the ledger. Raises `PbemError` if
    anything is missing or false; then there is no new folder."""
    if root.exists() and any(root.iterdir()):
        raise Refused(str(root), [wrong("E-HEIR-FOLDER")])
    bundles = [read_bundle(each.data, each.source) for each in files if each.data.startswith(ZIP)]
    letters = [letter_at(each.data, each.source) for each in files if not each.data.startswith(ZIP)]
    root.parent.mkdir(parents=True, exist_ok=True)
    # The folder is made beside `root` under another name, and is renamed when it is complete. So a killed command does
    # not block the next one.
    made = root.with_name(f".pbem-{root.name}.tmp")
    shutil.rmtree(made, ignore_errors=True)
    try:
        done = make_folder(made, bundles, letters, heir, now.replace(microsecond=0))
        if root.exists():
            root.rmdir()
        os.replace(made, root)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return done


def make_folder(
    root: Path, bundles: Sequence[ReadBundle], letters: Sequence[Letter], heir: Heir, now: datetime
) -> Succession:
    """Make the folder of a campaign from bundles and letters, with the entry of the succession. Raises `PbemError` if
    anything is missing or false."""
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
    deadline = deadline_for_heir(public, now)
    key = entered_key(public.settings, heir.key.public.text)
    record = SuccessionRecord(key, texts, heir.who.name, heir.seat, deadline)
    addresses = enter(folder, left, record, heir, now)
    warnings = [*unread_bundles(public, bundles, left), *changed_addresses(left)]
    return Succession(record, {seat: addresses[seat] for seat in sorted(addresses)}, tuple(warnings))


def unread_bundles(public: PublicState, bundles: Sequence[ReadBundle], left: Inheritance) -> Iterator[Wrong]:
    """Yield a warning for each bundle of the present heirloom that the key did not open. If the moderator has handed
    the campaign over, yield nothing."""
    # A bundle that was not opened may have newer addresses.
    since = public.heirloom.entry if public.heirloom else 0
    for bundle in bundles if MODERATOR not in left.letters else ():
        if since < bundle.entries[-1].number <= left.entries[-1].number and bundle.source not in left.kept:
            yield wrong("W-HEIR-BUNDLE", file=bundle.source)


def changed_addresses(left: Inheritance) -> Iterator[Wrong]:
    """Yield a warning for each seat that has different addresses in the bundles."""
    # The addresses in bundles are not signed, so anybody may have changed them.
    newest, *earlier = left.contents
    for seat, address in sorted(newest.addresses.items()):
        others = {kept.addresses.get(seat, "") for kept in earlier} - {"", address}
        if others and seat != MODERATOR:
            yield wrong(
                "W-HEIR-ADDRESS", seat=seat, address=address or words("no-address"), others=tuple(sorted(others))
            )


def entries_until(bundles: Sequence[ReadBundle], letters: Sequence[Letter]) -> tuple[Entry, ...]:
    """Return all entries up to the last one, which the letters name. Raises `Refused` if bundles, letters or entries
    are missing, or if the letters name different last entries."""
    if not letters or not bundles:
        raise Refused(
            "bundles" if letters else "letters", [wrong("E-HEIR-FILES" if letters else "E-HEIR-FILES.letters")]
        )
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
    """Write and verify all public files, and return the public state. Raises `PbemError` if verifying finds a fault in
    the files."""
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
    """Open the bundles, and return what they contain. The key that opens them is the heir's own if the moderator handed
    the campaign over. Otherwise it is made from the parts of the heirloom in the letters. Raises `PbemError` if a part,
    a letter or a bundle is missing or false."""
    if handed := {each.sender: each for each in letters if each.sender == MODERATOR}:
        left = Inheritance(entries, handed, opened_bundles(bundles, key, entries[-1].number))
    else:
        giving, joined = parts_given(public, letters, key)
        left = Inheritance(entries, giving, opened_bundles(bundles, joined, entries[-1].number))
    wanted = [entry.number for entry in entries if keeps_letter(record_in(entry))]
    missing = [number for number in wanted if number not in left.held]
    if missing or not left.kept:
        raise Refused("letters", [wrong("E-HEIR-MISSING", entry=missing[0] if missing else 1, last=entries[-1].number)])
    if any(secret_commitment(bytes.fromhex(each.secret)) != public.secret for each in left.contents):
        raise Refused("ledger", [wrong("E-VERIFY-SECRET")])
    return left


def parts_given(public: PublicState, letters: Iterable[Letter], key: PrivateKey) -> tuple[dict[str, Letter], str]:
    """Return a dict from each seat to its letter with a part of the heirloom, and the key that is made from all these
    parts. Raises `PbemError` if there are too few parts, or if a part is false."""
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
    return giving, joined_key(heirloom.points, parts)


def opened_bundles(bundles: Iterable[ReadBundle], key: str | PrivateKey, last: int) -> dict[str, Kept]:
    """Return the content of each bundle that the key opens. Bundles with entries after the entry `last` are left out.
    The keys of the dict are the names of the files, and the newest bundle comes first."""
    found: dict[str, Kept] = {}
    for bundle in sorted(bundles, key=lambda each: each.entries[-1].number, reverse=True):
        if bundle.entries[-1].number <= last:
            try:
                found[bundle.source] = opened_bundle(bundle, key)
            except BoxFault:
                continue
    return found


def enter(folder: Folder, left: Inheritance, record: SuccessionRecord, heir: Heir, now: datetime) -> dict[str, str]:
    """Enter the succession in the ledger, write the heir's vault, and return the addresses in the vault. Raises
    `PbemError` if a file cannot be written, or if a verifier would reject the succession."""
    settings = public_state_until(left.entries[:1]).settings
    ledger = Ledger(folder.ledger, settings.campaign)
    entry = ledger.append("succession", as_texts(record), now, heir.key)
    walk = walk_through(Verifier(folder, Verification()))
    errors = [each for each in walk.found.findings if each.fault.code.startswith("E-")]
    if errors:
        raise Refused(errors[0].file, [each.fault for each in errors])
    newest, states = left.contents[0], states_of(folder, settings, left, (*left.entries, entry))
    if "" not in newest.told or not set(newest.told.values()) <= set(states):
        raise Refused(KEPT, [wrong("E-HEIR-BUNDLE")])
    told = {reader: states[number] for reader, number in newest.told.items()}
    addresses = {seat: address for seat, address in newest.addresses.items() if seat not in (MODERATOR, heir.seat)}
    own = {name: heir.who.address for name in (MODERATOR, heir.seat) if name and heir.who.address}
    kept = states[entry.number]
    vault = Vault(FORMAT, entry.number, entry.hash, kept, told.pop(""), addresses | own, told=told)
    vault.people = dict(newest.people)
    write_whole(folder.secret, lock_up(vault, heir.key), DISK, PRIVATE)
    write_whole(folder.state, state_text(kept.public, Head(entry.number, entry.hash)).encode(), DISK)
    return vault.addresses


def states_of(
    folder: Folder, settings: Settings, left: Inheritance, entries: Sequence[Entry]
) -> Mapping[int, Snapshot]:
    """Carry out all entries again, and return the states that the heir needs, by the number of the entry. These are the
    states after the first and the last entry, and after each entry up to which a reader has been told the events."""
    held, protocol = left.held, public_state_until(entries[:1]).protocol
    rules = rules_of(folder, settings, protocol)

    def state_from(snapshot: Snapshot) -> SecretState:
        return SecretState(snapshot, rules, held.__getitem__, opener_of(folder, snapshot.public.settings))

    newest = left.contents[0]
    wanted = {*newest.told.values(), entries[-1].number}
    first = Snapshot(public_state_until(entries[:1]), newest.secret)
    found = {1: first}
    for played in replay(entries, state_from, newest.secret):
        if played.entry.number in wanted:
            found[played.entry.number] = played.state.snapshot()
    return found


class HandOver(Struct, frozen=True):
    """Result of handing a campaign over, or of taking it back."""

    files: tuple[Path, ...] = ()
    """Bundle and letter for the new moderator. The tuple is empty if the campaign was not handed over, because the key
    is the moderator's own."""
    is_taken_back: bool = False
    """True if the campaign had been handed over before and has now been taken back."""


def hand_over(campaign: Campaign, heir: PublicKey, out: Path) -> HandOver:
    """Write the bundle and the letter for the heir, who has the key `heir`, and close this folder. If `heir` is the
    moderator's own key, take the campaign back instead. Raises `Refused` if the campaign cannot be handed over now."""
    public, name = campaign.public, campaign.settings.campaign
    if public.protocol < SUCCEEDING or public.phase not in ("running", "over"):
        raise Refused(name, [wrong("E-HAND-OVER")])
    is_own = is_same_key(heir.text, campaign.key.public.text)
    if campaign.vault.handed not in ("", heir.text) and not is_own:
        raise Refused(name, [handed_over(campaign)])
    was_handed = bool(campaign.vault.handed)
    # This is stored before the files are written. As soon as the letter exists, no entry may be made any more, even if
    # this command is killed.
    campaign.vault.handed = "" if is_own else heir.text
    campaign.write_vault()
    if is_own:
        return HandOver(is_taken_back=was_handed)
    last, vault = campaign.vault.entry, campaign.vault
    told = {reader: each.public.entry for reader, each in vault.told.items()} | {"": vault.posted.public.entry}
    bundle, letter = out / f"succession-0001-{last:04d}.zip", out / f"succession-{name}-{MODERATOR}.yaml"
    out.mkdir(parents=True, exist_ok=True)
    write_whole(bundle, bundle_of(campaign, list(campaign.ledger.entries()), told, heir), campaign.disk, PRIVATE)
    head: dict[str, str | int] = {"kind": "succession", "campaign": name, "from": MODERATOR, "seq": last}
    body = {"to": heir.bare.text, "head": vault.hash}
    text = sign_letter(write_letter(head, body, WIDE), campaign.key)
    write_whole(letter, text.encode(), campaign.disk, PRIVATE)
    return HandOver((bundle, letter))
