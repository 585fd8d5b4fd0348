"""What a person asks in each project, and the calls that the scripted model answers with."""

from collections.abc import Mapping
from dataclasses import dataclass

Call = tuple[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Ask:
    """One prompt and the calls that it leads to; a slash command leads to none."""

    prompt: str
    calls: tuple[Call, ...] = ()


def _plain(term: str, path: str, old: str, new: str, said: int = 0) -> tuple[Ask, ...]:
    """Find, read, change, look at the change by a command, and take it back.

    ``said``: how many prompts stand before these, which are told apart by it.
    """
    edit = {"path": path, "old_string": old, "new_string": new, "replace_all": True}
    look: Call = ("shell", {"command": "git status --short; git diff --stat; git diff | tail -n 4"})
    return (
        Ask(f"Find {term}", (("grep", {"pattern": term}), ("glob", {"pattern": f"**/{path}"}))),
        Ask(f"Read {path}", (("file_read", {"path": path}),)),
        Ask(f"Change {path}", (("file_edit", edit),)),
        Ask("Look at it", (look,)),
        Ask(f"/rewind {said + 3} files"),
        Ask("And now", (look,)),
    )


LEFT = 3
"""The prompts of `_plain` that stand after it."""


ENCODED = (
    ("latin-1", "Ärger über Öl", "Freude über Öl"),
    ("cp1252", "déjà vu", "jamais vu"),
    ("shift_jis", "設定を変更してください。", "設定を保存してください。"),
    ("gbk", "请修改这里的设置。", "请保存这里的设置。"),
    ("utf-16", "last line", "first line"),
)
"""The encodings of the texts that `lay` makes, words that stand in each, and those after it."""
STEPS: Mapping[str, tuple[Ask, ...]] = {
    "django": (
        *_plain(
            "def get_version",
            "django/utils/version.py",
            "def get_main_version(version=None):",
            "def get_main_version(version=None):  # the short one",
        ),
        Ask("Find LIMIT in mine", (("grep", {"pattern": "LIMIT = "}),)),
        Ask("List the library", (("glob", {"pattern": "vendor/**"}),)),
        Ask("Find nothing", (("grep", {"pattern": "no such words here"}),)),
    ),
    "nbconvert": (
        *_plain(
            "Hello World",
            "tests/preprocessors/files/HelloWorld.ipynb",
            'print("Hello World")',
            'print("Goodbye")',
        ),
        Ask("Read pictures", (("file_read", {"path": "tests/files/notebook4_jpeg.ipynb"}),)),
    ),
    "docutils": tuple(
        ask
        for number, (encoding, old, new) in enumerate(ENCODED)
        for ask in _plain(old, f"old/{encoding}.txt", old, new, LEFT * number)
    ),
    "chardet": (
        *_plain("def detect", "README.md", "# chardet", "# Chardet"),
        Ask("Run a test", (("shell", {"command": "python3 -m compileall -q scripts && echo ok"}),)),
    ),
    "create-next-app": (
        *_plain(
            "export",
            "dist/templates/app-api/ts/app/[slug]/route.ts",
            "NextResponse",
            "Response",
        ),
        Ask("List the slugs", (("glob", {"pattern": "**/[slug]/*"}),)),
    ),
    "icons-material": (
        *_plain("AbcOutlined", "package.json", '"name"', '"name" '),
        Ask("Find a name", (("glob", {"pattern": "**/ZoomOut*"}),)),
        Ask("Find nothing", (("grep", {"pattern": "no such words here"}),)),
    ),
}
