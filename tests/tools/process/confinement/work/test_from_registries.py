"""Packages come from the real registries, in the sandbox and without the network.

Left out, and said, where this machine has no way to them.
"""

import socket
import sys
from pathlib import Path

import pytest

from left_out import not_on_this_machine
from plimsoll.tools.process.confinement.registries.hosts import BUILT_IN, HTTPS_PORT, Registries
from tools.process.confinement.work.desk import Desk, needs

pytestmark = pytest.mark.slow
# As if the person had listed each: a machine for testing may have them in a network of its own.
REGISTRIES = Registries(tuple(BUILT_IN))
BASE = Path(sys.base_prefix)
# A person lists it, who wants commands to fetch packages of the system.
APT = Path("/var/lib/apt")
VENV = f"{BASE}/bin/python3 -m venv own"
PROJECT = '[project]\nname = "one"\nversion = "1"\n[tool.setuptools]\npy-modules = ["one"]\n'
PACKAGE = '{"name": "a", "version": "1.0.0"}'
NPM = "npm install --no-audit --no-fund --no-update-notifier is-number@7"


def reaches(host: str) -> None:
    try:
        socket.create_connection((host, HTTPS_PORT), timeout=5).close()
    except OSError:
        not_on_this_machine(f"no way to {host}")


async def run(desk: Desk, command: str) -> str:
    code, told = await desk.run(command, readable=(BASE, APT), registries=REGISTRIES)
    assert code == 0, told
    return told


async def test_pip_installs_a_package_and_a_project_that_is_worked_on(desk: Desk):
    reaches("pypi.org")
    desk.write("pyproject.toml", PROJECT)
    desk.write("one.py", "import six\nprint('both')\n")
    # The second one builds in an environment of its own, with packages from there too.
    install = "own/bin/pip install -q six && own/bin/pip install -q -e ."
    told = await run(desk, f"{VENV} && {install} && cd own && bin/python -c 'import one'")
    assert told.splitlines()[-1:] == ["both"]


async def test_npm_adds_a_package_and_installs_it_again(desk: Desk):
    needs("npm", "node")
    reaches("registry.npmjs.org")
    desk.write("package.json", PACKAGE)
    await run(desk, NPM)
    assert '"is-number"' in (desk.root / "package.json").read_text()
    assert (desk.root / "node_modules" / "is-number").is_dir()
    await run(desk, "rm -r node_modules && npm ci --no-audit --no-fund")
    assert (desk.root / "node_modules" / "is-number").is_dir()


async def test_apt_fetches_a_package(desk: Desk):
    needs("apt-get")
    reaches("deb.debian.org")
    lists = Path("/var/lib/apt/lists")
    if not any(lists.glob("deb.debian.org_*_Packages*")):
        not_on_this_machine("apt has no lists: apt-get update makes them")
    # Root has no other user here that apt could become.
    await run(desk, "apt-get -q -o APT::Sandbox::User=root download hello")
    assert list(desk.root.glob("hello_*.deb"))


async def test_cargo_fetches_a_crate(desk: Desk):
    needs("cargo")
    reaches("index.crates.io")
    desk.write(
        "Cargo.toml", '[package]\nname = "a"\nversion = "1.0.0"\n[dependencies]\nitoa = "1"\n'
    )
    desk.write("src/lib.rs", "")
    await run(desk, "cargo build -q")


async def test_go_fetches_a_module(desk: Desk):
    needs("go")
    reaches("proxy.golang.org")
    desk.write("go.mod", "module one\n")
    await run(desk, "go get golang.org/x/text@v0.3.0")
