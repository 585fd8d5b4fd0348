"""Attached files go through the one opener: what is no plain file of the folder is never read."""

import os
import socket
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples import examples
from plimsoll.errors import InvalidInput
from plimsoll.session.ports.content import FileRef, PromptText, parts_of
from plimsoll.tools.files.attaching import attached_text
from plimsoll.tools.ports.context import CallContext
from session.harness import harness

CANARY = "canary-4711"
READS = examples(2_000)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "work"
    (folder / "src").mkdir(parents=True)
    (folder / "src/real.txt").write_text("It is real.\n")
    (folder.parent / "secret.txt").write_text(f"{CANARY}\n")
    return folder


@dataclass(frozen=True)
class Nothing:
    """An editor in which nothing is open."""

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> str | None:
        return None

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        return False


def attached(work: Path, path: Path | str) -> str:
    """What of an attached file becomes a part of the message."""
    context = CallContext(root=work, documents=Nothing(), spill_folder=work.parent / "spill")
    return parts_of([FileRef(work / path)], context, attached_text)[0].text


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("../secret.txt", "secret.txt, outside the folder"),
        ("/dev/zero", "/dev/zero, outside the folder"),
        ("/etc/passwd", "/etc/passwd, outside the folder"),
    ],
)
def test_a_link_out_of_the_folder_is_refused_and_says_where_it_leads(work, target, told):
    (work / "notes.md").symlink_to(target)
    with pytest.raises(InvalidInput, match=f"notes.md leads to .*{told}"):
        attached(work, "notes.md")


def test_a_folder_that_is_a_link_leads_nowhere_else(work):
    (work / "docs").symlink_to("..")
    with pytest.raises(InvalidInput, match=r"leads to .*secret\.txt, outside the folder"):
        attached(work, "docs/secret.txt")


def test_a_link_inside_is_followed_and_its_target_is_what_is_shown(work):
    (work / "notes.md").symlink_to("src/real.txt")
    assert (attached(work, "notes.md")).startswith("[attached src/real.txt]\nIt is real.")


def test_a_file_elsewhere_that_the_person_named_by_its_own_path_is_attached(work):
    other = work.parent / "other.txt"
    other.write_text("It is elsewhere.\n")
    assert (attached(work, other)).startswith(f"[attached {other}]\nIt is elsewhere.")


@pytest.mark.parametrize("kind", ["fifo", "socket", "folder", "device"])
def test_what_is_no_plain_file_is_refused_at_once(work, kind):
    path = work / "thing"
    told = "a pipe, socket or device"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        # Its path may be longer than a socket's address: it is bound from inside the folder.
        bound = socket.socket(socket.AF_UNIX)
        here = os.open(work, os.O_RDONLY)
        bound.bind(f"/proc/self/fd/{here}/thing")
        os.close(here)
        bound.close()
    elif kind == "folder":
        path.mkdir()
        told = "a folder"
    else:
        path = Path("/dev/zero")
    with pytest.raises(InvalidInput, match=f"is {told}, not a file"):
        attached(work, path)


def test_a_file_that_grows_while_it_is_read_is_no_larger_than_the_limit(work):
    path = work / "log.txt"
    path.write_text("x" * 1_999_999)
    stop = threading.Event()

    def grow() -> None:
        with path.open("a") as file:
            while not stop.is_set():
                file.write("y" * 1_000_000)
                file.flush()
                file.truncate(1_999_999)

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        for _ in range(5):
            try:
                assert len(attached(work, path)) < 2_100_000
            except InvalidInput as error:
                assert "more than the 2,000,000" in error.message
    finally:
        stop.set()
        writer.join()


def test_a_file_that_is_swapped_for_a_link_is_never_followed(work):
    path, spare = work / "a.txt", work / "spare"
    path.write_text("mine\n")
    (work / "link").symlink_to("../secret.txt")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for one, other in ((path, spare), (work / "link", path), (path, work / "link")):
                one.rename(other)
            spare.rename(path)

    swapping = threading.Thread(target=swap)
    swapping.start()
    read = seen = 0
    try:
        while read < READS or not seen:
            read += 1
            try:
                assert CANARY not in attached(work, path)
                seen += 1
            except InvalidInput as error:
                assert CANARY not in error.message
    finally:
        stop.set()
        swapping.join()


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_person_is_told_and_nothing_is_sent_whether_the_folder_is_trusted(work, trusted):
    (work / "notes.md").symlink_to("../secret.txt")
    async with harness(work.parent, {"text": "Seen."}, trusted=trusted) as own:
        with pytest.raises(InvalidInput, match=r"notes\.md leads to .*, outside the folder"):
            await own.session.prompt([PromptText("Look."), FileRef(work / "notes.md")])
        assert own.said() == []
