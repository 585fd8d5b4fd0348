"""What a client can choose of a session: its mode and its model, as config options and as modes."""

from collections.abc import Mapping, Sequence

from plimsoll.errors import InvalidInput
from plimsoll.session.ports.environment import MODES, Mode
from plimsoll.session.ports.offered_models import ModelOffers, offer_words
from plimsoll.session.session import Session
from plimsoll.storage.base import SessionRecord

MODE, MODEL = "mode", "model"
"""The ids of the options, and their categories."""
MODE_WORDS: Mapping[Mode, tuple[str, str]] = {
    "edit": ("Edit", "All tools; changes and commands are asked about."),
    "plan": ("Plan", "Tools that read alone; ends in a plan that you accept or send back."),
    "ask": ("Ask", "No tools: the answer comes from what stands in the conversation."),
}


def modes(record: SessionRecord) -> dict[str, object]:
    """Return the modes as clients take them that know no config options."""
    listed = [
        {"id": name, "name": words, "description": told}
        for name, (words, told) in MODE_WORDS.items()
    ]
    return {"currentModeId": record.mode, "availableModes": listed}


def config_options(record: SessionRecord, offers: ModelOffers) -> list[dict[str, object]]:
    """Return the options of a session, the most important one first."""
    mode_values = [
        {"value": name, "name": words, "description": told}
        for name, (words, told) in MODE_WORDS.items()
    ]
    return [
        _select(MODE, "Mode", str(record.mode), mode_values),
        _select(MODEL, "Model", record.model, _models(record.model, offers)),
    ]


def _select(
    name: str, title: str, current: str, values: Sequence[Mapping[str, object]]
) -> dict[str, object]:
    return {
        "id": name,
        "name": title,
        "category": name,
        "type": "select",
        "currentValue": current,
        "options": values,
    }


def _models(current: str, offers: ModelOffers) -> list[dict[str, object]]:
    """List the models to choose from; the one that is chosen is among them, whoever offers it."""
    listed: list[dict[str, object]] = [
        {
            "value": each.id,
            "name": each.name,
            "description": offer_words(each, answers=offers.answers(each)),
        }
        for each in offers.models
    ]
    if all(each["value"] != current for each in listed):
        listed.insert(0, {"value": current, "name": current.partition("/")[2] or current})
    return listed


async def set_option(session: Session, name: str, value: object) -> None:
    """Set an option of a session.

    Raises:
        InvalidInput: There is no such option, or it has no such value.
        Busy: Another model is wanted while a turn runs.
        ProviderModel: There is no such model.
    """
    if not isinstance(value, str) or name not in (MODE, MODEL):
        raise InvalidInput(f"There is no option {name[:40]!r} with such a value.")
    await (set_mode(session, value) if name == MODE else session.set_model(value))


async def set_mode(session: Session, mode: str) -> None:
    """Set the mode of a session; raises InvalidInput where there is no such mode."""
    if mode not in MODES:
        raise InvalidInput(f"There is no mode {mode[:40]!r}.", remedy=f"Modes: {', '.join(MODES)}.")
    await session.set_mode(MODES[mode])
