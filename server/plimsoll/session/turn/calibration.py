"""What the provider's own figures teach about our count; kept in the log, so a restart knows it."""

import json
from collections.abc import Iterable

from plimsoll.context.log.entries import Entry, Noted
from plimsoll.context.log.messages import canonical
from plimsoll.session.clock import Clock
from plimsoll.session.session_state import SessionState
from plimsoll.tokens.correction import Correction

CALIBRATION = "calibration"


async def learn(state: SessionState, counted: int, reported: int) -> None:
    """Take what a provider reported for a request that we had counted."""
    if state.model.basis == "counted":
        return
    learned = state.model.correction.learned(counted, reported)
    if learned == state.model.correction:
        return
    model = state.environment.models.corrected(state.model, learned)
    await state.append(_note(model.id, learned, state.environment.clock))
    await state.use_model(model)


def known(entries: Iterable[Entry], model: str) -> Correction | None:
    """The newest correction that a log holds for a model."""
    found = None
    for entry in entries:
        if isinstance(entry, Noted) and entry.what == CALIBRATION:
            data = json.loads(entry.data)
            if data["model"] == model:
                found = Correction(float(data["factor"]), float(data["band"]))
    return found


def _note(model: str, learned: Correction, clock: Clock) -> Noted:
    data = {"model": model, "factor": round(learned.factor, 6), "band": round(learned.band, 6)}
    return Noted(id=clock.new_id("n"), at=clock.now(), what=CALIBRATION, data=canonical(data))
