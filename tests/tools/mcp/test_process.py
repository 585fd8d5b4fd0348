"""The process of a server: it is heard to the last line, and nothing of it is left."""

import json
import os
import random
from contextlib import closing
from pathlib import Path

import pytest

from plimsoll.tools.mcp.process import start_process
from plimsoll.tools.process.supervision.command_request import CONVERSES, CommandRequest
from plimsoll.tools.process.supervision.fork_server import ForkServer
from tools.mcp.killing import VICTIMS, killing

pytestmark = pytest.mark.slow


async def test_one_that_hangs_up_and_runs_on_is_heard_to_its_last_line(tmp_path: Path):
    command = ("/bin/sh", "-c", "echo last; exec <&- >&-; exec sleep 1000")
    request = CommandRequest(
        command, dict(os.environ), str(tmp_path), json.dumps({CONVERSES: True})
    )
    with closing(ForkServer()) as fork_server:
        server = await start_process(fork_server, request)
        heard = [line async for line in server.lines()]
        runs = not server.ended.is_set()
        await server.close(at_once=True)
    assert heard == [b"last"]
    assert runs
    assert server.ended.is_set()


def test_no_process_is_left_whoever_is_killed(tmp_path: Path):
    """Grandchildren too."""
    # 100 of them: `scripts/faults mcp --full`.
    with killing(tmp_path) as found:
        left = {one: found.kill(one, random.Random(one)) for one in VICTIMS}
    assert left == {one: [] for one in VICTIMS}
