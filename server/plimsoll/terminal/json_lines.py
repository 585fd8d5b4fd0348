"""Events as JSON for programs: in the shapes of the wire, one object a line.

The shapes are loaded with the first line: pydantic takes 10 MB, which no command that prints text
has to pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from plimsoll.session.ports.events import Event, MeterMoved
from plimsoll.session.reduction.inspection import Report
from plimsoll.terminal.screen import Screen

if TYPE_CHECKING:
    from plimsoll.lsp.wire.base import Wire


class JsonLines:
    """Prints every event as a line of JSON."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def __call__(self, session_id: str, event: Event) -> None:
        """Print one event; see ``Listener``."""
        from plimsoll.lsp.features.convert import meters, updates

        if isinstance(event, MeterMoved):
            self._screen.object(with_kind("meter", meters.meter(session_id, event.meter)))
            return
        told = updates.update(event)
        if told is not None:
            self._screen.object(plain_object(told))


def plain_object(value: Wire) -> Mapping[str, object]:
    """Convert a wire model to the object that crosses the wire."""
    from plimsoll.lsp.wire.base import dump

    return cast("Mapping[str, object]", dump(value))


def with_kind(kind: str, value: Wire) -> Mapping[str, object]:
    """Convert a wire model to an object whose first field is its kind."""
    return {"kind": kind, **plain_object(value)}


def print_report(session_id: str, report: Report, screen: Screen) -> None:
    """Print the whole report as JSON."""
    from plimsoll.lsp.features.convert import context, meters

    whole = context.report(
        meters.meter(session_id, report.meter), report, detail=True, offset=0, limit=None
    )
    screen.object(with_kind("report", whole))
