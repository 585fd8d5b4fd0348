"""Opens what each command on a folder needs: the settings, the app, the project."""

import os
from argparse import Namespace
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from plimsoll.app.app import App
from plimsoll.app.front import BrowserViews, Front, NoBrowserViews, ProcessInputs
from plimsoll.context.log.entries import Entry, Framed, Noted, Pinned
from plimsoll.errors import Fix, InvalidInput, PlimsollError
from plimsoll.session.asking.gate import accept_set
from plimsoll.session.ports.asker import Asker
from plimsoll.session.ports.events import Listener
from plimsoll.session.project import Project
from plimsoll.session.session import Session
from plimsoll.settings import Settings, config_path, local_layers, merge
from plimsoll.status import Warned
from plimsoll.storage.base import SessionRecord
from plimsoll.telemetry.trace_file import trace_sinks
from plimsoll.terminal.arguments import LATEST
from plimsoll.terminal.screen import Screen
from plimsoll.tools.ports.documents import NoDocuments


@dataclass(frozen=True, slots=True)
class Opened:
    """An app with the project of the folder that the user named."""

    app: App
    project: Project


def settings_of(options: Namespace) -> Settings:
    """Load the settings of the user's file, of ``--config``, the environment and ``--profile``.

    Raises:
        SettingsInvalid: One of them cannot be used.
    """
    config = getattr(options, "config", None)
    profile = getattr(options, "profile", None)
    return merge(local_layers(Path(config) if config else None, os.environ, profile))


@asynccontextmanager
async def open_project(
    options: Namespace,
    settings: Settings,
    asker: Asker,
    listener: Listener,
    *,
    views: BrowserViews | None = None,
    store: str = "sqlite",
) -> AsyncGenerator[Opened]:
    """Open app and project for as long as the block runs; the folder counts as trusted.

    ``views`` serves browsers; none: the command ends too soon for that. ``store``: ``memory``
    keeps nothing of the folder.

    Raises:
        InvalidInput: There is no such folder, or the trace cannot be written.
        StoreError: Its store cannot be opened.
    """
    folder = folder_of(options.workspace)
    front = Front(
        asker=asker,
        listener=listener,
        documents=NoDocuments(),
        trusted=lambda _: True,
        views=views or NoBrowserViews(),
    )
    sinks = trace_sinks(getattr(options, "trace", None))
    given = ProcessInputs(
        variables=os.environ,
        store=store,
        secrets=options.secrets,
        load_settings=partial(settings_of, options),
        sinks=sinks,
    )
    app = App(settings, front, given)
    try:
        yield Opened(app, await app.project(folder.as_uri()))
    finally:
        await app.close()


def folder_of(named: str) -> Path:
    """Return the folder that a person named; raises InvalidInput where there is none."""
    folder = Path(named).expanduser()
    if not folder.is_dir():
        raise InvalidInput(
            f"There is no folder {named!r}.", remedy="Name a folder that exists with --workspace."
        )
    return folder.resolve()


async def session_of(options: Namespace, project: Project) -> Session:
    """Open the session that the options name, else a new one, in their mode and with their model.

    Raises:
        NotFound: There is no such session.
        ProviderModel: There is no such model.
    """
    name = getattr(options, "session", None)
    mode, model = getattr(options, "mode", None), getattr(options, "model", None)
    if _begins_new(options):
        return await project.new(mode or "edit", model)
    session = await project.load(await _latest(project) if name in (None, LATEST) else name)
    if mode is not None:
        await session.set_mode(mode)
    if model is not None:
        await session.set_model(model)
    if getattr(options, "accept_address", False):
        await accept_set(session.state)
    return session


async def _latest(project: Project) -> str | None:
    """Return the id of the latest session on another machine, where there is none here."""
    if await project.list(1):
        return None
    return next((each.record.id for each in await project.elsewhere()), None)


def _begins_new(options: Namespace) -> bool:
    return not getattr(options, "resume", False) and getattr(options, "session", None) is None


@asynccontextmanager
async def session_in(options: Namespace, project: Project) -> AsyncGenerator[Session]:
    """Open the session that the options name; a new one is deleted if it stays unused.

    It would otherwise be the latest session, and empty. Raises as ``session_of``.
    """
    session = await session_of(options, project)
    begun = session.state.record
    try:
        yield session
    finally:
        if _begins_new(options) and await _is_unused(begun, project):
            await project.delete(begun.id)


async def _is_unused(begun: SessionRecord, project: Project) -> bool:
    """Tell whether nobody has said, set, pinned or remembered anything in a session."""
    if not await project.keeps(begun.id):
        return False
    state = (await project.load(begun.id)).state
    if (state.record.mode, state.record.model) != (begun.mode, begun.model):
        return False
    if any(_is_of_a_person(entry) for entry in state.log.fold.entries):
        return False
    memories = await project.environment.memories.all()
    return all(memory.source is None or memory.source.session_id != begun.id for memory in memories)


def _is_of_a_person(entry: Entry) -> bool:
    if isinstance(entry, Pinned):
        return entry.scope == "session"
    return not isinstance(entry, Framed | Noted)


def tell_error(error: PlimsollError, screen: Screen) -> None:
    """Print an error, and what to do about it."""
    screen.note(f"plimsoll: {error.message}", "red")
    if remedy := remedy_of(error):
        screen.note(f"  {remedy}", "")


def remedy_of(error: PlimsollError) -> str | None:
    """Say what to do about an error at a terminal: by its ``fix``, else by its own remedy."""
    own = _at_a_terminal(error.fix) if error.fix is not None else None
    return own or error.remedy


def _at_a_terminal(fix: Fix) -> str | None:
    if fix.kind == "key" and fix.variable:
        return f"Set {fix.variable} to a valid key, or run `plimsoll connect`."
    if fix.kind == "address" and fix.address:
        return f'Set base_url = "{fix.address}" in {config_path()}, or run `plimsoll connect`.'
    if fix.kind == "model":
        return "Name a model that the server has: `plimsoll connect` lists them."
    return None


TOLD_IN_SESSIONS = frozenset({"windowUnknown"})
"""Codes of warnings that a session gives itself: it asks the server first, a moment later."""


async def tell_warnings(
    app: App, screen: Screen, told: Collection[Warned] = (), *, but: Collection[str] = ()
) -> Collection[Warned]:
    """Print the app's warnings, except those printed before and some codes; return all of them."""
    warnings = await app.attention()
    for warning in warnings:
        if warning not in told and warning.code not in but:
            remedy = f" {warning.remedy}" if warning.remedy else ""
            screen.note(f"! {warning.message}{remedy}", "yellow")
    return warnings
