"""Real servers that are read-only, full, silent, or show a certificate: what a machine is told."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from memory.samples import memory
from plimsoll.errors import StoreUnavailable
from plimsoll.memory.types import MemoryScope
from plimsoll.storage.postgres.connection import PostgresDatabase
from plimsoll.storage.postgres.migrations import version_of
from plimsoll.storage.postgres.opening import create_shared, open_shared, open_team
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.operations import Done, Queued, ShareMemory
from plimsoll.storage.shared.reasons import Reason
from storage.postgres.engine import Engine
from storage.postgres.rig.certificates import Certificates, certify
from storage.postgres.rig.disk import small_disk
from storage.postgres.rig.follower import catch_up, following
from storage.postgres.rig.pooler import pooling
from storage.postgres.rig.proxy import between
from storage.samples import unchanged

pytestmark = pytest.mark.slow
MEGABYTES = 48


async def reason(awaitable) -> Reason:
    with pytest.raises(StoreUnavailable) as raised:
        await awaitable
    return raised.value.data["reason"]


def share(number: int, text: str = "") -> Queued:
    shared = memory(f"m{number}", f"Note {number} for all. {text}", scope=MemoryScope.TEAM)
    return Queued(str(uuid4()), ShareMemory(shared))


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="plimsoll-team-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


async def test_a_follower_shows_the_news_and_takes_nothing(engine: Engine):
    url = engine.new_database()
    project = await create_shared(url, "harbour")
    primary = open_team(url, project, unchanged, machine=MachineName("laptop", "1"))
    assert await primary.push(share(1)) == Done(1)
    with following(engine) as follower:
        at = url.replace(f"port={engine.port}", f"port={follower.port}")
        reader = open_team(at, project, unchanged, machine=MachineName("desk", "2"))
        await primary.push(share(2))
        catch_up(engine, follower)
        assert [one.memory.id for one in (await reader.news(0)).memories] == ["m1", "m2"]
        assert await reason(reader.push(share(3))) is Reason.READ_ONLY
        await reader.close()
    await primary.close()


async def test_a_full_disk_is_said_and_nothing_is_torn(engine: Engine):
    with small_disk(MEGABYTES) as disk:
        name = "small"
        with psycopg.connect(engine.url(), autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{disk}'")
            connection.execute(f"CREATE DATABASE {name} TABLESPACE small")
        url = engine.url(name)
        project = await create_shared(url, "harbour")
        team = open_team(url, project, unchanged, machine=MachineName("laptop", "1"))
        for written in disk.rglob("pg_internal.init"):
            written.unlink()
        filler = disk / "filler"
        with filler.open("wb") as file, pytest.raises(OSError, match="No space left"):
            while True:
                file.write(bytes(65_536))
                file.flush()
        kept = 0
        with pytest.raises(StoreUnavailable) as full:
            while True:
                await team.push(share(kept, "Long. " * 500))
                kept += 1
        assert full.value.data["reason"] is Reason.FULL
        later = open_team(url, project, unchanged, machine=MachineName("desk", "2"))
        assert await reason(later.push(share(kept))) is Reason.FULL
        await later.close()
        filler.unlink()
        assert await team.push(share(kept)) == Done(1)
        news = await team.news(0, 10_000)
        assert [one.memory.id for one in news.memories] == [f"m{n}" for n in range(kept + 1)]
        await team.close()
        with psycopg.connect(engine.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
            connection.execute("DROP TABLESPACE small")


async def test_a_server_that_says_nothing_more_is_given_up(
    engine: Engine, url: str, monkeypatch: pytest.MonkeyPatch
):
    async with between(engine.port) as proxy:
        database = PostgresDatabase(proxy.before(url), longest_unit=120)
        await database.read(version_of)
        proxy.is_silent = True
        with monkeypatch.context() as patch:
            patch.setattr(database, "_longest_unit", 0.5)
            assert await reason(database.read(version_of)) is Reason.TIMEOUT
        proxy.is_silent = False
        assert await database.read(version_of) > 0
        await database.close()


async def test_a_certificate_is_verified(engine: Engine, url: str, folder: Path):
    own, other = certify(folder / "own"), certify(folder / "other")
    with pooling(engine, encrypted_by(own)) as pooler:
        address = f"{pooler.before(url)} sslmode=verify-full sslrootcert="
        trusted = await open_shared(f"{address}{own.authority}", "harbour", unchanged)
        await trusted.close()
        strange = open_shared(f"{address}{other.authority}", "harbour", unchanged)
        assert await reason(strange) is Reason.CERTIFICATE
        elsewhere = f"{address}{own.authority}".replace("127.0.0.1", "localhost")
        assert await reason(open_shared(elsewhere, "harbour", unchanged)) is Reason.CERTIFICATE
    plain = f"{url} sslmode=verify-full sslrootcert={own.authority}"
    assert await reason(open_shared(plain, "harbour", unchanged)) is Reason.CERTIFICATE


def encrypted_by(files: Certificates) -> str:
    return "\n".join(
        (
            "client_tls_sslmode = require",
            f"client_tls_key_file = {files.key}",
            f"client_tls_cert_file = {files.certificate}",
        )
    )
