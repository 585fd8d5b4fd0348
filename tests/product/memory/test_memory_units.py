"""Memories on the real server under cancels, kills and a second server: whole or absent."""

import random
import sys
import time

import pytest

from product.harness import Product

KILLS = 6
"""As many as there is time for in each run; a thousand by `scripts/faults kills --full`."""
ECHO = {"mode": "echo"}
CANCELLED = -32800


@pytest.fixture
def chance():
    seed = random.randrange(2**32)
    sys.stderr.write(f"seed {seed}\n")
    return random.Random(seed)


def note(number):
    """The params of a memory that is unlike every other."""
    word = "vox" + "".join("bdfghjklmp"[int(digit)] for digit in str(number)) + "ur"
    content = f"The {word} anchor hangs at berth {word}."
    return {"type": "project", "title": f"Anchor {word}", "content": content}


def add(product, number):
    """Ask for a memory; the id of the request."""
    params = {"workspaceFolder": product.uri, **note(number)}
    return product.request("plimsoll/memory/add", params)


def listed(product):
    found = product.call("plimsoll/memory/list", {"workspaceFolder": product.uri})["memories"]
    return {each["id"]: each for each in found if not each.get("digest")}


def audited(product):
    """The actions of each memory."""
    found: dict[str, list[str]] = {}
    for event in product.call("plimsoll/memory/audit", {"workspaceFolder": product.uri})["events"]:
        found.setdefault(event["memoryId"], []).append(event["action"])
    return found


def searched(product, words):
    params = {"workspaceFolder": product.uri, "query": words, "limit": 5}
    return [m["id"] for m in product.call("plimsoll/memory/search", params)["memories"]]


def cancel(product, chance, requests):
    """Cancel one of some requests at some moment: before it begins, meanwhile or afterwards."""
    time.sleep(chance.uniform(0, 0.02))
    product.notify("$/cancelRequest", {"id": chance.choice(requests)})


def ended(product, request):
    """The memory that a request answered with; none: it was cancelled."""
    answer = product.reply(request)
    assert "error" not in answer or answer["error"]["code"] == CANCELLED, answer
    return answer.get("result", {}).get("memory")


def test_a_storm_of_cancels_leaves_whole_units(start, chance):
    product = start(ECHO)
    product.open()
    requests = []
    for number in range(300):
        requests.append(add(product, number))
        cancel(product, chance, requests[-3:])
    kept = [memory for request in requests if (memory := ended(product, request))]
    held = listed(product)
    assert {memory["id"] for memory in kept} <= held.keys()
    assert 0 < len(kept) < len(requests)
    assert audited(product) == {name: ["added"] for name in held}

    titles: dict[str, list[str]] = {name: [memory["title"]] for name, memory in held.items()}
    changes = []
    for number in range(300):
        name = chance.choice(list(held))
        title = f"Title {number}"
        changes.append(
            (
                name,
                title,
                product.request("plimsoll/memory/update", {"memoryId": name, "title": title}),
            )
        )
        cancel(product, chance, [request for _, _, request in changes[-3:]])
    for name, title, request in changes:
        if ended(product, request):
            titles[name].append(title)
    after, history = listed(product), audited(product)
    assert after.keys() == held.keys() == history.keys()
    for name, memory in after.items():
        tried = [title for each, title, _ in changes if each == name]
        assert memory["title"] in {titles[name][0], *tried}
        updates = history[name].count("updated")
        assert len(titles[name]) - 1 <= updates <= len(tried)
        assert history[name] == ["added", *["updated"] * updates]
        assert (memory["title"] == titles[name][0]) == (updates == 0)
    heard = product.notifications("plimsoll/memory/didChange")
    assert {each["params"]["inboxCount"] for each in heard} == {0}


def test_a_cancelled_forget_is_hidden_everywhere_or_not_at_all(start, chance):
    product = start(ECHO)
    product.open()
    for number in range(40):
        request = add(product, number)
        name = ended(product, request)["id"]
        session = product.new_session()
        product.turn(session, note(number)["content"])
        assert name in shown(product, session)
        request = product.request("plimsoll/memory/forget", {"memoryId": name})
        cancel(product, chance, [request])
        product.reply(request)
        gone = name not in listed(product)
        assert (name not in shown(product, session)) == gone
        assert (audited(product)[name][-1] == "forgotten") == gone


def shown(product, session):
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    return "".join(m["content"] for m in view if m["itemIds"] == ["frame.memories"])


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_kills_lose_no_acknowledged_memory(tmp_path, chance):
    acknowledged: dict[str, str] = {}
    number = 0
    for _ in range(KILLS):
        with Product(tmp_path, ECHO) as product:
            product.open()
            held, history = listed(product), audited(product)
            assert acknowledged.items() <= {n: m["title"] for n, m in held.items()}.items()
            assert {name for name, actions in history.items() if "added" in actions} == set(held)
            acknowledged = {name: memory["title"] for name, memory in held.items()}
            for name in chance.sample(sorted(held), min(len(held), 5)):
                assert name in searched(product, held[name]["content"])
            sent = []
            for _ in range(chance.randrange(4, 30)):
                sent.append(add(product, number))
                number += 1
            for request in sent[: chance.randrange(len(sent))]:
                memory = product.reply(request)["result"]["memory"]
                acknowledged[memory["id"]] = memory["title"]
            product.process.kill()
            product.process.wait(120)
    assert len(acknowledged) >= KILLS


def test_two_servers_write_one_store(start):
    first, second = start(ECHO), start(ECHO)
    first.open()
    second.open()
    sent = [
        (product, add(product, 2 * number + place))
        for number in range(40)
        for place, product in enumerate((first, second))
    ]
    names = {product.reply(request)["result"]["memory"]["id"] for product, request in sent}
    assert len(names) == 80
    assert listed(first).keys() == listed(second).keys() == names
    assert audited(first) == audited(second) == {name: ["added"] for name in names}


def test_two_servers_keep_the_same_words_once(start):
    first, second = start(ECHO), start(ECHO)
    first.open()
    second.open()
    for number in range(20):
        sent = [(product, add(product, number)) for product in (first, second)]
        answers = [product.reply(request) for product, request in sent]
        (refused,) = [answer["error"] for answer in answers if "error" in answer]
        (kept,) = [answer["result"]["memory"] for answer in answers if "result" in answer]
        assert refused["data"]["kind"] == "memoryRefused"
        assert refused["data"]["memoryId"] == kept["id"]
    assert len(listed(first)) == 20
