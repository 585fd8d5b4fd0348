"""What is a standing instruction, by its words, and which earlier one it ends."""

import pytest

from plimsoll.text.instructions import LONGEST, instruction_in, replaces
from plimsoll.text.sentences import sentences

RULES = (
    "Never push.",
    "Never push to main without asking me.",
    "Always run the linter before you commit.",
    "From now on, write tests before code.",
    "Don't touch the vendor folder.",
    "Do not add new dependencies.",
    "Please never edit generated files.",
    "Use tabs, not spaces.",
    "Use pnpm instead of npm.",
    "Use British spelling.",
    "Keep functions under 40 lines.",
    "Answer in German.",
    "Prefer composition over inheritance.",
    "You must not modify the tests.",
    "All public functions need type hints.",
    "Every commit message must name the ticket.",
    "In this project, tests live in spec/.",
    "No new dependencies, please.",
    "Stick to the standard library.",
    "Functions should never exceed 40 lines.",
    "We never use print for logging.",
    "I prefer short answers.",
    "Ask me before you delete anything.",
    "Write commit messages in English.",
    "Write all comments in English.",
    "Only touch files below src/.",
    "Stay away from the legacy folder.",
    "Leave the migrations alone.",
    "Run the tests after each change.",
    "Log times in UTC.",
    "Name branches feature/<ticket>.",
    "Actually use spaces.",
    "No, spaces instead.",
    "You may push now.",
    "Forget what I said about tabs.",
    "Ignore the rule about pushing.",
    "Don't use any.",
    "Make sure all tests pass before every commit.",
    "Remember that the API is frozen.",
    "Avoid global state.",
    "Wait for my ok before you deploy.",
    "Don't ever force-push.",
    "and never squash",
    "ok, but don't rename public functions",
    "src/gen is off-limits.",
    "Verwende immer Tabs.",
    "Bitte ändere die Tests nicht.",
    "Pushe nie ohne zu fragen.",
    "Keine neuen Abhängigkeiten.",
    "N'utilise jamais eval.",
    "Ne touche pas aux tests.",
    "Nunca uses eval.",
    "No toques los tests.",
    "Não use eval.",
    "Используй только табы.",
    "Всегда пиши тесты.",
    "不要修改测试。",
    "必ずテストを書いて。",
    "テストを変更しないでください。",
    "테스트를 수정하지 마세요.",
    "Commits never mention ticket numbers.",
    "Stop adding comments.",
    "Use snake_case for test names.",
    "Explain briefly.",
    "Indent with two spaces.",
    "Use 4 spaces.",
    "Tests must not sleep.",
    "No emojis.",
    "Treat warnings as errors.",
    "Sign every commit.",
    "Tests go in spec/, not in test/.",
    "Be brief.",
    "Halte Funktionen unter 40 Zeilen.",
    "Kommentare nur auf Englisch.",
    "Frag mich, bevor du etwas löschst.",
    "Von nun an nur noch kleine Commits.",
    "Ich möchte, dass du nach jeder Änderung die Tests laufen lässt.",
    "Lass die Migrationen in Ruhe.",
    "今後はスペースを使ってください。",
    "コミットメッセージは日本語で書いてください。",
    "変数名は英語にしてください。",
    "関数は40行以内にすること。",
    "やっぱりタブではなくスペースを使ってください。",
)
ONCE = (
    "Fix the test in x.py.",
    "Repair the build.",
    "Run the tests.",
    "The test always fails on CI.",
    "It never returns.",
    "This never worked.",
    "Don't worry about it.",
    "I don't think that is right.",
    "It doesn't work.",
    "It must be the parser.",
    "Add a function that parses dates.",
    "What does this do",
    "Rename foo to bar in src/a.py.",
    "Use this function here.",
    "Never mind.",
    "No problem.",
    "Yes, go on.",
    "Look at line 12 of src/a.py.",
    "Let's look at the tests.",
    "Great, thanks!",
    "Keep going.",
    "The server does not start.",
    "Can you find out why the cache is not used",
    "I changed the config, try again.",
    "Write a test for the parser.",
    "You can find the docs in docs/.",
    "It is not clear why.",
    "We have a bug in the date parser.",
    "No idea.",
    "Show me the diff.",
    "Now commit it.",
    "The build has never been green.",
    "Summarise the changes.",
    "Update the changelog.",
    "Explain why this is slow.",
    "Continue with the next step.",
    "Delete the old files.",
    "I never saw that before.",
    "Die Fehlermeldung ist auf Englisch.",
    "この関数を使ってください。",
    "テストを書いてください。",
)
ENDED = (
    ("Use tabs.", "Actually use spaces."),
    ("Use tabs for indentation.", "No, spaces instead."),
    ("Use tabs for indentation.", "Use spaces, not tabs."),
    ("Never push without asking.", "You may push now."),
    ("Use tabs.", "Forget what I said about tabs."),
    ("Answer in German.", "Answer in English."),
    ("Keep functions under 40 lines.", "Keep functions under 60 lines."),
    ("Always run the tests before committing.", "You don't have to run the tests any more."),
    ("Use port 8080.", "No, 9090 instead."),
    ("Don't touch the vendor folder.", "You can edit vendor now."),
    ("Put tests in tests/unit.", "Actually, put the tests into spec/."),
    ("Use pnpm.", "Use npm instead of pnpm."),
    ("Never push.", "Never push."),
    ("Write commit messages in German.", "From now on write commit messages in English."),
    ("Always squash.", "Never squash."),
    ("Never force-push.", "Ignore the rule about force-pushing."),
    ("Use double quotes.", "Use single quotes, not double."),
    ("Never push.", "Forget what I said about pushing."),
    ("Use tabs.", "actually use spaces"),
    ("Never deploy on Fridays.", "You may deploy on Fridays now."),
    ("Verwende Tabs.", "Nein, doch lieber Spaces, keine Tabs."),
    ("Use tabs for indentation.", "Not tabs after all, spaces."),
    ("Please indent with tabs in this project.", "hm, not tabs after all, spaces please"),
    ("From now on, use tabs.", "Scratch that, use spaces."),
    ("Verwende Tabs.", "Doch keine Tabs, sondern Leerzeichen."),
    ("Antworte immer auf Deutsch.", "Antworte ab jetzt auf Englisch."),
)
"""What was said, and what was said later that ends it."""
BOTH_STAY = (
    ("Never push.", "You may push to the feature branch now."),
    ("Never touch vendor.", "Actually, use rg for searching."),
    ("Never touch vendor/.", "Never touch dist/."),
    ("Never push.", "You may push this once."),
    ("Use tabs in Makefiles.", "Use spaces in YAML."),
    ("Never push to main.", "Never force-push to release branches."),
    ("Use double quotes in Python.", "Use single quotes in JavaScript."),
    ("Never push to main.", "Actually, name the main module core.py."),
    ("Never push.", "Fix the push script."),
    ("Keep functions under 40 lines.", "Keep classes under 60 methods."),
    ("Always run the tests.", "Don't run the tests in this case."),
    ("Never edit generated files.", "Edit the generated files in src/gen."),
    ("Never delete files.", "You may now look at all files."),
    ("Never commit secrets.", "You may commit now."),
    ("Use spaces.", "Scratch that, use tabs in Makefiles."),
    ("Keine neuen Pakete.", "Keine Tabs, sondern Leerzeichen."),
    ("Never push to main.", "Not main, spaces."),
    ("Use tabs.", "Keine neuen Tabs, bitte."),
)
"""What was said, and what was said later that does not end it, or not surely."""


@pytest.mark.parametrize("sentence", RULES)
def test_what_shall_hold_from_now_on_is_an_instruction(sentence):
    found = instruction_in(sentence)
    assert found is not None
    assert not found.tentative
    assert found.text == sentence


@pytest.mark.parametrize("sentence", ONCE)
def test_a_task_and_a_report_are_none(sentence):
    assert instruction_in(sentence) is None


@pytest.mark.parametrize(("before", "later"), ENDED)
def test_a_correction_ends_what_it_corrects(before, later):
    old, new = instruction_in(before, under_rules=True), instruction_in(later)
    assert replaces(new, old)


@pytest.mark.parametrize(("before", "later"), BOTH_STAY)
def test_where_it_is_not_sure_both_stay(before, later):
    old, new = instruction_in(before, under_rules=True), instruction_in(later)
    assert new is None or not replaces(new, old)


def test_what_only_may_be_a_correction_is_marked_so():
    assert instruction_in("Actually, that looks good.").tentative
    assert instruction_in("Not sure, sorry.").tentative


def test_a_long_sentence_is_no_rule():
    assert instruction_in("Never push " + "and push " * LONGEST) is None


@pytest.mark.parametrize(
    ("sentence", "general"),
    [
        ("Always answer briefly.", 2),
        ("Never touch any file below src/gen.", 2),
        ("Answer briefly.", 1),
        ("Don't touch src/gen/a.py.", 0),
    ],
)
def test_what_names_one_place_is_the_least_general(sentence, general):
    assert instruction_in(sentence).general == general


@pytest.mark.parametrize(
    "sentence",
    [
        "Also, I'd like you to start all variable names with 'z_'.",
        "Please ensure that all function names end with '_b'.",
        "For attribute names, include the string 'chx' somewhere in the name.",
        "When naming classes, use CamelCase.",
        "We end function argument names with '_g'.",
        "When you write tests, always use pytest.",
        "Keep going, but never touch vendor.",
        "Don't worry about style, never push.",
        "Never lose user data.",
    ],
)
def test_a_rule_told_in_passing_is_one(sentence):
    (plain,) = sentences(sentence)
    assert plain.plain
    assert not instruction_in(sentence).tentative


@pytest.mark.parametrize(
    "sentence",
    [
        "Keep up the good work, and don't hesitate to reach out if you have any questions.",
        "Feel free to reach out to me.",
        "By using '@trace_class', we gain visibility.",
        "Rename all variables named 'foo' to 'bar'.",
        "Find all tests that end with '_slow'.",
        "My door is always open.",
        "They can be opened on any device.",
        "It always crashes for all inputs.",
        "I want you to fix the failing tests in the parser.",
        "Hi, you must be Ella.",
    ],
)
def test_talk_and_tasks_about_things_at_hand_are_none(sentence):
    found = instruction_in(sentence)
    assert found is None or found.tentative


@pytest.mark.parametrize(
    "said",
    [
        "STANDING RULE for the whole session: each line you change is to carry the tag #lane.",
        "Convention here: snake_case.",
        "Our policy on commits: one idea each.",
    ],
)
def test_what_calls_itself_a_rule_is_one(said):
    assert instruction_in(said) is not None
