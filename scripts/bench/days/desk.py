"""The single moves of the scripted model: read, search, run, change, and what it says of them."""

import random
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from days.agent import Answer, Call
from days.notebook import Notebook, Place, Verdict, verdict_of

Found = TypeVar("Found")
Steps = Generator[Answer, Sequence[str], Found]
OPENINGS = ("", "", "Next: ", "So ", "I see: ", "Then ")
QUOTED = 0.12
"""How often a line is quoted word for word, and how often something from far back is named."""
FAR = 0.4
SHOWS, SHOWN = 0.5, 5
"""How often a summary shows code, and how many lines of it."""
OLD = 12
"""Steps after which something is far back."""
SHORT = 400
"""A place below this line may stand in a file that is worth reading whole."""
AGAIN_AFTER = 25
"""Steps after which a file is rather read again before it is changed."""


@dataclass(slots=True)
class Desk:
    """What the model works with: its notes, its chances, and a tag that the person asked for."""

    notebook: Notebook
    tag: str = ""
    """What each line that is changed has at its end."""

    @property
    def chance(self) -> random.Random:
        """The seeded chances of the session."""
        return self.notebook.chance

    def remark(self, topic: str, least: int = 1) -> str:
        """Say what the newest results mean, and what of earlier ones belongs to it."""
        said = [self.of(place) for place in self.notebook.recent(self.chance.randint(least, 2))]
        if self.chance.random() < FAR:
            said += [f"That belongs to {self.of(p)}" for p in self.notebook.related(topic, 1)]
        if not said:
            return ""
        return self.chance.choice(OPENINGS) + "; ".join(said) + "."

    def of(self, place: Place) -> str:
        """Speak of a place: its name, where it is, what it says of itself, or the line itself."""
        self.notebook.spoken_of[place.name] = self.notebook.step
        draw = self.chance.random()
        if draw < QUOTED:
            return f"{place.address} reads `{place.text}`"
        told = self.notebook.sentence(place)
        if told and draw < 0.5:
            return f"`{place.name}` ({place.address}) — {told}"
        return f"`{place.name}` at {place.address}" if draw < 0.8 else f"`{place.name}`"

    def take(self, calls: Sequence[Call], saying: str) -> Steps[Sequence[str]]:
        """Make calls and learn from what they return."""
        results = yield Answer(saying, tuple(calls))
        self.notebook.step += 1
        for call, result in zip(calls, results, strict=True):
            if call.tool == "file_read" and not result.startswith("Error"):
                self.notebook.file_shown(str(call.arguments["path"]), result)
            if call.tool == "grep":
                self.notebook.matches_shown(result)
        return results

    def read(self, saying: str, *parts: tuple[str, int, int]) -> Steps[None]:
        """Read files; a part is a path, its first line and how many, or 0 and 0 for all."""
        yield from self.take([reading(*part) for part in parts], saying)

    def search(self, saying: str, pattern: str, path: str = "src") -> Steps[list[Place]]:
        """Search, and return the matches."""
        call = Call("grep", {"pattern": pattern, "path": path})
        (result,) = yield from self.take([call], saying)
        return self.notebook.matches_shown(result)

    def run(self, saying: str, command: str) -> Steps[str]:
        """Run a command."""
        (result,) = yield from self.take([Call("shell", {"command": command})], saying)
        return result

    def tested(self, saying: str, what: str) -> Steps[Verdict]:
        """Run tests and read the verdict."""
        log = yield from self.run(saying, f"./check {what}")
        return verdict_of(log)

    def changed(self, saying: str, path: str, old: str, new: str) -> Steps[None]:
        """Change a file, and remember it as it is now."""
        change = {"path": path, "old_string": old, "new_string": new}
        (result,) = yield from self.take([Call("file_edit", change)], saying)
        if "not found" in result or "occurs" in result:
            raise AssertionError(f"{path}: {result}")
        lines = self.notebook.files.get(path, {})
        whole = "\n".join(lines[n] for n in sorted(lines)).replace(old, new, 1).split("\n")
        if len(whole) == len(lines):
            self.notebook.files[path] = dict(zip(sorted(lines), whole, strict=True))

    def around(self, place: Place, most: int = 90) -> tuple[str, int, int]:
        """Return the part of a file around a place, or all of it, as people read."""
        if place.line < SHORT and self.chance.random() < 0.3:
            return (place.path, 0, 0)
        return (place.path, max(1, place.line - 8), self.chance.randint(30, most))

    def follow(self, topic: str, names: Sequence[str], most: int, root: str = "src") -> Steps[None]:
        """Follow names from what was read to where they are defined, and read there."""
        left, seen = list(names), set[str]()
        for _ in range(most):
            left = [name for name in left if name not in seen]
            if not left:
                left = [p.name for p in self.notebook.recent(5) if p.name not in seen]
            if not left:
                return
            name = self.chance.choice(left[:6])
            seen.add(name)
            asked = f"{self.remark(topic, 0)} Where is `{name}` defined?".strip()
            defined = rf"(def|class|function) {re.escape(name)}\b|{re.escape(name)} = function"
            hits = yield from self.search(asked, defined, root)
            if not hits:
                continue
            hit = self.chance.choice(hits[:3])
            yield from self.read(f"I read {hit.address}.", self.around(hit))
            place = Place(name, hit.path, hit.line, hit.text, self.notebook.step)
            left = self.notebook.called_in(self.notebook.body(place)) + left
            if self.chance.random() < 0.4:
                users = yield from self.search(self.remark(topic), rf"\b{name}\b", root)
                if users and self.chance.random() < 0.6:
                    user = self.chance.choice(users)
                    yield from self.read(f"{user.address} uses it.", self.around(user))

    def summary(self, topic: str, most: int) -> str:
        """Say what was found out, the things that belong to a topic, near and far."""
        near = self.notebook.related(topic, most // 2, least_age=0)
        far = self.notebook.related(topic, most - most // 2, least_age=OLD)
        places = {place.name: place for place in (*near, *far)}.values()
        told = [f"- {self.of(place)}." for place in places]
        shown = next((p for p in places if len(self.notebook.body(p, SHOWN)) == SHOWN), None)
        if shown and self.chance.random() < SHOWS:
            told += [f"`{shown.name}` at {shown.address}:", *self.notebook.body(shown, SHOWN)]
        return "\n".join(told)


def reading(path: str, first: int, count: int) -> Call:
    """Make the call that reads a part of a file, or all of it."""
    part = {"offset": first, "limit": count} if first else {}
    return Call("file_read", {"path": path, **part})
