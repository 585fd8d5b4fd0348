"""The load line: how much of the window the next request takes, and of what it is made."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from plimsoll.context.budget import Budget, Zone, zone_for
from plimsoll.context.log.entries import Slot
from plimsoll.context.view.view import View

Basis = Literal["counted", "estimated"]


@dataclass(frozen=True, slots=True)
class Measured:
    """What the provider reported for the last request, beside our own count of the same."""

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
    """What it is made of; the sum is ``used``."""
    basis: Basis
    margin: int
    """By how much the count may be wrong; 0 when it is exact."""
    turns_left: int | None = None
    measured: Measured | None = None


def meter_of(
    view: View,
    budget: Budget,
    *,
    draft: int = 0,
    before: Zone = Zone.OK,
    basis: Basis = "counted",
    margin: int = 0,
    measured: Measured | None = None,
    turns_left: int | None = None,
) -> Meter:
    """The meter of a view with an unsent prompt of ``draft`` tokens."""
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
