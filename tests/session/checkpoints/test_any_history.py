"""Random histories of edits by agent, person and commands: each file is as it was, or is named."""

import asyncio
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role
from plimsoll.session.checkpoints.going_back import FileResult
from session.harness import SECRET, harness

NAMES = ("a.txt", "b.txt", "in/c.txt", "Makefile")
TEXTS = ("one\n", "two\n", "three\r\n", "Grüße\n", f"key = {SECRET}\n", "")
names, texts = st.sampled_from(NAMES), st.sampled_from(TEXTS)


@dataclass(frozen=True)
class Step:
    """A change of a file by somebody; without a text it is deleted."""

    who: str
    name: str
    text: str | None


agents = st.builds(Step, st.just("agent"), names, texts)
commands = st.builds(Step, st.just("command"), names, texts | st.none())
persons = st.builds(Step, st.just("person"), names, texts | st.none())
turns = st.lists(
    st.tuples(st.lists(agents | agents | commands, max_size=4), st.lists(persons, max_size=2)),
    min_size=1,
    max_size=4,
)


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
        path.write_bytes(step.text.encode())


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def named(folder: Path, files: Sequence[FileResult]) -> set[str]:
    """The files that were left, each with a reason."""
    assert all((file.why is not None) == (file.action == "left") for file in files)
    return {file.path.relative_to(folder).as_posix() for file in files if file.action == "left"}


async def check(base: Path, history, chosen: int) -> None:
    script = [
        step
        for calls, _ in history
        for step in (*([{"calls": [call(each) for each in calls]}] if calls else []), {"text": "."})
    ]
    async with harness(base, *script) as own:
        before = []
        for number, (_, person) in enumerate(history):
            before.append(tree(own.folder))
            await own.turn(f"Turn {number}.")
            for step in person:
                act(own.folder, step)
        said = [entry for entry in own.entries if isinstance(entry, Said)]
        prompts = [entry.id for entry in said if entry.role is Role.USER]
        then, after = before[chosen], tree(own.folder)
        since = [step for calls, person in history[chosen:] for step in (*calls, *person)]
        touched = {step.name for step in since if step.who == "agent"}
        others: dict[str, set[bytes | None]] = {}
        for step in since:
            if step.who != "agent":
                text = None if step.text is None else step.text.encode()
                others.setdefault(step.name, set()).add(text)
        went = await own.session.rewind(prompts[chosen], files=True)
        left = named(own.folder, went.restored.files)
        now = tree(own.folder)
        for name in NAMES:
            if name in touched - left:
                # What others wrote before the agent's first edit is theirs: it is not undone.
                assert now.get(name) in {then.get(name), *others.get(name, ())}, name
            else:
                assert now.get(name) == after.get(name), name
        assert left <= touched
        assert set(now) <= set(NAMES)
        assert went.restored.commands == sum(step.who == "command" for step in since)
        taken = await own.session.undo(went.id)
        back = named(own.folder, taken.restored.files) if taken.restored else set()
        assert tree(own.folder) == after, back
        assert back == set()
        await own.consistent()


@pytest.mark.slow
@settings(max_examples=examples(200))
@given(st.data())
def test_each_file_is_as_it_was_or_is_named(data):
    history = data.draw(turns)
    chosen = data.draw(st.integers(0, len(history) - 1))
    base = Path(tempfile.mkdtemp())
    try:
        asyncio.run(check(base, history, chosen))
    finally:
        shutil.rmtree(base)
