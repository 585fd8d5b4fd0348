"""A small repository for recorded sessions: generated, the same each time."""

import random
from pathlib import Path

MODULES = (
    "hull",
    "cargo",
    "ballast",
    "mast",
    "anchor",
    "rudder",
    "galley",
    "chart",
    "crew",
    "tide",
)
_VERBS = ("stow", "weigh", "trim", "shift", "measure", "lash", "sound", "record", "check", "sort")
_NOUNS = ("barrel", "crate", "rope", "plank", "lamp", "sail", "log", "berth", "winch", "tank")
_REMARKS = (
    "The draught must not rise above the line.",
    "Salt water carries more than fresh water.",
    "An empty list has no load at all.",
    "Größe und Gewicht stehen in Tonnen.",
    "積荷は左右の釣り合いを保つ。",
    "Called once for each watch.",
)


def functions_of(module: str) -> list[str]:
    """The names of the functions of a module."""
    chance = random.Random(module)
    return [f"{verb}_{chance.choice(_NOUNS)}_{chance.randint(10, 99)}" for verb in _VERBS]


def build(folder: Path) -> None:
    """Write the repository into a folder."""
    for number, module in enumerate(MODULES):
        path = folder / "lading" / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_source(module, MODULES[number - 1]), "utf-8")
    (folder / "README.md").write_text("# Lading\n\nHow much a ship may carry.\n", "utf-8")
    (folder / "build.log").write_text("".join(_log_lines()), "utf-8")


def _source(module: str, other: str) -> str:
    chance = random.Random(f"{module} source")
    borrowed = functions_of(other)
    lines = [f'"""The {module} of the ship."""', "", f"from lading import {other}", ""]
    for name in functions_of(module):
        limit = chance.randint(100, 9_999)
        lines += [
            "",
            f"def {name}(weights: list[int], limit: int = {limit}) -> int:",
            f'    """Return what the {module} holds; {chance.choice(_REMARKS)}"""',
            f"    total = {other}.{chance.choice(borrowed)}(weights) if weights else 0",
            f"    for place, weight in enumerate(weights, {chance.randint(1, 9)}):",
            f"        total += weight * place % {chance.randint(11, 97)}",
            "        if total > limit:",
            f'            raise ValueError(f"{name}: {{total}} is over {{limit}}")',
            f"    return min(total, {chance.randint(1_000, 99_999)})",
            "",
        ]
    return "\n".join(lines)


def _log_lines() -> list[str]:
    chance = random.Random("build.log")
    lines = [
        f"[{step:04d}] {module}: {chance.choice(functions_of(module))} in {chance.random():.4f} s\n"
        for step in range(900)
        for module in (chance.choice(MODULES),)
    ]
    lines.insert(
        700, f"FAILED tests/test_tide.py::test_ebb - {functions_of('tide')[3]}: 41 != 40\n"
    )
    return lines
