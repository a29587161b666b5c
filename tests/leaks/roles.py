"""Values that may differ between twins, each by its name: they commit to the secret, and reveal nothing of it.

Such a value is replaced by its role: `#hash of entry 12#`. Everything else must be the same, byte by byte.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from hashlib import sha256

from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.public_state import BASIS
from pbem.paper.letters import letter_id, read_letter
from pbem.post.outbox import name_for
from pbem.post.outgoing import message_id, name_and_recipient
from pbem.report.formats.escaping import JOINER
from pbem.report.letters.entries import fingerprint
from tests.campaign.simulated import NAME, SimulatedTable
from tests.leaks.artefacts import Artefact, Artefacts, text_of

EXCEPTIONS: dict[str, str] = {
    "hash": "the hash of an entry covers commitments and signatures of all entries before",
    "basis": "the beginning of such a hash, in letters and order sheets",
    "mark": "a letter's fingerprint, keyed with the moderator's secret: nobody can guess letters by it",
    "commitment": "a sealed part, hashed with a salt that its writer chose at random",
    "record": "the commitment to all answers, salted from the deal's root",
    "state": "the commitment to the whole position, salted from the deal's root",
    "dealt": "the cards of a shuffle, each hashed with a salt from the deal's root",
    "key": "a public key, of which everybody is told, tells nothing of what its owner does",
    "fingerprint": "the same",
    "joiner": "posts for a forum have it before letters that could be a smiley, with which a fingerprint can begin",
    "letter": "the fingerprint of a letter, told to its writer alone: it names a basis",
    "raw": "the fingerprint of the bytes in which it came, told to who sent them",
    "sheet": "the fingerprint of a sheet that comes beside it, which is compared itself: it names a basis",
    "signature": "made over all of the above; always as long",
    "box": "sealed with a new key each time; the content is filled up to steps of length",
    "message-id": "made of an entry's number and hash, and of the name of the reader's file: it is made again here",
    "boundary": "made of the message-id in the same mail",
    "raw name": "files in raw/ are named by a keyed fingerprint",
}
"""Every exception, and why it is none."""

BY_KEY = {"mark": "mark", "record": "record", "state": "state", "key": "key", "moderator": "key"}
"""Values of an entry's body, by their keys."""

SIGNATURE = re.compile(r"-----BEGIN SSH SIGNATURE-----(.*?)-----END SSH SIGNATURE-----", re.DOTALL)
BOX = re.compile(r"-----BEGIN AGE ENCRYPTED FILE-----(.*?)-----END AGE ENCRYPTED FILE-----", re.DOTALL)
SHEET = re.compile(rb"(?m)^kind: (?:orders|plan|join)$")
ANSWERED = re.compile(rb"(?m)^In-Reply-To: (<[^>]*>)")
MESSAGE_ID = re.compile(r"(?m)^Message-ID: (<pbem\.[^>@]*\.([0-9a-f]{32})@[^>]*>)")
BY_MOMENT = re.compile(r"(?m)^X-Pbem-Kind: (?!report$|invitation$)([a-z]+)$")
"""Kinds of mails whose message-ids are made of an entry's hash, and of a moment or a letter that they are about."""

PNG = b"\x89PNG"

BREAK = re.compile(r"\\\n\s*")
"""Break within a long word that goes on in the next line."""

DIGITS = re.compile(r"(?<![0-9a-f])[0-9a-f]{24,64}(?![0-9a-f])")


def roles_of(table: SimulatedTable, letters: dict[str, bytes]) -> dict[str, str]:
    """Role of every value that may differ in this campaign; `letters` are those that came in, by name."""
    found: dict[str, str] = {}
    for entry in Ledger(table.root / "ledger", NAME).entries():
        found[entry.hash] = f"hash of {entry.number}"
        found[entry.hash[:BASIS]] = f"basis of {entry.number}"
        for path, key, value in leaves(entry.body):
            if role := role_of(path, key):
                found[value] = f"{role} of {entry.number}{path}"
                if role == "key":
                    found[fingerprint(value)] = f"fingerprint of {entry.number}{path}"
    found |= message_ids(table)
    for name, data in letters.items():
        found[sha256(data).hexdigest()] = f"raw of {name}"
        text = data.partition(b"\n\n")[2]
        letter = letter_id(read_letter(text, "letter"))
        found |= {letter: f"letter of {name}", letter[:BASIS]: f"letter of {name}"}
    return found


def message_ids(table: SimulatedTable) -> dict[str, str]:
    """Role of the message-id of every mail in the outbox, as it follows from what the mail's reader knows."""
    hashes = {entry.number: entry.hash for entry in Ledger(table.root / "ledger", NAME).entries()}
    found: dict[str, str] = {}
    for path in sorted((table.root / "outbox").glob("*/*.eml")):
        number, (known, address) = int(path.parent.name), name_and_recipient(path.read_bytes())
        answered = ANSWERED.search(path.read_bytes())
        facts = (f"{number}", hashes.get(number, ""), path.stem, answered[1].decode() if answered else "")
        made = message_id(known.strip("<>").partition("@")[2], NAME, *filter(None, facts))
        for name in (made, name_for(made, address)):
            found[name.rpartition("@")[0].rpartition(".")[2]] = f"message-id of {number}"
    return found


def role_of(path: str, key: str) -> str:
    """Role of a value of an entry's body, if it may differ."""
    if "/slots/" in path:
        return "commitment"
    if "/dealt/" in path and "/hashes/" in path:
        return "dealt"
    return BY_KEY.get(key, "") if path.count("/") == 1 else ""


def leaves(body: object, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Every text in a body: where it stands, under which key, and itself."""
    match body:
        case dict():
            for key, value in body.items():
                yield from leaves(value, f"{path}/{key}")
        case list():
            for place, value in enumerate(body):
                yield from leaves(value, f"{path}/{place}")
        case str():
            yield path, path.rpartition("/")[2], body


def settled(artefacts: Artefacts, roles: dict[str, str]) -> dict[str, tuple[str, int]]:
    """The artefacts with the name of every exception in its place, and their modes."""
    roles = sheets_among(artefacts) | boundaries_among(artefacts) | roles
    raws = sorted(settled_text(artefact, roles) for name, artefact in artefacts.items() if name.startswith("raw/"))
    named = {name: settled_text(artefact, roles) for name, artefact in artefacts.items() if not name.startswith("raw/")}
    return named | {f"raw/{place}": each for place, each in enumerate(raws)}


def sheets_among(artefacts: Artefacts) -> dict[str, str]:
    """The fingerprint of every sheet, and under which name it comes first."""
    found: dict[str, str] = {}
    for name, artefact in artefacts.items():
        if SHEET.search(artefact.data):
            found.setdefault(sha256(artefact.data).hexdigest(), f"sheet of {name}")
    return found


def boundaries_among(artefacts: Artefacts) -> dict[str, str]:
    """The boundaries of parts in mails, each of which is made of the mail's own message-id."""
    made = (MESSAGE_ID.search(text_of(each)) for each in artefacts.values() if not each.data.startswith(PNG))
    return {sha256(found[1].encode()).hexdigest()[:24]: "boundary" for found in made if found}


def settled_text(artefact: Artefact, roles: dict[str, str]) -> tuple[str, int]:
    """One artefact."""
    if artefact.data.startswith(PNG):
        return text_of(artefact), artefact.mode
    text = BREAK.sub("", text_of(artefact).replace(JOINER, ""))
    if (made := MESSAGE_ID.search(text)) and (kind := BY_MOMENT.search(text)):
        text = text.replace(made[2], f"#message-id of {kind[1]}#")
    text = SIGNATURE.sub(lambda match: f"#signature of {len(''.join(match[1].split()))}#", text)
    text = BOX.sub(lambda match: f"#box of {content_length(match[1])}#", text)
    for value, role in roles.items():
        if not DIGITS.fullmatch(value):
            text = text.replace(value, f"#{role}#")
    return DIGITS.sub(lambda match: f"#{roles[match[0]]}#" if match[0] in roles else match[0], text), artefact.mode


def content_length(code: str) -> int:
    """Length of the sealed content of a box; its header has an ornament of random length."""
    return len(base64.b64decode("".join(code.replace("\\n", "").split())).partition(b"\n--- ")[2])
