"""Judges of letters: one function for each kind of letter. Each puts the letter's entry or its faults into a verdict.
A verdict contains nothing that the writer may not know."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pbem.campaign.ledger.entry_checks import bot_in, is_awaited, is_by_bot
from pbem.campaign.ledger.public_state import AS_WRITTEN, DEALING, MOST_SPARE, PublicState, has_spent
from pbem.campaign.ledger.records import AgreementRecord, KeyChangeRecord, LetterRecord
from pbem.campaign.ledger.seats import entered_key
from pbem.campaign.letters.heads import ExpectedHead, expected_head, head_faults
from pbem.campaign.letters.joining import (
    BoxOpener,
    LetterVerdict,
    bot_of,
    check_bot,
    check_possession,
    entry_text,
    judge_join,
    must_prove,
    refuse_unknown_keys,
    refuse_unknown_keys_of_parts,
    sharing_warnings,
    text_of,
)
from pbem.campaign.letters.judging_orders import judge_orders, judge_plan, judge_reveal
from pbem.campaign.letters.letterbox import HeldLetter, entry_of, letter_to_hold, listed_names
from pbem.campaign.letters.proposing import READERS, is_of_bot
from pbem.campaign.letters.provable import MESSAGE, ShownMessage, can_be_proved
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.settings import MODERATOR
from pbem.engine.table import Table
from pbem.faults.wrong import printable, wrong
from pbem.paper.agreements import BindingTerms, read_binding_terms
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Text
from pbem.paper.letters import Letter, check_signature
from pbem.seal.canonical import Tree, canonical
from pbem.seal.deal import new_salt
from pbem.seal.faults import BadSignature, SealFault
from pbem.seal.keys import PublicKey

MOST_CHARACTERS = 20_000
"""Most characters of a message or an agreement. There is a limit because the reports of all its readers contain the
text."""

ACTED = ("orders", "reveal", "plan")
"""Kinds of letters that a moderator may write in a player's place."""


def judge(state: SecretState, letter: Letter, opener: BoxOpener, acted: str = "", is_new: bool = True) -> LetterVerdict:
    """Return the verdict on a letter. `acted` is the moderator's reason to write the letter in the player's place; it
    is empty for the player's own letter. If `is_new` is false, the ledger has the letter already. Checks that earlier
    programs did not make are then left out."""
    verdict, public = LetterVerdict(acted=acted, letter=letter), state.public
    if judge_without_content(state, letter, verdict):
        return verdict
    has_seat = letter.sender in public.players
    verdict.bot = bot_of(public, letter) if has_seat and not acted else ""
    is_of_seat = has_seat and letter.kind != "join" and not letter.missing_keys
    if is_of_seat:
        # The signature is checked first. If anybody may have written the letter, other faults of it need not be told.
        check_signer(state, letter, verdict)
        if verdict.is_refused:
            return verdict
    for fault in head_faults(letter, expected_head(public, letter, verdict.bot, is_new)):
        verdict.refuse(fault)
    if letter.kind == "join" and not letter.missing_keys:
        judge_join(state, letter, verdict, is_new)
    if is_of_seat:
        # A seat must not be able to fill the ledger so that the others cannot play on.
        if not verdict.acted and has_spent(state.public, letter.sender, letter.kind):
            verdict.refuse(wrong("E-LETTER-MANY", seat=letter.sender, most=MOST_SPARE))
        if is_new:
            # Programs up to 0.2 ignored unknown keys of parts, and their ledgers must still verify.
            refuse_unknown_keys_of_parts(letter, verdict)
        if not verdict.is_refused:
            # Orders are judged last, and only in a letter without other faults. Their faults reveal facts that the
            # player knows of the position, and a receipt tells them in plain words.
            JUDGES[letter.kind](state, letter, verdict, opener)
        if not verdict.is_refused:
            check_owed(state.public, letter, verdict)
    return verdict


def judge_without_content(state: SecretState, letter: Letter, verdict: LetterVerdict) -> bool:
    """Judge a letter without looking at its content. Refuse it if it is for another campaign, or if the campaign is
    closed. Recognise a copy of a letter that came before. Return True if this settles the verdict."""
    public = state.public
    if letter.campaign != state.name:
        for fault in head_faults(letter, ExpectedHead(state.name)):
            verdict.refuse(fault)
        return True
    # The mark is looked up before phase, key and number are judged, because these change. A copy has no effect at any
    # time (docs/protocol.md).
    verdict.mark = state.mark(letter)
    if known := public.letters.get(verdict.mark):
        verdict.known = known
        check_copy(state, letter, verdict)
    elif public.phase == "closed":
        verdict.refuse(wrong("E-CAMPAIGN-PHASE"))
    elif letter.is_as_written and public.protocol < AS_WRITTEN:
        verdict.refuse(wrong("E-LETTER-WRITTEN.protocol"))
    else:
        return False
    return True


def check_owed(public: PublicState, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse a bot's letter that the bot does not owe. Also refuse every proposal, vote or change of key by a bot."""
    record = verdict.record
    is_more = isinstance(record, LetterRecord) and is_by_bot(public, record) and not is_awaited(public, record)
    is_by_bot_alone = is_of_bot(public, letter, verdict)
    # Otherwise somebody with the bot's key could let the bot choose again.
    if is_more or is_by_bot_alone or (isinstance(record, KeyChangeRecord) and bot_in(public, letter.sender)):
        verdict.refuse(wrong("E-LETTER-BOT.owed", seat=letter.sender))


def check_copy(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse a copy of plans or orders that are no longer valid, because the game was turned back or the seat has a new
    player. In this case set the verdict's `known` to 0, as for a letter that never came before."""
    public = state.public
    is_for_now = public.next is not None and letter.kind == "orders" and letter.stage == public.next.stage
    is_plan_in_force = any(force.entry == verdict.known for force in state.plans.values())
    is_lost_plan = letter.kind == "plan" and not is_plan_in_force
    if not (is_for_now or is_lost_plan):
        return
    since = public.players[letter.sender].since
    if verdict.known < since:
        verdict.refuse(wrong("E-LETTER-OLD.seat", entry=since))
        verdict.known = 0
    elif verdict.known < public.turned_back:
        newer = public.seqs[letter.sender] + 1
        verdict.refuse(wrong("E-LETTER-OLD.back", entry=public.turned_back, seq=newer))
        verdict.known = 0


def check_signer(state: SecretState, letter: Letter, verdict: LetterVerdict) -> None:
    """Note a fault if a letter is not signed by its player, or by the moderator in the player's place. If the campaign
    does not demand signatures, a seat without a key may send unsigned letters."""
    if verdict.bot:
        check_bot(state.public, letter, verdict)
        return
    key = state.public.moderator if verdict.acted else state.public.players[letter.sender].key
    if not letter.signature and not key and state.public.settings.conduct.signing == "off":
        return
    if verdict.acted and letter.kind not in ACTED:
        verdict.refuse(wrong("E-ACT-KIND", kind=letter.kind, kinds=ACTED))
        return
    if not key:
        verdict.refuse(wrong("E-LETTER-KEY-UNKNOWN", seat=letter.sender))
        return
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault as fault:
        verdict.refuse(fault.wrong)


def seats_and_players(public: PublicState) -> tuple[str, ...]:
    """Return the seats, each with the public name of its player, if there is one: `louis (Ann)`."""
    return tuple(f"{seat} ({printable(who.name)})" if who.name else seat for seat, who in public.players.items())


def judge_message(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    refuse_unknown_keys(verdict, letter.body, ("to", "text"))
    to, text = text_of(verdict, letter.body, "to"), text_of(verdict, letter.body, "text")
    addressees = (MODERATOR, "all")
    names = listed_names(to)
    for name in names:
        if name not in state.public.players and name not in addressees:
            seats = (*seats_and_players(state.public), *addressees)
            verdict.refuse(wrong("E-MESSAGE-TO", name=as_quoted(name), names=seats), node=letter.body)
    if not names or not text:
        verdict.refuse(wrong("E-MESSAGE-EMPTY"), node=letter.body)
    check_length(text, "text", letter, verdict)
    if not verdict.is_refused:
        verdict.held, slots = letter_to_hold(letter), dict[str, str]()
        if can_be_proved(state.public.settings):
            shown = ShownMessage(0, letter.sender, to, text, new_salt().hex())
            slots = {MESSAGE: state.keyed_fingerprint(shown.commitment(state.name))}
            verdict.held = replace(verdict.held, salt=shown.salt)
        verdict.record = LetterRecord(letter.sender, "message", verdict.mark, "", letter.seq, slots=slots)


def judge_agreement(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    """Judge one party's letter of agreement. The agreement counts once all parties have signed the same words and
    terms."""
    dealing = ("binds", "until") if state.public.protocol >= DEALING else ()
    refuse_unknown_keys(verdict, letter.body, ("with", "words", *dealing))
    partners, text = text_of(verdict, letter.body, "with"), text_of(verdict, letter.body, "words")
    players = sorted({letter.sender, *listed_names(partners)})
    for player in players:
        if player not in state.public.players:
            seats = seats_and_players(state.public)
            verdict.refuse(wrong("E-AGREEMENT-WITH", seat=as_quoted(player), seats=seats), node=letter.body)
    if len(players) < 2 or not text:
        verdict.refuse(wrong("E-AGREEMENT-EMPTY"), node=letter.body)
    check_length(text, "words", letter, verdict)
    bound = terms_in(state.table, letter, verdict)
    if not verdict.is_refused:
        # The keyed hash shows everybody that two letters agree on the same words, but does not show the words. Several
        # blanks count as one (docs/protocol.md).
        said: dict[str, Tree] = {"players": list(players), "words": " ".join(text.split())}
        slots = {"words": state.keyed_fingerprint(canonical(said | bound.tree))}
        verdict.record = LetterRecord(letter.sender, "agreement", verdict.mark, letter.stage, letter.seq, slots=slots)
        verdict.held = letter_to_hold(letter)


def terms_in(table: Table | None, letter: Letter, verdict: LetterVerdict) -> BindingTerms:
    """Return the binding terms of an agreement, and note their faults in the verdict. Return empty terms if they are
    unreadable."""
    assert table is not None
    reader = Reader("letter")
    try:
        return read_binding_terms(reader, letter.body, table.rules, letter.stage)
    except Refused:
        return BindingTerms()
    finally:
        verdict.faults += reader.faults


def check_length(text: str, key: str, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse a text longer than `MOST_CHARACTERS`. `key` is the text's key in the letter's body."""
    if len(text) > MOST_CHARACTERS:
        verdict.refuse(wrong("E-FORM-LONG", count=len(text), most=MOST_CHARACTERS), node=entry_of(letter.body, key))


def completed_agreement(state: SecretState, record: LetterRecord, held: HeldLetter) -> AgreementRecord | None:
    """Return the agreement to which all parties have now agreed, or None if signatures are missing. `record` and `held`
    are the record and the stored form of the newest letter."""
    bound = terms_in(state.table, held.letter, LetterVerdict())
    text = text_of(LetterVerdict(), held.letter.body, "words")
    partners = text_of(LetterVerdict(), held.letter.body, "with")
    players = sorted({record.player, *listed_names(partners)})
    signed = state.public.promises.get(record.slots["words"], {})
    if set(signed) != set(players):
        return None
    return AgreementRecord(tuple(players), text, tuple(sorted(signed.values())), bound.binds, bound.until)


def judge_key_change(state: SecretState, letter: Letter, verdict: LetterVerdict, opener: BoxOpener) -> None:
    """Judge a change of key. The letter must be signed with the old key and, except in older campaigns, have a proof by
    the new key."""
    refuse_unknown_keys(verdict, letter.body, ("key", "proof"))
    key = text_of(verdict, letter.body, "key")
    if not letter.signature:
        verdict.refuse(wrong("E-LETTER-UNSIGNED.key"), node=letter.body)
    node = entry_of(letter.body, "proof")
    try:
        new = PublicKey.parse(key)
        is_left_out = node is None or (isinstance(node, Text) and not node.value)
        if not verdict.is_refused and must_prove(state.public) and is_left_out:
            verdict.refuse(wrong("E-KEY-PROOF"))
        if not verdict.is_refused:
            check_possession(state.public, letter, new)
    except BadSignature as fault:
        verdict.refuse(wrong("E-KEY-PROOF.false", why=fault.message), node=node)
    except SealFault as fault:
        verdict.refuse(fault.wrong, node=entry_of(letter.body, "key") or letter.body)
    if not verdict.is_refused:
        verdict.faults += sharing_warnings(state.public, letter.sender, key)
        settings = state.public.settings
        told = "" if settings.is_masked else entry_text(letter)
        entered = entered_key(settings, key)
        verdict.record = KeyChangeRecord(letter.sender, entered, letter.seq, verdict.mark, told)
        verdict.held = letter_to_hold(letter)


def judge_succession(_: SecretState, letter: Letter, verdict: LetterVerdict, __: BoxOpener) -> None:
    """Refuse a letter that gives the campaign to an heir. Such a letter is sent to the heir, not to the moderator."""
    verdict.refuse(wrong("E-LETTER-HEIR"))


def judge_proposal(state: SecretState, letter: Letter, verdict: LetterVerdict, _: BoxOpener) -> None:
    """Judge a proposal or a vote. If there are no faults, the verdict gets the entry of the letter."""
    record = READERS[letter.kind](state.public, letter, verdict)
    if record and not verdict.is_refused:
        verdict.record, verdict.held = replace(record, mark=verdict.mark), letter_to_hold(letter)


JUDGES: dict[str, Callable[[SecretState, Letter, LetterVerdict, BoxOpener], None]] = {
    "orders": judge_orders,
    "reveal": judge_reveal,
    "message": judge_message,
    "plan": judge_plan,
    "agreement": judge_agreement,
    "key-change": judge_key_change,
    "succession": judge_succession,
    "proposal": judge_proposal,
    "vote": judge_proposal,
}
"""Dict from each kind of letter of a seated player to the function that judges it. `joining.judge_join` judges
joins."""
