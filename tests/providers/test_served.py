"""What servers say of their own models, read and asked for."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plimsoll.errors import ProviderAuth, ProviderUnavailable
from plimsoll.providers import model_server
from plimsoll.providers.base import ProviderOptions, ServedWindow
from plimsoll.providers.http.questions import ModelServer
from plimsoll.providers.openai import VENDOR
from plimsoll.providers.served import (
    ServedModel,
    models_in,
    window_in_props,
    window_in_show,
    windows_in_ps,
)
from providers.model_server import Server, serving

LLAMA = {
    "object": "list",
    "data": [
        {
            "id": "m.gguf",
            "owned_by": "llamacpp",
            "meta": {"n_ctx_train": 131_072, "n_ctx": 16_384, "n_params": 1},
        }
    ],
}
OLLAMA = {"data": [{"id": "qwen3:latest", "owned_by": "library"}, {"id": "llama3.2:3b"}]}


@pytest.mark.parametrize(
    ("entry", "window"),
    [
        ({"max_model_len": 32_768}, 32_768),
        ({"context_length": 200_000, "top_provider": {"context_length": 128_000}}, 128_000),
        ({"max_context_length": 131_072}, 131_072),
        ({"loaded_context_length": 4_096, "max_context_length": 131_072}, 4_096),
        ({"meta": {"n_ctx": 8_192, "n_ctx_train": 131_072}}, 8_192),
        ({"meta": {"n_ctx_train": 131_072}}, None),
        ({"context_length": "131072"}, None),
        ({"context_length": True}, None),
        ({"context_length": 0}, None),
        ({"context_length": 1}, 1),
        ({"context_length": 2**31}, 2**31),
        ({"context_length": 2**31 + 1}, None),
        ({}, None),
    ],
)
def test_the_served_window_is_read_and_not_the_trained_one(entry, window):
    assert models_in({"data": [{"id": "m", **entry}]}).models == (ServedModel("m", window),)
    assert models_in([{"id": "m", **entry}]).models == (ServedModel("m", window),)


def test_a_model_is_found_by_its_name_and_llama_cpp_takes_any():
    ollama, llama = models_in(OLLAMA), models_in(LLAMA)
    assert ollama.find("QWEN3") == ServedModel("qwen3:latest")
    assert ollama.find("llama3.2") is None
    assert llama.find("whatever") == ServedModel("m.gguf", 16_384)


def test_the_slots_of_llama_cpp_and_the_modelfile_of_ollama():
    assert (
        window_in_props({"default_generation_settings": {"n_ctx": 4_096}, "n_ctx": 8_192}) == 4_096
    )
    assert windows_in_ps({"models": [{"name": "Q:1", "context_length": 4_096}]}) == {"q:1": 4_096}
    assert window_in_show({"parameters": 'stop "x"\nnum_ctx                8192\n'}) == 8_192
    assert window_in_show({"model_info": {"llama.context_length": 131_072}}) is None


KEYS = st.sampled_from(
    [
        *("data", "models", "id", "name", "model", "meta", "n_ctx", "owned_by", "x"),
        *("context_length", "top_provider", "default_generation_settings"),
        *("parameters", "model_info", "llama.context_length"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.just("num_ctx 8192"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
ROWS = st.lists(st.dictionaries(KEYS, JSON, max_size=6), max_size=3)


@given(JSON | st.dictionaries(KEYS, JSON | ROWS, max_size=6))
@example({"data": [{"owned_by": ["llamacpp"]}]})
def test_nothing_that_a_server_says_breaks_the_reading(payload):
    assert all(one.window is None or one.window > 0 for one in models_in(payload).models)
    for read in (window_in_props, windows_in_ps, window_in_show):
        read(payload)


def asker(server: Server, key: str | None = None, seconds: float = 60) -> ModelServer:
    options = ProviderOptions(name="m", base_url=f"http://127.0.0.1:{server.port}/v1", api_key=key)
    return ModelServer(VENDOR, options, seconds)


async def test_one_question_is_enough_where_the_list_says_it():
    async with serving({"/v1/models": {"data": [{"id": "m", "max_model_len": 32_768}]}}) as server:
        assert await asker(server, "sk-right").window("m") == ServedWindow(32_768)
    assert server.paths == ["/v1/models"]
    assert "authorization: bearer sk-right" in server.heads[0].lower()


async def test_a_list_that_says_it_of_some_models_alone_is_asked_further():
    told = [{"id": "m", "max_model_len": 32_768}, {"id": "n"}]
    loaded = {"models": [{"name": "n", "context_length": 4_096}]}
    async with serving({"/v1/models": {"data": told}, "/api/ps": loaded}) as server:
        listed = (await asker(server).models()).models
    assert listed == (ServedModel("m", 32_768), ServedModel("n", 4_096))


async def test_of_llama_cpp_the_slot_counts():
    props = {"default_generation_settings": {"n_ctx": 4_096}}
    async with serving({"/v1/models": LLAMA, "/props": props}) as server:
        assert await asker(server).window("smollm2") == ServedWindow(4_096, instead="m.gguf")
        assert (await asker(server).models()).models == (ServedModel("m.gguf", 4_096),)


async def test_of_ollama_the_loaded_window_counts_and_else_the_modelfile():
    loaded = {"models": [{"name": "qwen3:latest", "context_length": 4_096}]}
    shown = {"parameters": "num_ctx 8192"}
    answers = {"/v1/models": OLLAMA, "/api/ps": loaded, "/api/show": shown}
    async with serving(answers) as server:
        assert await asker(server).window("qwen3") == ServedWindow(4_096, ollama=True)
        assert await asker(server).window("llama3.2:3b") == ServedWindow(8_192, ollama=True)
    async with serving({**answers, "/api/show": 404}) as server:
        assert await asker(server).window("llama3.2:3b") == ServedWindow(None, ollama=True)


async def test_a_server_that_does_not_answer_costs_no_more_than_its_time():
    async with serving({"/v1/models": None}) as server:
        assert await asker(server, seconds=0.05).window("m") is None
        with pytest.raises(ProviderUnavailable):
            await asker(server, seconds=0.05).models()
    assert await asker(server, seconds=60).window("m") is None


async def test_a_refused_key_is_told_when_the_list_is_asked_for():
    async with serving({"/v1/models": 401}) as server:
        with pytest.raises(ProviderAuth) as caught:
            await asker(server, "sk-wrong-key").models()
        assert "sk-wrong-key" not in caught.value.message
        assert await asker(server, "sk-wrong-key").window("m") is None


def test_only_servers_are_asked():
    options = ProviderOptions(name="m", base_url="http://127.0.0.1:1/v1")
    assert model_server("embedded", options) is None
    assert isinstance(model_server("openai", options), ModelServer)
    assert isinstance(model_server("anthropic", options), ModelServer)


@pytest.mark.parametrize(
    ("listed", "name", "instead"),
    [
        (("smollm2",), "smolm2", "smollm2"),
        (("smollm2",), "SmolLM2", None),
        (("/models/qwen3-8b-q4.gguf",), "qwen3-8b", None),
        (("qwen3",), "qwen3:latest", None),
        (("openai/*",), "gpt-5", None),
        (("one", "two"), "three", None),
        ((), "three", None),
    ],
)
def test_a_server_of_one_model_says_which(listed, name, instead):
    found = models_in({"data": [{"id": each, "owned_by": "llamacpp"} for each in listed]})
    assert found.instead_of(name) == instead
