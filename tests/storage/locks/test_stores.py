import fcntl
import os
import time
from pathlib import Path
from threading import Thread

import pytest

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.locks.stores import FairLock


def until_somebody_waits(folder: Path) -> None:
    """Return when a waiter stands at the head of the queue, which holds the queue's lock."""
    descriptor = os.open(folder / "plimsoll.queue", os.O_RDWR)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


def open_below(folder: Path) -> list[Path]:
    opened = (each.resolve() for each in Path("/proc/self/fd").iterdir())
    return [path for path in opened if folder.resolve() in path.parents]


def test_who_has_just_left_stands_behind_who_has_waited(tmp_path: Path) -> None:
    turnstile = FairLock(tmp_path)
    order: list[str] = []

    def wait() -> None:
        with turnstile.hold(60):
            order.append("waiter")

    for _ in range(50):
        with turnstile.hold(60):
            waiter = Thread(target=wait)
            waiter.start()
            until_somebody_waits(tmp_path)
        with turnstile.hold(60):
            order.append("again")
        waiter.join()

    assert order == ["waiter", "again"] * 50


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="it lists no open files")
def test_who_has_left_keeps_no_file_open(tmp_path: Path) -> None:
    with FairLock(tmp_path).hold(60):
        assert open_below(tmp_path)

    assert not open_below(tmp_path)


def test_a_wait_ends_with_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    turnstile = FairLock(tmp_path)

    with turnstile.hold(60), pytest.raises(StoreUnavailable) as late, turnstile.hold(0.01):
        pytest.fail("two at once")

    assert "0.01 s" in late.value.message
    assert late.value.remedy
    with turnstile.hold(60):
        pass


def test_who_cannot_wait_leaves_no_place_taken(tmp_path: Path, monkeypatch) -> None:
    class Refused(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    turnstile = FairLock(tmp_path)
    with turnstile.hold(60):
        monkeypatch.setattr("plimsoll.storage.locks.stores.Thread", Refused)
        with pytest.raises(StoreUnavailable, match="no more threads"), turnstile.hold(60):
            pytest.fail("two at once")
        monkeypatch.undo()
    with turnstile.hold(0):
        pass


def test_a_failure_inside_gives_the_turn_back(tmp_path: Path) -> None:
    turnstile = FairLock(tmp_path)

    with pytest.raises(KeyError), turnstile.hold(60):
        raise KeyError

    with turnstile.hold(0):
        pass


def test_no_two_are_inside_at_once(tmp_path: Path) -> None:
    turnstile = FairLock(tmp_path)
    inside: list[int] = []
    most: list[int] = []

    def pass_often() -> None:
        for _ in range(100):
            with turnstile.hold(60):
                inside.append(1)
                # Long enough for others to come in, if they can.
                time.sleep(0.0005)
                most.append(len(inside))
                inside.pop()

    threads = [Thread(target=pass_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == [1] * 400


def test_nobody_passes_the_head_of_the_queue_even_when_the_turn_is_free(tmp_path: Path) -> None:
    turnstile = FairLock(tmp_path)
    with turnstile.hold(60):
        pass
    head = os.open(tmp_path / "plimsoll.queue", os.O_RDWR)
    fcntl.flock(head, fcntl.LOCK_EX)

    with pytest.raises(StoreUnavailable), turnstile.hold(0.01):
        pytest.fail("passed the queue")

    os.close(head)
