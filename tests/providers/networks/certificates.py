"""Certificates for tests: an authority of its own, and what it and nobody vouches for."""

import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path

from left_out import not_on_this_machine

SERVERS = {
    "good": ("DNS:localhost,IP:127.0.0.1,DNS:*.example.invalid", 9),
    "name": ("DNS:elsewhere.example.org", 9),
    "expired": ("DNS:localhost,IP:127.0.0.1", -1),
}
"""The names that each certificate is for, and the days it holds from now on."""


@dataclass(frozen=True)
class Authority:
    """A private authority in a folder."""

    folder: Path

    @property
    def root(self) -> str:
        return str(self.folder / "root.pem")

    def context(self, name: str) -> ssl.SSLContext:
        """The context of a server with one of the certificates, or ``itself``."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / f"{name}.pem", self.folder / "key.pem")
        return context


def make_authority(folder: Path) -> Authority:
    """Make the authority and all certificates; none where there is no openssl."""
    if shutil.which("openssl") is None:
        not_on_this_machine("there is no openssl to make certificates with")

    def run(words: str) -> None:
        subprocess.run(["openssl", *words.split()], cwd=folder, check=True, capture_output=True)

    run("ecparam -genkey -name prime256v1 -out key.pem")
    run("ecparam -genkey -name prime256v1 -out root.key")
    run("req -x509 -new -key root.key -days 9 -subj /CN=Example-Root -out root.pem")
    run("req -x509 -new -key key.pem -days 9 -subj /CN=localhost -out itself.pem")
    run("req -new -key key.pem -subj /CN=localhost -out server.csr")
    for name, (names, days) in SERVERS.items():
        (folder / "names").write_text(f"subjectAltName={names}\n")
        made_by = "-CA root.pem -CAkey root.key -CAcreateserial -extfile names"
        run(f"x509 -req -in server.csr {made_by} -days {days} -out {name}.pem")
    return Authority(folder)
