"""`plimsoll schema`: the wire as JSON Schema with a table of methods."""

import json
from argparse import Namespace

from plimsoll.lsp.wire.schema import json_schema
from plimsoll.terminal.screen import Screen


def schema(options: Namespace, screen: Screen) -> int:
    """Print the schema."""
    del options
    screen.line(json.dumps(json_schema(), indent=2))
    return 0
