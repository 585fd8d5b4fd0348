"""A session that was held with one address goes on at another by a person's word alone."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from cli.shell import Shell, refused, rows
from model_server import Listening, listening

pytestmark = pytest.mark.slow


@pytest.fixture
def servers() -> Iterator[tuple[Listening, Listening]]:
    with ExitStack() as stack:
        yield stack.enter_context(listening()), stack.enter_context(listening())


def at(server: Listening) -> dict[str, str]:
    return {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "small",
        "PLIMSOLL_MODEL__BASE_URL": server.url,
    }


@pytest.mark.parametrize("flags", [(), ("--auto-approve",)])
def test_without_a_terminal_it_is_refused_with_what_to_set(shell: Shell, servers, flags):
    first, second = servers
    assert shell.run("run", "Hello.", **at(first)).returncode == 0
    done = shell.run("run", *flags, "--continue", "Go on.", **at(second))
    known, now = (each.url.removesuffix("/v1") for each in servers)
    refused(done, f"went to {known} and would go to {now} now", "plimsoll run --accept-address")
    assert second.sent == []
    # Where it was held it goes on.
    assert shell.run("run", "--continue", "Go on.", **at(first)).returncode == 0


def test_an_accepted_address_stays(shell: Shell, servers):
    first, second = servers
    assert shell.run("run", "Hello.", **at(first)).returncode == 0
    done = shell.run("run", "--accept-address", "--continue", "Go on.", **at(second))
    assert done.returncode == 0, done.stderr
    assert shell.run("run", "--continue", "And on.", **at(second)).returncode == 0
    assert second.sent
    (record,) = rows(shell.run("sessions", "--json"))
    assert record["address"] == second.url.removesuffix("/v1")


def test_a_model_that_is_named_is_such_a_word(shell: Shell, servers):
    first, second = servers
    assert shell.run("run", "Hello.", **at(first)).returncode == 0
    done = shell.run("run", "--continue", "--model", "openai/small", "Go on.", **at(second))
    assert done.returncode == 0, done.stderr
