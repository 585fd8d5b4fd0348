"""Profiles: below everything that a person sets, each value one that there is, with its reason."""

import pytest

from plimsoll.errors import SettingsInvalid
from plimsoll.profiles import ServerProfiles, shown_profiles
from plimsoll.settings import (
    Layer,
    Settings,
    client_layer,
    environment_layer,
    local_layers,
    merge,
    with_profile,
)
from plimsoll.settings.kinds import REFUSED, kind_of
from plimsoll.settings.profiles import PROFILES
from plimsoll.terminal.arguments import PROFILE_NAMES

CHEAP = {"profile": "cheap"}


def test_the_command_line_knows_the_same_profiles():
    assert tuple(PROFILES) == PROFILE_NAMES


@pytest.mark.parametrize("name", PROFILES)
def test_each_value_is_a_setting_that_accepts_it_and_is_not_the_default(name: str):
    values = PROFILES[name].values
    assert len({one.path for one in values}) == len(values)
    for one in values:
        section, field = one.path
        kind = kind_of(one.path)
        assert kind is not None and kind.take(one.value) is not REFUSED
        assert getattr(getattr(Settings(), section), field) != one.value
        assert one.why
        # What may be done, and where a request goes, no set of values decides.
        assert section not in ("permission", "sandbox", "model", "utility_model")
    held = merge([Layer("a file", {"profile": name})])
    assert [getattr(getattr(held, one.path[0]), one.path[1]) for one in values] == [
        one.value for one in values
    ]
    assert held.profile == name


def test_whatever_a_person_sets_wins_over_a_profile_from_any_source():
    file = Layer("config.toml", {"compaction": {"threshold": 0.7}, "pins": {"max_tokens": 5}})
    settings = merge([file, client_layer(CHEAP)])
    assert settings.compaction.threshold == settings.budget.compact_at == 0.7
    assert (settings.compaction.keep_turns, settings.pins.max_tokens) == (2, 5)
    own = merge([Layer("c", CHEAP | {"models": {"openai/x": {"compaction": {"keep_turns": 9}}}})])
    assert own.of("openai/x").compaction.keep_turns == 9
    kept = [own.of(f"openai/{each}").compaction.keep_fraction for each in "xy"]
    assert kept == [0.1, 0.1]


def test_the_last_source_that_names_a_profile_chooses_it():
    file, words = Layer("config.toml", CHEAP), {"PLIMSOLL_PROFILE": "long-refactoring"}
    assert merge([file, environment_layer(words)]).profile == "long-refactoring"
    assert merge([file, client_layer({"profile": "default"})]) == Settings()
    assert merge([file, client_layer({"profile": ""})]).profile == "cheap"
    assert merge(local_layers(None, words, "large-codebase")).profile == "large-codebase"


def test_another_provider_takes_nothing_of_a_profile_away():
    layers = [Layer("a", CHEAP | {"model": {"provider": "openai", "name": "x"}})]
    assert merge([*layers, client_layer({"model": {"provider": "anthropic"}})]).profile == "cheap"


@pytest.mark.parametrize(
    ("layer", "name"),
    [
        (Layer("config.toml", {"profile": "cheep"}), "profile"),
        (Layer("config.toml", {"profile": 3}), "profile"),
        (environment_layer({"PLIMSOLL_PROFILE": "cheep"}), "PLIMSOLL_PROFILE"),
        (client_layer({"profile": "cheep"}), "profile"),
    ],
)
def test_an_unknown_profile_names_those_that_are(layer: Layer, name: str):
    with pytest.raises(SettingsInvalid) as caught:
        merge([layer])
    message = caught.value.message
    assert f"{layer.name}: {name} is " in message
    assert message.endswith(f"wanted is one of {', '.join(PROFILES)}.")


def test_no_profile_stands_in_the_table_of_a_model():
    with pytest.raises(SettingsInvalid, match="there is no setting"):
        merge([Layer("config.toml", {"models": {"openai/x": CHEAP}})])


def test_another_profile_takes_the_values_of_the_first_back():
    file = Layer("config.toml", CHEAP | {"compaction": {"keep_turns": 7}})
    other = with_profile(merge([file]), "long-refactoring")
    assert other == merge(
        [Layer("x", {"profile": "long-refactoring"} | {"compaction": {"keep_turns": 7}})]
    )
    assert other.compaction.threshold == 0.85


async def test_a_choice_holds_until_the_setting_names_another_one():
    held = merge([Layer("config.toml", CHEAP)])

    async def configure(settings: Settings) -> None:
        nonlocal held
        held = profiles.with_chosen_profile(settings)

    profiles = ServerProfiles(lambda: held, configure)
    await profiles.choose("long-refactoring")
    assert profiles.held == "long-refactoring" and held.turn.max_steps == 500
    await configure(merge([Layer("config.toml", CHEAP), client_layer({"pins": {"maxTokens": 9}})]))
    assert (profiles.held, held.pins.max_tokens) == ("long-refactoring", 9)
    await configure(merge([client_layer({"profile": "large-codebase"})]))
    assert profiles.held == "large-codebase"
    with pytest.raises(SettingsInvalid):
        await profiles.choose("none")


def test_people_are_told_which_values_they_have_set_themselves():
    settings = merge([Layer("config.toml", CHEAP | {"compaction": {"keep_turns": 7}})])
    shown = {one.name: one for one in shown_profiles(settings)}
    assert list(shown) == list(PROFILES)
    values = {one.setting: one for one in shown["cheap"].values}
    assert values["compaction.keep_turns"].overridden
    assert not values["compaction.keep_fraction"].overridden
    assert (values["memory.extraction"].value, values["compaction.keep_fraction"].value) == (
        '"phrases"',
        "0.1",
    )
