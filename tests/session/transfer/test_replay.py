"""Recorded sessions of real agents, played at three windows: what would leave is always valid."""

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from builders import AT, TOOLS
from cli.shell import Shell, rows
from plimsoll.context.budget import Meter
from plimsoll.context.log.entries import Entry, Framed
from plimsoll.context.log.messages import Message, Part, PartKind, Role
from plimsoll.context.report.receipts import Receipt
from plimsoll.context.view.fold import view_of
from plimsoll.context.view.ledger import Ledger
from plimsoll.context.view.request_messages import render
from plimsoll.lsp.wire.context import ContextReport
from plimsoll.lsp.wire.context import Meter as MeterShape
from plimsoll.lsp.wire.reductions import Receipt as ReceiptShape
from plimsoll.session.transfer.exports import export_session, parse_export
from plimsoll.session.transfer.incoming import Incoming, IncomingCall
from plimsoll.session.transfer.replay import Replay, ReplayEvent, RequestMade, RequestUnfit
from plimsoll.storage.base import SessionRecord
from plimsoll.terminal.commands.recorded.replay import read_recording
from plimsoll.tokens.counter import Counters
from recordings.beside import (
    OWN_SESSIONS,
    SESSIONS_OF_OTHERS,
    own_and_others,
    own_sessions,
    session_of_others,
)

pytestmark = pytest.mark.slow

WINDOWS = (32_000, 64_000, 200_000)
LONG = "claude-code-console__bookminder_day-020.jsonl.gz"
"""A session of 6,196 messages, played at one window, or the tests would take long."""
ONE_WINDOW = 64_000
REPAIR = OWN_SESSIONS / "scripted-repair.jsonl"
SPHINX = session_of_others("mini-gemini3pro__sphinx-doc__sphinx-9711.jsonl")
RECORD = SessionRecord(
    id="s1",
    workspace="file:///folder",
    title="recorded",
    mode="edit",
    model="embedded/search",
    created_at=AT,
    updated_at=AT,
)


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    return Ledger(Counters().of("gpt-4o").count)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return Shell(tmp_path, {**kept, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)})


@dataclass(frozen=True)
class Played:
    """What a replay came to."""

    events: tuple[ReplayEvent, ...]
    entries: tuple[Entry, ...]

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]


def messages_of(path: Path) -> tuple[Incoming, ...]:
    found = read_recording(path)
    assert isinstance(found, tuple)
    return found


def cases() -> list[object]:
    others = map(session_of_others, SESSIONS_OF_OTHERS)
    return own_and_others(windowed(own_sessions()), windowed(others))


def windowed(paths: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    for path in paths:
        for window in (ONE_WINDOW,) if path.name == LONG else WINDOWS:
            yield path, window


def played(run: Replay, events: Iterator[ReplayEvent]) -> Played:
    """Play to the end, and look at each request while it stands."""
    seen: list[ReplayEvent] = []
    for event in events:
        seen.append(event)
        if isinstance(event, RequestMade):
            fits(run, event)
        elif isinstance(event, RequestUnfit):
            assert event.missing > 0
            assert event.heaviest[0].tokens > 0
        elif isinstance(event, Meter):
            assert sum(event.parts.values()) == event.used
    return Played(tuple(seen), tuple(run.fold.entries))


def fits(run: Replay, event: RequestMade) -> None:
    assert event.broken == ()
    view = run.fold.view
    shown = list(view.items())
    assert event.tokens == sum(each.tokens for each in shown) == sum(view.by_slot.values())
    assert event.tokens <= run.budget.effective
    assert len({each.item for each in shown}) == len(shown)
    paired(render(view))


def paired(messages: Sequence[Message]) -> None:
    """Each call is answered directly behind its message, and nothing else is an answer."""
    expected: list[str] = []
    for message in messages:
        if message.role is Role.TOOL:
            assert message.call_id in expected
            expected.remove(message.call_id)
        else:
            assert expected == []
            expected = [call.id for call in message.calls]
    assert expected == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "case", cases(), ids=lambda case: f"{case[0].name.partition('.')[0]}-{case[1]}"
)
def test_a_recorded_session_is_valid_exact_and_the_same_again(
    case: tuple[Path, int], ledger: Ledger, request: pytest.FixtureRequest
):
    path, window = case
    messages = messages_of(path)
    if path.name == LONG:
        others = ", ".join(f"{each:,}" for each in WINDOWS if each != window)
        told(request, f"{path.name} is not played at {others}: it has {len(messages):,} messages")
    run = Replay(window, ledger, tools=TOOLS)
    first = played(run, run.play(messages))
    answers = sum(message.role is Role.ASSISTANT for message in messages)
    assert len(first.of(RequestMade)) + len(first.of(RequestUnfit)) == answers
    assert view_of(first.entries, ledger) == run.fold.view

    # The longest is played twice, not three times: what its export plays is compared below.
    if path.name != LONG:
        again = Replay(window, ledger, tools=TOOLS)
        assert Played(tuple(again.play(messages)), tuple(again.fold.entries)) == first

    back = parse_export(export_session(RECORD, first.entries))
    # Whoever takes an export in marks its frames as foreign; the export says nothing of it.
    unmarked = tuple(
        replace(each, origin=None) if isinstance(each, Framed) else each for each in first.entries
    )
    assert back.entries == unmarked
    log = Replay(window, ledger, tools=TOOLS)
    again_from_export = Played(tuple(log.play_log(back.entries)), tuple(log.fold.entries))
    assert again_from_export == replace(first, entries=unmarked)


def told(request: pytest.FixtureRequest, left_out: str) -> None:
    """What a run leaves out is said, whatever is captured."""
    with request.config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
        request.config.get_terminal_writer().line(f"\nleft out: {left_out}")


def said(role: Role, text: str) -> Incoming:
    return Incoming(role=role, parts=(Part(kind=PartKind.TEXT, text=text),))


def test_what_cannot_fit_is_named_and_the_session_goes_on(ledger: Ledger):
    paste = said(Role.USER, "the pasted log " * 20_000)
    answer = said(Role.ASSISTANT, "I see.")
    small = Replay(32_000, ledger, tools=TOOLS)
    request, unfit, *meters = small.play([said(Role.USER, "hello"), answer, paste, answer])
    assert isinstance(request, RequestMade)
    (unfit,) = [event for event in (unfit, *meters) if isinstance(event, RequestUnfit)]
    assert unfit.index == 1
    heaviest = unfit.heaviest[0]
    assert heaviest.tokens == ledger.part(paste.parts[0], first=True)
    assert small.fold.view.tokens - small.budget.effective >= unfit.missing > 0
    large = Replay(200_000, ledger, tools=TOOLS)
    fitting = large.play([said(Role.USER, "hello"), answer, paste, answer])
    assert sum(isinstance(event, RequestMade) for event in fitting) == 2


def test_a_session_in_which_everything_is_a_call(ledger: Ledger):
    """Several calls in one message, answered in another order, one of them never."""
    calls = tuple(IncomingCall(f"c{n}", "Read", {"file_path": f"{n}.py"}) for n in range(3))
    answered = [
        Incoming(
            role=Role.TOOL, parts=(Part(kind=PartKind.TEXT, text=f"text {n}"),), call_id=f"c{n}"
        )
        for n in (2, 0)
    ]
    last = said(Role.USER, "Go on."), said(Role.ASSISTANT, "I could not read 1.py.")
    messages = [
        said(Role.USER, "Read."),
        Incoming(role=Role.ASSISTANT, parts=(), calls=calls),
        *answered,
        *last,
    ]
    run = Replay(32_000, ledger, tools=TOOLS)
    first = played(run, run.play(messages))
    assert len(first.of(RequestMade)) == 2
    tools = [message for message in render(run.fold.view) if message.role is Role.TOOL]
    assert {message.call_id: message.text for message in tools} == {
        "c0": "text 0",
        "c1": "[interrupted: this call has no result]",
        "c2": "text 2",
    }


def test_a_session_of_ours_is_reduced_at_every_stage_but_a_summary(ledger: Ledger):
    run = Replay(24_000, ledger, tools=TOOLS)
    receipts = played(run, run.play(messages_of(REPAIR))).of(Receipt)
    assert {str(receipt.stage) for receipt in receipts} >= {"truncate", "refer", "prune", "digest"}


@pytest.mark.parametrize("path", own_and_others([REPAIR], [SPHINX]), ids=lambda path: path.name)
def test_the_command_plays_the_same_and_speaks_the_wire(path: Path, shell: Shell, ledger: Ledger):
    events = rows(shell.run("replay", str(path), "--window", "32000", "--json"))

    run = Replay(32_000, ledger, tools=TOOLS)
    first = Played(tuple(run.play(messages_of(path))), tuple(run.fold.entries))
    requests = [event for event in events if event["kind"] == "request"]
    assert requests == [
        {"kind": "request", "index": made.index, "tokens": made.tokens, "sha256": made.sha256}
        for made in first.of(RequestMade)
    ]
    receipts = [event for event in events if event["kind"] == "reduction"]
    assert [each["id"] for each in receipts] == [receipt.id for receipt in first.of(Receipt)]
    for event in receipts:
        ReceiptShape.model_validate(event)
    for event in (event for event in events if event["kind"] == "meter"):
        meter = MeterShape.model_validate(event)
        assert sum(part.tokens for part in meter.parts) == meter.used
    assert {event["kind"] for event in events[:-1]} == {"request", "reduction", "meter"}
    assert events[-1]["kind"] == "report"
    report = ContextReport.model_validate(events[-1])
    assert sum(item.tokens for item in report.items or ()) == report.meter.used

    export = shell.folder / "exported.jsonl"
    export.write_text(export_session(RECORD, first.entries), "utf-8")
    again = rows(shell.run("replay", str(export), "--window", "32000", "--json"))
    assert [event for event in again if event["kind"] == "request"] == requests


def test_an_infeasible_request_is_one_line_that_names_items(shell: Shell):
    lines = [
        {"role": "user", "content": "the pasted log " * 20_000},
        {"role": "assistant", "content": "I see."},
    ]
    path = shell.folder / "large.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    events = rows(shell.run("replay", str(path), "--window", "32000", "--json"))
    (unfit,) = [event for event in events if event["kind"] == "infeasible"]
    assert unfit["index"] == 0
    assert unfit["needsTokens"] > 0
    assert unfit["items"][0]["title"].startswith("the pasted log")
    assert unfit["items"][0]["tokens"] > 32_000
