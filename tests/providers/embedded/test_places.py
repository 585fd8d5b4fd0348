"""What tools have answered, read back into lines of files."""

import json

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.providers.embedded.places import SourceLine, evidence_in


def read_of(result: str) -> tuple[SourceLine, ...]:
    call = Call("c", "file_read", json.dumps({"path": "a.py"}))
    asked = Message(id="a", role=Role.ASSISTANT, text="", calls=(call,))
    return evidence_in([asked, Message(id="r", role=Role.TOOL, text=result, call_id="c")]).read


def lines(first: int, *texts: str) -> tuple[SourceLine, ...]:
    return tuple(SourceLine("a.py", number, text) for number, text in enumerate(texts, first))


def test_lines_are_counted_on_from_the_first_number():
    assert read_of("1\tone\n\n3\tthree\n[lines 1-3 of 9]") == lines(1, "one", "", "3\tthree")
    assert read_of("9\tnine\n10\tten\n11\televen") == lines(9, "nine", "ten", "11\televen")


def test_a_read_ends_where_lines_were_left_out():
    cut = "1\tone\n[truncated: 40 lines, 90 characters; the middle is left out.]\nx\ny\n30\tz\nlast"
    assert read_of(cut) == lines(1, "one")


def test_what_is_no_listing_has_no_lines():
    assert read_of("[the file is empty]") == ()
    assert read_of("[unchanged since turn 1: file_read a.py, item r1.0]") == ()
    assert read_of("[changed since turn 1: file_read a.py]\n@@ -8,1 +8,1 @@\n-a\n+b") == ()
