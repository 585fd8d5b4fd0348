"""Compaction over the wire: by the model, cancelled, killed, and where its model lies."""

import json

import pytest

from product.harness import READ, Product

SUMMARY = "## Goal\nSay what big.txt holds.\n\n## Next steps\nLook at its end, row 399."
TALK = [
    {"when": "^Read", "steps": [{"calls": [READ]}, {"text": ["It is long."]}]},
    {"when": "^Next", "steps": [{"text": ["Nothing more."]}]},
]


def script(*answer: object, **step: object) -> dict:
    steps = [{"text": list(answer), **step}]
    return {"rules": [{"when": "Write the summary", "steps": steps}, *TALK]}


SLOW = script({"gate": "slow"}, SUMMARY)


def filled(product: Product) -> str:
    (product.workspace / "big.txt").write_text("".join(f"row {n} value\n" for n in range(400)))
    product.open()
    session = product.new_session()
    product.turn(session, "Read big.txt. Never change it.")
    product.turn(session, "Next, please.")
    return session


def view(product: Product, session: str) -> dict:
    return product.call("plimsoll/session/view", {"sessionId": session})


def compact(product: Product, session: str, **params: object) -> dict:
    asked = {"sessionId": session, **params}
    return product.call("plimsoll/context/compact", asked)["receipt"]


@pytest.fixture
def begin(start):
    def started(played: dict) -> tuple[Product, str]:
        product = start(played, PLIMSOLL_MODEL__CONTEXT_WINDOW="32000")
        return product, filled(product)

    return started


@pytest.mark.parametrize(
    ("strategy", "stage"), [("model", "compact"), ("auto", "compact"), ("digest", "digest")]
)
def test_each_strategy_and_its_undo(begin, strategy, stage):
    product, session = begin(script(SUMMARY))
    before = view(product, session)
    receipt = compact(product, session, strategy=strategy)
    assert receipt["stage"] == stage
    assert ("model" in receipt) is (stage == "compact")
    assert (receipt.get("tokensSpent", 0) > 0) is (stage == "compact")
    after = view(product, session)
    spoken = json.dumps(after["messages"])
    assert (json.dumps(SUMMARY)[1:-1] in spoken) is (stage == "compact")
    assert "Never change it." in spoken
    assert "row 200 value" not in spoken
    assert after["meter"]["used"] == receipt["tokensAfter"] < before["meter"]["used"]
    params = {"sessionId": session, "editId": receipt["id"]}
    product.call("plimsoll/context/undo", params)
    assert view(product, session)["messages"] == before["messages"]


def test_a_summary_stands_over_a_restart_and_its_undo_too(start, tmp_path):
    settings = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000"}
    first = start(script(SUMMARY), **settings)
    session = filled(first)
    before = view(first, session)
    receipt = compact(first, session, strategy="model")
    after = view(first, session)
    first.process.kill()
    first.process.wait(120)
    second = start(script(SUMMARY), **settings)
    second.open()
    where = {"workspaceFolder": second.uri, "sessionId": session}
    second.call("plimsoll/session/load", where)
    assert view(second, session) == after
    second.call("plimsoll/context/undo", {"sessionId": session, "editId": receipt["id"]})
    assert view(second, session)["messages"] == before["messages"]


def test_stop_ends_a_typed_compaction(begin):
    product, session = begin(SLOW)
    before = view(product, session)
    turn = product.prompt(session, "/compact")
    product.update("turnStarted", turn)
    stopped = product.call("plimsoll/session/cancel", {"sessionId": session})
    assert stopped == {"cancelled": True}
    assert product.update("turnEnded", turn)["stopReason"] == "cancelled"
    assert view(product, session) == before


@pytest.mark.parametrize("how", ["request", "progress"])
def test_a_cancel_while_the_model_writes_leaves_all_as_it_was(begin, how):
    product, session = begin(SLOW)
    before = view(product, session)
    asked = {"sessionId": session, "strategy": "model", "workDoneToken": "compaction"}
    request = product.request("plimsoll/context/compact", asked)
    assert product.notification("$/progress")["params"]["value"]["cancellable"] is True
    if how == "request":
        product.notify("$/cancelRequest", {"id": request})
    else:
        product.notify("window/workDoneProgress/cancel", {"token": "compaction"})
    assert product.error(request)["code"] == -32800
    assert view(product, session) == before
    (product.home / "slow").touch()
    assert compact(product, session, strategy="model")["stage"] == "compact"


def test_whoever_comes_while_the_model_writes_is_told_to_wait_and_nothing_is_lost(begin):
    product, session = begin(SLOW)
    asked = {"sessionId": session, "workDoneToken": "compaction"}
    request = product.request("plimsoll/context/compact", asked)
    product.notification("$/progress")
    content = [{"type": "text", "text": "Next, again."}]
    params = {"sessionId": session, "content": content}
    assert product.failure("plimsoll/session/prompt", params)["data"]["kind"] == "busy"
    again = product.failure("plimsoll/context/compact", {"sessionId": session})
    assert again["data"]["kind"] == "busy"
    pin = {"sessionId": session, "text": "Tabs, not spaces."}
    product.call("plimsoll/pin/add", pin)
    (product.home / "slow").touch()
    assert product.reply(request)["result"]["receipt"]["stage"] == "compact"
    product.turn(session, "Next, again.")
    spoken = json.dumps(view(product, session)["messages"])
    assert "Tabs, not spaces." in spoken
    assert "Next, again." in spoken


def test_a_kill_while_the_model_writes_leaves_the_log_whole(start):
    settings = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000"}
    first = start(SLOW, **settings)
    session = filled(first)
    before = view(first, session)
    first.request("plimsoll/context/compact", {"sessionId": session, "workDoneToken": "t"})
    first.notification("$/progress")
    first.process.kill()
    first.process.wait(120)
    (first.home / "slow").touch()
    second = start(SLOW, **settings)
    second.open()
    where = {"workspaceFolder": second.uri, "sessionId": session}
    second.call("plimsoll/session/load", where)
    assert view(second, session) == before
    assert compact(second, session)["stage"] == "compact"


def test_a_shutdown_while_the_model_writes_leaves_the_log_whole(start):
    settings = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000"}
    first = start(SLOW, **settings)
    session = filled(first)
    before = view(first, session)
    asked = first.request("plimsoll/context/compact", {"sessionId": session, "workDoneToken": "t"})
    first.notification("$/progress")
    assert first.call("shutdown") is None
    assert "result" not in first.reply(asked)
    first.notify("exit")
    assert first.wait_closed() == 0
    (first.home / "slow").touch()
    second = start(SLOW, **settings)
    second.open()
    where = {"workspaceFolder": second.uri, "sessionId": session}
    second.call("plimsoll/session/load", where)
    assert view(second, session) == before


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        ({"error": "auth"}, "providerAuth"),
        ({"error": "rateLimit"}, "providerRateLimited"),
        ({"stop": "maxTokens"}, "invalid"),
    ],
)
def test_a_model_that_fails_is_told_and_the_digest_serves(begin, step, kind):
    product, session = begin(script("", **step))
    before = view(product, session)
    asked = {"sessionId": session, "strategy": "model"}
    assert product.failure("plimsoll/context/compact", asked)["data"]["kind"] == kind
    assert view(product, session) == before
    assert compact(product, session)["stage"] == "digest"
    notices = [each["markdown"] for each in product.updates(session) if each["kind"] == "notice"]
    assert any("An automatic summary was used" in notice for notice in notices)


def test_the_editor_may_put_a_compaction_off(begin):
    product, session = begin(script(SUMMARY))
    for until in ("later", "session"):
        params = {"sessionId": session, "until": until}
        assert product.call("plimsoll/context/postpone", params) == {}


def test_a_compact_that_would_free_next_to_nothing_says_so_before_it_asks_the_model(begin):
    """One spent 12,311 tokens to free 315."""
    answers = [{"text": SUMMARY}] * 2
    product, session = begin({"rules": [{"when": "Write the summary", "steps": answers}, *TALK]})
    compact(product, session)
    product.turn(session, "Next, please.")
    before = view(product, session)
    refused = product.failure("plimsoll/context/compact", {"sessionId": session})
    assert refused["data"]["kind"] == "invalid"
    assert refused["data"]["couldFree"] <= 640
    assert (
        f"would free about {refused['data']['couldFree']:,} of 32,000 tokens" in refused["message"]
    )
    assert "/compact anyway" in refused["data"]["remedy"]
    assert view(product, session) == before
