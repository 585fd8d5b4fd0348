"""``memory_save``: the agent keeps a note for later conversations.

The tool cannot know what the model has read, so the gate is with the session: a note that may stem
from anything but the person's words waits in the inbox, where it has no effect.
"""

from collections.abc import Mapping
from typing import cast

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.conversation_values import NotePlan
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments

TYPES = ("user", "feedback", "project", "decision", "reference", "procedure")
CLASSES = ("priority", "durable", "working")


SCOPES = ("private", "mine", "team")
"""Who else is to have a note, where the folder takes part in a team."""


class MemorySave:
    """Saves a note for later conversations."""

    schema: ToolSchema = ToolSchema(
        "memory_save",
        "Keep one fact for later conversations in this folder: a preference of the user, a "
        "correction, a decision with its reason, where to find something, how something is done. "
        "Not what the files say, no secrets. What you did not hear from the user waits for the "
        "user's review, and so does each correction.",
        {
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": list(TYPES)},
                "title": {"type": "string", "minLength": 1, "maxLength": 200},
                "content": {"type": "string", "maxLength": 4_000},
                "class": {
                    "type": "string",
                    "enum": list(CLASSES),
                    "description": "Default durable; working expires after 14 days of disuse.",
                },
                "corrects": {
                    "type": "string",
                    "description": "Id of a memory that is wrong. Empty content: remove it, the "
                    "title says why.",
                },
            },
            "required": ["type", "title", "content"],
        },
    )
    traits: ToolTraits = ToolTraits(kind="memory", verb="Remember", subject="title", remembers=True)
    reading: bool = False

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[NotePlan]:
        """Check the note and show its title; whether a person must accept it is decided later."""
        conversation_of(context)
        schema = SHARING_SCHEMA if "scope" in arguments else self.schema
        given = check_arguments(schema, arguments)
        class_, corrects = given.get("class"), given.get("corrects")
        note = NotePlan(
            type=str(given["type"]),
            title=str(given["title"]),
            content=str(given["content"]),
            class_=None if class_ is None else str(class_),
            corrects=None if corrects is None else str(corrects),
            scope=str(given.get("scope", "private")),
        )
        if not note.content and note.corrects is None:
            raise ToolFailed("There is no content to remember.")
        title = f"Remember {whole_line(note.title)}"
        return Intent(title=title, ask=False, plan=note)

    async def run(self, intent: Intent[NotePlan], context: CallContext) -> Outcome:
        """Save the note; the answer says whether it has effect yet."""
        note = intent.plan
        kept = await conversation_of(context).keep_note(note)
        effect = "It waits in the inbox for the user's review." if kept.waits else "Remembered."
        return Outcome(text=f"{effect} (memory {kept.id})")


SHARING_SCHEMA = ToolSchema(
    MemorySave.schema.name,
    MemorySave.schema.description,
    {
        **MemorySave.schema.parameters,
        "properties": {
            **cast("Mapping[str, object]", MemorySave.schema.parameters["properties"]),
            "scope": {
                "type": "string",
                "enum": list(SCOPES),
                "description": "Default private. team: all who work on this project are to know "
                "it; mine: the user on other machines. Both wait for the user's review.",
            },
        },
    },
)
"""What is offered in a folder that takes part in a team."""
