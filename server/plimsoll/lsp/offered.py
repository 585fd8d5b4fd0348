"""What this version serves, by name alone: `initialize` answers with it before the rest is loaded.

A test holds these lists to the tables of handlers and commands.
"""

PROTOCOL_VERSION = 1

METHODS = (
    "plimsoll/session/new",
    "plimsoll/session/list",
    "plimsoll/session/load",
    "plimsoll/session/delete",
    "plimsoll/session/prompt",
    "plimsoll/session/cancel",
    "plimsoll/session/setMode",
    "plimsoll/session/setModel",
    "plimsoll/session/rewind",
    "plimsoll/session/fork",
    "plimsoll/session/cost",
    "plimsoll/session/append",
    "plimsoll/session/view",
    "plimsoll/context/meter",
    "plimsoll/context/report",
    "plimsoll/context/preview",
    "plimsoll/context/compact",
    "plimsoll/context/undo",
    "plimsoll/context/evict",
    "plimsoll/context/restore",
    "plimsoll/context/diff",
    "plimsoll/context/postpone",
    "plimsoll/context/explain",
    "plimsoll/context/export",
    "plimsoll/context/import",
    "plimsoll/pin/add",
    "plimsoll/pin/list",
    "plimsoll/pin/remove",
    "plimsoll/model/setKey",
    "plimsoll/status",
)

COMMANDS = tuple(
    f"plimsoll.server.{verb}"
    for verb in (
        "newSession",
        "resumeSession",
        "listSessions",
        "send",
        "cancel",
        "setMode",
        "setModel",
        "rewind",
        "fork",
        "compact",
        "previewCompaction",
        "postpone",
        "undo",
        "evict",
        "restore",
        "explain",
        "contextReport",
        "pin",
        "pins",
        "unpin",
        "cost",
    )
)
