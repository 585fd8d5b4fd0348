"""Calls with the person's hooks around them.

Law 6: a hook holds a call back and never lets it through. What it changes passes the tool's own
check again, and the person is asked about the call as changed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.messages import Part
from plimsoll.session.state.session_state import SessionState
from plimsoll.session.turn.tool_calls import Prepared
from plimsoll.tools.ports.intent import Outcome


async def prepare_hooked(
    state: SessionState, turn: str, call: Part, prepare: Callable[[Part], Awaitable[Prepared]]
) -> Prepared:
    """Prepare a call, run the hooks before it, and prepare it again if they changed it."""
    prepared = await prepare(call)
    if prepared.refusal is not None or not state.has_hooks("PreToolUse"):
        return prepared
    # Late, as wherever hooks run: most people have none.
    from plimsoll.session.hooks.tool_hooks import before_call

    hooked = await before_call(state, turn, call)
    if hooked.denied is not None:
        return replace(prepared, refusal=Outcome(text=hooked.denied, failed=True))
    if hooked.part is not call:
        prepared = await prepare(hooked.part)
    prepared = replace(prepared, part=hooked.part, told=hooked.told)
    if prepared.intent is None:
        return prepared
    why = hooked.asks or (hooked.changed if prepared.intent.ask else None)
    return _asked_each_time(prepared, why) if why is not None else prepared


def _asked_each_time(prepared: Prepared, why: str) -> Prepared:
    """Have a person asked about a call, whatever they have allowed before."""
    intent, shown = prepared.intent, prepared.shown.intent
    assert intent is not None
    assert shown is not None
    why = " ".join(filter(None, (why, intent.why_each_time)))
    asked, seen = (
        replace(each, ask=True, why_each_time=why, approval="", wider=None, lasting=())
        for each in (intent, shown)
    )
    return replace(prepared, intent=asked, shown=replace(prepared.shown, intent=seen))


async def with_hooks_after(
    state: SessionState, turn: str, prepared: Prepared, outcome: Outcome
) -> tuple[Outcome, asyncio.CancelledError | None]:
    """Add to an outcome what hooks say; return a cancel that came meanwhile.

    The call has had its effect by then, so the outcome is logged before the turn ends.
    """
    if prepared.told:
        outcome = replace(outcome, text="\n".join((outcome.text, *prepared.told)))
    part = prepared.part
    if part is None or outcome.ended is not CallEnd.RAN or not state.has_hooks("PostToolUse"):
        return outcome, None
    from plimsoll.session.hooks.tool_hooks import after_call

    try:
        return await after_call(state, turn, part, outcome), None
    except asyncio.CancelledError as cancelled:
        return outcome, cancelled
