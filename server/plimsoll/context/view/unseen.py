"""Results that no request has carried yet, which may not leave the view (law 9)."""

from plimsoll.context.log.messages import Role
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import RenderedGroup


def newest_answer(fold: Fold) -> int:
    """Return the index of the newest assistant's group; everything before it was sent."""
    groups = reversed(fold.groups)
    return next((group.index for group in groups if group.said[0].role is Role.ASSISTANT), -1)


def is_unseen(rendered: RenderedGroup, fold: Fold) -> bool:
    """Tell whether a group holds results that no request has carried yet."""
    return bool(rendered.results) and rendered.index >= newest_answer(fold)


def unseen_tokens(fold: Fold) -> int:
    """Count the tokens of the results that no request has carried yet."""
    unseen = fold.rendered_groups()[max(0, newest_answer(fold)) :]
    return sum(shown.tokens for group in unseen for shown in group.results)
