"""The status of a folder's team; a person is told of each trouble once."""

from dataclasses import replace

from plimsoll.storage.shared.base import Joined, Membership
from plimsoll.storage.shared.status import SuggestedProject, TeamState, TeamStatus
from plimsoll.team.exchange import Exchanged
from plimsoll.team.surroundings import TeamSurroundings
from plimsoll.team.troubles import (
    SLOW_SECONDS,
    Trouble,
    read_only_role,
    slowness,
    trouble_of,
)

SAID_AGAIN = 3_600.0
"""Seconds before the same trouble is told once more."""
_LATE_IN_A_ROW = 2
"""So many late answers make a slow server; one alone is chance."""


class Standing:
    """The status of a folder's team; calls its listener when the status changes."""

    def __init__(self, around: TeamSurroundings) -> None:
        self.status = TeamStatus()
        self._around = around
        self._late = 0
        self._said: dict[str, float] = {}
        """When each trouble was told, by its words."""

    def begin(self, joined: Joined, queued: int) -> None:
        """Show a project that was joined, before its server has answered."""
        self._late = 0
        self._show(
            TeamStatus(
                state=TeamState.OK,
                project=joined.name,
                url=joined.url,
                since=self._around.clock.now(),
                queued=queued,
                seen_at=joined.seen_at,
            )
        )

    def end(self, suggested: SuggestedProject | None) -> None:
        """Show that no project is joined, and which one the folder suggests."""
        self._show(TeamStatus(suggested=suggested))

    def count(self, queued: int) -> None:
        """Show how many changes wait."""
        self._show(replace(self.status, queued=queued))

    def note(self, joined: Joined, done: Exchanged, membership: Membership | None) -> None:
        """Show the result of an exchange; ``membership``: None if it could not begin."""
        now, before = self._around.clock.now(), self.status
        if done.seconds is not None:
            self._late = self._late + 1 if done.seconds > SLOW_SECONDS else 0
        trouble = self._trouble(joined, done, membership)
        state = trouble.state if trouble else TeamState.OK
        message = trouble.message if trouble else None
        is_same = (before.state, before.message) == (state, message)
        self._show(
            replace(
                before,
                state=state,
                role=membership.role if membership else before.role,
                rights=membership.rights if membership else before.rights,
                since=before.since if is_same else now,
                seen_at=before.seen_at if done.seconds is None else now,
                message=message,
                remedy=trouble.remedy if trouble else None,
            )
        )
        if trouble is not None and not is_same:
            self._say_once(trouble)

    def _trouble(
        self, joined: Joined, done: Exchanged, membership: Membership | None
    ) -> Trouble | None:
        if done.trouble is not None:
            return trouble_of(done.trouble, joined)
        if membership is not None and membership.rights == "read":
            return read_only_role(membership, joined)
        return slowness() if self._late >= _LATE_IN_A_ROW else None

    def _say_once(self, trouble: Trouble) -> None:
        seconds, said_at = self._around.clock.seconds(), self._said.get(trouble.words)
        if said_at is None or seconds - said_at >= SAID_AGAIN:
            self._said[trouble.words] = seconds
            self._around.say(trouble.words)

    def _show(self, status: TeamStatus) -> None:
        before, self.status = self.status, status
        if replace(before, seen_at=None) != replace(status, seen_at=None):
            self._around.changed(status)
