"""Histories with decisions and attempts, and ten reductions of any kind that they go through."""

from collections.abc import Iterator
from dataclasses import replace

from builders import AT, LEDGER, TOOLS, exchange, system, user
from context.stages.logs import call, shell
from context.summarisers import written
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.call_end import CallEnd, Rejection
from plimsoll.context.log.entries import (
    Entry,
    Framed,
    ItemState,
    Origin,
    Said,
    Slot,
    Stage,
    TaskItem,
    Undone,
)
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.pipeline.proposal import NextRequest, Proposal, as_edit
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.stages import digest
from plimsoll.context.stages.prune import replacements
from plimsoll.context.stages.results.protection import is_exempt
from plimsoll.context.stages.results.visible_results import visible_results
from plimsoll.context.stages.trim import shrink
from plimsoll.context.view.fold import Fold

SETTINGS = PipelineSettings()
KINDS = ("digest", "compact", "trim", "prune")


def typed(name: str, text: str, origin: Origin = Origin.PERSON) -> Said:
    return replace(user(name, text), origin=origin)


def declined(number: int, command: str, reason: str, by: str = "person") -> list[Said]:
    text = f"The user declined this call. Reason: {reason}"
    rejection = Rejection(by, reason)
    made = shell(number, command, text, failed=True, ended=CallEnd.DECLINED, rejection=rejection)
    return [replace(said, origin=Origin.PERSON) for said in made]


def failed(number: int, command: str, line: str, code: int = 2) -> list[Said]:
    rest = "\n".join(f"step {n} of the build is skipped" for n in range(160))
    output = f"begin\n{line}\n{rest}\n[exit code: {code}]"
    return shell(number, command, output, failed=True)


def allowed(number: int, covers: str) -> list[Said]:
    return call(number, "file_edit", {"path": "src/x.py"}, "edited src/x.py", approved=covers)


def tasks(number: int, *listed: tuple[str, str]) -> Framed:
    items = tuple(TaskItem(title, status) for title, status in listed)
    text = "\n".join(title for title, _ in listed)
    return Framed(
        id=f"t{number}", at=AT, slot="tasks", kind=Slot.TASKS, text=text, place="tail", tasks=items
    )


REFUSALS = [(f"sudo rm /srv/data{n}", f"The set {n} is still in use.") for n in range(50)]
FAILURES = [(f"make part{n}", f"error: part {n} lacks its header") for n in range(50)]
CORRECTIONS = [f"No, the port of relay {n} is {8000 + n}." for n in range(50)]


def long_work() -> Iterator[list[Entry]]:
    """Yield ten stretches of work, each with five refusals, failures and corrections."""
    for stretch in range(10):
        entries: list[Entry] = []
        for n in range(5 * stretch, 5 * stretch + 5):
            entries += [typed(f"u{n}", f"Go on with relay {n}. {CORRECTIONS[n]}")]
            entries += declined(1_000 + n, *REFUSALS[n])
            entries += failed(2_000 + n, *FAILURES[n])
            entries += exchange(3_000 + n, f"line {n} " + "word " * 400)
        entries += [typed(f"v{stretch}", "Go on.")]
        entries += exchange(4_000 + stretch, "done")
        yield entries


class History:
    """A log that grows and is reduced, as a session's would be."""

    def __init__(self, window: int) -> None:
        self.window = window
        self.fold = Fold(LEDGER, [system(), typed("u", "Mend it."), *exchange(0, "ok")], TOOLS)
        self.number = 0

    @property
    def request(self) -> NextRequest:
        budget = budget_for(self.window, SETTINGS.budget)
        return NextRequest(indexes=Indexes(self.fold), budget=budget, settings=SETTINGS)

    def reduce(self, kind: str) -> str | None:
        """Reduce in one of the ways; returns the id of the edit, or none where nothing leaves."""
        request = self.request
        if kind == "digest":
            found = digest.propose(request, "", least_kept=True, least=-(10**6))
        elif kind == "compact":
            found = written(request, "honest", by_hand=True)
        elif kind == "trim":
            found = shrink(request, 0, "")
        else:
            old = [
                each
                for each in visible_results(request)[:-1]
                if each.shown.state is ItemState.VERBATIM and not is_exempt(each)
            ]
            ops = replacements(request, old)
            found = Proposal(stage=Stage.PRUNE, why="", ops=ops) if ops else None
        if found is None:
            return None
        self.number += 1
        self.fold.append(as_edit(found, f"e{self.number}", AT))
        return f"e{self.number}"

    def undo(self, edit: str) -> None:
        self.number += 1
        self.fold.append(Undone(f"x{self.number}", AT, edit))

    def restart(self) -> None:
        """Read the log anew from what is stored of it."""
        stored = [encode(entry) for entry in self.fold.entries]
        self.fold = Fold(LEDGER, [decode(text, TOOLS) for text in stored], TOOLS)

    @property
    def text(self) -> str:
        return "\n".join(shown.part.text for shown in self.fold.view.items())

    @property
    def results(self) -> list[str]:
        """The results of tools as they stand in view."""
        items = self.fold.view.items()
        return [shown.part.text for shown in items if shown.slot is Slot.TOOL_RESULTS]

    @property
    def records(self) -> list[tuple[str, int]]:
        """The text and the tokens of the decision records that stand in view."""
        items = self.fold.view.items()
        return [(s.part.text, s.tokens) for s in items if s.slot is Slot.DECISIONS]

    @property
    def record(self) -> str:
        (found,) = self.records
        return found[0]
