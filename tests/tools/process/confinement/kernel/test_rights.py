"""What Landlock leaves to a process that has restricted itself: tried by that process."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.kernel.rights import landlock_version

pytestmark = pytest.mark.slow
TRIES = """
import json, socket, sys
from pathlib import Path
from plimsoll.tools.process.confinement.kernel.rights import LandlockRules, restrict

readable, writable, network, port, paths = json.loads(sys.argv[1])
restrict(LandlockRules(tuple(readable), tuple(writable), network))

def can(act):
    try:
        act()
    except PermissionError:
        return False
    return True

told = {"connect": can(lambda: socket.create_connection(("127.0.0.1", port)).close())}
for name, path in paths.items():
    told[f"read {name}"] = can((Path(path) / "file").read_text)
    told[f"write {name}"] = can(lambda: (Path(path) / "file").write_text("x"))
    told[f"make {name}"] = can(lambda: (Path(path) / "new").write_text("x"))
print(json.dumps(told))
"""


@pytest.mark.parametrize("network", [False, True])
def test_what_is_not_left_to_it_is_closed(tmp_path: Path, network: bool):
    if landlock_version() < 4:
        not_on_this_machine("no Landlock that knows of TCP")
    paths = {name: str(tmp_path / name) for name in ("shown", "open", "closed")}
    for path in map(Path, paths.values()):
        path.mkdir()
        (path / "file").write_text("")
    system = [
        *map(str, (sys.prefix, sys.base_prefix, Path.cwd())),
        "/usr",
        "/lib",
        "/lib64",
        "/etc",
    ]
    readable, writable = [*system, paths["shown"], str(tmp_path / "gone")], [paths["open"]]
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = json.dumps([readable, writable, network, server.getsockname()[1], paths])
        ended = subprocess.run(
            [sys.executable, "-c", TRIES, given], env=os.environ, capture_output=True, text=True
        )
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "connect": network,
        "read shown": True,
        "write shown": False,
        "make shown": False,
        "read open": True,
        "write open": True,
        "make open": True,
        "read closed": False,
        "write closed": False,
        "make closed": False,
    }
