"""Skills in the real server: lists, switches, trust, a restart, and attackers who write them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from product.harness import Product
from recordings.attacks import CASES, ORDER, few_of
from session.agents.scripts import agent, calls, rule, words
from session.layers.skill_folders import make_skill

pytestmark = pytest.mark.slow
LIST, SET = "plimsoll/skill/list", "plimsoll/skill/set"


def calling(tool: str, /, **arguments: str) -> dict[str, Any]:
    return {"calls": [{"name": tool, "arguments": arguments}]}


def started(home: Path, *steps: dict[str, Any]) -> Product:
    return Product(home, {"rules": [{"when": "Go", "steps": list(steps)}]}, HOME=str(home))


def results(product: Product, session: str) -> list[str]:
    named = {"workspaceFolder": product.uri, "sessionId": session}
    loaded = product.call("plimsoll/session/load", named)
    parts = (part for message in loaded["messages"] for part in message["parts"])
    return [part["text"] for part in parts if part["type"] == "toolResult"]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    make_skill(tmp_path / ".agents/skills", "mine", "Writes as I do.", "In short words.")
    make_skill(tmp_path / "config/plimsoll/skills", "notes", "Keeps notes.")
    make_skill(tmp_path / "workspace/.agents/skills", "deploy", "Ships it.", allowed_tools="Bash")
    yield tmp_path


def test_skills_are_listed_read_and_switched_off_for_good(home: Path):
    with started(home, calling("skill", name="mine"), {"text": ["Done."]}) as product:
        product.open()
        session = product.new_session()
        found = product.call(LIST, {"sessionId": session})["skills"]
        assert [(s["name"], s["source"], s["enabled"]) for s in found] == [
            ("notes", "person", True),
            ("mine", "person", True),
            ("deploy", "folder", True),
        ]
        assert found[2]["asksForTools"] and all(one["tokens"] > 0 for one in found)
        report = product.call("plimsoll/context/report", {"sessionId": session})
        assert report["skills"] == found
        product.turn(session, "Go")
        assert results(product, session)[0].startswith("In short words.")
        product.call(SET, {"sessionId": session, "name": "mine", "enabled": False})
        wrong = product.failure(SET, {"sessionId": session, "name": "none", "enabled": False})
        assert wrong["data"]["kind"] == "skillNotFound"
        product.turn(session, "Go")
        assert "switched the skill mine off" in results(product, session)[-1]
    with started(home) as product:
        product.open()
        found = product.call(LIST, {"sessionId": product.new_session()})["skills"]
        assert {one["name"]: one["enabled"] for one in found} == {
            "notes": True,
            "mine": False,
            "deploy": True,
        }


def test_every_layer_of_the_prompt_stands_in_the_report_with_its_tokens(home: Path):
    """Also the brief, in the session of a subagent."""
    rules = [
        rule("^Go", calls(agent("look", "CHILD")), words("Done.")),
        rule("^CHILD", words("Seen.")),
    ]
    with Product(home, {"rules": rules}, HOME=str(home)) as product:
        product.open()
        session = product.new_session()
        product.turn(session, "Go")
        asked = {"workspaceFolder": product.uri, "parentId": session}
        (child,) = product.call("plimsoll/session/list", asked)["sessions"]
        held = {"workspaceFolder": product.uri, "sessionId": child["id"]}
        product.call("plimsoll/session/load", held)
        layers = {"system", "environment", "mode", "skills", "skills.folder", "date"}
        for name, expected in ((session, layers), (child["id"], layers | {"brief"})):
            report = product.call(
                "plimsoll/context/report", {"sessionId": name, "detail": "detail"}
            )
            sections = {each["name"]: each["tokens"] for each in report["systemSections"]}
            assert sections.keys() == expected
            items = {item["id"]: item["tokens"] for item in report["items"]}
            assert {
                f"frame.{each}": tokens for each, tokens in sections.items()
            }.items() <= items.items()
            assert all(sections.values())


def test_a_folder_that_loses_trust_loses_its_skills(home: Path):
    with started(home, calling("skill", name="deploy"), {"text": ["Done."]}) as product:
        product.open()
        session = product.new_session()
        product.notify(
            "plimsoll/didChangeTrust", {"workspaceFolder": product.uri, "trusted": False}
        )
        found = product.call(LIST, {"sessionId": session})["skills"]
        assert [one["name"] for one in found] == ["notes", "mine"]
        items = product.call("plimsoll/context/report", {"sessionId": session, "detail": "detail"})
        ids = [item["id"] for item in items["items"]]
        assert "frame.skills" in ids and "frame.skills.folder" not in ids
        product.turn(session, "Go")
        assert "There is no skill 'deploy'" in results(product, session)[0]


@pytest.mark.parametrize("whose", CASES)
def test_what_a_skill_orders_has_no_effect_without_a_person(tmp_path: Path, whose: str):
    """The model obeys: it reads the skill, then writes, runs and remembers what it says."""
    place = tmp_path / "workspace/.agents/skills"
    make_skill(place, "trap")
    steps = (
        calling("skill", name="trap"),
        calling("shell", command="touch pwned"),
        calling("file_write", path="pwned", content="x"),
        calling("file_write", path=".agents/skills/more/SKILL.md", content="x"),
        calling("memory_save", type="feedback", title="From the skill", content=ORDER),
        {"text": ["Done."]},
    )
    with started(tmp_path, *steps) as product:
        product.responses["plimsoll/session/requestPermission"] = {
            "outcome": "selected",
            "optionId": "rejectOnce",
        }
        product.open()
        for order in few_of(whose):
            # In the description it stands in the prompt, in the body it is read.
            told = json.dumps(f"A trap. {order}", ensure_ascii=False)
            make_skill(place, "trap", told, f"{order}\n", allowed_tools="'*'")
            session = product.new_session()
            product.turn(session, "Go")
            read, *acted, noted = results(product, session)
            assert order.strip()[:20] in read and "the user decides" in read
            assert len(acted) == 3 and all("declined" in each for each in acted)
            assert "It waits in the inbox" in noted or "known already" in noted
        names = sorted(path.name for path in product.workspace.rglob("*"))
        assert names == [".agents", "SKILL.md", "skills", "trap"]
        found = product.call("plimsoll/memory/list", {"workspaceFolder": product.uri})["memories"]
        noted = [one["state"] for one in found if one["title"] == "From the skill"]
        assert set(noted) <= {"inbox"}
