"""The process that reads a document from its standard input and writes its text.

It is run as a file of its own, isolated; of Plimsoll it imports what confines it alone.
"""

import html
import importlib
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,500})", re.IGNORECASE)
_TITLE_IN = 100_000
_UNSEEN = ("script", "style", "template", "noscript", "svg", "head")
_INLINE = frozenset(
    {"a", "abbr", "b", "cite", "code", "em", "i", "q", "s", "small", "span", "strong", "sub", "sup"}
)


def limit_resources(cpu: int, memory: int) -> None:
    """Limit the memory, time and files of this process; it may not write files at all."""
    import resource

    wanted = (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    )
    for limit, most in wanted:
        _, hard = resource.getrlimit(limit)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(limit, (bound, bound))
        except (ValueError, OSError):
            # macOS has no bound of the address space; the time still bounds the work.
            continue


def confine(rules: dict[str, Any]) -> None:
    """Apply the rules of a sandbox to this process; raises OSError where one cannot be."""
    above = ("plimsoll", "plimsoll.tools", "plimsoll.tools.process")
    # Stood in for by empty ones: the packages above load what is not here.
    for name, folder in zip(above, reversed(Path(__file__).resolve().parents[1:4]), strict=True):
        package = ModuleType(name)
        package.__path__ = [str(folder if name != above[-1] else folder / "process")]
        sys.modules[name] = package
    from plimsoll.tools.process.confinement.kernel import enforcement

    enforcement.apply(rules)


def pdf_pages(data: bytes, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of each page behind its number; a last line says which pages were not read."""
    from pypdf import PdfReader

    most: int = options["pages"]
    reader: Any = PdfReader(io.BytesIO(data), strict=False)
    total = len(reader.pages)
    for number in range(min(total, most)):
        text: str = reader.pages[number].extract_text()
        yield f"[page {number + 1} of {total}]\n{text.strip()}\n\n" if text.strip() else ""
    if total > most:
        yield f"[pages {most + 1}-{total} were not read]\n"


def main_text(data: bytes, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield the main text of an HTML page as Markdown; all of it where none is found."""
    import trafilatura

    page = data.decode()
    found = trafilatura.extract(
        page, url=options["url"], output_format="markdown", include_links=True, fast=True
    )
    if not found:
        yield from whole_page(data, options)
        return
    title = _title(page)
    if title and not found.startswith("# "):
        yield f"# {title}\n\n"
    yield f"{found}\n"


def whole_page(data: bytes, options: Mapping[str, Any]) -> Iterator[str]:
    """Yield an HTML page as Markdown with its menus; without marks if it is nested too deeply."""
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    page = data.decode()
    if title := _title(page):
        yield f"# {title}\n\n"
    try:
        soup: Any = BeautifulSoup(page, "lxml")
        for unseen in soup.find_all(_UNSEEN):
            unseen.decompose()
        for image in soup.find_all("img"):
            # Its address may be the whole image.
            image.replace_with(str(image.get("alt") or ""))
        for link in soup.find_all("a", href=True):
            link["href"] = _absolute(options["url"], str(link["href"]))
        text = MarkdownConverter(heading_style="ATX").convert_soup(soup)
    except RecursionError:
        text = ""
    yield re.sub(r"\n{3,}", "\n\n", text.strip() or _plain_text(page)) + "\n"


def _title(page: str) -> str:
    found = _TITLE.search(page, 0, _TITLE_IN)
    return " ".join(html.unescape(found[1]).split()) if found else ""


def _absolute(base: str, href: str) -> str:
    try:
        return urljoin(base, href)
    except ValueError:
        return href


def _plain_text(page: str) -> str:
    reader = _Words()
    reader.feed(page)
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.words).split("\n"))
    return "\n".join(line for line in lines if line)


class _Words(HTMLParser):
    """Collects what a page shows, a line for each block, however deeply its tags are nested."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        del attrs
        self._unseen += tag in _UNSEEN
        self._break(tag)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        self._break(tag)

    def handle_data(self, data: str) -> None:
        """Collect text that is shown."""
        if not self._unseen:
            self.words.append(data)

    def _break(self, tag: str) -> None:
        if tag not in _INLINE:
            self.words.append("\n")


READERS: Mapping[str, Callable[[bytes, Mapping[str, Any]], Iterator[str]]] = {
    "pdf": pdf_pages,
    "main": main_text,
    "whole": whole_page,
}


def main() -> None:
    """Read a document from standard input, and write its text up to the allowed length."""
    rules: dict[str, Any] = json.loads(sys.argv[1])
    sys.path[:] = rules["path"]
    # Before it is confined: what it needs lies open now.
    for library in rules["libraries"]:
        importlib.import_module(library)
    if rules["confined"]:
        confine(rules["confined"])
    limit_resources(rules["cpu"], rules["memory"])
    sys.stdout.buffer.write(b"\0begun\n")
    sys.stdout.buffer.flush()
    data = sys.stdin.buffer.read()
    left: int = rules["characters"]
    for text in READERS[rules["reader"]](data, rules["options"]):
        sys.stdout.buffer.write(text[:left].encode("utf-8", "replace"))
        left -= len(text)
        if left <= 0:
            sys.stdout.buffer.write(b"\n[the rest was not read: the text is too long]\n")
            return


if __name__ == "__main__":
    main()
