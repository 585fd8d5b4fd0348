"""Writes what is generated of the code: TypeScript and pages.

Of the wire these are the client's types, docs/wire.md and the slash commands of the Neovim plugin,
of the names on which programs act the tables in docs/security.md and docs/settings.md.

With `--check` nothing is written: the exit code is 1 when a file differs from the code.
"""

import argparse
import sys
from pathlib import Path

import acting_markdown
import protocol_markdown
import protocol_typescript
import slash_lua

from plimsoll.lsp.wire.schema import json_schema
from plimsoll.tools.files.protected import TABLE

ROOT = Path(__file__).resolve().parents[3]


def generated() -> dict[str, str]:
    """Every generated file by its path in the repository."""
    schema = json_schema()
    return {
        "client-vscode/src/protocol.ts": protocol_typescript.types(schema),
        "client-vscode/src/methods.ts": protocol_typescript.methods(schema),
        "server/plimsoll/editors/nvim/lua/plimsoll/slashes.lua": slash_lua.table(schema),
        "docs/wire.md": protocol_markdown.document(schema),
        "docs/security.md": acting_markdown.with_rows(_page("docs/security.md"), TABLE),
        "docs/settings.md": acting_markdown.with_reasons(_page("docs/settings.md")),
    }


def differing(files: dict[str, str], root: Path) -> list[str]:
    """The paths whose file is missing or other than generated."""
    return [path for path, text in files.items() if _text(root / path) != text]


def write(files: dict[str, str], root: Path) -> None:
    """Write every file, making its folder where needed."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _page(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    arguments = parser.parse_args()
    files = generated()
    changed = differing(files, arguments.root)
    if arguments.check:
        for path in changed:
            print(f"{path} differs from the code: run python scripts/lib/protocol/generate.py")
        return 1 if changed else 0
    write({path: files[path] for path in changed}, arguments.root)
    print(f"{len(changed)} of {len(files)} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
