"""Puts the questions of MCP servers to the person, and reads what they answer.

Law 6: nobody but a person answers. What is not answered, or not by a person, is declined.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from plimsoll.context.log.messages import canonical
from plimsoll.context.log.traits import ToolTraits
from plimsoll.session.ports.events import CallShown, NoticeGiven
from plimsoll.session.ports.ids import new_question_id
from plimsoll.session.state.session_state import CallPlace, SessionState
from plimsoll.text.lines import lines_of
from plimsoll.tools.display import visible, visible_line
from plimsoll.tools.ports.intent import Intent
from plimsoll.tools.ports.mcp import McpQuestion, McpReply

NAME = "mcp_question"
LONGEST, MOST_FIELDS = 4_000, 40
WHY = "a server's question, whose answer goes to that server"
_BROWSED = re.compile(r"https?://[^\s]+")
_FIELD = re.compile(r"\d+\. (.+?)(?: \([^)]*\))?:(?: (.*))?")
_YES, _NO = {"yes", "y", "true", "1", "on"}, {"no", "n", "false", "0", "off", ""}


async def ask_person(state: SessionState, place: CallPlace, question: McpQuestion) -> McpReply:
    """Ask the person what a server asks while a call runs; a rule answers nothing."""
    if question.url is not None and not _BROWSED.fullmatch(question.url):
        return McpReply("decline")
    shown = _question(state, question)
    decision = await state.approvals.decide(state.id, place.turn, shown)
    if decision.by == "nobody":
        return McpReply("cancel")
    if not decision.allowed or decision.by != "person":
        return McpReply("decline")
    if question.url is not None or not _properties(question):
        return McpReply("accept")
    text = decision.edited or (shown.intent.proposal if shown.intent else None) or ""
    content, problem = _read(question, text)
    if problem is not None:
        words = f"The answer was not sent to {question.server}: {problem}."
        state.voice.emit(NoticeGiven(state.redact(words), "warning", place.turn))
        return McpReply("cancel")
    return McpReply("accept", content)


def _question(state: SessionState, question: McpQuestion) -> CallShown:
    redact = state.redact
    message = visible(redact(question.message[:LONGEST]))
    fields = () if question.url is not None else tuple(_fields(question))
    if question.url is not None:
        title = f"{question.server} asks you to open an address"
        message = f"{message}\n{visible(question.url)}"
    else:
        title = f"{question.server} asks: {visible_line(message, 100)}"
    form = "\n".join((message, "", *fields)) if fields else None
    intent = Intent(
        title=title,
        ask=True,
        why_each_time=WHY,
        address=None if form else redact(message),
        proposal=redact(form) if form else None,
        plan=None,
    )
    return CallShown(
        id=new_question_id(state.clock),
        item="",
        name=NAME,
        arguments=canonical({"server": question.server}),
        traits=ToolTraits(verb="Answer", subject="server"),
        intent=intent,
        is_form=form is not None,
    )


def _properties(question: McpQuestion) -> Mapping[str, Mapping[str, object]]:
    found = question.fields.get("properties")
    if not isinstance(found, Mapping):
        return {}
    table = cast("Mapping[str, object]", found)
    named = list(table.items())[:MOST_FIELDS]
    return {name: cast("Mapping[str, object]", each) for name, each in named if _is_table(each)}


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _list_required(question: McpQuestion) -> Sequence[object]:
    found = question.fields.get("required")
    return cast("Sequence[object]", found) if isinstance(found, (list, tuple)) else ()


def _fields(question: McpQuestion) -> Iterator[str]:
    """Write the lines of a form: number, name, what is wanted, and the default behind a colon."""
    required = _list_required(question)
    for number, (name, schema) in enumerate(_properties(question).items(), start=1):
        options = _options(schema)
        facts = [
            " | ".join(map(str, options)) if options else str(schema.get("type", "string")),
            *([] if name in required else ["optional"]),
            *([str(schema["description"])] if schema.get("description") else []),
        ]
        told = visible_line("; ".join(facts).translate({40: "[", 41: "]"}), 160)
        default = schema.get("default")
        given = "" if default is None else f" {default}"
        yield f"{number}. {visible_line(name, 60)} ({told}):{given}"


def _options(schema: Mapping[str, object]) -> Sequence[object]:
    found = schema.get("enum")
    return cast("Sequence[object]", found) if isinstance(found, (list, tuple)) else ()


def _read(question: McpQuestion, text: str) -> tuple[Mapping[str, object], str | None]:
    """Read a filled form; returns the values by name, and what is wrong with them."""
    properties, required = _properties(question), _list_required(question)
    written: dict[str, str] = {}
    for line in lines_of(text):
        found = _FIELD.fullmatch(line.rstrip())
        if found is not None:
            written[found[1]] = (found[2] or "").strip()
    content: dict[str, object] = {}
    for name, schema in properties.items():
        given = written.get(visible_line(name, 60), "")
        if not given:
            if name in required:
                return {}, f"{visible_line(name, 60)} is missing"
            continue
        value = _value(schema, given)
        if value is None:
            return {}, f"{visible_line(name, 60)} cannot be {visible_line(given, 60)}"
        content[name] = value
    return content, None


def _value(schema: Mapping[str, object], text: str) -> object:
    """Read one value by its schema; None if it is none."""
    options = _options(schema)
    if options:
        return next((each for each in options if str(each).casefold() == text.casefold()), None)
    kind = schema.get("type", "string")
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        return None
    if kind == "boolean":
        said = text.casefold()
        return True if said in _YES else False if said in _NO else None
    return text
