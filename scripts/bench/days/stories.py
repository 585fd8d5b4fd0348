"""The six recordings: two halves of three, fixed by name."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from days import packages, tasks
from days.agent import Answer, Work
from days.desk import Desk, Steps
from days.notebook import Notebook
from days.packages import Package
from days.tasks import Bug, Coverage


@dataclass(frozen=True, slots=True)
class Task:
    """What the person asks for, and how the model goes about it."""

    prompt: str
    work: Callable[[Desk], Steps[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One recording: a repository with faults in it, and the tasks of a session."""

    name: str
    package: Package
    tasks: Sequence[Task]
    bugs: Sequence[Bug] = ()
    tag: str = ""

    def work(self) -> Work:
        """Yield all answers of the session, the same each time."""
        desk = Desk(Notebook(random.Random(self.name)), self.tag)
        for task in self.tasks:
            answer = yield from task.work(desk)
            yield answer


RULES = (
    "For the whole day: every line that you change ends with the comment `{tag}`; never change "
    "CHANGES.rst; run tests with ./check and nothing else. "
)


def hunt(bug: Bug, area: str, wrong_ways: int = 7) -> Task:
    prompt = f"Since yesterday tests of {area} fail ({bug.tests}). Find out why and repair it."
    return Task(prompt, lambda desk: tasks.bug_hunt(desk, bug, wrong_ways))


def rename(old: str, new: str, tests: str) -> Task:
    prompt = f"Rename {old} to {new} wherever it is used; the tests must pass."
    return Task(prompt, lambda desk: tasks.renamed(desk, old, new, tests))


def cover(wanted: Coverage) -> Task:
    prompt = f"Write {wanted.path} with tests for {wanted.function}; look how others are written."
    return Task(prompt, lambda desk: tasks.tests_written(desk, wanted))


def explore(question: str, topic: str, depth: int = 9, root: str = "src") -> Task:
    return Task(question, lambda desk: tasks.explored(desk, topic, depth, root))


def logs(prompt: str, topic: str, *runs: str) -> Task:
    return Task(prompt, lambda desk: tasks.logs_read(desk, runs, topic))


def review(topic: str) -> Task:
    prompt = "Review all that was changed today: what each change touches and whether it is right."
    return Task(prompt, lambda desk: tasks.reviewed(desk, topic))


CLICK_BUGS = (
    Bug(
        "src/click/types.py",
        "operator.le if self.min_open else operator.lt",
        "operator.lt if self.min_open else operator.le",
        "_NumberRangeBase",
        "tests/test_types.py",
    ),
    Bug(
        "src/click/formatting.py",
        "first_col = min(widths[0], col_max) + col_spacing",
        "first_col = max(widths[0], col_max) + col_spacing",
        "write_dl",
        "tests/test_formatting.py",
    ),
    Bug(
        "src/click/parser.py",
        "if first.isalnum():",
        "if not first.isalnum():",
        "split_opt",
        "tests/test_parser.py",
    ),
)
JINJA_BUGS = (
    Bug(
        "src/jinja2/filters.py",
        "if len(s) <= length + leeway:",
        "if len(s) < length - leeway:",
        "do_truncate",
        "tests/test_filters.py",
    ),
    Bug(
        "src/jinja2/runtime.py",
        "return self.index0 == 0",
        "return self.index0 == 1",
        "first",
        "tests/test_core_tags.py",
    ),
    Bug(
        "src/jinja2/lexer.py",
        "and self.lstrip_blocks",
        "and not self.lstrip_blocks",
        "tokeniter",
        "tests/test_lexnparse.py",
    ),
)
PACKAGING_BUGS = (
    Bug(
        "src/packaging/markers.py",
        "return any(all(item) for item in groups)",
        "return all(all(item) for item in groups)",
        "_evaluate_markers",
        "tests/test_markers.py",
    ),
)
ATTRS_BUGS = (
    Bug(
        "src/attr/validators.py",
        "if len(value) > self.max_length:",
        "if len(value) >= self.max_length:",
        "_MaxLengthValidator",
        "tests/test_validators.py",
    ),
)

DAY_CLICK = (
    hunt(CLICK_BUGS[0], "number ranges"),
    explore("How does an option get its value, from the command line to the callback?", "value"),
    rename("_is_binary_reader", "_reads_bytes", "tests/test_compat.py tests/test_utils.py"),
    hunt(CLICK_BUGS[1], "help texts"),
    cover(
        Coverage(
            "click.utils", "make_default_short_help", "tests/test_short.py", "tests/test_utils.py"
        )
    ),
    logs(
        "Run all suites at length, and compare what they say with what you saw before.",
        "parser option",
        "-v tests/test_options.py tests/test_arguments.py",
        "-v tests/test_parser.py",
        "-v -rA tests/test_commands.py",
    ),
    hunt(CLICK_BUGS[2], "the parser"),
    explore("How is shell completion wired up, and where would a new shell go?", "completion"),
    rename("_make_text_stream", "_text_stream_of", "tests/test_utils.py tests/test_testing.py"),
    cover(
        Coverage("click.formatting", "wrap_text", "tests/test_wrap.py", "tests/test_formatting.py")
    ),
    review("types formatting parser compat range option"),
)
DAY_JINJA = (
    hunt(JINJA_BUGS[0], "filters", 8),
    explore("How does a template become Python code?", "compile"),
    rename("_prepare_attribute_parts", "_attribute_parts", "tests/test_filters.py"),
    hunt(JINJA_BUGS[1], "loops", 8),
    explore("What decides whether a value is escaped?", "autoescape"),
    cover(
        Coverage("jinja2.filters", "do_wordcount", "tests/test_count.py", "tests/test_filters.py")
    ),
    logs(
        "Run these suites at length and compare them with what you saw before.",
        "lexer tokens filters",
        "-v tests/test_lexnparse.py",
        "-v tests/test_filters.py tests/test_tests.py",
    ),
    hunt(JINJA_BUGS[2], "white space", 8),
    rename("_describe_token_type", "_token_type_name", "tests/test_lexnparse.py"),
    cover(
        Coverage(
            "jinja2.utils", "generate_lorem_ipsum", "tests/test_lorem.py", "tests/test_utils.py"
        )
    ),
    explore("How are templates found, loaded and kept?", "loader"),
    review("filters runtime lexer truncate loop token"),
)
FLASK_QUESTIONS = (
    explore("How does a request reach a view function, and what runs before it?", "request", 10),
    explore("Where is the session kept and how is it signed?", "session", 10),
    explore("How do blueprints register what they hold?", "blueprint", 10),
    explore("And how does the test client differ from a real request?", "client", 9),
    explore("Where do error handlers come in, and in which order?", "handler", 9),
    explore("How are templates found, and what stands in their context?", "template", 9),
    explore("Once more the request: where does a context begin and end?", "context request", 9),
)
EXPRESS_QUESTIONS = (
    explore("How does a request find its route?", "route", 11, "lib"),
    explore("How is a response sent, and when is a body left out?", "send", 11, "lib"),
    explore("How are settings kept and inherited by mounted apps?", "settings", 10, "lib"),
    explore("What does the history say of changes to the router?", "router", 8, "."),
    explore("How does a view find its engine and file?", "engine", 10, "lib"),
    explore("Which headers of a request are read, and where?", "header", 10, "lib"),
    explore("How are parameters of a path decoded and handed on?", "params", 10, "lib"),
    explore("Once more the router: what handles an error in a handler?", "error handler", 9, "lib"),
)
BUILD_PACKAGING = (
    logs(
        "Run every suite of its own at length and tell me what they check.",
        "version specifier marker",
        "-v tests/test_metadata.py",
        "-v tests/test_utils.py tests/test_structures.py",
        "-v tests/test_elffile.py tests/test_manylinux.py",
    ),
    hunt(PACKAGING_BUGS[0], "markers", 6),
    logs(
        "Once more, with all details, and compare.",
        "version specifier marker",
        "-v -rA tests/test_metadata.py",
        "-v -rA tests/test_tags.py",
        "-v -rA tests/test_markers.py -k TestMarker",
    ),
)
BUILD_ATTRS = (
    logs(
        "Run these suites at length and tell me what they check.",
        "validator converter attribute",
        "-v tests/test_validators.py",
        "-v tests/test_converters.py tests/test_filters.py",
        "-v tests/test_make.py",
        "-v tests/test_funcs.py",
    ),
    hunt(ATTRS_BUGS[0], "validators", 6),
    logs(
        "Once more, with all details, and compare.",
        "validator converter attribute",
        "-v -rA tests/test_validators.py tests/test_setattr.py",
        "-v -rA tests/test_slots.py tests/test_annotations.py",
        "-v tests/test_functional.py tests/test_next_gen.py",
        "-v -rA tests/test_dunders.py",
    ),
)


def ruled(tag: str, given: Sequence[Task]) -> Iterator[Task]:
    """Let the person say the rules of the day with the first task."""
    first, *others = given
    yield Task(RULES.format(tag=tag) + first.prompt, first.work)
    yield from others


STORIES = (
    Story(
        name="half-a__day-click",
        package=packages.CLICK,
        bugs=CLICK_BUGS,
        tag="  # day-4711",
        tasks=tuple(ruled("# day-4711", DAY_CLICK)),
    ),
    Story(name="half-a__exploration-flask", package=packages.FLASK, tasks=FLASK_QUESTIONS),
    Story(
        name="half-a__build-packaging",
        package=packages.PACKAGING,
        bugs=PACKAGING_BUGS,
        tasks=BUILD_PACKAGING,
    ),
    Story(
        name="half-b__day-jinja2",
        package=packages.JINJA,
        bugs=JINJA_BUGS,
        tag="  # day-0815",
        tasks=tuple(ruled("# day-0815", DAY_JINJA)),
    ),
    Story(name="half-b__exploration-express", package=packages.EXPRESS, tasks=EXPRESS_QUESTIONS),
    Story(name="half-b__build-attrs", package=packages.ATTRS, bugs=ATTRS_BUGS, tasks=BUILD_ATTRS),
)
"""Settings are chosen on half A and shown on half B: each has a long day, an exploration and a
build with long logs, of packages that the other half has not."""
