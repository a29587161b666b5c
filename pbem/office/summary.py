"""Summary of an office: its last round in at most ten lines, and its state."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict

from pbem.campaign.clock.clock import local_moment
from pbem.campaign.clock.timing import players_waited_for
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import Words, printable, words
from pbem.moderator.evening import Evening
from pbem.office.counter import Counter, Round
from pbem.office.doubts import mail_names
from pbem.office.moderator_office import Office, OfficeRound
from pbem.office.player_office import PlayerOffice, PlayerRound
from pbem.office.queue import UNDELIVERED

RETURNED = f"""SELECT address, campaign, count(*) AS number FROM mails WHERE state = 'returned' AND {UNDELIVERED}
  GROUP BY address, campaign ORDER BY max(since), max(number)"""  # noqa: S608
LEFT = "SELECT sender, subject FROM messages WHERE verdict = 'left' ORDER BY came DESC, mark"

MOST_CAMPAIGNS = 4
MOST_LINES = 10
"""Largest number of lines about one round."""

MOST_LEFT = 5
"""Number of ignored mails in a list, unless the user asks for all."""


def round_lines(done: Round, office: Counter) -> Iterator[str]:
    """Yield the lines about a round, at most `MOST_LINES`. Lines about the work come first, then lines about doubts and
    notices. There is always at least one line about doubts and notices, if there are any."""
    lines = [fetched_line(done, office)]
    if done.fetched.words:
        lines.append(in_office_language(office, words("office-forwarded", number=done.fetched.words)))
    if isinstance(done, OfficeRound):
        lines += evenings_lines(done, office)
    if isinstance(done, PlayerRound):
        lines += (in_office_language(office, each) for each in done.filed)
    lines += [sent_line(done, office), *delayed_lines(office)[:1], *held_lines(office)]
    yield from lines
    yield from doubt_lines(office, max(1, MOST_LINES - len(lines)))


def evenings_lines(done: OfficeRound, office: Counter) -> Iterator[str]:
    """Yield lines about the evenings of a round: one for each of the first `MOST_CAMPAIGNS` campaigns in which
    something was done, one that counts the other campaigns, and one for each busy campaign. If none of these is needed,
    one line says that nothing was done."""
    evenings = [(name, evening_sentences(evening)) for name, evening in done.evenings.items()]
    told = [(name, parts) for name, parts in evenings if parts]
    for name, parts in told[:MOST_CAMPAIGNS]:
        yield in_office_language(office, words("office-campaign", campaign=name, done=tuple(parts)))
    if told[MOST_CAMPAIGNS:]:
        yield in_office_language(office, words("office-others", number=len(told) - MOST_CAMPAIGNS))
    busy = office.doubts.busy.items()
    yield from (printable(f"{name}: {fault.sentence(office.settings.language)}") for name, fault in busy)
    if not told and not busy:
        yield in_office_language(office, words("office-nothing"))


def round_data(done: Round, office: Counter) -> dict[str, object]:
    """Return the result of a round as an object for JSON."""
    found: dict[str, object] = {
        "fetched": asdict(done.fetched),
        "sent": asdict(done.sent),
        "delayed": delayed_lines(office, is_all=True),
        "waits": office.doubts.waiting_lines(),
        "notices": office.doubts.notices(),
        "busy": [*office.doubts.busy],
    }
    if isinstance(done, OfficeRound):
        found["campaigns"] = {
            name: {
                "taken": len(each.taken),
                "refused": each.refused,
                "known": each.known,
                "without-letter": each.without_letter,
                "stages": each.adjudicated,
                "reports": each.posted,
                "reminded": each.reminded,
            }
            for name, each in done.evenings.items()
        }
    if isinstance(done, PlayerRound):
        found["filed"] = [each.text(office.settings.language) for each in done.filed]
    return found


def fetched_line(done: Round, office: Counter) -> str:
    found = done.fetched
    counts = {"read": found.read, "letters": found.letters, "left": found.left, "returned": found.returned}
    others = found.read - found.letters - found.left - found.returned
    if others:
        return in_office_language(office, words("office-fetched.others", others=others, **counts))
    return in_office_language(office, words("office-fetched", **counts))


def sent_line(done: Round, office: Counter) -> str:
    sent = done.sent
    return in_office_language(office, words("office-sent", sent=sent.sent, waiting=sent.waiting, failed=sent.failed))


def evening_sentences(evening: Evening) -> list[Words]:
    """Return sentences that tell what was done in an evening."""
    counts = {
        "office-taken": len(evening.taken),
        "office-refused": evening.refused,
        "office-known": evening.known,
        "office-without-letter": evening.without_letter,
        "office-posted": evening.posted,
    }
    found = [words(key, number=number) for key, number in counts.items() if number]
    if evening.adjudicated:
        found.insert(len(found) - bool(evening.posted), words("office-went", reached=tuple(evening.adjudicated)))
    if evening.reminded:
        found.append(words("office-reminded", players=tuple(evening.reminded)))
    return found


def delayed_lines(office: Counter, is_all: bool = False) -> list[str]:
    """Return a line for each daily limit that makes mails wait. A line names the addresses for which most mails wait,
    or all addresses if `is_all` is true. Limits on mails that anybody can cause come last."""
    found = []
    for most, held in office.daily_limits.held_back().items():
        named = held.addresses.most_common(None if is_all else MOST_CAMPAIGNS)
        readers = [f"{address} ({number})" for address, number in named]
        readers += ["…"] if len(named) < len(held.addresses) else []
        told = words("office-delayed", most=most, readers=tuple(readers), until=held.until)
        found.append(in_office_language(office, told))
    return found


def held_lines(office: Counter) -> Iterator[str]:
    """Yield a line with the number of mails that must be released by a person, and a line with the number of
    undelivered mails. A line is left out if the number is 0."""
    if held := office.store.count("SELECT count(*) FROM mails WHERE state = 'held'"):
        yield in_office_language(office, words("office-held", number=held))
    if count := office.store.count(f"SELECT count(*) FROM mails WHERE {UNDELIVERED}"):  # noqa: S608
        yield in_office_language(office, words("office-undelivered", number=count))


def doubt_lines(office: Counter, most: int) -> Iterator[str]:
    """Yield at most `most` lines about doubts, and then about notices. If there are more, the last line gives the
    number of those left out."""
    found = [words("office-waits", what=each) for each in office.doubts.waiting_lines()]
    found += [words("office-notice", what=each) for each in office.doubts.notices()]
    told = found if len(found) <= most else found[: most - 1]
    yield from (in_office_language(office, each) for each in told)
    if len(found) > len(told):
        yield in_office_language(office, words("office-waits-more", number=len(found) - len(told)))


def standing_data(office: Counter) -> dict[str, object]:
    """Return the state of an office as data for JSON: counts of mails and letters, doubts, notices, and what each
    campaign waits for."""
    store = office.store
    states = {str(row[0]): int(row[1]) for row in store.rows("SELECT state, count(*) FROM mails GROUP BY state")}
    return {
        "last": store.fact("last"),
        "mails": states,
        "letters": {
            str(row[0]): int(row[1]) for row in store.rows("SELECT state, count(*) FROM letters GROUP BY state")
        },
        "delayed": delayed_lines(office, is_all=True),
        "returned": [dict(row) for row in store.rows(RETURNED)],
        "left": [dict(row) for row in store.rows(LEFT)],
        "waits": office.doubts.waiting_lines(),
        "notices": office.doubts.notices(),
        "notify": [office.notifier.last_test(who).text(office.settings.language) for who in office.settings.notify],
        "awaited": [each.text(office.settings.language) for each in awaited_lines(office)],
    }


def awaited_lines(office: Counter) -> list[Words]:
    """Return lines that tell for whom, or for what, each campaign of an office waits."""
    if isinstance(office, PlayerOffice):
        return office.awaited_lines()
    if not isinstance(office, Office):
        return []
    return [each for served in office.served_campaigns().values() for each in awaited_by(served.public)]


def awaited_by(public: PublicState) -> list[Words]:
    """Return a list with one line that tells what a campaign waits for: free seats, players' orders, or its moderator.
    The list is empty if the campaign is closed. It is also empty if the game has not begun although no seat is free."""
    name = public.settings.campaign
    if public.phase == "joining":
        free = tuple(seat for seat in public.settings.seats if seat not in public.players)
        return [words("office-free", campaign=name, seats=free)] if free else []
    if public.phase == "over":
        return [words("office-over", campaign=name)]
    if public.phase == "closed" or not public.next:
        return []
    owing = players_waited_for(public)
    until = local_moment(public.deadline, public.settings.clock) if public.deadline else ""
    stage = public.next.stage
    if not owing:
        return [words("office-all-in", campaign=name, stage=stage)]
    return [words("office-owing", campaign=name, stage=stage, players=owing, until=until)]


def standing_lines(office: Counter, is_all: bool = False) -> Iterator[str]:
    """Yield the lines about the state of an office. They name all ignored mails if `is_all` is true, else only the
    newest."""
    last = office.store.fact("last")
    yield in_office_language(office, words("office-last", moment=last) if last else words("office-never"))
    rows = office.store.rows("SELECT state, count(*) FROM mails GROUP BY state")
    states = {str(row[0]): int(row[1]) for row in rows}
    counts = {"sent": states.get("sent", 0), "waiting": states.get("queued", 0), "failed": states.get("failed", 0)}
    yield in_office_language(office, words("office-sent", **counts))
    yield from delayed_lines(office, is_all)
    yield from held_lines(office)
    yield from (in_office_language(office, each) for each in awaited_lines(office))
    for who in office.settings.notify:
        yield in_office_language(office, office.notifier.last_test(who))
    for row in office.store.rows(RETURNED):
        yield in_office_language(office, words("office-returned", **dict(row)))
    left = office.store.rows(LEFT)
    shown = left if is_all else left[:MOST_LEFT]
    for row in shown:
        sender, subject = mail_names(row["sender"], row["subject"])
        yield in_office_language(office, words("office-left", sender=sender, subject=subject))
    if len(left) > len(shown):
        yield in_office_language(office, words("office-left-more", number=len(left) - len(shown)))
    yield from doubt_lines(office, len(office.doubts.waiting_lines()) + len(office.doubts.notices()))


def in_office_language(office: Counter, sentence: Words) -> str:
    return printable(sentence.text(office.settings.language))
