"""Contents of the page of stages: the account of each, the forces at its end, and its map."""

from __future__ import annotations

from itertools import chain, groupby

from pbem.engine.field import OFF
from pbem.engine.nouns import Power, each_piece
from pbem.paper.library import find_board
from pbem.report.game_report import game_report
from pbem.report.picture.words import words_in
from pbem.site.accounts import read_by_all
from pbem.site.archive import THEMES, Archive, moment_data
from pbem.site.content import holding_data
from pbem.site.hands import PowerHoldings
from pbem.site.pages import json_for_page
from pbem.site.pictures import Atlas, atlas_of
from pbem.site.story import Stage
from pbem.site.words import capital


def stages_data(archive: Archive) -> dict[str, object]:
    """Data of the page of stages, besides the maps."""
    stages = archive.story.stages
    return {
        "views": [{"seat": seat, "name": archive.say.player(seat)} for seat in seats_seen(archive)],
        "turns": [
            {"title": archive.say.say("turn", turn), "stages": list(group)}
            for turn, group in groupby(stages, lambda stage: stage.turn)
        ],
    }


def map_data(archive: Archive) -> dict[str, object]:
    """Stages and their maps; empty before the game has begun."""
    if not archive.story.stages:
        return {"stages": []}
    atlas = atlas_of_stages(archive)
    seen = seen_by_stage(archive)
    return {
        "stages": [stage_data(archive, stage) | {"seen": seen.get(stage.number, [])} for stage in archive.story.stages],
        "atlas": atlas,
        "signs": json_for_page({"signs": atlas.stage_signs, "over": atlas.over}),
    }


def seats_seen(archive: Archive) -> list[str]:
    """Seats from whose view the stages can be shown: all once secrets are published, else none."""
    return list(archive.rules.seats) if archive.secrets else []


def seen_by_stage(archive: Archive) -> dict[int, list[dict[str, object]]]:
    """Private knowledge of each seat at the end of each stage: hands and troops of its powers."""
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


def atlas_of_stages(archive: Archive) -> Atlas:
    rules = archive.rules
    board = find_board(rules.terms.board, archive.reading.folder.rules)
    maps = game_report(rules.terms.game).maps(rules.terms)
    words = words_in(archive.say.language)
    return atlas_of(board, rules.common, archive.story.stages, maps, THEMES[archive.theme], words)


def stage_data(archive: Archive, stage: Stage) -> dict[str, object]:
    """Data of one stage, with the forces at its end."""
    rules, on_map = archive.rules.common, stage.on_map
    absent = [
        archive.say.piece(rules.pieces[piece].name)
        for piece, place in each_piece(on_map.places)
        if place == OFF and rules.pieces[piece].power in archive.rules.powers
    ]
    last = moment_data(archive, stage.entries[-1])
    return {
        **{name: getattr(stage, name) for name in ("number", "title", "told", "entries")},
        "read": read_by_all(stage.told, archive.accounts.get(stage.number, {})),
        "time": last["words"],
        "forces": [force_data(archive, stage, power) for power in archive.rules.powers],
        "absent": absent,
    }


def force_data(archive: Archive, stage: Stage, power: Power) -> dict[str, object]:
    """Forces of a power on the map."""
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
