"""Exports of an older version, which kept facts as prose: they open, and their fields are filled.

The fixtures were written by the version before there were fields; they are never written anew.
"""

import json
from pathlib import Path

import pytest

from builders import LEDGER
from plimsoll.context.log.entries import Edited, Framed, Origin, Replace, Said, TaskItem
from plimsoll.context.log.serialization import decode, encode
from plimsoll.context.report.receipts import where_is
from plimsoll.context.view.fold import Fold
from plimsoll.memory.extraction.turns import only_typed
from plimsoll.memory.injection import memories_told_in, without_memory
from plimsoll.session.transfer.exports import export_session, parse_export
from plimsoll.storage.base import SessionRecord
from session.harness import harness

FIXTURES = Path(__file__).parent / "fixtures"
ADDED = {"origin", "exitCode", "passages", "tasks", "keptIn", "ended", "rejection"}
"""The fields that older versions did not write."""


def text_of(name: str) -> str:
    return (FIXTURES / f"{name}.export.jsonl").read_text("utf-8")


def entries_of(name: str) -> list:
    return list(parse_export(text_of(name)).entries)


def said_in(name: str) -> list[Said]:
    return [entry for entry in entries_of(name) if isinstance(entry, Said)]


def exit_codes(name: str) -> list[int | None]:
    return [s.parts[0].exit_code for s in said_in(name) if s.role.value == "tool"]


def frames_of(name: str, slot: str) -> list[Framed]:
    return [e for e in entries_of(name) if isinstance(e, Framed) and e.slot == slot]


def bare(value: object) -> object:
    """A line as an older version would have written it."""
    if isinstance(value, dict):
        return {key: bare(each) for key, each in value.items() if key not in ADDED}
    return [bare(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.export.jsonl")), ids=lambda p: p.name)
async def test_an_older_export_opens_and_exports_the_same(tmp_path: Path, path: Path) -> None:
    text = path.read_text("utf-8")
    async with harness(tmp_path) as own:
        copy = await own.project.take_in(text)
        own.session = copy
        await own.consistent()
        again = await own.project.export(copy.id)
    first, *after = (json.loads(line) for line in again.splitlines())
    _, *before = (json.loads(line) for line in text.splitlines())
    assert [bare(line) for line in conversation_in(after)] == conversation_in(before)
    assert first["plimsollExport"] == 1


def conversation_in(lines: list) -> list:
    """What was said and done to it: frames are made anew, and notes stay outside."""
    return [line for line in lines if line["type"] not in {"framed", "noted"}]


def test_exit_codes_of_commands() -> None:
    # The last is a file that ends like an output: an older version took it for one.
    assert exit_codes("shell") == [0, 3, 143, None, 2]
    assert exit_codes("truncated") == [4]
    assert exit_codes("foreign") == [1, 0]


def test_where_the_whole_of_an_output_is() -> None:
    ops = [op for e in entries_of("truncated") if isinstance(e, Edited) for op in e.ops]
    [kept_in] = [op.kept_in for op in ops if isinstance(op, Replace)]
    assert kept_in is not None
    assert kept_in in where_is(ops[0].item, Fold(LEDGER, entries_of("truncated")))


def test_what_a_session_was_told() -> None:
    [frame] = frames_of("memories", "memories")
    assert frame.text is not None
    assert sum(each.lines for each in frame.passages) == frame.text.count("\n") + 1
    # k9 stands in the text of a memory: it is data.
    assert set(memories_told_in(frame)) == {"k1", "k2", "k3", "k4", "k5"}
    _, forgotten = frames_of("forgotten", "memories")
    assert without_memory(frame, "k3").text == forgotten.text
    assert without_memory(frame, "k3").passages == forgotten.passages


def test_the_tasks() -> None:
    *_, last = frames_of("tasks", "tasks")
    assert last.tasks == (
        TaskItem("Write the parser", "completed"),
        TaskItem("[x] odd title", "cancelled"),
    )


def test_who_a_message_is_from() -> None:
    lines = (FIXTURES / "imported.log.jsonl").read_text("utf-8").splitlines()
    said = [entry for entry in map(decode, lines) if isinstance(entry, Said)]
    came, here = said[:4], said[4:]
    assert {each.origin for each in came} == {Origin.IMPORT}
    assert {each.origin for each in here} == {Origin.PERSON}
    assert not only_typed(came)
    assert only_typed(here)
    assert {each.origin for each in said_in("foreign")} == {Origin.EDITOR, Origin.PERSON}


def test_a_text_that_looks_like_a_fact_is_none_in_an_entry_of_today() -> None:
    line = next(line for line in text_of("shell").splitlines() if "exit code: 2" in line)
    assert decode(line).parts[0].exit_code == 2
    today = json.loads(line) | {"origin": "person"}
    assert decode(json.dumps(today)).parts[0].exit_code is None


async def test_whoever_an_import_says_has_said_it_nobody_is_believed(tmp_path: Path) -> None:
    record = SessionRecord(
        id="s1",
        workspace="",
        title="t",
        mode="edit",
        model="scripted/small",
        created_at="t",
        updated_at="t",
    )
    claimed = [e for e in entries_of("shell") if isinstance(e, Said)]
    assert {each.origin for each in claimed} == {Origin.PERSON}
    async with harness(tmp_path) as own:
        copy = await own.project.take_in(export_session(record, claimed))
        kept = [e for e in copy.state.log.fold.entries if isinstance(e, Said)]
        assert {each.origin for each in kept} == {Origin.IMPORT}
        assert [decode(encode(each)) for each in kept] == kept
