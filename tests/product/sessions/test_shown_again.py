"""What was shown beside the conversation is there after a reload: errors, commands, ends."""

import pytest

from product.harness import READ, texts
from product.memory.test_memories import add

FAILING = {"steps": [{"text": ["Hm."], "error": "auth"}], "mode": "echo"}
GATED = {"steps": [{"text": ["wait ", {"gate": "open"}], "calls": [READ]}], "mode": "echo"}


def written(name):
    arguments = {"path": name, "content": "new\n"}
    return {"calls": [{"name": "file_write", "arguments": arguments}]}, {"text": "Done."}


def load(product, session):
    params = {"workspaceFolder": product.uri, "sessionId": session}
    return product.call("plimsoll/session/load", params)


def reloaded(start, product, session, script=None):
    """What another process of the same folder shows, after the first one has died."""
    product.process.kill()
    product.process.wait(120)
    later = start(script or {"mode": "echo"})
    later.open()
    return later, load(later, session)


def test_what_has_come_of_an_answer_is_there_while_it_is_written(start):
    text = ["I ", "wait ", {"gate": "open"}, "and end."]
    product = start({"steps": [{"reasoning": "Hm.", "text": text}], "mode": "echo"})
    product.open()
    session = product.new_session()
    assert "answer" not in load(product, session)
    turn = product.prompt(session, "go")
    first = product.update("textDelta", turn)
    loaded = load(product, session)
    assert loaded["answer"] == {
        "turnId": turn,
        "messageId": first["messageId"],
        "text": "I wait ",
        "reasoning": "Hm.",
    }
    assert texts(loaded) == ["go"]

    product.forget()
    (product.home / "open").touch()
    assert product.update("textDelta", turn)["text"] == "and end."
    product.update("turnEnded", turn)
    loaded = load(product, session)
    assert texts(loaded) == ["go", "Hm.", "I wait and end."]
    assert "answer" not in loaded


def test_an_error_is_there_again_with_what_to_do(start):
    product = start(FAILING)
    product.open()
    session = product.new_session()
    ended = product.turn(session, "go")[-1]
    assert ended["stopReason"] == "error"
    _, loaded = reloaded(start, product, session)
    (shown,) = loaded["shown"]
    assert shown["update"]["stopReason"] == "error"
    assert shown["update"]["turnId"] == ended["turnId"]
    assert shown["update"]["error"]["kind"] == ended["error"]["kind"]
    assert shown["update"]["error"]["message"] == ended["error"]["message"]
    assert shown["afterMessageId"] == loaded["messages"][-1]["id"]


def test_a_command_and_its_answer_are_there_again_and_reach_no_model(start):
    product = start({"mode": "echo"})
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    told = next(u for u in product.turn(session, "/mode  plan") if u["kind"] == "notice")
    assert told["command"] == "/mode plan"
    product.turn(session, "/nothing")
    later, loaded = reloaded(start, product, session)
    shown = [each["update"] for each in loaded["shown"]]
    assert [(each["command"], each["level"]) for each in shown] == [
        ("/mode plan", "info"),
        ("/nothing", "error"),
    ]
    assert shown[0]["markdown"] == told["markdown"]
    assert texts(loaded) == ["hello", "hello"]
    view = later.call("plimsoll/session/view", {"sessionId": session})["messages"]
    assert "/nothing" not in str(view)


def test_a_memory_that_a_command_showed_is_not_kept_in_the_log(start):
    product = start({"mode": "echo"})
    product.open()
    add(product, content="The capstan turns left.")
    session = product.new_session()
    told = next(u for u in product.turn(session, "/memories capstan") if u["kind"] == "notice")
    assert "Deployments" in told["markdown"]
    (shown,) = load(product, session)["shown"]
    assert shown["update"]["command"] == "/memories"
    assert "Deployments" not in str(shown)


def test_a_turn_whose_process_died_is_shown_as_interrupted(start):
    product = start(GATED)
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "go")
    product.update("textDelta", turn)
    later, loaded = reloaded(start, product, session)
    (shown,) = loaded["shown"]
    assert shown["update"] == {"kind": "turnEnded", "turnId": turn, "stopReason": "interrupted"}
    assert "runningTurnId" not in loaded
    # Said once, and a fork of it is another session's affair.
    later.turn(session, "go on")
    assert load(later, session)["shown"] == [shown]
    ask = load(later, session)["messages"][0]["id"]
    fork = later.call("plimsoll/session/fork", {"sessionId": session, "messageId": ask})
    _, copied = reloaded(start, later, fork["session"]["id"])
    assert copied["shown"] == []


def test_a_turn_that_runs_elsewhere_is_not_interrupted(start):
    product, other = start(GATED), start({"mode": "echo"})
    (product.workspace / "big.txt").write_text("row\n")
    product.open()
    session = product.new_session()
    turn = product.prompt(session, "go")
    product.update("textDelta", turn)
    other.open()
    assert load(other, session)["shown"] == []
    (product.home / "open").write_text("")
    product.update("turnEnded", turn)
    assert load(product, session)["shown"] == []


@pytest.mark.parametrize("undo", [False, True])
def test_what_a_rewind_hides_is_not_shown(start, undo):
    product = start({"mode": "echo"})
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    product.turn(session, "/cost")
    product.turn(session, "more")
    product.turn(session, "/mode ask")
    first = load(product, session)["messages"][1]["id"]
    params = {"sessionId": session, "messageId": first}
    edit = product.call("plimsoll/session/rewind", params)["editId"]
    if undo:
        product.call("plimsoll/context/undo", {"sessionId": session, "editId": edit})
    shown = [each["update"].get("command") for each in load(product, session)["shown"]]
    assert shown == (["/cost", "/mode ask", None] if undo else [])


@pytest.mark.parametrize("files", [False, True])
def test_what_was_told_of_a_rewind_is_there_again_with_its_undo_while_it_can_be(start, files):
    product = start({"steps": [*written("a.txt"), *written("b.txt")], "mode": "echo"})
    product.open()
    session = product.new_session()
    product.prompt(session, "first")
    question = product.server_request("plimsoll/session/requestPermission")
    product.answer(question, {"outcome": "selected", "optionId": "allowWider"})
    product.update("turnEnded")
    product.turn(session, "second")
    prompt = load(product, session)["messages"][0]["id"]
    params = {"sessionId": session, "messageId": prompt, "restoreFiles": files}
    edit = product.call("plimsoll/session/rewind", params)["editId"]
    done = "2 files restored." if files else "Files stay as they are."
    told = {
        "kind": "notice",
        "markdown": f"What came after the prompt left the conversation.\n\n{done}",
        "level": "info",
        "data": {"undo": edit},
    }
    later, loaded = reloaded(start, product, session)
    assert [(each["afterMessageId"], each["update"]) for each in loaded["shown"]] == [
        (prompt, told)
    ]
    later.call("plimsoll/context/undo", {"sessionId": session, "editId": edit})
    (shown,) = load(later, session)["shown"]
    assert shown["update"]["markdown"].startswith("What had left the conversation is back.")
    later.call("plimsoll/session/rewind", params)
    later.turn(session, "third")
    shown = [each["update"] for each in load(later, session)["shown"]]
    assert [(each["markdown"][:26], each.get("data")) for each in shown] == [
        ("What came after the prompt", None)
    ]


def test_the_tasks_are_there_again_as_a_tree(start):
    below = {"title": "Raise the jib", "status": "inProgress"}
    tasks = [{"title": "Sail", "status": "pending", "children": [below]}]
    step = {"calls": [{"name": "tasks", "arguments": {"tasks": tasks}}]}
    product = start({"steps": [step, {"text": "Listed."}]})
    product.open()
    session = product.new_session()
    product.turn(session, "go")
    told = [u["tasks"] for u in product.updates(session) if u["kind"] == "tasks"]
    assert told == [tasks]
    _, loaded = reloaded(start, product, session)
    assert loaded["tasks"] == tasks
