"""Slash commands: what a person types after a slash is done here and never reaches the model."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from plimsoll.errors import InvalidInput, NotFound
from plimsoll.session.background.between_turns import compact_in
from plimsoll.session.checkpoints.wording import restored_markdown
from plimsoll.session.commands import memory_commands, rewinding
from plimsoll.session.commands.aside_command import aside
from plimsoll.session.commands.commit_command import commit_message
from plimsoll.session.commands.cost_markdown import cost_markdown
from plimsoll.session.commands.custom.agents import agents
from plimsoll.session.commands.custom.named import ExpandedCommand, expand_command, list_commands
from plimsoll.session.commands.custom.replies import commands, reply_with
from plimsoll.session.commands.markdown import (
    pins_markdown,
    receipt_markdown,
    report_markdown,
    sessions_markdown,
)
from plimsoll.session.commands.memory_commands import Reply
from plimsoll.session.commands.model_command import model
from plimsoll.session.commands.permission_commands import permissions
from plimsoll.session.commands.profile_command import profile
from plimsoll.session.commands.rule_commands import rules
from plimsoll.session.commands.sandbox_command import sandbox
from plimsoll.session.commands.servers.listing import servers
from plimsoll.session.commands.servers.prompts import expand_prompt, names_server
from plimsoll.session.commands.skill_commands import skills
from plimsoll.session.layers.pins import count_pin
from plimsoll.session.layers.wording import load_line
from plimsoll.session.listing import list_used
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.environment import MODES, Environment
from plimsoll.session.project import Project
from plimsoll.session.reduction.inspection import report
from plimsoll.session.reduction.undoing import newest_edit
from plimsoll.session.session import Session
from plimsoll.session.state.cost import cost_rows

MOST_LISTED = 20
_COMMAND = re.compile(r"/([a-z]+(?:-[a-z]+)*)(?:\s+(.*))?\Z", re.DOTALL)
_CUSTOM = re.compile(
    r"/([A-Za-z0-9][A-Za-z0-9_-]*(?::[A-Za-z0-9][A-Za-z0-9_-]*)*)(?:\s+(.*))?\Z", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Slash:
    """A slash command and its arguments."""

    name: str
    rest: str

    @property
    def typed(self) -> str:
        """The command as a person typed it, except for spaces."""
        return f"/{self.name} {self.rest}".rstrip()


def parse_command(text: str) -> Slash | None:
    """Parse the command in a prompt; None for ``//`` and paths, which are text."""
    match = _COMMAND.match(text)
    return Slash(match[1], (match[2] or "").strip()) if match else None


def typed_command(prompt: PromptText) -> Slash | None:
    """Parse the command that a person typed; several pasted lines are text, however they begin."""
    return None if _is_pasted_text(prompt) else parse_command(prompt.text)


async def called_command(prompt: PromptText, project: Project) -> Slash | None:
    """Parse the command that a person typed, also a custom one whose name is no plain word."""
    slash = typed_command(prompt)
    match = None if slash or _is_pasted_text(prompt) else _CUSTOM.match(prompt.text)
    if match is None:
        return slash
    if names_server(match[1], project.environment):
        return Slash(match[1], (match[2] or "").strip())
    listed = await list_commands(project.environment, SLASHES)
    called = any(one.usable and one.file.name == match[1] for one in listed)
    return Slash(match[1], (match[2] or "").strip()) if called else None


def pasted_command(prompt: PromptText) -> str | None:
    """Return the notice that a pasted command is sent as text; None for other prompts."""
    slash = parse_command(prompt.text)
    if slash is None or slash.name not in SLASHES or not _is_pasted_text(prompt):
        return None
    return f"Sent as a message: several pasted lines are not run. Type `/{slash.name}` to run it."


def _is_pasted_text(prompt: PromptText) -> bool:
    start, end = next(iter(prompt.pasted or ()), (0, 0))
    return start == 0 and "\n" in prompt.text[:end].strip()


def unescape_prompt(text: str) -> str:
    """Return the text of a prompt for the model: two slashes at its beginning become one."""
    return text[1:] if re.match(r"//[a-z]", text) else text


async def run_slash(slash: Slash, project: Project, session: Session) -> Reply:
    """Run a slash command, else a custom one; raises InvalidInput if there is none of this name."""
    command = SLASHES.get(slash.name)
    if command is None:
        return reply_with(await expand_called(slash.name, slash.rest, project.environment))
    return await command.run(slash.rest, project, session)


async def expand_called(name: str, rest: str, environment: Environment) -> ExpandedCommand:
    """Make the prompt of an MCP server, else of a custom command; raises InvalidInput."""
    expand = expand_prompt if names_server(name, environment) else expand_command
    return await expand(name, rest, environment)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command: its name, its help, and the function that runs it."""

    arguments: str
    help: str
    run: Callable[[str, Project, Session], Awaitable[Reply]]
    kept: bool = True
    """Whether the log may keep command and answer: not what can be forgotten or deleted."""


ANYWAY = "anyway"
"""Before the instructions of `/compact`: the model is asked also where that could free little."""


async def _compact(rest: str, _project: Project, session: Session) -> Reply:
    first, _, behind = rest.partition(" ")
    anyway = first == ANYWAY
    receipt = await compact_in(session, behind.strip() if anyway else rest, anyway=anyway)
    return Reply(receipt_markdown(receipt), receipt)


async def _undo(rest: str, _project: Project, session: Session) -> Reply:
    done = await session.undo(rest or newest_edit(session.state.log.fold))
    if done.receipt is not None:
        return Reply(receipt_markdown(done.receipt), done.receipt)
    words = ["The rewind is undone: what it had taken out of the conversation is back."]
    if done.restored is not None:
        words.append(restored_markdown(done.restored, session.state.files.root))
    return Reply("\n\n".join(words))


async def _context(rest: str, _project: Project, session: Session) -> Reply:
    if rest not in ("", "list", "detail"):
        raise InvalidInput(
            f"/context takes list or detail, not {rest[:40]!r}.", remedy="Write /context detail."
        )
    found = report(session.state)
    text = report_markdown(
        found.meter,
        found.items,
        found.receipts,
        found.advice,
        history=found.history,
        detail=rest == "detail",
    )
    return Reply(text, found)


async def _view(_rest: str, project: Project, session: Session) -> Reply:
    open_view = project.environment.outside.open_view
    if open_view is None:
        raise InvalidInput("Nothing here serves a browser.")
    address = await open_view(session.id)
    return Reply(
        f"{address}\n\nThere a browser on this machine shows this context, kept up to date. The "
        "address works once; `/view` makes another one."
    )


async def _pin(rest: str, project: Project, session: Session) -> Reply:
    option, _, text = rest.partition(" ")
    ledger = session.state.model.ledger
    if option == "--workspace":
        kept = await project.pins.add(text.strip())
        pin = session.state.log.fold.pins.get(kept.id)
        number, data = (pin.number, count_pin(pin, ledger)) if pin else (kept.number, None)
        words = "Pinned. Always sent, in every session of this folder."
        return Reply(f"{words} `/unpin {number}` undoes it.", data)
    pin = await session.pin(rest, None)
    return Reply(f"Pinned. Always sent. `/unpin {pin.number}` undoes it.", count_pin(pin, ledger))


async def _pins(_rest: str, _project: Project, session: Session) -> Reply:
    pins, ledger = tuple(session.state.log.fold.pins.values()), session.state.model.ledger
    return Reply(pins_markdown(pins, ledger), tuple(count_pin(pin, ledger) for pin in pins))


async def _unpin(rest: str, project: Project, session: Session) -> Reply:
    pins = session.state.log.fold.pins.values()
    pin = next((pin for pin in pins if str(pin.number) == rest), None)
    if pin is None:
        raise NotFound("pin", rest, remedy="/pins lists the pins with their numbers.")
    await project.pins.remove_from(session, pin)
    where = " from every session of this folder" if pin.scope == "workspace" else ""
    return Reply(f"Pin {rest} is gone{where}.")


async def _sessions(_rest: str, project: Project, _session: Session) -> Reply:
    listed = await list_used(project, MOST_LISTED)
    shown = tuple(each.record for each in listed)
    agents = {one.id: await project.list(parent=one.id) for one in shown}
    return Reply(sessions_markdown(listed, agents), shown)


async def _resume(rest: str, project: Project, open_one: Session) -> Reply:
    session = await project.load(rest or await _latest_other(project, open_one))
    name = f"**{session.state.record.title or 'untitled'}** (`{session.id}`)"
    if session is open_one:
        return Reply(f"{name} is the session that is open.")
    return Reply(f"Resumed {name}.", session=session)


async def _latest_other(project: Project, session: Session) -> str:
    """Return the id of the last used session other than the open one; raises NotFound."""
    found = [each.record for each in await list_used(project, MOST_LISTED)]
    other = next((one.id for one in found if one.turns and one.id != session.id), None)
    if other is None:
        message = "There is no other session in this folder to go on with."
        remedy = "Go on in this one; /sessions lists what there is."
        raise NotFound("session", "latest", message=message, remedy=remedy)
    return other


async def _new(_rest: str, project: Project, _session: Session) -> Reply:
    session = await project.new()
    return Reply(
        "A new session. What was said before is kept; `/sessions` lists it.", session=session
    )


async def _mode(rest: str, _project: Project, session: Session) -> Reply:
    if rest not in MODES:
        raise InvalidInput(f"There is no mode {rest[:40]!r}.", remedy=f"Modes: {', '.join(MODES)}.")
    await session.set_mode(MODES[rest])
    return Reply(f"Mode: {rest}.", session.state.record)


async def _cost(_rest: str, _project: Project, session: Session) -> Reply:
    rows = cost_rows(session.state.log.fold.entries)
    account = session.state.account
    used = cost_markdown(rows, account.summary(), account.cost_of)
    return Reply(f"**Load line**: {load_line(session.state.load.meter())}\n\n{used}", rows)


async def _hooks(_rest: str, _project: Project, session: Session) -> Reply:
    # Late: most people have no hooks.
    from plimsoll.session.hooks.listing import hooks_markdown

    return Reply(hooks_markdown(session.state))


async def _commands(rest: str, project: Project, session: Session) -> Reply:
    return await commands(rest, project, session, SLASHES)


async def _help(_rest: str, _project: Project, _session: Session) -> Reply:
    rows = (f"- `/{name} {c.arguments}`".rstrip() + f": {c.help}" for name, c in SLASHES.items())
    return Reply("\n".join(rows).replace(" `:", "`:"))


SLASHES: Mapping[str, SlashCommand] = {
    "compact": SlashCommand("[anyway] [instructions]", "Compact the context now.", _compact),
    "undo": SlashCommand("[ID]", "Undo the last reduction.", _undo),
    "rewind": SlashCommand(
        "[N] [files]",
        "Go back to prompt N, with files as they were then; alone it lists the prompts.",
        rewinding.rewind,
    ),
    "context": SlashCommand("list | detail", "Show what is in the context.", _context),
    "view": SlashCommand("", "Show the context in a browser.", _view, kept=False),
    "pin": SlashCommand(
        "[--workspace] TEXT",
        "Pin a text: it is always sent; with --workspace in all sessions.",
        _pin,
    ),
    "pins": SlashCommand("", "List the pins.", _pins),
    "unpin": SlashCommand("N", "Remove pin number N.", _unpin),
    "remember": SlashCommand(
        "[--pin] TEXT",
        "Remember a text in later sessions of this folder; a pinned one comes first and does not "
        "expire.",
        memory_commands.remember,
        kept=False,
    ),
    "memories": SlashCommand(
        "[QUERY]",
        "List what is remembered here, or search it.",
        memory_commands.memories,
        kept=False,
    ),
    "forget": SlashCommand(
        "[--purge] ID",
        "Forget a memory, or remove its text for good.",
        memory_commands.forget,
        kept=False,
    ),
    "unforget": SlashCommand(
        "ID", "Bring back what was forgotten.", memory_commands.unforget, kept=False
    ),
    "inbox": SlashCommand(
        "", "Show the memories that wait for a review.", memory_commands.inbox, kept=False
    ),
    "accept": SlashCommand(
        "ID", "Accept a memory of the inbox.", memory_commands.accept, kept=False
    ),
    "reject": SlashCommand(
        "ID", "Reject a memory of the inbox.", memory_commands.reject, kept=False
    ),
    "share": SlashCommand(
        "ID [WHOM]",
        "Share a memory with the team, or say with whom: mine, team or private.",
        memory_commands.share_memory,
        kept=False,
    ),
    "sessions": SlashCommand("", "List the sessions of this folder.", _sessions, kept=False),
    "resume": SlashCommand("[ID]", "Load a session, or the latest other one.", _resume, kept=False),
    "new": SlashCommand("", "Open a new session.", _new),
    "mode": SlashCommand("NAME", "Set the mode: edit, plan or ask.", _mode),
    "model": SlashCommand("[NAME]", "Set the model; alone it lists the connected ones.", model),
    "rules": SlashCommand(
        "[restore N]",
        "List your standing instructions and those that later ones ended, or restore one.",
        rules,
    ),
    "skills": SlashCommand(
        "on NAME | off NAME", "List the skills, or switch one on or off.", skills
    ),
    "agents": SlashCommand(
        "on NAME | off NAME", "List your custom agents, or switch one on or off.", agents
    ),
    "commands": SlashCommand(
        "on NAME | off NAME", "List your custom commands, or switch one on or off.", _commands
    ),
    "mcp": SlashCommand(
        "[NAME] | restart NAME | on NAME [TOOL] | off NAME [TOOL]",
        "List the MCP servers or what one offers, restart one, or switch one or a tool of it.",
        servers,
        kept=False,
    ),
    "permissions": SlashCommand(
        "[remove N]",
        "List what is always allowed in this folder, or take one back.",
        permissions,
        kept=False,
    ),
    "profile": SlashCommand("[NAME]", "Show the profile of settings, or choose another.", profile),
    "aside": SlashCommand("", "List protected files that commands made and nobody kept.", aside),
    "sandbox": SlashCommand(
        "[accept]", "Show what commands are kept from, or take a lesser sandbox.", sandbox
    ),
    "hooks": SlashCommand("", "List your hooks and their last runs.", _hooks, kept=False),
    "commit-message": SlashCommand(
        "[BEGINNING]", "Write a commit message for what is staged.", commit_message
    ),
    "cost": SlashCommand("", "Show what the session used.", _cost),
    "help": SlashCommand("", "List these commands.", _help),
}
"""Every command that is there, in the order of the help."""


def escape_prompt(text: str) -> str:
    """Escape a text as a prompt: one that looks like a command gets a second slash."""
    return f"/{text}" if parse_command(text) else text
