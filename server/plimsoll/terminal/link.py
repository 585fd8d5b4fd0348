"""`plimsoll link`: a folder that was moved takes over what is kept of its old path."""

import asyncio
from argparse import Namespace
from pathlib import Path

from plimsoll.terminal.opening import opened, settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.terminal.stored import nobody, silent


def link(options: Namespace, screen: Screen) -> int:
    """Take over sessions, memories and pins, and say how many there are now."""
    old = Path(options.source).expanduser().absolute()
    return asyncio.run(_link(options, old, screen))


async def _link(options: Namespace, old: Path, screen: Screen) -> int:
    async with opened(options, settings_of(options), nobody(screen), silent) as there:
        environment = there.project.environment
        await there.app.link(environment.workspace, old.as_uri())
        sessions, memories = await there.project.list(), await environment.memories.all()
        screen.line(
            f"{environment.root} has taken over what was kept of {old}. "
            f"Sessions now: {len(sessions)}, memories: {len(memories)}."
        )
    return 0
