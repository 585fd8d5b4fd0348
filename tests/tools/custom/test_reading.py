"""Custom commands and agents on disk: which count, what is read of them, what is refused."""

import os
from pathlib import Path

import pytest

from plimsoll.tools.custom import reading
from plimsoll.tools.custom.finding import CustomPlaces
from plimsoll.tools.ports.written import CustomFile, CustomKind


@pytest.fixture
def places(tmp_path: Path) -> CustomPlaces:
    for name in ("work", "home", "config"):
        (tmp_path / name).mkdir()
    real = tmp_path.resolve()
    return CustomPlaces(real / "work", real / "home", real / "config")


def write(path: Path, text: str | bytes = "Do it.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def agent(path: Path, head: str = "description: Looks.", text: str = "Look.") -> Path:
    return write(path, f"---\n{head}\n---\n{text}\n")


def found(places: CustomPlaces, kind: CustomKind, *, trusted: bool = True) -> list[CustomFile]:
    return list(places.find(kind, trusted=trusted))


def names(files: list[CustomFile]) -> list[tuple[str, str]]:
    return [(one.name, one.source) for one in files if one.problem is None]


def problems(files: list[CustomFile]) -> dict[str, str]:
    return {one.shown: one.problem for one in files if one.problem is not None}


def test_commands_of_all_places_are_found_by_their_folders_and_names(places: CustomPlaces):
    write(places.root / ".claude/commands/fix.md")
    write(places.root / ".claude/commands/git/commit.md")
    write(places.root / ".claude/commands/git/hub/pull.md")
    write(places.root / ".claude/commands/notes.txt")
    write(places.root / ".agents/commands/review.md")
    write(places.root / ".github/prompts/plan.prompt.md")
    write(places.root / ".github/prompts/README.md")
    write(places.root / ".github/prompts/deep/no.prompt.md")
    write(places.settings / "commands/mine.md")
    write(places.home / ".claude/commands/fix.md", "My fix.")
    files = found(places, "command")
    assert names(files) == [
        ("mine", "person"),
        ("fix", "person"),
        ("review", "folder"),
        ("git:commit", "folder"),
        ("git:hub:pull", "folder"),
        ("plan", "folder"),
    ]
    assert files[1].text == "My fix." and files[1].shown == "~/.claude/commands/fix.md"
    assert files[3].shown == ".claude/commands/git/commit.md"
    assert names(found(places, "command", trusted=False)) == [("mine", "person"), ("fix", "person")]


def test_agents_have_the_name_that_they_give_themselves_if_it_is_one(places: CustomPlaces):
    agent(places.root / ".claude/agents/a.md", "name: reviewer\ndescription: x")
    agent(places.root / ".github/agents/b.agent.md", "name: Security Reviewer\ndescription: y")
    agent(places.root / ".github/agents/c.md")
    agent(places.settings / "agents/d.md")
    agent(places.home / ".agents/agents/reviewer.md", "description: Mine.")
    assert names(found(places, "agent")) == [
        ("d", "person"),
        ("reviewer", "person"),
        ("b", "folder"),
    ]


@pytest.mark.parametrize(
    ("spelled", "tools"),
    [
        ("", None),
        ("tools:", None),
        ("tools: ~ # all", None),
        ("tools: []", ()),
        ("tools: Read, Grep", ("Read", "Grep")),
        (
            "tools: [Read, 'Grep', \"Bash(git add:*, git commit:*)\"]",
            ("Read", "Grep", "Bash(git add:*, git commit:*)"),
        ),
        ('tools:\n  - Read\n  # not this\n  - "Grep" # and that', ("Read", "Grep")),
        ("tools:\n- Read\n- Grep", ("Read", "Grep")),
        ("tools: ['read',\n  'search']", ("read", "search")),
        ("allowed-tools: Read", ("Read",)),
        ("tools: Read\nallowed-tools: Bash", ("Read",)),
        ("tools: Bash(git add:*, git commit:*), Read", ("Bash(git add:*, git commit:*)", "Read")),
    ],
)
def test_lists_of_tools_are_read_in_the_forms_that_people_write(
    places: CustomPlaces, spelled: str, tools: tuple[str, ...] | None
):
    agent(places.root / ".claude/agents/a.md", f"description: x\n{spelled}")
    (file,) = found(places, "agent")
    assert file.tools == tools


def test_the_other_fields_are_read(places: CustomPlaces):
    head = (
        "description: >-\n  Finds\n  bugs.\u200b\nargument-hint: '[pr] [who]'\n"
        "model: ['GPT-5', sonnet]\ndisallowedTools: Write, Edit"
    )
    agent(places.root / ".claude/agents/a.md", head)
    (file,) = found(places, "agent")
    assert (file.description, file.hint) == ("Finds bugs.", "[pr] [who]")
    assert (file.models, file.without) == (("GPT-5", "sonnet"), ("Write", "Edit"))
    write(places.root / ".claude/commands/bare.md", "\n# Fix  it\n\nNow.")
    (command,) = found(places, "command")
    assert (command.description, command.text) == ("Fix it", "# Fix  it\n\nNow.")


def test_what_cannot_be_used_is_named_and_the_rest_is_there(places: CustomPlaces):
    folder = places.root / ".claude/agents"
    agent(folder / "good.md")
    write(folder / "open.md", "---\ndescription: x\ntools: Read\nnever ends")
    agent(folder / "line.md", "description: x\n? tools")
    write(folder / "silent.md", "---\nname: silent\n---\nText.")
    agent(folder / "empty.md", text="")
    agent(folder / "naïve name.md")
    write(folder / "binary.md", b"\x89PNG\0\0")
    write(folder / "huge.md", "x" * (reading.MOST_BYTES + 1))
    (folder / "folder.md").mkdir()
    os.mkfifo(folder / "pipe.md")
    files = found(places, "agent")
    assert names(files) == [("good", "folder")]
    assert problems(files) == {
        ".claude/agents/open.md": "has a front matter without an end",
        ".claude/agents/line.md": "has no `name: value` in line 3",
        ".claude/agents/silent.md": "has no description, by which it would be chosen",
        ".claude/agents/empty.md": "is empty",
        ".claude/agents/naïve name.md": "has a name of other signs than letters, digits, - and _, "
        "or a long one",
        ".claude/agents/binary.md": "is no text file",
        ".claude/agents/huge.md": "has more than 50,000 bytes",
        ".claude/agents/pipe.md": "is a pipe, socket or device, not a file. It cannot be read",
    }


def test_a_link_out_of_the_workspace_is_refused_and_one_inside_followed(
    places: CustomPlaces, tmp_path: Path
):
    outside = write(tmp_path / "outside/evil.md", "Evil.")
    commands = places.root / ".claude/commands"
    write(places.root / "docs/fix.md")
    commands.mkdir(parents=True)
    (commands / "evil.md").symlink_to(outside)
    (commands / "fix.md").symlink_to(places.root / "docs/fix.md")
    (commands / "deep").symlink_to(outside.parent)
    files = found(places, "command")
    assert names(files) == [("fix", "folder")]
    assert problems(files) == {".claude/commands/evil.md": "leads out of the workspace"}
    (places.root / ".agents").symlink_to(tmp_path / "outside")
    write(tmp_path / "outside/commands/more.md")
    files = found(places, "command")
    assert problems(files)[".agents/commands/more.md"] == "leads out of the workspace"
    # What the person keeps elsewhere and links to is their own.
    (places.home / ".claude").mkdir()
    (places.home / ".claude/commands").symlink_to(tmp_path / "outside")
    assert ("evil", "person") in names(found(places, "command"))


@pytest.mark.parametrize(
    "data",
    [
        "Prüfe es.".encode("utf-16"),
        b"\xef\xbb\xbf" + "Prüfe es.".encode(),
        "Prüfe es, für heute.".encode("latin-1"),
    ],
)
def test_other_encodings_are_read_as_files_are(places: CustomPlaces, data: bytes):
    write(places.root / ".claude/commands/a.md", data)
    (file,) = found(places, "command")
    assert file.text.startswith("Prüfe es")


def test_counts_are_bounded_and_it_is_said(places: CustomPlaces):
    for number in range(reading.MOST_FILES + 5):
        write(places.root / f".claude/commands/c{number:03}.md")
    files = found(places, "command")
    assert len(names(files)) == reading.MOST_FILES
    assert problems(files) == {".claude/commands": "holds 105 files, of which 100 are read"}


def test_folders_in_one_another_are_bounded(places: CustomPlaces):
    write(places.root / ".claude/commands/a/b/c/deep.md")
    write(places.root / ".claude/commands/a/b/c/d/deeper.md")
    write(places.root / ".claude/commands/.hidden/no.md")
    assert names(found(places, "command")) == [("a:b:c:deep", "folder")]
