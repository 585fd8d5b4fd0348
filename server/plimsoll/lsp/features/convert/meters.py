"""How full the context is, on the wire."""

from plimsoll.context import budget
from plimsoll.lsp.wire.context import LastMeasured, Meter, MeterPart, Thresholds


def meter(session_id: str, load: budget.Meter) -> Meter:
    """Convert the meter to its wire form."""
    marks, measured = load.budget, load.measured
    return Meter(
        session_id=session_id,
        used=load.used,
        window=marks.window,
        window_source=load.window_source,
        effective=marks.effective,
        reserved_output=marks.reserve,
        percent=marks.percent(load.used),
        zone=load.zone,
        basis=load.basis,
        margin_tokens=load.margin,
        thresholds=Thresholds(
            warning=marks.warning, compact=marks.compact, blocking=marks.blocking
        ),
        parts=tuple(MeterPart(kind=slot, tokens=load.parts[slot]) for slot in load.parts),
        turns_left=load.turns_left,
        last_measured=LastMeasured(
            request_id=measured.request,
            input_tokens=measured.input_tokens,
            cached_tokens=measured.cached_tokens,
            our_count=measured.our_count,
        )
        if measured
        else None,
    )
