"""Every request of the one list is served, by a function that takes what the list says."""

import subprocess
import sys
from typing import get_type_hints

import pytest

from plimsoll.lsp.features.commands import HANDLERS
from plimsoll.lsp.wire.commands import COMMANDS
from plimsoll.lsp.wire.methods import METHODS, REQUESTS

OFFERED_EARLY = """
import sys
from plimsoll.lsp.wire.commands import COMMANDS
from plimsoll.lsp.wire.methods import REQUESTS
print(len(REQUESTS) > 30, len(COMMANDS) > 20, "pydantic" in sys.modules)
"""


@pytest.mark.parametrize("method", list(REQUESTS.values()), ids=list(REQUESTS))
def test_a_request_is_served_with_the_models_that_the_list_names(method):
    hints = get_type_hints(HANDLERS[method.name])
    assert hints.get("params", hints.get("_params")) is method.params
    assert hints["return"] is method.result


@pytest.mark.slow
def test_the_lists_are_read_without_the_models():
    answer = subprocess.run(
        [sys.executable, "-c", OFFERED_EARLY], capture_output=True, text=True, check=True
    )
    assert answer.stdout.split() == ["True", "True", "False"]


def test_every_command_has_a_method_of_the_list_or_none():
    assert {command.method for command in COMMANDS.values()} <= {None, *REQUESTS}


def test_every_model_that_the_list_names_is_there():
    for method in METHODS.values():
        assert method.params.model_config["frozen"]
        assert (method.result is None) == (method.kind == "notification")
