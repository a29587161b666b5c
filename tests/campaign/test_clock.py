"""The settings of a clock: what is read, what is refused, and how they travel through a ledger."""

from __future__ import annotations

from datetime import UTC, time, timedelta

import msgspec
import pytest
from msgspec import Struct

from pbem.campaign.clock.clock import (
    Clock,
    OutsideCalendar,
    checked_day,
    local_moment,
    parse_moment,
    span,
    stamp,
    time_of_day,
    zone_named,
)
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import read_yaml


class Campaign(Struct):
    clock: Clock = Clock()


def load(text: str) -> Clock:
    return convert(read_yaml(text.encode(), "campaign.yaml"), Campaign, "campaign.yaml").clock


def refusal(text: str) -> str:
    with pytest.raises(Refused) as refused:
        load(text)
    return str(refused.value)


def test_a_clock_is_read_and_what_is_left_out_has_its_usual_value() -> None:
    text = """
clock:
  next: 3d
  at: 19:30
  zone: Europe/Madrid
  days: [mon, wed, Fri]
  remind: [48h, 6h]
  at_deadline: hold
  absences: 10
"""
    assert load(text) == Clock(
        next="3d", at="19:30", zone="Europe/Madrid", days=("mon", "wed", "fri"), remind=("48h", "6h"),
        at_deadline="hold", absences=10,
    )  # fmt: skip
    assert load("clock:") == Clock()
    assert load("clock: {remind: []}").remind == ()


def test_a_clock_goes_through_bare_texts_and_back() -> None:
    clock = Clock(zone="America/New_York", days=("sat",), remind=("1d", "2h"), absences=0)
    bare = {**msgspec.to_builtins(clock), "absences": "0"}
    assert msgspec.convert(bare, Clock, strict=False) == clock


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("30m", timedelta(minutes=30)),
        ("72h", timedelta(days=3)),
        ("3d", timedelta(hours=72)),
        ("1w", timedelta(days=7)),
        ("0h", timedelta(0)),
        ("366d", timedelta(days=366)),
    ],
)
def test_spans(written: str, expected: timedelta) -> None:
    assert span(written) == expected


@pytest.mark.parametrize("written", ["", "72", "h", "3 d", "-1d", "1.5h", "367d", "53w", "99999m", "1d12h", "٣d", "3D"])
def test_what_is_no_span(written: str) -> None:
    with pytest.raises(ValueError, match="no span of time"):
        span(written)


def test_times_of_day() -> None:
    assert time_of_day("7:05") == time(7, 5)
    assert time_of_day("00:00") == time(0, 0)
    for written in ("24:00", "20", "20:60", "8pm", "20:00:00", ""):
        with pytest.raises(ValueError, match="no time of day"):
            time_of_day(written)


def test_utc_needs_no_table_of_zones() -> None:
    assert zone_named("UTC") is UTC


@pytest.mark.parametrize(
    "written", ["", "CET", "EST", "localtime", "Europe", "Europe/Nowhere", "../etc/passwd", "/etc/passwd", "a/\0", "/"]
)
def test_what_is_no_zone(written: str) -> None:
    with pytest.raises(ValueError, match="there is no time zone"):
        zone_named(written)


def test_a_zone_in_small_letters_is_guessed_but_not_taken() -> None:
    with pytest.raises(ValueError, match=r"did you mean Europe/Madrid"):
        zone_named("europe/madrid")


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("clock: {next: soon}", "E-VALUE-RANGE", "next: 'soon' is no span of time"),
        ("clock: {next: 0h}", "E-VALUE-RANGE", "next: '0h' is no time at all"),
        ("clock: {remind: [24h, 0m]}", "E-VALUE-RANGE", "remind: '0m' is no time at all"),
        ("clock: {at: 25:00}", "E-VALUE-RANGE", "at: '25:00' is no time of day"),
        ("clock: {zone: Vienna}", "E-VALUE-RANGE", "zone: there is no time zone 'Vienna'"),
        ("clock: {days: []}", "E-VALUE-RANGE", "0 items"),
        ("clock: {days: [monday]}", "E-VALUE-CHOICE", "did you mean mon"),
        ("clock: {at_deadline: kill}", "E-VALUE-CHOICE", "hold, standing, wait"),
        ("clock: {absences: -1}", "E-VALUE-RANGE", "at least 0"),
        ("clock: {nxt: 72h}", "E-FORM-KEY", "did you mean next"),
    ],
)
def test_refusals(text: str, code: str, words: str) -> None:
    told = refusal(text)
    assert code in told
    assert words in told


def test_everything_wrong_with_the_texts_is_told_at_once() -> None:
    told = refusal("clock: {next: x, grace: y, at: z, zone: Q}")
    assert all(f"{key}: " in told for key in ("next", "grace", "at", "zone"))


@pytest.mark.parametrize("written", ["1000-01-01T00:00:00Z", "2026-11-23T10:11:12Z", "9000-12-31T23:59:59Z"])
def test_a_moment_is_written_in_one_way(written: str) -> None:
    assert stamp(parse_moment(written)) == written
    assert local_moment(written, Clock(zone="Pacific/Kiritimati"))
    assert local_moment(written, Clock(zone="America/New_York"))


@pytest.mark.parametrize("written", ["0001-01-01", "0999-12-31", "9001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar_are_not_written(written: str) -> None:
    with pytest.raises(OutsideCalendar):
        checked_day(written)
    with pytest.raises(OutsideCalendar):
        parse_moment(f"{written}T12:00:00Z")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "soon",
        "2026-1-2T03:04:05Z",
        "2026-01-02T03:04:05",
        "2026-01-02 03:04:05Z",
        "2026-01-02T03:04:05+00:00",
        "0001-01-01T00:00:00+23:00",
        "2026-01-02T03:04:05.5Z",
        "20260102T030405Z",
        "2026-02-30T00:00:00Z",
        "2026-01-02T24:00:00Z",
        "0000-01-01T00:00:00Z",
    ],
)
def test_what_is_no_moment(written: str) -> None:
    with pytest.raises(ValueError, match=r"written|iso|must be|out of range"):
        parse_moment(written)
