"""Standard streams as a process is given them: piped, closed, full."""

import shlex
import subprocess

import pytest

from cli.shell import SECONDS, Shell

pytestmark = pytest.mark.slow


def test_what_is_piped_in_goes_along_with_the_prompt(shell: Shell):
    seen = {"when": "disk on fire", "steps": [{"text": ["The disk burns."]}]}
    done = shell.run("run", "Explain this.", typed="E4711 disk on fire\n", **shell.script(seen))
    assert done.stdout.decode().strip() == "The disk burns."


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("chat <&-", "Standard input is closed"),
        ("serve <&-", "Standard input is closed"),
        ("sessions >&-", "Standard output is closed"),
        ("run hi >/dev/full", "could not be written"),
    ],
)
def test_closed_and_full_streams_end_with_a_sentence(shell: Shell, line: str, said: str):
    command = " ".join(map(shlex.quote, shell.command()))
    done = subprocess.run(
        ["sh", "-c", f"exec {command} {line}"],
        cwd=shell.folder,
        env=shell.variables,
        stderr=subprocess.PIPE,
        timeout=SECONDS,
        check=False,
    )
    told = done.stderr.decode()
    assert (done.returncode, "Traceback" in told) == (1, False), told
    assert said in told
