"""Makes the sessions of this folder anew: ``PYTHONPATH=tests python -m recordings.make_sessions``.

The product is driven by its scripted and its embedded provider over a small repository, with its
real tools; what was said is written down, one message a line. Nothing in a file depends on the
machine or the clock, so a new run changes a file only where the product has changed.
"""

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plimsoll.context.log.entries import Framed, Said
from plimsoll.context.log.messages import PartKind, Role
from plimsoll.providers.base import Provider
from plimsoll.providers.embedded.provider import Embedded
from recordings.beside import OWN_SESSIONS
from recordings.small_repository import MODULES, build, functions_of
from session.harness import Harness, harness

WINDOW = 1_000_000
"""Nothing is reduced while it is recorded: that is for the tests that play it."""
Step = Mapping[str, object]


@dataclass(frozen=True)
class Story:
    """What a person says, and what a scripted model answers; without answers the embedded one."""

    prompts: Sequence[str]
    steps: Sequence[Step] = ()

    @property
    def provider(self) -> Provider | None:
        return None if self.steps else Embedded()


def step(text: str, *calls: tuple[str, Mapping[str, object]]) -> Step:
    """An answer of the script."""
    return {"text": text, "calls": [{"name": name, "arguments": given} for name, given in calls]}


def read(module: str, **part: int) -> tuple[str, Mapping[str, object]]:
    return "file_read", {"path": f"lading/{module}.py", **part}


def shell(command: str) -> tuple[str, Mapping[str, object]]:
    return "shell", {"command": command}


def repair() -> Story:
    """Four tasks of many calls each: long enough that 32k and 64k must be reduced."""
    chance = random.Random("repair")
    prompts, steps = [], []
    for watch in range(4):
        wrong = functions_of("tide")[watch + 3]
        prompts.append(f"The build fails in {wrong}. Find out why and repair it; change no test.")
        steps.append(step("I look at the log first.", shell("cat build.log")))
        steps.extend(_look(chance, number) for number in range(24))
        old = f"def {wrong}(weights: list[int]"
        edit = {"path": "lading/tide.py", "old_string": old, "new_string": f"{old}, /"}
        steps.append(step(f"Now I change {wrong}.", read("tide"), ("file_edit", edit)))
        steps.append(step(f"{wrong} takes its weights by place now; the limit was never read."))
    return Story(prompts, steps)


def _look(chance: random.Random, number: int) -> Step:
    module = chance.choice(MODULES)
    name = chance.choice(functions_of(module))
    match number % 4:
        case 0:
            return step(f"{name} is in lading/{module}.py; I read it whole.", read(module))
        case 1:
            pattern = name.rpartition("_")[0]
            return step(f"Who calls {name}?", ("grep", {"pattern": pattern, "path": "lading"}))
        case 2:
            first = chance.randint(1, 60)
            return step("", read(module, offset=first, limit=40), read(chance.choice(MODULES)))
        case _:
            return step("", shell(f"grep -n '{name}' -r lading | sort"), read(module))


def reading() -> Story:
    """Files read by shell commands, whole and in part, again and after a change."""
    steps = []
    for module in MODULES[:5]:
        path, name = f"lading/{module}.py", functions_of(module)[4]
        commands = (
            f"sed -n 20,40p {path}",
            f"cat {path}",
            f"grep -n total {path}",
            f"cat {path}",
            f"sed -i 's/{name}/{name}_now/' {path}",
            f"sed -n 1,30p {path}",
            f"cat {path}",
            f"grep -n now {path}",
        )
        steps += [step(f"I run {command}.", shell(command)) for command in commands]
    return Story(["Rename one function of each file."], [*steps, step("Renamed in five files.")])


def talk() -> Story:
    """Many short turns of a person who says what to remember, in more than one script."""
    chance = random.Random("talk")
    prompts, steps = [], []
    for number in range(60):
        module = chance.choice(MODULES)
        name = chance.choice(functions_of(module))
        wishes = (
            f"Remember that {name} is only called in port {number}.",
            f"What does {name} do? ⚓ I see it {number} times in the log.",
            f"Nein, nicht {module}: ich meine {name}, Zeile {number}.",
            f"{module} の {name} を確認してください。番号は {number} です。",
            f"│ {module:<10}│ {number:>4} │ ← this row of the table is wrong.",
            f"Always run the checks of {module} before you say that part {number} is done.",
        )
        prompts.append(wishes[number % len(wishes)])
        if number % 3 == 0:
            steps.append(step("", ("grep", {"pattern": name, "path": f"lading/{module}.py"})))
        steps.append(step(f"{name} stands in lading/{module}.py; noted for part {number}. 🚢"))
    return Story(prompts, steps)


def questions() -> Story:
    """Questions to the embedded provider, which searches by itself."""
    names = [functions_of(module)[number] for number, module in enumerate(MODULES[:6])]
    return Story([f"Where is {name} defined and who calls it?" for name in names])


STORIES = {
    "embedded-questions": questions,
    "scripted-reading": reading,
    "scripted-repair": repair,
    "scripted-talk": talk,
}


async def recorded(story: Story) -> str:
    """Play a story and give its session as JSON Lines."""
    with tempfile.TemporaryDirectory() as place:
        build(Path(place) / "work")
        async with harness(
            Path(place), *story.steps, provider=story.provider, window=WINDOW
        ) as run:
            for prompt in story.prompts:
                ended = await run.turn(prompt)
                assert ended.reason == "endTurn", ended
            return "".join(_lines(run))


def _lines(run: Harness) -> Iterator[str]:
    here = str(run.folder)
    for row in rows(run.entries):
        yield json.dumps(row, ensure_ascii=False).replace(here, "/repository") + "\n"


def rows(entries: Iterable[object]) -> Iterator[dict[str, object]]:
    """Yield the messages of a session, as they are written down."""
    for entry in entries:
        if isinstance(entry, Framed) and entry.slot == "system":
            yield {"role": "system", "content": entry.text}
        elif isinstance(entry, Said):
            yield _row(entry)


def _row(said: Said) -> dict[str, object]:
    text = "\n".join(part.text for part in said.parts if part.kind is not PartKind.CALL)
    row: dict[str, object] = {"role": said.role.value, "content": text}
    if said.role is Role.TOOL:
        row |= {"tool_call_id": said.parts[0].call_id, "name": said.parts[0].name}
    calls = [
        {"id": part.call_id, "name": part.name, "arguments": json.loads(part.text)}
        for part in said.parts
        if part.kind is PartKind.CALL
    ]
    return row | ({"tool_calls": calls} if calls else {})


def main(folder: Path = OWN_SESSIONS) -> None:
    for name, story in STORIES.items():
        text = asyncio.run(recorded(story()))
        (folder / f"{name}.jsonl").write_text(text, "utf-8")
        sys.stdout.write(f"{name}: {text.count(chr(10))} messages, {len(text.encode()):,} bytes\n")


if __name__ == "__main__":
    main()
