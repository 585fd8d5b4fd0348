"""Transcripts that Claude Code and Codex keep in a person's own folder, as messages.

Neither has a published format: each line is a JSON object, and one names the version that wrote it.
A version that nobody has looked at is refused, since a wrong reading would pass for a measurement.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import cast

from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.errors import LogInvalid
from plimsoll.session.transfer.incoming import Incoming, IncomingCall
from plimsoll.session.transfer.transcript_trees import rows_not_rolled_back, rows_of_branch

Row = Mapping[str, object]
_NOTHING: Row = {}
_CLAUDE_CODE = re.compile(r"[12]\.\d+\.\d+\b")
_CODEX = re.compile(r"0\.\d+\.\d+\b")
_CLAUDE_ROWS = frozenset(
    {"user", "assistant", "system", "summary", "file-history-snapshot", "queue-operation"}
)
_SESSION = "sessionId"
_CODEX_ROWS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})


def transcript(text: str) -> tuple[Incoming, ...] | None:
    """Read a transcript of Claude Code or Codex; None if the text is neither.

    Raises:
        LogInvalid: It was written by a version that is not known.
    """
    read = _rows(text)
    first = list(islice(read, 5))
    of_codex = any(str(row.get("type")) in _CODEX_ROWS and "payload" in row for row in first)
    of_claude = any(map(_is_of_claude_code, first))
    rows = [*first, *read] if of_codex or of_claude else []
    if of_codex:
        _check("Codex", _codex_versions(rows), _CODEX, "0.x")
        return tuple(_Answered().all(_codex(rows_not_rolled_back(rows))))
    if of_claude:
        versions = (str(row["version"]) for row in rows if "version" in row)
        _check("Claude Code", versions, _CLAUDE_CODE, "1.x and 2.x")
        return tuple(_Answered().all(_claude_code(rows_of_branch(rows))))
    return None


def _is_of_claude_code(row: Row) -> bool:
    """Tell whether Claude Code wrote a row; new kinds of rows name the session as the old do."""
    kind = row.get("type")
    return isinstance(kind, str) and "role" not in row and (kind in _CLAUDE_ROWS or _SESSION in row)


def _check(agent: str, versions: Iterator[str], known: re.Pattern[str], told: str) -> None:
    """Refuse a transcript with any row, as after an update, of an unknown version."""
    found = [*dict.fromkeys(versions)]
    unknown = next((each for each in found if not known.match(each)), None)
    if unknown is not None or not found:
        raise LogInvalid(
            f"This transcript is of {agent} {unknown or 'without a version'}; known are {told}.",
            remedy="Give a transcript of a known version, or one JSON message a line.",
        )


def _rows(text: str) -> Iterator[Row]:
    """Yield the JSON objects of a file; a half written line is left out."""
    for line in text.split("\n"):
        try:
            value: object = json.loads(line) if line.startswith("{") else None
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield cast("Row", value)


@dataclass(slots=True)
class _Answered:
    """Joins the blocks of an answer, and leaves out results of calls that are not open."""

    open: set[str] = field(default_factory=set[str])

    def all(self, messages: Iterator[Incoming]) -> Iterator[Incoming]:
        held: Incoming | None = None
        for message in messages:
            if message.role is Role.TOOL:
                if held is not None:
                    yield held
                held = None
                if message.call_id in self.open:
                    self.open.discard(message.call_id)
                    yield message
                continue
            self.open |= {call.id for call in message.calls}
            if held is not None and _same_answer(held, message):
                parts, calls = (*held.parts, *message.parts), (*held.calls, *message.calls)
                held = replace(held, parts=parts, calls=calls)
                continue
            if held is not None:
                yield held
            held = message
        if held is not None:
            yield held


def _same_answer(held: Incoming, message: Incoming) -> bool:
    """Tell whether two messages are blocks of one answer, which both agents write one a line."""
    return held.role is message.role is Role.ASSISTANT


def _claude_code(rows: Sequence[Row]) -> Iterator[Incoming]:
    for row in rows:
        left_out = any(row.get(flag) for flag in ("isSidechain", "isMeta", "isCompactSummary"))
        message = _mapping(row.get("message"))
        role = {"user": Role.USER, "assistant": Role.ASSISTANT}.get(str(row.get("type")))
        if left_out or role is None:
            continue
        blocks = _blocks(message.get("content"))
        for block in blocks:
            if block.get("type") == "tool_result":
                yield _result(str(block.get("tool_use_id")), _text(block.get("content")))
        calls = tuple(
            _call(str(block.get("id")), str(block.get("name")), block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        yield from _make_message(role, blocks, calls)


def _codex_versions(rows: Sequence[Row]) -> Iterator[str]:
    metas = (_mapping(row.get("payload")) for row in rows if row.get("type") == "session_meta")
    return (str(meta["cli_version"]) for meta in metas if "cli_version" in meta)


def _codex(rows: Sequence[Row]) -> Iterator[Incoming]:
    for row in rows:
        item = _mapping(row.get("payload")) if row.get("type") == "response_item" else _NOTHING
        call_id = str(item.get("call_id") or item.get("id"))
        match item.get("type"):
            case "message":
                role = _CODEX_ROLES.get(str(item.get("role")), Role.SYSTEM)
                yield from _make_message(role, _blocks(item.get("content")), ())
            case "function_call" | "custom_tool_call":
                given = item.get("arguments", item.get("input"))
                yield _asking(_call(call_id, str(item.get("name")), given))
            case "local_shell_call":
                yield _asking(_call(call_id, "shell", item.get("action")))
            case "function_call_output" | "custom_tool_call_output":
                yield _result(call_id, _codex_output(item.get("output")))
            case _:
                # Reasoning is sealed; the rest says nothing to the model.
                continue


_CODEX_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def _codex_output(output: object) -> str:
    """Return the text of a tool's output, which may be wrapped in JSON."""
    text = output if isinstance(output, str) else _text(_mapping(output).get("content", output))
    try:
        inner: object = json.loads(text) if text.startswith("{") else None
    except (ValueError, RecursionError):
        return text
    found = _mapping(inner).get("output")
    return found if isinstance(found, str) else text


def _make_message(
    role: Role, blocks: Sequence[Row], calls: tuple[IncomingCall, ...]
) -> Iterator[Incoming]:
    texts = [str(block["text"]) for block in blocks if isinstance(block.get("text"), str)]
    parts = tuple(Part(kind=PartKind.TEXT, text=text) for text in texts if text.strip())
    if parts or calls:
        yield Incoming(role=role, parts=parts, calls=calls)


def _asking(call: IncomingCall) -> Incoming:
    return Incoming(role=Role.ASSISTANT, parts=(), calls=(call,))


def _call(call_id: str, name: str, given: object) -> IncomingCall:
    value = given
    if isinstance(given, str):
        try:
            value = json.loads(given)
        except (ValueError, RecursionError):
            value = {"input": given}
    return IncomingCall(call_id, name, dict(_mapping(value)))


def _result(call_id: str, text: str) -> Incoming:
    part = Part(kind=PartKind.TEXT, text=text or "(no output)")
    return Incoming(role=Role.TOOL, parts=(part,), call_id=call_id)


def _text(content: object) -> str:
    blocks = _blocks(content)
    return "\n".join(str(block["text"]) for block in blocks if isinstance(block.get("text"), str))


def _blocks(content: object) -> list[Row]:
    """List the blocks of a message's content, which may also be a plain text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    found = cast("list[object]", content) if isinstance(content, list) else []
    return [cast("Row", block) for block in found if isinstance(block, dict)]


def _mapping(value: object) -> Row:
    return cast("Row", value) if isinstance(value, dict) else _NOTHING
