"""Tells whether something that a person allowed for good covers a call, and keeps what they allow.

The store is read for each call: what is taken back in any window counts at once, and no log holds
what is allowed, so going back in a session brings nothing back.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from plimsoll.session.ports.clock import Clock
from plimsoll.storage.chosen.base import Permission, PermissionStore
from plimsoll.tools.ports.permission import DefiningFile, PermissionScope, changed_definitions

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Covered:
    """A permission covers the call."""

    permission: Permission


@dataclass(frozen=True, slots=True)
class Changed:
    """A permission would cover the call, but the files that define its command have changed."""

    permission: Permission
    names: tuple[str, ...]
    """The files that were changed, came or went."""

    @property
    def why(self) -> str:
        """The reason for asking again, for the person."""
        files = ", ".join(self.names[:_MOST_NAMED])
        more = len(self.names) - _MOST_NAMED
        rest = f" and {more} more" if more > 0 else ""
        return (
            f"You always allowed {self.permission.what}. Since then {files}{rest} changed, so it "
            "may run something else."
        )


class Permissions:
    """What a person allowed for good in one folder."""

    def __init__(self, store: PermissionStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def covering(self, scopes: Sequence[PermissionScope]) -> Covered | Changed | None:
        """Return the permission that covers a call of these scopes, a valid one if possible."""
        if not scopes:
            return None
        kept = {(each.kind, each.subject): each for each in await self._store.permissions()}
        changed: Changed | None = None
        for scope in scopes:
            permission = kept.get((scope.kind, scope.subject))
            if permission is None:
                continue
            names = changed_definitions(_definitions(permission.defined_by), scope.defined_by)
            if not names:
                return Covered(permission)
            changed = changed or Changed(permission, names)
        return changed

    async def keep(self, scope: PermissionScope) -> Permission:
        """Store a permission for a scope, with the files that define it now."""
        return await self._store.keep(
            Permission(
                at=self._clock.now(),
                kind=scope.kind,
                subject=scope.subject,
                what=scope.what,
                covers=scope.covers,
                defined_by=json.dumps([[each.name, each.state] for each in scope.defined_by]),
            )
        )


def _definitions(text: str) -> tuple[DefiningFile, ...]:
    pairs = cast("list[list[str]]", json.loads(text))
    return tuple(DefiningFile(name, state) for name, state in pairs)
