"""`plimsoll.server.*`: the methods as commands, and which function handles which method."""

from collections.abc import Awaitable, Callable, Mapping
from re import sub
from types import ModuleType
from typing import Any, Final, cast

from plimsoll.lsp.features import context, memories, models, pins, service, sessions, store, team
from plimsoll.lsp.features.chosen import custom, mcp, permissions, skills
from plimsoll.lsp.features.convert.messages import path_of
from plimsoll.lsp.features.convert.notices import notice_data
from plimsoll.lsp.features.editor import hunks
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.server import validate
from plimsoll.lsp.wire import context as shapes
from plimsoll.lsp.wire import sessions as wire
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.commands import COMMANDS
from plimsoll.lsp.wire.hunks import HunksResult
from plimsoll.lsp.wire.memories import (
    MemoriesResult,
    MemoryImportResult,
    MemoryResult,
    MemoryReviewResult,
)
from plimsoll.lsp.wire.methods import REQUESTS
from plimsoll.lsp.wire.pins import (
    CustomExpandResult,
    CustomResult,
    PermissionResult,
    PermissionsResult,
    PinListResult,
    PinResult,
)
from plimsoll.lsp.wire.projects import TeamStatus
from plimsoll.lsp.wire.reductions import (
    MarkdownResult,
    ReceiptResult,
    RuleResult,
    RulesResult,
    UndoResult,
)
from plimsoll.lsp.wire.service import CommandResult, SendParams
from plimsoll.lsp.wire.updates import SessionLoadResult
from plimsoll.session.commands.memory_markdown import (
    TeamView,
    imported_markdown,
    memories_markdown,
    memory_markdown,
)
from plimsoll.session.commands.permission_commands import NO_PERMISSIONS
from plimsoll.session.commands.rule_commands import restored_words, rules_markdown
from plimsoll.session.commands.slash import called_command, run_slash
from plimsoll.session.layers.wording import title_markdown
from plimsoll.session.ports.content import PromptText
from plimsoll.session.reduction.undoing import newest_edit

Handler = Callable[[ServerContext, Any], Awaitable[object]]

AREAS: Mapping[str, ModuleType] = {
    "session": sessions,
    "context": context,
    "pin": pins,
    "memory": memories,
    "store": store,
    "team": team,
    "model": models,
    "skill": skills,
    "custom": custom,
    "hunk": hunks,
    "permission": permissions,
    "mcp": mcp,
}
"""The file of each area; whatever is in none of them is a matter of the server's own."""


def function_name(method: str) -> str:
    """Spell `plimsoll/session/setMode` as `set_mode`, and Python's own names as `list_`."""
    name = sub("[A-Z]", lambda found: f"_{found[0].lower()}", method.rpartition("/")[2])
    return f"{name}_" if name in {"list", "import", "set"} else name


def _handler(method: str) -> Handler:
    return cast("Handler", getattr(AREAS.get(method.split("/")[1], service), function_name(method)))


HANDLERS: Final[Mapping[str, Handler]] = {name: _handler(name) for name in REQUESTS}


PINNING = frozenset({"pin", "pins", "unpin"})
"""With a folder and no session they mean the pins of the folder."""
NEEDS_FOLDER = frozenset(
    {
        *("newSession", "resumeSession", "listSessions", "remember", "memories", "linkProject"),
        *("team", "createTeam", "joinTeam", "leaveTeam", "acceptAuthor"),
    }
)
NAMES_MEMORY = frozenset({"updateMemory", "shareMemory", "reviewMemory", "forget", "restoreMemory"})
"""A memory's id alone says what is meant."""


async def run(server: ServerContext, name: str, argument: object) -> CommandResult:
    """Run a command as its method, with the current session or folder where none is named."""
    command = COMMANDS[name]
    given = dict(cast("Mapping[str, object]", argument)) if isinstance(argument, Mapping) else {}
    if command.method is None:
        return await _send(server, validate(name, SendParams, given))
    filled = await _fill_arguments(server, name.rpartition(".")[2], given)
    params = validate(name, command.params, filled)
    result = await HANDLERS[command.method](server, params)
    return CommandResult(message=describe_result(command.method, result), result=dump(result))


async def _fill_arguments(
    server: ServerContext, verb: str, given: dict[str, object]
) -> dict[str, object]:
    folder = given.get("workspaceFolder")
    if verb in NEEDS_FOLDER:
        return {**given, "workspaceFolder": folder or server.first_folder()}
    if verb in NAMES_MEMORY:
        return given
    if "sessionId" in given or (verb in PINNING and {"workspaceFolder", "pinId"} & given.keys()):
        return given
    _, session = await server.current(folder if isinstance(folder, str) else None)
    given = {**given, "sessionId": session.id}
    if verb == "undo" and "editId" not in given:
        given["editId"] = newest_edit(session.state.log.fold)
    return given


async def _send(server: ServerContext, params: SendParams) -> CommandResult:
    """Send a prompt; by default return at the turn's end, with the model's answer."""
    if params.session_id is not None:
        project, session = await server.find(params.session_id)
    else:
        project, session = await server.current(params.workspace_folder)
    slash = await called_command(PromptText(params.text), project)
    if slash is not None and params.wait:
        reply = await run_slash(slash, project, session)
        return CommandResult(message=reply.markdown, result=notice_data(reply.data))
    accepted = await server.speaking.say(project, session, [PromptText(params.text)])
    turn = accepted.turn
    if not params.wait:
        return CommandResult(message="Accepted.", result={"turnId": turn})
    ended = await session.wait()
    if ended is not None and ended.error is not None:
        raise ended.error
    reason = ended.reason if ended else "endTurn"
    message = session.last_answer() if ended else ""
    return CommandResult(message=message, result={"turnId": turn, "stopReason": reason})


def describe_result(method: str, result: object) -> str:
    """Write a result as a sentence or a list in Markdown."""
    for kind, words in WORDS.items():
        if isinstance(result, kind):
            return words(result)
    return f"Done: {method.rpartition('/')[2]}."


def _receipt(receipt: shapes.Receipt) -> str:
    freed = receipt.tokens_before - receipt.tokens_after
    state = "Undone" if receipt.undone else "Freed" if freed >= 0 else "Brought back"
    return f"{state}: {abs(freed):,} tokens, {len(receipt.items)} items. {receipt.why}."


def _report(report: shapes.ContextReport) -> str:
    meter = report.meter
    rows = [f"| {part.kind} | {part.tokens:,} |" for part in meter.parts]
    head = f"{meter.used:,} of {meter.effective:,} tokens ({meter.percent:g}%), {meter.zone}."
    return "\n".join([head, "", "| part | tokens |", "|---|---:|", *rows])


def _skills(found: shapes.SkillsResult) -> str:
    rows = [f"- `{s.name}` ({s.source}{'' if s.enabled else ', off'})" for s in found.skills]
    return "\n".join(rows) or "There are no skills."


def _custom(found: CustomResult) -> str:
    rows = [
        f"- `/{each.name}` ({each.source}{'' if each.enabled else ', off'})"
        for each in found.commands
        if each.problem is None
    ]
    rows += [
        f"- agent `{each.name}` ({each.source}{'' if each.enabled else ', off'})"
        for each in found.agents
        if each.problem is None
    ]
    return "\n".join(rows) or "There are no custom commands and agents."


def _hunks(found: HunksResult) -> str:
    rows = [
        f"- `{path_of(file.uri).name}`: {len(file.hunks)} "
        f"{'change' if len(file.hunks) == 1 else 'changes'}"
        for file in found.files
    ]
    rows += [f"- `{path_of(file.uri).name}` stays as it is: {file.why}" for file in found.left]
    return "\n".join(rows) or "No change of the agent waits to be kept or undone."


def _permissions(found: PermissionsResult) -> str:
    rows = [f"{each.number}. {each.what} ({each.covers})" for each in found.permissions]
    return "\n".join([*rows, "", found.note]) if rows else NO_PERMISSIONS


def _pins(found: PinListResult) -> str:
    return "\n".join(f"{pin.number}. {pin.text}" for pin in found.pins) or "Nothing is pinned."


def _sessions(found: wire.SessionListResult) -> str:
    rows = [f"- `{s.id}` {s.title or 'untitled'} ({s.model})" for s in found.sessions]
    return "\n".join(rows) or "There is no session in this folder yet."


def _session(found: wire.SessionResult | UndoResult) -> str:
    session = found.session
    return f"Session `{session.id}`: {session.title or 'untitled'}." if session else "Done."


def _memories(found: MemoriesResult) -> str:
    old = {memory.id: memory.superseded for memory in found.memories if memory.superseded}
    waiting = frozenset(memory.id for memory in found.memories if memory.pending_sync)
    seen = any(memory.seen_at for memory in found.memories)
    team = TeamView(joined=seen or bool(waiting), waiting=waiting)
    return memories_markdown(found.memories, "There is no such memory.", old, team)


def _describe_review(found: MemoryReviewResult) -> str:
    memory = found.memory
    return f"Accepted: **{title_markdown(memory.title)}**." if memory else "Rejected."


def _team(found: TeamStatus) -> str:
    if found.project is None:
        return "This folder takes part in no team."
    waiting = f" Waiting to be sent: {found.queued}." if found.queued else ""
    trouble = f" {found.message} {found.remedy or ''}".rstrip() if found.message else ""
    return f"**{title_markdown(found.project)}**: {found.state}.{waiting}{trouble}"


WORDS: Mapping[type, Callable[[Any], str]] = {
    ReceiptResult: lambda found: _receipt(found.receipt),
    UndoResult: lambda found: _receipt(found.receipt) if found.receipt else _session(found),
    shapes.ContextReport: _report,
    RulesResult: lambda found: rules_markdown(found.rules),
    RuleResult: lambda found: restored_words(found.rule),
    MarkdownResult: lambda found: found.markdown,
    wire.SessionCommitMessageResult: lambda found: found.message,
    PinResult: lambda found: f"Pinned as {found.pin.number}. Always sent.",
    PinListResult: _pins,
    MemoriesResult: _memories,
    MemoryResult: lambda found: memory_markdown(found.memory),
    MemoryImportResult: lambda found: imported_markdown(found.waiting, found.left_out),
    MemoryReviewResult: _describe_review,
    TeamStatus: _team,
    shapes.SkillsResult: _skills,
    CustomResult: _custom,
    CustomExpandResult: lambda found: found.text,
    HunksResult: _hunks,
    PermissionsResult: _permissions,
    PermissionResult: lambda found: f"Asked about again: {found.permission.what}.",
    wire.SessionListResult: _sessions,
    wire.SessionNewResult: _session,
    SessionLoadResult: _session,
    wire.SessionResult: _session,
    wire.SessionCancelResult: lambda c: "Stopped." if c.cancelled else "Nothing was running.",
}
