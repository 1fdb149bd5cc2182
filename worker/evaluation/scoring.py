"""One ticket's score: what was stored against what should be, and what should not. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import combinations

from pipeline.annotation import AnnotatedTicket, GoldFact, MustNotStore, Trap
from pipeline.catalogue import Catalogue
from pipeline.compare import same_value
from pipeline.kinds import Kind
from pipeline.matching import Paired, Said, Wanted, contradicts, paired, plain
from pipeline.observe import FOR_NOW
from worker.evaluation.runner import Stored


@dataclass(frozen=True, kw_only=True)
class Told:
    """A fact in a report: which key, what it says, and why it is named."""

    key: str
    value: str = field(repr=False)
    why: str = ""

    def document(self) -> dict[str, str]:
        return {"key": self.key, "value": self.value} | ({"why": self.why} if self.why else {})


@dataclass(frozen=True, kw_only=True)
class Score:
    """Counts of one ticket (their names are the rows of `worker.evaluation.totals`), and the facts behind them."""

    ticket: AnnotatedTicket = field(repr=False)
    counts: Counter[str]
    matched: tuple[str, ...] = ()
    """Keys of the gold facts that were found, as the annotation spells them."""
    missed: tuple[Told, ...] = ()
    extra: tuple[Told, ...] = ()
    trapped: tuple[Told, ...] = ()
    stale: tuple[Told, ...] = ()
    stored_secrets: tuple[str, ...] = ()
    """Why each is one; never the secret itself."""


def wanted(ticket: AnnotatedTicket, gold: GoldFact, catalogue: Catalogue) -> Wanted:
    return Wanted(
        key=catalogue.fold(gold.key),
        forms=gold.forms,
        evidence=gold.evidence,
        turn=gold.turn,
        known=ticket.closed_at.date().isoformat(),
        former=gold.supersedes or "",
    )


def score(ticket: AnnotatedTicket, stored: Sequence[Stored], catalogue: Catalogue) -> Score:
    """Scores every live fact of the customer after the ticket. What the ticket did not touch counts only where it is
    right, or where it should be gone."""
    said = [Said(key=_key(one), value=one.value, quotes=one.quotes) for one in stored]
    found = paired(said, [wanted(ticket, gold, catalogue) for gold in ticket.facts])
    left = [n for n, one in enumerate(stored) if one.fresh and n not in found.pairs.values()]
    neutral = _neutral(ticket, stored, said, left, catalogue)
    extra = [n for n in left if n not in neutral]
    trapped = list(_trapped(ticket, stored, catalogue))
    stale = list(_stale(ticket, stored, said, set(found.pairs.values()), catalogue))
    stored_secrets = [secret for secret in ticket.secrets if secret.sensitive and _held(secret, stored)]
    counts: Counter[str] = Counter(
        right=len(found.pairs),
        extra=len(extra),
        missed=len(ticket.facts) - len(found.pairs),
        neutral=len(neutral),
        duplicates=len([n for n in extra if n in found.duplicates]),
        traps=len(ticket.traps),
        trapped=len({told.why for told in trapped}),
        secrets=len({s.why for s in ticket.secrets if s.sensitive}),
        secrets_stored=len({s.why for s in stored_secrets}),
        planted=len([s for s in ticket.secrets if not s.sensitive]),
        planted_stored=len([s for s in ticket.secrets if not s.sensitive and _held(s, stored)]),
        outdated=len([gold for gold in ticket.facts if gold.supersedes]) + len(ticket.must_delete),
        stale=len(stale),
        live=len(stored),
        contradictions=sum(contradicts(a, b) for a, b in combinations(said, 2)),
    )
    for at, n in found.pairs.items():
        counts.update(_quality(ticket, ticket.facts[at], stored[n]))
    counts.update(_evidence(ticket, stored))
    counts.update(
        _updates(ticket, list(zip(stored, said, strict=True)), found.pairs, {t.key for t in stale}, catalogue)
    )
    return Score(
        ticket=ticket,
        counts=counts,
        matched=tuple(gold.key for at, gold in enumerate(ticket.facts) if at in found.pairs),
        missed=tuple(Told(key=g.key, value=g.value) for at, g in enumerate(ticket.facts) if at not in found.pairs),
        extra=tuple(Told(key=stored[n].key, value=stored[n].value, why=_why(n, found)) for n in extra),
        trapped=tuple(trapped),
        stale=tuple(stale),
        stored_secrets=tuple(sorted({secret.why for secret in stored_secrets})),
    )


def _key(one: Stored) -> str:
    return one.key.removesuffix(FOR_NOW)


def _why(n: int, found: Paired) -> str:
    if n in found.duplicates:
        return "duplicate"
    return f"changed: {found.vetoed[n][1]}" if n in found.vetoed else ""


# --- what neither helps nor hurts -------------------------------------------------------------------------------------


def _neutral(
    ticket: AnnotatedTicket, stored: Sequence[Stored], said: Sequence[Said], left: Sequence[int], catalogue: Catalogue
) -> set[int]:
    known = ticket.closed_at.date().isoformat()
    allowed = [Wanted(key=catalogue.fold(n.key), forms=(n.value,), known=known) for n in ticket.neutral_facts]
    found = paired([said[n] for n in left], allowed)
    neutral = {left[s] for s in found.pairs.values()}
    episodes = [n for n in left if stored[n].kind is Kind.EPISODE and n not in neutral]
    return neutral | set(episodes[:1] if ticket.episode_neutral else ())


# --- how well what is right was written -------------------------------------------------------------------------------


def _quality(ticket: AnnotatedTicket, gold: GoldFact, one: Stored) -> Iterator[str]:
    """Names of what is judged and of what is right, each counted once."""
    yield "kind_judged"
    if one.kind in gold.kinds:
        yield "kind_right"
    if gold.valid_until and one.kind is gold.kind:
        yield "expiry_judged"
        if one.expires_at and _last_day(ticket, one.expires_at) == gold.valid_until:
            yield "expiry_right"
    if one.fresh:
        yield "message_judged"
        if any(at == gold.turn for at, _ in one.quotes):
            yield "evidence_turn"


def _evidence(ticket: AnnotatedTicket, stored: Sequence[Stored]) -> Iterator[str]:
    """Of all that the ticket stated, right or not."""
    for one in stored:
        if one.fresh:
            yield "evidence_judged"
            if one.quotes and all(_stands(ticket, at, quote) for at, quote in one.quotes):
                yield "evidence_exact"


def _last_day(ticket: AnnotatedTicket, expires_at: datetime) -> date:
    return (expires_at.astimezone(ticket.closed_at.tzinfo) - timedelta(microseconds=1)).date()


def _stands(ticket: AnnotatedTicket, at: int, quote: str) -> bool:
    return 0 <= at < len(ticket.messages) and bool(quote) and quote in ticket.messages[at].text


# --- what should have changed -----------------------------------------------------------------------------------------


def _updates(
    ticket: AnnotatedTicket,
    live: Sequence[tuple[Stored, Said]],
    pairs: Mapping[int, int],
    left: Collection[str],
    catalogue: Catalogue,
) -> Iterator[str]:
    """An update is correct where the new value is there and the old one is not, omitted where nothing new is there,
    and wrong where something else took its place. A deletion is correct, or omitted. `left`: keys still outdated."""
    for at, gold in enumerate(ticket.facts):
        if not gold.supersedes:
            continue
        key = catalogue.fold(gold.key)
        if at in pairs and key not in left:
            yield "update_correct"
        elif any(one.fresh and said.key == key for one, said in live) or at in pairs:
            yield "update_wrong"
        else:
            yield "update_omitted"
    for key in map(catalogue.fold, ticket.must_delete):
        yield "update_omitted" if key in left else "update_correct"


def _stale(
    ticket: AnnotatedTicket,
    stored: Sequence[Stored],
    said: Sequence[Said],
    right: set[int],
    catalogue: Catalogue,
) -> Iterator[Told]:
    """Live facts that this ticket has put an end to."""
    former = {catalogue.fold(gold.key): gold.supersedes for gold in ticket.facts if gold.supersedes}
    gone = set(map(catalogue.fold, ticket.must_delete))
    for n, (one, short) in enumerate(zip(stored, said, strict=True)):
        old = former.get(short.key)
        if n not in right and ((old and plain(one.value) == plain(old)) or short.key in gone):
            yield Told(key=short.key, value=one.value, why="superseded" if old else "to be deleted")


# --- what must not be there -------------------------------------------------------------------------------------------


def _trapped(ticket: AnnotatedTicket, stored: Sequence[Stored], catalogue: Catalogue) -> Iterator[Told]:
    for trap in ticket.traps:
        for one in stored:
            if caught(trap, _key(one), one.kind, one.value, catalogue):
                yield Told(key=one.key, value=one.value, why=f"{trap.text}: {trap.why}")


def caught(trap: Trap, key: str, kind: Kind, value: str, catalogue: Catalogue) -> bool:
    """Whether a fact falls into a trap: of its kinds and key, by its match, and not where `allow_if` is found."""
    if kind not in trap.kinds or (trap.key and catalogue.fold(trap.key) != key):
        return False
    if trap.allow_if and re.search(trap.allow_if, value, re.IGNORECASE):
        return False
    if trap.match == "value_equals":
        return same_value(value, trap.text)
    return _folded(trap.text) in _folded(value)


def _folded(text: str) -> str:
    """NFKC, case folded, without white space: '50 席' stands in '50席'."""
    return re.sub(r"\s+", "", plain_case(text))


def plain_case(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def compact(text: str) -> str:
    """Digits and letters alone, as secrets are compared."""
    return "".join(char for char in plain_case(text) if char.isalnum())


def _held(secret: MustNotStore, stored: Sequence[Stored]) -> bool:
    needle = compact(secret.text)
    return any(
        needle in compact(text) for one in stored for text in (one.key, one.value, *(quote for _, quote in one.quotes))
    )
