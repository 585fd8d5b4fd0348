"""The methods of ACP that a client calls, each beside its params."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from plimsoll.acp import prompting
from plimsoll.acp.convert.replay import replay_updates
from plimsoll.acp.extensions import EXTENSIONS
from plimsoll.acp.faults import fault_of
from plimsoll.acp.given_servers import given_servers
from plimsoll.acp.listing import list_sessions
from plimsoll.acp.options import config_options, modes, set_mode, set_option
from plimsoll.acp.params import (
    AuthenticateParams,
    ListParams,
    LoadParams,
    NewParams,
    SessionParams,
    SetConfigOptionParams,
    SetModeParams,
)
from plimsoll.acp.peer import Answer, Handler, Handlers
from plimsoll.acp.server_context import AcpContext
from plimsoll.errors import InvalidInput
from plimsoll.lsp.wire.base import Empty, Wire
from plimsoll.session.ports.events import MeterMoved
from plimsoll.session.session import Session

Params = TypeVar("Params", bound=Wire)

METHOD_IDS = frozenset({"settings", "connect"})


async def authenticate(_server: AcpContext, params: AuthenticateParams) -> None:
    """Accept a way to log in: there is nothing to do, keys stand in the person's settings."""
    if params.method_id not in METHOD_IDS:
        raise InvalidInput(f"There is no way to log in {params.method_id[:40]!r}.")


async def logout(_server: AcpContext, _params: Empty) -> None:
    """Do nothing: no login is kept here; what a person has connected stays connected."""


async def new(server: AcpContext, params: NewParams) -> Answer:
    """Begin a session in a folder; everything else is sent behind the answer."""
    project = await server.project(params.cwd)
    await server.list_models(ask=False)
    given = given_servers(params.mcp_servers)
    server.hide_secrets(given)
    session = await project.new()
    server.open(project, session, given)
    result = {"sessionId": session.id, **_choices(server, session)}
    return Answer(result, partial(_begin, server, session))


async def load(server: AcpContext, params: LoadParams) -> Answer:
    """Open a session and show all of it, in its order, before the answer."""
    session = await _open(server, params)
    fold = session.state.log.fold
    for update in replay_updates(fold, session.state.files.root):
        server.streams.send(session.id, update)
    return Answer(_choices(server, session), partial(_begin, server, session))


async def resume(server: AcpContext, params: LoadParams) -> Answer:
    """Open a session without showing it again."""
    session = await _open(server, params)
    return Answer(_choices(server, session), partial(_begin, server, session))


async def _open(server: AcpContext, params: LoadParams) -> Session:
    project = await server.project(params.cwd)
    await server.list_models(ask=False)
    given = given_servers(params.mcp_servers)
    server.hide_secrets(given)
    session = await project.load(params.session_id)
    server.open(project, session, given)
    return session


def _choices(server: AcpContext, session: Session) -> dict[str, object]:
    record = session.state.record
    return {"modes": modes(record), "configOptions": config_options(record, server.offers)}


def _begin(server: AcpContext, session: Session) -> None:
    server.tell(session)
    server.streams.hear(session.id, MeterMoved(session.state.load.meter()))
    server.begin_listing_models()


async def close(server: AcpContext, params: SessionParams) -> None:
    """Stop what runs in a session, and forget it here; it stays in the store."""
    opened = server.require_opened(params.session_id)
    await prompting.stop(server, opened)
    server.forget(opened.id)


async def delete(server: AcpContext, params: SessionParams) -> None:
    """Delete a session for good, after stopping what runs in it."""
    project = await server.keeper(params.session_id)
    opened = server.find_opened(params.session_id)
    if opened is not None:
        await prompting.stop(server, opened)
    await project.delete(params.session_id)
    server.forget(params.session_id)


async def set_session_mode(server: AcpContext, params: SetModeParams) -> None:
    """Set the mode of a session."""
    await set_mode(await server.require_opened(params.session_id).load(), params.mode_id)


async def set_config_option(server: AcpContext, params: SetConfigOptionParams) -> dict[str, object]:
    """Set an option of a session; returns all of them."""
    session = await server.require_opened(params.session_id).load()
    await set_option(session, params.config_id, params.value)
    return {"configOptions": config_options(session.state.record, server.offers)}


def handlers_of(server: AcpContext) -> Handlers:
    """Return what answers each method."""

    def method(
        model: type[Params], handle: Callable[[AcpContext, Params], Awaitable[object]]
    ) -> Handler:
        async def run(params: object) -> object:
            return await handle(server, model.model_validate({} if params is None else params))

        return run

    requests = {
        "authenticate": method(AuthenticateParams, authenticate),
        "logout": method(Empty, logout),
        "session/new": method(NewParams, new),
        "session/load": method(LoadParams, load),
        "session/resume": method(LoadParams, resume),
        "session/list": method(ListParams, list_sessions),
        "session/close": method(SessionParams, close),
        "session/delete": method(SessionParams, delete),
        "session/prompt": method(prompting.PromptParams, prompting.prompt),
        "session/set_mode": method(SetModeParams, set_session_mode),
        "session/set_config_option": method(SetConfigOptionParams, set_config_option),
        **{name: method(model, handle) for name, (model, handle) in EXTENSIONS.items()},
    }
    notifications = {"session/cancel": method(SessionParams, prompting.cancel)}
    return Handlers(requests, notifications, server.introduce, fault_of)
