import subprocess
import sys

import pytest
from pydantic import TypeAdapter

from lsp.wire.examples import SCHEMA, example
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.methods import (
    CLIENT_NOTIFICATIONS,
    METHODS,
    NOTIFICATIONS,
    REQUESTS,
    SERVER_REQUESTS,
)
from plimsoll.lsp.wire.updates import SessionUpdate

DEFINITIONS = SCHEMA["$defs"]

IMPORTED_LATE = """
import sys
import plimsoll.lsp.wire.commands, plimsoll.lsp.wire.failures
import plimsoll.lsp.wire.service
from plimsoll.lsp.wire.base import Wire

def below(model):
    return {model}.union(*map(below, model.__subclasses__()))

print(sorted(name for name in sys.argv[1:] if name in sys.modules))
print(sorted(model.__name__ for model in below(Wire) if model.__pydantic_complete__))
"""


def _models():
    for method in METHODS.values():
        yield pytest.param(method.params, id=f"{method.name} params")
        if method.result is not None:
            yield pytest.param(method.result, id=f"{method.name} result")


@pytest.mark.parametrize("model", list(_models()))
def test_a_full_value_survives_the_way_in_and_out(model):
    sent = example(DEFINITIONS[model.__name__], DEFINITIONS)
    if model.__name__ == "ModelSetKeyParams":
        sent["key"] = "*" * 10
    if model.__name__ == "TeamSetPasswordParams":
        sent["password"] = "*" * 10
    if model.__name__ == "PinAddParams":
        del sent["itemId"]
    if model.__name__ == "PinRemoveParams":
        del sent["pinId"]

    assert dump(model.model_validate(sent)) == sent


@pytest.mark.parametrize("kind", list(DEFINITIONS["SessionUpdate"]["discriminator"]["mapping"]))
def test_every_update_is_told_apart_by_its_kind(kind):
    name = DEFINITIONS["SessionUpdate"]["discriminator"]["mapping"][kind]
    sent = example({"$ref": name}, DEFINITIONS, depth=4)

    update = TypeAdapter(SessionUpdate).validate_python(sent)

    assert type(update).__name__ == name.rpartition("/")[2]
    assert dump(update) == sent


def test_the_tables_are_disjoint_and_say_who_sends():
    tables = (REQUESTS, CLIENT_NOTIFICATIONS, SERVER_REQUESTS, NOTIFICATIONS)

    assert sum(map(len, tables)) == len(METHODS)
    assert {(method.kind, method.direction) for method in REQUESTS.values()} == {
        ("request", "clientToServer")
    }
    assert {(method.kind, method.direction) for method in CLIENT_NOTIFICATIONS.values()} == {
        ("notification", "clientToServer")
    }
    assert {(method.kind, method.direction) for method in SERVER_REQUESTS.values()} == {
        ("request", "serverToClient")
    }
    assert {(method.kind, method.direction) for method in NOTIFICATIONS.values()} == {
        ("notification", "serverToClient")
    }


def test_no_method_squats_on_a_name_of_lsp():
    assert all(name.startswith("plimsoll/") for name in METHODS)


@pytest.mark.slow
def test_importing_builds_no_validator_and_loads_nothing_heavy():
    heavy = ["pygls", "lsprotocol", "httpx", "tiktoken", "aiosqlite", "rich", "sqlite3"]

    answer = subprocess.run(
        [sys.executable, "-c", IMPORTED_LATE, *heavy], capture_output=True, text=True, check=True
    )

    assert answer.stdout.splitlines() == ["[]", "[]"]
