"""Running tool calls: each behind its gates, each answered exactly once."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from plimsoll.context.index.calls import object_of
from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.messages import Part, rewrite_json
from plimsoll.errors import ToolFailed
from plimsoll.session.ports.agent import MAIN, Agent
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.environment import Environment, Mode
from plimsoll.session.ports.events import LONGEST_TITLE, CallShown, CallStatus
from plimsoll.session.state.approvals import Approvals
from plimsoll.storage.base import Redactor
from plimsoll.text.first_words import cut_line
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import AnyIntent, Intent, Outcome
from plimsoll.tools.ports.mcp import CALL_TOOL, CALLED_PREFIX, names_tool, relayed_call
from plimsoll.tools.ports.tool import AnyTool, Arguments

REJECTED = "The user declined this call."
NOTHING_SENT = "Nothing was sent: a secret stands in it, or what looks like one."
UNANSWERED = "Nobody allowed this call, so it was not run."


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A call that has passed its tool's check, or the outcome by which it was refused."""

    shown: CallShown
    tool: AnyTool | None = None
    intent: AnyIntent | None = None
    refusal: Outcome | None = None
    call_context: CallContext | None = None
    part: Part | None = None
    """The call as it was prepared: a hook may have changed it."""
    told: tuple[str, ...] = ()
    """What hooks before the call say in its result."""

    @property
    def changes(self) -> bool:
        """Whether the call may change something; false if it is not run."""
        return self.tool is not None and not self.tool.reading

    @property
    def touched(self) -> tuple[Path, ...]:
        """The files that the call reads or edits."""
        if self.intent is None or self.shown.traits.kind not in {"read", "edit"}:
            return ()
        return tuple(location.path for location in self.intent.locations)


async def prepare(
    part: Part,
    item: str,
    *,
    mode: Mode,
    environment: Environment,
    call_context: CallContext,
    agent: Agent = MAIN,
) -> Prepared:
    """Check a call at every gate that needs no person."""
    tool = environment.tools.get(part.name or "")
    traits = tool.traits if tool else part.traits
    redact = environment.redact
    shown = CallShown(
        id=part.call_id or "",
        item=item,
        name=part.name or "",
        arguments=rewrite_json(part.text, redact),
        traits=traits,
    )
    refusal = _refusal(part, tool, mode, agent=agent, environment=environment)
    if refusal is not None or tool is None:
        return Prepared(shown=shown, refusal=refusal)
    arguments: Arguments = json.loads(part.text)
    try:
        found = await asyncio.to_thread(tool.prepare, arguments, call_context)
        intent = found if isinstance(found, Intent) else await found
    except ToolFailed as error:
        return Prepared(shown=shown, tool=tool, refusal=Outcome(text=error.message, failed=True))
    if intent.address is not None and redact(intent.address) != intent.address:
        # The person could not be shown what is sent.
        return Prepared(shown=shown, tool=tool, refusal=Outcome(text=NOTHING_SENT, failed=True))
    shown = replace(shown, intent=_without_secrets(intent, redact))
    return Prepared(shown=shown, tool=tool, intent=intent, call_context=call_context, part=part)


def _without_secrets(intent: AnyIntent, redact: Redactor) -> AnyIntent:
    """Redact an intent for people; the command that runs and the approval's scope stay."""
    return replace(
        intent,
        # A secret that is cut is no longer known for one: first it is taken out, then it is cut.
        title=cut_line(redact(intent.title), LONGEST_TITLE),
        command=redact(intent.command) if intent.command is not None else None,
        diff=redact(intent.diff) if intent.diff is not None else None,
        proposal=redact(intent.proposal) if intent.proposal is not None else None,
        hunks=tuple(replace(hunk, text=redact(hunk.text)) for hunk in intent.hunks),
        # What would have to be kept with a secret in it is never kept.
        lasting=tuple(each for each in intent.lasting if redact(each.subject) == each.subject),
    )


def _refusal(
    part: Part, tool: AnyTool | None, mode: Mode, agent: Agent, environment: Environment
) -> Outcome | None:
    """Return the outcome that tells the model why a call may not run at all, if so."""
    if part.opaque is not None:
        return Outcome(
            text="The arguments were no JSON object, so nothing was run. They began with: "
            f"{part.opaque[:200]!r}. Send the call again with valid JSON.",
            failed=True,
        )
    if tool is None:
        known = ", ".join(environment.tools)
        return Outcome(text=f"There is no tool {part.name!r}. The tools are: {known}.", failed=True)
    if mode == "ask":
        return Outcome(text="No tool runs in ask mode. Answer from what stands here.", failed=True)
    if mode == "plan" and not tool.reading:
        return Outcome(
            text=f"{part.name} does not run in plan mode. Finish the plan; the user then "
            "switches to edit mode.",
            failed=True,
        )
    if agent.tools is not None and not _is_of(part, agent.tools):
        whose = f"the agent {agent.name}" if agent.name else "an agent called by one of few tools"
        return Outcome(
            text=f"{part.name} does not run in {whose}. Its tools are: "
            f"{', '.join(sorted(agent.tools))}.",
            failed=True,
        )
    if agent.kind == "explore" and not tool.reading:
        return Outcome(
            text=f"{part.name} does not run in an explore agent, which changes nothing. Say in "
            "your answer what should be done.",
            failed=True,
        )
    if not tool.reading and not environment.trusted():
        return Outcome(
            text=f"{part.name} does not run, since the user has not trusted this folder. "
            "Reading works.",
            failed=True,
        )
    return None


def _is_of(part: Part, tools: Collection[str]) -> bool:
    """Tell whether the agent may call this tool, or names this tool of a server."""
    name, _ = relayed_call(part.name or "", object_of(part.text))
    named = [tool for tool in tools if tool.startswith(CALLED_PREFIX)]
    if part.name == CALL_TOOL and named and not any(names_tool(tool, name) for tool in named):
        return False
    return part.name in tools


async def run(
    prepared: Prepared,
    session_id: str,
    turn: str,
    approvals: Approvals,
    environment: Environment,
    hear: Callable[[str, CallStatus], None],
    settle: Callable[[], Awaitable[None]],
) -> Outcome:
    """Ask the person about a call if need be, then run it exactly as it was shown.

    ``settle``: moves protected files of running commands aside, and tells the person.
    """
    if prepared.refusal is not None:
        return replace(prepared.refusal, ended=CallEnd.NOT_RUN)
    tool, intent = prepared.tool, prepared.intent
    assert tool is not None
    assert intent is not None
    assert prepared.call_context is not None
    approved, why = None, None
    if intent.ask:
        hear(prepared.shown.id, "waiting")
        decision = await approvals.decide(session_id, turn, prepared.shown)
        if not decision.allowed:
            return _declined_outcome(decision)
        if not tool.reading and not environment.trusted():
            text = "The folder is no longer trusted; nothing was run."
            return Outcome(text=text, failed=True, ended=CallEnd.NOT_RUN)
        approved = _what_was_allowed(decision, intent)
        if intent.proposal is not None and decision.edited is not None:
            intent = replace(intent, proposal=decision.edited)
        kept = _kept_hunks(decision, intent)
        if kept == ():
            return _declined_outcome(decision)
        why = decision.reason if kept is not None else None
        intent = replace(intent, kept_hunks=kept)
    hear(prepared.shown.id, "running")
    await settle()
    began = environment.clock.seconds()
    try:
        outcome = await tool.run(intent, prepared.call_context)
    except ToolFailed as error:
        return Outcome(text=error.message, failed=True, approved=approved)
    if tool.traits.kind == "edit":
        await environment.commands.accept(prepared.touched)
    if why:
        outcome = replace(outcome, text=f"{outcome.text}\nReason: {why}")
    took = environment.clock.seconds() - began if tool.traits.runs else None
    return replace(_with_duration(outcome, took), approved=approved)


def _with_duration(outcome: Outcome, seconds: float | None) -> Outcome:
    """Add a command's duration to its outcome, unless it runs on in the background."""
    if seconds is None or outcome.exit_code is None:
        return outcome
    return replace(outcome, milliseconds=round(1000 * seconds))


def _kept_hunks(decision: Decision, intent: AnyIntent) -> tuple[int, ...] | None:
    """Return the hunks of a change that a person keeps; None: all of them."""
    if decision.kept_hunks is None or not intent.hunks:
        return None
    kept = tuple(n for n in range(len(intent.hunks)) if n in decision.kept_hunks)
    return None if len(kept) == len(intent.hunks) else kept


def _declined_outcome(decision: Decision) -> Outcome:
    """Make the outcome of a call that was not allowed, with the reason given."""
    reason = f" Reason: {decision.reason}" if decision.reason else ""
    by = "nobody" if decision.by == "rule" else decision.by
    text = (UNANSWERED if by == "nobody" else REJECTED) + reason
    rejection = Rejection(by, decision.reason or None)
    return Outcome(text=text, failed=True, ended=CallEnd.DECLINED, rejection=rejection)


def _what_was_allowed(decision: Decision, intent: AnyIntent) -> str | None:
    """Describe what a person has just allowed for the session; None for an earlier approval."""
    if not decision.for_session or decision.by != "person" or intent.why_each_time is not None:
        return None
    if decision.wider:
        return intent.wider.covers if intent.wider else None
    return (intent.covers or intent.title) if intent.approval else None


async def with_afterwards(outcome: Outcome) -> tuple[Outcome, asyncio.CancelledError | None]:
    """Add the text of an outcome's ``afterwards``; return a cancel that came meanwhile.

    The files are changed by then, so the outcome is logged before the turn ends.
    """
    if outcome.afterwards is None:
        return outcome, None
    try:
        more = await outcome.afterwards()
    except asyncio.CancelledError as cancelled:
        return outcome, cancelled
    return replace(outcome, text="\n".join(filter(None, (outcome.text, more)))), None
