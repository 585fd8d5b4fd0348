"""PgBouncer of the tests, in transaction mode, before an engine of theirs."""

import re
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from storage.postgres.engine import PASSWORD, USER, Engine
from storage.postgres.rig.programs import SERVERS
from storage.postgres.rig.server import Server, reserved_port

PLACES = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"
CONNECTIONS = 6
"""Of the pooler to the engine, in each database: fewer than its clients have."""
CONFIGURATION = """[databases]
* = host=127.0.0.1 port={engine}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
auth_user = {user}
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 400
server_login_retry = 1
{more}
"""


class Pooler:
    """A pooler, and what clients of an engine connect to instead of it."""

    def __init__(self, program: str, folder: Path, port: int, configuration: str) -> None:
        self.port = port
        file = folder / "pgbouncer.ini"
        file.write_text(configuration)
        (folder / "users").write_text(f'"{USER}" "{PASSWORD}"\n')
        libraries = ":".join(map(str, folder.glob("usr/lib/*-linux-*")))
        self._server = Server([program, file], folder, LD_LIBRARY_PATH=libraries)

    def start(self) -> None:
        self._server.start(b"process up")

    def stop(self) -> None:
        self._server.stop(signal.SIGTERM)

    def before(self, url: str) -> str:
        """The address of a database of the engine by way of the pooler."""
        return re.sub(r"port=\d+", f"port={self.port}", url)


@contextmanager
def pooling(engine: Engine, more: str = "") -> Iterator[Pooler]:
    """Have a pooler before an engine; ``more``: lines of its configuration."""
    program, unpacked = shutil.which("pgbouncer", path=PLACES), SERVERS / "pgbouncer/usr"
    if program is None and not unpacked.is_dir():
        pytest.skip("no pgbouncer here")
    with tempfile.TemporaryDirectory(prefix="plimsoll-pooler-") as name, reserved_port() as port:
        folder = Path(name)
        folder.chmod(0o755)
        if program is None:
            # The checkout may lie where nobody else can read.
            shutil.copytree(unpacked, folder / "usr", symlinks=True)
        values = {"engine": engine.port, "port": port, "folder": folder, "user": USER}
        configuration = CONFIGURATION.format(connections=CONNECTIONS, more=more, **values)
        pooler = Pooler(program or f"{folder}/usr/sbin/pgbouncer", folder, port, configuration)
        pooler.start()
        try:
            yield pooler
        finally:
            pooler.stop()
