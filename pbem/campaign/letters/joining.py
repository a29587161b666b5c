"""Checks of letters that take seats, change keys, or come from a bot that stands in; and functions that read the body
of a letter."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.ledger.public_state import Player, PublicState, absences_with_bot
from pbem.campaign.ledger.records import JoinRecord, Record
from pbem.campaign.ledger.seats import entered_key, shared_keys
from pbem.campaign.letters.letterbox import HeldLetter, OpenedPart, entry_of, opens, parts_of
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.tokens import offer_meant, token_of
from pbem.campaign.settings import MODERATOR, Settings
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.names import as_quoted, mixed_word, outline, rare_character
from pbem.paper.documents.strict import TRUTHS, Node, Text
from pbem.paper.documents.writing import write
from pbem.paper.letters import Letter, check_signature, has_signed
from pbem.seal.canonical import canonical, utf16_order
from pbem.seal.deal import Slot
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey
from pbem.seal.signature import verify

BoxOpener = Callable[[str], bytes]
"""Function that opens a box sealed to the moderator, or raises `SealFault`."""


class LetterVerdict(Struct):
    """Verdict on a letter: the letter's entry, the faults, and everything else that the receipt tells."""

    faults: list[Wrong] = field(default_factory=list)
    record: Record | None = None
    """Body of the letter's entry in the ledger; None for a letter that is refused, or that was taken before."""
    held: HeldLetter | None = None
    """The letter as the moderator stores it."""
    letter: Letter | None = None
    mark: str = ""
    """Fingerprint by which the ledger knows the letter."""
    known: int = 0
    """Entry under which the same letter was taken before; 0 for a new letter."""
    acted: str = ""
    """Reason for which the moderator wrote the letter in the player's place; empty for a letter of the player."""
    bot: str = ""
    """Bot that has written the letter in place of a player who is away; empty for a letter of a person."""
    missing: list[Power] = field(default_factory=list)
    """Powers with decisions that their orders do not answer."""

    def refuse(self, wrong: Wrong, node: Node | None = None) -> None:
        """Add a fault to the verdict. If the fault has no place, it gets the place of `node`. Without `node`, it gets
        the place of the letter."""
        place = None if isinstance(wrong, Fault) else node or self.letter
        self.faults.append(Fault.at(place.line, place.column, wrong) if place else wrong)

    @property
    def is_refused(self) -> bool:
        """True if the verdict has a fault that is more than a warning."""
        return any(not fault.is_warning for fault in self.faults)


def text_of(verdict: LetterVerdict, body: Node, key: str) -> str:
    """Return the text under a key of the body, or an empty text without the key. Another kind of value is noted as a
    fault."""
    node = entry_of(body, key)
    if node is None or isinstance(node, Text):
        return node.value if node else ""
    verdict.refuse(wrong("E-FORM-TEXT.line", key=key), node=node)
    return ""


def truth_of(verdict: LetterVerdict, body: Node, key: str, otherwise: bool) -> bool:
    """Return the value of a yes-or-no key of the body, or `otherwise` if the key is missing. A value that is neither
    yes nor no is noted as a fault and counts as False."""
    text = text_of(verdict, body, key).casefold()
    if text and text not in TRUTHS:
        verdict.refuse(wrong("E-FORM-TRUTH", key=key), node=entry_of(body, key))
    return TRUTHS.get(text, False) if text else otherwise


def refuse_unknown_keys(verdict: LetterVerdict, body: Node, known: tuple[str, ...]) -> None:
    """Note a fault for each key of a body that is not in `known`, or one fault if the body is no mapping."""
    if not isinstance(body, strict.MappingNode):
        verdict.refuse(wrong("E-FORM-MAPPING", what=words("the-body")), node=body)
        return
    for key in body.items:
        if key not in known:
            hint = words("one-of", names=known)
            strange = wrong("E-FORM-KEY", what=words("the-body"), key=as_quoted(key), hint=hint)
            verdict.faults.append(Fault.at(*body.places[key], strange))


def refuse_unknown_keys_of_parts(letter: Letter, verdict: LetterVerdict) -> None:
    node = entry_of(letter.body, "sealed")
    for part in node.items.values() if isinstance(node, strict.MappingNode) else ():
        if isinstance(part, strict.MappingNode):
            refuse_unknown_keys(verdict, part, ("commitment", "box"))


_HEX = re.compile("[0-9a-f]{64}")
_SLOT = re.compile("[a-z0-9][a-z0-9-]{0,39}")


class SealedParts(NamedTuple):
    """Sealed parts of a letter: one dict with their commitments, and one with their opened contents, each under the
    parts' names."""

    commitments: dict[str, str]
    opened: dict[str, OpenedPart]
    """Parts that the moderator can open now."""


def sealed_parts(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> SealedParts:
    """Return the sealed parts of a letter, opened with `opener` if they are sealed to the moderator. Faults of parts
    are noted in `verdict`."""
    slots: dict[str, str] = {}
    opened: dict[str, OpenedPart] = {}
    node = entry_of(letter.body, "sealed")
    if node is not None and not isinstance(node, strict.MappingNode):
        verdict.refuse(wrong("E-SEAL-FORM.mapping"), node=node)
    for slot, part in parts_of(letter).items():
        box = part.get("box", "") if isinstance(part, dict) else ""
        commitment = part.get("commitment", "") if isinstance(part, dict) else ""
        if not _SLOT.fullmatch(slot) or not isinstance(commitment, str) or not _HEX.fullmatch(commitment):
            verdict.refuse(wrong("E-SEAL-FORM.damaged", slot=as_quoted(slot)), node=node)
            continue
        slots[slot] = commitment
        if state.public.settings.conduct.sealing == "reveal":
            if box:
                verdict.refuse(wrong("E-SEAL-BOX"), node=node)
            continue
        try:
            opened[slot] = salt_and_content(opener(str(box)))
        except SealFault as fault:
            shut = words("sealed-and-shut", slot=slot)
            verdict.refuse(replace(fault.wrong, message=shut, hint=words("seal-to-moderator")), node=node)
            continue
        except (Refused, ValueError):
            verdict.refuse(wrong("E-SEAL-FORM.unread", slot=slot), node=node)
            continue
        if not opens(opened[slot], commitment, Slot(state.name, letter.stage, letter.sender, slot)):
            verdict.refuse(wrong("E-SEAL-COMMITMENT", slot=slot), node=node)
    return SealedParts(slots, opened)


def salt_and_content(plain: bytes) -> OpenedPart:
    """Return the salt and content of an opened box. Raises `Refused` or `ValueError` for anything else."""
    tree: object = strict.bare(strict.read_yaml(plain, "sealed part"))
    if not isinstance(tree, dict) or set(tree) != {"salt", "body"} or not isinstance(tree["salt"], str):
        raise ValueError("a sealed part has a salt and a body")
    return OpenedPart(tree["salt"], tree["body"])


PROOF = "key-proof"
"""Kind of the text that a new key signs. No letter has this kind, so that the signature fits no letter."""


PROVEN = 2
"""First protocol in which a letter that names a new key proves that its writer has that key."""


def proof_of_key(campaign: str, seat: str, seq: int, old: PublicKey) -> bytes:
    """Return the bytes that a new key signs when it replaces the seat's key `old` (docs/protocol.md). `seq` is the
    number of the letter that names the new key."""
    words = {"pbem": "1", "kind": PROOF, "campaign": campaign, "from": seat, "seq": str(seq)}
    # The old key is written without its comment, which is no part of the key and may differ from file to file.
    return canonical({**words, "old": PublicKey(old.raw).text})


def must_prove(public: PublicState) -> bool:
    """True if a change of key needs a proof. Older campaigns do not need it."""
    return public.protocol >= PROVEN


def check_possession(public: PublicState, letter: Letter, key: PublicKey) -> None:
    """Check that the letter's `proof` is a signature by the new key `key`. Raises `BadSignature` if it is wrong. A
    missing proof is allowed in older campaigns (`must_prove`)."""
    node = entry_of(letter.body, "proof")
    proof = node.value if isinstance(node, Text) else ""
    if not proof and not must_prove(public):
        return
    old = PublicKey.parse(public.players[letter.sender].key)
    verify(key, proof_of_key(letter.campaign, letter.sender, letter.seq, old), proof)


def sharing_warnings(public: PublicState, seat: str, key: str) -> list[Wrong]:
    """Return a warning if another seat or the moderator has this key already."""
    after = {**public.players, seat: Player(key, "", "")}
    for shared in shared_keys(public, after):
        if seat in shared.players:
            others = tuple(other for other in shared.players if other != seat)
            if shared.is_moderators:
                return [wrong("W-KEY-SHARED.moderator", seat=seat)]
            return [wrong("W-KEY-SHARED", seat=seat, others=others)]
    return []


LONGEST_NAME = 80
_DIGITS = re.compile(r"[\s#._()-]*\d[\s\d#._()-]*")
"""Pattern of a name that reads like the number of a line in a list."""
NOBODYS = (MODERATOR, "all", "observer", "everybody")
"""Names that no player may have."""
ROLES = (
    *("moderat", "moderad", "модерат", "μοντερατ", "referee", "umpire", "gamemaster"),
    *("spielleit", "spelleid", "schiedsricht", "scheidsrecht", "arbitr"),
)
"""Beginnings of words for moderators, of any gender and number, in languages of players."""


def judge_join(state: SecretState, letter: Letter, verdict: LetterVerdict, is_new: bool) -> None:
    """Judge a letter that takes a seat. `is_new` is false if the ledger has the letter already. Then the player's name
    is only checked for its length."""
    public = state.public
    seats = public.settings.seats
    if found := public.players.get(letter.sender):
        # Only the signature shows whose letter it is: anybody can copy the key.
        is_own = bool(found.key and letter.signature) and has_signed(PublicKey.parse(found.key), letter)
        verdict.refuse(wrong("E-JOIN-TAKEN.own" if is_own else "E-JOIN-TAKEN", seat=letter.sender))
        if is_own:
            return
    elif letter.sender not in seats:
        verdict.refuse(wrong("E-JOIN-SEAT.letter", seat=as_quoted(letter.sender), seats=tuple(seats)))
    elif public.phase != "joining":
        verdict.refuse(wrong("E-JOIN-LATE"))
    judge_newcomer(state, letter, verdict, is_new)


def judge_newcomer(state: SecretState, letter: Letter, verdict: LetterVerdict, is_new: bool = True) -> None:
    """Judge a letter that takes a seat, without checking that the seat is free. A verdict without faults gets the
    letter's entry. `is_new` is false if the ledger has the letter already."""
    public = state.public
    body = letter.body
    seats = public.settings.seats
    key, entropy = text_of(verdict, body, "key"), text_of(verdict, body, "entropy")
    name = text_of(verdict, body, "name")
    language = text_of(verdict, body, "language") or (seats[letter.sender].language if letter.sender in seats else "en")
    refuse_unknown_keys(verdict, body, ("key", "entropy", "name", "language", "deal", "token"))
    check_invited(state, letter, verdict)
    # Programs up to 0.2 accepted names that this program refuses, and their ledgers must still verify.
    is_free = is_new and letter.sender in seats and name != seats[letter.sender].name
    others = names_not_free(public.settings, letter.sender, public.players)
    if fault := wrong_with_name(name, others) if is_free else length_fault(name):
        verdict.refuse(fault, node=entry_of(body, "name"))
    if fault := wrong_with_language(language):
        verdict.refuse(fault, node=entry_of(body, "language"))
    if not entropy:
        verdict.refuse(wrong("E-JOIN-ENTROPY"), node=entry_of(body, "entropy"))
    if not key and must_have_key(state, letter.sender):
        verdict.refuse(wrong("E-JOIN-KEY", seat=letter.sender), node=entry_of(body, "key"))
    if key or letter.signature or public.settings.conduct.signing == "on":
        check_own_key(letter, key, verdict)
    if not verdict.is_refused:
        settings = public.settings
        told = () if settings.is_masked else (entry_text(letter), name, language)
        key = entered_key(settings, key)
        verdict.record = JoinRecord(letter.sender, key, entropy_of(entropy), letter.seq, verdict.mark, *told)
        verdict.held = HeldLetter(letter.text)
        verdict.faults += sharing_warnings(public, letter.sender, key)


def length_fault(name: str) -> Wrong | None:
    """Return a fault if a name is longer than `LONGEST_NAME`, or else None."""
    return wrong("E-JOIN-NAME", most=LONGEST_NAME) if len(name) > LONGEST_NAME else None


def wrong_with_name(name: str, others: Iterable[str]) -> Wrong | None:
    """Return the fault of a player's name, or None if the name has none. A name must be easy to read, and at most
    `LONGEST_NAME` long. It must not look like a number, like a word for moderators, or like a name in `others`."""
    if fault := length_fault(name):
        return fault
    if "\n" in name:
        return wrong("E-JOIN-NAME.lines")
    if rare := rare_character(name):
        return wrong("E-JOIN-NAME.rare", letter=as_quoted(rare))
    if _DIGITS.fullmatch(name):
        return wrong("E-JOIN-NAME.digits")
    if word := mixed_word(name):
        return wrong("E-JOIN-NAME.mixed", word=as_quoted(word))
    seen = outline(name)
    alike = next((other for other in others if name and outline(other) == seen), role_in(name))
    return wrong("E-JOIN-NAME.alike", other=as_quoted(alike)) if alike else None


def role_in(name: str) -> str:
    """Return `moderator` if a player's name contains a word for moderators. Return an empty text if it does not."""
    parts = re.findall(r"\w+", name)
    behind = [outline("".join(parts[at:])) for at in range(len(parts))]
    return MODERATOR if any(each.startswith(outline(role)) for each in behind for role in ROLES) else ""


def wrong_with_language(language: str) -> Wrong | None:
    """Return a fault if a language is not two small letters, else None."""
    is_language = re.fullmatch("[a-z]{2}", language)
    return None if is_language else wrong("E-JOIN-LANGUAGE", language=as_quoted(language))


def names_not_free(settings: Settings, seat: str, players: Mapping[str, Player]) -> tuple[str, ...]:
    """Return all names that the player of this seat may not take."""
    host = () if settings.moderator.seat == seat else (settings.moderator.name,)
    seats = {other: each.name for other, each in settings.seats.items() if other != seat}
    people = (player.name for other, player in players.items() if other != seat)
    return tuple(name for name in (*NOBODYS, *host, *seats, *seats.values(), *people) if name)


def must_have_key(state: SecretState, seat: str) -> bool:
    """True if the player of a seat needs a key, because reports to the seat are sealed. Never true in older
    campaigns."""
    settings = state.public.settings
    return state.public.protocol >= 2 and seat in settings.seats and settings.seats[seat].reports == "sealed"


def check_invited(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """Note a fault unless a letter repeats the published commitment to the secret of the deal, and has a token of its
    seat."""
    if (deal := text_of(verdict, letter.body, "deal")) != state.public.secret:
        # Mail programs may put blanks behind the first of the secret's two lines.
        why = "E-JOIN-DEAL.blanks" if deal.replace(" ", "") == state.public.secret else "E-JOIN-DEAL"
        verdict.refuse(wrong(why), node=entry_of(letter.body, "deal"))
    seat, token = letter.sender, text_of(verdict, letter.body, "token")
    is_invited = token == token_of(state, seat) or bool(offer_meant(state, seat, token))
    if seat in state.public.settings.seats and not is_invited:
        verdict.refuse(wrong("E-JOIN-TOKEN.letter"), node=entry_of(letter.body, "token"))


def check_own_key(letter: Letter, key: str, verdict: LetterVerdict) -> None:
    """Note a fault unless a letter is signed with `key`, the key that it names."""
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.wrong, node=entry_of(letter.body, "key"))


def entry_text(letter: Letter) -> str:
    """Return the text of a letter as entries store it, without line breaks that the mail made."""
    tree = {**letter.tree, "signature": letter.signature} if letter.signature else letter.tree
    return write({key: tree[key] for key in utf16_order(tree)})


def entropy_of(text: str) -> str:
    """Return a player's random text as 64 hexadecimal digits. A text of another form is replaced by its SHA-256."""
    return text if _HEX.fullmatch(text) else hashlib.sha256(text.encode()).hexdigest()


KINDS = ("orders", "reveal")
"""Kinds of letters that a bot writes when it stands in for an absent player."""


def bot_of(public: PublicState, letter: Letter) -> str:
    """Return the bot that has signed a letter in place of an absent player; empty if no bot has signed."""
    own = public.players[letter.sender].key
    others = [away for away in public.absences if away.player == letter.sender and away.bot and away.key != own]
    return next((away.bot for away in others if letter.signature and has_signed(PublicKey.parse(away.key), letter)), "")


def check_bot(public: PublicState, letter: Letter, verdict: LetterVerdict) -> None:
    """Note a fault if a bot that stands in for a player may not send this letter. The bot may send orders if the player
    has sent none, and may reveal orders that the bot itself has sealed."""
    if letter.kind not in KINDS:
        verdict.refuse(wrong("E-LETTER-KIND.letter", kind=letter.kind, kinds=KINDS))
        return
    pending = public.pending.get(letter.sender)
    if letter.kind == "orders":
        is_due = pending is None and bool(absences_with_bot(public, letter.sender))
    else:
        is_due = pending is not None and pending.entry == public.by_bots.get(letter.sender)
    if not is_due:
        verdict.refuse(wrong("E-LETTER-BOT", seat=letter.sender))
