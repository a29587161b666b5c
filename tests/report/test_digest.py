"""The short account: about the reader first, nothing twice, and no secret of others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.engine import events as e
from pbem.engine.field import alter
from pbem.engine.nouns import City, Hussar, Power
from pbem.games.maria.rules.data import Terms
from pbem.player.names import new_table
from pbem.report.digest import MOST, DigestReader, cities_in_question, digest
from pbem.report.language.templates import languages
from tests import play

from . import script, script_of_affairs, script_of_fate
from .golden import check_golden

STORIES = {
    "war": (script.RULES, script.EVENTS, ("prussia", "saxony")),
    "affairs": (script.RULES, script_of_affairs.AFFAIRS, ("austria",)),
    "fate": (script_of_fate.RULES, script_of_fate.EVENTS, ("prussia", "hanover")),
}


ALL = 99_999
"""Room for all that happened."""


def lines_of(rules: Any, events: Sequence[e.Event], powers: tuple[str, ...], language: str = "en") -> list[str]:
    """All lines, a sign behind those about the reader."""
    found = digest(rules, e.all_seen_by(events, powers), DigestReader(powers, most=ALL), language)
    return [*(f"{line} *" for line in found.mine), *found.others, f"{found.left} left"]


@pytest.mark.parametrize("name", STORIES)
def test_the_scripted_stories(name: str) -> None:
    check_golden(f"digest-{name}.txt", "\n".join(lines_of(*STORIES[name])) + "\n")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", STORIES)
def test_every_language_tells_as_many_sentences(name: str, language: str) -> None:
    told, english = lines_of(*STORIES[name], language), lines_of(*STORIES[name])
    assert len(told) == len(english)
    for line in told[:-1]:
        assert not re.search(r"  | [,.;]|\.\.|, ,", line), line
        assert line.removesuffix(" *").endswith((".", ":", "”", "“", "»", "?", "!")), line


BEHIND_A_STAGE = {
    "en": (
        "Turn 4, hussars: Hussar 1 to",
        "Stage of France: France gives",
        "Turn 6, winter of Austria: Austria recruits",
    ),
    "de": ("Husaren: Husar 1", "Zug Frankreichs: Frankreich zahlt", "Österreich rekrutiert"),
    "es": ("húsares: húsar 1", "Etapa de Francia: Francia da", "invierno de Austria: Austria recluta"),
    "it": ("ussari: ussaro 1", "Fase della Francia: la Francia", "inverno dell'Austria: l'Austria recluta"),
}


@pytest.mark.parametrize("language", languages())
def test_a_sentence_behind_a_stage_begins_as_the_language_has_it(language: str) -> None:
    told = "\n".join(lines_of(*STORIES["war"], language))
    assert [part for part in BEHIND_A_STAGE[language] if part not in told] == [], told


PAID = {
    "en": ("Vienna; Austria pays ♣9.", "Prussia recruits 3 and pays ♠10 and a Reserve."),
    "de": ("Spiel; Österreich zahlt ♣9.", "Preußen rekrutiert 3 Truppen und zahlt ♠10 und eine Reserve."),
    "es": ("Viena; Austria paga ♣9.", "Prusia recluta 3 tropas y paga ♠10 y una Reserva."),
    "it": ("Vienna; l'Austria paga ♣9.", "la Prussia recluta 3 truppe e paga ♠10 e una Reserve."),
}


@pytest.mark.parametrize("language", languages())
def test_the_news_says_who_pays_for_trains_and_recruits(language: str) -> None:
    told = " ".join(lines_of(script.RULES, script.EVENTS, ("austria",), language)).replace("\u00a0", " ")
    for each in PAID[language]:
        assert each in told


def test_a_battle_is_one_line_and_stands_first_for_who_fights() -> None:
    rules, events, powers = STORIES["war"]
    mine = digest(rules, events, DigestReader(powers, most=ALL), "en").mine
    battles = sum(isinstance(event, e.BattleJoined) for event in events)
    assert sum("attack" in line for line in mine) == battles
    everybody = digest(rules, e.all_seen_by(events, ()), DigestReader((), most=ALL), "en")
    assert everybody.mine == ()
    assert sum("attack" in line for line in everybody.others) == battles


IN_STAGES = {
    "en": ("Turn 3, stage of France: Austria", "Stage of Prussia: Prussia"),
    "de": ("Runde 3, Zug Frankreichs: Österreich", "Zug Preußens: Preußen"),
    "es": ("Turno 3, etapa de Francia: Austria", "Etapa de Prusia: Prusia"),
    "it": ("Turno 3, fase della Francia: l'Austria", "Fase della Prussia: la Prussia"),
}


@pytest.mark.parametrize("power", ["prussia", "france"])
@pytest.mark.parametrize("language", languages())
def test_news_of_several_stages_have_a_heading_for_each(language: str, power: str) -> None:
    """Glatz is retaken in the stage of France, which had begun before, and Liegnitz is taken in that of Prussia."""
    retaken = e.Conquered(script.city("Glatz"), "austria", "prussia", None)
    taken = e.Conquered(script.city("Liegnitz"), "prussia", "austria", "prussia")
    reader = DigestReader((power,), most=ALL, stage="3/france")
    found = digest(script.RULES, [retaken, e.StageBegan(3, "prussia"), taken], reader, language)
    told = [*found.mine, *found.others]
    assert [line[: len(begins)] for line, begins in zip(told, IN_STAGES[language], strict=True)] == [
        *IN_STAGES[language]
    ]
    found = digest(script.RULES, [retaken], reader, language)
    assert ": " not in " ".join([*found.mine, *found.others]), "all of it is of one stage"


def test_what_others_hide_changes_nothing() -> None:
    rules, events, _ = STORIES["war"]
    emptied = e.all_seen_by(events, ("austria",))
    assert digest(rules, e.all_seen_by(emptied, ("austria",)), DigestReader(("austria",)), "en") == digest(
        rules, emptied, DigestReader(("austria",)), "en"
    )
    drawn = [event for event in events if isinstance(event, e.CardsDrawn) and event.cards]
    assert drawn
    (line,) = digest(rules, e.all_seen_by(drawn, ()), DigestReader(), "en").others
    assert not re.search("[♣♦♥♠]", line)


def test_cards_that_the_reader_drew_are_the_readers_news() -> None:
    rules, events, _ = STORIES["war"]
    drawn = [event for event in events if isinstance(event, e.CardsDrawn) and event.count]
    mine, nobody = (
        digest(rules, e.all_seen_by(drawn, powers), DigestReader(powers), "en") for powers in ((drawn[0].power,), ())
    )
    assert (len(mine.mine), mine.others) == (1, ())
    assert (nobody.mine, len(nobody.others)) == ((), 1)


def test_marches_of_others_give_way_where_much_happened() -> None:
    rules, events, _ = STORIES["war"]
    march = next(event for event in events if isinstance(event, e.Marched))
    mine = {rules.common.pieces[piece].power for piece in march.pieces}
    few, many = (digest(rules, [march] * times, DigestReader(), "en") for times in (2, 200))
    assert (few.left, len(few.others)) == (0, 1)
    assert many.left > 150
    assert sum(map(len, many.others)) < MOST
    assert len(digest(rules, [march] * 9, DigestReader(mine), "en").mine[0]) > MOST / 3


def test_battles_of_others_are_shortened_and_mine_are_not() -> None:
    rules, events, powers = STORIES["war"]
    whole, short, others = (
        digest(rules, events, DigestReader(powers), "en"),
        digest(rules, events, DigestReader(powers, most=0), "en"),
        digest(rules, e.all_seen_by(events, ()), DigestReader(most=0), "en"),
    )
    assert whole.mine == short.mine
    fought = "at Glatz. Prussia ♠2"
    joined = [event for event in events if isinstance(event, e.BattleJoined | e.CardPlayed)]
    assert fought in " ".join(digest(rules, joined, DigestReader(powers, most=0), "en").mine)
    assert fought not in " ".join(others.others)
    assert "at Glatz" in " ".join(others.others)
    assert any("game is over" in line for line in others.others)


IN_QUESTION = {
    "en": (
        "Breslau is still protected: Prussia conquers it if nobody protects it after the battles.",
        "Breslau, still protected, holds out",
    ),
    "de": (
        "Breslau ist noch geschützt: Preußen erobert die Stadt, wenn niemand sie nach den Schlachten schützt.",
        "Breslau bleibt geschützt und fällt nicht",
    ),
    "es": (
        "Breslavia sigue protegida: Prusia la conquista si nadie la protege después de las batallas.",
        "no conquista Breslavia, aún protegida",
    ),
    "it": (
        "Breslavia è ancora protetta: la Prussia la conquista se nessuno la protegge dopo le battaglie.",
        "Breslavia, ancora protetta, res",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_who_holds_a_fortress_in_question_or_questions_it_is_told_so_and_nobody_else(language: str) -> None:
    table = play.start(Terms(), 1)[0]
    field = table.rules.common, table.state.field
    city = script.city("Breslau")
    put, lifted = IN_QUESTION[language]
    asked, kept = e.Questioned(city, "prussia"), e.QuestionLifted(city, "prussia")
    fallen = e.Conquered(city, "prussia", "austria", "prussia", retroactive=True)
    for events, wanted in (((asked,), put), ((asked, kept), lifted), ((kept,), lifted)):
        for power in ("austria", "france", "prussia"):
            held = cities_in_question(*field, events, (power,))
            told = digest(script.RULES, events, DigestReader((power,), held), language)
            mine = " ".join(told.mine)
            assert (wanted in mine) == (power != "france"), told
            assert len(told.mine) <= 1
            assert not told.others
    held = cities_in_question(*field, (asked, fallen), ("austria",))
    (line,) = digest(script.RULES, (asked, fallen), DigestReader(("austria",), held), language).mine
    assert put not in line


HELD = {
    "en": "Still protected: Prague and Breslau hold out against Prussia, Tabor against Saxony.",
    "de": "Weiter geschützt: Prag und Breslau fallen nicht an Preußen, Tabor nicht an Sachsen.",
    "es": "Prusia no conquista Praga ni Breslavia, aún protegidas; Sajonia no conquista Tabor, aún protegida.",
    "it": "Ancora protette: Praga e Breslavia resistono alla Prussia, Tabor alla Sassonia.",
}


@pytest.mark.parametrize("language", languages())
def test_all_fortresses_that_hold_out_are_told_in_one_sentence(language: str) -> None:
    besieged = (("Prague", "prussia"), ("Tabor", "saxony"), ("Breslau", "prussia"))
    events = [e.QuestionLifted(script.city(city), power) for city, power in besieged]
    assert digest(script.RULES, events, DigestReader(("prussia", "saxony")), language).mine == (HELD[language],)


ALLOTTED = {
    "en": "Austria, Prussia and Saxony have allocated their troops.",
    "de": "Österreich, Preußen und Sachsen haben ihre Truppen verteilt.",
    "es": "Austria, Prusia y Sajonia han asignado sus tropas.",
    "it": "L'Austria, la Prussia e la Sassonia assegnano in segreto le loro truppe.",
}


@pytest.mark.parametrize("language", languages())
def test_powers_that_have_allocated_their_troops_in_secret_are_told_in_one_sentence(language: str) -> None:
    own = e.TroopsAllotted("france", {script.FRIEDRICH: 8})
    secret = [e.TroopsAllotted(power, None) for power in ("austria", "prussia", "saxony")]
    told = digest(script.RULES, [secret[0], own, *secret[1:]], DigestReader(("france",)), language)
    assert told.others == (ALLOTTED[language],)
    assert len(told.mine) == 1


@pytest.mark.parametrize("language", languages())
def test_a_short_account_tells_a_stage_in_its_order(language: str) -> None:
    marched = e.Marched((script.FRIEDRICH,), script.city("Lüben"), (script.city("Kolin"),), False)
    won = e.BattleWon((script.FRIEDRICH,), (script.TRAUN,), "prussia", "austria", 2, 2)
    removed = e.GeneralRemoved(script.FRIEDRICH, script.city("Kolin"))
    starved = e.SupplyLost(script.FRIEDRICH, 1)
    told = digest(script.RULES, (marched, won, starved, removed), DigestReader(("prussia",)), language).mine
    assert len(told) == 3
    assert "Traun" in told[1]


@pytest.mark.parametrize("language", languages())
def test_a_train_that_is_taken_stands_behind_the_march_and_before_the_fortress_in_question(language: str) -> None:
    start, end = script.city("Lüben"), script.city("Kolin")
    train = next(iter(script.RULES.common.trains("austria")))
    asked = e.Questioned(script.city("Breslau"), "prussia")
    events = (
        e.Marched((script.FRIEDRICH,), start, (end,), False),
        asked,
        e.TrainTaken(train, end, script.FRIEDRICH),
    )
    mine = " ".join(digest(script.RULES, events, DigestReader(("prussia",)), language).mine)
    assert mine.endswith(IN_QUESTION[language][0]), mine


@pytest.mark.parametrize("language", languages())
def test_a_battle_whose_cards_were_told_before_ends_with_who_has_won(language: str) -> None:
    won = e.BattleWon((script.FRIEDRICH,), (script.TRAUN,), "prussia", "austria", 2, 2)
    (line,) = digest(script.RULES, (won,), DigestReader(("prussia",)), language).mine
    assert line.index("Friedrich der Große") < line.index("Traun")


TAKEN = {
    "en": ", taking Leitmeritz and Eger.",
    "de": ", dabei Leitmeritz und Eger erobert.",
    "es": ", conquistando Leitmeritz y Eger.",
    "it": ", conquistando Leitmeritz ed Eger.",
}


@pytest.mark.parametrize("language", languages())
def test_cities_that_one_march_takes_are_told_together(language: str) -> None:
    start, *path = script.way("Dresden", "Leitmeritz", "Eger", "Karlsbad")
    power = "prussia"
    march = e.Marched((script.FRIEDRICH,), start, tuple(path), False)
    taken = [e.Conquered(city, power, "austria", power) for city in path[:2]]
    (line,) = digest(script.RULES, [march, *taken], DigestReader((power,)), language).mine
    assert TAKEN[language] in line
    back = e.Conquered(path[1], power, "austria", None)
    (line,) = digest(script.RULES, [march, taken[0], back], DigestReader((power,)), language).mine
    assert TAKEN[language] not in line, "a city that is won back is no conquest"


TOLD_WITH_THE_MARCH = [
    (
        ("Dresden", "Leitmeritz", "Eger", "Leitmeritz"),
        ("Leitmeritz", "Eger"),
        {
            "en": "Friedrich der Große to Leitmeritz (taken by marching out and back), taking Eger.",
            "de": "Friedrich der Große über Leitmeritz (erobert) hinaus und dorthin zurück, dabei Eger erobert.",
            "es": "Friedrich der Große a Leitmeritz (conquistada al salir y volver), conquistando Eger.",
            "it": "Friedrich der Große a Leitmeritz (conquistata uscendone e rientrandovi), conquistando Eger.",
        },
    ),
    (
        ("Dresden", "Pirna", "Leitmeritz", "Dresden"),
        ("Leitmeritz",),
        {
            "en": "Friedrich der Große to Leitmeritz (taken) and back to Dresden.",
            "de": "Friedrich der Große nach Leitmeritz (erobert) und zurück nach Dresden.",
            "es": "Friedrich der Große a Leitmeritz (conquistada) y de vuelta a Dresde.",
            "it": "Friedrich der Große a Leitmeritz (conquistata) e poi a Dresda.",
        },
    ),
    (
        ("Dresden", "Leitmeritz", "Eger", "Leitmeritz", "Dresden"),
        ("Leitmeritz", "Eger"),
        {
            "en": "Friedrich der Große to Eger (taken) and back to Dresden, taking Leitmeritz.",
            "de": "Friedrich der Große nach Eger (erobert) und zurück nach Dresden, dabei Leitmeritz erobert.",
            "es": "Friedrich der Große a Eger (conquistada) y de vuelta a Dresde, conquistando Leitmeritz.",
            "it": "Friedrich der Große a Eger (conquistata) e poi a Dresda, conquistando Leitmeritz.",
        },
    ),
    (
        ("Leitmeritz", "Pirna", "Leitmeritz"),
        ("Leitmeritz",),
        {
            "en": "Friedrich der Große to Pirna and back to Leitmeritz (taken).",
            "de": "Friedrich der Große nach Pirna und zurück nach Leitmeritz (erobert).",
            "es": "Friedrich der Große a Pirna y de vuelta a Leitmeritz (conquistada).",
            "it": "Friedrich der Große a Pirna e poi a Leitmeritz (conquistata).",
        },
    ),
]


@pytest.mark.parametrize(("cities", "taken", "told"), TOLD_WITH_THE_MARCH)
@pytest.mark.parametrize("language", languages())
def test_a_march_names_no_city_twice_and_says_where_it_ends(
    cities: tuple[str, ...], taken: tuple[str, ...], told: dict[str, str], language: str
) -> None:
    start, *path = map(script.city, cities)
    march = e.Marched((script.FRIEDRICH,), start, tuple(path), False)
    conquests = [e.Conquered(script.city(name), "prussia", "austria", "prussia") for name in taken]
    assert digest(script.RULES, [march, *conquests], DigestReader(("prussia",)), language).mine == (told[language],)


TRAIN_TAKEN = {
    "en": "Friedrich der Große to Kolin, taking Austria's train\N{NO-BREAK SPACE}1 there.",
    "de": "Friedrich der Große nach Kolin, dort Tross\N{NO-BREAK SPACE}1 Österreichs vernichtet.",
    "es": "Friedrich der Große a Kolin, eliminando allí el tren\N{NO-BREAK SPACE}1 de Austria.",
    "it": "Friedrich der Große a Kolin, eliminando lì il treno\N{NO-BREAK SPACE}1 dell'Austria.",
}


@pytest.mark.parametrize("language", languages())
def test_a_train_that_is_taken_where_the_march_ends_is_taken_there(language: str) -> None:
    train = sorted(script.RULES.common.trains("austria"))[0]
    end = script.city("Kolin")
    events = (e.Marched((script.FRIEDRICH,), script.city("Lüben"), (end,), False), e.TrainTaken(train, end, 0))
    assert digest(script.RULES, events, DigestReader(("prussia",)), language).mine == (TRAIN_TAKEN[language],)


TRAIN_MOVED = {
    "en": "Austria's train\N{NO-BREAK SPACE}1 to Kolin.",
    "de": "Tross\N{NO-BREAK SPACE}1 Österreichs nach Kolin.",
    "es": "Tren\N{NO-BREAK SPACE}1 (Austria) a Kolin.",
    "it": "Treno\N{NO-BREAK SPACE}1 dell'Austria a Kolin.",
}


@pytest.mark.parametrize("language", languages())
def test_a_train_that_moves_does_not_seem_to_come_from_its_power(language: str) -> None:
    train = sorted(script.RULES.common.trains("austria"))[0]
    events = (e.Marched((train,), script.city("Lüben"), (script.city("Kolin"),), False),)
    assert digest(script.RULES, events, DigestReader(("austria",)), language).mine == (TRAIN_MOVED[language],)


def test_hussars_who_raid_the_reader_are_about_the_reader() -> None:
    placed = e.HussarPlaced(0, 50)
    for raided, is_mine in (((50,), True), ((60,), False)):
        told = digest(script.RULES, [placed], DigestReader(("france",), most=ALL, raided=raided), "en")
        assert (bool(told.mine), bool(told.others)) == (is_mine, not is_mine)


def test_marches_and_retreats_of_those_whom_the_reader_fights_are_about_the_reader() -> None:
    rules = script.RULES
    common = rules.common
    ours, foe, other = common.generals("austria")[0], common.generals("prussia")[0], common.generals("france")[0]
    near, far = 50, 60
    marches = [e.Marched((general,), near, (far,), False) for general in (foe, other)]
    joined = e.BattleJoined((foe,), (ours,), far, near, 3, 2, 1)
    retreat = e.Retreated((foe,), near, (far,))
    beside = DigestReader(("austria",), most=ALL, near=(near,))
    assert ", as the winner chose" in digest(rules, [retreat], beside, "en").mine[0]
    assert not digest(rules, marches[:1], beside, "en").mine, "who marches away may have nothing to do with the reader"
    quiet = digest(rules, marches, DigestReader(("austria",), most=ALL), "en")
    assert (len(quiet.mine), len(quiet.others)) == (0, 1)
    for events, foes in (([*marches, joined], ()), (marches, (foe,)), ([*marches[1:], retreat], (foe,))):
        told = digest(rules, events, DigestReader(("austria",), most=ALL, foes=foes), "en")
        name, name_of_other = (common.pieces[general].name for general in (foe, other))
        assert any(name in line for line in told.mine), told
        assert not any(name in line for line in told.others), told
        assert any(name_of_other in line for line in told.others), told


def test_a_march_into_a_fortress_of_the_reader_is_never_left_out() -> None:
    rules, entered = script_of_fate.RULES, script_of_fate.city("Küstrin")
    table = new_table({"game": "friedrich", "expert": "yes"})
    marches = [
        e.Marched((script_of_fate.FERMOR,), 1, (3, entered), False),
        e.Marched((script_of_fate.DAUN,), 1, (2,), False),
    ]
    for stands, told in ((entered, 1), (2, 0)):
        alter(table.state.field, script_of_fate.FERMOR, city=City(stands))
        questioned = cities_in_question(rules.common, table.state.field, marches, ("prussia",))
        assert questioned == [entered][:told]
        short = digest(rules, marches, DigestReader(("prussia",), questioned, most=0), "en")
        assert (len(short.mine), len(short.others), short.left) == (told, 0, 2 - told)
        assert ("Fermor to Küstrin" in " ".join(short.mine)) == bool(told)
    assert not cities_in_question(rules.common, table.state.field, marches, ("austria",))


def test_marches_that_end_beside_the_readers_generals_are_told_before_those_of_trains() -> None:
    rules = script.RULES
    common = rules.common
    general, other = common.generals("prussia")[0], common.generals("france")[0]
    beside, far = script.city("Kolin"), script.city("Lüben")
    trains = sorted(common.trains("prussia"))
    marches = [e.Marched((piece,), far, (beside,), False) for piece in (general, trains[0])]
    told = digest(rules, marches, DigestReader(("austria",), most=ALL, near=(beside,)), "en")
    assert (len(told.mine), len(told.others)) == (1, 1)
    assert "Friedrich" in told.mine[0]
    marches = [e.Marched((piece,), beside, (far,), False) for piece in (other, *trains, *common.trains("france"))]
    room = len(told.mine[0]) + 5
    short = digest(rules, marches, DigestReader(("austria",), most=room), "en")
    assert short.left == len(marches) - 1
    assert common.pieces[other].name in short.others[0], "trains are left out first"


@pytest.mark.parametrize("language", languages())
def test_a_draw_that_is_the_whole_hand_names_no_cards_where_the_hand_is_shown(language: str) -> None:
    drawn = e.CardsDrawn("prussia", 2, tuple(script.cards("♠9", "♥10")))

    def told(hands: dict[str, int]) -> str:
        reader = DigestReader(("prussia",), hands=hands)
        return " ".join(digest(script.RULES, (drawn,), reader, language).mine)

    assert "♠9" not in told({"prussia": 2})
    assert " 2" in told({"prussia": 2})
    assert "♠9" in told({"prussia": 3}), "which of the cards are new is told"
    assert "♠9" in told({}), "the hand is not shown"


def test_the_loss_of_a_hussar_is_told_to_its_power_even_without_room() -> None:
    rules = script.RULES
    index = rules.common.board.index
    general = next(iter(rules.common.generals(Power("austria"))))
    start, end = index["Glatz"], index["Frankenstein"]
    events: list[e.Event] = [e.Marched((general,), start, (end,), False), e.HussarRemoved(Hussar(1), end)]
    events += [e.Marched((general,), start, (end,), False) for _ in range(60)]
    own, others = (digest(rules, events, DigestReader((Power(name),), most=0), "en") for name in ("austria", "prussia"))
    assert ["hussar" in " ".join((*each.mine, *each.others)) for each in (own, others)] == [True, False]


SET_ASIDE = {
    "en": "Cards drawn: France 3 (♣2, ♦7 and ♥4). France sets ♣2 aside.",
    "de": "Gezogene Karten: Frankreich 3 (♣2, ♦7 und ♥4). Frankreich legt ♣2 ab.",
    "es": "Cartas robadas: Francia 3 (♣2, ♦7 y ♥4). Francia descarta ♣2 bocabajo.",
    "it": "Carte pescate: Francia 3 (♣2, ♦7 e ♥4). La Francia mette da parte ♣2.",
}


@pytest.mark.parametrize("language", languages())
def test_a_card_that_is_set_aside_is_told_behind_those_drawn(language: str) -> None:
    rules, events, _ = STORIES["fate"]
    set_aside = next(number for number, event in enumerate(events) if type(event).__name__ == "CardsReturned")
    drawn = events[set_aside - 1 : set_aside + 1]
    told = digest(rules, drawn, DigestReader(("france",)), language)
    assert told.mine == (SET_ASIDE[language],), told


OF_SUPPLY = {
    "en": (
        "Friedrich der Große and Schwerin are out of supply, lie face-down and lose 1 troop each. Erbprinz "
        "Leopold is out of supply, stays face-down and loses 2 troops.",
        "Friedrich der Große and Schwerin are turned face-up again.",
        "Keith is out of supply and is turned face-down.",
    ),
    "de": (
        "Friedrich der Große und Schwerin sind unversorgt, liegen verdeckt und verlieren je 1 Truppe. Erbprinz "
        "Leopold ist unversorgt, bleibt verdeckt und verliert 2 Truppen.",
        "Friedrich der Große und Schwerin werden wieder aufgedeckt.",
        "Keith ist unversorgt und wird verdeckt.",
    ),
    "es": (
        "Friedrich der Große y Schwerin están sin suministro, quedan bocabajo y pierden 1 tropa cada uno. Erbprinz "
        "Leopold está sin suministro, sigue bocabajo y pierde 2 tropas.",
        "Friedrich der Große y Schwerin vuelven a quedar bocarriba.",
        "Keith está sin suministro y queda bocabajo.",
    ),
    "it": (
        "Friedrich der Große e Schwerin, senza rifornimento, vengono girati a faccia in giù e perdono 1 truppa "
        "ciascuno. Erbprinz Leopold, senza rifornimento, resta a faccia in giù e perde 2 truppe.",
        "Friedrich der Große e Schwerin tornano a faccia in su.",
        "Keith, senza rifornimento, viene girato a faccia in giù.",
    ),
}


@pytest.mark.parametrize("language", languages())
def test_supply_lost_says_what_follows_and_those_turned_up_again_stand_in_one_sentence(language: str) -> None:
    def told(rules: Any, *events: e.Event) -> str:
        return " ".join(digest(rules, events, DigestReader(("prussia",)), language).mine).replace(
            "\N{NO-BREAK SPACE}", " "
        )

    losses = [e.SupplyLost(each, 1) for each in (script.FRIEDRICH, script.SCHWERIN)]
    lost, restored, down = OF_SUPPLY[language]
    assert told(script.RULES, *losses, e.SupplyLost(script.LEOPOLD, 2)) == lost
    assert told(script.RULES, *map(e.SupplyRestored, (script.FRIEDRICH, script.SCHWERIN))) == restored
    assert told(script_of_fate.RULES, e.SupplyLost(script_of_fate.KEITH, 0)) == down


@pytest.mark.parametrize("language", languages())
def test_a_stage_is_joined_to_what_it_dates(language: str) -> None:
    events = (e.StageBegan(3, "france"), e.SupplyLost(script.FRIEDRICH, 1))
    (line,) = digest(script.RULES, events, DigestReader(("austria",)), language).others
    assert re.search(": .*Friedrich der Große", line)


GONE = {
    "en": "Traun loses 2 and is removed from the map.",
    "de": "Traun verliert 2\xa0Truppen und wird vom Spielplan genommen.",
    "es": "Traun pierde 2\xa0tropas y abandona el mapa.",
    "it": "Traun perde 2\xa0truppe e lascia la mappa.",
}


@pytest.mark.parametrize("language", languages())
def test_who_loses_all_troops_in_a_battle_is_removed_in_the_same_sentence(language: str) -> None:
    won = e.BattleWon((script.FRIEDRICH,), (script.TRAUN,), "prussia", "austria", 2, 2)
    gone = e.GeneralRemoved(script.TRAUN, script.city("Kolin"))
    (line,) = digest(script.RULES, (won, gone), DigestReader(("prussia",)), language).mine
    assert line.endswith(GONE[language])
    kept = replace(won, losers=(script.TRAUN, script.KARL))
    (line,) = digest(script.RULES, (kept, gone), DigestReader(("prussia",)), language).mine
    assert GONE[language] not in line
    assert line.count("Traun") > 1, "of two generals one is left"
