"""A damaged or unusable store over the wire: it is told, salvaged, done without; and forgotten."""

import shutil
import subprocess

import pytest

from left_out import not_on_this_machine
from product.harness import texts

STATUS = "plimsoll/status"


@pytest.fixture
def damaged(start):
    """A server on a store whose first page is gone, and the file as it is."""
    product = start()
    product.open()
    session = product.new_session()
    product.turn(session, "hello")
    product.call("shutdown")
    product.notify("exit")
    assert product.wait_closed() == 0
    (database,) = product.home.glob("data/projects/*/plimsoll.db")
    data = bytes(4096) + database.read_bytes()[4096:]
    database.write_bytes(data)
    later = start()
    later.open()
    return later, session, database, data


def test_a_damaged_store_is_told_and_salvaged(damaged):
    product, session, database, data = damaged
    folder = {"workspaceFolder": product.uri}
    assert product.failure("plimsoll/session/new", folder)["data"]["kind"] == "storeDamaged"
    status = product.call(STATUS, {})
    assert status["store"]["kind"] == "damaged"
    assert [warning["code"] for warning in status["warnings"]] == ["storeDamaged"]

    saved = product.call("plimsoll/store/salvage", folder)

    assert (saved["sessions"], saved["lost"]) == (1, 0)
    assert saved["damagedPath"].startswith(str(database.parent))
    (kept,) = database.parent.glob("damaged/*/plimsoll.db")
    assert kept.read_bytes() == data
    assert product.call(STATUS, {})["store"]["kind"] == "disk"
    (found,) = product.call("plimsoll/session/list", folder)["sessions"]
    assert (found["id"], found["title"]) == (session, "hello")
    product.turn(session, "more")
    assert "is whole" in product.failure("plimsoll/store/salvage", folder)["message"]


def test_a_store_that_is_whole_is_not_closed_for_a_salvage(start):
    write = {"name": "file_write", "arguments": {"path": "a.txt", "content": "a"}}
    product = start({"steps": [{"calls": [write]}, {"text": ["Done."]}]})
    product.open()
    turn = product.prompt(product.new_session(), "write it")
    asked = product.server_request("plimsoll/session/requestPermission")

    told = product.failure("plimsoll/store/salvage", {"workspaceFolder": product.uri})

    assert "is whole" in told["message"]
    product.answer(asked, {"outcome": "selected", "optionId": "allowOnce"})
    assert product.update("turnEnded", turn)["stopReason"] == "endTurn"


def test_without_a_store_sessions_are_in_memory_and_that_is_said(damaged):
    product, _, database, data = damaged

    assert product.call("plimsoll/store/useMemory", {"workspaceFolder": product.uri}) == {}
    product.turn(product.new_session(), "hello")

    status = product.call(STATUS, {})
    assert status["store"]["kind"] == "memory"
    assert [warning["code"] for warning in status["warnings"]] == ["storeInMemory"]
    assert database.read_bytes() == data


def test_a_folder_that_cannot_be_made_is_done_without_too(start):
    product = start()
    data = product.home / "data"
    data.write_text("a file, where the folder of all data should be")
    product.open()
    folder = {"workspaceFolder": product.uri}
    assert product.failure("plimsoll/session/new", folder)["data"]["kind"] == "storeUnavailable"

    product.call("plimsoll/store/useMemory", folder)
    product.turn(product.new_session(), "hello")

    assert product.call(STATUS, {})["store"]["kind"] == "memory"
    assert product.call("plimsoll/store/forget", {})["kept"] == []


ON_A_SMALL_DISK = """
import os, sys
os.chdir(sys.argv[1])
mount = "mkdir disk && mount -t tmpfs -o size=3m tmpfs disk && mkdir disk/data disk/workspace"
bind = "mount --bind disk/data data && mount --bind disk/workspace workspace"
script = f"{mount} && {bind} && exec '{sys.executable}' -m plimsoll serve"
os.execvp("unshare", ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script])
"""


@pytest.fixture
def on_a_small_disk(start, tmp_path):
    """A server whose folders are on a disk of three megabytes that it alone sees."""
    tried = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    if shutil.which("unshare") is None or subprocess.run(tried, check=False).returncode:
        not_on_this_machine("no namespace of users can be made here, so no small disk")
    (tmp_path / "data").mkdir(mode=0o700)
    product = start({"mode": "obedient"}, command=("-c", ON_A_SMALL_DISK, str(tmp_path)))
    product.responses["plimsoll/session/requestPermission"] = {
        "outcome": "selected",
        "optionId": "allowOnce",
    }
    product.open()
    return product


def test_a_turn_that_fills_the_disk_ends_and_memory_is_to_be_had(on_a_small_disk):
    product = on_a_small_disk
    folder = {"workspaceFolder": product.uri}
    session = product.new_session()
    product.turn(session, "hello")
    fill = 'CALL shell {"command": "head -c 9000000 /dev/zero > filler; true"}'

    ended = product.turn(session, fill)[-1]

    assert ended["error"]["kind"] == "storeUnavailable"
    said = [{"type": "text", "text": "again"}]
    told = product.failure("plimsoll/session/prompt", {"sessionId": session, "content": said})
    assert told["data"]["kind"] == "storeUnavailable"
    loaded = product.call("plimsoll/session/load", {**folder, "sessionId": session})
    assert "hello" in texts(loaded)
    product.call("plimsoll/store/useMemory", folder)
    assert product.turn(product.new_session(), "hello")[-1]["stopReason"] == "endTurn"
    assert product.call(STATUS, {})["store"]["kind"] == "memory"


def test_a_store_that_works_is_not_left(start):
    product = start()
    product.open()

    told = product.failure("plimsoll/store/useMemory", {"workspaceFolder": product.uri})

    assert "works" in told["message"]
    assert product.call(STATUS, {})["store"]["kind"] == "disk"


def test_everything_is_forgotten_when_it_is_confirmed(start):
    product = start()
    product.open()
    product.turn(product.new_session(), "hello")
    folder = {"workspaceFolder": product.uri}

    (shown,) = product.call("plimsoll/store/forget", folder)["kept"]
    assert (shown["path"], shown["sessions"]) == (str(product.workspace), 1)
    assert len(product.call("plimsoll/session/list", folder)["sessions"]) == 1
    product.call("plimsoll/store/forget", {"confirmed": True})

    assert not list(product.home.glob("data/projects/*"))
    assert product.call("plimsoll/session/list", folder)["sessions"] == []


def test_another_process_on_the_store_keeps_it(start):
    first, second = start(), start()
    for each in (first, second):
        each.open()
        each.new_session()

    told = first.failure("plimsoll/store/forget", {"confirmed": True})

    assert told["data"]["kind"] == "busy"
    assert len(first.call("plimsoll/session/list", {"workspaceFolder": first.uri})["sessions"]) == 2
