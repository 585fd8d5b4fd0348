"""A session with a scripted model, the real tools and a folder, without an editor."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from builders import LEDGER
from plimsoll.context.budget import WindowSource, budget_for
from plimsoll.context.log.entries import Entry, Said
from plimsoll.context.pipeline.settings import CompactionSettings, PipelineSettings
from plimsoll.context.view.fold import view_of
from plimsoll.context.view.rendering import pair_results
from plimsoll.errors import ProviderModel
from plimsoll.memory.service import Memories
from plimsoll.profiles import ServerProfiles
from plimsoll.providers.base import Provider
from plimsoll.providers.scripted import Gate, Scripted
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.session.ports.agent import Machine
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.clock import Clock, CountedClock
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.environment import (
    Environment,
    FilePorts,
    Mode,
    OtherSchemas,
    OutsidePorts,
)
from plimsoll.session.ports.events import CallShown, Event, Listener, TurnEnded
from plimsoll.session.ports.model import Model, Models
from plimsoll.session.ports.rules import MemoryRules, SessionRules
from plimsoll.session.ports.written import KnownCustom, KnownSkills
from plimsoll.session.project import Project
from plimsoll.session.session import Background, Session
from plimsoll.settings import Settings
from plimsoll.storage.base import Redactor
from plimsoll.storage.project import ProjectStore
from plimsoll.storage.spill import BLOB_FOLDER, SessionBlobs, SessionSpill
from plimsoll.storage.sqlite import SqliteStore
from plimsoll.telemetry.base import NoTracer
from plimsoll.tokens.correction import RawCount
from plimsoll.tools import OfferedTools, WebRules, WorkspaceRestorer, open_folder_tools, open_tools
from plimsoll.tools.brief import BRIEF_SCHEMAS
from plimsoll.tools.conversation.subagent import AGENTS_SCHEMA
from plimsoll.tools.custom.finding import CustomPlaces
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.files.attaching import workspace_text
from plimsoll.tools.files.skill_files import SkillFolders
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.file_access import Reader
from plimsoll.tools.ports.mcp import NoMcp, enabled_offers
from plimsoll.tools.process.confinement.confining import Confining
from plimsoll.tools.process.processes import Processes
from plimsoll.tools.search.folder import read_attached
from plimsoll.tools.search.searching import Searches

SECRET = "hunter2-the-secret"
ALLOWED = Decision(allowed=True)
NO_MEMORY = MemoryRules(recall=0, extraction="off")
"""A session that nobody reads for memories."""
USUAL = SessionRules()
UNTRACED = NoTracer()


class Disk:
    """No open documents."""

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> None:
        return None

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        return False


@dataclass
class Person:
    """Answers questions in turn, the last one for ever; keeps what was asked."""

    answers: Sequence[Decision] = (ALLOWED,)
    asked: list[CallShown] = field(default_factory=list)

    async def ask(self, session_id: str, turn: str, call: CallShown) -> Decision:
        self.asked.append(call)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


IN_PROCESS = ModelAddress("scripted", "process")


@dataclass
class Shelf:
    """The models of a test: one that is small, one that is large, over one script."""

    small: Model
    large: Model
    addresses: dict[str, ModelAddress] = field(default_factory=dict[str, ModelAddress])
    """Where the models are, by their names, as it is set now; the others in the process."""

    @property
    def default(self) -> str:
        return self.small.id

    async def open(self, model: str) -> Model:
        found = {self.small.id: self.small, self.large.id: self.large}.get(model)
        if found is None:
            raise ProviderModel(f"There is no model {model!r}.")
        return found

    def with_window(self, model: Model, window: int, source: WindowSource) -> Model:
        budget = budget_for(window, model.settings.budget)
        return replace(model, budget=budget, window_source=source)

    def as_set(self, model: Model) -> Model:
        return model

    async def ask_window(self, model: Model, *, keyed: bool = False) -> None:
        return None

    async def utility_for(self, model: str) -> Model:
        return self.small

    def utility_of(self, model: str) -> str:
        return self.small.id

    def address(self, model: str) -> ModelAddress:
        return self.addresses.get(model, IN_PROCESS)

    def with_correction(self, model: Model, correction: object) -> Model:
        return model


def shelf_of(provider: Provider, window: int) -> Shelf:
    """The two models over one provider; the large one has eight times the window."""
    return Shelf(
        small=model("scripted/small", provider, window),
        large=model("scripted/large", provider, window * 8),
    )


def with_background(
    project: Project, session: Session, *background: Callable[[Session], Background]
) -> Session:
    """The live session anew, with the work in the background that a test chooses."""
    again = project.live[session.id] = Session(session.state, background)
    return again


@dataclass(kw_only=True)
class Harness:
    """A project with one session, and everything that was told."""

    folder: Path
    project: Project
    session: Session
    provider: Provider
    person: Person
    store: ProjectStore
    events: list[Event]
    trust: list[bool]
    memory: list[MemoryRules]
    """The last one counts."""

    async def turn(self, text: str) -> TurnEnded:
        """Type something and wait for the end."""
        await self.session.prompt([PromptText(text, pasted=())])
        ended = await self.session.wait()
        assert ended is not None
        return ended

    def heard(self, kind: type) -> list:
        return [event for event in self.events if isinstance(event, kind)]

    def said(self) -> list[tuple[str, str]]:
        """Role and text of each part of the log."""
        said = [entry for entry in self.entries if isinstance(entry, Said)]
        return [(entry.role.value, part.text) for entry in said for part in entry.parts]

    @property
    def entries(self) -> list[Entry]:
        return self.session.state.log.fold.entries

    async def consistent(self) -> None:
        """Store and fold are one, the fold is what a restart would come to, no call is open."""
        fold = self.session.state.log.fold
        assert await self.store.entries(self.session.id) == fold.entries
        assert view_of(fold.entries, LEDGER) == fold.view
        closing = [call for group in fold.groups for _, call in pair_results(group.visible) if call]
        assert closing == []
        lease = await self.store.acquire(self.session.id)
        await self.store.release(lease)


def memories_of(store: ProjectStore, clock: Clock) -> Memories:
    joined = store.replica.read_joined
    return Memories(store.memories, lambda: clock.new_id("k"), clock.now, joined=joined)


def model(
    name: str, provider: Provider, window: int, settings: PipelineSettings | None = None
) -> Model:
    """A model whose tokens are words; its script holds no summaries, so the digest serves."""
    settings = settings or PipelineSettings(compaction=CompactionSettings(at_mark="digest"))
    return Model(
        id=name,
        name=name,
        provider=provider,
        budget=budget_for(window, settings.budget),
        settings=settings,
        ledger=LEDGER,
        basis="counted",
        margin=lambda _: 0,
        raw=lambda text: RawCount(LEDGER.bare(text)),
    )


async def _nothing_configured(_settings: Settings) -> None:
    """Nobody asks for the settings of a session without a server."""


OUTSIDE = {one.name for one in fields(OutsidePorts)}
CUSTOM_AGENTS = OtherSchemas(agents=(AGENTS_SCHEMA,))
NO_PROFILES = ServerProfiles(Settings, _nothing_configured)


def environment_of(
    root: Path,
    models: Models,
    store: ProjectStore,
    *,
    redact: Redactor,
    listener: Listener,
    outputs: Path,
    confining: Confining | None = None,
    clock: Clock | None = None,
    own_skills: Sequence[Path] = (),
    read_text: Reader = workspace_text,
    schemas: OtherSchemas = CUSTOM_AGENTS,
    brief: bool = False,
    **others: Any,
) -> Environment:
    """The environment of a folder; ``others`` take the place of the fields that a test seldom sets.

    Those of ``others`` that are fields of `OutsidePorts` go there. ``brief``: small windows get the
    slim profile.

    ``outputs`` is where whole outputs are kept.
    """
    clock = clock or CountedClock()
    outside = {name: others.pop(name) for name in OUTSIDE & others.keys()}
    usual: dict[str, Any] = {
        "tools": {},
        "commands": Processes(),
        "asker": Person((Decision(allowed=False),)),
        "trusted": lambda: True,
        "rules": lambda: SessionRules(memory=NO_MEMORY),
        "profiles": NO_PROFILES,
    }
    trusted = {**usual, **others}["trusted"]
    skills = KnownSkills(SkillFolders(root, own_skills), store.skills, trusted)
    places = CustomPlaces(root, root.parent / "home", root.parent / "config")
    return Environment(
        workspace=root.as_uri(),
        machine=Machine("Linux 6.8", "bash", "here"),
        store=store,
        clock=clock,
        redact=redact,
        models=models,
        call_context=CallContext(
            root=root, documents=Disk(), spill_folder=outputs, confining=confining
        ),
        files=FilePorts(
            spill=lambda session: SessionSpill(outputs / session, redact),
            blobs=lambda session: SessionBlobs(outputs / session / BLOB_FOLDER),
            restorer=WorkspaceRestorer(),
            read_attachment=read_attached,
            read_text=read_text,
        ),
        outside=OutsidePorts(**outside),
        listener=listener,
        memories=memories_of(store, clock),
        skills=skills,
        schemas=replace(schemas, brief=BRIEF_SCHEMAS) if brief else schemas,
        custom=KnownCustom(places, store.skills, trusted),
        **{**usual, **others},
    )


def redact(text: str) -> str:
    return text.replace(SECRET, "[redacted]")


@asynccontextmanager
async def opened(surrounded: Callable[..., Environment]) -> AsyncIterator[Project]:
    """A project in an environment with every tool; at its end, no task of it is left."""
    processes, searches = Processes(), Searches()
    services = {"processes": processes, "searches": searches, "code_index": CodeIndex(searches)}
    found = surrounded(tools=open_tools(services), commands=processes)
    if not isinstance(found.outside.mcp, NoMcp):
        tools = {**found.tools, **open_folder_tools(found.outside.mcp)}
        offered = OfferedTools(tools, WebRules, lambda: bool(enabled_offers(found.outside.mcp)))
        project = Project(replace(found, tools=offered))
    else:
        project = Project(found)
    try:
        yield project
    finally:
        await project.close()
        await processes.close()
        searches.close()
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


def made_in(folder: Path) -> Gate:
    """A gate of the script that opens when a command has made the file of its name."""

    async def gate(name: str) -> None:
        while not (folder / name).exists():
            await asyncio.sleep(0.02)

    return gate


@asynccontextmanager
async def harness(
    folder: Path,
    *steps: Mapping[str, object],
    rules: Sequence[Mapping[str, object]] = (),
    script: str | None = None,
    gate: Gate | None = None,
    window: int = 32_000,
    mode: Mode = "edit",
    answers: Sequence[Decision] = (ALLOWED,),
    trusted: bool = True,
    store: ProjectStore | None = None,
    memory: MemoryRules = NO_MEMORY,
    files: bool = False,
    provider: Provider | None = None,
    confining: Callable[[Path], Confining] | None = None,
    allowed: SessionRules = USUAL,
    **others: Any,
) -> AsyncIterator[Harness]:
    """``steps`` and ``rules`` are the script of the model, ``script`` its mode.

    ``files``: the server reads the folder for its own use, its read-me and its rules.
    ``provider``: answers instead of the script.
    ``allowed``: what the session may do, but for its memory. ``others``: see ``environment_of``.
    """
    provider = provider or Scripted(steps=steps, rules=rules, mode=script, gate=gate)
    person, events, trust, memory_rules = Person(answers), [], [trusted], [memory]
    store = store or SqliteStore.in_memory(redact)
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)
    surrounded = partial(
        environment_of,
        work,
        shelf_of(provider, window),
        store,
        redact=redact,
        listener=lambda _, event: events.append(event),
        outputs=folder / "sessions",
        asker=person,
        trusted=lambda: trust[0],
        confining=confining(work) if confining else None,
        rules=lambda: replace(allowed, memory=memory_rules[-1]),
        read_text=workspace_text if files else lambda *_: None,
        **others,
    )
    async with opened(surrounded) as project:
        session = await project.new(mode)
        events.clear()
        yield Harness(
            folder=work,
            project=project,
            session=session,
            provider=provider,
            person=person,
            store=store,
            events=events,
            trust=trust,
            memory=memory_rules,
        )
