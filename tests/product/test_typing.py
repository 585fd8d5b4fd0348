"""Typing while an answer streams: nothing is dropped, and stale is what the texts say."""

import random

from product.harness import READ
from product.test_editing import is_stale, items, open_document, wait_until

LINES = [f"value_{number} = {number}" for number in range(60)]
WORDS = [piece for number in range(200) for piece in (f"word{number} ", {"pause": 0.02})]
SCRIPT = {
    "rules": [
        {"when": "look", "steps": [{"calls": [READ]}, {"text": ["Read."]}]},
        {"when": "talk", "steps": [{"text": WORDS}]},
    ],
}


class Typist:
    """Types letters at random places and takes some back; knows what the document must be."""

    def __init__(self, product, uri, source):
        self.product, self.uri, self.source = product, uri, source
        self.lines, self.undo, self.version = list(LINES), [], 1

    def key(self):
        if self.undo and self.source.random() < 0.4:
            self.take_back()
        else:
            self.type_letter()

    def type_letter(self):
        line = self.source.randrange(len(self.lines))
        at = self.source.randrange(len(self.lines[line]) + 1)
        self.undo.append((line, at))
        self.replace(line, at, at, self.source.choice("abcxyz"))

    def take_back(self):
        line, at = self.undo.pop()
        self.replace(line, at, at + 1, "")

    def replace(self, line, start, end, text):
        before = self.lines[line]
        self.lines[line] = before[:start] + text + before[end:]
        self.version += 1
        places = [{"line": line, "character": at} for at in (start, end)]
        edit = {"range": dict(zip(("start", "end"), places, strict=True)), "text": text}
        document = {"uri": self.uri, "version": self.version}
        params = {"textDocument": document, "contentChanges": [edit]}
        self.product.notify("textDocument/didChange", params)


def test_what_is_typed_while_an_answer_streams_is_all_there_and_stale_is_right(start):
    product = start(SCRIPT)
    text = "\n".join(LINES) + "\n"
    (product.workspace / "big.txt").write_text(text)
    product.open()
    typist = Typist(product, open_document(product, text), random.Random(13))
    session = product.new_session()
    product.turn(session, "look at it")

    def stale():
        return any(map(is_stale, items(product, session)))

    turn = product.prompt(session, "talk for a while")
    product.update("textDelta", turn)
    for _ in range(4):
        for _ in range(100):
            typist.key()
        changed = typist.lines != LINES
        wait_until(product, lambda changed=changed: stale() == changed)
        while typist.undo:
            typist.take_back()
        wait_until(product, lambda: not stale())
    for _ in range(50):
        typist.type_letter()
    # It streams still.
    assert product.call("plimsoll/session/cancel", {"sessionId": session}) == {"cancelled": True}
    product.update("turnEnded", turn)
    product.turn(session, "look once more")
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    read = [m["content"] for m in view if m["role"] == "tool"][-1]
    shown = str(read)
    assert [line for line in typist.lines if line not in shown] == []
