"""The tables of names on which programs act unasked, as docs/security.md and docs/settings.md."""

import re
from collections.abc import Iterable, Mapping, Sequence

from plimsoll.tools.files.acting.row import WHEN, ActingRow
from plimsoll.tools.files.protected import BUILD, ENDINGS, NAMES

_PART = re.compile(r"(<!-- acting names -->\n).*?(<!-- end of acting names -->)", re.DOTALL)


def with_rows(page: str, table: Mapping[str, Sequence[ActingRow]]) -> str:
    """Put every row of the table, with its source, in the place that a page has for it."""
    lines = ["| who acts | on what | when | written in |", "| --- | --- | --- | --- |"]
    for why, rows in table.items():
        alone = " (the file tools alone ask)" if why == BUILD else ""
        lines.append(f"| **{why}**{alone} | | | |")
        for row in rows:
            names = _quoted(name.removeprefix("*") for name in row.names)
            lines.append(f"| {row.who} | {names} | {WHEN[row.when]} | {row.source} |")
    return _put(page, lines)


def with_reasons(page: str) -> str:
    """Put the names with the reason that people are told in the place that a page has for them."""
    lines = ["| files and folders | why |", "| --- | --- |"]
    by_reason: dict[str, list[str]] = {}
    for name, why in (*NAMES.items(), *ENDINGS.items()):
        by_reason.setdefault(why, []).append(name)
    lines += [f"| {_quoted(names)} | {why} |" for why, names in by_reason.items()]
    return _put(page, lines)


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _put(page: str, lines: Sequence[str]) -> str:
    text = "".join(f"{line}\n" for line in lines)
    found, count = _PART.subn(lambda part: f"{part[1]}\n{text}\n{part[2]}", page)
    assert count == 1, "the page has no place for the names"
    return found
