"""`plimsoll serve`: the language server."""

import json
from argparse import Namespace
from pathlib import Path

from plimsoll.lsp.main import serve as serve_client
from plimsoll.terminal.screen import Screen


def serve(options: Namespace, screen: Screen) -> int:
    """Serve one client; the server ends the process itself, with the exit code of its protocol."""
    del screen
    # Without a command there are no options: an editor has started plain `plimsoll`.
    config, tcp = getattr(options, "config", None), getattr(options, "tcp", None)
    serve_client(options.secrets, Path(config) if config else None, tcp)
    return 0


def schema(options: Namespace, screen: Screen) -> int:
    """Print the schema."""
    # Loaded late: the models bring pydantic, and `serve` answers `initialize` without it.
    from plimsoll.lsp.wire.schema import json_schema

    del options
    screen.line(json.dumps(json_schema(), indent=2))
    return 0
