"""Seats of the players: the lot that gives out the seats at the first adjudication, keys that seats share, and masks.
If players are masked (`masks` in `conduct`), only the moderator knows their names and languages before the close."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.public_state import Count, Player, PublicState
from pbem.campaign.ledger.records import AdjudicationRecord
from pbem.campaign.letters.letterbox import HeldLetter, entry_of
from pbem.campaign.settings import NOBODY, Newcomer, Seat, Settings
from pbem.faults.wrong import ENGLISH, Wrong, wrong
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter
from pbem.seal.deal import draw_lot
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey, without_comment

T = TypeVar("T")

Lot = Mapping[str, str]
"""Result of a lot: a mapping from each seat that a player joined to the seat that this player plays."""


def lot_of(settings: Settings, root: bytes) -> dict[str, str]:
    """Return the lot drawn with `root`, the secret of the deal. It is a dict from each seat to the seat that its player
    gets. It is empty if players choose their seats."""
    if settings.conduct.seats != "drawn":
        return {}
    joined = sorted(settings.seats)
    return dict(zip(joined, draw_lot(root, joined), strict=True))


def by_seats_drawn(known: Mapping[str, T], lot: Lot) -> dict[str, T]:
    """Return a copy of `known`. In each key, the seat is replaced by the one that the lot gives. Keys are names of
    seats, or texts of a `Count`, which begin with a seat."""
    counts = ((Count.read(key), value) for key, value in known.items())
    return {str(Count(lot.get(count.seat, count.seat), count.kind)): value for count, value in counts}


def is_lot_due(public: PublicState) -> bool:
    """True if the seats are still to be drawn by lot. The first adjudication of the campaign draws them."""
    return public.settings.conduct.seats == "drawn" and public.version == 0


def is_lot_complete(public: PublicState, lot: Lot) -> bool:
    """True if a lot is complete: it gives every player one seat, or it is empty because the next adjudication draws no
    seats (`is_lot_due`)."""
    seats = sorted(public.settings.seats)
    return (sorted(lot), sorted(lot.values())) == ((seats, seats) if is_lot_due(public) else ([], []))


def lot_since(public: PublicState, entry: int) -> Lot:
    """Return the lot if it was drawn after this entry, else an empty lot."""
    return public.drawn if entry < public.drawn_at else {}


def seats_asked_as_joined(record: AdjudicationRecord) -> list[str]:
    """Return the seats that owe answers after an adjudication, by their names before the lot."""
    joined = {played: seat for seat, played in record.drawn.items()}
    return [joined.get(player, player) for player in record.next.owing]


def take_seats(public: PublicState, number: int, lot: Lot) -> None:
    """Move all players to the seats that the lot in this entry gives them."""
    public.drawn, public.drawn_at = dict(lot), number
    public.players = by_seats_drawn(public.players, lot)
    public.spare = by_seats_drawn(public.spare, lot)
    public.seqs = by_seats_drawn(public.seqs, lot)
    public.absences = [replace(away, player=lot[away.player]) for away in public.absences]
    people = by_seats_drawn(public.settings.seats, lot)
    own = public.settings.moderator.seat
    public.settings = replace(
        public.settings,
        seats={seat: people[seat] for seat in public.settings.seats},
        moderator=replace(public.settings.moderator, seat=lot.get(own, own)),
    )


class SharedKey(Struct, frozen=True):
    """Key that several seats have, or that a seat has in common with the moderator. The second case does not count if
    the settings say that the moderator plays on this seat."""

    players: tuple[str, ...]
    key: str
    is_moderators: bool = False


def shared_keys(public: PublicState, players: Mapping[str, Player]) -> tuple[SharedKey, ...]:
    """Return the keys that several of the seats `players` have. Also return the moderator's key if a seat has it,
    unless the settings say that the moderator plays on this seat. Comments of keys are ignored."""
    seats: dict[str, list[str]] = {}
    for seat in sorted(players):
        if key := players[seat].key:
            seats.setdefault(without_comment(key), []).append(seat)
    moderators, known = without_comment(public.moderator), public.settings.moderator.seat
    return tuple(
        SharedKey(tuple(found), key, is_undeclared)
        for key, found in seats.items()
        if (is_undeclared := key == moderators and found != [known]) or len(found) > 1
    )


People = Mapping[str, Newcomer]
"""Name and language of the person on each seat."""


def entered_key(settings: Settings, key: str) -> str:
    """Return a player's key as it stands in entries: without its comment if players are masked."""
    return PublicKey.parse(key).bare.text if key and settings.is_masked else key


def people_in(settings: Settings) -> dict[str, Newcomer]:
    """Return the name and language of each invited person, by seat."""
    return {seat: Newcomer(who.name, who.language) for seat, who in settings.seats.items() if not who.bot}


def masked_settings(settings: Settings) -> Settings:
    """Return the settings without names and languages of invited people."""
    languages = {who.language for who in people_in(settings).values()}
    # A language that all seats share tells nothing about single people.
    language = languages.pop() if len(languages) == 1 else Seat().language
    masked = {seat: replace(settings.seats[seat], name="", language=language) for seat in people_in(settings)}
    return replace(settings, seats=settings.seats | masked)


def newcomer_in(letter: Letter, invited: Newcomer) -> Newcomer:
    """Return the name and language in a letter that takes a seat. If the letter leaves them out, return the name and
    language of the invited person."""
    found = {key: entry_of(letter.body, key) for key in ("name", "language")}
    said = {key: node.value for key, node in found.items() if isinstance(node, Text) and node.value}
    return replace(invited, **said)


def person_in(public: PublicState, people: People, seat: str) -> Newcomer:
    """Return the name and language of the person who has a seat or is invited to it. Look first in `people`, which has
    the persons whom only the moderator knows, then in the public state."""
    player, planned = public.players.get(seat), public.settings.seats.get(seat)
    if seat in people:
        return people[seat]
    if player is not None:
        return Newcomer(player.name, player.language)
    return Newcomer(planned.name, planned.language) if planned is not None else NOBODY


def common_language(public: PublicState) -> str:
    """Return the language that all players and invited people share, as far as it is public, or else English."""
    people = [(public.players.get(seat), who) for seat, who in public.settings.seats.items() if not who.bot]
    found = {(player.language if player else "") or invited.language for player, invited in people}
    return found.pop() if len(found) == 1 else ENGLISH


def names_to_show(public: PublicState, people: People) -> dict[str, str]:
    """Return the names that the close shows, by seat. Return an empty dict if players are not masked."""
    if not public.settings.is_masked:
        return {}
    return {seat: people[seat].name for seat in public.players if seat in people and people[seat].name}


def wrong_with_mask(public: PublicState, record: r.Record) -> Iterator[Wrong]:
    """Yield a fault for an entry that tells too much of a masked player. If players are not masked, yield a fault for
    an entry that hides a letter, or for a close that gives names. `public` is the state before the entry; for entry 1,
    the state after it."""
    is_masked = public.settings.is_masked
    match record:
        case r.NewRecord(settings):
            people = [who for who in settings.seats.values() if not who.bot]
            told = any(who.name for who in people) or len({who.language for who in people}) > 1
        case r.JoinRecord():
            told = bool(record.letter or record.name or record.language) or has_comment(record.key)
        case r.SubstituteRecord():
            told = bool(record.language or (record.name and not record.bot)) or has_comment(record.key)
        case r.KeyChangeRecord() if record.player:
            told = bool(record.letter) or has_comment(record.key)
        case r.CloseRecord():
            if record.people and not (is_masked and record.people.keys() <= public.players.keys()):
                yield wrong("E-VERIFY-MASK.people")
            return
        case _:
            return
    if is_masked and told:
        yield wrong("E-VERIFY-MASK")
    hides = isinstance(record, r.JoinRecord | r.KeyChangeRecord) and r.keeps_letter(record)
    if hides and not is_masked:
        yield wrong("E-VERIFY-MASK.hidden")


def has_comment(key: str) -> bool:
    """True if a key has a comment; false for a text that is no key."""
    try:
        return bool(key) and PublicKey.parse(key).bare.text != key
    except SealFault:
        return False


def names_withheld(public: PublicState, closed: r.CloseRecord, letters: Mapping[int, HeldLetter]) -> Iterator[Wrong]:
    """Yield a fault for each seat whose player joined under another name than the close shows. `letters` are the opened
    letters by entry."""
    for seat, player in public.players.items():
        taking = letters.get(player.since)
        name = newcomer_in(taking.letter, NOBODY).name if taking and not player.bot else ""
        if name and closed.people.get(seat, "") != name:
            yield wrong("E-VERIFY-MASK.other", seat=seat)
