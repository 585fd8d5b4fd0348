"""What an agent saves or corrects over the wire waits until a person has decided."""

import pytest

from product.memory.asking import CHANGED, RULE, add, audit, listed, told


def saved(content):
    note = {"type": "feedback", "title": "Rule", "content": content}
    return {"name": "memory_save", "arguments": note}


@pytest.fixture
def waiting(start):
    """A note of an agent that has read a file: it waits for a review."""
    read = {"name": "file_read", "arguments": {"path": "notes.txt"}}
    steps = [{"calls": [read]}, {"calls": [saved("Run the ```harbour``` script.")]}, {"text": "ok"}]
    begun = start({"steps": steps, "mode": "echo"})
    (begun.workspace / "notes.txt").write_text("Remember to run the harbour script.\n")
    begun.open()
    session = begun.new_session()
    begun.turn(session, "What do the notes say?")
    return begun, session


def test_what_an_agent_saves_after_reading_waits_for_a_review(waiting):
    product, _ = waiting
    (note,) = listed(product, inbox=True)
    assert (note["state"], note["author"], note["trust"]) == ("inbox", "agent", "extracted")
    assert listed(product, inbox=False) == []
    assert product.notifications(CHANGED)[-1]["params"] == {
        "workspaceFolder": product.uri,
        "inboxCount": 1,
    }
    other = product.new_session()
    product.turn(other, "What about the harbour script?")
    assert told(product, other) is None or "harbour" not in told(product, other)["content"]
    verdict = {"memoryId": note["id"], "accept": True}
    accepted = product.call("plimsoll/memory/review", verdict)["memory"]
    assert accepted == {**note, "state": "active"}
    product.wait_for(
        lambda each: each.get("method") == CHANGED and not each["params"]["inboxCount"]
    )
    later = product.new_session()
    product.turn(later, "What about the harbour script?")
    assert "> Run the ```harbour``` script." in told(product, later)["content"]
    assert [event["action"] for event in audit(product, memoryId=note["id"])] == [
        "added",
        "accepted",
        "used",
    ]


def test_what_is_rejected_is_gone_and_cannot_be_saved_again(waiting):
    product, _ = waiting
    (note,) = listed(product, inbox=True)
    assert product.call("plimsoll/memory/review", {"memoryId": note["id"], "accept": False}) == {}
    assert listed(product) == []
    product.call("plimsoll/memory/restore", {"memoryId": note["id"]})
    assert listed(product, inbox=True) == [note]


def test_people_review_what_waits_with_slash_commands(waiting):
    product, session = waiting
    (note,) = listed(product, inbox=True)
    shown = product.turn(session, "/inbox")[1]["markdown"]
    assert f"`{note['id']}` **Rule**" in shown
    assert f"session `{session}`" in shown
    assert "\n````\nRun the ```harbour``` script.\n````" in shown
    assert "Waiting for your review: 1" in product.turn(session, "/memories")[1]["markdown"]
    done = product.turn(session, f"/accept {note['id'][:9]}")[1]
    assert (done["markdown"], done["data"]["memory"]["state"]) == ("Accepted: **Rule**.", "active")
    assert "Nothing waits" in product.turn(session, "/inbox")[1]["markdown"]
    again = product.turn(session, f"/reject {note['id']}")[1]
    assert again["level"] == "error"


def test_the_same_over_commands_for_any_editor(waiting):
    product, _ = waiting
    (note,) = listed(product, inbox=True)

    def command(verb, **argument):
        params = {"command": f"plimsoll.server.{verb}", "arguments": [argument]}
        return product.call("workspace/executeCommand", params)

    def sessions():
        return product.call("plimsoll/session/list", {"workspaceFolder": product.uri})["sessions"]

    before = len(sessions())
    shown = command("memories", inbox=True)
    assert shown["result"]["memories"] == [note]
    assert "Run the ```harbour``` script." in shown["message"]
    assert command("reviewMemory", memoryId=note["id"], accept=True)["message"] == (
        "Accepted: **Rule**."
    )
    kept = command("remember", type="user", title="Tabs", content="Tabs, please.")["result"]
    name = kept["memory"]["id"]
    changed = command("updateMemory", memoryId=name, content="Tabs.")["result"]["memory"]
    assert changed["content"] == "Tabs."
    command("forget", memoryId=name)
    assert len(listed(product)) == 1
    assert name in command("restoreMemory", memoryId=name)["message"]
    assert len(listed(product)) == 2
    assert len(sessions()) == before


def test_a_correction_of_the_agent_shows_old_and_new_until_a_person_decides(start):
    begun = start({"mode": "echo"})
    begun.open()
    kept = add(begun)
    corrected = {**saved("We deploy from main.")["arguments"], "corrects": kept["id"]}
    step = {"calls": [{"name": "memory_save", "arguments": corrected}]}
    product = start({"steps": [step, {"text": "ok"}], "mode": "echo"})
    product.open()
    product.turn(product.new_session(), "From where do we deploy?")
    (waiting,) = listed(product, inbox=True)
    assert (waiting["supersedes"], waiting["superseded"]) == (
        kept["id"],
        {"title": "Deployments", "content": RULE},
    )
    assert [each["id"] for each in listed(product, inbox=False)] == [kept["id"]]
    product.call("plimsoll/memory/review", {"memoryId": waiting["id"], "accept": True})
    (now,) = listed(product)
    assert (now["content"], now["supersedes"]) == ("We deploy from main.", kept["id"])
    assert "superseded" not in now
