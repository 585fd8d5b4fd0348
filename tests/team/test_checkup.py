"""What `plimsoll doctor` finds out about a folder's team."""

from pathlib import Path

import pytest

from plimsoll.storage.shared.operations import ForgetMemory, Queued
from plimsoll.team.checkup import Checked, check_waiting
from team.ends import JOINED, Around, Replica, Server, TestClock

HINT = "`plimsoll team status` sends what waits, or says why it cannot"


@pytest.mark.parametrize(
    ("count", "state", "told"),
    [(0, "ok", "0"), (1, "note", f"1 change: {HINT}"), (2, "note", f"2 changes: {HINT}")],
)
async def test_what_waits_is_counted_and_not_sent(
    tmp_path: Path, count: int, state: str, told: str
):
    waiting = [Queued(f"key {number}", ForgetMemory("m1")) for number in range(count)]
    around = Around(tmp_path, Replica(JOINED, *waiting), server := Server(), TestClock())
    assert await check_waiting(around.given) == Checked("waiting to be sent", state, told)
    assert server.pushed == []
