"""A whole output that lies on another machine: said to be there, and no person is asked."""

from dataclasses import replace

import pytest

from plimsoll.errors import ToolFailed


def test_an_output_that_another_machine_kept_is_said_to_be_there(tools, prepare, context):
    name = f"{'0a' * 16}.txt"
    elsewhere = f"/home/me/.local/share/plimsoll/s1/spill/{name}"
    said = "This output was kept in a file on galley or bridge, where this session worked before"
    moved = replace(context, left_behind=("galley", "bridge"))

    def prepare_moved(tool, **arguments):
        return tools[tool].prepare(arguments, moved)

    own = context.spill_folder / "s1" / "spill" / name
    for path in (elsewhere, str(own)):
        for tool in ("file_read", "grep"):
            with pytest.raises(ToolFailed, match=said):
                prepare_moved(tool, path=path, **({"pattern": "x"} if tool == "grep" else {}))
    own.parent.mkdir(parents=True)
    own.write_text("all of it\n")
    assert not prepare_moved("file_read", path=str(own)).ask
    # Of a session that was on no other machine nothing is known about such a file.
    assert prepare("file_read", path=elsewhere).ask
