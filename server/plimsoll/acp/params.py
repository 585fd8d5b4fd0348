"""The params of the methods of ACP, as far as they are used; what else stands there is ignored."""

from pydantic import Field

from plimsoll.lsp.wire.base import Wire


class SessionParams(Wire):
    """Params that name a session."""

    session_id: str


class NewParams(Wire):
    """Params of `session/new`."""

    cwd: str
    mcp_servers: tuple[object, ...] = ()


class LoadParams(NewParams):
    """Params of `session/load` and `session/resume`."""

    session_id: str


class ListParams(Wire):
    """Params of `session/list`."""

    cwd: str | None = None
    cursor: str | None = None


class PromptParams(SessionParams):
    """Params of `session/prompt`."""

    prompt: tuple[object, ...] = Field(min_length=1)


class SetModeParams(SessionParams):
    """Params of `session/set_mode`."""

    mode_id: str


class SetConfigOptionParams(SessionParams):
    """Params of `session/set_config_option`."""

    config_id: str
    value: object = None


class AuthenticateParams(Wire):
    """Params of `authenticate`."""

    method_id: str
