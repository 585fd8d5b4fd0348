"""The one list of methods: a method of the wire is one entry here.

From it come the names, what `initialize` offers, the JSON schema, docs/wire.md and the client's
TypeScript; `features` serves the requests. The models are named, not imported: pydantic takes a
fifth of the start-up, and `initialize` is answered from this list before it is loaded.
"""

from typing import Final

from plimsoll.lsp.wire.methods.others import (
    CLIENT_NOTIFICATIONS as CLIENT_NOTIFICATIONS,
)
from plimsoll.lsp.wire.methods.others import (
    CONTEXT_DID_CHANGE as CONTEXT_DID_CHANGE,
)
from plimsoll.lsp.wire.methods.others import (
    DID_CHANGE_SETTINGS as DID_CHANGE_SETTINGS,
)
from plimsoll.lsp.wire.methods.others import (
    DID_CHANGE_STATUS as DID_CHANGE_STATUS,
)
from plimsoll.lsp.wire.methods.others import (
    DID_CHANGE_TRUST as DID_CHANGE_TRUST,
)
from plimsoll.lsp.wire.methods.others import (
    EDITOR_DEFINITION as EDITOR_DEFINITION,
)
from plimsoll.lsp.wire.methods.others import (
    EDITOR_DIAGNOSTICS as EDITOR_DIAGNOSTICS,
)
from plimsoll.lsp.wire.methods.others import (
    EDITOR_REFERENCES as EDITOR_REFERENCES,
)
from plimsoll.lsp.wire.methods.others import (
    EDITOR_RENAME as EDITOR_RENAME,
)
from plimsoll.lsp.wire.methods.others import (
    EDITOR_SYMBOLS as EDITOR_SYMBOLS,
)
from plimsoll.lsp.wire.methods.others import (
    MCP_DID_CHANGE as MCP_DID_CHANGE,
)
from plimsoll.lsp.wire.methods.others import (
    MEMORY_DID_CHANGE as MEMORY_DID_CHANGE,
)
from plimsoll.lsp.wire.methods.others import (
    NOTIFICATIONS as NOTIFICATIONS,
)
from plimsoll.lsp.wire.methods.others import (
    SERVER_REQUESTS as SERVER_REQUESTS,
)
from plimsoll.lsp.wire.methods.others import (
    SESSION_REQUEST_PERMISSION as SESSION_REQUEST_PERMISSION,
)
from plimsoll.lsp.wire.methods.others import (
    SESSION_UPDATE as SESSION_UPDATE,
)
from plimsoll.lsp.wire.methods.others import (
    TEAM_DID_CHANGE as TEAM_DID_CHANGE,
)
from plimsoll.lsp.wire.methods.others import (
    WINDOW_PRESENT as WINDOW_PRESENT,
)
from plimsoll.lsp.wire.methods.requests import REQUESTS as REQUESTS

PROTOCOL_VERSION: Final = 1

METHODS: Final = {**REQUESTS, **CLIENT_NOTIFICATIONS, **SERVER_REQUESTS, **NOTIFICATIONS}
"""Every method, by its name."""
