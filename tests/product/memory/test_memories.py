"""Memories over the wire: kept, told to later sessions, hidden at once and audited."""

import json

import pytest

from product.memory.asking import CHANGED, RULE, add, audit, audit_with, listed, told


@pytest.fixture
def product(start):
    begun = start({"mode": "echo"})
    begun.open()
    return begun


def test_what_is_remembered_is_told_to_a_later_session_and_counted(product):
    add(product)
    (kept,) = listed(product)
    assert (kept["state"], kept["author"], kept["trust"]) == ("active", "user", "user")
    session = product.new_session()
    expected = told(product, session)
    assert listed(product)[0].get("timesUsed", 0) == 0
    product.turn(session, "How do we deploy?")
    frame = told(product, session)
    assert frame["content"] == expected["content"]
    assert frame["role"] == "user"
    assert f"> {RULE}" in frame["content"]
    report = product.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    parts = {part["kind"]: part["tokens"] for part in report["meter"]["parts"]}
    (item,) = [item for item in report["items"] if item["id"] == "frame.memories"]
    assert 0 < parts["memories"] == item["tokens"]
    assert sum(parts.values()) == report["meter"]["used"]
    assert listed(product)[0]["timesUsed"] == 1


def test_forget_hides_at_once_and_restore_brings_it_back_for_a_new_session(product):
    kept = add(product)
    session = product.new_session()
    product.turn(session, "How do we deploy?")
    assert RULE in told(product, session)["content"]
    product.call("plimsoll/memory/forget", {"memoryId": kept["id"]})
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert RULE not in json.dumps(view["messages"])
    assert listed(product) == []
    back = product.call("plimsoll/memory/restore", {"memoryId": kept["id"]})["memory"]
    assert back["state"] == "active"
    later = product.new_session()
    product.turn(later, "How do we deploy?")
    assert RULE in told(product, later)["content"]


def test_what_is_left_out_of_an_update_stays_and_a_date_can_be_taken_away(product):
    kept = add(product, expiresAt="2030-01-02", **{"class": "working"})
    assert (kept["expiresAt"], kept["class"]) == ("2030-01-02T00:00:00.000Z", "working")

    def update(**fields):
        return product.call("plimsoll/memory/update", {"memoryId": kept["id"], **fields})["memory"]

    assert update(title="Releases") == {**kept, "title": "Releases"}
    assert update(expiresAt=None, pinned=True) == {
        **{key: kept[key] for key in kept if key != "expiresAt"},
        "title": "Releases",
        "pinned": True,
    }
    failure = product.failure(
        "plimsoll/memory/update", {"memoryId": kept["id"], "expiresAt": "tomorrow"}
    )
    assert "'tomorrow' is not a time" in failure["message"]
    assert [event["action"] for event in audit(product)] == ["added", "updated", "updated"]


def test_lists_are_filtered_and_a_search_has_scores(product):
    first = add(product)
    second = add(product, "Tabs", "Indent with tabs.", type="user", **{"class": "priority"})
    assert {each["id"] for each in listed(product)} == {first["id"], second["id"]}
    assert listed(product, type="user") == [second]
    assert listed(product, **{"class": "durable"}) == [first]
    assert listed(product, inbox=True) == []
    search = {"workspaceFolder": product.uri, "query": "where do deployments come from"}
    (found,) = product.call("plimsoll/memory/search", search)["memories"]
    assert found.pop("score") > 0
    assert found == first


def test_a_secret_is_refused_and_not_repeated(product):
    key = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    params = {"workspaceFolder": product.uri, "type": "project", "title": "Key", "content": key}
    failure = product.failure("plimsoll/memory/add", params)
    assert failure["data"]["kind"] == "memoryRefused"
    assert key not in json.dumps(failure)
    assert (listed(product), audit(product)) == ([], [])


def test_a_memory_that_is_not_there_is_named(product):
    for verb, more in (("update", {"title": "x"}), ("forget", {}), ("restore", {})):
        failure = product.failure(f"plimsoll/memory/{verb}", {"memoryId": "k0", **more})
        assert failure["data"]["kind"] == "memoryNotFound"
    kept = add(product)
    for accept in (True, False):
        verdict = {"memoryId": kept["id"], "accept": accept}
        failure = product.failure("plimsoll/memory/review", verdict)
        assert "not in the inbox: it is active" in failure["message"]
    assert listed(product) == [kept]


def test_a_memory_is_found_by_its_id_whatever_folder_it_is_in(start, tmp_path):
    first = start({"mode": "echo"})
    first.open()
    kept = add(first)
    first.call("shutdown")
    first.notify("exit")
    assert first.wait_closed() == 0
    second = start({"mode": "echo"})
    second.open()
    changed = second.call("plimsoll/memory/update", {"memoryId": kept["id"], "title": "Found"})
    assert changed["memory"]["title"] == "Found"


def test_a_purge_leaves_the_history_alone(product):
    kept = add(product)
    product.call("plimsoll/memory/forget", {"memoryId": kept["id"], "purge": True})
    params = {"memoryId": kept["id"]}
    assert product.failure("plimsoll/memory/restore", params)["data"]["kind"] == "memoryNotFound"
    assert [event["action"] for event in audit(product, **params)] == ["added", "purged"]
    for file in (product.home / "data").rglob("*"):
        assert not file.is_file() or b"branch release" not in file.read_bytes()


def test_people_remember_search_forget_and_change_their_mind(product):
    session = product.new_session()
    kept = product.turn(session, f"/remember {RULE}")[1]
    name = kept["data"]["memory"]["id"]
    assert kept["data"]["memory"]["source"] == {"sessionId": session}
    assert f"/forget {name}" in kept["markdown"]
    add(product, "Tabs", "Indent with tabs.")
    assert "**Tabs**" in product.turn(session, "/memories")[1]["markdown"]
    found = product.turn(session, "/memories how to deploy")[1]["markdown"]
    assert name in found
    assert "Tabs" not in found
    assert "No memory fits" in product.turn(session, "/memories zebra")[1]["markdown"]
    product.turn(session, f"/forget {name}")
    assert [each["title"] for each in listed(product)] == ["Tabs"]
    product.turn(session, f"/unforget {name[:6]}")
    assert len(listed(product)) == 2
    for text, words in (
        ("/remember", "There is no text to remember."),
        ("/forget", "No memory is named."),
        ("/forget k", "2 memories begin with 'k'."),
        ("/forget zebra", "No memory 'zebra'."),
        ("/accept k", "No memory 'k'."),
    ):
        notice = product.turn(session, text)[1]
        assert notice["level"] == "error"
        assert words in notice["markdown"]


def test_a_selection_goes_stale_with_its_file(product, start):
    file = product.workspace / "harbour.py"
    file.write_text("DEPTH = 12\n")
    kept = add(product, source={"uri": file.as_uri()})
    assert kept["source"]["uri"] == file.as_uri()
    assert len(kept["source"]["sha256"]) == 64
    outside = product.home / "outside.txt"
    outside.write_text("x\n")
    other = add(product, "Other", "Other words.", source={"uri": outside.as_uri()})
    assert other["source"] == {"uri": outside.as_uri()}
    file.write_text("DEPTH = 13\n")
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    later = start({"mode": "echo"})
    later.open()
    later.turn(later.new_session(), "hello")
    events = {event["memoryId"]: event for event in audit_with(later, "stale")}
    assert events.keys() == {kept["id"]}
    assert events[kept["id"]]["reason"] == "its file has changed"
    states = {each["title"]: each["state"] for each in listed(later)}
    assert states == {"Deployments": "stale", "Other": "active"}


def test_the_export_quotes_everything(product):
    add(product, "Tabs", "# Not a heading\nIndent with tabs.")
    markdown = product.call("plimsoll/memory/export", {"workspaceFolder": product.uri})["markdown"]
    assert markdown.startswith("# Memories of this project\n\n## Project Knowledge\n")
    assert "\n> # Not a heading\n> Indent with tabs.\n" in markdown


def test_two_servers_on_one_store_see_each_others_memories(product, start):
    second = start({"mode": "echo"})
    second.open()
    session = second.new_session()
    kept = add(product)
    assert listed(second) == [kept]
    second.turn(session, "How do we deploy?")
    assert RULE in told(second, session)["content"]
    product.call("plimsoll/memory/forget", {"memoryId": kept["id"]})
    assert listed(second) == []
    second.turn(session, "And now?")
    assert told(second, session) is None


def test_a_plain_client_hears_of_changes_too(start):
    plain = start({"mode": "echo"})
    plain.open(capabilities={})
    add(plain)
    assert plain.notification(CHANGED)["params"]["inboxCount"] == 0


def test_view_and_meter_right_after_new_show_the_memories_of_the_first_request(start):
    product = start()
    product.open()
    session = product.new_session()
    empty = product.call("plimsoll/context/meter", {"sessionId": session})["used"]
    add(product, "The harbour master answers on channel 12.")
    session = product.new_session()
    view = product.call("plimsoll/session/view", {"sessionId": session})
    [told] = [m["content"] for m in view["messages"] if "channel 12" in str(m["content"])]
    meter = product.call("plimsoll/context/meter", {"sessionId": session})
    assert meter["used"] == view["meter"]["used"] > empty
    product.turn(session, "hello")
    later = product.call("plimsoll/session/view", {"sessionId": session})
    assert told in [m["content"] for m in later["messages"]]


def test_memories_come_in_parts_with_their_fields_and_an_export_comes_back(product):
    for number in range(5):
        more = {"importance": number + 1, "tags": ["sea"], "scope": "team"}
        add(product, f"Mast {number}", f"The mast {number} is {number * 7} feet tall.", **more)
    params = {"workspaceFolder": product.uri, "limit": 2}
    seen, cursor = [], {}
    while True:
        part = product.call("plimsoll/memory/list", {**params, **cursor})
        seen += part["memories"]
        if "nextCursor" not in part:
            break
        cursor = {"cursor": part["nextCursor"]}
    assert seen == listed(product)
    assert {(one["scope"], *one["tags"]) for one in seen} == {("team", "sea")}
    changed = {"memoryId": seen[0]["id"], "importance": 2, "tags": [], "scope": "private"}
    after = product.call("plimsoll/memory/update", changed)["memory"]
    assert (after["importance"], after["scope"], "tags" in after) == (2, "private", False)
    assert product.failure("plimsoll/memory/list", {**params, "cursor": "x"})["code"] < 0

    markdown = product.call("plimsoll/memory/export", {"workspaceFolder": product.uri})["markdown"]
    product.call("plimsoll/memory/forget", {"memoryId": seen[1]["id"], "purge": True})
    taken = {"workspaceFolder": product.uri, "markdown": markdown, "uri": "file:///w/notes.md"}
    assert product.call("plimsoll/memory/import", taken) == {"waiting": 0, "leftOut": 5}
    other = markdown.replace("feet", "metres")
    assert product.call("plimsoll/memory/import", {**taken, "markdown": other})["waiting"] == 5
    assert {one["source"]["uri"] for one in listed(product, inbox=True)} == {"file:///w/notes.md"}
