"""How a person installs an extra of the package, wherever its lack is told."""


def how_to_install(extra: str) -> str:
    """Say the ways to an extra, to stand behind a colon; nothing of Plimsoll is in an index."""
    return (
        f"in VS Code by “Plimsoll: Install an Extra…”, elsewhere by pip install '.[{extra}]' in "
        "the checkout of Plimsoll"
    )
