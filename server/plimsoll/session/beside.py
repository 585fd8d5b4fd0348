"""What stands beside a model's summary and no model wrote: the state, and the user's words."""

import asyncio

from plimsoll.context.compaction import CompactionPlan
from plimsoll.context.digest import user_words
from plimsoll.context.stages.digest import DIGEST_SHARE, earlier_compactions
from plimsoll.context.summary import state_block
from plimsoll.session.branch import branch_of
from plimsoll.session.state import State


async def beside(state: State, chosen: CompactionPlan) -> tuple[str, ...]:
    """The state block, and what people said word for word within its budget."""
    fold, knobs = state.log.fold, state.model.knobs.compaction
    said = [message for group in chosen.groups for message in group.visible]
    block = state_block(said, await _facts(state), earlier_compactions(fold))
    room = min(knobs.keep_user_tokens, int(state.model.budget.effective * DIGEST_SHARE) // 2)
    return (block, *user_words(said, room, fold.ledger.bare))


async def _facts(state: State) -> list[tuple[str, str]]:
    root = state.environment.root
    branch = await asyncio.to_thread(branch_of, root)
    tasks = state.log.fold.frames.get("tasks")
    waiting = state.approvals.waiting
    facts = {
        "mode": state.record.mode,
        "folder": root.name,
        "branch": branch,
        "tasks": tasks.text if tasks else None,
        "waits for approval": "; ".join(waiting),
    }
    return [(name, value) for name, value in facts.items() if value]
