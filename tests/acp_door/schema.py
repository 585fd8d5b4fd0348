"""What the protocol's own SDK says of the messages that the agent sends: it knows them all."""

from collections.abc import Iterable, Mapping
from typing import Any

from acp import schema
from pydantic import BaseModel

RESULTS: Mapping[str, type[BaseModel]] = {
    "initialize": schema.InitializeResponse,
    "authenticate": schema.AuthenticateResponse,
    "session/new": schema.NewSessionResponse,
    "session/load": schema.LoadSessionResponse,
    "session/resume": schema.ResumeSessionResponse,
    "session/list": schema.ListSessionsResponse,
    "session/close": schema.CloseSessionResponse,
    "session/prompt": schema.PromptResponse,
    "session/set_mode": schema.SetSessionModeResponse,
    "session/set_config_option": schema.SetSessionConfigOptionResponse,
}
ASKED: Mapping[str, type[BaseModel]] = {
    "session/update": schema.SessionNotification,
    "session/request_permission": schema.RequestPermissionRequest,
    "fs/read_text_file": schema.ReadTextFileRequest,
    "fs/write_text_file": schema.WriteTextFileRequest,
}
NOT_YET = frozenset({"compaction_update"})
"""Kinds of updates that the SDK has no model of, as they are not stable."""


def check(model: type[BaseModel], value: Any) -> None:
    """Check a value, and that the model knows each of its fields: it would salvage what it can."""
    read = model.model_validate(value)
    again = read.model_dump(mode="json", by_alias=True)
    assert lost(value, again) == []


def lost(sent: Any, read: Any, at: str = "") -> list[str]:
    """The places of what was sent that the model has not read, or has read as something else."""
    if isinstance(sent, dict) and isinstance(read, dict):
        return [
            place
            for key, each in sent.items()
            for place in lost(each, read.get(key, "no such field"), f"{at}.{key}")
        ]
    if isinstance(sent, list) and isinstance(read, list) and len(sent) == len(read):
        pairs = enumerate(zip(sent, read, strict=True))
        return [place for n, (one, other) in pairs for place in lost(one, other, f"{at}.{n}")]
    return [] if sent == read else [f"{at}: {str(sent)[:80]} is {str(read)[:80]}"]


def check_sent(messages: Iterable[Mapping[str, Any]]) -> None:
    """Check every request and notification of the agent."""
    for message in messages:
        method = message.get("method")
        update = message.get("params", {}).get("update", {})
        if method in ASKED and update.get("sessionUpdate") not in NOT_YET:
            check(ASKED[method], message["params"])
