"""Brings the changes of an agent's tree into the folder, at the person's word, as any other edit.

One agent's changes are looked at, asked about and written before those of the next one are.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.agents.apart_report import Ending
from plimsoll.session.checkpoints.changes import FileChange, change_note, keep_copies
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.environment import LastEdit
from plimsoll.session.ports.events import AgentShown, CallChanged, CallMade, CallShown
from plimsoll.session.state.session_state import CallPlace, SessionState
from plimsoll.text.lines import version_of
from plimsoll.text.paths import name_in
from plimsoll.tools.display import visible_path
from plimsoll.tools.ports.apart.own_trees import FileIn, OwnTree, TreeReview, WrittenIn
from plimsoll.tools.ports.intent import AnyIntent

MOST_LOOKS = 3
"""How often the folder is looked at anew where it changes between the question and the answer."""
TRAITS = ToolTraits(kind="edit", verb="Merge", subject="description")
WRONG_MODE = "the session is in {mode} mode now"
UNTRUSTED = "the folder is not trusted"
DECLINED = "the user did not want it merged"
UNANSWERED = "nobody allowed to merge it"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bringing:
    """Brings the changes of one agent into the folder."""

    state: SessionState
    place: CallPlace
    shown: AgentShown
    tree: OwnTree

    @property
    def call_id(self) -> str:
        """The id of the question, as a call of its own."""
        return f"{self.place.call_id}.changes"


async def bring_in(
    state: SessionState, place: CallPlace, shown: AgentShown, tree: OwnTree
) -> Ending:
    """Ask the person about what an agent changed, and bring in what they allow.

    Raises:
        ToolFailed: Git fails; nothing more comes in.
    """
    bringing = _Bringing(state=state, place=place, shown=shown, tree=tree)
    environment = state.environment
    done: dict[str, FileIn] = {}
    async with environment.outside.bringing_in:
        for _ in range(MOST_LOOKS):
            review = await asyncio.to_thread(tree.review, environment.call_context)
            done.update((file.name, file) for file in review.others if file.name not in done)
            if review.intent is None:
                break
            why = await _ask(bringing, review.intent)
            if why is not None:
                return Ending(files=[*done.values(), *_list_left(review)], why=why)
            files = await _write(bringing, review)
            done.update((file.name, file) for file in files)
            if all(file.how == "merged" for file in files):
                break
    return Ending(files=tuple(done.values()))


def _list_left(review: TreeReview) -> list[FileIn]:
    planned = review.intent.plan if review.intent else ()
    return [FileIn(name=each.name, how="left", what=each.what) for each in planned]


async def _ask(bringing: _Bringing, intent: AnyIntent) -> str | None:
    """Ask whether changes come in; return why they do not, None if they do."""
    state, place = bringing.state, bringing.place
    if state.mode != "edit":
        return WRONG_MODE.format(mode=state.mode)
    if not state.files.trusted():
        return UNTRUSTED
    shown = replace(
        intent,
        title=state.redact(intent.title),
        diff=None if intent.diff is None else state.redact(intent.diff),
    )
    call = CallShown(
        id=bringing.call_id,
        item="",
        name="merge",
        arguments=canonical({"description": bringing.shown.description}),
        traits=TRAITS,
        intent=shown,
        agent=bringing.shown,
    )
    state.voice.emit(CallMade(place.turn, call))
    changed = partial(CallChanged, turn=place.turn, call_id=call.id)
    state.voice.emit(changed(status="waiting"))
    decision = await state.approvals.decide(state.id, place.turn, call)
    if not decision.allowed:
        state.voice.emit(changed(status="rejected"))
        return _describe_refusal(decision)
    if not state.files.trusted():
        state.voice.emit(changed(status="rejected"))
        return UNTRUSTED
    state.voice.emit(changed(status="running"))
    return None


def _describe_refusal(decision: Decision) -> str:
    reason = f" ({decision.reason})" if decision.reason else ""
    return f"{UNANSWERED if decision.by in ('nobody', 'rule') else DECLINED}{reason}"


async def _write(bringing: _Bringing, review: TreeReview) -> list[FileIn]:
    state, place, environment = bringing.state, bringing.place, bringing.state.environment
    await state.settle_commands(place.turn)
    files: list[FileIn] = []
    try:
        files = await bringing.tree.bring_in(
            review, environment.call_context, partial(_keep, bringing)
        )
    finally:
        await environment.commands.accept(
            [state.files.root / each.name for each in (review.intent.plan if review.intent else ())]
        )
        status = "completed" if files and _all_in(files) else "failed"
        words = "\n".join(f"{visible_path(file.name)}: {file.why or file.how}" for file in files)
        state.voice.emit(
            CallChanged(
                turn=place.turn, call_id=bringing.call_id, status=status, output=state.redact(words)
            )
        )
    return files


def _all_in(files: Sequence[FileIn]) -> bool:
    return all(file.how == "merged" for file in files)


async def _keep(bringing: _Bringing, change: WrittenIn) -> None:
    """Note a change in the log, so that a person can undo it, and others read it again."""
    state = bringing.state
    after = None if change.after is None else version_of(change.after)
    if after is not None:
        edit = LastEdit(bringing.shown.session, bringing.shown.description, after)
        state.files.last_edits[change.path] = edit
    if not change.is_text:
        return
    texts = change.before, change.after
    why = await asyncio.to_thread(keep_copies, state.copies, texts, change.guarded)
    done = FileChange(
        path=name_in(state.files.root, change.path),
        before=None if change.before is None else version_of(change.before),
        after=after,
        encoding=change.encoding,
        why=why,
    )
    await state.append(change_note(done, state.clock, bringing.place.item))
