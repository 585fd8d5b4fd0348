"""Putting files back as they were: what would become of each, and doing it step by step."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from plimsoll.cancellation import wait_through_cancel
from plimsoll.context.log.entries import Entry
from plimsoll.errors import StoreError, ToolFailed
from plimsoll.session.checkpoints.changes import FileChange, PlannedRestore, change_note
from plimsoll.session.ports.clock import Clock
from plimsoll.session.resources.files import FileCopies
from plimsoll.tools.ports.file_access import FileToRestore

GONE = "No copy of it is kept any more."
LEFT_BEHIND = "No copy of it is here: it may be on {machines}, where this session worked before."
UNTRUSTED = "The folder is not trusted."

FileAction = Literal["restored", "removed", "left"]


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result, or foreseen result, of restoring a file."""

    path: Path
    action: FileAction
    why: str | None = None
    """Why it is left as it is or, of one that is put back, why it may have been another then."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The results, or foreseen results, of restoring the files that the agent changed."""

    files: tuple[FileResult, ...]
    """Those that are as they were then are left out."""
    commands: int
    """Commands that ran since; what they changed is not undone."""


@dataclass(frozen=True, slots=True)
class RestoreStep:
    """One file to restore, as far as it could be checked beforehand."""

    planned: PlannedRestore
    put: FileToRestore | None
    """None: it stays as it is."""
    why: str | None = None
    """Why it is left; none where it is as wanted already."""

    @property
    def settled(self) -> bool:
        """Whether the file is as wanted already, without a remark to show."""
        return self.put is None and self.why is None and self.planned.remark is None


class FileRestoring:
    """Restores files of a folder, noting each restore before it is done."""

    def __init__(
        self, copies: FileCopies, append: Callable[[Entry], Awaitable[None]], clock: Clock
    ) -> None:
        self._copies = copies
        self._append = append
        self._clock = clock

    async def look_at(self, wanted: Sequence[PlannedRestore]) -> list[RestoreStep]:
        """Check for each file whether and how it can be restored."""
        if not self._copies.trusted():
            return [RestoreStep(each, None, UNTRUSTED) for each in wanted]
        return await asyncio.to_thread(self._look, wanted)

    def notes(self, steps: Iterable[RestoreStep], cause: str) -> list[Entry]:
        """Make the log notes of some steps, to be appended before they are done."""
        return [change_note(_change(step.planned, cause), self._clock) for step in steps]

    def results(self, steps: Iterable[RestoreStep]) -> tuple[FileResult, ...]:
        """Return the foreseen result for each file."""
        return tuple(self._result(step, step.why) for step in steps if not step.settled)

    async def carry_out(self, steps: Sequence[RestoreStep], cause: str) -> tuple[FileResult, ...]:
        """Put the files back, each in one step; a cancel waits for the last of them."""
        acting = asyncio.ensure_future(self._act(steps, cause))
        if await wait_through_cancel(acting):
            raise asyncio.CancelledError from acting.exception()
        return acting.result()

    def _look(self, wanted: Sequence[PlannedRestore]) -> list[RestoreStep]:
        texts = self._copies.texts
        steps: list[RestoreStep] = []
        for each in wanted:
            text = None if each.wanted is None else texts.read(each.wanted)
            gone = each.wanted is not None and text is None
            why = each.why or (why_gone(self._copies.left_behind) if gone else None)
            put = FileToRestore(name=each.path, left=each.left, wanted=text, encoding=each.encoding)
            try:
                if why is not None:
                    steps.append(RestoreStep(each, None, why))
                elif self._copies.look(put):
                    _keep_longer(self._copies, each)
                    steps.append(RestoreStep(each, put))
                else:
                    steps.append(RestoreStep(each, None))
            except (ToolFailed, StoreError) as error:
                steps.append(RestoreStep(each, None, error.message))
        return steps

    async def _act(self, steps: Sequence[RestoreStep], cause: str) -> tuple[FileResult, ...]:
        results: list[FileResult] = []
        for step in steps:
            why = step.why
            if step.put is not None:
                try:
                    await self._copies.restore(step.put)
                except ToolFailed as error:
                    why = error.message
                    undone = _reverse(_change(step.planned, cause))
                    await self._append(change_note(undone, self._clock))
            if not step.settled:
                results.append(self._result(step, why))
        return tuple(results)

    def _result(self, step: RestoreStep, why: str | None) -> FileResult:
        path, remark = self._copies.root / step.planned.path, step.planned.remark
        if why is not None or step.put is None:
            told = why or remark
            return FileResult(path, "left", None if told is None else self._copies.redact(told))
        return FileResult(path, "removed" if step.planned.wanted is None else "restored", remark)


def why_gone(left_behind: Sequence[str]) -> str:
    """Say why there is no copy of a text, given the machines on which the session worked before."""
    return LEFT_BEHIND.format(machines=" or ".join(left_behind)) if left_behind else GONE


def _keep_longer(copies: FileCopies, each: PlannedRestore) -> None:
    """Keep the present text of a file, so that the undo can restore it.

    Raises:
        ToolFailed: It is not kept any more.
        StoreError: It cannot be kept.
    """
    texts = copies.texts
    text = None if each.left is None else texts.read(each.left)
    if each.left is not None and text is None:
        raise ToolFailed(why_gone(copies.left_behind))
    for one in (text, None if each.wanted is None else texts.read(each.wanted)):
        if one is not None:
            texts.keep(one)


def _change(planned: PlannedRestore, cause: str) -> FileChange:
    return FileChange(
        path=planned.path,
        before=planned.left,
        after=planned.wanted,
        encoding=planned.encoding,
        cause=cause,
    )


def _reverse(change: FileChange) -> FileChange:
    return replace(change, before=change.after, after=change.before)
