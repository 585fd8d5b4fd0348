"""One person at two machines: real processes, each with a home of its own, at a real PostgreSQL."""

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from product.harness import Product, texts
from storage.postgres.crew import Crew, crew_of
from storage.postgres.engine import running

pytestmark = pytest.mark.slow
OTHER = f"another {platform.node().partition('#')[0]}"
"""Both homes are on this machine."""


@dataclass
class Machine:
    """A home of ada's, with a server that her editor has started."""

    home: Path
    settings: dict[str, str]
    editor: Product

    def exchange(self) -> None:
        """Let another process of the machine ask the team's server now."""
        self._run("team", "status")

    def join(self, url: str) -> None:
        self._run("team", "join", "harbour", url)

    def sessions(self) -> list[dict]:
        params = {"workspaceFolder": self.editor.uri}
        return self.editor.call("plimsoll/session/list", params)["sessions"]

    def load(self, session: str) -> dict:
        params = {"workspaceFolder": self.editor.uri, "sessionId": session}
        return self.editor.call("plimsoll/session/load", params)

    def _run(self, *words: str) -> None:
        environment = {
            "PLIMSOLL_DATA_DIR": str(self.home / "data"),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            **self.settings,
        }
        subprocess.run(
            [sys.executable, "-m", "plimsoll", *words, "--workspace", self.editor.workspace],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )


@pytest.fixture
async def crew() -> Crew:
    with running("fsync=off") as engine:
        crew = await crew_of(engine)
        await crew.enlist("ada")
        yield crew


@pytest.fixture
def machines(crew: Crew, start: Callable[..., Product], tmp_path: Path) -> Iterator[list[Machine]]:
    given = conninfo_to_dict(crew.url_of("ada"))
    url = f"postgresql://{given['user']}@127.0.0.1:{given['port']}/{given['dbname']}"
    settings = {
        "PLIMSOLL_TEAM_PASSWORD": str(given["password"]),
        "PLIMSOLL_TEAM__SESSIONS": "true",
    }
    both = []
    for name in ("desk", "train"):
        editor = start({"mode": "echo"}, tmp_path / name, **settings)
        both.append(Machine(tmp_path / name, settings, editor))
        both[-1].join(url)
        editor.open(windowName="Visual Studio Code")
    return both


def wait_for_lease(crew: Crew, session: str) -> None:
    """Wait until a machine has the session that it shows."""
    held = "SELECT 1 FROM plimsoll.sessions WHERE id = %(session)s AND held_until > now()"
    for _ in range(2_000):
        if crew.as_administrator(held, session=session):
            return
    raise AssertionError("no machine took the session that it shows")


def test_a_session_is_listed_followed_taken_over_and_handed_back(
    machines: list[Machine], crew: Crew
):
    desk, train = machines
    session = desk.editor.new_session()
    desk.editor.turn(session, "Remember the tide.")
    wait_for_lease(crew, session)
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
    train.exchange()
    desk.exchange()
    assert texts(desk.load(session)) == texts(train.load(session))
    # It was deleted: nowhere is it any more.
    train.editor.new_session()
    train.editor.call("plimsoll/session/delete", {"sessionId": session})
    train.exchange()
    assert session not in {each["id"] for each in train.sessions()}
    desk.editor.new_session()
    # The window there shows another one now, and lets it go.
    for _ in range(20):
        desk.exchange()
        if session not in {each["id"] for each in desk.sessions()}:
            break
    assert session not in {each["id"] for each in desk.sessions()}
