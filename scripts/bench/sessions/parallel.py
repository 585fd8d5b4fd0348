"""A session of large parallel calls: batches of three to six files and logs in each answer.

A batch is mostly of 5,000 to 21,000 tokens, so that in a window of 16,384 or 32,768 one alone fills
a good share of it, and what has just arrived competes with what arrived beside it. A session for
the context gauntlet, a tool that stands outside this repository; README.md tells how to play it.
"""

import random
from collections.abc import Iterator

from gauntlet.session import Action, Rule, Session, Step, Turn

FIRST_RULE, LATER_RULE, LASTING_RULE = "dock-4B19", "dock-9E02", "lane-61C7"
MODULES = (
    *("berth", "crane", "manifest", "pilotage", "quay", "tariff", "customs"),
    *("stowage", "reefer", "gangway", "lashing", "bunker"),
)
TABLES = ("ports", "hazards", "holidays")
FUNCTIONS = 26
"""Of a module: about 2,600 tokens."""
LINES = 150
"""Of a suite's log: about 5,000 tokens."""
VERBS = ("assign", "release", "weigh", "inspect", "reserve", "reprice", "seal", "divert", "tally")
NOUNS = ("hold", "vessel", "pallet", "voucher", "window", "tug", "seal", "bay", "rota", "draught")

SUITE = """import random
import sys

run, lines = sys.argv[1], int(sys.argv[2])
rng = random.Random("suite-" + run)
print(f"SUITE-{run}-HEAD session starts, seed {rng.getrandbits(32):08x}")
for i in range(lines):
    if i == lines // 2:
        print(f"SUITE-{run}-MIDDLE half of the cases are done")
    unit = rng.choice(["berth", "crane", "quay", "tariff", "customs", "reefer", "bunker"])
    print(
        f"tests/{unit}/test_{unit}_{rng.randint(0, 99):02d}.py::test_case_{i:04d}"
        f"[{rng.randint(1, 9)}-{rng.choice(['wet', 'dry', 'cold'])}] PASSED"
        f" in {rng.random() * 3:.3f}s rss={rng.randint(40, 900)}MB"
    )
bad = rng.randint(0, 99)
print(f"E   AssertionError: quay_{bad:02d}: expected {rng.randint(1, 999)}, got None")
print(f"tests/quay/test_quay_{bad:02d}.py:{rng.randint(20, 400)}: AssertionError")
print(f"SUITE-{run}-TAIL 1 failed, {lines - 1} passed")
"""

SAID = (
    (
        "The suites of this package fail in several places. STANDING RULE for the whole session: "
        f"each line you change is to carry the tag #{LASTING_RULE}. For now also write "
        f"{FIRST_RULE} in every message of a commit. Look at the modules of port/ and at all "
        "suites together, several at a time, and repair berth.py and tariff.py."
    ),
    (
        f"One correction: no longer {FIRST_RULE}, from now on every message carries {LATER_RULE} "
        "instead. Go on with customs.py and reefer.py; the tables in tables/ may be wrong too."
    ),
    (
        "The quay suite still fails. Compare crane.py, quay.py, lashing.py and the hazard table "
        "again with what the suites print, and repair quay.py."
    ),
    (
        "Look through everything once more, all modules and all suites, and say which lines carry "
        "the tag and whether both rules were kept."
    ),
)
SUMMARY = (
    "Summary: the agent looked at the modules of port/ several at a time, ran suites and changed "
    "some return values. Work continues with the remaining modules."
)


def module(name: str) -> str:
    """Write a module whose functions are alike in shape and unlike in words and numbers."""
    rng = random.Random("parallel-" + name)
    head = [f'"""{name.title()}: part of the port."""', "", f'OWNER = "{name.upper()}-OWNER"', ""]
    return "\n".join([*head, *(line for n in range(FUNCTIONS) for line in function(rng, n))]) + "\n"


def function(rng: random.Random, number: int) -> Iterator[str]:
    verb, noun, other = rng.choice(VERBS), rng.choice(NOUNS), rng.choice(NOUNS)
    limit, most = rng.randint(11, 980), rng.randint(3, 700)
    yield f"def {verb}_{noun}_{number:02d}(items, *, limit={limit}, {other}=None):"
    yield f'    """{verb.title()} every {noun} below {limit} and say what the {other} leaves."""'
    yield f"    known = {{item.{noun}_id: item for item in items if item.{other} is not None}}"
    yield f"    for key in sorted(known)[:{rng.randint(2, 60)}]:"
    yield f"        if known[key].{other} > {most}:  # {noun} of rota {limit + number}"
    yield f"            known.pop(key).{verb}({rng.randint(1, 99)}, when={rng.randint(1, 23)})"
    yield f"    return len(known) + {number}"
    yield ""


def table(name: str) -> str:
    """Write a table of settings: short lines, all of them distinct."""
    rng = random.Random("table-" + name)
    rows = [
        f'{name[:-1]}_{n:03d} = {{ code = "{rng.getrandbits(24):06x}", rank = {n * 37 % 811} }}'
        for n in range(80)
    ]
    return "\n".join([f"[{name}]", *rows]) + "\n"


def path(name: str) -> str:
    return f"tables/{name}.toml" if name in TABLES else f"port/{name}.py"


def read(name: str) -> Action:
    return Action("read", path=path(name))


def suite(run: str) -> Action:
    marks = {place: f"SUITE-{run}-{place.upper()}" for place in ("head", "middle", "tail")}
    command = f"python3 tools/suite.py {run} {LINES}"
    return Action("shell", command=command, log=True, marks=marks)


def grep(pattern: str) -> Action:
    return Action("grep", path="port", pattern=pattern)


def edit(name: str, number: int) -> Action:
    old = f"    return len(known) + {number}\n"
    new = f"    return len(known) + {number}  # {LASTING_RULE}\n"
    return Action("edit", path=path(name), old=old, new=new)


def reads(*names: str) -> Step:
    return Step(tuple(map(read, names)))


def suites(*runs: str) -> Step:
    return Step(tuple(map(suite, runs)))


def together(*calls: Action) -> Step:
    return Step(calls)


SURVEY = (
    reads("berth", "crane", "manifest", "tariff"),
    suites("berth", "quay", "tariff"),
    together(grep("def reprice"), grep("def seal"), read("quay"), read("ports")),
    reads("pilotage", "customs", "stowage", "reefer", "gangway"),
    together(suite("crane"), read("berth"), read("tariff")),
    together(edit("berth", 4), edit("tariff", 9)),
    together(suite("berth"), suite("tariff"), read("berth"), read("tariff")),
    reads("lashing", "bunker", "hazards", "holidays", "manifest", "crane"),
    together(grep("rota 4"), suite("quay"), suite("reefer"), suite("customs")),
    together(edit("berth", 17), read("tariff"), read("ports")),
    reads("berth", "quay", "crane"),
    suites("berth", "tariff", "manifest"),
    Step(text="berth.py and tariff.py are repaired; their suites still name quay.py."),
)
CORRECTED = (
    reads("customs", "reefer", "ports", "hazards"),
    suites("customs", "reefer", "bunker", "stowage"),
    together(read("manifest"), read("stowage"), grep("hold_id"), suite("gangway")),
    together(edit("customs", 3), edit("reefer", 21), read("lashing")),
    reads("customs", "reefer", "lashing", "bunker"),
    together(suite("customs"), suite("reefer"), read("hazards")),
    together(grep("def divert"), grep("def weigh"), grep("when=7")),
    reads("pilotage", "gangway", "quay", "tariff", "holidays"),
    together(edit("customs", 11), edit("reefer", 5)),
    suites("customs", "reefer", "berth"),
    reads("customs", "reefer", "berth"),
    Step(text="customs.py and reefer.py are repaired; the tables were right."),
)
QUAY = (
    reads("crane", "quay", "lashing", "hazards"),
    suites("quay", "crane", "lashing"),
    together(read("quay"), grep("draught"), suite("pilotage"), read("pilotage")),
    together(edit("quay", 8), read("crane")),
    together(suite("quay"), read("quay"), read("stowage"), read("manifest")),
    reads("bunker", "berth", "tariff", "customs", "reefer", "gangway"),
    together(edit("quay", 14), edit("lashing", 2)),
    together(suite("quay"), suite("lashing"), read("quay"), read("lashing")),
    together(grep(LASTING_RULE), suite("crane"), read("crane")),
    Step(text="quay.py and lashing.py are repaired."),
)
REVIEW = (
    reads("berth", "crane", "manifest", "pilotage", "quay", "tariff"),
    reads("customs", "stowage", "reefer", "gangway", "lashing", "bunker"),
    suites("berth", "crane", "quay", "tariff"),
    suites("customs", "reefer", "lashing", "bunker"),
    together(grep(LASTING_RULE), grep("OWNER"), read("ports"), read("hazards"), read("holidays")),
    together(read("quay"), read("berth"), suite("quay")),
    Step(text="Ten lines carry the tag; both rules were kept."),
)

SESSION = Session(
    name="parallel",
    files={
        **{path(name): module(name) for name in MODULES},
        **{path(name): table(name) for name in TABLES},
        "tools/suite.py": SUITE,
        "README.md": "# Port\n\nModules in port/, tables in tables/, suites by tools/suite.py.\n",
    },
    turns=tuple(map(Turn, SAID, (SURVEY, CORRECTED, QUAY, REVIEW))),
    rules=(Rule(LASTING_RULE), Rule(FIRST_RULE, until=1), Rule(LATER_RULE, since=1)),
    summary=SUMMARY,
    copy_marks={path(name): f"{name.upper()}-OWNER" for name in MODULES},
)
