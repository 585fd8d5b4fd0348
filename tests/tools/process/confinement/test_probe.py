"""Which sandbox is found on a machine, and that looking for one never hangs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.base import Unavailable
from plimsoll.tools.process.confinement.bubblewrap import Bubblewrap, find_all_bubblewraps
from plimsoll.tools.process.confinement.probe import probe
from plimsoll.tools.process.environment import child_environment
from sandboxes import find_bubblewrap

pytestmark = pytest.mark.slow

# Refuses new user name spaces, as containers do: by unshare, and by clone with that flag; clone3
# hides its flags from a filter, so it is not there at all.
FORBIDDING = """
import ctypes, os, platform, struct, sys
from plimsoll.tools.process.confinement.probe import probe
from plimsoll.tools.process.environment import child_environment

unshare, clone, clone3 = {"x86_64": (272, 56, 435), "aarch64": (97, 220, 435)}[platform.machine()]

def word(code, value, true=0, false=0):
    return struct.pack("=HBBI", code, true, false, value)

code = b"".join((
    word(0x20, 0), word(0x15, clone3, 5, 0), word(0x15, unshare, 1, 0), word(0x15, clone, 0, 4),
    word(0x20, 16), word(0x45, 0x10000000, 0, 2),
    word(0x06, 0x00050001), word(0x06, 0x00050026), word(0x06, 0x7fff0000),
))

class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

library = ctypes.CDLL(None, use_errno=True)
assert library.prctl(38, 1, 0, 0, 0) == 0
program = Program(len(code) // 8, code)
assert library.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
found = probe(child_environment(os.environ))
print(found.sandbox.rung if found.sandbox else "none")
print(*(f"{one.rung}: {one.why}" for one in found.unavailable), sep="\\n")
"""


@pytest.mark.usefixtures("bubblewrap_program")
def test_bubblewrap_comes_first():
    found = probe(child_environment(os.environ))
    assert found.sandbox is not None
    assert (found.sandbox.rung, found.unavailable) == ("bubblewrap", ())


@pytest.mark.usefixtures("bubblewrap_program")
def test_where_name_spaces_are_forbidden_the_next_one_is_taken():
    told = subprocess.run([sys.executable, "-c", FORBIDDING], capture_output=True, text=True)
    rung, *why = told.stdout.splitlines()
    assert rung == "landlock", told
    assert why[0].startswith("bubblewrap: It does not work here: bwrap: "), why


def fake(folder: Path, text: str) -> Path:
    folder.mkdir()
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    return program


def test_one_that_hangs_holds_nothing_up(tmp_path: Path):
    answers = f'[ "$1" = --help ] && exit; echo $$ >> {tmp_path}/started; exec sleep 1000'
    fake(tmp_path / "bin", answers)
    found = probe(
        {**child_environment(os.environ), "PATH": f"{tmp_path}/bin:/usr/bin:/bin"},
        rungs=("bubblewrap",),
        seconds=10.0,
    )
    if next_one := find_bubblewrap("/usr/bin:/bin"):
        assert isinstance(found.sandbox, Bubblewrap)
        assert found.sandbox.program == next_one
    else:
        assert "did not answer within" in found.unavailable[0].why
    for process in (tmp_path / "started").read_text().split():
        assert not Path("/proc", process).exists()


@pytest.mark.usefixtures("bubblewrap_program")
def test_one_that_fails_twice_is_tried_again(tmp_path: Path):
    """Other programs may remove what is to be hidden; a person has the sandbox all day."""
    program, failed = find_bubblewrap(""), tmp_path / "failed"
    failing = "".join(f" || {{ mkdir {failed}{n} 2>/dev/null && exit 1; }}" for n in (1, 2))
    fake(tmp_path / "bin", f'[ "$1" = --help ]{failing}\nexec {program} "$@"')
    found = probe({**child_environment(os.environ), "PATH": f"{tmp_path}/bin:/usr/bin:/bin"})
    assert Path(f"{failed}2").exists()
    assert isinstance(found.sandbox, Bubblewrap)
    assert found.sandbox.program == tmp_path.resolve() / "bin" / "bwrap"
    assert (found.confinement.coverage, found.unavailable) == ("full", ())


def test_one_that_confines_nothing_is_not_taken(tmp_path: Path):
    fake(tmp_path / "bin", 'while [ "$1" != -- ] && [ $# -gt 0 ]; do shift; done; shift; exec "$@"')
    environment = {**child_environment(os.environ), "PATH": f"{tmp_path}/bin:/usr/bin:/bin"}
    before = written_outside()
    found = probe(environment, rungs=("bubblewrap",))
    if next_one := find_bubblewrap("/usr/bin:/bin"):
        assert isinstance(found.sandbox, Bubblewrap)
        assert found.sandbox.program == next_one
    else:
        why = "It does not work here: it let a command write outside of its folder."
        assert found.unavailable == (Unavailable("bubblewrap", why),)
    assert written_outside() == before


def written_outside() -> set[Path]:
    return {path for top in (Path("/"), Path.home()) for path in top.glob(".plimsoll-*")}


def test_a_repositorys_own_is_not_taken(tmp_path: Path):
    root = tmp_path.resolve() / "work"
    root.mkdir()
    own = fake(root / "bin", "exit 0")
    other = fake(tmp_path.resolve() / "system", "exit 0")
    assert next(find_all_bubblewraps(f"{own.parent}:{other.parent}", (root,))) == other


@pytest.mark.usefixtures("bubblewrap_program")
def test_what_a_sandbox_is_not_seen_to_keep_is_said(tmp_path: Path):
    """A program that leaves the network is one that confines in part, and is asked about."""
    program = find_bubblewrap("")
    text = f"""for one; do shift; [ "$one" = --unshare-net ] || set -- "$@" "$one"; done
exec {program} "$@\""""
    fake(tmp_path / "bin", text)
    found = probe({**child_environment(os.environ), "PATH": f"{tmp_path}/bin:/usr/bin:/bin"})
    assert isinstance(found.sandbox, Bubblewrap)
    assert found.sandbox.program == tmp_path.resolve() / "bin" / "bwrap"
    if len(Path("/proc/net/route").read_text().splitlines()) < 2:
        not_on_this_machine("it has no network")
    assert found.confinement.coverage == "partial"
    assert found.confinement.summary == (
        "partly sandboxed: writes only in this folder, no network; "
        "it was not seen to be without network"
    )
