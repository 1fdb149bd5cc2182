"""The labelled lines that the gates' tests read, and the disguises that are put over them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"


def labelled(name: str, expect: str | None = None) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if expect in (None, row["expect"])]


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else "\u3000" if c == " " else c for c in text)


DISGUISES: dict[str, Callable[[str], str]] = {
    "blanks in pairs": lambda text: text.replace(" ", "  "),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "padded": lambda text: f"  {text}  ",
    "full width": full_width,
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "upper case": str.upper,
    "lower case": str.lower,
    "between Han": lambda text: f"请看{text}谢谢",
    "in a Chinese sentence": lambda text: f"客户说：{text}。请处理",
}
