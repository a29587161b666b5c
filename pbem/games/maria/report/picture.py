"""Texts beside the map in a picture of MARIA: markers, goals, tracks, and the Emperor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.engine.field import ASIDE
from pbem.engine.nouns import Piece, each_piece
from pbem.games.maria.paper.library import load_named_politics
from pbem.games.maria.rules.affairs import AffairsView
from pbem.games.maria.rules.data import acting_in
from pbem.games.maria.rules.politics_data import TrackBox
from pbem.games.maria.rules.view import View
from pbem.report.language.templates import Macros, macros_of, squeeze
from pbem.report.picture.position import Beside, Fact, PictureWords, Tallies, Track

TEMPLATE = "picture_game.txt.j2"


def beside(seen: View, words: PictureWords, language: str, folder: Path | None) -> Beside:
    """All texts of a picture beside the map."""
    say = macros_of(language, seen.terms.game, TEMPLATE)
    affairs = seen.affairs
    return Beside(
        caption=caption(seen, words, say),
        tallies=tuple(Tallies(say.HEADINGS[key], numbers) for key, numbers in numbers_of(seen, say).items() if numbers),
        tracks=tuple(tracks(seen, affairs, words, say, folder)) if affairs else (),
        facts=tuple(Fact(say.FACTS[key], squeeze(str(told))) for key, told in facts(seen, words, say)),
        kept=dict.fromkeys(in_boxes(seen, affairs), say.IN_BOX) if affairs else {},
    )


def caption(seen: View, words: PictureWords, say: Macros) -> str:
    """Moment that the picture shows; a phase named like its stage is left out."""
    leader = acting_in(seen.stage)
    stage = say.winter(words.power(leader)) if leader != seen.stage else say.STAGES.get(leader) or words.power(leader)
    phase = [] if seen.phase in seen.stage else [say.PHASES[seen.phase]]
    return " · ".join([str(say.turn(seen.turn)), str(stage), *phase])


def numbers_of(seen: View, say: Macros) -> dict[str, dict[str, str]]:
    """Numbers of every power still in play, by the keys of the headings."""
    powers = [power for power, now in seen.allegiances.items() if now.stage]
    affairs = seen.affairs
    markers = affairs.markers if affairs else {}
    votes = affairs.votes if affairs and not emperor(affairs) else {}
    laid_aside = seen.gambit.laid_aside if seen.gambit else {}
    return {
        "goals": {power: str(say.of(*goal)) for power, goal in seen.goals.items()},
        "pools": {power: str(say.of(of.pool, of.total)) for power, of in markers.items()},
        "troops": {power: str(seen.troops[power]) for power in powers},
        "hands": {power: str(seen.hand_sizes[power]) for power in powers},
        "votes": {power: str(number) for power, number in votes.items() if number},
        "laid_aside": {power: str(number) for power, number in laid_aside.items() if number},
    }


def tracks(seen: View, affairs: AffairsView, words: PictureWords, say: Macros, folder: Path | None) -> Iterator[Track]:
    """Tracks of the political display with the effects of each box."""
    politics = load_named_politics(seen.terms.politics, folder)
    for name, at in affairs.tracks.items():
        boxes = politics.tracks[name].boxes
        yield Track(
            say.TRACKS.get(name) or politics.tracks[name].title, tuple(box_words(box, words, say) for box in boxes), at
        )


def box_words(box: TrackBox, words: PictureWords, say: Macros) -> str:
    """Effects of a box of a track, in few words."""
    marks = [(icon, words.marks.get(icon.power) or words.power(icon.power)) for icon in box.icons]
    told = [squeeze(str(say.icon(icon.kind, mark, icon.cards))) for icon, mark in marks]
    return ", ".join([say.STATUSES[box.status], *told] if box.status else told)


def emperor(affairs: AffairsView) -> str | None:
    """Power with its marker in the box of the Emperor."""
    return next((power for power, of in affairs.markers.items() if "emperor" in of.boxes), None)


def facts(seen: View, words: PictureWords, say: Macros) -> Iterator[tuple[str, object]]:
    """Facts to be seen at a glance, each with the key of its heading."""
    if seen.result:
        yield "winner", say.winner(seen.result.winner)
    if seen.affairs:
        yield from facts_of_affairs(seen.affairs, words, say)
    if seen.gambit and seen.gambit.ceded:
        yield "silesia", say.ceded()
    for goal in seen.gambit.goals if seen.gambit else ():
        lands = [words.land(land) for land in goal.lands]
        yield "goal", say.goal(words.power(goal.power), goal.held, goal.needed, lands)


def facts_of_affairs(affairs: AffairsView, words: PictureWords, say: Macros) -> Iterator[tuple[str, object]]:
    """Trump, the Emperor, and the state of Silesia."""
    crowned = emperor(affairs)
    if affairs.trump is not None:
        yield "trump", say.trump(affairs.trump)
    if crowned:
        yield "emperor", say.emperor(words.power(crowned))
    if affairs.election:
        yield "election", say.election()
    if affairs.annexed:
        yield "silesia", say.silesia(affairs.annexed)
    if affairs.offered:
        yield "peace", say.peace()
    if affairs.reduced:
        yield "reduced", say.reduced()


def in_boxes(seen: View, affairs: AffairsView) -> list[Piece]:
    """Pieces of expedition corps in their boxes (§17.5)."""
    return [index for index, piece in each_piece(seen.pieces) if piece.city == ASIDE and piece.power in affairs.corps]
