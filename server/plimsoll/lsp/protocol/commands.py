"""What any client can call by `workspace/executeCommand`, and what a person can type after `/`."""

from dataclasses import dataclass
from typing import Any, Final

from pydantic import StrictBool

from plimsoll.lsp.protocol import names
from plimsoll.lsp.protocol.methods import REQUESTS
from plimsoll.lsp.protocol.wire import Wire

COMMAND_PREFIX: Final = "plimsoll.server."


class SendParams(Wire):
    """A prompt as text; `wait: false` answers on acceptance instead of at the turn's end."""

    text: str
    wait: StrictBool = True
    session_id: str | None = None
    workspace_folder: str | None = None


class CommandResult(Wire):
    """The answer of every command: a `message` in Markdown, and the result of its method."""

    message: str
    result: Any = None


@dataclass(frozen=True, slots=True)
class Command:
    """A command; without a method, its params are `SendParams`."""

    id: str
    method: str | None
    help: str

    @property
    def params(self) -> type[Wire]:
        """The model of its one optional argument, once the session is filled in."""
        return SendParams if self.method is None else REQUESTS[self.method].params


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command; without a command it is answered by the server itself."""

    name: str
    arguments: str
    help: str
    command: str | None


def _command(name: str, method: str | None, text: str) -> tuple[str, Command]:
    return COMMAND_PREFIX + name, Command(COMMAND_PREFIX + name, method, text)


COMMANDS: Final[dict[str, Command]] = dict(
    (
        _command("newSession", names.SESSION_NEW, "Opens a new session."),
        _command("resumeSession", names.SESSION_LOAD, "Loads a session, or the latest."),
        _command("listSessions", names.SESSION_LIST, "Lists the sessions of a folder."),
        _command("send", None, "Says something and waits for the answer."),
        _command("cancel", names.SESSION_CANCEL, "Cancels the running turn."),
        _command("setMode", names.SESSION_SET_MODE, "Sets the mode: edit, plan or ask."),
        _command("setModel", names.SESSION_SET_MODEL, "Sets the model."),
        _command("rewind", names.SESSION_REWIND, "Goes back to a message."),
        _command("fork", names.SESSION_FORK, "Copies the session into a new one."),
        _command("compact", names.CONTEXT_COMPACT, "Compacts the context now."),
        _command("previewCompaction", names.CONTEXT_PREVIEW, "Shows the next compaction."),
        _command("postpone", names.CONTEXT_POSTPONE, "Postpones a planned compaction."),
        _command("undo", names.CONTEXT_UNDO, "Takes a reduction back."),
        _command("evict", names.CONTEXT_EVICT, "Takes items out of the context."),
        _command("restore", names.CONTEXT_RESTORE, "Brings items back into the context."),
        _command("explain", names.CONTEXT_EXPLAIN, "Says why an item is here, or where it went."),
        _command("contextReport", names.CONTEXT_REPORT, "Reports what the model holds."),
        _command("pin", names.PIN_ADD, "Pins a text or an item."),
        _command("pins", names.PIN_LIST, "Lists the pins."),
        _command("unpin", names.PIN_REMOVE, "Removes a pin."),
        _command("remember", names.MEMORY_ADD, "Adds a memory."),
        _command("memories", names.MEMORY_LIST, "Lists the memories of a folder."),
        _command("updateMemory", names.MEMORY_UPDATE, "Changes a memory."),
        _command("reviewMemory", names.MEMORY_REVIEW, "Accepts or rejects a memory of the inbox."),
        _command("forget", names.MEMORY_FORGET, "Forgets a memory."),
        _command("restoreMemory", names.MEMORY_RESTORE, "Undoes a forget."),
        _command("cost", names.SESSION_COST, "Sums what the session used."),
        _command("linkProject", names.PROJECT_LINK, "Takes over what a moved folder had."),
    )
)
"""Every server command by its id."""


def _slash(name: str, arguments: str, text: str, command: str | None) -> SlashCommand:
    return SlashCommand(name, arguments, text, command and COMMAND_PREFIX + command)


SLASH_COMMANDS: Final[tuple[SlashCommand, ...]] = (
    _slash("compact", "[instructions]", "Compact the context now.", "compact"),
    _slash("undo", "", "Take the last reduction back.", "undo"),
    _slash("context", "list | detail", "Show what the model holds.", "contextReport"),
    _slash(
        "pin",
        "[--workspace] TEXT",
        "Pin a text: it stands in every request, or in all sessions.",
        "pin",
    ),
    _slash("pins", "", "List the pins.", "pins"),
    _slash("unpin", "N", "Remove pin number N.", "unpin"),
    _slash("remember", "TEXT", "Add a memory of this project.", "remember"),
    _slash("memories", "[QUERY]", "List the memories of this project, or search.", "memories"),
    _slash("forget", "ID", "Forget a memory.", "forget"),
    _slash("unforget", "ID", "Bring back what was forgotten.", "restoreMemory"),
    _slash("inbox", "", "List the memories that wait for a review.", "memories"),
    _slash("accept", "ID", "Accept a memory of the inbox.", "reviewMemory"),
    _slash("reject", "ID", "Reject a memory of the inbox.", "reviewMemory"),
    _slash("sessions", "", "List the sessions of this folder.", "listSessions"),
    _slash("resume", "[ID]", "Load a session, or the latest.", "resumeSession"),
    _slash("new", "", "Open a new session.", "newSession"),
    _slash("mode", "NAME", "Set the mode: edit, plan or ask.", "setMode"),
    _slash("model", "NAME", "Set the model, as provider/name.", "setModel"),
    _slash("cost", "", "Show what the session used.", "cost"),
    _slash("help", "", "List these commands.", None),
)
"""Every slash command, in the order of the help."""
