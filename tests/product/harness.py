"""The product as a real process, with a scripted model and a folder of its own."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lsp.preloaded import started
from lsp.raw_client import RawClient

UPDATE = "plimsoll/session/update"
READ = {"name": "file_read", "arguments": {"path": "big.txt"}}


def environment_of(
    home: Path, script: Mapping[str, Any] | None, settings: Mapping[str, str]
) -> dict[str, str]:
    """The variables of a product whose data is in ``home``; a script, written there, answers."""
    variables = {
        "PLIMSOLL_DATA_DIR": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        # Skills of whoever runs the tests would stand in each request.
        "HOME": str(home),
        # A model that reads along would play the steps of the script.
        "PLIMSOLL_MEMORY__EXTRACTION": "phrases",
        **settings,
    }
    if script is not None:
        path = home / "script.json"
        path.write_text(json.dumps(script))
        variables["PLIMSOLL_MODEL__PROVIDER"] = "scripted"
        variables["PLIMSOLL_MODEL__NAME"] = str(path)
    return variables


class Product(RawClient):
    """The language server in a folder, and the words of a test for what a client does."""

    PROGRAM: Sequence[str] = ("plimsoll",)
    """The module that is run, and what comes before the command."""

    def __init__(
        self,
        home: Path,
        script: Mapping[str, Any] | None = None,
        command: Sequence[str] = (),
        **settings: str,
    ) -> None:
        self.home = home
        self.workspace = home / "workspace"
        self.workspace.mkdir(parents=True, exist_ok=True)
        self.uri = self.workspace.as_uri()
        environment = environment_of(home, script, settings)
        program = command or ("-m", *self.PROGRAM, "serve")
        super().__init__([sys.executable, *program], env=environment)

    def begin(self, argv: Sequence[str], cwd: Path | str | None, env: Mapping[str, str]) -> Any:
        return started(argv, cwd, env)

    def open(self, editor: Mapping[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        """Initialize as a full client of a trusted folder; ``editor``: what it can do by LSP."""
        capabilities = {"sessionUpdates": True, "permission": True}
        plimsoll = {"protocolVersion": 1, "capabilities": capabilities, "trusted": True, **options}
        return self.initialize(
            processId=os.getpid(),
            workspaceFolders=[{"uri": self.uri, "name": "workspace"}],
            initializationOptions={"plimsoll": plimsoll},
            capabilities=editor or {},
        )

    def new_session(self) -> str:
        return self.call("plimsoll/session/new", {"workspaceFolder": self.uri})["session"]["id"]

    def prompt(self, session: str, text: str) -> str:
        content = [{"type": "text", "text": text}]
        return self.call("plimsoll/session/prompt", {"sessionId": session, "content": content})[
            "turnId"
        ]

    def turn(self, session: str, text: str) -> list[dict[str, Any]]:
        """Say something and wait for the end; returns the updates of the turn."""
        turn = self.prompt(session, text)
        self.update("turnEnded", turn)
        return [update for update in self.updates(session) if update.get("turnId") == turn]

    def update(self, kind: str, turn: str | None = None) -> dict[str, Any]:
        """Wait for an update."""

        def matches(message: dict[str, Any]) -> bool:
            if message.get("method") != UPDATE:
                return False
            update = message["params"]["update"]
            return update["kind"] == kind and (turn is None or update.get("turnId") == turn)

        return self.wait_for(matches)["params"]["update"]

    def updates(self, session: str) -> list[dict[str, Any]]:
        found = [message["params"] for message in self.notifications(UPDATE)]
        return [each["update"] for each in found if each["sessionId"] == session]

    def failure(self, method: str, params: Any) -> dict[str, Any]:
        """The error of a request that must fail."""
        return self.error(self.request(method, params))


def said(updates: Sequence[Mapping[str, Any]]) -> str:
    return "".join(update["text"] for update in updates if update["kind"] == "textDelta")


def texts(loaded: Mapping[str, Any]) -> list[str]:
    """The texts of a loaded conversation."""
    return [p["text"] for m in loaded["messages"] for p in m["parts"] if p.get("text")]


def assert_nowhere(product: Product, secret: str) -> None:
    """End the product: what it was told went neither to the client, nor to the log or any file."""
    product.call("shutdown")
    product.notify("exit")
    product.wait_closed()
    assert [message for message in product.messages if secret in json.dumps(message)] == []
    assert secret not in product.stderr_at_end()
    for path in (product.home / "data").rglob("*"):
        assert not path.is_file() or secret.encode() not in path.read_bytes(), path
