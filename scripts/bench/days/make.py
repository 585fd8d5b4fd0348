"""Makes the recordings of long work on demand: ``.venv/bin/python scripts/bench/days/make.py``.

The product is driven with its real tools by a scripted model that reads what they return. A file
depends on the pinned packages, on the product's tools and on what stands here, on no clock and no
machine. Made files are kept in ``build/bench/days`` and made anew when what stands here changes.
"""

import asyncio
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from days.agent import Worker
from days.packages import BUILD, PYTHON, UnavailableError, committed, unpacked
from days.stories import STORIES, Story
from plimsoll.context.log.entries import Entry
from plimsoll.context.pipeline.settings import (
    PipelineSettings,
    PruningSettings,
    ReferSettings,
    TruncationSettings,
)
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.rules import MemoryRules, SessionRules
from plimsoll.storage.sqlite import SqliteStore
from recordings.make_sessions import rows
from session.harness import Person, Shelf, environment_of, model, opened, redact

HERE = Path(__file__).resolve().parent
DAYS = BUILD / "days"
WINDOW = 20_000_000
"""Words; nothing is reduced while it is recorded."""
STEPS = 2_000
WHOLE = PipelineSettings(
    refer=ReferSettings(enabled=False),
    pruning=PruningSettings(enabled=False),
    truncation=TruncationSettings(max_lines=WINDOW, max_bytes=WINDOW),
)
"""The scripted model sees each result as it is; what is made of them is for those that play it."""
CLOCK = re.compile(r"\b\d+\.\d+s\b(?: \(\d+:\d\d:\d\d\))?")
ADDRESS = re.compile(r"\b0x[0-9a-f]{8,16}\b")


def recordings() -> tuple[list[Path], list[str]]:
    """Return all recordings, made now where they are missing, and what had to be left out."""
    paths, missing = list[Path](), list[str]()
    for story in STORIES:
        path = DAYS / f"{story.name}.jsonl"
        try:
            paths.append(path if _is_current(path) else made(story, path))
        except UnavailableError as error:
            missing.append(f"{story.name} is left out: {error}")
    return paths, missing


def _is_current(path: Path) -> bool:
    stamp = path.with_suffix(".stamp")
    return path.is_file() and stamp.is_file() and stamp.read_text("utf-8") == _source()


def _source() -> str:
    """Hash what makes the recordings."""
    texts = (path.read_bytes() for path in sorted(HERE.glob("*.py")))
    return hashlib.sha256(b"".join(texts)).hexdigest()


def made(story: Story, path: Path) -> Path:
    """Record a story."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "work"
        unpacked(story.package, work)
        for bug in story.bugs:
            _replaced(work / bug.path, bug.right, bug.wrong)
        if story.bugs:
            committed(work, "Work of yesterday")
        text = asyncio.run(_recorded(story, Path(place)))
    path.write_text(text, "utf-8")
    path.with_suffix(".stamp").write_text(_source(), "utf-8")
    return path


def _replaced(path: Path, right: str, wrong: str) -> None:
    text = path.read_text("utf-8")
    assert right in text, f"{path} has no {right!r}"
    path.write_text(text.replace(right, wrong, 1), "utf-8")


async def _recorded(story: Story, place: Path) -> str:
    """Play a story in a folder and give its session as JSON Lines."""
    worker = Worker(story.work())
    one = model("scripted/worker", worker, WINDOW, WHOLE)
    surrounded = partial(
        environment_of,
        place / "work",
        Shelf(small=one, large=one),
        SqliteStore.in_memory(redact),
        redact=redact,
        listener=lambda *_: None,
        outputs=place / "outputs",
        asker=Person(),
        rules=lambda: SessionRules(steps=STEPS, memory=MemoryRules(recall=0, extraction="off")),
    )
    async with opened(surrounded) as project:
        session = await project.new("edit")
        for task in story.tasks:
            await session.prompt([PromptText(task.prompt)])
            ended = await session.wait()
            assert ended is not None and ended.reason == "endTurn", (story.name, task.prompt, ended)
        return "".join(_lines(session.state.log.fold.entries, place))


def _lines(entries: list[Entry], place: Path) -> Iterator[str]:
    """Yield the messages without what differs between machines and moments."""
    folders = {str(place / "work"): "/repository", str(PYTHON): "/python", sys.base_prefix: "/usr"}
    for row in rows(entries):
        line = json.dumps(row, ensure_ascii=False)
        for folder, name in folders.items():
            line = line.replace(folder, name)
        yield ADDRESS.sub("0x7f00", CLOCK.sub("1.00s", line)) + "\n"


def main() -> None:
    """Make what is missing, and say how large each is."""
    paths, missing = recordings()
    for path in paths:
        text = path.read_text("utf-8")
        sys.stdout.write(f"{path.name}: {text.count(chr(10))} messages, {len(text):,} characters\n")
    for each in missing:
        sys.stdout.write(f"{each}\n")


if __name__ == "__main__":
    main()
