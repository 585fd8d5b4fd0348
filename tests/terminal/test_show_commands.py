"""What a terminal shows of a command that the agent runs."""

import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from plimsoll.context.log.call_end import Rejection
from plimsoll.context.log.counts import Counts
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.events import CallChanged, CallMade, CallShown, HookRan
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.show import Show, call_line, fold_output, format_end


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(err: io.StringIO, *outputs: tuple[str, str]) -> str:
    show = Show(Screen(io.StringIO(), err))
    traits = ToolTraits(kind="execute", verb="Run", runs=True)
    call = CallShown(id="c1", item="i", name="shell", arguments="{}", traits=traits)
    show("s", CallMade("t", call))
    for status, output in outputs:
        since = datetime.now(UTC).isoformat()
        changed = CallChanged(turn="t", call_id="c1", status=status, output=output, since=since)
        show("s", changed)
    return err.getvalue()


async def test_the_last_lines_pass_while_it_runs_and_the_end_stays():
    err = Terminal()
    lines = "\n".join(f"  line {n}" for n in range(10))
    shown(err, ("running", ""), ("running", lines), ("running", "over"))
    told = err.getvalue()
    # Ten lines and the seconds, each of which is taken away again.
    drawn, _, last = told.rpartition("\r\x1b[K" + "\x1b[A\x1b[K" * 10)
    assert drawn.endswith("".join(f"  │   line {n}\n" for n in range(10)) + "  └ 0 s")
    assert last == "  │ over\n  └ 0 s"


def test_the_end_of_a_command_is_folded_with_its_exit_code_and_seconds():
    lines = "\n".join(map(str, range(40)))
    end = CallChanged(
        turn="t",
        call_id="c1",
        status="failed",
        output=f"{lines}\n[exit code: 2]",
        exit_code=2,
        milliseconds=125_400,
    )
    kept = [f"  │ {n}" for n in range(35, 40)]
    assert format_end(end).split("\n") == ["  │ … 35 lines", *kept, "  └ exit code 2, 2 min 5 s"]
    quiet = replace(end, output="[exit code: 2]", milliseconds=430)
    assert format_end(quiet) == "  └ exit code 2, 0.4 s"


def test_where_no_line_passes_only_a_failure_is_told():
    told = shown(io.StringIO(), ("running", "1\n2"), ("completed", "1\n2"))
    assert "│" not in told
    assert "failed: no such file" in shown(io.StringIO(), ("failed", "no such file"))


def test_a_long_output_is_folded():
    lines = "\n".join(map(str, range(40)))
    assert fold_output(lines).split("\n") == [
        "  │ … 35 lines",
        *(f"  │ {n}" for n in range(35, 40)),
    ]
    assert fold_output("1\n2\n") == "  │ 1\n  │ 2"


@pytest.mark.parametrize(
    ("traits", "arguments", "line"),
    [
        (
            ToolTraits(kind="edit", verb="Edit", subject="path"),
            {"new_string": "Goodbye", "old_string": "Hello", "path": "a.txt"},
            "Edit a.txt",
        ),
        (ToolTraits(), {"path": "a.txt", "all": True}, "file_edit a.txt True"),
    ],
    ids=["a tool that there is", "one that nobody knows"],
)
def test_a_call_that_cannot_be_run_is_told_by_what_it_was_to_do(traits, arguments, line):
    given = json.dumps(arguments)
    call = CallShown(id="c1", item="i", name="file_edit", arguments=given, traits=traits)
    assert call_line(call) == line


def looked(err: io.StringIO, *ends: CallChanged) -> Show:
    show = Show(Screen(io.StringIO(), err))
    for name, pattern in (("c1", "one"), ("c2", "two")):
        traits = ToolTraits(kind="search", verb="Search for", subject="pattern")
        arguments = json.dumps({"pattern": pattern})
        call = CallShown(id=name, item="i", name="grep", arguments=arguments, traits=traits)
        show("s", CallMade("t", call))
    for end in ends:
        show("s", end)
    return show


def end_of(call: str, **fields: object) -> CallChanged:
    return CallChanged(**{"turn": "t", "call_id": call, "status": "completed", **fields})


def test_a_search_is_told_with_what_it_found():
    err = io.StringIO()
    found = end_of("c2", output="a:1:two", counts=Counts(matches=12, files=3))
    looked(err, end_of("c2", status="running"), found, end_of("c1", counts=Counts(searched=340)))
    assert err.getvalue().split("\n") == [
        "· Search for two: 12 matches in 3 files",
        "· Search for one: nothing in 340 files",
        "",
    ]


def test_a_search_that_runs_is_seen_at_a_terminal_until_it_is_told():
    err = Terminal()
    looked(err)
    assert err.getvalue().endswith("· Search for two")
    looked(err, end_of("c1", counts=Counts(files=1)), end_of("c2"))
    assert err.getvalue().count("\n") == 2


def test_a_search_that_failed_was_declined_or_never_ended_is_told_too():
    err = io.StringIO()
    failed = end_of("c1", status="failed", output="no such folder")
    declined = end_of("c2", status="rejected", output="no", rejection=Rejection("person"))
    looked(err, failed, declined)
    assert err.getvalue().split("\n") == [
        "· Search for one",
        "  failed: no such folder",
        "· Search for two",
        "  rejected: no",
        "",
    ]
    err = io.StringIO()
    with looked(err).waits_over():
        pass
    assert err.getvalue() == "· Search for one\n· Search for two\n"


def test_a_hooks_run_is_one_line():
    err = io.StringIO()
    show = Show(Screen(io.StringIO(), err))
    ran = HookRan(turn="t", event="PreToolUse", name="check\nall", milliseconds=1234)
    show("s", ran)
    show("s", replace(ran, decision="deny"))
    assert err.getvalue().splitlines() == [
        "· PreToolUse hook check all, 1.2 s",
        "· PreToolUse hook check all: denied the call, 1.2 s",
    ]
