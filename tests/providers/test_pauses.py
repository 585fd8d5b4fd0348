"""The blocks of an answer as they arrive, across the parts of one that pauses."""

import pytest

from plimsoll.providers.pauses import MOST_PAUSES, SaidBlocks


def begins(index: int, **block: object) -> dict[str, object]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grows(index: int, kind: str, **delta: object) -> dict[str, object]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def text(index: int, told: str) -> list[dict[str, object]]:
    return [begins(index, type="text", text=""), grows(index, "text_delta", text=told)]


def call(index: int, name: str) -> dict[str, object]:
    return begins(index, type="tool_use", id=name, name="grep", input={})


def said(*events: dict[str, object]) -> SaidBlocks:
    blocks = SaidBlocks()
    blocks.begin()
    for event in events:
        blocks.take(event)
    return blocks


THINKS = begins(0, type="thinking", thinking="", signature="")


def test_deltas_make_up_the_blocks_that_are_sent_back():
    blocks = said(
        THINKS,
        grows(0, "thinking_delta", thinking="h"),
        grows(0, "thinking_delta", thinking="m"),
        grows(0, "signature_delta", signature="EuoC"),
        *text(1, "Found"),
        grows(1, "text_delta", text=" it."),
        grows(1, "citations_delta", citation={"url": "a"}),
        grows(1, "citations_delta", citation={"url": "b"}),
        call(2, "c1"),
        grows(2, "input_json_delta", partial_json='{"a"'),
        grows(2, "input_json_delta", partial_json=""),
        grows(2, "input_json_delta", partial_json=":1}"),
        *text(3, " \n"),
        # Of no block.
        grows(9, "text_delta", text="lost"),
        {"type": "ping"},
    )
    assert blocks.whole() == [
        {"type": "thinking", "thinking": "hm", "signature": "EuoC"},
        {"type": "text", "text": "Found it.", "citations": [{"url": "a"}, {"url": "b"}]},
        {"type": "tool_use", "id": "c1", "name": "grep", "input": {"a": 1}},
    ]
    assert blocks.thought == "hm"


def test_a_part_that_is_asked_for_again_drops_what_its_first_try_brought():
    blocks = said(*text(0, "Kept."))
    assert blocks.end(True, 5)
    for event in (*text(0, "Cut o"), call(1, "c1"), grows(1, "input_json_delta", partial_json="{")):
        blocks.take(event)
    blocks.begin()
    blocks.take(call(1, "c2"))
    assert blocks.whole() == [
        {"type": "text", "text": "Kept."},
        {"type": "tool_use", "id": "c2", "name": "grep", "input": {}},
    ]


def test_an_answer_pauses_so_often_and_no_more_and_its_parts_count_together():
    blocks = said()
    assert [blocks.end(True, 2) for _ in range(MOST_PAUSES + 1)] == [True] * MOST_PAUSES + [False]
    assert (blocks.pauses, blocks.output) == (False, 2 * MOST_PAUSES)


def test_the_tokens_of_the_last_part_are_counted_by_its_own_usage():
    blocks = said()
    assert (blocks.end(True, 7), blocks.pauses, blocks.output) == (True, True, 7)
    assert (blocks.end(False, 3), blocks.pauses, blocks.output) == (False, False, 7)


REDACTED = begins(0, type="redacted_thinking", data="xyz")


@pytest.mark.parametrize(
    ("events", "order"),
    [
        ((), []),
        ((*text(0, "Hi"), call(1, "c1")), []),
        ((call(0, "c1"), *text(1, "Hi")), [{"call": "c1"}, {"text": 2}]),
        (
            (THINKS, grows(0, "thinking_delta", thinking="hm"), *text(1, "Hi")),
            [{"thought": {"type": "thinking", "signature": ""}, "length": 2}, {"text": 2}],
        ),
        ((REDACTED,), [{"thought": {"type": "redacted_thinking", "data": "xyz"}}]),
        (
            (REDACTED, begins(1, type="server_tool_use", id="s1"), call(2, "c1")),
            [{"thought": {"type": "redacted_thinking", "data": "xyz"}}, {"call": "c1"}],
        ),
    ],
    ids=["nothing", "as usual", "text behind a call", "thinking", "redacted", "others"],
)
def test_the_order_is_kept_where_the_text_and_the_calls_alone_do_not_tell_it(
    events: tuple[dict[str, object], ...], order: list[object]
):
    assert said(*events).order() == order
