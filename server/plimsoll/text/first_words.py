"""The beginning of a text, on one line."""


def first_words(text: str, most: int) -> str:
    """Return the first ``most`` characters of a text whose words are joined by single spaces.

    Only the beginning is read: a text may be megabytes long.
    """
    # So many words and the spaces between them are longer than that.
    return " ".join(text.split(None, most)[:most])[:most]


def cut_line(line: str, limit: int) -> str:
    """Cut a line to at most ``limit`` characters, and say how much is missing."""
    return line if len(line) <= limit else f"{line[:limit]}… ({len(line) - limit} more characters)"
