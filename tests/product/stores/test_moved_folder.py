"""A folder that was moved: offered, and taken over only on the user's word."""

import pytest

RULE = "We deploy from the branch release."
ASKED = "Which database holds the cargo manifest and the ballast of every voyage?"
ASK = "window/showMessageRequest"
CHANGED = "plimsoll/memory/didChange"
NOTE = {"type": "project", "title": "Deployments", "content": RULE}


@pytest.fixture
def moved(start):
    """A folder with a session, a memory and a pin, which was moved while it was open."""
    product = start({"mode": "echo"})
    product.open()
    session = product.new_session()
    product.turn(session, ASKED)
    product.call("plimsoll/pin/add", {"workspaceFolder": product.uri, "text": "Tabs."})
    product.call("plimsoll/memory/add", {"workspaceFolder": product.uri, **NOTE})
    new = product.home / "elsewhere"
    product.workspace.rename(new)
    return product, session, new.as_uri()


def memories(product, folder):
    found = product.call("plimsoll/memory/list", {"workspaceFolder": folder})["memories"]
    return [each["content"] for each in found if not each.get("digest")]


def sessions(product, folder):
    found = product.call("plimsoll/session/list", {"workspaceFolder": folder})["sessions"]
    return [(each["id"], each["workspaceFolder"]) for each in found]


def warnings(product):
    found = product.call("plimsoll/status", {})["warnings"]
    return [each for each in found if each["code"] == "folderMoved"]


def again(product, start, uri, answer=None):
    """Another server, in the folder's new place; ``answer``: to the offer."""
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    later = start({"mode": "echo"})
    later.workspace.rmdir()
    later.uri = uri
    if answer is not None:
        later.responses[ASK] = {"title": answer}
    later.open()
    return later


def test_a_moved_folder_is_offered_and_nothing_is_seen_before(moved, start):
    product, session, new = moved
    later = again(product, start, new)
    assert (memories(later, new), sessions(later, new)) == ([], [])
    (warning,) = warnings(later)
    assert later.workspace.name in warning["message"]
    assert "plimsoll/project/link" in warning["remedy"]
    link = {"workspaceFolder": new, "fromPath": product.uri}
    assert later.call("plimsoll/project/link", link) == {}
    assert (memories(later, new), sessions(later, new)) == ([RULE], [(session, new)])
    pins = later.call("plimsoll/pin/list", {"workspaceFolder": new})["pins"]
    assert [pin["text"] for pin in pins] == ["Tabs."]
    assert warnings(later) == []
    loaded = later.call("plimsoll/session/load", {"workspaceFolder": new})
    assert loaded["session"]["id"] == session
    held = later.call("plimsoll/pin/list", {"sessionId": session})["pins"]
    assert [(pin["text"], pin["scope"]) for pin in held] == [("Tabs.", "workspace")]
    fresh = later.call("plimsoll/session/new", {"workspaceFolder": new})["session"]["id"]
    later.turn(fresh, "Where does the cargo manifest database live now?")
    view = later.call("plimsoll/session/view", {"sessionId": fresh})["messages"]
    frames = {each["itemIds"][0]: each["content"] for each in view}
    assert RULE in frames["frame.memories"]
    assert ASKED in frames["frame.recall"]


def test_the_person_is_asked_and_says_yes(moved, start):
    product, session, new = moved
    later = again(product, start, new, "Take over")
    assert memories(later, new) in ([], [RULE])
    asked = later.server_request(ASK)["params"]
    assert product.workspace.name in asked["message"]
    assert [each["title"] for each in asked["actions"]] == ["Take over", "Not now"]
    assert later.notification(CHANGED)["params"]["workspaceFolder"] == new
    assert (memories(later, new), sessions(later, new)) == ([RULE], [(session, new)])


@pytest.mark.parametrize("answer", ["Not now", None])
def test_the_person_is_asked_once_and_no_or_silence_takes_nothing_over(moved, start, answer):
    product, _, new = moved
    later = again(product, start, new, answer)
    for _ in range(3):
        assert (memories(later, new), sessions(later, new)) == ([], [])
    later.server_request(ASK)
    later.turn(later.new_session(), "Hello.")
    assert memories(later, new) == []
    assert len([each for each in later.messages if each.get("method") == ASK]) == 1
    assert len(warnings(later)) == 1


def test_it_can_be_linked_by_command_while_it_is_still_open(moved):
    product, session, new = moved
    assert memories(product, new) == []
    argument = {"workspaceFolder": new, "fromPath": product.uri}
    params = {"command": "plimsoll.server.linkProject", "arguments": [argument]}
    product.call("workspace/executeCommand", params)
    assert (memories(product, new), sessions(product, new)) == ([RULE], [(session, new)])
    product.turn(session, "Go on.")
    changed = product.notifications(CHANGED)[-1]["params"]
    assert changed["workspaceFolder"] == new


def test_a_folder_that_is_still_there_keeps_what_it_has(moved):
    product, _, new = moved
    product.workspace.mkdir()
    link = {"workspaceFolder": new, "fromPath": product.uri}
    assert "still is a folder" in product.failure("plimsoll/project/link", link)["message"]
    assert memories(product, product.uri) == [RULE]
    never = {"workspaceFolder": new, "fromPath": (product.home / "never").as_uri()}
    assert product.failure("plimsoll/project/link", never)["data"]["kind"] == "projectNotFound"
    for odd in ("untitled:one", "file:relative", "https://x.org/a"):
        failure = product.failure(
            "plimsoll/project/link", {"workspaceFolder": new, "fromPath": odd}
        )
        assert "is not a folder on this machine" in failure["message"]
