"""A call with its result, as the stages see it."""

from builders import assistant, result
from plimsoll.context.index.calls import answered_calls


def test_a_call_has_failed_if_its_result_says_so():
    made = [(f"c{n}", "file_read", '{"path": "a.py"}') for n in range(2)]
    said = [
        assistant("a1", "", *made),
        result("r0", "a1", "c0", "1\tx", "file_read"),
        result("r1", "a1", "c1", "There is no such file.", "file_read", failed=True),
    ]

    assert [call.failed for call in answered_calls(said)] == [False, True]
