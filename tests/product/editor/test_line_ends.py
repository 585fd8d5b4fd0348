"""Positions are the editor's: what is read, attached and edited stands where it stands there."""

from plimsoll.text.lines import lines_of
from product.harness import READ
from text.test_lines import ODD, edited

EDIT = {
    "name": "file_edit",
    "arguments": {"path": "big.txt", "old_string": "two", "new_string": "2"},
}
ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
BEFORE = "".join(f"# {sign}\n" for sign in ODD) + "one\ntwo 😀\r\nthree\rfour\n"


class Editor:
    """An editor that holds one document, in UTF-16, and takes edits of it."""

    def __init__(self, product, text, *, versions=True):
        self.product, self.text, self.version, self.versions = product, text, 1, versions
        self.untold = []
        self.uri = (product.workspace / "big.txt").as_uri()
        with (product.workspace / "big.txt").open("w", newline="", encoding="utf-8") as file:
            file.write(text)
        known = {"applyEdit": True, "workspaceEdit": {"documentChanges": versions}}
        product.responses["workspace/applyEdit"] = self.apply
        product.responses["plimsoll/session/requestPermission"] = ALLOWED
        product.open(editor={"workspace": known})
        document = {"uri": self.uri, "languageId": "plaintext", "version": 1, "text": text}
        product.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, place, text, *, tell=True):
        ends = (place[end][part] for end in ("start", "end") for part in ("line", "character"))
        self.text = edited(self.text, (*ends, text), "utf-16")
        self.version += 1
        self.untold.append({"range": place, "text": text})
        if tell:
            about = {"uri": self.uri, "version": self.version}
            params = {"textDocument": about, "contentChanges": self.untold}
            self.product.notify("textDocument/didChange", params)
            self.untold = []

    def type(self, line, character, text, *, tell=True):
        at = {"line": line, "character": character}
        self.change({"start": at, "end": at}, text, tell=tell)

    def apply(self, params):
        edit = params["edit"]
        if not self.versions:
            (made,) = edit["changes"][self.uri]
        else:
            (change,) = edit["documentChanges"]
            (made,) = change["edits"]
            if change["textDocument"]["version"] != self.version:
                return {"applied": False, "failureReason": "the document has changed"}
        self.change(made["range"], made["newText"])
        return {"applied": True}


def begun(start, text, calls, **options):
    steps = [*({"calls": [call]} for call in calls), {"text": ["Done."]}]
    product = start({"steps": steps, "mode": "echo"})
    return product, Editor(product, text, **options)


def view(product, session):
    return str(product.call("plimsoll/session/view", {"sessionId": session})["messages"])


def test_an_edit_behind_odd_signs_stands_where_it_was_meant(start):
    product, editor = begun(start, BEFORE, [READ, EDIT])
    editor.type(len(ODD), 0, "half\n")
    editor.type(len(ODD) + 2, 6, "!")
    editor.type(len(ODD) + 4, 0, "3.5 ")
    typed = editor.text
    assert typed.endswith("half\none\ntwo 😀!\r\nthree\r3.5 four\n")
    session = product.new_session()
    product.turn(session, "edit it")
    assert editor.text == typed.replace("two", "2")
    shown = view(product, session)
    assert all(repr(row)[1:-1] in shown for row in lines_of(typed))
    assert "Changed big.txt (+1 -1 lines)." in shown


def test_the_lines_that_were_selected_are_attached(start):
    product, editor = begun(start, BEFORE, [])
    place = {
        "start": {"line": len(ODD), "character": 0},
        "end": {"line": len(ODD) + 2, "character": 0},
    }
    session = product.new_session()
    content = [
        {"type": "text", "text": "Look."},
        {"type": "file", "uri": editor.uri, "range": place},
    ]
    turn = product.call("plimsoll/session/prompt", {"sessionId": session, "content": content})
    product.update("turnEnded", turn["turnId"])
    first = len(ODD) + 1
    shown = view(product, session)
    assert f"[attached big.txt:{first}-{first + 1}]\\none\\ntwo 😀\\n[end of" in shown
    assert "Changed since" not in shown


def test_an_edit_of_a_text_that_the_editor_has_not_told_of_is_made_nowhere(start):
    product, editor = begun(start, "one\ntwo\nthree\n", [READ, EDIT])
    editor.type(0, 0, "zero\n", tell=False)
    session = product.new_session()
    product.turn(session, "edit it")
    assert editor.text == "zero\none\ntwo\nthree\n"
    assert (product.workspace / "big.txt").read_text() == "one\ntwo\nthree\n"
    told = "The editor refused: the document has changed. Nothing was changed in big.txt."
    assert told in view(product, session)


def test_an_edit_that_came_into_another_text_is_not_called_done(start):
    product, editor = begun(start, "one\ntwo\nthree\n", [READ, EDIT], versions=False)
    editor.type(0, 0, "zero\n", tell=False)
    session = product.new_session()
    product.turn(session, "edit it")
    shown = view(product, session)
    assert "the change may stand in the wrong place. Read the file again" in shown
    assert "Changed big.txt" not in shown
