"""`plimsoll team`: a folder takes part in a project of a real server, and says how it stands."""

import json
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from cli.shell import Shell, refused
from storage.postgres.engine import PASSWORD, USER, running

GIVEN = {"PLIMSOLL_TEAM_PASSWORD": PASSWORD}


@pytest.fixture
def url() -> Iterator[str]:
    """The address of an empty database, without the password."""
    with running("fsync=off") as engine:
        database = engine.new_database()
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("CREATE ROLE ada LOGIN")
        name = conninfo_to_dict(database)["dbname"]
        yield f"postgresql://{USER}@127.0.0.1:{engine.port}/{name}"


def rows(done) -> dict[str, str]:
    """The rows of a table: the first column, and what stands in the others."""
    assert done.returncode in {0, 1}, done.stderr
    lines = done.stdout.decode().splitlines()
    pairs = (line.strip().split("  ", 1) for line in lines if "  " in line.strip())
    return {name: " ".join(told.split()) for name, told in pairs}


def test_a_project_is_made_joined_looked_at_and_left(shell: Shell, url: str):
    assert rows(shell.run("team", "status"))["project"] == "this folder takes part in none"
    made = shell.run("team", "create", "harbour", url, "--write-project-file", **GIVEN)
    assert made.stdout.decode().startswith(
        "The project 'harbour' is made, and this folder takes part in it."
    )
    found = rows(shell.run("team", "status", **GIVEN))
    assert found["project"] == f"harbour at {url}"
    assert found["role"] == f"{USER}, may write and change the members"
    assert found["server"] == "answers"
    told = json.loads(shell.run("team", "status", "--json", **GIVEN).stdout)
    assert (told["state"], told["project"], told["rights"]) == ("ok", "harbour", "admin")
    here = ("--workspace", str(shell.folder))
    added = shell.run("team", "members", "add", "ada", "--read-only", *here, **GIVEN)
    assert added.stdout == b"The role 'ada' may only read.\n"
    members = shell.run("team", "members", "--json", *here, **GIVEN).stdout.splitlines()
    assert [json.loads(line) for line in members] == [
        {"role": "ada", "rights": "read"},
        {"role": USER, "rights": "admin"},
    ]
    removed = shell.run("team", "members", "remove", "ada", "--with-what-they-wrote", **GIVEN)
    assert removed.stdout.decode().splitlines() == [
        "Removed for everybody: 0 memories and pins of 'ada'.",
        "The role 'ada' is no member any more.",
    ]
    doctor = shell.run("team", "doctor", **GIVEN)
    assert doctor.returncode == 0
    assert rows(doctor)["encryption"] == "ok none asked for: the address is of this machine"
    exported = shell.run("team", "export", "--sessions", **GIVEN)
    assert (exported.stdout, exported.stderr) == (b'{"plimsollTeam": 1}\n', "· 0 rows\n".encode())
    (shell.folder / "export").write_bytes(exported.stdout)
    imported = shell.run("team", "import", "export", **GIVEN)
    assert imported.stdout.startswith(b"Came in: 0 memories, 0 pins.\nTeam\n")
    line = rows(shell.run("doctor", **GIVEN))["team"]
    assert line.startswith(f"ok harbour at {url}: the role {USER} may write and change the members")
    left = shell.run("team", "leave", **GIVEN)
    assert left.stdout.decode().startswith("This folder takes part in 'harbour' no more.")
    hint = "this folder takes part in none; it suggests 'harbour': `plimsoll team join`"
    assert rows(shell.run("team", "status"))["project"] == hint
    joined = shell.run("team", "join", url, **GIVEN)
    assert joined.stdout.decode().startswith("This folder takes part in 'harbour'.")


def test_what_is_wrong_is_said_with_the_remedy_and_no_password(shell: Shell, url: str):
    assert shell.run("team", "create", "harbour", url, **GIVEN).returncode == 0
    wrong = shell.run("team", "status", PLIMSOLL_TEAM_PASSWORD="not the anchors")
    assert wrong.returncode == 1
    told = rows(wrong)["what is wrong"]
    assert "refuses the password. In VS Code, give it by" in told
    assert b"not the anchors" not in wrong.stdout + wrong.stderr
    doctor = shell.run("team", "doctor", PLIMSOLL_TEAM_PASSWORD="not the anchors")
    assert (doctor.returncode, "refuses the password" in rows(doctor)["team's server"]) == (1, True)
    assert shell.run("team", "accept", "bob").returncode == 0
    written = url.replace("@", ":anchors%20aweigh@")
    refused(shell.run("team", "join", "harbour", written), "in the system's keyring", "~/.pgpass")
    refused(shell.run("team", "join", "quay", url, **GIVEN), "takes part in 'harbour' already")


def test_a_folder_of_no_team_is_told_so(shell: Shell):
    for words in (("leave",), ("accept", "bob"), ("members",)):
        refused(shell.run("team", *words), "takes part in no team", "plimsoll team join")
    refused(shell.run("team", "join", "harbour"), "No server is named", "team.url")
    doctor = rows(shell.run("team", "doctor"))
    assert doctor["project"] == "note this folder takes part in none"
    assert rows(shell.run("doctor"))["team"] == "ok this folder takes part in none"
