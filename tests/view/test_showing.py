"""What a browser is told, and what it does, in whichever process the session runs."""

import signal

import pytest

from product.context.test_compaction import SLOW, filled
from product.sessions.test_queue import AT_THE_END, open_gate
from view.conftest import ADDRESS, Shown

pytestmark = pytest.mark.slow


def result_of(items):
    """The item of the file that was read."""
    return next(each for each in items if each["kind"] == "toolResults")


def test_what_is_removed_is_undone_and_the_session_has_both(shown: Shown, tab):
    page = tab(shown.address())
    item = result_of(page.items())
    receipt = page.asks("context/evict", itemIds=[item["id"]])["result"]["receipt"]
    gone = page.sees(lambda now: result_of(now["report"]["items"])["state"] == "evicted")
    assert [each["id"] for each in gone["report"]["receipts"]] == [receipt["id"]]
    params = {"sessionId": shown.session, "detail": "detail"}
    assert result_of(shown.product.call("plimsoll/context/report", params)["items"])["state"] == (
        "evicted"
    )
    undone = page.asks("context/undo", editId=receipt["id"])["result"]["receipt"]
    assert undone["undone"]
    page.sees(lambda now: [each["undone"] for each in now["report"]["receipts"]] == [True])
    assert result_of(shown.product.call("plimsoll/context/report", params)["items"])["state"] == (
        "verbatim"
    )


def test_an_item_is_restored_pinned_unpinned_and_explained(shown: Shown, tab):
    page = tab(shown.address())
    item = result_of(page.items())["id"]
    page.asks("context/evict", itemIds=[item])
    assert "receipt" in page.asks("context/restore", itemIds=[item])["result"]
    pin = page.asks("pin/add", itemId=item)["result"]["pin"]
    page.sees(lambda now: any(each["id"] == f"pin.{pin['id']}" for each in now["report"]["items"]))
    assert page.asks("pin/remove", pinId=pin["id"])["result"] == {}
    assert "error" in page.asks("pin/remove", pinId=pin["id"])
    assert "big.txt" in page.asks("context/explain", itemId=item)["result"]["markdown"]


def test_it_follows_what_is_said_and_an_edit_during_a_turn(start, tab):
    product = start(AT_THE_END)
    product.open()
    session = product.new_session()
    shown = Shown(product, session)
    page = tab(shown.address())
    turn = product.prompt(session, "A tide.")
    running = page.sees(lambda now: now["running"] and "A tide." in str(now["report"]["items"]))
    (said,) = (each for each in running["report"]["items"] if each["kind"] == "user")
    assert "result" in page.asks("context/evict", itemIds=[said["id"]])
    open_gate(product)
    assert product.update("turnEnded", turn)["stopReason"] == "endTurn"
    page.sees(lambda now: not now["running"] and "wait" in str(now["report"]["items"]))


def test_another_process_reads_along_and_is_refused_during_a_turn(start, tab, command):
    product = start(AT_THE_END)
    product.open(windowName="Visual Studio Code")
    session = product.new_session()
    turn = product.prompt(session, "A tide.")
    product.update("textDelta", turn)
    viewed = command(product, "--session", session)
    page = tab(viewed.address)
    running = page.sees(lambda now: "A tide." in str(now["report"]["items"]))
    assert running["running"]
    (said,) = (each for each in running["report"]["items"] if each["kind"] == "user")
    busy = page.asks("context/evict", itemIds=[said["id"]])["error"]
    assert f"pid {product.process.pid}" in busy["message"]
    open_gate(product)
    assert product.update("turnEnded", turn)["stopReason"] == "endTurn"
    page.sees(lambda now: not now["running"] and "wait" in str(now["report"]["items"]))
    receipt = page.asks("context/evict", itemIds=[said["id"]])["result"]["receipt"]
    # The editor's process goes on with it, and has what was done here.
    product.turn(session, "And the next one.")
    report = product.call("plimsoll/context/report", {"sessionId": session})
    assert receipt["id"] in [each["id"] for each in report["receipts"]]
    page.sees(lambda now: "And the next one." in str(now["report"]["items"]))


def test_a_deleted_session_says_goodbye(shown: Shown, tab, command):
    viewed = command(shown.product)
    page = tab(viewed.address)
    page.items()
    shown.product.call("plimsoll/session/delete", {"sessionId": shown.session})
    told = page.hears(lambda each: each.get("method") == "plimsoll/view/ended")
    assert shown.session in told["params"]["message"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_its_process_and_says_nothing_of_browsers(shown: Shown, tab, command, number):
    viewed = command(shown.product)
    with tab(viewed.address) as page:
        page.items()
    staying = tab(f"{viewed.address.partition('#')[0]}#{page.key()}")
    staying.items()
    viewed.process.send_signal(number)
    assert viewed.process.wait(60) == 0
    told = viewed.process.stderr.read().decode().splitlines()
    assert len(told) == 2
    assert told[-1] == "Ctrl-C ends it."


def test_a_compaction_that_waits_for_its_model_does_not_hold_up_the_end(start, tab, command):
    window = {"PLIMSOLL_MODEL__CONTEXT_WINDOW": "32000"}
    product = start(SLOW, **window)
    viewed = command(product, "--session", filled(product), **window)
    page = tab(viewed.address)
    item = page.items()[0]["id"]
    other = tab(f"{viewed.address.partition('#')[0]}#{page.key()}")
    page.send('{"id": 99, "method": "plimsoll/context/compact", "params": {}}')
    # When another page is answered, that was read.
    assert "result" in other.asks("context/explain", itemId=item)
    viewed.process.send_signal(signal.SIGTERM)
    assert viewed.process.wait(60) == 0
    assert len(viewed.process.stderr.read().decode().splitlines()) == 2


def test_neither_token_nor_answer_stands_in_the_log(shown: Shown):
    (notice,) = (
        each for each in shown.product.turn(shown.session, "/view") if each["kind"] == "notice"
    )
    address = notice["markdown"].splitlines()[0]
    assert ADDRESS.fullmatch(address)
    exported = shown.product.call("plimsoll/context/export", {"sessionId": shown.session})
    assert not ADDRESS.search(exported["jsonl"])
    assert address.partition("#")[2] not in exported["jsonl"]
    # What it writes in the background is there, and stays.
    shown.product.call("shutdown")
    shown.product.notify("exit")
    shown.product.wait_closed()
    kept = [path for path in (shown.product.home / "data").rglob("*") if path.is_file()]
    assert kept
    assert not any(address.partition("#")[2].encode() in path.read_bytes() for path in kept)
