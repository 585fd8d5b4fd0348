"""Of a change a person keeps some hunks, and of what was made they keep or undo others."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow

PERMISSION = "plimsoll/session/requestPermission"
WRITE = {"path": "limits.txt", "content": "a\n10\nb\n20\nc\n30\nd\n"}
SCRIPT = {
    "steps": [
        {"calls": [{"name": "file_write", "arguments": WRITE}]},
        {"text": "Done."},
        {"text": "Noted."},
    ]
}


def hunks(result: dict[str, Any]) -> list[tuple[str, int, int, str]]:
    return [
        (
            hunk["id"],
            hunk["range"]["start"]["line"],
            hunk["range"]["end"]["line"],
            hunk["oldText"],
        )
        for file in result["files"]
        for hunk in file["hunks"]
    ]


def test_what_is_chosen_is_made_kept_undone_and_told(start):
    product = start(SCRIPT)
    product.open(capabilities={"sessionUpdates": True, "permission": True})
    session = product.new_session()
    file = product.workspace / "limits.txt"
    file.write_text("a\n1\nb\n2\nc\n3\nd\n")
    product.prompt(session, "raise the limits")
    question = product.server_request(PERMISSION)
    proposed = question["params"]["toolCall"]["detail"]["hunks"]
    assert [(h["range"]["start"]["line"], h["newText"]) for h in proposed] == [
        (1, "10\n"),
        (3, "20\n"),
        (5, "30\n"),
    ]
    product.answer(question, {"outcome": "selected", "optionId": "allowOnce", "keptHunks": [0, 2]})
    product.update("turnEnded")
    assert file.read_text() == "a\n10\nb\n2\nc\n30\nd\n"
    made = [u["toolCall"] for u in product.updates(session) if u["kind"] == "toolCall"][-1]
    assert "+20" not in made["detail"]["diff"]
    assert "hunks" not in made["detail"]

    owner = {"sessionId": session}
    first, last = hunks(product.call("plimsoll/hunk/list", owner))
    assert [first[1:], last[1:]] == [(1, 2, "1\n"), (5, 6, "3\n")]
    chosen = {**owner, "uri": file.as_uri(), "hunkIds": [first[0]]}
    assert hunks(product.call("plimsoll/hunk/keep", chosen)) == [last]
    assert product.call("plimsoll/hunk/undo", owner) == {"files": [], "left": []}
    assert file.read_text() == "a\n10\nb\n2\nc\n3\nd\n"

    product.turn(session, "go on")
    view = str(product.call("plimsoll/session/view", owner)["messages"])
    assert "The user kept 2 of the 3 hunks of your change" in view
    assert "[The user undid parts of your changes: limits.txt (at line 6)." in view
