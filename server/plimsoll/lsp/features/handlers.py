"""Which function serves which method: it is found in the file of its area by the method's name."""

from collections.abc import Awaitable, Callable, Mapping
from re import sub
from types import ModuleType
from typing import Any, Final, cast

from plimsoll.lsp.features import context, memories, pins, service, sessions
from plimsoll.lsp.features.server_context import ServerContext
from plimsoll.lsp.wire.methods import REQUESTS

Handler = Callable[[ServerContext, Any], Awaitable[object]]

AREAS: Mapping[str, ModuleType] = {
    "session": sessions,
    "context": context,
    "pin": pins,
    "memory": memories,
}
"""The file of each area; whatever is in none of them is a matter of the server's own."""


def function_name(method: str) -> str:
    """Spell `plimsoll/session/setMode` as `set_mode`, and a name that Python has as `list_`."""
    name = sub("[A-Z]", lambda found: f"_{found[0].lower()}", method.rpartition("/")[2])
    return f"{name}_" if name in {"list", "import"} else name


def _handler(method: str) -> Handler:
    return cast("Handler", getattr(AREAS.get(method.split("/")[1], service), function_name(method)))


HANDLERS: Final[Mapping[str, Handler]] = {name: _handler(name) for name in REQUESTS}
