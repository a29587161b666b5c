"""Account of events in their order. It is divided into chapters, a chapter into passages, and a passage into sentences.

The caller must leave out the events that the reader may not see (`engine.events.seen_by`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, takewhile

from msgspec import Struct

from pbem.engine import events as e
from pbem.engine.nouns import Power
from pbem.engine.rules import Rules
from pbem.engine.table import DuelView, GameRules
from pbem.faults.nouns import nouns
from pbem.report import blocks
from pbem.report import blocks as b
from pbem.report.formats.pages import text
from pbem.report.language.templates import macro, macros_of
from pbem.report.telling import AnyGameReport, Types, game_report, told_data

TEMPLATES = ("events.txt.j2", "account.txt.j2")
"""Templates with a macro for each type of event. Those of the game come before those of all games."""

AFTER_A_MARCH: Types = (e.Conquered, e.Questioned, e.TrainTaken, e.HussarRemoved, e.Stacked)
AFTER_AN_ENTRY: Types = (e.TrainTaken, e.HussarRemoved, e.Stacked)
AFTER_A_DEFEAT: Types = (e.GeneralRemoved, e.Retreated, e.RetreatImpossible, e.HussarRemoved)
IN_BATTLE: Types = (e.CardPlayed, e.BattleTied, e.BattleWon, *AFTER_A_DEFEAT)
DRAWING: Types = (e.DeckShuffled, e.CardsDrawn, e.IncomeLost)

FOLLOWERS: dict[type[e.Event], Types] = {
    e.Marched: AFTER_A_MARCH,
    e.TrainReentered: (e.HussarRemoved,),
    e.Recruited: (e.GeneralEntered, *AFTER_AN_ENTRY),
    e.GeneralEntered: AFTER_AN_ENTRY,
    e.HussarPlaced: (e.HussarPlaced, e.HussarRemoved),
    e.HussarRemoved: (e.HussarPlaced, e.HussarRemoved),
    **dict.fromkeys(DRAWING, DRAWING),
    e.SupplyTraced: (e.SupplyTraced, e.SupplyRestored),
    e.SupplyRestored: (e.SupplyRestored,),
    e.SupplyLost: (e.SupplyLost, e.GeneralRemoved),
    e.BattleJoined: IN_BATTLE,
    e.CardPlayed: IN_BATTLE,
    e.BattleWon: AFTER_A_DEFEAT,
    e.QuestionLifted: (e.QuestionLifted,),
    e.Retreated: (e.HussarRemoved,),
    e.RetreatImpossible: (e.GeneralRemoved,),
}
"""Types of events that can follow in the same passage, in every game. The key is the type of event with which the
passage begins."""


AnyHeading = e.TurnBegan | e.StageBegan


class Voice(Struct, frozen=True):
    """Language and templates of an account. If several templates have the same macro, that of the first is used."""

    rules: GameRules
    language: str = "en"
    templates: Sequence[str] = TEMPLATES
    duel: DuelView | None = None
    """Combat that has not ended with the last event; None if there is none."""
    joins_conquests: bool = False
    """True if cities that a power conquers one after the other are told in one sentence, whoever has lost them."""
    own: Collection[Power] = ()
    """Powers of the reader, for which the account may say what can be ordered."""

    def say(self, kind: str, data: dict[str, object]) -> str:
        return macro(self.language, self.rules.terms.game, self.templates, kind, data)

    def heading(self, heading: AnyHeading, in_turn: bool) -> str:
        """Return the title of a turn or a stage. With `in_turn`, the title of the turn is above that of the stage, so
        the stage's title has no turn."""
        named = blocks.in_words(self.rules, self.language)
        return self.say(type(heading).__name__, told_data(named, heading) | {"in_turn": in_turn})

    def behind_colon(self, line: str) -> str:
        """Return a line as it stands behind a title and a colon. In languages whose templates have
        `SMALL_BEHIND_COLON`, it begins with a small letter there, unless it begins with a name."""
        modules = (macros_of(self.language, self.rules.terms.game, name) for name in self.templates)
        if not any(hasattr(module, "SMALL_BEHIND_COLON") for module in modules):
            return line
        common, known = blocks.common_in_words(self.rules.common, self.language), nouns(self.language)
        named = [*(piece.name for piece in common.pieces), *(city.name for city in common.board.cities)]
        named += [name for kind in ("powers", "players", "lands", "candidates") for name in known[kind].values()]
        return line if line.startswith(tuple(named)) else line[:1].lower() + line[1:]


class Passage(Struct, frozen=True):
    """Sentences on one subject, such as a march with its results."""

    text: str
    """Sentences of the passage. If the passage is about a battle, these are only its opening sentences."""
    exchanges: tuple[str, ...] = ()
    """Exchanges of cards in a battle, with a line for each exchange. Empty if the passage is not about a battle."""
    end: str = ""
    of_battle: bool = False


class Chapter(Struct, frozen=True):
    """Title of a turn or stage, and its passages. Events before the first title have a chapter with an empty title."""

    title: str
    is_turn: bool
    """True for the title of a turn, false for that of a stage."""
    passages: tuple[Passage, ...]


def account_blocks(chapters: Iterable[Chapter]) -> list[b.Block]:
    """Return an account as blocks. Each battle has a paragraph of its own. Other passages share a paragraph with their
    neighbours."""
    blocks: list[b.Block] = []
    for chapter in chapters_with_content(chapters):
        if chapter.title:
            blocks.append(b.Heading(2 if chapter.is_turn else 3, b.line_of(b.plain_words(chapter.title))))
        for passage in chapter.passages:
            opening, end = b.line_of(b.plain_words(passage.text)), b.line_of(b.plain_words(passage.end))
            if passage.of_battle:
                exchanges = tuple(b.line_of(b.plain_words(exchange)) for exchange in passage.exchanges)
                blocks.append(b.BattleBlock(opening, exchanges, end))
            elif blocks and isinstance(blocks[-1], b.Paragraph):
                blocks[-1] = b.Paragraph((*blocks[-1].lines, opening))
            else:
                blocks.append(b.Paragraph((opening,)))
    return blocks


def chapters_with_content(chapters: Iterable[Chapter]) -> list[Chapter]:
    """Return the chapters. Leave out stages that have no passages, and turns whose stages have none."""
    found: list[Chapter] = []
    for chapter in chapters:
        if not chapter.passages and not chapter.is_turn:
            continue
        if chapter.is_turn and found and not found[-1].passages:
            found.pop()
        found.append(chapter)
    return found if found and found[-1].passages else found[:-1]


def account(rules: GameRules, events: Iterable[e.Event], language: str = "en") -> str:
    return text(account_blocks(chapters(Voice(rules, language), events, with_turns=True)))


def chapters(voice: Voice, events: Iterable[e.Event], with_turns: bool = False) -> list[Chapter]:
    """Tell events in chapters, with a chapter for each turn and each stage. With `with_turns`, turns have titles of
    their own, so that titles of stages do not name the turn."""
    found: list[Chapter] = []
    in_turn = False
    own_report = game_report(voice.rules.terms.game)
    for heading, following in events_by_heading(events):
        groups = event_groups(following, own_report)
        told = tuple(filter(None, (passage(voice, group) for group in groups)))
        if heading is None:
            if told:
                found.append(Chapter("", False, told))
            continue
        is_turn = with_turns and isinstance(heading, e.TurnBegan)
        in_turn = in_turn or is_turn
        found.append(Chapter(voice.heading(heading, in_turn), is_turn, told))
    return found


def events_by_heading(events: Iterable[e.Event]) -> list[tuple[AnyHeading | None, list[e.Event]]]:
    """Group events by turn or stage. Return each group with the event that begins its turn or stage. The first group
    has the events before any such event; it is returned with None and may be empty."""
    parts: list[tuple[AnyHeading | None, list[e.Event]]] = [(None, [])]
    for event in events:
        if isinstance(event, e.TurnBegan | e.StageBegan):
            parts.append((event, []))
        else:
            parts[-1][1].append(event)
    return parts


def event_groups(events: Iterable[e.Event], own_report: AnyGameReport) -> list[list[e.Event]]:
    """Group events that follow each other and are told in one passage."""
    groups: list[list[e.Event]] = []
    for event in secret_allotments_last(events):
        first = type(groups[-1][0]) if groups else e.Event
        follows = isinstance(event, (*FOLLOWERS.get(first, ()), *own_report.followers.get(first, ())))
        if follows or (groups and are_secret_allotments(groups[-1][0], event)):
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def secret_allotments_last(events: Iterable[e.Event]) -> Iterator[e.Event]:
    """Yield the events in order, with one exception: if several allotments of troops follow each other, those with
    secret numbers are moved behind the others."""
    for is_allotment, run in groupby(events, lambda event: isinstance(event, e.TroopsAllotted)):
        yield from sorted(run, key=lambda event: is_allotment and are_secret_allotments(event))


def are_secret_allotments(*events: e.Event) -> bool:
    """True if all these events are allotments of troops, and the reader does not know their numbers."""
    return all(isinstance(event, e.TroopsAllotted) and event.troops is None for event in events)


def passage(voice: Voice, group: Sequence[e.Event]) -> Passage | None:
    """Tell a group of events in one passage. Return None if none of the events is told to this reader."""
    opening: list[str] = []
    exchanges: list[str] = []
    end: list[str] = []
    in_battle = isinstance(group[0], e.BattleJoined)
    goes_on = isinstance(group[0], e.CardPlayed | e.BattleWon)
    if goes_on:
        opening.append(battle_resumed(voice, group))
    for run in runs(voice, group):
        told = sentence(voice, run, group, is_first=not exchanges)
        if isinstance(run[0], e.CardPlayed):
            exchanges.append(told)
        elif told:
            (end if exchanges or (opening and in_battle) else opening).append(told)
    if not opening and not exchanges and not end:
        return None
    return Passage(" ".join(opening), tuple(exchanges), " ".join(end), in_battle or goes_on)


def battle_resumed(voice: Voice, group: Sequence[e.Event]) -> str:
    """Return the first sentence about a battle that had already begun before `group`. It names the winner or the tied
    sides. If the battle has not ended, it names the city."""
    named = blocks.in_words(voice.rules, voice.language)
    for event in group:
        if isinstance(event, e.BattleWon | e.BattleTied):
            return voice.say("BattleGoesOn", told_data(named, event))
    where = blocks.city(named.common, voice.duel.defending_city) if voice.duel else ""
    return voice.say("BattleGoesOn", {"city": where})


def runs(voice: Voice, group: Sequence[e.Event]) -> list[list[e.Event]]:
    """Group events that follow each other and are told in one sentence, such as cards that one power plays."""
    found: list[list[e.Event]] = []
    for event in group:
        if found and goes_with(voice, found[-1][-1], event):
            found[-1].append(event)
        else:
            found.append([event])
    return found


def goes_with(voice: Voice, before: e.Event, event: e.Event) -> bool:
    """True if both events are told in the same sentence."""
    match before, event:
        case e.CardPlayed(), e.CardPlayed():
            return before.power == event.power
        case e.GeneralRemoved(), e.GeneralRemoved():
            return before.city == event.city
        case e.TroopsAllotted(), e.TroopsAllotted():
            return are_secret_allotments(before, event)
        case e.Conquered(), e.Conquered():
            is_alike = (before.by, before.marker is None) == (event.by, event.marker is None)
            is_same_loser = before.loser == event.loser and event.marker in (None, event.by)
            return is_alike and (voice.joins_conquests or (is_same_loser and not event.retroactive))
    own_report = game_report(voice.rules.terms.game)
    together: Types = (e.SupplyTraced, e.SupplyRestored, e.SupplyLost, e.QuestionLifted, *own_report.in_one_sentence)
    return type(before) is type(event) and isinstance(event, together)


def sentence(voice: Voice, run: Sequence[e.Event], group: Sequence[e.Event], is_first: bool = True) -> str:
    """Tell the events of `run`, which all have the same type, in one sentence.

    `group` has all events of the passage. `is_first` is False if cards were already told in this passage. The sentence
    then says that the next power "answers", and not that it "plays".
    """
    named = blocks.in_words(voice.rules, voice.language)
    told = [told_data(named, event) for event in run]
    data: dict[str, object] = told[0] | {
        "lead": type(group[0]).__name__,
        "run": told,
        "first": is_first,
        "terms": voice.rules.terms,
        "own": voice.own,
        "are_gone": losers_are_gone(group),
        **march_facts(named.common, group),
    }
    for kind, key in ((e.SupplyRestored, "piece"), (e.Conquered, "city")):
        if isinstance(run[0], kind):  # own templates of a campaign may have no words for several such events
            data[key] = ", ".join(str(each[key]) for each in told)
    return voice.say(type(run[0]).__name__, data)


def losers_are_gone(group: Sequence[e.Event]) -> bool:
    """True if the group tells a battle in which the losers lose all their troops, so that all of them are removed."""
    for number, event in enumerate(group):
        if isinstance(event, e.BattleWon):
            gone = takewhile(lambda each: isinstance(each, e.GeneralRemoved), group[number + 1 :])
            return {each.piece for each in gone if isinstance(each, e.GeneralRemoved)} == set(event.losers)
    return False


def march_facts(rules: Rules, group: Sequence[e.Event]) -> dict[str, object]:
    """Return facts for the sentences about a march. `taken` and `retaken` are the cities that the march has conquered.
    `named` are the cities that the sentence about the march itself names. `via` is given if the march has come back to
    its start: the farthest city on the way, or the farthest conquered one. If the passage is not about a march, all of
    them are empty."""
    march = group[0]
    if not isinstance(march, e.Marched):
        return {"via": "", "named": [], "taken": [], "retaken": []}
    conquests = [event for event in group if isinstance(event, e.Conquered)]
    taken, retaken = ([each.city for each in conquests if (each.marker is None) == back] for back in (False, True))
    between = [city for city in march.path if city != march.start] if march.path[-1] == march.start else []
    far = rules.board.distance(march.start)
    via = sorted(between, key=lambda city: (city not in (*taken, *retaken), -far[city]))[:1]
    named = blocks.cities(rules, (*via, march.path[-1]))
    return {
        "via": named[0] if via else "",
        "named": named,
        "taken": blocks.cities(rules, taken),
        "retaken": blocks.cities(rules, retaken),
    }


def in_a_line(passage: Passage) -> str:
    parts = (passage.text, " · ".join(passage.exchanges), passage.end)
    return " ".join(with_full_stop(part) for part in parts if part).replace(". ,", ",")


def with_full_stop(sentence: str) -> str:
    return sentence if sentence.endswith((".", ":", "!", "?", "”", "“", "»")) else sentence + "."
