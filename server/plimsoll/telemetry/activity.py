"""Counts of what the process has done since its start."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from plimsoll.telemetry.base import (
    CACHE_READ_TOKENS,
    INPUT_TOKENS,
    MISS_CAUSE,
    MISSED_TOKENS,
    MODEL,
    OUTPUT_TOKENS,
    PROVIDER,
    PURPOSE,
    STAGE,
    TOKENS_AFTER,
    TOKENS_BEFORE,
    WAITS,
    Span,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestCount:
    """Requests of one purpose to one model, and their tokens as the provider reported them."""

    model: str
    """``provider/name``."""
    purpose: str
    requests: int = 0
    failed: int = 0
    input: int = 0
    """Includes ``cached``."""
    cached: int = 0
    output: int = 0


@dataclass(frozen=True, slots=True)
class TimesAndTokens:
    """How often something happened, and how many tokens it involved."""

    times: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The counts at one moment."""

    turns: int
    requests: tuple[RequestCount, ...]
    """In the order of first use."""
    reductions: Mapping[str, TimesAndTokens]
    """By stage, with the tokens freed."""
    cache_misses: Mapping[str, TimesAndTokens]
    """By cause, with the tokens sent again."""
    waits: Mapping[str, int]
    """By reason."""


class ActivityCounts:
    """Counts events from spans."""

    def __init__(self) -> None:
        self._turns = 0
        self._requests: dict[tuple[str, str], RequestCount] = {}
        self._reductions: dict[str, TimesAndTokens] = {}
        self._misses: dict[str, TimesAndTokens] = {}
        self._waits = Counter[str]()

    def now(self) -> Activity:
        """Return the counts as they are now."""
        return Activity(
            turns=self._turns,
            requests=tuple(self._requests.values()),
            reductions=dict(self._reductions),
            cache_misses=dict(self._misses),
            waits=dict(self._waits),
        )

    def keep(self, span: Span) -> None:
        """Count a span."""
        if span.kind == "turn":
            self._turns += 1
        elif span.kind == "request":
            self._count_request(span)
        elif span.kind == "stage":
            freed = _number(span, TOKENS_BEFORE) - _number(span, TOKENS_AFTER)
            _add(self._reductions, str(span.attributes[STAGE]), freed)

    def close(self) -> None:
        """Do nothing: there is nothing to send or to close."""

    def _count_request(self, span: Span) -> None:
        model = f"{span.attributes[PROVIDER]}/{span.attributes[MODEL]}"
        purpose = str(span.attributes[PURPOSE])
        held = self._requests.get((model, purpose), RequestCount(model=model, purpose=purpose))
        self._requests[model, purpose] = replace(
            held,
            requests=held.requests + 1,
            failed=held.failed + (span.error is not None),
            input=held.input + _number(span, INPUT_TOKENS),
            cached=held.cached + _number(span, CACHE_READ_TOKENS),
            output=held.output + _number(span, OUTPUT_TOKENS),
        )
        waits = span.attributes.get(WAITS, ())
        self._waits.update(waits if isinstance(waits, tuple) else ())
        if MISS_CAUSE in span.attributes:
            _add(self._misses, str(span.attributes[MISS_CAUSE]), _number(span, MISSED_TOKENS))


def _add(counts: dict[str, TimesAndTokens], name: str, tokens: int) -> None:
    held = counts.get(name, TimesAndTokens())
    counts[name] = TimesAndTokens(held.times + 1, held.tokens + tokens)


def _number(span: Span, name: str) -> int:
    value = span.attributes.get(name, 0)
    return value if isinstance(value, int) else 0
