"""What a terminal is given to show steers nothing."""

import io

from plimsoll.terminal.screen import Screen, one_line, plain


def test_controls_are_written_out():
    assert plain("a\x1b[2Jb\rc\x07\x9bd") == "a\\x1b[2Jb\\x0dc\\x07\\x9bd"


def test_marks_that_turn_the_reading_order_are_written_out():
    assert plain("rm \u202egpj.x\u2066") == "rm \\u202egpj.x\\u2066"


def test_text_lines_and_tabs_stay():
    text = "Zeile\tä 漢字 👩\u200d🚀\nnext"
    assert plain(text) == text
    assert plain("dos\r\nline") == "dos\nline"


def test_a_table_of_nothing_says_so():
    out = io.StringIO()
    Screen(out, io.StringIO()).table("Pins of 'a'", ("#n", "text"), [])
    assert out.getvalue() == "Pins of 'a': none\n"


def test_one_line_is_short_and_one():
    assert one_line("a\n b\t c") == "a b c"
    assert one_line("word " * 100, 11) == "word word …"
    assert one_line("x" * 161) == "x" * 159 + "…"
