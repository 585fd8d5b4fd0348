"""Which model a custom agent works with: one that the person has set, never another."""

import re
from collections.abc import Sequence

from plimsoll.session.state.session_state import SessionState
from plimsoll.tools.ports.written import CustomFile

INHERIT = frozenset({"inherit", "default"})
_BETWEEN = re.compile(r"[^a-z0-9.]+")
_HOST = re.compile(r"\s*\([^)]*\)$")
"""`Claude Sonnet 4.5 (copilot)` names the host, which counts for nothing here."""


def model_of(state: SessionState, file: CustomFile) -> str | None:
    """Return the first model of the file that the person has set; None: the caller's serves.

    A workspace's file chooses none at an address that the session does not ask already.
    """
    known = list(dict.fromkeys(state.environment.rules().named_models))
    if file.source == "folder":
        asked = state.models.addresses(state.model.id)
        known = [each for each in known if state.models.address(each) in asked]
    found = (_one_of(_HOST.sub("", wanted).casefold(), known) for wanted in file.models)
    return next((each for each in found if each is not None), None)


def unknown_models(state: SessionState, file: CustomFile) -> tuple[str, ...]:
    """Return the models that the file asks for, if none of them is used."""
    asked = tuple(each for each in file.models if each.casefold() not in INHERIT)
    return () if len(asked) < len(file.models) or model_of(state, file) else asked


def _one_of(wanted: str, known: Sequence[str]) -> str | None:
    """Find a model by its id, its name, or a word of it that one alone has: `sonnet`."""
    for model in known:
        if wanted in (model.casefold(), model.casefold().partition("/")[2]):
            return model
    words = set(_BETWEEN.split(wanted))
    named = [each for each in known if words <= set(_BETWEEN.split(each.casefold()))]
    return named[0] if len(named) == 1 and words != {""} else None
