"""What a command made of protected names: asked about once, kept as it is, or left aside."""

import asyncio
from pathlib import Path

import pytest

from plimsoll.session.commands.slash import Slash, run_slash
from plimsoll.session.ports.asker import Decision
from plimsoll.session.ports.content import PromptText
from plimsoll.session.ports.events import CallChanged, CallShown, NoticeGiven
from plimsoll.session.ports.rules import SessionRules
from plimsoll.tools.process.confinement.confining import Confining
from sandboxes import PassThrough, confining
from session.harness import SECRET, Harness, harness, made_in

pytestmark = pytest.mark.slow

NO = Decision(allowed=False)
NOBODY = Decision(allowed=False, by="nobody")
SCAFFOLD = r"""
mkdir -p .vscode .github/workflows .husky src
printf '{"a": "\303\251"}' > .vscode/settings.json
echo 'on: push' > .github/workflows/ci.yml
echo '# Rules' > AGENTS.md
printf '#!/bin/sh\nexit 1\n' > .husky/pre-commit; chmod 751 .husky/pre-commit
printf '\0\377' > .husky/data; ln -s pre-commit .husky/pre-push
echo '{}' > package.json; echo 1 > src/index.js
"""
MADE = [".github/", ".husky/", ".vscode/", "AGENTS.md"]


def guarding(root: Path) -> Confining:
    return confining(root, PassThrough(guards=True))


def shell(command: str, **more: object) -> dict[str, object]:
    return {"name": "shell", "arguments": {"command": command, **more}}


def script(*calls: dict[str, object]) -> list[dict[str, object]]:
    return [{"calls": [call]} for call in calls] + [{"text": "Done."}]


async def results(own: Harness) -> list[str]:
    ended = await own.turn("Do it.")
    assert ended.reason == "endTurn", ended
    await own.consistent()
    return [text for role, text in own.said() if role == "tool"]


def questions(own: Harness) -> list[str]:
    return [call.title for call in own.person.asked if call.made is not None]


def aside(tmp_path: Path) -> list[str]:
    """What lies aside, by its paths in the folder."""
    found = (path for path in tmp_path.resolve().rglob("*.aside"))
    return sorted(path.relative_to(tmp_path.resolve() / "moved-aside").as_posix() for path in found)


def tree(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Mode and content of all that is below a folder."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        data = (
            str(path.readlink())
            if path.is_symlink()
            else b""
            if path.is_dir()
            else path.read_bytes()
        )
        found[path.relative_to(folder).as_posix()] = (mode, data)
    return found


async def test_what_a_scaffolder_made_is_kept_byte_for_byte_with_its_modes(tmp_path):
    outside = tmp_path / "as-it-is-made"
    outside.mkdir()
    made = await asyncio.create_subprocess_shell(SCAFFOLD, cwd=outside)
    await made.wait()
    async with harness(tmp_path, *script(shell(SCAFFOLD)), confining=guarding) as own:
        (told,) = await results(own)
        (title,) = questions(own)
        assert title.endswith(
            "4 protected files, which programs obey: .github/, .husky/, .vscode/, AGENTS.md. "
            "Keep them, or move them out of the folder?"
        )
        assert tree(own.folder) == tree(outside)
        assert told.endswith("[kept by the user: .github/, .husky/, .vscode/, AGENTS.md]")
        assert own.heard(CallChanged)[-1].kept == tuple(MADE)
        assert own.heard(NoticeGiven) == []


async def test_what_is_shown_is_all_that_is_in_it(tmp_path):
    async with harness(tmp_path, *script(shell(SCAFFOLD)), confining=guarding) as own:
        await results(own)
        (asked,) = [call.made for call in own.person.asked if call.made is not None]
        shown = {file.name: (file.diff, file.whole) for file in asked.files}
        assert shown["AGENTS.md"] == (
            "--- /dev/null\n+++ b/AGENTS.md\n@@ -0,0 +1,1 @@\n+# Rules\n",
            True,
        )
        assert shown[".husky/"] == (
            (
                "--- /dev/null\n+++ b/.husky/data\n@@ -0,0 +0,0 @@ 2 bytes that are not shown\n"
                "--- /dev/null\n+++ b/.husky/pre-commit\n"
                "@@ -0,0 +1,2 @@ it can be run as a program\n+#!/bin/sh\n+exit 1\n"
                "--- /dev/null\n+++ b/.husky/pre-push\n@@ -0,0 +0,0 @@ a link to pre-commit\n"
            ),
            False,
        )


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (NO, "[not kept by the user, so not in the folder: "),
        (NOBODY, "[to make it all the same, ask for the command again with unconfined: true]"),
    ],
)
async def test_what_is_not_kept_stays_aside_and_is_said_once(tmp_path, answer, told):
    rules = SessionRules(confined_unasked=True)
    steps = script(shell("echo x > .envrc"), shell("true"))
    async with harness(
        tmp_path, *steps, confining=guarding, answers=[answer], allowed=rules
    ) as own:
        first, second = await results(own)
        assert told in first
        assert second == "[no output]\n[exit code: 0]"
        assert len(own.person.asked) == 1
        assert not (own.folder / ".envrc").exists()
        (place,) = aside(tmp_path)
        (notice,) = own.heard(NoticeGiven)
        assert place in notice.markdown
        # The question tells it, and so does the command.
        changed = [event for event in own.heard(CallChanged) if event.aside]
        assert [(event.status, event.kept, event.aside) for event in changed] == [
            ("rejected", (), (".envrc",)),
            ("completed", (), (".envrc",)),
        ]


async def test_a_person_keeps_a_part_of_it(tmp_path):
    some = Decision(allowed=True, kept=("AGENTS.md",))
    rules = SessionRules(confined_unasked=True)
    async with harness(
        tmp_path, *script(shell(SCAFFOLD)), confining=guarding, answers=[some], allowed=rules
    ) as own:
        (told,) = await results(own)
        assert "[kept by the user: AGENTS.md]" in told
        assert sorted(path.name for path in own.folder.iterdir()) == [
            "AGENTS.md",
            "package.json",
            "src",
        ]
        assert [place.split("/", 1)[1] for place in aside(tmp_path)] == [
            ".github.aside",
            ".husky.aside",
            ".vscode.aside",
        ]


FOLDER = "mkdir .vscode; echo x > .vscode/old"


async def test_what_was_kept_is_no_news_for_the_next_command(tmp_path):
    steps = script(shell(FOLDER), shell("echo x > .vscode/new; echo y > .envrc"))
    async with harness(tmp_path, *steps, confining=guarding) as own:
        await results(own)
        assert questions(own)[1].endswith(
            "a protected file, which programs obey: .envrc. Keep it, or move it out of the folder?"
        )
        assert (own.folder / ".vscode/new").exists()


async def test_what_a_background_command_made_is_asked_about_at_its_end(tmp_path):
    planting = f"{FOLDER}; touch made; until [ -e go ]; do sleep .02; done"
    steps = script(shell(planting, background=True), shell("true"))
    # The next command begins when it has made something: else that would be the next one's.
    steps[1]["text"] = [{"gate": "made"}]
    gate = made_in(tmp_path / "work")
    async with harness(tmp_path, *steps, confining=guarding, gate=gate) as own:
        await results(own)
        # While it runs what it made is aside, and nobody is asked; then no turn runs any more.
        assert (questions(own), (own.folder / ".vscode").exists()) == ([], False)
        (own.folder / "go").touch()
        while not (own.folder / ".vscode").exists():
            await asyncio.sleep(0.01)
        assert [title.rpartition(" made ")[2] for title in questions(own)] == [
            (
                "a protected file, which programs obey: .vscode/. "
                "Keep it, or move it out of the folder?"
            )
        ]
        assert (own.folder / ".vscode").is_dir()


async def test_a_cancel_while_it_is_asked_leaves_it_aside_and_nobody_is_asked_again(tmp_path):
    rules = SessionRules(confined_unasked=True)
    steps = script(shell("echo out; echo x > .envrc"), shell("true"))
    async with harness(tmp_path, *steps, confining=guarding, allowed=rules) as own:
        asked = asyncio.Event()
        all_asked: list[CallShown] = []

        async def ask(_session: str, _turn: str, call: CallShown) -> Decision:
            all_asked.append(call)
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

        own.person.ask = ask
        await own.session.prompt([PromptText("Do it.")])
        await asked.wait()
        assert await own.session.cancel()
        await own.consistent()
        (told,) = [text for role, text in own.said() if role == "tool"]
        # What the command did is known, and stays known.
        assert told.startswith("out\n[exit code: 0]\n[")
        assert "/.envrc was moved to " in told
        (place,) = aside(tmp_path)
        (notice,) = own.heard(NoticeGiven)
        assert place in notice.markdown
        await own.turn("Go on.")
        assert len(all_asked) == 1
        assert not (own.folder / ".envrc").exists()


async def test_a_cancel_while_the_command_runs_leaves_what_it_made_aside_and_says_where(tmp_path):
    running = shell("echo x > .envrc; touch made; exec sleep 600")
    async with harness(tmp_path, *script(running), confining=guarding) as own:
        await own.session.prompt([PromptText("Do it.")])
        while not (own.folder / "made").exists():
            await asyncio.sleep(0.01)
        assert await own.session.cancel()
        assert questions(own) == []
        (place,) = aside(tmp_path)
        (notice,) = own.heard(NoticeGiven)
        assert place in notice.markdown
        assert not (own.folder / ".envrc").exists()


async def test_a_folder_that_is_trusted_no_more_keeps_nothing(tmp_path):
    async with harness(tmp_path, *script(shell("echo x > .envrc")), confining=guarding) as own:

        async def ask(_session: str, _turn: str, call: CallShown) -> Decision:
            if call.made is not None:
                own.trust[0] = False
            return Decision(allowed=True)

        own.person.ask = ask
        await results(own)
        assert not (own.folder / ".envrc").exists()
        assert len(aside(tmp_path)) == 1


async def test_secrets_are_not_shown_in_what_was_made(tmp_path):
    command = f"echo 'export KEY={SECRET}' > .envrc"
    async with harness(tmp_path, *script(shell(command)), confining=guarding) as own:
        await results(own)
        (call,) = [call for call in own.person.asked if call.made is not None]
        assert SECRET not in repr((call.title, [file.diff for file in call.made.files]))
        assert SECRET in (own.folder / ".envrc").read_text()


async def test_what_came_to_be_there_meanwhile_stays_as_it_is(tmp_path):
    async with harness(tmp_path, *script(shell("echo x > .envrc")), confining=guarding) as own:

        async def ask(_session: str, _turn: str, call: CallShown) -> Decision:
            if call.made is not None:
                (own.folder / ".envrc").write_text("mine")
            return Decision(allowed=True)

        own.person.ask = ask
        (told,) = await results(own)
        assert (
            "[kept by the user, but still aside: .envrc. Something else stands there now.]" in told
        )
        assert (own.folder / ".envrc").read_text() == "mine"
        assert len(aside(tmp_path)) == 1


@pytest.mark.parametrize("background", [False, True])
async def test_what_an_agent_s_command_made_is_asked_about_where_its_person_is(
    tmp_path, background
):
    command = "echo x > .envrc; touch made; until [ -e go ]; do sleep .02; done"
    made = shell(command, background=True) if background else shell("echo x > .envrc")
    wait = {"text": [{"gate": "made"}], "calls": [shell("true")]}
    begun = {"name": "subagent", "arguments": {"description": "it", "prompt": "DO", "kind": "work"}}
    rules = [
        {"when": "^Go", "steps": [{"calls": [begun]}, {"text": ["Done."]}]},
        {
            "when": "DO",
            "steps": [{"calls": [made]}, *([wait] if background else []), {"text": ["Made."]}],
        },
    ]
    allowed = SessionRules(confined_unasked=True)
    gate = made_in(tmp_path / "work")
    async with harness(
        tmp_path, rules=rules, confining=guarding, allowed=allowed, gate=gate
    ) as own:
        await own.turn("Go")
        if background:
            # It outlives the agent: who called that is asked.
            assert questions(own) == []
            (own.folder / "go").touch()
            while not (own.folder / ".envrc").exists():
                await asyncio.sleep(0.01)
        (title,) = questions(own)
        assert title.startswith("work: it - ") != background
        assert title.endswith(
            "protected file, which programs obey: .envrc. Keep it, or move it out of the folder?"
        )
        assert (own.folder / ".envrc").read_text() == "x\n"


async def test_what_lies_aside_is_listed_also_by_a_session_that_comes_later(tmp_path):
    async with harness(tmp_path, confining=guarding) as own:
        listed = await run_slash(Slash("aside", ""), own.project, own.session)
        assert listed.markdown == "Nothing is set aside: what commands made is in its place."
    rules = SessionRules(confined_unasked=True)
    commands = shell("mkdir -p sub/.husky; touch sub/.husky/x.aside"), shell("echo x > .envrc")
    async with harness(
        tmp_path, *script(*commands), confining=guarding, answers=[NO], allowed=rules
    ) as own:
        await results(own)
    async with harness(tmp_path, confining=guarding) as own:
        listed = await run_slash(Slash("aside", ""), own.project, own.session)
        rows = [line for line in listed.markdown.splitlines() if line.startswith("- ")]
        assert len(rows) == 2
        assert all(any(name in row for row in rows) for name in ("/sub/.husky`", "/.envrc`"))
