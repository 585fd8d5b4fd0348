"""Two servers on one folder: what one of them lets go does not come back through the other."""

from product.harness import texts
from product.memory.test_memories import add, told

SECRET_WORD = "zanzibarquartz"


def stored(home):
    """Every byte of the data folder, whichever file holds it."""
    files = (path for path in (home / "data").rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files)


def test_what_another_server_purged_does_not_come_back(start, tmp_path):
    ours, theirs = start({"mode": "echo"}), start({"mode": "echo"})
    ours.open()
    theirs.open()
    kept = add(ours, content=f"We deploy from the branch {SECRET_WORD}.")
    session = ours.new_session()
    ours.turn(session, "How do we deploy?")
    assert SECRET_WORD in told(ours, session)["content"]

    theirs.call("plimsoll/memory/forget", {"memoryId": kept["id"], "purge": True})
    fork = ours.call("plimsoll/session/fork", {"sessionId": session})["session"]["id"]
    exported = ours.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
    ours.turn(session, "Go on.")
    ours.turn(fork, "Go on.")

    assert SECRET_WORD not in exported
    assert told(ours, session) is None
    assert told(ours, fork) is None
    assert SECRET_WORD.encode() not in stored(tmp_path)


def test_appends_that_wait_for_no_answer_are_all_taken_in_their_order(start):
    product = start()
    product.open()
    session = product.new_session()
    asked = [
        product.request(
            "plimsoll/session/append",
            {
                "sessionId": session,
                "messages": [{"role": "user", "content": [{"type": "text", "text": f"{number}"}]}],
            },
        )
        for number in range(60)
    ]
    for each in asked:
        assert "error" not in product.reply(each)
    loaded = product.call("plimsoll/session/load", {"workspaceFolder": product.uri})
    assert texts(loaded) == [str(number) for number in range(60)]


def test_what_another_server_wrote_of_a_session_stays(start):
    ours, theirs = start({"mode": "echo"}), start({"mode": "echo"})
    ours.open()
    theirs.open()
    session = ours.new_session()
    ours.turn(session, "One.")
    theirs.call("plimsoll/session/load", {"workspaceFolder": theirs.uri, "sessionId": session})

    ours.call("plimsoll/session/rename", {"sessionId": session, "title": "A better name"})
    theirs.turn(session, "Two.")

    for each in (ours, theirs):
        loaded = each.call(
            "plimsoll/session/load", {"workspaceFolder": each.uri, "sessionId": session}
        )["session"]
        assert (loaded["title"], loaded["turns"]) == ("A better name", 2)
