"""Every card, every general's troops and every sealed word in what a reader gets is one that they may know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import briefings
from pbem.campaign.founding import opener_of
from pbem.campaign.news import ledger_of
from pbem.campaign.proof.drawing import memory_after
from pbem.campaign.settings import OBSERVER
from pbem.paper.documents.strict import bare
from pbem.paper.letters import read_letter
from tests.endurance.mail import Mail
from tests.endurance.year import Sealing, Year
from tests.leaks.artefacts import Artefacts, private, public, text_of
from tests.leaks.extractors import leaves, said
from tests.leaks.knowledge import Facts, may_know, together

CAMPAIGNS: tuple[tuple[str, str, Sealing, int], ...] = (
    ("maria", "advanced", "reveal", 9),
    ("maria", "introductory", "moderator", 12),
    ("friedrich", "three", "reveal", 8),
    ("friedrich", "four", "moderator", 11),
    ("maria", "silesia-gambit", "moderator", 8),
)
"""Games, scenarios, how they seal, and for how many days they are played; every third is played in the suite
(`tests/part.txt`): one of each game, sealed in either way."""


@pytest.fixture(scope="module", params=CAMPAIGNS, ids=lambda each: f"{each[0]}-{each[1]}")
def year(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Year:
    """A campaign in which many things have happened, and which still goes on."""
    game, scenario, sealing, days = request.param
    found = Year(tmp_path_factory.mktemp("allowed") / "campaign", 3, game, sealing, often=0, scenario=scenario)
    found.join()
    for _ in range(days):
        found.day()
    found.post()
    return found


def known_to(year: Year, reader: str, up_to: int = 9999) -> Facts:
    """All that a reader may know who has read everything up to an entry."""
    return together(told_at(year, reader, entry) for entry in year.told if entry <= up_to)


@cache
def told_at(year: Year, reader: str, entry: int) -> Facts:
    """Facts that a reader may know by the reports of an entry."""
    return may_know(year.told[entry][reader])


def check_remembered(year: Year) -> None:
    """Check that the memory follows from the public ledger: for all readers, and where an older version has stored
    none. Strengths that are counted as the game goes on are left out, as reports leave them out."""
    with year.table.open() as campaign:
        settings = campaign.public.settings
        public = memory_after(ledger_of(campaign), opener_of(campaign.folder, settings), campaign.rules)
        kept, campaign.state.memory = campaign.state.memory, None
        assert kept
        assert replace(kept, counted=[]) == public
        assert {each.memory == public for each in briefings(campaign).values()} == {True}


def generals(year: Year) -> list[str]:
    """Names of the generals."""
    with year.table.open() as campaign:
        common = campaign.rules.common
        return [common.pieces[piece].name for power in campaign.rules.powers for piece in common.generals(power)]


@lru_cache(maxsize=8)
def given(year: Year, reader: str) -> tuple[tuple[str, Artefacts, Facts], ...]:
    """Artefacts of a reader, and facts that they may know then."""
    return tuple(each_given(year, reader))


def each_given(year: Year, reader: str) -> Iterator[tuple[str, Artefacts, Facts]]:
    if reader == OBSERVER:
        yield "public", public(year.table), known_to(year, OBSERVER)
        return
    found = private(year.table, reader, year.table.players[reader].key)
    for name, artefact in found.items():
        entry = int(name.split("/")[1])
        reports = [number for number in year.told if number >= entry]
        up_to = entry if entry in year.told and "receipt" not in name else min(reports, default=9999)
        yield name, {name: artefact}, known_to(year, reader, up_to)


def test_cards_and_troops(year: Year) -> None:
    check_remembered(year)
    names = generals(year)
    seen = Facts()
    for reader in (OBSERVER, *year.table.players):
        own = own_generals(year, reader)
        for _, artefacts, known in given(year, reader):
            for name, artefact in artefacts.items():
                found = said(name, artefact, names)
                troops = {(general, count) for general, count in found.troops if general not in own}
                assert found.cards <= known.cards, (reader, name, found.cards - known.cards)
                assert found.reserves <= known.reserves, (reader, name, found.reserves - known.reserves)
                assert troops <= known.troops, (reader, name, troops - known.troops)
                seen.add(found)
    assert len(seen.troops) > 5
    assert seen.cards


def test_another_players_report_would_be_noticed(year: Year) -> None:
    """The last report of one player has more than another may know."""
    names, (reader, other, *_) = generals(year), list(year.table.players)
    own, known = own_generals(year, reader), known_to(year, reader)
    found = Facts()
    for name, artefact in private(year.table, other, year.table.players[other].key).items():
        found.add(said(name, artefact, names))
    assert not found.cards <= known.cards
    assert {(general, count) for general, count in found.troops if general not in own} - known.troops


def own_generals(year: Year, reader: str) -> set[str]:
    """The generals of a reader's powers: sheets also show what they could have."""
    told = list(year.told.values())[-1][reader]
    return {piece.name for piece in told.view.pieces if piece.power in told.powers}


def test_what_is_sealed_and_what_is_written_to_others(year: Year) -> None:
    secrets = [*sealed_words(year), *messages(year)]
    assert secrets
    for reader in (OBSERVER, *year.table.players):
        hidden = sorted({words for words, readers in secrets if reader not in readers})
        pattern = re.compile("|".join(map(re.escape, hidden)) or "(?!)")
        for _, artefacts, _ in given(year, reader):
            for name, artefact in artefacts.items():
                found = pattern.search(re.sub(r"\s+", " ", text_of(artefact)))
                assert not found, (reader, name, found)


def sealed_words(year: Year) -> Iterator[tuple[str, set[str]]]:
    """The salts of what was sealed, and the orders in it that are too long to be told by accident; and who may know."""
    for commitment, part in year.writers.parts.items():
        writers = {mail.player for mail in year.postman.sent if commitment in mail.text}
        for words in (part.salt.hex(), *(text for text in leaves(part.body) if len(text) > 30)):
            yield words, writers


def messages(year: Year) -> Iterator[tuple[str, set[str]]]:
    """Messages, and the readers who may know them."""
    everybody = {OBSERVER, *year.table.players}
    for mail in year.postman.sent:
        if mail.manner == "message":
            to, text = (text_at(mail, key) for key in ("to", "text"))
            yield text, everybody if to == "all" else {mail.player, to}


def text_at(mail: Mail, key: str) -> str:
    """Text in the body of a letter."""
    body = bare(read_letter(mail.text.encode(), "letter").body)
    assert isinstance(body, dict)
    return str(body[key])
