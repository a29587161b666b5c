"""Letters that a moderator takes and answers, and orders that the moderator gives in place of a player."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.campaign.campaign import Campaign
from pbem.campaign.ledger.public_state import BASIS
from pbem.campaign.letters.arrivals import Tray
from pbem.campaign.letters.arrived import LetterAnswer, Reply
from pbem.campaign.play import adjudicating
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.play.rulings import known_player, need_open, need_running
from pbem.faults.wrong import Words, cut, printable, words, words_in_language, wrong
from pbem.moderator.mails import check_templates_of
from pbem.moderator.open_seats import answer_askers, settle_seats
from pbem.moderator.receipts import RoundOfReceipts, write_receipt
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letters import Letter, read_letter, sign_letter, write_letter
from pbem.post.boxes import arrival_of
from pbem.post.mailbox import RawMessage
from pbem.post.sheets import SentSheets
from pbem.seal.canonical import Tree

MOST_LEFT = 5
"""Largest number of mails without a letter in the list that is printed."""

STATUSES = {
    "final": "answer-final",
    "draft": "answer-draft",
    "partial": "answer-partial",
    "known": "answer-known",
    "refused": "answer-refused",
    "refused before": "answer-refused-before",
    "asked": "answer-asked",
    "declined": "answer-declined",
}
"""Dict from the status of a receipt to the key of its wording."""


def accept(campaign: Campaign, messages: Iterable[RawMessage]) -> Tray:
    """Take the letters in mails, answer them, and return the tray. Raises `Refused` before any letter is taken if the
    campaign is closed or its own templates are broken."""
    need_open(campaign)
    check_templates_of(campaign)
    return tray_of(campaign, messages)


def tray_of(campaign: Campaign, messages: Iterable[RawMessage]) -> Tray:
    """Take the letters in mails, answer them, and return the tray. Also write to people who have lost their seat, and
    to those who have asked for a seat that another person got."""
    # The first to be answered are people whom a killed command left without an answer, because their letters may be in
    # these mails again.
    answer_askers(campaign)
    receipts = RoundOfReceipts(campaign)
    tray = Tray(campaign, receipts.write)
    sheets = SentSheets(campaign.folder.outbox)
    for message in messages:
        tray.take(arrival_of(message, campaign.settings.campaign, sheets))
    tray.answer_all()
    # A letter can give its writer's seat to a bot, or an open seat to its writer.
    settle_seats(campaign)
    receipts.renew()
    return tray


def tray_lines(tray: Tray, in_full: bool, language: str) -> list[str]:
    """Return lines about the letters and mails of a tray. If `in_full` is false, only the code and the place of a fault
    are given, and letters that were refused before are left out."""
    found = []
    for answer in tray.answers:
        found += [answer_line(answer.where, answer.receipt, in_full, language), *(f"  {note}" for note in answer.notes)]
    for each in tray.passed:
        seat = printable(each.player) or words("answer-somebody")
        passed = words("accept-passed", file=each.where, line=each.line, seat=seat, why=each.why)
        found.append(passed.text(language))
    found += [cut.fault.message_line(cut.where, language) for cut in tray.unfinished]
    if tray.seen:
        found.append(words("accept-seen", number=tray.seen).text(language))
    found += [answer_line(answer.where, answer.receipt, in_full, language) for answer in tray.refused if in_full]
    if count := len(tray.left):
        named = tuple(f"{each.where} ({', '.join(each.codes) or 'E-TEXT-NONE'})" for each in cut(tray.left, MOST_LEFT))
        more = words("answer-more", number=count - len(named)) if count > len(named) else ""
        found.append(words("accept-left", number=count, files=named, more=more).text(language))
    return [printable(each) for each in found]


def tray_data(tray: Tray, in_full: bool, language: str) -> dict[str, object]:
    """Return the letters and mails of a tray as data for JSON. If `in_full` is false, only the code and the place of
    each fault are given, and letters that were refused before are left out."""

    def data_of(answer: LetterAnswer) -> dict[str, object]:
        data = answer_data(answer.where, answer.receipt, in_full, language)
        return {**data, "notes": list(answer.notes), "files": [str(path) for path in answer.files]}

    return {
        "letters": [data_of(each) for each in tray.answers],
        "passed over": [
            {"where": each.where, "line": each.line, "player": each.player, "why": each.why.text(language)}
            for each in tray.passed
        ],
        "not read to the end": [{"file": cut.where, **cut.fault.data(language)} for cut in tray.unfinished],
        "seen before": tray.seen,
        **({"refused before": [data_of(each) for each in tray.refused]} if in_full else {}),
        "left alone": [{"where": each.where, "from": each.sender, "codes": list(each.codes)} for each in tray.left],
    }


def answer_line(where: str, receipt: Receipt, in_full: bool, language: str) -> str:
    """Return a line with the answer to a letter. `where` is the file or mail that has the letter. If `in_full` is
    false, only the code and the place of a fault are given."""
    held, letter = receipt.verdict.held, receipt.verdict.letter
    what: str | Words = receipt.player or words("answer-somebody")
    if held and letter:
        what = words("answer-letter", kind=letter.kind, seat=receipt.player or letter.sender, seq=letter.seq)
    entry = words("status-letter", entry=receipt.entry) if receipt.entry else words("answer-no-entry")
    answered = words("answer", file=where, what=what, status=words(STATUSES[receipt.status]), entry=entry)
    missing = words("answer-missing", powers=tuple(receipt.verdict.missing)) if receipt.verdict.missing else ""
    return printable(
        "".join(words_in_language(each, language) for each in (answered, missing, why_of(receipt, in_full)))
    )


def why_of(receipt: Receipt, in_full: bool) -> Words | str:
    """Return the main fault of a letter, and the number of its other faults. A fault that refuses the letter comes
    before a warning. Return an empty text if there is no fault. If `in_full` is false, only the code and the place of
    the fault are given."""
    # A letter may have a warning that comes before the fault for which it is refused.
    faults = sorted(receipt.verdict.faults, key=lambda fault: fault.is_warning)
    if not faults:
        return ""
    code = f"{faults[0].place} {faults[0].code}".lstrip(": ")
    more = words("answer-more", number=len(faults) - 1) if len(faults) > 1 else ""
    return words("answer-fault.said" if in_full else "answer-fault", code=code, said=faults[0].message, more=more)


def answer_data(where: str, receipt: Receipt, in_full: bool, language: str) -> dict[str, object]:
    """Return the answer to a letter as data for JSON. `where` is the file or mail that has the letter. If `in_full` is
    false, only the code and the place of a fault are given."""
    faults = [{"file": where, **fault.data(language)} for fault in receipt.verdict.faults]
    open_keys = ("file", "line", "column", "code")
    return {
        "where": where,
        "player": receipt.player,
        "letter": receipt.letter,
        "entry": receipt.entry,
        "status": receipt.status,
        "missing": list(receipt.verdict.missing),
        "faults": faults if in_full else [{key: fault[key] for key in open_keys} for fault in faults],
    }


def act(campaign: Campaign, player: str, orders: RawMessage, why: str) -> Receipt:
    """Enter orders that the moderator gives in place of a player, with the reason `why`, and return the receipt for the
    moderator. If the command was interrupted and is run again, nothing is entered twice."""
    check_templates_of(campaign)
    player = known_player(campaign, player)
    done = campaign.entry_done("letter")
    letter = campaign.held_letter(done).letter if done else letter_in_place(campaign, player, orders)
    receipt = adjudicating.take_letter(campaign, letter, acted=why)
    if receipt.status != "refused":
        write_receipt(campaign, Reply(receipt))
    return adjudicating.receipt_without_words(campaign, receipt)


def letter_in_place(campaign: Campaign, player: str, orders: RawMessage) -> Letter:
    """Return a letter of orders that the moderator signs on behalf of a player. It is for the stage and the basis that
    `orders` names. A stage or basis that `orders` does not name is the present one."""
    need_running(campaign)
    public = campaign.public
    assert public.next is not None
    head: dict[str, str | int] = {
        "kind": "orders",
        "campaign": public.settings.campaign,
        "from": player,
        "stage": public.next.stage,
        "basis": public.basis[:BASIS],
        "seq": public.seqs.get(player, 0) + 1,
    }
    written, body = orders_in(orders)
    head |= {key: text for key in ("stage", "basis") if isinstance(text := written.get(key), str)}
    return read_letter(sign_letter(write_letter(head, body), campaign.key).encode(), orders.where)


def orders_in(file: RawMessage) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """Parse a letter or an order file. Return its whole content, and its orders in the form that the body of a letter
    has. Raises `Refused` if the file has no orders."""
    found = bare(read_yaml(file.data, file.where))
    body = found["body"] if isinstance(found, dict) and "body" in found else found
    if not isinstance(found, dict) or not isinstance(body, dict) or not isinstance(body.get("orders"), dict):
        raise Refused(file.where, [wrong("E-FORM-ORDERS")])
    return found, {"orders": body["orders"]}
