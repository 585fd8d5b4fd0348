"""Hostile paths, and folders that turn into links while tools run: nothing outside is touched.

The model calls what it is told; the person allows what is shown as inside the workspace. Judged by
canaries alone: their text must not come over the wire, and their files must stay.
"""

import json
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from faults.piece import Piece, Run, fail
from faults.server import ALLOWED, DECLINED, PERMISSION, Mortal, started

CANARY = "canary-4711"
TOOLS: dict[str, dict[str, str]] = {
    "file_read": {},
    "file_write": {"content": "overwritten"},
    "file_edit": {"old_string": "canary", "new_string": "overwritten"},
    "grep": {"pattern": "canary-"},
    "glob": {"pattern": "**"},
}
RACES = 34
"""Calls of a case while the folder that they name is swapped for a link."""
STARTS = (
    "",
    "",
    "./",
    "a/",
    "a/b/",
    "{root}/",
    "/{root}/",
    "{out}/",
    "{root}x/",
    "{out}/../",
    "~/",
)
LINKS = (
    "link-file",
    "link-folder",
    "link-chain",
    "link-relative",
    "link-deep",
    "link-dangling",
    "loop",
)
STEPS = ("..", "..", "../..", ".", "a", "b", "out", "work", "missing", "deep", *LINKS)
ENDS = ("", "canary.txt", "canary.txt", "new.txt", "deep/x", "..", "/", "canary.txt/.", "*")
WHOLE = (
    "/", "/etc/passwd", "/proc/self/environ", "/proc/self/root/{out}/canary.txt",
    "/proc/self/cwd/../out/canary.txt", "/dev/stdin", "file://{out}/canary.txt",
    "FILE:{out}/canary.txt", "\\\\?\\{out}\\canary.txt", "//?/{out}/canary.txt",
)  # fmt: skip


def run(found: Run) -> None:
    place = Place(found.folder)
    with started(found.folder, {"mode": "obedient"}) as server:
        server.responses[PERMISSION] = place.decide
        server.open()
        for number, chance in found.each():
            place.build()
            with found.case(number):
                calls(found, server, place, [spelled(place, chance)], "paths")
            with found.case(number), place.swapping():
                calls(found, server, place, [raced(chance) for _ in range(RACES)], "races")


class Place:
    """A workspace full of links, and beside it what must stay as it is."""

    def __init__(self, home: Path) -> None:
        self.root, self.out = (home / "workspace").resolve(), (home / "out").resolve()
        self.beside = Path(f"{self.root}x")

    def build(self) -> None:
        for folder in (self.root, self.out, self.beside):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            (folder / "canary.txt").write_text(f"{CANARY}\n")
        (self.root / "canary.txt").write_text("no canary-\n")
        (self.out / "deep").mkdir()
        (self.root / "a" / "b").mkdir(parents=True)
        (self.root / "swap").mkdir()
        (self.root / "swap" / "canary.txt").write_text("canary-inside\n")
        targets = (self.out / "canary.txt", self.out, self.root / "link-file", Path("../out"))
        ends = (self.out / "deep", self.out / "not-there.txt", self.root / "loop")
        for name, target in zip(LINKS, (*targets, *ends), strict=True):
            (self.root / name).symlink_to(target)
        (self.root / "link-swap").symlink_to(self.out)

    def outside(self) -> dict[str, str]:
        return {
            str(path): path.read_text() if path.is_file() else ""
            for folder in (self.out, self.beside)
            for path in sorted(folder.rglob("*"))
        }

    def decide(self, params: dict[str, Any]) -> dict[str, str]:
        """Decide as a person who allows what is shown to lie in the workspace."""
        call = params["toolCall"]
        shown = [Path(unquote(urlsplit(each["uri"]).path)) for each in call["locations"]]
        inside = all(path.is_relative_to(self.root) for path in shown)
        return ALLOWED if inside and "outside the workspace" not in call["title"] else DECLINED

    @contextmanager
    def swapping(self) -> Iterator[None]:
        """A folder and a link to the outside take each other's name, all the time."""
        stop = threading.Event()
        folder, link, away = self.root / "swap", self.root / "link-swap", self.root / "away"

        def swap() -> None:
            while not stop.is_set():
                for one, other in ((folder, away), (link, folder), (folder, link), (away, folder)):
                    moved(one, other)

        thread = threading.Thread(target=swap)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()


def moved(one: Path, other: Path) -> None:
    """Rename; a folder that a tool made anew meanwhile is in the way and goes."""
    while True:
        try:
            one.rename(other)
        except OSError:
            shutil.rmtree(other, ignore_errors=True)
        else:
            return


Call = tuple[str, dict[str, str]]


def spelled(place: Place, chance: random.Random) -> list[Call]:
    """One path, given to every tool."""
    steps = [chance.choice(STEPS) for _ in range(chance.randrange(5))]
    path = chance.choice(STARTS) + "/".join([*steps, chance.choice(ENDS)])
    if chance.random() < 0.15:
        path = chance.choice(WHOLE)
    path = path.replace("{root}", str(place.root)).replace("{out}", str(place.out))
    disguise = chance.choice(
        [None] * 6 + [("..", "%2e%2e"), ("/", "//"), ("/", "\\"), (".", "\uff0e")]
    )
    path = path.replace(*disguise) if disguise else path
    path += chance.choice([""] * 8 + ["\0.md", " ", "\n", "\u202e"])
    return [(tool, {"path": path, **more}) for tool, more in TOOLS.items()]


def raced(chance: random.Random) -> list[Call]:
    tool = chance.choice(list(TOOLS))
    path = (
        chance.choice(["swap/canary.txt", "swap/new/x.txt"])
        if "file" in tool
        else chance.choice(["swap", "."])
    )
    return [(tool, {"path": path, **TOOLS[tool]})]


def calls(found: Run, server: Mortal, place: Place, orders: list[list[Call]], figure: str) -> None:
    """Let the model make all of the calls in one turn, and look at what that did outside."""
    before = place.outside()
    ordered = [f"CALL {tool} {json.dumps(given)}" for order in orders for tool, given in order]
    ended = server.turn(server.new_session(), "\n".join(ordered))[-1]
    said = json.dumps(list(server.messages))
    server.forget()
    found.count(figure, len(orders))
    if (after := place.outside()) != before:
        fail(f"{ordered}: {after.items() ^ before.items()}")
    if CANARY in said:
        fail(f"{ordered}: the canary's text came over the wire")
    if ended.get("error"):
        fail(f"{ordered}: {ended}")


PIECE = Piece(run=run, short=4, full=300)
