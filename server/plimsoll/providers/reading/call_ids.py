"""Ids for calls that a model gives none; imports nothing heavy, for providers without a server."""

import hashlib

from plimsoll.providers.base import Request


def used_call_ids(request: Request) -> frozenset[str]:
    """Return the ids of every call in the request."""
    return frozenset(call.id for message in request.messages for call in message.calls)


def fresh_call_id(request: Request, number: int, taken: frozenset[str]) -> str:
    """Derive an id from the request, so that the same request gives the same id.

    The newest message's id is unique in its session, and so is the id of every answer to it.
    """
    newest = request.messages[-1].id if request.messages else ""
    salt = 0
    while True:
        digest = hashlib.sha256(f"{newest}\0{number}\0{salt}".encode()).hexdigest()
        if (fresh := f"call_{digest[:16]}") not in taken:
            return fresh
        salt += 1
