"""Handlers about the server itself: introduction, settings of the client, status, trust."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from pygls.exceptions import JsonRpcInvalidParams

from plimsoll import __version__
from plimsoll.app.front import BrowserViews
from plimsoll.context.log.entries import Said
from plimsoll.errors import NotFound, PlimsollError, SettingsInvalid, StoreError
from plimsoll.lsp.features.convert.calls import confinement
from plimsoll.lsp.features.convert.counters import counters
from plimsoll.lsp.features.convert.session_infos import session_info
from plimsoll.lsp.features.resuming import record_of
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.server import PlimsollServer, validate
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire import service as wire
from plimsoll.lsp.wire.base import Empty, dump
from plimsoll.lsp.wire.methods import PROTOCOL_VERSION
from plimsoll.lsp.wire.projects import ProjectLinkParams
from plimsoll.lsp.wire.service import DidChangeStatusParams, PlimsollOptions
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.opening import foreseen
from plimsoll.session.session import Session
from plimsoll.settings.shape import ModelSettings
from plimsoll.telemetry.base import SpanSink

SECTION = "plimsoll"

log = logging.getLogger(__name__)


async def status(server: ServerContext, _params: Empty) -> wire.StatusResult:
    """Return the server's status: its model, data and counters, and warnings for a person."""
    app = server.app
    for folder in server.present():
        # What cannot be opened is a part of the answer.
        with suppress(StoreError):
            await server.project(folder)
    found = await app.status()
    sandbox = await app.sandbox()
    size = await asyncio.to_thread(found.store_bytes)
    return wire.StatusResult(
        version=__version__,
        model=app.models.default,
        provider=app.models.default.partition("/")[0],
        profile=app.settings.profile,
        store=wire.StoreStatus(path=str(found.store_path), bytes=size, kind=found.store_kind),
        sessions=found.sessions,
        warnings=tuple(
            wire.StatusWarning(code=each.code, message=each.message, remedy=each.remedy)
            for each in found.warnings
        ),
        sandbox=wire.SandboxStatus(
            confinement=confinement(sandbox.confinement),
            unavailable=tuple(
                wire.UnavailableRung(rung=each.rung, why=each.why) for each in sandbox.unavailable
            ),
            less=sandbox.less,
        ),
        log=wire.LogStatus(path=str(found.log_path)),
        counters=counters(found.activity),
    )


async def link(server: ServerContext, params: ProjectLinkParams) -> Empty:
    """Take over the stored data of a moved folder; raises InvalidInput or NotFound."""
    await server.app.projects.link(params.workspace_folder, params.from_path)
    return Empty()


async def did_change_trust(server: ServerContext, params: wire.DidChangeTrustParams) -> None:
    """Set a folder's trust; without it, its instructions and permissions leave at once."""
    await server.trust(params.workspace_folder, trusted=params.trusted)


async def register_configuration(server: PlimsollServer) -> None:
    """Ask the client to report changes of its settings, if it can."""
    workspace = server.client_capabilities.workspace
    dynamic = workspace and workspace.did_change_configuration
    if not dynamic or not dynamic.dynamic_registration:
        return
    registration = {
        "id": "plimsoll-configuration",
        "method": "workspace/didChangeConfiguration",
        "registerOptions": {"section": SECTION},
    }
    try:
        await server.request("client/registerCapability", {"registrations": [registration]})
    except PlimsollError as error:
        log.warning("the editor does not tell of changed settings: %s", error.message)


async def pull_configuration(server: ServerContext) -> None:
    """Fetch and apply the client's settings; if they are wrong, say so and keep the old ones."""
    workspace = server.editor.client_capabilities.workspace
    if workspace is None or not workspace.configuration:
        return
    try:
        raw = await server.editor.request(
            "workspace/configuration", {"items": [{"section": SECTION}]}
        )
    except PlimsollError as error:
        log.warning("the editor's settings could not be read: %s", error.message)
        return
    found = cast("list[object]", raw)[0] if isinstance(raw, list) and raw else None
    before = _model_set(server)
    try:
        await server.configure(
            cast("Mapping[str, object]", found)
            if isinstance(found, Mapping)
            else dict[str, object]()
        )
    except SettingsInvalid as error:
        remedy = f" {error.remedy}" if error.remedy else ""
        status = DidChangeStatusParams(kind="error", message=f"{error.message}{remedy}")
        server.editor.notify(methods.DID_CHANGE_STATUS.name, dump(status))
        return
    server.editor.notify(methods.DID_CHANGE_SETTINGS.name, {})
    if _model_set(server) != before:
        for session in server.live():
            if not any(isinstance(entry, Said) for entry in session.state.log.fold.entries):
                await _follow_settings(server, session)


def _model_set(server: ServerContext) -> ModelSettings | None:
    """Return the model that the settings name; None while the settings cannot be used."""
    with suppress(SettingsInvalid):
        return server.app.settings.model
    return None


async def _follow_settings(server: ServerContext, session: Session) -> None:
    """Switch a session in which nothing was said yet to the model that is set now."""
    try:
        await session.set_model(server.app.models.default)
    except PlimsollError as error:
        # Settings come one at a time: an address may stand before the name of its model.
        log.info("the open session keeps its model: %s", error.message)
        return
    server.streams.hear(session.id, session.state.changed_event())


def open_context(
    editor: PlimsollServer,
    options: object,
    *,
    config: Path | None,
    secrets: Secrets,
    sinks: tuple[SpanSink, ...] = (),
    profile: str | None = None,
    make_views: Callable[[], BrowserViews] | None = None,
) -> ServerContext:
    """Make the server context of a client; a plain LSP client gives no options."""
    context = ServerContext(editor, secrets, config, sinks, profile=profile, make_views=make_views)
    context.introduce(_options(options))
    return context


async def session_to_resume(server: ServerContext) -> object:
    """Return the session that the client wants to resume, in wire form, if there is one.

    Only its record is read here; the log is opened after the answer, whatever its length.
    """
    wanted = server.options.resume
    if wanted is None or not server.folders():
        return None
    try:
        with foreseen(_nothing_resumed):
            project = await server.project(server.first_folder())
            record = await record_of(project, wanted)
    except NotFound:
        return None
    except PlimsollError as error:
        # The client starts a new session, and whatever is wrong answers its next request.
        log.warning("no session was resumed: %s", error.message)
        return None
    if record is None:
        return None
    server.resuming.begin(project, record.id)
    return cast("object", dump(session_info(record)))


def _nothing_resumed(why: str) -> PlimsollError:
    return PlimsollError(f"Opening the folder or its session failed: {why}.")


def _options(given: object) -> PlimsollOptions:
    if not isinstance(given, Mapping):
        return PlimsollOptions(protocol_version=PROTOCOL_VERSION)
    try:
        return validate("initialize", PlimsollOptions, cast("object", given))
    except JsonRpcInvalidParams as error:
        log.warning("initializationOptions.plimsoll is left out: %s", error.data)
        return PlimsollOptions(protocol_version=PROTOCOL_VERSION)
