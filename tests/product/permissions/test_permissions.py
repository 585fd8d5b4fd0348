"""What is always allowed, in the real server: what runs unasked by it, and what ends it."""

import os
from pathlib import Path
from typing import Any

import pytest

from left_out import not_on_this_machine
from product.harness import Product
from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow
ASK = "plimsoll/session/requestPermission"
ENDS = {"completed", "failed", "rejected"}
COMMANDS = {
    "test": "make test",
    "quietly": "make test -s",
    "more": "make test; touch more",
    "other": "make other",
    "sneak": "echo '\ttouch sneaked' >> Makefile",
}
EDITS = {
    "first": "src/a.txt",
    "deeper": "src/sub/b.txt",
    "top": "c.txt",
    "up": "src/../d.txt",
    "out": "src/link/e.txt",
    "protected": "src/.vscode/tasks.json",
    "alike": "Src/f.txt",
    "longer": "src2/g.txt",
    "again": "src/h.txt",
}


def asking(name: str, key: str, **arguments: str) -> dict[str, Any]:
    call = {"calls": [{"name": name, "arguments": arguments}]}
    return {"when": f"do {key}!", "steps": [call, {"text": "Done."}]}


SCRIPT = {
    "rules": [
        *(asking("shell", key, command=command) for key, command in COMMANDS.items()),
        *(asking("file_write", key, path=path, content=key) for key, path in EDITS.items()),
    ]
}


def do(product: Product, session: str, key: str, answer: str = "rejectOnce") -> Any:
    """Let the model make a call; returns the question, or how it ended without one."""
    product.responses[ASK] = {"outcome": "selected", "optionId": answer}
    before = len(product.requests_of(ASK))
    updates = product.turn(session, f"do {key}!")
    asked = product.requests_of(ASK)[before:]
    return (
        asked[0]["params"] if asked else [u["status"] for u in updates if u.get("status") in ENDS]
    )


def always(question: Any) -> dict[str, str]:
    """What is offered for good, by its button."""
    found = (each for each in question["options"] if each["kind"] == "allowAlways")
    return {each["name"]: each["scope"] for each in found}


def test_a_command_runs_unasked_until_its_recipe_changes_or_it_is_taken_back(start, tmp_path: Path):
    if find_bubblewrap(os.environ["PATH"]) is None:
        not_on_this_machine("bubblewrap")
    product = start(SCRIPT)
    (product.workspace / "Makefile").write_text("test:\n\ttouch tested\nother:\n\ttouch other\n")
    # Whatever a repository brings is no permission.
    (product.workspace / ".plimsoll").mkdir()
    (product.workspace / ".plimsoll/permissions.json").write_text('["make test"]')
    product.open()
    session = product.new_session()
    question = do(product, session, "test")
    assert always(question) == {
        "Always allow `make test` in this folder": "Exactly these words, until you take it back.",
        "Always allow `make test …` in this folder": (
            "`make test` alone or with `-k`, `-s`, `-j`, until you take it back."
        ),
    }, question
    do(product, session, "test", "allowAlwaysWider")
    assert do(product, session, "test") == ["completed"]
    assert do(product, session, "quietly") == ["completed"]
    assert "askedAgain" not in do(product, session, "more")["toolCall"]["detail"]
    assert do(product, session, "other")["toolCall"]["title"] == "Run make other"
    do(product, session, "sneak", "allowOnce")
    again = do(product, session, "test")["toolCall"]["detail"]["askedAgain"]
    assert again == (
        "You always allowed `make test …`. Since then Makefile changed, so it may run something "
        "else."
    )
    assert not (product.workspace / "sneaked").exists()
    do(product, session, "test", "allowAlways")

    # It outlives the server, and is taken back in any client.
    product.close_input()
    later = start(SCRIPT)
    later.open()
    session = later.new_session()
    assert do(later, session, "test") == ["completed"]
    listed = {"command": "plimsoll.server.send", "arguments": [{"text": "/permissions"}]}
    message = later.call("workspace/executeCommand", listed)["message"]
    assert "- 2: `make test` (exactly these words), since 20" in message
    later.call("plimsoll/permission/remove", {"workspaceFolder": later.uri, "number": 2})
    assert "toolCall" in do(later, session, "test")


def test_edits_below_a_folder_and_nothing_that_only_looks_like_it(start, tmp_path: Path):
    product = start(SCRIPT)
    (product.workspace / "src").mkdir()
    (product.workspace / "src/link").symlink_to(tmp_path)
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    question = do(product, session, "first", "allowAlways")
    assert list(always(question)) == ["Always allow edits below `src` in this folder"]
    assert do(product, session, "deeper") == ["completed"]
    for key in ("top", "up", "out", "protected", "alike", "longer"):
        question = do(product, session, key)
        assert "toolCall" in question, key
        assert (always(question) == {}) == (key in {"out", "protected"})
    folder = {"workspaceFolder": product.uri}
    kept = product.call("plimsoll/permission/list", folder)["permissions"]
    assert [(each["number"], each["kind"], each["what"]) for each in kept] == [
        (1, "edits", "edits below `src`")
    ]
    exported = product.call("plimsoll/context/export", {"sessionId": session})
    assert "until you take it back" not in str(exported)

    # Going back to before it was taken back brings nothing back.
    product.call("plimsoll/permission/remove", {**folder, "number": 1})
    loaded = product.call("plimsoll/session/load", {**folder, "sessionId": session})
    begun = next(m["id"] for m in loaded["messages"] if m["role"] == "user")
    product.call("plimsoll/session/rewind", {"sessionId": session, "messageId": begun})
    assert "toolCall" in do(product, session, "again", "allowAlways")
    product.call("plimsoll/store/forget", {"confirmed": True})
    assert product.call("plimsoll/permission/list", folder)["permissions"] == []
