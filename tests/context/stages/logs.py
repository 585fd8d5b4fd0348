"""Logs of tool calls on files, for the tests of the stages."""

import json
from collections.abc import Sequence

from builders import AT, LEDGER, TOOLS, assistant, result, system, user
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import Entry, Noted, Said
from plimsoll.context.log.messages import Source
from plimsoll.context.pipeline.proposal import NextRequest, Plan, Proposal, as_edit
from plimsoll.context.pipeline.reduction import reduce
from plimsoll.context.pipeline.settings import PipelineSettings
from plimsoll.context.view.fold import Fold

START: list[Entry] = [system(), user("u1", "Repair the build.")]


def lines(prefix: str, count: int = 60, width: int = 5) -> str:
    """A text of so many lines, each with words of its own."""
    return "\n".join(" ".join(f"{prefix}{n}.{w}" for w in range(width)) for n in range(count))


def numbered(text: str, first: int = 1) -> str:
    """As `file_read` numbers: the first and every tenth line."""
    rows = enumerate(text.split("\n"), first)
    return "\n".join(f"{n}\t{row}" if n == first or n % 10 == 0 else row for n, row in rows)


def call(
    number: int, tool: str, arguments: dict[str, object], text: str, said: str = "", **part: object
) -> list[Said]:
    """One call and its result: groups ``a<n>``, results ``r<n>``."""
    made = (f"c{number}", tool, json.dumps(arguments, sort_keys=True))
    return [
        assistant(f"a{number}", said or f"step {number}", made),
        result(f"r{number}", f"a{number}", f"c{number}", text, tool, **part),
    ]


def read(number: int, text: str, path: str = "src/x.py", version: str = "v1") -> list[Said]:
    """A read of a whole file."""
    source = Source(f"file:///w/{path}", None, version)
    return call(number, "file_read", {"path": path}, numbered(text), source=source)


def read_part(
    number: int, text: str, first: int, last: int, path: str = "src/x.py", version: str = "v1"
) -> list[Said]:
    """A read of some lines of a file that has this text."""
    part = "\n".join(text.split("\n")[first - 1 : last])
    source = Source(f"file:///w/{path}", (first, last), version)
    asked = {"path": path, "offset": first, "limit": last - first + 1}
    shown = f"{numbered(part, first)}\n[lines {first}-{last} of {text.count(chr(10)) + 1}]"
    return call(number, "file_read", asked, shown, source=source)


def edit(number: int, path: str = "src/x.py", **part: object) -> list[Said]:
    asked: dict[str, object] = {"path": path, "old_string": "a", "new_string": "b"}
    return call(number, "file_edit", asked, f"edited {path}", **part)


def shell(number: int, command: str, text: str, said: str = "", **part: object) -> list[Said]:
    return call(number, "shell", {"command": command}, text, said, **part)


def grep(number: int, text: str, path: str | None = "src/x.py") -> list[Said]:
    asked: dict[str, object] = {"pattern": "def", **({"path": path} if path else {})}
    return call(number, "grep", asked, text)


def stale(number: int, item: str) -> Noted:
    return Noted(id=f"n{number}", at=AT, what="stale", item=item)


def next_request(
    entries: Sequence[Entry],
    window: int = 65_536,
    settings: PipelineSettings | None = None,
    *,
    cold: bool = False,
) -> NextRequest:
    settings = settings or PipelineSettings()
    fold = Fold(LEDGER, [*START, *entries], TOOLS)
    return NextRequest(
        indexes=Indexes(fold),
        budget=budget_for(window, settings.budget),
        settings=settings,
        cold=cold,
    )


def planned(before: NextRequest, *stages: Plan) -> Proposal | None:
    """What the first stage that is due would do, once the pipeline has measured it."""
    return next(iter(reduce(before, stages).proposals), None)


def after(before: NextRequest, proposal: object) -> NextRequest:
    """The next request once a proposal is part of the log."""
    number = len(before.fold.entries)
    edit_made = as_edit(proposal, f"e{number}", AT)
    fold = Fold(LEDGER, [*before.fold.entries, edit_made])
    return NextRequest(
        indexes=Indexes(fold), budget=before.budget, settings=before.settings, cold=before.cold
    )


def texts(before: NextRequest) -> dict[str, str]:
    """The text of every item of the view."""
    return {shown.item: shown.part.text for shown in before.fold.view.items()}


def states(before: NextRequest) -> dict[str, str]:
    return {shown.item: shown.state.value for shown in before.fold.view.items()}
