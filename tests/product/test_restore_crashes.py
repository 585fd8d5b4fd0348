"""`kill -9` while files are put back: each is as before or put back, and all can be undone."""

import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from product.harness import Product, texts

KILLS = 6
FILES = 24
PROMPT, ANSWER = "Change all.", "All are changed."
ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
OLD, NEW = "before\n" * 500, "after\n" * 600
NAMES = [f"{number:02}.txt" for number in range(FILES)]
MADE = {name for name in NAMES if int(name[:2]) % 3 == 2}
"""Those that the agent makes; going back removes them."""
BEFORE = {name: OLD for name in NAMES if name not in MADE}
AFTER = dict.fromkeys(NAMES, NEW)


def script() -> dict[str, object]:
    calls = [{"name": "file_write", "arguments": {"path": name, "content": NEW}} for name in NAMES]
    return {"steps": [{"calls": calls}, {"text": [ANSWER]}]}


def tree(folder: Path) -> dict[str, str]:
    """The files of the folder, without one that was being written beside its place."""
    paths = sorted(folder.iterdir())
    assert sum(path.suffix == ".tmp" for path in paths) <= KILLS
    return {path.name: path.read_text() for path in paths if path.suffix != ".tmp"}


def begun(product: Product) -> tuple[str, str]:
    """A session in which the agent has changed every file, and the id of its prompt."""
    for name, text in BEFORE.items():
        (product.workspace / name).write_text(text)
    product.responses["plimsoll/session/requestPermission"] = ALLOWED
    product.open()
    session = product.new_session()
    product.turn(session, PROMPT)
    assert tree(product.workspace) == AFTER
    return session, loaded(product, session)["messages"][0]["id"]


def loaded(product: Product, session: str) -> Mapping[str, object]:
    params = {"workspaceFolder": product.uri, "sessionId": session}
    return product.call("plimsoll/session/load", params)


def newest_rewind(product: Product, session: str) -> str | None:
    """The rewind that is in force, by the log."""
    jsonl = product.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
    entries = [json.loads(line) for line in jsonl.splitlines()[1:]]
    undone = {entry["target"] for entry in entries if entry["type"] == "undone"}
    live = [e["id"] for e in entries if e["type"] == "rewound" and e["id"] not in undone]
    return live[-1] if live else None


def killed_amid(product: Product, session: str, prompt: str, awaited: str) -> None:
    """Go back, and kill the server as soon as a certain file is put back."""
    params = {"sessionId": session, "messageId": prompt, "restoreFiles": True}
    request = product.request("plimsoll/session/rewind", params)
    while is_agents(product.workspace / awaited) and not product.replies(request):
        assert product.process.poll() is None, product.stderr
    product.process.kill()
    product.process.wait(120)


def is_agents(path: Path) -> bool:
    try:
        return path.stat().st_size == len(NEW)
    except FileNotFoundError:
        return False


@pytest.mark.slow
def test_each_file_is_whole_and_the_undo_brings_all_back(tmp_path):
    seed = random.randrange(2**32)
    sys.stderr.write(f"kill seed {seed}\n")
    chance, amid = random.Random(seed), 0
    with Product(tmp_path, script()) as product:
        session, prompt = begun(product)
        killed_amid(product, session, prompt, NAMES[FILES // 2])
    for number in range(KILLS):
        found = tree(tmp_path / "workspace")
        assert all(found.get(name) in {BEFORE.get(name), NEW} for name in NAMES)
        assert set(found) <= set(NAMES)
        amid += found not in (BEFORE, AFTER)
        with Product(tmp_path, {"mode": "echo"}) as product:
            product.open(resume="latest")
            assert texts(loaded(product, session)) == [PROMPT]
            rewind = newest_rewind(product, session)
            undone = product.call("plimsoll/context/undo", {"sessionId": session, "editId": rewind})
            assert all(file["action"] != "left" for file in undone["files"])
            assert tree(product.workspace) == AFTER
            assert ANSWER in texts(loaded(product, session))
            if number < KILLS - 1:
                killed_amid(product, session, prompt, chance.choice(NAMES))
                continue
            params = {"sessionId": session, "messageId": prompt, "restoreFiles": True}
            done = product.call("plimsoll/session/rewind", params)
            assert all(file["action"] != "left" for file in done["files"])
            assert tree(product.workspace) == BEFORE
    assert amid
