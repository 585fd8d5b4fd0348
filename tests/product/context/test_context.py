"""The context over the wire: meter, report, compaction, undo, pins, export and import."""

import json

import pytest

from product.harness import READ

SCRIPT = {"steps": [{"calls": [READ]}, {"text": ["It is long."]}], "mode": "echo"}


@pytest.fixture
def held(start):
    product = start(SCRIPT, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
    (product.workspace / "big.txt").write_text("".join(f"row {n} value\n" for n in range(400)))
    product.open()
    session = product.new_session()
    product.turn(session, "Read big.txt. Never change it.")
    return product, session


def test_the_meter_sums_exactly_and_matches_the_view_and_the_report(held):
    product, session = held
    meter = product.call("plimsoll/context/meter", {"sessionId": session})
    assert sum(part["tokens"] for part in meter["parts"]) == meter["used"]
    assert meter["percent"] == round(100 * meter["used"] / meter["effective"], 1)
    report = product.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    standing = [item for item in report["items"] if item["tokens"]]
    assert sum(item["tokens"] for item in standing) == meter["used"]
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert view["meter"]["used"] == meter["used"]
    named = [item for message in view["messages"] for item in message["itemIds"]]
    tools = [item["id"] for item in standing if item["kind"] == "tools"]
    assert sorted([*named, *tools]) == sorted(item["id"] for item in standing)


def test_a_draft_is_counted_and_writes_nothing(held):
    product, session = held
    plain = product.call("plimsoll/context/meter", {"sessionId": session})
    draft = [{"type": "text", "text": "and what about the last row?"}]
    loaded = product.call("plimsoll/context/meter", {"sessionId": session, "draft": draft})
    kinds = {part["kind"]: part["tokens"] for part in loaded["parts"]}
    assert loaded["used"] == plain["used"] + kinds["draft"]
    assert product.call("plimsoll/context/meter", {"sessionId": session}) == plain


def test_compact_and_undo_give_the_same_view_back(held):
    product, session = held
    view = product.call("plimsoll/session/view", {"sessionId": session})
    receipt = product.call("plimsoll/context/compact", {"sessionId": session})["receipt"]
    assert receipt["tokensAfter"] < receipt["tokensBefore"]
    assert receipt["stage"] == "digest"
    lighter = product.call("plimsoll/session/view", {"sessionId": session})
    assert lighter["meter"]["used"] == receipt["tokensAfter"]
    spoken = "".join(str(message["content"]) for message in lighter["messages"])
    assert "Never change it." in spoken
    params = {"sessionId": session, "editId": receipt["id"]}
    both = product.call("plimsoll/context/diff", params)
    assert "row 399 value" in both["before"]
    assert "row 200 value" not in both["after"]
    assert product.call("plimsoll/context/undo", params)["receipt"]["undone"] is True
    assert product.call("plimsoll/session/view", {"sessionId": session}) == view
    assert product.failure("plimsoll/context/undo", params)["data"]["kind"] == "notUndoable"


def test_compact_reports_progress_on_its_token(held):
    product, session = held
    product.call("plimsoll/context/compact", {"sessionId": session, "workDoneToken": "t-1"})
    kinds = [m["params"]["value"]["kind"] for m in product.notifications("$/progress")]
    assert kinds == ["begin", "end"]


def test_evict_leaves_a_placeholder_and_restore_brings_back(held):
    product, session = held
    report = product.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
    result = next(item for item in report["items"] if item["kind"] == "toolResults")
    params = {"sessionId": session, "itemIds": [result["id"]]}
    before = product.call("plimsoll/session/view", {"sessionId": session})
    product.call("plimsoll/context/evict", params)
    told = product.call("plimsoll/context/explain", {"sessionId": session, "itemId": result["id"]})[
        "markdown"
    ]
    assert "removed" in told
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert "row 399" not in json.dumps(view["messages"])
    product.call("plimsoll/context/restore", params)
    restored = product.call("plimsoll/session/view", {"sessionId": session})
    assert restored["messages"] == before["messages"]


def test_a_pin_is_in_every_request_until_it_is_taken_away(held):
    product, session = held
    pin = product.call("plimsoll/pin/add", {"sessionId": session, "text": "Tabs, not spaces."})[
        "pin"
    ]
    assert (pin["number"], pin["scope"]) == (1, "session")
    product.call("plimsoll/context/compact", {"sessionId": session})
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert "Tabs, not spaces." in json.dumps(view["messages"][0])
    product.call("plimsoll/pin/remove", {"sessionId": session, "number": 1})
    second = product.call("plimsoll/pin/add", {"sessionId": session, "text": "Other."})["pin"]
    assert second["number"] == 2
    view = product.call("plimsoll/session/view", {"sessionId": session})
    assert "Tabs, not spaces." not in json.dumps(view["messages"])


def test_pins_have_a_budget_and_say_by_how_much(held):
    product, session = held
    params = {"sessionId": session, "text": "word " * 20_000}
    failure = product.failure("plimsoll/pin/add", params)
    assert failure["data"]["needsTokens"] > 0


def test_export_and_import_give_the_same_view(held):
    product, session = held
    product.call("plimsoll/context/compact", {"sessionId": session})
    view = product.call("plimsoll/session/view", {"sessionId": session})
    jsonl = product.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
    params = {"workspaceFolder": product.uri, "jsonl": jsonl}
    copy = product.call("plimsoll/context/import", params)["session"]["id"]
    assert copy != session
    again = product.call("plimsoll/session/view", {"sessionId": copy})
    assert again["messages"] == view["messages"]
    assert again["tools"] == view["tools"]


def test_a_damaged_export_is_refused_with_its_line(held):
    product, session = held
    jsonl = product.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
    lines = jsonl.split("\n")
    lines[3] = lines[3][:-5]
    params = {"workspaceFolder": product.uri, "jsonl": "\n".join(lines)}
    failure = product.failure("plimsoll/context/import", params)
    assert failure["data"]["kind"] == "logInvalid"
    assert "line 4" in failure["message"]


def test_a_prompt_that_cannot_fit_says_so_and_calls_no_model(start):
    product = start(SCRIPT, PLIMSOLL_MODEL__CONTEXT_WINDOW="8000")
    product.open()
    updates = product.turn(product.new_session(), "word " * 12_000)
    ended = updates[-1]
    assert ended["stopReason"] == "contextLimit"
    assert ended["error"]["kind"] == "infeasible"
    assert not [update for update in updates if update["kind"] == "textDelta"]


def test_commands_stand_for_the_methods(held):
    product, session = held

    def command(verb, argument=None):
        arguments = [] if argument is None else [argument]
        params = {"command": f"plimsoll.server.{verb}", "arguments": arguments}
        return product.call("workspace/executeCommand", params)

    used = product.call("plimsoll/context/meter", {"sessionId": session})["used"]
    assert command("contextReport")["result"]["meter"]["used"] == used
    assert command("compact")["result"]["receipt"]["stage"] == "digest"
    assert command("undo")["result"]["receipt"]["undone"] is True
    assert command("pin", {"text": "Stay."})["result"]["pin"]["number"] == 1
    assert "Stay." in command("pins")["message"]
    assert command("unpin", {"number": 1})["message"]
    assert command("previewCompaction")["result"]["receipt"]["status"] == "planned"
    assert session in command("listSessions")["message"]
    assert command("newSession")["result"]["session"]["id"] != session


def test_the_report_for_a_turn_is_as_it_was_then(held):
    product, session = held
    turn = product.updates(session)[-1].get("turnId") or product.update("turnEnded")["turnId"]
    params = {"sessionId": session, "turnId": turn, "detail": "detail"}
    then = product.call("plimsoll/context/report", params)
    product.turn(session, "more")
    assert product.call("plimsoll/context/report", params)["meter"] == then["meter"]


def test_status_names_store_and_model(held):
    product, _ = held
    status = product.call("plimsoll/status", {})
    assert status["provider"] == "scripted"
    assert status["sessions"] == 1
    assert status["store"]["bytes"] > 0


def test_the_report_tells_the_requests_so_far_and_what_they_came_to(start):
    def step(size: int, cached: int, **more: object) -> dict[str, object]:
        return {"usage": {"input": size, "cached": cached, "output": 10}, **more}

    def missed(cause: str, tokens: int) -> dict[str, object]:
        return {"cause": cause, "tokens": tokens, "money": 0.0}

    steps = [
        step(4_000, 0, calls=[READ]),
        step(5_000, 4_000, text=["It is long."]),
        step(5_100, 0, text=["Once more."]),
    ]
    product = start({"steps": steps}, PLIMSOLL_SESSION__SPEND_LIMIT_TOKENS="90000")
    (product.workspace / "big.txt").write_text("row\n" * 400)
    product.open()
    session = product.new_session()
    product.turn(session, "Read big.txt.")
    product.turn(session, "And again?")
    report = product.call("plimsoll/context/report", {"sessionId": session})
    told = ("turn", "inputTokens", "cachedTokens", "miss")
    assert [{name: each.get(name) for name in told} for each in report["history"]] == [
        dict(zip(told, (1, 4_000, 0, missed("first", 4_000)), strict=True)),
        dict(zip(told, (1, 5_000, 4_000, None), strict=True)),
        dict(zip(told, (2, 5_100, 0, missed("unknown", 5_000)), strict=True)),
    ]
    assert {each["effective"] for each in report["history"]} == {report["meter"]["effective"]}
    limit = {"scope": "session", "unit": "tokens", "most": 90_000, "spent": 14_130}
    spent = {
        "input": 14_100,
        "cached": 4_000,
        "output": 30,
        "limits": [{**limit, "setting": "session.spend_limit_tokens"}],
    }
    assert {name: report["spending"][name] for name in spent} == spent
    cost = product.call("plimsoll/session/cost", {"sessionId": session})
    assert cost["total"] == report["spending"]
