"""Reads what a hook answered, in the format that Claude Code's hooks have.

Law: an answer can hold back and name, never allow. What it says to allow is not read.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from plimsoll.tools.ports.hooks import HookEvent, HookOutput

BLOCKS = 2
"""The exit code by which a hook blocks; its standard error is the reason."""
NO_REASON = "(no reason given)"
MOST_KEPT = 20
"""Texts that one hook may name to be kept."""
LONGEST_KEPT = 1_000
"""Characters of one of them."""
Verdict = Literal["deny", "ask", "block", "postpone"]
_PLAIN = frozenset[HookEvent]({"UserPromptSubmit", "SessionStart"})
"""Events whose hooks may print plain text for the model."""
_OF_BLOCK: Mapping[HookEvent, Verdict] = {"PreToolUse": "deny", "PreCompact": "postpone"}
_NEVER = frozenset[HookEvent]({"SessionStart", "PostCompact"})
"""Events that cannot be blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookAnswer:
    """The decision of a hook, and its text, which is untrusted."""

    verdict: Verdict | None = None
    reason: str = ""
    changed_input: Mapping[str, object] | None = None
    """The arguments that a call is to have instead."""
    context: str = ""
    """Words for the model."""
    keep: tuple[str, ...] = ()
    """What a summary is to keep."""
    fault: str | None = None
    """Why the answer counts for nothing."""


def read_answer(event: HookEvent, output: HookOutput) -> HookAnswer:
    """Read the answer in a hook's output; a broken one decides nothing."""
    if output.problem is not None:
        return HookAnswer(fault=output.problem)
    if output.code == BLOCKS:
        return _block(event, output.errors.strip() or NO_REASON)
    if output.code != 0:
        return HookAnswer(fault=f"exit code {output.code}")
    text = output.output.strip()
    if not text.startswith("{"):
        if event in _PLAIN:
            return HookAnswer(context=text)
        return HookAnswer(fault="no JSON") if text else HookAnswer()
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return HookAnswer(fault="broken JSON")
    if not isinstance(found, dict):
        return HookAnswer(fault="broken JSON")
    return _read(event, cast("Mapping[str, object]", found))


def _block(event: HookEvent, reason: str) -> HookAnswer:
    if event in _NEVER:
        return HookAnswer(context=reason if event == "SessionStart" else "")
    return HookAnswer(verdict=_OF_BLOCK.get(event, "block"), reason=reason)


def _read(event: HookEvent, found: Mapping[str, object]) -> HookAnswer:
    inner = found.get("hookSpecificOutput")
    own: Mapping[str, object] = {}
    if isinstance(inner, dict):
        own = cast("Mapping[str, object]", inner)
    context = _text(own.get("additionalContext"))
    if event == "PreCompact":
        postponed = found.get("decision") in ("postpone", "block")
        return HookAnswer(
            verdict="postpone" if postponed else None,
            reason=_text(found.get("reason")),
            keep=_read_kept(found.get("keep")),
        )
    decision = own.get("permissionDecision") if event == "PreToolUse" else None
    reason = _text(own.get("permissionDecisionReason")) or _text(found.get("reason"))
    reason = reason or _text(found.get("stopReason"))
    if decision == "deny" or found.get("decision") in ("block", "deny") or _stops(event, found):
        blocked = _block(event, reason or NO_REASON)
        return HookAnswer(
            verdict=blocked.verdict, reason=blocked.reason, context=blocked.context or context
        )
    changed = own.get("updatedInput") if event == "PreToolUse" else None
    return HookAnswer(
        verdict="ask" if decision == "ask" else None,
        reason=reason,
        changed_input=cast("Mapping[str, object]", changed) if isinstance(changed, dict) else None,
        context=context,
    )


def _stops(event: HookEvent, found: Mapping[str, object]) -> bool:
    """Tell whether ``continue: false`` holds something back here; elsewhere it says nothing."""
    return found.get("continue") is False and event in ("PreToolUse", "UserPromptSubmit")


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _read_kept(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    texts = (_text(each)[:LONGEST_KEPT] for each in cast("list[object]", value))
    return tuple(text for text in texts if text)[:MOST_KEPT]
