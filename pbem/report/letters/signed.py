"""Signed letters of the moderator for programs: reports, receipts, invitations, offers of agreements, and rulings about
lost seats.

Each is made from the same data as the text for people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.campaign.disk.vault import FormerAddress
from pbem.campaign.ledger.records import SubstituteRecord
from pbem.campaign.players.standing import SEAT_LOST
from pbem.campaign.settings import MODERATOR
from pbem.paper.documents.characters import visible_text
from pbem.paper.documents.writing import Value
from pbem.paper.letters import file_digest, write_signed
from pbem.report.language.templates import TemplateData
from pbem.report.letters.entries import FORMAT
from pbem.report.letters.votes import UNSIGNED
from pbem.seal.keys import PrivateKey

BANK = ("left", "late", "stages", "seconds", "away")
"""Facts about each seat's time in the bank that are told in a signed report."""


def report_letter(data: TemplateData, key: PrivateKey) -> str:
    """Return the signed letter `report`, made from the result of `report_data`. Return an empty text if the game has
    not begun. The number of the letter is that of the last ledger entry that it covers."""
    if not data["stage"]:
        return ""
    head: dict[str, str | int] = {
        "kind": "report",
        "campaign": data["campaign"],
        "from": MODERATOR,
        "stage": data["stage"],
        "basis": data["basis"],
        "seq": data["head"]["entry"],
    }
    return signed_letter(head, report_body(data), key)


def report_body(data: TemplateData) -> dict[str, Value]:
    secrets = data["secrets"]
    body: dict[str, Value] = {
        "format": data["format"],
        "to": data["reader"],
        "language": data["language"],
        "terms": data["terms"],
        "moderator": data["moderator"]["key"],
        "signing": data["conduct"]["signing"],
        "sealing": data["conduct"]["sealing"],
        "version": data["version"],
        "head": data["head"],
        "phase": data["phase"],
        "digest": data["digest"],
        "locked": data["locked"],
        "since": data["since"],
        "players": data["signed_players"],
        "owing": {each["player"]: {"powers": each["powers"], "state": each["state"]} for each in data["owing"]},
        "asked": sections_asked(data),
        "next-seq": data["seq"],
        "hand": secrets["hands"],
        "troops": secrets["troops"],
        "proofs": proofs(data),
        "position": data["known"],
        "remembered": data["remembered"],
    }
    optional: dict[str, Value] = {
        "sheets": digests({"orders.yaml": data["sheet"], "plan.yaml": data["preset"]}),
        "deadline": data["deadline"] and data["deadline"]["utc"],
        "course": data["course"],
        "turned-back": data["turned_back"],
        "key": data["key"],
        "heirloom": data["heirloom"],
        "agreements": data["agreements"],
        "proposals": [
            {key: value for key, value in each.items() if key not in UNSIGNED} | {"until": each["until"]["utc"]}
            for each in data["proposals"]
        ],
        "settled": data["settled"],
        "moved": data["moved"],
        "voting": data["voting"],
        # An end by the rules is already told by the position.
        "ended": data["ended"] if data["ended"] and data["ended"]["how"] != "rules" else {},
        "bank": {seat: {key: each[key] for key in BANK} for seat, each in data["bank"].items()},
        "ahead": secrets["ahead"],
    }
    body |= {key: value for key, value in (optional | reply_address(data)).items() if value}
    if plans := secrets["plans"]:
        words = {key: plans[key] for key in ("letter", "seq", "stage")}
        body["plans"] = words | {"hidden": "yes" if plans["is_hidden"] else "no"}
    return body


def reply_address(data: TemplateData) -> dict[str, Value]:
    """Return the `address` for the reader's answers. Return an empty dict if there is none."""
    address = data["moderator"]["address"]
    return {"address": address} if address else {}


def digests(sheets: Mapping[str, str]) -> dict[str, Value]:
    """Return the SHA-256 of each file that the reader is to fill in. In this way, the letter's signature also covers
    these files. Empty files are left out."""
    return {name: file_digest(text.encode()) for name, text in sheets.items() if text}


def sections_asked(data: TemplateData) -> dict[str, Value]:
    """Return the sections that are asked of each of the reader's powers."""
    found: dict[str, Value] = {}
    for each in data["asked"]:
        before = found.get(each["power"], [])
        assert isinstance(before, list)
        found[each["power"]] = [*before, each["section"]]
    return found


def proofs(data: TemplateData) -> list[Value]:
    """Return the proofs of cards, each once. Verifiers need them in addition to the published hashes."""
    found = {(each["shuffle"], each["position"]): each for each in (*data["proofs"], *data["hand_proofs"])}
    return [{key: each[key] for key in ("card", "name", "shuffle", "position", "salt")} for each in found.values()]


def receipt_letter(data: TemplateData, key: PrivateKey) -> str:
    """Return the signed letter `receipt`, made from the result of `receipt_data`."""
    faults: list[Value] = [
        {name: fault[name] for name in ("code", "line", "column", "message", "rule", "hint") if fault[name]}
        for fault in data["faults"]
    ]
    body: dict[str, Value] = {
        "format": data["format"],
        "to": data["player"],
        "letter": data["letter"],
        "letter-kind": data["letter_kind"],
        "raw": data["raw"],
        "status": data["status"],
        "entry": data["entry"],
        "head": data["head"],
        "missing": data["missing"],
        "understood": data["echo"],
        "sealed": [{"slot": part["slot"], "commitment": part["commitment"]} for part in data["sealed"]],
        "faults": faults,
    }
    head: dict[str, str | int] = {
        "kind": "receipt",
        "campaign": data["campaign"],
        "from": MODERATOR,
        "seq": data["head"]["entry"],
    }
    return signed_letter(head, {name: value for name, value in body.items() if value != ""}, key)


def offer_letter(data: TemplateData, key: PrivateKey) -> str:
    """Return the signed letter `offer`, made from the result of `offers_data`. It contains the letter of the player who
    offers the agreement."""
    head: dict[str, str | int] = {
        "kind": "offer",
        "campaign": data["campaign"],
        "from": MODERATOR,
        "stage": data["stage"],
        "basis": data["basis"],
        "seq": data["entry"],
    }
    body: dict[str, Value] = {
        "format": data["format"],
        "to": data["player"],
        "moderator": data["moderator"]["key"],
        "signing": data["signing"],
        "head": data["head"],
        "next-seq": data["seq"],
        "deadline": data["deadline"] and data["deadline"]["utc"],
        "offered": data["offered"],
    }
    return signed_letter(head, {name: value for name, value in body.items() if value}, key)


def lost_letter(campaign: str, former: FormerAddress, record: SubstituteRecord, key: PrivateKey) -> str:
    """Return the signed letter `ruling`. It tells the former player of a seat that somebody else has the seat now."""
    head: dict[str, str | int] = {"kind": "ruling", "campaign": campaign, "from": MODERATOR, "seq": former.entry}
    body: dict[str, Value] = {"format": FORMAT, "to": former.seat, "ruling": SEAT_LOST, "entry": former.entry}
    said = {"name": record.name, "why": record.why}
    return signed_letter(head, body | {name: value for name, value in said.items() if value}, key)


def invitation_letter(data: TemplateData, key: PrivateKey) -> str:
    """Return the signed letter `invitation`, made from the result of `invitation_data`. It has the terms, and the
    moderator's key. With the key, programs recognise later letters of this moderator."""
    body: dict[str, Value] = {
        "format": data["format"],
        "language": data["language"],
        "terms": data["terms"],
        "seats": {seat: {"powers": each["powers"]} for seat, each in data["seats"].items()},
        "moderator": {"name": data["moderator"]["name"], "key": data["moderator"]["key"]} | reply_address(data),
        "conduct": data["conduct"],
        "clock": data["clock"],
        "secret": data["secret"],
    }
    optional: dict[str, Value] = {
        "sheets": digests({"join.yaml": data["sheet"]}),
        "moderator-plays": data["moderator"]["seat"],
        "open": ("chosen" if data["open"]["choice"] else "first come") if data["open"] else "",
        **{key: data[key] for key in ("files", "position", "seat", "token")},
    }
    body |= {key: value for key, value in optional.items() if value}
    head: dict[str, str | int] = {"kind": "invitation", "campaign": data["campaign"], "from": MODERATOR, "seq": 1}
    return signed_letter(head, body, key)


def signed_letter(head: dict[str, str | int], body: Value, key: PrivateKey) -> str:
    """Return a signed letter of the moderator. Invisible characters in its body are written as numbers."""
    return write_signed(head, writable_value(body), key)


def writable_value(value: Value) -> Value:
    """Return the value with each invisible character written as its number, such as U+200B."""
    match value:
        case str():
            return visible_text(value)
        case Mapping():
            return {key: writable_value(item) for key, item in value.items()}
        case Sequence():
            return [writable_value(item) for item in value]
    return value
