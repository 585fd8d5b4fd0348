"""A tool is one file and one line in the registry: nothing else knows its name."""

from plimsoll import tools
from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.context.report.titles import item_title
from plimsoll.context.stages.digest import DigestLimits, digest
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments
from session.harness import harness


class Sound:
    """Takes a sounding; made up here."""

    schema: ToolSchema = ToolSchema(
        "sound",
        "Take a sounding.",
        {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    )
    traits: ToolTraits = ToolTraits(
        kind="edit", verb="Sound", subject="path", edits=True, weight=90
    )
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[str]:
        path = str(check_arguments(self.schema, arguments)["path"])
        return Intent(title=f"Sound {path}", ask=False, plan=path)

    async def run(self, intent: Intent[str], context: CallContext) -> Outcome:
        return Outcome(text=f"{intent.plan}: nine fathoms")


async def test_a_new_tool_is_one_class_and_one_line_of_the_registry(tmp_path, monkeypatch):
    registry = {**tools.TOOLS, "sound": tools.Entry(f"{__name__}:Sound")}
    monkeypatch.setattr(tools, "TOOLS", registry)
    call = {"name": "sound", "arguments": {"path": "chart.md"}}
    async with harness(tmp_path, {"calls": [call]}, {"text": "Nine."}) as own:
        ended = await own.turn("How deep?")
        assert ended.reason == "endTurn"
        assert ("tool", "chart.md: nine fathoms") in own.said()
        assert "sound" in [schema.name for schema in own.provider.requests[0].tools]
        fold = own.session.state.log.fold
        said = [message for group in fold.groups for message in group.visible]
        (called,) = [message for message in said if message.parts[-1].name == "sound"][:1]
        assert item_title(called.parts[-1], called, fold) == "Sound chart.md"
        assert [result.traits for result in own.session.state.log.indexes.results.all()] == [
            Sound.traits
        ]
        text = digest(said, None, DigestLimits(500, 2_000), fold.ledger.bare)
        assert "edited chart.md" in text
        await own.consistent()
