"""The answer to `initialize` as plain JSON, so that it needs no package of LSP. Pure.

It is what pygls computes from the registered features; a test holds the two equal.
"""

from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

from plimsoll import __version__
from plimsoll.lsp.dispatch.requests import RequestMessage
from plimsoll.lsp.transport.bodies import member
from plimsoll.lsp.wire.commands import COMMANDS
from plimsoll.lsp.wire.methods import PROTOCOL_VERSION, REQUESTS

NAME = "plimsoll"
SECTION = "plimsoll"
"""The key of `initializationOptions`, of settings and of `experimental` that is ours."""

POSITION_ENCODINGS = ("utf-8", "utf-16", "utf-32")
DEFAULT_POSITION_ENCODING = "utf-16"
INCREMENTAL = 2
"""`TextDocumentSyncKind.Incremental` of LSP."""

CHECKED = ("processId", "rootUri", "rootPath", "workspaceFolders", "initializationOptions")
"""The params besides the capabilities that `is_plain` has looked at."""


def introduction() -> dict[str, object]:
    """Build the experimental capabilities: what the server says of itself beyond LSP."""
    return {
        "protocolVersion": PROTOCOL_VERSION,
        "methods": tuple(REQUESTS),
        "commands": tuple(COMMANDS),
    }


def initialize_result(params: object) -> dict[str, object]:
    """Build the result of an `initialize` that `is_plain`."""
    capabilities = {
        "positionEncoding": _position_encoding(params),
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": False},
        "codeLensProvider": {"resolveProvider": False},
        "executeCommandProvider": {"commands": tuple(COMMANDS)},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
        "experimental": {SECTION: introduction()},
    }
    server_info = {"name": NAME, "version": __version__}
    return {"capabilities": capabilities, "serverInfo": server_info}


def is_plain(request: RequestMessage) -> bool:
    """Tell whether a request is an `initialize` that can be answered from its params alone.

    A request that resumes a session must find it first, and a malformed one is for pygls to
    refuse.
    """
    params = request.params
    if request.method != "initialize":
        return False
    folders = member(params, "workspaceFolders")
    encodings = _wanted_encodings(params)
    return (
        isinstance(member(params, "capabilities"), dict)
        and _is_process_id(member(params, "processId"))
        and _is_uri_or_none(member(params, "rootUri"))
        and _is_text_or_none(member(params, "rootPath"))
        and (folders is None or _are(folders, _is_folder))
        and (encodings is None or _are(encodings, lambda each: isinstance(each, str)))
        and not member(member(member(params, "initializationOptions"), SECTION), "resume")
    )


def bare(request: RequestMessage) -> RequestMessage:
    """Return a plain `initialize` without the members that pygls might refuse."""
    wanted = _wanted_encodings(request.params)
    # What was answered of the units of positions is what holds.
    capabilities = {} if wanted is None else {"general": {"positionEncodings": wanted}}
    kept = {key: member(request.params, key) for key in CHECKED}
    return RequestMessage(request.id, request.method, {**kept, "capabilities": capabilities})


def _position_encoding(params: object) -> str:
    known = [each for each in _items(_wanted_encodings(params)) if each in POSITION_ENCODINGS]
    return str(known[0]) if known else DEFAULT_POSITION_ENCODING


def _wanted_encodings(params: object) -> object:
    return member(member(member(params, "capabilities"), "general"), "positionEncodings")


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _is_process_id(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _is_text_or_none(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_uri_or_none(value: object) -> bool:
    if isinstance(value, str):
        try:
            urlsplit(value)
        except ValueError:
            return False
    return _is_text_or_none(value)


def _is_folder(value: object) -> bool:
    return all(isinstance(member(value, key), str) for key in ("uri", "name"))


def _are(value: object, is_one: Callable[[object], bool]) -> bool:
    return isinstance(value, list) and all(map(is_one, cast("list[object]", value)))
