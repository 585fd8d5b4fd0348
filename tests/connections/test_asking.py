"""Connected addresses are asked what they serve, and a model there is asked with its own key."""

from dataclasses import replace

import pytest

from model_server import KEY, listening
from plimsoll import model_servers
from plimsoll.connections.ids import id_at
from plimsoll.connections.known import connection_of
from plimsoll.context.log.messages import Message, Role
from plimsoll.errors import ProviderModel
from plimsoll.model_servers import connected_models
from plimsoll.models import OpenModels
from plimsoll.providers.base import Request
from plimsoll.settings.shape import ModelSettings, Settings

pytestmark = pytest.mark.slow


def at(url: str, name: str = "small") -> ModelSettings:
    return ModelSettings(provider="openai", name=name, base_url=url)


async def test_what_answers_is_learned_and_what_is_dead_or_silent_holds_nothing_up(monkeypatch):
    with listening() as one, listening() as other:
        other.key = KEY
        dead = "http://127.0.0.1:9/v1"
        settings = Settings(model=at(one.url), utility_model=at(one.url))
        models = OpenModels(settings, {"OPENAI_API_KEY": "sk-not-for-others"})
        models.keys.set("openai", KEY, other.url)
        for url in (dead, other.url):
            models.connections.keep(connection_of(replace(at(url), api_key_keyring=True)))
        found = await connected_models(models, ask=True)
        assert {each.base_url: each.error is None for each in found.addresses} == {
            one.url: True,
            other.url: True,
            dead: False,
        }
        address = other.url.removesuffix("/v1")
        here = ["openai/small", "openai/gpt-4o", "openai/unheard-of"]
        there = [id_at("openai", address, name) for name in ("small", "gpt-4o", "unheard-of")]
        assert [each.id for each in found.models] == [*here, *there, "embedded/search"]
        assert found.models[3].window == 8_192

        model = await models.open(there[0])
        assert (model.name, model.address) == ("small", address)
        assert models.address(there[0]).address == address
        question = Message(id="q", role=Role.USER, text="Hi?")
        request = Request(model="small", messages=(question,), tools=(), max_output=9)
        chunks = [chunk async for chunk in model.provider.stream(request)]
        assert chunks
        assert other.sent[-1] == f"Bearer {KEY}"
        assert not any(KEY in sent for sent in one.sent)
        monkeypatch.setattr(model_servers, "ANSWER_SECONDS", 0)
        found = await connected_models(models, ask=True)
        assert all(each.error for each in found.addresses)
        assert [each.id for each in found.models] == [
            there[0],
            *here,
            *there[1:],
            "embedded/search",
        ]

        models.connections.forget("openai", other.url)
        with pytest.raises(ProviderModel):
            await models.open(there[1])
        await models.close()
