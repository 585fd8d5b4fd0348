"""Answers from a script: for tests, for demonstrations and for trying an editor without a model.

A script is JSON: ``{"rules": [{"when": REGEX, "steps": [STEP]}], "steps": [STEP], "mode": MODE}``.
A rule is chosen by the newest user text, and its step by how often the model has answered since,
so rules hold over a restart; ``steps`` are used up one a request. ``mode`` says who answers the
rest: ``echo``, ``obedient``, or nobody, which is an error. A step holds any of ``text`` (pieces; a
piece may be ``{"pause": SECONDS}`` or ``{"gate": NAME}``), ``reasoning``, ``calls``, ``error``,
``usage``, ``stop`` and ``said``. The names "echo" and "obedient" stand for a script of that mode
alone.
"""

import asyncio
import itertools
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

from plimsoll.context.log.messages import Role, canonical
from plimsoll.errors import (
    Passing,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.base import (
    CallFinished,
    CallStarted,
    Chunk,
    Finished,
    ProviderOptions,
    ReasoningDelta,
    Request,
    TextDelta,
)
from plimsoll.providers.reading.call_ids import fresh_call_id, used_call_ids
from plimsoll.providers.script import ErrorName, ScriptedCall, Step, Wait, load_script, script_of

Gate = Callable[[str], Awaitable[object]]
MARKER = re.compile(r"\bCALL\s+(\w+)\s+(?=\{)")
LOOK_SECONDS = 0.01
"""Seconds between two checks for the file that opens a gate."""


class Scripted:
    """A provider that plays a script; one built from parts records the requests it gets."""

    def __init__(
        self,
        options: ProviderOptions | None = None,
        *,
        steps: Sequence[Mapping[str, object]] = (),
        rules: Sequence[Mapping[str, object]] = (),
        mode: str | None = None,
        gate: Gate | None = None,
    ) -> None:
        """Take a script from its parts, or from the file or built-in name in the options.

        Raises:
            ProviderModel: There is no such script, or it cannot be played.
        """
        parts = {"steps": list(steps), "rules": list(rules), "mode": mode}
        script = script_of(parts) if options is None else load_script(options.name)
        self.requests: list[Request] = []
        self._keeps_requests = options is None
        self._steps = list(script.steps)
        self._rules = script.rules
        self._mode = script.mode
        self._gate = gate or _file_gate(Path(options.name).parent if options else Path())

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """Stream the next step's answer; see ``Provider``."""
        if self._keeps_requests:
            self.requests.append(request)
        step = self._step_for(request)
        if step.reasoning:
            yield ReasoningDelta(step.reasoning, step.signature)
        for piece in step.text:
            if isinstance(piece, Wait):
                await self._wait(piece)
            elif piece:
                yield TextDelta(piece)
        calls = list(_calls(step, request))
        for call in calls:
            yield CallStarted(call.id, call.name)
        await _fail(step.error)
        for call in calls:
            yield call
        if step.usage is not None:
            yield step.usage
        yield Finished(step.stop or ("toolCalls" if calls else "endTurn"), step.said)

    async def close(self) -> None:
        """Do nothing: there are no connections."""

    def _step_for(self, request: Request) -> Step:
        question, answers = newest_question(request)
        for rule in self._rules:
            if answers < len(rule.steps) and rule.when.search(question):
                return rule.steps[answers]
        if self._steps:
            return self._steps.pop(0)
        if self._mode == "echo":
            return Step(text=tuple(re.findall(r"\s*\S+\s*", question)) or (question,))
        if self._mode == "obedient":
            return obey(request)
        raise ProviderAnswer(
            f"The script has no step left for {question[:80]!r}.",
            remedy='Add a step or a rule, or set its "mode" to "echo".',
        )

    async def _wait(self, wait: Wait) -> None:
        if wait.gate is not None:
            await self._gate(wait.gate)
        await asyncio.sleep(wait.seconds)


def newest_question(request: Request) -> tuple[str, int]:
    """Return the newest user text, and how many times the model has answered since."""
    answers = 0
    for message in reversed(request.messages):
        if message.role is Role.USER and not message.framed:
            return message.text, answers
        answers += message.role is Role.ASSISTANT
    return "", answers


def obey(request: Request) -> Step:
    """Turn every ``CALL tool {json}`` in the newest text into a call.

    The newest text is all that follows the model's last answer, so that in the first request of a
    session it is everything, the system text with its memories included.
    """
    newest = list(
        itertools.takewhile(
            lambda message: message.role is not Role.ASSISTANT, reversed(request.messages)
        )
    )
    calls = tuple(_marked_calls("\n".join(message.text for message in reversed(newest))))
    return Step(calls=calls) if calls else Step(text=("There is nothing to obey.",))


def _marked_calls(text: str) -> Iterator[ScriptedCall]:
    decoder = json.JSONDecoder()
    for marker in MARKER.finditer(text):
        try:
            arguments = canonical(decoder.raw_decode(text, marker.end())[0])
        except ValueError:
            # A marker whose JSON is broken is obeyed too, with the text that a model would send.
            arguments = text[marker.end() :].partition("\n")[0]
        yield ScriptedCall(marker[1], arguments)


def _calls(step: Step, request: Request) -> Iterator[CallFinished]:
    taken = used_call_ids(request)
    for number, call in enumerate(step.calls):
        own = call.id or fresh_call_id(request, number, taken)
        yield CallFinished(own, call.name, call.arguments)


async def _fail(error: ErrorName | None) -> None:
    if error == "hang":
        await asyncio.Event().wait()
    if error is not None:
        raise _error(error)


def _error(name: ErrorName) -> ProviderError:
    kinds: dict[str, tuple[type[ProviderError], str]] = {
        "auth": (ProviderAuth, "The script does not accept the key."),
        "overflow": (ProviderOverflow, "The script says that the prompt is too long."),
        "rateLimit": (ProviderRateLimited, "The script takes no more requests."),
        "unavailable": (ProviderUnavailable, "The script is not available."),
        "model": (ProviderModel, "The script has no such model."),
        "cut": (ProviderAnswer, "The script broke off its answer."),
    }
    kind, message = kinds[name]
    data = {"retryAfterSeconds": 1.0} if name == "rateLimit" else {}
    error = kind(message, remedy="This error stands in the script.", data=data)
    error.passing = Passing() if name == "cut" else None
    return error


def _file_gate(folder: Path) -> Gate:
    """Build a gate that opens when a file of its name appears beside the script."""

    async def wait(name: str) -> None:
        for _ in itertools.count():
            if (folder / name).exists():
                return
            await asyncio.sleep(LOOK_SECONDS)

    return wait
