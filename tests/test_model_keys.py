"""A key goes to the address that it was given for, and nowhere else."""

import pytest

from plimsoll.errors import InvalidInput, ProviderAuth
from plimsoll.redaction.secrets import Secrets
from test_models import aiter_of, models_of, openai, request


async def test_a_key_given_later_holds_for_a_model_that_is_open():
    models = models_of(openai(), {})
    model = await models.open("openai/gpt-4o")
    with pytest.raises(ProviderAuth):
        await anext(aiter_of(model.provider.stream(request("gpt-4o"))))
    models.keys.set("openai", "sk-\u00e9")
    with pytest.raises(ProviderAuth, match="characters that no key has"):
        await anext(aiter_of(model.provider.stream(request("gpt-4o"))))
    models.keys.set("openai", "")
    with pytest.raises(ProviderAuth, match="There is no key"):
        await anext(aiter_of(model.provider.stream(request("gpt-4o"))))


@pytest.mark.parametrize(
    ("more", "variables", "known"),
    [
        ({}, {"OPENAI_API_KEY": "sk-right-key"}, True),
        ({"api_key_env": "MY_OWN"}, {"MY_OWN": " sk-right-key\n"}, True),
        ({"api_key_env": "MY_OWN"}, {"OPENAI_API_KEY": "sk-right-key"}, False),
        ({"base_url": "http://127.0.0.1:1/v1"}, {"OPENAI_API_KEY": "sk-right-key"}, True),
        ({"base_url": "https://example.org/v1"}, {"OPENAI_API_KEY": "sk-right-key"}, True),
        ({"base_url": "http://example.org/v1"}, {"OPENAI_API_KEY": "sk-right-key"}, False),
    ],
)
async def test_a_key_is_used_where_its_owner_meant_it(more, variables, known):
    secrets = Secrets({})
    await models_of(openai(**more), variables, secrets).open("openai/gpt-4o")
    assert ("sk-right-key" not in secrets("It is sk-right-key.")) is known


@pytest.mark.parametrize(
    ("base_url", "given_for", "sent"),
    [
        (None, None, True),
        ("https://api.openai.com/v1", None, True),
        ("https://example.org/v1", None, False),
        ("https://example.org/v1", "https://example.org/other", True),
        ("https://example.org:8443/v1", "https://example.org/v1", False),
        ("https://EXAMPLE.org:443/v1", "https://example.org/v1", True),
        ("https://example.org.evil.net/v1", "https://example.org/v1", False),
        ("http://127.0.0.1:11434/v1", None, False),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1", True),
        ("http://127.0.0.1:11435/v1", "http://127.0.0.1:11434/v1", False),
        (None, "https://example.org/v1", False),
    ],
)
async def test_a_key_goes_to_the_address_that_it_was_given_for(base_url, given_for, sent):
    options = await used(openai(**({"base_url": base_url} if base_url else {})), given_for)
    assert (options.api_key == "sk-right-key") is sent


async def used(tree, given_for):
    """The options of a provider that was opened with a key given for an address."""
    models = models_of(tree, {})
    models.keys.set("openai", "sk-right-key", given_for)
    await models.open("openai/gpt-4o")
    return next(options for _, options in models._providers)


@pytest.mark.parametrize("address", ["http://example.org/v1", "http://10.0.0.7:80", "ftp://x", "x"])
def test_a_key_for_plain_http_to_another_machine_is_refused(address):
    with pytest.raises(InvalidInput) as caught:
        models_of(openai(), {}).keys.set("openai", "sk-right-key", address)
    assert caught.value.remedy


@pytest.mark.parametrize("more", [{}, {"api_key_env": "OPENAI_API_KEY"}])
async def test_no_key_of_the_environment_goes_over_plain_http_to_another_machine(more):
    variables = {"OPENAI_API_KEY": "sk-right-key"}
    models = models_of(openai(base_url="http://10.0.0.7:8000/v1", **more), variables)
    await models.open("openai/gpt-4o")
    assert [options.api_key for _, options in models._providers] == [None]
    assert [warning.code for warning in models.warnings] == ["keyWithheld"]
