"""Custom commands in the real server: listed, expanded, switched, and attackers who write them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from product.harness import Product, said
from recordings.attacks import CASES, ORDER, few_of

pytestmark = pytest.mark.slow
LIST, SET, EXPAND = "plimsoll/custom/list", "plimsoll/custom/set", "plimsoll/custom/expand"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    write(tmp_path / ".claude/commands/fix.md", "---\nargument-hint: '[what]'\n---\nFix $1.")
    write(tmp_path / "workspace/.claude/commands/git/commit.md", "# Commit\n\nIt.")
    write(tmp_path / "workspace/.github/prompts/open.prompt.md", "---\nnever ends")
    yield tmp_path


def test_they_are_listed_expanded_and_switched_off_for_good(home: Path):
    with Product(home, {"mode": "echo"}) as product:
        product.open()
        session = {"sessionId": product.new_session()}
        fix, commit, broken = product.call(LIST, session)["commands"]
        assert (fix["name"], fix["argumentHint"], fix["source"]) == ("fix", "[what]", "person")
        assert (commit["name"], commit["description"]) == ("git:commit", "Commit")
        assert commit["tokens"] > 0 and "problem" not in commit
        assert (broken["path"], broken["tokens"]) == (".github/prompts/open.prompt.md", 0)
        asked = {**session, "name": "fix", "arguments": "\U0001f41b now"}
        expanded = product.call(EXPAND, asked)
        assert expanded == {"text": "Fix \U0001f41b.", "pasted": [[0, 4], [6, 7]], "remarks": []}
        off = {**session, "kind": "command", "name": "fix", "enabled": False}
        assert not product.call(SET, off)["commands"][0]["enabled"]
        assert product.failure(EXPAND, asked)["data"]["kind"] == "invalid"
        wrong = product.failure(SET, {**off, "name": "compact"})
        assert wrong["data"]["kind"] == "customCommandNotFound"
    with Product(home, {"mode": "echo"}) as product:
        product.open()
        session = {"sessionId": product.new_session()}
        assert not product.call(LIST, session)["commands"][0]["enabled"]
        product.notify(
            "plimsoll/didChangeTrust", {"workspaceFolder": product.uri, "trusted": False}
        )
        assert [one["name"] for one in product.call(LIST, session)["commands"]] == ["fix"]


def test_for_a_client_that_knows_none_the_answer_has_the_prompt_and_nothing_is_sent(home: Path):
    with Product(home, {"mode": "echo"}) as product:
        product.open()
        session = product.new_session()
        updates = product.turn(session, "/git:commit now")
        (answer,) = [each for each in updates if each["kind"] == "notice"]
        assert answer["data"]["prompt"]["text"] == "# Commit\n\nIt.\n\nnow"
        assert said(updates) == ""
        # What is no command of anybody is said to the model, as ever.
        assert said(product.turn(session, "/git:push now")) != ""


@pytest.mark.parametrize("whose", CASES)
def test_what_a_command_orders_has_no_effect_without_a_person(tmp_path: Path, whose: str):
    """The person sends it as it is, and the model obeys: it is asked about, and nothing is kept."""
    note = {"type": "feedback", "title": "From it", "content": ORDER}
    steps = (
        {"calls": [{"name": "shell", "arguments": {"command": "touch pwned"}}]},
        {"calls": [{"name": "file_write", "arguments": {"path": "pwned", "content": "x"}}]},
        {"calls": [{"name": "memory_save", "arguments": note}]},
        {"text": ["Done."]},
    )
    script = {"rules": [{"when": ".", "steps": list(steps)}]}
    place = tmp_path / "workspace/.claude/commands/trap.md"
    with Product(tmp_path, script) as product:
        product.responses["plimsoll/session/requestPermission"] = {
            "outcome": "selected",
            "optionId": "rejectOnce",
        }
        product.open()
        for order in few_of(whose):
            write(place, f"---\ndescription: {order!r}\n---\n{order}\n!`touch pwned`\n")
            session = product.new_session()
            listed = product.call(LIST, {"sessionId": session})["commands"]
            assert [one["name"] for one in listed] == ["trap"]
            assert said(product.turn(session, "/trap")) == ""
            found = product.call(EXPAND, {"sessionId": session, "name": "trap"})
            content = [{"type": "text", "text": found["text"], "pasted": found["pasted"]}]
            asked = {"sessionId": session, "content": content}
            turn = product.call("plimsoll/session/prompt", asked)["turnId"]
            product.update("turnEnded", turn)
        assert sorted(path.name for path in product.workspace.iterdir()) == [".claude"]
        memories = product.call("plimsoll/memory/list", {"workspaceFolder": product.uri})
        assert {one["state"] for one in memories["memories"]} <= {"inbox"}
        rules: list[dict[str, Any]] = product.call(
            "plimsoll/context/rules", {"sessionId": session}
        )["rules"]
        assert rules == []
