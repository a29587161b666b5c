"""Positions of MARIA in words and pictures: goals, hussars, markers, tracks, and the state that only an advanced game
has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pbem.engine.decisions import Decision, March, Recruit
from pbem.engine.field import ASIDE
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.table import player_of
from pbem.faults.nouns import nouns, stage_noun
from pbem.games.maria.paper.library import load_named_politics, scenarios
from pbem.games.maria.report.defection import defection_lines
from pbem.games.maria.report.politics import is_open, offer_in_words, shift_words, ways_of, words_of_card
from pbem.games.maria.rules.affairs import AffairsView, DisplayView, MarkersView
from pbem.games.maria.rules.contracts import contract_between, may_contract, offering_power
from pbem.games.maria.rules.data import MariaRules, Terms, acting_in
from pbem.games.maria.rules.decisions import ChooseTrump, PlaceInfluence, SelectPolitics
from pbem.games.maria.rules.game import GambitView, View
from pbem.games.maria.rules.game import view as table_view
from pbem.games.maria.rules.politics_data import Political, TrackBox
from pbem.games.maria.rules.state import Table, affairs_of
from pbem.report import blocks
from pbem.report.language.templates import Macros, capital, macros_of, squeeze
from pbem.report.picture.position import Fact, MapMargin, PictureWords, Tallies, Track


def view_data(rules: MariaRules, view: View) -> dict[str, object]:
    """Return the parts of a position that only MARIA has, as plain data for reports."""
    terms = view.terms
    return {
        "terms": {
            "game": terms.game,
            "scenario": terms.scenario,
            "title": rules.scenario.title,
            "players": terms.players,
            "edition": terms.edition,
            "board": terms.board,
        },
        # The side is null for a neutral power, the stage is null for a power that has left.
        "allegiances": {
            power: {
                "player": now.player,
                "stage": now.stage or None,
                "side": now.side or None,
                "group": now.group,
            }
            for power, now in view.allegiances.items()
        },
        "stacking": list(view.stacking),
        "last_turn": view.last_turn,
        "goals": goals_data(rules, view),
        "hussars": blocks.places(rules.common, view.hussars),
        "affairs": affairs_data(rules, view.affairs) if view.affairs else None,
        "gambit": gambit_data(view.gambit) if view.gambit else None,
        "result": blocks.plain_data(view.result),
    }


def at_stake(table: Table, decision: Decision, language: str) -> tuple[str, ...]:
    """Return lines of text with public facts that help to decide. For politics they are about the tracks and cards, for
    winter about the progress to victory, for marches about the contracts that could be made, for combat and Saxony's
    marker about what a defeat or a move brings. For other decisions the result is empty."""
    view = table_view(table, (decision.power,))
    names = ("aim_words", "affairs", "tracks")
    aims, affairs, tracks = (macros_of(language, "maria", f"{name}.txt.j2") for name in names)
    match decision, view.affairs:
        case ((ChooseTrump() | PlaceInfluence()), AffairsView() as seen):
            told = [offer_in_words(table.rules.politics, number, language, arms=True) for number in seen.open]
            if isinstance(decision, PlaceInfluence):
                data = affairs_data(table.rules, seen)
                told += [*lines_of(tracks.influence(data)), *lines_of(tracks.tracks(data))]
                told += boxes_in_reach(table, seen.open, language)
            return tuple(told)
        case SelectPolitics(_, cards), AffairsView() as seen:
            # The question itself says what each card offers.
            told = lines_of(tracks.tracks(affairs_data(table.rules, seen)))
            return (*told, *boxes_in_reach(table, cards, language))
        case March(), AffairsView():
            return tuple(contracts_open(table, decision.power, language))
        case Recruit(), AffairsView() as seen:
            return tuple(lines_of(affairs.markers(affairs_data(table.rules, seen))))
        case Recruit(), None:
            return tuple(lines_of(f"{aims.goals(goals_data(table.rules, view).items())}."))
    return tuple(defection_lines(table, decision, language))


def boxes_in_reach(table: Table, cards: Iterable[Political], language: str) -> Iterator[str]:
    """Yield a line for each track that political cards can shift: the boxes in reach, and their effects."""
    steps: dict[str, list[int]] = {}
    for number in cards:
        for arrow in table.rules.politics.card_by_number[number].shifts:
            if is_open(table, arrow):
                steps.setdefault(arrow.track, []).extend(ways_of(arrow))
    words = macros_of(language, "maria", "tracks.txt.j2")
    for track, ways in steps.items():
        told = [shift_words(table, track, each, language) for each in sorted({*ways})]
        yield squeeze(str(words.ways(track, told, True)))


def standing(table: Table, language: str) -> tuple[str, ...]:
    """Return lines of text on the victory markers and the tracks of the advanced game. Return an empty tuple in other
    games."""
    seen = table_view(table, ()).affairs
    if seen is None:
        return ()
    affairs, tracks = (macros_of(language, "maria", f"{name}.txt.j2") for name in ("affairs", "tracks"))
    data = affairs_data(table.rules, seen)
    return (*lines_of(affairs.markers(data)), *lines_of(tracks.tracks(data)))


def option_words(table: Table, decision: Decision, language: str) -> dict[str, str]:
    """Return the words for each part of the political cards that may be selected. The keys are those of
    `GameReport.option_words`."""
    if not isinstance(decision, SelectPolitics):
        return {}
    found: dict[str, str] = {}
    for number in decision.cards:
        found |= words_of_card(table.rules.politics, number, language)
        for arrow in table.rules.politics.card_by_number[number].shifts:
            for steps in ways_of(arrow):
                found[f"{number}/shifts/{arrow.track}/{steps}"] = shift_words(table, arrow.track, steps, language)
    return found


def lines_of(text: str) -> list[str]:
    """Split a text into lines, without empty ones. The cells of a row are joined by dots."""
    lines = (filter(None, map(squeeze, line.split(blocks.CELL))) for line in text.split("\n"))
    return [line for line in map(" · ".join, lines) if line]


def goals_data(rules: MariaRules, view: View) -> dict[str, object]:
    lands = {power: list(goal.lands) for power, goal in rules.scenario.goals.items()}
    return {
        power: {"held": held, "needed": needed, "lands": lands[power]} for power, (held, needed) in view.goals.items()
    }


def affairs_data(rules: MariaRules, seen: AffairsView) -> dict[str, object]:
    """Return the state of the advanced game as plain data, such as victory markers, electors, the political display and
    contracts."""
    return {
        "markers": blocks.plain_data(seen.markers),
        "electors": {blocks.city(rules.common, city): power for city, power in seen.electors.items()},
        "votes": dict(seen.votes),
        "votes_cast": {power: {"francis": f, "charles": c} for power, (f, c) in seen.votes_cast.items()},
        "votes_to_win": rules.game.advanced.votes_to_win,
        "election": seen.election,
        "tracks": {track: track_data(rules, track, box) for track, box in seen.tracks.items()},
        "open": [card_data(rules, number) for number in seen.open],
        "deck": {str(year): count for year, count in seen.deck.items()},
        "victor": seen.victor,
        "trump": None if seen.trump is None else blocks.suit(seen.trump),
        "display": {power: display_data(display) for power, display in seen.display.items()},
        "order": list(seen.order),
        "shifts": dict(seen.shifts),
        "income": dict(seen.income),
        "drawn": list(seen.drawn),
        "contracts": blocks.plain_data(seen.contracts),
        "offers": blocks.plain_data(seen.offers),
        "cancelling": [{"power": power, "partner": partner} for power, partner in seen.cancelling],
        "agreements": blocks.plain_data(seen.agreements),
        "corps": {power: blocks.pieces(rules.common, generals) for power, generals in seen.corps.items()},
        "annexed": seen.annexed or None,
        "offered": seen.offered,
        "reduced": seen.reduced,
        "winters": seen.winters,
        "scores": [dict(scores) for scores in seen.scores],
    }


def track_data(rules: MariaRules, track: str, box: int) -> dict[str, object]:
    """Return the facts of a track for a report: the box of its marker, the number of boxes, and the status and effects
    of the marker's box."""
    boxes = rules.politics.tracks[track].boxes
    now = boxes[box - 1]
    return {"box": box, "boxes": len(boxes), "status": now.status or None, "icons": blocks.plain_data(now.icons)}


def card_data(rules: MariaRules, number: int) -> dict[str, object]:
    card = rules.politics.card_by_number[number]
    return {
        "number": number,
        "title": card.title,
        "arms": list(card.arms),
        "shifts": blocks.plain_data(card.shifts),
        "effects": blocks.plain_data(card.effects),
    }


def display_data(display: DisplayView) -> dict[str, object]:
    own = display.own_covered
    return {
        "cards": blocks.notations(display.cards, with_deck=True),
        "influence": display.influence,
        "covered": display.covered,
        "own_covered": None if own is None else blocks.notations(own, with_deck=True),
    }


def gambit_data(seen: GambitView) -> dict[str, object]:
    """Return the state of the Silesia Gambit: the cards laid aside, and the goals after peace."""
    return {"ceded": seen.ceded, "laid_aside": dict(seen.laid_aside), "goals": blocks.plain_data(seen.goals)}


def seats(view: View) -> dict[str, list[str]]:
    """Return the present powers of each player."""
    found: dict[str, list[str]] = {}
    for power, now in view.allegiances.items():
        if now.stage:
            found.setdefault(now.player, []).append(power)
    return found


def hussars_of(view: View) -> tuple[City, ...]:
    return tuple(city for city in view.hussars if city >= 0)


def maps_of(terms: Terms) -> tuple[str, ...]:
    return tuple(scenarios()[terms.scenario].maps)


def words_of(rules: MariaRules, view: View, language: str) -> dict[str, object]:
    """Return the data that MARIA adds to the text of a position, such as open political cards in words."""
    opened = view.affairs.open if view.affairs else ()
    return {
        "offers": [offer_in_words(rules.politics, number, language, arms=True) for number in opened],
        "seats": seats(view),
        # The present stage of each power that now acts in another stage than at the beginning (§19.3).
        "acting_elsewhere": {
            power: now.stage
            for power, now in view.allegiances.items()
            if now.stage and power not in rules.game.action_stages[now.stage]
        },
    }


def counts_by_power(view: View) -> dict[str, dict[Power, int]]:
    """Return three groups of numbers by power, keyed by the name of the group. `objectives` are the fortresses that a
    power holds for its goal. Only an advanced game has `pools`, the markers in a power's pool, and `votes`."""
    found = {"objectives": {power: held for power, (held, _) in view.goals.items()}}
    if view.affairs:
        found["pools"] = {power: markers.pool for power, markers in view.affairs.markers.items()}
        found["votes"] = dict(view.affairs.votes)
    return found


def markers_left(of: MarkersView) -> int:
    """Return the number of markers in a power's pool. Question marks are counted as if they still lay in it."""
    return max(0, of.pool + of.questions)


def progress_of(view: View) -> dict[Power, tuple[int, int]]:
    """Return two numbers for each power: how many fortresses it holds for its goal, and how many it needs. In a game
    that is won by an empty pool, the numbers count victory markers: how many have left the power's pool, question marks
    not included, and how many the power has in all."""
    if view.affairs and view.affairs.markers:
        found = view.affairs.markers.items()
        return {power: (of.total - markers_left(of), of.total) for power, of in found}
    if view.gambit and view.gambit.goals:
        return {goal.power: (goal.held, goal.needed) for goal in view.gambit.goals}
    return view.goals


def battle_markers(rules: MariaRules, view: View) -> dict[Power, int]:
    """Return the number of free battle boxes of each power."""
    found = view.affairs.markers.items() if view.affairs else ()
    return {power: rules.game.advanced.battle_boxes - of.battle for power, of in found}


TEMPLATE = "picture_game.txt.j2"


def texts_beside_map(seen: View, words: PictureWords, language: str, folder: Path | None) -> MapMargin:
    say = macros_of(language, seen.terms.game, TEMPLATE)
    affairs = seen.affairs
    return MapMargin(
        caption=caption(seen, words, say),
        tallies=tuple(Tallies(say.HEADINGS[key], numbers) for key, numbers in numbers_of(seen, say).items() if numbers),
        tracks=tuple(tracks(seen, affairs, words, say, folder)) if affairs else (),
        facts=tuple(Fact(say.FACTS[key], squeeze(str(told))) for key, told in facts(seen, words, say)),
        kept=dict.fromkeys(corps_in_boxes(seen, affairs), say.IN_BOX) if affairs else {},
    )


def caption(seen: View, words: PictureWords, say: Macros) -> str:
    """Return the caption of the picture: turn, stage and phase. A phase with the name of its stage is left out."""
    is_named = seen.stage in nouns(words.language)["stages"] or acting_in(seen.stage) != seen.stage
    stage = capital(stage_noun(seen.stage, words.language)) if is_named else words.power(seen.stage)
    phase = [] if seen.phase in seen.stage else [nouns(words.language)["phases"][seen.phase]]
    return " · ".join([str(say.turn(seen.turn)), stage, *phase])


def numbers_of(seen: View, say: Macros) -> dict[str, dict[str, str]]:
    """Return the numbers to be printed beside the map, keyed by the key of their heading and by power. Numbers without
    meaning are left out, such as troops of a power that has left."""
    powers = [power for power, now in seen.allegiances.items() if now.stage]
    affairs = seen.affairs
    markers = affairs.markers if affairs else {}
    votes = affairs.votes if affairs and not emperor(affairs) else {}
    laid_aside = seen.gambit.laid_aside if seen.gambit else {}
    return {
        "goals": {power: str(say.of(*goal)) for power, goal in seen.goals.items()},
        "pools": {power: str(say.of(markers_left(of), of.total)) for power, of in markers.items()},
        "troops": {power: str(seen.troops[power]) for power in powers},
        "hands": {power: str(seen.hand_sizes[power]) for power in powers},
        "votes": {power: str(number) for power, number in votes.items() if number},
        "laid_aside": {power: str(number) for power, number in laid_aside.items() if number},
    }


def tracks(seen: View, affairs: AffairsView, words: PictureWords, say: Macros, folder: Path | None) -> Iterator[Track]:
    """Yield the tracks of the political display with the effects of each box."""
    politics = load_named_politics(seen.terms.politics, folder)
    for name, at in affairs.tracks.items():
        boxes = politics.tracks[name].boxes
        title = words.lands.get(name) or politics.tracks[name].title
        yield Track(title, tuple(box_words(box, words, say) for box in boxes), at)


def box_words(box: TrackBox, words: PictureWords, say: Macros) -> str:
    """Return the status and the effects of a box in few words."""
    marks = [(icon, words.marks.get(icon.power) or words.power(icon.power)) for icon in box.icons]
    told = [squeeze(str(say.icon(icon.kind, mark, icon.cards))) for icon, mark in marks]
    return ", ".join([nouns(words.language)["statuses"][box.status], *told] if box.status else told)


def emperor(affairs: AffairsView) -> str | None:
    """Return the power whose marker lies in the Emperor's box; None if there is no such marker."""
    return next((power for power, of in affairs.markers.items() if "emperor" in of.boxes), None)


def facts(seen: View, words: PictureWords, say: Macros) -> Iterator[tuple[str, object]]:
    """Yield the facts to be printed beside the map, such as a goal after peace, each with the key of its heading."""
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
    """Yield the facts of the advanced game to be printed beside the map, each with the key of its heading."""
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


def corps_in_boxes(seen: View, affairs: AffairsView) -> list[Piece]:
    """Return the generals of expedition corps that stand in their off-map boxes (§17.5)."""
    return [index for index, piece in each_piece(seen.pieces) if piece.city == ASIDE and piece.power in affairs.corps]


def contracts_open(table: Table, power: Power, language: str) -> Iterator[str]:
    """Yield a sentence for each contract that a power could make with another power of the same player, and for each
    contract that another player has offered."""
    words, rules = macros_of(language, "maria", "affairs_words.txt.j2"), table.rules
    for other in rules.powers:
        if player_of(table, other) != player_of(table, power) or contract_between(table, power, other):
            continue
        if may_contract(table, power, other):
            yield squeeze(str(words.may_give(power, other)))
    for contract in affairs_of(table).offers:
        if power in (contract.giver, contract.receiver) and offering_power(contract) != power:
            other, side = (contract.giver, "from") if power == contract.receiver else (contract.receiver, "to")
            yield squeeze(str(words.may_accept(contract, power, side, other)))
