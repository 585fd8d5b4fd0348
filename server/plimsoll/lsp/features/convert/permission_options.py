"""The answers that a person is offered to a question about a call, and what each decides."""

from collections.abc import Mapping

from plimsoll.lsp.wire.updates import PermissionOption
from plimsoll.session.asking.spending import shown_amount
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.events import CallShown, SpendQuestion

OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Allow once", kind="allowOnce"),
    PermissionOption(option_id="allowSession", name="Allow for this session", kind="allowSession"),
    PermissionOption(option_id="rejectOnce", name="Reject", kind="rejectOnce"),
    PermissionOption(
        option_id="rejectSession", name="Reject for this session", kind="rejectSession"
    ),
)
ALWAYS = ("allowAlways", "allowAlwaysWider")
"""The answers that hold until they are taken back, the narrowest first."""
DECISIONS: Mapping[str, Decision] = {
    "allowOnce": Decision(allowed=True),
    "allowSession": Decision(allowed=True, for_session=True),
    "allowWider": Decision(allowed=True, for_session=True, wider=True),
    "allowAlways": Decision(allowed=True, always=0),
    "allowAlwaysWider": Decision(allowed=True, always=1),
    "rejectOnce": Decision(allowed=False),
    "rejectSession": Decision(allowed=False, for_session=True),
}

ADDRESS_OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Send it there", kind="allowOnce"),
    PermissionOption(option_id="rejectOnce", name="Send nothing", kind="rejectOnce"),
)

MADE_OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Keep", kind="allowOnce"),
    PermissionOption(option_id="rejectOnce", name="Set aside", kind="rejectOnce"),
)

PLAN_OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Accept the plan", kind="allowOnce"),
    PermissionOption(option_id="rejectOnce", name="Send it back", kind="rejectOnce"),
)
FORM_OPTIONS = (
    PermissionOption(option_id="allowOnce", name="Send the answer", kind="allowOnce"),
    PermissionOption(option_id="rejectOnce", name="Decline", kind="rejectOnce"),
)


def _spend_options(asked: SpendQuestion) -> tuple[PermissionOption, ...]:
    more = f"Go on, for another {shown_amount(asked.limit, asked.unit)}"
    return (
        PermissionOption(option_id="allowOnce", name=more, kind="allowOnce"),
        PermissionOption(
            option_id="allowSession",
            name="Go on, and ask no more in this session",
            kind="allowSession",
        ),
        PermissionOption(option_id="rejectOnce", name="Stop", kind="rejectOnce"),
    )


def permission_options(call: CallShown) -> tuple[PermissionOption, ...]:
    """Return the answers to offer; a call that is asked about each time has none for a session."""
    if call.spend is not None:
        return _spend_options(call.spend)
    if call.address is not None:
        return ADDRESS_OPTIONS
    if call.made is not None:
        return MADE_OPTIONS
    intent = call.intent
    if intent is None:
        return OPTIONS
    if call.is_form:
        return FORM_OPTIONS
    if intent.proposal is not None:
        return PLAN_OPTIONS
    if intent.why_each_time is not None:
        return tuple(option for option in OPTIONS if option.kind.endswith("Once"))
    options = [
        option.model_copy(update={"scope": _scope(intent.covers)})
        if intent.covers and option.kind.endswith("Session")
        else option
        for option in OPTIONS
    ]
    if intent.wider is not None:
        name = f"Allow {intent.wider.covers} for this session"
        scope = _scope(intent.wider.covers)
        wider = PermissionOption(
            option_id="allowWider", name=name, kind="allowSession", scope=scope
        )
        options.insert(2, wider)
    at = next(n for n, option in enumerate(options) if option.kind == "rejectOnce")
    options[at:at] = _lasting_options(call)
    return tuple(options)


def _lasting_options(call: CallShown) -> list[PermissionOption]:
    """Return the answers that allow a call for good, each with what it covers."""
    return [
        PermissionOption(
            option_id=option_id,
            name=f"Always allow {scope.what}"
            + ("" if scope.what.endswith("this folder") else " in this folder"),
            kind="allowAlways",
            scope=f"{scope.covers[0].upper()}{scope.covers[1:]}, until you take it back.",
        )
        for option_id, scope in zip(ALWAYS, call.always, strict=False)
    ]


def _scope(covers: str) -> str:
    return f"{covers[0].upper()}{covers[1:]}, in this session."
