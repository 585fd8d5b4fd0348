"""What a client asks of memories, and what it then sees of them."""

from functools import partial

RULE = "We deploy from the branch release, never from main."
CHANGED = "plimsoll/memory/didChange"


def add(product, title="Deployments", content=RULE, **more):
    params = {"workspaceFolder": product.uri, "type": "project", "title": title, **more}
    return product.call("plimsoll/memory/add", {**params, "content": content})["memory"]


def listed(product, **filters):
    params = {"workspaceFolder": product.uri, **filters}
    found = product.call("plimsoll/memory/list", params)["memories"]
    return [each for each in found if not each.get("digest")]


def digests(product):
    """What earlier sessions left for later ones, which is written after their turns."""
    found = product.call("plimsoll/memory/list", {"workspaceFolder": product.uri})["memories"]
    return [each for each in found if each.get("digest")]


def audit(product, **which):
    params = {"workspaceFolder": product.uri, **which}
    return product.call("plimsoll/memory/audit", params)["events"]


def audit_with(product, action):
    """The events with an action, as soon as there is one."""
    return as_soon_as(
        product, lambda: [each for each in audit(product) if each["action"] == action]
    )


def as_soon_as(product, look):
    """What a look at the memories finds, as soon as it finds anything; every change is told."""
    while True:
        heard = len(product.notifications(CHANGED))
        if found := look():
            return found
        product.wait_for(partial(heard_more, product, heard))


def heard_more(product, heard, _message):
    return len(product.notifications(CHANGED)) > heard


def told(product, session):
    """The frame of the memories, where the next request has one."""
    view = product.call("plimsoll/session/view", {"sessionId": session})["messages"]
    found = [message for message in view if message["itemIds"] == ["frame.memories"]]
    assert len(found) <= 1
    return found[0] if found else None
