"""Names of models as people give them: provider and name, and no key in their place. Pure."""

from collections.abc import Callable
from dataclasses import astuple

from plimsoll.connections.ids import split_id
from plimsoll.errors import ProviderModel
from plimsoll.providers import REGISTRY
from plimsoll.redaction.secrets import MARK
from plimsoll.settings.shape import DEFAULT_NAMES


def refuse_key(model: str, redact: Callable[[str], str]) -> None:
    """Refuse a model's name that holds a key: it would be kept, shown and sent as any name is.

    ``redact`` replaces the secrets that are known.

    Raises:
        ProviderModel: A known secret stands in the name, or the mark that replaced one.
    """
    shown = redact(model)
    if shown != model or MARK in model:
        raise ProviderModel(
            f"The name of the model holds a key: {shown}. It was not used and is not kept.",
            remedy="Set model.name to the name of a model. A key belongs in a variable such as "
            "OPENAI_API_KEY, in the editor's secret store or in the system's keyring.",
        )


def provider_and_name(model: str) -> tuple[str, str]:
    """Split a model's id into provider and name; the provider keeps the id's ``@address``.

    Raises:
        ProviderModel: One of them is missing, or the provider has no model of that name.
    """
    provider, label, name = astuple(split_id(model))
    name = name or DEFAULT_NAMES.get(provider, "")
    if label is not None and provider in REGISTRY and name:
        return f"{provider}@{label}", name
    if provider in REGISTRY and name:
        if provider == "embedded" and name != DEFAULT_NAMES["embedded"]:
            raise ProviderModel(
                f"There is no model {model!r}: the embedded provider has one, embedded/search.",
                remedy="Set model.provider too, such as openai.",
            )
        return provider, name
    if provider in REGISTRY:
        raise ProviderModel(
            f"The provider is {provider}, but no model is named.",
            remedy=f"Set model.name, or write {provider}/ and the model's name.",
        )
    raise ProviderModel(
        f"There is no model {model!r}: the provider {provider!r} is not known.",
        remedy=f"Write provider/name; the providers are {', '.join(sorted(REGISTRY))}.",
    )
