"""Queries about the groups in view: which are a person's, and how many tokens they have."""

from plimsoll.context.log.messages import Role
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.view import Group, RenderedGroup


def is_user(group: Group) -> bool:
    """Tell whether a group is a user message."""
    return bool(group.said) and group.said[0].role is Role.USER


def said_tokens(group: RenderedGroup) -> int:
    """Count the tokens of a group's own messages, without frames and pins after them."""
    return sum(line.tokens for line in group.lines if line.group == group.group.id)


def visible_groups(fold: Fold) -> list[RenderedGroup]:
    """Return the groups whose own messages are in view, oldest first."""
    return [
        each
        for each in fold.rendered_groups()
        if each.group.cover is None and any(line.group == each.group.id for line in each.lines)
    ]


def last_user_group(fold: Fold) -> Group | None:
    """Return the group of the newest user message."""
    return next(
        (group for group in reversed(fold.groups) if is_user(group) and group.visible), None
    )
