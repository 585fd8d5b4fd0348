"""The settings of hooks: the person's own programs that run at set points of a session."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

USUAL_SECONDS = 30
MOST_SECONDS = 600
MOST_HOOKS = 32
"""Hooks of one event."""
LONGEST_COMMAND = 10_000
_KEYS = frozenset({"command", "matcher", "timeout", "type"})


@dataclass(frozen=True, slots=True)
class HookSetting:
    """One hook: a shell command, and when it runs."""

    command: str
    matcher: str = ""
    """A pattern that the tool's whole name, or the cause of another event, must match; empty: any
    does."""
    timeout: int = USUAL_SECONDS
    """Seconds after which it is ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSettings:
    """The hooks of each event, in the order in which they run; only the person may set them."""

    PreToolUse: tuple[HookSetting, ...] = ()
    PostToolUse: tuple[HookSetting, ...] = ()
    UserPromptSubmit: tuple[HookSetting, ...] = ()
    SessionStart: tuple[HookSetting, ...] = ()
    Stop: tuple[HookSetting, ...] = ()
    PreCompact: tuple[HookSetting, ...] = ()
    PostCompact: tuple[HookSetting, ...] = ()


def hooks_in(value: object) -> tuple[HookSetting, ...] | None:
    """Read a list of hooks; None if it is none.

    Each is a table with ``command``, or, as other agents have it, one with ``matcher`` and a list
    ``hooks`` of such tables.
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return None
    found: list[HookSetting] = []
    for entry in cast("Sequence[object]", value):
        read = _entry(entry)
        if read is None:
            return None
        found += read
    return tuple(found) if len(found) <= MOST_HOOKS else None


def _entry(entry: object) -> list[HookSetting] | None:
    if not isinstance(entry, Mapping):
        return None
    table = cast("Mapping[str, object]", entry)
    if "hooks" not in table:
        one = _hook(table, table.get("matcher", ""))
        return None if one is None else [one]
    inner = table["hooks"]
    if table.keys() - {"matcher", "hooks"} or not isinstance(inner, Sequence):
        return None
    each = [
        _hook(cast("Mapping[str, object]", one), table.get("matcher", ""))
        if isinstance(one, Mapping) and "matcher" not in one
        else None
        for one in cast("Sequence[object]", inner)
    ]
    return None if None in each else [one for one in each if one is not None]


def _hook(table: Mapping[str, object], matcher: object) -> HookSetting | None:
    command, timeout = table.get("command"), table.get("timeout", USUAL_SECONDS)
    if table.keys() - _KEYS or table.get("type", "command") != "command":
        return None
    if not isinstance(command, str) or not command.strip() or "\0" in command:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, int) or not isinstance(matcher, str):
        return None
    fits = 1 <= timeout <= MOST_SECONDS and len(command) <= LONGEST_COMMAND
    pattern = "" if matcher == "*" else matcher
    return HookSetting(command, pattern, timeout) if fits and _is_pattern(pattern) else None


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True
