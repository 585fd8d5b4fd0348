"""A call looks the same when a session is loaded as it did when it was made."""

from pathlib import Path

import pytest

from plimsoll.context.log.traits import UNKNOWN
from plimsoll.lsp.features.convert.calls import earlier_title


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("file_read", {"path": "notes.md"}),
        ("file_write", {"path": "new.md", "content": "x"}),
        ("file_edit", {"path": "notes.md", "old_string": "one", "new_string": "two"}),
        ("grep", {"pattern": "one|two"}),
        ("glob", {"pattern": "**/*.py"}),
        ("shell", {"command": "pytest -q"}),
    ],
)
def test_the_title_is_the_one_that_the_tool_gives(name, arguments, tools, prepare, root: Path):
    (root / "notes.md").write_text("one\n")
    assert prepare(name, **arguments).title == earlier_title(name, tools[name].traits, arguments)


def test_every_tool_with_a_subject_has_a_verb(tools):
    named = {name for name, tool in tools.items() if tool.traits.verb and tool.traits.subject}
    assert set(tools) - named == {"tasks", "context", "plan"}


@pytest.mark.parametrize(
    ("name", "arguments", "title"),
    [
        ("mcp_fetch", {"address": "x"}, "mcp_fetch"),
        ("tasks", {"tasks": []}, "tasks"),
        ("shell", {"command": "rm\u202e x"}, "Run rm⟨U+202E⟩ x"),
        ("grep", {}, "grep"),
    ],
)
def test_what_is_not_known_is_called_by_its_name(name, arguments, title, tools):
    traits = tools[name].traits if name in tools else UNKNOWN
    assert earlier_title(name, traits, arguments) == title
