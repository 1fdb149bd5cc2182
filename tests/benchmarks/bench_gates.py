"""What gates 5 to 7 cost: CPU a kilobyte in both languages, growth up to 200 kB, hostile texts, and the first call.

`python -m pytest -m bench -s tests/benchmarks/bench_gates.py` prints the table. A figure is a figure: nothing here
fails because a machine is slow.
"""
# ruff: noqa: T201, E501 (it prints its table)

import random
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from pipeline.sensitive import judge_text, matches, preload
from tests.unit.gate_lines import labelled

pytestmark = pytest.mark.bench

ENGLISH = (
    "Hi, I was hoping to get some information about an order I placed recently. The tablet has a storage capacity of 64GB and"
    " the tracking ID is 840887978435. We finished moving off Heroku last week, everything is on Fly.io now. Please send the"
    " migration guide by e-mail, not by phone, we are in meetings until 6pm. The price difference of $16.26 will be charged. "
)
CHINESE = (
    "您好，我们上个月的账单好像多扣了一个席位的钱，工单号 BL-20931。发票抬头麻烦开云杉数据有限公司，以后都要增值税专用发票。"
    "系统里显示为标准版 40 席，合同上写的是 50 个席位。别打我电话，白天都在开会，发邮件到财务公共邮箱就行。快递用京东，每月 25 号之前。"
)
HOSTILE: dict[str, Callable[[int], str]] = {
    "digits": lambda n: "1" * n,
    "digits and blanks": lambda n: "4 1 " * (n // 4),
    "at signs": lambda n: "a@" * (n // 2),
    "dots": lambda n: "a." * (n // 2),
    "masks": lambda n: "*" * n,
    "cues": lambda n: "password " * (n // 9),
    "card numbers": lambda n: "4111 1111 1111 1111 " * (n // 20),
    "numerals": lambda n: "一二三四" * (n // 4),
    "number words": lambda n: "one two three " * (n // 14),
    "colons": lambda n: "a:" * (n // 2),
    "turns": lambda n: "customer: 1\nagent: 2\n" * (n // 21),
    "entities": lambda n: "&#52;" * (n // 5),
    "blanks": lambda n: " " * n,
    "son is": lambda n: "my son is " * (n // 10),
    "street": lambda n: "12 main " * (n // 8),
    "路1": lambda n: "路1" * (n // 2),
    "begin key": lambda n: "-----begin private key-----" * (n // 27),
}


def cpu(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start


def test_cpu_per_kilobyte() -> None:
    preload()
    print(f"\n{'text':<10}{'kB':>8}{'ms/kB':>8}")
    for name, text in (("English", ENGLISH), ("Chinese", CHINESE)):
        for size in (1, 10, 50, 200):
            full = text * (size * 1_000 // len(text.encode()) + 1)
            spent = min(cpu(lambda full=full: matches(full)) for _ in range(2))  # type: ignore[misc]
            kilobytes = len(full.encode()) / 1_000
            print(f"{name:<10}{kilobytes:>8.1f}{spent * 1_000 / kilobytes:>8.2f}")


def test_hostile_texts_grow_linearly() -> None:
    preload()
    print(f"\n{'text':<20}{'20 kB, s':>10}{'200 kB, s':>11}{'growth':>8}")
    for name, build in HOSTILE.items():
        short, long = (cpu(lambda n=n: matches(build(n))) for n in (20_000, 200_000))  # type: ignore[misc]  # noqa: B023
        print(f"{name:<20}{short:>10.3f}{long:>11.3f}{long / short:>8.1f}")


def test_the_first_call() -> None:
    steps = (
        "import time; a = time.process_time(); import presidio_analyzer.predefined_recognizers; b = time.process_time();"
        "import pipeline.sensitive as s; s.preload(); c = time.process_time(); s.judge_text('call 212 555 0199');"
        "d = time.process_time(); print(f'{b - a:.2f} {c - b:.2f} {(d - c) * 1000:.1f}')"
    )
    out = subprocess.run([sys.executable, "-c", steps], capture_output=True, text=True, check=True).stdout.split()
    print(f"\nimport of Presidio {out[0]} s, preload() {out[1]} s, first judgement after it {out[2]} ms")


def test_labelled_lines_a_second() -> None:
    preload()
    rows = labelled("gate_variants.jsonl")
    spent = cpu(lambda: [judge_text(row["text"]) for row in rows])
    print(f"\n{len(rows) / spent:.0f} short texts a second, {spent / len(rows) * 1e6:.0f} µs each")


def test_ten_thousand_random_strings() -> None:
    dice = random.Random(7)
    letters = [chr(c) for c in range(0x20, 0x3000)] + list("0123456789 -.@密码卡号一二三\u200b\n") * 200
    for _ in range(10_000):
        text = "".join(dice.choices(letters, k=dice.randrange(60)))
        assert judge_text(text) == judge_text(text)
