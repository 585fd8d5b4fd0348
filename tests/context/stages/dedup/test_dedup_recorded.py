"""On recorded sessions nothing that is still true ever gives way to a duplicate.

The agents read files with shell commands; here these become reads and searches with the lines and
versions that our own tools would give, so that every tier of the dedup has its chances. The oracle
knows nothing of tiers: each line of a result that was replaced must stand elsewhere in the view, or
must be missing from a later reading of the whole file.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from builders import assistant, result, user
from plimsoll.context.budget import budget_for
from plimsoll.context.index.indexes import Indexes
from plimsoll.context.log.entries import ItemState, Said
from plimsoll.context.log.messages import Role, Source, canonical
from plimsoll.context.pipeline.proposal import NextRequest, as_edit
from plimsoll.context.pipeline.reduction import reduce
from plimsoll.context.pipeline.settings import PipelineSettings, PruningSettings
from plimsoll.context.stages import dedup
from plimsoll.context.view.fold import Fold
from plimsoll.context.view.ledger import Ledger
from plimsoll.session.transfer.incoming import Incoming
from plimsoll.terminal.commands.recorded.replay import read_recording
from recordings.beside import SESSIONS_OF_OTHERS, own_and_others, own_sessions, session_of_others

SETS: dict[str, list[Path]] = {
    "own": own_sessions(),
    "others": [
        session_of_others(name) for name in SESSIONS_OF_OTHERS if name.startswith(("mini", "swe"))
    ],
}
CASES = own_and_others(["own"], ["others"])
WHOLE = re.compile(r"^(?:cat|open) ([\w./-]+)\s*$")
PART = re.compile(r"^sed -n '?(\d+),(\d+)p'? ([\w./-]+)\s*$")
SEARCH = re.compile(r"^grep (?:-\w+ )*(?:\"[^\"]*\"|'[^']*'|\S+) ([\w./-]+)\s*$")
CUT = re.compile(r"<warning>|output_head|too long|elided")
CODE = re.compile(r"^<returncode>-?\d+</returncode>\n?<output>\n?|</output>$|\n\[exit code: 0\]$")


def entries(messages: tuple[Incoming, ...]) -> Iterator[Said]:
    """The session with the tools that its shell commands stand for."""
    group = ""
    made: dict[str, tuple[str, dict[str, object]]] = {}
    for number, message in enumerate(messages):
        text = "\n".join(part.text for part in message.parts)
        if message.role is Role.USER:
            yield user(f"u{number}", text or "-")
        elif message.role is Role.ASSISTANT:
            group = f"a{number}"
            for call in message.calls:
                made[call.id] = tool_of(str(call.arguments.get("command", "")))
            calls = [
                (call.id, made[call.id][0], canonical(made[call.id][1])) for call in message.calls
            ]
            yield assistant(group, text, *calls)
        elif message.role is Role.TOOL and message.call_id in made:
            tool, asked = made[message.call_id]
            body = CODE.sub("", text)
            source = source_of(tool, asked, body)
            yield result(f"r{number}", group, message.call_id, body, tool, source=source)


def tool_of(command: str) -> tuple[str, dict[str, object]]:
    line = command.strip()
    if found := WHOLE.match(line):
        return "file_read", {"path": found[1]}
    if found := PART.match(line):
        first, last = int(found[1]), int(found[2])
        return "file_read", {"path": found[3], "offset": first, "limit": last - first + 1}
    if found := SEARCH.match(line):
        return "grep", {"path": found[1], "pattern": line}
    return "shell", {"command": command}


def source_of(tool: str, asked: dict[str, object], text: str) -> Source | None:
    """What our own read would say of itself: part of a file when the output was cut."""
    if tool != "file_read":
        return None
    uri, version = f"file:///w/{asked['path']}", sha256(text.encode()).hexdigest()
    if "offset" in asked:
        first = int(str(asked["offset"]))
        return Source(uri, (first, first + int(str(asked["limit"])) - 1), None)
    return Source(uri, (1, 100) if CUT.search(text) else None, version)


def still_true(indexes: Indexes, item: str) -> list[str]:
    """The lines of a replaced result that are in no later whole reading and nowhere in view."""
    replaced = indexes.results.of(item)
    assert replaced is not None
    view = "\n".join(shown.part.text for shown in indexes.fold.view.items())
    later = [
        found.part.text
        for found in indexes.results.all()
        if found.index > replaced.index
        and found.path == replaced.path
        and found.part.source is not None
        and found.part.source.lines is None
    ]
    rows = [row.partition(":")[2] if replaced.name == "grep" else row for row in _rows(replaced)]
    return [row for row in rows if row not in view and not any(row not in text for text in later)]


def _rows(replaced) -> list[str]:
    return [row for row in replaced.part.text.split("\n") if row.strip()]


ANY_STEP = replace(budget_for(1_000_000), window=1)
"""Room for all of it, and no step too small."""
FREE = PipelineSettings(pruning=PruningSettings(protect_turns=0, protect_tokens=0))
"""Nothing is protected: each tier has its chances."""


def play(path: Path) -> tuple[int, list[str]]:
    """How many results were superseded, and what was lost with them."""
    fold = Fold(Ledger(lambda text: len(text) // 3))
    indexes = Indexes(fold)
    lost: list[str] = []
    for entry in entries(read_recording(path)):
        if entry.role is Role.ASSISTANT:
            cold = NextRequest(indexes=indexes, budget=ANY_STEP, settings=FREE, cold=True)
            for proposal in reduce(cold, (dedup.plan,)).proposals:
                fold.append(as_edit(proposal, f"e{len(fold.entries)}"))
                for op in proposal.ops:
                    lost += still_true(indexes, op.item)
        fold.append(entry)
    states = [shown.state for shown in fold.view.items()]
    return states.count(ItemState.SUPERSEDED), lost


@pytest.mark.parametrize("whose", CASES)
def test_nothing_that_is_still_true_is_replaced(whose):
    played = [play(path) for path in SETS[whose]]
    assert [lost for _, lost in played if lost] == []
    assert sum(count for count, _ in played) >= 5


@pytest.mark.parametrize("whose", CASES)
@pytest.mark.parametrize("wrong", ["covers", "_whole_truth"])
def test_the_oracle_sees_a_dedup_that_goes_too_far(monkeypatch, wrong, whose):
    """With a dedup that takes part of a file for all of it, something is lost."""
    monkeypatch.setattr(dedup, wrong, lambda *_: True)
    assert any(lost for _, lost in map(play, SETS[whose]))
