"""Lists of what was done: a call that changes several files names them all."""

import pytest

from builders import assistant, result
from plimsoll.context.index.calls import answered_calls
from plimsoll.context.log.call_end import CallEnd
from plimsoll.context.stages.summary import required_names
from plimsoll.context.stages.work_done import commands, edits, files


@pytest.mark.parametrize("failed", [False, True])
def test_every_file_that_a_call_changed_is_named(failed):
    made = assistant("a1", "", ("c1", "file_edit", '{"path":"a.py"}'))
    done = result("r1", "a1", "c1", "x", "file_edit", changed=("a.py", "b.py"), failed=failed)
    calls = answered_calls([made, done])
    assert edits(calls) == ["edited a.py", "edited b.py"]
    assert files(calls) == ["a.py (edited)", "b.py (edited)"]
    assert {"a.py", "b.py"} <= set(required_names([made, done]))


@pytest.mark.parametrize(
    ("ended", "listed"),
    [
        (CallEnd.RAN, ["`sudo rm -rf /x` exit code unknown"]),
        (CallEnd.STOPPED, ["`sudo rm -rf /x` stopped by the user before its end"]),
        (CallEnd.INTERRUPTED, ["`sudo rm -rf /x` interrupted, its end is not known"]),
        (CallEnd.DECLINED, []),
        (CallEnd.NOT_RUN, []),
    ],
)
def test_a_command_is_listed_by_how_it_ended_and_not_at_all_where_nothing_was_run(ended, listed):
    made = assistant("a1", "", ("c1", "shell", '{"command":"sudo rm -rf /x"}'))
    done = result("r1", "a1", "c1", "no words of ours", "shell", failed=True, ended=ended)
    assert commands(answered_calls([made, done])) == listed
