"""A session with hooks, each a real program."""

import json
import shlex
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from plimsoll.rules import find_sandbox
from plimsoll.session.ports.events import HookRan, NoticeGiven
from plimsoll.session.ports.rules import SessionRules
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.hooks import Hook, HookEvent, HookOutput, HookRequest
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


def hook(event: HookEvent, command: str, matcher: str = "", seconds: float = 120) -> Hook:
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


class Scripted:
    """Runs no program: keeps what each hook was given, and answers the same each time."""

    def __init__(self, answer: HookOutput) -> None:
        self.answer = answer
        self.given: list[dict[str, Any]] = []

    async def __call__(self, request: HookRequest, context: CallContext) -> HookOutput:
        self.given.append(json.loads(request.given))
        return self.answer


def scripted(
    folder: Path, event: HookEvent, answer: HookOutput, *steps: Mapping[str, object], **others: Any
) -> tuple[AbstractAsyncContextManager[Harness], Scripted]:
    """A session with one hook that answers so, which no process runs."""
    ran = Scripted(answer)
    opened = harness(
        folder,
        *steps,
        allowed=SessionRules(hooks=(hook(event, "true"),)),
        run_hook=ran,
        confining=partial(confining, sandbox=USUAL),
        **others,
    )
    return opened, ran


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
