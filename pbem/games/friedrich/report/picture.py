"""Texts beside the map in a picture of FRIEDRICH: objectives, troops and hands, and the Clock of Fate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.engine.nouns import Suit
from pbem.games.friedrich.paper.library import load_fate
from pbem.games.friedrich.report.telling import fate_card
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.view import View
from pbem.report.language.templates import Macros, macros_of, squeeze
from pbem.report.picture.position import Beside, Fact, PictureWords, Tallies

TEMPLATE = "picture_game.txt.j2"


def beside(seen: View, words: PictureWords, language: str, folder: Path | None) -> Beside:
    """All texts of a picture beside the map."""
    say = macros_of(language, seen.terms.game, TEMPLATE)
    fate = load_fate(seen.terms.fate, folder)
    return Beside(
        caption=caption(seen, words, say),
        tallies=tuple(Tallies(say.HEADINGS[key], numbers) for key, numbers in numbers_of(seen, say).items()),
        facts=tuple(Fact(say.FACTS[key], squeeze(str(told))) for key, told in facts(seen, fate, words, say)),
    )


def caption(seen: View, words: PictureWords, say: Macros) -> str:
    """Moment that the picture shows; the only phase of the Clock of Fate is left out."""
    stage = say.STAGES.get(seen.stage) or words.power(seen.stage)
    phase = [] if seen.phase == "clock" else [say.PHASES[seen.phase]]
    return " · ".join([str(say.turn(seen.turn)), stage, *phase])


def numbers_of(seen: View, say: Macros) -> dict[str, dict[str, str]]:
    """Numbers of every power still in play, by the keys of the headings."""
    powers = [power for power, now in seen.allegiances.items() if not now.has_quit]
    goals: dict[str, str] = {
        power: str((say.eased if power in seen.fate.eased else say.of)(*goal)) for power, goal in seen.goals.items()
    }
    return {
        "goals": goals,
        "troops": {power: str(say.of(seen.troops[power], seen.most_troops[power])) for power in powers},
        "hands": {power: str(seen.hand_sizes[power]) for power in powers},
    }


def facts(seen: View, fate: FateData, words: PictureWords, say: Macros) -> Iterator[tuple[str, object]]:
    """Facts to be seen at a glance, each with the key of its heading."""
    if seen.result:
        winners = [seen.result.winner, *seen.result.others]
        yield "winner", say.winner([name for name in winners if name])
    now = seen.fate
    latest = "" if now.drawn is None else card_words(fate, now.drawn, now.version, say)
    yield "clock", say.clock(latest, now.left)
    for entry in now.in_force:
        yield "in_force", say.in_force(card_words(fate, entry.card, entry.suit, say), entry.until, entry.used)
    if now.quit:
        yield "quit", say.quit([words.power(power) for power in now.quit])
    if now.offensive:
        yield "offensive", say.offensive(now.offensive, words.power(fate.offensive.against))


def card_words(fate: FateData, card: int, suit: Suit | None, say: Macros) -> str:
    """Card of Fate by its title, its number and the suit that is read; a stroke of fate by its title."""
    return squeeze(str(say.fate_card(fate_card(fate, card, suit)["title"], card, suit)))
