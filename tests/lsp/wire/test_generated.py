import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "scripts" / "lib" / "protocol" / "generate.py"
TYPES = "client-vscode/src/protocol.ts"
PAGE = (ROOT / "docs" / "wire.md").read_text(encoding="utf-8")
CONTRACT = json.loads(Path(__file__).with_name("contract_v1.json").read_text(encoding="utf-8"))


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(GENERATOR), *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_the_committed_files_are_what_the_models_say():
    answer = generate("--check")

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


@pytest.mark.slow
def test_a_file_that_differs_is_named_and_left_alone(tmp_path):
    assert generate("--root", str(tmp_path)).returncode == 0
    changed = tmp_path / TYPES
    changed.write_text(changed.read_text().replace("sessionId", "session_id", 1))
    before = changed.read_text()

    answer = generate("--check", "--root", str(tmp_path))

    assert answer.returncode == 1
    assert answer.stdout.startswith(f"{TYPES} differs")
    assert changed.read_text() == before


def test_the_types_need_no_import():
    assert not re.search(r"^\s*import\b", (ROOT / TYPES).read_text(), re.MULTILINE)


def test_the_page_names_every_method_field_and_choice_of_version_1():
    written = " ".join(re.findall(r"`([^`]*)`", PAGE))
    methods = set(re.findall(r"plimsoll/[a-zA-Z/]+\w", written))
    words = set(re.findall(r"\w+", written))
    fields = {field for shape in CONTRACT["fields"].values() for field in shape}
    members = {member for choice in CONTRACT["choices"].values() for member in choice}

    assert set(CONTRACT["methods"]) - methods == set()
    assert (fields | members) - words == set()
