"""A session with hooks, each a real program."""

import shlex
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from plimsoll.rules import find_sandbox
from plimsoll.session.ports.events import HookRan, NoticeGiven
from plimsoll.session.ports.rules import SessionRules
from plimsoll.tools.ports.hooks import Hook, HookEvent
from plimsoll.tools.process.confinement.base import Access
from plimsoll.tools.process.confinement.confining import Confining, Probing
from plimsoll.tools.process.hook_process import run_hook
from plimsoll.tools.process.processes import Processes
from sandboxes import PassThrough, confining
from session.harness import Harness, harness

READ = {"name": "file_read", "arguments": {"path": "load.txt"}}
USUAL = PassThrough()
WRITE = {"name": "file_write", "arguments": {"path": "new.txt", "content": "x\n"}}
RUN = {"name": "shell", "arguments": {"command": "touch ran"}}


def hook(event: HookEvent, command: str, matcher: str = "", seconds: float = 20) -> Hook:
    return Hook(event=event, command=command, matcher=matcher, seconds=seconds)


def says(answer: str) -> str:
    """A command that reads all that it is given and prints this."""
    return f"cat >/dev/null; printf %s {shlex.quote(answer)}"


def python(program: str) -> str:
    """A command that runs a program with ``given``, the JSON on its input."""
    begin = "import json, os, sys\ngiven = json.load(sys.stdin)\n"
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(begin + program)}"


def script(*calls: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    return {"calls": list(calls)}, {"text": "Done."}


@asynccontextmanager
async def hooked(
    folder: Path,
    hooks: Sequence[Hook],
    *steps: Mapping[str, object],
    sandbox: PassThrough | None = USUAL,
    **others: Any,
) -> AsyncIterator[Harness]:
    """``sandbox``: None, and none works here."""
    processes = Processes()
    (folder / "caches").mkdir(parents=True, exist_ok=True)
    usual: dict[str, Any] = {"confining": partial(confining, sandbox=sandbox)}
    try:
        async with harness(
            folder,
            *steps,
            allowed=SessionRules(hooks=tuple(hooks)),
            run_hook=partial(run_hook, processes, folder / "own"),
            **{**usual, **others},
        ) as own:
            (own.folder / "load.txt").write_text("harbour\n")
            yield own
    finally:
        await processes.close()


def in_real_sandbox(variables: Mapping[str, str], home: Path, root: Path) -> Confining:
    """Confine by the sandbox of this machine."""

    def access(network: bool) -> Access:
        return Access(root=root, home=home, caches=root.parent / "caches", network=network)

    return Confining(Probing(lambda: find_sandbox(variables, (root,))), access)


def results(own: Harness) -> list[str]:
    return [text for role, text in own.said() if role == "tool"]


def decisions(own: Harness) -> list[str | None]:
    return [ran.decision for ran in own.heard(HookRan)]


def notices(own: Harness) -> list[str]:
    return [notice.markdown for notice in own.heard(NoticeGiven)]
