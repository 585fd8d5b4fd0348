"""The file of `--trace`: whom it is for, what a line holds, and what happens when it cannot be."""

import json
import os
from pathlib import Path

import pytest

from plimsoll.errors import InvalidInput
from plimsoll.telemetry.base import Span
from plimsoll.telemetry.trace_file import TraceFile, trace_sinks

SPAN = Span(
    kind="tool",
    name="execute_tool grep",
    trace_id="0" * 31 + "1",
    span_id="0" * 15 + "2",
    parent_id=None,
    start=1_000_000_000,
    end=1_002_500_000,
    attributes={"gen_ai.tool.name": "grep", "error.type": "tool_failed"},
)


def test_a_line_holds_a_span(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    (sink,) = trace_sinks(str(path))
    sink.keep(SPAN)
    sink.close()
    assert json.loads(path.read_text()) == {
        "traceId": "0" * 31 + "1",
        "spanId": "0" * 15 + "2",
        "kind": "tool",
        "name": "execute_tool grep",
        "start": "1970-01-01T00:00:01.000000Z",
        "end": "1970-01-01T00:00:01.002500Z",
        "durationMs": 2.5,
        "error": "tool_failed",
        "attributes": {"gen_ai.tool.name": "grep", "error.type": "tool_failed"},
    }


def test_the_file_is_its_owners_alone_and_is_appended_to(tmp_path: Path):
    path = tmp_path / "trace.jsonl"
    path.write_text("before\n")
    path.chmod(0o644)
    for _ in range(2):
        sink = TraceFile(path)
        sink.keep(SPAN)
        sink.close()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text().startswith("before\n")
    assert len(path.read_text().splitlines()) == 3


def test_nothing_named_is_no_sink():
    assert trace_sinks(None) == ()


@pytest.mark.parametrize("name", ["", "none/trace.jsonl", "pipe"])
def test_what_cannot_be_written_is_said(tmp_path: Path, name: str):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput, match="The trace cannot be written") as found:
        TraceFile(tmp_path / name)
    assert found.value.remedy


def test_a_full_disk_ends_the_trace_and_nothing_else(caplog: pytest.LogCaptureFixture):
    sink = TraceFile.__new__(TraceFile)
    sink._path, sink._descriptor = Path("/dev/full"), os.open("/dev/full", os.O_WRONLY)
    sink.keep(SPAN)
    sink.keep(SPAN)
    assert [record.getMessage() for record in caplog.records] == [
        "the trace ends here: /dev/full cannot be written: No space left on device"
    ]
