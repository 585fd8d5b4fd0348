"""The hooks of a person, programs that run at set points of a session, and the port to run one."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from plimsoll.tools.ports.context import CallContext

HookEvent = Literal[
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "SessionStart",
    "Stop",
    "PreCompact",
    "PostCompact",
]
"""The points at which hooks run, named as other agents name them."""
HookDecision = Literal["deny", "ask", "changed", "block", "postpone", "said", "failed"]
"""What a hook decided, or that it failed: ``said``, it only had words for the model."""
DECIDED: Mapping[HookDecision, str] = {
    "deny": "denied the call",
    "ask": "wants the call asked about",
    "changed": "changed the call",
    "block": "held it back",
    "postpone": "put it off",
    "said": "had words for the model",
    "failed": "did not work",
}
"""The decisions in words for people."""
EVENTS: tuple[HookEvent, ...] = get_args(HookEvent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One program of the person's, and when it runs."""

    event: HookEvent
    command: str
    matcher: str = ""
    """A pattern that the tool's whole name, or the event's cause, must match; empty: any does."""
    seconds: float = 30
    """When it is ended."""


HookProblem = Literal["timeout", "not started", "too much output"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRequest:
    """A hook to run."""

    command: str
    """What a shell runs in the workspace folder."""
    given: str
    """The text of its standard input."""
    seconds: float
    """When it is ended."""
    confined: bool = True
    """Whether it runs in the sandbox; without, a person has allowed it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookOutput:
    """The output and exit code of a hook."""

    code: int = 0
    """The exit code; without meaning where there is a ``problem``."""
    output: str = ""
    """Its standard output."""
    errors: str = ""
    """Its standard error, up to a limit."""
    problem: HookProblem | None = None
    """Why it did not come to its end."""


RunHook = Callable[[HookRequest, CallContext], Awaitable[HookOutput]]
"""Runs a hook to its end and ends all that it started; raises nothing but a cancel."""
