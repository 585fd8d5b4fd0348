"""Looks up the facts about a model, by the longest matching family name and its version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Required, TypedDict, TypeVar

from plimsoll.catalog.names import NEUTRAL, ModelName, Version, parse_name

TABLE = Path(__file__).with_name("models.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenPrices:
    """The prices of a million tokens, in US dollars."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None
    """For a cache that lasts five minutes."""
    cache_write_hour: float | None = None
    """For a cache that lasts an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """The facts about a model."""

    family: str
    """The matching row, with ``#`` for its version."""
    exact: bool
    """Whether the row's version is the model's, and the name says nothing more."""
    window: int
    """Most tokens of a request and its answer."""
    max_output: int | None
    tokenizer: str | None
    """The vocabulary, such as "o200k_base"; none if it is not published."""
    vision: bool | None
    """Whether it sees images; none, here and below: unknown."""
    tools: bool | None
    reasoning: bool | None
    vendor: str | None
    """The host of its maker's API; none for open models."""
    prices: TokenPrices | None
    """Its vendor's prices; none unless they are known of exactly this model."""
    long_from: int | None
    """Tokens of a request from which ``long_prices`` apply."""
    long_prices: TokenPrices | None

    def prices_for(self, input_tokens: int) -> TokenPrices | None:
        """Return the prices of a request of this length."""
        long = self.long_from is not None and input_tokens > self.long_from
        return (self.long_prices or self.prices) if long else self.prices


class FactsRow(TypedDict, total=False):
    """The table's facts about versions of a family; missing ones are unknown.

    Prices are in the order of the fields of ``TokenPrices``.
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
"""One version for each mark in the name of a family."""
AnyRow = TypeVar("AnyRow")


@dataclass(frozen=True, slots=True)
class Catalog:
    """The whole table of facts about models."""

    date: str
    """The day on which it was built, as in RFC 3339."""
    sources: tuple[str, ...]
    """Its sources, each with version and licence."""
    families: Mapping[str, Mapping[Versions, FactsRow]]


@cache
def catalog() -> Catalog:
    """Read the table of facts about models, once."""
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
    """Return the facts about a model by any name of it, or None if it is unknown.

    An unknown version has the facts of the one before it within the same major version, but no
    prices.
    """
    words, families = parse_name(name), catalog().families
    found = find_row(words, families)
    if found is None:
        return None
    family, versions = found
    length = len(family.split())
    same = versions == words.family(length)[1] and NEUTRAL.issuperset(words.words[length:])
    return _facts(family, families[family][versions], exact=same)


def find_row(
    name: ModelName, families: Mapping[str, Mapping[Versions, AnyRow]]
) -> tuple[str, Versions] | None:
    """Find the row for a name: the longest family, and the newest version up to its own."""
    for length in range(len(name.words), 0, -1):
        family, wanted = name.family(length)
        known = [one for one in families.get(family, ()) if _is_earlier(one, wanted)]
        if known:
            return family, max(known)
    return None


def _is_earlier(one: Versions, other: Versions) -> bool:
    """Tell whether a version is the same or an earlier one of the same major version."""
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
