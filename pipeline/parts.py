"""A ticket that is too long for one prompt, in overlapping parts: nothing is ever left out without a word."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.facts import Candidate
from pipeline.prompt import rendered_line
from pipeline.tokens import estimated_tokens
from pipeline.transcript import Line, Transcript

OVERLAP_TOKENS = 120
"""How much of a cut message stands in both its pieces, so that a sentence at the cut is whole in one."""
MIN_BUDGET = 400


class TooLong(ValueError):
    """The ticket cannot be read even in parts: raise `max_parts` or the token budget, then replay."""


def parts(
    transcript: Transcript, *, budget_tokens: int, overlap_messages: int = 2, max_parts: int = 64
) -> tuple[Transcript, ...]:
    """The ticket whole where it fits `budget_tokens`, else in parts that share `overlap_messages` lines.

    A message longer than the budget is cut into overlapping pieces that keep its position. Raises TooLong beyond
    `max_parts`, ValueError for a budget that no message fits.
    """
    if budget_tokens < MIN_BUDGET:
        raise ValueError(f"budget_tokens: want at least {MIN_BUDGET}")
    lines = tuple(piece for line in transcript.lines for piece in _pieces(line, budget_tokens))
    costs = [estimated_tokens(rendered_line(line)) for line in lines]
    if sum(costs) <= budget_tokens:
        return (transcript,)
    ranges = _ranges(costs, budget_tokens, overlap_messages)
    if len(ranges) > max_parts:
        raise TooLong(f"{len(ranges)} parts, at most {max_parts} allowed")
    return tuple(replace(transcript, lines=lines[first:last]) for first, last in ranges)


def _ranges(costs: Sequence[int], budget: int, overlap: int) -> list[tuple[int, int]]:
    """Each part takes what fits, and begins `overlap` lines before the last one ended, as far as it gets on."""
    found, first = [], 0
    while True:
        last, spent = first, 0
        while last < len(costs) and (last == first or spent + costs[last] <= budget):
            spent, last = spent + costs[last], last + 1
        found.append((first, last))
        if last == len(costs):
            return found
        first = _next_start(costs, first, last, budget, overlap)


def _next_start(costs: Sequence[int], first: int, last: int, budget: int, overlap: int) -> int:
    """The overlap shrinks where it would leave no room for the next line."""
    start = max(first + 1, last - overlap)
    while start < last and sum(costs[start : last + 1]) > budget:
        start += 1
    return start


def _pieces(line: Line, budget: int) -> tuple[Line, ...]:
    if estimated_tokens(rendered_line(line)) <= budget:
        return (line,)
    return tuple(replace(line, text=text) for text in _cut(line.text, budget - 60))


def _cut(text: str, budget: int) -> list[str]:
    """`text` in overlapping pieces of at most `budget` tokens, each cut at the end of a sentence where there is one."""
    pieces, at = [], 0
    overlap = min(OVERLAP_TOKENS, budget // 4)
    while at < len(text):
        size = _fitting(text, at, budget)
        end = at + size if at + size >= len(text) else _sentence_end(text, at, at + size)
        pieces.append(text[at:end])
        if end >= len(text):
            break
        at = max(at + 1, end - overlap)
    return pieces


def _fitting(text: str, at: int, budget: int) -> int:
    """The largest length whose estimate fits, by bisection."""
    low, high = 1, min(len(text) - at, budget * 6)
    while low < high:
        middle = (low + high + 1) // 2
        if estimated_tokens(text[at : at + middle]) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _sentence_end(text: str, at: int, end: int) -> int:
    floor = at + (end - at) * 3 // 4
    cut = max(text.rfind(sign, floor, end) for sign in "。.!！?？\n;；")
    return cut + 1 if cut > 0 else end


def merged(by_part: Iterable[Iterable[Candidate]]) -> tuple[Candidate, ...]:
    """The candidates of all parts, in order; what two parts say alike is kept once, with the greater confidence."""
    kept: dict[tuple[object, ...], Candidate] = {}
    for part in by_part:
        for one in part:
            name = (one.kind, one.key.casefold(), " ".join(one.value.casefold().split()), one.ended, one.until)
            known = kept.get(name)
            kept[name] = one if known is None or one.confidence > known.confidence else known
    return tuple(kept.values())
