"""What a fuller window changes besides the conversation: thinner schemas, and a forced answer."""

import json
from collections.abc import Iterable, Sequence
from typing import cast

from plimsoll.context.budget import HYSTERESIS, Budget
from plimsoll.context.log.entries import BIG_STEPS, Framed, Slot
from plimsoll.context.log.messages import canonical
from plimsoll.context.stages.next_request import Proposal
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.frames import TOOL_CHOICE, TOOL_PREFIX
from plimsoll.session.clock import Clock
from plimsoll.session.environment import Mode

STABLE_SHARE = 0.10
"""Of effective: a step that leaves a longer prefix as it was would pay for all of it."""


def stripped_schemas(
    fold: Fold, budget: Budget, proposals: Sequence[Proposal], clock: Clock
) -> tuple[Framed, ...]:
    """The schemas without the descriptions of their parameters, once and for good.

    They change with a big step alone, which pays for a new prefix anyway (law 5).
    """
    steps = [p for p in proposals if p.stage in BIG_STEPS]
    due = max((p.before for p in steps), default=0)
    kept = min((p.after - p.rewritten for p in steps), default=0)
    if due < budget.strip_descriptions or kept > budget.effective * STABLE_SHARE:
        return ()
    return tuple(_thinner(fold.frames.values(), clock))


def freed_by(thinner: Iterable[Framed], fold: Fold) -> int:
    """Tokens that the thinner schemas take less."""
    bare = fold.ledger.bare
    return sum(bare(fold.frames[f.slot].text or "") - bare(f.text or "") for f in thinner)


def _thinner(frames: Iterable[Framed], clock: Clock) -> Iterable[Framed]:
    for frame in frames:
        if not frame.slot.startswith(TOOL_PREFIX) or frame.text is None:
            continue
        schema: dict[str, object] = json.loads(frame.text)
        text = canonical({**schema, "parameters": without_descriptions(schema["parameters"])})
        if text != frame.text:
            yield Framed(
                id=clock.new_id("f"), at=clock.now(), slot=frame.slot, kind=Slot.TOOLS, text=text
            )


def without_descriptions(schema: object) -> object:
    """A JSON Schema without its descriptions; a property that has that name stays."""
    if isinstance(schema, list):
        return [without_descriptions(each) for each in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    fields = cast("dict[str, object]", schema)
    return {
        name: _properties(value) if name == "properties" else without_descriptions(value)
        for name, value in fields.items()
        if name != "description"
    }


def _properties(value: object) -> object:
    if not isinstance(value, dict):
        return value
    named = cast("dict[str, object]", value)
    return {name: without_descriptions(each) for name, each in named.items()}


def gate(fold: Fold, budget: Budget, mode: Mode, clock: Clock) -> tuple[Framed, ...]:
    """The change of `tool_choice` that is due: near the end of the window an answer is forced."""
    held = fold.frames.get(TOOL_CHOICE)
    now = (held.text if held else None) or "auto"
    # A zone is left below where it was entered, else the choice would change with each request.
    mark = budget.force_final * (1 - HYSTERESIS if now == "none" else 1)
    wanted = "none" if mode == "ask" or fold.view.tokens >= mark else "auto"
    if now == wanted:
        return ()
    return (
        Framed(
            id=clock.new_id("f"), at=clock.now(), slot=TOOL_CHOICE, kind=Slot.SYSTEM, text=wanted
        ),
    )
