"""Converts a slash command's answer to the result of the wire method that does the same."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from plimsoll.context.report.receipts import Receipt
from plimsoll.lsp.features.convert import context, memories
from plimsoll.lsp.features.convert.custom import agent, command, expansion
from plimsoll.lsp.features.convert.meters import meter
from plimsoll.lsp.features.convert.permissions import permission
from plimsoll.lsp.features.convert.session_infos import session_info
from plimsoll.lsp.wire.base import dump
from plimsoll.lsp.wire.sessions import Usage
from plimsoll.memory.types import Memory
from plimsoll.session.agents.listing import CustomAgentShown
from plimsoll.session.commands.custom.named import CommandShown, ExpandedCommand
from plimsoll.session.layers.pins import CountedPin
from plimsoll.session.reduction.inspection import Report
from plimsoll.session.reduction.rules import SaidRule
from plimsoll.session.state.cost import CostRow
from plimsoll.storage.base import SessionRecord
from plimsoll.storage.chosen.base import Permission


def notice_data(data: object) -> object:
    """Convert a slash command's result to the result of the method that does the same."""
    if isinstance(data, tuple):
        return [notice_data(each) for each in cast("tuple[object, ...]", data)]
    convert = _NOTICE_DATA.get(type(data))
    return convert(data) if convert else None


def _report(found: Report) -> object:
    load = meter("", found.meter)
    return dump(context.report(load, found, detail=False, offset=0, limit=None))


def usage(row: CostRow) -> Usage:
    """Convert the tokens that a model used for one purpose."""
    return Usage(
        purpose=row.purpose,
        model=row.model,
        input=row.input,
        cached=row.cached,
        output=row.output,
        written=row.written or None,
        written_hour=row.written_hour or None,
        estimated=row.estimated or None,
    )


_NOTICE_DATA: Mapping[type, Callable[[Any], object]] = {
    Receipt: lambda data: {"receipt": dump(context.receipt(data))},
    Report: _report,
    SessionRecord: lambda data: {"session": dump(session_info(data))},
    CountedPin: lambda data: {"pin": dump(context.pin(data))},
    SaidRule: lambda data: {"rule": dump(context.rule(data))},
    Permission: lambda data: {"permission": dump(permission(data))},
    Memory: lambda data: {"memory": dump(memories.memory(data))},
    CustomAgentShown: lambda data: {"agent": dump(agent(data))},
    CommandShown: lambda data: {"command": dump(command(data))},
    ExpandedCommand: lambda data: {"prompt": dump(expansion(data))},
    CostRow: lambda data: dump(usage(data)),
}
"""How each kind of answer is written."""
