"""How a text begins, on one line, without reading all of it: a text may be megabytes long."""


def first_words(text: str, most: int) -> str:
    """Return the first ``most`` characters of a text whose words are joined by single spaces."""
    # So many words and the spaces between them are longer than that.
    return " ".join(text.split(None, most)[:most])[:most]
