"""Data for the pages, without maps: players, figures, battles, ledger, cards, stages, and the course of the war."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, groupby

import msgspec
from msgspec import Struct

from pbem.campaign.clock.bank import accounts, time_parts
from pbem.campaign.clock.clock import parse_moment, zone_named
from pbem.campaign.clock.timing import players_waited_for
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.replaying import Reading
from pbem.engine.field import OFF
from pbem.engine.nouns import Power, each_piece
from pbem.faults.wrong import words
from pbem.kit import game_named
from pbem.paper.library import find_board, load_board_file
from pbem.report.blocks import line_of
from pbem.report.course import Figures, chart_svg, charts_of, colours, turn_in
from pbem.report.letters.entries import facts_of, fingerprint, local_time, motion_named, seats_of
from pbem.report.picture.position import words_in
from pbem.report.picture.theme import hue_of, hues
from pbem.report.short_rules import ShortRules, short_rules
from pbem.report.telling import game_report
from pbem.site.archive import THEMES, Archive, PowerHoldings, SiteWords, capital, is_closed, moment_data, passages_read
from pbem.site.atlas import atlas_of
from pbem.site.pages import json_for_page
from pbem.site.story import Stage


class LogLine(Struct, frozen=True):
    """Entry of the ledger, as a line on the page with the log."""

    number: int
    kind: str
    time: str
    """Time of the entry in the time zone of the campaign."""
    utc: str
    """Time of the entry in UTC, written as in ISO 8601."""
    players: tuple[str, ...]
    """Seats that the entry is about."""
    words: str
    hash: str
    stage: int | None
    """Number of the stage to which the entry belongs. None if it belongs to no stage."""
    letter: str
    """Name of the file with the letter. Empty if the entry has no public letter."""


def lines_of(reading: Reading, say: SiteWords, stage_of: dict[int, int], letters: dict[int, str]) -> list[LogLine]:
    """Return the lines of the page with the log. Each entry has a line. `letters` has the file of each public letter,
    keyed by entry."""
    clock, known = reading.settings.clock, {entry.number: record for entry, record in reading.entries}.__getitem__
    return [
        LogLine(
            number=entry.number,
            kind=r.NAMES[type(record)],
            time=f"{entry.time.astimezone(zone_named(reading.settings.clock.zone)):%Y-%m-%d %H:%M}",
            utc=f"{entry.time:%Y-%m-%dT%H:%M:%SZ}",
            players=seats_of(record),
            words=say.entry(facts_of(record, clock) | motion_named(record, known), people),
            hash=entry.hash,
            stage=stage_of.get(entry.number),
            letter=letters.get(entry.number, ""),
        )
        for (entry, record), people in zip(reading.entries, reading.people, strict=True)
    ]


def common_data(archive: Archive) -> dict[str, object]:
    """Return the data that every page needs: the campaign, links, the theme and words."""
    names = ["stages", "story", "battles", "log", *(["hands"] if is_closed(archive.reading) else [])]
    names += ["rules"] if short_rules(archive.rules.terms.game, archive.say.language) else []
    parts = [{"name": "index", "file": "index.html"}, *({"name": name, "file": f"{name}.html"} for name in names)]
    return {
        "language": archive.say.language,
        "theme": archive.theme,
        "campaign": archive.reading.settings.campaign,
        "phase": archive.reading.public.phase,
        "parts": parts,
        "w": archive.say.fixed | {"index": archive.say.fixed["campaign"]},
        "scripted": False,
    }


def index_data(archive: Archive) -> dict[str, object]:
    reading, say, rules = archive.reading, archive.say, archive.rules
    public, settings = reading.public, reading.settings
    people = {seat: who.name for seat, who in public.players.items()}
    who = {"name": settings.moderator.name, "seat": settings.moderator.seat}
    found = archive.verification
    verdict = words("verify-good", campaign=found.campaign, phase=words(f"phase-{found.phase}")).text(say.language)
    return {
        "game": game_named(rules.terms.game).title,
        "scenario": say.say("scenario", rules.terms.scenario, rules.scenario.title),
        "first": moment_data(archive, 1),
        "last": moment_data(archive, len(reading.entries)),
        "result": archive.story.result,
        **waiting_data(archive),
        "seats": [seat_data(archive, seat) for seat in settings.seats],
        "moderator": {"name": settings.moderator.name, "key": fingerprint(public.moderator)},
        "signing": settings.conduct.signing == "on",
        "conduct": say.conduct(msgspec.to_builtins(settings.conduct), who, people),
        "figures": verified_counts(archive),
        "warnings": [finding.message_line() for finding in archive.verification.findings],
        "head": {"number": reading.head.number, "hash": reading.head.hash},
        "verdict": verdict,
    }


def waiting_data(archive: Archive) -> dict[str, str]:
    """Return three sentences about a running campaign: its stage and deadline (`waiting`), the orders that are missing
    (`owing`), and the time in banks (`banked`). Each sentence may be empty."""
    public, say = archive.reading.public, archive.say
    if public.phase != "running" or public.next is None:
        return {"waiting": "", "owing": "", "banked": ""}
    until = local_time(parse_moment(public.deadline), archive.reading.settings.clock) if public.deadline else None
    owing = [say.player(seat) for seat in players_waited_for(public)]
    bank = [(say.player(seat), time_parts(account.left)) for seat, account in accounts(public).items()]
    return {
        "waiting": say.say("waiting", public.next.stage, until),
        "owing": say.say("owing", owing) if owing else "",
        "banked": say.say("banked", bank) if bank else "",
    }


def seat_data(archive: Archive, seat: str) -> dict[str, object]:
    player = archive.reading.public.players.get(seat)
    powers = capital(", ".join(archive.say.power(power) for power in archive.rules.seats.get(seat, ())))
    key = fingerprint(player.key) if player else ""
    name = player.name if player else ""
    return {"seat": archive.say.player(seat), "name": name, "taken": player is not None, "powers": powers, "key": key}


def verified_counts(archive: Archive) -> list[tuple[int, str]]:
    """Return the numbers of entries, letters, shuffles, cards and adjudications that were verified. Each has its words.
    Numbers that are zero are left out."""
    figures, words = archive.verification.figures, archive.say.fixed
    counted = [
        (figures.entries, words["entries"]),
        (figures.letters, words["letters"]),
        (figures.shuffles, words["shuffles"]),
        (figures.cards, words["cards"]),
        (figures.adjudications, words["again"]),
    ]
    return [(number, meaning) for number, meaning in counted if number]


def battles_data(archive: Archive) -> dict[str, object]:
    stages = archive.story.stages
    return {
        "battles": [
            {
                "number": battle.number,
                "stage": battle.stage,
                "stage_title": stages[battle.stage].title,
                "title": archive.say.say("battle", battle.data),
                "passage": battle.passage,
            }
            for battle in archive.story.battles
        ]
    }


def rules_data(rules: ShortRules) -> dict[str, object]:
    topics = rules.topics.items()
    return {
        "opening": line_of(rules.opening),
        "topics": [
            {"key": key, "title": topic.title, "says": [line_of(each) for each in topic.says]} for key, topic in topics
        ],
    }


def log_data(archive: Archive) -> dict[str, object]:
    lines = lines_of(archive.reading, archive.say, archive.story.stage_of, archive.letters)
    used = {line.kind for line in lines}
    return {
        "lines": lines,
        "kinds": [kind for kind in archive.say.kinds if kind in used],
        "names": archive.say.kinds,
        "seats": [{"key": seat, "name": archive.say.player(seat)} for seat in archive.reading.settings.seats],
        "titles": [stage.title for stage in archive.story.stages],
        "zone": archive.reading.settings.clock.zone,
    }


def hands_data(archive: Archive) -> dict[str, object]:
    """Return the data of the page with secrets: cards and troops by stage, and sealed letters."""
    stages, say = archive.story.stages, archive.say
    turns = groupby(archive.secrets, lambda secret: stages[secret.stage].turn)
    opened = [msgspec.structs.asdict(each) | {"player": say.player(each.player)} for each in archive.opened]
    return {
        "secrets": [
            {
                "title": say.say("turn", turn),
                "secrets": [
                    {
                        "stage": secret.stage,
                        "title": stages[secret.stage].title,
                        "holdings": [holding_data(archive, holding) for holding in secret.holdings],
                    }
                    for secret in group
                ],
            }
            for turn, group in turns
        ],
        "opened": opened,
    }


def holding_data(archive: Archive, holding: PowerHoldings) -> dict[str, object]:
    return {
        "power": capital(archive.say.power(holding.power)),
        "cards": holding.cards,
        "troops": [f"{capital(name)} {number}" for name, number in holding.troops.items()],
    }


def stages_data(archive: Archive) -> dict[str, object]:
    stages = archive.story.stages
    return {
        "views": [{"seat": seat, "name": archive.say.player(seat)} for seat in seats_seen(archive)],
        "turns": [
            {"title": archive.say.say("turn", turn), "stages": list(group)}
            for turn, group in groupby(stages, lambda stage: stage.turn)
        ],
    }


def map_data(archive: Archive) -> dict[str, object]:
    """Return the data of all stages, and the maps of the game. Both are empty if the game has not begun."""
    if not archive.story.stages:
        return {"stages": []}
    rules = archive.rules
    board = find_board(rules.terms.board, archive.reading.folder.rules)
    maps, spoken = game_report(rules.terms.game).maps(rules.terms), words_in(archive.say.language)
    atlas = atlas_of(board, rules.common, archive.story.stages, maps, THEMES[archive.theme], spoken)
    seen = seen_by_stage(archive)
    return {
        "stages": [stage_data(archive, stage) | {"seen": seen.get(stage.number, [])} for stage in archive.story.stages],
        "atlas": atlas,
        "signs": json_for_page({"signs": atlas.stage_signs, "over": atlas.over}),
    }


def seats_seen(archive: Archive) -> list[str]:
    """Return the seats whose secrets are shown on the page of stages. If the campaign is closed, these are all seats,
    else none."""
    return list(archive.rules.seats) if archive.secrets else []


def seen_by_stage(archive: Archive) -> dict[int, list[dict[str, object]]]:
    """Return the cards and troops of each seat's powers that are known at the end of each stage. The key is the number
    of the stage."""
    held: dict[Power, PowerHoldings] = {}
    opened = {secret.stage: secret.holdings for secret in archive.secrets}
    found: dict[int, list[dict[str, object]]] = {}
    for stage in archive.story.stages:
        held |= {holding.power: holding for holding in opened.get(stage.number, ())}
        found[stage.number] = [
            {
                "seat": seat,
                "holdings": [holding_data(archive, held[power]) for power in powers if power in held],
                "troops": dict(chain.from_iterable(held[power].troops.items() for power in powers if power in held)),
            }
            for seat, powers in archive.rules.seats.items()
            if held
        ]
    return found


def stage_data(archive: Archive, stage: Stage) -> dict[str, object]:
    """Return the data of one stage: its account with the readers of each passage, its time, and the forces and lost
    pieces of each power."""
    rules, on_map = archive.rules.common, stage.on_map
    absent = [
        archive.say.piece(rules.pieces[piece].name)
        for piece, place in each_piece(on_map.places)
        if place == OFF and rules.pieces[piece].power in archive.rules.powers
    ]
    last = moment_data(archive, stage.entries[-1])
    return {
        **{name: getattr(stage, name) for name in ("number", "title", "told", "entries")},
        "read": passages_read(stage.told, archive.accounts.get(stage.number, {})),
        "time": last["words"],
        "forces": [force_data(archive, stage, power) for power in archive.rules.powers],
        "absent": absent,
    }


def force_data(archive: Archive, stage: Stage, power: Power) -> dict[str, object]:
    """Return the numbers of generals, trains and conquered cities that a power has."""
    rules, on_map = archive.rules.common, stage.on_map
    there = [piece for piece, place in each_piece(on_map.places) if place >= 0 and rules.pieces[piece].power == power]
    generals = sum(rules.is_general(piece) for piece in there)
    held = sum(by == power for by in on_map.markers.values())
    return {
        "power": capital(archive.say.power(power)),
        "generals": generals,
        "trains": len(there) - generals,
        "held": held,
    }


def story_data(archive: Archive) -> dict[str, object]:
    rules, say = archive.rules, archive.say
    board = hues(load_board_file(find_board(rules.terms.board, archive.reading.folder.rules)))
    stages = archive.story.stages
    turns = [(number, list(group)) for number, group in groupby(stages, lambda stage: stage.turn)]
    return {
        "game": game_named(rules.terms.game).title,
        "scenario": say.say("scenario", rules.terms.scenario, rules.scenario.title),
        "result": archive.story.result,
        "charts": [
            {
                "title": chart.title,
                "drawn": chart_svg(chart, turn_in(archive.rules, archive.say.language)),
                "turns": chart.turns,
                "lines": chart.lines,
            }
            for chart in charts_of(figures_by_turn(stages, archive.figures), rules, say.language)
        ],
        "colours": colours(hue_of(board, power) for power in rules.powers),
        "told_turns": [
            {"number": number, "title": say.say("turn", number), "stages": group, "place": place}
            for place, (number, group) in enumerate(turns)
        ],
    }


def figures_by_turn(stages: Sequence[Stage], known: Mapping[int, Figures]) -> dict[int, Figures]:
    """Return the figures at the end of each turn. `known` has the figures after adjudications, keyed by entry. If a
    turn has no such figures, it gets only the number of conquered cities that each power holds."""
    found: dict[int, Figures] = {}
    for stage in stages:
        opened = [known[entry] for entry in stage.entries if entry in known]
        if opened or stage.turn not in found or not known:
            # This number follows from public events alone: the number of conquered cities that each power holds.
            held: Figures = {"held": Counter(map(Power, stage.on_map.markers.values()))}
            found[stage.turn] = opened[-1] if opened else held
    return found
