"""A client of ACP over real pipes: one JSON text a line, nothing repaired or swallowed."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from acp_door.schema import RESULTS, check, check_sent
from lsp.preloaded import started
from lsp.raw_client import RawClient
from product.harness import environment_of

UPDATE, PERMISSION = "session/update", "session/request_permission"
FILES = {"fs": {"readTextFile": True, "writeTextFile": True}}


class AcpClient(RawClient):
    """`plimsoll acp` with a scripted model, and the words of a test for what a client does."""

    def __init__(
        self, home: Path, script: Mapping[str, Any] | None = None, **settings: str
    ) -> None:
        self.home = home
        self.workspace = home / "workspace"
        self.workspace.mkdir(parents=True, exist_ok=True)
        environment = environment_of(home, script, settings)
        super().__init__([sys.executable, "-m", "plimsoll", "acp"], env=environment)

    def begin(self, argv: Any, cwd: Any, env: Any) -> Any:
        return started(argv, cwd, env)

    def call(self, method: str, params: Any = None) -> Any:
        result = super().call(method, params)
        if method in RESULTS:
            check(RESULTS[method], result)
        return result

    def __exit__(self, *ended: object) -> None:
        super().__exit__(*ended)
        check_sent(self.messages)

    def forget(self) -> None:
        check_sent(list(self.messages))
        super().forget()

    def send(self, message: Any) -> None:
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def _read(self) -> None:
        while line := self.process.stdout.readline():
            self._reading.wait()
            self._take(json.loads(line))

    def open(self, **capabilities: Any) -> dict[str, Any]:
        return self.call("initialize", {"protocolVersion": 1, "clientCapabilities": capabilities})

    def new(self, **params: Any) -> dict[str, Any]:
        return self.call("session/new", {"cwd": str(self.workspace), "mcpServers": [], **params})

    def new_session(self) -> str:
        return self.new()["sessionId"]

    def loaded(self, session: str) -> list[dict[str, Any]]:
        """Load a session; returns what was sent of it before the answer."""
        self.forget()
        params = {"cwd": str(self.workspace), "mcpServers": [], "sessionId": session}
        name = self.request("session/load", params)
        self.reply(name)
        at = next(n for n, each in enumerate(self.messages) if each.get("id") == name)
        return [each["params"]["update"] for each in self.messages[:at]]

    def begin_prompt(self, session: str, text: str) -> Any:
        content = [{"type": "text", "text": text}]
        return self.request("session/prompt", {"sessionId": session, "prompt": content})

    def prompt(self, session: str, text: str) -> str:
        """Say something and wait for the end; returns the reason."""
        answer = self.reply(self.begin_prompt(session, text))
        assert "error" not in answer, answer
        return answer["result"]["stopReason"]

    def updates(self, session: str, kind: str | None = None) -> list[dict[str, Any]]:
        found = [each["params"] for each in self.notifications(UPDATE)]
        own = [each["update"] for each in found if each["sessionId"] == session]
        return [each for each in own if kind in (None, each["sessionUpdate"])]

    def wait_update(self, *kinds: str, **wanted: Any) -> dict[str, Any]:
        def matches(message: dict[str, Any]) -> bool:
            update = message.get("params", {}).get("update", {})
            fits = all(update.get(name) == value for name, value in wanted.items())
            return update.get("sessionUpdate") in kinds and fits

        return self.wait_for(matches)["params"]["update"]

    def choose(self, option: str) -> None:
        """Answer every question with an option."""
        self.responses[PERMISSION] = {"outcome": {"outcome": "selected", "optionId": option}}


def text_of(updates: list[dict[str, Any]], kind: str = "agent_message_chunk") -> str:
    return "".join(each["content"]["text"] for each in updates if each["sessionUpdate"] == kind)
