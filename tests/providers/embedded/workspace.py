"""A small workspace, the real reading tools, and the loop that a session would drive."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from plimsoll.context.log.messages import Call, Message, Role
from plimsoll.errors import ToolFailed
from plimsoll.providers.base import CallFinished, Request, TextDelta
from plimsoll.providers.embedded.provider import Embedded
from plimsoll.tools.editor.code_index import CodeIndex
from plimsoll.tools.files.file_read import FileRead
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.tool import AnyTool
from plimsoll.tools.search.glob import Glob
from plimsoll.tools.search.grep import Grep
from plimsoll.tools.search.searching import Searches

FILES = {
    "src/budget.py": '''"""How much a window holds."""

FULL_SCALE = 112_000


class BudgetSettings:
    """The settings."""


def budget_for(window: int, settings: BudgetSettings) -> int:
    """The marks of a window, in tokens."""
    reserve = min(16_000, window // 4)
    effective = window - reserve
    return effective
''',
    "src/ledger.py": """from src.budget import budget_for


def total(parts):
    return sum(parts)
""",
    "src/openProvider.ts": "export const openProvider = (kind: string) => {\n  return kind;\n};\n",
    "tests/test_budget.py": """from src.budget import budget_for


def test_budget():
    assert budget_for(4000, None)
""",
    "docs/budget.md": "# The budget\n\nThe budget is computed when a window opens.\n",
    "pyproject.toml": "[project]\nname = 'demo'\n",
    "package-lock.json": '{"budget": "budget budget budget"}\n',
}


class NoBuffers:
    """An editor in which nothing is open."""

    def open_files(self) -> tuple[Path, ...]:
        return ()

    def open_text(self, path: Path) -> str | None:
        return None

    async def apply_edit(self, path: Path, before: str, after: str, label: str) -> bool:
        return False


def lay_out(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def searching_tools() -> tuple[AnyTool, ...]:
    searches = Searches()
    return FileRead(CodeIndex(searches)), Grep(searches), Glob(searches)


@dataclass(kw_only=True)
class Conversation:
    root: Path
    messages: list[Message] = field(default_factory=list)
    called: list[tuple[str, dict[str, object]]] = field(default_factory=list)
    tools: dict[str, AnyTool] = field(
        default_factory=lambda: {tool.schema.name: tool for tool in searching_tools()}
    )
    choice: str = "auto"

    async def ask(self, text: str) -> str:
        """One turn; the answer's last message."""
        self._say(Role.USER, text)
        provider = Embedded()
        for _ in range(8):
            said, calls = await self._request(provider)
            if not calls:
                return said
            for call in calls:
                self._say(Role.TOOL, await self._run(call), call_id=call.id, name=call.name)
        raise AssertionError("the assistant never answered")

    async def _request(self, provider: Embedded) -> tuple[str, list[CallFinished]]:
        schemas = tuple(tool.schema for tool in self.tools.values())
        request = Request(
            model="embedded", messages=tuple(self.messages), tools=schemas, tool_choice=self.choice
        )
        chunks = [chunk async for chunk in provider.stream(request)]
        said = "".join(chunk.text for chunk in chunks if isinstance(chunk, TextDelta))
        calls = [chunk for chunk in chunks if isinstance(chunk, CallFinished)]
        sent = tuple(Call(call.id, call.name, call.arguments) for call in calls)
        self._say(Role.ASSISTANT, said, calls=sent)
        return said, calls

    async def _run(self, call: CallFinished) -> str:
        arguments = json.loads(call.arguments)
        self.called.append((call.name, arguments))
        context = CallContext(
            root=self.root, documents=NoBuffers(), spill_folder=self.root / "spill"
        )
        tool = self.tools[call.name]
        try:
            return (await tool.run(tool.prepare(arguments, context), context)).text
        except ToolFailed as error:
            return error.message

    def _say(self, role: Role, text: str, **fields: object) -> None:
        self.messages.append(Message(id=f"m{len(self.messages)}", role=role, text=text, **fields))
