"""Commands that any client can call by `workspace/executeCommand`, and slash commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from plimsoll.lsp.wire.methods import REQUESTS

if TYPE_CHECKING:
    from plimsoll.lsp.wire.base import Wire

COMMAND_PREFIX: Final = "plimsoll.server."


@dataclass(frozen=True, slots=True)
class Command:
    """A command that stands for a method; the one without a method takes `SendParams`."""

    id: str
    method: str | None
    help: str

    @property
    def params(self) -> type[Wire]:
        """The model of its one optional argument, once the session is filled in."""
        if self.method is not None:
            return REQUESTS[self.method].params
        from plimsoll.lsp.wire.service import SendParams

        return SendParams


@dataclass(frozen=True, slots=True, kw_only=True)
class SlashCommand:
    """A slash command, run as a `Command`; the server itself answers one that names none."""

    name: str
    arguments: str
    help: str
    command: str | None
    alone: bool
    """Whether it says something without arguments."""


def _command(name: str, method: str | None, text: str) -> tuple[str, Command]:
    return COMMAND_PREFIX + name, Command(COMMAND_PREFIX + name, method, text)


COMMANDS: Final[dict[str, Command]] = dict(
    (
        _command("newSession", "plimsoll/session/new", "Opens a new session."),
        _command("resumeSession", "plimsoll/session/load", "Loads a session, or the latest."),
        _command("listSessions", "plimsoll/session/list", "Lists the sessions of a folder."),
        _command("send", None, "Says something and waits for the answer."),
        _command("cancel", "plimsoll/session/cancel", "Cancels the running turn."),
        _command("setMode", "plimsoll/session/setMode", "Sets the mode: edit, plan or ask."),
        _command("setModel", "plimsoll/session/setModel", "Sets the model."),
        _command("rewind", "plimsoll/session/rewind", "Goes back to a message."),
        _command("fork", "plimsoll/session/fork", "Copies the session into a new one."),
        _command("compact", "plimsoll/context/compact", "Compacts the context now."),
        _command("previewCompaction", "plimsoll/context/preview", "Shows the next compaction."),
        _command("postpone", "plimsoll/context/postpone", "Puts off a planned compaction."),
        _command("undo", "plimsoll/context/undo", "Undoes a reduction."),
        _command("evict", "plimsoll/context/evict", "Takes items out of the context."),
        _command("restore", "plimsoll/context/restore", "Brings items back into the context."),
        _command(
            "explain", "plimsoll/context/explain", "Says why an item is here, or where it went."
        ),
        _command("contextReport", "plimsoll/context/report", "Reports what is in the context."),
        _command(
            "rules", "plimsoll/context/rules", "Lists the standing instructions of the session."
        ),
        _command(
            "restoreRule", "plimsoll/context/restoreRule", "Lets an ended instruction hold again."
        ),
        _command("pin", "plimsoll/pin/add", "Pins a text or an item."),
        _command("pins", "plimsoll/pin/list", "Lists the pins."),
        _command("unpin", "plimsoll/pin/remove", "Removes a pin."),
        _command("remember", "plimsoll/memory/add", "Adds a memory."),
        _command("memories", "plimsoll/memory/list", "Lists the memories of a folder."),
        _command("updateMemory", "plimsoll/memory/update", "Changes a memory."),
        _command(
            "reviewMemory", "plimsoll/memory/review", "Accepts or rejects a memory of the inbox."
        ),
        _command("forget", "plimsoll/memory/forget", "Forgets a memory."),
        _command("restoreMemory", "plimsoll/memory/restore", "Undoes a forget."),
        _command(
            "shareMemory", "plimsoll/memory/share", "Shares a memory, or keeps it private again."
        ),
        _command("importMemories", "plimsoll/memory/import", "Takes an export in, into the inbox."),
        _command(
            "commitMessage",
            "plimsoll/session/commitMessage",
            "Writes a commit message for what is staged.",
        ),
        _command("cost", "plimsoll/session/cost", "Sums what the session used."),
        _command("team", "plimsoll/team/status", "Says how the team of a folder does."),
        _command("createTeam", "plimsoll/team/create", "Makes a project on a team's server."),
        _command("joinTeam", "plimsoll/team/join", "Takes part in a team's project."),
        _command("leaveTeam", "plimsoll/team/leave", "Takes part in the team's project no more."),
        _command("acceptAuthor", "plimsoll/team/accept", "Accepts a colleague's memories."),
        _command("linkProject", "plimsoll/project/link", "Takes over what a moved folder had."),
        _command("skills", "plimsoll/skill/list", "Lists the skills."),
        _command("switchSkill", "plimsoll/skill/set", "Switches a skill on or off."),
        _command("custom", "plimsoll/custom/list", "Lists the custom commands and agents."),
        _command("switchCustom", "plimsoll/custom/set", "Switches a custom command or agent."),
        _command(
            "expandCommand",
            "plimsoll/custom/expand",
            "Makes the prompt of a custom command; sends nothing.",
        ),
        _command("hunks", "plimsoll/hunk/list", "Lists what the agent wrote and nobody has kept."),
        _command("keepHunks", "plimsoll/hunk/keep", "Keeps what the agent wrote."),
        _command("undoHunks", "plimsoll/hunk/undo", "Undoes what the agent wrote."),
        _command(
            "permissions", "plimsoll/permission/list", "Lists what is always allowed in a folder."
        ),
        _command("removePermission", "plimsoll/permission/remove", "Asks about something again."),
    )
)
"""Every server command by its id."""


def _slash(
    name: str, arguments: str, text: str, command: str | None, *, alone: bool = True
) -> SlashCommand:
    offered = command and COMMAND_PREFIX + command
    return SlashCommand(name=name, arguments=arguments, help=text, command=offered, alone=alone)


SLASH_COMMANDS: Final[tuple[SlashCommand, ...]] = (
    _slash("compact", "[anyway] [instructions]", "Compact the context now.", "compact"),
    _slash("undo", "[ID]", "Undo the last reduction.", "undo"),
    _slash(
        "rewind",
        "[N] [files]",
        "Go back to prompt N, with files as they were then; alone it lists the prompts.",
        "rewind",
    ),
    _slash("context", "list | detail", "Show what is in the context.", "contextReport"),
    _slash("view", "", "Show the context in a browser.", None),
    _slash(
        "pin",
        "[--workspace] TEXT",
        "Pin a text: it is always sent; with --workspace in all sessions.",
        "pin",
        alone=False,
    ),
    _slash("pins", "", "List the pins.", "pins"),
    _slash("unpin", "N", "Remove pin number N.", "unpin", alone=False),
    _slash(
        "remember",
        "[--pin] TEXT",
        "Add a memory of this project; a pinned one comes first and does not expire.",
        "remember",
        alone=False,
    ),
    _slash("memories", "[QUERY]", "List the memories of this project, or search.", "memories"),
    _slash(
        "forget",
        "[--purge] ID",
        "Forget a memory, or remove its text for good.",
        "forget",
        alone=False,
    ),
    _slash("unforget", "ID", "Bring back what was forgotten.", "restoreMemory", alone=False),
    _slash("inbox", "", "List the memories that wait for a review.", "memories"),
    _slash("accept", "ID", "Accept a memory of the inbox.", "reviewMemory", alone=False),
    _slash("reject", "ID", "Reject a memory of the inbox.", "reviewMemory", alone=False),
    _slash(
        "share",
        "ID [WHOM]",
        "Share a memory with the team, or say with whom: mine, team or private.",
        "shareMemory",
        alone=False,
    ),
    _slash("sessions", "", "List the sessions of this folder.", "listSessions"),
    _slash("resume", "[ID]", "Load a session, or the latest other one.", "resumeSession"),
    _slash("new", "", "Open a new session.", "newSession"),
    _slash("mode", "NAME", "Set the mode: edit, plan or ask.", "setMode", alone=False),
    _slash("model", "[NAME]", "Set the model; alone it lists the connected ones.", "setModel"),
    _slash(
        "rules",
        "[restore N]",
        "List your standing instructions and those that later ones ended, or restore one.",
        "rules",
    ),
    _slash("skills", "on NAME | off NAME", "List the skills, or switch one on or off.", "skills"),
    _slash(
        "agents",
        "on NAME | off NAME",
        "List your custom agents, or switch one on or off.",
        "custom",
    ),
    _slash(
        "commands",
        "on NAME | off NAME",
        "List your custom commands, or switch one on or off.",
        "custom",
    ),
    _slash(
        "mcp",
        "[NAME] | restart NAME | on NAME [TOOL] | off NAME [TOOL]",
        "List the MCP servers or what one offers, restart one, or switch one or a tool of it.",
        None,
    ),
    _slash(
        "permissions",
        "[remove N]",
        "List what is always allowed in this folder, or take one back.",
        "permissions",
    ),
    _slash("profile", "[NAME]", "Show the profile of settings, or choose another.", None),
    _slash("aside", "", "List protected files that commands made and nobody kept.", None),
    _slash(
        "sandbox",
        "[accept]",
        "Show what commands are kept from, or take a lesser sandbox.",
        None,
    ),
    _slash("hooks", "", "List your hooks and their last runs.", None),
    _slash(
        "commit-message",
        "[BEGINNING]",
        "Write a commit message for what is staged.",
        "commitMessage",
    ),
    _slash("cost", "", "Show what the session used.", "cost"),
    _slash("help", "", "List these commands.", None),
)
"""Every slash command, in the order of the help."""
