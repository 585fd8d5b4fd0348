"""How much each tool result still matters: its tool, and what the assistant did with it."""

from plimsoll.context.draft import PruningSettings
from plimsoll.context.references import References
from plimsoll.context.results import ToolResult


def importance(result: ToolResult, knobs: PruningSettings, references: References) -> int:
    """Points by which a result gives way: the highest goes first."""
    weight = knobs.weights.get(result.name, knobs.weights.get("unknown", 50))
    weight -= knobs.reference_points * references.counts().get(result.item, 0)
    return weight - (knobs.decision_points if result.item in references.decided() else 0)
