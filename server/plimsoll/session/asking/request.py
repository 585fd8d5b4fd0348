"""The request of a view: proved valid, fitted to its model, or refused with what does not fit."""

import hashlib
from dataclasses import replace

from plimsoll.context.budget import Budget
from plimsoll.context.log.messages import Message
from plimsoll.context.pipeline.reduction import Weight
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import violations
from plimsoll.context.view.request_messages import render
from plimsoll.errors import Infeasible, RequestInvalid
from plimsoll.providers.base import Request

UNSEEN = "[an image was left out: this model sees none]"


def request_for(fold: Fold, budget: Budget, model: str) -> Request:
    """Build the request of the present view.

    Raises:
        RequestInvalid: The view breaks a law other than the window.
    """
    view = fold.view
    messages = render(view)
    found = violations(messages, fold.pins.values(), view.tokens, budget.effective)
    if found:
        said = "; ".join(violation.message for violation in found)
        raise RequestInvalid(
            f"The next request is not valid and was not sent: {said}.",
            remedy="Undo the last reduction or start a new session, and report this bug.",
        )
    return Request(
        model=model,
        messages=messages,
        tools=view.schemas,
        tool_choice=view.tool_choice,
        max_output=budget.reserve,
    )


def fit_to_model(request: Request, session: str, sees_images: bool | None) -> Request:
    """Give a request its cache key, and leave out images that its model cannot see."""
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


def infeasible(missing: int, heaviest: tuple[Weight, ...], budget: Budget) -> Infeasible:
    """Make the error that says what does not fit, and by how many tokens."""
    largest = ", ".join(f"{weight.title} ({weight.tokens:,})" for weight in heaviest[:3])
    return Infeasible(
        f"The next request needs {budget.effective + missing:,} tokens, {missing:,} more than the "
        f"{budget.effective:,} that the model can take. The largest parts that are always sent: "
        f"{largest}.",
        remedy="Unpin (`/unpin`), shorten or leave out one of them, or choose a model that takes "
        "more (`/model`). Of a text that is attached as a file the model gets as much as fits.",
        data={
            "needsTokens": missing,
            "items": [{"id": w.item, "title": w.title, "tokens": w.tokens} for w in heaviest],
        },
    )
