"""The merge of an agent's worktree, as a person at a client of ACP is asked about it."""

from collections.abc import Callable

import pytest

from acp_door.client import PERMISSION, AcpClient
from session.agents.scripts import apart, calls, rule, words
from tools.git.worktrees.builders import commit

pytestmark = pytest.mark.slow
COMMAND = (
    "rm gone.txt; ln -s kept.txt link; printf '\\0\\1' > image.bin; chmod +x run.sh; "
    "echo two > kept.txt"
)


def test_what_is_no_change_of_lines_is_shown_too(start: Callable[..., AcpClient]):
    shell = {"name": "shell", "arguments": {"command": COMMAND}}
    client = start(
        {
            "rules": [
                rule("^Go", calls(apart("the task", "CHILD")), words("Done.")),
                rule("CHILD", calls(shell), words("Changed.")),
            ]
        }
    )
    commit(client.workspace, {"gone.txt": "bye\n", "kept.txt": "one\n", "run.sh": "true\n"})
    client.open()
    client.choose("allowOnce")
    assert client.prompt(client.new_session(), "Go") == "end_turn"
    (asked,) = (
        each["params"]["toolCall"]
        for each in client.requests_of(PERMISSION)
        if each["params"]["toolCall"]["title"].startswith("Merge")
    )
    remarks, diff = asked["content"][:2]
    assert remarks["content"]["text"].splitlines()[1:-1] == [
        "gone.txt: deleted, 1 line",
        "| bye",
        "image.bin: nothing -> 2 bytes, of an unknown type",
        "link: nothing -> a link to kept.txt",
        "run.sh: a file that can be run now",
    ]
    assert diff["path"].endswith("kept.txt")
