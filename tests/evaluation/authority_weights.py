"""Learns the weights of gate 7's scorer: `python -m tests.evaluation.authority_weights [--figures | --of FILE]`.

Writes `pipeline/authority_weights.txt` from labelled lines alone. Arithmetic is +, -, *, / and square roots, in a fixed
order, so that the same lines give the same bytes on every machine (tests/evaluation/test_authority_weights.py).
`--figures` writes nothing and prints what lines would be judged like that no part of the training has seen: the lines
of each author in turn (sources `author-1` and so on), and the other sources cut in parts, are judged by weights learned
from all the rest. It takes some minutes.
"""

import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import frexp, sqrt
from pathlib import Path

from pipeline import authority
from pipeline.authority_score import Piece, Pieces, Scorer, Weights, named, written
from pipeline.normalise import plain
from tests.tickets import DATA, lines_of

OUT = Path(authority.__file__).parent / "authority_weights.txt"
LIMIT = 350
"""The score above which a text is refused, in thousandths of a margin: chosen on `--figures` and on real dialogues."""
SUSPECTED = 240
"""The score above which a text that meets a weak rule is refused: few such orders are below it, most else is."""
CERTAIN = 190
"""The score above which a text that meets a strong rule is refused: few orders that a rule knows are below it."""
FILLED = 8
"""Lines that one frame is filled into; together they count as one or two single ones."""
COST, ROUNDS, SEED = 1.0, 12, 7
COSTS = {"author": 2.0, "ordinary": 2.0, "rules": 4.0}
"""What an error costs more, by source: on first-hand lines, on daily talk, and on what the rules were written for."""
SEEN = 2
"""Lines that a piece must stand in."""
LEAST = 50
"""A weight nearer to nothing is left out, in thousandths."""
RAREST = 9.0
"""Halvings of all lines after which a piece counts as rare."""


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
        ([number[p] for p in unit if p in number], 1.0 if line.refuse else -1.0, len(unit), _cost(line))
        for line, unit in read
    ]
    weights, bias = _descended(examples, _rarities([seen[piece] for piece in number], len(read)))
    of = {piece: round(weights[at] * 1000) for piece, at in number.items()}
    return Weights(
        of={p: w for p, w in sorted(of.items(), key=lambda row: named(row[0])) if abs(w) >= LEAST},
        bias=round(bias * 1000),
        limit=LIMIT,
        suspected=SUSPECTED,
        certain=CERTAIN,
    )


def _units(line: Line, pieces: Pieces) -> list[list[Piece]]:
    """The pieces of an order as a whole; of what passes, of each sentence and each two in a row."""
    found = list(pieces.by_sentence(plain(line.text)))
    whole = [piece for one in found for piece in one]
    if line.refuse or len(found) < 2:
        return [whole] if whole else []
    return [*found, *(a + b for a, b in pairwise(found))]


def _cost(line: Line) -> float:
    return line.weight * COSTS.get(line.source.split("-")[0], 1.0)


def _rarities(times: Sequence[int], among: int) -> list[float]:
    """How much of an error each piece takes on: the square of how rare it is, so that common words learn slowly."""
    return [(_log2(among / one) / RAREST) ** 2 for one in times]


def _log2(number: float) -> float:
    """Near the logarithm: straight between powers of two and, unlike `math.log2`, the same to the last bit."""
    half, exponent = frexp(number)
    return exponent + 2 * half - 2


def _descended(examples: Sequence[Example], rarities: Sequence[float]) -> tuple[list[float], float]:
    weights, bias, duals = [0.0] * len(rarities), 0.0, [0.0] * len(examples)
    order, shuffled = list(range(len(examples))), random.Random(SEED)
    sizes = [sum([rarities[i] for i in found]) / length for found, _, length, _ in examples]
    for _ in range(ROUNDS):
        shuffled.shuffle(order)
        for at in order:
            found, sign, length, cost = examples[at]
            scale, slack = 1 / sqrt(length), 0.5 / (COST * cost)
            margin = sum([weights[i] for i in found]) * scale + bias
            slope = sign * margin - 1 + slack * duals[at]
            if slope >= 0 and not duals[at]:
                continue
            dual = max(duals[at] - slope / (sizes[at] + 1 + slack), 0.0)
            step = (dual - duals[at]) * sign
            duals[at] = dual
            bias += step
            step *= scale
            for i in found:
                weights[i] += step * rarities[i]
    return weights, bias


# --- figures ----------------------------------------------------------------------------------------------------------


def figures() -> Iterator[str]:
    told = lines()
    judged: dict[str, list[tuple[Line, int]]] = {}
    for group, asked in _parts(told):
        texts = {line.text for line in asked}
        scorer = Scorer(authority.lexicon(), learned([line for line in told if line.text not in texts]))
        judged.setdefault(group, []).extend((line, _score(scorer, line.text)) for line in asked)
    for group, lang in product(judged, ("en", "zh")):
        yield from _rows(group, lang, [one for one in judged[group] if one[0].lang == lang])


def _parts(told: Sequence[Line], parts: int = 4) -> Iterator[tuple[str, list[Line]]]:
    """What is judged by weights that never saw it: all lines of an author at once, the others in parts."""
    for source in sorted({line.source for line in told if line.source.startswith("author-")}):
        yield "authors", [line for line in told if line.source == source]
    for source in ("rules", "independent", "written"):
        of_source = [line for line in told if line.source == source]
        yield from ((source, of_source[part::parts]) for part in range(parts))


def _score(scorer: Scorer, text: str) -> int:
    """The text's score, and beside it as much as what the rules say lowers the limit."""
    if authority.machine_written(text):
        return 10**6
    weak = [weak for _, weak in authority.rules_met(text)]
    return scorer.score(plain(text)) + (0 if not weak else LIMIT - SUSPECTED if all(weak) else LIMIT - CERTAIN)


def _rows(source: str, lang: str, judged: Sequence[tuple[Line, int]]) -> Iterator[str]:
    for limit in sorted({*range(0, 801, 200), LIMIT}):
        refuse = [score > limit for line, score in judged if line.refuse]
        passed = [score > limit for line, score in judged if not line.refuse]
        yield (
            f"{source} {lang} limit {limit}: {sum(refuse)} of {len(refuse)} refused ({sum(refuse) / len(refuse):.1%}), "
            f"{sum(passed)} of {len(passed)} falsely ({sum(passed) / len(passed):.1%})"
        )


def of_file(name: str) -> Iterator[str]:
    """What gate 7 alone says of a labelled file under tests/data."""
    told = lines_of(name)
    for lang, expect in product(("en", "zh"), ("refuse", "pass")):
        texts = [row["text"] for row in told if (row["lang"], row["expect"]) == (lang, expect)]
        refused = sum(not authority.judge_authority(text).passed for text in texts)
        yield f"{name} {lang} {expect}: {refused} of {len(texts)} refused ({refused / max(len(texts), 1):.1%})"


def main() -> None:
    if "--of" in sys.argv:
        sys.stdout.writelines(f"{row}\n" for row in of_file(sys.argv[-1]))
    elif "--figures" in sys.argv:
        sys.stdout.writelines(f"{row}\n" for row in figures())
    else:
        OUT.write_text(written(learned(lines())), "utf-8")


if __name__ == "__main__":
    main()
