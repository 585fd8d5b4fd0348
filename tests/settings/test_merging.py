"""Merging: later sources win, what belongs to one vendor stays there, and mistakes are named."""

import tomllib
from dataclasses import replace

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.settings import (
    Layer,
    ModelSettings,
    SandboxSettings,
    Settings,
    client_layer,
    environment_layer,
    merge,
)


def toml(text, name="config.toml"):
    return Layer(name, tomllib.loads(text))


def refused(*layers):
    with pytest.raises(SettingsInvalid) as caught:
        merge(layers)
    return caught.value


def test_nothing_given_is_the_defaults():
    settings = merge([])
    assert settings == Settings()
    assert settings.model.id == "embedded/search"


def test_later_sources_win_setting_by_setting():
    settings = merge(
        [
            toml("[budget]\nwarning_at = 0.5\nblocking_at = 0.9\n[compaction]\nkeep_turns = 5"),
            environment_layer({"PLIMSOLL_BUDGET__WARNING_AT": "0.6", "HOME": "/x"}),
            client_layer(
                {"compaction": {"keepTurns": 7, "auto": None}, "trace": {"server": "off"}}
            ),
        ]
    )
    assert settings.budget == replace(Settings().budget, warning_at=0.6, blocking_at=0.9)
    assert settings.compaction == replace(Settings().compaction, keep_turns=7)


def test_the_compact_mark_is_the_compaction_threshold():
    settings = merge([toml("[compaction]\nthreshold = 0.8")])
    assert settings.settings.budget.compact_at == 0.8
    assert settings.settings.compaction.threshold == 0.8


def test_every_type_is_read_from_the_environment():
    settings = merge(
        [
            environment_layer(
                {
                    "PLIMSOLL_COMPACTION__AUTO": "false",
                    "PLIMSOLL_COMPACTION__KEEP_TURNS": "9",
                    "PLIMSOLL_COMPACTION__PROMPT": "Be brief.",
                    "PLIMSOLL_PRUNING__WEIGHTS__SHELL": "3",
                    "PLIMSOLL_MODEL__BASE_URL": "",
                    "PLIMSOLL_DATA_DIR": "/data",
                }
            )
        ]
    )
    assert settings.compaction == replace(
        Settings().compaction, auto=False, keep_turns=9, prompt="Be brief."
    )
    assert settings.pruning.weights == {**Settings().pruning.weights, "shell": 3}
    assert settings.model.base_url is None


def test_the_utility_model_is_the_model_where_it_says_nothing_else():
    model = (
        '[model]\nprovider = "openai"\nname = "gpt-4o"\n'
        'base_url = "http://h/v1"\ncontext_window = 9000\n'
    )
    assert merge([toml(model)]).utility_model == merge([toml(model)]).model
    small = merge([toml(model + '[utility_model]\nname = "mini"')])
    assert small.utility_model == ModelSettings(
        provider="openai", name="mini", base_url="http://h/v1"
    )
    other = merge([toml(model + '[utility_model]\nprovider = "embedded"')])
    assert other.utility_model == ModelSettings(provider="embedded", name="search")


def test_another_provider_inherits_neither_address_nor_key():
    file = toml(
        '[model]\nprovider = "openai"\nname = "x"\nbase_url = "http://h"\napi_key_env = "MY_KEY"'
    )
    settings = merge([file, environment_layer({"PLIMSOLL_MODEL__PROVIDER": "anthropic"})])
    assert settings.model == ModelSettings(provider="anthropic")
    assert merge([file]).of("anthropic/y").model == ModelSettings(provider="anthropic", name="y")


def test_one_model_may_have_settings_of_its_own():
    settings = merge(
        [
            toml(
                '[model]\nprovider = "openai"\nname = "a"\nbase_url = "http://h"\n'
                "context_window = 8000\n[compaction]\nkeep_turns = 4\n"
                '[models."openai/b"]\ncontext_window = 5000\n'
                '[models."openai/b".compaction]\nthreshold = 0.5\n'
                '[models."openai/c".model]\nprice_read = 0.5'
            ),
            client_layer({"models": {"openai/b": {"compaction": {"idleSeconds": 9}}}}),
        ]
    )
    b = settings.of("openai/b")
    assert b.model == ModelSettings(
        provider="openai", name="b", base_url="http://h", context_window=5000
    )
    assert b.compaction == replace(
        Settings().compaction, keep_turns=4, threshold=0.5, idle_seconds=9
    )
    assert b.budget.compact_at == 0.5
    assert settings.of("openai/c").model == ModelSettings(
        provider="openai", name="c", base_url="http://h", price_read=0.5
    )
    assert settings.of("openai/a").model == settings.model
    assert settings.of("openai/d").model == ModelSettings(
        provider="openai", name="d", base_url="http://h"
    )


@pytest.mark.parametrize(
    ("text", "named", "meant"),
    [
        ("[budget]\nwaring_at = 0.5", "budget.waring_at", "budget.warning_at"),
        ("[budget]\ncompact_at = 0.5", "budget.compact_at", "compaction.threshold"),
        ("[compaction]\nmax_lines = 5", "compaction.max_lines", "truncation.max_lines"),
        ("[compactoin]\nkeep_turns = 5", "compactoin.keep_turns", "compaction.keep_turns"),
        (
            '[models."openai/a".budget]\nwarning = 1',
            'models."openai/a".budget.warning',
            'models."openai/a".budget.warning_at',
        ),
        (
            '[models."openai/a"]\ncontext_windw = 9000',
            'models."openai/a".context_windw',
            'models."openai/a".context_window',
        ),
    ],
)
def test_an_unknown_setting_is_named_with_the_nearest_known_one(text, named, meant):
    error = refused(toml(text))
    assert error.message == f"config.toml: there is no setting {named}. Did you mean {meant}?"


def test_an_unknown_setting_without_a_like_is_named_alone():
    assert refused(toml("zzz = 1")).message == "config.toml: there is no setting zzz."


def test_names_are_spelled_as_the_source_spells_them():
    variable = refused(environment_layer({"PLIMSOLL_BUDGET__WARNING": "1"})).message
    assert "PLIMSOLL_BUDGET__WARNING." in variable
    assert "PLIMSOLL_BUDGET__WARNING_AT" in variable
    client = refused(client_layer({"compaction": {"keepTurn": 1}})).message
    assert "compaction.keepTurn." in client
    assert "compaction.keepTurns?" in client


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[budget]\nwarning_at = 7", "is 7; wanted is a number from 0 to 1"),
        ("[budget]\nwarning_at = nan", "is nan; wanted is a number from 0 to 1"),
        ("[budget]\nwarning_at = 'high'", "is a text; wanted is a number from 0 to 1"),
        ("[budget]\nwarning_at = true", "is true; wanted is a number from 0 to 1"),
        ("[truncation]\nmax_lines = 0", "is 0; wanted is a whole number from 1"),
        ("[truncation]\nmax_lines = 1.5", "is 1.5; wanted is a whole number from 1"),
        ("[truncation]\nmax_lines = inf", "is inf; wanted is a whole number from 1"),
        ("[compaction]\nauto = 1", "is 1; wanted is true or false"),
        ("[compaction]\nprompt = [1]", "is a list; wanted is a text"),
        ("[model]\ncontext_window = 12", "is 12; wanted is a whole number from 1,024"),
        ("[model]\nbase_url = 'localhost:11434'", "is a text; wanted is an http or https address"),
        ("[model]\nname = {a = 1}", "is a table; wanted is a text"),
        ("budget = 5", "is 5, but it is a section"),
        ("[pruning]\nweights = 5", "is 5, but it is a section"),
        ('[models."gpt-4o"]\ncontext_window = 9000', "names no model"),
        ('[models."openai@h/x"]\nbase_url = "http://i/v1"', "whose id names one already"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_accepted(text, said):
    error = refused(toml(text))
    assert error.message.startswith("config.toml: ")
    assert said in error.message
    assert error.remedy


@pytest.mark.parametrize(
    "layer",
    [
        toml('[model]\napi_key = "sk-hush"'),
        toml('[utility_model]\nkey = "sk-hush"'),
        toml('[model]\napi_key_env = "sk-hush"'),
        toml('[model]\nbase_url = "http://me:sk-hush@host/v1"'),
        toml('[models."openai/x"]\ntoken = "sk-hush"'),
        toml('[budget]\nwarning_at = "sk-hush"'),
        environment_layer({"PLIMSOLL_MODEL__API_KEY": "sk-hush"}),
        client_layer({"model": {"apiKey": "sk-hush"}}),
    ],
)
def test_a_key_is_no_setting_and_is_never_repeated(layer):
    error = refused(layer)
    assert "hush" not in f"{error.message} {error.remedy} {error.data}"


def test_a_key_in_a_setting_is_answered_with_the_remedy():
    error = refused(toml('[model]\napi_key = "sk-hush"'))
    assert "model.api_key would hold a key" in error.message
    assert error.remedy is not None
    assert "model.api_key_env" in error.remedy


def test_a_bare_section_in_the_environment_is_an_attempt_at_a_setting():
    error = refused(environment_layer({"PLIMSOLL_MODEL": "gpt-4o"}))
    assert "PLIMSOLL_MODEL is a text, but it is a section" in error.message
    assert error.remedy == "Set one of them, such as PLIMSOLL_MODEL__PROVIDER."


def test_folders_are_a_list_and_in_the_environment_one_text():
    settings = merge(
        [
            toml('[sandbox]\nreadable = ["/opt", "~/data"]\nwritable = ["/w"]\nnetwork = true'),
            environment_layer({"PLIMSOLL_SANDBOX__WRITABLE": "/a:~/b"}),
            client_layer({"permission": {"confinedCommands": True}, "sandbox": {"readable": []}}),
        ]
    )
    assert settings.sandbox == SandboxSettings(writable=("/a", "~/b"), network=True)
    assert settings.permission.confined_commands


@pytest.mark.parametrize("value", ['"/opt"', '["opt"]', '["~someone"]', "[7]", '[""]'])
def test_what_is_no_list_of_folders_is_refused(value):
    error = refused(toml(f"[sandbox]\nwritable = {value}"))
    assert "sandbox.writable" in error.message
    assert "a list of folders, each from / or ~/" in error.message


def test_hosts_of_the_web_are_names_or_addresses():
    wanted = toml('[web]\nallow_hosts = ["Wiki.Example.org.", "127.0.0.1", "0:0::1", "localhost"]')
    hosts = ("wiki.example.org", "127.0.0.1", "::1", "localhost")
    assert merge([wanted]).web.allow_hosts == hosts


@pytest.mark.parametrize(
    "value", ['"a.org"', '["*"]', '["10.0.0.0/8"]', '["a.org:80"]', '["0x7f.1"]']
)
def test_what_is_neither_is_refused(value):
    assert "web.allow_hosts" in refused(toml(f"[web]\nallow_hosts = {value}")).message


@pytest.mark.parametrize(
    "setting", ["sandbox.network", "permission.confined_commands", "web.fetch"]
)
def test_what_holds_for_all_models_is_set_at_the_top(setting):
    section, name = setting.split(".")
    message = refused(toml(f'[models."openai/x".{section}]\n{name} = true')).message
    wrong = f'models."openai/x".{setting}'
    assert message.endswith(f"there is no setting {wrong}. Did you mean {setting}?")


def test_a_cache_of_an_hour_has_a_price_of_its_own():
    dear = Settings(model=ModelSettings(cache_seconds=3_600, price_write_hour=3.0))
    assert dear.settings.cache.price_write == 3.0
    assert Settings().settings.cache.price_write == 1.25
