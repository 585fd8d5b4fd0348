"""A settings file is changed by a program as a careful person would: all else stays."""

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.errors import SettingsInvalid
from plimsoll.settings.writing import with_section, write_config

OWN = """# mine
[budget]   # marks
warning_at = 0.7

[model] # the first
provider = "openai"  # "not" this # one
# a comment of its own
name = 'old#name' # why
context_window = 4096

[models."openai/x".budget]
warning_at = 0.6
"""
FRESH = {"provider": "anthropic", "name": 'a "b" ü', "base_url": None, "context_window": None}


def test_comments_and_order_stay():
    assert with_section(OWN, "model", {**FRESH, "api_key_env": "MY_KEY"}) == (
        OWN.replace('"openai"  #', '"anthropic"  #', 1)
        .replace("'old#name'", '"a \\"b\\" ü"')
        .replace("context_window = 4096\n", 'api_key_env = "MY_KEY"\n')
    )


def test_a_section_that_is_missing_is_added():
    assert (
        with_section("", "model", FRESH)
        == '[model]\nprovider = "anthropic"\nname = "a \\"b\\" ü"\n'
    )
    added = with_section("[budget]\nwarning_at = 0.7", "model", {"name": "x", "flag": True})
    assert added == '[budget]\nwarning_at = 0.7\n\n[model]\nname = "x"\nflag = true\n'


@pytest.mark.parametrize(
    "odd",
    [
        'model.name = "x"\n',
        'model = { name = "x" }\n',
        '[model]\nname = """\nprovider = 1\n"""\n',
        '["model"]\nname = "x"\n',
        "[model\n",
    ],
)
def test_what_cannot_be_changed_safely_is_refused_with_the_lines(odd: str):
    with pytest.raises(SettingsInvalid) as refused:
        with_section(odd, "model", {"provider": "openai"})
    assert refused.value.remedy


@given(st.text(), st.integers(), st.booleans())
def test_any_value_is_read_back_or_refused(name: str, window: int, flag: bool):
    values = {"name": name, "context_window": window, "flag": flag}
    try:
        changed = with_section(OWN, "model", values)
    except SettingsInvalid:
        return
    assert tomllib.loads(changed)["model"] == {"provider": "openai", **values}


def test_the_file_is_private_and_a_link_stays_a_link(tmp_path: Path):
    real = tmp_path / "dotfiles" / "config.toml"
    real.parent.mkdir()
    real.write_text("# mine\n")
    link = tmp_path / "config" / "config.toml"
    link.parent.mkdir()
    link.symlink_to(real)
    write_config(link, "model", {"name": "x"})
    assert link.is_symlink()
    assert real.read_text() == '# mine\n\n[model]\nname = "x"\n'
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert [path.name for path in real.parent.iterdir()] == ["config.toml"]


def test_where_nothing_can_be_written_the_lines_are_told(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsInvalid, match="cannot be changed") as refused:
        write_config(tmp_path / "file" / "config.toml", "model", {"name": "x"})
    assert 'name = "x"' in (refused.value.remedy or "")
