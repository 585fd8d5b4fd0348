"""What the server makes of its own is for its owner alone, whatever the umask is."""

import os
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from product.harness import Product

pytestmark = pytest.mark.slow

PLANT = "mkdir .vscode; echo '{}' > .vscode/settings.json; seq 1 9000; echo done > made.txt"
CALLS = [
    {"name": "shell", "arguments": {"command": PLANT}},
    {"name": "file_write", "arguments": {"path": "kept.txt", "content": "changed\n"}},
    {"name": "file_write", "arguments": {"path": "deep/new.txt", "content": "new\n"}},
    {
        "name": "memory_save",
        "arguments": {"type": "project", "title": "The mast", "content": "The mast is of oak."},
    },
]
SCRIPT = {"steps": [{"calls": CALLS[:1]}, {"calls": CALLS[1:]}, {"text": ["Done."]}]}
BY_COMMANDS = {"caches", "moved-aside", "aside"}
"""What lies deeper than such a folder's own name is as a command made it."""


_NOBODY, _NO_ID = 65534, 0xFFFF_FFFF
# By acl(5): to the owner, to another user, to the group, at most, to others.
OPEN_TO_ANOTHER = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", kind, 7, _NOBODY if kind == 2 else _NO_ID) for kind in (1, 2, 4, 16, 32)
)


def served(umask: int) -> type[Product]:
    class Masked(Product):
        def begin(self, argv: Sequence[str], cwd: Path | str | None, env: Mapping[str, str]) -> Any:
            pipe = subprocess.PIPE
            return subprocess.Popen(
                argv, cwd=cwd, env=env, umask=umask, stdin=pipe, stdout=pipe, stderr=pipe
            )

    return Masked


def own(data: Path) -> Iterator[Path]:
    yield data
    for path in data.rglob("*"):
        above = [part for part in path.relative_to(data).parts[:-1] if part in BY_COMMANDS]
        if not above:
            yield path


@pytest.mark.parametrize("umask", [0, 0o077, 0o777])
def test_all_that_is_made_is_private(tmp_path: Path, umask: int):
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace/kept.txt").write_text("at first\n")
    # Not every file system has lists of access; a mode then shows the most that they give.
    with suppress(OSError):
        os.setxattr(tmp_path, "system.posix_acl_default", OPEN_TO_ANOTHER)
    trace = tmp_path / "trace.jsonl"
    command = ("-m", "plimsoll", "serve", "--trace", str(trace))
    with served(umask)(tmp_path, SCRIPT, command, PLIMSOLL_LOG="debug") as product:
        product.responses["plimsoll/session/requestPermission"] = {
            "outcome": "selected",
            "optionId": "allowOnce",
        }
        product.open()
        session = product.new_session()
        updates = product.turn(session, "Always call me Ann. Do it.")
        assert [u.get("error") for u in updates if u["kind"] == "turnEnded"] == [None]
        product.call("plimsoll/pin/add", {"sessionId": session, "text": "a pin"})
        product.call("plimsoll/context/export", {"sessionId": session})
        product.call("shutdown")
        product.notify("exit")
        product.wait_closed()
    made = list(own(tmp_path / "data"))
    names = {path.name for path in made}
    assert {"log", "plimsoll.log", "spill", "checkpoints", "plimsoll.db", "sessions"} <= names
    # Where a sandbox works.
    assert {"caches", "moved-aside"} <= names or "caches" not in names
    for path in [*made, trace]:
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.lstat().st_mode) == wanted, path
    # The person's own files are made as any editor makes them.
    written = stat.S_IMODE((tmp_path / "workspace/deep/new.txt").stat().st_mode)
    assert written == 0o666 & ~umask


def test_terminal_and_settings(tmp_path: Path):
    """A settings file in a folder that was missing, and the prompts of a chat."""
    program = (
        "import os, sys; os.umask(int(sys.argv[1], 8)); from pathlib import Path\n"
        "from plimsoll.settings.writing import write_config\n"
        "from plimsoll.terminal.line_editing.history import PromptHistory\n"
        "home = Path(sys.argv[2])\n"
        "write_config(home / 'a/b/config.toml', 'model', {'name': 'x'})\n"
        "PromptHistory(home / 'history', str).store_string('hello')\n"
    )
    for umask in ("0", "777"):
        home = tmp_path / umask
        home.mkdir()
        subprocess.run([sys.executable, "-c", program, umask, str(home)], check=True)
        modes = {p.name: oct(stat.S_IMODE(p.stat().st_mode)) for p in home.rglob("*")}
        assert modes == {"a": "0o700", "b": "0o700", "config.toml": "0o600", "history": "0o600"}
