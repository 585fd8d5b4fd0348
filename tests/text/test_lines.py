from plimsoll.text.lines import lines_of, version_of_lines


def test_lines_end_with_line_feeds_alone():
    assert list(lines_of("a\r\nb\u2028c\x0cd\re\n")) == ["a", "b\u2028c\x0cd\re"]
    assert list(lines_of("a\n\nb")) == ["a", "", "b"]
    assert list(lines_of("")) == []


def test_lines_are_the_same_however_they_end():
    versions = {version_of_lines(lines_of(text)) for text in ("a\nb\n", "a\r\nb", "a\nb")}
    assert len(versions) == 1
