"""What an agent in a worktree of its own may read and write by its file tools."""

from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.ports.apart.own_folder import OwnFolder

OUTSIDE = ("../out/a.txt", "{out}/a.txt", "a/../../out/a.txt", "/nowhere/a.txt", "~/a.txt")


async def test_an_agent_with_a_worktree_reads_what_is_linked_and_writes_nowhere_else(
    tools, context, tmp_path: Path
):
    """Links of every kind among them; inside it is asked about what is protected alone."""
    root, out, main = context.root, tmp_path / "out", tmp_path / "main"
    (main / "node_modules").mkdir(parents=True)
    (main / "node_modules/m.js").write_text("text")
    (main / "a.txt").write_text("text")
    for name, target in (("node_modules", main / "node_modules"), ("link", main)):
        (root / name).symlink_to(target)
    apart = replace(context, own_folder=OwnFolder(main, (main / "node_modules",)))
    for path in ("node_modules/m.js", "link/a.txt", str(main / "new.txt"), *OUTSIDE):
        asked = path.format(out=out)
        for tool, more in (
            ("file_write", {"content": "x"}),
            ("file_edit", {"old_string": "x", "new_string": "y"}),
        ):
            with pytest.raises(ToolFailed, match="you change nothing there"):
                tools[tool].prepare({"path": asked, **more}, apart)
    with pytest.raises(ToolFailed, match=r"Change your own copy of it: a\.txt"):
        tools["file_write"].prepare({"path": "link/a.txt", "content": "x"}, apart)
    assert not tools["file_read"].prepare({"path": "node_modules/m.js"}, apart).ask
    assert tools["file_read"].prepare({"path": "link/a.txt"}, apart).ask
    assert not tools["file_write"].prepare({"path": "n.txt", "content": "x"}, apart).ask
    assert tools["file_write"].prepare({"path": ".vscode/tasks.json", "content": "x"}, apart).ask
