import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.tools.display import (
    escape_hidden,
    unescape_hidden,
    visible,
    visible_diff,
    visible_line,
)

ATTACKS = {
    "escape": ("ls\x1b[8m; rm x\x1b[0m", "ls⟨U+001B⟩[8m; rm x⟨U+001B⟩[0m"),
    "carriage return": ("rm -rf x\rls", "rm -rf x⟨U+000D⟩ls"),
    "backspace": ("rm\x08\x08ls", "rm⟨U+0008⟩⟨U+0008⟩ls"),
    "right to left": ("a\u202etxt.exe", "a⟨U+202E⟩txt.exe"),
    "isolate": ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
    "zero width": ("l\u200bs", "l⟨U+200B⟩s"),
    "byte order mark": ("\ufeffls", "⟨U+FEFF⟩ls"),
    "tag": ("ls\U000e0041", "ls⟨U+E0041⟩"),
    "variation selector": ("ls\ufe0f", "ls⟨U+FE0F⟩"),
    "hangul filler": ("ls\u3164", "ls⟨U+3164⟩"),
    "no-break space": ("ls\xa0x", "ls⟨U+00A0⟩x"),
    "line separator": ("ls\u2028rm", "ls⟨U+2028⟩rm"),
    "c1 control": ("ls\x9b8m", "ls⟨U+009B⟩8m"),
    "nul": ("ls\0", "ls⟨U+0000⟩"),
    "soft hyphen": ("l\xads", "l⟨U+00AD⟩s"),
    "private use": ("l\ue000s", "l⟨U+E000⟩s"),
    "lone surrogate": ("l\ud800s", "l⟨U+D800⟩s"),
    "tabs": (f"ls{chr(9) * 500}; rm x", "ls ⟨500 tabs⟩ ; rm x"),
    "mixed": (f"ls{' ' * 20}{chr(9) * 20}; rm x", "ls ⟨40 spaces and tabs⟩ ; rm x"),
    "an indent": (f"ls\n{' ' * 400}rm x", "ls\n ⟨400 spaces⟩ rm x"),
    "blank lines": (f"ls{chr(10) * 201}rm x", "ls\n⟨200 blank lines⟩\nrm x"),
    "padding": (f"ls{' ' * 200}; rm x", "ls ⟨200 spaces⟩ ; rm x"),
}


LOOK_ALIKES = (
    *("\u0441url", "p\u0443test", "./gradl\u0435w", "np\u0445", "b\u0430sh", "g\u0456t"),
    *("\u0455udo", "\u0501ocker", "x\u1d00\u0443", "g\u03bffmt", "\u03bdim", "m\u0391ke"),
    *("py\u03c4h\u03bfn", "\u0261it", "rm_\u0441ache", "a1\u043e", "\u0585pen", "\u0422RUE"),
    *("n\u043ede --version", "rm -rf .\u2215src", "a\u2044b", "ls\u037e rm", "x\u29f8y"),
    *("echo \u01c3x", "a\ua789b", "sh \u2236x", "c\u0430t\u200bx"),
)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_looks_like_another_letter_among_latin_ones_is_said(text):
    for shown in (visible(text), visible_line(text)):
        assert shown != text
        assert "⟨U+" in shown
        assert unescape_hidden(shown) == text


@pytest.mark.parametrize(
    "text",
    [
        "git commit -m 'Ошибка: не сортирует'",
        "10 μs, 3 kΩ, Δx",
        "cd документы/src",
        "größe naïve",
        "αβγ",
    ],
)
def test_words_of_other_scripts_are_as_they_are(text):
    assert visible(text) == text


def test_a_long_word_is_no_work():
    assert len(visible("\u00e9" * 500_000 + "\u0441" * 500_000)) == 1_000_000


@pytest.mark.parametrize(("text", "shown"), ATTACKS.values(), ids=ATTACKS.keys())
def test_nothing_is_hidden(text, shown):
    assert visible(text) == shown


def test_ordinary_text_is_as_it_is():
    text = "def größe(): # 日本語 emoji 🙂\n\treturn 1\n    indented"
    assert visible(text) == text


def test_a_diff_keeps_its_columns():
    line = f"x ={' ' * 40}1"
    assert escape_hidden(line) == line


def test_a_title_is_one_line_and_says_what_it_leaves_out():
    assert visible_line("# comment\nrm -rf x") == "# comment⏎rm -rf x"
    assert visible_line("a" * 30, limit=10) == f"{'a' * 10}… (20 more characters)"


@given(st.text())
def test_what_is_shown_is_printable(text):
    assert all(part.isprintable() for part in visible(text).replace("\t", "").split("\n"))


def test_what_pushes_the_end_of_a_diff_out_of_sight_is_folded():
    blank = "+\n" * 200
    diff = f"@@ -0,0 +1,202 @@\n+ok()\n{blank}+evil(){' ' * 400}# far\n+{' ' * 400}right"
    assert visible_diff(diff).split("\n") == [
        "@@ -0,0 +1,202 @@",
        "+ok()",
        "+⟨200 blank lines⟩",
        "+evil() ⟨400 spaces⟩ # far",
        "+ ⟨400 spaces⟩ right",
    ]
    ordinary = f"@@ -1,2 +1,2 @@\n+{' ' * 24}x = 1\n+\n+\n+y"
    assert visible_diff(ordinary) == ordinary
