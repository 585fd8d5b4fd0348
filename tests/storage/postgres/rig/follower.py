"""A follower of the tests: a streaming copy of an engine that can only be read."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from storage.postgres.engine import PASSWORD, USER, Engine, prepared
from storage.postgres.rig.programs import Installation
from storage.postgres.rig.server import run_as_nobody


@contextmanager
def following(primary: Engine, installation: Installation | None = None) -> Iterator[Engine]:
    """Have a follower of an engine of the same installation."""
    with prepared(installation=installation) as follower:
        source = f"host=127.0.0.1 port={primary.port} user={USER}"
        copied = ["-D", follower.data, "-d", source, "-R", "-X", "stream", "--no-sync"]
        command = [follower.programs / "pg_basebackup", *copied, "--checkpoint=fast"]
        run_as_nobody(command, follower.folder, PGPASSWORD=PASSWORD)
        follower.start()
        try:
            yield follower
        finally:
            follower.stop()


def catch_up(primary: Engine, follower: Engine) -> None:
    """Wait until the follower has what the primary has now."""
    with psycopg.connect(primary.url(), autocommit=True) as connection:
        [written] = connection.execute("SELECT pg_current_wal_lsn()").fetchone()
    with psycopg.connect(follower.url(), autocommit=True) as connection:
        while True:
            question = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
            [is_there] = connection.execute(question, (written,)).fetchone()
            if is_there:
                return
