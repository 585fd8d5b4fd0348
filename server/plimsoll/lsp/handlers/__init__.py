"""The methods of the wire, a file an area; each handler is a short function over the desk."""

from collections.abc import Awaitable, Callable

from plimsoll.lsp.desk import Desk
from plimsoll.lsp.protocol.wire import Wire

Method = Callable[[Desk, Wire], Awaitable[object]]
