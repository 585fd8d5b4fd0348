import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll.errors import ToolFailed
from plimsoll.tools.files.editing import Content, Replacement, apply_change, ending_of

REPLACED = {
    "one place": ("a\nb\n", Replacement("b", "c"), "a\nc\n"),
    "several lines": ("a\nb\nc\n", Replacement("a\nb", "x"), "x\nc\n"),
    "nothing instead": ("a\nb\n", Replacement("a\n", ""), "b\n"),
    "everywhere": ("a b a\n", Replacement("a", "c", everywhere=True), "c b c\n"),
    "overlapping, everywhere": ("aaa", Replacement("aa", "b", everywhere=True), "ba"),
    "windows endings": ("a\r\nb\r\nc\r\n", Replacement("a\nb", "x\ny"), "x\r\ny\r\nc\r\n"),
    "windows endings given": ("a\nb\n", Replacement("a\r\nb", "x\r\ny"), "x\ny\n"),
    "one line in windows endings": ("a\r\nb\r\n", Replacement("b", "b\nc"), "a\r\nb\r\nc\r\n"),
    "old mac endings": ("a\rb\rc\r", Replacement("a\nb", "x\ny"), "x\ry\rc\r"),
    "one line in old mac endings": ("a\rb\r", Replacement("b", "b\nc"), "a\rb\rc\r"),
    "two endings that are not one": ("a\r\nb", Replacement("\nb", "\n\nb"), "a\r\n\r\nb"),
    "all of it, old mac": ("a\rb\r", Content("c\nd\n"), "c\rd\r"),
    "behind odd signs": ("\x0c\n\u2028a\nb", Replacement("a\nb", "c"), "\x0c\n\u2028c"),
    "mixed endings": ("a\r\nb\nc\n", Replacement("a\nb", "x\ny"), "x\r\ny\nc\n"),
    "not a pattern": ("a.b axb\n", Replacement("a.b", r"\1"), "\\1 axb\n"),
    "a part of a name": ("größe\n", Replacement("öß", "oess"), "groesse\n"),
    "new file": (None, Content("a\n"), "a\n"),
    "all of it": ("a\n", Content("b\n"), "b\n"),
    "all of it, windows": ("a\r\nb\r\n", Content("c\nd\n"), "c\r\nd\r\n"),
    "all of it, windows given": ("a\r\nb\r\n", Content("c\nd\r\n"), "c\nd\r\n"),
    "a mark of its own": ("a", Content("\ufeffb"), "b"),
}


@pytest.mark.parametrize(("text", "change", "result"), REPLACED.values(), ids=REPLACED.keys())
def test_changed(text, change, result):
    assert apply_change(text, change, "f") == result


REFUSED = {
    "absent": ("a\nb\n", Replacement("x", "y"), "does not occur in f. Read the file again"),
    "close": ("a\n  bee = 1\n", Replacement("bee = 1\nc", "y"), "Line 2 comes close:   bee = 1"),
    "numbered": ("a\nb\n", Replacement("1\ta", "y"), "Leave out the line numbers"),
    "numbered further down": ("a\nb\n", Replacement("a\n10\tb", "y"), "Leave out the line numbers"),
    "twice": ("a\nb\na\n", Replacement("a", "y"), "occurs 2 times in f: lines 1, 3. Give more"),
    "one ending for two": ("a\r\nb", Replacement("a\n\nb", "y"), "does not occur in f"),
    "twice behind odd signs": ("\x0c\r\u2028a\ra", Replacement("a", "y"), "lines 2, 3. Give"),
    "overlapping": ("aaa", Replacement("aa", "b"), "occurs 2 times in f: lines 1, 1"),
    "many": ("a\n" * 30, Replacement("a", "y"), "9, 10 and 20 more. Give more"),
    "same": ("a\n", Content("a\n"), "already reads so"),
    "same but for endings": ("a\r\nb\r\n", Content("a\nb\n"), "already reads so"),
}


@pytest.mark.parametrize(("text", "change", "told"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(text, change, told):
    with pytest.raises(ToolFailed) as failure:
        apply_change(text, change, "f")
    assert told in failure.value.message


def test_an_empty_new_file_is_a_change():
    assert apply_change(None, Content(""), "f") == ""


LINES = st.lists(st.text(st.characters(blacklist_characters="\r\n@", codec="utf-8")), min_size=1)


NEW = st.lists(st.sampled_from(["a", "é", " ", "\n", "\r\n", "\r", "\u2028", "\x85"]))


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), NEW.map("".join))
def test_endings_are_kept(lines, ending, new):
    text = ending.join([*lines, "@", "end", ""])
    result = apply_change(text, Replacement("@\nend", f"#{new}"), "f")
    assert ending_of(text) == ending
    # A carriage return by itself is what was meant.
    put = ending.join(re.split("\r?\n", f"#{new}"))
    assert result == ending.join([*lines, put, ""])
