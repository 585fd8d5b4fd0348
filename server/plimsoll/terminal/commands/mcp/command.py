"""`plimsoll mcp`: runs the subcommand that its second word names."""

import asyncio
from argparse import Namespace
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from plimsoll.errors import InvalidInput
from plimsoll.terminal.commands.mcp import importing, servers
from plimsoll.terminal.commands.stored import declining_asker, silent
from plimsoll.terminal.opening import open_project, settings_of
from plimsoll.terminal.screen import Screen
from plimsoll.text.wording import how_to_install


def mcp(options: Namespace, screen: Screen) -> int:
    """Run the subcommand that the second word names; returns the exit code."""
    return ACTIONS[options.action](options, screen)


def _serve(options: Namespace, screen: Screen) -> int:
    if find_spec("mcp") is None:
        raise InvalidInput(
            "The library of the Model Context Protocol is not installed.",
            remedy=f"Install the extra mcp: {how_to_install('mcp')}.",
        )
    asyncio.run(_serve_folder(options, screen))
    return 0


async def _serve_folder(options: Namespace, screen: Screen) -> None:
    # Late: it loads the library, which takes a second.
    from plimsoll.mcp.server import serve_folder

    settings = settings_of(options)
    async with open_project(options, settings, declining_asker(screen), silent) as opened:
        await serve_folder(opened.project)


ACTIONS: Mapping[str, Callable[[Namespace, Screen], int]] = {
    "serve": _serve,
    "add": servers.add,
    "list": servers.show,
    "remove": servers.remove,
    "import": importing.take_over,
}
"""By the words behind `plimsoll mcp`."""
