"""Transcripts that were resumed, rewound, compacted or cut."""

import pytest

from plimsoll.session.transfer.transcript_trees import rows_not_rolled_back, rows_of_branch

Row = dict[str, object]


def row(own: str, parent: str | None, kind: str = "user", content: object = "", **more) -> Row:
    answer = more.pop("answer", None)
    message: Row = {"content": content, **({"id": answer} if answer else {})}
    return {"type": kind, "uuid": own, "parentUuid": parent, "message": message, **more}


def call(own: str, parent: str, number: str, answer: str) -> Row:
    block = {"type": "tool_use", "id": number}
    return row(own, parent, "assistant", [block], answer=answer)


def result(own: str, parent: str, number: str) -> Row:
    return row(own, parent, content=[{"type": "tool_result", "tool_use_id": number}])


def kept(*rows: Row) -> list[object]:
    return [each.get("uuid") or each["type"] for each in rows_of_branch(rows)]


A, B = row("a", None), row("b", "a", "assistant", answer="m1")
C, D = row("c", "b"), row("d", "c", "assistant", answer="m2")


@pytest.mark.parametrize(
    ("rows", "left"),
    [
        ([A, B, C, D], "abcd"),
        ([A, B, C, B, C, D], "abcd"),
        ([A, A, B, B, C, D], "abcd"),
        ([A, B, row("x", "b"), row("y", "x", "assistant"), C, D], "abcd"),
        ([row("x", None), row("y", "x", "assistant"), A, B, C, D], "abcd"),
        ([A, B, C, D, row("s", "a", "assistant", isSidechain=True)], "abcd"),
        ([A, B, row("k", None, "system", subtype="compact_boundary"), row("l", "k")], "abkl"),
        (
            [
                A,
                B,
                row("x", "b"),
                row("k", None, "system", subtype="compact_boundary", logicalParentUuid="b"),
                row("l", "k"),
            ],
            "abkl",
        ),
        ([A, B, row("l", "is not there")], "abl"),
    ],
    ids=[
        "plain",
        "a resume wrote rows again",
        "each row twice",
        "a branch that was left",
        "the first prompt in other words",
        "a row of a subagent at the end",
        "compacted",
        "compacted behind a branch that was left",
        "a parent that is not there",
    ],
)
def test_the_branch_of_the_newest_row(rows: list[Row], left: str):
    assert kept(*rows) == [*left]


def test_parallel_calls_are_of_one_answer_with_their_results():
    rows = [
        A,
        call("b", "a", "t1", "m1"),
        call("c", "b", "t2", "m1"),
        result("d", "b", "t1"),
        result("e", "c", "t2"),
        row("f", "e", "assistant", answer="m2"),
    ]
    assert kept(*rows) == [*"abcdef"]


def test_a_left_branch_takes_its_calls_with_it():
    rows = [A, call("b", "a", "t1", "m1"), result("c", "b", "t1"), row("d", "a")]
    assert kept(*rows) == ["a", "d"]


def test_rows_without_a_name_stay():
    assert kept({"type": "summary"}, A, B) == ["summary", "a", "b"]
    rows = [{"type": "user"}, {"type": "assistant"}]
    assert rows_of_branch(rows) == rows


def codex(number: int, role: str, text: str) -> Row:
    payload: Row = {"type": "message", "role": role, "content": [{"text": text}]}
    return {"timestamp": number, "type": "response_item", "payload": payload}


def test_turns_of_codex_that_were_taken_back_and_rows_that_come_twice():
    meta: Row = {"type": "session_meta", "payload": {}}
    first = [codex(1, "user", "<environment_context>"), codex(2, "user", "One?")]
    answer, other = codex(3, "assistant", "One."), codex(6, "user", "Three?")
    called: Row = {"type": "response_item", "payload": {"type": "function_call", "call_id": "c"}}
    again = {**called, "timestamp": 9}
    back: Row = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    rows = [
        meta,
        *first,
        answer,
        answer,
        called,
        again,
        codex(4, "user", "Two?"),
        codex(5, "assistant", "No."),
        back,
        other,
    ]
    assert rows_not_rolled_back(rows) == [meta, *first, answer, called, other]
