"""Hooks around a compaction: before it they put it off or name what stays, after it they read it.

Law: a compaction is put off while there is room, never past the blocking mark.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from plimsoll.context.log.entries import Cover, Op
from plimsoll.context.pipeline.proposal import Proposal
from plimsoll.context.report.receipts import Receipt
from plimsoll.session.hooks.running import answers_of
from plimsoll.session.hooks.wording import quote_words
from plimsoll.session.ports.events import NoticeGiven
from plimsoll.session.state.session_state import SessionState

Trigger = Literal["auto", "manual"]
KEPT_SHARE = 0.03
"""The share of effective that what hooks want kept may take."""
WHAT = "Kept for "
POSTPONED = "Your hook `{name}` put the compaction off{why}, at most until the context is full."
TOO_MUCH = "Your hook `{name}` wants more kept than a summary has room for: the rest was left out."


@dataclass(frozen=True, slots=True)
class BeforeCompaction:
    """The joint answer of the hooks before a compaction."""

    postponed: bool = False
    keep: tuple[str, ...] = ()
    """Texts that the summary keeps, each with where it comes from."""


def has_room(state: SessionState) -> bool:
    """Tell whether a compaction may be put off: the load is below the blocking mark."""
    return state.log.fold.view.tokens < state.model.budget.blocking


async def before_compaction(
    state: SessionState, turn: str, trigger: Trigger, instructions: str = ""
) -> BeforeCompaction:
    """Run the hooks before a compaction; one that puts it off ends them.

    Only an automatic one can be put off, and only while there is room.
    """
    budget = state.model.budget
    given = {
        "trigger": trigger,
        "custom_instructions": state.redact(instructions),
        "tokens": state.log.fold.view.tokens,
        "window": budget.window,
        "blocking_at": budget.blocking,
    }
    keep: list[str] = []
    room = int(budget.effective * KEPT_SHARE)
    async for each in answers_of(state, turn, "PreCompact", given, about=trigger):
        if each.answer.verdict == "postpone" and trigger == "auto" and has_room(state):
            why = f": {state.redact(each.answer.reason)}" if each.answer.reason else ""
            words = POSTPONED.format(name=each.name, why=why)
            state.voice.emit(NoticeGiven(words, turn=turn or None))
            return BeforeCompaction(postponed=True)
        for text in each.answer.keep:
            whole = quote_words("PreCompact", each.name, state.redact(text), WHAT)
            room -= state.log.fold.ledger.bare(whole) + 2
            if room < 0:
                words = TOO_MUCH.format(name=each.name)
                state.voice.emit(NoticeGiven(words, "warning", turn or None))
                break
            keep.append(whole)
    return BeforeCompaction(keep=tuple(keep))


def with_kept(proposal: Proposal, keep: Iterable[str]) -> Proposal:
    """Add what hooks want kept to the text of a summary; its tokens are to be measured again."""
    texts = "\n\n".join(keep)
    if not texts:
        return proposal
    return replace(proposal, ops=tuple(_with_texts(proposal.ops, texts)))


def _with_texts(ops: Iterable[Op], texts: str) -> Iterator[Op]:
    for op in ops:
        if isinstance(op, Cover) and op.text is not None:
            yield replace(op, text=f"{op.text}\n\n{texts}")
            texts = ""
        else:
            yield op


async def after_compaction(state: SessionState, turn: str, receipt: Receipt) -> None:
    """Give the hooks the receipt of a compaction that was made, and its summary."""
    edit = state.log.fold.edits.get(receipt.id)
    texts = (op.text for op in edit.ops if isinstance(op, Cover) and op.text) if edit else ()
    given = {"receipt": _plain(receipt), "summary": "\n\n".join(texts)}
    async for _ in answers_of(state, turn, "PostCompact", given):
        # What it says has no effect: all is done.
        continue


def _plain(receipt: Receipt) -> dict[str, object]:
    lost = receipt.lost
    return {
        "id": receipt.id,
        "stage": receipt.stage.value,
        "at": receipt.at,
        "why": receipt.why,
        "before": receipt.before,
        "after": receipt.after,
        "model": receipt.model,
        "items": [
            {"id": item.id, "title": item.title, "tokens": item.tokens, "where": item.where}
            for item in receipt.items
        ],
        "lost": {
            "identifiers": list(lost.identifiers),
            "constraints": list(lost.constraints),
            "tasks": list(lost.tasks),
        },
    }
