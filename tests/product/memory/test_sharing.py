"""Sharing over the wire, in a folder that takes part in no team."""

from product.harness import assert_nowhere
from product.memory.asking import add, listed


def test_a_folder_without_a_team_says_so_and_shares_nothing(start):
    product = start({"mode": "echo"})
    product.open()
    folder = {"workspaceFolder": product.uri}
    kept = add(product, "We deploy from release.")

    assert product.call("plimsoll/team/status", folder) == {"state": "off", "queued": 0}
    refused = product.failure("plimsoll/memory/share", {"memoryId": kept["id"]})
    assert refused["data"]["kind"] == "invalid"
    assert [each["scope"] for each in listed(product)] == ["private"]
    refused = product.failure("plimsoll/team/accept", {**folder, "author": "anna"})
    assert "takes part in no team" in refused["message"]
    assert product.call("plimsoll/team/leave", folder)["state"] == "off"


def test_a_password_is_taken_and_shown_nowhere(start):
    product = start({"mode": "echo"})
    product.open()
    given = {"url": "postgresql://anna@127.0.0.1:1/team", "password": "anchors-aweigh"}

    kept = product.call("plimsoll/team/setPassword", given)
    assert kept == {"url": "postgresql://anna@127.0.0.1:1/team"}
    refused = product.failure("plimsoll/team/setPassword", {**given, "url": "127.0.0.1"})
    assert refused["data"]["kind"] == "invalid"
    product.call("plimsoll/status", {})
    assert_nowhere(product, "anchors-aweigh")


def test_a_folders_own_file_suggests_a_project_also_one_that_came_later(start):
    product = start({"mode": "echo"})
    product.open()
    folder = {"workspaceFolder": product.uri}
    assert "suggested" not in product.call("plimsoll/team/status", folder)
    (product.workspace / ".plimsoll").mkdir()
    text = 'id = "0a56a5f5-2c5b-4c3f-8d3b-0f6c0b4d8f11"\nname = "harbour"\n'
    (product.workspace / ".plimsoll" / "project").write_text(text)

    suggested = product.call("plimsoll/team/status", folder)["suggested"]

    assert suggested == {"project": "0a56a5f5-2c5b-4c3f-8d3b-0f6c0b4d8f11", "name": "harbour"}
