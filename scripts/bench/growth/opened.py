"""One session opened in a process of its own, and what a person is shown first of it.

`python -m growth.opened FOLDER SESSION`: prints the processor's milliseconds of each step as JSON.
"""

import asyncio
import json
import resource
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path

from common import app

from plimsoll.cli import look_for_cycles_rarely
from plimsoll.lsp.features.convert.conversations import conversation
from plimsoll.session.reduction.inspection import report
from plimsoll.tokens.vocabulary import Vocabularies

WINDOW = 4_000_000


def milliseconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


async def opened(folder: Path, session_id: str) -> dict[str, float]:
    async with app(folder, WINDOW) as own:
        project = await own.project(folder.as_uri())
        # What the first use of a model loads is not the session's.
        await own.models.open("embedded/search")
        begun = time.process_time()
        session = await project.load(session_id)
        took = {"open": (time.process_time() - begun) * 1000}
        begun = time.process_time()
        await project.list(50)
        took["list"] = (time.process_time() - begun) * 1000
        fold = session.state.log.fold
        took["shown"] = milliseconds(lambda: conversation(fold))
        took["meter"] = milliseconds(session.state.load.meter)
        took["report"] = milliseconds(lambda: report(session.state))
        took["tokens"] = fold.view.tokens
    return took


def yardsticks(folder: Path) -> dict[str, float]:
    """The same bytes read by SQLite and by `json`; the same text counted once by tiktoken."""
    (path,) = folder.glob("data/**/*.db")
    bodies: list[str] = []

    def read() -> None:
        with sqlite3.connect(path) as db:
            bodies.extend(body for (body,) in db.execute("SELECT body FROM entries"))

    took = {"sqlite": milliseconds(read)}
    took["json"] = milliseconds(lambda: [json.loads(body) for body in bodies])
    texts = [part["text"] for body in bodies for part in json.loads(body).get("parts", ())]
    encoding = Vocabularies().encoding("o200k_base")
    took["tiktoken"] = milliseconds(lambda: [encoding.encode_ordinary(text) for text in texts])
    return took


def main() -> None:
    look_for_cycles_rarely()
    folder = Path(sys.argv[1])
    took = asyncio.run(opened(folder, sys.argv[2]))
    took["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(took | yardsticks(folder)))


if __name__ == "__main__":
    main()
