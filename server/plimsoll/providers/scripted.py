"""Answers from a script: for tests, for demonstrations and for trying an editor without a model.

A script is JSON: ``{"rules": [{"when": REGEX, "steps": [STEP]}], "steps": [STEP], "mode": MODE}``.
A rule is chosen by the newest user text, and its step by how often the model has answered since,
so rules hold over a restart; ``steps`` are used up one a request. ``mode`` says who answers the
rest: ``echo``, ``obedient``, or nobody, which is an error. A step holds any of ``text`` (pieces; a
piece may be ``{"pause": SECONDS}`` or ``{"gate": NAME}``), ``reasoning``, ``calls``, ``error``,
``usage`` and ``stop``. The names "echo" and "obedient" stand for a script of that mode alone.
"""

import asyncio
import itertools
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from plimsoll.context.messages import Role, canonical
from plimsoll.errors import (
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
    ReasoningDelta,
    Request,
    StopReason,
    TextDelta,
    Usage,
)
from plimsoll.providers.call_ids import fresh_call_id, used_call_ids
from plimsoll.providers.options import ProviderOptions

Step = Mapping[str, object]
Gate = Callable[[str], Awaitable[None]]

ERRORS: Mapping[str, Callable[[], ProviderError]] = {
    "auth": lambda: ProviderAuth("The script refuses the key.", remedy="Use another step."),
    "overflow": lambda: ProviderOverflow("The script says that the prompt is too long."),
    "rateLimit": lambda: ProviderRateLimited(
        "The script takes no more requests.", data={"retryAfterSeconds": 1.0}
    ),
    "unavailable": lambda: ProviderUnavailable("The script is not available."),
    "model": lambda: ProviderModel("The script has no such model."),
    "cut": lambda: ProviderAnswer("The script broke off its answer."),
}
HANG = "hang"
"""The error that never comes: the stream stays silent until it is cancelled."""
MODES = ("echo", "obedient")
MARKER = re.compile(r"\bCALL\s+(\w+)\s+(?=\{)")
STEP_KEYS = frozenset({"text", "reasoning", "calls", "error", "usage", "stop", "signature"})
"""What a step may hold; an unknown key is a mistake that would otherwise pass unseen."""
GATE_SECONDS = 0.01


class Scripted:
    """A provider that plays a script and keeps the requests it was sent."""

    def __init__(
        self,
        options: ProviderOptions | None = None,
        *,
        steps: Sequence[Step] = (),
        rules: Sequence[Mapping[str, object]] = (),
        mode: str | None = None,
        gate: Gate | None = None,
    ) -> None:
        """Take a script from its parts, or from the file or built-in name in the options.

        Raises:
            ProviderModel: There is no such script, or it cannot be read.
        """
        self.requests: list[Request] = []
        self._gate = gate or _file_gate(Path())
        self._steps: list[Step] = list(steps)
        self._rules = list(rules)
        self._mode = mode
        if options is not None:
            self._load(options.name, gate)
        for step in self._every_step():
            _check(step)

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        """The next step's answer; see ``Provider``."""
        self.requests.append(request)
        step = self._step_for(request)
        if reasoning := step.get("reasoning"):
            yield ReasoningDelta(str(reasoning), cast("str | None", step.get("signature")))
        async for delta in self._text(step):
            yield delta
        calls = list(_calls(step, request))
        for call in calls:
            yield CallStarted(call.id, call.name)
        await _fail(step)
        for call in calls:
            yield call
        if usage := step.get("usage"):
            yield Usage(**cast("Mapping[str, int]", usage))
        stop = step.get("stop") or ("toolCalls" if calls else "endTurn")
        yield Finished(cast("StopReason", stop))

    async def close(self) -> None:
        """Nothing to give back."""

    def _load(self, name: str, gate: Gate | None) -> None:
        if name in MODES:
            self._mode = name
            return
        script = _read(Path(name))
        self._gate = gate or _file_gate(Path(name).parent)
        self._steps = cast("list[Step]", script.get("steps", []))
        self._rules = cast("list[Mapping[str, object]]", script.get("rules", []))
        self._mode = cast("str | None", script.get("mode"))

    def _every_step(self) -> Iterator[Step]:
        yield from self._steps
        for rule in self._rules:
            yield from cast("list[Step]", rule["steps"])

    def _step_for(self, request: Request) -> Step:
        question, answers = newest_question(request)
        for rule in self._rules:
            steps = cast("list[Step]", rule["steps"])
            if answers < len(steps) and re.search(str(rule["when"]), question):
                return steps[answers]
        if self._steps:
            return self._steps.pop(0)
        if self._mode == "echo":
            return {"text": _pieces(question)}
        if self._mode == "obedient":
            return obeyed(request)
        raise ProviderAnswer(
            f"The script has no step left for {question[:80]!r}.",
            remedy='Add a step or a rule, or set its "mode" to "echo".',
        )

    async def _text(self, step: Step) -> AsyncGenerator[TextDelta, None]:
        text = step.get("text", ())
        for piece in [text] if isinstance(text, str) else cast("Sequence[object]", text):
            if isinstance(piece, str):
                yield TextDelta(piece)
                continue
            wait = cast("Mapping[str, object]", piece)
            if "gate" in wait:
                await self._gate(str(wait["gate"]))
            await asyncio.sleep(float(str(wait.get("pause", 0))))


def newest_question(request: Request) -> tuple[str, int]:
    """The newest user text, and how many times the model has answered since."""
    answers = 0
    for message in reversed(request.messages):
        if message.role is Role.USER:
            return message.text, answers
        answers += message.role is Role.ASSISTANT
    return "", answers


def obeyed(request: Request) -> Step:
    """A model that does whatever the newest text says: every ``CALL tool {json}`` becomes a call.

    The newest text is all that stands behind the model's last answer, so in the first request of
    a session it is everything, the system text with its memories included.
    """
    newest: list[str] = []
    for message in reversed(request.messages):
        if message.role is Role.ASSISTANT:
            break
        newest.insert(0, message.text)
    calls = list(_marked("\n".join(newest)))
    return {"calls": calls} if calls else {"text": ["There is nothing to obey."]}


def _marked(text: str) -> Iterator[Step]:
    decoder = json.JSONDecoder()
    for marker in MARKER.finditer(text):
        try:
            arguments, _ = decoder.raw_decode(text, marker.end())
        except ValueError:
            # A marker whose JSON is broken is still obeyed: its text is what a model would send.
            arguments = text[marker.end() :].splitlines()[0]
        yield {"name": marker[1], "arguments": arguments}


def _calls(step: Step, request: Request) -> Iterator[CallFinished]:
    taken = used_call_ids(request)
    for number, call in enumerate(cast("Sequence[Step]", step.get("calls", ()))):
        arguments = call.get("arguments", {})
        text = arguments if isinstance(arguments, str) else canonical(arguments)
        own = str(call.get("id") or fresh_call_id(request, number, taken))
        yield CallFinished(own, str(call["name"]), text)


async def _fail(step: Step) -> None:
    error = step.get("error")
    if error == HANG:
        await asyncio.Event().wait()
    if error is not None:
        failure = ERRORS[str(error)]()
        raise failure


def _pieces(text: str) -> list[str]:
    return re.findall(r"\S*\s*", text)[:-1] or [text]


def _file_gate(folder: Path) -> Gate:
    """A gate opens when a file of its name appears beside the script."""

    async def wait(name: str) -> None:
        for _ in itertools.count():
            if (folder / name).exists():
                return
            await asyncio.sleep(GATE_SECONDS)

    return wait


def _read(path: Path) -> Mapping[str, object]:
    try:
        script: object = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ProviderModel(
            f"The script {str(path)!r} cannot be read: {error}.",
            remedy=f"Set model.name to a script of JSON, or to one of: {', '.join(MODES)}.",
        ) from error
    return cast("Mapping[str, object]", script if isinstance(script, dict) else {"steps": script})


def _check(step: Step) -> None:
    unknown = set(step) - STEP_KEYS
    error = step.get("error")
    if unknown or (error is not None and error != HANG and error not in ERRORS):
        raise ProviderModel(
            f"A step of the script holds {sorted(unknown) or error!r}, which means nothing.",
            remedy=f"A step may hold {', '.join(sorted(STEP_KEYS))}; "
            f"errors are {', '.join([*ERRORS, HANG])}.",
        )
