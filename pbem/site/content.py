"""Contents of the pages besides the maps: people, figures, battles, the ledger, hands, all in words of the language."""

from __future__ import annotations

from itertools import groupby

import msgspec

from pbem.campaign.clock.timestamps import parse_moment
from pbem.kit import game_named
from pbem.report.blocks import line_of
from pbem.report.letters.entries import fingerprint
from pbem.report.letters.times import when
from pbem.report.short_rules import ShortRules, short_rules
from pbem.site.archive import Archive, is_closed, moment_data
from pbem.site.hands import PowerHoldings, StageSecrets
from pbem.site.journal import lines_of, seats
from pbem.site.words import capital


def common_data(archive: Archive) -> dict[str, object]:
    """Data of the frame of every page: title, parts, colours, and the words of the language."""
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
    """Data of the title page."""
    reading, say, rules = archive.reading, archive.say, archive.rules
    public, settings = reading.public, reading.settings
    people = seats(reading)
    who = {"name": settings.moderator.name, "seat": settings.moderator.seat}
    verdict = say.say("verdict", {"campaign": archive.verification.campaign, "phase": archive.verification.phase})
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
        "figures": figures_of(archive),
        "warnings": [finding.told() for finding in archive.verification.findings],
        "head": {"number": reading.head.number, "hash": reading.head.hash},
        "verdict": verdict,
    }


def waiting_data(archive: Archive) -> dict[str, str]:
    """Stage, deadline and seats for which a running campaign waits."""
    public, say = archive.reading.public, archive.say
    if public.phase != "running" or public.next is None:
        return {"waiting": "", "owing": ""}
    until = when(parse_moment(public.deadline), archive.reading.settings.clock) if public.deadline else None
    owing = [say.player(seat) for seat in public.next.owing]
    return {
        "waiting": say.say("waiting", public.next.stage, until),
        "owing": say.say("owing", owing) if owing else "",
    }


def seat_data(archive: Archive, seat: str) -> dict[str, object]:
    """A seat and its player."""
    player = archive.reading.public.players.get(seat)
    powers = capital(", ".join(archive.say.power(power) for power in archive.rules.seats.get(seat, ())))
    key = fingerprint(player.key) if player else ""
    name = player.name if player else ""
    return {"seat": archive.say.player(seat), "name": name, "taken": player is not None, "powers": powers, "key": key}


def figures_of(archive: Archive) -> list[tuple[int, str]]:
    """Numbers of verified things, each with its word; zeros are left out."""
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
    """Data of the page of battles."""
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
    """Data of the page of short rules."""
    topics = rules.topics.items()
    return {
        "opening": line_of(rules.opening),
        "topics": [
            {"key": key, "title": topic.title, "says": [line_of(each) for each in topic.says]} for key, topic in topics
        ],
    }


def log_data(archive: Archive) -> dict[str, object]:
    """Data of the page of the ledger."""
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
    """Data of the page of secrets."""
    stages, say = archive.story.stages, archive.say
    turns = groupby(archive.secrets, lambda secret: stages[secret.stage].turn)
    opened = [msgspec.structs.asdict(each) | {"player": say.player(each.player)} for each in archive.opened]
    return {
        "secrets": [
            {"title": say.say("turn", turn), "secrets": [secret_data(archive, secret) for secret in group]}
            for turn, group in turns
        ],
        "opened": opened,
    }


def secret_data(archive: Archive, secret: StageSecrets) -> dict[str, object]:
    """Holdings at the end of one stage."""
    holdings = [holding_data(archive, holding) for holding in secret.holdings]
    return {"stage": secret.stage, "title": archive.story.stages[secret.stage].title, "holdings": holdings}


def holding_data(archive: Archive, holding: PowerHoldings) -> dict[str, object]:
    """Holdings of one power."""
    return {
        "power": capital(archive.say.power(holding.power)),
        "cards": holding.cards,
        "troops": [f"{capital(name)} {number}" for name, number in holding.troops.items()],
    }
