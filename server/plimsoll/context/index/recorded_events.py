"""The decisions and attempts in a log, found by the fields of its entries.

Only corrections are found by the form of a person's words; how a call ended, who declined it, what
was allowed with it, and which tasks were done, are fields.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from plimsoll.context.index.calls import AnsweredCall, answered_calls, arguments_of
from plimsoll.context.index.telling import telling_failure
from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.log.entries import (
    Entry,
    Framed,
    Origin,
    Said,
    Slot,
    with_subtasks,
    written_texts,
)
from plimsoll.context.log.messages import Part, Role, message_of
from plimsoll.text.corrections import corrections_in
from plimsoll.text.first_words import cut_line

LONGEST_REFUSED = 300
"""Characters of the refused hunks of a change."""
TRIED_KINDS = frozenset({"edit", "execute"})
"""Kinds of tools whose failures are worth recording; a failed search or read is not."""


class RecordKind(StrEnum):
    """The kind of a recorded event."""

    DECLINED = "declined"
    ALLOWED = "allowed"
    CORRECTED = "corrected"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvent:
    """One decision or attempt, word for word."""

    kind: RecordKind
    what: str
    """The command or call, the approval, the correction, or the task."""
    why: str = ""
    """The reason of a refusal, or the line of an output that explains the failure."""
    code: int | None = None
    """The exit code of a failed command."""
    message: str = ""
    """The id of the message that holds it; empty for a task."""
    item: str = ""
    """The item with the full text; empty if the event has it all."""
    foreign: bool = False
    """Whether an import brought it, so that nobody here said or decided it."""
    times: int = 1
    overcome: bool = False
    """Whether the same command has succeeded since."""


class RecordedEvents:
    """Collects the events of a log, reading each message and call once."""

    def __init__(self) -> None:
        self._corrections: dict[str, tuple[str, ...]] = {}
        self._calls: dict[str, tuple[RecordedEvent, ...]] = {}
        self._commands: dict[str, str] = {}
        """The command of each call, by item."""

    def of(self, messages: Iterable[Said], entries: Iterable[Entry]) -> list[RecordedEvent]:
        """Return the events in these messages and in the tasks of a log, oldest first, each once.

        ``messages``: those that no rewind hides, in order. A repeated event is placed where it
        happened last.
        """
        said = list(messages)
        order = {message.id: number for number, message in enumerate(said)}
        found = [*_tasks_done(entries), *self._corrections_of(said), *self._of_calls(said)]
        found.sort(key=lambda event: order.get(event.message, -1))
        merged: dict[tuple[object, ...], RecordedEvent] = {}
        for event in found:
            key = event.kind, event.what, event.why, event.code, event.foreign
            before = merged.pop(key, None)
            merged[key] = event if before is None else replace(event, times=before.times + 1)
        return list(merged.values())

    def _corrections_of(self, said: Iterable[Said]) -> Iterator[RecordedEvent]:
        for message in said:
            if message.role is not Role.USER or message.origin not in _WORDS_OF_PEOPLE:
                continue
            known = self._corrections.get(message.id)
            if known is None:
                texts = written_texts(message)
                known = tuple(c for each in texts for c in corrections_in(each.text, each.pasted))
                self._corrections[message.id] = known
            foreign = message.origin is Origin.IMPORT
            for correction in known:
                yield RecordedEvent(
                    kind=RecordKind.CORRECTED, what=correction, message=message.id, foreign=foreign
                )

    def _of_calls(self, said: Iterable[Said]) -> Iterator[RecordedEvent]:
        messages = {message.id: message for message in said}
        calls = [call for call in answered_calls(messages.values()) if call.result is not None]
        succeeded = {
            self._command(call): number
            for number, call in enumerate(calls)
            if call.traits.runs and call.exit_code == 0
        }
        for number, call in enumerate(calls):
            for event in self._of_call(call, messages):
                since = succeeded.get(event.what, -1) > number
                overcome = since and event.kind is RecordKind.FAILED
                yield replace(event, overcome=True) if overcome else event

    def _of_call(
        self, call: AnsweredCall, messages: Mapping[str, Said]
    ) -> tuple[RecordedEvent, ...]:
        assert call.result is not None
        assert call.result_item is not None
        known = self._calls.get(call.result_item)
        if known is None:
            message = messages[message_of(call.result_item)]
            foreign = message.origin is Origin.IMPORT
            known = self._calls[call.result_item] = tuple(
                replace(event, message=message.id, item=call.call_item, foreign=foreign)
                for event in _of_call(call, call.result)
            )
        return known

    def _command(self, call: AnsweredCall) -> str:
        known = self._commands.get(call.call_item)
        if known is None:
            known = self._commands[call.call_item] = _what(call)
        return known


_WORDS_OF_PEOPLE = frozenset({Origin.PERSON, Origin.IMPORT})


def _of_call(call: AnsweredCall, result: Part) -> Iterator[RecordedEvent]:
    if result.approved:
        yield RecordedEvent(kind=RecordKind.ALLOWED, what=result.approved)
    if result.refused:
        hunks = cut_line(result.refused.replace("\n", " ⏎ "), LONGEST_REFUSED)
        yield RecordedEvent(kind=RecordKind.DECLINED, what=f"{_what(call)}, of it: {hunks}")
    rejection = result.rejection
    if rejection is not None and rejection.by != "nobody":
        why = rejection.reason or ""
        yield RecordedEvent(kind=RecordKind.DECLINED, what=_what(call), why=why)
    if _has_failed(call, result):
        why = telling_failure(result.text)
        yield RecordedEvent(
            kind=RecordKind.FAILED, what=_what(call), why=why, code=result.exit_code
        )


def _has_failed(call: AnsweredCall, result: Part) -> bool:
    tried = call.traits.runs or call.traits.kind in TRIED_KINDS
    in_vain = result.failed or result.exit_code not in (None, 0)
    return tried and in_vain and result.ended is CallEnd.RAN


def _what(call: AnsweredCall) -> str:
    """Return the command word for word, or the tool and target of any other call."""
    if call.traits.runs:
        command = arguments_of(call.call).get(call.traits.subject or "command")
        return command if isinstance(command, str) else call.target
    return f"{call.name} {call.target}".strip()


def _tasks_done(entries: Iterable[Entry]) -> Iterator[RecordedEvent]:
    """Yield the tasks that were done and have left the list."""
    newest: Framed | None = None
    done: dict[str, None] = {}
    for entry in entries:
        if isinstance(entry, Framed) and entry.kind is Slot.TASKS:
            newest = entry
            finished = (t for t in with_subtasks(entry.tasks) if t.status == "completed")
            done.update(dict.fromkeys(task.title for task in finished))
    listed = {task.title for task in with_subtasks(newest.tasks)} if newest else set[str]()
    for title in done:
        if title not in listed:
            yield RecordedEvent(kind=RecordKind.DONE, what=title)
