"""Wording that messages of many rooms share."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """Write a count with its noun: ``1 turn``, ``2,000 turns``.

    ``many``: the form for several, where an s is not enough.
    """
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"


def how_to_install(extra: str) -> str:
    """Say the ways to an extra, to stand behind a colon; nothing of Plimsoll is in an index."""
    return (
        f"in VS Code by “Plimsoll: Install an Extra…”, elsewhere by pip install '.[{extra}]' in "
        "the checkout of Plimsoll"
    )
