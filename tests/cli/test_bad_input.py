"""Bad input: one clear message on standard error, with the remedy and no trace."""

import json
import socket
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from cli.shell import SECONDS, Shell, refused
from plimsoll.cli import USAGE, main


def test_no_such_folder(shell: Shell):
    refused(shell.run("run", "--workspace", "nowhere", "hi"), "'nowhere'", "--workspace")
    refused(shell.run("sessions", "--workspace", "ledger.py"), "'ledger.py'", "--workspace")


def test_no_command_and_no_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "stdin", None)

    with pytest.raises(SystemExit) as ended:
        main([])
    # The null device stands in for it.
    sys.stdin.close()

    assert ended.value.code == USAGE
    assert "usage: plimsoll" in capsys.readouterr().err


def test_no_such_session(shell: Shell):
    refused(shell.run("run", "--session", "s404", "hi"), "s404", "List the sessions")
    refused(shell.run("run", "--continue", "hi"), "no session in this folder yet")
    refused(shell.run("report"), "no session in this folder yet", "`plimsoll chat`")


def test_an_empty_prompt(shell: Shell):
    refused(shell.run("run", "  "), "The prompt is empty")


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("gpt-4o", "provider/name"),
        ("nobody/x", "'nobody'"),
        ("scripted/none.json", "none.json"),
        ("embedded/gpt-4o", "model.provider"),
    ],
)
def test_an_unknown_model(shell: Shell, model: str, said: str):
    refused(shell.run("run", "--model", model, "hi"), said)


def test_a_refused_connection(shell: Shell):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        done = shell.run("run", "hi", **openai(address))
    refused(done, f"Nothing is running at {address.split('/')[2]}.")


def openai(address: str) -> dict[str, str]:
    return {
        "PLIMSOLL_MODEL__PROVIDER": "openai",
        "PLIMSOLL_MODEL__NAME": "gpt-4o",
        "PLIMSOLL_MODEL__BASE_URL": address,
        "OPENAI_API_KEY": "sk-not-the-right-one",
    }


class Doorkeeper(BaseHTTPRequestHandler):
    """A provider that takes no key, and repeats the one that it was given."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        key = self.headers["authorization"]
        body = json.dumps({"error": {"message": f"Incorrect API key provided: {key}"}}).encode()
        self.send_response(401)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """The tests' output stays clean."""


def test_a_wrong_key_is_told_and_never_repeated(shell: Shell):
    with HTTPServer(("127.0.0.1", 0), Doorkeeper) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        done = shell.run("run", "hi", **openai(f"http://127.0.0.1:{server.server_port}/v1"))
        server.shutdown()
        thread.join()
    refused(done, "OPENAI_API_KEY")
    assert b"sk-not-the-right-one" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[model]\nname = gpt\n", "config.toml:2:8: this is not valid TOML"),
        ("[budget]\nwaring_at = 0.5\n", "budget.warning_at"),
        ("[budget]\nwarning_at = 5\n", "a number from 0 to 1"),
        ('[model]\napi_key = "sk-hush"\n', "model.api_key_env"),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_bad_settings(shell: Shell, text: str, said: str, own: bool):
    folder = Path(shell.variables["XDG_CONFIG_HOME"]) / "plimsoll"
    folder.mkdir(parents=True)
    path = folder / "config.toml" if own else shell.folder / "named.config.toml"
    path.write_text(text)
    done = shell.run("run", "hi") if own else shell.run("run", "--config", str(path), "hi")
    refused(done, str(path), said)
    assert b"hush" not in done.stderr


def test_settings_that_cannot_be_read(shell: Shell):
    refused(shell.run("run", "--config", "none.toml", "hi"), "none.toml", "there is no such file")
    refused(shell.run("run", "--config", ".", "hi"), "Is a directory")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x1f\x8bnonsense", "cannot be unpacked"),
        (b"\xff\xfe", "not UTF-8"),
        (b"", "holds no message"),
        (b'{"role": "user", "content": "x"}\n{"role"', ":2 is not JSON"),
        (b'{"role": "captain", "content": "x"}', ":1 is not a message: role"),
        (b'{"role": "user"}', ":1 is not a message: content"),
        (b'{"role": "tool", "content": "x", "tool_call_id": "c9"}', "answers no open call"),
    ],
)
def test_a_recording_that_is_none(shell: Shell, content: bytes, said: str):
    (shell.folder / "bad.jsonl").write_bytes(content)
    refused(shell.run("replay", "bad.jsonl"), said)


def test_usage_errors_have_their_own_code(shell: Shell):
    refused(shell.run("run"), "PROMPT", code=2)
    refused(shell.run("sail"), "invalid choice: 'sail'", code=2)
    refused(shell.run("replay", "x", "--window", "12"), "at least 1,024", code=2)
    refused(shell.run("replay", "none.jsonl"), "none.jsonl", "No such file")


def test_a_reader_that_leaves_gets_no_traceback(shell: Shell):
    process = subprocess.Popen(
        shell.command("schema"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=shell.folder,
        env=shell.variables,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(SECONDS) == 1
    assert process.stderr.read() == b""
    process.stderr.close()
