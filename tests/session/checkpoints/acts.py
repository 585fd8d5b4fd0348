"""What the agent and the person do in tests of going back, and what they find."""

from functools import partial
from pathlib import Path

from plimsoll.context.log.entries import Said
from plimsoll.context.log.messages import Role
from plimsoll.session.checkpoints.restoring import FileResult
from plimsoll.session.checkpoints.rewinding import preview
from session.checkpoints.clocks import late
from session.harness import harness

opened = partial(harness, clock=late())
"""By its clock nobody changed a file between a prompt and the agent's first edit of it."""
DONE = {"text": "Done."}


def write(path, text):
    return {"name": "file_write", "arguments": {"path": path, "content": text}}


def edit(path, old, new):
    arguments = {"path": path, "old_string": old, "new_string": new}
    return {"name": "file_edit", "arguments": arguments}


def turn(*calls):
    return {"calls": list(calls)}, DONE


def prompts(own) -> list[str]:
    said = (entry for entry in own.entries if isinstance(entry, Said))
    return [entry.id for entry in said if entry.role is Role.USER]


def left(own, name, why):
    return FileResult(own.folder / name, "left", why)


def restored(own, name):
    return FileResult(own.folder / name, "restored")


def removed(own, name):
    return FileResult(own.folder / name, "removed")


async def rewind_to(own, prompt=0):
    """Go back to a prompt; the preview says what then happens."""
    target = prompts(own)[prompt]
    foreseen = await preview(own.session.state, target)
    before = dict(tree(own.folder))
    went = await own.session.rewind(target, files=True)
    assert foreseen == went.restored, before
    await own.consistent()
    return went


def tree(folder: Path):
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
