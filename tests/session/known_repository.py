"""A repository whose changes are known, in the place of git."""

from dataclasses import replace

from plimsoll.errors import ToolFailed
from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.repository import NoRepository, WorkingChanges


class Known(NoRepository):
    """It has these changes, or says this."""

    def __init__(self, changes: WorkingChanges | ToolFailed, subjects: tuple[str, ...]) -> None:
        self._changes = changes
        self._subjects = subjects

    def changes(self) -> WorkingChanges:
        if isinstance(self._changes, ToolFailed):
            raise self._changes
        return self._changes

    def subjects(self, most: int) -> tuple[str, ...]:
        return self._subjects[:most]


def know(
    state: SessionState,
    changes: WorkingChanges | ToolFailed,
    *subjects: str,
    trusted: bool = True,
) -> None:
    """Let a session's folder have these changes."""
    own, known = state.environment, Known(changes, subjects)
    context = replace(own.call_context, repository=known, trusted=lambda: trusted)
    state.environment = replace(own, call_context=context)
