"""Phrases that many messages share."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Format a count with its noun: ``1 turn``, ``2,000 turns``.

    ``many``: the plural, if it does not end in s.
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def how_to_install(extra: str) -> str:
    """Describe how to install an extra, for after a colon; Plimsoll is in no package index."""
    return (
        f"in VS Code by “Plimsoll: Install an Extra…”, elsewhere by pip install '.[{extra}]' in "
        "the checkout of Plimsoll"
    )
