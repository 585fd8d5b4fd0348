"""What a rule is about, and which rules speak of the same: one value changed, or not the same."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from plimsoll.text.instructions import Instruction, instruction_in, replaces
from plimsoll.text.rule_parts import parts_of

SAME_THING = (
    ("Use snake_case for class names.", "Use CamelCase for class names."),
    ("Always start names with 'z_'.", "From now on start names with 'vr_'."),
    ("Always prefix names with 'z_'.", "Names should always begin with 'q_'."),
    ("Use tabs in JSON files.", "From now on use spaces in JSON files."),
    ("Use GitLab as our version control system.", "Use Bitbucket as our version control system."),
    ("Use Redis for caching.", "Use Memcached for caching."),
    ("Always put tests in tests/unit.", "Always put tests in spec/."),
    ("Indent with 4 spaces.", "Indent with tabs."),
    ("Indent with two spaces.", "Indent with four spaces."),
    ("Functions must never exceed 40 lines.", "Functions must never exceed 60 lines."),
    ("Keep functions under 40 lines.", "Keep functions below 30 lines."),
    ("Tests live in spec/.", "Tests live in tests/."),
    ("Use port 8080 for staging.", "Use port 8081 for staging."),
    ("Limit lines to 120 characters.", "Lines may be at most 80 characters long."),
    ("Use the `dev` branch for daily work.", "Use the `main` branch for daily work."),
    ("Use Slack for team communication.", "From now on use Teams for team communication."),
    ("Always set the log level to DEBUG.", "Always set the log level to INFO."),
    ("Always write docstrings in Google style.", "Always write docstrings in NumPy style."),
    ("Use UTC for all timestamps.", "Use local time for all timestamps."),
    ("Write commits in lower case.", "Write all commits in upper case."),
    ("Schreibe Klassennamen immer in snake_case.", "Schreibe Klassennamen immer in CamelCase."),
    ("Beginne Namen immer mit 'z_'.", "Namen sollen künftig immer mit 'vr_' beginnen."),
    ("Verwende für Kommentare Deutsch.", "Verwende ab jetzt für Kommentare Englisch."),
    ("Verwende GitLab als Ablage.", "Verwende ab jetzt Bitbucket als Ablage."),
    ("Halte Funktionen unter 40 Zeilen.", "Halte Funktionen unter 60 Zeilen."),
    ("Lege Tests immer in tests/unit ab.", "Lege Tests immer in spec/ ab."),
    ("Rücke immer mit vier Leerzeichen ein.", "Rücke immer mit Tabs ein."),
    ("変数名は必ず'z_'で始めてください。", "今後、変数名は'vr_'で始めてください。"),
    ("クラス名はスネークケースにしてください。", "クラス名は必ずキャメルケースにしてください。"),
    ("関数は40行以内にすること。", "関数は60行以内にすること。"),
    ("連絡にはSlackを使ってください。", "今後、連絡にはTeamsを使ってください。"),
    ("モジュールは必ずsrc/aに置いて。", "モジュールは今後src/libに置いてください。"),
    ("コミットは日本語で書いてください。", "今後、コミットは英語で書いてください。"),
    ("インデントは必ずタブを使ってください。", "インデントは必ずスペースを使ってください。"),
    ("必ずGitLabを版の管理として使って。", "必ずBitbucketを版の管理として使って。"),
    ("テストは必ずtests/に置いてください。", "テストは必ずspec/に置いてください。"),
)
"""Rules about the same thing; either ends the other, whichever comes later."""
OTHERS = (
    ("Use port 8080 for staging.", "Use port 9090 for production."),
    ("From now on use port 80 for the old server.", "From now on use port 90 for the new server."),
    ("Use tabs in JSON.", "Use spaces in YAML."),
    ("Use tabs in JSON files.", "Use tabs in YAML files."),
    ("Always include 'chx' in function names.", "Always include 'chx' in function argument names."),
    ("Always end function names with '_a'.", "Always end function argument names with '_b'."),
    ("Always start names with 'a_'.", "Always end names with '_b'."),
    ("Always add '@retry' to all methods.", "Always add '@trace' to all methods."),
    ("Always import the 'bz2' module.", "Always import the 'gzip' module."),
    ("Use '@retry' for all methods.", "Use '@trace' for all methods."),
    ("Use httpx for requests.", "Use mypy for type checks."),
    ("Use Redis for caching.", "Use Redis for queues."),
    ("Use docstrings in methods.", "Use annotations for methods."),
    ("All code needs at least 2 reviews.", "All code needs at most 5 reviews."),
    ("Never commit before the tests ran.", "Always commit after the tests ran."),
    ("Never use port 8080.", "Never use port 9090."),
    ("Keep functions under 40 lines.", "Keep files under 400 lines."),
    ("Use semicolons in JavaScript.", "Use single quotes in JavaScript."),
    ("Answer in German.", "Write commit messages in English."),
    ("Always log in English.", "Also always log in German, too."),
    ("From now on, write a test for all code.", "From now on, write a note for all code."),
    ("From now on run ruff before each commit.", "From now on run pytest before each commit."),
    ("Verwende für JSON immer Tabs.", "Verwende für YAML immer Leerzeichen."),
    ("Ab jetzt Kommentare auf Deutsch.", "Ab jetzt Commits auf Englisch."),
    ("Verwende immer Docstrings für Methoden.", "Verwende immer Annotationen für Methoden."),
    ("Behandle Warnungen immer als Fehler.", "Behandle Hinweise immer als Fehler."),
    ("JSONでは必ずタブを使ってください。", "YAMLでは必ずスペースを使ってください。"),
    ("関数名は必ず'a_'で始めてください。", "変数名は必ず'b_'で始めてください。"),
    ("関数名は必ず'a_'で始めてください。", "関数名は必ず'_b'で終えてください。"),
    ("必ず'bz2'をインポートしてください。", "必ず'gzip'をインポートしてください。"),
    ("コメントは英語で書いてください。", "コミットは日本語で書いてください。"),
    ("関数は40行以内にすること。", "ファイルは400行以内にすること。"),
)
"""Rules that stand beside each other."""


def rule(sentence: str) -> Instruction:
    found = instruction_in(sentence)
    assert found is not None
    assert not found.tentative
    return found


@pytest.mark.parametrize("pair", SAME_THING)
def test_another_value_for_the_same_thing_ends_the_older_rule(pair):
    for old, new in permutations(pair):
        assert replaces(rule(new), rule(old))


@pytest.mark.parametrize("pair", OTHERS)
def test_what_is_about_something_else_stands_beside_it(pair):
    for old, new in permutations(pair):
        assert not replaces(rule(new), rule(old))


def test_a_rule_is_taken_apart():
    parts = parts_of("Always start function argument names with 'x_'.")
    assert parts.about == {"start", "function", "argument", "nam"}
    assert parts.values == {"literal": {"'x_'"}}
    assert parts.single
    assert parts_of("Use tabs in JSON files.").values == {"indentation": {"tab"}}
    assert parts_of("Write all JSON in English.").values == {"notation": {"json"}}


KINDS = ("class", "function", "method", "function argument", "variable", "test class", "file")
FORMS = (
    ("Always start {} names with '{}'.", ("a_", "b_", "xx_", "q")),
    ("Always end {} names with '{}'.", ("_a", "_b", "_xx", "q")),
    ("From now on, keep each {} under {} lines.", ("20", "40", "60")),
    ("Use {1} for {0} names.", ("snake_case", "CamelCase", "kebab-case")),
    ("Write each {} comment in {}.", ("English", "German", "French")),
    ("Always store each {} template in {}.", ("lib/", "src/kinds/", "etc/x.txt")),
)
THINGS = st.tuples(st.sampled_from(KINDS), st.sampled_from(FORMS))


@st.composite
def sayings(draw: st.DrawFn) -> list[tuple[tuple[str, str], str]]:
    """Rules about things drawn anew, each with what it is about."""
    drawn = draw(st.lists(THINGS, min_size=1, max_size=12))
    values = [draw(st.sampled_from(values)) for _, (_, values) in drawn]
    return [
        ((kind, form), form.format(kind, value))
        for (kind, (form, _)), value in zip(drawn, values, strict=True)
    ]


@settings(max_examples=examples(200))
@given(sayings())
def test_each_rule_ends_those_about_its_thing_and_no_other(said):
    for thing, new in said:
        for other, old in said:
            assert replaces(rule(new), rule(old)) == (thing == other)
