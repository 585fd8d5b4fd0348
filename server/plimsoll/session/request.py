"""From a view to a request that is proved valid and within the window."""

from plimsoll.context.budget import Budget
from plimsoll.context.fold import Fold
from plimsoll.context.invariants import violations
from plimsoll.context.pipeline import Weight
from plimsoll.context.view import render, schemas
from plimsoll.errors import Infeasible, RequestInvalid
from plimsoll.providers.base import Request


def request_for(fold: Fold, budget: Budget, model: str) -> Request:
    """The request of the present view.

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
            remedy="Undo the last reduction or start a new session, and report this defect.",
        )
    return Request(model, messages, schemas(view), view.tool_choice, budget.reserve)


def infeasible(missing: int, heaviest: tuple[Weight, ...], budget: Budget) -> Infeasible:
    """The error that says what does not fit, and by how many tokens."""
    largest = ", ".join(f"{weight.title} ({weight.tokens:,})" for weight in heaviest[:3])
    return Infeasible(
        f"The next request needs {budget.effective + missing:,} tokens, {missing:,} more than the "
        f"{budget.effective:,} that the window leaves. The largest that must stay: {largest}.",
        remedy="Unpin or shorten what is named, or choose a model with a larger window.",
        data={
            "needsTokens": missing,
            "items": [{"id": w.item, "title": w.title, "tokens": w.tokens} for w in heaviest],
        },
    )
