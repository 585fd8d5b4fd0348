"""What a person is told when the engine does not do as it should."""

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Literal

from plimsoll.errors import StoreUnavailable
from plimsoll.storage.conformance.teams import note, push
from plimsoll.storage.postgres import migrations
from plimsoll.storage.postgres.connection import PostgresDatabase
from plimsoll.storage.postgres.failures import place_of
from plimsoll.storage.postgres.opening import create_shared, find_shared, open_team
from plimsoll.storage.postgres.team.sessions import MachineName
from plimsoll.storage.shared.operations import ShareMemory
from plimsoll.storage.shared.reasons import Reason
from providers.networks.certificates import make_authority
from storage.postgres.crew import crew_of
from storage.postgres.engine import PASSWORD, running
from storage.postgres.rig.disk import small_disk
from storage.postgres.rig.follower import following
from storage.postgres.rig.tls import tls_door
from storage.samples import unchanged

pytestmark = pytest.mark.slow


async def refused(awaitable) -> StoreUnavailable:
    """What a person is told, by the one kind of error that says it."""
    with pytest.raises(StoreUnavailable) as raised:
        await awaitable
    told = str(raised.value)
    assert raised.value.remedy
    assert not any(each in f"{told} {raised.value.remedy}" for each in (PASSWORD, "knots"))
    assert raised.value.data["reason"] in set(Reason)
    return raised.value


async def reason(awaitable) -> object:
    return (await refused(awaitable)).data["reason"]


async def test_what_is_wrong_at_the_door_is_said_with_the_remedy(engine, url):
    closed = url.replace(f"port={engine.port}", "port=1")
    wrong = url.replace(PASSWORD, "shallow water")

    away = await refused(find_shared(closed, "harbour"))
    assert "127.0.0.1:1/t" in str(away)
    assert "cannot be reached" in str(away)
    assert "refuses the password" in str(await refused(find_shared(wrong, "harbour")))
    missing = url.replace("dbname=t", "dbname=u")
    assert "no such database" in str(await refused(find_shared(missing, "harbour")))
    bare = engine.new_database()
    assert "no tables of Plimsoll" in str(await refused(find_shared(bare, "harbour")))


async def test_each_refusal_has_a_reason_that_never_changes(engine, url, crew):
    without = url.partition(" password=")[0]
    nobody = make_conninfo(url, user="nobody_at_all")
    far = make_conninfo(url, host="host.invalid")
    told = {
        Reason.LOGIN: (without, nobody),
        Reason.AWAY: (far,),
        Reason.CERTIFICATE: (make_conninfo(url, sslmode="require"),),
        Reason.DATABASE: (make_conninfo(url, dbname="none_such"),),
    }
    for expected, urls in told.items():
        for each in urls:
            assert await reason(find_shared(each, "harbour")) is expected
    crew.as_administrator(f"ALTER ROLE {crew.role('ada')} NOLOGIN")
    assert await reason(crew.team("ada").news(0)) is Reason.ROLE
    crew.as_administrator(f"ALTER ROLE {crew.role('bob')} CONNECTION LIMIT 0")
    assert await reason(crew.team("bob").news(0)) is Reason.CONNECTIONS
    crew.as_administrator("REVOKE USAGE ON SCHEMA plimsoll FROM PUBLIC")
    assert await reason(crew.team("cy").news(0)) is Reason.RIGHTS


@pytest.mark.parametrize(
    "address",
    [
        "harbour",
        "host=",
        "host=127.0.0.1 port=abc",
        "host=127.0.0.1 nonsense=1",
        f"postgresql://captain:{PASSWORD}@[::1/t",
        "postgresql://captain:knots%zz@127.0.0.1/t",
        "postgresql://captain:knots@127.0.0.1/t?sslmode=nonsense",
    ],
)
async def test_an_address_that_cannot_be_read_is_not_repeated(address):
    if address == "host=":
        assert place_of(address) == "localhost:5432"
        return
    assert await reason(find_shared(address, "harbour")) is Reason.ADDRESS


async def test_a_certificate_is_verified(tmp_path):
    authority = make_authority(tmp_path)
    checked = make_conninfo(
        "host=localhost hostaddr=127.0.0.1 dbname=t user=ada password=knots sslmode=verify-full",
        sslrootcert=authority.root,
    )
    found: dict[str, StoreUnavailable] = {}

    for name in ("good", "itself", "name", "expired"):
        async with tls_door(authority.context(name)) as port:
            url = make_conninfo(checked, port=port)
            found[name] = await refused(find_shared(url, "harbour"))
            missing = make_conninfo(url, sslrootcert=str(tmp_path / "none.pem"))
            found["no file"] = await refused(find_shared(missing, "harbour"))

    assert found.pop("good").data["reason"] is Reason.AWAY
    assert {each.data["reason"] for each in found.values()} == {Reason.CERTIFICATE}
    for name in ("itself", "expired"):
        assert "no certificate that can be verified" in str(found[name])
    assert "shows the certificate of another name" in str(found["name"])
    assert "there is no file of trusted certificates" in str(found["no file"])


async def test_that_nothing_was_given_or_switched_on_is_said_as_that(url):
    bare = await refused(find_shared(url.partition(" password=")[0], "harbour"))
    assert "asks for a password" in str(bare)
    plain = await refused(find_shared(make_conninfo(url, sslmode="require"), "harbour"))
    assert "does not encrypt" in str(plain)


async def test_a_follower_is_read_and_named_when_it_is_written_to():
    with running("fsync=off") as engine:
        crew = await crew_of(engine)
        await push(crew.team("owner"), ShareMemory(note()))
        with following(engine) as follower:
            crew.url = make_conninfo(crew.url, port=follower.port)
            team = crew.team("owner")
            assert [each.memory.id for each in (await team.news(0)).memories] == ["k1"]
            told = await refused(push(team, ShareMemory(note("k2"))))
            assert "can only be read" in str(told)
            assert told.data["reason"] is Reason.READ_ONLY
            for each in crew.teams:
                await each.close()


async def test_a_full_disk_is_said_and_nothing_is_half_written():
    with small_disk(48) as disk, running("fsync=off") as engine:
        with psycopg.connect(engine.url(), autocommit=True) as connection:
            place = SQL("CREATE TABLESPACE small LOCATION {}")
            connection.execute(place.format(Literal(str(disk))))
            connection.execute("CREATE DATABASE small TABLESPACE small")
        url = engine.url("small")
        project = await create_shared(url, "harbour")
        team = open_team(url, project, unchanged, machine=MachineName())
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE cargo (x text)")
            for _ in iter(lambda: fills(connection), False):
                pass
        number = 0
        with pytest.raises(StoreUnavailable) as raised:
            for number in range(500):
                await push(team, ShareMemory(note(f"k{number}", f"Crane {number}. " * 200)))
        assert raised.value.data["reason"] is Reason.FULL
        assert "no room left on its disk" in str(raised.value)
        kept = {each.memory.id for each in (await team.news(0)).memories}
        assert kept == {f"k{each}" for each in range(number)}
        await team.close()


def fills(connection: psycopg.Connection) -> bool:
    """Take some room; tell whether there was enough."""
    try:
        connection.execute(
            "INSERT INTO cargo SELECT repeat(md5(n::text), 30) FROM generate_series(1, 100) AS n"
        )
    except psycopg.errors.DiskFull:
        return False
    return True


async def test_a_member_is_told_who_can_update_older_tables(crew, monkeypatch):
    step = ("ALTER TABLE plimsoll.projects ADD COLUMN flag text",)
    monkeypatch.setattr(migrations, "STEPS", (*migrations.STEPS, step))

    told = await refused(crew.team("ada").news(0))

    assert told.data["reason"] is Reason.OLDER
    assert f"Ask {crew.role('owner')}, whose tables they are" in str(told.remedy)
    assert (await crew.team("owner").news(0)).position == 0
    assert (await crew.team("ada").news(0)).position == 0


async def test_a_failed_making_leaves_nothing_open(engine):
    bare = engine.new_database()
    with psycopg.connect(bare, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA plimsoll")
        connection.execute("CREATE TABLE plimsoll.projects (id integer)")
    with pytest.raises(psycopg.errors.DuplicateTable):
        await create_shared(bare, "harbour")
    with psycopg.connect(bare) as connection:
        left = connection.execute("SELECT count(*) FROM plimsoll.versions").fetchone()
    assert left == (0,)


async def test_a_statement_that_takes_too_long_is_given_up(url):
    database = PostgresDatabase(url)
    told = await refused(database.read(lambda db: db.execute("SELECT pg_sleep(60)")))
    await database.close()
    assert "took too long to answer" in str(told)
