"""Translates errors into those of JSON-RPC and ACP. Pure."""

import asyncio
from typing import Final

from pydantic import ValidationError

from plimsoll.errors import Busy, InvalidInput, NotFound, PlimsollError, ProviderAuth
from plimsoll.lsp.codes import INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST

AUTH_REQUIRED: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
REQUEST_CANCELLED: Final = -32800
CODES: tuple[tuple[type[PlimsollError], int], ...] = (
    (ProviderAuth, AUTH_REQUIRED),
    (NotFound, RESOURCE_NOT_FOUND),
    (InvalidInput, INVALID_PARAMS),
    (Busy, INVALID_REQUEST),
)
"""The kinds of errors that have a number of their own, the first that fits counts."""

CONNECT = "`plimsoll connect` in a terminal picks a model, tries it and saves it."


def fault_of(error: BaseException) -> dict[str, object]:
    """Return the error member of an answer; of a defect it says nothing but that there is one."""
    if isinstance(error, asyncio.CancelledError):
        return {"code": REQUEST_CANCELLED, "message": "Request cancelled"}
    if isinstance(error, ValidationError):
        return {"code": INVALID_PARAMS, "message": _validation_words(error)}
    if isinstance(error, PlimsollError):
        code = next((code for kind, code in CODES if isinstance(error, kind)), INTERNAL_ERROR)
        return {"code": code, "message": words_of(error), "data": {"kind": error.kind}}
    return {"code": INTERNAL_ERROR, "message": "Internal error; the server's log tells more."}


def words_of(error: PlimsollError) -> str:
    """Say what went wrong and what to do about it: clients show the message alone."""
    more = CONNECT if error.fix is not None and error.fix.kind in ("key", "address") else None
    return " ".join(filter(None, (error.message, error.remedy, more)))


def _validation_words(error: ValidationError) -> str:
    """Say which params are wrong, without what was sent."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(
        f"{'.'.join(map(str, each['loc'])) or 'params'}: {each['msg']}" for each in found[:5]
    )
