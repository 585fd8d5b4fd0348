"""Failures on the wire: their codes, their stable kinds, and the data beside them."""

from typing import Final, Literal

from typing_extensions import TypeAliasType

from plimsoll.lsp.codes import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
)
from plimsoll.lsp.wire.base import Wire
from plimsoll.lsp.wire.content import ItemTokens

ERROR_CODES: Final[dict[int, str]] = {
    PARSE_ERROR: "The frame is no JSON; the id of the answer is null.",
    INVALID_REQUEST: "No valid request, or one after `shutdown`.",
    METHOD_NOT_FOUND: "No such method, or not in this version.",
    INVALID_PARAMS: "Bad params; `data` is `[{loc, msg, type}]` and never holds the input.",
    INTERNAL_ERROR: "Unforeseen; the message names the reference in the server's log.",
    NOT_INITIALIZED: "A request before `initialize`.",
    REQUEST_CANCELLED: "Cancelled by the client.",
    REQUEST_FAILED: "A domain failure; `data` is `ErrorData`.",
}

ERROR_KINDS: Final[dict[str, str]] = {
    "sessionNotFound": "No session with this id, or none in this folder.",
    "sessionUnreadable": "The stored session cannot be opened; it stays and can be exported.",
    "messageNotFound": "No message with this id in the session.",
    "itemNotFound": "No item with this id in the session's context.",
    "editNotFound": "No reduction with this id in the session.",
    "pinNotFound": "No pin with this id or number.",
    "memoryNotFound": "No memory with this id.",
    "runningCommandNotFound": "No command of this call runs: it has ended, or has not begun.",
    "permissionNotFound": "Nothing is always allowed under this number.",
    "queuedNotFound": "No prompt with this id waits; it was said or given back.",
    "busy": "A turn of this session runs, here or in the process that `heldBy` names.",
    "spendLimit": "The session has spent what the settings allow.",
    "addressChanged": "The session would go from `known` to `now`, and nobody could be asked.",
    "addressRejected": "The person does not let the session go from `known` to `now`.",
    "infeasible": "The next request cannot fit; `needsTokens` and `items` say by what.",
    "requestInvalid": "The next request would break a law and was not sent; a defect of ours.",
    "notUndoable": "Undone, it would no longer fit: `needsTokens` are missing.",
    "providerAuth": "The provider refused the key, or there is none.",
    "providerRateLimited": "Too many requests or no quota; `retryAfterSeconds` when it is known.",
    "providerOverflow": "The provider says that the prompt is too long.",
    "providerUnavailable": "The provider cannot be reached, does not answer or is failing.",
    "providerModel": "No such provider or model.",
    "providerAnswer": "The provider's answer breaks its own protocol.",
    "providerFailed": "The provider failed in another way.",
    "untrustedWorkspace": "The workspace folder is not trusted, so nothing in it may act.",
    "memoryRefused": "The memory was refused: a secret, a duplicate, or no room.",
    "toolFailed": "A tool could not do what it was asked.",
    "cancelled": "The work was cancelled by the person.",
    "conflict": "The log has grown since it was read; nothing was written.",
    "storeUnavailable": "The store cannot be opened, read or written.",
    "storeDamaged": "The file is no store, or not whole; it is left as it is.",
    "storeNewer": "The store was written by a newer version; it is left as it is.",
    "clientRefused": "The client answered a question of the server's with an error.",
    "clientSilent": "The client did not answer a question of the server's in time.",
    "framingLost": "The stream cannot be read any more; the server ends.",
    "bodyRefused": "A message is too large, too deep or no JSON.",
    "settingsInvalid": "A setting is unknown or has a bad value.",
    "logInvalid": "An imported or replayed log cannot be read.",
    "invalid": "What was given cannot be used; the message says why. `couldFree`: what a "
    "compaction that was not made could have freed, in tokens.",
    "vocabularyDamaged": "A shipped vocabulary does not have its published checksum.",
    "failed": "It failed in another way; the message says how.",
}


FixKind = TypeAliasType(
    "FixKind", Literal["key", "address", "model", "window", "account", "setting"]
)


class Fix(Wire):
    """What is to be put right, for a client that says itself how that is done there.

    `variable` is where the server looks for the key, `address` the one that was probably meant,
    `setting` the one to change, as `model.base_url`; `advice` is the part of the remedy that names
    none of them.
    """

    kind: FixKind | str
    variable: str | None = None
    address: str | None = None
    setting: str | None = None
    advice: str | None = None


class ErrorData(Wire):
    """`data` of a domain failure; `kind` is stable, `remedy` says what to do."""

    kind: str
    remedy: str | None = None
    fix: Fix | None = None
    held_by: str | None = None
    needs_tokens: int | None = None
    items: tuple[ItemTokens, ...] | None = None
    retry_after_seconds: float | None = None
    could_free: int | None = None
    known: str | None = None
    now: str | None = None


class Failure(Wire):
    """The error by which a turn ended; `known` and `now` are there for `addressChanged`.

    `item`: the item of the context of which a refusal speaks; without it the request may pass.
    """

    kind: str
    message: str
    remedy: str | None = None
    fix: Fix | None = None
    known: str | None = None
    now: str | None = None
    item: str | None = None
