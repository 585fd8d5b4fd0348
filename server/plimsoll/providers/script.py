"""The script of the scripted provider, parsed strictly, so that mistakes do not go unnoticed."""

import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, cast

from plimsoll.context.log.messages import canonical
from plimsoll.errors import ProviderModel
from plimsoll.providers.base import CacheWrites, StopReason, Usage

Json = Mapping[str, object]
ErrorName = Literal["auth", "overflow", "rateLimit", "unavailable", "model", "cut", "hang"]

Name = TypeVar("Name", bound=str)
MODES = ("echo", "obedient")
ERRORS: tuple[ErrorName, ...] = (
    "auth",
    "overflow",
    "rateLimit",
    "unavailable",
    "model",
    "cut",
    "hang",
)
STOPS: tuple[StopReason, ...] = ("endTurn", "toolCalls", "maxTokens", "refusal", "cut")


@dataclass(frozen=True, slots=True)
class Wait:
    """A pause between two pieces of text."""

    seconds: float = 0.0
    gate: str | None = None
    """The name of a gate to wait for."""


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A tool call to make; without an id it gets a generated one."""

    name: str
    arguments: str = "{}"
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One scripted answer."""

    text: tuple[str | Wait, ...] = ()
    reasoning: str | None = None
    signature: str | None = None
    calls: tuple[ScriptedCall, ...] = ()
    error: ErrorName | None = None
    """Raised after the text and before any complete call."""
    usage: Usage | None = None
    stop: StopReason | None = None
    said: str = ""
    """The host's word for an unusual stop reason."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Answers to questions that match a regular expression, one for each request of the turn."""

    when: re.Pattern[str]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """All answers of a scripted model."""

    steps: tuple[Step, ...] = ()
    rules: tuple[Rule, ...] = ()
    mode: str | None = None


def load_script(name: str) -> Script:
    """Load the script with a built-in name, or from a file.

    Raises:
        ProviderModel: There is no such script, or it cannot be played.
    """
    if name in MODES:
        return Script(mode=name)
    try:
        content: object = json.loads(Path(name).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _unplayable(name, str(error)) from error
    try:
        return script_of(content)
    except (ValueError, TypeError, KeyError, re.error) as error:
        raise _unplayable(name, str(error) or type(error).__name__) from error


def script_of(content: object) -> Script:
    """Build a script from decoded JSON; a list is its steps.

    Raises:
        ValueError: It has an unknown field or a wrong value.
    """
    whole = cast("object", content) if isinstance(content, dict) else {"steps": content}
    fields = _fields(whole, Script)
    mode = fields.get("mode")
    if mode is not None and mode not in MODES:
        raise ValueError(f"the mode {mode!r} is none of {', '.join(MODES)}")
    return Script(
        steps=tuple(map(step_of, _list(fields.get("steps", [])))),
        rules=tuple(map(_rule, _list(fields.get("rules", [])))),
        mode=cast("str | None", mode),
    )


def step_of(content: object) -> Step:
    """Build a step from decoded JSON.

    Raises:
        ValueError: It has an unknown field or a wrong value.
    """
    fields = _fields(content, Step)
    text = fields.get("text", [])
    usage = fields.get("usage")
    return Step(
        text=tuple(map(_piece, [text] if isinstance(text, str) else _list(text))),
        reasoning=_text(fields.get("reasoning")),
        signature=_text(fields.get("signature")),
        calls=tuple(map(_call, _list(fields.get("calls", [])))),
        error=_one_of(fields.get("error"), ERRORS),
        usage=None if usage is None else _usage(usage),
        stop=_one_of(fields.get("stop"), STOPS),
        said=_text(fields.get("said")) or "",
    )


def _usage(content: object) -> Usage:
    told = dict(cast("dict[str, int]", _fields(content, Usage)))
    written = CacheWrites(told.pop("written", 0))
    return Usage(**told, written=written)


def _rule(content: object) -> Rule:
    fields = _fields(content, Rule)
    steps = _list(fields.get("steps", []))
    return Rule(re.compile(str(fields["when"])), tuple(map(step_of, steps)))


def _piece(content: object) -> str | Wait:
    if isinstance(content, str):
        return content
    if not isinstance(content, dict) or not content.keys() <= {"pause", "gate"}:
        raise ValueError(f"{content!r} is no piece of text, pause or gate")
    fields = cast("Json", content)
    return Wait(float(str(fields.get("pause", 0))), _text(fields.get("gate")))


def _call(content: object) -> ScriptedCall:
    fields = _fields(content, ScriptedCall)
    arguments = fields.get("arguments", {})
    text = arguments if isinstance(arguments, str) else canonical(arguments)
    return ScriptedCall(str(fields["name"]), text, _text(fields.get("id")))


def _fields(content: object, kind: type[Script | Rule | Step | ScriptedCall | Usage]) -> Json:
    known = {field.name for field in dataclasses.fields(kind)}
    if not isinstance(content, dict):
        raise TypeError(f"{content!r} is no {kind.__name__.lower()}")
    fields = cast("Json", content)
    if unknown := fields.keys() - known:
        raise ValueError(
            f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}"
        )
    return fields


def _list(content: object) -> Sequence[object]:
    if not isinstance(content, list | tuple):
        raise TypeError(f"{content!r} is no list")
    return cast("Sequence[object]", content)


def _text(content: object) -> str | None:
    return None if content is None else str(content)


def _one_of(content: object, names: tuple[Name, ...]) -> Name | None:
    if content is None:
        return None
    for name in names:
        if name == content:
            return name
    raise ValueError(f"{content!r} is none of {', '.join(names)}")


def _unplayable(name: str, why: str) -> ProviderModel:
    return ProviderModel(
        f"The script {name!r} cannot be played: {why}.",
        remedy=f"Set model.name to a script of JSON, or to one of: {', '.join(MODES)}.",
    )
