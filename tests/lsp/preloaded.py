"""The product as a process of its own, forked from one that has loaded its modules.

To load them takes a processor more than a second, the vocabulary of the first session a quarter of
one, and a run of the tests starts the product hundreds of times. How it starts is tested where it
is started from nothing: in `tests/cli/test_starts.py`, by a person at a terminal (`tests/cli`), and
in `tests/editors` and `tests/e2e`.
"""

import gc
import multiprocessing
import os
import pkgutil
import runpy
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import Connection, Pipe
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import NoReturn

import pytest

import plimsoll

TESTS = Path(__file__).parents[1]
DEMO = TESTS / "lsp" / "servers" / "demo.py"
PROGRAM = [sys.executable, "-m", "plimsoll"]
IS_POSSIBLE = sys.platform == "linux"
"""Elsewhere a fork that goes on without an `exec` is not safe (macOS)."""


class PreloadedProcess:
    """A program with pipes to its standard streams; has what tests use of `Popen`.

    The program is `python -m plimsoll`, or a file of Python that is run as a script.
    """

    def __init__(
        self,
        program: Path | None,
        arguments: Sequence[str],
        cwd: Path | str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        reads, stdin = Pipe(duplex=False)
        stdout, writes = Pipe(duplex=False)
        stderr, tells = Pipe(duplex=False)
        begin = (program, list(arguments), cwd, dict(os.environ if env is None else env))
        self._process = _forks().Process(
            target=_become, args=(*begin, reads, writes, tells), daemon=True
        )
        self._process.start()
        for end in (reads, writes, tells):
            end.close()
        self.stdin = _file(stdin, "wb")
        self.stdout = _file(stdout, "rb")
        self.stderr = _file(stderr, "rb")
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("plimsoll", timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        # It may end, and be reaped by what forked it, in between.
        with suppress(ProcessLookupError):
            if self.poll() is None:
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run(
    argv: Sequence[str],
    typed: bytes,
    cwd: Path | str,
    env: Mapping[str, str],
    timeout: float,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command of the product to its end, as `subprocess.run` does; it is forked."""
    process = started(argv, cwd, env)
    streams = (process.stdout, process.stderr)
    with streams[0], streams[1], ThreadPoolExecutor(2) as readers:
        out, told = (readers.submit(stream.read) for stream in streams)
        try:
            # A command may end before it has read what was typed.
            with suppress(BrokenPipeError), process.stdin as keyboard:
                keyboard.write(typed)
            code = process.wait(timeout)
        finally:
            process.kill()
        return subprocess.CompletedProcess(argv, code, out.result(), told.result())


Started = subprocess.Popen[bytes] | PreloadedProcess


def started(
    argv: Sequence[str], cwd: Path | str | None = None, env: Mapping[str, str] | None = None
) -> Started:
    """Start a command with pipes; the product is forked, and so is the server for wire tests.

    What the loader is to load comes into a program that starts alone.
    """
    is_possible = IS_POSSIBLE and "LD_PRELOAD" not in (env or {})
    if is_possible and list(argv[:3]) == PROGRAM:
        return PreloadedProcess(None, argv[3:], cwd, env)
    if is_possible and list(argv[:2]) == [sys.executable, str(DEMO)]:
        return PreloadedProcess(DEMO, argv[2:], cwd, env)
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env)


@cache
def _forks() -> ForkServerContext:
    """Return what forks; its process loads the modules once and runs until this one ends."""
    forks = multiprocessing.get_context("forkserver")
    found = pkgutil.walk_packages(plimsoll.__path__, "plimsoll.")
    forks.set_forkserver_preload([*(each.name for each in found), "lsp.prebuilt"])
    with pytest.MonkeyPatch.context() as patch:
        # What forks finds modules by this alone, and its children get an environment of their own.
        patch.setenv("PYTHONPATH", str(TESTS))
        forkserver.ensure_running()
    return forks


def _file(end: Connection, mode: str):
    file = os.fdopen(os.dup(end.fileno()), mode)
    end.close()
    return file


def _become(
    program: Path | None,
    arguments: Sequence[str],
    folder: Path | str | None,
    environment: Mapping[str, str],
    *streams: Connection,
) -> NoReturn:
    """Be what a program is, in a process that was forked for it."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    # What is loaded stays until the end; a collector that looks through it copies its pages.
    gc.freeze()
    os.environ.clear()
    os.environ.update(environment)
    if folder is not None:
        os.chdir(folder)
    if program is not None:
        sys.argv = [str(program), *arguments]
        runpy.run_path(str(program), run_name="__main__")
        sys.exit()
    from plimsoll.cli import main

    main(arguments)
