"""Who may have a memory and who wrote it: the scopes it can be given, and whose words it is."""

from plimsoll.errors import InvalidInput
from plimsoll.memory.fence import quote_role
from plimsoll.memory.types import ALWAYS_PRIVATE, SEARCHED, Memory, MemoryScope, Trust


def writer_of(memory: Memory) -> str:
    """Return who wrote a memory, for people and the model."""
    if memory.trust is not Trust.TEAM:
        return memory.author.value
    return colleague(memory.author_name)


def colleague(name: str | None) -> str:
    """Name a colleague by the role, where it is known."""
    return "a colleague" if name is None else f"{quote_role(name)} (a colleague)"


def unfit_for_sharing(memory: Memory, scope: MemoryScope) -> InvalidInput | None:
    """Build the error for giving a memory a scope that it cannot have; else None."""
    if memory.state not in SEARCHED:
        return InvalidInput(
            f"The memory {memory.id!r} has no effect: it is {memory.state.value}.",
            remedy="Accept or restore it first.",
        )
    if memory.author_name is not None:
        return InvalidInput(
            f"{memory.author_name} shared this memory, and decides who has it.",
            remedy="Forget it here, or remember it in your own words and share that.",
        )
    if scope is MemoryScope.TEAM and memory.type in ALWAYS_PRIVATE:
        return InvalidInput(
            f"A memory of type {memory.type.value} is never for a team: it is about you.",
            remedy="Share it with your own machines (scope mine), or change its type.",
        )
    return None


def require_scope(before: Memory, after: Memory) -> None:
    """Check that a change may give a memory another scope; raises InvalidInput."""
    if after.scope is before.scope:
        return
    if before.author_name is not None:
        raise InvalidInput(
            f"{before.author_name} shared the memory {before.id!r}, and decides who has it.",
            remedy="Forget it here, or remember it in your own words and share that.",
        )
    if before.scope is MemoryScope.PRIVATE and before.version is not None:
        raise InvalidInput(
            f"The memory {before.id!r} was taken back from others, and does not come back to them.",
            remedy="Share it again with /share ID: it gets another id.",
        )
