"""The mends in force by address and model: shared by all folders, for seven days."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, cast

from plimsoll.providers.mends.mend import WAYS, Mend, Way, sentence

DAYS = 7
LASTS = DAYS * 24 * 3600.0
"""Seconds after which a server is asked without a mend again: it may have changed."""
MOST_ROWS = 2_000
"""Most stored rows; the oldest are dropped first."""

Row = Mapping[str, object]


class Rows(Protocol):
    """The storage of mends, as rows of texts and numbers.

    Both methods never raise: without the file, mends are kept in memory.
    """

    def read(self) -> Sequence[Row]:
        """Return every row; an empty list if the file is not readable."""
        ...

    def write(self, rows: Sequence[Row]) -> None:
        """Replace all rows."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMend:
    """A mend with its address, model and time."""

    address: str
    model: str
    mend: Mend
    since: float
    """Seconds since 1970."""


class _InMemory:
    def __init__(self) -> None:
        self._rows: Sequence[Row] = ()

    def read(self) -> Sequence[Row]:
        return self._rows

    def write(self, rows: Sequence[Row]) -> None:
        self._rows = rows


class KnownMends:
    """The mends that servers were found to need, shared by all that use the same rows."""

    def __init__(
        self,
        rows: Rows | None = None,
        now: Callable[[], float] = time.time,
        redact: Callable[[str], str] | None = None,
    ) -> None:
        """``redact`` removes a key from an address: some gateways have it in the path."""
        self._rows: Rows = rows or _InMemory()
        self._now = now
        self._redact = redact or str

    def all(self) -> tuple[KnownMend, ...]:
        """Return the mends in force, oldest first."""
        now = self._now()
        found = (known for row in self._rows.read() if (known := _parse_row(row)) is not None)
        return tuple(known for known in found if 0 <= now - known.since < LASTS)

    def mends_for(self, address: str, model: str) -> tuple[Mend, ...]:
        """Return the mends for a model at an address."""
        at = self._redact(address), model
        return tuple(k.mend for k in self.all() if (k.address, k.model) == at)

    def describe_all(self) -> tuple[str, ...]:
        """Describe each mend in force: the refused form, the address, and when the mend ends."""
        return tuple(map(_describe, self.all()))

    def change(
        self, address: str, model: str, *, hold: Collection[Mend], drop: Collection[Mend]
    ) -> None:
        """Put some mends in force, and drop others."""
        gone, now, address = {*hold, *drop}, self._now(), self._redact(address)
        kept = [
            known
            for known in self.all()
            if (known.address, known.model) != (address, model) or known.mend not in gone
        ]
        new = [KnownMend(address=address, model=model, mend=mend, since=now) for mend in hold]
        self._rows.write([_row(known) for known in [*kept, *new][-MOST_ROWS:]])


def _describe(known: KnownMend) -> str:
    end = datetime.fromtimestamp(known.since + LASTS, UTC).date().isoformat()
    told = sentence(known.mend, f"{known.model} ({known.address})").removesuffix(".")
    return f"{told}; until {end}"


def _row(known: KnownMend) -> Row:
    mend = known.mend
    told = {"way": mend.way, "what": mend.what, "to": mend.to}
    return {"address": known.address, "model": known.model, "since": known.since, **told}


def _parse_row(row: Row) -> KnownMend | None:
    """Parse a row; None if it has not the shape of a mend or names an unknown way."""
    match row:
        case {
            "address": str(address),
            "model": str(model),
            "since": int() | float() as since,
            "way": str(way),
            "what": str(what),
            "to": str(to),
        } if way in WAYS and (not to or _fits(way, to)):
            mend = Mend(way=cast("Way", way), what=what, to=to)
            return KnownMend(address=address, model=model, mend=mend, since=float(since))
        case _:
            return None


def _fits(way: str, to: str) -> bool:
    """Tell whether a mend's new value is a number, if a mend of this way needs a number."""
    numbered = way in {"cap", "names", "images", "ids"}
    return not numbered or (to.removeprefix("<").removeprefix("=").isdecimal() and len(to) <= 9)
