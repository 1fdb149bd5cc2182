"""Learns the weights of gate 7's scorer: `python -m tests.evaluation.authority_weights [--figures]`.

Writes `pipeline/authority_weights.txt` from labelled lines alone. Arithmetic is +, -, *, / and square roots, in a fixed
order, so that the same lines give the same bytes on every machine (tests/evaluation/test_authority_weights.py).
`--figures` writes nothing and prints what lines would be judged like that no part of the training has seen: each of the
sources in turn is cut in parts, and each part is judged by weights learned from all the rest.
"""

import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from pathlib import Path

from pipeline import authority
from pipeline.authority_score import Piece, Pieces, Scorer, Weights, named, written
from pipeline.normalise import plain
from tests.tickets import DATA, lines_of

OUT = Path(authority.__file__).parent / "authority_weights.txt"
LIMIT = 400
"""The score above which a text is refused, in thousandths of a margin: chosen on `--figures` and on real dialogues."""
SUSPECTED = -250
"""The score above which a text that meets a weak rule is refused: few such orders are below it, most else is."""
FILLED = 8
"""Lines that one frame is filled into; together they count as one or two single ones."""
COST, ROUNDS, SEED = 2.0, 12, 7
SEEN = 3
"""Lines that a piece must stand in."""
LEAST = 130
"""A weight nearer to nothing is left out, in thousandths."""


@dataclass(frozen=True, kw_only=True)
class Line:
    source: str
    lang: str
    refuse: bool
    text: str = field(repr=False)
    weight: float = 1.0


def lines() -> list[Line]:
    """Every labelled line, each text once, in the order of the texts: which file a line stands in changes nothing."""
    known: dict[str, Line] = {}
    for line in (*_labelled(), *_frames(), *_ordinary()):
        known.setdefault(line.text, line)
    return sorted(known.values(), key=lambda line: line.text)


def _labelled() -> Iterator[Line]:
    for name in ("authority.jsonl", "authority_open.jsonl", "authority_training.jsonl"):
        for row in lines_of(name):
            source = row.get("source", "rules")
            yield Line(source=source, lang=row["lang"], refuse=row["expect"] == "refuse", text=row["text"])


def _frames() -> Iterator[Line]:
    data = tomllib.loads((DATA / "authority_frames.toml").read_text("utf-8"))
    for lang, part in data.items():
        for label in ("refuse", "pass"):
            for at, frame in enumerate(part[label]["frames"].split("\n")):
                texts = dict.fromkeys(_filled(frame, part["words"], at, round) for round in range(FILLED))
                for text in texts if frame else ():
                    yield Line(source="frames", lang=lang, refuse=label == "refuse", text=text, weight=1.5 / len(texts))


def _filled(frame: str, words: dict[str, list[str]], at: int, round: int) -> str:
    """The frame with a word in each blank: others in each round, and others in each frame."""
    blanks = iter(range(1, 10))

    def word(m: re.Match[str]) -> str:
        choice = words[m[1]]
        return choice[(at * 7 + round * 5 + next(blanks) * 3 + at // len(choice)) % len(choice)]

    return re.sub(r"\{(\w+)\}", word, frame)


def _ordinary() -> Iterator[Line]:
    """What people say of other things (samples of the other gates, facts, keys, talk of tickets), and things alone."""
    texts = (row["text"] for row in lines_of("authority_ordinary.jsonl"))
    for text in (*texts, *_bare()):
        if not authority.rules_met(text):
            yield Line(source="ordinary", lang=_language(text), refuse=False, text=text)


def _bare() -> Iterator[str]:
    """A thing alone orders nothing."""
    data = tomllib.loads((DATA / "authority_frames.toml").read_text("utf-8"))
    for part in data.values():
        for kind in ("fee", "check", "limit", "rule", "own", "thing", "form", "how"):
            yield from part["words"][kind]


def _language(text: str) -> str:
    return "zh" if re.search(r"[\u3400-\u9fff]", text) else "en"


# --- learning ---------------------------------------------------------------------------------------------------------

Example = tuple[list[int], float, int, float]
"""Numbers of its known pieces, +1 or -1, how many pieces it has, and what an error costs."""


def learned(told: Sequence[Line]) -> Weights:
    """A linear support vector machine with squared hinge loss, by dual coordinate descent (Hsieh et al. 2008)."""
    pieces = Pieces(authority.lexicon())
    read = [(line, unit) for line in told for unit in _units(line, pieces)]
    seen = Counter(piece for _, unit in read for piece in dict.fromkeys(unit))
    number = {piece: at for at, piece in enumerate(p for p, times in seen.items() if times >= SEEN)}
    examples: list[Example] = [
        ([number[p] for p in unit if p in number], 1.0 if line.refuse else -1.0, len(unit), line.weight)
        for line, unit in read
    ]
    weights, bias = _descended(examples, len(number))
    of = {piece: round(weights[at] * 1000) for piece, at in number.items()}
    return Weights(
        of={p: w for p, w in sorted(of.items(), key=lambda row: named(row[0])) if abs(w) >= LEAST},
        bias=round(bias * 1000),
        limit=LIMIT,
        suspected=SUSPECTED,
    )


def _units(line: Line, pieces: Pieces) -> list[list[Piece]]:
    """The pieces of an order as a whole; of what passes, of each sentence and each two in a row."""
    found = list(pieces.by_sentence(plain(line.text)))
    whole = [piece for one in found for piece in one]
    if line.refuse or len(found) < 2:
        return [whole] if whole else []
    return [*found, *(a + b for a, b in pairwise(found))]


def _descended(examples: Sequence[Example], size: int) -> tuple[list[float], float]:
    weights, bias, duals = [0.0] * size, 0.0, [0.0] * len(examples)
    order, shuffled = list(range(len(examples))), random.Random(SEED)
    for _ in range(ROUNDS):
        shuffled.shuffle(order)
        for at in order:
            found, sign, length, cost = examples[at]
            scale, slack = 1 / sqrt(length), 0.5 / (COST * cost)
            margin = sum([weights[i] for i in found]) * scale + bias
            slope = sign * margin - 1 + slack * duals[at]
            dual = max(duals[at] - slope / (len(found) * scale * scale + 1 + slack), 0.0)
            step = (dual - duals[at]) * sign
            if step:
                duals[at] = dual
                bias += step
                step *= scale
                for i in found:
                    weights[i] += step
    return weights, bias


# --- figures ----------------------------------------------------------------------------------------------------------


def figures(parts: int = 4) -> Iterator[str]:
    told = lines()
    for source in ("rules", "independent", "written"):
        of_source = [line for line in told if line.source == source]
        judged: list[tuple[Line, int]] = []
        for part in range(parts):
            asked = of_source[part::parts]
            texts = {line.text for line in asked}
            scorer = Scorer(authority.lexicon(), learned([line for line in told if line.text not in texts]))
            judged += [(line, _score(scorer, line.text)) for line in asked]
        for lang in ("en", "zh"):
            yield from _rows(source, lang, [one for one in judged if one[0].lang == lang])


def _score(scorer: Scorer, text: str) -> int:
    """The text's score, above every limit where the rules alone refuse."""
    weak = [weak for _, weak in authority.rules_met(text)]
    score = scorer.score(plain(text))
    return 10**6 if not all(weak) or (weak and score > SUSPECTED) else score


def _rows(source: str, lang: str, judged: Sequence[tuple[Line, int]]) -> Iterator[str]:
    for limit in range(0, 801, 200):
        refuse = [score > limit for line, score in judged if line.refuse]
        passed = [score > limit for line, score in judged if not line.refuse]
        yield (
            f"{source} {lang} limit {limit}: {sum(refuse)} of {len(refuse)} refused ({sum(refuse) / len(refuse):.1%}), "
            f"{sum(passed)} of {len(passed)} falsely ({sum(passed) / len(passed):.1%})"
        )


def main() -> None:
    if "--figures" in sys.argv:
        sys.stdout.writelines(f"{row}\n" for row in figures())
    else:
        OUT.write_text(written(learned(lines())), "utf-8")


if __name__ == "__main__":
    main()
