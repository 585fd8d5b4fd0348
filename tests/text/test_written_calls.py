"""Calls that stand in a text, in the ways in which the templates of models write them."""

import pytest

from plimsoll.text.written_calls import WrittenCall, written_call

TOOLS = ("file_read", "shell")
BAR = "\N{FULLWIDTH VERTICAL LINE}"
JSON = '{"name": "file_read", "arguments": {"path": "README.md"}}'


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        ("hermes", f"<tool_call>\n{JSON}\n</tool_call>"),
        ("hermes", f"I look.\n<tool_calls>[{JSON}]</tool_calls>"),
        ("hermes", '<tool_call>{"arguments": {"path": "a"}, "name": "file_read"}</tool_call>'),
        ("glm45", "<tool_call>file_read\n<arg_key>path</arg_key><arg_value>a</arg_value>"),
        ("qwen3_coder", "I look.\n\n<function=file_read>\n<parameter=path>\na\n</parameter>"),
        ("mistral", f"[TOOL_CALLS][{JSON}]"),
        ("mistral", '[TOOL_CALLS]file_read[ARGS]{"path": "a"}'),
        ("mistral", '[TOOL_CALLS]file_read{"path": "a"}'),
        ("llama3_json", '<|python_tag|>{"name": "file_read", "parameters": {"path": "a"}}'),
        ("llama3_json", '<|python_tag|>file_read.call(path="a")'),
        (
            "openai",
            "<|channel|>commentary to=functions.file_read <|constrain|>json<|message|>{}<|call|>",
        ),
        ("openai", 'commentary to=functions.file_read json{"path": "a"}'),
        (
            "deepseek_v3",
            f"<{BAR}tool▁call▁begin{BAR}>function<{BAR}tool▁sep{BAR}>file_read\n",
        ),
        ("deepseek_v32", f'<{BAR}DSML{BAR}invoke name="file_read">'),
        ("kimi_k2", "<|tool_call_begin|>functions.file_read:0<|tool_call_argument_begin|>{}"),
        ("minimax_m2", '<minimax:tool_call>\n<invoke name="file_read">'),
        ("", '<function_calls>\n<invoke name="file_read">\n<parameter name="path">a</parameter>'),
        ("", "<tool_use><tool_name>file_read</tool_name></tool_use>"),
        ("granite", f"<|tool_call|>[{JSON}]"),
        ("phi4_mini_json", f"functools[{JSON}]"),
        ("command", '<|START_ACTION|>[{"tool_name": "file_read", "parameters": {}}]'),
        ("nemotron", f"<TOOLCALL>[{JSON}]</TOOLCALL>"),
        ("functiongemma", "<start_function_call>call:file_read{path:<escape>a<escape>}"),
        ("functionary", '>>>file_read\n{"path": "a"}'),
        ("", 'Thought: I look.\nAction: file_read\nAction Input: {"path": "a"}'),
        ("pythonic", '[file_read(path="a")]'),
        ("pythonic", '```tool_code\nprint(file_read(path="a"))\n```'),
        ("", JSON),
        ("", f"```json\n{JSON}\n```"),
        ("", f"[{JSON}]"),
        ("", '{"tool_calls": [{"function": {"name": "shell", "arguments": "{}"}}]}'),
    ],
)
def test_ways(parser: str, text: str):
    found = written_call(text, TOOLS)
    assert found == WrittenCall("shell" if "shell" in text else "file_read", parser)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I read README.md with file_read and ran shell.",
        '<tool_call>{"name": "another_tool", "arguments": {}}</tool_call>',
        f"The template writes it as `<tool_call>{JSON}</tool_call>`, which vLLM reads.",
        f"Such as:\n```\n<tool_call>\n{JSON}\n</tool_call>\n```\nand so on.",
        f"The file holds:\n```json\n{JSON}\n```\nNothing else.",
        '{"name": "file_read", "version": "1.0"}',
        '{"name": "file_read"',
        "file_read",
        "[1, 2]",
    ],
)
def test_no_calls(text: str):
    assert written_call(text, TOOLS) is None


def test_where_no_tools_are_offered_nothing_is_a_call():
    assert written_call(JSON, ()) is None
