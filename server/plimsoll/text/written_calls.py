"""Finds tool calls that are written in a text because the server did not parse them.

The formats are those of the chat templates of Hermes and Qwen, Qwen3-Coder, GLM, Mistral, Llama,
gpt-oss, DeepSeek, Kimi, MiniMax, Granite, Phi, Command, Gemma and Functionary, the XML of Claude,
bare JSON, Python calls and ReAct. Each has the name of vLLM's parser for it.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import cast

NAME = r"(?P<name>[A-Za-z_][\w.:-]*)"
BAR = "\N{FULLWIDTH VERTICAL LINE}"
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
FENCED = re.compile(r"```(?:json|tool_code|tool_call|xml|python)?\s*(.*?)\s*```", re.DOTALL)
NAMED = re.compile(r"\"(?:name|tool_name|tool|function)\"\s*:\s*\"(?P<name>[\w.:-]+)\"")
FORMS = (
    ("glm45", re.compile(rf"<tool_call>\s*{NAME}\s*(?:<arg_key>|</tool_call>|\n)")),
    ("qwen3_coder", re.compile(rf"<function={NAME}>")),
    ("mistral", re.compile(rf"\[TOOL_CALLS\]\s*{NAME}\s*(?:\[ARGS\]|\[CALL_ID\]|\{{)")),
    ("llama3_json", re.compile(rf"<\|python_tag\|>\s*{NAME}\.call\(")),
    ("openai", re.compile(rf"to=(?:functions\.)?{NAME}[^\n]*<\|(?:message|constrain)\|>")),
    ("openai", re.compile(rf"\bto=functions\.{NAME}")),
    (
        "deepseek_v3",
        re.compile(rf"<{BAR}tool.call.begin{BAR}>(?:\w+<{BAR}tool.sep{BAR}>)?{NAME}"),
    ),
    ("deepseek_v32", re.compile(rf"<{BAR}DSML{BAR}invoke name=\"{NAME}\"")),
    ("kimi_k2", re.compile(rf"<\|tool_call_begin\|>\s*(?:functions\.)?{NAME}")),
    ("minimax_m2", re.compile(rf"<minimax:tool_call>.*?<invoke name=\"{NAME}\"", re.DOTALL)),
    ("", re.compile(rf"<(?:\w+:)?invoke name=\"{NAME}\"")),
    ("", re.compile(rf"<tool_name>\s*{NAME}\s*</tool_name>")),
    ("functiongemma", re.compile(rf"<start_function_call>\s*call:{NAME}")),
    ("functionary", re.compile(rf"(?:^|\n)>>>{NAME}\n")),
    ("", re.compile(rf"(?:^|\n)Action:\s*{NAME}\s*\n+\s*Action Input:")),
)
"""The text right before or around a name, by the parser that reads it; none: unknown."""
MARKS = (
    ("hermes", "<tool_call>"),
    ("hermes", "<tool_calls>"),
    ("mistral", "[TOOL_CALLS]"),
    ("llama3_json", "<|python_tag|>"),
    ("granite", "<|tool_call|>"),
    ("phi4_mini_json", "functools["),
    ("internlm", "<|plugin|>"),
    ("command", "<|START_ACTION|>"),
    ("nemotron", "<TOOLCALL>"),
    ("", "<function_call>"),
    ("", "<function_calls>"),
    ("", "<tool_use>"),
)
"""The text before a call in JSON, by the parser that reads it."""
ARGUMENTS = frozenset({"arguments", "parameters", "args", "input", "tool_input"})
CALLED = frozenset({"name", "tool_name", "tool", "function"})


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call that is written in a text."""

    tool: str
    parser: str
    """vLLM's and SGLang's name for its format; none: unknown."""


def written_call(text: str, tools: Collection[str]) -> WrittenCall | None:
    """Find the first call of one of these tools in a text, ignoring quoted code."""
    bare = text.strip()
    whole = fenced[1] if (fenced := FENCED.fullmatch(bare)) else bare
    if (name := _whole_call(whole, tools)) is not None:
        return WrittenCall(name, "pythonic" if whole[:1] not in "{[" or "(" in whole[:80] else "")
    plain = CODE.sub("", bare) if not fenced else whole
    for parser, pattern in FORMS:
        for found in pattern.finditer(plain):
            if (tool := _tool(found["name"], tools)) is not None:
                return WrittenCall(tool, parser)
    for parser, mark in MARKS:
        _, sign, behind = plain.partition(mark)
        named = (_tool(found["name"], tools) for found in NAMED.finditer(behind if sign else ""))
        if (tool := next(filter(None, named), None)) is not None:
            return WrittenCall(tool, parser)
    return None


def _tool(name: str, tools: Collection[str]) -> str | None:
    """Return the tool that a written name means; some models add a number or a namespace."""
    plain = name.removeprefix("functions.").partition(":")[0]
    return plain if plain in tools else None


def _whole_call(text: str, tools: Collection[str]) -> str | None:
    """Return the tool that a text calls, if the whole text is a call in JSON or Python."""
    if found := re.fullmatch(rf"\[?\s*(?:print\()?{NAME}\(.*\)\s*\]?", text, re.DOTALL):
        return _tool(found["name"], tools)
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return next((tool for call in _calls(value) if (tool := _tool(call, tools))), None)


def _calls(value: object) -> Iterator[str]:
    """Yield the names of the tools that a JSON value calls."""
    if isinstance(value, list):
        for item in cast("list[object]", value):
            yield from _calls(item)
    if not isinstance(value, dict):
        return
    call = cast("dict[str, object]", value)
    yield from _calls(call.get("tool_calls"))
    yield from _calls(call.get("function"))
    if ARGUMENTS & call.keys():
        names = (call[key] for key in sorted(CALLED & call.keys()))
        yield from (name for name in names if isinstance(name, str))
