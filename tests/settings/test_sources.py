"""Sources: files that are not there, not readable, not TOML; and names of both spellings."""

import os
from pathlib import Path

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.settings import config_path, file_layer, local_layers, merge
from plimsoll.settings.kinds import KINDS
from plimsoll.settings.layers import to_camel, to_snake


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """The user's configuration in a folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = config_path().parent
    folder.mkdir(parents=True)
    return folder


def test_every_source_in_its_order(home: Path, tmp_path: Path):
    (home / "config.toml").write_text("[budget]\nwarning_at = 0.1\n[pins]\nmax_tokens = 1")
    named = tmp_path / "named.toml"
    named.write_text("\ufeff[budget]\r\nwarning_at = 0.2\r\nblocking_at = 0.9\r\n", "utf-8")
    layers = local_layers(named, {"PLIMSOLL_BUDGET__WARNING_AT": "0.3"})
    settings = merge(layers)
    assert (settings.budget.warning_at, settings.budget.blocking_at) == (0.3, 0.9)
    assert settings.pins.max_tokens == 1
    assert merge(layers[:2]).budget.warning_at == 0.2


def test_no_user_file_is_no_settings(home: Path):
    assert file_layer(config_path()).tree == {}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[model]\nname = gpt-4o\n", ":2:8:"),
        ("[model\n", ":1:7:"),
        ("a = 1\na = 2\n", ":2:6:"),
        ('[model]\nname = "x', ":2:10:"),
    ],
)
def test_bad_toml_is_told_with_line_and_column(tmp_path: Path, text: str, place: str):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(SettingsInvalid) as caught:
        file_layer(path)
    assert caught.value.message.startswith(f"{path}{place} this is not valid TOML: ")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path):
    with pytest.raises(SettingsInvalid, match="there is no such file"):
        file_layer(tmp_path / "none.toml", required=True)
    with pytest.raises(SettingsInvalid, match="Is a directory"):
        file_layer(tmp_path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"a = \xff\xfe")
    with pytest.raises(SettingsInvalid, match="byte 4 is not UTF-8"):
        file_layer(binary)


def test_a_folder_in_the_way_of_the_user_file_is_told(home: Path):
    (home / "config.toml").mkdir()
    with pytest.raises(SettingsInvalid, match="cannot be read"):
        local_layers(None, os.environ)


def test_camel_and_snake_are_each_others_inverse():
    # Events of hooks have names of their own, which stand in no client's settings.
    names = {name for path in KINDS for name in path if path[0] != "hooks"}
    assert {to_snake(to_camel(name)) for name in names} == names
    assert to_camel("auto_compact_buffer_tokens") == "autoCompactBufferTokens"
