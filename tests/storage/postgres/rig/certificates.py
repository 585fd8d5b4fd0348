"""Certificates of the tests: an authority, and a server's own for loopback."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from storage.postgres.rig.server import NOBODY


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files of an authority and of a server."""

    authority: Path
    key: Path
    certificate: Path


def certify(folder: Path) -> Certificates:
    """Make an authority in a folder, and have it sign a server's certificate for 127.0.0.1."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    folder.mkdir()
    made = Certificates(folder / "authority.pem", folder / "key.pem", folder / "server.pem")
    new = ["-newkey", "rsa:2048", "-nodes", "-x509", "-days", "2"]
    _openssl("req", *new, "-keyout", folder / "ca.key", "-out", made.authority, "-subj", "/CN=us")
    signed = ["-CA", made.authority, "-CAkey", folder / "ca.key"]
    named = ["-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1"]
    _openssl("req", *new, *signed, "-keyout", made.key, "-out", made.certificate, *named)
    if os.geteuid() == 0:
        os.chown(made.key, NOBODY, NOBODY)
    return made


def _openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)
