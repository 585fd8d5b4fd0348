"""What the editor knows: open buffers are the truth, and keystrokes make a read stale."""

from product.harness import READ

SCRIPT = {"steps": [{"calls": [READ]}, {"text": ["Read."]}], "mode": "echo"}
LENSES = {"sessionUpdates": True, "permission": True, "lenses": True}


def open_document(product, text, name="big.txt"):
    uri = (product.workspace / name).as_uri()
    document = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
    product.notify("textDocument/didOpen", {"textDocument": document})
    return uri


def change(product, uri, line):
    place = {"line": line, "character": 0}
    edit = {"range": {"start": place, "end": place}, "text": "typed "}
    params = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [edit]}
    product.notify("textDocument/didChange", params)


def items(product, session):
    params = {"sessionId": session, "detail": "detail"}
    return product.call("plimsoll/context/report", params)["items"]


def test_unsaved_text_is_what_is_read(start):
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("on disk\n")
    product.open()
    open_document(product, "in the buffer\n")
    session = product.new_session()
    product.turn(session, "read it")
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    assert any("1\tin the buffer" in str(message["content"]) for message in view)


def test_a_keystroke_makes_the_read_stale_and_the_lens_says_so(start):
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("one\ntwo\nthree\n")
    product.open(capabilities=LENSES)
    uri = open_document(product, "one\ntwo\nthree\n")
    session = product.new_session()
    product.turn(session, "read it")
    before = product.call("plimsoll/session/view", {"sessionId": session})
    lens = product.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert "in context" in lens[0]["command"]["title"]
    assert "stale" not in lens[0]["command"]["title"]
    change(product, uri, 1)
    product.notification("plimsoll/context/didChange")
    stale = wait_for_stale(product, session)
    assert stale["source"]["uri"] == uri
    after = product.call("plimsoll/session/view", {"sessionId": session})
    assert after["messages"] == before["messages"]
    lens = product.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert "stale since your edit at line 2" in lens[0]["command"]["title"]


def test_a_change_while_the_lenses_are_refreshed_makes_a_read_stale_too(start):
    reads = [READ, {"name": "file_read", "arguments": {"path": "other.txt"}}]
    product = start({"steps": [{"calls": reads}, {"text": ["Read."]}], "mode": "echo"})
    for name in ("big.txt", "other.txt"):
        (product.workspace / name).write_text("one\ntwo\n")
    product.open({"workspace": {"codeLens": {"refreshSupport": True}}}, capabilities=LENSES)
    first = open_document(product, "one\ntwo\n")
    second = open_document(product, "one\ntwo\n", "other.txt")
    session = product.new_session()
    product.turn(session, "read them")
    change(product, first, 1)
    refresh = product.server_request("workspace/codeLens/refresh")
    product.forget()
    change(product, second, 1)
    # Answered in order: the server has taken the change when this is answered.
    product.call("plimsoll/status", {})
    product.answer(refresh)
    product.server_request("workspace/codeLens/refresh")
    stale = [i["source"]["uri"] for i in items(product, session) if is_stale(i)]
    assert stale == [first, second]


def test_the_lens_of_what_was_taken_out_says_so_and_brings_it_back(start):
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("one\ntwo\nthree\n" * 40)
    product.open(capabilities=LENSES)
    uri = open_document(product, "one\n")
    session = product.new_session()
    product.turn(session, "read it")
    read = next(item["id"] for item in items(product, session) if item["kind"] == "toolResults")
    product.call("plimsoll/context/evict", {"sessionId": session, "itemIds": [read]})
    lenses = product.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    first, second = (lens["command"] for lens in lenses)
    assert first["title"].startswith("⊖ removed · ")
    assert second["title"] == "restore"
    arguments = {"command": second["command"], "arguments": second["arguments"]}
    product.call("workspace/executeCommand", arguments)
    lenses = product.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert [lens["command"]["title"] for lens in lenses][1:] == ["pin", "remove"]


def is_stale(item):
    return item.get("source", {}).get("stale", False)


def wait_until(product, holds):
    """The meter moves when a note is kept: each such notification is a reason to look again."""
    for _ in range(20):
        seen = len(product.notifications("plimsoll/context/didChange"))
        if holds():
            return
        product.wait_for(
            lambda _, seen=seen: len(product.notifications("plimsoll/context/didChange")) > seen
        )
    raise AssertionError("it never came to hold")


def wait_for_stale(product, session):
    wait_until(product, lambda: any(map(is_stale, items(product, session))))
    return next(i for i in items(product, session) if is_stale(i))


def replace_text(product, uri, version, text):
    params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
    product.notify("textDocument/didChange", params)


def told(product, session):
    """What the model is told of files that have changed, newest last."""
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    texts = [text for message in view for text in _texts(message["content"])]
    marks = ("[Changed since", "[Nothing that you read")
    return [text for text in texts if text.startswith(marks)]


def _texts(content):
    return [content] if isinstance(content, str) else [part.get("text", "") for part in content]


SOME = {"name": "file_read", "arguments": {"path": "big.txt", "offset": 2, "limit": 2}}


def test_a_read_is_fresh_again_after_the_undo_and_elsewhere_after_lines_above_it(start):
    product = start({"steps": [{"calls": [SOME]}, {"text": ["Read."]}], "mode": "echo"})
    text = "one\ntwo\nthree\nfour\n"
    (product.workspace / "big.txt").write_text(text)
    product.open(capabilities=LENSES)
    uri = open_document(product, text)
    session = product.new_session()
    product.turn(session, "read it")
    replace_text(product, uri, 2, text.replace("two", "TWO"))
    assert wait_for_stale(product, session)["source"]["uri"] == uri
    replace_text(product, uri, 3, "new\n" + text)
    wait_until(product, lambda: not any(map(is_stale, items(product, session))))
    lens = product.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert lens[0]["range"]["start"]["line"] == 2
    assert "stale" not in lens[0]["command"]["title"]


def test_the_next_request_tells_the_model_what_has_changed_on_disk(start):
    product = start({"steps": [{"calls": [READ, SOME]}, {"text": ["Read."]}], "mode": "echo"})
    file = product.workspace / "big.txt"
    file.write_text("one\ntwo\nthree\nfour\n")
    product.open()
    session = product.new_session()
    product.turn(session, "read it")
    assert told(product, session) == []
    file.write_text("one\ntwo\nthree\nfour\nfive\n")
    product.turn(session, "And now?")
    changed = "[Changed since you read it: big.txt. Read again what you need.]"
    assert told(product, session) == [changed]
    product.turn(session, "Once more.")
    assert told(product, session) == [changed]
    file.write_text("one\ntwo\nthree\nfour\n")
    product.turn(session, "And now?")
    assert told(product, session)[1:] == [
        "[Nothing that you read of a file is out of date any more.]"
    ]


def test_the_agents_own_edit_makes_nothing_stale(start):
    edit = {
        "name": "file_edit",
        "arguments": {"path": "big.txt", "old_string": "two", "new_string": "2"},
    }
    steps = [{"calls": [READ]}, {"calls": [edit]}, {"text": ["Done."]}]
    product = start({"steps": steps, "mode": "echo"})
    file = product.workspace / "big.txt"
    file.write_text("one\ntwo\nthree\n")
    product.responses.update(ANSWERED)
    product.open()
    session = product.new_session()
    product.turn(session, "change it")
    product.turn(session, "And now?")
    assert (file.read_text(), told(product, session)) == ("one\n2\nthree\n", [])
    assert not any(map(is_stale, items(product, session)))
    file.write_text("one\n2\n3\n")
    product.turn(session, "And now?")
    assert len(told(product, session)) == 1


def test_a_client_without_the_capability_gets_no_lenses(start):
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("one\ntwo\nthree\n")
    product.open()
    uri = open_document(product, "one\ntwo\nthree\n")
    product.turn(product.new_session(), "read it")
    assert product.call("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []


def test_a_storm_of_keystrokes_during_reports(start):
    product = start(SCRIPT)
    (product.workspace / "big.txt").write_text("one\ntwo\nthree\n")
    product.open()
    uri = open_document(product, "one\ntwo\nthree\n")
    session = product.new_session()
    product.turn(session, "read it")
    asked = {"sessionId": session, "detail": "detail"}
    waiting = []
    for _ in range(20):
        waiting.append(product.request("plimsoll/context/report", asked))
        for _ in range(20):
            change(product, uri, 1)
    reports = [product.reply(each)["result"] for each in waiting]
    for report in reports:
        assert sum(item["tokens"] for item in report["items"]) == report["meter"]["used"]
    assert {report["meter"]["used"] for report in reports} == {reports[0]["meter"]["used"]}
    assert wait_for_stale(product, session)["source"]["uri"] == uri


EDIT = {
    "name": "file_edit",
    "arguments": {"path": "big.txt", "old_string": "two", "new_string": "2"},
}
EDITING = {"steps": [{"calls": [EDIT]}, {"text": ["Done."]}], "mode": "echo"}
ANSWERED = {"plimsoll/session/requestPermission": {"outcome": "selected", "optionId": "allowOnce"}}


def editing(start, *, versions):
    """A client that lets the agent edit a document that is open at version 1."""
    product = start(EDITING)
    (product.workspace / "big.txt").write_text("one\ntwo\nthree\n")
    product.responses.update(ANSWERED)
    known = {"applyEdit": True, "workspaceEdit": {"documentChanges": versions}}
    product.open(editor={"workspace": known})
    uri = open_document(product, "one\ntwo\nthree\n")
    product.prompt(product.new_session(), "edit it")
    return product, uri, product.server_request("workspace/applyEdit")


def test_an_edit_names_its_version_and_the_smallest_range(start):
    product, uri, asked = editing(start, versions=True)
    (change,) = asked["params"]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    place = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}
    assert change["edits"] == [{"range": place, "newText": "2"}]
    product.answer(asked, {"applied": True})
    assert product.update("turnEnded")["stopReason"] == "endTurn"


def test_a_client_without_versions_gets_the_smallest_range_too(start):
    product, uri, asked = editing(start, versions=False)
    (edit,) = asked["params"]["edit"]["changes"][uri]
    assert (edit["range"]["start"]["line"], edit["newText"]) == (1, "2")
    product.answer(asked, {"applied": True})
    assert product.update("turnEnded")["stopReason"] == "endTurn"


def test_a_person_who_types_between_loses_nothing(start):
    product, uri, asked = editing(start, versions=True)
    change(product, uri, 0)
    product.answer(asked, {"applied": False})
    again = product.wait_for(
        lambda m: m.get("method") == "workspace/applyEdit" and m["id"] != asked["id"]
    )
    (moved,) = again["params"]["edit"]["documentChanges"]
    assert moved["textDocument"] == {"uri": uri, "version": 2}
    assert (moved["edits"][0]["range"]["start"]["line"], moved["edits"][0]["newText"]) == (1, "2")
    product.answer(again, {"applied": False})
    assert product.update("turnEnded")["stopReason"] == "endTurn"
    assert (product.workspace / "big.txt").read_text() == "one\ntwo\nthree\n"
