"""Runs the hooks of one event, one after another, and tells each run.

Law 6: a hook runs in the sandbox. Where none works, or a lesser one than before, the person is
asked once, with the commands in front of them; until they allow it, none runs.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.memory.fence import quote_line
from plimsoll.session.hooks.answers import HookAnswer, read_answer
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    CallShown,
    HookRan,
    NoticeGiven,
)
from plimsoll.session.ports.ids import new_question_id
from plimsoll.session.state.session_state import SessionState, person_of
from plimsoll.tools.ports.hooks import Hook, HookDecision, HookEvent, HookRequest
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.process.confinement.base import UNCONFINED

log = logging.getLogger(__name__)

NAME_LENGTH = 80
"""Characters of a hook's name."""
LONGEST_COMMAND = 300
"""Characters of its command that are listed."""
FAILED = "The hook `{name}` ({event}) did not work: {fault}. It decided nothing."
TITLE = "Run your hooks without a sandbox?"
OUTSIDE = (
    "No sandbox works here, so your hooks would run as you do. Nothing of them runs until you "
    "allow it; `/hooks` lists them."
)
WHY = "They run outside the sandbox, where they can do all that you can."
ALIASES: Mapping[str, str] = {
    "shell": "Bash",
    "file_read": "Read",
    "file_write": "Write",
    "file_edit": "Edit",
    "notebook_edit": "NotebookEdit",
    "glob": "Glob",
    "grep": "Grep",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "subagent": "Task",
    "tasks": "TodoWrite",
}
"""The names of tools in other agents, by which matchers name them too."""


@dataclass(frozen=True, slots=True)
class AnsweredHook:
    """The answer of one hook."""

    name: str
    answer: HookAnswer


def hooks_for(state: SessionState, event: HookEvent, about: str = "") -> tuple[Hook, ...]:
    """Return the hooks that run at an event.

    ``about``: the tool's name, or the event's cause, which their matchers are held against.
    """
    hooks = (hook for hook in hooks_here(state) if hook.event == event)
    return tuple(hook for hook in hooks if _matches(hook.matcher, about))


def hooks_here(state: SessionState) -> tuple[Hook, ...]:
    """Return all hooks that may run; none in a folder that the person does not trust."""
    own = state.environment
    return own.rules().hooks if own.outside.run_hook is not None and own.trusted() else ()


def _matches(matcher: str, about: str) -> bool:
    names = (about, ALIASES[about]) if about in ALIASES else (about,)
    return not matcher or any(re.fullmatch(matcher, name) for name in names)


def name_of(hook: Hook, state: SessionState) -> str:
    """Return the beginning of a hook's command for people, its program without the folder."""
    whole = command_of(hook, state, LONGEST_COMMAND)
    return quote_line(re.sub(r"^\S*/(?=[^\s/])", "", whole), NAME_LENGTH)


def command_of(hook: Hook, state: SessionState, most: int = LONGEST_COMMAND) -> str:
    """Return a hook's command on one line, without secrets, for people."""
    return quote_line(state.redact(hook.command).replace("`", "'"), most)


async def answers_of(
    state: SessionState,
    turn: str,
    event: HookEvent,
    given: Mapping[str, object],
    *,
    about: str = "",
) -> AsyncIterator[AnsweredHook]:
    """Run the hooks of an event in their order, and yield the answer of each.

    ``given``: what they are told besides what all are; it may change from one to the next. Whoever
    stops listening stops the rest. ``about``: see ``hooks_for``.
    """
    hooks = hooks_for(state, event, about)
    if not hooks or not (how := await _find_way(state, turn)):
        return
    for hook in hooks:
        yield await _run(state, turn, hook, given, confined=how == "confined")


async def _run(
    state: SessionState, turn: str, hook: Hook, given: Mapping[str, object], *, confined: bool
) -> AnsweredHook:
    own, name = state.environment, name_of(hook, state)
    run_hook = own.outside.run_hook
    assert run_hook is not None
    text = json.dumps({**_common(state, hook.event), **given}, ensure_ascii=False)
    request = HookRequest(command=hook.command, given=text, seconds=hook.seconds, confined=confined)
    context = replace(own.call_context, hear_command=state.made.hear)
    began = own.clock.seconds()
    output = await run_hook(request, context)
    answer = read_answer(hook.event, output)
    ran = HookRan(
        turn=turn,
        event=hook.event,
        name=name,
        decision=_decision(answer),
        milliseconds=round(1000 * (own.clock.seconds() - began)),
    )
    state.hooks.runs.append(ran)
    log.info("hook %s: %s after %s ms", ran.event, ran.decision or "done", ran.milliseconds)
    state.voice.emit(ran)
    _tell_fault(state, turn, ran, answer.fault)
    return AnsweredHook(name, answer)


def _common(state: SessionState, event: HookEvent) -> dict[str, object]:
    mode = "plan" if state.mode == "plan" else "default"
    cwd = str(state.files.root)
    return {"session_id": state.id, "cwd": cwd, "permission_mode": mode, "hook_event_name": event}


def _decision(answer: HookAnswer) -> HookDecision | None:
    if answer.fault is not None:
        return "failed"
    if answer.verdict in ("deny", "block", "postpone"):
        return answer.verdict
    if answer.changed_input is not None:
        return "changed"
    return answer.verdict or ("said" if answer.context or answer.keep else None)


def _tell_fault(state: SessionState, turn: str, ran: HookRan, fault: str | None) -> None:
    about = f"{ran.event} {ran.name} {fault}"
    if fault is not None and about not in state.hooks.told:
        state.hooks.told.add(about)
        words = FAILED.format(name=ran.name, event=ran.event, fault=fault)
        state.voice.emit(NoticeGiven(words, "warning", turn or None))


async def _find_way(state: SessionState, turn: str) -> str | None:
    """Tell how hooks run, ``confined`` or ``outside``; None: not at all."""
    if (how := await _find_confinement(state)) is not None:
        return how
    confining = state.environment.call_context.confining
    decision = await _ask_outside(person_of(state), turn)
    if not decision:
        return None
    access = await asyncio.to_thread(confining.plan_access, network=False) if confining else None
    return "outside" if access is None else "confined"


async def name_outside(state: SessionState, turn: str = "") -> None:
    """Tell the person once that their hooks have no sandbox, where that is so."""
    if hooks_here(state) and await _find_confinement(state) is None:
        _tell_outside(person_of(state), turn)


def _tell_outside(person: SessionState, turn: str) -> None:
    if OUTSIDE not in person.hooks.told:
        person.hooks.told.add(OUTSIDE)
        person.voice.emit(NoticeGiven(OUTSIDE, "warning", turn or None))


async def _find_confinement(state: SessionState) -> str | None:
    """Return ``confined`` where hooks run in the strongest sandbox that has worked here."""
    confining = state.environment.call_context.confining
    found = await asyncio.to_thread(confining.probing.result) if confining else None
    usual = found is not None and found.sandbox is not None and found.less is None
    return "confined" if usual else None


async def _ask_outside(person: SessionState, turn: str) -> bool:
    """Ask the person once whether the hooks as they are now may run without the usual sandbox."""
    commands = tuple(hook.command for hook in person.environment.rules().hooks)
    record = person.hooks
    async with record.asking:
        if commands not in record.outside:
            _tell_outside(person, turn)
            call = _question(person, commands)
            person.voice.emit(CallMade(turn, call))
            person.voice.emit(CallChanged(turn=turn, call_id=call.id, status="waiting"))
            decision = await person.approvals.decide(person.id, turn, call)
            status = "completed" if decision.allowed else "rejected"
            ended = CallChanged(turn=turn, call_id=call.id, status=status, output="")
            person.voice.emit(ended)
            record.outside[commands] = decision
        return record.outside[commands].allowed


def _question(person: SessionState, commands: tuple[str, ...]) -> CallShown:
    shown = "\n".join(person.redact(command) for command in commands)
    return CallShown(
        id=new_question_id(person.clock),
        item="",
        name="hooks",
        arguments=canonical({}),
        traits=ToolTraits(verb="Run hooks"),
        intent=Intent(
            title=TITLE,
            ask=True,
            why_each_time=WHY,
            command=shown,
            how="Run without a sandbox",
            confinement=UNCONFINED,
            plan=None,
        ),
    )
