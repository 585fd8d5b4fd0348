"""The log file: whose it is, what never stands in it, its bound, several processes at once."""

import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.telemetry import log_file
from plimsoll.telemetry.log_file import LOG_FILE, LONGEST_RECORD, LogFile

CANARY = "canary-words-of-somebody"
OWN = logging.getLogger("plimsoll.somewhere")
OTHER = logging.getLogger("other.library")

WRITER = """
import logging, sys
from pathlib import Path
from plimsoll.telemetry import log_file

log_file.MOST_BYTES = 20_000
handler = log_file.LogFile(lambda: Path(sys.argv[1]), lambda text: text)
log = logging.getLogger("plimsoll.writer")
log.addHandler(handler)
log.propagate = False
print("ready", flush=True)
sys.stdin.readline()
for number in range(300):
    log.warning("%s %d %s", sys.argv[2], number, "x" * 60)
"""


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[Callable[..., LogFile]]:
    made: list[LogFile] = []
    root = logging.getLogger()

    def begin(folder: Callable[[], Path] = lambda: tmp_path) -> LogFile:
        handler = LogFile(folder, lambda text: text.replace("hunter2", "•"))
        root.addHandler(handler)
        made.append(handler)
        return handler

    OWN.setLevel(logging.INFO)
    yield begin
    for handler in made:
        root.removeHandler(handler)
        handler.close()
    OWN.setLevel(logging.NOTSET)


def lines(folder: Path) -> list[str]:
    return (folder / LOG_FILE).read_text().splitlines()


def test_a_record_is_a_line_of_a_file_for_its_owner_alone(tmp_path, logged):
    logged()
    assert not (tmp_path / LOG_FILE).exists()
    OWN.info("the key %s is wrong", "hunter2")
    (line,) = lines(tmp_path)
    assert line.endswith(f" {os.getpid()} INFO plimsoll.somewhere: the key • is wrong")
    assert (tmp_path / LOG_FILE).stat().st_mode & 0o777 == 0o600


def test_of_other_packages_only_the_fixed_words_of_what_they_warn_of_stand_there(tmp_path, logged):
    logged()
    OTHER.info("sending %s", CANARY)
    OTHER.warning("100%% refused %s", CANARY)
    OTHER.error("it broke\n%s", CANARY)
    found = [line.partition("other.library: ")[2] for line in lines(tmp_path)]
    assert found == ["100%% refused %s", "it broke"]


@pytest.mark.parametrize("log", [OWN, OTHER])
def test_of_an_error_its_type_and_its_frames_stand_there(tmp_path, logged, log):
    logged()
    try:
        int(CANARY)
    except ValueError:
        log.exception("it broke")
    text = (tmp_path / LOG_FILE).read_text()
    assert CANARY not in text
    assert "  ValueError\n    test_log_file.py:" in text


def test_a_long_record_is_cut_after_secrets_have_left_it(tmp_path, logged):
    logged()
    OWN.warning("%s", "x" * LONGEST_RECORD + "hunter2")
    assert len(lines(tmp_path)[0]) == LONGEST_RECORD


def test_a_full_file_is_moved_aside_and_the_oldest_goes(tmp_path, logged, monkeypatch):
    monkeypatch.setattr(log_file, "MOST_BYTES", 1_000)
    logged()
    for number in range(100):
        OWN.warning("record %d", number)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert set(sizes) == {LOG_FILE, f"{LOG_FILE}.1", f"{LOG_FILE}.2"}
    assert max(sizes.values()) <= 1_000
    newest = lines(tmp_path)
    assert newest[-1].endswith("record 99")
    older = (tmp_path / f"{LOG_FILE}.1").read_text().splitlines()
    numbers = [int(line.rpartition(" ")[2]) for line in (*older, *newest)]
    assert numbers == list(range(numbers[0], 100))


@pytest.mark.slow
def test_several_processes_write_whole_lines_into_one_log(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    for writer in writers:
        assert writer.stdout.readline() == b"ready\n"
    for writer in writers:
        writer.stdin.write(b"\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [LOG_FILE, f"{LOG_FILE}.1", f"{LOG_FILE}.2"]
    found = [line for path in files for line in path.read_text().splitlines()]
    assert all(line.endswith(" " + "x" * 60) and " WARNING " in line for line in found)
    # While one moves a file aside the others write on, up to twice its size and a record each.
    assert max(path.stat().st_size for path in files) < 2 * 20_000 + 1_000


@pytest.mark.parametrize("error", [OSError(28, "No space left"), StoreUnavailable("No folder.")])
def test_a_log_that_cannot_be_written_is_given_up_and_that_is_said_once(logged, caplog, error):
    def refused() -> Path:
        raise error

    handler = logged(refused)
    OWN.warning("one")
    OWN.warning("two")
    assert handler not in logging.getLogger().handlers
    said = [record.getMessage() for record in caplog.records]
    assert sorted(said) == ["one", f"the log file cannot be written: {type(error).__name__}", "two"]


def test_a_link_in_the_place_of_the_log_is_not_followed(tmp_path, logged):
    (tmp_path / "other").write_text("as it was")
    (tmp_path / LOG_FILE).symlink_to("other")
    logged()
    OWN.warning("one")
    assert (tmp_path / "other").read_text() == "as it was"
