"""``plan``: proposes a plan, which a person accepts, edits or sends back.

Law 6: a plan is text of a model. Nothing of it counts before a person has seen all of it, and what
is pinned is the text that they saw.
"""

import re
from collections.abc import Iterator, Sequence
from typing import cast

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.errors import ToolFailed
from plimsoll.text.lines import lines_of
from plimsoll.tools.arguments import check_arguments
from plimsoll.tools.display import whole_line
from plimsoll.tools.ports.context import CallContext, conversation_of
from plimsoll.tools.ports.intent import Intent, Outcome
from plimsoll.tools.ports.tool import Arguments

HEADING, FILES, CHECKS = "Plan:", "Files:", "Checks:"
MOST_STEPS = 40
LONGEST = 8_000
"""Characters of the whole text: about half of what all pins may take."""
_NUMBER = re.compile(r"\s*(?:\d+[.)]|[-*])(?:\s+|$)")
_LINES = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 500}}


class Plan:
    """Proposes a plan; an accepted one is pinned, and its steps become the tasks."""

    schema: ToolSchema = ToolSchema(
        "plan",
        "Propose a plan for the user to accept, edit or send back. Accepted, it is pinned, its "
        "steps are your tasks, and edit mode begins.",
        {
            "type": "object",
            "properties": {
                "steps": _LINES,
                "files": {**_LINES, "description": "That will change."},
                "checks": {**_LINES, "description": "How it will be checked."},
            },
            "required": ["steps"],
        },
    )
    traits: ToolTraits = ToolTraits()
    reading: bool = True

    def prepare(self, arguments: Arguments, context: CallContext) -> Intent[None]:
        """Write the plan as it would be pinned; a person is always asked."""
        given = {
            name: [line for each in cast("Sequence[str]", lines) if (line := _line(each))]
            for name, lines in check_arguments(self.schema, arguments).items()
        }
        text = plan_text(given["steps"], given.get("files", ()), given.get("checks", ()))
        steps = _checked_steps(text)
        conversation_of(context).check_plan(text)
        title = f"Plan of {len(steps)} steps" if len(steps) > 1 else "Plan of one step"
        return Intent(title=title, ask=True, proposal=text, plan=None)

    async def run(self, intent: Intent[None], context: CallContext) -> Outcome:
        """Accept the plan in the session, with the edits that the person made to it."""
        text = (intent.proposal or "").strip()
        steps = _checked_steps(text)
        await conversation_of(context).accept_plan(text, steps)
        return Outcome(
            text="The user accepted the plan. It is pinned as they took it, perhaps with changes; "
            f"its {len(steps)} steps are your tasks. Edit mode: begin, and keep the tasks."
        )


def plan_text(steps: Sequence[str], files: Sequence[str], checks: Sequence[str]) -> str:
    """Write a plan as it is shown and pinned."""
    parts = ["\n".join([HEADING, *(f"{n}. {step}" for n, step in enumerate(steps, 1))])]
    if files:
        parts.append(f"{FILES} {', '.join(files)}")
    if checks:
        parts.append("\n".join([CHECKS, *(f"- {check}" for check in checks)]))
    return "\n\n".join(parts)


def steps_of(text: str) -> Iterator[str]:
    """Yield the steps of a plan, also of one that a person has edited.

    A step begins a line, numbered or not; lines that are indented belong to the one above.
    """
    for line in lines_of(text):
        if line.casefold().startswith((FILES.casefold(), CHECKS.casefold())):
            return
        step = _NUMBER.sub("", line, count=1).strip()
        continues = line[:1].isspace() and not _NUMBER.match(line)
        if step and not continues and step.casefold() != HEADING.casefold():
            yield step


def _line(text: str) -> str:
    return whole_line(text.strip())


def _checked_steps(text: str) -> tuple[str, ...]:
    """Return the steps of a plan after checking that there are some and not too many.

    Raises:
        ToolFailed: There is none, or it is too long.
    """
    steps = tuple(steps_of(text))
    if not steps:
        raise ToolFailed("A plan without a step is no plan: nothing was kept. Propose steps.")
    if len(steps) > MOST_STEPS or len(text) > LONGEST:
        raise ToolFailed(
            f"The plan has {len(steps)} steps and {len(text):,} characters; it may have "
            f"{MOST_STEPS} and {LONGEST:,}. Make it shorter."
        )
    return steps
