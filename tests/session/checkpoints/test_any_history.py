"""Random histories of edits by agent, person and commands: each file is as it was, or is named."""

import asyncio
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.session.checkpoints import since as moments
from plimsoll.session.checkpoints.restoring import FileResult
from plimsoll.tools.ports.intent import AnyIntent
from session.checkpoints.clocks import FileClock
from session.harness import SECRET, Harness, harness

NAMES = ("a.txt", "b.txt", "in/c.txt", "Makefile")
TEXTS = ("one\n", "two\n", "three\r\n", "Grüße\n", f"key = {SECRET}\n", "")
names, texts = st.sampled_from(NAMES), st.sampled_from(TEXTS)


@dataclass(frozen=True)
class Step:
    """A change of a file by somebody; without a text it is deleted."""

    who: str
    name: str
    text: str | None
    moved: bool = False
    """Whether it is an older file that is moved into place."""


agents = st.builds(Step, st.just("agent"), names, texts)
commands = st.builds(Step, st.just("command"), names, texts | st.none())
persons = st.builds(Step, st.just("person"), names, texts | st.none(), st.booleans())
steps = st.lists(agents | agents | commands | persons, max_size=5)
turns = st.lists(st.tuples(steps, st.lists(persons, max_size=2)), min_size=1, max_size=4)


def call(step: Step) -> dict[str, object]:
    if step.who == "agent":
        arguments = {"path": step.name, "content": step.text}
        return {"name": "file_write", "arguments": arguments}
    path = shlex.quote(step.name)
    text = None if step.text is None else shlex.quote(step.text)
    line = f"rm -f {path}" if text is None else f"mkdir -p in && printf %s {text} > {path}"
    return {"name": "shell", "arguments": {"command": line}}


def act(folder: Path, step: Step) -> None:
    path = folder / step.name
    if step.text is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(exist_ok=True)
        place = folder.parent / "moved" if step.moved else path
        place.write_bytes(step.text.encode())
        if step.moved:
            os.utime(place, (0, 0))
            place.rename(path)


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def named(folder: Path, files: Sequence[FileResult]) -> dict[str, FileResult]:
    """What became of files, by name; of each that was left the reason is said."""
    assert all(file.why is not None for file in files if file.action == "left")
    return {file.path.relative_to(folder).as_posix(): file for file in files}


def meanwhile(own: Harness, steps: Sequence[Step]) -> None:
    """Let the person act between the agent's calls, before each is looked at."""
    due = list(steps)

    def persons_first(prepare: Callable[..., AnyIntent]) -> Callable[..., AnyIntent]:
        def prepared(*args: Any) -> AnyIntent:
            while due and due[0].who == "person":
                act(own.folder, due.pop(0))
            due.pop(0)
            return prepare(*args)

        return prepared

    for name in ("file_write", "shell"):
        tool = own.project.environment.tools[name]
        tool.prepare = persons_first(type(tool).prepare.__get__(tool))


def hold(then: bytes | None, now: bytes | None, after: bytes | None, file: FileResult | None):
    """A file that the agent changed is as it was, or is named; what is left is as it stood."""
    if file is None:
        assert now == then == after
    elif file.action == "left":
        assert now == after
    elif file.why is None:
        assert now == then


async def check(base: Path, history, chosen: int) -> None:
    script = [
        step
        for steps, _ in history
        for calls in ([call(each) for each in steps if each.who != "person"],)
        for step in (*([{"calls": calls}] if calls else []), {"text": "."})
    ]
    clock = FileClock(base / "probe")
    async with harness(base, *script, clock=clock) as own:
        before = []
        for number, (steps, person) in enumerate(history):
            clock.tick()
            before.append(tree(own.folder))
            meanwhile(own, steps)
            await own.turn(f"Turn {number}.")
            for step in person:
                act(own.folder, step)
        said = [entry for entry in own.entries if isinstance(entry, Said)]
        prompts = [entry.id for entry in said if entry.role is Role.USER]
        then, after = before[chosen], tree(own.folder)
        since = [step for steps, person in history[chosen:] for step in (*done(steps), *person)]
        agents_own = [step for step in since if step.who == "agent"]
        results = results_of(said)[-len(agents_own) :] if agents_own else []
        pairs = zip(agents_own, results, strict=True)
        # A call that found the file as it wanted it changed nothing.
        touched = {step.name for step, result in pairs if not result.failed}
        others = {step.name for step in since if step.who != "agent"}
        went = await own.session.rewind(prompts[chosen], files=True)
        files = named(own.folder, went.restored.files)
        now = tree(own.folder)
        for name in NAMES:
            if name in touched:
                hold(then.get(name), now.get(name), after.get(name), files.get(name))
            else:
                assert now.get(name) == after.get(name), name
        assert set(files) <= touched
        assert {name for name, file in files.items() if file.why == moments.CHANGED} <= others
        assert others or all(file.why != moments.APPEARED for file in files.values())
        assert set(now) <= set(NAMES)
        assert went.restored.commands == sum(step.who == "command" for step in since)
        taken = await own.session.undo(went.id)
        assert tree(own.folder) == after
        back = taken.restored.files if taken.restored else ()
        assert all(file.action != "left" for file in back)
        await own.consistent()


def results_of(said: Sequence[Said]) -> list[Part]:
    """The results of the agent's own calls."""
    parts = (part for each in said for part in each.parts)
    return [part for part in parts if part.kind is PartKind.RESULT and part.name == "file_write"]


def done(steps: Sequence[Step]) -> list[Step]:
    """The steps of a turn up to its last call; a person would do others only before a next one."""
    last = max((at for at, step in enumerate(steps) if step.who != "person"), default=-1)
    return list(steps[: last + 1])


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(st.data())
def test_each_file_is_as_it_was_or_is_named(data):
    history = data.draw(turns)
    chosen = data.draw(st.integers(0, len(history) - 1))
    base = Path(tempfile.mkdtemp())
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(moments, "CLOCK_STEP", 0)
            asyncio.run(check(base, history, chosen))
    finally:
        shutil.rmtree(base)
