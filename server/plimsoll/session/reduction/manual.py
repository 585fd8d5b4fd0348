"""A compaction that a person asks for, in a session that nobody else works in."""

from plimsoll.context.report.receipts import Receipt
from plimsoll.session.reduction.reductions import Strategy, compact
from plimsoll.session.session import Session


async def compact_in(
    session: Session, instructions: str = "", strategy: Strategy = "auto"
) -> Receipt:
    """Compact a session that no turn runs in; raises Busy while one does."""
    lease = await session.holding()
    try:
        return await compact(session.state, instructions, strategy)
    finally:
        await session.state.environment.store.release(lease)
