"""Scenes of work in which the last request needs what earlier ones have shown, word for word."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from product.sight.director import HELPER, Call, Need, Step

TEXT = (
    "budget ledger window marker order client parser signal bridge vector harbour timber copper "
    "lantern meadow pocket quarry ribbon saddle tunnel velvet walnut zipper anchor basket candle"
)
WORDS = TEXT.split()
Before = Literal["", "rewind", "undo"]


@dataclass(frozen=True)
class Turn:
    """What is asked, and the answers."""

    prompt: str
    steps: tuple[Step, ...]
    helper: tuple[Step, ...] = ()
    """Those of the agent that is called."""
    before: Before = ""
    """What the person does first: goes back before the last turn; or compacts, and undoes that."""


@dataclass(frozen=True)
class Scenario:
    """A folder and what is done in it."""

    name: str
    files: Mapping[str, str]
    turns: tuple[Turn, ...]


def code(name: str, lines: int) -> str:
    """Write a file of lines that stand nowhere else."""
    source = random.Random(name)
    rows = (
        f"{source.choice(WORDS)}_{name}_{n} = {source.choice(WORDS)}({source.randrange(1000)})"
        for n in range(lines)
    )
    return "\n".join(rows) + "\n"


def sources(count: int, lines: int, kind: str = "part") -> dict[str, str]:
    return {f"{kind}_{n}.py": code(f"{kind}{n}", lines) for n in range(count)}


def read(path: str) -> Call:
    return Call("file_read", {"path": path})


def need(path: str, files: Mapping[str, str]) -> Need:
    """The whole file."""
    return Need(files[path].rstrip("\n"), read(path))


def one_by_one(paths: Sequence[str]) -> tuple[Step, ...]:
    return tuple(Step(calls=(read(path),)) for path in paths)


def rows(text: str, first: int, count: int) -> str:
    return "\n".join(text.splitlines()[first : first + count])


def edit(path: str, files: Mapping[str, str], first: int) -> Step:
    """An edit of three lines, whose old text must stand."""
    old = rows(files[path], first, 3)
    call = Call("file_edit", {"path": path, "old_string": old, "new_string": f"# {old[:20]}"})
    return Step(calls=(call,), needs=(Need(old, read(path)),))


def compared(name: str, *turns: Turn) -> Scenario:
    return Scenario(name, EIGHT, turns)


EIGHT = sources(8, 200)
_ALL = tuple(need(path, EIGHT) for path in EIGHT)
_COMPARE = Step(needs=_ALL, text="They differ in their names.")
_NOTED = Step(text="I have read them.")
COMPARE = compared("A", Turn("Compare these 8 files.", (*one_by_one(tuple(EIGHT)), _COMPARE)))
IN_PARALLEL = compared(
    "A in parallel",
    Turn("Compare these 8 files.", (Step(calls=tuple(map(read, EIGHT))), _COMPARE)),
)
_PATHS = tuple(EIGHT)
_AGENT = Call(
    "subagent",
    {
        "description": "look",
        "prompt": f"Look for what the parts share. {HELPER}",
        "kind": "explore",
    },
)
WITH_AGENT = compared(
    "A with an agent",
    Turn(
        "Compare these 8 files.",
        (*one_by_one(_PATHS[:4]), Step(calls=(_AGENT,)), *one_by_one(_PATHS[4:]), _COMPARE),
        helper=(*one_by_one(_PATHS[:3]), Step(text="They share the word budget.")),
    ),
)
LATER = compared(
    "A a turn later",
    Turn("Read these 8 files.", (*one_by_one(_PATHS), _NOTED)),
    Turn("What is the weather like?", (Step(text="I do not know."),)),
    Turn("Now compare them.", (_COMPARE,)),
)
REWOUND = compared(
    "A gone back",
    Turn("Read these 8 files.", (*one_by_one(_PATHS), _NOTED)),
    Turn("Change the first.", (edit(_PATHS[0], EIGHT, 5), Step())),
    Turn("No, leave it. Compare them.", (_COMPARE,), before="rewind"),
)
UNDONE = compared(
    "A undone",
    Turn("Read these 8 files.", (*one_by_one(_PATHS), _NOTED)),
    Turn("Which is the largest?", (Step(text="The third."),)),
    Turn("Compare them.", (_COMPARE,), before="undo"),
)

TWELVE = sources(12, 150, "leaf")
QUOTES = Scenario(
    "B",
    TWELVE,
    (
        Turn(
            "Read 12 files and quote a line of each.",
            (
                *one_by_one(tuple(TWELVE)),
                Step(needs=tuple(Need(rows(TWELVE[each], 70, 1), read(each)) for each in TWELVE)),
            ),
        ),
    ),
)

_SIX = sources(6, 180, "unit")
_LOG = {"build.log": code("log", 3_000)}
BUG_HUNT = Scenario(
    "C",
    {**_SIX, **_LOG},
    (
        Turn(
            "Find the bug and mend it.",
            (
                Step(calls=(Call("grep", {"pattern": "_unit3_1[0-9] ="}),)),
                *one_by_one(tuple(_SIX)),
                Step(calls=(Call("shell", {"command": "cat build.log"}),)),
                *(edit(path, _SIX, 40 + 30 * n) for n, path in enumerate(tuple(_SIX)[1:4])),
                Step(text="It is mended."),
            ),
        ),
    ),
)

_FIVE = sources(5, 120, "module")
_DIFF = {f"change_{n}.diff": code(f"diff{n}", 300) for n in range(4)}
_REVIEWED = {**_FIVE, **_DIFF}
REVIEW = Scenario(
    "D",
    _REVIEWED,
    (
        Turn(
            "Review this change.",
            (
                *one_by_one((*_DIFF, *_FIVE)),
                Step(needs=tuple(need(path, _REVIEWED) for path in _REVIEWED)),
            ),
        ),
    ),
)

_SIXTY = sources(60, 20, "small")
SMALL_READS = Scenario(
    "E",
    _SIXTY,
    (
        Turn(
            "Go through all of these.",
            (
                *one_by_one(tuple(_SIXTY)),
                Step(needs=tuple(need(path, _SIXTY) for path in _SIXTY)),
            ),
        ),
    ),
)

_PAIR = sources(8, 150, "pair")
_FIRST, _SECOND = tuple(_PAIR)[:2]
SECOND_TURN = Scenario(
    "F",
    _PAIR,
    (
        Turn(
            "Rename it in the first file.",
            (*one_by_one(tuple(_PAIR)), edit(_FIRST, _PAIR, 20), edit(_FIRST, _PAIR, 90), Step()),
        ),
        Turn(
            "Now the same in the second file.",
            (edit(_SECOND, _PAIR, 20), edit(_SECOND, _PAIR, 90), Step()),
        ),
    ),
)

SCENARIOS = (
    *(COMPARE, QUOTES, BUG_HUNT, REVIEW, SMALL_READS, SECOND_TURN),
    *(IN_PARALLEL, WITH_AGENT, LATER, REWOUND, UNDONE),
)
