"""Files that the editor has open in a wrong encoding keep their bytes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from product.harness import Product

Start = Callable[..., Product]

ENCODINGS = {
    "latin-1": ("Ärger über Öl\nLIMIT = 5\n", "über Öl"),
    "shift_jis": ("設定を変更してください。\r\nLIMIT = 5\r\n", "設定を変更"),
    "gbk": ("请修改这里的设置。\nLIMIT = 5\n", "请修改"),
}
ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
LOOK = [
    {"name": "file_read", "arguments": {"path": "old.txt"}},
    {"name": "grep", "arguments": {"pattern": "LIMIT", "context": 1}},
]


def edit(old: int, new: int) -> dict[str, object]:
    given = {"path": "old.txt", "old_string": f"LIMIT = {old}", "new_string": f"LIMIT = {new}"}
    return {"name": "file_edit", "arguments": given}


def opened(start: Start, text: str, encoding: str, typed: str = "") -> tuple[Product, Path]:
    """A server with an editor that shows `old.txt` as UTF-8, and what was typed behind it."""
    turns = [[*LOOK, edit(5, 6), edit(6, 7)], [edit(7, 8)]]
    steps = [
        step
        for calls in turns
        for step in (*({"calls": [call]} for call in calls), {"text": ["Done."]})
    ]
    product = start({"steps": steps, "mode": "echo"})
    path = product.workspace / "old.txt"
    path.write_bytes(text.encode(encoding))
    product.responses["workspace/applyEdit"] = {"applied": True}
    product.responses["plimsoll/session/requestPermission"] = ALLOWED
    product.open(editor={"workspace": {"applyEdit": True}})
    seen = path.read_bytes().decode("utf-8", "replace") + typed
    document = {"uri": path.as_uri(), "languageId": "plaintext", "version": 1, "text": seen}
    product.notify("textDocument/didOpen", {"textDocument": document})
    return product, path


def shown(product: Product, session: str) -> str:
    return str(product.call("plimsoll/session/view", {"sessionId": session})["messages"])


def wanted_of(product: Product) -> list[str]:
    return [each["method"] for each in product.messages if "method" in each]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_of_another_encoding_is_read_and_changed_by_its_own_bytes(
    start: Start, encoding: str
) -> None:
    text, words = ENCODINGS[encoding]
    product, path = opened(start, text, encoding)
    session = product.new_session()
    product.turn(session, "raise it")
    assert path.read_bytes() == text.replace("= 5", "= 7").encode(encoding)
    view = shown(product, session)
    assert words in view
    assert "\ufffd" not in view
    assert "workspace/applyEdit" not in wanted_of(product)

    # Not before now does the editor show what the file has become.
    again = path.read_bytes().decode("utf-8", "replace")
    about = {"uri": path.as_uri(), "version": 2}
    product.notify(
        "textDocument/didChange", {"textDocument": about, "contentChanges": [{"text": again}]}
    )
    product.turn(session, "raise it once more")
    assert path.read_bytes() == text.replace("= 5", "= 8").encode(encoding)
    owner = {"sessionId": session}
    (changed,) = product.call("plimsoll/hunk/list", owner)["files"]
    ids = [hunk["id"] for hunk in changed["hunks"]]
    undone = {**owner, "uri": changed["uri"], "hunkIds": ids}
    assert product.call("plimsoll/hunk/undo", undone)["left"] == []
    assert path.read_bytes() == text.encode(encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_unsaved_changes_in_a_wrong_encoding_are_left_to_the_person(
    start: Start, encoding: str
) -> None:
    text, _ = ENCODINGS[encoding]
    product, path = opened(start, text, encoding, "typed\n")
    session = product.new_session()
    product.turn(session, "raise it")
    assert path.read_bytes() == text.encode(encoding)
    view = shown(product, session)
    assert "old.txt is open in the editor as UTF-8 and has unsaved changes" in view
    assert f"reopen it with the encoding {encoding}." in view
    assert "workspace/applyEdit" not in wanted_of(product)
