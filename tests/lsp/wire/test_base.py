import json

import pytest
from pydantic import ValidationError

from plimsoll.context.log.entries import ItemState, Slot, Stage
from plimsoll.lsp.wire.base import Wire, dump, error_details
from plimsoll.lsp.wire.context import ContextItem, ItemSource, Lost, MeterPart, Receipt
from plimsoll.lsp.wire.memories import MemoryListParams, MemoryUpdateParams
from plimsoll.lsp.wire.methods import REQUESTS
from plimsoll.lsp.wire.reductions import ContextCompactParams, ContextPreviewParams
from plimsoll.lsp.wire.service import DidChangeTrustParams, ModelSetKeyParams
from plimsoll.lsp.wire.sessions import (
    SessionInfo,
    SessionNewParams,
    SessionPromptParams,
    SessionSetModeParams,
)
from plimsoll.lsp.wire.updates import Notice

CANARY = "sk-canary-0123456789"


def errors_of(model: type[Wire], value: object) -> list[dict]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return error_details(caught.value)


def receipt(**changes: object) -> Receipt:
    fields = {
        "id": "e1",
        "stage": "prune",
        "status": "completed",
        "at": "2026-11-21T14:00:00Z",
        "why": "at the warning",
        "tokens_before": 9,
        "tokens_after": 4,
        "items": (),
        "lost": Lost(identifiers=(), constraints=(), tasks=()),
        "undone": False,
        "prefix_rewritten": 0,
    }
    return Receipt(**{**fields, **changes})


def test_names_are_camel_case_on_the_wire_and_python_names_here():
    params = SessionNewParams.model_validate({"workspaceFolder": "file:///w", "mode": "plan"})

    assert params == SessionNewParams(workspace_folder="file:///w", mode="plan")
    assert dump(params) == {"workspaceFolder": "file:///w", "mode": "plan"}


def test_a_keyword_is_a_field_without_its_underscore():
    params = MemoryListParams.model_validate({"workspaceFolder": "file:///w", "class": "working"})

    assert params.class_ == "working"
    assert dump(params) == {"workspaceFolder": "file:///w", "class": "working"}


def test_unknown_fields_are_ignored():
    sent = {"workspaceFolder": "file:///w", "colour": "red", "nested": {"jsonrpc": "2.0"}}

    assert dump(SessionNewParams.model_validate(sent)) == {"workspaceFolder": "file:///w"}


def test_null_reads_as_absent_and_none_is_left_out():
    sent = {"workspaceFolder": "file:///w", "mode": None, "model": None}

    assert dump(SessionNewParams.model_validate(sent)) == {"workspaceFolder": "file:///w"}


def test_null_inside_free_data_is_kept():
    notice = Notice(markdown="m", level="info", data={"rows": [None, {"value": None}]})

    assert dump(notice)["data"] == {"rows": [None, {"value": None}]}


def test_dump_goes_into_plain_sequences_and_mappings():
    part = MeterPart(kind="user", tokens=2)

    assert dump({"parts": [part, (part,)], "n": 1}) == {
        "parts": [{"kind": "user", "tokens": 2}, [{"kind": "user", "tokens": 2}]],
        "n": 1,
    }


def test_an_unknown_member_of_a_choice_is_tolerated_where_we_only_read():
    info = {
        "id": "s",
        "title": "t",
        "workspaceFolder": "file:///w",
        "mode": "autopilot",
        "model": "a/b",
        "createdAt": "2026-11-21T14:00:00Z",
        "updatedAt": "2026-11-21T14:00:00Z",
        "turns": 0,
        "preview": "",
    }

    assert dump(SessionInfo.model_validate(info)) == info


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (SessionSetModeParams, {"mode": "autopilot"}),
        (SessionNewParams, {"workspaceFolder": "file:///w", "mode": "autopilot"}),
        (ContextCompactParams, {"strategy": "magic"}),
        (ContextPreviewParams, {"stage": "melt"}),
    ],
)
def test_an_unknown_member_of_a_choice_that_we_must_act_on_is_refused(model, fields):
    details = errors_of(model, {"sessionId": "s", **fields})

    assert [(detail["loc"], detail["type"]) for detail in details] == [
        ([list(fields)[-1]], "literal_error")
    ]


@pytest.mark.parametrize("word", ["true", "yes", 1])
def test_trust_is_a_boolean_and_nothing_that_looks_like_one(word):
    details = errors_of(DidChangeTrustParams, {"workspaceFolder": "file:///w", "trusted": word})

    assert [detail["type"] for detail in details] == ["bool_type"]


def test_the_enums_of_the_core_go_on_the_wire_as_their_strings():
    item = ContextItem(
        id="m.0",
        kind=Slot.TOOL_RESULTS,
        title="t",
        tokens=1,
        original_tokens=2,
        state=ItemState.PRUNED,
        turn=1,
        pinned=False,
        source=ItemSource(uri="file:///w/a.py", stale=True),
    )

    assert json.loads(json.dumps(dump(item))) == {
        "id": "m.0",
        "kind": "toolResults",
        "title": "t",
        "tokens": 1,
        "originalTokens": 2,
        "state": "pruned",
        "turn": 1,
        "pinned": False,
        "source": {"uri": "file:///w/a.py", "stale": True},
    }
    assert dump(receipt(stage=Stage.DEDUP))["stage"] == "dedup"


def test_omitted_and_null_differ_where_null_clears():
    omitted = MemoryUpdateParams.model_validate({"memoryId": "m"})
    cleared = MemoryUpdateParams.model_validate({"memoryId": "m", "expiresAt": None})

    assert "expires_at" not in omitted.model_fields_set
    assert "expires_at" in cleared.model_fields_set


def test_a_key_is_shown_by_no_dump_and_no_repr():
    params = ModelSetKeyParams.model_validate({"provider": "openai", "key": CANARY})

    assert params.key.get_secret_value() == CANARY
    assert CANARY not in repr(params) + str(dump(params))


@pytest.mark.parametrize("method", list(REQUESTS.values()), ids=lambda method: method.name)
def test_error_details_never_hold_the_input(method):
    names = [field.alias for field in method.params.model_fields.values()]
    wrong = [{"type": CANARY, "role": CANARY, CANARY: [CANARY]}]

    details = errors_of(method.params, dict.fromkeys(names, wrong)) if names else []
    details += errors_of(method.params, CANARY)

    assert CANARY not in json.dumps(details)
    assert all(detail.keys() == {"loc", "msg", "type"} for detail in details)


def test_an_unknown_tag_is_named_by_what_was_expected_alone():
    details = errors_of(SessionPromptParams, {"sessionId": "s", "content": [{"type": CANARY}]})

    assert details[:1] == [
        {
            "loc": ["content", 0],
            "msg": "Input tag should be one of 'text', 'file', 'image', 'selection', 'excerpt', "
            "'changes'",
            "type": "union_tag_invalid",
        }
    ]
