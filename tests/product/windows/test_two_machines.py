"""One person at several machines: real processes, each with a home of its own, at a PostgreSQL."""

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from product.harness import Product, texts
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import running

pytestmark = pytest.mark.slow
OTHER = f"another {platform.node().partition('#')[0]}"
"""All homes are on this machine."""
TELL = """
CREATE FUNCTION public.tell() RETURNS trigger LANGUAGE plpgsql
AS $$ BEGIN NOTIFY sessions; RETURN NULL; END $$;
CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON plimsoll.sessions
FOR EACH STATEMENT EXECUTE FUNCTION public.tell()
"""
SHOWS = {"sessionUpdates": True, "permission": True, "team": True}
TOLD = "plimsoll/team/didChange"
HELD = "SELECT length FROM plimsoll.sessions WHERE id = %s AND held_until > now()"


@dataclass
class Machine:
    """A home of ada's, with a server that her editor has started."""

    home: Path
    settings: dict[str, str]
    editor: Product
    url: str

    def exchange(self) -> None:
        """Let another process of the machine ask the team's server now."""
        self._run("team", "status")

    def join(self) -> None:
        self._run("team", "join", "harbour", self.url)

    def exchange_in_editor(self) -> None:
        """Let the editor's server ask the team's server now, and wait until it has."""
        self.editor.forget()
        params = {"workspaceFolder": self.editor.uri, "name": "harbour", "url": self.url}
        self.editor.call("plimsoll/team/join", params)
        # Who one is there is known once it has answered.
        self.editor.wait_for(
            lambda each: each.get("method") == TOLD and each["params"].get("role") is not None
        )

    def length(self, session: str) -> int:
        """Count the entries of a session's log, which stand below the head of an export."""
        jsonl = self.editor.call("plimsoll/context/export", {"sessionId": session})["jsonl"]
        return len(jsonl.splitlines()) - 1

    def sessions(self) -> list[dict]:
        params = {"workspaceFolder": self.editor.uri}
        return self.editor.call("plimsoll/session/list", params)["sessions"]

    def load(self, session: str) -> dict:
        params = {"workspaceFolder": self.editor.uri, "sessionId": session}
        return self.editor.call("plimsoll/session/load", params)

    def listed(self) -> str:
        """Return what `plimsoll sessions` prints."""
        return self._run("sessions")

    def _run(self, *words: str) -> str:
        environment = {
            "PLIMSOLL_DATA_DIR": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            **self.settings,
        }
        done = subprocess.run(
            [sys.executable, "-m", "plimsoll", *words, "--workspace", self.editor.workspace],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout


@pytest.fixture
async def crew() -> Crew:
    with running("fsync=off") as engine:
        crew = await crew_of(engine)
        await crew.enlist("ada")
        crew.as_administrator(TELL)
        yield crew


@pytest.fixture
def begin(crew: Crew, start: Callable[..., Product], tmp_path: Path) -> Callable[[str], Machine]:
    given = conninfo_to_dict(crew.url_of("ada"))
    url = f"postgresql://{given['user']}@127.0.0.1:{given['port']}/{given['dbname']}"
    settings = {
        "PLIMSOLL_TEAM_PASSWORD": str(given["password"]),
        "PLIMSOLL_TEAM__SESSIONS": "true",
    }

    def machine(name: str) -> Machine:
        editor = start({"mode": "echo"}, tmp_path / name, **settings)
        made = Machine(tmp_path / name, settings, editor, url)
        made.join()
        editor.open(windowName="Visual Studio Code", capabilities=SHOWS)
        return made

    return machine


def wait_until_sent(crew: Crew, machine: Machine, session: str) -> None:
    """Wait until a machine has the session that it shows, and the server all of its log."""
    with psycopg.connect(crew.url, autocommit=True) as connection:
        connection.execute("LISTEN sessions")
        while connection.execute(HELD, [session]).fetchone() != (machine.length(session),):
            next(connection.notifies(stop_after=1))


def test_a_session_is_listed_followed_taken_over_and_handed_back(
    begin: Callable[[str], Machine], crew: Crew
):
    desk, train = begin("desk"), begin("train")
    session = desk.editor.new_session()
    desk.editor.turn(session, "Remember the tide.")
    wait_until_sent(crew, desk, session)
    train.exchange()
    listed = {each["id"]: each for each in train.sessions()}
    assert listed[session]["elsewhere"] == OTHER
    assert listed[session]["workspaceFolder"] == train.editor.uri
    # The desk shows it, so the train follows.
    loaded = train.load(session)
    assert texts(loaded) == texts(desk.load(session))
    assert "elsewhere" not in {each["id"]: each for each in train.sessions()}[session]
    assert loaded["session"]["heldBy"] == f"the machine {OTHER}"
    content = [{"type": "text", "text": "Go on."}]
    prompt = {"sessionId": session, "content": content}
    assert train.editor.failure("plimsoll/session/prompt", prompt)["data"]["kind"] == "busy"
    taken = train.editor.call("plimsoll/session/takeOver", {"sessionId": session})
    assert "heldBy" not in taken["session"]
    train.editor.turn(session, "Go on.")
    wait_until_sent(crew, train, session)
    desk.exchange()
    assert texts(desk.load(session)) == texts(train.load(session))
    # It was deleted: nowhere is it any more. A window that still showed it would keep it.
    desk.editor.new_session()
    train.editor.new_session()
    train.editor.call("plimsoll/session/delete", {"sessionId": session})
    train.exchange()
    assert session not in {each["id"] for each in train.sessions()}
    # There it is let go of, and gone with the look after that.
    while session in {each["id"] for each in desk.sessions()}:
        desk.exchange_in_editor()


def test_a_third_home_goes_on_where_the_session_was_without_its_files(
    begin: Callable[[str], Machine], crew: Crew
):
    desk = begin("desk")
    (desk.editor.workspace / "tide.txt").write_text("High at noon.\n")
    session = desk.editor.new_session()
    desk.editor.turn(session, "Remember the tide.")
    wait_until_sent(crew, desk, session)
    said = texts(desk.load(session))
    # The window there shows another one, and the next home finds it free.
    desk.editor.new_session()
    desk.exchange_in_editor()
    cabin = begin("cabin")
    cabin.exchange()
    listed = {each["id"]: each for each in cabin.sessions()}
    assert listed[session]["elsewhere"] == OTHER
    assert f"(on {OTHER})" in cabin.listed()
    loaded = cabin.load(session)
    assert "heldBy" not in loaded["session"]
    assert texts(loaded) == said
    assert f"(on {OTHER})" not in cabin.listed()
    cabin.editor.turn(session, "Go on.")
    assert texts(cabin.load(session))[: len(said)] == said
    assert "Go on." in texts(cabin.load(session))
    assert list(cabin.editor.workspace.glob("*.txt")) == []
