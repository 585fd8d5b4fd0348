"""Walk through six real projects in a terminal, and print what stands on the screen.

``python -m projects [NAME…]`` lays each project in a folder of its own, opens ``plimsoll chat``
there in tmux with a scripted model, and does what a person does: search, read, edit, run, undo.
Each step is printed with its seconds and what the screen shows of it; reading that is the test.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from days.packages import UnavailableError

from projects.lay import PROJECTS, Project, lay
from projects.steps import STEPS, Ask

STEP_SECONDS = 60
LOOK_SECONDS = 0.05
WIDTH, HEIGHT = 110, 400
"""In columns and rows; so high that nothing scrolls away."""


class Screen:
    """A terminal of its own, in a tmux server of its own."""

    def __init__(self, root: Path, home: Path, command: Sequence[str]) -> None:
        """Start a command in a folder, with an empty home."""
        self._tmux = ("tmux", "-S", str(home / "tmux"), "-f", "/dev/null")
        size = ("-x", str(WIDTH), "-y", str(HEIGHT))
        setting = {**os.environ, "HOME": str(home), "LANG": "C.UTF-8"}
        start = (*self._tmux, "new-session", "-d", *size, "-c", str(root), *command)
        subprocess.run(start, check=True, env=setting)

    def type(self, text: str) -> None:
        """Type a line in the place of what stands in the prompt, and press Enter."""
        subprocess.run((*self._tmux, "send-keys", "C-u"), check=True)
        subprocess.run((*self._tmux, "send-keys", "-l", text), check=True)
        subprocess.run((*self._tmux, "send-keys", "Enter"), check=True)

    def show(self) -> str:
        """Return what stands on the screen, without the empty rows at its end."""
        command = (*self._tmux, "capture-pane", "-p", "-J")
        shown = subprocess.run(command, check=True, capture_output=True, text=True)
        return re.sub(r"\n{3,}", "\n\n", shown.stdout).rstrip()

    def close(self) -> None:
        """End the tmux server and what runs in it."""
        subprocess.run((*self._tmux, "kill-server"), check=True)


def walk(project: Project, folder: Path) -> None:
    """Walk through one project and print what a person sees."""
    began = time.monotonic()
    root = lay(project, folder)
    sys.stdout.write(f"\n## {project.name}: {project.about} ({time.monotonic() - began:.1f} s)\n")
    script = folder / "script.json"
    script.write_text(json.dumps(_script(STEPS[project.name])), "utf-8")
    home = folder / "home"
    home.mkdir()
    plimsoll = str(Path(sys.executable).parent / "plimsoll")
    screen = Screen(root, home, (plimsoll, "chat", "--model", f"scripted/{script}"))
    try:
        seen = _wait(screen, "", "opens")
        for ask in STEPS[project.name]:
            seen = _do(screen, ask, seen)
    finally:
        screen.close()


def _do(screen: Screen, ask: Ask, before: str) -> str:
    began = time.monotonic()
    screen.type(ask.prompt)
    shown = _wait(screen, before, ask.prompt)
    seconds = time.monotonic() - began
    new = shown.removeprefix(_conversation(before))
    sys.stdout.write(f"\n[{seconds:.2f} s]{_conversation(new).rstrip()}\n")
    return shown


def _wait(screen: Screen, before: str, what: str) -> str:
    """Wait until the screen is another and asks for the next line; allow what it asks about."""
    end = time.monotonic() + STEP_SECONDS
    last = ""
    while time.monotonic() < end:
        shown = screen.show()
        if shown == last and shown != before:
            if _is_ready(shown):
                return shown
            if _is_asking(shown):
                screen.type("y")
                shown = _wait_for_another(screen, shown, what)
        last = shown
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"{what}: nothing in {STEP_SECONDS} s. The screen:\n{screen.show()}")


def _wait_for_another(screen: Screen, before: str, what: str) -> str:
    end = time.monotonic() + STEP_SECONDS
    while time.monotonic() < end:
        shown = screen.show()
        if shown != before and not _is_asking(shown):
            return shown
        time.sleep(LOOK_SECONDS)
    raise TimeoutError(f"{what}: the question stays. The screen:\n{screen.show()}")


def _is_ready(shown: str) -> bool:
    rows = [row for row in shown.splitlines() if row.strip()]
    return len(rows) > 1 and rows[-2].startswith(">")


def _is_asking(shown: str) -> bool:
    return bool(shown.strip()) and shown.rstrip().splitlines()[-1].startswith(
        ("Allow? [y]", "Go back")
    )


def _conversation(shown: str) -> str:
    """Return a screen without the empty prompt and the load line at its end."""
    return shown[: shown.rfind("\n>")] if "\n>" in shown else shown


def _script(asks: Sequence[Ask]) -> Mapping[str, object]:
    rules = [
        {
            "when": f"^{re.escape(ask.prompt)}",
            "steps": [
                {"calls": [{"name": name, "arguments": json.dumps(given)}]}
                for name, given in ask.calls
            ]
            + [{"text": ["Done."]}],
        }
        for ask in asks
        if ask.calls
    ]
    return {"rules": rules, "mode": "echo"}


def main() -> None:
    """Walk through the projects that were named, or all."""
    wanted = sys.argv[1:] or [project.name for project in PROJECTS]
    for project in PROJECTS:
        if project.name not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                walk(project, Path(folder))
            except (UnavailableError, TimeoutError) as error:
                sys.stdout.write(f"\n## {project.name}: {error}\n")


if __name__ == "__main__":
    main()
