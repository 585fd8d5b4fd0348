"""`plimsoll connect` and `doctor --ask` against a server on loopback."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.shell import ESCAPE, Person, Shell, refused
from model_server import KEY, Listening, listening


@pytest.fixture
def server() -> Iterator[Listening]:
    with listening() as one:
        yield one


def config(shell: Shell) -> Path:
    return Path(shell.variables["XDG_CONFIG_HOME"]) / "plimsoll" / "config.toml"


def given(server: Listening, *more: str) -> list[str]:
    return ["connect", "--provider", "openai", "--base-url", server.url, *more]


def test_all_that_is_named_is_tried_and_written(shell: Shell, server: Listening):
    server.key = KEY
    config(shell).parent.mkdir(parents=True)
    config(shell).write_text('# mine\n[model]\nname = "old" # was\ncontext_window = 4096\n')
    done = shell.run(*given(server, "--model", "small", "--key-env", "MINE"), MINE=KEY)
    assert done.returncode == 0, done.stderr
    told = done.stderr.decode()
    for words in ("first token: after", "streaming: 3 pieces", "was called", "60 tokens in"):
        assert words in told
    assert config(shell).read_text() == (
        f'# mine\n[model]\nname = "small" # was\nprovider = "openai"\n'
        f'base_url = "{server.url}"\napi_key_env = "MINE"\n'
    )
    assert stat.S_IMODE(config(shell).stat().st_mode) == 0o600
    asked = shell.run("run", "hello", MINE=KEY)
    assert asked.returncode == 0
    assert b"not known" not in asked.stderr, "the server says the window before it is missed"
    unknown = shell.run("run", "--model", "openai/unheard-of", "hello", MINE=KEY).stderr.decode()
    assert unknown.count("How much openai/unheard-of can hold is not known") == 1


def test_without_a_name_or_with_a_wrong_key_nothing_is_written(shell: Shell, server: Listening):
    refused(shell.run(*given(server)), "small, gpt-4o, unheard-of", "--model")
    server.key = KEY
    wrong = shell.run(
        *given(server, "--model", "small", "--key-env", "MINE"), MINE="sk-wrong-key-12345"
    )
    refused(wrong, "Nothing was saved", "--no-test")
    refused(shell.run("connect"), "no terminal to ask on", "--provider")
    local = ("connect", "--provider", "openai", "--model", "m", "--no-test")
    refused(shell.run(*local, "--base-url", "127.0.0.1:9/v1"), "an http or https address")
    assert not config(shell).exists()


LIBRARY = """
import json, os, pathlib
_file = pathlib.Path(os.environ["HOME"]) / "keys.json"
def _kept():
    return json.loads(_file.read_text()) if _file.exists() else {}
def get_keyring():
    return object()
def get_password(service, name):
    return _kept().get(f"{service} {name}")
def set_password(service, name, key):
    _file.write_text(json.dumps({**_kept(), f"{service} {name}": key}))
"""


def test_a_key_in_the_keyring_is_sent_and_stands_nowhere_else(
    shell: Shell, server: Listening, tmp_path: Path
):
    """The library is not part of the environment: one that keeps its keys in a file stands in."""
    package = tmp_path / "library" / "keyring"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(LIBRARY)
    (package / "errors.py").write_text("class KeyringError(Exception): pass\n")
    server.key = KEY
    library = {"PYTHONPATH": str(package.parent)}
    arguments = given(server, "--model", "small", "--keyring")
    done = shell.run_from_nothing(*arguments, typed=f"{KEY}\n", **library)
    assert done.returncode == 0, done.stderr
    assert KEY not in done.stdout.decode() + done.stderr.decode() + config(shell).read_text()
    assert "api_key_keyring = true" in config(shell).read_text()
    asked = {"OPENAI_API_KEY": "sk-of-the-vendor-123", **library}
    assert shell.run_from_nothing("run", "hello", **asked).returncode == 0
    missing = shell.run(*arguments, typed=f"{KEY}\n")
    refused(missing, "not installed", "--key-env")


def test_a_person_picks_and_sees_the_test(shell: Shell, server: Listening, person: Person):
    person.start("connect")
    person.sees("Which models?")
    person.types("another\r")
    person.sees("Address")
    person.types(f"{server.url}\r")
    person.sees("Where is the key?")
    person.types("\r")
    person.sees("Which model?")
    person.sees("8.2k tokens as it is served")
    person.types("small\r")
    assert person.ends() == 0
    assert "is written into" in ESCAPE.sub("", person.read)
    assert config(shell).read_text() == (
        f'[model]\nprovider = "openai"\nname = "small"\nbase_url = "{server.url}"\n'
    )


def test_the_doctor_asks_when_it_is_told_to(shell: Shell, server: Listening):
    variables = {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__BASE_URL": server.url,
        "PLIMSOLL_MODEL__NAME": "small",
    }
    done = shell.run("doctor", "--ask", **variables)
    told = done.stdout.decode()
    for words in ("8.2k tokens as it is served", "model, first token", "model, tools", "60 tokens"):
        assert words in told
    variables["PLIMSOLL_MODEL__NAME"] = "smal"
    assert (
        "no model of that name, but small"
        in shell.run("doctor", "--ask", **variables).stdout.decode()
    )
    server.key = KEY
    asked = shell.run("doctor", "--ask", **variables)
    assert asked.returncode == 1
    assert "model, asked" in asked.stdout.decode()
