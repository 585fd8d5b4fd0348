"""What reads a PDF document is in the sandbox: it sees libraries, and reaches nobody."""

import json
import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plimsoll.errors import ToolFailed
from plimsoll.tools.documents import child as reading
from plimsoll.tools.documents.pdf import READING, pdf_text
from plimsoll.tools.process.confinement.base import Access, Probed, Sandbox
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.confinement.kernel.rights import landlock_version
from plimsoll.tools.process.confinement.landlock import Landlock
from sandboxes import find_bubblewrap
from tools.documents.samples import bomb, pdf

pytestmark = pytest.mark.slow

ATTACK = r"""
import json, os, pathlib, socket, subprocess, sys
rules = json.loads(sys.argv[1])
sys.path[:] = [str(pathlib.Path(REAL).parent), *rules["path"]]
import document_child
if rules["confined"]:
    document_child.__file__ = REAL
    document_child.confine(rules["confined"])
sys.stdout.buffer.write(b"\0begun\n")

def tried(act):
    try:
        return repr(act())[:60]
    except BaseException as error:
        return type(error).__name__

def reach():
    with socket.create_connection(("127.0.0.1", PORT), timeout=5):
        return "connected"

def talk():
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(SOCKET)
        return "connected"

wanted = {
    "read": lambda: pathlib.Path(SECRET).read_text(),
    "list": lambda: os.listdir(pathlib.Path(SECRET).parent),
    "link": lambda: os.readlink(pathlib.Path(SECRET).parent / "link"),
    "passwords": lambda: pathlib.Path("/etc/passwd").read_text(),
    "write": lambda: pathlib.Path(SECRET).with_name("new").write_text("x"),
    "temporary": lambda: pathlib.Path("/tmp/plimsoll-pdf-attack").write_text("x"),
    "remove": lambda: pathlib.Path(SECRET).unlink(),
    "reach": reach,
    "talk": talk,
    "server": lambda: pathlib.Path(f"/proc/{SERVER}/environ").read_text(),
    "kill": lambda: os.kill(SERVER, 0),
    "environment": lambda: [name for name in os.environ if name not in ("LC_CTYPE", "PWD")],
}
print(json.dumps({name: tried(act) for name, act in wanted.items()}))
"""


def sandboxes() -> Iterator[Sandbox]:
    program = find_bubblewrap(os.environ["PATH"])
    if program is not None:
        yield Bubblewrap(program=program, environment=os.environ)
    if landlock_version() > 0:
        yield Landlock(environment=os.environ)


def confining(sandbox: Sandbox, root: Path) -> Confining:
    access = Access(root=root, home=root, caches=root / "caches")
    return Confining(Probing(lambda: Probed(sandbox)), lambda _network: access)


rungs = pytest.mark.parametrize("sandbox", list(sandboxes()), ids=lambda sandbox: sandbox.rung)


@rungs
def test_a_document_is_read_in_it(sandbox: Sandbox, tmp_path: Path, caplog):
    data = pdf(["The harbour has two entrances."])
    assert "two entrances" in pdf_text("a.pdf", data, confining(sandbox, tmp_path))
    assert not caplog.records


@rungs
def test_nothing_else_is_seen_or_reached(
    sandbox: Sandbox, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch
):
    secret = tmp_path / "secret.txt"
    secret.write_text("canary")
    (tmp_path / "link").symlink_to("canary")
    child = tmp_path_factory.mktemp("code") / "attack.py"
    monkeypatch.setenv("MY_API_KEY", "canary")
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as own:
        own.bind(str(tmp_path / "socket"))
        own.listen()
        facts = {
            "REAL": str(reading.CHILD),
            "SECRET": str(secret),
            "SOCKET": str(tmp_path / "socket"),
            "PORT": listener.getsockname()[1],
            "SERVER": os.getpid(),
        }
        lines = [f"{name} = {value!r}" for name, value in facts.items()]
        child.write_text("\n".join(lines) + ATTACK)
        monkeypatch.setattr(reading, "CHILD", child)
        monkeypatch.setattr(reading, "_OWN", (*reading._OWN, child))
        free = json.loads(pdf_text("a.pdf", b"%PDF-"))
        # It was removed there.
        secret.write_text("canary")
        kept = json.loads(pdf_text("a.pdf", b"%PDF-", confining(sandbox, tmp_path)))
    # Each works without the sandbox, or it would show nothing.
    assert {name for name, got in free.items() if got.endswith("Error")} <= {"server"}
    harmless = {"environment": "[]"}
    if sandbox.rung == "landlock":
        # Where a link leads, and whether a process is there, no right of it takes away.
        harmless |= {"link": "'canary'"}
    assert {n: got for n, got in kept.items() if not got.endswith("Error")} == harmless
    assert secret.read_text() == "canary"


@rungs
def test_its_bounds_hold_in_it(sandbox: Sandbox, tmp_path: Path):
    bounds = replace(READING, cpu=3, memory=400_000_000)
    with pytest.raises(ToolFailed, match="more time or memory"):
        pdf_text("a.pdf", bomb(500), confining(sandbox, tmp_path), bounds)


def test_where_its_reader_cannot_start_in_it_that_is_logged(tmp_path: Path, caplog):
    """As on a machine where libraries lie where nobody looks for them."""
    broken = Bubblewrap(program=Path("/bin/false"), environment=os.environ)
    assert "Ships" in pdf_text("a.pdf", pdf(["Ships."]), confining(broken, tmp_path))
    assert "outside of the sandbox" in caplog.text
