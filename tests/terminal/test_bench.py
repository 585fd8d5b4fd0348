"""`plimsoll bench`: sessions of others and one's own, as tables and as one page."""

import io
import json
import re
from argparse import Namespace

import pytest

from plimsoll.context.log.messages import Role
from plimsoll.errors import InvalidInput
from plimsoll.terminal.commands.recorded.bench import bench
from plimsoll.terminal.screen import Screen

ASKED = {
    "files": (),
    "mine": False,
    "claude_code": False,
    "codex": False,
    "window": 8_192,
    "html": None,
    "config": None,
}


def asked(**given: object) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    code = bench(Namespace(**{**ASKED, **given}), Screen(out, err))
    return code, out.getvalue() + err.getvalue()


def rows(result: str = "x = 1\n") -> list[dict[str, object]]:
    found: list[dict[str, object]] = [{"role": Role.USER, "content": "Read <b>a.py</b>, always."}]
    for number in range(40):
        call = {"id": f"c{number}", "name": "Read", "arguments": {"path": "a.py"}}
        found.append({"role": "assistant", "content": None, "tool_calls": [call]})
        text = f"{number} {result * 300}"
        found.append({"role": "tool", "tool_call_id": f"c{number}", "content": text})
    return [*found, {"role": "assistant", "content": "Done."}]


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = tmp_path / "<i>day.jsonl"
    path.write_text("\n".join(map(json.dumps, rows())))
    return path


def test_the_policies_stand_side_by_side(recorded):
    code, told = asked(files=[str(recorded)])
    assert code == 0
    assert "41 requests, a window of 8,192 tokens" in told
    assert re.search(r"no reduction +1\.000 +1\.000 +100\.0 %", told)
    assert re.search(r"Plimsoll, 8,192 tokens +0\.\d+ .* 0\n", told)
    assert "results of file_read" in told


def test_the_page_loads_nothing_and_shows_names_as_they_are(recorded, tmp_path):
    page = tmp_path / "page.html"
    asked(files=[str(recorded)], html=str(page))
    text = page.read_text()
    assert re.findall(r"(?:(?<!-)src|href|url|@import|<script)[ =(]", text) == []
    assert "default-src 'none'" in text
    assert "&lt;i&gt;day" in text
    assert "<i>day" not in text
    assert text.count("<svg") == 1
    assert "<circle" in text
    # What was said in a session is nobody's business who gets the page.
    assert "a.py" not in text


def test_own_transcripts_are_read_when_asked_for_and_an_unknown_version_is_named(
    recorded, tmp_path, monkeypatch
):
    folder = tmp_path / "claude" / "projects" / "-w"
    folder.mkdir(parents=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    said = [
        {"type": "user", "version": "2.0.0", "message": {"content": "Go on."}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "I do."}]}},
    ]
    (folder / "known.jsonl").write_text("\n".join(map(json.dumps, said)))
    (folder / "newer.jsonl").write_text(json.dumps({**said[0], "version": "7.1.0"}))
    code, told = asked(claude_code=True)
    assert code == 0
    assert "1 session, 1 request" in told
    assert "newer.jsonl is left out: This transcript is of Claude Code 7.1.0" in told


def test_without_a_session_it_says_what_to_name():
    with pytest.raises(InvalidInput, match="nothing to compare"):
        asked()
