"""What is always allowed, on the wire."""

from plimsoll.lsp.wire import pins as wire
from plimsoll.storage.chosen.base import Permission


def permission(kept: Permission) -> wire.LastingPermission:
    """Convert a permission."""
    return wire.LastingPermission(
        number=kept.number, kind=kept.kind, what=kept.what, covers=kept.covers, at=kept.at
    )
