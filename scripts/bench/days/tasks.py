"""The tasks of a day: hunt a bug, rename a function, write tests, review, explore, read logs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from days.agent import Answer, Call
from days.desk import AGAIN_AFTER, Desk, Steps
from days.notebook import Place, Verdict, paths_in


@dataclass(frozen=True, slots=True)
class Bug:
    """A fault that is put into a repository before a session begins."""

    path: str
    right: str
    wrong: str
    within: str
    """The definition in which it stands."""
    tests: str
    """The file of tests that it makes fail."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What is to be tested: a function of a module, and tests to take after."""

    module: str
    function: str
    path: str
    after: str


def bug_hunt(desk: Desk, bug: Bug, wrong_ways: int) -> Steps[Answer]:
    """From the failing tests to the line, with some wrong ways, and back to the tests."""
    topic = f"{bug.within} {bug.path} {bug.tests}"
    verdict = yield from desk.tested("I run the tests first.", f"-q {bug.tests}")
    assert verdict.failed, (bug, verdict)
    first = verdict.failed[0]
    yield from desk.search(f"{told(verdict)} I look for `{first}`.", named(first), bug.tests)
    places = [Place("", path, line, "", 0) for path, line in verdict.raised[:2]]
    parts = [desk.around(place) for place in places if place.path.startswith(("src", "tests"))]
    yield from desk.read(raised(verdict), *parts or [(bug.tests, 1, 60)])
    rows = [row for place in places for row in desk.notebook.body(place)]
    yield from desk.follow(topic, desk.notebook.called_in(rows), wrong_ways)
    hits = yield from desk.search(
        f"{desk.remark(topic)} The reason was: {verdict.reasons[0] if verdict.reasons else first}.",
        rf"\b{bug.within}\b",
        bug.path,
    )
    if desk.notebook.read_at.get(bug.path, -AGAIN_AFTER) <= desk.notebook.step - AGAIN_AFTER:
        yield from desk.read(f"Again {bug.path}, from the top.", (bug.path, 0, 0))
    elif hits:
        yield from desk.read(f"I read on at {hits[0].address}.", (bug.path, hits[0].line, 70))
    line = yield from found(desk, bug.path, bug.wrong)
    why = f"{bug.path}:{line} is wrong: `{bug.wrong.strip()}` explains why {first} fails."
    yield from repaired(desk, bug.path, line, (bug.wrong, bug.right), why)
    after = yield from desk.tested("Now the tests again.", f"-q {bug.tests}")
    return Answer(
        f"The cause was {bug.path}:{line} in `{bug.within}`. Failing were "
        f"{', '.join(verdict.failed[:6])}; now: {after.sum}. What I looked at:\n"
        + desk.summary(topic, 4)
    )


def told(verdict: Verdict) -> str:
    """Say how a run of tests went."""
    reason = f" `{verdict.reasons[0]}`" if verdict.reasons else ""
    return f"{verdict.sum}.{reason}"


def raised(verdict: Verdict) -> str:
    """Say where errors were raised."""
    return ", ".join(f"{path}:{line}" for path, line in verdict.raised[:3])


def named(test: str) -> str:
    """Return the pattern that finds a test's definition."""
    return rf"def {re.escape(test.partition('[')[0].rpartition('::')[2])}\b"


def found(desk: Desk, path: str, text: str) -> Steps[int]:
    """Return the line of a text; where it was not shown, the file is read once more."""
    for _ in range(2):
        for number, row in desk.notebook.files.get(path, {}).items():
            if text in row:
                return number
        yield from desk.read(f"I have not seen all of {path}.", (path, 0, 0))
    raise AssertionError(f"{path} has no {text!r}")


def repaired(desk: Desk, path: str, line: int, change: tuple[str, str], why: str) -> Steps[None]:
    """Change a line, with as many lines around it as make it unique."""
    old = desk.notebook.block(path, line)
    if old is None:
        yield from desk.read(f"I read around {path}:{line}.", (path, max(1, line - 6), 14))
        old = desk.notebook.block(path, line)
    assert old is not None
    row = desk.notebook.files[path][line]
    yield from desk.changed(why, path, old, old.replace(row, row.replace(*change) + desk.tag, 1))


def renamed(desk: Desk, old: str, new: str, tests: str) -> Steps[Answer]:
    """Rename a function everywhere."""
    hits = yield from desk.search(f"Who uses `{old}`?", rf"\b{old}\b", ".")
    hits = [hit for hit in hits if hit.path.endswith(".py")]
    here = ", ".join(hit.address for hit in hits)
    for path in dict.fromkeys(hit.path for hit in hits):
        own = [hit for hit in hits if hit.path == path]
        parts = [(path, max(1, hit.line - 4), 12) for hit in own[:4]]
        yield from desk.read(f"{len(own)} times in {path}; all: {here}.", *parts)
        for number, hit in enumerate(own):
            text = desk.notebook.files[path][hit.line]
            why = f"{hit.address}: `{text.strip()}`" if number % 2 else f"Now {hit.address}."
            yield from repaired(desk, path, hit.line, (old, new), why)
    yield from desk.search("Is anything left?", rf"\b{old}\b", ".")
    after = yield from desk.tested(f"`{new}` stands everywhere; the tests.", f"-q {tests}")
    return Answer(f"`{old}` is now `{new}` at {here}. {after.sum}.\n{desk.summary(old, 3)}")


def tests_written(desk: Desk, wanted: Coverage) -> Steps[Answer]:
    """Write a file of tests for a function, and mend what is wrong in it at first."""
    hits = yield from desk.search(
        f"I look at `{wanted.function}` first.", rf"def {wanted.function}\b"
    )
    at = hits[0]
    yield from desk.read(
        f"{at.address}; and {wanted.after} for how tests look here.",
        (at.path, at.line, 80),
        (wanted.after, 1, 70),
    )
    place = Place(wanted.function, at.path, at.line, at.text.strip(), desk.notebook.step)
    body = desk.notebook.body(place, 40)
    yield from desk.follow(wanted.function, desk.notebook.called_in(body), 3)
    parameters = re.findall(r"^\s{4,}(\w+)\s*[:=]", "\n".join(body), re.MULTILINE)[:4]
    told = desk.notebook.sentence(place)[:40]
    style = [row for n, row in sorted(desk.notebook.files[wanted.after].items()) if n < 20]
    imports = [row for row in style if row.startswith("import ")][:3]
    text = tests_of(wanted, imports, [*parameters, "nonsense"], told)
    write = Call("file_write", {"path": wanted.path, "content": text})
    yield from desk.take([write], f"`{wanted.function}` takes {', '.join(parameters)}.")
    verdict = yield from desk.tested("They run:", f"-q {wanted.path}")
    wrong = '    assert "nonsense" in signature.parameters\n'
    why = f"{verdict.reasons[0] if verdict.reasons else verdict.sum}: that one was mine."
    yield from desk.changed(why, wanted.path, wrong, "")
    verdict = yield from desk.tested("Again.", f"-v {wanted.path}")
    return Answer(f"{wanted.path}: {verdict.sum}.\n{desk.summary(wanted.function, 4)}")


def tests_of(wanted: Coverage, imports: Sequence[str], parameters: Sequence[str], told: str) -> str:
    """Write tests that hold what a function says of itself."""
    rows = [*dict.fromkeys(["import inspect", *imports]), ""]
    rows += [f"from {wanted.module} import {wanted.function}", "", ""]
    rows += ["def test_takes_its_parameters():"]
    rows += [f"    signature = inspect.signature({wanted.function})"]
    rows += [f'    assert "{name}" in signature.parameters' for name in parameters]
    rows += ["", "", "def test_says_what_it_does():"]
    rows += [f"    assert {told!r} in {wanted.function}.__doc__", ""]
    return "\n".join(rows)


def reviewed(desk: Desk, topic: str) -> Steps[Answer]:
    """Look through all changes of the day, and at what stands around them."""
    diff = yield from desk.run("I look at all changes.", "git diff")
    paths = dict.fromkeys(re.findall(r"^\+\+\+ b/(\S+)$", diff, re.MULTILINE))
    hunks = re.findall(r"^@@ -(\d+)", diff, re.MULTILINE)
    added = [row[1:].strip() for row in diff.split("\n") if re.match(r"\+[^+]", row)]
    for path in paths:
        first = max(1, int(desk.chance.choice(hunks)) - 20)
        yield from desk.read(f"{desk.remark(path)} Around the change in {path}.", (path, first, 90))
        yield from desk.follow(path, [], 2)
    quoted = "\n".join(f"- `{row}`" for row in desk.chance.sample(added, min(4, len(added))))
    return Answer(
        f"Changed are {', '.join(paths)}. These lines are new:\n{quoted}\n"
        f"What they touch:\n{desk.summary(topic, 6)}"
    )


def explored(desk: Desk, topic: str, depth: int, root: str = "src") -> Steps[Answer]:
    """Answer a question about how something works, with places."""
    word = max(topic.split(), key=len)
    hits = yield from desk.search("I look for where it begins.", word, root)
    if not hits:
        everything = Call("glob", {"pattern": f"{root}/**/*"})
        (listing,) = yield from desk.take([everything], "What is here?")
        hits = [Place("", path, 1, "", 0) for path in paths_in(listing)]
    starts = desk.chance.sample(hits, min(3, len(hits)))
    yield from desk.read(", ".join(hit.address for hit in starts), *map(desk.around, starts))
    rows = [row for hit in starts for row in desk.notebook.body(hit)]
    yield from desk.follow(topic, desk.notebook.called_in(rows), depth, root)
    return Answer(f"How it works:\n{desk.summary(topic, 6)}")


def some(desk: Desk, tests: Sequence[str]) -> list[str]:
    """Pick one or two of the tests that a log names."""
    return desk.chance.sample(tests, min(desk.chance.randint(1, 2), len(tests)))


def logs_read(desk: Desk, runs: Sequence[str], topic: str) -> Steps[Answer]:
    """Run long builds and tests and compare what they say."""
    heard: list[tuple[str, Verdict]] = []
    for what in runs:
        saying = ""
        if heard:
            before, last = heard[-1]
            earlier = desk.chance.choice(heard)[1]
            noted = [*last.failed[:3], *some(desk, last.passed), *some(desk, earlier.passed)]
            saying = f"{before}: {told(last)} I noted {', '.join(noted)}."
        verdict = yield from desk.tested(saying or f"First {what}.", what)
        heard.append((what, verdict))
        if verdict.failed:
            test = desk.chance.choice(verdict.failed)
            path = test.partition("::")[0]
            asked = f"{told(verdict)} {raised(verdict)}: I look at `{test}`."
            hits = yield from desk.search(asked, named(test), path)
            place = hits[0] if hits else Place("", path, 1, "", 0)
            yield from desk.read(desk.remark(topic), desk.around(place))
            yield from desk.follow(f"{topic} {test}", [], 1)
    rows = [f"- {what}: {run.sum}. {', '.join(run.failed[:3])}" for what, run in heard]
    return Answer("\n".join([*rows, desk.summary(topic, 3)]))
