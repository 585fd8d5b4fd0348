"""What `initialize` offers is exactly what is served."""

from plimsoll.lsp.handlers.table import HANDLERS
from plimsoll.lsp.offered import COMMANDS, METHODS, PROTOCOL_VERSION
from plimsoll.lsp.protocol import commands, initialize
from plimsoll.lsp.protocol.methods import REQUESTS


def test_the_methods_are_those_with_a_handler():
    assert tuple(HANDLERS) == METHODS
    assert set(METHODS) <= set(REQUESTS)


def test_the_commands_are_those_whose_method_is_served():
    served = [c.id for c in commands.COMMANDS.values() if c.method is None or c.method in HANDLERS]
    assert list(COMMANDS) == served


def test_the_version_is_the_protocols():
    assert PROTOCOL_VERSION == initialize.PROTOCOL_VERSION
