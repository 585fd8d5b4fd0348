"""The port of a tool.

Law 6: gates stand at the tool. ``prepare`` says what a call will do and whether it must be asked
about; ``run`` does exactly that or fails. Nothing here trusts the model's good sense.
"""

from collections.abc import Awaitable, Mapping
from typing import Any, Protocol

from plimsoll.context.log.messages import ToolSchema
from plimsoll.context.log.traits import ToolTraits
from plimsoll.tools.ports.context import CallContext
from plimsoll.tools.ports.intent import Intent, Outcome, PlanT

Arguments = Mapping[str, object]


class Tool(Protocol[PlanT]):
    """Checks calls of one kind and runs them.

    Raises:
        ToolFailed: From ``prepare`` and ``run``; its message is the answer to the model.
    """

    schema: ToolSchema
    traits: ToolTraits
    reading: bool
    """True if it changes nothing anywhere; then it may run in plan mode."""

    def prepare(
        self, arguments: Arguments, context: CallContext
    ) -> Intent[PlanT] | Awaitable[Intent[PlanT]]:
        """Check the arguments and paths of a call, and return its exact effect; change nothing.

        May block. A tool that has to ask the editor returns an awaitable.
        """
        ...

    def run(self, intent: Intent[PlanT], context: CallContext) -> Awaitable[Outcome]:
        """Carry out the intent exactly; fail if what it changes is not as it was shown any more."""
        ...


AnyTool = Tool[Any]
"""A tool with a plan of any type: the tool that prepares a call also runs it."""
