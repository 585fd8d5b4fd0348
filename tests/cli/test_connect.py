"""`plimsoll connect` and `doctor --ask` against a server on loopback."""

import json
import stat
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cli.shell import ESCAPE, Person, Shell, refused

KEY = "sk-right-key-1234567890"
MODELS = [{"id": "small", "max_model_len": 8_192}, {"id": "gpt-4o"}, {"id": "unheard-of"}]
CALL = {"index": 0, "id": "c1", "function": {"name": "ready", "arguments": "{}"}}
CHUNKS = (
    {"choices": [{"index": 0, "delta": {"reasoning_content": "So "}}]},
    {"choices": [{"index": 0, "delta": {"content": "ready"}}]},
    {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]},
    {"choices": [], "usage": {"prompt_tokens": 60, "completion_tokens": 5}},
)
ANSWER = {"choices": [{"index": 0, "delta": {"content": "Hi."}, "finish_reason": "stop"}]}


class Serving(BaseHTTPRequestHandler):
    """A server of chat completions with three models, which wants a key if it has one."""

    def do_GET(self) -> None:
        self.answered("application/json", json.dumps({"data": MODELS}))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        names = [tool["function"]["name"] for tool in asked.get("tools", ())]
        chunks = CHUNKS if names == ["ready"] else (ANSWER,)
        body = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
        self.answered("text/event-stream", f"{body}data: [DONE]\n\n")

    def answered(self, kind: str, body: str) -> None:
        known = self.server.key in {None, self.headers.get("authorization", "")[7:]}
        status = 200 if known else 401
        data = body.encode() if known else b'{"error": {"message": "Wrong key."}}'
        self.send_response(status)
        self.send_header("content-type", kind if known else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    listening = ThreadingHTTPServer(("127.0.0.1", 0), Serving)
    listening.key = None
    thread = Thread(target=listening.serve_forever, daemon=True)
    thread.start()
    yield listening
    listening.shutdown()
    listening.server_close()


def address(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/v1"


def config(shell: Shell) -> Path:
    return Path(shell.variables["XDG_CONFIG_HOME"]) / "plimsoll" / "config.toml"


def given(server: ThreadingHTTPServer, *more: str) -> list[str]:
    return ["connect", "--provider", "openai", "--base-url", address(server), *more]


def test_all_that_is_named_is_tried_and_written(shell: Shell, server: ThreadingHTTPServer):
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
        f'base_url = "{address(server)}"\napi_key_env = "MINE"\n'
    )
    assert stat.S_IMODE(config(shell).stat().st_mode) == 0o600
    assert shell.run("run", "hello", MINE=KEY).returncode == 0


def test_without_a_name_or_with_a_wrong_key_nothing_is_written(
    shell: Shell, server: ThreadingHTTPServer
):
    refused(shell.run(*given(server)), "small, gpt-4o, unheard-of", "--model")
    server.key = KEY
    wrong = shell.run(
        *given(server, "--model", "small", "--key-env", "MINE"), MINE="sk-wrong-key-12345"
    )
    refused(wrong, "Nothing was written", "--no-test")
    refused(shell.run("connect"), "no terminal to ask on", "--provider")
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
    shell: Shell, server: ThreadingHTTPServer, tmp_path: Path
):
    """The library is not part of the environment: one that keeps its keys in a file stands in."""
    package = tmp_path / "library" / "keyring"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(LIBRARY)
    (package / "errors.py").write_text("class KeyringError(Exception): pass\n")
    server.key = KEY
    library = {"PYTHONPATH": str(package.parent)}
    done = shell.run(*given(server, "--model", "small", "--keyring"), typed=f"{KEY}\n", **library)
    assert done.returncode == 0, done.stderr
    assert KEY not in done.stdout.decode() + done.stderr.decode() + config(shell).read_text()
    assert "api_key_keyring = true" in config(shell).read_text()
    assert (
        shell.run("run", "hello", OPENAI_API_KEY="sk-of-the-vendor-123", **library).returncode == 0
    )
    missing = shell.run(*given(server, "--model", "small", "--keyring"), typed=f"{KEY}\n")
    refused(missing, "not installed", "--key-env")


def test_a_person_picks_and_sees_the_test(
    shell: Shell, server: ThreadingHTTPServer, person: Person
):
    person.start("connect")
    person.sees("Which models?")
    person.types("another\r")
    person.sees("Address")
    person.types(f"{address(server)}\r")
    person.sees("Where is the key?")
    person.types("\r")
    person.sees("Which model?")
    person.sees("8.2k tokens as it is served")
    person.types("small\r")
    assert person.ends() == 0
    assert "is written into" in ESCAPE.sub("", person.read)
    assert config(shell).read_text() == (
        f'[model]\nprovider = "openai"\nname = "small"\nbase_url = "{address(server)}"\n'
    )


def test_the_doctor_asks_when_it_is_told_to(shell: Shell, server: ThreadingHTTPServer):
    variables = {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__BASE_URL": address(server),
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
