"""A folder that turns into a link and back, all the time, while tools use it."""

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples import examples
from plimsoll.errors import ToolFailed

CANARY = "canary-4711"
ROUNDS = examples(150)
CALLS = {
    "file_read": {"path": "a/file.txt"},
    "file_write": {"path": "a/file.txt", "content": "mine {round}"},
    "file_edit": {"path": "a/file.txt", "old_string": "mine", "new_string": "mine."},
    "grep": {"pattern": "canary|mine", "path": "a"},
    "glob": {"pattern": "**", "path": "a"},
    "glob of all": {"pattern": "**"},
    "grep of all": {"pattern": "canary|mine"},
}


@pytest.fixture
def out(root: Path) -> Path:
    folder = root.parent / "out"
    folder.mkdir()
    (folder / "file.txt").write_text(f"{CANARY}\n")
    (folder / "outside-4712.txt").write_text(f"{CANARY}\n")
    return folder


def moved(one: Path, other: Path) -> None:
    """Rename; a folder that a tool made anew meanwhile is in the way and goes."""
    while True:
        try:
            one.rename(other)
        except OSError:
            shutil.rmtree(other, ignore_errors=True)
        else:
            return


@pytest.fixture
def racing(root: Path, out: Path) -> Iterator[None]:
    (root / "a").mkdir()
    (root / "a" / "file.txt").write_text("mine\n")
    (root / "link").symlink_to(out)
    stop = threading.Event()

    def race() -> None:
        while not stop.is_set():
            for one, other in (("a", "away"), ("link", "a"), ("a", "link"), ("away", "a")):
                moved(root / one, root / other)

    thread = threading.Thread(target=race)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.mark.parametrize("call", CALLS)
async def test_no_tool_is_led_out(call, racing, tools, context, out):
    tool = tools[call.split()[0]]
    tried, ran = 0, 0
    end = time.monotonic() + 60
    while tried < ROUNDS or (not ran and time.monotonic() < end):
        tried += 1
        given = {name: value.format(round=tried) for name, value in CALLS[call].items()}
        try:
            intent = tool.prepare(given, context)
            if "outside the workspace" in intent.title:
                assert intent.ask
                continue
            outcome = await tool.run(intent, context)
        except ToolFailed as failure:
            assert CANARY not in failure.message
            continue
        ran += 1
        assert CANARY not in outcome.text
        assert "4712" not in outcome.text
    assert ran, "The folder was never there; nothing was tested."
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "file.txt": f"{CANARY}\n",
        "outside-4712.txt": f"{CANARY}\n",
    }
