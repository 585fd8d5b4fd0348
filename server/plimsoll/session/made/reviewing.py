"""Asks a person, once for each command that has ended, whether the protected files it made stay.

Law: nothing that the person did not keep is in effect, nothing of it is lost, and nothing is asked
twice. So silence, a cancel and a folder without trust leave it aside.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import (
    CallChanged,
    CallMade,
    CallShown,
    MadeQuestion,
    NoticeGiven,
)
from plimsoll.session.ports.ids import new_question_id
from plimsoll.session.state.made_unasked import MadeUnasked
from plimsoll.session.state.session_state import SessionState
from plimsoll.text.first_words import cut_line
from plimsoll.text.paths import name_in
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.made import MadeFile, PutInPlace
from plimsoll.tools.process.confinement.base import MovedAside

TITLE = (
    "{command} made {what}, which programs obey: {names}. "
    "Keep {them}, or move {them} out of the folder?"
)
KEPT = "[kept by the user: {names}]"
DROPPED = "[not kept by the user, so not in the folder: {names}]{reason}"
FAILED = "[kept by the user, but still aside: {name}. {why}]"
AGAIN = "[to make it all the same, ask for the command again with unconfined: true]"
_MOST_NAMES = 4
_MOST_TOLD = 20
_COMMAND_CHARACTERS = 40
_NOBODY = Decision(allowed=False, by="nobody")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of a review: which made files were kept, failed, or lie aside."""

    kept: tuple[str, ...] = ()
    """The names of what is in its place."""
    aside: tuple[MovedAside, ...] = ()
    """What is not."""
    told: tuple[str, ...] = ()
    """Lines for the model."""
    cancelled: asyncio.CancelledError | None = None
    """The cancel that came meanwhile."""


class MadeReview:
    """Reviews, for one turn, the protected files that ended commands of a session made."""

    def __init__(self, state: SessionState, turn: str) -> None:
        self._session_id = state.id
        self._turn = turn
        self._made = state.made
        self._voice = state.voice
        self._approvals = state.approvals
        self._commands = state.environment.commands
        self._files = state.files
        self._redact = state.redact
        self._clock = state.clock

    async def review(self) -> Reviewed:
        """Ask about the files that ended commands made, and keep those that the person wants.

        A cancel is returned, not raised, with the files that are in place by then.
        """
        all_made = Reviewed()
        for made in self._made.take():
            reviewed = await self._review(made, ask=all_made.cancelled is None)
            self._tell_aside(reviewed.aside)
            all_made = Reviewed(
                all_made.kept + reviewed.kept,
                all_made.aside + reviewed.aside,
                all_made.told + reviewed.told,
                all_made.cancelled or reviewed.cancelled,
            )
        return all_made

    async def review_between(self) -> None:
        """Review the files that background commands made; the next result tells the model.

        Raises:
            CancelledError: The turn was stopped meanwhile.
        """
        reviewed = await self.review()
        self._made.untold += reviewed.told
        if reviewed.cancelled is not None:
            raise reviewed.cancelled

    def leave_aside(self) -> None:
        """Leave the files of ended commands aside, without a question, and say where they are."""
        for made in self._made.take():
            aside = _without(made, ())
            self._made.untold += _lines_for_model((), _NOBODY, aside)
            self._tell_aside(aside)

    async def _review(self, made: MadeUnasked, *, ask: bool) -> Reviewed:
        commands, files, decision = self._commands, self._files, _NOBODY
        found, done = tuple[MadeFile, ...](), tuple[PutInPlace, ...]()
        question: CallShown | None = None
        cancelled: asyncio.CancelledError | None = None
        try:
            if ask and files.trusted():
                found = await commands.look_at_made(made.moved, files.root)
            if found:
                question = self._question(made.command, found)
                self._voice.emit(CallMade(self._turn, question))
                waiting = CallChanged(turn=self._turn, call_id=question.id, status="waiting")
                self._voice.emit(waiting)
                decision = await self._approvals.decide(self._session_id, self._turn, question)
        except asyncio.CancelledError as error:
            cancelled = error
        wanted = _files_to_keep(found, decision) if files.trusted() else ()
        if wanted:
            putting = asyncio.ensure_future(commands.put_in_place(wanted))
            if await wait_through_cancel(putting):
                cancelled = asyncio.CancelledError()
            done = putting.result()
        aside = _without(made, done)
        told = tuple(map(self._redact, _lines_for_model(done, decision, aside)))
        kept = tuple(one.file.name for one in done if one.failed is None)
        reviewed = Reviewed(kept, aside, told, cancelled)
        if question is not None:
            self._tell_answered(question, reviewed)
        return reviewed

    def _question(self, command: str, files: Sequence[MadeFile]) -> CallShown:
        """Show the question as a call that waits: every client can ask about one."""
        redact, count = self._redact, len(files)
        title = TITLE.format(
            command=cut_line(redact(command), _COMMAND_CHARACTERS),
            what="a protected file" if count == 1 else f"{count} protected files",
            names=redact(_join_names([file.name for file in files])),
            them="it" if count == 1 else "them",
        )
        return CallShown(
            id=new_question_id(self._clock),
            item="",
            name="made_files",
            arguments=canonical({}),
            traits=ToolTraits(verb="Keep"),
            intent=Intent(title=title, ask=True, plan=None),
            made=MadeQuestion(tuple(replace(file, diff=redact(file.diff)) for file in files)),
        )

    def _tell_answered(self, question: CallShown, found: Reviewed) -> None:
        """Show what became of the files, where they were asked about."""
        changed = CallChanged(
            turn=self._turn,
            call_id=question.id,
            status="completed" if found.kept else "rejected",
            output="",
            kept=found.kept,
            aside=aside_names(self._files.root, found),
        )
        self._voice.emit(changed)

    def _tell_aside(self, aside: Sequence[MovedAside]) -> None:
        """Tell the person where the files lie; the notice is shown again after a reload."""
        if not aside:
            return
        shown = aside[:_MOST_NAMES]
        places = "; ".join(f"{one.shown_path} is in {one.shown_place}" for one in shown)
        more = f"; and {len(aside) - _MOST_NAMES} more" if len(aside) > _MOST_NAMES else ""
        words = f"Set aside, and not in effect: {places}{more}."
        self._voice.emit(NoticeGiven(self._redact(words), "info", self._turn))


def aside_names(root: Path, found: Reviewed) -> tuple[str, ...]:
    """Return the paths, within the folder, of the files that lie aside."""
    return tuple(name_in(root, one.path) for one in found.aside)


def _files_to_keep(files: Sequence[MadeFile], decision: Decision) -> tuple[MadeFile, ...]:
    if not decision.allowed:
        return ()
    kept = decision.kept
    return tuple(file for file in files if kept is None or file.name in kept)


def _without(made: MadeUnasked, done: Sequence[PutInPlace]) -> tuple[MovedAside, ...]:
    """Return the files that stay aside; of a file made several times, the newest."""
    newest = {one.path: one for one in made.moved}
    kept = {one.file.moved.path for one in done if one.failed is None}
    return tuple(one for path, one in newest.items() if path not in kept)


def _lines_for_model(
    done: Sequence[PutInPlace], decision: Decision, aside: Sequence[MovedAside]
) -> Iterator[str]:
    """Yield lines that tell the model which files were kept, failed, or lie aside."""
    if kept := [one.file.name for one in done if one.failed is None]:
        yield KEPT.format(names=_join_names(kept, _MOST_TOLD))
    failed = {one.file.moved.path: one for one in done if one.failed is not None}
    for one in failed.values():
        yield FAILED.format(name=one.file.name, why=one.failed)
    rest = [one for one in aside if one.path not in failed]
    if rest and decision.by == "person":
        reason = f" Reason: {decision.reason}" if decision.reason else ""
        yield DROPPED.format(
            names=_join_names([one.shown_path for one in rest], _MOST_TOLD), reason=reason
        )
    elif rest:
        yield from (f"[{one.describe()}]" for one in rest[:_MOST_TOLD])
        if len(rest) > _MOST_TOLD:
            yield f"[and {len(rest) - _MOST_TOLD} more]"
        yield AGAIN


def _join_names(names: Sequence[str], most: int = _MOST_NAMES) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
