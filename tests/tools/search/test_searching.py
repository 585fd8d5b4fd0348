"""Searches that will not end by themselves: cancelled at once, and nobody else waits for them."""

import asyncio
import time
from pathlib import Path
from threading import Semaphore

from plimsoll.tools.files.paths import resolve
from plimsoll.tools.ports.intent import Outcome
from plimsoll.tools.search.halt import Halt

WITHIN = 0.2
"""Seconds for cancelled searches to leave their threads; of work, since other tests work too."""


def hostile(root: Path) -> None:
    for folder in range(50):
        (root / f"d{folder}").mkdir()
        for file in range(50):
            (root / f"d{folder}/file_{file}.py").touch()
    (root / ".gitignore").write_text("".join(f"*a{n}*a*{n}*c\n" for n in range(20_000)))


async def test_a_cancel_ends_the_work_and_not_only_the_waiting(searches, context, root, use):
    await use("glob", pattern="*")
    hostile(root)
    begun = Semaphore(0)

    def endless(halt: Halt) -> Outcome:
        begun.release()
        while not halt:
            searches.tree_of(resolve(".", context), context, halt)
        return Outcome(text="")

    running = [
        asyncio.create_task(searches.run(resolve(".", context), context, endless)) for _ in range(6)
    ]
    for _ in range(4):
        await asyncio.to_thread(begun.acquire)
    started = time.process_time()
    for task in running:
        task.cancel()
    # All threads of searches were taken: it is answered when one of them is free.
    await use("glob", pattern="*", path=str(context.spill_folder))
    assert time.process_time() - started < 10 * WITHIN


async def test_other_work_never_waits_for_searches(tools, context, root):
    hostile(root)
    (root / "a.txt").write_text("hello\n")
    intent = tools["glob"].prepare({"pattern": "**/*"}, context)
    running = [asyncio.create_task(tools["glob"].run(intent, context)) for _ in range(40)]
    await asyncio.sleep(0)
    reading = tools["file_read"].prepare({"path": "a.txt"}, context)
    outcome = await tools["file_read"].run(reading, context)
    assert "hello" in outcome.text
    assert not all(task.done() for task in running)
    for task in running:
        task.cancel()
    await asyncio.wait(running)


async def test_a_search_of_a_hostile_clone_finds_what_is_there_and_says_what_it_left(use, root):
    hostile(root)
    outcome = await use("glob", pattern="d7/file_7*.py")
    assert outcome.text.splitlines() == [
        "d7/file_7.py",
        f"[the ignore file of {root.name}/: its first 19,000 lines with wildcards are not applied]",
    ]
