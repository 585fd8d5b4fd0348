"""What a chat can offer at its prompt: the load, the arguments of commands, the folder's files."""

import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from plimsoll.context.budget import Meter
from plimsoll.session.commands.custom.named import list_commands
from plimsoll.session.commands.rewinding import prompts_of
from plimsoll.session.commands.servers.prompts import named_prompts
from plimsoll.session.commands.slash import SLASHES
from plimsoll.session.listing import ListedSession, list_used
from plimsoll.session.ports.environment import MODES
from plimsoll.session.ports.offered_models import offer_words
from plimsoll.session.ports.written import ListedCustom
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.terminal.keyboard import Candidate, Choice
from plimsoll.terminal.report import load_line
from plimsoll.text.wording import plural
from plimsoll.tools.ports.mcp import enabled_offers
from plimsoll.tools.search.halt import Halt
from plimsoll.tools.search.ignore import IgnoreReader
from plimsoll.tools.search.walk import walk

MOST_SESSIONS = 50
_WALK_SECONDS = 2.0
_FRESH_SECONDS = 10.0
"""How long a list of files is taken as it was."""


def status_pieces(meter: Meter, model: str, mode: str) -> list[tuple[str, str]]:
    """Build the bar below the prompt: the load line, model and mode."""
    return [
        (load_line(meter), f"load-{meter.zone}"),
        (f" · {model} · {mode}", ""),
    ]


async def custom_commands(project: Project) -> Sequence[Candidate]:
    """List custom commands and prompts of MCP servers, each with what it says of itself."""
    listed = (one for one in await list_commands(project.environment, SLASHES) if one.usable)
    files = (one.file for one in listed)
    prompts = named_prompts(enabled_offers(project.environment.outside.mcp))
    return [
        *(Candidate(file.name, f"{file.hint}  {file.description}".strip()) for file in files),
        *(Candidate(one.name, f"{one.usage}  {one.description}".strip()) for one in prompts),
    ]


async def known_arguments(
    command: str, project: Project, session: Session, models: Sequence[str]
) -> Sequence[Candidate]:
    """List the arguments that a slash command takes, where they are known."""
    fixed = {
        "mode": tuple(MODES),
        "context": ("list", "detail"),
        "model": models,
        "mcp": _server_words(project),
    }
    if command in fixed:
        return [Candidate(each) for each in fixed[command]]
    if command == "commands":
        listed = await list_commands(project.environment, SLASHES)
        return [_switch(one) for one in listed if not one.file.problem]
    if command == "agents":
        found = [one for one in await project.environment.custom.agents() if not one.file.problem]
        return [_switch(one) for one in found]
    if command == "unpin":
        pins = session.state.log.fold.pins.values()
        return [Candidate(str(pin.number), pin.text) for pin in pins]
    if command == "permissions":
        kept = await project.environment.store.permissions.permissions()
        return [Candidate(f"remove {each.number}", each.what) for each in kept]
    if command == "rewind":
        prompts = prompts_of(session.state.log.fold)
        return [Candidate(str(each.number), each.words) for each in reversed(prompts)]
    if command == "resume":
        return [Candidate(c.value, c.label) for c in await session_choices(project, session)]
    return ()


def _switch(one: ListedCustom) -> Candidate:
    word = "off" if one.enabled else "on"
    return Candidate(f"{word} {one.file.name}", one.file.description)


def _server_words(project: Project) -> Sequence[str]:
    names = [offer.server.name for offer in project.environment.outside.mcp.offers()]
    words = (f"{word} {name}" for word in ("restart", "on", "off") for name in names)
    return (*names, *words)


async def session_choices(project: Project, session: Session) -> list[Choice]:
    """List the sessions that can be resumed, the one used last first.

    Each has the beginning of its last prompt, and the name of the other machine that alone has it;
    the open session, and those without a prompt, are
    left out.
    """
    found = await list_used(project, MOST_SESSIONS + 1)
    listed = [one for one in found if one.record.id != session.id]
    now = project.environment.clock.now()
    return [Choice(one.record.id, _label(one, now)) for one in listed[:MOST_SESSIONS]]


async def model_choices(session: Session) -> list[Choice]:
    """List the models of all addresses that were connected, the one used last first."""
    offers = await session.state.environment.offers()
    current = session.state.model.id
    choices: list[Choice] = []
    for one in offers.models:
        words = f"{one.name}  {offer_words(one, answers=offers.answers(one))}"
        choices.append(Choice(one.id, f"{words} · current" if one.id == current else words))
    return choices


def _label(listed: ListedSession, now: str) -> str:
    one = listed.record
    facts = (
        one.title or "untitled",
        f"on {listed.machine}" if listed.machine else "",
        age(one.updated_at, now),
        plural(one.turns, "turn"),
        one.preview if one.preview != one.title else "",
    )
    return " · ".join(fact for fact in facts if fact)


def age(moment: str, now: str) -> str:
    """Say how long ago a moment was, both in ISO 8601 with their offsets: ``3 h ago``."""
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(moment)
    minutes = max(0, int(passed.total_seconds()) // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    if minutes < 24 * 60:
        return f"{minutes // 60} h ago"
    return f"{plural(minutes // (24 * 60), 'day')} ago"


class FolderFiles:
    """The files of a folder that git would include, listed anew after some seconds."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._reader = IgnoreReader()
        self._listed: tuple[str, ...] = ()
        self._until = 0.0

    def __call__(self) -> Sequence[str]:
        """List the paths of the files; walks the folder, so call it on a worker thread."""
        now = time.monotonic()
        if now >= self._until:
            found = walk(self._root, self._root, Halt(_WALK_SECONDS), self._reader)
            self._listed = tuple(found.names)
            self._until = time.monotonic() + _FRESH_SECONDS
        return self._listed
