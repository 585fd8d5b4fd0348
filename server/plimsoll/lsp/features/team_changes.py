"""Tells a client of each change in the status of a folder's team, once."""

from collections.abc import Callable

from plimsoll.lsp.features.convert import team as convert
from plimsoll.lsp.wire import methods
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.service import DidChangeStatusParams
from plimsoll.storage.shared.status import TeamStatus

Notify = Callable[[str, object, str | None], None]


class TeamChanges:
    """Tells a client of its folders' teams: all of it, or only what is wrong."""

    def __init__(self, notify: Notify) -> None:
        self.shown = False
        """Whether the client shows the state of a team itself."""
        self._notify = notify
        self._troubles: dict[str, str] = {}

    def tell(self, workspace_folder: str, status: TeamStatus) -> None:
        """Tell the client the status of a folder's team."""
        if self.shown:
            changed = dump(convert.did_change(workspace_folder, status))
            self._notify(methods.TEAM_DID_CHANGE.name, changed, f"team {workspace_folder}")
            return
        trouble = convert.trouble(status) or ""
        if trouble == self._troubles.get(workspace_folder, ""):
            return
        self._troubles[workspace_folder] = trouble
        kind = "warning" if trouble else "ok"
        message = trouble or "The team's server takes part again."
        told = dump(DidChangeStatusParams(kind=kind, message=message))
        self._notify(methods.DID_CHANGE_STATUS.name, told, None)
