"""What the sessions of one folder share: their ports to the rest of the world."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import Tools
from plimsoll.errors import NotFound
from plimsoll.memory.service import Memories
from plimsoll.redaction.secrets import Secrets, StreamRedactor
from plimsoll.session.log.readings import Readings, not_kept
from plimsoll.session.ports.agent import Machine
from plimsoll.session.ports.asker import Asker
from plimsoll.session.ports.clock import Clock
from plimsoll.session.ports.events import Listener
from plimsoll.session.ports.foreign import FOREIGN_TOOLS
from plimsoll.session.ports.model import Models
from plimsoll.session.ports.offered_models import ModelOffers, nothing_offered
from plimsoll.session.ports.prices import CostOf, no_price
from plimsoll.session.ports.profiles import Profiles
from plimsoll.session.ports.rules import SessionRules
from plimsoll.session.ports.written import KnownCustom, KnownSkills
from plimsoll.storage.base import Redactor, SessionRecord
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.shared.team import NoTeam, Team
from plimsoll.storage.shared.travel import StaysHere, Travelling
from plimsoll.telemetry.base import NoTracer, Tracer
from plimsoll.tools.ports.apart.own_trees import NoTrees, OwnTrees
from plimsoll.tools.ports.commands import Commands
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import AttachmentReader, FileRestorer, Reader
from plimsoll.tools.ports.hooks import RunHook
from plimsoll.tools.ports.kept_texts import Blobs, Spill
from plimsoll.tools.ports.mcp import McpHost, NoMcp
from plimsoll.tools.ports.tool import AnyTool

Mode = Literal["edit", "plan", "ask"]
MODES: Mapping[str, Mode] = {"edit": "edit", "plan": "plan", "ask": "ask"}


def _nothing_secret() -> StreamRedactor:
    return StreamRedactor(Secrets({}))


SwitchServer = Callable[[str, str | None, bool], Awaitable[None]]
"""Takes the names of a server and of a tool, or none; raises NotFound."""


async def _nothing_to_switch(server: str, tool: str | None, on: bool) -> None:
    del tool, on
    raise NotFound("mcpServer", server[:80], remedy="/mcp lists them.")


@dataclass(frozen=True, slots=True)
class LastEdit:
    """The last change of a file by a tool."""

    session: str
    title: str
    """The title of the session."""
    version: str
    """The version in which it left the file."""


@dataclass(frozen=True, slots=True)
class OtherSchemas:
    """Schemas that take the place of those with the same name, by who is offered them."""

    brief: tuple[ToolSchema, ...] = ()
    """The tools that small windows are offered, with fewer words; none: all, as they are."""
    sharing: tuple[ToolSchema, ...] = ()
    """The tools that are offered otherwise where the folder takes part in a team."""
    agents: tuple[ToolSchema, ...] = ()
    """The tools that are offered otherwise where there are custom agents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePorts:
    """What reads, restores and keeps the texts of files for the sessions of one folder."""

    spill: Callable[[str], Spill]
    """Where a session, named by its id, keeps whole outputs."""
    blobs: Callable[[str], Blobs]
    """The texts of files that are kept with a session."""
    restorer: FileRestorer
    """Puts files back as they were."""
    read_attachment: AttachmentReader
    """Reads the files that a person attaches."""
    read_text: Reader
    """Reads files of the folder for the server's own use."""
    last_edits: dict[Path, LastEdit] = field(default_factory=dict[Path, LastEdit])
    """Which session changed each file last; the sessions of the folder share it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsidePorts:
    """What leads out of a folder or a session: servers, copies, hooks and browsers.

    Nothing of it is there unless the person configured it.
    """

    mcp: McpHost = field(default_factory=NoMcp)
    """The MCP servers of the folder."""
    switch_server: SwitchServer = _nothing_to_switch
    """Switches a server, or a tool of it, on or off for all folders of the person."""
    own_trees: OwnTrees = field(default_factory=NoTrees)
    """Makes copies of the folder for agents that work apart."""
    bringing_in: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the look at what an agent changed apart until it is brought in."""
    run_hook: RunHook | None = None
    """Runs the person's hooks; none: there are none here."""
    open_view: Callable[[str], Awaitable[str]] | None = None
    """Serves a session's context, named by its id, to browsers; returns the address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """The ports that the sessions of one folder share: store, tools, models and others."""

    workspace: str
    """URI of the folder, as the client gave it."""
    machine: Machine
    store: ProjectStore
    clock: Clock
    redact: Redactor
    open_stream: Callable[[], StreamRedactor] = _nothing_secret
    """Makes what takes the secrets out of one text that comes in pieces."""
    models: Models
    tools: Mapping[str, AnyTool]
    """The tools by name, in the order of the schemas."""
    schemas: OtherSchemas = OtherSchemas()
    """The schemas of tools that some sessions are offered instead."""
    commands: Commands
    """The commands that tools have started."""
    call_context: CallContext
    files: FilePorts
    """What reads, restores and keeps the texts of files."""
    outside: OutsidePorts = field(default_factory=OutsidePorts)
    """What leads out of the folder, as far as the person has configured it."""
    readings: Callable[[str], Readings] = not_kept
    """Where what was counted and read of a session's log is kept."""
    asker: Asker
    listener: Listener
    trusted: Callable[[], bool]
    """Tells whether the person trusts the folder now."""
    memories: Memories
    rules: Callable[[], SessionRules] = SessionRules
    """The rules as the settings have them now."""
    cost_of: CostOf = no_price
    profiles: Profiles
    offers: Callable[[], Awaitable[ModelOffers]] = nothing_offered
    """Lists the models that a session can be answered by; asks their addresses."""
    skills: KnownSkills
    """The skills of the folder and of the person, as far as they may be used."""
    custom: KnownCustom
    """The custom commands and agents of the folder and of the person."""
    tracer: Tracer = field(default_factory=NoTracer)
    team: Team = field(default_factory=NoTeam)
    """The part that the folder takes in a team."""
    travelling: Travelling = field(default_factory=StaysHere)
    """The person's sessions on their other machines."""

    @property
    def traits(self) -> Tools:
        """The traits of tools that logs name: of our tools, and of those that only imports use."""
        return traits_of(self.tools)

    @property
    def root(self) -> Path:
        """The folder's real path."""
        return self.call_context.root

    def redact_record(self, record: SessionRecord) -> SessionRecord:
        """Redact the secrets known so far in a record's title, preview and model."""
        title, preview = self.redact(record.title), self.redact(record.preview)
        return replace(record, title=title, preview=preview, model=self.redact(record.model))


def traits_of(tools: Mapping[str, AnyTool]) -> Tools:
    """Return the traits of tools that logs name: of ours, and of those that only imports use."""
    return {**FOREIGN_TOOLS, **{name: tool.traits for name, tool in tools.items()}}
