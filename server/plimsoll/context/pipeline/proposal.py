"""The input and output of a stage: the next request, and the edit that the stage proposes."""

from collections.abc import Callable
from dataclasses import dataclass

from plimsoll.context.budget import Budget
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Edited, Op, Stage
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.pipeline.written import WrittenSummary
from plimsoll.context.view.fold import Fold


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRequest:
    """The next request as it would be now; stages only read it."""

    indexes: Indexes
    """The indexes of the log, with its fold."""
    budget: Budget
    settings: PipelineSettings
    cold: bool = False
    """Whether the provider's cache has lost the prefix, so that rewriting it costs nothing."""
    began: int = 0
    """Tokens before the first stage of this pass; 0 outside of a pass."""
    written: WrittenSummary | None = None
    """A summary that a model has written ahead."""
    edit_name: str = "pending.0"
    """The id of an edit in a trial, the same as it will have when it is made."""

    @property
    def fold(self) -> Fold:
        """The fold of the log."""
        return self.indexes.fold

    @property
    def tokens(self) -> int:
        """Tokens of the next request."""
        return self.fold.view.tokens

    @property
    def load(self) -> int:
        """Tokens by which stages decide whether they are due: those before this pass.

        What one stage frees does not stop the next: together they rewrite the prefix once (law 5).
        """
        return max(self.tokens, self.began)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One pass of one stage, before it has an id and a time."""

    stage: Stage
    why: str
    ops: tuple[Op, ...]
    before: int = 0
    after: int = 0
    rewritten: int = 0
    model: str | None = None
    """The model that wrote the summary, if one did."""
    spent: int = 0
    """Tokens that the call of the model cost."""
    least: int = 0
    """Tokens that it must free in the view, or it is dropped."""


Plan = Callable[[NextRequest], Proposal | None]
"""A stage: returns the edit that it proposes now, or none."""


def as_edit(proposal: Proposal, name: str, at: str = "") -> Edited:
    """Turn a proposal into an entry of the log."""
    return Edited(
        id=name,
        at=at,
        stage=proposal.stage,
        why=proposal.why,
        ops=proposal.ops,
        before=proposal.before,
        after=proposal.after,
        model=proposal.model,
        spent=proposal.spent,
        rewritten=proposal.rewritten,
    )
