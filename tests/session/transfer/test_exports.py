"""Export and import: the same entries, the same view, no permission, and clear refusals."""

import json
from dataclasses import replace

import pytest

from builders import AT, LEDGER, conversation, pin, user
from plimsoll.context.log.entries import (
    Edited,
    Entry,
    Framed,
    Noted,
    Replace,
    Restore,
    Rewound,
    Stage,
    Undone,
)
from plimsoll.context.log.entries import ItemState as Form
from plimsoll.context.log.messages import Part, PartKind, Source
from plimsoll.context.log.serialization import encode
from plimsoll.context.view.fold import view_of
from plimsoll.errors import LogInvalid
from plimsoll.session.transfer.exports import (
    Exported,
    export_session,
    exported_as_stored,
    is_export,
    parse_export,
)
from plimsoll.storage.base import SessionRecord
from session.harness import harness

RECORD = SessionRecord(
    id="s1",
    workspace="file:///home/me/folder",
    title="Title",
    mode="plan",
    model="scripted/echo",
    created_at=AT,
    updated_at=AT,
    turns=3,
    preview="hello",
)


def every_kind():
    image = Part(kind=PartKind.IMAGE, text="aGk=", name="image/png")
    source = Source("file:///a.py", (1, 9), "abc")
    selection = Part(kind=PartKind.SELECTION, text="text\u2028of ünï𝄞", source=source)
    yield from conversation(3)
    yield replace(user("u2", ""), parts=(image, selection), turn="t2")
    yield pin(1, "line\nbreak")
    yield Edited(
        id="e1",
        at=AT,
        stage=Stage.PRUNE,
        why="why",
        ops=(Replace("r1.0", "[gone]", Form.PRUNED),),
        before=9,
        after=5,
    )
    yield Edited(
        id="e2",
        at=AT,
        stage=Stage.RESTORE,
        why="why",
        ops=(Restore(("a1",), ("r1.0",)),),
        before=5,
        after=9,
    )
    yield Undone("x1", AT, "e1")
    yield Rewound("w1", AT, "u2")
    yield Noted(id="n1", at=AT, what="stale", item="r1.0", data='{"a":1}')


def test_every_entry_comes_back_and_folds_to_the_same_view():
    entries = tuple(every_kind())
    back = parse_export(export_session(RECORD, entries))
    assert back == Exported(title="Title", turns=3, preview="hello", entries=entries)
    assert view_of(back.entries, LEDGER) == view_of(entries, LEDGER)
    assert export_session(RECORD, back.entries) == export_session(RECORD, entries)


def test_an_export_tells_nothing_of_the_place_it_comes_from():
    text = export_session(RECORD, [user("u1", "hello")])
    assert "/home/me" not in text
    assert "s1" not in text.splitlines()[0]


def test_an_empty_session_is_a_session():
    assert parse_export(export_session(RECORD, [])).entries == ()


@pytest.mark.parametrize("model", ["e/s", "scripted//a/very/long/path/to/a/script/of/a/test.json"])
def test_an_export_is_known_by_its_first_line(model):
    text = export_session(
        SessionRecord(
            id="s1", workspace="", title="t", mode="edit", model=model, created_at=AT, updated_at=AT
        ),
        [],
    )
    assert is_export(text.splitlines()[0])


@pytest.mark.parametrize(
    "line", ['{"role": "user", "content": "plimsollExport"}', "", "[1]", "{", "plimsollExport"]
)
def test_what_is_no_export(line):
    assert not is_export(line)


def lines() -> list[str]:
    return export_session(RECORD, [user("u1", "one"), user("u2", "two")]).splitlines()


@pytest.mark.parametrize(
    ("change", "line", "words"),
    [
        (lambda held: [], 1, "plimsollExport"),
        (lambda held: held[1:], 1, "plimsollExport"),
        (
            lambda held: [held[0].replace('"plimsollExport":1', '"plimsollExport":99')],
            1,
            "version 1",
        ),
        (lambda held: [*held[:2], held[2][:-5]], 3, "JSON"),
        (lambda held: [*held[:2], '{"type":"dreamt","id":"x","at":"y"}'], 3, "dreamt"),
        (lambda held: [*held, held[1]], 4, "'u1' occurs twice"),
        (lambda held: [held[0], "[]"], 2, "object"),
    ],
    ids=["empty", "no head", "newer", "cut", "unknown kind", "double", "no object"],
)
def test_a_damaged_export_is_refused_with_its_line(change, line, words):
    with pytest.raises(LogInvalid) as refused:
        parse_export("\n".join(change(lines())))
    assert f"at line {line}:" in refused.value.message
    assert words in refused.value.message
    assert "nothing was imported" in refused.value.remedy


@pytest.mark.slow
async def test_a_session_taken_in_has_the_same_request_and_no_permission(tmp_path):
    run = {"name": "shell", "arguments": {"command": "touch ran"}}
    async with harness(tmp_path, {"calls": [run]}, {"text": "Done."}) as own:
        await own.turn("Run it.")
        await own.session.pin("It holds.", None)
        text = await own.project.export(own.session.id)
        copy = await own.project.take_in(text)
        assert copy.id != own.session.id
        assert copy.state.log.fold.view == own.session.state.log.fold.view
        assert copy.state.record.turns == 1
        await copy.state.approvals.decide(copy.id, "t", own.person.asked[0])
        assert len(own.person.asked) == 2
        assert json.loads(text.splitlines()[0])["title"] == "Run it."


async def test_an_import_exports_what_it_took_in(tmp_path):
    async with harness(tmp_path, {"text": "Done."}) as own:
        await own.turn("Do it.")
        await own.session.pin("It holds.", None)
        before = parse_export(await own.project.export(own.session.id))
        copy = await own.project.take_in(export_session(own.session.state.record, before.entries))
        after = parse_export(await own.project.export(copy.id))
        assert conversation_in(after) == conversation_in(before)


def conversation_in(found: Exported) -> list[Entry]:
    return [entry for entry in found.entries if not isinstance(entry, Framed | Noted)]


async def test_a_pin_from_before_the_conversation_stands_at_its_beginning(tmp_path):
    """In the system text of the session that was exported, and in the user's place here."""
    async with harness(tmp_path) as own:
        await own.session.pin("It holds.", None)
        view = own.session.state.log.fold.view
        copy = await own.project.take_in(await own.project.export(own.session.id))
        now = copy.state.log.fold.view
        (line,) = now.lines
        assert {*now.head, *line.shown} == {*view.head}
        assert now.tokens == view.tokens


async def test_what_cannot_be_taken_in_leaves_no_session(tmp_path):
    async with harness(tmp_path) as own:
        before = await own.project.list()
        with pytest.raises(LogInvalid):
            await own.project.take_in("no export")
        assert await own.project.list() == before


def test_a_session_that_cannot_be_opened_is_exported_word_for_word():
    stored = [encode(entry) for entry in every_kind()]
    assert exported_as_stored(RECORD, stored).split("\n")[1:-1] == stored


def test_a_refused_line_is_counted_among_the_blank_ones_too():
    head, *rest = lines()
    with pytest.raises(LogInvalid, match="at line 4:"):
        parse_export("\n".join([head, "", rest[0], "not JSON"]))
