"""The answer to `initialize`, and the abilities that a client declares in it. Pure.

Nothing here needs pydantic or the rest of the server, so that the answer comes before they load.
"""

from dataclasses import dataclass

from plimsoll import __version__
from plimsoll.lsp.transport.bodies import member

PROTOCOL_VERSION = 1
NAME, TITLE = "plimsoll", "Plimsoll"
OWN_METHODS = (
    "_plimsoll/context/report",
    "_plimsoll/context/undo",
    "_plimsoll/context/evict",
    "_plimsoll/context/restore",
    "_plimsoll/session/cost",
)
"""Methods for what ACP has no word for."""
CONNECT = "connect"
"""The argument after `plimsoll acp` by which the command connects a model instead of serving."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientAbilities:
    """The abilities that a client declared; those that it left out, it lacks."""

    reads_files: bool = False
    writes_files: bool = False
    runs_terminals: bool = False
    """Whether it runs a command in a terminal by which a person logs in."""
    fills_forms: bool = False
    knows_compactions: bool = False

    @classmethod
    def of(cls, params: object) -> "ClientAbilities":
        """Read the abilities from the params of `initialize`; unknown fields are ignored."""
        given = member(params, "clientCapabilities")
        files, elicitation = member(given, "fs"), member(given, "elicitation")
        return cls(
            reads_files=member(files, "readTextFile") is True,
            writes_files=member(files, "writeTextFile") is True,
            runs_terminals=member(member(given, "auth"), "terminal") is True,
            fills_forms=isinstance(member(elicitation, "form"), dict),
            knows_compactions=isinstance(member(member(given, "session"), "compaction"), dict),
        )


def is_introduction(params: object) -> bool:
    """Tell whether params are those of an `initialize`: they name a version of the protocol."""
    version = member(params, "protocolVersion")
    return isinstance(version, int) and not isinstance(version, bool)


def initialize_result(params: object) -> dict[str, object]:
    """Build the result of an `initialize`."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "agentInfo": {"name": NAME, "title": TITLE, "version": __version__},
        "agentCapabilities": {
            "loadSession": True,
            "promptCapabilities": {"image": True, "audio": False, "embeddedContext": True},
            "mcpCapabilities": {"http": True, "sse": False},
            "sessionCapabilities": {"list": {}, "resume": {}, "close": {}, "delete": {}},
            "auth": {"logout": {}},
            "_meta": {NAME: {"methods": OWN_METHODS}},
        },
        "authMethods": auth_methods(ClientAbilities.of(params)),
    }


def auth_methods(abilities: ClientAbilities) -> list[dict[str, object]]:
    """List the ways to log in: what is set already, and a command where the client runs one."""
    found: list[dict[str, object]] = [
        {
            "id": "settings",
            "name": "Use the model that is set",
            "description": "Nothing to do: the model, its address and key are those of your "
            "Plimsoll settings.",
        }
    ]
    if abilities.runs_terminals:
        found.append(
            {
                "type": "terminal",
                "id": "connect",
                "name": "Connect a model",
                "description": "Pick a model, try it and save it, in a terminal.",
                "args": [CONNECT],
            }
        )
    return found
