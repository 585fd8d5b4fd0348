"""Two windows on one session: one writes it, the other follows until it takes it over."""

import pytest

from product.harness import texts
from product.sessions.test_queue import AT_THE_END, open_gate

NAME = "Visual Studio Code"


@pytest.fixture
def windows(start):
    """Open two windows on one session in which one turn was run by the first."""
    ours, theirs = start({"mode": "echo"}), start({"mode": "echo"})
    for each in (ours, theirs):
        each.open(windowName=NAME)
    session = ours.new_session()
    ours.turn(session, "One.")
    return ours, theirs, session


def load(product, session):
    params = {"workspaceFolder": product.uri, "sessionId": session}
    return product.call("plimsoll/session/load", params)


def holder_of(product):
    return f"{NAME}, process {product.process.pid}"


def named(held_by):
    """Leave out since when."""
    return None if held_by is None else held_by.partition(", since 2")[0]


def told_of(product, held_by, after=0, **more):
    """Wait until a window is told who else writes the session on its screen, and ``more`` of it."""

    def matches(message):
        params = message.get("params") or {}
        update = params.get("update") or {}
        told = update.get("kind") == "sessionChanged" and params["seq"] > after
        if not told or named(update["session"].get("heldBy")) != held_by:
            return False
        return all(update["session"].get(name) == value for name, value in more.items())

    return product.wait_for(matches)["params"]


def test_the_second_window_reads_what_the_first_one_says(windows):
    ours, theirs, session = windows
    loaded = load(theirs, session)
    assert named(loaded["session"]["heldBy"]) == holder_of(ours)
    assert "heldBy" not in load(ours, session)["session"]

    ours.turn(session, "Two.")
    told = told_of(theirs, holder_of(ours), loaded["seq"])
    assert told["seq"] > loaded["seq"] + 1, "the gap tells the client to load"
    assert texts(load(theirs, session)) == texts(load(ours, session))
    assert "Two." in texts(load(theirs, session))


def test_what_would_change_the_session_is_refused_in_the_second(windows):
    ours, theirs, session = windows
    before = load(theirs, session)["messages"]
    content = [{"type": "text", "text": "Mine."}]
    for method, params in (
        ("session/prompt", {"content": content}),
        ("session/rename", {"title": "Mine"}),
        ("session/setMode", {"mode": "plan"}),
        ("session/rewind", {"messageId": before[0]["id"]}),
        ("session/delete", {}),
        ("pin/add", {"text": "Mine.", "scope": "session"}),
        ("context/compact", {}),
    ):
        error = theirs.failure(f"plimsoll/{method}", {"sessionId": session, **params})["data"]
        assert (error["kind"], named(error.get("heldBy"))) == ("busy", holder_of(ours)), (
            method,
            error,
        )
    assert load(ours, session)["messages"] == before


def test_the_second_takes_over_and_the_first_follows(windows):
    ours, theirs, session = windows
    load(theirs, session)
    taken = theirs.call("plimsoll/session/takeOver", {"sessionId": session})
    assert "heldBy" not in taken["session"]
    theirs.turn(session, "Two.")

    told_of(ours, holder_of(theirs))
    assert "Two." in texts(load(ours, session))
    content = [{"type": "text", "text": "Three."}]
    error = ours.failure("plimsoll/session/prompt", {"sessionId": session, "content": content})
    assert named(error["data"]["heldBy"]) == holder_of(theirs)


def test_nothing_is_taken_over_while_a_turn_runs(start):
    ours, theirs = start(AT_THE_END), start(AT_THE_END)
    for each in (ours, theirs):
        each.open(windowName=NAME)
    session = ours.new_session()
    turn = ours.prompt(session, "One.")
    ours.update("textDelta", turn)
    load(theirs, session)

    error = theirs.failure("plimsoll/session/takeOver", {"sessionId": session})
    assert error["data"]["kind"] == "busy"
    open_gate(ours)
    assert ours.update("turnEnded", turn)["stopReason"] == "endTurn"
    assert "heldBy" not in theirs.call("plimsoll/session/takeOver", {"sessionId": session})


@pytest.mark.parametrize("end", ["killed", "another session"])
def test_when_the_first_lets_go_the_second_may_write(windows, end):
    ours, theirs, session = windows
    load(theirs, session)
    if end == "killed":
        ours.process.kill()
    else:
        other = ours.new_session()
        ours.turn(other, "Elsewhere.")

    told_of(theirs, None)
    theirs.turn(session, "Two.")
    assert "Two." in texts(load(theirs, session))


def test_a_client_without_a_window_name_writes_as_before(windows, start):
    ours, _theirs, session = windows
    terminal = start({"mode": "echo"})
    terminal.open()
    assert "heldBy" not in load(terminal, session)["session"]
    terminal.turn(session, "From elsewhere.")

    told_of(ours, None)
    assert "From elsewhere." in texts(load(ours, session))


def test_the_second_is_told_whether_a_turn_runs_in_the_first(start):
    ours, theirs = start(AT_THE_END), start(AT_THE_END)
    for each in (ours, theirs):
        each.open(windowName=NAME)
    session = ours.new_session()
    turn = ours.prompt(session, "One.")
    ours.update("textDelta", turn)
    loaded = load(theirs, session)
    assert (named(loaded["session"]["heldBy"]), loaded["session"]["state"]) == (
        holder_of(ours),
        "running",
    )
    assert "state" not in load(ours, session)["session"]

    open_gate(ours)
    ours.update("turnEnded", turn)
    told_of(theirs, holder_of(ours), state="idle")
    assert load(theirs, session)["session"]["state"] == "idle"


def test_a_turn_whose_process_was_killed_runs_nowhere(start):
    ours, theirs = start(AT_THE_END), start(AT_THE_END)
    for each in (ours, theirs):
        each.open(windowName=NAME)
    session = ours.new_session()
    turn = ours.prompt(session, "One.")
    ours.update("textDelta", turn)
    assert load(theirs, session)["session"]["state"] == "running"

    ours.process.kill()
    told_of(theirs, None, state=None)
    assert "state" not in load(theirs, session)["session"]


def test_a_process_whose_window_is_gone_lets_go_by_itself(start):
    ours, theirs = start({"mode": "echo"}), start({"mode": "echo"})
    # It says that it would answer for its window, and does not.
    ours.open(windowName=NAME, capabilities={"sessionUpdates": True, "presence": True})
    theirs.open(windowName=NAME)
    session = ours.new_session()
    ours.turn(session, "One.")
    loaded = load(theirs, session)
    assert named(loaded["session"]["heldBy"]) == holder_of(ours)
    told_of(theirs, None, loaded["seq"])
    theirs.turn(session, "Two.")
    content = [{"type": "text", "text": "Three."}]
    error = ours.failure("plimsoll/session/prompt", {"sessionId": session, "content": content})
    assert named(error["data"]["heldBy"]) == holder_of(theirs)
