"""HTML messages as plain text: what a helpdesk keeps as markup, a model reads as words."""

from html.parser import HTMLParser

_BREAKS = frozenset(("br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "blockquote", "pre"))
_SILENT = frozenset(("script", "style", "head", "title"))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._silent += tag in _SILENT
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def plain_text(markup: str | None) -> str:
    """The words of an HTML fragment, a line a block. Text without markup comes back as it is, but for its spaces."""
    reader = _Reader()
    reader.feed(markup or "")
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)
