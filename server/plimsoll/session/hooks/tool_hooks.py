"""Hooks around a tool's call.

Before it they deny it, change it or have it asked about; after it they add words to its result.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from plimsoll.context.log.messages import Part, canonical
from plimsoll.session.hooks.running import answers_of
from plimsoll.session.hooks.wording import quote_words
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.intent import Outcome
from plimsoll.tools.ports.mcp import CALL_TOOL, relayed_call

DENIED = "Not run: denied by "
ASKED = "Your hook `{name}` wants each such call asked about."
CHANGED = "Your hook `{name}` changed what the agent called."
RAN_CHANGED = "[The user's hook `{name}` changed the arguments of this call to {arguments}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookedCall:
    """A call after the hooks before it."""

    part: Part
    """The call, perhaps with other arguments."""
    denied: str | None = None
    """The text of its result, where a hook denied it."""
    asks: str | None = None
    """Why a person is asked about it, whatever they have allowed."""
    changed: str | None = None
    """Why no earlier answer of a person covers it: a hook gave it other arguments."""
    told: tuple[str, ...] = ()
    """What its result says besides."""


async def before_call(state: SessionState, turn: str, call: Part) -> HookedCall:
    """Run the hooks before a call that its tool would run; the first that denies it ends them.

    Each is given the arguments as those before it have left them.
    """
    hooked = HookedCall(part=call)
    tool, arguments = _name_for_hooks(call)
    given: dict[str, object] = {
        "tool_name": tool,
        "tool_use_id": call.call_id or "",
        "tool_input": arguments,
    }
    async for each in answers_of(state, turn, "PreToolUse", given, about=tool):
        answer, name = each.answer, each.name
        if answer.verdict == "deny":
            return replace(hooked, denied=quote_words("PreToolUse", name, answer.reason, DENIED))
        if answer.verdict == "ask":
            hooked = replace(hooked, asks=ASKED.format(name=name))
        if answer.context:
            hooked = _with_words(hooked, quote_words("PreToolUse", name, answer.context))
        if answer.changed_input is not None:
            given["tool_input"] = answer.changed_input
            text = canonical(answer.changed_input)
            note = RAN_CHANGED.format(name=name, arguments=state.redact(text))
            changed = CHANGED.format(name=name)
            part = _with_arguments(hooked.part, answer.changed_input)
            hooked = _with_words(replace(hooked, part=part, changed=changed), note)
    return hooked


async def after_call(state: SessionState, turn: str, call: Part, outcome: Outcome) -> Outcome:
    """Run the hooks after a call that has run; what they say stands behind its result."""
    tool, arguments = _name_for_hooks(call)
    given = {
        "tool_name": tool,
        "tool_use_id": call.call_id or "",
        "tool_input": arguments,
        "tool_response": {
            "text": state.redact(outcome.text),
            "failed": outcome.failed,
            "exit_code": outcome.exit_code,
        },
    }
    told: list[str] = []
    async for each in answers_of(state, turn, "PostToolUse", given, about=tool):
        words = filter(None, (each.answer.reason, each.answer.context))
        told += [quote_words("PostToolUse", each.name, text) for text in words]
    return replace(outcome, text="\n".join((outcome.text, *told))) if told else outcome


def _name_for_hooks(call: Part) -> tuple[str, Mapping[str, object]]:
    """Return name and arguments of a call as hooks know them: of a server's tool its own."""
    return relayed_call(call.name or "", json.loads(call.text))


def _with_arguments(call: Part, changed: Mapping[str, object]) -> Part:
    """Return a call with other arguments; that of a server's tool still calls the same tool."""
    if call.name == CALL_TOOL:
        changed = {**json.loads(call.text), "arguments": changed}
    return replace(call, text=canonical(changed))


def _with_words(hooked: HookedCall, words: str) -> HookedCall:
    return replace(hooked, told=(*hooked.told, words))
