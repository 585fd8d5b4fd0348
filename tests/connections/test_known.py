"""The addresses that were connected: kept whole, with no key, and named in a model's id."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.connections.ids import id_at, label_of, split_id
from plimsoll.connections.known import (
    MOST_CONNECTIONS,
    ConnectedAddress,
    Connections,
    ListedModel,
    RowsInMemory,
    connection_of,
)
from plimsoll.providers.http.address import comparable
from plimsoll.settings.shape import ModelSettings
from plimsoll.storage.rows_file import kept_files

OLLAMA = ModelSettings(provider="openai", name="llama3", base_url="http://127.0.0.1:11434/v1")
VENDOR = ModelSettings(provider="openai", name="gpt-4o")
GATEWAY = ModelSettings(
    provider="openai", name="big", base_url="https://llm.example.org/team/v1", api_key_env="LLM_KEY"
)
KEY = "sk-proj-abcdefghijklmnopqrstuvwx0123456789"


class Clock:
    """Counts seconds, whole ones, so that they are kept as they are."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture(params=["memory", "disk"])
def rows(request: pytest.FixtureRequest, tmp_path):
    if request.param == "memory":
        return RowsInMemory()
    return kept_files({"PLIMSOLL_DATA_DIR": str(tmp_path)}, "sqlite", print).connections


def test_what_was_connected_is_there_for_the_next_who_looks(rows):
    own = Connections(rows, Clock())
    own.keep(connection_of(VENDOR), [ListedModel("gpt-4o"), ListedModel("gpt-5", 400_000)])
    own.note_use(OLLAMA)
    own.keep(connection_of(GATEWAY), used="big")
    own.note_use(replace(OLLAMA, name="qwen"))
    own.note_use(replace(OLLAMA, name="qwen"))
    found = Connections(rows).all()
    assert found == (
        ConnectedAddress(
            provider="openai",
            base_url=OLLAMA.base_url,
            variable="OPENAI_API_KEY",
            used={"llama3": 1_700_000_001.0, "qwen": 1_700_000_003.0},
        ),
        ConnectedAddress(
            provider="openai",
            base_url=GATEWAY.base_url,
            variable="LLM_KEY",
            used={"big": 1_700_000_002.0},
        ),
        ConnectedAddress(
            provider="openai", models=(ListedModel("gpt-4o"), ListedModel("gpt-5", 400_000))
        ),
    )
    assert found[1].settings_for("small") == replace(GATEWAY, name="small")
    assert found[2].settings_for("gpt-4o") == VENDOR


def test_it_leaves_the_list_by_any_way_to_write_it(rows):
    own = Connections(rows)
    own.keep(connection_of(GATEWAY))
    assert not own.forget("openai", None)
    assert own.forget("openai", "https://LLM.example.org:443/team/v1/")
    assert own.all() == ()


def test_two_processes_lose_nothing_of_each_other(rows):
    one, other = Connections(rows), Connections(rows)
    one.all(), other.all()
    one.note_use(OLLAMA)
    other.note_use(VENDOR)
    assert len(one.all()) == len(other.all()) == 2


def test_a_key_in_an_address_or_in_place_of_a_variable_is_not_kept(tmp_path):
    rows = kept_files({"PLIMSOLL_DATA_DIR": str(tmp_path)}, "sqlite", print).connections
    own = Connections(rows, redact=lambda text: text.replace(KEY, "…"))
    own.note_use(replace(OLLAMA, base_url=f"https://llm.example.org/{KEY}/v1"))
    own.note_use(replace(OLLAMA, api_key_env=KEY))
    own.note_use(VENDOR)
    assert len(own.all()) == 1
    assert KEY not in (tmp_path / "connections.json").read_text()


def test_rows_that_are_none_are_left_out_and_the_oldest_go(tmp_path):
    file = tmp_path / "connections.json"
    rows = kept_files({"PLIMSOLL_DATA_DIR": str(tmp_path)}, "sqlite", print).connections
    good = {"provider": "openai", "models": [["a", 8], 5, [], ["b", "x"]], "used": {"a": "?"}}
    bad = [{"provider": "nobody"}, {"provider": "openai", "baseUrl": "ftp://x"}, {"baseUrl": 5}]
    file.write_text(json.dumps([good, *bad]))
    listed = (ListedModel("a", 8), ListedModel("b"))
    assert Connections(rows).all() == (ConnectedAddress(provider="openai", models=listed),)
    own = Connections(rows, Clock())
    for port in range(MOST_CONNECTIONS + 5):
        own.note_use(replace(OLLAMA, base_url=f"http://127.0.0.1:{9_000 + port}/v1"))
    assert len(own.all()) == MOST_CONNECTIONS
    assert own.all()[0].base_url == f"http://127.0.0.1:{9_000 + MOST_CONNECTIONS + 4}/v1"


HOSTS = st.sampled_from(["127.0.0.1", "api.example.org", "[::1]", "localhost"])
PORTS = st.sampled_from(["", ":80", ":443", ":8080"])
PATHS = st.sampled_from(["", "/v1", "/team-a/v1", "/a/b"])
NAMES = st.text(min_size=1).filter(str.strip)


@given(st.sampled_from(["http", "https"]), HOSTS, PORTS, PATHS, NAMES)
def test_an_id_names_one_address_and_comes_apart_again(scheme, host, port, path, name):
    address = comparable(f"{scheme}://{host}{port}{path}")
    place = split_id(id_at("openai", address, name))
    assert (place.provider, place.label, place.name) == ("openai", label_of(address), name)
    own = Connections()
    own.keep(connection_of(replace(OLLAMA, base_url=f"{scheme}://{host}{port}{path}")))
    assert own.find("openai", label_of(address)) == own.all()[0]
    assert own.find("anthropic", label_of(address)) is None


def test_labels():
    assert label_of("https://api.openai.com") == "api.openai.com"
    assert label_of("http://127.0.0.1:11434") == "127.0.0.1:11434"
    assert label_of("http://[::1]") == "[::1]:80"
    assert label_of("https://llm.example.org/team/a") == "llm.example.org~team~a"
