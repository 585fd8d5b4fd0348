"""What lock files of npm say of where packages come from: nothing."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("client-vscode", "tests/e2e", "tests/servers/acpx", "tests/servers/mcp_node")


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_lock_file_of_npm_names_a_registry(folder: str):
    """Whoever builds may have another one; what is installed is checked against its hash."""
    assert '"resolved"' not in (ROOT / folder / "package-lock.json").read_text("utf-8")
