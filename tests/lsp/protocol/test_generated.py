import re
import subprocess
import sys
from pathlib import Path

from plimsoll.lsp.protocol.methods import METHODS
from plimsoll.lsp.protocol.schema import json_schema

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "scripts" / "lib" / "generate_protocol.py"
TYPES = "client-vscode/src/protocol.ts"

# Words in the contract's braces that name no field, shape or choice of ours.
NOTATION = """
string bool number boolean fields with first largest latest send Record unknown null
loc msg experimental initializationOptions didChangeTrust
"""


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(GENERATOR), *arguments], capture_output=True, text=True, check=False
    )


def test_the_committed_files_are_what_the_models_say():
    answer = generate("--check")

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


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
    assert "import" not in (ROOT / TYPES).read_text()


def contract() -> str:
    """The contract beside the repository; without it, the page that was generated last."""
    beside = ROOT.parent / "shared" / "wire.md"
    page = beside if beside.is_file() else ROOT / "docs" / "wire.md"
    text = page.read_text(encoding="utf-8")
    return text.partition("## Tools, as the model sees them")[0]


def words(text: str) -> set[str]:
    """Every name inside a `{...}` of the text's code spans, without quoted prose."""
    spans = re.findall(r"`([^`]*)`", text)
    shapes = " ".join(span for span in spans if "{" in span)
    return set(re.findall(r"[A-Za-z]\w+", shapes))


def test_every_method_of_the_contract_is_there():
    named = set(re.findall(r"`(plimsoll/[a-zA-Z/]+)[` ]", contract()))

    assert named - {"plimsoll/"} == set(METHODS)


def known() -> set[str]:
    """Every field, shape, tag and member of a choice that the schema has."""
    names: set[str] = set()
    for name, body in json_schema()["$defs"].items():
        names |= {name, *body.get("properties", ()), *body.get("enum", ())}
        names |= {
            field["const"] for field in body.get("properties", {}).values() if "const" in field
        }
    return names


def test_every_field_of_the_contract_is_there():
    text = contract()

    assert len(words(text)) > 150
    assert words(text) - known() - set(NOTATION.split()) == set()
