"""A summary of a conversation from its own words, under the headings of a compaction."""

import re
from collections.abc import Iterable, Mapping, Sequence

from plimsoll.context.log.messages import Message, Role
from plimsoll.providers.embedded.places import answered_calls

ASKED = re.compile(r"\bsummar(?:y|ise|ize|ising|izing)\b", re.IGNORECASE)
HEADINGS = (
    "Goal",
    "Key instructions",
    "Key decisions",
    "Discoveries",
    "Accomplished",
    "In progress",
    "Next steps",
    "Relevant files",
)
INSTRUCTION = re.compile(
    r"\b(?:always|never|must|do not|don't|only|prefer|make sure|remember|instead of|no longer)\b",
    re.IGNORECASE,
)
DECISION = re.compile(
    r"\b(?:decided?|we will|i will|let's|chose|choose|going with|agreed)\b", re.IGNORECASE
)
NEXT = re.compile(r"\b(?:next|todo|to do|remaining|still (?:need|has|have)|later)\b", re.IGNORECASE)
FAULT = re.compile(r"\b(?:error|failed|failure|exception|traceback|not found)\b", re.IGNORECASE)
PLACE = re.compile(r"(?<![\w/])(?:[\w.-]+/)*[\w-]+\.[A-Za-z]{1,5}:\d+")
FILE = re.compile(r"(?<![\w/.:])(?:[\w.-]+/)+[\w.-]+\.[A-Za-z]{1,5}\b")
NONE = "- none"
LONGEST = 240
MOST = 8


def asks_for_summary(text: str) -> bool:
    """Tell whether a text is the instruction of a compaction, not a person's question."""
    named = sum(heading.lower() in text.lower() for heading in HEADINGS)
    return bool(ASKED.search(text)) and (
        named >= 3 or len(text) > 400 or text.lower().startswith("summar")
    )


def summary_text(messages: Sequence[Message]) -> str:
    """Write the summary of everything before the newest user message."""
    said = [message for message in messages if message.role is not Role.SYSTEM]
    users = [message.text for message in said if message.role is Role.USER]
    answers = [message.text for message in said if message.role is Role.ASSISTANT]
    results = [message.text for message in said if message.role is Role.TOOL]
    calls = list(answered_calls(said))
    done = [
        f"{call.name} {_target(call.arguments)}"
        for call in calls
        if call.name in {"file_edit", "file_write", "shell"}
    ]
    files = [str(call.arguments["path"]) for call in calls if call.arguments.get("path")]
    sections = {
        "Goal": users[:1],
        "Key instructions": _lines(users, INSTRUCTION),
        "Key decisions": _lines(answers, DECISION),
        "Discoveries": [*_matches(answers, PLACE), *_lines(results, FAULT)],
        "Accomplished": done,
        "In progress": users[1:][-1:],
        "Next steps": _lines(answers[-3:], NEXT),
        "Relevant files": [*files, *_matches([*users, *answers], FILE)],
    }
    return (
        "\n\n".join(f"## {heading}\n{_bullets(sections[heading])}" for heading in HEADINGS) + "\n"
    )


def _target(arguments: Mapping[str, object]) -> str:
    return str(arguments.get("path") or arguments.get("command") or "")


def _lines(texts: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    return [line for text in texts for line in text.split("\n") if pattern.search(line)]


def _matches(texts: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    return [match[0] for text in texts for match in pattern.finditer(text)]


def _bullets(items: Iterable[str]) -> str:
    shown = dict.fromkeys(" ".join(item.split())[:LONGEST] for item in items if item.strip())
    return "\n".join(f"- {item}" for item in list(shown)[-MOST:]) or NONE
