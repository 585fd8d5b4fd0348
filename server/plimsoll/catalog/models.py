"""Look up what is known of a model, by the longest name of a family and by its version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Required, TypedDict, TypeVar

from plimsoll.catalog.names import NEUTRAL, ModelName, Version, parsed

TABLE = Path(__file__).with_name("models.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrices:
    """The prices of a million tokens, in US dollars."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    """Into a cache that holds for five minutes."""
    cache_write_hour: float | None = None
    """Into a cache that holds for an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What is known of a model."""

    family: str
    """The row that fits, ``#`` for its version."""
    exact: bool
    """Whether the version is that of the row, and the name says nothing more."""
    window: int
    """Tokens that a request and its answer may take."""
    max_output: int | None
    tokenizer: str | None
    """The vocabulary, such as "o200k_base"; none where it is not published."""
    vision: bool | None
    """Whether it sees images; none, here and below: not known."""
    tools: bool | None
    reasoning: bool | None
    vendor: str | None
    """The host of whoever made it and sells it; none for open models."""
    prices: TokenPrices | None
    """What its vendor asks; none where that is not known of exactly this model."""
    long_from: int | None
    """Tokens of a request from which ``long_prices`` hold."""
    long_prices: TokenPrices | None

    def prices_for(self, input_tokens: int) -> TokenPrices | None:
        """Return the prices of a request of this length."""
        long = self.long_from is not None and input_tokens > self.long_from
        return (self.long_prices or self.prices) if long else self.prices


class FactsRow(TypedDict, total=False):
    """What the table says of one version of a family, or of several; what is left out is unknown.

    TokenPrices are in the order of the fields of ``TokenPrices``.
    """

    window: Required[int]
    max_output: int
    abilities: str
    """``v`` sees images, ``t`` calls tools, ``r`` reasons."""
    tokenizer: str
    vendor: str
    prices: list[float | None]
    long_from: int
    long_prices: list[float | None]


Versions = tuple[Version, ...]
"""One for each mark in the name of a family."""
AnyRow = TypeVar("AnyRow")


@dataclass(frozen=True, slots=True)
class Catalog:
    """The whole table."""

    date: str
    """The day on which it was made, as in RFC 3339."""
    sources: tuple[str, ...]
    """What it was made of, each with version and licence."""
    families: Mapping[str, Mapping[Versions, FactsRow]]


@cache
def catalog() -> Catalog:
    """Read the table, once."""
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    families = {
        family: {
            versions_of(one): row for several, row in rows.items() for one in several.split("|")
        }
        for family, rows in table["families"].items()
    }
    return Catalog(table["date"], tuple(table["sources"]), families)


@lru_cache(maxsize=256)
def model_facts(name: str) -> ModelFacts | None:
    """Return what is known of a model by its name, of whatever maker, host or file; else none.

    A version that is not known has what the one before it has, within the same major version; its
    prices are not known then.
    """
    words, families = parsed(name), catalog().families
    found = fitting(words, families)
    if found is None:
        return None
    family, versions = found
    length = len(family.split())
    same = versions == words.family(length)[1] and NEUTRAL.issuperset(words.words[length:])
    return _facts(family, families[family][versions], exact=same)


def fitting(
    name: ModelName, families: Mapping[str, Mapping[Versions, AnyRow]]
) -> tuple[str, Versions] | None:
    """Find the row of a name: the longest family, and in it the newest version up to its own."""
    for length in range(len(name.words), 0, -1):
        family, wanted = name.family(length)
        known = [one for one in families.get(family, ()) if _is_earlier(one, wanted)]
        if known:
            return family, max(known)
    return None


def _is_earlier(one: Versions, other: Versions) -> bool:
    """Tell whether a version is the other or comes before it in the same major version."""
    return one <= other and [each[0] for each in one] == [each[0] for each in other]


def versions_of(written: str) -> Versions:
    """Parse the versions of a row, such as "4.5" or, for two marks, "4 1.0"."""
    return tuple(tuple(int(part) for part in one.split(".")) for one in written.split())


def _facts(family: str, row: FactsRow, *, exact: bool) -> ModelFacts:
    able = row.get("abilities")
    return ModelFacts(
        family=family,
        exact=exact,
        window=row["window"],
        max_output=row.get("max_output"),
        tokenizer=row.get("tokenizer"),
        vision=None if able is None else "v" in able,
        tools=None if able is None else "t" in able,
        reasoning=None if able is None else "r" in able,
        vendor=row.get("vendor"),
        prices=_prices(row.get("prices")) if exact else None,
        long_from=row.get("long_from"),
        long_prices=_prices(row.get("long_prices")) if exact else None,
    )


def _prices(row: list[float | None] | None) -> TokenPrices | None:
    if row is None or row[0] is None or row[1] is None:
        return None
    read, write, hour = row[2:]
    return TokenPrices(
        input=row[0], output=row[1], cache_read=read, cache_write=write, cache_write_hour=hour
    )
