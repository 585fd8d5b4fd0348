"""The product's server, which also writes how late its event loop ran: `timed.py FILE`."""

import asyncio
import json
import sys
import time
from pathlib import Path

from plimsoll.cli import release_large_blocks
from plimsoll.lsp.connection import Connection
from plimsoll.lsp.server_app import ServerApp
from plimsoll.redaction.secrets import Secrets

STEP = 0.01


async def probe(path: Path) -> None:
    late: list[float] = []
    while True:
        due = time.monotonic() + STEP
        await asyncio.sleep(STEP)
        late.append(time.monotonic() - due)
        if len(late) % 50 == 0:
            # Replaced as a whole: a reader must not find half of it.
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps(late))
            fresh.replace(path)


def main() -> None:
    release_large_blocks(sys.platform)
    app = ServerApp(Connection(), Secrets({}), None)
    inner = app.server.protocol.on_initialize
    tasks: list[asyncio.Task[None]] = []

    async def initialize(params: object) -> object:
        tasks.append(asyncio.ensure_future(probe(Path(sys.argv[1]))))
        return await inner(params)

    app.server.on_initialize(initialize)
    app.server.run_stdio()


if __name__ == "__main__":
    main()
