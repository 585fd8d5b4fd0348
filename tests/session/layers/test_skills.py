"""Skills in a session: the list and its share, the tool, switches, trust."""

from pathlib import Path

import pytest

from plimsoll.context.log.entries import Framed
from plimsoll.context.log.messages import PartKind
from plimsoll.errors import NotFound
from plimsoll.session.commands.skill_commands import skills
from plimsoll.session.layers.skills import SHARE, shown_skills
from plimsoll.session.reduction.inspection import report
from session.harness import Harness, harness
from session.layers.skill_folders import make_skill


def listed(own: Harness, slot: str = "skills") -> str | None:
    frame = own.session.state.log.fold.frames.get(slot)
    return frame.text if frame else None


def call(name: str, **more: str) -> dict[str, object]:
    arguments = {"name": name, **more}
    return {"calls": [{"name": "skill", "arguments": arguments}]}


def results(own: Harness) -> list[str]:
    groups = own.session.state.log.fold.groups
    parts = (part for group in groups for said in group.said for part in said.parts)
    return [part.text for part in parts if part.kind is PartKind.RESULT]


async def test_the_lists_stand_in_the_request_each_in_a_frame_of_its_own(tmp_path: Path):
    make_skill(tmp_path / "own", "mine", "Writes as I do.")
    make_skill(tmp_path / "work/.agents/skills", "deploy", "Ships it.\u200b")
    async with harness(tmp_path, {"text": ["Hello."]}, own_skills=[tmp_path / "own"]) as own:
        assert listed(own) == (
            "[skills of the user. Before work that one fits, read it with the tool skill; it is "
            "advice and allows nothing]\n- mine: Writes as I do.\n[end of skills]"
        )
        assert "- deploy: Ships it.\n" in (listed(own, "skills.folder") or "")
        found = report(own.session.state)
        items = {item.id: item for item in found.items}
        assert items["frame.skills"].tokens > 0 and items["frame.skills.folder"].tokens > 0
        assert [(s.name, s.source, s.enabled, s.shortened) for s in found.skills] == [
            ("mine", "person", True, False),
            ("deploy", "folder", True, False),
        ]
        assert all(one.tokens > 0 for one in found.skills)
        assert found.advice == ()


async def test_a_folder_without_trust_brings_no_skill_and_one_that_loses_it_none_any_more(
    tmp_path: Path,
):
    make_skill(tmp_path / "own", "mine")
    make_skill(tmp_path / "work/.agents/skills", "deploy")
    steps = (call("deploy"), {"text": ["No."]})
    async with harness(tmp_path, *steps, own_skills=[tmp_path / "own"]) as own:
        assert listed(own, "skills.folder")
        own.trust[0] = False
        await own.project.sessions.lose_trust()
        assert listed(own, "skills.folder") is None
        assert "- mine" in (listed(own) or "")
        await own.turn("Deploy it.")
        (refused,) = results(own)
        assert refused.startswith("There is no skill 'deploy'. The skills are: mine. Those of ")
        assert refused.endswith("this folder are not read, since it is not trusted.")
        own.trust[0] = True
        await own.project.sessions.spread()
        assert "- deploy" in (listed(own, "skills.folder") or "")


async def test_the_tool_reads_text_and_files_and_gives_no_right(tmp_path: Path):
    folder = make_skill(
        tmp_path / "work/.claude/skills", "pdf", body="Step 1.", allowed_tools="Bash(*)"
    )
    (folder / "more.md").write_text("More.")
    steps = (
        call("pdf"),
        call("pdf", file="more.md"),
        call("pdf", file="../../../x"),
        {"text": ["."]},
    )
    async with harness(tmp_path, *steps) as own:
        await own.turn("Go.")
        text, file, outside = results(own)
        assert text == (
            "Step 1.\n[other files of this skill, to be read with file: more.md]\n"
            "[the skill is in .claude/skills/pdf]\n"
            "[tools that it would allow are not allowed by it: the user decides]"
        )
        assert file == "More."
        assert "leads out of the skill pdf" in outside


async def test_a_switch_holds_at_once_and_in_later_sessions_of_the_folder(tmp_path: Path):
    make_skill(tmp_path / "own", "mine")
    make_skill(tmp_path / "own", "other")
    steps = (call("mine"), {"text": ["No."]})
    async with harness(tmp_path, *steps, own_skills=[tmp_path / "own"]) as own:
        shown = (await skills("off mine", own.project, own.session)).markdown
        assert "- `mine` (your own, off): Says how." in shown
        assert "- `other` (your own, " in shown
        assert "- mine" not in (listed(own) or "") and "- other" in (listed(own) or "")
        await own.turn("Go.")
        assert results(own) == ["The user has switched the skill mine off."]
        later = await own.project.new()
        assert "- mine" not in (later.state.log.fold.frames["skills"].text or "")
        await skills("on mine", own.project, own.session)
        assert "- mine" in (listed(own) or "")
        with pytest.raises(NotFound, match="nothing"):
            await skills("off nothing", own.project, own.session)


async def test_over_the_share_the_longest_descriptions_are_cut_and_it_is_said(tmp_path: Path):
    for number in range(12):
        make_skill(tmp_path / "own", f"long-{number}", f"{number} words and more " * 40)
    make_skill(tmp_path / "own", "short", "Brief.")
    async with harness(tmp_path, own_skills=[tmp_path / "own"]) as own:
        state = own.session.state
        text = listed(own) or ""
        assert state.model.ledger.bare(text) <= state.model.budget.effective // SHARE
        assert "- short: Brief.\n" in text and "…" in text
        shown = {one.name: one.shortened for one in shown_skills(state)}
        assert not shown.pop("short") and all(shown.values()) and len(shown) == 12
        (advice,) = report(state).advice
        assert advice.code == "skills.cut" and "of 12 skills are cut" in advice.message


async def test_what_changes_while_the_cache_is_warm_enters_at_the_tail(tmp_path: Path):
    make_skill(tmp_path / "own", "mine")
    steps = ({"text": ["One."]}, {"text": ["Two."]})
    async with harness(tmp_path, *steps, own_skills=[tmp_path / "own"]) as own:
        await own.turn("First.")
        before = [e for e in own.session.state.log.fold.entries if isinstance(e, Framed)]
        await own.turn("Second.")
        frames = [e for e in own.session.state.log.fold.entries if isinstance(e, Framed)]
        # Nothing has changed, so nothing is appended.
        assert [f for f in frames if f.slot == "skills"] == [
            f for f in before if f.slot == "skills"
        ]
        make_skill(tmp_path / "own", "new")
        await own.project.sessions.spread()
        newest = own.session.state.log.fold.frames["skills"]
        assert "- new" in (newest.text or "")
        assert newest.place == "tail"


async def test_a_small_window_is_told_of_no_skill(tmp_path: Path):
    make_skill(tmp_path / "own", "mine")
    async with harness(tmp_path, window=4_096, brief=True, own_skills=[tmp_path / "own"]) as own:
        assert listed(own) is None
        assert [one.tokens for one in shown_skills(own.session.state)] == [0]
