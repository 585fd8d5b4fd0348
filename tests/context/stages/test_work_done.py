"""Lists of what was done: a call that changes several files names them all."""

import pytest

from builders import assistant, result
from plimsoll.context.index.calls import answered_calls
from plimsoll.context.stages.summary import required_names
from plimsoll.context.stages.work_done import edits, files


@pytest.mark.parametrize("failed", [False, True])
def test_every_file_that_a_call_changed_is_named(failed):
    made = assistant("a1", "", ("c1", "file_edit", '{"path":"a.py"}'))
    done = result("r1", "a1", "c1", "x", "file_edit", changed=("a.py", "b.py"), failed=failed)
    calls = answered_calls([made, done])
    assert edits(calls) == ["edited a.py", "edited b.py"]
    assert files(calls) == ["a.py (edited)", "b.py (edited)"]
    assert {"a.py", "b.py"} <= set(required_names([made, done]))
