"""What stands beside a model's summary and no model wrote: the state, and the user's words."""

import asyncio
import re
from pathlib import Path

from plimsoll.context.stages.compaction_plan import CompactionPlan
from plimsoll.context.stages.digest import DIGEST_SHARE, earlier_compactions, user_words
from plimsoll.context.stages.summary import state_block
from plimsoll.session.session_state import SessionState


async def summary_context(state: SessionState, chosen: CompactionPlan) -> tuple[str, ...]:
    """The state block, and what people said word for word within its budget."""
    fold, settings = state.log.fold, state.model.settings.compaction
    said = [message for group in chosen.groups for message in group.visible]
    block = state_block(said, await _facts(state), earlier_compactions(fold))
    room = min(settings.keep_user_tokens, int(state.model.budget.effective * DIGEST_SHARE) // 2)
    return (block, *user_words(said, room, fold.ledger.bare))


async def _facts(state: SessionState) -> list[tuple[str, str]]:
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


_REF = re.compile(r"ref: refs/heads/([^\s\x00-\x1f]{1,200})\s*\Z")
_DETACHED = re.compile(r"([0-9a-f]{7})[0-9a-f]{33,57}\s*\Z")
LONGEST = 1_000
"""Characters that are read: a longer file is not what git writes."""


def branch_of(root: Path) -> str | None:
    """The branch, the short hash where none is checked out, or none outside of a repository."""
    head = _head(root / ".git" / "HEAD")
    found = _REF.match(head) or _DETACHED.match(head)
    return found[1] if found else None


def _head(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST)
    except OSError:
        # No repository, or one that cannot be read: the state block does without its branch.
        return ""
