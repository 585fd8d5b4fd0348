"""The budget of a window: its marks, the meter of the next request, and the turns left."""

import itertools
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from plimsoll.context.log.entries import Entry, Slot
from plimsoll.context.log.notes import TURN, notes_of_kind
from plimsoll.context.log.reading import LogReading
from plimsoll.context.view.view import View

LEAST_WINDOW = 1_024
"""Tokens; a smaller window cannot hold a system text and one message."""
FULL_SCALE = 112_000
"""Tokens of effective window from which buffers and protected amounts have their full size."""
UNKNOWN_WINDOW = 8_192
"""Tokens assumed when the window is unknown: most servers have as many."""
LOCAL_WINDOW = 4_096
"""Tokens assumed of a local server: Ollama's default."""
WindowSource = Literal["setting", "server", "table", "learned", "assumed"]
"""Who says how large the window is; `learned`: the server, as it refused or cut a request."""
MOST_PROTECTED = 0.36
"""The share of effective that protected tool output may take. With half of it, a prune at the mark
frees so little that the next one is near: on long work at 64k that cost 4 % more and kept 1 % less
in view, and a session of large files cost a quarter more."""
HYSTERESIS = 0.05
"""A zone is left only when the load is this fraction below the mark at which it was entered."""


class Zone(StrEnum):
    """The zone of a load: the marks between which it is."""

    OK = "ok"
    WARNING = "warning"
    COMPACT = "compact"
    BLOCKING = "blocking"
    INFEASIBLE = "infeasible"


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetSettings:
    """The settings of the budget.

    Buffers are tokens at full scale, marks are fractions of the effective window.
    """

    reserve_output_tokens: int = 16_000
    warning_buffer_tokens: int = 24_000
    auto_compact_buffer_tokens: int = 12_000
    blocking_buffer_tokens: int = 3_000
    warning_at: float = 0.75
    compact_at: float = 0.85
    blocking_at: float = 0.97
    strip_descriptions_at: float = 0.60
    force_final_at: float = 0.90


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The marks of a window, all in tokens."""

    window: int
    reserve: int
    """Tokens kept free for the answer."""
    effective: int
    """What a request may use: window less reserve."""
    warning: int
    compact: int
    blocking: int
    strip_descriptions: int
    force_final: int
    scale: float
    """1 for an effective window of at least 112,000 tokens, less for a smaller one."""

    def scale_tokens(self, tokens: int) -> int:
        """Scale an amount that is meant for a full-scale window to this one."""
        return int(tokens * self.scale)

    def protected_tokens(self, tokens: int) -> int:
        """Cap ``tokens``, how much of the newest tool output a prune leaves alone, for this window.

        The amount is not scaled to the window.

        Of the verbatim uses in recorded sessions 99.6 to 100 % lie within the newest 40,000 tokens
        of tool output, whatever the window.
        """
        return min(tokens, int(self.effective * MOST_PROTECTED))

    def percent(self, used: int) -> float:
        """Return the load in percent of the effective window."""
        return round(100 * used / self.effective, 1)


def budget_for(window: int | None, settings: BudgetSettings | None = None) -> Budget:
    """Return the marks for a window of this many tokens; unknown or absurd ones get a default.

    The order warning < compact < blocking <= effective holds for every window from 4,096 tokens
    up and for every setting: a mark that is set above the next one is drawn below it.
    """
    chosen = settings or BudgetSettings()
    size = (
        window
        if window and window >= LEAST_WINDOW
        else (LEAST_WINDOW if window else UNKNOWN_WINDOW)
    )
    reserve = max(1, min(chosen.reserve_output_tokens, size // 4))
    effective = size - reserve
    scale = min(1.0, effective / FULL_SCALE)
    blocking = _mark(
        effective,
        scale,
        fraction=chosen.blocking_at,
        buffer=chosen.blocking_buffer_tokens,
        ceiling=effective,
    )
    compact = _mark(
        effective,
        scale,
        fraction=chosen.compact_at,
        buffer=chosen.auto_compact_buffer_tokens,
        ceiling=blocking - 1,
    )
    warning = _mark(
        effective,
        scale,
        fraction=chosen.warning_at,
        buffer=chosen.warning_buffer_tokens,
        ceiling=compact - 1,
    )
    return Budget(
        window=size,
        reserve=reserve,
        effective=effective,
        warning=warning,
        compact=compact,
        blocking=blocking,
        strip_descriptions=int(effective * chosen.strip_descriptions_at),
        force_final=int(effective * chosen.force_final_at),
        scale=scale,
    )


def _mark(effective: int, scale: float, fraction: float, buffer: int, ceiling: int) -> int:
    return max(1, min(int(effective * fraction), int(effective - scale * buffer), ceiling))


def zone_for(used: int, budget: Budget, before: Zone = Zone.OK) -> Zone:
    """Return the zone of a load; a zone is left only 5 % below the mark at which it was entered."""
    marks = (
        (Zone.BLOCKING, budget.blocking),
        (Zone.COMPACT, budget.compact),
        (Zone.WARNING, budget.warning),
    )
    if used > budget.effective:
        return Zone.BLOCKING
    for zone, mark in marks:
        entered = RANK[before] >= RANK[zone]
        if used >= (mark * (1 - HYSTERESIS) if entered else mark):
            return zone
    return Zone.OK


RANK = {zone: rank for rank, zone in enumerate(Zone)}


Basis = Literal["counted", "estimated"]


@dataclass(frozen=True, slots=True)
class Measured:
    """The usage that the provider reported for the last request, and our own count of it."""

    request: str
    input_tokens: int
    our_count: int
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """The load of the next request, in tokens."""

    used: int
    budget: Budget
    zone: Zone
    parts: Mapping[Slot, int]
    """The tokens of each kind; their sum is ``used``."""
    basis: Basis
    margin: int
    """By how many tokens the count may be wrong; 0 if it is exact."""
    turns_left: int | None = None
    measured: Measured | None = None
    window_source: WindowSource = "setting"


@dataclass(frozen=True, slots=True)
class Load:
    """How many tokens a request has, in all and by kind."""

    tokens: int
    """The sum of its parts."""
    by_slot: Mapping[Slot, int]


def meter_of(
    view: View | Load,
    budget: Budget,
    *,
    draft: int = 0,
    before: Zone = Zone.OK,
    basis: Basis = "counted",
    margin: int = 0,
    measured: Measured | None = None,
    turns_left: int | None = None,
) -> Meter:
    """Build the meter of a view or load, with a draft prompt of ``draft`` tokens."""
    held = {**view.by_slot, Slot.DRAFT: draft}
    # In one order, however the view came about: after a restart the meter is the same.
    parts = {slot: held[slot] for slot in Slot if held.get(slot)}
    used = view.tokens + draft
    zone = zone_for(used, budget, before)
    return Meter(
        used=used,
        budget=budget,
        zone=zone,
        parts=parts,
        basis=basis,
        margin=margin,
        turns_left=turns_left,
        measured=measured,
    )


LOOKED_AT = 9
"""How many turns the pace is made of: enough to smooth, few enough to follow changes."""
LEAST_GROWN = 3
"""How many turns must have grown before there is a pace."""


class TurnLoads:
    """The loads after the newest turns of a log; reads each entry once."""

    def __init__(self) -> None:
        self._reading = LogReading()
        self._loads = deque[int](maxlen=LOOKED_AT + 1)

    def of(self, log: Sequence[Entry]) -> tuple[int, ...]:
        """Return the loads after the newest turns of a log, as many as a pace needs."""
        start = self._reading.start(log)
        if start == 0:
            self._loads.clear()
        self._loads.extend(note.count("used") for note in notes_of_kind(log[start:], TURN))
        return tuple(self._loads)


def turns_left(loads: Sequence[int], used: int, budget: Budget) -> int | None:
    """Estimate the turns left until the compact mark at the recent pace; None without a pace.

    The pace is the median of the turns that grew, the larger of two in the middle: one long turn,
    or one short question, says little of the next. ``loads``: see `TurnLoads`.
    """
    if used >= budget.compact:
        return 0
    grown = sorted(after - before for before, after in itertools.pairwise(loads) if after > before)
    if len(grown) < LEAST_GROWN:
        return None
    return int((budget.compact - used) / grown[len(grown) // 2])
