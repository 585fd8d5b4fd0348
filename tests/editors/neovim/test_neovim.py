"""A real Neovim with our plugin, loaded by the one line, and the product over its own pipes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plimsoll.session.commands.slash import SLASHES
from plimsoll.terminal.editors.plugins import PLUGINS

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs/editors.md").read_text("utf-8")
PLUGIN = PLUGINS["nvim"].loads.parents[1]
BIN = Path(sys.executable).parent
CHANGED = "eins\nb\nc\nd\ne\nf\ng\nZWEI\n"
PLACED = {"symbol": "load", "path": "load.py"}


def call(name: str, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


def rule(when: str, calls: list[dict[str, object]], text: list[object]) -> dict[str, object]:
    return {"when": when, "steps": [{"calls": calls}, {"text": text}]}


CODE = [
    call("symbols", path="load.py"),
    call("symbols", query="load"),
    call("definition", **PLACED, line=2),
    call("references", **PLACED, line=2),
    call("diagnostics", path="load.py"),
    call("rename", **PLACED, new_name="cargo"),
]
WRITE = call("file_write", path="note.txt", content="noted\n")
EDITS = [
    call("file_write", path="load.py", content="eins\nb\nc\nd\ne\nf\ng\nZWEI\nneun\n"),
    call("file_write", path="new.txt", content="fresh\n"),
    call("file_write", path="other.txt", content="one\n"),
]
PLAN = call("plan", steps=["Look at it", "Change it"])
TASKS = [{"title": "Look", "status": "completed"}, {"title": "Leap", "status": "pending"}]
THINKS = {"reasoning": "Hm,\nso it is.", "calls": [call("tasks", tasks=TASKS)]}
SCRIPT = {
    "rules": [
        rule("write", [WRITE], ["Written ", {"pause": 0.3}, "down."]),
        rule("three", EDITS, ["Edited."]),
        rule("plan", [PLAN], ["Planned."]),
        rule("two", [call("file_write", path="load.py", content=CHANGED)], ["Changed."]),
        rule("run", [call("shell", command="touch ran")], ["So be it."]),
        rule("look", [call("file_read", path="large.txt")], ["Looked."]),
        rule("lost", [call("file_read", path="lost.txt")], ["It is", " not there."]),
        {"when": "think", "steps": [THINKS, {"text": ["Considered."]}]},
        rule("code", CODE, ["Seen."]),
    ]
}
CUSTOM = "---\nargument-hint: WHAT\n---\nwhat is lost in $ARGUMENTS?\n"
CHAT = """\
> write it down

✓ Write note.txt
```diff
--- /dev/null
+++ b/note.txt
@@ -0,0 +1,1 @@
+noted
```
```
Created note.txt (+1 -0 lines).
```

Written down."""
REFUSED = """
✗ Run touch ran, refused: not before noon
```sh
touch ran
```
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_in(tmp_path)


def folder_in(home: Path) -> Path:
    folder = home / "folder"
    (folder / ".git").mkdir(parents=True)
    (folder / "load.py").write_text("a\nb\nc\nd\ne\nf\ng\nh\n")
    (folder / "other.txt").write_text("one\ntwo\n")
    (folder / "a name.md").write_text("x")
    (folder / ".claude" / "commands").mkdir(parents=True)
    (folder / ".claude" / "commands" / "tidy.md").write_text(CUSTOM)
    (folder / "large.txt").write_text("".join(f"a line of words {n}\n" for n in range(400)))
    return folder


def neovim(folder: Path, walk: str, **told: str) -> subprocess.CompletedProcess[bytes]:
    """What came of a walk through a Neovim that has nothing but what it loads itself."""
    home = folder.parent
    (home / "script.json").write_text(json.dumps(SCRIPT))
    variables = {
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "PLIMSOLL_DATA_DIR": str(home / "data"),
        "PLIMSOLL_MODEL__PROVIDER": "scripted",
        "PLIMSOLL_MODEL__NAME": str(home / "script.json"),
        "PLIMSOLL_DRIVER": str(HERE / "driver.lua"),
        "PLIMSOLL_LINE": PLUGINS["nvim"].code,
        "PLIMSOLL_PLUGIN": str(PLUGIN),
        "PLIMSOLL_FILE": str(folder / "load.py"),
        **told,
    }
    return subprocess.run(
        [BIN / "nvim", "--clean", "--headless", "-c", f"luafile {HERE / walk}"],
        capture_output=True,
        cwd=folder,
        env=variables,
        timeout=280,
    )


def found_by(folder: Path, walk: str, **told: str) -> dict[str, Any]:
    done = neovim(folder, walk, **told)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """One walk for all who look at a part of it."""
    folder = folder_in(tmp_path_factory.mktemp("walk"))
    configure_box(folder.parent)
    return found_by(folder, "walk.lua"), folder


def configure_box(home: Path) -> None:
    """The MCP server of the product's tests."""
    server = HERE.parents[1] / "product" / "mcp" / "official_server.py"
    (home / "texts.json").write_text("{}")
    config = home / ".config" / "plimsoll" / "config.toml"
    config.parent.mkdir(parents=True)
    args = json.dumps([str(server), str(home / "texts.json")])
    config.write_text(f"[mcp.box]\ncommand = {json.dumps(sys.executable)}\nargs = {args}\n")


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return found_by(folder_in(tmp_path_factory.mktemp("decisions")), "decisions.lua")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    folder = folder_in(tmp_path_factory.mktemp("check"))
    return found_by(folder, "health.lua"), folder


Walked = tuple[dict[str, Any], Path]


def test_the_answer_streams_and_a_call_is_one_folded_line(walked: Walked):
    found, folder = walked
    assert found["chat"].startswith(CHAT)
    assert (folder / "note.txt").read_text() == "noted\n"
    assert found["folded"] == CHAT.splitlines().index("Created note.txt (+1 -0 lines).") + 2
    assert found["half"]
    told = ["turnStarted", "toolCall", "toolUpdate", "textDelta", "turnEnded"]
    assert sorted(told, key=found["kinds"].index) == told


def test_a_change_is_asked_about_in_two_windows_and_no_key_of_habit_answers(walked: Walked):
    found, _ = walked
    assert found["panel"][0] == "Write note.txt?"
    assert found["sides"] == [[""], ["noted"]]
    assert found["still_asking"] == 1
    assert found["asking"].endswith("asks: :Plimsoll review")
    assert found["tabs"] == 1


def test_thoughts_and_tasks_are_blocks(walked: Walked):
    found, _ = walked
    _, _, turn = found["thought"].rpartition("> think about it\n")
    assert "\n∴ Thought\nHm,\nso it is.\n" in turn
    assert "☰ Tasks: 1 of 2 done\n  ✓ Look\n  · Leap\n" in turn
    assert turn.endswith("\n\nConsidered.")


def test_a_part_of_a_change_is_left_out(walked: Walked):
    found, _ = walked
    assert found["left_out"] == ["eins", *"bcdefgh"]
    assert found["kept"] == ["eins", *"bcdefgh"]


def test_a_command_is_refused_with_a_reason(walked: Walked):
    found, folder = walked
    assert found["command"] == "touch ran"
    assert REFUSED in found["chat"]
    assert not (folder / "ran").exists()


def test_a_whole_edit_is_refused_and_nothing_is_changed(decided: dict[str, Any]):
    assert "\n✗ Write load.py, refused: " in decided["refused"]
    assert decided["unchanged"] == [[*"abcdefgh"], "a\nb\nc\nd\ne\nf\ng\nh\n"]


def test_a_change_is_kept_and_another_is_undone_in_its_diff(decided: dict[str, Any]):
    listed = "\n".join(decided["listed"])
    assert listed.startswith("4 changes in 3 files\n\nload.py  2 changes, +3 -2\n")
    assert re.search(r"^ +8  \+2 -1 +ZWEI$", listed, re.MULTILINE)
    assert re.search(r"^ +2  \+0 -1 +- two$", listed, re.MULTILINE)
    assert decided["kept"] == "eins\nb\nc\nd\ne\nf\ng\nZWEI\nneun\n"
    # The first change is kept: it is no difference any more.
    assert decided["before"] == ["eins", *"bcdefgh"]
    assert decided["undone"] == "eins\nb\nc\nd\ne\nf\ng\nh\n"
    assert (decided["tabs"], decided["tabs_after"]) == (2, 1)


def test_a_new_file_is_taken_away_and_all_the_rest_is_undone(decided: dict[str, Any]):
    assert decided["taken_away"]
    assert decided["asked"].startswith("Undo 1 change in 1 file? ")
    assert decided["undone_at_the_end"] == "one\ntwo\n"


def test_a_plan_is_changed_before_it_is_accepted(decided: dict[str, Any]):
    assert decided["plan"] == "Plan:\n1. Look at it twice\n2. Change it"
    assert decided["closed"] == 1


def test_an_item_is_removed_pinned_and_the_removal_undone(walked: Walked):
    found, _ = walked
    large = re.compile(r"^ +2,\d{3}  tool result +large.txt$", re.MULTILINE)
    shown, removed, undone = ("\n".join(found[each]) for each in ("context", "removed", "undone"))
    assert large.search(shown)
    assert not large.search(removed)
    assert re.search(r"^ +0  tool result +removed +large.txt$", removed, re.MULTILINE)
    assert "Reductions" in removed
    assert large.search(undone)
    assert "Reductions" not in undone
    assert re.search(r"^● +\d+ .* look at it$", found["pinned"], re.MULTILINE)
    assert re.fullmatch(r"\d+% ok edit", found["status"])


def test_what_waits_in_the_inbox_is_accepted_or_rejected(walked: Walked):
    found, _ = walked
    inbox, reviewed = "\n".join(found["inbox"]), "\n".join(found["reviewed"])
    waiting, _, held = inbox.partition("\n\nRemembered: ")
    assert waiting.startswith("Waiting for your review: 2\n")
    assert "    The tide turns at seven." in waiting
    assert "    The tide turns at eight." in waiting
    assert "at seven" not in held
    assert "at seven" in reviewed
    assert "at eight" not in reviewed


def test_a_session_is_resumed_with_its_calls(walked: Walked):
    found, _ = walked
    assert found["empty"] == ""
    assert found["resumed"]
    assert "\n✓ Write note.txt\n" in found["after"]
    assert "\n✗ Run touch ran, failed: " in found["after"]
    assert "\n\nLooked.\n" in found["after"]


def test_a_custom_command_is_seen_before_it_goes(walked: Walked):
    found, _ = walked
    assert found["custom"] == ["/tidy WHAT"]
    assert found["unsent"]


def test_a_prompt_of_an_mcp_server_is_seen_before_it_goes(walked: Walked):
    found, _ = walked
    assert found["offered"] == ["/box:letter"]
    assert found["unsent_letter"]


def test_what_is_said_after_the_end_of_the_server_goes_to_the_same_session(walked: Walked):
    found, _ = walked
    assert found["survived"]
    assert found["survivor"].startswith("> write it down")
    assert found["survivor"].endswith("\nSo be it.")


def test_a_folder_is_asked_about_before_anything_can_be_typed_and_only_once(folder: Path):
    found = found_by(folder, "trust.lua")
    ((prompt, choices),) = found["asked"]
    assert prompt == f"Plimsoll in {folder}"
    assert choices[0] == "Read only"
    assert found["windows"] == 1
    assert found["times"] == 1
    assert "\n✗ Write note.txt, " in found["untrusted"]
    assert found["written"] == 0
    kept = folder.parent / ".local/state/nvim/plimsoll/trusted.json"
    assert json.loads(kept.read_text()) == {str(folder): True}


def test_the_modules_load_help_is_built_and_the_health_is_good(checked: Walked):
    found, _ = checked
    files = {path.stem for path in (PLUGIN / "lua" / "plimsoll").glob("*.lua")}
    assert {name.split(".")[-1] for name in found["modules"]} == {*files - {"init"}, "plimsoll"}
    assert set(found["modules"].values()) == {"table"}
    health = "\n".join(found["health"])
    assert "✅ OK The server runs in" in health
    assert not re.search("WARNING|ERROR", health)
    assert found["help"] == "plimsoll.txt"
    # It takes keys where a person asks for it alone.
    assert (found["globals"], found["keys_wanted"] > 0) == ([], True)
    assert found["completed"] == ["memories"]
    assert found["slashes"] == ["/pin", "/pins"]


def test_mentions_and_commands_are_completed_and_read(checked: Walked):
    found, folder = checked
    parts = [folder.joinpath(name).as_uri() for name in ("a name.md", "load.py")]
    assert found["mentions"] == [*parts, "changes"]
    assert found["offered"] == {
        "/comp": [1, ["/compact"]],
        "/mode p": [7, ["plan"]],
        "look at @load.p": [9, ["@load.py"]],
        "nothing": [0, []],
    }
    assert found["slash_names"] == list(SLASHES)


def test_what_the_page_shows_is_there(checked: Walked):
    found, _ = checked
    named = set(re.findall(r":Plimsoll ([a-z]+)", PAGE))
    assert named
    assert named <= set(found["subcommands"])
    assert found["bar"].removeprefix("%#PlimsollTitle#Say%* ") in PAGE


def test_every_command_is_in_the_help(checked: Walked):
    found, _ = checked
    text = (PLUGIN / "doc" / "plimsoll.txt").read_text("utf-8")
    assert set(re.findall(r"^:Plimsoll ([a-z]+)", text, re.MULTILINE)) == {
        *found["subcommands"]
    } - {"chat"}


def test_help_tags_are_those_of_the_help(folder: Path):
    kept = (PLUGIN / "doc" / "tags").read_text("utf-8")
    doc = folder / "doc"
    doc.mkdir()
    (doc / "plimsoll.txt").write_text((PLUGIN / "doc" / "plimsoll.txt").read_text("utf-8"))
    command = [BIN / "nvim", "--clean", "--headless", "-c", f"helptags {doc}", "-c", "qall"]
    assert subprocess.run(command, capture_output=True).stderr == b""
    assert (doc / "tags").read_text("utf-8") == kept


def test_a_walk_that_goes_wrong_does_not_end_with_0(folder: Path):
    """The negative control."""
    done = neovim(folder, "wrong.lua")
    assert done.returncode == 1
    assert done.stdout == b""
    assert b"-32601" in done.stderr


def test_the_agent_hears_what_the_other_language_servers_know(folder: Path):
    (folder / "load.py").write_text("load = 1\nprint('🚢', load)\n")
    found = found_by(folder, "code.lua")
    problem = "load.py:1 error: it is too heavy [small]"
    assert found["texts"] == [
        "load.py:1 variable load\n[by the editor]",
        "load.py:1 variable load\n[by the editor]",
        "load.py:1: load = 1\n[by the editor]",
        "load.py:2: print('🚢', load)\n[by the editor]",
        f"{problem}\n[by the editor]",
        "Renamed load to cargo in 1 file:\nload.py (+2 -2 lines)",
    ]
    # The small server counts bytes, of which the ship has four.
    assert found["position"] == {"line": 1, "character": 14}
    assert found["lines"] == ["cargo = 1", "print('🚢', cargo)"]


@pytest.mark.parametrize("file", sorted(PLUGIN.rglob("*.lua")), ids=lambda file: file.name)
def test_a_lua_file_is_short_and_says_what_it_is(file: Path):
    lines = file.read_text("utf-8").splitlines()
    assert len(lines) <= 400
    assert re.fullmatch(r"-- .*\.", lines[0])
    assert max(map(len, lines)) <= 120
