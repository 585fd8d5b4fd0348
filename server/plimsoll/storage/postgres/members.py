"""Who takes part in a shared project, and what each role may do there."""

from collections.abc import Mapping
from typing import get_args

from psycopg.types.json import Jsonb

from plimsoll.errors import InvalidInput
from plimsoll.storage.postgres.projects import SharedProject, no_project
from plimsoll.storage.shared.base import Membership, Rights

_OWN = """
SELECT current_user::text, rights ->> current_user::text FROM plimsoll.members
WHERE project = %(project)s
"""
_ALL = "SELECT rights FROM plimsoll.members WHERE project = %(project)s"
_ADD = """
UPDATE plimsoll.members SET rights = rights || %(rights)s
WHERE project = %(project)s AND rights ->> current_user::text = 'admin'
"""
_REMOVE = """
UPDATE plimsoll.members SET rights = rights - %(role)s::text
WHERE project = %(project)s AND rights ->> current_user::text = 'admin'
"""
_ROLE = "SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = %(role)s"


async def membership_of(project: SharedProject) -> Membership:
    """Read which role this is, and what it may do; raises NotFound for no member."""
    row = await project.first_row(_OWN)
    if row is None:
        raise no_project(str(project.id))
    role, rights = row
    return Membership(str(role), _read_rights(rights))


async def select_members(project: SharedProject) -> Mapping[str, Rights]:
    """Read the rights of each member, by role; raises NotFound for no member."""
    row = await project.first_row(_ALL)
    if row is None:
        raise no_project(str(project.id))
    return {role: _read_rights(rights) for role, rights in sorted(row[0].items())}


async def set_rights(project: SharedProject, role: str, rights: Rights | None) -> None:
    """Make a role a member with these rights, or none any more; raises InvalidInput."""
    own = await membership_of(project)
    if own.rights != "admin":
        raise InvalidInput(
            f"The role {own.role!r} is no admin of the project.",
            remedy="Ask an admin of the project to do it.",
        )
    if role == own.role:
        raise InvalidInput(
            "An admin's own rights stay as they are, so that a project always has an admin.",
            remedy="Make somebody else an admin, who can change yours.",
        )
    if rights is None:
        await project.execute(_REMOVE, role=role)
        return
    if await project.first_row(_ROLE, role=role) is None:
        raise InvalidInput(
            f"The server has no role {role!r}.",
            remedy="Ask whoever runs it to make one that may log in.",
        )
    await project.execute(_ADD, rights=Jsonb({role: rights}))


def _read_rights(rights: object) -> Rights:
    """Return rights as the engine takes them: a word that it does not know permits reading."""
    return next((each for each in get_args(Rights) if each == rights), "read")
