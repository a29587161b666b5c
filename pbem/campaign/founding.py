"""Foundation of a campaign: the settings, rules and files on which all agreed, and its first entry."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import DISK, PRIVATE, TEMPORARY, Disk, read_whole, sweep, write_new, write_whole
from pbem.campaign.disk.folder import FOLDERS, LARGEST_FILE, Folder, create, hold_folder, hold_lock, sha256_of
from pbem.campaign.disk.vault import FORMAT, Vault, lock_up, unlock
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Finding, Head, Ledger, state_text
from pbem.campaign.ledger.entries import as_texts, says_the_same
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.replaying import FIRST, first_of
from pbem.campaign.play.snapshot import Snapshot
from pbem.campaign.settings import Newcomer, Settings
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import game_named, with_parts
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted, is_bare
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.writing import write
from pbem.paper.library import FILES, game_of_terms, rules_of_terms, rulings_before
from pbem.paper.positions.files import load_position
from pbem.seal.canonical import Tree
from pbem.seal.deal import ProvableDealer, secret_commitment
from pbem.seal.keys import PrivateKey

MISNAMED = 2
"""Protocol that two versions of the program wrote, with different rulings."""

BARE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_. -]{0,99}")
"""Pattern for names of a campaign's own files. Such names cannot lead out of its folder."""


class NewCampaign(Struct, frozen=True):
    """Everything that `begin` writes into a new folder."""

    settings: Settings
    files: dict[str, bytes]
    """Dict from the name of each of the campaign's own board, politics and position files to its bytes."""
    addresses: dict[str, str]
    program: str
    people: dict[str, Newcomer] = {}
    """Dict from each seat to the name and language of the person invited to it, if players are masked."""


def begin(root: Path, plan: NewCampaign, secret: bytes, key: PrivateKey, now: datetime, disk: Disk = DISK) -> Folder:
    """Create the folder of a new campaign, and return it. Files of an interrupted call are replaced. If an earlier call
    with the same plan was finished, its folder is returned unchanged. Raises `StorageFault` if the folder has other
    files."""
    folder = Folder(root)
    if folder.rules.is_dir():
        with hold_lock(root, "new", now):
            if is_founded(folder, plan, key):
                sweep(root, disk)
                return folder
            remove_unfinished(folder, plan.files, key, disk)
    create(root, disk)
    with hold_folder(folder, "new", now, disk):
        write_rules(folder, plan, key, disk)
        digests = digests_of(plan.files)
        record = r.NewRecord(
            plan.settings, key.public.text, secret_commitment(secret), plan.program, digests, r.PROTOCOL
        )
        ledger = Ledger(folder.ledger, plan.settings.campaign)
        entry = ledger.append("new", as_texts(record), now, key, disk)
        public = public_state_at_start(record)
        add_entry(public, entry.number, stamp(entry.time), record)
        kept = Snapshot(public, secret.hex())
        vault = Vault(FORMAT, entry.number, entry.hash, kept, kept, dict(plan.addresses), people=dict(plan.people))
        write_whole(folder.secret, lock_up(vault, key), disk, PRIVATE)
        write_whole(folder.state, state_text(public, Head(entry.number, entry.hash)).encode(), disk)
        # This file is written last, so that a folder that has it is known to be complete.
        write_new(folder.campaign, campaign_text(plan.settings).encode(), disk)
    return folder


def write_rules(folder: Folder, plan: NewCampaign, key: PrivateKey, disk: Disk) -> None:
    """Write the plan's files of rules. If no game can begin with them, remove them and raise `Refused`."""
    for name, data in plan.files.items():
        write_new(folder.rules / name, data, disk)
    try:
        check_start(folder, plan.settings)
    except Refused:
        remove_unfinished(folder, plan.files, key, disk)
        raise


def is_founded(folder: Folder, plan: NewCampaign, key: PrivateKey) -> bool:
    """True if a folder has the campaign of this plan and this moderator's key, without any later entry."""
    if not os.path.lexists(folder.campaign) or os.listdir(folder.ledger) != [FIRST]:
        return False
    record = first_of(folder)[1]
    if record.moderator != key.public.text or not says_the_same(record.settings, plan.settings):
        return False
    vault = unlock(read_whole(folder.secret, LARGEST_FILE), key)
    same_people = (vault.addresses, vault.people) == (dict(plan.addresses), dict(plan.people))
    return same_people and record.files == digests_of(plan.files)


def remove_unfinished(folder: Folder, files: Mapping[str, bytes], key: PrivateKey, disk: Disk = DISK) -> None:
    """Remove the files that an interrupted `begin` with these rule files and this key has left in a folder. Remove
    nothing if the campaign is complete, or if the folder has any other file."""
    if os.path.lexists(folder.campaign):
        return
    rules = {folder.rules / name: data for name, data in files.items()}
    left = [folder.state, folder.secret, *(each for name in FOLDERS for each in sorted((folder.root / name).glob("*")))]
    left = [path for path in left if os.path.lexists(path) and not TEMPORARY.fullmatch(path.name)]
    entry = folder.ledger / FIRST
    is_ours = entry in left and first_of(folder)[1].moderator == key.public.text
    ours = {folder.state, folder.secret, entry} if is_ours else set()
    if all(path in ours or (path in rules and read_whole(path, LARGEST_FILE) == rules[path]) for path in left):
        for path in left:
            disk.unlink(path)
        for name in FOLDERS:
            if (folder.root / name).is_dir():
                sweep(folder.root / name, disk)


def digests_of(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


def check_start(folder: Folder, settings: Settings) -> None:
    """Raise `Refused` if the rules cannot be read, or if the terms in a position file are not those of the settings."""
    rules = rules_of(folder, settings)
    table = opener_of(folder, settings)(rules, ProvableDealer(bytes(32)))
    if table.state.terms != rules.terms:
        raise Refused(settings.position, [wrong("E-CAMPAIGN-POSITION")])


def campaign_text(settings: Settings) -> str:
    """Return the text of `campaign.yaml`, the settings for human readers."""
    return "# What was agreed; the ledger's first entry says the same, signed.\n" + write(in_order(as_texts(settings)))


def in_order(tree: Tree) -> Tree:
    """Return the tree with all keys in the order in which the ledger writes them."""
    match tree:
        case dict():
            # Sorted by code points, which is the canonical order because all keys are in ASCII.
            return {key: in_order(tree[key]) for key in sorted(tree)}
        case list():
            return [in_order(item) for item in tree]
    return tree


def compare_rules(folder: Folder, files: Mapping[str, str]) -> Iterator[Finding]:
    """Yield a fault for each of the campaign's own files whose SHA-256 is not the agreed one, or whose name could lead
    out of the folder. Raises `StorageFault` for a missing file."""
    for name, digest in files.items():
        if not BARE_NAME.fullmatch(name):
            yield Finding("rules", wrong("E-VERIFY-NAME"))
        elif sha256_of(folder.rules / name, LARGEST_FILE) != digest:
            yield Finding(f"rules/{name}", wrong("E-VERIFY-FILE"))


def check_files(folder: Folder, digests: Mapping[str, str]) -> None:
    """Raise `Refused` for a file of rules that has changed since the campaign began, or that is a link. `digests` has
    the SHA-256 of each file at that time."""
    for finding in compare_rules(folder, digests):
        raise Refused(finding.file, [finding.fault])


def unagreed_files(folder: Folder, settings: Settings, files: Collection[str]) -> Iterator[Wrong]:
    """Yield a fault for each file of rules that could be changed unnoticed while the game runs. Such a file does not
    come with the program, and entry 1 has no hash of it. `files` are the files whose hashes entry 1 has."""
    named = {key: str(name) for key, name in settings.terms.items() if key in FILES}
    names = [*named.items(), *(("position", name) for name in [settings.position] if name)]
    if settings.position in files:
        node = strict.read_yaml(read_whole(folder.rules / settings.position, LARGEST_FILE), settings.position)
        items = node.items if isinstance(node, strict.MappingNode) else {}
        names += [(key, str(strict.bare(items[key]))) for key in FILES if key in items]
    for key, name in names:
        is_own = key == "position" or "." in name or not is_bare(name) or (folder.rules / name).exists()
        if is_own and name not in files:
            yield wrong("E-VERIFY-FILE.unnamed", key=key, name=as_quoted(name))


def rules_of(folder: Folder, settings: Settings, protocol: int = r.PROTOCOL) -> GameRules:
    """Return the rules of the campaign's game, with the rulings of its protocol and the boards in its folder. The field
    `terms` of these rules always has the terms of the settings, without rulings that an older protocol adds."""
    rules = rules_of_terms(settings.terms, Reader("campaign.yaml"), folder.rules)
    then = terms_of_protocol(settings.terms, protocol_of_rulings(folder, protocol))
    if then == settings.terms:
        return rules
    # The fingerprint of every position covers the terms, so they must not change.
    return with_parts(rules_of_terms(then, Reader("campaign.yaml"), folder.rules), terms=rules.terms)


def protocol_of_rulings(folder: Folder, protocol: int) -> int:
    """Return the protocol by whose rulings a campaign is played. This is the campaign's own protocol, with one
    exception: campaigns of 0.1.0 name protocol 2, but are played by the rulings of protocol 1."""
    if protocol != MISNAMED or not (folder.ledger / FIRST).is_file():
        return protocol
    return protocol - 1 if first_of(folder)[1].program == "0.1.0" else protocol


def terms_of_protocol(terms: dict[str, str | dict[str, str]], protocol: int) -> dict[str, str | dict[str, str]]:
    """Return the terms, with the rulings of an older protocol added. A ruling in the terms themselves takes
    precedence."""
    if protocol >= r.PROTOCOL:
        return terms
    game = game_of_terms(terms)
    then = next((its for last, its in rulings_before(game).items() if protocol <= last), {})
    given = terms.get("rulings", {})
    rulings = then | (given if isinstance(given, dict) else {})
    return terms | {"rulings": rulings} if rulings else terms


def opener_of(folder: Folder, settings: Settings) -> Callable[[GameRules, ProvableDealer], Table]:
    """Return a function that sets up the campaign's game, from the scenario's start or the position file. The function
    raises `Refused` for a position file that cannot be read or lies outside the folder."""

    def set_up(rules: GameRules, dealer: ProvableDealer) -> Table:
        game = game_named(rules.terms.game)
        if settings.position and not BARE_NAME.fullmatch(settings.position):
            raise Refused("campaign.yaml", [wrong("E-VERIFY-NAME.position")])
        if not settings.position:
            begun: Table = game.table(rules, game.new_state(rules), dealer)
            return begun
        data = read_whole(folder.rules / settings.position, LARGEST_FILE)
        placed = load_position(data, settings.position, folder.rules, dealer)
        if placed.rules.terms != rules.terms:
            return placed
        return with_parts(placed, rules=rules)  # with the rulings that the campaign adds to its terms

    return set_up
