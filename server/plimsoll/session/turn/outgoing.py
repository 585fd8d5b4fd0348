"""What is added to a request, or left out of it, for the model that it goes to."""

import hashlib
from dataclasses import replace

from plimsoll.context.log.messages import Message
from plimsoll.providers.base import Request

UNSEEN = "[an image was left out: this model sees none]"


def addressed(request: Request, session: str, sees_images: bool | None) -> Request:
    """Fit a request of a session to its model."""
    request = replace(request, cache_key=cache_key(session))
    if sees_images is not False or not any(message.images for message in request.messages):
        return request
    # They are there when a session has changed its model; the provider would refuse them.
    messages = tuple(_without_images(message) for message in request.messages)
    return replace(request, messages=messages)


def cache_key(session: str) -> str:
    """Name the requests of a session, so that a provider finds their common beginning again."""
    return hashlib.sha256(f"plimsoll\0{session}".encode()).hexdigest()[:32]


def _without_images(message: Message) -> Message:
    if not message.images:
        return message
    left_out = "\n".join(UNSEEN for _ in message.images)
    return replace(message, text=f"{message.text}\n{left_out}".lstrip(), images=())
