"""`plimsoll.server.*`: the methods, for clients that have nothing but `executeCommand`."""

from collections.abc import Mapping
from typing import cast

from plimsoll.lsp.convert.updates import notice_data
from plimsoll.lsp.desk import Desk
from plimsoll.lsp.handlers.table import HANDLERS
from plimsoll.lsp.handlers.wording import worded
from plimsoll.lsp.protocol.commands import COMMANDS, CommandResult, SendParams
from plimsoll.lsp.protocol.wire import dump
from plimsoll.lsp.registry import validate
from plimsoll.session.content import Text
from plimsoll.session.reductions import newest_edit
from plimsoll.session.slash import parsed, run_slash

PINNING = frozenset({"pin", "pins", "unpin"})
"""With a folder and no session they mean the pins of the folder."""
NEEDS_FOLDER = frozenset(
    {"newSession", "resumeSession", "listSessions", "remember", "memories", "linkProject"}
)
NAMES_MEMORY = frozenset({"updateMemory", "reviewMemory", "forget", "restoreMemory"})
"""A memory's id alone says what is meant."""


async def run(desk: Desk, name: str, argument: object) -> CommandResult:
    """Fill in the session or folder that is meant, then do what the method does."""
    command = COMMANDS[name]
    given = dict(cast("Mapping[str, object]", argument)) if isinstance(argument, Mapping) else {}
    if command.method is None:
        return await _send(desk, validate(name, SendParams, given))
    filled = await _filled(desk, name.rpartition(".")[2], given)
    params = validate(name, command.params, filled)
    result = await HANDLERS[command.method](desk, params)
    return CommandResult(message=worded(command.method, result), result=dump(result))


async def _filled(desk: Desk, verb: str, given: dict[str, object]) -> dict[str, object]:
    folder = given.get("workspaceFolder")
    if verb in NEEDS_FOLDER:
        return {**given, "workspaceFolder": folder or desk.first_folder()}
    if verb in NAMES_MEMORY:
        return given
    if "sessionId" in given or (verb in PINNING and {"workspaceFolder", "pinId"} & given.keys()):
        return given
    _, session = await desk.current(folder if isinstance(folder, str) else None)
    given = {**given, "sessionId": session.id}
    if verb == "undo" and "editId" not in given:
        given["editId"] = newest_edit(session.state.log.fold)
    return given


async def _send(desk: Desk, params: SendParams) -> CommandResult:
    """Say something; by default answer at the end of the turn, with the answer as the message."""
    if params.session_id is not None:
        project, session = await desk.find(params.session_id)
    else:
        project, session = await desk.current(params.workspace_folder)
    slash = parsed(params.text)
    if slash is not None and params.wait:
        reply = await run_slash(slash, project, session)
        return CommandResult(message=reply.markdown, result=notice_data(reply.data))
    turn = await desk.speaking.say(project, session, [Text(params.text)])
    if not params.wait:
        return CommandResult(message="Accepted.", result={"turnId": turn})
    ended = await session.wait()
    if ended is not None and ended.error is not None:
        raise ended.error
    reason = ended.reason if ended else "endTurn"
    message = session.last_answer() if ended else ""
    return CommandResult(message=message, result={"turnId": turn, "stopReason": reason})
