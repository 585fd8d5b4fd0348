"""A vendor and the real server that works with it, and the words of a scene."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from product.harness import Product
from product.vendors.answering import Answering, Call, Step, answering
from providers.fault_server import FaultServer
from providers.support import KEY
from providers.vendors.conformance import Vendor

PERMISSION = "plimsoll/session/requestPermission"
ALLOWED = {"outcome": "selected", "optionId": "allowOnce"}
DECLINED = {"outcome": "selected", "optionId": "rejectOnce"}
FILES = {
    "a.txt": "alpha\n",
    "b.txt": "beta\n",
    "AGENTS.md": "Write plainly.\n",
    "inner/AGENTS.md": "Here, all names are short.\n",
    "inner/c.txt": "gamma\n",
}
RUN = Call("shell", {"command": "echo ran"})
"""Asks first."""
Opens = Callable[..., Product]


def read(path: str) -> Call:
    return Call("file_read", {"path": path})


class Stage:
    """One session after another with one vendor."""

    def __init__(self, home: Path, vendor: Answering, server: FaultServer, opens: Opens) -> None:
        self.vendor = vendor
        self.session = ""
        self._home, self._opens = home, opens
        self._other = home / "other.json"
        self._settings = {
            "PLIMSOLL_MODEL__PROVIDER": vendor.vendor.dialect,
            "PLIMSOLL_MODEL__NAME": "some-model",
            "PLIMSOLL_MODEL__CONTEXT_WINDOW": "100000",
            "PLIMSOLL_MODEL__BASE_URL": server.url,
            "OPENAI_API_KEY": KEY,
            "ANTHROPIC_API_KEY": KEY,
            "PLIMSOLL_MEMORY__EXTRACTION": "off",
        }
        self.product = self._opened()

    def _opened(self) -> Product:
        product = self._opens(self._home, **self._settings)
        for path, text in FILES.items():
            target = product.workspace / path
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
        product.open()
        return product

    def close(self) -> None:
        self.product.__exit__(None, None, None)

    # What a scene says.

    def begin(self, mode: str = "edit") -> None:
        """Begin a session; what an earlier one left over is forgotten."""
        self.product.forget()
        self.vendor.begin()
        params = {"workspaceFolder": self.product.uri, "mode": mode}
        self.session = self.call("session/new", **params, of_session=False)["session"]["id"]

    def call(self, method: str, *, of_session: bool = True, **params: Any) -> Any:
        """Call a method of ours; of the session, if not told otherwise."""
        own = {"sessionId": self.session} if of_session else {}
        return self.product.call(f"plimsoll/{method}", {**own, **params})

    def say(self, text: str, *steps: Step, shown: dict[str, Any] | None = None) -> str:
        """Send a prompt, whose requests get the answers; returns the turn, which runs."""
        self.vendor.steps[:] = steps
        content = [{"type": "text", "text": text}, *([shown] if shown else [])]
        return self.call("session/prompt", content=content)["turnId"]

    def turn(self, text: str, *steps: Step, shown: dict[str, Any] | None = None) -> None:
        """Send a prompt, and see its turn end as it should, with the prompt in its request."""
        self.ends(self.say(text, *steps, shown=shown))
        stands = text in json.dumps(self.vendor.latest, ensure_ascii=False)
        assert stands, f"not in the request: {text}"

    def ends(self, turn: str, reason: str = "endTurn") -> None:
        ended = self.product.update("turnEnded", turn)
        how = ended["stopReason"], ended.get("error")
        assert how == (reason, None), f"ended with {how}; refused before: {self.vendor.refused}"
        assert not self.vendor.steps, f"not asked for: {self.vendor.steps}"
        self.product.forget()

    def question(self) -> dict[str, Any]:
        """Wait until the server asks the person."""
        return self.product.server_request(PERMISSION)

    def answer(self, question: dict[str, Any], answer: dict[str, Any]) -> None:
        self.product.answer(question, answer)

    def stop(self) -> None:
        self.call("session/cancel")

    def messages(self) -> list[dict[str, Any]]:
        params = {"workspaceFolder": self.product.uri}
        return self.call("session/load", **params)["messages"]

    def restart(self) -> None:
        """End the server, begin another one, and load the session."""
        self.product.call("shutdown")
        self.product.notify("exit")
        assert self.product.wait_closed() == 0
        self.close()
        self.product = self._opened()
        self.messages()

    def switch(self, *steps: dict[str, Any]) -> None:
        """Let another provider's model speak, which answers in steps."""
        self._other.write_text(json.dumps({"steps": steps, "mode": "echo"}))
        self.call("session/setModel", model=f"scripted/{self._other}")

    def switch_back(self) -> None:
        self.call("session/setModel", model=f"{self.vendor.vendor.dialect}/some-model")


@contextmanager
def staged(home: Path, vendor: Vendor, opens: Opens = Product) -> Iterator[Stage]:
    """Serve a vendor and work with it; ``opens``: what begins the server."""
    with answering(vendor) as (own, server):
        stage = Stage(home, own, server, opens)
        try:
            yield stage
        finally:
            stage.close()
