"""Models: opened by name with their window, marks, tokenizer and key; wrong names are told."""

import asyncio
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from plimsoll.connections.facts import window_of
from plimsoll.connections.known import connection_of
from plimsoll.context.budget import UNKNOWN_WINDOW, BudgetSettings, budget_for
from plimsoll.context.log.messages import Message, Role
from plimsoll.errors import ProviderAuth, ProviderModel, SettingsInvalid
from plimsoll.model_addresses import OWN_ADDRESSES
from plimsoll.models import OpenModels
from plimsoll.providers.anthropic import VENDOR as ANTHROPIC
from plimsoll.providers.base import Request, TextDelta
from plimsoll.providers.openai import VENDOR as OPENAI
from plimsoll.redaction.secrets import Secrets
from plimsoll.session.ports.addresses import ModelAddress
from plimsoll.settings import Layer, ModelSettings, Settings, merge
from plimsoll.tokens.correction import Correction, even
from plimsoll.tokens.counter import Counters

COUNTERS = Counters()
"""Loads each vocabulary once for all tests."""


def models_of(tree=None, variables=None, secrets=None) -> OpenModels:
    return OpenModels(merge([Layer("test", tree or {})]), variables or {}, secrets, COUNTERS)


def openai(**more):
    return {"model": {"provider": "openai", "name": "gpt-4o", **more}}


def request(model: str) -> Request:
    return Request(model=model, messages=(Message(id="m1", role=Role.USER, text="hello there"),))


async def test_nothing_configured_is_the_embedded_model():
    models = models_of()
    model = await models.open(models.default)
    assert (model.id, model.name, model.basis) == ("embedded/search", "search", "counted")
    assert model.budget == budget_for(128_000)
    assert model.margin(1_000) == 0
    assert model.ledger.bare("hello world") == 2
    assert models.warnings == ()


async def test_settings_of_one_model_hold_for_it_alone():
    tree = openai() | {"models": {"openai/gpt-4.1": {"budget": {"warning_at": 0.5}}}}
    models = models_of(tree, {"OPENAI_API_KEY": "k"})
    assert (await models.open("openai/gpt-4o")).budget == budget_for(128_000)
    own = await models.open("openai/gpt-4.1")
    assert own.budget == budget_for(1_047_576, BudgetSettings(warning_at=0.5))
    assert own.settings.budget.warning_at == 0.5


async def test_settings_of_a_model_at_an_address_hold_for_it_there_alone():
    table = {"context_window": 9_000, "price_read": 0.5, "compaction": {"keep_turns": 9}}
    models = models_of({"models": {"openai@127.0.0.1:11434/qwen3": table}})
    at = ModelSettings(provider="openai", base_url="http://127.0.0.1:11434/v1", name="qwen3")
    models.connections.keep(connection_of(at), used="qwen3")
    own = await models.open("openai@127.0.0.1:11434/qwen3")
    other = await models.open("openai@127.0.0.1:11434/llama3")
    assert (own.budget.window, own.window_source) == (9_000, "setting")
    assert own.settings.compaction.keep_turns == 9
    assert own.settings.cache.price_read == 0.5
    assert own.address == other.address == "http://127.0.0.1:11434"
    assert other.settings == models.settings.settings
    reached = models.settings_of("openai@127.0.0.1:11434/llama3").model
    kept = replace(reached, name="qwen3", context_window=9_000, price_read=0.5)
    assert models.settings_of(own.id).model == kept


async def test_a_model_knows_its_address_and_whether_that_is_on_this_machine():
    there = await models_of(openai(), {"OPENAI_API_KEY": "k"}).open("openai/gpt-4o")
    assert (there.address, there.local) == ("https://api.openai.com:443", False)
    models = models_of(openai(base_url="http://127.0.0.1:8080/v1"))
    here = await models.open("openai/other")
    assert (here.address, here.local) == ("http://127.0.0.1:8080", True)
    own = await models_of().open("embedded/search")
    assert (own.address, own.local) == ("", False)


async def test_an_unknown_window_is_assumed_and_told():
    models = models_of(openai(name="some-model"), {"OPENAI_API_KEY": "k"})
    model = await models.open(models.default)
    assert model.budget.window == UNKNOWN_WINDOW
    assert model.basis == "estimated"
    assert model.margin(1_000) > 0
    await models.open(models.default)
    (warning,) = models.warnings
    assert warning.code == "windowUnknown"
    assert "openai/some-model" in warning.message
    assert "8,192" in warning.message
    assert "model.context_window" in (warning.remedy or "")
    await models.configure(merge([Layer("test", openai(name="some-model", context_window=8_192))]))
    assert (await models.open(models.default)).budget.window == 8_192
    assert models.warnings == ()


async def test_equal_tokenizers_share_a_ledger():
    models = models_of()
    embedded, scripted = await asyncio.gather(
        models.open("embedded/search"), models.open("scripted/echo")
    )
    assert embedded.ledger is scripted.ledger
    unknown = await models.open("openai/some-model")
    assert unknown.ledger is not embedded.ledger


async def test_a_ledger_goes_with_the_last_model_that_uses_it():
    models = models_of()
    unknown = await models.open("openai/some-model")
    once = models.with_correction(unknown, Correction(even(1.2)))
    assert models.with_correction(unknown, Correction(even(1.2), band=0.1)).ledger is once.ledger
    seen = weakref.ref(once.ledger)
    del once
    assert seen() is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpt-4o", "the provider 'gpt-4o' is not known"),
        ("opnai/gpt-4o", "the provider 'opnai' is not known"),
        ("openai/", "no model is named"),
        ("openai", "no model is named"),
        ("embedded/gpt-4o", "the embedded provider has one"),
        ("scripted/missing.json", "cannot be played"),
    ],
)
async def test_a_wrong_model_is_told_with_a_remedy(name, said):
    with pytest.raises(ProviderModel) as caught:
        await models_of().open(name)
    assert said in caught.value.message
    assert caught.value.remedy


async def test_a_provider_without_its_name_has_a_default_where_there_is_one():
    assert (await models_of().open("scripted")).id == "scripted/echo"


async def test_an_address_set_later_holds_for_a_model_that_is_open():
    models = models_of(openai(base_url="http://127.0.0.1:1/v1"), {"OPENAI_API_KEY": "sk-\u00e9"})
    model = await models.open("openai/gpt-4o")
    with pytest.raises(ProviderAuth, match=":1/v1"):
        await anext(aiter_of(model.provider.stream(request("gpt-4o"))))
    later = openai(base_url="http://127.0.0.1:2/v1")
    await models.configure(merge([Layer("test", later)]))
    with pytest.raises(ProviderAuth, match=":2/v1"):
        await anext(aiter_of(model.provider.stream(request("gpt-4o"))))


def aiter_of(stream: object) -> AsyncIterator[object]:
    assert isinstance(stream, AsyncIterator)
    return stream


def test_the_addresses_of_the_vendors_are_those_that_are_asked():
    for name, vendor in {"openai": OPENAI, "anthropic": ANTHROPIC}.items():
        assert vendor.url.startswith(OWN_ADDRESSES[name] + "/")


def test_a_model_is_where_it_is_set_to_be():
    tree = openai(base_url="http://localhost:8080/v1/") | {"subagent": {"model": "anthropic/c"}}
    models = models_of(tree, {})
    assert models.address("openai/any") == ModelAddress("http://localhost:8080", "machine")
    assert models.address("anthropic/c") == ModelAddress("https://api.anthropic.com", "network")
    assert models.address("embedded/search") == ModelAddress("embedded", "process")
    assert models.address("unheard-of/x") == ModelAddress("unheard-of", "network")


def test_no_secret_stands_in_an_address():
    secrets = Secrets({"GATEWAY": "account-77-of-mine"})
    tree = openai(base_url="https://gateway.example.org/account-77-of-mine/v1")
    found = models_of(tree, {}, secrets).address("openai/any").address
    assert found.startswith("https://gateway.example.org/")
    assert "account-77" not in found


async def test_a_provider_is_opened_once_and_closed_at_the_end():
    models = models_of(openai(name="gpt-4o") | {"model": {"provider": "scripted"}})
    model = await models.open("scripted/echo")
    again = await models.open("scripted/echo")
    said = [chunk async for chunk in model.provider.stream(request("echo"))]
    assert TextDelta("hello ") in said
    assert [chunk async for chunk in again.provider.stream(request("echo"))] == said
    await models.close()


async def test_a_provider_that_fails_to_close_keeps_no_other_open():
    class Closing:
        async def close(self) -> None:
            closed.append(self)
            raise OSError("it cannot be closed")

    closed: list[Closing] = []
    models = models_of(openai(name="gpt-4o"))
    models._providers |= {"first": Closing(), "second": Closing()}
    with pytest.raises(OSError, match="it cannot be closed"):
        await models.close()
    assert len(closed) == 2


async def test_an_address_that_is_none_is_refused_at_opening():
    settings = Settings(model=ModelSettings(provider="openai", name="x", base_url="ftp://h"))
    with pytest.raises(SettingsInvalid):
        await OpenModels(settings, {}).open("openai/x")


@pytest.mark.parametrize(
    ("name", "window"),
    [
        ("gpt-4o", 128_000),
        ("gpt-4o-2024-08-06", 128_000),
        ("ft:gpt-4o-mini:me", 128_000),
        ("openai/GPT-4.1-mini", 1_047_576),
        ("gpt-4", 8_192),
        ("gpt-4-turbo-preview", 128_000),
        ("gpt-4.7", 1_047_576),
        ("gpt-7", None),
        ("o3-mini", 200_000),
        ("claude-sonnet-4-5", 200_000),
        ("o3x", None),
        ("qwen3:8b", 129_024),
        ("some-model", None),
    ],
)
def test_windows_are_known_by_whole_words(name, window):
    known = (window, "table") if window else (8_192, "assumed")
    assert window_of(ModelSettings(provider="openai", name=name)) == known
    set_to = ModelSettings(provider="openai", name=name, context_window=5_000)
    assert window_of(set_to) == (5_000, "setting")


def test_of_a_server_on_this_machine_less_is_assumed():
    local = ModelSettings(provider="openai", name="m", base_url="http://localhost:1234/v1")
    assert window_of(local) == (4_096, "assumed")
