"""Whether the newest wording of a rule holds, and only the newest: MemoryCode and talk of our own.

MemoryCode (arXiv 2502.13791): a mentor gives a new colleague rules over many sessions and changes
them later. Each rule is typed once as its canonical sentence; then the mentor's own sentences are
read, of which the data says which hold the text of a rule in quotes. The dialogues are developed on
a quarter and shown on the rest.
"""

import argparse
import gzip
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from common import AT, table

from plimsoll.context.index.instructions import InstructionIndex
from plimsoll.context.log.entries import Origin, Said
from plimsoll.context.log.messages import Part, PartKind, Role
from plimsoll.text.instructions import instruction_in
from plimsoll.text.sentences import sentences_around_code

ROOT = Path(__file__).parents[3]
DATA = ROOT.parent / "shared" / "data" / "memorycode" / "dialogues.jsonl.gz"
TESTS = ROOT / "tests"
NEWEST, STALE, HEARD, TAKEN = 0.995, 0.12, 0.85, 0.05
"""What must be reached: at least, at most, at least, at most."""
_QUOTED = re.compile(r"'([^']+)'")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that is said: what it is about, and its words."""

    about: str
    text: str


@dataclass(kw_only=True)
class Held:
    """What holds after rules were said one after another."""

    said: int = 0
    things: int = 0
    newest: int = 0
    """Of the things, those whose newest wording stands."""
    standing: int = 0
    stale: int = 0
    """Of those standing, those that are not the newest of their thing."""
    wrong: int = 0
    """Rules that one about something else ended."""

    def add(self, other: "Held") -> None:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(kw_only=True)
class Heard:
    """What of a person's sentences was taken for rules."""

    rules: int = 0
    heard: int = 0
    others: int = 0
    taken: int = 0


def held(rules: Sequence[Rule]) -> Held:
    """Say the rules one after another, each as a message, and look at what holds."""
    newest = {each.about: each.text for each in rules}
    about = {f"u{number}": each.about for number, each in enumerate(rules)}
    found = InstructionIndex().in_force(_said(each.text, n) for n, each in enumerate(rules))
    standing = [(about[each.message], each.text) for each in found.standing]
    texts = {text for _, text in standing}
    return Held(
        said=len(rules),
        things=len(newest),
        newest=sum(text in texts for text in newest.values()),
        standing=len(standing),
        stale=sum(newest[thing] != text for thing, text in standing),
        wrong=sum(about[each.message] != about[each.by_message] for each in found.endings),
    )


def _said(text: str, number: int) -> Said:
    part = Part(kind=PartKind.TEXT, text=text)
    name = f"u{number}"
    said = Said(id=name, at=AT, role=Role.USER, group=name, parts=(part,))
    return replace(said, origin=Origin.PERSON)


def canonical_rules(dialogue: dict[str, Any]) -> Iterator[tuple[int, Rule]]:
    """Yield the rules of a dialogue with the number of their session."""
    for number, session in enumerate(dialogue["sessions"]):
        topics = zip(session["type"], session["topic"], strict=True)
        texts = [text for kind, text in topics if kind.startswith("instruction")]
        ids = [each for each in dialogue["instructions"][number] if each != -1]
        for (rule, _version), text in zip(ids, texts, strict=True):
            yield number, Rule(str(rule), text)


def heard(dialogue: dict[str, Any]) -> Heard:
    """Read the mentor's sentences; a rule is one that holds the text of a rule in quotes."""
    tokens: dict[int, set[str]] = defaultdict(set)
    for number, rule in canonical_rules(dialogue):
        tokens[number].update(_QUOTED.findall(rule.text)[:1])
    found = Heard()
    for number, turn in _mentors_turns(dialogue):
        for sentence in sentences_around_code(turn):
            read = instruction_in(sentence.raw) if sentence.plain else None
            taken = read is not None and not read.tentative
            if any(
                f"{mark}{token}{mark}" in sentence.raw
                for token in tokens[number]
                for mark in "'\"`"
            ):
                found.rules, found.heard = found.rules + 1, found.heard + taken
            else:
                found.others, found.taken = found.others + 1, found.taken + taken
    return found


def _mentors_turns(dialogue: dict[str, Any]) -> Iterator[tuple[int, str]]:
    names = [dialogue["context"][who] for who in ("mentor", "mentee")]
    speaker = re.compile(rf"^\**({'|'.join(map(re.escape, names))})\**\s*:\**\s*", re.MULTILINE)
    for number, session in enumerate(dialogue["sessions"]):
        parts = speaker.split(session["text"])
        for who, turn in zip(parts[1::2], parts[2::2], strict=True):
            if who == names[0]:
                yield number, turn.strip()


def memorycode(dialogues: Iterable[dict[str, Any]]) -> tuple[Held, Heard]:
    """Sum what holds and what is heard over dialogues."""
    holding, hearing = Held(), Heard()
    for dialogue in dialogues:
        holding.add(held([rule for _, rule in canonical_rules(dialogue)]))
        one = heard(dialogue)
        for name in vars(hearing):
            setattr(hearing, name, getattr(hearing, name) + getattr(one, name))
    return holding, hearing


def own(language: str) -> tuple[Held, Heard]:
    """Read the dialogue of a language that the tests have."""
    sys.path.insert(0, str(TESTS))
    from text.dialogues import BESIDE, DIALOGUES

    rules = [Rule(*each) for each in DIALOGUES[language]]
    taken = [
        [instruction_in(text) is not None for text in texts]
        for texts in ([r.text for r in rules], BESIDE[language])
    ]
    hearing = Heard(
        rules=len(taken[0]), heard=sum(taken[0]), others=len(taken[1]), taken=sum(taken[1])
    )
    return held(rules), hearing


def reached(holding: Held, hearing: Heard) -> bool:
    """Tell whether all is as it must be."""
    return (
        holding.newest >= NEWEST * holding.things
        and holding.stale <= STALE * holding.standing
        and holding.wrong == 0
        and hearing.heard >= HEARD * hearing.rules
        and hearing.taken <= TAKEN * hearing.others
    )


def _row(name: str, holding: Held, hearing: Heard) -> list[str]:
    shares = (
        (holding.newest, holding.things),
        (holding.stale, holding.standing),
        (hearing.heard, hearing.rules),
        (hearing.taken, hearing.others),
    )
    newest, stale, rules, others = (f"{a:,}/{b:,} {100 * a / max(b, 1):.1f} %" for a, b in shares)
    return [name, f"{holding.said:,}", newest, stale, f"{holding.wrong}", rules, others]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="dialogues, one a line, gzipped")
    asked = parser.parse_args(arguments)
    begun = time.perf_counter()
    rows = {language: own(language) for language in ("English", "German", "Japanese")}
    if asked.data.exists():
        with gzip.open(asked.data, "rt", encoding="utf-8") as file:
            dialogues = [json.loads(line) for line in file]
        quarter = [each for each in dialogues if int(each["id"].rpartition("_")[2]) % 4 == 1]
        rest = [each for each in dialogues if each not in quarter]
        rows |= {"MemoryCode, a quarter": memorycode(quarter), "the rest": memorycode(rest)}
    else:
        print(f"There is no {asked.data}: own dialogues alone.")
    head = ["what", "rules", "newest", "stale", "ended wrongly", "heard", "others taken"]
    table(head, [_row(name, *each) for name, each in rows.items()])
    print(f"\n{time.perf_counter() - begun:.0f} s")
    return int(not all(reached(*each) for each in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
