"""The negotiation inside LSP's `initialize`."""

from typing import Any, Final

from pydantic import Field, StrictBool

from plimsoll.lsp.protocol.sessions import SessionInfo
from plimsoll.lsp.protocol.wire import Wire

PROTOCOL_VERSION: Final = 1


class PlimsollClientCapabilities(Wire):
    """What a client can do; what it leaves out it cannot."""

    session_updates: StrictBool = False
    permission: StrictBool = False
    lenses: StrictBool = False


class PlimsollOptions(Wire):
    """`initializationOptions.plimsoll`; a folder is trusted only when `trusted` says so."""

    protocol_version: int
    capabilities: PlimsollClientCapabilities = Field(default_factory=PlimsollClientCapabilities)
    settings: dict[str, Any] | None = None
    trusted: StrictBool = False
    ripgrep_path: str | None = None
    resume: str | None = None


class InitializationOptions(Wire):
    """`initializationOptions` of LSP's `initialize`."""

    plimsoll: PlimsollOptions | None = None


class PlimsollServerCapabilities(Wire):
    """`capabilities.experimental.plimsoll`: the version and what is there in it."""

    protocol_version: int
    methods: tuple[str, ...]
    commands: tuple[str, ...]
    session: SessionInfo | None = None
