"""The status of a folder's team, in its wire form."""

from plimsoll.lsp.wire import projects as wire
from plimsoll.storage.shared.status import TeamState, TeamStatus

_TROUBLE = frozenset({TeamState.READ_ONLY, TeamState.AWAY, TeamState.REFUSED})


def status(found: TeamStatus) -> wire.TeamStatus:
    """Convert the status of a folder's team to its wire form."""
    suggested = found.suggested
    return wire.TeamStatus(
        project=found.project,
        url=found.url,
        state=found.state.value,
        role=found.role,
        rights=found.rights,
        since=found.since,
        seen_at=found.seen_at,
        queued=found.queued,
        message=found.message,
        remedy=found.remedy,
        suggested=suggested and wire.TeamSuggestion(project=suggested.project, name=suggested.name),
    )


def did_change(workspace_folder: str, found: TeamStatus) -> wire.TeamDidChangeParams:
    """Convert the status of a folder's team for a client that shows it."""
    fields = dict(status(found))
    return wire.TeamDidChangeParams(workspace_folder=workspace_folder, **fields)


def trouble(found: TeamStatus) -> str | None:
    """Return the trouble with a team and its remedy as a warning; None if there is none."""
    if found.state not in _TROUBLE or found.message is None:
        return None
    return f"{found.message} {found.remedy or ''}".strip()
