"""Plans of new campaigns as moderators write them: terms, seats, conduct and clock, and the files that they name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.bots.table import BOTS, MOST_WORLDS, is_bot
from pbem.campaign.clock.clock import Clock
from pbem.campaign.disk.folder import LARGEST_FILE
from pbem.campaign.founding import NewCampaign
from pbem.campaign.ledger.seats import masked_settings, people_in
from pbem.campaign.letters.joining import names_not_free, wrong_with_name
from pbem.campaign.settings import Conduct, Moderator, Seat, Settings
from pbem.campaign.succession import terms_of
from pbem.engine.table import GameRules
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import words, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.convert import attempt
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.strict import MappingNode, Node, read_yaml
from pbem.paper.found import is_address
from pbem.paper.library import FILES, read_game, read_terms, rules_of_terms, term_keys, terms_document
from pbem.paper.positions.files import load_position
from pbem.seal.canonical import AnyTree

T = TypeVar("T")

Terms: TypeAlias = dict[str, str | dict[str, str]]

_NAME = "[a-z0-9][a-z0-9-]{0,39}"

OWN = ("campaign", "seats", "moderator", "conduct", "clock", "position")
"""Keys of a plan besides the terms of the game."""


class CampaignDraft(Struct):
    """A plan of a campaign that is being put together."""

    campaign: str
    terms: Terms = field(default_factory=dict)
    seats: dict[str, Seat] = field(default_factory=dict)
    moderator: Moderator = field(default_factory=Moderator)
    conduct: Conduct = field(default_factory=Conduct)
    clock: Clock = field(default_factory=Clock)
    position: str = ""
    """Name of the position file; empty for the scenario's start."""
    folder: Path = Path()
    """Folder of the files that the plan names."""
    outspoken: frozenset[tuple[str, str]] = frozenset()
    """Settings that the plan itself gives for a seat: pairs of a seat and `reports` or `language`."""
    language: str = Seat().language
    """Language of people for whom the plan gives no language."""


def read_plan(content: bytes, source: str, folder: Path, options: Mapping[str, object]) -> CampaignDraft:
    """Read the plan of a campaign from a file. `source` is the name of the file, and `folder` the folder of the files
    that the plan names. Values in `options` replace those of the file. Raises `Refused` for faults."""
    node = read_yaml(content, source) if content else strict.MappingNode({}, {}, 0, 0)
    own = Reader(source)
    document = own.mapping(node, words("campaign-settings"))
    for key in (*FILES, "position"):
        if document and key in document.items:
            own.file_name(document.items[key], f"`{key}`")
    own.refuse()
    reader = Reader(source, names_paths=True)  # options may name paths; the plan's own file names were checked above
    merged = with_options(document or strict.MappingNode({}, {}, 0, 0), options)
    game = read_game(reader, merged.items)
    entries = reader.known_entries(merged, ("pbem", "kind", *OWN, *term_keys(game)), words("campaign-settings"))
    reader.refuse()
    draft = CampaignDraft(campaign=name_in(reader, entries, merged), folder=folder)
    draft.position = text_in(reader, entries, "position")
    draft.seats = typed_part(reader, entries, "seats", dict[str, Seat]) or {}
    draft.outspoken = frozenset(
        (seat, key) for seat in draft.seats for key in ("reports", "language") if is_said(entries["seats"], seat, key)
    )
    draft.moderator = typed_part(reader, entries, "moderator", Moderator) or Moderator()
    draft.conduct = typed_part(reader, entries, "conduct", Conduct) or Conduct()
    draft.clock = typed_part(reader, entries, "clock", Clock) or Clock()
    read_terms(reader, entries)
    plain: AnyTree = {key: strict.bare(entries[key]) for key in term_keys(game) if key in entries}
    draft.terms = {"game": game, **plain}
    reader.refuse()
    return draft


def with_options(document: MappingNode, options: Mapping[str, AnyTree]) -> MappingNode:
    """Return a plan's document with the values of `options` in place of its own. Mappings are merged, not replaced."""
    items, places = dict(document.items), dict(document.places)
    for key, value in options.items():
        before = items.get(key)
        if isinstance(value, dict) and isinstance(before, MappingNode):
            items[key] = with_options(before, value)
        else:
            items[key] = node_of(value)
        places.setdefault(key, (0, 0))
    return MappingNode(items, places, document.line, document.column)


def name_in(reader: Reader, entries: Mapping[str, Node], document: Node) -> str:
    """Return the campaign's name from a plan. Note a fault if the name does not fit into letters and file names."""
    name = text_in(reader, entries, "campaign")
    if not re.fullmatch(_NAME, name):
        bad = wrong("E-NEW-NAME", name=as_quoted(name)) if name else wrong("E-NEW-NAME.none")
        reader.note(entries.get("campaign", document), bad)
    return name


def text_in(reader: Reader, entries: Mapping[str, Node], key: str) -> str:
    """Return the text under a key of the plan, or an empty text without the key."""
    return (reader.text(entries[key], f"`{key}`") or "") if key in entries else ""


def typed_part(reader: Reader, entries: Mapping[str, Node], key: str, kind: type[T]) -> T | None:
    """Return the value under a key of the plan, as a value of this type. Note its faults. Return None for a missing or
    faulty value."""
    if key not in entries:
        return None
    value, faults = attempt(entries[key], kind)
    for fault in faults:
        reader.add(fault)
    return value


def complete_plan(draft: CampaignDraft, source: str, program: str) -> NewCampaign:
    """Read the files that the plan names, fill in its seats, and return the whole plan. `source` is the name of the
    plan's file, `program` the version of this program. Raises `Refused` if the parts of the plan do not fit
    together."""
    files: dict[str, bytes] = {}
    if draft.position:
        rules = rules_of_position(draft, source, files)
    else:
        rules = rules_of_terms(draft.terms, Reader(source, names_paths=True), draft.folder)
    # All terms of the game, even those that the plan leaves out.
    written = terms_document(rules.terms)
    terms = with_files(
        {key: value if isinstance(value, dict) else str(value) for key, value in written.items()}, draft, source, files
    )
    seats = {seat: with_bot(draft, seat_planned(draft, seat), seat, source, program) for seat in rules.seats}
    if strangers := [seat for seat in draft.seats if seat not in seats]:
        raise Refused(source, [wrong("E-NEW-SEAT", seat=strangers[0], seats=tuple(seats))])
    if draft.moderator.seat and draft.moderator.seat not in seats:
        raise Refused(source, [wrong("E-NEW-SEAT.moderator", seat=draft.moderator.seat, seats=tuple(seats))])
    addresses = {seat: who.address for seat, who in seats.items() if who.address}
    if draft.moderator.address:
        addresses["moderator"] = draft.moderator.address
    for seat, address in addresses.items():
        if not is_address(address):
            raise Refused(source, [wrong("E-MAIL-ADDRESS", what=seat, address=as_quoted(address))])
    settings = Settings(
        campaign=draft.campaign,
        terms=terms,
        seats={seat: replace(who, address="") for seat, who in seats.items()},
        moderator=replace(draft.moderator, address=""),
        conduct=with_stand_in(draft, source, program),
        clock=draft.clock,
        position=Path(draft.position).name,
    )
    check_succession(settings, source)
    for seat, who in draft.seats.items():
        if who.name and (fault := wrong_with_name(who.name, names_not_free(settings, seat, {}))):
            raise Refused(source, [wrong("E-NEW-SEAT.name", hint=fault.hint, seat=seat, why=fault.message)])
    if settings.is_masked:
        return NewCampaign(masked_settings(settings), files, addresses, program, people_in(settings))
    return NewCampaign(settings, files, addresses, program, {})


def is_said(seats: Node, seat: str, key: str) -> bool:
    """True if a plan has this key for a seat."""
    said = seats.items.get(seat) if isinstance(seats, MappingNode) else None
    return isinstance(said, MappingNode) and key in said.items


def seat_planned(draft: CampaignDraft, seat: str) -> Seat:
    """Return the settings of a seat according to the plan. A person's language is by default the draft's language.
    Reports are by default sealed if the moderator plays on another seat."""
    found = draft.seats.get(seat, Seat())
    if not found.bot and (seat, "language") not in draft.outspoken:
        found = replace(found, language=draft.language)
    if draft.moderator.seat in ("", seat) or (seat, "reports") in draft.outspoken:
        return found
    return replace(found, reports="sealed")


def with_bot(draft: CampaignDraft, planned: Seat, seat: str, source: str, program: str) -> Seat:
    """Return the settings `planned` of a seat. If they name a bot, its version is added, and a name for the player if
    none is planned. Raises `Refused` for an unknown bot, and for a bot on the moderator's seat, on a seat with a mail
    address, or if the seats are drawn by lot. `source` is the name of the plan's file, `program` the version of this
    program."""
    if not planned.bot:
        return planned
    bot = bot_planned(planned.bot, source, program)
    if draft.conduct.seats == "drawn" or seat == draft.moderator.seat:
        raise Refused(source, [wrong("E-NEW-BOT.seat", seat=seat)])
    if planned.address:
        raise Refused(source, [wrong("E-NEW-BOT.person", seat=seat, address=as_quoted(planned.address))])
    return replace(planned, bot=bot, name=planned.name or f"Bot {bot.partition('/')[0]}")


def with_stand_in(draft: CampaignDraft, source: str, program: str) -> Conduct:
    """Return the plan's conduct, with the version of the bot that stands in. `source` is the name of the plan's file,
    `program` the version of this program. Raises `Refused` for a bot that may not stand in. Also raises it if bots are
    to take the seats of players who resign, but no bot is named."""
    if not (bot := draft.conduct.stand_in):
        if draft.conduct.resigned == "bot":
            raise Refused(source, [wrong("E-NEW-RESIGNED")])
        return draft.conduct
    found = bot_planned(bot, source, program)
    if draft.moderator.seat:
        raise Refused(source, [wrong("E-NEW-BOT.stand-in")])
    return replace(draft.conduct, stand_in=found)


def check_succession(settings: Settings, source: str) -> None:
    """Raise `Refused` if more seats must agree on an heir than can have a part of the key."""
    terms, own = terms_of(settings), settings.moderator.seat
    people = [seat for seat, who in settings.seats.items() if not who.bot and seat != own]
    if terms and len(people) < terms.seats:
        raise Refused(source, [wrong("E-NEW-SUCCESSION", wanted=terms.seats, count=len(people))])


def bot_planned(bot: str, source: str, program: str) -> str:
    """Return the name of a bot, followed by this program's version. Raises `Refused` for an unknown bot or version."""
    name, _, version = bot.partition("/")
    if not is_bot(name) or version not in ("", program):
        raise Refused(source, [wrong("E-NEW-BOT", bot=as_quoted(bot), bots=BOTS, most=MOST_WORLDS)])
    return f"{name}/{program}"


def with_files(terms: Terms, draft: CampaignDraft, source: str, files: dict[str, bytes]) -> Terms:
    """Read the campaign's own files that the terms name, and add them to `files`. Return the terms with bare file
    names. Raises `Refused` for two files of one name, and for an unreadable file."""
    beside = draft.folder / Path(draft.position).parent if draft.position else draft.folder
    found = dict(terms)
    for key in FILES:
        path = beside / str(terms.get(key, ""))
        if not path.suffix or not path.is_file():
            continue
        if path.name in files:
            raise Refused(source, [wrong("E-NEW-FILE.twice", name=path.name)])
        found[key] = path.name
        files[path.name] = bytes_of(path, source)
    return found


def rules_of_position(draft: CampaignDraft, source: str, files: dict[str, bytes]) -> GameRules:
    """Read the plan's position file, add it to `files`, and return the rules of the position. The position
    fixes the terms of the game: raises `Refused` if the plan has terms, too."""
    if own := [key for key in draft.terms if key != "game"]:
        raise Refused(source, [wrong("E-NEW-TERMS", key=own[0])])
    path = draft.folder / draft.position
    files[path.name] = bytes_of(path, source)
    return load_position(files[path.name], draft.position, path.parent).rules


def bytes_of(path: Path, source: str) -> bytes:
    """Return the bytes of the file `path`, which the plan names. Raises `Refused` if the file cannot be read or is
    larger than `LARGEST_FILE`. `source` is the name of the plan's file."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Refused(source, [wrong("E-NEW-FILE.unread", name=path.name, why=reason_of(error))]) from None
    if len(data) > LARGEST_FILE:
        raise Refused(source, [wrong("E-NEW-FILE.large", name=path.name, most=LARGEST_FILE)])
    return data
